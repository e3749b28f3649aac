//! Acceleration: the effect of any number of iterations of a loop as one more clause \[BIL06\],
//! \[FG23\].
//!
//! A loop is a clause `p(x) ∧ φ(x, x') ⇒ p(x')`. A cube of `φ` can be accelerated if it adds a
//! constant to every argument, under a guard that is a conjunction of linear inequalities, and of
//! divisibilities that the constants keep. Then a guard that holds at the first and at the last
//! iteration holds at all between them (`translation`):
//!
//! ```text
//! p(x) ∧ γ(x) ⇒ p(x + c)           gives      p(x) ∧ n ≥ 1 ∧ γ(x) ∧ γ(x + (n - 1)·c) ⇒ p(x + n·c)
//! ```
//!
//! An argument `y` may also be set to a value `e(x)`, linear in what grows. Then it grows by the
//! constant `e(c) - e(0)` itself, and the iterations from the second one on form a loop of the
//! first kind:
//!
//! ```text
//! p(x, y) ∧ γ(x, y) ⇒ p(x + c, e(x))  gives
//!     p(x, y) ∧ n ≥ 2 ∧ γ(x, y) ∧ γ(x + c, e(x)) ∧ γ(x + (n - 1)·c, e(x + (n - 2)·c))
//!         ⇒ p(x + n·c, e(x + (n - 1)·c))
//! ```
//!
//! The old clauses stay, so every model is a model of the old system. The new clauses follow from
//! the old ones, so verdicts are the same; a use of a new clause in a refutation is written out
//! step by step, or becomes iterations if there are many.
//!
//! DIVERGENCE: \[FG23\] accelerates the clauses that a search has resolved. Here each clause is
//! accelerated by itself, before any search, cube by cube. Loops through several predicates, and
//! loops whose iterations alternate between cubes, are not accelerated.

mod translation;

use super::ground::{Rebuilder, fact_wise};
use super::{Lift, LiftError, Tools, Transformed};
use crate::chc::{Atom, Clause, ClauseId, FactId, Model, Refutation, System};
use crate::logic::{LinearLiteral, Relation, Valuation, project};
use crate::number::Rational;
use crate::smt::{Failure, Limit, SatResult, Solver};
use crate::term::{Evaluator, Sort, Term, TermMap, TermSet, Terms, Unspecified, Value};
use crate::work;
use translation::Translation;

/// At most 64 cubes of a loop are tried. The value was not tuned.
const CUBES: usize = 64;
/// At most 128 loops of the system are accelerated. The value was not tuned.
const JUMPS: usize = 128;
/// The pass costs at most this number of ticks. The value was not tuned.
const TICKS: u64 = work::milliseconds(1_000);
/// The pass costs at most a tenth of the remaining budget. The value was not tuned.
const PARTS: u64 = 10;
/// No more steps than these are written out; more become iterations.
///
/// Tried: 100,000. Taking back 75,000 iterations of four clauses each took 5.6 s.
const STEPS: u32 = 20_000;

/// The system with loops accelerated.
pub(super) fn apply(tools: &Tools<'_>, system: &System) -> Option<Transformed> {
    let limit = tools.limit.share(PARTS, TICKS);
    let mut new = system.clone();
    let mut jumps = Vec::new();
    for (id, clause) in system.clauses() {
        if limit.check().is_err() || jumps.len() >= JUMPS {
            break;
        }
        let Some(mut step) = Step::of(tools.terms, clause) else {
            continue;
        };
        for translation in step.translations(tools, &limit) {
            let (clause, jump) = step.jump(tools.terms, id, &translation);
            new.clauses.push(clause);
            jumps.push(jump);
        }
    }
    (!jumps.is_empty()).then(|| Transformed {
        system: new,
        lift: Box::new(Accelerated { jumps }),
    })
}

/// Could a loop of the system be accelerated? This asks nothing but whether there are loops that
/// count.
pub(crate) fn has_counting_loop(t: &Terms, system: &System) -> bool {
    let counts = |atom: &Atom| atom.args.iter().any(|&arg| t.sort_of(arg).is_arith());
    let mut clauses = system.clauses.iter();
    clauses.any(|clause| looping(clause).is_some_and(|(_, head)| counts(head)))
}

/// The premise and the conclusion of a clause that is a loop.
fn looping(clause: &Clause) -> Option<(&Atom, &Atom)> {
    match (&clause.body[..], &clause.head) {
        ([body], Some(head)) if body.pred == head.pred => Some((body, head)),
        _ => None,
    }
}

/// A step of a loop: a formula over the arguments before and after it, and the clause's variables.
struct Step<'a> {
    clause: &'a Clause,
    premise: &'a Atom,
    before: Vec<Term>,
    after: Vec<Term>,
    formula: Term,
}

impl<'a> Step<'a> {
    /// That of a clause, if it is a loop that counts something.
    fn of(t: &Terms, clause: &'a Clause) -> Option<Self> {
        let (premise, head) = looping(clause)?;
        let fresh = |args: &[Term], name: &str| -> Vec<Term> {
            let fresh = args.iter().map(|&arg| t.fresh_var(name, t.sort_of(arg)));
            fresh.collect()
        };
        let (before, after) = (fresh(&premise.args, "before"), fresh(&head.args, "after"));
        if !before.iter().any(|&x| t.sort_of(x).is_arith()) {
            return None;
        }
        // A variable of the clause becomes the first argument that it is.
        let mut renaming: TermMap<Term> = TermMap::default();
        let mut said = vec![clause.constraint];
        let new = before.iter().chain(&after).copied();
        let args = premise.args.iter().chain(&head.args).copied();
        for (x, arg) in new.zip(args) {
            if !t.is_var(arg) || *renaming.entry(arg).or_insert(x) != x {
                said.push(t.eq(x, arg));
            }
        }
        Some(Step {
            clause,
            premise,
            formula: t.substitute(t.and(said), renaming),
            before,
            after,
        })
    }

    /// The cubes of the step that are translations; the search ends at the limit.
    fn translations(&mut self, tools: &Tools<'_>, limit: &Limit) -> Vec<Translation> {
        let t = tools.terms;
        let mut solver = tools.backend.solver(t, "accelerate");
        solver.set_limit(limit.clone());
        solver.assert(self.formula);
        self.keep(t, &mut *solver);
        let mut found = Vec::new();
        for _ in 0..CUBES {
            match self.cube(t, &mut *solver) {
                Ok(Some(cube)) => {
                    solver.assert(t.not(t.and(cube.iter().copied())));
                    found.extend(Translation::of(t, &self.before, &self.after, &cube));
                }
                Ok(None) => break,
                Err(failure) => {
                    log::debug!("a loop is not looked at to the end: {failure}");
                    break;
                }
            }
        }
        found
    }

    /// Says of what is no number and always stays that it does, so that cubes need not say which
    /// value it keeps.
    fn keep(&mut self, t: &Terms, solver: &mut dyn Solver) {
        for (&before, after) in self.before.iter().zip(&mut self.after) {
            // φ(x, x') ∧ xᵢ ≠ xᵢ'
            let changes = t.not(t.eq(before, *after));
            if !t.sort_of(before).is_arith()
                && solver.check(format_args!("an argument of a loop"), &[changes])
                    == SatResult::Unsat
            {
                self.formula = t.substitute(self.formula, [(*after, before)]);
                *after = before;
            }
        }
    }

    /// A cube of the step over its arguments before and after; `None` where no other is left.
    fn cube(&self, t: &Terms, solver: &mut dyn Solver) -> Result<Option<Vec<Term>>, Failure> {
        // φ(x, x') ∧ ¬⋁ cubes
        match solver.check(format_args!("a step of a loop"), &[]) {
            SatResult::Sat => {}
            SatResult::Unsat => return Ok(None),
            SatResult::Unknown(failure) => return Err(failure),
        }
        let vars = t.vars([self.formula]);
        let values = solver.values(&vars)?;
        let mut valuation = Valuation::new(t, vars.iter().copied().zip(values));
        if !valuation.holds(self.formula) {
            return Err(Failure::Incomplete(
                "the solver's model of a step does not satisfy the step's formula".to_owned(),
            ));
        }
        let args: TermSet = self.before.iter().chain(&self.after).copied().collect();
        let locals = vars.into_iter().filter(|x| !args.contains(x));
        let cube = project(t, &mut valuation, locals, [self.formula]).into_iter();
        let decided = cube.map(|literal| on_one_side(t, &mut valuation, literal));
        Ok(Some(decided.collect()))
    }

    /// The clause of any number of steps by this translation.
    fn jump(&self, t: &Terms, id: ClauseId, translation: &Translation) -> (Clause, Jump) {
        let steps = t.fresh_var("steps", Sort::INT);
        let atom = |args: Vec<Term>| Atom {
            args,
            ..*self.premise
        };
        let mut clause = Clause {
            vars: Vec::new(),
            body: vec![atom(self.before.clone())],
            constraint: t.and(translation.condition(t, steps)),
            head: Some(atom(translation.state(t, steps, 0))),
            origin: self.clause.origin,
        };
        clause.vars = clause.occurring_vars(t);
        let number = t.fresh_var("step", Sort::INT);
        let jump = Jump {
            of: id,
            vars: clause.vars.clone(),
            steps,
            number,
            state: translation.state(t, number, 0),
        };
        (clause, jump)
    }
}

/// A literal that implies this one: of two variables, or sums of them, that are different says
/// which is less.
fn on_one_side(t: &Terms, valuation: &mut Valuation<'_>, literal: Term) -> Term {
    match LinearLiteral::of_term(t, literal) {
        Some(mut linear)
            if linear.relation == Relation::Ne
                && linear.sum.terms.iter().all(|&(term, _)| t.is_var(term)) =>
        {
            let sum = t.sum_term(&linear.sum, linear.sort);
            if valuation.number(sum).is_positive() {
                linear.sum.scale(&Rational::from(-1));
            }
            linear.relation = Relation::Lt;
            linear.to_term(t)
        }
        _ => literal,
    }
}

/// How a clause of many steps is written out.
struct Jump {
    /// The clause of one step.
    of: ClauseId,
    /// The variables of the clause of many steps.
    vars: Vec<Term>,
    /// The variable among them that is the number of steps.
    steps: Term,
    /// The arguments after as many steps as this variable says.
    number: Term,
    state: Vec<Term>,
}

struct Accelerated {
    /// Those of the clauses behind the old ones.
    jumps: Vec<Jump>,
}

impl Lift for Accelerated {
    fn model(&self, _: &Tools<'_>, _: &System, model: Model) -> Result<Model, LiftError> {
        Ok(model)
    }

    fn refutation(
        &self,
        tools: &Tools<'_>,
        old: &System,
        refutation: Refutation,
    ) -> Result<Refutation, LiftError> {
        let mut left = STEPS;
        fact_wise(tools, old, refutation, |rebuilt, fact| {
            match fact.clause.index().checked_sub(old.clauses.len()) {
                None => {
                    let vars = old.clause(fact.clause).vars.iter().copied();
                    rebuilt.add(fact.clause, vars.zip(fact.values), &[], fact.premises)
                }
                Some(jump) => {
                    let jump = &self.jumps[jump];
                    jump.walk(rebuilt, fact.values, fact.premises[0], &mut left)
                }
            }
        })
    }
}

impl Jump {
    /// Adds the steps of a jump to a refutation, for these values of the variables of its clause.
    /// They are written out if they are not more than what is left of the limit on steps.
    fn walk(
        &self,
        rebuilt: &mut Rebuilder<'_, '_>,
        values: Vec<Value>,
        premise: FactId,
        left: &mut u32,
    ) -> Result<FactId, LiftError> {
        let tools = rebuilt.tools();
        let values = self.vars.iter().copied().zip(values);
        let mut values = Evaluator::with(tools.terms, Unspecified::Refuse, values);
        let steps = (values.eval_number(self.steps))
            .map_err(|why| rebuilt.no_values(self.of, &why.to_string()))?;
        let mut step = |rebuilt: &mut Rebuilder<'_, '_>, before: &Rational, fact: FactId| {
            tools.limit.check()?;
            values.assign(self.number, Value::Number(before + &Rational::one()));
            let state = self.state.iter().map(|&arg| values.eval(arg));
            let state: Vec<Value> = (state.collect::<Result<_, _>>())
                .map_err(|why| rebuilt.no_values(self.of, &why.to_string()))?;
            rebuilt.add_conclusion(self.of, &state, vec![fact])
        };
        let written = steps.to_i64().and_then(|steps| u32::try_from(steps).ok());
        match written.and_then(|steps| Some((steps, left.checked_sub(steps)?))) {
            Some((steps, room)) => {
                *left = room;
                (0..steps).try_fold(premise, |fact, before| {
                    step(rebuilt, &Rational::from(i64::from(before)), fact)
                })
            }
            None => rebuilt.iterate(&steps, premise, &mut step),
        }
    }
}
