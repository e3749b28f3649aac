//! Counterexample-guided abstraction refinement over the graph.

use super::graph::{Edge, Graph, StateId};
use super::transfer::Transfer;
use super::{Configuration, Refinement, Settings};
use crate::chc::{Answer, FactId, Refutation, Skeleton, Step, System, UnknownReason};
use crate::engine::blackboard::Cursor;
use crate::engine::rules::{RuleId, RuleSystem};
use crate::engine::unroll::skeleton::{Conjuncts, Feasibility, feasibility};
use crate::engine::unroll::{Along, Derivation, assertions_along};
use crate::engine::{Context, Progress};
use crate::smt::{Failure, InterpolationOptions};
use crate::term::Term;

/// The reason to give up where solvers do not decide what an edge derives.
const NOTHING_CHANGES: &str = "a spurious derivation changes no abstraction";

/// The reason to give up at a limit.
const TOO_MANY_EDGES: &str = "the limit on edges (option max-edges) is reached";

/// A run of the algorithm.
pub(super) struct Cegar<'a, 't> {
    system: &'a System,
    rules: &'a RuleSystem,
    configuration: Configuration,
    settings: Settings,
    context: &'a Context<'t>,
    graph: Graph<'a>,
    transfer: Transfer<'a, 't>,
    /// The precision: predicates for the abstraction of each predicate's states, by its index.
    precision: Vec<Vec<Term>>,
    /// Invariants of each predicate that others found, by its index.
    known: Vec<Term>,
    seen: Cursor,
    /// The number of steps of the longest derivation that was refined.
    depth: u32,
}

/// What became of a derivation of `false`.
enum Refined {
    /// It has these values.
    Feasible(Refutation),
    /// It has none, and the graph has changed.
    Spurious,
}

impl<'a, 't> Cegar<'a, 't> {
    pub(super) fn new(
        system: &'a System,
        rules: &'a RuleSystem,
        configuration: Configuration,
        settings: Settings,
        context: &'a Context<'t>,
    ) -> Self {
        Cegar {
            system,
            rules,
            configuration,
            settings,
            context,
            graph: Graph::new(rules),
            transfer: Transfer::new(rules, context),
            precision: vec![Vec::new(); rules.params.len()],
            known: vec![Term::TRUE; rules.params.len()],
            seen: Cursor::default(),
            depth: 0,
        }
    }

    /// A verdict, or the reason why there is none.
    pub(super) fn run(&mut self) -> Result<Answer, UnknownReason> {
        self.read_board();
        loop {
            self.context.limit.check()?;
            while let Some(id) = self.graph.take_loose() {
                self.stop_or_expand(id)?;
            }
            let Some(edge) = self.graph.take() else { break };
            if self.graph.edges() > self.settings.max_edges as usize {
                return Err(UnknownReason::Incomplete(TOO_MANY_EDGES.to_owned()));
            }
            let Some(formula) = self.successor(&edge)? else {
                continue;
            };
            let head = self.rules.rule(edge.rule).head;
            if head != self.rules.goal {
                let precision = self.precision[head.index()].len();
                let state = self.graph.add(edge, formula, precision);
                self.stop_or_expand(state)?;
                continue;
            }
            if let Refined::Feasible(refutation) = self.refine(&edge)? {
                return Ok(Answer::Unsat(refutation));
            }
            self.graph.open_again(edge);
            self.read_board();
            self.report();
        }
        let t = self.context.terms;
        Ok(Answer::Sat(self.rules.model(|pred| {
            let states = self.graph.uncovered(pred).iter();
            let reached = t.or(states.map(|&s| self.graph.state(s).formula));
            t.and([self.known[pred.index()], reached])
        })))
    }

    /// Conjoins the invariants that are new on the board to what is known of the predicates.
    fn read_board(&mut self) {
        if let Some(news) = self.context.news(&mut self.seen) {
            let t = self.context.terms;
            for (pred, formula) in self.rules.formulas(t, &news) {
                let known = &mut self.known[pred.index()];
                *known = t.and([*known, formula]);
            }
        }
    }

    /// The abstraction of what follows from an edge; `None` if nothing does.
    fn successor(&mut self, edge: &Edge) -> Result<Option<Term>, Failure> {
        let t = self.context.terms;
        let formulas = edge.premises.iter().map(|&id| {
            let state = self.graph.state(id);
            t.and([self.known[state.pred.index()], state.formula])
        });
        let formulas: Vec<Term> = formulas.collect();
        let predicates = &self.precision[self.rules.rule(edge.rule).head.index()];
        let follow = self.transfer.successor(edge, &formulas, predicates)?;
        Ok(follow.map(|predicates| t.and(predicates)))
    }

    /// Covers a state by an older one, or expands it.
    fn stop_or_expand(&mut self, id: StateId) -> Result<(), UnknownReason> {
        if let Some(by) = self.covering(id)? {
            self.graph.cover(id, by);
            return Ok(());
        }
        if self.settings.forced_coverings > 0 {
            self.force_covering(id)?;
        }
        // Strengthening has covered the state if that suffices, or removed it.
        if self.graph.state(id).is_uncovered() {
            let most = self.settings.max_edges as usize;
            if !self.graph.expand(id, most) {
                return Err(UnknownReason::Incomplete(TOO_MANY_EDGES.to_owned()));
            }
        }
        Ok(())
    }

    /// An older uncovered state that covers a state.
    fn covering(&mut self, id: StateId) -> Result<Option<StateId>, Failure> {
        let state = self.graph.state(id);
        let (pred, formula) = (state.pred, state.formula);
        for &other in self.graph.uncovered(pred) {
            if other < id {
                let weak = self.graph.state(other).formula;
                if self.transfer.implies(formula, weak)? {
                    return Ok(Some(other));
                }
            }
        }
        Ok(None)
    }

    /// REFINE: looks for values of the derivation that an edge to `false` ends. Where it has none,
    /// the assertions along it change the graph.
    fn refine(&mut self, edge: &Edge) -> Result<Refined, UnknownReason> {
        let states = self.graph.derivation(edge);
        let steps = self.steps(&states, edge);
        let length = u32::try_from(steps.len()).unwrap_or(u32::MAX);
        self.depth = self.depth.max(length);
        let assertions = match self.assertions(&Derivation::of_false(&steps))? {
            Along::Assertions(assertions) => assertions,
            Along::Feasible(copies) => return self.values(copies),
        };
        match self.configuration.refinement {
            Refinement::Predicates => self.refine_precision(&states, &assertions)?,
            Refinement::Impact => {
                if !self.strengthen(std::iter::zip(states, assertions).collect())? {
                    return Err(UnknownReason::Incomplete(NOTHING_CHANGES.to_owned()));
                }
            }
        }
        debug_assert!(self.graph.is_valid());
        Ok(Refined::Spurious)
    }

    fn assertions(&self, derivation: &Derivation<'_>) -> Result<Along, UnknownReason> {
        let options = InterpolationOptions {
            source: self.settings.source,
            strength: self.settings.strength,
            ..InterpolationOptions::default()
        };
        assertions_along(self.context, self.rules, derivation, &options)
    }

    /// The derivation of an edge's conclusion: its states in this order, and the edge.
    fn steps(&self, states: &[StateId], last: &Edge) -> Vec<Step> {
        let place = |state: &StateId| {
            let place = states.binary_search(state).expect("it is a part of it");
            FactId(u32::try_from(place).expect("fewer than edges"))
        };
        let step = |edge: &Edge| Step {
            clause: edge.rule.clause(),
            premises: edge.premises.iter().map(place).collect(),
        };
        let steps = states.iter().map(|&id| step(&self.graph.state(id).edge));
        steps.chain([step(last)]).collect()
    }

    /// The values of a derivation that has some.
    fn values(&self, steps: Vec<Step>) -> Result<Refined, UnknownReason> {
        let rules = self.rules;
        let skeleton = Skeleton::new(self.system, steps);
        let skeleton = skeleton.expect("edges apply rules to what they are about");
        let whole = |_, rule: RuleId| Conjuncts {
            always: vec![rules.rule(rule).constraint],
            assumed: Vec::new(),
        };
        match feasibility(self.context, rules, &skeleton, whole, 0)? {
            Feasibility::Feasible(refutation) => Ok(Refined::Feasible(refutation)),
            Feasibility::Infeasible(_) => {
                let why = "a derivation has values by one solver and none by another";
                Err(UnknownReason::Incomplete(why.to_owned()))
            }
        }
    }

    /// FCOVER of Impact: does an older state cover a state once the states on the way to it, from
    /// what both are derived from, are strengthened? Then they are, and so is the state.
    ///
    /// HORN: both may be derived from several states that the paper's nearest common ancestor is
    /// one of. DIVERGENCE: the paper tries all older states, and here the newest ones are tried, as
    /// many as the settings say.
    fn force_covering(&mut self, id: StateId) -> Result<(), UnknownReason> {
        let state = self.graph.state(id);
        let (pred, edge) = (state.pred, state.edge.clone());
        let states = self.graph.derivation(&edge);
        let steps = self.steps(&states, &edge);
        let candidates = self.graph.uncovered(pred).iter().rev();
        let candidates = candidates.copied().filter(|&other| other < id);
        let most = self.settings.forced_coverings as usize;
        for other in candidates.take(most).collect::<Vec<StateId>>() {
            let mut shared = self.graph.derivation(&self.graph.state(other).edge);
            shared.push(other);
            // ψ of what both are derived from is given, and of the other state if it is that.
            let given = |state: &StateId| {
                let is_shared = shared.binary_search(state).is_ok();
                is_shared.then(|| self.graph.state(*state).formula)
            };
            let derivation = Derivation {
                steps: &steps,
                given: states.iter().map(given).chain([None]).collect(),
                conclusion: self.graph.state(other).formula,
            };
            let assertions = match self.assertions(&derivation) {
                Ok(Along::Assertions(assertions)) => assertions,
                Ok(Along::Feasible(_)) | Err(UnknownReason::Incomplete(_)) => continue,
                Err(reason) => return Err(reason),
            };
            let changed = std::iter::zip(states.iter().copied().chain([id]), assertions);
            let changed = changed.filter(|(state, _)| shared.binary_search(state).is_err());
            self.strengthen(changed.collect())?;
            debug_assert!(self.graph.is_valid());
            return Ok(());
        }
        Ok(())
    }

    /// Predicate abstraction: the conjuncts of the assertions join the precision. A state is
    /// derived again if its abstraction did not know the conjuncts of its assertion.
    ///
    /// At least one state is. Else each state of the derivation would imply its assertion, from the
    /// facts on, and the edge to `false` would derive nothing.
    fn refine_precision(
        &mut self,
        states: &[StateId],
        assertions: &[Term],
    ) -> Result<(), UnknownReason> {
        let t = self.context.terms;
        let mut again = Vec::new();
        for (&id, &assertion) in std::iter::zip(states, assertions) {
            let state = self.graph.state(id);
            let precision = &mut self.precision[state.pred.index()];
            let mut is_old = true;
            for conjunct in t.conjuncts(assertion) {
                if conjunct == Term::TRUE {
                    continue;
                }
                let place = precision.iter().position(|&p| p == conjunct);
                let place = place.unwrap_or_else(|| {
                    precision.push(conjunct);
                    precision.len() - 1
                });
                is_old &= place < state.precision;
            }
            if !is_old {
                again.push((id, state.edge.clone()));
            }
        }
        if again.is_empty() {
            return Err(UnknownReason::Incomplete(NOTHING_CHANGES.to_owned()));
        }
        for (id, edge) in again {
            self.graph.remove(id);
            self.graph.open_again(edge);
        }
        Ok(())
    }

    /// Impact: the assertions strengthen the states. What these cover is checked again, and whether
    /// they are covered. Answers whether one of them has become stronger.
    fn strengthen(&mut self, assertions: Vec<(StateId, Term)>) -> Result<bool, UnknownReason> {
        let t = self.context.terms;
        let mut changed = Vec::new();
        for (id, assertion) in assertions {
            let formula = self.graph.state(id).formula;
            if !self.transfer.implies(formula, assertion)? {
                self.graph.strengthen(id, t.and([formula, assertion]));
                changed.push(id);
            }
        }
        let is_stronger = !changed.is_empty();
        for id in changed {
            if !self.graph.state(id).is_uncovered() {
                continue;
            }
            let formula = self.graph.state(id).formula;
            if formula == Term::FALSE {
                self.graph.remove(id);
                continue;
            }
            for covered in self.graph.covered(id) {
                let strong = self.graph.state(covered).formula;
                if !self.transfer.implies(strong, formula)? {
                    self.graph.uncover(covered);
                }
            }
            if let Some(by) = self.covering(id)? {
                self.graph.cover(id, by);
            }
        }
        Ok(is_stronger)
    }

    pub(super) fn report(&self) {
        (self.context.progress)(&Progress {
            engine: self.configuration.engine,
            safe_depth: None,
            depth: self.depth,
            lemmas: self.graph.len(),
            obligations: self.graph.open_edges(),
            queries: self.context.backend.queries(),
            ..Progress::default()
        });
    }
}
