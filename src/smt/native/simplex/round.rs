//! Integers near the values that the simplex has.

use super::{ArithVar, Simplex};
use crate::number::{DeltaRational, Rational};

impl Simplex {
    /// Moves integral variables whose values are no integers to the nearest ones if all bounds hold
    /// there, and answers whether that was done. The last check must have found values.
    ///
    /// What is bounded loosely or not at all, such as what earlier questions left behind, needs no
    /// division into cases.
    pub(in super::super) fn round(&mut self) -> bool {
        debug_assert!(self.queue.is_empty());
        let mut steps: Vec<(ArithVar, DeltaRational)> = Vec::new();
        let mut step_of: Vec<Option<DeltaRational>> = vec![None; self.variables.len()];
        for var in self.problem_vars() {
            let value = &self.variables[var.index()].value;
            if self.is_int(var) && !value.is_integer() {
                let half = DeltaRational::from(Rational::new(1, 2));
                let nearest = DeltaRational::from((value + &half).floor());
                let step = &nearest - value;
                step_of[var.index()] = Some(step.clone());
                steps.push((var, step));
            }
        }
        for var in self.vars() {
            let Some(form) = self.form(var).filter(|_| self.is_active(var)) else {
                continue;
            };
            let mut step = DeltaRational::zero();
            for (x, a) in form {
                if let Some(part) = &step_of[x.index()] {
                    step.add_mul(a, part);
                }
            }
            if step.is_zero() {
                continue;
            }
            if !self.is_within(var, &(&self.variables[var.index()].value + &step)) {
                return false;
            }
            steps.push((var, step));
        }
        for (var, step) in steps {
            let value = &mut self.variables[var.index()].value;
            *value = &*value + &step;
        }
        debug_assert!(self.is_valid());
        debug_assert!(
            self.problem_vars()
                .all(|x| !self.is_int(x) || self.variables[x.index()].value.is_integer()),
            "all integers are integral"
        );
        true
    }
}
