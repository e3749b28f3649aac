//! Elements that are read from the same place of one array, by the axioms of stores and constant
//! arrays.

use super::super::Unsupported;
use super::super::writer::{Lit, StepName};
use super::{Access, Closure, Element, Equation, Reason};
use crate::term::{Op, Term};
use crate::work;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

impl Closure<'_, '_> {
    /// Joins elements that are read from the same place of one array; was there something to join?
    pub(super) fn join_reads(&mut self) -> bool {
        let elements = self.elements();
        let mut joined = false;
        for (n, &first) in elements.iter().enumerate() {
            for &other in &elements[..n] {
                if self.root(first.element) == self.root(other.element) {
                    continue;
                }
                if let Some((index, stores)) = self.same_place(first, other) {
                    let ends = [first, other];
                    let access = Access {
                        ends,
                        index,
                        stores,
                    };
                    let reason = || Reason::Read(Box::new(access));
                    joined |= self.join(first.element, other.element, reason);
                }
            }
        }
        joined
    }

    /// An index at which two arrays have these elements, and stores on a way between the arrays,
    /// none of which is to that index.
    fn same_place(&self, first: Element, other: Element) -> Option<(usize, Vec<(usize, bool)>)> {
        let way = |index| Some((index, self.passage(first.array, other.array, index)?));
        match (first.index, other.index) {
            (Some(i), Some(j)) if self.root(i) != self.root(j) => None,
            (Some(index), _) | (None, Some(index)) => way(index),
            (None, None) => {
                let sort = |i: usize| self.t.sort_of(self.terms[i]);
                let index_sort = |array| self.t.array_parts(sort(array)).map(|parts| parts.0);
                let wanted = index_sort(first.array)?;
                if index_sort(other.array) != Some(wanted) {
                    return None;
                }
                let mut indices = (0..self.terms.len()).filter(|&i| sort(i) == wanted);
                indices.find_map(way)
            }
        }
    }

    fn elements(&self) -> Vec<Element> {
        let element = |i: usize| {
            let args = self.args(i);
            let (array, index, element, by_axiom) = match self.t.op(self.terms[i]) {
                Op::Select => (args[0], Some(args[1]), i, false),
                Op::Store => (i, Some(args[1]), args[2], true),
                Op::ConstArray => (i, None, args[0], true),
                _ => return None,
            };
            Some(Element {
                array,
                index,
                element,
                by_axiom,
            })
        };
        (0..self.terms.len()).filter_map(element).collect()
    }

    /// The stores on a way between two arrays, none of which is to an index.
    fn passage(&self, from: usize, to: usize, index: usize) -> Option<Vec<(usize, bool)>> {
        let is_store = |&i: &usize| self.t.op(self.terms[i]) == Op::Store;
        let stores = (0..self.terms.len()).filter(is_store);
        let stores = stores.filter(|&store| self.differ(self.args(store)[1], index).is_some());
        let stores: Vec<usize> = stores.collect();
        // By class of arrays: the store over which it was reached.
        let mut reached: FxHashMap<usize, Option<(usize, bool)>> = FxHashMap::default();
        reached.insert(self.root(from), None);
        let mut queue = VecDeque::from([self.root(from)]);
        while let Some(at) = queue.pop_front() {
            work::spend_on(1 + stores.len());
            for &store in &stores {
                let (above, below) = (self.root(store), self.root(self.args(store)[0]));
                for (here, next, down) in [(above, below, true), (below, above, false)] {
                    if here == at && !reached.contains_key(&next) {
                        reached.insert(next, Some((store, down)));
                        queue.push_back(next);
                    }
                }
            }
        }
        let mut way = Vec::new();
        let mut at = self.root(to);
        while let Some((store, down)) = *reached.get(&at)? {
            way.push((store, down));
            at = self.root(if down { store } else { self.args(store)[0] });
        }
        way.reverse();
        Some(way)
    }

    /// Two terms in the classes of these two, in this order, that are different; with `true` since
    /// the clause has their equation, with `false` by themselves.
    fn differ(&self, x: usize, y: usize) -> Option<(usize, usize, bool)> {
        let (left, right) = (self.root(x), self.root(y));
        let kept_apart = self.wanted.iter().find_map(|&(a, b)| {
            let (of_a, of_b) = (self.root(a), self.root(b));
            match () {
                () if (of_a, of_b) == (left, right) => Some((a, b, true)),
                () if (of_b, of_a) == (left, right) => Some((b, a, true)),
                () => None,
            }
        });
        let by_themselves = || {
            // Indices of different arrays can have different sorts.
            let [sort, other] = [x, y].map(|at| self.t.sort_of(self.terms[at]));
            let is_offset = sort.is_arith()
                && sort == other
                && self.t.eq(self.terms[x], self.terms[y]) == Term::FALSE;
            is_offset.then_some((x, y, false))
        };
        let values = || {
            let members = |class| (0..self.terms.len()).filter(move |&i| self.root(i) == class);
            let first_value = |class| {
                members(class).find(|&i| {
                    let is_built = matches!(self.t.op(self.terms[i]), Op::Construct(_));
                    is_built || self.t.is_distinct_constant(self.terms[i])
                })
            };
            let (a, b) = (first_value(left)?, first_value(right)?);
            self.are_distinct(a, b).then_some((a, b, false))
        };
        kept_apart.or_else(by_themselves).or_else(values)
    }

    /// A step with the negation of the equation of two terms that differ, and literals of the
    /// clause, which has not that equation.
    fn difference(&mut self, x: usize, y: usize) -> Result<StepName, Unsupported> {
        let (a, b, is_wanted) = self.differ(x, y).ok_or(Unsupported::Clause)?;
        let literal = self.equation(x, y);
        let apart = self.equation(a, b);
        let given = Equation {
            literal,
            step: None,
        };
        let mut around = Vec::new();
        for (from, to) in [(a, x), (y, b)] {
            if from != to {
                around.push(self.explain(from, to)?);
            }
        }
        if literal == apart {
            return self.distinct(a, b);
        }
        let links = [&around[..], &[given]].concat();
        let step = self.conclude("eq_transitive", &links, apart, &[])?.step;
        let step = step.expect("it was concluded");
        if is_wanted {
            return Ok(step);
        }
        let distinct = self.distinct(a, b)?;
        self.out.resolve(&[step, distinct])
    }

    /// That two elements are equal.
    pub(super) fn access(
        &mut self,
        access: &Access,
        literal: Lit,
    ) -> Result<Equation, Unsupported> {
        let [first, other] = access.ends;
        let mut links = self.element(first, access.index)?;
        let mut at = first.array;
        for &(store, down) in &access.stores {
            let base = self.args(store)[0];
            let (from, to) = if down { (store, base) } else { (base, store) };
            self.pass_on(&mut links, at, from, access.index)?;
            links.push(self.beside(store, base, access.index)?);
            at = to;
        }
        self.pass_on(&mut links, at, other.array, access.index)?;
        links.extend(self.element(other, access.index)?);
        match *links {
            [only] if only.literal == literal => Ok(only),
            _ => self.conclude("eq_transitive", &links, literal, &[]),
        }
    }

    /// The reading of an array at an index.
    fn reading(&self, array: usize, index: usize) -> String {
        format!("(select {} {})", self.text(array), self.text(index))
    }

    /// Adds that two equal arrays have the same at an index.
    fn pass_on(
        &mut self,
        links: &mut Vec<Equation>,
        from: usize,
        to: usize,
        index: usize,
    ) -> Result<(), Unsupported> {
        if from != to {
            let equations = [self.explain(from, to)?, self.explain(index, index)?];
            let [before, after] = [from, to].map(|array| self.reading(array, index));
            let literal = self.raw_equation(&before, &after);
            links.push(self.conclude("eq_congruent", &equations, literal, &[])?);
        }
        Ok(())
    }

    /// That a store has at an index beside its own what the array has that it changes.
    fn beside(&mut self, store: usize, base: usize, index: usize) -> Result<Equation, Unsupported> {
        let own = self.args(store)[1];
        let [above, below] = [store, base].map(|array| self.reading(array, index));
        let literal = self.raw_equation(&above, &below);
        let equal = self.equation(own, index);
        let axiom = self.out.tautology("array_other", &[equal, literal], &[]);
        // The clause may have the equation of the indices itself.
        let is_wanted = self.wanted.contains(&(own, index)) || self.wanted.contains(&(index, own));
        let step = match is_wanted {
            true => axiom,
            false => {
                let apart = self.difference(own, index)?;
                self.out.resolve(&[axiom, apart])?
            }
        };
        let step = Some(step);
        Ok(Equation { literal, step })
    }

    /// That an element is what is read from its array at an index: no equation where it is that
    /// term.
    fn element(&mut self, element: Element, index: usize) -> Result<Vec<Equation>, Unsupported> {
        let mut links = Vec::new();
        let own_index = element.index.unwrap_or(index);
        if element.by_axiom {
            let [read, own] = [
                self.reading(element.array, own_index),
                self.text(element.element),
            ];
            let literal = self.raw_equation(&read, &own);
            let rule = match element.index {
                Some(_) => "array_same",
                None => "array_const",
            };
            let step = Some(self.out.tautology(rule, &[literal], &[]));
            links.push(Equation { literal, step });
        }
        if own_index != index {
            let array = element.array;
            let equations = [self.explain(array, array)?, self.explain(own_index, index)?];
            let [before, after] = [own_index, index].map(|at| self.reading(array, at));
            let literal = self.raw_equation(&before, &after);
            links.push(self.conclude("eq_congruent", &equations, literal, &[])?);
        }
        Ok(links)
    }
}
