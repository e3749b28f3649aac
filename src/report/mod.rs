//! Answers and runs as text: models, refutations, statistics, progress.
//!
//! Invariant: what is written here is only ever read by people and other programs, never by an algorithm.

mod console;
mod lines;
mod model;
mod proof;
mod stats;
pub mod tables;

pub use console::{Console, progress_text};
pub use lines::Lines;
pub use model::write_model;
pub use proof::{Proof, ProofFormat};
pub use stats::{CheckStats, StatsFormat};
