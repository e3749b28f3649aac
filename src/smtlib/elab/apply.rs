//! Constants and applications: which function is meant, and the core theory.

use super::builtin::Builtin;
use super::env::{Global, Meaning};
use super::error::{ElabError, ElabErrorKind};
use super::{Elaborator, Operand};
use crate::chc::Span;
use crate::term::{Sort, Symbol, Term};
use smallvec::SmallVec;

/// Terms of an argument list.
pub(super) type Args = SmallVec<[Term; 8]>;

impl Elaborator<'_> {
    /// A symbol alone.
    pub(super) fn constant(&mut self, symbol: Symbol, span: Span) -> Result<(), ElabError> {
        if let Some(value) = self.known.env.local(symbol) {
            self.push_value(value, span);
            return Ok(());
        }
        let meaning = *self.known.env.meaning(symbol);
        match (meaning.global, meaning.builtin) {
            (Some(Global::RuleVariable(var)), _) => self.push_term(var, span),
            (Some(global), _) => self.apply_global(symbol, global, 0, span)?,
            (None, Some(Builtin::True)) => self.push_term(Term::TRUE, span),
            (None, Some(Builtin::False)) => self.push_term(Term::FALSE, span),
            (None, Some(_)) => return Err(self.arity(symbol, "arguments", 0, span)),
            (None, None) => return Err(self.unknown(symbol, span)),
        }
        Ok(())
    }

    /// A symbol applied to the `count` values on top of the stack.
    pub(super) fn apply(
        &mut self,
        symbol: Symbol,
        count: usize,
        span: Span,
    ) -> Result<(), ElabError> {
        let Meaning {
            global, builtin, ..
        } = *self.known.env.meaning(symbol);
        match (global, builtin) {
            (Some(global), Some(builtin)) => {
                if self.fits(global, count) {
                    self.apply_global(symbol, global, count, span)
                } else {
                    self.apply_builtin(symbol, builtin, count, span)
                }
            }
            (Some(global), None) => self.apply_global(symbol, global, count, span),
            (None, Some(builtin)) => self.apply_builtin(symbol, builtin, count, span),
            (None, None) => {
                let name = self.t.name(symbol);
                if self.known.env.local(symbol).is_some() {
                    return Err(ElabErrorKind::NotAFunction {
                        name: name.to_owned(),
                    }
                    .at(span));
                }
                // An older way to write `(_ is C)`.
                match name.strip_prefix("is-") {
                    Some(constructor) if self.t.has_symbol(constructor) => {
                        self.tester(self.t.symbol(constructor), count, span)
                    }
                    _ => Err(self.unknown(symbol, span)),
                }
            }
        }
    }

    fn unknown(&self, symbol: Symbol, span: Span) -> ElabError {
        ElabErrorKind::UnknownSymbol {
            name: self.t.name(symbol).to_owned(),
        }
        .at(span)
    }

    /// The error of a wrong number of arguments.
    pub(super) fn arity(
        &self,
        symbol: Symbol,
        expected: &str,
        found: usize,
        span: Span,
    ) -> ElabError {
        let function = self.t.name(symbol).to_owned();
        ElabErrorKind::Arity {
            function,
            expected: expected.to_owned(),
            found,
        }
        .at(span)
    }

    /// The error of an argument of the wrong sort: the value at `at` of the stack.
    pub(super) fn argument(
        &self,
        symbol: Symbol,
        from: usize,
        at: usize,
        expected: &str,
    ) -> ElabError {
        let (value, span) = self.stack[at];
        ElabErrorKind::Argument {
            function: self.t.name(symbol).to_owned(),
            position: at - from + 1,
            expected: expected.to_owned(),
            found: self.found(value),
        }
        .at(span)
    }

    /// Where the last `count` values begin.
    pub(super) fn args_from(&self, count: usize) -> usize {
        self.stack.len() - count
    }

    /// Has a declared function parameters of the sorts of the last `count` values? For functions
    /// that share their name with a theory's.
    fn fits(&self, global: Global, count: usize) -> bool {
        let from = self.args_from(count);
        let sorts: SmallVec<[Option<Sort>; 8]> = self.stack[from..]
            .iter()
            .map(|&(value, _)| self.sort_of(value))
            .collect();
        let same =
            |params: &mut dyn Iterator<Item = Sort>| sorts.iter().copied().eq(params.map(Some));
        match global {
            Global::Predicate(func) => same(&mut self.t.func(func).params.iter().copied()),
            Global::Macro(id) => same(
                &mut self.known.macros[id as usize]
                    .params
                    .iter()
                    .map(|&param| self.t.sort_of(param)),
            ),
            Global::Function(arity) => arity as usize == count,
            Global::RuleVariable(_) => count == 0,
            Global::Constructor(family, index) => {
                let family = &self.known.families[family as usize];
                let none: &[Sort] = &[];
                match family.instances.get(none) {
                    Some(&datatype) => {
                        let fields = &self.t.ctor(self.constructor_of(datatype, index)).fields;
                        same(&mut fields.iter().map(|&field| self.t.selector(field).sort))
                    }
                    // The sorts of the fields depend on parameters.
                    None => family.constructors[index as usize].fields.len() == count,
                }
            }
            Global::Selector(family, ..) => {
                let first = sorts.first().copied().flatten();
                count == 1 && first.is_some_and(|sort| self.as_instance(sort, family).is_some())
            }
        }
    }

    /// A declared or defined function, applied to the last `count` values.
    fn apply_global(
        &mut self,
        symbol: Symbol,
        global: Global,
        count: usize,
        span: Span,
    ) -> Result<(), ElabError> {
        let t = self.t;
        match global {
            Global::Predicate(func) => {
                let args = self.coerced(symbol, &t.func(func).params, count, span)?;
                self.push_term(t.apply(func, &args), span);
            }
            Global::Function(_) => {
                let message = format!(
                    "the uninterpreted function `{}`, whose result is not Bool",
                    t.name(symbol)
                );
                return Err(ElabErrorKind::NotSupported(message).at(span));
            }
            Global::Macro(id) => self.apply_macro(symbol, id, count, span)?,
            Global::RuleVariable(_) => {
                return Err(ElabErrorKind::NotAFunction {
                    name: t.name(symbol).to_owned(),
                }
                .at(span));
            }
            Global::Constructor(family, index) => {
                self.construct(symbol, family, index, count, span)?
            }
            Global::Selector(family, constructor, field) => {
                if count != 1 {
                    return Err(self.arity(symbol, "1 argument", count, span));
                }
                let from = self.args_from(1);
                let value = self.closed(from)?;
                let Some(datatype) = self.as_instance(t.sort_of(value), family) else {
                    return Err(self.argument(symbol, from, from, &self.family_text(family)));
                };
                self.stack.truncate(from);
                self.push_term(
                    t.field(self.selector_of(datatype, constructor, field), value),
                    span,
                );
            }
        }
        Ok(())
    }

    /// The name of a family, for messages.
    pub(super) fn family_text(&self, family: u32) -> String {
        self.t
            .display_symbol(self.known.families[family as usize].name)
            .to_string()
    }

    /// A constructor; of a parametric datatype, the arguments tell which instance.
    fn construct(
        &mut self,
        symbol: Symbol,
        family: u32,
        index: u32,
        count: usize,
        span: Span,
    ) -> Result<(), ElabError> {
        let t = self.t;
        let entry = &self.known.families[family as usize];
        let arity = entry.constructors[index as usize].fields.len();
        if arity != count {
            return Err(self.arity(symbol, &arguments(arity), count, span));
        }
        if count == 0 && entry.arity > 0 {
            self.stack.push((Operand::Open(family, index), span));
            return Ok(());
        }
        let from = self.args_from(count);
        let sorts: Vec<Option<Sort>> = self.stack[from..]
            .iter()
            .map(|&(value, _)| self.sort_of(value))
            .collect();
        let Some(parameters) = self.infer(family, index, &sorts) else {
            return Err(ElabErrorKind::Undetermined {
                name: t.name(symbol).to_owned(),
            }
            .at(span));
        };
        let sort = self.instance(family, &parameters, span)?;
        self.construct_in(symbol, sort, index, count, span)
    }

    /// A constructor of a known datatype sort.
    pub(super) fn construct_in(
        &mut self,
        symbol: Symbol,
        sort: Sort,
        index: u32,
        count: usize,
        span: Span,
    ) -> Result<(), ElabError> {
        let t = self.t;
        let datatype = t.datatype_of(sort).expect("the sort of a constructor");
        let ctor = self.constructor_of(datatype, index);
        let params: SmallVec<[Sort; 8]> = t
            .ctor(ctor)
            .fields
            .iter()
            .map(|&selector| t.selector(selector).sort)
            .collect();
        let args = self.coerced(symbol, &params, count, span)?;
        self.push_term(t.construct(ctor, &args), span);
        Ok(())
    }

    /// `((_ is C) x)`.
    pub(super) fn tester(
        &mut self,
        constructor: Symbol,
        count: usize,
        span: Span,
    ) -> Result<(), ElabError> {
        let t = self.t;
        let Some(Global::Constructor(family, index)) = self.known.env.meaning(constructor).global
        else {
            return Err(self.unknown(constructor, span));
        };
        if count != 1 {
            return Err(self.arity(constructor, "1 argument in a test", count, span));
        }
        let from = self.args_from(1);
        let value = self.closed(from)?;
        let Some(datatype) = self.as_instance(t.sort_of(value), family) else {
            return Err(self.argument(constructor, from, from, &self.family_text(family)));
        };
        self.stack.truncate(from);
        self.push_term(t.is(self.constructor_of(datatype, index), value), span);
        Ok(())
    }

    /// The value at a place of the stack as a term.
    pub(super) fn closed(&mut self, at: usize) -> Result<Term, ElabError> {
        let (value, span) = self.stack[at];
        let term = self.close(value, span)?;
        self.stack[at].0 = Operand::Term(term);
        Ok(term)
    }

    /// A value as a term of a sort, where it is or can be made one.
    pub(super) fn coerce(
        &mut self,
        value: Operand,
        span: Span,
        sort: Sort,
    ) -> Result<Option<Term>, ElabError> {
        if let Operand::Open(family, index) = value
            && let Some(datatype) = self.as_instance(sort, family)
        {
            return Ok(Some(
                self.t.construct(self.constructor_of(datatype, index), &[]),
            ));
        }
        let term = self.close(value, span)?;
        let found = self.t.sort_of(term);
        Ok(if found == sort {
            Some(term)
        } else if found == Sort::INT && sort == Sort::REAL {
            Some(self.t.to_real(term))
        } else {
            None
        })
    }

    /// Takes the last `count` values as arguments for these parameters.
    pub(super) fn coerced(
        &mut self,
        symbol: Symbol,
        params: &[Sort],
        count: usize,
        span: Span,
    ) -> Result<Args, ElabError> {
        if params.len() != count {
            return Err(self.arity(symbol, &arguments(params.len()), count, span));
        }
        let from = self.args_from(count);
        let mut args = Args::with_capacity(count);
        for (at, &sort) in (from..).zip(params) {
            let (value, place) = self.stack[at];
            if let Operand::Term(term) = value
                && self.t.sort_of(term) == sort
            {
                args.push(term);
                continue;
            }
            match self.coerce(value, place, sort)? {
                Some(term) => args.push(term),
                None => return Err(self.argument(symbol, from, at, &self.sort_text(sort))),
            }
        }
        self.stack.truncate(from);
        Ok(args)
    }

    /// The values from `from` on as terms of one sort; they stay on the stack.
    pub(super) fn same_sort(&mut self, from: usize, what: &str) -> Result<Args, ElabError> {
        match self.same_sort_already(from) {
            Some(args) => Ok(args),
            None => self.made_same_sort(from, what),
        }
    }

    /// The values from `from` on, if they are terms of one sort.
    fn same_sort_already(&self, from: usize) -> Option<Args> {
        let mut common = None;
        let terms = self.stack[from..].iter().map(|&(value, _)| match value {
            Operand::Term(term) => {
                let sort = self.t.sort_of(term);
                (*common.get_or_insert(sort) == sort).then_some(term)
            }
            Operand::Open(..) => None,
        });
        terms.collect()
    }

    /// The values from `from` on as terms of one sort, where some must be made so.
    fn made_same_sort(&mut self, from: usize, what: &str) -> Result<Args, ElabError> {
        let mut common = None;
        for &(value, _) in &self.stack[from..] {
            if let Some(sort) = self.sort_of(value) {
                let real = common == Some(Sort::INT) && sort == Sort::REAL;
                if common.is_none() || real {
                    common = Some(sort);
                }
            }
        }
        let mut args = Args::with_capacity(self.stack.len() - from);
        for at in from..self.stack.len() {
            let (value, span) = self.stack[at];
            let sort = match common {
                Some(sort) => sort,
                None => {
                    // Only open constructors: the first determines the others.
                    let term = self.close(value, span)?;
                    *common.insert(self.t.sort_of(term))
                }
            };
            match self.coerce(value, span, sort)? {
                Some(term) => args.push(term),
                None => {
                    let what = format!("one of {what}");
                    let (expected, found) = (self.sort_text(sort), self.found(value));
                    return Err(ElabErrorKind::Mismatch {
                        what,
                        expected,
                        found,
                    }
                    .at(span));
                }
            }
        }
        Ok(args)
    }

    /// A theory function, applied to the last `count` values.
    fn apply_builtin(
        &mut self,
        symbol: Symbol,
        builtin: Builtin,
        count: usize,
        span: Span,
    ) -> Result<(), ElabError> {
        let term = match builtin {
            Builtin::True | Builtin::False => {
                return Err(self.arity(symbol, "no arguments", count, span));
            }
            Builtin::Not => self.negation(symbol, count, span)?,
            Builtin::And => self.t.and(self.formulas(symbol, count)?),
            Builtin::Or => self.t.or(self.formulas(symbol, count)?),
            Builtin::Xor => self.exclusive_or(symbol, count, span)?,
            Builtin::Implies => self.implication(symbol, count, span)?,
            Builtin::Equal => self.equality(symbol, count, span)?,
            Builtin::Distinct => self.distinct(symbol, count, span)?,
            Builtin::Ite => self.if_then_else(symbol, count, span)?,
            Builtin::Select | Builtin::Store => {
                self.array_function(symbol, builtin, count, span)?
            }
            Builtin::Add
            | Builtin::Sub
            | Builtin::Mul
            | Builtin::Divide
            | Builtin::IntDiv
            | Builtin::Mod
            | Builtin::Rem
            | Builtin::Abs
            | Builtin::Compare(_)
            | Builtin::ToReal
            | Builtin::ToInt
            | Builtin::IsInt => self.arithmetic(symbol, builtin, count, span)?,
            Builtin::BvUnary(_)
            | Builtin::BvBinary(_)
            | Builtin::BvNary(_)
            | Builtin::BvNegated(_)
            | Builtin::BvCompare(..)
            | Builtin::BvSub
            | Builtin::BvOverflow(..)
            | Builtin::BvReduce(_)
            | Builtin::Concat
            | Builtin::BvToNat
            | Builtin::BvToInt => self.bit_vector(symbol, builtin, count, span)?,
        };
        self.stack.truncate(self.args_from(count));
        self.push_term(term, span);
        Ok(())
    }

    /// The last `count` values, which must be formulas; they stay on the stack.
    fn formulas(&self, symbol: Symbol, count: usize) -> Result<Args, ElabError> {
        let from = self.args_from(count);
        let mut args = Args::with_capacity(count);
        for at in from..self.stack.len() {
            match self.stack[at].0 {
                Operand::Term(term) if self.t.sort_of(term) == Sort::BOOL => args.push(term),
                _ => return Err(self.argument(symbol, from, at, "Bool")),
            }
        }
        Ok(args)
    }

    fn negation(&mut self, symbol: Symbol, count: usize, span: Span) -> Result<Term, ElabError> {
        if count != 1 {
            return Err(self.arity(symbol, "1 argument", count, span));
        }
        Ok(self.t.not(self.formulas(symbol, count)?[0]))
    }

    fn exclusive_or(
        &mut self,
        symbol: Symbol,
        count: usize,
        span: Span,
    ) -> Result<Term, ElabError> {
        if count < 2 {
            return Err(self.arity(symbol, "2 or more arguments", count, span));
        }
        let args = self.formulas(symbol, count)?;
        Ok(args[1..]
            .iter()
            .fold(args[0], |left, &right| self.t.xor(left, right)))
    }

    /// `(=> a b c)` is `a ∧ b ⇒ c`: a disjunction.
    fn implication(&mut self, symbol: Symbol, count: usize, span: Span) -> Result<Term, ElabError> {
        if count < 2 {
            return Err(self.arity(symbol, "2 or more arguments", count, span));
        }
        let args = self.formulas(symbol, count)?;
        let (&conclusion, premises) = args.split_last().expect("there are two or more");
        let negated = premises.iter().map(|&premise| self.t.not(premise));
        Ok(self.t.or(negated.chain([conclusion])))
    }

    fn equality(&mut self, symbol: Symbol, count: usize, span: Span) -> Result<Term, ElabError> {
        if count < 2 {
            return Err(self.arity(symbol, "2 or more arguments", count, span));
        }
        let args = self.same_sort(self.args_from(count), "the sides of the equation")?;
        Ok(match args[..] {
            [x, y] => self.t.eq(x, y),
            _ => self
                .t
                .and(args.windows(2).map(|pair| self.t.eq(pair[0], pair[1]))),
        })
    }

    fn distinct(&mut self, symbol: Symbol, count: usize, span: Span) -> Result<Term, ElabError> {
        if count < 2 {
            return Err(self.arity(symbol, "2 or more arguments", count, span));
        }
        // An inequation and its negation for each pair.
        self.expand(count.saturating_mul(count - 1), span)?;
        let args = self.same_sort(self.args_from(count), "the terms that are to be distinct")?;
        Ok(self.t.distinct(&args))
    }

    fn if_then_else(
        &mut self,
        symbol: Symbol,
        count: usize,
        span: Span,
    ) -> Result<Term, ElabError> {
        if count != 3 {
            return Err(self.arity(symbol, "3 arguments", count, span));
        }
        let from = self.args_from(count);
        if self.sort_of(self.stack[from].0) != Some(Sort::BOOL) {
            return Err(self.argument(symbol, from, from, "Bool"));
        }
        let condition = self.closed(from)?;
        let branches = self.same_sort(from + 1, "the branches of the if-then-else")?;
        Ok(self.t.ite(condition, branches[0], branches[1]))
    }
}

/// A number of arguments in words.
pub(super) fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        _ => format!("{count} arguments"),
    }
}
