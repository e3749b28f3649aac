//! The turns of `auto` one after the other, in one thread.
//!
//! Without a time limit the turns are repeated in rounds that grow, as in \[LSZ93\]. DIVERGENCE:
//! the paper's universal sequence 1 1 2 1 1 2 4 … is within a logarithmic factor of the best
//! restart strategy for one randomised algorithm. Engines here are deterministic, so a repeated
//! short round would find nothing new. Rounds therefore grow by a constant factor.

use super::findings::Findings;
use super::outcome::{Outcome, Settle};
use super::run::Run;
use super::turns::{Turn, one_after_the_other};
use crate::chc::{Answer, System, UnknownReason};
use crate::smt::Limit;
use std::time::{Duration, Instant};

/// Without a limit there are rounds, the first of which takes so long,
const FIRST_ROUND: Duration = Duration::from_secs(4);
/// and each other so many times as long as the one before.
const GROWTH: u32 = 4;

/// Has the engines take turns in the system of a run, or what preprocessing made of it, in rounds; `settle` has their answers taken back
/// and judged.
///
/// With a limit the first round has all the time that is left, and another one what engines that gave up have not used; shorter rounds
/// before were measured, and do not pay. Without a limit rounds grow, so that what one of the engines decides soon does not wait for
/// ever. Engines start anew in each round, with the
/// invariants that were found before.
///
/// A certificate that is refused, or cannot be checked in its part of the time, leaves the turn to the next engine. What
/// comes after the main turn is less likely to decide the system than the check, which has all that is left then.
pub(super) fn relay(run: &Run<'_>, system: &System, settle: &Settle<'_>) -> Outcome {
    let limit = run.engine_limit();
    let turns = one_after_the_other(run.t, system);
    let mut findings = Findings::default();
    for n in 0.. {
        let mut round = Round::new(n, limit.remaining());
        let mut goes_on = false;
        for (i, turn) in turns.iter().enumerate() {
            let own = round.time(turn, &turns[i + 1..]);
            let started = Instant::now();
            let found = run.find(&limit, findings.known(), &|context| {
                turn.run(system, &run.options.settings, context, Some(own))
            });
            // What goes beyond a turn's time is not taken from the main turn alone.
            round.used += started.elapsed().min(own);
            match found {
                Answer::Unknown(unknown) => {
                    log::info!("{turn}: {}", unknown.reason);
                    goes_on |= unknown.reason == UnknownReason::Timeout;
                    findings.note(unknown);
                }
                verdict => {
                    log::info!("{turn}: {}", verdict.verdict());
                    let check = match turns[i + 1..].iter().any(Turn::is_main) {
                        true => run.check_limit(round.all),
                        false => round.rest(&run.limit),
                    };
                    let started = Instant::now();
                    if let Some(end) = findings.settled(settle(verdict, &check)) {
                        return end;
                    }
                    goes_on |= check.check().is_err();
                    round.all = round.all.saturating_sub(started.elapsed());
                }
            }
            if limit.check().is_err() {
                return findings.result();
            }
        }
        // Engines that gave up of their own accord would do so again.
        if !goes_on {
            break;
        }
    }
    findings.result()
}

/// A round of turns.
struct Round {
    /// The time that all turns have, those that are over included,
    all: Duration,
    /// and what these have used of it.
    used: Duration,
}

impl Round {
    /// The round of that number, the first being 0, where so much time is left for all.
    fn new(number: u32, left: Option<Duration>) -> Self {
        let unlimited = || FIRST_ROUND.saturating_mul(GROWTH.saturating_pow(number));
        Round {
            all: left.unwrap_or_else(unlimited),
            used: Duration::ZERO,
        }
    }

    /// The limit of a check that nothing of importance waits for: the run's, or where that has none the round's time.
    fn rest(&self, limit: &Limit) -> Limit {
        match limit.remaining() {
            Some(_) => limit.clone(),
            None => limit.within(self.all),
        }
    }

    /// The time of a turn that is followed by others: its part, or all that they do not need.
    fn time(&self, turn: &Turn, others: &[Turn]) -> Duration {
        let rest = || {
            let others = others.iter().filter_map(|turn| turn.time(self.all));
            let left = self.all.saturating_sub(self.used);
            left.saturating_sub(others.sum())
        };
        turn.time(self.all).unwrap_or_else(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{SAFE, with_run, words};
    use super::*;
    use crate::chc::Unknown;
    use crate::gate::{Check, Judgement};
    use std::cell::Cell;

    /// What comes of a relay where the certificates of so many verdicts are not accepted, and how many verdicts there were.
    fn outcome(not_accepted: u32) -> (String, u32) {
        let settled = Cell::new(0);
        let settle = |found: Answer, limit: &Limit| {
            // There is none for the run, but no check may hold up the turns to come for ever.
            assert!(limit.remaining().is_some());
            settled.set(settled.get() + 1);
            Outcome::Judged(match settled.get() > not_accepted {
                true => Judgement::of(found, Check::Accepted),
                false => {
                    let unknown = Unknown::new(UnknownReason::CertificateNotChecked);
                    let why = Check::NotDecided("no time".to_owned());
                    Judgement::of(Answer::Unknown(unknown), why)
                }
            })
        };
        let text = with_run(SAFE, |run| words(&relay(run, run.system, &settle)));
        (text, settled.get())
    }

    #[test]
    fn a_certificate_that_is_not_accepted_leaves_it_to_the_next() {
        assert_eq!(outcome(0), ("sat".to_owned(), 1));
        assert_eq!(outcome(1), ("sat".to_owned(), 2));
        let (text, settled) = outcome(u32::MAX);
        assert_eq!(text, UnknownReason::CertificateNotChecked.to_string());
        assert!(settled > 2, "{settled}");
    }

    #[test]
    fn rounds_grow_without_a_limit() {
        let all = Duration::from_secs(20);
        assert_eq!(Round::new(0, Some(all)).all, all);
        let unlimited: Vec<u64> = (0..4).map(|n| Round::new(n, None).all.as_secs()).collect();
        assert_eq!(unlimited, [4, 16, 64, 256]);
        assert!(Round::new(u32::MAX, None).all > Duration::from_secs(1 << 31));
    }

    #[test]
    fn the_main_turn_has_what_others_do_not_need() {
        with_run(SAFE, |run| {
            let turns = one_after_the_other(run.t, run.system);
            let main = turns.iter().position(Turn::is_main).expect("there is one");
            let mut round = Round::new(0, Some(Duration::from_secs(10)));
            let before = round.time(&turns[main], &turns[main + 1..]);
            round.used += Duration::from_secs(2);
            let after = round.time(&turns[main], &turns[main + 1..]);
            assert_eq!(before - after, Duration::from_secs(2));
            assert!(after > Duration::from_secs(4), "{after:?}");
            round.used += Duration::from_secs(10);
            assert_eq!(round.time(&turns[main], &turns[main + 1..]), Duration::ZERO);
        });
    }
}
