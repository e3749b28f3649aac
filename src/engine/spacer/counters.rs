//! Counters of loops, the paper's τ_B: an under-approximation by the number of iterations of each
//! loop.
//!
//! Each loop of a predicate gives it one more argument: a counter `c` of the iterations to come. A
//! clause that enters the loop sets it to any number `c ≥ 0`; a back edge counts down,
//! `c' = c - 1 ∧ c' ≥ 0`; other clauses inside keep it; a clause that leaves has `c = 0`. So the
//! system derives the original's states with every number of iterations to come. With `c ≤ n` it
//! derives only states that need at most `n` iterations.
//!
//! DIVERGENCE: the paper's bounding variables are constants here. The bounds are separate conjuncts
//! outside of Σ, and so is τ_B itself, as in the paper.
//!
//! HORN: of several premises inside a loop, all have the counter of the conclusion. Nothing is
//! lost: a state that can be derived with some number of iterations can be entered with any larger
//! number.

use crate::chc::{
    Answer, Atom, Clause, Interpretation, Model, PredGraph, PredId, Predicate, Refutation, System,
    UnknownReason,
};
use crate::engine::Context;
use crate::engine::rules::{RuleId, RuleSystem};
use crate::logic::{Valuation, project};
use crate::smt::SatResult;
use crate::term::{Sort, Term, TermSet, Terms};

/// A projection of a lemma is given up after 64 parts. The value was not tuned.
const MOST_PARTS: usize = 64;

/// A system with counters.
pub(super) struct Counted {
    pub(super) system: System,
    /// The loops. An iteration ends at a clause that derives the loop's head from a premise inside.
    graph: PredGraph,
    /// The number of arguments of each predicate in the original system.
    arities: Vec<usize>,
    /// The number of variables of each clause in the original system.
    vars: Vec<usize>,
}

impl Counted {
    /// The system with counters for all of its loops.
    pub(super) fn new(t: &Terms, system: &System) -> Self {
        let graph = PredGraph::new(system);
        let preds = system
            .pred_ids()
            .map(|p| with_counters(t, system, p, &graph));
        let counted = System {
            preds: preds.collect(),
            clauses: system.clauses.iter().map(|c| count(t, c, &graph)).collect(),
        };
        let arity = |p: &Predicate| t.func(p.func).params.len();
        Counted {
            system: counted,
            arities: system.preds.iter().map(arity).collect(),
            vars: system.clauses.iter().map(|c| c.vars.len()).collect(),
            graph,
        }
    }

    /// The number of arguments of a predicate in the original system.
    pub(super) fn arity(&self, pred: PredId) -> usize {
        // The predicate that stands for `false` has none.
        self.arities.get(pred.index()).copied().unwrap_or(0)
    }

    /// The number of loops.
    pub(super) fn len(&self) -> usize {
        self.graph.order().loops().len()
    }

    /// Is the predicate in a loop, given by its number?
    pub(super) fn is_inside(&self, number: usize, pred: PredId) -> bool {
        let order = self.graph.order();
        pred.index() < self.arities.len() && order.is_inside(&order.loops()[number], pred)
    }

    /// The counters among the variables of a rule of the counted system. The conjuncts that speak
    /// of them are the rule's τ_B.
    pub(super) fn counters(&self, rules: &RuleSystem, id: RuleId) -> TermSet {
        let rule = rules.rule(id);
        let head = &rules.params[rule.head.index()][self.arity(rule.head)..];
        let premises = (rule.body.iter()).flat_map(|a| &a.args[self.arity(a.pred)..]);
        let others = &rule.clause_vars[self.vars[id.index()]..];
        head.iter().chain(premises).chain(others).copied().collect()
    }

    /// For each rule of the counted system `⋀ c ≤ bound(c)`, for the loops of its head.
    pub(super) fn restrictions(&self, t: &Terms, rules: &RuleSystem, bounds: &[u32]) -> Vec<Term> {
        let restriction = |head: PredId| {
            let inside = (0..self.len()).filter(|&l| self.is_inside(l, head));
            let parts = inside.enumerate().map(|(place, l)| {
                let c = rules.params[head.index()][self.arities[head.index()] + place];
                t.le(c, t.int(i64::from(bounds[l])))
            });
            t.and(parts.collect::<Vec<_>>())
        };
        rules
            .rules
            .iter()
            .map(|rule| restriction(rule.head))
            .collect()
    }

    /// An answer about the original system from one about the counted one.
    ///
    /// # Errors
    /// An invariant has counters that could not be projected.
    pub(super) fn take_back(
        &self,
        context: &Context<'_>,
        answer: Answer,
    ) -> Result<Answer, UnknownReason> {
        Ok(match answer {
            Answer::Sat(model) => Answer::Sat(self.model(context, model)?),
            Answer::Unsat(refutation) => Answer::Unsat(self.refutation(refutation)),
            unknown => unknown,
        })
    }

    fn refutation(&self, mut refutation: Refutation) -> Refutation {
        for fact in &mut refutation.facts {
            fact.values.truncate(self.vars[fact.clause.index()]);
        }
        refutation
    }

    /// The invariants for all values of the counters: a derivable state is derivable with every
    /// number of iterations to come.
    pub(super) fn model(
        &self,
        context: &Context<'_>,
        model: Model,
    ) -> Result<Model, UnknownReason> {
        let interpretations = (self.arities.iter()).zip(model.interpretations);
        let without = interpretations.map(|(&arity, mut said)| {
            let counters = said.params.split_off(arity);
            let conjuncts = context.terms.conjuncts(said.body);
            let bodies = conjuncts
                .into_iter()
                .map(|lemma| for_all(context, &counters, lemma));
            let bodies: Vec<Term> = bodies.collect::<Result<_, _>>()?;
            let body = context.terms.and(bodies);
            Ok(Interpretation { body, ..said })
        });
        let interpretations = without.collect::<Result<_, UnknownReason>>()?;
        Ok(Model { interpretations })
    }
}

/// A predicate with counters as further arguments.
fn with_counters(t: &Terms, system: &System, pred: PredId, graph: &PredGraph) -> Predicate {
    let old = system.pred(pred);
    let decl = t.func(old.func);
    let mut sorts = decl.params.to_vec();
    let order = graph.order();
    for _ in order.loops().iter().filter(|l| order.is_inside(l, pred)) {
        sorts.push(Sort::INT);
    }
    Predicate {
        func: t.declare(decl.name, &sorts, decl.result),
        span: old.span,
    }
}

/// A clause with counters.
fn count(t: &Terms, clause: &Clause, graph: &PredGraph) -> Clause {
    let mut new = clause.clone();
    let mut constraint = vec![clause.constraint];
    let fresh = |vars: &mut Vec<Term>| {
        let var = t.fresh_var("c", Sort::INT);
        vars.push(var);
        var
    };
    let zero = t.int(0);
    let order = graph.order();
    for l in order.loops() {
        let inside = |atom: &Atom| order.is_inside(l, atom.pred);
        let goes_on = clause.head.as_ref().filter(|head| inside(head));
        let comes = clause.body.iter().any(inside);
        if !comes && goes_on.is_none() {
            continue;
        }
        let before = fresh(&mut new.vars);
        let premises = new.body.iter_mut().filter(|atom| inside(atom));
        premises.for_each(|atom| atom.args.push(before));
        let after = match goes_on {
            None => {
                constraint.push(t.eq(before, zero));
                continue;
            }
            Some(head) if comes && head.pred == l.head => {
                let after = fresh(&mut new.vars);
                constraint.push(t.eq(after, t.sub(before, t.int(1))));
                after
            }
            Some(_) => before,
        };
        constraint.push(t.le(zero, after));
        if let Some(head) = &mut new.head {
            head.args.push(after);
        }
    }
    new.constraint = t.and(constraint);
    new
}

/// `∀ counters. (⋀ 0 ≤ c) ⇒ lemma`, without quantifiers.
fn for_all(context: &Context<'_>, counters: &[Term], lemma: Term) -> Result<Term, UnknownReason> {
    let t = context.terms;
    if !t.any_subterm(lemma, |x| counters.contains(&x)) {
        return Ok(lemma);
    }
    let ranges = counters.iter().map(|&c| t.le(t.int(0), c));
    let violation: Vec<Term> = ranges.chain([t.not(lemma)]).collect();
    let mut solver = context.backend.solver(t, "counters");
    solver.set_purpose("eliminate counters");
    solver.set_limit(context.limit.clone());
    violation.iter().for_each(|&f| solver.assert(f));
    let vars = t.vars(violation.iter().copied());
    let mut parts = Vec::new();
    // ⋀ ranges ∧ ¬lemma ∧ ¬⋁ parts
    loop {
        match solver.check(format_args!("a lemma fails for some counters"), &[]) {
            SatResult::Unsat => return Ok(t.and(parts)),
            SatResult::Sat if parts.len() < MOST_PARTS => {}
            SatResult::Sat => {
                let why = "an invariant speaks of counters in too many ways";
                return Err(UnknownReason::Incomplete(why.to_owned()));
            }
            SatResult::Unknown(failure) => return Err(failure.into()),
        }
        let values = solver.values(&vars)?;
        let mut valuation = Valuation::new(t, vars.iter().copied().zip(values));
        let eliminated = counters.iter().copied();
        let part = project(t, &mut valuation, eliminated, violation.iter().copied());
        let excluded = t.not(t.and(part));
        solver.assert(excluded);
        parts.push(excluded);
    }
}
