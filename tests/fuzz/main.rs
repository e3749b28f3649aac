//! Random inputs, each judged by something that shares no code with what is tested.
//!
//! - `systems`: Horn systems, decided by every engine and by Z3's own Horn solver;
//! - `smt`: SMT scripts, judged by evaluation and by Z3 or cvc5;
//! - `c`: C programs, compared with what they print when they are compiled and run;
//! - `absint_laws`: the laws of abstract domains, with random elements;
//! - `word_equations`: equations of bit-vectors, all states being tried;
//! - `pred_graph`: the graph of predicates, random graphs against the definitions;
//! - `induction`: functions and lemmas about them, judged by evaluation;
//! - `refinement`: assertions along random derivations.
//!
//! The head of each module says which environment variables make longer runs.

#[path = "../shared/files.rs"]
mod files;
#[path = "../shared/harness.rs"]
mod harness;
#[path = "../shared/solvers.rs"]
mod solvers;
#[path = "../shared/system.rs"]
mod system;
#[path = "../shared/tools.rs"]
mod tools;

mod absint_laws;
mod c;
mod induction;
mod pred_graph;
mod random;
mod refinement;
mod smt;
mod systems;
mod word_equations;
