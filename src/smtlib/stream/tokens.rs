//! The tokens of a group of commands: where each begins and ends, which symbol names it, and what
//! it means that the input ends before.

use super::lexeme::{CommandWord, Lexeme};
use super::message::abbreviate;
use crate::chc::Span;
use crate::smtlib::error::SyntaxError;
use crate::smtlib::lexer::{Lexer, Token, symbol_text};
use crate::term::Terms;

/// The tokens of a group of commands, from its first parenthesis to the matching one of the last
/// command.
pub(super) struct Tokens<'a, 's> {
    lexer: &'a mut Lexer<'s>,
    terms: &'a Terms,
    /// The first token of the command at hand, which has been taken from the lexer.
    opening: Span,
    /// How many tokens of the command at hand have been handed out.
    count: usize,
    depth: u32,
    /// Whether the source ends in bytes that are not UTF-8.
    broken: bool,
    /// Whether the command at hand may be of a group.
    grouped: bool,
    /// Commands of the group begin before this place.
    end_of_group: u32,
}

impl<'a, 's> Tokens<'a, 's> {
    /// The tokens of the group that `opening`, taken from the lexer, begins. `broken` tells whether
    /// the source ends in bytes that are not UTF-8. A command that begins `group` bytes after
    /// `opening` is not of the group any more.
    pub(super) fn new(
        lexer: &'a mut Lexer<'s>,
        terms: &'a Terms,
        opening: Span,
        broken: bool,
        group: u32,
    ) -> Self {
        Tokens {
            lexer,
            terms,
            opening,
            count: 0,
            depth: 0,
            broken,
            grouped: false,
            end_of_group: opening.start.saturating_add(group),
        }
    }

    /// The next token of the command at hand, or the first one of the next command.
    #[inline]
    fn next_token(&mut self) -> Option<Result<(Token, Span), Box<SyntaxError>>> {
        if self.depth > 0 {
            let next = self.lexer.next_token();
            return Some(next.unwrap_or_else(|| Err(self.end_of_input())));
        }
        let is_first = self.count == 0;
        (is_first || self.begin_next()).then_some(Ok((Token::Open, self.opening)))
    }

    /// Goes on to the next command if it belongs to the group. If not, its tokens are left to the
    /// next group, and with them what may be wrong about them.
    #[inline(never)]
    fn begin_next(&mut self) -> bool {
        if !self.grouped {
            return false;
        }
        let mut ahead = self.lexer.clone();
        let Some(Ok((Token::Open, opening))) = ahead.next_token() else {
            return false;
        };
        let begun = ahead.clone();
        let belongs = match ahead.next_token() {
            Some(Ok((Token::Symbol, span))) if opening.start < self.end_of_group => {
                CommandWord::of(ahead.slice(span)).is_some_and(CommandWord::is_grouped)
            }
            _ => false,
        };
        if belongs {
            *self.lexer = begun;
            self.opening = opening;
            self.count = 0;
        }
        belongs
    }

    /// The token as the grammar sees it.
    #[inline]
    fn lexeme(&mut self, token: Token, span: Span) -> Result<Lexeme, Box<SyntaxError>> {
        let name = match token {
            Token::Open => {
                self.depth += 1;
                return Ok(Lexeme::Plain(token));
            }
            Token::Close => {
                self.depth -= 1;
                return Ok(Lexeme::Plain(token));
            }
            Token::Symbol if self.count == 1 => return self.command(span),
            Token::Symbol => self.lexer.slice(span),
            Token::Quoted => symbol_text(self.lexer.slice(span)),
            _ => return Ok(Lexeme::Plain(token)),
        };
        Ok(Lexeme::Symbol(self.terms.symbol(name)))
    }

    /// The first symbol of a command.
    fn command(&mut self, span: Span) -> Result<Lexeme, Box<SyntaxError>> {
        let name = self.lexer.slice(span);
        match CommandWord::of(name) {
            Some(word) => {
                self.grouped = word.is_grouped();
                Ok(Lexeme::Command(word))
            }
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

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let lexeme = match self.next_token()? {
            Ok((token, span)) => (self.lexeme(token, span)).map(|it| (span.start, it, span.end)),
            Err(error) => Err(error),
        };
        self.count += 1;
        Some(lexeme)
    }
}
