//! What the parts of conjunctions say by themselves, by which a clause finds the part that implies
//! it.
//!
//! A conjunction of many parts has a clause for each of them. To look at all parts for each clause
//! takes quadratic time.

use super::Checker;
use crate::smt::native::proof::{Literal, ProofAtom};
use crate::term::{Op, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Conjunctions of fewer parts are read from left to right. The value was not tuned.
const MANY: usize = 8;

/// What a literal says.
#[derive(PartialEq, Eq, Hash)]
enum Saying {
    /// A formula, or its negation if not positive.
    Formula(Term, bool),
    /// That two terms, in ascending order, are equal, or that they differ if not positive.
    Equal(Term, Term, bool),
    /// An inequality, by its number.
    Bound(u32),
}

/// What the parts of formulas say, where they are literals. Formulas have signs.
#[derive(Default)]
pub(super) struct Parts(FxHashMap<(Term, bool), Rc<FxHashSet<Saying>>>);

impl Checker<'_> {
    /// Is a literal of the clause said by a part of this formula, which is a conjunction or, if not
    /// `positive`, the negation of a disjunction? Short formulas are not looked into.
    pub(super) fn has_part(&self, f: Term, positive: bool, clause: &[Literal]) -> bool {
        if self.t.args(f).len() < MANY {
            return false;
        }
        let known = self.readings.parts.borrow().0.get(&(f, positive)).cloned();
        let sayings = known.unwrap_or_else(|| {
            let sayings = Rc::new(self.sayings(f, positive));
            let mut parts = self.readings.parts.borrow_mut();
            parts.0.insert((f, positive), Rc::clone(&sayings));
            sayings
        });
        let says = |&literal: &Literal| self.saying(literal).is_some_and(|s| sayings.contains(&s));
        clause.iter().any(says)
    }

    /// What the parts of a formula say. Of a part that says several things together, each.
    fn sayings(&self, f: Term, positive: bool) -> FxHashSet<Saying> {
        let t = self.t;
        let mut sayings = FxHashSet::default();
        for &part in t.args(f) {
            let (mut part, mut positive) = (part, positive);
            sayings.insert(Saying::Formula(part, positive));
            while t.op(part) == Op::Not {
                (part, positive) = (t.args(part)[0], !positive);
                sayings.insert(Saying::Formula(part, positive));
            }
            match t.op(part) {
                Op::Eq if t.sort_of(t.args(part)[0]) == Sort::BOOL => {}
                Op::Eq if !t.sort_of(t.args(part)[0]).is_arith() => {
                    sayings.insert(equal(t.args(part)[0], t.args(part)[1], positive));
                }
                Op::Eq | Op::Le | Op::Lt | Op::IsInt => {
                    let sides = self.sides(part, positive);
                    // Where an equation does not hold, one of its sides does not.
                    if positive || sides.len() == 1 {
                        let bounds = sides.iter().filter_map(|side| side.ok());
                        sayings.extend(bounds.map(Saying::Bound));
                    }
                }
                _ => {}
            }
        }
        sayings
    }

    fn saying(&self, literal: Literal) -> Option<Saying> {
        match *self.atom(literal) {
            ProofAtom::Formula(f) => Some(Saying::Formula(f, literal.positive)),
            ProofAtom::Equal(x, y) => Some(equal(x, y, literal.positive)),
            ProofAtom::Bound { .. } => self.number(literal).map(Saying::Bound),
            _ => None,
        }
    }
}

fn equal(x: Term, y: Term, positive: bool) -> Saying {
    Saying::Equal(x.min(y), x.max(y), positive)
}
