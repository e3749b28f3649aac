//! Simplification of constraints by an SMT solver: parts that are false or implied at their place.
//!
//! A part of a constraint that contradicts the conjuncts around it becomes `false`, and a part that
//! follows from them becomes `true`. This removes the disjuncts of impossible paths through a large
//! block, and tests that were made before. A clause whose constraint is contradictory is removed.
//! The idea is that of \[DDA10\].
//!
//! DIVERGENCE: the paper simplifies a disjunct under the negations of the others; here it has only
//! the conjuncts around it. The number of queries is bounded, and parts beyond the bound stay.
//!
//! The pass is not applied by default. Tried: on development tasks of CHC-COMP 2025, the processor
//! time rose from 7 s to 9 s (LIA) and from 45 s to 48 s (LIA-Lin), and no further task was solved.

use super::{SameModel, Tools, Transformed};
use crate::chc::System;
use crate::smt::{SatResult, Solver};
use crate::term::{Op, Term, Terms};
use crate::work;

/// At most 100 queries for each clause. The value was not tuned.
const CLAUSE_QUESTIONS: u32 = 100;
/// At most 1000 queries for all clauses together. The value was not tuned.
const QUESTIONS: u32 = 1_000;
/// The pass costs at most this number of ticks. The value was not tuned.
const TICKS: u64 = work::milliseconds(200);
/// The pass costs at most a 30th of the remaining budget. The value was not tuned.
const PARTS: u64 = 30;

/// The system with constraints without impossible and implied parts.
pub(super) fn apply(tools: &Tools<'_>, system: &System) -> Option<Transformed> {
    let t = tools.terms;
    let limit = tools.limit.share(PARTS, TICKS);
    let mut questions = QUESTIONS;
    let (mut clauses, mut olds) = (Vec::new(), Vec::new());
    let mut changed = false;
    for (id, clause) in system.clauses() {
        let mut clause = clause.clone();
        if questions > 0
            && limit.check().is_ok()
            && tools.backend.supports(t, clause.constraint).is_ok()
        {
            let mut solver = tools.backend.solver(t, "prune");
            solver.set_limit(limit.clone());
            let allowance = questions.min(CLAUSE_QUESTIONS);
            let mut pruning = Pruning {
                t,
                solver: &mut *solver,
                questions: allowance,
            };
            let constraint = pruning.prune(clause.constraint);
            questions -= allowance - pruning.questions;
            changed |= constraint != clause.constraint;
            clause.constraint = constraint;
            clause.retain_occurring_vars(t);
        }
        if clause.constraint != Term::FALSE {
            clauses.push(clause);
            olds.push(id);
        }
    }
    if !changed {
        return None;
    }
    let preds = system.preds.clone();
    let new = System { preds, clauses };
    let models = SameModel;
    Some(Transformed::clause_wise(new, olds, models))
}

/// The simplification of one constraint. The scopes of the solver hold the conjuncts around the
/// present part.
struct Pruning<'a, 't> {
    t: &'t Terms,
    solver: &'a mut (dyn Solver + 't),
    /// How many may still be asked.
    questions: u32,
}

impl Pruning<'_, '_> {
    /// A formula that is equivalent where the solver's assertions hold.
    fn prune(&mut self, formula: Term) -> Term {
        let t = self.t;
        if self.is_impossible(formula) {
            return Term::FALSE;
        }
        match t.op(formula) {
            Op::And => self.prune_conjuncts(&t.conjuncts(formula)),
            Op::Or => {
                let disjuncts = t.args(formula).iter();
                let pruned: Vec<Term> = disjuncts.map(|&d| self.prune(d)).collect();
                t.or(pruned)
            }
            _ if self.is_impossible(t.not(formula)) => Term::TRUE,
            _ => formula,
        }
    }

    /// Each conjunct where the others hold: those before it as they are now.
    fn prune_conjuncts(&mut self, conjuncts: &[Term]) -> Term {
        let t = self.t;
        let mut pruned = conjuncts.to_vec();
        // Equations stay: they are definitions, which other parts are compared with.
        let is_open = |f: Term| !matches!(t.op(f), Op::Eq);
        for i in 0..conjuncts.len() {
            if self.questions == 0 || !is_open(conjuncts[i]) {
                continue;
            }
            self.solver.push();
            for (j, &other) in pruned.iter().enumerate() {
                if j != i {
                    self.solver.assert(other);
                }
            }
            pruned[i] = self.prune(conjuncts[i]);
            self.solver.pop();
        }
        t.and(pruned)
    }

    /// Does a formula contradict what is around it, as far as that may be asked?
    fn is_impossible(&mut self, formula: Term) -> bool {
        if self.questions == 0 {
            return false;
        }
        self.questions -= 1;
        // ⋀ what is around it ∧ formula
        let about = format_args!("is a part of a constraint possible?");
        self.solver.check(about, &[formula]) == SatResult::Unsat
    }
}
