//! Random terms of arrays and datatypes, over the constants and functions of a universe.

use super::Formulas;
use crate::smt::universe::Reader;
use horn::term::{CtorId, Sort, SortKind, Term};

impl Formulas<'_, '_> {
    /// An atom: an equation, a comparison of a number that is read, a tester, or a truth value that
    /// is read.
    pub(super) fn about_structures(&mut self) -> Term {
        let t = self.t;
        let sort = self.some_structure();
        let present = |present: bool, weight: usize| if present { weight } else { 0 };
        let weights = [
            40,
            present(self.is_read(Sort::INT), 30),
            present(t.datatype_of(sort).is_some(), 20),
            present(self.is_read(Sort::BOOL), 15),
        ];
        match self.random.weighted(&weights) {
            0 => t.eq(self.structure(sort, 2), self.structure(sort, 1)),
            1 => {
                let (x, y) = (self.read(Sort::INT, 2), self.value(Sort::INT, 1));
                match self.random.weighted(&[50, 25, 25]) {
                    0 => t.eq(x, y),
                    1 => t.le(x, y),
                    _ => t.lt(y, x),
                }
            }
            2 => {
                let ctor = self.some_ctor(sort);
                t.is(ctor, self.structure(sort, 1))
            }
            _ => self.read(Sort::BOOL, 2),
        }
    }

    /// A sort of arrays or a datatype, mostly one with constants.
    fn some_structure(&mut self) -> Sort {
        if self.random.percent(70) {
            let constant = self.random.pick(&self.constants);
            return self.t.sort_of(constant);
        }
        self.random.pick(&self.universe.structures)
    }

    /// A constructor of a datatype.
    fn some_ctor(&mut self, sort: Sort) -> CtorId {
        let id = self.t.datatype_of(sort).expect("a datatype");
        self.random.pick(self.t.datatype(id).ctors())
    }

    /// Can terms of this sort be read from others?
    pub(super) fn is_read(&self, sort: Sort) -> bool {
        !self.universe.readers_of(sort).is_empty()
    }

    /// A term of a sort of arrays or a datatype, nested at most to this depth.
    pub(super) fn structure(&mut self, sort: Sort, depth: usize) -> Term {
        if depth == 0 {
            return self.leaf(sort);
        }
        let read = if self.is_read(sort) { 20 } else { 0 };
        match self.random.weighted(&[30, 10, read, 40]) {
            0 => self.leaf(sort),
            1 => {
                let condition = self.literal();
                let (x, y) = (
                    self.structure(sort, depth - 1),
                    self.structure(sort, depth - 1),
                );
                self.t.ite(condition, x, y)
            }
            2 => self.read(sort, depth - 1),
            _ => self.built(sort, depth - 1),
        }
    }

    /// A constant, or a constructor without fields; where there is neither, a value.
    fn leaf(&mut self, sort: Sort) -> Term {
        let t = self.t;
        let has_sort = |&&constant: &&Term| t.sort_of(constant) == sort;
        let constants: Vec<Term> = self.constants.iter().filter(has_sort).copied().collect();
        if constants.is_empty() || self.random.percent(20) {
            return self.ground(sort);
        }
        self.random.pick(&constants)
    }

    /// A small value of any sort.
    fn ground(&mut self, sort: Sort) -> Term {
        let t = self.t;
        match *t.sort_kind(sort) {
            SortKind::Bool => t.bool(self.random.percent(50)),
            SortKind::Int => t.int(self.random.between(-1, 3)),
            SortKind::Array(_, element) => t.const_array(sort, self.ground(element)),
            SortKind::Datatype(_) => {
                let ctor = self.some_ctor(sort);
                let sorts = |&field| t.selector(field).sort;
                let fields: Vec<Sort> = t.ctor(ctor).fields.iter().map(sorts).collect();
                if fields.iter().any(|&field| t.datatype_of(field).is_some()) {
                    // It may be recursive.
                    return self.default_of(sort);
                }
                let fields: Vec<Term> = fields.into_iter().map(|s| self.ground(s)).collect();
                t.construct(ctor, &fields)
            }
            _ => self.default_of(sort),
        }
    }

    fn default_of(&self, sort: Sort) -> Term {
        let value = self.t.default_value(sort).expect("the sort has values");
        self.t.value_term(&value, sort)
    }

    /// A store, a constant array, or a constructor with its fields.
    fn built(&mut self, sort: Sort, depth: usize) -> Term {
        let t = self.t;
        let Some((index, element)) = t.array_parts(sort) else {
            let ctor = self.some_ctor(sort);
            let fields = t.ctor(ctor).fields.iter();
            let fields: Vec<Term> = fields
                .map(|&field| self.value(t.selector(field).sort, depth))
                .collect();
            return t.construct(ctor, &fields);
        };
        if self.random.percent(80) {
            let array = self.structure(sort, depth);
            let index = self.value(index, depth);
            return t.store(array, index, self.value(element, depth));
        }
        // cvc5 wants values there.
        let element = if self.random.percent(80) {
            self.ground(element)
        } else {
            self.value(element, depth)
        };
        t.const_array(sort, element)
    }

    /// A term of a sort that an array, a datatype or a function has reads: an element, a field, a
    /// function's value.
    pub(super) fn read(&mut self, sort: Sort, depth: usize) -> Term {
        let t = self.t;
        let readers = self.universe.readers_of(sort);
        match self.random.pick(&readers) {
            Reader::Select(array) => {
                let (index, _) = t.array_parts(array).expect("a sort of arrays");
                let array = self.structure(array, depth);
                t.select(array, self.value(index, depth))
            }
            Reader::Field(selector) => {
                let ctor = t.selector(selector).ctor;
                let whole = self.structure(t.ctor_sort(ctor), depth);
                let field = t.field(selector, whole);
                // What a selector gives on other constructors is left open. Programs look first.
                if self.random.percent(50) {
                    return field;
                }
                t.ite(t.is(ctor, whole), field, self.value(sort, 0))
            }
            Reader::Apply(func) => {
                let params = t.func(func).params.iter();
                let args: Vec<Term> = params.map(|&param| self.value(param, depth)).collect();
                t.apply(func, &args)
            }
        }
    }

    /// A term of any sort that goes into an array, a constructor or a function. Numbers are such
    /// that they are often equal.
    fn value(&mut self, sort: Sort, depth: usize) -> Term {
        let t = self.t;
        match sort {
            Sort::BOOL => match self.random.weighted(&[50, 30, 20 * depth.min(1)]) {
                0 => self.random.pick(&self.bools),
                1 => self.ground(sort),
                _ => self.literal(),
            },
            Sort::INT => match self.random.weighted(&[50, 20, 15, 25 * depth.min(1)]) {
                0 => self.random.pick(&self.ints),
                1 => self.ground(sort),
                2 => {
                    let near = self.random.pick(&[-1, 1, 1, 2]);
                    t.add([self.random.pick(&self.ints), t.int(near)])
                }
                _ => self.term(sort, depth),
            },
            _ => self.structure(sort, depth),
        }
    }

    /// The next value of an array or of a value of a datatype: mostly with one change.
    pub(super) fn step_of_structure(&mut self, var: Term) -> Term {
        let t = self.t;
        let sort = t.sort_of(var);
        if self.random.percent(30) {
            return self.structure(sort, 1);
        }
        if let Some((index, element)) = t.array_parts(sort) {
            let index = self.value(index, 1);
            return t.store(var, index, self.value(element, 1));
        }
        let ctor = self.some_ctor(sort);
        let fields = &t.ctor(ctor).fields;
        if fields.is_empty() {
            return t.construct(ctor, &[]);
        }
        let changed = self.random.below(fields.len());
        let fields = fields.iter().enumerate().map(|(at, &field)| {
            let field_sort = t.selector(field).sort;
            match at == changed {
                true => self.value(field_sort, 1),
                // A list becomes longer, a record keeps its fields.
                false if field_sort == sort => var,
                false => t.field(field, var),
            }
        });
        let fields: Vec<Term> = fields.collect();
        t.construct(ctor, &fields)
    }
}
