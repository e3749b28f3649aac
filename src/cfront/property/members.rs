//! Pointers to members of structures that lead out of the member.
//!
//! Memory is made of units, one for each scalar. A pointer to a scalar reaches the scalars of which
//! `memory::points_to` says so. A pointer to a structure is one to its first scalar, too: in C, if
//! it is moved over characters, it leads to the bytes of all members. Where these are no scalars of
//! that size, they have no meaning here. Where the pointer is moved out of the first member, or is
//! used outside of it, there is an unsupported step.
//!
//! A pointer may point to objects of several types, as far as `memory::points_to` can tell, such as
//! one to the structure that others begin with. Where it is one to an object of another type than
//! it is used with, there is an unsupported step, too. The other runs go on.
//!
//! Missing: members of allocated memory, which has no constant address.

use super::access::Violation;
use super::build::{all, any, binary, convert, not, truth, within};
use super::look::{Judge, judged};
use super::weave::{Pattern, Woven, weave};
use crate::cfront::ir::{Base, Binary, Edge, Expr, ExprKind, FuncId, Instr, Lvalue, ObjectId};
use crate::cfront::memory::{Cell, Memory, Target, mismatch, run_of};
use crate::cfront::program::Program;
use crate::cfront::types::{CType, IntType};

/// Moves and uses of pointers to scalars in structures.
pub(super) struct Members<'a> {
    pub(super) program: &'a Program,
    pub(super) memory: &'a Memory,
    /// Are all members looked at? Else those with which a structure begins: a pointer to another
    /// one may not leave it in C.
    pub(super) all: bool,
}

/// The program with unsupported steps where a pointer to a structure may reach bytes that have no
/// meaning here; `None` if no pointer may.
pub(crate) fn within_members(program: &Program, memory: &Memory) -> Option<Program> {
    let members = Members {
        program,
        memory,
        all: false,
    };
    let cfas = program.functions.iter().filter_map(|f| f.cfa.as_ref());
    let mut edges = cfas.flat_map(|cfa| &cfa.edges);
    let has_some = edges.any(|edge| !judged(&members, &edge.instr).is_empty());
    has_some.then(|| {
        let mut woven = program.clone();
        weave(&mut woven, &members);
        woven
    })
}

impl Pattern for Members<'_> {
    fn around(&self, _: FuncId, edge: &Edge) -> (Vec<Woven>, Vec<Woven>) {
        (judged(self, &edge.instr), Vec::new())
    }

    fn first(&self, _: FuncId) -> Vec<Woven> {
        Vec::new()
    }

    fn last(&self, _: FuncId) -> Vec<Woven> {
        Vec::new()
    }
}

impl Judge for Members<'_> {
    /// A pointer that leaves the member with which a structure begins: it is moved by bytes, and
    /// addresses count units.
    fn operation(&self, e: &Expr) -> Vec<Violation> {
        let ExprKind::Move(pointer, _, stride) = &e.kind else {
            return Vec::new();
        };
        let over = match &stride.of {
            CType::Void => &CType::Int(IntType::CHAR),
            ty => ty,
        };
        if self.all || stride.container.is_some() || !over.is_scalar() {
            return Vec::new();
        }
        let points_to = &self.memory.points_to;
        let targets = points_to.targets(self.program, pointer).into_iter();
        let cells = targets.filter_map(|target| match target {
            Target::Cell(cell) => Some(cell),
            Target::Function(_) => None,
        });
        let (at, moved) = (self.address(pointer), self.address(e));
        let mixed = cells.filter(|&cell| points_to.begins_mixed(self.program, cell, over));
        let leaving = mixed.filter_map(|cell| {
            let object = self.object(cell, &at)?;
            let (begins, stays) = match self.run(cell, &at) {
                Some((inner, (low, high))) => {
                    let by = binary(Binary::Sub, moved.clone(), at.clone());
                    let after = binary(Binary::Add, inner.clone(), by);
                    // The end of a member is one of its addresses.
                    (within(&inner, low, high + 1), within(&after, low, high + 1))
                }
                None => (truth(true), truth(false)),
            };
            Some((all([object, begins, not(stays)]), self.end(cell)))
        });
        leaving.collect()
    }

    /// A pointer to an object of another type.
    fn mention(&self, place: &Lvalue) -> Vec<Violation> {
        let Base::Deref(pointer, _) = &place.base else {
            return Vec::new();
        };
        // A program that is checked has the tests already.
        if self.all {
            return Vec::new();
        }
        let at = self.address(pointer);
        let others = self.memory.points_to.mismatches(self.program, place);
        let ends = others.into_iter().filter_map(|object| {
            let end = Instr::Unsupported(mismatch(self.program, object));
            Some((self.inside(object, &at)?, end))
        });
        ends.collect()
    }

    fn access(&self, place: &Lvalue, _: bool) -> Vec<Violation> {
        let mut ends = self.mention(place);
        let Base::Deref(pointer, ty) = &place.base else {
            return ends;
        };
        if !ty.is_scalar() || !place.path.is_empty() {
            return ends;
        }
        // What else the encoding does not support, it says itself.
        let points_to = &self.memory.points_to;
        let cells = points_to.cells(self.program, place).unwrap_or_default();
        let at = self.address(pointer);
        let may_leave = |cell: &&Cell| self.all || points_to.begins_mixed(self.program, **cell, ty);
        let leaving = cells.iter().filter(may_leave).filter_map(|&cell| {
            let object = self.object(cell, &at)?;
            let own = cells.iter().filter(|other| other.object == cell.object);
            let inside = own.map(|&other| self.member(other, &at));
            let inside = match inside.collect::<Option<Vec<Expr>>>() {
                Some(members) => any(members),
                None if self.all => return None,
                None => truth(false),
            };
            Some((all([object, not(inside)]), self.end(cell)))
        });
        ends.extend(leaving);
        ends
    }
}

impl Members<'_> {
    /// Is an address in the object of a cell? `None` if the object has no constant address and
    /// size, or has one scalar.
    fn object(&self, cell: Cell, at: &Expr) -> Option<Expr> {
        let ty = &self.program.object(cell.object).ty;
        let leaves = &self.memory.points_to.leaves[cell.object.0];
        if !ty.is_constant() || leaves.len() < 2 {
            return None;
        }
        self.inside(cell.object, at)
    }

    /// Is an address in an object? `None` if the object has no constant address.
    fn inside(&self, object: ObjectId, at: &Expr) -> Option<Expr> {
        let first = self.memory.address(self.program, object).ok()?;
        let ty = &self.program.object(object).ty;
        let units = i128::from(self.program.structs.units(ty));
        Some(within(at, first, first + units - 1))
    }

    /// Is an address, which is in the object, in the member that a cell is of? `None` if that is in
    /// an array of structures within a structure.
    fn member(&self, cell: Cell, at: &Expr) -> Option<Expr> {
        let (inner, (low, high)) = self.run(cell, at)?;
        Some(within(&inner, low, high))
    }

    /// Where an address in the object is from the beginning of its element, and the first and the
    /// last place of the member there that a cell is of. `None` as for `member`.
    fn run(&self, cell: Cell, at: &Expr) -> Option<(Expr, (i128, i128))> {
        let structs = &self.program.structs;
        let object = &self.program.object(cell.object).ty;
        let leaf = &self.memory.points_to.leaves[cell.object.0][cell.leaf];
        let first = self.memory.address(self.program, cell.object).ok()?;
        let mut element = object;
        while let CType::Array(inner, _) = element {
            element = inner;
        }
        let offset = i128::from(leaf.offset);
        let count = i128::from(run_of(structs, element, cell.leaf)?);
        let distance = binary(Binary::Sub, at.clone(), Expr::constant(first, at.ty));
        let inner = match object {
            CType::Array(..) => {
                let units = i128::from(structs.units(element));
                binary(Binary::Rem, distance, Expr::constant(units, at.ty))
            }
            _ => distance,
        };
        Some((inner, (offset, offset + count - 1)))
    }

    /// The address that a pointer is, as a signed number.
    fn address(&self, pointer: &Expr) -> Expr {
        let word = IntType::new(self.program.model.long_bits(), true);
        convert(pointer.clone(), word)
    }

    fn end(&self, cell: Cell) -> Instr {
        let name = &self.program.object(cell.object).name;
        let what = format!("access to `{name}` by a pointer that leaves a member");
        Instr::Unsupported(what.into())
    }
}
