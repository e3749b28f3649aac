//! Flags of levels: `lev_k`, assumed to have the lemmas of level `k` and more.

use super::frames::Level;
use crate::smt::Solver;
use crate::term::{Sort, Term, Terms};

/// The flags of one solver context.
///
/// Invariant: the context has `lev_k ⇒ lev_{k+1}` for all flags made so far.
#[derive(Default)]
pub(super) struct LevelFlags {
    flags: Vec<Term>,
}

impl LevelFlags {
    /// `lev_level`, made with its place in the chain if it is new; `None` for `∞`, whose lemmas need no flag. No scope of the
    /// solver may be open, since its end would break the chain.
    pub(super) fn flag(
        &mut self,
        t: &Terms,
        solver: &mut dyn Solver,
        level: Level,
    ) -> Option<Term> {
        let number = level.number()? as usize;
        while self.flags.len() <= number {
            let new = t.fresh_var("lev", Sort::BOOL);
            if let Some(&last) = self.flags.last() {
                solver.assert(t.implies(last, new));
            }
            self.flags.push(new);
        }
        Some(self.flags[number])
    }
}
