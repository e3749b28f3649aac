//! Products as sums of monomials.

use super::{LinearSum, Op, Sort, Term, Terms};
use crate::number::Rational;
use crate::work;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A product that has more monomials than this, or one of a higher degree, is not multiplied out.
/// The value was not tuned.
const MOST_MONOMIALS: usize = 64;
/// See [`MOST_MONOMIALS`].
const MOST_FACTORS: usize = 16;

type Factors = SmallVec<[Term; 4]>;

/// What a product is.
#[derive(Clone, Debug)]
pub(super) enum Product {
    /// A product of terms that are no sums, no products and no numerals, in ascending order.
    Monomial,
    /// One that is not multiplied out.
    Opaque,
    /// This sum of monomials.
    Sum(Arc<LinearSum>),
}

impl Terms {
    /// Is a term a product of at least two terms that are no numerals?
    pub fn is_product(&self, term: Term) -> bool {
        let is_variable = |x: &&Term| self.as_number(**x).is_none();
        self.op(term) == Op::Mul && self.args(term).iter().filter(is_variable).count() > 1
    }

    /// The sum of monomials that a product is. A monomial is a product of terms that are no sums,
    /// no products and no numerals, in ascending order. `None` if the product is a monomial itself,
    /// or if the sum would be long.
    ///
    /// As in any [`LinearSum`], integer terms of a real sum stand for themselves under `to_real`.
    pub fn multiplied_out(&self, product: Term) -> Option<Arc<LinearSum>> {
        match self.product(product) {
            Product::Sum(sum) => Some(sum),
            Product::Monomial | Product::Opaque => None,
        }
    }

    /// Is a product one of terms that are no sums, no products and no numerals, in ascending order?
    pub fn is_monomial(&self, product: Term) -> bool {
        matches!(self.product(product), Product::Monomial)
    }

    fn product(&self, product: Term) -> Product {
        debug_assert!(self.is_product(product));
        let known = |x: &Term| self.products.borrow().get(x).cloned();
        if let Some(known) = known(&product) {
            return known;
        }
        // The products within a product come first.
        let mut stack = vec![product];
        while let Some(&top) = stack.last() {
            let mut within = self.products_within(top);
            within.retain(|x| known(x).is_none());
            if within.is_empty() {
                let made = self.multiply_out(top);
                self.products.borrow_mut().insert(top, made);
                stack.pop();
            }
            stack.extend(within);
        }
        known(&product).expect("just made")
    }

    /// The products that are summands of the factors of a product.
    fn products_within(&self, product: Term) -> Vec<Term> {
        let mut found = Vec::new();
        let mut seen = super::TermSet::default();
        let mut todo: Vec<Term> = self.args(product).to_vec();
        while let Some(x) = todo.pop() {
            if !seen.insert(x) {
                continue;
            }
            work::spend(1);
            match self.op(x) {
                Op::Mul if self.is_product(x) => found.push(x),
                Op::Add | Op::Mul | Op::ToReal => todo.extend(self.args(x)),
                _ => {}
            }
        }
        found
    }

    /// What a product is, where that is known of the products within.
    fn multiply_out(&self, product: Term) -> Product {
        let sort = self.sort_of(product);
        let mut sum: BTreeMap<Factors, Rational> =
            BTreeMap::from([(Factors::new(), Rational::one())]);
        for &factor in self.args(product) {
            let by = self.linear_sum(factor);
            let mut by: Vec<(Factors, Rational)> = (by.terms.into_iter())
                .map(|(x, c)| (self.factors(x, sort), c))
                .chain([(Factors::new(), by.constant)])
                .collect();
            by.retain(|(_, c)| !c.is_zero());
            work::spend_on(8 * sum.len() * by.len());
            let mut next: BTreeMap<Factors, Rational> = BTreeMap::new();
            for (left, a) in &sum {
                for (right, b) in &by {
                    let mut factors: Factors = left.iter().chain(right).copied().collect();
                    factors.sort_unstable();
                    *next.entry(factors).or_default() += &(a * b);
                }
            }
            next.retain(|_, c| !c.is_zero());
            if next.len() > MOST_MONOMIALS || next.keys().any(|x| x.len() > MOST_FACTORS) {
                return Product::Opaque;
            }
            sum = next;
        }
        let mut made = LinearSum::default();
        for (factors, c) in sum {
            let monomial = match *factors {
                [] => {
                    made.constant += &c;
                    continue;
                }
                [x] => match self.op(x) {
                    Op::ToReal => self.args(x)[0],
                    _ => x,
                },
                _ => self.make(Op::Mul, sort, &factors),
            };
            let monomial = LinearSum {
                terms: vec![(monomial, Rational::one())],
                constant: Rational::zero(),
            };
            made.add_scaled(&c, &monomial);
        }
        match &*made.terms {
            [(x, c)] if *x == product && c.is_one() && made.constant.is_zero() => Product::Monomial,
            _ => Product::Sum(Arc::new(made)),
        }
    }

    /// The factors of a summand within a product of that sort.
    fn factors(&self, x: Term, sort: Sort) -> Factors {
        let factor = |x: Term| match sort {
            Sort::REAL => self.to_real(x),
            _ => x,
        };
        match self.is_product(x) && self.is_monomial(x) {
            true => self.args(x).iter().map(|&x| factor(x)).collect(),
            false => Factors::from_slice(&[factor(x)]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_sums_of_monomials() {
        let t = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| t.var(name, Sort::INT));
        let same = |a: Term, b: Term| assert_eq!(t.linear_sum(a), t.linear_sum(b));
        let (xy, xx) = (t.mul([x, y]), t.mul([x, x]));
        same(xy, t.mul([y, x]));
        same(
            t.mul([t.add([x, t.int(1)]), t.add([y, t.int(-2)])]),
            t.add([xy, t.scale((-2).into(), x), y, t.int(-2)]),
        );
        same(
            t.mul([t.add([x, y]), t.sub(x, y)]),
            t.sub(xx, t.mul([y, y])),
        );
        same(t.mul([t.int(3), x, y]), t.scale(3.into(), t.mul([y, x])));
        same(
            t.mul([t.add([xy, z]), z]),
            t.add([t.mul([z, y, x]), t.mul([z, z])]),
        );
        same(t.sub(t.mul([x, t.add([y, z])]), t.mul([x, z])), xy);
        let [i, r] = [t.var("i", Sort::INT), t.var("r", Sort::REAL)];
        same(
            t.mul([t.to_real(t.add([i, t.int(1)])), r]),
            t.add([t.mul([r, t.to_real(i)]), r]),
        );
    }

    #[test]
    fn long_products_stay_as_they_are() {
        let t = Terms::new();
        let sums = (0..40).map(|i| {
            let [x, y] = ["x", "y"].map(|name| t.var(&format!("{name}{i}"), Sort::INT));
            t.add([x, y])
        });
        let product = t.mul(sums.collect::<Vec<_>>());
        assert!(t.multiplied_out(product).is_none());
        assert_eq!(t.linear_sum(product).coefficient(product), Rational::one());
        // (((x + 1)·x + 1)·x + …: deep, and of a high degree.
        let x = t.var("x", Sort::INT);
        let deep = (0..100_000).fold(x, |sum, _| t.mul([t.add([sum, t.int(1)]), x]));
        assert!(t.linear_sum(deep).terms.len() <= MOST_MONOMIALS);
    }
}
