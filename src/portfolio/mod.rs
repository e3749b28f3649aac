//! From a system to a certified answer: chooses, runs, bounds and cancels engines, and has their
//! certificates checked.
//!
//! [`solve`] is the entry point. It returns a verdict only if the checker has accepted its
//! certificate, unless the caller chose [`CheckMode::Lenient`]; then the judgement says so. A panic
//! in an engine becomes an answer.
//!
//! Where to read: `pipeline` is the way of a system to an answer; `turns` is the schedule of
//! `auto`, `relay` runs it on one thread, `race` on several; `findings` is what turns found so far,
//! `outcome` what comes of a search; `knowing` begins with invariants of a similar system, which
//! `knowledge` keeps, and solves what they leave open (`open_part`); `run`
//! holds the limits and statistics of a run; `options`, `choice` and `stats` are what callers see.

mod choice;
mod findings;
#[cfg(test)]
mod fixture;
mod knowing;
mod knowledge;
mod open_part;
mod options;
mod outcome;
mod pipeline;
mod race;
mod relay;
mod run;
mod stats;
mod turns;

use crate::chc::{Answer, System};
use crate::engine::Context;
use crate::smt::Backend;
use crate::term::Terms;
use run::SearchRun;

pub use crate::gate::{Check, CheckMode};
pub use crate::os::{Jobs, Stop};
pub use choice::Choice;
pub use findings::Contradiction;
pub use knowing::solve_knowing;
pub use knowledge::Knowledge;
pub use options::{Control, Options};
pub use stats::{Solved, Stats, TurnProgress};

#[cfg(feature = "cli")]
pub(crate) use race::THREAD;

/// Decides a system.
///
/// `backend` makes the solvers for engine and checker. The answer is about `system` as it is given,
/// and its certificate speaks of that system's predicates and clauses.
pub fn solve(
    t: &Terms,
    system: &System,
    backend: &Backend,
    options: &Options,
    control: Control<'_>,
) -> Solved {
    let run = SearchRun::new(t, system, backend, options, control);
    let judged = pipeline::solve(&run);
    run.finish(judged)
}

/// As [`solve`], by an engine of the caller, which is not trusted. The system is not preprocessed.
pub fn solve_by(
    t: &Terms,
    system: &System,
    backend: &Backend,
    options: &Options,
    control: Control<'_>,
    engine: &dyn Fn(&Context<'_>) -> Answer,
) -> Solved {
    let run = SearchRun::new(t, system, backend, options, control);
    let found = run.find(&run.engine_limit(), None, engine);
    let judged = run.judge(found, &run.limit);
    run.finish(judged)
}
