//! Declared and defined functions.

use super::apply::arguments;
use super::env::Global;
use super::error::{ElabError, ElabErrorKind};
use super::{Elaborator, Operand};
use crate::chc::Span;
use crate::smtlib::ast::{Ast, Name, Op, Range, Signature, SortId};
use crate::smtlib::source::Source;
use crate::term::{FuncId, Sort, Symbol, Term};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A defined function.
#[derive(Debug)]
pub(super) struct Macro {
    /// Its parameters.
    pub(super) params: Vec<Term>,
    /// Its value, over the parameters.
    body: Term,
}

/// What a declaration declares in [`super::Dialect::Smt`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uninterpreted {
    /// A constant: a variable.
    Constant(Term),
    /// A function with arguments.
    Function(FuncId),
}

impl Elaborator<'_> {
    /// `declare-fun`, `declare-const`, `declare-rel` in [`super::Dialect::Horn`]. The answer is a
    /// predicate if the result is `Bool`.
    ///
    /// # Errors
    /// The name is declared already.
    pub fn declare_function(
        &mut self,
        name: Name,
        arguments: &[SortId],
        result: Option<SortId>,
    ) -> Result<Option<FuncId>, ElabError> {
        let result = result.map_or(Sort::BOOL, |sort| self.sort(sort));
        if result != Sort::BOOL {
            let global = Global::Function(arguments.len() as u32);
            let known = &mut self.known;
            known.env.declare(self.t, name.symbol, global, name.span)?;
            return Ok(None);
        }
        let params: SmallVec<[Sort; 8]> = arguments.iter().map(|&sort| self.sort(sort)).collect();
        self.declare_predicate(name, &params).map(Some)
    }

    /// Declares a predicate.
    ///
    /// # Errors
    /// The name is declared already.
    pub fn declare_predicate(&mut self, name: Name, params: &[Sort]) -> Result<FuncId, ElabError> {
        let func = self.t.declare(name.symbol, params, Sort::BOOL);
        let (env, global) = (&mut self.known.env, Global::Predicate(func));
        env.declare(self.t, name.symbol, global, name.span)?;
        Ok(func)
    }

    /// `declare-fun` and `declare-const` in [`super::Dialect::Smt`].
    ///
    /// # Errors
    /// The name is declared already.
    pub fn declare_symbol(
        &mut self,
        name: Name,
        arguments: &[SortId],
        result: SortId,
    ) -> Result<Uninterpreted, ElabError> {
        let result = self.sort(result);
        let (global, declared) = if arguments.is_empty() {
            let constant = self.t.var_of(name.symbol, result);
            let declared = Uninterpreted::Constant(constant);
            (Global::RuleVariable(constant), declared)
        } else {
            let params: Vec<Sort> = arguments.iter().map(|&sort| self.sort(sort)).collect();
            let func = self.t.declare(name.symbol, &params, result);
            (Global::Predicate(func), Uninterpreted::Function(func))
        };
        self.known
            .env
            .declare(self.t, name.symbol, global, name.span)?;
        Ok(declared)
    }

    /// `:named`: from now on the name stands for the value on top of the stack.
    ///
    /// # Errors
    /// The name is declared already, or the value depends on variables that are bound around it.
    pub(super) fn define_named(&mut self, name: Name) -> Result<(), ElabError> {
        let body = self.closed(self.args_from(1))?;
        if !self.bound.is_empty() && self.t.any_subterm(body, |term| self.bound.contains(&term)) {
            let name_text = self.t.name(name.symbol);
            let message = format!("`{name_text}` names a term that has bound variables");
            return Err(ElabErrorKind::Command(message).at(name.span));
        }
        self.known.macros.push(Macro {
            params: Vec::new(),
            body,
        });
        let global = Global::Macro(self.known.macros.len() as u32 - 1);
        self.known
            .env
            .declare(self.t, name.symbol, global, name.span)
    }

    /// Z3's `declare-var`: a variable that may occur free in rules.
    ///
    /// # Errors
    /// The name is declared already, other than by an equal declaration.
    pub fn declare_variable(&mut self, name: Name, sort: Sort) -> Result<Term, ElabError> {
        let var = self.t.var_of(name.symbol, sort);
        let (env, global) = (&mut self.known.env, Global::RuleVariable(var));
        if env.meaning(name.symbol).global != Some(global) {
            env.declare(self.t, name.symbol, global, name.span)?;
        }
        Ok(var)
    }

    /// `define-fun`, `define-const`.
    ///
    /// # Errors
    /// The name is declared already, the body is not well sorted or has another sort than declared.
    pub fn define_function(
        &mut self,
        ast: &Ast,
        source: &Source,
        signature: Signature,
        body: Range,
    ) -> Result<(), ElabError> {
        let defined = self.macro_of(ast, source, signature, body)?;
        self.known.macros.push(defined);
        let global = Global::Macro(self.known.macros.len() as u32 - 1);
        self.known
            .env
            .declare(self.t, signature.name.symbol, global, signature.name.span)
    }

    fn macro_of(
        &mut self,
        ast: &Ast,
        source: &Source,
        signature: Signature,
        body: Range,
    ) -> Result<Macro, ElabError> {
        self.start();
        self.known.epoch += 1;
        let mut params = Vec::with_capacity(signature.parameters.len());
        let parameters = &ast.variables[signature.parameters.indices()];
        for (at, parameter) in parameters.iter().enumerate() {
            self.refuse_twice(parameters, at, |parameter| parameter.name)?;
            let sort = self.sort(parameter.sort);
            let var = self.new_variable(parameter.name.symbol, sort);
            params.push(var);
            self.bound.push(var);
            self.known
                .env
                .bind(parameter.name.symbol, Operand::Term(var));
        }
        let (body, span) = self.run(ast, source, body)?;
        let result = self.sort(signature.result);
        let body = match self.coerce(Operand::Term(body), span, result)? {
            Some(body) => body,
            None => {
                let what = format!("the value of `{}`", self.t.name(signature.name.symbol));
                let (expected, found) =
                    (self.sort_text(result), self.sort_text(self.t.sort_of(body)));
                return Err(ElabErrorKind::Mismatch {
                    what,
                    expected,
                    found,
                }
                .at(span));
            }
        };
        self.known.env.unbind(0);
        Ok(Macro { params, body })
    }

    /// A defined function, applied to the last `count` values.
    pub(super) fn apply_macro(
        &mut self,
        symbol: Symbol,
        id: u32,
        count: usize,
        span: Span,
    ) -> Result<(), ElabError> {
        let Macro { params, body } = &self.known.macros[id as usize];
        if params.len() != count {
            return Err(self.arity(symbol, &arguments(params.len()), count, span));
        }
        let (params, body) = (params.clone(), *body);
        let sorts: Vec<Sort> = params.iter().map(|&param| self.t.sort_of(param)).collect();
        let args = self.coerced(symbol, &sorts, count, span)?;
        let before = self.t.len();
        let value = self.t.substitute(body, params.into_iter().zip(args));
        self.expand(self.t.len() - before, span)?;
        self.push_term(value, span);
        Ok(())
    }

    /// `define-fun-rec`, `define-funs-rec`: functions that do not recurse are macros, in an order
    /// that works.
    ///
    /// # Errors
    /// A function is really recursive, which is not supported; and those of
    /// [`Elaborator::define_function`].
    pub fn define_recursive(&mut self, ast: &Ast, source: &Source) -> Result<(), ElabError> {
        let (signatures, bodies) = (&ast.signatures[..], &ast.bodies[..]);
        if signatures.len() != bodies.len() {
            let message = format!(
                "{} functions are named, {} are defined",
                signatures.len(),
                bodies.len()
            );
            return Err(ElabErrorKind::Command(message).at(signatures[0].name.span));
        }
        let position: FxHashMap<Symbol, usize> = signatures
            .iter()
            .enumerate()
            .map(|(at, signature)| (signature.name.symbol, at))
            .collect();
        let mut uses: Vec<Vec<usize>> = Vec::with_capacity(bodies.len());
        for body in bodies {
            let symbols = ast.code.iter(*body).filter_map(|(op, _)| match op {
                Op::Constant(symbol) | Op::Apply(symbol, _) => position.get(symbol).copied(),
                _ => None,
            });
            uses.push(symbols.collect());
        }
        for at in definition_order(&uses).map_err(|at| {
            let message = format!(
                "the recursive function `{}`",
                self.t.name(signatures[at].name.symbol)
            );
            ElabErrorKind::NotSupported(message).at(signatures[at].name.span)
        })? {
            self.define_function(ast, source, signatures[at], bodies[at])?;
        }
        Ok(())
    }
}

/// An order in which each function follows the functions that it uses, or a function that depends
/// on itself.
fn definition_order(uses: &[Vec<usize>]) -> Result<Vec<usize>, usize> {
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); uses.len()];
    for (user, used) in uses.iter().enumerate() {
        used.iter().for_each(|&used| users[used].push(user));
    }
    let mut missing: Vec<usize> = uses.iter().map(Vec::len).collect();
    let mut order: Vec<usize> = (0..uses.len()).filter(|&at| missing[at] == 0).collect();
    let mut next = 0;
    while let Some(&defined) = order.get(next) {
        next += 1;
        for &user in &users[defined] {
            missing[user] -= 1;
            if missing[user] == 0 {
                order.push(user);
            }
        }
    }
    match missing.iter().position(|&missing| missing > 0) {
        None => Ok(order),
        Some(at) => Err(at),
    }
}
