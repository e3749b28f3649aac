//! Conjuncts of interpretations with universal quantifiers.

use crate::term::{Term, Terms};

/// Has a conjunct of an interpretation a quantifier in front?
pub(super) fn is_general(t: &Terms, conjunct: Term) -> bool {
    !t.split_forall(conjunct).0.is_empty()
}

/// Fresh constants for the quantified variables of a conjunct, and the formula over them. If it
/// holds for arbitrary values of the constants, the conjunct holds.
pub(super) fn opened(t: &Terms, conjunct: Term) -> (Vec<Term>, Term) {
    let (bound, matrix) = t.split_forall(conjunct);
    let fresh = bound.iter().map(|&var| {
        let name = t.name(t.as_var(var).expect("what is bound is a variable"));
        t.fresh_var(name, t.sort_of(var))
    });
    let fresh: Vec<Term> = fresh.collect();
    let renamed = bound.iter().copied().zip(fresh.iter().copied());
    let matrix = t.substitute(matrix, renamed);
    (fresh, matrix)
}
