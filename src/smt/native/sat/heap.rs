//! A heap of variables by activity and age: the order of decisions of \[ES03\].
//!
//! A place of the heap has four children \[Joh75\], and the activity of its variable beside the
//! variable: most of the work is to take variables out, which compares many and moves few.

use super::super::literal::Var;
use crate::work;

/// Activities beyond this are scaled down, all together.
const RESCALE: f64 = 1e100;

/// The number of children of a place.
const CHILDREN: usize = 4;

/// Variables with their activities; those in the heap can be taken out in descending order of
/// activity.
#[derive(Debug)]
pub(super) struct ActivityHeap {
    activity: Vec<f64>,
    heap: Vec<Entry>,
    /// The place of a variable in the heap, `ABSENT` if it is not in.
    place: Vec<u32>,
    increment: f64,
}

/// A variable in the heap, with its activity.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Entry {
    activity: f64,
    var: Var,
}

impl Entry {
    /// The older variable goes first of two with the same activity, so that the order does not
    /// depend on what was put in and taken out before.
    fn goes_before(self, other: Entry) -> bool {
        self.activity > other.activity
            || self.activity == other.activity && self.var.index() < other.var.index()
    }
}

const ABSENT: u32 = u32::MAX;

impl Default for ActivityHeap {
    fn default() -> Self {
        ActivityHeap {
            activity: Vec::new(),
            heap: Vec::new(),
            place: Vec::new(),
            increment: 1.0,
        }
    }
}

impl ActivityHeap {
    /// Makes room for one more variable, which is not put in.
    pub(super) fn grow(&mut self) {
        assert!(self.place.len() < ABSENT as usize, "too many variables");
        self.activity.push(0.0);
        self.place.push(ABSENT);
    }

    /// Puts a variable in, if it is not.
    pub(super) fn insert(&mut self, var: Var) {
        if self.place[var.index()] == ABSENT {
            let activity = self.activity[var.index()];
            self.heap.push(Entry { activity, var });
            self.sift_up(self.heap.len() - 1);
        }
    }

    /// Takes out the oldest variable of the highest activity.
    pub(super) fn pop(&mut self) -> Option<Var> {
        let last = self.heap.pop()?;
        let top = match self.heap.first_mut() {
            Some(first) => {
                let top = std::mem::replace(first, last);
                self.sift_down(0);
                top
            }
            None => last,
        };
        self.place[top.var.index()] = ABSENT;
        debug_assert!(
            self.heap.first().is_none_or(|&next| top.goes_before(next)),
            "the most active variable is taken out first"
        );
        Some(top.var)
    }

    /// Raises the activity of a variable.
    pub(super) fn bump(&mut self, var: Var) {
        let activity = &mut self.activity[var.index()];
        *activity += self.increment;
        let raised = *activity;
        let place = self.place[var.index()];
        if place != ABSENT {
            self.heap[place as usize].activity = raised;
            self.sift_up(place as usize);
        }
        if raised > RESCALE {
            self.scale_down();
        }
    }

    /// Scales all activities down.
    fn scale_down(&mut self) {
        self.activity.iter_mut().for_each(|a| *a /= RESCALE);
        self.increment /= RESCALE;
        for entry in &mut self.heap {
            entry.activity /= RESCALE;
        }
        // Activities that were different can be equal now, and the older variable goes first.
        (0..self.heap.len().div_ceil(CHILDREN))
            .rev()
            .for_each(|place| self.sift_down(place));
        debug_assert!(self.is_valid(), "scaling down keeps the heap in order");
    }

    /// Forgets the activity of a variable that is given another meaning.
    pub(super) fn reset(&mut self, var: Var) {
        self.activity[var.index()] = 0.0;
        let place = self.place[var.index()];
        if place != ABSENT {
            self.heap[place as usize].activity = 0.0;
            self.sift_down(place as usize);
        }
    }

    /// Forgets all activities: the oldest variable goes first.
    pub(super) fn forget_activities(&mut self) {
        work::spend_on(self.activity.len());
        self.activity.fill(0.0);
        self.increment = 1.0;
        // Variables in ascending order are a heap.
        self.heap.sort_unstable_by_key(|entry| entry.var);
        for place in 0..self.heap.len() {
            let var = self.heap[place].var;
            self.set(place, Entry { activity: 0.0, var });
        }
        debug_assert!(self.is_valid(), "variables in ascending order are a heap");
    }

    /// Lets all activities so far count less: those to come are raised by `1 / factor` times as
    /// much.
    pub(super) fn decay(&mut self, factor: f64) {
        self.increment /= factor;
    }

    fn set(&mut self, place: usize, entry: Entry) {
        self.heap[place] = entry;
        self.place[entry.var.index()] = place as u32;
    }

    fn sift_up(&mut self, mut place: usize) {
        let entry = self.heap[place];
        while place > 0 {
            let parent = (place - 1) / CHILDREN;
            if !entry.goes_before(self.heap[parent]) {
                break;
            }
            self.set(place, self.heap[parent]);
            place = parent;
        }
        self.set(place, entry);
        debug_assert!(
            self.goes_before_children(place),
            "a parent goes before its children"
        );
    }

    fn sift_down(&mut self, mut place: usize) {
        let entry = self.heap[place];
        loop {
            let first = CHILDREN * place + 1;
            let end = (first + CHILDREN).min(self.heap.len());
            let Some(children) = self.heap.get(first..end).filter(|c| !c.is_empty()) else {
                break;
            };
            let (mut best, mut child) = (children[0], first);
            for (number, &other) in children.iter().enumerate().skip(1) {
                if other.goes_before(best) {
                    (best, child) = (other, first + number);
                }
            }
            if !best.goes_before(entry) {
                break;
            }
            self.set(place, best);
            place = child;
        }
        self.set(place, entry);
        debug_assert!(
            self.goes_before_children(place),
            "a parent goes before its children"
        );
    }

    /// Does no child of a place go before it?
    fn goes_before_children(&self, place: usize) -> bool {
        let children = self.heap.iter().skip(CHILDREN * place + 1).take(CHILDREN);
        children
            .into_iter()
            .all(|child| !child.goes_before(self.heap[place]))
    }

    /// Is the heap in order, and do places and activities agree with it?
    pub(super) fn is_valid(&self) -> bool {
        let entries = || self.heap.iter().copied().enumerate();
        let ordered = entries()
            .skip(1)
            .all(|(at, entry)| !entry.goes_before(self.heap[(at - 1) / CHILDREN]));
        let agrees = entries().all(|(at, Entry { activity, var })| {
            self.place[var.index()] as usize == at && self.activity[var.index()] == activity
        });
        ordered && agrees
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Activities that become zero by scaling down are equal to those of variables never raised.
    #[test]
    fn scaling_down_keeps_the_order() {
        let mut heap = ActivityHeap::default();
        let vars: Vec<Var> = (0..4).map(Var::new).collect();
        for &var in &vars {
            heap.grow();
            heap.insert(var);
        }
        heap.increment = 1e-220;
        heap.bump(vars[3]);
        heap.bump(vars[2]);
        heap.increment = 1e-210;
        heap.bump(vars[3]);
        assert!(heap.is_valid());
        heap.increment = 2.0 * RESCALE;
        heap.bump(vars[1]);
        heap.increment = 2.0 * RESCALE;
        heap.bump(vars[1]);
        heap.increment = 2.0 * RESCALE;
        heap.bump(vars[1]);
        assert!(heap.is_valid());
        let order: Vec<Var> = std::iter::from_fn(|| heap.pop()).collect();
        assert_eq!(order, [1, 0, 2, 3].map(Var::new));
    }
}
