//! What operators mean: `ite` of all sorts but `Bool`, and the operators of arithmetic.

use super::arith::Sum;
use super::{Encoding, is_conversion};
use crate::number::Rational;
use crate::smt::native::literal::Lit;
use crate::smt::native::proof::Justification;
use crate::term::{BvOp, Op, Term};
use smallvec::SmallVec;

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
            Op::IDiv => {
                // 0 ≤ x - k·q ≤ |k| - 1
                let k = t.as_number(args[1]).expect("division is by constants");
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
            _ => self.define_arguments(term, &[!unless]),
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
