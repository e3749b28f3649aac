//! Tuples of arguments whose sizes add up to a number.

use crate::work;

/// What an argument may be: a number that stands for it, and its size.
pub(super) type Choice = (usize, usize);

/// All tuples with one of the choices at each place, whose sizes add up to `size`, in the order of
/// the choices.
///
/// Invariant: the sizes of the choices at a place ascend.
pub(super) struct Tuples {
    choices: Vec<Vec<Choice>>,
    size: usize,
    /// For each place that is filled: the index of the choice that comes next, and the sizes of the
    /// places before.
    filled: Vec<(usize, usize)>,
}

impl Tuples {
    /// There is at least one place.
    pub(super) fn new(choices: Vec<Vec<Choice>>, size: usize) -> Self {
        debug_assert!(
            choices
                .iter()
                .all(|c| c.is_sorted_by_key(|&(_, size)| size))
        );
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
        let first = match place + 1 == self.choices.len() {
            true => self.choices[place].partition_point(|&(_, size)| before + size < self.size),
            false => 0,
        };
        self.filled.push((first, before));
    }
}

impl Iterator for Tuples {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        loop {
            work::spend(1);
            let place = self.filled.len().checked_sub(1)?;
            let (next, before) = &mut self.filled[place];
            let choice = self.choices[place].get(*next);
            let Some((_, size)) = choice.filter(|(_, size)| *before + size <= self.size) else {
                self.filled.pop();
                continue;
            };
            *next += 1;
            let sum = *before + size;
            if place + 1 < self.choices.len() {
                self.fill(sum);
                continue;
            }
            let picked = std::iter::zip(&self.filled, &self.choices);
            return Some(picked.map(|((next, _), of)| of[next - 1].0).collect());
        }
    }
}

// The order of conjectures depends on the order of tuples, which no answer shows.
#[cfg(test)]
mod tests {
    use super::*;

    /// Checks against all tuples, one place after the other.
    #[track_caller]
    fn check(choices: &[&[Choice]], size: usize) {
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
        let choices = choices.iter().map(|c| c.to_vec()).collect();
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
