//! Where scripts come from: a file at once, standard input in parts, so that whoever writes there
//! can wait for answers.

use crate::smtlib::Source;
use std::collections::VecDeque;
use std::io::{self, Read, StdinLock};
use std::path::Path;

/// What standard input is called in messages.
const STDIN: &str = "<stdin>";
/// How much is read at a time.
const PIECE: usize = 1 << 16;

/// A script. Its parts are kept to the end, so that `get-assertions` can print assertions in the
/// user's words.
pub struct Input {
    name: String,
    /// The parts that were read and not taken.
    ahead: VecDeque<&'static Source>,
    /// Standard input, if the script comes from there.
    stream: Option<Stream>,
}

/// The script of nothing.
pub(super) fn nothing() -> &'static Source {
    keep(Source::from_text(STDIN, ""))
}

fn keep(source: Source) -> &'static Source {
    Box::leak(Box::new(source))
}

impl Input {
    /// A file, or standard input where there is none or it is called `-`.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn open(path: Option<&Path>) -> io::Result<Input> {
        match path.filter(|path| *path != Path::new("-")) {
            Some(path) => {
                let name = path.display().to_string();
                let source = Source::new(name.clone(), std::fs::read(path)?);
                Ok(Input {
                    name,
                    ahead: [keep(source)].into_iter().collect(),
                    stream: None,
                })
            }
            None => Ok(Input {
                name: STDIN.to_owned(),
                ahead: VecDeque::new(),
                stream: Some(Stream {
                    stdin: io::stdin().lock(),
                    text: Vec::new(),
                    scanner: Scanner::default(),
                    lines: 0,
                }),
            }),
        }
    }

    /// The name of it for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The next part, which has whole commands; `None` after the last. A file is one part.
    ///
    /// # Errors
    /// Standard input cannot be read.
    pub fn next_part(&mut self) -> io::Result<Option<&'static Source>> {
        match self.ahead.pop_front() {
            Some(part) => Ok(Some(part)),
            None => self.read_part(),
        }
    }

    fn read_part(&mut self) -> io::Result<Option<&'static Source>> {
        match &mut self.stream {
            Some(stream) => stream.next_part(),
            None => Ok(None),
        }
    }

    /// What `decide` says of the beginning of the script, as soon as it says something; `None` if
    /// it says nothing of the whole script. The parts that it was asked about are still to be
    /// taken.
    ///
    /// # Errors
    /// Standard input cannot be read.
    pub fn look_ahead<R>(
        &mut self,
        mut decide: impl FnMut(&str) -> Option<R>,
    ) -> io::Result<Option<R>> {
        let mut text = String::new();
        let mut seen = 0;
        loop {
            let part = match self.ahead.get(seen) {
                Some(part) => *part,
                None => match self.read_part()? {
                    Some(part) => {
                        self.ahead.push_back(part);
                        part
                    }
                    None => return Ok(None),
                },
            };
            seen += 1;
            text.push_str(part.text());
            if let Some(decided) = decide(&text) {
                return Ok(Some(decided));
            }
        }
    }
}

/// Standard input, cut at ends of lines at which no command is open.
struct Stream {
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
        let source = Source::new(STDIN, text).after_lines(self.lines);
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
