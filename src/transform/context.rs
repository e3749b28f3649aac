//! Simplification of a conjunction by its own literals.
//!
//! Atoms of linear arithmetic are brought into their normal form, in which coefficients have no
//! common divisor and bounds of integers are rounded. Of several bounds on one form the tightest
//! stays; where they meet they become an equation. Inside of the other conjuncts, literals that
//! follow from or contradict a conjunct that is a literal become constants. So do the conditions of
//! choices, in conjuncts and in a clause's arguments.

use crate::logic::LinearLiteral;
use crate::number::Rational;
use crate::term::{LinearSum, Op, Sort, Term, TermMap, TermSet, Terms};
use crate::work;
use std::cell::OnceCell;

/// The simplification is repeated up to 4 times: a disjunction may become a literal. The value was
/// not tuned.
const ROUNDS: usize = 4;

/// Of up to 32 disjuncts each is simplified by its own literals as well. The value was not tuned.
const MOST_DISJUNCTS: usize = 32;

/// Bounds are derived from sums of at most 8 terms, in 2 rounds. The values were not tuned.
const MOST_TERMS: usize = 8;
/// See [`MOST_TERMS`].
const PROPAGATIONS: usize = 2;

/// A bound, and whether it is strict.
type Bound = Option<(Rational, bool)>;

/// The conjuncts of an equivalent formula, none of them a conjunction; `false` alone if they
/// contradict each other.
pub(super) fn simplify(t: &Terms, conjuncts: &[Term]) -> Vec<Term> {
    let mut conjuncts = ConstraintContext::new(t).rewrite_all(conjuncts);
    match decide_choices(t, &conjuncts) {
        Some(decided) => conjuncts = decided,
        None => return vec![Term::FALSE],
    }
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

/// Puts constants in the place of atoms inside of terms, where conjuncts, which are simplified,
/// decide them: the terms stay equal where the conjuncts are true. So where a sum of words cannot
/// overflow, its choices disappear.
pub(super) fn decide_atoms<'a>(
    t: &Terms,
    conjuncts: &[Term],
    terms: impl IntoIterator<Item = &'a mut Term>,
) {
    let mut terms: Vec<&mut Term> = terms.into_iter().collect();
    if have_choices(t, terms.iter().map(|term| **term))
        && let Some(context) = ConstraintContext::of(t, conjuncts)
    {
        let mut done: TermMap<Term> = TermMap::default();
        for term in &mut terms {
            **term = context.decide_inside(**term, &mut done);
        }
    }
}

/// Has one of these terms a choice between numbers or the like?
fn have_choices(t: &Terms, terms: impl IntoIterator<Item = Term>) -> bool {
    let is_choice = |x: Term| t.op(x) == Op::Ite && t.sort_of(x) != Sort::BOOL;
    t.post_order(terms).any(is_choice)
}

/// The conjuncts with atoms inside of choices decided: by the conjuncts that are literals without
/// choices, which stay as they are, and inside of a disjunct by such literals there as well.
/// `None` if the literals contradict each other.
fn decide_choices(t: &Terms, conjuncts: &[Term]) -> Option<Vec<Term>> {
    if !have_choices(t, conjuncts.iter().copied()) {
        return Some(conjuncts.to_vec());
    }
    let choices = conjuncts.iter().map(|&c| have_choices(t, [c]));
    let is_told = |&&(&c, has_choices): &&(&Term, bool)| !has_choices && is_literal(t, c);
    let all: Vec<(&Term, bool)> = conjuncts.iter().zip(choices).collect();
    let told: Vec<Term> = all.iter().filter(is_told).map(|&(&c, _)| c).collect();
    let context = ConstraintContext::of(t, &told)?;
    let mut done: TermMap<Term> = TermMap::default();
    let mut decided = Vec::with_capacity(conjuncts.len());
    for (&conjunct, has_choices) in all {
        match (has_choices, t.op(conjunct)) {
            (false, _) => decided.push(conjunct),
            (true, Op::Or) if t.args(conjunct).len() <= MOST_DISJUNCTS => {
                let disjuncts = t.args(conjunct).iter();
                let disjuncts = disjuncts.map(|&d| context.decide_in_disjunct(&told, d));
                decided.extend(t.conjuncts(t.or(disjuncts)));
            }
            (true, _) => {
                let simple = context.decide_inside(conjunct, &mut done);
                decided.extend(t.conjuncts(simple));
            }
        }
    }
    Some(decided)
}

/// The tightest bounds of a form, and whether they are strict.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) lower: Bound,
    pub(super) upper: Bound,
}

/// The bound that a literal in normal form puts on a form.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Lower,
    Upper,
    Both,
}

pub(super) struct BoundLiteral<'t> {
    pub(super) form: Term,
    side: Side,
    value: &'t Rational,
    strict: bool,
}

impl Bounds {
    /// Takes over a bound, if it is tighter.
    pub(super) fn add(&mut self, literal: &BoundLiteral<'_>) {
        let new = Some((literal.value.clone(), literal.strict));
        match literal.side {
            Side::Lower => self.restrict(new, None),
            Side::Upper => self.restrict(None, new),
            Side::Both => self.restrict(new.clone(), new),
        }
    }

    /// Takes over the bounds that are tighter.
    fn restrict(&mut self, lower: Bound, upper: Bound) {
        if let Some(new) = lower
            && self.lower.as_ref().is_none_or(|old| is_above(&new, old))
        {
            self.lower = Some(new);
        }
        if let Some(new) = upper
            && self.upper.as_ref().is_none_or(|old| is_below(&new, old))
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
    pub(super) fn point(&self) -> Option<&Rational> {
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

/// An upper or a lower bound of a sum without one of its terms, by the bounds of the terms.
fn extreme(sum: &LinearSum, upper: bool, of: &TermMap<Bounds>, without: Option<Term>) -> Bound {
    let mut extreme = (sum.constant.clone(), false);
    for (x, c) in sum.terms.iter().filter(|(x, _)| Some(*x) != without) {
        let bounds = of.get(x)?;
        let (bound, strict) = match c.is_positive() == upper {
            true => bounds.upper.as_ref()?,
            false => bounds.lower.as_ref()?,
        };
        extreme.0.add_mul(c, bound);
        extreme.1 |= strict;
    }
    Some(extreme)
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
pub(super) fn bound_literal(t: &Terms, literal: Term) -> Option<BoundLiteral<'_>> {
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
    /// Bounds of the terms of sums, those above among them, that follow from the bounds of sums.
    derived: OnceCell<TermMap<Bounds>>,
}

impl<'t> ConstraintContext<'t> {
    fn new(t: &'t Terms) -> Self {
        ConstraintContext {
            t,
            literals: TermSet::default(),
            bounds: TermMap::default(),
            derived: OnceCell::new(),
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

    /// As [`ConstraintContext::decide`], by the bounds of the terms of a sum as well.
    fn decide_by_terms(&self, atom: Term) -> Option<bool> {
        self.decide(atom).or_else(|| {
            let bound = bound_literal(self.t, atom)?;
            self.bounds_of_sum(bound.form).decide(&bound)
        })
    }

    /// The bounds of a sum that the bounds of its terms give it.
    fn bounds_of_sum(&self, form: Term) -> Bounds {
        if self.bounds.is_empty() {
            return Bounds::default();
        }
        let sum = self.t.linear_sum(form);
        let derived = self.derived.get_or_init(|| self.derived());
        let side = |upper| extreme(&sum, upper, derived, None);
        Bounds {
            lower: side(false),
            upper: side(true),
        }
    }

    /// The bounds of terms that the sums with bounds give them, in a few rounds.
    fn derived(&self) -> TermMap<Bounds> {
        let t = self.t;
        let sums = self.bounds.keys().map(|&form| (form, t.linear_sum(form)));
        let sums = sums.filter(|(_, sum)| (2..=MOST_TERMS).contains(&sum.terms.len()));
        let mut sums: Vec<(Term, LinearSum)> = sums.collect();
        sums.sort_unstable_by_key(|(form, _)| *form);
        let mut derived = self.bounds.clone();
        for _ in 0..PROPAGATIONS {
            for (form, sum) in &sums {
                let bounds = self.bounds[form].clone();
                for (x, c) in &sum.terms {
                    // c·x = form - rest
                    let side = |upper: bool| -> Bound {
                        let of_form = match upper {
                            true => bounds.upper.as_ref()?,
                            false => bounds.lower.as_ref()?,
                        };
                        let rest = extreme(sum, !upper, &derived, Some(*x))?;
                        Some((&of_form.0 - &rest.0, of_form.1 || rest.1))
                    };
                    let scaled = |bound: Bound| bound.map(|(b, strict)| (&b * &c.recip(), strict));
                    let (mut lower, mut upper) = (scaled(side(false)), scaled(side(true)));
                    if c.is_negative() {
                        std::mem::swap(&mut lower, &mut upper);
                    }
                    let own = derived.entry(*x).or_default();
                    own.restrict(lower, upper);
                }
            }
        }
        derived
    }

    /// A disjunct beside these literals, as [`decide_choices`] has it.
    fn decide_in_disjunct(&self, told: &[Term], disjunct: Term) -> Term {
        let t = self.t;
        if !have_choices(t, [disjunct]) {
            return disjunct;
        }
        let members = t.conjuncts(disjunct);
        let is_own = |&c: &Term| is_literal(t, c) && !have_choices(t, [c]);
        let (own, others): (Vec<Term>, Vec<Term>) = members.iter().partition(|c| is_own(c));
        let mut done: TermMap<Term> = TermMap::default();
        if own.is_empty() {
            return self.decide_inside(disjunct, &mut done);
        }
        match ConstraintContext::of(t, &[told, &own].concat()) {
            Some(context) => {
                let others = others.iter().map(|&c| context.decide_inside(c, &mut done));
                t.and(own.iter().copied().chain(others.collect::<Vec<_>>()))
            }
            None => Term::FALSE,
        }
    }

    /// A term with constants in place of the atoms inside of it that are decided.
    fn decide_inside(&self, root: Term, done: &mut TermMap<Term>) -> Term {
        let t = self.t;
        let mut stack = vec![(root, false)];
        while let Some((x, leave)) = stack.pop() {
            work::spend(1);
            if done.contains_key(&x) {
                continue;
            }
            if t.args(x).is_empty() || matches!(t.op(x), Op::Forall | Op::Exists) {
                done.insert(x, x);
            } else if leave {
                let args: Vec<Term> = t.args(x).iter().map(|a| done[a]).collect();
                let rebuilt = t.rebuild(x, &args);
                let is_atom = t.sort_of(x) == Sort::BOOL && !is_connective(t, rebuilt);
                let value = is_atom.then(|| self.decide_by_terms(normal(t, rebuilt)));
                let value = value.flatten();
                done.insert(x, value.map_or(rebuilt, |value| t.bool(value)));
            } else {
                stack.push((x, true));
                stack.extend(t.args(x).iter().map(|&a| (a, false)));
            }
        }
        done[&root]
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
        let normal = normal(t, atom);
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

/// The normal form of an atom.
fn normal(t: &Terms, atom: Term) -> Term {
    LinearLiteral::of_term(t, atom).map_or(atom, |literal| literal.to_term(t))
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
