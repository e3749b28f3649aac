//! Conjuncts of interpretations with universal quantifiers, and their instances at the terms of a
//! clause.

use crate::term::{Op, Term, TermSet, Terms};

/// Has a conjunct of an interpretation a quantifier in front?
pub(super) fn is_general(t: &Terms, conjunct: Term) -> bool {
    !t.split_forall(conjunct).0.is_empty()
}

/// A conjunct with fresh constants for its quantified variables. If it holds for arbitrary values
/// it holds for all.
pub(super) fn for_any(t: &Terms, conjunct: Term) -> Term {
    let (bound, matrix) = t.split_forall(conjunct);
    let fresh = bound.iter().map(|&var| {
        let name = t.name(t.as_var(var).expect("what is bound is a variable"));
        (var, t.fresh_var(name, t.sort_of(var)))
    });
    t.substitute(matrix, fresh)
}

/// A quantified premise is instantiated with at most 1000 tuples of terms. The value was not tuned.
const MOST: usize = 1000;

/// Instances of quantified premises at the indices at which the other premises and the denied
/// conclusion read and write arrays.
pub(super) fn instances(t: &Terms, general: &[Term], premises: &[Term], denied: Term) -> Vec<Term> {
    let mut indices: Vec<Term> = Vec::new();
    let mut seen = TermSet::default();
    for part in t.post_order(premises.iter().copied().chain([denied])) {
        if let (Op::Select | Op::Store, &[_, index, ..]) = (t.op(part), t.args(part))
            && seen.insert(index)
        {
            indices.push(index);
        }
    }
    let of_premise = |&premise: &Term| -> Vec<Term> {
        let (bound, matrix) = t.split_forall(premise);
        let mut tuples: Vec<Vec<(Term, Term)>> = vec![Vec::new()];
        for &var in bound {
            let fitting = |index: &&Term| t.sort_of(**index) == t.sort_of(var);
            let fitting: Vec<Term> = indices.iter().filter(fitting).copied().collect();
            let longer = tuples.iter().flat_map(|tuple| {
                let longer = |&index| [&tuple[..], &[(var, index)]].concat();
                fitting.iter().map(longer)
            });
            tuples = longer.take(MOST).collect();
        }
        let instance = |tuple| t.substitute(matrix, tuple);
        tuples.into_iter().map(instance).collect()
    };
    general.iter().flat_map(of_premise).collect()
}
