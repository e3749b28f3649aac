//! Preprocessing: passes from system to system that take certificates back.
//!
//! A pass makes a system that is easier to solve and has the same verdict, together with a
//! [`Lift`]. The lift turns a certificate of the new system into one of the old: a model into a
//! model, and a refutation into a refutation over the old system's clauses and all of their
//! variables. [`preprocess`] composes passes; [`Preprocessed::lift_stage`] goes back through one of
//! them.
//!
//! Nothing here is trusted: the certificate that a lift makes is checked against the system as it
//! was read. A lift may also fail, with a reason; then the caller solves again without that pass.
//!
//! Invariant: a derivation of `false` in the old system becomes one in the new system that is not
//! higher. So a safe depth of the new system is a safe depth of the old one.

mod accelerate;
mod choices;
mod cone;
mod constants;
mod context;
mod error;
mod ground;
mod implied;
mod inline;
mod integers;
mod invariants;
mod lift;
mod linearise;
mod locations;
mod merge;
mod pass;
mod pipeline;
mod prune;
mod quotients;
mod ranges;
mod signature;
mod simplify;
mod tools;
mod tuples;
mod unused;

pub(crate) use accelerate::has_counting_loop;
pub use error::LiftError;
pub use lift::{Lift, Transformed};
use lift::{ModelLift, SameModel};
pub use linearise::{Linearised, TransitionSystem, linearise};
pub use pass::{LiftFailure, PASSES, Pass, PassSpec, When};
pub use pipeline::{Options, PassRun, Preprocessed, Size, Stage, preprocess};
pub use tools::Tools;
