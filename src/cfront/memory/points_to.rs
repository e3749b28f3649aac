//! What pointers may point to: Andersen's analysis \[And94\]. It is inclusion-based and does not
//! consider the order of steps. Members of structures are apart, and the elements of an array
//! together.
//!
//! Every scalar of a program belongs to a cell: an object, and the position of the scalar among
//! those of the object's type. All elements of an array have the positions of one element, unless
//! the object is taken apart ([`super::split`]). A cell may point to cells and to functions.

use super::layout;
use super::places::for_each_place;
use crate::cfront::ir::{
    Argument, Base, Callee, Cfa, Expr, ExprKind, FuncId, Instr, Lvalue, ObjectId, Step, Stride,
};
use crate::cfront::program::{Program, scalar_pairs};
use crate::cfront::types::{CType, IntType, Length, StructId, Structs};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A scalar of an object; see the module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct Cell {
    pub(crate) object: ObjectId,
    pub(crate) leaf: usize,
}

/// What a pointer may point to: the first scalar of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) enum Target {
    Cell(Cell),
    Function(FuncId),
}

/// A scalar of a type: what it is, and whether it is in an array.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) ty: CType,
    pub(crate) in_array: bool,
    /// Units before it in the object, in the first elements of arrays.
    pub(crate) offset: u64,
    /// Names of members on the way, with dots.
    pub(crate) path: Rc<str>,
    /// In how many unions it is of which more than one member is used.
    pub(crate) unions: usize,
}

/// The solution: for each object and scalar in it, what it may point to.
pub(crate) struct PointsTo {
    sets: Vec<Vec<BTreeSet<Target>>>,
    pub(crate) leaves: Vec<Vec<Leaf>>,
    /// Objects whose elements are apart.
    split: FxHashSet<ObjectId>,
    /// Objects of which the program tests, before a use of a pointer that may point to one and to
    /// others, that it is none to one of another type (`property::members`).
    pub(super) guarded: FxHashSet<ObjectId>,
}

/// Why an access has no meaning here.
pub(crate) type Mismatch = Rc<str>;

/// A pointer is used that points to an object of another type.
pub(crate) fn mismatch(program: &Program, object: ObjectId) -> Mismatch {
    let name = &program.object(object).name;
    format!("access to `{name}` by a pointer to another type").into()
}

impl PointsTo {
    /// The analysis with the elements of these objects apart.
    pub(super) fn solve(program: &mut Program, split: &FxHashSet<ObjectId>) -> Self {
        loop {
            let leaves: Vec<Vec<Leaf>> = (0..program.objects.len())
                .map(|at| {
                    let apart = split.contains(&ObjectId(at));
                    leaves_of(program, &program.objects[at].ty, apart)
                })
                .collect();
            let sets = leaves.iter().map(|l| vec![BTreeSet::new(); l.len()]);
            let mut analysis = PointsTo {
                sets: sets.collect(),
                leaves,
                split: split.clone(),
                guarded: FxHashSet::default(),
            };
            while analysis.round(program) {}
            match analysis.untyped(program) {
                Some((object, ty)) => program.objects[object.0].ty = ty,
                None => {
                    debug_assert!(
                        analysis.is_valid(program),
                        "a cell is a scalar of an object"
                    );
                    return analysis;
                }
            }
        }
    }

    /// Has each scalar of each object a set, and do pointers point to cells and functions of the
    /// program?
    fn is_valid(&self, program: &Program) -> bool {
        let is_there = |target: &Target| match target {
            Target::Cell(cell) => {
                let leaves = self.leaves.get(cell.object.0).map_or(0, Vec::len);
                cell.leaf < leaves.max(1)
            }
            Target::Function(f) => f.0 < program.functions.len(),
        };
        let sizes = |lists: &[usize]| lists.len() == program.objects.len();
        let sets: Vec<usize> = self.sets.iter().map(Vec::len).collect();
        sizes(&sets)
            && sets
                .iter()
                .eq(self.leaves.iter().map(Vec::len).collect::<Vec<_>>().iter())
            && self.sets.iter().flatten().flatten().all(is_there)
    }

    /// One look at every step; answers whether something was added.
    fn round(&mut self, program: &Program) -> bool {
        let mut changed = false;
        let cfas = program.functions.iter().filter_map(|f| f.cfa.as_ref());
        for edge in cfas.flat_map(|cfa: &Cfa| &cfa.edges) {
            match &edge.instr {
                Instr::Assign(place, e) => {
                    let targets = self.targets(program, e);
                    changed |= self.add(program, place, &targets);
                }
                Instr::Allocate(place, heap, _) => {
                    let cell = Cell {
                        object: *heap,
                        leaf: 0,
                    };
                    changed |= self.add(program, place, &BTreeSet::from([Target::Cell(cell)]));
                }
                Instr::Call(callee, arguments, result) => {
                    for f in self.callees(program, callee) {
                        changed |= self.pass(program, f, arguments, result.as_ref());
                    }
                }
                _ => {}
            }
        }
        changed
    }

    /// Arguments to parameters; the result to where it is wanted.
    fn pass(
        &mut self,
        program: &Program,
        f: FuncId,
        arguments: &[Argument],
        result: Option<&Lvalue>,
    ) -> bool {
        let mut changed = false;
        let function = program.function(f);
        for (&param, argument) in function.params.iter().zip(arguments) {
            let place = Lvalue::of(param, program.object(param).ty.clone());
            changed |= match argument {
                Argument::Scalar(e) => {
                    let targets = self.targets(program, e);
                    self.add(program, &place, &targets)
                }
                Argument::Struct(from) => self.copy(program, &place, from),
            };
        }
        if let (Some(to), Some(from)) = (result, function.result) {
            let from = Lvalue::of(from, program.object(from).ty.clone());
            changed |= self.copy(program, to, &from);
        }
        changed
    }

    fn copy(&mut self, program: &Program, to: &Lvalue, from: &Lvalue) -> bool {
        // Scalar by scalar, since one object may be taken apart and the other not; long arrays are
        // in none that is.
        let pairs = scalar_pairs(program, to, from);
        let changes = pairs
            .iter()
            .map(|(to, from)| self.copy_leaves(program, to, from));
        changes.fold(false, |changed, more| changed | more)
    }

    fn copy_leaves(&mut self, program: &Program, to: &Lvalue, from: &Lvalue) -> bool {
        let count = leaf_count(&program.structs, &to.ty);
        let (to, from) = (self.reached(program, to).0, self.reached(program, from).0);
        let mut changed = false;
        for at in 0..count {
            let mut all = BTreeSet::new();
            for cell in &from {
                all.extend(self.set(*cell, at).iter().copied());
            }
            for cell in &to {
                changed |= self.extend(*cell, at, &all);
            }
        }
        changed
    }

    fn set(&self, cell: Cell, offset: usize) -> &BTreeSet<Target> {
        static NONE: BTreeSet<Target> = BTreeSet::new();
        let sets = &self.sets[cell.object.0];
        sets.get(cell.leaf + offset).unwrap_or(&NONE)
    }

    /// What a scalar may point to.
    pub(crate) fn held_by(&self, cell: Cell) -> impl Iterator<Item = Target> {
        self.set(cell, 0).iter().copied()
    }

    fn extend(&mut self, cell: Cell, offset: usize, all: &BTreeSet<Target>) -> bool {
        let Some(set) = self.sets[cell.object.0].get_mut(cell.leaf + offset) else {
            return false;
        };
        let before = set.len();
        set.extend(all.iter().copied());
        set.len() > before
    }

    fn add(&mut self, program: &Program, place: &Lvalue, all: &BTreeSet<Target>) -> bool {
        if all.is_empty() {
            return false;
        }
        let mut changed = false;
        for cell in self.reached(program, place).0 {
            changed |= self.extend(cell, 0, all);
        }
        changed
    }

    /// The functions that a call may call.
    pub(crate) fn callees(&self, program: &Program, callee: &Callee) -> Vec<FuncId> {
        match callee {
            Callee::Function(f) => vec![*f],
            Callee::Pointer(e) => {
                let targets = self.targets(program, e).into_iter();
                let functions = targets.filter_map(|target| match target {
                    Target::Function(f) => Some(f),
                    Target::Cell(_) => None,
                });
                functions.collect()
            }
        }
    }

    /// What the value of an expression may point to.
    pub(crate) fn targets(&self, program: &Program, e: &Expr) -> BTreeSet<Target> {
        let mut found = BTreeSet::new();
        let mut open = vec![e];
        while let Some(e) = open.pop() {
            match &e.kind {
                ExprKind::Const(_)
                | ExprKind::Not(_)
                | ExprKind::Both(..)
                | ExprKind::Either(..)
                | ExprKind::Float(..) => {}
                ExprKind::Load(place) => {
                    for cell in self.reached(program, place).0 {
                        found.extend(self.set(cell, 0).iter().copied());
                    }
                }
                ExprKind::Address(place) => {
                    let cells = self.reached(program, place).0;
                    if let (Base::Object(object), true) = (&place.base, cells.is_empty()) {
                        // Behind the end of an object whose elements are apart.
                        let (object, leaf) = (*object, 0);
                        found.insert(Target::Cell(Cell { object, leaf }));
                    }
                    found.extend(cells.into_iter().map(Target::Cell));
                }
                ExprKind::Function(f) => drop(found.insert(Target::Function(*f))),
                ExprKind::Neg(a) | ExprKind::BitNot(a) | ExprKind::Convert(a) => open.push(a),
                ExprKind::Binary(..) if e.is_distance() => {}
                ExprKind::Binary(op, a, b) if !op.is_comparison() => open.extend([&**a, &**b]),
                ExprKind::Binary(..) => {}
                ExprKind::Move(a, _, stride) if stride.container.is_some() => {
                    let members = self.targets(program, a).into_iter();
                    found.extend(members.filter_map(|at| self.around(program, at, stride)));
                }
                ExprKind::Move(a, b, stride) => {
                    for target in self.targets(program, a) {
                        found.extend(self.moved(program, target, &stride.of));
                        found.insert(target);
                    }
                    open.push(&**b);
                }
                ExprKind::Choose(_, a, b) => open.extend([&**a, &**b]),
            }
        }
        found
    }

    /// What a pointer to the first scalar of a structure leads to when it is moved over numbers of
    /// this type: the other scalars, if the structure consists of such numbers alone.
    fn moved(&self, program: &Program, from: Target, over: &CType) -> Vec<Target> {
        let Target::Cell(cell) = from else {
            return Vec::new();
        };
        let over = match over {
            CType::Void => &CType::Int(IntType::CHAR),
            ty => ty,
        };
        let mut around = self.structures_at(program, cell);
        let uniform = around.find(|ty| is_uniform(program, ty, over));
        let count = uniform.map_or(0, |ty| leaf_count(&program.structs, ty));
        let others = (1..count).map(|at| {
            Target::Cell(Cell {
                leaf: cell.leaf + at,
                ..cell
            })
        });
        others.collect()
    }

    /// The structures that a cell is in, the largest first, each with its first cell. None of
    /// objects whose elements are apart.
    fn structures_around<'p>(
        &self,
        program: &'p Program,
        cell: Cell,
    ) -> impl Iterator<Item = (Cell, &'p CType)> {
        let is_whole = !self.split.contains(&cell.object);
        let mut node = is_whole.then(|| &program.object(cell.object).ty);
        let mut within = cell.leaf;
        std::iter::from_fn(move || {
            loop {
                let ty = node.take()?;
                let first = Cell {
                    leaf: cell.leaf - within,
                    ..cell
                };
                let is_structure = matches!(ty, CType::Struct(_));
                node = match ty {
                    CType::Array(element, _) => Some(&**element),
                    CType::Struct(id) => {
                        let (member, rest) = member_at(&program.structs, *id, within)?;
                        within = rest;
                        Some(member)
                    }
                    _ => None,
                };
                if is_structure {
                    return Some((first, ty));
                }
            }
        })
    }

    /// The structures of several scalars that begin at a cell, the largest first. A pointer to the
    /// cell may be one to them.
    fn structures_at<'p>(
        &self,
        program: &'p Program,
        cell: Cell,
    ) -> impl Iterator<Item = &'p CType> {
        let around = self.structures_around(program, cell);
        let begins = around.filter(move |(first, _)| *first == cell);
        let structures = begins.map(|(_, ty)| ty);
        structures.filter(|ty| leaf_count(&program.structs, ty) > 1)
    }

    /// Are two scalars of one object in a structure of such scalars alone? Then their distance in
    /// units is one in elements.
    pub(crate) fn are_alike(&self, program: &Program, a: Cell, b: Cell) -> bool {
        let Some(leaf) = self.leaves[a.object.0].get(a.leaf) else {
            return false;
        };
        let mut around = self.structures_around(program, a);
        a.object == b.object
            && around.any(|(first, ty)| {
                let count = leaf_count(&program.structs, ty);
                (first.leaf..first.leaf + count).contains(&b.leaf)
                    && is_uniform(program, ty, &leaf.ty)
            })
    }

    /// May a pointer to this cell, used as one to a scalar of this type, be one to all of a
    /// structure that has others?
    pub(crate) fn begins_mixed(&self, program: &Program, cell: Cell, ty: &CType) -> bool {
        let mut around = self.structures_at(program, cell);
        around.any(|of| !is_uniform(program, of, ty))
    }

    /// The structure around a member, as a stride says; `None` where the member is in none. A list
    /// has a head that is in no element: what `container_of` makes of it is never accessed.
    fn around(&self, program: &Program, member: Target, stride: &Stride) -> Option<Target> {
        let (Target::Cell(cell), Some(container)) = (member, stride.container) else {
            return None;
        };
        let leaf = cell.leaf.checked_sub(container.leaves)?;
        let around = Cell { leaf, ..cell };
        let is_there = self.is_at(program, around, &CType::Struct(container.of))
            || program.object(cell.object).ty == CType::Void;
        is_there.then_some(Target::Cell(around))
    }

    /// The first cells of what a place may be.
    ///
    /// # Errors
    /// A pointer may point to memory of another type than it is used with, and the program does not
    /// test that.
    pub(crate) fn cells(&self, program: &Program, place: &Lvalue) -> Result<Vec<Cell>, Mismatch> {
        let (cells, others) = self.reached(program, place);
        let is_open = |object: &ObjectId| cells.is_empty() || !self.guarded.contains(object);
        match others.into_iter().find(is_open) {
            Some(object) => Err(mismatch(program, object)),
            None => Ok(cells),
        }
    }

    /// Objects of another type that the pointer of a place may point to, where the place may be in
    /// an object of its type as well and the program can test which: see `guarded`.
    pub(crate) fn mismatches(&self, program: &Program, place: &Lvalue) -> Vec<ObjectId> {
        let (cells, others) = self.reached(program, place);
        let is_tested = !cells.is_empty() && others.iter().all(|of| self.guarded.contains(of));
        match is_tested {
            true => others.into_iter().collect(),
            false => Vec::new(),
        }
    }

    /// The first cells of what a place may be, and the objects that its pointer may point to where
    /// they are of another type than it is used with.
    fn reached(&self, program: &Program, place: &Lvalue) -> (Vec<Cell>, BTreeSet<ObjectId>) {
        let mut others = BTreeSet::new();
        if let Some(elements) = self.elements(program, place) {
            let cells = elements.into_iter().map(|(_, cell)| cell);
            return (cells.collect(), others);
        }
        let mut offset = 0;
        for step in &place.path {
            if let Step::Field(of, at) = step {
                let before = &program.structs.fields(*of)[..*at];
                offset += before
                    .iter()
                    .map(|f| leaf_count(&program.structs, &f.ty))
                    .sum::<usize>();
            }
        }
        let (pointer, ty) = match &place.base {
            Base::Object(object) => {
                let (object, leaf) = (*object, offset);
                return (vec![Cell { object, leaf }], others);
            }
            Base::Deref(pointer, ty) => (pointer, ty),
        };
        let mut cells = Vec::new();
        for target in self.targets(program, pointer) {
            let Target::Cell(cell) = target else {
                continue;
            };
            if program.object(cell.object).ty == CType::Void {
                continue;
            }
            if self.is_at(program, cell, ty) {
                let leaf = cell.leaf + offset;
                cells.push(Cell { leaf, ..cell });
            } else {
                others.insert(cell.object);
            }
        }
        (cells, others)
    }

    /// The first cells of what a place in an object may be whose elements are apart, each with the
    /// values that its indices then have which are no constants; `None` of any other object.
    pub(crate) fn elements(
        &self,
        program: &Program,
        place: &Lvalue,
    ) -> Option<Vec<(Vec<i128>, Cell)>> {
        let Base::Object(object) = place.base else {
            return None;
        };
        if !self.split.contains(&object) {
            return None;
        }
        let positions = layout::positions(program, object, &place.path).into_iter();
        let cells = positions.map(|(chosen, leaf)| (chosen, Cell { object, leaf }));
        Some(cells.collect())
    }

    /// Are the elements of the arrays of an object apart?
    pub(crate) fn is_apart(&self, object: ObjectId) -> bool {
        self.split.contains(&object)
    }

    /// The number of cells of a place.
    pub(crate) fn cell_count(&self, program: &Program, place: &Lvalue) -> usize {
        match place.base {
            Base::Object(object) if self.split.contains(&object) => {
                let count = layout::scalars(&program.structs, &place.ty);
                count.and_then(|n| usize::try_from(n).ok()).unwrap_or(0)
            }
            _ => leaf_count(&program.structs, &place.ty),
        }
    }

    /// Is a cell a member of a structure with bit-fields? They share bytes, so that members are not
    /// as far from each other as elements of an array are.
    pub(super) fn is_beside_bits(&self, program: &Program, cell: Cell) -> bool {
        let mut node = &program.object(cell.object).ty;
        let mut leaf = cell.leaf;
        loop {
            node = match node {
                CType::Array(element, _) => element,
                CType::Struct(id) => match member_at(&program.structs, *id, leaf) {
                    Some((ty, _)) if ty.is_scalar() => {
                        let mut fields = program.structs.fields(*id).iter();
                        return fields.any(|field| field.bits.is_some());
                    }
                    Some((ty, rest)) => {
                        leaf = rest;
                        ty
                    }
                    None => return false,
                },
                _ => return false,
            };
        }
    }

    /// Does something of that type begin at that cell?
    pub(super) fn is_at(&self, program: &Program, cell: Cell, ty: &CType) -> bool {
        let ty = match ty {
            // A pointer to the first element.
            CType::Array(element, _) => element,
            ty => ty,
        };
        if ty.is_scalar() {
            let leaf = self.leaves[cell.object.0].get(cell.leaf);
            let bits = |ty: &CType| {
                let int: Option<IntType> = ty.scalar(program.model);
                int.map(|int| (int.bits, int.float))
            };
            return leaf.is_some_and(|leaf| bits(&leaf.ty) == bits(ty));
        }
        let mut node = &program.object(cell.object).ty;
        let mut leaf = cell.leaf;
        loop {
            if leaf == 0 && node == ty {
                return true;
            }
            match node {
                CType::Array(element, _) => node = element,
                CType::Struct(id) => match member_at(&program.structs, *id, leaf) {
                    Some((ty, rest)) => (node, leaf) = (ty, rest),
                    None => return false,
                },
                _ => return false,
            }
        }
    }

    /// An allocation without a type that is accessed with one.
    fn untyped(&self, program: &Program) -> Option<(ObjectId, CType)> {
        let cfas = program.functions.iter().filter_map(|f| f.cfa.as_ref());
        let mut found = None;
        for edge in cfas.flat_map(|cfa: &Cfa| &cfa.edges) {
            for_each_place(&edge.instr, &mut |place| {
                if let Base::Deref(pointer, ty) = &place.base
                    && *ty != CType::Void
                    && found.is_none()
                {
                    for target in self.targets(program, pointer) {
                        if let Target::Cell(cell) = target
                            && program.object(cell.object).ty == CType::Void
                        {
                            found = Some((cell.object, ty.clone()));
                        }
                    }
                }
            });
        }
        found
    }
}

/// The type of the member of a structure that a leaf is in, and which leaf of the member it is.
fn member_at(structs: &Structs, id: StructId, mut leaf: usize) -> Option<(&CType, usize)> {
    for field in structs.fields(id) {
        let count = leaf_count(structs, &field.ty);
        if leaf < count {
            return Some((&field.ty, leaf));
        }
        leaf -= count;
    }
    None
}

/// The number of elements of the array of scalars that a leaf of a type is, 1 where it is in no
/// array; `None` where it is in an array of structures or of arrays.
pub(crate) fn run_of(structs: &Structs, ty: &CType, mut leaf: usize) -> Option<u64> {
    let mut node = ty;
    loop {
        node = match node {
            CType::Array(element, length) => {
                return element.is_scalar().then(|| length.constant()).flatten();
            }
            CType::Struct(id) => {
                let (ty, rest) = member_at(structs, *id, leaf)?;
                leaf = rest;
                ty
            }
            _ => return Some(1),
        };
    }
}

/// Does a structure consist of scalars of this type's size and kind alone, without gaps? Then a
/// distance in elements is one in units of memory.
fn is_uniform(program: &Program, ty: &CType, of: &CType) -> bool {
    let structs = &program.structs;
    let kind = |ty: &CType| {
        let int = ty.scalar(program.model);
        int.map(|int| (int.bits, int.float))
    };
    let (Some(wanted), true) = (kind(of), ty.is_constant() && structs.is_laid_out(ty)) else {
        return false;
    };
    let all = |ty: &CType| {
        let mut open = vec![ty];
        while let Some(ty) = open.pop() {
            match ty {
                CType::Array(element, _) => open.push(element),
                CType::Struct(id) if !structs.def(*id).union => {
                    let fields = structs.fields(*id);
                    if fields.iter().any(|field| field.bits.is_some()) {
                        return false;
                    }
                    open.extend(fields.iter().map(|field| &field.ty));
                }
                CType::Struct(_) => return false,
                scalar if kind(scalar) != Some(wanted) => return false,
                _ => {}
            }
        }
        true
    };
    let size = |ty: &CType| structs.layout(ty, program.model).0;
    all(ty) && size(ty) == size(of).saturating_mul(structs.units(ty))
}

/// The number of scalars, those of an array's elements counted once.
pub(crate) fn leaf_count(structs: &Structs, ty: &CType) -> usize {
    match ty {
        CType::Array(element, _) => leaf_count(structs, element),
        CType::Struct(id) => {
            let fields = structs.fields(*id).iter();
            fields.map(|f| leaf_count(structs, &f.ty)).sum()
        }
        _ => 1,
    }
}

/// The scalars of a type, with the elements of its arrays apart or together.
fn leaves_of(program: &Program, ty: &CType, apart: bool) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    let walk = Walk {
        apart,
        ..Walk::default()
    };
    add_leaves(program, ty, &mut leaves, &walk);
    leaves
}

#[derive(Clone, Default)]
struct Walk {
    path: String,
    offset: u64,
    in_array: bool,
    unions: usize,
    apart: bool,
}

fn add_leaves(program: &Program, ty: &CType, leaves: &mut Vec<Leaf>, walk: &Walk) {
    match ty {
        CType::Array(element, Length::Constant(count)) if walk.apart => {
            let mut inner = walk.clone();
            for at in 0..*count {
                inner.path = format!("{}[{at}]", walk.path);
                add_leaves(program, element, leaves, &inner);
                inner.offset += program.structs.units(element);
            }
        }
        CType::Array(element, _) => {
            let inner = Walk {
                in_array: true,
                ..walk.clone()
            };
            add_leaves(program, element, leaves, &inner);
        }
        CType::Struct(id) => {
            let mut inner = walk.clone();
            inner.unions += usize::from(program.punned.contains(id));
            for field in program.structs.fields(*id) {
                inner.path = format!("{}.{}", walk.path, field.name);
                add_leaves(program, &field.ty, leaves, &inner);
                inner.offset += program.structs.units(&field.ty);
            }
        }
        _ => leaves.push(Leaf {
            ty: ty.clone(),
            in_array: walk.in_array,
            offset: walk.offset,
            path: walk.path.as_str().into(),
            unions: walk.unions,
        }),
    }
}
