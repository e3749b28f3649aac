//! The last word: a verdict within a second of a signal or a limit, whatever the solving thread is
//! doing.
//!
//! A second thread does the work. The main thread waits for it, for signals, and for limits. When
//! one of them comes it raises the token that the work polls, and the work ends with `unknown`. If
//! it does not end soon (it may be in a long computation), the main thread prints the verdict, ends
//! the solver processes and the program.
//!
//! Invariant: a verdict is printed by whoever takes [`HornSolveRun::verdict`] away from `DUE`, so
//! exactly once.

use crate::args::Args;
use crate::personality::Manner;
use horn::chc::{Unknown, UnknownReason};
use horn::os::Stop;
use horn::os::supervise::{GRACE, Supervisor};
use horn::portfolio::{Stats, TurnProgress};
use horn::report::{CheckStats, Console, Sample, StatsFormat, progress_text};
use horn::smt::Backend;
use std::fmt;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A verdict is due. So it is from the beginning, before the first check is read.
const DUE: u8 = 0;
/// The solving thread has given it, or is about to.
const GIVEN: u8 = 1;
/// The main thread has given it, and ends the program.
const LAST_WORD: u8 = 2;

/// What the solving thread and the main thread share.
pub(crate) struct HornSolveRun {
    /// Ends the work.
    pub(crate) stop: Stop,
    /// Standard error.
    pub(crate) console: &'static Console,
    started: Instant,
    /// How statistics are wanted, if they are.
    format: Option<StatsFormat>,
    /// Are they printed to standard output at the end, as an s-expression?
    statistics: bool,
    /// Is the progress of engines kept for a page?
    keeps_samples: bool,
    /// What is printed where the time of the whole run is over.
    overdue: &'static str,
    /// What is printed where the memory is used up.
    exhausted: &'static str,
    /// Is nothing said about answers and errors on standard error?
    quiet: bool,
    /// [`DUE`], [`GIVEN`] or [`LAST_WORD`].
    verdict: AtomicU8,
    state: Mutex<State>,
}

/// How far the work is.
#[derive(Default)]
struct State {
    /// Of the whole run.
    deadline: Option<Instant>,
    /// Of the check under way.
    check_deadline: Option<Instant>,
    /// The check under way: since when, with which solver, and what is known of it.
    check: Option<(Instant, Backend)>,
    stats: Stats,
    /// The progress of its engines, where it is wanted for a page.
    samples: Vec<Sample>,
}

impl HornSolveRun {
    pub(crate) fn new(console: &'static Console, args: &Args, manner: &Manner) -> Self {
        let deadline = |timeout| Instant::now().checked_add(timeout);
        let state = State {
            deadline: args.timeout.and_then(deadline),
            ..State::default()
        };
        HornSolveRun {
            stop: Stop::new(),
            console,
            started: Instant::now(),
            format: args.stats(),
            keeps_samples: args.report.is_some(),
            statistics: manner.statistics,
            overdue: manner.overdue,
            exhausted: manner.exhausted,
            quiet: manner.quiet && args.verbose == 0,
            verdict: AtomicU8::new(DUE),
            state: Mutex::new(state),
        }
    }

    /// A check begins, with that solver, which may take that long: a verdict is due. Answers its
    /// deadline.
    pub(crate) fn begin_check(
        &self,
        timeout: Option<Duration>,
        backend: &Backend,
    ) -> Option<Instant> {
        let mut state = self.state();
        let now = Instant::now();
        let own = timeout.and_then(|timeout| now.checked_add(timeout));
        state.check_deadline = [own, state.deadline].into_iter().flatten().min();
        state.check = Some((now, backend.clone()));
        state.stats = Stats::default();
        state.samples.clear();
        let deadline = state.check_deadline;
        drop(state);
        self.claim_or_wait();
        self.verdict.store(DUE, Ordering::SeqCst);
        deadline
    }

    /// The right to print the verdict that is due, for the thread named; `false` if none is due.
    fn claim(&self, thread: u8) -> bool {
        let exchange =
            self.verdict
                .compare_exchange(DUE, thread, Ordering::SeqCst, Ordering::SeqCst);
        exchange.is_ok()
    }

    /// The right of the solving thread to print the verdict that is due; `false` if it has been
    /// given.
    pub(crate) fn claim_if_due(&self) -> bool {
        self.claim(GIVEN)
    }

    /// The right of the solving thread to print. If the main thread prints the last word, this
    /// waits for the end.
    pub(crate) fn claim_or_wait(&self) {
        self.claim(GIVEN);
        while self.verdict.load(Ordering::SeqCst) == LAST_WORD {
            std::thread::park();
        }
    }

    /// Says what is known of a check in figures, where they are wanted.
    pub(crate) fn say_stats(&self, stats: impl FnOnce(Duration) -> CheckStats) {
        if let Some(format) = self.format {
            let text = stats(self.started.elapsed()).text(format);
            self.console.say(format_args!("{text}"));
        }
    }

    /// Prints what is known of a check in figures to standard output, where another program does.
    pub(crate) fn print_statistics(
        &self,
        stats: impl FnOnce(Duration) -> CheckStats,
    ) -> io::Result<()> {
        match self.statistics {
            true => writeln!(
                io::stdout(),
                "{}",
                stats(self.started.elapsed()).smtlib_text()
            ),
            false => Ok(()),
        }
    }

    /// The progress of the engines of the check, and the time since the program began.
    pub(crate) fn history(&self) -> (Vec<Sample>, Duration) {
        (self.state().samples.clone(), self.started.elapsed())
    }

    /// The word for a check that was not decided: where the time of the whole run is over, or the
    /// memory is used up, it may be another one.
    pub(crate) fn undecided(&self) -> &'static str {
        if self.is_exhausted() {
            return self.exhausted;
        }
        let deadline = self.state().deadline;
        match deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            true => self.overdue,
            false => "unknown",
        }
    }

    /// Is the memory used up?
    pub(crate) fn is_exhausted(&self) -> bool {
        self.stop.reason() == Some(&UnknownReason::Memory)
    }

    /// Is nothing said about answers and errors on standard error?
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Says something about an answer or an error on standard error, where that is wanted.
    pub(crate) fn remark(&self, text: fmt::Arguments<'_>) {
        if !self.quiet {
            self.console.say(text);
        }
    }

    /// An engine tells how far it is.
    pub(crate) fn progress(&self, progress: &TurnProgress) {
        let mut state = self.state();
        state.stats.note(progress);
        if self.keeps_samples {
            let sample = Sample {
                time: self.started.elapsed(),
                engine: progress.engine,
                depth: progress.depth,
                lemmas: progress.lemmas,
            };
            keep(&mut state.samples, sample);
        }
        let deadline = state.check_deadline.or(state.deadline);
        drop(state);
        let left = deadline.map(|end| end.saturating_duration_since(Instant::now()));
        self.console.progress(progress, left);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says why there is no verdict, and what was tried, on standard error.
    pub(crate) fn explain(&self, unknown: &Unknown, stats: &Stats) {
        match unknown.safe_depth {
            Some(depth) => self.remark(format_args!(
                "; reason: {}; safe up to depth {depth}",
                unknown.reason
            )),
            None => self.remark(format_args!("; reason: {}", unknown.reason)),
        }
        for progress in stats
            .engines()
            .filter(|progress| !progress.engine.is_empty())
        {
            self.remark(format_args!("; tried: {}", progress_text(progress)));
        }
    }
}

/// Keeps a sample; of too many every second one.
fn keep(samples: &mut Vec<Sample>, sample: Sample) {
    /// The value was not tuned: a chart has fewer points than a screen has columns.
    const MOST: usize = 2_000;
    samples.push(sample);
    if samples.len() >= MOST {
        let mut number = 0_usize;
        samples.retain(|_| {
            number += 1;
            number.is_multiple_of(2)
        });
    }
}

impl Supervisor for HornSolveRun {
    fn stop(&self) -> &Stop {
        &self.stop
    }

    /// A while after a deadline, if a verdict is due.
    fn is_overdue(&self, now: Instant) -> bool {
        let state = self.state();
        let due = self.verdict.load(Ordering::SeqCst) == DUE;
        let deadline = state.check_deadline.or(state.deadline);
        due && deadline.is_some_and(|deadline| now > deadline + GRACE)
    }

    /// Prints `unknown` if a verdict is due.
    fn last_word(&self) {
        if !self.claim(LAST_WORD) {
            return;
        }
        let mut out = io::stdout().lock();
        // A closed standard output is not an error here.
        let word = self.undecided();
        let _ = writeln!(out, "{word}").and_then(|()| out.flush());
        let State { check, stats, .. } = &mut *self.state();
        let reason = self.stop.reason().cloned();
        let unknown = Unknown {
            reason: reason.unwrap_or(UnknownReason::Timeout),
            safe_depth: stats.engines().filter_map(|p| p.safe_depth).max(),
            invariants: None,
        };
        self.explain(&unknown, stats);
        if let Some((since, backend)) = check {
            stats.engine_time = since.elapsed();
            let (stats, solver) = (stats.clone(), backend.statistics());
            self.say_stats(|total| CheckStats::unknown(&unknown, stats, solver, total));
        }
    }
}
