//! Names of variables in clauses: those of C where they are unique in an automaton, with the
//! function's name where they are not.

use crate::cfront::flow::Root;
use crate::cfront::ir::ObjectKind;
use crate::cfront::memory::{Memory, PartId};
use crate::cfront::program::Program;
use rustc_hash::FxHashMap;

/// The name of each variable.
pub(crate) struct Names {
    of_part: Vec<String>,
    parts: FxHashMap<String, PartId>,
}

impl Names {
    /// Names for an automaton. The variables of its function and globals come first, so that they
    /// get the plain names.
    pub(crate) fn of(program: &Program, memory: &Memory, root: &Root) -> Self {
        let main = program.functions.iter().position(|f| &*f.name == "main");
        let function_of = |at: usize| {
            let cell = memory.parts[at].cells.first()?;
            match program.object(cell.object).kind {
                ObjectKind::Local(f) | ObjectKind::Heap(f) => Some(f),
                ObjectKind::Static => None,
            }
        };
        let rank = |at: usize| match function_of(at) {
            None => 0,
            Some(f) if f == root.func || Some(f.0) == main => 1,
            Some(f) if root.members.contains(&f) => 2,
            Some(_) => 3,
        };
        let mut order: Vec<usize> = (0..memory.parts.len()).collect();
        order.sort_by_key(|&at| (rank(at), at));
        let mut names = Names {
            of_part: vec![String::new(); memory.parts.len()],
            parts: FxHashMap::default(),
        };
        for at in order {
            let plain = memory.parts[at].name.to_string();
            let function = function_of(at).map(|f| program.function(f).name.clone());
            let mut name = plain.clone();
            let mut count = 1;
            while names.parts.contains_key(&name) {
                let place = function.as_deref().unwrap_or("static");
                name = if count == 1 {
                    format!("{plain}@{place}")
                } else {
                    format!("{plain}@{place}.{count}")
                };
                count += 1;
            }
            names.parts.insert(name.clone(), PartId(at));
            names.of_part[at] = name;
        }
        names
    }

    pub(crate) fn of_part(&self, part: PartId) -> &str {
        &self.of_part[part.0]
    }

    pub(crate) fn part_of(&self, name: &str) -> Option<PartId> {
        self.parts.get(name).copied()
    }
}
