//! Integers: splits into two cases where the values of the simplex are not integral.
//!
//! If the nearest integers satisfy all bounds, they are taken. Otherwise there is a split: a linear
//! form with integer coefficients over integer variables and a number `k` such that the form's
//! value lies strictly between `k` and `k + 1`. All integers satisfy `form ≤ k ∨ form ≥ k + 1`, and
//! the present values do not. The split becomes a decision of the propositional search, so the
//! search learns from both cases as usual, and proofs need no rule for splits. The form comes from
//! one of three sources:
//!
//! - an equation of the tableau whose coefficients have a common divisor that does not divide its
//!   constant. Both cases fail at once.
//! - the bounds that are tight at the present values, solved as equations over the integers (cuts
//!   from proofs \[DDA09\]). If they have no solution, a combination of them shows it.
//! - a variable (branch and bound).

mod division;
mod hermite;

use super::simplex::{ArithVar, Side, Simplex};
use crate::number::{DeltaRational, Rational};
use std::collections::BTreeMap;

pub(super) use division::Split;
use division::divide;
use hermite::Reach;

/// Four rows are tried for equations without integer solutions before branch and bound. The value
/// was not tuned.
const ROWS_TRIED: usize = 4;

/// From the 11th split of a check on, cuts are sought among all tight bounds, and need as few of
/// single variables as possible. Without that, a question about the parity of unbounded numbers is
/// split without end.
const FEW: u64 = 10;

/// A division into cases that excludes the current values; `None` if all integers are integral,
/// perhaps because values were moved. The check has divided `before` times, and the numbers of the
/// question have at most `width` bits.
pub(super) fn split(simplex: &mut Simplex, before: u64, width: u64) -> Option<Split> {
    let fractional: Vec<ArithVar> = simplex
        .problem_vars()
        .filter(|&x| simplex.is_int(x) && !simplex.value(x).is_integer())
        .collect();
    if fractional.is_empty() || simplex.round() {
        return None;
    }
    if let Some(split) = indivisible_row(simplex) {
        return Some(split);
    }
    let reach = match before < FEW {
        true => Reach::Row,
        false => Reach::All,
    };
    let basic = fractional.iter().filter(|&&x| simplex.is_basic(x));
    let mut cuts = basic
        .take(ROWS_TRIED)
        .filter_map(|&x| hermite::cut(simplex, x, reach, width));
    if let Some(split) = cuts.next() {
        return Some(split);
    }
    let var = branching_variable(simplex, &fractional);
    let form = BTreeMap::from([(var, Rational::one())]);
    Some(divide(form, simplex.value(var)).expect("the value is no integer"))
}

/// The variable with the smallest range; among unbounded ones the first.
fn branching_variable(simplex: &Simplex, fractional: &[ArithVar]) -> ArithVar {
    let range = |x: ArithVar| {
        let lower = &simplex.bound(x, Side::Lower)?.value.real;
        let upper = &simplex.bound(x, Side::Upper)?.value.real;
        Some(upper - lower)
    };
    let bounded = fractional.iter().filter_map(|&x| Some((range(x)?, x)));
    bounded.min().map_or(fractional[0], |(_, x)| x)
}

/// An equation whose variables that are not fixed have coefficients with a common divisor that the
/// rest has not.
fn indivisible_row(simplex: &Simplex) -> Option<Split> {
    simplex.equations().find_map(|row| {
        let mut divisor = Rational::zero();
        let mut constant = Rational::zero();
        for entry in row {
            match simplex.fixed_value(entry.var) {
                Some(value) => constant.add_mul(&entry.coefficient, &value.real),
                None if !simplex.is_int(entry.var) => return None,
                None => divisor = divisor.gcd(&entry.coefficient),
            }
        }
        if divisor.is_zero() || constant.is_divisible_by(&divisor) {
            return None;
        }
        let mut form = BTreeMap::new();
        for entry in row.iter().filter(|e| simplex.fixed_value(e.var).is_none()) {
            simplex.add_expanded(&mut form, entry.var, &(&entry.coefficient / &divisor));
        }
        divide(form, DeltaRational::from(-(&constant / &divisor)))
    })
}
