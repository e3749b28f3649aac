//! Restarts after the sequence of \[LSZ93\]: 1 1 2 1 1 2 4 ….

/// Conflicts between restarts, times the sequence 1 1 2 1 1 2 4 …. The unit is that of MiniSat
/// \[ES03\].
const UNIT: u64 = 100;

/// When the next restart is due.
#[derive(Debug)]
pub(super) struct Luby {
    /// The pair of Knuth's formula for the sequence.
    u: u64,
    v: u64,
    due: u64,
}

impl Default for Luby {
    fn default() -> Self {
        Luby {
            u: 1,
            v: 1,
            due: UNIT,
        }
    }
}

impl Luby {
    /// The sequence from its beginning, after that many conflicts.
    fn after(conflicts: u64) -> Self {
        Luby {
            due: conflicts + UNIT,
            ..Self::default()
        }
    }

    fn advance(&mut self, conflicts: u64) {
        if self.u & self.u.wrapping_neg() == self.v {
            self.u += 1;
            self.v = 1;
        } else {
            self.v *= 2;
        }
        self.due = conflicts + UNIT * self.v;
    }
}

impl super::Sat {
    /// A check begins: restarts follow the sequence from its beginning, and no variable is active.
    /// What was learned stays.
    ///
    /// If the sequence goes on from check to check, a context of many checks has long runs without
    /// a restart, in which no learned clauses are forgotten. Tried, with both reset at every check,
    /// on 176 tasks of LRA-Lin, LIA-Lin and BV with 150,000,000 ticks each: 149 are solved without
    /// this, 151 where only the sequence begins anew, and 153 where activities do as well.
    ///
    /// DIVERGENCE: \[ES03\] keeps activities from check to check.
    pub(in super::super) fn begin_check(&mut self) {
        if self.begun_at != self.counts.conflicts {
            self.begun_at = self.counts.conflicts;
            self.luby = Luby::after(self.counts.conflicts);
            self.heap.forget_activities();
        }
    }

    /// Is it time for a restart?
    pub(in super::super) fn should_restart(&self) -> bool {
        self.counts.conflicts >= self.luby.due
    }

    /// Takes back all decisions but the assumptions.
    pub(in super::super) fn restart(&mut self) {
        self.counts.restarts += 1;
        self.luby.advance(self.counts.conflicts);
        self.backtrack(self.assumed_levels.min(self.level()));
    }
}
