//! Invariants of engines that gave up, checked before any other engine sees them.
//!
//! The greatest inductive subset of their conjuncts is sought as in Houdini \[FL01\]. The checker
//! accepts what is left, as a whole, before it is used.

use crate::certify::{ModelError, check_model};
use crate::chc::{Atom, Clause, Interpretation, Model, System};
use crate::logic::inductive_subset;
use crate::smt::{Limit, Outcome, Solver};
use crate::term::{Term, Terms};
use crate::transform::Tools;
use crate::work;

/// The budget of a check, in ticks. The value was not tuned.
pub(super) const TICKS: u64 = work::milliseconds(500);

/// The greatest inductive subset of an engine's invariants, conjunct by conjunct, as far as it is
/// found quickly. `None` if nothing is left.
pub fn admit(tools: &Tools<'_>, system: &System, mut model: Model) -> Option<Model> {
    let t = tools.terms;
    let rules = System {
        preds: system.preds.clone(),
        clauses: (system.clauses.iter())
            .filter(|clause| !clause.is_query())
            .cloned()
            .collect(),
    };
    let (proving, limit) = (tools.backend.proving(), tools.limit.part(TICKS));
    let conjuncts = |(pred, said): (usize, &Interpretation)| {
        let each = t.conjuncts(said.body).into_iter();
        each.map(move |conjunct| (pred, conjunct))
    };
    let said = model.interpretations.iter().enumerate();
    let candidates: Vec<(usize, Term)> = said.flat_map(conjuncts).collect();
    let mut says = |kept: &[(usize, Term)]| {
        for (pred, interpretation) in model.interpretations.iter_mut().enumerate() {
            let own = kept.iter().filter(|(p, _)| *p == pred);
            interpretation.body = t.and(own.map(|&(_, conjunct)| conjunct));
        }
        model.clone()
    };
    let kept = inductive_subset(candidates, |kept, counted| {
        if counted.len() < kept.len() {
            // The checker looks at the whole model.
            return Ok(Vec::new());
        }
        let model = says(kept);
        let mut solver = || proving.solver(t, "invariants");
        match check_model(t, &rules, &model, &mut solver, &limit) {
            Ok(()) => Ok(Vec::new()),
            Err(why) => {
                let ModelError::Refused { clause, .. } = why else {
                    return Err(why);
                };
                let step = Step {
                    t,
                    clause: rules.clause(clause),
                    model: &model,
                };
                let failing = step.failing(counted, &mut *solver(), &limit);
                match failing.is_empty() {
                    true => Err(why),
                    false => Ok(failing),
                }
            }
        }
    });
    match kept {
        Ok(kept) if kept.iter().any(|&(_, said)| said != Term::TRUE) => Some(says(&kept)),
        Ok(_) => None,
        Err(why) => {
            log::info!("invariants that were found are not used: {why}");
            None
        }
    }
}

/// A clause under a model that the checker has refused because of it.
struct Step<'a> {
    t: &'a Terms,
    clause: &'a Clause,
    model: &'a Model,
}

impl Step<'_> {
    /// The candidates of the head's predicate that the clause is not found to preserve. All of them
    /// if it is found to preserve each.
    fn failing(
        &self,
        candidates: &[(usize, Term)],
        solver: &mut dyn Solver,
        limit: &Limit,
    ) -> Vec<(usize, Term)> {
        let t = self.t;
        let Some(head) = &self.clause.head else {
            return Vec::new();
        };
        solver.set_limit(limit.clone());
        solver.assert(self.clause.constraint);
        for atom in &self.clause.body {
            let said = self.model.interpretations[atom.pred.index()].body;
            solver.assert(self.instance(said, atom));
        }
        let pred = head.pred.index();
        let own = candidates.iter().copied().filter(|&(p, _)| p == pred);
        let is_preserved = |&(_, conjunct): &(usize, Term)| {
            // ⋀ I(bodyᵢ) ∧ φ ∧ ¬conjunct(head)
            let fails = t.not(self.instance(conjunct, head));
            let about = format_args!("an invariant is not preserved");
            solver.check(about, &[fails]) == Outcome::Unsat
        };
        let (preserved, failing): (Vec<_>, Vec<_>) = own.partition(is_preserved);
        match failing.is_empty() {
            true => preserved,
            false => failing,
        }
    }

    /// What a formula over a predicate's parameters says of an atom's arguments.
    fn instance(&self, said: Term, atom: &Atom) -> Term {
        let params = &self.model.interpretations[atom.pred.index()].params;
        let pairs = params.iter().copied().zip(atom.args.iter().copied());
        self.t.substitute(said, pairs)
    }
}
