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
//! Missing: the ends of blocks within functions, at which variables cease to exist; alignment;
//! members of unions as memory; the values that are read before they are written.

mod access;
mod arith;
mod build;
mod heap;
mod names;
mod pattern;
mod track;
mod weave;

pub use names::Property;
pub(crate) use names::{SetOfProperties as Set, of_error};

use super::ir::{Base, FuncId, ObjectId};
use super::memory::{Memory, Target, for_each_place};
use super::program::Program;
use super::types::CType;
use access::Accesses;
use heap::{Heap, ghost, owner};
use pattern::Checks;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Is this the error of an operation on constants? Compilers carry these out themselves, so that no
/// execution shows them.
pub(crate) fn is_folded(what: &str) -> bool {
    what.ends_with(pattern::FOLDED)
}

/// The program whose error is a violation of one of these properties.
pub(crate) fn with_checks(program: &Program, memory: &Memory, set: Set) -> Program {
    let mut checked = program.clone();
    let heap = Heap::of(&mut checked, memory);
    let active = active(&mut checked, memory, set);
    let known = checked.clone();
    let checks = Checks {
        set,
        accesses: Accesses {
            program: &known,
            memory,
            heap: &heap,
            active: &active,
        },
    };
    weave::weave(&mut checked, &checks);
    checked
}

/// Variables of the checks that say whether a call of a function is under way, for functions whose
/// variables are reached by pointers from elsewhere.
fn active(program: &mut Program, memory: &Memory, set: Set) -> FxHashMap<FuncId, ObjectId> {
    let mut functions: BTreeSet<FuncId> = BTreeSet::new();
    for (at, function) in program.functions.iter().enumerate() {
        for edge in function.cfa.iter().flat_map(|cfa| &cfa.edges) {
            for_each_place(&edge.instr, &mut |place| {
                if let Base::Deref(pointer, _) = &place.base {
                    let targets = memory.points_to.targets(program, pointer);
                    let owners = targets.iter().filter_map(|target| match target {
                        Target::Cell(cell) => owner(program.object(cell.object)),
                        Target::Function(_) => None,
                    });
                    functions.extend(owners.filter(|f| *f != FuncId(at)));
                }
            });
        }
    }
    functions.retain(|f| {
        // Pointers to variables of recursive functions are not supported.
        set.has(Property::ValidDeref) && !memory.recursive[f.0] && *f != program.start
    });
    let switches = functions.into_iter().map(|f| {
        let object = ghost(program, format!("active.{}", f.0), CType::INT);
        (f, object)
    });
    switches.collect()
}
