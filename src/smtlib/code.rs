//! The code of a command's terms, in pieces that can be given back one by one.
//!
//! Code takes some times as much memory as its text, and so do the terms that become of it. They
//! are not there both at once: elaboration goes through the code from front to back, and gives back
//! each piece that it is through with.

use super::instruction::{Op, Range};
use crate::chc::Span;

/// A piece has 2^13 instructions, except for the last one.
const PIECE_BITS: u32 = 13;
const PIECE: usize = 1 << PIECE_BITS;

/// Instructions with their places, by the numbers in which they were appended.
#[derive(Default)]
pub struct Code {
    pieces: Vec<Vec<(Op, Span)>>,
    len: usize,
}

/// The instructions, however they lie.
impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.pieces.iter().flatten())
            .finish()
    }
}

impl Code {
    /// The number of the next instruction.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Appends an instruction.
    pub(super) fn push(&mut self, op: Op, span: Span) {
        let piece = self.len >> PIECE_BITS;
        self.len += 1;
        match self.pieces.get_mut(piece) {
            Some(open) => open.push((op, span)),
            None => self.begin(op, span),
        }
    }

    /// Appends an instruction in a new piece. The first one is as large as commands need.
    #[cold]
    fn begin(&mut self, op: Op, span: Span) {
        let mut piece = Vec::with_capacity(if self.pieces.is_empty() { 64 } else { PIECE });
        piece.push((op, span));
        self.pieces.push(piece);
    }

    /// Forgets all instructions. Memory for one piece is kept.
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.pieces.truncate(1);
        self.pieces.iter_mut().for_each(Vec::clear);
    }

    /// The parts of a range that lie in one piece each.
    pub(super) fn parts(range: Range) -> impl DoubleEndedIterator<Item = Range> {
        let first = range.start >> PIECE_BITS;
        let end = range.end.div_ceil(1 << PIECE_BITS);
        (first..end).map(move |piece| Range {
            start: range.start.max(piece << PIECE_BITS),
            end: range.end.min((piece + 1) << PIECE_BITS),
        })
    }

    /// The instructions of a part of a piece.
    pub(super) fn part(&self, part: Range) -> &[(Op, Span)] {
        let Some(piece) = self.pieces.get(part.start as usize >> PIECE_BITS) else {
            return &[];
        };
        let start = part.start as usize % PIECE;
        &piece[start..start + part.len()]
    }

    /// The instructions of a range.
    pub(super) fn iter(&self, range: Range) -> impl DoubleEndedIterator<Item = &(Op, Span)> {
        Code::parts(range).flat_map(|part| self.part(part))
    }

    /// The instruction of a range that has but one.
    pub(super) fn only(&self, range: Range) -> Option<(Op, Span)> {
        (range.len() == 1).then(|| self.part(range)[0])
    }

    /// Gives back the memory of the piece that a part is of, unless it is the first. Its
    /// instructions must not be asked for any more.
    pub(super) fn release(&mut self, part: Range) {
        let piece = part.start as usize >> PIECE_BITS;
        if piece > 0 {
            self.pieces[piece] = Vec::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lie_in_one_piece_each() {
        let size = PIECE as u32;
        for (start, end, expected) in [
            (0, 0, vec![]),
            (3, 5, vec![(3, 5)]),
            (0, size, vec![(0, size)]),
            (1, size + 1, vec![(1, size), (size, size + 1)]),
            (size, 3 * size, vec![(size, 2 * size), (2 * size, 3 * size)]),
        ] {
            let parts = Code::parts(Range { start, end });
            let parts: Vec<_> = parts.map(|part| (part.start, part.end)).collect();
            assert_eq!(parts, expected, "parts of {start}..{end}");
        }
    }

    #[test]
    fn what_was_appended_is_there_until_it_is_released() {
        let mut code = Code::default();
        let count = 3 * PIECE as u32 + 5;
        for round in 0..2 {
            for at in 0..count {
                code.push(Op::MatchExit(at + round), Span::new(at, at));
            }
            let all = Range {
                start: 0,
                end: count,
            };
            let numbers = code.iter(all).map(|(op, _)| *op);
            assert!(numbers.eq((0..count).map(|at| Op::MatchExit(at + round))));
            let last = code.iter(all).next_back();
            assert_eq!(last.map(|(_, span)| span.start), Some(count - 1));
            Code::parts(all).for_each(|part| code.release(part));
            assert!(code.pieces[1..].iter().all(|piece| piece.capacity() == 0));
            code.clear();
            assert_eq!(code.len(), 0);
        }
    }
}
