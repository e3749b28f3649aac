//! `#pragma pack`: the largest alignment of the members of structures.

use super::lex::{is_word, number};

/// The lines `#pragma pack(…)` up to a place, as the compiler reads them.
#[derive(Default)]
pub(super) struct Pragmas {
    /// The largest alignment of members.
    pub(super) pack: Option<u64>,
    /// What it was before each `push`, and the name of that.
    pushed: Vec<(Option<u64>, Option<String>)>,
}

impl Pragmas {
    /// The effect of a line, without its first character. What the compiler warns of, and ignores,
    /// has none.
    pub(super) fn line(&mut self, line: &str) {
        let Some(rest) = pack_arguments(line) else {
            return;
        };
        let mut parts = rest.split(',').map(str::trim);
        let first = parts.next().unwrap_or("");
        let (mut name, mut pack) = (None, None);
        for part in parts {
            match number(part) {
                Some(number) if first == "push" && pack.is_none() => pack = Some(number),
                None if name.is_none() && is_name(part) => name = Some(part.to_owned()),
                _ => return,
            }
        }
        let limit = |number| match number {
            0 => Some(None),
            1 | 2 | 4 | 8 | 16 => Some(u64::try_from(number).ok()),
            _ => None,
        };
        match first {
            "push" => {
                let Some(limit) = pack.map_or(Some(self.pack), limit) else {
                    return;
                };
                self.pushed.push((self.pack, name));
                self.pack = limit;
            }
            "pop" => {
                // Of a name that none has, it takes back the last.
                let named = |(_, known): &(Option<u64>, Option<String>)| *known == name;
                if name.is_some()
                    && let Some(at) = self.pushed.iter().rposition(named)
                {
                    self.pushed.truncate(at + 1);
                }
                if let Some((before, _)) = self.pushed.pop() {
                    self.pack = before;
                }
            }
            "" => self.pack = None,
            value => {
                if let Some(limit) = number(value).and_then(limit) {
                    self.pack = limit;
                }
            }
        }
    }
}

/// What stands in the brackets of `pragma pack(…)`; `None` of other lines.
pub(crate) fn pack_arguments(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix("pragma")?;
    let rest = rest.trim_start().strip_prefix("pack")?.trim_start();
    Some(rest.strip_prefix('(')?.split_once(')')?.0)
}

fn is_name(text: &str) -> bool {
    text.bytes().all(is_word) && !text.starts_with(|c: char| c.is_ascii_digit()) && !text.is_empty()
}
