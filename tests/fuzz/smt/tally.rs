//! What was done, counted by profile.

use super::subject::Text;
use horn::smt::{Failure, SatResult};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// Counts of a profile.
#[derive(Clone, Default, Debug)]
pub(crate) struct Tally {
    pub(crate) scripts: u64,
    sat: u64,
    unsat: u64,
    /// Checks that the solver under test did not answer, by reason.
    unknown: BTreeMap<String, u64>,
    /// Models that were evaluated.
    pub(crate) models: u64,
    /// Cores that the oracle confirmed.
    pub(crate) cores: u64,
    pub(crate) proofs: u64,
    /// Proofs that were checked as texts.
    texts: u64,
    /// Proofs that have no text, by reason.
    no_texts: BTreeMap<String, u64>,
    pub(crate) interpolants: u64,
    /// Cubes that were weakened.
    pub(crate) weakened: u64,
    refused_interpolants: BTreeMap<String, u64>,
    oracle_unknown: u64,
    time: Duration,
    oracle_time: Duration,
}

impl Tally {
    /// The solver under test answered a check.
    pub(crate) fn checked(&mut self, outcome: &SatResult, time: Duration) {
        self.time += time;
        match outcome {
            SatResult::Sat => self.sat += 1,
            SatResult::Unsat => self.unsat += 1,
            SatResult::Unknown(why) => *self.unknown.entry(reason(why)).or_default() += 1,
        }
    }

    /// The oracle answered.
    pub(crate) fn asked(&mut self, outcome: &SatResult, time: Duration) {
        self.oracle_time += time;
        self.oracle_unknown += u64::from(matches!(outcome, SatResult::Unknown(_)));
    }

    /// A proof was accepted.
    pub(crate) fn proved(&mut self, text: Text) {
        self.proofs += 1;
        match text {
            Text::Unasked => {}
            Text::Accepted => self.texts += 1,
            Text::Missing(why) => *self.no_texts.entry(why).or_default() += 1,
        }
    }

    /// There were no interpolants, for this reason.
    pub(crate) fn no_interpolants(&mut self, why: String) {
        *self.refused_interpolants.entry(why).or_default() += 1;
    }

    /// Checks of the solver under test.
    pub(crate) fn checks(&self) -> u64 {
        self.sat + self.unsat + self.unknown()
    }

    /// The ones without an answer.
    pub(crate) fn unknown(&self) -> u64 {
        self.unknown.values().sum()
    }

    /// Counts what another tally has, too.
    pub(crate) fn add(&mut self, other: &Tally) {
        self.scripts += other.scripts;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.models += other.models;
        self.cores += other.cores;
        self.proofs += other.proofs;
        self.texts += other.texts;
        self.interpolants += other.interpolants;
        self.weakened += other.weakened;
        self.oracle_unknown += other.oracle_unknown;
        self.time += other.time;
        self.oracle_time += other.oracle_time;
        for (ours, theirs) in [
            (&mut self.unknown, &other.unknown),
            (&mut self.no_texts, &other.no_texts),
            (&mut self.refused_interpolants, &other.refused_interpolants),
        ] {
            for (why, count) in theirs {
                *ours.entry(why.clone()).or_default() += count;
            }
        }
    }
}

/// A reason without what is different from check to check.
fn reason(why: &Failure) -> String {
    match why {
        Failure::Broken(_) => "broken".to_owned(),
        Failure::Incomplete(_) => "incomplete".to_owned(),
        Failure::Unsupported(what) => format!("unsupported {what}"),
        other => other.to_string(),
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (checks, unknown) = (self.checks(), self.unknown());
        let share = 100.0 * unknown as f64 / checks.max(1) as f64;
        let Tally {
            scripts,
            sat,
            unsat,
            models,
            cores,
            ..
        } = self;
        write!(
            f,
            "{scripts:6} scripts, {checks:6} checks: {sat:6} sat, {unsat:6} unsat, {unknown:5} unknown ({share:.1} %); \
             {models} models, {cores} cores"
        )?;
        if self.proofs > 0 {
            write!(f, ", {} proofs, {} texts", self.proofs, self.texts)?;
        }
        if self.interpolants > 0 {
            write!(f, ", {} interpolants", self.interpolants)?;
        }
        if self.weakened > 0 {
            write!(f, ", {} weakened", self.weakened)?;
        }
        let (time, oracle_time) = (self.time.as_secs_f64(), self.oracle_time.as_secs_f64());
        write!(f, "; {time:.2} s, oracle {oracle_time:.2} s")?;
        for (what, reasons) in [
            ("unknown", &self.unknown),
            ("no interpolants", &self.refused_interpolants),
            ("no text", &self.no_texts),
        ] {
            for (why, count) in reasons {
                write!(f, "; {what}: {why}: {count}")?;
            }
        }
        match self.oracle_unknown {
            0 => Ok(()),
            count => write!(f, "; oracle unknown: {count}"),
        }
    }
}
