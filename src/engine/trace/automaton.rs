//! Deterministic bottom-up tree automata over rules.
//!
//! The trees are derivations: each node is a rule, with a subtree for each premise of the rule. A
//! state belongs to one predicate. A transition says which state a rule derives from states for
//! its premises. A derivation of `false` is accepted if transitions lead to the state of `false`.

use crate::chc::{FactId, PredId, Step};
use crate::engine::rules::{RuleId, RuleSystem};
use crate::smt::{Failure, Limit};
use crate::term::{Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A state of an automaton.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct StateId(u32);

impl StateId {
    /// The state with this place in [`Automaton::states`].
    pub(super) fn new(place: usize) -> Self {
        StateId(u32::try_from(place).expect("no more states than transitions"))
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a state stands for.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) pred: PredId,
    /// Holds of the facts that derivations to this state derive, over the predicate's parameters.
    pub(super) label: Term,
}

/// A rule derives a state from states for its premises.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Transition {
    pub(super) rule: RuleId,
    pub(super) premises: Vec<StateId>,
    pub(super) conclusion: StateId,
}

/// A set of derivations.
///
/// Invariant: no two transitions have the same rule and premises.
///
/// Invariant: each state is the conclusion of a derivation, and `false` can be derived from it,
/// as far as transitions say.
///
/// Invariant: the labels of a transition's premises and the rule's constraint imply the label of
/// its conclusion. A rule without a transition from some states derives a fact that `settled` has
/// from them, or none.
pub(super) struct Automaton {
    pub(super) states: Vec<State>,
    pub(super) transitions: Vec<Transition>,
    /// What holds of all facts of each predicate, by its index, from which no derivation in this
    /// set leads to `false`.
    pub(super) settled: Vec<Term>,
    goal: PredId,
}

impl Automaton {
    /// All derivations.
    pub(super) fn of_rules(t: &Terms, rules: &RuleSystem) -> Self {
        let state = |pred| State {
            pred,
            label: Term::TRUE,
        };
        let state_of = |pred: PredId| StateId::new(pred.index());
        let transition = |&rule: &RuleId| Transition {
            rule,
            premises: (rules.rule(rule).body.iter())
                .map(|atom| state_of(atom.pred))
                .collect(),
            conclusion: state_of(rules.rule(rule).head),
        };
        let all = Automaton {
            states: rules.pred_ids().map(state).collect(),
            transitions: rules.by_head.iter().flatten().map(transition).collect(),
            settled: vec![Term::FALSE; rules.params.len()],
            goal: rules.goal,
        };
        all.trimmed(t)
    }

    /// An automaton without states, beside this one.
    pub(super) fn empty_beside(&self) -> Self {
        Automaton {
            states: Vec::new(),
            transitions: Vec::new(),
            settled: self.settled.clone(),
            goal: self.goal,
        }
    }

    /// For each state where it is a premise: the transition, and the place among its premises.
    pub(super) fn uses(&self) -> Vec<Vec<(usize, usize)>> {
        let mut uses = vec![Vec::new(); self.states.len()];
        for (number, transition) in self.transitions.iter().enumerate() {
            for (place, premise) in transition.premises.iter().enumerate() {
                uses[premise.index()].push((number, place));
            }
        }
        uses
    }

    /// Without the states from which no transitions lead to `false`. Their labels are settled.
    pub(super) fn trimmed(mut self, t: &Terms) -> Self {
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        for (number, transition) in self.transitions.iter().enumerate() {
            into[transition.conclusion.index()].push(number);
        }
        let is_goal = |place: &usize| self.states[*place].pred == self.goal;
        let mut open: Vec<usize> = (0..self.states.len()).filter(is_goal).collect();
        let mut is_live = vec![false; self.states.len()];
        open.iter().for_each(|&place| is_live[place] = true);
        while let Some(place) = open.pop() {
            for &number in &into[place] {
                for premise in &self.transitions[number].premises {
                    if !std::mem::replace(&mut is_live[premise.index()], true) {
                        open.push(premise.index());
                    }
                }
            }
        }
        let mut dead: Vec<Vec<Term>> = self.settled.iter().map(|&said| vec![said]).collect();
        let mut place = vec![StateId(0); self.states.len()];
        let mut live = Vec::new();
        for (number, state) in std::mem::take(&mut self.states).into_iter().enumerate() {
            match is_live[number] {
                true => {
                    place[number] = StateId::new(live.len());
                    live.push(state);
                }
                false => dead[state.pred.index()].push(state.label),
            }
        }
        self.states = live;
        self.settled = dead.into_iter().map(|said| t.or(said)).collect();
        // The premises of what derives a live state are live.
        self.transitions
            .retain(|transition| is_live[transition.conclusion.index()]);
        self.renumber(|state| place[state.index()]);
        debug_assert!(self.is_valid(), "an automaton is deterministic and trimmed");
        self
    }

    /// Are no two transitions of the same rule and premises, are their states there, and is each
    /// state but those of `false` a premise?
    fn is_valid(&self) -> bool {
        let count = self.states.len();
        let mut known = rustc_hash::FxHashSet::default();
        let mut is_used = vec![false; count];
        let transitions = self.transitions.iter().all(|transition| {
            let premises = &transition.premises;
            let all = premises.iter().chain([&transition.conclusion]);
            all.into_iter().all(|s| s.index() < count)
                && known.insert((transition.rule, premises))
                && {
                    premises.iter().for_each(|p| is_used[p.index()] = true);
                    true
                }
        });
        let mut states = self.states.iter().zip(is_used);
        transitions && states.all(|(state, is_used)| is_used || state.pred == self.goal)
    }

    fn renumber(&mut self, place: impl Fn(StateId) -> StateId) {
        for transition in &mut self.transitions {
            let premises = transition.premises.iter_mut();
            for state in premises.chain([&mut transition.conclusion]) {
                *state = place(*state);
            }
        }
    }

    /// A smallest automaton that accepts the same derivations. The label of a state is the
    /// disjunction of the labels of the states that it replaces.
    ///
    /// Two states are equivalent if transitions lead to equivalent states where one stands in the
    /// place of the other. The classes are split until that holds, as Moore does it for words.
    ///
    /// # Errors
    /// The limit is reached.
    pub(super) fn minimised(mut self, t: &Terms, limit: &Limit) -> Result<Self, Failure> {
        let classes = self.equivalence(limit)?;
        let count = classes.iter().max().map_or(0, |&last| last + 1);
        if count == self.states.len() {
            return Ok(self);
        }
        let mut labels: Vec<Vec<Term>> = vec![Vec::new(); count];
        let mut preds = vec![self.goal; count];
        for (state, &class) in self.states.iter().zip(&classes) {
            labels[class].push(state.label);
            preds[class] = state.pred;
        }
        let state = |(pred, labels)| State {
            pred,
            label: t.or(labels),
        };
        self.states = preds.into_iter().zip(labels).map(state).collect();
        self.renumber(|state| StateId::new(classes[state.index()]));
        let mut seen = rustc_hash::FxHashSet::default();
        self.transitions
            .retain(|transition| seen.insert(transition.clone()));
        debug_assert!(
            self.is_valid(),
            "equivalent states have the same transitions"
        );
        Ok(self)
    }

    /// The class of each state; classes are numbers without gaps.
    fn equivalence(&self, limit: &Limit) -> Result<Vec<usize>, Failure> {
        // A context is a transition without one of its premises and without its conclusion.
        let mut contexts: FxHashMap<(RuleId, usize, Vec<StateId>), usize> = FxHashMap::default();
        let mut targets: Vec<Vec<(usize, StateId)>> = vec![Vec::new(); self.states.len()];
        for transition in &self.transitions {
            for (place, premise) in transition.premises.iter().enumerate() {
                let mut others = transition.premises.clone();
                others.remove(place);
                let next = contexts.len();
                let context = contexts.entry((transition.rule, place, others));
                let context = *context.or_insert(next);
                targets[premise.index()].push((context, transition.conclusion));
            }
        }
        targets
            .iter_mut()
            .for_each(|targets| targets.sort_unstable());
        let shapes = self.states.iter().zip(&targets).map(|(state, targets)| {
            let contexts: Vec<usize> = targets.iter().map(|&(context, _)| context).collect();
            (state.pred, contexts)
        });
        let (mut classes, mut count) = numbered(shapes);
        loop {
            limit.check()?;
            let finer = targets.iter().enumerate().map(|(state, targets)| {
                let conclusions = targets.iter().map(|(_, state)| classes[state.index()]);
                (classes[state], conclusions.collect::<Vec<usize>>())
            });
            let (next, finer) = numbered(finer);
            if finer == count {
                return Ok(classes);
            }
            (classes, count) = (next, finer);
        }
    }

    /// A derivation of `false` that is accepted, of least height, if there is one: the states,
    /// each once, premises first, and the steps that derive them.
    pub(super) fn derivation(&self) -> Option<(Vec<StateId>, Vec<Step>)> {
        let uses = self.uses();
        let places = |transition: &Transition| transition.premises.len();
        let mut missing: Vec<usize> = self.transitions.iter().map(places).collect();
        let facts = (0..missing.len()).filter(|&number| missing[number] == 0);
        let mut ready: VecDeque<usize> = facts.collect();
        let mut by: Vec<Option<usize>> = vec![None; self.states.len()];
        let mut order = Vec::new();
        while let Some(number) = ready.pop_front() {
            let conclusion = self.transitions[number].conclusion;
            let derived = &mut by[conclusion.index()];
            if derived.is_some() {
                continue;
            }
            *derived = Some(number);
            order.push(conclusion);
            if self.states[conclusion.index()].pred == self.goal {
                return Some(self.steps(conclusion, &order, &by));
            }
            for &(user, _) in &uses[conclusion.index()] {
                missing[user] -= 1;
                if missing[user] == 0 {
                    ready.push_back(user);
                }
            }
        }
        None
    }

    /// What of the derived states the derivation of one of them needs.
    fn steps(
        &self,
        root: StateId,
        order: &[StateId],
        by: &[Option<usize>],
    ) -> (Vec<StateId>, Vec<Step>) {
        let transition = |state: StateId| {
            let number = by[state.index()].expect("the state is derived");
            &self.transitions[number]
        };
        let mut is_needed = vec![false; self.states.len()];
        is_needed[root.index()] = true;
        for &state in order.iter().rev() {
            if is_needed[state.index()] {
                let premises = transition(state).premises.iter();
                premises.for_each(|premise| is_needed[premise.index()] = true);
            }
        }
        let mut place: FxHashMap<StateId, FactId> = FxHashMap::default();
        let (mut states, mut steps) = (Vec::new(), Vec::new());
        for &state in order.iter().filter(|state| is_needed[state.index()]) {
            let transition = transition(state);
            let premises = transition.premises.iter().map(|premise| place[premise]);
            steps.push(Step {
                clause: transition.rule.clause(),
                premises: premises.collect(),
            });
            place.insert(state, FactId(StateId::new(states.len()).0));
            states.push(state);
        }
        (states, steps)
    }
}

/// The number of each key: equal ones have the same, in the order in which they first occur. And
/// how many there are.
fn numbered<K: Eq + std::hash::Hash>(keys: impl Iterator<Item = K>) -> (Vec<usize>, usize) {
    let mut numbers: FxHashMap<K, usize> = FxHashMap::default();
    let number = |key| {
        let next = numbers.len();
        *numbers.entry(key).or_insert(next)
    };
    let all: Vec<usize> = keys.map(number).collect();
    (all, numbers.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;
    use fastrand::Rng;

    const SEED: u64 = 19;
    const GOAL: PredId = PredId(2);

    /// An automaton over rules 0 (a fact of predicate 0), 1 (from 0 to 1), 2 (from 1 and 0 to 0)
    /// and 3 (from 0 and 1 to `false`), with random transitions between these numbers of states.
    fn random(t: &Terms, rng: &mut Rng) -> Automaton {
        let state = |number: u32| State {
            pred: [
                PredId(0),
                PredId(0),
                PredId(0),
                PredId(1),
                PredId(1),
                PredId(1),
                GOAL,
            ][number as usize],
            label: t.fresh_var("label", Sort::BOOL),
        };
        let states: Vec<State> = (0..7).map(state).collect();
        let (zeros, ones) = ([0, 1, 2].map(StateId), [3, 4, 5].map(StateId));
        let mut transitions = Vec::new();
        let mut add = |rule, premises: &[StateId], conclusion| {
            transitions.push(Transition {
                rule: RuleId(rule),
                premises: premises.to_vec(),
                conclusion,
            });
        };
        add(0, &[], zeros[0]);
        for &zero in &zeros {
            if rng.u8(0..9) > 0 {
                add(1, &[zero], ones[rng.usize(0..3)]);
            }
            for &one in &ones {
                if rng.u8(0..9) > 0 {
                    add(2, &[one, zero], zeros[rng.usize(0..3)]);
                }
                if rng.u8(0..9) > 0 {
                    add(3, &[zero, one], StateId(6));
                }
            }
        }
        Automaton {
            states,
            transitions,
            settled: vec![Term::FALSE; 3],
            goal: GOAL,
        }
    }

    /// The states that derivations of at most this height lead to, each by a name of its
    /// derivation.
    fn derivations(automaton: &Automaton, height: u32) -> Vec<(String, StateId)> {
        let mut found: Vec<(String, StateId)> = Vec::new();
        for _ in 0..height {
            let mut next = Vec::new();
            for Transition {
                rule,
                premises,
                conclusion,
            } in &automaton.transitions
            {
                let mut names = vec![String::new()];
                for premise in premises {
                    let known: Vec<&String> = found
                        .iter()
                        .filter(|(_, s)| s == premise)
                        .map(|(n, _)| n)
                        .collect();
                    names = names
                        .iter()
                        .flat_map(|name| known.iter().map(move |known| format!("{name}{known}")))
                        .collect();
                }
                let named = names
                    .into_iter()
                    .map(|name| (format!("{}({name})", rule.0), *conclusion));
                next.extend(named);
            }
            found = next;
        }
        found
    }

    /// The derivations of `false` among them, sorted.
    fn accepted(automaton: &Automaton, height: u32) -> Vec<String> {
        let all = derivations(automaton, height).into_iter();
        let of_false = all.filter(|(_, state)| automaton.states[state.index()].pred == GOAL);
        let mut names: Vec<String> = of_false.map(|(name, _)| name).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn smaller_automata_accept_the_same_derivations() {
        let (t, mut rng) = (Terms::new(), Rng::with_seed(SEED));
        let mut merged = 0;
        for case in 0..200 {
            let whole = random(&t, &mut rng);
            let before = accepted(&whole, 4);
            let trimmed = whole.trimmed(&t);
            assert_eq!(accepted(&trimmed, 4), before, "case {case} of seed {SEED}");
            let states = trimmed.states.len();
            let least = trimmed.minimised(&t, &Limit::default()).expect("no limit");
            assert_eq!(accepted(&least, 4), before, "case {case} of seed {SEED}");
            merged += usize::from(least.states.len() < states);
            let classes = least.equivalence(&Limit::default()).expect("no limit");
            assert_eq!(classes.len(), least.states.len());
            assert!(
                classes.iter().copied().eq(0..classes.len()),
                "it is minimal"
            );
            // The least derivation is one of the accepted ones.
            let found = least.derivation().map(|(_, steps)| steps.len());
            assert_eq!(found.is_none(), accepted(&least, 6).is_empty());
        }
        assert!(merged >= 20, "states were merged in {merged} cases");
    }
}
