//! An append-only arena that hands out references through `&self`.
//!
//! Hash-consing wants two things at once: new nodes while old ones are borrowed, and `&[Term]` argument slices without
//! copying. Elements therefore live in chunks of doubling size that never move; each slot is written once. All of it is
//! safe code: a slot is a `OnceCell`, whose emptiness test costs a compare on a niche.

use std::cell::{Cell, OnceCell};

/// Chunk `k` holds `FIRST << k` elements, so 23 chunks reach the whole range of a 32-bit id.
const FIRST_BITS: u32 = 10;
const FIRST: usize = 1 << FIRST_BITS;
const CHUNKS: usize = 23;

/// A growing sequence whose elements are never moved or changed.
///
/// Invariant: exactly the slots `0..len` are filled.
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
                .take(FIRST << chunk)
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

/// Chunk and offset of an index: shifting by `FIRST` makes the chunk the position of the leading bit.
fn locate(index: usize) -> (usize, usize) {
    let shifted = index + FIRST;
    let chunk = shifted.ilog2() - FIRST_BITS;
    (chunk as usize, shifted - (FIRST << chunk))
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
}
