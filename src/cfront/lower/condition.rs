//! Conditions: branches, `&&`, `||` and `?:`.

use super::types::UNKNOWN_FORMAT;
use super::value::ExprValue;
use super::{Lowered, Lowerer, unsupported};
use crate::cfront::dialect::SAME;
use crate::cfront::float::is_not_zero;
use crate::cfront::ir::{Expr, ExprKind, Instr, NodeId};
use crate::cfront::types::{CType, IntType};
use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, CastExpression, ConditionalExpression, Expression,
    MemberOperator, UnaryOperator,
};
use lang_c::span::{Node, Span};

impl Lowerer<'_> {
    /// `condition ? yes : no`.
    pub(super) fn conditional(&mut self, c: &ConditionalExpression) -> Lowered<ExprValue> {
        let (condition, yes, no) = (&c.condition, &c.then_expression, &c.else_expression);
        if is_same(yes) {
            return self.value_or(condition, no, yes.span);
        }
        if self.probing {
            // Only the type is sought: operands within operands are not lowered again and again.
            let common = self.common_type(yes, no)?;
            return self.placeholder(&common);
        }
        let (then, otherwise, join) = (self.node(), self.node(), self.node());
        let between = self.source.text.get(condition.span.end..yes.span.start);
        let mark = between.and_then(|text| text.find('?'));
        let mark = mark.map_or(condition.span.start, |at| condition.span.end + at);
        let (to_then, to_otherwise) = self.branches(&[mark], then, otherwise)?;
        self.branch(condition, to_then, to_otherwise)?;
        // The type is that of both operands together.
        let common = self.common_type(yes, no)?;
        if common == CType::Void {
            for (start, e) in [(then, yes), (otherwise, no)] {
                self.frame.at = start;
                self.value(e)?;
                self.connect(self.frame.at, join, Instr::Skip);
            }
            self.frame.at = join;
            return Ok(ExprValue::Void);
        }
        let result = self.temporary(common.clone());
        for (start, e) in [(then, yes), (otherwise, no)] {
            self.frame.at = start;
            let value = self.value(e)?;
            self.assign(&result, value)?;
            self.connect(self.frame.at, join, Instr::Skip);
        }
        self.frame.at = join;
        self.load(&result)
    }

    /// `value ?: no`, with the sign `?` before this text: the value is computed once.
    fn value_or(
        &mut self,
        value: &Node<Expression>,
        no: &Node<Expression>,
        text: Span,
    ) -> Lowered<ExprValue> {
        let common = self.common_type(value, no)?;
        if self.probing {
            return self.placeholder(&common);
        }
        let (then, otherwise, join) = (self.node(), self.node(), self.node());
        let mark = text.start.saturating_sub(1);
        let (to_then, to_otherwise) = self.branches(&[mark], then, otherwise)?;
        let value = self.value(value)?;
        let value = self.kept(value)?;
        let ExprValue::Scalar(tested, _) = value.clone() else {
            return self.fail("a condition that is no number");
        };
        let condition = match tested.ty.float {
            true => is_not_zero(tested),
            false => tested,
        };
        self.connect(
            self.frame.at,
            to_then,
            Instr::Assume(condition.clone(), true),
        );
        self.connect(self.frame.at, to_otherwise, Instr::Assume(condition, false));
        if common == CType::Void {
            self.connect(then, join, Instr::Skip);
            self.frame.at = otherwise;
            self.value(no)?;
            self.connect(self.frame.at, join, Instr::Skip);
            self.frame.at = join;
            return Ok(ExprValue::Void);
        }
        let result = self.temporary(common);
        self.frame.at = then;
        self.assign(&result, value)?;
        self.connect(self.frame.at, join, Instr::Skip);
        self.frame.at = otherwise;
        let other = self.value(no)?;
        self.assign(&result, other)?;
        self.connect(self.frame.at, join, Instr::Skip);
        self.frame.at = join;
        self.load(&result)
    }

    /// May an expression be evaluated where C would not? A floating-point number that is too large
    /// for an integer has no meaning as one.
    fn is_simple(&mut self, e: &Node<Expression>) -> Lowered<bool> {
        let mut failed = None;
        let is_simple = is_plain(&e.node, &mut |cast| {
            let (to, from) = (
                self.type_name(&cast.type_name),
                self.type_of(&cast.expression),
            );
            match (to, from) {
                (Ok(to), Ok(from)) => {
                    !matches!(from, CType::Float(_)) || matches!(to, CType::Float(_))
                }
                (Err(error), _) | (_, Err(error)) => {
                    failed = Some(error);
                    false
                }
            }
        });
        failed.map_or(Ok(is_simple), Err)
    }

    fn common_type(&mut self, yes: &Node<Expression>, no: &Node<Expression>) -> Lowered<CType> {
        let decay = |ty: CType| match ty {
            CType::Array(element, _) => CType::Pointer(element),
            ty => ty,
        };
        let (a, b) = (decay(self.type_of(yes)?), decay(self.type_of(no)?));
        Ok(match (&a, &b) {
            (CType::Int(_) | CType::Float(_), CType::Int(_) | CType::Float(_)) => {
                let types = (a.scalar(self.model), b.scalar(self.model));
                let (Some(x), Some(y)) = types else {
                    return unsupported(UNKNOWN_FORMAT);
                };
                CType::of_numbers(x.common(y))
            }
            (CType::Void, _) | (_, CType::Void) => CType::Void,
            (CType::Pointer(p), CType::Pointer(_)) if **p == CType::Void => b,
            (CType::Pointer(_), _) | (CType::Struct(_), _) => a,
            (_, CType::Pointer(_)) => b,
            _ => return unsupported("a conditional of these types"),
        })
    }

    /// An expression as a condition, without extra paths if possible.
    pub(super) fn condition_value(&mut self, e: &Node<Expression>) -> Lowered<Expr> {
        let (value, ty) = self.number(e)?;
        Ok(match ty.float {
            true => is_not_zero(value),
            false => value,
        })
    }

    /// Goes on at `yes` where the expression is other than 0, else at `no`.
    pub(super) fn branch(&mut self, e: &Node<Expression>, yes: NodeId, no: NodeId) -> Lowered<()> {
        self.see(e.span);
        match &e.node {
            Expression::UnaryOperator(op) if op.node.operator.node == UnaryOperator::Negate => {
                return self.branch(&op.node.operand, no, yes);
            }
            Expression::BinaryOperator(op) if !self.is_simple(&op.node.rhs)? => {
                let middle = self.node();
                match op.node.operator.node {
                    BinaryOperator::LogicalAnd => {
                        self.branch(&op.node.lhs, middle, no)?;
                        self.frame.at = middle;
                        return self.branch(&op.node.rhs, yes, no);
                    }
                    BinaryOperator::LogicalOr => {
                        self.branch(&op.node.lhs, yes, middle)?;
                        self.frame.at = middle;
                        return self.branch(&op.node.rhs, yes, no);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        let value = self.condition_value(e)?;
        self.see(e.span);
        match value.as_const() {
            Some(0) => self.connect(self.frame.at, no, Instr::Skip),
            Some(_) => self.connect(self.frame.at, yes, Instr::Skip),
            None => {
                self.connect(self.frame.at, yes, Instr::Assume(value.clone(), true));
                self.connect(self.frame.at, no, Instr::Assume(value, false));
            }
        }
        Ok(())
    }

    /// `&&` and `||` as values.
    pub(super) fn logical(
        &mut self,
        e: &Node<Expression>,
        op: &BinaryOperatorExpression,
    ) -> Lowered<ExprValue> {
        if let Some(value) = self.constant_choice(e)? {
            return Ok(Self::constant_value(value));
        }
        if self.is_simple(&op.rhs)? {
            let (a, b) = (
                Box::new(self.condition_value(&op.lhs)?),
                Box::new(self.condition_value(&op.rhs)?),
            );
            let kind = match op.operator.node {
                BinaryOperator::LogicalAnd => ExprKind::Both(a, b),
                _ => ExprKind::Either(a, b),
            };
            return Ok(self.scalar(kind, CType::INT));
        }
        let (yes, no, join) = (self.node(), self.node(), self.node());
        self.branch(e, yes, no)?;
        let result = self.temporary(CType::INT);
        for (start, value) in [(yes, 1), (no, 0)] {
            self.frame.at = start;
            let constant = Expr::constant(value, IntType::INT);
            self.step(Instr::Assign(result.clone(), constant));
            self.connect(self.frame.at, join, Instr::Skip);
        }
        self.frame.at = join;
        self.load(&result)
    }
}

/// Is this the operand that `a ?: b` does not write?
pub(super) fn is_same(operand: &Node<Expression>) -> bool {
    matches!(&operand.node, Expression::Identifier(name) if name.node.name == SAME)
}

/// An expression whose evaluation has no effect and always succeeds, by its form alone, but for
/// casts, which `cast` judges: it may be evaluated where C would not.
pub(super) fn is_plain(e: &Expression, cast: &mut dyn FnMut(&CastExpression) -> bool) -> bool {
    match e {
        Expression::Identifier(_)
        | Expression::SizeOfTy(_)
        | Expression::SizeOfVal(_)
        | Expression::AlignOf(_) => true,
        Expression::Constant(_) => true,
        Expression::Member(m) => {
            m.node.operator.node == MemberOperator::Direct
                && is_plain(&m.node.expression.node, cast)
        }
        Expression::Cast(c) => cast(&c.node) && is_plain(&c.node.expression.node, cast),
        Expression::UnaryOperator(op) => {
            let pure = matches!(
                op.node.operator.node,
                UnaryOperator::Plus
                    | UnaryOperator::Minus
                    | UnaryOperator::Complement
                    | UnaryOperator::Negate
            );
            pure && is_plain(&op.node.operand.node, cast)
        }
        Expression::BinaryOperator(op) => {
            use BinaryOperator as B;
            let pure = matches!(
                op.node.operator.node,
                B::Multiply
                    | B::Plus
                    | B::Minus
                    | B::Less
                    | B::Greater
                    | B::LessOrEqual
                    | B::GreaterOrEqual
                    | B::Equals
                    | B::NotEquals
                    | B::BitwiseAnd
                    | B::BitwiseXor
                    | B::BitwiseOr
                    | B::LogicalAnd
                    | B::LogicalOr
            );
            pure && is_plain(&op.node.lhs.node, cast) && is_plain(&op.node.rhs.node, cast)
        }
        _ => false,
    }
}
