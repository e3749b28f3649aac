//! What symbols mean: theory functions, declarations with their scopes, and the variables bound at
//! the moment.

use super::Operand;
use super::builtin::{self, Builtin};
use super::error::{ElabError, ElabErrorKind};
use crate::chc::Span;
use crate::term::{FuncId, Sort, Symbol, Term, Terms};

/// A declared or defined meaning of a symbol as a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Global {
    /// A declared function that can be applied: one with result `Bool`; in [`super::Dialect::Smt`]
    /// any that has arguments.
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

/// What a symbol means beside local bindings: few of a text's symbols mean anything.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Meaning {
    /// The declaration in force.
    pub(super) global: Option<Global>,
    /// The sort in force.
    pub(super) sort: Option<SortDef>,
    /// The theory function of that name.
    pub(super) builtin: Option<Builtin>,
}

/// What is known of one symbol.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// The variable or `let` name bound at the moment.
    local: Option<Operand>,
    /// The last assertion that bound the symbol as a variable.
    bound_in: u32,
    /// An index into the table's meanings; 0 for none.
    meaning: u32,
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
    /// The first one is of all symbols that mean nothing.
    meanings: Vec<Meaning>,
    trail: Vec<Undo>,
    /// The length of the trail at each `push`.
    levels: Vec<usize>,
    /// Local bindings that inner ones hide, innermost last.
    hidden: Vec<(Symbol, Option<Operand>)>,
}

impl Env {
    /// The theories' symbols.
    pub(super) fn new(t: &Terms) -> Self {
        let mut env = Env {
            slots: Vec::new(),
            meanings: vec![Meaning::default()],
            trail: Vec::new(),
            levels: Vec::new(),
            hidden: Vec::new(),
        };
        for &(name, builtin) in builtin::TABLE {
            env.meaning_mut(t.symbol(name)).builtin = Some(builtin);
        }
        for (name, sort) in [
            ("Bool", Sort::BOOL),
            ("Int", Sort::INT),
            ("Real", Sort::REAL),
        ] {
            env.meaning_mut(t.symbol(name)).sort = Some(SortDef::Ground(sort));
        }
        env.meaning_mut(t.symbol("Array")).sort = Some(SortDef::Array);
        env
    }

    /// The variable or `let` name bound at the moment.
    pub(super) fn local(&self, symbol: Symbol) -> Option<Operand> {
        self.slots.get(symbol.index())?.local
    }

    /// What a symbol means where it is not bound locally.
    pub(super) fn meaning(&self, symbol: Symbol) -> &Meaning {
        let slot = self.slots.get(symbol.index());
        &self.meanings[slot.map_or(0, |slot| slot.meaning as usize)]
    }

    fn meaning_mut(&mut self, symbol: Symbol) -> &mut Meaning {
        let fresh = self.meanings.len();
        let slot = self.slot_mut(symbol);
        if slot.meaning == 0 {
            slot.meaning = fresh as u32;
            self.meanings.push(Meaning::default());
        }
        let index = self.slots[symbol.index()].meaning;
        &mut self.meanings[index as usize]
    }

    /// Takes note that an assertion binds the symbol as a variable; answers whether it did so
    /// before.
    pub(super) fn bind_in(&mut self, symbol: Symbol, assertion: u32) -> bool {
        let slot = self.slot_mut(symbol);
        std::mem::replace(&mut slot.bound_in, assertion) == assertion
    }

    fn slot_mut(&mut self, symbol: Symbol) -> &mut Slot {
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
        let meaning = self.meaning_mut(symbol);
        let fixed = |builtin: Builtin| !builtin.may_be_redeclared();
        if meaning.global.is_some() || meaning.builtin.is_some_and(fixed) {
            return Err(ElabErrorKind::AlreadyDeclared {
                name: t.name(symbol).to_owned(),
            }
            .at(span));
        }
        meaning.global = Some(global);
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
        let meaning = self.meaning_mut(symbol);
        if meaning.sort.is_some() || t.name(symbol) == "BitVec" {
            return Err(ElabErrorKind::SortAlreadyDeclared {
                name: t.name(symbol).to_owned(),
            }
            .at(span));
        }
        meaning.sort = Some(sort);
        self.trail.push(Undo::Sort(symbol, None));
        Ok(())
    }

    /// Makes symbols stand for sort parameters, hiding what they were; [`Env::rollback`] to the
    /// mark before takes it back.
    pub(super) fn bind_parameters(&mut self, parameters: impl Iterator<Item = Symbol>) {
        for (index, symbol) in (0u32..).zip(parameters) {
            let meaning = self.meaning_mut(symbol);
            let before = meaning.sort.replace(SortDef::Parameter(index));
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
                Undo::Global(symbol, before) => self.meaning_mut(symbol).global = before,
                Undo::Sort(symbol, before) => self.meaning_mut(symbol).sort = before,
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
    pub(super) fn bind(&mut self, symbol: Symbol, value: Operand) {
        let slot = self.slot_mut(symbol);
        let before = slot.local.replace(value);
        self.hidden.push((symbol, before));
    }

    /// How many local bindings there are.
    pub(super) fn bound(&self) -> u32 {
        self.hidden.len() as u32
    }

    /// Ends local bindings until `count` are left.
    pub(super) fn unbind(&mut self, count: u32) {
        while self.bound() > count {
            let (symbol, before) = self
                .hidden
                .pop()
                .expect("there are more bindings than that");
            self.slot_mut(symbol).local = before;
        }
    }
}
