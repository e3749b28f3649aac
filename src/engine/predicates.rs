//! Predicate abstraction \[GS97\] with lazy abstraction \[HJMS02\] and predicates from interpolants
//! \[HJMM04\]: a configuration of the framework of `engine::arg` \[BDW18\].

use super::Context;
use super::arg::{self, PREDICATES, Settings};
use super::option::declare_options;
use crate::chc::{Answer, System};
use crate::smt::{InterpolationSource, Strength};

declare_options! {
    /// Options of predicate abstraction.
    pub struct Options {
        /// Give up when the graph has more than this many edges.
        max_edges: u32 = 1000000;
        /// Which of a proof's interpolants predicates are made of.
        interpolants: Strength = Strength::Strong, from "McM05";
        /// Who finds interpolants: the embedded core, the external solver, or both, the core first.
        interpolation_source: InterpolationSource = InterpolationSource::Both;
    }
}

/// Decides a system by predicate abstraction.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    let settings = Settings {
        strength: options.interpolants,
        source: options.interpolation_source,
        forced_coverings: 0,
        max_edges: options.max_edges,
    };
    arg::solve(system, PREDICATES, settings, context)
}
