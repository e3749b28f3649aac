//! Measurements of a run as text and as JSON.

use crate::chc::{Answer, Model, Unknown, UnknownReason};
use crate::os::memory;
use crate::portfolio::{Solved, Stats, TurnProgress};
use crate::smt::{Row, Statistics};
use crate::term::Term;
use crate::transform::{PassRun, Size};
use serde_json::{Value as Json, json};
use std::time::Duration;

/// The format of statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StatsFormat {
    /// One line for each figure.
    #[default]
    Text,
    /// One JSON object on one line.
    Json,
}

/// The number of predicates whose interpretation is not `true`.
fn said(model: &Model) -> usize {
    let bodies = model.interpretations.iter().map(|i| i.body);
    bodies.filter(|&body| body != Term::TRUE).count()
}

/// What is known where there is no verdict.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// An interpretation of the predicates of which everything derivable is an instance, as
    /// SMT-LIB text.
    pub model: String,
    /// The first clause that does not hold in it, with values of its variables; `None` if that was
    /// not found quickly.
    pub failing: Option<String>,
}

/// The measurements of one check, from the reading of the input to the verdict.
#[derive(Clone, Debug)]
pub struct CheckStats {
    verdict: &'static str,
    reason: Option<UnknownReason>,
    safe_depth: Option<u32>,
    /// The number of predicates with an invariant, if there is no verdict.
    invariants: Option<usize>,
    candidate: Option<Candidate>,
    stats: Stats,
    solver: Statistics,
    total_time: Duration,
    peak_memory: Option<u64>,
}

impl CheckStats {
    /// Collects the measurements of a run: `solver` are the statistics of its SMT solvers,
    /// `total_time` is the time since the program began.
    pub fn new(solved: &Solved, solver: Statistics, total_time: Duration) -> Self {
        if let Answer::Unknown(unknown) = &solved.answer {
            return CheckStats::unknown(unknown, solved.stats.clone(), solver, total_time);
        }
        CheckStats {
            verdict: solved.answer.verdict(),
            reason: None,
            safe_depth: solved.stats.progress.safe_depth,
            invariants: None,
            candidate: None,
            stats: solved.stats.clone(),
            solver,
            total_time,
            peak_memory: memory::peak_bytes(),
        }
    }

    /// As [`CheckStats::new`], for a run without a verdict.
    pub fn unknown(
        unknown: &Unknown,
        stats: Stats,
        solver: Statistics,
        total_time: Duration,
    ) -> Self {
        CheckStats {
            verdict: "unknown",
            reason: Some(unknown.reason.clone()),
            safe_depth: unknown.safe_depth,
            invariants: unknown.invariants.as_ref().map(said),
            candidate: None,
            stats,
            solver,
            total_time,
            peak_memory: memory::peak_bytes(),
        }
    }

    /// The same, with what is known in place of a verdict.
    #[must_use]
    pub fn with_candidate(self, candidate: Option<&Candidate>) -> Self {
        CheckStats {
            candidate: candidate.cloned(),
            ..self
        }
    }

    /// The figures in the given format, without a newline at the end. Times are in seconds, memory
    /// is in bytes.
    pub fn text(&self, format: StatsFormat) -> String {
        let rows = self.rows().into_iter();
        match format {
            StatsFormat::Json => {
                let object = rows
                    .map(|(name, value)| (name.to_owned(), value))
                    .chain(self.knowledge_json())
                    .chain([("ledger".to_owned(), self.ledger_json())])
                    .chain([("passes".to_owned(), self.passes_json())]);
                Json::Object(object.collect()).to_string()
            }
            StatsFormat::Text => {
                let line = |(name, value): (&str, Json)| match value {
                    Json::Null => None,
                    Json::String(text) => Some(format!("; {name}: {text}")),
                    other => Some(format!("; {name}: {other}")),
                };
                let passes = self.stats.passes.iter().filter(|run| run.changed);
                rows.filter_map(line)
                    .chain(passes.map(|run| format!("; {run}")))
                    .chain(self.ledger_lines())
                    .collect::<Vec<_>>()
                    .join("\n")
            }
        }
    }

    /// The figures as one s-expression of keywords and values, as Z3 prints them.
    pub fn smtlib_text(&self) -> String {
        let pair = |(name, value): (&str, Json)| match value {
            Json::Null => None,
            Json::String(text) => Some(format!(":{name} \"{}\"", text.replace('"', "\"\""))),
            other => Some(format!(":{name} {other}")),
        };
        let pairs: Vec<String> = self.rows().into_iter().filter_map(pair).collect();
        format!("({})", pairs.join("\n "))
    }

    /// The queries by client and purpose.
    #[cfg(feature = "cli")]
    pub(super) fn ledger(&self) -> &[Row] {
        &self.solver.rows
    }

    /// The figures that there are, each with its name.
    #[cfg(feature = "cli")]
    pub(super) fn shown(&self) -> impl Iterator<Item = (&'static str, String)> {
        let text = |(name, value)| match value {
            Json::Null => None,
            Json::String(text) => Some((name, text)),
            other => Some((name, other.to_string())),
        };
        self.rows().into_iter().filter_map(text)
    }

    /// Where there is no verdict: what was tried, what holds of everything derivable, and the first
    /// clause that does not follow from it.
    fn knowledge_json(&self) -> Vec<(String, Json)> {
        if self.reason.is_none() {
            return Vec::new();
        }
        let tried = self.stats.engines().map(progress_json);
        let candidate = self.candidate.as_ref();
        let failing = candidate.and_then(|candidate| candidate.failing.as_ref());
        vec![
            ("tried".to_owned(), tried.collect()),
            (
                "candidate".to_owned(),
                json!(candidate.map(|candidate| &candidate.model)),
            ),
            ("failing".to_owned(), json!(failing)),
        ]
    }

    /// The queries by client and purpose: a list of objects.
    fn ledger_json(&self) -> Json {
        let row = |row: &Row| {
            json!({
                "client": row.client,
                "purpose": row.purpose,
                "queries": row.counts.queries(),
                "sat": row.counts.sat,
                "unsat": row.counts.unsat,
                "unknown": row.counts.unknown,
                "ticks": row.counts.ticks,
                "time": seconds(row.counts.time),
            })
        };
        self.solver.rows.iter().map(row).collect()
    }

    /// The effect of each pass of preprocessing: a list of objects.
    fn passes_json(&self) -> Json {
        let size = |size: Size| {
            json!({
                "clauses": size.clauses,
                "predicates": size.preds,
                "arguments": size.args,
                "variables": size.vars,
            })
        };
        let run = |run: &PassRun| {
            json!({
                "pass": run.pass.name(),
                "round": run.round,
                "changed": run.changed,
                "before": size(run.before),
                "after": size(run.after),
                "time": seconds(run.time),
            })
        };
        self.stats.passes.iter().map(run).collect()
    }

    /// The rows of the ledger as lines: `; pdr, drop literals: 12 queries (3 sat, 9 unsat), 3456
    /// ticks, 5 %, 0.034 s`, in percent of the ticks of all rows.
    fn ledger_lines(&self) -> impl Iterator<Item = String> {
        let all = self.solver.total().ticks.max(1);
        self.solver.rows.iter().map(move |row| {
            let (client, purpose, counts) = (row.client, &row.purpose, row.counts);
            let outcomes = [
                (counts.sat, "sat"),
                (counts.unsat, "unsat"),
                (counts.unknown, "unknown"),
            ];
            let outcomes = outcomes.iter().filter(|(queries, _)| *queries > 0);
            let outcomes: Vec<String> = outcomes.map(|(n, name)| format!("{n} {name}")).collect();
            let (queries, outcomes) = (counts.queries(), outcomes.join(", "));
            let (ticks, time) = (counts.ticks, counts.time.as_secs_f64());
            let percent = (100.0 * ticks as f64 / all as f64).round();
            format!(
                "; {client}, {purpose}: {queries} queries ({outcomes}), {ticks} ticks, {percent} %, {time:.3} s"
            )
        })
    }

    /// The name and the value of each figure.
    fn rows(&self) -> Vec<(&'static str, Json)> {
        let (progress, solver) = (&self.stats.progress, self.solver.total());
        vec![
            ("verdict", json!(self.verdict)),
            (
                "reason",
                json!(self.reason.as_ref().map(ToString::to_string)),
            ),
            ("engine", json!(progress.engine)),
            (
                "decided-by",
                json!(progress.decision.map(|d| d.case.to_string())),
            ),
            ("decided-at", json!(progress.decision.map(|d| d.at))),
            (
                "refinements",
                json!(progress.refined.map(|r| r.refinements)),
            ),
            ("judged", json!(progress.refined.map(|r| r.judged))),
            ("perfect", json!(progress.refined.map(|r| r.perfect))),
            (
                "without-assertions",
                json!(progress.refined.map(|r| r.failures)),
            ),
            ("safe-depth", json!(self.safe_depth)),
            ("invariants", json!(self.invariants)),
            ("depth", json!(progress.depth)),
            ("lemmas", json!(progress.lemmas)),
            ("obligations", json!(progress.obligations)),
            ("queries", json!(solver.queries())),
            ("queries-sat", json!(solver.sat)),
            ("queries-unsat", json!(solver.unsat)),
            ("queries-unknown", json!(solver.unknown)),
            ("solver-ticks", json!(solver.ticks)),
            ("solver-time", seconds(solver.time)),
            ("solver-starts", json!(self.solver.processes.starts)),
            ("ticks", json!(self.stats.ticks)),
            ("preprocess-time", seconds(self.stats.preprocess_time)),
            ("engine-time", seconds(self.stats.engine_time)),
            ("lift-time", seconds(self.stats.lift_time)),
            ("check-time", seconds(self.stats.check_time)),
            ("total-time", seconds(self.total_time)),
            ("peak-memory", json!(self.peak_memory)),
        ]
    }
}

/// How far an engine is, as a JSON object.
pub(super) fn progress_json(progress: &TurnProgress) -> Json {
    json!({
        "engine": progress.engine,
        "depth": progress.depth,
        "safe-depth": progress.safe_depth,
        "lemmas": progress.lemmas,
        "obligations": progress.obligations,
        "queries": progress.queries,
    })
}

/// A time in seconds, to the millisecond.
fn seconds(time: Duration) -> Json {
    json!(time.as_millis() as f64 / 1000.0)
}
