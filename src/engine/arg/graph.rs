//! The graph: abstract states, the edges that derive them, and which state covers which.
//!
//! Invariant: a covered state has no successors, and its covering state is older and uncovered.
//!
//! Invariant: an edge whose premises are all uncovered and expanded is open, or was taken.
//!
//! [`Graph::is_valid`] says whether they hold.

use super::abstraction::AbstractionFormula;
use crate::chc::{PredId, System};
use crate::engine::rules::{RuleId, RuleSystem};
use crate::engine::{AbstractEdge, AbstractGraph, AbstractState};
use crate::term::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// A state of the graph, by age.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct StateId(u32);

impl StateId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A rule, and a state for each of its premises.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Edge {
    pub(super) rule: RuleId,
    pub(super) premises: Vec<StateId>,
}

/// An abstract state.
#[derive(Debug)]
pub(super) struct State {
    pub(super) pred: PredId,
    /// The abstraction formula ψ, over the predicate's parameters.
    pub(super) abstraction: AbstractionFormula,
    /// How it is derived.
    pub(super) edge: Edge,
    /// The number of predicates that its abstraction knew.
    pub(super) precision: usize,
    covered_by: Option<StateId>,
    covers: Vec<StateId>,
    successors: Vec<StateId>,
    /// The edges from it that were taken.
    taken: Vec<Edge>,
    removed: bool,
}

impl State {
    /// The abstraction formula.
    pub(super) fn formula(&self) -> Term {
        self.abstraction.formula
    }

    /// Is it in the graph, and covered by no other state?
    pub(super) fn is_uncovered(&self) -> bool {
        !self.removed && self.covered_by.is_none()
    }
}

/// All states.
#[derive(Debug)]
pub(super) struct Graph<'a> {
    rules: &'a RuleSystem,
    /// The rules with a premise of each predicate, by its index.
    uses: Vec<Vec<RuleId>>,
    states: Vec<State>,
    /// The uncovered states of each predicate, by its index, the oldest first.
    uncovered: Vec<Vec<StateId>>,
    /// Edges to be taken, the oldest first; those to `false` apart.
    open: VecDeque<Edge>,
    open_to_false: Vec<Edge>,
    /// The edges that were taken, and whose premises have not been removed since.
    taken: FxHashSet<Edge>,
    /// States that have lost what covered them: they are to be covered or expanded.
    loose: Vec<StateId>,
}

impl<'a> Graph<'a> {
    /// No states. The edges of the facts are open.
    pub(super) fn new(rules: &'a RuleSystem) -> Self {
        let mut uses = vec![Vec::new(); rules.params.len()];
        for &id in rules.by_head.iter().flatten() {
            let body = &rules.rule(id).body;
            for (place, atom) in body.iter().enumerate() {
                if body[..place].iter().all(|before| before.pred != atom.pred) {
                    uses[atom.pred.index()].push(id);
                }
            }
        }
        let mut graph = Graph {
            rules,
            uses,
            states: Vec::new(),
            uncovered: vec![Vec::new(); rules.params.len()],
            open: VecDeque::new(),
            open_to_false: Vec::new(),
            taken: FxHashSet::default(),
            loose: Vec::new(),
        };
        let all = rules.by_head.iter().flatten();
        for &rule in all.filter(|&&id| rules.rule(id).is_fact()) {
            let premises = Vec::new();
            graph.open(Edge { rule, premises });
        }
        graph
    }

    /// A state by id.
    pub(super) fn state(&self, id: StateId) -> &State {
        &self.states[id.index()]
    }

    /// The uncovered states of a predicate, the oldest first.
    pub(super) fn uncovered(&self, pred: PredId) -> &[StateId] {
        &self.uncovered[pred.index()]
    }

    /// The number of edges that are open or were taken.
    pub(super) fn edges(&self) -> usize {
        self.open.len() + self.open_to_false.len() + self.taken.len()
    }

    /// The number of edges to be taken.
    pub(super) fn open_edges(&self) -> usize {
        self.open.len() + self.open_to_false.len()
    }

    /// The number of states that are not covered.
    pub(super) fn len(&self) -> usize {
        self.uncovered.iter().map(Vec::len).sum()
    }

    /// Puts an edge among the open ones.
    pub(super) fn open(&mut self, edge: Edge) {
        match self.rules.rule(edge.rule).head == self.rules.goal {
            true => self.open_to_false.push(edge),
            false => self.open.push_back(edge),
        }
    }

    /// Takes an edge, one to `false` if there is one.
    pub(super) fn take(&mut self) -> Option<Edge> {
        loop {
            let edge = self.open_to_false.pop().or_else(|| self.open.pop_front())?;
            let lives = |&p: &StateId| self.state(p).is_uncovered();
            // If a premise is uncovered again, the edge is opened again.
            if edge.premises.iter().all(lives) && self.taken.insert(edge.clone()) {
                debug_assert!(self.suits(&edge), "a premise is a state of its predicate");
                for premise in &edge.premises {
                    self.states[premise.index()].taken.push(edge.clone());
                }
                return Some(edge);
            }
        }
    }

    /// Has an edge an uncovered state of the right predicate for each premise of its rule?
    fn suits(&self, edge: &Edge) -> bool {
        let body = &self.rules.rule(edge.rule).body;
        let pairs = edge.premises.iter().zip(body);
        edge.premises.len() == body.len()
            && pairs.into_iter().all(|(&premise, atom)| {
                let state = self.state(premise);
                state.pred == atom.pred && state.is_uncovered()
            })
    }

    /// Opens an edge that was taken, to be taken once more.
    pub(super) fn open_again(&mut self, edge: Edge) {
        self.taken.remove(&edge);
        self.open(edge);
    }

    /// Adds the state that an edge derives. It is uncovered, and not expanded yet.
    pub(super) fn add(
        &mut self,
        edge: Edge,
        abstraction: AbstractionFormula,
        precision: usize,
    ) -> StateId {
        let id = StateId(u32::try_from(self.states.len()).expect("fewer states than edges"));
        let pred = self.rules.rule(edge.rule).head;
        debug_assert!(
            self.suits(&edge),
            "each premise is an uncovered state of its predicate"
        );
        for premise in &edge.premises {
            self.states[premise.index()].successors.push(id);
        }
        self.states.push(State {
            pred,
            abstraction,
            edge,
            precision,
            covered_by: None,
            covers: Vec::new(),
            successors: Vec::new(),
            taken: Vec::new(),
            removed: false,
        });
        id
    }

    /// Opens the edges with an uncovered state and the other uncovered ones. It is one of them from
    /// now on. Answers whether one rule has no more than this number of such edges; if it has more,
    /// edges are missing.
    pub(super) fn expand(&mut self, id: StateId, most: usize) -> bool {
        debug_assert!(self.state(id).is_uncovered());
        let pred = self.state(id).pred;
        let list = &mut self.uncovered[pred.index()];
        if let Err(place) = list.binary_search(&id) {
            list.insert(place, id);
        }
        debug_assert!(
            list.is_sorted_by(|a, b| a < b),
            "the oldest state comes first"
        );
        for rule in self.uses[pred.index()].clone() {
            let mut tuples: Vec<Vec<StateId>> = vec![Vec::new()];
            for atom in &self.rules.rule(rule).body {
                let states = &self.uncovered[atom.pred.index()];
                if tuples.len().saturating_mul(states.len()) > most {
                    return false;
                }
                let longer = tuples.iter().flat_map(|tuple| {
                    states.iter().map(move |&state| {
                        let mut longer = tuple.clone();
                        longer.push(state);
                        longer
                    })
                });
                tuples = longer.collect();
            }
            for premises in tuples.into_iter().filter(|tuple| tuple.contains(&id)) {
                let edge = Edge { rule, premises };
                if !self.taken.contains(&edge) {
                    self.open(edge);
                }
            }
        }
        true
    }

    /// Strengthens a state by a formula.
    pub(super) fn strengthen(&mut self, t: &Terms, id: StateId, formula: Term) {
        self.states[id.index()].abstraction.strengthen(t, formula);
    }

    /// Covers a state by an older one. What was derived from it is removed.
    pub(super) fn cover(&mut self, id: StateId, by: StateId) {
        debug_assert!(by < id && self.state(by).is_uncovered());
        self.drop_successors(id);
        self.states[id.index()].covered_by = Some(by);
        self.states[by.index()].covers.push(id);
        self.leave(id);
        self.release(id);
        debug_assert_eq!(
            self.state(id).pred,
            self.state(by).pred,
            "states of one predicate cover"
        );
        debug_assert!(
            self.is_detached(id),
            "a covered state has no successors and covers none"
        );
    }

    /// Is a state one that derives nothing, covers nothing, and is not among the uncovered ones?
    fn is_detached(&self, id: StateId) -> bool {
        let state = self.state(id);
        state.successors.is_empty()
            && state.taken.is_empty()
            && state.covers.is_empty()
            && !self.uncovered(state.pred).contains(&id)
    }

    /// Takes away what covers a state, which then is to be covered or expanded.
    pub(super) fn uncover(&mut self, id: StateId) {
        let state = &mut self.states[id.index()];
        if let Some(by) = state.covered_by.take() {
            self.states[by.index()].covers.retain(|&c| c != id);
        }
        self.loose.push(id);
    }

    /// A state that has lost what covered it.
    pub(super) fn take_loose(&mut self) -> Option<StateId> {
        loop {
            let id = self.loose.pop()?;
            if self.state(id).is_uncovered() {
                return Some(id);
            }
        }
    }

    /// The states that a state covers.
    pub(super) fn covered(&self, by: StateId) -> Vec<StateId> {
        self.state(by).covers.clone()
    }

    /// Removes a state with all that was derived from it. States that it covers are uncovered. Its
    /// edge is one that was taken still.
    pub(super) fn remove(&mut self, id: StateId) {
        if self.state(id).removed {
            return;
        }
        self.drop_successors(id);
        let state = &mut self.states[id.index()];
        state.removed = true;
        if let Some(by) = state.covered_by.take() {
            self.states[by.index()].covers.retain(|&c| c != id);
        }
        self.leave(id);
        self.release(id);
        debug_assert!(
            self.is_detached(id),
            "a removed state has no successors and covers none"
        );
    }

    /// Removes what was derived from a state. The edges count as not taken.
    fn drop_successors(&mut self, id: StateId) {
        for next in std::mem::take(&mut self.states[id.index()].successors) {
            self.remove(next);
        }
        for edge in std::mem::take(&mut self.states[id.index()].taken) {
            self.taken.remove(&edge);
        }
    }

    /// Takes a state from the list of the uncovered ones.
    fn leave(&mut self, id: StateId) {
        let pred = self.state(id).pred;
        self.uncovered[pred.index()].retain(|&s| s != id);
    }

    /// Uncovers what a state covered.
    fn release(&mut self, id: StateId) {
        for covered in std::mem::take(&mut self.states[id.index()].covers) {
            let by = self.states[covered.index()].covered_by.take();
            debug_assert_eq!(by, Some(id), "what a state covers names it");
            self.loose.push(covered);
        }
    }

    /// The number of states of the conclusion's predicate on a path to an edge: the largest one
    /// over the paths through the edge's premises.
    pub(super) fn visits(&self, edge: &Edge) -> u32 {
        let pred = self.rules.rule(edge.rule).head;
        let mut visits: FxHashMap<StateId, u32> = FxHashMap::default();
        for id in self.derivation(edge) {
            let state = self.state(id);
            let before = state.edge.premises.iter().map(|premise| visits[premise]);
            let own = u32::from(state.pred == pred);
            visits.insert(id, before.max().unwrap_or(0) + own);
        }
        let premises = edge.premises.iter().map(|premise| visits[premise]);
        premises.max().unwrap_or(0)
    }

    /// The edges that were taken from states of the graph, in a fixed order; each with the
    /// uncovered state that has what it derives, which is the covering one if its own state is
    /// covered; `None` if it derives nothing.
    pub(super) fn derivations(&self) -> Vec<(Edge, Option<StateId>)> {
        let mut derived: FxHashMap<&Edge, StateId> = FxHashMap::default();
        for id in self.ids().filter(|id| !self.state(*id).removed) {
            let state = self.state(id);
            derived.insert(&state.edge, state.covered_by.unwrap_or(id));
        }
        let facts = self
            .ids()
            .filter(|id| self.state(*id).edge.premises.is_empty());
        let facts = facts.filter(|id| !self.state(*id).removed);
        let mut edges: Vec<Edge> = facts.map(|id| self.state(id).edge.clone()).collect();
        let live = self.uncovered.iter().flatten();
        for &id in live {
            // An edge is listed at its first premise only. It is there still where what was derived
            // from another premise was removed, and there twice if it was taken again.
            let own = self.state(id).taken.iter();
            let own = own.filter(|edge| edge.premises[0] == id && self.taken.contains(edge));
            let mut listed: FxHashSet<&Edge> = FxHashSet::default();
            edges.extend(own.filter(|edge| listed.insert(edge)).cloned());
        }
        let edge = |edge: Edge| {
            let state = derived.get(&edge).copied();
            (edge, state)
        };
        edges.into_iter().map(edge).collect()
    }

    /// The states, and the edges that derive them.
    pub(super) fn snapshot(&self, t: &Terms, system: &System) -> AbstractGraph {
        let lives = |id: &StateId| !self.state(*id).removed;
        let ids: Vec<StateId> = self.ids().filter(lives).collect();
        let place = |id: &StateId| ids.binary_search(id).expect("premises are in the graph");
        let state = |&id: &StateId| {
            let state = self.state(id);
            AbstractState {
                covered_by: state.covered_by.as_ref().map(place),
                ..AbstractState::new(t, system, state.pred, state.formula())
            }
        };
        let edge = |(conclusion, &id): (usize, &StateId)| {
            let edge = &self.state(id).edge;
            AbstractEdge {
                clause: edge.rule.clause(),
                premises: edge.premises.iter().map(place).collect(),
                conclusion,
            }
        };
        AbstractGraph {
            states: ids.iter().map(state).collect(),
            edges: ids.iter().enumerate().map(edge).collect(),
        }
    }

    /// All states, also removed ones.
    fn ids(&self) -> impl Iterator<Item = StateId> + use<> {
        let count = u32::try_from(self.states.len()).expect("counted by 32 bits");
        (0..count).map(StateId)
    }

    /// The invariants of this module.
    pub(super) fn is_valid(&self) -> bool {
        let states_are = self.ids().filter(|&id| !self.state(id).removed).all(|id| {
            let state = self.state(id);
            let gone = |&s: &StateId| self.state(s).removed;
            let premises_are = state
                .edge
                .premises
                .iter()
                .all(|p| self.state(*p).is_uncovered());
            premises_are
                && match state.covered_by {
                    None => true,
                    Some(by) => {
                        by < id
                            && self.state(by).is_uncovered()
                            && self.state(by).covers.contains(&id)
                            && state.successors.iter().all(gone)
                    }
                }
        });
        let expanded = |id: &StateId| self.state(*id).is_uncovered();
        states_are && self.uncovered.iter().flatten().all(expanded)
    }

    /// The states that an edge to `false` stands on, each once, premises first.
    pub(super) fn derivation(&self, edge: &Edge) -> Vec<StateId> {
        let mut seen: FxHashSet<StateId> = FxHashSet::default();
        let mut open = edge.premises.clone();
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                open.extend(&self.state(id).edge.premises);
            }
        }
        // What a state is derived from is older.
        let mut states: Vec<StateId> = seen.into_iter().collect();
        states.sort_unstable();
        debug_assert!(
            (states.iter()).all(|&id| self.state(id).edge.premises.iter().all(|&p| p < id)),
            "what a state is derived from is older"
        );
        states
    }
}
