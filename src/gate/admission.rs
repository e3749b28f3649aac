//! Invariants that engines found, checked before any other engine sees them.
//!
//! The greatest inductive subset of their conjuncts is sought as in Houdini \[FL01\]. The checker
//! accepts what is left, as a whole, before it is used.

use super::CLIENT;
use crate::certify::{ModelError, check_model};
use crate::chc::{Atom, Clause, Interpretation, Model, System};
use crate::logic::inductive_subset;
use crate::smt::{Failure, Limit, SatResult, Solver};
use crate::term::{Sort, Term, Terms};
use crate::transform::Tools;
use crate::work;
use rustc_hash::{FxHashMap, FxHashSet};

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
            let part = inductive_part(tools, &rules, found, &limit);
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

/// The greatest inductive subset of a model's conjuncts, as a model.
///
/// # Errors
/// The limit is reached.
fn inductive_part(
    tools: &Tools<'_>,
    rules: &System,
    mut model: Model,
    limit: &Limit,
) -> Result<Model, Failure> {
    let t = tools.terms;
    let conjuncts = |(pred, said): (usize, &Interpretation)| {
        let each = t.conjuncts(said.body).into_iter();
        each.map(move |conjunct| (pred, conjunct))
    };
    let said = model.interpretations.iter().enumerate();
    let candidates: Vec<Candidate> = said.flat_map(conjuncts).collect();
    let mut houdini = Houdini::new(tools, rules, &model, limit);
    let kept = inductive_subset(candidates, |kept| houdini.failing(kept))?;
    for (pred, interpretation) in model.interpretations.iter_mut().enumerate() {
        let own = kept.iter().filter(|(p, _)| *p == pred);
        interpretation.body = t.and(own.map(|&(_, conjunct)| conjunct));
    }
    Ok(model)
}

/// The system where what is known of each premise is a part of the constraint. It has the same
/// models as the system together with what is known, if that is inductive, and its refutations are
/// the system's.
pub fn strengthened(t: &Terms, system: &System, known: &Model) -> System {
    let rule = |clause: &Clause| {
        let premises = clause.body.iter();
        let premises = premises.map(|atom| instance(t, known, known.get(atom.pred).body, atom));
        Clause {
            constraint: t.and([clause.constraint].into_iter().chain(premises)),
            ..clause.clone()
        }
    };
    System {
        preds: system.preds.clone(),
        clauses: system.clauses.iter().map(rule).collect(),
    }
}

/// What a formula over the parameters of a predicate in a model says of an atom's arguments.
pub(super) fn instance(t: &Terms, model: &Model, said: Term, atom: &Atom) -> Term {
    let params = &model.get(atom.pred).params;
    debug_assert_eq!(
        params.len(),
        atom.args.len(),
        "an argument for each parameter"
    );
    let pairs = params.iter().copied().zip(atom.args.iter().copied());
    t.substitute(said, pairs)
}

/// A predicate by its number, and a formula over its parameters in the model.
type Candidate = (usize, Term);

/// The queries of Houdini.
struct Houdini<'a, 't> {
    t: &'t Terms,
    rules: &'a System,
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

impl<'a, 't> Houdini<'a, 't> {
    fn new(tools: &Tools<'t>, rules: &'a System, model: &'a Model, limit: &'a Limit) -> Self {
        let t = tools.terms;
        let mut solver = tools.backend.solver(t, "invariants");
        solver.set_limit(limit.clone());
        Houdini {
            t,
            rules,
            model,
            limit,
            flags: FxHashMap::default(),
            proofs: FxHashMap::default(),
            solver,
        }
    }

    /// The kept candidates that some clause is not found to preserve, if all of them hold of its
    /// premises.
    fn failing(&mut self, kept: &[Candidate]) -> Result<Vec<Candidate>, Failure> {
        for &candidate in kept {
            let fresh = || self.t.fresh_var("candidate", Sort::BOOL);
            self.flags.entry(candidate).or_insert_with(fresh);
        }
        let active: FxHashSet<Term> = kept.iter().map(|c| self.flags[c]).collect();
        let mut failing = Vec::new();
        for (number, clause) in self.rules.clauses.iter().enumerate() {
            let head = clause.head.as_ref().expect("no clause is a query");
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
        let (t, clause) = (self.t, &self.rules.clauses[number]);
        self.solver.push();
        self.solver.assert(clause.constraint);
        let mut assumptions = Vec::new();
        for candidate in kept {
            let flag = self.flags[candidate];
            let premises = clause.body.iter();
            for atom in premises.filter(|atom| atom.pred.index() == candidate.0) {
                let said = instance(t, self.model, candidate.1, atom);
                self.solver.assert(t.implies(flag, said));
                assumptions.push(flag);
            }
        }
        let is_preserved = |&candidate: &Candidate| {
            // ⋀ I(bodyᵢ) ∧ φ ∧ ¬candidate(head)
            let fails = t.not(instance(t, self.model, candidate.1, head));
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
