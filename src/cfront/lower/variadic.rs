//! Functions with a variable number of arguments that the program defines.
//!
//! The further arguments of a call are put into an array of slots that belongs to the caller. A
//! slot has an integer, a pointer and a floating-point number, one of which is the argument. The
//! function gets a pointer to the first slot as its last parameter, and `va_list` is a pointer to
//! the next slot.
//!
//! Missing: structures among the further arguments.

use super::value::ExprValue;
use super::{Lowered, Lowerer, deref, unsupported};
use crate::cfront::ir::{Argument, Expr, FuncId, Lvalue, ObjectId, ObjectKind};
use crate::cfront::types::{CType, Field, FunctionType, IntType, Length, StructDef, StructId};
use lang_c::ast::{Expression, VaArgExpression};
use lang_c::span::Node;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The positions in a slot of the integer, the pointer, and the floating-point number.
const NUMBER: usize = 0;
const POINTER: usize = 1;
const FLOAT: usize = 2;

/// The type of integers in slots: arguments have at most 64 bits.
const WIDE: IntType = IntType::new(64, true);

/// What is known of functions with a variable number of arguments.
#[derive(Default)]
pub(super) struct Variadic {
    /// The type of slots, if the program has any.
    slot: Option<StructId>,
    /// The number of parameters before the further arguments.
    fixed: FxHashMap<FuncId, usize>,
    /// The parameter that points to the slots, of functions with a body.
    slots: FxHashMap<FuncId, ObjectId>,
}

/// The parts of a slot and their types.
fn parts() -> [(&'static str, CType); 3] {
    [
        ("number", CType::Int(WIDE)),
        ("pointer", CType::Pointer(Rc::new(CType::Void))),
        // What has 32 bits is converted, as C says.
        ("float", CType::Float(64)),
    ]
}

/// Does a type have further arguments after its parameters?
pub(super) fn is_variadic(f: &FunctionType) -> bool {
    f.open && !f.params.is_empty()
}

impl Lowerer<'_> {
    /// The type of slots.
    fn slot(&mut self) -> StructId {
        if let Some(id) = self.variadic.slot {
            return id;
        }
        let fields = parts().map(|(name, ty)| Field::new(name, ty));
        self.structs.defs.push(StructDef {
            fields: Some(fields.into()),
            ..StructDef::default()
        });
        *(self.variadic.slot).insert(StructId(self.structs.defs.len() - 1))
    }

    /// `va_list`.
    pub(super) fn argument_list(&mut self) -> CType {
        let slot = self.slot();
        CType::Pointer(Rc::new(CType::Struct(slot)))
    }

    /// Is this the type of `va_list`?
    pub(super) fn is_argument_list(&self, ty: &CType) -> bool {
        let slot = self.variadic.slot.map(CType::Struct);
        slot.is_some() && ty.pointee() == slot.as_ref()
    }

    /// Takes down what the type of a function says of its arguments.
    pub(super) fn note_variadic(&mut self, id: FuncId, f: &FunctionType) {
        if is_variadic(f) {
            self.variadic.fixed.insert(id, f.params.len());
        }
    }

    /// The number of parameters of a function before its further arguments; `None` if it has none.
    pub(super) fn fixed_parameters(&self, id: FuncId) -> Option<usize> {
        self.variadic.fixed.get(&id).copied()
    }

    /// The last parameter of a function with further arguments, whose body begins.
    pub(super) fn slots_parameter(&mut self, id: FuncId) {
        if self.fixed_parameters(id).is_none() {
            return;
        }
        let ty = self.argument_list();
        let object = self.new_object("arguments".into(), ObjectKind::Local(id), ty);
        self.objects[object.0].hidden = true;
        self.functions[id.0].params.push(object);
        self.variadic.slots.insert(id, object);
    }

    /// The further arguments of a call, as the argument for the last parameter.
    pub(super) fn further_arguments(
        &mut self,
        arguments: &[Node<Expression>],
    ) -> Lowered<Argument> {
        let list = self.argument_list();
        let slot = self.slot();
        if arguments.is_empty() {
            let ty = list.int(self.model).unwrap_or(WIDE);
            return Ok(Argument::Scalar(Expr::constant(0, ty)));
        }
        let ty = CType::Array(
            Rc::new(CType::Struct(slot)),
            Length::Constant(arguments.len() as u64),
        );
        let kind = ObjectKind::Local(self.frame.func);
        let object = self.new_object("arguments".into(), kind, ty.clone());
        self.objects[object.0].hidden = true;
        let array = Lvalue::of(object, ty);
        // A call among the arguments has slots as well.
        let mut values = Vec::new();
        for argument in arguments {
            let value = self.value(argument)?;
            values.push(self.kept(value)?);
        }
        for (at, value) in values.into_iter().enumerate() {
            let index = Expr::constant(at as i128, IntType::INT);
            let place = array.index(index, CType::Struct(slot));
            self.fill_slot(&place, slot, value)?;
        }
        let first = self.load(&array)?;
        self.argument(first)
    }

    fn fill_slot(&mut self, place: &Lvalue, slot: StructId, value: ExprValue) -> Lowered<()> {
        let ExprValue::Scalar(e, ty) = value else {
            return unsupported("a structure as one of several arguments");
        };
        if let CType::Pointer(to) = &ty
            && self.may_be_count(to, 16)
        {
            self.formats.is_counted = true;
        }
        let own = match e.ty.float {
            true => FLOAT,
            false if ty.is_pointer() => POINTER,
            false => NUMBER,
        };
        for (at, (_, part)) in parts().into_iter().enumerate() {
            // An argument that is read as what it is not has no meaning in C, but for a zero that
            // ends a list of pointers.
            let value = match at == own {
                true => ExprValue::Scalar(e.clone(), ty.clone()),
                false => {
                    let zero = Expr::constant(0, part.scalar(self.model).unwrap_or(WIDE));
                    ExprValue::Scalar(zero, part.clone())
                }
            };
            self.assign(&place.field(slot, at, part), value)?;
        }
        Ok(())
    }

    /// `va_start`, `va_copy` and `va_end`; `None` for other functions.
    pub(super) fn list_call(
        &mut self,
        name: &str,
        arguments: &[Node<Expression>],
    ) -> Lowered<Option<ExprValue>> {
        match (name, arguments) {
            ("__builtin_va_start", [list, ..]) => {
                let Some(&slots) = self.variadic.slots.get(&self.frame.func) else {
                    return self.fail("`va_start` in a function without further arguments");
                };
                let from = Lvalue::of(slots, self.objects[slots.0].ty.clone());
                let (place, value) = (self.place_of(list)?, self.load(&from)?);
                self.assign(&place, value)?;
            }
            ("__builtin_va_copy", [to, from]) => {
                let (place, value) = (self.place_of(to)?, self.value(from)?);
                self.assign(&place, value)?;
            }
            ("__builtin_va_end", [list]) => drop(self.place_of(list)?),
            _ => return Ok(None),
        }
        Ok(Some(ExprValue::Void))
    }

    /// `va_arg`.
    pub(super) fn next_argument(&mut self, e: &VaArgExpression) -> Lowered<ExprValue> {
        let ty = self.type_name(&e.type_name)?;
        let place = self.place_of(&e.va_list)?;
        if !self.is_argument_list(&place.ty) {
            return self.fail("this is no `va_list`");
        }
        let slot = self.slot();
        let ExprValue::Scalar(list, list_ty) = self.load(&place)? else {
            return self.fail("this is no `va_list`");
        };
        let here = deref(list.clone(), CType::Struct(slot));
        let at = match &ty {
            CType::Int(_) => NUMBER,
            CType::Pointer(_) => POINTER,
            CType::Float(64) => FLOAT,
            _ => return unsupported("`va_arg` of other than numbers and pointers"),
        };
        let (_, part) = parts()[at].clone();
        let value = self.load(&here.field(slot, at, part))?;
        let value = self.kept(value)?;
        let one = Expr::constant(1, IntType::INT);
        let next = self.moved(list, one, &CType::Struct(slot))?;
        self.assign(&place, ExprValue::Scalar(next, list_ty))?;
        self.cast(value, &ty)
    }
}
