//! Expressions about types: `offsetof`, `_Alignof` and `_Generic`.

use super::types::UNKNOWN_LAYOUT;
use super::value::ExprValue;
use super::{Lowered, Lowerer, unsupported};
use crate::cfront::types::{CType, DataModel};
use lang_c::ast::{
    Expression, GenericAssociation, GenericSelection, OffsetMember, OffsetOfExpression, TypeName,
};
use lang_c::span::{Node, Span};

impl Lowerer<'_> {
    /// The bytes before a member of a structure.
    pub(super) fn offset_of(&mut self, of: &OffsetOfExpression) -> Lowered<u64> {
        let mut ty = self.type_name(&of.type_name)?;
        let mut offset = 0_u64;
        let first = OffsetMember::Member(of.designator.node.base.clone());
        let members = of.designator.node.members.iter().map(|member| &member.node);
        for member in std::iter::once(&first).chain(members) {
            match member {
                OffsetMember::Member(name) => {
                    let name = &name.node.name;
                    let CType::Struct(id) = ty else {
                        return self.fail(format!("`{name}` is asked of what is no structure"));
                    };
                    let Some(path) = self.structs.find(id, name) else {
                        return self.no_member(id, name);
                    };
                    self.size_of(&CType::Struct(id))?;
                    for (id, at) in path {
                        offset += self.structs.member_offset(id, at, self.model);
                        ty = self.structs.fields(id)[at].ty.clone();
                    }
                }
                OffsetMember::Index(index) => {
                    let CType::Array(element, _) = ty else {
                        return self.fail("an index into what is no array");
                    };
                    let Some(index) = self.constant(index)?.and_then(|n| u64::try_from(n).ok())
                    else {
                        return unsupported("`offsetof` with a variable index");
                    };
                    offset = offset.saturating_add(index.saturating_mul(self.size_of(&element)?));
                    ty = (*element).clone();
                }
                OffsetMember::IndirectMember(_) => return unsupported("`offsetof` by a pointer"),
            }
        }
        Ok(offset)
    }

    /// The alignment of a type, by an expression with this text.
    pub(super) fn alignment_of(&mut self, name: &Node<TypeName>, text: Span) -> Lowered<ExprValue> {
        let ty = self.type_name(name)?;
        if !self.structs.is_laid_out(&ty) || self.has_alignment(&name.node.specifiers) {
            return unsupported(UNKNOWN_LAYOUT);
        }
        let mut element = &ty;
        while let CType::Array(inner, _) = element {
            element = inner;
        }
        let align = self.structs.layout(&ty, self.model).1;
        let is_wide = element.is_scalar() && self.structs.layout(element, self.model).0 == 8;
        if !is_wide || align == 8 {
            return Ok(self.size_constant(align));
        }
        // Where `_Alignof` is 4, as in a structure, `__alignof__` is 8.
        let text = self.source.text.get(text.start..).unwrap_or("");
        match (self.watch.quoting, text.starts_with("__alignof")) {
            (true, _) => unsupported("the alignment of this type"),
            (false, is_own) => Ok(self.size_constant(if is_own { 8 } else { align })),
        }
    }

    /// Are there types that differ in C, and are this type here?
    pub(super) fn has_several_names(&self, ty: &CType) -> bool {
        match ty {
            CType::Int(int) if int.bits == 8 => int.signed,
            CType::Int(int) if int.bits == 32 => self.model == DataModel::Ilp32,
            CType::Int(int) => int.bits == 64,
            CType::Pointer(_) => true,
            _ => false,
        }
    }

    /// The expression that `_Generic` selects.
    pub(super) fn selected<'e>(
        &mut self,
        generic: &'e GenericSelection,
    ) -> Lowered<&'e Node<Expression>> {
        let ty = match self.type_of(&generic.expression)? {
            CType::Array(element, _) => CType::Pointer(element),
            ty => ty,
        };
        let ambiguous = self.has_several_names(&ty);
        let own = ambiguous.then(|| self.spelled(&generic.expression).value());
        let mut default = None;
        for association in &generic.associations {
            match &association.node {
                GenericAssociation::Default(e) => default = Some(&**e),
                GenericAssociation::Type(choice) => {
                    let name = &choice.node.type_name;
                    if self.type_name(name)? != ty {
                        continue;
                    }
                    let other = self.spelled_type(name);
                    let is_same = match &own {
                        _ if other.is_qualified() => Some(false),
                        Some(own) => own.is_same(&other),
                        None => Some(true),
                    };
                    match is_same {
                        Some(true) => return Ok(&choice.node.expression),
                        Some(false) => {}
                        None => return unsupported("`_Generic` between types of the same values"),
                    }
                }
            }
        }
        match default {
            Some(e) => Ok(e),
            None => self.fail("`_Generic` has no expression for this type"),
        }
    }
}
