//! From automata to Horn clauses.
//!
//! A predicate stands for each cutpoint: each point that a depth-first search finds an edge back to, and the points before and after
//! calls of functions with automata of their own. A clause stands for all ways from one cutpoint to the next (a large block), or to an
//! error. Parameters are the variables that matter there.
//!
//! A function `f` of its own has two predicates more: `f:entry` over what it is called with (its parameters, and the globals that it
//! uses), and `f:exit` over that and what it leaves (the globals that it changes, and the result). A call derives the entry, and goes
//! on with the exit; errors within follow from the entry, so that they are found from wherever the function is called. Predicates within
//! `f` have what it was called with as parameters as well.

mod arith;
mod block;
mod guard;
mod live;
mod names;
mod slice;
mod translate;

use super::flow::{Flow, Root};
use super::graph;
use super::ir::{Argument, Callee, FuncId, Instr};
use super::memory::{Memory, PartId};
use super::program::Program;
use crate::chc::{Atom, Clause, Origin, PredId, Predicate, Span, System};
use crate::term::{Sort, Symbol, Term, Terms};
use arith::Arith;
use block::{Builder, Env, State, sort_of};
use guard::Guard;
use live::Live;
use names::Names;
use rustc_hash::{FxHashMap, FxHashSet};
use slice::{Effect, Effects, passed};
use std::rc::Rc;
use translate::Scope;

pub use arith::IntMode;
pub(crate) use block::{Block, End};

/// How a program is encoded.
#[derive(Clone, Copy, Debug)]
pub struct EncodeOptions {
    /// How integers become terms.
    pub ints: IntMode,
    /// With [`IntMode::Unbounded`]: an unsigned operation that leaves its type upwards is a query of its own.
    pub check_wrap: bool,
    /// Constructs that are not supported are queries of their own. Without this, runs that come to one are not looked at.
    pub check_unsupported: bool,
    /// Functions are put into their callers up to so many steps altogether.
    pub inline: usize,
}

impl Default for EncodeOptions {
    fn default() -> Self {
        EncodeOptions {
            ints: IntMode::Unbounded,
            check_wrap: false,
            check_unsupported: true,
            inline: 20_000,
        }
    }
}

/// What a predicate stands for.
#[derive(Clone, Debug)]
pub(crate) enum PredInfo {
    /// A cutpoint of an automaton: a point of it; its first parameters are what the function was called with, so many of them.
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

/// What a function of its own is called with, and what it leaves.
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
    names: Vec<Names>,
    options: EncodeOptions,
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
        names: names.collect(),
        flow,
        options,
    };
    encoding.lives = encoding.liveness(&looks);
    let mut encoder = Encoder {
        t,
        program,
        memory,
        arith: Arith::new(t, options.ints),
        encoding,
        points: FxHashMap::default(),
        entries: FxHashMap::default(),
        exits: FxHashMap::default(),
        used: FxHashMap::default(),
    };
    for root in 0..encoder.encoding.flow.roots.len() {
        encoder.root(root);
    }
    encoder.encoding
}

/// What each function of its own is called with and leaves, by the variables that it and those below it use.
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
    /// What matters where, in each automaton.
    fn liveness(&self, looks: &Effects<'_>) -> Vec<Live> {
        let parts = looks.memory.parts.len();
        let roots = self.flow.roots.iter().zip(&self.interfaces);
        roots
            .map(|(root, interface)| {
                let effects: Vec<Effect> = (root.cfa.edges.iter())
                    .map(|edge| self.effect(looks, &edge.instr))
                    .collect();
                Live::of(&root.cfa, &effects, &interface.left, parts)
            })
            .collect()
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
            check_wrap: self.options.check_wrap,
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
        Arith::new(t, self.options.ints)
    }

    /// What a function of its own is called with.
    pub(crate) fn given_to(&self, root: usize) -> &[PartId] {
        &self.interfaces[root].given
    }

    /// What a function of its own leaves.
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

struct Encoder<'a> {
    t: &'a Terms,
    program: &'a Program,
    memory: &'a Memory,
    arith: Arith<'a>,
    encoding: Encoding,
    points: FxHashMap<(usize, usize), PredId>,
    entries: FxHashMap<usize, PredId>,
    exits: FxHashMap<usize, PredId>,
    /// Names given, and how often.
    used: FxHashMap<String, usize>,
}

impl Encoder<'_> {
    /// The clauses of an automaton.
    fn root(&mut self, root: usize) {
        let geometry = Geometry::of(&self.encoding.flow.roots[root]);
        let cfa = &self.encoding.flow.roots[root].cfa;
        let entry = cfa.entry;
        let reached = graph::forward(cfa);
        let cuts = (0..cfa.nodes.len()).filter(|&n| geometry.cut[n] && reached[n] && n != cfa.exit);
        let starts: Vec<usize> = std::iter::once(entry)
            .chain(cuts.filter(|&n| n != entry))
            .collect();
        for start in starts {
            self.blocks(root, start, &geometry);
            for &at in &geometry.leaving[start] {
                let edge = &self.encoding.flow.roots[root].cfa.edges[at];
                if let Instr::Call(Callee::Function(f), arguments, _) = &edge.instr {
                    let (f, arguments) = (*f, arguments.clone());
                    self.call(root, at, f, &arguments);
                }
            }
        }
    }

    /// The clauses of the block that begins at a point.
    fn blocks(&mut self, root: usize, start: usize, geometry: &Geometry) {
        let calls = geometry.leaving[start].iter().any(|&at| {
            matches!(
                self.encoding.flow.roots[root].cfa.edges[at].instr,
                Instr::Call(..)
            )
        });
        if calls {
            return;
        }
        let body = self.at_start(root, start);
        let clauses = {
            let encoding = &self.encoding;
            let live = |node: usize, part: PartId| encoding.lives[root].has(node, part);
            let relevant = |part: PartId| encoding.relevant.contains(&part);
            let initial = |part: PartId| self.initial(root, start, part);
            let builder = Builder {
                program: self.program,
                memory: self.memory,
                arith: &self.arith,
                cfa: &encoding.flow.roots[root].cfa,
                leaving: &geometry.leaving,
                order: &geometry.position,
                cut: &geometry.cut,
                live: &live,
                relevant: &relevant,
                check_wrap: encoding.options.check_wrap,
                trace: false,
            };
            let first = State {
                guard: Guard::default(),
                env: Env::new(&initial),
            };
            let block = builder.block(start, first);
            let parts: FxHashSet<PartId> = encoding.relevant.clone();
            let mut made = Vec::new();
            for (end, state) in block.ends {
                let wanted = match end {
                    End::Unsupported(..) => encoding.options.check_unsupported,
                    _ => true,
                };
                let guard = state.guard.term(self.t);
                if wanted && guard != Term::FALSE {
                    let values: FxHashMap<PartId, Term> = parts
                        .iter()
                        .map(|&part| (part, state.env.get(part)))
                        .collect();
                    made.push((end, guard, values));
                }
            }
            (made, block.facts)
        };
        let (clauses, facts) = clauses;
        for (end, guard, values) in clauses {
            let head = match &end {
                End::Cut(node) => Some(self.at_end(root, start, *node, &values)),
                _ => None,
            };
            // Inputs that are not looked at are left out.
            let looked_at = head.iter().flat_map(|atom| atom.args.iter().copied());
            let occurring: FxHashSet<Term> =
                self.t.vars(looked_at.chain([guard])).into_iter().collect();
            let facts = facts.iter().filter(|(var, _)| occurring.contains(var));
            let constraint = self
                .t
                .and(std::iter::once(guard).chain(facts.map(|fact| fact.1)));
            let name = self.clause_name(root, start, &end);
            let info = ClauseInfo::Block {
                root,
                from: start,
                end,
            };
            self.clause(
                root,
                body.clone().into_iter().collect(),
                constraint,
                head,
                name,
                info,
            );
        }
    }

    /// The value of a variable at the beginning of a block.
    fn initial(&self, root: usize, start: usize, part: PartId) -> Term {
        initial_value(
            &self.encoding,
            self.program,
            self.memory,
            &self.arith,
            root,
            start,
            part,
        )
    }

    fn variable(&self, root: usize, part: PartId) -> Term {
        self.encoding
            .variable(self.program, self.memory, &self.arith, root, part)
    }

    /// The variable that holds what the function was called with.
    fn given(&self, root: usize, part: PartId) -> Term {
        let sort = sort_of(self.program, self.memory, &self.arith, part);
        let name = format!("{}@in", self.encoding.names[root].of_part(part));
        self.t.var(&name, sort)
    }

    /// The atom that holds at the beginning of a block; none at the beginning of the program.
    fn at_start(&mut self, root: usize, start: usize) -> Option<Atom> {
        let is_entry = start == self.encoding.flow.roots[root].cfa.entry;
        if is_entry {
            if self.encoding.flow.roots[root].func == self.program.start {
                return None;
            }
            let given = self.encoding.interfaces[root].given.clone();
            let args = given
                .iter()
                .map(|&part| self.variable(root, part))
                .collect();
            let pred = self.entry(root);
            return Some(Atom { pred, args });
        }
        let pred = self.point(root, start);
        let given = self.encoding.interfaces[root].given.clone();
        let parts = self.encoding.lives[root].at(start);
        let mut args: Vec<Term> = given.iter().map(|&part| self.given(root, part)).collect();
        args.extend(parts.iter().map(|&part| self.variable(root, part)));
        Some(Atom { pred, args })
    }

    /// The atom at the end of a block, in terms of the variables at its beginning.
    fn at_end(
        &mut self,
        root: usize,
        start: usize,
        node: usize,
        values: &FxHashMap<PartId, Term>,
    ) -> Atom {
        let cfa = &self.encoding.flow.roots[root].cfa;
        let is_exit = node == cfa.exit && self.encoding.flow.roots[root].func != self.program.start;
        let parts = if is_exit {
            self.encoding.interfaces[root].left.clone()
        } else {
            self.encoding.lives[root].at(node)
        };
        let pred = if is_exit {
            self.exit(root)
        } else {
            self.point(root, node)
        };
        let given = self.encoding.interfaces[root].given.clone();
        // At the entry, what the function was called with is what its variables are.
        let from_entry = start == self.encoding.flow.roots[root].cfa.entry;
        let given_value = |&part: &PartId| {
            if from_entry {
                self.variable(root, part)
            } else {
                self.given(root, part)
            }
        };
        let mut args: Vec<Term> = given.iter().map(given_value).collect();
        let value = |part: &PartId| match values.get(part) {
            Some(&value) => value,
            None => self.variable(root, *part),
        };
        args.extend(parts.iter().map(value));
        Atom { pred, args }
    }

    fn declare(&mut self, name: &str, sorts: &[Sort], info: PredInfo) -> PredId {
        let name = self.unique(name);
        let func = self.t.declare(name, sorts, Sort::BOOL);
        let pred = PredId(u32::try_from(self.encoding.preds.len()).expect("few predicates"));
        self.encoding.system.preds.push(Predicate {
            func,
            span: Span::default(),
        });
        self.encoding.preds.push(info);
        pred
    }

    /// A name that nothing else has.
    fn unique(&mut self, name: &str) -> Symbol {
        let count = self.used.entry(name.to_owned()).or_insert(0);
        *count += 1;
        if *count == 1 {
            self.t.symbol(name)
        } else {
            let name = format!("{name}.{count}");
            self.unique(&name)
        }
    }

    fn sorts(&self, parts: &[PartId]) -> Vec<Sort> {
        let sort = |&part: &PartId| sort_of(self.program, self.memory, &self.arith, part);
        parts.iter().map(sort).collect()
    }

    /// The predicate of a cutpoint.
    fn point(&mut self, root: usize, node: usize) -> PredId {
        if let Some(&pred) = self.points.get(&(root, node)) {
            return pred;
        }
        let given = self.encoding.interfaces[root].given.clone();
        let parts = self.encoding.lives[root].at(node);
        let mut sorts = self.sorts(&given);
        sorts.extend(self.sorts(&parts));
        let point = &self.encoding.flow.roots[root].cfa.nodes[node];
        let name = format!(
            "{}:{}",
            self.program.function(point.func).name,
            point.place.line
        );
        let info = PredInfo::Point {
            root,
            node,
            given: given.len(),
            parts,
        };
        let pred = self.declare(&name, &sorts, info);
        self.points.insert((root, node), pred);
        pred
    }

    fn entry(&mut self, root: usize) -> PredId {
        if let Some(&pred) = self.entries.get(&root) {
            return pred;
        }
        let sorts = self.sorts(&self.encoding.interfaces[root].given.clone());
        let name = format!("{}:entry", self.function_name(root));
        let pred = self.declare(&name, &sorts, PredInfo::Entry { root });
        self.entries.insert(root, pred);
        pred
    }

    fn exit(&mut self, root: usize) -> PredId {
        if let Some(&pred) = self.exits.get(&root) {
            return pred;
        }
        let interface = self.encoding.interfaces[root].clone();
        let mut sorts = self.sorts(&interface.given);
        sorts.extend(self.sorts(&interface.left));
        let name = format!("{}:exit", self.function_name(root));
        let pred = self.declare(&name, &sorts, PredInfo::Exit { root });
        self.exits.insert(root, pred);
        pred
    }

    fn function_name(&self, root: usize) -> Rc<str> {
        self.program
            .function(self.encoding.flow.roots[root].func)
            .name
            .clone()
    }

    /// The clauses of a call: the callee is entered, and comes back.
    fn call(&mut self, root: usize, at: usize, f: FuncId, arguments: &[Argument]) {
        let Some(callee) = self.encoding.flow.root_of(f) else {
            return;
        };
        let (from, to) = {
            let edge = &self.encoding.flow.roots[root].cfa.edges[at];
            (edge.from.0, edge.to.0)
        };
        let Some(body) = self.at_start(root, from) else {
            return;
        };
        let interface = self.encoding.interfaces[callee].clone();
        let called = self.arguments(root, from, at, f, arguments, &interface);
        let line = self.encoding.flow.roots[root].cfa.edges[at].place.line;
        let caller = self.function_name(root);
        let name = format!("{caller}:{line} calls {}", self.function_name(callee));
        let (given, condition) = match called {
            Ok(called) => called,
            Err(what) => {
                if self.encoding.options.check_unsupported {
                    let end = End::Unsupported(at, what);
                    let info = ClauseInfo::Block { root, from, end };
                    self.clause(root, vec![body], Term::TRUE, None, name, info);
                }
                return;
            }
        };
        let entry = Atom {
            pred: self.entry(callee),
            args: given.clone(),
        };
        let info = ClauseInfo::Enter;
        self.clause(
            root,
            vec![body.clone()],
            condition,
            Some(entry),
            name.clone(),
            info,
        );
        // What the callee leaves is new.
        let mut values: FxHashMap<PartId, Term> = FxHashMap::default();
        for &part in &interface.left {
            let sort = sort_of(self.program, self.memory, &self.arith, part);
            let var = self.t.var(
                &format!("{}@out", self.encoding.names[callee].of_part(part)),
                sort,
            );
            values.insert(part, var);
        }
        let mut args = given;
        args.extend(interface.left.iter().map(|part| values[part]));
        let exit = Atom {
            pred: self.exit(callee),
            args,
        };
        let head = self.at_end(root, from, to, &values);
        let info = ClauseInfo::Return;
        let name = format!("{name}: back");
        self.clause(root, vec![body, exit], condition, Some(head), name, info);
    }

    /// What a callee is called with, and under which condition.
    fn arguments(
        &self,
        root: usize,
        from: usize,
        at: usize,
        f: FuncId,
        arguments: &[Argument],
        interface: &Interface,
    ) -> Result<(Vec<Term>, Term), Rc<str>> {
        let initial = |part: PartId| self.initial(root, from, part);
        let env = Env::new(&initial);
        let mut inputs = Vec::new();
        let mut scope = Scope {
            program: self.program,
            memory: self.memory,
            arith: &self.arith,
            env: &env,
            edge: at,
            conditions: Vec::new(),
            facts: Vec::new(),
            inputs: &mut inputs,
            notes: Vec::new(),
        };
        let mut values: FxHashMap<PartId, Term> = FxHashMap::default();
        for (place, e) in passed(self.program, f, arguments) {
            let Some(part) = part_of_place(self.memory, self.program, &place) else {
                continue;
            };
            if interface.given.contains(&part) {
                let value = scope.value(&e)?;
                let own = self.memory.parts[part.0].ty;
                values.insert(part, self.arith.convert(value, e.ty, own).term);
            }
        }
        let condition = self.t.and(
            scope
                .conditions
                .iter()
                .copied()
                .chain(scope.facts.iter().map(|fact| fact.1)),
        );
        self.arith.take_wraps();
        self.arith.take_overflows();
        let given = interface.given.iter().map(|part| match values.get(part) {
            Some(&value) => value,
            None => initial(*part),
        });
        Ok((given.collect(), condition))
    }

    fn clause_name(&self, root: usize, start: usize, end: &End) -> String {
        let cfa = &self.encoding.flow.roots[root].cfa;
        let from = &cfa.nodes[start];
        let function = &self.program.function(from.func).name;
        let line = from.place.line;
        let from = if start == cfa.entry {
            format!("{function}:start")
        } else {
            format!("{function}:{line}")
        };
        match end {
            End::Cut(node) if *node == cfa.exit => format!("{from} to the end"),
            End::Cut(node) => format!("{from} to {}", cfa.nodes[*node].place.line),
            End::Error(edge) => format!("{from} to the error at {}", cfa.edges[*edge].place.line),
            End::Unsupported(edge, _) => {
                format!(
                    "{from} to what is not supported at {}",
                    cfa.edges[*edge].place.line
                )
            }
            End::Wraps(edge) => {
                format!("{from} to a wrap-around at {}", cfa.edges[*edge].place.line)
            }
        }
    }

    fn clause(
        &mut self,
        root: usize,
        body: Vec<Atom>,
        constraint: Term,
        head: Option<Atom>,
        name: String,
        info: ClauseInfo,
    ) {
        let name = self.unique(&name);
        let mut clause = Clause {
            vars: Vec::new(),
            body,
            constraint,
            head,
            origin: Origin {
                name: Some(name),
                span: Span::new(
                    u32::try_from(self.encoding.clauses.len()).expect("few clauses"),
                    0,
                ),
            },
        };
        clause.vars = clause.occurring_vars(self.t);
        let ranges = self.type_ranges(root, &clause.vars);
        clause.constraint = self.t.and([clause.constraint, ranges]);
        self.encoding.system.clauses.push(clause);
        self.encoding.clauses.push(info);
    }

    /// What the types of variables say of them: all that is in memory is in the range of its type, where operations are exact. Signed
    /// numbers are left alone where they are unbounded.
    fn type_ranges(&self, root: usize, vars: &[Term]) -> Term {
        let mode = self.encoding.options.ints;
        if mode == IntMode::BitVector {
            return Term::TRUE;
        }
        let ranges = vars.iter().filter_map(|&var| {
            let name = self.t.name(self.t.as_var(var)?);
            let part = self.encoding.names[root].part_of(name)?;
            let info = &self.memory.parts[part.0];
            if info.array {
                return None;
            }
            match (mode, info.ty.signed) {
                (IntMode::Wrap, _) => Some(self.arith.in_range(var, info.ty)),
                (_, false) if info.ty.boolean || info.ty.bits < 32 => {
                    Some(self.arith.in_range(var, info.ty))
                }
                (_, false) => Some(self.t.le(self.arith.int(0), var)),
                _ => None,
            }
        });
        self.t.and(ranges)
    }
}

/// The value of a variable at the beginning of a block: at the beginning of the program, new memory has its first address, and zeros where
/// it is all of `calloc`.
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
