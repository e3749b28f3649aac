//! A conclusion by cases: models that are disjunctions of conjunctions.
//!
//! Models often say that a state is at one of several locations, or at one of several distances
//! from the initial states, and what holds there. The premise of a clause is a disjunction like
//! that then, and so is the conclusion. Asked in one query, the solver tries all cases of the
//! premise with all ways in which each disjunct of the conclusion can fail. But mostly a case of
//! the premise leads to few disjuncts, and there each conjunct is a small query:
//!
//! ```text
//! for each case of the premise:
//!   while the premises have a model in this case:
//!     w := a disjunct of the conclusion that is true in the model
//!     g := the conjuncts of w that another disjunct has negated
//!     check that the premises, the case and g imply each other conjunct of w
//!                                                   -- otherwise another w is tried
//!     assert ¬g
//! ```
//!
//! Any conjuncts would do for `g`. These are the location, where there are locations; where there
//! are none, each case must imply one disjunct. The premises of each part are solved once more:
//! little is left of a transition relation once both locations are known.
//!
//! Tried, on a model with 26 locations (token_ring.6 of CHC-COMP 2025): the whole is not decided
//! within 146,000,000 ticks; nor is it if the model says what holds at locations by implications,
//! which makes 1234 queries about the whole relation; by cases it takes 31,000,000 ticks.

use super::definitions::Solved;
use super::solvers::SolverFactory;
use crate::smt::{Failure, SatResult, Solver};
use crate::term::{Evaluator, Op, Term, TermSet, Terms, Unspecified};

/// Disjunctions of more than 128 disjuncts are not split. The value was not tuned.
const MOST: usize = 128;

/// A premise that has cases goes with every query once this number more of conclusions without
/// cases needed it than did not. The value was not tuned.
const NEEDED: u32 = 4;

/// The first formula that is split: a disjunction in which two disjuncts or more are conjunctions.
pub(super) fn first_to_split(t: &Terms, formulas: &[Term]) -> Option<Term> {
    let is_split = |&formula: &Term| {
        let is_conjunction = |d: &&Term| t.op(**d) == Op::And;
        let disjuncts = t.args(formula);
        t.op(formula) == Op::Or
            && disjuncts.len() <= MOST
            && disjuncts.iter().filter(is_conjunction).count() > 1
    };
    formulas.iter().copied().find(is_split)
}

/// The premise that has cases. Conclusions that have none mostly follow without it, in queries that
/// are easier.
pub(super) struct Split {
    /// The premise, over the variables that are left.
    pub(super) premise: Term,
    /// By how many conclusions more it was needed than not.
    needed: u32,
}

impl Split {
    /// Nothing was asked without this premise.
    pub(super) fn new(premise: Term) -> Self {
        Split { premise, needed: 0 }
    }

    /// Is it worth a query whether this conclusion follows without the premise?
    pub(super) fn may_be_left_out(&self, t: &Terms, conclusion: Term) -> bool {
        self.needed < NEEDED && first_to_split(t, &[conclusion]).is_none()
    }

    /// A conclusion follows without the premise, or is not known to.
    pub(super) fn add(&mut self, follows: bool) {
        self.needed = match follows {
            true => self.needed.saturating_sub(1),
            false => self.needed + 1,
        };
    }
}

/// The cases of a premise, and the disjuncts of a conclusion.
pub(super) struct Cases {
    /// A premise whose disjuncts are the cases.
    premise: Term,
    /// The conclusion.
    conclusion: Term,
}

impl Cases {
    /// The cases of the first premise that is split, and those of the conclusion, if both have
    /// some.
    pub(super) fn of(t: &Terms, premises: &[Term], conclusion: Term) -> Option<Cases> {
        Some(Cases {
            conclusion: first_to_split(t, &[conclusion])?,
            premise: first_to_split(t, premises)?,
        })
    }

    /// Do the premises, one of which has these cases, imply the conclusion in each case? `imply`
    /// answers for parts of the question. `false` says that this is not known.
    ///
    /// # Errors
    /// The limit is reached, or a solver failed.
    pub(super) fn all_hold<'s>(
        &self,
        t: &Terms,
        premises: &[Term],
        others: &mut SolverFactory<'s>,
        imply: Imply<'_, 's>,
    ) -> Result<bool, Failure> {
        let disjuncts = Disjunct::all(t, t.args(self.conclusion));
        // A case implies the premise that it is one of.
        let rest = premises.iter().copied().filter(|&f| f != self.premise);
        let premises: Vec<Term> = rest.collect();
        for &case in t.args(self.premise) {
            let premises = [&premises[..], &t.conjuncts(case)].concat();
            let case = Case {
                t,
                solved: Solved::new(t, premises.clone()),
                premises,
            };
            if !case.implies_one_of(&disjuncts, others, imply)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Do the first formulas imply each of the others, as solvers from this factory say? `false` says
/// that this is not known.
pub(super) type Imply<'i, 's> =
    &'i mut dyn FnMut(Vec<Term>, &[Term], &mut SolverFactory<'s>) -> Result<bool, Failure>;

/// A disjunct of the conclusion.
struct Disjunct {
    whole: Term,
    /// Its conjuncts that another disjunct has negated.
    guard: Vec<Term>,
    /// Its other conjuncts.
    rest: Vec<Term>,
}

impl Disjunct {
    fn all(t: &Terms, disjuncts: &[Term]) -> Vec<Disjunct> {
        let conjuncts = disjuncts.iter().flat_map(|&d| t.conjuncts(d));
        let known: TermSet = conjuncts.collect();
        let of = |&whole: &Term| {
            let is_guard = |&conjunct: &Term| known.contains(&t.not(conjunct));
            let (guard, rest) = t.conjuncts(whole).into_iter().partition(is_guard);
            Disjunct { whole, guard, rest }
        };
        disjuncts.iter().map(of).collect()
    }
}

/// A case of the premises.
struct Case<'t> {
    t: &'t Terms,
    premises: Vec<Term>,
    solved: Solved<'t>,
}

impl Case<'_> {
    /// Does the disjunction of these follow?
    fn implies_one_of<'s>(
        mut self,
        disjuncts: &[Disjunct],
        others: &mut SolverFactory<'s>,
        imply: Imply<'_, 's>,
    ) -> Result<bool, Failure> {
        let t = self.t;
        let mut solver = others();
        (self.solved.premises.iter()).for_each(|&premise| solver.assert(premise));
        let guards = disjuncts
            .iter()
            .map(|d| self.solved.apply(t.and(d.guard.iter().copied())));
        let mut open: Vec<(&Disjunct, Term)> = disjuncts.iter().zip(guards).collect();
        loop {
            match solver.check(format_args!("is the case possible"), &[]) {
                SatResult::Unsat => return Ok(true),
                SatResult::Sat => {}
                SatResult::Unknown(why) => return not_known(why),
            }
            let mut found = None;
            for (place, &(disjunct, guard)) in open.iter().enumerate() {
                // Most disjuncts have another guard, and are not looked into.
                if is_true(t, &mut *solver, guard)?
                    && is_true(t, &mut *solver, self.solved.apply(disjunct.whole))?
                {
                    found = Some(place);
                    break;
                }
            }
            let Some(place) = found else {
                return Ok(false);
            };
            let (disjunct, guard) = open.remove(place);
            let premises = [&self.premises[..], &disjunct.guard].concat();
            if imply(premises, &disjunct.rest, others)? {
                solver.assert(t.not(guard));
            }
        }
    }
}

/// Is a formula true in the solver's model?
///
/// # Errors
/// The solver has no values.
fn is_true(t: &Terms, solver: &mut dyn Solver, formula: Term) -> Result<bool, Failure> {
    let vars = t.vars([formula]);
    let values = vars.iter().copied().zip(solver.values(&vars)?);
    let mut model = Evaluator::with(t, Unspecified::Refuse, values);
    Ok(model.eval_bool(formula) == Ok(true))
}

/// Passes on that a limit is reached; what else was not decided may be found in another way.
pub(super) fn not_known(why: Failure) -> Result<bool, Failure> {
    match why {
        Failure::Incomplete(_) | Failure::Unsupported(_) => Ok(false),
        failure => Err(failure),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chc::ClauseId;
    use crate::smt::Backend;
    use crate::smt::native::NativeOptions;
    use crate::smtlib::{Source, read_system};
    use crate::term::Sort;

    /// What is known of `premise ∧ step ⇒ conclusion` over the variables `b`, `x`, `c` and `y`;
    /// `None` if it has no cases.
    fn decided(premise: &str, step: &str, conclusion: &str) -> Option<bool> {
        let t = Terms::new();
        let sorts = [Sort::BOOL, Sort::INT, Sort::BOOL, Sort::INT];
        let clause = |formula: &str| {
            let vars = "((b Bool) (x Int) (c Bool) (y Int))";
            format!("(assert (forall {vars} (=> {formula} (p b x c y))))")
        };
        let clauses = [premise, step, conclusion].map(clause).concat();
        let text = format!("(declare-fun p (Bool Int Bool Int) Bool){clauses}");
        let system = read_system(&t, &Source::from_text("text", text)).expect("it is Horn");
        let params = sorts.map(|sort| t.fresh_var("x", sort));
        // The variables of each clause are its own.
        let said = |clause: u32| {
            let clause = system.clause(ClauseId(clause));
            let own = clause
                .head
                .iter()
                .flat_map(|head| head.args.iter().copied());
            t.substitute(clause.constraint, own.zip(params))
        };
        let backend = Backend::native(NativeOptions::for_engines());
        let cases = Cases::of(&t, &[said(0)], said(2))?;
        let mut imply = |premises: Vec<Term>, implied: &[Term], others: &mut SolverFactory<'_>| {
            let mut solver = others();
            premises.iter().for_each(|&premise| solver.assert(premise));
            let denied = t.not(t.and(implied.iter().copied()));
            Ok(solver.check(format_args!("a part"), &[denied]) == SatResult::Unsat)
        };
        let mut others = || backend.solver(&t, "cases");
        let premises = [said(0), said(1)];
        let found = cases.all_hold(&t, &premises, &mut others, &mut imply);
        Some(found.expect("there is no limit"))
    }

    #[test]
    fn locations() {
        let premise = "(or (and b (<= 0 x) (<= x 9)) (and (not b) (<= 20 x) (<= x 29)))";
        // Both locations lead to both.
        let step = "(and (= y (+ x 1)) (= c (< y 10)))";
        let conclusion = "(or (and c (<= 1 y) (<= y 9)) (and (not c) (<= 10 y) (<= y 30)))";
        assert_eq!(decided(premise, step, conclusion), Some(true));
        let wrong = "(or (and c (<= 1 y) (<= y 9)) (and (not c) (<= 11 y) (<= y 30)))";
        assert_eq!(decided(premise, step, wrong), Some(false));
        // The case that never is implies anything.
        let never = "(or (and b (< x 0) (< 0 x)) (and (not b) (<= 20 x) (<= x 29)))";
        assert_eq!(decided(never, step, wrong), Some(true));
    }

    #[test]
    fn disjuncts_that_say_no_location() {
        let premise = "(or (and (<= 0 x) (<= x 9)) (and (<= 20 x) (<= x 29)))";
        let conclusion = "(or (and (<= 0 y) (<= y 10)) (and (<= 20 y) (<= y 30)))";
        assert_eq!(decided(premise, "(<= x y (+ x 1))", conclusion), Some(true));
        // Each case has models of both disjuncts: none is implied alone. That is not decided here.
        let step = "(or (= y x) (= y (+ x 20)))";
        let conclusion = "(or (and (<= 0 y) (<= y 9)) (and (<= 20 y) (<= y 49)))";
        assert_eq!(decided(premise, step, conclusion), Some(false));
    }

    #[test]
    fn formulas_without_cases() {
        let single = "(and b (<= 0 x))";
        let cases = "(or (and c (<= 0 y)) (and (not c) (<= y 0)))";
        assert_eq!(decided(single, "(= y x)", cases), None);
        assert_eq!(decided(cases, "(= y x)", single), None);
        assert_eq!(decided("(or b (<= 0 x))", "(= y x)", cases), None);
    }

    #[test]
    fn disjunctions_of_conjunctions_are_split() {
        let t = Terms::new();
        let var = |name: &str, n: usize| t.var(&format!("{name}{n}"), Sort::BOOL);
        let both = |n: usize| t.and([var("a", n), var("b", n)]);
        let all = |count: usize| t.or((0..count).map(both));
        let parts = |formula| first_to_split(&t, &[formula]).map(|split| t.args(split).len());
        assert_eq!(parts(all(2)), Some(2));
        assert_eq!(parts(all(MOST)), Some(MOST));
        assert_eq!(parts(all(MOST + 1)), None);
        // One conjunction is not enough, and an equation of two is no disjunction.
        assert_eq!(parts(t.or([both(0), var("a", 1)])), None);
        assert_eq!(parts(t.eq(both(0), both(1))), None);
    }

    #[test]
    fn what_is_not_known_is_no_proof() {
        let incomplete = Failure::Incomplete("too hard".to_owned());
        assert_eq!(not_known(incomplete), Ok(false));
        assert_eq!(not_known(Failure::Timeout), Err(Failure::Timeout));
        assert_eq!(not_known(Failure::Cancelled), Err(Failure::Cancelled));
    }
}
