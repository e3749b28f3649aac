//! Large blocks: all that can happen from one cutpoint up to the next, as formulas.
//!
//! The points between cutpoints have no cycles. In their order, each has a condition under which it
//! is reached, and for each variable a term over the variables at the cutpoint and the inputs on
//! the way; where paths meet, values are joined by `ite`. Terms are shared, so that the size is
//! linear in that of the block: a chain of ifs costs what its text costs.

use super::CheckedProperty;
use super::arith::{Arith, Left};
use super::env::Env;
use super::guard::Guard;
use super::range::Ranges;
use super::translate::{Input, Note, Scope};
use crate::cfront::ir::{Base, Cfa, Claimed, Edge, Instr, Unknown};
use crate::cfront::memory::{Memory, PartId};
use crate::cfront::program::Program;
use crate::cfront::types::IntType;
use crate::term::{Sort, Term};
use rustc_hash::FxHashMap;
use std::rc::Rc;

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
    /// At a step with an operation that leaves its type.
    Wraps(usize),
}

/// What is known of a step of a block: for following a run.
pub(crate) struct Passed {
    pub(crate) edge: usize,
    /// Under which condition it is taken.
    pub(crate) guard: Term,
    /// Values after it that the step changed.
    pub(crate) changes: Vec<(PartId, Term)>,
    /// The condition under which the step changes a part, for parts that it need not change.
    pub(crate) chosen: Vec<(PartId, Term)>,
    /// What is over-approximated in it.
    pub(crate) notes: Vec<Note>,
    /// Conditions under which an operation of the step, signed or unsigned, leaves its type.
    pub(crate) overflows: Vec<Term>,
    /// The variables of the memory that the step makes, after it.
    pub(crate) memory: Vec<(PartId, Term)>,
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
    /// What is known of variables at each point.
    pub(crate) ranges: Option<&'a Ranges>,
    pub(crate) question: CheckedProperty,
    /// Is the way of a run asked for?
    pub(crate) trace: bool,
}

impl<'a> Builder<'a, '_> {
    /// The block that begins at a point.
    pub(crate) fn block(&self, start: usize, first: State<'a>) -> Block<'a> {
        self.block_after(start, first, Vec::new())
    }

    /// The block that begins at a point, where these inputs have been taken: the new ones have
    /// other names.
    pub(crate) fn block_after(
        &self,
        start: usize,
        first: State<'a>,
        inputs: Vec<Input>,
    ) -> Block<'a> {
        let mut block = Block {
            ends: Vec::new(),
            inputs,
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

    /// Joins the states of all paths that arrive at a point. It joins two at a time, first the
    /// states with the longest common path, so that the tests at which they parted disappear.
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
        if a.env.is_same(&b.env) {
            return State { guard, env: a.env };
        }
        let mut env = b.env.clone();
        for part in a.env.changed().chain(b.env.changed()) {
            if !(self.live)(node, part) {
                continue;
            }
            let (x, y) = (a.env.get(part), b.env.get(part));
            if x == y {
                if b.env.changed_to(part) != Some(y) {
                    env.set(part, y);
                }
            } else {
                env.set(part, t.ite(only_a, x, y));
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
        let end = match &edge.instr {
            instr if instr.is_silent() => None,
            Instr::Error(_) => Some(End::Error(at)),
            Instr::Unsupported(what) => Some(End::Unsupported(at, what.clone())),
            _ => return self.take(at, edge, state, block),
        };
        self.note_end(at, state, block);
        let Some(end) = end else {
            return Some(state.clone());
        };
        block.ends.push((end, state.clone()));
        None
    }

    /// The state after a step that does something.
    fn take(
        &self,
        at: usize,
        edge: &Edge,
        state: &State<'a>,
        block: &mut Block<'a>,
    ) -> Option<State<'a>> {
        let t = self.arith.t;
        let mut scope = self.scope(at, edge, &state.env, &mut block.inputs);
        let changes = self.step(&mut scope, edge);
        let (conditions, also) = (scope.conditions, scope.also);
        let (facts, notes) = (scope.facts, scope.notes);
        let chosen = scope.chosen;
        block.facts.extend(facts);
        // Where it is known what is behind all pointers, no run goes to memory that is not.
        let exact = self.known_memory(&notes);
        let left = self.arith.take_left();
        if exact == Term::FALSE {
            return None;
        }
        let changes = match changes {
            Ok(changes) => changes,
            Err(what) => {
                block.ends.push((End::Unsupported(at, what), state.clone()));
                self.note_end(at, state, block);
                return None;
            }
        };
        let mut next = self.ask_range(at, state, &left, block);
        if let Some(Claimed::Invariant(_)) = self.cfa.nodes[edge.from.0].claim {
            self.ask_meaning(at, &next, &conditions, block);
        }
        for condition in conditions.into_iter().chain(also).chain([exact]) {
            next.guard.add(t, condition);
        }
        if next.guard.is_false() {
            return None;
        }
        for &(part, term) in &changes {
            next.env.set(part, term);
        }
        if self.trace {
            let memory = self.made(edge).into_iter();
            block.passed.push(Passed {
                edge: at,
                guard: next.guard.term(t),
                changes,
                chosen,
                notes,
                overflows: left.all().collect(),
                memory: memory.map(|part| (part, next.env.get(part))).collect(),
            });
        }
        Some(next)
    }

    /// What expressions of a step are translated with.
    fn scope<'s>(
        &'s self,
        at: usize,
        edge: &Edge,
        env: &'s Env,
        inputs: &'s mut Vec<Input>,
    ) -> Scope<'s, 's> {
        Scope {
            program: self.program,
            memory: self.memory,
            arith: self.arith,
            env,
            ranges: self.ranges.map(|ranges| (ranges, edge.from.0)),
            edge: at,
            in_model: self.in_model(edge),
            in_check: self.in_check(edge),
            conditions: Vec::new(),
            also: Vec::new(),
            facts: Vec::new(),
            inputs,
            notes: Vec::new(),
            chosen: Vec::new(),
        }
    }

    /// Is a step one of a model of the C library?
    fn in_model(&self, edge: &Edge) -> bool {
        let func = self.cfa.nodes[edge.from.0].func;
        self.program.function(func).library
    }

    /// Is a step one of the check of a property?
    fn in_check(&self, edge: &Edge) -> bool {
        self.cfa.nodes[edge.from.0].claim == Some(Claimed::Check)
    }

    /// Where it is known what is behind all pointers: that a step is exact about memory.
    fn known_memory(&self, notes: &[Note]) -> Term {
        let is_left_out = |note: &&Note| self.program.outside.is_some() && !note.bits;
        let notes = notes.iter().filter(is_left_out);
        self.arith.t.and(notes.map(|note| note.exact_if))
    }

    /// The variables of the object that a step makes, which matter.
    fn made(&self, edge: &Edge) -> Vec<PartId> {
        let object = match &edge.instr {
            Instr::Allocate(_, heap, _) => *heap,
            Instr::Havoc(place, Unknown::Uninitialised) if place.path.is_empty() => {
                match place.base {
                    Base::Object(object) => object,
                    Base::Deref(..) => return Vec::new(),
                }
            }
            _ => return Vec::new(),
        };
        let mut parts = self.memory.parts_of(object).to_vec();
        parts.sort_unstable();
        parts.dedup();
        parts.retain(|&part| (self.relevant)(part));
        parts
    }

    /// Where it is asked whether the step's operations leave their types, that is an end; the way
    /// goes on where they do not.
    fn ask_range(
        &self,
        at: usize,
        state: &State<'a>,
        left: &Left,
        block: &mut Block<'a>,
    ) -> State<'a> {
        let t = self.arith.t;
        let asked: Vec<Term> = match self.question {
            CheckedProperty::Errors => Vec::new(),
            CheckedProperty::ErrorsAndWraps => left.unsigned.clone(),
            CheckedProperty::Overflows => left.all().collect(),
        };
        let mut next = state.clone();
        if asked.is_empty() {
            return next;
        }
        let mut leaving = state.clone();
        leaving.guard.add(t, t.or(asked.iter().copied()));
        block.ends.push((End::Wraps(at), leaving));
        for leaves in asked {
            next.guard.add(t, t.not(leaves));
        }
        next
    }

    /// The check of an invariant that has no meaning is a violation of it.
    fn ask_meaning(
        &self,
        at: usize,
        state: &State<'a>,
        conditions: &[Term],
        block: &mut Block<'a>,
    ) {
        let t = self.arith.t;
        let mut without = state.clone();
        without
            .guard
            .add(t, t.not(t.and(conditions.iter().copied())));
        if !without.guard.is_false() {
            block.ends.push((End::Error(at), without));
        }
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
            chosen: Vec::new(),
            notes: Vec::new(),
            overflows: Vec::new(),
            memory: Vec::new(),
        });
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
