//! Bounds of bit-vectors, and bit-vectors that are constant, by abstract interpretation \[SSM05\]
//! of the integers that they are read as \[ZIMN22\].
//!
//! For systems that the pass `integers` leaves as they are: some operator takes bits out of
//! bit-vectors, or is not translated, and what it computes may be any integer of its width. Engines
//! that compute with bits find a bound by the bits of many bit-vectors, one after the other.
//!
//! Each clause gets the bounds of its premises, in bits. Bounds of sums are left out: they need
//! adders.

use super::context::{Bounds, bound_literal};
use super::signature::params;
use super::{LiftError, ModelLift, Tools, Transformed, invariants};
use crate::absint::PredState;
use crate::chc::{Atom, Model, OverIntegers, PredId, System};
use crate::number::Rational;
use crate::term::intblast::Signedness;
use crate::term::{BitVec, BvOp, Term, TermMap, Terms};
use std::iter::zip;

/// The system with bounds of the bit-vectors of premises in its clauses; `None` if there are none.
pub(super) fn apply(tools: &Tools<'_>, system: &System) -> Option<Transformed> {
    let t = tools.terms;
    let read = OverIntegers::above(t, system)?;
    let known = invariants::find(tools, &read.system)?;
    let facts = system.pred_ids().zip(&known);
    let facts: Vec<Facts> = facts
        .map(|(pred, known)| Facts::of(t, system, pred, known, read.signedness))
        .collect();
    if facts.iter().all(|facts| facts.literals.is_empty()) {
        return None;
    }
    let of_atom = |atom: &Atom| Some(facts[atom.pred.index()].of_args(t, &atom.args));
    let clauses = system.clauses.iter();
    let clauses = clauses
        .map(|clause| clause.with_known(t, of_atom))
        .collect();
    let new = System {
        preds: system.preds.clone(),
        clauses,
    };
    let sources: Vec<_> = system.clause_ids().collect();
    Some(Transformed::clause_wise(new, sources, WithFacts { facts }))
}

/// What is known of a predicate.
struct Facts {
    params: Vec<Term>,
    literals: Vec<Term>,
}

impl Facts {
    /// What an analysis of the integers says of single bit-vectors.
    fn of(
        t: &Terms,
        system: &System,
        pred: PredId,
        known: &PredState,
        signedness: Signedness,
    ) -> Self {
        let params = params(t, system, pred);
        let words: TermMap<Term> = zip(known.params(), &params)
            .filter(|(_, param)| t.bitvec_width(t.sort_of(**param)).is_some())
            .map(|(&integer, &param)| (integer, param))
            .collect();
        let literals = known.literals(t);
        if literals.contains(&Term::FALSE) {
            let literals = vec![Term::FALSE];
            return Facts { literals, params };
        }
        let mut bounds: TermMap<Bounds> = TermMap::default();
        for literal in literals {
            if let Some(bound) = bound_literal(t, literal)
                && let Some(&word) = words.get(&bound.form)
            {
                bounds.entry(word).or_default().add(&bound);
            }
        }
        let bounds = params
            .iter()
            .filter_map(|&word| Some((word, bounds.get(&word)?)));
        let literals = bounds.flat_map(|(word, bounds)| in_bits(t, word, bounds, signedness));
        Facts {
            literals: literals.filter(|&said| said != Term::TRUE).collect(),
            params,
        }
    }

    /// What is known of these arguments.
    fn of_args(&self, t: &Terms, args: &[Term]) -> Term {
        let pairs = zip(self.params.iter().copied(), args.iter().copied());
        t.substitute(t.and(self.literals.iter().copied()), pairs)
    }
}

/// Bounds of an integer, none of them strict, as literals about the bit-vector that is read as it.
/// A bound that was widened beyond the width says nothing.
fn in_bits(t: &Terms, word: Term, bounds: &Bounds, signedness: Signedness) -> Vec<Term> {
    let width = t.bitvec_width(t.sort_of(word)).expect("a bit-vector");
    let reading = signedness.of_width(width);
    let literal = |value: &Rational| {
        let bits = BitVec::from_int(&value.numer(), width);
        let read = match reading {
            Signedness::Signed => Rational::from(bits.signed()),
            Signedness::Unsigned => bits.to_nat(),
        };
        (read == *value).then(|| t.bitvec(&value.numer(), width))
    };
    if let Some(point) = bounds.point() {
        return literal(point)
            .map(|point| t.eq(word, point))
            .into_iter()
            .collect();
    }
    let op = match reading {
        Signedness::Signed => BvOp::Sle,
        Signedness::Unsigned => BvOp::Ule,
    };
    let of = |bound: &Option<(Rational, bool)>| literal(&bound.as_ref()?.0);
    let lower = of(&bounds.lower).map(|lower| t.bv(op, &[lower, word]));
    let upper = of(&bounds.upper).map(|upper| t.bv(op, &[word, upper]));
    lower.into_iter().chain(upper).collect()
}

/// The facts, by the index of their predicate.
struct WithFacts {
    facts: Vec<Facts>,
}

impl ModelLift for WithFacts {
    fn model(&self, tools: &Tools<'_>, _: &System, mut model: Model) -> Result<Model, LiftError> {
        let t = tools.terms;
        for (interpretation, facts) in zip(&mut model.interpretations, &self.facts) {
            let said = facts.of_args(t, &interpretation.params);
            interpretation.body = t.and([said, interpretation.body]);
        }
        Ok(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    #[test]
    fn bounds_beyond_the_width_say_nothing() {
        let t = Terms::new();
        let (i, x) = (t.var("i", Sort::INT), t.var("x", t.bitvec_sort(8)));
        let said = |low: i64, high: i64, signedness| {
            let mut bounds = Bounds::default();
            for literal in [t.le(t.int(low), i), t.le(i, t.int(high))] {
                bounds.add(&bound_literal(&t, literal).expect("a bound"));
            }
            let literals = in_bits(&t, x, &bounds, signedness).into_iter();
            literals
                .map(|l| t.display(l).to_string())
                .collect::<Vec<_>>()
        };
        let (signed, unsigned) = (Signedness::Signed, Signedness::Unsigned);
        assert_eq!(said(-3, 128, signed), ["(bvsle #xfd x)"]);
        assert_eq!(said(-129, 126, signed), ["(bvsle x #x7e)"]);
        assert_eq!(said(-3, 128, unsigned), ["(bvule x #x80)"]);
        assert_eq!(said(7, 7, unsigned), ["(= x #x07)"]);
        assert_eq!(said(256, 256, unsigned), [""; 0]);
    }
}
