//! `let`, quantifiers and `match`.

use super::env::Global;
use super::error::{ElabError, ElabErrorKind};
use super::{Elaborator, Operand};
use crate::chc::Span;
use crate::smtlib::ast::{Ast, Name, Pattern, Quantifier, SortedName};
use crate::term::{CtorId, DatatypeId, Sort, Symbol, Term};
use rustc_hash::FxHashSet;

/// Quantifiers nested deeper than this are refused: substitution under them recurses.
const MAX_QUANTIFIER_DEPTH: usize = 500;

/// An open scope.
#[derive(Debug)]
pub(super) enum Frame {
    /// Of a `let`: how many local bindings there were before.
    Let { locals: u32 },
    /// Of a quantifier: how many local bindings and bound variables there were before.
    Quantifier {
        quantifier: Quantifier,
        locals: u32,
        bound: u32,
    },
    /// Of a `match`.
    Match(Box<Match>),
}

/// A `match` whose cases are being read.
#[derive(Debug)]
pub(super) struct Match {
    scrutinee: Term,
    datatype: DatatypeId,
    span: Span,
    /// The test of each case so far; `None` takes everything.
    tests: Vec<Option<CtorId>>,
    /// How many local bindings there were before the case.
    locals: u32,
}

impl Elaborator<'_> {
    /// Binds the values on top of the stack, all at once.
    pub(super) fn let_enter(&mut self, names: &[Name]) -> Result<(), ElabError> {
        let locals = self.known.env.bound();
        self.frames.push(Frame::Let { locals });
        let from = self.stack.len() - names.len();
        for (at, name) in (from..).zip(names) {
            let (value, _) = self.stack[at];
            if names.len() > 1 {
                self.refuse_twice(names, at - from, |name| *name)?;
            }
            self.known.env.bind(name.symbol, value);
        }
        self.stack.truncate(from);
        Ok(())
    }

    /// Refuses a name that an earlier one of the same list has. Long lists are not looked through:
    /// the later binding wins.
    pub(super) fn refuse_twice<T>(
        &self,
        all: &[T],
        at: usize,
        name: impl Fn(&T) -> Name,
    ) -> Result<(), ElabError> {
        // Up to 64 names are compared in pairs. The value was not tuned.
        const LOOKED_THROUGH: usize = 64;
        let this = name(&all[at]);
        if all.len() <= LOOKED_THROUGH
            && all[..at]
                .iter()
                .any(|earlier| name(earlier).symbol == this.symbol)
        {
            return Err(ElabErrorKind::BoundTwice {
                name: self.t.name(this.symbol).to_owned(),
            }
            .at(this.span));
        }
        Ok(())
    }

    pub(super) fn let_exit(&mut self, span: Span) {
        match self.frames.pop() {
            Some(Frame::Let { locals }) => self.known.env.unbind(locals),
            _ => unreachable!("the grammar closes what it opens"),
        }
        // The value of the body is the value of the whole.
        if let Some((_, place)) = self.stack.last_mut() {
            *place = span;
        }
    }

    /// Makes variables: with the user's names where these are new.
    pub(super) fn quantifier_enter(
        &mut self,
        quantifier: Quantifier,
        variables: &[SortedName],
        span: Span,
    ) -> Result<(), ElabError> {
        self.quantifiers += 1;
        if self.quantifiers > MAX_QUANTIFIER_DEPTH {
            let message = format!("quantifiers nested deeper than {MAX_QUANTIFIER_DEPTH}");
            return Err(ElabErrorKind::NotSupported(message).at(span));
        }
        let (locals, bound) = (self.known.env.bound(), self.bound.len() as u32);
        self.frames.push(Frame::Quantifier {
            quantifier,
            locals,
            bound,
        });
        for (at, variable) in variables.iter().enumerate() {
            self.refuse_twice(variables, at, |variable| variable.name)?;
            let var = self.new_variable(variable.name.symbol, self.sort(variable.sort));
            self.bound.push(var);
            self.known
                .env
                .bind(variable.name.symbol, Operand::Term(var));
        }
        Ok(())
    }

    /// A variable with this name, or with a fresh one where the name was bound before in this
    /// assertion or means a function.
    pub(super) fn new_variable(&mut self, symbol: Symbol, sort: Sort) -> Term {
        let repeated = self.known.env.bind_in(symbol, self.known.epoch);
        let meaning = self.known.env.meaning(symbol);
        if repeated || meaning.global.is_some() || meaning.builtin.is_some() {
            self.t.fresh_var(self.t.name(symbol), sort)
        } else {
            self.t.var_of(symbol, sort)
        }
    }

    pub(super) fn quantifier_exit(&mut self, span: Span) -> Result<(), ElabError> {
        let Some(Frame::Quantifier {
            quantifier,
            locals,
            bound,
        }) = self.frames.pop()
        else {
            unreachable!("the grammar closes what it opens")
        };
        self.quantifiers -= 1;
        self.known.env.unbind(locals);
        let (value, place) = self.stack.pop().expect("a quantifier has a body");
        let body = self.close(value, place)?;
        self.expect_sort("the body of the quantifier", body, Sort::BOOL, place)?;
        let bound = bound as usize;
        let vars = &self.bound[bound..];
        let formula = match quantifier {
            Quantifier::Forall => self.t.forall(vars, body),
            Quantifier::Exists => self.t.exists(vars, body),
        };
        self.bound.truncate(bound);
        self.push_term(formula, span);
        Ok(())
    }

    /// Takes the value that a `match` inspects.
    pub(super) fn match_enter(&mut self) -> Result<(), ElabError> {
        let (value, span) = self.stack.pop().expect("a match has a value");
        let scrutinee = self.close(value, span)?;
        let sort = self.t.sort_of(scrutinee);
        let Some(datatype) = self.t.datatype_of(sort) else {
            let message = format!(
                "match needs a value of a datatype, found sort {}",
                self.sort_text(sort)
            );
            return Err(ElabErrorKind::Match(message).at(span));
        };
        let locals = self.known.env.bound();
        self.frames.push(Frame::Match(Box::new(Match {
            scrutinee,
            datatype,
            span,
            tests: Vec::new(),
            locals,
        })));
        Ok(())
    }

    fn open_match(&mut self) -> &mut Match {
        match self.frames.last_mut() {
            Some(Frame::Match(open)) => open,
            _ => unreachable!("the grammar opens a match before its cases"),
        }
    }

    /// Binds the variables of a pattern to the fields of the value.
    pub(super) fn case_enter(
        &mut self,
        ast: &Ast,
        pattern: u32,
        span: Span,
    ) -> Result<(), ElabError> {
        let pattern = ast.patterns[pattern as usize];
        let open = self.open_match();
        let (scrutinee, datatype) = (open.scrutinee, open.datatype);
        let test = match self.pattern_constructor(pattern, datatype, span)? {
            None => {
                if pattern.head.symbol != ast.wildcard {
                    self.known
                        .env
                        .bind(pattern.head.symbol, Operand::Term(scrutinee));
                }
                None
            }
            Some(ctor) => {
                let names = &ast.names[pattern.variables.indices()];
                let fields = &self.t.ctor(ctor).fields;
                if names.len() != fields.len() {
                    let function = self.t.name(pattern.head.symbol).to_owned();
                    let expected = format!("{} arguments", fields.len());
                    return Err(ElabErrorKind::Arity {
                        function,
                        expected,
                        found: names.len(),
                    }
                    .at(span));
                }
                for (at, (name, &selector)) in names.iter().zip(fields).enumerate() {
                    if name.symbol != ast.wildcard {
                        self.refuse_twice(names, at, |name| *name)?;
                        let field = self.t.field(selector, scrutinee);
                        self.known.env.bind(name.symbol, Operand::Term(field));
                    }
                }
                Some(ctor)
            }
        };
        self.open_match().tests.push(test);
        Ok(())
    }

    /// The constructor of a pattern, `None` for a variable.
    fn pattern_constructor(
        &self,
        pattern: Pattern,
        datatype: DatatypeId,
        span: Span,
    ) -> Result<Option<CtorId>, ElabError> {
        let family = self.known.family_of[&datatype];
        match self.known.env.meaning(pattern.head.symbol).global {
            Some(Global::Constructor(of, index)) if of == family => {
                Ok(Some(self.constructor_of(datatype, index)))
            }
            _ if pattern.lone => Ok(None),
            _ => {
                let name = self.t.name(pattern.head.symbol);
                let sort = self.sort_text(self.t.datatype(datatype).sort);
                Err(ElabErrorKind::Match(format!("`{name}` is no constructor of {sort}")).at(span))
            }
        }
    }

    /// Ends the scope of a case; its value stays on the stack.
    pub(super) fn case_exit(&mut self) -> Result<(), ElabError> {
        let locals = self.open_match().locals;
        self.known.env.unbind(locals);
        let (value, span) = self.stack.pop().expect("a case has a value");
        let term = self.close(value, span)?;
        self.stack.push((Operand::Term(term), span));
        Ok(())
    }

    /// Makes one term of `count` cases.
    pub(super) fn match_exit(&mut self, count: usize, span: Span) -> Result<(), ElabError> {
        let Some(Frame::Match(whole)) = self.frames.pop() else {
            unreachable!("the grammar closes what it opens")
        };
        let covered: FxHashSet<CtorId> = whole.tests.iter().filter_map(|test| *test).collect();
        let missing = self.missing_constructors(whole.datatype, &covered);
        let catch_all = whole.tests.iter().position(Option::is_none);
        if catch_all.is_none()
            && let Some(&missing) = missing.first()
        {
            let message = format!(
                "this match has no case for the constructor `{}`",
                self.t.name(missing)
            );
            return Err(ElabErrorKind::Match(message).at(whole.span));
        }
        // Cases behind one that takes everything are never reached.
        let reached = catch_all.map_or(count, |at| at + 1);
        let from = self.stack.len() - count;
        let cases = self.same_sort(from, "the cases of the match")?;
        self.stack.truncate(from);
        let mut result = cases[reached - 1];
        for at in (0..reached - 1).rev() {
            let ctor = whole.tests[at].expect("only the last case reached takes everything");
            result = self
                .t
                .ite(self.t.is(ctor, whole.scrutinee), cases[at], result);
        }
        self.push_term(result, span);
        Ok(())
    }
}
