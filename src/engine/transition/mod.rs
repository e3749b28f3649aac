//! Engines that search in one transition system.
//!
//! A linear system is one transition system (`transform::linearise`): a state is a predicate with
//! its arguments. An engine decides whether a bad state is reachable, and its [`Verdict`] is all
//! that is needed for an answer about the system:
//!
//! ```text
//! Safe(I)     Init ⇒ I,  I ∧ Trans ⇒ I',  I ∧ Bad ⇒ ⊥       the model is I, predicate by predicate
//! Unsafe(k)   a path of at most k steps leads from an initial to a bad state
//! Reached(p)  p is one
//! ```
//!
//! The refutation for `Unsafe` comes from an unrolling of the system itself (`path`), so engines
//! are free to change the formulas of the transition system, as long as the paths stay the same.
//! That for `Reached` is made state by state.

mod cube;
mod interpolants;
mod path;
mod steps;

use super::{Context, Progress};
use crate::chc::{Answer, Interpretation, Model, System, Unknown, UnknownReason};
use crate::logic::equations::{Role, solve};
use crate::logic::{Valuation, project};
use crate::smt::SatResult;
use crate::term::{Op, Substitution, Term, TermSet, Terms, Value};
use crate::transform::{TransitionSystem, linearise};
pub(super) use cube::cube;
pub(super) use interpolants::Interpolants;
use std::cell::Cell;
use std::iter::zip;
pub(super) use steps::Steps;

/// What an engine finds out about a transition system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// This formula over the state variables is an inductive invariant without bad states.
    Safe(Term),
    /// A path of at most this number of steps leads from an initial state to a bad one.
    Unsafe(u32),
    /// These states, given by the values of the state variables, are a path from an initial state
    /// to a bad one.
    Reached(Vec<Vec<Value>>),
}

/// Is the system linear? Others are no transition systems.
pub(super) fn suits(_: &Terms, system: &System) -> bool {
    system.is_linear()
}

/// Has `search` decide the transition system of a system, and makes a certificate of its verdict.
///
/// The inputs of *Init*, *Trans* and *Bad* are different variables. A safe depth that the engine
/// reports ([`report`]) is part of an unknown answer.
pub(super) fn decide(
    system: &System,
    context: &Context<'_>,
    search: impl FnOnce(&TransitionSystem, &Context<'_>) -> Result<Verdict, UnknownReason>,
) -> Answer {
    let safe_depth = Cell::new(None);
    let progress = |progress: &Progress| {
        safe_depth.set(progress.safe_depth.or(safe_depth.get()));
        (context.progress)(progress);
    };
    answer(system, context, &progress, search).unwrap_or_else(|reason| {
        Answer::Unknown(Unknown {
            safe_depth: safe_depth.get(),
            ..Unknown::new(reason)
        })
    })
}

fn answer(
    system: &System,
    context: &Context<'_>,
    progress: &dyn Fn(&Progress),
    search: impl FnOnce(&TransitionSystem, &Context<'_>) -> Result<Verdict, UnknownReason>,
) -> Result<Answer, UnknownReason> {
    let t = context.terms;
    let unsuited = || UnknownReason::Unsupported("the system is no transition system".to_owned());
    let linearised = linearise(t, system).ok_or_else(unsuited)?;
    let transition = without_determined_inputs(t, &linearised.transition);
    let inside = Context {
        progress,
        ..context.clone()
    };
    match search(&transition, &inside)? {
        Verdict::Safe(invariant) => {
            let model = Model {
                interpretations: vec![Interpretation {
                    params: transition.state,
                    body: invariant,
                }],
            };
            let lift = &linearised.transformed.lift;
            Ok(Answer::Sat(lift.model(&context.tools, system, model)?))
        }
        Verdict::Reached(states) => {
            let context = context.for_derivation();
            let found = linearised.refutation(&context.tools, system, states)?;
            Ok(Answer::Unsat(found))
        }
        Verdict::Unsafe(steps) => {
            let context = context.for_derivation();
            Ok(Answer::Unsat(path::refutation(system, steps, &context)?))
        }
    }
}

/// Tells how far an engine is: no path of less than `safe` steps leads to a bad state.
pub(super) fn report(context: &Context<'_>, engine: &'static str, safe: u32, progress: Progress) {
    (context.progress)(&Progress {
        engine,
        // The initial clause and the query are two steps of a derivation.
        safe_depth: (safe > 0).then(|| safe.saturating_add(1)),
        queries: context.backend.queries(),
        ..progress
    });
}

/// The same transition system, with the equations of each rule solved for inputs. *Init*, *Trans*
/// and *Bad* share no inputs afterwards.
fn without_determined_inputs(t: &Terms, system: &TransitionSystem) -> TransitionSystem {
    let fixed: TermSet = system.state.iter().chain(&system.next).copied().collect();
    let mut inputs = Vec::new();
    let mut solved = |formula: Term| {
        let parts = parts(t, Op::Or, formula);
        let formula = t.or(parts.into_iter().map(|rule| solved_rule(t, rule, &fixed)));
        let vars = t.vars([formula]).into_iter();
        let copies = vars.filter(|x| !fixed.contains(x)).map(|x| {
            let copy = t.fresh_var("input", t.sort_of(x));
            inputs.push(copy);
            (x, copy)
        });
        Substitution::new(t, copies).apply(formula)
    };
    let [init, trans, bad] = [system.init, system.trans, system.bad].map(&mut solved);
    TransitionSystem {
        state: system.state.clone(),
        next: system.next.clone(),
        inputs,
        init,
        trans,
        bad,
    }
}

/// The conjunction, with its equations solved for variables that are not `fixed`.
fn solved_rule(t: &Terms, rule: Term, fixed: &TermSet) -> Term {
    let mut conjuncts = parts(t, Op::And, rule);
    let role = |x: Term| match fixed.contains(&x) {
        true => Role::Fixed,
        false => Role::Free,
    };
    while let Some(round) = solve(t, &conjuncts, role) {
        conjuncts = parts(t, Op::And, t.and(round.rest));
    }
    t.and(conjuncts)
}

/// The arguments of a conjunction or disjunction, nested ones included.
pub(super) fn parts(t: &Terms, op: Op, formula: Term) -> Vec<Term> {
    let (mut found, mut todo) = (Vec::new(), vec![formula]);
    while let Some(part) = todo.pop() {
        match t.op(part) == op {
            true => todo.extend(t.args(part).iter().rev()),
            false => found.push(part),
        }
    }
    found
}

/// The most cubes of [`bad_states`]. The value was not tuned.
const MOST_CUBES: usize = 256;

/// *Bad* as a disjunction of conjunctions of formulas over states: the inputs are eliminated. Where
/// it has no inputs and too many cubes, *Bad* is the only one.
///
/// # Errors
/// There are inputs and too many cubes, or the solver does not answer.
pub(super) fn bad_states(
    system: &TransitionSystem,
    context: &Context<'_>,
) -> Result<Vec<Vec<Term>>, UnknownReason> {
    let t = context.terms;
    let state: TermSet = system.state.iter().copied().collect();
    let vars = t.vars([system.bad]);
    let inputs = || vars.iter().copied().filter(|x| !state.contains(x));
    let mut solver = context.backend.solver(t, "bad states");
    solver.set_limit(context.limit.clone());
    solver.assert(system.bad);
    let mut cubes = Vec::new();
    while cubes.len() < MOST_CUBES {
        context.limit.check()?;
        // Bad ∧ ¬⋁ cubes
        match solver.check(format_args!("is a bad state in no cube"), &[]) {
            SatResult::Unsat => return Ok(cubes),
            SatResult::Unknown(failure) => return Err(failure.into()),
            SatResult::Sat => {}
        }
        let values = solver.values(&vars)?;
        let mut model = Valuation::new(t, zip(vars.iter().copied(), values));
        if !model.holds(system.bad) {
            let why = "a solver's model does not satisfy the bad states";
            return Err(UnknownReason::Incomplete(why.to_owned()));
        }
        let cube = project(t, &mut model, inputs(), [system.bad]);
        solver.assert(t.not(t.and(cube.iter().copied())));
        cubes.push(cube);
    }
    if inputs().next().is_none() {
        return Ok(vec![parts(t, Op::And, system.bad)]);
    }
    let why = "the bad states are too many to be written without inputs";
    Err(UnknownReason::Incomplete(why.to_owned()))
}
