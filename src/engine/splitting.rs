//! State splitting, also called slicing abstractions \[BDFW07, EHP12\]: a configuration of the
//! framework of `engine::arg` \[BDW18\].

use super::Context;
use super::arg::{self, Configuration, SPLITTING, Settings};
use super::option::declare_options;
use super::predicates::Blocks;
use super::refining::refinement_options;
use crate::chc::{Answer, System};
use crate::refinement::{AssertionSource, Prefixes, Sources};
use crate::smt::{InterpolationSource, Strength};

declare_options! {
    /// Options of state splitting.
    pub struct Options {
        /// Which predicates have nodes of the graph: each, or those of `loops` only.
        blocks: Blocks = Blocks::Every, from "BKW10";
        /// Give up when the graph has more than this many edges.
        max_edges: u32 = 1000000;
        /// Where the assertions along a spurious derivation come from. Several sources are tried in
        /// turn: the first perfect assertions are taken, or the first ones.
        refinement: Sources = AssertionSource::Craig.into(), from "DHMNP17";
        /// The source of every 16th refinement in place of these, from the ninth one on: where
        /// one source diverges, another may not.
        alternate: Option<AssertionSource> = None, from "DHMNP17";
        /// Which infeasible prefixes of a spurious derivation assertions are made for: the `whole`
        /// derivation, the `first` or the `last` prefix, the one whose assertions are about
        /// variables of the simplest `domain-types`, the one that leaves most of the path as it is
        /// (`depth`), the one with the smallest assertions (`score`), or `all`.
        prefixes: Prefixes = Prefixes::Whole, from "BLW15";
        /// The most queries that make the infeasible core of a derivation smaller.
        core_queries: u32 = 20, from "DHMNP17";
        /// Which of a proof's interpolants states are split by.
        interpolants: Strength = Strength::Strong, from "McM05";
        /// Who finds interpolants: the embedded core, the external solver, or both, the core first.
        interpolation_source: InterpolationSource = InterpolationSource::Both;
        /// Decompose interpolants that are sums of inequalities. (Those of the core only.)
        decompose: bool = false, from "BHKS19";
        /// Rewrite interpolants as conjunctions of clauses where that takes little time.
        clausal: bool = true, from "Bra11";
        /// Ask of all assertions whether they are perfect, for the statistics. Without this, those
        /// of several sources are asked about.
        judge: bool = false, from "DHMNP17";
    }
}

/// Decides a system by state splitting.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    let configuration = Configuration {
        blocks: options.blocks.into(),
        ..SPLITTING
    };
    let refinement = refinement_options!(options);
    let settings = Settings::new("splitting", refinement, options.max_edges);
    arg::solve(system, configuration, settings, context)
}
