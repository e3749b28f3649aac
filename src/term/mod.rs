//! Sorts, hash-consed terms and what is done with them: building, traversal, substitution,
//! evaluation, printing.
//!
//! A [`Terms`] store owns every term, sort, symbol and datatype; a [`Term`] is a 32-bit id, cheap
//! to copy, compare and hash, meaningless in any other store. Structurally equal terms have equal
//! ids. The store has interior mutability and is passed as `&Terms`, so that building reads like
//! the formula:
//!
//! ```
//! use horn::term::{Sort, Terms};
//!
//! let t = Terms::new();
//! let (x, y) = (t.var("x", Sort::INT), t.var("y", Sort::INT));
//! let f = t.and([t.le(x, y), t.not(t.eq(x, y))]);
//! assert_eq!(t.display(f).to_string(), "(and (<= x y) (not (= x y)))");
//! ```
//!
//! The builders simplify locally:
//!
//! ```
//! # use horn::term::{Sort, Terms};
//! # let t = Terms::new();
//! # let x = t.var("x", Sort::INT);
//! // Constants are folded, duplicates and units dropped.
//! assert_eq!(t.add([x, t.int(2), t.int(-2)]), x);
//! let positive = t.lt(t.int(0), x);
//! assert_eq!(t.and([positive, t.bool(true), positive]), positive);
//! assert_eq!(t.and([positive, t.not(positive)]), t.bool(false));
//! // A cell that was just written has what was written.
//! let a = t.var("a", t.array_sort(Sort::INT, Sort::INT));
//! assert_eq!(t.select(t.store(a, x, t.int(7)), x), t.int(7));
//! ```
//!
//! A store is for one thread at a time; threads own their stores, which may be copies of each
//! other, and exchange terms by [`Import`].
//!
//! Invariant: the arguments of a term have smaller ids than the term, so ids are a topological
//! order. Invariant: nothing in the store is ever changed or removed, so references into it live as
//! long as it does. Invariant: no operation on terms recurses over their structure; depth is
//! bounded by memory only.

mod arena;
mod build;
mod closure;
mod eval;
#[cfg(test)]
pub(crate) mod examples;
mod import;
pub mod intblast;
mod intern;
mod linear;
mod op;
mod print;
mod product;
mod recursion;
mod rewrite;
mod saturation;
mod sort;
mod symmetry;
mod termination;
mod triggers;
mod validity;
mod value;
mod visit;

use crate::number::Rational;
use crate::work;
use arena::Arena;
use hashbrown::HashMap;
use import::Lineage;
use intern::IdTable;
use rustc_hash::{FxBuildHasher, FxHasher};
use std::cell::{Cell, OnceCell, RefCell};
use std::hash::{Hash, Hasher};

pub use build::WordEquation;
pub use eval::{Evaluator, Undefined, UndefinedReason, Unspecified};
pub use import::Import;
pub use linear::LinearSum;
pub use op::{BvOp, FuncId, NumberId, Op};
pub use print::{Declared, Piece, Printer, SortText, TermText, is_simple_symbol, quote_symbol};
pub use recursion::Case;
pub use rewrite::Substitution;
pub use saturation::{Effort, Fact, Origin, Saturation};
pub use sort::{
    Ctor, CtorId, CtorSpec, Datatype, DatatypeId, Selector, SelectorId, Sort, SortKind,
};
pub use symmetry::{Symmetries, TICKS_OF_NODE, Tie};
pub use value::{ArrayValue, BitVec, DatatypeValue, Value};
pub use visit::{PostOrder, TermMap, TermSet};

/// A term, an id of the store that made it. Equal ids are equal terms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(u32);

impl Term {
    /// `true`, the same in every store.
    pub const TRUE: Term = Term(0);
    /// `false`, the same in every store.
    pub const FALSE: Term = Term(1);

    /// A dense index: below [`Terms::len`] of the term's store.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An interned name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(u32);

impl Symbol {
    /// A dense index, for tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A declared function; a predicate where the result is `Bool`.
#[derive(Clone, Debug)]
pub struct FuncDecl {
    /// Its name.
    pub name: Symbol,
    /// The sorts of its arguments.
    pub params: Box<[Sort]>,
    /// The sort of its values.
    pub result: Sort,
    /// Its definition by recursion over a datatype, see [`Terms::define_by_cases`].
    cases: OnceCell<Box<[Case]>>,
}

/// A term's head, sort and arguments. Nodes are most of what a store takes, and of what a text
/// becomes: 32 bytes.
#[derive(Clone)]
struct TermNode {
    op: Op,
    sort: Sort,
    args: Args,
}

const _: () = assert!(size_of::<TermNode>() == 32);

/// The arguments of a node.
#[derive(Clone)]
enum Args {
    /// A number of arguments, and an array that begins with them.
    Few(u8, [Term; 3]),
    /// More: a list of the store.
    Many(u32),
}

/// The logarithm of the number of short names kept at hand.
const RECENT_BITS: u32 = 8;

/// A name of one to eight bytes as a number other than 0, which no other name has: one that begins
/// with NUL has none.
fn short_key(name: &str) -> Option<u64> {
    let bytes = name.as_bytes();
    if bytes.is_empty() || bytes.len() > 8 || bytes[0] == 0 {
        return None;
    }
    Some(
        bytes
            .iter()
            .fold(0, |key, &byte| key << 8 | u64::from(byte)),
    )
}

type Table<K, V> = RefCell<HashMap<K, V, FxBuildHasher>>;

/// The store of terms; see the module's documentation.
pub struct Terms {
    nodes: Arena<TermNode>,
    /// Lists of more than three arguments.
    long_args: Arena<Box<[Term]>>,
    node_ids: IdTable,
    sorts: Arena<SortKind>,
    sort_ids: Table<SortKind, Sort>,
    /// Is there an uninterpreted sort?
    has_uninterpreted: Cell<bool>,
    /// How many values sorts with parts have, as far as it was asked.
    cardinalities: Table<Sort, Option<u64>>,
    /// What products are when they are multiplied out, as far as it was asked.
    products: Table<Term, product::Product>,
    symbols: Arena<Box<str>>,
    symbol_ids: IdTable,
    /// The last short names that were interned: most tokens of a text are one of a few symbols.
    recent_symbols: [Cell<(u64, Symbol)>; 1 << RECENT_BITS],
    numbers: Arena<Rational>,
    number_ids: IdTable,
    funcs: Arena<FuncDecl>,
    datatypes: Arena<Datatype>,
    ctors: Arena<Ctor>,
    selectors: Arena<Selector>,
    fresh: Cell<u32>,
    lineage: Lineage,
}

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl Terms {
    /// An empty store: it holds the basic sorts, `true` and `false`.
    pub fn new() -> Self {
        let t = Terms {
            nodes: Arena::new(),
            long_args: Arena::new(),
            node_ids: IdTable::default(),
            sorts: Arena::new(),
            sort_ids: Table::default(),
            has_uninterpreted: Cell::new(false),
            cardinalities: Table::default(),
            products: Table::default(),
            symbols: Arena::new(),
            symbol_ids: IdTable::default(),
            recent_symbols: [const { Cell::new((0, Symbol(0))) }; 1 << RECENT_BITS],
            numbers: Arena::new(),
            number_ids: IdTable::default(),
            funcs: Arena::new(),
            datatypes: Arena::new(),
            ctors: Arena::new(),
            selectors: Arena::new(),
            fresh: Cell::new(0),
            lineage: Lineage::default(),
        };
        assert_eq!(t.sort(SortKind::Bool), Sort::BOOL);
        assert_eq!(t.sort(SortKind::Int), Sort::INT);
        assert_eq!(t.sort(SortKind::Real), Sort::REAL);
        assert_eq!(t.make(Op::True, Sort::BOOL, &[]), Term::TRUE);
        assert_eq!(t.make(Op::False, Sort::BOOL, &[]), Term::FALSE);
        t
    }

    /// Number of terms in the store; ids are below it.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The terms of the store from an index on, in the order of their making.
    pub fn terms_from(&self, index: usize) -> impl Iterator<Item = Term> + use<> {
        let number = |index| u32::try_from(index).expect("ids have 32 bits");
        (number(index)..number(self.len())).map(Term)
    }

    /// Never: a store holds at least `true` and `false`.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The head of a term.
    pub fn op(&self, term: Term) -> Op {
        self.nodes.get(term.0).op
    }

    /// The sort of a term.
    pub fn sort_of(&self, term: Term) -> Sort {
        self.nodes.get(term.0).sort
    }

    /// The arguments of a term.
    pub fn args(&self, term: Term) -> &[Term] {
        self.args_of(self.nodes.get(term.0))
    }

    /// The head and the arguments of a term, for less than both alone.
    pub(crate) fn op_and_args(&self, term: Term) -> (Op, &[Term]) {
        let node = self.nodes.get(term.0);
        (node.op, self.args_of(node))
    }

    /// The interned form of a name.
    pub fn symbol(&self, name: &str) -> Symbol {
        let Some(key) = short_key(name) else {
            return self.long_symbol(name);
        };
        // By the golden ratio: the highest bits depend on all bytes.
        let place = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - RECENT_BITS);
        let recent = &self.recent_symbols[place as usize];
        let (known, symbol) = recent.get();
        if known == key {
            return symbol;
        }
        let symbol = self.long_symbol(name);
        recent.set((key, symbol));
        symbol
    }

    /// The interned form of a name of any length.
    fn long_symbol(&self, name: &str) -> Symbol {
        Symbol(self.symbol_ids.find_or_add(
            hash_of(name),
            |id| &**self.symbols.get(id) == name,
            || self.symbols.push(name.into()),
        ))
    }

    /// Has this name been interned?
    pub fn has_symbol(&self, name: &str) -> bool {
        let same = |id| &**self.symbols.get(id) == name;
        self.symbol_ids.find(hash_of(name), same).is_some()
    }

    /// The text of a symbol, without quotes.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.get(symbol.0)
    }

    /// A symbol that starts with `base` and was never interned before.
    pub fn fresh_symbol(&self, base: &str) -> Symbol {
        loop {
            let n = self.fresh.get();
            self.fresh.set(n + 1);
            let name = format!("{base}!{n}");
            if !self.has_symbol(&name) {
                return self.symbol(&name);
            }
        }
    }

    /// Declares a function. Each call makes a new one, also under a name used before.
    pub fn declare(&self, name: Symbol, params: &[Sort], result: Sort) -> FuncId {
        FuncId(self.funcs.push(FuncDecl {
            name,
            params: params.into(),
            result,
            cases: OnceCell::new(),
        }))
    }

    /// A declared function by id.
    pub fn func(&self, id: FuncId) -> &FuncDecl {
        self.funcs.get(id.0)
    }

    /// A number by id.
    pub fn number_value(&self, id: NumberId) -> &Rational {
        self.numbers.get(id.0)
    }

    /// The value of a numeral of sort `Int` or `Real`, `None` for any other term.
    pub fn as_number(&self, term: Term) -> Option<&Rational> {
        match self.op(term) {
            Op::Number(id) => Some(self.number_value(id)),
            _ => None,
        }
    }

    /// The name of a variable, `None` for any other term.
    pub fn as_var(&self, term: Term) -> Option<Symbol> {
        match self.op(term) {
            Op::Var(name) => Some(name),
            _ => None,
        }
    }

    /// Is this term a variable?
    pub fn is_var(&self, term: Term) -> bool {
        matches!(self.op(term), Op::Var(_))
    }

    /// The argument of a negation, `None` for any other term.
    pub fn as_not(&self, term: Term) -> Option<Term> {
        (self.op(term) == Op::Not).then(|| self.args(term)[0])
    }

    /// The conjuncts of a formula, none of them a conjunction, in order: none of `true`. Shared
    /// conjunctions come once.
    pub fn conjuncts(&self, formula: Term) -> Vec<Term> {
        let mut conjuncts = Vec::new();
        let mut seen = TermSet::default();
        let mut todo = vec![formula];
        while let Some(f) = todo.pop() {
            match self.op(f) {
                Op::True => {}
                _ if !seen.insert(f) => {}
                Op::And => todo.extend(self.args(f).iter().rev()),
                _ => conjuncts.push(f),
            }
        }
        conjuncts
    }

    /// The variables of a universal quantifier in front of a formula, and what is said of all their
    /// values: no variables and the formula itself where there is none.
    pub fn split_forall(&self, formula: Term) -> (&[Term], Term) {
        match (self.op(formula), self.args(formula)) {
            (Op::Forall, [bound @ .., matrix]) => (bound, *matrix),
            _ => (&[], formula),
        }
    }

    /// Has a formula quantifiers in front?
    pub fn is_general(&self, formula: Term) -> bool {
        self.op(formula) == Op::Forall
    }

    /// Fresh constants for the variables of the quantifiers in front of a formula, and what it says
    /// of them. If that holds for arbitrary values of the constants, the formula holds.
    pub fn opened(&self, formula: Term) -> (Vec<Term>, Term) {
        let (bound, matrix) = self.split_forall(formula);
        let fresh = bound.iter().map(|&var| {
            let name = self.name(self.as_var(var).expect("what is bound is a variable"));
            self.fresh_var(name, self.sort_of(var))
        });
        let fresh: Vec<Term> = fresh.collect();
        let renamed = bound.iter().copied().zip(fresh.iter().copied());
        let matrix = self.substitute(matrix, renamed);
        (fresh, matrix)
    }

    fn number_id(&self, value: Rational) -> NumberId {
        let hash = hash_of(&value);
        // The value moves into the store where it is new: not before the look-up is over.
        let found = self
            .number_ids
            .find(hash, |id| *self.numbers.get(id) == value);
        NumberId(found.unwrap_or_else(|| {
            (self.number_ids).find_or_add(hash, |_| false, || self.numbers.push(value))
        }))
    }

    /// The node with that head, sort and arguments if there is one.
    fn find(&self, op: Op, sort: Sort, args: &[Term]) -> Option<Term> {
        let hash = hash_of(&(op, sort, args));
        (self.node_ids)
            .find(hash, |id| self.is_node(id, op, sort, args))
            .map(Term)
    }

    fn is_node(&self, id: u32, op: Op, sort: Sort, args: &[Term]) -> bool {
        let node = self.nodes.get(id);
        node.op == op && node.sort == sort && self.args_of(node) == args
    }

    fn args_of<'a>(&'a self, node: &'a TermNode) -> &'a [Term] {
        match &node.args {
            Args::Few(count, args) => &args[..usize::from(*count)],
            Args::Many(list) => self.long_args.get(*list),
        }
    }

    /// The node with that head, sort and arguments, made if it is new. Builders simplify before
    /// they come here.
    fn make(&self, op: Op, sort: Sort, args: &[Term]) -> Term {
        work::spend(2);
        Term(self.node_ids.find_or_add(
            hash_of(&(op, sort, args)),
            |id| self.is_node(id, op, sort, args),
            || {
                debug_assert!(
                    self.is_well_sorted(op, sort, args),
                    "the arguments of {op:?} have its sorts"
                );
                debug_assert!(self.is_normal(op, args), "{op:?} has its normal form");
                let args = match *args {
                    [] => Args::Few(0, [Term::TRUE; 3]),
                    [x] => Args::Few(1, [x, Term::TRUE, Term::TRUE]),
                    [x, y] => Args::Few(2, [x, y, Term::TRUE]),
                    [x, y, z] => Args::Few(3, [x, y, z]),
                    _ => Args::Many(self.long_args.push(args.into())),
                };
                work::spend(6);
                self.nodes.push(TermNode { op, sort, args })
            },
        ))
    }
}

fn hash_of<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}
