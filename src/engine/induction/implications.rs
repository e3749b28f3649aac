//! Conjectures that are implications between properties: functions with truth values, or with a
//! datatype of constants in the place of them.
//!
//! ```text
//! p(x, y) ⟹ q(x, f(y, z))          a property of variables implies one of a larger term
//! p(x, y) ⟹ f(x, y) = y            terms are equal where a property holds
//! p(x, y) ∧ q(y, z) ⟹ r(x, z)      two properties of variables imply a third one
//! ```
//!
//! Transitivity and monotonicity have these forms, and so has what a loop over a list keeps.

use super::conjectures::{Conjectures, guarded};
use super::templates::truths;
use crate::term::{Sort, Term, Terms};
use rustc_hash::FxHashMap;

/// A premise must be true in this many tests. The value was not tuned.
const TRUE: usize = 3;
/// At most 400 implications are conjectured. The value was not tuned.
const MOST: usize = 400;
/// At most 60 equations are conjectured to hold where a property holds. The value was not tuned.
const EQUATIONS: usize = 60;
/// At most 60 properties of variables are premises of implications with two. The value was not
/// tuned.
const PROPERTIES: usize = 60;

/// That a term over variables has a truth value.
struct Property {
    formula: Term,
    size: usize,
    holds: InTests,
}

/// In which tests something holds.
#[derive(Clone)]
struct InTests(Vec<bool>);

impl InTests {
    fn imply(&self, other: &InTests) -> bool {
        let mut pairs = self.0.iter().zip(&other.0);
        pairs.all(|(one, other)| !one || *other)
    }

    fn and(&self, other: &InTests) -> InTests {
        let pairs = self.0.iter().zip(&other.0);
        InTests(pairs.map(|(one, other)| *one && *other).collect())
    }

    fn are_few(&self) -> bool {
        self.0.iter().filter(|&&holds| holds).count() < TRUE
    }

    fn are_all(&self) -> bool {
        self.0.iter().all(|&holds| holds)
    }
}

/// Implications between the properties of the terms that were compared so far. They hold in tests.
pub(super) fn implications(conjectures: &mut Conjectures<'_>) -> Vec<Term> {
    let t = conjectures.t;
    let all = properties(conjectures);
    let (small, larger): (Vec<&Property>, Vec<&Property>) =
        all.iter().partition(|property| property.size <= 1);
    let mut found: Vec<Term> = Vec::new();
    let mut consider = |premises: &[&Property], conclusion: &Property| {
        let goes_on = found.len() < MOST && !conjectures.is_over();
        if goes_on && is_connected(t, premises, conclusion) {
            let premises = t.and(premises.iter().map(|premise| premise.formula));
            let formula = t.implies(premises, conclusion.formula);
            if !found.contains(&formula) && conjectures.ground.passes(formula, 0) == Some(true) {
                found.push(formula);
            }
        }
    };
    for premise in small.iter().filter(|premise| !premise.holds.are_few()) {
        for conclusion in small.iter().chain(&larger) {
            if !conclusion.holds.are_all() && premise.holds.imply(&conclusion.holds) {
                consider(&[premise], conclusion);
            }
        }
    }
    let few = &small[..small.len().min(PROPERTIES)];
    for (at, one) in few.iter().enumerate() {
        for other in &few[at + 1..] {
            let both = one.holds.and(&other.holds);
            for conclusion in few.iter().filter(|_| !both.are_few()) {
                let premises = [one, other];
                let alone = premises.map(|premise| premise.holds.imply(&conclusion.holds));
                if alone == [false; 2] && both.imply(&conclusion.holds) {
                    consider(&premises.map(|&premise| premise), conclusion);
                }
            }
        }
    }
    found.extend(conditional_equations(conjectures, &all));
    found
}

/// Equations between terms that have equal values in the tests in which a property of variables
/// holds, as `max(x, y) = y` where `x ≤ y`.
fn conditional_equations(conjectures: &mut Conjectures<'_>, all: &[Property]) -> Vec<Term> {
    let t = conjectures.t;
    let mut found: Vec<Term> = Vec::new();
    let is_value = |term: Term| truths(t, t.sort_of(term)).is_empty();
    let terms = conjectures.terms.iter();
    let terms = terms.filter(|(term, size, _)| *size <= 1 && is_value(*term));
    let terms = terms.map(|(term, _, values)| (*term, t.vars([*term]), values.clone()));
    let terms: Vec<(Term, Vec<Term>, Vec<Term>)> = terms.collect();
    let premises = all.iter().filter(|premise| premise.size <= 1);
    for premise in premises.filter(|premise| !premise.holds.are_few()) {
        let given = t.vars([premise.formula]);
        let is_about = |vars: &[Term]| !vars.is_empty() && vars.iter().all(|v| given.contains(v));
        let mut known: FxHashMap<(Sort, Vec<Term>), Term> = FxHashMap::default();
        for (term, _, values) in terms.iter().filter(|(_, vars, _)| is_about(vars)) {
            if found.len() >= EQUATIONS || conjectures.is_over() {
                return found;
            }
            let tests = values.iter().zip(&premise.holds.0);
            let values = tests.filter(|(_, holds)| **holds);
            let values: Vec<Term> = values.map(|(&value, _)| value).collect();
            let sort = t.sort_of(*term);
            let equal = *known.entry((sort, values)).or_insert(*term);
            let formula = t.implies(premise.formula, t.eq(*term, equal));
            if equal != *term && conjectures.ground.passes(formula, 0) == Some(true) {
                found.push(guarded(t, formula));
            }
        }
    }
    found
}

/// That the terms that were compared have truth values: two for each such term.
fn properties(conjectures: &Conjectures<'_>) -> Vec<Property> {
    let t = conjectures.t;
    let mut found = Vec::new();
    for (term, size, values) in &conjectures.terms {
        // Nothing holds of a variable or a constant.
        let truths = truths(t, t.sort_of(*term)).into_iter().next();
        let Some((yes, no)) = truths.filter(|_| !t.args(*term).is_empty()) else {
            continue;
        };
        found.extend([yes, no].map(|truth| Property {
            formula: t.eq(*term, truth),
            size: *size,
            holds: InTests(values.iter().map(|&value| value == truth).collect()),
        }));
    }
    found
}

/// Has each premise a variable of the conclusion, and the conclusion at most one variable that no
/// premise has?
fn is_connected(t: &Terms, premises: &[&Property], conclusion: &Property) -> bool {
    let of = |property: &Property| t.vars([property.formula]);
    let known = of(conclusion);
    let given: Vec<Term> = premises.iter().flat_map(|premise| of(premise)).collect();
    let own = known.iter().filter(|var| !given.contains(var)).count();
    let shares = |premise: &&Property| of(premise).iter().any(|var| known.contains(var));
    own <= 1 && premises.iter().all(shares)
}
