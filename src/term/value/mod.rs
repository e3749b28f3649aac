//! Ground values: what variables are given in a model, and what terms evaluate to.
//!
//! Values are immutable and share their parts, so that a clone costs nothing; they compare by what
//! they denote, also arrays over finite index sorts. Nothing here recurses over the depth of a
//! value: a list of 100,000 elements is compared, hashed, printed and dropped like a short one, and
//! a value that shares its parts costs what its graph has, not what its tree has.
//!
//! Constructors, selectors and sorts in a value are ids of one store: a value belongs to that
//! store.
//!
//! Invariant: every value is well sorted. Functions that check the parts make every value with
//! parts.

mod array;
mod bitvec;
mod convert;
mod deep;
mod inhabitants;

use super::{CtorId, Sort, SortKind, Terms};
use crate::number::Rational;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub use array::ArrayValue;
pub use bitvec::BitVec;

/// A value of a sort.
///
/// The order is total and arbitrary between values of one sort, except that numbers are in their
/// own order.
#[derive(Clone)]
pub enum Value {
    /// Of `Bool`.
    Bool(bool),
    /// Of `Int`, then integral, or `Real`.
    Number(Rational),
    /// Of `(_ BitVec n)`.
    BitVec(BitVec),
    /// Of `(Array s t)`.
    Array(ArrayValue),
    /// Of a datatype.
    Datatype(DatatypeValue),
    /// Of an uninterpreted sort. Elements with different numbers are different: models are of
    /// infinite sorts. A sort of a system may also have one element only, so refutations have to
    /// hold where all elements are the same.
    Element {
        /// The sort.
        sort: Sort,
        /// Which of its elements.
        index: u64,
    },
}

impl Value {
    /// The value that `ctor` builds from `fields`.
    ///
    /// # Panics
    /// If number or sorts of the fields do not fit the constructor.
    pub fn datatype(terms: &Terms, ctor: CtorId, fields: Vec<Value>) -> Value {
        let decl = terms.ctor(ctor);
        let fits = decl.fields.len() == fields.len()
            && (decl.fields.iter().zip(&fields))
                .all(|(&selector, field)| field.is_of(terms, terms.selector(selector).sort));
        assert!(
            fits,
            "fields {fields:?} do not fit the constructor {}",
            terms.display_symbol(decl.name)
        );
        Value::Datatype(DatatypeValue(Arc::new(DatatypeNode::new(ctor, fields))))
    }

    /// The array of that sort that has `default` everywhere.
    ///
    /// # Panics
    /// If `sort` is no array sort or `default` not of its element sort.
    pub fn const_array(terms: &Terms, sort: Sort, default: Value) -> Value {
        Value::Array(ArrayValue::constant(terms, sort, default))
    }

    /// Is this a value of that sort? The time is constant: parts were checked when the value was
    /// made.
    pub fn is_of(&self, terms: &Terms, sort: Sort) -> bool {
        match (self, terms.sort_kind(sort)) {
            (Value::Bool(_), SortKind::Bool) | (Value::Number(_), SortKind::Real) => true,
            (Value::Number(number), SortKind::Int) => number.is_integer(),
            (Value::BitVec(bits), SortKind::BitVec(width)) => bits.width() == *width,
            (Value::Array(array), SortKind::Array(..)) => array.sort() == sort,
            (Value::Datatype(data), SortKind::Datatype(id)) => {
                terms.ctor(data.ctor()).datatype == *id
            }
            (Value::Element { sort: own, .. }, SortKind::Uninterpreted(..)) => *own == sort,
            _ => false,
        }
    }

    /// The truth value, `None` for values of other sorts than `Bool`.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The number, `None` for values of other sorts than `Int` and `Real`.
    pub fn as_number(&self) -> Option<&Rational> {
        match self {
            Value::Number(value) => Some(value),
            _ => None,
        }
    }

    /// The bit-vector, `None` for values of other sorts.
    pub fn as_bitvec(&self) -> Option<&BitVec> {
        match self {
            Value::BitVec(value) => Some(value),
            _ => None,
        }
    }

    /// The array, `None` for values of other sorts.
    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            Value::Array(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a datatype, `None` for values of other sorts.
    pub fn as_datatype(&self) -> Option<&DatatypeValue> {
        match self {
            Value::Datatype(value) => Some(value),
            _ => None,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<Rational> for Value {
    fn from(value: Rational) -> Self {
        Value::Number(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Number(Rational::from(value))
    }
}

impl From<BitVec> for Value {
    fn from(value: BitVec) -> Self {
        Value::BitVec(value)
    }
}

/// A value of a datatype: a constructor and its fields.
#[derive(Clone)]
pub struct DatatypeValue(Arc<DatatypeNode>);

impl DatatypeValue {
    /// The constructor.
    pub fn ctor(&self) -> CtorId {
        self.0.ctor
    }

    /// The fields in order.
    pub fn fields(&self) -> &[Value] {
        &self.0.fields
    }
}

/// Invariant: `hash` is a function of the other fields.
struct DatatypeNode {
    ctor: CtorId,
    fields: Vec<Value>,
    hash: u64,
}

impl DatatypeNode {
    fn new(ctor: CtorId, fields: Vec<Value>) -> Self {
        let mut hasher = rustc_hash::FxHasher::default();
        (ctor, &fields).hash(&mut hasher);
        let hash = hasher.finish();
        DatatypeNode { ctor, fields, hash }
    }
}
