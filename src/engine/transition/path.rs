//! Refutations from the length of a path.

use crate::chc::{Refutation, System, UnknownReason};
use crate::engine::Context;
use crate::engine::rules::RuleSystem;
use crate::engine::unroll::{Ends, Unrolling};
use crate::smt::{Failure, SatResult};

/// A refutation of a linear system, in whose transition system a path of at most `steps` steps
/// leads from an initial to a bad state.
///
/// # Errors
/// The solver does not answer, or the limit is reached.
pub(super) fn refutation(
    system: &System,
    steps: u32,
    context: &Context<'_>,
) -> Result<Refutation, UnknownReason> {
    let t = context.terms;
    let rules = RuleSystem::new(t, system);
    let mut unrolling = Unrolling::backward(t, &rules, Ends::Anywhere);
    // The path begins with an initial clause and ends with a query.
    for _ in 0..=steps {
        unrolling.expand(&context.limit)?;
    }
    let mut solver = context.backend.solver(t, "refutation");
    solver.set_limit(context.limit.clone());
    solver.assert(unrolling.node(unrolling.root()).on);
    for id in unrolling.nodes_from(0) {
        context.limit.check()?;
        let ends = unrolling.node(id).layer() == unrolling.last();
        solver.assert(unrolling.choice(id, true, !ends));
        unrolling.facts(id).for_each(|f| solver.assert(f));
        if !ends {
            unrolling.steps(id).for_each(|f| solver.assert(f));
        }
    }
    // on_false ∧ ⋀ choice ∧ ⋀ meaning: derivations of false of height steps + 2 or less
    let about = format_args!("has false a derivation of at most {steps} steps");
    match solver.check(about, &[]) {
        SatResult::Sat => Ok(unrolling.refutation(&mut *solver)?),
        SatResult::Unsat => {
            let why = format!(
                "the solver's answers contradict each other: a path of at most {steps} steps leads \
                 to a bad state, but `false` has no such derivation; try another --solver"
            );
            Err(Failure::Incomplete(why).into())
        }
        SatResult::Unknown(failure) => Err(failure.into()),
    }
}
