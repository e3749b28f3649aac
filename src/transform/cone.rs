//! The cone of influence: what can be derived, and is needed.
//!
//! A predicate that no clause derives, constraints left aside, is interpreted as `false`; one that no query needs, however
//! indirectly, as `true`. Clauses with the former in the body or the latter in the head hold then, and go. This is exact: no
//! derivation of `false` uses such a clause.

use super::signature::Signature;
use super::{LiftError, ModelLift, Tools, Transformed};
use crate::chc::{Clause, ClauseId, Model, PredId, System};
use crate::term::{Term, Terms};

/// By predicate: is it the head of a clause whose premises are all derivable in this sense? In time linear in the system.
pub(crate) fn derivable(system: &System) -> Vec<bool> {
    let mut derivable = vec![false; system.preds.len()];
    let mut missing: Vec<usize> = system.clauses.iter().map(|c| c.body.len()).collect();
    let mut uses = vec![Vec::new(); system.preds.len()];
    let mut ready = Vec::new();
    for (id, clause) in system.clauses() {
        if clause.is_fact() {
            ready.push(id);
        }
        for atom in &clause.body {
            uses[atom.pred.index()].push(id);
        }
    }
    while let Some(id) = ready.pop() {
        let Some(head) = &system.clause(id).head else {
            continue;
        };
        if std::mem::replace(&mut derivable[head.pred.index()], true) {
            continue;
        }
        for &user in &uses[head.pred.index()] {
            missing[user.index()] -= 1;
            if missing[user.index()] == 0 {
                ready.push(user);
            }
        }
    }
    derivable
}

/// By predicate: does a query need it, directly or through clauses with derivable premises?
fn needed(system: &System, derivable: &[bool]) -> Vec<bool> {
    let mut needed = vec![false; system.preds.len()];
    let mut by_head: Vec<Vec<&Clause>> = vec![Vec::new(); system.preds.len()];
    let mut open: Vec<&Clause> = Vec::new();
    for clause in &system.clauses {
        if !clause.body.iter().all(|atom| derivable[atom.pred.index()]) {
            continue;
        }
        match &clause.head {
            Some(head) => by_head[head.pred.index()].push(clause),
            None => open.push(clause),
        }
    }
    while let Some(clause) = open.pop() {
        for atom in &clause.body {
            let pred = atom.pred.index();
            if !std::mem::replace(&mut needed[pred], true) {
                open.append(&mut by_head[pred]);
            }
        }
    }
    needed
}

/// The system without the predicates that nothing derives or nobody needs.
pub(super) fn apply(t: &Terms, system: &System) -> Option<Transformed> {
    let derivable = derivable(system);
    let needed = needed(system, &derivable);
    let stays = |p: PredId| derivable[p.index()] && needed[p.index()];
    let olds: Vec<ClauseId> = system
        .clauses()
        .filter(|(_, clause)| {
            clause.body.iter().all(|a| derivable[a.pred.index()])
                && clause.head.as_ref().is_none_or(|a| needed[a.pred.index()])
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
    let models = Cone {
        signature,
        derivable,
    };
    Some(Transformed::clause_wise(new, olds, models))
}

struct Cone {
    signature: Signature,
    derivable: Vec<bool>,
}

impl ModelLift for Cone {
    fn model(&self, tools: &Tools<'_>, old: &System, model: Model) -> Result<Model, LiftError> {
        let gone = |p: PredId, _: &[Term]| tools.terms.bool(self.derivable[p.index()]);
        let interpretations =
            (self.signature).interpretations(tools.terms, old, &model.interpretations, gone);
        Ok(Model { interpretations })
    }
}
