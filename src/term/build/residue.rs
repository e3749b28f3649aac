//! Remainders of sums: a choice between values that differ by multiples of the divisor does not
//! change the remainder.
//!
//! Sums of bit-vectors that are read as integers have such choices: `ite(s < 2^w, s, s - 2^w)` and
//! `s` have the same remainder by `2^w`.

use crate::number::Rational;
use crate::term::{LinearSum, Op, Sort, Term, Terms};

/// The depth of choices within choices, at most. A wrapped sum has two. The value was not
/// tuned.
const DEPTH: u32 = 4;

impl Terms {
    /// A sum with the same remainder by the divisor, which is positive, without choices that do not
    /// matter for it; `None` if there are none.
    pub(super) fn same_remainder(&self, sum: Term, divisor: &Rational) -> Option<Term> {
        let args = self.parts(Op::Add, &sum);
        if !args.iter().any(|&arg| self.is_multiple_of_choice(arg)) {
            return None;
        }
        let mut changed = false;
        let old = self.small_sum(sum)?;
        let mut same = LinearSum::constant(old.constant.clone());
        for (x, c) in &old.terms {
            let part = self.without_choice(*x, c, divisor, DEPTH);
            changed |= part.is_some();
            same.add_scaled(c, &part.unwrap_or_else(|| self.linear_sum(*x)));
        }
        same.constant = same.constant.mod_euclid(divisor);
        changed.then(|| self.sum_term(&same, Sort::INT))
    }

    fn is_multiple_of_choice(&self, term: Term) -> bool {
        let is_choice = |x: &Term| self.op(*x) == Op::Ite;
        match self.op(term) {
            Op::Mul => self.args(term).iter().any(is_choice),
            _ => is_choice(&term),
        }
    }

    /// A sum that differs from a choice, where both are multiplied by the factor, by a multiple of
    /// the divisor.
    fn without_choice(
        &self,
        term: Term,
        factor: &Rational,
        divisor: &Rational,
        depth: u32,
    ) -> Option<LinearSum> {
        let (Op::Ite, &[_, yes, no]) = (self.op(term), self.args(term)) else {
            return None;
        };
        let depth = depth.checked_sub(1)?;
        let class = |branch| {
            let inner = self.without_choice(branch, factor, divisor, depth);
            inner.or_else(|| self.small_sum(branch))
        };
        let (mut difference, no) = (class(yes)?, class(no)?);
        difference.add_scaled(&-Rational::one(), &no);
        let is_multiple =
            difference.is_constant() && (&difference.constant * factor).is_divisible_by(divisor);
        is_multiple.then_some(no)
    }

    /// A term as a sum; `None` if it is a large one. So a builder's cost stays linear in the number
    /// of its arguments.
    fn small_sum(&self, term: Term) -> Option<LinearSum> {
        let is_small = |&part: &Term| match self.op(part) {
            Op::Add => false,
            Op::Mul => (self.args(part).iter()).all(|&x| !matches!(self.op(x), Op::Add | Op::Mul)),
            _ => true,
        };
        let parts = self.parts(Op::Add, &term);
        parts.iter().all(is_small).then(|| self.linear_sum(term))
    }
}
