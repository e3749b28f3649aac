//! The clause arena: all clauses in one vector of words, so that propagation walks through memory
//! in order.
//!
//! A clause is a header of three words (length with flags; glue of learned clauses; proof step) and
//! its literals. Deleting leaves a hole; [`Clauses::compact`] closes the holes and tells where
//! everything went.

use super::super::literal::Lit;
use super::super::log::StepId;

/// Where a clause is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in super::super) struct ClauseRef(u32);

const HEADER: usize = 3;
const LEARNED: u32 = 1;
const DELETED: u32 = 2;
const USED: u32 = 4;
const FLAG_BITS: u32 = 3;

/// The arena. Literals and header words share one vector of words, so that no clause needs a
/// separate allocation.
#[derive(Debug, Default)]
pub(super) struct Clauses {
    words: Vec<Lit>,
    wasted: usize,
}

impl Clauses {
    /// Adds a clause of at least two literals.
    pub(super) fn add(
        &mut self,
        lits: &[Lit],
        learned: bool,
        glue: u32,
        step: StepId,
    ) -> ClauseRef {
        debug_assert!(lits.len() >= 2);
        let at = u32::try_from(self.words.len()).expect("the clauses fit into 16 GiB");
        let length = u32::try_from(lits.len()).expect("a clause is shorter than the arena");
        assert!(
            length <= u32::MAX >> FLAG_BITS,
            "it has fewer than 2^29 literals"
        );
        let flags = if learned { LEARNED } else { 0 };
        let header = [length << FLAG_BITS | flags, glue, step.0];
        self.words.extend(header.map(Lit::from_word));
        self.words.extend_from_slice(lits);
        ClauseRef(at)
    }

    fn word(&self, clause: ClauseRef, offset: usize) -> u32 {
        self.words[clause.0 as usize + offset].to_word()
    }

    fn len(&self, clause: ClauseRef) -> usize {
        (self.word(clause, 0) >> FLAG_BITS) as usize
    }

    /// The literals of a clause.
    #[inline]
    pub(super) fn lits(&self, clause: ClauseRef) -> &[Lit] {
        let start = clause.0 as usize + HEADER;
        &self.words[start..start + self.len(clause)]
    }

    /// The literals of a clause; their order is the caller's to change, the first two are watched.
    #[inline]
    pub(super) fn lits_mut(&mut self, clause: ClauseRef) -> &mut [Lit] {
        let start = clause.0 as usize + HEADER;
        let len = self.len(clause);
        &mut self.words[start..start + len]
    }

    /// Was it learned, and may be forgotten?
    pub(super) fn is_learned(&self, clause: ClauseRef) -> bool {
        self.word(clause, 0) & LEARNED != 0
    }

    /// Is it deleted, and its memory not yet reclaimed?
    pub(super) fn is_deleted(&self, clause: ClauseRef) -> bool {
        self.word(clause, 0) & DELETED != 0
    }

    /// The number of decision levels in a learned clause when it was last looked at.
    pub(super) fn glue(&self, clause: ClauseRef) -> u32 {
        self.word(clause, 1)
    }

    /// Replaces the glue.
    pub(super) fn set_glue(&mut self, clause: ClauseRef, glue: u32) {
        debug_assert!(self.is_learned(clause), "only learned clauses have a glue");
        debug_assert!(
            glue <= self.glue(clause),
            "the glue is the least that was counted"
        );
        self.words[clause.0 as usize + 1] = Lit::from_word(glue);
    }

    /// Notes that an analysis of a conflict resolved with it.
    pub(super) fn set_used(&mut self, clause: ClauseRef) {
        let word = self.word(clause, 0) | USED;
        self.words[clause.0 as usize] = Lit::from_word(word);
    }

    /// Has an analysis resolved with it since this was last asked?
    pub(super) fn take_used(&mut self, clause: ClauseRef) -> bool {
        let word = self.word(clause, 0);
        self.words[clause.0 as usize] = Lit::from_word(word & !USED);
        word & USED != 0
    }

    /// The step that proves it.
    pub(super) fn step(&self, clause: ClauseRef) -> StepId {
        StepId(self.word(clause, 2))
    }

    /// Marks a clause as deleted. Watches and lists still name it until they are swept.
    pub(super) fn delete(&mut self, clause: ClauseRef) {
        debug_assert!(!self.is_deleted(clause));
        self.wasted += HEADER + self.len(clause);
        let word = self.word(clause, 0) | DELETED;
        self.words[clause.0 as usize] = Lit::from_word(word);
    }

    /// Are the holes in the arena so large that compaction pays?
    pub(super) fn is_wasteful(&self) -> bool {
        self.wasted > 1024 && self.wasted * 3 > self.words.len()
    }

    /// Closes the holes.
    pub(super) fn compact(&mut self) -> Relocation {
        debug_assert!(self.is_valid(), "the arena is a sequence of clauses");
        let mut moves = Vec::new();
        let (mut from, mut to) = (0, 0);
        while from < self.words.len() {
            let clause = ClauseRef(u32::try_from(from).expect("clauses are found by 32 bits"));
            let size = HEADER + self.len(clause);
            if !self.is_deleted(clause) {
                debug_assert!(to <= from, "clauses move down");
                moves.push((clause, ClauseRef(u32::try_from(to).expect("moved down"))));
                self.words.copy_within(from..from + size, to);
                to += size;
            }
            from += size;
        }
        debug_assert_eq!(
            self.words.len() - to,
            self.wasted,
            "the holes are what was counted"
        );
        self.words.truncate(to);
        self.wasted = 0;
        Relocation(moves)
    }

    /// All clauses that are not deleted, in the order of their making.
    pub(super) fn iter(&self) -> impl Iterator<Item = ClauseRef> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            loop {
                if at >= self.words.len() {
                    return None;
                }
                let clause = ClauseRef(u32::try_from(at).expect("clauses are found by 32 bits"));
                at += HEADER + self.len(clause);
                if !self.is_deleted(clause) {
                    return Some(clause);
                }
            }
        })
    }

    /// Is the arena a sequence of clauses of at least two literals, and does it waste what is
    /// deleted? It reads the headers of all clauses.
    pub(super) fn is_valid(&self) -> bool {
        let (mut at, mut wasted) = (0, 0);
        while at < self.words.len() {
            let clause = ClauseRef(u32::try_from(at).expect("clauses are found by 32 bits"));
            let size = HEADER + self.len(clause);
            if self.len(clause) < 2 {
                return false;
            }
            wasted += if self.is_deleted(clause) { size } else { 0 };
            at += size;
        }
        at == self.words.len() && wasted == self.wasted
    }

    /// Bytes in use, holes included.
    pub(super) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<Lit>()
    }
}

/// Where the clauses went, in ascending order.
pub(super) struct Relocation(Vec<(ClauseRef, ClauseRef)>);

impl Relocation {
    /// The new place of a clause, `None` if it is gone.
    pub(super) fn get(&self, clause: ClauseRef) -> Option<ClauseRef> {
        let found = self.0.binary_search_by_key(&clause, |&(old, _)| old);
        found.ok().map(|i| self.0[i].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn use_is_told_once_and_changes_nothing_else() {
        let mut clauses = Clauses::default();
        let lits = [2, 4, 7].map(Lit::from_word);
        let [one, other] = [true, false].map(|learned| clauses.add(&lits, learned, 2, StepId(5)));
        clauses.set_used(one);
        assert!(clauses.take_used(one) && !clauses.take_used(one) && !clauses.take_used(other));
        clauses.set_used(other);
        clauses.delete(one);
        let moved = clauses.compact().get(other).expect("it stays");
        assert!(clauses.take_used(moved));
        assert!(!clauses.is_learned(moved) && !clauses.is_deleted(moved));
        assert_eq!((clauses.lits(moved), clauses.glue(moved)), (&lits[..], 2));
    }
}
