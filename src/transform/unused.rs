//! Removal of arguments that are never constrained: redundant argument filtering \[LS96\].
//!
//! A position of a predicate is *used* if some clause has, at that position of a body atom, a term
//! other than a variable, or a variable that occurs in the constraint or once more in the body, or
//! in a used position of the head. The other positions go. Used are the least such set of
//! positions, so positions that only pass values round are not among them.

use super::signature::Signature;
use super::{LiftError, ModelLift, Tools, Transformed};
use crate::chc::{Clause, Model, PredId, System};
use crate::term::{TermMap, TermSet, Terms};

/// An argument position of a predicate.
type Position = (PredId, usize);

/// The least set of used positions, found by propagation from heads to bodies.
struct Used {
    used: Vec<Vec<bool>>,
    /// For each predicate and position, the positions in bodies that are used if this position of a
    /// head is used.
    implied: Vec<Vec<Vec<Position>>>,
    open: Vec<Position>,
}

impl Used {
    fn of(t: &Terms, system: &System) -> Vec<Vec<bool>> {
        let arities: Vec<usize> = system
            .preds
            .iter()
            .map(|p| t.func(p.func).params.len())
            .collect();
        let mut analysis = Used {
            used: arities.iter().map(|&n| vec![false; n]).collect(),
            implied: arities.iter().map(|&n| vec![Vec::new(); n]).collect(),
            open: Vec::new(),
        };
        for clause in &system.clauses {
            analysis.add_clause(t, clause);
        }
        while let Some((pred, i)) = analysis.open.pop() {
            for position in std::mem::take(&mut analysis.implied[pred.index()][i]) {
                analysis.mark(position);
            }
        }
        analysis.used
    }

    fn mark(&mut self, position: Position) {
        let (pred, i) = position;
        if !std::mem::replace(&mut self.used[pred.index()][i], true) {
            self.open.push(position);
        }
    }

    fn add_clause(&mut self, t: &Terms, clause: &Clause) {
        let mut constrained: TermSet = t.vars([clause.constraint]).into_iter().collect();
        // The only position of a variable in the body.
        let mut places: TermMap<Position> = TermMap::default();
        for atom in &clause.body {
            for (i, &arg) in atom.args.iter().enumerate() {
                let position = (atom.pred, i);
                if !t.is_var(arg) {
                    constrained.extend(t.vars([arg]));
                    self.mark(position);
                } else if let Some(other) = places.insert(arg, position) {
                    constrained.insert(arg);
                    self.mark(position);
                    self.mark(other);
                }
            }
        }
        for (var, &position) in &places {
            if constrained.contains(var) {
                self.mark(position);
            }
        }
        let Some(head) = &clause.head else { return };
        for (i, &arg) in head.args.iter().enumerate() {
            let implied = t.vars([arg]).into_iter().filter_map(|v| places.get(&v));
            self.implied[head.pred.index()][i].extend(implied.copied());
        }
    }
}

/// Is each argument of each predicate used?
pub(super) fn used(t: &Terms, system: &System) -> Vec<Vec<bool>> {
    Used::of(t, system)
}

/// The system without unused arguments.
pub(super) fn apply(t: &Terms, system: &System) -> Option<Transformed> {
    let used = used(t, system);
    if used.iter().flatten().all(|&used| used) {
        return None;
    }
    let positions = |used: &Vec<bool>| Some((0..used.len()).filter(|&i| used[i]).collect());
    let signature = Signature::new(used.iter().map(positions).collect());
    let clauses = system.clauses.iter().map(|clause| {
        let mut new = signature.clause(clause);
        new.retain_occurring_vars(t);
        new
    });
    let clauses: Vec<Clause> = clauses.collect();
    let new = System {
        preds: signature.preds(t, system),
        clauses,
    };
    let models = Unused { signature };
    Some(Transformed::clause_wise(new, system.clause_ids(), models))
}

struct Unused {
    signature: Signature,
}

impl ModelLift for Unused {
    fn model(&self, tools: &Tools<'_>, old: &System, model: Model) -> Result<Model, LiftError> {
        let interpretations =
            self.signature
                .interpretations(tools.terms, old, &model.interpretations, |_, _| {
                    unreachable!("all predicates stay")
                });
        Ok(Model { interpretations })
    }
}
