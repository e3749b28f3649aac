//! What a solver says: a stream of S-expressions.
//!
//! Two parts: [`Scanner`] finds out, as bytes arrive, where an expression at the top level ends;
//! [`Sexprs`] is the structure of a complete text. Neither recurses: a value may be nested 100,000
//! levels deep (`store` chains, lists), and what a broken solver says may be anything at all.
//!
//! The lexer of scripts (`smtlib::lexer`) is a different one, since `smt` knows nothing of
//! `smtlib`. The two have little in common: a script is there as a whole and its errors need spans,
//! while an answer arrives in pieces, and its end must be found before it is read.

use std::ops::Range;

/// Finds the ends of top-level expressions in bytes that arrive bit by bit.
#[derive(Default)]
pub(super) struct Scanner {
    /// Bytes looked at.
    at: usize,
    /// Open parentheses.
    depth: usize,
    /// Where the expression under way began.
    start: Option<usize>,
    state: State,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Between,
    Atom,
    Text,
    Bars,
    Comment,
}

impl Scanner {
    /// The next complete expression at the top level of `bytes`, which must begin with what was
    /// scanned before; `None` if none is complete yet. A closing parenthesis too many counts as an
    /// expression.
    pub(super) fn next(&mut self, bytes: &[u8]) -> Option<Range<usize>> {
        while let Some(&byte) = bytes.get(self.at) {
            let here = self.at;
            match self.state {
                State::Comment => {
                    if byte == b'\n' {
                        self.state = State::Between;
                    }
                }
                State::Text | State::Bars => {
                    let end = if self.state == State::Text {
                        b'"'
                    } else {
                        b'|'
                    };
                    if byte == end {
                        self.state = State::Between;
                        self.at += 1;
                        if self.depth == 0 {
                            return self.finish(self.at);
                        }
                        continue;
                    }
                }
                State::Between | State::Atom => {
                    if self.state == State::Atom && is_delimiter(byte) {
                        self.state = State::Between;
                        if self.depth == 0 {
                            return self.finish(here);
                        }
                    }
                    if self.open(byte, here) {
                        self.at += 1;
                        return self.finish(self.at);
                    }
                }
            }
            self.at += 1;
        }
        None
    }

    /// Takes a byte outside of texts; answers whether it ends an expression.
    fn open(&mut self, byte: u8, here: usize) -> bool {
        match byte {
            b';' => self.state = State::Comment,
            _ if byte.is_ascii_whitespace() => {}
            _ => {
                self.start.get_or_insert(here);
                match byte {
                    b'"' => self.state = State::Text,
                    b'|' => self.state = State::Bars,
                    b'(' => self.depth += 1,
                    b')' => {
                        self.depth = self.depth.saturating_sub(1);
                        return self.depth == 0;
                    }
                    _ => self.state = State::Atom,
                }
            }
        }
        false
    }

    fn finish(&mut self, end: usize) -> Option<Range<usize>> {
        self.start.take().map(|start| start..end)
    }

    /// Starts again with a new text.
    pub(super) fn reset(&mut self) {
        *self = Scanner::default();
    }
}

fn is_delimiter(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b'"' | b'|' | b';')
}

/// The structure of a text: its expressions in the order in which they begin, each list with the
/// place after its end.
pub(super) struct Sexprs<'a> {
    text: &'a str,
    nodes: Vec<SexprNode>,
}

enum SexprNode {
    Atom(Range<usize>),
    List {
        /// The index of the first node behind the list.
        end: usize,
        /// Where it is in the text.
        range: Range<usize>,
    },
}

/// One expression of a text.
#[derive(Clone, Copy)]
pub(super) struct Sexpr<'a> {
    all: &'a Sexprs<'a>,
    at: usize,
}

impl<'a> Sexprs<'a> {
    /// Reads a text; `None` if its parentheses or quotes do not match.
    pub(super) fn parse(text: &'a str) -> Option<Sexprs<'a>> {
        let bytes = text.as_bytes();
        let mut nodes = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let rest = &bytes[at..];
            let length = match byte {
                b'(' => {
                    open.push(nodes.len());
                    nodes.push(SexprNode::List {
                        end: 0,
                        range: at..at,
                    });
                    1
                }
                b')' => {
                    let list = open.pop()?;
                    let after = nodes.len();
                    if let SexprNode::List { end, range } = &mut nodes[list] {
                        *end = after;
                        range.end = at + 1;
                    }
                    1
                }
                b';' => rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len()),
                _ if byte.is_ascii_whitespace() => 1,
                _ => {
                    let length = atom_length(rest)?;
                    nodes.push(SexprNode::Atom(at..at + length));
                    length
                }
            };
            at += length;
        }
        open.is_empty().then_some(Sexprs { text, nodes })
    }

    /// The expressions at the top level.
    pub(super) fn roots(&'a self) -> impl Iterator<Item = Sexpr<'a>> {
        self.range(0, self.nodes.len())
    }

    fn range(&'a self, from: usize, to: usize) -> impl Iterator<Item = Sexpr<'a>> {
        let mut at = from;
        std::iter::from_fn(move || {
            let here = (at < to).then_some(at)?;
            at = match self.nodes[here] {
                SexprNode::Atom(_) => here + 1,
                SexprNode::List { end, .. } => end,
            };
            Some(Sexpr {
                all: self,
                at: here,
            })
        })
    }
}

/// The length of the atom that begins here; `None` if a quote is not closed. In strings `""` stands
/// for a quote: two adjacent strings, which never occur in answers, would be read as one.
fn atom_length(bytes: &[u8]) -> Option<usize> {
    match bytes[0] {
        b'|' => Some(bytes[1..].iter().position(|&b| b == b'|')? + 2),
        b'"' => {
            let mut end = 1;
            loop {
                end += bytes[end..].iter().position(|&b| b == b'"')? + 1;
                if bytes.get(end) != Some(&b'"') {
                    return Some(end);
                }
                end += 1;
            }
        }
        _ => Some(
            bytes
                .iter()
                .position(|&b| is_delimiter(b))
                .unwrap_or(bytes.len()),
        ),
    }
}

impl<'a> Sexpr<'a> {
    /// The text of an atom, `None` for a list.
    pub(super) fn atom(self) -> Option<&'a str> {
        match &self.all.nodes[self.at] {
            SexprNode::Atom(range) => Some(&self.all.text[range.clone()]),
            SexprNode::List { .. } => None,
        }
    }

    /// The members of a list, `None` for an atom.
    pub(super) fn items(self) -> Option<impl Iterator<Item = Sexpr<'a>>> {
        match self.all.nodes[self.at] {
            SexprNode::Atom(_) => None,
            SexprNode::List { end, .. } => Some(self.all.range(self.at + 1, end)),
        }
    }

    /// Where it stands: no other expression of its text has this number.
    pub(super) fn position(self) -> usize {
        self.at
    }

    /// Its text as it stands.
    pub(super) fn text(self) -> &'a str {
        match &self.all.nodes[self.at] {
            SexprNode::Atom(range) | SexprNode::List { range, .. } => &self.all.text[range.clone()],
        }
    }

    /// The members of a list of at most four, `None` for others.
    pub(super) fn short_list(self) -> Option<smallvec::SmallVec<[Sexpr<'a>; 4]>> {
        let list: smallvec::SmallVec<_> = self.items()?.take(5).collect();
        (list.len() <= 4).then_some(list)
    }

    /// The text of a string or symbol without its quotes.
    pub(super) fn unquoted(self) -> Option<&'a str> {
        let atom = self.atom()?;
        let inner = |q: char| atom.strip_prefix(q).and_then(|s| s.strip_suffix(q));
        Some(inner('"').or_else(|| inner('|')).unwrap_or(atom))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(e: Sexpr<'_>) -> String {
        match e.items() {
            None => e.atom().unwrap_or_default().to_owned(),
            Some(items) => format!("({})", items.map(print).collect::<Vec<_>>().join(" ")),
        }
    }

    fn check(input: &str, expected: &[&str]) {
        // The scanner sees the text byte by byte, and then whole; both find the same expressions.
        let mut whole = Scanner::default();
        let mut found = Vec::new();
        while let Some(range) = whole.next(input.as_bytes()) {
            found.push(input[range].to_owned());
        }
        let mut bits = Scanner::default();
        let mut again = Vec::new();
        for end in 0..=input.len() {
            while let Some(range) = bits.next(&input.as_bytes()[..end]) {
                again.push(input[range].to_owned());
            }
        }
        assert_eq!(found, again, "scanning {input:?}");
        let parsed: Vec<String> = found
            .iter()
            .map(|text| match Sexprs::parse(text) {
                None => "?".to_owned(),
                Some(all) => all.roots().map(print).collect::<Vec<_>>().join(" "),
            })
            .collect();
        assert_eq!(parsed, expected, "parsing {input:?}");
    }

    #[test]
    fn expressions_end_where_they_end() {
        check("", &[]);
        check("sat", &[]); // more may come
        check("sat\nk1\n", &["sat", "k1"]);
        check("sat(a)", &["sat", "(a)"]);
        check("\"k1\"\n", &["\"k1\""]);
        check("(error \"a \"\" ) b\")", &["(error \"a \"\" ) b\")"]);
        check("((x (- 3)) (y\n2.0))\n", &["((x (- 3)) (y 2.0))"]);
        check("; said (\n(a |b )c|)", &["(a |b )c|)"]);
        check(") x\n", &["?", "x"]);
        check("((a)", &[]);
        check("é\n", &["é"]);
    }

    #[test]
    fn deep_nesting_is_no_problem() {
        let deep = "(".repeat(200_000) + &")".repeat(200_000);
        assert_eq!(
            Scanner::default().next(deep.as_bytes()),
            Some(0..deep.len())
        );
        let all = Sexprs::parse(&deep).expect("it is balanced");
        assert_eq!(all.roots().count(), 1);
    }
}
