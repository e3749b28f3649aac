//! Property-directed reachability over Horn clauses.
//!
//! GPDR \[HB12\] in the form of SPACER for recursive programs \[KGC14\]. `F_n(p)` over-approximates
//! what is derivable, by lemmas with levels. `U(p)` under-approximates it, by reach facts. A proof
//! obligation `(p, n, cube)` asks whether a state of the cube has a derivation of height `n + 1` or
//! less. At bound `N` the engine poses the obligation `(false, N, true)` and then works on the
//! obligations, lowest level first. An obligation is
//!
//! - reached, if its cube meets `U(p)`, or if a rule derives a state of it from reach facts. Its
//!   parents are queued again.
//! - blocked, if no rule derives a state of it from `F_{n-1}`. The negation of the generalised cube
//!   becomes a lemma.
//! - otherwise replaced by a child: model-based projection of a model of the step gives the
//!   predecessor, an obligation at level `n - 1` for the first premise that needs more than reach
//!   facts.
//!
//! When no obligation is left at bound `N`, lemmas are pushed to higher levels. If all lemmas of a
//! level were pushed, the lemmas above it are an inductive invariant. A lemma that cannot be pushed
//! is tried again when a new lemma excludes the states because of which it failed \[Sud13\].
//!
//! At each bound the invariants of other engines that are new on the board become lemmas of level
//! `∞`. The lemmas that were pushed beyond the bound are published, and the board's checker finds
//! out which of them are inductive.
//!
//! Where to read: `Pdr::search` is the loop over bounds, `block` one step on an obligation,
//! `generalize` turns blocked cubes into lemmas and pushes them, `witness` says why a lemma cannot
//! be pushed, `guidance` compares lemmas, `query` asks the solvers, `derivation` makes a refutation
//! of reach facts.
//!
//! DIVERGENCE: a blocked obligation is requeued one level above its lemma, up to the bound,
//! although no parent needs it there. Whether its states are derivable does not depend on the
//! level, so this is sound. It finds counterexamples that are longer than the bound, as Z3 does.

mod block;
mod bounded;
mod cube;
mod derivation;
#[cfg(test)]
pub(in crate::engine) mod fixture;
mod frames;
mod generalize;
mod guidance;
mod lemma_context;
mod level;
mod level_literals;
mod obligation;
pub mod options;
mod purpose;
mod query;
mod reach;
mod selection;
mod symmetry;
mod validity;
mod witness;

use super::blackboard::Cursor;
use super::rules::RuleSystem;
use super::{Context, Progress};
use crate::chc::{Answer, Model, PredId, System, Unknown, UnknownReason};
use crate::smt::{Failure, Limit};
use crate::term::Term;
use crate::work;
pub(crate) use bounded::{Bounded, BoundedProof, BoundedSearch, ProofLemma};
use cube::conjuncts_of_negation;
use frames::{Blocked, Frames};
use guidance::Guidance;
pub(crate) use level::Level;
use obligation::Obligations;
pub use options::Options;
use query::{CubeQuery, Queries, Reply};
use reach::{ReachFacts, ReachId};
pub(crate) use selection::{Choice, Selection};
use std::rc::Rc;
use symmetry::Symmetry;

/// The name of the engine.
const NAME: &str = "pdr";
/// The ticks between two reports within one depth.
const REPORT_TICKS: u64 = work::milliseconds(10);

/// Decides a system.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    let rules = RuleSystem::new(context.terms, system);
    let mut pdr = Pdr::new(rules, options, context);
    if options.symmetry {
        pdr.symmetry = Symmetry::Unknown(work::spent());
    }
    let result = pdr.run();
    pdr.report();
    result.unwrap_or_else(|stop| {
        context.offer(NAME, || pdr.candidates(pdr.bound));
        Answer::Unknown(Unknown {
            safe_depth: pdr.safe_depth,
            ..Unknown::new(stop.into())
        })
    })
}

/// Why a run ends without a verdict.
#[derive(Debug)]
enum NoVerdict {
    /// The solver gave no answer.
    Solver(Failure),
    /// The solver's model contradicts what it was asked.
    Model(&'static str),
    /// The search reached `max_depth`.
    Depth,
}

impl NoVerdict {
    fn model(what: &'static str) -> NoVerdict {
        NoVerdict::Model(what)
    }
}

impl From<Failure> for NoVerdict {
    fn from(failure: Failure) -> NoVerdict {
        NoVerdict::Solver(failure)
    }
}

impl From<NoVerdict> for UnknownReason {
    fn from(stop: NoVerdict) -> UnknownReason {
        match stop {
            NoVerdict::Solver(failure) => failure.into(),
            NoVerdict::Model(what) => {
                UnknownReason::Incomplete(format!("{what}; try another --solver"))
            }
            NoVerdict::Depth => UnknownReason::Incomplete(
                "the limit on the depth (option max-depth) is reached".to_owned(),
            ),
        }
    }
}

/// How a search ends.
enum Searched {
    /// A state of `false` is derivable.
    Reached(ReachId),
    /// The lemmas above this level are inductive and exclude `false`.
    Invariant(Level),
    /// The lemmas exclude `false` up to the bound.
    Safe,
}

/// A run of the engine.
struct Pdr<'a, 't> {
    /// The rules as the search takes them: where it is one of an abstraction, with the selected
    /// conjuncts of their constraints.
    rules: Rc<RuleSystem>,
    /// The concrete rules if `rules` is an abstraction of them: the same rules with more conjuncts
    /// in their constraints.
    abstracted: Option<&'a RuleSystem>,
    options: &'a Options,
    context: Context<'t>,
    frames: Frames,
    facts: ReachFacts,
    obligations: Obligations,
    guidance: Guidance,
    queries: Queries<'t>,
    /// The level at which the search tries to block `false`.
    bound: Level,
    /// `false` has no derivation of this height.
    safe_depth: Option<u32>,
    /// When progress is reported next, in ticks.
    next_report: u64,
    /// What has been read of the board.
    seen: Cursor,
    /// What is known of the symmetries of the rules.
    symmetry: Symmetry,
}

impl<'a, 't> Pdr<'a, 't> {
    fn new(rules: RuleSystem, options: &'a Options, context: &Context<'t>) -> Self {
        let preds = rules.params.len();
        let selection = Selection::whole(&rules);
        Pdr {
            rules: Rc::new(rules),
            abstracted: None,
            options,
            context: context.clone(),
            frames: Frames::new(preds),
            facts: ReachFacts::new(preds),
            obligations: Obligations::default(),
            guidance: Guidance::default(),
            queries: Queries::new(context.clone(), selection),
            bound: Level::new(0),
            safe_depth: None,
            next_report: 0,
            seen: Cursor::default(),
            symmetry: Symmetry::Unused,
        }
    }

    /// Adds the invariants of other engines that are new on the board as lemmas of level `∞`.
    ///
    /// Tried: a second turn that began with the inductive lemmas of the first. On 111 tasks of
    /// CHC-COMP 2025 it took 0.7 to 3.1 times the ticks, and one was lost within 20 s.
    fn take_invariants(&mut self) {
        let t = self.context.terms;
        let Some(news) = (self.context).news_of_others(NAME, &mut self.seen) else {
            return;
        };
        let conjuncts = self.rules.conjuncts(t, &news).into_iter();
        let blocked = conjuncts.map(|(pred, conjunct)| Blocked {
            pred,
            level: Level::INFINITY,
            cube: conjuncts_of_negation(t, conjunct),
        });
        // They are inductive together.
        self.add_together(blocked.collect());
    }

    /// The lemmas of this level and higher ones as a model; `None` if there are none. They may be
    /// inductive, all or some: they have been pushed as far as lemmas go.
    fn candidates(&self, level: Level) -> Option<Model> {
        let formula = |p| self.frames.formula(self.context.terms, p, level);
        let any = self.rules.pred_ids().any(|p| formula(p) != Term::TRUE);
        any.then(|| self.rules.model(formula))
    }

    /// Searches up to `max_depth`, and makes the certificate.
    fn run(&mut self) -> Result<Answer, NoVerdict> {
        match self.search(0, self.options.max_depth)? {
            Searched::Reached(fact) => Ok(Answer::Unsat(self.refutation(fact)?)),
            Searched::Invariant(level) => {
                self.frames.seal_above(level);
                let invariant = |p| self.frames.formula(self.context.terms, p, Level::INFINITY);
                Ok(Answer::Sat(self.rules.model(invariant)))
            }
            Searched::Safe => Err(NoVerdict::Depth),
        }
    }

    /// Raises the bound from `first` to `last` until there is an invariant or a reach fact of
    /// `false`.
    fn search(&mut self, first: u32, last: u32) -> Result<Searched, NoVerdict> {
        for depth in first..=last {
            self.bound = Level::new(depth);
            self.take_invariants();
            if let Some(reached) = self.block_all(self.bound)? {
                return Ok(Searched::Reached(reached));
            }
            self.safe_depth = Some(depth + 1);
            debug_assert!(self.frames_are_valid(), "frames at bound {depth}");
            debug_assert!(self.reach_facts_are_valid(), "reach facts at bound {depth}");
            if let Some(level) = self.propagate(self.bound)? {
                return Ok(Searched::Invariant(level));
            }
            (self.context).publish(NAME, || self.candidates(self.bound.next()));
        }
        Ok(Searched::Safe)
    }

    /// From now on the engine has this limit.
    fn set_limit(&mut self, limit: Limit) {
        self.context = self.context.within(limit.clone());
        self.queries.set_limit(limit);
    }

    fn ask(&mut self, question: &CubeQuery<'_>) -> Result<Reply<'t>, NoVerdict> {
        Ok((self.queries).ask(question, &self.rules, &self.frames, &self.facts)?)
    }

    /// Reports progress unless that was done a moment ago.
    fn report_sometimes(&mut self) {
        let ticks = self.context.limit.ticks();
        if ticks >= self.next_report {
            self.next_report = ticks + REPORT_TICKS;
            self.report();
        }
    }

    fn report(&self) {
        (self.context.progress)(&Progress {
            engine: NAME,
            safe_depth: self.safe_depth,
            depth: self.bound.number().map_or(0, |n| n + 1),
            lemmas: self.frames.len(),
            obligations: self.obligations.open(),
            queries: self.context.backend.queries(),
            ..Progress::default()
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

    /// The literals of a cube as text, for messages.
    fn show(&self, cube: &[Term]) -> Vec<String> {
        cube.iter()
            .map(|&l| self.context.terms.display(l).to_string())
            .collect()
    }
}
