//! What is asked next, and for how long.
//!
//! If a program has several encodings, over mathematical integers, over integers that wrap around,
//! as numbers or as bit-vectors, they take turns: what is hard for one is often easy for another.
//! Turns are budgets in ticks. With a limit the first turn of each encoding is short, so that each
//! is tried; without one, turns grow by a constant factor, as the rounds of `auto` do.

use super::verdict::Verdict;
use crate::cfront::{Approximation, CheckedProperty, EncodeOptions, ErrorRun, IntMode, RunEnd};
use crate::smt::Limit;
use crate::work::milliseconds;

/// With a limit, the first turn of each encoding has a tenth of the remaining budget.
///
/// Tried: a half. With a limit of 20 s, three tasks of SV-COMP then took 10 s to 16 s; with a tenth
/// they took 2 s to 4 s.
const GLANCE_PART: u64 = 10;
/// Without a limit, the first turn of each encoding has these ticks, about 8 s. The value
/// was not tuned.
const FIRST_TURN: u64 = milliseconds(8_000);
/// Without a limit, each turn has 4 times the ticks of the one before. The value was not tuned.
const GROWTH: u64 = 4;

/// What is asked next.
#[derive(Clone)]
pub(super) struct Plan {
    pub(super) encoding: EncodeOptions,
    /// The ways to have integers that may lead to a verdict, among them the one that is asked.
    pub(super) ways: Vec<IntMode>,
    /// How many turns they have had.
    pub(super) round: u32,
    /// Why the first answer was no verdict.
    pub(super) obstacle: Option<String>,
    /// Are some runs left out, so that there is nothing to prove any more?
    pub(super) partial: bool,
    /// Is it taken for known what is behind pointers from outside?
    pub(super) objects: bool,
    /// Must runs have all their steps, with all iterations of loops?
    pub(super) written_out: bool,
}

/// What follows from an answer.
pub(super) enum Next {
    /// Another question.
    Ask(Plan),
    /// The verdict.
    Say(Verdict),
}

impl Plan {
    /// The first question, with integers as they are chosen.
    pub(super) fn first(encoding: EncodeOptions) -> Plan {
        Plan {
            encoding: EncodeOptions {
                question: CheckedProperty::ErrorsAndWraps,
                ..encoding
            },
            ways: vec![encoding.ints],
            round: 0,
            obstacle: None,
            partial: false,
            objects: false,
            written_out: false,
        }
    }

    /// The limit of a turn, as a part of the whole limit: first a tenth of the budget that is left,
    /// then half of it, and all for the last way. Where nothing is limited turns grow. A single way
    /// has the whole limit.
    pub(super) fn turn(&self, whole: &Limit) -> Limit {
        let is_last = self.ways.last() == Some(&self.encoding.ints);
        if self.ways.len() < 2 {
            return whole.clone();
        }
        match (whole.expected_left(), self.round) {
            (None, n) => whole.turn(FIRST_TURN.saturating_mul(GROWTH.saturating_pow(n))),
            (Some(left), 0) => whole.turn(left / GLANCE_PART),
            (Some(_), _) if is_last => whole.clone(),
            (Some(left), _) => whole.turn(left / 2),
        }
    }

    /// The next turn, after one that ended without an answer; `None` if no way is left, or if
    /// another round would not differ. `timed_out`: the turn's budget was used up.
    pub(super) fn next_turn(mut self, timed_out: bool, is_over: bool) -> Option<Plan> {
        let at = self.ways.iter().position(|&w| w == self.encoding.ints)?;
        let next = match timed_out {
            true => at + 1,
            // An engine that gave up would do so again.
            false => {
                self.ways.remove(at);
                at
            }
        };
        let alone = self.ways.len() == usize::from(timed_out);
        let ints = match self.ways.get(next) {
            Some(&ints) => ints,
            None if is_over || alone => return None,
            None => {
                self.round += 1;
                self.ways[0]
            }
        };
        Some(self.with_integers(ints))
    }

    /// What follows from a run.
    pub(super) fn after(self, run: ErrorRun, wrapping: &[IntMode]) -> Next {
        let ints = self.encoding.ints;
        Next::Say(match &run.end {
            RunEnd::Wraps(_) if ints == IntMode::Unbounded => {
                return Next::Ask(self.by_ways(wrapping));
            }
            RunEnd::Wraps(place) => {
                Verdict::Fault(format!("a wrap-around at {place} that should be exact"))
            }
            RunEnd::Error(..) | RunEnd::Invariant(..)
                if ints == IntMode::Unbounded && !run.overflows.is_empty() =>
            {
                return Next::Ask(self.by_ways(wrapping));
            }
            RunEnd::Error(..) | RunEnd::Invariant(..) => match run.approximated.first() {
                Some(first) => return self.after_approximation(first, &run.approximated),
                None if run.is_exact() => Verdict::False(run),
                None => Verdict::Fault("a run ignores an overflow that should be exact".to_owned()),
            },
            RunEnd::Unsupported(place, what) => {
                let what = format!("{place:?}: not supported: {what}");
                if self.encoding.check_unsupported {
                    let mut plan = self.in_spite_of(what);
                    plan.encoding.check_unsupported = false;
                    plan.partial = true;
                    return Next::Ask(plan);
                }
                Verdict::Unknown(what)
            }
        })
    }

    /// What follows from a run to the error that uses over-approximated values, of which this is
    /// the first.
    fn after_approximation(self, first: &Approximation, all: &[Approximation]) -> Next {
        let Approximation { place, what, .. } = first;
        let what = format!("{place:?}: over-approximated: {what}");
        let by_bits = all.iter().all(|a| a.exact_over_bits);
        if self.encoding.ints != IntMode::BitVector && by_bits {
            let plan = self.by_ways(&[IntMode::BitVector]);
            return Next::Ask(plan.in_spite_of(what));
        }
        if !self.objects && !by_bits {
            let mut plan = self.in_spite_of(what);
            plan.objects = true;
            plan.partial = true;
            return Next::Ask(plan);
        }
        Next::Say(Verdict::Unknown(what))
    }

    /// Integers are in these ways, of which there is at least one.
    fn by_ways(mut self, ways: &[IntMode]) -> Plan {
        self.ways = ways.to_vec();
        self.with_integers(ways[0])
    }

    fn with_integers(mut self, ints: IntMode) -> Plan {
        self.encoding.ints = ints;
        self
    }

    /// The plan with one more obstacle. The first obstacle is reported if the other plans lead to
    /// no verdict.
    fn in_spite_of(mut self, obstacle: String) -> Plan {
        self.obstacle.get_or_insert(obstacle);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAYS: [IntMode; 3] = [IntMode::Unbounded, IntMode::Wrap, IntMode::BitVector];

    /// The plan for this way and round.
    fn plan(ints: IntMode, round: u32) -> Plan {
        let mut plan = Plan::first(EncodeOptions::default()).by_ways(&WAYS);
        plan.round = round;
        plan.with_integers(ints)
    }

    #[test]
    fn turns_grow_without_a_limit() {
        let ticks = |round| {
            let turn = plan(IntMode::Wrap, round).turn(&Limit::none());
            turn.ticks_left().expect("a turn has a budget")
        };
        let expected = [1, 4, 16].map(|times| times * FIRST_TURN);
        assert_eq!([ticks(0), ticks(1), ticks(2)], expected);
        assert_eq!(ticks(u32::MAX), u64::MAX);
    }

    #[test]
    fn turns_are_parts_of_a_limit() {
        let whole = Limit::none().part(1_000);
        let ticks = |ints, round| plan(ints, round).turn(&whole).ticks_left();
        assert_eq!(ticks(IntMode::BitVector, 0), Some(100));
        assert_eq!(ticks(IntMode::Wrap, 1), Some(500));
        assert_eq!(ticks(IntMode::BitVector, 1), Some(1_000));
        let alone = Plan::first(EncodeOptions::default());
        assert_eq!(alone.turn(&whole).ticks_left(), Some(1_000));
        assert_eq!(alone.turn(&Limit::none()).ticks_left(), None);
    }

    #[test]
    fn ways_take_turns_until_they_give_up() {
        // `t`: the turn timed out; `g`: the engines gave up; `o`: it timed out, and all is over.
        for (story, expected) in [
            ("tttt", "Wrap 0, BitVector 0, Unbounded 1, Wrap 1"),
            ("gtt", "Wrap 0, BitVector 0, Wrap 1"),
            ("tgt", "Wrap 0, BitVector 0, Unbounded 1"),
            ("ggt", "Wrap 0, BitVector 0, none"),
            ("ggg", "Wrap 0, BitVector 0, none"),
            ("tto", "Wrap 0, BitVector 0, none"),
        ] {
            let mut plan = Some(plan(IntMode::Unbounded, 0));
            let mut told = Vec::new();
            for event in story.chars() {
                plan = plan.and_then(|plan| plan.next_turn(event != 'g', event == 'o'));
                told.push(match &plan {
                    Some(plan) => format!("{:?} {}", plan.encoding.ints, plan.round),
                    None => "none".to_owned(),
                });
            }
            assert_eq!(told.join(", "), expected, "{story}");
        }
    }
}
