//! The settings of checks, by name and value as text.

use super::ProblemError;
use crate::os::Jobs;
use crate::portfolio::{Choice, Options};
use crate::smt::process::ProcessOptions;
use crate::smt::{Backend, BackendError};
use std::time::Duration;

/// How checks are made.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The engine, its options and the limits.
    pub options: Options,
    /// The SMT solver: `native` for the embedded core alone, or an external program. Without a name
    /// it is the embedded core, with the external program that is found for what it does not
    /// decide.
    pub solver: Option<String>,
}

impl Settings {
    /// Sets an option. The names are `timeout` (seconds, 0 for no limit), `ticks`, `memory`
    /// (bytes), `engine`, `jobs`, `solver`, and those of engines, such as `bmc.max-depth`.
    ///
    /// # Errors
    /// There is no option of that name, or the value is wrong.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ProblemError> {
        match name {
            "timeout" => self.options.timeout = seconds(value)?,
            "ticks" => self.options.budget = Some(number(name, value)?),
            "memory" => self.options.memory = Some(number(name, value)?),
            "jobs" => self.options.jobs = Jobs::new(number(name, value)?),
            "solver" => self.solver = Some(value.to_owned()),
            "engine" => {
                let choice = Choice::from_name(value);
                let unknown = || ProblemError::Setting(format!("there is no engine `{value}`"));
                self.options.engine = choice.ok_or_else(unknown)?;
            }
            _ => self.options.settings.assign(&format!("{name}={value}"))?,
        }
        Ok(())
    }

    /// The solvers of a check.
    pub(super) fn backend(&self) -> Result<Backend, BackendError> {
        let chosen = Backend::choose(self.solver.as_deref(), ProcessOptions::default());
        chosen.map(|(backend, _)| backend)
    }
}

fn number<T: std::str::FromStr>(name: &str, value: &str) -> Result<T, ProblemError> {
    let wrong =
        |_| ProblemError::Setting(format!("the value of `{name}` is a number, not `{value}`"));
    value.parse().map_err(wrong)
}

/// A time limit; 0 is none.
fn seconds(value: &str) -> Result<Option<Duration>, ProblemError> {
    let seconds: f64 = number("timeout", value)?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(Duration::ZERO) => Ok(None),
        Ok(time) => Ok(Some(time)),
        Err(_) => {
            let message = format!("the value of `timeout` is a number of seconds, not `{value}`");
            Err(ProblemError::Setting(message))
        }
    }
}
