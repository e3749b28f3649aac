//! Transitive relations learning \[FG25\]: bounded model checking of a system that is extended by
//! transitive relations until its diameter is finite.
//!
//! ```text
//! TRL:
//!   →₀ := Tr
//!   for b = 0, 1, 2, …:
//!     if Init(x₀) ∧ steps(x₀ … x_b) ∧ Bad(x_b) has a model:
//!       return unsafe if all steps of it are Tr; else FORGET a relation
//!     add a step by one of the relations →ᵢ, no learned one twice in a row, and what is blocked
//!     if there is no path: return safe
//!     if its trace has a loop from x_s to x_e:
//!       if no learned relation has (x_s, x_e): LEARN one from the loop
//!       block paths from x_s to x_e that are in the relation, other than the relation itself
//!       b := s - 1
//! ```
//!
//! A learned relation contains all iterations of the loop, so that paths through it need not be
//! unrolled again (`learn`). When no path is long enough, the states that the extended system
//! reaches are an invariant (`closure`).
//!
//! The trace is made of the cubes of the steps around the model. A loop is a part between two steps
//! with the same cube.
//!
//! DIVERGENCE: \[FG25\] gives up when a path with learned steps is bad, since learned relations
//! contain more than the iterations of loops. Here one of the path's relations is forgotten, its
//! loop is unrolled from then on, and the search begins anew.

mod closure;
mod learn;
mod unrolling;

use super::option::{UNLIMITED, declare_options};
use super::transition::{self, Verdict, report};
use super::{Context, Progress};
use crate::chc::{Answer, System, UnknownReason};
use crate::logic::Valuation;
use crate::smt::{Failure, SatResult};
use crate::term::{Term, Terms, Value};
use crate::transform::TransitionSystem;
use rustc_hash::FxHashSet;
use std::iter::zip;
use unrolling::{Blocked, Relation, TraceStep, Unrolling, cube};

declare_options! {
    /// Options of transitive relations learning.
    pub struct Options {
        /// Give up beyond this length of paths in the extended system.
        max_depth: u32 = UNLIMITED;
        /// Give up when more than this number of relations have been learned.
        max_relations: u32 = 1000, in 0..=1000000;
    }
}

/// Is the system linear, so that it is a transition system?
pub fn suits(t: &Terms, system: &System) -> bool {
    transition::suits(t, system)
}

/// Decides a linear system by transitive relations.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    transition::decide(system, context, |system, context| {
        let mut search = Search {
            context,
            system,
            options,
            unrolling: Unrolling::new(system, context),
            forgotten: FxHashSet::default(),
            safe: 0,
        };
        search.run()
    })
}

/// A run of the engine.
struct Search<'a, 't> {
    context: &'a Context<'t>,
    system: &'a TransitionSystem,
    options: &'a Options,
    unrolling: Unrolling<'a, 't>,
    /// Loops that relations are not learned from, by their cubes.
    forgotten: FxHashSet<Vec<Term>>,
    /// No path of less than this length is bad.
    safe: u32,
}

/// Where a loop begins and ends on a trace, and the cubes of its steps.
type Loop = ((usize, usize), Vec<Term>);

impl Search<'_, '_> {
    fn run(&mut self) -> Result<Verdict, UnknownReason> {
        while self.unrolling.len() <= self.options.max_depth as usize {
            self.context.limit.check()?;
            self.report();
            if self.unrolling.is_bad()? {
                let mut model = self.unrolling.model()?;
                let trace = self.unrolling.trace(&mut model)?;
                let learned = trace.iter().map(|step| step.relation).max();
                match learned.unwrap_or(0) {
                    0 => return Ok(Verdict::Reached(self.unrolling.path()?)),
                    relation => {
                        log::debug!("relation {relation} allows too much");
                        self.forgotten.insert(self.unrolling.without(relation).of);
                        continue;
                    }
                }
            }
            self.unrolling.unroll();
            if !self.unrolling.is_possible()? {
                let learned = self.unrolling.relations[1..].iter().map(|r| r.formula);
                let learned: Vec<Term> = learned.collect();
                let invariant = closure::invariant(self.system, &learned, self.context)?;
                return Ok(Verdict::Safe(invariant));
            }
            self.handle_loop()?;
        }
        let why = "the limit on the length of paths (option max-depth) is reached";
        Err(UnknownReason::Incomplete(why.to_owned()))
    }

    /// If the path of the last query has a loop: has a relation for it, and goes back to before it.
    fn handle_loop(&mut self) -> Result<(), UnknownReason> {
        let mut model = self.unrolling.model()?;
        let trace = self.unrolling.trace(&mut model)?;
        let Some((range, of)) = self.shortest_loop(&trace) else {
            return Ok(());
        };
        let states = &self.unrolling.states;
        let ends = [&states[range.0][..], &states[range.1]].concat();
        let own = [&self.system.state[..], &self.system.next].concat();
        let values = zip(own, ends).map(|(x, at)| (x, model.value(at)));
        let values: Vec<(Term, Value)> = values.collect();
        let cube = match self.known(&values)? {
            Some(cube) => cube,
            None => {
                let steps = self.looping(&trace, range, &mut model)?;
                self.learn(&steps, of, &values)?
            }
        };
        self.unrolling.blocked.push(Blocked { range, cube });
        self.unrolling.back_to(range.0);
        Ok(())
    }

    /// A cube of a learned relation that has these values of state and next state, if there is one.
    fn known(&self, values: &[(Term, Value)]) -> Result<Option<Term>, Failure> {
        for relation in &self.unrolling.relations[1..] {
            let found = self.relates(relation.formula, values)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Learns a relation from a loop, a cube over state and next state that has these values.
    /// Answers a cube of it that has them, too.
    fn learn(
        &mut self,
        steps: &[Term],
        of: Vec<Term>,
        values: &[(Term, Value)],
    ) -> Result<Term, UnknownReason> {
        let t = self.context.terms;
        let mut ends = Valuation::new(t, values.iter().cloned());
        let formula = learn::transitive(t, self.system, steps, &mut ends)?;
        log::debug!("learned: {}", t.display(formula));
        let relations = &mut self.unrolling.relations;
        if relations.len() > self.options.max_relations as usize {
            let why = "the limit on learned relations (option max-relations) is reached";
            return Err(UnknownReason::Incomplete(why.to_owned()));
        }
        relations.push(Relation { formula, of });
        let found = self.relates(formula, values)?;
        found.ok_or_else(|| {
            let why = "a learned relation does not contain its loop";
            UnknownReason::Incomplete(why.to_owned())
        })
    }

    /// The shortest part of a trace between two steps that are the same. Loops that are forgotten
    /// are none.
    fn shortest_loop(&self, trace: &[TraceStep]) -> Option<Loop> {
        let mut loops: Vec<(usize, usize)> = Vec::new();
        for (end, step) in trace.iter().enumerate() {
            let start = trace[..end].iter().rposition(|other| other == step);
            loops.extend(start.map(|start| (start, end)));
        }
        loops.sort_by_key(|&(start, end)| (end - start, start));
        let mut loops = loops.into_iter().map(|(start, end)| {
            let cubes = trace[start..end].iter().map(|step| step.cube);
            ((start, end), cubes.collect())
        });
        loops.find(|(_, of)| !self.forgotten.contains(of))
    }

    /// The cube of a loop, over the states before and after it.
    fn looping(
        &self,
        trace: &[TraceStep],
        (start, end): (usize, usize),
        model: &mut Valuation<'_>,
    ) -> Result<Vec<Term>, Failure> {
        let (t, unrolling) = (self.context.terms, &self.unrolling);
        let at = |step: usize| unrolling.between(trace[step].cube, step, step + 1);
        let said = t.and((start..end).map(at));
        let ends = [&unrolling.states[start][..], &unrolling.states[end]].concat();
        Ok(unrolling.of_ends(&cube(t, model, said, &ends)?, start, end))
    }

    /// A cube of the pairs in a relation that these values of state and next state are in, if they
    /// are in it.
    fn relates(&self, relation: Term, values: &[(Term, Value)]) -> Result<Option<Term>, Failure> {
        let t = self.context.terms;
        let mut solver = self.context.backend.solver(t, "trl");
        solver.set_limit(self.context.limit.clone());
        solver.set_purpose("known relation");
        solver.assert(relation);
        for (x, value) in values {
            solver.assert(t.eq(*x, t.value_term(value, t.sort_of(*x))));
        }
        // →ᵢ(x, z) ∧ x = x_s ∧ z = x_e
        match solver.check(format_args!("has a relation a pair of states"), &[]) {
            SatResult::Unsat => return Ok(None),
            SatResult::Unknown(failure) => return Err(failure),
            SatResult::Sat => {}
        }
        let ends: Vec<Term> = values.iter().map(|&(x, _)| x).collect();
        let mut counters = t.vars([relation]);
        counters.retain(|x| !ends.contains(x));
        let mut model = Valuation::new(t, values.iter().cloned());
        for (&x, value) in zip(&counters, solver.values(&counters)?) {
            model.define(x, value);
        }
        Ok(Some(t.and(cube(t, &mut model, relation, &ends)?)))
    }

    /// Tells how far the search is.
    fn report(&mut self) {
        let length = u32::try_from(self.unrolling.len()).unwrap_or(u32::MAX);
        let learned = self.unrolling.relations.len() - 1;
        if learned == 0 {
            self.safe = self.safe.max(length);
        }
        let progress = Progress {
            depth: length,
            lemmas: learned,
            ..Progress::default()
        };
        report(self.context, "trl", self.safe, progress);
    }
}
