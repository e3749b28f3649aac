//! Union-find.

/// Sets of numbers.
pub(super) struct Union {
    parent: Vec<usize>,
}

impl Union {
    /// All numbers below `count`, each in a set for itself.
    pub(super) fn new(count: usize) -> Self {
        Union {
            parent: (0..count).collect(),
        }
    }

    /// The number that stands for the set of another one.
    pub(super) fn find(&mut self, mut at: usize) -> usize {
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    /// Makes one set of two.
    pub(super) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        // The smaller stays: parts are named after the first of their cells.
        self.parent[a.max(b)] = a.min(b);
    }
}
