//! The part of a proof's invariants that the proof needs, for people and witnesses.
//!
//! A conjunct of a predicate's meaning is left out if all clauses with the predicate in their
//! bodies hold without it; clauses with it in their heads then hold as well. The conjuncts are
//! tried from the largest to the smallest, until none can be left out. A disjunct of a conjunct is
//! left out if all clauses with the predicate in their heads hold without it. The result is a model
//! again.

use super::verifier::Session;
use crate::certify::check_model;
use crate::chc::{Clause, Model, PredId, System};
use crate::smt::Limit;
use crate::term::{Op, Term, Terms};
use crate::work::milliseconds;

/// The ticks for all conjuncts. The value was not tuned.
const BUDGET: u64 = milliseconds(1_000);
/// Systems of more clauses keep their models as they are. The value was not tuned.
const CLAUSES: usize = 1_000;

/// A model with as few conjuncts as the limit allows to find.
pub(super) fn minimised(
    session: &Session<'_>,
    terms: &Terms,
    system: &System,
    model: &Model,
) -> Model {
    let mut model = model.clone();
    if system.clauses.len() > CLAUSES {
        return model;
    }
    let limit = session.limit.part(BUDGET);
    let minimiser = Minimiser {
        session,
        terms,
        limit,
    };
    for at in 0..system.preds.len() {
        let pred = PredId(u32::try_from(at).expect("few predicates"));
        let (mut users, mut makers) = (system.clone(), system.clone());
        let uses = |clause: &Clause| clause.body.iter().any(|atom| atom.pred == pred);
        let makes = |clause: &Clause| clause.head.as_ref().is_some_and(|head| head.pred == pred);
        users.clauses.retain(uses);
        makers.clauses.retain(makes);
        minimiser.drop_conjuncts(&users, &mut model, at);
        minimiser.drop_disjuncts(&makers, &mut model, at);
    }
    model
}

struct Minimiser<'a> {
    session: &'a Session<'a>,
    terms: &'a Terms,
    limit: Limit,
}

impl Minimiser<'_> {
    /// Leaves out conjuncts of a predicate's meaning that the clauses which use it do not need.
    fn drop_conjuncts(&self, users: &System, model: &mut Model, at: usize) {
        let terms = self.terms;
        let mut conjuncts = terms.conjuncts(model.interpretations[at].body);
        let mut tried: Vec<Term> = conjuncts.clone();
        let size = |&conjunct: &Term| terms.post_order([conjunct]).count();
        tried.sort_by_key(|conjunct| std::cmp::Reverse(size(conjunct)));
        // A conjunct may be needed for one alone that is left out after it.
        let mut before = usize::MAX;
        while conjuncts.len() < before {
            before = conjuncts.len();
            tried.retain(|conjunct| conjuncts.contains(conjunct));
            for &conjunct in &tried {
                let fewer = conjuncts.iter().copied().filter(|&other| other != conjunct);
                let fewer: Vec<Term> = fewer.collect();
                if self.replace(users, model, at, terms.and(fewer.iter().copied())) {
                    conjuncts = fewer;
                }
            }
        }
    }

    /// Leaves out disjuncts of conjuncts that the clauses which derive the predicate do not need.
    /// What is stronger is as good for the clauses that use it.
    fn drop_disjuncts(&self, makers: &System, model: &mut Model, at: usize) {
        let terms = self.terms;
        let mut conjuncts = terms.conjuncts(model.interpretations[at].body);
        for position in 0..conjuncts.len() {
            let mut disjuncts = match terms.op(conjuncts[position]) {
                Op::Or => terms.args(conjuncts[position]).to_vec(),
                _ => continue,
            };
            for disjunct in disjuncts.clone() {
                let fewer = disjuncts.iter().copied().filter(|&other| other != disjunct);
                let fewer: Vec<Term> = fewer.collect();
                let mut stronger = conjuncts.clone();
                stronger[position] = terms.or(fewer.iter().copied());
                if self.replace(makers, model, at, terms.and(stronger.iter().copied())) {
                    (conjuncts, disjuncts) = (stronger, fewer);
                }
            }
        }
    }

    /// Replaces a predicate's meaning if these clauses hold with the new one; answers whether they
    /// do.
    fn replace(&self, clauses: &System, model: &mut Model, at: usize, body: Term) -> bool {
        if self.limit.check().is_err() {
            return false;
        }
        let (terms, backend) = (self.terms, self.session.verifier.backend);
        let before = std::mem::replace(&mut model.interpretations[at].body, body);
        let mut solvers = || backend.solver(terms, "minimise");
        let holds = check_model(terms, clauses, model, &mut solvers, &self.limit).is_ok();
        if !holds {
            model.interpretations[at].body = before;
        }
        holds
    }
}
