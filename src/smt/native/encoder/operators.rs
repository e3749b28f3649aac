//! What operators mean: `ite` of all sorts but `Bool`, and the operators of arithmetic.

use super::arith::Sum;
use super::{Encoding, divisor, is_conversion};
use crate::number::Rational;
use crate::smt::native::literal::Lit;
use crate::smt::native::proof::Justification;
use crate::term::{BvOp, Op, Term, Terms};
use smallvec::SmallVec;

/// A product as one of two factors: the first, and the product of the others.
pub(in super::super) fn two_factors(t: &Terms, product: Term) -> [Term; 2] {
    let args = t.args(product);
    [args[0], t.mul(args[1..].iter().copied())]
}

impl Encoding<'_, '_> {
    /// Adds the clauses that give an operator its meaning, where its guard holds.
    pub(super) fn define_operator(&mut self, term: Term) {
        let t = self.encoder.t;
        let unless = !self.operator_guard(term);
        let args = t.args(term);
        let rule = Justification::Operator(term);
        match t.op(term) {
            Op::Ite => {
                let condition = self.literal(args[0], false);
                self.define_equal(&[unless, !condition], term, args[1], rule);
                let condition = self.literal(args[0], true);
                self.define_equal(&[unless, condition], term, args[2], rule);
            }
            Op::IDiv if divisor(t, term).is_some() => {
                // 0 ≤ x - k·q ≤ |k| - 1
                let k = divisor(t, term).expect("just tested");
                let rest = self.sum_of([(args[0], Rational::one()), (term, -k)]);
                self.define_at_most_zero(&[unless], &rest.negated(), rule);
                let mut most = rest;
                most.add_constant(&(Rational::one() - k.abs()));
                self.define_at_most_zero(&[unless], &most, rule);
            }
            Op::Abs => {
                // |x| ≥ x, |x| ≥ -x, and one of the converses
                let one = Rational::one;
                let minus = || Rational::from(-1);
                let over = self.sum_of([(term, one()), (args[0], minus())]);
                let under = self.sum_of([(term, one()), (args[0], one())]);
                self.define_at_most_zero(&[unless], &over.negated(), rule);
                self.define_at_most_zero(&[unless], &under.negated(), rule);
                let cases = [&over, &under].map(|sum| self.at_most_zero(sum, false));
                let clause = [unless, cases[0], cases[1]];
                self.sat.add_clause(&clause, Some(unless), rule);
            }
            Op::ToInt => {
                // 0 ≤ r - n < 1
                let rest = self.sum_of([(args[0], Rational::one()), (term, Rational::from(-1))]);
                self.define_at_most_zero(&[unless], &rest.negated(), rule);
                let mut less = rest;
                less.add_constant(&Rational::from(-1));
                let lit = self.at_most_zero(&less, true);
                self.add_with_guards(&[unless], lit, &less, rule);
            }
            Op::Bv(_) if is_conversion(t, term) => self.define_conversion(term),
            Op::Bv(BvOp::ToNat) => self.define_bit_number(term, unless),
            Op::Mul => {
                self.define_arguments(term, &[!unless]);
                // A product of more than two factors is the first one times that of the others.
                let [_, others] = two_factors(t, term);
                let rest = self.sum_of([(others, Rational::one())]);
                for &guard in &rest.guards {
                    self.sat.add_clause(&[unless, guard], Some(unless), rule);
                }
            }
            Op::IDiv | Op::Mod | Op::Div => {
                self.define_arguments(term, &[!unless]);
                self.define_division(term);
            }
            _ => self.define_arguments(term, &[!unless]),
        }
    }

    /// What a quotient or a remainder by a term means where the term is not 0.
    fn define_division(&mut self, term: Term) {
        let t = self.encoder.t;
        let unless = !self.operator_guard(term);
        let rule = Justification::Operator(term);
        let (x, y) = (t.args(term)[0], t.args(term)[1]);
        let quotient = match t.op(term) {
            Op::Mod => t.idiv(x, y),
            _ => term,
        };
        // x - y·q
        let rest = [
            (x, Rational::one()),
            (t.mul([y, quotient]), Rational::from(-1)),
        ];
        let rest = self.sum_of(rest);
        for sign in [1, -1] {
            // Where sign·y > 0:
            let size = self.sum_of([(y, Rational::from(sign))]);
            let opposite = self.at_most_zero(&size, false);
            let prefix = [unless, opposite];
            let mut other = rest.clone();
            match t.op(term) {
                // 0 ≤ x - y·q ≤ |y| - 1
                Op::IDiv => {
                    other.add_scaled(&Rational::from(-1), &size);
                    other.add_constant(&Rational::one());
                    self.define_at_most_zero(&prefix, &rest.negated(), rule);
                    self.define_at_most_zero(&prefix, &other, rule);
                }
                // x - y·q = 0, or the remainder
                op => {
                    if op == Op::Mod {
                        let remainder = self.sum_of([(term, Rational::one())]);
                        other.add_scaled(&Rational::from(-1), &remainder);
                    }
                    self.define_at_most_zero(&prefix, &other.negated(), rule);
                    self.define_at_most_zero(&prefix, &other, rule);
                }
            }
        }
    }

    /// Adds `prefix ∨ x = y`.
    fn define_equal(&mut self, prefix: &[Lit], x: Term, y: Term, rule: Justification) {
        let t = self.encoder.t;
        if !t.sort_of(x).is_arith() {
            let mut guards = SmallVec::new();
            self.guard_of(y, &mut guards);
            for lit in [self.equal(x, y)].into_iter().chain(guards) {
                let clause: Vec<Lit> = prefix.iter().copied().chain([lit]).collect();
                self.sat.add_clause(&clause, prefix.first().copied(), rule);
            }
            return;
        }
        let minus = || Rational::from(-1);
        let mut difference = self.sum_of([(y, minus())]);
        let var = self.term_variable(x);
        difference.add_term(var, &Rational::one());
        self.define_at_most_zero(prefix, &difference, rule);
        self.define_at_most_zero(prefix, &difference.negated(), rule);
    }

    /// Adds `prefix ∨ sum ≤ 0`.
    pub(super) fn define_at_most_zero(&mut self, prefix: &[Lit], sum: &Sum, rule: Justification) {
        let lit = self.at_most_zero(sum, false);
        self.add_with_guards(prefix, lit, sum, rule);
    }

    /// Adds `prefix ∨ lit` and `prefix ∨ guard` for each guard of the sum but those in the prefix.
    fn add_with_guards(&mut self, prefix: &[Lit], lit: Lit, sum: &Sum, rule: Justification) {
        for &part in [lit].iter().chain(&sum.guards) {
            if !prefix.contains(&!part) {
                let clause: Vec<Lit> = prefix.iter().copied().chain([part]).collect();
                self.sat.add_clause(&clause, prefix.first().copied(), rule);
            }
        }
    }
}
