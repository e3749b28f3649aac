//! Where solvers come from: what engines and checkers hold instead of a solver of a certain kind.

use super::process::{ProcessFactory, ProcessOptions};
use super::{Solver, SolverChoice, Statistics};
use crate::term::Terms;

/// Makes solvers, all of one kind. Cheap to clone; clones share their processes and counts, also between threads.
#[derive(Clone)]
pub enum Backend {
    /// External programs.
    Process(ProcessFactory),
}

impl Backend {
    /// A back end that uses an external program.
    ///
    /// Fails if the directory for dumps cannot be made, or no thread can be started.
    pub fn process(choice: &SolverChoice, options: ProcessOptions) -> std::io::Result<Backend> {
        ProcessFactory::new(choice, options).map(Backend::Process)
    }

    /// A new solver without assertions. Its name appears in traces.
    pub fn solver<'t>(&self, terms: &'t Terms, name: &str) -> Box<dyn Solver + 't> {
        match self {
            Backend::Process(factory) => Box::new(factory.solver(terms, name)),
        }
    }

    /// What the solvers of this back end did so far.
    pub fn statistics(&self) -> Statistics {
        match self {
            Backend::Process(factory) => factory.statistics(),
        }
    }
}
