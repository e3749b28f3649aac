//! The outcomes of searches, and the merging of two of them.

use crate::chc::{Answer, Unknown, UnknownReason};
use crate::gate::Judgement;
use crate::smt::Limit;
use crate::transform::Pass;

/// The outcome of a search in a preprocessed system.
pub(super) enum SearchOutcome {
    /// An answer about the original system, with its judgement.
    Judged(Judgement),
    /// No answer.
    Open(Unknown),
    /// An answer that this pass could not take back.
    Without(Pass),
}

/// Takes an engine's answer about a preprocessed system back and judges it, within the limit.
pub(super) type Settle<'a> = dyn Fn(Answer, &Limit) -> SearchOutcome + 'a;

/// Does an engine with this reason stop by itself? Then the reason may lie in the system.
pub(super) fn is_own(reason: &UnknownReason) -> bool {
    matches!(
        reason,
        UnknownReason::Incomplete(_) | UnknownReason::Unsupported(_) | UnknownReason::Solver(_)
    )
}

/// Merges two searches without a verdict.
///
/// The result has the later reason, unless only the earlier one is a fault, which must not be
/// hidden; the greater safe depth; and the later invariants if there are any.
pub(super) fn merge_unknown(first: Unknown, second: Unknown) -> Unknown {
    let hides = first.reason.is_fault() && !second.reason.is_fault();
    Unknown {
        safe_depth: first.safe_depth.max(second.safe_depth),
        invariants: second.invariants.or(first.invariants),
        reason: if hides { first.reason } else { second.reason },
    }
}

// `tests/it/portfolio.rs` sees one order of a fault and a reason; here are all.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_not_hidden() {
        let fault = |text: &str| UnknownReason::Fault(text.to_owned());
        let (time, memory) = (UnknownReason::Timeout, UnknownReason::Memory);
        for (first, second, expected) in [
            (&time, &memory, &memory),
            (&fault("a"), &time, &fault("a")),
            (&time, &fault("a"), &fault("a")),
            (&fault("a"), &fault("b"), &fault("b")),
        ] {
            let [first, second] = [first, second].map(|reason| Unknown::new(reason.clone()));
            assert_eq!(merge_unknown(first, second).reason, *expected);
        }
    }
}
