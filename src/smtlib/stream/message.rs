//! What is said where the grammar does not go on.

use super::lexeme::Lexeme;
use crate::chc::Span;
use crate::smtlib::error::SyntaxError;
use crate::smtlib::lexer::Lexer;
use lalrpop_util::ParseError;

/// Turns an error of the generated parser into ours.
pub(super) fn explain(
    lexer: &Lexer<'_>,
    error: ParseError<u32, Lexeme, Box<SyntaxError>>,
) -> Box<SyntaxError> {
    let (span, expected) = match error {
        ParseError::User { error } => return error,
        ParseError::InvalidToken { location } => (Span::new(location, location), Vec::new()),
        ParseError::UnrecognizedEof { location, expected } => {
            (Span::new(location, location), expected)
        }
        ParseError::UnrecognizedToken {
            token: (start, _, end),
            expected,
        } => (Span::new(start, end), expected),
        ParseError::ExtraToken {
            token: (start, _, end),
        } => (Span::new(start, end), Vec::new()),
    };
    let found = match lexer.slice(span) {
        "" => "end of input".to_owned(),
        text => format!("`{}`", abbreviate(text)),
    };
    let expected = alternatives(&expected);
    Box::new(SyntaxError::Unexpected {
        found,
        expected,
        span,
    })
}

/// The beginning of a long text.
pub(super) fn abbreviate(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

/// `a, b or c` of what the parser expected. Where nearly everything that starts a term is possible,
/// it says so.
fn alternatives(expected: &[String]) -> String {
    let mut words: Vec<&str> = expected.iter().map(|word| word.trim_matches('"')).collect();
    let term = [
        "a numeral",
        "a decimal",
        "a hexadecimal",
        "a binary",
        "a string",
    ];
    if term.iter().all(|start| words.contains(start)) {
        words.retain(|word| !term.contains(word) && !["(", "a symbol"].contains(word));
        words.insert(0, "a term");
    }
    if words.contains(&"check-sat") {
        return "the name of a command".to_owned();
    }
    let quoted: Vec<String> = words
        .iter()
        .map(|word| {
            if word.starts_with("a ") {
                (*word).to_owned()
            } else {
                format!("`{word}`")
            }
        })
        .collect();
    match quoted.split_last() {
        None => "nothing".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}
