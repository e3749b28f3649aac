//! Impact, lazy abstraction with interpolants \[McM06\], and UFO \[ALGC12\]: configurations of the
//! framework of `engine::arg` \[BDW18\].

use super::Context;
use super::arg::{self, Configuration, IMPACT, Settings, UFO};
use super::option::{UNLIMITED, declare_options, word_option};
use super::predicates::Blocks;
use super::refining::refinement_options;
use crate::chc::{Answer, System};
use crate::refinement::{AssertionSource, Prefixes, Sources};
use crate::smt::{InterpolationSource, Strength};

declare_options! {
    /// Options of Impact.
    pub struct Options {
        /// How new states are abstracted. `trivial`: they are `true`. `cartesian`: by the
        /// assertions of former refinements that follow, which is UFO.
        abstraction: NewStates = NewStates::Trivial, from "ALGC12";
        /// Where states have formulas: at each predicate, or at `loops` only.
        blocks: Blocks = Blocks::Every, from "BKW10";
        /// The most states of one predicate on a path.
        loop_bound: u32 = UNLIMITED, in 1..=UNLIMITED, from "BDW18";
        /// Give up when the graph has more than this many edges.
        max_edges: u32 = 1000000;
        /// A new state is tried to be covered by up to this many older ones by strengthening the
        /// states on the way. None if 0.
        forced_coverings: u32 = 2, in 0..=1000, from "McM06";
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
        /// When assertions are made, assume of the states of a spurious derivation what they say
        /// already.
        assume_states: bool = true;
        /// The most queries that make the infeasible core of a derivation smaller.
        core_queries: u32 = 20, from "DHMNP17";
        /// Which of a proof's interpolants states are strengthened by.
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

/// How new states are abstracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NewStates {
    /// They are `true`.
    Trivial,
    /// By the conjunction of the predicates that follow.
    Cartesian,
}

word_option!(NewStates: "trivial" => Trivial, "cartesian" => Cartesian);

/// Decides a system by Impact, or by UFO.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    let row = match options.abstraction {
        NewStates::Trivial => IMPACT,
        NewStates::Cartesian => UFO,
    };
    let configuration = Configuration {
        blocks: options.blocks.into(),
        ..row
    };
    let refinement = refinement_options!(options);
    let settings = Settings {
        forced_coverings: options.forced_coverings,
        assume_states: options.assume_states,
        loop_bound: options.loop_bound,
        ..Settings::new("impact", refinement, options.max_edges)
    };
    arg::solve(system, configuration, settings, context)
}
