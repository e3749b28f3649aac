//! The least heights of values of datatypes.

use crate::term::{CtorId, Sort, Terms};
use rustc_hash::FxHashMap;

/// The least heights, as far as they were needed. A value without fields of datatypes has
/// height 0.
pub(super) struct Heights<'t> {
    t: &'t Terms,
    known: FxHashMap<Sort, usize>,
}

impl<'t> Heights<'t> {
    /// Nothing is known at first.
    pub(super) fn new(t: &'t Terms) -> Heights<'t> {
        Heights {
            t,
            known: FxHashMap::default(),
        }
    }

    /// The least height of a value of a datatype; `None` if there is no value.
    pub(super) fn of_sort(&mut self, sort: Sort) -> Option<usize> {
        if !self.known.contains_key(&sort) {
            self.measure(sort);
        }
        self.known.get(&sort).copied()
    }

    /// The least height of a value that a constructor builds; `None` if there is none. The height
    /// of its sort is known.
    pub(super) fn of_constructor(&self, ctor: CtorId) -> Option<usize> {
        let fields = self.t.ctor(ctor).fields.iter();
        let heights = fields.map(|&field| {
            let sort = self.t.selector(field).sort;
            match self.t.datatype_of(sort) {
                None => Some(0),
                Some(_) => self.known.get(&sort).map(|height| height + 1),
            }
        });
        let heights: Vec<usize> = heights.collect::<Option<_>>()?;
        Some(heights.into_iter().max().unwrap_or(0))
    }

    /// Finds the least heights of the values of a sort and of their parts: low ones first, each
    /// from lower ones.
    fn measure(&mut self, sort: Sort) {
        let order = self.t.sort_post_order(sort);
        for height in 0..=order.len() {
            let found = order.iter().copied().filter(|&sort| {
                self.t.datatype_of(sort).is_some_and(|datatype| {
                    let ctors = self.t.datatype(datatype).ctors().iter();
                    let mut heights = ctors.filter_map(|&ctor| self.of_constructor(ctor));
                    !self.known.contains_key(&sort) && heights.any(|h| h == height)
                })
            });
            let found: Vec<Sort> = found.collect();
            (self.known).extend(found.into_iter().map(|sort| (sort, height)));
        }
    }
}
