//! What a division into cases is: a linear form and the integer below its value.

use crate::number::{DeltaRational, Rational};
use crate::smt::native::simplex::ArithVar;
use std::collections::BTreeMap;

/// A division into cases: `form ≤ floor` or `form ≥ floor + 1`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Split {
    /// Coprime integer coefficients, the first positive, over variables that are no forms.
    pub(in super::super) form: Box<[(ArithVar, Rational)]>,
    pub(in super::super) floor: Rational,
    /// Does the first case have the values nearer to zero? Where values are unbounded, cases taken
    /// the other way lead ever further away from the small values that most questions have.
    pub(in super::super) below: bool,
}

/// The division of a form with integer coefficients at its value; `None` if the value is integral
/// or the form is empty.
pub(super) fn divide(
    mut form: BTreeMap<ArithVar, Rational>,
    mut value: DeltaRational,
) -> Option<Split> {
    form.retain(|_, a| !a.is_zero());
    let (_, first) = form.first_key_value()?;
    let mut divisor = form.values().fold(Rational::zero(), |gcd, a| gcd.gcd(a));
    if first.is_negative() {
        divisor = -divisor;
    }
    value = &value / &divisor;
    if value.is_integer() {
        return None;
    }
    let floor = value.floor();
    Some(Split {
        form: form.iter().map(|(&x, a)| (x, a / &divisor)).collect(),
        below: !floor.is_negative(),
        floor,
    })
}
