//! The library and the programs through their public interfaces: one module for each part.
//!
//! One program for all of them, so that the library is linked once. What draws random inputs is in
//! `tests/fuzz`; what counts or kills processes is in `tests/processes`.

#![expect(
    clippy::too_many_lines,
    reason = "a test is a table and the few lines that walk it"
)]

#[path = "../shared/certified.rs"]
mod certified;
#[path = "../shared/corpus.rs"]
mod corpus;
#[path = "../shared/files.rs"]
mod files;
#[path = "../shared/hard.rs"]
mod hard;
#[path = "../shared/harness.rs"]
mod harness;
#[path = "../shared/output.rs"]
mod output;
#[path = "../shared/processes.rs"]
mod processes;
#[path = "../shared/program.rs"]
mod program;
#[path = "../shared/scratch.rs"]
mod scratch;
#[path = "../shared/solvers.rs"]
mod solvers;
#[path = "../shared/system.rs"]
mod system;
#[path = "../shared/time.rs"]
mod time;
#[path = "../shared/tools.rs"]
mod tools;

mod absint;
mod acceleration;
mod bibliography;
mod blackboard;
mod bmc;
mod book;
mod cells;
mod certificates;
mod cfront;
mod choices;
mod circles;
mod cli;
mod folds;
mod induction;
mod interpreter;
mod jobs;
mod kind;
mod ledger;
mod lemmas;
mod native;
mod number;
mod package;
mod polynomials;
mod portfolio;
mod powers;
mod problem;
mod process;
mod projection;
mod reader;
mod refinement;
mod registry;
mod schools;
mod skeleton;
mod smt_cli;
mod sources;
mod spacer;
mod terms;
mod transform;
mod transition;
mod wall;
mod words;
