//! The tokens of one command: where it begins and ends, which symbol names it, and what it means
//! that the input ends before.

use super::lexeme::{CommandWord, Lexeme};
use super::message::abbreviate;
use crate::chc::Span;
use crate::smtlib::error::SyntaxError;
use crate::smtlib::lexer::{Lexer, Token, symbol_text};
use crate::term::Terms;

/// The tokens of one command, from its parenthesis to the matching one.
pub(super) struct Tokens<'a, 's> {
    lexer: &'a mut Lexer<'s>,
    terms: &'a Terms,
    /// The first token, which has been taken from the lexer.
    opening: Span,
    /// How many tokens have been handed out.
    count: usize,
    depth: u32,
    /// Whether the source ends in bytes that are not UTF-8.
    broken: bool,
    /// Where the last token ends.
    end: &'a mut u32,
}

impl<'a, 's> Tokens<'a, 's> {
    /// The tokens of the command that `opening`, taken from the lexer, begins. `broken` tells
    /// whether the source ends in bytes that are not UTF-8; where the last token ends goes to
    /// `end`.
    pub(super) fn new(
        lexer: &'a mut Lexer<'s>,
        terms: &'a Terms,
        opening: Span,
        broken: bool,
        end: &'a mut u32,
    ) -> Self {
        Tokens {
            lexer,
            terms,
            opening,
            count: 0,
            depth: 0,
            broken,
            end,
        }
    }

    fn lexeme(&mut self, token: Token, span: Span) -> Result<Lexeme, Box<SyntaxError>> {
        Ok(match token {
            Token::Open => {
                self.depth += 1;
                Lexeme::Open
            }
            Token::Close => {
                self.depth -= 1;
                Lexeme::Close
            }
            Token::Symbol if self.count == 1 => self.command(span)?,
            Token::Symbol => Lexeme::Symbol(self.terms.symbol(self.lexer.slice(span))),
            Token::Quoted => Lexeme::Symbol(self.terms.symbol(symbol_text(self.lexer.slice(span)))),
            Token::Let => Lexeme::Let,
            Token::Forall => Lexeme::Forall,
            Token::Exists => Lexeme::Exists,
            Token::Match => Lexeme::Match,
            Token::Par => Lexeme::Par,
            Token::Underscore => Lexeme::Underscore,
            Token::Bang => Lexeme::Bang,
            Token::As => Lexeme::As,
            Token::Numeral => Lexeme::Numeral,
            Token::Decimal => Lexeme::Decimal,
            Token::Hexadecimal => Lexeme::Hexadecimal,
            Token::Binary => Lexeme::Binary,
            Token::Text => Lexeme::Text,
            Token::Keyword => Lexeme::Keyword,
            Token::Malformed => unreachable!("the lexer makes an error of it"),
        })
    }

    /// The first symbol of a command.
    fn command(&self, span: Span) -> Result<Lexeme, Box<SyntaxError>> {
        let name = self.lexer.slice(span);
        match CommandWord::of(name) {
            Some(word) => Ok(Lexeme::Command(word)),
            None => {
                let name = abbreviate(name);
                Err(SyntaxError::UnknownCommand { name, span }.into())
            }
        }
    }

    /// The input ends within a command: why?
    #[cold]
    fn end_of_input(&self) -> Box<SyntaxError> {
        let end = self.lexer.end();
        Box::new(if self.broken {
            SyntaxError::NotUtf8 {
                span: Span::new(end, end),
            }
        } else {
            SyntaxError::Unclosed {
                depth: self.depth,
                span: self.opening,
            }
        })
    }
}

impl Iterator for Tokens<'_, '_> {
    type Item = Result<(u32, Lexeme, u32), Box<SyntaxError>>;

    fn next(&mut self) -> Option<Self::Item> {
        let (token, span) = if self.count == 0 {
            (Token::Open, self.opening)
        } else if self.depth == 0 {
            return None;
        } else {
            match self.lexer.next_token() {
                Some(Ok(found)) => found,
                Some(Err(error)) => return Some(Err(error)),
                None => return Some(Err(self.end_of_input())),
            }
        };
        let lexeme = self.lexeme(token, span);
        self.count += 1;
        *self.end = span.end;
        Some(lexeme.map(|lexeme| (span.start, lexeme, span.end)))
    }
}
