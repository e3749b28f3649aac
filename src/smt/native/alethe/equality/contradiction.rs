//! Contradictions between what is equal, as steps.

use super::super::Unsupported;
use super::super::writer::StepName;
use super::{Closure, Equation};
use crate::term::Op;
use crate::work;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

impl Closure<'_, '_> {
    /// A step for a contradiction between what is equal.
    pub(super) fn contradiction(&mut self) -> Result<Option<StepName>, Unsupported> {
        for (x, y) in self.wanted.clone() {
            if self.root(x) == self.root(y) {
                return self
                    .explain(x, y)?
                    .step
                    .map(Some)
                    .ok_or(Unsupported::Clause);
            }
        }
        let mut values: FxHashMap<usize, usize> = FxHashMap::default();
        for i in 0..self.terms.len() {
            let class = self.root(i);
            let is_value = match self.t.op(self.terms[i]) {
                Op::Construct(_) => true,
                _ => self.t.is_distinct_constant(self.terms[i]),
            };
            if !is_value {
                continue;
            }
            let other = *values.entry(class).or_insert(i);
            if self.are_distinct(i, other) {
                let equal = self.explain(i, other)?;
                let step = self.distinct(i, other)?;
                return self.resolved(step, &[equal]).map(Some);
            }
        }
        self.cycle()
    }

    /// Are these two values different by themselves?
    pub(super) fn are_distinct(&self, x: usize, y: usize) -> bool {
        let t = self.t;
        let (x, y) = (self.terms[x], self.terms[y]);
        match (t.op(x), t.op(y)) {
            (Op::Construct(c), Op::Construct(d)) => c != d,
            (Op::Construct(_), _) | (_, Op::Construct(_)) => false,
            _ => x != y && t.is_distinct_constant(x) && t.is_distinct_constant(y),
        }
    }

    /// That two values are different.
    pub(super) fn distinct(&mut self, x: usize, y: usize) -> Result<StepName, Unsupported> {
        let literal = self.equation(x, y);
        let x = self.terms[x];
        Ok(match self.t.op(x) {
            Op::Construct(_) => self.out.tautology("dt_distinct", &[!literal], &[]),
            _ if self.t.sort_of(x).is_arith() => {
                self.out.la_generic(&[!literal], &["1".to_owned()])
            }
            _ => self.out.tautology("distinct_values", &[!literal], &[]),
        })
    }

    /// A step for a value that would be a part of itself.
    fn cycle(&mut self) -> Result<Option<StepName>, Unsupported> {
        let Some(cycle) = self.find_cycle() else {
            return Ok(None);
        };
        // From the last constructor term outwards: each equals a term around the first one.
        let start = cycle[0].0;
        let mut inner = self.text(start);
        let mut chain: Option<(usize, Equation)> = None;
        for &(term, place) in cycle.iter().rev() {
            let arg = self.args(term)[place];
            let arg_text = self.text(arg);
            // The argument equals the text inside.
            let equal = match chain {
                None => self.explain(arg, start)?,
                Some((next, equal)) => {
                    let way = self.explain(arg, next)?;
                    let literal = self.raw_equation(&arg_text, &inner);
                    self.conclude("eq_transitive", &[way, equal], literal, &[])?
                }
            };
            let around = self.with_argument(term, place, &inner);
            let mut equations = Vec::new();
            for (at, other) in self.args(term).into_iter().enumerate() {
                equations.push(if at == place {
                    equal
                } else {
                    self.explain(other, other)?
                });
            }
            let text = self.text(term);
            let literal = self.raw_equation(&text, &around);
            let equal = self.conclude("eq_congruent", &equations, literal, &[])?;
            chain = Some((term, equal));
            inner = around;
        }
        let Some((_, equal)) = chain else {
            return Ok(None);
        };
        let step = self.out.tautology("dt_acyclic", &[!equal.literal], &[]);
        self.resolved(step, &[equal]).map(Some)
    }

    /// Constructor terms, each with the place of an argument that equals the next one, the last one
    /// the first.
    fn find_cycle(&self) -> Option<Vec<(usize, usize)>> {
        let mut edges: FxHashMap<usize, Vec<(usize, usize)>> = FxHashMap::default();
        let mut starts = Vec::new();
        for i in 0..self.terms.len() {
            if matches!(self.t.op(self.terms[i]), Op::Construct(_)) {
                let places = (0..self.args(i).len()).map(|place| (i, place));
                edges.entry(self.root(i)).or_default().extend(places);
                starts.push(self.root(i));
            }
        }
        let next = |(term, place): (usize, usize)| self.root(self.args(term)[place]);
        let edges_of = |class: usize| edges.get(&class).into_iter().flatten().copied();
        starts.into_iter().find_map(|start| {
            // By class: the edge over which it was reached first.
            let mut reached: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
            let mut queue = VecDeque::from([start]);
            while let Some(class) = queue.pop_front() {
                work::spend(1);
                for edge in edges_of(class) {
                    if let Entry::Vacant(entry) = reached.entry(next(edge)) {
                        entry.insert(edge);
                        queue.push_back(next(edge));
                    }
                }
            }
            let mut way = vec![*reached.get(&start)?];
            while self.root(way[way.len() - 1].0) != start {
                way.push(reached[&self.root(way[way.len() - 1].0)]);
            }
            way.reverse();
            Some(way)
        })
    }
}
