//! Values: those of simple sorts become Python's own, the parts of others are given one by one.

use crate::problem::{Shared, lock};
use horn::term::{Sort, SortKind, Value as Core};
use num_bigint::BigInt;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex};

/// A value of a sort. It is compared by what it is.
#[pyclass(frozen, eq, hash)]
#[derive(Clone)]
pub(crate) struct Value {
    value: Core,
    sort: Sort,
    shared: Arc<Mutex<Shared>>,
}

impl Value {
    pub(crate) fn new(value: Core, sort: Sort, shared: &Arc<Mutex<Shared>>) -> Value {
        Value {
            value,
            sort,
            shared: Arc::clone(shared),
        }
    }

    fn part(&self, value: &Core, sort: Sort) -> Value {
        Value::new(value.clone(), sort, &self.shared)
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        let same = Arc::ptr_eq(&self.shared, &other.shared) && self.sort == other.sort;
        same && self.value == other.value
    }
}

impl std::hash::Hash for Value {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

#[pymethods]
impl Value {
    /// The value in SMT-LIB.
    #[getter]
    fn text(&self) -> PyResult<String> {
        let state = lock(&self.shared)?;
        let t = state.problem.terms();
        Ok(t.display(t.value_term(&self.value, self.sort)).to_string())
    }

    /// The sort in SMT-LIB.
    #[getter]
    fn sort(&self) -> PyResult<String> {
        let state = lock(&self.shared)?;
        Ok(state.problem.terms().display_sort(self.sort).to_string())
    }

    /// A truth value, else None.
    #[getter]
    fn truth(&self) -> Option<bool> {
        self.value.as_bool()
    }

    /// Numerator and denominator of a number; the unsigned number of a bit-vector with 1.
    #[getter]
    fn number(&self) -> Option<(BigInt, BigInt)> {
        if let Some(number) = self.value.as_number() {
            return Some((number.numer(), number.denom()));
        }
        let bits = self.value.as_bitvec()?;
        Some((BigInt::from(bits.unsigned().clone()), BigInt::from(1)))
    }

    /// Is this a real number?
    #[getter]
    fn is_real(&self) -> bool {
        self.sort == Sort::REAL
    }

    /// Constructor and fields of a value of a datatype, else None.
    #[getter]
    fn construction(&self) -> PyResult<Option<(String, Vec<Value>)>> {
        let Some(data) = self.value.as_datatype() else {
            return Ok(None);
        };
        let state = lock(&self.shared)?;
        let t = state.problem.terms();
        let ctor = t.ctor(data.ctor());
        let sorts = ctor.fields.iter().map(|&field| t.selector(field).sort);
        let fields = data.fields().iter().zip(sorts);
        let fields = fields.map(|(field, sort)| self.part(field, sort)).collect();
        Ok(Some((t.name(ctor.name).to_owned(), fields)))
    }

    /// The entries of an array that differ from its default, and the default; else None.
    #[getter]
    #[allow(clippy::type_complexity, reason = "Python has no names for it either")]
    fn entries(&self) -> PyResult<Option<(Vec<(Value, Value)>, Value)>> {
        let Some(array) = self.value.as_array() else {
            return Ok(None);
        };
        let state = lock(&self.shared)?;
        let SortKind::Array(index, element) = *state.problem.terms().sort_kind(self.sort) else {
            return Ok(None);
        };
        let entry = |(at, value)| (self.part(at, index), self.part(value, element));
        let default = self.part(array.default_element(), element);
        Ok(Some((array.entries().map(entry).collect(), default)))
    }
}
