//! Builders of arrays.

use crate::term::{Op, Sort, Term, Terms};

impl Terms {
    /// The element of `array` at `index`. Reads through the stores whose index is known to differ.
    pub fn select(&self, array: Term, index: Term) -> Term {
        let (_, element) = self
            .array_parts(self.sort_of(array))
            .expect("select reads an array");
        let mut base = array;
        loop {
            match (self.op(base), self.args(base)) {
                (Op::ConstArray, &[x]) => return x,
                (Op::Store, &[_, i, x]) if i == index => return x,
                (Op::Store, &[inner, i, _])
                    if self.is_distinct_constant(i) && self.is_distinct_constant(index) =>
                {
                    base = inner;
                }
                _ => return self.make(Op::Select, element, &[base, index]),
            }
        }
    }

    /// `array` with `value` at `index`.
    pub fn store(&self, array: Term, index: Term, value: Term) -> Term {
        let base = match (self.op(array), self.args(array)) {
            (Op::ConstArray, &[x]) if x == value => return array,
            // The later store to the same place wins.
            (Op::Store, &[inner, i, _]) if i == index => inner,
            _ => array,
        };
        self.make(Op::Store, self.sort_of(array), &[base, index, value])
    }

    /// The array of that sort that holds `value` everywhere.
    pub fn const_array(&self, sort: Sort, value: Term) -> Term {
        debug_assert!(
            self.array_parts(sort)
                .is_some_and(|(_, e)| e == self.sort_of(value))
        );
        self.make(Op::ConstArray, sort, &[value])
    }
}
