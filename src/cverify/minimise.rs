//! The part of a proof's invariants that the proof needs, for people and witnesses.
//!
//! A conjunct of a predicate's meaning is left out if all clauses with the predicate in their
//! bodies hold without it; clauses with it in their heads then hold as well. The conjuncts are
//! tried from the largest to the smallest, and the result is a model again.

use super::verifier::Session;
use crate::certify::check_model;
use crate::chc::{Model, PredId, System};
use crate::term::{Term, Terms};
use crate::work::milliseconds;

/// The ticks for all conjuncts. The value was not tuned.
const BUDGET: u64 = milliseconds(1_000);
/// Systems of more clauses keep their models as they are. The value was not tuned.
const CLAUSES: usize = 1_000;

/// A model with as few conjuncts as the limit allows to find.
pub(super) fn minimised(
    session: &Session<'_>,
    terms: &Terms,
    system: &System,
    model: &Model,
) -> Model {
    let mut model = model.clone();
    if system.clauses.len() > CLAUSES {
        return model;
    }
    let limit = session.limit.part(BUDGET);
    for at in 0..system.preds.len() {
        let pred = PredId(u32::try_from(at).expect("few predicates"));
        let users = clauses_with(system, pred);
        let mut conjuncts = terms.conjuncts(model.interpretations[at].body);
        let mut tried: Vec<Term> = conjuncts.clone();
        tried.sort_by_key(|&conjunct| std::cmp::Reverse(terms.post_order([conjunct]).count()));
        for conjunct in tried {
            if limit.check().is_err() {
                return model;
            }
            let fewer = conjuncts.iter().copied().filter(|&other| other != conjunct);
            let fewer: Vec<Term> = fewer.collect();
            let before = model.interpretations[at].body;
            model.interpretations[at].body = terms.and(fewer.iter().copied());
            let mut solvers = || session.verifier.backend.solver(terms, "minimise");
            match check_model(terms, &users, &model, &mut solvers, &limit) {
                Ok(()) => conjuncts = fewer,
                Err(_) => model.interpretations[at].body = before,
            }
        }
    }
    model
}

/// The clauses with a predicate in their bodies.
fn clauses_with(system: &System, pred: PredId) -> System {
    let mut users = system.clone();
    users
        .clauses
        .retain(|clause| clause.body.iter().any(|atom| atom.pred == pred));
    users
}
