//! Which undefined behaviour a proof assumes not to happen: accesses to memory that is not there,
//! divisions by zero, shifts by impossible amounts, and conversions out of range, unless a search
//! of bounded work excludes them. And expressions like `i = i++`, if the program has some.

use super::checker::Checker;
use super::verdict::Verdict;
use super::verifier::Verifier;
use crate::cfront::{CError, CProgram, Place, Property, RunEnd};
use crate::portfolio::Options;
use crate::work::milliseconds;

/// The question has the ticks that the proof has cost, but not fewer than these, about 1 s. The
/// value was not tuned.
const LEAST: u64 = milliseconds(1_000);
/// The behaviour, which the encoding of other properties takes not to happen.
const ASSUMED: [Property; 4] = [
    Property::ValidDeref,
    Property::ValidFree,
    Property::NoDivisionByZero,
    Property::NoUndefinedResult,
];
/// A note names up to 3 places. The value was not tuned.
const PLACES: usize = 3;

/// What a proof assumes of undefined behaviour beside what it proves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Assumption {
    /// Nothing: no run has undefined behaviour of these kinds.
    Nothing,
    /// The behaviour at this place does not happen, and there is a run in which it does.
    Violated(Place, String),
    /// The behaviour at these places does not happen, which was not shown.
    Open(Vec<(Place, String)>),
}

impl Assumption {
    /// The one that is left where nothing is open but this.
    fn of_open(places: Vec<(Place, String)>) -> Assumption {
        match places.is_empty() {
            true => Assumption::Nothing,
            false => Assumption::Open(places),
        }
    }

    /// What the user of a proof must know.
    pub fn note(&self) -> Option<String> {
        const HEAD: &str = "note: TRUE assumes that there is no undefined behaviour";
        match self {
            Assumption::Nothing => None,
            Assumption::Violated(place, what) => {
                Some(format!("{HEAD}, and there may be some at {place}: {what}"))
            }
            Assumption::Open(places) => {
                let named = places.iter().take(PLACES);
                let named: Vec<String> = named
                    .map(|(place, what)| format!("{place}: {what}"))
                    .collect();
                let named = named.join("; ");
                Some(format!("{HEAD}, which was not shown of: {named}"))
            }
        }
    }
}

impl Checker<'_> {
    /// What a proof of these properties assumes that has cost this number of ticks.
    ///
    /// # Errors
    ///
    /// The program cannot be read with checks of the behaviour that is assumed.
    pub fn assumption(&self, proved: &[Property], ticks: u64) -> Result<Assumption, CError> {
        let open = ASSUMED.iter().filter(|property| !proved.contains(property));
        let open: Vec<Property> = open.copied().collect();
        let program = CProgram::read_for(self.file, &open)?;
        let unsequenced = program.unsequenced().to_vec();
        let violations = match open.is_empty() {
            true => Vec::new(),
            false => program.violations(),
        };
        if violations.is_empty() {
            return Ok(Assumption::of_open(unsequenced));
        }
        let options = Options {
            budget: Some(ticks.max(LEAST)),
            ..self.options.clone()
        };
        let verifier = Verifier {
            program: &program,
            options: &options,
            asks_machine: false,
            ..self.verifier(&program, 1)
        };
        Ok(match verifier.verify(self.encoding).verdict {
            Verdict::True { .. } => Assumption::of_open(unsequenced),
            Verdict::False(found) => {
                let what = match &found.end {
                    RunEnd::Error(_, what) => what.split_once(": ").map_or("", |(_, what)| what),
                    _ => "a violation",
                };
                Assumption::Violated(found.end.place().clone(), what.to_owned())
            }
            Verdict::Unknown(_) | Verdict::Fault(_) => {
                Assumption::Open([unsequenced, violations].concat())
            }
        })
    }
}
