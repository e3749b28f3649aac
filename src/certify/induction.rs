//! Lemmas of a model: what it says of all values, about functions that are defined by recursion.
//!
//! A conjunct of an interpretation that speaks of no parameter, `∀ x, ȳ. φ(x, ȳ)`, is true or false
//! by itself. Structural induction on `x` shows that it is true:
//!
//! ```text
//! for each constructor C, from ∀ ȳ. φ(z, ȳ) for each field z of x's sort:  φ(C(z̄), ȳ)
//! ```
//!
//! A value of a datatype is built by finitely many constructors, so this is enough. Lemmas that
//! were proved before are premises, too. What is proved is a premise of every clause. A conjunct
//! that is not proved stays a part of its interpretation, and has to be derived like any other.

use crate::chc::{Interpretation, Model, is_lemma};
use crate::smt::{Failure, SatResult, Solver};
use crate::term::{CtorId, Effort, Term, Terms};

/// Does the conclusion follow from the premises, with the definitions of functions? `general`
/// premises have quantifiers. The premises without them are on the solver's stack, which is the
/// same before and after.
pub(super) fn ask(
    t: &Terms,
    general: &[Term],
    plain: &[Term],
    denied: Term,
    solver: &mut dyn Solver,
    about: &str,
) -> SatResult {
    let formulas: Vec<Term> = plain.iter().copied().chain([denied]).collect();
    let mut answer = SatResult::Unknown(Failure::Incomplete("it was not asked".to_owned()));
    for effort in Effort::RISING {
        let found = t.saturation(&formulas, general, effort);
        solver.push();
        (found.formulas()).for_each(|fact| solver.assert(fact));
        // Formula: premises ∧ facts ∧ ¬conclusion.
        answer = solver.check(format_args!("{about}"), &[denied]);
        solver.pop();
        if answer == SatResult::Unsat {
            break;
        }
    }
    answer
}

/// The lemmas of a model that hold by induction, and the model without them. The solver has nothing
/// on its stack.
pub(super) fn without_lemmas(
    t: &Terms,
    model: &Model,
    solver: &mut dyn Solver,
) -> (Vec<Term>, Model) {
    let bodies = model.interpretations.iter().map(|i| i.body);
    let mut lemmas: Vec<Term> = Vec::new();
    for conjunct in bodies.flat_map(|body| t.conjuncts(body)) {
        if is_lemma(t, conjunct)
            && !lemmas.contains(&conjunct)
            && holds(t, conjunct, &lemmas, solver)
        {
            lemmas.push(conjunct);
        }
    }
    let interpretations = model.interpretations.iter().map(|i| {
        let conjuncts = t.conjuncts(i.body).into_iter();
        Interpretation {
            params: i.params.clone(),
            body: t.and(conjuncts.filter(|conjunct| !lemmas.contains(conjunct))),
        }
    });
    let model = Model {
        interpretations: interpretations.collect(),
    };
    (lemmas, model)
}

/// Does a lemma follow from others by induction on its first variable?
fn holds(t: &Terms, lemma: Term, lemmas: &[Term], solver: &mut dyn Solver) -> bool {
    let (vars, matrix) = t.opened(lemma);
    let (value, others) = vars.split_first().expect("it has variables");
    let sort = t.sort_of(*value);
    let Some(datatype) = t.datatype_of(sort) else {
        let answer = ask(t, lemmas, &[], t.not(matrix), solver, "a lemma");
        return answer == SatResult::Unsat;
    };
    let said_of = |of: Term| t.substitute(matrix, [(*value, of)]);
    let ctors = t.datatype(datatype).ctors();
    // Of a datatype that is not defined yet nothing is known.
    let mut holds_of = |&ctor: &CtorId| {
        let fields = t.fresh_fields(ctor);
        let smaller = fields.iter().filter(|&&field| t.sort_of(field) == sort);
        let hypotheses = smaller.map(|&field| t.forall(others, said_of(field)));
        let (general, plain): (Vec<Term>, Vec<Term>) = match others {
            [] => (Vec::new(), hypotheses.collect()),
            _ => (hypotheses.collect(), Vec::new()),
        };
        let general = [lemmas, &general].concat();
        let denied = t.not(said_of(t.construct(ctor, &fields)));
        solver.push();
        plain
            .iter()
            .for_each(|&hypothesis| solver.assert(hypothesis));
        let answer = ask(t, &general, &plain, denied, solver, "a case of a lemma");
        solver.pop();
        answer == SatResult::Unsat
    };
    !ctors.is_empty() && ctors.iter().all(&mut holds_of)
}
