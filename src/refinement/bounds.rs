//! Elimination of a number by combining its bounds: Fourier and Motzkin's method, where it is
//! exact.
//!
//! Over integers a pair of bounds is combined exactly if one of the two coefficients is 1. A number
//! that has bounds on one side only can have any value there, also where disequations exclude some.

use crate::logic::{LinearLiteral, Relation};
use crate::number::Rational;
use crate::term::{Sort, Term, Terms};

/// More pairs of bounds than this are not combined. The value was not tuned.
const MOST_PAIRS: usize = 16;
/// The conjuncts that a number occurs in, if all of them compare it with something.
pub(super) struct Bounds {
    /// `-c·x + rest ≤ 0` or `< 0`.
    lower: Vec<LinearLiteral>,
    /// `c·x + rest ≤ 0` or `< 0`.
    upper: Vec<LinearLiteral>,
    /// Is there a disequation?
    is_punctured: bool,
    x: Term,
}

impl Bounds {
    /// The bounds of `x` in conjuncts that it occurs in; `None` if it occurs otherwise.
    pub(super) fn of(t: &Terms, x: Term, conjuncts: &[Term]) -> Option<Bounds> {
        let mut bounds = Bounds {
            lower: Vec::new(),
            upper: Vec::new(),
            is_punctured: false,
            x,
        };
        for &conjunct in conjuncts {
            let mut literal = LinearLiteral::of_term(t, conjunct)?;
            let is_inside = |&(y, _): &(Term, Rational)| y != x && t.any_subterm(y, |s| s == x);
            if literal.sum.terms.iter().any(is_inside) {
                return None;
            }
            let c = literal.sum.coefficient(x);
            if c.is_zero() {
                return None;
            }
            match literal.relation {
                Relation::Le | Relation::Lt => {}
                Relation::Ne => {
                    bounds.is_punctured = true;
                    continue;
                }
                _ => return None,
            }
            if t.sort_of(x) == Sort::INT {
                literal = integral(t, literal)?;
            }
            match c.is_negative() {
                true => bounds.lower.push(literal),
                false => bounds.upper.push(literal),
            }
        }
        Some(bounds)
    }

    /// What the bounds say without the number; `None` if their pairs do not say it, or are too
    /// many.
    pub(super) fn combined(&self, t: &Terms) -> Option<Vec<Term>> {
        // There are infinitely many numbers on the side without a bound.
        if self.lower.is_empty() || self.upper.is_empty() {
            return Some(Vec::new());
        }
        let is_unit = |literal: &LinearLiteral| literal.sum.coefficient(self.x).abs().is_one();
        let is_exact = t.sort_of(self.x) == Sort::REAL
            || self.lower.iter().all(is_unit)
            || self.upper.iter().all(is_unit);
        if self.is_punctured || !is_exact || self.lower.len() * self.upper.len() > MOST_PAIRS {
            return None;
        }
        let pairs = self
            .lower
            .iter()
            .flat_map(|l| self.upper.iter().map(move |u| (l, u)));
        Some(pairs.map(|(l, u)| self.pair(l, u).to_term(t)).collect())
    }

    /// The sum of a lower and an upper bound in which the number cancels.
    fn pair(&self, lower: &LinearLiteral, upper: &LinearLiteral) -> LinearLiteral {
        let mut sum = lower.sum.clone();
        sum.scale(&upper.sum.coefficient(self.x).abs());
        sum.add_scaled(&lower.sum.coefficient(self.x).abs(), &upper.sum);
        let is_strict = [lower, upper].iter().any(|l| l.relation == Relation::Lt);
        LinearLiteral {
            sum,
            relation: if is_strict {
                Relation::Lt
            } else {
                Relation::Le
            },
            sort: lower.sort,
        }
    }
}

/// A bound over integers with integer coefficients that is not strict.
fn integral(t: &Terms, mut literal: LinearLiteral) -> Option<LinearLiteral> {
    if !literal.is_integral(t) {
        return None;
    }
    let normalizer = literal.sum.normalizer();
    literal.sum.scale(&normalizer);
    if literal.relation == Relation::Lt {
        // s + k < 0 where s is an integer: s ≤ ⌈-k⌉ - 1.
        literal.sum.constant = &literal.sum.constant.floor() + &Rational::one();
        literal.relation = Relation::Le;
    } else {
        // s + k ≤ 0: s ≤ ⌊-k⌋.
        literal.sum.constant = literal.sum.constant.ceil();
    }
    Some(literal)
}
