//! Specifiers and declarators to types.

use super::value::ExprValue;
use super::{Entity, Lowered, Lowerer, NotLowered, unsupported};
use crate::cfront::types::{CType, FunctionType, IntType, Length};
use lang_c::ast::{
    ArraySize, BinaryOperator, CallExpression, DeclarationSpecifier, Declarator, DeclaratorKind,
    DerivedDeclarator, Ellipsis, Expression, ParameterDeclaration, SpecifierQualifier, Statement,
    StorageClassSpecifier, TS18661FloatFormat, TS18661FloatType, TypeName, TypeOf, TypeSpecifier,
    UnaryOperator,
};
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The storage class of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Storage {
    #[default]
    Auto,
    Extern,
    Static,
}

/// The bits of a type such as `_Float32x`; 128 where its numbers are not known.
pub(super) fn ts18661_bits(float: &TS18661FloatType) -> u32 {
    match (&float.format, float.width) {
        (TS18661FloatFormat::BinaryExtended, 32) => 64,
        (TS18661FloatFormat::BinaryExtended, 64) => 80,
        (TS18661FloatFormat::BinaryInterchange, width @ (32 | 64)) => {
            u32::try_from(width).unwrap_or(128)
        }
        _ => 128,
    }
}

/// Why a type of floating-point numbers has no values here.
pub(super) const UNKNOWN_FORMAT: &str = "`long double` and complex numbers";
/// Offsets within smaller types are counted in bits without an overflow.
const LARGEST: u64 = 1 << 56;

/// Why the size of a type, or an offset in it, is not known.
pub(super) const UNKNOWN_LAYOUT: &str = "a structure with attributes that are not supported";

/// Do specifiers declare names of types?
pub(super) fn is_typedef(specifiers: &[Node<DeclarationSpecifier>]) -> bool {
    specifiers.iter().any(|specifier| {
        matches!(&specifier.node, DeclarationSpecifier::StorageClass(class)
            if class.node == StorageClassSpecifier::Typedef)
    })
}

/// Does a specifier define a structure or an enumeration?
pub(super) fn has_body(ty: &TypeSpecifier) -> bool {
    match ty {
        TypeSpecifier::Struct(def) => def.node.declarations.is_some(),
        TypeSpecifier::Enum(def) => !def.node.enumerators.is_empty(),
        _ => false,
    }
}

/// The name that a declarator declares.
pub(in crate::cfront) fn declared_name(declarator: &Declarator) -> Option<&str> {
    match &declarator.kind.node {
        DeclaratorKind::Abstract => None,
        DeclaratorKind::Identifier(name) => Some(&name.node.name),
        DeclaratorKind::Declarator(inner) => declared_name(&inner.node),
    }
}

impl Lowerer<'_> {
    /// Storage class and type of declaration specifiers.
    pub(super) fn specifiers(
        &mut self,
        specifiers: &[Node<DeclarationSpecifier>],
    ) -> Lowered<(Storage, CType)> {
        let mut storage = Storage::Auto;
        let mut types = Vec::new();
        for specifier in specifiers {
            match &specifier.node {
                DeclarationSpecifier::StorageClass(class) => match class.node {
                    StorageClassSpecifier::Extern => storage = Storage::Extern,
                    StorageClassSpecifier::Static => storage = Storage::Static,
                    _ => {}
                },
                DeclarationSpecifier::TypeSpecifier(ty) => types.push(ty),
                _ => {}
            }
        }
        let ty = self.type_of_specifiers(&types)?;
        Ok((storage, self.modified_by(ty, specifiers)?))
    }

    fn type_of_specifiers(&mut self, specifiers: &[&Node<TypeSpecifier>]) -> Lowered<CType> {
        let (mut long, mut bits, mut signed, mut base) = (0, None, None, None);
        let (mut is_double, mut is_complex) = (false, false);
        for specifier in specifiers {
            match &specifier.node {
                TypeSpecifier::Void => base = Some(CType::Void),
                TypeSpecifier::Char => bits = Some(8),
                TypeSpecifier::Short => bits = Some(16),
                TypeSpecifier::Int => {}
                TypeSpecifier::Long => long += 1,
                TypeSpecifier::Signed => signed = Some(true),
                TypeSpecifier::Unsigned => signed = Some(false),
                TypeSpecifier::Bool => base = Some(CType::Int(IntType::BOOL)),
                TypeSpecifier::Float => base = Some(CType::Float(32)),
                TypeSpecifier::Double => is_double = true,
                TypeSpecifier::TS18661Float(float) => {
                    base = Some(CType::Float(ts18661_bits(float)));
                }
                TypeSpecifier::Complex if self.is_wide(specifier.span) => {
                    return unsupported("integers of 128 bits");
                }
                TypeSpecifier::Complex => is_complex = true,
                TypeSpecifier::Atomic(name) => base = Some(self.type_name(name)?),
                TypeSpecifier::Struct(def) => base = Some(self.struct_type(&def.node)?),
                TypeSpecifier::Enum(def) => base = Some(self.enum_type(&def.node, def.span.start)?),
                TypeSpecifier::TypedefName(name) => {
                    base = Some(match self.lookup(&name.node.name) {
                        Some(Entity::Typedef(ty)) => ty.clone(),
                        Some(Entity::Unsupported(what)) => return unsupported(what.clone()),
                        _ if name.node.name == "__builtin_va_list" => self.argument_list(),
                        _ => return self.fail(format!("unknown type `{}`", name.node.name)),
                    });
                }
                TypeSpecifier::TypeOf(of) => {
                    base = Some(match &of.node {
                        TypeOf::Type(name) => self.type_name(name)?,
                        TypeOf::Expression(e) => self.type_of_operand(e)?,
                    });
                }
            }
        }
        if is_double {
            base = Some(CType::Float(if long > 0 { 80 } else { 64 }));
        }
        match base {
            Some(CType::Float(bits)) if is_complex => return Ok(CType::Float(bits + 1)),
            _ if is_complex => return unsupported("complex integers"),
            Some(base) => return Ok(base),
            None => {}
        }
        let bits = match (bits, long) {
            (Some(bits), _) => bits,
            (None, 0) => 32,
            (None, 1) => self.model.long_bits(),
            (None, _) => 64,
        };
        Ok(CType::Int(IntType::new(bits, signed.unwrap_or(true))))
    }

    /// The type of an operand of `typeof`. It is evaluated if a length in its type is. Without an
    /// effect of the evaluation, that makes no difference.
    fn type_of_operand(&mut self, e: &Node<Expression>) -> Lowered<CType> {
        let ty = self.type_of(e)?;
        if self.probing || !ty.has_other_length() || !has_effect(e) {
            return Ok(ty);
        }
        if !self.declares {
            return unsupported("an operand of `typeof` whose evaluation has an effect");
        }
        match self.value(e)? {
            ExprValue::Scalar(_, ty) => Ok(ty),
            ExprValue::Struct(place) => Ok(place.ty),
            ExprValue::Void => Ok(CType::Void),
        }
    }

    /// Has the program another word here than `_Complex`, for integers of 128 bits?
    fn is_wide(&self, span: Span) -> bool {
        self.source
            .original(span.start..span.end)
            .contains("int128")
    }

    /// The type of specifiers without storage class.
    pub(super) fn qualified(&mut self, specifiers: &[Node<SpecifierQualifier>]) -> Lowered<CType> {
        let mut types = Vec::new();
        for specifier in specifiers {
            if let SpecifierQualifier::TypeSpecifier(ty) = &specifier.node {
                types.push(ty);
            }
        }
        let ty = self.type_of_specifiers(&types)?;
        self.modified_by(ty, specifiers)
    }

    pub(super) fn type_name(&mut self, name: &Node<TypeName>) -> Lowered<CType> {
        let base = self.qualified(&name.node.specifiers)?;
        match &name.node.declarator {
            Some(declarator) => self.declarator(base, &declarator.node),
            None => Ok(base),
        }
    }

    /// The type that a declarator makes of a base.
    pub(super) fn declarator(&mut self, base: CType, declarator: &Declarator) -> Lowered<CType> {
        let mut ty = self.modified(base, &declarator.extensions)?;
        // Pointers stand before the name, arrays and functions after it, the outermost first.
        let (mut pointers, mut others) = (Vec::new(), Vec::new());
        for derived in &declarator.derived {
            match &derived.node {
                DerivedDeclarator::Pointer(_) | DerivedDeclarator::Block(_) => {
                    pointers.push(derived);
                }
                _ => others.push(derived),
            }
        }
        for _ in pointers {
            ty = CType::Pointer(Rc::new(ty));
        }
        for derived in others.into_iter().rev() {
            ty = match &derived.node {
                DerivedDeclarator::Array(array) => {
                    let count = match &array.node.size {
                        ArraySize::VariableExpression(e) | ArraySize::StaticExpression(e) => {
                            self.length(e)?
                        }
                        _ => Length::Unknown,
                    };
                    CType::Array(Rc::new(ty), count)
                }
                DerivedDeclarator::Function(f) => {
                    let params = self.parameters(&f.node.parameters)?;
                    let open = f.node.parameters.is_empty() || f.node.ellipsis == Ellipsis::Some;
                    CType::Function(Rc::new(FunctionType {
                        result: ty,
                        params,
                        open,
                    }))
                }
                _ => CType::Function(Rc::new(FunctionType {
                    result: ty,
                    params: Vec::new(),
                    open: true,
                })),
            };
        }
        match &declarator.kind.node {
            DeclaratorKind::Declarator(inner) => self.declarator(ty, &inner.node),
            _ => Ok(ty),
        }
    }

    /// The length of an array. One that is no constant is evaluated where a variable or a type is
    /// declared.
    fn length(&mut self, e: &Node<Expression>) -> Lowered<Length> {
        let length = match self.constant(e) {
            Err(NotLowered::Unsupported(_)) => None,
            value => value?.and_then(|value| u64::try_from(value).ok()),
        };
        match length {
            Some(count) => Ok(Length::Constant(count)),
            None if self.probing => Ok(Length::Unknown),
            None if self.declares => self.evaluated_length(e),
            None if has_effect(e) => {
                unsupported("a length of an array whose evaluation has an effect")
            }
            None => Ok(Length::Unknown),
        }
    }

    /// The types of parameters; of `(void)`, none.
    pub(super) fn parameters(
        &mut self,
        params: &[Node<ParameterDeclaration>],
    ) -> Lowered<Vec<CType>> {
        let mut types = Ok(Vec::new());
        self.among_parameters(|lowerer| {
            types = params
                .iter()
                .map(|param| lowerer.parameter(param))
                .collect();
        });
        let mut types = types?;
        // `(void)`: none.
        if types == [CType::Void] {
            types.clear();
        }
        Ok(types)
    }

    /// Does something in the scope of parameters, whose values are not known.
    fn among_parameters(&mut self, action: impl FnOnce(&mut Self)) {
        self.scopes.push(FxHashMap::default());
        let declares = std::mem::take(&mut self.declares);
        action(self);
        self.declares = declares;
        self.scopes.pop();
    }

    /// The type of a parameter: arrays and functions are pointers. Lengths of arrays may speak of
    /// it from here on.
    fn parameter(&mut self, param: &Node<ParameterDeclaration>) -> Lowered<CType> {
        let (_, base) = self.specifiers(&param.node.specifiers)?;
        let ty = match &param.node.declarator {
            Some(declarator) => self.declarator(base, &declarator.node)?,
            None => base,
        };
        let declarator = param.node.declarator.as_ref();
        if let Some(name) = declarator.and_then(|d| declared_name(&d.node)) {
            let what = "an array whose length is a parameter";
            self.define(name, Entity::Unsupported(what.into()));
        }
        Ok(as_parameter(ty))
    }

    /// The size of a type in bytes, where it is known.
    pub(super) fn size_of(&self, ty: &CType) -> Lowered<u64> {
        match ty {
            CType::Array(_, Length::Unknown) => unsupported("size of an array of unknown length"),
            _ if self.elements(ty).is_some() => {
                unsupported("an array of variable length where a constant size is needed")
            }
            _ if !self.structs.is_laid_out(ty) => unsupported(UNKNOWN_LAYOUT),
            _ => match self.structs.layout(ty, self.model).0 {
                size if size < LARGEST => Ok(size),
                _ => unsupported("a type of 2^56 bytes or more"),
            },
        }
    }
}

/// An expression without the casts around it.
pub(super) fn strip_casts(e: &Node<Expression>) -> &Node<Expression> {
    match &e.node {
        Expression::Cast(cast) => strip_casts(&cast.node.expression),
        _ => e,
    }
}

/// May the evaluation of an expression change something, by its form alone?
fn has_effect(e: &Node<Expression>) -> bool {
    struct Effects(bool);
    impl<'e> Visit<'e> for Effects {
        fn visit_call_expression(&mut self, _: &'e CallExpression, _: &'e Span) {
            self.0 = true;
        }

        fn visit_unary_operator(&mut self, operator: &'e UnaryOperator, _: &'e Span) {
            use UnaryOperator as U;
            self.0 |= matches!(
                operator,
                U::PreIncrement | U::PreDecrement | U::PostIncrement | U::PostDecrement
            );
        }

        fn visit_binary_operator(&mut self, operator: &'e BinaryOperator, _: &'e Span) {
            use BinaryOperator as B;
            self.0 |= matches!(
                operator,
                B::Assign
                    | B::AssignMultiply
                    | B::AssignDivide
                    | B::AssignModulo
                    | B::AssignPlus
                    | B::AssignMinus
                    | B::AssignShiftLeft
                    | B::AssignShiftRight
                    | B::AssignBitwiseAnd
                    | B::AssignBitwiseXor
                    | B::AssignBitwiseOr
            );
        }

        fn visit_statement(&mut self, _: &'e Statement, _: &'e Span) {
            self.0 = true;
        }
    }
    let mut effects = Effects(false);
    effects.visit_expression(&e.node, &e.span);
    effects.0
}

/// Arrays and functions as parameters are pointers.
pub(super) fn as_parameter(ty: CType) -> CType {
    match ty {
        CType::Array(element, _) => CType::Pointer(element),
        CType::Function(_) => CType::Pointer(Rc::new(ty)),
        _ => ty,
    }
}
