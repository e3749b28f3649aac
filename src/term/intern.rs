//! Hash tables from contents to ids, where the contents lie elsewhere.
//!
//! Each entry keeps 32 bits of its hash: a table that grows need not read the contents again, which
//! lie all over the memory, and contents are compared only where hashes agree.

use hashbrown::{HashTable, hash_table};
use std::cell::RefCell;

#[derive(Clone, Copy)]
struct Entry {
    hash: u32,
    id: u32,
}

/// A set of ids, found by the hash of what they stand for.
#[derive(Clone, Default)]
pub(super) struct IdTable {
    entries: RefCell<HashTable<Entry>>,
}

impl IdTable {
    /// The id with that hash for which `same` holds.
    pub(super) fn find(&self, hash: u64, same: impl Fn(u32) -> bool) -> Option<u32> {
        let short = shorten(hash);
        let entries = self.entries.borrow();
        let found = entries.find(spread(short), |entry| entry.hash == short && same(entry.id));
        found.map(|entry| entry.id)
    }

    /// The id with that hash for which `same` holds, or one that is made and added.
    pub(super) fn find_or_add(
        &self,
        hash: u64,
        same: impl Fn(u32) -> bool,
        make: impl FnOnce() -> u32,
    ) -> u32 {
        let short = shorten(hash);
        let mut entries = self.entries.borrow_mut();
        let known = |entry: &Entry| entry.hash == short && same(entry.id);
        let rehash = |entry: &Entry| spread(entry.hash);
        match entries.entry(spread(short), known, rehash) {
            hash_table::Entry::Occupied(entry) => entry.get().id,
            hash_table::Entry::Vacant(place) => {
                let id = make();
                place.insert(Entry { hash: short, id });
                id
            }
        }
    }
}

/// 32 bits of a hash.
fn shorten(hash: u64) -> u32 {
    (hash ^ (hash >> 32)) as u32
}

/// 64 bits again, of which the table uses the highest and the lowest: by the golden ratio.
fn spread(hash: u32) -> u64 {
    u64::from(hash)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .rotate_left(32)
}
