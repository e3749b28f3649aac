//! What a caller says of a run: how to solve, when to end, whom to tell.

use super::choice::Choice;
use super::stats::TurnProgress;
use crate::engine::Settings;
use crate::gate::CheckMode;
use crate::os::{Jobs, Stop};
use crate::smt::{Backend, Limit};
use crate::transform;
use std::time::{Duration, Instant};

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

/// The caller's hand on a run.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Ends the run.
    pub stop: &'a Stop,
    /// Ends it, too.
    pub deadline: Option<Instant>,
    /// Is told how far the engine is, at most some hundred times a second.
    pub progress: &'a dyn Fn(&TurnProgress),
    /// Solvers, with their names, that a model must be accepted by as well.
    pub cross_checkers: &'a [(String, Backend)],
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

    pub(super) fn limit(&self, timeout: Option<Duration>) -> Limit {
        // A time limit that no clock can express is none.
        let own = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let deadline = self.deadline.into_iter().chain(own).min();
        Limit::new(deadline, self.stop.token().clone())
    }
}
