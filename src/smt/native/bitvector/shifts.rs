//! Shifts by a word.

use super::{Circuit, Word};
use crate::smt::native::literal::Lit;

/// Where bits go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Left,
    Right,
}

/// `x` shifted by `places`, where `fill` comes in: by a power of two for each bit of `places`, and
/// beyond the end if a bit of `places` is too high.
pub(super) fn shift<C: Circuit>(
    c: &mut C,
    x: &[Lit],
    places: &[Lit],
    direction: Direction,
    fill: Lit,
) -> Word {
    let width = x.len();
    let mut word = x.to_vec();
    let mut beyond = c.constant(false);
    for (exponent, &bit) in (0..).zip(places) {
        let by = 1usize.checked_shl(exponent).filter(|&by| by < width);
        let Some(by) = by else {
            beyond = c.or(beyond, bit);
            continue;
        };
        let from = |i: usize| match direction {
            Direction::Left => i.checked_sub(by),
            Direction::Right => Some(i + by).filter(|&j| j < width),
        };
        let moved = |i: usize| from(i).map_or(fill, |j| word[j]);
        word = (0..width).map(|i| c.mux(bit, moved(i), word[i])).collect();
    }
    word.iter().map(|&bit| c.mux(beyond, fill, bit)).collect()
}
