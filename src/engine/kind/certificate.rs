//! A model from paths that do not exist.
//!
//! Let no path of `n` steps lead to `false` whose states are good at every distance from 2 on. Its
//! sequence interpolants \[McM05\] are `I₁ … Iₙ₋₁`: `Iᵢ` holds after `i` steps from any state at
//! all if all states before were good, and `Iₙ₋₁` implies good. So `J = I₁ ∧ … ∧ Iₙ₋₁` is
//! inductive: `J` makes a state good, and `Iᵢ₊₁` after a step follows from `Iᵢ` before it.
//!
//! Initial states need not satisfy `J`, but every state at `n - 1` or more steps from an initial
//! state does. The base cases cover the others: no path of `m < n` steps leads from an initial
//! state to `false`, with interpolants `Gᵐ₀ … Gᵐₘ₋₁`, where `Gᵐⱼ` holds `j` steps after an initial
//! state. Let `Fⱼ = ⋀ₘ Gᵐⱼ` for `j < m < n`; it makes a state good and leads to `Fⱼ₊₁`. The model
//! is
//!
//! ```text
//! J ∨ ⋁ (Fⱼ ∧ I₁ ∧ … ∧ Iⱼ)     for 0 ≤ j ≤ n - 2
//! ```
//!
//! and `J` alone where all initial states satisfy it. The invariants that the queries assumed are
//! added.
//!
//! DIVERGENCE: \[SSS00\] gives no certificate. This model is ours; the checker decides whether it
//! is one.

use super::Options;
use super::unrolling::{DistanceFormulas, Unrolling};
use crate::chc::{Model, PredId, UnknownReason};
use crate::engine::Context;
use crate::engine::unroll::{closed, said_of, without_interpolants};
use crate::logic::interpolate::{Interpolation, Partitioned};
use crate::smt::{Failure, Limit, NoInterpolants, PartId, PartTree, SatResult};
use crate::term::Term;
use crate::work;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// The model of a system whose step case has no path of the unrolling's length, and whose base
/// cases have no shorter path.
///
/// # Errors
/// The proofs have no interpolants, or the model would be too large, or the limit is reached.
pub(super) fn model(
    unrolling: &Unrolling<'_, '_>,
    options: &Options,
    context: &Context<'_>,
) -> Result<Model, UnknownReason> {
    let (t, rules) = (context.terms, unrolling.rules);
    let certificate = Certificate {
        unrolling,
        context,
        patience: context.limit.share(PATIENCE_PARTS, PATIENCE),
        problem: RefCell::new(Problem::new(options, context)),
    };
    let n = unrolling.levels.len() - 1;
    let after_good = certificate.sequence(certificate.step_parts(n), n - 1)?;
    let kept = |p: PredId, steps: usize| {
        let interpolants = after_good.iter().take(steps);
        t.and(interpolants.map(|i| certificate.of_pred(i, p)))
    };
    let j: Vec<Term> = rules.pred_ids().map(|p| kept(p, n - 1)).collect();
    let known = |p: PredId| unrolling.known[p.index()];
    if certificate.facts_satisfy(&j)? {
        return closed(t, rules.model(|p| t.and([j[p.index()], known(p)])));
    }
    if n - 1 > options.max_base as usize {
        let why = format!("a model by k-induction would have {} parts", n - 1);
        return Err(UnknownReason::Incomplete(why));
    }
    let after_facts: Vec<Vec<Cut>> = (1..n)
        .map(|m| certificate.sequence(certificate.base_parts(m), m))
        .collect::<Result<_, _>>()?;
    let near = |p: PredId, steps: usize| {
        context.limit.check()?;
        // `Gᵐⱼ` for m > j = `steps`.
        let said = after_facts.iter().filter_map(|g| g.get(steps));
        let said = t.and(said.map(|g| certificate.of_pred(g, p)));
        Ok(t.and([said, kept(p, steps)]))
    };
    let near: Vec<Vec<Term>> = (rules.pred_ids())
        .map(|p| (0..n - 1).map(|steps| near(p, steps)).collect())
        .collect::<Result<_, Failure>>()?;
    closed(
        t,
        rules.model(|p| {
            let near = near[p.index()].iter().copied();
            t.and([t.or(near.chain([j[p.index()]])), known(p)])
        }),
    )
}

/// An interpolant between two steps of a path.
struct Cut {
    /// The distance of the state at the cut.
    distance: usize,
    formula: Term,
}

/// The search for clauses costs at most this number of ticks. The value was not tuned.
const PATIENCE: u64 = work::milliseconds(1_000);
/// The search for clauses costs at most a tenth of the remaining budget. The value was not tuned.
const PATIENCE_PARTS: u64 = 10;

struct Certificate<'a, 't> {
    unrolling: &'a Unrolling<'a, 't>,
    context: &'a Context<'t>,
    /// The limit of the search for clauses in place of interpolants from proofs.
    patience: Limit,
    problem: RefCell<Problem<'a, 't>>,
}

/// The interpolation problems of one certificate. The base cases share their steps, and what the
/// solver learned about these.
struct Problem<'a, 't> {
    asked: Interpolation<'a, 't>,
    partitioned: Partitioned<'a, 't>,
    /// The parts that were added, by their formulas.
    parts: FxHashMap<Vec<Term>, PartId>,
}

impl<'a, 't> Problem<'a, 't> {
    fn new(options: &Options, context: &'a Context<'t>) -> Self {
        let asked = Interpolation {
            terms: context.terms,
            backend: context.backend,
            limit: context.limit.clone(),
            name: "kind interpolants",
            options: options.interpolation(),
        };
        Problem {
            partitioned: asked.problem(),
            asked,
            parts: FxHashMap::default(),
        }
    }

    /// Interpolants between the parts of a path.
    fn sequence(&mut self, parts: &[Vec<Term>]) -> Result<Vec<Term>, NoInterpolants> {
        let mut nodes = Vec::with_capacity(parts.len());
        for formulas in parts {
            let part = match self.parts.get(formulas) {
                Some(&part) => part,
                None => self.partitioned.add(formulas)?,
            };
            self.parts.insert(formulas.clone(), part);
            nodes.push(vec![part]);
        }
        let tree = PartTree::path(nodes.len());
        let about = format_args!("is there no path of {} steps", nodes.len());
        self.partitioned.interpolants(about, &tree, &nodes)
    }
}

impl Certificate<'_, '_> {
    fn level(&self, distance: usize) -> &DistanceFormulas {
        &self.unrolling.levels[distance]
    }

    /// The steps from any good state to `false`, in order.
    fn step_parts(&self, n: usize) -> Vec<Vec<Term>> {
        let states = (1..=n).rev().map(|d| {
            let state = self.level(d);
            let parts = [&state.good, &state.known, &self.level(d - 1).step];
            parts.into_iter().flatten().copied().collect()
        });
        self.to_false(states.collect())
    }

    /// An initial clause and the steps from there to `false`.
    fn base_parts(&self, m: usize) -> Vec<Vec<Term>> {
        let state = self.level(m);
        let start = state.start.iter().chain(&state.known).copied().collect();
        let steps = (0..m).rev().map(|d| {
            let state = self.level(d);
            state.step.iter().chain(&state.known).copied().collect()
        });
        self.to_false(std::iter::once(start).chain(steps).collect())
    }

    /// The parts, with `false` at the end of the last one.
    fn to_false(&self, mut parts: Vec<Vec<Term>>) -> Vec<Vec<Term>> {
        let last = parts.last_mut().expect("there is a step");
        last.extend(self.unrolling.nodes(0).map(|node| node.on));
        parts
    }

    /// Interpolants between the parts, the first of which ends at this distance. They are
    /// conjunctions of clauses if these are found within the limit.
    fn sequence(&self, parts: Vec<Vec<Term>>, distance: usize) -> Result<Vec<Cut>, UnknownReason> {
        let found = self.problem.borrow_mut().sequence(&parts);
        let found = found.map_err(without_interpolants)?;
        let cut = |(before, formula)| Cut {
            distance: distance - before,
            formula,
        };
        let asked = &self.problem.borrow().asked;
        let clauses =
            asked.clausal(&self.patience, &PartTree::path(parts.len()), &parts, &found)?;
        let cuts = clauses.unwrap_or(found).into_iter().enumerate();
        Ok(cuts.map(cut).collect())
    }

    /// An interpolant for a path that is at this predicate and at no other, over the predicate's
    /// parameters.
    ///
    /// If no path to `false` is at the predicate, the result is `true`.
    fn of_pred(&self, cut: &Cut, pred: PredId) -> Term {
        let nodes = || self.unrolling.nodes(cut.distance);
        let Some(node) = nodes().find(|node| node.pred == pred) else {
            return Term::TRUE;
        };
        let (t, rules) = (self.context.terms, self.unrolling.rules);
        said_of(t, rules, cut.formula, nodes(), node)
    }

    /// Do the initial states of each predicate satisfy its formula?
    fn facts_satisfy(&self, formulas: &[Term]) -> Result<bool, UnknownReason> {
        let (t, context) = (self.context.terms, self.context);
        let facts = (self.unrolling.rules.rules.iter()).filter(|rule| rule.is_fact());
        let fails = t.or(facts.map(|rule| {
            let formula = formulas[rule.head.index()];
            t.and([rule.constraint, t.not(formula)])
        }));
        let mut solver = context.backend.solver(t, "kind facts");
        solver.set_purpose("initial states");
        solver.set_limit(context.limit.clone());
        solver.assert(fails);
        // ⋁ (constraint_r ∧ ¬J_p) for the initial clauses r, each with head p
        match solver.check(format_args!("does a fact not satisfy J"), &[]) {
            SatResult::Unsat => Ok(true),
            SatResult::Sat => Ok(false),
            SatResult::Unknown(Failure::Incomplete(_)) => Ok(false),
            SatResult::Unknown(failure) => Err(failure.into()),
        }
    }
}
