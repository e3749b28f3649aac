//! What known invariants leave open of a system, which is little after an edit.
//!
//! The invariants are inductive, so a query that follows from them needs no more proof. For the
//! others, new invariants are sought for few predicates first: those of the open queries, and those
//! before them of which invariants were lost. All other predicates stand for what is known of them.
//! This part of the system is smaller, and its predicates hold of more; so a model of it proves the
//! open queries, and a refutation only says that the part was too small.

use crate::chc::{Clause, Interpretation, Model, PredId, System};
use crate::gate::CLIENT;
use crate::smt::SatResult;
use crate::term::{Term, Terms};
use crate::transform::Tools;
use crate::work;

/// The budget for finding open queries, in ticks. The value was not tuned.
const TICKS: u64 = work::milliseconds(500);

/// A part of a system under known invariants.
pub(super) struct OpenPart<'a> {
    t: &'a Terms,
    /// The system, strengthened by what is known. Queries that follow from it are void.
    stronger: System,
    known: &'a Model,
    /// Is the predicate one of which too little may be known?
    lost: Vec<bool>,
    /// The predicates that have not been replaced.
    kept: Vec<bool>,
}

impl<'a> OpenPart<'a> {
    /// The smallest part of a system that is strengthened by invariants. `candidates` is what was
    /// hoped to be invariant. Queries that are not decided within the budget count as open.
    pub(super) fn new(
        tools: &Tools<'a>,
        mut stronger: System,
        known: &'a Model,
        candidates: &Model,
    ) -> Self {
        let t = tools.terms;
        void_queries(tools, &mut stronger);
        let count = |said: &Interpretation| t.conjuncts(said.body).len();
        let pairs = known
            .interpretations
            .iter()
            .zip(&candidates.interpretations);
        let is_lost = |(held, hoped): (&Interpretation, &Interpretation)| {
            held.body == Term::TRUE || count(held) < count(hoped)
        };
        let lost = pairs.map(is_lost).collect();
        let mut part = OpenPart {
            t,
            lost,
            kept: vec![false; stronger.preds.len()],
            stronger,
            known,
        };
        let open = part
            .stronger
            .clauses
            .iter()
            .filter(|clause| clause.is_query());
        let preds: Vec<PredId> = open.flat_map(premises).collect();
        part.keep(preds);
        part
    }

    /// The strengthened system without the queries that follow from what is known. Clauses have
    /// their positions.
    pub(super) fn into_stronger(self) -> System {
        self.stronger
    }

    /// Are all premises kept? Then the part is as hard as the whole.
    pub(super) fn is_whole(&self) -> bool {
        let mut clauses = self.stronger.clauses.iter().filter(|c| self.matters(c));
        clauses.all(|clause| premises(clause).all(|pred| self.kept[pred.index()]))
    }

    /// Is a clause one of the part?
    fn matters(&self, clause: &Clause) -> bool {
        match &clause.head {
            Some(head) => self.kept[head.pred.index()],
            None => clause.constraint != Term::FALSE,
        }
    }

    /// Keeps more predicates: those from which kept ones are derived. Answers whether there are
    /// any.
    pub(super) fn grow(&mut self) -> bool {
        let clauses = self.stronger.clauses.iter();
        let derives = |clause: &&Clause| {
            let head = clause.head.as_ref();
            head.is_some_and(|head| self.kept[head.pred.index()])
        };
        let before: Vec<PredId> = clauses.filter(derives).flat_map(premises).collect();
        let is_new = |pred: &PredId| !self.kept[pred.index()];
        let grows = before.iter().any(is_new);
        self.keep(before);
        grows
    }

    /// Keeps predicates, and those before them of which too little may be known.
    fn keep(&mut self, mut preds: Vec<PredId>) {
        while let Some(pred) = preds.pop() {
            if std::mem::replace(&mut self.kept[pred.index()], true) {
                continue;
            }
            let derives = |clause: &&Clause| {
                let head = clause.head.as_ref();
                head.is_some_and(|head| head.pred == pred)
            };
            let before = self.stronger.clauses.iter().filter(derives);
            let lost = |pred: &PredId| self.lost[pred.index()];
            preds.extend(before.flat_map(premises).filter(lost));
        }
    }

    /// The part as a system. Predicates have their positions, and clauses do not.
    pub(super) fn system(&self) -> System {
        let is_kept = |pred: PredId| self.kept[pred.index()];
        let reduced = |clause: &Clause| {
            let mut clause = clause.clone();
            // What is known of the others is in the constraint.
            clause.body.retain(|atom| is_kept(atom.pred));
            clause
        };
        System {
            preds: self.stronger.preds.clone(),
            clauses: (self.stronger.clauses.iter().filter(|c| self.matters(c)))
                .map(reduced)
                .collect(),
        }
    }

    /// What a model of the part, together with what is known, says of all predicates.
    pub(super) fn model(&self, mut found: Model) -> Model {
        for (pred, said) in found.interpretations.iter_mut().enumerate() {
            if !self.kept[pred] {
                said.body = Term::TRUE;
            }
        }
        both(self.t, self.known, found)
    }
}

/// Makes the queries void that follow from what is known of their premises, which the constraints
/// have.
fn void_queries(tools: &Tools<'_>, stronger: &mut System) {
    let limit = tools.limit.part(TICKS);
    let backend = tools.backend.for_client(CLIENT);
    let mut solver = backend.solver(tools.terms, "open queries");
    solver.set_limit(limit.clone());
    let queries = stronger
        .clauses
        .iter_mut()
        .filter(|clause| clause.is_query());
    for query in queries {
        if limit.check().is_err() {
            return;
        }
        solver.push();
        solver.assert(query.constraint);
        if solver.check(format_args!("a query is open"), &[]) == SatResult::Unsat {
            query.constraint = Term::FALSE;
        }
        solver.pop();
    }
}

/// The predicates of a clause's premises; none of a clause that is void.
fn premises(clause: &Clause) -> impl Iterator<Item = PredId> + '_ {
    let is_void = clause.constraint == Term::FALSE;
    let atoms = clause.body.iter().filter(move |_| !is_void);
    atoms.map(|atom| atom.pred)
}

/// The conjunction of two models, over the parameters of the second.
pub(super) fn both(t: &Terms, known: &Model, mut model: Model) -> Model {
    for (said, known) in model.interpretations.iter_mut().zip(&known.interpretations) {
        let pairs = known
            .params
            .iter()
            .copied()
            .zip(said.params.iter().copied());
        let known: Term = t.substitute(known.body, pairs);
        said.body = t.and([known, said.body]);
    }
    model
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::strengthened;
    use crate::smt::native::NativeOptions;
    use crate::smt::{Backend, Limit};
    use crate::smtlib::{Source, read_system};

    /// Three loops in a row, each with a query.
    const LOOPS: &str = "
        (declare-fun a (Int) Bool) (declare-fun b (Int) Bool) (declare-fun c (Int) Bool)
        (assert (a 1))
        (assert (forall ((x Int)) (=> (a x) (a (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (a x) (< x 0)) false)))
        (assert (forall ((x Int)) (=> (a x) (b x))))
        (assert (forall ((x Int)) (=> (b x) (b (+ x 2)))))
        (assert (forall ((x Int)) (=> (and (b x) (= x 0)) false)))
        (assert (forall ((x Int)) (=> (b x) (c (- x 5)))))
        (assert (forall ((x Int)) (=> (c x) (c (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (c x) (< x (- 4))) false)))";

    #[test]
    fn what_is_proved_is_left_out() {
        let t = Terms::new();
        let system = read_system(&t, &Source::from_text("loops", LOOPS)).expect("it is Horn");
        let mut candidates = Model::trivial(&t, &system);
        for said in &mut candidates.interpretations {
            said.body = t.ge(said.params[0], t.int(1));
        }
        let mut known = candidates.clone();
        known.interpretations[2].body = Term::TRUE;
        let backend = Backend::native(NativeOptions::for_engines());
        let tools = Tools::new(&t, &backend, Limit::none());
        let stronger = strengthened(&t, &system, &known);
        let mut part = OpenPart::new(&tools, stronger, &known, &candidates);
        // The queries about `a` and `b` follow from what is known.
        let void: Vec<_> = (part.stronger.clauses.iter())
            .map(|clause| clause.constraint == Term::FALSE)
            .collect();
        let expected = [false, false, true, false, false, true, false, false, false];
        assert_eq!(void, expected);
        // The part is about `c`; what is known of `b` stands for `b`.
        let system = part.system();
        assert_eq!(system.clauses.len(), 3);
        assert!(system.clauses[0].body.is_empty() && system.clauses[0].constraint != Term::TRUE);
        assert_eq!(part.kept, [false, false, true]);
        assert!(part.grow());
        assert_eq!(part.kept, [false, true, true]);
        assert_eq!(part.system().clauses.len(), 5);
        assert!(!part.is_whole());
        assert!(part.grow() && !part.grow());
        assert!(part.is_whole());
        // A model of the part is one with what is known of the others.
        let mut found = Model::trivial(&t, &system);
        found.interpretations[2].body = t.ge(found.interpretations[2].params[0], t.int(-4));
        let model = part.model(found);
        let texts = model
            .interpretations
            .iter()
            .map(|said| t.display(said.body).to_string());
        let texts: Vec<_> = texts.collect();
        assert!(
            texts[0].contains("(<= 1 ") && texts[2].contains("(<= (- 4) "),
            "{texts:?}"
        );
    }
}
