//! Words, numbers and brackets of C text, as far as it is read before the parser does.

/// The value of a number as C writes it, with its suffixes; `None` for other expressions.
pub(super) fn number(text: &str) -> Option<i128> {
    let text = text.trim().trim_end_matches(['u', 'U', 'l', 'L']);
    let (digits, radix) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&text[2..], 16),
        [b'0', b'b' | b'B', ..] => (&text[2..], 2),
        [b'0', _, ..] => (&text[1..], 8),
        _ => (text, 10),
    };
    let is_number = digits.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (i128::from_str_radix(digits, radix).ok()).filter(|_| is_number)
}

/// Is this a byte of a name or a number?
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The byte after the word that begins at `at`.
pub(super) fn end_of_word(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.iter().skip(at);
    at + rest.take_while(|&&byte| is_word(byte)).count()
}

/// The first byte from `at` on that is no blank.
pub(super) fn end_of_blanks(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.iter().skip(at);
    at + rest.take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// The byte after the bracket that closes the one at `at`.
pub(super) fn end_of_braces(bytes: &[u8], at: usize) -> usize {
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

/// The string literals of a text, with their quotes.
pub(crate) fn texts(text: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let bytes = text.as_bytes();
            let start = at + bytes.get(at..)?.iter().position(|b| b"\"'".contains(b))?;
            at = end_of_quoted(bytes, start, bytes[start]);
            if bytes[start] == b'"' {
                return text.get(start..at);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_values() {
        for (text, value) in [
            ("8", Some(8)),
            (" 010 ", Some(8)),
            ("0x8uL", Some(8)),
            ("0b100", Some(4)),
            ("0", Some(0)),
            ("0x-8", None),
            ("8 + 8", None),
            ("sizeof", None),
            ("", None),
        ] {
            assert_eq!(number(text), value, "{text}");
        }
    }

    #[test]
    fn texts_are_found() {
        let found: Vec<&str> = texts("a '\"' \"b\\\"c\" + \"d\"").collect();
        assert_eq!(found, ["\"b\\\"c\"", "\"d\""]);
    }
}
