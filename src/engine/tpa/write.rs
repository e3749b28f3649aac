//! The states of a path, step by step.
//!
//! A segment says between which states there are paths. The state between the parts of a joined
//! segment is found by a query, and so on down to single steps. Where the steps are functions of
//! the state before them, no query is needed: the states follow one after the other.

use super::reach::Reachability;
use super::segment::{SegmentId, Way};
use crate::logic::equations::{Role, solve};
use crate::smt::{Failure, Limit, SatResult};
use crate::term::{Evaluator, Term, TermSet, Unspecified, Value};
use rustc_hash::FxHashMap;
use std::iter::zip;

/// No more steps than these are written out. The value was not tuned.
const STEPS: u64 = 2_000_000;

/// The values of the variables of a state.
pub(super) type State = Vec<Value>;

/// A path under way.
struct Writer<'a, 'b, 't> {
    search: &'a Reachability<'b, 't>,
    /// The verdict is known: the path has the limit of derivations.
    limit: Limit,
    /// The path so far, without its start.
    states: Vec<State>,
    /// What single steps make of each variable, by the segment; `None` where that is no function.
    functions: FxHashMap<SegmentId, Option<Vec<Term>>>,
    /// Are the steps of a segment functions?
    determined: FxHashMap<SegmentId, bool>,
}

impl<'t> Reachability<'_, 't> {
    /// The states of a path of this segment from an initial to a bad state.
    ///
    /// # Errors
    /// The path is too long to be written out, or a solver does not answer.
    pub(super) fn path(&self, id: SegmentId) -> Result<Vec<State>, Failure> {
        let system = self.powers.system;
        let segment = self.segments.get(id);
        log::info!("a bad state after {} steps", segment.steps);
        if segment.steps > STEPS {
            let why = format!("a refutation of {} steps is not written out", segment.steps);
            return Err(Failure::Incomplete(why));
        }
        // Init(x) ∧ s(x, z) ∧ Bad(z)
        let said = [&[system.init, self.bad()], &segment.literals[..]].concat();
        let ends = [&system.state[..], &system.next].concat();
        let mut start = self.values(&said, &ends)?;
        let end = start.split_off(system.state.len());
        let mut writer = Writer {
            search: self,
            limit: self.powers.context.for_derivation().limit.clone(),
            states: vec![start.clone()],
            functions: FxHashMap::default(),
            determined: FxHashMap::default(),
        };
        writer.write(id, &start, &end)?;
        debug_assert_eq!(writer.states.last(), Some(&end));
        Ok(writer.states)
    }

    /// Values of variables in a model of formulas, which have one.
    fn values(&self, said: &[Term], vars: &[Term]) -> Result<Vec<Value>, Failure> {
        let mut solver = self.solver();
        solver.set_limit(self.powers.context.for_derivation().limit.clone());
        said.iter().for_each(|&formula| solver.assert(formula));
        // ⋀ said
        match solver.check(format_args!("states of a path"), &[]) {
            SatResult::Sat => solver.values(vars),
            SatResult::Unknown(failure) => Err(failure),
            SatResult::Unsat => {
                let why = "the solver's answers contradict each other: the states of a path that it \
                           found have no values; try another --solver";
                Err(Failure::Incomplete(why.to_owned()))
            }
        }
    }
}

impl Writer<'_, '_, '_> {
    /// Adds the states of a path of the segment after its start.
    fn write(&mut self, id: SegmentId, start: &State, end: &State) -> Result<(), Failure> {
        self.limit.check()?;
        if self.is_determined(id) {
            return self.follow(id, start);
        }
        match self.search.segments.get(id).way {
            Way::Stay => Ok(()),
            Way::Step => {
                self.states.push(end.clone());
                Ok(())
            }
            Way::Joined(first, second) => {
                let middle = match self.is_determined(first) {
                    true => {
                        self.follow(first, start)?;
                        self.states.last().expect("it has the start").clone()
                    }
                    false => {
                        let middle = self.middle(first, second, start, end)?;
                        self.write(first, start, &middle)?;
                        middle
                    }
                };
                self.write(second, &middle, end)
            }
        }
    }

    /// A state between two segments.
    fn middle(
        &self,
        first: SegmentId,
        second: SegmentId,
        start: &State,
        end: &State,
    ) -> Result<State, Failure> {
        let (search, powers) = (self.search, &self.search.powers);
        let t = powers.context.terms;
        let is = |vars: &[Term], state: &State| {
            let equation = |(&x, value)| t.eq(x, t.value_term(value, t.sort_of(x)));
            zip(vars, state).map(equation).collect::<Vec<_>>()
        };
        let literals = |id: SegmentId| search.segments.get(id).literals.iter();
        let mut said = is(&powers.system.state, start);
        said.extend(is(&powers.system.next, end));
        said.extend(literals(first).map(|&l| powers.first(l)));
        said.extend(literals(second).map(|&l| powers.second(l)));
        // x = start ∧ s₁(x, y) ∧ s₂(y, z) ∧ z = end
        search.values(&said, &powers.middle)
    }

    /// Follows the steps of a segment, which are functions.
    fn follow(&mut self, id: SegmentId, start: &State) -> Result<(), Failure> {
        let (t, system) = (self.search.powers.context.terms, self.search.powers.system);
        let mut state = start.clone();
        let mut values = Evaluator::new(t, Unspecified::Default);
        for step in self.search.segments.steps(id) {
            let function = self.functions.get(&step).and_then(|f| f.as_ref());
            let function = function.expect("the steps are functions");
            values.restart();
            for (&x, value) in zip(&system.state, state) {
                values.assign(x, value);
            }
            let next = function.iter().map(|&value| values.eval(value));
            let next: Result<State, _> = next.collect();
            state = next.map_err(|why| Failure::Incomplete(why.to_string()))?;
            self.states.push(state.clone());
        }
        Ok(())
    }

    /// Is each step of a segment a function of the state before it?
    fn is_determined(&mut self, id: SegmentId) -> bool {
        if let Some(&known) = self.determined.get(&id) {
            return known;
        }
        let determined = match self.search.segments.get(id).way {
            Way::Stay => true,
            Way::Joined(first, second) => self.is_determined(first) && self.is_determined(second),
            Way::Step => {
                let function = self.function(id);
                let determined = function.is_some();
                self.functions.insert(id, function);
                determined
            }
        };
        self.determined.insert(id, determined);
        determined
    }

    /// What a step makes of each variable, over the variables of the state before it.
    fn function(&self, id: SegmentId) -> Option<Vec<Term>> {
        let (t, system) = (self.search.powers.context.terms, self.search.powers.system);
        let next: TermSet = system.next.iter().copied().collect();
        let role = |x: Term| match next.contains(&x) {
            true => Role::Free,
            false => Role::Fixed,
        };
        let mut conjuncts = self.search.segments.get(id).literals.clone();
        let mut known: Vec<(Term, Term)> = Vec::new();
        while let Some(mut round) = solve(t, &conjuncts, role) {
            for (_, value) in &mut known {
                *value = round.substitution.apply(*value);
            }
            known.append(&mut round.solutions);
            conjuncts = round.rest;
        }
        let known: FxHashMap<Term, Term> = known.into_iter().collect();
        let values: Option<Vec<Term>> = (system.next.iter())
            .map(|x| known.get(x).copied())
            .collect();
        values.filter(|values| {
            !t.vars(values.iter().copied())
                .iter()
                .any(|x| next.contains(x))
        })
    }
}
