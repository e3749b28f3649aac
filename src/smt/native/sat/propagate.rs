//! Unit propagation with two watched literals \[MMZ01\] and blockers, as in MiniSat 2.2.

use super::{Conflict, Lit, Reason, Sat, Watch};
use crate::work;

/// Watches in a cache line.
const WATCHES_IN_LINE: usize = 8;

impl Sat {
    /// Makes true what the clauses imply, until nothing new follows or a clause is false.
    pub(in super::super) fn propagate(&mut self) -> Option<Conflict> {
        while let Some(&lit) = self.trail.get(self.propagated) {
            self.propagated += 1;
            self.counts.propagations += 1;
            let mut watches = std::mem::take(&mut self.watches[lit.index()]);
            let conflict = self.visit_watches(!lit, &mut watches);
            self.watches[lit.index()] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        debug_assert!(
            self.is_propagated() && self.marks_are_valid(),
            "nothing is left"
        );
        None
    }

    /// Visits the clauses that watch a literal that has become false. A clause that finds another
    /// literal to watch leaves the list.
    fn visit_watches(&mut self, falsified: Lit, watches: &mut Vec<Watch>) -> Option<Conflict> {
        let (mut from, mut to) = (0, 0);
        let mut conflict = None;
        let mut visited = 0;
        'clauses: while from < watches.len() {
            let watch = watches[from];
            from += 1;
            if self.values[watch.blocker.index()] > 0 {
                watches[to] = watch;
                to += 1;
                continue;
            }
            visited += 1;
            let values = &self.values;
            let lits = self.clauses.lits_mut(watch.clause);
            if lits[0] == falsified {
                lits.swap(0, 1);
            }
            debug_assert_eq!(lits[1], falsified);
            let first = lits[0];
            let kept = Watch {
                clause: watch.clause,
                blocker: first,
            };
            if first != watch.blocker && values[first.index()] > 0 {
                watches[to] = kept;
                to += 1;
                continue;
            }
            for i in 2..lits.len() {
                if values[lits[i].index()] >= 0 {
                    lits.swap(1, i);
                    let other = (!lits[1]).index();
                    self.watches[other].push(kept);
                    continue 'clauses;
                }
            }
            watches[to] = kept;
            to += 1;
            if values[first.index()] < 0 {
                debug_assert!(lits.iter().all(|l| values[l.index()] < 0), "it is false");
                conflict = Some(Conflict {
                    clause: lits.to_vec(),
                    step: self.clauses.step(watch.clause),
                });
                break;
            }
            self.enqueue(first, Reason::Clause(watch.clause));
        }
        work::spend_on(2 + watches.len() / WATCHES_IN_LINE + visited);
        watches.copy_within(from.., to);
        watches.truncate(watches.len() - (from - to));
        conflict
    }
}
