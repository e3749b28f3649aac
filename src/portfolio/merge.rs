//! Merging of what several engines say about one system.

use crate::chc::{Answer, Unknown, UnknownReason};

/// One engine says `sat`, another `unsat`, and both certificates were accepted: something is badly wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("one engine answers sat, another unsat")]
pub struct Contradiction;

/// What is known from two answers about one system: a verdict if there is one; otherwise the greater safe depth, the later
/// invariants, and the later reason, unless only the earlier one is a fault.
///
/// # Errors
/// The answers contradict each other.
pub fn merge(first: Answer, second: Answer) -> Result<Answer, Contradiction> {
    match (first, second) {
        (Answer::Sat(_), Answer::Unsat(_)) | (Answer::Unsat(_), Answer::Sat(_)) => {
            Err(Contradiction)
        }
        (Answer::Unknown(first), Answer::Unknown(second)) => {
            Ok(Answer::Unknown(merge_unknown(first, second)))
        }
        (Answer::Unknown(_), verdict) | (verdict, _) => Ok(verdict),
    }
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

impl From<Contradiction> for Answer {
    fn from(contradiction: Contradiction) -> Self {
        Answer::Unknown(Unknown::new(UnknownReason::Fault(
            contradiction.to_string(),
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chc::{Model, Refutation};

    fn unknown(depth: Option<u32>, reason: UnknownReason) -> Answer {
        Answer::Unknown(Unknown {
            reason,
            safe_depth: depth,
            invariants: None,
        })
    }

    #[test]
    fn contradictions_are_refused() {
        let sat = || Answer::Sat(Model::default());
        let unsat = || Answer::Unsat(Refutation::default());
        let open = |depth| unknown(depth, UnknownReason::Timeout);
        let merged = |first, second| match merge(first, second) {
            Ok(Answer::Unknown(unknown)) => format!("unknown {:?}", unknown.safe_depth),
            Ok(answer) => answer.verdict().to_owned(),
            Err(error) => error.to_string(),
        };
        let contradiction = Contradiction.to_string();
        assert_eq!(merged(sat(), unsat()), contradiction);
        assert_eq!(merged(unsat(), sat()), contradiction);
        assert_eq!(merged(sat(), sat()), "sat");
        assert_eq!(merged(open(None), unsat()), "unsat");
        assert_eq!(merged(sat(), open(Some(3))), "sat");
        assert_eq!(merged(open(Some(3)), open(Some(2))), "unknown Some(3)");
        assert_eq!(merged(open(None), open(Some(0))), "unknown Some(0)");
    }

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
