//! SMT-LIB 2.6 text: lexing, parsing, elaboration, scripts.
//!
//! [`read_system`] turns a [`Source`] into a system of Horn clauses; a [`Reader`] runs a whole
//! script. An [`SmtReader`] runs scripts for SMT solvers.

pub mod ast;
pub mod code;
pub mod elab;
pub mod error;
mod instruction;
pub mod lexer;
mod parts;
mod print;
mod question;
mod recovery;
pub mod script;
pub mod smt_script;
pub mod source;
mod state;
pub mod stream;

lalrpop_util::lalrpop_mod!(
    #[allow(
        clippy::all,
        clippy::pedantic,
        clippy::unwrap_used,
        unused,
        missing_docs,
        unreachable_pub,
        reason = "generated"
    )]
    grammar,
    "/smtlib.rs"
);

pub use elab::Uninterpreted;
pub use error::{Issue, ReadError};
pub use parts::SmtParts;
pub use print::{ClausePrinter, ClauseQueries, system_text};
pub(crate) use script::shorten;
pub use script::{
    Note, Polarity, Question, Reader, ScriptOption, Step, TICKS_OF_RLIMIT, read_system,
};
pub use smt_script::{SmtInterpolants, SmtOption, SmtReader, SmtStep};
pub use source::{Position, Source};
pub use state::ReaderState;
