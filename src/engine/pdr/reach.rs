//! Reach facts: the under-approximations `U(p)`.
//!
//! A reach fact is a cube of states of a predicate, all of them derivable by one rule from the
//! reach facts of its body: a derivation schema, which grounding turns into a
//! [`Refutation`](crate::chc::Refutation).

use super::super::rules::RuleId;
use crate::chc::PredId;
use crate::term::Term;
use rustc_hash::FxHashMap;

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

/// Reach facts that are kept from one run to another on the same predicates and rules, whatever is
/// left out of the rules' constraints: concrete ones, each after its premises.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptFacts(Vec<(PredId, ReachFact)>);

impl KeptFacts {
    /// Number of facts.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
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

    /// What another run kept, taken over by this one, which has no facts yet.
    pub(super) fn take_over(&mut self, kept: &KeptFacts) {
        debug_assert!(self.all.is_empty(), "the premises are given by position");
        for (pred, fact) in &kept.0 {
            self.add(*pred, fact.clone());
        }
    }

    /// The concrete facts.
    pub(super) fn concrete(&self) -> KeptFacts {
        let mut preds = vec![PredId(0); self.all.len()];
        for (pred, ids) in (0..).map(PredId).zip(&self.by_pred) {
            ids.iter().for_each(|id| preds[id.0 as usize] = pred);
        }
        let mut kept = KeptFacts::default();
        let mut places: FxHashMap<ReachId, ReachId> = FxHashMap::default();
        for (id, (fact, pred)) in (0..).map(ReachId).zip(self.all.iter().zip(preds)) {
            if fact.concrete {
                let place = u32::try_from(kept.0.len()).expect("few reach facts");
                places.insert(id, ReachId(place));
                let premises = fact.premises.iter().map(|p| places[p]).collect();
                let fact = ReachFact {
                    premises,
                    ..fact.clone()
                };
                kept.0.push((pred, fact));
            }
        }
        kept
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
