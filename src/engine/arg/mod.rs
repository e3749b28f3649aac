//! Abstract reachability graphs: predicate abstraction \[GS97, HJMS02\], Impact \[McM06\] and the
//! other schools of \[BDW18\] as configurations of one framework.
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
//! CPA++:                                        -- Algorithm 2, one edge
//!   take an edge: a rule, and an uncovered state for each of its premises
//!   ψ := the abstraction of what follows from them         -- transfer, precision adjustment
//!   a state with ψ is added
//!   if an older state covers it:  it stays as it is        -- stop
//!   else if the states on the way can be strengthened so that one does:  they are    -- FCOVER
//!   else:  the edges with it and the states before it are added
//! ```
//!
//! Algorithm 1, the CPA algorithm, is Algorithm 2 that does not end at a derivation of `false`, and
//! strengthens no states. It has no function to itself, since no school uses it without CEGAR.
//! Algorithm 3 is [`k_induction`]: it decides by unrolling, and has no graph.
//!
//! What is *configured* is Table 1 of the paper ([`configuration`]).
//!
//! - `blk` says which predicates end blocks. A predicate inside of a block is eliminated, and
//!   parallel rules are joined ([`blocks`]): an edge is a block then. If blocks never end, the path
//!   formula alone says whether an edge derives something.
//! - `prec` computes ψ of a new state: `true`, or an abstraction by the predicates of the
//!   *precision* ([`precision`]), cartesian or boolean, or by values of arguments \[BLW15\].
//!   Boolean abstractions are binary decision diagrams ([`abstraction`]).
//! - `stop` compares states by diagrams or by a solver ([`cover`]).
//! - `refine` uses assertions along a derivation without values, one for each state, as the options
//!   of [`refinement`] say ([`refine`]). Predicate refinement adds them to the precision; states
//!   whose abstraction did not know them are removed, with all that was derived from them, and
//!   derived again: lazy abstraction. Impact refinement conjoins them to ψ. State splitting has a
//!   graph of another kind ([`splitting`]).
//!
//! HORN: rules may have several premises, so that the graph is a hypergraph, and the interpolants
//! are those of a tree.

mod abstraction;
mod blocks;
mod cegar;
mod configuration;
mod cover;
mod graph;
mod k_induction;
mod known;
mod path;
mod precision;
mod proof;
mod refine;
mod splitting;
mod transfer;

use super::Context;
use super::option::{UNLIMITED, word_option};
use super::rules::RuleSystem;
use crate::chc::{Answer, System, Unknown};
use crate::refinement;
pub(super) use blocks::large;
use cegar::Cegar;
pub(super) use cegar::LOOP_BOUND;
use configuration::Driver;
pub use configuration::schools;
pub(super) use configuration::{
    BMC, BlockEnd, CARTESIAN_PREDICATES, Configuration, IMPACT, K_INDUCTION, PREDICATES,
    Refinement, SPLITTING, SYMBOLIC_EXECUTION, UFO, VALUES, VALUES_AND_PREDICATES,
};
pub(super) use k_induction::{Unrolled, k_induction};
pub(super) use known::KnownInvariants;
pub(super) use path::Paths;
use splitting::Splitting;
pub(super) use transfer::Transfer;

/// Which predicates of the system share their precisions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrecisionScope {
    /// None do.
    Predicate,
    /// The predicates that derive each other.
    Component,
    /// All of them.
    Global,
}

word_option!(
    PrecisionScope: "predicate" => Predicate, "component" => Component, "global" => Global
);

/// The reason to give up at a limit.
pub(super) const TOO_MANY_EDGES: &str = "the limit on edges (option max-edges) is reached";

/// Limits and choices of a run.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// The name of the engine.
    pub(super) engine: &'static str,
    /// Where assertions along derivations without values come from.
    pub(super) refinement: refinement::Options,
    /// Which predicates share their precisions.
    pub(super) scope: PrecisionScope,
    /// Do assertions along a derivation assume what its states say?
    pub(super) assume_states: bool,
    /// The number of older states that are tried for a forced covering of a new one.
    pub(super) forced_coverings: u32,
    /// The most states of one predicate on a path.
    pub(super) loop_bound: u32,
    /// Give up when there are more edges than this, or a state would open more.
    pub(super) max_edges: u32,
}

impl Settings {
    /// Those of an engine whose predicates do not share precisions, without forced coverings and
    /// without a loop bound, and whose assertions do not assume what states say.
    pub(super) fn new(
        engine: &'static str,
        refinement: refinement::Options,
        max_edges: u32,
    ) -> Self {
        Settings {
            engine,
            refinement,
            scope: PrecisionScope::Predicate,
            assume_states: false,
            forced_coverings: 0,
            loop_bound: UNLIMITED,
            max_edges,
        }
    }
}

/// Decides a system by a row of Table 1 whose algorithm is CEGAR. Rows of k-induction are for
/// [`k_induction`].
pub(super) fn solve(
    system: &System,
    configuration: Configuration,
    settings: Settings,
    context: &Context<'_>,
) -> Answer {
    debug_assert_eq!(configuration.driver, Driver::Cegar);
    match configuration.blocks {
        BlockEnd::Every | BlockEnd::Never => explore(system, configuration, settings, context),
        BlockEnd::Loops => blocks::large(settings.engine, system, context, |system, context| {
            explore(system, configuration, settings, context)
        }),
    }
}

/// Decides a system each of whose predicates ends a block, or none.
fn explore(
    system: &System,
    configuration: Configuration,
    settings: Settings,
    context: &Context<'_>,
) -> Answer {
    let rules = RuleSystem::new(context.terms, system);
    let found = match configuration.refinement {
        Refinement::Splitting => {
            let mut splitting = Splitting::new(system, &rules, settings, context);
            let found = splitting.run();
            splitting.report(true);
            found
        }
        _ => {
            let mut cegar = Cegar::new(system, &rules, configuration, settings, context);
            let found = cegar.run();
            cegar.report(true);
            found
        }
    };
    found.unwrap_or_else(|reason| Answer::Unknown(Unknown::new(reason)))
}
