//! The clauses of automata.

use super::arith::Arith;
use super::block::{Builder, End, State, sort_of};
use super::env::Env;
use super::guard::Guard;
use super::slice::passed;
use super::translate::Scope;
use super::{
    CheckedProperty, ClauseInfo, Encoding, Geometry, Interface, PredInfo, initial_value,
    part_of_place,
};
use crate::cfront::graph;
use crate::cfront::ir::{Argument, Callee, FuncId, Instr};
use crate::cfront::memory::{Memory, PartId};
use crate::cfront::program::Program;
use crate::chc::{Atom, Clause, Origin, PredId, Predicate, Span};
use crate::term::{Sort, Symbol, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The end of a block, its condition, and the values of all variables there.
type Reached = (End, Term, FxHashMap<PartId, Term>);

/// A new variable, and what holds of it.
type Fact = (Term, Term);

/// Makes the clauses of one program.
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
        let cfa = &self.encoding.flow.roots[root].cfa;
        let is_call = |&at: &usize| matches!(cfa.edges[at].instr, Instr::Call(..));
        if geometry.leaving[start].iter().any(is_call) {
            return;
        }
        let body = self.at_start(root, start);
        let (ends, facts) = self.ends(root, start, geometry);
        for (end, guard, values) in ends {
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
            let body = body.clone().into_iter().collect();
            self.clause((root, start), body, constraint, head, name, info);
        }
    }

    /// The ends of the block that begins at a point, with their conditions and the values of all
    /// variables there, and what holds of inputs.
    fn ends(&self, root: usize, start: usize, geometry: &Geometry) -> (Vec<Reached>, Vec<Fact>) {
        let encoding = &self.encoding;
        let initial = |part: PartId| self.initial(root, start, part);
        let live = |node: usize, part: PartId| encoding.lives[root].has(node, part);
        let relevant = |part: PartId| encoding.relevant.contains(&part);
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
            ranges: encoding.ranges[root].as_ref(),
            question: encoding.options.question,
            trace: false,
        };
        let first = State {
            guard: Guard::default(),
            env: Env::new(&initial),
        };
        let block = builder.block(start, first);
        let ends = (block.ends.into_iter())
            .filter(|(end, _)| self.is_asked(end))
            .map(|(end, state)| (end, state.guard.term(self.t), self.values(&state)));
        let possible = ends.filter(|(_, guard, _)| *guard != Term::FALSE).collect();
        (possible, block.facts)
    }

    /// Is this end of a block a clause of the system?
    fn is_asked(&self, end: &End) -> bool {
        let options = &self.encoding.options;
        match end {
            End::Cut(_) | End::Wraps(_) => true,
            End::Error(_) => options.question != CheckedProperty::Overflows,
            End::Unsupported(..) => {
                options.check_unsupported && options.question != CheckedProperty::Overflows
            }
        }
    }

    /// The values of all variables in a state.
    fn values(&self, state: &State<'_>) -> FxHashMap<PartId, Term> {
        let parts = self.encoding.relevant.iter();
        parts.map(|&part| (part, state.env.get(part))).collect()
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
                let end = End::Unsupported(at, what);
                if self.is_asked(&end) {
                    let info = ClauseInfo::Block { root, from, end };
                    self.clause((root, from), vec![body], Term::TRUE, None, name, info);
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
            (root, from),
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
        let body = vec![body, exit];
        self.clause((root, from), body, condition, Some(head), name, info);
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
            ranges: self.encoding.ranges[root]
                .as_ref()
                .map(|ranges| (ranges, from)),
            edge: at,
            in_model: false,
            in_check: false,
            conditions: Vec::new(),
            also: Vec::new(),
            facts: Vec::new(),
            inputs: &mut inputs,
            notes: Vec::new(),
            chosen: Vec::new(),
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
        // Arguments are values of variables; a structure's members may still be where nothing is
        // known.
        if let Some(note) = scope.notes.first() {
            return Err(note.what.clone());
        }
        let condition = self.t.and(
            scope
                .conditions
                .iter()
                .chain(&scope.also)
                .copied()
                .chain(scope.facts.iter().map(|fact| fact.1)),
        );
        self.arith.take_left();
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

    /// A clause about what leads on from a point of an automaton.
    fn clause(
        &mut self,
        point: (usize, usize),
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
        let ranges = self.type_ranges(point, &clause.vars);
        clause.constraint = self.t.and([clause.constraint, ranges]);
        self.encoding.system.clauses.push(clause);
        self.encoding.clauses.push(info);
    }

    /// What the types of variables say of them: all that is in memory is in the range of its type,
    /// where operations are exact. Signed numbers are left alone where they are unbounded. What is
    /// known of them at the point says more.
    fn type_ranges(&self, (root, start): (usize, usize), vars: &[Term]) -> Term {
        if self.arith.bits() {
            return Term::TRUE;
        }
        let ranges = vars.iter().filter_map(|&var| {
            let name = self.t.name(self.t.as_var(var)?);
            let part = self.encoding.names[root].part_of(name)?;
            let info = &self.memory.parts[part.0];
            if info.array {
                return None;
            }
            match (self.arith.ranged || info.ty.float, info.ty.signed) {
                (true, _) => Some(match &self.encoding.ranges[root] {
                    Some(ranges) => {
                        let known = ranges.at(self.memory, start, part);
                        self.arith.between(var, known.lo, known.hi)
                    }
                    None => self.arith.in_range(var, info.ty),
                }),
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

/// Makes the clauses of a program of which all else is known.
pub(super) fn clauses(
    t: &Terms,
    program: &Program,
    memory: &Memory,
    encoding: Encoding,
) -> Encoding {
    let mut encoder = Encoder {
        t,
        program,
        memory,
        arith: encoding.arith(t),
        encoding,
        points: FxHashMap::default(),
        entries: FxHashMap::default(),
        exits: FxHashMap::default(),
        used: FxHashMap::default(),
    };
    for root in 0..encoder.encoding.flow.roots.len() {
        encoder.root(root);
    }
    encoder.encoding.lacks_floats = encoder.arith.lacks_floats.get();
    encoder.encoding
}
