//! Invariants of engines that gave up, checked before any other engine sees them.
//!
//! The largest inductive part is sought as in Houdini \[FL01\]. DIVERGENCE: Houdini drops single
//! conjuncts; here the whole interpretation of a predicate is dropped if a clause with it in the
//! head fails.

use crate::certify::{ModelError, check_model};
use crate::chc::{Model, System};
use crate::smt::{Backend, Limit};
use crate::term::{Term, Terms};
use std::time::Duration;

/// A check may take so long.
pub(super) const TIME: Duration = Duration::from_millis(500);

/// The invariants of which an engine's are made, as far as they are found to be inductive quickly:
/// where they are refused for a clause, nothing is said of its head. `None` where nothing is left.
pub fn admit(
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
