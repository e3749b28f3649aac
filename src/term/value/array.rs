//! Arrays as finite maps over a default.

use super::Value;
use crate::term::{Sort, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A value of an array sort: elements that differ from a default, and the default everywhere else.
///
/// Equal arrays have the same representation. Where the index sort is infinite that only takes
/// dropping the entries that equal the default. Where it is finite the default is the most frequent
/// element, the least one among equally frequent ones; so two ways of writing the same function on
/// `Bool` are the same value.
#[derive(Clone)]
pub struct ArrayValue(pub(super) Arc<ArrayNode>);

/// Invariant: no entry equals the default; the default is the one that [`ArrayValue`] promises;
/// `hash` is a function of the other fields.
#[derive(Clone)]
pub(super) struct ArrayNode {
    pub(super) sort: Sort,
    pub(super) default: Value,
    pub(super) entries: BTreeMap<Value, Value>,
    pub(super) hash: u64,
}

impl ArrayValue {
    /// The array of that sort that has `default` everywhere.
    ///
    /// # Panics
    /// If `sort` is no array sort or `default` not of its element sort.
    pub fn constant(terms: &Terms, sort: Sort, default: Value) -> ArrayValue {
        let (_, element) = terms.array_parts(sort).expect("an array has an array sort");
        assert!(
            default.is_of(terms, element),
            "{default:?} is no element of the array"
        );
        let mut node = ArrayNode {
            sort,
            default,
            entries: BTreeMap::new(),
            hash: 0,
        };
        node.rehash();
        ArrayValue(Arc::new(node))
    }

    /// The array changed at the given places, a later change winning over an earlier one at the
    /// same place.
    ///
    /// # Panics
    /// If an index or an element is not of the array's sorts.
    pub fn store(
        self,
        terms: &Terms,
        changes: impl IntoIterator<Item = (Value, Value)>,
    ) -> ArrayValue {
        let (index_sort, element_sort) = terms
            .array_parts(self.0.sort)
            .expect("an array has an array sort");
        let mut node = Arc::unwrap_or_clone(self.0);
        for (index, element) in changes {
            assert!(
                index.is_of(terms, index_sort) && element.is_of(terms, element_sort),
                "{index:?} or {element:?} is not of the array's sorts"
            );
            if element == node.default {
                node.entries.remove(&index);
            } else {
                node.entries.insert(index, element);
            }
        }
        node.choose_default(terms, index_sort);
        node.rehash();
        ArrayValue(Arc::new(node))
    }

    /// The element at `index`, which must be of the index sort.
    pub fn select(&self, index: &Value) -> &Value {
        self.0.entries.get(index).unwrap_or(&self.0.default)
    }

    /// The array's sort.
    pub fn sort(&self) -> Sort {
        self.0.sort
    }

    /// The element at all places but those of [`ArrayValue::entries`].
    pub fn default_element(&self) -> &Value {
        &self.0.default
    }

    /// Index and element where the element is not the default, by ascending index.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (&Value, &Value)> {
        self.0.entries.iter()
    }
}

impl ArrayNode {
    /// Makes the most frequent element the default, where the index sort is finite.
    fn choose_default(&mut self, terms: &Terms, index_sort: Sort) {
        let explicit = self.entries.len() as u64;
        let indices = match terms.cardinality(index_sort) {
            // A default that stands at more than half of the places is the most frequent element.
            Some(indices) if indices - explicit <= explicit => indices,
            _ => return,
        };
        let mut counts: FxHashMap<&Value, u64> = FxHashMap::default();
        for element in self.entries.values() {
            *counts.entry(element).or_default() += 1;
        }
        counts.insert(&self.default, indices - explicit);
        let (most, _) = counts
            .into_iter()
            .max_by(|(x, n), (y, m)| n.cmp(m).then_with(|| y.cmp(x)))
            .expect("the default at least is counted");
        if *most == self.default {
            return;
        }
        let new = most.clone();
        // At most twice as many indices as there are entries.
        let mut all: BTreeMap<Value, Value> = (0..indices)
            .map(|n| (terms.nth_value(index_sort, n), self.default.clone()))
            .collect();
        all.append(&mut self.entries);
        all.retain(|_, element| *element != new);
        self.entries = all;
        self.default = new;
    }

    fn rehash(&mut self) {
        let mut hasher = rustc_hash::FxHasher::default();
        (self.sort, &self.default, &self.entries).hash(&mut hasher);
        self.hash = hasher.finish();
    }
}
