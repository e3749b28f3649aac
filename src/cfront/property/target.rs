//! Checks for a violation that a witness tells of: only one at its target is an error, when all
//! waypoints before it are passed. A run ends at any other violation.
//!
//! A target names the line in which a statement begins, and the statement may go on in others. So
//! it is left open whether a violation in another line is the one that is meant.

use super::build::{all, binary, not, variable};
use super::pattern::Checks;
use super::weave::{Pattern, Woven};
use crate::cfront::ir::{Binary, Edge, Expr, FuncId, Instr};
use crate::cfront::program::Target;
use crate::cfront::types::IntType;

/// Why a violation may be the one of a witness, or not.
const ELSEWHERE: &str = "a violation in another line than that of the target";

/// The checks of properties, at the target of a witness.
pub(super) struct AtTarget<'a> {
    pub(super) target: Target,
    pub(super) checks: Checks<'a>,
}

impl AtTarget<'_> {
    /// The checks with violations as errors if `is_there`, else as steps that leave it open whether
    /// they are the error.
    fn aimed(&self, steps: Vec<Woven>, is_there: bool) -> Vec<Woven> {
        let ty = IntType::INT;
        let due = binary(
            Binary::Eq,
            variable(self.target.counter, ty),
            Expr::constant(self.target.segments, ty),
        );
        let mut aimed = Vec::new();
        for step in steps {
            match step {
                Woven::Fail(condition, end @ Instr::Error(_)) => {
                    let both = all([condition.clone(), due.clone()]);
                    let end = match is_there {
                        true => end,
                        false => Instr::Unsupported(ELSEWHERE.into()),
                    };
                    aimed.push(Woven::Fail(both, end));
                    aimed.push(Woven::Do(Instr::Assume(not(condition), true)));
                }
                other => aimed.push(other),
            }
        }
        aimed
    }
}

impl Pattern for AtTarget<'_> {
    fn around(&self, func: FuncId, edge: &Edge) -> (Vec<Woven>, Vec<Woven>) {
        let is_there = edge.place.line == self.target.line;
        let (before, after) = self.checks.around(func, edge);
        (self.aimed(before, is_there), self.aimed(after, is_there))
    }

    fn first(&self, func: FuncId) -> Vec<Woven> {
        self.aimed(self.checks.first(func), true)
    }

    fn last(&self, func: FuncId) -> Vec<Woven> {
        // The end of the program has no line for itself.
        self.aimed(self.checks.last(func), true)
    }
}
