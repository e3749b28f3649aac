//! Operators: arithmetic, comparisons, assignments, conversions.

use super::expr::convert;
use super::float;
use super::types::UNKNOWN_FORMAT;
use super::value::ExprValue;
use super::{Lowered, Lowerer, unsupported};
use crate::cfront::float::operation as float_operation;
use crate::cfront::ir::{Binary, Expr, ExprKind, FloatOp, Instr, Lvalue, Mark, Stride};
use crate::cfront::types::{CType, IntType, Length, StructId};
use lang_c::ast::{BinaryOperator, BinaryOperatorExpression, Expression};
use lang_c::span::Node;

/// Structures are copied with arrays of up to 64 elements in them. The value was not tuned.
const COPIED: u64 = 64;

/// The operation of a compound assignment, or of an operator.
fn operation(op: &BinaryOperator) -> Option<(Binary, bool)> {
    use BinaryOperator as B;
    Some(match op {
        B::Multiply => (Binary::Mul, false),
        B::Divide => (Binary::Div, false),
        B::Modulo => (Binary::Rem, false),
        B::Plus => (Binary::Add, false),
        B::Minus => (Binary::Sub, false),
        B::ShiftLeft => (Binary::Shl, false),
        B::ShiftRight => (Binary::Shr, false),
        B::BitwiseAnd => (Binary::And, false),
        B::BitwiseXor => (Binary::Xor, false),
        B::BitwiseOr => (Binary::Or, false),
        B::AssignMultiply => (Binary::Mul, true),
        B::AssignDivide => (Binary::Div, true),
        B::AssignModulo => (Binary::Rem, true),
        B::AssignPlus => (Binary::Add, true),
        B::AssignMinus => (Binary::Sub, true),
        B::AssignShiftLeft => (Binary::Shl, true),
        B::AssignShiftRight => (Binary::Shr, true),
        B::AssignBitwiseAnd => (Binary::And, true),
        B::AssignBitwiseXor => (Binary::Xor, true),
        B::AssignBitwiseOr => (Binary::Or, true),
        _ => return None,
    })
}

impl Lowerer<'_> {
    pub(super) fn binary(
        &mut self,
        e: &Node<Expression>,
        op: &BinaryOperatorExpression,
    ) -> Lowered<ExprValue> {
        use BinaryOperator as B;
        match &op.operator.node {
            B::Index => {
                if let Some(value) = self.table_call(op)? {
                    return Ok(value);
                }
                let place = self.place_of(e)?;
                self.load(&place)
            }
            B::LogicalAnd | B::LogicalOr => self.logical(e, op),
            B::Assign => {
                let place = self.place_of(&op.lhs)?;
                let value = self.value(&op.rhs)?;
                self.see(e.span);
                self.assign(&place, value)?;
                self.load_assigned(&place)
            }
            B::Less
            | B::Greater
            | B::LessOrEqual
            | B::GreaterOrEqual
            | B::Equals
            | B::NotEquals => {
                let (left, right) = (self.value(&op.lhs)?, self.value(&op.rhs)?);
                self.comparison(&op.operator.node, left, right)
            }
            other => {
                let (binary, assigns) = operation(other).expect("the other operators are above");
                if assigns {
                    let place = self.place_of(&op.lhs)?;
                    let right = self.value(&op.rhs)?;
                    let left = self.load(&place)?;
                    let value = self.compute(binary, left, right)?;
                    self.see(e.span);
                    self.assign(&place, value)?;
                    return self.load_assigned(&place);
                }
                let (left, right) = (self.value(&op.lhs)?, self.value(&op.rhs)?);
                self.compute(binary, left, right)
            }
        }
    }

    /// The value of an assignment is that of the place after it.
    fn load_assigned(&mut self, place: &Lvalue) -> Lowered<ExprValue> {
        self.load(place)
    }

    fn comparison(
        &mut self,
        op: &BinaryOperator,
        left: ExprValue,
        right: ExprValue,
    ) -> Lowered<ExprValue> {
        use BinaryOperator as B;
        let (ExprValue::Scalar(a, _), ExprValue::Scalar(b, _)) = (left, right) else {
            return match self.models.inside() {
                true => unsupported("a comparison of structures by the library"),
                false => self.fail("only numbers and pointers can be compared"),
            };
        };
        let ty = a.ty.common(b.ty);
        let (a, b) = (convert(a, ty), convert(b, ty));
        let (a, b) = match op {
            B::Greater | B::GreaterOrEqual => (b, a),
            _ => (a, b),
        };
        let (binary, of_floats) = match op {
            B::Less | B::Greater => (Binary::Lt, FloatOp::Less),
            B::LessOrEqual | B::GreaterOrEqual => (Binary::Le, FloatOp::AtMost),
            B::Equals => (Binary::Eq, FloatOp::Equal),
            _ => (Binary::Ne, FloatOp::Differ),
        };
        let truth = match ty.float {
            true => float_operation(of_floats, vec![a, b], IntType::INT),
            false => self.arithmetic(binary, a, b),
        };
        Ok(ExprValue::Scalar(truth, CType::INT))
    }

    /// An arithmetic operator on two values, converted as usual.
    pub(super) fn compute(
        &mut self,
        op: Binary,
        left: ExprValue,
        right: ExprValue,
    ) -> Lowered<ExprValue> {
        let (ExprValue::Scalar(a, a_ty), ExprValue::Scalar(b, b_ty)) = (left, right) else {
            return self.fail("arithmetic on what is no number");
        };
        match (op, a_ty.clone(), b_ty.clone()) {
            (Binary::Add, CType::Pointer(inner), CType::Int(_)) => {
                return Ok(ExprValue::Scalar(self.moved(a, b, &inner)?, a_ty));
            }
            (Binary::Add, CType::Int(_), CType::Pointer(inner)) => {
                return Ok(ExprValue::Scalar(self.moved(b, a, &inner)?, b_ty));
            }
            (Binary::Sub, CType::Pointer(inner), CType::Int(int)) => {
                let wide = int.common(IntType::new(self.model.long_bits(), true));
                let wide = IntType::new(wide.bits, true);
                let zero = Expr::constant(0, wide);
                let back = self.arithmetic(Binary::Sub, zero, convert(b, wide));
                return Ok(ExprValue::Scalar(self.moved(a, back, &inner)?, a_ty));
            }
            (Binary::Sub, CType::Pointer(inner), CType::Pointer(_)) => {
                self.check_difference(&inner)?;
                let ty = IntType::new(self.model.long_bits(), true);
                let units = match &*inner {
                    CType::Void => 1,
                    inner => self.structs.units(inner),
                };
                let (a, b) = (self.unmoved(a, &inner), self.unmoved(b, &inner));
                let distance = self.arithmetic(Binary::Sub, convert(a, ty), convert(b, ty));
                let units = Expr::constant(i128::from(units), ty);
                let count = self.arithmetic(Binary::Div, distance, units);
                return Ok(ExprValue::Scalar(count, CType::Int(ty)));
            }
            (_, CType::Pointer(_), _) | (_, _, CType::Pointer(_)) => {
                return unsupported("this arithmetic on pointers");
            }
            _ => {}
        }
        if a.ty.float || b.ty.float {
            let ty = a.ty.common(b.ty);
            let (a, b) = (convert(a, ty), convert(b, ty));
            return match float::arithmetic(op, a, b) {
                Some(value) => Ok(ExprValue::number(value)),
                None => self.fail("an operator on integers with a floating-point number"),
            };
        }
        let (ty, a, b) = if matches!(op, Binary::Shl | Binary::Shr) {
            // The amount is promoted separately; only its value counts.
            let ty = a.ty.promoted();
            let amount = b.ty.promoted();
            (ty, convert(a, ty), convert(b, amount))
        } else {
            let ty = a.ty.common(b.ty);
            (ty, convert(a, ty), convert(b, ty))
        };
        if let (Some(x), Some(y)) = (a.as_const(), b.as_const())
            && let Some(exact) = fold(op, x, y, ty)
        {
            self.note_result(exact, ty);
        }
        Ok(ExprValue::Scalar(self.arithmetic(op, a, b), CType::Int(ty)))
    }

    /// The exact result of an operation on constants: one that is not in its type is noted.
    fn note_result(&mut self, exact: i128, ty: IntType) {
        let is_outside = !(ty.min()..=ty.max()).contains(&exact);
        if ty.signed && is_outside && !self.probing {
            self.step(Instr::Mark(Mark::Overflow));
        }
    }

    /// A pointer that must point to elements of a type, or to nothing.
    fn unmoved(&self, pointer: Expr, inner: &CType) -> Expr {
        if pointer.as_const().is_some() {
            return pointer;
        }
        let stride = Stride::over(self.structs.units(inner), inner.clone());
        let (ty, none) = (pointer.ty, Expr::constant(0, IntType::INT));
        let kind = ExprKind::Move(Box::new(pointer), Box::new(none), stride);
        Expr { kind, ty }
    }

    /// An operator on operands of one type; constants are folded as the machine does.
    pub(super) fn arithmetic(&self, op: Binary, a: Expr, b: Expr) -> Expr {
        let ty = if op.is_comparison() {
            IntType::INT
        } else {
            a.ty
        };
        if let (Some(x), Some(y)) = (a.as_const(), b.as_const())
            && let Some(value) = fold(op, x, y, a.ty)
        {
            return Expr::constant(value, ty);
        }
        match (op, a.as_const(), b.as_const()) {
            (Binary::Add | Binary::Sub, _, Some(0)) | (Binary::Mul | Binary::Div, _, Some(1)) => a,
            (Binary::Add, Some(0), _) | (Binary::Mul, Some(1), _) => b,
            _ => Expr {
                kind: ExprKind::Binary(op, Box::new(a), Box::new(b)),
                ty,
            },
        }
    }

    /// `++` and `--`.
    pub(super) fn step_by_one(
        &mut self,
        e: &Node<Expression>,
        op: Binary,
        after: bool,
    ) -> Lowered<ExprValue> {
        let place = self.place_of(e)?;
        let before = self.load(&place)?;
        let before = if after { self.kept(before)? } else { before };
        let one = ExprValue::Scalar(Expr::constant(1, IntType::INT), CType::INT);
        let value = self.compute(op, before.clone(), one)?;
        self.assign(&place, value)?;
        if after { Ok(before) } else { self.load(&place) }
    }

    /// Puts a value into a place, converted to its type.
    pub(super) fn assign(&mut self, place: &Lvalue, value: ExprValue) -> Lowered<()> {
        match (&place.ty, value) {
            (CType::Struct(_), ExprValue::Struct(from)) if from.ty == place.ty => {
                self.copy(place, &from)
            }
            (CType::Struct(_), _) | (_, ExprValue::Struct(_)) => {
                unsupported("an assignment between different structures")
            }
            (_, ExprValue::Void) => self.fail("nothing is assigned"),
            (ty, value) => {
                let ExprValue::Scalar(e, _) = self.cast(value, &ty.clone())? else {
                    return unsupported("an assignment of this type");
                };
                self.step(Instr::Assign(place.clone(), e));
                Ok(())
            }
        }
    }

    /// The value of the first scalar of an object; `None` if it has none.
    pub(super) fn first_scalar(&mut self, place: &Lvalue) -> Option<Expr> {
        match &place.ty {
            CType::Struct(id) => {
                let ty = self.structs.fields(*id).first()?.ty.clone();
                self.first_scalar(&place.field(*id, 0, ty))
            }
            CType::Array(element, _) => {
                let zero = Expr::constant(0, IntType::INT);
                self.first_scalar(&place.index(zero, (**element).clone()))
            }
            _ => match self.load(place).ok()? {
                ExprValue::Scalar(e, _) => Some(e),
                _ => None,
            },
        }
    }

    /// Copies a structure scalar by scalar.
    pub(super) fn copy(&mut self, to: &Lvalue, from: &Lvalue) -> Lowered<()> {
        match &to.ty {
            CType::Struct(id) => self.write_whole(to, |lowerer| {
                for at in 0..lowerer.structs.fields(*id).len() {
                    let ty = lowerer.structs.fields(*id)[at].ty.clone();
                    lowerer.copy(&to.field(*id, at, ty.clone()), &from.field(*id, at, ty))?;
                }
                Ok(())
            }),
            CType::Array(element, Length::Constant(count)) if *count <= COPIED => {
                for at in 0..*count {
                    let index = Expr::constant(i128::from(at), IntType::INT);
                    let ty = (**element).clone();
                    self.copy(&to.index(index.clone(), ty.clone()), &from.index(index, ty))?;
                }
                Ok(())
            }
            CType::Array(..) => unsupported("a copy of a long array"),
            _ => {
                let value = self.load(from)?;
                self.assign(to, value)
            }
        }
    }

    /// A value converted to a type.
    pub(super) fn cast(&mut self, value: ExprValue, to: &CType) -> Lowered<ExprValue> {
        if *to == CType::Void {
            self.drop_value(&value);
        }
        let (e, from) = match value {
            _ if *to == CType::Void => return Ok(ExprValue::Void),
            ExprValue::Scalar(e, from) => (e, from),
            ExprValue::Struct(place) if place.ty == *to => return Ok(ExprValue::Struct(place)),
            ExprValue::Struct(_) => return unsupported("a conversion of a structure"),
            ExprValue::Void => return self.fail("nothing is converted"),
        };
        match to {
            CType::Struct(id) if self.structs.def(*id).union => self.cast_to_union(e, &from, *id),
            CType::Float(bits @ (32 | 64)) if !from.is_pointer() => {
                Ok(ExprValue::number(convert(e, IntType::float(*bits))))
            }
            CType::Float(_) => unsupported(UNKNOWN_FORMAT),
            CType::Pointer(_) if e.ty.float => self.fail("a number is converted to a pointer"),
            CType::Int(int) => Ok(ExprValue::Scalar(convert(e, *int), to.clone())),
            CType::Pointer(inner) => {
                self.note_allocation(&e, inner);
                let pointer = to.int(self.model).expect("a pointer is an integer");
                let e = match from.is_pointer() {
                    true => self.moved_by_bytes(&e, inner)?.unwrap_or(e),
                    false => convert(e, pointer),
                };
                Ok(ExprValue::Scalar(e, to.clone()))
            }
            _ => unsupported("a conversion to this type"),
        }
    }

    /// A value as a member of a union, which is the first of its type.
    fn cast_to_union(&mut self, e: Expr, from: &CType, id: StructId) -> Lowered<ExprValue> {
        let fields = self.structs.fields(id);
        let Some(at) = fields.iter().position(|field| field.ty == *from) else {
            return unsupported("a conversion to this union");
        };
        self.note_member(id, at);
        let whole = self.temporary(CType::Struct(id));
        let member = whole.field(id, at, from.clone());
        self.assign(&member, ExprValue::Scalar(e, from.clone()))?;
        self.load(&whole)
    }

    /// New memory has the type of the first pointer that points to it.
    fn note_allocation(&mut self, e: &Expr, inner: &CType) {
        let ExprKind::Load(place) = &e.kind else {
            return;
        };
        let super::Base::Object(temporary) = place.base else {
            return;
        };
        if let Some(&(heap, size)) = self.allocated.get(&temporary)
            && self.objects[heap.0].ty == CType::Void
            && *inner != CType::Void
        {
            let elements = self.elements(inner);
            let of = elements.as_ref().map_or(inner, |elements| &elements.of);
            let one = self.structs.layout(of, self.model).0;
            let is_one = size == Some(one) && self.structs.is_laid_out(of);
            self.objects[heap.0].many = !is_one || elements.is_some();
            self.objects[heap.0].ty = of.clone();
        }
    }
}

/// The result of an operator on constants, where C gives it one.
fn fold(op: Binary, x: i128, y: i128, ty: IntType) -> Option<i128> {
    let truth = |b: bool| Some(i128::from(b));
    // Bit patterns of negative numbers are those of two's complement.
    match op {
        Binary::Add => Some(x + y),
        Binary::Sub => Some(x - y),
        Binary::Mul => x.checked_mul(y),
        Binary::Div => (y != 0).then(|| x / y),
        Binary::Rem => (y != 0).then(|| x % y),
        Binary::Shl => (0..i128::from(ty.bits)).contains(&y).then(|| x << y),
        Binary::Shr => (0..i128::from(ty.bits)).contains(&y).then(|| x >> y),
        Binary::And => Some(x & y),
        Binary::Or => Some(x | y),
        Binary::Xor => Some(x ^ y),
        Binary::Lt => truth(x < y),
        Binary::Le => truth(x <= y),
        Binary::Eq => truth(x == y),
        Binary::Ne => truth(x != y),
    }
}
