//! Linear literals: a normal form of the atoms of integer and real arithmetic.
//!
//! Two literals that differ only in how they are written, such as `x < y + 1` and `(- y) + x <= 0`
//! over integers, get the same term. This makes cubes and lemmas comparable.

use crate::number::Rational;
use crate::term::{LinearSum, Op, Sort, Term, Terms};

/// The relation of a linear sum to 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// `sum = 0`.
    Eq,
    /// `sum ≠ 0`.
    Ne,
    /// `sum ≤ 0`.
    Le,
    /// `sum < 0`.
    Lt,
    /// The modulus, a positive integer, divides the sum, an integer.
    Divides(Rational),
    /// The modulus does not divide the sum.
    NotDivides(Rational),
}

/// A literal `sum ⋈ 0` of sort `Int` or `Real`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LinearLiteral {
    /// The linear sum.
    pub sum: LinearSum,
    /// The relation of the sum to 0.
    pub relation: Relation,
    /// The sort of the sum. A real sum may contain integer terms.
    pub sort: Sort,
}

impl LinearLiteral {
    /// The literal that a formula is; `None` if it is not a literal over arithmetic.
    pub fn of_term(t: &Terms, formula: Term) -> Option<Self> {
        let (atom, positive) = match t.as_not(formula) {
            Some(atom) => (atom, false),
            None => (formula, true),
        };
        let &[x, y] = t.args(atom) else { return None };
        let sort = t.sort_of(x);
        if !sort.is_arith() {
            return None;
        }
        let relation = match t.op(atom) {
            Op::Eq => {
                if let Some(divides) = Self::divisibility(t, x, y, positive) {
                    return Some(divides);
                }
                if positive { Relation::Eq } else { Relation::Ne }
            }
            // Negated inequalities are inequalities.
            Op::Le => Relation::Le,
            Op::Lt => Relation::Lt,
            _ => return None,
        };
        let mut sum = t.linear_sum(x);
        sum.add_scaled(&Rational::from(-1), &t.linear_sum(y));
        Some(LinearLiteral {
            sum,
            relation,
            sort,
        })
    }

    /// `(mod e k) = r`, either way round, for numerals `k ≠ 0` and `0 ≤ r < |k|`: `|k|` divides
    /// `e - r`.
    pub(crate) fn divisibility(t: &Terms, x: Term, y: Term, positive: bool) -> Option<Self> {
        let (modulo, residue) = match (t.op(x), t.op(y)) {
            (Op::Mod, Op::Number(_)) => (x, t.as_number(y)?),
            (Op::Number(_), Op::Mod) => (y, t.as_number(x)?),
            _ => return None,
        };
        let &[dividend, divisor] = t.args(modulo) else {
            return None;
        };
        let modulus = t.as_number(divisor)?.abs();
        if modulus.is_zero() || residue.is_negative() || *residue >= modulus {
            return None;
        }
        let mut sum = t.linear_sum(dividend);
        sum.constant = &sum.constant - residue;
        Some(LinearLiteral {
            sum,
            relation: if positive {
                Relation::Divides(modulus)
            } else {
                Relation::NotDivides(modulus)
            },
            sort: Sort::INT,
        })
    }

    /// The formula in normal form. Its coefficients are coprime integers. Over integers there is no
    /// strict inequality, and constants are rounded to values that integers can reach. The result
    /// is `true` or `false` if that is decided without a variable.
    pub fn to_term(&self, t: &Terms) -> Term {
        match &self.relation {
            Relation::Divides(modulus) => self.divides_term(t, modulus),
            Relation::NotDivides(modulus) => t.not(self.divides_term(t, modulus)),
            Relation::Eq => t.sum_is_zero(&self.sum, self.sort),
            Relation::Ne => t.not(t.sum_is_zero(&self.sum, self.sort)),
            Relation::Le => t.sum_at_most_zero(&self.sum, false, self.sort),
            Relation::Lt => t.sum_at_most_zero(&self.sum, true, self.sort),
        }
    }

    /// Do all terms of the sum have sort `Int`?
    pub fn is_integral(&self, t: &Terms) -> bool {
        self.sum
            .terms
            .iter()
            .all(|&(x, _)| t.sort_of(x) == Sort::INT)
    }

    fn divides_term(&self, t: &Terms, modulus: &Rational) -> Term {
        let reduce = |c: &Rational| c.mod_euclid(modulus);
        let terms: Vec<_> = self
            .sum
            .terms
            .iter()
            .map(|(x, c)| (*x, reduce(c)))
            .filter(|(_, c)| !c.is_zero())
            .collect();
        let common = terms.iter().fold(modulus.clone(), |gcd, (_, c)| gcd.gcd(c));
        let constant = reduce(&self.sum.constant);
        if !constant.is_divisible_by(&common) {
            return Term::FALSE;
        }
        let shrink = common.recip();
        let mut sum = LinearSum { terms, constant };
        sum.scale(&shrink);
        let modulus = modulus * &shrink;
        let residue = (-&sum.constant).mod_euclid(&modulus);
        sum.constant = Rational::zero();
        if modulus.is_one() {
            return Term::TRUE;
        }
        let dividend = t.sum_term(&sum, Sort::INT);
        let remainder = t.modulo(dividend, t.number(modulus, Sort::INT));
        t.eq(remainder, t.number(residue, Sort::INT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Literals over integer variables, written by a closure, against their normal form as text.
    #[test]
    fn normal_forms() {
        let t = Terms::new();
        let (x, y) = (t.var("x", Sort::INT), t.var("y", Sort::INT));
        let (u, v) = (t.var("u", Sort::REAL), t.var("v", Sort::REAL));
        let int = |n| t.int(n);
        let real = |n, d| t.real(Rational::new(n, d));
        let table = [
            (t.lt(x, t.add([y, int(1)])), "(<= (+ x (* (- 1) y)) 0)"),
            (t.le(t.sub(x, y), int(0)), "(<= (+ x (* (- 1) y)) 0)"),
            (t.le(t.mul([int(2), x]), int(5)), "(<= x 2)"),
            (t.lt(int(5), t.mul([int(2), x])), "(<= 3 x)"),
            (t.lt(t.mul([int(-2), x]), int(-5)), "(<= 3 x)"),
            (t.eq(t.mul([int(2), x]), int(5)), "false"),
            (t.not(t.eq(t.mul([int(2), x]), int(5))), "true"),
            (t.eq(t.mul([int(-2), x]), int(4)), "(= x (- 2))"),
            (
                t.le(u, t.add([v, real(1, 2)])),
                "(<= (+ u (* (- 1.0) v)) (/ 1.0 2.0))",
            ),
            (
                t.lt(t.mul([real(-2, 1), u]), real(1, 1)),
                "(< (- (/ 1.0 2.0)) u)",
            ),
            (
                t.divisible(Rational::from(4), t.mul([int(2), x])),
                "(= (mod x 2) 0)",
            ),
            (
                t.divisible(Rational::from(3), t.add([x, int(4)])),
                "(= (mod x 3) 2)",
            ),
        ];
        for (formula, expected) in table {
            let literal = LinearLiteral::of_term(&t, formula).expect("a linear literal");
            let text = t.display(literal.to_term(&t)).to_string();
            assert_eq!(text, expected, "{}", t.display(formula));
        }
    }
}
