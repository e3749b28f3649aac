//! Paths to `false`, step by step backwards, in one solver.
//!
//! At each distance `d` a path is at one predicate: for each `p` that can be there, `on_{d,p}` says that it is, and `x_{d,p}` are
//! its arguments. For the rules `r` that derive `p`, with premise `q` or without:
//!
//! ```text
//! Step(d)    on_{d,p} ⇒ ⋁ use_r       use_r ⇒ constraint_r(x_{d+1,q}, x_{d,p}) ∧ on_{d+1,q}
//! Start(d)   on_{d,p} ⇒ ⋁ use_r       use_r ⇒ constraint_r(x_{d,p})
//! Good(d)    on_{d,p} ⇒ ¬constraint_r(x_{d,p})      for queries r with premise p
//! Known(d)   on_{d,p} ⇒ what is known to hold of everything derivable
//! ```
//!
//! `Start` is assumed where the path starts, `Good` in the questions for induction; the others are asserted.

use super::super::rules::{RuleId, RuleSystem};
use crate::chc::{Fact, FactId, PredId, Refutation};
use crate::engine::Context;
use crate::smt::{Failure, Solver};
use crate::term::{Sort, Term, TermSet, Terms, Value};

/// A predicate at a distance.
pub(super) struct Node {
    pub(super) pred: PredId,
    /// Is the path there?
    pub(super) on: Term,
    /// The arguments.
    pub(super) args: Vec<Term>,
    /// The rules with a premise that may derive it, once the path is longer.
    steps: Vec<Use>,
    /// The rules without, once it has been asked whether the path starts here.
    starts: Vec<Use>,
}

/// A rule that may derive a node.
struct Use {
    rule: RuleId,
    /// Does it?
    active: Term,
    clause_vars: Vec<Term>,
}

/// What is said of the predicates at one distance.
#[derive(Default)]
pub(super) struct Level {
    pub(super) nodes: Vec<Node>,
    /// *Step*, once the path is longer.
    pub(super) step: Vec<Term>,
    /// *Start*, without the assumption.
    pub(super) start: Vec<Term>,
    /// *Good*, without the assumption.
    pub(super) good: Vec<Term>,
    /// *Known*.
    pub(super) known: Vec<Term>,
}

pub(super) struct Unrolling<'a, 't> {
    t: &'t Terms,
    pub(super) rules: &'a RuleSystem,
    pub(super) solver: Box<dyn Solver + 't>,
    /// By distance.
    pub(super) levels: Vec<Level>,
    /// What is assumed for *Good* at all distances.
    pub(super) good: Term,
    /// By predicate, over its parameters: what is known, and what makes it good.
    pub(super) known: Vec<Term>,
    no_query: Vec<Term>,
}

impl<'a, 't> Unrolling<'a, 't> {
    pub(super) fn new(rules: &'a RuleSystem, context: &Context<'t>) -> Self {
        let t = context.terms;
        let mut solver = context.backend.solver(t, "kind");
        solver.set_limit(context.limit.clone());
        let mut known = vec![Term::TRUE; rules.params.len()];
        for (pred, formula) in context
            .invariants
            .map_or(Vec::new(), |model| rules.formulas(t, model))
        {
            known[pred.index()] = formula;
        }
        let on = t.fresh_var("on", Sort::BOOL);
        solver.assert(on);
        let root = Node {
            pred: rules.goal,
            on,
            args: Vec::new(),
            steps: Vec::new(),
            starts: Vec::new(),
        };
        Unrolling {
            t,
            rules,
            solver,
            levels: vec![Level {
                nodes: vec![root],
                ..Level::default()
            }],
            good: t.fresh_var("good", Sort::BOOL),
            known,
            no_query: rules.pred_ids().map(|p| good(t, rules, p)).collect(),
        }
    }

    /// The distance of the first state.
    pub(super) fn length(&self) -> u32 {
        u32::try_from(self.levels.len() - 1).expect("few levels")
    }

    /// An assumption that says *Start* of the first state.
    pub(super) fn start(&mut self) -> Term {
        let (t, rules) = (self.t, self.rules);
        let assumption = t.fresh_var("start", Sort::BOOL);
        let level = self.levels.last_mut().expect("there is a level");
        for node in &mut level.nodes {
            let (says, uses) = derivations(t, rules, node, |id| {
                rules.rule(id).is_fact().then_some((Term::TRUE, Vec::new()))
            });
            node.starts = uses;
            level.start.extend(says);
        }
        let says = t.and(level.start.iter().copied());
        self.solver.assert(t.implies(assumption, says));
        assumption
    }

    /// Makes the path one step longer.
    pub(super) fn expand(&mut self) {
        let (t, rules) = (self.t, self.rules);
        let distance = self.levels.len();
        let level = self.levels.last_mut().expect("there is a level");
        let mut before = Level::default();
        for node in &mut level.nodes {
            let (says, uses) = derivations(t, rules, node, |id| {
                let premise = rules.rule(id).body.first()?;
                let node = before.node(t, rules, premise.pred);
                Some((node.on, node.args.clone()))
            });
            node.steps = uses;
            level.step.extend(says);
        }
        self.solver.assert(t.and(level.step.iter().copied()));
        for node in &before.nodes {
            let params = &rules.params[node.pred.index()];
            let say = |formula: Term| {
                let renaming = params.iter().copied().zip(node.args.iter().copied());
                t.implies(node.on, t.substitute(formula, renaming))
            };
            if distance > 1 {
                before.good.push(say(self.no_query[node.pred.index()]));
            }
            before.known.push(say(self.known[node.pred.index()]));
        }
        self.solver.assert(t.and(before.known.iter().copied()));
        let good = t.and(before.good.iter().copied());
        self.solver.assert(t.implies(self.good, good));
        self.levels.push(before);
    }

    /// The path in the solver's model, from the fact where it starts. It is followed from `false`: what else is on in the model need not
    /// lead there.
    pub(super) fn refutation(&mut self) -> Result<Refutation, Failure> {
        let mut path = Vec::new();
        let mut pred = self.rules.goal;
        for (distance, level) in self.levels.iter().enumerate() {
            let node = level.nodes.iter().find(|node| node.pred == pred);
            let node = node.ok_or_else(gap)?;
            let first = distance + 1 == self.levels.len();
            let uses = if first { &node.starts } else { &node.steps };
            let flags: Vec<Term> = uses.iter().map(|u| u.active).collect();
            let active = self.solver.values(&flags)?;
            let active = active.iter().position(|v| *v == Value::Bool(true));
            let used = &uses[active.ok_or_else(gap)?];
            path.push((used.rule, self.solver.values(&used.clause_vars)?));
            if let Some(premise) = self.rules.rule(used.rule).body.first() {
                pred = premise.pred;
            }
        }
        let facts = (0..).zip(path.into_iter().rev());
        let fact = |(i, (rule, values)): (u32, (RuleId, Vec<Value>))| Fact {
            clause: rule.clause(),
            values,
            premises: i.checked_sub(1).map(FactId).into_iter().collect(),
        };
        Ok(Refutation {
            facts: facts.map(fact).collect(),
        })
    }
}

impl Level {
    /// The node of a predicate, which may be new.
    fn node(&mut self, t: &Terms, rules: &RuleSystem, pred: PredId) -> &Node {
        let index = match self.nodes.iter().position(|n| n.pred == pred) {
            Some(index) => index,
            None => {
                let params = &rules.params[pred.index()];
                self.nodes.push(Node {
                    pred,
                    on: t.fresh_var("on", Sort::BOOL),
                    args: (params.iter())
                        .map(|&p| t.fresh_var("x", t.sort_of(p)))
                        .collect(),
                    steps: Vec::new(),
                    starts: Vec::new(),
                });
                self.nodes.len() - 1
            }
        };
        &self.nodes[index]
    }
}

/// What it says that a node is derived by one of its rules, those to which `premise` gives one: whether it is on the path, and its
/// arguments; none for a fact.
fn derivations(
    t: &Terms,
    rules: &RuleSystem,
    node: &Node,
    mut premise: impl FnMut(RuleId) -> Option<(Term, Vec<Term>)>,
) -> (Vec<Term>, Vec<Use>) {
    let premises: Vec<_> = (rules.by_head[node.pred.index()].iter())
        .filter_map(|&id| Some((id, premise(id)?)))
        .collect();
    let (mut says, mut uses) = (Vec::new(), Vec::new());
    for (rule, (on, args)) in &premises {
        // A single rule is used wherever the node is on the path.
        let active = match premises.len() {
            1 => node.on,
            _ => t.fresh_var("use", Sort::BOOL),
        };
        let body = [args.as_slice()];
        let body = &body[..rules.rule(*rule).body.len()];
        let unrolled = rules.unroll(t, *rule, &node.args, body);
        says.push(t.implies(active, t.and([*on, unrolled.constraint])));
        uses.push(Use {
            rule: *rule,
            active,
            clause_vars: unrolled.clause_vars,
        });
    }
    let some = t.or(uses.iter().map(|u| u.active));
    says.push(t.implies(node.on, some));
    (says, uses)
}

/// No query is one step away, over the parameters of a predicate. Queries with other variables are passed over: what is asked of
/// paths is the less, and the answer no less right.
fn good(t: &Terms, rules: &RuleSystem, pred: PredId) -> Term {
    let queries = rules.by_head[rules.goal.index()].iter();
    let said = queries.filter_map(|&id| {
        let rule = rules.rule(id);
        let premise = rule.body.first().filter(|atom| atom.pred == pred)?;
        let args: TermSet = premise.args.iter().copied().collect();
        let own = t.vars([rule.constraint]).iter().all(|v| args.contains(v));
        own.then(|| t.not(rules.over_params(t, &[rule.constraint], premise)[0]))
    });
    t.and(said)
}

fn gap() -> Failure {
    Failure::Broken("a model in which a path has a gap".to_owned())
}
