//! The tokens of a C text, as far as the rules of this module tell them apart.

use crate::cfront::lex::end_of_quoted;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Word,
    Number,
    /// A string or character literal.
    Text,
    Sign,
}

/// A token: from a byte to a byte.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Of a bracket, the number of the token that closes or opens it; of others, their number.
    pub(super) partner: usize,
}

/// Signs of several characters that would mean something else if they were read one by one. A
/// longer one comes before its beginning.
const SIGNS: [&str; 12] = [
    "...", "&&", "||", "->", "++", "--", "<:", ":>", "<%", "%>", "<<", "==",
];

/// May this byte be a part of a name?
fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// Is this the beginning of a universal character name, as in `\u00e4`?
fn is_universal(rest: &[u8]) -> bool {
    matches!(rest, [b'\\', b'u' | b'U', ..])
}

/// The byte after the name that begins at `at`.
fn end_of_name(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    while end < bytes.len() {
        if is_universal(&bytes[end..]) {
            end += 2;
        } else if is_of_word(bytes[end]) {
            end += 1;
        } else {
            break;
        }
    }
    end
}

/// The byte after the number that begins at `at`: letters, points, and signs of exponents.
fn end_of_number(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while let Some(&byte) = bytes.get(end) {
        let is_exponent = b"eEpP".contains(&bytes[end - 1]) && b"+-".contains(&byte);
        if !is_of_word(byte) && byte != b'.' && !is_exponent {
            break;
        }
        end += 1;
    }
    end
}

/// Does this sign open a bracket?
pub(super) fn opens(sign: &str) -> bool {
    matches!(sign, "(" | "[" | "{" | "<:" | "<%")
}

/// Does this sign close a bracket?
pub(super) fn closes(sign: &str) -> bool {
    matches!(sign, ")" | "]" | "}" | ":>" | "%>")
}

/// The tokens of a text without comments. Lines of directives have none.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens: Vec<Token> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let kind = match bytes[at] {
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'#' => {
                at = text[at..].find('\n').map_or(bytes.len(), |n| at + n);
                continue;
            }
            quote @ (b'"' | b'\'') => {
                at = end_of_quoted(bytes, at, quote);
                Kind::Text
            }
            byte if byte.is_ascii_digit() => {
                at = end_of_number(bytes, at);
                Kind::Number
            }
            byte if is_of_word(byte) || is_universal(&bytes[at..]) => {
                at = end_of_name(bytes, at);
                Kind::Word
            }
            _ => {
                let mut known = SIGNS.iter().filter(|sign| text[at..].starts_with(**sign));
                at += known.next().map_or(1, |sign| sign.len());
                Kind::Sign
            }
        };
        let mut partner = tokens.len();
        if kind == Kind::Sign && opens(&text[start..at]) {
            open.push(partner);
        } else if kind == Kind::Sign
            && closes(&text[start..at])
            && let Some(opening) = open.pop()
        {
            tokens[opening].partner = partner;
            partner = opening;
        }
        tokens.push(Token {
            kind,
            start,
            end: at,
            partner,
        });
    }
    tokens
}
