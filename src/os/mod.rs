//! The operating system: memory, signals, child processes, the end of the program.
//!
//! - `memory`: what this process and its children hold, and who raises a [`Stop`] beyond a limit;
//! - `process`: signals are heard, children end;
//! - `stop`: a cancellation token with a reason;
//! - `supervise`: work in a thread, and somebody who ends it;
//! - `jobs`: how many threads search;
//! - `status`: exit statuses, the only place that knows them;
//! - `argument`: limits as they stand on a command line.

pub mod argument;
mod jobs;
pub mod memory;
pub mod process;
pub mod status;
mod stop;
pub mod supervise;

pub use jobs::Jobs;
pub use stop::Stop;
