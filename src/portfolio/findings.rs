//! The findings of turns about one system, one after the other or at the same time, until one of
//! them decides it.

use super::outcome::{SearchOutcome, merge_unknown};
use crate::chc::{Answer, Model, Unknown, UnknownReason};
use crate::gate::{Check, Judgement};
use crate::transform::Pass;

/// One engine answers `sat`, another `unsat`, and both certificates were accepted: a fault of this
/// program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("one engine answers sat, another unsat")]
pub struct Contradiction;

impl From<Contradiction> for Answer {
    fn from(contradiction: Contradiction) -> Self {
        Answer::Unknown(Unknown::new(UnknownReason::Fault(
            contradiction.to_string(),
        )))
    }
}

/// The findings so far, none of which is an answer that may be given.
#[derive(Default)]
pub(super) struct Findings {
    /// The merged results of the turns without a verdict.
    open: Option<Unknown>,
    /// The first verdict whose certificate was not accepted.
    not_accepted: Option<Judgement>,
    /// The first pass that could not take a certificate back.
    culprit: Option<Pass>,
}

impl Findings {
    /// The merged results of the turns without a verdict, if there are any.
    pub(super) fn open(&self) -> Option<&Unknown> {
        self.open.as_ref()
    }

    /// Adds a turn that ended without a verdict.
    pub(super) fn note(&mut self, unknown: Unknown) {
        self.open = Some(match self.open.take() {
            None => unknown,
            Some(before) => merge_unknown(before, unknown),
        });
    }

    /// Adds a turn that ended without a verdict because the search was given up. Its reason is not
    /// the reason of the whole search.
    pub(super) fn note_given_up(&mut self, unknown: Unknown) {
        self.open = Some(match self.open.take() {
            None => unknown,
            Some(before) => merge_unknown(unknown, before),
        });
    }

    /// Adds the outcome of a verdict, and returns it if it ends the search. A certificate that was
    /// not accepted, or that a pass cannot take back, does not end it: another engine may have a
    /// better one.
    pub(super) fn settled(&mut self, outcome: SearchOutcome) -> Option<SearchOutcome> {
        let judged = match outcome {
            SearchOutcome::Open(unknown) => {
                self.note(unknown);
                return None;
            }
            SearchOutcome::Judged(judged) => judged,
            SearchOutcome::Without(pass) => {
                log::info!("the pass {pass} cannot take the certificate back");
                self.culprit.get_or_insert(pass);
                return None;
            }
        };
        let Answer::Unknown(unknown) = &judged.answer else {
            return Some(SearchOutcome::Judged(judged));
        };
        let level = match judged.check {
            Check::Refused(_) => log::Level::Warn,
            _ => log::Level::Info,
        };
        log::log!(level, "{}; other engines are asked", unknown.reason);
        self.not_accepted.get_or_insert(judged);
        None
    }

    /// A pass that could not take a certificate back, if there is one.
    pub(super) fn culprit(&self) -> Option<Pass> {
        self.culprit
    }

    /// The outcome of a search that no turn ended, with the invariants that are known. A pass that
    /// could not take a certificate back counts most, since the system without it may have an
    /// answer; a certificate that was not accepted counts more than no verdict.
    ///
    /// # Panics
    /// If there was no turn.
    pub(super) fn result(self, invariants: Option<Model>) -> SearchOutcome {
        if let Some(pass) = self.culprit {
            return SearchOutcome::Without(pass);
        }
        match (self.not_accepted, self.open) {
            (Some(judged), _) => SearchOutcome::Judged(judged),
            (None, open) => SearchOutcome::Open(Unknown {
                invariants,
                ..open.expect("a turn has ended, or could not begin")
            }),
        }
    }
}

// What the public interface gives is the end of a search, not what is kept on the way.
#[cfg(test)]
mod tests {
    use super::super::fixture::words;
    use super::*;
    use crate::chc::Refutation;

    fn unknown(reason: UnknownReason, depth: u32) -> Unknown {
        Unknown {
            safe_depth: Some(depth),
            ..Unknown::new(reason)
        }
    }

    fn not_accepted(reason: UnknownReason) -> SearchOutcome {
        let answer = Answer::Unknown(Unknown::new(reason));
        let found = Box::new(Answer::Sat(Model::default()));
        SearchOutcome::Judged(Judgement::of(answer, Check::Refused(found)))
    }

    #[test]
    fn what_turns_find_is_put_together() {
        let mut findings = Findings::default();
        findings.note(unknown(UnknownReason::Timeout, 3));
        findings.note(unknown(UnknownReason::Memory, 2));
        findings.note_given_up(unknown(UnknownReason::Interrupted, 4));
        let SearchOutcome::Open(all) = findings.result(Some(Model::default())) else {
            panic!("there was no verdict");
        };
        assert_eq!(
            (all.reason, all.safe_depth),
            (UnknownReason::Memory, Some(4))
        );
        assert!(all.invariants.is_some());
    }

    #[test]
    fn a_certificate_that_is_not_accepted_ends_nothing() {
        let refused = |why: &str| UnknownReason::CertificateRefused(why.to_owned());
        let mut findings = Findings::default();
        assert!(findings.settled(not_accepted(refused("a"))).is_none());
        findings.note(unknown(UnknownReason::Timeout, 3));
        assert!(findings.settled(not_accepted(refused("b"))).is_none());
        let right = Answer::Unsat(Refutation::default());
        let right = SearchOutcome::Judged(Judgement::of(right, Check::Accepted));
        let end = findings.settled(right).expect("it was accepted");
        assert_eq!(words(&end), "unsat");
        assert_eq!(words(&findings.result(None)), "certificate refused: a");
    }
}
