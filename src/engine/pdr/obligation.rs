//! Proof obligations and their queue \[EMB11\].
//!
//! An obligation `(p, n, cube)` asks whether a state of the cube has a derivation for `p` of height
//! `n + 1` or less. The cube is a predecessor of the cubes of its parents: if one of its states is
//! derivable, the parents come one step closer to a derivation.
//!
//! A may-obligation comes from a conjecture of global guidance \[VCSG20\]. No other obligation
//! depends on it, and its gas bounds the work for it.

use super::level::Level;
use crate::chc::PredId;
use crate::term::Term;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

/// The position of an obligation in [`Obligations`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct ObligationId(u32);

/// The number of child obligations that a may-obligation and its descendants may still create.
///
/// All of them share one count. With a count each, they could create exponentially many. Tried: a
/// task that took more than 20 s with a count each takes 0.7 s.
#[derive(Clone, Debug)]
pub(super) struct Gas(Rc<Cell<u32>>);

impl Gas {
    /// Gas for `amount` child obligations.
    pub(super) fn new(amount: u32) -> Gas {
        Gas(Rc::new(Cell::new(amount)))
    }

    /// Takes one unit. Answers whether one was left.
    pub(super) fn take(&self) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        left > 0
    }

    /// The larger of two counts.
    fn max(self, other: Gas) -> Gas {
        match self.0.get() < other.0.get() {
            true => other,
            false => self,
        }
    }
}

/// A proof obligation: is a state of the cube derivable?
#[derive(Clone, Debug)]
pub(super) struct Obligation {
    /// The predicate whose states the cube describes.
    pub(super) pred: PredId,
    /// Literals over the predicate's parameters, in ascending order.
    pub(super) cube: Vec<Term>,
    /// The level at which the search tries to block the cube next.
    pub(super) level: Level,
    /// The obligations of which this one is a predecessor.
    pub(super) parents: Vec<ObligationId>,
    /// A state of the cube is derivable.
    pub(super) reached: bool,
    /// A child was reached since the parent was last worked on.
    pub(super) child_reached: bool,
    /// The first reach facts of the predicate do not meet the cube: this number of them.
    pub(super) facts_seen: usize,
    /// The gas of a may-obligation; `None` for an obligation on which the query depends.
    pub(super) gas: Option<Gas>,
    /// The level and the length of the predicate's log of lemmas when the lemmas were last found
    /// not to block the cube.
    pub(super) lemmas_seen: Option<(Level, usize)>,
    /// The number of all reach facts when no step from them was last found to end in the cube.
    pub(super) must_failed_at: Option<usize>,
}

/// All obligations of a run and the queue of open ones: lowest level first, then the youngest.
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

    /// An obligation by id, for changes.
    pub(super) fn get_mut(&mut self, id: ObligationId) -> &mut Obligation {
        &mut self.all[id.0 as usize]
    }

    /// Is there an obligation with this cube, and was it reached?
    pub(super) fn was_reached(&self, pred: PredId, cube: &[Term]) -> bool {
        let mut cube = cube.to_vec();
        cube.sort_unstable();
        (self.by_cube.get(&(pred, cube))).is_some_and(|&id| self.get(id).reached)
    }

    /// Queues the obligation with this cube at `level`. It is created if there is none.
    ///
    /// The first `facts_seen` reach facts of the predicate are known not to meet the cube. A
    /// may-obligation has `gas`; it becomes an ordinary one when it is added without.
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
            self.enqueue(id, level);
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
        debug_assert_eq!(
            self.by_cube.len(),
            self.all.len(),
            "a cube has one obligation"
        );
        self.queue.push((Reverse(level), id));
        id
    }

    /// Queues an obligation at a level.
    pub(super) fn enqueue(&mut self, id: ObligationId, level: Level) {
        self.get_mut(id).level = level;
        self.queue.push((Reverse(level), id));
    }

    /// Takes the next obligation of level `level` or less that is not reached.
    pub(super) fn pop(&mut self, level: Level) -> Option<ObligationId> {
        while let Some(&(Reverse(queued), id)) = self.queue.peek() {
            if queued > level {
                return None;
            }
            self.queue.pop();
            let obligation = self.get(id);
            // An entry stays in the queue when the level changes; only the newest one counts.
            if !obligation.reached && obligation.level == queued {
                debug_assert!(
                    self.by_cube
                        .get(&(obligation.pred, obligation.cube.clone()))
                        == Some(&id),
                    "an obligation is found by its cube"
                );
                return Some(id);
            }
        }
        None
    }

    /// Number of entries in the queue.
    pub(super) fn open(&self) -> usize {
        self.queue.len()
    }

    /// Marks an obligation as reached, and queues its parents again.
    pub(super) fn mark_reached(&mut self, id: ObligationId) {
        self.get_mut(id).reached = true;
        for parent in std::mem::take(&mut self.get_mut(id).parents) {
            if !self.get(parent).reached {
                self.get_mut(parent).child_reached = true;
                let level = self.get(parent).level;
                self.enqueue(parent, level);
            }
        }
    }
}
