//! Bit-vectors of both sides that the search equates: what each side knows of their bits.
//!
//! An equation `x = y` of a bit-vector of `A` and one of `B` is divided as all mixed equations are
//! (see `mixed`): where it is true, `x = v` and `v = y`; where it is false, `x` has a property that
//! `y` has not. Its definition compares the bits by gates `p ⊕ q`, for a bit `p` of `A` and `q` of
//! `B`. The negation of the output is the equation `p = q`, which is divided in the same way, with
//! a variable and a property of truth values. So clauses that say what a gate's output is, and
//! clauses of the definition, have partial interpolants as those of equality have, and nothing is
//! quantified in the end.
//!
//! The search makes these gates, so they belong to no part, and each has the symbols of its inputs.

use super::colors::Color;
use super::cut::Cut;
use crate::smt::native::check::BitPair;
use crate::smt::native::proof::{Gate, Literal, ProofAtom, bit_is_set};
use crate::term::{BvOp, Sort, Term, Terms};

/// Places with opposite bits in a definition, at most: each doubles the interpolant. Opposite are
/// bits of which one is compared with the negation of the other, as in `x = ¬y`.
const MOST_OPPOSITE: usize = 6;

impl Cut<'_> {
    /// The interpolant of a mixed clause that says what the output of a gate is; `None` if the gate
    /// is not an exclusive or of a bit of `A` and one of `B`.
    pub(super) fn gate_leaf(&mut self, clause: &[Literal]) -> Option<Term> {
        let mixed = clause.iter().find(|&&l| self.color(l) == Color::Mixed);
        let output = *mixed?;
        let of_a = self.input_of_a(output.atom)?;
        let said = clause.iter().find(|l| l.atom == of_a.atom)?;
        // The literals of the clause are false.
        let input = *said != of_a;
        let t = self.t;
        Some(match output.positive {
            true => {
                let value = self.equations.value(t, output.atom, Sort::BOOL);
                signed(t, value, input)
            }
            false => self.has_property(output.atom, input),
        })
    }

    /// The input of `A` of a mixed gate; `None` if it is not an exclusive or with one of `B`.
    fn input_of_a(&self, output: u32) -> Option<Literal> {
        let ProofAtom::Gate(Gate::Xor([p, q])) = self.proof.atoms[output as usize] else {
            return None;
        };
        match (self.color(p), self.color(q)) {
            (Color::A, Color::B) => Some(p),
            (Color::B, Color::A) => Some(q),
            _ => None,
        }
    }

    /// The truth value has the property of an equation of bits.
    fn has_property(&mut self, atom: u32, value: bool) -> Term {
        let value = signed(self.t, Term::TRUE, value);
        self.equations.property(self.t, atom, value)
    }

    /// The interpolant of a clause of the definition of a mixed equation of bit-vectors; `None` if
    /// the equation or a gate cannot be divided.
    pub(super) fn equation_leaf(&mut self, clause: &[Literal]) -> Option<Term> {
        let t = self.t;
        let mut equations = clause.iter().filter_map(|&l| {
            let ProofAtom::Equal(x, y) = self.proof.atoms[l.atom as usize] else {
                return None;
            };
            Some((l, self.colors.sides(t, x, y)?))
        });
        let (equation, (x, y)) = equations.next()?;
        let pairs = self.checker().bit_pairs(x, y, clause);
        match equation.positive {
            true => self.no_difference(equation.atom, x, &pairs),
            false => self.unequal_bits(equation.atom, x, &pairs),
        }
    }

    /// The interpolant of a clause `x ≠ y ∨ a ∨ ¬b`, or `x ≠ y ∨ ¬a ∨ b`, for the bits `a` and `b`
    /// at some place of `x`, which is `A`'s, and `y`: the variable for the value of `x` has the bit
    /// of `x` there.
    fn unequal_bits(&mut self, equation: u32, x: Term, pairs: &[BitPair]) -> Option<Term> {
        let t = self.t;
        let mut found = pairs.iter().enumerate().filter_map(|(place, pair)| {
            let [(of_x, positive), (of_y, other)] = [pair.said[0]?, pair.said[1]?];
            (positive != other).then_some((place, pair, of_x, of_y, positive))
        });
        let (place, pair, of_x, of_y, positive) = found.next()?;
        let value = self.equations.value(t, equation, t.sort_of(x));
        let place = u32::try_from(place).expect("widths have 32 bits");
        let bit = bit_is_set(t, value, place);
        // The literals of the clause are false: `a` is not `positive`, and `b` is.
        let bit_is_that_of_x = match of_x {
            Some(literal) if !self.is_a(literal) => t.eq(bit, self.shared(pair.bits[0])?),
            _ => signed(t, bit, !positive),
        };
        let bit_of_y = match of_y {
            Some(literal) if self.is_a(literal) => signed(t, self.shared(pair.bits[1])?, positive),
            _ => Term::TRUE,
        };
        Some(t.and([bit_is_that_of_x, bit_of_y]))
    }

    /// The interpolant of the clause that `x` and `y` are equal or differ in a bit: the bit-vector
    /// that has the value of both at each place has the property that `x` alone has.
    fn no_difference(&mut self, equation: u32, x: Term, pairs: &[BitPair]) -> Option<Term> {
        let t = self.t;
        let mut values = Vec::with_capacity(pairs.len());
        // Places where the bits are opposite, with the atoms.
        let mut opposite: Vec<(usize, u32)> = Vec::new();
        for (place, pair) in pairs.iter().enumerate() {
            let value = match pair.differ {
                None => pair.bits[0],
                Some(literal) if self.color(literal) != Color::Mixed => {
                    // The side that does not know that the bits are equal has this one.
                    pair.bits[usize::from(self.is_a(literal))]
                }
                Some(literal) => {
                    let of_a = self.input_of_a(literal.atom)?;
                    let is_same = self.checker().formula_of(of_a) == pair.bits[0];
                    let input = match literal.positive {
                        true => self.equations.value(t, literal.atom, Sort::BOOL),
                        false => {
                            opposite.push((place, literal.atom));
                            Term::TRUE
                        }
                    };
                    values.push(signed(t, input, is_same));
                    continue;
                }
            };
            values.push(self.shared(value)?);
        }
        if opposite.len() > MOST_OPPOSITE {
            return None;
        }
        debug_assert_eq!(
            t.bitvec_width(t.sort_of(x)),
            u32::try_from(pairs.len()).ok()
        );
        let cases = (0..1u32 << opposite.len()).map(|case| {
            let mut values = values.clone();
            let mut parts = Vec::with_capacity(opposite.len() + 1);
            for (number, &(place, atom)) in opposite.iter().enumerate() {
                let input = case >> number & 1 == 1;
                values[place] = signed(t, values[place], input);
                parts.push(self.has_property(atom, input));
            }
            let vector = vector_of(t, &values);
            parts.push(self.equations.property(t, equation, vector));
            t.and(parts)
        });
        let cases: Vec<Term> = cases.collect();
        Some(t.or(cases))
    }

    /// The formula, if both sides have its symbols.
    fn shared(&self, formula: Term) -> Option<Term> {
        let color = self.colors.of_term(self.t, formula);
        (color == Color::Both).then_some(formula)
    }
}

/// The formula, negated or not.
fn signed(t: &Terms, formula: Term, positive: bool) -> Term {
    if positive { formula } else { t.not(formula) }
}

/// The bit-vector of these bits, the least significant first.
fn vector_of(t: &Terms, bits: &[Term]) -> Term {
    let (one, zero) = (t.bitvec(&1.into(), 1), t.bitvec(&0.into(), 1));
    let mut bits = bits.iter().map(|&bit| t.ite(bit, one, zero));
    let first = bits.next().expect("a bit-vector has a bit");
    bits.fold(first, |low, bit| t.bv(BvOp::Concat, &[bit, low]))
}
