//! Large blocks: all that can happen from one cutpoint up to the next, as formulas.
//!
//! The points between cutpoints have no cycles. In their order, each has a condition under which it is reached, and for each variable a
//! term over the variables at the cutpoint and the inputs on the way; where paths meet, values are joined by `ite`. Terms are shared, so
//! that the size is linear in that of the block: a chain of ifs costs what its text costs.

use super::arith::{Arith, Num};
use super::guard::Guard;
use super::translate::{Input, Scope};
use crate::cfront::ir::{Base, Cfa, Edge, Instr, Lvalue, ObjectKind, Unknown};
use crate::cfront::memory::{Access, Cell, Memory, Mismatch, PartId};
use crate::cfront::program::Program;
use crate::cfront::types::IntType;
use crate::term::{Sort, Term};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Arrays that share a part with others are filled element by element up to so many units.
const FILLED: u64 = 256;

/// The values of variables at a point of a block: those that were changed, and where to look up the others.
#[derive(Clone)]
pub(crate) struct Env<'a> {
    changed: Rc<FxHashMap<PartId, Term>>,
    entry: &'a dyn Fn(PartId) -> Term,
}

impl<'a> Env<'a> {
    pub(crate) fn new(entry: &'a dyn Fn(PartId) -> Term) -> Self {
        Env {
            changed: Rc::default(),
            entry,
        }
    }

    pub(crate) fn get(&self, part: PartId) -> Term {
        match self.changed.get(&part) {
            Some(&term) => term,
            None => (self.entry)(part),
        }
    }

    pub(crate) fn set(&mut self, part: PartId, term: Term) {
        Rc::make_mut(&mut self.changed).insert(part, term);
    }
}

/// Where and how a block is at some point.
#[derive(Clone)]
pub(crate) struct State<'a> {
    pub(crate) guard: Guard,
    pub(crate) env: Env<'a>,
}

/// How a way through a block ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// At a cutpoint.
    Cut(usize),
    /// At the step that is the error.
    Error(usize),
    /// At a step that is not supported: what.
    Unsupported(usize, Rc<str>),
    /// At a step with an unsigned operation that leaves its type.
    Wraps(usize),
}

/// What is known of a step of a block: for following a run.
pub(crate) struct Passed {
    pub(crate) edge: usize,
    /// Under which condition it is taken.
    pub(crate) guard: Term,
    /// Values after it that the step changed.
    pub(crate) changes: Vec<(PartId, Term)>,
    /// What is over-approximated in it.
    pub(crate) notes: Vec<Rc<str>>,
    /// Conditions under which an operation of the step, signed or unsigned, leaves its type.
    pub(crate) overflows: Vec<Term>,
}

/// A block, encoded.
pub(crate) struct Block<'a> {
    pub(crate) ends: Vec<(End, State<'a>)>,
    pub(crate) inputs: Vec<Input>,
    /// What holds of inputs: of which, and what.
    pub(crate) facts: Vec<(Term, Term)>,
    /// The steps, in an order in which runs may take them.
    pub(crate) passed: Vec<Passed>,
}

/// Encodes blocks of an automaton.
pub(crate) struct Builder<'a, 't> {
    pub(crate) program: &'a Program,
    pub(crate) memory: &'a Memory,
    pub(crate) arith: &'a Arith<'t>,
    pub(crate) cfa: &'a Cfa,
    /// Steps that leave each point.
    pub(crate) leaving: &'a [Vec<usize>],
    /// The position of each point in an order in which only edges to cutpoints lead back.
    pub(crate) order: &'a [usize],
    pub(crate) cut: &'a [bool],
    /// Variables that matter at each point.
    pub(crate) live: &'a dyn Fn(usize, PartId) -> bool,
    /// Variables that matter at all: assignments to others are left out.
    pub(crate) relevant: &'a dyn Fn(PartId) -> bool,
    pub(crate) check_wrap: bool,
    /// Is the way of a run asked for?
    pub(crate) trace: bool,
}

impl<'a> Builder<'a, '_> {
    /// The block that begins at a point.
    pub(crate) fn block(&self, start: usize, first: State<'a>) -> Block<'a> {
        let mut block = Block {
            ends: Vec::new(),
            inputs: Vec::new(),
            facts: Vec::new(),
            passed: Vec::new(),
        };
        let mut arrived: FxHashMap<usize, Vec<State<'a>>> = FxHashMap::default();
        // Points to come, the first in the order on top.
        let mut open = std::collections::BTreeSet::new();
        let mut cuts: FxHashMap<usize, Vec<State<'a>>> = FxHashMap::default();
        let mut cut_order = Vec::new();
        arrived.insert(start, vec![first]);
        open.insert((self.order[start], start));
        while let Some((_, node)) = open.pop_first() {
            let states = arrived.remove(&node).unwrap_or_default();
            let Some(state) = self.join(node, states) else {
                continue;
            };
            for &at in &self.leaving[node] {
                let edge = &self.cfa.edges[at];
                let Some(next) = self.pass(at, edge, &state, &mut block) else {
                    continue;
                };
                let to = edge.to.0;
                if self.cut[to] {
                    let states = cuts.entry(to).or_default();
                    if states.is_empty() {
                        cut_order.push(to);
                    }
                    states.push(next);
                } else {
                    arrived.entry(to).or_default().push(next);
                    open.insert((self.order[to], to));
                }
            }
        }
        for to in cut_order {
            let states = cuts.remove(&to).unwrap_or_default();
            if let Some(state) = self.join(to, states) {
                block.ends.push((End::Cut(to), state));
            }
        }
        block
    }

    /// One state of those that paths arrive in: two at a time, those first whose ways were the same for longest, so that the tests
    /// that they parted at fall away.
    fn join(&self, node: usize, mut states: Vec<State<'a>>) -> Option<State<'a>> {
        states.sort_by(|a, b| a.guard.cmp(&b.guard));
        let mut common: Vec<usize> = (states.windows(2))
            .map(|pair| pair[0].guard.common(&pair[1].guard))
            .collect();
        while let Some(at) = (0..common.len()).max_by_key(|&at| common[at]) {
            let b = states.remove(at + 1);
            common.remove(at);
            let a = states[at].clone();
            states[at] = self.join_two(node, a, b);
            for next in [at.checked_sub(1), Some(at)].into_iter().flatten() {
                if next < common.len() {
                    common[next] = states[next].guard.common(&states[next + 1].guard);
                }
            }
        }
        states.pop()
    }

    fn join_two(&self, node: usize, a: State<'a>, b: State<'a>) -> State<'a> {
        let t = self.arith.t;
        let (guard, only_a) = Guard::join(t, &a.guard, &b.guard);
        if Rc::ptr_eq(&a.env.changed, &b.env.changed) {
            return State { guard, env: a.env };
        }
        let mut env = b.env.clone();
        for part in a.env.changed.keys().chain(b.env.changed.keys()) {
            if !(self.live)(node, *part) {
                continue;
            }
            let (x, y) = (a.env.get(*part), b.env.get(*part));
            if x == y {
                if b.env.changed.get(part) != Some(&y) {
                    env.set(*part, y);
                }
            } else {
                env.set(*part, t.ite(only_a, x, y));
            }
        }
        State { guard, env }
    }

    /// The state after a step; `None` where the path ends.
    fn pass(
        &self,
        at: usize,
        edge: &Edge,
        state: &State<'a>,
        block: &mut Block<'a>,
    ) -> Option<State<'a>> {
        let t = self.arith.t;
        match &edge.instr {
            Instr::Skip => {
                self.note_end(at, state, block);
                return Some(state.clone());
            }
            Instr::Error(_) => {
                block.ends.push((End::Error(at), state.clone()));
                self.note_end(at, state, block);
                return None;
            }
            Instr::Unsupported(what) => {
                block
                    .ends
                    .push((End::Unsupported(at, what.clone()), state.clone()));
                self.note_end(at, state, block);
                return None;
            }
            _ => {}
        }
        let mut scope = Scope {
            program: self.program,
            memory: self.memory,
            arith: self.arith,
            env: &state.env,
            edge: at,
            conditions: Vec::new(),
            facts: Vec::new(),
            inputs: &mut block.inputs,
            notes: Vec::new(),
        };
        let changes = self.step(&mut scope, edge);
        let (conditions, facts, notes) = (scope.conditions, scope.facts, scope.notes);
        block.facts.extend(facts);
        let wraps = self.arith.take_wraps();
        let overflows = self.arith.take_overflows();
        let changes = match changes {
            Ok(changes) => changes,
            Err(what) => {
                block.ends.push((End::Unsupported(at, what), state.clone()));
                self.note_end(at, state, block);
                return None;
            }
        };
        let mut next = state.clone();
        if self.check_wrap && !wraps.is_empty() {
            let mut wrapping = state.clone();
            wrapping.guard.add(t, t.or(wraps.iter().copied()));
            block.ends.push((End::Wraps(at), wrapping));
            for &wraps in &wraps {
                next.guard.add(t, t.not(wraps));
            }
        }
        for condition in conditions {
            next.guard.add(t, condition);
        }
        if next.guard.is_false() {
            return None;
        }
        for &(part, term) in &changes {
            next.env.set(part, term);
        }
        if self.trace {
            block.passed.push(Passed {
                edge: at,
                guard: next.guard.term(t),
                changes,
                notes,
                overflows: wraps.into_iter().chain(overflows).collect(),
            });
        }
        Some(next)
    }

    /// A step that changes nothing.
    fn note_end(&self, at: usize, state: &State<'a>, block: &mut Block<'a>) {
        if !self.trace {
            return;
        }
        block.passed.push(Passed {
            edge: at,
            guard: state.guard.term(self.arith.t),
            changes: Vec::new(),
            notes: Vec::new(),
            overflows: Vec::new(),
        });
    }

    /// What a step changes; its conditions go to the scope.
    fn step(
        &self,
        scope: &mut Scope<'_, '_>,
        edge: &Edge,
    ) -> Result<Vec<(PartId, Term)>, Mismatch> {
        let t = self.arith.t;
        match &edge.instr {
            Instr::Assume(e, wanted) => {
                let truth = scope.truth(e)?;
                scope
                    .conditions
                    .push(if *wanted { truth } else { t.not(truth) });
                Ok(Vec::new())
            }
            Instr::Assign(place, e) => {
                if !self.matters(place)? {
                    scope.check_crashes(&edge.instr)?;
                    return Ok(Vec::new());
                }
                let value = scope.value(e)?;
                self.write(scope, place, value, e.ty)
            }
            Instr::Havoc(place, why) => self.havoc(scope, place, why),
            Instr::Fill(place, e) => {
                let value = scope.value(e)?;
                self.fill(scope, edge, place, value)
            }
            Instr::Allocate(place, heap, size) => self.allocate(scope, place, *heap, size),
            // Calls of functions with automata of their own stand between cutpoints.
            _ => Ok(Vec::new()),
        }
    }

    /// Does a place matter, so that a write to it must be encoded?
    fn matters(&self, place: &Lvalue) -> Result<bool, Mismatch> {
        Ok(match self.memory.access(self.program, place)? {
            Access::Scalar(part, _) | Access::Array(part) => (self.relevant)(part),
            Access::Nowhere => true,
        })
    }

    fn write(
        &self,
        scope: &mut Scope<'_, '_>,
        place: &Lvalue,
        value: Num,
        ty: IntType,
    ) -> Result<Vec<(PartId, Term)>, Mismatch> {
        match self.memory.access(self.program, place)? {
            Access::Nowhere => {
                scope.effects(place)?;
                scope
                    .notes
                    .push("a write through a pointer to unknown memory".into());
                Ok(Vec::new())
            }
            Access::Scalar(part, address) => {
                scope.check_address(place, address)?;
                let own = self.memory.parts[part.0].ty;
                Ok(vec![(part, self.arith.convert(value, ty, own).term)])
            }
            Access::Array(part) => {
                let own = self.memory.parts[part.0].ty;
                let index = scope.index(place, part)?;
                let value = self.arith.convert(value, ty, own).term;
                let array = self.arith.t.store(scope.env.get(part), index, value);
                Ok(vec![(part, array)])
            }
        }
    }

    fn havoc(
        &self,
        scope: &mut Scope<'_, '_>,
        place: &Lvalue,
        why: &Unknown,
    ) -> Result<Vec<(PartId, Term)>, Mismatch> {
        if let Unknown::Approximated(what) = why {
            scope.notes.push(what.clone());
        }
        if let Some(ty) = place
            .ty
            .int(self.program.model)
            .filter(|_| place.ty.is_scalar())
        {
            let part = match self.memory.access(self.program, place)? {
                Access::Scalar(part, _) | Access::Array(part) => part,
                Access::Nowhere => return Ok(Vec::new()),
            };
            if !(self.relevant)(part) {
                return Ok(Vec::new());
            }
            let name = match why {
                Unknown::Input(name) => name.trim_start_matches("__VERIFIER_").to_owned(),
                _ => self.memory.parts[part.0].name.to_string(),
            };
            let value = scope.input(&name, ty, why.clone());
            return self.write(scope, place, value, ty);
        }
        let mut changes = Vec::new();
        for cell in self.memory.all_cells(self.program, place)? {
            changes.extend(self.havoc_cell(scope, place, cell, why)?);
        }
        Ok(changes)
    }

    /// All scalars of a cell get any value.
    fn havoc_cell(
        &self,
        scope: &mut Scope<'_, '_>,
        place: &Lvalue,
        cell: Cell,
        why: &Unknown,
    ) -> Result<Option<(PartId, Term)>, Mismatch> {
        let Some(part) = self
            .memory
            .part_of(cell)
            .filter(|&part| (self.relevant)(part))
        else {
            return Ok(None);
        };
        let info = &self.memory.parts[part.0];
        if !info.array {
            let value = scope.input(&info.name, info.ty, why.clone());
            return Ok(Some((part, value.term)));
        }
        let alone = info.cells.len() == 1 && (place.path.is_empty() || info.relative);
        let outside = matches!(place.base, Base::Deref(..));
        if alone || outside {
            let name = format!("{}!{}", info.name, scope.inputs.len());
            let var = self.arith.t.var(&name, self.sort_of(part));
            scope.inputs.push(Input {
                var,
                ty: info.ty,
                edge: scope.edge,
                why: why.clone(),
            });
            return Ok(Some((part, var)));
        }
        // What was there before is as good as any value that nobody gave.
        match why {
            Unknown::Uninitialised => Ok(None),
            _ => Err("an array of inputs that pointers reach".into()),
        }
    }

    /// The sort of a variable.
    pub(crate) fn sort_of(&self, part: PartId) -> Sort {
        sort_of(self.program, self.memory, self.arith, part)
    }

    fn fill(
        &self,
        scope: &mut Scope<'_, '_>,
        edge: &Edge,
        place: &Lvalue,
        value: Num,
    ) -> Result<Vec<(PartId, Term)>, Mismatch> {
        let t = self.arith.t;
        let object = match place.base {
            Base::Object(object) => self.program.object(object),
            Base::Deref(..) => return Err("filling memory through a pointer".into()),
        };
        let at_start = self.cfa.nodes[edge.from.0].func == self.program.start
            && object.kind == ObjectKind::Static;
        let mut changes = Vec::new();
        for cell in self.memory.all_cells(self.program, place)? {
            let Some(part) = self
                .memory
                .part_of(cell)
                .filter(|&part| (self.relevant)(part))
            else {
                continue;
            };
            let info = &self.memory.parts[part.0];
            let zero = self.arith.constant(value.lo, info.ty).term;
            if !info.array {
                changes.push((part, zero));
            } else if info.cells.len() == 1 || at_start {
                changes.push((part, t.const_array(self.sort_of(part), zero)));
            } else {
                let units = self.program.structs.units(&object.ty);
                if units > FILLED {
                    return Err("filling a long array that pointers reach".into());
                }
                let base = self.memory.address(self.program, cell.object)?;
                let pointer = scope.pointer_type();
                let mut array = scope.env.get(part);
                for at in 0..units {
                    let index = self.arith.constant(base + i128::from(at), pointer);
                    array = t.store(array, index.term, zero);
                }
                changes.push((part, array));
            }
        }
        Ok(changes)
    }

    fn allocate(
        &self,
        scope: &mut Scope<'_, '_>,
        place: &Lvalue,
        heap: crate::cfront::ir::ObjectId,
        size: &crate::cfront::ir::Expr,
    ) -> Result<Vec<(PartId, Term)>, Mismatch> {
        let t = self.arith.t;
        let pointer = scope.pointer_type();
        let whole = Lvalue::of(heap, self.program.object(heap).ty.clone());
        let mut changes = Vec::new();
        let zeroed = self.program.zeroed.contains(&heap);
        let address = if self.memory.once.contains(&heap) {
            for cell in self.memory.all_cells(self.program, &whole)? {
                let change = match self.memory.part_of(cell) {
                    Some(part) if zeroed && (self.relevant)(part) => {
                        let info = &self.memory.parts[part.0];
                        let zero = self.arith.constant(0, info.ty).term;
                        if info.array && info.cells.len() > 1 {
                            return Err("`calloc` of memory that is shared".into());
                        }
                        Some((
                            part,
                            if info.array {
                                t.const_array(self.sort_of(part), zero)
                            } else {
                                zero
                            },
                        ))
                    }
                    _ => self.havoc_cell(scope, &whole, cell, &Unknown::Uninitialised)?,
                };
                changes.extend(change);
            }
            self.arith
                .constant(self.memory.address(self.program, heap)?, pointer)
        } else {
            if zeroed {
                for cell in self.memory.all_cells(self.program, &whole)? {
                    let part = self.memory.part_of(cell);
                    if part.is_some_and(|part| !self.memory.parts[part.0].zeroed) {
                        return Err("`calloc` of memory that is shared".into());
                    }
                }
            }
            let next = self.arith.of(scope.env.get(self.memory.next), pointer);
            let size_ty = size.ty;
            let size = scope.value(size)?;
            let size = self.arith.convert(size, size_ty, pointer);
            let one = self.arith.constant(1, pointer);
            let positive = self
                .arith
                .compare(crate::cfront::ir::Binary::Le, one, size, pointer);
            let step = self.arith.choose(positive, size, one);
            let after = if self.arith.bits() {
                let sum = self
                    .arith
                    .binary(crate::cfront::ir::Binary::Add, next, step, pointer);
                let after = sum.expect("sums are exact");
                let up = self
                    .arith
                    .compare(crate::cfront::ir::Binary::Lt, next, after, pointer);
                scope.conditions.push(up);
                after.term
            } else {
                t.add([next.term, step.term])
            };
            if (self.relevant)(self.memory.next) {
                changes.push((self.memory.next, after));
            }
            next
        };
        if self.matters(place)? {
            changes.extend(self.write(scope, place, address, pointer)?);
        }
        Ok(changes)
    }
}

/// The sort of a variable of the encoding.
pub(crate) fn sort_of(program: &Program, memory: &Memory, arith: &Arith<'_>, part: PartId) -> Sort {
    let info = &memory.parts[part.0];
    let element = arith.sort(info.ty);
    if info.array {
        let pointer = IntType::new(program.model.long_bits(), false);
        arith.t.array_sort(arith.sort(pointer), element)
    } else {
        element
    }
}
