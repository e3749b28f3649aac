//! An append-only arena that hands out references through `&self`.
//!
//! Hash-consing wants two things at once: new nodes while old ones are borrowed, and `&[Term]`
//! argument slices without copying. Elements therefore live in chunks that never move; each slot is
//! written once. Four chunks of one size follow each other, then four of twice that size: so chunks
//! are few, and at most a fifth of all slots is empty. All of it is safe code: a slot is a
//! `OnceCell`, whose emptiness test costs a compare on a niche.

use std::cell::{Cell, OnceCell};

/// The chunks of group `k` hold `FIRST << k` elements all together, so 25 groups reach the whole
/// range of a 32-bit id.
const FIRST_BITS: u32 = 8;
const FIRST: usize = 1 << FIRST_BITS;
const GROUPS: usize = 25;

/// The number of chunks in a group.
const GROUP_BITS: u32 = 2;
const CHUNKS: usize = GROUPS << GROUP_BITS;

/// A growing sequence whose elements are never moved or changed.
///
/// Invariant: exactly the slots `0..len` are filled.
#[derive(Clone)]
pub(crate) struct Arena<T> {
    chunks: [OnceCell<Box<[OnceCell<T>]>>; CHUNKS],
    len: Cell<usize>,
}

impl<T> Arena<T> {
    pub(crate) fn new() -> Self {
        Arena {
            chunks: [const { OnceCell::new() }; CHUNKS],
            len: Cell::new(0),
        }
    }

    /// Number of elements.
    pub(crate) fn len(&self) -> usize {
        self.len.get()
    }

    /// Appends an element and returns its index.
    pub(crate) fn push(&self, value: T) -> u32 {
        let index = self.len.get();
        let (chunk, offset) = locate(index);
        let slots = self.chunks[chunk].get_or_init(|| {
            std::iter::repeat_with(OnceCell::new)
                .take(chunk_size(chunk))
                .collect()
        });
        assert!(
            slots[offset].set(value).is_ok(),
            "slot {index} was filled twice"
        );
        self.len.set(index + 1);
        u32::try_from(index).expect("more than 2^32 elements in an arena")
    }

    /// The element at `index`, which must be below [`Arena::len`].
    pub(crate) fn get(&self, index: u32) -> &T {
        let (chunk, offset) = locate(index as usize);
        self.chunks[chunk]
            .get()
            .and_then(|slots| slots[offset].get())
            .expect("an id of this store")
    }
}

/// Chunk and offset of an index: shifting by `FIRST` makes the group the position of the leading
/// bit, and the chunk in it the bits after that.
fn locate(index: usize) -> (usize, usize) {
    let shifted = index + FIRST;
    let leading = shifted.ilog2();
    let chunk_bits = leading - GROUP_BITS;
    // The leading bit itself counts for one group.
    let chunk = (shifted >> chunk_bits) + (((leading - FIRST_BITS) as usize) << GROUP_BITS);
    (chunk - (1 << GROUP_BITS), shifted & ((1 << chunk_bits) - 1))
}

/// How many elements a chunk holds.
fn chunk_size(chunk: usize) -> usize {
    (FIRST >> GROUP_BITS) << (chunk >> GROUP_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_stay_where_they_are() {
        let arena = Arena::new();
        let first = {
            arena.push(0usize);
            arena.get(0)
        };
        for i in 1..10_000 {
            assert_eq!(arena.push(i) as usize, i);
        }
        assert_eq!(*first, 0);
        assert!((0..10_000).all(|i| *arena.get(i) == i as usize));
        assert_eq!(arena.len(), 10_000);
    }

    #[test]
    fn chunks_are_filled_one_after_the_other() {
        let (mut chunk, mut offset) = (0, 0);
        for index in 0..100_000 {
            assert_eq!(locate(index), (chunk, offset), "element {index}");
            offset += 1;
            if offset == chunk_size(chunk) {
                (chunk, offset) = (chunk + 1, 0);
            }
        }
        let (last, offset) = locate(u32::MAX as usize);
        assert!(last < CHUNKS && offset < chunk_size(last));
    }
}
