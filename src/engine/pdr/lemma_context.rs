//! Do the lemmas of a predicate block a cube already?
//!
//! Each predicate has a solver context with its lemmas alone. The activation literals of their
//! levels choose `F_n(p)`.

use super::frames::Frames;
use super::level::Level;
use super::level_literals::LevelLiterals;
use super::purpose::Purpose;
use crate::chc::PredId;
use crate::engine::Context;
use crate::smt::{Failure, Limit, SatResult, Solver};
use crate::term::{Term, Terms};

/// The lemmas of one predicate.
pub(super) struct LemmaContext<'t> {
    solver: Box<dyn Solver + 't>,
    levels: LevelLiterals,
    /// The first entries of the predicate's log are asserted: this number of them.
    asserted: usize,
}

impl<'t> LemmaContext<'t> {
    /// A context without lemmas.
    pub(super) fn new(context: &Context<'t>, pred: PredId) -> Self {
        let name = format!("lemmas{}", pred.0);
        let mut solver = context.backend.solver(context.terms, &name);
        solver.set_purpose(Purpose::Subsumed.name());
        LemmaContext {
            solver,
            levels: LevelLiterals::default(),
            asserted: 0,
        }
    }

    /// Does `F_level(pred) ⇒ ¬cube` hold? The solver has until `limit`.
    pub(super) fn block(
        &mut self,
        t: &Terms,
        frames: &Frames,
        pred: PredId,
        cube: &[Term],
        level: Level,
        limit: Limit,
    ) -> Result<bool, Failure> {
        let log = frames.log(pred);
        for &(level, lemma) in &log[self.asserted..] {
            let active = self.levels.literal(t, &mut *self.solver, level);
            let guard = active.map(|active| t.not(active));
            self.solver.assert(t.or(guard.into_iter().chain([lemma])));
        }
        self.asserted = log.len();
        let active = self.levels.literal(t, &mut *self.solver, level);
        let assumptions: Vec<Term> = active.into_iter().chain(cube.iter().copied()).collect();
        let about = format_args!("{} predicate {}", Purpose::Subsumed.name(), pred.0);
        self.solver.set_limit(limit);
        // F_level(pred) ∧ cube
        match self.solver.check(about, &assumptions) {
            SatResult::Unsat => Ok(true),
            SatResult::Sat => Ok(false),
            SatResult::Unknown(failure) => Err(failure),
        }
    }
}
