//! The search up to a bound, for an engine that uses this one to solve under-approximations.

use super::frames::Level;
use super::purpose::Purpose;
use super::{Options, Pdr, Searched, Stop};
use crate::chc::{PredId, Refutation, UnknownReason};
use crate::engine::Context;
use crate::engine::rules::RuleSystem;
use crate::logic::conjuncts_of_negation;
use crate::term::Term;

/// What is known after a search up to a bound.
pub(crate) enum Bounded {
    /// `false` has no derivation of height `bound + 1` or less.
    Safe(Proof),
    /// It has one.
    Unsafe(Refutation),
}

/// Lemmas that show it: the lemmas of level `n` and more contain what is derivable with height `n + 1`, and follow, rule by
/// rule, from those of level `n - 1` and more. One of them is `false` for the goal.
pub(crate) struct Proof {
    pub(crate) lemmas: Vec<ProofLemma>,
}

/// A lemma of a [`Proof`].
#[derive(Clone, Debug)]
pub(crate) struct ProofLemma {
    pub(crate) pred: PredId,
    /// A formula over the predicate's parameters.
    pub(crate) formula: Term,
    /// Up to where it holds; `∞` if the proof is one for all heights.
    pub(crate) level: Level,
}

/// Looks for a derivation of height up to `bound + 1`. Of the lemmas that are given those that hold are taken over. Adds the
/// number of questions to `queries`.
pub(crate) fn solve_bounded(
    rules: &RuleSystem,
    options: &Options,
    context: &Context<'_>,
    bound: u32,
    lemmas: &[ProofLemma],
    queries: &mut u64,
) -> Result<Bounded, UnknownReason> {
    let mut pdr = Pdr::new(rules, options, context);
    let result = pdr.run_to(bound, lemmas);
    *queries += pdr.queries.ledger.queries();
    result.map_err(UnknownReason::from)
}

impl Pdr<'_, '_> {
    fn run_to(&mut self, bound: u32, lemmas: &[ProofLemma]) -> Result<Bounded, Stop> {
        self.take_over(lemmas, Level::new(bound))?;
        match self.search(bound)? {
            Searched::Reached(fact) => Ok(Bounded::Unsafe(self.refutation(fact)?)),
            Searched::Invariant | Searched::Safe => Ok(Bounded::Safe(Proof {
                lemmas: self.proof_lemmas(),
            })),
        }
    }

    /// Lemmas that hold at level 0, and as far up as they hold.
    fn take_over(&mut self, lemmas: &[ProofLemma], bound: Level) -> Result<(), Stop> {
        let mut level = Level::new(0);
        let mut cubes: Vec<(PredId, Vec<Term>)> = lemmas
            .iter()
            .filter(|lemma| lemma.pred != self.rules.goal)
            .map(|lemma| (lemma.pred, conjuncts_of_negation(self.t, lemma.formula)))
            .collect();
        // Level by level: what a lemma needs of the level before is there when it is asked for.
        while level < bound && !cubes.is_empty() {
            let mut higher = Vec::new();
            for (pred, cube) in cubes {
                if self
                    .blocked(pred, level, &cube, Purpose::Propagate)?
                    .is_some()
                {
                    self.frames.add(self.t, pred, cube.clone(), level);
                    higher.push((pred, cube));
                }
            }
            cubes = higher;
            level = level.next();
        }
        Ok(())
    }

    fn proof_lemmas(&self) -> Vec<ProofLemma> {
        let preds = self.rules.pred_ids();
        let lemmas = preds.flat_map(|pred| {
            let of_pred = self.frames.lemmas(pred).iter();
            of_pred.map(move |lemma| ProofLemma {
                pred,
                formula: lemma.formula,
                level: lemma.level,
            })
        });
        lemmas.collect()
    }
}
