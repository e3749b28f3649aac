//! The check of models: clause by clause, with an SMT solver.

use super::accepted::Accepted;
use super::clause::ClauseCheck;
use super::form::well_formed;
use super::induction::without_lemmas;
use super::integers::over_integers;
use super::model_error::ModelError;
use super::obvious::Premises;
use super::recursion::need_saturation;
use super::solvers::SolverFactory;
use crate::chc::{Clause, ClauseId, Model, System};
use crate::smt::{Limit, Solver};
use crate::term::{Term, Terms};

/// Is `model` a model of `system`?
///
/// For each clause the query is whether `⋀ I(bodyᵢ) ∧ φ ∧ ¬I(head)` is unsatisfiable, where
/// `I(p(s))` is the interpretation of `p` with the arguments `s` for its parameters. Quantified
/// premises may be replaced by instances, which are weaker.
///
/// A model of sums of bit-vectors is checked over integers \[ZIMN22\], where this is simple; as it
/// is written if that decides nothing.
///
/// # Errors
/// The first interpretation that is not well formed; otherwise a clause that does not hold;
/// otherwise the first clause that was not decided within the limit.
pub fn check_model<'a>(
    t: &'a Terms,
    system: &System,
    model: &Model,
    solvers: &mut SolverFactory<'a>,
    limit: &Limit,
) -> Result<(), ModelError> {
    check_model_again(t, system, model, solvers, &Accepted::default(), limit)
}

/// As [`check_model`], after other models were checked with solvers of the same kind: what these
/// have confirmed is not asked again.
///
/// # Errors
/// As [`check_model`].
pub fn check_model_again<'a>(
    t: &'a Terms,
    system: &System,
    model: &Model,
    solvers: &mut SolverFactory<'a>,
    accepted: &Accepted,
    limit: &Limit,
) -> Result<(), ModelError> {
    well_formed(t, system, model)?;
    if let Some((system, model)) = over_integers(t, system, model) {
        let half = limit.share(2, u64::MAX);
        if check_clauses(t, &system, &model, solvers, Some(accepted), &half).is_ok() {
            return Ok(());
        }
    }
    check_clauses(t, system, model, solvers, Some(accepted), limit)
}

/// As [`check_model`], without another reading of the clauses: the solver is asked whether each
/// conclusion follows from the premises as they are.
///
/// # Errors
/// As [`check_model`].
pub fn check_model_as_written<'a>(
    t: &'a Terms,
    system: &System,
    model: &Model,
    solvers: &mut SolverFactory<'a>,
    limit: &Limit,
) -> Result<(), ModelError> {
    check_clauses(t, system, model, solvers, None, limit)
}

/// The check clause by clause. Without `accepted` each clause is asked as it is written.
fn check_clauses<'a>(
    t: &'a Terms,
    system: &System,
    model: &Model,
    solvers: &mut SolverFactory<'a>,
    accepted: Option<&Accepted>,
    limit: &Limit,
) -> Result<(), ModelError> {
    well_formed(t, system, model)?;
    let bodies = model.interpretations.iter().map(|i| i.body);
    let funcs = t.defined_functions(bodies);
    let needs_saturation = need_saturation(t, &funcs);
    let proved = (!funcs.is_empty()).then(|| {
        let mut solver = solvers();
        solver.set_limit(limit.clone());
        without_lemmas(t, model, &mut *solver)
    });
    let (lemmas, model) = match &proved {
        Some((lemmas, model)) => (&lemmas[..], model),
        None => (&[][..], model),
    };
    let mut check = ModelCheck {
        t,
        system,
        model,
        accepted,
        limit,
        solvers,
        is_recursive: !funcs.is_empty(),
        needs_saturation,
        lemmas,
        solver: None,
        asked: 0,
    };
    let mut open = None;
    for id in system.clause_ids() {
        let result = match limit.check() {
            Ok(()) => check.holds(id),
            Err(why) => Err(ModelError::NotDecided {
                clause: id,
                label: system.clause_label(t, id),
                why,
            }),
        };
        match result {
            Ok(()) => {}
            Err(refusal) if refusal.is_refusal() => return Err(refusal),
            Err(undecided) => {
                open.get_or_insert(undecided);
                if limit.check().is_err() {
                    break;
                }
            }
        }
    }
    open.map_or(Ok(()), Err)
}

/// A solver is replaced by a new one after 128 clauses. Clauses have variables of the same names,
/// and each bound of a variable costs a look at all bounds that it ever had. The value was not
/// tuned.
const CLAUSES_OF_A_SOLVER: usize = 128;

/// The check of a model, clause by clause.
struct ModelCheck<'c, 'a> {
    t: &'a Terms,
    system: &'c System,
    model: &'c Model,
    accepted: Option<&'c Accepted>,
    limit: &'c Limit,
    solvers: &'c mut SolverFactory<'a>,
    /// Has the model functions that are defined by recursion?
    is_recursive: bool,
    /// Are some of them such that one equation for each term is not enough?
    needs_saturation: bool,
    /// Universally quantified formulas that hold, by induction.
    lemmas: &'c [Term],
    /// The solver of the clauses at present.
    solver: Option<Box<dyn Solver + 'a>>,
    /// The number of clauses that it was asked about.
    asked: usize,
}

impl<'a> ModelCheck<'_, 'a> {
    /// Does one clause hold?
    fn holds(&mut self, id: ClauseId) -> Result<(), ModelError> {
        let (t, clause) = (self.t, self.system.clause(id));
        let body = (clause.body.iter()).map(|atom| self.model.get(atom.pred).at(t, &atom.args));
        let said: Vec<Term> = body.flat_map(|premise| t.conjuncts(premise)).collect();
        let (general, plain): (Vec<Term>, Vec<Term>) = (said.iter().copied())
            .chain(t.conjuncts(clause.constraint))
            .partition(|&premise| t.is_general(premise));
        if plain.contains(&Term::FALSE) {
            return Ok(());
        }
        let mut conclusions = conclusions(t, self.model, clause);
        let accepted = self.accepted.filter(|_| general.is_empty());
        let known = accepted.map(|accepted| (accepted, accepted.number(&plain)));
        if let Some((accepted, number)) = known {
            let premises = Premises::new(t, &plain);
            conclusions.retain(|&c| !accepted.has(number, c) && !premises.imply(c));
        }
        if conclusions.is_empty() {
            return Ok(());
        }
        let question = ClauseCheck {
            t,
            clause,
            id,
            label: self.system.clause_label(t, id),
            general,
            plain,
            said,
            conclusions,
            is_recursive: self.is_recursive,
            needs_saturation: self.needs_saturation,
            lemmas: self.lemmas,
            known,
            limit: self.limit,
        };
        self.asked += 1;
        if self.asked.is_multiple_of(CLAUSES_OF_A_SOLVER) {
            self.solver = None;
        }
        let mut solver = match self.solver.take() {
            Some(solver) => solver,
            None => self.new_solver(),
        };
        let limit = self.limit;
        let mut others = || self.new_solver();
        let mut result = question.holds(&mut *solver, &mut others);
        if matches!(result, Err(ModelError::NotDecided { .. })) && limit.check().is_ok() {
            // A query that is hard for a solver with a stack and learned clauses may be easy for a
            // new one.
            let mut fresh = others();
            result = question.holds(&mut *fresh, &mut others);
        }
        self.solver = Some(solver);
        result
    }

    fn new_solver(&mut self) -> Box<dyn Solver + 'a> {
        let mut solver = (self.solvers)();
        solver.set_limit(self.limit.clone());
        solver
    }
}

/// The conclusions of a clause: the conjuncts of the head's interpretation, which the premises must
/// imply one by one. Each is a small query. Their conjunction in one query would make the solver
/// search all ways in which some conjunct fails. Tried, on two models: 15.3 s became 1.4 s, and
/// 6.0 s became 3.4 s.
fn conclusions(t: &Terms, model: &Model, clause: &Clause) -> Vec<Term> {
    let Some(head) = &clause.head else {
        return vec![Term::FALSE];
    };
    t.conjuncts(model.get(head.pred).at(t, &head.args))
}
