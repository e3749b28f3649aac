//! The invariants of propositional search, as functions for debug assertions.

use super::super::literal::{Lit, Var};
use super::clauses::ClauseRef;
use super::{Reason, Sat};
use rustc_hash::FxHashSet;

/// Do the literals have different variables?
pub(super) fn are_different(lits: &[Lit]) -> bool {
    let mut vars: Vec<Var> = lits.iter().map(|l| l.var()).collect();
    vars.sort_unstable();
    vars.windows(2).all(|pair| pair[0] != pair[1])
}

impl Sat {
    /// Does a reason make a literal true: has its clause the literal first, and are the others
    /// false?
    pub(super) fn implies(&self, reason: Reason, lit: Lit) -> bool {
        match reason {
            Reason::Decision => true,
            Reason::Clause(clause) => {
                let lits = self.clauses.lits(clause);
                lits[0] == lit && lits[1..].iter().all(|&l| self.is_false(l))
            }
            Reason::Bound(from) => self.is_true(from),
        }
    }

    /// Is the invariant of watches kept for one clause: if a watched literal is false, the other is
    /// true at the same level or a lower one, or the false one has not been propagated?
    pub(super) fn is_watched_well(&self, clause: ClauseRef) -> bool {
        let lits = self.clauses.lits(clause);
        let is_kept = |watched: Lit, other: Lit| {
            let assigned = self.assigned[watched.var().index()];
            let is_new = assigned.position as usize >= self.propagated;
            !self.is_false(watched)
                || is_new
                || self.is_true(other) && self.level_of(other.var()) <= assigned.level
        };
        is_kept(lits[0], lits[1]) && is_kept(lits[1], lits[0])
    }

    /// Are the beginnings of levels in order, and is what was propagated, activated and simplified
    /// within the trail? It looks at the last entries only.
    pub(super) fn marks_are_valid(&self) -> bool {
        let end = self.trail.len();
        let starts = &self.level_starts;
        let level = self.level();
        starts.iter().rev().take(2).is_sorted_by(|a, b| a >= b)
            && starts.last().is_none_or(|&start| start <= end)
            && self.propagated <= end
            && self.activated <= end
            && self.irrelevant.last().is_none_or(|&(_, at)| at <= level)
    }

    /// Do all lists name clauses that are there, and each clause as often as they should? For use
    /// after deletion: it reads all clauses.
    pub(super) fn lists_are_valid(&self) -> bool {
        let all: FxHashSet<ClauseRef> = self.clauses.iter().collect();
        let watched = self.watches.iter().enumerate().all(|(at, list)| {
            list.iter().all(|watch| {
                let is_there = all.contains(&watch.clause);
                let lits = || self.clauses.lits(watch.clause);
                is_there
                    && lits()[..2].iter().any(|l| (!*l).index() == at)
                    && lits().contains(&watch.blocker)
            })
        });
        let occurs = self.occurrences.iter().enumerate().all(|(var, list)| {
            list.iter().all(|occurrence| {
                let is_there = all.contains(&occurrence.clause);
                let lits = || self.clauses.lits(occurrence.clause);
                is_there
                    && !self.clauses.is_learned(occurrence.clause)
                    && lits().iter().any(|l| l.var().index() == var)
                    && lits().contains(&occurrence.blocker)
                    && occurrence.guard.is_none_or(|g| lits().contains(&g))
            })
        });
        let guarded = self.guarded.iter().flatten().all(|c| all.contains(c));
        let learned = (self.learned.iter()).all(|c| all.contains(c) && self.clauses.is_learned(*c));
        let learned_count = all.iter().filter(|&&c| self.clauses.is_learned(c)).count();
        let watch_count: usize = self.watches.iter().map(Vec::len).sum();
        watched
            && occurs
            && guarded
            && learned
            && learned_count == self.learned.len()
            && watch_count == 2 * all.len()
    }

    /// Is the reason of each literal of the trail a clause that is there and implies it, or a
    /// literal before it? It reads the reasons of the whole trail.
    pub(super) fn reasons_are_valid(&self) -> bool {
        self.trail.iter().enumerate().all(|(at, &lit)| {
            let reason = self.reason_of(lit.var());
            let is_before = |l: &Lit| (self.assigned[l.var().index()].position as usize) < at;
            let in_order = match reason {
                Reason::Decision => true,
                Reason::Clause(clause) => {
                    !self.clauses.is_deleted(clause)
                        && self.clauses.lits(clause)[1..].iter().all(is_before)
                }
                Reason::Bound(from) => is_before(&from),
            };
            in_order && self.implies(reason, lit)
        })
    }

    /// Is a clause asserting: is its first literal false at the current level, and are the others
    /// false at lower ones, the second at the highest of them?
    pub(super) fn is_asserting(&self, lits: &[Lit]) -> bool {
        let levels = || lits.iter().map(|l| self.level_of(l.var()));
        lits.iter().all(|&l| self.is_false(l))
            && levels().next() == Some(self.level())
            && levels().skip(1).all(|l| l > 0 && l < self.level())
            && levels().skip(1).max() == levels().nth(1)
    }

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
