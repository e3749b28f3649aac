//! Unrollings: the derivations of a rule system up to a height, or one derivation, as formulas.
//!
//! - [`Unrolling`] is all derivations at once, layer by layer: backwards from `false`, or forwards
//!   from the facts of a linear system. Bounded model checking and k-induction ask it.
//! - [`inductive_formulas`] and [`reachable_formulas`] are models where an unrolling has no
//!   derivation of `false`, and no larger one has any.
//! - [`Layered`] is the system of the layers of an unrolling forwards, without recursion.
//! - [`skeleton`] is one derivation of a given shape. SPACER's REFINE asks whether it is
//!   [feasible](skeleton::feasibility).
//! - [`inductive_assertions`] says what holds along a derivation that has no values.
//! - [`derivation`] puts refutations together.
//!
//! An unrolling has no solver. It gives formulas by parts, one for each node, whose only common
//! symbols are the nodes' activation literals and arguments; so an engine can assert them, assume
//! them, or ask for interpolants between them.

mod assertions;
pub(crate) mod derivation;
mod layered;
mod layers;
mod model;
pub(crate) mod skeleton;

pub use assertions::inductive_assertions;
pub(crate) use assertions::{Along, Assertions, Derivation};
pub(crate) use layered::Layered;
pub(crate) use layers::{Ends, NodeId, Unrolling, UnrollingNode};
pub(crate) use model::{
    closed, inductive_formulas, no_model, reachable_formulas, said_of, without_interpolants,
};
