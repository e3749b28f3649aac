//! SMT solvers as separate processes: Z3, cvc5 and whatever else reads SMT-LIB 2.
//!
//! A [`ProcessSolver`] is one context: a stack of assertions of ours, and mostly a process that
//! knows them. The stack is the truth: a process that was killed at a deadline, died, or said
//! something unexpected is dropped, and the next check starts another and tells it everything
//! again. So an answer is never about fewer assertions than were made.
//!
//! # What rsmt2 does, and what it does not
//!
//! - Configurations: the presets of rsmt2 know the arguments with which Z3 and cvc5 read SMT-LIB
//!   from their standard input. A row of `settings` names the preset.
//! - Printing: names, sorts and terms implement rsmt2's traits in `smt::script`. Datatypes are
//!   handed over in the form of its declarations, and named assertions as its `NamedExpr`.
//! - The process: rsmt2 starts and reaps it. Every byte to it and from it goes through rsmt2's
//!   `Solver`.
//!
//! The rest is done here, and this is the one place that says why. rsmt2 0.16.2 was seen to behave
//! as follows, with Z3 5.4, cvc5 1.0 and shell scripts that stand for broken solvers:
//!
//! - Sending: `Solver` writes a command in parts, with a system call for each. A query that
//!   consists of a `check-sat-assuming` with 12 literals, a `get-info` and an `echo` takes 16
//!   instead of one. Small queries to Z3 took 8 % more processor time so. The commands go to a
//!   process only, but the queries that are recorded of the embedded core have none. The commands
//!   that ask for values and cores cannot be sent without waiting for the answer. So
//!   `smt::commands` has methods of the same names that write to memory, and a request is sent at
//!   once, under the `watchdog`.
//! - Errors: an error of an earlier command is taken for the answer to the next question, and the
//!   true answer for that to the question after it. After an assertion with an unknown name, the
//!   second `check_sat` answered `sat`, with `false` asserted before it. Here each request ends
//!   with an `echo`; see `child`.
//! - Limits: calls wait without a limit for a solver that does not answer. An answer without an
//!   end is read until memory is full. Here a `watchdog` kills the process, and answers have a
//!   longest length. The handle of the process is private. The process is therefore started
//!   through a shell that tells its process id before it becomes the solver. The presets put
//!   their arguments first, where a shell would take them for its own. So the arguments are taken
//!   from the preset, and the shell is started without one.
//! - Reading: the parser panicked on the answer `(error "größe")`, since it counts characters
//!   where it needs bytes. It does not read the rational `(/ (- 1) 3)`, and reads Z3's
//!   approximation `1.0?` as exact. Answers are read by `sexpr`, and values by `value`.
//! - Standard error: it is piped and never read. A solver that wrote 200 kB there stopped, and we
//!   with it. The shell sends it to `/dev/null`.
//! - The end: `kill` writes `(exit)` before it kills. It did not return for a solver that had
//!   left a full pipe unread. What a script had started lived on. The wait for the end is in
//!   steps of 10 ms. Here the process group is killed first; see `process_id`.
//! - Copies: when the file of `tee` cannot be written, commands fail and are not sent.
//!   `smt::dump` loses text in that case, but never changes an answer.
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
#[cfg(test)]
mod fixture;
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
use settings::ProcessSettings;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
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
    /// The program, if its version is to be asked before it is first used.
    suspect: Option<SolverChoice>,
    /// Why the program is not used, if it has been asked.
    refusal: OnceLock<Option<String>>,
    settings: ProcessSettings,
    assume: Assume,
    options: ProcessOptions,
    pool: Pool,
    watchdog: Watchdog,
    counters: Counters,
    next_context: AtomicU64,
}

impl Shared {
    /// Why the program is not used, if it is not.
    fn refusal(&self) -> Option<&str> {
        let suspect = self.suspect.as_ref()?;
        let refusal = self.refusal.get_or_init(|| {
            suspect.is_this_program().then(|| {
                let (program, found) = (&suspect.command[0], &suspect.found);
                format!("the SMT solver {program} ({found}) is this program itself")
            })
        });
        refusal.as_deref()
    }
}

impl ProcessFactory {
    /// A factory for the chosen program. Nothing is started yet.
    ///
    /// Fails if the directory of the dump cannot be made, or no thread can be started.
    pub fn new(choice: &SolverChoice, options: ProcessOptions) -> std::io::Result<Self> {
        Self::with_suspect(choice, options, None)
    }

    /// As [`ProcessFactory::new`], for a program that was not asked for by name: if it turns out to
    /// be a copy of this program when it is first needed, it is not used.
    pub(super) fn of_found(
        choice: &SolverChoice,
        options: ProcessOptions,
    ) -> std::io::Result<Self> {
        Self::with_suspect(choice, options, Some(choice.clone()))
    }

    fn with_suspect(
        choice: &SolverChoice,
        options: ProcessOptions,
        suspect: Option<SolverChoice>,
    ) -> std::io::Result<Self> {
        let settings = ProcessSettings::of_program(&choice.name);
        let command = settings.command_line(&choice.command);
        if let Some(directory) = &options.dump {
            std::fs::create_dir_all(directory)?;
        }
        Ok(ProcessFactory(Arc::new(Shared {
            launch: Launch::new(command),
            suspect,
            refusal: OnceLock::new(),
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
