//! Affine hulls: all linear equations that hold of a set of points.

use crate::number::Rational;
use crate::term::{LinearSum, Term};

/// Equations over more terms are given up: they say little, and make every question about them harder.
const MOST_TERMS: usize = 8;
/// So are equations with coefficients of more bits.
const MOST_BITS: u64 = 32;

/// The smallest affine space that was found to hold all points of a set, as equations `sum = 0`.
///
/// Invariant: there are at most as many equations as terms, and each point added satisfies all of them.
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

/// Takes a term out of an equation by another one that has it.
pub(super) fn eliminate(term: Term, by: &LinearSum, equation: &mut LinearSum) {
    let factor = &equation.coefficient(term) * &-&by.coefficient(term).recip();
    equation.add_scaled(&factor, by);
    let factor = equation.normalizer();
    equation.scale(&factor);
}

impl AffineHull {
    /// Of a single point, in the space of these terms.
    pub(super) fn of_point(
        terms: impl IntoIterator<Item = Term>,
        point: &impl Fn(Term) -> Rational,
    ) -> Self {
        let equation = |x| LinearSum {
            terms: vec![(x, Rational::one())],
            constant: -&point(x),
        };
        AffineHull {
            equations: terms.into_iter().map(equation).collect(),
        }
    }

    /// The equations, each a sum that is 0, with coprime integer coefficients.
    pub(super) fn equations(&self) -> &[LinearSum] {
        &self.equations
    }

    /// Adds a point. Of the equations that it violates one goes, and makes the others true of it: along the line to the new
    /// point their left sides grow in fixed proportions.
    pub(super) fn add(&mut self, point: &impl Fn(Term) -> Rational) {
        let residues: Vec<Rational> = (self.equations.iter())
            .map(|sum| value_at(sum, point))
            .collect();
        let violated = (0..residues.len()).filter(|&i| !residues[i].is_zero());
        // The shortest, since it is added to others.
        let Some(pivot) = violated.min_by_key(|&i| self.equations[i].terms.len()) else {
            return;
        };
        let sum = self.equations[pivot].clone();
        let scale = -&residues[pivot].recip();
        for (equation, residue) in self.equations.iter_mut().zip(&residues) {
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

    /// Forgets what is said of a term.
    pub(super) fn forget(&mut self, term: Term) {
        let zero = Rational::zero();
        let mentions = |e: &LinearSum| e.coefficient(term) != zero;
        if let Some(pivot) = self.equations.iter().position(mentions) {
            let sum = self.equations.swap_remove(pivot);
            for equation in &mut self.equations {
                eliminate(term, &sum, equation);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Sort, Terms};

    /// The equations of points over x, y, z.
    fn hull(points: &[[i64; 3]]) -> Vec<String> {
        let t = Terms::new();
        let vars = ["x", "y", "z"].map(|name| t.var(name, Sort::INT));
        let coordinates = |point: [i64; 3]| {
            move |x: Term| {
                let place = vars.iter().position(|&v| v == x).expect("a variable");
                Rational::from(point[place])
            }
        };
        let mut hull = AffineHull::of_point(vars, &coordinates(points[0]));
        for &point in &points[1..] {
            hull.add(&coordinates(point));
        }
        for &point in points {
            let zero = Rational::zero();
            let values = hull
                .equations()
                .iter()
                .map(|e| value_at(e, &coordinates(point)));
            assert!(values.into_iter().all(|value| value == zero));
        }
        let text = |e: &LinearSum| t.display(t.sum_term(e, Sort::INT)).to_string();
        hull.equations().iter().map(text).collect()
    }

    #[test]
    fn hulls_of_points() {
        assert_eq!(hull(&[[1, 2, 3]]).len(), 3);
        assert_eq!(hull(&[[1, 2, 3], [1, 2, 3]]).len(), 3);
        // A line: two equations; a plane: one; the space: none.
        assert_eq!(hull(&[[0, 0, 0], [1, 2, 3]]).len(), 2);
        assert_eq!(hull(&[[0, 0, 0], [1, 2, 3], [2, 4, 6]]).len(), 2);
        assert_eq!(hull(&[[0, 0, 5], [1, 0, 5], [0, 1, 5]]), ["(+ z (- 5))"]);
        assert_eq!(hull(&[[0, 0, 0], [1, 1, 0], [0, 1, 1], [1, 0, 0]]).len(), 0);
    }
}
