//! A run: its limits, its statistics, and the way of its answers through the gate.

use super::options::{Control, Options};
use super::stats::{Solved, Stats, TurnProgress};
use crate::certify::Accepted;
use crate::chc::{Answer, System, Unknown, UnknownReason};
use crate::engine::Context;
use crate::engine::blackboard::Blackboard;
use crate::gate::{CheckMode, Gate, Judgement, admit, guarded};
use crate::os::memory::MemoryWatch;
use crate::smt::{Backend, CancelToken, Limit};
use crate::term::Terms;
use crate::transform::{Pass, Preprocessed, Tools};
use crate::work::milliseconds;
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// The share of the budget that is left for taking back and checking a certificate, while PDR's
/// main turn is still to come or other engines run at the same time. The value was not tuned.
const CHECK_PART: f64 = 0.5;
/// Where nothing is limited, what is left counts as at least this number of ticks for each clause.
/// The value was not tuned.
const CLAUSE_CHECK: u64 = milliseconds(1);
/// Where nothing is limited, a check may cost twice what the run has cost so far: a certificate at
/// hand is worth more than the turns that would follow. Tried: with a part of the round alone, the
/// models of three tasks of LRA-Lin in CHC-COMP 2025 are lost in the first round and found again in
/// the second. om1_with_relays_general_5_15 takes 3.6 s so, and 1.5 s with this.
const CHECK_OF_SPENT: u64 = 2;
/// A 20th of the time is reserved for taking invariants back and checking them, if they are wanted,
/// but no more than [`RESERVE`]. The value was not tuned.
const RESERVE_PART: u32 = 20;
/// The upper bound of the time that is reserved for invariants. The value was not tuned.
const RESERVE: Duration = Duration::from_millis(500);
/// The time for taking invariants back after a signal, of the 600 ms until the last word.
const AFTER_SIGNAL: Duration = Duration::from_millis(250);

/// A run.
pub(super) struct SearchRun<'a> {
    pub(super) t: &'a Terms,
    pub(super) system: &'a System,
    pub(super) backend: &'a Backend,
    pub(super) options: &'a Options,
    control: Control<'a>,
    pub(super) limit: Limit,
    pub(super) stats: RefCell<Stats>,
    /// The number of turns that have begun to run at the same time as others.
    pub(super) turns: Cell<u32>,
    /// What the checks of certificates have confirmed.
    accepted: Accepted,
    _watch: Option<MemoryWatch>,
}

impl<'a> SearchRun<'a> {
    pub(super) fn new(
        t: &'a Terms,
        system: &'a System,
        backend: &'a Backend,
        options: &'a Options,
        control: Control<'a>,
    ) -> Self {
        SearchRun {
            t,
            system,
            backend,
            options,
            control,
            limit: control.limit(options),
            stats: RefCell::default(),
            turns: Cell::default(),
            accepted: Accepted::default(),
            _watch: (options.memory).map(|bytes| MemoryWatch::start(bytes, control.stop)),
        }
    }

    /// The limit for taking invariants back without a verdict: the run's, or a short time after a
    /// signal.
    pub(super) fn limit_after_search(&self) -> Limit {
        match self.control.stop.reason() {
            Some(UnknownReason::Interrupted) => {
                Limit::new(Some(Instant::now() + AFTER_SIGNAL), CancelToken::new())
            }
            _ => self.limit.clone(),
        }
    }

    /// An empty board for invariants of the run's system, or of its preprocessed form.
    pub(super) fn board<'b>(&'b self, system: &'b System) -> Blackboard<'b> {
        Blackboard::new(self.t, system, admit)
    }

    /// The unchecked answer of an engine within a limit; the engine has this board.
    pub(super) fn find(
        &self,
        limit: &Limit,
        board: Option<&Blackboard<'_>>,
        engine: &dyn Fn(&Context<'_>) -> Answer,
    ) -> Answer {
        let context = Context {
            board,
            progress: &|progress| {
                self.tell(&TurnProgress {
                    turn: 0,
                    progress: progress.clone(),
                });
            },
            wants_graph: self.options.graph,
            ..Context::new(Tools::new(self.t, self.backend, limit.clone()))
        };
        let started = Instant::now();
        let found = guarded(|| engine(&context));
        self.stats.borrow_mut().engine_time += started.elapsed();
        found
    }

    /// The limit of engines.
    pub(super) fn engine_limit(&self) -> Limit {
        match self.options.invariants {
            true => reserve(&self.limit),
            false => self.limit.clone(),
        }
    }

    /// The limit of taking back and checking a certificate while PDR's main turn is still to come
    /// or other engines run: a part of the ticks that are left; where nothing is limited, a part of
    /// `all`, or a multiple of what the run has used. A verdict that may be given unchecked needs
    /// no such limit.
    pub(super) fn check_limit(&self, all: u64) -> Limit {
        match self.options.check {
            CheckMode::Strict => {
                let part = |ticks: u64| (ticks as f64 * CHECK_PART) as u64;
                let of_clauses = CLAUSE_CHECK * self.system.clauses.len() as u64;
                let of_spent = CHECK_OF_SPENT.saturating_mul(self.limit.ticks());
                let without_limit = || part(all.max(of_clauses)).max(of_spent);
                let left = self.limit.expected_left();
                self.limit.turn(left.map_or_else(without_limit, part))
            }
            CheckMode::Lenient => self.limit.clone(),
        }
    }

    /// Reports the progress of an engine.
    pub(super) fn tell(&self, progress: &TurnProgress) {
        self.stats.borrow_mut().note(progress);
        (self.control.progress)(progress);
    }

    /// The gate that the run's answers pass.
    pub(super) fn gate(&self) -> Gate<'_> {
        Gate {
            terms: self.t,
            system: self.system,
            backend: self.backend,
            mode: self.options.check,
            cross_checkers: self.control.cross_checkers,
            accepted: &self.accepted,
        }
    }

    /// The judgement of an answer about the run's system; its certificate is checked within the
    /// limit.
    pub(super) fn judge(&self, found: Answer, limit: &Limit) -> Judgement {
        let started = Instant::now();
        let found = match found {
            Answer::Unsat(refutation)
                if self.options.written_out && refutation.has_iterations() =>
            {
                let why = "the refutation has a loop that is too long to be written out";
                Answer::Unknown(Unknown::new(UnknownReason::Incomplete(why.to_owned())))
            }
            other => other,
        };
        let judged = self.gate().judge(found, limit);
        self.stats.borrow_mut().check_time += started.elapsed();
        judged
    }

    /// The answer about the run's system that an answer about the preprocessed system gives.
    ///
    /// # Errors
    /// The pass that could not take the answer back.
    pub(super) fn lift(
        &self,
        prepared: &Preprocessed,
        found: Answer,
        limit: &Limit,
    ) -> Result<Answer, Pass> {
        let started = Instant::now();
        let lifted = self.gate().lift(prepared, found, limit);
        self.stats.borrow_mut().lift_time += started.elapsed();
        lifted
    }

    /// Did the user's budget of work end the run, rather than a deadline? Parts of a run end with a
    /// reason that does not tell these apart.
    fn work_is_over(&self) -> bool {
        let is_first = self.limit.deadline.is_none() || self.limit.ticks_left() == Some(0);
        self.options.budget.is_some() && is_first
    }

    /// Adds the measurements of a run for a part of this one.
    pub(super) fn add(&self, inner: Stats) {
        // It has counted its ticks on another meter.
        self.limit.work().add(inner.ticks);
        self.stats.borrow_mut().add(inner);
    }

    pub(super) fn finish(self, mut judged: Judgement) -> Solved {
        let mut stats = self.stats.take();
        stats.ticks += self.limit.ticks();
        if let Answer::Unknown(unknown) = &mut judged.answer {
            unknown.safe_depth = unknown.safe_depth.max(stats.progress.safe_depth);
            if unknown.reason == UnknownReason::Timeout && self.work_is_over() {
                unknown.reason = UnknownReason::Work;
            }
            if let Some(reason) = self.control.stop.reason()
                && !unknown.reason.is_fault()
            {
                unknown.reason = reason.clone();
            }
        }
        Solved {
            answer: judged.answer,
            check: judged.check,
            cross_checks: judged.cross_checks,
            stats,
        }
    }
}

/// The limit of engines if invariants are wanted at the end.
fn reserve(limit: &Limit) -> Limit {
    match limit.remaining() {
        None => limit.clone(),
        Some(left) => limit.within(left - (left / RESERVE_PART).min(RESERVE)),
    }
}
