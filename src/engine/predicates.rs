//! Predicate abstraction \[GS97\] with lazy abstraction \[HJMS02\] and predicates from interpolants
//! \[HJMM04\]: a configuration of the framework of `engine::arg` \[BDW18\].

use super::Context;
pub use super::arg::PrecisionScope;
use super::arg::{self, BlockEnd, CARTESIAN_PREDICATES, Configuration, PREDICATES, Settings};
use super::option::{UNLIMITED, declare_options, word_option};
use crate::chc::{Answer, System};
use crate::smt::{InterpolationSource, Strength};

declare_options! {
    /// Options of predicate abstraction.
    pub struct Options {
        /// How states are abstracted. `cartesian`: by the conjunction of the predicates that
        /// follow. `boolean`: by the strongest Boolean combination of the predicates.
        abstraction: Abstraction = Abstraction::Cartesian, from "BPR01";
        /// Where states are abstracted: at each predicate, or at `loops` only.
        blocks: Blocks = Blocks::Every, from "BKW10";
        /// Which predicates of the system share their precisions: none do, or the ones that derive
        /// each other, or all.
        precision: PrecisionScope = PrecisionScope::Predicate, from "BDW18";
        /// The most states of one predicate on a path.
        loop_bound: u32 = UNLIMITED, in 1..=UNLIMITED, from "BDW18";
        /// Give up when the graph has more than this many edges.
        max_edges: u32 = 1000000;
        /// Which of a proof's interpolants predicates are made of.
        interpolants: Strength = Strength::Strong, from "McM05";
        /// Who finds interpolants: the embedded core, the external solver, or both, the core first.
        interpolation_source: InterpolationSource = InterpolationSource::Both;
    }
}

/// How states are abstracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Abstraction {
    /// By the strongest Boolean combination of the predicates.
    Boolean,
    /// By the conjunction of the predicates that follow.
    Cartesian,
}

word_option!(Abstraction: "boolean" => Boolean, "cartesian" => Cartesian);

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
        Abstraction::Boolean => PREDICATES,
        Abstraction::Cartesian => CARTESIAN_PREDICATES,
    };
    let configuration = Configuration {
        blocks: options.blocks.into(),
        ..row
    };
    let interpolation = (options.interpolants, options.interpolation_source);
    let settings = Settings {
        scope: options.precision,
        loop_bound: options.loop_bound,
        ..Settings::new("predicates", interpolation, options.max_edges)
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
