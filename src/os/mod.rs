//! The operating system: memory, signals, child processes, the end of the program.
//!
//! - `memory`: the memory of this process and its children; it raises a [`Stop`] beyond a limit.
//! - `limits`: what the system allows this process.
//! - `process`: signals are received, children end.
//! - `stop`: a cancellation token with a reason.
//! - `supervise`: work in a thread, and a supervisor that ends it.
//! - `jobs`: the number of threads that search.
//! - `status`: the exit statuses of the programs.
//! - `argument`: limits as text on a command line.
//! - `input`: what is left on standard input at the end.

pub mod argument;
mod input;
mod jobs;
pub mod limits;
pub mod memory;
#[cfg(feature = "cli")]
pub mod process;
pub mod status;
mod stop;
#[cfg(feature = "cli")]
pub mod supervise;

/// The stack of a thread that solves. Nothing in this library recurses over its input; what it
/// calls may.
pub const STACK: usize = 256 << 20;

pub use input::{SILENCE_AFTER, SILENCE_BEFORE, drain_stdin};
pub use jobs::Jobs;
pub use stop::Stop;
