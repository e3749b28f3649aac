//! Generalisation: from a cube that cannot be derived to a weaker one, whose lemma says more.
//!
//! In order of cost: the unsat core (part of the query before), dropping of literals relative to `F_{n-1}`, and sums of pairs of
//! inequalities, which find relations between variables where the cube has their values (`x ≥ 5 ∧ y ≤ 3` becomes
//! `x - y ≥ 2`). Every step is justified by the query that follows it.

use super::frames::Level;
use super::purpose::Purpose;
use super::query::{Bodies, Question, Reply};
use super::{Pdr, Stop};
use crate::chc::PredId;
use crate::logic::add_inequalities;
use crate::smt::Failure;
use crate::term::Term;

impl Pdr<'_, '_> {
    /// A cube that the given one implies and that cannot be derived at `level` either, if its states are avoided before.
    pub(super) fn generalize(
        &mut self,
        pred: PredId,
        level: Level,
        cube: Vec<Term>,
    ) -> Result<Vec<Term>, Stop> {
        let cube = self.drop_literals(pred, level, cube)?;
        if self.options.add_pairs {
            return self.add_pairs(pred, level, cube);
        }
        Ok(cube)
    }

    /// Is `¬cube` inductive relative to `F_{level-1}`? Then answers the literals that suffice.
    fn blocked(
        &mut self,
        pred: PredId,
        level: Level,
        cube: &[Term],
        purpose: Purpose,
    ) -> Result<Option<Vec<Term>>, Stop> {
        // φ' ∧ ⋁ τ ∧ ⋀ F_{n-1}(bodyᵢ) ∧ ¬φ[bodyᵢ]
        let question = Question {
            purpose,
            head: pred,
            cube,
            from: Bodies::May(level.before()),
            inductive: true,
            wants_step: false,
            wants_weaker: false,
        };
        match self.ask(&question) {
            Ok(Reply::Blocked(core)) => Ok(Some(core)),
            Ok(Reply::Step(_)) => Ok(None),
            // A question left open proves nothing; the lemma stays as it was.
            Err(Stop::Solver(Failure::Incomplete(_))) => Ok(None),
            Err(stop) => Err(stop),
        }
    }

    fn drop_literals(
        &mut self,
        pred: PredId,
        level: Level,
        mut cube: Vec<Term>,
    ) -> Result<Vec<Term>, Stop> {
        let mut needed = Vec::new();
        while let Some(literal) = cube.pop() {
            let rest: Vec<Term> = needed.iter().chain(&cube).copied().collect();
            match self.blocked(pred, level, &rest, Purpose::Drop)? {
                Some(core) => {
                    needed.retain(|l| core.contains(l));
                    cube.retain(|l| core.contains(l));
                }
                None => needed.push(literal),
            }
        }
        Ok(needed)
    }

    fn add_pairs(
        &mut self,
        pred: PredId,
        level: Level,
        mut cube: Vec<Term>,
    ) -> Result<Vec<Term>, Stop> {
        let mut attempts = self.options.pair_attempts;
        let mut i = 0;
        while i < cube.len() {
            let mut j = i + 1;
            while j < cube.len() && attempts > 0 {
                if let Some(sum) = add_inequalities(self.t, cube[i], cube[j]) {
                    attempts -= 1;
                    let mut weaker = cube.clone();
                    weaker.remove(j);
                    weaker[i] = sum;
                    if let Some(core) = self.blocked(pred, level, &weaker, Purpose::AddPair)? {
                        cube = core;
                        // Positions have changed: look at all pairs again.
                        (i, j) = (0, 1);
                        continue;
                    }
                }
                j += 1;
            }
            i += 1;
        }
        Ok(cube)
    }

    /// What the family of a new lemma's cube suggests: a weaker cube, where that is blocked too; else a guess to be looked
    /// into. The cube must be blocked at `level`.
    pub(super) fn follow_guidance(
        &mut self,
        pred: PredId,
        level: Level,
        cube: Vec<Term>,
    ) -> Result<Vec<Term>, Stop> {
        let advice = self.guidance.lemma(self.t, pred, &cube);
        for family in &advice.subsume {
            if let Some(core) = self.blocked(pred, level, family, Purpose::Subsume)? {
                return Ok(core);
            }
        }
        let gas = self.options.conjecture_gas;
        if let Some(guess) = advice.conjecture.filter(|_| gas > 0) {
            self.obligations.add(pred, guess, level, None, 0, Some(gas));
        }
        Ok(cube)
    }

    /// The highest level up to `bound` at which the cube, blocked at `level`, is blocked too.
    pub(super) fn highest_level(
        &mut self,
        pred: PredId,
        cube: &[Term],
        mut level: Level,
        bound: Level,
    ) -> Result<Level, Stop> {
        while level < bound
            && self
                .blocked(pred, level.next(), cube, Purpose::Raise)?
                .is_some()
        {
            level = level.next();
        }
        Ok(level)
    }

    /// Pushes the lemmas of every level up to `bound` as far as they go. Answers a level whose lemmas all went on: what lies
    /// above it is an inductive invariant.
    pub(super) fn propagate(&mut self, bound: Level) -> Result<Option<Level>, Stop> {
        let mut level = Level::new(0);
        while level <= bound {
            self.report();
            for pred in self.rules.pred_ids() {
                for cube in self.frames.cubes_to_push(pred, level) {
                    self.limit.check()?;
                    match self.blocked(pred, level.next(), &cube, Purpose::Propagate)? {
                        Some(core) => self.frames.add(self.t, pred, core, level.next()),
                        None => self.frames.mark_failed(pred, &cube, level),
                    }
                }
            }
            if self.frames.is_level_empty(level) {
                return Ok(Some(level));
            }
            level = level.next();
        }
        Ok(None)
    }
}
