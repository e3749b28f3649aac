//! Which variables matter at which points of an automaton.

use super::slice::Effect;
use crate::cfront::ir::Cfa;
use crate::cfront::memory::PartId;

/// A set of variables for each point.
pub(crate) struct Live {
    words: usize,
    sets: Vec<u64>,
}

impl Live {
    /// Backward analysis: `effects` of each step, and what matters where the automaton ends.
    pub(crate) fn of(cfa: &Cfa, effects: &[Effect], at_exit: &[PartId], parts: usize) -> Self {
        let words = parts.div_ceil(64);
        let mut live = Live {
            words,
            sets: vec![0; words * cfa.nodes.len()],
        };
        for part in at_exit {
            live.sets[cfa.exit * words + part.0 / 64] |= 1 << (part.0 % 64);
        }
        let mut entering = vec![Vec::new(); cfa.nodes.len()];
        for (at, edge) in cfa.edges.iter().enumerate() {
            entering[edge.to.0].push(at);
        }
        let (_, order) = crate::cfront::graph::back_targets(cfa);
        let mut waiting = vec![false; cfa.nodes.len()];
        let mut open: std::collections::VecDeque<usize> = order.into_iter().rev().collect();
        open.iter().for_each(|&node| waiting[node] = true);
        let mut row = vec![0_u64; words];
        while let Some(node) = open.pop_front() {
            waiting[node] = false;
            for &at in &entering[node] {
                row.copy_from_slice(&live.sets[node * words..(node + 1) * words]);
                for part in &effects[at].writes {
                    row[part.0 / 64] &= !(1 << (part.0 % 64));
                }
                for part in effects[at].reads.iter().chain(&effects[at].changes) {
                    row[part.0 / 64] |= 1 << (part.0 % 64);
                }
                let from = cfa.edges[at].from.0;
                let mut changed = false;
                for (old, new) in live.sets[from * words..(from + 1) * words]
                    .iter_mut()
                    .zip(&row)
                {
                    changed |= *new & !*old != 0;
                    *old |= new;
                }
                if changed && !std::mem::replace(&mut waiting[from], true) {
                    open.push_back(from);
                }
            }
        }
        live
    }

    pub(crate) fn has(&self, node: usize, part: PartId) -> bool {
        self.sets[node * self.words + part.0 / 64] >> (part.0 % 64) & 1 == 1
    }

    /// The variables that matter at a point, in order.
    pub(crate) fn at(&self, node: usize) -> Vec<PartId> {
        let row = &self.sets[node * self.words..(node + 1) * self.words];
        let words = row.iter().enumerate();
        let parts = words.flat_map(|(at, word)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 == 1)
                .map(move |bit| PartId(at * 64 + bit))
        });
        parts.collect()
    }
}
