//! Simplification of a conjunction by its own literals.
//!
//! Atoms of linear arithmetic are brought into their normal form, in which coefficients have no
//! common divisor and bounds of integers are rounded. Of several bounds on one form the tightest
//! stays; where they meet they become an equation. Inside of the other conjuncts, literals that
//! follow from or contradict a conjunct that is a literal become constants.

use crate::logic::LinearLiteral;
use crate::number::Rational;
use crate::term::{Op, Sort, Term, TermMap, TermSet, Terms};

/// The simplification is repeated up to 4 times: a disjunction may become a literal. The value was
/// not tuned.
const ROUNDS: usize = 4;

/// A bound, and whether it is strict.
type Bound = Option<(Rational, bool)>;

/// The conjuncts of an equivalent formula, none of them a conjunction; `false` alone if they
/// contradict each other.
pub(super) fn simplify(t: &Terms, conjuncts: &[Term]) -> Vec<Term> {
    let mut conjuncts = ConstraintContext::new(t).rewrite_all(conjuncts);
    for _ in 0..ROUNDS {
        let Some(context) = ConstraintContext::of(t, &conjuncts) else {
            return vec![Term::FALSE];
        };
        let next = context.reduce(&conjuncts);
        if next == conjuncts {
            break;
        }
        conjuncts = next;
    }
    conjuncts
}

/// The tightest bounds of a form, and whether they are strict.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Bounds {
    lower: Bound,
    upper: Bound,
}

/// The bound that a literal in normal form puts on a form.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Lower,
    Upper,
    Both,
}

struct BoundLiteral<'t> {
    form: Term,
    side: Side,
    value: &'t Rational,
    strict: bool,
}

impl Bounds {
    fn add(&mut self, literal: &BoundLiteral<'_>) {
        let new = (literal.value.clone(), literal.strict);
        if literal.side != Side::Upper && self.lower.as_ref().is_none_or(|old| is_above(&new, old))
        {
            self.lower = Some(new.clone());
        }
        if literal.side != Side::Lower && self.upper.as_ref().is_none_or(|old| is_below(&new, old))
        {
            self.upper = Some(new);
        }
    }

    /// Is there a number between the bounds? For forms over integers bounds are integers.
    fn is_consistent(&self) -> bool {
        match (&self.lower, &self.upper) {
            (Some((l, strict_l)), Some((u, strict_u))) => {
                l < u || (l == u && !strict_l && !strict_u)
            }
            _ => true,
        }
    }

    /// The only number between the bounds.
    fn point(&self) -> Option<&Rational> {
        match (&self.lower, &self.upper) {
            (Some((l, _)), Some((u, _))) if l == u => Some(l),
            _ => None,
        }
    }

    /// The truth value of a literal, if it is the same for everything between the bounds.
    fn decide(&self, literal: &BoundLiteral<'_>) -> Option<bool> {
        let bound = (literal.value.clone(), literal.strict);
        let mut with = self.clone();
        with.add(literal);
        if !with.is_consistent() {
            return Some(false);
        }
        let lower = literal.side == Side::Upper
            || self
                .lower
                .as_ref()
                .is_some_and(|own| !is_above(&bound, own));
        let upper = literal.side == Side::Lower
            || self
                .upper
                .as_ref()
                .is_some_and(|own| !is_below(&bound, own));
        (lower && upper).then_some(true)
    }
}

/// Is a lower bound tighter than another?
fn is_above(new: &(Rational, bool), old: &(Rational, bool)) -> bool {
    new.0 > old.0 || (new.0 == old.0 && new.1 && !old.1)
}

/// Is an upper bound tighter than another?
fn is_below(new: &(Rational, bool), old: &(Rational, bool)) -> bool {
    new.0 < old.0 || (new.0 == old.0 && new.1 && !old.1)
}

/// The bound that a literal in normal form puts on a form, if it is a bound.
fn bound_literal(t: &Terms, literal: Term) -> Option<BoundLiteral<'_>> {
    let &[x, y] = t.args(literal) else {
        return None;
    };
    let (side, strict) = match t.op(literal) {
        Op::Le => (Side::Upper, false),
        Op::Lt => (Side::Upper, true),
        Op::Eq => (Side::Both, false),
        _ => return None,
    };
    match (t.as_number(x), t.as_number(y)) {
        (None, Some(value)) => Some(BoundLiteral {
            form: x,
            side,
            value,
            strict,
        }),
        (Some(value), None) => {
            let side = if side == Side::Upper {
                Side::Lower
            } else {
                side
            };
            Some(BoundLiteral {
                form: y,
                side,
                value,
                strict,
            })
        }
        _ => None,
    }
}

/// The literals that are true at the place of a formula.
struct ConstraintContext<'t> {
    t: &'t Terms,
    literals: TermSet,
    bounds: TermMap<Bounds>,
}

impl<'t> ConstraintContext<'t> {
    fn new(t: &'t Terms) -> Self {
        ConstraintContext {
            t,
            literals: TermSet::default(),
            bounds: TermMap::default(),
        }
    }

    /// The context of the literals among the conjuncts; `None` if they contradict each other.
    fn of(t: &'t Terms, conjuncts: &[Term]) -> Option<Self> {
        let mut context = ConstraintContext::new(t);
        for &conjunct in conjuncts {
            if conjunct == Term::FALSE {
                return None;
            }
            if is_literal(t, conjunct) {
                context.literals.insert(conjunct);
                if let Some(bound) = bound_literal(t, conjunct) {
                    context.bounds.entry(bound.form).or_default().add(&bound);
                }
            }
        }
        let consistent = context.bounds.values().all(Bounds::is_consistent)
            && conjuncts.iter().all(|&c| {
                // `x ≠ c` with `x = c` in the context, or the literal itself is there.
                t.as_not(c)
                    .is_none_or(|atom| context.decide(atom) != Some(true))
            });
        consistent.then_some(context)
    }

    /// The conjuncts that are not literals, simplified by the literals; and the literals that no
    /// other literal implies.
    fn reduce(&self, conjuncts: &[Term]) -> Vec<Term> {
        let t = self.t;
        let mut told: TermSet = TermSet::default();
        let mut reduced = Vec::with_capacity(conjuncts.len());
        let (literals, others): (Vec<Term>, Vec<Term>) =
            conjuncts.iter().partition(|&&c| is_literal(t, c));
        for literal in literals {
            if let Some(bound) = bound_literal(t, literal) {
                if told.insert(bound.form) {
                    reduced.extend(self.bounds[&bound.form].literals(t, bound.form));
                }
            } else if !self.is_implied_disequation(literal) {
                reduced.push(literal);
            }
        }
        reduced.extend(self.rewrite_all(&others));
        let mut seen = TermSet::default();
        reduced.retain(|&c| seen.insert(c));
        reduced
    }

    /// `x ≠ c` where `c` is not between the bounds of `x`.
    fn is_implied_disequation(&self, literal: Term) -> bool {
        let Some(bound) = self
            .t
            .as_not(literal)
            .and_then(|a| bound_literal(self.t, a))
        else {
            return false;
        };
        (self.bounds.get(&bound.form)).is_some_and(|b| b.decide(&bound) == Some(false))
    }

    /// The truth value that the literals give to an atom in normal form.
    fn decide(&self, atom: Term) -> Option<bool> {
        if self.literals.contains(&atom) {
            return Some(true);
        }
        if let Some(bound) = bound_literal(self.t, atom)
            && let Some(bounds) = self.bounds.get(&bound.form)
            && let Some(value) = bounds.decide(&bound)
        {
            return Some(value);
        }
        let negated = !self.literals.is_empty() && self.literals.contains(&self.t.not(atom));
        negated.then_some(false)
    }

    /// The conjuncts of formulas, with atoms in normal form and constants in place of the atoms
    /// that the literals decide.
    fn rewrite_all(&self, formulas: &[Term]) -> Vec<Term> {
        let t = self.t;
        let mut done: TermMap<Term> = TermMap::default();
        let rewritten = formulas.iter().map(|&f| self.rewrite(f, &mut done));
        let formula: Vec<Term> = rewritten.collect();
        let mut conjuncts = Vec::new();
        let mut seen = TermSet::default();
        for part in formula {
            conjuncts.extend(t.conjuncts(part).into_iter().filter(|&c| seen.insert(c)));
        }
        conjuncts
    }

    fn rewrite(&self, root: Term, done: &mut TermMap<Term>) -> Term {
        let t = self.t;
        let mut stack = vec![(root, false)];
        while let Some((f, leave)) = stack.pop() {
            if done.contains_key(&f) {
                continue;
            }
            if !is_connective(t, f) {
                done.insert(f, self.atom(f));
            } else if leave {
                let args: Vec<Term> = t.args(f).iter().map(|a| done[a]).collect();
                done.insert(f, t.rebuild(f, &args));
            } else {
                stack.push((f, true));
                stack.extend(t.args(f).iter().map(|&a| (a, false)));
            }
        }
        done[&root]
    }

    fn atom(&self, atom: Term) -> Term {
        let t = self.t;
        let normal = LinearLiteral::of_term(t, atom).map_or(atom, |l| l.to_term(t));
        match self.decide(normal) {
            Some(value) => t.bool(value),
            None => normal,
        }
    }
}

impl Bounds {
    /// The bounds as literals.
    fn literals(&self, t: &Terms, form: Term) -> Vec<Term> {
        let sort = t.sort_of(form);
        let number = |value: &Rational| t.number(value.clone(), sort);
        if let Some(point) = self.point() {
            return vec![t.eq(form, number(point))];
        }
        let compare = |strict, x, y| if strict { t.lt(x, y) } else { t.le(x, y) };
        let lower = self
            .lower
            .iter()
            .map(|(l, strict)| compare(*strict, number(l), form));
        let upper = self
            .upper
            .iter()
            .map(|(u, strict)| compare(*strict, form, number(u)));
        lower.chain(upper).collect()
    }
}

/// Is a formula built from formulas by a connective?
fn is_connective(t: &Terms, formula: Term) -> bool {
    match t.op(formula) {
        Op::Not | Op::And | Op::Or | Op::Ite => true,
        Op::Eq => t.sort_of(t.args(formula)[0]) == Sort::BOOL,
        _ => false,
    }
}

/// An atom, or the negation of one.
fn is_literal(t: &Terms, formula: Term) -> bool {
    !is_connective(t, t.as_not(formula).unwrap_or(formula))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Evaluator, Unspecified, Value};

    /// Comparisons of a real variable with 1 and 2.
    fn comparisons(t: &Terms, x: Term) -> Vec<Term> {
        let numbers = [1, 2].map(|n| t.real(Rational::from(n)));
        let of = |c: Term| [t.lt(x, c), t.le(x, c), t.eq(x, c), t.le(c, x), t.lt(c, x)];
        numbers.into_iter().flat_map(of).collect()
    }

    /// The numbers 1 and 2, and one on each side of each, for which all formulas hold.
    fn solutions(t: &Terms, x: Term, formulas: &[Term]) -> Vec<i64> {
        let holds = |half: &i64| {
            let value = Value::Number(Rational::new(*half, 2));
            let mut values = Evaluator::with(t, Unspecified::Refuse, [(x, value)]);
            formulas.iter().all(|&f| values.holds(f))
        };
        (1..=5).filter(holds).collect()
    }

    #[test]
    fn the_tightest_bounds_stay() {
        let t = Terms::new();
        let x = t.var("x", Sort::REAL);
        let all = comparisons(&t, x);
        let n = all.len();
        for number in 0..n.pow(3) {
            let [a, b, c] = [number % n, number / n % n, number / n / n].map(|place| all[place]);
            let simple = simplify(&t, &[a, b, c]);
            let expected = solutions(&t, x, &[a, b, c]);
            let text = || t.display(t.and([a, b, c])).to_string();
            assert_eq!(solutions(&t, x, &simple), expected, "{}", text());
            // No formula is left that another one implies.
            for place in 0..simple.len() {
                let mut rest = simple.clone();
                rest.remove(place);
                assert_ne!(solutions(&t, x, &rest), expected, "{}", text());
            }
            assert_eq!(simple == [Term::FALSE], expected.is_empty(), "{}", text());
        }
    }

    #[test]
    fn bounds_decide_comparisons() {
        let t = Terms::new();
        let (x, b) = (t.var("x", Sort::REAL), t.var("b", Sort::BOOL));
        let all = comparisons(&t, x);
        let n = all.len();
        for number in 0..n.pow(2) {
            let [bound, atom] = [number % n, number / n].map(|place| all[place]);
            let simple = simplify(&t, &[bound, t.or([atom, b])]);
            let (with, without) = ([bound, atom], [bound, t.not(atom)]);
            let both = solutions(&t, x, &with);
            let expected = match solutions(&t, x, &without).is_empty() {
                true => vec![bound],
                false if both.is_empty() => vec![bound, b],
                false => vec![bound, t.or([atom, b])],
            };
            let text = t.display(t.and(with)).to_string();
            assert_eq!(simple, expected, "{text}");
            // A number that is excluded anyway is not excluded once more.
            let simple = simplify(&t, &[bound, t.not(atom)]);
            assert_eq!(both.is_empty(), simple == [bound], "{text}");
        }
    }
}
