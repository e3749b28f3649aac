//! From integers to bit-vectors.

use super::Signedness;
use super::interval::Interval;
use crate::term::{BitVec, BvOp, Op, Sort, Term, TermMap, Terms};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// Bit-vectors are not made wider than this number of bits. The value was not tuned.
const MOST_BITS: u64 = 1 << 12;

/// A bit-vector whose value in two's complement is an integer.
///
/// Invariant: the interval of a literal has its value alone.
#[derive(Clone, Debug)]
struct Word {
    term: Term,
    /// The integers that the term can denote.
    interval: Interval,
}

/// The translation of terms over integers, which are values of bit-vectors, into terms over these
/// bit-vectors, with a memory of what was translated.
///
/// ```
/// use horn::term::intblast::{Signedness, Words};
/// use horn::term::{Sort, Terms};
///
/// let t = Terms::new();
/// let (i, j) = (t.var("i", Sort::INT), t.var("j", Sort::INT));
/// let byte = t.bitvec_sort(8);
/// let mut words = Words::new(&t);
/// words.define(i, t.var("x", byte), Signedness::Signed);
/// words.define(j, t.var("y", byte), Signedness::Signed);
/// // The sum of two bytes needs nine bits.
/// let bound = words.translate(t.le(t.add([i, j]), t.int(100))).expect("it is linear");
/// assert_eq!(
///     t.display(bound).to_string(),
///     "(bvsle (bvadd ((_ sign_extend 1) x) ((_ sign_extend 1) y)) #b001100100)"
/// );
/// ```
pub struct Words<'t> {
    t: &'t Terms,
    /// The integers so far.
    words: TermMap<Word>,
    /// The terms of other sorts so far.
    others: TermMap<Term>,
}

impl<'t> Words<'t> {
    /// A translation in which no integer variable has a bit-vector.
    pub fn new(t: &'t Terms) -> Self {
        Words {
            t,
            words: TermMap::default(),
            others: TermMap::default(),
        }
    }

    /// The integer variable `var` is the value of `word`, a bit-vector, read in this way.
    ///
    /// # Panics
    /// If `word` is no bit-vector.
    pub fn define(&mut self, var: Term, word: Term, signedness: Signedness) {
        let t = self.t;
        let width = t.bitvec_width(t.sort_of(word)).expect("a bit-vector");
        let term = match signedness {
            Signedness::Signed => word,
            Signedness::Unsigned => t.bv(BvOp::ZeroExtend(1), &[word]),
        };
        let word = self.computed(term, signedness.interval(width));
        self.words.insert(var, word);
    }

    /// The translation of a term that is no integer. `None` if an integer in it is neither a
    /// variable that has a bit-vector, nor computed by an operator that is translated.
    pub fn translate(&mut self, root: Term) -> Option<Term> {
        let t = self.t;
        for term in t.post_order([root]) {
            if self.words.contains_key(&term) || self.others.contains_key(&term) {
                continue;
            }
            if t.sort_of(term) == Sort::INT {
                let word = self.word(term)?;
                self.words.insert(term, word);
            } else {
                let other = self.other(term)?;
                self.others.insert(term, other);
            }
        }
        self.others.get(&root).copied()
    }

    /// The smallest width that has room for an interval and for each of the words; `None` if that
    /// is too wide.
    fn width(&self, interval: &Interval, words: &[&Word]) -> Option<u32> {
        let own = |word: &&Word| match self.t.as_bitvec(word.term) {
            // A literal has any width that it fits in.
            Some(_) => word.interval.signed_width(),
            None => u64::from(self.width_of(word.term)),
        };
        let widest = words.iter().map(own).max().unwrap_or(1);
        let width = interval.signed_width().max(widest);
        u32::try_from(width).ok().filter(|_| width <= MOST_BITS)
    }

    fn width_of(&self, word: Term) -> u32 {
        let width = self.t.bitvec_width(self.t.sort_of(word));
        width.expect("a bit-vector")
    }

    /// The same integer in this width, which has room for it.
    fn extended(&self, word: &Word, width: u32) -> Term {
        if self.t.as_bitvec(word.term).is_some() {
            return self.t.bitvec(&word.interval.low, width);
        }
        match width - self.width_of(word.term) {
            0 => word.term,
            more => self.t.bv(BvOp::SignExtend(more), &[word.term]),
        }
    }

    /// The words in the smallest width that has room for them and for an interval.
    fn aligned(&self, interval: &Interval, words: &[&Word]) -> Option<Vec<Term>> {
        let width = self.width(interval, words)?;
        Some(
            words
                .iter()
                .map(|word| self.extended(word, width))
                .collect(),
        )
    }

    /// The word that a term is, with values in an interval.
    fn computed(&self, term: Term, interval: Interval) -> Word {
        let t = self.t;
        let Some(value) = t.as_bitvec(term).and_then(|value| value.to_integer()) else {
            return Word { term, interval };
        };
        let value = BitVec::from_int(&value, self.width_of(term)).signed();
        let interval = Interval::just(value);
        Word { term, interval }
    }

    fn literal(&self, value: BigInt) -> Word {
        let interval = Interval::just(value);
        let width = u32::try_from(interval.signed_width()).expect("numbers have fewer bits");
        Word {
            term: self.t.bitvec(&interval.low, width),
            interval,
        }
    }

    /// An integer whose arguments are translated.
    fn word(&self, term: Term) -> Option<Word> {
        let (t, args) = (self.t, self.t.args(term));
        let words = |args: &[Term]| -> Option<Vec<&Word>> {
            args.iter().map(|arg| self.words.get(arg)).collect()
        };
        match (t.op(term), args) {
            (Op::Number(_), _) => Some(self.literal(t.as_number(term)?.to_integer()?)),
            (Op::Add, args) => {
                let words = words(args)?;
                let intervals = words.iter().map(|word| &word.interval);
                let zero = Interval::just(BigInt::zero());
                let interval = intervals.fold(zero, |sum, x| sum.plus(x));
                let parts = self.aligned(&interval, &words)?;
                let term = t.bv(BvOp::Add, &parts);
                Some(self.computed(term, interval))
            }
            (Op::Mul, args) => {
                let words = words(args)?;
                let intervals = words.iter().map(|word| &word.interval);
                let one = Interval::just(BigInt::from(1));
                let interval = intervals.fold(one, |product, x| product.times(x));
                let factors = self.aligned(&interval, &words)?;
                let term = t.bv(BvOp::Mul, &factors);
                Some(self.computed(term, interval))
            }
            (Op::IDiv | Op::Mod, &[x, divisor]) => {
                let divisor = t.as_number(divisor)?.to_integer()?;
                let x = self.words.get(&x)?;
                (!divisor.is_zero()).then(|| self.division(t.op(term), x, &divisor))?
            }
            (Op::Abs, [x]) => {
                let x = self.words.get(x)?;
                let interval = Interval::around_zero(x.interval.magnitude());
                let &[term] = &*self.aligned(&interval, &[x])? else {
                    return None;
                };
                let zero = t.bitvec(&BigInt::zero(), self.width_of(term));
                let is_negative = t.bv(BvOp::Slt, &[term, zero]);
                let term = t.ite(is_negative, t.bv(BvOp::Neg, &[term]), term);
                Some(self.computed(term, interval))
            }
            (Op::Ite, &[cond, x, y]) => {
                let (x, y) = (self.words.get(&x)?, self.words.get(&y)?);
                let interval = x.interval.hull(&y.interval);
                let &[x, y] = &*self.aligned(&interval, &[x, y])? else {
                    return None;
                };
                let term = t.ite(*self.others.get(&cond)?, x, y);
                Some(self.computed(term, interval))
            }
            _ => None,
        }
    }

    /// The quotient or the remainder of integers, by a divisor that is not 0. The remainder is at
    /// least 0.
    fn division(&self, op: Op, x: &Word, divisor: &BigInt) -> Option<Word> {
        let t = self.t;
        let size = divisor.abs();
        let rests = Interval::below(&size);
        // The dividend less its remainder may be outside the interval of the dividend.
        let room = x.interval.plus(&Interval::around_zero(size.clone()));
        let by = self.literal(size.clone());
        let &[x_term, by] = &*self.aligned(&room, &[x, &by])? else {
            return None;
        };
        // The sign of `bvsmod` is the sign of the divisor.
        let rest = t.bv(BvOp::Smod, &[x_term, by]);
        if op == Op::Mod {
            return Some(self.computed(rest, rests));
        }
        let minus_rest = t.bv(BvOp::Neg, &[rest]);
        let exact = t.bv(BvOp::Add, &[x_term, minus_rest]);
        let quotient = t.bv(BvOp::Sdiv, &[exact, by]);
        let term = match divisor.is_negative() {
            true => t.bv(BvOp::Neg, &[quotient]),
            false => quotient,
        };
        let interval = Interval::around_zero(x.interval.magnitude() / &size + 1);
        Some(self.computed(term, interval))
    }

    /// A term that is no integer, whose arguments are translated.
    fn other(&self, term: Term) -> Option<Term> {
        let (t, args) = (self.t, self.t.args(term));
        let compared = |x: &Term, y: &Term| {
            let (x, y) = (self.words.get(x)?, self.words.get(y)?);
            let both = self.aligned(&Interval::just(BigInt::zero()), &[x, y])?;
            Some((both[0], both[1]))
        };
        match (t.op(term), args) {
            (Op::Var(_), _) => Some(term),
            (Op::Forall | Op::Exists, _) => None,
            (Op::Eq, [x, y]) if self.words.contains_key(x) => {
                compared(x, y).map(|(x, y)| t.eq(x, y))
            }
            (Op::Le | Op::Lt, [x, y]) => {
                let op = match t.op(term) {
                    Op::Le => BvOp::Sle,
                    _ => BvOp::Slt,
                };
                compared(x, y).map(|(x, y)| t.bv(op, &[x, y]))
            }
            _ => {
                let args = args.iter().map(|arg| self.others.get(arg).copied());
                let args: Vec<Term> = args.collect::<Option<_>>()?;
                Some(t.rebuild(term, &args))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_need_too_many_bits_are_not_translated() {
        let t = Terms::new();
        let (i, word) = (t.var("i", Sort::INT), t.var("x", t.bitvec_sort(8)));
        let mut words = Words::new(&t);
        words.define(i, word, Signedness::Signed);
        let huge = crate::number::Rational::from(BigInt::from(1) << 5000);
        let formula = t.le(t.scale(huge, i), t.int(1));
        assert_eq!(words.translate(formula), None);
        assert!(words.translate(t.le(i, t.int(1))).is_some());
    }
}
