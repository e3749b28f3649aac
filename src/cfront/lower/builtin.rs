//! What the compiler provides under names of functions and is more than a function: choices by
//! types and constants, promises to the optimiser, and checks for overflow.

use super::call::Named;
use super::expr::convert;
use super::value::ExprValue;
use super::{Lowered, Lowerer, deref, unsupported};
use crate::cfront::dialect::{COMPATIBLE, GOTO};
use crate::cfront::ir::{Binary, Expr, Instr};
use crate::cfront::types::{CType, IntType, Length};
use lang_c::ast::{Expression, SpecifierQualifier, TypeName, TypeOf, TypeSpecifier};
use lang_c::span::Node;

/// Is an expression a constant to the compiler?
pub(super) const CONSTANT: &str = "__builtin_constant_p";

/// All sums and differences of numbers of up to 64 bits, and products of up to 32, are of this
/// type.
const WIDE: IntType = IntType::new(72, true);

/// `__builtin_add_overflow` and its kind: the operation, and the type of the operands and the
/// result where the name says one; `None` for other names.
fn overflow_check(name: &str) -> Option<(Binary, Option<(&str, bool)>)> {
    let name = name.strip_prefix("__builtin_")?.strip_suffix("_overflow")?;
    let operation = |name: &str| match name {
        "add" => Some(Binary::Add),
        "sub" => Some(Binary::Sub),
        "mul" => Some(Binary::Mul),
        _ => None,
    };
    if let Some(known) = operation(name) {
        return Some((known, None));
    }
    let (signed, rest) = match name.split_at_checked(1)? {
        ("s", rest) => (true, rest),
        ("u", rest) => (false, rest),
        _ => return None,
    };
    let (operator, size) = rest.split_at_checked(3)?;
    let known = operation(operator).filter(|_| matches!(size, "" | "l" | "ll"))?;
    Some((known, Some((size, signed))))
}

/// The type that an operand of `sizeof` names.
fn named_type(e: &Node<Expression>) -> Option<&Node<TypeName>> {
    match &e.node {
        Expression::SizeOfTy(of) => Some(&of.node.0),
        _ => None,
    }
}

impl Lowerer<'_> {
    /// A call that is none of a function; `None` for others.
    pub(super) fn builtin_call(&mut self, call: &Named<'_>) -> Lowered<Option<ExprValue>> {
        match (call.name, call.arguments) {
            (GOTO, [target]) => self.computed_goto(target).map(Some),
            (COMPATIBLE, [one, other]) => self.are_compatible(one, other).map(Some),
            ("__builtin_choose_expr", [condition, yes, no]) => match self.constant(condition)? {
                Some(0) => self.value(no).map(Some),
                Some(_) => self.value(yes).map(Some),
                None => unsupported("`__builtin_choose_expr` by what is no constant"),
            },
            (CONSTANT, [e]) => {
                let truth = i128::from(self.is_known_constant(e)?);
                Ok(Some(Self::constant_value(Expr::constant(
                    truth,
                    IntType::INT,
                ))))
            }
            ("__builtin_expect", [value, hints @ ..])
            | ("__builtin_expect_with_probability", [value, hints @ ..]) => {
                let value = self.expected_value(value)?;
                hints.iter().try_for_each(|hint| self.evaluated(hint))?;
                Ok(Some(value))
            }
            ("__builtin_assume_aligned", [pointer, hints @ ..]) => {
                let value = self.value(pointer)?;
                hints.iter().try_for_each(|hint| self.evaluated(hint))?;
                Ok(Some(value))
            }
            (name, [one, other, result]) => self.overflow_call(name, [one, other], result),
            _ => Ok(None),
        }
    }

    /// The value of the first argument of `__builtin_expect`, which is a `long` (GCC's manual).
    fn expected_value(&mut self, e: &Node<Expression>) -> Lowered<ExprValue> {
        match self.value(e)? {
            value @ ExprValue::Scalar(_, CType::Int(_) | CType::Float(_)) => {
                let long = IntType::new(self.model.long_bits(), true);
                self.cast(value, &CType::Int(long))
            }
            value => Ok(value),
        }
    }

    /// A check for overflow; `None` for other names.
    fn overflow_call(
        &mut self,
        name: &str,
        operands: [&Node<Expression>; 2],
        result: &Node<Expression>,
    ) -> Lowered<Option<ExprValue>> {
        // `__builtin_add_overflow_p` stores nothing.
        let (name, stores) = match name.strip_suffix("_overflow_p") {
            Some(name) => (format!("{name}_overflow"), false),
            None => (name.to_owned(), true),
        };
        let Some((operation, ty)) = overflow_check(&name) else {
            return Ok(None);
        };
        let ty = ty.map(|(size, signed)| {
            let bits = match size {
                "" => 32,
                "l" => self.model.long_bits(),
                _ => 64,
            };
            IntType::new(bits, signed)
        });
        let operands = self.checked_operands(operands, ty)?;
        let value = match stores {
            true => self.checked_operation(operation, &operands, result),
            false => self.checked_without_result(operation, &operands, result),
        };
        value.map(Some)
    }

    /// `__builtin_types_compatible_p` of the operands of `sizeof`.
    fn are_compatible(
        &mut self,
        one: &Node<Expression>,
        other: &Node<Expression>,
    ) -> Lowered<ExprValue> {
        let (Some(one), Some(other)) = (named_type(one), named_type(other)) else {
            return self.fail("these are no types");
        };
        let (first, second) = (self.type_name(one)?, self.type_name(other)?);
        let text = |name: &Node<TypeName>| {
            let text = self.source.text.get(name.span.start..name.span.end);
            text.map(|text| text.split_whitespace().collect::<String>())
        };
        let mut are_same = are_alike(&first, &second);
        let is_ambiguous = self.has_several_names(&first)
            || may_be_enumeration(&first) && !(is_basic(one) && is_basic(other));
        if are_same && is_ambiguous && text(one) != text(other) {
            let [first, second] = [one, other].map(|name| self.spelled_type(name));
            are_same = match first.is_same(&second) {
                Some(are_same) => are_same,
                None => return unsupported("a comparison of types of the same values"),
            };
        }
        let truth = Expr::constant(i128::from(are_same), IntType::INT);
        Ok(ExprValue::Scalar(truth, CType::INT))
    }

    /// The operands of a check for overflow. Both have the type, if there is one.
    fn checked_operands(
        &mut self,
        operands: [&Node<Expression>; 2],
        ty: Option<IntType>,
    ) -> Lowered<Vec<Expr>> {
        let mut values = Vec::new();
        for operand in operands {
            let (value, own) = self.integer(operand)?;
            let value = convert(value, ty.unwrap_or(own));
            // The result may be one of the operands.
            match self.kept(ExprValue::number(value))? {
                ExprValue::Scalar(value, _) => values.push(value),
                _ => return self.fail("a number is needed"),
            }
        }
        Ok(values)
    }

    /// Stores the result of an operation, and answers whether it is another than that of integers
    /// without bounds.
    fn checked_operation(
        &mut self,
        operation: Binary,
        operands: &[Expr],
        result: &Node<Expression>,
    ) -> Lowered<ExprValue> {
        let ExprValue::Scalar(pointer, to) = self.value(result)? else {
            return self.fail("this is no pointer");
        };
        let Some(CType::Int(to)) = to.pointee().cloned() else {
            return self.fail("this is no pointer to an integer");
        };
        let place = deref(pointer, CType::Int(to));
        let (stored, overflows) = self.checked(operation, operands, to)?;
        let overflows = self.kept(ExprValue::Scalar(overflows, CType::INT))?;
        self.step(Instr::Assign(place, stored));
        self.cast(overflows, &CType::Int(IntType::BOOL))
    }

    /// Has an operation another result than that of integers without bounds in the type of `like`?
    fn checked_without_result(
        &mut self,
        operation: Binary,
        operands: &[Expr],
        like: &Node<Expression>,
    ) -> Lowered<ExprValue> {
        self.evaluated(like)?;
        let CType::Int(to) = self.type_of(like)? else {
            return self.fail("this is no integer");
        };
        let (_, overflows) = self.checked(operation, operands, to)?;
        self.cast(
            ExprValue::Scalar(overflows, CType::INT),
            &CType::Int(IntType::BOOL),
        )
    }

    /// The result of an operation in a type, and whether it is another than that of integers
    /// without bounds.
    fn checked(
        &mut self,
        operation: Binary,
        operands: &[Expr],
        to: IntType,
    ) -> Lowered<(Expr, Expr)> {
        if operation == Binary::Mul && operands.iter().any(|e| e.ty.bits > 32) {
            return self.long_product(operands, to);
        }
        let wide = |e: &Expr| convert(e.clone(), WIDE);
        let exact = self.arithmetic(operation, wide(&operands[0]), wide(&operands[1]));
        let stored = convert(exact.clone(), to);
        let back = convert(stored.clone(), WIDE);
        Ok((stored, self.arithmetic(Binary::Ne, back, exact)))
    }

    /// The product of numbers of 64 bits, and whether it needs more.
    fn long_product(&mut self, operands: &[Expr], to: IntType) -> Lowered<(Expr, Expr)> {
        if to.bits != 64 || operands.iter().any(|e| e.ty != to) {
            return unsupported("a check for overflow of a product of different types");
        }
        let model = match to.signed {
            true => "horn_product_overflows_signed",
            false => "horn_product_overflows_unsigned",
        };
        let values = operands.iter().cloned().map(ExprValue::number).collect();
        let overflows = self.library_part(model, values)?;
        let overflows = self.kept(overflows)?;
        let ExprValue::Scalar(overflows, _) = overflows else {
            return self.fail("a number is needed");
        };
        let unsigned = IntType::new(64, false);
        let [one, other] = [0, 1].map(|at| convert(operands[at].clone(), unsigned));
        let product = self.arithmetic(Binary::Mul, one, other);
        Ok((convert(product, to), overflows))
    }
}

/// Are types the same, where lengths of arrays count that both types have?
fn are_alike(one: &CType, other: &CType) -> bool {
    match (one, other) {
        (CType::Array(one, length), CType::Array(other, others)) => {
            let is_open = [*length, *others].contains(&Length::Unknown);
            are_alike(one, other) && (is_open || length == others)
        }
        _ => one == other,
    }
}

/// Two enumerations are different types of the same values, and so may elements of arrays be.
fn may_be_enumeration(ty: &CType) -> bool {
    match ty {
        CType::Array(element, _) => may_be_enumeration(element),
        ty => matches!(ty, CType::Int(int) if int.bits == 32),
    }
}

/// Is a type named by words for integers alone, or as that of a number?
fn is_basic(name: &Node<TypeName>) -> bool {
    let is_other = |specifier: &Node<SpecifierQualifier>| match &specifier.node {
        SpecifierQualifier::TypeSpecifier(ty) => match &ty.node {
            TypeSpecifier::Enum(_) | TypeSpecifier::TypedefName(_) => true,
            TypeSpecifier::TypeOf(of) => match &of.node {
                TypeOf::Expression(e) => !matches!(e.node, Expression::Constant(_)),
                TypeOf::Type(name) => !is_basic(name),
            },
            _ => false,
        },
        _ => false,
    };
    !name.node.specifiers.iter().any(is_other)
}
