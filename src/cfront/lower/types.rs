//! Specifiers and declarators to types.

use super::{Entity, Lowered, Lowerer, unsupported};
use crate::cfront::attributes::Packing;
use crate::cfront::types::{BitField, CType, Field, FunctionType, IntType, StructDef, StructId};
use lang_c::ast::{
    ArraySize, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, Ellipsis,
    EnumType, Extension, ParameterDeclaration, SpecifierQualifier, StorageClassSpecifier,
    StructDeclaration, StructField, StructKind, StructType, TypeName, TypeOf, TypeSpecifier,
};
use lang_c::span::Node;
use std::rc::Rc;

/// The storage class of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Storage {
    #[default]
    Auto,
    Typedef,
    Extern,
    Static,
}

/// The name that a declarator declares.
pub(super) fn declared_name(declarator: &Declarator) -> Option<&str> {
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
                    StorageClassSpecifier::Typedef => storage = Storage::Typedef,
                    StorageClassSpecifier::Extern => storage = Storage::Extern,
                    StorageClassSpecifier::Static => storage = Storage::Static,
                    _ => {}
                },
                DeclarationSpecifier::TypeSpecifier(ty) => types.push(ty),
                _ => {}
            }
        }
        Ok((storage, self.type_of_specifiers(&types)?))
    }

    fn type_of_specifiers(&mut self, specifiers: &[&Node<TypeSpecifier>]) -> Lowered<CType> {
        let (mut long, mut bits, mut signed, mut base) = (0, None, None, None);
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
                TypeSpecifier::Double => base = Some(CType::Float(64)),
                TypeSpecifier::TS18661Float(_) => base = Some(CType::Float(64)),
                TypeSpecifier::Complex => base = Some(CType::Float(128)),
                TypeSpecifier::Atomic(name) => base = Some(self.type_name(name)?),
                TypeSpecifier::Struct(def) => base = Some(self.struct_type(&def.node)?),
                TypeSpecifier::Enum(def) => base = Some(self.enum_type(&def.node, def.span.start)?),
                TypeSpecifier::TypedefName(name) => {
                    base = Some(match self.lookup(&name.node.name) {
                        Some(Entity::Typedef(ty)) => ty.clone(),
                        _ if name.node.name == "__builtin_va_list" => self.argument_list(),
                        _ => return self.fail(format!("unknown type `{}`", name.node.name)),
                    });
                }
                TypeSpecifier::TypeOf(of) => {
                    base = Some(match &of.node {
                        TypeOf::Type(name) => self.type_name(name)?,
                        TypeOf::Expression(e) => self.type_of(e)?,
                    });
                }
            }
        }
        if let Some(base) = base {
            return Ok(base);
        }
        let bits = match (bits, long) {
            (Some(bits), _) => bits,
            (None, 0) => 32,
            (None, 1) => self.model.long_bits(),
            (None, _) => 64,
        };
        Ok(CType::Int(IntType::new(bits, signed.unwrap_or(true))))
    }

    /// The type of specifiers without storage class.
    fn qualified(&mut self, specifiers: &[Node<SpecifierQualifier>]) -> Lowered<CType> {
        let mut types = Vec::new();
        for specifier in specifiers {
            if let SpecifierQualifier::TypeSpecifier(ty) = &specifier.node {
                types.push(ty);
            }
        }
        self.type_of_specifiers(&types)
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
        let mut ty = base;
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
                            self.constant(e)?.and_then(|n| u64::try_from(n).ok())
                        }
                        _ => None,
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

    fn parameters(&mut self, params: &[Node<ParameterDeclaration>]) -> Lowered<Vec<CType>> {
        let mut types = Vec::new();
        for param in params {
            types.push(self.parameter(param)?);
        }
        // `(void)`: none.
        if types == [CType::Void] {
            types.clear();
        }
        Ok(types)
    }

    /// The type of a parameter: arrays and functions are pointers.
    pub(super) fn parameter(&mut self, param: &Node<ParameterDeclaration>) -> Lowered<CType> {
        let (_, base) = self.specifiers(&param.node.specifiers)?;
        let ty = match &param.node.declarator {
            Some(declarator) => self.declarator(base, &declarator.node)?,
            None => base,
        };
        Ok(as_parameter(ty))
    }

    fn struct_type(&mut self, def: &StructType) -> Lowered<CType> {
        let id = self.struct_id(def);
        if let Some(declarations) = &def.declarations {
            self.structs.defs[id.0].packing = self.source.packing(def.kind.span.start);
            let (mut fields, mut gap) = (Vec::new(), 1);
            for declaration in declarations {
                match &declaration.node {
                    StructDeclaration::Field(field) => {
                        self.members(&field.node, &mut gap, &mut fields)?;
                    }
                    StructDeclaration::StaticAssert(a) => self.static_assertion(a)?,
                }
            }
            self.structs.defs[id.0].fields = Some(fields);
        }
        Ok(CType::Struct(id))
    }

    /// The structure that a specifier speaks of: with members, the one of this scope; without, the
    /// innermost of that tag.
    fn struct_id(&mut self, def: &StructType) -> StructId {
        let union = def.kind.node == StructKind::Union;
        let Some(name) = &def.identifier else {
            return self.new_struct(union);
        };
        let tag = &name.node.name;
        let scopes = if def.declarations.is_some() {
            &self.tags[self.tags.len() - 1..]
        } else {
            &self.tags[..]
        };
        let known = scopes.iter().rev().find_map(|scope| scope.get(tag));
        if let Some(CType::Struct(id)) = known {
            return *id;
        }
        let id = self.new_struct(union);
        let scope = self.tags.last_mut().expect("there is a scope");
        scope.insert(tag.clone(), CType::Struct(id));
        id
    }

    /// The members that one declaration of a structure declares. `gap` is what bit-fields without a
    /// width before it ask for.
    fn members(
        &mut self,
        declaration: &StructField,
        gap: &mut u64,
        fields: &mut Vec<Field>,
    ) -> Lowered<()> {
        let base = self.qualified(&declaration.specifiers)?;
        if declaration.declarators.is_empty() {
            fields.push(Field {
                gap: std::mem::replace(gap, 1),
                ..Field::new("", base.clone())
            });
        }
        for declarator in &declaration.declarators {
            let declarator = &declarator.node;
            let mut field = match &declarator.declarator {
                Some(d) => {
                    let ty = self.declarator(base.clone(), &d.node)?;
                    let field = Field::new(declared_name(&d.node).unwrap_or(""), ty);
                    self.with_attributes(field, &d.node.extensions)?
                }
                None => Field::new("", base.clone()),
            };
            if let (Some(width), CType::Int(int)) = (&declarator.bit_width, field.ty.clone()) {
                let width = self.constant(width)?.and_then(|w| u32::try_from(w).ok());
                match width {
                    Some(0) => {
                        let bits = 8 * self.structs.layout(&field.ty, self.model).1;
                        *gap = bits.max(*gap);
                        continue;
                    }
                    Some(width) => {
                        let width = width.min(int.bits);
                        field.bits = Some(BitField {
                            declared: int,
                            width,
                        });
                        if !int.boolean {
                            field.ty = CType::Int(IntType::new(width, int.signed));
                        }
                    }
                    None => {}
                }
            }
            field.gap = std::mem::replace(gap, 1);
            fields.push(field);
        }
        Ok(())
    }

    /// A member with its attributes.
    fn with_attributes(
        &mut self,
        mut field: Field,
        extensions: &[Node<Extension>],
    ) -> Lowered<Field> {
        for extension in extensions {
            let Extension::Attribute(attribute) = &extension.node else {
                continue;
            };
            match attribute.name.node.trim_matches('_') {
                "packed" => field.pack = Some(1),
                "aligned" => {
                    let value = match attribute.arguments.first() {
                        Some(e) => self.constant(e)?.and_then(|n| u64::try_from(n).ok()),
                        None => Some(16),
                    };
                    field.align = value.filter(|value| value.is_power_of_two());
                }
                _ => {}
            }
        }
        Ok(field)
    }

    fn new_struct(&mut self, union: bool) -> StructId {
        self.structs.defs.push(StructDef {
            union,
            fields: None,
            packing: Packing::default(),
        });
        StructId(self.structs.defs.len() - 1)
    }

    fn enum_type(&mut self, def: &EnumType, start: usize) -> Lowered<CType> {
        let mut next = 0;
        let (mut negative, mut values) = (false, (0, 0));
        for enumerator in &def.enumerators {
            if let Some(e) = &enumerator.node.expression {
                next = match self.constant(e)? {
                    Some(value) => value,
                    None => return self.fail("the value of this enumerator is not constant"),
                };
            }
            negative |= next < 0;
            values = (next.min(values.0), next.max(values.1));
            let name = enumerator.node.identifier.node.name.clone();
            self.define(&name, Entity::Constant(next));
            next += 1;
        }
        // Compilers take `unsigned int` where no value is negative; without values, nothing is
        // known.
        let signed = negative || def.enumerators.is_empty();
        let bits = match self.source.packing(start).pack {
            // Packed, the smallest type that holds all values.
            Some(1) => [8, 16, 32].into_iter().find(|&bits| {
                let ty = IntType::new(bits, signed);
                ty.min() <= values.0 && values.1 <= ty.max()
            }),
            _ => None,
        };
        let ty = CType::Int(IntType::new(bits.unwrap_or(32), signed));
        let tag = def.identifier.as_ref().map(|name| name.node.name.clone());
        if let Some(tag) = tag {
            if def.enumerators.is_empty() {
                let known = self.tags.iter().rev().find_map(|scope| scope.get(&tag));
                return Ok(known.cloned().unwrap_or(CType::Int(IntType::UINT)));
            }
            let scope = self.tags.last_mut().expect("there is a scope");
            scope.insert(tag, ty.clone());
        }
        Ok(ty)
    }

    /// The size of a type in bytes, where it is known.
    pub(super) fn size_of(&self, ty: &CType) -> Lowered<u64> {
        match ty {
            CType::Array(_, None) => unsupported("size of an array of unknown length"),
            _ => Ok(self.structs.layout(ty, self.model).0),
        }
    }
}

/// Arrays and functions as parameters are pointers.
pub(super) fn as_parameter(ty: CType) -> CType {
    match ty {
        CType::Array(element, _) => CType::Pointer(element),
        CType::Function(_) => CType::Pointer(Rc::new(ty)),
        _ => ty,
    }
}
