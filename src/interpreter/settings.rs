//! The options of a script.

use crate::smtlib::{SmtInterpolants, SmtOption, TICKS_OF_RLIMIT};
use std::time::Duration;

/// What scripts can set. Where it costs nothing, what a script may ask for is on from the
/// beginning.
#[derive(Clone, Copy, Debug)]
pub(super) struct InterpreterSettings {
    /// The limit of each question to the solver.
    pub(super) timeout: Option<Duration>,
    /// The limit of each question to the solver, in ticks.
    pub(super) ticks: Option<u64>,
    pub(super) print_success: bool,
    pub(super) models: bool,
    pub(super) cores: bool,
    pub(super) unsat_assumptions: bool,
    pub(super) proofs: bool,
    pub(super) interpolants: bool,
    pub(super) which_interpolants: SmtInterpolants,
}

impl Default for InterpreterSettings {
    fn default() -> Self {
        InterpreterSettings {
            timeout: None,
            ticks: None,
            print_success: false,
            models: true,
            cores: false,
            unsat_assumptions: true,
            proofs: false,
            interpolants: true,
            which_interpolants: SmtInterpolants::Strong,
        }
    }
}

impl InterpreterSettings {
    /// Sets an option.
    pub(super) fn set(&mut self, option: SmtOption) {
        match option {
            SmtOption::Timeout(milliseconds) => {
                self.timeout = milliseconds.map(Duration::from_millis);
            }
            SmtOption::Rlimit(units) => {
                let ticks = units.saturating_mul(TICKS_OF_RLIMIT);
                self.ticks = (units > 0).then_some(ticks);
            }
            SmtOption::PrintSuccess(on) => self.print_success = on,
            SmtOption::ProduceModels(on) => self.models = on,
            SmtOption::ProduceUnsatAssumptions(on) => self.unsat_assumptions = on,
            SmtOption::ProduceInterpolants(on) => self.interpolants = on,
            SmtOption::Interpolants(which) => self.which_interpolants = which,
            SmtOption::ProduceProofs(on) => self.proofs = on,
            SmtOption::ProduceUnsatCores(on) => self.cores = on,
        }
    }
}
