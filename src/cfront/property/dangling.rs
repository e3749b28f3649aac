//! Pointers to variables whose lifetime has ended: their values are indeterminate (C11, 6.2.4,
//! paragraph 2).
//!
//! A variable of a function has one address in the encoding, which a later call has for its own
//! variable. So where a variable begins to exist, each pointer that is at it loses its value: it
//! points to the variable of an earlier call, or of an earlier round of a loop.
//!
//! Pointers in arrays and in allocated memory are not changed. Where one of them may be at a
//! variable, it is not supported that the variable begins to exist a second time.

use super::access::Accesses;
use super::build::{all, binary, choose, convert, is_on, load};
use super::heap::{ghost, owner};
use super::weave::{Woven, switch};
use crate::cfront::ir::{Binary, Expr, FuncId, Instr, Lvalue, ObjectId, ObjectKind};
use crate::cfront::memory::{Cell, Memory, Target};
use crate::cfront::program::Program;
use crate::cfront::types::CType;
use std::collections::{BTreeMap, BTreeSet};

/// An address at which there is nothing.
const NOWHERE: i128 = 1;

/// What may point to a variable of a function.
#[derive(Default)]
struct Pointers {
    places: Vec<Lvalue>,
    /// The variable of the checks that says whether the variable has existed, if a pointer that
    /// cannot be changed may point to it.
    begun: Option<ObjectId>,
}

/// The variables of functions that pointers are used to reach, with these pointers.
pub(super) struct Dangling {
    pointers: BTreeMap<ObjectId, Pointers>,
    /// The variables that begin to exist within a function.
    inner: BTreeSet<ObjectId>,
}

impl Dangling {
    /// Those of a program, of the objects that pointers are used to reach. The `inner` objects
    /// begin to exist within a function.
    pub(super) fn of(
        program: &mut Program,
        memory: &Memory,
        reached: &BTreeSet<(ObjectId, FuncId)>,
        inner: BTreeSet<ObjectId>,
    ) -> Dangling {
        let is_local = |object: &ObjectId| match program.object(*object).kind {
            // Pointers to variables of recursive functions are not supported.
            ObjectKind::Local(f) => f != program.start && !memory.recursive[f.0],
            _ => false,
        };
        let objects = reached.iter().map(|(object, _)| *object).filter(is_local);
        let objects: BTreeSet<ObjectId> = objects.collect();
        let mut pointers: BTreeMap<ObjectId, Pointers> = BTreeMap::new();
        for (holder, held) in holders(memory, &objects) {
            let places = changeable(program, memory, holder);
            for (object, leaf) in held {
                // They cease to exist together; but an argument was there before the call.
                let func = owner(program.object(object));
                let is_beside = owner(program.object(holder)) == func
                    && !inner.contains(&object)
                    && func.is_some_and(|f| !program.function(f).params.contains(&holder));
                if is_beside {
                    continue;
                }
                let found = pointers.entry(object).or_default();
                match &places {
                    Some(places) => found.places.push(places[leaf].clone()),
                    None if found.begun.is_some() => {}
                    None => {
                        let name = format!("begun.{}", object.0);
                        found.begun = Some(ghost(program, name, CType::INT));
                    }
                }
            }
        }
        Dangling { pointers, inner }
    }

    /// The steps before the program.
    pub(super) fn start(&self) -> Vec<Woven> {
        let begun = self.pointers.values().filter_map(|p| p.begun);
        begun.map(|object| switch(object, false)).collect()
    }

    /// The steps before a function, whose variables begin to exist.
    pub(super) fn call(&self, accesses: &Accesses<'_>, func: FuncId) -> Vec<Woven> {
        let own = self.pointers.keys().filter(|object| {
            let info = accesses.program.object(**object);
            owner(info) == Some(func) && !self.inner.contains(object)
        });
        own.flat_map(|object| self.begin(accesses, *object))
            .collect()
    }

    /// The steps before a variable begins to exist.
    pub(super) fn begin(&self, accesses: &Accesses<'_>, object: ObjectId) -> Vec<Woven> {
        let Some(pointers) = self.pointers.get(&object) else {
            return Vec::new();
        };
        let mut steps = Vec::new();
        let word = accesses.heap.word;
        // An access to an array whose length is not known is not supported anyway.
        for (place, (low, high)) in
            (pointers.places.iter()).filter_map(|place| Some((place, accesses.ends(object)?)))
        {
            // What has no such type holds no pointer.
            let Some(ty) = place.ty.scalar(accesses.program.model) else {
                continue;
            };
            let old = load(place.clone(), ty);
            let at = convert(old.clone(), word);
            let is_at = all([
                binary(Binary::Le, low, at.clone()),
                binary(Binary::Le, at, high),
            ]);
            let new = choose(is_at, Expr::constant(NOWHERE, ty), old);
            steps.push(Woven::Do(Instr::Assign(place.clone(), new)));
        }
        if let Some(begun) = pointers.begun {
            let what = "a pointer in memory that may point to a variable of an earlier call";
            steps.push(Woven::Fail(is_on(begun), Instr::Unsupported(what.into())));
            steps.push(switch(begun, true));
        }
        steps
    }
}

/// The objects that may hold pointers into some of these, with the object that a pointer is into
/// and the place of the scalar that holds it.
fn holders(
    memory: &Memory,
    objects: &BTreeSet<ObjectId>,
) -> Vec<(ObjectId, BTreeSet<(ObjectId, usize)>)> {
    let held = |holder: ObjectId, leaf: usize| {
        let cell = Cell {
            object: holder,
            leaf,
        };
        let targets = memory.points_to.held_by(cell);
        targets.filter_map(move |target| match target {
            Target::Cell(cell) if objects.contains(&cell.object) => Some((cell.object, leaf)),
            _ => None,
        })
    };
    let all = memory.points_to.leaves.iter().enumerate();
    let all = all.map(|(at, leaves)| {
        let holder = ObjectId(at);
        let held = (0..leaves.len()).flat_map(|leaf| held(holder, leaf));
        (holder, held.collect())
    });
    all.filter(|(_, held): &(_, BTreeSet<_>)| !held.is_empty())
        .collect()
}

/// The scalars of an object, in their order; `None` where there are several of one position, or
/// some that share their memory.
fn changeable(program: &Program, memory: &Memory, object: ObjectId) -> Option<Vec<Lvalue>> {
    let info = program.object(object);
    let is_single = match info.kind {
        ObjectKind::Static => true,
        ObjectKind::Local(f) => !memory.recursive[f.0],
        ObjectKind::Heap(_) => false,
    };
    let mut places = Vec::new();
    let whole = Lvalue::of(object, info.ty.clone());
    (is_single && add_scalars(program, whole, &mut places)).then_some(())?;
    (places.len() == memory.points_to.leaves[object.0].len()).then_some(places)
}

/// Adds the scalars of a place; `false` where it has an array or a union.
fn add_scalars(program: &Program, place: Lvalue, places: &mut Vec<Lvalue>) -> bool {
    match &place.ty {
        CType::Array(..) => false,
        CType::Struct(id) => {
            let id = *id;
            if program.structs.def(id).union {
                return false;
            }
            let fields = program.structs.fields(id).iter().enumerate();
            let mut parts = fields.map(|(at, field)| place.field(id, at, field.ty.clone()));
            parts.all(|part| add_scalars(program, part, places))
        }
        _ => {
            places.push(place);
            true
        }
    }
}
