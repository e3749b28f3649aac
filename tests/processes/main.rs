//! Solver processes: killed by others, orphaned, silent. No process may be left, and every answer
//! stays right.
//!
//! Each test finds the processes that it looks at by their ids or by a directory of its own in
//! their command lines, so tests do not see each other's.

#[path = "../shared/hard.rs"]
mod hard;
#[path = "../shared/processes.rs"]
mod processes;
#[path = "../shared/program.rs"]
mod program;
#[path = "../shared/solvers.rs"]
mod solvers;

mod engines;
mod kill;
mod load;
