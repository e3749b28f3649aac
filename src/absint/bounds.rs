//! Bounds on linear forms, widened along thresholds.

use super::affine::value_at;
use crate::chc::System;
use crate::number::Rational;
use crate::term::{LinearSum, Op, Term, Terms};
use std::collections::BTreeSet;

/// A bound that was widened so often is given up.
const MOVES: u8 = 4;
/// More thresholds than these are not looked at: the first of the text.
const MOST_CONSTANTS: usize = 64;

/// The numbers to which bounds are widened, ascending.
#[derive(Debug)]
pub(super) struct Thresholds {
    values: Vec<Rational>,
}

/// One side of an interval.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Side {
    /// `None` is infinity.
    value: Option<Rational>,
    moves: u8,
}

/// A linear form and the interval of its values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FormBounds {
    /// The form, without constant.
    pub(super) form: LinearSum,
    lower: Side,
    upper: Side,
}

impl Thresholds {
    /// The constants of a system with their neighbours, and their negations.
    pub(super) fn of(t: &Terms, system: &System) -> Self {
        let clauses = system.clauses.iter();
        let roots = clauses.flat_map(|clause| {
            let args = clause.atoms().flat_map(|atom| atom.args.iter().copied());
            args.chain([clause.constraint])
        });
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
        Thresholds {
            values: values.into_iter().collect(),
        }
    }

    fn at_least(&self, value: &Rational) -> Option<Rational> {
        let place = self.values.partition_point(|t| t < value);
        self.values.get(place).cloned()
    }

    fn at_most(&self, value: &Rational) -> Option<Rational> {
        let place = self.values.partition_point(|t| t <= value);
        Some(self.values[place.checked_sub(1)?].clone())
    }
}

impl Side {
    fn new(value: Rational) -> Self {
        Side {
            value: Some(value),
            moves: 0,
        }
    }

    fn widen(&mut self, to: Option<Rational>) {
        self.moves += 1;
        self.value = to.filter(|_| self.moves < MOVES);
    }
}

impl FormBounds {
    /// Of the form's value at a single point.
    pub(super) fn of_point(form: LinearSum, point: &impl Fn(Term) -> Rational) -> Self {
        let value = value_at(&form, point);
        FormBounds {
            form,
            lower: Side::new(value.clone()),
            upper: Side::new(value),
        }
    }

    /// Adds a point.
    pub(super) fn add(&mut self, point: &impl Fn(Term) -> Rational, thresholds: &Thresholds) {
        let value = value_at(&self.form, point);
        if self.lower().is_some_and(|lower| value < *lower) {
            self.lower.widen(thresholds.at_most(&value));
        }
        if self.upper().is_some_and(|upper| value > *upper) {
            self.upper.widen(thresholds.at_least(&value));
        }
    }

    /// The greatest lower bound known.
    pub(super) fn lower(&self) -> Option<&Rational> {
        self.lower.value.as_ref()
    }

    /// The least upper bound known.
    pub(super) fn upper(&self) -> Option<&Rational> {
        self.upper.value.as_ref()
    }

    /// Forgets everything.
    pub(super) fn forget(&mut self) {
        (self.lower.value, self.upper.value) = (None, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chc::{Clause, Origin};
    use crate::term::Sort;

    #[test]
    fn bounds_move_along_thresholds_and_end() {
        let t = Terms::new();
        let x = t.var("x", Sort::INT);
        let below = Clause {
            vars: vec![x],
            body: Vec::new(),
            constraint: t.lt(x, t.int(10)),
            head: None,
            origin: Origin::default(),
        };
        let system = System {
            preds: Vec::new(),
            clauses: vec![below],
        };
        let thresholds = Thresholds::of(&t, &system);
        let form = t.linear_sum(x);
        let mut bounds = FormBounds::of_point(form, &|_| Rational::zero());
        let mut seen = Vec::new();
        for value in [1, 3, 10, 11, 12] {
            bounds.add(&|_| Rational::from(value), &thresholds);
            seen.push(bounds.upper().and_then(Rational::to_i64));
        }
        assert_eq!(seen, [Some(9), Some(9), Some(10), Some(11), None]);
        assert_eq!(bounds.lower(), Some(&Rational::zero()));
    }
}
