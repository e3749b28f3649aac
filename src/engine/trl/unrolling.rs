//! Paths of the extended system: *Init*, and steps by *Trans* or by learned relations, in one
//! solver.

use super::closure::renamed;
use crate::engine::Context;
use crate::engine::transition;
use crate::logic::Valuation;
use crate::smt::{Failure, SatResult, Solver};
use crate::term::{Sort, Term, TermMap, TermSet, Terms, Value};
use crate::transform::TransitionSystem;
use std::fmt::Arguments;
use std::iter::zip;

/// A relation of the extended system.
pub(super) struct Relation {
    /// Over state, next state and inputs.
    pub(super) formula: Term,
    /// The cubes of the loop that it was learned from; none for *Trans*.
    pub(super) of: Vec<Term>,
}

/// Paths in a learned relation, which need not be unrolled.
pub(super) struct Blocked {
    /// Where the path begins and ends: the numbers of two states.
    pub(super) range: (usize, usize),
    /// Over state and next state: both ends of the path.
    pub(super) cube: Term,
}

/// A step of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TraceStep {
    /// Which relation it is by.
    pub(super) relation: usize,
    /// The cube around the model, over state and next state.
    pub(super) cube: Term,
}

/// What one step of the unrolling may be.
struct Step {
    /// For each relation the variable that is true if the step is by it, and what it says.
    choices: Vec<(Term, Term)>,
}

/// The paths that are not blocked, up to a length.
pub(super) struct Unrolling<'a, 't> {
    context: &'a Context<'t>,
    system: &'a TransitionSystem,
    /// *Trans*, and the learned ones.
    pub(super) relations: Vec<Relation>,
    pub(super) blocked: Vec<Blocked>,
    /// The states; one more than there are steps.
    pub(super) states: Vec<Vec<Term>>,
    steps: Vec<Step>,
    /// Has *Init*, and a scope for each step.
    solver: Box<dyn Solver + 't>,
}

impl<'a, 't> Unrolling<'a, 't> {
    /// Paths without steps.
    pub(super) fn new(system: &'a TransitionSystem, context: &'a Context<'t>) -> Self {
        Unrolling {
            context,
            system,
            relations: vec![Relation {
                formula: system.trans,
                of: Vec::new(),
            }],
            blocked: Vec::new(),
            states: vec![system.state.clone()],
            steps: Vec::new(),
            solver: Self::solver(system, context),
        }
    }

    fn solver(system: &TransitionSystem, context: &Context<'t>) -> Box<dyn Solver + 't> {
        let mut solver = context.backend.solver(context.terms, "trl");
        solver.set_limit(context.limit.clone());
        solver.assert(system.init);
        solver
    }

    /// The number of steps.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Begins anew without a relation. Nothing is blocked.
    pub(super) fn without(&mut self, relation: usize) -> Relation {
        self.blocked.clear();
        self.states.truncate(1);
        self.steps.clear();
        self.solver = Self::solver(self.system, self.context);
        self.relations.remove(relation)
    }

    /// Goes back to the state of this number.
    pub(super) fn back_to(&mut self, state: usize) {
        while self.steps.len() > state {
            self.solver.pop();
            self.steps.pop();
            self.states.pop();
        }
    }

    /// Is the last state of a path bad?
    ///
    /// # Errors
    /// The solver does not answer.
    pub(super) fn is_bad(&mut self) -> Result<bool, Failure> {
        let (t, last) = (self.context.terms, self.len());
        let bad = self.between(self.system.bad, last, last);
        let active = t.fresh_var("bad", Sort::BOOL);
        self.solver.assert(t.implies(active, bad));
        self.solver.set_purpose("bad states");
        // Init(x₀) ∧ steps ∧ Bad(x_b)
        self.ask(format_args!("a bad path of {last} steps"), &[active])
    }

    /// Is there a path as long as the unrolling?
    ///
    /// # Errors
    /// The solver does not answer.
    pub(super) fn is_possible(&mut self) -> Result<bool, Failure> {
        self.solver.set_purpose("diameter");
        let length = self.len();
        // Init(x₀) ∧ steps
        self.ask(format_args!("a path of {length} steps"), &[])
    }

    fn ask(&mut self, about: Arguments<'_>, assumptions: &[Term]) -> Result<bool, Failure> {
        match self.solver.check(about, assumptions) {
            SatResult::Sat => Ok(true),
            SatResult::Unsat => Ok(false),
            SatResult::Unknown(failure) => Err(failure),
        }
    }

    /// A formula over state and next state, said of the states of two numbers. Its inputs become
    /// new ones.
    pub(super) fn between(&self, formula: Term, from: usize, to: usize) -> Term {
        let (t, system) = (self.context.terms, self.system);
        let mut pairs: TermMap<Term> = TermMap::default();
        pairs.extend(zip(&system.next, &self.states[to]).map(|(&x, &y)| (x, y)));
        pairs.extend(zip(&system.state, &self.states[from]).map(|(&x, &y)| (x, y)));
        for input in t.vars([formula]) {
            let fresh = || t.fresh_var("input", t.sort_of(input));
            pairs.entry(input).or_insert_with(fresh);
        }
        t.substitute(formula, pairs)
    }

    /// A cube over the states of two numbers, said of state and next state.
    pub(super) fn of_ends(&self, cube: &[Term], from: usize, to: usize) -> Vec<Term> {
        let t = self.context.terms;
        let ends = [&self.states[from][..], &self.states[to]].concat();
        let own = [&self.system.state[..], &self.system.next].concat();
        let said = cube.iter().map(|&literal| renamed(t, literal, &ends, &own));
        said.collect()
    }

    /// Adds a step by one of the relations, and what is blocked at it.
    pub(super) fn unroll(&mut self) {
        let (t, at) = (self.context.terms, self.len());
        let fresh = |&x: &Term| t.fresh_var("state", t.sort_of(x));
        let next = self.system.state.iter().map(fresh).collect();
        self.states.push(next);
        let choice = |relation: &Relation| {
            let used = t.fresh_var("used", Sort::BOOL);
            (used, self.between(relation.formula, at, at + 1))
        };
        let choices: Vec<(Term, Term)> = self.relations.iter().map(choice).collect();
        let mut said = vec![t.or(choices.iter().map(|&(used, _)| used))];
        for (i, &(used, formula)) in choices.iter().enumerate() {
            said.push(t.implies(used, formula));
            let others = choices[..i].iter();
            said.extend(others.map(|&(other, _)| t.not(t.and([used, other]))));
            // A relation that is transitive is not used twice in a row.
            let before = at.checked_sub(1).map(|step| &self.steps[step].choices);
            if let (1.., Some((before, _))) = (i, before.and_then(|choices| choices.get(i))) {
                said.push(t.not(t.and([used, *before])));
            }
        }
        self.steps.push(Step { choices });
        let blocked = self
            .blocked
            .iter()
            .filter(|blocked| blocked.range.1 == at + 1);
        said.extend(blocked.map(|blocked| self.blocking_clause(blocked)));
        self.solver.push();
        said.into_iter()
            .for_each(|formula| self.solver.assert(formula));
    }

    /// The clause that no path goes where a learned relation leads in one step.
    fn blocking_clause(&self, blocked: &Blocked) -> Term {
        let t = self.context.terms;
        let (from, to) = blocked.range;
        let elsewhere = t.not(self.between(blocked.cube, from, to));
        let learned = match to - from {
            1 => &self.steps[from].choices[1..],
            _ => &[],
        };
        let learned = learned.iter().map(|&(used, _)| used);
        t.or([elsewhere].into_iter().chain(learned))
    }

    /// The model of the last query.
    ///
    /// # Errors
    /// The solver has no values.
    pub(super) fn model(&mut self) -> Result<Valuation<'t>, Failure> {
        let t = self.context.terms;
        let mut vars: Vec<Term> = self.states.iter().flatten().copied().collect();
        for step in &self.steps {
            vars.extend(step.choices.iter().map(|&(used, _)| used));
            vars.extend(t.vars(step.choices.iter().map(|&(_, formula)| formula)));
        }
        vars.sort_unstable();
        vars.dedup();
        let values = self.solver.values(&vars)?;
        Ok(Valuation::new(t, vars.into_iter().zip(values)))
    }

    /// The steps of a model.
    ///
    /// # Errors
    /// One of them is by no relation, or the model does not satisfy what it is.
    pub(super) fn trace(&self, model: &mut Valuation<'_>) -> Result<Vec<TraceStep>, Failure> {
        let t = self.context.terms;
        let mut trace = Vec::with_capacity(self.len());
        for (at, step) in self.steps.iter().enumerate() {
            let used = step.choices.iter().position(|&(used, _)| model.holds(used));
            let Some(relation) = used else {
                let why = "the solver's model contradicts the query: a step of its path is in none \
                    of the transition relations; try another --solver";
                return Err(Failure::Incomplete(why.to_owned()));
            };
            let formula = step.choices[relation].1;
            let ends = [&self.states[at][..], &self.states[at + 1]].concat();
            let cube = cube(t, model, formula, &ends)?;
            let mut cube = self.of_ends(&cube, at, at + 1);
            cube.sort_unstable();
            trace.push(TraceStep {
                relation,
                cube: t.and(cube),
            });
        }
        Ok(trace)
    }

    /// The states of the path of the last query.
    ///
    /// # Errors
    /// The solver has no values.
    pub(super) fn path(&mut self) -> Result<Vec<Vec<Value>>, Failure> {
        let states = self.states.iter().map(|state| self.solver.values(state));
        states.collect()
    }
}

/// A cube over the variables `kept` that implies `∃ others. formula`, around a model.
///
/// # Errors
/// The model does not satisfy the formula.
pub(super) fn cube(
    t: &Terms,
    model: &mut Valuation<'_>,
    formula: Term,
    kept: &[Term],
) -> Result<Vec<Term>, Failure> {
    let kept: TermSet = kept.iter().copied().collect();
    let others = t.vars([formula]).into_iter().filter(|x| !kept.contains(x));
    transition::cube(t, model, others, &[formula])
}
