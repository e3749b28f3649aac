//! Parsing, by the crate `lang-c`.
//!
//! Tried on 294 C files (6 MB) of SV-COMP, the SPACER paper and others: the crate parses all of
//! them once directives are blanked and the `int` that old C leaves out is put in (two files need
//! that), in 3.8 ms a file and 33 ms for the slowest, 5000 lines. It knows C11 and the GNU
//! extensions of preprocessed files: attributes, `asm`, statement expressions, `typeof`,
//! designators and old-style definitions. Its grammar is a PEG with state, which solves the problem
//! of `typedef` names as compilers do; an LALR grammar would have to work around the token of
//! lookahead. Tree-sitter never rejects a text, which is right for editors and wrong here, and
//! needs a C compiler to be built. The crate is complete rather than in motion (0.15.1); it is pure
//! Rust without dependencies.
//!
//! For an error the parser gives a position and the set of tokens that could have followed; the
//! message here names the useful ones. The parser recurses over the nesting of the text. Therefore
//! [`CText::check_depth`] comes before it, and callers have a large stack.

use super::source::{CError, CText};
use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, parse_preprocessed};

/// A message names at most 6 expected tokens.
const TOLD: usize = 6;

/// The syntax tree of a text.
pub(crate) fn parse(source: &CText) -> Result<TranslationUnit, CError> {
    source.check_depth()?;
    let parsed = parse_preprocessed(&Config::with_gcc(), source.text.clone());
    parsed.map(|parsed| parsed.unit).map_err(|error| {
        let rest = source.text.get(error.offset..).unwrap_or("");
        let found = found(rest);
        // Classes of characters and empty names are of no use to people.
        let mut expected: Vec<&str> = (error.expected.iter().copied())
            .filter(|token| !token.is_empty() && !token.starts_with('['))
            .collect();
        expected.sort_unstable();
        let message = if expected.is_empty() || expected.len() > TOLD {
            format!("unexpected {found}")
        } else {
            format!("unexpected {found}, expected one of {}", expected.join(" "))
        };
        CError::Syntax {
            place: source.place(error.offset),
            message,
        }
    })
}

/// The token at the beginning of a text, for messages.
fn found(text: &str) -> String {
    let mut chars = text.chars();
    let Some(first) = chars.next() else {
        return "end of the file".to_owned();
    };
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let token: String = if word(first) {
        text.chars().take_while(|&c| word(c)).take(40).collect()
    } else {
        first.to_string()
    };
    format!("`{token}`")
}
