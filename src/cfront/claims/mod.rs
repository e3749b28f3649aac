//! What SV-COMP witnesses of any tool claim of a program, in the formats 2.0 and 2.1.
//!
//! `read` reads YAML and checks its form; `content` has what is claimed. [`super::lower`] puts the
//! claims into the program's automata, since a claim is about a place in the text and speaks of the
//! names in scope there. [`super::witness`] writes witnesses.
//!
//! Missing: contracts of functions, ghost variables, invariants of transitions, several waypoints
//! to be followed in one segment.

mod content;
mod read;
mod scalar;

pub(crate) use content::{
    Action, Content, InvariantKind, Location, Quotation, Waypoint, WaypointKind, hash_of,
};
pub use content::{Witness, WitnessKind};
