//! A whole program.

use super::ir::{Expr, FuncId, Function, Lvalue, Object, ObjectId};
use super::types::{CType, DataModel, IntType, Length, StructId, Structs};
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
    /// The variables that are declared outside of functions.
    pub(crate) globals: FxHashSet<ObjectId>,
    /// Where in the text the error begins: in bodies of functions that are the error, and behind
    /// labels.
    pub(crate) errors: Vec<usize>,
    /// Where in the text the statements of `main` begin, and its parameters.
    pub(crate) main: Option<(usize, Vec<ObjectId>)>,
    /// Objects that pointers from outside may point to. If there is a list, nothing else is behind
    /// these pointers, and runs that go through one to unknown memory are left out (see
    /// [`super::outside`]).
    pub(crate) outside: Option<Vec<ObjectId>>,
    /// Of a program with the claims of a violation: where its target is.
    pub(crate) target: Option<Target>,
}

/// The target of a violation: a violation of a property is one that agrees with the witness only
/// if it is in this line, when this number of segments is complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    /// The variable that counts segments.
    pub(crate) counter: ObjectId,
    pub(crate) segments: i128,
    pub(crate) line: u32,
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

    /// Is an object the array of a string literal?
    pub(crate) fn is_string(&self, id: ObjectId) -> bool {
        // No name of the program's has a dot.
        self.object(id).name.starts_with("string.")
    }

    pub(crate) fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.0]
    }
}

/// Arrays within structures are passed on with up to 64 elements. The value was not tuned.
const COPIED: u64 = 64;

/// The scalars of two places of one type; what cannot be taken apart stays whole.
pub(crate) fn scalar_pairs(program: &Program, to: &Lvalue, from: &Lvalue) -> Vec<(Lvalue, Lvalue)> {
    let mut pairs = Vec::new();
    let mut open = vec![(to.clone(), from.clone())];
    while let Some((to, from)) = open.pop() {
        match &to.ty {
            CType::Struct(id) => {
                let fields = program.structs.fields(*id).iter().enumerate().rev();
                for (at, field) in fields {
                    let ty = &field.ty;
                    open.push((
                        to.field(*id, at, ty.clone()),
                        from.field(*id, at, ty.clone()),
                    ));
                }
            }
            CType::Array(element, Length::Constant(count)) if *count <= COPIED => {
                for at in (0..*count).rev() {
                    let index = Expr::constant(i128::from(at), IntType::INT);
                    let ty = (**element).clone();
                    open.push((to.index(index.clone(), ty.clone()), from.index(index, ty)));
                }
            }
            _ => pairs.push((to, from)),
        }
    }
    pairs
}
