//! Checks in automata: before a step, a condition under which the run ends; before or after it,
//! steps on the variables of the checks.

use crate::cfront::ir::{Cfa, Claimed, Edge, Expr, FuncId, Instr, Lvalue, NodeId, ObjectId};
use crate::cfront::program::Program;
use crate::cfront::source::Place;
use crate::cfront::types::{CType, IntType};

/// What is put before or after a step.
#[derive(Clone, Debug)]
pub(super) enum Woven {
    /// Where the expression is other than 0, the run ends by this step.
    Fail(Expr, Instr),
    /// A step on variables of the checks.
    Do(Instr),
}

/// The step after which a variable of the checks, an `int`, is 1 or 0.
pub(super) fn switch(object: ObjectId, on: bool) -> Woven {
    let value = Expr::constant(i128::from(on), IntType::INT);
    Woven::Do(Instr::Assign(Lvalue::of(object, CType::INT), value))
}

/// What is put into a function.
pub(super) trait Pattern {
    /// What is put before and after a step of a function.
    fn around(&self, func: FuncId, edge: &Edge) -> (Vec<Woven>, Vec<Woven>);
    /// What is put before the first step of a function.
    fn first(&self, func: FuncId) -> Vec<Woven>;
    /// What is put after the last step of a function.
    fn last(&self, func: FuncId) -> Vec<Woven>;
}

/// Puts a pattern into all functions of a program. Unlike steps of the program, the new steps are
/// not told in runs.
pub(super) fn weave(program: &mut Program, pattern: &dyn Pattern) {
    for at in 0..program.functions.len() {
        let func = FuncId(at);
        let Some(cfa) = program.functions[at].cfa.take() else {
            continue;
        };
        program.functions[at].cfa = Some(woven(cfa, func, pattern));
    }
}

fn woven(mut cfa: Cfa, func: FuncId, pattern: &dyn Pattern) -> Cfa {
    let edges = std::mem::take(&mut cfa.edges);
    let mut loom = Loom { cfa, func };
    // Both ways of a test have the same checks before them.
    let mut tested: Option<(NodeId, Expr, NodeId)> = None;
    for edge in edges {
        let (before, after) = pattern.around(func, &edge);
        let place = edge.place.clone();
        let from = match (&edge.instr, &tested) {
            (Instr::Assume(e, _), Some((node, other, end))) if *node == edge.from && e == other => {
                *end
            }
            _ => loom.put(edge.from, before, &place),
        };
        if let Instr::Assume(e, _) = &edge.instr {
            tested = Some((edge.from, e.clone(), from));
        }
        if after.is_empty() {
            loom.cfa.edges.push(Edge { from, ..edge });
            continue;
        }
        let to = edge.to;
        let middle = loom.cfa.add_node(place.clone(), func);
        loom.cfa.edges.push(Edge {
            from,
            to: middle,
            ..edge
        });
        let end = loom.put(middle, after, &place);
        loom.edge(end, to, Instr::Skip, &place);
    }
    let (entry, exit) = (NodeId(loom.cfa.entry), NodeId(loom.cfa.exit));
    let first = pattern.first(func);
    if !first.is_empty() {
        let place = loom.cfa.nodes[entry.0].place.clone();
        let start = loom.cfa.add_node(place.clone(), func);
        let end = loom.put(start, first, &place);
        loom.edge(end, entry, Instr::Skip, &place);
        loom.cfa.entry = start.0;
    }
    let last = pattern.last(func);
    if !last.is_empty() {
        let own = loom.cfa.nodes[exit.0].place.clone();
        // What is violated at the end is so where the last step stands.
        let mut steps = loom.cfa.edges.iter().filter(|edge| edge.to == exit);
        let place = steps.next_back().map_or(own, |edge| edge.place.clone());
        loom.cfa.exit = loom.put(exit, last, &place).0;
    }
    loom.cfa
}

/// An automaton under way.
struct Loom {
    cfa: Cfa,
    func: FuncId,
}

impl Loom {
    fn edge(&mut self, from: NodeId, to: NodeId, instr: Instr, place: &Place) {
        self.cfa.edges.push(Edge {
            from,
            to,
            instr,
            place: place.clone(),
        });
    }

    /// A point that the program does not have.
    fn node(&mut self, place: &Place) -> NodeId {
        let node = self.cfa.add_node(place.clone(), self.func);
        self.cfa.nodes[node.0].claim = Some(Claimed::Check);
        node
    }

    /// Puts steps after a point; answers where they end.
    fn put(&mut self, from: NodeId, steps: Vec<Woven>, place: &Place) -> NodeId {
        let mut at = from;
        if !steps.is_empty() {
            // The tests of the program begin at another point than those of the checks.
            let own = self.node(place);
            self.edge(at, own, Instr::Skip, place);
            at = own;
        }
        let mut end = at;
        for step in steps {
            end = match step {
                Woven::Do(instr) => {
                    let next = self.node(place);
                    self.edge(at, next, instr, place);
                    next
                }
                Woven::Fail(condition, end) => {
                    let (fails, dead, next) =
                        (self.node(place), self.node(place), self.node(place));
                    self.edge(at, fails, Instr::Assume(condition.clone(), true), place);
                    self.edge(fails, dead, end, place);
                    self.edge(at, next, Instr::Assume(condition, false), place);
                    next
                }
            };
            at = end;
        }
        if end == from {
            return from;
        }
        // What follows is the program's.
        let next = self.cfa.add_node(place.clone(), self.func);
        self.edge(end, next, Instr::Skip, place);
        next
    }
}
