//! Attributes that change the type of what is declared, or where it lies as a member: `packed`,
//! `aligned`, `mode` and `vector_size`.
//!
//! Those at the word `struct`, and after its members, are read from the text
//! ([`crate::cfront::attributes`]).

use super::types::has_body;
use super::{Entity, Lowered, Lowerer, unsupported};
use crate::cfront::attributes::{LARGEST, alignment, changes_layout};
use crate::cfront::types::{CType, Field, IntType};
use lang_c::ast::{
    DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, Expression, Extension,
    PointerQualifier, SpecifierQualifier, TypeQualifier, TypeSpecifier,
};
use lang_c::span::Node;

/// What attributes say of where a member lies.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Placing {
    packed: bool,
    align: Option<u64>,
    /// They say more than is understood.
    unknown: bool,
}

impl Placing {
    /// What two lists of attributes say together.
    fn and(self, other: Placing) -> Placing {
        Placing {
            packed: self.packed || other.packed,
            align: self.align.max(other.align),
            unknown: self.unknown || other.unknown,
        }
    }

    /// A member of which this is said, and whether it is known where it lies.
    pub(super) fn placed(self, field: Field) -> (Field, bool) {
        let field = Field {
            packed: self.packed,
            align: self.align,
            ..field
        };
        (field, !self.unknown)
    }
}

/// A part of declaration specifiers.
pub(super) enum Part<'s> {
    Type(&'s TypeSpecifier),
    Qualifier(&'s TypeQualifier),
    Attributes(&'s [Node<Extension>]),
    Other,
}

/// Parts of declaration specifiers, in either of the forms that the parser gives them.
pub(super) trait Specifier {
    fn part(&self) -> Part<'_>;
}

impl Specifier for DeclarationSpecifier {
    fn part(&self) -> Part<'_> {
        match self {
            DeclarationSpecifier::TypeSpecifier(ty) => Part::Type(&ty.node),
            DeclarationSpecifier::TypeQualifier(qualifier) => Part::Qualifier(&qualifier.node),
            DeclarationSpecifier::Extension(list) => Part::Attributes(list),
            _ => Part::Other,
        }
    }
}

impl Specifier for SpecifierQualifier {
    fn part(&self) -> Part<'_> {
        match self {
            SpecifierQualifier::TypeSpecifier(ty) => Part::Type(&ty.node),
            SpecifierQualifier::Extension(list) => Part::Attributes(list),
            SpecifierQualifier::TypeQualifier(qualifier) => Part::Qualifier(&qualifier.node),
        }
    }
}

/// The attributes of specifiers but those of a structure that they define.
fn own_attributes<S: Specifier>(specifiers: &[Node<S>]) -> Vec<&Node<Extension>> {
    let (mut found, mut is_after_body) = (Vec::new(), false);
    for specifier in specifiers {
        match specifier.node.part() {
            Part::Type(ty) => is_after_body = has_body(ty),
            Part::Attributes(list) if !is_after_body => found.extend(list),
            Part::Attributes(_) => {}
            Part::Qualifier(_) | Part::Other => is_after_body = false,
        }
    }
    found
}

/// The name of an attribute without underscores, and its first argument; `None` for others.
pub(super) fn attribute(extension: &Node<Extension>) -> Option<(&str, Option<&Node<Expression>>)> {
    match &extension.node {
        Extension::Attribute(a) => Some((a.name.node.trim_matches('_'), a.arguments.first())),
        _ => None,
    }
}

/// The attribute of a function or a variable that says what is executed for it, and its argument.
pub(super) fn effect<'d>(
    specifiers: &'d [Node<DeclarationSpecifier>],
    declarator: &'d Declarator,
) -> Option<(&'d str, Option<&'d Node<Expression>>)> {
    let own = own_attributes(specifiers).into_iter();
    let mut all = own.chain(&declarator.extensions).filter_map(attribute);
    all.find(|(name, _)| {
        matches!(
            *name,
            "alias" | "cleanup" | "constructor" | "destructor" | "ifunc" | "weakref"
        )
    })
}

/// Do attributes stand within a declarator, where they speak of a part of the type?
fn has_inner_attributes(declarator: &Declarator) -> bool {
    let counts = |list: &[Node<Extension>]| {
        let mut names = list.iter().filter_map(attribute);
        names.any(|(name, _)| matches!(name, "packed" | "aligned") || changes_layout(name))
    };
    let in_pointers = declarator.derived.iter().any(|derived| match &derived.node {
        DerivedDeclarator::Pointer(qualifiers) => qualifiers.iter().any(
            |qualifier| matches!(&qualifier.node, PointerQualifier::Extension(list) if counts(list)),
        ),
        _ => false,
    });
    let in_brackets = match &declarator.kind.node {
        DeclaratorKind::Declarator(inner) => {
            counts(&inner.node.extensions) || has_inner_attributes(&inner.node)
        }
        _ => false,
    };
    in_pointers || in_brackets
}

impl Lowerer<'_> {
    /// What attributes say of where a member lies.
    fn placing<'e>(
        &mut self,
        extensions: impl IntoIterator<Item = &'e Node<Extension>>,
    ) -> Lowered<Placing> {
        let mut placing = Placing::default();
        for (name, argument) in extensions.into_iter().filter_map(attribute) {
            match (name, argument) {
                ("packed", _) => placing.packed = true,
                ("aligned", argument) => {
                    let align = match argument {
                        Some(e) => self.constant(e)?.and_then(alignment),
                        None => Some(LARGEST),
                    };
                    placing.unknown |= align.is_none();
                    placing.align = placing.align.max(align);
                }
                _ => {}
            }
        }
        Ok(placing)
    }

    /// What the attributes of a declaration say of what its declarator declares, as a member or as
    /// the name of a type.
    pub(super) fn placing_of<S: Specifier>(
        &mut self,
        specifiers: &[Node<S>],
        declarator: Option<&Declarator>,
    ) -> Lowered<Placing> {
        let placing = self.placing(own_attributes(specifiers))?;
        let Some(declarator) = declarator else {
            return Ok(placing);
        };
        let own = self.placing(&declarator.extensions)?;
        let inner = Placing {
            unknown: has_inner_attributes(declarator),
            ..Placing::default()
        };
        Ok(placing.and(own).and(inner))
    }

    /// Do specifiers name a type with an alignment that is not its own, which this declares?
    pub(super) fn is_moved<S: Specifier>(
        &self,
        specifiers: &[Node<S>],
        base: &CType,
        declared: &CType,
    ) -> bool {
        let mut element = declared;
        while let (true, CType::Array(inner, _)) = (element != base, element) {
            element = inner;
        }
        element == base && self.has_alignment(specifiers)
    }

    /// Do specifiers name a type with an alignment that is not its own?
    pub(super) fn has_alignment<S: Specifier>(&self, specifiers: &[Node<S>]) -> bool {
        specifiers
            .iter()
            .any(|specifier| match specifier.node.part() {
                Part::Type(TypeSpecifier::TypedefName(name)) => {
                    self.aligned.contains(&name.node.name)
                }
                _ => false,
            })
    }

    /// A name of a type, which may have another alignment than the type.
    pub(super) fn define_type<S: Specifier>(
        &mut self,
        name: &str,
        (base, ty): (&CType, CType),
        specifiers: &[Node<S>],
        declarator: &Declarator,
    ) -> Lowered<()> {
        let placing = self.placing_of(specifiers, Some(declarator))?;
        let natural = self.structs.layout(&ty, self.model).1;
        let is_other = placing.align.is_some_and(|align| align != natural);
        if placing.unknown || is_other || self.is_moved(specifiers, base, &ty) {
            self.aligned.insert(name.to_owned());
        }
        self.define(name, Entity::Typedef(ty));
        Ok(())
    }

    /// The type that specifiers with these attributes have.
    pub(super) fn modified_by<S: Specifier>(
        &self,
        ty: CType,
        specifiers: &[Node<S>],
    ) -> Lowered<CType> {
        self.modified(ty, own_attributes(specifiers))
    }

    /// The type that attributes make of one: `mode` says how many bits it has.
    pub(super) fn modified<'e>(
        &self,
        mut ty: CType,
        extensions: impl IntoIterator<Item = &'e Node<Extension>>,
    ) -> Lowered<CType> {
        for (name, argument) in extensions.into_iter().filter_map(attribute) {
            ty = match (name, argument.map(|e| &e.node)) {
                ("mode", Some(Expression::Identifier(mode))) => {
                    self.in_mode(ty, mode.node.name.trim_matches('_'))?
                }
                ("mode" | "vector_size", _) => {
                    return unsupported(format!("the attribute `{name}`"));
                }
                _ => ty,
            };
        }
        Ok(ty)
    }

    fn in_mode(&self, ty: CType, mode: &str) -> Lowered<CType> {
        let bits = match mode {
            "QI" | "byte" => 8,
            "HI" => 16,
            "SI" => 32,
            "DI" => 64,
            "word" | "pointer" | "unwind_word" => self.model.long_bits(),
            _ => return unsupported(format!("the mode `{mode}`")),
        };
        match ty {
            CType::Int(int) if !int.boolean => Ok(CType::Int(IntType::new(bits, int.signed))),
            CType::Pointer(_) if bits == self.model.long_bits() => Ok(ty),
            _ => unsupported("a mode of this type"),
        }
    }
}
