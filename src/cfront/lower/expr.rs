//! Expressions.

use super::literal::Text;
use super::types::UNKNOWN_FORMAT;
use super::value::ExprValue;
use super::{Entity, FUNCTION, Lowered, Lowerer, deref, unsupported};
use crate::cfront::dialect::LABEL;
use crate::cfront::float::{converted, operation};
use crate::cfront::ir::{Binary, Expr, ExprKind, FloatOp, Instr, Lvalue, Mark, ObjectKind, Stride};
use crate::cfront::types::{CType, IntType, Length};
use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, BlockItem, Expression, Label, MemberExpression,
    MemberOperator, Statement, UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::Node;
use std::rc::Rc;

impl Lowerer<'_> {
    pub(super) fn value(&mut self, e: &Node<Expression>) -> Lowered<ExprValue> {
        self.see(e.span);
        match &e.node {
            Expression::Identifier(name) => self.identifier(&name.node.name),
            Expression::Constant(c) => self.literal(&c.node),
            Expression::StringLiteral(s) => {
                let place = self.string_literal(&s.node)?;
                self.load(&place)
            }
            Expression::Member(_) => {
                let place = self.place_of(e)?;
                self.load(&place)
            }
            Expression::Call(call) => self.call(call),
            Expression::CompoundLiteral(literal) => {
                let place = self.compound_literal(literal)?;
                self.load(&place)
            }
            Expression::SizeOfTy(of) => {
                let ty = self.evaluated_type_name(&of.node.0)?;
                self.size_value(&ty)
            }
            Expression::SizeOfVal(of) => {
                let ty = self.type_of(&of.node.0)?;
                self.size_value(&ty)
            }
            Expression::AlignOf(of) => self.alignment_of(&of.node.0, e.span),
            Expression::UnaryOperator(op) => self.unary(&op.node),
            Expression::Cast(cast) => {
                let ty = self.evaluated_type_name(&cast.node.type_name)?;
                if let Some(value) = self.cast_literal(&cast.node.expression.node, &ty) {
                    return Ok(value);
                }
                let value = self.value(&cast.node.expression)?;
                self.cast(value, &ty)
            }
            Expression::BinaryOperator(op) => self.binary(e, &op.node),
            Expression::Conditional(c) => match self.constant_choice(e)? {
                Some(value) => Ok(Self::constant_value(value)),
                None => self.conditional(&c.node),
            },
            Expression::Comma(list) => {
                let mut parts = list.iter();
                parts.try_fold(ExprValue::Void, |before, part| {
                    self.drop_value(&before);
                    self.value(part)
                })
            }
            Expression::Statement(s) => self.statement_expression(&s.node),
            Expression::GenericSelection(generic) => {
                let selected = self.selected(&generic.node)?;
                self.value(selected)
            }
            Expression::OffsetOf(of) => {
                let offset = self.offset_of(&of.node)?;
                Ok(self.size_constant(offset))
            }
            Expression::VaArg(of) => self.next_argument(&of.node),
        }
    }

    fn identifier(&mut self, name: &str) -> Lowered<ExprValue> {
        match self.lookup(name).cloned() {
            Some(Entity::Constant(value, ty)) => {
                Ok(ExprValue::Scalar(Expr::constant(value, ty), CType::Int(ty)))
            }
            Some(Entity::Function(id)) => {
                self.functions[id.0].address_taken = true;
                let ty = CType::Pointer(Rc::new(CType::Function(Rc::new(
                    crate::cfront::types::FunctionType {
                        result: self.functions[id.0].result_ty.clone(),
                        params: Vec::new(),
                        open: true,
                    },
                ))));
                Ok(self.scalar(ExprKind::Function(id), ty))
            }
            Some(Entity::Object(id)) => {
                let place = Lvalue::of(id, self.objects[id.0].ty.clone());
                self.load(&place)
            }
            Some(Entity::Typedef(_)) => self.fail(format!("the type `{name}` is used as a value")),
            Some(Entity::Unsupported(what)) => unsupported(what),
            None if is_function_name(name) => {
                let function = self.functions[self.frame.func.0].name.clone();
                let place = self.string_object(&Text::of_bytes(function.as_bytes()))?;
                self.load(&place)
            }
            None => match name.strip_prefix(LABEL) {
                Some(label) => Ok(self.label_value(label)),
                None => self.fail(format!("`{name}` is not declared")),
            },
        }
    }

    /// A scalar of a type that is an integer here.
    pub(super) fn scalar(&self, kind: ExprKind, ty: CType) -> ExprValue {
        let int = ty.scalar(self.model).unwrap_or(IntType::INT);
        ExprValue::Scalar(Expr { kind, ty: int }, ty)
    }

    pub(super) fn size_constant(&self, size: u64) -> ExprValue {
        let ty = IntType::new(self.model.long_bits(), false);
        ExprValue::Scalar(Expr::constant(i128::from(size), ty), CType::Int(ty))
    }

    /// The value that a place has: arrays become pointers to their first element.
    pub(super) fn load(&mut self, place: &Lvalue) -> Lowered<ExprValue> {
        match &place.ty {
            CType::Array(element, _) => {
                let zero = Expr::constant(0, IntType::INT);
                let first = place.index(zero, (**element).clone());
                let ty = CType::Pointer(element.clone());
                Ok(self.scalar(ExprKind::Address(Box::new(first)), ty))
            }
            CType::Struct(_) => Ok(ExprValue::Struct(place.clone())),
            CType::Float(bits) if !matches!(bits, 32 | 64) => unsupported(UNKNOWN_FORMAT),
            // A function that a pointer points to is that pointer again.
            CType::Function(_) => match &place.base {
                super::Base::Deref(pointer, _) => Ok(ExprValue::Scalar(
                    (**pointer).clone(),
                    CType::Pointer(Rc::new(place.ty.clone())),
                )),
                super::Base::Object(_) => unsupported("a function as an object"),
            },
            CType::Void => unsupported("a value of type `void`"),
            ty => Ok(self.scalar(ExprKind::Load(Box::new(place.clone())), ty.clone())),
        }
    }

    /// The place that an expression denotes.
    pub(super) fn place_of(&mut self, e: &Node<Expression>) -> Lowered<Lvalue> {
        self.see(e.span);
        match &e.node {
            Expression::Identifier(name) => match self.lookup(&name.node.name) {
                Some(Entity::Object(id)) => {
                    let id = *id;
                    Ok(Lvalue::of(id, self.objects[id.0].ty.clone()))
                }
                Some(Entity::Unsupported(what)) => unsupported(what.clone()),
                Some(_) => self.fail(format!("`{}` is no variable", name.node.name)),
                None => self.fail(format!("`{}` is not declared", name.node.name)),
            },
            Expression::Member(member) => self.member(&member.node),
            Expression::UnaryOperator(op)
                if op.node.operator.node == UnaryOperator::Indirection =>
            {
                let (pointer, ty) = self.pointer(&op.node.operand)?;
                Ok(deref(pointer, ty))
            }
            Expression::BinaryOperator(op) if op.node.operator.node == BinaryOperator::Index => {
                self.element(&op.node)
            }
            Expression::CompoundLiteral(literal) => self.compound_literal(literal),
            Expression::StringLiteral(s) => self.string_literal(&s.node),
            // Some dialects assign through casts; CIL writes them as `*((T *)&x)`.
            _ => match self.value(e)? {
                ExprValue::Struct(place) => Ok(place),
                _ => unsupported("an assignment to this kind of expression"),
            },
        }
    }

    /// A pointer, and the type that it points to.
    fn pointer(&mut self, e: &Node<Expression>) -> Lowered<(Expr, CType)> {
        match self.value(e)? {
            ExprValue::Scalar(pointer, CType::Pointer(inner)) => Ok((pointer, (*inner).clone())),
            _ => self.fail("this is no pointer"),
        }
    }

    fn member(&mut self, member: &MemberExpression) -> Lowered<Lvalue> {
        let mut place = match member.operator.node {
            MemberOperator::Direct => self.place_of(&member.expression)?,
            MemberOperator::Indirect => {
                let (pointer, ty) = self.pointer(&member.expression)?;
                deref(pointer, ty)
            }
        };
        let name = &member.identifier.node.name;
        let CType::Struct(id) = place.ty else {
            return self.fail(format!("`{name}` is asked of what is no structure"));
        };
        let Some(path) = self.structs.find(id, name) else {
            return self.no_member(id, name);
        };
        for (of, at) in path {
            self.note_member(of, at);
            let ty = self.structs.fields(of)[at].ty.clone();
            place = place.field(of, at, ty);
        }
        Ok(place)
    }

    /// `a[i]`: an element of an array, or of what a pointer points to.
    fn element(&mut self, op: &BinaryOperatorExpression) -> Lowered<Lvalue> {
        if let Some(array) = self.array_place(&op.lhs)? {
            let (index, _) = self.integer(&op.rhs)?;
            let CType::Array(element, _) = &array.ty else {
                return self.fail("this is no array");
            };
            let ty = (**element).clone();
            return Ok(array.index(index, ty));
        }
        let (left, right) = (self.value(&op.lhs)?, self.value(&op.rhs)?);
        let (pointer, inner, index) = match (left, right) {
            (ExprValue::Scalar(p, CType::Pointer(inner)), ExprValue::Scalar(i, _))
            | (ExprValue::Scalar(i, _), ExprValue::Scalar(p, CType::Pointer(inner))) => {
                (p, inner, i)
            }
            _ => return self.fail("neither of these is a pointer"),
        };
        let moved = self.moved(pointer, index, &inner)?;
        Ok(deref(moved, (*inner).clone()))
    }

    /// The place of an expression that is an array; `None` if it is something else.
    fn array_place(&mut self, e: &Node<Expression>) -> Lowered<Option<Lvalue>> {
        let place = match &e.node {
            Expression::Identifier(name) => match self.lookup(&name.node.name) {
                Some(Entity::Object(id)) => {
                    let id = *id;
                    Lvalue::of(id, self.objects[id.0].ty.clone())
                }
                _ => return Ok(None),
            },
            Expression::Member(_) if matches!(self.type_of(e)?, CType::Array(..)) => {
                self.place_of(e)?
            }
            Expression::BinaryOperator(op)
                if op.node.operator.node == BinaryOperator::Index
                    && matches!(self.type_of(e)?, CType::Array(..)) =>
            {
                self.place_of(e)?
            }
            Expression::UnaryOperator(op)
                if op.node.operator.node == UnaryOperator::Indirection
                    && matches!(self.type_of(e)?, CType::Array(..)) =>
            {
                self.place_of(e)?
            }
            _ => return Ok(None),
        };
        Ok(matches!(place.ty, CType::Array(..)).then_some(place))
    }

    /// A pointer moved by a number of elements.
    pub(super) fn moved(&self, pointer: Expr, index: Expr, inner: &CType) -> Lowered<Expr> {
        let units = match inner {
            CType::Void | CType::Function(_) => 1,
            CType::Array(_, Length::Unknown) => {
                return unsupported("steps over arrays of unknown length");
            }
            ty => self.structs.units(ty),
        };
        if index.as_const() == Some(0) {
            return Ok(pointer);
        }
        let ty = pointer.ty;
        // `&a[i] + j` is `&a[i + j]`.
        if let ExprKind::Address(place) = &pointer.kind
            && place.ty == *inner
            && let Some(super::super::ir::Step::Index(first)) = place.path.last()
        {
            let wide = IntType::new(self.model.long_bits(), true);
            let sum = match first.as_const() {
                Some(0) => index,
                _ => self.arithmetic(
                    Binary::Add,
                    convert(first.clone(), wide),
                    convert(index, wide),
                ),
            };
            let mut place = (**place).clone();
            place.path.pop();
            let place = place.index(sum, inner.clone());
            return Ok(Expr {
                kind: ExprKind::Address(Box::new(place)),
                ty,
            });
        }
        let stride = Stride::over(units, inner.clone());
        Ok(Expr {
            kind: ExprKind::Move(Box::new(pointer), Box::new(index), stride),
            ty,
        })
    }

    fn unary(&mut self, op: &UnaryOperatorExpression) -> Lowered<ExprValue> {
        match op.operator.node {
            UnaryOperator::PostIncrement => self.step_by_one(&op.operand, Binary::Add, true),
            UnaryOperator::PostDecrement => self.step_by_one(&op.operand, Binary::Sub, true),
            UnaryOperator::PreIncrement => self.step_by_one(&op.operand, Binary::Add, false),
            UnaryOperator::PreDecrement => self.step_by_one(&op.operand, Binary::Sub, false),
            UnaryOperator::Address => self.address(&op.operand),
            UnaryOperator::Indirection => {
                let (pointer, ty) = self.pointer(&op.operand)?;
                let place = deref(pointer, ty);
                self.load(&place)
            }
            UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Complement => {
                let (value, ty) = self.number(&op.operand)?;
                if ty.float {
                    return match op.operator.node {
                        UnaryOperator::Plus => Ok(ExprValue::number(value)),
                        UnaryOperator::Minus => {
                            let value = operation(FloatOp::Negate, vec![value], ty);
                            Ok(ExprValue::number(value))
                        }
                        _ => self.fail("`~` of a floating-point number"),
                    };
                }
                let ty = ty.promoted();
                let value = convert(value, ty);
                let folded = value.as_const();
                let kind = match (op.operator.node.clone(), folded) {
                    (UnaryOperator::Plus, _) => value.kind,
                    (UnaryOperator::Minus, Some(c)) => ExprKind::Const(ty.wrap(-c)),
                    (UnaryOperator::Minus, None) => ExprKind::Neg(Box::new(value)),
                    (_, Some(c)) => ExprKind::Const(ty.wrap(-c - 1)),
                    (_, None) => ExprKind::BitNot(Box::new(value)),
                };
                Ok(ExprValue::Scalar(Expr { kind, ty }, CType::Int(ty)))
            }
            UnaryOperator::Negate => {
                let value = self.condition_value(&op.operand)?;
                Ok(ExprValue::Scalar(negation(value), CType::INT))
            }
        }
    }

    /// `&e`.
    fn address(&mut self, e: &Node<Expression>) -> Lowered<ExprValue> {
        if let Expression::Identifier(name) = &e.node
            && let Some(Entity::Function(_)) = self.lookup(&name.node.name)
        {
            return self.identifier(&name.node.name.clone());
        }
        let place = self.place_of(e)?;
        if let CType::Function(_) = place.ty {
            return self.load(&place);
        }
        let ty = CType::Pointer(Rc::new(place.ty.clone()));
        // `&*p` is `p`.
        if let (super::Base::Deref(pointer, _), []) = (&place.base, &place.path[..]) {
            return Ok(ExprValue::Scalar((**pointer).clone(), ty));
        }
        if let Some(offset) = self.offset_from_null(&place)? {
            let pointer = ty.int(self.model).expect("a pointer is an integer");
            return Ok(ExprValue::Scalar(Expr::constant(offset, pointer), ty));
        }
        Ok(self.scalar(ExprKind::Address(Box::new(place)), ty))
    }

    /// An integer, or a pointer as one.
    pub(super) fn integer(&mut self, e: &Node<Expression>) -> Lowered<(Expr, IntType)> {
        match self.number(e)? {
            (_, ty) if ty.float => self.fail("a floating-point number where an integer is needed"),
            found => Ok(found),
        }
    }

    /// A number, or a pointer as one.
    pub(super) fn number(&mut self, e: &Node<Expression>) -> Lowered<(Expr, IntType)> {
        match self.value(e)? {
            ExprValue::Scalar(value, _) => {
                let ty = value.ty;
                Ok((value, ty))
            }
            ExprValue::Struct(_) => self.fail("a structure where a number is needed"),
            ExprValue::Void => self.fail("nothing where a number is needed"),
        }
    }

    /// The type of an expression, which is not evaluated.
    pub(super) fn type_of(&mut self, e: &Node<Expression>) -> Lowered<CType> {
        if let Expression::StringLiteral(s) = &e.node {
            let text = Text::of(&s.node);
            let element = Rc::new(CType::Int(text.element));
            return Ok(CType::Array(element, Length::Constant(text.length())));
        }
        let mut found = Ok(CType::Void);
        self.without_effects(|lowerer| {
            found = match &e.node {
                Expression::Identifier(_) | Expression::Member(_) => lowerer.plain_type(e),
                Expression::CompoundLiteral(_) => lowerer.place_of(e).map(|place| place.ty),
                Expression::UnaryOperator(op)
                    if op.node.operator.node == UnaryOperator::Indirection =>
                {
                    lowerer.place_of(e).map(|place| place.ty)
                }
                Expression::BinaryOperator(op)
                    if op.node.operator.node == BinaryOperator::Index =>
                {
                    lowerer.place_of(e).map(|place| place.ty)
                }
                _ => lowerer.value(e).map(|value| value.ty()),
            };
        });
        found
    }

    fn plain_type(&mut self, e: &Node<Expression>) -> Lowered<CType> {
        match &e.node {
            Expression::Identifier(name)
                if is_function_name(&name.node.name) && self.lookup(&name.node.name).is_none() =>
            {
                let function = &self.functions[self.frame.func.0].name;
                let length = Text::of_bytes(function.as_bytes()).length();
                Ok(CType::Array(
                    Rc::new(CType::Int(IntType::CHAR)),
                    Length::Constant(length),
                ))
            }
            Expression::Identifier(name)
                if !matches!(self.lookup(&name.node.name), Some(Entity::Object(_))) =>
            {
                Ok(self.value(e)?.ty())
            }
            _ => Ok(self.place_of(e)?.ty),
        }
    }

    /// `({ …; e; })`.
    fn statement_expression(&mut self, s: &Statement) -> Lowered<ExprValue> {
        let Statement::Compound(items) = s else {
            return unsupported("a statement as an expression");
        };
        let (last, before) = match items.split_last() {
            Some((last, before)) => (last, before),
            None => return Ok(ExprValue::Void),
        };
        self.enter();
        let mut value = self.block_items(before).map(|()| ExprValue::Void);
        if value.is_ok() {
            value = match &last.node {
                BlockItem::Statement(last) => self.last_statement(last),
                _ => self
                    .block_items(std::slice::from_ref(last))
                    .map(|()| ExprValue::Void),
            };
        }
        self.leave();
        value
    }

    /// The last statement of a block that is an expression: it has a value, behind labels as well.
    fn last_statement(&mut self, last: &Node<Statement>) -> Lowered<ExprValue> {
        match &last.node {
            Statement::Expression(Some(e)) => {
                let value = self.value(e)?;
                self.kept(value)
            }
            Statement::Labeled(labeled)
                if matches!(labeled.node.label.node, Label::Identifier(_)) =>
            {
                self.labeled_point(&labeled.node, last.span.start)?;
                self.last_statement(&labeled.node.statement)
            }
            _ => self.statement(last).map(|()| ExprValue::Void),
        }
    }

    /// A value as it is now, whatever happens to variables later.
    pub(super) fn kept(&mut self, value: ExprValue) -> Lowered<ExprValue> {
        match &value {
            ExprValue::Scalar(e, ty) if e.as_const().is_none() => {
                let result = self.temporary(ty.clone());
                self.step(Instr::Assign(result.clone(), e.clone()));
                self.load(&result)
            }
            _ => Ok(value),
        }
    }

    fn compound_literal(
        &mut self,
        literal: &Node<lang_c::ast::CompoundLiteral>,
    ) -> Lowered<Lvalue> {
        let mut ty = self.type_name(&literal.node.type_name)?;
        if let CType::Array(element, Length::Unknown) = &ty {
            let length = self.braced_length(element, &literal.node.initializer_list)?;
            ty = CType::Array(element.clone(), Length::Constant(length));
        }
        let name = format!("literal.{}", self.objects.len());
        let kind = ObjectKind::Local(self.frame.func);
        let object = self.new_object(name.clone().into(), kind, ty.clone());
        self.objects[object.0].hidden = true;
        if !self.probing {
            // It lives as long as the block. No name of a variable has a dot.
            self.define(&name, Entity::Object(object));
            self.literals.insert(object);
        }
        if self.scopes.len() > FUNCTION && !self.models.inside() {
            self.step(Instr::Mark(Mark::Enter(object)));
        }
        let place = Lvalue::of(object, ty);
        self.initializer_list(&place, &literal.node.initializer_list)?;
        Ok(place)
    }
}

/// Is this the text of the name of the function under way?
fn is_function_name(name: &str) -> bool {
    matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__")
}

/// The integer converted to a type.
pub(super) fn convert(e: Expr, ty: IntType) -> Expr {
    match e.kind {
        _ if e.ty == ty => e,
        _ if e.ty.float || ty.float => converted(e, ty),
        ExprKind::Const(value) => Expr::constant(value, ty),
        // Pointers are unsigned; a truth value fits everywhere.
        _ => Expr {
            kind: ExprKind::Convert(Box::new(e)),
            ty,
        },
    }
}

/// `!e`.
pub(super) fn negation(e: Expr) -> Expr {
    if let Some(value) = e.as_const() {
        return Expr::constant(i128::from(value == 0), IntType::INT);
    }
    Expr {
        kind: ExprKind::Not(Box::new(e)),
        ty: IntType::INT,
    }
}
