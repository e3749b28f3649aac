//! Sums of inequalities as terms.

use crate::number::{DeltaRational, Rational};
use crate::term::{LinearSum, Sort, Term, Terms};
use std::collections::BTreeMap;

/// `Σ coefficient·term ≤ bound`, made by adding up.
#[derive(Clone, Debug, Default)]
pub(super) struct Inequality {
    terms: BTreeMap<Term, Rational>,
    bound: DeltaRational,
}

impl Inequality {
    /// Adds `factor` times `form ≤ bound`; for `form ≥ bound` the factor is negative.
    pub(super) fn add(
        &mut self,
        factor: &Rational,
        form: &[(Term, Rational)],
        bound: &DeltaRational,
    ) {
        for (x, a) in form {
            self.terms.entry(*x).or_default().add_mul(factor, a);
        }
        self.bound.add_mul(factor, bound);
    }

    /// The inequality as a term with coprime integer coefficients; over integers the bound is
    /// rounded down.
    pub(super) fn term(&self, t: &Terms) -> Term {
        let terms: Vec<(Term, Rational)> =
            self.terms.iter().map(|(&x, a)| (x, a.clone())).collect();
        let mut sum = LinearSum {
            terms: terms.into_iter().filter(|(_, a)| !a.is_zero()).collect(),
            constant: Rational::zero(),
        };
        if sum.is_constant() {
            return t.bool(self.bound.signum() >= 0);
        }
        let scale = sum.normalizer();
        sum.scale(&scale);
        let is_real = sum.terms.iter().any(|&(x, _)| t.sort_of(x) == Sort::REAL);
        let sort = if is_real { Sort::REAL } else { Sort::INT };
        let bound = &self.bound * &scale;
        if !is_real {
            return compare(t, sum, bound.floor(), sort, false);
        }
        let strict = bound.delta.is_negative();
        compare(t, sum, bound.real, sort, strict)
    }
}

/// `sum ≤ bound` with positive coefficients on both sides of the sign: what is negative goes to the
/// other side if all is.
fn compare(t: &Terms, mut sum: LinearSum, mut bound: Rational, sort: Sort, strict: bool) -> Term {
    let turn = sum.terms[0].1.is_negative();
    if turn {
        sum.scale(&Rational::from(-1));
        bound = -bound;
    }
    let (left, right) = (t.sum_term(&sum, sort), t.number(bound, sort));
    match (turn, strict) {
        (false, false) => t.le(left, right),
        (false, true) => t.lt(left, right),
        (true, false) => t.ge(left, right),
        (true, true) => t.gt(left, right),
    }
}
