//! Proof obligations, and the order in which they are treated.
//!
//! An obligation `(p, n, cube)` asks whether a state of the cube can be derived for `p` with height `n + 1`; if so, its parents,
//! whose models needed such a state, come closer to a derivation.

use super::frames::Level;
use crate::chc::PredId;
use crate::term::Term;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

/// An obligation: its position in [`Obligations`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct ObligationId(u32);

/// How many obligations may still come of a guess: one count for all that came of it so far. Were it one for each of them, all together
/// could take exponentially many steps.
#[derive(Clone, Debug)]
pub(super) struct Gas(Rc<Cell<u32>>);

impl Gas {
    /// For so many obligations.
    pub(super) fn new(amount: u32) -> Gas {
        Gas(Rc::new(Cell::new(amount)))
    }

    /// Takes one; answers whether there was one left.
    pub(super) fn take(&self) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        left > 0
    }

    /// The one of which more is left.
    fn max(self, other: Gas) -> Gas {
        match self.0.get() < other.0.get() {
            true => other,
            false => self,
        }
    }
}

/// A cube of states whose derivability is asked.
#[derive(Clone, Debug)]
pub(super) struct Obligation {
    pub(super) pred: PredId,
    /// Literals over the predicate's parameters, in ascending order.
    pub(super) cube: Vec<Term>,
    /// The level at which it is to be blocked next.
    pub(super) level: Level,
    /// The obligations that wait for it.
    pub(super) parents: Vec<ObligationId>,
    /// A state of the cube is derivable.
    pub(super) reached: bool,
    /// A state of a child became derivable since the last look.
    pub(super) child_reached: bool,
    /// This many reach facts of the predicate were seen not to meet the cube.
    pub(super) facts_seen: usize,
    /// What is left for a guess, on which nothing depends. `None` if it is asked in earnest.
    pub(super) gas: Option<Gas>,
    /// At this level, when the predicate's log of lemmas had this length, they did not avoid the cube.
    pub(super) lemmas_seen: Option<(Level, usize)>,
    /// When this many reach facts existed in all, no derivation from them ended in the cube.
    pub(super) must_failed_at: Option<usize>,
}

/// All obligations of a run, and the queue of those to be treated: lowest level first, then the youngest.
#[derive(Default)]
pub(super) struct Obligations {
    all: Vec<Obligation>,
    by_cube: FxHashMap<(PredId, Vec<Term>), ObligationId>,
    queue: BinaryHeap<(Reverse<Level>, ObligationId)>,
}

impl Obligations {
    /// An obligation by id.
    pub(super) fn get(&self, id: ObligationId) -> &Obligation {
        &self.all[id.0 as usize]
    }

    /// An obligation by id, to be changed.
    pub(super) fn get_mut(&mut self, id: ObligationId) -> &mut Obligation {
        &mut self.all[id.0 as usize]
    }

    /// The obligation of that cube, made if it is new, queued at `level`. `facts_seen` reach facts are known not to meet it. A
    /// guess has `gas`; one that is also asked in earnest is none.
    pub(super) fn add(
        &mut self,
        pred: PredId,
        mut cube: Vec<Term>,
        level: Level,
        parent: Option<ObligationId>,
        facts_seen: usize,
        gas: Option<Gas>,
    ) -> ObligationId {
        cube.sort_unstable();
        let key = (pred, cube);
        if let Some(&id) = self.by_cube.get(&key) {
            let old = self.get_mut(id);
            old.parents.extend(parent);
            old.parents.dedup();
            old.gas = old.gas.take().zip(gas).map(|(old, new)| old.max(new));
            self.requeue(id, level);
            return id;
        }
        let id = ObligationId(u32::try_from(self.all.len()).expect("few obligations"));
        self.all.push(Obligation {
            pred,
            cube: key.1.clone(),
            level,
            parents: parent.into_iter().collect(),
            reached: false,
            child_reached: false,
            facts_seen,
            gas,
            lemmas_seen: None,
            must_failed_at: None,
        });
        self.by_cube.insert(key, id);
        self.queue.push((Reverse(level), id));
        id
    }

    /// Queues an obligation at a level.
    pub(super) fn requeue(&mut self, id: ObligationId, level: Level) {
        self.get_mut(id).level = level;
        self.queue.push((Reverse(level), id));
    }

    /// Takes the next obligation of at most `level` that is not settled.
    pub(super) fn pop(&mut self, level: Level) -> Option<ObligationId> {
        while let Some(&(Reverse(queued), id)) = self.queue.peek() {
            if queued > level {
                return None;
            }
            self.queue.pop();
            let obligation = self.get(id);
            // Entries of the queue outlive changes of the level: only the current one counts.
            if !obligation.reached && obligation.level == queued {
                return Some(id);
            }
        }
        None
    }

    /// Number of entries in the queue.
    pub(super) fn open(&self) -> usize {
        self.queue.len()
    }

    /// A state of the obligation is derivable: its parents get another chance.
    pub(super) fn mark_reached(&mut self, id: ObligationId) {
        self.get_mut(id).reached = true;
        for parent in std::mem::take(&mut self.get_mut(id).parents) {
            if !self.get(parent).reached {
                self.get_mut(parent).child_reached = true;
                let level = self.get(parent).level;
                self.requeue(parent, level);
            }
        }
    }
}
