//! A whole program.

use super::ir::{FuncId, Function, Object, ObjectId};
use super::types::{DataModel, StructId, Structs};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::rc::Rc;

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
    /// What the program uses and does not define, by names.
    pub(crate) externals: BTreeMap<Rc<str>, External>,
    /// Where in the text the error begins: in bodies of functions that are the error, and behind
    /// labels.
    pub(crate) errors: Vec<usize>,
    /// Objects that pointers from outside may point to. If there is a list, nothing else is behind
    /// these pointers, and runs that go through one to unknown memory are left out (see
    /// [`super::outside`]).
    pub(crate) outside: Option<Vec<ObjectId>>,
}

/// What something that the program does not define is to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum External {
    /// A function with any result.
    Input,
    /// A variable.
    Variable,
    /// A function whose call is the error.
    Error,
    /// A function that is the error where its argument is 0.
    Assertion,
    /// A function that does not return where its argument is 0.
    Assumption,
}

impl Program {
    pub(crate) fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0]
    }

    pub(crate) fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.0]
    }
}
