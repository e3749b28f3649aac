//! Reach facts: the under-approximations `U(p)`.
//!
//! A reach fact is a cube of states of a predicate, all of them derivable by one rule from the reach facts of its body: a
//! derivation schema, which grounding turns into a [`Refutation`](crate::chc::Refutation).

use super::super::rules::RuleId;
use crate::chc::PredId;
use crate::term::{Term, Terms};

/// A reach fact: its position among those of all predicates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct ReachId(u32);

/// Derivable states of a predicate.
#[derive(Clone, Debug)]
pub(super) struct ReachFact {
    /// The conjunction of its cube, over the predicate's parameters.
    pub(super) formula: Term,
    /// The rule that derives each of them,
    pub(super) rule: RuleId,
    /// from states of these facts, one for each atom of the rule's body.
    pub(super) premises: Vec<ReachId>,
}

/// All reach facts. They only grow.
pub(super) struct ReachFacts {
    all: Vec<ReachFact>,
    by_pred: Vec<Vec<ReachId>>,
}

impl ReachFacts {
    /// None for that many predicates.
    pub(super) fn new(preds: usize) -> Self {
        ReachFacts {
            all: Vec::new(),
            by_pred: vec![Vec::new(); preds],
        }
    }

    /// Adds the fact that all states of the cube are derivable.
    pub(super) fn add(
        &mut self,
        t: &Terms,
        pred: PredId,
        cube: &[Term],
        rule: RuleId,
        premises: Vec<ReachId>,
    ) -> ReachId {
        let id = ReachId(u32::try_from(self.all.len()).expect("few reach facts"));
        self.all.push(ReachFact {
            formula: t.and(cube.iter().copied()),
            rule,
            premises,
        });
        self.by_pred[pred.index()].push(id);
        id
    }

    /// A fact by id.
    pub(super) fn get(&self, id: ReachId) -> &ReachFact {
        &self.all[id.0 as usize]
    }

    /// The facts of a predicate, oldest first.
    pub(super) fn of(&self, pred: PredId) -> &[ReachId] {
        &self.by_pred[pred.index()]
    }

    /// Number of facts.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }
}
