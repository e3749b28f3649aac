//! Tokens of SMT-LIB 2.6, by `logos`.
//!
//! The reserved words that shape terms (`let`, `forall`, `exists`, `match`, `par`, `_`, `!`, `as`)
//! are separate tokens. Command names are ordinary symbols here. The parser's token stream turns
//! the first symbol of a command into a command token, so that `reset` or `push` can be names
//! everywhere else. The words that SMT-LIB reserves for theory declarations (`NUMERAL`, `STRING`,
//! …) are symbols too; no script needs them as anything else.
//!
//! DIVERGENCE from SMT-LIB 2.6, all on the generous side: numerals may start with zeros; a byte
//! order mark at the start is skipped; symbols between bars and strings may hold any character but
//! NUL (and a backslash in symbols).

use super::error::SyntaxError;
use crate::chc::Span;
use logos::Logos;

/// One token; its text is the slice of its span.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n]+")]
#[logos(skip(r";[^\n]*", allow_greedy = true))]
pub enum Token {
    /// `(`
    #[token("(")]
    Open,
    /// `)`
    #[token(")")]
    Close,
    /// `let`
    #[token("let", priority = 20)]
    Let,
    /// `forall`
    #[token("forall", priority = 20)]
    Forall,
    /// `exists`
    #[token("exists", priority = 20)]
    Exists,
    /// `match`
    #[token("match", priority = 20)]
    Match,
    /// `par`
    #[token("par", priority = 20)]
    Par,
    /// `_`
    #[token("_", priority = 20)]
    Underscore,
    /// `!`
    #[token("!", priority = 20)]
    Bang,
    /// `as`
    #[token("as", priority = 20)]
    As,
    /// `42`
    #[regex("[0-9]+", priority = 10)]
    Numeral,
    /// `4.2`
    #[regex(r"[0-9]+\.[0-9]+", priority = 10)]
    Decimal,
    /// `#xF0`
    #[regex("#x[0-9a-fA-F]+", priority = 10)]
    Hexadecimal,
    /// `#b01`
    #[regex("#b[01]+", priority = 10)]
    Binary,
    /// `"text"`; a quotation mark inside is doubled.
    #[regex("\"([^\"\\x00]|\"\")*\"")]
    Text,
    /// A symbol without bars.
    #[regex(
        r"[a-zA-Z~!@$%^&*_\-+=<>.?/][0-9a-zA-Z~!@$%^&*_\-+=<>.?/]*",
        priority = 5
    )]
    Symbol,
    /// A symbol between bars.
    #[regex(r"\|[^|\\\x00]*\|")]
    Quoted,
    /// `:named`
    #[regex(r":[0-9a-zA-Z~!@$%^&*_\-+=<>.?/]+", priority = 5)]
    Keyword,
    /// A number with letters after it, always an error.
    #[regex(r"[0-9][0-9a-zA-Z~!@$%^&*_\-+=<>.?/]*", priority = 1)]
    #[regex(r"#[0-9a-zA-Z~!@$%^&*_\-+=<>.?/]*", priority = 1)]
    Malformed,
}

/// The tokens of a text with their places.
#[derive(Debug, Clone)]
pub struct Lexer<'s> {
    inner: logos::Lexer<'s, Token>,
    /// Where the text starts in the input, after a byte order mark.
    base: u32,
    text: &'s str,
}

impl<'s> Lexer<'s> {
    /// The tokens of `text`, which is shorter than 4 GiB.
    pub fn new(text: &'s str) -> Self {
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        Lexer::starting_at(text, (text.len() - body.len()) as u32)
    }

    /// The tokens of `text` from `start` on, where one begins.
    pub(super) fn starting_at(text: &'s str, start: u32) -> Self {
        Lexer {
            inner: Token::lexer(&text[start as usize..]),
            base: start,
            text,
        }
    }

    /// The next token and its place; `None` at the end.
    ///
    /// # Errors
    /// The text at this place is no token. The lexer must not be used after that.
    #[inline]
    pub fn next_token(&mut self) -> Option<Result<(Token, Span), Box<SyntaxError>>> {
        let token = self.inner.next()?;
        let range = self.inner.span();
        let span = Span::new(self.base + range.start as u32, self.base + range.end as u32);
        Some(match token {
            Ok(token) if token != Token::Malformed => Ok((token, span)),
            _ => Err(self.refuse(token.is_ok(), span)),
        })
    }

    /// The error at a place: a literal that is malformed, or no token at all.
    #[cold]
    fn refuse(&self, malformed: bool, span: Span) -> Box<SyntaxError> {
        Box::new(if malformed {
            let text = self.text[span.range()].to_owned();
            SyntaxError::MalformedLiteral { text, span }
        } else {
            self.diagnose(span.start)
        })
    }

    /// The text of a token.
    pub fn slice(&self, span: Span) -> &'s str {
        &self.text[span.range()]
    }

    /// Where the text ends.
    pub fn end(&self) -> u32 {
        self.text.len() as u32
    }

    /// Says why there is no token at `start`.
    fn diagnose(&self, start: u32) -> SyntaxError {
        let rest = &self.text[start as usize..];
        let first = rest.chars().next().unwrap_or('\0');
        let at = |offset: usize, length: usize| {
            Span::new(start + offset as u32, start + (offset + length) as u32)
        };
        let opening = at(0, first.len_utf8());
        match first {
            '|' => match rest[1..].find(['|', '\\', '\0']).map(|found| found + 1) {
                Some(found) => SyntaxError::CharacterInSymbol {
                    character: rest[found..].chars().next().unwrap_or('\0'),
                    span: at(found, 1),
                },
                None => SyntaxError::UnterminatedSymbol { span: opening },
            },
            '"' => match rest.find('\0') {
                Some(found) => SyntaxError::StrayCharacter {
                    character: '\0',
                    span: at(found, 1),
                },
                None => SyntaxError::UnterminatedString { span: opening },
            },
            character => SyntaxError::StrayCharacter {
                character,
                span: opening,
            },
        }
    }
}

/// The text of a symbol token without its bars.
pub fn symbol_text(token: &str) -> &str {
    token
        .strip_prefix('|')
        .and_then(|inner| inner.strip_suffix('|'))
        .unwrap_or(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens of a text as `Kind:text`, or the error.
    fn lex(text: &str) -> String {
        let mut lexer = Lexer::new(text);
        let mut out = Vec::new();
        while let Some(token) = lexer.next_token() {
            match token {
                Ok((token, span)) => out.push(format!("{token:?}:{}", lexer.slice(span))),
                Err(error) => {
                    out.push(format!("error@{}: {error}", error.span().start));
                    break;
                }
            }
        }
        out.join(" ")
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(lex(text), expected, "tokens of {text:?}");
    }

    #[test]
    fn tokens() {
        check("(a)", "Open:( Symbol:a Close:)");
        check(
            "12 0 007 1.50",
            "Numeral:12 Numeral:0 Numeral:007 Decimal:1.50",
        );
        check("#xfF #b01", "Hexadecimal:#xfF Binary:#b01");
        check("\"a\"\"b\" \"\"", "Text:\"a\"\"b\" Text:\"\"");
        check("|a b\n(| ||", "Quoted:|a b\n(| Quoted:||");
        check(
            ":named :a.b-c",
            "Keyword:named Keyword::a.b-c"
                .replace("d:n", "d::n")
                .as_str(),
        );
        check(
            "let lets _ _a ! !a as par match",
            "Let:let Symbol:lets Underscore:_ Symbol:_a Bang:! Symbol:!a As:as Par:par Match:match",
        );
        check(
            "forall exists assert reset",
            "Forall:forall Exists:exists Symbol:assert Symbol:reset",
        );
        check("<= - + =>", "Symbol:<= Symbol:- Symbol:+ Symbol:=>");
        check("a;comment )\r\nb ; end", "Symbol:a Symbol:b");
        check(
            "a\t\r\n b\u{0}",
            "Symbol:a Symbol:b error@6: stray character U+0000",
        );
        check("\u{feff}(a", "Open:( Symbol:a");
        check("|é ü| \"→\"", "Quoted:|é ü| Text:\"→\"");
        check("", "");
        check(";", "");
    }

    #[test]
    fn errors() {
        check(
            "a |bc",
            "Symbol:a error@2: this quoted symbol is not closed: the second '|' is missing",
        );
        check(
            "a \"bc",
            "Symbol:a error@2: this string is not closed: the final '\"' is missing",
        );
        check("|b\\c|", "error@2: a quoted symbol cannot contain '\\'");
        check(
            "|b\u{0}c|",
            "error@2: a quoted symbol cannot contain U+0000",
        );
        check("12ab", "error@0: malformed literal `12ab`");
        check("1.2.3", "error@0: malformed literal `1.2.3`");
        check("#xg", "error@0: malformed literal `#xg`");
        check("#b12", "error@0: malformed literal `#b12`");
        check("# a", "error@0: malformed literal `#`");
        check("é", "error@0: stray character 'é' (U+00E9)");
        check("a {b}", "Symbol:a error@2: stray character '{' (U+007B)");
        check("a\u{feff}", "Symbol:a error@1: stray character U+FEFF");
        check(": a", "error@0: stray character ':' (U+003A)");
        check("'a'", "error@0: stray character ''' (U+0027)");
    }

    #[test]
    fn long_tokens_need_no_stack() {
        let comment = format!(";{}\n", "x".repeat(5_000_000));
        let symbol = format!("|{}|", "y ".repeat(2_500_000));
        let text = format!("{comment}{symbol} \"{}\"", "\"\"".repeat(2_500_000));
        let run = move || {
            let mut lexer = Lexer::new(&text);
            let mut count = 0;
            while let Some(token) = lexer.next_token() {
                token.expect("well formed");
                count += 1;
            }
            count
        };
        let thread = std::thread::Builder::new()
            .stack_size(64 * 1024)
            .spawn(run)
            .expect("a thread");
        assert_eq!(thread.join().expect("no overflow"), 2);
    }
}
