//! Linear constraints without some of their terms: Gaussian elimination, then Fourier–Motzkin's.
//!
//! The result is implied by the constraints, but need not be all that they imply: what would
//! become too large is left out, and integers are treated as rationals but for rounding.

use super::affine::eliminate;
use crate::logic::{LinearLiteral, Relation};
use crate::number::Rational;
use crate::term::{LinearSum, Sort, Term, Terms};
use crate::work;
use std::collections::BTreeMap;

/// At most 256 inequalities are kept; an elimination that makes more leaves out its results. The
/// value was not tuned.
const MOST_INEQUALITIES: usize = 256;
/// Constraints with coefficients of more than 32 bits are left out. The value was not tuned.
const MOST_BITS: u64 = 32;

/// The terms of an inequality with their coefficients, coprime integers.
type Left = Vec<(Term, Rational)>;

/// A conjunction of linear equations and inequalities.
#[derive(Default, Debug)]
pub(super) struct Conjunction {
    /// Sums that are 0.
    pub(super) equations: Vec<LinearSum>,
    /// Sums that are at most 0: for their terms the greatest constant.
    inequalities: BTreeMap<Left, Rational>,
}

/// Is each term an integer?
fn is_integral(t: &Terms, terms: &Left) -> bool {
    terms.iter().all(|&(x, _)| t.sort_of(x) == Sort::INT)
}

/// Are the numbers small enough to be kept?
fn is_small(sum: &LinearSum) -> bool {
    let terms = sum.terms.iter().map(|(_, c)| c);
    terms
        .chain([&sum.constant])
        .all(|c| c.bit_length() <= MOST_BITS)
}

impl Conjunction {
    /// Adds a literal; `value` says what the value of a sum is, which decides between the sides of
    /// a disequation. Strict inequalities between reals, and divisibility, are weakened.
    pub(super) fn add(&mut self, t: &Terms, literal: LinearLiteral, value: &Rational) {
        let LinearLiteral {
            mut sum, relation, ..
        } = literal;
        let is_strict = match relation {
            Relation::Eq => return self.equations.push(sum),
            Relation::Le => false,
            Relation::Lt => true,
            Relation::Ne => {
                if value.is_positive() {
                    sum.scale(&Rational::from(-1));
                }
                true
            }
            Relation::Divides(_) | Relation::NotDivides(_) => return,
        };
        let factor = sum.normalizer();
        sum.scale(&factor);
        if is_strict && is_integral(t, &sum.terms) {
            // `sum < 0` is `⌊sum⌋ + 1 ≤ 0`, since the terms are integers.
            sum.constant = &sum.constant.floor() + &Rational::one();
        }
        self.add_inequality(t, sum);
    }

    /// Adds `sum ≤ 0`.
    fn add_inequality(&mut self, t: &Terms, mut sum: LinearSum) {
        let factor = sum.normalizer();
        sum.scale(&factor);
        if sum.is_constant() || !is_small(&sum) {
            return;
        }
        if is_integral(t, &sum.terms) {
            sum.constant = sum.constant.ceil();
        }
        let LinearSum { terms, constant } = sum;
        let known = self
            .inequalities
            .entry(terms)
            .or_insert_with(|| constant.clone());
        if *known < constant {
            *known = constant;
        }
    }

    /// The inequalities: sums that are at most 0.
    pub(super) fn inequalities(&self) -> impl Iterator<Item = LinearSum> {
        self.inequalities.iter().map(|(terms, constant)| LinearSum {
            terms: terms.clone(),
            constant: constant.clone(),
        })
    }

    /// Eliminates all terms but these.
    pub(super) fn keep(&mut self, t: &Terms, is_kept: impl Fn(Term) -> bool) {
        let mut open = std::mem::take(&mut self.equations);
        while let Some(equation) = open.pop() {
            let unit = |(_, c): &&(Term, Rational)| c.is_one() || c.is_minus_one();
            let others = || equation.terms.iter().filter(|(x, _)| !is_kept(*x));
            let pivot = others().find(unit).or_else(|| others().next());
            let Some(&(pivot, _)) = pivot else {
                if !equation.is_constant() && is_small(&equation) {
                    self.equations.push(equation);
                }
                continue;
            };
            let rows = open.iter_mut().chain(&mut self.equations);
            rows.filter(|e| !e.coefficient(pivot).is_zero())
                .for_each(|e| eliminate(pivot, &equation, e));
            for mut sum in self.take_with(pivot) {
                let factor = &sum.coefficient(pivot) * &-&equation.coefficient(pivot).recip();
                sum.add_scaled(&factor, &equation);
                self.add_inequality(t, sum);
            }
        }
        while let Some(term) = self.next_term(&is_kept) {
            self.eliminate(t, term);
        }
    }

    /// The inequalities with a term, which are taken out.
    fn take_with(&mut self, term: Term) -> Vec<LinearSum> {
        work::spend_on(self.inequalities.len());
        let mut taken = Vec::new();
        self.inequalities.retain(|terms, constant| {
            let stays = terms.iter().all(|(x, _)| *x != term);
            if !stays {
                let (terms, constant) = (terms.clone(), constant.clone());
                taken.push(LinearSum { terms, constant });
            }
            stays
        });
        taken
    }

    /// The term whose elimination adds the fewest inequalities.
    fn next_term(&self, is_kept: &impl Fn(Term) -> bool) -> Option<Term> {
        let mut counts: BTreeMap<Term, [usize; 2]> = BTreeMap::new();
        for (x, c) in self.inequalities.keys().flatten() {
            if !is_kept(*x) {
                counts.entry(*x).or_default()[usize::from(c.is_positive())] += 1;
            }
        }
        work::spend_on(self.inequalities.len());
        let growth = |&(_, [below, above]): &(&Term, &[usize; 2])| {
            (below * above) as i64 - (below + above) as i64
        };
        counts.iter().min_by_key(growth).map(|(x, _)| *x)
    }

    /// Fourier–Motzkin's step.
    fn eliminate(&mut self, t: &Terms, term: Term) {
        let with = self.take_with(term);
        let (above, below): (Vec<_>, Vec<_>) = with
            .into_iter()
            .partition(|sum| sum.coefficient(term).is_positive());
        if self.inequalities.len() + above.len() * below.len() > MOST_INEQUALITIES {
            return;
        }
        work::spend_on(4 * above.len() * below.len());
        for upper in &above {
            for lower in &below {
                let mut sum = upper.clone();
                sum.scale(&-&lower.coefficient(term));
                sum.add_scaled(&upper.coefficient(term), lower);
                self.add_inequality(t, sum);
            }
        }
    }
}
