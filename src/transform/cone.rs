//! The cone of influence: what can be derived, and is needed.
//!
//! DIVERGENCE: the cone of influence of \[CGP99\] is a set of state variables; here it is a set of
//! predicates, and underivable predicates are dropped as well.
//!
//! A predicate that no clause derives, constraints left aside, is interpreted as `false`. A
//! predicate that no query needs, however indirectly, is interpreted as `true`. Clauses with the
//! former in the body or the latter in the head then hold, and are dropped. This is exact: no
//! derivation of `false` uses such clauses.

use super::signature::Signature;
use super::{LiftError, ModelLift, Tools, Transformed};
use crate::chc::{Clause, ClauseId, Model, PredGraph, PredId, System};
use crate::term::{Term, Terms};

/// The system without predicates that nothing derives or that no query needs.
pub(super) fn apply(t: &Terms, system: &System) -> Option<Transformed> {
    let graph = PredGraph::new(system);
    let needed = graph.needed();
    let stays = |p: PredId| graph.is_derivable(p) && needed[p.index()];
    let olds: Vec<ClauseId> = system
        .clauses()
        .filter(|(id, clause)| {
            graph.is_usable(*id) && clause.head.as_ref().is_none_or(|a| needed[a.pred.index()])
        })
        .map(|(id, _)| id)
        .collect();
    if olds.len() == system.clauses.len() && system.pred_ids().all(stays) {
        return None;
    }
    let signature = Signature::without(t, system, |p| !stays(p));
    let clause = |&id: &ClauseId| signature.clause(system.clause(id));
    let clauses: Vec<Clause> = olds.iter().map(clause).collect();
    let new = System {
        preds: signature.preds(t, system),
        clauses,
    };
    let models = Cone { signature, graph };
    Some(Transformed::clause_wise(new, olds, models))
}

struct Cone {
    signature: Signature,
    graph: PredGraph,
}

impl ModelLift for Cone {
    fn model(&self, tools: &Tools<'_>, old: &System, model: Model) -> Result<Model, LiftError> {
        let gone = |p: PredId, _: &[Term]| tools.terms.bool(self.graph.is_derivable(p));
        let interpretations =
            (self.signature).interpretations(tools.terms, old, &model.interpretations, gone);
        Ok(Model { interpretations })
    }
}
