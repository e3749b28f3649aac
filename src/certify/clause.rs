//! The check of one clause: the premises, as a model interprets them, imply each conclusion.

use super::accepted::Accepted;
use super::cases::{Cases, Split, first_to_split, not_known};
use super::definitions::Solved;
use super::induction::ask;
use super::instances::{Decided, Instances};
use super::model_error::{Counterexample, ModelError};
use super::obvious::Premises;
use super::recursion::unfoldings;
use super::solvers::SolverFactory;
use super::symmetric::Symmetric;
use crate::chc::{Clause, ClauseId};
use crate::smt::{Failure, Limit, SatResult, Solver};
use crate::term::{Fact, Term, Terms};
use crate::work;

/// A conclusion that has cases is asked as a whole first, for at most this number of ticks.
///
/// Tried: with 50 ms, the check of a model of sat/bool/lights-out-parity by `dar` takes 28,000,000
/// ticks in place of 12,000,000, since no case implies one disjunct there.
const BEFORE_CASES: u64 = work::milliseconds(250);
/// A conclusion without cases is asked without the premise that has some first, for at most this
/// number of ticks. The value was not tuned.
const WITHOUT_CASES: u64 = work::milliseconds(25);

/// Whether a clause holds.
pub(super) struct ClauseCheck<'a> {
    pub(super) t: &'a Terms,
    pub(super) clause: &'a Clause,
    pub(super) id: ClauseId,
    /// The name of the clause in messages.
    pub(super) label: String,
    /// The premises with quantifiers, and those without.
    pub(super) general: Vec<Term>,
    pub(super) plain: Vec<Term>,
    /// The premises that are of the model, which says them of the clause's body.
    pub(super) said: Vec<Term>,
    /// What is to follow.
    pub(super) conclusions: Vec<Term>,
    /// Has the model functions that are defined by recursion? Solvers know some equations of the
    /// definitions, so a model of theirs need not be one of the functions.
    pub(super) is_recursive: bool,
    /// Is one equation for each application of a function of the model too little?
    pub(super) needs_saturation: bool,
    /// The lemmas of the model that were proved.
    pub(super) lemmas: &'a [Term],
    /// Where to note what follows, and the number of the premises there; `None` where the clause is
    /// asked as it is written.
    pub(super) known: Option<(&'a Accepted, u32)>,
    pub(super) limit: &'a Limit,
}

impl ClauseCheck<'_> {
    /// Does the clause hold? The solver's stack is the same before and after. Others have nothing
    /// on their stacks.
    pub(super) fn holds<'s>(
        &self,
        solver: &mut (dyn Solver + 's),
        others: &mut SolverFactory<'s>,
    ) -> Result<(), ModelError> {
        let is_simple = self.general.is_empty() && !self.needs_saturation && self.known.is_some();
        let can_split = is_simple && !self.is_recursive;
        let cases = can_split.then(|| first_to_split(self.t, &self.said));
        let cases = cases.flatten();
        let plain = (self.plain.iter().copied()).filter(|&premise| Some(premise) != cases);
        let plain = plain.collect();
        let mut solved = match is_simple {
            true => Solved::new(self.t, plain),
            false => Solved::unchanged(plain),
        };
        let mut split = cases.map(|premise| Split::new(solved.apply(premise)));
        if solved.premises.contains(&Term::FALSE) {
            return Ok(());
        }
        let cases = split.iter().map(|split| split.premise);
        let all: Vec<Term> = solved.premises.iter().copied().chain(cases).collect();
        let premises = Premises::new(self.t, &all);
        solver.push();
        (solved.premises.iter()).for_each(|&premise| solver.assert(premise));
        let mut result = Ok(());
        let mut symmetric = Symmetric::new(self.t, &self.plain);
        for &conclusion in &self.conclusions {
            // Of a second attempt, what the first one has confirmed.
            let is_known = self.known.is_some_and(|(a, n)| a.has(n, conclusion));
            if is_known || !solved.is_unchanged() && premises.imply(solved.apply(conclusion)) {
                continue;
            }
            if is_simple && symmetric.has(conclusion) {
                self.accept(conclusion);
                continue;
            }
            let before = work::spent();
            match self.follows(conclusion, &mut solved, &mut split, solver, others) {
                Ok(()) => {
                    symmetric.add(conclusion, work::spent() - before);
                    self.accept(conclusion);
                }
                Err(error) => {
                    let refused = error.is_refusal();
                    result = Err(error);
                    // A conjunct that fails decides the clause; one that is not decided does not.
                    if refused {
                        break;
                    }
                }
            }
        }
        solver.pop();
        result
    }

    /// Notes that a conclusion follows.
    fn accept(&self, conclusion: Term) {
        if let Some((accepted, premises)) = self.known {
            accepted.add(premises, conclusion);
        }
    }

    /// Does a conclusion follow from the premises, which are on the solver's stack as they were
    /// solved?
    fn follows<'s>(
        &self,
        conclusion: Term,
        solved: &mut Solved<'_>,
        split: &mut Option<Split>,
        solver: &mut (dyn Solver + 's),
        others: &mut SolverFactory<'s>,
    ) -> Result<(), ModelError> {
        let t = self.t;
        if self.needs_saturation {
            let general = [&self.general[..], self.lemmas].concat();
            let denied = t.not(t.opened(conclusion).1);
            let about = format!("{} fails in the model", self.label);
            let answer = ask(t, &general, &self.plain, denied, solver, &about);
            if answer == SatResult::Unsat || self.general.is_empty() {
                return self.result(answer, solver);
            }
        }
        if !self.general.is_empty() {
            let denied = t.not(t.opened(conclusion).1);
            let general = [&self.general[..], self.lemmas].concat();
            let mut instances = Instances::new(t, &general, &self.plain, denied);
            let result = self.ask_in_general(&mut instances, &general, denied, solver, others);
            solver.pop();
            return result;
        }
        let opened = t.opened(conclusion).1;
        let denied = t.not(solved.apply(opened));
        // They hold anyway, and stay for the other conclusions.
        let equations = self.unfoldings(solved.premises.iter().copied().chain([denied]));
        equations.iter().for_each(|&f| solver.assert(f));
        if self.follows_without(split, opened, denied, solver) {
            return Ok(());
        }
        let cases = split.iter().map(|split| split.premise);
        let assumed: Vec<Term> = [denied].into_iter().chain(cases).collect();
        let answer = self.ask_in_cases(opened, &assumed, solver, others);
        if answer == SatResult::Sat && self.is_recursive {
            // More equations may contradict it.
            let about = format!("{} fails in the model", self.label);
            let further = ask(t, self.lemmas, &solved.premises, denied, solver, &about);
            if further == SatResult::Unsat {
                return Ok(());
            }
        }
        if answer != SatResult::Sat || solved.is_unchanged() {
            return self.result(answer, solver);
        }
        // The values of all variables are those of the clause as it is.
        let mut solver = others();
        solver.push();
        (self.plain.iter()).for_each(|&premise| solver.assert(premise));
        let equations = self.unfoldings(self.plain.iter().copied().chain([opened]));
        equations.iter().for_each(|&f| solver.assert(f));
        let answer = self.ask(&[t.not(opened)], &mut *solver);
        self.result(answer, &mut *solver)
    }

    /// What the definitions of functions say at the terms of these formulas, which have no
    /// quantifiers.
    fn unfoldings(&self, formulas: impl Iterator<Item = Term>) -> Vec<Term> {
        match self.is_recursive {
            true => {
                let facts = unfoldings(self.t, &formulas.collect::<Vec<_>>()).into_iter();
                facts.map(|fact| fact.formula).collect()
            }
            false => Vec::new(),
        }
    }

    /// Does a conclusion that has no cases follow without the premise that has some, as a short
    /// query says?
    fn follows_without(
        &self,
        split: &mut Option<Split>,
        conclusion: Term,
        denied: Term,
        solver: &mut dyn Solver,
    ) -> bool {
        let worth = |split: &&mut Split| split.may_be_left_out(self.t, conclusion);
        let Some(split) = split.as_mut().filter(worth) else {
            return false;
        };
        solver.set_limit(self.limit.part(WITHOUT_CASES));
        let answer = self.ask(&[denied], solver);
        solver.set_limit(self.limit.clone());
        let follows = answer == SatResult::Unsat;
        split.add(follows);
        follows
    }

    /// Do the clause's premises, which are on the solver's stack or assumed, contradict the denial
    /// of a conclusion, which is assumed?
    fn ask(&self, assumed: &[Term], solver: &mut dyn Solver) -> SatResult {
        // Formula: ⋀ I(bodyᵢ) ∧ φ ∧ ¬conjunct, for each conjunct of I(head).
        solver.check(format_args!("{} fails in the model", self.label), assumed)
    }

    /// As `ask`, for a conclusion that is denied over the variables that are left: as a whole, if
    /// that is simple or there are no cases, otherwise case by case.
    fn ask_in_cases<'s>(
        &self,
        conclusion: Term,
        assumed: &[Term],
        solver: &mut (dyn Solver + 's),
        others: &mut SolverFactory<'s>,
    ) -> SatResult {
        let cases = (self.known).and_then(|_| Cases::of(self.t, &self.said, conclusion));
        if let Some(cases) = cases {
            solver.set_limit(self.limit.part(BEFORE_CASES));
            let answer = self.ask(assumed, solver);
            solver.set_limit(self.limit.clone());
            if answer != SatResult::Unknown(Failure::Timeout) || self.limit.check().is_err() {
                return answer;
            }
            let mut imply = |premises: Vec<Term>, implied: &[Term], others: &mut _| {
                self.implies(premises, implied, others)
            };
            match cases.all_hold(self.t, &self.plain, others, &mut imply) {
                Ok(true) => return SatResult::Unsat,
                Ok(false) => {}
                Err(why) => return SatResult::Unknown(why),
            }
        }
        self.ask(assumed, solver)
    }

    /// As `ask`, for premises with quantifiers. Instances of the premises are tried first: they are
    /// weaker and easier to decide. A model of them asks for more instances, or shows that the
    /// clause fails. The solver gets the quantified premises only where that decides nothing. It
    /// stays in the scope of the last query.
    fn ask_in_general(
        &self,
        instances: &mut Instances<'_>,
        general: &[Term],
        denied: Term,
        solver: &mut dyn Solver,
        others: &mut SolverFactory<'_>,
    ) -> Result<(), ModelError> {
        solver.push();
        let mut ask = |added: &[Fact], solver: &mut dyn Solver| {
            let added = added.iter().map(|fact| fact.formula);
            added.clone().for_each(|fact| solver.assert(fact));
            let terms = added.chain(self.plain.iter().copied()).chain([denied]);
            (self.unfoldings(terms).iter()).for_each(|&f| solver.assert(f));
            self.ask(&[denied], solver)
        };
        match instances.decide(solver, others, &mut ask) {
            Decided::Contradiction => return Ok(()),
            Decided::Model { is_given: true } => return self.result(SatResult::Sat, solver),
            Decided::Model { is_given: false } if !self.is_recursive => {
                return Err(self.refused(None));
            }
            Decided::Model { .. } | Decided::Open => {}
        }
        general.iter().for_each(|&f| solver.assert(f));
        let answer = self.ask(&[denied], solver);
        self.result(answer, solver)
    }

    /// Do premises without quantifiers imply these formulas? They are not split into cases.
    fn implies<'s>(
        &self,
        premises: Vec<Term>,
        implied: &[Term],
        others: &mut SolverFactory<'s>,
    ) -> Result<bool, Failure> {
        let known = self.known;
        let part = ClauseCheck {
            t: self.t,
            clause: self.clause,
            id: self.id,
            label: self.label.clone(),
            general: Vec::new(),
            known: known.map(|(accepted, _)| (accepted, accepted.number(&premises))),
            plain: premises,
            said: Vec::new(),
            conclusions: implied.to_vec(),
            is_recursive: self.is_recursive,
            needs_saturation: self.needs_saturation,
            lemmas: self.lemmas,
            limit: self.limit,
        };
        let mut solver = others();
        match part.holds(&mut *solver, others) {
            Ok(()) => Ok(true),
            Err(ModelError::NotDecided { why, .. }) => not_known(why),
            Err(_) => Ok(false),
        }
    }

    /// The result that an answer means for the clause.
    fn result(&self, answer: SatResult, solver: &mut dyn Solver) -> Result<(), ModelError> {
        match answer {
            SatResult::Unsat => Ok(()),
            SatResult::Sat if self.is_recursive => Err(self.not_decided(Failure::Incomplete(
                "recursive functions were unfolded once".to_owned(),
            ))),
            SatResult::Sat => Err(self.refused(counterexample(self.t, self.clause, solver))),
            SatResult::Unknown(why) => Err(self.not_decided(why)),
        }
    }

    fn not_decided(&self, why: Failure) -> ModelError {
        ModelError::NotDecided {
            clause: self.id,
            label: self.label.clone(),
            why,
        }
    }

    fn refused(&self, counterexample: Option<Counterexample>) -> ModelError {
        ModelError::Refused {
            clause: self.id,
            label: self.label.clone(),
            counterexample,
        }
    }
}

/// The values for which a clause fails, read from the solver after `Sat`.
fn counterexample(t: &Terms, clause: &Clause, solver: &mut dyn Solver) -> Option<Counterexample> {
    let values = solver.values(&clause.vars).ok()?;
    let named = clause.vars.iter().zip(&values).map(|(&var, value)| {
        let value = t.display(t.value_term(value, t.sort_of(var))).to_string();
        (t.display(var).to_string(), value)
    });
    Some(Counterexample(named.collect()))
}
