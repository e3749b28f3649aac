//! Pointers that are moved by bytes: to a member of a structure, from a member to the structure
//! around it (`container_of`), and over elements.
//!
//! Memory is made of units, so a distance in bytes has a meaning only between two types. They are
//! those of the pointer before it became one to bytes, and of what it becomes afterwards.

use super::expr::convert;
use super::types::UNKNOWN_LAYOUT;
use super::value::ExprValue;
use super::{Lowered, Lowerer, deref, unsupported};
use crate::cfront::ir::{Base, Binary, Container, Expr, ExprKind, Instr, Lvalue, Step, Stride};
use crate::cfront::memory::leaf_count;
use crate::cfront::types::{CType, IntType, StructId};

/// A way from an object to a part of it.
#[derive(Clone, Copy, Debug)]
enum Part {
    Member(StructId, usize),
    Element(i128),
}

/// Is a pointer to this moved by bytes?
fn is_bytes(ty: &CType) -> bool {
    matches!(ty, CType::Void) || matches!(ty, CType::Int(int) if int.bits == 8)
}

/// What a pointer points to by its own type, before conversions.
fn pointee_of(e: &Expr) -> Option<CType> {
    match &e.kind {
        ExprKind::Load(place) => match &place.ty {
            CType::Pointer(of) => Some((**of).clone()),
            _ => None,
        },
        ExprKind::Address(place) => Some(place.ty.clone()),
        ExprKind::Move(_, _, stride) => match stride.container {
            Some(container) => Some(CType::Struct(container.of)),
            None => Some(stride.of.clone()),
        },
        _ => None,
    }
}

/// A pointer that is moved by bytes, and by how many: constant ones, as numbers of the type `long`,
/// and at most one other number.
fn taken_apart(e: &Expr, long: IntType) -> Option<(&Expr, i128, Option<&Expr>)> {
    let (mut at, mut bytes, mut other) = (e, 0_i128, None);
    while let ExprKind::Move(pointer, by, stride) = &at.kind {
        if stride.container.is_some() || !is_bytes(&stride.of) {
            break;
        }
        match (by.as_const(), other) {
            (Some(by), _) => bytes = bytes.checked_add(long.wrap(by))?,
            (None, None) => other = Some(&**by),
            (None, Some(_)) => return None,
        }
        at = pointer;
    }
    Some((at, bytes, other))
}

/// Is a number a multiple of another one, by its form, as long as nothing wraps around?
fn is_multiple(e: &Expr, of: i128) -> bool {
    match &e.kind {
        ExprKind::Const(value) => value % of == 0,
        ExprKind::Convert(a) => !e.ty.boolean && is_multiple(a, of),
        ExprKind::Binary(Binary::Mul, a, b) => is_multiple(a, of) || is_multiple(b, of),
        ExprKind::Binary(Binary::Add | Binary::Sub, a, b) => {
            is_multiple(a, of) && is_multiple(b, of)
        }
        _ => false,
    }
}

/// Bounds of a number that an expression would be if nothing wrapped around. The expression has its
/// lowest bits, as many as the type has.
fn bounds(e: &Expr) -> (i128, i128) {
    let found = match &e.kind {
        ExprKind::Const(value) => Some((*value, *value)),
        // A wider type has the value, others the lowest bits.
        ExprKind::Convert(a) if !e.ty.boolean => {
            Some(bounds(a)).filter(|&within| e.ty.bits <= a.ty.bits || are_within(within, a.ty))
        }
        ExprKind::Binary(op @ (Binary::Mul | Binary::Add | Binary::Sub), a, b) => {
            let ((low, high), (least, most)) = (bounds(a), bounds(b));
            let ends = [(low, least), (low, most), (high, least), (high, most)];
            let results = ends.map(|(x, y)| match op {
                Binary::Mul => x.checked_mul(y),
                Binary::Add => x.checked_add(y),
                _ => x.checked_sub(y),
            });
            let results: Option<Vec<i128>> = results.into_iter().collect();
            results.and_then(|of| Some((*of.iter().min()?, *of.iter().max()?)))
        }
        _ => None,
    };
    found.unwrap_or((e.ty.min(), e.ty.max()))
}

fn are_within((low, high): (i128, i128), ty: IntType) -> bool {
    ty.min() <= low && high <= ty.max()
}

impl Lowerer<'_> {
    /// The type of distances in bytes.
    fn distance(&self) -> IntType {
        IntType::new(self.model.long_bits(), true)
    }

    /// The pointer that is moved by bytes and then converted to a pointer to this type; `None` if
    /// it is none, or leads to nothing of that type.
    pub(super) fn moved_by_bytes(&mut self, e: &Expr, to: &CType) -> Lowered<Option<Expr>> {
        if is_bytes(to) || matches!(to, CType::Function(_)) {
            return Ok(None);
        }
        let Some((pointer, bytes, other)) = taken_apart(e, self.distance()) else {
            return Ok(None);
        };
        let Some(from) = pointee_of(pointer).filter(|from| !is_bytes(from)) else {
            return Ok(None);
        };
        if std::ptr::eq(pointer, e) {
            return Ok(None);
        }
        if !self.structs.is_laid_out(&from) || !self.structs.is_laid_out(to) {
            return unsupported(UNKNOWN_LAYOUT);
        }
        if self.elements(&from).is_some() || self.elements(to).is_some() {
            return unsupported("bytes of an array of variable length");
        }
        let size = i128::from(self.structs.layout(to, self.model).0).max(1);
        let pointer = pointer.clone();
        if let Some(other) = other {
            let fits = from == *to && bytes % size == 0 && is_multiple(other, size);
            return match fits {
                true => self
                    .over_elements(pointer, (bytes / size, other), to)
                    .map(Some),
                false => Ok(None),
            };
        }
        if from == *to && bytes % size == 0 {
            let count = Expr::constant(bytes / size, IntType::new(64, true));
            return self.moved(pointer, count, to).map(Some);
        }
        if let Some(path) = self.part_at(&from, bytes, to) {
            let mut place = deref(pointer.clone(), from);
            for part in path {
                place = self.part_of(&place, part);
            }
            place.ty = to.clone();
            let kind = ExprKind::Address(Box::new(place));
            return Ok(Some(Expr {
                kind,
                ty: pointer.ty,
            }));
        }
        Ok(self.around(pointer, &from, -bytes, to))
    }

    /// A pointer moved over a constant number of elements, and over elements of some bytes.
    fn over_elements(
        &mut self,
        pointer: Expr,
        (count, bytes): (i128, &Expr),
        of: &CType,
    ) -> Lowered<Expr> {
        let size = i128::from(self.structs.layout(of, self.model).0).max(1);
        let long = self.distance();
        let one = Expr::constant(size, long);
        // What wraps around is a multiple of a power of two still, but of no other number.
        let ty = if bytes.ty.bits < long.bits {
            bytes.ty
        } else {
            long
        };
        let bytes = convert(bytes.clone(), long);
        let bytes = match size.count_ones() == 1 || are_within(bounds(&bytes), ty) {
            true => bytes,
            false => self.checked_multiple(bytes, &one)?,
        };
        let more = self.arithmetic(Binary::Div, bytes, one);
        let moved = self.moved(pointer, more, of)?;
        let count = Expr::constant(count, IntType::new(64, true));
        self.moved(moved, count, of)
    }

    /// A number that is a multiple of another one in all runs that go on.
    fn checked_multiple(&mut self, number: Expr, of: &Expr) -> Lowered<Expr> {
        let ty = number.ty;
        let kept = self.kept(ExprValue::Scalar(number, CType::Int(ty)))?;
        let ExprValue::Scalar(number, _) = kept else {
            return self.fail("this is no number");
        };
        let rest = self.arithmetic(Binary::Rem, number.clone(), of.clone());
        let (whole, part) = (self.node(), self.node());
        self.connect(self.frame.at, part, Instr::Assume(rest.clone(), true));
        self.connect(self.frame.at, whole, Instr::Assume(rest, false));
        self.frame.at = part;
        let what = "a pointer that is moved by a part of an element";
        self.end_path(Some(Instr::Unsupported(what.into())));
        self.frame.at = whole;
        Ok(number)
    }

    /// The structure around a member that a pointer points to, if its type has a member of this
    /// type after this number of bytes.
    fn around(&mut self, pointer: Expr, member: &CType, bytes: i128, to: &CType) -> Option<Expr> {
        let CType::Struct(of) = to else {
            return None;
        };
        let path = self.part_at(to, bytes, member)?;
        let (mut units, mut leaves) = (0, 0);
        for part in path {
            let Part::Member(id, at) = part else {
                return None;
            };
            self.note_member(id, at);
            for field in &self.structs.fields(id)[..at] {
                units += self.structs.units(&field.ty);
                leaves += leaf_count(&self.structs, &field.ty);
            }
        }
        let container = Container { of: *of, leaves };
        let stride = Stride {
            container: Some(container),
            ..Stride::over(units, member.clone())
        };
        let back = Expr::constant(-1, IntType::new(64, true));
        let ty = pointer.ty;
        let kind = ExprKind::Move(Box::new(pointer), Box::new(back), stride);
        Some(Expr { kind, ty })
    }

    fn part_of(&mut self, place: &Lvalue, part: Part) -> Lvalue {
        match part {
            Part::Member(id, at) => {
                self.note_member(id, at);
                let ty = self.structs.fields(id)[at].ty.clone();
                place.field(id, at, ty)
            }
            Part::Element(at) => {
                let ty = place.ty.pointee().cloned().unwrap_or(CType::Void);
                place.index(Expr::constant(at, IntType::INT), ty)
            }
        }
    }

    /// The way to the part of this type that begins after a number of bytes in an object of a type.
    fn part_at(&self, ty: &CType, bytes: i128, wanted: &CType) -> Option<Vec<Part>> {
        let same = |ty: &CType| match (ty, wanted) {
            (CType::Int(a), CType::Int(b)) => a.bits == b.bits && a.boolean == b.boolean,
            _ => ty == wanted,
        };
        let mut path = Vec::new();
        let (mut ty, mut bytes) = (ty.clone(), u64::try_from(bytes).ok()?);
        loop {
            if bytes == 0 && !path.is_empty() && same(&ty) {
                return Some(path);
            }
            let inner = match &ty {
                CType::Struct(id) if !self.structs.def(*id).union => {
                    let fields = self.structs.fields(*id).iter().enumerate().rev();
                    let offset = |at| self.structs.member_offset(*id, at, self.model);
                    let mut found = fields.filter(|&(at, _)| offset(at) <= bytes);
                    let (at, field) = found.next()?;
                    bytes -= offset(at);
                    path.push(Part::Member(*id, at));
                    field.ty.clone()
                }
                CType::Array(element, _) => {
                    let size = self.structs.layout(element, self.model).0.max(1);
                    path.push(Part::Element(i128::from(bytes / size)));
                    bytes %= size;
                    (**element).clone()
                }
                _ => return None,
            };
            ty = inner;
        }
    }

    /// The bytes before a place that a null pointer leads to, as in `&((struct s *)0)->member`.
    pub(super) fn offset_from_null(&self, place: &Lvalue) -> Lowered<Option<i128>> {
        match &place.base {
            Base::Deref(pointer, ty) if pointer.as_const() == Some(0) => {
                if let CType::Struct(_) = ty {
                    self.size_of(ty)?;
                }
                Ok(self.offset(place, ty))
            }
            _ => Ok(None),
        }
    }

    /// The bytes before a place in an object of this type, if they are constant.
    fn offset(&self, place: &Lvalue, ty: &CType) -> Option<i128> {
        let (mut offset, mut ty) = (0, ty.clone());
        for step in &place.path {
            ty = match step {
                Step::Field(id, at) => {
                    offset += i128::from(self.structs.member_offset(*id, *at, self.model));
                    self.structs.fields(*id)[*at].ty.clone()
                }
                Step::Index(index) => {
                    let element = ty.pointee()?.clone();
                    let size = i128::from(self.structs.layout(&element, self.model).0);
                    offset += index.as_const()?.checked_mul(size)?;
                    element
                }
            };
        }
        Some(offset)
    }
}
