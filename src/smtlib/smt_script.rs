//! Scripts for SMT solvers: assertions of any shape, and the questions about them.
//!
//! An [`SmtReader`] carries out declarations and definitions, makes terms of everything else, and
//! passes each command to its caller as an [`SmtStep`], in the order of the file. It keeps no
//! assertions: the caller keeps their stack, and receives every `push` and `pop`. [`super::Reader`]
//! reads Horn systems with the same syntax and another meaning: here `(declare-fun p () Bool)` is a
//! constant, there it is a predicate.
//!
//! Missing: `define-fun-rec` of functions that really recurse, `:global-declarations`.

use super::ast::{Ast, Attribute, AttributeValue, Command, Range, SmtCommand};
use super::elab::{Dialect, ElabError, ElabErrorKind, Elaborator, Uninterpreted, place};
use super::error::{Issue, ReadError, SyntaxError};
use super::parts::{SmtParts, arrange};
use super::recovery::Recovery;
use super::script::{MAX_LEVELS, define, level_count, string_value, unsupported};
use super::source::Source;
use super::stream::Commands;
use crate::chc::Span;
use crate::term::{Symbol, Term, Terms};

/// A command, what it speaks of already made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SmtStep {
    /// A declaration or definition: it is in force.
    Declared,
    /// `assert`
    Assert {
        /// The formula.
        formula: Term,
        /// The value of its `:named` attribute.
        name: Option<Symbol>,
        /// The formula's text.
        text: Span,
    },
    /// `push`: this number of scopes is opened.
    Push(u32),
    /// `pop`: this number of scopes is closed; at least as many were open.
    Pop(u32),
    /// `check-sat`, or `check-sat-assuming` with its formulas and their texts. More than the
    /// standard's literals are taken.
    Check(Vec<(Term, Span)>),
    /// `get-model`
    GetModel,
    /// `get-value`, with the terms and their texts.
    GetValue(Vec<(Term, Span)>),
    /// Z3's `eval`: a term, whose value the script wants.
    Eval(Term),
    /// Z3's `simplify`: a term, which is as simple as its store makes it.
    Simplify(Term),
    /// `get-unsat-core`
    GetUnsatCore,
    /// `get-unsat-assumptions`
    GetUnsatAssumptions,
    /// `get-proof`
    GetProof,
    /// SMTInterpol's `get-interpolants`: a sequence or a tree of parts.
    GetInterpolants(SmtParts),
    /// `get-assertions`
    GetAssertions,
    /// `get-info`, with its keyword, such as `:reason-unknown`.
    GetInfo(String),
    /// `echo`: print this text.
    Echo(String),
    /// `set-logic`
    SetLogic(String),
    /// `set-info`
    SetInfo,
    /// `set-option`, one that is known.
    SetOption(SmtOption),
    /// `reset`: nothing is asserted, declared, or set by an option.
    Reset,
    /// `reset-assertions`: nothing is asserted or declared.
    ResetAssertions,
    /// A command of the standard, or an option, that means nothing here: with what it is.
    Unsupported(String),
    /// `exit`: no step follows.
    Exit,
}

/// Options of scripts that mean something here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmtOption {
    /// `:timeout` of Z3, or `:tlimit-per` of cvc5: milliseconds for each check. `None` takes the
    /// limit away.
    Timeout(Option<u64>),
    /// `:rlimit` of Z3, for each check: the units of [`super::TICKS_OF_RLIMIT`] ticks. 0 is no
    /// limit.
    Rlimit(u64),
    /// `:print-success`
    PrintSuccess(bool),
    /// `:produce-models`
    ProduceModels(bool),
    /// `:produce-unsat-cores`
    ProduceUnsatCores(bool),
    /// `:produce-unsat-assumptions`
    ProduceUnsatAssumptions(bool),
    /// `:produce-proofs`
    ProduceProofs(bool),
    /// `:produce-interpolants` of SMTInterpol.
    ProduceInterpolants(bool),
    /// `:interpolants`
    Interpolants(SmtInterpolants),
}

/// Which interpolants a script asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmtInterpolants {
    /// `strong`: near to what comes first.
    Strong,
    /// `weak`: near to the negation of what comes last.
    Weak,
    /// `decomposed`: strong, with sums of inequalities taken apart where that can be.
    Decomposed,
}

/// Reads a script, step by step.
pub struct SmtReader<'t, 's> {
    t: &'t Terms,
    source: &'s Source,
    commands: Commands<'s>,
    ast: Ast,
    elaborator: Elaborator<'t>,
    /// The constants and functions in force, in the order of their declarations.
    declared: Vec<Uninterpreted>,
    /// How many were declared at each `push`.
    levels: Vec<usize>,
    ended: bool,
    recovery: Recovery,
}

/// An issue at its place.
type Wrong = (Issue, Span);

fn elaborated(error: ElabError) -> Wrong {
    (Issue::Meaning(error.kind), error.span)
}

fn wrong(message: impl Into<String>, span: Span) -> Wrong {
    elaborated(ElabErrorKind::Command(message.into()).at(span))
}

impl<'t, 's> SmtReader<'t, 's> {
    /// A reader at the beginning of a source.
    pub fn new(t: &'t Terms, source: &'s Source) -> Self {
        SmtReader {
            t,
            source,
            commands: Commands::new(source),
            ast: Ast::new(t),
            elaborator: Elaborator::new(t, Dialect::Smt),
            declared: Vec::new(),
            levels: Vec::new(),
            ended: false,
            recovery: Recovery::default(),
        }
    }

    /// Goes on with another part of the script, at whose beginning a command begins, when all of
    /// the part before has been read. After an error or `exit` nothing follows.
    pub fn continue_with(&mut self, source: &'s Source) {
        self.source = source;
        self.commands = Commands::new(source);
    }

    /// Goes on behind the command of this error, which was the last one, as if it were not there.
    /// Answers whether this can be done: nothing is behind a command that is not closed, and a
    /// declaration of which a part is in force cannot be taken back.
    pub fn recover(&mut self, error: &ReadError) -> bool {
        let text = (&mut self.ast, self.source);
        let (elaborator, commands) = (&mut self.elaborator, &mut self.commands);
        self.ended = !self.recovery.go_on(error, elaborator, commands, text);
        !self.ended
    }

    /// Was an assertion or a declaration left out by [`recover`](Self::recover) that may be right?
    /// Then satisfiability of what was read says nothing about the script.
    pub fn is_incomplete(&self) -> bool {
        self.recovery.is_incomplete()
    }

    /// The declared constants and functions in force after the last step, in the order of their
    /// declarations.
    pub fn declared(&self) -> &[Uninterpreted] {
        &self.declared
    }

    /// Carries out the next command, as far as it is not the caller's; `None` at the end of the
    /// source. The span is the command's.
    ///
    /// # Errors
    /// What is wrong with the command. The reader is at its end then, unless it recovers.
    pub fn next_step(&mut self) -> Result<Option<(SmtStep, Span)>, ReadError> {
        if self.ended {
            return Ok(None);
        }
        let step = self.next_command();
        self.ended = matches!(step, Err(_) | Ok(Some((SmtStep::Exit, _))));
        step.map_err(|(issue, span)| ReadError::new(self.source, issue, span))
    }

    fn next_command(&mut self) -> Result<Option<(SmtStep, Span)>, Wrong> {
        let wrong = |error: Box<SyntaxError>| {
            let span = error.span();
            (Issue::Syntax(*error), span)
        };
        let next = self.commands.next_command(&mut self.ast, self.t);
        let Some((command, span)) = next.map_err(wrong)? else {
            return Ok(None);
        };
        let step = self.execute(command, span);
        if step.is_err() {
            self.recovery.note_failure(command);
        }
        Ok(Some((step?, span)))
    }

    fn execute(&mut self, command: Command, span: Span) -> Result<SmtStep, Wrong> {
        let text = |span| self.source.slice(span).to_owned();
        Ok(match command {
            Command::Assert { term } => return self.assert(term),
            Command::CheckSat => SmtStep::Check(Vec::new()),
            Command::CheckSatAssuming => {
                let assumptions = self.listed_terms()?;
                for &(term, span) in &assumptions {
                    let sort = self.t.sort_of(term);
                    if sort != crate::term::Sort::BOOL {
                        let sort = self.t.display_sort(sort);
                        return Err(wrong(format!("an assumption of sort {sort}"), span));
                    }
                }
                SmtStep::Check(assumptions)
            }
            Command::Push { levels } => return self.push(levels),
            Command::Pop { levels } => return self.pop(levels, span),
            Command::Reset | Command::ResetAssertions => {
                self.elaborator = Elaborator::new(self.t, Dialect::Smt);
                self.declared.clear();
                self.levels.clear();
                self.recovery.forget_assertions();
                match command {
                    Command::Reset => SmtStep::Reset,
                    _ => SmtStep::ResetAssertions,
                }
            }
            Command::Exit => SmtStep::Exit,
            Command::GetModel => SmtStep::GetModel,
            Command::GetProof => SmtStep::GetProof,
            Command::GetInfo { keyword } => SmtStep::GetInfo(text(keyword)),
            Command::Echo { text: literal } => SmtStep::Echo(string_value(&text(literal))),
            Command::SetLogic { name } => SmtStep::SetLogic(self.t.name(name.symbol).to_owned()),
            Command::SetInfo { .. } => SmtStep::SetInfo,
            Command::SetOption { attribute } => return self.set_option(attribute),
            Command::Smt { command, .. } => match command {
                SmtCommand::CheckSatUsing => SmtStep::Check(Vec::new()),
                SmtCommand::Eval => SmtStep::Eval(self.listed_term()?),
                SmtCommand::Simplify => SmtStep::Simplify(self.listed_term()?),
                SmtCommand::GetAssertions => SmtStep::GetAssertions,
                SmtCommand::GetInterpolants => SmtStep::GetInterpolants(self.parts()?),
                SmtCommand::GetUnsatAssumptions => SmtStep::GetUnsatAssumptions,
                SmtCommand::GetUnsatCore => SmtStep::GetUnsatCore,
                SmtCommand::GetValue => SmtStep::GetValue(self.listed_terms()?),
            },
            Command::GetOption { name, .. } | Command::Unsupported { name } => {
                SmtStep::Unsupported(text(name))
            }
            Command::DeclareRel { .. } => return Err(unsupported("declare-rel", span)),
            Command::DeclareVar { .. } => return Err(unsupported("declare-var", span)),
            Command::Rule { .. } => return Err(unsupported("rule", span)),
            Command::Query { .. } => return Err(unsupported("query", span)),
            declaration => {
                self.declare(declaration).map_err(elaborated)?;
                SmtStep::Declared
            }
        })
    }

    /// Carries out a declaration or definition.
    fn declare(&mut self, command: Command) -> Result<(), ElabError> {
        let (elaborator, ast, source) = (&mut self.elaborator, &self.ast, self.source);
        let (name, arguments, result) = match command {
            Command::DeclareConst { name, sort } => (name, Range::default(), sort),
            Command::DeclareFun {
                name,
                arguments,
                result,
            } => (name, arguments, result),
            other => return define(elaborator, ast, source, other),
        };
        elaborator.prepare(ast, source)?;
        let arguments = &ast.sort_arguments[arguments.indices()];
        let declared = elaborator.declare_symbol(name, arguments, result)?;
        self.declared.push(declared);
        Ok(())
    }

    fn assert(&mut self, code: Range) -> Result<SmtStep, Wrong> {
        let (elaborator, ast) = (&mut self.elaborator, &mut self.ast);
        elaborator.prepare(ast, self.source).map_err(elaborated)?;
        let text = place(ast, code);
        let assertion = elaborator.assertion(ast, self.source, code);
        let assertion = assertion.map_err(elaborated)?;
        Ok(SmtStep::Assert {
            formula: assertion.formula,
            name: assertion.name,
            text,
        })
    }

    /// The terms that the command lists, and their places.
    fn listed_terms(&mut self) -> Result<Vec<(Term, Span)>, Wrong> {
        let listed = self.elaborator.listed_terms(&self.ast, self.source);
        listed.map_err(elaborated)
    }

    /// The term of a command that has one.
    fn listed_term(&mut self) -> Result<Term, Wrong> {
        let mut terms = self.listed_terms()?;
        let (term, _) = terms.pop().expect("the grammar demands a term");
        Ok(term)
    }

    /// The parts of `get-interpolants`.
    fn parts(&self) -> Result<SmtParts, Wrong> {
        arrange(self.t, &self.ast.parts).map_err(|(message, span)| wrong(message, span))
    }

    fn push(&mut self, levels: Option<Span>) -> Result<SmtStep, Wrong> {
        let count = level_count(self.source, levels).map_err(elaborated)?;
        if self.levels.len() + count as usize > MAX_LEVELS {
            let kind = ElabErrorKind::NotSupported(format!("more than {MAX_LEVELS} scopes"));
            return Err(elaborated(kind.at(levels.unwrap_or_default())));
        }
        for _ in 0..count {
            self.levels.push(self.declared.len());
            self.elaborator.push();
        }
        Ok(SmtStep::Push(count))
    }

    fn pop(&mut self, levels: Option<Span>, span: Span) -> Result<SmtStep, Wrong> {
        let count = level_count(self.source, levels).map_err(elaborated)?;
        if count as usize > self.levels.len() {
            let message = format!("pop of {count} with {} scopes open", self.levels.len());
            return Err(wrong(message, levels.unwrap_or(span)));
        }
        for _ in 0..count {
            let declared = self.levels.pop().expect("the count was checked");
            self.declared.truncate(declared);
            self.elaborator.pop();
        }
        Ok(SmtStep::Pop(count))
    }

    fn set_option(&self, attribute: Attribute) -> Result<SmtStep, Wrong> {
        let keyword = self.source.slice(attribute.keyword);
        let place = attribute.value.map_or(attribute.keyword, |v| v.span);
        let value = attribute
            .value
            .map_or("", |AttributeValue { span, .. }| self.source.slice(span));
        let switch = |option: fn(bool) -> SmtOption| match value {
            "true" => Ok(option(true)),
            "false" => Ok(option(false)),
            _ => Err(wrong(format!("{keyword} is true or false"), place)),
        };
        // Solvers have different numbers that stand for no limit.
        let milliseconds = |unlimited: u64| match value.parse() {
            Ok(number) => Ok(SmtOption::Timeout(Some(number).filter(|&n| n != unlimited))),
            Err(_) => Err(wrong(format!("{keyword} is a number"), place)),
        };
        let option = match keyword {
            ":timeout" => milliseconds(u64::from(u32::MAX)),
            ":tlimit-per" => milliseconds(0),
            ":rlimit" => match value.parse() {
                Ok(units) => Ok(SmtOption::Rlimit(units)),
                Err(_) => Err(wrong(format!("{keyword} is a number"), place)),
            },
            ":print-success" => switch(SmtOption::PrintSuccess),
            ":produce-models" => switch(SmtOption::ProduceModels),
            ":produce-unsat-cores" => switch(SmtOption::ProduceUnsatCores),
            ":produce-unsat-assumptions" => switch(SmtOption::ProduceUnsatAssumptions),
            ":produce-proofs" => switch(SmtOption::ProduceProofs),
            ":produce-interpolants" => switch(SmtOption::ProduceInterpolants),
            ":interpolants" => match value {
                "strong" => Ok(SmtOption::Interpolants(SmtInterpolants::Strong)),
                "weak" => Ok(SmtOption::Interpolants(SmtInterpolants::Weak)),
                "decomposed" => Ok(SmtOption::Interpolants(SmtInterpolants::Decomposed)),
                _ => Err(wrong(
                    format!("{keyword} is strong, weak or decomposed"),
                    place,
                )),
            },
            _ => return Ok(SmtStep::Unsupported(keyword.to_owned())),
        };
        option.map(SmtStep::SetOption)
    }
}
