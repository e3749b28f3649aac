//! Invariants of engines that gave up, checked before any other engine sees them.
//!
//! The largest inductive part is sought as in Houdini \[FL01\]. DIVERGENCE: Houdini drops single
//! conjuncts; here the whole interpretation of a predicate is dropped if a clause with it in the
//! head fails.

use super::Run;
use crate::certify::{ModelError, check_model};
use crate::chc::{Answer, Model, System};
use crate::smt::{Backend, Limit};
use crate::term::{Term, Terms};
use crate::transform::{Preprocessed, Tools};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// A check may take so long.
const TIME: Duration = Duration::from_millis(500);
/// This part of the time is kept for taking invariants back and checking them, where they are wanted; but no more than [`TIME`].
const PART: u32 = 20;

/// The invariants of which an engine's are made, as far as they are found to be inductive quickly: where they are refused for a
/// clause, nothing is said of its head. `None` where nothing is left.
pub(super) fn inductive(
    t: &Terms,
    system: &System,
    mut model: Model,
    backend: &Backend,
    limit: &Limit,
) -> Option<Model> {
    let rules = System {
        preds: system.preds.clone(),
        clauses: (system.clauses.iter())
            .filter(|clause| !clause.is_query())
            .cloned()
            .collect(),
    };
    let (proving, limit) = (backend.proving(), limit.within(TIME));
    let says = |model: &Model| (model.interpretations.iter()).any(|i| i.body != Term::TRUE);
    while says(&model) {
        let mut solver = || proving.solver(t, "invariants");
        match check_model(t, &rules, &model, &mut solver, &limit) {
            Ok(()) => return Some(model),
            Err(ModelError::Refused { clause, .. }) => {
                let head = rules.clause(clause).head.as_ref()?;
                model.interpretations[head.pred.index()].body = Term::TRUE;
            }
            Err(why) => {
                log::info!("invariants that were found are not used: {why}");
                return None;
            }
        }
    }
    None
}

/// The invariants of the original system that those of the preprocessed one are, and what preprocessing found beside them;
/// `None` where nothing can be taken back.
pub(super) fn take_back(
    run: &Run<'_>,
    prepared: &Preprocessed,
    found: Option<Model>,
) -> Option<Model> {
    let limit = run.limit.within(TIME);
    let tools = Tools {
        terms: run.t,
        backend: run.backend,
        limit: limit.clone(),
    };
    let work = || {
        let found = found.unwrap_or_else(|| Model::trivial(run.t, prepared.system(run.system)));
        match prepared.lift(&tools, run.system, Answer::Sat(found)) {
            Ok(Answer::Sat(model)) => inductive(run.t, run.system, model, run.backend, &limit),
            _ => None,
        }
    };
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_default()
}

/// The limit of engines where invariants are wanted in the end.
pub(super) fn engine_limit(limit: &Limit) -> Limit {
    match limit.remaining() {
        None => limit.clone(),
        Some(left) => limit.within(left - (left / PART).min(TIME)),
    }
}
