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
use crate::work::milliseconds;

/// The ticks of the first round, where there is no limit.
const FIRST_ROUND: u64 = milliseconds(4_000);
/// Each other round has 4 times the ticks of the one before.
const GROWTH: u64 = 4;

/// Has the engines take turns in the system of a run, or what preprocessing made of it, in rounds;
/// `settle` has their answers taken back and judged.
///
/// Turns have shares of a budget in ticks. With a limit the budget is what the time that is left is
/// worth at the pace of the run so far: the first round has all of it, and another one what engines
/// that gave up have not used; shorter rounds before were measured, and do not pay. Without a limit
/// rounds grow, so that what one of the engines decides soon does not wait for ever. Engines start
/// anew in each round, with the invariants that were found before.
///
/// A certificate that is refused, or cannot be checked within its part of the budget, leaves the
/// turn to the next engine. What comes after the main turn is less likely to decide the system than
/// the check, which has all that is left then.
pub(super) fn relay(run: &Run<'_>, system: &System, settle: &Settle<'_>) -> Outcome {
    let limit = run.engine_limit();
    let turns = one_after_the_other(run.t, system);
    let mut findings = Findings::default();
    for n in 0.. {
        let mut round = Round::new(n);
        let mut goes_on = false;
        for (i, turn) in turns.iter().enumerate() {
            round.look(&limit);
            let own = round.budget(turn, &turns[i + 1..]);
            let before = limit.ticks();
            let found = run.find(&limit, findings.known(), &|context| {
                turn.run(system, &run.options.settings, context, Some(own))
            });
            // What goes beyond a turn's budget is not taken from the main turn alone.
            round.used += (limit.ticks() - before).min(own);
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
                    let before = limit.ticks();
                    if let Some(end) = findings.settled(settle(verdict, &check)) {
                        return end;
                    }
                    goes_on |= check.check().is_err();
                    round.all = round.all.saturating_sub(limit.ticks() - before);
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
    /// The ticks of all turns, those that are over included.
    all: u64,
    /// The ticks that turns have used.
    used: u64,
}

impl Round {
    /// The round of that number, the first being 0, where nothing is limited.
    fn new(number: u32) -> Self {
        Round {
            all: FIRST_ROUND.saturating_mul(GROWTH.saturating_pow(number)),
            used: 0,
        }
    }

    /// Takes into account what the limit leaves, where it limits anything.
    fn look(&mut self, limit: &Limit) {
        if let Some(left) = limit.expected_left() {
            self.all = self.used.saturating_add(left);
        }
    }

    /// The limit of a check that nothing of importance waits for: the run's, or where that has none
    /// the round's budget.
    fn rest(&self, limit: &Limit) -> Limit {
        match limit.deadline {
            Some(_) => limit.clone(),
            None => limit.part(self.all),
        }
    }

    /// The ticks of a turn that is followed by others: its part, or all that they do not need.
    fn budget(&self, turn: &Turn, others: &[Turn]) -> u64 {
        let rest = || {
            let others = others.iter().filter_map(|turn| turn.ticks(self.all));
            let left = self.all.saturating_sub(self.used);
            left.saturating_sub(others.sum())
        };
        turn.ticks(self.all).unwrap_or_else(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{SAFE, with_run, words};
    use super::*;
    use crate::chc::Unknown;
    use crate::gate::{Check, Judgement};
    use std::cell::Cell;

    /// What comes of a relay where the certificates of so many verdicts are not accepted, and how
    /// many verdicts there were.
    fn outcome(not_accepted: u32) -> (String, u32) {
        let settled = Cell::new(0);
        let settle = |found: Answer, limit: &Limit| {
            // There is none for the run, but no check may hold up the turns to come for ever.
            assert!(limit.ticks_left().is_some());
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
        let ticks: Vec<u64> = (0..4).map(|n| Round::new(n).all).collect();
        assert_eq!(ticks, [1, 4, 16, 64].map(|times| times * FIRST_ROUND));
        assert_eq!(Round::new(u32::MAX).all, u64::MAX);
        let mut limited = Round::new(0);
        limited.look(&Limit::none().part(1_000));
        assert_eq!(limited.all, 1_000);
    }

    #[test]
    fn the_main_turn_has_what_others_do_not_need() {
        with_run(SAFE, |run| {
            let turns = one_after_the_other(run.t, run.system);
            let main = turns.iter().position(Turn::is_main).expect("there is one");
            let mut round = Round::new(1);
            let budget = |round: &Round| round.budget(&turns[main], &turns[main + 1..]);
            let (before, used) = (budget(&round), round.all / 5);
            round.used += used;
            let after = budget(&round);
            assert_eq!(before - after, used);
            assert!(after > round.all * 2 / 5, "{after}");
            round.used += round.all;
            assert_eq!(budget(&round), 0);
        });
    }
}
