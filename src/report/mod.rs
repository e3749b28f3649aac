//! Answers and runs as text: models, refutations, statistics, progress.
//!
//! Invariant: people and other programs read this output, no algorithm does.

mod alethe;
mod certificate;
mod clause_proof;
#[cfg(feature = "cli")]
mod console;
mod functions;
mod graph;
mod hyper_res;
mod instances;
mod lines;
mod model;
mod names;
mod other_proof;
#[cfg(feature = "cli")]
mod page;
mod proof;
mod readable;
mod stats;
pub mod tables;

pub use certificate::write_certificate;
#[cfg(feature = "cli")]
pub use console::{Console, ProgressForm, progress_text};
pub use graph::{write_abstract_graph, write_graph};
pub use lines::Lines;
pub use model::{ModelForm, write_model, write_model_as};
pub use other_proof::OtherProof;
#[cfg(feature = "cli")]
pub use page::{Page, Sample};
pub use proof::{Obstacle, Proof, ProofFormat};
pub use stats::{Candidate, CheckStats, StatsFormat};
