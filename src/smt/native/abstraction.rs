//! Formulas with constants for what the core does not decide.
//!
//! A term of a sort that the core knows, made by an operation that it does not know or of arguments
//! that it does not know, is replaced by a constant: the same for the same term. What contradicts
//! itself after that did so before; nothing follows from its being possible.

use super::support::{Support, check_head, is_sort_supported};
use crate::smt::Failure;
use crate::term::{Substitution, Term, TermMap, Terms};

/// The constants of one context.
pub(crate) struct Abstraction<'t> {
    t: &'t Terms,
    support: Support,
    /// For each unsupported formula, its replacement, and why it is not supported.
    formulas: TermMap<(Term, Failure)>,
    /// By what they stand for, arguments being replaced already.
    constants: TermMap<Term>,
    /// The constants and what they stand for.
    meanings: Vec<(Term, Term)>,
}

impl<'t> Abstraction<'t> {
    /// Without constants.
    pub(crate) fn new(t: &'t Terms) -> Self {
        Abstraction {
            t,
            support: Support::default(),
            formulas: TermMap::default(),
            constants: TermMap::default(),
            meanings: Vec::new(),
        }
    }

    /// A formula that the core decides and that is implied by this one for some values of the
    /// constants: the formula itself, where it is supported.
    pub(crate) fn of(&mut self, formula: Term) -> Term {
        if let Some(&(known, _)) = self.formulas.get(&formula) {
            return known;
        }
        let Err(why) = self.support.check(self.t, formula) else {
            return formula;
        };
        let t = self.t;
        let is_known = |term| !is_sort_supported(t, t.sort_of(term)) || check_head(t, term).is_ok();
        let made = match t.has_quantifier(formula) {
            true => self.constant(formula),
            false => t.rewrite(formula, |term| match is_known(term) {
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
        self.meanings.push((constant, meaning));
        constant
    }

    /// The formula with the terms that its constants stand for.
    pub(crate) fn concrete(&self, formula: Term) -> Term {
        Substitution::new(self.t, self.meanings.iter().copied()).apply(formula)
    }

    /// Why one of these formulas, each of which was given to [`Abstraction::of`], is not decided by
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
