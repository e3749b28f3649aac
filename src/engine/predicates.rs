//! Predicate abstraction \[GS97\] with lazy abstraction \[HJMS02\] and predicates from interpolants
//! \[HJMM04\]: a configuration of the framework of `engine::arg` \[BDW18\].

use super::Context;
pub use super::arg::PrecisionScope;
use super::arg::{
    self, BlockEnd, CARTESIAN_PREDICATES, Configuration, PREDICATES, Settings, VALUES,
    VALUES_AND_PREDICATES,
};
use super::option::{UNLIMITED, declare_options, word_option};
use super::refining::refinement_options;
use crate::chc::{Answer, System};
use crate::refinement::{AssertionSource, Prefixes, Sources};
use crate::smt::{InterpolationSource, Strength};

declare_options! {
    /// Options of predicate abstraction.
    pub struct Options {
        /// How states are abstracted. `cartesian`: by the conjunction of the predicates that
        /// follow. `boolean`: by the strongest Boolean combination of the predicates. `values`: by
        /// the values of the arguments that assertions are about, where these have one value each.
        /// `values-cartesian`: by the values of the arguments that assertions give a value, and by
        /// the predicates that follow.
        abstraction: PredicateAbstraction = PredicateAbstraction::Cartesian, from "BPR01";
        /// Where states are abstracted: at each predicate, or at `loops` only.
        blocks: Blocks = Blocks::Every, from "BKW10";
        /// Which predicates of the system share their precisions: none do, or the ones that derive
        /// each other, or all.
        precision: PrecisionScope = PrecisionScope::Predicate, from "BDW18";
        /// The most states of one predicate on a path.
        loop_bound: u32 = UNLIMITED, in 1..=UNLIMITED, from "BDW18";
        /// Give up when the graph has more than this many edges.
        max_edges: u32 = 1000000;
        /// Where the assertions along a spurious derivation come from. Several sources are tried in
        /// turn: the first perfect assertions are taken, or the first ones.
        refinement: Sources = AssertionSource::Craig.into(), from "DHMNP17";
        /// The source of every 16th refinement in place of these, from the ninth one on: where
        /// one source diverges, another may not.
        alternate: Option<AssertionSource> = Some(AssertionSource::PRECONDITIONS), from "DHMNP17";
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
        /// Which of a proof's interpolants predicates are made of.
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

/// How states are abstracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PredicateAbstraction {
    /// By the strongest Boolean combination of the predicates.
    Boolean,
    /// By the conjunction of the predicates that follow.
    Cartesian,
    /// By values of arguments.
    Values,
    /// By values of arguments and the predicates that follow.
    ValuesCartesian,
}

word_option!(
    PredicateAbstraction: "boolean" => Boolean, "cartesian" => Cartesian, "values" => Values,
    "values-cartesian" => ValuesCartesian
);

/// Where blocks end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blocks {
    /// At every predicate.
    Every,
    /// At loop heads.
    Loops,
}

word_option!(Blocks: "every" => Every, "loops" => Loops);

/// Decides a system by predicate abstraction.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    let row = match options.abstraction {
        PredicateAbstraction::Boolean => PREDICATES,
        PredicateAbstraction::Cartesian => CARTESIAN_PREDICATES,
        PredicateAbstraction::Values => VALUES,
        PredicateAbstraction::ValuesCartesian => VALUES_AND_PREDICATES,
    };
    let configuration = Configuration {
        blocks: options.blocks.into(),
        ..row
    };
    let refinement = refinement_options!(options);
    let settings = Settings {
        scope: options.precision,
        assume_states: options.assume_states,
        loop_bound: options.loop_bound,
        ..Settings::new("predicates", refinement, options.max_edges)
    };
    arg::solve(system, configuration, settings, context)
}

impl From<Blocks> for BlockEnd {
    fn from(blocks: Blocks) -> BlockEnd {
        match blocks {
            Blocks::Every => BlockEnd::Every,
            Blocks::Loops => BlockEnd::Loops,
        }
    }
}
