//! Affine hulls: all linear equations that hold for a set of points \[Kar76\].

use super::space::Point;
use crate::number::Rational;
use crate::term::{LinearSum, Term};
use crate::work;

/// Equations with more than 8 terms are dropped: they say little, and make every query with them
/// harder. The value was not tuned.
const MOST_TERMS: usize = 8;
/// Equations with coefficients of more than 32 bits are dropped for the same reason. The value was
/// not tuned.
const MOST_BITS: u64 = 32;

/// An affine space that contains all points of a set, as equations `sum = 0`.
///
/// Invariant: there are at most as many equations as terms, and each point added satisfies all of
/// them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct AffineHull {
    equations: Vec<LinearSum>,
}

/// The value of a sum at a point, which gives each term its coordinate.
pub(super) fn value_at(sum: &LinearSum, point: &impl Fn(Term) -> Rational) -> Rational {
    let mut value = sum.constant.clone();
    for (x, c) in &sum.terms {
        value.add_mul(c, &point(*x));
    }
    value
}

/// Eliminates a term from an equation by another equation with the term.
pub(super) fn eliminate(term: Term, by: &LinearSum, equation: &mut LinearSum) {
    let factor = &equation.coefficient(term) * &-&by.coefficient(term).recip();
    equation.add_scaled(&factor, by);
    let factor = equation.normalizer();
    equation.scale(&factor);
    debug_assert!(
        equation.coefficient(term).is_zero(),
        "the term is eliminated"
    );
}

impl AffineHull {
    /// Of a single point, in the space of the columns that it has coordinates of.
    pub(super) fn of_point(columns: impl IntoIterator<Item = Term>, point: &Point) -> Self {
        let equation = |x| {
            let coordinate = point.coordinate(x)?;
            Some(LinearSum {
                terms: vec![(x, Rational::one())],
                constant: -coordinate,
            })
        };
        AffineHull {
            equations: columns.into_iter().filter_map(equation).collect(),
        }
    }

    /// The whole space.
    pub(super) fn whole() -> Self {
        AffineHull {
            equations: Vec::new(),
        }
    }

    /// The equations, each a sum that is 0, with coprime integer coefficients.
    pub(super) fn equations(&self) -> &[LinearSum] {
        &self.equations
    }

    /// Becomes the hull of both, but for equations that are too long or too large. The other is a
    /// point and the directions in which it extends.
    pub(super) fn join(&mut self, other: &AffineHull) {
        let solved = other.solved();
        let solution = |x: Term| solved.iter().find(|(pivot, _)| *pivot == x);
        let point = |x: Term| match solution(x) {
            Some((_, sum)) => -&sum.constant,
            None => Rational::zero(),
        };
        let residue = |sum: &LinearSum| value_at(sum, &point);
        self.add(&self.equations.iter().map(residue).collect::<Vec<_>>());
        let mut columns: Vec<Term> = (self.equations.iter())
            .flat_map(|e| e.terms.iter().map(|(x, _)| *x))
            .filter(|&x| solution(x).is_none())
            .collect();
        // What the solutions depend on extends the other as well.
        columns.extend(solved.iter().flat_map(|(pivot, sum)| {
            let free = sum.terms.iter().map(|(x, _)| *x);
            free.filter(move |x| x != pivot)
        }));
        columns.sort_unstable();
        columns.dedup();
        for free in columns {
            let direction = |x: Term| match solution(x) {
                _ if x == free => Rational::one(),
                Some((_, sum)) => -&sum.coefficient(free),
                None => Rational::zero(),
            };
            let residue = |sum: &LinearSum| &value_at(sum, &direction) - &sum.constant;
            self.add(&self.equations.iter().map(residue).collect::<Vec<_>>());
        }
    }

    /// Is every point of this hull in the other?
    pub(super) fn is_inside(&self, other: &AffineHull) -> bool {
        let solved = self.solved();
        other.equations.iter().all(|equation| {
            let mut rest = equation.clone();
            for (pivot, sum) in &solved {
                let factor = -&rest.coefficient(*pivot);
                rest.add_scaled(&factor, sum);
            }
            rest.is_constant() && rest.constant.is_zero()
        })
    }

    /// The equations solved: columns that occur in one equation only, there with the coefficient 1,
    /// and these equations.
    fn solved(&self) -> Vec<(Term, LinearSum)> {
        let mut solved: Vec<(Term, LinearSum)> = Vec::new();
        for equation in &self.equations {
            let mut sum = equation.clone();
            for (pivot, by) in &solved {
                let factor = -&sum.coefficient(*pivot);
                sum.add_scaled(&factor, by);
            }
            let Some((pivot, coefficient)) = sum.terms.first().cloned() else {
                continue;
            };
            sum.scale(&coefficient.recip());
            for (_, other) in &mut solved {
                let factor = -&other.coefficient(pivot);
                other.add_scaled(&factor, &sum);
            }
            solved.push((pivot, sum));
        }
        debug_assert!(
            solved
                .iter()
                .all(|(pivot, sum)| sum.coefficient(*pivot).is_one()
                    && (solved.iter())
                        .all(|(other, _)| other == pivot || sum.coefficient(*other).is_zero())),
            "a solved column occurs in one equation only"
        );
        solved
    }

    /// Adds a point, or a direction, given by the values of the equations' left sides. Of the
    /// equations that it violates one goes, and makes the others true of it: along the line to the
    /// new point their left sides grow in fixed proportions.
    fn add(&mut self, residues: &[Rational]) {
        let violated = (0..residues.len()).filter(|&i| !residues[i].is_zero());
        // The shortest one, since it is added to the others.
        let Some(pivot) = violated.min_by_key(|&i| self.equations[i].terms.len()) else {
            return;
        };
        let sum = self.equations[pivot].clone();
        let scale = -&residues[pivot].recip();
        let entries = self.equations.iter().map(|e| 1 + e.terms.len());
        work::spend_on(2 * entries.sum::<usize>());
        for (equation, residue) in self.equations.iter_mut().zip(residues) {
            if !residue.is_zero() {
                equation.add_scaled(&(residue * &scale), &sum);
                let factor = equation.normalizer();
                equation.scale(&factor);
            }
        }
        let is_small = |c: &Rational| c.bit_length() <= MOST_BITS;
        // The pivot's own equation is `0 = 0` now.
        self.equations.retain(|e| {
            !e.terms.is_empty()
                && e.terms.len() <= MOST_TERMS
                && e.terms.iter().all(|(_, c)| is_small(c))
                && is_small(&e.constant)
        });
    }

    /// Removes all knowledge about a term.
    pub(super) fn forget(&mut self, term: Term) {
        let zero = Rational::zero();
        let mentions = |e: &LinearSum| e.coefficient(term) != zero;
        work::spend_on(1 + self.equations.len());
        if let Some(pivot) = self.equations.iter().position(mentions) {
            let sum = self.equations.swap_remove(pivot);
            for equation in &mut self.equations {
                eliminate(term, &sum, equation);
            }
        }
    }
}
