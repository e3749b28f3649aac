//! The properties of SV-COMP beyond errors that cannot be reached, as errors of a program.
//!
//! ```text
//! Program ──memory──► what pointers point to ──pattern──► checks before steps
//!         ──weave──► Program whose error is a violation
//! ```
//!
//! Each property becomes conditions at the steps that can violate it (`arith`, `access`, `heap`,
//! `track`), with variables of the checks where a condition depends on the past. So encodings, runs
//! and certificates are those of any other program. A run ends at the first violation: what comes
//! after it has no meaning in C, and the analysis of memory holds until then.
//!
//! What the checks cannot decide is an unsupported step ([`super::RunEnd::Unsupported`]).
//!
//! Missing: alignment; members of unions as memory; what functions without a body do to memory; the
//! values that are read before they are written.

mod access;
mod arith;
mod build;
mod cycle;
mod dangling;
mod heap;
mod look;
mod loops;
mod measure;
mod members;
mod names;
mod nest;
mod pattern;
mod ranks;
mod recurrence;
mod recursion;
mod target;
mod text;
mod track;
mod weave;

pub use cycle::LoopState;
pub use loops::{Loops, Round};
pub(crate) use members::within_members;
pub use names::Property;
pub(crate) use names::SetOfProperties as Set;

use super::ir::{Base, FuncId, Instr, Mark, ObjectId, ObjectKind};
use super::memory::{Memory, Target, for_each_place};
use super::program::Program;
use super::run::RunEnd;
use super::source::Place;
use super::types::CType;
use access::Accesses;
use dangling::Dangling;
use heap::{Heap, ghost, owner};
use pattern::Checks;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use target::AtTarget;

impl RunEnd {
    /// The property that the run violates, where the program was read with properties.
    pub fn property(&self) -> Option<Property> {
        match self {
            RunEnd::Error(_, what) => names::of_error(what),
            _ => None,
        }
    }

    /// Does the run end at an operation on constants that has no defined result? A compiler carries
    /// it out itself, so that no execution shows it.
    pub fn is_folded(&self) -> bool {
        matches!(self, RunEnd::Error(_, what) if what.ends_with(pattern::FOLDED))
    }
}

/// Does a program allocate memory that can be freed?
pub(crate) fn allocates(program: &Program) -> bool {
    let mut places = heap::allocations(program);
    places.any(|object| !program.object(object).automatic)
}

/// What can end runs of a program by a violation, and where: the first place of each kind.
pub(crate) fn violations(program: &Program) -> Vec<(Place, String)> {
    let mut found: Vec<(Place, String)> = Vec::new();
    let cfas = program.functions.iter().filter_map(|f| f.cfa.as_ref());
    for edge in cfas.flat_map(|cfa| &cfa.edges) {
        if let Instr::Error(what) = &edge.instr
            && let Some((_, kind)) = what.split_once(": ")
            && !found.iter().any(|(_, known)| known == kind)
        {
            found.push((edge.place.clone(), kind.to_owned()));
        }
    }
    found
}

/// The program whose error is a violation of one of these properties.
pub(crate) fn with_checks(program: &Program, memory: &Memory, set: Set) -> Program {
    let mut checked = program.clone();
    keep_lengths(&mut checked, memory);
    let heap = Heap::of(&mut checked, memory);
    let reached = match set.has(Property::ValidDeref) {
        true => reached(program, memory),
        false => BTreeSet::new(),
    };
    let active = active(&mut checked, memory, &reached);
    let entered = entered(&checked);
    let alive = alive(&mut checked, &reached, &entered);
    let dangling = Dangling::of(&mut checked, memory, &reached, entered);
    let known = checked.clone();
    let checks = Checks {
        set,
        accesses: Accesses {
            program: &known,
            memory,
            heap: &heap,
            active: &active,
            alive: &alive,
            has_arguments: access::reads_arguments(&known),
        },
        dangling: &dangling,
    };
    match program.target {
        None => weave::weave(&mut checked, &checks),
        Some(target) => weave::weave(&mut checked, &AtTarget { target, checks }),
    }
    checked
}

/// The program in which violations are ends.
pub(crate) fn with_ends(checked: &mut Program) {
    let cfas = checked.functions.iter_mut().filter_map(|f| f.cfa.as_mut());
    for edge in cfas.flat_map(|cfa| &mut cfa.edges) {
        if matches!(edge.instr, Instr::Error(_)) {
            edge.instr = Instr::Mark(Mark::Ends("undefined".into()));
        }
    }
}

/// Makes lengths that were evaluated known in all functions, where there is only one call of a
/// function at a time: pointers to arrays of these lengths may be used in others.
fn keep_lengths(program: &mut Program, memory: &Memory) {
    for at in 0..program.objects.len() {
        let object = &program.objects[at];
        let ObjectKind::Local(f) = object.kind else {
            continue;
        };
        for variable in object.ty.lengths() {
            if !memory.recursive[f.0] {
                program.objects[variable.0].kind = ObjectKind::Static;
            }
        }
    }
}

/// The objects that pointers are used to reach, and from which functions.
fn reached(program: &Program, memory: &Memory) -> BTreeSet<(ObjectId, FuncId)> {
    let mut found = BTreeSet::new();
    for (at, function) in program.functions.iter().enumerate() {
        for edge in function.cfa.iter().flat_map(|cfa| &cfa.edges) {
            for_each_place(&edge.instr, &mut |place| {
                if let Base::Deref(pointer, _) = &place.base {
                    let targets = memory.points_to.targets(program, pointer).into_iter();
                    found.extend(targets.filter_map(|target| match target {
                        Target::Cell(cell) => Some((cell.object, FuncId(at))),
                        Target::Function(_) => None,
                    }));
                }
            });
        }
    }
    found
}

/// Variables of the checks that say whether a call of a function is under way, for functions whose
/// variables are reached by pointers from elsewhere.
fn active(
    program: &mut Program,
    memory: &Memory,
    reached: &BTreeSet<(ObjectId, FuncId)>,
) -> FxHashMap<FuncId, ObjectId> {
    let owners = reached.iter().filter_map(|(object, from)| {
        let owner = owner(program.object(*object))?;
        // Pointers to variables of recursive functions are not supported.
        let counts = owner != *from && owner != program.start && !memory.recursive[owner.0];
        counts.then_some(owner)
    });
    let functions: BTreeSet<FuncId> = owners.collect();
    let switches = functions.into_iter().map(|f| {
        let object = ghost(program, format!("active.{}", f.0), CType::INT);
        (f, object)
    });
    switches.collect()
}

/// The variables that begin to exist within a function: those of its blocks.
fn entered(program: &Program) -> BTreeSet<ObjectId> {
    let cfas = program.functions.iter().filter_map(|f| f.cfa.as_ref());
    let entered = cfas.flat_map(|cfa| &cfa.edges);
    let entered = entered.filter_map(|edge| match edge.instr {
        Instr::Mark(Mark::Enter(object)) => Some(object),
        _ => None,
    });
    entered.collect()
}

/// Variables of the checks that say whether a variable of a block within a function exists, for
/// variables that are reached by pointers.
fn alive(
    program: &mut Program,
    reached: &BTreeSet<(ObjectId, FuncId)>,
    entered: &BTreeSet<ObjectId>,
) -> FxHashMap<ObjectId, ObjectId> {
    let is_reached = |object: &ObjectId| reached.iter().any(|(known, _)| known == object);
    let objects: Vec<ObjectId> = entered.iter().copied().filter(is_reached).collect();
    let switches = objects.into_iter().map(|object| {
        let switch = ghost(program, format!("alive.{}", object.0), CType::INT);
        (object, switch)
    });
    switches.collect()
}
