//! Values to test conjectures with \[CH00\]: they look random, and are the same in every run.

use super::heights::Heights;
use crate::number::{GOLDEN, scrambled};
use crate::term::{CtorId, Sort, Term, Terms};

/// Integers in tests are below 5. The value was not tuned.
const SMALL: usize = 5;
/// The sizes of elements are below 4. The value was not tuned.
const ELEMENT: usize = 4;
/// The largest size of a value in a test. The value was not tuned.
const LARGEST: usize = 7;

/// Numbers that look random, the same ones in every run \[SLF14\].
pub(super) struct Dice {
    state: u64,
}

impl Dice {
    /// Numbers that depend on the seed.
    pub(super) fn new(seed: u64) -> Dice {
        Dice { state: seed }
    }

    /// A number below a bound; 0 if the bound is 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(GOLDEN);
        let drawn = usize::try_from(scrambled(self.state) >> 33).expect("it has 31 bits");
        drawn % bound.max(1)
    }
}

/// Values of sorts, one after the other.
pub(super) struct Values<'t> {
    t: &'t Terms,
    dice: Dice,
    heights: Heights<'t>,
    /// The least integer.
    least: i64,
}

impl<'t> Values<'t> {
    /// Values that depend on the seed.
    pub(super) fn new(t: &'t Terms, seed: u64) -> Values<'t> {
        Values {
            t,
            dice: Dice::new(seed),
            heights: Heights::new(t),
            least: -1,
        }
    }

    /// These values, with integers from `least` on.
    pub(super) fn with_least(self, least: i64) -> Values<'t> {
        Values { least, ..self }
    }

    /// The next values depend on this seed.
    pub(super) fn begin(&mut self, seed: u64) {
        self.dice = Dice::new(seed);
    }

    /// A small natural number.
    fn natural(&mut self) -> i64 {
        i64::try_from(self.dice.below(SMALL)).expect("it is small")
    }

    /// A value of a sort for the test of this number, from 0. Early tests have small values.
    pub(super) fn for_test(&mut self, sort: Sort, test: usize) -> Option<Term> {
        // Variables have values of different sizes: a prefix of a list may be shorter or longer.
        let largest = LARGEST.min(2 + test / 6);
        let size = self.dice.below(largest + 1);
        self.next(sort, size)
    }

    /// A value of a sort, built of at most about `size` constructors; `None` for sorts that values
    /// are not made of.
    pub(super) fn next(&mut self, sort: Sort, size: usize) -> Option<Term> {
        let t = self.t;
        if sort == Sort::INT {
            return Some(t.int(self.natural() + self.least));
        }
        if sort == Sort::BOOL {
            return Some(t.bool(self.dice.below(2) == 1));
        }
        let datatype = t.datatype_of(sort)?;
        let ctors = t.datatype(datatype).ctors();
        // A value without a size has an end: its constructor builds one of least height.
        let lowest = self.heights.of_sort(sort)?;
        let is_small = |ctor: &CtorId| self.heights.of_constructor(*ctor) == Some(lowest);
        // Mostly as large as may be: many values would be constants otherwise.
        let (small, large): (Vec<_>, Vec<_>) = ctors.iter().copied().partition(is_small);
        let fitting = match size > 0 && self.dice.below(8) > 0 && !large.is_empty() {
            true => large,
            false => small,
        };
        let &ctor = fitting.get(self.dice.below(fitting.len()))?;
        let fields: Vec<Sort> = t.sorts_of_fields(ctor).collect();
        let is_list = fields.iter().filter(|&&field| field == sort).count() == 1;
        let fields = fields.iter().map(|&field| {
            let rest = match field == sort {
                true if is_list => size.saturating_sub(1),
                true => self.dice.below(size),
                // Elements are small, so that some are equal; and values of datatypes that refer to
                // each other come to an end.
                false => size.saturating_sub(1).min(self.dice.below(ELEMENT)),
            };
            self.next(field, rest)
        });
        let fields: Vec<Term> = fields.collect::<Option<_>>()?;
        Some(t.construct(ctor, &fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashSet;

    #[test]
    fn tests_have_small_and_large_values() {
        let t = Terms::new();
        let id = t.declare_datatype(t.symbol("Nat"), &[]);
        let sort = t.datatype(id).sort;
        let pred = vec![(t.symbol("pred"), sort)];
        t.define_datatype(id, &[(t.symbol("zero"), vec![]), (t.symbol("succ"), pred)]);
        let mut values = Values::new(&t, 1);
        let numbers = (0..100).map(|test| values.for_test(sort, test).expect("there are values"));
        let sizes: FxHashSet<usize> = numbers.map(|number| t.size([number]) - 1).collect();
        assert_eq!(sizes, (0..=LARGEST).collect());
    }

    #[test]
    fn integers_begin_where_it_is_said() {
        let t = Terms::new();
        for least in [-1, 0] {
            let mut values = Values::new(&t, 1).with_least(least);
            let numbers = (0..60).map(|test| values.for_test(Sort::INT, test));
            let numbers: FxHashSet<Option<Term>> = numbers.collect();
            let expected = (least..least + 5).map(|number| Some(t.int(number)));
            assert_eq!(numbers, expected.collect());
        }
    }
}
