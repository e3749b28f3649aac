//! Answers with the measurements of their runs.

use crate::certify::ModelError;
use crate::chc::Answer;
use crate::engine::Progress;
use crate::gate::Check;
use crate::transform::PassRun;
use std::ops::Deref;
use std::time::Duration;

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

/// How far the engine of a turn is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TurnProgress {
    /// Which of the turns that run at the same time, from 1; 0 where one runs at a time.
    pub turn: u32,
    /// How far its engine is.
    pub progress: Progress,
}

impl Deref for TurnProgress {
    type Target = Progress;

    fn deref(&self) -> &Progress {
        &self.progress
    }
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
    pub progress: TurnProgress,
    /// The last that each of the others told.
    pub earlier: Vec<TurnProgress>,
}

impl Stats {
    /// Takes down what an engine tells.
    pub fn note(&mut self, progress: &TurnProgress) {
        self.favour(progress.turn);
        let last = std::mem::replace(&mut self.progress, progress.clone());
        // Nothing has been told before where there is no name.
        let same = (last.engine, last.turn) == (progress.engine, progress.turn);
        if !same && !last.engine.is_empty() {
            self.earlier.push(last);
        }
    }

    /// Of engines that run at the same time, the one with that turn is the last to be heard of, if it was heard at all.
    pub(super) fn favour(&mut self, turn: u32) {
        let others = &mut self.earlier;
        // A turn 0 is one of those that follow each other.
        if let Some(place) = others.iter().position(|p| turn > 0 && p.turn == turn) {
            let wanted = others.remove(place);
            others.push(std::mem::replace(&mut self.progress, wanted));
            others.sort_by_key(|progress| progress.turn);
        }
    }

    /// What each engine told last, in their order, but for the last.
    pub fn engines(&self) -> impl Iterator<Item = &TurnProgress> {
        self.earlier.iter().chain([&self.progress])
    }
}
