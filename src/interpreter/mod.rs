//! Runs SMT-LIB scripts: commands become calls of a solver, and their answers are data.
//!
//! An [`Interpreter`] keeps the stack of assertions and the options of a script. It carries out one
//! command at a time and answers it by a [`Response`], which has its text in the form of the
//! standard.
//!
//! ```
//! use horn::interpreter::{Interpreter, Response};
//! use horn::smt::Backend;
//! use horn::smt::native::NativeOptions;
//! use horn::smtlib::Source;
//! use horn::term::Terms;
//!
//! # fn main() -> Result<(), horn::smtlib::ReadError> {
//! let t = Terms::new();
//! let backend = Backend::native(NativeOptions::default());
//! let script = "(declare-const x Int)(assert (< 3 (* 2 x) 5))(check-sat)(get-value (x))";
//! let source = Source::from_text("script", script);
//! let mut interpreter = Interpreter::new(&t, &backend, &source, None);
//! let mut answers = String::new();
//! while let Some(response) = interpreter.next_response()? {
//!     if matches!(response, Response::Sat) {
//!         assert_eq!(interpreter.tally().sat, 1);
//!     }
//!     answers += &response.text(&t);
//! }
//! assert_eq!(answers, "sat\n((x 2))\n");
//! # Ok(())
//! # }
//! ```
//!
//! A script may come in parts, so that a program can wait for the answers to one part before it
//! writes the next: [`Interpreter::continue_with`].
//!
//! Proofs and interpolants come from new contexts, which repeat the check, so the script's solver
//! need not keep what they need. Proofs are the embedded core's.
//!
//! Where to read: `execute` carries out commands, `questions` answers what is asked about the last
//! check, `session` has the state of a script, `settings` its options; `beyond` makes proofs and
//! interpolants, `model` and `response` make text. `run` does what a program does with a script,
//! which `input` reads in parts.

mod beyond;
mod execute;
mod input;
mod model;
mod questions;
mod refusal;
mod response;
mod run;
mod session;
mod settings;
mod tally;

pub use input::Input;
pub use model::{Meaning, Model, value_text};
pub use response::Response;
pub use run::{Extras, RunError};
pub use session::Interpreter;
pub use tally::Tally;
