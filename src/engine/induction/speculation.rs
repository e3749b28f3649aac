//! Lemmas that the goals need: conjectures from proofs that are stuck, and from proofs of these
//! conjectures in turn.
//!
//! ```text
//! take the smallest conjecture
//!   it is proved:  try again what it is from
//!   otherwise:     conjecture what its proof is left with, made more general
//! ```

use super::conjectures::same_in_any_order;
use super::generalise::generalised;
use super::ground::Ground;
use super::lemmas::{Lemmas, is_instance};
use super::prover::{SHORT, closed};
use super::stuck::left_over;
use crate::term::Term;

/// What a stuck proof of a conjecture is left with is conjectured to this depth; a goal has depth
/// 0. The value was not tuned.
const DEPTH: usize = 4;
/// At most this number of conjectures is tried at a time. The value was not tuned.
const MOST: usize = 40;
/// At most 6 of the conjectures that are not proved are tried again with other lemmas. The value
/// was not tuned.
const KEPT: usize = 6;

/// A conjecture.
struct Conjecture {
    formula: Term,
    size: usize,
    depth: usize,
    /// The place of the conjecture that it is from.
    parent: Option<usize>,
    state: State,
}

/// What became of a conjecture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    New,
    Stuck,
    Proved,
}

impl Lemmas<'_, '_> {
    /// Proves conjectures that stuck proofs of the goals need. Are all goals proved then?
    pub(super) fn speculate(&mut self) -> bool {
        let t = self.t;
        let mut ground = Ground::new(t);
        let mut all: Vec<Conjecture> = Vec::new();
        let goals: Vec<Term> = (self.goals.iter().filter(|goal| !goal.is_proved))
            .map(|goal| goal.formula)
            .collect();
        for goal in goals {
            let general = generalised(&mut ground, t, t.split_forall(goal).1);
            self.add(&mut all, &general, 0, None);
            let left = self.left_over(&mut ground, goal);
            self.add(&mut all, &left, 1, None);
        }
        for _ in 0..MOST {
            let new = (0..all.len()).filter(|&at| all[at].state == State::New);
            let Some(at) = new.min_by_key(|&at| (all[at].size, at)) else {
                break;
            };
            if self.prover.is_over() {
                return false;
            }
            if self.attempt(&mut all, at) {
                let mut parent = all[at].parent;
                while let Some(at) = parent.filter(|&at| self.attempt(&mut all, at)) {
                    parent = all[at].parent;
                }
                if self.prove_goals() {
                    return true;
                }
            } else if all[at].depth < DEPTH {
                let left = self.left_over(&mut ground, all[at].formula);
                let depth = all[at].depth + 1;
                self.add(&mut all, &left, depth, Some(at));
            }
        }
        all.retain(|conjecture| conjecture.state == State::Stuck);
        all.sort_by_key(|conjecture| conjecture.size);
        let kept = all.iter().take(KEPT).map(|conjecture| conjecture.formula);
        self.open.extend(kept);
        false
    }

    /// Is the conjecture at a place proved by induction now?
    fn attempt(&mut self, all: &mut [Conjecture], at: usize) -> bool {
        let t = self.t;
        let formula = all[at].formula;
        let found = match self.prover.is_obvious(formula, &self.lemmas) {
            true => Some(Vec::new()),
            false => self.prover.by_induction(formula, &self.lemmas, SHORT),
        };
        all[at].state = if found.is_some() {
            State::Proved
        } else {
            State::Stuck
        };
        for lemma in found.iter().flatten() {
            log::debug!("lemma from a stuck proof: {}", t.display(*lemma));
        }
        let is_proved = found.is_some();
        self.lemmas.extend(found.into_iter().flatten());
        is_proved
    }

    /// More general forms of what proofs of a formula are left with.
    fn left_over(&self, ground: &mut Ground<'_>, formula: Term) -> Vec<Term> {
        let t = self.t;
        let left = left_over(t, formula, &self.functions(), &self.lemmas);
        let general = left
            .into_iter()
            .flat_map(|left| generalised(ground, t, left));
        general.collect()
    }

    /// Adds conjectures that are new.
    fn add(
        &mut self,
        all: &mut Vec<Conjecture>,
        formulas: &[Term],
        depth: usize,
        parent: Option<usize>,
    ) {
        let t = self.t;
        for &formula in formulas {
            let formula = same_in_any_order(t, formula);
            let known = self.lemmas.iter().chain(&self.open);
            let is_instance = known.copied().any(|of| is_instance(t, formula, of));
            if !is_instance && self.seen.insert(formula) {
                log::debug!("from a stuck proof: {}", t.display(formula));
                all.push(Conjecture {
                    formula: closed(t, formula),
                    size: t.size([formula]),
                    depth,
                    parent,
                    state: State::New,
                });
            }
        }
    }
}
