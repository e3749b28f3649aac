//! Measurements of a run as text and as JSON.

use crate::chc::{Answer, UnknownReason};
use crate::portfolio::{Solved, Stats, memory};
use crate::smt::Statistics;
use serde_json::{Value as Json, json};
use std::time::Duration;

/// How statistics are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StatsFormat {
    /// One line a figure.
    #[default]
    Text,
    /// One JSON object on one line.
    Json,
}

/// The measurements of one check, from the reading of the input to the verdict.
#[derive(Clone, Debug)]
pub struct CheckStats {
    verdict: &'static str,
    reason: Option<UnknownReason>,
    safe_depth: Option<u32>,
    stats: Stats,
    solver: Statistics,
    total_time: Duration,
    peak_memory: Option<u64>,
}

impl CheckStats {
    /// Takes down what is known of a run: `solver` are the counts of its SMT solver, `total_time` is since the program began.
    pub fn new(solved: &Solved, solver: Statistics, total_time: Duration) -> Self {
        let unknown = match &solved.answer {
            Answer::Unknown(unknown) => Some(unknown),
            Answer::Sat(_) | Answer::Unsat(_) => None,
        };
        CheckStats {
            verdict: solved.answer.verdict(),
            reason: unknown.map(|u| u.reason.clone()),
            safe_depth: unknown.map_or(solved.stats.progress.safe_depth, |u| u.safe_depth),
            stats: solved.stats.clone(),
            solver,
            total_time,
            peak_memory: memory::peak_bytes(),
        }
    }

    /// The figures in the form asked for, without a newline at the end. Times are seconds, memory is bytes.
    pub fn text(&self, format: StatsFormat) -> String {
        let rows = self.rows();
        match format {
            StatsFormat::Json => {
                let object = rows
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value));
                Json::Object(object.collect()).to_string()
            }
            StatsFormat::Text => {
                let line = |(name, value): (&str, Json)| match value {
                    Json::Null => None,
                    Json::String(text) => Some(format!("; {name}: {text}")),
                    other => Some(format!("; {name}: {other}")),
                };
                rows.into_iter()
                    .filter_map(line)
                    .collect::<Vec<_>>()
                    .join("\n")
            }
        }
    }

    /// Name and value of each figure.
    fn rows(&self) -> Vec<(&'static str, Json)> {
        let seconds = |time: Duration| json!(time.as_millis() as f64 / 1000.0);
        let progress = &self.stats.progress;
        vec![
            ("verdict", json!(self.verdict)),
            (
                "reason",
                json!(self.reason.as_ref().map(ToString::to_string)),
            ),
            ("engine", json!(progress.engine)),
            ("safe-depth", json!(self.safe_depth)),
            ("depth", json!(progress.depth)),
            ("lemmas", json!(progress.lemmas)),
            ("obligations", json!(progress.obligations)),
            ("queries", json!(self.solver.queries())),
            ("queries-sat", json!(self.solver.sat)),
            ("queries-unsat", json!(self.solver.unsat)),
            ("queries-unknown", json!(self.solver.unknown)),
            ("solver-time", seconds(self.solver.time)),
            ("solver-starts", json!(self.solver.starts)),
            ("engine-time", seconds(self.stats.engine_time)),
            ("check-time", seconds(self.stats.check_time)),
            ("total-time", seconds(self.total_time)),
            ("peak-memory", json!(self.peak_memory)),
        ]
    }
}
