//! From byte offsets to line numbers, in logarithmic time after one pass over the text.

use crate::chc::Span;

/// Where the lines of a text begin.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// The offset of the first byte of each line but the first.
    starts: Vec<u32>,
    /// The number of bytes.
    length: usize,
}

impl Lines {
    /// The lines of a text.
    pub fn new(text: &str) -> Self {
        let mut lines = Lines::default();
        lines.extend(text);
        lines
    }

    /// Takes more text, which follows.
    pub fn extend(&mut self, text: &str) {
        let before = self.length;
        let after = |(at, byte): (usize, u8)| {
            (byte == b'\n').then(|| u32::try_from(before + at + 1).unwrap_or(u32::MAX))
        };
        self.starts
            .extend(text.bytes().enumerate().filter_map(after));
        self.length += text.len();
    }

    /// The line, from 1, in which a span begins; `None` if there was no input text.
    pub fn line(&self, span: Span) -> Option<usize> {
        (span != Span::default())
            .then(|| self.starts.partition_point(|&start| start <= span.start) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_count_from_one() {
        let mut lines = Lines::new("a\nb");
        lines.extend("c\n\nd");
        for (offset, line) in [(0, 1), (1, 1), (2, 2), (4, 2), (5, 3), (6, 4), (7, 4)] {
            let span = Span {
                start: offset,
                end: offset + 1,
            };
            assert_eq!(lines.line(span), Some(line), "at {offset}");
        }
        assert_eq!(lines.line(Span::default()), None);
    }
}
