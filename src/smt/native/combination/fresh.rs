//! Values that nothing else has.

use crate::number::Rational;
use crate::term::{BitVec, CtorId, Sort, SortKind, Terms, Value};
use crate::work;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;

/// The difference between the numbers of two new values is at most this. The value was not tuned.
const MOST_STEP: usize = 16;

/// Gives out values, each once.
#[derive(Debug)]
pub(super) struct Fresh {
    /// Values that were given out or met.
    used: FxHashSet<Value>,
    /// The number of the next value of an infinite sort.
    next: u64,
    /// How far numbers are apart, so that terms built from one value do not equal another one.
    step: u64,
    /// For infinite sorts: see [`way_to_infinity`].
    ways: FxHashMap<Sort, (Rc<[Part]>, Sort)>,
    /// For datatypes that are infinite by themselves: the last value that was made, and its
    /// number. The value of number n has n layers, so the next one is built around it.
    deepest: FxHashMap<Sort, (u64, Value)>,
    /// What the other fields of a layer hold.
    defaults: FxHashMap<Sort, Value>,
}

/// A step from a sort to a part of it.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// From a datatype to this field of this constructor.
    Field(CtorId, usize),
    /// From this array sort to its elements.
    Element(Sort),
}

impl Fresh {
    /// For a problem with this number of applications.
    pub(super) fn new(applications: usize) -> Self {
        let step = applications.min(MOST_STEP) as u64 + 1;
        Fresh {
            used: FxHashSet::default(),
            next: step,
            step,
            ways: FxHashMap::default(),
            deepest: FxHashMap::default(),
            defaults: FxHashMap::default(),
        }
    }

    /// Takes note of a value that is used.
    pub(super) fn note(&mut self, value: &Value) {
        self.used.insert(value.clone());
    }

    /// A value of the sort that is not used yet, if there is one, else any.
    pub(super) fn value(&mut self, t: &Terms, sort: Sort) -> Value {
        let count = t.cardinality(sort);
        let attempts = count.unwrap_or(u64::MAX).min(self.used.len() as u64 + 1);
        for n in 0..attempts {
            let value = match count {
                Some(_) => t.nth_value(sort, n),
                None => self.infinite(t, sort, n + self.next),
            };
            if !self.used.contains(&value) {
                if count.is_none() {
                    self.next += n + self.step;
                }
                self.used.insert(value.clone());
                return value;
            }
        }
        match count {
            Some(_) => t.nth_value(sort, 0),
            None => self.infinite(t, sort, self.next),
        }
    }

    /// The value of that number of an infinite sort; different numbers give different values.
    fn infinite(&mut self, t: &Terms, sort: Sort, n: u64) -> Value {
        work::spend(8);
        let known = self.ways.entry(sort);
        let (way, end) = known
            .or_insert_with(|| {
                let (way, end) = way_to_infinity(t, sort);
                (way.into(), end)
            })
            .clone();
        let inner = match t.sort_kind(end) {
            SortKind::Uninterpreted(..) => Value::Element {
                sort: end,
                index: (1 << 40) + n,
            },
            SortKind::BitVec(width) => Value::BitVec(BitVec::new(n.into(), *width)),
            SortKind::Array(index, element) => {
                let value = |i| t.nth_value(*element, i);
                let Value::Array(array) = Value::const_array(t, end, value(0)) else {
                    unreachable!("it is an array");
                };
                Value::Array(array.store(t, [(self.infinite(t, *index, n), value(1))]))
            }
            SortKind::Datatype(_) if end == sort => return self.layers(t, sort, &way, n),
            SortKind::Datatype(_) => self.infinite(t, end, n),
            _ => Value::Number(Rational::from(n as i64)),
        };
        self.wrap(t, &way, inner)
    }

    /// The value of that number of a datatype that is infinite by itself: the default value within
    /// that number of layers, each of which is the way from the datatype back to itself.
    fn layers(&mut self, t: &Terms, sort: Sort, way: &[Part], n: u64) -> Value {
        let (mut made, mut value) = match self.deepest.remove(&sort) {
            Some((made, value)) if made <= n => (made, value),
            _ => (0, self.default(t, sort)),
        };
        while made < n {
            value = self.wrap(t, way, value);
            made += 1;
        }
        self.deepest.insert(sort, (n, value.clone()));
        value
    }

    /// The value that has this value at the end of the way, and default values beside the way.
    fn wrap(&mut self, t: &Terms, way: &[Part], inner: Value) -> Value {
        work::spend(way.len() as u64);
        let inside_out = way.iter().rev();
        inside_out.fold(inner, |inner, &part| self.around(t, part, inner))
    }

    /// A value that has this value as a part, and default values as its other parts.
    fn around(&mut self, t: &Terms, part: Part, inner: Value) -> Value {
        match part {
            Part::Element(sort) => Value::const_array(t, sort, inner),
            Part::Field(ctor, place) => {
                let fields = t.ctor(ctor).fields.iter().enumerate();
                let fields = fields.map(|(i, &f)| match i == place {
                    true => inner.clone(),
                    false => self.default(t, t.selector(f).sort),
                });
                Value::datatype(t, ctor, fields.collect())
            }
        }
    }

    fn default(&mut self, t: &Terms, sort: Sort) -> Value {
        let known = self.defaults.entry(sort);
        let value = || t.default_value(sort).expect("the sort has values");
        known.or_insert_with(value).clone()
    }
}

/// The shortest way from an infinite sort to a part that is infinite without having parts, or by
/// its indices; else back to itself; else to a datatype that is infinite by itself.
fn way_to_infinity(t: &Terms, sort: Sort) -> (Vec<Part>, Sort) {
    let mut queue: VecDeque<(Vec<Part>, Sort)> = VecDeque::from([(Vec::new(), sort)]);
    let mut first: FxHashMap<Sort, Vec<Part>> = FxHashMap::default();
    let (mut back, mut other) = (None, None);
    while let Some((way, at)) = queue.pop_front() {
        if let Some(earlier) = first.get(&at) {
            match at == sort {
                true => back = back.or(Some((way, at))),
                false => other = other.or_else(|| Some((earlier.clone(), at))),
            }
            continue;
        }
        first.insert(at, way.clone());
        let mut parts: Vec<(Part, Sort)> = Vec::new();
        match t.sort_kind(at) {
            SortKind::Array(_, element) => parts.push((Part::Element(at), *element)),
            SortKind::Datatype(id) => {
                for &ctor in t.datatype(*id).ctors() {
                    let fields = t.ctor(ctor).fields.iter().enumerate();
                    parts.extend(fields.map(|(i, &f)| (Part::Field(ctor, i), t.selector(f).sort)));
                }
            }
            _ => return (way, at),
        }
        parts.retain(|&(_, sort)| t.cardinality(sort).is_none());
        if parts.is_empty() {
            return (way, at);
        }
        for (part, next) in parts {
            let way = way.iter().copied().chain([part]).collect();
            queue.push_back((way, next));
        }
    }
    back.or(other).expect("the sort is infinite")
}
