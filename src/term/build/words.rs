//! Sums of bit-vectors in a normal form: `Σ coefficient·term + constant` modulo `2^width`.

use super::FLATTEN_LIMIT;
use crate::term::{BvOp, Op, Sort, Term, Terms};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};

/// `Σ coefficient·term + constant` modulo `2^width`.
#[derive(Debug)]
struct WordSum {
    modulus: BigInt,
    /// In ascending order of the terms, which are no sums, with coefficients from 1 to
    /// `2^width - 1`.
    terms: Vec<(Term, BigInt)>,
    constant: BigInt,
}

impl WordSum {
    /// Is it one term times -1?
    fn is_negation(&self) -> bool {
        // -1 is 1 where there is one bit.
        let is_minus_one = |a: &BigInt| !a.is_one() && *a == &self.modulus - 1;
        matches!(&*self.terms, [(_, a)] if is_minus_one(a)) && self.constant.is_zero()
    }

    /// Brings the terms and the numbers into their form.
    fn normalize(&mut self) {
        self.terms.sort_by_key(|&(x, _)| x);
        self.terms.dedup_by(|(x, a), (y, b)| {
            let same = x == y;
            if same {
                *b += &*a;
            }
            same
        });
        for (_, coefficient) in &mut self.terms {
            *coefficient = coefficient.mod_floor(&self.modulus);
        }
        self.terms.retain(|(_, a)| !a.is_zero());
        self.constant = self.constant.mod_floor(&self.modulus);
    }
}

/// Is it an operator that an equation looks into?
fn is_sum(op: Op) -> bool {
    matches!(op, Op::Bv(BvOp::Add | BvOp::Neg | BvOp::Mul))
}

/// An equation of bit-vectors: the sum of the terms times their factors, and of the constant, is 0
/// modulo `2^width`. The factors and the constant are less than the modulus and not negative.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordEquation {
    /// The width of the bit-vectors.
    pub width: u32,
    /// Terms that are no sums, each once, with their factors.
    pub terms: Vec<(Term, BigInt)>,
    /// The number beside them.
    pub constant: BigInt,
}

impl Terms {
    /// The sum of terms times these factors.
    fn word_sum(&self, sort: Sort, parts: impl IntoIterator<Item = (Term, BigInt)>) -> WordSum {
        let width = self.bitvec_width(sort).expect("a sort of bit-vectors");
        let mut sum = WordSum {
            modulus: BigInt::one() << width,
            terms: Vec::new(),
            constant: BigInt::zero(),
        };
        let mut todo: Vec<(Term, BigInt)> = parts.into_iter().collect();
        while let Some((x, factor)) = todo.pop() {
            if let Some(value) = self.as_bitvec(x) {
                sum.constant += factor * value.numer();
                continue;
            }
            match (self.op(x), self.args(x)) {
                (Op::Bv(BvOp::Add), args) if args.len() <= FLATTEN_LIMIT => {
                    todo.extend(args.iter().map(|&arg| (arg, factor.clone())));
                }
                (Op::Bv(BvOp::Neg), &[y]) => todo.push((y, -factor)),
                (Op::Bv(BvOp::Not), &[y]) => {
                    // ¬y = -y - 1
                    sum.constant -= &factor;
                    todo.push((y, -factor));
                }
                (Op::Bv(BvOp::Mul), &[ref others @ .., last]) => match self.as_bitvec(last) {
                    Some(value) => {
                        let rest = match *others {
                            [y] => y,
                            _ => self.make(Op::Bv(BvOp::Mul), sort, others),
                        };
                        todo.push((rest, factor * value.numer()));
                    }
                    None => sum.terms.push((x, factor)),
                },
                _ => match self.shifted(x, width) {
                    Some((y, places)) => todo.push((y, factor << places)),
                    None => sum.terms.push((x, factor)),
                },
            }
        }
        sum.normalize();
        sum
    }

    /// The term and the number of places, if this is a term shifted to the left by a constant.
    fn shifted(&self, x: Term, width: u32) -> Option<(Term, u32)> {
        let &[y, low] = self.args(x) else { return None };
        let value = self.as_bitvec(low)?;
        match self.op(x) {
            Op::Bv(BvOp::Shl) => {
                let places = value.to_integer().and_then(|n| u32::try_from(n).ok());
                Some((y, places.unwrap_or(width).min(width)))
            }
            Op::Bv(BvOp::Concat) if value.is_zero() => {
                let places = self.bitvec_width(self.sort_of(low))?;
                let Op::Bv(BvOp::Extract { hi, lo: 0 }) = self.op(y) else {
                    return None;
                };
                let &[whole] = self.args(y) else { return None };
                let is_cut = self.bitvec_width(self.sort_of(whole)) == Some(width);
                (is_cut && hi + 1 + places == width).then_some((whole, places))
            }
            _ => None,
        }
    }

    /// The term of a sum.
    fn word_sum_term(&self, sum: &WordSum, sort: Sort) -> Term {
        let width = self.bitvec_width(sort).expect("a sort of bit-vectors");
        let minus_one = &sum.modulus - 1;
        let literal = |value: &BigInt| self.bitvec(value, width);
        let mut parts: Vec<Term> = Vec::with_capacity(sum.terms.len() + 1);
        for (x, coefficient) in &sum.terms {
            parts.push(if coefficient.is_one() {
                *x
            } else if *coefficient == minus_one {
                self.make(Op::Bv(BvOp::Neg), sort, &[*x])
            } else {
                let factors = match self.op(*x) {
                    Op::Bv(BvOp::Mul) => self.args(*x),
                    _ => std::slice::from_ref(x),
                };
                let args = [factors, &[literal(coefficient)]].concat();
                self.make(Op::Bv(BvOp::Mul), sort, &args)
            });
        }
        if !sum.constant.is_zero() || parts.is_empty() {
            parts.push(literal(&sum.constant));
        }
        match *parts {
            [x] => x,
            _ => self.make(Op::Bv(BvOp::Add), sort, &parts),
        }
    }

    /// A bit-vector as the sum of terms that are no sums, times these factors, and of a constant,
    /// modulo `2^width`. The factors and the constant are less than the modulus and not negative.
    pub fn summands_of_word(&self, term: Term) -> (Vec<(Term, BigInt)>, BigInt) {
        let sum = self.word_sum(self.sort_of(term), [(term, BigInt::one())]);
        (sum.terms, sum.constant)
    }

    /// A formula as an equation of bit-vectors; `None` if it is none.
    pub fn word_equation(&self, formula: Term) -> Option<WordEquation> {
        let (Op::Eq, &[x, y]) = (self.op(formula), self.args(formula)) else {
            return None;
        };
        let sort = self.sort_of(x);
        let width = self.bitvec_width(sort)?;
        let sum = self.word_sum(sort, [(x, BigInt::one()), (y, -BigInt::one())]);
        Some(WordEquation {
            width,
            terms: sum.terms,
            constant: sum.constant,
        })
    }

    /// `Σ factor·x` of bit-vectors of one sort.
    pub fn sum_of_words(
        &self,
        sort: Sort,
        parts: impl IntoIterator<Item = (Term, BigInt)>,
    ) -> Term {
        self.word_sum_term(&self.word_sum(sort, parts), sort)
    }

    /// The product of a bit-vector that is no literal, or of several, and a number.
    pub(super) fn product_of_words(&self, sort: Sort, factors: &[Term], number: BigInt) -> Term {
        let mut number = number;
        let mut parts = Vec::with_capacity(factors.len());
        for &factor in factors {
            match (self.op(factor), self.args(factor)) {
                (Op::Bv(BvOp::Neg), &[x]) if factors.len() > 1 => {
                    number = -number;
                    // What is negated may be a product itself.
                    parts.extend_from_slice(self.parts(Op::Bv(BvOp::Mul), &x));
                }
                _ => parts.push(factor),
            }
        }
        parts.sort_unstable();
        let product = match *parts {
            [x] => x,
            _ => self.make(Op::Bv(BvOp::Mul), sort, &parts),
        };
        self.sum_of_words(sort, [(product, number)])
    }

    /// The literal whose product with an odd literal is 1; `None` for other terms.
    pub fn odd_inverse(&self, literal: Term) -> Option<Term> {
        let width = self.bitvec_width(self.sort_of(literal))?;
        let value = self.as_bitvec(literal)?.to_integer()?;
        let inverse = value.modinv(&(BigInt::one() << width))?;
        Some(self.bitvec(&inverse, width))
    }

    /// An equation of bit-vectors without what both sides have, and with a constant on at most one
    /// side; `None` if it is so already.
    pub(super) fn simpler_equation(&self, x: Term, y: Term) -> Option<(Term, Term)> {
        let sort = self.sort_of(x);
        self.bitvec_width(sort)?;
        if !is_sum(self.op(x)) && !is_sum(self.op(y)) {
            return None;
        }
        let mut sums = [x, y].map(|side| self.word_sum(sort, [(side, BigInt::one())]));
        let [left, right] = &mut sums;
        let is_shared = |part: &&(Term, BigInt)| right.terms.contains(part);
        let both: Vec<(Term, BigInt)> = left.terms.iter().filter(is_shared).cloned().collect();
        let is_literal = |side: &WordSum| side.terms.is_empty();
        let moves = |from: &WordSum, to: &WordSum| {
            let is_alone = is_literal(to) || !to.constant.is_zero();
            !from.constant.is_zero() && !is_literal(from) && is_alone
        };
        let (to_right, to_left) = (moves(left, right), moves(right, left));
        let turns =
            left.is_negation() && is_literal(right) || right.is_negation() && is_literal(left);
        if both.is_empty() && !to_right && !to_left && !turns {
            return None;
        }
        for side in [&mut *left, &mut *right] {
            side.terms.retain(|part| !both.contains(part));
        }
        if to_right {
            right.constant -= std::mem::take(&mut left.constant);
        } else if to_left {
            left.constant -= std::mem::take(&mut right.constant);
        }
        for side in [&mut *left, &mut *right] {
            if turns {
                side.terms.iter_mut().for_each(|(_, a)| *a = -&*a);
                side.constant = -&side.constant;
            }
            side.normalize();
        }
        Some((
            self.word_sum_term(left, sort),
            self.word_sum_term(right, sort),
        ))
    }
}
