//! Runs scripts as a program does: what is asked on standard input or in a file is answered on
//! standard output.

use super::input::{Input, nothing};
use super::{Interpreter, Response};
use crate::smt::Backend;
use crate::term::Terms;
use std::io::{self, BufWriter, Write};
use std::time::Duration;

/// Why a script was not run to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The text is wrong; this has been reported.
    #[error("error in the input")]
    Input,
    /// Standard input cannot be read.
    #[error("standard input: {0}")]
    Read(io::Error),
    /// Standard output cannot be written.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
}

/// What is printed that a script does not ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extras {
    /// A model after each `sat`?
    pub models: bool,
    /// The statistics, at the end?
    pub statistics: bool,
}

impl<'t> Interpreter<'t, 'static> {
    /// An interpreter that has read nothing so far.
    pub fn empty(terms: &'t Terms, backend: &'t Backend, timeout: Option<Duration>) -> Self {
        Interpreter::new(terms, backend, nothing(), timeout)
    }

    /// Runs a script, and writes each answer to standard output at once: whoever asked may wait for
    /// it. `say` gets what there is to say beside an answer, and errors with their places.
    ///
    /// # Errors
    /// The text is wrong, which ends the script, or the input or the output fails. A script that is
    /// answered as Z3 does goes on to its end, and a command that was refused is an error there.
    pub fn run(
        &mut self,
        input: &mut Input,
        extras: Extras,
        say: &dyn Fn(&str),
    ) -> Result<(), RunError> {
        let mut out = BufWriter::new(io::stdout().lock());
        let mut refused = false;
        let mut print = |text: &str| out.write_all(text.as_bytes()).and_then(|()| out.flush());
        while !self.has_ended() {
            let Some(source) = input.next_part().map_err(RunError::Read)? else {
                break;
            };
            self.continue_with(source);
            loop {
                match self.next_response() {
                    Ok(None) => break,
                    Ok(Some(response)) => {
                        print(&response.text(self.t))?;
                        refused |= matches!(response, Response::Refused(_));
                        if extras.models
                            && matches!(response, Response::Sat)
                            && let Ok(model) = self.get_model()
                        {
                            print(&model.text(self.t))?;
                        }
                        if let Some(details) = response.details() {
                            say(&details.to_string());
                        }
                    }
                    Err(error) => {
                        print(&format!("{}\n", error.smtlib_text()))?;
                        say(error.report().trim_end());
                        return Err(RunError::Input);
                    }
                }
            }
        }
        if extras.statistics {
            print(&self.statistics().text(self.t))?;
        }
        match self.z3 && refused {
            true => Err(RunError::Input),
            false => Ok(()),
        }
    }
}
