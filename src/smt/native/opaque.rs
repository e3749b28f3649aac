//! Formulas with constants in place of terms that the core does not support.
//!
//! A term whose operation is not supported is replaced by a constant, the same for the same term.
//! The replacement weakens formulas: if the result is unsatisfiable, so is the original. If it is
//! satisfiable, nothing follows.

use super::support::{Support, check_head};
use crate::smt::Failure;
use crate::term::{Substitution, Term, TermMap, Terms};

/// The constants of one context.
pub(crate) struct Opaque<'t> {
    t: &'t Terms,
    support: Support,
    /// For each unsupported formula, its replacement, and why it is not supported.
    formulas: TermMap<(Term, Failure)>,
    /// The constant of each replaced term, whose arguments are replaced already.
    constants: TermMap<Term>,
    /// Puts the terms that the constants stand for back in their places.
    meanings: Substitution<'t>,
}

impl<'t> Opaque<'t> {
    /// A replacement without constants so far.
    pub(crate) fn new(t: &'t Terms) -> Self {
        Opaque {
            t,
            support: Support::default(),
            formulas: TermMap::default(),
            constants: TermMap::default(),
            meanings: Substitution::new(t, []),
        }
    }

    /// The formula with constants in place of unsupported terms; the formula itself if it is
    /// supported.
    pub(crate) fn of(&mut self, formula: Term) -> Term {
        if let Some(&(known, _)) = self.formulas.get(&formula) {
            return known;
        }
        let Err(why) = self.support.check(self.t, formula) else {
            return formula;
        };
        let t = self.t;
        let made = match t.has_quantifier(formula) {
            true => self.constant(formula),
            false => t.rewrite(formula, |term| match check_head(t, term).is_ok() {
                true => term,
                false => self.constant(term),
            }),
        };
        self.formulas.insert(formula, (made, why));
        made
    }

    /// The constant for a term, whose parts are replaced already.
    fn constant(&mut self, term: Term) -> Term {
        if let Some(&constant) = self.constants.get(&term) {
            return constant;
        }
        // One for all contexts of the store, by a name that no text can have.
        let name = format!("opaque\\{}", term.index());
        let constant = self.t.var(&name, self.t.sort_of(term));
        let meaning = self.concrete(term);
        self.constants.insert(term, constant);
        self.meanings.define(constant, meaning);
        constant
    }

    /// The formula with the terms that its constants stand for.
    pub(crate) fn concrete(&mut self, formula: Term) -> Term {
        self.meanings.apply(formula)
    }

    /// Why one of these formulas, each of which was given to [`Opaque::of`], is not decided by
    /// the core, if one is not.
    pub(crate) fn failure<'f>(
        &self,
        formulas: impl IntoIterator<Item = &'f Term>,
    ) -> Option<&Failure> {
        let mut formulas = formulas.into_iter();
        formulas.find_map(|f| self.formulas.get(f).map(|(_, why)| why))
    }

    /// Is every formula that was given decided as it is?
    pub(crate) fn is_exact(&self) -> bool {
        self.formulas.is_empty()
    }
}
