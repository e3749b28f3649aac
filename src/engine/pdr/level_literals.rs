//! Activation literals of levels: assuming `lev_k` activates the lemmas of level `k` and more.

use super::level::Level;
use crate::smt::Solver;
use crate::term::{Sort, Term, Terms};

/// The activation literals of one solver context.
///
/// Invariant: the context has `lev_k ⇒ lev_{k+1}` for all literals made before.
#[derive(Default)]
pub(super) struct LevelLiterals {
    literals: Vec<Term>,
}

impl LevelLiterals {
    /// The literal `lev_level`. A new literal is made with its place in the chain of implications.
    ///
    /// The answer is `None` for level `∞`, whose lemmas are asserted without a literal. No scope of
    /// the solver may be open, since the end of the scope would break the chain.
    pub(super) fn literal(
        &mut self,
        t: &Terms,
        solver: &mut dyn Solver,
        level: Level,
    ) -> Option<Term> {
        let number = level.number()? as usize;
        while self.literals.len() <= number {
            let new = t.fresh_var("lev", Sort::BOOL);
            if let Some(&last) = self.literals.last() {
                solver.assert(t.implies(last, new));
            }
            self.literals.push(new);
        }
        Some(self.literals[number])
    }
}
