//! Functions of the C library that have no model in C: allocation, what changes whole objects, and
//! what is only over-approximated.

use super::call::Named;
use super::expr::convert;
use super::literal::c_string;
use super::types::UNKNOWN_FORMAT;
use super::types::strip_casts;
use super::value::ExprValue;
use super::{Lowered, Lowerer, deref, unsupported};
use crate::cfront::ir::{
    Base, Binary, Expr, ExprKind, Instr, Lvalue, Mark, ObjectKind, Step, Unknown,
};
use crate::cfront::library::{is_sized, writes_nothing};
use crate::cfront::types::{CType, IntType, Length};
use lang_c::ast::Expression;
use lang_c::span::{Node, Span};
use std::rc::Rc;

/// Whole objects of up to 64 scalars are copied without a loop. The value was not tuned.
const COPIED: u64 = 64;

impl Lowerer<'_> {
    /// A pointer to new memory, by a call that has this text.
    pub(super) fn allocate(&mut self, size: Expr, zeroed: bool, call: Span) -> Lowered<ExprValue> {
        let kind = ObjectKind::Heap(self.frame.func);
        let name = format!("heap.{}", self.place.line);
        let heap = self.new_object(name.into(), kind, CType::Void);
        self.objects[heap.0].hidden = true;
        self.objects[heap.0].many = true;
        // The text of a model is none of the program's.
        if !self.models.inside() {
            self.objects[heap.0].allocation = Some((call.start, call.end));
        }
        let result = self.temporary(CType::Pointer(Rc::new(CType::Void)));
        let Base::Object(temporary) = result.base else {
            return unsupported("an allocation");
        };
        let bytes = size.as_const().and_then(|n| u64::try_from(n).ok());
        self.allocated.insert(temporary, (heap, bytes));
        self.step(Instr::Allocate(result.clone(), heap, size.clone()));
        self.note_size(&result, size);
        if zeroed {
            self.zeroed.insert(heap);
        }
        self.load(&result)
    }

    /// Numbers are rounded to the nearest. A call that changes that is not supported.
    pub(super) fn check_rounding(&mut self, call: &Named<'_>) -> Lowered<()> {
        let changes = match (call.name, call.arguments) {
            // The nearest is 0.
            ("fesetround", [way]) => self.constant(way)? != Some(0),
            ("fesetenv" | "feupdateenv", [_]) => true,
            _ => false,
        };
        match changes {
            true => unsupported("another way to round floating-point numbers"),
            false => Ok(()),
        }
    }

    /// A call that means more than a model can say; `None` for other functions.
    pub(super) fn library_call(&mut self, call: &Named<'_>) -> Lowered<Option<ExprValue>> {
        let value = match (call.name, call.arguments) {
            ("malloc" | "alloca" | "__builtin_alloca" | "kmalloc" | "xmalloc", [size, ..])
            | ("aligned_alloc" | "memalign", [_, size])
            | ("__builtin_malloc" | "valloc", [size]) => {
                let (size, _) = self.integer(size)?;
                let value = self.allocate(size, false, call.span)?;
                if call.name.ends_with("alloca")
                    && let Some(memory) = self.objects.iter_mut().rfind(|o| o.ty == CType::Void)
                {
                    memory.automatic = true;
                }
                value
            }
            // Of a null pointer it is `malloc`.
            ("realloc", [old, size]) if self.constant(old)? == Some(0) => {
                let (size, _) = self.integer(size)?;
                self.allocate(size, false, call.span)?
            }
            ("calloc" | "__builtin_calloc", [count, size]) => {
                let (count, size) = (self.integer(count)?.0, self.integer(size)?.0);
                let ty = IntType::new(self.model.long_bits(), false);
                let (count, size) = (convert(count, ty), convert(size, ty));
                let bytes = self.arithmetic(Binary::Mul, count, size);
                self.allocate(bytes, true, call.span)?
            }
            ("free" | "kfree" | "cfree" | "__builtin_free", [pointer]) => {
                if let ExprValue::Scalar(pointer, _) = self.value(pointer)? {
                    self.step(Instr::Mark(Mark::Free(pointer)));
                }
                ExprValue::Void
            }
            ("printk", _) => {
                self.unused_arguments(call)?;
                self.before_call(call.span)?;
                let input = Unknown::Input(call.name.into());
                return self.any_result(call.name, call.id, input).map(Some);
            }
            ("setjmp" | "longjmp" | "_setjmp" | "sigsetjmp" | "siglongjmp", _) => {
                return unsupported(format!("`{}`", call.name));
            }
            ("memcpy" | "memmove" | "__builtin_memcpy", [to, from, size]) => {
                return self.whole_copy(to, from, size);
            }
            ("memset" | "__builtin_memset", [to, byte, size]) => {
                return self.whole_fill(to, byte, size);
            }
            (name, arguments) if name.starts_with("__builtin_va_") => {
                return self.list_call(name, arguments);
            }
            _ if call.name.starts_with("pthread_") => {
                return unsupported(format!("threads (`{}`)", call.name));
            }
            _ => return self.literal_call(call),
        };
        self.before_call(call.span)?;
        Ok(Some(value))
    }

    /// A copy of a whole object: its scalars one after the other, without a loop. `None` for a part
    /// of an object.
    fn whole_copy(
        &mut self,
        to: &Node<Expression>,
        from: &Node<Expression>,
        size: &Node<Expression>,
    ) -> Lowered<Option<ExprValue>> {
        let Some(size) = self.constant(size)? else {
            return Ok(None);
        };
        let before = self.mark();
        let (to, from) = (self.value(strip_casts(to))?, self.value(strip_casts(from))?);
        let (target, source) = (self.whole(&to, size)?, self.whole(&from, size)?);
        match (target, source) {
            (Some(target), Some(source))
                if target.ty == source.ty && self.structs.units(&target.ty) <= COPIED =>
            {
                self.copy(&target, &source)?;
                Ok(Some(to))
            }
            _ => {
                self.back_to(before);
                Ok(None)
            }
        }
    }

    /// All bytes of a whole object become the same: zero, or any if the object is of bytes. `None`
    /// for a part of an object.
    fn whole_fill(
        &mut self,
        to: &Node<Expression>,
        byte: &Node<Expression>,
        size: &Node<Expression>,
    ) -> Lowered<Option<ExprValue>> {
        let (Some(byte), Some(size)) = (self.constant(byte)?, self.constant(size)?) else {
            return Ok(None);
        };
        let before = self.mark();
        let to = self.value(strip_casts(to))?;
        match (self.whole(&to, size)?, byte) {
            (Some(target), 0) => self.zero(&target),
            (Some(target), byte) => match &target.ty {
                CType::Array(element, _) if matches!(**element, CType::Int(int) if int.bits == 8) =>
                {
                    self.step(Instr::Fill(target, Expr::constant(byte, IntType::CHAR)));
                }
                _ => {
                    self.back_to(before);
                    return Ok(None);
                }
            },
            _ => {
                self.back_to(before);
                return Ok(None);
            }
        }
        Ok(Some(to))
    }

    /// A call of a library function that has no model: what it does to memory, and its result, are
    /// over-approximated.
    pub(super) fn call_without_model(&mut self, call: &Named<'_>) -> Lowered<ExprValue> {
        let name = call.name;
        let values = self.unused_arguments(call)?;
        self.place = call.place.clone();
        self.before_call(call.span)?;
        let counts = self.counts(call, &values);
        let written = match name {
            _ if counts => &values[..],
            "sprintf" | "snprintf" | "vsprintf" | "vsnprintf" => &values[..values.len().min(1)],
            "nanosleep" => values.get(1..).unwrap_or(&[]),
            _ if writes_nothing(name) => &values[..0],
            _ => &values[..],
        };
        if self.opens_own_file(call) {
            self.library_part("horn_writes", Vec::new())?;
        }
        if values.iter().any(|value| self.is_unjudged(name, value)) {
            self.step(Instr::Mark(Mark::Unjudged(name.into())));
        }
        let mut pointers = false;
        for value in written {
            let ExprValue::Scalar(e, CType::Pointer(pointee)) = value else {
                continue;
            };
            if matches!(**pointee, CType::Function(_)) || matches!(e.kind, ExprKind::Function(_)) {
                return unsupported(format!("`{name}`, which has no model, with a function"));
            }
            if self.is_argument_list(&CType::Pointer(pointee.clone())) {
                let what = format!("`{name}`, which has no model, with a list of arguments");
                return unsupported(what);
            }
            if !self.is_file(pointee) {
                pointers = true;
                self.outside_effect(name, value)?;
            }
        }
        self.any_error_number()?;
        let result = self.functions[call.id.0].result_ty.clone();
        match result {
            CType::Void => Ok(ExprValue::Void),
            CType::Struct(_) => unsupported(format!("the result of `{name}`, which has no model")),
            CType::Float(bits) if !matches!(bits, 32 | 64) => unsupported(UNKNOWN_FORMAT),
            CType::Pointer(_) if pointers => {
                unsupported(format!("the result of `{name}`, which has no model"))
            }
            ty => {
                let what = format!("the result of `{name}`, which has no model");
                let place = self.temporary(ty);
                self.step(Instr::Havoc(
                    place.clone(),
                    Unknown::Approximated(what.into()),
                ));
                self.load(&place)
            }
        }
    }

    /// May a stream that a call opens give what the program itself has written?
    fn opens_own_file(&self, call: &Named<'_>) -> bool {
        match (call.name, call.arguments) {
            ("fopen", [_, mode]) => match &strip_casts(mode).node {
                Expression::StringLiteral(mode) => {
                    let mode = c_string(&mode.node);
                    mode.first() != Some(&b'r') || mode.contains(&b'+')
                }
                _ => true,
            },
            ("fdopen" | "fmemopen" | "freopen" | "open_memstream" | "popen" | "tmpfile", _) => true,
            _ => false,
        }
    }

    /// Is this a pointer through which a function may read or write what is not the program's?
    /// Streams are the program's; so are literals, and numbers and structures that are no elements,
    /// unless an argument says how much the function reads or writes.
    fn is_unjudged(&self, name: &str, value: &ExprValue) -> bool {
        let ExprValue::Scalar(pointer, CType::Pointer(pointee)) = value else {
            return false;
        };
        if self.is_file(pointee) || matches!(**pointee, CType::Function(_)) {
            return false;
        }
        match &pointer.kind {
            ExprKind::Const(_) | ExprKind::Function(_) => false,
            ExprKind::Address(place) => match place.base {
                Base::Object(object) if !is_sized(name) => {
                    let is_byte = matches!(&**pointee, CType::Int(int) if int.bits == 8);
                    let is_whole = place.path.is_empty() && !is_byte;
                    !self.objects[object.0].hidden && !is_whole
                }
                Base::Object(_) | Base::Deref(..) => true,
            },
            _ => true,
        }
    }

    /// Is this the type of a stream, which the program does not look into?
    fn is_file(&self, ty: &CType) -> bool {
        match ty {
            CType::Struct(id) => {
                let fields = self.structs.fields(*id);
                fields.is_empty() || fields.iter().any(|field| &*field.name == "_fileno")
            }
            _ => false,
        }
    }

    /// The object that a pointer points to the beginning of, if it has this size: a variable, what
    /// a pointer to a structure or number points to.
    fn whole(&mut self, pointer: &ExprValue, size: i128) -> Lowered<Option<Lvalue>> {
        let ExprValue::Scalar(e, CType::Pointer(pointee)) = pointer else {
            return Ok(None);
        };
        let place = deref(e.clone(), (**pointee).clone());
        if matches!(
            place.ty,
            CType::Struct(_) | CType::Int(_) | CType::Float(_) | CType::Array(..)
        ) && size == i128::from(self.size_of(&place.ty)?)
        {
            return Ok(Some(place));
        }
        // An array as a value is a pointer to its first element.
        let (Base::Object(object), [Step::Index(first)]) = (&place.base, &place.path[..]) else {
            return Ok(None);
        };
        let array = Lvalue::of(*object, self.objects[object.0].ty.clone());
        let is_array = matches!(array.ty, CType::Array(_, Length::Constant(_)));
        let fits =
            is_array && first.as_const() == Some(0) && size == i128::from(self.size_of(&array.ty)?);
        Ok(fits.then_some(array))
    }
}
