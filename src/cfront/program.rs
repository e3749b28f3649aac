//! A whole program.

use super::ir::{FuncId, Function, Object, ObjectId};
use super::types::{DataModel, StructId, Structs};
use rustc_hash::FxHashSet;

/// A program: what [`super::lower`] makes of a translation unit.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) structs: Structs,
    pub(crate) objects: Vec<Object>,
    pub(crate) functions: Vec<Function>,
    /// Initial values of globals, then the call of `main`.
    pub(crate) start: FuncId,
    pub(crate) model: DataModel,
    /// Allocations that are filled with zeros.
    pub(crate) zeroed: FxHashSet<ObjectId>,
    /// Unions of which more than one member is used.
    pub(crate) punned: FxHashSet<StructId>,
}

impl Program {
    pub(crate) fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0]
    }

    pub(crate) fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.0]
    }
}
