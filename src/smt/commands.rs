//! Commands of SMT-LIB 2 as text in memory.
//!
//! The methods have the names of those of `rsmt2::Solver`, and take what those take: names,
//! sorts, terms and datatypes that implement the printing traits of rsmt2. The methods of rsmt2
//! write to the pipe of a process, piece by piece. These write to memory, so that all commands of
//! a question are sent at once. The same text goes to a process, to its dump, and to the records
//! of the embedded core, which has no process.

use rsmt2::SmtRes;
use rsmt2::print::{AdtDecl, AdtVariant, AdtVariantField, Expr2Smt, Sort2Smt, Sym2Smt};
use std::fmt::Display;
use std::io::Write;

/// Commands in the order in which they are sent.
#[derive(Default)]
pub(super) struct Commands(Vec<u8>);

impl Commands {
    /// The text.
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Adds a command that has no method, with the end of its line.
    pub(super) fn verbatim(&mut self, command: &str) {
        self.print(|out| writeln!(out, "{command}").map_err(Into::into));
    }

    /// Adds other commands.
    pub(super) fn append(&mut self, others: &Commands) {
        self.0.extend_from_slice(&others.0);
    }

    /// `set-option`.
    pub(super) fn set_option(&mut self, option: &str, value: impl Display) {
        self.verbatim(&format!("(set-option {option} {value})"));
    }

    /// `set-logic`.
    pub(super) fn set_custom_logic(&mut self, logic: &str) {
        self.verbatim(&format!("(set-logic {logic})"));
    }

    /// `declare-const`.
    pub(super) fn declare_const(&mut self, symbol: impl Sym2Smt, sort: impl Sort2Smt) {
        self.print(|out| {
            write!(out, "(declare-const ")?;
            symbol.sym_to_smt2(out, ())?;
            write!(out, " ")?;
            sort.sort_to_smt2(out)?;
            writeln!(out, ")").map_err(Into::into)
        });
    }

    /// `declare-fun`.
    pub(super) fn declare_fun(
        &mut self,
        symbol: impl Sym2Smt,
        arguments: impl IntoIterator<Item: Sort2Smt>,
        result: impl Sort2Smt,
    ) {
        self.print(|out| {
            write!(out, "(declare-fun ")?;
            symbol.sym_to_smt2(out, ())?;
            write!(out, " (")?;
            for sort in arguments {
                sort.sort_to_smt2(out)?;
                write!(out, " ")?;
            }
            write!(out, ") ")?;
            result.sort_to_smt2(out)?;
            writeln!(out, ")").map_err(Into::into)
        });
    }

    /// `declare-sort`.
    pub(super) fn declare_sort(&mut self, sort: impl Sort2Smt, arity: u8) {
        self.print(|out| {
            write!(out, "(declare-sort ")?;
            sort.sort_to_smt2(out)?;
            writeln!(out, " {arity})").map_err(Into::into)
        });
    }

    /// `declare-datatypes`, of datatypes without parameters.
    pub(super) fn declare_datatypes<D: AdtDecl>(&mut self, datatypes: &[D]) {
        self.print(|out| {
            write!(out, "(declare-datatypes (")?;
            for datatype in datatypes {
                debug_assert_eq!(datatype.arity(), 0, "datatypes are instances");
                write!(out, "(")?;
                datatype.adt_sym().sym_to_smt2(out, ())?;
                write!(out, " 0)")?;
            }
            write!(out, ") (")?;
            for datatype in datatypes {
                write!(out, "(")?;
                datatype
                    .adt_variants()
                    .try_for_each(|variant| write_variant(out, &variant))?;
                write!(out, ")")?;
            }
            writeln!(out, "))").map_err(Into::into)
        });
    }

    /// `push` of one scope.
    pub(super) fn push(&mut self) {
        self.verbatim("(push 1)");
    }

    /// `pop` of any number of scopes.
    pub(super) fn pop(&mut self, scopes: usize) {
        if scopes > 0 {
            self.verbatim(&format!("(pop {scopes})"));
        }
    }

    /// `assert`, of what is printed with this information.
    pub(super) fn assert_with<Info: Copy>(&mut self, formula: impl Expr2Smt<Info>, info: Info) {
        self.print(|out| {
            write!(out, "(assert ")?;
            formula.expr_to_smt2(out, info)?;
            writeln!(out, ")").map_err(Into::into)
        });
    }

    /// `check-sat`.
    pub(super) fn check_sat(&mut self) {
        self.verbatim("(check-sat)");
    }

    /// `check-sat-assuming`, with literals that need not be names.
    pub(super) fn check_sat_assuming_with<Info: Copy>(
        &mut self,
        literals: impl IntoIterator<Item: Expr2Smt<Info>>,
        info: Info,
    ) {
        self.list("check-sat-assuming", literals, info);
    }

    /// `get-value`.
    pub(super) fn get_values_with<Info: Copy>(
        &mut self,
        terms: impl IntoIterator<Item: Expr2Smt<Info>>,
        info: Info,
    ) {
        self.list("get-value", terms, info);
    }

    /// `get-unsat-core`.
    pub(super) fn get_unsat_core(&mut self) {
        self.verbatim("(get-unsat-core)");
    }

    /// `get-interpolant`, of two formulas, or of a name for the interpolant and a formula.
    pub(super) fn get_interpolant_with<Info: Copy>(
        &mut self,
        first: impl Expr2Smt<Info>,
        second: impl Expr2Smt<Info>,
        info: Info,
    ) {
        self.print(|out| {
            write!(out, "(get-interpolant ")?;
            first.expr_to_smt2(out, info)?;
            write!(out, " ")?;
            second.expr_to_smt2(out, info)?;
            writeln!(out, ")").map_err(Into::into)
        });
    }

    /// `get-info`.
    pub(super) fn get_info(&mut self, flag: &str) {
        self.verbatim(&format!("(get-info {flag})"));
    }

    /// `echo`, of text without quotation marks.
    pub(super) fn echo(&mut self, text: &str) {
        self.verbatim(&format!("(echo \"{text}\")"));
    }

    /// A command that takes a list of terms.
    fn list<Info: Copy>(
        &mut self,
        command: &str,
        terms: impl IntoIterator<Item: Expr2Smt<Info>>,
        info: Info,
    ) {
        self.print(|out| {
            write!(out, "({command} (")?;
            for term in terms {
                term.expr_to_smt2(out, info)?;
                write!(out, " ")?;
            }
            writeln!(out, "))").map_err(Into::into)
        });
    }

    fn print(&mut self, write: impl FnOnce(&mut Vec<u8>) -> SmtRes<()>) {
        write(&mut self.0).expect("writing to memory does not fail");
    }
}

/// A constructor with its selectors.
fn write_variant(out: &mut Vec<u8>, variant: &impl AdtVariant) -> SmtRes<()> {
    write!(out, "(")?;
    variant.sym().sym_to_smt2(out, ())?;
    for field in variant.fields() {
        write!(out, " (")?;
        field.field_sym().sym_to_smt2(out, ())?;
        write!(out, " ")?;
        field.field_sort().sort_to_smt2(out)?;
        write!(out, ")")?;
    }
    write!(out, ")").map_err(Into::into)
}
