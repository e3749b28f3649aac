//! Bit-vectors: what orders, equations and numbers of them say of their bits.
//!
//! A bit of a variable, or of what a function gives, is the formula `(= ((_ extract i i) x) #b1)`.
//! A bit of another term is the output of a circuit, whose gates have names. Only the rules
//! `bv_equal`, `bv_order` and `bv2nat_bit` connect the two: a checker builds the circuits of the
//! terms from the same gates, and compares. So the circuits are part of what the rules say. They
//! are those of the checker of proofs (`check::circuits`), which say here which literal of a clause
//! is which output.
//!
//! | rule | clause |
//! |---|---|
//! | `bv_gate` | a clause that is true whatever the inputs of the gate are that the argument names |
//! | `bv_order` | `(cl (not (bvult x y)) b)`, where `b` is the output of the order's circuit; so for the other orders, and for their negations with `(not b)` |
//! | `bv_equal` | `(cl (not (= x y)) a (not b))` for the bits at one place; `(cl (= x y) d …)` for the outputs of `xor` over the bits at each place |
//! | `bv2nat_bounds` | `(cl (<= 0 (bv2nat x)))`, `(cl (<= (bv2nat x) 2^w-1))` for `w` bits |
//! | `bv2nat_bit` | `(cl (<= 1 (bv2nat x)) (not b))`, `(cl (<= (bv2nat x) 0) b)` for the only bit `b` of `x` |
//! | `bv2nat_sum` | `(cl (= (bv2nat x) (+ … (* 2^i (bv2nat xᵢ)) …)))`, where `xᵢ` is the bit at place `i` alone |
//! | `int2bv_sum` | `(cl (= (+ … (* 2^i (bv2nat xᵢ)) …) (- n (* 2^w (div n 2^w)))))`, where `x` is `((_ int2bv w) n)` |
//!
//! Bits that are true or false by themselves are left out of clauses.

use super::clausal::Goal;
use super::derivation::{Derivation, Stated, equation, formula};
use crate::number::Rational;
use crate::smt::native::proof::{Literal, ProofAtom, weighted_bits};
use crate::term::{BvOp, LinearSum, Sort, Term};

/// The axiom with a literal, which comes first, and literals of the clause.
fn axiom(rule: &'static str, first: Stated, rest: impl IntoIterator<Item = Literal>) -> Derivation {
    let rest = rest.into_iter().map(Stated::Own);
    Derivation::axiom(rule, std::iter::once(first).chain(rest).collect())
}

impl Goal<'_, '_> {
    /// That an order of two bit-vectors, or its negation if not `positive`, implies the clause.
    pub(super) fn ordered_bits(&self, f: Term, positive: bool) -> Option<Derivation> {
        let mut circuits = self.circuits.borrow_mut();
        let said = circuits.order_implies(f, positive, self.clause)?;
        Some(axiom("bv_order", Stated::Formula(f, !positive), said))
    }

    /// That an equation of two bit-vectors, or its negation if not `positive`, implies the clause;
    /// `own` is the literal that denies this.
    pub(super) fn equal_bits(
        &self,
        own: Stated,
        sides: (Term, Term),
        positive: bool,
    ) -> Option<Derivation> {
        let mut circuits = self.circuits.borrow_mut();
        let said = circuits.equation_implies(sides, positive, self.clause)?;
        Some(axiom("bv_equal", own, said))
    }

    /// That the clause says what one of its equations means.
    pub(super) fn meaning_of_equation(&self) -> Option<Derivation> {
        self.atoms().find_map(|(atom, positive)| match *atom {
            ProofAtom::Equal(x, y) => {
                let own = equation(self.t, x, y, positive);
                self.equal_bits(own, (x, y), !positive)
            }
            _ => None,
        })
    }

    /// By what `bv2nat` or `int2bv` means.
    pub(super) fn conversion(&self, op: BvOp, term: Term) -> Option<Derivation> {
        let t = self.t;
        let argument = t.args(term)[0];
        match op {
            BvOp::ToNat => self.natural(term, argument),
            BvOp::FromInt(width) => {
                let modulus = t.number(Rational::from(2).pow(width), Sort::INT);
                let quotient = t.idiv(argument, modulus);
                let rest = t.sub(argument, t.mul([modulus, quotient]));
                self.sum_of_bits("int2bv_sum", term, rest)
            }
            _ => None,
        }
    }

    /// By what the natural number of a bit-vector is.
    fn natural(&self, number: Term, vector: Term) -> Option<Derivation> {
        let t = self.t;
        let width = t.bitvec_width(t.sort_of(vector))?;
        let most = Rational::from(2).pow(width) - Rational::one();
        let name = formula(t, number);
        let own = t.linear_sum(number);
        let mut below = own.clone();
        below.scale(&Rational::from(-1));
        let mut above = own.clone();
        above.constant = -&most;
        let bounds = [
            (format!("(<= 0 {name})"), below),
            (
                format!("(<= {name} {})", formula(t, t.number(most, Sort::INT))),
                above,
            ),
        ];
        let mut bounds = bounds.into_iter();
        let in_range =
            bounds.find_map(|(text, sum)| self.bounds("bv2nat_bounds", vec![(text, sum, false)]));
        in_range.or_else(|| match width {
            1 => self.number_of_bit(&name, vector, &own),
            _ => self.sum_of_bits("bv2nat_sum", vector, number),
        })
    }

    /// That the number of a bit is at least 1 if it is set, and at most 0 if it is not.
    fn number_of_bit(&self, name: &str, bit: Term, number: &LinearSum) -> Option<Derivation> {
        let mut below_one = number.clone();
        below_one.scale(&Rational::from(-1));
        below_one.constant = Rational::one();
        let cases = [
            (format!("(<= 1 {name})"), below_one, false),
            (format!("(<= {name} 0)"), number.clone(), true),
        ];
        cases.into_iter().find_map(|(text, sum, positive)| {
            let mut circuits = self.circuits.borrow_mut();
            let bit = circuits.lowest_bit(bit, positive, self.clause)?;
            let first = axiom("bv2nat_bit", Stated::Text(text.clone(), true), bit);
            let rest = self.bound(Stated::Text(text, false), &sum, false, 1)?;
            Some(Derivation::Resolution(vec![first, rest]))
        })
    }

    /// That the numbers of a bit-vector's bits add up to a number.
    fn sum_of_bits(&self, rule: &'static str, vector: Term, number: Term) -> Option<Derivation> {
        let t = self.t;
        let sum = weighted_bits(t, vector);
        let first = Derivation::Axiom {
            rule,
            clause: vec![equation(t, sum, number, true)],
            args: vec![formula(t, vector)],
        };
        let rest = self.equation(sum, number)?;
        Some(Derivation::Resolution(vec![first, rest]))
    }
}
