//! Which undefined behaviour a proof assumes not to happen: accesses to memory that is not there,
//! divisions by zero, shifts by impossible amounts, and conversions out of range, unless a search
//! of bounded work excludes them. And expressions like `i = i++`, if the program has some. It also
//! assumes an order of calls that C leaves open.

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

/// What a proof assumes beside what it proves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// Of undefined behaviour.
    pub behaviour: Behaviour,
    /// Of the order of calls: where it matters, and why.
    pub order: Vec<(Place, String)>,
}

/// What a proof assumes of undefined behaviour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Behaviour {
    /// Nothing: no run has undefined behaviour of these kinds.
    Nothing,
    /// The behaviour at this place does not happen, and there is a run in which it does.
    Violated(Place, String),
    /// The behaviour at these places does not happen, which was not shown.
    Open(Vec<(Place, String)>),
}

/// The first places, with what is said of them.
fn named(places: &[(Place, String)]) -> String {
    let named = places.iter().take(PLACES);
    let named: Vec<String> = named
        .map(|(place, what)| format!("{place}: {what}"))
        .collect();
    named.join("; ")
}

impl Assumption {
    /// What the user of a proof must know: notes, each a line.
    pub fn note(&self) -> Option<String> {
        const ORDER: &str = "note: TRUE assumes that calls are made from left to right";
        let order = (!self.order.is_empty()).then(|| format!("{ORDER}: {}", named(&self.order)));
        let notes: Vec<String> = self.behaviour.note().into_iter().chain(order).collect();
        (!notes.is_empty()).then(|| notes.join("\n"))
    }
}

impl Behaviour {
    /// The one that is left where nothing is open but this.
    fn of_open(places: Vec<(Place, String)>) -> Behaviour {
        match places.is_empty() {
            true => Behaviour::Nothing,
            false => Behaviour::Open(places),
        }
    }

    fn note(&self) -> Option<String> {
        const HEAD: &str = "note: TRUE assumes that there is no undefined behaviour";
        match self {
            Behaviour::Nothing => None,
            Behaviour::Violated(place, what) => {
                Some(format!("{HEAD}, and there may be some at {place}: {what}"))
            }
            Behaviour::Open(places) => {
                Some(format!("{HEAD}, which was not shown of: {}", named(places)))
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
        Ok(Assumption {
            behaviour: self.behaviour(&program, &open, ticks),
            order: program.unordered_calls().to_vec(),
        })
    }

    /// What a proof assumes of undefined behaviour that the program has checks of.
    fn behaviour(&self, program: &CProgram, open: &[Property], ticks: u64) -> Behaviour {
        let unsequenced = program.unsequenced().to_vec();
        let violations = match open.is_empty() {
            true => Vec::new(),
            false => program.violations(),
        };
        if violations.is_empty() {
            return Behaviour::of_open(unsequenced);
        }
        let options = Options {
            budget: Some(ticks.max(LEAST)),
            ..self.options.clone()
        };
        let verifier = Verifier {
            program,
            options: &options,
            asks_machine: false,
            ..self.verifier(program, 1)
        };
        match verifier.verify(self.encoding).verdict {
            Verdict::True { .. } => Behaviour::of_open(unsequenced),
            Verdict::False(found) => {
                let what = match &found.end {
                    RunEnd::Error(_, what) => what.split_once(": ").map_or("", |(_, what)| what),
                    _ => "a violation",
                };
                Behaviour::Violated(found.end.place().clone(), what.to_owned())
            }
            Verdict::Unknown(_) | Verdict::Fault(_) => {
                Behaviour::Open([unsequenced, violations].concat())
            }
        }
    }
}
