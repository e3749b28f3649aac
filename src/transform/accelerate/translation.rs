//! From a cube about a step of a loop to the translation that it is.

use crate::logic::{LinearLiteral, Relation, Valuation};
use crate::number::Rational;
use crate::term::{LinearSum, Op, Sort, Term, TermMap, TermSet, Terms};

/// What a step makes of an argument.
enum Update {
    /// It grows by a constant, perhaps 0.
    Grows(Rational),
    /// It becomes what this term is: one over arguments that stay and over inputs, so that it is the same in each step.
    Becomes(Term),
}

/// A step that can be repeated: each argument grows by a constant, or becomes what it is from then on, where a guard holds that is convex
/// in what grows.
pub(super) struct Translation {
    before: Vec<Term>,
    updates: Vec<Update>,
    guard: Vec<Term>,
}

impl Translation {
    /// Of a cube over the arguments `before` and `after` a step that is true under the valuation. `None` where it is no such step, or one
    /// that leads nowhere when repeated.
    pub(super) fn of(
        t: &Terms,
        valuation: &mut Valuation<'_>,
        before: &[Term],
        after: &[Term],
        cube: &[Term],
    ) -> Option<Translation> {
        let mut literals = Literals::new(t, valuation, cube);
        let values = resolved(t, after, literals.solve(t, after))?;
        let guard = literals.guard(t, |literal| {
            t.substitute(literal, after.iter().copied().zip(values.iter().copied()))
        });
        let growth = |(&x, &value): (&Term, &Term)| growth(t, x, value);
        let growths: Vec<Option<Rational>> = before.iter().zip(&values).map(growth).collect();
        let stays = |growth: &Option<Rational>| growth.as_ref().is_some_and(Rational::is_zero);
        let changing: TermSet = (before.iter().zip(&growths))
            .filter(|(_, growth)| !stays(growth))
            .map(|(&x, _)| x)
            .collect();
        let is_constant = |value: Term| !t.any_subterm(value, |part| changing.contains(&part));
        let update = |(growth, value): (Option<Rational>, Term)| match growth {
            Some(by) => Some(Update::Grows(by)),
            None => is_constant(value).then_some(Update::Becomes(value)),
        };
        let updates = growths.into_iter().zip(values.iter().copied());
        let translation = Translation {
            before: before.to_vec(),
            updates: updates.map(update).collect::<Option<_>>()?,
            guard,
        };
        let growing: TermSet = translation.growing().collect();
        let convex = |&literal: &Term| is_convex(t, literal, &growing);
        (!growing.is_empty() && translation.guard.iter().all(convex)).then_some(translation)
    }

    /// The arguments that grow by something.
    fn growing(&self) -> impl Iterator<Item = Term> {
        let grows = |update: &Update| matches!(update, Update::Grows(by) if !by.is_zero());
        let pairs = self.before.iter().zip(&self.updates);
        pairs
            .filter(move |(_, update)| grows(update))
            .map(|(&x, _)| x)
    }

    /// The least number of steps for which more is said than by the step itself: 1, or 2 where the first step makes something what it is
    /// from then on.
    pub(super) fn least(&self) -> i64 {
        1 + i64::from(self.becomes())
    }

    fn becomes(&self) -> bool {
        let mut updates = self.updates.iter();
        updates.any(|update| matches!(update, Update::Becomes(_)))
    }

    /// The arguments after so many steps, one at least, and a constant number less: `n - less`.
    pub(super) fn state(&self, t: &Terms, n: Term, less: i64) -> Vec<Term> {
        let arg = |(&x, update): (&Term, &Update)| match update {
            Update::Becomes(value) => *value,
            Update::Grows(by) if by.is_zero() => x,
            Update::Grows(by) => {
                let mut sum = t.linear_sum(x);
                let mut steps = t.linear_sum(n);
                steps.constant = &steps.constant - &Rational::from(less);
                sum.add_scaled(by, &steps);
                t.sum_term(&sum, t.sort_of(x))
            }
        };
        self.before.iter().zip(&self.updates).map(arg).collect()
    }

    /// What must hold so that so many steps follow each other: the guard where the first and the last begin, and so between them. Where
    /// the first step makes something what it is from then on, the guard where the second begins, too.
    pub(super) fn condition(&self, t: &Terms, n: Term) -> Vec<Term> {
        let guard = |state: Vec<Term>| -> Vec<Term> {
            let state = || self.before.iter().copied().zip(state.iter().copied());
            let said = self.guard.iter();
            said.map(|&literal| t.substitute(literal, state()))
                .collect()
        };
        let least = t.le(t.int(self.least()), n);
        let mut condition = [vec![least], self.guard.clone(), guard(self.state(t, n, 1))].concat();
        if self.becomes() {
            condition.extend(guard(self.state(t, t.int(1), 0)));
        }
        condition
    }
}

/// By how much a value exceeds that of a variable, where that is a constant.
fn growth(t: &Terms, x: Term, value: Term) -> Option<Rational> {
    if x == value {
        return Some(Rational::zero());
    }
    if !t.sort_of(x).is_arith() {
        return None;
    }
    let mut sum = t.linear_sum(value);
    sum.add_scaled(&Rational::from(-1), &t.linear_sum(x));
    sum.is_constant().then_some(sum.constant)
}

/// Does a literal that holds in two states hold between them, where these variables grow from one to the other?
fn is_convex(t: &Terms, literal: Term, growing: &TermSet) -> bool {
    let speaks = |term: Term| t.any_subterm(term, |part| growing.contains(&part));
    let Some(linear) = LinearLiteral::of_term(t, literal) else {
        return !speaks(literal);
    };
    let mut terms = linear.sum.terms.iter();
    match linear.relation {
        Relation::Eq | Relation::Le | Relation::Lt => {
            terms.all(|&(term, _)| t.is_var(term) || !speaks(term))
        }
        Relation::Ne | Relation::Divides(_) | Relation::NotDivides(_) => !speaks(literal),
    }
}

/// What the arguments become, each with what it mentions put in; what nothing determines is an input, the same in each step. `None`
/// where they go in circles.
fn resolved(t: &Terms, after: &[Term], mut known: TermMap<Term>) -> Option<Vec<Term>> {
    for &x in after {
        (known.entry(x)).or_insert_with(|| t.fresh_var("input", t.sort_of(x)));
    }
    let mut values: Vec<Term> = after.iter().map(|x| known[x]).collect();
    let open = |value: &Term| t.any_subterm(*value, |part| known.contains_key(&part));
    for _ in after {
        if !values.iter().any(open) {
            break;
        }
        for value in values.iter_mut() {
            *value = t.substitute(*value, known.iter().map(|(&x, &value)| (x, value)));
        }
    }
    (!values.iter().any(open)).then_some(values)
}

/// The literals of a cube.
struct Literals {
    equations: Vec<LinearLiteral>,
    others: Vec<Term>,
}

impl Literals {
    /// `≠` is decided by the valuation.
    fn new(t: &Terms, valuation: &mut Valuation<'_>, cube: &[Term]) -> Self {
        let mut literals = Literals {
            equations: Vec::new(),
            others: Vec::new(),
        };
        for &literal in cube {
            match LinearLiteral::of_term(t, literal) {
                Some(linear) if linear.relation == Relation::Eq => literals.equations.push(linear),
                Some(mut linear) if linear.relation == Relation::Ne => {
                    let sum = t.sum_term(&linear.sum, linear.sort);
                    if valuation.number(sum).is_positive() {
                        linear.sum.scale(&Rational::from(-1));
                    }
                    linear.relation = Relation::Lt;
                    literals.others.push(linear.to_term(t));
                }
                _ => literals.others.push(literal),
            }
        }
        literals
    }

    /// What the equations say that variables are; those that say so are gone then. The terms may mention others of the variables.
    fn solve(&mut self, t: &Terms, variables: &[Term]) -> TermMap<Term> {
        let wanted: TermSet = variables.iter().copied().collect();
        let mut values = TermMap::default();
        let mut open = std::mem::take(&mut self.equations);
        while let Some(equation) = open.pop() {
            let Some((x, value)) = solved(t, &equation, &wanted) else {
                self.equations.push(equation);
                continue;
            };
            for other in open.iter_mut().chain(&mut self.equations) {
                let factor = other.sum.remove(x);
                other.sum.add_scaled(&factor, &value);
            }
            values.insert(x, t.sum_term(&value, t.sort_of(x)));
        }
        self.others.retain(|&literal| {
            let Some((x, value)) = definition(t, literal, &wanted) else {
                return true;
            };
            let new = !values.contains_key(&x);
            if new {
                values.insert(x, value);
            }
            !new
        });
        values
    }

    /// All that is left, rewritten: what is true is not said.
    fn guard(&self, t: &Terms, rewrite: impl Fn(Term) -> Term) -> Vec<Term> {
        let equations = self.equations.iter().map(|equation| equation.to_term(t));
        let all = self.others.iter().copied().chain(equations).map(rewrite);
        all.filter(|&literal| literal != Term::TRUE).collect()
    }
}

/// One of the variables, and what an equation says that it is. Of an integer its coefficient must be 1 or -1, and so must the
/// equation's other coefficients be integers.
fn solved(t: &Terms, equation: &LinearLiteral, wanted: &TermSet) -> Option<(Term, LinearSum)> {
    let mut sum = equation.sum.clone();
    sum.scale(&sum.normalizer());
    let is_unit = |x: Term, c: &Rational| t.sort_of(x) == Sort::REAL || c.abs().is_one();
    let (x, _) = (sum.terms.iter()).find(|(x, c)| wanted.contains(x) && is_unit(*x, c))?;
    let x = *x;
    let coefficient = sum.remove(x);
    sum.scale(&-&coefficient.recip());
    (t.sort_of(x) == Sort::REAL || sum.constant.is_integer()).then_some((x, sum))
}

/// One of the variables that are not numbers, and what a literal says that it is.
fn definition(t: &Terms, literal: Term, wanted: &TermSet) -> Option<(Term, Term)> {
    let (atom, positive) = match t.as_not(literal) {
        Some(atom) => (atom, false),
        None => (literal, true),
    };
    if wanted.contains(&atom) {
        return Some((atom, t.bool(positive)));
    }
    match (t.op(atom), t.args(atom)) {
        (Op::Eq, &[x, y]) if positive && wanted.contains(&x) => Some((x, y)),
        (Op::Eq, &[x, y]) if positive && wanted.contains(&y) => Some((y, x)),
        _ => None,
    }
}
