//! Inequalities by number: each atom and each literal is brought into order once, and compared by
//! its number from then on.
//! A conjunction of many bounds has many clauses, each of which looks for its bound.

use crate::number::{DeltaRational, Rational};
use crate::term::Term;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// `Σ coefficient·term ≤ bound`, in ascending order of the terms. Bounds of integral forms are
/// integers.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(super) struct CheckedInequality {
    pub(super) terms: Vec<(Term, Rational)>,
    pub(super) bound: DeltaRational,
}

/// An inequality by its number, or the truth value of one without terms.
pub(super) type Side = Result<u32, bool>;

/// What atoms say as inequalities.
#[derive(Default)]
pub(super) struct Bounds {
    numbers: FxHashMap<CheckedInequality, u32>,
    of_atoms: FxHashMap<(Term, bool), Rc<[Side]>>,
}

impl Bounds {
    /// An inequality by its number.
    pub(super) fn side(&mut self, side: Result<CheckedInequality, bool>) -> Side {
        side.map(|inequality| self.number(inequality))
    }

    /// The number of an inequality.
    pub(super) fn number(&mut self, inequality: CheckedInequality) -> u32 {
        let next =
            u32::try_from(self.numbers.len()).expect("the proofs of a context have fewer bounds");
        *self.numbers.entry(inequality).or_insert(next)
    }

    /// What was found of an atom, or its negation if not `positive`.
    pub(super) fn of_atom(&self, atom: Term, positive: bool) -> Option<Rc<[Side]>> {
        self.of_atoms.get(&(atom, positive)).cloned()
    }

    /// Takes note of the inequalities that an atom is, or its negation if not `positive`.
    pub(super) fn add_atom(
        &mut self,
        atom: Term,
        positive: bool,
        sides: Vec<Result<CheckedInequality, bool>>,
    ) -> Rc<[Side]> {
        let sides: Rc<[Side]> = sides.into_iter().map(|side| self.side(side)).collect();
        self.of_atoms.insert((atom, positive), Rc::clone(&sides));
        sides
    }
}
