//! Reach facts: the under-approximations `U(p)`.
//!
//! A reach fact is a cube of states of a predicate, all of them derivable by one rule from the
//! reach facts of its body: a derivation schema, which grounding turns into a
//! [`Refutation`](crate::chc::Refutation).

use super::super::rules::RuleId;
use crate::chc::PredId;
use crate::term::Term;

/// A reach fact: its position among those of all predicates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct ReachId(u32);

/// Derivable states of a predicate.
#[derive(Clone, Debug)]
pub(super) struct ReachFact {
    /// The conjunction of its cube, over the predicate's parameters.
    pub(super) formula: Term,
    /// The rule that derives each of the states.
    pub(super) rule: RuleId,
    /// The facts of the premises, one for each atom of the rule's body.
    pub(super) premises: Vec<ReachId>,
    /// Are they derivable also by the rules that those of the run are an abstraction of?
    pub(super) concrete: bool,
}

/// All reach facts. Within a search they only grow.
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

    /// Adds a fact, whose premises are there.
    pub(super) fn add(&mut self, pred: PredId, fact: ReachFact) -> ReachId {
        debug_assert!(
            fact.premises
                .iter()
                .all(|p| (p.0 as usize) < self.all.len())
        );
        let id = ReachId(u32::try_from(self.all.len()).expect("few reach facts"));
        self.all.push(fact);
        self.by_pred[pred.index()].push(id);
        id
    }

    /// Leaves only the concrete facts, each of which has concrete premises. Answers for each
    /// predicate how many of its first facts were concrete, and so have the places that they had.
    pub(super) fn retain_concrete(&mut self) -> Vec<usize> {
        let first_abstract = |ids: &Vec<ReachId>| {
            let is_abstract = |id: &ReachId| !self.get(*id).concrete;
            ids.iter().position(is_abstract).unwrap_or(ids.len())
        };
        let prefixes = self.by_pred.iter().map(first_abstract).collect();
        let mut places = vec![None; self.all.len()];
        let mut all = Vec::new();
        for (old, fact) in self
            .all
            .iter()
            .enumerate()
            .filter(|(_, fact)| fact.concrete)
        {
            places[old] = Some(ReachId(u32::try_from(all.len()).expect("few reach facts")));
            let premise = |p: &ReachId| places[p.0 as usize].expect("premises are concrete");
            all.push(ReachFact {
                premises: fact.premises.iter().map(premise).collect(),
                ..fact.clone()
            });
        }
        self.all = all;
        for ids in &mut self.by_pred {
            *ids = ids.iter().filter_map(|id| places[id.0 as usize]).collect();
            debug_assert!(
                ids.is_sorted_by(|a, b| a < b),
                "the oldest fact comes first"
            );
        }
        debug_assert_eq!(
            self.by_pred.iter().map(Vec::len).sum::<usize>(),
            self.all.len(),
            "each fact is one of a predicate"
        );
        prefixes
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
