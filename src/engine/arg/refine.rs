//! Refinement by a derivation of `false` that has no values.

use super::cegar::Cegar;
use super::configuration::{AbstractionKind, BlockEnd, Refinement};
use super::graph::{Edge, StateId};
use super::precision::learned;
use crate::chc::{FactId, Step, UnknownReason};
use crate::engine::unroll::{Along, Derivation};
use crate::term::{Term, TermSet};

/// The reason to give up where solvers do not decide what an edge derives.
const NOTHING_CHANGES: &str = "refinement makes no progress, as the solver does not decide every \
    step of a spurious derivation; try another --solver";

/// The reason to give up where values alone do not refute a derivation.
const NO_VALUES: &str = "refinement makes no progress, as values of variables do not refute a \
    spurious derivation; try another abstraction";

impl Cegar<'_, '_> {
    /// REFINE: the steps of the derivation that an edge ends, if it has values. If it has none, the
    /// assertions along it change the graph.
    pub(super) fn refine(&mut self, edge: &Edge) -> Result<Option<Vec<Step>>, UnknownReason> {
        let states = self.graph.derivation(edge);
        let steps = self.steps(&states, edge);
        let length = u32::try_from(steps.len()).unwrap_or(u32::MAX);
        self.depth = self.depth.max(length);
        let mut derivation = Derivation::of_false(&steps);
        for (known, &id) in derivation.known.iter_mut().zip(&states) {
            *known = self.known_of(id);
        }
        let assertions = match self.paths.assertions(&derivation)? {
            Along::Assertions(assertions) => assertions,
            Along::Feasible(copies) => return Ok(Some(copies)),
        };
        let assertions: Vec<(StateId, Term)> = std::iter::zip(states, assertions).collect();
        let is_changed = match self.configuration.refinement {
            Refinement::None | Refinement::Splitting => false,
            Refinement::Predicates => self.refine_precision(&assertions),
            Refinement::Impact => self.strengthen(&assertions)?,
            Refinement::Both => {
                self.learn(&assertions);
                self.strengthen(&assertions)?
            }
        };
        // Where only paths are asked, the last edge alone may be what is not possible.
        if !is_changed && self.configuration.blocks != BlockEnd::Never {
            let why = match self.configuration.abstraction {
                AbstractionKind::Values => NO_VALUES,
                _ => NOTHING_CHANGES,
            };
            return Err(UnknownReason::Incomplete(why.to_owned()));
        }
        debug_assert!(self.graph.is_valid());
        Ok(None)
    }

    /// What is known of what a state stands for: invariants, and if the settings say so, its ψ,
    /// which its edge and what is known of the states before imply.
    ///
    /// DIVERGENCE: the path formulas of the papers say nothing of the states. With ψ the
    /// contradiction is found sooner, and assertions say only what the states do not say yet.
    fn known_of(&self, id: StateId) -> Term {
        let (t, state) = (self.paths.context.terms, self.graph.state(id));
        let invariants = self.known.of(state.pred);
        match self.paths.settings.assume_states {
            true => t.and([invariants, state.formula()]),
            false => invariants,
        }
    }

    /// The derivation of an edge's conclusion: its states in this order, and the edge.
    pub(super) fn steps(&self, states: &[StateId], last: &Edge) -> Vec<Step> {
        let place = |state: &StateId| {
            let place = states.binary_search(state).expect("it is a part of it");
            FactId(u32::try_from(place).expect("fewer than edges"))
        };
        let step = |edge: &Edge| Step {
            clause: edge.rule.clause(),
            premises: edge.premises.iter().map(place).collect(),
        };
        let steps = states.iter().map(|&id| step(&self.graph.state(id).edge));
        steps.chain([step(last)]).collect()
    }

    /// The predicate refinement strategy. A state is derived again if its abstraction did not know
    /// the predicates of its assertion. Answers whether one is.
    ///
    /// If all solvers' answers are right, one is, unless the abstraction cannot say what the
    /// assertions say, as values cannot. Else each state of the derivation would imply its
    /// assertion, from the facts on, and the edge to `false` would derive nothing.
    fn refine_precision(&mut self, assertions: &[(StateId, Term)]) -> bool {
        let again = self.learn(assertions);
        let edge = |&id: &StateId| (id, self.graph.state(id).edge.clone());
        let edges: Vec<(StateId, Edge)> = again.iter().map(edge).collect();
        for (id, edge) in edges {
            self.graph.remove(id);
            self.graph.open_again(edge);
        }
        !again.is_empty()
    }

    /// What is learned from assertions joins the precision. Answers which states' abstractions did
    /// not know what is learned from their own.
    ///
    /// DIVERGENCE: the paper's implementation takes the atoms of the assertions. A boolean
    /// abstraction of too many cubes becomes a cartesian one here, which needs the conjuncts.
    fn learn(&mut self, assertions: &[(StateId, Term)]) -> Vec<StateId> {
        let t = self.paths.context.terms;
        let mut outdated = Vec::new();
        for &(id, assertion) in assertions {
            let (pred, known) = {
                let state = self.graph.state(id);
                (state.pred, state.precision)
            };
            // What was assumed of the state is no news.
            let said: TermSet = t.conjuncts(self.known_of(id)).into_iter().collect();
            let news = t.conjuncts(assertion).into_iter();
            let news = t.and(news.filter(|conjunct| !said.contains(conjunct)));
            let learned = learned(t, self.configuration.abstraction, news).into_iter();
            let places: Vec<usize> = learned
                .map(|entry| self.precision.add(t, pred, entry))
                .collect();
            if places.iter().any(|&place| place >= known) {
                outdated.push(id);
            }
        }
        outdated
    }

    /// The Impact refinement strategy: the assertions strengthen the states. What these cover is
    /// checked again, and whether they are covered. Answers whether one of them has become
    /// stronger.
    pub(super) fn strengthen(
        &mut self,
        assertions: &[(StateId, Term)],
    ) -> Result<bool, UnknownReason> {
        let t = self.paths.context.terms;
        let mut changed = Vec::new();
        for &(id, assertion) in assertions {
            let formula = self.graph.state(id).formula();
            if !self.transfer.implies(formula, assertion)? {
                self.graph.strengthen(t, id, assertion);
                changed.push(id);
            }
        }
        let is_stronger = !changed.is_empty();
        for id in changed {
            if !self.graph.state(id).is_uncovered() {
                continue;
            }
            if self.graph.state(id).formula() == Term::FALSE {
                self.graph.remove(id);
                continue;
            }
            for covered in self.graph.covered(id) {
                if !self.covers(id, covered)? {
                    self.graph.uncover(covered);
                }
            }
            if let Some(by) = self.covering(id)? {
                self.graph.cover(id, by);
            }
        }
        Ok(is_stronger)
    }
}
