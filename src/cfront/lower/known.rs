//! Calls of library functions whose result a literal determines: their loops have a number of
//! rounds that is known, so that they become steps without a loop.

use super::call::Named;
use super::literal::string_bytes;
use super::types::strip_casts;
use super::value::ExprValue;
use super::{Lowered, Lowerer, deref};
use crate::cfront::ir::{Binary, Expr, ExprKind, Instr, Lvalue, NodeId, Unknown};
use crate::cfront::library::is_function;
use crate::cfront::types::{CType, IntType};
use lang_c::ast::Expression;
use lang_c::span::Node;

/// Literals of up to 64 bytes are compared and copied without a loop. The value was not tuned.
const UNROLLED: usize = 64;

/// The type of the bytes that are compared.
const BYTE: IntType = IntType::new(8, false);

/// The bytes of a string literal, with the zero at its end, where it has no zero before.
fn literal_bytes(e: &Node<Expression>) -> Option<Vec<u8>> {
    match &strip_casts(e).node {
        Expression::StringLiteral(s) => {
            let mut bytes = string_bytes(&s.node);
            let plain = !s.node.iter().any(|part| part.starts_with(['L', 'u', 'U']));
            (plain && !bytes.contains(&0) && bytes.len() < UNROLLED).then(|| {
                bytes.push(0);
                bytes
            })
        }
        _ => None,
    }
}

impl Lowerer<'_> {
    /// A call with a literal; `None` for other calls.
    pub(super) fn literal_call(&mut self, call: &Named<'_>) -> Lowered<Option<ExprValue>> {
        let name = call.name.strip_prefix("__builtin_").unwrap_or(call.name);
        if self.models.inside() || !is_function(name, call.arguments.len()) {
            return Ok(None);
        }
        let first = call.arguments.first().and_then(literal_bytes);
        let second = call.arguments.get(1).and_then(literal_bytes);
        match (name, call.arguments, first, second) {
            ("strlen", _, Some(bytes), _) => {
                self.before_call(call.span)?;
                Ok(Some(self.size_constant(bytes.len() as u64 - 1)))
            }
            ("strcmp" | "strncmp", [_, _, most @ ..], Some(bytes), None) => {
                let Some(most) = self.most(most)? else {
                    return Ok(None);
                };
                let other = &call.arguments[1];
                self.compared(call, other, &bytes, most, true)
            }
            ("strcmp" | "strncmp", [other, _, most @ ..], None, Some(bytes)) => {
                let Some(most) = self.most(most)? else {
                    return Ok(None);
                };
                self.compared(call, other, &bytes, most, false)
            }
            ("strcpy", [to, _], _, Some(bytes)) => self.copied(call, to, &bytes),
            _ => Ok(None),
        }
    }

    /// The largest number of bytes that are compared, where it is constant.
    fn most(&mut self, bound: &[Node<Expression>]) -> Lowered<Option<usize>> {
        match bound {
            [] => Ok(Some(UNROLLED)),
            [bound, ..] => Ok(self.constant(bound)?.and_then(|n| usize::try_from(n).ok())),
        }
    }

    /// A pointer to characters; `None` for other values.
    fn characters(&mut self, e: &Node<Expression>) -> Lowered<Option<Expr>> {
        let value = self.value(e)?;
        let value = match value {
            ExprValue::Scalar(_, CType::Pointer(ref of)) if matches!(**of, CType::Int(int) if int.bits == 8) => {
                self.kept(value)?
            }
            _ => return Ok(None),
        };
        Ok(match value {
            ExprValue::Scalar(pointer, _) => Some(pointer),
            _ => None,
        })
    }

    /// The character at a position after a pointer.
    fn character(&self, pointer: &Expr, at: usize, ty: IntType) -> Lowered<Lvalue> {
        let of = CType::Int(ty);
        let at = Expr::constant(at as i128, IntType::new(self.model.long_bits(), true));
        let moved = self.moved(pointer.clone(), at, &of)?;
        Ok(deref(moved, of))
    }

    /// A string compared with the bytes of a literal, at most `most` of them; with `swapped`, the
    /// literal is the first argument.
    fn compared(
        &mut self,
        call: &Named<'_>,
        other: &Node<Expression>,
        bytes: &[u8],
        most: usize,
        swapped: bool,
    ) -> Lowered<Option<ExprValue>> {
        let before = self.mark();
        let Some(pointer) = self.characters(other)? else {
            self.back_to(before);
            return Ok(None);
        };
        self.place = call.place.clone();
        self.before_call(call.span)?;
        let sign = self.temporary(CType::INT);
        self.step(Instr::Havoc(sign.clone(), Unknown::Uninitialised));
        let result = self.temporary(CType::INT);
        let join = self.node();
        for (at, &byte) in bytes.iter().enumerate().take(most) {
            let place = self.character(&pointer, at, BYTE)?;
            let own = self.temporary(CType::Int(BYTE));
            let ExprValue::Scalar(value, _) = self.load(&place)? else {
                return Ok(None);
            };
            self.step(Instr::Assign(own.clone(), value));
            let value = Expr {
                kind: ExprKind::Load(Box::new(own)),
                ty: BYTE,
            };
            let literal = Expr::constant(i128::from(byte), BYTE);
            let less = self.arithmetic(Binary::Lt, value.clone(), literal.clone());
            let more = self.arithmetic(Binary::Lt, literal, value);
            for (test, negative) in [(less, !swapped), (more, swapped)] {
                let differs = self.node();
                let goes_on = self.node();
                self.connect(self.frame.at, differs, Instr::Assume(test.clone(), true));
                self.connect(self.frame.at, goes_on, Instr::Assume(test, false));
                self.frame.at = differs;
                self.some_of_sign(&sign, negative, &result, join);
                self.frame.at = goes_on;
            }
        }
        let zero = Expr::constant(0, IntType::INT);
        self.step(Instr::Assign(result.clone(), zero));
        self.connect(self.frame.at, join, Instr::Skip);
        self.frame.at = join;
        self.load(&result).map(Some)
    }

    /// The result is some number of a sign: the standard says no more.
    fn some_of_sign(&mut self, open: &Lvalue, negative: bool, result: &Lvalue, join: NodeId) {
        let (zero, one) = (
            Expr::constant(0, IntType::INT),
            Expr::constant(if negative { -1 } else { 1 }, IntType::INT),
        );
        let value = Expr {
            kind: ExprKind::Load(Box::new(open.clone())),
            ty: IntType::INT,
        };
        let fits = match negative {
            true => self.arithmetic(Binary::Lt, value.clone(), zero),
            false => self.arithmetic(Binary::Lt, zero, value.clone()),
        };
        let chosen = Expr {
            kind: ExprKind::Choose(Box::new(fits), Box::new(value), Box::new(one)),
            ty: IntType::INT,
        };
        self.step(Instr::Assign(result.clone(), chosen));
        self.connect(self.frame.at, join, Instr::Skip);
    }

    /// The bytes of a literal, put where a pointer points to.
    fn copied(
        &mut self,
        call: &Named<'_>,
        to: &Node<Expression>,
        bytes: &[u8],
    ) -> Lowered<Option<ExprValue>> {
        let before = self.mark();
        let Some(pointer) = self.characters(to)? else {
            self.back_to(before);
            return Ok(None);
        };
        self.place = call.place.clone();
        self.before_call(call.span)?;
        for (at, &byte) in bytes.iter().enumerate() {
            let place = self.character(&pointer, at, IntType::CHAR)?;
            let byte = Expr::constant(i128::from(byte), IntType::CHAR);
            self.step(Instr::Assign(place, byte));
        }
        let ty = CType::Pointer(std::rc::Rc::new(CType::Int(IntType::CHAR)));
        Ok(Some(ExprValue::Scalar(pointer, ty)))
    }
}
