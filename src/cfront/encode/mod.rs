//! From automata to Horn clauses.
//!
//! A predicate stands for each cutpoint: the targets of back edges of a depth-first search, and the
//! points before and after calls of functions with automata. A clause stands for all paths from one
//! cutpoint to the next (a large block \[BCGKS09\]), or to an error. The parameters are the live
//! variables.
//!
//! A function `f` with an automaton has two more predicates: `f:entry` over its inputs (its
//! parameters, and the globals that it uses), and `f:exit` over its inputs and outputs (the globals
//! that it changes, and the result). A call derives the entry, and continues with the exit. Errors
//! within `f` follow from the entry, so they are found from every call. Predicates within `f` have
//! its inputs as parameters as well.

mod arith;
mod block;
mod clauses;
mod crash;
mod element;
mod env;
mod float;
mod float_intervals;
mod guard;
mod interval;
mod live;
mod names;
mod pointer;
mod range;
mod slice;
mod step;
mod translate;
mod unroll;

use super::flow::{Flow, Root};
use super::graph;
use super::ir::{Callee, Instr};
use super::memory::{Memory, PartId};
use super::program::Program;
use crate::chc::System;
use crate::term::{Term, Terms};
use arith::Arith;
use block::{Builder, State, sort_of};
use env::Env;
use guard::Guard;
use live::Live;
use names::Names;
use range::Ranges;
use rustc_hash::FxHashSet;
use slice::{Effect, Effects, passed};

pub use arith::IntMode;
pub(crate) use block::{Block, End, Passed};
pub(crate) use translate::Input;

/// What the queries of a system ask of the program's runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CheckedProperty {
    /// Can the error be reached?
    #[default]
    Errors,
    /// With [`IntMode::Unbounded`]: can the error be reached, or an unsigned operation that leaves
    /// its type upwards?
    ErrorsAndWraps,
    /// With [`IntMode::Unbounded`]: can an operation, signed or unsigned, leave its type, no other
    /// having done so before? Nothing else is asked.
    Overflows,
}

/// How a program is encoded.
#[derive(Clone, Copy, Debug)]
pub struct EncodeOptions {
    /// How integers become terms.
    pub ints: IntMode,
    /// What the system's queries ask.
    pub question: CheckedProperty,
    /// Makes each unsupported construct a query. Without this, runs that come to one are cut off.
    pub check_unsupported: bool,
    /// Functions are inlined until the program has this number of steps.
    pub inline: usize,
    /// The beginning of the program is unrolled to at most this number of steps, as far as it takes
    /// one way only.
    pub unroll: usize,
}

impl Default for EncodeOptions {
    fn default() -> Self {
        EncodeOptions {
            ints: IntMode::Unbounded,
            question: CheckedProperty::Errors,
            check_unsupported: true,
            inline: 20_000,
            unroll: 0,
        }
    }
}

/// What a predicate stands for.
#[derive(Clone, Debug)]
pub(crate) enum PredInfo {
    /// A cutpoint of an automaton: the point, and the number of its first parameters that are
    /// inputs of the function.
    Point {
        root: usize,
        node: usize,
        given: usize,
        parts: Vec<PartId>,
    },
    /// What a function is called with.
    Entry { root: usize },
    /// What a function is called with, and what it leaves.
    Exit { root: usize },
}

/// What a clause stands for.
#[derive(Clone, Debug)]
pub(crate) enum ClauseInfo {
    /// The ways from a point to an end of the block there.
    Block { root: usize, from: usize, end: End },
    /// A step that calls: the callee is entered.
    Enter,
    /// A step that calls: the callee has come back.
    Return,
}

/// The inputs and outputs of a function with an automaton.
#[derive(Clone, Debug, Default)]
struct Interface {
    given: Vec<PartId>,
    left: Vec<PartId>,
}

/// A program as a system of clauses, with what its parts mean.
pub(crate) struct Encoding {
    pub(crate) system: System,
    pub(crate) preds: Vec<PredInfo>,
    pub(crate) clauses: Vec<ClauseInfo>,
    pub(crate) flow: Flow,
    relevant: FxHashSet<PartId>,
    interfaces: Vec<Interface>,
    lives: Vec<Live>,
    /// What is known of variables at the points of each automaton, over integers that wrap around.
    ranges: Vec<Option<Ranges>>,
    names: Vec<Names>,
    options: EncodeOptions,
    /// Is a loop unrolled at the program's beginning?
    pub(crate) is_unrolled: bool,
    /// Is a floating-point operation over-approximated that is exact over bit-vectors?
    pub(crate) lacks_floats: bool,
}

/// Encodes a program.
pub(crate) fn encode(
    t: &Terms,
    program: &Program,
    memory: &Memory,
    options: EncodeOptions,
) -> Encoding {
    let mut flow = Flow::of(program, memory, options.inline);
    let looks = Effects { program, memory };
    let relevant = looks.slice(&mut flow);
    let interfaces = interfaces(&looks, &flow, &relevant);
    let names = flow
        .roots
        .iter()
        .map(|root| Names::of(program, memory, root));
    let mut encoding = Encoding {
        system: System::default(),
        preds: Vec::new(),
        clauses: Vec::new(),
        relevant,
        interfaces,
        lives: Vec::new(),
        ranges: Vec::new(),
        names: names.collect(),
        flow,
        options,
        is_unrolled: false,
        lacks_floats: false,
    };
    encoding.look_ahead(&looks);
    if options.unroll > 0
        && let Some(cfa) = unroll::unrolled(t, program, memory, &encoding, options.unroll)
    {
        encoding.flow.roots[0].cfa = cfa;
        encoding.is_unrolled = true;
        (encoding.lives, encoding.ranges) = (Vec::new(), Vec::new());
        encoding.look_ahead(&looks);
    }
    clauses::clauses(t, program, memory, encoding)
}

/// The inputs and outputs of each function with an automaton, by the variables that it and the
/// functions below it use.
fn interfaces(looks: &Effects<'_>, flow: &Flow, relevant: &FxHashSet<PartId>) -> Vec<Interface> {
    let count = flow.roots.len();
    let (mut reads, mut writes) = (
        vec![FxHashSet::default(); count],
        vec![FxHashSet::default(); count],
    );
    let shared =
        |part: &PartId| relevant.contains(part) && looks.memory.parts[part.0].owner.is_none();
    for (at, root) in flow.roots.iter().enumerate() {
        for edge in &root.cfa.edges {
            let effect = looks.of(&edge.instr);
            reads[at].extend(
                effect
                    .reads
                    .iter()
                    .chain(&effect.changes)
                    .filter(|p| shared(p)),
            );
            writes[at].extend(
                effect
                    .writes
                    .iter()
                    .chain(&effect.changes)
                    .filter(|p| shared(p)),
            );
        }
    }
    loop {
        let mut changed = false;
        for (at, root) in flow.roots.iter().enumerate() {
            for edge in &root.cfa.edges {
                if let Instr::Call(Callee::Function(f), ..) = &edge.instr
                    && let Some(callee) = flow.root_of(*f)
                    && callee != at
                {
                    let (r, w): (Vec<PartId>, Vec<PartId>) = (
                        reads[callee].iter().copied().collect(),
                        writes[callee].iter().copied().collect(),
                    );
                    let before = reads[at].len() + writes[at].len();
                    reads[at].extend(r);
                    writes[at].extend(w);
                    changed |= reads[at].len() + writes[at].len() > before;
                }
            }
        }
        if !changed {
            break;
        }
    }
    let roots = flow.roots.iter().enumerate();
    roots
        .map(|(at, root)| interface(looks, root, &reads[at], &writes[at], relevant))
        .collect()
}

fn interface(
    looks: &Effects<'_>,
    root: &Root,
    reads: &FxHashSet<PartId>,
    writes: &FxHashSet<PartId>,
    relevant: &FxHashSet<PartId>,
) -> Interface {
    if root.func == looks.program.start {
        return Interface::default();
    }
    let function = looks.program.function(root.func);
    let cells = |object: super::ir::ObjectId| {
        let leaves = looks.memory.points_to.leaves[object.0].len();
        let parts = (0..leaves)
            .filter_map(move |leaf| looks.memory.part_of(super::memory::Cell { object, leaf }));
        parts.filter(|part| relevant.contains(part))
    };
    let params: Vec<PartId> = function.params.iter().flat_map(|&p| cells(p)).collect();
    let mut given = params.clone();
    let mut globals: Vec<PartId> = reads.union(writes).copied().collect();
    globals.sort_unstable();
    given.extend(globals.iter().filter(|part| !params.contains(part)));
    let mut left: Vec<PartId> = writes.iter().copied().collect();
    left.sort_unstable();
    left.extend(function.result.into_iter().flat_map(cells));
    left.dedup();
    Interface { given, left }
}

impl Encoding {
    /// What matters where in each automaton, and what is known of it.
    fn look_ahead(&mut self, looks: &Effects<'_>) {
        let Effects { program, memory } = looks;
        let (mut lives, mut all_ranges) = (Vec::new(), Vec::new());
        for (root, interface) in self.flow.roots.iter().zip(&self.interfaces) {
            let effects = root.cfa.edges.iter();
            let effects: Vec<Effect> = effects
                .map(|edge| self.effect(looks, &edge.instr))
                .collect();
            let parts = memory.parts.len();
            lives.push(Live::of(&root.cfa, &effects, &interface.left, parts));
            // Until an operation leaves its type, floating-point numbers are where they are with
            // integers that wrap around.
            let has_floats = self
                .relevant
                .iter()
                .any(|part| memory.parts[part.0].ty.float);
            all_ranges.push(match self.options.ints {
                IntMode::Wrap => range::ranges(program, memory, &root.cfa, &effects),
                IntMode::Unbounded if has_floats => {
                    range::ranges(program, memory, &root.cfa, &effects)
                }
                IntMode::Unbounded | IntMode::BitVector => None,
            });
        }
        (self.lives, self.ranges) = (lives, all_ranges);
    }

    /// The effect of a step on what matters; of a call, with that of the callee.
    fn effect(&self, looks: &Effects<'_>, instr: &Instr) -> Effect {
        let mut effect = looks.of(instr);
        if let Instr::Call(Callee::Function(f), arguments, _) = instr
            && let Some(callee) = self.flow.root_of(*f)
        {
            let interface = &self.interfaces[callee];
            let given: FxHashSet<PartId> = (passed(looks.program, *f, arguments).iter())
                .filter_map(|(place, _)| part_of_place(looks.memory, looks.program, place))
                .collect();
            effect
                .reads
                .extend(interface.given.iter().filter(|part| !given.contains(part)));
            effect.writes.extend(interface.left.iter());
        }
        let matters = |part: &PartId| self.relevant.contains(part);
        effect.reads.retain(matters);
        effect.writes.retain(matters);
        effect.changes.retain(matters);
        effect
    }

    /// The block that begins at a point of an automaton, step by step, for following a run.
    pub(crate) fn trace<R>(
        &self,
        program: &Program,
        memory: &Memory,
        arith: &Arith<'_>,
        root: usize,
        from: usize,
        look: impl FnOnce(&Block<'_>) -> R,
    ) -> R {
        let entry = |part| initial_value(self, program, memory, arith, root, from, part);
        let cfa = &self.flow.roots[root].cfa;
        let geometry = Geometry::of(&self.flow.roots[root]);
        let live = |node: usize, part: PartId| self.lives[root].has(node, part);
        let relevant = |part: PartId| self.relevant.contains(&part);
        let builder = Builder {
            program,
            memory,
            arith,
            cfa,
            leaving: &geometry.leaving,
            order: &geometry.position,
            cut: &geometry.cut,
            live: &live,
            relevant: &relevant,
            ranges: self.ranges[root].as_ref(),
            question: self.options.question,
            trace: true,
        };
        let first = State {
            guard: Guard::default(),
            env: Env::new(&entry),
        };
        look(&builder.block(from, first))
    }

    /// The variable at the beginning of a block.
    pub(crate) fn variable(
        &self,
        program: &Program,
        memory: &Memory,
        arith: &Arith<'_>,
        root: usize,
        part: PartId,
    ) -> Term {
        let sort = sort_of(program, memory, arith, part);
        arith.t.var(self.names[root].of_part(part), sort)
    }

    pub(crate) fn arith<'t>(&self, t: &'t Terms) -> Arith<'t> {
        let EncodeOptions { ints, question, .. } = self.options;
        // Until an operation leaves its type, all values are in their types.
        let ranged = ints == IntMode::Wrap || question == CheckedProperty::Overflows;
        Arith::new(t, ints, ranged)
    }

    /// The inputs of a function with an automaton.
    pub(crate) fn given_to(&self, root: usize) -> &[PartId] {
        &self.interfaces[root].given
    }

    /// The outputs of a function with an automaton.
    pub(crate) fn left_by(&self, root: usize) -> &[PartId] {
        &self.interfaces[root].left
    }

    /// The name of a variable in the clauses of an automaton.
    pub(crate) fn name(&self, root: usize, part: PartId) -> &str {
        self.names[root].of_part(part)
    }
}

/// The part of a scalar place that begins at an object.
fn part_of_place(memory: &Memory, program: &Program, place: &super::ir::Lvalue) -> Option<PartId> {
    match memory.access(program, place) {
        Ok(super::memory::Access::Scalar(part, _)) => Some(part),
        _ => None,
    }
}

/// Cutpoints of an automaton, and the order of its points.
pub(crate) struct Geometry {
    pub(crate) leaving: Vec<Vec<usize>>,
    pub(crate) position: Vec<usize>,
    pub(crate) cut: Vec<bool>,
}

impl Geometry {
    pub(crate) fn of(root: &Root) -> Self {
        let cfa = &root.cfa;
        let (mut cut, order) = graph::back_targets(cfa);
        let mut position = vec![usize::MAX; cfa.nodes.len()];
        for (at, node) in order.into_iter().enumerate() {
            position[node] = at;
        }
        for edge in &cfa.edges {
            if matches!(edge.instr, Instr::Call(..)) {
                cut[edge.from.0] = true;
                cut[edge.to.0] = true;
            }
        }
        cut[cfa.exit] = true;
        Geometry {
            leaving: cfa.leaving(),
            position,
            cut,
        }
    }
}

/// The value of a variable at the beginning of a block: at the beginning of the program, new memory
/// has its first address, and zeros where it is all of `calloc`.
pub(crate) fn initial_value(
    encoding: &Encoding,
    program: &Program,
    memory: &Memory,
    arith: &Arith<'_>,
    root: usize,
    start: usize,
    part: PartId,
) -> Term {
    let first = encoding.flow.roots[root].func == program.start
        && start == encoding.flow.roots[root].cfa.entry;
    let info = &memory.parts[part.0];
    if first && part == memory.next {
        return arith.constant(memory.heap_start, info.ty).term;
    }
    if first && info.zeroed {
        let sort = sort_of(program, memory, arith, part);
        return arith.t.const_array(sort, arith.constant(0, info.ty).term);
    }
    encoding.variable(program, memory, arith, root, part)
}
