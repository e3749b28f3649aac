//! Structures, unions and enumerations with their members.

use super::spelled::Spelled;
use super::types::declared_name;
use super::{Entity, Lowered, Lowerer, NotLowered, unsupported};
use crate::cfront::attributes::{Packing, alignment};
use crate::cfront::parse::parse_expression;
use crate::cfront::types::{BitField, CType, Field, IntType, Length, StructDef, StructId};
use lang_c::ast::{
    EnumType, StructDeclaration, StructDeclarator, StructField, StructKind, StructType,
};
use lang_c::span::Node;

/// The members of a structure whose definition is under way.
#[derive(Default)]
struct Members {
    fields: Vec<Field>,
    /// What bit-fields without a width before the next member ask for.
    gap: u64,
    /// Is it not known where they lie?
    unknown: bool,
    /// The types of members, by their numbers, where they are needed.
    spelled: Vec<(usize, Spelled)>,
}

impl Members {
    /// Adds a member; is it known where it lies, and has its type another alignment?
    fn push(&mut self, (field, is_known): (Field, bool), is_moved: bool) {
        self.fields.push(field);
        self.unknown |= !is_known || is_moved;
    }
}

/// The first of two types if it holds a value, else the second.
fn fitting(value: i128, first: IntType, second: IntType) -> IntType {
    match first.min() <= value && value <= first.max() {
        true => first,
        false => second,
    }
}

impl Lowerer<'_> {
    pub(super) fn struct_type(&mut self, def: &StructType) -> Lowered<CType> {
        let id = self.struct_id(def);
        if let Some(declarations) = &def.declarations {
            // Nothing is known where a member is not supported.
            self.structs.defs[id.0].packing.unknown = true;
            let members = self.all_members(declarations);
            if let Err(NotLowered::Unsupported(what)) = &members {
                self.without_members.insert(id, what.clone());
            }
            let members = members?;
            let mut packing = self.packing(def.kind.span.start)?;
            packing.unknown |= members.unknown;
            let known = &mut self.structs.defs[id.0];
            (known.packing, known.gap) = (packing, members.gap);
            known.fields = Some(members.fields);
            self.note_members(id, members.spelled);
        }
        Ok(CType::Struct(id))
    }

    fn all_members(&mut self, declarations: &[Node<StructDeclaration>]) -> Lowered<Members> {
        let mut members = Members {
            gap: 1,
            ..Members::default()
        };
        for declaration in declarations {
            match &declaration.node {
                StructDeclaration::Field(field) => self.members(&field.node, &mut members)?,
                StructDeclaration::StaticAssert(a) => self.static_assertion(a)?,
            }
        }
        Ok(members)
    }

    /// Answers that a structure has no member of this name, or why its members are not known.
    pub(super) fn no_member<T>(&self, of: StructId, name: &str) -> Lowered<T> {
        match self.without_members.get(&of) {
            Some(what) => unsupported(what.clone()),
            None => self.fail(format!("there is no member `{name}`")),
        }
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

    /// The members that one declaration of a structure declares.
    fn members(&mut self, declaration: &StructField, members: &mut Members) -> Lowered<()> {
        let specifiers = &declaration.specifiers;
        let base = self.qualified(specifiers)?;
        if declaration.declarators.is_empty() {
            let placing = self.placing_of(specifiers, None)?;
            let field = Field {
                gap: std::mem::replace(&mut members.gap, 1),
                ..Field::new("", base.clone())
            };
            members.push(placing.placed(field), self.has_alignment(specifiers));
        }
        for declarator in &declaration.declarators {
            let declared = declarator.node.declarator.as_ref().map(|d| &d.node);
            let field = match declared {
                Some(d) => {
                    if self.has_variable_length(d)? {
                        return unsupported("a member of variable length");
                    }
                    let ty = match self.declarator(base.clone(), d)? {
                        // As C before 1999 writes an array without a length.
                        CType::Array(element, Length::Constant(0)) => {
                            CType::Array(element, Length::Unknown)
                        }
                        ty => ty,
                    };
                    Field::new(declared_name(d).unwrap_or(""), ty)
                }
                None => Field::new("", base.clone()),
            };
            let is_moved = self.is_moved(specifiers, &base, &field.ty);
            let placing = self.placing_of(specifiers, declared)?;
            let Some(mut field) = self.bit_field(field, &declarator.node, members)? else {
                // Compilers differ in what more is said of what has no width.
                members.unknown |= is_moved;
                continue;
            };
            field.gap = std::mem::replace(&mut members.gap, 1);
            if field.bits.is_none()
                && let Some(spelled) = self.spelled_member(specifiers, declared)
            {
                members.spelled.push((members.fields.len(), spelled));
            }
            members.push(placing.placed(field), is_moved);
        }
        Ok(())
    }

    /// A member, which is a bit-field where its declarator says so; `None` for one without a width,
    /// which moves what follows it.
    fn bit_field(
        &mut self,
        mut field: Field,
        declarator: &StructDeclarator,
        members: &mut Members,
    ) -> Lowered<Option<Field>> {
        let (Some(width), CType::Int(int)) = (&declarator.bit_width, field.ty.clone()) else {
            return Ok(Some(field));
        };
        match self.constant(width)?.and_then(|w| u32::try_from(w).ok()) {
            Some(0) => {
                let bits = 8 * self.structs.layout(&field.ty, self.model).1;
                members.gap = bits.max(members.gap);
                return Ok(None);
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
            None => return self.fail("the width of this bit-field is not constant"),
        }
        Ok(Some(field))
    }

    fn new_struct(&mut self, union: bool) -> StructId {
        self.structs.defs.push(StructDef {
            union,
            ..StructDef::default()
        });
        StructId(self.structs.defs.len() - 1)
    }

    /// What attributes and pragmas say of the structure whose first word begins at this byte.
    fn packing(&mut self, start: usize) -> Lowered<Packing> {
        let mut packing = self.source.packing(start);
        if let Some((from, to)) = packing.asked {
            packing.align = self.written_alignment(&self.source.text[from..to])?;
            packing.unknown |= packing.align.is_none();
        }
        Ok(packing)
    }

    /// The alignment that an expression of the text is; `None` where that is not known.
    fn written_alignment(&mut self, text: &str) -> Lowered<Option<u64>> {
        let types: Vec<String> = (self.type_names().into_iter())
            .filter(|name| text.contains(name.as_str()))
            .collect();
        let Ok(e) = parse_expression(text, &types) else {
            return Ok(None);
        };
        // The expression's bytes are no places of the text.
        let quoting = std::mem::replace(&mut self.watch.quoting, true);
        let value = self.constant(&e);
        self.watch.quoting = quoting;
        Ok(value?.and_then(alignment))
    }

    pub(super) fn enum_type(&mut self, def: &EnumType, start: usize) -> Lowered<CType> {
        let mut next = 0;
        let (mut least, mut most, mut values) = (0, 0, Vec::new());
        for enumerator in &def.enumerators {
            if let Some(e) = &enumerator.node.expression {
                next = match self.constant(e)? {
                    Some(value) => value,
                    None => return self.fail("the value of this enumerator is not constant"),
                };
            }
            (least, most) = (next.min(least), next.max(most));
            let name = &enumerator.node.identifier.node.name;
            values.push((name, next));
            let ty = fitting(next, IntType::INT, IntType::new(64, next < 0));
            self.define(name, Entity::Constant(next, ty));
            next += 1;
        }
        // GCC takes `unsigned int` where no value is negative; without values, nothing is known.
        let signed = least < 0 || def.enumerators.is_empty();
        let packing = self.packing(start)?;
        let widths: &[u32] = match packing.packed {
            // Packed, the smallest type that holds all values.
            true => &[8, 16, 32, 64],
            false => &[32, 64],
        };
        let types = widths.iter().map(|&bits| IntType::new(bits, signed));
        let mut fitting_types = types.filter(|ty| ty.min() <= least && most <= ty.max());
        // A number has the alignment of its type.
        let is_natural = |int: &IntType| {
            let natural = self.structs.layout(&CType::Int(*int), self.model).1;
            !packing.unknown && packing.align.is_none_or(|align| align == natural)
        };
        let Some(int) = fitting_types.next().filter(is_natural) else {
            return unsupported("an enumeration of this size");
        };
        // Values that fit have the type `int`, and others that of the enumeration.
        for (name, value) in values {
            let ty = fitting(value, IntType::INT, int);
            self.define(name, Entity::Constant(value, ty));
        }
        let ty = CType::Int(int);
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
}
