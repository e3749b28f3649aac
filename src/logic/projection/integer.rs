//! Elimination of an integer variable: Cooper's method \[Coo72\] with one test point, chosen by the
//! model.
//!
//! Let `δ` be the least common multiple of the variable's coefficients. Then `y = δ·x` has
//! coefficient 1 everywhere, and `δ | y`. Some bound is the tightest on its side in the model, and
//! `y` lies at a distance `r` from it. The divisibility constraints repeat with period `D`, the
//! least common multiple of their moduli. So the point at distance `r mod D` satisfies them too,
//! and it is no further from the bound. Substituting this point leaves constraints without `y`.
//! There are finitely many choices of bound and residue.
//!
//! DIVERGENCE: the paper takes the disjunction over all test points. The model chooses one
//! disjunct, as in \[KGC14\].

use super::Projection;
use crate::logic::literal::{LinearLiteral, Relation};
use crate::number::Rational;
use crate::term::{LinearSum, Sort, Term};

impl Projection<'_, '_> {
    /// Eliminates an integer variable that occurs in inequalities and divisibility constraints.
    pub(super) fn eliminate_integer(&mut self, var: Term) {
        let mut literals = self.take_linear(var);
        if !literals.iter().all(|l| l.is_integral(self.t)) {
            return self.substitute_value(var, literals);
        }
        // Integer coefficients, no strict inequality: sum < 0 is sum + 1 ≤ 0.
        let mut delta = Rational::one();
        for literal in &mut literals {
            if !matches!(literal.relation, Relation::Divides(_)) {
                let factor = literal.sum.normalizer();
                literal.sum.scale(&factor);
                literal.sum.constant = match literal.relation {
                    // The terms are integral: only the floor of the constant's complement can be
                    // reached.
                    Relation::Lt => &literal.sum.constant.floor() + &Rational::one(),
                    _ => literal.sum.constant.ceil(),
                };
                literal.relation = Relation::Le;
            }
            delta = delta.lcm(&literal.sum.coefficient(var).abs());
        }
        let mut sides = Sides::default();
        let mut period = delta.clone();
        for mut literal in literals {
            // a·x + s ⋈ 0, times δ/|a|: ±y + s' ⋈ 0.
            let a = literal.sum.remove(var);
            let factor = &delta / &a.abs();
            literal.sum.scale(&factor);
            match literal.relation {
                Relation::Divides(modulus) => {
                    let modulus = &modulus * &factor;
                    period = period.lcm(&modulus);
                    // m | -y + s' is m | y - s'.
                    if a.is_negative() {
                        literal.sum.scale(&Rational::from(-1));
                    }
                    sides.divides.push((modulus, literal.sum));
                }
                _ if a.is_positive() => {
                    literal.sum.scale(&Rational::from(-1));
                    sides.upper.push(literal.sum);
                }
                _ => sides.lower.push(literal.sum),
            }
        }
        if !delta.is_one() {
            sides.divides.push((delta.clone(), LinearSum::default()));
        }
        let y = &self.valuation.number(var) * &delta;
        self.substitute_point(&sides, &y, &period);
    }

    /// Adds what remains of the constraints on `y` when the test point is put in its place.
    fn substitute_point(&mut self, sides: &Sides, y: &Rational, period: &Rational) {
        let (below, near) = if sides.lower.is_empty() || sides.upper.is_empty() {
            // Nothing on one side: beyond all bounds on the other side, only the residue counts.
            return self.substitute_residue(sides, y, period);
        } else if sides.lower.len() <= sides.upper.len() {
            (true, &sides.lower)
        } else {
            (false, &sides.upper)
        };
        let sign = Rational::from(if below { 1 } else { -1 });
        let values: Vec<Rational> = near.iter().map(|s| self.sum_value(s)).collect();
        let tightest = (0..near.len())
            .max_by_key(|&i| &values[i] * &sign)
            .expect("the side is not empty");
        let distance = (&(y - &values[tightest]) * &sign).mod_euclid(period);
        let mut point = near[tightest].clone();
        point.constant.add_mul(&sign, &distance);
        for lower in &sides.lower {
            self.add_difference(lower, &point);
        }
        for upper in &sides.upper {
            self.add_difference(&point, upper);
        }
        for (modulus, rest) in &sides.divides {
            self.add_divides(modulus, rest, &point);
        }
    }

    fn substitute_residue(&mut self, sides: &Sides, y: &Rational, period: &Rational) {
        let point = LinearSum::constant(y.mod_euclid(period));
        for (modulus, rest) in &sides.divides {
            self.add_divides(modulus, rest, &point);
        }
    }

    /// Adds `x ≤ y`.
    fn add_difference(&mut self, x: &LinearSum, y: &LinearSum) {
        let mut sum = x.clone();
        sum.add_scaled(&Rational::from(-1), y);
        self.add_linear(LinearLiteral {
            sum,
            relation: Relation::Le,
            sort: Sort::INT,
        });
    }

    /// Adds `modulus | point + rest`.
    fn add_divides(&mut self, modulus: &Rational, rest: &LinearSum, point: &LinearSum) {
        let mut sum = rest.clone();
        sum.add_scaled(&Rational::one(), point);
        self.add_linear(LinearLiteral {
            sum,
            relation: Relation::Divides(modulus.clone()),
            sort: Sort::INT,
        });
    }
}

/// Constraints on `y`: `lower ≤ y`, `y ≤ upper`, `modulus | y + rest`.
#[derive(Default)]
struct Sides {
    lower: Vec<LinearSum>,
    upper: Vec<LinearSum>,
    divides: Vec<(Rational, LinearSum)>,
}
