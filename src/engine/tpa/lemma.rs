//! Lemmas of a power: interpolants between the composition of the powers below and two cubes that
//! no path of it connects.
//!
//! The *strong* interpolant says what the powers below say of paths between such states: that a
//! counter grows by 2ⁿ at most. The *weak* one is the negation of what the contradiction needs of
//! the cubes: that the counter does not grow by as much as between them. The first keeps the powers
//! precise, and the second stays true for longer paths.
//!
//! Before that, literals of the cubes that the contradiction does not need are dropped.

use super::power::PowerId;
use super::reach::{Ends, Reachability};
use crate::engine::option::word_option;
use crate::logic::divides_anew;
use crate::logic::interpolate::Interpolation;
use crate::logic::mus::shrink;
use crate::smt::{Failure, InterpolationOptions, NoInterpolants, SatResult, Solver};
use crate::term::Term;
use crate::work;

/// Beside weak lemmas, strong ones cost at most a quarter of the ticks. The value was not tuned.
const SHARE: u64 = 4;
/// This number of ticks they may cost in any case. The value was not tuned.
const LEAST: u64 = work::milliseconds(200);

/// Which interpolants become lemmas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lemmas {
    /// Those near to what the powers below say.
    Strong,
    /// Those near to the negation of the cubes.
    Weak,
    /// Both, the strong ones where they cost little.
    Both,
}

word_option!(Lemmas: "strong" => Strong, "weak" => Weak, "both" => Both);

impl Reachability<'_, '_> {
    /// A lemma of a power that no path of it between the cubes satisfies, after the last query to
    /// its solver has shown that there is none.
    ///
    /// # Errors
    /// The limit is reached, or the solver fails.
    pub(super) fn lemma(&mut self, power: PowerId, (from, to): Ends<'_>) -> Result<Term, Failure> {
        let t = self.powers.context.terms;
        let cube = [from, to].concat();
        let core = self.core(power, &cube)?;
        let weaker = self.powers.solver(power).weaken(&core);
        let weaker = weaker.filter(|weaker| !divides_anew(t, weaker, &cube));
        let weak = t.not(t.and(weaker.unwrap_or_else(|| core.clone())));
        if self.options.lemmas == Lemmas::Weak || self.is_strong_too_costly() {
            return Ok(weak);
        }
        let ticks = self.powers.context.limit.ticks();
        let strong = self.strong(power, &core)?;
        self.strong_ticks += self.powers.context.limit.ticks() - ticks;
        let strong = strong.filter(|&strong| !divides_anew(t, &[strong], &cube));
        Ok(match (strong, self.options.lemmas) {
            (Some(strong), Lemmas::Both) => t.and([strong, weak]),
            (Some(strong), _) => strong,
            (None, _) => weak,
        })
    }

    /// Have strong lemmas cost more than their share?
    fn is_strong_too_costly(&self) -> bool {
        let all = self.powers.context.limit.ticks() - self.begun;
        self.options.lemmas == Lemmas::Both && self.strong_ticks > LEAST + all / SHARE
    }

    /// The literals of a cube that contradict a power, after the last query to its solver has shown
    /// that they do. Afterwards the last query is the one with these literals.
    fn core(&mut self, power: PowerId, cube: &[Term]) -> Result<Vec<Term>, Failure> {
        let attempts = self.options.core_queries;
        let solver = self.powers.solver(power);
        let core_of = |solver: &mut dyn Solver| -> Result<Vec<Term>, Failure> {
            let mut core = solver.core()?;
            core.retain(|literal| cube.contains(literal));
            Ok(core)
        };
        let core = core_of(solver)?;
        solver.set_purpose("smaller cubes");
        // ATr(x, y) ∧ ATr(y, z) ∧ core, or ∧ a part of the core
        let about = format_args!("a path between larger cubes");
        let core = shrink(core, attempts, |rest| match solver.check(about, rest) {
            SatResult::Unsat => core_of(solver).map(Some),
            SatResult::Sat | SatResult::Unknown(Failure::Incomplete(_)) => Ok(None),
            SatResult::Unknown(failure) => Err(failure),
        })?;
        match solver.check(about, &core) {
            SatResult::Unsat => Ok(core),
            SatResult::Unknown(failure) => Err(failure),
            SatResult::Sat => Err(Failure::Broken("a core has a model".to_owned())),
        }
    }

    /// The interpolant that is near to what the powers below say, if the proof has one.
    fn strong(&self, power: PowerId, core: &[Term]) -> Result<Option<Term>, Failure> {
        let context = self.powers.context;
        let interpolation = Interpolation {
            terms: context.terms,
            backend: context.backend,
            limit: context.limit.clone(),
            name: "power lemma",
            options: InterpolationOptions::default(),
        };
        match interpolation.interpolant(&self.powers.definition(power), core) {
            Ok(found) => Ok(Some(found)),
            Err(NoInterpolants::Unknown(failure @ (Failure::Timeout | Failure::Cancelled))) => {
                Err(failure)
            }
            Err(why) => {
                log::debug!("no strong lemma: {why}");
                Ok(None)
            }
        }
    }
}
