//! Bounded reachability: can a cube be reached in at most `n` steps?
//!
//! ```text
//! REACH(n, C):
//!   while (Init(s') ∨ R_{n-1}(s) ∧ Trans(s, s')) ∧ C(s') has a model:
//!     if s' is initial in it:               return reachable
//!     G := GENERALIZE(model, Trans ∧ C')    -- a cube of predecessors
//!     if REACH(n - 1, G) is reachable:      return reachable
//!   L := a lemma that follows from Init(s') ∨ R_{n-1}(s) ∧ Trans(s, s') and contradicts C
//!   R_n := R_n ∧ L
//!   return L
//! ```
//!
//! A lemma of level `n` holds of all states that are reachable in at most `n` steps, and `R_n` is
//! the conjunction of the lemmas of level `n` and above.

use super::super::transition::Steps;
use super::Options;
use crate::engine::Context;
use crate::logic::{
    Valuation, divides_anew, project, split_equalities, with_guards, without_weaker_bounds,
};
use crate::smt::{Failure, SatResult, Solver};
use crate::term::{Sort, Term, TermSet, Terms};

/// The answer of [`Reach::reach`].
pub(super) enum Reached {
    /// A path of this number of steps leads from an initial state to the cube.
    In(u32),
    /// No path of at most `n` steps does: this formula holds at the end of each, and contradicts
    /// the cube.
    Not(Term),
}

/// The frames `R₀, R₁, …`, and the solver that has them.
pub(super) struct Reach<'a, 't> {
    context: &'a Context<'t>,
    steps: &'a Steps<'a, 't>,
    options: &'a Options,
    /// The formulas of one step from step 0 to step 1.
    solver: Box<dyn Solver + 't>,
    /// Says that the state at step 1 is initial.
    first: Term,
    /// For each level a literal that the lemmas of the level hold at step 0. It implies the next
    /// one.
    levels: Vec<Term>,
    /// The number of lemmas.
    pub(super) lemmas: usize,
    trans: Term,
    vars: Vec<Term>,
}

/// The reply to a query about one step.
enum Reply<'t> {
    Initial,
    Step(Valuation<'t>),
    /// There is none, because of these literals.
    Blocked(Vec<Term>),
}

impl<'a, 't> Reach<'a, 't> {
    pub(super) fn new(
        context: &'a Context<'t>,
        steps: &'a Steps<'a, 't>,
        options: &'a Options,
    ) -> Self {
        let t = context.terms;
        let mut solver = context.backend.solver(t, "pdkind reach");
        solver.set_limit(context.limit.clone());
        let (first, init) = (t.fresh_var("first", Sort::BOOL), steps.at(steps.init(), 1));
        let trans = steps.trans(0);
        solver.assert(t.implies(first, init));
        solver.assert(t.or([first, trans]));
        let states = [steps.state(0), steps.state(1)].concat();
        let vars = t.vars(states.into_iter().chain([trans, first]));
        Reach {
            context,
            steps,
            options,
            solver,
            first,
            levels: vec![t.fresh_var("level", Sort::BOOL)],
            lemmas: 0,
            trans,
            vars,
        }
    }

    /// Can the cube be reached in at most `n` steps? New lemmas are added to the frames.
    ///
    /// # Errors
    /// A solver does not answer, or the limit is reached.
    pub(super) fn reach(&mut self, n: u32, cube: &[Term]) -> Result<Reached, Failure> {
        let cube = split_equalities(self.context.terms, cube);
        let mut obligations = vec![(n, cube)];
        loop {
            self.context.limit.check()?;
            let (level, cube) = obligations.last().expect("the first one ends the loop");
            let (level, cube) = (*level, cube.clone());
            match self.ask(level, &cube, false)? {
                Reply::Initial => {
                    let steps = obligations.len() - 1;
                    return Ok(Reached::In(u32::try_from(steps).expect("at most n")));
                }
                Reply::Step(mut model) => {
                    let formulas = cube.iter().map(|&l| self.steps.at(l, 1));
                    let formulas = formulas.chain([self.trans]).collect();
                    let before = generalize(self.context.terms, self.steps, &mut model, formulas)?;
                    let before = split_equalities(self.context.terms, &before);
                    obligations.push((level - 1, before));
                }
                Reply::Blocked(core) => {
                    let blocked = self.drop_literals(level, core)?;
                    let (blocked, level) = self.raise(level, n, blocked)?;
                    let t = self.context.terms;
                    let lemma = t.not(t.and(blocked));
                    self.add(level, lemma);
                    obligations.pop();
                    if obligations.is_empty() {
                        return Ok(Reached::Not(lemma));
                    }
                }
            }
        }
    }

    /// Adds a lemma that holds of all states that are reachable in at most `level` steps.
    pub(super) fn add(&mut self, level: u32, lemma: Term) {
        let t = self.context.terms;
        let level = level as usize;
        while self.levels.len() <= level {
            let next = t.fresh_var("level", Sort::BOOL);
            let last = *self.levels.last().expect("there is a level");
            self.solver.assert(t.implies(last, next));
            self.levels.push(next);
        }
        self.solver.assert(t.implies(self.levels[level], lemma));
        self.lemmas += 1;
    }

    /// Drops literals of a blocked cube without which it is blocked as well \[Bra11\]: no state
    /// that is not in the cube leads into it.
    fn drop_literals(&mut self, level: u32, cube: Vec<Term>) -> Result<Vec<Term>, Failure> {
        let mut blocked = cube;
        if !self.options.drop_literals {
            return Ok(blocked);
        }
        let mut needed: Vec<Term> = Vec::new();
        while let Some(literal) = blocked.pop() {
            let rest: Vec<Term> = needed.iter().chain(&blocked).copied().collect();
            match self.ask(level, &rest, true) {
                Ok(Reply::Blocked(core)) => {
                    needed.retain(|l| core.contains(l));
                    blocked.retain(|l| core.contains(l));
                }
                Ok(_) | Err(Failure::Incomplete(_)) => needed.push(literal),
                Err(failure) => return Err(failure),
            }
        }
        Ok(needed)
    }

    /// Raises the level of a blocked cube up to `n` as far as it is blocked there, and answers what
    /// of the cube is blocked, and the level.
    fn raise(&mut self, level: u32, n: u32, cube: Vec<Term>) -> Result<(Vec<Term>, u32), Failure> {
        let (mut level, mut cube) = (level, cube);
        while self.options.raise && level < n {
            match self.ask(level + 1, &cube, true) {
                Ok(Reply::Blocked(core)) => (cube, level) = (core, level + 1),
                Ok(_) | Err(Failure::Incomplete(_)) => break,
                Err(failure) => return Err(failure),
            }
        }
        Ok((cube, level))
    }

    /// Is there a step from `R_{level-1}` into the cube, or an initial state in it?
    ///
    /// `again`: steps from the cube itself do not count, and no weaker cube is looked for.
    fn ask(&mut self, level: u32, cube: &[Term], again: bool) -> Result<Reply<'t>, Failure> {
        let t = self.context.terms;
        let primed: Vec<Term> = cube.iter().map(|&l| self.steps.at(l, 1)).collect();
        let mut assumptions = vec![match level.checked_sub(1) {
            None => self.first,
            Some(before) => self.level_literal(before),
        }];
        if again {
            assumptions.push(t.or([self.first, t.not(t.and(cube.iter().copied()))]));
        }
        assumptions.extend_from_slice(&primed);
        self.solver
            .set_purpose(if again { "drop" } else { "reach" });
        // (Init(s') ∨ R_{n-1}(s) ∧ Trans(s, s')) ∧ C(s')
        // again: (Init(s') ∨ R_{n-1}(s) ∧ ¬C(s) ∧ Trans(s, s')) ∧ C(s')
        let about = format_args!("is the cube reachable in {level} steps");
        match self.solver.check(about, &assumptions) {
            SatResult::Unknown(failure) => Err(failure),
            SatResult::Sat if again => Ok(Reply::Initial),
            SatResult::Sat => {
                let values = self.solver.values(&self.vars)?;
                let pairs = std::iter::zip(self.vars.iter().copied(), values);
                let mut model = Valuation::new(t, pairs);
                Ok(match model.holds(self.first) {
                    true => Reply::Initial,
                    false => Reply::Step(model),
                })
            }
            SatResult::Unsat => {
                let weaker = (!again && self.options.weaken)
                    .then(|| self.solver.weaken(&primed))
                    .flatten()
                    .filter(|weaker| !divides_anew(t, weaker, &primed));
                let core = match weaker {
                    Some(weaker) => weaker,
                    None => {
                        let core = self.solver.core()?;
                        primed.into_iter().filter(|l| core.contains(l)).collect()
                    }
                };
                let core = core.into_iter().map(|l| self.steps.back(l, 1));
                Ok(Reply::Blocked(with_guards(t, core.collect(), cube)))
            }
        }
    }

    /// The literal of a level that may have no lemmas yet.
    fn level_literal(&mut self, level: u32) -> Term {
        match self.levels.get(level as usize) {
            Some(&literal) => literal,
            None => Term::TRUE,
        }
    }
}

/// GENERALIZE: a cube over the state at step 0 that implies that the formulas hold for some values
/// of their other variables. It holds in the model.
///
/// # Errors
/// A formula does not hold in the model.
pub(super) fn generalize(
    t: &Terms,
    steps: &Steps<'_, '_>,
    model: &mut Valuation<'_>,
    formulas: Vec<Term>,
) -> Result<Vec<Term>, Failure> {
    if !formulas.iter().all(|&f| model.holds(f)) {
        let why = "the solver's model does not satisfy the query; try another --solver";
        return Err(Failure::Incomplete(why.to_owned()));
    }
    let state: TermSet = steps.state(0).into_iter().collect();
    let vars = t.vars(formulas.iter().copied());
    let vars = vars.into_iter().filter(|x| !state.contains(x));
    Ok(without_weaker_bounds(t, &project(t, model, vars, formulas)))
}
