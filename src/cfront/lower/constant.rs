//! Constant expressions: sizes of arrays and of bit-fields, enumerators, values of cases, and
//! static assertions.
//!
//! An expression with a conditional or logical operator is a constant where its parts are: the
//! operand that C does not evaluate may be anything.

use super::builtin::CONSTANT;
use super::condition::is_same;
use super::expr::convert;
use super::types::strip_casts;
use super::value::ExprValue;
use super::{Entity, Lowered, Lowerer, NotLowered};
use crate::cfront::dialect::COMPATIBLE;
use crate::cfront::ir::{Expr, NodeId};
use crate::cfront::source::Place;
use crate::cfront::types::{CType, IntType};
use lang_c::ast::{BinaryOperator, Expression, StaticAssert};
use lang_c::span::Node;

/// A point of the lowering to which it can go back.
pub(super) struct Mark {
    nodes: usize,
    edges: usize,
    at: NodeId,
    place: Place,
}

impl Lowerer<'_> {
    /// The value of a constant expression; `None` if it is none.
    pub(super) fn constant(&mut self, e: &Node<Expression>) -> Lowered<Option<i128>> {
        let value = self.constant_expr(e)?.filter(|value| !value.ty.float);
        Ok(value.and_then(|value| value.as_const()))
    }

    /// A constant expression with its type; `None` if it is none.
    fn constant_expr(&mut self, e: &Node<Expression>) -> Lowered<Option<Expr>> {
        if let Some(value) = self.constant_choice(e)? {
            return Ok(Some(value));
        }
        let mut found = Ok(None);
        self.without_effects(|lowerer| {
            found = lowerer.number(e).map(|(value, _)| Some(value));
        });
        match found {
            Err(NotLowered::Unsupported(_)) => Ok(None),
            other => other,
        }
    }

    /// Does the compiler know the value of an expression, by its form alone? That is what
    /// `__builtin_constant_p` says without optimisation. The expression is not evaluated.
    pub(super) fn is_known_constant(&mut self, e: &Node<Expression>) -> Lowered<bool> {
        if matches!(strip_casts(e).node, Expression::StringLiteral(_)) {
            return Ok(true);
        }
        let value = self.constant_expr(e)?;
        Ok(value.is_some_and(|value| value.as_const().is_some()))
    }

    /// The constant value of `c ? a : b`, `a && b` or `a || b`; `None` if it has none, or for other
    /// expressions.
    pub(super) fn constant_choice(&mut self, e: &Node<Expression>) -> Lowered<Option<Expr>> {
        if !matches!(
            &e.node,
            Expression::Conditional(_) | Expression::BinaryOperator(_)
        ) || !self.may_be_constant(e)
        {
            return Ok(None);
        }
        match &e.node {
            Expression::Conditional(c) => {
                let c = &c.node;
                let Some(condition) = self.constant(&c.condition)? else {
                    return Ok(None);
                };
                let then = match is_same(&c.then_expression) {
                    true => &c.condition,
                    false => &c.then_expression,
                };
                let (CType::Int(yes), CType::Int(no)) =
                    (self.type_of(then)?, self.type_of(&c.else_expression)?)
                else {
                    return Ok(None);
                };
                let chosen = if condition != 0 {
                    then
                } else {
                    &c.else_expression
                };
                let value = self.constant_expr(chosen)?;
                let value = value.filter(|value| value.as_const().is_some());
                Ok(value.map(|value| convert(value, yes.common(no))))
            }
            Expression::BinaryOperator(op) => {
                let decides = match op.node.operator.node {
                    BinaryOperator::LogicalAnd => false,
                    BinaryOperator::LogicalOr => true,
                    _ => return Ok(None),
                };
                let Some(left) = self.constant(&op.node.lhs)? else {
                    return Ok(None);
                };
                let truth = |holds: bool| Expr::constant(i128::from(holds), IntType::INT);
                if (left != 0) == decides {
                    return Ok(Some(truth(decides)));
                }
                let right = self.constant(&op.node.rhs)?;
                Ok(right.map(|right| truth(right != 0)))
            }
            _ => Ok(None),
        }
    }

    /// Can an expression be a constant, by its form? An expression of other forms is lowered once.
    fn may_be_constant(&self, e: &Node<Expression>) -> bool {
        let mut open = vec![e];
        while let Some(e) = open.pop() {
            match &e.node {
                Expression::Constant(_)
                | Expression::SizeOfTy(_)
                | Expression::SizeOfVal(_)
                | Expression::AlignOf(_)
                | Expression::OffsetOf(_) => {}
                Expression::Identifier(name) => {
                    let is_known =
                        matches!(self.lookup(&name.node.name), Some(Entity::Constant(..)));
                    if !is_known && !is_same(e) {
                        return false;
                    }
                }
                Expression::Call(call) => match &call.node.callee.node {
                    Expression::Identifier(name)
                        if matches!(name.node.name.as_str(), CONSTANT | COMPATIBLE) => {}
                    _ => return false,
                },
                Expression::UnaryOperator(op) => open.push(&op.node.operand),
                Expression::Cast(cast) => open.push(&cast.node.expression),
                Expression::BinaryOperator(op) => open.extend([&*op.node.lhs, &*op.node.rhs]),
                Expression::Conditional(c) => {
                    let c = &c.node;
                    open.extend([&*c.condition, &*c.then_expression, &*c.else_expression]);
                }
                _ => return false,
            }
        }
        true
    }

    /// `_Static_assert`: an error where the compiler says one.
    pub(super) fn static_assertion(&mut self, assertion: &Node<StaticAssert>) -> Lowered<()> {
        self.see(assertion.span);
        if self.constant(&assertion.node.expression)? != Some(0) {
            return Ok(());
        }
        let message = super::literal::string_bytes(&assertion.node.message.node);
        let message = String::from_utf8_lossy(&message).into_owned();
        self.fail(format!("a static assertion fails: {message}"))
    }

    /// A constant as a value.
    pub(super) fn constant_value(value: Expr) -> ExprValue {
        let ty = CType::Int(value.ty);
        ExprValue::Scalar(value, ty)
    }

    /// Where the lowering is.
    pub(super) fn mark(&self) -> Mark {
        Mark {
            nodes: self.frame.cfa.nodes.len(),
            edges: self.frame.cfa.edges.len(),
            at: self.frame.at,
            place: self.place.clone(),
        }
    }

    /// Takes back the steps since a mark.
    pub(super) fn back_to(&mut self, mark: Mark) {
        self.frame.cfa.nodes.truncate(mark.nodes);
        self.frame.cfa.edges.truncate(mark.edges);
        self.frame.at = mark.at;
        self.place = mark.place;
    }

    /// Whatever steps are made are taken back.
    pub(super) fn without_effects(&mut self, action: impl FnOnce(&mut Self)) {
        let mark = self.mark();
        let probing = std::mem::replace(&mut self.probing, true);
        action(self);
        self.probing = probing;
        self.back_to(mark);
    }
}
