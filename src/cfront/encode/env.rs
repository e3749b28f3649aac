//! Values of variables within a block.

use crate::cfront::memory::PartId;
use crate::term::Term;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The values of variables at a point of a block: the changed ones, and where to look up the
/// others.
#[derive(Clone)]
pub(crate) struct Env<'a> {
    changed: Rc<FxHashMap<PartId, Term>>,
    entry: &'a dyn Fn(PartId) -> Term,
}

impl<'a> Env<'a> {
    pub(crate) fn new(entry: &'a dyn Fn(PartId) -> Term) -> Self {
        Env {
            changed: Rc::default(),
            entry,
        }
    }

    pub(crate) fn get(&self, part: PartId) -> Term {
        match self.changed.get(&part) {
            Some(&term) => term,
            None => (self.entry)(part),
        }
    }

    /// Are these the same values, without a look at them?
    pub(crate) fn is_same(&self, other: &Env<'_>) -> bool {
        Rc::ptr_eq(&self.changed, &other.changed)
    }

    /// The variables that were set.
    pub(crate) fn changed(&self) -> impl Iterator<Item = PartId> {
        self.changed.keys().copied()
    }

    /// The value that a variable was set to, if it was.
    pub(crate) fn changed_to(&self, part: PartId) -> Option<Term> {
        self.changed.get(&part).copied()
    }

    pub(crate) fn set(&mut self, part: PartId, term: Term) {
        Rc::make_mut(&mut self.changed).insert(part, term);
    }
}
