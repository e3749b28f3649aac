//! What a run did, counted and timed.

use horn::report::StatsFormat;
use horn::smt::{Failure, Outcome};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Counts of a run.
pub(crate) struct Tally {
    started: Instant,
    /// Time spent in the solver.
    solving: Duration,
    sat: u64,
    unsat: u64,
    unknown: u64,
    /// Why checks were not decided, and how many for each reason.
    reasons: BTreeMap<String, u64>,
}

impl Tally {
    /// A run begins.
    pub(crate) fn start() -> Self {
        Tally {
            started: Instant::now(),
            solving: Duration::ZERO,
            sat: 0,
            unsat: 0,
            unknown: 0,
            reasons: BTreeMap::new(),
        }
    }

    /// Asks the solver something, and counts the time.
    pub(crate) fn time<R>(&mut self, ask: impl FnOnce() -> R) -> R {
        let begun = Instant::now();
        let answer = ask();
        self.solving += begun.elapsed();
        answer
    }

    /// Counts an answer.
    pub(crate) fn count(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Sat => self.sat += 1,
            Outcome::Unsat => self.unsat += 1,
            Outcome::Unknown(why) => {
                self.unknown += 1;
                *self.reasons.entry(reason(why)).or_default() += 1;
            }
        }
    }

    fn checks(&self) -> u64 {
        self.sat + self.unsat + self.unknown
    }

    /// Checks in a second of the solver's time.
    fn rate(&self) -> f64 {
        self.checks() as f64 / self.solving.as_secs_f64().max(1e-9)
    }

    /// The figures by name, as `:all-statistics` and JSON have them. Times are seconds.
    pub(crate) fn rows(&self) -> Vec<(&'static str, Json)> {
        vec![
            ("checks", json!(self.checks())),
            ("sat", json!(self.sat)),
            ("unsat", json!(self.unsat)),
            ("unknown", json!(self.unknown)),
            ("solver-time", json!(self.solving.as_secs_f64())),
            ("total-time", json!(self.started.elapsed().as_secs_f64())),
        ]
    }

    /// The figures as one line.
    pub(crate) fn text(&self, format: StatsFormat, file: &str, solver: &str) -> String {
        match format {
            StatsFormat::Json => {
                let mut object: serde_json::Map<String, Json> = (self.rows().into_iter())
                    .map(|(name, value)| (name.replace('-', "_"), value))
                    .collect();
                object.insert("checks_per_second".to_owned(), json!(self.rate()));
                object.insert("unknown_reasons".to_owned(), json!(self.reasons));
                object.insert("file".to_owned(), json!(file));
                object.insert("solver".to_owned(), json!(solver));
                Json::Object(object).to_string()
            }
            StatsFormat::Text => {
                let (checks, rate) = (self.checks(), self.rate());
                let (sat, unsat, unknown) = (self.sat, self.unsat, self.unknown);
                let solving = self.solving.as_secs_f64();
                let total = self.started.elapsed().as_secs_f64();
                let reasons = self.reasons.iter().map(|(why, n)| format!("{why}: {n}"));
                let reasons: Vec<String> = reasons.collect();
                let reasons = match &reasons[..] {
                    [] => String::new(),
                    some => format!(" ({})", some.join("; ")),
                };
                format!(
                    "; {file}: {checks} checks in {solving:.3} s of {solver} ({rate:.1}/s), {total:.3} s in all: \
                     {sat} sat, {unsat} unsat, {unknown} unknown{reasons}"
                )
            }
        }
    }
}

/// A reason without what is different from check to check.
fn reason(why: &Failure) -> String {
    match why {
        Failure::Broken(_) => "the solver failed".to_owned(),
        other => other.to_string(),
    }
}
