//! What checks know of memory that is allocated: variables of the checks for each place of
//! allocation, and the steps that keep them.
//!
//! Of a place that is passed at most once in a run, the addresses of the beginning and of the end
//! are variables. The end is 0 while there is no such memory. Of all other places together, an
//! array has the end of the memory that begins at an address, and a counter the number of pieces
//! that are not freed. So a pointer into the middle of such memory is not seen to be valid.

use super::build::{address, all, any, binary, choose, convert, load, not, truth, variable};
use super::weave::Woven;
use crate::cfront::ir::{
    Base, Binary, Expr, ExprKind, FuncId, Instr, Lvalue, Object, ObjectId, ObjectKind, Step, Stride,
};
use crate::cfront::memory::{Calls, Memory, Target, passed_once};
use crate::cfront::program::Program;
use crate::cfront::types::{CType, IntType, Length};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The variables for a place of allocation that is passed at most once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) base: ObjectId,
    pub(super) end: ObjectId,
}

/// What is known of allocated memory.
pub(super) struct Heap {
    /// Places that are passed at most once.
    pub(super) sites: FxHashMap<ObjectId, Site>,
    /// For all others: ends by the addresses of beginnings, and the number of pieces.
    pub(super) ends: Option<ObjectId>,
    pub(super) live: Option<ObjectId>,
    /// Memory of the other places that a pointer in memory may point into the middle of.
    pub(super) interior: FxHashSet<ObjectId>,
    /// The type of addresses.
    pub(super) word: IntType,
}

/// A new variable of the checks.
pub(super) fn ghost(program: &mut Program, name: String, ty: CType) -> ObjectId {
    program.objects.push(Object {
        name: name.into(),
        kind: ObjectKind::Static,
        ty,
        hidden: true,
        many: false,
        initialiser: None,
        allocation: None,
        automatic: false,
    });
    ObjectId(program.objects.len() - 1)
}

impl Heap {
    /// The variables for the places of allocation of a program.
    pub(super) fn of(program: &mut Program, memory: &Memory) -> Heap {
        let word = IntType::new(program.model.long_bits(), false);
        let mut heap = Heap {
            sites: FxHashMap::default(),
            ends: None,
            live: None,
            interior: FxHashSet::default(),
            word,
        };
        let calls = Calls::of(program, &memory.points_to);
        let once = passed_once(program, &calls);
        let mut places: Vec<ObjectId> = allocations(program).collect();
        places.sort_unstable();
        places.dedup();
        for heap_object in places {
            if once.contains(&heap_object) {
                let at = heap_object.0;
                let base = ghost(program, format!("begin.{at}"), CType::Int(word));
                let end = ghost(program, format!("end.{at}"), CType::Int(word));
                heap.sites.insert(heap_object, Site { base, end });
            } else if heap.ends.is_none() {
                let ends = CType::Array(Rc::new(CType::Int(word)), Length::Unknown);
                heap.ends = Some(ghost(program, "ends".to_owned(), ends));
                heap.live = Some(ghost(program, "live".to_owned(), CType::Int(word)));
            }
        }
        heap.interior = interior(program, memory, &heap);
        heap
    }

    /// The steps at the beginning of the program.
    pub(super) fn start(&self) -> Vec<Woven> {
        let zero = Expr::constant(0, self.word);
        let mut steps = Vec::new();
        let mut sites: Vec<&Site> = self.sites.values().collect();
        sites.sort_unstable_by_key(|site| site.base);
        for site in sites {
            steps.push(self.set(site.base, zero.clone()));
            steps.push(self.set(site.end, zero.clone()));
        }
        if let (Some(ends), Some(live)) = (self.ends, self.live) {
            let whole = CType::Array(Rc::new(CType::Int(self.word)), Length::Unknown);
            let zeros = Instr::Fill(Lvalue::of(ends, whole), zero.clone());
            steps.push(Woven::Do(zeros));
            steps.push(self.set(live, zero));
        }
        steps
    }

    fn set(&self, object: ObjectId, value: Expr) -> Woven {
        let place = Lvalue::of(object, CType::Int(self.word));
        Woven::Do(Instr::Assign(place, value))
    }

    /// The end of the memory that begins at an address.
    fn end_at(&self, ends: ObjectId, base: Expr) -> Lvalue {
        let whole = CType::Array(Rc::new(CType::Int(self.word)), Length::Unknown);
        Lvalue::of(ends, whole).index(base, CType::Int(self.word))
    }

    /// The end of memory of this size for values of a type, and where that is not known.
    fn end_of_elements(
        &self,
        program: &Program,
        base: &Expr,
        ty: &CType,
        size: &Expr,
    ) -> (Expr, Vec<Doubt>) {
        let bytes = program.structs.layout(ty, program.model).0.max(1);
        let units = program.structs.units(ty);
        let (count, doubts) = elements(size, bytes, units > 1, self.word);
        let stride = Stride::over(units, ty.clone());
        let kind = ExprKind::Move(Box::new(base.clone()), Box::new(count), stride);
        let end = Expr {
            kind,
            ty: self.word,
        };
        (end, doubts)
    }

    /// The steps after an allocation: its beginning and end.
    pub(super) fn allocated(
        &self,
        program: &Program,
        place: &Lvalue,
        object: ObjectId,
        size: &Expr,
    ) -> (Vec<Woven>, Vec<Woven>) {
        let ty = &program.object(object).ty;
        let base = load(place.clone(), self.word);
        let (end, mut doubts) = match tail(program, ty) {
            Some(tail) => tail.end(program, &base, size, self.word),
            None => self.end_of_elements(program, &base, ty, size),
        };
        if !program.structs.is_laid_out(ty) {
            doubts.push((truth(true), "memory for structures with unknown attributes"));
        }
        let before = doubts.into_iter().map(|(doubt, what)| {
            let line = &program.object(object).name;
            let what = format!("{what} (`{line}`)");
            Woven::Fail(doubt, Instr::Unsupported(what.into()))
        });
        let after = match (self.sites.get(&object), self.ends, self.live) {
            (Some(site), ..) => vec![self.set(site.base, base), self.set(site.end, end)],
            (None, Some(ends), Some(live)) => {
                let at = self.end_at(ends, base);
                let mut after = vec![Woven::Do(Instr::Assign(at, end))];
                if !program.object(object).automatic {
                    after.push(self.counted(live, Binary::Add));
                }
                after
            }
            _ => Vec::new(),
        };
        (before.collect(), after)
    }

    fn counted(&self, live: ObjectId, op: Binary) -> Woven {
        let one = Expr::constant(1, self.word);
        self.set(live, binary(op, variable(live, self.word), one))
    }

    /// Is there memory of a place that is passed once?
    pub(super) fn is_there(&self, site: Site) -> Expr {
        let zero = Expr::constant(0, self.word);
        binary(Binary::Ne, variable(site.end, self.word), zero)
    }

    /// Is this address in memory of this place, which the pointer `root` leads to?
    pub(super) fn contains(&self, object: ObjectId, root: &Expr, address: &Expr) -> Expr {
        let (base, end) = match (self.sites.get(&object), self.ends) {
            (Some(site), _) => (
                variable(site.base, self.word),
                variable(site.end, self.word),
            ),
            (None, Some(ends)) => {
                let root = convert(root.clone(), self.word);
                let end = load(self.end_at(ends, root.clone()), self.word);
                (root, end)
            }
            _ => return truth(false),
        };
        let address = convert(address.clone(), self.word);
        all([
            binary(Binary::Le, base, address.clone()),
            binary(Binary::Lt, address, end),
        ])
    }

    /// Can memory at this address be freed? It can if it is null or the beginning of memory of one
    /// of these places.
    pub(super) fn may_be_freed(
        &self,
        program: &Program,
        pointer: &Expr,
        objects: &[ObjectId],
    ) -> Expr {
        let pointer = convert(pointer.clone(), self.word);
        let zero = Expr::constant(0, self.word);
        let begins = objects.iter().filter_map(|object| {
            if program.object(*object).automatic {
                return None;
            }
            if let Some(site) = self.sites.get(object) {
                let base = variable(site.base, self.word);
                let is_base = binary(Binary::Eq, pointer.clone(), base);
                return Some(all([is_base, self.is_there(*site)]));
            }
            if !matches!(program.object(*object).kind, ObjectKind::Heap(_)) {
                return None;
            }
            let end = load(self.end_at(self.ends?, pointer.clone()), self.word);
            Some(binary(Binary::Ne, end, zero.clone()))
        });
        let begins: Vec<Expr> = begins.collect();
        let null = binary(Binary::Eq, pointer.clone(), zero.clone());
        any([null].into_iter().chain(begins))
    }

    /// The steps after memory of one of these places is freed.
    pub(super) fn freed(&self, pointer: &Expr, objects: &[ObjectId]) -> Vec<Woven> {
        let pointer = convert(pointer.clone(), self.word);
        let zero = Expr::constant(0, self.word);
        let mut steps = Vec::new();
        let others = objects.iter().any(|o| !self.sites.contains_key(o));
        // The counter is changed while the array still says what the memory is.
        if let (true, Some(ends), Some(live)) = (others, self.ends, self.live) {
            let end = load(self.end_at(ends, pointer.clone()), self.word);
            let was = binary(Binary::Ne, end, zero.clone());
            let one = choose(was, Expr::constant(1, self.word), zero.clone());
            let less = binary(Binary::Sub, variable(live, self.word), one);
            steps.push(self.set(live, less));
            let at = self.end_at(ends, pointer.clone());
            steps.push(Woven::Do(Instr::Assign(at, zero.clone())));
        }
        for site in objects.iter().filter_map(|object| self.sites.get(object)) {
            let base = variable(site.base, self.word);
            let is_base = binary(Binary::Eq, pointer.clone(), base);
            let end = variable(site.end, self.word);
            steps.push(self.set(site.end, choose(is_base, zero.clone(), end)));
        }
        steps
    }

    /// Is memory left that was not freed? `None` if nothing is allocated.
    pub(super) fn left(&self, program: &Program) -> Option<Expr> {
        let mut sites: Vec<_> = self.sites.iter().collect();
        sites.sort_unstable_by_key(|(object, _)| **object);
        let kept = sites
            .into_iter()
            .filter(|(o, _)| !program.object(**o).automatic);
        let kept = kept.map(|(_, site)| self.is_there(*site));
        let zero = Expr::constant(0, self.word);
        let others = self
            .live
            .map(|live| binary(Binary::Ne, variable(live, self.word), zero));
        let list: Vec<Expr> = kept.chain(others).collect();
        (!list.is_empty()).then(|| any(list))
    }
}

/// The places of allocation of a program.
pub(super) fn allocations(program: &Program) -> impl Iterator<Item = ObjectId> {
    let cfas = program.functions.iter().filter_map(|f| f.cfa.as_ref());
    cfas.flat_map(|cfa| &cfa.edges)
        .filter_map(|edge| match edge.instr {
            Instr::Allocate(_, heap, _) => Some(heap),
            _ => None,
        })
}

/// A condition under which something is not known, and what.
type Doubt = (Expr, &'static str);

/// An array without a length at the end of a structure.
struct Tail {
    /// The structure.
    ty: CType,
    /// The way to the array.
    path: Vec<Step>,
    /// The bytes before it.
    offset: u64,
    element: CType,
}

/// The array without a length at the end of a type.
fn tail(program: &Program, ty: &CType) -> Option<Tail> {
    let (mut path, mut offset, mut part) = (Vec::new(), 0, ty);
    while let CType::Struct(id) = part {
        let at = program.structs.fields(*id).len().checked_sub(1)?;
        path.push(Step::Field(*id, at));
        offset += program.structs.member_offset(*id, at, program.model);
        part = &program.structs.fields(*id)[at].ty;
    }
    match part {
        CType::Array(element, Length::Unknown) if !path.is_empty() => Some(Tail {
            ty: ty.clone(),
            path,
            offset,
            element: (**element).clone(),
        }),
        _ => None,
    }
}

impl Tail {
    /// The end of memory of this size that begins at `base`: that of the array's last element in
    /// it. And where that is not known.
    fn end(
        &self,
        program: &Program,
        base: &Expr,
        size: &Expr,
        word: IntType,
    ) -> (Expr, Vec<Doubt>) {
        let constant = |value: u64| Expr::constant(i128::from(value), word);
        let size = convert(size.clone(), word);
        let rest = match (size.as_const(), &size.kind) {
            (Some(size), _) => Expr::constant(size - i128::from(self.offset), word),
            // What the size of the structure is added to has whole elements.
            (None, ExprKind::Binary(Binary::Add, a, b))
                if a.as_const() == Some(i128::from(self.offset)) =>
            {
                (**b).clone()
            }
            (None, ExprKind::Binary(Binary::Add, a, b))
                if b.as_const() == Some(i128::from(self.offset)) =>
            {
                (**a).clone()
            }
            _ => binary(Binary::Sub, size.clone(), constant(self.offset)),
        };
        let too_small = match size.as_const() {
            Some(size) => truth(size < i128::from(self.offset)),
            None => binary(Binary::Lt, size, constant(self.offset)),
        };
        let bytes = program
            .structs
            .layout(&self.element, program.model)
            .0
            .max(1);
        let (count, mut doubts) = elements(&rest, bytes, false, word);
        doubts.push((too_small, "memory for a part of a structure"));
        let array = CType::Array(self.element.clone().into(), Length::Unknown);
        let place = Lvalue {
            base: Base::Deref(Box::new(base.clone()), self.ty.clone()),
            path: self.path.clone(),
            ty: array,
        };
        let end = address(place.index(count, self.element.clone()), word);
        (end, doubts)
    }
}

/// The number of whole elements in memory of this size, and where that number is not known.
fn elements(size: &Expr, bytes: u64, whole: bool, word: IntType) -> (Expr, Vec<Doubt>) {
    const PART: &str = "memory whose size is no multiple of that of its type";
    let bytes = i128::from(bytes);
    let constant = |value| Expr::constant(value, word);
    let size = convert(size.clone(), word);
    if let Some(size) = size.as_const() {
        let doubts = match whole && size % bytes != 0 {
            true => vec![(truth(true), PART)],
            false => Vec::new(),
        };
        return (constant(size / bytes), doubts);
    }
    let of = constant(bytes);
    if let ExprKind::Binary(Binary::Mul, a, b) = &size.kind
        && let Some((count, factor)) = (b.as_const().map(|factor| (a, factor)))
            .or_else(|| a.as_const().map(|factor| (b, factor)))
        && factor > 0
        && factor % bytes == 0
    {
        let count = (**count).clone();
        let most = constant(word.max() / factor);
        let wraps = binary(Binary::Lt, most, count.clone());
        let count = match factor / bytes {
            1 => count,
            times => binary(Binary::Mul, count, constant(times)),
        };
        return (count, vec![(wraps, "a size that wraps around")]);
    }
    if bytes == 1 {
        return (size, Vec::new());
    }
    let rest = binary(Binary::Rem, size.clone(), of.clone());
    let doubts = match whole {
        true => vec![(not(binary(Binary::Eq, rest, constant(0))), PART)],
        false => Vec::new(),
    };
    (binary(Binary::Div, size, of), doubts)
}

/// Memory of places that are passed again and again into whose middle a pointer may point that is
/// kept somewhere.
fn interior(program: &Program, memory: &Memory, heap: &Heap) -> FxHashSet<ObjectId> {
    let mut found = FxHashSet::default();
    let cfas = program.functions.iter().filter_map(|f| f.cfa.as_ref());
    for edge in cfas.flat_map(|cfa| &cfa.edges) {
        if let Instr::Assign(_, e) = &edge.instr
            && is_moved(e)
        {
            let targets = memory.points_to.targets(program, e).into_iter();
            found.extend(targets.filter_map(|target| match target {
                Target::Cell(cell) => Some(cell.object),
                Target::Function(_) => None,
            }));
        }
    }
    found.retain(|object| {
        let is_heap = matches!(program.object(*object).kind, ObjectKind::Heap(_));
        is_heap && !heap.sites.contains_key(object)
    });
    found
}

/// May the value of an expression be a pointer into the middle of what one of its parts points to?
fn is_moved(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Const(_) | ExprKind::Load(_) | ExprKind::Function(_) => false,
        ExprKind::Address(place) => match &place.base {
            Base::Object(_) => false,
            Base::Deref(pointer, _) => !place.path.is_empty() || is_moved(pointer),
        },
        ExprKind::Convert(a) => is_moved(a),
        ExprKind::Choose(_, a, b) => is_moved(a) || is_moved(b),
        _ => true,
    }
}

/// The pointer that an expression begins with, before it is moved.
pub(super) fn root(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Move(pointer, ..) | ExprKind::Convert(pointer) => root(pointer),
        ExprKind::Address(place) => match &place.base {
            Base::Deref(pointer, _) => root(pointer),
            Base::Object(_) => e,
        },
        _ => e,
    }
}

/// The function whose call some memory ends with.
pub(super) fn owner(object: &Object) -> Option<FuncId> {
    match object.kind {
        ObjectKind::Local(f) => Some(f),
        ObjectKind::Heap(f) if object.automatic => Some(f),
        ObjectKind::Static | ObjectKind::Heap(_) => None,
    }
}
