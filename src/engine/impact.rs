//! Impact, lazy abstraction with interpolants \[McM06\]: a configuration of the framework of
//! `engine::arg` \[BDW18\].

use super::Context;
use super::arg::{self, IMPACT, Settings};
use super::option::declare_options;
use crate::chc::{Answer, System};
use crate::smt::{InterpolationSource, Strength};

declare_options! {
    /// Options of Impact.
    pub struct Options {
        /// Give up when the graph has more than this many edges.
        max_edges: u32 = 1000000;
        /// A new state is tried to be covered by up to this many older ones by strengthening the
        /// states on the way. None if 0.
        forced_coverings: u32 = 2, in 0..=1000, from "McM06";
        /// Which of a proof's interpolants states are strengthened by.
        interpolants: Strength = Strength::Strong, from "McM05";
        /// Who finds interpolants: the embedded core, the external solver, or both, the core first.
        interpolation_source: InterpolationSource = InterpolationSource::Both;
    }
}

/// Decides a system by Impact.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    let settings = Settings {
        strength: options.interpolants,
        source: options.interpolation_source,
        forced_coverings: options.forced_coverings,
        max_edges: options.max_edges,
    };
    arg::solve(system, IMPACT, settings, context)
}
