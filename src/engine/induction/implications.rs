//! Conjectures that are implications between properties: functions with truth values, or with a
//! datatype of constants in the place of them.
//!
//! ```text
//! p(x, y) ⟹ q(x, f(y, z))          a property of variables implies one of a larger term
//! p(x, y) ∧ q(y, z) ⟹ r(x, z)      two properties of variables imply a third one
//! ```
//!
//! Transitivity and monotonicity have these forms, and so has what a loop over a list keeps.

use super::conjectures::Conjectures;
use crate::term::{Sort, Term, Terms};

/// A premise must be true in this many tests. The value was not tuned.
const TRUE: usize = 3;
/// At most 400 implications are conjectured. The value was not tuned.
const MOST: usize = 400;
/// At most 60 properties of variables are premises of implications with two. The value was not
/// tuned.
const PROPERTIES: usize = 60;

/// What a term with few values says if it has one of them.
struct Property {
    formula: Term,
    size: usize,
    /// In which tests it holds.
    holds: Vec<bool>,
}

impl Property {
    /// Does it imply another one in the tests?
    fn implies(&self, other: &Property) -> bool {
        let mut both = self.holds.iter().zip(&other.holds);
        both.all(|(one, other)| !one || *other)
    }

    fn is_rarely_true(&self) -> bool {
        self.holds.iter().filter(|&&holds| holds).count() < TRUE
    }

    /// Is nothing known of the property without a premise?
    fn is_open(&self) -> bool {
        self.holds.contains(&false)
    }
}

/// Implications between the properties that were compared so far, that hold in tests.
pub(super) fn implications(conjectures: &mut Conjectures<'_>) -> Vec<Term> {
    let t = conjectures.t;
    let all = properties(conjectures);
    let (small, larger): (Vec<&Property>, Vec<&Property>) =
        all.iter().partition(|property| property.size <= 1);
    let mut found: Vec<Term> = Vec::new();
    let mut consider = |premises: &[&Property], conclusion: &Property| {
        if found.len() < MOST && is_connected(t, premises, conclusion) {
            let premises = t.and(premises.iter().map(|premise| premise.formula));
            let formula = t.implies(premises, conclusion.formula);
            if !found.contains(&formula) && conjectures.ground.passes(formula, 0) == Some(true) {
                found.push(formula);
            }
        }
    };
    for premise in small.iter().filter(|premise| !premise.is_rarely_true()) {
        for conclusion in small.iter().chain(&larger) {
            if conclusion.is_open() && premise.implies(conclusion) {
                consider(&[premise], conclusion);
            }
        }
    }
    let few = &small[..small.len().min(PROPERTIES)];
    for (at, one) in few.iter().enumerate() {
        for other in &few[at + 1..] {
            let both = Property {
                formula: Term::TRUE,
                size: 1,
                holds: (one.holds.iter().zip(&other.holds))
                    .map(|(one, other)| *one && *other)
                    .collect(),
            };
            for conclusion in few {
                let is_new = !one.implies(conclusion) && !other.implies(conclusion);
                if !both.is_rarely_true() && is_new && both.implies(conclusion) {
                    consider(&[one, other], conclusion);
                }
            }
        }
    }
    found
}

/// The terms of few values, each with each value.
fn properties(conjectures: &Conjectures<'_>) -> Vec<Property> {
    let t = conjectures.t;
    let mut found = Vec::new();
    for (term, size, values) in &conjectures.terms {
        let constants = constants(t, t.sort_of(*term));
        // A term without arguments says nothing.
        if t.args(*term).is_empty() {
            continue;
        }
        found.extend(constants.into_iter().map(|constant| Property {
            formula: t.eq(*term, constant),
            size: *size,
            holds: values.iter().map(|&value| value == constant).collect(),
        }));
    }
    found
}

/// The values of a sort that stands for truth values: two constants.
fn constants(t: &Terms, sort: Sort) -> Vec<Term> {
    if sort == Sort::BOOL {
        return vec![Term::TRUE, Term::FALSE];
    }
    let datatype = t.datatype_of(sort).map(|datatype| t.datatype(datatype));
    let ctors = datatype.map_or(&[][..], |datatype| datatype.ctors());
    match ctors.len() == 2 && ctors.iter().all(|&ctor| t.ctor(ctor).fields.is_empty()) {
        true => ctors.iter().map(|&ctor| t.construct(ctor, &[])).collect(),
        false => Vec::new(),
    }
}

/// Has each premise a variable of the conclusion, or two premises one of each other, and has the
/// conclusion no more than one variable that no premise has?
fn is_connected(t: &Terms, premises: &[&Property], conclusion: &Property) -> bool {
    let of = |property: &Property| t.vars([property.formula]);
    let known = of(conclusion);
    let given: Vec<Term> = premises.iter().flat_map(|premise| of(premise)).collect();
    let own = known.iter().filter(|var| !given.contains(var)).count();
    let shares = |premise: &&Property| of(premise).iter().any(|var| known.contains(var));
    own <= 1 && premises.iter().all(shares)
}
