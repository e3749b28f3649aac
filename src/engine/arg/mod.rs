//! Abstract reachability graphs: predicate abstraction \[GS97, HJMS02\] and Impact \[McM06\] as two
//! configurations of one algorithm \[BDW18\].
//!
//! An *abstract state* is a predicate and a formula over its parameters, the abstraction formula ψ.
//! It stands for all facts that satisfy ψ. It is derived from other abstract states by a rule. So
//! the states are a directed graph ([`graph`]); the paths of a program are derivations here.
//!
//! ```text
//! CEGAR:                                        -- Algorithm 4
//!   loop:
//!     CPA++ until no edge is left, or a derivation of false is found
//!     no edge is left:  sat, with ⋁ ψ over the uncovered states of each predicate
//!     the derivation has values:  unsat
//!     REFINE its states
//!
//! CPA++:                                        -- Algorithm 1, one edge
//!   take an edge: a rule, and an uncovered state for each of its premises
//!   ψ := the abstraction of what follows from them         -- transfer, precision adjustment
//!   a state with ψ is added
//!   if an older state covers it:  it stays as it is        -- stop
//!   else if the states on the way can be strengthened so that one does:  they are    -- FCOVER
//!   else:  the edges with it and the states before it are added
//! ```
//!
//! What is *configured* ([`Configuration`], Table 1 of the paper) is how a derivation without
//! values refines the graph. Its tree interpolants are assertions, one for each state.
//!
//! - Predicate abstraction adds the conjuncts of an assertion to the *precision* of the state's
//!   predicate. States whose abstraction did not know them are removed, with all that was derived
//!   from them, and derived again: lazy abstraction.
//! - Impact conjoins the assertion to ψ. New states have the formula `true`.
//!
//! HORN: rules may have several premises, so that the graph is a hypergraph, and the interpolants
//! are those of a tree.
//!
//! DIVERGENCE: every predicate ends a block: `blk` is `true`. Preprocessing removes the predicates
//! inside of blocks before. An abstraction is the conjunction of the predicates of the precision
//! that follow (cartesian abstraction \[BPR01\]).

mod cegar;
mod graph;
mod transfer;

use super::Context;
use super::rules::RuleSystem;
use crate::chc::{Answer, System, Unknown};
use crate::smt::{InterpolationSource, Strength};
use cegar::Cegar;

/// A row of Table 1 of \[BDW18\]: what makes the algorithm one of the schools.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Configuration {
    /// The name of the engine.
    pub(super) engine: &'static str,
    /// What a derivation without values changes.
    pub(super) refinement: Refinement,
}

/// How assertions along a derivation refine the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refinement {
    /// They become predicates of the precision.
    Predicates,
    /// They strengthen the states of the derivation.
    Impact,
}

/// Predicate abstraction.
pub(super) const PREDICATES: Configuration = Configuration {
    engine: "predicates",
    refinement: Refinement::Predicates,
};

/// Impact.
pub(super) const IMPACT: Configuration = Configuration {
    engine: "impact",
    refinement: Refinement::Impact,
};

/// Limits and choices of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// Which of a proof's interpolants are taken.
    pub(super) strength: Strength,
    /// Who finds interpolants.
    pub(super) source: InterpolationSource,
    /// The number of older states that are tried for a forced covering of a new one.
    pub(super) forced_coverings: u32,
    /// Give up when there are more edges than this, or a state would open more.
    pub(super) max_edges: u32,
}

/// Decides a system.
pub(super) fn solve(
    system: &System,
    configuration: Configuration,
    settings: Settings,
    context: &Context<'_>,
) -> Answer {
    let rules = RuleSystem::new(context.terms, system);
    let mut cegar = Cegar::new(system, &rules, configuration, settings, context);
    let found = cegar.run();
    cegar.report();
    found.unwrap_or_else(|reason| Answer::Unknown(Unknown::new(reason)))
}
