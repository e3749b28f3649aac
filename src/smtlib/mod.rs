//! SMT-LIB 2.6 text: lexing, parsing.

pub mod ast;
pub mod error;
pub mod lexer;
pub mod source;
pub mod stream;

lalrpop_util::lalrpop_mod!(
    #[allow(
        clippy::all,
        clippy::pedantic,
        unused,
        missing_docs,
        unreachable_pub,
        reason = "generated"
    )]
    grammar,
    "/smtlib.rs"
);
