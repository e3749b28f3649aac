//! Where solvers come from: what engines and checkers hold instead of a solver of a certain kind.

use super::find::{NATIVE, wanted_by_environment};
use super::ledger::{Account, Counted};
use super::native::{self, NativeOptions};
use super::process::{ProcessFactory, ProcessOptions};
use super::router::Router;
use super::sources;
use super::{
    Failure, InterpolationOptions, Interpolator, ProcessCounts, Solver, SolverChoice,
    SolverNotFound, Statistics, find_solver,
};
use crate::term::{Term, Terms};

/// Makes solvers, all of one kind, and counts their queries. Cheap to clone; clones share their
/// processes and counts, also between threads.
#[derive(Clone)]
pub struct Backend {
    kind: Kind,
    /// Where queries are booked.
    account: Account,
    /// What had happened to processes when the statistics began.
    before: ProcessCounts,
}

#[derive(Clone)]
enum Kind {
    /// External programs, and the embedded core for interpolation problems alone.
    Process(ProcessFactory, Router),
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
    fn of(kind: Kind) -> Backend {
        Backend {
            kind,
            account: Account::new(),
            before: ProcessCounts::default(),
        }
    }

    /// A back end that uses an external program.
    ///
    /// Fails if the directory for dumps cannot be made, or no thread can be started.
    pub fn process(choice: &SolverChoice, options: ProcessOptions) -> std::io::Result<Backend> {
        let core = Router::new(NativeOptions::default(), None, options.dump.clone());
        let factory = ProcessFactory::new(choice, options)?;
        Ok(Backend::of(Kind::Process(factory, core)))
    }

    /// A back end that uses the embedded core alone.
    pub fn native(options: NativeOptions) -> Backend {
        Backend::of(Kind::Native(Router::new(options, None, None)))
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
            let router = Router::new(core, None, dump);
            return Ok((Backend::of(Kind::Native(router)), None));
        }
        if wanted.is_some() {
            let choice = find_solver(wanted)?;
            return Ok((Backend::process(&choice, options)?, Some(choice)));
        }
        let choice = find_solver(None).ok();
        let external = match &choice {
            Some(choice) => Some(ProcessFactory::of_found(choice, options)?),
            None => None,
        };
        let router = Router::new(core, external, dump);
        Ok((Backend::of(Kind::Native(router)), choice))
    }

    /// The same back end, whose statistics begin now: the counts of other clones are not among
    /// them.
    pub fn with_new_statistics(&self) -> Backend {
        Backend {
            account: Account::new(),
            before: self.process_counts(),
            ..self.clone()
        }
    }

    /// The same back end for a client, in whose name queries are counted from now on: an engine, or
    /// another part of the program.
    pub fn for_client(&self, client: &'static str) -> Backend {
        Backend {
            account: self.account.for_client(client),
            ..self.clone()
        }
    }

    /// A new solver without assertions. Its name appears in traces. It is also what its queries are
    /// counted as, up to [`Solver::set_purpose`].
    pub fn solver<'t>(&self, terms: &'t Terms, name: &str) -> Box<dyn Solver + 't> {
        match &self.kind {
            Kind::Process(factory, _) => self.counted(factory.solver(terms, name), name),
            Kind::Native(router) => self.counted(router.solver(terms, name), name),
        }
    }

    fn counted<'t>(&self, solver: impl Solver + 't, name: &str) -> Box<dyn Solver + 't> {
        Box::new(Counted::new(solver, &self.account, name))
    }

    /// A new context for interpolation problems. Its name appears in traces. Each problem is
    /// counted as a query, whose purpose is `interpolate`.
    ///
    /// The options say who finds interpolants. The core can be asked also where an external program
    /// answers all other queries: its interpolants cost next to nothing once it has a proof.
    pub fn interpolator<'t>(
        &self,
        terms: &'t Terms,
        name: &str,
        options: &InterpolationOptions,
    ) -> Box<dyn Interpolator + 't> {
        let core = || match &self.kind {
            Kind::Process(_, core) | Kind::Native(core) => core.interpolator(terms, name, options),
        };
        let external = || {
            let mut checker = self.solver(terms, name);
            checker.set_purpose("check interpolants");
            self.external()?
                .interpolator(terms, name, options.strength, checker)
        };
        let interpolator = sources::choose(options.source, core, external);
        Box::new(Counted::new(interpolator, &self.account, "interpolate"))
    }

    /// The external programs, if any.
    fn external(&self) -> Option<&ProcessFactory> {
        match &self.kind {
            Kind::Process(factory, _) => Some(factory),
            Kind::Native(router) => router.external(),
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
        let kind = match &self.kind {
            Kind::Process(factory, core) => Kind::Process(factory.clone(), core.proving()),
            Kind::Native(router) => Kind::Native(router.proving()),
        };
        Backend {
            kind,
            ..self.clone()
        }
    }

    /// Is the embedded core asked first?
    pub fn is_native(&self) -> bool {
        matches!(self.kind, Kind::Native(_))
    }

    /// What the solvers of this back end did so far, for all clients.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            rows: self.account.rows(),
            processes: self.process_counts() - self.before,
        }
    }

    /// The number of queries so far in the name of this client, through this value and its clones:
    /// how far an engine is. [`Backend::for_client`] begins at 0.
    pub fn queries(&self) -> u64 {
        self.account.queries()
    }

    fn process_counts(&self) -> ProcessCounts {
        match &self.kind {
            Kind::Process(factory, _) => factory.counts(),
            Kind::Native(router) => router.process_counts(),
        }
    }
}
