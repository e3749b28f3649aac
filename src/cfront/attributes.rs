//! Attributes and pragmas that say how the members of structures lie in memory: `packed`,
//! `aligned`, and `#pragma pack`. The parser's syntax tree does not have them where they stand.

use std::collections::BTreeMap;
use std::ops::Range;

/// How a structure differs from what its members' types say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Packing {
    /// The largest alignment of a member, in bytes.
    pub(crate) pack: Option<u64>,
    /// The least alignment of the whole, in bytes.
    pub(crate) align: Option<u64>,
}

/// What a text says of its structures, unions and enumerations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packings {
    /// By the byte at which the word `struct`, `union` or `enum` begins.
    pub(crate) at: BTreeMap<usize, Packing>,
    /// Parts of the text that the parser does not know.
    pub(crate) hidden: Vec<Range<usize>>,
}

/// The largest alignment of any type, which `aligned` without a number means.
const LARGEST: u64 = 16;

impl Packings {
    /// What a preprocessed text says. A line of another directive than `#pragma pack` is blank.
    pub(crate) fn of(text: &str) -> Packings {
        let mut found = Packings::default();
        let mut packs: Vec<Option<u64>> = Vec::new();
        let mut pack = None;
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                quote @ (b'"' | b'\'') => at = end_of_quoted(bytes, at, quote),
                b'#' => {
                    let end = text[at..].find('\n').map_or(bytes.len(), |n| at + n);
                    pragma(&text[at + 1..end], &mut pack, &mut packs);
                    found.hidden.push(at..end);
                    at = end;
                }
                byte if is_word(byte) => {
                    let end = end_of_word(bytes, at);
                    if matches!(&text[at..end], "struct" | "union" | "enum") {
                        found.structure(text, at, end, pack);
                    }
                    at = end;
                }
                _ => at += 1,
            }
        }
        found
    }

    /// The structure that begins with a word that ends at `after`.
    fn structure(&mut self, text: &str, start: usize, after: usize, pack: Option<u64>) {
        let bytes = text.as_bytes();
        let mut packing = Packing { pack, align: None };
        let (mut at, first) = attributes(text, after, &mut packing);
        if first {
            self.hidden.push(after..at);
        }
        at = end_of_blanks(bytes, at);
        if at < bytes.len() && is_word(bytes[at]) {
            at = end_of_blanks(bytes, end_of_word(bytes, at));
        }
        if bytes.get(at) != Some(&b'{') {
            return;
        }
        attributes(text, end_of_braces(bytes, at), &mut packing);
        if packing != Packing::default() {
            self.at.insert(start, packing);
        }
    }
}

/// Reads attributes from a byte on; answers where they end, and whether there are some.
fn attributes(text: &str, from: usize, packing: &mut Packing) -> (usize, bool) {
    let bytes = text.as_bytes();
    let (mut end, mut any) = (from, false);
    loop {
        let at = end_of_blanks(bytes, end);
        let word = &text[at..end_of_word(bytes, at)];
        if !matches!(word, "__attribute__" | "__attribute") {
            return (end, any);
        }
        let open = end_of_blanks(bytes, at + word.len());
        let close = end_of_braces(bytes, open);
        for part in text[open..close].split(',') {
            let part = part.trim_matches(|c: char| c.is_whitespace() || "()".contains(c));
            let (name, value) = part.split_once('(').unwrap_or((part, ""));
            match name.trim().trim_matches('_') {
                "packed" => packing.pack = Some(1),
                "aligned" => {
                    let value = value.trim().parse().unwrap_or(LARGEST);
                    packing.align = packing.align.max(Some(value));
                }
                _ => {}
            }
        }
        (end, any) = (close, true);
    }
}

/// The effect of a line `pragma pack(…)`.
fn pragma(line: &str, pack: &mut Option<u64>, packs: &mut Vec<Option<u64>>) {
    let Some(rest) = pack_arguments(line) else {
        return;
    };
    for part in rest.split(',').map(str::trim) {
        match part {
            "push" => packs.push(*pack),
            "pop" => *pack = packs.pop().unwrap_or(None),
            "" => *pack = None,
            number => {
                if let Ok(number) = number.parse() {
                    *pack = Some(number);
                }
            }
        }
    }
}

/// What stands in the brackets of `pragma pack(…)`; `None` of other lines.
pub(crate) fn pack_arguments(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix("pragma")?.trim_start();
    let rest = rest.strip_prefix("pack")?.trim_start();
    rest.strip_prefix('(')?.trim_end().strip_suffix(')')
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn end_of_word(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.iter().skip(at);
    at + rest.take_while(|&&byte| is_word(byte)).count()
}

fn end_of_blanks(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.iter().skip(at);
    at + rest.take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// The byte after the bracket that closes the one at `at`.
fn end_of_braces(bytes: &[u8], at: usize) -> usize {
    let (mut end, mut depth) = (at, 0_usize);
    while end < bytes.len() {
        match bytes[end] {
            quote @ (b'"' | b'\'') => {
                end = end_of_quoted(bytes, end, quote);
                continue;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        end += 1;
        if depth == 0 {
            break;
        }
    }
    end
}

/// The byte after a string or character literal that begins at `at`; a line's end closes it.
pub(crate) fn end_of_quoted(bytes: &[u8], at: usize, quote: u8) -> usize {
    let mut end = at + 1;
    while end < bytes.len() {
        match bytes[end] {
            b'\\' => end += 1,
            b'\n' => return end,
            byte if byte == quote => return end + 1,
            _ => {}
        }
        end += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_have_packings() {
        let packed = |pack| Packing {
            pack: Some(pack),
            align: None,
        };
        for (text, expected, hidden) in [
            ("struct s { int a; };", vec![], 0),
            (
                "struct s { int a; } __attribute__((packed)) x;",
                vec![packed(1)],
                0,
            ),
            (
                "struct __attribute__ ((__packed__)) s { char c; };",
                vec![packed(1)],
                1,
            ),
            (
                "#pragma pack(push, 2)\nunion u { int a; };\n#pragma pack(pop)\nstruct t { int b; };",
                vec![packed(2)],
                2,
            ),
            (
                "struct s { char *t; } __attribute__((unused, aligned(8)));",
                vec![Packing {
                    pack: None,
                    align: Some(8),
                }],
                0,
            ),
            (
                "char *t = \"struct { int a; } __attribute__((packed))\";",
                vec![],
                0,
            ),
            ("struct s x __attribute__((aligned(16)));", vec![], 0),
        ] {
            let found = Packings::of(text);
            let packings: Vec<Packing> = found.at.values().copied().collect();
            assert_eq!((packings, found.hidden.len()), (expected, hidden), "{text}");
        }
    }
}
