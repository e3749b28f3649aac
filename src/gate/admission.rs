//! Invariants that engines found, checked before any other engine sees them.
//!
//! The greatest inductive subset of their conjuncts is sought as in Houdini \[FL01\]. The checker
//! accepts what is left, as a whole, before it is used.

use super::CLIENT;
use crate::absint::inductive_part;
use crate::certify::{ModelError, check_model};
use crate::chc::{Clause, Interpretation, Model, System};
use crate::term::{Term, Terms};
use crate::transform::Tools;
use crate::work;

/// The budget of a check, in ticks. The value was not tuned.
pub(super) const TICKS: u64 = work::milliseconds(500);

/// The greatest subset of the conjuncts of `found` that is inductive together with `known`, which
/// is inductive by itself. `None` if nothing is left, or if it is not found quickly.
pub fn admit(tools: &Tools<'_>, system: &System, known: &Model, found: Model) -> Option<Model> {
    let (t, limit) = (tools.terms, tools.limit.part(TICKS));
    let backend = tools.backend.for_client(CLIENT);
    let tools = &Tools::new(t, &backend, tools.limit.clone());
    let mut rules = strengthened(t, system, known);
    rules.clauses.retain(|clause| !clause.is_query());
    let proving = tools.backend.proving();
    let check = |model: &Model| {
        let mut solver = || proving.solver(t, "invariants");
        check_model(t, &rules, model, &mut solver, &limit)
    };
    let admitted = match check(&found) {
        Ok(()) => Ok(found),
        Err(ModelError::Refused { .. } | ModelError::NotDecided { .. }) => {
            let part = inductive_part(t, &rules, found, tools.backend, &limit);
            part.map_err(|why| why.to_string())
                .and_then(|part| match check(&part) {
                    Ok(()) => Ok(part),
                    Err(why) => Err(why.to_string()),
                })
        }
        Err(malformed) => Err(malformed.to_string()),
    };
    let admitted = admitted
        .inspect_err(|why| log::info!("invariants that were found are not used: {why}"))
        .ok()?;
    let says_something = |said: &Interpretation| said.body != Term::TRUE;
    let any = admitted.interpretations.iter().any(says_something);
    any.then_some(admitted)
}

/// The system where what is known of each premise is a part of the constraint. It has the same
/// models as the system together with what is known, if that is inductive, and its refutations are
/// the system's.
pub fn strengthened(t: &Terms, system: &System, known: &Model) -> System {
    let rule =
        |clause: &Clause| clause.with_known(t, |atom| Some(known.get(atom.pred).at(t, &atom.args)));
    System {
        preds: system.preds.clone(),
        clauses: system.clauses.iter().map(rule).collect(),
    }
}
