//! Tuples of arguments whose sizes add up to a number.

use crate::work;
use std::iter::zip;

/// What an argument may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The number that stands for it.
    pub(super) number: usize,
    /// Its size.
    pub(super) size: usize,
}

/// All tuples of numbers, one choice for each place, whose sizes add up to `size`. They come in the
/// lexicographic order of the choices. Each step costs a tick.
///
/// Invariant: the sizes of the choices at a place ascend.
pub(super) struct Tuples {
    choices: Vec<Vec<Choice>>,
    size: usize,
    filled: Vec<Place>,
}

/// A place that has an argument, or gets one next.
struct Place {
    /// The index of the choice that comes next.
    next: usize,
    /// The sum of the sizes at the places before.
    before: usize,
}

impl Tuples {
    /// There is at least one place.
    pub(super) fn new(choices: Vec<Vec<Choice>>, size: usize) -> Self {
        debug_assert!(choices.iter().all(|of| ascends(of)));
        let mut tuples = Tuples {
            choices,
            size,
            filled: Vec::new(),
        };
        tuples.fill(0);
        tuples
    }

    /// Goes on to the next place. At the last one, the choices that are too small are skipped.
    fn fill(&mut self, before: usize) {
        let place = self.filled.len();
        let choices = &self.choices[place];
        let next = match place + 1 == self.choices.len() {
            true => choices.partition_point(|choice| before + choice.size < self.size),
            false => 0,
        };
        self.filled.push(Place { next, before });
    }
}

/// Do the sizes of the choices ascend?
fn ascends(choices: &[Choice]) -> bool {
    choices.is_sorted_by_key(|choice| choice.size)
}

impl Iterator for Tuples {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        loop {
            work::spend(1);
            let last = self.filled.len().checked_sub(1)?;
            let place = &mut self.filled[last];
            let choice = self.choices[last].get(place.next);
            let sum = choice.map(|choice| place.before + choice.size);
            let Some(sum) = sum.filter(|&sum| sum <= self.size) else {
                self.filled.pop();
                continue;
            };
            place.next += 1;
            if last + 1 < self.choices.len() {
                self.fill(sum);
                continue;
            }
            let picked = zip(&self.filled, &self.choices);
            return Some(picked.map(|(at, of)| of[at.next - 1].number).collect());
        }
    }
}

// The order of conjectures depends on the order of tuples, which no answer shows.
#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with all tuples of these numbers and sizes, of which those are kept that fit.
    #[track_caller]
    fn check(choices: &[&[(usize, usize)]], size: usize) {
        let mut all: Vec<(Vec<usize>, usize)> = vec![(Vec::new(), 0)];
        for place in choices {
            let longer = all.iter().flat_map(|(tuple, before)| {
                let longer = place.iter();
                longer.map(move |&(x, more)| ([&tuple[..], &[x]].concat(), before + more))
            });
            all = longer.collect();
        }
        all.retain(|&(_, sum)| sum == size);
        let expected: Vec<Vec<usize>> = all.into_iter().map(|(tuple, _)| tuple).collect();
        let choice = |&(number, size): &(usize, usize)| Choice { number, size };
        let choices = choices.iter();
        let choices = choices.map(|of| of.iter().map(choice).collect()).collect();
        assert_eq!(Tuples::new(choices, size).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn tuples_are_those_whose_sizes_add_up() {
        let some = &[(0, 0), (1, 0), (4, 1), (5, 1), (7, 2)][..];
        let others = &[(2, 0), (3, 2), (6, 2)][..];
        for size in 0..6 {
            check(&[some], size);
            check(&[some, others], size);
            check(&[others, some, others], size);
            check(&[some, &[], others], size);
        }
    }
}
