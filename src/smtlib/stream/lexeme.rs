//! Tokens as the grammar sees them, and the names of commands.

use crate::smtlib::lexer::Token;
use crate::term::Symbol;

/// A token as the grammar sees it: symbols are interned, the first symbol of a command is a command
/// word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lexeme {
    /// A token that is no symbol.
    Plain(Token),
    /// A symbol.
    Symbol(Symbol),
    /// The first symbol of a command.
    Command(CommandWord),
}

/// The commands that the grammar knows. [`CommandWord::Unsupported`] are those of the standard that
/// this program does not carry out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in the standard")]
pub enum CommandWord {
    Assert,
    CheckSat,
    CheckSatAssuming,
    CheckSatUsing,
    DeclareConst,
    DeclareDatatype,
    DeclareDatatypes,
    DeclareFun,
    DeclareRel,
    DeclareSort,
    DeclareVar,
    DefineConst,
    DefineFun,
    DefineFunRec,
    DefineFunsRec,
    DefineSort,
    Echo,
    Eval,
    Exit,
    GetAssertions,
    GetInfo,
    GetInterpolants,
    GetModel,
    GetOption,
    GetProof,
    GetUnsatAssumptions,
    GetUnsatCore,
    GetValue,
    Pop,
    Push,
    Query,
    Reset,
    ResetAssertions,
    Rule,
    SetInfo,
    SetLogic,
    SetOption,
    Simplify,
    Unsupported,
}

impl CommandWord {
    /// May the command be read together with others of a group? Those may whose parts are ranges of
    /// an [`Ast`](crate::smtlib::ast::Ast), and of which a text has many.
    pub(super) fn is_grouped(self) -> bool {
        matches!(
            self,
            CommandWord::Assert | CommandWord::DeclareFun | CommandWord::Rule
        )
    }

    /// The command of that name.
    pub(super) fn of(name: &str) -> Option<CommandWord> {
        Some(match name {
            "assert" => CommandWord::Assert,
            "check-sat" => CommandWord::CheckSat,
            "check-sat-assuming" => CommandWord::CheckSatAssuming,
            "check-sat-using" => CommandWord::CheckSatUsing,
            "declare-const" => CommandWord::DeclareConst,
            "declare-datatype" => CommandWord::DeclareDatatype,
            "declare-datatypes" => CommandWord::DeclareDatatypes,
            "declare-fun" => CommandWord::DeclareFun,
            "declare-rel" => CommandWord::DeclareRel,
            "declare-sort" => CommandWord::DeclareSort,
            "declare-var" => CommandWord::DeclareVar,
            "define-const" => CommandWord::DefineConst,
            "define-fun" => CommandWord::DefineFun,
            "define-fun-rec" => CommandWord::DefineFunRec,
            "define-funs-rec" => CommandWord::DefineFunsRec,
            "define-sort" => CommandWord::DefineSort,
            "echo" => CommandWord::Echo,
            "eval" => CommandWord::Eval,
            "exit" => CommandWord::Exit,
            "get-assertions" => CommandWord::GetAssertions,
            "get-info" => CommandWord::GetInfo,
            "get-interpolants" => CommandWord::GetInterpolants,
            "get-model" => CommandWord::GetModel,
            "get-option" => CommandWord::GetOption,
            "get-proof" => CommandWord::GetProof,
            "get-unsat-assumptions" => CommandWord::GetUnsatAssumptions,
            "get-unsat-core" => CommandWord::GetUnsatCore,
            "get-value" => CommandWord::GetValue,
            "pop" => CommandWord::Pop,
            "push" => CommandWord::Push,
            "query" => CommandWord::Query,
            "reset" => CommandWord::Reset,
            "reset-assertions" => CommandWord::ResetAssertions,
            "rule" => CommandWord::Rule,
            "set-info" => CommandWord::SetInfo,
            "set-logic" => CommandWord::SetLogic,
            "set-option" => CommandWord::SetOption,
            "simplify" => CommandWord::Simplify,
            "get-assignment" | "labels" | "push-fact" | "declare-sort-parameter" => {
                CommandWord::Unsupported
            }
            _ => return None,
        })
    }
}
