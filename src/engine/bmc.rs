//! Bounded model checking \[BCCZ99\]: asks a solver for a derivation of `false`, height by height.
//!
//! A derivation is a tree. Its unrolling consists of *threads*. The first premise of a rule
//! continues the thread of the conclusion one step down; each other premise starts a new thread. A
//! thread is at one predicate at each depth. A linear system therefore unrolls into one thread,
//! with size linear in the height. A non-linear system can double with each step, and the engine
//! gives up when the unrolling gets too large.
//!
//! For a node `n = (thread, depth, predicate)` with parameters `xₙ`, for each rule `r` that derives
//! the predicate:
//!
//! ```text
//! on_n ⇒ ⋁ use_{r,n}
//! use_{r,n} ⇒ constraint_r(xₙ) ∧ ⋀ (on_c ∧ x_c = argsᵢ)     c: the child for premise i
//! stop_depth ⇒ ¬use_{r,n}  for rules with premises
//! ```
//!
//! DIVERGENCE: the paper unrolls forwards from the initial states of a transition system. Here the
//! unrolling grows backwards from `false`, so that it also covers rules with several premises, and
//! one solver context serves all heights.

use super::option::{UNLIMITED, declare_options};
use super::rules::{RuleId, RuleSystem, Unrolled};
use super::{Context, Progress, Share};
use crate::chc::{Answer, Fact, FactId, PredId, Refutation, System, Unknown, UnknownReason};
use crate::smt::{Failure, Outcome, Solver};
use crate::term::{Sort, Term, Terms, Value};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

declare_options! {
    /// Options of bounded model checking.
    pub struct Options {
        /// Give up beyond this height of derivations.
        max_depth: u32 = UNLIMITED;
        /// Give up when the unrolling has more than this many nodes.
        max_nodes: u32 = 200000;
    }
}

/// Looks for a refutation; never answers `sat`.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    let rules = RuleSystem::new(context.terms, system);
    let mut unrolling = Unrolling::new(&rules, context);
    let result = unrolling.run(options);
    unrolling.report();
    let reason = match result {
        Ok(Ok(refutation)) => return Answer::Unsat(refutation),
        Ok(Err(reason)) => reason,
        Err(failure) => failure.into(),
    };
    Answer::Unknown(Unknown {
        reason,
        safe_depth: unrolling.safe_depth,
        invariants: None,
    })
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct NodeId(u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Thread(u32);

/// One conclusion that the derivation may contain.
struct Node {
    thread: Thread,
    /// Is it part of the derivation?
    on: Term,
    /// The predicate's arguments.
    args: Vec<Term>,
    uses: Vec<Use>,
}

/// A rule that may derive a node.
struct Use {
    rule: RuleId,
    /// Is it the one that does?
    active: Term,
    /// Values for the clause's variables.
    clause_vars: Vec<Term>,
    /// The nodes that derive the premises, once the node is expanded.
    children: Vec<NodeId>,
}

struct Unrolling<'a, 't> {
    t: &'t Terms,
    rules: &'a RuleSystem,
    context: Context<'t>,
    solver: Box<dyn Solver + 't>,
    nodes: Vec<Node>,
    threads: u32,
    /// The nodes of the lowest depth, whose premises are not unrolled yet.
    frontier: Vec<NodeId>,
    /// Assumed: the nodes of the frontier use no rules with premises.
    stop: Term,
    depth: u32,
    queries: u64,
    /// The time that they took.
    query_time: Duration,
    safe_depth: Option<u32>,
}

impl<'a, 't> Unrolling<'a, 't> {
    fn new(rules: &'a RuleSystem, context: &Context<'t>) -> Self {
        let t = context.terms;
        let mut solver = context.backend.solver(t, "bmc");
        solver.set_limit(context.limit.clone());
        let mut unrolling = Unrolling {
            t,
            rules,
            context: context.clone(),
            solver,
            nodes: Vec::new(),
            threads: 1,
            frontier: Vec::new(),
            stop: t.fresh_var("stop", Sort::BOOL),
            depth: 1,
            queries: 0,
            query_time: Duration::ZERO,
            safe_depth: None,
        };
        let root = unrolling.node(Thread(0), rules.goal);
        let on = unrolling.nodes[root.0 as usize].on;
        unrolling.solver.assert(on);
        unrolling
    }

    /// Unrolls until a refutation is found, or a reason to give up.
    fn run(&mut self, options: &Options) -> Result<Result<Refutation, UnknownReason>, Failure> {
        while self.depth <= options.max_depth {
            self.context.limit.check()?;
            self.report();
            self.queries += 1;
            // derivations of false of height `depth`
            let about = format_args!("has false a derivation of height {}", self.depth);
            let asked = Instant::now();
            let outcome = self.solver.check(about, &[self.stop]);
            self.query_time += asked.elapsed();
            match outcome {
                Outcome::Sat => return self.refutation().map(Ok),
                Outcome::Unsat => self.safe_depth = Some(self.depth),
                Outcome::Unknown(failure) => return Err(failure),
            }
            if self.solver.core()?.is_empty() {
                let what = "false has no derivation of any height, but no model was looked for";
                return Ok(Err(UnknownReason::Incomplete(what.to_owned())));
            }
            self.expand();
            if self.nodes.len() > options.max_nodes as usize {
                return Ok(Err(UnknownReason::Incomplete(
                    "the unrolling is too large".to_owned(),
                )));
            }
        }
        Ok(Err(UnknownReason::Incomplete(
            "the limit on the depth (option max-depth) is reached".to_owned(),
        )))
    }

    /// A node of the frontier.
    fn node(&mut self, thread: Thread, pred: PredId) -> NodeId {
        let t = self.t;
        let id = NodeId(u32::try_from(self.nodes.len()).expect("the number of nodes is bounded"));
        let on = t.fresh_var("on", Sort::BOOL);
        let params = &self.rules.params[pred.index()];
        let args: Vec<Term> = params
            .iter()
            .map(|&p| t.fresh_var("x", t.sort_of(p)))
            .collect();
        let mut uses = Vec::new();
        for &rule in &self.rules.by_head[pred.index()] {
            let active = t.fresh_var("use", Sort::BOOL);
            if !self.rules.rule(rule).is_fact() {
                self.solver.assert(t.or([t.not(self.stop), t.not(active)]));
            }
            uses.push(Use {
                rule,
                active,
                clause_vars: Vec::new(),
                children: Vec::new(),
            });
        }
        let some = t.or(uses.iter().map(|u| u.active));
        self.solver.assert(t.implies(on, some));
        self.nodes.push(Node {
            thread,
            on,
            args,
            uses,
        });
        self.frontier.push(id);
        // Rules without premises are complete at once.
        for i in 0..self.nodes[id.0 as usize].uses.len() {
            if self
                .rules
                .rule(self.nodes[id.0 as usize].uses[i].rule)
                .is_fact()
            {
                self.apply(id, i, &mut FxHashMap::default());
            }
        }
        id
    }

    /// Unrolls the premises of the frontier, one step deeper.
    fn expand(&mut self) {
        let t = self.t;
        self.depth += 1;
        self.stop = t.fresh_var("stop", Sort::BOOL);
        let mut below = FxHashMap::default();
        for id in std::mem::take(&mut self.frontier) {
            for i in 0..self.nodes[id.0 as usize].uses.len() {
                let rule = self.nodes[id.0 as usize].uses[i].rule;
                if !self.rules.rule(rule).is_fact() {
                    self.apply(id, i, &mut below);
                }
            }
        }
    }

    /// Says what the use of a rule at a node means, with its children among `below`, the nodes of
    /// the next depth.
    fn apply(
        &mut self,
        id: NodeId,
        index: usize,
        below: &mut FxHashMap<(Thread, usize, PredId), NodeId>,
    ) {
        let t = self.t;
        let node = &self.nodes[id.0 as usize];
        let (thread, active) = (node.thread, node.uses[index].active);
        let (rule, rules) = (node.uses[index].rule, self.rules);
        let mut facts = Vec::new();
        let mut children = Vec::new();
        for (position, atom) in rules.rule(rule).body.iter().enumerate() {
            let key = (thread, position, atom.pred);
            let child = match below.get(&key) {
                Some(&child) => child,
                None => {
                    let thread = self.thread_of(thread, position, below);
                    let child = self.node(thread, atom.pred);
                    below.insert(key, child);
                    child
                }
            };
            facts.push(self.nodes[child.0 as usize].on);
            children.push(child);
        }
        let body: Vec<&[Term]> = (children.iter())
            .map(|c| self.nodes[c.0 as usize].args.as_slice())
            .collect();
        let Unrolled {
            constraint,
            clause_vars,
        } = rules.unroll(t, rule, &self.nodes[id.0 as usize].args, &body);
        facts.push(constraint);
        self.solver.assert(t.implies(active, t.and(facts)));
        let this = &mut self.nodes[id.0 as usize].uses[index];
        this.children = children;
        this.clause_vars = clause_vars;
    }

    /// The thread of a premise: the first one stays on the thread of the conclusion.
    fn thread_of(
        &mut self,
        thread: Thread,
        position: usize,
        below: &FxHashMap<(Thread, usize, PredId), NodeId>,
    ) -> Thread {
        if position == 0 {
            return thread;
        }
        let sibling = below
            .iter()
            .find(|((t, p, _), _)| (*t, *p) == (thread, position));
        match sibling {
            Some((_, node)) => self.nodes[node.0 as usize].thread,
            None => {
                self.threads += 1;
                Thread(self.threads - 1)
            }
        }
    }

    /// The derivation in the solver's model, premises first.
    fn refutation(&mut self) -> Result<Refutation, Failure> {
        let mut refutation = Refutation::default();
        let mut done: FxHashMap<NodeId, FactId> = FxHashMap::default();
        let mut stack = vec![(NodeId(0), self.used(NodeId(0))?)];
        while let Some(&(id, index)) = stack.last() {
            let this = &self.nodes[id.0 as usize].uses[index];
            let missing = this.children.iter().find(|c| !done.contains_key(c));
            if let Some(&child) = missing {
                let used = self.used(child)?;
                stack.push((child, used));
                continue;
            }
            stack.pop();
            let this = &self.nodes[id.0 as usize].uses[index];
            let premises = this.children.iter().map(|c| done[c]).collect();
            let clause = this.rule.clause();
            let values = self.solver.values(&this.clause_vars)?;
            done.insert(
                id,
                FactId(u32::try_from(refutation.facts.len()).expect("few facts")),
            );
            refutation.facts.push(Fact {
                clause,
                values,
                premises,
            });
        }
        Ok(refutation)
    }

    /// The rule that derives a node in the solver's model.
    fn used(&mut self, id: NodeId) -> Result<usize, Failure> {
        let flags: Vec<Term> = self.nodes[id.0 as usize]
            .uses
            .iter()
            .map(|u| u.active)
            .collect();
        let values = self.solver.values(&flags)?;
        values
            .iter()
            .position(|v| *v == Value::Bool(true))
            .ok_or_else(|| Failure::Broken("a model in which no rule derives a premise".to_owned()))
    }

    fn report(&self) {
        (self.context.progress)(&Progress {
            engine: "bmc",
            safe_depth: self.safe_depth,
            depth: self.depth,
            lemmas: 0,
            obligations: self.nodes.len(),
            queries: self.queries,
            shares: vec![Share {
                activity: "unroll",
                queries: self.queries,
                time: self.query_time,
            }],
        });
    }
}
