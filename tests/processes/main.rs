//! Solver processes: killed by others, orphaned, silent. No process may be left, and every answer
//! stays right.
//!
//! Each test finds the processes that it looks at by their ids or by a separate directory in
//! their command lines, so tests do not see each other's.

#[path = "../shared/hard.rs"]
mod hard;
#[path = "../shared/processes.rs"]
mod processes;
#[path = "../shared/program.rs"]
mod program;
#[path = "../shared/solvers.rs"]
mod solvers;
#[path = "../shared/tools.rs"]
mod tools;

mod engines;
mod kill;
mod load;
mod signals;

use std::sync::atomic::{AtomicBool, Ordering};

/// Sets a flag when dropped: tells other threads that a test is over, also where it fails.
pub(crate) struct SetOnDrop<'a>(pub(crate) &'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
