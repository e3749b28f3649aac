//! REFINE: is a counterexample of the abstraction one of the system?
//!
//! HORN: a counterexample is a derivation, a directed acyclic graph of rule applications, where the
//! paper has a path.

use super::super::rules::RuleSystem;
use super::abstraction::{Abstraction, Sigma};
use crate::chc::{Refutation, Skeleton, UnknownReason};
use crate::engine::Context;
use crate::engine::unroll::skeleton::{Conjuncts, Feasibility, feasibility};

/// What a spurious counterexample brings back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Refinement {
    /// The conjuncts that exclude it: the paper's REFINE.
    #[default]
    Counterexamples,
    /// Every conjunct, so that only proofs say what to leave out: `t_p` of Table 1.
    Proofs,
}

/// What became of a counterexample.
pub(super) enum Refined {
    /// It is feasible, with these values.
    Feasible(Refutation),
    /// It is spurious: no abstraction with these assumptions has it.
    Spurious(Abstraction),
}

/// Asks for values of the derivation, with all of Σ as assumptions (ISFEASIBLE). The labels are Σ's
/// literals, which the instances of a rule share. At most `attempts` queries look for a smaller
/// core.
pub(super) fn refine(
    context: &Context<'_>,
    rules: &RuleSystem,
    sigma: &Sigma,
    counterexample: &Skeleton,
    attempts: u32,
) -> Result<Refined, UnknownReason> {
    let conjuncts = |_, rule| {
        let assumed = sigma.of_rule(rule).iter();
        Conjuncts {
            always: sigma.kept(rule).to_vec(),
            assumed: assumed.map(|a| (a.literal, a.formula)).collect(),
        }
    };
    Ok(
        match feasibility(context, rules, counterexample, conjuncts, attempts)? {
            Feasibility::Feasible(refutation) => Refined::Feasible(refutation),
            Feasibility::Infeasible(core) => Refined::Spurious(sigma.abstraction(&core)),
        },
    )
}
