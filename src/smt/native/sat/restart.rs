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
