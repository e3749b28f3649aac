//! Conditions of points: conjunctions in the order of the path, so that what two paths have in
//! common is found at their beginning.

use crate::term::{Term, Terms};

/// A conjunction.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Guard {
    conjuncts: Vec<Term>,
}

impl Guard {
    /// The number of conjuncts at the beginning that both have in common.
    pub(crate) fn common(&self, other: &Guard) -> usize {
        let pairs = self.conjuncts.iter().zip(&other.conjuncts);
        pairs.take_while(|(x, y)| x == y).count()
    }

    pub(crate) fn term(&self, t: &Terms) -> Term {
        t.and(self.conjuncts.iter().copied())
    }

    pub(crate) fn is_false(&self) -> bool {
        self.conjuncts.last() == Some(&Term::FALSE)
    }

    /// One more conjunct.
    pub(crate) fn add(&mut self, t: &Terms, condition: Term) {
        if condition == Term::TRUE || self.conjuncts.contains(&condition) {
            return;
        }
        if self.conjuncts.contains(&t.not(condition)) {
            self.conjuncts = vec![Term::FALSE];
            return;
        }
        self.conjuncts.push(condition);
    }

    /// That one of two paths is taken, which exclude each other; and what tells, of the first, that
    /// it was not the second.
    pub(crate) fn join(t: &Terms, a: &Guard, b: &Guard) -> (Guard, Term) {
        let common = a.common(b);
        let (rest_a, rest_b) = (&a.conjuncts[common..], &b.conjuncts[common..]);
        let only_a = t.and(rest_a.iter().copied());
        let mut joined = Guard {
            conjuncts: a.conjuncts[..common].to_vec(),
        };
        match (rest_a, rest_b) {
            // Both ways of one branch: the test falls away, and decides.
            ([x, more_a @ ..], [y, more_b @ ..]) if *x == t.not(*y) => {
                if more_a.is_empty() && more_b.is_empty() {
                    return (joined, *x);
                }
                let either = t.or([
                    t.and([*x, t.and(more_a.iter().copied())]),
                    t.and([*y, t.and(more_b.iter().copied())]),
                ]);
                joined.add(t, either);
                (joined, *x)
            }
            _ => {
                let only_b = t.and(rest_b.iter().copied());
                joined.add(t, t.or([only_a, only_b]));
                (joined, only_a)
            }
        }
    }
}
