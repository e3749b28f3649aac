//! The difference of a set of derivations and a Floyd-Hoare automaton, on the fly.
//!
//! A state of the difference is a state of the set and a set of assertions. States are made from
//! the facts on, when a rule derives them, so that only those exist that a derivation reaches.

use super::automaton::{Automaton, State, StateId, Transition};
use super::floyd_hoare::{FloydHoare, SetId};
use crate::chc::UnknownReason;
use crate::engine::arg::{KnownInvariants, TOO_MANY_EDGES, Transfer};
use crate::smt::Limit;
use crate::term::Terms;
use rustc_hash::FxHashMap;

/// What questions and limits need.
pub(super) struct Tools<'d, 'a, 't> {
    pub(super) terms: &'t Terms,
    pub(super) limit: &'d Limit,
    pub(super) transfer: &'d mut Transfer<'a, 't>,
    pub(super) known: &'d KnownInvariants,
    /// The difference is given up if it has more transitions than this.
    pub(super) most: usize,
}

/// A difference in the making.
struct Difference<'d, 'a, 't> {
    from: &'d Automaton,
    without: &'d mut FloydHoare<'a>,
    tools: Tools<'d, 'a, 't>,
    made: Automaton,
    /// What each of its states is made of.
    parts: Vec<(StateId, SetId)>,
    numbers: FxHashMap<(StateId, SetId), StateId>,
    /// For each state of `from` the states that are made of it, in the order of their numbers.
    copies: Vec<Vec<StateId>>,
}

/// The derivations of `from` that the Floyd-Hoare automaton does not accept. There may be states
/// from which `false` is not derived.
///
/// # Errors
/// A limit is reached, or a solver is broken.
pub(super) fn difference<'a, 't>(
    from: &Automaton,
    without: &mut FloydHoare<'a>,
    tools: Tools<'_, 'a, 't>,
) -> Result<Automaton, UnknownReason> {
    let mut difference = Difference {
        from,
        without,
        tools,
        made: from.empty_beside(),
        parts: Vec::new(),
        numbers: FxHashMap::default(),
        copies: vec![Vec::new(); from.states.len()],
    };
    for (number, transition) in from.transitions.iter().enumerate() {
        if transition.premises.is_empty() {
            difference.derive(number, Vec::new())?;
        }
    }
    let uses = from.uses();
    let mut next = 0;
    while let Some(&(state, _)) = difference.parts.get(next) {
        for &(number, place) in &uses[state.index()] {
            difference.derive_with(number, place, StateId::new(next))?;
        }
        next += 1;
    }
    Ok(difference.made)
}

impl Difference<'_, '_, '_> {
    /// All transitions made of this one in which this state is the newest premise, first in this
    /// place.
    fn derive_with(
        &mut self,
        number: usize,
        place: usize,
        newest: StateId,
    ) -> Result<(), UnknownReason> {
        let premises = &self.from.transitions[number].premises;
        let choice = |(position, premise): (usize, &StateId)| -> Vec<StateId> {
            let copies = self.copies[premise.index()].iter().copied();
            match position.cmp(&place) {
                std::cmp::Ordering::Less => copies.filter(|&copy| copy < newest).collect(),
                std::cmp::Ordering::Equal => vec![newest],
                std::cmp::Ordering::Greater => copies.filter(|&copy| copy <= newest).collect(),
            }
        };
        let choices: Vec<Vec<StateId>> = premises.iter().enumerate().map(choice).collect();
        if choices.iter().any(Vec::is_empty) {
            return Ok(());
        }
        let mut chosen = vec![0; choices.len()];
        loop {
            let premises = chosen.iter().zip(&choices).map(|(&at, choice)| choice[at]);
            let premises = premises.collect();
            self.derive(number, premises)?;
            // The next choice, as an odometer counts.
            let Some(turned) = (0..chosen.len()).find(|&p| chosen[p] + 1 < choices[p].len()) else {
                return Ok(());
            };
            chosen[turned] += 1;
            chosen[..turned].fill(0);
        }
    }

    /// The transition from these states, if the rule derives something from them that is not
    /// excluded.
    fn derive(&mut self, number: usize, premises: Vec<StateId>) -> Result<(), UnknownReason> {
        let Tools {
            terms: t,
            limit,
            transfer,
            known,
            most,
        } = &mut self.tools;
        limit.check()?;
        let Transition {
            rule, conclusion, ..
        } = self.from.transitions[number];
        let part = |premise: &StateId| self.parts[premise.index()].1;
        let sets: Vec<SetId> = premises.iter().map(part).collect();
        let found = self.without.successor(t, rule, &sets, (transfer, known))?;
        let Some(set) = found else { return Ok(()) };
        if self.made.transitions.len() == *most {
            return Err(UnknownReason::Incomplete(TOO_MANY_EDGES.to_owned()));
        }
        let next = StateId::new(self.parts.len());
        let state = *self.numbers.entry((conclusion, set)).or_insert(next);
        if state == next {
            self.parts.push((conclusion, set));
            self.copies[conclusion.index()].push(next);
            let State { pred, label } = self.from.states[conclusion.index()];
            self.made.states.push(State {
                pred,
                label: t.and([label, self.without.formula(t, set)]),
            });
        }
        self.made.transitions.push(Transition {
            rule,
            premises,
            conclusion: state,
        });
        Ok(())
    }
}
