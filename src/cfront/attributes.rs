//! Attributes and pragmas that say how the members of structures lie in memory: `packed`,
//! `aligned`, and `#pragma pack`. The parser's syntax tree does not have them where they stand.

use super::lex::{end_of_blanks, end_of_braces, end_of_quoted, end_of_word, is_word, number};
use super::pragma::Pragmas;
use std::collections::BTreeMap;
use std::ops::Range;

/// How a structure differs from what its members' types say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Packing {
    /// The largest alignment of a member, in bytes, by `#pragma pack`.
    pub(crate) pragma: Option<u64>,
    /// Has it the attribute `packed`?
    pub(crate) packed: bool,
    /// The least alignment of the whole, in bytes.
    pub(crate) align: Option<u64>,
    /// Where in the text that alignment stands, if it is no plain number: from a byte to a byte.
    pub(crate) asked: Option<(usize, usize)>,
    /// Do attributes say more, so that nothing is known of where members lie?
    pub(crate) unknown: bool,
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
pub(crate) const LARGEST: u64 = 16;
/// The largest alignment that compilers give an object of a program.
const MOST: i128 = 1 << 28;

/// The alignment that a number means; `None` where compilers take none of this value.
pub(crate) fn alignment(value: i128) -> Option<u64> {
    let value = u64::try_from(value).ok().filter(|_| value <= MOST)?;
    value.is_power_of_two().then_some(value)
}

impl Packings {
    /// What a preprocessed text says. A line of another directive than `#pragma pack` is blank.
    pub(crate) fn of(text: &str) -> Packings {
        let mut found = Packings::default();
        let mut pragmas = Pragmas::default();
        // What opened each bracket that is open: of a structure, where it begins.
        let mut open: Vec<Option<(usize, Packing)>> = Vec::new();
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                quote @ (b'"' | b'\'') => at = end_of_quoted(bytes, at, quote),
                b'#' => {
                    let end = text[at..].find('\n').map_or(bytes.len(), |n| at + n);
                    pragmas.line(&text[at + 1..end]);
                    found.hidden.push(at..end);
                    at = end;
                }
                b'(' | b'[' | b'{' => {
                    open.push(None);
                    at += 1;
                }
                b')' | b']' | b'}' => {
                    at += 1;
                    if let Some((start, packing)) = open.pop().flatten() {
                        // Members lie as is said where their list ends.
                        found.structure(text, at, start, packing, pragmas.pack);
                    }
                }
                byte if is_word(byte) => {
                    let (start, end) = (at, end_of_word(bytes, at));
                    at = end;
                    if matches!(&text[start..end], "struct" | "union" | "enum") {
                        let (body, packing) = found.head(text, end);
                        at = body;
                        if bytes.get(body) == Some(&b'{') {
                            open.push(Some((start, packing)));
                            at += 1;
                        }
                    }
                }
                _ => at += 1,
            }
        }
        found
    }

    /// What stands between the word of a structure and its members: where it ends, and what it
    /// says.
    fn head(&mut self, text: &str, after: usize) -> (usize, Packing) {
        let bytes = text.as_bytes();
        let mut packing = Packing::default();
        let (mut at, any) = attributes(text, after, &mut packing);
        if any {
            self.hidden.push(after..at);
        }
        at = end_of_blanks(bytes, at);
        if at < bytes.len() && is_word(bytes[at]) {
            at = end_of_blanks(bytes, end_of_word(bytes, at));
        }
        (at, packing)
    }

    /// The structure that begins at `start`, and whose members end before `at`.
    fn structure(
        &mut self,
        text: &str,
        at: usize,
        start: usize,
        mut packing: Packing,
        pragma: Option<u64>,
    ) {
        attributes(text, at, &mut packing);
        packing.pragma = pragma;
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
        let open = end_of_blanks(bytes, at + word.len());
        if !matches!(word, "__attribute__" | "__attribute") || bytes.get(open) != Some(&b'(') {
            return (end, any);
        }
        let close = end_of_braces(bytes, open);
        attribute_list(&text[..close], open, packing);
        (end, any) = (close, true);
    }
}

/// Reads what stands in the brackets of `__attribute__((…))`: from the first one to the end of the
/// text.
fn attribute_list(list: &str, open: usize, packing: &mut Packing) {
    let bytes = list.as_bytes();
    let mut at = open;
    while at < bytes.len() {
        if !is_word(bytes[at]) {
            at = match bytes[at] {
                quote @ (b'"' | b'\'') => end_of_quoted(bytes, at, quote),
                _ => at + 1,
            };
            continue;
        }
        let end = end_of_word(bytes, at);
        let name = list[at..end].trim_matches('_');
        let open = end_of_blanks(bytes, end);
        let arguments = match bytes.get(open) {
            Some(b'(') => Some(open..end_of_braces(bytes, open)),
            _ => None,
        };
        at = arguments.as_ref().map_or(end, |range| range.end);
        match name {
            "packed" => packing.packed = true,
            "aligned" => {
                let before = (packing.align, packing.asked);
                let range = arguments.unwrap_or(end..end);
                let value = &list[range.clone()];
                let inner = value.trim_matches(|c: char| c.is_whitespace() || "()".contains(c));
                match number(inner) {
                    _ if inner.is_empty() => packing.align = Some(LARGEST),
                    Some(value) => {
                        packing.align = alignment(value);
                        packing.unknown |= packing.align.is_none();
                    }
                    None => packing.asked = Some((range.start, range.end)),
                }
                // Compilers do not agree on two of them.
                let is_other = before != (packing.align, packing.asked);
                packing.unknown |= before != (None, None) && is_other;
            }
            _ => packing.unknown |= changes_layout(name),
        }
    }
}

/// Does an attribute of this name, without underscores, say where members lie or how large a type
/// is, other than `packed` and `aligned`?
pub(crate) fn changes_layout(name: &str) -> bool {
    matches!(
        name,
        "mode" | "vector_size" | "ms_struct" | "gcc_struct" | "scalar_storage_order"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Packing = Packing {
        pragma: None,
        packed: false,
        align: None,
        asked: None,
        unknown: false,
    };
    const PACKED: Packing = Packing {
        packed: true,
        ..NONE
    };
    const UNKNOWN: Packing = Packing {
        unknown: true,
        ..NONE
    };

    fn pragma(pack: u64) -> Packing {
        Packing {
            pragma: Some(pack),
            ..NONE
        }
    }

    fn aligned(align: u64) -> Packing {
        Packing {
            align: Some(align),
            ..NONE
        }
    }

    /// Checks what is found in texts: the packings, and how much the parser does not know.
    fn check(table: &[(&str, &[Packing], usize)]) {
        for (text, expected, hidden) in table {
            let found = Packings::of(text);
            let packings: Vec<Packing> = found.at.values().copied().collect();
            assert_eq!(
                (&packings[..], found.hidden.len()),
                (*expected, *hidden),
                "{text}"
            );
        }
    }

    #[test]
    fn structures_have_packings() {
        check(&[
            ("struct s { int a; };", &[], 0),
            (
                "struct s { int a; } __attribute__((packed)) x;",
                &[PACKED],
                0,
            ),
            (
                "struct __attribute__ ((__packed__)) s { char c; };",
                &[PACKED],
                1,
            ),
            (
                "struct s { char *t; } __attribute__((unused, aligned(8)));",
                &[aligned(8)],
                0,
            ),
            (
                "struct s { char t; } __attribute__((deprecated(\"a, packed\"), aligned(0x8u)));",
                &[aligned(8)],
                0,
            ),
            (
                "struct s { char t; } __attribute__((aligned()));",
                &[aligned(16)],
                0,
            ),
            (
                "struct s { char t; } __attribute__((aligned(sizeof(int))));",
                &[Packing {
                    asked: Some((43, 56)),
                    ..NONE
                }],
                0,
            ),
            (
                "struct s { char t; } __attribute__((aligned(4), aligned(2)));",
                &[Packing {
                    unknown: true,
                    ..aligned(2)
                }],
                0,
            ),
            (
                "struct s { char t; } __attribute__((ms_struct));",
                &[UNKNOWN],
                0,
            ),
            ("struct __attribute__\u{e9} s {int a;};", &[], 0),
            (
                "char *t = \"struct { int a; } __attribute__((packed))\";",
                &[],
                0,
            ),
            ("struct s x __attribute__((aligned(16)));", &[], 0),
        ]);
    }

    #[test]
    fn pragmas_say_how_members_lie() {
        check(&[
            (
                "#pragma pack(push, 2)\nunion u { int a; };\n#pragma pack(pop)\nstruct t { int b; };",
                &[pragma(2)],
                2,
            ),
            (
                "#pragma pack(push, a, 1)\n#pragma pack(push, 2)\n#pragma pack(pop, a)\nstruct t { int b; };",
                &[],
                3,
            ),
            (
                "#pragma pack(push, 1)\n#pragma pack(push, 2)\n#pragma pack(pop, a)\nstruct t { int b; };",
                &[pragma(1)],
                3,
            ),
            (
                "#pragma pack(1)\n#pragma pack(pop)\n#pragma pack(3)\nstruct t { int b; };",
                &[pragma(1)],
                3,
            ),
            (
                "#pragma pack(1)\n#pragma pack(0)\nstruct t { int b; };",
                &[],
                2,
            ),
            (
                "struct s { struct { int b; } __attribute__((packed)) c;\n#pragma pack(0x2) junk\n};",
                &[pragma(2), PACKED],
                1,
            ),
        ]);
    }
}
