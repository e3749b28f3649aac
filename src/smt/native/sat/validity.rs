//! The invariants of propositional search, as functions for debug assertions.

use super::super::literal::{Lit, Var};
use super::Sat;

impl Sat {
    /// Does every clause watch its first two literals, and is no propagation missing?
    pub(in super::super) fn watches_are_valid(&self) -> bool {
        self.clauses.iter().all(|clause| {
            let lits = self.clauses.lits(clause);
            let watched = lits[..2].iter().all(|&l| {
                let list = &self.watches[(!l).index()];
                list.iter().filter(|w| w.clause == clause).count() == 1
            });
            let (a, b) = (lits[0], lits[1]);
            let complete = self.propagated < self.trail.len()
                || lits.iter().any(|&l| self.is_true(l))
                || !self.is_false(a) && !self.is_false(b);
            watched && complete
        })
    }

    /// Do the values agree with the trail, and levels with positions? It reads the whole trail.
    pub(in super::super) fn trail_is_valid(&self) -> bool {
        let true_literals = self.values.iter().filter(|&&v| v > 0).count();
        let mut level = 0;
        let in_order = self.trail.iter().enumerate().all(|(i, &lit)| {
            let assigned = self.assigned[lit.var().index()];
            while self
                .level_starts
                .get(level)
                .is_some_and(|&start| start <= i)
            {
                level += 1;
            }
            self.is_true(lit) && assigned.position as usize == i && assigned.level as usize == level
        });
        true_literals == self.trail.len() && in_order && self.heap.is_valid()
    }

    /// Has every original clause a true literal or an open guard?
    pub(in super::super) fn is_satisfied(&self) -> bool {
        self.occurrences.iter().flatten().all(|occurrence| {
            let lits = self.clauses.lits(occurrence.clause);
            occurrence.guard.is_some_and(|g| self.value(g).is_none())
                || lits.iter().any(|&l| self.is_true(l))
        })
    }

    /// Has a variable no occurrence in any clause?
    pub(in super::super) fn is_unused(&self, var: Var) -> bool {
        let lists = [var.positive(), var.literal(false)].map(Lit::index);
        self.occurrences[var.index()].is_empty()
            && lists.iter().all(|&i| self.watches[i].is_empty())
    }
}
