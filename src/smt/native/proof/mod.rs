//! Proofs: clauses, each with the reason why it holds, down to a contradiction.
//!
//! A proof is self-contained: its literals are about formulas and linear forms over terms of the
//! store, not about the search that found it. Three kinds of steps suffice: clauses of encodings,
//! contradictory sums of inequalities (Farkas), and resolution. Integers need no further kind: the
//! negation of `form ≤ k` is `form ≥ k + 1` if the form is integral, so splits and cuts are
//! resolutions on these literals.

mod choices;
mod text;

use crate::number::{DeltaRational, Rational};
use crate::term::{BvOp, CtorId, Sort, Term, Terms};
pub(in crate::smt::native) use choices::{Cases, cases, compared};

/// Why a clause of an encoding holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Justification {
    /// It follows from this conjunct of an assertion, or from its negation if that is what is
    /// asserted (`false`).
    Assertion(Term, bool),
    /// It says what a literal that stands for a subformula means.
    Definition(Term),
    /// It says what an arithmetic operator means: an `ite`, a division, an absolute value, a floor.
    Operator(Term),
    /// Its negation is contradictory by congruence closure: equality is an equivalence, functions
    /// have equal results on equal arguments, different constants and constructors have different
    /// values, constructors are injective and acyclic, and selectors and testers of constructor
    /// terms have their values.
    Closure,
    /// It says what the equation of these two numbers means as bounds.
    Shared(Term, Term),
    /// Its negation is contradictory by congruence closure and the axioms of reading from stores
    /// and constant arrays.
    Arrays,
    /// These two arrays are equal or differ at their difference.
    Extensionality(Term, Term),
    /// This term of a datatype is built by one of its constructors.
    Exhaustive(Term),
    /// This term, if it is built by this constructor, is what the constructor builds of its fields.
    Expand(Term, CtorId),
    /// Its negation is contradictory since this product of two factors is what it is: the product
    /// of two of the negated literals, as inequalities, or of one and a factor, and the other
    /// literal add up to falsity.
    Product(Term),
    /// It says what the output of a gate is.
    Gate,
    /// It says of the bits of two bit-vectors what an equation between the two means.
    Equation,
}

impl Justification {
    /// Is the clause one of a theory, which holds whatever is asserted?
    pub(in crate::smt::native) fn is_theory(self) -> bool {
        match self {
            Justification::Assertion(..)
            | Justification::Definition(_)
            | Justification::Operator(_) => false,
            Justification::Closure
            | Justification::Shared(..)
            | Justification::Arrays
            | Justification::Extensionality(..)
            | Justification::Exhaustive(_)
            | Justification::Expand(..)
            | Justification::Product(_)
            | Justification::Gate
            | Justification::Equation => true,
        }
    }
}

/// A gate over two or three inputs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Gate<L> {
    /// Both inputs hold.
    And([L; 2]),
    /// One of the inputs holds, and the other does not.
    Xor([L; 2]),
    /// The second input if the first one holds, else the third.
    Mux([L; 3]),
    /// At least two of the inputs hold.
    Majority([L; 3]),
}

impl<L: Copy> Gate<L> {
    /// The inputs.
    pub fn inputs(&self) -> &[L] {
        match self {
            Gate::And(inputs) | Gate::Xor(inputs) => inputs,
            Gate::Mux(inputs) | Gate::Majority(inputs) => inputs,
        }
    }

    /// The gate with other inputs.
    pub fn map<M>(self, f: impl FnMut(L) -> M) -> Gate<M> {
        match self {
            Gate::And(inputs) => Gate::And(inputs.map(f)),
            Gate::Xor(inputs) => Gate::Xor(inputs.map(f)),
            Gate::Mux(inputs) => Gate::Mux(inputs.map(f)),
            Gate::Majority(inputs) => Gate::Majority(inputs.map(f)),
        }
    }
}

/// The constant at which two arrays differ, if they do. No text can have its name.
pub(in crate::smt::native) fn difference(t: &Terms, x: Term, y: Term) -> Term {
    let (x, y) = (x.min(y), x.max(y));
    let (index, _) = t
        .array_parts(t.sort_of(x))
        .expect("arrays have an array sort");
    t.var(&format!("difference\\{},{}", x.index(), y.index()), index)
}

/// The formula that a bit of a bit-vector is set; bits are counted from the least significant one.
pub(in crate::smt::native) fn bit_is_set(t: &Terms, vector: Term, place: u32) -> Term {
    let (hi, lo) = (place, place);
    let bit = t.bv(BvOp::Extract { hi, lo }, &[vector]);
    t.eq(bit, t.bitvec(&1.into(), 1))
}

/// `Σ 2^i · bit i`: the natural number that a bit-vector denotes, by the numbers of its bits.
pub(in crate::smt::native) fn weighted_bits(t: &Terms, vector: Term) -> Term {
    let width = t.bitvec_width(t.sort_of(vector)).unwrap_or(0);
    let number = |index| {
        let (hi, lo) = (index, index);
        let bit = t.bv(BvOp::Extract { hi, lo }, &[vector]);
        let weight = t.number(Rational::from(2).pow(index), Sort::INT);
        t.mul([weight, t.bv(BvOp::ToNat, &[bit])])
    };
    t.add((0..width).map(number).collect::<Vec<_>>())
}

/// What a propositional variable of a proof says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofAtom {
    /// `true`
    Truth,
    /// This formula holds.
    Formula(Term),
    /// `Σ coefficient·term ≤ bound`; its negation is the next greater bound, see the module's
    /// documentation.
    Bound {
        /// The linear form, over terms that are no sums.
        form: Box<[(Term, Rational)]>,
        /// The bound.
        bound: DeltaRational,
        /// Is the form integral?
        is_int: bool,
    },
    /// These two terms, which are no formulas, are equal.
    Equal(Term, Term),
    /// This bit of a bit-vector is set; it is counted from the least significant one.
    Bit(Term, u32),
    /// It is the output of this gate, whose inputs have smaller numbers. A definition: it holds
    /// where the gate's function of the inputs does.
    Gate(Gate<Literal>),
    /// This operator has its meaning. True by itself; it is a literal so that the search can leave
    /// operators aside.
    Operator(Term),
    /// A scope is open. True for the scopes that were open at the check.
    Scope,
}

impl ProofAtom {
    /// The terms that it says something of.
    pub(in crate::smt::native) fn terms(&self) -> Vec<Term> {
        match self {
            ProofAtom::Truth | ProofAtom::Scope | ProofAtom::Gate(_) => Vec::new(),
            ProofAtom::Formula(x) | ProofAtom::Operator(x) | ProofAtom::Bit(x, _) => vec![*x],
            ProofAtom::Equal(x, y) => vec![*x, *y],
            ProofAtom::Bound { form, .. } => form.iter().map(|&(x, _)| x).collect(),
        }
    }
}

/// An atom of a proof, by its number, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Literal {
    /// Index into [`Proof::atoms`].
    pub atom: u32,
    /// Is it the atom itself?
    pub positive: bool,
}

impl std::ops::Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal {
            positive: !self.positive,
            ..self
        }
    }
}

/// A step of a proof: a clause and why it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofStep {
    /// The literals.
    pub clause: Box<[Literal]>,
    /// Why it holds.
    pub why: Why,
}

/// Why a clause holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// It is a clause of an encoding.
    Input {
        /// By this rule.
        rule: Justification,
        /// The part of an interpolation problem that it belongs to.
        part: u32,
    },
    /// The negations of the literals, times these positive factors, add up to falsity.
    Farkas(Box<[Rational]>),
    /// It is the resolvent of earlier steps: the first with the second, the result with the third,
    /// …. Without steps, it has a literal and its negation.
    Chain(Box<[u32]>),
}

/// A derivation of a clause whose literals are all false under the assumptions of the check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// What the literals say.
    pub atoms: Vec<ProofAtom>,
    /// The steps; the last one has the clause that is false. Each refers to earlier ones only.
    pub steps: Vec<ProofStep>,
}

impl Proof {
    /// Does each step refer to earlier steps, each gate to earlier atoms, and each literal to an
    /// atom?
    pub(in crate::smt::native) fn is_ordered(&self) -> bool {
        let atoms = self.atoms.len();
        let gates = self.atoms.iter().enumerate().all(|(i, atom)| match atom {
            ProofAtom::Gate(gate) => gate.inputs().iter().all(|l| (l.atom as usize) < i),
            _ => true,
        });
        let steps = self.steps.iter().enumerate().all(|(i, step)| {
            let known = step.clause.iter().all(|l| (l.atom as usize) < atoms);
            known
                && match &step.why {
                    Why::Input { .. } => true,
                    Why::Farkas(factors) => factors.len() == step.clause.len(),
                    Why::Chain(steps) => steps.iter().all(|&s| (s as usize) < i),
                }
        });
        gates && steps
    }
}
