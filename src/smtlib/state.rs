//! A reader between two texts, and what front ends make without text.
//!
//! A [`Reader`] borrows its store and its source. A [`ReaderState`] is what is left of it when both
//! are given back: declarations, clauses and scopes. Front ends that keep a system for long keep
//! this, and make a reader of it for each text, term or formula.

use super::ast::{Ast, Command, Name, SmtCommand};
use super::elab::{Declarations, Dialect, ElabError, Elaborator};
use super::error::{Issue, ReadError};
use super::script::{Reader, ScopeStart, Step, unsupported};
use super::source::Source;
use crate::chc::horn::Normaliser;
use crate::chc::{Origin, PredId, Span, System};
use crate::term::{Op, Sort, Symbol, Term, TermMap, TermSet, Terms};
use rustc_hash::FxHashSet;

/// What a [`Reader`] knows between two texts. It belongs to the store of the reader.
#[derive(Debug, Default)]
pub struct ReaderState {
    declarations: Option<Declarations>,
    normaliser: Normaliser,
    system: System,
    levels: Vec<ScopeStart>,
    /// The number of bytes in the texts whose places count.
    before: u32,
}

impl ReaderState {
    /// The system so far.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The predicate of that name.
    pub fn predicate(&self, name: Symbol) -> Option<PredId> {
        let func = self.declarations.as_ref()?.predicate(name)?;
        self.normaliser.predicate(func)
    }

    /// Places in the texts to come are those behind this one.
    pub fn follow(&mut self, text: &str) {
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        self.before = self.before.saturating_add(length);
    }
}

impl<'t, 's> Reader<'t, 's> {
    /// A reader at the beginning of a source, which goes on where another reader of the same store
    /// ended.
    pub fn resume(t: &'t Terms, state: ReaderState, source: &'s Source) -> Self {
        let elaborator = match state.declarations {
            Some(declarations) => Elaborator::resume(t, declarations),
            None => Elaborator::new(t, Dialect::Horn),
        };
        Reader {
            normaliser: state.normaliser,
            system: state.system,
            levels: state.levels,
            before: state.before,
            ..Reader::with_declarations(elaborator, t, source)
        }
    }

    /// What the reader knows, for [`Reader::resume`]. A query stays a clause.
    pub fn pause(self) -> ReaderState {
        ReaderState {
            declarations: Some(self.elaborator.pause()),
            normaliser: self.normaliser,
            system: self.system,
            levels: self.levels,
            before: self.before,
        }
    }

    /// Makes the clause of the last query a clause like the others.
    pub fn keep_query(&mut self) {
        self.query = None;
    }

    /// Carries out declarations, assertions and scopes to the end of the source, and leaves out
    /// what else the text asks. A query stays a clause.
    ///
    /// # Errors
    /// What is wrong with the text. What stands before it has taken effect.
    pub fn read_all(&mut self) -> Result<(), ReadError> {
        while let Some(step) = self.next_step()? {
            if matches!(step, Step::Check { .. }) {
                self.keep_query();
            }
        }
        Ok(())
    }

    /// The term that a source of [`Source::of_term`] has. The bindings say what some names of the
    /// text mean.
    ///
    /// # Errors
    /// The text is no term, or not well sorted.
    pub fn only_term(&mut self, bindings: &[(Symbol, Term)]) -> Result<Term, ReadError> {
        let Command::Smt {
            command: SmtCommand::GetValue,
            ..
        } = self.only_command()?
        else {
            return Err(self.error(unsupported("that is no term", Span::default())));
        };
        let (elaborator, ast, source) = (&mut self.elaborator, &self.ast, self.source);
        let made = (elaborator.prepare(ast, source)).and_then(|()| match &ast.bodies[..] {
            [code] => elaborator.term_with(ast, source, *code, bindings),
            _ => Err(several(source)),
        });
        made.map_err(|error| self.error((Issue::Meaning(error.kind), error.span)))
    }

    /// The sort that a source of [`Source::of_sort`] has.
    ///
    /// # Errors
    /// The text is no sort, or the sort is unknown.
    pub fn only_sort(&mut self) -> Result<Sort, ReadError> {
        let Command::DeclareConst { sort, .. } = self.only_command()? else {
            return Err(self.error(unsupported("that is no sort", Span::default())));
        };
        match self.elaborator.prepare(&self.ast, self.source) {
            Ok(()) => Ok(self.elaborator.sort(sort)),
            Err(error) => Err(self.error((Issue::Meaning(error.kind), error.span))),
        }
    }

    /// Declares a predicate over arguments of these sorts.
    ///
    /// # Errors
    /// The name is declared already.
    pub fn add_declaration(&mut self, name: Symbol, params: &[Sort]) -> Result<PredId, String> {
        let declared = self.elaborator.declare_predicate(unplaced(name), params);
        let func = declared.map_err(|error| error.kind.to_string())?;
        Ok(self.add_predicate(func, Span::default()))
    }

    /// Declares a variable, which is universal over each clause.
    ///
    /// # Errors
    /// The name is declared already, other than by an equal declaration.
    pub fn add_variable(&mut self, name: Symbol, sort: Sort) -> Result<Term, String> {
        let declared = self.declare_variable(unplaced(name), sort);
        declared.map_err(|error| error.kind.to_string())
    }

    /// Adds the clauses of a formula. Its free variables are universal, declared or not.
    ///
    /// # Errors
    /// Why the formula is not Horn, or which of its predicates is not declared.
    pub fn add_formula(&mut self, formula: Term, name: Option<Symbol>) -> Result<(), String> {
        let t = self.t;
        // Terms outlive the scopes of their predicates.
        let is_undeclared = |term| match t.op(term) {
            Op::Apply(func) => {
                let is_known = self.normaliser.predicate(func).is_some();
                (!is_known && t.func(func).cases().is_empty()).then_some(func)
            }
            _ => None,
        };
        if let Some(func) = t.post_order([formula]).find_map(is_undeclared) {
            let name = t.display_symbol(t.func(func).name);
            return Err(format!("`{name}` is not declared here"));
        }
        for name in free_and_bound(t, formula) {
            self.normaliser.add_free_variable(name);
        }
        let span = Span::default();
        let origin = Origin { name, span };
        let clauses = &mut self.system.clauses;
        let result = self.normaliser.clauses(t, formula, origin, clauses);
        result.map_err(|error| self.horn_message(error))
    }

    /// The command of a source that has one.
    fn only_command(&mut self) -> Result<Command, ReadError> {
        let wrong = |error: Box<super::error::SyntaxError>| {
            let span = error.span();
            ReadError::new(self.source, Issue::Syntax(*error), span)
        };
        let first = self.commands.next_command(&mut self.ast, self.t);
        let first = first.map_err(wrong)?;
        // Reading on forgets what was read into the same place.
        let mut rest = Ast::new(self.t);
        let second = self.commands.next_command(&mut rest, self.t);
        match (first, second.map_err(wrong)?) {
            (Some((command, _)), None) => Ok(command),
            _ => {
                let error = several(self.source);
                Err(self.error((Issue::Meaning(error.kind), error.span)))
            }
        }
    }

    fn error(&self, (issue, span): (Issue, Span)) -> ReadError {
        ReadError::new(self.source, issue, span)
    }
}

/// The variables of a formula that are free in it, and that a quantifier of it could capture when
/// it is pulled out: it binds the same name.
fn free_and_bound(t: &Terms, formula: Term) -> Vec<Symbol> {
    let is_quantifier = |term: Term| matches!(t.op(term), Op::Forall | Op::Exists);
    let bound = |term: Term| {
        t.args(term)
            .split_last()
            .map_or(&[][..], |(_, bound)| bound)
    };
    let quantifiers = t.post_order([formula]).filter(|&term| is_quantifier(term));
    let names: FxHashSet<Symbol> = (quantifiers.flat_map(bound))
        .filter_map(|&var| t.as_var(var))
        .collect();
    if names.is_empty() {
        return Vec::new();
    }
    // The variables of these names that are free in a subterm, where it has any.
    let mut all: TermMap<TermSet> = TermMap::default();
    for term in t.post_order([formula]) {
        let mut free = TermSet::default();
        free.extend(
            (t.args(term).iter())
                .filter_map(|arg| all.get(arg))
                .flatten(),
        );
        if is_quantifier(term) {
            for var in bound(term) {
                free.remove(var);
            }
        } else if t.as_var(term).is_some_and(|name| names.contains(&name)) {
            free.insert(term);
        }
        if !free.is_empty() {
            all.insert(term, free);
        }
    }
    let free = all.remove(&formula).unwrap_or_default();
    free.into_iter().filter_map(|var| t.as_var(var)).collect()
}

/// A name that is in no text.
fn unplaced(symbol: Symbol) -> Name {
    let span = Span::default();
    Name { symbol, span }
}

/// The error of a text that goes on after what is wanted.
fn several(source: &Source) -> ElabError {
    let message = "the text has more than one term or sort".to_owned();
    let place = source.body().start;
    super::elab::ElabErrorKind::Command(message).at(Span::new(place, place))
}
