//! Arrays whose lengths are evaluated while the program runs.
//!
//! Where a declaration evaluates a length, a variable of the front end keeps its value, so that
//! bounds and sizes do not change with the variables that the length was computed from. Types name
//! that variable.

use super::expr::convert;
use super::types::{as_parameter, declared_name};
use super::value::ExprValue;
use super::{FUNCTION, Lowered, Lowerer, NotLowered, unsupported};
use crate::cfront::ir::{Base, Binary, Expr, ExprKind, Instr, Lvalue, ObjectId};
use crate::cfront::types::{CType, IntType, Length};
use lang_c::ast::{
    ArraySize, Declarator, DeclaratorKind, DerivedDeclarator, Expression, FunctionDefinition,
    ParameterDeclaration, TypeName,
};
use lang_c::span::Node;

/// What an array of variable length consists of.
pub(super) struct Elements {
    /// How many, as a number of the type of lengths.
    pub(super) count: Expr,
    /// The type of one, whose size is constant.
    pub(super) of: CType,
}

impl Lowerer<'_> {
    /// The type of lengths that are evaluated: negative ones stay negative.
    pub(super) fn length_type(&self) -> IntType {
        IntType::new(self.model.long_bits(), true)
    }

    /// A length that is evaluated now.
    pub(super) fn evaluated_length(&mut self, e: &Node<Expression>) -> Lowered<Length> {
        let (value, _) = self.integer(e)?;
        let value = convert(value, self.length_type());
        let kept = self.temporary(CType::Int(value.ty));
        let Base::Object(variable) = kept.base else {
            return Ok(Length::Unknown);
        };
        self.step(Instr::Assign(kept, value));
        Ok(Length::Variable(variable))
    }

    /// The elements of an array whose size is evaluated while the program runs; `None` for all
    /// other types.
    pub(super) fn elements(&self, ty: &CType) -> Option<Elements> {
        let CType::Array(element, length) = ty else {
            return None;
        };
        let own = match length {
            Length::Constant(count) => Expr::constant(i128::from(*count), self.length_type()),
            Length::Variable(variable) => self.length_of(*variable),
            Length::Unknown => return None,
        };
        match (self.elements(element), length) {
            (Some(inner), _) => Some(Elements {
                count: self.arithmetic(Binary::Mul, own, inner.count),
                of: inner.of,
            }),
            (None, Length::Variable(_)) => Some(Elements {
                count: own,
                of: (**element).clone(),
            }),
            (None, _) => None,
        }
    }

    /// The value of a variable that keeps a length.
    fn length_of(&self, variable: ObjectId) -> Expr {
        let ty = self.length_type();
        let place = Lvalue::of(variable, CType::Int(ty));
        Expr {
            kind: ExprKind::Load(Box::new(place)),
            ty,
        }
    }

    /// The size of a value of a type in bytes, as `sizeof` gives it.
    pub(super) fn size_value(&mut self, ty: &CType) -> Lowered<ExprValue> {
        let Some(elements) = self.elements(ty) else {
            let size = self.size_of(ty)?;
            return Ok(self.size_constant(size));
        };
        let bytes = self.size_of(&elements.of)?;
        let ty = IntType::new(self.model.long_bits(), false);
        let (count, bytes) = (
            convert(elements.count, ty),
            Expr::constant(i128::from(bytes), ty),
        );
        let size = self.arithmetic(Binary::Mul, count, bytes);
        Ok(ExprValue::Scalar(size, CType::Int(ty)))
    }

    /// Evaluates the lengths in the types of a function's parameters, which have their values by
    /// now, and gives the parameters these types.
    pub(super) fn evaluate_parameters(
        &mut self,
        f: &Node<FunctionDefinition>,
        names: &[(String, ObjectId)],
    ) -> Lowered<()> {
        let Some(parameters) = parameters_of(&f.node.declarator.node) else {
            return Ok(());
        };
        for parameter in parameters {
            let Some(declarator) = &parameter.node.declarator else {
                continue;
            };
            let declarator = &declarator.node;
            if !self.has_variable_length(declarator)? {
                continue;
            }
            let Some(name) = declared_name(declarator) else {
                continue;
            };
            let Some((_, object)) = names.iter().find(|(known, _)| known == name) else {
                continue;
            };
            let (_, base) = self.specifiers(&parameter.node.specifiers)?;
            let ty = self.declarator_evaluated(&base, declarator, true)?;
            self.objects[object.0].ty = as_parameter(ty);
        }
        Ok(())
    }

    /// The type that a declarator makes of a base. Lengths of arrays are evaluated where that is
    /// wanted, and are unknown otherwise.
    pub(super) fn declarator_evaluated(
        &mut self,
        base: &CType,
        declarator: &Declarator,
        evaluate: bool,
    ) -> Lowered<CType> {
        let declares = std::mem::replace(&mut self.declares, evaluate);
        let ty = self.declarator(base.clone(), declarator);
        self.declares = declares;
        ty
    }

    /// The type that a cast or `sizeof` names, whose lengths are evaluated in functions.
    pub(super) fn evaluated_type_name(&mut self, name: &Node<TypeName>) -> Lowered<CType> {
        let is_local = self.scopes.len() >= FUNCTION;
        let declares = std::mem::replace(&mut self.declares, is_local);
        let ty = self.type_name(name);
        self.declares = declares;
        ty
    }

    /// Declares a declarator an array whose length is evaluated while the program runs?
    pub(super) fn has_variable_length(&mut self, declarator: &Declarator) -> Lowered<bool> {
        let mut found = false;
        for length in lengths(declarator) {
            found |= match self.constant(length) {
                Err(NotLowered::Unsupported(_)) => true,
                value => value?.is_none(),
            };
        }
        Ok(found)
    }

    /// Pointers to arrays of variable length that are subtracted.
    pub(super) fn check_difference(&self, pointee: &CType) -> Lowered<()> {
        match self.elements(pointee) {
            Some(_) => unsupported("differences of pointers to arrays of variable length"),
            None => Ok(()),
        }
    }
}

/// The parameters of the function that a declarator declares: in `int (*f(int x))(void)`, of
/// `f(int x)`.
fn parameters_of(declarator: &Declarator) -> Option<&[Node<ParameterDeclaration>]> {
    if let DeclaratorKind::Declarator(inner) = &declarator.kind.node
        && let Some(found) = parameters_of(&inner.node)
    {
        return Some(found);
    }
    declarator
        .derived
        .iter()
        .find_map(|derived| match &derived.node {
            DerivedDeclarator::Function(f) => Some(&f.node.parameters[..]),
            _ => None,
        })
}

/// The lengths of arrays in a declarator.
fn lengths(declarator: &Declarator) -> Vec<&Node<Expression>> {
    let own = declarator
        .derived
        .iter()
        .filter_map(|derived| match &derived.node {
            DerivedDeclarator::Array(array) => match &array.node.size {
                ArraySize::VariableExpression(e) | ArraySize::StaticExpression(e) => Some(&**e),
                _ => None,
            },
            _ => None,
        });
    let mut found: Vec<_> = own.collect();
    if let DeclaratorKind::Declarator(inner) = &declarator.kind.node {
        found.extend(lengths(&inner.node));
    }
    found
}
