//! Bounded model checking \[BCCZ99\]: asks a solver for a derivation of `false`, height by height.
//! The loop is Algorithm 3 of \[BDW18\] without its step case (`arg::k_induction`), a row of the
//! table of schools.
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
//! The *forward condition* says that no derivation is larger than the unrolling, as
//! in \[BDW18\]. Forwards, no node of the last layer has a derivation. Backwards, the unrolling is
//! contradictory without `stop`: no derivation of `false` needs premises of the last layer,
//! whatever they are. Interpolants make a model then (`unroll::model`). Forwards, the model is
//! that of a system without recursion by default, which has a copy of each predicate for each layer
//! (`unroll::layered`): preprocessing and property-directed reachability solve it.
//!
//! The bound of an unrolling is a height, or the number of loop heads on a path \[BDW18\].
//! DIVERGENCE: the paper counts the heads of each loop by themselves, and bounds all counters by
//! one number. Here a path has one counter; otherwise each combination of counters would be a node.
//!
//! Symbolic execution \[Kin76\] (`merge=separate`) asks about each path by itself (`arg`).
//!
//! A non-linear system can double with each layer, and the engine gives up when the unrolling gets
//! too large.
//!
//! DIVERGENCE: \[BCCZ99\] unrolls forwards from the initial states of a transition system, which is
//! an option here. By default the unrolling grows backwards from `false`, so that it also covers
//! rules with several premises. One solver context serves all heights.

use super::arg::{self, BMC, LOOP_BOUND, SYMBOLIC_EXECUTION, Settings, TOO_MANY_EDGES, Unrolled};
use super::option::{UNLIMITED, declare_options, word_option};
use super::rules::RuleSystem;
use super::unroll::{
    Ends, Layered, Unrolling, closed, inductive_formulas, no_model, reachable_formulas,
};
use super::{Case, Context, Decision, Progress, pdr, through};
use crate::chc::{Answer, Model, PredGraph, Refutation, System, Unknown, UnknownReason};
use crate::refinement;
use crate::smt::{Failure, InterpolationOptions, InterpolationSource, SatResult, Solver};
use crate::term::{Sort, Term};
use crate::transform::{self, preprocess};

const TOO_LARGE: &str = "the unrolling is too large (option max-nodes)";
const TOO_DEEP: &str = "the limit on the depth (option max-depth) is reached";

declare_options! {
    /// Options of bounded model checking.
    pub struct Options {
        /// Where the unrolling begins. `backward`: at `false`. `forward`: at the facts, if the
        /// system is linear; other systems are unrolled backwards.
        direction: Direction = Direction::Backward, from "BCCZ99";
        /// What bounds an unrolling. `height`: the height of derivations. `loop`: how many heads of
        /// loops follow each other in a derivation; other predicates are not counted. Forwards, the
        /// bound is always the height.
        bound: Bound = Bound::Height, from "BDW18";
        /// What becomes of derivations that share parts. `joined`: all derivations of one height
        /// are one formula. `separate`: each path is a formula, which is symbolic execution; the
        /// limits are on the states of one predicate on a path, and on all edges.
        merge: Merge = Merge::Joined, from "Kin76";
        /// Where a model comes from that is found forwards. `layers`: from a system that has a copy
        /// of each predicate for each layer. `interpolants`: from the unrolling as a whole.
        model: ModelSource = ModelSource::Layers, from "RHK13";
        /// Give up beyond this bound.
        max_depth: u32 = UNLIMITED;
        /// Give up when the unrolling has more than this many nodes.
        max_nodes: u32 = 200000;
    }
    uses {
        /// For the system of the layers.
        pdr: pdr::Options = pdr::Options::default();
    }
}

word_option!(Direction: "backward" => Backward, "forward" => Forward);

word_option!(Bound: "height" => Height, "loop" => Loop);

/// What bounds an unrolling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The height of derivations.
    Height,
    /// The number of loop heads on a path.
    Loop,
}

/// Where an unrolling begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// At `false`.
    Backward,
    /// At the facts.
    Forward,
}

word_option!(ModelSource: "layers" => Layers, "interpolants" => Interpolants);

/// Where a model comes from, once no derivation is longer than the unrolling forwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModelSource {
    /// From the system of the layers.
    Layers,
    /// From interpolants of the unrolling.
    Interpolants,
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

/// Looks for a refutation, and for a height that no derivation has.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    if options.merge == Merge::Separate {
        let settings = Settings {
            loop_bound: options.max_depth,
            ..Settings::new("bmc", refinement::Options::default(), options.max_nodes)
        };
        return by_paths(arg::solve(system, SYMBOLIC_EXECUTION, settings, context));
    }
    let rules = RuleSystem::new(context.terms, system);
    let t = context.terms;
    let backward = options.direction == Direction::Backward || !system.is_linear();
    let unrolling = match (backward, options.bound) {
        (false, _) => Unrolling::forward(t, &rules),
        (true, Bound::Height) => Unrolling::backward(t, &rules, Ends::Anywhere),
        (true, Bound::Loop) => {
            let graph = PredGraph::new(system);
            Unrolling::by_loops(t, &rules, |pred| graph.is_loop_head(pred))
        }
    };
    let mut search = Search::new(system, &rules, unrolling, backward, options, context);
    let found = arg::k_induction(&BMC, &mut search);
    search.report();
    found.unwrap_or_else(|reason| {
        Answer::Unknown(Unknown {
            safe_depth: search.safe_depth,
            ..Unknown::new(reason)
        })
    })
}

/// The answer of symbolic execution, with the names that its limits have here.
fn by_paths(answer: Answer) -> Answer {
    let Answer::Unknown(mut unknown) = answer else {
        return answer;
    };
    let own = match &unknown.reason {
        UnknownReason::Incomplete(why) if why == TOO_MANY_EDGES => TOO_LARGE,
        UnknownReason::Incomplete(why) if why == LOOP_BOUND => TOO_DEEP,
        _ => return Answer::Unknown(unknown),
    };
    unknown.reason = UnknownReason::Incomplete(own.to_owned());
    Answer::Unknown(unknown)
}

/// A run of the engine.
struct Search<'a, 't> {
    context: Context<'t>,
    options: &'a Options,
    system: &'a System,
    rules: &'a RuleSystem,
    solver: Box<dyn Solver + 't>,
    direction: Direction,
    unrolling: Unrolling<'a, 't>,
    /// The number of nodes whose formulas the solver has, except for those of their rules with
    /// premises.
    known: usize,
    /// Assumed for derivations within the bound under examination. Backwards: the nodes of the last
    /// layer use no rules with premises. Forwards: the node of `false` is in the last layer.
    bounded: Term,
    safe_depth: Option<u32>,
    decision: Option<Decision>,
}

impl<'a, 't> Search<'a, 't> {
    fn new(
        system: &'a System,
        rules: &'a RuleSystem,
        unrolling: Unrolling<'a, 't>,
        backward: bool,
        options: &'a Options,
        context: &Context<'t>,
    ) -> Self {
        let mut solver = context.backend.solver(context.terms, "bmc");
        solver.set_limit(context.limit.clone());
        if backward {
            solver.assert(unrolling.node(unrolling.root()).on);
        }
        Search {
            context: context.clone(),
            options,
            system,
            rules,
            solver,
            direction: match backward {
                true => Direction::Backward,
                false => Direction::Forward,
            },
            unrolling,
            known: 0,
            bounded: Term::TRUE,
            safe_depth: None,
            decision: None,
        }
    }

    /// The bound under examination: a height, or one more than a number of loop heads.
    fn bound(&self) -> u32 {
        u32::try_from(self.unrolling.last() + 1).expect("few layers")
    }

    /// What a model of the system of the layers says of each predicate, by its index.
    fn formulas_of_layers(
        &self,
        options: &pdr::Options,
        context: &Context<'_>,
    ) -> Result<Vec<Term>, UnknownReason> {
        let (t, layers) = (context.terms, self.unrolling.last());
        let layered = Layered::new(t, self.system, layers, &context.limit)?;
        let inside = Context {
            // The board's invariants speak of other predicates.
            board: None,
            ..context.clone()
        };
        let prepared = preprocess(&inside, &layered.system, &transform::Options::default());
        let found = through(
            "bmc",
            &prepared,
            &layered.system,
            &inside,
            |new, context| pdr::solve(new, options, context),
        );
        match found {
            Answer::Sat(model) => Ok(layered.formulas(t, &model, &self.rules.params)),
            Answer::Unsat(_) => Err(no_model("the layers of the unrolling have a refutation")),
            Answer::Unknown(unknown) => Err(unknown.reason),
        }
    }

    /// What is known of the nodes that are new besides what their rules with premises mean, and
    /// what is to be assumed of the last layer.
    fn assert_last_layer(&mut self) -> Result<(), Failure> {
        let t = self.context.terms;
        for id in self.unrolling.nodes_from(self.known) {
            self.context.limit.check()?;
            self.solver.assert(self.unrolling.choice(id, true, true));
            let meanings = self.unrolling.facts(id);
            meanings.for_each(|meaning| self.solver.assert(meaning));
        }
        self.known = self.unrolling.len();
        if self.direction == Direction::Forward {
            let goal = self.unrolling.goal();
            self.bounded = goal.map_or(Term::FALSE, |goal| self.unrolling.node(goal).on);
            return Ok(());
        }
        self.bounded = t.fresh_var("stop", Sort::BOOL);
        for &id in self.unrolling.layer(self.unrolling.last()) {
            for active in self.unrolling.step_literals(id) {
                let stops = t.or([t.not(self.bounded), t.not(active)]);
                self.solver.assert(stops);
            }
        }
        Ok(())
    }

    fn report(&self) {
        (self.context.progress)(&Progress {
            engine: "bmc",
            safe_depth: self.safe_depth,
            depth: self.bound(),
            obligations: self.unrolling.len(),
            queries: self.context.backend.queries(),
            decision: self.decision,
            ..Progress::default()
        });
    }
}

impl Unrolled for Search<'_, '_> {
    fn begin(&mut self) -> Result<(), UnknownReason> {
        if self.bound() > self.options.max_depth {
            return Err(UnknownReason::Incomplete(TOO_DEEP.to_owned()));
        }
        self.context.limit.check()?;
        self.assert_last_layer()?;
        self.report();
        Ok(())
    }

    fn base_case(&mut self) -> Result<bool, Failure> {
        // Backwards: on_false ∧ ⋀ choice ∧ ⋀ meaning ∧ stop_layer
        // Forwards: on_false ∧ ⋀ choice ∧ ⋀ meaning, with the node of false in the last layer
        let about = format_args!("has false a derivation within the bound {}", self.bound());
        self.solver.set_purpose("unroll");
        match self.solver.check(about, &[self.bounded]) {
            SatResult::Sat => Ok(true),
            SatResult::Unsat => {
                // An empty last layer bounds no height.
                let covered = self.unrolling.covered_height();
                self.safe_depth = covered.or(Some(self.bound()));
                Ok(false)
            }
            SatResult::Unknown(failure) => Err(failure),
        }
    }

    fn forward_condition(&mut self) -> Result<bool, Failure> {
        if self.direction == Direction::Backward {
            return Ok(self.solver.core()?.is_empty());
        }
        let (t, unrolling) = (self.context.terms, &self.unrolling);
        let last = unrolling.layer(unrolling.last()).iter();
        let reached = t.or(last.map(|&id| unrolling.node(id).on));
        if reached == Term::FALSE {
            return Ok(true);
        }
        let longer = t.fresh_var("longer", Sort::BOOL);
        self.solver.assert(t.implies(longer, reached));
        self.solver.set_purpose("forward condition");
        // ⋁ on_n ∧ ⋀ choice ∧ ⋀ meaning for the nodes n of the last layer
        let about = format_args!("has anything a derivation of height {}", self.bound());
        match self.solver.check(about, &[longer]) {
            SatResult::Sat => Ok(false),
            SatResult::Unsat => Ok(true),
            SatResult::Unknown(failure) => Err(failure),
        }
    }

    fn expand(&mut self) -> Result<(), UnknownReason> {
        let limit = self.context.limit.clone();
        let before = self.unrolling.last();
        self.unrolling.expand(&limit)?;
        if self.unrolling.len() > self.options.max_nodes as usize {
            return Err(UnknownReason::Incomplete(TOO_LARGE.to_owned()));
        }
        let with_premises = match self.direction {
            Direction::Backward => before,
            Direction::Forward => before + 1,
        };
        for &id in self.unrolling.layer(with_premises) {
            limit.check()?;
            let meanings = self.unrolling.steps(id);
            meanings.for_each(|meaning| self.solver.assert(meaning));
        }
        Ok(())
    }

    fn decide(&mut self, case: Case) {
        let at = self.bound();
        self.decision = Some(Decision { case, at });
        self.report();
    }

    fn refutation(&mut self) -> Result<Refutation, UnknownReason> {
        Ok(self.unrolling.refutation(&mut *self.solver)?)
    }

    fn model(&mut self) -> Result<Model, UnknownReason> {
        let (context, unrolling) = (&self.context.for_certificate(), &self.unrolling);
        let interpolation = InterpolationOptions {
            source: InterpolationSource::Both,
            ..InterpolationOptions::default()
        };
        let formulas = match (self.direction, self.options.model) {
            (Direction::Backward, _) => {
                inductive_formulas(context, unrolling, &interpolation, |_| Vec::new())
            }
            (Direction::Forward, ModelSource::Layers) => {
                self.formulas_of_layers(&self.options.pdr, context)
            }
            (Direction::Forward, ModelSource::Interpolants) => {
                reachable_formulas(context, unrolling, &interpolation)
            }
        }?;
        let model = self.rules.model(|pred| formulas[pred.index()]);
        closed(context.terms, model)
    }
}
