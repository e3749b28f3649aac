//! A binary heap of variables by activity and age: the order of decisions of \[ES03\].

use super::super::literal::Var;
use crate::work;

/// Activities beyond this are scaled down, all together.
const RESCALE: f64 = 1e100;

/// Variables with their activities; those in the heap can be taken out in descending order of
/// activity.
#[derive(Debug)]
pub(super) struct ActivityHeap {
    activity: Vec<f64>,
    heap: Vec<Var>,
    /// The place of a variable in the heap, `ABSENT` if it is not in.
    place: Vec<u32>,
    increment: f64,
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
        self.activity.push(0.0);
        self.place.push(ABSENT);
    }

    /// Puts a variable in, if it is not.
    pub(super) fn insert(&mut self, var: Var) {
        if self.place[var.index()] == ABSENT {
            self.place[var.index()] = u32::try_from(self.heap.len()).expect("as many as variables");
            self.heap.push(var);
            self.sift_up(self.heap.len() - 1);
        }
    }

    /// Takes out the oldest variable of the highest activity.
    pub(super) fn pop(&mut self) -> Option<Var> {
        let top = *self.heap.first()?;
        let last = self.heap.pop().expect("just seen");
        self.place[top.index()] = ABSENT;
        if last != top {
            self.set(0, last);
            self.sift_down(0);
        }
        Some(top)
    }

    /// Raises the activity of a variable.
    pub(super) fn bump(&mut self, var: Var) {
        let activity = &mut self.activity[var.index()];
        *activity += self.increment;
        if *activity > RESCALE {
            self.activity.iter_mut().for_each(|a| *a /= RESCALE);
            self.increment /= RESCALE;
            // Activities that were different can be equal now, and the older variable goes first.
            (0..self.heap.len() / 2)
                .rev()
                .for_each(|place| self.sift_down(place));
        }
        let place = self.place[var.index()];
        if place != ABSENT {
            self.sift_up(place as usize);
        }
    }

    /// Forgets the activity of a variable that is given another meaning.
    pub(super) fn reset(&mut self, var: Var) {
        self.activity[var.index()] = 0.0;
        let place = self.place[var.index()];
        if place != ABSENT {
            self.sift_down(place as usize);
        }
    }

    /// Forgets all activities: the oldest variable goes first.
    pub(super) fn forget_activities(&mut self) {
        work::spend_on(self.activity.len());
        self.activity.fill(0.0);
        self.increment = 1.0;
        // Variables in ascending order are a heap.
        self.heap.sort_unstable();
        for (place, var) in self.heap.iter().enumerate() {
            self.place[var.index()] = u32::try_from(place).expect("as many as variables");
        }
    }

    /// Lets all activities so far count less: those to come are raised by `1 / factor` times as
    /// much.
    pub(super) fn decay(&mut self, factor: f64) {
        self.increment /= factor;
    }

    fn set(&mut self, place: usize, var: Var) {
        self.heap[place] = var;
        self.place[var.index()] = u32::try_from(place).expect("as many as variables");
    }

    /// The older variable goes first of two with the same activity, so that the order does not
    /// depend on what was put in and taken out before.
    fn before(&self, a: Var, b: Var) -> bool {
        let activity = |v: Var| self.activity[v.index()];
        activity(a) > activity(b) || (activity(a) == activity(b) && a.index() < b.index())
    }

    fn sift_up(&mut self, mut place: usize) {
        let var = self.heap[place];
        while place > 0 {
            let parent = (place - 1) / 2;
            if !self.before(var, self.heap[parent]) {
                break;
            }
            self.set(place, self.heap[parent]);
            place = parent;
        }
        self.set(place, var);
    }

    fn sift_down(&mut self, mut place: usize) {
        let var = self.heap[place];
        loop {
            let mut child = 2 * place + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.before(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            if !self.before(self.heap[child], var) {
                break;
            }
            self.set(place, self.heap[child]);
            place = child;
        }
        self.set(place, var);
    }

    /// Is the heap in order, and do places agree with it?
    pub(super) fn is_valid(&self) -> bool {
        let ordered =
            (1..self.heap.len()).all(|i| !self.before(self.heap[i], self.heap[(i - 1) / 2]));
        let placed = (0..self.heap.len()).all(|i| self.place[self.heap[i].index()] as usize == i);
        ordered && placed
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
