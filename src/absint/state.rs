//! States: what is known of the arguments of one predicate.

use super::affine::{AffineHull, eliminate};
use super::bounds::{FormBounds, Thresholds};
use crate::number::Rational;
use crate::term::{LinearSum, Sort, Term, TermMap, Terms, Value};

/// Differences and sums are looked at for predicates with at most so many numeric arguments.
const OCTAGON_ARGS: usize = 6;

/// How much is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// Equations.
    Equations,
    /// Bounds as well, each with the help of the other: several times the questions.
    Bounds,
}

/// What is known of a predicate.
#[derive(Clone, Debug)]
pub struct Known {
    /// Its parameters, by position.
    pub params: Vec<Term>,
    /// What holds of everything derived; `None` where nothing is derivable.
    pub(super) state: Option<State>,
}

/// An argument that others determine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The position of the argument.
    pub position: usize,
    /// Its value, over the parameters at positions without definitions.
    pub by: Term,
}

/// Equations and bounds over *columns*: the parameters that are numbers, and those that are truth values as 0 and 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct State {
    /// Over integers and truth values; over reals.
    hulls: [AffineHull; 2],
    bounds: Vec<FormBounds>,
}

/// The parameters of a predicate as columns.
#[derive(Debug)]
pub(super) struct Columns {
    /// By position: the column; `None` for sorts that are no numbers.
    terms: Vec<Option<Term>>,
    forms: Vec<LinearSum>,
}

impl Columns {
    pub(super) fn new(t: &Terms, params: &[Term], precision: Precision) -> Self {
        let column = |&param: &Term| match t.sort_of(param) {
            Sort::BOOL => Some(t.ite(param, t.int(1), t.int(0))),
            sort if sort.is_arith() => Some(param),
            _ => None,
        };
        let numbers: Vec<Term> = (params.iter().copied())
            .filter(|&p| t.sort_of(p).is_arith())
            .collect();
        Columns {
            terms: params.iter().map(column).collect(),
            forms: match precision {
                Precision::Equations => Vec::new(),
                Precision::Bounds => forms(t, &numbers),
            },
        }
    }

    /// The columns with the coordinates that the values of arguments give them.
    pub(super) fn point(&self, values: &[Option<Value>]) -> TermMap<Rational> {
        let mut point = TermMap::default();
        for (column, value) in self.terms.iter().zip(values) {
            let Some(column) = column else { continue };
            let coordinate = match value {
                Some(Value::Number(number)) => number.clone(),
                Some(Value::Bool(value)) => Rational::from(i64::from(*value)),
                // Whatever it is, it will be forgotten.
                _ => Rational::zero(),
            };
            point.insert(*column, coordinate);
        }
        point
    }

    /// The column of an argument.
    pub(super) fn column(&self, position: usize) -> Option<Term> {
        self.terms[position]
    }
}

/// The forms that have bounds.
fn forms(t: &Terms, numbers: &[Term]) -> Vec<LinearSum> {
    let mut forms: Vec<LinearSum> = numbers.iter().map(|&x| t.linear_sum(x)).collect();
    if numbers.len() > OCTAGON_ARGS {
        return forms;
    }
    for (i, &x) in numbers.iter().enumerate() {
        for &y in &numbers[..i] {
            if t.sort_of(x) != t.sort_of(y) {
                continue;
            }
            for sign in [1, -1] {
                let mut form = t.linear_sum(x);
                form.add_scaled(&Rational::from(sign), &t.linear_sum(y));
                forms.push(form);
            }
        }
    }
    forms
}

impl State {
    /// Of a single point.
    pub(super) fn of_point(t: &Terms, columns: &Columns, point: &TermMap<Rational>) -> Self {
        let at = |x: Term| point[&x].clone();
        let of_sort = |real: bool| {
            let all = columns.terms.iter().flatten().copied();
            let these = all.filter(move |&x| (t.sort_of(x) == Sort::REAL) == real);
            AffineHull::of_point(these, &at)
        };
        let forms = columns.forms.iter().cloned();
        State {
            hulls: [of_sort(false), of_sort(true)],
            bounds: forms.map(|form| FormBounds::of_point(form, &at)).collect(),
        }
    }

    /// Adds a point.
    pub(super) fn add(&mut self, point: &TermMap<Rational>, thresholds: &Thresholds) {
        let at = |x: Term| point[&x].clone();
        for hull in &mut self.hulls {
            hull.add(&at);
        }
        for bounds in &mut self.bounds {
            bounds.add(&at, thresholds);
        }
    }

    /// Forgets what is known of a column.
    pub(super) fn forget(&mut self, column: Term) {
        for hull in &mut self.hulls {
            hull.forget(column);
        }
        for bounds in &mut self.bounds {
            if !bounds.form.coefficient(column).is_zero() {
                bounds.forget();
            }
        }
    }

    /// Literals over the parameters whose conjunction is the state.
    pub(super) fn literals(&self, t: &Terms) -> Vec<Term> {
        let equations = self.hulls.iter().flat_map(AffineHull::equations);
        let mut literals: Vec<Term> = equations.map(|sum| equation(t, sum)).collect();
        for bounds in &self.bounds {
            let sort = sort_of(t, &bounds.form);
            let number = |value: &Rational| t.number(value.clone(), sort);
            let form = t.sum_term(&bounds.form, sort);
            let [lower, upper] = self.new_bounds(bounds);
            literals.extend(lower.map(|lower| t.le(number(lower), form)));
            literals.extend(upper.map(|upper| t.le(form, number(upper))));
        }
        literals
    }

    /// The lower and the upper bound of a form, where they are not implied by equations and the bounds of arguments.
    ///
    /// Invariant: what is left out is implied by the other literals. A clause that was found to derive nothing outside of a
    /// state is not looked at again when the state grows, so a literal must not appear later that was not implied then.
    fn new_bounds<'b>(&self, bounds: &'b FormBounds) -> [Option<&'b Rational>; 2] {
        let form = &bounds.form;
        if form.terms.len() == 1 {
            return [bounds.lower(), bounds.upper()];
        }
        let mut equal = vec![form.clone()];
        for equation in self.hulls.iter().flat_map(AffineHull::equations) {
            for (x, c) in &form.terms {
                let other = equation.coefficient(*x);
                if equation.terms.len() == 2 && !other.is_zero() {
                    let mut sum = form.clone();
                    sum.add_scaled(&-&(c * &other.recip()), equation);
                    equal.push(sum);
                }
            }
        }
        let implied = |upper| equal.iter().filter_map(move |sum| self.extreme(sum, upper));
        let lower = bounds.lower().filter(|&l| implied(false).all(|i| *l > i));
        let upper = bounds.upper().filter(|&u| implied(true).all(|i| *u < i));
        [lower, upper]
    }

    /// The least, or the greatest, value of a sum by the bounds of its terms.
    fn extreme(&self, sum: &LinearSum, upper: bool) -> Option<Rational> {
        let mut extreme = sum.constant.clone();
        for (x, c) in &sum.terms {
            let is_own = |b: &&FormBounds| matches!(b.form.terms[..], [(y, _)] if y == *x);
            let own = self.bounds.iter().find(is_own)?;
            let bound = match c.is_positive() == upper {
                true => own.upper(),
                false => own.lower(),
            };
            extreme.add_mul(c, bound?);
        }
        Some(extreme)
    }
}

/// The sort of a sum, which is not constant.
fn sort_of(t: &Terms, sum: &LinearSum) -> Sort {
    t.sort_of(sum.terms[0].0)
}

/// The truth value that a column counts.
fn truth_value(t: &Terms, column: Term) -> Option<Term> {
    (!t.is_var(column)).then(|| t.args(column)[0])
}

/// `sum = 0` as a formula: between truth values without numbers.
fn equation(t: &Terms, sum: &LinearSum) -> Term {
    if let Some((bool, by)) = truth_equation(t, sum) {
        return t.eq(bool, by);
    }
    let sort = sort_of(t, sum);
    t.eq(t.sum_term(sum, sort), t.number(Rational::zero(), sort))
}

/// A truth value and what an equation says that it is: a constant, another truth value, or its negation.
fn truth_equation(t: &Terms, sum: &LinearSum) -> Option<(Term, Term)> {
    let (_, by) = solution(t, sum, sum.terms[0].0)?;
    Some((truth_value(t, sum.terms[0].0)?, by))
}

/// The value that an equation `sum = 0` with coprime integer coefficients gives to the parameter behind a column, if that can be
/// said without division: the parameter, and the value.
fn solution(t: &Terms, sum: &LinearSum, column: Term) -> Option<(Term, Term)> {
    let mut rest = sum.clone();
    let coefficient = rest.remove(column);
    let sort = t.sort_of(column);
    if sort == Sort::INT && !coefficient.abs().is_one() {
        return None;
    }
    rest.scale(&-&coefficient.recip());
    let Some(bool) = truth_value(t, column) else {
        return Some((column, t.sum_term(&rest, sort)));
    };
    let (constant, terms) = (rest.constant.to_i64()?, &rest.terms);
    let by = match (constant, terms.as_slice()) {
        (0 | 1, []) => t.bool(constant == 1),
        (0, [(x, c)]) if c.is_one() => truth_value(t, *x)?,
        (1, [(x, c)]) if c.is_minus_one() => t.not(truth_value(t, *x)?),
        _ => return None,
    };
    Some((bool, by))
}

impl Known {
    /// Is anything derivable?
    pub fn is_derivable(&self) -> bool {
        self.state.is_some()
    }

    /// What holds of everything derived, as literals over the parameters.
    pub fn literals(&self, t: &Terms) -> Vec<Term> {
        match &self.state {
            None => vec![Term::FALSE],
            Some(state) => state.literals(t),
        }
    }

    /// The arguments that at most so many others determine, by equations without division.
    pub fn definitions(&self, t: &Terms, others: usize) -> Vec<Definition> {
        let hulls = self.state.iter().flat_map(|state| &state.hulls);
        let mut open: Vec<LinearSum> = hulls.flat_map(AffineHull::equations).cloned().collect();
        open.sort_by_key(|e| std::cmp::Reverse(e.terms.len()));
        let mut solved: Vec<(Term, LinearSum)> = Vec::new();
        let is_solved = |(column, sum): &(Term, LinearSum)| {
            sum.terms.len() <= others + 1 && solution(t, sum, *column).is_some()
        };
        while let Some(sum) = open.pop() {
            // The last parameter first, since earlier ones tend to be what later ones are computed from.
            let columns: Vec<Term> = sum.terms.iter().rev().map(|(x, _)| *x).collect();
            for column in columns
                .into_iter()
                .filter(|&x| is_solved(&(x, sum.clone())))
            {
                let mut with = solved.clone();
                with.iter_mut()
                    .for_each(|(_, e)| eliminate(column, &sum, e));
                with.push((column, sum.clone()));
                if with.iter().all(is_solved) {
                    open.iter_mut().for_each(|e| eliminate(column, &sum, e));
                    solved = with;
                    break;
                }
            }
        }
        let definition = |(column, sum): &(Term, LinearSum)| {
            let (param, by) = solution(t, sum, *column)?;
            let position = self.params.iter().position(|&p| p == param)?;
            Some(Definition { position, by })
        };
        solved.iter().filter_map(definition).collect()
    }
}
