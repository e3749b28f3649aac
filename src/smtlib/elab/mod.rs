//! Elaboration: from the syntax of commands to terms of the store.
//!
//! The code of a term (see [`super::ast`]) is run by one loop with a stack of values; scopes are a
//! table by symbol with a list of what inner bindings hide. Nothing recurses, so depth is bounded
//! by memory only.
//!
//! - `let` names and pattern variables are replaced by their values; `match` becomes nested `ite`
//!   over testers.
//! - A quantified variable keeps its name, unless the name was bound before in the same assertion
//!   or is declared as a function: then it gets a fresh one. So equal names in one assertion are
//!   one variable, `let` values can be put anywhere without capture, and printed clauses mean what
//!   they say.
//! - `define-fun` is a macro: its body is a term over its parameters, for which arguments are
//!   substituted.
//! - Integers among reals become reals by `to_real`, as in Z3 (which goes the other way too, where
//!   this program refuses).
//!
//! What a declaration means is the one thing that depends on the [`Dialect`].
//!
//! Missing: overloading of a user's functions by sorts (a theory function may be overloaded);
//! `:named` as a definition in Horn systems; strings, floating point, sequences, powers.

mod apply;
mod arith;
mod array;
mod binders;
mod bitvec;
mod builtin;
mod datatypes;
mod declarations;
mod env;
mod error;
mod functions;
mod indexed;
mod overflow;
mod sorts;

pub use declarations::Declarations;
pub use error::{ElabError, ElabErrorKind};
pub use functions::Uninterpreted;

/// The names of the theories' functions: variables of these names are renamed.
pub(super) fn theory_names() -> impl Iterator<Item = &'static str> {
    builtin::TABLE.iter().map(|(name, _)| *name)
}

use super::ast::{Ast, Attribute, Name, Op, Range};
use super::code::Code;
use super::source::Source;
use crate::chc::Span;
use crate::number::Rational;
use crate::term::{DatatypeId, FuncId, Sort, Symbol, Term, Terms};
use binders::Frame;
use rustc_hash::FxHashMap;

/// At most 2^23 terms are made by writing out `distinct` and defined functions. A few lines of
/// definitions can stand for exponentially many terms.
const MAX_EXPANSION: usize = 1 << 23;

/// Room for 2^12 values and open scopes is kept from one assertion to the next.
const STACK_KEPT: usize = 1 << 12;

/// A value on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operand {
    /// A term.
    Term(Term),
    /// A constructor without fields, of a parametric datatype whose parameters are not known yet:
    /// family and position.
    Open(u32, u32),
}

/// What declarations mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Functions with result `Bool` are the predicates of a Horn system, with or without arguments;
    /// others cannot be applied.
    Horn,
    /// All functions are uninterpreted; those without arguments are constants, free variables of
    /// the terms. A term with the attribute `:named` can be called by that name.
    Smt,
}

/// Declarations in force, and the machine that makes terms.
pub struct Elaborator<'t> {
    t: &'t Terms,
    known: Declarations,
    /// Instances whose constructors are being made.
    undefined: Vec<(u32, DatatypeId)>,
    /// The first family of a declaration of the older form, whose families may be mentioned without
    /// arguments in it.
    unapplied: Option<u32>,
    /// The sorts of the command at hand.
    sorts: Vec<Sort>,
    /// Values with the places they come from.
    stack: Vec<(Operand, Span)>,
    frames: Vec<Frame>,
    /// How many of the open scopes are quantifiers.
    quantifiers: usize,
    /// The variables of the open quantifiers, and the parameters of the function that is being
    /// defined.
    bound: Vec<Term>,
    /// Where each term was met, if that is to be remembered.
    places: Option<FxHashMap<Term, Span>>,
    /// The `:named` attribute of the whole term.
    name: Option<Symbol>,
}

/// A formula made from an assertion.
#[derive(Clone, Copy, Debug)]
pub struct Assertion {
    /// The formula; closed but for the variables of `declare-var`.
    pub formula: Term,
    /// The value of its `:named` attribute.
    pub name: Option<Symbol>,
}

impl<'t> Elaborator<'t> {
    /// The theories, nothing declared.
    pub fn new(t: &'t Terms, dialect: Dialect) -> Self {
        Elaborator::resume(t, Declarations::new(t, dialect))
    }

    /// An elaborator with these declarations, in the store that they were made in.
    pub fn resume(t: &'t Terms, known: Declarations) -> Self {
        Elaborator {
            t,
            known,
            undefined: Vec::new(),
            unapplied: None,
            sorts: Vec::new(),
            stack: Vec::new(),
            frames: Vec::new(),
            quantifiers: 0,
            bound: Vec::new(),
            places: None,
            name: None,
        }
    }

    /// The declarations in force, between two commands.
    pub fn pause(mut self) -> Declarations {
        self.start();
        self.known
    }

    /// Opens a scope of declarations.
    pub fn push(&mut self) {
        self.known.env.push();
    }

    /// Closes the innermost scope of declarations; there must be one.
    pub fn pop(&mut self) {
        self.known.env.pop();
    }

    /// Prepares for a command: evaluates its sorts. Commands with sort parameters are not prepared.
    ///
    /// # Errors
    /// A sort is unknown or has the wrong number of arguments.
    pub fn prepare(&mut self, ast: &Ast, source: &Source) -> Result<(), ElabError> {
        self.evaluate_sorts(ast, source)
    }

    /// The formula of an assertion. Its code is given back.
    ///
    /// # Errors
    /// It is not well sorted, or not supported.
    pub fn assertion(
        &mut self,
        ast: &mut Ast,
        source: &Source,
        code: Range,
    ) -> Result<Assertion, ElabError> {
        self.begin_term();
        let outermost = outermost(ast, code);
        for part in Code::parts(code) {
            self.run_part(ast, source, part, outermost)?;
            ast.code.release(part);
        }
        let (formula, span) = self.end_term()?;
        self.stack.shrink_to(STACK_KEPT);
        self.frames.shrink_to(STACK_KEPT);
        self.expect_sort("the asserted term", formula, Sort::BOOL, span)?;
        Ok(Assertion {
            formula,
            name: self.name,
        })
    }

    /// Remembers from now on where terms come from, or forgets it: for messages about an assertion
    /// that is elaborated again.
    pub fn remember_places(&mut self, remember: bool) {
        self.places = remember.then(FxHashMap::default);
    }

    /// Where a term was first met, as far as that was remembered.
    pub fn place(&self, term: Term) -> Option<Span> {
        self.places.as_ref()?.get(&term).copied()
    }

    /// The predicate of that name.
    pub fn predicate(&self, symbol: Symbol) -> Option<FuncId> {
        self.known.predicate(symbol)
    }

    /// The term of a piece of code, of any sort, and its place.
    ///
    /// # Errors
    /// It is not well sorted, or not supported.
    pub fn term(
        &mut self,
        ast: &Ast,
        source: &Source,
        code: Range,
    ) -> Result<(Term, Span), ElabError> {
        self.begin_term();
        self.run(ast, source, code)
    }

    /// The terms that a command lists, and their places.
    ///
    /// # Errors
    /// One of them is not well sorted, or not supported.
    pub fn listed_terms(
        &mut self,
        ast: &Ast,
        source: &Source,
    ) -> Result<Vec<(Term, Span)>, ElabError> {
        self.prepare(ast, source)?;
        let terms = ast.bodies.iter().map(|&code| {
            let (term, _) = self.term(ast, source, code)?;
            Ok((term, place(ast, code)))
        });
        terms.collect()
    }

    /// The term of a piece of code, in which some names have these meanings.
    ///
    /// # Errors
    /// It is not well sorted, or not supported.
    pub fn term_with(
        &mut self,
        ast: &Ast,
        source: &Source,
        code: Range,
        bindings: &[(Symbol, Term)],
    ) -> Result<Term, ElabError> {
        self.begin_term();
        for &(symbol, term) in bindings {
            self.known.env.bind(symbol, Operand::Term(term));
        }
        // A quantifier of the text must not capture a variable of what is bound.
        for var in self.t.vars(bindings.iter().map(|&(_, term)| term)) {
            let name = self.t.as_var(var).expect("these are variables");
            self.known.env.bind_in(name, self.known.epoch);
        }
        let (term, _) = self.run(ast, source, code)?;
        self.start();
        Ok(term)
    }

    /// Forgets what a command left that failed.
    pub fn recover(&mut self) {
        self.start();
        self.undefined.clear();
        self.unapplied = None;
        self.places = None;
    }

    /// Forgets what was before the term at hand.
    fn begin_term(&mut self) {
        self.start();
        self.known.epoch += 1;
    }

    /// Forgets what an error may have left.
    fn start(&mut self) {
        self.stack.clear();
        self.frames.clear();
        self.quantifiers = 0;
        self.bound.clear();
        self.known.env.unbind(0);
        self.name = None;
    }

    /// Runs code with the local bindings in force.
    fn run(&mut self, ast: &Ast, source: &Source, code: Range) -> Result<(Term, Span), ElabError> {
        let outermost = outermost(ast, code);
        for part in Code::parts(code) {
            self.run_part(ast, source, part, outermost)?;
        }
        self.end_term()
    }

    /// Runs a part of the code. What is left from `outermost` on only wraps the whole term.
    fn run_part(
        &mut self,
        ast: &Ast,
        source: &Source,
        part: Range,
        outermost: u32,
    ) -> Result<(), ElabError> {
        for (at, &(op, span)) in (part.start..).zip(ast.code.part(part)) {
            match op {
                Op::Numeral | Op::Decimal => self.numeral(source, op, span)?,
                Op::Hexadecimal | Op::Binary => self.bit_literal(source, op, span)?,
                Op::Text => return Err(ElabErrorKind::NotSupported("strings".to_owned()).at(span)),
                Op::Constant(symbol) => self.constant(symbol, span)?,
                Op::Apply(symbol, count) => self.apply(symbol, count as usize, span)?,
                Op::QualifiedConstant(id) => self.qualified(ast, source, id, 0, span)?,
                Op::QualifiedApply(id, count) => {
                    self.qualified(ast, source, id, count as usize, span)?
                }
                Op::LetEnter(names) => self.let_enter(&ast.names[names.indices()])?,
                Op::LetExit => self.let_exit(span),
                Op::QuantifierEnter(quantifier, variables) => {
                    self.quantifier_enter(quantifier, &ast.variables[variables.indices()], span)?;
                }
                Op::QuantifierExit => self.quantifier_exit(span)?,
                Op::MatchEnter => self.match_enter()?,
                Op::CaseEnter(pattern) => self.case_enter(ast, pattern, span)?,
                Op::CaseExit => self.case_exit()?,
                Op::MatchExit(count) => self.match_exit(count as usize, span)?,
                Op::Annotate(attributes) => {
                    let attributes = &ast.attributes[attributes.indices()];
                    self.annotate(source, attributes, at >= outermost)?;
                }
            }
        }
        Ok(())
    }

    /// The value of all the code that was run.
    fn end_term(&mut self) -> Result<(Term, Span), ElabError> {
        let (value, span) = self.stack.pop().expect("code leaves one value");
        let term = self.close(value, span)?;
        Ok((term, span))
    }

    /// Puts a term on the stack.
    fn push_term(&mut self, term: Term, span: Span) {
        if let Some(places) = &mut self.places {
            places.entry(term).or_insert(span);
        }
        self.stack.push((Operand::Term(term), span));
    }

    /// Puts a value on the stack.
    fn push_value(&mut self, value: Operand, span: Span) {
        match value {
            Operand::Term(term) => self.push_term(term, span),
            other => self.stack.push((other, span)),
        }
    }

    /// A value as a term.
    ///
    /// # Errors
    /// It is a constructor whose sort is not determined.
    fn close(&mut self, value: Operand, span: Span) -> Result<Term, ElabError> {
        match value {
            Operand::Term(term) => Ok(term),
            Operand::Open(family, constructor) => match self.only_instance(family) {
                Some(datatype) => Ok(self
                    .t
                    .construct(self.constructor_of(datatype, constructor), &[])),
                None => {
                    let name = self.known.families[family as usize].constructors
                        [constructor as usize]
                        .name;
                    Err(ElabErrorKind::Undetermined {
                        name: self.t.name(name).to_owned(),
                    }
                    .at(span))
                }
            },
        }
    }

    /// The sort of a value, if it is known.
    fn sort_of(&self, value: Operand) -> Option<Sort> {
        match value {
            Operand::Term(term) => Some(self.t.sort_of(term)),
            Operand::Open(..) => None,
        }
    }

    /// Accounts for terms that are made beyond what the text has.
    fn expand(&mut self, terms: usize, span: Span) -> Result<(), ElabError> {
        self.known.expansion = self.known.expansion.saturating_add(terms);
        if self.known.expansion <= MAX_EXPANSION {
            return Ok(());
        }
        let message =
            format!("definitions and `distinct` that stand for more than {MAX_EXPANSION} terms");
        Err(ElabErrorKind::NotSupported(message).at(span))
    }

    fn numeral(&mut self, source: &Source, op: Op, span: Span) -> Result<(), ElabError> {
        let text = source.slice(span);
        let value = Rational::parse(text).expect("the lexer knows numbers");
        let sort = if op == Op::Decimal {
            Sort::REAL
        } else {
            Sort::INT
        };
        self.push_term(self.t.number(value, sort), span);
        Ok(())
    }

    /// Takes note of a name; other attributes mean nothing here.
    fn annotate(
        &mut self,
        source: &Source,
        attributes: &[Attribute],
        outermost: bool,
    ) -> Result<(), ElabError> {
        for attribute in attributes {
            let named = source.slice(attribute.keyword) == ":named";
            if let Some(value) = attribute.value.filter(|_| named)
                && let Some(symbol) = value.symbol
            {
                if outermost {
                    self.name = Some(symbol);
                }
                if self.known.dialect == Dialect::Smt {
                    let span = value.span;
                    self.define_named(Name { symbol, span })?;
                }
            }
        }
        Ok(())
    }

    /// The text of a sort for messages.
    fn sort_text(&self, sort: Sort) -> String {
        self.t.display_sort(sort).to_string()
    }

    /// The text of a value's sort for messages.
    fn found(&self, value: Operand) -> String {
        match self.sort_of(value) {
            Some(sort) => self.sort_text(sort),
            None => "an instance of a parametric datatype".to_owned(),
        }
    }

    /// An error if a term has another sort than `expected`.
    pub(super) fn expect_sort(
        &self,
        what: &str,
        term: Term,
        expected: Sort,
        span: Span,
    ) -> Result<(), ElabError> {
        let found = self.t.sort_of(term);
        if found == expected {
            return Ok(());
        }
        let (expected, found) = (self.sort_text(expected), self.sort_text(found));
        Err(ElabErrorKind::Mismatch {
            what: what.to_owned(),
            expected,
            found,
        }
        .at(span))
    }
}

/// From where on code only wraps the whole term.
fn outermost(ast: &Ast, code: Range) -> u32 {
    let wraps = |op: &Op| matches!(op, Op::QuantifierExit | Op::Annotate(_));
    let wrapping = ast.code.iter(code).rev();
    code.end - wrapping.take_while(|(op, _)| wraps(op)).count() as u32
}

/// The place of a term: its last instruction is that of the whole.
pub(super) fn place(ast: &Ast, code: Range) -> Span {
    let last = ast.code.iter(code).next_back();
    last.map_or(Span::default(), |&(_, span)| span)
}
