//! The automata that are encoded: calls are replaced by the bodies of functions, as far as a budget
//! goes; what cannot lead to an error is left out.
//!
//! A recursive or large function keeps an automaton. Its calls are encoded by an entry and a
//! summary.

use super::float::passed_as;
use super::graph;
use super::ir::{Argument, Callee, Cfa, Edge, Expr, ExprKind, FuncId, Instr, Lvalue, NodeId};
use super::memory::{Calls, Memory};
use super::program::{Program, scalar_pairs};
use super::source::Place;
use super::types::{CType, IntType};
use rustc_hash::{FxHashMap, FxHashSet};

/// An automaton with the functions that it is the text of.
#[derive(Debug)]
pub(crate) struct Root {
    pub(crate) func: FuncId,
    pub(crate) cfa: Cfa,
    /// The function itself and those put into it.
    pub(crate) members: FxHashSet<FuncId>,
}

/// The automata of a program: the first is that of its start.
#[derive(Debug)]
pub(crate) struct Flow {
    pub(crate) roots: Vec<Root>,
}

impl Flow {
    /// Inlines functions until the program has `budget` steps.
    pub(crate) fn of(program: &Program, memory: &Memory, budget: usize) -> Self {
        let calls = Calls::of(program, &memory.points_to);
        let separate = separate(program, memory, &calls, budget);
        let mut roots = Vec::new();
        let mut open = vec![program.start];
        let mut seen = FxHashSet::default();
        while let Some(func) = open.pop() {
            if !seen.insert(func) {
                continue;
            }
            let mut inliner = Inliner {
                program,
                memory,
                separate: &separate,
                cfa: Cfa::default(),
                members: FxHashSet::default(),
                called: Vec::new(),
            };
            let place = program
                .function(func)
                .cfa
                .as_ref()
                .map(|cfa| cfa.nodes[0].place.clone());
            let Some(place) = place else { continue };
            let entry = inliner.cfa.add_node(place.clone(), func);
            let exit = inliner.cfa.add_node(place.clone(), func);
            inliner.cfa.entry = entry.0;
            inliner.cfa.exit = exit.0;
            // Nothing leads to the entry, and nothing leaves the exit.
            let (first, last) = (inliner.node(entry, &place), inliner.node(entry, &place));
            inliner.edge(entry, first, Instr::Skip, &place);
            inliner.edge(last, exit, Instr::Skip, &place);
            inliner.put(func, first, last);
            debug_assert!(inliner.cfa.is_valid(), "edges lead between points");
            open.append(&mut inliner.called);
            roots.push(Root {
                func,
                cfa: inliner.cfa,
                members: inliner.members,
            });
        }
        let mut flow = Flow { roots };
        flow.prune();
        debug_assert!(
            flow.ends_are_free(),
            "nothing leads to an entry, and nothing leaves an exit"
        );
        flow
    }

    /// Does no edge lead to the entry of an automaton, and none leave its exit?
    fn ends_are_free(&self) -> bool {
        let is_free = |cfa: &Cfa, edge: &Edge| edge.to.0 != cfa.entry && edge.from.0 != cfa.exit;
        let mut roots = self.roots.iter();
        roots.all(|root| root.cfa.edges.iter().all(|edge| is_free(&root.cfa, edge)))
    }

    /// Leaves out points that cannot be reached, and those from which no error can be reached.
    fn prune(&mut self) {
        // The functions that may fail: by an error inside, or by calling one that may.
        let mut failing: FxHashSet<FuncId> = FxHashSet::default();
        for root in &mut self.roots {
            let reached = graph::forward(&root.cfa);
            root.cfa.edges.retain(|edge| reached[edge.from.0]);
        }
        loop {
            let before = failing.len();
            for root in &self.roots {
                if root.cfa.edges.iter().any(|edge| is_bad(edge, &failing)) {
                    failing.insert(root.func);
                }
            }
            if failing.len() == before {
                break;
            }
        }
        for (at, root) in self.roots.iter_mut().enumerate() {
            let bad = root.cfa.edges.iter().filter(|edge| is_bad(edge, &failing));
            let mut ends: Vec<usize> = bad.map(|edge| edge.from.0).collect();
            // The end of a function matters to its callers.
            if at > 0 {
                ends.push(root.cfa.exit);
            }
            let useful = graph::backward(&root.cfa, ends);
            root.cfa.edges.retain(|edge| {
                useful[edge.from.0] && (useful[edge.to.0] || is_bad(edge, &failing))
            });
        }
    }

    /// The automaton of a function; `None` if the function is inlined everywhere.
    pub(crate) fn root_of(&self, func: FuncId) -> Option<usize> {
        self.roots.iter().position(|root| root.func == func)
    }
}

/// Does this step end in an error, or may it?
fn is_bad(edge: &Edge, failing: &FxHashSet<FuncId>) -> bool {
    match &edge.instr {
        Instr::Error(_) | Instr::Unsupported(_) => true,
        Instr::Call(Callee::Function(f), ..) => failing.contains(f),
        _ => false,
    }
}

/// The functions that keep automata.
fn separate(program: &Program, memory: &Memory, calls: &Calls, budget: usize) -> FxHashSet<FuncId> {
    let recursive = (0..program.functions.len()).filter(|&f| memory.recursive[f]);
    let mut separate: FxHashSet<FuncId> = recursive.map(FuncId).collect();
    loop {
        let (sizes, sites) = sizes(program, calls, &separate);
        if sizes[program.start.0] <= budget {
            return separate;
        }
        // What saves most: all but one of the copies.
        let saved = |f: usize| sizes[f].saturating_mul(sites[f].saturating_sub(1));
        let best = (0..sizes.len())
            .filter(|&f| !separate.contains(&FuncId(f)) && FuncId(f) != program.start)
            .max_by_key(|&f| saved(f));
        match best {
            Some(f) if saved(f) > 0 => drop(separate.insert(FuncId(f))),
            _ => return separate,
        }
    }
}

/// For each function, the number of its steps with those of what is put into it, and of the copies
/// that are made of it for the start.
fn sizes(
    program: &Program,
    calls: &Calls,
    separate: &FxHashSet<FuncId>,
) -> (Vec<usize>, Vec<usize>) {
    let count = program.functions.len();
    // Callees before callers: there are no cycles without separate functions.
    let (mut order, mut state) = (Vec::new(), vec![0_u8; count]);
    for root in 0..count {
        let mut path = vec![(root, 0)];
        while let Some((f, at)) = path.pop() {
            if at == 0 && std::mem::replace(&mut state[f], 1) != 0 {
                continue;
            }
            if let Some(&(g, _)) = calls.of[f].get(at) {
                path.push((f, at + 1));
                if state[g.0] == 0 && !separate.contains(&g) {
                    path.push((g.0, 0));
                }
            } else {
                order.push(f);
            }
        }
    }
    let mut sizes = vec![0_usize; count];
    for &f in &order {
        let own = program.functions[f]
            .cfa
            .as_ref()
            .map_or(0, |cfa| cfa.edges.len());
        let inner = calls.of[f].iter().filter(|(g, _)| !separate.contains(g));
        sizes[f] = inner.fold(own, |sum, (g, _)| sum.saturating_add(sizes[g.0] + 2));
    }
    let mut sites = vec![0_usize; count];
    for &f in order.iter().rev() {
        let copies = if f == program.start.0 || separate.contains(&FuncId(f)) {
            1
        } else {
            sites[f]
        };
        for (g, _) in &calls.of[f] {
            if !separate.contains(g) {
                sites[g.0] = sites[g.0].saturating_add(copies);
            }
        }
    }
    (sizes, sites)
}

struct Inliner<'a> {
    program: &'a Program,
    memory: &'a Memory,
    separate: &'a FxHashSet<FuncId>,
    cfa: Cfa,
    members: FxHashSet<FuncId>,
    /// The functions with automata that are called.
    called: Vec<FuncId>,
}

impl Inliner<'_> {
    /// The body of a function between two points.
    fn put(&mut self, func: FuncId, entry: NodeId, exit: NodeId) {
        let program = self.program;
        self.members.insert(func);
        let Some(body) = &program.function(func).cfa else {
            return;
        };
        let mut map: FxHashMap<usize, NodeId> = FxHashMap::default();
        map.insert(body.entry, entry);
        map.insert(body.exit, exit);
        self.cfa.nodes[entry.0].func = func;
        for edge in &body.edges {
            for at in [edge.from.0, edge.to.0] {
                let cfa = &mut self.cfa;
                map.entry(at).or_insert_with(|| {
                    let node = &body.nodes[at];
                    let new = cfa.add_node(node.place.clone(), func);
                    cfa.nodes[new.0].loop_head = node.loop_head;
                    cfa.nodes[new.0].claim = node.claim;
                    cfa.nodes[new.0].scope.clone_from(&node.scope);
                    new
                });
            }
        }
        for edge in &body.edges {
            let (from, to) = (map[&edge.from.0], map[&edge.to.0]);
            match &edge.instr {
                Instr::Call(callee, arguments, result) => {
                    self.call(callee, arguments, result.as_ref(), from, to, &edge.place);
                }
                instr => self.edge(from, to, instr.clone(), &edge.place),
            }
        }
    }

    fn edge(&mut self, from: NodeId, to: NodeId, instr: Instr, place: &Place) {
        self.cfa.edges.push(Edge {
            from,
            to,
            instr,
            place: place.clone(),
        });
    }

    fn node(&mut self, near: NodeId, place: &Place) -> NodeId {
        let func = self.cfa.nodes[near.0].func;
        self.cfa.add_node(place.clone(), func)
    }

    /// A call between two points: of the one function, or of each that a pointer may point to.
    fn call(
        &mut self,
        callee: &Callee,
        arguments: &[Argument],
        result: Option<&Lvalue>,
        from: NodeId,
        to: NodeId,
        place: &Place,
    ) {
        let pointer = match callee {
            Callee::Function(f) => return self.call_one(*f, arguments, from, to, place),
            Callee::Pointer(e) => e,
        };
        let candidates = self.memory.points_to.callees(self.program, callee);
        let mut from = from;
        for f in candidates {
            let function = self.program.function(f);
            if function.cfa.is_none() {
                continue;
            }
            let (chosen, other, returned) = (
                self.node(from, place),
                self.node(from, place),
                self.node(from, place),
            );
            let test = same_function(pointer, f);
            self.edge(from, chosen, Instr::Assume(test.clone(), true), place);
            self.edge(from, other, Instr::Assume(test, false), place);
            self.call_one(f, arguments, chosen, returned, place);
            let last = match (result, function.result) {
                (Some(wanted), Some(given)) => {
                    let given = Lvalue::of(given, self.program.object(given).ty.clone());
                    self.copy(returned, wanted, &given, place)
                }
                _ => returned,
            };
            self.edge(last, to, Instr::Skip, place);
            from = other;
        }
        let what = "a call by a pointer to a function that is not known";
        self.edge(from, to, Instr::Unsupported(what.into()), place);
    }

    fn call_one(
        &mut self,
        f: FuncId,
        arguments: &[Argument],
        from: NodeId,
        to: NodeId,
        place: &Place,
    ) {
        if self.program.function(f).cfa.is_none() {
            let what = format!(
                "a call of `{}`, which has no body",
                self.program.function(f).name
            );
            return self.edge(from, to, Instr::Unsupported(what.into()), place);
        }
        if self.separate.contains(&f) {
            self.called.push(f);
            let call = Instr::Call(Callee::Function(f), arguments.to_vec(), None);
            return self.edge(from, to, call, place);
        }
        let mut at = from;
        let params = self.program.function(f).params.clone();
        for (param, argument) in params.iter().zip(arguments) {
            let target = Lvalue::of(*param, self.program.object(*param).ty.clone());
            at = match argument {
                Argument::Scalar(e) => {
                    let next = self.node(at, place);
                    let e = passed_as(e.clone(), target.ty.scalar(self.program.model));
                    self.edge(at, next, Instr::Assign(target, e), place);
                    next
                }
                Argument::Struct(source) => self.copy(at, &target, source, place),
            };
        }
        let entry = self.node(at, place);
        self.edge(at, entry, Instr::Enter(f), place);
        let exit = self.node(at, place);
        self.put(f, entry, exit);
        self.edge(exit, to, Instr::Leave(f), place);
    }

    /// Copies a value, scalar by scalar; answers where that ends.
    fn copy(&mut self, from: NodeId, to: &Lvalue, source: &Lvalue, place: &Place) -> NodeId {
        let mut at = from;
        for (to, source) in scalar_pairs(self.program, to, source) {
            let next = self.node(at, place);
            let instr = match to.ty.scalar(self.program.model) {
                Some(ty) if !matches!(to.ty, CType::Array(..)) => {
                    let kind = ExprKind::Load(Box::new(source));
                    Instr::Assign(to, Expr { kind, ty })
                }
                _ => Instr::Unsupported(
                    "a structure with long arrays, or floating point, as a value".into(),
                ),
            };
            self.edge(at, next, instr, place);
            at = next;
        }
        at
    }
}

/// Is this pointer that of the function?
fn same_function(pointer: &Expr, f: FuncId) -> Expr {
    let function = Expr {
        kind: ExprKind::Function(f),
        ty: pointer.ty,
    };
    Expr {
        kind: ExprKind::Binary(
            super::ir::Binary::Eq,
            Box::new(pointer.clone()),
            Box::new(function),
        ),
        ty: IntType::INT,
    }
}
