//! SMT solvers as separate processes: Z3, cvc5 and whatever else reads SMT-LIB 2.
//!
//! A [`ProcessSolver`] is one context: a stack of assertions of ours, and mostly a process that
//! knows them. The stack is the truth: a process that was killed at a deadline, died, or said
//! something unexpected is dropped, and the next check starts another and tells it everything
//! again. So an answer is never about fewer assertions than were made.
//!
//! What the crate rsmt2 is used for: starting the process, writing to it and reading from it,
//! reaping it. What it is not used for, because then a broken or talkative solver could block,
//! confuse or end us:
//!
//! - Its handle of the child is private and its calls block without a limit. The process is
//!   therefore started through a shell that tells its process id before it becomes the solver, and
//!   a `watchdog` kills by that.
//! - It pipes standard error and never reads it. The same shell sends it to `/dev/null`.
//! - It flushes after every command. Here all that a check needs is written in one piece.
//! - Its parser counts characters where it needs bytes, so that text that is not ASCII can hang or
//!   end it, and does not read every rational. Answers are read by `sexpr`, and values by `value`.
//! - Its copy of the conversation has parts twice where a write was interrupted. `smt::dump` keeps
//!   whole requests.
//! - It does not notice that an earlier command failed. Each request is followed by an `echo`; see
//!   `child`.
//!
//! Every check is answered within its limit, whatever the solver does. A process that was lost
//! while it worked is replaced and asked again, once; a new one that fails too gives `Unknown`.
//! Where the system has `setsid` and `setpriv`, nothing that a solver started outlives it, and it
//! does not outlive us, not even if we are killed. Elsewhere it ends when it next reads its
//! standard input, after the check under way.
//!
//! Unix only: it needs `/bin/sh`, and signals.

mod child;
mod context;
mod formula;
mod interpolants;
mod link;
mod pool;
mod process_id;
mod session;
mod settings;
mod sexpr;
mod theory;
mod value;
mod watchdog;

use super::statistics::{Counters, ProcessCounts};
use super::{Limit, Solver, SolverChoice, Strength};
use crate::term::Terms;
use child::Launch;
use link::Link;
use pool::{ContextId, Pool};
use settings::{PRESETS, Settings};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use watchdog::Watchdog;

pub use super::follow::Assume;
pub use context::ProcessSolver;
pub(super) use interpolants::ProcessInterpolator;

/// How processes are used.
#[derive(Clone, Debug)]
pub struct ProcessOptions {
    /// The largest number of idle processes that are kept. Contexts beyond that lose their process,
    /// and start another when they need it.
    pub max_processes: usize,
    /// Another way to make assumptions than the one that suits the solver best.
    pub assume: Option<Assume>,
    /// The directory in which each process writes its input to a separate file.
    pub dump: Option<PathBuf>,
}

impl Default for ProcessOptions {
    fn default() -> Self {
        ProcessOptions {
            max_processes: 64,
            assume: None,
            dump: None,
        }
    }
}

/// Makes contexts that use one solver program, and keeps their processes.
#[derive(Clone)]
pub struct ProcessFactory(Arc<Shared>);

struct Shared {
    launch: Launch,
    settings: Settings,
    assume: Assume,
    options: ProcessOptions,
    pool: Pool,
    watchdog: Watchdog,
    counters: Counters,
    next_context: AtomicU64,
}

impl ProcessFactory {
    /// A factory for the chosen program. Nothing is started yet.
    ///
    /// Fails if the directory of the dump cannot be made, or no thread can be started.
    pub fn new(choice: &SolverChoice, options: ProcessOptions) -> std::io::Result<Self> {
        let settings = PRESETS
            .into_iter()
            .find(|preset| choice.name.contains(preset.name))
            .expect("the last preset has an empty name");
        let mut command = choice.command.clone();
        if command.len() == 1 {
            command.extend(settings.arguments.iter().map(|&a| a.to_owned()));
        }
        if let Some(directory) = &options.dump {
            std::fs::create_dir_all(directory)?;
        }
        Ok(ProcessFactory(Arc::new(Shared {
            launch: Launch::new(command),
            assume: options.assume.unwrap_or(settings.assume),
            settings,
            pool: Pool::new(options.max_processes),
            options,
            watchdog: Watchdog::start()?,
            counters: Counters::default(),
            next_context: AtomicU64::new(0),
        })))
    }

    /// A new context without assertions. The name appears in the names of dumps.
    pub fn solver<'t>(&self, terms: &'t Terms, name: &str) -> ProcessSolver<'t> {
        ProcessSolver::new(self.link(terms, name))
    }

    /// A new context for interpolation problems, if the solver has a command for them; see
    /// `interpolants`. The checker, which has no assertions, confirms what the solver says.
    pub(super) fn interpolator<'t>(
        &self,
        terms: &'t Terms,
        name: &str,
        strength: Strength,
        checker: Box<dyn Solver + 't>,
    ) -> Option<ProcessInterpolator<'t>> {
        let way = self.0.settings.interpolation?;
        let link = self.link(terms, name);
        Some(ProcessInterpolator::new(link, way, strength, checker))
    }

    fn link<'t>(&self, terms: &'t Terms, name: &str) -> Link<'t> {
        Link {
            terms,
            shared: Arc::clone(&self.0),
            id: ContextId(self.0.next_context.fetch_add(1, Ordering::Relaxed)),
            name: name.to_owned(),
            starts: 0,
            limit: Limit::default(),
        }
    }

    /// What happened to processes so far.
    pub fn counts(&self) -> ProcessCounts {
        self.0.counters.read()
    }
}
