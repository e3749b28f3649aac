//! The numbers along which bounds are widened: widening with thresholds \[BCCF03\].

use crate::chc::{Clause, System};
use crate::number::Rational;
use crate::term::{Op, Terms};
use std::collections::BTreeSet;

/// The first 64 constants of the text become thresholds; others are not used. The value was not
/// tuned.
const MOST_CONSTANTS: usize = 64;

/// The numbers to which bounds are widened, ascending.
#[derive(Debug, Default)]
pub struct Thresholds {
    values: Vec<Rational>,
}

impl Thresholds {
    /// The constants of a system with their neighbours, and their negations.
    pub fn of(t: &Terms, system: &System) -> Self {
        let roots = system.clauses.iter().flat_map(Clause::terms);
        let mut constants: BTreeSet<&Rational> = BTreeSet::new();
        for x in t.post_order(roots) {
            if let Op::Number(id) = t.op(x)
                && constants.len() < MOST_CONSTANTS
            {
                constants.insert(t.number_value(id));
            }
        }
        let one = Rational::one();
        let near = |c: &Rational| [c - &one, c.clone(), c + &one];
        let both = constants.into_iter().flat_map(|c| [c.clone(), -c]);
        let values: BTreeSet<Rational> = both.flat_map(|c| near(&c)).collect();
        let values: Vec<Rational> = values.into_iter().collect();
        debug_assert!(values.is_sorted_by(|a, b| a < b), "thresholds ascend");
        Thresholds { values }
    }

    /// The least threshold that is at least the value.
    pub(super) fn at_least(&self, value: &Rational) -> Option<Rational> {
        let place = self.values.partition_point(|t| t < value);
        self.values.get(place).cloned()
    }

    /// The greatest threshold that is at most the value.
    pub(super) fn at_most(&self, value: &Rational) -> Option<Rational> {
        let place = self.values.partition_point(|t| t <= value);
        Some(self.values[place.checked_sub(1)?].clone())
    }
}
