//! The check of the simplex \[DdM06\]: pivots until all values are within their bounds, or explains
//! why no values are.

use super::tableau::RowId;
use super::{ArithVar, Infeasible, Side, Simplex};
use crate::number::Rational;
use crate::smt::{Failure, Limit};
use crate::work;
use std::cmp::Reverse;

/// After 500 pivots in one check, Bland's rule \[Bla77\] chooses: the least candidate enters the
/// basis, so that the search ends. The value was not tuned.
const BLAND_AFTER: u64 = 500;
/// The limit is polled every 8 pivots. The value was not tuned.
const PIVOTS_BETWEEN_LOOKS: u64 = 8;
/// The limit is polled after a pivot of this number of ticks, too: with long numbers, one costs as
/// much as thousands of others. The value was not tuned.
const TICKS_BETWEEN_LOOKS: u64 = work::milliseconds(1);

/// What a check found.
#[derive(Debug)]
pub(in super::super) enum Checked {
    /// All values are within their bounds.
    Feasible,
    /// No values are.
    Infeasible(Infeasible),
}

impl Simplex {
    /// Moves values until all are within their bounds, or there is no such assignment.
    pub(in super::super) fn check(&mut self, limit: &Limit) -> Result<Checked, Failure> {
        debug_assert_eq!(
            self.queue.len(),
            self.variables.iter().filter(|v| v.queued).count(),
            "the queue has what is marked as queued"
        );
        let start = self.counts.pivots;
        let mut looked = work::spent();
        while let Some(Reverse(var)) = self.queue.pop() {
            self.variables[var.index()].queued = false;
            let Some(row) = self.tableau.row_of(var) else {
                continue;
            };
            let Some(side) = self.violation(var) else {
                continue;
            };
            let pivots = self.counts.pivots - start;
            match self.entering(row, side, pivots >= BLAND_AFTER) {
                Some(entering) => self.pivot_and_move(var, row, side, entering),
                None => {
                    self.enqueue(var);
                    return Ok(Checked::Infeasible(self.explain(row, side)));
                }
            }
            if (pivots + 1).is_multiple_of(PIVOTS_BETWEEN_LOOKS)
                || work::spent() - looked >= TICKS_BETWEEN_LOOKS
            {
                // The variable is in order now; others may not be and are in the queue.
                limit.check()?;
                looked = work::spent();
            }
        }
        debug_assert!(self.counts.pivots == start || self.is_valid());
        Ok(Checked::Feasible)
    }

    /// A variable of the row that can move so that the basic one comes nearer to the bound that it
    /// violates.
    ///
    /// Which one: that in the fewest rows, as in Z3; each of them must be rewritten.
    fn entering(&self, row: RowId, violated: Side, bland: bool) -> Option<ArithVar> {
        let basic = self.tableau.basic(row);
        let b = self.tableau.basic_coefficient(row);
        work::spend_on(1 + self.tableau.entries(row).len() / 2);
        let mut best: Option<(usize, ArithVar)> = None;
        for entry in self.tableau.entries(row) {
            if entry.var == basic {
                continue;
            }
            // The basic variable rises with this one if their coefficients have different signs.
            let same_way = entry.coefficient.is_negative() != b.is_negative();
            let must_rise = same_way == (violated == Side::Lower);
            if !self.can_move(entry.var, must_rise) {
                continue;
            }
            let cost = if bland {
                0
            } else {
                self.tableau.column_len(entry.var)
            };
            if best.is_none_or(|b| (cost, entry.var) < b) {
                best = Some((cost, entry.var));
            }
        }
        best.map(|(_, var)| var)
    }

    #[inline]
    fn can_move(&self, var: ArithVar, up: bool) -> bool {
        let variable = &self.variables[var.index()];
        match &variable.bounds {
            [_, Some(upper)] if up => variable.value < upper.value,
            [Some(lower), _] if !up => variable.value > lower.value,
            _ => true,
        }
    }

    /// Brings a basic variable to its bound by moving another one, which becomes basic instead.
    fn pivot_and_move(&mut self, var: ArithVar, row: RowId, side: Side, entering: ArithVar) {
        self.counts.pivots += 1;
        let target = self.bound_value(var, side);
        let missing = &target - &self.variables[var.index()].value;
        let a = self.tableau.entries(row).iter().find(|e| e.var == entering);
        let a = &a.expect("it is in the row").coefficient;
        let b = self.tableau.basic_coefficient(row);
        let factor = -(b / a);
        let mut to = self.variables[entering.index()].value.clone();
        to.add_mul(&factor, &missing);
        self.move_to(entering, to);
        debug_assert_eq!(self.variables[var.index()].value, target);
        debug_assert_eq!(
            self.tableau.row_of(var),
            Some(row),
            "what leaves is basic there"
        );
        self.tableau.pivot(row, entering);
        // It is basic now, and may have moved beyond its own bounds.
        self.enqueue(entering);
    }

    /// Why the basic variable of the row cannot come to its bound: the others are at theirs.
    fn explain(&self, row: RowId, violated: Side) -> Infeasible {
        let basic = self.tableau.basic(row);
        let b = self.tableau.basic_coefficient(row);
        let mut bounds: Vec<(_, Rational)> = Vec::new();
        for entry in self.tableau.entries(row) {
            let side = if entry.var == basic {
                violated
            } else {
                let same_way = entry.coefficient.is_negative() != b.is_negative();
                if same_way {
                    violated.opposite()
                } else {
                    violated
                }
            };
            let bound = self.bound(entry.var, side).expect("it cannot move");
            debug_assert!(
                entry.var == basic || self.variables[entry.var.index()].value == bound.value,
                "what cannot move is at its bound"
            );
            bounds.push((bound.reason, entry.coefficient.abs()));
        }
        Infeasible { bounds }
    }
}
