//! What lemmas say about cubes: is one avoided by `F_n(p)` already?
//!
//! Each predicate has a context with its lemmas alone, under the flags of their levels.

use super::frames::{Frames, Level};
use super::levels::LevelFlags;
use super::purpose::Purpose;
use crate::chc::PredId;
use crate::engine::Context;
use crate::smt::{Failure, Limit, Outcome, Solver};
use crate::term::{Term, Terms};

/// The lemmas of one predicate.
pub(super) struct LemmaContext<'t> {
    solver: Box<dyn Solver + 't>,
    levels: LevelFlags,
    /// So much of the predicate's log is asserted.
    told: usize,
}

impl<'t> LemmaContext<'t> {
    pub(super) fn new(context: &Context<'t>, pred: PredId) -> Self {
        let name = format!("lemmas{}", pred.0);
        LemmaContext {
            solver: context.backend.solver(context.terms, &name),
            levels: LevelFlags::default(),
            told: 0,
        }
    }

    /// Is `F_level(pred) ∧ cube` contradictory? Asked within the limit.
    pub(super) fn avoids(
        &mut self,
        t: &Terms,
        frames: &Frames,
        pred: PredId,
        cube: &[Term],
        level: Level,
        limit: Limit,
    ) -> Result<bool, Failure> {
        let log = frames.log(pred);
        for &(level, lemma) in &log[self.told..] {
            let flag = self.levels.flag(t, &mut *self.solver, level);
            let guard = flag.map(|flag| t.not(flag));
            self.solver.assert(t.or(guard.into_iter().chain([lemma])));
        }
        self.told = log.len();
        let flag = self.levels.flag(t, &mut *self.solver, level);
        let assumptions: Vec<Term> = flag.into_iter().chain(cube.iter().copied()).collect();
        let about = format_args!("{} predicate {}", Purpose::Avoid.name(), pred.0);
        self.solver.set_limit(limit);
        match self.solver.check(about, &assumptions) {
            Outcome::Unsat => Ok(true),
            Outcome::Sat => Ok(false),
            Outcome::Unknown(failure) => Err(failure),
        }
    }
}
