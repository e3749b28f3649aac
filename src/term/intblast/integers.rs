//! From bit-vectors to integers.

use super::interval::{Interval, power_of_two};
use crate::number::Rational;
use crate::term::{BvOp, Op, Sort, SortKind, Term, TermMap, Terms};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cell::Cell;

/// A sum that leaves its range at most this many times becomes a chain of cases; for any other, a
/// remainder is taken. The value was not tuned.
const MOST_WRAPS: u32 = 6;

/// How a bit-vector is read as an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signedness {
    /// In two's complement: from `-2^(width-1)` to `2^(width-1) - 1`.
    Signed,
    /// From 0 to `2^width - 1`.
    Unsigned,
}

impl Signedness {
    /// The reading of vectors of that width where this is the usual one: a single bit is always 0
    /// or 1.
    #[must_use]
    pub fn of_width(self, width: u32) -> Self {
        match width {
            1 => Signedness::Unsigned,
            _ => self,
        }
    }

    /// The integers that vectors of that width are read as.
    pub(super) fn interval(self, width: u32) -> Interval {
        match self {
            Signedness::Signed => Interval::signed(width),
            Signedness::Unsigned => Interval::unsigned(width),
        }
    }
}

/// An integer that is congruent to a bit-vector modulo `2^width`.
#[derive(Clone, Debug)]
struct Residue {
    term: Term,
    /// The values of the term lie in it.
    interval: Interval,
    width: u32,
}

impl Residue {
    /// How often 2ʷ is to be taken off the least and off the greatest of its integers, to get the
    /// value of the bit-vector.
    fn wraps(&self, signedness: Signedness) -> (BigInt, BigInt) {
        let (wanted, modulus) = (signedness.interval(self.width), power_of_two(self.width));
        let wraps = |bound: &BigInt| (bound - &wanted.low).div_floor(&modulus);
        (wraps(&self.interval.low), wraps(&self.interval.high))
    }
}

/// The translation of terms over bit-vectors into terms over integers, with a memory of what was
/// translated.
///
/// ```
/// use horn::term::intblast::{Integers, Signedness};
/// use horn::term::{BvOp, Terms};
///
/// let t = Terms::new();
/// let byte = t.bitvec_sort(8);
/// let (x, y) = (t.var("x", byte), t.var("y", byte));
/// let mut integers = Integers::new(&t, Signedness::Unsigned);
/// let formula = integers.translate(t.bv(BvOp::Ule, &[x, y])).expect("it is linear");
/// let (i, j) = (integers.variable(x), integers.variable(y));
/// assert_eq!(formula, t.le(i, j));
/// ```
pub struct Integers<'t> {
    t: &'t Terms,
    signedness: Signedness,
    /// The bit-vectors so far.
    residues: TermMap<Residue>,
    /// The terms of other sorts so far.
    others: TermMap<Term>,
    /// The number of operators that take bits out of words.
    cuts: Cell<usize>,
    /// The variables in the place of what is not translated, with their bounds where they stand for
    /// bit-vectors; `None` if nothing may be left out.
    unknowns: Option<TermMap<Option<Interval>>>,
}

impl<'t> Integers<'t> {
    /// A translation that reads the values of variables in one way.
    pub fn new(t: &'t Terms, signedness: Signedness) -> Self {
        Integers {
            t,
            signedness,
            residues: TermMap::default(),
            others: TermMap::default(),
            cuts: Cell::new(0),
            unknowns: None,
        }
    }

    /// A translation in which a fresh variable stands for each term that is not translated. So it
    /// is not exact: a formula that is satisfiable is so afterwards, if it has no quantifiers and
    /// each of these variables has the value of its term. [`Integers::unknowns`] has the variables.
    ///
    /// ```
    /// use horn::term::intblast::{Integers, Signedness};
    /// use horn::term::{BvOp, Terms};
    ///
    /// let t = Terms::new();
    /// let byte = t.bitvec_sort(8);
    /// let (x, y) = (t.var("x", byte), t.var("y", byte));
    /// let product = t.bv(BvOp::Mul, &[x, y]);
    /// let mut integers = Integers::above(&t, Signedness::Unsigned);
    /// let formula = integers.translate(t.bv(BvOp::Ule, &[product, x])).expect("all is read");
    /// let (unknowns, bounds) = integers.unknowns(&t.vars([formula]));
    /// assert_eq!(formula, t.le(unknowns[0], integers.variable(x)));
    /// assert_eq!(bounds, [t.and([t.le(t.int(0), unknowns[0]), t.le(unknowns[0], t.int(255))])]);
    /// ```
    pub fn above(t: &'t Terms, signedness: Signedness) -> Self {
        Integers {
            unknowns: Some(TermMap::default()),
            ..Integers::new(t, signedness)
        }
    }

    /// The variables among these that stand for terms that are not translated, and the bounds of
    /// the ones for bit-vectors.
    pub fn unknowns(&self, among: &[Term]) -> (Vec<Term>, Vec<Term>) {
        let (mut vars, mut bounds) = (Vec::new(), Vec::new());
        let Some(unknowns) = &self.unknowns else {
            return (vars, bounds);
        };
        for &var in among {
            let Some(interval) = unknowns.get(&var) else {
                continue;
            };
            vars.push(var);
            bounds.extend(interval.as_ref().map(|interval| self.within(var, interval)));
        }
        (vars, bounds)
    }

    /// A fresh variable for a term that is not translated; `None` if nothing may be left out.
    fn unknown(&mut self, sort: Sort, interval: Option<Interval>) -> Option<Term> {
        let unknowns = self.unknowns.as_mut()?;
        let var = self.t.fresh_var("unknown", sort);
        unknowns.insert(var, interval);
        Some(var)
    }

    /// A bit-vector of which nothing is known.
    fn unknown_word(&mut self, width: u32) -> Option<Residue> {
        let interval = self.signedness.of_width(width).interval(width);
        let term = self.unknown(Sort::INT, Some(interval.clone()))?;
        Some(Residue {
            term,
            interval,
            width,
        })
    }

    /// The way in which most operators of these terms read their arguments; in two's complement
    /// where no operator says.
    pub fn usual_signedness(t: &Terms, roots: impl IntoIterator<Item = Term>) -> Signedness {
        let (mut signed, mut unsigned) = (0_usize, 0_usize);
        for term in t.post_order(roots) {
            let Op::Bv(op) = t.op(term) else { continue };
            match op {
                BvOp::Slt | BvOp::Sle | BvOp::Sdiv | BvOp::Srem | BvOp::Smod => signed += 1,
                BvOp::Ashr | BvOp::SignExtend(_) => signed += 1,
                BvOp::Ult | BvOp::Ule | BvOp::Udiv | BvOp::Urem | BvOp::Lshr => unsigned += 1,
                BvOp::Concat | BvOp::ZeroExtend(_) | BvOp::ToNat => unsigned += 1,
                _ => {}
            }
        }
        match unsigned > signed {
            true => Signedness::Unsigned,
            false => Signedness::Signed,
        }
    }

    /// The integer variable in the place of a variable; the variable itself unless it is a
    /// bit-vector.
    pub fn variable(&mut self, var: Term) -> Term {
        match self.t.bitvec_width(self.t.sort_of(var)) {
            Some(width) => self.word_variable(var, width).term,
            None => var,
        }
    }

    fn word_variable(&mut self, var: Term, width: u32) -> Residue {
        let reading = self.signedness.of_width(width);
        let (t, interval) = (self.t, reading.interval(width));
        let residue = self.residues.entry(var).or_insert_with(|| Residue {
            term: t.fresh_like(var, Sort::INT),
            interval,
            width,
        });
        residue.clone()
    }

    /// The integer in the place of a variable is the value of a bit-vector; true for variables of
    /// other sorts.
    pub fn in_range(&mut self, var: Term) -> Term {
        let t = self.t;
        let Some(width) = t.bitvec_width(t.sort_of(var)) else {
            return Term::TRUE;
        };
        let Residue { term, interval, .. } = self.word_variable(var, width);
        self.within(term, &interval)
    }

    fn within(&self, term: Term, interval: &Interval) -> Term {
        let t = self.t;
        let (low, high) = (self.literal(&interval.low), self.literal(&interval.high));
        t.and([t.le(low, term), t.le(term, high)])
    }

    /// The translation of a term: of a bit-vector its value as an integer, of other terms, which
    /// have the same sort afterwards, what they say of such integers. `None` if an operator, or a
    /// sort, is not translated, and nothing may be left out.
    pub fn translate(&mut self, root: Term) -> Option<Term> {
        let t = self.t;
        for term in t.post_order([root]) {
            if self.others.contains_key(&term) || self.residues.contains_key(&term) {
                continue;
            }
            let sort = t.sort_of(term);
            if let Some(width) = t.bitvec_width(sort) {
                let residue = self.word(term).or_else(|| self.unknown_word(width))?;
                self.residues.insert(term, residue);
            } else {
                let other = self.other(term).or_else(|| self.unknown(sort, None))?;
                self.others.insert(term, other);
            }
        }
        match self.residues.get(&root) {
            Some(residue) => {
                let reading = self.signedness.of_width(residue.width);
                Some(self.value(residue, reading))
            }
            None => self.others.get(&root).copied(),
        }
    }

    /// What stands for a term that was translated or is a part of one. For a bit-vector this is a
    /// number that is congruent to its value modulo 2ʷ, and the width `w`.
    pub fn reading(&self, term: Term) -> Option<(Term, Option<u32>)> {
        match self.residues.get(&term) {
            Some(residue) => Some((residue.term, Some(residue.width))),
            None => self.others.get(&term).map(|&other| (other, None)),
        }
    }

    /// The number of operators that take some bits out of a bit-vector, in the translations so far:
    /// their translations are quotients and remainders, which bit-vectors do not need.
    pub fn cuts(&self) -> usize {
        self.cuts.get()
    }

    fn count_cut(&self) {
        self.cuts.set(self.cuts.get() + 1);
    }

    fn literal(&self, value: &BigInt) -> Term {
        let value = Rational::from(value.clone());
        self.t.number(value, Sort::INT)
    }

    /// The value of the bit-vector that a term is congruent to.
    fn value(&self, residue: &Residue, signedness: Signedness) -> Term {
        let (t, width) = (self.t, residue.width);
        let wanted = signedness.interval(width);
        let modulus = power_of_two(width);
        let (least, most) = residue.wraps(signedness);
        if &most - &least > BigInt::from(MOST_WRAPS) {
            let low = self.literal(&wanted.low);
            let above = t.modulo(t.sub(residue.term, low), self.literal(&modulus));
            return t.add([above, low]);
        }
        // Case k: the value is term - k·2^width, if that is at least the lower bound.
        let mut k = least;
        let case = |k: &BigInt| t.add([residue.term, self.literal(&(-k * &modulus))]);
        let mut value = case(&k);
        while k < most {
            k += 1;
            let from = self.literal(&(&wanted.low + &k * &modulus));
            value = t.ite(t.le(from, residue.term), case(&k), value);
        }
        value
    }

    fn signed(&self, word: Term) -> Term {
        self.value(&self.residues[&word], Signedness::Signed)
    }

    fn unsigned(&self, word: Term) -> Term {
        self.value(&self.residues[&word], Signedness::Unsigned)
    }

    /// A bit-vector whose arguments are translated.
    fn word(&mut self, term: Term) -> Option<Residue> {
        let t = self.t;
        let width = t.bitvec_width(t.sort_of(term))?;
        let args = t.args(term);
        let (term, interval) = match t.op(term) {
            Op::Var(_) => return Some(self.word_variable(term, width)),
            Op::BitVec(_) => {
                let value = self.literal_value(term)?;
                let value = match width {
                    1 => value,
                    _ => in_twos_complement(value, width),
                };
                (self.literal(&value), Interval::just(value))
            }
            Op::Ite => {
                let [_, x, y] = *args else { return None };
                let (x, y) = (&self.residues[&x], &self.residues[&y]);
                let cond = self.others[&args[0]];
                (t.ite(cond, x.term, y.term), x.interval.hull(&y.interval))
            }
            Op::Bv(op) => self.operation(op, args, width)?,
            _ => return None,
        };
        Some(Residue {
            term,
            interval,
            width,
        })
    }

    /// The unsigned value of a literal.
    fn literal_value(&self, term: Term) -> Option<BigInt> {
        self.t.as_bitvec(term)?.to_integer()
    }

    /// The result of an operator, modulo `2^width`, and an interval for it.
    fn operation(&self, op: BvOp, args: &[Term], width: u32) -> Option<(Term, Interval)> {
        let t = self.t;
        match (op, args) {
            (BvOp::Add | BvOp::Neg | BvOp::Not | BvOp::Mul | BvOp::Shl, _) => {
                self.sum(op, args, width)
            }
            (BvOp::Udiv | BvOp::Urem | BvOp::Lshr | BvOp::Ashr, &[x, y]) => {
                self.quotient(op, x, self.literal_value(y)?, width)
            }
            (BvOp::Sdiv | BvOp::Srem | BvOp::Smod, &[x, y]) => {
                let divisor = in_twos_complement(self.literal_value(y)?, width);
                Some(self.signed_division(op, self.signed(x), &divisor, width))
            }
            (BvOp::And | BvOp::Or | BvOp::Xor, _) => self.bitwise(op, args, width),
            (BvOp::Comp, &[x, y]) => {
                let bit = t.ite(self.equal(x, y), t.int(1), t.int(0));
                Some((bit, Interval::unsigned(1)))
            }
            (BvOp::FromInt(_), [n]) => {
                let modulus = power_of_two(width);
                let value = t.modulo(self.others[n], self.literal(&modulus));
                Some((value, Interval::below(&modulus)))
            }
            (op, args) => self.rearrangement(op, args, width),
        }
    }

    /// Sums and multiples: congruent to the operator's result, without being brought into a range.
    fn sum(&self, op: BvOp, args: &[Term], width: u32) -> Option<(Term, Interval)> {
        let t = self.t;
        let residue = |word: &Term| &self.residues[word];
        let minus_one = BigInt::from(-1);
        match (op, args) {
            (BvOp::Add, _) => {
                let sum = t.add(args.iter().map(|x| residue(x).term));
                let intervals = args.iter().map(|x| &residue(x).interval);
                let zero = Interval::just(BigInt::zero());
                Some((sum, intervals.fold(zero, |sum, x| sum.plus(x))))
            }
            (BvOp::Neg, [x]) => Some(self.scaled(&minus_one, residue(x))),
            (BvOp::Not, [x]) => {
                // ¬x = -x - 1
                let (term, interval) = self.scaled(&minus_one, residue(x));
                let term = t.add([term, self.literal(&minus_one)]);
                Some((term, interval.plus(&Interval::just(minus_one))))
            }
            (BvOp::Mul, _) => {
                let (literals, others): (Vec<&Term>, Vec<&Term>) =
                    args.iter().partition(|x| t.as_bitvec(**x).is_some());
                let &[x] = &*others else { return None };
                let mut factor = BigInt::one();
                for literal in literals {
                    factor *= self.literal_value(*literal)?;
                }
                Some(self.scaled(&in_twos_complement(factor, width), residue(x)))
            }
            (BvOp::Shl, [x, places]) => {
                let places = shift(&self.literal_value(*places)?, width);
                let factor = places.map_or(BigInt::zero(), power_of_two);
                Some(self.scaled(&factor, residue(x)))
            }
            _ => None,
        }
    }

    /// Unsigned quotients and remainders, and shifts to the right, by a literal.
    fn quotient(&self, op: BvOp, x: Term, by: BigInt, width: u32) -> Option<(Term, Interval)> {
        let t = self.t;
        let constant = |value: BigInt| (self.literal(&value), Interval::just(value));
        Some(match op {
            BvOp::Udiv if by.is_zero() => constant(BigInt::from(-1)),
            BvOp::Udiv => {
                let quotients = (power_of_two(width) - 1) / &by + 1;
                let quotient = t.idiv(self.unsigned(x), self.literal(&by));
                (quotient, Interval::below(&quotients))
            }
            BvOp::Urem if by.is_zero() => (self.unsigned(x), Interval::unsigned(width)),
            BvOp::Urem => {
                let rest = t.modulo(self.unsigned(x), self.literal(&by));
                (rest, Interval::below(&by))
            }
            BvOp::Lshr => match shift(&by, width) {
                Some(places) => self.without_low_bits(self.unsigned(x), places, width),
                None => constant(BigInt::zero()),
            },
            BvOp::Ashr => {
                let places = shift(&by, width).unwrap_or(width - 1);
                let quotient = t.idiv(self.signed(x), self.literal(&power_of_two(places)));
                (quotient, Interval::signed(width - places))
            }
            _ => return None,
        })
    }

    /// Operators that take bits, or put bits beside each other.
    fn rearrangement(&self, op: BvOp, args: &[Term], width: u32) -> Option<(Term, Interval)> {
        let t = self.t;
        let residue = |word: &Term| &self.residues[word];
        Some(match (op, args) {
            (BvOp::Concat, [x, y]) => {
                let low = residue(y).width;
                let (high, interval) = self.scaled(&power_of_two(low), residue(x));
                let interval = interval.plus(&Interval::unsigned(low));
                (t.add([high, self.unsigned(*y)]), interval)
            }
            (BvOp::Extract { lo: 0, .. }, [x]) => {
                // Congruent modulo a power of two is congruent modulo a smaller one.
                let Residue { term, interval, .. } = residue(x);
                (*term, interval.clone())
            }
            (BvOp::Extract { hi, lo }, &[x]) if hi == lo && hi + 1 == residue(&x).width => {
                let is_negative = t.lt(self.signed(x), t.int(0));
                let bit = t.ite(is_negative, t.int(1), t.int(0));
                (bit, Interval::unsigned(1))
            }
            (BvOp::Extract { lo, .. }, [x]) => {
                self.count_cut();
                self.without_low_bits(self.unsigned(*x), lo, residue(x).width)
            }
            (BvOp::ZeroExtend(_), [x]) => (self.unsigned(*x), Interval::unsigned(residue(x).width)),
            (BvOp::SignExtend(_), [x]) => (self.signed(*x), Interval::signed(residue(x).width)),
            (BvOp::RotateLeft(places), &[x]) => self.rotated(x, places % width, width),
            (BvOp::RotateRight(places), &[x]) => {
                self.rotated(x, (width - places % width) % width, width)
            }
            (BvOp::Repeat(times), [x]) => {
                let own = residue(x).width;
                let factor: BigInt = (0..times).map(|i| power_of_two(i * own)).sum();
                let x = Residue {
                    term: self.unsigned(*x),
                    interval: Interval::unsigned(own),
                    width: own,
                };
                self.scaled(&factor, &x)
            }
            _ => return None,
        })
    }

    fn scaled(&self, factor: &BigInt, x: &Residue) -> (Term, Interval) {
        let term = self.t.scale(Rational::from(factor.clone()), x.term);
        (term, x.interval.times(&Interval::just(factor.clone())))
    }

    /// The unsigned value `x` of that width, shifted to the right.
    fn without_low_bits(&self, x: Term, places: u32, width: u32) -> (Term, Interval) {
        let quotient = self.t.idiv(x, self.literal(&power_of_two(places)));
        (quotient, Interval::unsigned(width - places))
    }

    /// A signed quotient or remainder.
    fn signed_division(&self, op: BvOp, x: Term, divisor: &BigInt, width: u32) -> (Term, Interval) {
        let t = self.t;
        let size = divisor.abs();
        let by = self.literal(&size);
        let (minus_x, is_negative) = (t.neg(x), t.lt(x, t.int(0)));
        match op {
            BvOp::Sdiv if size.is_zero() => {
                let quotient = t.ite(is_negative, t.int(1), t.int(-1));
                (quotient, Interval::around_zero(BigInt::one()))
            }
            _ if size.is_zero() => (x, Interval::signed(width)),
            BvOp::Sdiv => {
                let toward_zero = t.ite(is_negative, t.neg(t.idiv(minus_x, by)), t.idiv(x, by));
                let quotient = match divisor.is_negative() {
                    true => t.neg(toward_zero),
                    false => toward_zero,
                };
                (
                    quotient,
                    Interval::around_zero(power_of_two(width - 1) / size),
                )
            }
            BvOp::Srem => {
                let rest = t.ite(is_negative, t.neg(t.modulo(minus_x, by)), t.modulo(x, by));
                (rest, Interval::around_zero(size - 1))
            }
            _ if divisor.is_negative() => {
                let rest = t.neg(t.modulo(minus_x, by));
                (rest, Interval::around_zero(size - 1))
            }
            _ => (t.modulo(x, by), Interval::below(&size)),
        }
    }

    /// A bit-vector rotated to the left by fewer places than its width.
    fn rotated(&self, x: Term, places: u32, width: u32) -> (Term, Interval) {
        let t = self.t;
        self.count_cut();
        let value = self.unsigned(x);
        let cut = self.literal(&power_of_two(width - places));
        let factor = Rational::from(power_of_two(places));
        let high = t.scale(factor, t.modulo(value, cut));
        (t.add([high, t.idiv(value, cut)]), Interval::unsigned(width))
    }

    /// A bitwise operator: on single bits, or with at most one argument that is no literal.
    fn bitwise(&self, op: BvOp, args: &[Term], width: u32) -> Option<(Term, Interval)> {
        let t = self.t;
        let all = Interval::unsigned(width);
        if width == 1 {
            let is_one = |&x: &Term| t.eq(self.unsigned(x), t.int(1));
            let bits = args.iter().map(is_one);
            let bit = match op {
                BvOp::And => t.and(bits),
                BvOp::Or => t.or(bits),
                _ => bits.reduce(|x, y| t.xor(x, y))?,
            };
            return Some((t.ite(bit, t.int(1), t.int(0)), all));
        }
        let &[x, mask] = args else { return None };
        let mask = self.literal_value(mask)?;
        self.count_cut();
        let (x, number) = (self.unsigned(x), self.literal(&mask));
        let common = self.masked(x, &mask);
        Some(match op {
            BvOp::And => (common, Interval::below(&(&mask + 1))),
            // x | m = x + m - (x & m)
            BvOp::Or => (t.sub(t.add([x, number]), common), all),
            // x ^ m = x + m - 2·(x & m)
            _ => {
                let twice = t.scale(Rational::new(2, 1), common);
                (t.sub(t.add([x, number]), twice), all)
            }
        })
    }

    /// The bits of the unsigned value `x` that a mask has: a part for each run of ones.
    fn masked(&self, x: Term, mask: &BigInt) -> Term {
        let t = self.t;
        let (mut parts, mut at) = (Vec::new(), 0);
        let bits = mask.bits();
        while at < bits {
            if !mask.bit(at) {
                at += 1;
                continue;
            }
            let low = at;
            while mask.bit(at) {
                at += 1;
            }
            let (low, length) = (power_of_two(low), power_of_two(at - low));
            let run = t.modulo(t.idiv(x, self.literal(&low)), self.literal(&length));
            parts.push(t.scale(Rational::from(low), run));
        }
        match parts.is_empty() {
            true => t.int(0),
            false => t.add(parts),
        }
    }

    /// Are two bit-vectors equal? They are compared in the way in which fewer cases are needed; as
    /// residues, if that would be too many.
    fn equal(&self, x: Term, y: Term) -> Term {
        let fits = |signedness: Signedness| {
            let fits = |x: Term| {
                let x = &self.residues[&x];
                x.interval.lies_in(&signedness.interval(x.width))
            };
            usize::from(fits(x)) + usize::from(fits(y))
        };
        let usual = self.signedness.of_width(self.residues[&x].width);
        let other = match usual {
            Signedness::Signed => Signedness::Unsigned,
            Signedness::Unsigned => Signedness::Signed,
        };
        let signedness = match fits(other) > fits(usual) {
            true => other,
            false => usual,
        };
        let (x, y) = (&self.residues[&x], &self.residues[&y]);
        let is_far = |x: &Residue| {
            let (least, most) = x.wraps(signedness);
            most - least > BigInt::from(MOST_WRAPS)
        };
        match is_far(x) || is_far(y) {
            true => self.congruent(x, y),
            false => (self.t).eq(self.value(x, signedness), self.value(y, signedness)),
        }
    }

    /// Are two bit-vectors the same residue? The modulus is made as small as it can be:
    /// `2³¹·x + 2³¹·y = 0` modulo 2³² says that 2 divides `x + y`.
    fn congruent(&self, x: &Residue, y: &Residue) -> Term {
        let t = self.t;
        let mut difference = t.linear_sum(t.sub(x.term, y.term));
        let mut modulus = Rational::from(power_of_two(x.width));
        let factors = difference.terms.iter().map(|(_, factor)| factor);
        let factors = factors.chain([&difference.constant]);
        let common = factors.fold(modulus.clone(), |common, factor| common.gcd(factor));
        difference.scale(&common.recip());
        modulus = &modulus / &common;
        t.divisible(modulus, t.sum_term(&difference, Sort::INT))
    }

    /// A term that is no bit-vector, whose arguments are translated.
    fn other(&self, term: Term) -> Option<Term> {
        let (t, args) = (self.t, self.t.args(term));
        match (t.op(term), args) {
            (Op::Var(_), _) => (!has_words(t, t.sort_of(term))).then_some(term),
            (Op::Forall | Op::Exists, _) => None,
            (Op::Eq, &[x, y]) if self.residues.contains_key(&x) => Some(self.equal(x, y)),
            (Op::Bv(op), args) => Some(match (op, args) {
                (BvOp::Ult, &[x, y]) => t.lt(self.unsigned(x), self.unsigned(y)),
                (BvOp::Ule, &[x, y]) => t.le(self.unsigned(x), self.unsigned(y)),
                (BvOp::Slt, &[x, y]) => t.lt(self.signed(x), self.signed(y)),
                (BvOp::Sle, &[x, y]) => t.le(self.signed(x), self.signed(y)),
                (BvOp::ToNat, &[x]) => self.unsigned(x),
                _ => return None,
            }),
            _ => {
                let args = args.iter().map(|arg| self.others.get(arg).copied());
                let args: Vec<Term> = args.collect::<Option<_>>()?;
                Some(t.rebuild(term, &args))
            }
        }
    }
}

/// The number of places of a shift; `None` if it is at least the width.
fn shift(places: &BigInt, width: u32) -> Option<u32> {
    places.to_u32().filter(|&places| places < width)
}

/// The value in two's complement of the bit-vector that is congruent to `value` modulo `2^width`.
fn in_twos_complement(value: BigInt, width: u32) -> BigInt {
    let modulus = power_of_two(width);
    let value = value.mod_floor(&modulus);
    match value >= &modulus >> 1 {
        true => value - modulus,
        false => value,
    }
}

/// Are there bit-vectors among the values of a sort, or inside them?
fn has_words(t: &Terms, sort: Sort) -> bool {
    let parts = t.sort_post_order(sort);
    parts
        .iter()
        .any(|&part| matches!(t.sort_kind(part), SortKind::BitVec(_)))
}
