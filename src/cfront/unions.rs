//! Unions of which several members are used.
//!
//! No two members have a scalar in common here. After a step that writes to a member, further steps
//! give the other members the bytes that they share with it, on a machine that stores the lowest
//! byte first, as x86 does. These bytes are known of scalars of one type, and of integers one of
//! which has all the bytes of the other. Any other scalar gets any value, which is an
//! over-approximation. Steps that write whole unions write all their scalars.
//!
//! An access by a pointer to a part of a union of these is not supported
//! ([`super::memory::Memory::access`]): the further steps would be missing.

use super::ir::{Binary, Cfa, Claimed, Edge, Expr, ExprKind, Instr, Lvalue, Step, Unknown};
use super::program::Program;
use super::types::{CType, DataModel, IntType, Length, StructId, Structs};
use rustc_hash::{FxHashMap, FxHashSet};

/// Arrays in unions are taken apart up to this number of elements. The value was not tuned.
const APART: u64 = 64;

/// The members of unions that a program uses.
pub(crate) type UsedMembers = FxHashMap<StructId, FxHashSet<usize>>;

/// Bytes of a union.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bytes {
    first: u64,
    /// The byte after the last.
    end: u64,
}

impl Bytes {
    /// Where it is not known which bytes are meant.
    const ALL: Bytes = Bytes {
        first: 0,
        end: u64::MAX,
    };

    fn overlaps(self, other: Bytes) -> bool {
        self.first < other.end && other.first < self.end
    }

    fn contains(self, other: Bytes) -> bool {
        self.first <= other.first && other.end <= self.end
    }
}

/// Adds the steps that change the other members of unions. `used` has the members of each union
/// that the program uses.
pub(crate) fn share(program: &mut Program, used: &UsedMembers) {
    if program.punned.is_empty() {
        return;
    }
    for at in 0..program.functions.len() {
        if let Some(cfa) = program.functions[at].cfa.take() {
            let shared = Sharing { program, used }.shared(cfa);
            program.functions[at].cfa = Some(shared);
        }
    }
}

struct Sharing<'a> {
    program: &'a Program,
    used: &'a UsedMembers,
}

impl Sharing<'_> {
    fn shared(&self, mut cfa: Cfa) -> Cfa {
        for edge in std::mem::take(&mut cfa.edges) {
            let is_whole = cfa.nodes[edge.from.0].writes_whole;
            let steps = match written(&edge.instr) {
                Some(place) if !is_whole => self.after(place, &edge.instr),
                _ => Vec::new(),
            };
            put(&mut cfa, edge, steps);
        }
        cfa
    }

    /// Is a member one of a structure, or one of a union that the program uses?
    fn is_used(&self, of: StructId, at: usize) -> bool {
        let is_union = self.program.structs.def(of).union;
        !is_union || self.used.get(&of).is_some_and(|used| used.contains(&at))
    }

    /// Does a path go through one of these unions?
    fn is_in_union(&self, place: &Lvalue) -> bool {
        let mut steps = place.path.iter();
        steps.any(|step| matches!(step, Step::Field(of, _) if self.program.punned.contains(of)))
    }

    /// Has a place a pointer or an index that is read from one of these unions?
    fn depends_on_union(&self, place: &Lvalue) -> bool {
        let mut found = false;
        place.walk(&mut |part| {
            if let ExprKind::Load(from) = &part.kind {
                found |= self.is_in_union(from);
            }
        });
        found
    }

    /// The steps after one that gives a whole object any value: in each union, the largest member
    /// has it, and the others have its bytes.
    fn settled(&self, place: &Lvalue, steps: &mut Vec<Instr>) {
        let id = match &place.ty {
            CType::Struct(id) => *id,
            CType::Array(element, Length::Constant(count))
                if *count <= APART && matches!(**element, CType::Struct(_)) =>
            {
                for at in 0..*count {
                    let index = Expr::constant(i128::from(at), IntType::INT);
                    self.settled(&place.index(index, (**element).clone()), steps);
                }
                return;
            }
            _ => return,
        };
        let (structs, model) = (&self.program.structs, self.program.model);
        let fields = structs.fields(id);
        let member = |at: usize| place.field(id, at, fields[at].ty.clone());
        if !self.program.punned.contains(&id) {
            (0..fields.len()).for_each(|at| self.settled(&member(at), steps));
            return;
        }
        let used = (0..fields.len()).filter(|at| self.used[&id].contains(at));
        let size = |at: &usize| (structs.layout(&fields[*at].ty, model).0, usize::MAX - at);
        let Some(largest) = used.max_by_key(size) else {
            return;
        };
        // A union within it is settled first.
        self.settled(&member(largest), steps);
        let mut scalars = Vec::new();
        self.scalars(member(largest), Some(0), &mut scalars);
        for scalar in scalars {
            self.update(&scalar.place, place.path.len(), false, steps);
        }
    }

    /// The steps that give the scalars of other members of a union, which a path leads to at this
    /// depth, the bytes of what was written there.
    fn update(&self, place: &Lvalue, depth: usize, zero: bool, steps: &mut Vec<Instr>) {
        let Some(Step::Field(union, member)) = place.path.get(depth) else {
            return;
        };
        let bytes = self.bytes_of(*union, &place.path[depth..], &place.ty);
        for scalar in self.others(place, depth, (*union, *member)) {
            if !scalar.bytes.overlaps(bytes.unwrap_or(Bytes::ALL)) {
                continue;
            }
            let value = match bytes {
                Some(bytes) if zero && bytes.contains(scalar.bytes) => {
                    scalar.zero(self.program.model)
                }
                Some(bytes) => self.value(place, bytes, &scalar),
                None => None,
            };
            steps.push(match value {
                Some(value) => Instr::Assign(scalar.place, value),
                None => {
                    let what = "the bytes of another member of a union";
                    Instr::Havoc(scalar.place, Unknown::Approximated(what.into()))
                }
            });
        }
    }

    /// The steps after a step that writes to a place, for each union that the place is a part of.
    fn after(&self, place: &Lvalue, instr: &Instr) -> Vec<Instr> {
        let mut steps = Vec::new();
        let mut path = place.path.iter();
        if path.any(|step| matches!(step, Step::Field(of, at) if !self.is_used(*of, *at))) {
            // Copies write members that the program does not use; they have any value.
            return steps;
        }
        if self.is_in_union(place) && self.depends_on_union(place) {
            // The step may have changed which place that is.
            let what = "a union at a place that a member of a union determines";
            return vec![Instr::Unsupported(what.into())];
        }
        if let Instr::Havoc(..) = instr {
            self.settled(place, &mut steps);
        }
        let zero = matches!(instr, Instr::Fill(_, value) if value.as_const() == Some(0));
        for (depth, step) in place.path.iter().enumerate() {
            if matches!(step, Step::Field(union, _) if self.program.punned.contains(union)) {
                self.update(place, depth, zero, &mut steps);
            }
        }
        steps
    }

    /// The scalars of the other members of a union, which a path leads to at this depth.
    fn others(
        &self,
        place: &Lvalue,
        depth: usize,
        (union, member): (StructId, usize),
    ) -> Vec<Scalar> {
        let mut scalars = Vec::new();
        let whole = Lvalue {
            base: place.base.clone(),
            path: place.path[..depth].to_vec(),
            ty: CType::Struct(union),
        };
        let used = self.used.get(&union);
        for (at, field) in self.program.structs.fields(union).iter().enumerate() {
            if at == member || !used.is_some_and(|used| used.contains(&at)) {
                continue;
            }
            let other = whole.field(union, at, field.ty.clone());
            let start = match field.bits {
                Some(_) => None,
                None => self.is_laid_out(union).then_some(0),
            };
            self.scalars(other, start, &mut scalars);
        }
        scalars
    }

    fn is_laid_out(&self, id: StructId) -> bool {
        self.program.structs.is_laid_out(&CType::Struct(id))
    }

    /// The scalars of a place that begins at a byte, if that is known.
    fn scalars(&self, place: Lvalue, start: Option<u64>, found: &mut Vec<Scalar>) {
        let (structs, model) = (&self.program.structs, self.program.model);
        match &place.ty {
            CType::Struct(id) => {
                for (at, field) in structs.fields(*id).iter().enumerate() {
                    if !self.is_used(*id, at) {
                        continue;
                    }
                    let offset = structs.member_offset(*id, at, model);
                    let start = start.filter(|_| field.bits.is_none() && self.is_laid_out(*id));
                    let start = start.map(|start| start + offset);
                    self.scalars(place.field(*id, at, field.ty.clone()), start, found);
                }
            }
            CType::Array(element, Length::Constant(count)) if *count <= APART => {
                let size = structs.layout(element, model).0;
                for at in 0..*count {
                    let index = Expr::constant(i128::from(at), IntType::INT);
                    let start = start.map(|start| start + at * size);
                    self.scalars(place.index(index, (**element).clone()), start, found);
                }
            }
            ty => {
                let size = size(structs, ty, model);
                let bytes = start.zip(size).map(|(first, size)| Bytes {
                    first,
                    end: first + size,
                });
                found.push(Scalar {
                    bytes: bytes.unwrap_or(Bytes::ALL),
                    place,
                });
            }
        }
    }

    /// The bytes of a union that a path in it leads to; `None` where that is not known.
    fn bytes_of(&self, union: StructId, path: &[Step], last: &CType) -> Option<Bytes> {
        let (structs, model) = (&self.program.structs, self.program.model);
        let (mut first, mut ty) = (0, CType::Struct(union));
        for step in path {
            match (step, &ty) {
                (Step::Field(of, at), _) => {
                    let field = &structs.fields(*of)[*at];
                    if field.bits.is_some() || !self.is_laid_out(*of) {
                        return None;
                    }
                    first += structs.member_offset(*of, *at, model);
                    ty = field.ty.clone();
                }
                (Step::Index(index), CType::Array(element, _)) => {
                    let at = u64::try_from(index.as_const()?).ok()?;
                    first += at.checked_mul(structs.layout(element, model).0)?;
                    ty = (**element).clone();
                }
                (Step::Index(_), _) => return None,
            }
        }
        let end = first.checked_add(size(structs, last, model)?)?;
        Some(Bytes { first, end })
    }

    /// What a scalar is after a scalar was written that has some of its bytes; `None` where that is
    /// not known.
    fn value(&self, place: &Lvalue, bytes: Bytes, other: &Scalar) -> Option<Expr> {
        let model = self.program.model;
        let written = load(place, model)?;
        if bytes == other.bytes && is_alike(&place.ty, &other.place.ty) {
            let ty = other.place.ty.scalar(model)?;
            return Some(convert(written, ty));
        }
        let (CType::Int(_), CType::Int(to)) = (&place.ty, &other.place.ty) else {
            return None;
        };
        if written.ty.boolean || to.boolean || other.bytes == Bytes::ALL {
            return None;
        }
        let unsigned = |bytes: Bytes| {
            let bits = u32::try_from(8 * (bytes.end - bytes.first)).ok()?;
            Some(IntType::new(bits, false))
        };
        let (own, others) = (unsigned(bytes)?, unsigned(other.bytes)?);
        let new = convert(written, own);
        if bytes.contains(other.bytes) {
            let below = 8 * (other.bytes.first - bytes.first);
            return Some(convert(convert(shifted(new, below), others), *to));
        }
        if !other.bytes.contains(bytes) {
            return None;
        }
        // The number without its part that is written over, and with the new one.
        let below = 8 * (bytes.first - other.bytes.first);
        let old = convert(load(&other.place, model)?, others);
        let part = convert(convert(shifted(old.clone(), below), own), others);
        let factor = Expr::constant(1 << below, others);
        let at = |part: Expr| binary(Binary::Mul, part, factor.clone());
        let rest = binary(Binary::Sub, old, at(part));
        let sum = binary(Binary::Add, rest, at(convert(new, others)));
        Some(convert(sum, *to))
    }
}

/// A scalar of a union, or an array that stays whole.
struct Scalar {
    place: Lvalue,
    bytes: Bytes,
}

impl Scalar {
    /// The value of bytes that are zero.
    fn zero(&self, model: DataModel) -> Option<Expr> {
        self.place.ty.scalar(model).map(|ty| Expr::constant(0, ty))
    }
}

/// Puts a step into an automaton, and others after it.
fn put(cfa: &mut Cfa, edge: Edge, steps: Vec<Instr>) {
    let (mut at, end, place) = (edge.from, edge.to, edge.place.clone());
    let func = cfa.nodes[at.0].func;
    let count = steps.len();
    for (done, instr) in std::iter::once(edge.instr).chain(steps).enumerate() {
        let to = match done == count {
            true => end,
            false => cfa.add_node(place.clone(), func),
        };
        if done > 0 {
            cfa.nodes[at.0].claim = Some(Claimed::Shared);
        }
        cfa.edges.push(Edge {
            from: at,
            to,
            instr,
            place: place.clone(),
        });
        at = to;
    }
}

/// The place that a step writes to.
fn written(instr: &Instr) -> Option<&Lvalue> {
    match instr {
        Instr::Assign(place, _)
        | Instr::Havoc(place, _)
        | Instr::Fill(place, _)
        | Instr::Allocate(place, _, _)
        | Instr::Call(_, _, Some(place)) => Some(place),
        _ => None,
    }
}

/// The bytes of a type, where they are known.
fn size(structs: &Structs, ty: &CType, model: DataModel) -> Option<u64> {
    let is_known = ty.is_constant() && structs.is_laid_out(ty);
    is_known.then(|| structs.layout(ty, model).0)
}

/// Have two scalar types the same numbers for the same bytes, up to a conversion?
fn is_alike(one: &CType, other: &CType) -> bool {
    match (one, other) {
        (CType::Int(one), CType::Int(other)) => one.boolean == other.boolean,
        (CType::Pointer(_), CType::Pointer(_)) => true,
        (CType::Float(one), CType::Float(other)) => one == other,
        _ => false,
    }
}

fn load(place: &Lvalue, model: DataModel) -> Option<Expr> {
    let ty = place.ty.scalar(model)?;
    let kind = ExprKind::Load(Box::new(place.clone()));
    Some(Expr { kind, ty })
}

fn convert(e: Expr, ty: IntType) -> Expr {
    if e.ty == ty {
        return e;
    }
    let kind = ExprKind::Convert(Box::new(e));
    Expr { kind, ty }
}

fn binary(op: Binary, a: Expr, b: Expr) -> Expr {
    let ty = a.ty;
    let kind = ExprKind::Binary(op, Box::new(a), Box::new(b));
    Expr { kind, ty }
}

/// A number without its lowest bits.
fn shifted(e: Expr, bits: u64) -> Expr {
    if bits == 0 {
        return e;
    }
    let factor = Expr::constant(1 << bits, e.ty);
    binary(Binary::Div, e, factor)
}
