//! Deletion of learned clauses that were not useful and of clauses that are true at level 0, and
//! collection of their memory.
//!
//! Learned clauses of small glue are kept \[AS09\]. The glue of a clause is the number of decision
//! levels among its literals, the least that was counted when it was learned or when an analysis
//! resolved with it. Clauses with which an analysis resolved since the last deletion are kept, too.
//! Half of the others are deleted: those of the greatest glue, and of equal ones the oldest.
//!
//! DIVERGENCE: \[AS09\] deletes half of all learned clauses, whether they were used or not, and
//! keeps 300 more from one deletion to the next. Tried on 234 tasks of LRA-Lin, LIA-Lin, LIA and BV
//! with 300,000,000 ticks each: that solves 217, and what is here 220, in 0.95 times the ticks.
//! Where the clause of the conflict itself counts as used as well, the same are solved, in 1.01
//! times the ticks.

use super::super::literal::Var;
use super::{ClauseRef, Reason, Sat};
use crate::work;

/// Up to 2000 learned clauses are kept at first. As in Glucose, the solver of \[AS09\].
pub(super) const FIRST_LIMIT: usize = 2000;
/// After each deletion 1000 more learned clauses are kept. Tried on 55 tasks: with 3000 the same
/// are solved, in 1.01 times the ticks.
const LIMIT_STEP: usize = 1000;
/// Learned clauses of at most this glue are never forgotten. As in Glucose.
pub(super) const KEPT_GLUE: u32 = 2;
/// Clauses are simplified after 64 more literals have become true at level 0. The value was not
/// tuned.
const NEW_UNITS: usize = 64;

impl Sat {
    /// Is the limit on learned clauses reached?
    pub(in super::super) fn should_reduce(&self) -> bool {
        self.learned.len() >= self.learned_limit
    }

    /// Forgets the worse half of the learned clauses that were not used.
    pub(in super::super) fn reduce(&mut self) {
        self.learned_limit += LIMIT_STEP;
        let mut candidates: Vec<ClauseRef> = Vec::new();
        for &clause in &self.learned {
            let used = self.clauses.take_used(clause);
            if !used && self.clauses.glue(clause) > KEPT_GLUE && !self.is_reason(clause) {
                candidates.push(clause);
            }
        }
        candidates.sort_by_key(|&c| (std::cmp::Reverse(self.clauses.glue(c)), c));
        candidates.truncate(candidates.len() / 2);
        for clause in candidates {
            self.clauses.delete(clause);
        }
        self.sweep();
        debug_assert!(
            self.lists_are_valid(),
            "lists name the clauses that are left"
        );
        debug_assert!(self.reasons_are_valid(), "reasons are kept");
    }

    /// Is it time to look for clauses that are true for good?
    pub(in super::super) fn should_simplify(&self) -> bool {
        let units = self.level_starts.first().copied();
        units.unwrap_or(self.trail.len()) >= self.simplified + NEW_UNITS
    }

    /// Drops the clauses that have a literal true at level 0, the current one, which must be
    /// propagated.
    pub(in super::super) fn simplify(&mut self) {
        debug_assert!(self.level_starts.is_empty() && self.is_propagated());
        let mut visited = 0;
        let mut is_satisfied = |&clause: &ClauseRef| {
            visited += 1;
            self.clauses.lits(clause).iter().any(|&l| self.is_true(l))
        };
        let satisfied: Vec<ClauseRef> = self.clauses.iter().filter(&mut is_satisfied).collect();
        work::spend_on(visited);
        for clause in satisfied {
            self.clauses.delete(clause);
        }
        // Reasons at level 0 are never looked at again.
        for &lit in &self.trail {
            self.assigned[lit.var().index()].reason = Reason::Decision;
        }
        self.simplified = self.trail.len();
        self.sweep();
        debug_assert!(
            self.lists_are_valid(),
            "lists name the clauses that are left"
        );
    }

    /// Takes back, after `simplify`, that these variables are true or false at level 0, so that
    /// they can be used again. Answers the variables that occur in no clause any more.
    pub(in super::super) fn recycle(&mut self, vars: &[Var]) -> Vec<Var> {
        debug_assert!(self.level_starts.is_empty() && self.is_propagated());
        let unused: Vec<Var> = vars
            .iter()
            .copied()
            .filter(|&v| self.is_unused(v))
            .collect();
        for &var in &unused {
            for lit in [var.positive(), var.literal(false)] {
                self.values[lit.index()] = 0;
            }
            self.heap.reset(var);
        }
        let values = &self.values;
        self.trail.retain(|l| values[l.index()] != 0);
        for (i, lit) in self.trail.iter().enumerate() {
            self.assigned[lit.var().index()].position =
                u32::try_from(i).expect("as many as variables");
        }
        self.propagated = self.trail.len();
        self.simplified = self.trail.len();
        self.activated = 0;
        debug_assert!(self.trail_is_valid(), "the trail has no recycled variable");
        unused
    }

    fn is_reason(&self, clause: ClauseRef) -> bool {
        let first = self.clauses.lits(clause)[0];
        self.is_true(first) && self.reason_of(first.var()) == Reason::Clause(clause)
    }

    /// Removes deleted clauses from all lists, and closes the holes in the arena if there are many.
    fn sweep(&mut self) {
        work::spend_on(self.watches.len() + self.occurrences.len());
        if !self.clauses.is_wasteful() {
            let clauses = &self.clauses;
            let is_there = |c: ClauseRef| !clauses.is_deleted(c);
            for list in &mut self.watches {
                list.retain(|w| is_there(w.clause));
            }
            for list in &mut self.occurrences {
                list.retain(|o| is_there(o.clause));
            }
            for list in self.guarded.iter_mut().chain([&mut self.learned]) {
                list.retain(|&c| is_there(c));
            }
            return;
        }
        let moved = self.clauses.compact();
        let keep = |clause: &mut ClauseRef| match moved.get(*clause) {
            Some(new) => {
                *clause = new;
                true
            }
            None => false,
        };
        for list in &mut self.watches {
            list.retain_mut(|w| keep(&mut w.clause));
        }
        for list in &mut self.occurrences {
            list.retain_mut(|o| keep(&mut o.clause));
        }
        for list in self.guarded.iter_mut().chain([&mut self.learned]) {
            list.retain_mut(keep);
        }
        for &lit in &self.trail {
            if let Reason::Clause(clause) = &mut self.assigned[lit.var().index()].reason {
                *clause = moved.get(*clause).expect("reasons are kept");
            }
        }
    }
}
