//! Linear equations \[Kar76\] as a domain: an affine hull of the integers and truth values, and one
//! of the reals. In a space whose columns include products these are the polynomial equations of
//! degree 2 \[MOS04\].

use super::affine::{AffineHull, eliminate};
use super::domain::Domain;
use super::space::{Point, Space};
use crate::number::Rational;
use crate::term::{LinearSum, Op, Sort, Term, Terms};

/// An argument that others determine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The position of the argument.
    pub position: usize,
    /// Its value, over the parameters at positions without definitions.
    pub by: Term,
}

/// An affine space of states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Equalities {
    /// Over integers and truth values; over reals. `None` is the element without states.
    hulls: Option<[AffineHull; 2]>,
}

impl Domain for Equalities {
    fn bottom(_: &Space) -> Self {
        Equalities { hulls: None }
    }

    fn top(_: &Space) -> Self {
        Equalities {
            hulls: Some([AffineHull::whole(), AffineHull::whole()]),
        }
    }

    fn is_bottom(&self) -> bool {
        self.hulls.is_none()
    }

    fn of_point(space: &Space, point: &Point) -> Self {
        let of_kind = |real| AffineHull::of_point(space.columns(real), point);
        Equalities {
            hulls: Some([of_kind(false), of_kind(true)]),
        }
    }

    fn le(&self, other: &Self, _: &Space) -> bool {
        match (&self.hulls, &other.hulls) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(these), Some(those)) => these
                .iter()
                .zip(those)
                .all(|(this, that)| this.is_inside(that)),
        }
    }

    fn join(&mut self, other: &Self, _: &Space) {
        match (&mut self.hulls, &other.hulls) {
            (_, None) => {}
            (hulls @ None, those) => hulls.clone_from(those),
            (Some(these), Some(those)) => {
                for (this, that) in these.iter_mut().zip(those) {
                    this.join(that);
                }
            }
        }
    }

    /// A join that changes a hull takes at least one of its equations.
    fn widen(&mut self, other: &Self, space: &Space) {
        self.join(other, space);
    }

    fn forget(&mut self, space: &Space, position: usize) {
        for column in space.columns_of(position) {
            for hull in self.hulls.iter_mut().flatten() {
                hull.forget(column);
            }
        }
    }

    fn literals(&self, t: &Terms, _: &Space) -> Vec<Term> {
        match self.is_bottom() {
            true => vec![Term::FALSE],
            false => self.equations().map(|sum| equation(t, sum)).collect(),
        }
    }
}

impl Equalities {
    /// The equations of an element with states, each a sum that is 0, with coprime integer
    /// coefficients.
    pub(super) fn equations(&self) -> impl Iterator<Item = &LinearSum> {
        self.hulls.iter().flatten().flat_map(AffineHull::equations)
    }

    /// The arguments that at most this number of others determine, by equations without division.
    pub fn definitions(&self, t: &Terms, space: &Space, others: usize) -> Vec<Definition> {
        let mut open: Vec<LinearSum> = self.equations().cloned().collect();
        open.sort_by_key(|e| std::cmp::Reverse(e.terms.len()));
        let mut solved: Vec<(Term, LinearSum)> = Vec::new();
        let is_solved = |(column, sum): &(Term, LinearSum)| {
            sum.terms.len() <= others + 1 && solution(t, sum, *column).is_some()
        };
        while let Some(sum) = open.pop() {
            // The last parameter first, since earlier ones tend to be what later ones are computed
            // from.
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
            let position = space.params().iter().position(|&p| p == param)?;
            Some(Definition { position, by })
        };
        solved.iter().filter_map(definition).collect()
    }
}

/// The sort of a sum: real numbers, if one of its terms is one.
pub(super) fn sort_of(t: &Terms, sum: &LinearSum) -> Sort {
    let is_real = |&(x, _): &(Term, Rational)| t.sort_of(x) == Sort::REAL;
    match sum.terms.iter().any(is_real) {
        true => Sort::REAL,
        false => Sort::INT,
    }
}

/// The truth value that a column counts.
fn truth_value(t: &Terms, column: Term) -> Option<Term> {
    (t.op(column) == Op::Ite).then(|| t.args(column)[0])
}

/// `sum = 0` as a formula: between truth values without numbers.
fn equation(t: &Terms, sum: &LinearSum) -> Term {
    if let Some((bool, by)) = truth_equation(t, sum) {
        return t.eq(bool, by);
    }
    let sort = sort_of(t, sum);
    t.eq(t.sum_term(sum, sort), t.number(Rational::zero(), sort))
}

/// A truth value and what an equation says that it is: a constant, another truth value, or its
/// negation.
fn truth_equation(t: &Terms, sum: &LinearSum) -> Option<(Term, Term)> {
    let (_, by) = solution(t, sum, sum.terms[0].0)?;
    Some((truth_value(t, sum.terms[0].0)?, by))
}

/// The value that an equation `sum = 0` with coprime integer coefficients gives to the parameter
/// behind a column, if that can be said without division: the parameter, and the value.
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
