//! Who calls whom, and what a run passes at most once.

use super::PointsTo;
use crate::cfront::graph::components;
use crate::cfront::ir::{FuncId, Instr, ObjectId};
use crate::cfront::program::Program;
use rustc_hash::FxHashSet;

/// Who calls whom.
pub(crate) struct Calls {
    /// For each function, the functions that it calls, once for each call, and whether the call is
    /// in a loop.
    pub(crate) of: Vec<Vec<(FuncId, bool)>>,
}

impl Calls {
    pub(crate) fn of(program: &Program, points_to: &PointsTo) -> Self {
        let calls = program.functions.iter().map(|function| {
            let mut calls = Vec::new();
            if let Some(cfa) = &function.cfa {
                let components = components(cfa);
                for edge in &cfa.edges {
                    if let Instr::Call(callee, ..) = &edge.instr {
                        let looped = components[edge.from.0] == components[edge.to.0];
                        let callees = points_to.callees(program, callee).into_iter();
                        calls.extend(callees.map(|f| (f, looped)));
                    }
                }
            }
            calls
        });
        Calls {
            of: calls.collect(),
        }
    }

    /// Which functions may be called while they run?
    pub(super) fn recursive(&self) -> Vec<bool> {
        (0..self.of.len())
            .map(|f| {
                let mut seen = FxHashSet::default();
                let mut open: Vec<usize> = self.of[f].iter().map(|(g, _)| g.0).collect();
                while let Some(g) = open.pop() {
                    if g == f {
                        return true;
                    }
                    if seen.insert(g) {
                        open.extend(self.of[g].iter().map(|(h, _)| h.0));
                    }
                }
                false
            })
            .collect()
    }

    /// Which functions are called at most once in a run?
    fn at_most_once(&self, start: FuncId) -> Vec<bool> {
        let mut once = vec![false; self.of.len()];
        let mut count = vec![0_usize; self.of.len()];
        for (callee, looped) in self.of.iter().flatten() {
            count[callee.0] += if *looped { 2 } else { 1 };
        }
        let mut open = vec![start.0];
        while let Some(f) = open.pop() {
            once[f] = true;
            for (callee, _) in &self.of[f] {
                if count[callee.0] == 1 && !once[callee.0] {
                    open.push(callee.0);
                }
            }
        }
        once
    }
}

/// Places of allocation that are passed at most once in a run.
pub(crate) fn passed_once(program: &Program, calls: &Calls) -> FxHashSet<ObjectId> {
    let once = calls.at_most_once(program.start);
    let mut found = FxHashSet::default();
    for (function, _) in program.functions.iter().zip(once).filter(|(_, once)| *once) {
        let Some(cfa) = &function.cfa else { continue };
        let components = components(cfa);
        for edge in &cfa.edges {
            if let Instr::Allocate(_, heap, _) = edge.instr
                && components[edge.from.0] != components[edge.to.0]
            {
                found.insert(heap);
            }
        }
    }
    found
}
