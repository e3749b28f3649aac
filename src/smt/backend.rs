//! Where solvers come from: what engines and checkers hold instead of a solver of a certain kind.

use super::find::{NATIVE, wanted_by_environment};
use super::native::{self, NativeOptions};
use super::process::{ProcessFactory, ProcessOptions};
use super::router::Router;
use super::sources;
use super::{
    Failure, InterpolationOptions, Interpolator, Solver, SolverChoice, SolverNotFound, Statistics,
    find_solver,
};
use crate::term::{Term, Terms};

/// Makes solvers, all of one kind. Cheap to clone; clones share their processes and counts, also
/// between threads.
#[derive(Clone)]
pub enum Backend {
    /// External programs.
    Process(ProcessFactory),
    /// The embedded core, and external programs for what it does not decide.
    Native(Router),
}

/// No back end of the kind that is wanted.
#[derive(Debug, thiserror::Error)]
pub enum BackendError {
    /// There is no such program.
    #[error(transparent)]
    NotFound(#[from] SolverNotFound),
    /// The directory for dumps cannot be made, or no thread can be started.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

impl Backend {
    /// A back end that uses an external program.
    ///
    /// Fails if the directory for dumps cannot be made, or no thread can be started.
    pub fn process(choice: &SolverChoice, options: ProcessOptions) -> std::io::Result<Backend> {
        ProcessFactory::new(choice, options).map(Backend::Process)
    }

    /// A back end that uses the embedded core alone.
    pub fn native(options: NativeOptions) -> Backend {
        Backend::Native(Router::new(options, None, None))
    }

    /// The back end that is `wanted`: `native` for the embedded core alone, or an external program
    /// for everything, see [`find_solver`]; else what the environment variable `HORN_SOLVER` wants,
    /// in the same words; else the embedded core, with the external program that is found for what
    /// it does not decide. Answers the program too.
    ///
    /// # Errors
    /// The program that is wanted is not there, or cannot be used.
    pub fn choose(
        wanted: Option<&str>,
        options: ProcessOptions,
    ) -> Result<(Backend, Option<SolverChoice>), BackendError> {
        let environment = wanted_by_environment();
        let wanted = wanted.or(environment.as_deref());
        let (core, dump) = (NativeOptions::for_engines(), options.dump.clone());
        if let Some(directory) = &dump {
            std::fs::create_dir_all(directory)?;
        }
        if wanted == Some(NATIVE) {
            return Ok((Backend::Native(Router::new(core, None, dump)), None));
        }
        if wanted.is_some() {
            let choice = find_solver(wanted)?;
            return Ok((Backend::process(&choice, options)?, Some(choice)));
        }
        let choice = find_solver(None).ok();
        let external = match &choice {
            Some(choice) => Some(ProcessFactory::new(choice, options)?),
            None => None,
        };
        let router = Router::new(core, external, dump);
        Ok((Backend::Native(router), choice))
    }

    /// A new solver without assertions. Its name appears in traces.
    pub fn solver<'t>(&self, terms: &'t Terms, name: &str) -> Box<dyn Solver + 't> {
        match self {
            Backend::Process(factory) => Box::new(factory.solver(terms, name)),
            Backend::Native(router) => Box::new(router.solver(terms, name)),
        }
    }

    /// A new context for interpolation problems. Its name appears in traces.
    ///
    /// The options say who finds interpolants. Problems of the core are neither counted nor written
    /// to the directory for dumps where an external program answers all queries.
    pub fn interpolator<'t>(
        &self,
        terms: &'t Terms,
        name: &str,
        options: &InterpolationOptions,
    ) -> Box<dyn Interpolator + 't> {
        let core = || match self {
            Backend::Process(_) => {
                let core = Router::new(NativeOptions::default(), None, None);
                core.interpolator(terms, name, options)
            }
            Backend::Native(router) => router.interpolator(terms, name, options),
        };
        let external = || {
            let checker = self.solver(terms, name);
            self.external()?
                .interpolator(terms, name, options.strength, checker)
        };
        sources::choose(options.source, core, external)
    }

    /// The external programs, if any.
    fn external(&self) -> Option<&ProcessFactory> {
        match self {
            Backend::Process(factory) => Some(factory),
            Backend::Native(router) => router.external(),
        }
    }

    /// Is a formula decided without quantifiers, arrays and the like being handed to a solver that
    /// may take long over them? Answers by the theories of the embedded core, which every back end
    /// decides. Else says which subterm is too much.
    pub fn supports(&self, t: &Terms, formula: Term) -> Result<(), Failure> {
        native::supports(t, formula)
    }

    /// The same back end for questions whose answer must not be wrong: the embedded core answers
    /// `Unsat` only with a proof that the independent checker of proofs accepts. External programs
    /// are believed.
    pub fn proving(&self) -> Backend {
        match self {
            Backend::Process(_) => self.clone(),
            Backend::Native(router) => Backend::Native(router.proving()),
        }
    }

    /// Is there a solver for the sorts that the embedded core does not decide: arrays, datatypes,
    /// bit-vectors?
    pub fn is_for_all_sorts(&self) -> bool {
        match self {
            Backend::Process(_) => true,
            Backend::Native(router) => router.external().is_some(),
        }
    }

    /// What the solvers of this back end did so far.
    pub fn statistics(&self) -> Statistics {
        match self {
            Backend::Process(factory) => factory.statistics(),
            Backend::Native(router) => router.statistics(),
        }
    }
}
