//! Parsing, by the crate `lang-c`.
//!
//! Tried on 294 C files (6 MB) of SV-COMP, the SPACER paper and others: the crate parses all of
//! them once directives are blanked and the `int` that old C leaves out is put in (two files need
//! that; [`super::dialect`] has this and what else the crate does not know), in 3.8 ms a file and
//! 33 ms for the slowest, 5000 lines. It knows C11 and the GNU extensions of preprocessed files:
//! attributes, `asm`, statement expressions, `typeof`, designators and old-style definitions. Its
//! grammar is a PEG with state, which solves the problem of `typedef` names as compilers do; an
//! LALR grammar would have to work around the token of lookahead. Tree-sitter never rejects a text,
//! which is right for editors and wrong here, and needs a C compiler to be built. The crate is
//! complete rather than in motion (0.15.1); it is pure Rust without dependencies.
//!
//! For an error the parser gives a position and the set of tokens that could have followed; the
//! message here names the useful ones. The parser recurses over the nesting of the text. Therefore
//! [`CText::check_depth`] comes before it, and callers have a large stack.

use super::source::{CError, CText, too_deep};
use lang_c::ast::{BlockItem, Expression, ExternalDeclaration, Statement, TranslationUnit};
use lang_c::driver::{Config, SyntaxError, parse_preprocessed};
use lang_c::span::Node;

/// A message names at most 6 expected tokens.
const TOLD: usize = 6;

/// Words of C that no name of a type stands for.
const WORDS: [&str; 24] = [
    "auto", "break", "case", "const", "continue", "default", "do", "else", "extern", "for", "goto",
    "if", "inline", "register", "restrict", "return", "signed", "sizeof", "static", "switch",
    "typedef", "unsigned", "volatile", "while",
];

/// The syntax tree of a text.
pub(crate) fn parse(source: &CText) -> Result<TranslationUnit, CError> {
    source.check_depth()?;
    let parsed = parse_preprocessed(&Config::with_gcc(), source.for_parser());
    parsed.map(|parsed| parsed.unit).map_err(|error| {
        let at = error.offset.min(source.text.len());
        let (before, rest) = (
            source.original(0..at),
            source.original(at..source.text.len()),
        );
        let mut message = message(&error, &rest);
        if let Some(name) = missing_type(&before, &rest) {
            message.push_str(&format!(": `{name}` is not the name of a type"));
        }
        CError::Syntax {
            place: source.place(error.offset),
            message,
        }
    })
}

/// The name before the place of an error, if another name follows it there: a declaration would
/// begin with a type.
fn missing_type<'t>(before: &'t str, rest: &str) -> Option<&'t str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let before = before.trim_end();
    let name = &before[before.trim_end_matches(is_part).len()..];
    let next = &rest[..rest.len() - rest.trim_start_matches(is_part).len()];
    let is_name = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !WORDS.contains(&word)
    };
    (is_name(name) && is_name(next)).then_some(name)
}

/// What is wrong where a text goes on like this.
fn message(error: &SyntaxError, rest: &str) -> String {
    let found = found(rest);
    // Classes of characters and empty names are of no use to people.
    let mut expected: Vec<&str> = (error.expected.iter().copied())
        .filter(|token| !token.is_empty() && !token.starts_with('['))
        .collect();
    expected.sort_unstable();
    if expected.is_empty() || expected.len() > TOLD {
        format!("unexpected {found}")
    } else {
        format!("unexpected {found}, expected one of {}", expected.join(" "))
    }
}

/// The syntax tree of an expression in which these names are types.
///
/// The crate parses whole files only, so the expression becomes the one statement of a function.
///
/// # Errors
/// The text is no expression: at which of its bytes, and what is wrong.
pub(crate) fn parse_expression(
    text: &str,
    types: &[String],
) -> Result<Node<Expression>, (usize, String)> {
    if let Some(at) = too_deep(text) {
        return Err((at, "brackets nest too deeply".to_owned()));
    }
    let mut whole = String::new();
    for name in types {
        whole.push_str(&format!("typedef int {name};"));
    }
    whole.push_str("int expression(void){return(");
    let start = whole.len();
    whole.push_str(text);
    whole.push_str("\n);}");
    let parsed = parse_preprocessed(&Config::with_gcc(), whole).map_err(|error| {
        let at = error.offset.saturating_sub(start).min(text.len());
        let rest = text.get(at..).unwrap_or("");
        let message = match rest.trim_start() {
            "" => "the expression is not complete".to_owned(),
            rest => message(&error, rest),
        };
        (at, message)
    })?;
    let mut items = parsed.unit.0;
    let function = items.pop().filter(|_| items.len() == types.len());
    if let Some(ExternalDeclaration::FunctionDefinition(f)) = function.map(|item| item.node)
        && let Statement::Compound(mut statements) = f.node.statement.node
        && statements.len() == 1
        && let Some(BlockItem::Statement(only)) = statements.pop().map(|item| item.node)
        && let Statement::Return(Some(e)) = only.node
    {
        return Ok(*e);
    }
    Err((0, "this is more than an expression".to_owned()))
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
