//! The turns of `auto` one after the other, in one thread.
//!
//! Without a time limit the turns are repeated in rounds that grow, as in \[LSZ93\]. DIVERGENCE:
//! the paper's universal sequence 1 1 2 1 1 2 4 … is within a logarithmic factor of the best
//! restart strategy for one randomised algorithm. Engines here are deterministic, so a repeated
//! short round would find nothing new. Rounds therefore grow by a constant factor.

use super::findings::Findings;
use super::outcome::{SearchOutcome, Settle};
use super::run::SearchRun;
use super::turns::{Turn, one_after_the_other};
use crate::chc::{Answer, System, UnknownReason};
use crate::engine::blackboard::Blackboard;
use crate::smt::Limit;
use crate::work::milliseconds;

/// The ticks of the first round, where there is no limit. The value was not tuned.
const FIRST_ROUND: u64 = milliseconds(4_000);
/// Each other round has 4 times the ticks of the one before. The value was not tuned; \[LSZ93\]
/// says why rounds grow.
const GROWTH: u64 = 4;

/// Runs the engines in turns, in rounds, in the system of a run or in its preprocessed form;
/// `settle` takes their answers back and judges them.
///
/// Turns have shares of a budget in ticks. With a limit, the budget is the remaining time at the
/// pace of the run so far. The first round has all of it, and a second round the ticks that engines
/// which gave up have not used. Tried: growing rounds with a limit, too. The PAR-2 score improved
/// from 3.5 to 3.1 on LIA-Lin and worsened from 8.8 to 10.5 on LRA-Lin. Without a limit rounds
/// grow, so that a system that a late engine decides soon does not wait for ever. Engines start
/// from scratch in each round, with the invariants that are on the board.
///
/// If a certificate is refused, or not checked within its part of the budget, the next engine has
/// its turn. The turns after the main turn are less likely to decide the system than the check,
/// which has all the remaining budget then. If a pass cannot take a certificate back, the short
/// turns before the main turn have the chance to find a simpler one; then the system is to be
/// solved without the pass.
pub(super) fn relay(run: &SearchRun<'_>, system: &System, settle: &Settle<'_>) -> SearchOutcome {
    let mut relay = Relay {
        run,
        system,
        settle,
        limit: run.engine_limit(),
        turns: one_after_the_other(run.t, run.system, system),
        board: run.board(system),
        findings: Findings::default(),
    };
    for n in 0.. {
        let mut round = Round::new(n);
        if let Some(end) = relay.turns_of(&mut round) {
            return end;
        }
        // Engines that gave up by themselves would do so again.
        if !round.goes_on {
            break;
        }
    }
    relay.result()
}

/// Turns one after the other.
struct Relay<'a> {
    run: &'a SearchRun<'a>,
    system: &'a System,
    settle: &'a Settle<'a>,
    limit: Limit,
    turns: Vec<Turn>,
    board: Blackboard<'a>,
    findings: Findings,
}

impl Relay<'_> {
    /// Gives each engine its turn; the outcome if one ends the search.
    fn turns_of(&mut self, round: &mut Round) -> Option<SearchOutcome> {
        for i in 0..self.turns.len() {
            let turn = self.turns[i];
            let is_over = turn.is_main() || self.limit.check().is_err();
            if let Some(pass) = self.findings.culprit().filter(|_| is_over) {
                return Some(SearchOutcome::Without(pass));
            }
            round.look(&self.limit);
            let own = round.budget(&turn, &self.turns[i + 1..]);
            match self.find(&turn, own, round) {
                Answer::Unknown(unknown) => {
                    log::info!("{turn}: {}", unknown.reason);
                    round.goes_on |= unknown.reason == UnknownReason::Timeout;
                    debug_assert!(
                        !turn.as_written
                            || unknown.safe_depth.is_none() && unknown.invariants.is_none(),
                        "what is known of the written system says nothing of the other one"
                    );
                    self.findings.note(unknown);
                }
                verdict => {
                    log::info!("{turn}: {}", verdict.verdict());
                    let is_early = self.turns[i + 1..].iter().any(Turn::is_main);
                    let end = self.judge(verdict, &turn, is_early, round);
                    if end.is_some() {
                        return end;
                    }
                }
            }
            if self.findings.culprit().is_none() && self.limit.check().is_err() {
                return Some(self.result());
            }
        }
        None
    }

    /// What the engine of a turn answers within its own budget.
    fn find(&self, turn: &Turn, own: u64, round: &mut Round) -> Answer {
        let before = self.limit.ticks();
        // The board is about the predicates of the preprocessed system.
        let (about, on) = match turn.as_written {
            true => (self.run.system, None),
            false => (self.system, Some(&self.board)),
        };
        let found = self.run.find(&self.limit, on, &|context| {
            turn.run(about, &self.run.options.settings, context, Some(own))
        });
        // Ticks beyond a turn's budget are not taken from the main turn alone.
        round.used += (self.limit.ticks() - before).min(own);
        found
    }

    /// Takes the verdict of a turn back and judges it; the outcome if it ends the search. Before
    /// the main turn, what cannot be taken back does not.
    fn judge(
        &mut self,
        verdict: Answer,
        turn: &Turn,
        is_early: bool,
        round: &mut Round,
    ) -> Option<SearchOutcome> {
        let check = match is_early {
            true => self.run.check_limit(round.all),
            false => round.rest(&self.run.limit),
        };
        let before = self.limit.ticks();
        let settled = match turn.as_written {
            true => SearchOutcome::Judged(self.run.judge(verdict, &check)),
            false => (self.settle)(verdict, &check),
        };
        let end = self.findings.settled(settled).or_else(|| {
            let culprit = self.findings.culprit().filter(|_| !is_early);
            culprit.map(SearchOutcome::Without)
        });
        round.goes_on |= check.check().is_err();
        round.all = (round.all).saturating_sub(self.limit.ticks() - before);
        end
    }

    /// The outcome if no turn ended the search.
    fn result(&mut self) -> SearchOutcome {
        std::mem::take(&mut self.findings).result(self.board.contents())
    }
}

/// A round of turns.
struct Round {
    /// The ticks of all turns, also of the ones that are over.
    all: u64,
    /// The ticks that turns have used.
    used: u64,
    /// Is there something that another round could do?
    goes_on: bool,
}

impl Round {
    /// The round of this number, from 0, without limits.
    fn new(number: u32) -> Self {
        Round {
            all: FIRST_ROUND.saturating_mul(GROWTH.saturating_pow(number)),
            used: 0,
            goes_on: false,
        }
    }

    /// Updates the round with what is left of the limit, if there is one.
    fn look(&mut self, limit: &Limit) {
        if let Some(left) = limit.expected_left() {
            self.all = self.used.saturating_add(left);
        }
    }

    /// The limit of a check after which no important turn follows: the run's limit, or, if there is
    /// none, the round's budget.
    fn rest(&self, limit: &Limit) -> Limit {
        match limit.deadline {
            Some(_) => limit.clone(),
            None => limit.part(self.all),
        }
    }

    /// The ticks of a turn before others: its share, or the ticks that the others leave.
    fn budget(&self, turn: &Turn, others: &[Turn]) -> u64 {
        let rest = || {
            let others = others.iter().filter_map(|turn| turn.ticks(self.all));
            let left = self.all.saturating_sub(self.used);
            left.saturating_sub(others.sum())
        };
        turn.ticks(self.all).unwrap_or_else(rest)
    }
}

// The public interface runs the engines of the schedule, whose certificates are right. Here a
// certificate is refused, and the budgets of rounds are compared.
#[cfg(test)]
mod tests {
    use super::super::fixture::{SAFE, with_run, words};
    use super::*;
    use crate::chc::Unknown;
    use crate::gate::{Check, Judgement};
    use crate::transform::Pass;
    use std::cell::Cell;

    /// The outcome of a relay in which the certificates of the first `not_accepted` verdicts are
    /// not accepted, and the number of verdicts.
    fn outcome(not_accepted: u32) -> (String, u32) {
        let settled = Cell::new(0);
        let settle = |found: Answer, limit: &Limit| {
            // The run has no limit, but a check must not delay the other turns for ever.
            assert!(limit.ticks_left().is_some());
            settled.set(settled.get() + 1);
            SearchOutcome::Judged(match settled.get() > not_accepted {
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
    fn the_short_turns_may_find_a_certificate_that_is_taken_back() {
        let outcome = |not_taken_back: u32| {
            let settled = Cell::new(0);
            let settle = |found: Answer, _: &Limit| {
                settled.set(settled.get() + 1);
                match settled.get() > not_taken_back {
                    true => SearchOutcome::Judged(Judgement::of(found, Check::Accepted)),
                    false => SearchOutcome::Without(Pass::Inline),
                }
            };
            let text = with_run(SAFE, |run| words(&relay(run, run.system, &settle)));
            (text, settled.get())
        };
        assert_eq!(outcome(1), ("sat".to_owned(), 2));
        let (text, settled) = outcome(u32::MAX);
        assert_eq!(text, "without inline");
        assert!(settled > 1, "{settled}");
    }

    /// Concatenation of lists is associative.
    const APPEND: &str = "
        (declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
        (declare-fun append (L L L) Bool)
        (assert (forall ((y L)) (append nil y y)))
        (assert (forall ((h Int) (x L) (y L) (z L))
          (=> (append x y z) (append (cons h x) y (cons h z)))))
        (assert (forall ((a L) (b L) (c L) (x L) (y L) (u L) (v L))
          (=> (and (append a b x) (append x c y) (append b c u) (append a u v)
                (not (= y v))) false)))";

    #[test]
    fn a_verdict_about_the_written_system_is_judged_at_once() {
        let settle: &Settle<'_> = &|_, _| {
            let why = UnknownReason::Incomplete("it is of the preprocessed system".to_owned());
            SearchOutcome::Open(Unknown::new(why))
        };
        with_run(APPEND, |run| {
            let other = run.system.clone();
            assert_eq!(words(&relay(run, &other, settle)), "sat");
        });
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
            let turns = one_after_the_other(run.t, run.system, run.system);
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
