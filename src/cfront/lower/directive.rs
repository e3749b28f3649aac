//! Formats of the scanning family, as lists of directives.

use crate::cfront::types::DataModel;
use std::iter::Peekable;

/// What a format asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Directive {
    /// White space: any amount of it.
    Space,
    /// A byte that is there as it is.
    Byte(u8),
    Conversion(Conversion),
}

/// A conversion, as `%5d`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Conversion {
    /// The letter; `[` for a set.
    pub(super) kind: u8,
    /// Is nothing stored?
    pub(super) skipped: bool,
    /// The most characters that are read.
    pub(super) width: Option<u32>,
    /// The last letter of the length, or 0.
    pub(super) length: u8,
    /// The bits of an integer of this length.
    pub(super) bits: u32,
    /// The bytes of a set, and whether it is of them or of all others.
    pub(super) set: (Vec<u8>, bool),
}

impl Conversion {
    /// Is it one of an integer?
    pub(super) fn is_integer(&self) -> bool {
        b"diuxXo".contains(&self.kind)
    }

    /// The bits of a floating-point number; `None` for other conversions, and for `long double`.
    pub(super) fn float_bits(&self) -> Option<u32> {
        let is_float = b"aefgAEFG".contains(&self.kind);
        match self.length {
            0 if is_float => Some(32),
            b'l' if is_float => Some(64),
            _ => None,
        }
    }
}

/// The directives of a format; `None` if it has none of the standard's.
pub(super) fn directives(format: &[u8], model: DataModel) -> Option<Vec<Directive>> {
    let mut directives = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        let directive = match byte {
            b' ' | b'\t'..=b'\r' => Directive::Space,
            b'%' if rest.next_if_eq(&b'%').is_some() => Directive::Byte(b'%'),
            b'%' => Directive::Conversion(conversion(&mut rest, model)?),
            byte => Directive::Byte(byte),
        };
        if directive != Directive::Space || directives.last() != Some(&Directive::Space) {
            directives.push(directive);
        }
    }
    Some(directives)
}

/// A conversion after its sign.
fn conversion(
    rest: &mut Peekable<impl Iterator<Item = u8>>,
    model: DataModel,
) -> Option<Conversion> {
    let skipped = rest.next_if_eq(&b'*').is_some();
    let mut width: Option<u32> = None;
    while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
        let before = width.unwrap_or(0).checked_mul(10)?;
        width = Some(before.checked_add(u32::from(digit - b'0'))?);
    }
    let (mut bits, mut length) = (32, 0);
    while let Some(letter) = rest.next_if(|b| b"hlLjzt".contains(b)) {
        bits = match letter {
            b'h' => bits / 2,
            b'l' if length == b'l' => 64,
            b'j' => 64,
            _ => model.long_bits(),
        };
        length = letter;
    }
    let kind = rest.next()?;
    let set = match kind {
        b'[' => members(rest)?,
        _ => (Vec::new(), true),
    };
    let known = b"diuxXocsaefgAEFG[n".contains(&kind) && width != Some(0);
    known.then_some(Conversion {
        kind,
        skipped,
        width,
        length,
        bits,
        set,
    })
}

/// The members of a set after its bracket, and whether it is of them.
fn members(rest: &mut Peekable<impl Iterator<Item = u8>>) -> Option<(Vec<u8>, bool)> {
    let inside = rest.next_if_eq(&b'^').is_none();
    // A bracket that comes first is a member.
    let mut text = vec![rest.next()?];
    loop {
        match rest.next()? {
            b']' => break,
            byte => text.push(byte),
        }
    }
    let mut members = Vec::new();
    let mut at = 0;
    while at < text.len() {
        match text[at..] {
            [first, b'-', last, ..] => {
                members.extend(first..=last);
                at += 3;
            }
            _ => {
                members.push(text[at]);
                at += 1;
            }
        }
    }
    Some((members, inside))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The directives of a format in words.
    fn told(format: &str) -> Option<String> {
        let words = directives(format.as_bytes(), DataModel::Lp64)?
            .into_iter()
            .map(|directive| match directive {
                Directive::Space => "_".to_owned(),
                Directive::Byte(byte) => char::from(byte).to_string(),
                Directive::Conversion(c) => {
                    let members = String::from_utf8_lossy(&c.set.0).into_owned();
                    let skipped = if c.skipped { "*" } else { "" };
                    let width = c.width.map_or(String::new(), |width| width.to_string());
                    let inside = if c.set.1 { "" } else { "^" };
                    format!(
                        "<{skipped}{width}{}{}{inside}{members}>",
                        char::from(c.kind),
                        c.bits
                    )
                }
            });
        Some(words.collect())
    }

    #[test]
    fn formats_have_directives() {
        for (format, expected) in [
            ("a %d", Some("a_<d32>")),
            ("%*3ld,%hhx%% \t%c", Some("<*3d64>,<x8>%_<c32>")),
            ("%5[a-cx-]%[^]a]", Some("<5[32abcx-><[32^]a>")),
            ("%Lf%zu", Some("<f64><u64>")),
            ("%", None),
            ("%0s", None),
            ("%[abc", None),
            ("%99999999999s", None),
            ("%q", None),
        ] {
            assert_eq!(told(format).as_deref(), expected, "{format}");
        }
    }
}
