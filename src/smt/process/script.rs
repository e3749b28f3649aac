//! From terms to commands, and what the process knows of them.
//!
//! A process is told names of our own making only, made from the ids of the store: `x12` for the variable whose term has
//! index 12, `a3` for an assumption. So nothing that a user wrote can confuse a solver's reader.

use super::super::Failure;
use crate::term::{Op, Printer, Sort, SortKind, Term, Terms};
use rustc_hash::FxHashSet;
use std::fmt::Write;

/// Something that a process must be told before it can be used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Item {
    /// A variable.
    Var(Term),
    /// The literal that stands for a formula.
    Literal(Term),
}

/// What the process knows, by scope: what it was told in a scope it forgets with the scope.
#[derive(Default)]
pub(super) struct Known {
    items: FxHashSet<Item>,
    scopes: Vec<Vec<Item>>,
}

impl Known {
    pub(super) fn push(&mut self) {
        self.scopes.push(Vec::new());
    }

    pub(super) fn pop(&mut self) {
        for item in self.scopes.pop().into_iter().flatten() {
            self.items.remove(&item);
        }
    }

    pub(super) fn contains(&self, item: Item) -> bool {
        self.items.contains(&item)
    }

    /// From now on, up to the end of the innermost scope, this is known; answers whether it is new.
    fn insert(&mut self, item: Item) -> bool {
        let new = self.items.insert(item);
        if new && let Some(scope) = self.scopes.last_mut() {
            scope.push(item);
        }
        new
    }
}

/// Writes commands, and notes what they make known.
pub(super) struct Script<'a> {
    pub(super) terms: &'a Terms,
    pub(super) out: &'a mut String,
    pub(super) known: &'a mut Known,
}

impl Script<'_> {
    /// Declares what `formula` contains and is not known yet.
    pub(super) fn declare(&mut self, formula: Term) -> Result<(), Failure> {
        for term in self.terms.post_order([formula]) {
            match self.terms.op(term) {
                Op::Var(_) if self.known.insert(Item::Var(term)) => {
                    let sort = self.sort(self.terms.sort_of(term))?;
                    let _ = writeln!(self.out, "(declare-const {} {sort})", var_name(term));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn sort(&self, sort: Sort) -> Result<String, Failure> {
        match self.terms.sort_kind(sort) {
            SortKind::Bool | SortKind::Int | SortKind::Real => {
                Ok(self.terms.display_sort(sort).to_string())
            }
            _ => Err(Failure::Unsupported(format!(
                "the sort {}",
                self.terms.display_sort(sort)
            ))),
        }
    }

    /// Opens a scope.
    pub(super) fn push(&mut self) {
        self.known.push();
        self.out.push_str("(push 1)\n");
    }

    /// Closes scopes.
    pub(super) fn pop(&mut self, scopes: usize) {
        (0..scopes).for_each(|_| self.known.pop());
        if scopes > 0 {
            let _ = writeln!(self.out, "(pop {scopes})");
        }
    }

    /// Asserts a formula whose parts are declared.
    pub(super) fn assert(&mut self, formula: Term) {
        self.out.push_str("(assert ");
        self.term(formula);
        self.out.push_str(")\n");
    }

    /// Asserts a formula under the name `a<index>`.
    pub(super) fn assert_named(&mut self, index: usize, formula: Term) {
        self.out.push_str("(assert (! ");
        self.term(formula);
        let _ = writeln!(self.out, " :named a{index}))");
    }

    /// Makes known a literal that implies a formula whose parts are declared.
    pub(super) fn imply(&mut self, formula: Term) {
        if self.known.insert(Item::Literal(formula)) {
            let name = literal_name(formula);
            let _ = write!(self.out, "(declare-const {name} Bool)\n(assert (=> {name} ");
            self.term(formula);
            self.out.push_str("))\n");
        }
    }

    /// Writes a term.
    pub(super) fn term(&mut self, term: Term) {
        let names = |v: Term| Some(var_name(v));
        let printer = Printer::new(self.terms).with_vars(&names);
        let _ = printer.write(self.out, term); // writing into a string does not fail
    }
}

/// The name under which a process knows a variable.
fn var_name(var: Term) -> String {
    format!("x{}", var.index())
}

/// The name of the literal that implies a formula.
pub(super) fn literal_name(formula: Term) -> String {
    format!("p{}", formula.index())
}
