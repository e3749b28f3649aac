//! Answers with the measurements of their runs.

use crate::certify::ModelError;
use crate::chc::Answer;
use crate::engine::Progress;
use crate::gate::Check;
use crate::transform::PassRun;
use std::ops::Deref;
use std::time::Duration;

/// An answer with the measurements of its run.
#[derive(Debug)]
pub struct Solved {
    /// The answer.
    pub answer: Answer,
    /// The checker's result.
    pub check: Check,
    /// The results of the other solvers for a model, with their names.
    pub cross_checks: Vec<(String, Result<(), ModelError>)>,
    /// Measurements.
    pub stats: Stats,
}

/// The progress of the engine of a turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TurnProgress {
    /// The number of the turn, from 1, if several run at the same time; otherwise 0.
    pub turn: u32,
    /// The progress of its engine.
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
    /// The effects of the passes of preprocessing, for each time that the system was solved.
    pub passes: Vec<PassRun>,
    /// The time that engines spent on the search, summed over engines that ran at the same time.
    pub engine_time: Duration,
    /// The time spent on taking certificates back to the system as it was given.
    pub lift_time: Duration,
    /// The time spent on checking the certificate.
    pub check_time: Duration,
    /// The work of the run in ticks, summed over all threads.
    pub ticks: u64,
    /// The last progress report: of the turn that answered, if several ran; otherwise of the last
    /// turn that reported.
    pub progress: TurnProgress,
    /// The last report of each of the other turns.
    pub earlier: Vec<TurnProgress>,
}

impl Stats {
    /// Adds the measurements of a run for a part of this one, but not its ticks.
    pub(super) fn add(&mut self, inner: Stats) {
        self.preprocess_time += inner.preprocess_time;
        self.passes.extend(inner.passes);
        self.engine_time += inner.engine_time;
        self.lift_time += inner.lift_time;
        self.check_time += inner.check_time;
        let reports = inner.earlier.iter().chain([&inner.progress]);
        let reports = reports.filter(|report| !report.engine.is_empty());
        reports.for_each(|report| self.note(report));
    }

    /// Takes a progress report.
    pub fn note(&mut self, progress: &TurnProgress) {
        self.favour(progress.turn);
        let last = std::mem::replace(&mut self.progress, progress.clone());
        // Without a name there was no report yet.
        let same = (last.engine, last.turn) == (progress.engine, progress.turn);
        if !same && !last.engine.is_empty() {
            self.earlier.push(last);
        }
    }

    /// Makes the last report of this turn the last one of all, if there is one. This is for turns
    /// that run at the same time.
    pub(super) fn favour(&mut self, turn: u32) {
        let others = &mut self.earlier;
        // Turn 0 is one of several turns that follow each other.
        if let Some(place) = others.iter().position(|p| turn > 0 && p.turn == turn) {
            let wanted = others.remove(place);
            others.push(std::mem::replace(&mut self.progress, wanted));
            others.sort_by_key(|progress| progress.turn);
        }
    }

    /// The last report of each engine, in their order, without the last one of all.
    pub fn engines(&self) -> impl Iterator<Item = &TurnProgress> {
        self.earlier.iter().chain([&self.progress])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_told_apart_in_statistics() {
        let mut stats = Stats::default();
        let tell = |engine, turn, depth| TurnProgress {
            turn,
            progress: Progress {
                engine,
                depth,
                ..Progress::default()
            },
        };
        for progress in [
            tell("pdr", 1, 1),
            tell("bmc", 2, 1),
            tell("pdr", 1, 2),
            tell("spacer", 3, 1),
            tell("bmc", 2, 2),
            tell("spacer", 4, 1),
            tell("pdr", 1, 3),
        ] {
            stats.note(&progress);
        }
        stats.favour(2);
        let all: Vec<_> = stats.engines().map(|p| (p.turn, p.depth)).collect();
        assert_eq!(all, [(1, 3), (3, 1), (4, 1), (2, 2)]);
    }
}
