//! Invariants by abstract interpretation \[CC77\]: arguments that others determine \[Kar76\],
//! bounds \[SSM05\], and in nonlinear systems polynomial equations \[MOS04\]. The pass
//! `polynomials` finds these equations in linear systems, and the pass `words` linear equations of
//! bit-vectors \[MOS07\].
//!
//! Each clause gets the invariants of its premises. Arguments that others determine are removed.
//! Clauses with underivable premises are removed, with the predicates of these. The interpretation
//! that comes back conjoins the analysis and the engine's model: together they are inductive.
//!
//! Tried: on the 58 development tasks of LIA (6 s), all of which are solved with and without the
//! pass, it halves the processor time from 16 s to 7 s.

use super::signature::{Signature, params};
use super::{LiftError, ModelLift, Tools, Transformed};
use crate::absint::{Definition, Precision, PredState, add_polynomials, analyze, word_equations};
use crate::chc::{Atom, Classification, Clause, ClauseId, Model, System};
use crate::smt::Failure;
use crate::term::{Term, Terms};
use crate::work;

/// An analysis costs at most this number of ticks. The value was not tuned.
const TICKS: u64 = work::milliseconds(1_000);
/// The analysis of equations costs at most a 15th of the remaining budget. It comes first and needs
/// few queries. The value was not tuned.
const EQUATIONS_PARTS: u64 = 15;
/// The analysis of bounds costs at most a 30th of the remaining budget. The value was not tuned.
const BOUNDS_PARTS: u64 = 30;
/// What an analysis may cost for each clause of a large system: up to a quarter of the remaining
/// budget. It is the pass that decides most of what is too large for engines. Tried: a chain of
/// 66,669 clauses needs half of it.
const CLAUSE_TICKS: u64 = work::milliseconds(1) / 10;
/// See [`CLAUSE_TICKS`].
const LARGE_PARTS: u64 = 4;
/// The analysis of polynomial equations costs at most half of the remaining budget where it is a
/// separate pass. The value was not tuned.
const POLYNOMIAL_PARTS: u64 = 2;
/// The analysis of equations of bit-vectors costs at most this number of ticks, and a 60th of the
/// remaining budget: it pays where it is cheap. Tried with 108 systems of integers that are read as
/// 32 bits, and 200,000,000 ticks: with four times as much, 86 in place of 87 are decided, in 1.04
/// times the ticks.
const WORDS_TICKS: u64 = work::milliseconds(250);
/// See [`WORDS_TICKS`].
const WORDS_PARTS: u64 = 60;
/// An argument that more others determine stays: what is said of it would become long. The
/// value was not tuned.
const DETERMINING: usize = 1;

/// The system with what is known of premises in its clauses, and without arguments that others
/// determine.
pub(super) fn apply(tools: &Tools<'_>, system: &System) -> Option<Transformed> {
    tell_all(tools.terms, system, find(tools, system)?)
}

/// The system with equations of degree 2 of premises in its clauses, which then are not linear any
/// more; `None` if there are none.
pub(super) fn polynomials(tools: &Tools<'_>, system: &System) -> Option<Transformed> {
    let (t, limit) = (tools.terms, tools.limit.share(POLYNOMIAL_PARTS, TICKS));
    let params = |p| params(t, system, p);
    let find = || -> Result<Vec<PredState>, Failure> {
        let precision = Precision::Equations;
        let mut known = analyze(t, system, params, precision, tools.backend, &limit)?;
        add_polynomials(t, system, &mut known, tools.backend, &limit)?;
        Ok(known)
    };
    let known = find().inspect_err(|why| log::debug!("no polynomial equations: {why}"));
    let known = known.ok()?;
    let are_there = known.iter().any(PredState::has_polynomials);
    are_there.then(|| tell_all(t, system, known)).flatten()
}

/// The system with what is known of premises in its clauses; `None` if that changes nothing.
fn tell_all(t: &Terms, system: &System, known: Vec<PredState>) -> Option<Transformed> {
    let definitions: Vec<Vec<Definition>> = known
        .iter()
        .map(|known| known.definitions(t, DETERMINING))
        .collect();
    let kept = known.iter().zip(&definitions).map(|(known, definitions)| {
        let stays = |i: &usize| definitions.iter().all(|d| d.position != *i);
        let positions = (0..known.params().len()).filter(stays);
        known.is_derivable().then(|| positions.collect())
    });
    let signature = Signature::new(kept.collect());
    let is_derivable = |atom: &Atom| known[atom.pred.index()].is_derivable();
    let mut clauses = Vec::with_capacity(system.clauses.len());
    let mut olds = Vec::with_capacity(system.clauses.len());
    for (id, clause) in system.clauses() {
        // A clause whose premises can be derived but whose head cannot has a constraint that is
        // never true with them.
        if clause.atoms().all(is_derivable) {
            clauses.push(tell(t, clause, &signature, &known));
            olds.push(id);
        }
    }
    let is_same = |(new, &id): (&Clause, &ClauseId)| {
        let old = system.clause(id);
        new.constraint == old.constraint && new.vars == old.vars
    };
    if olds.len() == system.clauses.len() && clauses.iter().zip(&olds).all(is_same) {
        return None;
    }
    let new = System {
        preds: signature.preds(t, system),
        clauses,
    };
    let models = Invariants { signature, known };
    Some(Transformed::clause_wise(new, olds, models))
}

/// The system with linear equations of bit-vectors of premises in its clauses, and without
/// bit-vectors that others determine; `None` if there are none.
pub(super) fn words(tools: &Tools<'_>, system: &System) -> Option<Transformed> {
    let (t, limit) = (tools.terms, tools.limit.share(WORDS_PARTS, WORDS_TICKS));
    let known = word_equations(t, system, |p| params(t, system, p), tools.backend, &limit);
    let known = known.inspect_err(|why| log::debug!("no equations of bit-vectors: {why}"));
    tell_all(t, system, known.ok()??)
}

/// What the analyses find within their budgets: with bounds, or else without.
pub(super) fn find(tools: &Tools<'_>, system: &System) -> Option<Vec<PredState>> {
    let run = |precision, parts| {
        let of_clauses = CLAUSE_TICKS * system.clauses.len() as u64;
        let limit = match of_clauses > TICKS {
            true => tools.limit.share(LARGE_PARTS, of_clauses),
            false => tools.limit.share(parts, TICKS),
        };
        let t = tools.terms;
        let params = |p| params(t, system, p);
        analyze(t, system, params, precision, tools.backend, &limit)
            .inspect_err(|why| log::debug!("no invariants: {precision:?}: {why}"))
            .ok()
    };
    let equations = run(Precision::Equations, EQUATIONS_PARTS)?;
    let mut known = run(Precision::Bounds, BOUNDS_PARTS).unwrap_or(equations);
    let t = tools.terms;
    if Classification::of(t, system).theories.nonlinear {
        let limit = tools.limit.share(EQUATIONS_PARTS, TICKS);
        add_polynomials(t, system, &mut known, tools.backend, &limit)
            .unwrap_or_else(|why| log::debug!("no polynomial equations: {why}"));
    }
    Some(known)
}

/// A clause with what is known of its premises.
fn tell(t: &Terms, clause: &Clause, signature: &Signature, known: &[PredState]) -> Clause {
    let of_atom = |atom: &Atom| known[atom.pred.index()].literals_of(t, &atom.args);
    let mut new = signature.clause(&clause.with_known(t, of_atom));
    new.retain_occurring_vars(t);
    new
}

struct Invariants {
    signature: Signature,
    /// The state of each predicate of the old system, by its index.
    known: Vec<PredState>,
}

impl ModelLift for Invariants {
    fn model(&self, tools: &Tools<'_>, old: &System, model: Model) -> Result<Model, LiftError> {
        let t = tools.terms;
        let mut interpretations =
            (self.signature).interpretations(t, old, &model.interpretations, |_, _| Term::FALSE);
        for (interpretation, known) in interpretations.iter_mut().zip(&self.known) {
            let facts = known.literals_of(t, &interpretation.params);
            interpretation.body = t.and(facts.into_iter().chain([interpretation.body]));
        }
        Ok(Model { interpretations })
    }
}
