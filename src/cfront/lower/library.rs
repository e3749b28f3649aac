//! Functions of the C library that are more than a value: allocation, and what changes whole
//! objects.

use super::expr::negation;
use super::value::ExprValue;
use super::{Lowered, Lowerer, deref, unsupported};
use crate::cfront::ir::{Base, Binary, Expr, ExprKind, Instr, Lvalue, ObjectKind, Step};
use crate::cfront::types::{CType, IntType};
use lang_c::ast::Expression;
use lang_c::span::{Node, Span};
use std::rc::Rc;

impl Lowerer<'_> {
    /// A pointer to new memory, by a call that has this text.
    pub(super) fn allocate(&mut self, size: Expr, zeroed: bool, call: Span) -> Lowered<ExprValue> {
        let kind = ObjectKind::Heap(self.frame.func);
        let name = format!("heap.{}", self.place.line);
        let heap = self.new_object(name.into(), kind, CType::Void);
        self.objects[heap.0].hidden = true;
        self.objects[heap.0].many = true;
        self.objects[heap.0].allocation = Some((call.start, call.end));
        let result = self.temporary(CType::Pointer(Rc::new(CType::Void)));
        let Base::Object(temporary) = result.base else {
            return unsupported("an allocation");
        };
        let bytes = size.as_const().and_then(|n| u64::try_from(n).ok());
        self.allocated.insert(temporary, (heap, bytes));
        self.step(Instr::Allocate(result.clone(), heap, size));
        if zeroed {
            self.zeroed.insert(heap);
        }
        self.load(&result)
    }

    /// A copy of a whole object; of a part of one it is not supported.
    pub(super) fn memcpy(
        &mut self,
        to: &Node<Expression>,
        from: &Node<Expression>,
        size: &Node<Expression>,
    ) -> Lowered<ExprValue> {
        let (to, from) = (self.value(strip_casts(to))?, self.value(strip_casts(from))?);
        let size = self.constant(size)?;
        let (target, source) = (self.whole(&to, size)?, self.whole(&from, size)?);
        match (target, source) {
            (Some(target), Some(source)) if target.ty == source.ty => {
                self.copy(&target, &source)?;
                Ok(to)
            }
            _ => unsupported("a copy of memory that is not a whole object"),
        }
    }

    /// All bytes of a whole object become the same: zero, or any if the object is of bytes.
    pub(super) fn memset(
        &mut self,
        to: &Node<Expression>,
        byte: &Node<Expression>,
        size: &Node<Expression>,
    ) -> Lowered<ExprValue> {
        let to = self.value(strip_casts(to))?;
        let (byte, size) = (self.constant(byte)?, self.constant(size)?);
        match (self.whole(&to, size)?, byte) {
            (Some(target), Some(0)) => self.zero(&target),
            (Some(target), Some(byte)) => match &target.ty {
                CType::Array(element, _) => match **element {
                    CType::Int(int) if int.bits == 8 => {
                        self.step(Instr::Fill(target, Expr::constant(byte, int)));
                    }
                    _ => return unsupported("`memset` of other than bytes"),
                },
                _ => return unsupported("`memset` of other than bytes"),
            },
            _ => return unsupported("`memset` of memory that is not a whole object"),
        }
        Ok(to)
    }

    /// The object that a pointer points to the beginning of, if it has this size: a variable, what
    /// a pointer to a structure or number points to.
    fn whole(&mut self, pointer: &ExprValue, size: Option<i128>) -> Lowered<Option<Lvalue>> {
        let ExprValue::Scalar(e, CType::Pointer(pointee)) = pointer else {
            return Ok(None);
        };
        let place = deref(e.clone(), (**pointee).clone());
        if matches!(
            place.ty,
            CType::Struct(_) | CType::Int(_) | CType::Array(..)
        ) && size == Some(i128::from(self.size_of(&place.ty)?))
        {
            return Ok(Some(place));
        }
        // An array as a value is a pointer to its first element.
        let (Base::Object(object), [Step::Index(first)]) = (&place.base, &place.path[..]) else {
            return Ok(None);
        };
        let array = Lvalue::of(*object, self.objects[object.0].ty.clone());
        let is_array = matches!(array.ty, CType::Array(_, Some(_)));
        let fits = is_array
            && first.as_const() == Some(0)
            && size == Some(i128::from(self.size_of(&array.ty)?));
        Ok(fits.then_some(array))
    }

    /// The absolute value.
    pub(super) fn absolute(value: Expr, ty: IntType) -> ExprValue {
        let value = super::expr::convert(value, ty);
        let zero = Expr::constant(0, ty);
        let negative = Expr {
            kind: ExprKind::Binary(Binary::Lt, Box::new(value.clone()), Box::new(zero)),
            ty: IntType::INT,
        };
        let kind = ExprKind::Choose(
            Box::new(negation(negative)),
            Box::new(value.clone()),
            Box::new(Expr {
                kind: ExprKind::Neg(Box::new(value)),
                ty,
            }),
        );
        ExprValue::Scalar(Expr { kind, ty }, CType::Int(ty))
    }
}

/// An expression without the casts around it.
fn strip_casts(e: &Node<Expression>) -> &Node<Expression> {
    match &e.node {
        Expression::Cast(cast) => strip_casts(&cast.node.expression),
        _ => e,
    }
}
