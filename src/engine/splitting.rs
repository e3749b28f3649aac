//! State splitting, also called slicing abstractions \[BDFW07, EHP12\]: a configuration of the
//! framework of `engine::arg` \[BDW18\].

use super::Context;
use super::arg::{self, Configuration, SPLITTING, Settings};
use super::option::declare_options;
use super::predicates::Blocks;
use crate::chc::{Answer, System};
use crate::smt::{InterpolationSource, Strength};

declare_options! {
    /// Options of state splitting.
    pub struct Options {
        /// Which predicates have nodes of the graph: each, or those of `loops` only.
        blocks: Blocks = Blocks::Every, from "BKW10";
        /// Give up when the graph has more than this many edges.
        max_edges: u32 = 1000000;
        /// Which of a proof's interpolants states are split by.
        interpolants: Strength = Strength::Strong, from "McM05";
        /// Who finds interpolants: the embedded core, the external solver, or both, the core first.
        interpolation_source: InterpolationSource = InterpolationSource::Both;
    }
}

/// Decides a system by state splitting.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    let configuration = Configuration {
        blocks: options.blocks.into(),
        ..SPLITTING
    };
    let interpolation = (options.interpolants, options.interpolation_source);
    let settings = Settings::new("splitting", interpolation, options.max_edges);
    arg::solve(system, configuration, settings, context)
}
