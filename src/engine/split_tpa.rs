//! Split transition power abstraction \[BFHSb22\]: `engine::tpa` with two powers for each length,
//! for paths of exactly 2ⁿ steps and for shorter ones.

use super::Context;
use super::tpa;
use crate::chc::{Answer, System};
use crate::term::Terms;

/// The options are those of `tpa`.
pub type Options = tpa::Options;

/// Is the system linear, so that it is a transition system?
pub fn suits(t: &Terms, system: &System) -> bool {
    tpa::suits(t, system)
}

/// Decides a linear system by powers for exactly 2ⁿ and for fewer steps.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    tpa::solve_split(system, options, context)
}
