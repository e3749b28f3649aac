//! Going on behind a command with an error, as Z3 does.

use super::ast::{Ast, Command};
use super::elab::Elaborator;
use super::error::{Issue, ReadError};
use super::source::Source;
use super::stream::Commands;

/// What the commands that failed leave behind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Recovery {
    /// Has a command failed of which a part is in force?
    is_broken: bool,
    /// Was an assertion or a declaration left out that may be right?
    is_incomplete: bool,
}

impl Recovery {
    /// Takes note of a command that failed.
    pub(super) fn note_failure(&mut self, command: Command) {
        self.is_broken |= is_of_parts(command);
    }

    /// Goes on behind the command of this error, which was the last one, as if it were not there.
    /// Answers whether this can be done: nothing is behind a command that is not closed, and a
    /// declaration of which a part is in force cannot be taken back.
    pub(super) fn go_on(
        &mut self,
        error: &ReadError,
        elaborator: &mut Elaborator<'_>,
        commands: &mut Commands<'_>,
        (ast, source): (&mut Ast, &Source),
    ) -> bool {
        let is_unread = matches!(error.issue(), Issue::Syntax(_));
        elaborator.recover();
        let failed = commands.recover(ast, is_unread);
        let asserts = failed.is_some_and(|span| asserts(source.slice(span)));
        self.is_incomplete |= asserts && error.issue().may_be_right();
        !self.is_broken && failed.is_some()
    }

    /// Was an assertion or a declaration left out that may be right? Then satisfiability of what
    /// was read says nothing about the script.
    pub(super) fn is_incomplete(self) -> bool {
        self.is_incomplete
    }

    /// All assertions are forgotten; what was left out matters no more.
    pub(super) fn forget_assertions(&mut self) {
        self.is_incomplete = false;
    }
}

/// Is the text a command that asserts or declares something?
fn asserts(command: &str) -> bool {
    let word = command.strip_prefix('(').unwrap_or(command).trim_start();
    ["assert", "declare-", "define-", "rule"]
        .iter()
        .any(|start| word.starts_with(start))
}

/// Does a command declare several things, of which some are in force when one of them fails?
fn is_of_parts(command: Command) -> bool {
    matches!(
        command,
        Command::DeclareDatatypes { .. } | Command::DefineFunsRec
    )
}
