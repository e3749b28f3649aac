//! Property-directed reachability over Horn clauses.
//!
//! GPDR \[HB12\] in the form of SPACER for recursive programs \[KGC14\]: over-approximations `F_n(p)` by lemmas with levels,
//! under-approximations `U(p)` by reach facts, and proof obligations `(p, n, cube)`. At bound `N` the obligation that `false`
//! be derived at level `N` is posed; obligations of the lowest level go first. One is
//!
//! - reached, if it meets `U(p)` or one rule derives a state of it from reach facts; its parents are looked at again;
//! - blocked, if no rule derives a state of it from `F_{n-1}`; the negation of a generalised cube becomes a lemma;
//! - else handed on: in a model of the step, the first premise that needs more than reach facts becomes an obligation at
//!   level `n - 1`, by model-based projection.
//!
//! When nothing is left at bound `N`, lemmas are pushed up; a level all of whose lemmas went on makes those above it an
//! inductive invariant.
//!
//! Where to read: `Pdr::run` is the loop over bounds, `block` one step on an obligation, `generalize` what lemmas become,
//! `guidance` what many of them have in common,
//! `query` how questions are put to solvers, `derivation` how a refutation is made of reach facts.
//!
//! DIVERGENCE: a blocked obligation is queued again one level above its lemma, also where nobody asked for it there. Its states
//! are derivable or they are not, whatever the level, so this is sound; it finds deep counterexamples early, as Z3 does.

mod avoided;
mod block;
mod bounded;
mod derivation;
mod frames;
mod generalize;
mod guidance;
mod levels;
mod obligation;
pub mod options;
mod purpose;
mod query;
mod reach;

use super::rules::RuleSystem;
use super::{Context, Progress};
use crate::chc::{Answer, Model, PredId, System, Unknown, UnknownReason};
use crate::logic::conjuncts_of_negation;
use crate::smt::{Failure, Limit};
use crate::term::{Term, Terms};
pub(crate) use bounded::{Bounded, Known, Proof, ProofLemma, solve_bounded};
use frames::Frames;
pub(crate) use frames::Level;
use guidance::Guidance;
use obligation::Obligations;
pub use options::Options;
use query::{Queries, Question, Reply};
pub(crate) use reach::KeptFacts;
use reach::{ReachFacts, ReachId};

/// Decides a system.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    let rules = RuleSystem::new(context.terms, system);
    let mut pdr = Pdr::new(&rules, options, context);
    pdr.take_invariants();
    let result = pdr.run();
    pdr.report();
    match result {
        Ok(answer) => answer,
        Err(stop) => Answer::Unknown(Unknown {
            reason: stop.into(),
            safe_depth: pdr.safe_depth,
            invariants: pdr.invariants(),
        }),
    }
}

/// Why a run ends without a verdict.
#[derive(Debug)]
enum Stop {
    /// The solver did not answer.
    Solver(Failure),
    /// The solver's model is not one, or cannot be used.
    Model(&'static str),
    /// The bound on the depth.
    Depth,
}

impl Stop {
    fn model(what: &'static str) -> Stop {
        Stop::Model(what)
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Solver(failure)
    }
}

impl From<Stop> for UnknownReason {
    fn from(stop: Stop) -> UnknownReason {
        match stop {
            Stop::Solver(failure) => failure.into(),
            Stop::Model(what) => UnknownReason::Incomplete(what.to_owned()),
            Stop::Depth => {
                UnknownReason::Incomplete("the bound on the depth is reached".to_owned())
            }
        }
    }
}

/// How a search ends.
enum Searched {
    /// A state of `false` is derivable.
    Reached(ReachId),
    /// The lemmas of level `∞` are inductive and exclude `false`.
    Invariant,
    /// The lemmas exclude `false` up to the bound.
    Safe,
}

/// A run of the engine.
struct Pdr<'a, 't> {
    t: &'t Terms,
    rules: &'a RuleSystem,
    /// What `rules` are an abstraction of, if they are one: the same rules with more in their constraints.
    abstracted: Option<&'a RuleSystem>,
    options: &'a Options,
    context: Context<'t>,
    limit: Limit,
    frames: Frames,
    facts: ReachFacts,
    obligations: Obligations,
    guidance: Guidance,
    queries: Queries<'a, 't>,
    /// The level at which `false` is to be blocked.
    bound: Level,
    /// `false` has no derivation of this height.
    safe_depth: Option<u32>,
}

impl<'a, 't> Pdr<'a, 't> {
    fn new(rules: &'a RuleSystem, options: &'a Options, context: &Context<'t>) -> Self {
        let preds = rules.params.len();
        Pdr {
            t: context.terms,
            rules,
            abstracted: None,
            options,
            context: context.clone(),
            limit: context.limit.clone(),
            frames: Frames::new(preds),
            facts: ReachFacts::new(preds),
            obligations: Obligations::default(),
            guidance: Guidance::default(),
            queries: Queries::new(context.clone(), rules),
            bound: Level::new(0),
            safe_depth: None,
        }
    }

    /// What is known beforehand holds at all levels.
    fn take_invariants(&mut self) {
        let t = self.t;
        let Some(known) = self.context.invariants else {
            return;
        };
        for (pred, formula) in self.rules.formulas(t, known) {
            for conjunct in t.conjuncts(formula) {
                let cube = conjuncts_of_negation(t, conjunct);
                self.frames.add(t, pred, cube, Level::INFINITY);
            }
        }
    }

    /// The lemmas that hold at all levels, if there are any.
    fn invariants(&self) -> Option<Model> {
        let formula = |p| self.frames.formula(self.t, p, Level::INFINITY);
        let any = self.rules.pred_ids().any(|p| formula(p) != Term::TRUE);
        any.then(|| self.rules.model(formula))
    }

    /// Raises the bound until there is an invariant or a refutation.
    fn run(&mut self) -> Result<Answer, Stop> {
        match self.search(self.options.max_depth)? {
            Searched::Reached(fact) => Ok(Answer::Unsat(self.refutation(fact)?)),
            Searched::Invariant => {
                let invariant = |p| self.frames.formula(self.t, p, Level::INFINITY);
                Ok(Answer::Sat(self.rules.model(invariant)))
            }
            Searched::Safe => Err(Stop::Depth),
        }
    }

    /// Raises the bound up to `last`.
    fn search(&mut self, last: u32) -> Result<Searched, Stop> {
        for depth in 0..=last {
            self.bound = Level::new(depth);
            if let Some(reached) = self.block_all(self.bound)? {
                return Ok(Searched::Reached(reached));
            }
            self.safe_depth = Some(depth + 1);
            if let Some(level) = self.propagate(self.bound)? {
                self.frames.seal_above(level);
                return Ok(Searched::Invariant);
            }
        }
        Ok(Searched::Safe)
    }

    fn ask(&mut self, question: &Question<'_>) -> Result<Reply<'t>, Stop> {
        Ok(self.queries.ask(question, &self.frames, &self.facts)?)
    }

    fn report(&self) {
        (self.context.progress)(&Progress {
            engine: "pdr",
            turn: 0,
            safe_depth: self.safe_depth,
            depth: self.bound.number().map_or(0, |n| n + 1),
            lemmas: self.frames.len(),
            obligations: self.obligations.open(),
            queries: self.queries.ledger.queries(),
            shares: self.queries.ledger.shares(),
        });
    }

    /// The name of a predicate, for messages.
    fn name(&self, pred: PredId) -> String {
        if pred == self.rules.goal {
            "false".to_owned()
        } else {
            format!("predicate {}", pred.0)
        }
    }

    fn show(&self, cube: &[Term]) -> Vec<String> {
        cube.iter()
            .map(|&l| self.t.display(l).to_string())
            .collect()
    }
}
