//! What comes of a search, and how two of them come to one.

use crate::chc::{Answer, Unknown, UnknownReason};
use crate::gate::Judgement;
use crate::smt::Limit;
use crate::transform::Pass;

/// What came of the search for an answer about a system that was preprocessed.
pub(super) enum Outcome {
    /// An answer about the original, and what was said of it.
    Judged(Judgement),
    /// No answer.
    Open(Unknown),
    /// An answer that this pass could not take back.
    Without(Pass),
}

/// What becomes of an engine's answer about a preprocessed system, within that limit.
pub(super) type Settle<'a> = dyn Fn(Answer, &Limit) -> Outcome + 'a;

/// Is this a reason for which an engine stops by itself, and which may be the system's?
pub(super) fn is_own(reason: &UnknownReason) -> bool {
    matches!(
        reason,
        UnknownReason::Incomplete(_) | UnknownReason::Unsupported(_) | UnknownReason::Solver(_)
    )
}

/// What is known from two searches without a verdict: the later reason, unless only the earlier is a fault, which must not be
/// hidden; the greater safe depth; the later invariants, if there are any: an engine that is told what is known answers no less.
pub(super) fn merge_unknown(first: Unknown, second: Unknown) -> Unknown {
    let hides = first.reason.is_fault() && !second.reason.is_fault();
    Unknown {
        safe_depth: first.safe_depth.max(second.safe_depth),
        invariants: second.invariants.or(first.invariants),
        reason: if hides { first.reason } else { second.reason },
    }
}

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
