//! The options of a run, and its control: when to end, who hears of progress.

use super::choice::Choice;
use super::stats::TurnProgress;
use crate::engine::EngineSettings;
use crate::gate::CheckMode;
use crate::os::{Jobs, Stop, limits};
use crate::smt::{Backend, Limit};
use crate::transform;
use std::time::{Duration, Instant};

/// The options of a run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The options of preprocessing.
    pub preprocess: transform::Options,
    /// The choice of the engine.
    pub engine: Choice,
    /// The number of engines of [`Choice::Auto`] that run at the same time; any other engine runs
    /// alone. With more than one, which of them answers first, and so the certificate, may differ
    /// from run to run.
    pub jobs: Jobs,
    /// The options of the engines.
    pub settings: EngineSettings,
    /// What to do with a verdict whose certificate could not be checked in time.
    pub check: CheckMode,
    /// Are invariants wanted if there is no verdict? Then a small part of the time is kept for
    /// them.
    pub invariants: bool,
    /// Is the graph of abstract states wanted that an engine builds? It comes with the last
    /// [`Progress`](crate::engine::Progress) of the engine.
    pub graph: bool,
    /// Must refutations have all iterations of their loops? One in which a loop is not written out
    /// is no verdict then.
    pub written_out: bool,
    /// The time limit, which includes the check of the certificate.
    pub timeout: Option<Duration>,
    /// The budget of work in ticks ([`crate::work`]), which includes the check of the certificate.
    /// A run ends at the same place of its budget on every machine.
    pub budget: Option<u64>,
    /// The largest number of resident bytes, children included.
    pub memory: Option<u64>,
}

/// The caller's control of a run.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Ends the run.
    pub stop: &'a Stop,
    /// Ends the run at this time.
    pub deadline: Option<Instant>,
    /// Receives the progress of the engine, at most some hundred times a second.
    pub progress: &'a dyn Fn(&TurnProgress),
    /// Solvers, with their names, that must accept a model as well.
    pub cross_checkers: &'a [(String, Backend)],
}

impl<'a> Control<'a> {
    /// A control by the token alone, without a deadline, progress reports or cross-checks.
    pub fn new(stop: &'a Stop) -> Self {
        Control {
            stop,
            deadline: None,
            progress: &|_| {},
            cross_checkers: &[],
        }
    }

    pub(super) fn limit(&self, options: &Options) -> Limit {
        // A time limit that no clock can express is no limit.
        let own = |timeout| Instant::now().checked_add(timeout);
        let own = options.timeout.and_then(own);
        let deadline = self.deadline.into_iter().chain(own).min();
        let mut limit = Limit::new(deadline, self.stop.token().clone());
        // A run that is limited by work is the same on every machine.
        if options.budget.is_none()
            && let Some(end) = limits::processor_time()
        {
            limit = limit.with_processor_time(end);
        }
        options.budget.map_or(limit.clone(), |b| limit.part(b))
    }
}
