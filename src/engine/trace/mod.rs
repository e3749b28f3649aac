//! Trace abstraction \[HHP09, HHP13\]: the set of all derivations of `false` as an automaton, from
//! which sets of derivations without values are subtracted until nothing is left.
//!
//! ```text
//! N := all derivations of false, by rules
//! loop:
//!   N is empty:  sat
//!   take a derivation of least height from N
//!   it has values:  unsat
//!   A := the Floyd-Hoare automaton of the assertions along it        -- floyd_hoare
//!   N := N \ A, without what does not lead to false, minimised       -- difference, automaton
//! ```
//!
//! The loop makes progress: A accepts the derivation that its assertions are of.
//!
//! The triples of A assume of premises what the blackboard knows of them, which is a part of the
//! model, too.
//!
//! HORN: derivations are trees, so the automata are tree automata \[KG15\], and assertions are tree
//! interpolants. The papers have words, and nested words for calls.
//!
//! The proof is a model. A state of N has a label, which holds of all facts that its derivations
//! derive. In a difference it is conjoined with the assertions of the state's other part; where
//! minimisation merges states, the label is the disjunction of theirs. What a state was removed
//! for, because `false` is not derived from it, is kept for its predicate. At the end the
//! disjunction of all labels of a predicate is its interpretation. It is inductive: what a rule
//! derives from labels has a label, unless the rule derives nothing.

mod automaton;
mod difference;
mod floyd_hoare;

use super::arg::{KnownInvariants, Paths, Settings, Transfer, large};
use super::option::declare_options;
use super::predicates::Blocks;
use super::refining::refinement_options;
use super::rules::RuleSystem;
use super::unroll::{Along, Derivation};
use super::{AbstractEdge, AbstractGraph, AbstractState, Context, Progress};
use crate::chc::{Answer, Model, System, Unknown, UnknownReason};
use crate::refinement::{AssertionSource, Prefixes, Sources};
use crate::smt::{InterpolationSource, Strength};
use automaton::{Automaton, State, Transition};
use difference::{Tools, difference};
use floyd_hoare::FloydHoare;
use std::sync::Arc;

declare_options! {
    /// Options of trace abstraction.
    pub struct Options {
        /// Which predicates derivations are seen to have: each, or those of `loops` only.
        blocks: Blocks = Blocks::Every, from "BKW10";
        /// Is the automaton minimised after each difference?
        minimise: bool = true, from "HHP13";
        /// Give up when the automaton has more than this many transitions.
        max_edges: u32 = 1000000;
        /// Where the assertions along a spurious derivation come from. Several sources are tried in
        /// turn: the first perfect assertions are taken, or the first ones.
        refinement: Sources = AssertionSource::Craig.into(), from "DHMNP17";
        /// The source of every 16th refinement in place of these, from the ninth one on: where
        /// one source diverges, another may not.
        alternate: Option<AssertionSource> = None, from "DHMNP17";
        /// Which infeasible prefixes of a spurious derivation assertions are made for: the `whole`
        /// derivation, the `first` or the `last` prefix, the one whose assertions are about
        /// variables of the simplest `domain-types`, the one that leaves most of the path as it is
        /// (`depth`), the one with the smallest assertions (`score`), or `all`.
        prefixes: Prefixes = Prefixes::Whole, from "BLW15";
        /// The most queries that make the infeasible core of a derivation smaller.
        core_queries: u32 = 20, from "DHMNP17";
        /// Which of a proof's interpolants are the assertions.
        interpolants: Strength = Strength::Strong, from "McM05";
        /// Who finds interpolants: the embedded core, the external solver, or both, the core first.
        interpolation_source: InterpolationSource = InterpolationSource::Both;
        /// Decompose interpolants that are sums of inequalities. (Those of the core only.)
        decompose: bool = false, from "BHKS19";
        /// Rewrite interpolants as conjunctions of clauses where that takes little time.
        clausal: bool = true, from "Bra11";
        /// Ask of all assertions whether they are perfect, for the statistics. Without this, those
        /// of several sources are asked about.
        judge: bool = false, from "DHMNP17";
    }
}

/// Decides a system by trace abstraction.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    match options.blocks {
        Blocks::Every => explore(system, options, context),
        Blocks::Loops => large("trace", system, context, |system, context| {
            explore(system, options, context)
        }),
    }
}

/// Decides a system with all its predicates.
fn explore(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    let rules = RuleSystem::new(context.terms, system);
    let refinement = refinement_options!(options);
    let settings = Settings::new("trace", refinement, options.max_edges);
    let mut run = Run {
        paths: Paths::new(system, &rules, settings, context),
        minimise: options.minimise,
        automaton: Automaton::of_rules(context.terms, &rules),
        transfer: Transfer::new(&rules, context),
        known: KnownInvariants::new(&rules),
        depth: 0,
    };
    let found = run.run();
    run.report(true);
    found.unwrap_or_else(|reason| Answer::Unknown(Unknown::new(reason)))
}

/// A run of the algorithm.
struct Run<'a, 't> {
    paths: Paths<'a, 't>,
    /// Is the automaton minimised after each difference?
    minimise: bool,
    /// The derivations that are still to be examined.
    automaton: Automaton,
    transfer: Transfer<'a, 't>,
    known: KnownInvariants,
    /// The number of steps of the longest derivation that was examined.
    depth: u32,
}

impl<'a> Run<'a, '_> {
    /// A verdict, or the reason why there is none.
    fn run(&mut self) -> Result<Answer, UnknownReason> {
        while let Some((states, steps)) = self.automaton.derivation() {
            self.paths.context.limit.check()?;
            self.known.read(self.paths.context, self.paths.rules);
            let length = u32::try_from(steps.len()).unwrap_or(u32::MAX);
            self.depth = self.depth.max(length);
            self.report(false);
            let mut derivation = Derivation::of_false(&steps);
            for (known, state) in derivation.known.iter_mut().zip(&states) {
                *known = self.known.of(self.automaton.states[state.index()].pred);
            }
            match self.paths.assertions(&derivation)? {
                Along::Feasible(steps) => return Ok(Answer::Unsat(self.paths.values(steps)?)),
                Along::Assertions(assertions) => {
                    self.subtract(&mut FloydHoare::new(self.paths.rules, &steps, &assertions))?;
                }
            }
        }
        Ok(Answer::Sat(self.model()))
    }

    /// Removes the derivations that a Floyd-Hoare automaton accepts.
    fn subtract(&mut self, without: &mut FloydHoare<'a>) -> Result<(), UnknownReason> {
        let context = self.paths.context;
        let tools = Tools {
            terms: context.terms,
            limit: &context.limit,
            transfer: &mut self.transfer,
            known: &self.known,
            most: self.paths.settings.max_edges as usize,
        };
        let left = difference(&self.automaton, without, tools)?.trimmed(context.terms);
        self.automaton = match self.minimise {
            true => left.minimised(context.terms, &context.limit)?,
            false => left,
        };
        Ok(())
    }

    /// The labels of each predicate, and what else is known of it. The automaton is empty.
    fn model(&self) -> Model {
        let t = self.paths.context.terms;
        self.paths.rules.model(|pred| {
            let labels = self
                .automaton
                .states
                .iter()
                .filter(|state| state.pred == pred);
            let derived = t.or(labels.map(|state| state.label));
            t.and([
                self.known.of(pred),
                t.or([derived, self.automaton.settled[pred.index()]]),
            ])
        })
    }

    /// The automaton, for people.
    fn snapshot(&self) -> AbstractGraph {
        let (t, system) = (self.paths.context.terms, self.paths.system);
        let state = |state: &State| AbstractState::new(t, system, state.pred, state.label);
        let edge = |transition: &Transition| AbstractEdge {
            clause: transition.rule.clause(),
            premises: transition.premises.iter().map(|p| p.index()).collect(),
            conclusion: transition.conclusion.index(),
        };
        AbstractGraph {
            states: self.automaton.states.iter().map(state).collect(),
            edges: self.automaton.transitions.iter().map(edge).collect(),
        }
    }

    /// Tells how far the run is; at the end with the automaton, if that is wanted.
    fn report(&self, is_end: bool) {
        let context = self.paths.context;
        let graph = (is_end && context.wants_graph).then(|| self.snapshot());
        (context.progress)(&Progress {
            engine: "trace",
            depth: self.depth,
            lemmas: self.automaton.states.len(),
            obligations: self.automaton.transitions.len(),
            queries: context.backend.queries(),
            graph: graph.map(Arc::new),
            refined: Some(self.paths.assertions.tally()),
            ..Progress::default()
        });
    }
}
