//! What symbols mean: theory functions, declarations with their scopes, and the variables bound at the moment.

use super::Value;
use super::builtin::{self, Builtin};
use super::error::{ElabError, ElabErrorKind};
use crate::chc::Span;
use crate::term::{FuncId, Sort, Symbol, Term, Terms};

/// A declared or defined meaning of a symbol as a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Global {
    /// A declared function that can be applied: one with result `Bool`; in [`super::Dialect::Smt`] any that has arguments.
    Predicate(FuncId),
    /// Any other declared function; its arity.
    Function(u32),
    /// A defined function: an index into the elaborator's macros.
    Macro(u32),
    /// A constructor: family and position.
    Constructor(u32, u32),
    /// A selector: family, constructor, field.
    Selector(u32, u32, u32),
    /// A variable of Z3's `declare-var`; in [`super::Dialect::Smt`] a declared constant.
    RuleVariable(Term),
}

/// A meaning of a symbol as a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SortDef {
    /// A sort without parameters.
    Ground(Sort),
    /// `Array`.
    Array,
    /// `declare-sort`, with its arity.
    Declared(u32),
    /// A datatype, with its family.
    Family(u32),
    /// `define-sort`, an index into the elaborator's aliases.
    Alias(u32),
    /// A parameter of the datatype or sort that is being declared.
    Parameter(u32),
}

/// Everything that is known of one symbol.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    /// The variable or `let` name bound at the moment.
    pub(super) local: Option<Value>,
    /// The declaration in force.
    pub(super) global: Option<Global>,
    /// The sort in force.
    pub(super) sort: Option<SortDef>,
    /// The theory function of that name.
    pub(super) builtin: Option<Builtin>,
    /// The last assertion that bound the symbol as a variable.
    pub(super) bound_in: u32,
}

/// How a change of the table is taken back.
#[derive(Clone, Copy, Debug)]
enum Undo {
    Global(Symbol, Option<Global>),
    Sort(Symbol, Option<SortDef>),
}

/// The table of symbols.
#[derive(Debug)]
pub(super) struct Env {
    slots: Vec<Slot>,
    trail: Vec<Undo>,
    /// The length of the trail at each `push`.
    levels: Vec<usize>,
    /// Local bindings that inner ones hide, innermost last.
    hidden: Vec<(Symbol, Option<Value>)>,
}

impl Env {
    /// The theories' symbols.
    pub(super) fn new(t: &Terms) -> Self {
        let mut env = Env {
            slots: Vec::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            hidden: Vec::new(),
        };
        for &(name, builtin) in builtin::TABLE {
            env.slot_mut(t.symbol(name)).builtin = Some(builtin);
        }
        for (name, sort) in [
            ("Bool", Sort::BOOL),
            ("Int", Sort::INT),
            ("Real", Sort::REAL),
        ] {
            env.slot_mut(t.symbol(name)).sort = Some(SortDef::Ground(sort));
        }
        env.slot_mut(t.symbol("Array")).sort = Some(SortDef::Array);
        env
    }

    /// What is known of a symbol.
    pub(super) fn slot(&self, symbol: Symbol) -> Slot {
        self.slots.get(symbol.index()).copied().unwrap_or_default()
    }

    pub(super) fn slot_mut(&mut self, symbol: Symbol) -> &mut Slot {
        let index = symbol.index();
        if index >= self.slots.len() {
            self.slots.resize(index + 1, Slot::default());
        }
        &mut self.slots[index]
    }

    /// Declares a function.
    ///
    /// # Errors
    /// The symbol is declared already.
    pub(super) fn declare(
        &mut self,
        t: &Terms,
        symbol: Symbol,
        global: Global,
        span: Span,
    ) -> Result<(), ElabError> {
        let slot = self.slot_mut(symbol);
        if slot.global.is_some()
            || slot
                .builtin
                .is_some_and(|builtin| !builtin.may_be_redeclared())
        {
            return Err(ElabErrorKind::AlreadyDeclared {
                name: t.name(symbol).to_owned(),
            }
            .at(span));
        }
        slot.global = Some(global);
        self.trail.push(Undo::Global(symbol, None));
        Ok(())
    }

    /// Declares a sort.
    ///
    /// # Errors
    /// The symbol is declared already.
    pub(super) fn declare_sort(
        &mut self,
        t: &Terms,
        symbol: Symbol,
        sort: SortDef,
        span: Span,
    ) -> Result<(), ElabError> {
        let slot = self.slot_mut(symbol);
        if slot.sort.is_some() || t.name(symbol) == "BitVec" {
            return Err(ElabErrorKind::SortAlreadyDeclared {
                name: t.name(symbol).to_owned(),
            }
            .at(span));
        }
        slot.sort = Some(sort);
        self.trail.push(Undo::Sort(symbol, None));
        Ok(())
    }

    /// Makes symbols stand for sort parameters, hiding what they were; [`Env::rollback`] to the mark before takes it back.
    pub(super) fn bind_parameters(&mut self, parameters: impl Iterator<Item = Symbol>) {
        for (index, symbol) in (0u32..).zip(parameters) {
            let slot = self.slot_mut(symbol);
            let before = slot.sort.replace(SortDef::Parameter(index));
            self.trail.push(Undo::Sort(symbol, before));
        }
    }

    /// The moment, for [`Env::rollback`].
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back the declarations made since the mark.
    pub(super) fn rollback(&mut self, mark: usize) {
        while self.trail.len() > mark {
            match self.trail.pop().expect("the trail is longer than the mark") {
                Undo::Global(symbol, before) => self.slot_mut(symbol).global = before,
                Undo::Sort(symbol, before) => self.slot_mut(symbol).sort = before,
            }
        }
    }

    /// Opens a scope of declarations.
    pub(super) fn push(&mut self) {
        self.levels.push(self.trail.len());
    }

    /// Closes the innermost scope of declarations; there must be one.
    pub(super) fn pop(&mut self) {
        let mark = self.levels.pop().expect("a scope is open");
        self.rollback(mark);
    }

    /// Binds a symbol locally.
    pub(super) fn bind(&mut self, symbol: Symbol, value: Value) {
        let slot = self.slot_mut(symbol);
        let before = slot.local.replace(value);
        self.hidden.push((symbol, before));
    }

    /// How many local bindings there are.
    pub(super) fn bound(&self) -> usize {
        self.hidden.len()
    }

    /// Ends local bindings until so many are left.
    pub(super) fn unbind(&mut self, count: usize) {
        while self.hidden.len() > count {
            let (symbol, before) = self
                .hidden
                .pop()
                .expect("there are more bindings than that");
            self.slot_mut(symbol).local = before;
        }
    }
}
