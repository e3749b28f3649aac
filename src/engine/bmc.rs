//! Bounded model checking \[BCCZ99\]: asks a solver for a derivation of `false`, height by height.
//!
//! The derivations are those of `Unrolling`. Backwards, the nodes of its last layer use no rules
//! with premises where `stop` is assumed:
//!
//! ```text
//! stop_layer ⇒ ¬use_{r,n}      for rules r with premises and nodes n of the layer
//! ```
//!
//! Forwards, the node of `false` of the last layer is assumed.
//!
//! A non-linear system can double with each layer, and the engine gives up when the unrolling gets
//! too large.
//!
//! DIVERGENCE: the paper unrolls forwards from the initial states of a transition system, which is
//! an option here. By default the unrolling grows backwards from `false`, so that it also covers
//! rules with several premises. One solver context serves all heights.

use super::arg::{self, PrecisionScope, SYMBOLIC_EXECUTION, Settings};
use super::option::{UNLIMITED, declare_options, word_option};
use super::rules::RuleSystem;
use super::unroll::{Ends, Unrolling};
use super::{Context, Progress};
use crate::chc::{Answer, Refutation, System, Unknown, UnknownReason};
use crate::smt::{Failure, InterpolationSource, Outcome, Solver, Strength};
use crate::term::{Sort, Term};

declare_options! {
    /// Options of bounded model checking.
    pub struct Options {
        /// Where the unrolling begins. `backward`: at `false`. `forward`: at the facts, if the
        /// system is linear; other systems are unrolled backwards.
        direction: Direction = Direction::Backward, from "BCCZ99";
        /// What becomes of derivations that share parts. `joined`: all derivations of one height
        /// are one formula. `separate`: each path is a formula, which is symbolic execution; the
        /// limits are on the states of one predicate on a path, and on all edges.
        merge: Merge = Merge::Joined, from "Kin76";
        /// Give up beyond this height of derivations.
        max_depth: u32 = UNLIMITED;
        /// Give up when the unrolling has more than this many nodes.
        max_nodes: u32 = 200000;
    }
}

word_option!(Direction: "backward" => Backward, "forward" => Forward);

/// Where an unrolling begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// At `false`.
    Backward,
    /// At the facts.
    Forward,
}

word_option!(Merge: "joined" => Joined, "separate" => Separate);

/// What becomes of derivations that share parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Merge {
    /// They are one formula.
    Joined,
    /// Each is a formula by itself.
    Separate,
}

/// Looks for a refutation; never answers `sat`.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    if options.merge == Merge::Separate {
        return arg::solve(system, SYMBOLIC_EXECUTION, options.separate(), context);
    }
    let rules = RuleSystem::new(context.terms, system);
    let direction = match system.is_linear() {
        true => options.direction,
        false => Direction::Backward,
    };
    let mut search = Search::new(&rules, direction, context);
    let result = search.run(options);
    search.report();
    let reason = match result {
        Ok(Ok(refutation)) => return Answer::Unsat(refutation),
        Ok(Err(reason)) => reason,
        Err(failure) => failure.into(),
    };
    Answer::Unknown(Unknown {
        safe_depth: search.safe_depth,
        ..Unknown::new(reason)
    })
}

impl Options {
    /// The settings of symbolic execution \[Kin76\].
    fn separate(&self) -> Settings {
        Settings {
            engine: "bmc",
            strength: Strength::Strong,
            source: InterpolationSource::Both,
            scope: PrecisionScope::Predicate,
            forced_coverings: 0,
            loop_bound: self.max_depth,
            max_edges: self.max_nodes,
        }
    }
}

/// A run of the engine.
struct Search<'a, 't> {
    context: Context<'t>,
    solver: Box<dyn Solver + 't>,
    direction: Direction,
    unrolling: Unrolling<'a, 't>,
    /// Assumed for derivations of the height under examination. Backwards: the nodes of the last
    /// layer use no rules with premises. Forwards: the node of `false` is in the last layer.
    height: Term,
    safe_depth: Option<u32>,
}

impl<'a, 't> Search<'a, 't> {
    fn new(rules: &'a RuleSystem, direction: Direction, context: &Context<'t>) -> Self {
        let t = context.terms;
        let mut solver = context.backend.solver(t, "bmc");
        solver.set_purpose("unroll");
        solver.set_limit(context.limit.clone());
        let unrolling = match direction {
            Direction::Backward => {
                let unrolling = Unrolling::backward(t, rules, Ends::Anywhere);
                solver.assert(unrolling.node(unrolling.root()).on);
                unrolling
            }
            Direction::Forward => Unrolling::forward(t, rules),
        };
        Search {
            context: context.clone(),
            solver,
            direction,
            unrolling,
            height: Term::TRUE,
            safe_depth: None,
        }
    }

    /// The height of derivations under examination.
    fn depth(&self) -> u32 {
        u32::try_from(self.unrolling.last() + 1).expect("few layers")
    }

    /// Unrolls until a refutation is found, or a reason to give up.
    fn run(&mut self, options: &Options) -> Result<Result<Refutation, UnknownReason>, Failure> {
        self.assert_last_layer()?;
        while self.depth() <= options.max_depth {
            self.context.limit.check()?;
            self.report();
            // derivations of false of height `depth`
            let about = format_args!("has false a derivation of height {}", self.depth());
            let outcome = self.solver.check(about, &[self.height]);
            match outcome {
                Outcome::Sat => return self.unrolling.refutation(&mut *self.solver).map(Ok),
                Outcome::Unsat => self.safe_depth = Some(self.depth()),
                Outcome::Unknown(failure) => return Err(failure),
            }
            if self.is_complete()? {
                let what = "false has no derivation of any height, but no model was looked for";
                return Ok(Err(UnknownReason::Incomplete(what.to_owned())));
            }
            self.expand()?;
            if self.unrolling.len() > options.max_nodes as usize {
                return Ok(Err(UnknownReason::Incomplete(
                    "the unrolling is too large".to_owned(),
                )));
            }
        }
        Ok(Err(UnknownReason::Incomplete(
            "the limit on the depth (option max-depth) is reached".to_owned(),
        )))
    }

    /// After no derivation was found: has `false` none of a larger height either?
    fn is_complete(&mut self) -> Result<bool, Failure> {
        match self.direction {
            Direction::Backward => Ok(self.solver.core()?.is_empty()),
            Direction::Forward => Ok(self.unrolling.layer(self.unrolling.last()).is_empty()),
        }
    }

    /// Unrolls one layer more.
    fn expand(&mut self) -> Result<(), Failure> {
        let limit = self.context.limit.clone();
        let before = self.unrolling.last();
        self.unrolling.expand(&limit)?;
        let with_premises = match self.direction {
            Direction::Backward => before,
            Direction::Forward => before + 1,
        };
        for &id in self.unrolling.layer(with_premises) {
            limit.check()?;
            let meanings = self.unrolling.steps(id);
            meanings.for_each(|meaning| self.solver.assert(meaning));
        }
        self.assert_last_layer()
    }

    /// What is known of the last layer besides what its rules with premises mean, and what is to be
    /// assumed of it.
    fn assert_last_layer(&mut self) -> Result<(), Failure> {
        let t = self.context.terms;
        self.height = match self.direction {
            Direction::Backward => t.fresh_var("stop", Sort::BOOL),
            Direction::Forward => {
                let goal = self.unrolling.goal();
                goal.map_or(Term::FALSE, |goal| self.unrolling.node(goal).on)
            }
        };
        for &id in self.unrolling.layer(self.unrolling.last()) {
            self.context.limit.check()?;
            self.solver.assert(self.unrolling.choice(id, true, true));
            let meanings = self.unrolling.facts(id);
            meanings.for_each(|meaning| self.solver.assert(meaning));
            if self.direction == Direction::Backward {
                for active in self.unrolling.step_literals(id) {
                    self.solver
                        .assert(t.or([t.not(self.height), t.not(active)]));
                }
            }
        }
        Ok(())
    }

    fn report(&self) {
        (self.context.progress)(&Progress {
            engine: "bmc",
            safe_depth: self.safe_depth,
            depth: self.depth(),
            lemmas: 0,
            obligations: self.unrolling.len(),
            queries: self.context.backend.queries(),
            graph: None,
        });
    }
}
