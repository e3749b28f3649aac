//! Bit-vectors: terms to words of literals, by circuits of gates \[KS16\].
//!
//! A variable, or the application of a function, has a propositional variable for each bit. Other
//! terms have circuits over the words of their arguments. An order of two vectors is a subformula,
//! whose definition says that its literal is the output of a circuit. An equation has a variable
//! [`Meaning::Equal`], as elements of uninterpreted sorts have, with clauses that compare the bits.
//!
//! Relevancy: each clause of a gate has the gate's output for its guard. So the inputs matter only
//! where the output has a value, and circuits of past queries cost nothing. When search ends, gates
//! may be open; their values follow from the inputs.
//!
//! Conversions, `int2bv` and `bv2nat` of several bits, are functions of the e-graph. `int2bv` has a
//! variable for each bit. Only where values do not agree are bits and number connected: `bv2nat` is
//! a sum over bits, where the number of a single bit is an integer between 0 and 1, and the sum of
//! the bits of `int2bv` is the remainder of the integer.

use super::{Encoding, Meaning, is_application};
use crate::number::Rational;
use crate::smt::native::bitvector::{Circuit, Gate, Word, clauses, predicate, word};
use crate::smt::native::literal::Lit;
use crate::smt::native::proof::Justification;
use crate::term::{BvOp, Op, Sort, Term, TermMap, Terms};
use crate::work;
use rustc_hash::FxHashMap;
use std::iter::zip;
use std::rc::Rc;

/// The bits of terms, and the gates between them.
#[derive(Debug, Default)]
pub(super) struct Bits {
    /// Variables and applications of functions, for all partitions.
    leaves: TermMap<Rc<[Lit]>>,
    /// Other terms, by partition for interpolation.
    words: TermMap<Rc<[Lit]>>,
    /// The words of partitions before, for values.
    earlier: TermMap<Rc<[Lit]>>,
    /// Gates and their outputs, by partition.
    gates: FxHashMap<Gate<Lit>, Lit>,
}

impl Bits {
    /// Terms get circuits anew from here on, so that no gate is shared with what was before.
    pub(super) fn start_partition(&mut self) {
        self.earlier.extend(self.words.drain());
        self.gates.clear();
    }

    /// The bits of a term that were encoded in any partition, the least significant first.
    pub(super) fn of_any_partition(&self, term: Term) -> Option<&Rc<[Lit]>> {
        self.get(term).or_else(|| self.earlier.get(&term))
    }

    /// The bits of a term that this partition can use, the least significant first.
    fn get(&self, term: Term) -> Option<&Rc<[Lit]>> {
        self.leaves.get(&term).or_else(|| self.words.get(&term))
    }
}

/// Is it the sort of bit-vectors of some width?
pub(in super::super) fn is_bitvec(t: &Terms, sort: Sort) -> bool {
    t.bitvec_width(sort).is_some()
}

/// Is it `int2bv`, or `bv2nat` of several bits?
pub(in super::super) fn is_conversion(t: &Terms, term: Term) -> bool {
    match t.op(term) {
        Op::Bv(BvOp::FromInt(_)) => true,
        Op::Bv(BvOp::ToNat) => t.bitvec_width(t.sort_of(t.args(term)[0])) != Some(1),
        _ => false,
    }
}

/// The bit-vector that consists of one bit of another.
pub(in super::super) fn single_bit(t: &Terms, term: Term, index: usize) -> Term {
    let place = u32::try_from(index).expect("widths have 32 bits");
    let op = BvOp::Extract {
        hi: place,
        lo: place,
    };
    t.bv(op, &[term])
}

/// `Σ 2^i · bit i`: the natural number of a bit-vector as a linear combination of terms.
pub(super) fn weighted_bits(t: &Terms, vector: Term) -> Vec<(Term, Rational)> {
    let width = t.bitvec_width(t.sort_of(vector)).expect("a bit-vector");
    let mut weight = Rational::one();
    let mut parts = Vec::with_capacity(width as usize);
    for index in 0..width as usize {
        let bit = t.bv(BvOp::ToNat, &[single_bit(t, vector, index)]);
        parts.push((bit, weight.clone()));
        weight = &weight + &weight;
    }
    parts
}

impl Circuit for Encoding<'_, '_> {
    fn truth(&mut self) -> Lit {
        Encoding::truth(self)
    }

    fn gate(&mut self, gate: Gate<Lit>) -> Lit {
        work::spend(2);
        if let Some(&output) = self.encoder.bits.gates.get(&gate) {
            return output;
        }
        let output = self.new_var(Meaning::Gate(gate)).positive();
        self.sat.has_circuits = true;
        self.encoder.bits.gates.insert(gate, output);
        for clause in clauses(gate, output) {
            let guard = clause.first().copied();
            self.sat.add_clause(&clause, guard, Justification::Gate);
        }
        output
    }
}

impl Encoding<'_, '_> {
    /// The bits of a term, the least significant first.
    ///
    /// A work list holds the terms whose arguments are not encoded yet.
    pub(super) fn bits(&mut self, term: Term) -> Rc<[Lit]> {
        let t = self.encoder.t;
        let mut todo = vec![term];
        while let Some(&x) = todo.last() {
            work::spend(2);
            let pending = todo.len();
            if self.encoder.bits.get(x).is_none() {
                let args = t.args(x).iter().copied();
                todo.extend(
                    args.filter(|&a| {
                        is_bitvec(t, t.sort_of(a)) && self.encoder.bits.get(a).is_none()
                    }),
                );
            }
            if todo.len() == pending {
                todo.pop();
                self.encode_bits(x);
            }
        }
        let bits = self.encoder.bits.get(term);
        Rc::clone(bits.expect("it was just encoded"))
    }

    /// Encodes a term whose arguments are encoded.
    fn encode_bits(&mut self, term: Term) {
        if self.encoder.bits.get(term).is_some() {
            return;
        }
        let t = self.encoder.t;
        let (op, args) = (t.op(term), t.args(term));
        let words: Vec<Rc<[Lit]>> = args
            .iter()
            .filter_map(|&a| self.encoder.bits.get(a).cloned())
            .collect();
        let bits: Word = match op {
            Op::BitVec(_) => self.constant_bits(term),
            Op::Bv(BvOp::FromInt(_)) => {
                let bits = self.new_bits(term);
                self.guard_by_bits(term, &bits);
                bits
            }
            Op::Bv(op) => {
                let words: Vec<&[Lit]> = words.iter().map(|word| &**word).collect();
                word(self, op, &words)
            }
            Op::Ite => {
                let condition = self.condition(args[0]);
                let pairs = zip(&*words[0], &*words[1]);
                pairs.map(|(&a, &b)| self.mux(condition, a, b)).collect()
            }
            _ => return self.encode_leaf(term),
        };
        self.encoder.bits.words.insert(term, bits.into());
    }

    /// The bits of a variable, or of an application that the e-graph knows.
    fn encode_leaf(&mut self, term: Term) {
        let bits = self.new_bits(term);
        if is_application(self.encoder.t, term) {
            self.guard_by_bits(term, &bits);
        }
        self.encoder.bits.leaves.insert(term, bits.into());
    }

    /// Where a bit of a term has a value, the guard of the term is true.
    fn guard_by_bits(&mut self, term: Term, bits: &[Lit]) {
        let guard = self.operator_guard(term);
        let rule = Justification::Operator(term);
        for &bit in bits {
            for when in [bit, !bit] {
                self.sat.add_clause(&[!when, guard], Some(!when), rule);
            }
        }
    }

    /// A new variable for each bit of a term.
    fn new_bits(&mut self, term: Term) -> Word {
        let t = self.encoder.t;
        let width = t.bitvec_width(t.sort_of(term)).expect("a bit-vector");
        let bit = |index| self.new_var(Meaning::Bit(term, index)).positive();
        (0..width).map(bit).collect()
    }

    fn constant_bits(&mut self, term: Term) -> Word {
        let t = self.encoder.t;
        let width = t.bitvec_width(t.sort_of(term)).expect("a bit-vector");
        let value = t.as_bitvec(term).expect("a literal").numer();
        let bit = |index| self.constant(value.bit(index));
        (0..u64::from(width)).map(bit).collect()
    }

    /// The literal of the condition of an `ite`, defined in both directions. The literal of an
    /// arithmetic atom stands for the atom as a formula, not for a bound.
    fn condition(&mut self, formula: Term) -> Lit {
        let t = self.encoder.t;
        let (inner, positive) = match t.as_not(formula) {
            Some(inner) => (inner, false),
            None => (formula, true),
        };
        let is_arith = match t.op(inner) {
            Op::Eq => t.sort_of(t.args(inner)[0]).is_arith(),
            op => matches!(op, Op::Le | Op::Lt | Op::IsInt),
        };
        let lit = [true, false].map(|direction| {
            if is_arith {
                self.defined(inner, direction)
            } else {
                self.literal(inner, direction)
            }
        })[0];
        if positive { lit } else { !lit }
    }

    /// The output of the circuit of an order of two bit-vectors.
    pub(super) fn order(&mut self, formula: Term) -> Lit {
        let t = self.encoder.t;
        let Op::Bv(op) = t.op(formula) else {
            unreachable!("it is an order of bit-vectors");
        };
        let (x, y) = (self.bits(t.args(formula)[0]), self.bits(t.args(formula)[1]));
        predicate(self, op, &x, &y)
    }

    /// What an equation of a bit-vector with a constant says of each bit, as literals; `None` for
    /// other formulas.
    pub(super) fn fixed_bits(&mut self, formula: Term) -> Option<Word> {
        let t = self.encoder.t;
        let &[x, constant] = t.args(formula) else {
            return None;
        };
        if t.op(formula) != Op::Eq || t.as_bitvec(constant).is_none() {
            return None;
        }
        let (bits, values) = (self.bits(x), self.constant_bits(constant));
        let truth = Encoding::truth(self);
        let fixed = zip(&*bits, values).map(|(&bit, value)| match value == truth {
            true => bit,
            false => !bit,
        });
        Some(fixed.filter(|&bit| bit != truth).collect())
    }

    /// Adds the clauses that give an equation of bit-vectors its meaning: that it implies each two
    /// bits to be equal, and that it holds unless two bits differ.
    pub(super) fn define_equation(&mut self, x: Term, y: Term) {
        let equal = self.equal(x, y);
        let (of_x, of_y) = (self.bits(x), self.bits(y));
        let rule = Justification::Equation;
        let mut unequal = vec![equal];
        for (&a, &b) in zip(&*of_x, &*of_y) {
            for clause in [[!equal, a, !b], [!equal, !a, b]] {
                self.sat.add_clause(&clause, Some(!equal), rule);
            }
            unequal.push(self.xor(a, b));
        }
        self.sat.add_clause(&unequal, Some(equal), rule);
    }

    /// Adds the clauses that give `bv2nat` of a single bit its meaning, where its guard holds.
    pub(super) fn define_bit_number(&mut self, term: Term, unless: Lit) {
        let bit = self.bits(self.encoder.t.args(term)[0])[0];
        let rule = Justification::Operator(term);
        let number = self.sum_of([(term, Rational::one())]);
        let mut below_one = number.clone();
        below_one.add_constant(&Rational::from(-1));
        self.define_at_most_zero(&[unless], &number.negated(), rule);
        self.define_at_most_zero(&[unless], &below_one, rule);
        self.define_at_most_zero(&[unless, !bit], &below_one.negated(), rule);
        self.define_at_most_zero(&[unless, bit], &number, rule);
    }

    /// Adds the clauses that a conversion needs from the start. Those of [`Encoding::convert`] come
    /// when values do not agree; at once where there are partitions, since a clause belongs to the
    /// partition that is being encoded.
    pub(super) fn define_conversion(&mut self, term: Term) {
        let t = self.encoder.t;
        let guard = self.operator_guard(term);
        self.define_arguments(term, &[guard]);
        if t.op(term) == Op::Bv(BvOp::ToNat) {
            // 0 ≤ n ≤ 2^width - 1
            let rule = Justification::Operator(term);
            let number = self.sum_of([(term, Rational::one())]);
            let width = t.bitvec_width(t.sort_of(t.args(term)[0]));
            let mut over = number.clone();
            over.add_constant(&(Rational::one() - Rational::from(2).pow(width.expect("a width"))));
            self.define_at_most_zero(&[!guard], &number.negated(), rule);
            self.define_at_most_zero(&[!guard], &over, rule);
        }
        if self.encoder.is_partitioned {
            self.convert(term);
        }
    }

    /// Adds the clauses that connect the bits of a conversion with its number, where its guard
    /// holds: `bv2nat` is the number of the bits, and the number of the bits of `int2bv` is the
    /// remainder of the integer.
    pub(in super::super) fn convert(&mut self, term: Term) {
        let is_new = self.encoder.conversions.insert(term);
        debug_assert!(
            is_new,
            "a conversion has its meaning once it has the clauses"
        );
        let t = self.encoder.t;
        let unless = !self.operator_guard(term);
        let rule = Justification::Operator(term);
        let argument = t.args(term)[0];
        let minus = Rational::from(-1);
        let parts = match t.op(term) {
            Op::Bv(BvOp::FromInt(width)) => {
                let modulus = Rational::from(2).pow(width);
                let quotient = t.idiv(argument, t.number(modulus.clone(), Sort::INT));
                let mut parts = weighted_bits(t, term);
                parts.extend([(argument, minus), (quotient, modulus)]);
                parts
            }
            _ => {
                let mut parts = weighted_bits(t, argument);
                parts.push((term, minus));
                parts
            }
        };
        let difference = self.sum_of(parts);
        self.define_at_most_zero(&[unless], &difference, rule);
        self.define_at_most_zero(&[unless], &difference.negated(), rule);
    }
}
