//! Objects that a machine may have behind pointers that the program was given or that have no value
//! yet.
//!
//! A pointer that comes from a function without a body, or from memory that was never written,
//! points to unknown memory, and a read there gives any value. That suffices for a proof, but no
//! run that reads there is known to exist. For runs, the pointer is null or points to a separate
//! object with any contents. There is one such object for each step that gives a pointer from
//! outside, and for each pointer in these objects. This is one of many possible
//! environments. So a run that goes through no other unknown memory is a run of the program, but a
//! proof in this environment proves nothing about others.
//!
//! Missing: pointers in arrays, in uninitialised local structures, and in memory that is allocated
//! more than once; objects of more than one element.

use super::ir::{
    Base, Binary, Edge, Expr, ExprKind, FuncId, Instr, Lvalue, NodeId, Object, ObjectId,
    ObjectKind, Unknown,
};
use super::memory::{Memory, PointsTo, for_each_place};
use super::program::Program;
use super::types::{CType, IntType};
use rustc_hash::FxHashSet;

/// Pointers in these objects are followed 4 times. The value was not tuned.
const DEPTH: usize = 4;
/// There are at most 64 such objects. The value was not tuned.
const OBJECTS: usize = 64;

/// Where a pointer comes from outside: what is there before the program writes it.
#[derive(Clone, PartialEq, Debug)]
enum Origin {
    /// After a step of a function.
    Step(FuncId, usize),
    /// In one of the objects outside, by its position.
    Object(usize),
}

/// A pointer from outside, and the type of the object that it may point to.
#[derive(Clone, Debug)]
struct Pointer {
    origin: Origin,
    /// In the program's objects and those outside.
    place: Lvalue,
    pointee: CType,
}

/// The program with objects behind those of the pointers from outside that it goes through.
pub(crate) fn with_objects(program: &Program, memory: &Memory) -> (Program, Memory) {
    let mut kept: Vec<Pointer> = Vec::new();
    let mut candidates = pointers_of_steps(program, memory);
    for _ in 0..DEPTH {
        let before = kept.len();
        let mut tried = kept.clone();
        tried.append(&mut candidates);
        let mut extended = extend(program, memory, &tried);
        let points_to = PointsTo::of(&mut extended);
        let first = program.objects.len();
        let used = accessed(&extended, &points_to);
        for (at, mut pointer) in tried.into_iter().enumerate().skip(before) {
            let object = ObjectId(first + at);
            if used.contains(&object) && kept.len() < OBJECTS {
                pointer.pointee = extended.object(object).ty.clone();
                kept.push(pointer);
            }
        }
        for (at, pointer) in kept.iter().enumerate().skip(before) {
            let whole = Lvalue::of(ObjectId(first + at), pointer.pointee.clone());
            let origin = Origin::Object(at);
            candidates.extend(pointers_in(&extended, &origin, &whole));
        }
        if candidates.is_empty() {
            break;
        }
    }
    let mut extended = extend(program, memory, &kept);
    let memory = Memory::of(&mut extended);
    (extended, memory)
}

/// The pointers that steps of the program give.
fn pointers_of_steps(program: &Program, memory: &Memory) -> Vec<Pointer> {
    let mut pointers = Vec::new();
    for (at, function) in program.functions.iter().enumerate() {
        let edges = function.cfa.iter().flat_map(|cfa| &cfa.edges);
        for (number, edge) in edges.enumerate() {
            let origin = Origin::Step(FuncId(at), number);
            match &edge.instr {
                Instr::Havoc(place, why) if is_given(program, place, why) => {
                    pointers.extend(pointers_in(program, &origin, place));
                }
                Instr::Allocate(_, heap, _) if is_open(program, memory, *heap) => {
                    let whole = Lvalue::of(*heap, program.object(*heap).ty.clone());
                    pointers.extend(pointers_in(program, &origin, &whole));
                }
                _ => {}
            }
        }
    }
    pointers
}

/// Is this a pointer that can be given in a run: an input, or a variable of the program's without a
/// value?
fn is_given(program: &Program, place: &Lvalue, why: &Unknown) -> bool {
    let Base::Object(object) = place.base else {
        return false;
    };
    let known = match why {
        Unknown::Input(name) => &**name != "main",
        Unknown::Uninitialised => !program.object(object).hidden,
        Unknown::Approximated(_) => false,
    };
    known && place.ty.is_pointer() && place.path.is_empty()
}

/// Is this memory that is allocated once, with any contents?
fn is_open(program: &Program, memory: &Memory, heap: ObjectId) -> bool {
    memory.once.contains(&heap)
        && !program.zeroed.contains(&heap)
        && program.object(heap).ty != CType::Void
}

/// The pointers of a place that are in no array.
fn pointers_in(program: &Program, origin: &Origin, place: &Lvalue) -> Vec<Pointer> {
    let leaves = leaves(program, place).into_iter();
    let pointers = leaves.filter_map(|leaf| match &leaf.ty {
        CType::Pointer(pointee) if !matches!(**pointee, CType::Function(_)) => Some(Pointer {
            origin: origin.clone(),
            pointee: (**pointee).clone(),
            place: leaf,
        }),
        _ => None,
    });
    pointers.collect()
}

/// The scalars of a place, and its arrays as wholes; nothing of unions.
fn leaves(program: &Program, place: &Lvalue) -> Vec<Lvalue> {
    let mut found = Vec::new();
    let mut open = vec![place.clone()];
    while let Some(place) = open.pop() {
        match &place.ty {
            CType::Struct(id) if !program.structs.def(*id).union => {
                let fields = program.structs.fields(*id).iter().enumerate().rev();
                open.extend(fields.map(|(at, field)| place.field(*id, at, field.ty.clone())));
            }
            CType::Int(_) | CType::Float(_) | CType::Pointer(_) | CType::Array(..) => {
                found.push(place);
            }
            _ => {}
        }
    }
    found
}

/// The objects that accesses through pointers may reach.
fn accessed(program: &Program, points_to: &PointsTo) -> FxHashSet<ObjectId> {
    let mut found = FxHashSet::default();
    let cfas = program.functions.iter().filter_map(|f| f.cfa.as_ref());
    for edge in cfas.flat_map(|cfa| &cfa.edges) {
        for_each_place(&edge.instr, &mut |place| {
            if matches!(place.base, Base::Deref(..)) {
                let cells = points_to.cells(program, place).unwrap_or_default();
                found.extend(cells.into_iter().map(|cell| cell.object));
            }
        });
    }
    found
}

/// The program with one object more for each of these pointers.
fn extend(program: &Program, memory: &Memory, pointers: &[Pointer]) -> Program {
    let mut extended = program.clone();
    let first = program.objects.len();
    for (at, pointer) in pointers.iter().enumerate() {
        extended.objects.push(Object {
            name: format!("outside.{at}").into(),
            kind: ObjectKind::Static,
            ty: pointer.pointee.clone(),
            hidden: true,
            many: false,
            initialiser: None,
            allocation: None,
            automatic: false,
        });
    }
    extended.outside = Some((0..pointers.len()).map(|at| ObjectId(first + at)).collect());
    let aims = |origin: &Origin| -> Vec<Instr> {
        let all = pointers.iter().enumerate();
        let own = all.filter(|(_, pointer)| pointer.origin == *origin);
        own.map(|(at, pointer)| aim(program, pointer, ObjectId(first + at)))
            .collect()
    };
    let mut at_start = Vec::new();
    for (at, pointer) in pointers.iter().enumerate() {
        let whole = Lvalue::of(ObjectId(first + at), pointer.pointee.clone());
        at_start.extend(contents(program, &whole));
        at_start.extend(aims(&Origin::Object(at)));
    }
    for (number, function) in program.functions.iter().enumerate() {
        let count = function.cfa.as_ref().map_or(0, |cfa| cfa.edges.len());
        for edge in 0..count {
            let func = FuncId(number);
            let mut steps = Vec::new();
            if let Some(cfa) = &function.cfa
                && let Instr::Allocate(_, heap, _) = cfa.edges[edge].instr
                && is_open(program, memory, heap)
            {
                let whole = Lvalue::of(heap, program.object(heap).ty.clone());
                steps.extend(contents(program, &whole));
            }
            steps.extend(aims(&Origin::Step(func, edge)));
            insert_after(&mut extended, func, edge, steps);
        }
    }
    insert_at_start(&mut extended, at_start);
    extended
}

/// The steps that give any value to each scalar of new memory, and zeros to its arrays.
fn contents(program: &Program, whole: &Lvalue) -> Vec<Instr> {
    let leaves = leaves(program, whole).into_iter();
    let steps = leaves.map(|leaf| match leaf.ty {
        CType::Array(..) => Instr::Fill(leaf, Expr::constant(0, IntType::INT)),
        _ => Instr::Havoc(leaf, Unknown::Uninitialised),
    });
    steps.collect()
}

/// A pointer from outside points to its object, if it has that address, or else to nothing.
fn aim(program: &Program, pointer: &Pointer, object: ObjectId) -> Instr {
    let ty = IntType::new(program.model.long_bits(), false);
    let expr = |kind: ExprKind| Expr { kind, ty };
    let whole = Lvalue::of(object, pointer.pointee.clone());
    let address = expr(ExprKind::Address(Box::new(whole)));
    let value = expr(ExprKind::Load(Box::new(pointer.place.clone())));
    let is_there = Expr {
        kind: ExprKind::Binary(Binary::Eq, Box::new(value), Box::new(address.clone())),
        ty: IntType::INT,
    };
    let null = Expr::constant(0, ty);
    let aimed = ExprKind::Choose(Box::new(is_there), Box::new(address), Box::new(null));
    Instr::Assign(pointer.place.clone(), expr(aimed))
}

/// Puts steps after a step.
fn insert_after(program: &mut Program, func: FuncId, edge: usize, steps: Vec<Instr>) {
    let Some(cfa) = &mut program.functions[func.0].cfa else {
        return;
    };
    for instr in steps.into_iter().rev() {
        let place = cfa.edges[edge].place.clone();
        let (middle, to) = (cfa.add_node(place.clone(), func), cfa.edges[edge].to);
        cfa.edges[edge].to = middle;
        let from = middle;
        cfa.edges.push(Edge {
            from,
            to,
            instr,
            place,
        });
    }
}

/// Puts steps before all others of the program.
fn insert_at_start(program: &mut Program, steps: Vec<Instr>) {
    let func = program.start;
    let Some(cfa) = &mut program.functions[func.0].cfa else {
        return;
    };
    let place = cfa.nodes[cfa.entry].place.clone();
    let mut from = NodeId(cfa.entry);
    // Nothing leads back to the start.
    let first = cfa.add_node(place.clone(), func);
    for edge in &mut cfa.edges {
        if edge.from == from {
            edge.from = first;
        }
    }
    for instr in steps.into_iter().chain([Instr::Skip]) {
        let to = if matches!(instr, Instr::Skip) {
            first
        } else {
            cfa.add_node(place.clone(), func)
        };
        cfa.edges.push(Edge {
            from,
            to,
            instr,
            place: place.clone(),
        });
        from = to;
    }
}
