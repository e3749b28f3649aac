//! What not every back end can do, beyond the contract of `smt::Solver`: proofs and interpolants.
//!
//! Both come from a new context, which repeats the check, so the script's solver need not keep what
//! they need.

use super::refusal::Refusal;
use crate::logic::interpolate::Interpolation;
use crate::smt::native::{NativeOptions, NativeSolver, check};
use crate::smt::{
    Backend, Failure, InterpolationOptions, InterpolationSource, Limit, NoInterpolants, PartTree,
    SatResult, Solver, Strength,
};
use crate::smtlib::SmtInterpolants;
use crate::term::{Term, Terms};

/// A proof that assertions and assumptions contradict each other, as text. The checker has accepted
/// it.
///
/// # Errors
/// Why there is none.
pub(super) fn proof(
    backend: &Backend,
    t: &Terms,
    assertions: &[Term],
    assumptions: &[Term],
    limit: Limit,
) -> Result<String, Refusal> {
    if !backend.is_native() {
        return Err(Refusal::Unsupported("external solvers give no proofs"));
    }
    let options = NativeOptions {
        proofs: true,
        ..NativeOptions::default()
    };
    let mut solver = NativeSolver::new(t, &options);
    solver.set_limit(limit);
    assertions.iter().for_each(|&f| solver.assert(f));
    let why = match solver.check(format_args!("again, for the proof"), assumptions) {
        SatResult::Unsat => None,
        SatResult::Unknown(why) => Some(why.to_string()),
        SatResult::Sat => Some("the embedded core says sat".to_owned()),
    };
    let proof = solver.proof().ok_or(why.unwrap_or_default())?;
    check::check(t, assertions, assumptions, &proof)
        .map_err(|error| format!("the proof is refused: {error}"))?;
    Ok(proof.text(t))
}

/// Interpolants for all nodes of a tree but the root. The nodes' formulas contradict each other. An
/// external solver is asked if it is the back end, or if the embedded core finds none.
///
/// # Errors
/// Why there are none.
pub(super) fn interpolants(
    backend: &Backend,
    t: &Terms,
    tree: &PartTree,
    nodes: &[Vec<Term>],
    which: SmtInterpolants,
    limit: &Limit,
) -> Result<Vec<Term>, Refusal> {
    let options = InterpolationOptions {
        source: match backend.is_native() {
            true => InterpolationSource::Both,
            false => InterpolationSource::External,
        },
        strength: match which {
            SmtInterpolants::Strong | SmtInterpolants::Decomposed => Strength::Strong,
            SmtInterpolants::Weak => Strength::Weak,
        },
        decompose: which == SmtInterpolants::Decomposed,
        ..InterpolationOptions::default()
    };
    let interpolation = Interpolation {
        terms: t,
        backend,
        limit: limit.clone(),
        name: "interpolants",
        options,
    };
    let found = interpolation.tree_interpolants(tree, nodes);
    found.map_err(|why| match (backend.is_native(), why) {
        (false, NoInterpolants::Unknown(Failure::Unsupported(_))) => {
            Refusal::Unsupported("this external solver gives no interpolants")
        }
        (_, why) => Refusal::Error(why.to_string()),
    })
}
