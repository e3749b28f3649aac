//! Impact, lazy abstraction with interpolants \[McM06\], and UFO \[ALGC12\]: configurations of the
//! framework of `engine::arg` \[BDW18\].

use super::Context;
use super::arg::{self, Configuration, IMPACT, Settings, UFO};
use super::option::{UNLIMITED, declare_options, word_option};
use super::predicates::Blocks;
use crate::chc::{Answer, System};
use crate::smt::{InterpolationSource, Strength};

declare_options! {
    /// Options of Impact.
    pub struct Options {
        /// What interpolants change. `states`: they strengthen the states on the derivation.
        /// `both`: they are predicates for the abstractions of new states as well, which is UFO.
        refinement: Refinement = Refinement::States, from "ALGC12";
        /// Where states have formulas: at each predicate, or at `loops` only.
        blocks: Blocks = Blocks::Every, from "BKW10";
        /// The most states of one predicate on a path.
        loop_bound: u32 = UNLIMITED, in 1..=UNLIMITED, from "BDW18";
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

/// What interpolants change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refinement {
    /// The states of the derivation.
    States,
    /// These, and the abstractions of new states.
    Both,
}

word_option!(Refinement: "states" => States, "both" => Both);

/// Decides a system by Impact, or by UFO.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    let row = match options.refinement {
        Refinement::States => IMPACT,
        Refinement::Both => UFO,
    };
    let configuration = Configuration {
        blocks: options.blocks.into(),
        ..row
    };
    let interpolation = (options.interpolants, options.interpolation_source);
    let settings = Settings {
        forced_coverings: options.forced_coverings,
        loop_bound: options.loop_bound,
        ..Settings::new("impact", interpolation, options.max_edges)
    };
    arg::solve(system, configuration, settings, context)
}
