//! Counterexample-guided abstraction refinement over the graph: Algorithms 4 and 2 of \[BDW18\].

use super::abstraction::AbstractionFormula;
use super::configuration::{BlockEnd, Configuration, ForcedCovering};
use super::graph::{Edge, Graph, StateId};
use super::known::KnownInvariants;
use super::path::Paths;
use super::precision::Precision;
use super::transfer::Transfer;
use super::{Settings, TOO_MANY_EDGES};
use crate::chc::{Answer, System, UnknownReason};
use crate::engine::option::UNLIMITED;
use crate::engine::rules::RuleSystem;
use crate::engine::{Context, Progress};
use crate::term::Term;
use std::sync::Arc;

/// The reason to give up where nothing is left to explore within the loop bound.
pub(in crate::engine) const LOOP_BOUND: &str =
    "false is not derivable within the loop bound (option loop-bound)";

/// A run of the algorithm.
pub(super) struct Cegar<'a, 't> {
    pub(super) configuration: Configuration,
    pub(super) paths: Paths<'a, 't>,
    pub(super) graph: Graph<'a>,
    pub(super) transfer: Transfer<'a, 't>,
    pub(super) precision: Precision<'a>,
    pub(super) known: KnownInvariants,
    /// The number of steps of the longest derivation that was refined.
    pub(super) depth: u32,
    /// Did the loop bound keep an edge from being taken?
    is_cut: bool,
}

impl<'a, 't> Cegar<'a, 't> {
    pub(super) fn new(
        system: &'a System,
        rules: &'a RuleSystem,
        configuration: Configuration,
        settings: Settings,
        context: &'a Context<'t>,
    ) -> Self {
        let precision = Precision::new(system, rules, settings.scope);
        Cegar {
            configuration,
            paths: Paths::new(system, rules, settings, context),
            graph: Graph::new(rules),
            transfer: Transfer::new(rules, context),
            precision,
            known: KnownInvariants::new(rules),
            depth: 0,
            is_cut: false,
        }
    }

    /// CEGAR: Algorithm 4. A verdict, or the reason why there is none.
    pub(super) fn run(&mut self) -> Result<Answer, UnknownReason> {
        self.known.read(self.paths.context, self.paths.rules);
        while let Some(edge) = self.cpa_plus_plus()? {
            if let Some(steps) = self.refine(&edge)? {
                return Ok(Answer::Unsat(self.paths.values(steps)?));
            }
            if self.configuration.blocks != BlockEnd::Never {
                self.graph.open_again(edge);
                self.known.read(self.paths.context, self.paths.rules);
                self.report(false);
            }
        }
        match self.is_cut {
            false => Ok(Answer::Sat(self.model())),
            true => Err(UnknownReason::Incomplete(LOOP_BOUND.to_owned())),
        }
    }

    /// CPA++: Algorithm 2. Takes edges until none is left, or one derives `false` from its states,
    /// which is the answer.
    fn cpa_plus_plus(&mut self) -> Result<Option<Edge>, UnknownReason> {
        loop {
            self.paths.context.limit.check()?;
            while let Some(id) = self.graph.take_loose() {
                self.stop_or_expand(id)?;
            }
            let Some(edge) = self.graph.take() else {
                return Ok(None);
            };
            if self.graph.edges() > self.paths.settings.max_edges as usize {
                return Err(UnknownReason::Incomplete(TOO_MANY_EDGES.to_owned()));
            }
            let is_goal = self.paths.rules.rule(edge.rule).head == self.paths.rules.goal;
            if !is_goal && self.is_beyond_bound(&edge) {
                self.is_cut = true;
                continue;
            }
            match self.successor(&edge, is_goal)? {
                None => {}
                Some(_) if is_goal => return Ok(Some(edge)),
                Some(abstraction) => self.reach(edge, abstraction)?,
            }
        }
    }

    /// Adds the state that an edge derives.
    fn reach(&mut self, edge: Edge, abstraction: AbstractionFormula) -> Result<(), UnknownReason> {
        let head = self.paths.rules.rule(edge.rule).head;
        let precision = self.precision.of(head).len();
        let state = self.graph.add(edge, abstraction, precision);
        self.stop_or_expand(state)
    }

    /// Would the edge's conclusion occur too often on a path?
    fn is_beyond_bound(&self, edge: &Edge) -> bool {
        let bound = self.paths.settings.loop_bound;
        bound < UNLIMITED && self.graph.visits(edge) >= bound
    }

    /// The abstraction of what follows from an edge; `None` if nothing does. Where blocks never
    /// end, the path formula says whether anything does; at `false`, the refinement asks about it.
    fn successor(
        &mut self,
        edge: &Edge,
        is_goal: bool,
    ) -> Result<Option<AbstractionFormula>, UnknownReason> {
        if self.configuration.blocks == BlockEnd::Never {
            let derives = is_goal || self.refine(edge)?.is_some();
            return Ok(derives.then(|| AbstractionFormula::of_formula(Term::TRUE)));
        }
        let t = self.paths.context.terms;
        let formulas = edge.premises.iter().map(|&id| {
            let state = self.graph.state(id);
            t.and([self.known.of(state.pred), state.formula()])
        });
        let formulas: Vec<Term> = formulas.collect();
        let head = self.paths.rules.rule(edge.rule).head;
        let predicates = self.precision.of(head);
        let kind = self.configuration.abstraction;
        Ok(self.transfer.successor(edge, &formulas, kind, predicates)?)
    }

    /// Covers a state by an older one, or expands it.
    fn stop_or_expand(&mut self, id: StateId) -> Result<(), UnknownReason> {
        if let Some(by) = self.covering(id)? {
            self.graph.cover(id, by);
            return Ok(());
        }
        match self.configuration.forced_covering {
            ForcedCovering::Identity => {}
            ForcedCovering::Impact => self.force_covering(id)?,
        }
        // Strengthening has covered the state if that suffices, or removed it.
        if self.graph.state(id).is_uncovered() {
            let most = self.paths.settings.max_edges as usize;
            if !self.graph.expand(id, most) {
                return Err(UnknownReason::Incomplete(TOO_MANY_EDGES.to_owned()));
            }
        }
        Ok(())
    }

    /// Tells how far the run is; at the end with its graph, if that is wanted.
    pub(super) fn report(&self, is_end: bool) {
        let context = self.paths.context;
        let graph = (is_end && context.wants_graph)
            .then(|| self.graph.snapshot(context.terms, self.paths.system));
        (self.paths.context.progress)(&Progress {
            engine: self.paths.settings.engine,
            safe_depth: None,
            depth: self.depth,
            lemmas: self.graph.len(),
            obligations: self.graph.open_edges(),
            queries: context.backend.queries(),
            graph: graph.map(Arc::new),
            refined: Some(self.paths.assertions.tally()),
            ..Progress::default()
        });
    }
}
