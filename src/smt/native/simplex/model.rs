//! Rational values from those with infinitesimals.

use super::{Side, Simplex};
use crate::number::{DeltaRational, Rational};
use rustc_hash::FxHashSet;

impl Simplex {
    /// A positive value for the infinitesimal under which all bounds hold. Values that are
    /// different stay different.
    ///
    /// The last check must have found values.
    pub(in super::super) fn epsilon(&self) -> Rational {
        let mut epsilon = Rational::one();
        let mut lower_it = |small: &DeltaRational, large: &DeltaRational| {
            if let Some(bound) = small.epsilon_bound(large)
                && bound < epsilon
            {
                epsilon = bound;
            }
        };
        let mut strict = false;
        for variable in self.variables.iter().filter(|v| v.active) {
            strict |= !variable.value.is_rational();
            if let Some(lower) = &variable.bounds[Side::Lower as usize] {
                lower_it(&lower.value, &variable.value);
            }
            if let Some(upper) = &variable.bounds[Side::Upper as usize] {
                lower_it(&variable.value, &upper.value);
            }
        }
        if strict {
            let half = Rational::new(1, 2);
            while !self.separates(&epsilon) {
                epsilon = &epsilon * &half;
            }
        }
        debug_assert!(epsilon.is_positive(), "strict bounds stay strict");
        debug_assert!(self.holds_at(&epsilon), "all bounds hold for this value");
        epsilon
    }

    /// Do the bounds of the tableau hold where the infinitesimal has this value?
    fn holds_at(&self, epsilon: &Rational) -> bool {
        let active = self.variables.iter().filter(|v| v.active);
        active.into_iter().all(|variable| {
            let value = variable.value.at(epsilon);
            let [lower, upper] = &variable.bounds;
            lower.as_ref().is_none_or(|b| value >= b.value.at(epsilon))
                && upper.as_ref().is_none_or(|b| value <= b.value.at(epsilon))
        })
    }

    /// Do different values of problem variables stay different?
    fn separates(&self, epsilon: &Rational) -> bool {
        let values = || {
            self.variables
                .iter()
                .filter(|v| v.form.is_none())
                .map(|v| &v.value)
        };
        let exact: FxHashSet<&DeltaRational> = values().collect();
        let rounded: FxHashSet<Rational> = exact.iter().map(|v| v.at(epsilon)).collect();
        exact.len() == rounded.len()
    }
}
