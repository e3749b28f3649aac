//! Clauses that ask about several cells, case by case.
//!
//! A query denies that all of several cells are as they should be: `a[i] ≠ 7 ∨ a[j] ≠ 8`. Each
//! disjunct reads one cell. So each has a clause with one premise about cells in place of a clause
//! with two.

use super::super::cases::disjuncts;
use crate::chc::Clause;
use crate::term::{Op, Term, TermSet, Terms};

/// A clause is split into at most 8 cases. The value was not tuned.
const CASES: usize = 8;

/// The cases of a clause, if some of them read fewer cells than the clause; otherwise the clause.
pub(super) fn cases(t: &Terms, clause: &Clause) -> Vec<Clause> {
    let conjuncts = t.conjuncts(clause.constraint);
    let mut done: Vec<Vec<Term>> = vec![Vec::new()];
    for &conjunct in &conjuncts {
        let parts = disjuncts(t, conjunct).unwrap_or_default();
        let count = reads(t, &[conjunct]).len();
        let is_smaller = |&part: &Term| reads(t, &[part]).len() < count;
        let parts = match parts.len() * done.len() <= CASES && parts.iter().any(is_smaller) {
            true => parts,
            false => vec![conjunct],
        };
        let longer = done.iter().flat_map(|case| {
            let with = |&part: &Term| [&case[..], &t.conjuncts(part)].concat();
            parts.iter().map(with).collect::<Vec<_>>()
        });
        done = longer.collect();
    }
    let count = reads(t, &conjuncts).len();
    if done.iter().all(|case| reads(t, case).len() == count) {
        return vec![clause.clone()];
    }
    let case = |case: Vec<Term>| {
        let mut clause = Clause {
            constraint: t.and(case),
            ..clause.clone()
        };
        clause.retain_occurring_vars(t);
        clause
    };
    done.into_iter().map(case).collect()
}

/// The reads of arrays in formulas.
fn reads(t: &Terms, formulas: &[Term]) -> TermSet {
    let parts = t.post_order(formulas.iter().copied());
    parts.filter(|&part| t.op(part) == Op::Select).collect()
}
