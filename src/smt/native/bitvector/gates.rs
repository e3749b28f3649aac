//! Gates over literals: each is simplified before it is made, and has its clauses.

use super::Gate;
use crate::smt::native::literal::Lit;
use smallvec::{SmallVec, smallvec};

/// What makes gates.
///
/// The provided functions find constants, equal and opposite inputs. They sort inputs, and push
/// negations through to the output where the gate allows it, so that equal gates are made once.
/// What they do depends on the structure of the inputs only, so that the checker of proofs comes to
/// the same gates.
pub(in super::super) trait Circuit {
    /// The literal that is true, which is positive.
    fn truth(&mut self) -> Lit;

    /// The output of a gate, which cannot be simplified; the same for the same gate.
    fn gate(&mut self, gate: Gate<Lit>) -> Lit;

    /// The literal of a truth value.
    fn constant(&mut self, value: bool) -> Lit {
        let truth = self.truth();
        if value { truth } else { !truth }
    }

    /// `a ∧ b`.
    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let truth = self.truth();
        if a == !b || a == !truth || b == !truth {
            !truth
        } else if a == b || b == truth {
            a
        } else if a == truth {
            b
        } else {
            self.gate(Gate::And([a.min(b), a.max(b)]))
        }
    }

    /// `a ∨ b`.
    fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// `a ⊕ b`.
    fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let truth = self.truth();
        let is_negated = a.is_positive() != b.is_positive();
        let (a, b) = (a.var().positive(), b.var().positive());
        let output = if a == b {
            !truth
        } else if a == truth {
            !b
        } else if b == truth {
            !a
        } else {
            self.gate(Gate::Xor([a.min(b), a.max(b)]))
        };
        if is_negated { !output } else { output }
    }

    /// `a` if `c`, else `b`.
    fn mux(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        let truth = self.truth();
        let (c, a, b) = if c.is_positive() {
            (c, a, b)
        } else {
            (!c, b, a)
        };
        if c == truth || a == b {
            a
        } else if a == !b {
            !self.xor(c, a)
        } else if a == truth || a == c {
            self.or(c, b)
        } else if a == !truth || a == !c {
            self.and(!c, b)
        } else if b == truth || b == !c {
            self.or(!c, a)
        } else if b == !truth || b == c {
            self.and(c, a)
        } else if a.is_positive() {
            self.gate(Gate::Mux([c, a, b]))
        } else {
            !self.gate(Gate::Mux([c, !a, !b]))
        }
    }

    /// At least two of three.
    fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let truth = self.truth();
        let mut inputs = [a, b, c];
        inputs.sort_unstable();
        for (x, y, z) in [(a, b, c), (a, c, b), (b, c, a)] {
            if x == y {
                return x;
            }
            if x == !y {
                return z;
            }
            if z == truth {
                return self.or(x, y);
            }
            if z == !truth {
                return self.and(x, y);
            }
        }
        if inputs.iter().filter(|l| l.is_positive()).count() >= 2 {
            self.gate(Gate::Majority(inputs))
        } else {
            !self.gate(Gate::Majority(inputs.map(|l| !l)))
        }
    }
}

/// A clause of a gate; its first literal is that of the output.
type GateClause = SmallVec<[Lit; 3]>;

/// The clauses that define a gate's output.
pub(in super::super) fn clauses(gate: Gate<Lit>, output: Lit) -> SmallVec<[GateClause; 6]> {
    let (yes, no) = (output, !output);
    match gate {
        Gate::And([a, b]) => smallvec![smallvec![no, a], smallvec![no, b], smallvec![yes, !a, !b]],
        Gate::Xor([a, b]) => smallvec![
            smallvec![no, a, b],
            smallvec![no, !a, !b],
            smallvec![yes, !a, b],
            smallvec![yes, a, !b],
        ],
        // The last two follow from the others, and propagate where the condition is open.
        Gate::Mux([c, a, b]) => smallvec![
            smallvec![no, !c, a],
            smallvec![no, c, b],
            smallvec![yes, !c, !a],
            smallvec![yes, c, !b],
            smallvec![no, a, b],
            smallvec![yes, !a, !b],
        ],
        Gate::Majority([a, b, c]) => smallvec![
            smallvec![no, a, b],
            smallvec![no, a, c],
            smallvec![no, b, c],
            smallvec![yes, !a, !b],
            smallvec![yes, !a, !c],
            smallvec![yes, !b, !c],
        ],
    }
}
