//! Invariants without quantifiers.
//!
//! `∃x. Init(x) ∧ J(x, z)` is a disjunction over the cubes of *Init*. A cube often says what all
//! variables of `x` are, and then they are replaced in `J`. The others are eliminated by equations
//! of `J`, and else by virtual substitution, which leaves the lemmas of `J` as they are.

use crate::engine::Context;
use crate::engine::transition;
use crate::logic::Valuation;
use crate::logic::equations::{Role, solve};
use crate::logic::interpolate::eliminate;
use crate::smt::{Failure, SatResult};
use crate::term::{Term, TermSet};

/// An end of paths that has more cubes than these is given up. The value was not tuned.
const MOST_CUBES: usize = 200;

/// A formula over the variables `kept` that is equivalent to `∃ others. end ∧ ⋀ lemmas`. The lemmas
/// have no variables but those of states.
///
/// # Errors
/// A solver does not answer, or the formula would be too large, or the limit is reached.
pub(super) fn exists(
    context: &Context<'_>,
    end: Term,
    lemmas: &[Term],
    kept: &[Term],
) -> Result<Term, Failure> {
    let t = context.terms;
    let kept: TermSet = kept.iter().copied().collect();
    let states: TermSet = t.vars(lemmas.iter().copied()).into_iter().collect();
    let vars = t.vars([end]);
    let inputs: Vec<Term> = (vars.iter().copied())
        .filter(|x| !states.contains(x) && !kept.contains(x))
        .collect();
    let mut solver = context.backend.solver(t, "certificate");
    solver.set_limit(context.limit.clone());
    solver.assert(end);
    let mut found = Vec::new();
    while found.len() < MOST_CUBES {
        // end ∧ ¬⋁ cubes
        match solver.check(format_args!("another cube of the end of a path"), &[]) {
            SatResult::Unsat => return Ok(t.or(found)),
            SatResult::Unknown(failure) => return Err(failure),
            SatResult::Sat => {}
        }
        let values = solver.values(&vars)?;
        let mut model = Valuation::new(t, vars.iter().copied().zip(values));
        let cube = transition::cube(t, &mut model, inputs.iter().copied(), &[end])?;
        solver.assert(t.not(t.and(cube.iter().copied())));
        found.push(without_others(context, [&cube, lemmas].concat(), &kept)?);
    }
    let why = "the ends of paths have too many cubes for a model";
    Err(Failure::Incomplete(why.to_owned()))
}

/// `∃ others. ⋀ conjuncts` for variables other than `kept`.
fn without_others(
    context: &Context<'_>,
    mut conjuncts: Vec<Term>,
    kept: &TermSet,
) -> Result<Term, Failure> {
    let t = context.terms;
    let role = |x: Term| match kept.contains(&x) {
        true => Role::Fixed,
        false => Role::Free,
    };
    while let Some(round) = solve(t, &conjuncts, role) {
        conjuncts = t.conjuncts(t.and(round.rest));
    }
    let formula = t.and(conjuncts);
    let others = t.vars([formula]).into_iter().filter(|x| !kept.contains(x));
    eliminate(
        t,
        context.backend,
        &context.limit,
        formula,
        others.collect(),
    )
}
