//! Types as C tells them apart, for `_Generic` and `__builtin_types_compatible_p`.
//!
//! A [`CType`] has no qualifiers, and types of the same values are one: `char` and `signed char`,
//! `long` and `int` or `long long`. Where a program asks for more, the types of variables, members
//! and results are read from their declarations, as far as these are of the forms below. A question
//! whose answer depends on another one is not supported.

use super::modify::{Part, Specifier, attribute};
use super::types::declared_name;
use super::{Entity, Lowerer};
use crate::cfront::ir::{FuncId, ObjectId};
use crate::cfront::types::{CType, DataModel, StructId};
use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, Constant, Declarator, DeclaratorKind,
    DerivedDeclarator, Expression, IntegerSize, MemberExpression, MemberOperator, PointerQualifier,
    TypeName, TypeOf, TypeQualifier, TypeSpecifier, UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::Node;
use rustc_hash::FxHashMap;

/// The words by which a program asks for such types.
const ASKING: [&str; 2] = ["_Generic", "types_compatible"];

/// The names of integers that other types have the values of, by their rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Rank {
    /// `char` without a sign.
    Char,
    /// An enumeration. It is compatible with an integer type, and not with other enumerations.
    Enum,
    /// `signed char`, `short` and `int`.
    Own,
    Long,
    LongLong,
}

/// A type without its own qualifiers.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    Integer(Rank),
    Pointer(Box<Spelled>),
    Array(Box<Spelled>),
    /// With the type of its result.
    Function(Box<Spelled>),
    /// The [`CType`] says which type it is.
    Other,
    Unknown,
}

/// A type with its qualifiers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Spelled {
    is_const: bool,
    is_volatile: bool,
    is_restrict: bool,
    kind: Kind,
}

/// The types of what the program declares.
#[derive(Default)]
pub(super) struct Spellings {
    /// Does the program ask for them?
    is_needed: bool,
    objects: FxHashMap<ObjectId, Spelled>,
    functions: FxHashMap<FuncId, Spelled>,
    members: FxHashMap<(StructId, usize), Spelled>,
    types: FxHashMap<String, Spelled>,
}

impl Spellings {
    /// None yet, of a program with this text.
    pub(super) fn of(text: &str) -> Spellings {
        Spellings {
            is_needed: ASKING.iter().any(|word| text.contains(word)),
            ..Spellings::default()
        }
    }
}

impl Spelled {
    const UNKNOWN: Spelled = Spelled::new(Kind::Unknown);

    const fn new(kind: Kind) -> Spelled {
        Spelled {
            is_const: false,
            is_volatile: false,
            is_restrict: false,
            kind,
        }
    }

    const fn integer(rank: Rank) -> Spelled {
        Spelled::new(Kind::Integer(rank))
    }

    fn qualify(&mut self, qualifier: &TypeQualifier) {
        // A qualified array is one of qualified elements (C11, 6.7.3, 9).
        if let Kind::Array(element) = &mut self.kind {
            return element.qualify(qualifier);
        }
        match qualifier {
            TypeQualifier::Const => self.is_const = true,
            TypeQualifier::Volatile => self.is_volatile = true,
            TypeQualifier::Restrict => self.is_restrict = true,
            TypeQualifier::Atomic => self.kind = Kind::Unknown,
            _ => {}
        }
    }

    /// The type of a member of this type in an object of another type.
    fn within(mut self, object: &Spelled) -> Spelled {
        if object.is_const {
            self.qualify(&TypeQualifier::Const);
        }
        if object.is_volatile {
            self.qualify(&TypeQualifier::Volatile);
        }
        self
    }

    fn pointer(self) -> Spelled {
        Spelled::new(Kind::Pointer(Box::new(self)))
    }

    /// The type of the value that an expression of this type has.
    pub(super) fn value(self) -> Spelled {
        match self.kind {
            Kind::Array(element) => element.pointer(),
            Kind::Function(_) => self.pointer(),
            kind => Spelled::new(kind),
        }
    }

    fn has_qualifiers_of(&self, other: &Spelled) -> bool {
        let qualifiers = |ty: &Spelled| (ty.is_const, ty.is_volatile, ty.is_restrict);
        qualifiers(self) == qualifiers(other)
    }

    /// Has the type qualifiers? No value has a type with some.
    pub(super) fn is_qualified(&self) -> bool {
        self.is_const || self.is_volatile || self.is_restrict
    }

    fn rank(&self) -> Option<Rank> {
        match self.kind {
            Kind::Integer(rank) => Some(rank.max(Rank::Own)),
            Kind::Other => Some(Rank::Own),
            _ => None,
        }
    }

    /// Are types one, without regard to their own qualifiers, if their [`CType`]s are? `None` where
    /// that is not known.
    pub(super) fn is_same(&self, other: &Spelled) -> Option<bool> {
        match (&self.kind, &other.kind) {
            (Kind::Integer(Rank::Enum), Kind::Integer(Rank::Enum)) => None,
            (Kind::Integer(Rank::Enum), Kind::Integer(rank))
            | (Kind::Integer(rank), Kind::Integer(Rank::Enum)) => {
                (*rank == Rank::Own).then_some(true)
            }
            (Kind::Integer(one), Kind::Integer(other)) => Some(one == other),
            (Kind::Pointer(one), Kind::Pointer(other)) => match one.has_qualifiers_of(other) {
                true => one.is_same(other),
                false => Some(false),
            },
            (Kind::Array(one), Kind::Array(other)) if one.has_qualifiers_of(other) => {
                one.is_same(other)
            }
            (Kind::Other, Kind::Other) => Some(true),
            _ => None,
        }
    }
}

/// The rank that the words of an integer type name; `None` for other types.
fn rank_of(words: &[&TypeSpecifier]) -> Option<Rank> {
    let has = |wanted: fn(&TypeSpecifier) -> bool| words.iter().any(|word| wanted(word));
    let longs = words
        .iter()
        .filter(|word| matches!(word, TypeSpecifier::Long));
    match longs.count() {
        _ if has(|word| matches!(word, TypeSpecifier::Double)) => None,
        1 => Some(Rank::Long),
        2 => Some(Rank::LongLong),
        _ if has(|word| matches!(word, TypeSpecifier::Signed | TypeSpecifier::Unsigned)) => {
            Some(Rank::Own)
        }
        _ if has(|word| matches!(word, TypeSpecifier::Char)) => Some(Rank::Char),
        _ if has(|word| matches!(word, TypeSpecifier::Short | TypeSpecifier::Int)) => {
            Some(Rank::Own)
        }
        _ => None,
    }
}

impl Lowerer<'_> {
    /// The type that specifiers name.
    fn spelled_base<S: Specifier>(&mut self, specifiers: &[Node<S>]) -> Spelled {
        let (mut words, mut qualifiers, mut has_mode) = (Vec::new(), Vec::new(), false);
        for specifier in specifiers {
            match specifier.node.part() {
                Part::Type(word) => words.push(word),
                Part::Qualifier(qualifier) => qualifiers.push(qualifier),
                Part::Attributes(list) => {
                    let mut names = list.iter().filter_map(attribute);
                    has_mode |= names.any(|(name, _)| matches!(name, "mode" | "vector_size"));
                }
                Part::Other => {}
            }
        }
        let mut ty = match (&words[..], rank_of(&words)) {
            _ if has_mode => Spelled::UNKNOWN,
            (_, Some(rank)) => Spelled::integer(rank),
            ([TypeSpecifier::TypedefName(name)], _) => {
                let known = self.spellings.types.get(&name.node.name);
                known.cloned().unwrap_or(Spelled::UNKNOWN)
            }
            ([TypeSpecifier::TypeOf(of)], _) => match &of.node {
                TypeOf::Type(name) => self.spelled_type(name),
                TypeOf::Expression(e) => self.spelled(e),
            },
            ([TypeSpecifier::Enum(_)], _) => Spelled::integer(Rank::Enum),
            ([TypeSpecifier::Atomic(_)] | [], _) => Spelled::UNKNOWN,
            _ => Spelled::new(Kind::Other),
        };
        for qualifier in qualifiers {
            ty.qualify(qualifier);
        }
        ty
    }

    /// The type of a type name, with its qualifiers.
    pub(super) fn spelled_type(&mut self, name: &Node<TypeName>) -> Spelled {
        let base = self.spelled_base(&name.node.specifiers);
        match &name.node.declarator {
            Some(declarator) => spelled_declarator(base, &declarator.node),
            None => base,
        }
    }

    /// Notes the type of a name that was declared.
    pub(super) fn note_spelling<S: Specifier>(
        &mut self,
        specifiers: &[Node<S>],
        declarator: &Declarator,
    ) {
        let Some(name) = declared_name(declarator).filter(|_| self.spellings.is_needed) else {
            return;
        };
        let base = self.spelled_base(specifiers);
        let ty = spelled_declarator(base, declarator);
        match self.lookup(name) {
            Some(&Entity::Object(object)) => drop(self.spellings.objects.insert(object, ty)),
            Some(&Entity::Function(id)) => drop(self.spellings.functions.insert(id, ty)),
            Some(Entity::Typedef(_)) => {
                // A name that has several meanings is not followed.
                let is_global = self.scopes.len() == 1;
                let ty = if is_global { ty } else { Spelled::UNKNOWN };
                self.spellings.types.insert(name.to_owned(), ty);
            }
            _ => {}
        }
    }

    /// Notes the types of the parameters of a function that is defined.
    pub(super) fn note_parameters(&mut self, declarator: &Declarator) {
        if !self.spellings.is_needed {
            return;
        }
        if let DeclaratorKind::Declarator(inner) = &declarator.kind.node {
            self.note_parameters(&inner.node);
        }
        for derived in &declarator.derived {
            let DerivedDeclarator::Function(f) = &derived.node else {
                continue;
            };
            for param in &f.node.parameters {
                if let Some(declarator) = &param.node.declarator {
                    self.note_parameter(&param.node.specifiers, &declarator.node);
                }
            }
        }
    }

    fn note_parameter<S: Specifier>(&mut self, specifiers: &[Node<S>], declarator: &Declarator) {
        let base = self.spelled_base(specifiers);
        let ty = spelled_declarator(base, declarator);
        let name = declared_name(declarator).and_then(|name| self.lookup(name));
        if let Some(&Entity::Object(object)) = name {
            let ty = match ty.kind {
                Kind::Array(_) | Kind::Function(_) => ty.value(),
                _ => ty,
            };
            self.spellings.objects.insert(object, ty);
        }
    }

    /// The type of a member that is declared, where it is needed.
    pub(super) fn spelled_member<S: Specifier>(
        &mut self,
        specifiers: &[Node<S>],
        declarator: Option<&Declarator>,
    ) -> Option<Spelled> {
        let declarator = declarator.filter(|_| self.spellings.is_needed)?;
        let base = self.spelled_base(specifiers);
        Some(spelled_declarator(base, declarator))
    }

    /// Notes the types of the members of a structure, by their numbers.
    pub(super) fn note_members(&mut self, of: StructId, members: Vec<(usize, Spelled)>) {
        let members = members.into_iter().map(|(at, ty)| ((of, at), ty));
        self.spellings.members.extend(members);
    }

    /// The type of an expression, with the qualifiers of the object that it designates.
    pub(super) fn spelled(&mut self, e: &Node<Expression>) -> Spelled {
        match &e.node {
            Expression::Identifier(name) => self.spelled_name(&name.node.name),
            Expression::Constant(c) => self.spelled_constant(e, &c.node),
            Expression::StringLiteral(_) => match self.type_of(e) {
                Ok(CType::Array(element, _)) => {
                    let is_char = matches!(&*element, CType::Int(int) if int.bits == 8);
                    let rank = if is_char { Rank::Char } else { Rank::Own };
                    Spelled::new(Kind::Array(Box::new(Spelled::integer(rank))))
                }
                _ => Spelled::UNKNOWN,
            },
            Expression::SizeOfTy(_)
            | Expression::SizeOfVal(_)
            | Expression::AlignOf(_)
            | Expression::OffsetOf(_) => self.size_type(),
            Expression::Cast(cast) => self.spelled_type(&cast.node.type_name).value(),
            Expression::CompoundLiteral(literal) => self.spelled_type(&literal.node.type_name),
            Expression::Member(member) => self.spelled_path(&member.node),
            Expression::Call(call) => match self.spelled(&call.node.callee).value().kind {
                Kind::Pointer(function) => match function.kind {
                    Kind::Function(result) => result.value(),
                    _ => Spelled::UNKNOWN,
                },
                _ => Spelled::UNKNOWN,
            },
            Expression::GenericSelection(generic) => match self.selected(&generic.node) {
                Ok(selected) => self.spelled(selected),
                Err(_) => Spelled::UNKNOWN,
            },
            Expression::Comma(list) => match list.last() {
                Some(last) => self.spelled(last).value(),
                None => Spelled::UNKNOWN,
            },
            Expression::Conditional(c) => {
                self.spelled_common(e, [&c.node.then_expression, &c.node.else_expression])
            }
            Expression::UnaryOperator(op) => self.spelled_unary(e, &op.node),
            Expression::BinaryOperator(op) => self.spelled_binary(e, &op.node),
            Expression::VaArg(va) => self.spelled_type(&va.node.type_name).value(),
            Expression::Statement(_) => Spelled::UNKNOWN,
        }
    }

    fn spelled_name(&self, name: &str) -> Spelled {
        let known = match self.lookup(name) {
            Some(Entity::Object(object)) => self.spellings.objects.get(object),
            Some(Entity::Function(id)) => self.spellings.functions.get(id),
            Some(Entity::Constant(_, ty)) if ty.bits == 32 => {
                return Spelled::integer(Rank::Own);
            }
            _ => None,
        };
        known.cloned().unwrap_or(Spelled::UNKNOWN)
    }

    fn spelled_constant(&mut self, e: &Node<Expression>, constant: &Constant) -> Spelled {
        let Ok(CType::Int(int)) = self.type_of(e) else {
            return Spelled::new(Kind::Other);
        };
        let size = match constant {
            Constant::Integer(integer) => integer.suffix.size,
            _ => IntegerSize::Int,
        };
        Spelled::integer(match (int.bits, size, self.model) {
            (64, IntegerSize::LongLong, _) | (64, _, DataModel::Ilp32) => Rank::LongLong,
            (64, ..) | (32, IntegerSize::Long, _) => Rank::Long,
            _ => Rank::Own,
        })
    }

    /// The types of `size_t` and `ptrdiff_t`, but for the sign.
    fn size_type(&self) -> Spelled {
        Spelled::integer(match self.model {
            DataModel::Ilp32 => Rank::Own,
            DataModel::Lp64 => Rank::Long,
        })
    }

    fn spelled_path(&mut self, member: &MemberExpression) -> Spelled {
        let whole = self.spelled(&member.expression);
        let (object, ty) = match (&member.operator.node, self.type_of(&member.expression)) {
            (MemberOperator::Direct, Ok(ty)) => (whole, ty),
            (MemberOperator::Indirect, Ok(CType::Pointer(ty) | CType::Array(ty, _))) => {
                match whole.value().kind {
                    Kind::Pointer(object) => (*object, (*ty).clone()),
                    _ => return Spelled::UNKNOWN,
                }
            }
            _ => return Spelled::UNKNOWN,
        };
        let CType::Struct(id) = ty else {
            return Spelled::UNKNOWN;
        };
        let path = self.structs.find(id, &member.identifier.node.name);
        // Members without names may have qualifiers.
        let only = match path.as_deref() {
            Some([only]) => Some(*only),
            _ => None,
        };
        match only.and_then(|only| self.spellings.members.get(&only)) {
            Some(ty) if object.kind == Kind::Other => ty.clone().within(&object),
            _ => Spelled::UNKNOWN,
        }
    }

    /// The type of an operation on these operands, by the usual arithmetic conversions.
    fn spelled_common(
        &mut self,
        e: &Node<Expression>,
        operands: [&Node<Expression>; 2],
    ) -> Spelled {
        let Ok(ty) = self.type_of(e) else {
            return Spelled::UNKNOWN;
        };
        let [one, other] = operands.map(|e| self.spelled(e).value());
        match (ty, &one.kind, &other.kind) {
            (CType::Int(int), ..) => {
                let rank = one.rank().zip(other.rank());
                match (rank, int.bits, self.model) {
                    (Some((one, other)), 32, _) => Spelled::integer(one.max(other)),
                    (Some((one, other)), 64, model) => {
                        let least = match model {
                            DataModel::Ilp32 => Rank::LongLong,
                            DataModel::Lp64 => Rank::Long,
                        };
                        Spelled::integer(one.max(other).max(least))
                    }
                    _ => Spelled::UNKNOWN,
                }
            }
            (CType::Float(_) | CType::Struct(_) | CType::Void, ..) => Spelled::new(Kind::Other),
            (CType::Pointer(_), Kind::Pointer(a), Kind::Pointer(b)) if a == b => one,
            (CType::Pointer(_), Kind::Pointer(_), Kind::Integer(_) | Kind::Other) => one,
            (CType::Pointer(_), Kind::Integer(_) | Kind::Other, Kind::Pointer(_)) => other,
            _ => Spelled::UNKNOWN,
        }
    }

    fn spelled_unary(&mut self, e: &Node<Expression>, op: &UnaryOperatorExpression) -> Spelled {
        let operand = &op.operand;
        match op.operator.node {
            UnaryOperator::Address => self.spelled(operand).pointer(),
            UnaryOperator::Indirection => match self.spelled(operand).value().kind {
                Kind::Pointer(to) => *to,
                _ => Spelled::UNKNOWN,
            },
            UnaryOperator::Negate => Spelled::integer(Rank::Own),
            UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Complement => {
                self.spelled_common(e, [operand, operand])
            }
            UnaryOperator::PostIncrement
            | UnaryOperator::PostDecrement
            | UnaryOperator::PreIncrement
            | UnaryOperator::PreDecrement => self.spelled(operand).value(),
        }
    }

    fn spelled_binary(&mut self, e: &Node<Expression>, op: &BinaryOperatorExpression) -> Spelled {
        use BinaryOperator as B;
        match op.operator.node {
            B::Index => {
                let [one, other] = [&op.lhs, &op.rhs].map(|e| self.spelled(e).value().kind);
                match (one, other) {
                    (Kind::Pointer(to), _) | (_, Kind::Pointer(to)) => *to,
                    _ => Spelled::UNKNOWN,
                }
            }
            B::Multiply | B::Divide | B::Modulo | B::Plus => {
                self.spelled_common(e, [&op.lhs, &op.rhs])
            }
            B::BitwiseAnd | B::BitwiseXor | B::BitwiseOr => {
                self.spelled_common(e, [&op.lhs, &op.rhs])
            }
            B::Minus => {
                let [one, other] = [&op.lhs, &op.rhs].map(|e| self.spelled(e).value().kind);
                match (one, other) {
                    (Kind::Pointer(_), Kind::Pointer(_)) => self.size_type(),
                    _ => self.spelled_common(e, [&op.lhs, &op.rhs]),
                }
            }
            B::ShiftLeft | B::ShiftRight => self.spelled_common(e, [&op.lhs, &op.lhs]),
            B::Less
            | B::Greater
            | B::LessOrEqual
            | B::GreaterOrEqual
            | B::Equals
            | B::NotEquals
            | B::LogicalAnd
            | B::LogicalOr => Spelled::integer(Rank::Own),
            _ => self.spelled(&op.lhs).value(),
        }
    }
}

/// The type that a declarator makes of a base.
fn spelled_declarator(base: Spelled, declarator: &Declarator) -> Spelled {
    let mut ty = base;
    if (declarator.extensions.iter().filter_map(attribute)).any(|(name, _)| name == "mode") {
        return Spelled::UNKNOWN;
    }
    // Pointers stand before the name, arrays and functions after it, the outermost first.
    let mut others = Vec::new();
    for derived in &declarator.derived {
        match &derived.node {
            DerivedDeclarator::Pointer(qualifiers) | DerivedDeclarator::Block(qualifiers) => {
                ty = ty.pointer();
                for qualifier in qualifiers {
                    if let PointerQualifier::TypeQualifier(qualifier) = &qualifier.node {
                        ty.qualify(&qualifier.node);
                    }
                }
            }
            other => others.push(other),
        }
    }
    for derived in others.into_iter().rev() {
        ty = Spelled::new(match derived {
            DerivedDeclarator::Array(_) => Kind::Array(Box::new(ty)),
            _ => Kind::Function(Box::new(ty)),
        });
    }
    match &declarator.kind.node {
        DeclaratorKind::Declarator(inner) => spelled_declarator(ty, &inner.node),
        _ => ty,
    }
}
