//! From a system to a certified answer: chooses, runs, bounds and cancels engines, and has their certificates checked.
//!
//! [`solve`] is the way in. No verdict leaves it whose certificate the checker has not accepted (unless the caller asked for
//! [`CheckMode::Lenient`] and is told), and nothing that goes wrong in an engine leaves it as a panic.

mod certificate;
mod choice;
mod findings;
#[cfg(test)]
mod fixture;
mod invariants;
mod jobs;
pub mod memory;
mod pipeline;
pub mod process;
mod race;
mod relay;
mod stop;
pub mod supervise;
mod turns;

use crate::certify::ModelError;
use crate::chc::{Answer, Model, System, Unknown, UnknownReason};
use crate::engine::{Context, Progress, Settings};
use crate::smt::{Backend, Limit};
use crate::term::Terms;
use crate::transform::{self, PassRun};
use certificate::{Judgement, judge};
use memory::MemoryWatch;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

pub use choice::Choice;
pub use findings::Contradiction;
pub use jobs::Jobs;
pub use stop::Stop;

pub(crate) use race::THREAD;

/// While the engine that is likeliest to decide a system is still to come, or others are under way, the check of a certificate has this part of the time that is left.
const CHECK_PART: f64 = 0.4;

/// How to solve.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How systems are preprocessed.
    pub preprocess: transform::Options,
    /// Which engine.
    pub engine: Choice,
    /// So many engines of [`Choice::Auto`] run at the same time, if there are so many; each other engine runs alone. With more than
    /// one, which of them answers first, and so the certificate, may differ from run to run.
    pub jobs: Jobs,
    /// The options of the engines.
    pub settings: Settings,
    /// What to do with a verdict whose certificate could not be checked in time.
    pub check: CheckMode,
    /// Are invariants wanted where there is no verdict? A little of the time is kept for them then.
    pub invariants: bool,
    /// At most this long, the check of the certificate included.
    pub timeout: Option<Duration>,
    /// At most so many bytes resident, children included.
    pub memory: Option<u64>,
}

/// What to do with a verdict whose certificate could not be checked in time. A refused one is never passed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CheckMode {
    /// It is `unknown`.
    #[default]
    Strict,
    /// It is passed on; [`Solved::check`] tells.
    Lenient,
}

/// The caller's hand on a run.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Ends the run.
    pub stop: &'a Stop,
    /// Ends it, too.
    pub deadline: Option<Instant>,
    /// Is told how far the engine is, at most some hundred times a second.
    pub progress: &'a dyn Fn(&Progress),
    /// Solvers, with their names, that a model must be accepted by as well.
    pub cross_checkers: &'a [(String, Backend)],
}

/// An answer, and how it came about.
#[derive(Debug)]
pub struct Solved {
    /// The answer.
    pub answer: Answer,
    /// What the checker said.
    pub check: Check,
    /// What the other solvers said of a model, with their names.
    pub cross_checks: Vec<(String, Result<(), ModelError>)>,
    /// Measurements.
    pub stats: Stats,
}

/// What became of a certificate.
#[derive(Debug)]
pub enum Check {
    /// The answer is `unknown` by itself.
    None,
    /// It was accepted.
    Accepted,
    /// It was neither accepted nor refused: why.
    NotDecided(String),
    /// It was refused. Here is the answer that must not be given, for reports.
    Refused(Box<Answer>),
}

/// Measurements of a run.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// The time spent on preprocessing.
    pub preprocess_time: Duration,
    /// What the passes of preprocessing did; where the system was solved again, for each time.
    pub passes: Vec<PassRun>,
    /// The time that engines spent on finding an answer, all together, also those that ran at the same time.
    pub engine_time: Duration,
    /// The time spent on taking certificates back to the system as it was given.
    pub lift_time: Duration,
    /// The time spent on checking the certificate.
    pub check_time: Duration,
    /// The work of the run, in ticks, that of all threads together.
    pub ticks: u64,
    /// The last that the engine told; where several ran, the one that answered, or else the last to tell something.
    pub progress: Progress,
    /// The last that each of the others told.
    pub earlier: Vec<Progress>,
}

impl Stats {
    /// Takes down what an engine tells.
    pub fn note(&mut self, progress: &Progress) {
        self.favour(progress.turn);
        let last = std::mem::replace(&mut self.progress, progress.clone());
        // Nothing has been told before where there is no name.
        let same = (last.engine, last.turn) == (progress.engine, progress.turn);
        if !same && !last.engine.is_empty() {
            self.earlier.push(last);
        }
    }

    /// Of engines that run at the same time, the one with that turn is the last to be heard of, if it was heard at all.
    fn favour(&mut self, turn: u32) {
        let others = &mut self.earlier;
        // A turn 0 is one of those that follow each other.
        if let Some(place) = others.iter().position(|p| turn > 0 && p.turn == turn) {
            let wanted = others.remove(place);
            others.push(std::mem::replace(&mut self.progress, wanted));
            others.sort_by_key(|progress| progress.turn);
        }
    }

    /// What each engine told last, in their order, but for the last.
    pub fn engines(&self) -> impl Iterator<Item = &Progress> {
        self.earlier.iter().chain([&self.progress])
    }
}

/// Decides a system.
///
/// `backend` makes the solvers for engine and checker. The answer is about `system` as it is given, and its certificate
/// speaks of that system's predicates and clauses.
pub fn solve(
    t: &Terms,
    system: &System,
    backend: &Backend,
    options: &Options,
    control: Control<'_>,
) -> Solved {
    let run = Run::new(t, system, backend, options, control);
    let judged = pipeline::solve(&run);
    run.finish(judged)
}

/// As [`solve`], by an engine of the caller's, which is trusted with nothing. The system is not preprocessed.
pub fn solve_by(
    t: &Terms,
    system: &System,
    backend: &Backend,
    options: &Options,
    control: Control<'_>,
    engine: &dyn Fn(&Context<'_>) -> Answer,
) -> Solved {
    let run = Run::new(t, system, backend, options, control);
    let found = run.find(&run.engine_limit(), None, engine);
    let judged = run.judge(found, &run.limit);
    run.finish(judged)
}

/// A run under way.
struct Run<'a> {
    t: &'a Terms,
    system: &'a System,
    backend: &'a Backend,
    options: &'a Options,
    control: Control<'a>,
    limit: Limit,
    stats: RefCell<Stats>,
    /// How many turns have begun that run at the same time as others.
    turns: Cell<u32>,
    _watch: Option<MemoryWatch>,
}

impl<'a> Run<'a> {
    fn new(
        t: &'a Terms,
        system: &'a System,
        backend: &'a Backend,
        options: &'a Options,
        control: Control<'a>,
    ) -> Self {
        Run {
            t,
            system,
            backend,
            options,
            control,
            limit: control.limit(options.timeout),
            stats: RefCell::default(),
            turns: Cell::default(),
            _watch: (options.memory).map(|bytes| MemoryWatch::start(bytes, control.stop)),
        }
    }

    /// What an engine answers within a limit, unchecked; it is told these invariants.
    fn find(
        &self,
        limit: &Limit,
        known: Option<&Model>,
        engine: &dyn Fn(&Context<'_>) -> Answer,
    ) -> Answer {
        let context = Context {
            terms: self.t,
            backend: self.backend,
            limit: limit.clone(),
            invariants: known,
            progress: &|progress| self.tell(progress),
        };
        let started = Instant::now();
        let found = guarded(|| engine(&context));
        self.stats.borrow_mut().engine_time += started.elapsed();
        found
    }

    /// The limit of engines.
    fn engine_limit(&self) -> Limit {
        match self.options.invariants {
            true => invariants::engine_limit(&self.limit),
            false => self.limit.clone(),
        }
    }

    /// The limit of taking back and checking a certificate while the engine that is likeliest to decide the system is still to come, or others are under way: a part of what
    /// is left (or of `all`, without a limit). A verdict that may be given unchecked needs no such limit.
    fn check_limit(&self, all: Duration) -> Limit {
        match self.options.check {
            CheckMode::Strict => {
                let left = self.limit.remaining().unwrap_or(all);
                self.limit.within(left.mul_f64(CHECK_PART))
            }
            CheckMode::Lenient => self.limit.clone(),
        }
    }

    /// An engine tells how far it is.
    fn tell(&self, progress: &Progress) {
        self.stats.borrow_mut().note(progress);
        (self.control.progress)(progress);
    }

    /// What may be passed on of an answer about the run's system; its certificate is checked within that limit.
    fn judge(&self, found: Answer, limit: &Limit) -> Judgement {
        let started = Instant::now();
        let judged = judge(
            self.t,
            self.system,
            found,
            self.backend,
            self.options,
            self.control,
            limit,
        );
        self.stats.borrow_mut().check_time += started.elapsed();
        judged
    }

    fn finish(self, mut judged: Judgement) -> Solved {
        let mut stats = self.stats.take();
        stats.ticks += self.limit.ticks();
        if let Answer::Unknown(unknown) = &mut judged.answer {
            unknown.safe_depth = unknown.safe_depth.max(stats.progress.safe_depth);
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

impl<'a> Control<'a> {
    /// No end but by the token, nobody to be told, no other solvers to ask.
    pub fn new(stop: &'a Stop) -> Self {
        Control {
            stop,
            deadline: None,
            progress: &|_| {},
            cross_checkers: &[],
        }
    }

    fn limit(&self, timeout: Option<Duration>) -> Limit {
        // A time limit that no clock can express is none.
        let own = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let deadline = self.deadline.into_iter().chain(own).min();
        Limit::new(deadline, self.stop.token().clone())
    }
}

/// The answer of a computation; `unknown` if it panics.
fn guarded(computation: impl FnOnce() -> Answer) -> Answer {
    // The store of terms only grows and is consistent between any two of its operations, so it may be used afterwards.
    catch_unwind(AssertUnwindSafe(computation)).unwrap_or_else(|panic| {
        let message = panic_message(&*panic).to_owned();
        Answer::Unknown(Unknown::new(UnknownReason::Fault(message)))
    })
}

/// What a panic says.
fn panic_message(panic: &(dyn Any + Send)) -> &str {
    (panic.downcast_ref::<&str>().copied())
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}
