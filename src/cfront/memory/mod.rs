//! Memory as variables: which scalars of a program's objects are one variable of the encoding, and
//! which an array.
//!
//! Cells that one access may reach are one part. A part of a single cell that exists once is a
//! scalar. Any other part is an array over addresses, or over positions in the only object that it
//! belongs to. Addresses are constants, except for objects allocated at a place that may be passed
//! more than once: these get increasing addresses. The elements of small arrays without access
//! through pointers are separate scalars.

mod calls;
mod layout;
mod order;
mod places;
mod points_to;
mod split;
mod union;

use super::ir::{Base, Expr, ExprKind, FuncId, Lvalue, Object, ObjectId, ObjectKind, Step, Stride};
use super::program::Program;
use super::types::{CType, IntType};
use rustc_hash::FxHashSet;
use std::rc::Rc;

pub(crate) use calls::{Calls, passed_once};
pub(crate) use order::Comparison;
use places::addressed;
pub(crate) use places::for_each_place;
pub(crate) use points_to::{Cell, Mismatch, PointsTo, Target, leaf_count, mismatch, run_of};
use union::Union;

/// A variable of the encoding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct PartId(pub(crate) usize);

/// What a variable of the encoding holds.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// As in C where it is one scalar of a variable.
    pub(crate) name: Rc<str>,
    /// Of the value, or of an array's elements.
    pub(crate) ty: IntType,
    pub(crate) array: bool,
    pub(crate) cells: Vec<Cell>,
    /// Does the name mean this in C, in the text of that function or everywhere?
    pub(crate) visible: bool,
    /// The function whose local it is; `None` for what any function may see.
    pub(crate) owner: Option<FuncId>,
    /// Arrays: the indices are positions in the only object, not addresses.
    pub(crate) relative: bool,
    /// Arrays of new memory that begins with zeros.
    pub(crate) zeroed: bool,
}

/// What a place means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    /// A scalar. Through a pointer: its address, which the pointer must have.
    Scalar(PartId, Option<i128>),
    /// An element of an array.
    Array(PartId),
    /// One of several scalars, by its indices ([`Memory::elements`]); none if an index is out of
    /// bounds.
    Element,
    /// Nothing that is known: the pointer points to no object of the program.
    Nowhere,
}

/// The result of the analysis.
pub(crate) struct Memory {
    pub(crate) points_to: PointsTo,
    pub(crate) parts: Vec<Part>,
    /// The part of each cell of each object.
    part_of: Vec<Vec<PartId>>,
    /// The address of each object that has a constant one.
    addresses: Vec<Option<i128>>,
    /// Addresses of functions come before those of objects.
    pub(crate) next: PartId,
    pub(crate) heap_start: i128,
    /// Functions that may be called while they run.
    pub(crate) recursive: Vec<bool>,
    /// Locals of recursive functions whose address is taken: there are many of them at a time.
    many: FxHashSet<ObjectId>,
    /// Objects whose address is taken.
    taken: FxHashSet<ObjectId>,
    /// Places of allocation of one element that are passed at most once.
    pub(crate) once: FxHashSet<ObjectId>,
    /// Places of allocation of any size that are passed at most once.
    passed_once: FxHashSet<ObjectId>,
}

/// The units between two objects whose lengths are not constant, at most: more than any stack has.
const LONGEST: i128 = 1 << 40;

/// The first address that is given.
const FIRST: i128 = order::PAGE;

impl Memory {
    pub(crate) fn of(program: &mut Program) -> Self {
        let points_to = PointsTo::of(program);
        let program = &*program;
        let calls = Calls::of(program, &points_to);
        let recursive = calls.recursive();
        let taken = addressed(program);
        let is_many = |id: &ObjectId| match program.object(*id).kind {
            ObjectKind::Local(f) => recursive[f.0] && taken.contains(id),
            _ => false,
        };
        let many: FxHashSet<ObjectId> = (0..program.objects.len())
            .map(ObjectId)
            .filter(is_many)
            .collect();
        let passed_once = passed_once(program, &calls);
        let once = passed_once.iter().copied();
        let once = once.filter(|&heap| !program.object(heap).many).collect();
        let mut memory = Memory {
            parts: Vec::new(),
            part_of: Vec::new(),
            addresses: vec![None; program.objects.len()],
            next: PartId(0),
            heap_start: 0,
            recursive,
            many,
            taken,
            once,
            passed_once,
            points_to,
        };
        memory.give_addresses(program);
        let has_bounds = |at: &usize| {
            let object = &program.objects[*at];
            let is_heap = matches!(object.kind, ObjectKind::Heap(_));
            memory.addresses[*at].is_some() && object.ty.is_constant() && !is_heap
        };
        let bounded = (0..program.objects.len()).filter(has_bounds).map(ObjectId);
        memory.points_to.guarded = bounded.collect();
        memory.make_parts(program);
        memory
    }

    /// The address of a function.
    pub(crate) fn function_address(f: FuncId) -> i128 {
        FIRST + i128::try_from(f.0).expect("few functions")
    }

    /// No two objects overlap. Those without a constant length come last and have the most room, so
    /// that the other addresses stay small.
    fn give_addresses(&mut self, program: &Program) {
        let fixed = |at: &usize| match program.objects[*at].kind {
            ObjectKind::Heap(_) => self.once.contains(&ObjectId(*at)),
            _ => !self.many.contains(&ObjectId(*at)),
        };
        let (open, known): (Vec<usize>, Vec<usize>) = (0..program.objects.len())
            .filter(fixed)
            .partition(|at| is_open(&program.objects[*at]));
        let mut next = Memory::function_address(FuncId(program.functions.len())) + 16;
        for at in known {
            self.addresses[at] = Some(next);
            let ty = &program.objects[at].ty;
            let (size, _) = program.structs.layout(ty, program.model);
            let length = size.max(program.structs.units(ty));
            next += i128::from(length.min(1 << 40)) + 16;
        }
        let bits = program.model.long_bits();
        let room = (1 << (bits - 2)) / i128::try_from(open.len().max(1)).expect("few objects");
        for at in open {
            self.addresses[at] = Some(next);
            next += room.min(LONGEST);
        }
        self.heap_start = next + 1024;
    }

    /// The constant address of an object.
    pub(crate) fn address(&self, program: &Program, object: ObjectId) -> Result<i128, Mismatch> {
        self.addresses[object.0].ok_or_else(|| {
            format!(
                "the address of `{}`, a local variable of a recursive function",
                program.object(object).name
            )
            .into()
        })
    }

    /// Cells that one access may reach become one part.
    fn make_parts(&mut self, program: &Program) {
        let offsets: Vec<usize> = (self.points_to.leaves.iter())
            .scan(0, |sum, leaves| {
                let at = *sum;
                *sum += leaves.len();
                Some(at)
            })
            .collect();
        let total = self.points_to.leaves.iter().map(Vec::len).sum();
        let mut union = Union::new(total);
        let cfas = program.functions.iter().filter_map(|f| f.cfa.as_ref());
        for edge in cfas.flat_map(|cfa| &cfa.edges) {
            for_each_place(&edge.instr, &mut |place| {
                if let (Base::Deref(..), Ok(cells)) =
                    (&place.base, self.points_to.cells(program, place))
                {
                    let number = |cell: &Cell| offsets[cell.object.0] + cell.leaf;
                    let count = points_to::leaf_count(&program.structs, &place.ty);
                    for pair in cells.windows(2) {
                        for at in 0..count {
                            if number(&pair[0]) + at < total && number(&pair[1]) + at < total {
                                union.join(number(&pair[0]) + at, number(&pair[1]) + at);
                            }
                        }
                    }
                }
            });
        }
        let mut part_of_class = vec![None; total];
        for (object, &offset) in offsets.iter().enumerate() {
            let mut own = Vec::new();
            for leaf in 0..self.points_to.leaves[object].len() {
                let class = union.find(offset + leaf);
                let cell = Cell {
                    object: ObjectId(object),
                    leaf,
                };
                let id = *part_of_class[class].get_or_insert_with(|| {
                    self.parts.push(self.part(program, cell));
                    PartId(self.parts.len() - 1)
                });
                self.parts[id.0].cells.push(cell);
                own.push(id);
            }
            self.part_of.push(own);
        }
        for at in 0..self.parts.len() {
            self.finish_part(program, at);
        }
        self.next = PartId(self.parts.len());
        self.parts.push(Part {
            name: "heap.next".into(),
            ty: IntType::new(program.model.long_bits(), false),
            array: false,
            cells: Vec::new(),
            visible: false,
            owner: None,
            relative: false,
            zeroed: false,
        });
    }

    /// A part that begins with a cell.
    fn part(&self, program: &Program, cell: Cell) -> Part {
        let object = program.object(cell.object);
        let leaf = &self.points_to.leaves[cell.object.0][cell.leaf];
        Part {
            name: format!("{}{}", object.name, leaf.path).into(),
            ty: leaf.ty.scalar(program.model).unwrap_or(IntType::INT),
            array: false,
            cells: Vec::new(),
            visible: !object.hidden,
            owner: None,
            relative: false,
            zeroed: false,
        }
    }

    fn finish_part(&mut self, program: &Program, at: usize) {
        let cells = self.parts[at].cells.clone();
        let Some(&first) = cells.first() else {
            return;
        };
        let object = program.object(first.object);
        let fixed = self.addresses[first.object.0].is_some();
        let leaf = &self.points_to.leaves[first.object.0][first.leaf];
        let single = cells.len() == 1;
        let in_array = leaf.in_array || (matches!(object.kind, ObjectKind::Heap(_)) && !fixed);
        let owner = match object.kind {
            ObjectKind::Local(f) if single && !self.taken.contains(&first.object) => Some(f),
            _ => None,
        };
        let zeroed = cells
            .iter()
            .all(|cell| program.zeroed.contains(&cell.object) && !self.once.contains(&cell.object));
        let part = &mut self.parts[at];
        part.array = !single || in_array;
        part.relative = part.array && single && fixed;
        part.visible &= single && !part.array;
        part.owner = owner;
        part.zeroed = zeroed;
    }

    /// The parts of all cells of an object, in their order.
    pub(crate) fn parts_of(&self, object: ObjectId) -> &[PartId] {
        &self.part_of[object.0]
    }

    pub(crate) fn part_of(&self, cell: Cell) -> Option<PartId> {
        self.part_of[cell.object.0].get(cell.leaf).copied()
    }

    /// What a scalar place means.
    ///
    /// # Errors
    /// The access is not supported.
    pub(crate) fn access(&self, program: &Program, place: &Lvalue) -> Result<Access, Mismatch> {
        let cells = self.points_to.cells(program, place)?;
        for cell in &cells {
            let leaves = &self.points_to.leaves[cell.object.0];
            match leaves.get(cell.leaf) {
                None => return Err("access to an incomplete object".into()),
                Some(leaf) if leaf.unions > unions_of(program, place) => {
                    return Err("an access to a member of a union by a pointer".into());
                }
                Some(leaf) if is_unknown_format(&leaf.ty) => {
                    return Err("`long double` and complex numbers".into());
                }
                Some(_) => {}
            }
            if self.many.contains(&cell.object) {
                return Err(format!(
                    "the address of `{}`, a local variable of a recursive function",
                    program.object(cell.object).name
                )
                .into());
            }
        }
        if cells.len() != 1 && self.points_to.elements(program, place).is_some() {
            return Ok(Access::Element);
        }
        let Some(first) = cells.first() else {
            return Ok(Access::Nowhere);
        };
        let id = self
            .part_of(*first)
            .ok_or("access to an incomplete object")?;
        if self.parts[id.0].array {
            return Ok(Access::Array(id));
        }
        let address = match place.base {
            Base::Object(_) => None,
            Base::Deref(..) => {
                // A pointer to the whole: members have their own addresses.
                let base = self.address(program, first.object)?;
                let leaves = &self.points_to.leaves[first.object.0];
                let inside: u64 = path_offset(program, place);
                Some(base + i128::from(leaves[first.leaf].offset) - i128::from(inside))
            }
        };
        Ok(Access::Scalar(id, address))
    }

    /// Is a number that is calculated with no address? Addresses count units, and where objects are
    /// is the encoding's choice.
    ///
    /// # Errors
    /// It may be an address.
    pub(crate) fn check_number(&self, program: &Program, e: &Expr) -> Result<(), Mismatch> {
        let targets = self.points_to.targets(program, e);
        let target = targets.iter().find_map(|target| match target {
            Target::Cell(cell) => Some(cell.object),
            Target::Function(_) => None,
        });
        match target {
            None => Ok(()),
            Some(object) => {
                let name = &program.object(object).name;
                Err(format!("arithmetic on the address of `{name}` as a number").into())
            }
        }
    }

    /// Does a pointer point to elements of the type that it is moved over?
    ///
    /// # Errors
    /// It may point to something of another type.
    pub(crate) fn check_stride(
        &self,
        program: &Program,
        pointer: &Expr,
        stride: &Stride,
    ) -> Result<(), Mismatch> {
        // The address of an element is one of the elements' type.
        if let ExprKind::Address(place) = &pointer.kind
            && place.ty == stride.of
        {
            return Ok(());
        }
        let bytes = CType::Int(IntType::CHAR);
        let of = match &stride.of {
            CType::Void => &bytes,
            ty => ty.constant_part(),
        };
        for target in self.points_to.targets(program, pointer) {
            if let Target::Cell(cell) = target
                && program.object(cell.object).ty != CType::Void
                && (!self.points_to.is_at(program, cell, of)
                    || of.is_scalar() && self.points_to.is_beside_bits(program, cell))
            {
                let name = &program.object(cell.object).name;
                return Err(format!("arithmetic on a pointer of another type to `{name}`").into());
            }
        }
        Ok(())
    }

    /// The variables of the scalars that a place may be, each with the values that its indices then
    /// have which are no constants.
    pub(crate) fn elements(&self, program: &Program, place: &Lvalue) -> Vec<(Vec<i128>, PartId)> {
        let elements = self.points_to.elements(program, place).unwrap_or_default();
        let elements = elements.into_iter();
        elements
            .filter_map(|(chosen, cell)| Some((chosen, self.part_of(cell)?)))
            .collect()
    }

    /// The cells of all scalars of a place that begins at an object.
    pub(crate) fn all_cells(
        &self,
        program: &Program,
        place: &Lvalue,
    ) -> Result<Vec<Cell>, Mismatch> {
        let count = self.points_to.cell_count(program, place);
        let cells = self.points_to.cells(program, place)?;
        if cells.len() > 1 && matches!(place.base, Base::Object(_)) {
            return Err("a whole element of an array of structures at a variable index".into());
        }
        let all = cells.iter().flat_map(|cell| {
            (0..count).map(|at| Cell {
                leaf: cell.leaf + at,
                ..*cell
            })
        });
        Ok(all.collect())
    }
}

/// The number of unions of which several members are used that a path goes through.
fn unions_of(program: &Program, place: &Lvalue) -> usize {
    let steps = place.path.iter();
    steps
        .filter(|step| matches!(step, Step::Field(of, _) if program.punned.contains(of)))
        .count()
}

/// Is this a variable without a constant length?
fn is_open(object: &Object) -> bool {
    let is_heap = matches!(object.kind, ObjectKind::Heap(_));
    !is_heap && !object.ty.is_constant()
}

/// Is this a floating-point type whose numbers are not known?
fn is_unknown_format(ty: &CType) -> bool {
    matches!(ty, CType::Float(bits) if !matches!(bits, 32 | 64))
}

/// The units before a place in what it begins with, in the first elements of arrays.
pub(crate) fn path_offset(program: &Program, place: &Lvalue) -> u64 {
    let mut offset = 0;
    for step in &place.path {
        if let Step::Field(of, at) = step {
            let before = &program.structs.fields(*of)[..*at];
            offset += before
                .iter()
                .map(|f| program.structs.units(&f.ty))
                .sum::<u64>();
        }
    }
    offset
}
