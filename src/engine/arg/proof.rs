//! A model of the finished graph that says no more than is needed.
//!
//! The uncovered states are inductive: each edge derives a part of one of them, or nothing. Of
//! their conjuncts those are needed which exclude the edges to `false` and the other edges that
//! derive nothing, and those which these needs need in turn, edge by edge. Unsatisfiable cores say
//! which. The other conjuncts are left out, and the states are inductive still.

use super::cegar::Cegar;
use super::graph::{Edge, StateId};
use crate::chc::Model;
use crate::smt::{Failure, Limit};
use crate::term::{Term, TermSet};
use crate::work;
use rustc_hash::FxHashMap;

/// The search for what is not needed costs at most this number of ticks. The value was not tuned.
const PATIENCE: u64 = work::milliseconds(500);
/// It costs at most a tenth of the remaining budget. The value was not tuned.
const PATIENCE_PARTS: u64 = 10;

/// What is needed so far, and what is still to be seen to.
#[derive(Default)]
struct Needs {
    /// Conjuncts of states.
    of_states: FxHashMap<StateId, TermSet>,
    /// Are the invariants of others needed?
    known: bool,
    /// States with a conjunct that edges to them must imply.
    open: Vec<(StateId, Term)>,
}

impl Cegar<'_, '_> {
    /// The model: for each predicate the disjunction of its uncovered states.
    pub(super) fn model(&mut self) -> Model {
        let context = self.paths.context;
        let limit = context.limit.share(PATIENCE_PARTS, PATIENCE);
        match self.needs(&limit) {
            Ok(Some(needs)) => {
                let t = context.terms;
                self.model_of(needs.known, |id| {
                    let needed = needs.of_states.get(&id);
                    let conjuncts = t.conjuncts(self.graph.state(id).formula()).into_iter();
                    t.and(conjuncts.filter(|c| needed.is_some_and(|needed| needed.contains(c))))
                })
            }
            Ok(None) | Err(_) => self.model_of(true, |id| self.graph.state(id).formula()),
        }
    }

    fn model_of(&self, known: bool, formula: impl Fn(StateId) -> Term) -> Model {
        let t = self.paths.context.terms;
        self.paths.rules.model(|pred| {
            let states = self.graph.uncovered(pred).iter();
            let reached = t.or(states.map(|&id| formula(id)));
            match known {
                true => t.and([self.known.of(pred), reached]),
                false => reached,
            }
        })
    }

    /// The conjuncts that are needed; `None` if a solver does not say it.
    fn needs(&mut self, limit: &Limit) -> Result<Option<Needs>, Failure> {
        let mut needs = Needs::default();
        let mut into: FxHashMap<StateId, Vec<Edge>> = FxHashMap::default();
        for (edge, derived) in self.graph.derivations() {
            match derived {
                Some(state) => into.entry(state).or_default().push(edge),
                None => {
                    limit.check()?;
                    if !self.add_needs(&edge, Term::FALSE, &mut needs)? {
                        return Ok(None);
                    }
                }
            }
        }
        while let Some((state, conjunct)) = needs.open.pop() {
            limit.check()?;
            for edge in into.get(&state).map_or(&[][..], |edges| edges) {
                if !self.add_needs(edge, conjunct, &mut needs)? {
                    return Ok(None);
                }
            }
        }
        Ok(Some(needs))
    }

    /// Adds what is needed of an edge's premises for a conclusion. Answers whether it follows.
    fn add_needs(
        &mut self,
        edge: &Edge,
        conclusion: Term,
        needs: &mut Needs,
    ) -> Result<bool, Failure> {
        let t = self.paths.context.terms;
        let mut said = Vec::new();
        for &premise in &edge.premises {
            let state = self.graph.state(premise);
            let known = t.conjuncts(self.known.of(state.pred)).into_iter();
            let own = t.conjuncts(state.formula()).into_iter();
            let own: Vec<(Term, Option<StateId>)> = own.map(|c| (c, Some(premise))).collect();
            said.push(known.map(|c| (c, None)).chain(own).collect::<Vec<_>>());
        }
        let Some(used) = self.transfer.core(edge, &said, conclusion)? else {
            return Ok(false);
        };
        for (conjunct, of) in used {
            match of {
                None => needs.known = true,
                Some(state) => {
                    if needs.of_states.entry(state).or_default().insert(conjunct) {
                        needs.open.push((state, conjunct));
                    }
                }
            }
        }
        Ok(true)
    }
}
