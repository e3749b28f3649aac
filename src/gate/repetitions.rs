//! Refutations in which each fact is derived once.
//!
//! A refutation that an engine unrolls, or that a pass takes back, may derive a fact anew for each
//! of its uses. Hanoi's towers of height 5 make 64 facts of 7 different ones.

use crate::certify::Conclusion;
use crate::chc::{FactId, PredId, Refutation, System};
use crate::term::Value;
use hashbrown::HashMap;

/// The refutation with the first of several facts that say the same in place of the others, and
/// without what the last fact does not rest on then.
///
/// `conclusions` are those of the refutation's facts. What is a refutation stays one: each premise
/// is replaced by an earlier fact with the same conclusion.
pub(super) fn without_repetitions(
    system: &System,
    refutation: Refutation,
    conclusions: &[Conclusion],
) -> Refutation {
    let first = first_of_each(system, &refutation, conclusions);
    if first.iter().enumerate().all(|(at, id)| id.index() == at) {
        return refutation;
    }
    let mut is_used = vec![false; refutation.facts.len()];
    is_used[refutation.facts.len() - 1] = true;
    for (at, fact) in refutation.facts.iter().enumerate().rev() {
        if is_used[at] {
            for premise in &fact.premises {
                is_used[first[premise.index()].index()] = true;
            }
        }
    }
    let mut kept = Refutation::default();
    let mut place = vec![FactId(0); first.len()];
    for (at, mut fact) in refutation.facts.into_iter().enumerate() {
        if is_used[at] {
            for premise in &mut fact.premises {
                *premise = place[first[premise.index()].index()];
            }
            place[at] = id(kept.facts.len());
            kept.facts.push(fact);
        }
    }
    kept
}

/// For each fact the first one with its conclusion.
fn first_of_each(
    system: &System,
    refutation: &Refutation,
    conclusions: &[Conclusion],
) -> Vec<FactId> {
    let mut known: HashMap<(PredId, &[Value]), FactId> = HashMap::new();
    let facts = refutation.facts.iter().zip(conclusions).enumerate();
    let first = facts.map(|(at, (fact, conclusion))| {
        let head = system.clause(fact.clause).head.as_ref();
        match (head, conclusion) {
            (Some(head), Some(arguments)) => *known.entry((head.pred, arguments)).or_insert(id(at)),
            _ => id(at),
        }
    });
    first.collect()
}

fn id(at: usize) -> FactId {
    FactId(u32::try_from(at).expect("fewer than 2^32 facts"))
}
