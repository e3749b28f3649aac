//! Products and quotients of terms.

use super::{CheckedInequality, Checker, divisor, itself, negated};
use crate::number::Rational;
use crate::smt::native::proof::Literal;
use crate::term::{LinearSum, Op, Sort, Term};
use std::collections::BTreeSet;

/// `sum ≥ 0`, or `sum > 0` if strict.
#[derive(Clone, Debug)]
struct Inequality {
    sum: LinearSum,
    strict: bool,
}

impl Checker<'_> {
    /// Is the clause true since a product is what it is?
    ///
    /// Two of the negated literals, as inequalities, are multiplied, or one that holds with its
    /// opposite, and so is an equation, with a factor of the product. The result, times a number,
    /// and a third literal must add up to falsity. For products of inequalities the number must be
    /// positive.
    pub(super) fn product(&self, product: Term, clause: &[Literal]) -> bool {
        if !self.t.is_product(product) {
            return false;
        }
        let negated: Option<Vec<Vec<Inequality>>> =
            clause.iter().map(|&l| self.inequalities(!l)).collect();
        // A literal that is no bound says nothing here.
        let Some(mut readings) = negated else {
            return false;
        };
        for (remainder, sum) in self.remainders(&readings) {
            for inequality in readings.iter_mut().flatten() {
                self.put_together(&mut inequality.sum, remainder, &sum);
            }
        }
        (0..readings.len()).any(|conclusion| {
            let others = || (0..readings.len()).filter(move |&i| i != conclusion);
            readings[conclusion].iter().any(|conclusion| {
                let sort = self.t.sort_of(product);
                let refutes = |i: usize, j: usize| {
                    self.refutes_products(sort, [&readings[i], &readings[j]], conclusion)
                        || self.refutes_equation(product, [&readings[i], &readings[j]], conclusion)
                };
                others().any(|i| others().any(|j| refutes(i, j)))
            })
        })
    }

    /// What a literal says as inequalities: for integers both `sum ≥ 0` and `sum + 1 > 0`.
    fn inequalities(&self, literal: Literal) -> Option<Vec<Inequality>> {
        let CheckedInequality { terms, bound } = self.inequality(literal)?;
        // Σ coefficient·term ≤ bound
        let mut sum = negated(&LinearSum {
            terms,
            constant: Rational::zero(),
        });
        sum.constant = bound.real.clone();
        let strict = match bound.delta.signum() {
            0 => false,
            sign if sign < 0 => true,
            // No literal says so.
            _ => return None,
        };
        let is_integral =
            |(x, c): &(Term, Rational)| self.t.sort_of(*x) == Sort::INT && c.is_integer();
        let mut readings = vec![Inequality { sum, strict }];
        if !strict && readings[0].sum.terms.iter().all(is_integral) {
            let mut weaker = readings[0].clone();
            weaker.sum.constant += &Rational::one();
            weaker.strict = true;
            readings.push(weaker);
        }
        Some(readings)
    }

    /// The remainders by numerals that are factors of the products in inequalities, each with the
    /// sum that bounds have for it.
    fn remainders(&self, readings: &[Vec<Inequality>]) -> Vec<(Term, LinearSum)> {
        let t = self.t;
        let terms = readings.iter().flatten().flat_map(|i| &i.sum.terms);
        let products = terms.map(|&(x, _)| x).filter(|&x| t.is_product(x));
        let factors = products.flat_map(|x| t.args(x)).map(|&x| match t.op(x) {
            Op::ToReal => t.args(x)[0],
            _ => x,
        });
        let remainders = factors.filter(|&x| t.op(x) == Op::Mod && divisor(t, x).is_some());
        let distinct: BTreeSet<Term> = remainders.collect();
        distinct.into_iter().map(|x| (x, self.sum(x))).collect()
    }

    /// Puts a remainder in the place of its sum, as often as a sum has its quotient.
    fn put_together(&self, sum: &mut LinearSum, remainder: Term, expanded: &LinearSum) {
        let args = self.t.args(remainder);
        let quotient = self.t.idiv(args[0], args[1]);
        let factor = &sum.coefficient(quotient) / &expanded.coefficient(quotient);
        sum.add_scaled(&-&factor, expanded);
        sum.add_scaled(&factor, &itself(remainder));
    }

    fn refutes_products(&self, sort: Sort, [a, b]: [&[Inequality]; 2], other: &Inequality) -> bool {
        let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
        pairs.into_iter().any(|(x, y)| {
            let strict = x.strict && y.strict;
            let sum = self.multiplied(sort, &x.sum, &y.sum);
            add_up(&Inequality { sum, strict }, other, true)
        })
    }

    /// As `refutes_products`, where the two inequalities are opposite, so that both are equations.
    fn refutes_equation(
        &self,
        product: Term,
        [a, b]: [&[Inequality]; 2],
        other: &Inequality,
    ) -> bool {
        let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
        let is_opposite = |x: &Inequality, y: &Inequality| x.sum == negated(&y.sum);
        let mut equations = pairs.filter(|(x, y)| !x.strict && !y.strict && is_opposite(x, y));
        equations.any(|(x, _)| {
            (self.t.args(product).iter().enumerate()).any(|(i, &factor)| {
                let args = self.t.args(product).iter().enumerate();
                let rest = args.filter(|&(j, _)| i != j).map(|(_, &x)| x);
                let rest = self.t.mul(rest.collect::<Vec<_>>());
                [factor, rest].into_iter().any(|by| {
                    let sort = self.t.sort_of(product);
                    let sum = self.multiplied(sort, &x.sum, &self.t.linear_sum(by));
                    add_up(&Inequality { sum, strict: false }, other, false)
                })
            })
        })
    }

    /// The product of two sums in that sort, times a positive number; 0 if they have another sort.
    fn multiplied(&self, sort: Sort, x: &LinearSum, y: &LinearSum) -> LinearSum {
        let t = self.t;
        let fits = |(x, _): &(Term, Rational)| sort == Sort::REAL || t.sort_of(*x) == Sort::INT;
        if !x.terms.iter().chain(&y.terms).all(fits) {
            return LinearSum::default();
        }
        let factor = |sum: &LinearSum| {
            let mut sum = sum.clone();
            // Sums of integers have integral coefficients.
            let numbers = sum.terms.iter().map(|(_, c)| c).chain([&sum.constant]);
            let denominators = numbers.map(|c| Rational::from(c.denom()));
            let scale = denominators.fold(Rational::one(), |lcm, c| lcm.lcm(&c));
            sum.scale(&scale);
            t.sum_term(&sum, sort)
        };
        t.linear_sum(t.mul([factor(x), factor(y)]))
    }

    /// Does what a quotient or a remainder by a term means imply the clause? Where the divisor is
    /// positive or where it is negative, one side of one of these follows:
    ///
    /// - `0 ≤ x - y·q ≤ |y| - 1` for the quotient of integers;
    /// - `x - y·q = r` for their remainder, and `x = y·q` for the quotient of reals.
    pub(super) fn division(&self, term: Term, clause: &[Literal]) -> bool {
        let t = self.t;
        let (x, y) = (t.args(term)[0], t.args(term)[1]);
        let quotient = match t.op(term) {
            Op::Mod => t.idiv(x, y),
            _ => term,
        };
        let minus = Rational::from(-1);
        let mut rest = self.sum(x);
        rest.add_scaled(&minus, &self.sum(t.mul([y, quotient])));
        let at_most_zero = |sum: &LinearSum| self.has_at_most_zero(sum, false, clause);
        [1, -1].into_iter().any(|sign| {
            let mut size = self.sum(y);
            size.scale(&Rational::from(sign));
            let follows = match t.op(term) {
                Op::IDiv => {
                    let mut most = rest.clone();
                    most.add_scaled(&minus, &size);
                    most.constant += &Rational::one();
                    at_most_zero(&negated(&rest)) || at_most_zero(&most)
                }
                op => {
                    let mut zero = rest.clone();
                    if op == Op::Mod {
                        zero.add_scaled(&minus, &itself(term));
                    }
                    at_most_zero(&negated(&zero)) || at_most_zero(&zero)
                }
            };
            follows && at_most_zero(&size)
        })
    }
}

/// Do two inequalities add up to falsity, the first times some number? The number must be positive
/// if that is said.
fn add_up(first: &Inequality, second: &Inequality, is_positive: bool) -> bool {
    let Some((term, by)) = second.sum.terms.first() else {
        return false;
    };
    let of_first = first.sum.coefficient(*term);
    if of_first.is_zero() {
        return false;
    }
    let factor = -(by / &of_first);
    if is_positive && !factor.is_positive() {
        return false;
    }
    let mut sum = second.sum.clone();
    sum.add_scaled(&factor, &first.sum);
    let is_false = match sum.constant.signum() {
        0 => first.strict || second.strict,
        sign => sign < 0,
    };
    sum.is_constant() && is_false
}
