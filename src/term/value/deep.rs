//! Comparing, hashing, printing and dropping of values, whose depth is bounded by memory only.

use super::array::ArrayNode;
use super::{DatatypeNode, Value};
use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Debug output stops after 1000 parts: the tree of a value may be exponentially larger than its
/// graph.
const DEBUG_PARTS: usize = 1000;

impl Value {
    /// Where the parts of a compound value are, and how many values hold on to them; `None` for a
    /// simple value.
    fn shared(&self) -> Option<(usize, usize)> {
        match self {
            Value::Datatype(data) => {
                Some((Arc::as_ptr(&data.0) as usize, Arc::strong_count(&data.0)))
            }
            Value::Array(array) => {
                Some((Arc::as_ptr(&array.0) as usize, Arc::strong_count(&array.0)))
            }
            _ => None,
        }
    }

    /// Where the parts of a compound value are; `None` for a simple value. Equal places hold equal
    /// parts.
    pub(in crate::term) fn place(&self) -> Option<usize> {
        self.shared().map(|(place, _)| place)
    }

    /// The parts: the fields, or the default element and then each index with its element.
    pub(in crate::term) fn parts(&self) -> impl DoubleEndedIterator<Item = &Value> {
        let (fields, array) = match self {
            Value::Datatype(data) => (data.fields(), None),
            Value::Array(array) => (&[][..], Some(&array.0)),
            _ => (&[][..], None),
        };
        let default = array.map(|node| &node.default);
        let entries = array.into_iter().flat_map(|node| &node.entries);
        fields
            .iter()
            .chain(default)
            .chain(entries.flat_map(|(index, element)| [index, element]))
    }

    /// The kinds of values in their order.
    fn rank(&self) -> u8 {
        match self {
            Value::Bool(_) => 0,
            Value::Number(_) => 1,
            Value::BitVec(_) => 2,
            Value::Array(_) => 3,
            Value::Datatype(_) => 4,
            Value::Element { .. } => 5,
        }
    }

    /// The order without the parts; values that are equal here have equally many parts.
    fn compare_heads(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Number(a), Value::Number(b)) => a.cmp(b),
            (Value::BitVec(a), Value::BitVec(b)) => a.cmp(b),
            (Value::Array(a), Value::Array(b)) => {
                (a.sort(), a.entries().len()).cmp(&(b.sort(), b.entries().len()))
            }
            // Constructors of one datatype have a fixed number of fields.
            (Value::Datatype(a), Value::Datatype(b)) => a.ctor().cmp(&b.ctor()),
            (Value::Element { sort, index }, Value::Element { sort: s, index: i }) => {
                (sort, index).cmp(&(s, i))
            }
            _ => self.rank().cmp(&other.rank()),
        }
    }

    fn cached_hash(&self) -> Option<u64> {
        match self {
            Value::Datatype(data) => Some(data.0.hash),
            Value::Array(array) => Some(array.0.hash),
            _ => None,
        }
    }
}

impl Ord for Value {
    /// Heads first, then the parts from left to right.
    fn cmp(&self, other: &Value) -> Ordering {
        let mut todo = vec![];
        let mut seen: FxHashSet<(usize, usize)> = FxHashSet::default();
        let mut next = Some((self, other));
        while let Some((a, b)) = next {
            let heads = a.compare_heads(b);
            if heads != Ordering::Equal {
                return heads;
            }
            if let (Some((place_a, holders_a)), Some((place_b, holders_b))) =
                (a.shared(), b.shared())
            {
                // A pair met before is equal, or the search would have ended. A part with a single
                // holder is met again only if its holder is.
                let repeated = place_a == place_b
                    || (holders_a > 1 && holders_b > 1 && !seen.insert((place_a, place_b)));
                if !repeated {
                    let pairs = a.parts().zip(b.parts());
                    let start = todo.len();
                    todo.extend(pairs);
                    todo[start..].reverse();
                }
            }
            next = todo.pop();
        }
        Ordering::Equal
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.cached_hash() == other.cached_hash() && self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u8(self.rank());
        match self {
            Value::Bool(value) => value.hash(state),
            Value::Number(number) => number.hash(state),
            Value::BitVec(bits) => bits.hash(state),
            Value::Array(array) => state.write_u64(array.0.hash),
            Value::Datatype(data) => state.write_u64(data.0.hash),
            Value::Element { sort, index } => (sort, index).hash(state),
        }
    }
}

/// For debugging only: ids instead of names, and long values are cut off.
/// [`crate::term::Terms::value_term`] makes terms, which print as SMT-LIB.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut todo = vec![Some(self)];
        let mut written = 0;
        while let Some(next) = todo.pop() {
            let Some(value) = next else {
                f.write_str(")")?;
                continue;
            };
            if written == DEBUG_PARTS {
                return f.write_str(" …");
            }
            if written > 0 {
                f.write_str(" ")?;
            }
            written += 1;
            match value {
                Value::Bool(value) => write!(f, "{value}")?,
                Value::Number(number) => write!(f, "{number}")?,
                Value::BitVec(bits) => write!(f, "{bits}")?,
                Value::Array(_) => f.write_str("(array")?,
                Value::Datatype(data) => write!(f, "({:?}", data.ctor())?,
                Value::Element { sort, index } => write!(f, "{sort:?}!{index}")?,
            }
            if value.shared().is_some() {
                todo.push(None);
                // No more than can be written.
                let start = todo.len();
                todo.extend(value.parts().take(DEBUG_PARTS).map(Some));
                todo[start..].reverse();
            }
        }
        Ok(())
    }
}

/// Drops values with all that only they hold.
fn dismantle(mut todo: Vec<Value>) {
    while let Some(value) = todo.pop() {
        match value {
            Value::Datatype(data) => {
                if let Some(mut node) = Arc::into_inner(data.0) {
                    node.release(&mut todo);
                }
            }
            Value::Array(array) => {
                if let Some(mut node) = Arc::into_inner(array.0) {
                    node.release(&mut todo);
                }
            }
            _ => {}
        }
    }
}

impl DatatypeNode {
    /// Moves the compound parts out, so that dropping the rest goes one level deep.
    fn release(&mut self, to: &mut Vec<Value>) {
        let fields = std::mem::take(&mut self.fields);
        to.extend(fields.into_iter().filter(|field| field.shared().is_some()));
    }
}

impl ArrayNode {
    /// Moves the compound parts out, so that dropping the rest goes one level deep.
    fn release(&mut self, to: &mut Vec<Value>) {
        let default = std::mem::replace(&mut self.default, Value::Bool(false));
        let entries = std::mem::take(&mut self.entries);
        let parts = entries
            .into_iter()
            .flat_map(|(index, element)| [index, element])
            .chain([default]);
        to.extend(parts.filter(|part| part.shared().is_some()));
    }
}

impl Drop for DatatypeNode {
    fn drop(&mut self) {
        let mut parts = Vec::new();
        self.release(&mut parts);
        dismantle(parts);
    }
}

impl Drop for ArrayNode {
    fn drop(&mut self) {
        let mut parts = Vec::new();
        self.release(&mut parts);
        dismantle(parts);
    }
}
