//! Commands that Z3 answers in scripts beside what concerns Horn systems, as steps.

use super::ast::{Command, SmtCommand};
use super::error::Issue;
use super::script::{Polarity, Question, Reader, Step, unsupported};
use crate::chc::Span;
use crate::term::Term;

impl Reader<'_, '_> {
    /// A question of Z3's.
    pub(super) fn question(&mut self, command: Command, span: Span) -> Result<Step, (Issue, Span)> {
        let place = match command {
            Command::Smt { name, .. }
            | Command::GetOption { name, .. }
            | Command::Unsupported { name } => name,
            _ => span,
        };
        if !self.questions {
            return Err(match command {
                Command::CheckSatAssuming => unsupported("check-sat-assuming", span),
                _ => unsupported(self.source.slice(place), place),
            });
        }
        let check = Step::Check {
            polarity: Polarity::Satisfiable,
            span,
        };
        Ok(Step::Question(match command {
            Command::CheckSatAssuming if self.ast.bodies.is_empty() => return Ok(check),
            Command::CheckSatAssuming => Question::Assuming,
            Command::GetOption { keyword, .. } => {
                let keyword = self.source.slice(keyword).to_owned();
                let value = self.options.get(&keyword).cloned();
                Question::Option(keyword, value)
            }
            Command::Smt { command, .. } => match command {
                SmtCommand::CheckSatUsing => return Ok(check),
                SmtCommand::GetValue => Question::Values(self.listed_terms()?),
                SmtCommand::Eval => Question::Eval(self.listed_term()?),
                SmtCommand::Simplify => Question::Simplify(self.listed_term()?),
                _ => Question::Other(self.source.slice(place).to_owned()),
            },
            _ => Question::Other(self.source.slice(place).to_owned()),
        }))
    }

    /// The terms that a command lists, and their texts.
    fn listed_terms(&mut self) -> Result<Vec<(Term, String)>, (Issue, Span)> {
        let (elaborator, ast, source) = (&mut self.elaborator, &self.ast, self.source);
        let listed = elaborator.listed_terms(ast, source);
        let listed = listed.map_err(|error| (Issue::Meaning(error.kind), error.span))?;
        let text = |(term, span)| (term, source.slice(span).to_owned());
        Ok(listed.into_iter().map(text).collect())
    }

    /// The term of a command that has one.
    fn listed_term(&mut self) -> Result<Term, (Issue, Span)> {
        let mut terms = self.listed_terms()?;
        let (term, _) = terms.pop().expect("the grammar demands a term");
        Ok(term)
    }
}
