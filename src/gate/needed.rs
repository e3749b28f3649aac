//! What a proof needs of a model: inductive validity cores \[GWG16\].
//!
//! ```text
//! needed := ∅;  open := {(query, false) : each query}
//! while there is (clause, conclusion) in open:
//!   core := conjuncts about the premises from which the conclusion follows
//!   for each conjunct c about a predicate p in core \ needed:
//!     needed := needed ∪ {c}
//!     open := open ∪ {(clause, c) : each clause that derives p}
//! ```
//!
//! What is needed is a model: each query and each needed conjunct follows from what is needed.
//!
//! DIVERGENCE: the paper asks about all clauses at once, k-inductively, and minimises the whole
//! set. Here each core is minimised by itself, and prefers what is needed anyway.

use super::CLIENT;
use crate::chc::{Atom, Clause, ClauseId, Model, PredId, System};
use crate::logic::mus::shrink;
use crate::smt::{Failure, SatResult, Solver};
use crate::term::Term;
use crate::transform::Tools;
use rustc_hash::FxHashSet;

/// Questions that minimise one core, at most. The value was not tuned.
const ATTEMPTS: u32 = 32;

/// What matters of a model and its system.
#[derive(Clone, Debug)]
pub struct Needed {
    /// The model with the conjuncts that are needed.
    pub model: Model,
    /// The clauses for which something has to be proved, in their order: queries with premises that
    /// are needed, and all that derive what something needed is said about.
    pub clauses: Vec<ClauseId>,
    /// Predicates of which the model implies that nothing is derivable, in their order.
    pub underivable: Vec<PredId>,
}

/// What is needed of a model, which must be one of the system.
///
/// Where the solver does not decide which conjuncts a conclusion needs, it is said to need all.
///
/// # Errors
/// The limit of the tools is reached.
pub fn needed(tools: &Tools<'_>, system: &System, model: &Model) -> Result<Needed, Failure> {
    let backend = tools.backend.for_client(CLIENT);
    let mut solver = backend.solver(tools.terms, "core");
    solver.set_limit(tools.limit.clone());
    let mut search = Search {
        tools,
        system,
        model,
        solver,
        needed: FxHashSet::default(),
        matter: FxHashSet::default(),
    };
    search.run()?;
    let underivable = search.underivable()?;
    let mut clauses: Vec<ClauseId> = search.matter.iter().copied().collect();
    clauses.sort_unstable();
    Ok(Needed {
        model: search.needed_part(),
        clauses,
        underivable,
    })
}

/// A conjunct of the interpretation of a predicate.
type Conjunct = (PredId, Term);

struct Search<'a, 't> {
    tools: &'a Tools<'t>,
    system: &'a System,
    model: &'a Model,
    solver: Box<dyn Solver + 'a>,
    needed: FxHashSet<Conjunct>,
    /// The clauses that matter.
    matter: FxHashSet<ClauseId>,
}

impl Search<'_, '_> {
    fn run(&mut self) -> Result<(), Failure> {
        let queries = (self.system.clauses()).filter(|(_, clause)| clause.is_query());
        let mut open: Vec<(ClauseId, Term)> = queries.map(|(id, _)| (id, Term::FALSE)).collect();
        while let Some((id, conclusion)) = open.pop() {
            self.tools.limit.check()?;
            let core = self.premises_of(id, conclusion)?;
            if conclusion != Term::FALSE || !core.is_empty() {
                self.matter.insert(id);
            }
            for conjunct in core {
                if self.needed.insert(conjunct) {
                    let (pred, said) = conjunct;
                    let deriving = self
                        .system
                        .clauses()
                        .filter(|(_, clause)| derives(clause, pred));
                    open.extend(deriving.map(|(id, _)| (id, said)));
                }
            }
        }
        Ok(())
    }

    /// Conjuncts about the premises of a clause from which a conjunct about its head follows, or
    /// `false`.
    fn premises_of(&mut self, id: ClauseId, conclusion: Term) -> Result<Vec<Conjunct>, Failure> {
        let (t, clause) = (self.tools.terms, self.system.clause(id));
        let goal = match &clause.head {
            Some(head) => self.model.instance(t, conclusion, head),
            None => Term::FALSE,
        };
        let (mut held, mut others) = (Vec::new(), Vec::new());
        for (conjunct, said) in self.premises(clause) {
            match self.needed.contains(&conjunct) {
                true => held.push((conjunct, said)),
                false => others.push((conjunct, said)),
            }
        }
        self.solver.push();
        self.solver.assert(clause.constraint);
        self.solver.assert(t.not(goal));
        let found = self.core_of(&held, &others);
        self.solver.pop();
        let needed = match found? {
            Some(core) => {
                let is_used = |(_, said): &&(Conjunct, Term)| core.contains(said);
                others.iter().filter(is_used).chain(&held).collect()
            }
            None => held.iter().chain(&others).collect::<Vec<_>>(),
        };
        Ok(needed.into_iter().map(|&(conjunct, _)| conjunct).collect())
    }

    /// Of the others, what contradicts what is asserted together with what is held; `None` if that
    /// is not decided.
    fn core_of(
        &mut self,
        held: &[(Conjunct, Term)],
        others: &[(Conjunct, Term)],
    ) -> Result<Option<Vec<Term>>, Failure> {
        held.iter().for_each(|&(_, said)| self.solver.assert(said));
        self.solver.set_purpose("core");
        let others: Vec<Term> = others.iter().map(|&(_, said)| said).collect();
        match self.unsat_core(&[])? {
            Some(core) => return Ok(Some(core)),
            None if others.is_empty() => return Ok(None),
            None => {}
        }
        let Some(core) = self.unsat_core(&others)? else {
            return Ok(None);
        };
        shrink(core, ATTEMPTS, |part| self.unsat_core(part)).map(Some)
    }

    /// A core of the assumptions; `None` if they are satisfiable or this is not decided.
    fn unsat_core(&mut self, assumptions: &[Term]) -> Result<Option<Vec<Term>>, Failure> {
        match (self.solver).check(format_args!("what does the proof need"), assumptions) {
            SatResult::Unsat => self.solver.core().map(Some),
            SatResult::Sat
            | SatResult::Unknown(Failure::Incomplete(_) | Failure::Unsupported(_)) => Ok(None),
            SatResult::Unknown(failure) => Err(failure),
        }
    }

    /// What the model says of the premises of a clause, conjunct by conjunct, over its variables.
    fn premises(&self, clause: &Clause) -> Vec<(Conjunct, Term)> {
        let (t, model) = (self.tools.terms, self.model);
        let of = |atom: &Atom| {
            let conjuncts = t.conjuncts(model.get(atom.pred).body).into_iter();
            let said = conjuncts.map(|c| ((atom.pred, c), model.instance(t, c, atom)));
            said.collect::<Vec<_>>()
        };
        clause.body.iter().flat_map(of).collect()
    }

    /// The model without what is not needed.
    fn needed_part(&self) -> Model {
        let t = self.tools.terms;
        let mut model = self.model.clone();
        for (pred, said) in self.system.pred_ids().zip(&mut model.interpretations) {
            let conjuncts = t.conjuncts(said.body).into_iter();
            said.body = t.and(conjuncts.filter(|&c| self.needed.contains(&(pred, c))));
        }
        model
    }

    /// The greatest set of predicates such that each clause that derives one has a premise about
    /// one of them, or premises that the model contradicts.
    fn underivable(&mut self) -> Result<Vec<PredId>, Failure> {
        let mut candidates: FxHashSet<PredId> = self.system.pred_ids().collect();
        // A clause is asked about once: when it first has no premise about a candidate.
        let mut asked: FxHashSet<ClauseId> = FxHashSet::default();
        loop {
            let open = self.system.clauses().find(|(id, clause)| {
                let head = clause.head.as_ref();
                head.is_some_and(|head| candidates.contains(&head.pred))
                    && !clause
                        .body
                        .iter()
                        .any(|atom| candidates.contains(&atom.pred))
                    && !asked.contains(id)
            });
            let Some((id, clause)) = open else { break };
            self.tools.limit.check()?;
            asked.insert(id);
            self.solver.push();
            self.solver.assert(clause.constraint);
            for (_, said) in self.premises(clause) {
                self.solver.assert(said);
            }
            let contradicted = self.unsat_core(&[]);
            self.solver.pop();
            if contradicted?.is_none() {
                candidates.retain(|&pred| !derives(clause, pred));
            }
        }
        let preds = self.system.pred_ids();
        Ok(preds.filter(|pred| candidates.contains(pred)).collect())
    }
}

/// Is the clause's head about this predicate?
fn derives(clause: &Clause, pred: PredId) -> bool {
    clause.head.as_ref().is_some_and(|head| head.pred == pred)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smt::native::NativeOptions;
    use crate::smt::{Backend, Limit};
    use crate::smtlib::{Source, read_system};
    use crate::term::{Sort, Terms};

    #[test]
    fn what_no_clause_needs_is_left_out() {
        let t = Terms::new();
        let text = "
            (declare-fun p (Int Int) Bool)
            (declare-fun never (Int) Bool)
            (declare-fun apart (Int) Bool)
            (assert (p 0 0))
            (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 10)) (p (+ x 1) (+ y 1)))))
            (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x 20)) (never y))))
            (assert (forall ((x Int)) (=> (never x) (never (+ x 1)))))
            (assert (apart 3))
            (assert (forall ((x Int) (y Int)) (=> (p x y) (not (= y (- 1))))))";
        let system = read_system(&t, &Source::from_text("text", text)).expect("it is Horn");
        let [x, y] = ["x", "y"].map(|name| t.var(name, Sort::INT));
        let mut model = Model::trivial(&t, &system);
        let not_negative = t.ge(y, t.int(0));
        let p = &mut model.interpretations[0];
        p.params = vec![x, y];
        p.body = t.and([not_negative, t.eq(x, y), t.le(x, t.int(10))]);
        model.interpretations[1].params = vec![x];
        model.interpretations[1].body = t.ge(x, t.int(0));

        let backend = Backend::native(NativeOptions::for_engines());
        let tools = Tools::new(&t, &backend, Limit::none());
        let core = needed(&tools, &system, &model).expect("there is no limit");
        assert_eq!(core.model.interpretations[0].body, not_negative);
        assert_eq!(core.model.interpretations[1].body, Term::TRUE);
        assert_eq!(core.clauses, [ClauseId(0), ClauseId(1), ClauseId(5)]);
        assert_eq!(core.underivable, [PredId(1)]);
    }
}
