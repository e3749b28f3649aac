//! Elimination of arrays \[KBGM15\].
//!
//! An equation `store(a, i, v) = t` determines the array `a` except for its element at `i`, which
//! becomes a new variable. Two different arrays differ at some index, which becomes a new variable
//! too. The model decides which branch a read over a write takes. An array that is only read is a
//! function: each element that is read becomes a new variable, with the same variable for equal
//! indices.

use super::Projection;
use crate::term::{Op, Sort, Term, TermMap, Terms, Value};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// For up to 4 indices that are read, the result says that they differ pair by pair. For more, it
/// gives the order of numeric indices. The value was not tuned.
const PAIRS: usize = 4;

/// The array into which the stores of a term are made.
fn base(t: &Terms, mut array: Term) -> Term {
    while let (Op::Store, &[inner, _, _]) = (t.op(array), t.args(array)) {
        array = inner;
    }
    array
}

/// Index and element of the stores of a term, outermost first.
fn stores(t: &Terms, mut array: Term) -> Vec<(Term, Term)> {
    let mut stores = Vec::new();
    while let (Op::Store, &[inner, index, element]) = (t.op(array), t.args(array)) {
        stores.push((index, element));
        array = inner;
    }
    stores
}

impl Projection<'_, '_> {
    /// Replaces a literal that reads, at a place that concerns the variables, of an array that was
    /// written.
    pub(super) fn read_over_writes(&mut self, place: usize, literal: Term) -> bool {
        let t = self.t;
        let concerns =
            |s: Term| t.op(s) == Op::Select && t.op(t.args(s)[0]) == Op::Store && self.mentions(s);
        if !t.any_subterm(literal, concerns) {
            return false;
        }
        let mut conditions = Vec::new();
        let new = t.rewrite(literal, |mut read| {
            while let (Op::Select, &[array, at]) = (t.op(read), t.args(read))
                && let (Op::Store, &[inner, index, element]) = (t.op(array), t.args(array))
            {
                let same = t.eq(index, at);
                if self.valuation.holds(same) {
                    conditions.push(same);
                    read = element;
                } else {
                    conditions.push(t.not(same));
                    read = t.select(inner, at);
                }
            }
            read
        });
        self.other.swap_remove(place);
        self.assume(conditions.into_iter().chain([new]));
        true
    }

    /// Replaces the equation of two arrays at a place among the literals.
    pub(super) fn array_equation(&mut self, place: usize, x: Term, y: Term) -> bool {
        let t = self.t;
        for (left, right) in [(x, y), (y, x)] {
            let var = base(t, left);
            if !self.vars.contains(&var) {
                continue;
            }
            if base(t, right) == var {
                // They agree where neither was written.
                let written = stores(t, left).into_iter().chain(stores(t, right));
                let agree = written.map(|(i, _)| t.eq(t.select(left, i), t.select(right, i)));
                let agree: Vec<Term> = agree.collect();
                self.other.swap_remove(place);
                self.assume(agree);
                return true;
            }
            if !t.any_subterm(right, |s| s == var) {
                self.other.swap_remove(place);
                self.solve_partially(var, left, right);
                return true;
            }
        }
        let parts = [(x, y), (y, x)]
            .into_iter()
            .find_map(|(s, r)| self.parts(s, r));
        let Some(parts) = parts else { return false };
        self.other.swap_remove(place);
        self.assume(parts);
        true
    }

    /// Solves `left = right`, where `left` is `var` after some stores and `right` has not `var`.
    fn solve_partially(&mut self, var: Term, left: Term, right: Term) {
        let t = self.t;
        let (_, element_sort) = t.array_parts(t.sort_of(var)).expect("an array");
        let (mut solution, mut equations, mut at) = (right, Vec::new(), left);
        while let (Op::Store, &[inner, mut index, element]) = (t.op(at), t.args(at)) {
            if t.any_subterm(index, |s| s == var) {
                let value = self.valuation.value(index);
                let name = self.fresh("index", t.sort_of(index), value);
                equations.push(t.eq(name, index));
                index = name;
            }
            equations.push(t.eq(t.select(solution, index), element));
            let before = self.valuation.value(t.select(inner, index));
            let before = self.fresh("element", element_sort, before);
            solution = t.store(solution, index, before);
            at = inner;
        }
        // The solution goes into these equations, too, before anything else is done with them.
        self.other.append(&mut equations);
        self.replace(&[(var, solution)]);
    }

    /// Of an equation one side of which is written or constant, with an element of variables that
    /// the other side does not have: what that element is, and the rest.
    fn parts(&self, side: Term, other: Term) -> Option<[Term; 2]> {
        let t = self.t;
        let (index, element) = match (t.op(side), t.args(side)) {
            (Op::Store, &[_, index, element]) => (index, element),
            (Op::ConstArray, &[element]) => {
                let (sort, _) = t.array_parts(t.sort_of(side))?;
                (t.value_term(&t.default_value(sort)?, sort), element)
            }
            _ => return None,
        };
        let known = t.vars([index, other]);
        let own = t.vars([element]);
        if !own
            .iter()
            .any(|v| self.vars.contains(v) && !known.contains(v))
        {
            return None;
        }
        let read = t.select(other, index);
        let rest = match t.args(side) {
            &[inner, index, _] => t.store(inner, index, read),
            _ => t.const_array(t.sort_of(side), read),
        };
        Some([t.eq(read, element), t.eq(rest, other)])
    }

    /// What two arrays that differ imply: that they do at some index.
    pub(super) fn array_difference(&mut self, x: Term, y: Term) -> Option<Vec<Term>> {
        let t = self.t;
        let (sort, _) = t.array_parts(t.sort_of(x))?;
        let (Value::Array(u), Value::Array(v)) = (self.valuation.value(x), self.valuation.value(y))
        else {
            return None;
        };
        let explicit = || u.entries().chain(v.entries()).map(|(i, _)| i);
        let differs = |i: &Value| u.select(i) != v.select(i);
        let place = explicit().find(|i| differs(i)).cloned().or_else(|| {
            let mut others = 0..=i64::try_from(explicit().count()).ok()?;
            others.find_map(|n| number_value(t, sort, n).filter(|i| differs(i)))
        })?;
        let index = self.fresh("differ", sort, place);
        Some(vec![t.not(t.eq(t.select(x, index), t.select(y, index)))])
    }

    /// Eliminates an array that is only read.
    pub(super) fn eliminate_reads(&mut self) -> bool {
        let t = self.t;
        let mut only_read: TermMap<bool> = TermMap::default();
        for term in t.post_order(self.other.iter().copied()) {
            for (i, &arg) in t.args(term).iter().enumerate() {
                if self.vars.contains(&arg) && t.array_parts(t.sort_of(arg)).is_some() {
                    *only_read.entry(arg).or_insert(true) &= i == 0 && t.op(term) == Op::Select;
                }
            }
        }
        let found = only_read
            .into_iter()
            .filter(|&(_, only)| only)
            .map(|(a, _)| a)
            .min();
        let Some(array) = found else { return false };
        self.replace_reads(array);
        true
    }

    fn replace_reads(&mut self, array: Term) {
        let t = self.t;
        let (index_sort, element_sort) = t.array_parts(t.sort_of(array)).expect("an array");
        // By the value of the index: an index that has it, and the element there.
        let mut elements: FxHashMap<Value, (Term, Term)> = FxHashMap::default();
        let mut conditions = Vec::new();
        let other = std::mem::take(&mut self.other);
        for &literal in &other {
            let new = t.rewrite(literal, |read| {
                let (Op::Select, &[of, at]) = (t.op(read), t.args(read)) else {
                    return read;
                };
                if of != array {
                    return read;
                }
                let place = self.valuation.value(at);
                if let Some(&(index, element)) = elements.get(&place) {
                    conditions.push(t.eq(index, at));
                    return element;
                }
                let value = self.valuation.value(read);
                let element = self.fresh("element", element_sort, value);
                elements.insert(place, (at, element));
                element
            });
            self.take(literal, new);
        }
        self.vars.remove(&array);
        let mut indices: Vec<(Value, Term)> =
            elements.into_iter().map(|(v, (i, _))| (v, i)).collect();
        indices.sort();
        let indices: Vec<Term> = indices.into_iter().map(|(_, i)| i).collect();
        if index_sort.is_arith() && indices.len() > PAIRS {
            conditions.extend(indices.windows(2).map(|pair| t.lt(pair[0], pair[1])));
        } else {
            conditions.push(t.distinct(&indices));
        }
        self.assume(conditions);
    }
}

/// A value of a sort of numbers.
fn number_value(t: &Terms, sort: Sort, n: i64) -> Option<Value> {
    match t.bitvec_width(sort) {
        Some(width) => t.ground_value(t.bitvec(&BigInt::from(n), width)).ok(),
        None => sort.is_arith().then(|| Value::from(n)),
    }
}
