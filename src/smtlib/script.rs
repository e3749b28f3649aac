//! Scripts: what the commands of a file do to the system of clauses, and what they ask.
//!
//! A [`Reader`] carries out declarations, assertions and `push`/`pop`/`reset` by itself and hands
//! every other command to its caller as a [`Step`], in the order of the file; between steps
//! [`Reader::system`] is the system so far. What stands before an error takes effect before the
//! error is returned.
//!
//! In Z3's rule dialect `(query p)` asks whether `p` can be derived: `sat` means that it can, so
//! the system with the clause `false ← p` is unsatisfiable: see [`Polarity`].

use super::ast::{Ast, Attribute, AttributeValue, Command, Name, Op, Range};
use super::elab::{Dialect, ElabError, ElabErrorKind, Elaborator};
use super::error::{Issue, ReadError, SyntaxError};
use super::recovery::Recovery;
use super::source::Source;
use super::stream::Commands;
use crate::chc::horn::{HornError, HornErrorKind, Normaliser};
use crate::chc::{Atom, Clause, Origin, PredId, Predicate, Span, System};
use crate::term::{FuncId, Sort, Symbol, Term, Terms};
use std::collections::BTreeMap;

/// A command that the caller carries out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Decide the system as it is now and print the verdict, turned round where the polarity says
    /// so.
    Check {
        /// What `sat` means.
        polarity: Polarity,
        /// The command.
        span: Span,
    },
    /// `get-model`
    GetModel,
    /// `get-proof`
    GetProof,
    /// `get-info`, with its keyword, such as `:reason-unknown`.
    GetInfo(String),
    /// `echo`: print this text.
    Echo(String),
    /// `set-logic`
    SetLogic(String),
    /// `set-info`: keyword and value as text.
    SetInfo(String, String),
    /// `set-option`, one that is known.
    SetOption(ScriptOption),
    /// `push`: this number of scopes was opened.
    Push(u32),
    /// `pop`: this number of scopes was closed.
    Pop(u32),
    /// `reset` or `reset-assertions`: the system is empty; `true` if options are forgotten too.
    Reset(bool),
    /// A question of Z3's, see [`Reader::with_questions`].
    Question(Question),
    /// `exit`: no step follows.
    Exit,
}

/// A question of a script in Z3's commands, see [`Reader::with_questions`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// `get-value`: terms with their texts.
    Values(Vec<(Term, String)>),
    /// `eval`: a term, whose value the script wants.
    Eval(Term),
    /// `simplify`: a term, which is as simple as its store makes it.
    Simplify(Term),
    /// `get-option`: the keyword, and the value that the script has set.
    Option(String, Option<String>),
    /// `check-sat-assuming` with assumptions.
    Assuming,
    /// Another command, by its name.
    Other(String),
}

/// What the answer `sat` to a check means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// `check-sat`: the system is satisfiable.
    Satisfiable,
    /// `query`: the goal can be derived, that is, the system with the goal's negation is
    /// unsatisfiable.
    Reachable,
}

/// Ticks for each unit of Z3's resource limit. Over some queries of the Solidity compiler Z3 spends
/// about 15,000,000 units in a second, which are about as many ticks.
pub const TICKS_OF_RLIMIT: u64 = 2;

/// Options of scripts that mean something here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptOption {
    /// `:timeout` in milliseconds, for each check.
    Timeout(u64),
    /// `:rlimit`, for each check: the units of [`TICKS_OF_RLIMIT`] ticks. 0 is no limit.
    Rlimit(u64),
    /// `:produce-models`
    ProduceModels(bool),
    /// `:produce-proofs`
    ProduceProofs(bool),
}

/// Something that the user may want to know and that is no error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What.
    pub message: String,
    /// Where.
    pub span: Span,
}

/// What a scope must take back.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScopeStart {
    clauses: usize,
    preds: usize,
}

/// More scopes than this are refused.
pub(super) const MAX_LEVELS: usize = 1_000_000;

/// Reads a script, step by step.
pub struct Reader<'t, 's> {
    pub(super) t: &'t Terms,
    pub(super) source: &'s Source,
    /// The number of bytes in the parts of the script before the source.
    pub(super) before: u32,
    pub(super) commands: Commands<'s>,
    pub(super) ast: Ast,
    pub(super) elaborator: Elaborator<'t>,
    pub(super) normaliser: Normaliser,
    pub(super) system: System,
    pub(super) levels: Vec<ScopeStart>,
    pub(super) notes: Vec<Note>,
    /// The clause of a query, which goes before the next command.
    pub(super) query: Option<usize>,
    pub(super) ended: bool,
    /// Are Z3's questions handed out? They are errors otherwise.
    pub(super) questions: bool,
    /// The options that the script has set, as text.
    pub(super) options: BTreeMap<String, String>,
    /// The place of the last command.
    pub(super) place: Span,
    pub(super) recovery: Recovery,
}

/// The system of a file: as it is at its first check, or at its end if it has none.
///
/// ```
/// use horn::smtlib::{Source, read_system};
/// use horn::term::Terms;
///
/// let text = "
///     (declare-fun p (Int) Bool)
///     (assert (p 0))
///     (assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))";
/// let t = Terms::new();
/// let system = read_system(&t, &Source::from_text("text", text)).expect("it is Horn");
/// assert_eq!((system.preds.len(), system.clauses.len()), (1, 2));
///
/// // Two heads are not Horn; the error knows where.
/// let text = "(declare-fun p (Int) Bool) (assert (or (p 0) (p 1)))";
/// let error = read_system(&t, &Source::from_text("text", text)).expect_err("two heads");
/// assert!(error.smtlib_text().starts_with("(error \"line 1 column"));
/// ```
/// # Errors
/// The text before is not SMT-LIB, not well sorted, not Horn, or not supported.
pub fn read_system(t: &Terms, source: &Source) -> Result<System, ReadError> {
    let mut reader = Reader::new(t, source);
    while let Some(step) = reader.next_step()? {
        if matches!(step, Step::Check { .. }) {
            break;
        }
    }
    Ok(reader.into_system())
}

impl<'t, 's> Reader<'t, 's> {
    /// A reader at the beginning of a source.
    pub fn new(t: &'t Terms, source: &'s Source) -> Self {
        Reader::with_declarations(Elaborator::new(t, Dialect::Horn), t, source)
    }

    /// A reader at the beginning of a source with these declarations, and no clause.
    pub(super) fn with_declarations(
        elaborator: Elaborator<'t>,
        t: &'t Terms,
        source: &'s Source,
    ) -> Self {
        Reader {
            t,
            source,
            before: 0,
            commands: Commands::new(source),
            ast: Ast::new(t),
            elaborator,
            normaliser: Normaliser::new(),
            system: System::default(),
            levels: Vec::new(),
            notes: Vec::new(),
            query: None,
            ended: false,
            questions: false,
            options: BTreeMap::new(),
            place: Span::default(),
            recovery: Recovery::default(),
        }
    }

    /// The same reader, which hands out Z3's questions as steps.
    #[must_use]
    pub fn with_questions(self, questions: bool) -> Self {
        Reader { questions, ..self }
    }

    /// The place of the command of the last step, in the part at hand.
    pub fn place(&self) -> Span {
        self.place
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

    /// Goes on with another part of the script, at whose beginning a command begins, when all of
    /// the part before has been read. Places in the system and in notes are those in the whole
    /// script; places of errors are those in the part. Nothing follows an error or `exit`.
    pub fn continue_with(&mut self, source: &'s Source) {
        let length = u32::try_from(self.source.text().len()).unwrap_or(u32::MAX);
        self.before = self.before.saturating_add(length);
        self.source = source;
        self.commands = Commands::new(source);
        self.ended = false;
    }

    /// The system as it is after the last step.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The system as it is after the last step.
    pub fn into_system(self) -> System {
        self.system
    }

    /// The notes since they were last taken.
    pub fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }

    /// Carries out commands up to the next one that is the caller's; `None` at the end.
    ///
    /// # Errors
    /// What is wrong with the next command. The reader is at its end then, unless it recovers.
    pub fn next_step(&mut self) -> Result<Option<Step>, ReadError> {
        if let Some(clauses) = self.query.take() {
            self.system.clauses.truncate(clauses);
        }
        while !self.ended {
            match self.next_command() {
                Ok(Some(step)) => return Ok(Some(step)),
                Ok(None) => {}
                Err((issue, span)) => {
                    self.ended = true;
                    return Err(ReadError::new(self.source, issue, span));
                }
            }
        }
        Ok(None)
    }

    fn next_command(&mut self) -> Result<Option<Step>, (Issue, Span)> {
        let next = self.commands.next_command(&mut self.ast, self.t);
        let wrong = |error: Box<SyntaxError>| {
            let span = error.span();
            (Issue::Syntax(*error), span)
        };
        let Some((command, span)) = next.map_err(wrong)? else {
            self.ended = true;
            return Ok(None);
        };
        self.place = span;
        let step = self.execute(command, span);
        if step.is_err() {
            self.recovery.note_failure(command);
        }
        step
    }

    fn execute(&mut self, command: Command, span: Span) -> Result<Option<Step>, (Issue, Span)> {
        let elaborated = |error: ElabError| (Issue::Meaning(error.kind), error.span);
        match command {
            Command::Assert { term } => self.assert(term, None, span, false)?,
            Command::Rule { term, name } => {
                self.assert(term, name.map(|name| name.symbol), span, false)?
            }
            Command::Query { goal } => return self.query(goal, span).map(Some),
            Command::CheckSat => {
                return Ok(Some(Step::Check {
                    polarity: Polarity::Satisfiable,
                    span,
                }));
            }
            Command::Push { levels } => return self.push(levels).map_err(elaborated).map(Some),
            Command::Pop { levels } => return self.pop(levels, span).map_err(elaborated).map(Some),
            Command::Reset => return Ok(Some(self.reset(true))),
            Command::ResetAssertions => return Ok(Some(self.reset(false))),
            Command::Exit => {
                self.ended = true;
                return Ok(Some(Step::Exit));
            }
            Command::GetModel => return Ok(Some(Step::GetModel)),
            Command::GetProof => return Ok(Some(Step::GetProof)),
            Command::GetInfo { keyword } => {
                return Ok(Some(Step::GetInfo(self.source.slice(keyword).to_owned())));
            }
            Command::Echo { text } => {
                return Ok(Some(Step::Echo(string_value(self.source.slice(text)))));
            }
            Command::SetLogic { name } => {
                return Ok(Some(Step::SetLogic(self.t.name(name.symbol).to_owned())));
            }
            Command::SetInfo { attribute } => {
                let (keyword, value) = self.attribute(attribute);
                return Ok(Some(Step::SetInfo(keyword, value)));
            }
            Command::SetOption { attribute } => return Ok(self.set_option(attribute, span)),
            Command::CheckSatAssuming
            | Command::GetOption { .. }
            | Command::Smt { .. }
            | Command::Unsupported { .. } => return self.question(command, span).map(Some),
            declaration => self.declare(declaration).map_err(elaborated)?,
        }
        Ok(None)
    }

    /// Carries out a declaration or definition.
    fn declare(&mut self, command: Command) -> Result<(), ElabError> {
        let (elaborator, ast, source) = (&mut self.elaborator, &self.ast, self.source);
        let func = match command {
            Command::DeclareConst { name, sort } => {
                elaborator.prepare(ast, source)?;
                let func = elaborator.declare_function(name, &[], Some(sort))?;
                (func, name.span)
            }
            Command::DeclareFun {
                name,
                arguments,
                result,
            } => {
                elaborator.prepare(ast, source)?;
                let arguments = &ast.sort_arguments[arguments.indices()];
                let func = elaborator.declare_function(name, arguments, Some(result))?;
                (func, name.span)
            }
            Command::DeclareRel { name, arguments } => {
                elaborator.prepare(ast, source)?;
                let arguments = &ast.sort_arguments[arguments.indices()];
                (
                    elaborator.declare_function(name, arguments, None)?,
                    name.span,
                )
            }
            Command::DeclareVar { name, sort } => {
                elaborator.prepare(ast, source)?;
                let sort = elaborator.sort(sort);
                return self.declare_variable(name, sort).map(|_| ());
            }
            other => return define(elaborator, ast, source, other),
        };
        if let (Some(func), span) = func {
            self.add_predicate(func, span.shifted(self.before));
        }
        Ok(())
    }

    /// Makes a function a predicate of the system.
    pub(super) fn add_predicate(&mut self, func: FuncId, span: Span) -> PredId {
        let count = u32::try_from(self.system.preds.len());
        let pred = PredId(count.expect("fewer predicates than bytes of input"));
        self.system.preds.push(Predicate { func, span });
        self.normaliser.add_predicate(func, pred);
        pred
    }

    /// Makes a variable universal over each clause.
    pub(super) fn declare_variable(&mut self, name: Name, sort: Sort) -> Result<Term, ElabError> {
        let var = self.elaborator.declare_variable(name, sort)?;
        self.normaliser.add_free_variable(name.symbol);
        Ok(var)
    }

    /// Adds the clauses of an assertion, or of its negation.
    fn assert(
        &mut self,
        code: Range,
        rule: Option<Symbol>,
        span: Span,
        negated: bool,
    ) -> Result<(), (Issue, Span)> {
        let elaborated = |error: ElabError| (Issue::Meaning(error.kind), error.span);
        self.elaborator
            .prepare(&self.ast, self.source)
            .map_err(elaborated)?;
        let assertion = self
            .elaborator
            .assertion(&mut self.ast, self.source, code)
            .map_err(elaborated)?;
        let origin = Origin {
            name: rule.or(assertion.name),
            span: span.shifted(self.before),
        };
        let formula = if negated {
            self.t.not(assertion.formula)
        } else {
            assertion.formula
        };
        let result = self
            .normaliser
            .clauses(self.t, formula, origin, &mut self.system.clauses);
        match result {
            Ok(()) => Ok(()),
            Err(error) => Err(self.blame(error, (origin, span), negated)),
        }
    }

    /// Elaborates an assertion that is not Horn once more, to find the place of what is wrong.
    fn blame(
        &mut self,
        first: HornError,
        (origin, span): (Origin, Span),
        negated: bool,
    ) -> (Issue, Span) {
        let t = self.t;
        // The code was given back.
        let code = match self.commands.read_again(&mut self.ast, t, span) {
            Some(Command::Assert { term } | Command::Rule { term, .. }) => term,
            Some(Command::Query { goal }) => goal,
            _ => unreachable!("a command that asserts something was read before"),
        };
        self.elaborator.remember_places(true);
        let again = (self.elaborator.prepare(&self.ast, self.source))
            .and_then(|()| self.elaborator.assertion(&mut self.ast, self.source, code))
            .map(|assertion| {
                let formula = if negated {
                    t.not(assertion.formula)
                } else {
                    assertion.formula
                };
                self.normaliser
                    .clauses(t, formula, origin, &mut self.system.clauses)
            });
        // Fresh names are other ones the second time, so it is the second error whose term has a
        // place.
        let error = if let Ok(Err(second)) = again {
            second
        } else {
            first
        };
        let place = self.elaborator.place(error.term).unwrap_or(span);
        self.elaborator.remember_places(false);
        (Issue::NotHorn(self.horn_message(error)), place)
    }

    /// What is wrong with a formula, in words.
    pub(super) fn horn_message(&self, error: HornError) -> String {
        match error.kind {
            HornErrorKind::TwoHeads { other } => {
                format!(
                    "{} beside `{}`",
                    error.kind,
                    shorten(self.t.display(other).to_string())
                )
            }
            kind => kind.to_string(),
        }
    }

    /// `(query p)` or `(query formula)`.
    fn query(&mut self, goal: Range, span: Span) -> Result<Step, (Issue, Span)> {
        let before = self.system.clauses.len();
        let named = match self.ast.code.only(goal) {
            Some((Op::Constant(symbol), _)) => self.elaborator.predicate(symbol),
            _ => None,
        };
        match named.and_then(|func| self.normaliser.predicate(func)) {
            Some(pred) => {
                let sorts = &self.t.func(self.system.pred(pred).func).params;
                let args: Vec<Term> = sorts
                    .iter()
                    .map(|&sort| self.t.fresh_var(self.t.sort_letter(sort), sort))
                    .collect();
                self.system.clauses.push(Clause {
                    vars: args.clone(),
                    body: vec![Atom { pred, args }],
                    constraint: Term::TRUE,
                    head: None,
                    origin: Origin {
                        name: None,
                        span: span.shifted(self.before),
                    },
                });
            }
            None => self.assert(goal, None, span, true)?,
        }
        self.query = Some(before);
        Ok(Step::Check {
            polarity: Polarity::Reachable,
            span,
        })
    }

    fn push(&mut self, levels: Option<Span>) -> Result<Step, ElabError> {
        let count = level_count(self.source, levels)?;
        if self.levels.len() + count as usize > MAX_LEVELS {
            let message = format!("more than {MAX_LEVELS} scopes");
            return Err(ElabErrorKind::NotSupported(message).at(levels.unwrap_or_default()));
        }
        for _ in 0..count {
            self.levels.push(ScopeStart {
                clauses: self.system.clauses.len(),
                preds: self.system.preds.len(),
            });
            self.elaborator.push();
        }
        Ok(Step::Push(count))
    }

    fn pop(&mut self, levels: Option<Span>, span: Span) -> Result<Step, ElabError> {
        let count = level_count(self.source, levels)?;
        if count as usize > self.levels.len() {
            let message = format!("pop of {count} with {} scopes open", self.levels.len());
            return Err(ElabErrorKind::Command(message).at(levels.unwrap_or(span)));
        }
        for _ in 0..count {
            let level = self.levels.pop().expect("the count was checked");
            self.system.clauses.truncate(level.clauses);
            for pred in self.system.preds.drain(level.preds..) {
                self.normaliser.remove_predicate(pred.func);
            }
            self.elaborator.pop();
        }
        Ok(Step::Pop(count))
    }

    fn reset(&mut self, options: bool) -> Step {
        self.elaborator = Elaborator::new(self.t, Dialect::Horn);
        self.normaliser = Normaliser::new();
        self.system = System::default();
        self.levels.clear();
        self.recovery.forget_assertions();
        if options {
            self.options.clear();
        }
        Step::Reset(options)
    }

    /// Keyword and value of an attribute as text.
    fn attribute(&self, attribute: Attribute) -> (String, String) {
        let value = attribute
            .value
            .map_or("", |AttributeValue { span, .. }| self.source.slice(span));
        (
            self.source.slice(attribute.keyword).to_owned(),
            value.to_owned(),
        )
    }

    /// A known option, or a note about it.
    fn set_option(&mut self, attribute: Attribute, span: Span) -> Option<Step> {
        let (keyword, value) = self.attribute(attribute);
        let option = match (keyword.as_str(), value.as_str()) {
            (":timeout", value) => value.parse().ok().map(ScriptOption::Timeout),
            (":rlimit", value) => value.parse().ok().map(ScriptOption::Rlimit),
            (":produce-models", value) => value.parse().ok().map(ScriptOption::ProduceModels),
            (":produce-proofs", value) => value.parse().ok().map(ScriptOption::ProduceProofs),
            _ => None,
        };
        if option.is_none() {
            self.notes.push(Note {
                message: format!("the option {keyword} {value} is ignored"),
                span: span.shifted(self.before),
            });
        }
        self.options.insert(keyword, value);
        option.map(Step::SetOption)
    }
}

/// Carries out a declaration of sorts, or a definition, which mean the same in all scripts.
pub(super) fn define(
    elaborator: &mut Elaborator<'_>,
    ast: &Ast,
    source: &Source,
    command: Command,
) -> Result<(), ElabError> {
    match command {
        Command::DeclareDatatypes { older_form } => {
            elaborator.declare_datatypes(ast, source, older_form)
        }
        Command::DeclareSort { name, arity } => elaborator.declare_sort(source, name, arity),
        Command::DefineSort { name, body } => elaborator.define_sort(ast, source, name, body),
        Command::DefineFun { signature, body } => {
            elaborator.prepare(ast, source)?;
            elaborator.define_function(ast, source, signature, body)
        }
        Command::DefineFunsRec => {
            elaborator.prepare(ast, source)?;
            elaborator.define_recursive(ast, source)
        }
        _ => unreachable!("all other commands are treated by the caller"),
    }
}

/// The number of scopes that `push` or `pop` speaks of.
pub(super) fn level_count(source: &Source, levels: Option<Span>) -> Result<u32, ElabError> {
    let Some(span) = levels else { return Ok(1) };
    let text = source.slice(span);
    text.parse()
        .map_err(|_| ElabErrorKind::NotSupported(format!("{text} scopes")).at(span))
}

pub(super) fn unsupported(command: &str, span: Span) -> (Issue, Span) {
    (
        Issue::Meaning(ElabErrorKind::NotSupported(format!(
            "the command `{command}`"
        ))),
        span,
    )
}

/// The text that a string literal denotes.
pub(super) fn string_value(literal: &str) -> String {
    let inner = literal
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(literal);
    inner.replace("\"\"", "\"")
}

/// The beginning of a long text.
pub(crate) fn shorten(text: String) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}
