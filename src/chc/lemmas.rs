//! Lemmas about predicates as clauses, so that they can be written down and read again.
//!
//! A lemma `∀x: p(x) ⇒ φ(x)` is the query `false ← p(x) ∧ ¬φ(x)` of a system that has the
//! predicates and nothing but lemmas.

use super::{Atom, Clause, Model, Origin, System};
use crate::term::{Term, TermSet, Terms};

/// The conjuncts of a model without quantifiers and without defined functions, each as a query.
pub fn lemmas_as_queries(t: &Terms, system: &System, model: &Model) -> System {
    let mut clauses = Vec::new();
    for pred in system.pred_ids() {
        let said = model.get(pred);
        for conjunct in t.conjuncts(said.body) {
            let is_plain =
                !t.has_quantifier(conjunct) && t.defined_functions([conjunct]).is_empty();
            if is_plain && conjunct != Term::TRUE {
                clauses.push(Clause {
                    vars: said.params.clone(),
                    body: vec![Atom {
                        pred,
                        args: said.params.clone(),
                    }],
                    constraint: t.not(conjunct),
                    head: None,
                    origin: Origin::default(),
                });
            }
        }
    }
    System {
        preds: system.preds.clone(),
        clauses,
    }
}

/// What queries with one premise say of the predicates of `system`, as a model. Predicates are the
/// same if they have the same name and sorts. What is no lemma about one of the system's predicates
/// is left out. Nothing is known of the result: it need not be inductive.
pub fn queries_as_lemmas(t: &Terms, system: &System, lemmas: &System) -> Model {
    let mut model = Model::trivial(t, system);
    let mut bodies = vec![Vec::new(); system.preds.len()];
    for clause in &lemmas.clauses {
        let ([atom], None) = (&clause.body[..], &clause.head) else {
            continue;
        };
        let (theirs, mut args) = (t.func(lemmas.pred(atom.pred).func), TermSet::default());
        let is_general = atom.args.iter().all(|&x| t.is_var(x) && args.insert(x));
        let same = system.pred_ids().find(|&pred| {
            let ours = t.func(system.pred(pred).func);
            ours.name == theirs.name && ours.params == theirs.params
        });
        let only = t.vars([clause.constraint]).iter().all(|x| args.contains(x));
        if let (Some(pred), true, true) = (same, is_general, only) {
            let params = &model.get(pred).params;
            debug_assert_eq!(
                params.len(),
                atom.args.len(),
                "predicates of the same sorts"
            );
            let pairs = atom.args.iter().copied().zip(params.iter().copied());
            bodies[pred.index()].push(t.not(t.substitute(clause.constraint, pairs)));
        }
    }
    for (said, body) in model.interpretations.iter_mut().zip(bodies) {
        said.body = t.and(body);
    }
    model
}

#[cfg(test)]
mod tests {
    use super::super::Interpretation;
    use super::*;
    use crate::smtlib::{Source, read_system, system_text};

    #[test]
    fn lemmas_are_read_again() {
        let t = Terms::new();
        let read = |text: &str| read_system(&t, &Source::from_text("text", text));
        let system =
            read("(declare-fun p (Int Bool) Bool)(declare-fun q (Int) Bool)(assert (q 1))")
                .expect("it is Horn");
        let mut model = Model::trivial(&t, &system);
        let x = model.interpretations[0].params[0];
        let b = model.interpretations[0].params[1];
        let low = t.ge(x, t.int(3));
        model.interpretations[0].body = t.and([low, t.or([b, t.le(x, t.int(9))])]);
        let text = system_text(&t, &lemmas_as_queries(&t, &system, &model)).to_string();
        let lemmas = read(&text).expect("it is Horn");
        assert_eq!(lemmas.clauses.len(), 2, "{text}");
        let again = queries_as_lemmas(&t, &system, &lemmas);
        for (number, truth) in [(2, true), (3, false), (9, false), (10, true), (10, false)] {
            let values = [t.int(number), t.bool(truth)];
            let at = |said: &Interpretation| {
                t.substitute(said.body, said.params.iter().copied().zip(values))
            };
            let [expected, found] = [&model, &again].map(|m| at(&m.interpretations[0]));
            assert_eq!(found, expected, "p({number}, {truth}): {text}");
        }
        assert_eq!(again.interpretations[1].body, Term::TRUE);
        // Another predicate of the same name, and what is no lemma.
        let others = "(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)
            (assert (forall ((x Int)) (=> (p x) (> x 0))))
            (assert (forall ((x Int)) (=> (and (q x) (q (+ x 1))) (> x 0))))
            (assert (forall ((x Int) (y Int)) (=> (q x) (> x y))))
            (assert (q 7))(assert (not (q 5)))";
        let none = queries_as_lemmas(&t, &system, &read(others).expect("it is Horn"));
        assert!(
            none.interpretations
                .iter()
                .all(|said| said.body == Term::TRUE)
        );
    }
}
