//! What was shown once is not asked again.

use crate::term::{Term, TermSet};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// At most this number of terms is held, about 100 MB; beyond it everything is forgotten. The value
/// was not tuned.
const MOST_TERMS: usize = 8_000_000;

/// Implications between formulas that a solver has confirmed. A model that is found again, by
/// another engine or by another way back through the passes, has mostly the same ones.
///
/// Invariant: each conclusion here follows from its premises, whatever system they are from.
#[derive(Debug, Default)]
pub struct Accepted {
    known: RefCell<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// Sets of premises, in ascending order, by number.
    premises: FxHashMap<Box<[Term]>, u32>,
    /// Conclusions with the number of their premises.
    conclusions: FxHashSet<(u32, Term)>,
    /// The number of terms in both.
    terms: usize,
    /// The number of the next new set of premises: no number is given twice.
    next: u32,
}

impl Accepted {
    /// The number of a set of premises.
    pub(super) fn number(&self, premises: &[Term]) -> u32 {
        let distinct: TermSet = premises.iter().copied().collect();
        let mut sorted: Vec<Term> = distinct.into_iter().collect();
        sorted.sort_unstable();
        let mut known = self.known.borrow_mut();
        if let Some(&number) = known.premises.get(sorted.as_slice()) {
            return number;
        }
        known.make_room(sorted.len());
        let number = known.next;
        known.next = number
            .checked_add(1)
            .expect("fewer than 2^32 sets of premises");
        known.premises.insert(sorted.into(), number);
        number
    }

    /// Was it confirmed that a conclusion follows from the premises with this number?
    pub(super) fn has(&self, premises: u32, conclusion: Term) -> bool {
        let known = self.known.borrow();
        known.conclusions.contains(&(premises, conclusion))
    }

    /// A conclusion follows from the premises with this number, as a solver has confirmed, of it or
    /// of one that a symmetry maps to it.
    pub(super) fn add(&self, premises: u32, conclusion: Term) {
        let mut known = self.known.borrow_mut();
        known.make_room(1);
        known.conclusions.insert((premises, conclusion));
    }
}

impl Known {
    /// Forgets everything where that many more terms would be too many.
    fn make_room(&mut self, more: usize) {
        self.terms += more;
        if self.terms > MOST_TERMS {
            self.premises.clear();
            self.conclusions.clear();
            self.terms = more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Sort, Terms};

    #[test]
    fn sets_of_premises_are_told_apart() {
        let t = Terms::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| t.var(name, Sort::BOOL));
        let accepted = Accepted::default();
        let numbers = [&[][..], &[a], &[b], &[a, b], &[a, b, c]].map(|set| accepted.number(set));
        for (n, number) in numbers.iter().enumerate() {
            assert!(!numbers[..n].contains(number), "{numbers:?}");
        }
        assert_eq!(accepted.number(&[b, a, b]), numbers[3]);
        accepted.add(numbers[1], b);
        assert!(accepted.has(numbers[1], b));
        assert!(!accepted.has(numbers[1], c));
        assert!(!accepted.has(numbers[2], b));
    }

    #[test]
    fn what_would_be_too_much_is_forgotten() {
        let t = Terms::new();
        let [a, b] = ["a", "b"].map(|name| t.var(name, Sort::BOOL));
        let accepted = Accepted::default();
        // A premise and a conclusion are two terms.
        let number = accepted.number(&[a]);
        accepted.add(number, b);
        accepted.known.borrow_mut().make_room(MOST_TERMS - 2);
        assert!(accepted.has(number, b), "the limit is kept");
        accepted.known.borrow_mut().make_room(1);
        assert!(!accepted.has(number, b), "the limit is exceeded");
        // An old number must not stand for other premises.
        assert_ne!(accepted.number(&[b]), number);
        assert_ne!(accepted.number(&[a]), number);
        accepted.known.borrow_mut().make_room(MOST_TERMS - 3);
        let number = accepted.number(&[]);
        accepted.add(number, a);
        assert!(accepted.has(number, a), "what was forgotten does not count");
    }
}
