//! Invariants that others found.

use crate::chc::PredId;
use crate::engine::Context;
use crate::engine::blackboard::Cursor;
use crate::engine::rules::RuleSystem;
use crate::term::Term;

/// What is read of the board.
pub(in crate::engine) struct KnownInvariants {
    /// The invariants of each predicate, by its index.
    formulas: Vec<Term>,
    seen: Cursor,
}

impl KnownInvariants {
    /// Nothing so far.
    pub(in crate::engine) fn new(rules: &RuleSystem) -> Self {
        KnownInvariants {
            formulas: vec![Term::TRUE; rules.params.len()],
            seen: Cursor::default(),
        }
    }

    /// The invariants of a predicate, over its parameters.
    pub(in crate::engine) fn of(&self, pred: PredId) -> Term {
        self.formulas[pred.index()]
    }

    /// Adds the invariants that are new on the board.
    pub(in crate::engine) fn read(&mut self, context: &Context<'_>, rules: &RuleSystem) {
        if let Some(news) = context.news(&mut self.seen) {
            let t = context.terms;
            for (pred, formula) in rules.formulas(t, &news) {
                let known = &mut self.formulas[pred.index()];
                *known = t.and([*known, formula]);
            }
        }
    }
}
