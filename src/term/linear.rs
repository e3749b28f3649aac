//! Linear sums: the normal form of arithmetic terms.

use super::{Op, Sort, Term, Terms};
use crate::number::Rational;
use crate::work;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// `Σ coefficient·term + constant`, where the terms are not sums, not numerals and not multiples:
/// variables, and whatever arithmetic does not look into (`select`, `div`, `ite`, …). Products are
/// multiplied out ([`Terms::multiplied_out`]). A real sum may have integer terms: they stand for
/// themselves under `to_real`.
///
/// Invariant: terms are in ascending order, each once, with a coefficient other than 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct LinearSum {
    /// The terms with their coefficients.
    pub terms: Vec<(Term, Rational)>,
    /// The constant.
    pub constant: Rational,
}

impl LinearSum {
    /// A sum without terms.
    pub fn constant(constant: Rational) -> Self {
        LinearSum {
            terms: Vec::new(),
            constant,
        }
    }

    /// Is there no term?
    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// Does the invariant of the type hold?
    pub(crate) fn is_valid(&self) -> bool {
        self.terms.is_sorted_by(|a, b| a.0 < b.0) && self.terms.iter().all(|(_, c)| !c.is_zero())
    }

    /// The coefficient of a term, 0 where it does not occur.
    pub fn coefficient(&self, term: Term) -> Rational {
        match self.terms.binary_search_by_key(&term, |&(x, _)| x) {
            Ok(i) => self.terms[i].1.clone(),
            Err(_) => Rational::zero(),
        }
    }

    /// Has the sum this term?
    pub fn has(&self, term: Term) -> bool {
        self.terms.binary_search_by_key(&term, |&(x, _)| x).is_ok()
    }

    /// Adds `factor · other`.
    pub fn add_scaled(&mut self, factor: &Rational, other: &LinearSum) {
        if factor.is_zero() {
            return;
        }
        self.constant.add_mul(factor, &other.constant);
        let mut merged = Vec::with_capacity(self.terms.len() + other.terms.len());
        let mut mine = std::mem::take(&mut self.terms).into_iter().peekable();
        for (x, c) in &other.terms {
            while let Some(before) = mine.next_if(|(y, _)| y < x) {
                merged.push(before);
            }
            let mut sum = factor * c;
            if let Some((_, d)) = mine.next_if(|(y, _)| y == x) {
                sum += &d;
            }
            if !sum.is_zero() {
                merged.push((*x, sum));
            }
        }
        merged.extend(mine);
        self.terms = merged;
        debug_assert!(self.is_valid(), "terms ascend and have coefficients");
    }

    /// Multiplies by `factor`.
    pub fn scale(&mut self, factor: &Rational) {
        if factor.is_zero() {
            *self = LinearSum::default();
            return;
        }
        self.constant = &self.constant * factor;
        for (_, c) in &mut self.terms {
            *c = &*c * factor;
        }
        debug_assert!(self.is_valid(), "terms ascend and have coefficients");
    }

    /// Takes the term out and answers its coefficient.
    pub fn remove(&mut self, term: Term) -> Rational {
        match self.terms.binary_search_by_key(&term, |&(x, _)| x) {
            Ok(i) => self.terms.remove(i).1,
            Err(_) => Rational::zero(),
        }
    }

    /// The factors of the terms, and the constant.
    pub fn numbers(&self) -> impl Iterator<Item = &Rational> {
        let factors = self.terms.iter().map(|(_, factor)| factor);
        factors.chain([&self.constant])
    }

    /// The positive number by which the terms (not the constant) must be multiplied to have coprime
    /// integer coefficients; 1 where there are none.
    pub fn normalizer(&self) -> Rational {
        work::spend_on(2 * self.terms.len());
        let mut numerators = Rational::zero();
        let mut denominators = Rational::one();
        for (_, c) in &self.terms {
            numerators = numerators.gcd(&Rational::from(c.numer()));
            denominators = denominators.lcm(&Rational::from(c.denom()));
        }
        if numerators.is_zero() {
            Rational::one()
        } else {
            &denominators / &numerators
        }
    }

    /// The sum without constant and with coprime integer coefficients, the first of which is
    /// positive; and the factor used for it.
    fn normal_left(&self) -> (LinearSum, Rational) {
        let mut factor = self.normalizer();
        if self.terms.first().is_some_and(|(_, c)| c.is_negative()) {
            factor = -&factor;
        }
        let mut left = LinearSum {
            terms: self.terms.clone(),
            constant: Rational::zero(),
        };
        left.scale(&factor);
        (left, factor)
    }
}

/// A term still to be taken apart with its coefficient; ordered by the term alone.
struct Summand(Term, Rational);

impl PartialEq for Summand {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Summand {}

impl PartialOrd for Summand {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Summand {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

impl Terms {
    /// The linear sum that an arithmetic term is. Costs n·log n in the number of its distinct
    /// subterms.
    ///
    /// ```
    /// use horn::number::Rational;
    /// use horn::term::{Sort, Terms};
    ///
    /// let t = Terms::new();
    /// let (x, y) = (t.var("x", Sort::INT), t.var("y", Sort::INT));
    /// // 2 (x + y) - x + 3
    /// let term = t.add([t.scale(2.into(), t.add([x, y])), t.neg(x), t.int(3)]);
    /// let sum = t.linear_sum(term);
    /// assert_eq!(sum.coefficient(x), Rational::from(1));
    /// assert_eq!(sum.coefficient(y), Rational::from(2));
    /// assert_eq!(sum.constant, Rational::from(3));
    /// ```
    pub fn linear_sum(&self, term: Term) -> LinearSum {
        let mut sum = LinearSum::default();
        // The greatest first: a term is greater than its arguments, so all occurrences of a shared
        // one are met together.
        let mut todo = BinaryHeap::from([Summand(term, Rational::one())]);
        let mut multiplied = Vec::new();
        while let Some(Summand(x, mut factor)) = todo.pop() {
            work::spend(3);
            while let Some(same) = todo.peek().filter(|same| same.0 == x) {
                factor += &same.1;
                todo.pop();
            }
            if factor.is_zero() {
                continue;
            }
            match (self.op(x), self.args(x)) {
                (Op::Number(id), _) => sum.constant.add_mul(&factor, self.number_value(id)),
                (Op::Add, args) => todo.extend(args.iter().map(|&a| Summand(a, factor.clone()))),
                (Op::Mul, &[c, y]) if self.as_number(c).is_some() => {
                    let c = self.as_number(c).expect("just tested");
                    todo.push(Summand(y, &factor * c));
                }
                (Op::ToReal, &[y]) => todo.push(Summand(y, factor)),
                (Op::Mul, _) if self.is_product(x) => match self.multiplied_out(x) {
                    Some(product) => multiplied.push((factor, product)),
                    None => sum.terms.push((x, factor)),
                },
                _ => sum.terms.push((x, factor)),
            }
        }
        sum.terms.reverse();
        for (factor, product) in multiplied {
            sum.add_scaled(&factor, &product);
        }
        sum
    }

    /// The formula `sum = 0`, in normal form: a sum without constant, whose coefficients are
    /// coprime integers and the first of them positive, is equal to a number. Of integers, it is
    /// `false` if that number is none.
    pub fn sum_is_zero(&self, sum: &LinearSum, sort: Sort) -> Term {
        if sum.is_constant() {
            return self.bool(sum.constant.is_zero());
        }
        let (left, factor) = sum.normal_left();
        let right = &(-&sum.constant) * &factor;
        if self.is_integral(sum) && !right.is_integer() {
            return Term::FALSE;
        }
        self.eq(self.sum_term(&left, sort), self.number(right, sort))
    }

    /// The formula `sum ≤ 0`, or `sum < 0` if strict, in normal form: it compares a sum without
    /// constant, whose coefficients are coprime integers and the first of them positive, with a
    /// number. Of integers, it is not strict, and the number is an integer.
    pub fn sum_at_most_zero(&self, sum: &LinearSum, strict: bool, sort: Sort) -> Term {
        let zero = Rational::zero();
        if sum.is_constant() {
            let c = &sum.constant;
            return self.bool(if strict { *c < zero } else { *c <= zero });
        }
        let (left, factor) = sum.normal_left();
        let right = &(-&sum.constant) * &factor;
        let upper = factor.is_positive();
        // Over integers `left < c` is `left <= ceil(c) - 1`, and so on.
        let one = Rational::one();
        let (right, strict) = match (self.is_integral(sum), strict, upper) {
            (true, true, true) => (&right.ceil() - &one, false),
            (true, false, true) => (right.floor(), false),
            (true, true, false) => (&right.floor() + &one, false),
            (true, false, false) => (right.ceil(), false),
            (false, ..) => (right, strict),
        };
        let (left, right) = (self.sum_term(&left, sort), self.number(right, sort));
        match (upper, strict) {
            (true, true) => self.lt(left, right),
            (true, false) => self.le(left, right),
            (false, true) => self.lt(right, left),
            (false, false) => self.le(right, left),
        }
    }

    /// Do all terms of a sum have sort `Int`?
    fn is_integral(&self, sum: &LinearSum) -> bool {
        let mut terms = sum.terms.iter();
        terms.all(|&(x, _)| self.sort_of(x) == Sort::INT)
    }

    /// The term of a linear sum. For sort `Int` all coefficients must be integral and all terms
    /// integers.
    pub fn sum_term(&self, sum: &LinearSum, sort: Sort) -> Term {
        let constant = self.number(sum.constant.clone(), sort);
        let terms = sum.terms.iter().map(|(x, c)| {
            let x = if sort == Sort::REAL {
                self.to_real(*x)
            } else {
                *x
            };
            self.scale(c.clone(), x)
        });
        self.add(terms.chain([constant]))
    }
}
