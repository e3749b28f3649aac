//! Simplification of clauses, one by one.
//!
//! Equations are solved and their solutions substituted; the constraint is simplified by itself,
//! and decides atoms inside of arguments; equal atoms of a body are merged. A clause whose
//! constraint is false, or whose head is in its body, holds in every model and is dropped. The lift
//! computes the variables that disappeared from their solutions. Not from a paper.

use super::ground::ClauseSource;
use super::{SameModel, Transformed, context};
use crate::chc::{Atom, Clause, ClauseId, System};
use crate::logic::equations::{Role, normal_term, solve};
use crate::term::{Term, TermMap, Terms};
use rustc_hash::FxHashMap;

/// Equations are solved in at most 8 rounds. The value was not tuned.
const ROUNDS: usize = 8;

/// The system with its clauses simplified.
pub(super) fn apply(t: &Terms, system: &System) -> Option<Transformed> {
    let mut changed = false;
    let mut clauses = Vec::with_capacity(system.clauses.len());
    let mut sources = Vec::with_capacity(system.clauses.len());
    for (id, old) in system.clauses() {
        match Work::new(t, id, old).run() {
            None => changed = true,
            Some((clause, source)) => {
                changed |= is_other(&clause, old);
                sources.push(source);
                clauses.push(clause);
            }
        }
    }
    if !changed {
        return None;
    }
    let new = System {
        preds: system.preds.clone(),
        clauses,
    };
    let models = SameModel;
    Some(Transformed::clause_wise(new, sources, models))
}

fn is_other(new: &Clause, old: &Clause) -> bool {
    new.constraint != old.constraint
        || new.vars != old.vars
        || new.body != old.body
        || new.head != old.head
}

/// The state of simplifying a clause.
struct Work<'t> {
    t: &'t Terms,
    id: ClauseId,
    clause: Clause,
    definitions: Vec<(Term, Term)>,
}

impl<'t> Work<'t> {
    fn new(t: &'t Terms, id: ClauseId, clause: &Clause) -> Self {
        Work {
            t,
            id,
            clause: clause.clone(),
            definitions: Vec::new(),
        }
    }

    /// The simplified clause; `None` if it holds in every model.
    fn run(mut self) -> Option<(Clause, ClauseSource)> {
        let t = self.t;
        let mut conjuncts = t.conjuncts(self.clause.constraint);
        let roles = self.roles();
        for _ in 0..ROUNDS {
            conjuncts = context::simplify(t, &conjuncts);
            if conjuncts == [Term::FALSE] {
                return None;
            }
            let role = |var| roles.get(&var).copied().unwrap_or(Role::Free);
            let Some(mut round) = solve(t, &conjuncts, role) else {
                break;
            };
            conjuncts = round.rest;
            let Clause { body, head, .. } = &mut self.clause;
            for arg in body.iter_mut().chain(head).flat_map(|atom| &mut atom.args) {
                *arg = normal_term(t, round.substitution.apply(*arg));
            }
            // Solutions of later rounds are over fewer variables.
            round.solutions.append(&mut self.definitions);
            self.definitions = round.solutions;
        }
        let Clause { body, head, .. } = &mut self.clause;
        let args = body.iter_mut().chain(head).flat_map(|atom| &mut atom.args);
        context::decide_atoms(t, &conjuncts, args);
        self.clause.constraint = t.and(conjuncts);
        let places = self.merge_atoms();
        if self
            .clause
            .head
            .as_ref()
            .is_some_and(|h| self.clause.body.contains(h))
        {
            return None;
        }
        self.clause.retain_occurring_vars(t);
        let source = ClauseSource {
            clause: self.id,
            definitions: self.definitions,
            places: Some(places),
        };
        Some((self.clause, source))
    }

    /// Premises over variables are better than over terms; for heads it does not matter.
    fn roles(&self) -> TermMap<Role> {
        let t = self.t;
        let args = |atoms: &[Atom]| t.vars(atoms.iter().flat_map(|a| a.args.iter().copied()));
        let mut roles = TermMap::default();
        roles.extend(
            args(self.clause.head.as_slice())
                .into_iter()
                .map(|v| (v, Role::Reluctant)),
        );
        roles.extend(
            args(&self.clause.body)
                .into_iter()
                .map(|v| (v, Role::Rigid)),
        );
        roles
    }

    /// Merges equal atoms of the body. Answers the new place of each.
    fn merge_atoms(&mut self) -> Vec<usize> {
        let mut seen: FxHashMap<Atom, usize> = FxHashMap::default();
        let mut body = Vec::new();
        let place = |atom: Atom| {
            *seen.entry(atom.clone()).or_insert_with(|| {
                body.push(atom);
                body.len() - 1
            })
        };
        let places = std::mem::take(&mut self.clause.body)
            .into_iter()
            .map(place)
            .collect();
        self.clause.body = body;
        places
    }
}
