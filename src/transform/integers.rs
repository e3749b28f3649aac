//! Bit-vectors read as integers: int-blasting \[ZIMN22, BRZ18\] of a whole system.
//!
//! Each argument and each variable that is a bit-vector becomes an integer within the bounds of its
//! width, and every term is translated exactly ([`OverIntegers`]). So what the other passes and the
//! engines know of integers serves systems over bit-vectors, too: abstract interpretation,
//! acceleration, k-induction, cuts, and interpolants that are sums. Invariants of programs are
//! mostly bounds of sums, which are many bits and few integers.
//!
//! A model speaks of sums that do not overflow. Its way back computes them in bit-vectors that are
//! wide enough.
//!
//! The pass is for systems without numbers, all of whose operators are translated, and few of which
//! take bits out of bit-vectors. It leaves any other as it is: its invariants are about bits. Tried
//! on the 59 tasks over bit-vectors of CHC-COMP 2025 that are used for development, at 20 s: 47 are
//! solved without the pass, 52 with it.

use super::ground::ClauseSource;
use super::signature::params;
use super::{LiftError, ModelLift, Tools, Transformed};
use crate::chc::{Bounded, Clause, ClauseId, Interpretation, Model, OverIntegers, System};
use crate::term::intblast::{Signedness, Words};
use crate::term::{BvOp, Sort, Term, Terms};
use std::iter::zip;

/// The system with integers in place of bit-vectors.
pub(super) fn apply(t: &Terms, system: &System) -> Option<Transformed> {
    // The way back takes every integer for a bit-vector.
    let has_numbers = |sort| t.sort_post_order(sort).into_iter().any(Sort::is_arith);
    let mut vars = system.clauses.iter().flat_map(|clause| &clause.vars);
    if vars.any(|&var| has_numbers(t.sort_of(var))) {
        return None;
    }
    let mut new = OverIntegers::new(t, system, Bounded::Used)?;
    if !new.has_few_cuts() {
        return None;
    }
    let sources = system.clauses();
    let sources = sources.map(|(id, clause)| source(t, &mut new, id, clause));
    let sources: Vec<ClauseSource> = sources.collect();
    let models = InWords {
        signedness: new.signedness,
    };
    Some(Transformed::clause_wise(new.system, sources, models))
}

/// The old clause: its bit-vectors are the integers of the new one modulo `2^width`.
fn source(t: &Terms, new: &mut OverIntegers<'_>, id: ClauseId, clause: &Clause) -> ClauseSource {
    let definition = |&var: &Term| {
        let width = t.bitvec_width(t.sort_of(var))?;
        let integer = new.variable(var);
        Some((var, t.bv(BvOp::FromInt(width), &[integer])))
    };
    ClauseSource {
        definitions: clause.vars.iter().filter_map(definition).collect(),
        ..id.into()
    }
}

/// The way back of models.
struct InWords {
    signedness: Signedness,
}

impl ModelLift for InWords {
    fn model(&self, tools: &Tools<'_>, old: &System, model: Model) -> Result<Model, LiftError> {
        let t = tools.terms;
        let lift = |pred| {
            let params = params(t, old, pred);
            let new = model.get(pred);
            let mut words = Words::new(t);
            let mut same = Vec::new();
            for (&integer, &param) in zip(&new.params, &params) {
                match t.bitvec_width(t.sort_of(param)) {
                    Some(width) => {
                        words.define(integer, param, self.signedness.of_width(width));
                    }
                    None => same.push((integer, param)),
                }
            }
            let body = t.substitute(new.body, same);
            let body = words.translate(body);
            let body = body.ok_or_else(|| LiftError::Interpretation {
                pred: old.pred_name(t, pred).to_owned(),
                why: "it has an operator that bit-vectors do not have".to_owned(),
            })?;
            Ok(Interpretation { params, body })
        };
        let interpretations = old.pred_ids().map(lift);
        Ok(Model {
            interpretations: interpretations.collect::<Result<_, LiftError>>()?,
        })
    }
}
