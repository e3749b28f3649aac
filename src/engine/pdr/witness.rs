//! Why a lemma cannot be pushed: triggered clause pushing \[Sud13\].
//!
//! Where consecution fails, the query has a step from states of the frame into the lemma's cube.
//! As long as these states satisfy all lemmas that the frame gets, the lemma cannot be pushed, and
//! no query is needed to know it.
//!
//! DIVERGENCE: in the paper a clause that excludes the states triggers the next attempt. Here the
//! states are evaluated in the new lemmas when the level is propagated again.

use super::level::Level;
use crate::chc::PredId;
use crate::logic::Valuation;
use crate::term::{Term, Terms, Value};

/// States of the body's predicates from which one step of a rule leads into the cube of a lemma.
#[derive(Clone, Debug)]
pub(super) struct PushWitness {
    states: Vec<State>,
}

/// A state of a predicate.
#[derive(Clone, Debug)]
struct State {
    pred: PredId,
    /// The values of the predicate's parameters.
    values: Vec<(Term, Value)>,
    /// The number of lemmas of the predicate, in the order of the log, that are known to hold.
    satisfied: usize,
}

impl PushWitness {
    /// States, each with its predicate, the values of the predicate's parameters, and the number of
    /// lemmas of the predicate that are known to hold, in the order of the log.
    pub(super) fn new(
        states: impl IntoIterator<Item = (PredId, Vec<(Term, Value)>, usize)>,
    ) -> PushWitness {
        let states = states.into_iter();
        let states = states.map(|(pred, values, satisfied)| State {
            pred,
            values,
            satisfied,
        });
        PushWitness {
            states: states.collect(),
        }
    }

    /// Do the states satisfy all lemmas of this level or more? `log` has the lemmas of a predicate
    /// with their levels, oldest first.
    pub(super) fn stands<'f>(
        &mut self,
        t: &Terms,
        level: Level,
        log: impl Fn(PredId) -> &'f [(Level, Term)],
    ) -> bool {
        self.states.iter_mut().all(|state| {
            let log = log(state.pred);
            let mut new = log[state.satisfied..]
                .iter()
                .filter(|(l, _)| *l >= level)
                .peekable();
            if new.peek().is_some() {
                let mut valuation = Valuation::new(t, state.values.iter().cloned());
                if !new.all(|&(_, lemma)| valuation.holds(lemma)) {
                    return false;
                }
            }
            state.satisfied = log.len();
            true
        })
    }
}
