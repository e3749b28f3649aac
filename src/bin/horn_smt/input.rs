//! Where scripts come from: a file at once, standard input in parts, so that whoever writes there
//! can wait for answers.

use horn::smtlib::Source;
use std::io::{self, Read, StdinLock};
use std::path::Path;

/// How much is read at a time.
const PIECE: usize = 1 << 16;

/// A script. Its parts are kept to the end, so that `get-assertions` can print assertions in the
/// user's words.
pub(crate) enum Input {
    /// The one part of a file, until it is taken.
    File(String, Option<&'static Source>),
    /// Standard input.
    Stream(Stream),
}

/// The script of nothing.
pub(crate) fn nothing() -> &'static Source {
    keep(Source::from_text("<stdin>", ""))
}

fn keep(source: Source) -> &'static Source {
    Box::leak(Box::new(source))
}

impl Input {
    /// A file, or standard input where there is none or it is called `-`.
    pub(crate) fn open(path: Option<&Path>) -> io::Result<Input> {
        match path.filter(|path| *path != Path::new("-")) {
            Some(path) => {
                let name = path.display().to_string();
                let source = Source::new(name.clone(), std::fs::read(path)?);
                Ok(Input::File(name, Some(keep(source))))
            }
            None => Ok(Input::Stream(Stream {
                stdin: io::stdin().lock(),
                text: Vec::new(),
                scanner: Scanner::default(),
                lines: 0,
            })),
        }
    }

    /// The name of it for messages.
    pub(crate) fn name(&self) -> &str {
        match self {
            Input::File(name, _) => name,
            Input::Stream(_) => "<stdin>",
        }
    }

    /// The next part, which has whole commands; `None` after the last.
    pub(crate) fn next_part(&mut self) -> io::Result<Option<&'static Source>> {
        match self {
            Input::File(_, part) => Ok(part.take()),
            Input::Stream(stream) => stream.next_part(),
        }
    }
}

/// Standard input, cut at ends of lines at which no command is open.
pub(crate) struct Stream {
    stdin: StdinLock<'static>,
    /// What has been read and is in no part so far.
    text: Vec<u8>,
    scanner: Scanner,
    /// The lines in all parts so far.
    lines: u32,
}

impl Stream {
    fn next_part(&mut self) -> io::Result<Option<&'static Source>> {
        loop {
            let from = self.text.len();
            self.text.resize(from + PIECE, 0);
            let read = self.stdin.read(&mut self.text[from..]);
            self.text
                .truncate(from + read.as_ref().map_or(0, |&length| length));
            match read {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
                // The end, in the middle of a command or not.
                Ok(0) if self.text.is_empty() => return Ok(None),
                Ok(0) => return Ok(Some(self.part(self.text.len()))),
                Ok(_) => {}
            }
            let new = from..self.text.len();
            let closed = new.filter(|&at| self.scanner.closes(self.text[at]));
            if let Some(end) = closed.last().map(|at| at + 1) {
                return Ok(Some(self.part(end)));
            }
        }
    }

    /// The text up to here as a part.
    fn part(&mut self, end: usize) -> &'static Source {
        let rest = self.text.split_off(end);
        let text = std::mem::replace(&mut self.text, rest);
        let lines = text.iter().filter(|&&byte| byte == b'\n').count();
        let source = Source::new("<stdin>", text).after_lines(self.lines);
        self.lines = self
            .lines
            .saturating_add(lines.try_into().unwrap_or(u32::MAX));
        keep(source)
    }
}

/// Follows parentheses, as far as they are neither in a text, nor in a name, nor in a comment.
#[derive(Default)]
struct Scanner {
    /// How many are open.
    depth: u64,
    /// The byte that ends the text, name or comment under way.
    inside: Option<u8>,
}

impl Scanner {
    /// Takes one more byte; answers whether a line ends here, and no command is open.
    fn closes(&mut self, byte: u8) -> bool {
        match (self.inside, byte) {
            (Some(end), _) if byte == end => self.inside = None,
            // A quote is written twice in a text: that is as good as two texts.
            (Some(_), _) => {}
            (None, b'"' | b'|') => self.inside = Some(byte),
            (None, b';') => self.inside = Some(b'\n'),
            (None, b'(') => self.depth += 1,
            (None, b')') => self.depth = self.depth.saturating_sub(1),
            (None, _) => {}
        }
        byte == b'\n' && self.depth == 0 && self.inside.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::Scanner;

    #[test]
    fn commands_are_cut_at_ends_of_lines() {
        for (text, expected) in [
            ("(a)\n(b\n)\n", "(a)|(b\n)|"),
            ("(a) (b)\n\n(c", "(a) (b)||(c"),
            (
                "(a \"\n)\"\"\n\")\n(b |(\n|)\n",
                "(a \"\n)\"\"\n\")|(b |(\n|)|",
            ),
            ("; (\n(a ;)\n)\n", "; (|(a ;)\n)|"),
            (")\n(a", ")|(a"),
        ] {
            let mut scanner = Scanner::default();
            let cut = text.bytes().map(|byte| match scanner.closes(byte) {
                true => '|',
                false => char::from(byte),
            });
            assert_eq!(cut.collect::<String>(), expected);
        }
    }
}
