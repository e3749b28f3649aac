//! Does a proof over mathematical integers speak of the machine's, too? It does if no operation
//! leaves its type.
//!
//! That is a question about the same automata: can an operation leave its type, being the first to
//! do so? Until then all values are in their types, and what the proof found holds; so most
//! operations are out of the question at once, and the engine is asked about the rest, for a while.

use super::verifier::Session;
use crate::certify::{ModelError, check_model};
use crate::cfront::{CheckedProperty, EncodeOptions, Encoded, Place, RunEnd};
use crate::chc::{Answer, Model, System};
use crate::smt::Limit;
use crate::term::Terms;
use crate::work::milliseconds;
use std::fmt;

/// The ticks that the search for an operation that is not out of the question may cost. The value
/// was not tuned.
const SEARCH: u64 = milliseconds(1_000);

/// Whether operations on integers leave their types.
#[derive(Clone, Debug)]
pub enum Overflow {
    /// None does.
    Excluded,
    /// This one does, in some run.
    Reached(Place),
    /// This one may, if it is known which.
    Open(Option<Place>),
}

impl Overflow {
    /// What the user of a verdict must know.
    pub fn note(&self) -> Option<String> {
        const ASSUMED: &str = "note: TRUE assumes that signed operations do not overflow";
        match self {
            Overflow::Excluded => None,
            Overflow::Reached(place) => Some(format!("{place}: {ASSUMED}, and this one can")),
            Overflow::Open(Some(place)) => Some(format!(
                "{place}: {ASSUMED}; it is not known whether this one can"
            )),
            Overflow::Open(None) => Some(format!("{ASSUMED}, which was not shown")),
        }
    }

    /// Why there is no verdict where the machine's is another.
    pub fn contradiction(&self) -> String {
        let place = match self {
            Overflow::Reached(place) | Overflow::Open(Some(place)) => format!("{place}: "),
            Overflow::Excluded | Overflow::Open(None) => String::new(),
        };
        format!(
            "{place}the error is reached only where signed operations overflow: FALSE with --int=wrap, TRUE with --int=unbounded"
        )
    }
}

impl fmt::Display for Overflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Overflow::Excluded => f.write_str("impossible"),
            Overflow::Reached(place) => write!(f, "at {place}"),
            Overflow::Open(Some(place)) => write!(f, "not excluded at {place}"),
            Overflow::Open(None) => f.write_str("not excluded"),
        }
    }
}

/// Can an operation leave its type, in a program that `encoded` has been proved of by `model`?
/// The question ends within this limit, a part of the session's.
pub(super) fn look(
    session: &Session<'_>,
    terms: &Terms,
    encoded: &Encoded<'_>,
    encoding: EncodeOptions,
    model: &Model,
    limit: &Limit,
) -> Overflow {
    let question = EncodeOptions {
        question: CheckedProperty::Overflows,
        ..encoding
    };
    let asked = session.verifier.program.encode(terms, question);
    // Two questions may unroll a program in two ways, and then their points are not the same.
    let system = match encoded.is_unrolled() || asked.is_unrolled() {
        true => asked.system().clone(),
        false => asked.system_within(encoded, model),
    };
    let solved = session.solve(terms, &system, limit, false);
    match solved.answer {
        Answer::Sat(_) => Overflow::Excluded,
        Answer::Unsat(refutation) => match asked.run(&refutation).map(|run| run.end) {
            Some(RunEnd::Wraps(place)) => Overflow::Reached(place),
            _ => Overflow::Open(None),
        },
        Answer::Unknown(unknown) => {
            log::info!("overflow: {}", unknown.reason);
            Overflow::Open(first_open(session, terms, &asked, &system))
        }
    }
}

/// The first operation that what is known of its block's beginning does not keep in its type.
fn first_open(
    session: &Session<'_>,
    terms: &Terms,
    asked: &Encoded<'_>,
    system: &System,
) -> Option<Place> {
    let limit = session.limit.part(SEARCH);
    // Under the model that has everything derivable, all clauses hold but queries.
    let trivial = Model::trivial(terms, system);
    let mut solvers = || session.verifier.backend.solver(terms, "overflow");
    match check_model(terms, system, &trivial, &mut solvers, &limit) {
        Err(ModelError::Refused { clause, .. } | ModelError::NotDecided { clause, .. }) => {
            asked.clause_place(clause)
        }
        _ => None,
    }
}
