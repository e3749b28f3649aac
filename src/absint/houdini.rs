//! Houdini \[FL01\]: the greatest inductive subset of candidates, which are the conjuncts of a
//! model.
//!
//! The domain has as elements the conjunctions of candidates. Its least fixpoint is found from
//! above: a candidate that a clause does not preserve while all others are assumed goes.

use crate::chc::{Atom, Interpretation, Model, System};
use crate::logic::inductive_subset;
use crate::smt::{Backend, Failure, Limit, SatResult, Solver};
use crate::term::{Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The greatest inductive subset of the conjuncts of `candidates`, as a model of the clauses that
/// are no queries.
///
/// # Errors
/// The limit is reached.
pub fn inductive_part(
    t: &Terms,
    system: &System,
    mut candidates: Model,
    backend: &Backend,
    limit: &Limit,
) -> Result<Model, Failure> {
    let conjuncts = |(pred, said): (usize, &Interpretation)| {
        let each = t.conjuncts(said.body).into_iter();
        each.map(move |conjunct| (pred, conjunct))
    };
    let said = candidates.interpretations.iter().enumerate();
    let all: Vec<Candidate> = said.flat_map(conjuncts).collect();
    let mut solver = backend.solver(t, "invariants");
    solver.set_limit(limit.clone());
    let mut houdini = Houdini {
        t,
        system,
        model: &candidates,
        limit,
        flags: FxHashMap::default(),
        proofs: FxHashMap::default(),
        solver,
    };
    let kept = inductive_subset(all, |kept| houdini.failing(kept))?;
    for (pred, interpretation) in candidates.interpretations.iter_mut().enumerate() {
        let own = kept.iter().filter(|(p, _)| *p == pred);
        interpretation.body = t.and(own.map(|&(_, conjunct)| conjunct));
    }
    Ok(candidates)
}

/// A predicate by its number, and a formula over its parameters in the model.
type Candidate = (usize, Term);

/// The queries of Houdini.
struct Houdini<'a, 't> {
    t: &'t Terms,
    system: &'a System,
    /// Has the parameters of the predicates.
    model: &'a Model,
    limit: &'a Limit,
    /// The activation literals of candidates in premises.
    flags: FxHashMap<Candidate, Term>,
    /// For each number of a clause and candidate that the clause preserves, the activation literals
    /// that suffice for that.
    proofs: FxHashMap<(usize, Candidate), Vec<Term>>,
    solver: Box<dyn Solver + 't>,
}

impl Houdini<'_, '_> {
    /// The kept candidates that some clause is not found to preserve, if all of them hold of its
    /// premises.
    fn failing(&mut self, kept: &[Candidate]) -> Result<Vec<Candidate>, Failure> {
        for &candidate in kept {
            let fresh = || self.t.fresh_var("candidate", Sort::BOOL);
            self.flags.entry(candidate).or_insert_with(fresh);
        }
        let active: FxHashSet<Term> = kept.iter().map(|c| self.flags[c]).collect();
        let mut failing = Vec::new();
        for (number, clause) in self.system.clauses.iter().enumerate() {
            let Some(head) = &clause.head else { continue };
            let is_proved = |&candidate: &Candidate| {
                let proof = self.proofs.get(&(number, candidate));
                proof.is_some_and(|flags| flags.iter().all(|flag| active.contains(flag)))
            };
            let own = kept.iter().copied();
            let own = own.filter(|c| c.0 == head.pred.index() && !failing.contains(c));
            let open: Vec<Candidate> = own.filter(|c| !is_proved(c)).collect();
            if !open.is_empty() {
                failing.extend(self.not_preserved(number, head, kept, open));
            }
            // A query that has no answer for want of ticks says nothing of its candidate.
            self.limit.check()?;
        }
        Ok(failing)
    }

    /// The candidates, all about the clause's head, that the clause is not found to preserve.
    fn not_preserved(
        &mut self,
        number: usize,
        head: &Atom,
        kept: &[Candidate],
        candidates: Vec<Candidate>,
    ) -> Vec<Candidate> {
        let (t, clause) = (self.t, &self.system.clauses[number]);
        self.solver.push();
        self.solver.assert(clause.constraint);
        let mut assumptions = Vec::new();
        for candidate in kept {
            let flag = self.flags[candidate];
            let premises = clause.body.iter();
            for atom in premises.filter(|atom| atom.pred.index() == candidate.0) {
                let said = self.model.instance(t, candidate.1, atom);
                self.solver.assert(t.implies(flag, said));
                assumptions.push(flag);
            }
        }
        let is_preserved = |&candidate: &Candidate| {
            // ⋀ I(bodyᵢ) ∧ φ ∧ ¬candidate(head)
            let fails = t.not(self.model.instance(t, candidate.1, head));
            let assumed: Vec<Term> = assumptions.iter().copied().chain([fails]).collect();
            let about = format_args!("an invariant is not preserved");
            if self.solver.check(about, &assumed) != SatResult::Unsat {
                return false;
            }
            let mut proof = self.solver.core().unwrap_or(assumed);
            proof.retain(|&flag| flag != fails);
            self.proofs.insert((number, candidate), proof);
            true
        };
        let (_, failing): (Vec<_>, Vec<_>) = candidates.into_iter().partition(is_preserved);
        self.solver.pop();
        failing
    }
}
