//! Terms of one store in another: copies of stores, and import.
//!
//! Threads have a store each. A thread begins with a copy of another's store, so that the terms
//! there are at that time mean the same in both; what either makes later is taken into the other by
//! an [`Import`].

mod value;

use super::{
    Case, CtorId, FuncId, Op, SelectorId, Sort, SortKind, Symbol, Term, TermMap, Terms, Value,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// The number of items of each kind in a store. Items below these numbers never change, so two
/// stores that were one when they had this extent agree on these items for ever.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extent {
    nodes: usize,
    sorts: usize,
    symbols: usize,
    funcs: usize,
    datatypes: usize,
    ctors: usize,
}

impl Extent {
    /// What both hold.
    fn common(self, other: Extent) -> Extent {
        Extent {
            nodes: self.nodes.min(other.nodes),
            sorts: self.sorts.min(other.sorts),
            symbols: self.symbols.min(other.symbols),
            funcs: self.funcs.min(other.funcs),
            datatypes: self.datatypes.min(other.datatypes),
            ctors: self.ctors.min(other.ctors),
        }
    }
}

/// The place of a store among the stores that were copied from each other.
///
/// Invariant: a store agrees with each of its ancestors on the extent beside it.
#[derive(Debug, Default)]
pub(super) struct Lineage {
    /// The store itself: no other store has the same, as long as anybody remembers it.
    own: Arc<()>,
    /// The stores that this one goes back to, the nearest first, each with what was there when the
    /// ways parted.
    ancestors: Vec<(Arc<()>, Extent)>,
}

impl Lineage {
    /// The lineage of a copy made now of a store that has this lineage and this extent.
    fn branch(&self, extent: Extent) -> Lineage {
        let parent = (Arc::clone(&self.own), extent);
        Lineage {
            own: Arc::default(),
            ancestors: [parent].into_iter().chain(self.ancestors.clone()).collect(),
        }
    }
}

impl Clone for Terms {
    /// A copy on which all ids of this store mean what they mean here, at the cost of the store's
    /// size. From now on each grows by itself.
    fn clone(&self) -> Self {
        let defined = (self.datatype_ids()).all(|id| !self.datatype(id).ctors().is_empty());
        // A datatype that is declared and not yet defined may become different things: then nothing
        // counts as shared.
        let shared = if defined {
            self.extent()
        } else {
            Extent::default()
        };
        Terms {
            nodes: self.nodes.clone(),
            long_args: self.long_args.clone(),
            node_ids: self.node_ids.clone(),
            sorts: self.sorts.clone(),
            sort_ids: self.sort_ids.clone(),
            has_uninterpreted: self.has_uninterpreted.clone(),
            cardinalities: self.cardinalities.clone(),
            products: self.products.clone(),
            symbols: self.symbols.clone(),
            symbol_ids: self.symbol_ids.clone(),
            recent_symbols: self.recent_symbols.clone(),
            numbers: self.numbers.clone(),
            number_ids: self.number_ids.clone(),
            funcs: self.funcs.clone(),
            datatypes: self.datatypes.clone(),
            ctors: self.ctors.clone(),
            selectors: self.selectors.clone(),
            fresh: self.fresh.clone(),
            lineage: self.lineage.branch(shared),
        }
    }
}

impl Terms {
    fn extent(&self) -> Extent {
        Extent {
            nodes: self.nodes.len(),
            sorts: self.sorts.len(),
            symbols: self.symbols.len(),
            funcs: self.funcs.len(),
            datatypes: self.datatypes.len(),
            ctors: self.ctors.len(),
        }
    }

    /// What this store and another agree on; nothing where neither is a copy of the other nor both
    /// are copies of a third.
    fn shared_with(&self, other: &Terms) -> Extent {
        let family = |t: &Terms| {
            let own = (Arc::clone(&t.lineage.own), t.extent());
            [own].into_iter().chain(t.lineage.ancestors.clone())
        };
        let common = family(self).find_map(|(store, here)| {
            let (_, there) = family(other).find(|(theirs, _)| Arc::ptr_eq(theirs, &store))?;
            Some(here.common(there))
        });
        common.unwrap_or_default()
    }
}

/// Takes terms, and what is made of them, from one store into another, each once.
///
/// What the stores share, one being a copy of the other or both of a third, keeps its id and costs
/// nothing. Everything else is built anew: variables, uninterpreted sorts and their elements keep
/// their names; functions and datatypes are declared again, once for an `Import`. A variable is its
/// name, so terms that both stores made of fresh variables by themselves may speak of the same
/// variable by accident: only what binds its variables, as an interpretation does its parameters,
/// or has those of a shared system, should be imported.
pub struct Import<'t> {
    from: &'t Terms,
    pub(super) into: &'t Terms,
    shared: Extent,
    terms: TermMap<Term>,
    /// Of the sorts that are not shared, in the order of their ids.
    sorts: Vec<Sort>,
    ctors: FxHashMap<CtorId, CtorId>,
    selectors: FxHashMap<SelectorId, SelectorId>,
    funcs: FxHashMap<FuncId, FuncId>,
    /// Compound values by the place of their parts, with the value itself, which keeps the place
    /// its own.
    pub(super) values: FxHashMap<usize, (Value, Value)>,
}

impl<'t> Import<'t> {
    /// From one store into another.
    pub fn new(from: &'t Terms, into: &'t Terms) -> Self {
        Import {
            from,
            into,
            shared: from.shared_with(into),
            terms: TermMap::default(),
            sorts: Vec::new(),
            ctors: FxHashMap::default(),
            selectors: FxHashMap::default(),
            funcs: FxHashMap::default(),
            values: FxHashMap::default(),
        }
    }

    /// The term in the other store, simplified as by its builders.
    pub fn term(&mut self, root: Term) -> Term {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.known(term).is_some() {
                open.pop();
                continue;
            }
            let args = self.from.args(term);
            let before = open.len();
            // From left to right, so that arguments ordered by age keep their order in the new
            // store.
            open.extend((args.iter().rev()).filter(|&&arg| self.known(arg).is_none()));
            if open.len() > before {
                continue;
            }
            open.pop();
            let args: SmallVec<[Term; 4]> = (args.iter())
                .map(|&arg| self.known(arg).expect("no argument was left out"))
                .collect();
            let (op, sort) = (self.op(self.from.op(term)), self.from.sort_of(term));
            let sort = self.sort(sort);
            self.terms.insert(term, self.into.build(op, sort, &args));
        }
        self.known(root).expect("it was built")
    }

    fn known(&self, term: Term) -> Option<Term> {
        match term.index() < self.shared.nodes {
            true => Some(term),
            false => self.terms.get(&term).copied(),
        }
    }

    fn op(&mut self, op: Op) -> Op {
        let (from, into) = (self.from, self.into);
        match op {
            Op::Var(name) => Op::Var(self.symbol(name)),
            Op::Apply(func) => Op::Apply(self.func(func)),
            Op::Construct(ctor) => Op::Construct(self.ctor(ctor)),
            Op::Is(ctor) => Op::Is(self.ctor(ctor)),
            Op::Field(selector) => Op::Field(self.selector(selector)),
            Op::Number(id) => Op::Number(into.number_id(from.number_value(id).clone())),
            Op::BitVec(id) => Op::BitVec(into.number_id(from.number_value(id).clone())),
            other => other,
        }
    }

    /// The name in the other store.
    pub fn symbol(&self, symbol: Symbol) -> Symbol {
        match symbol.index() < self.shared.symbols {
            true => symbol,
            false => self.into.symbol(self.from.name(symbol)),
        }
    }

    /// The function in the other store; one of the same signature that is declared there if the
    /// stores do not share it.
    pub fn func(&mut self, func: FuncId) -> FuncId {
        if (func.0 as usize) < self.shared.funcs {
            return func;
        }
        if let Some(&known) = self.funcs.get(&func) {
            return known;
        }
        let decl = self.from.func(func);
        let params: Vec<Sort> = decl.params.iter().map(|&sort| self.sort(sort)).collect();
        let result = self.sort(decl.result);
        let made = self.into.declare(self.symbol(decl.name), &params, result);
        self.funcs.insert(func, made);
        self.take_cases(func, made);
        made
    }

    /// Defines a function as its original is defined. Definitions may refer to each other: the
    /// functions are known before their cases are taken. The call depth is at most the number of
    /// functions.
    fn take_cases(&mut self, func: FuncId, made: FuncId) {
        let cases = self.from.func(func).cases().iter().map(|case| Case {
            ctor: self.ctor(case.ctor),
            params: case.params.iter().map(|&param| self.term(param)).collect(),
            body: self.term(case.body),
        });
        let cases: Vec<Case> = cases.collect();
        if !cases.is_empty() {
            self.into.define_by_cases(made, cases);
        }
    }

    /// The sort in the other store.
    pub fn sort(&mut self, sort: Sort) -> Sort {
        let id = sort.0 as usize;
        if id < self.shared.sorts {
            return sort;
        }
        if id >= self.shared.sorts + self.sorts.len() {
            self.take_sorts();
        }
        self.sorts[id - self.shared.sorts]
    }

    /// Is this a sort that keeps its id, with all its parts?
    pub(super) fn shares_sort(&self, sort: Sort) -> bool {
        (sort.0 as usize) < self.shared.sorts
    }

    /// Is this a constructor that keeps its id, with all its fields?
    pub(super) fn shares_ctor(&self, ctor: CtorId) -> bool {
        (ctor.0 as usize) < self.shared.ctors
    }

    /// The constructor in the other store.
    pub(super) fn ctor(&mut self, ctor: CtorId) -> CtorId {
        if self.shares_ctor(ctor) {
            return ctor;
        }
        if !self.ctors.contains_key(&ctor) {
            self.take_sorts();
        }
        self.ctors[&ctor]
    }

    fn selector(&mut self, selector: SelectorId) -> SelectorId {
        let ctor = self.from.selector(selector).ctor;
        if self.shares_ctor(ctor) {
            return selector;
        }
        self.ctor(ctor);
        self.selectors[&selector]
    }

    /// Takes all sorts that there are: a sort refers to sorts before it, but for the fields of
    /// datatypes, which are defined when all sorts are known.
    fn take_sorts(&mut self) {
        let (from, into) = (self.from, self.into);
        let first = self.shared.sorts + self.sorts.len();
        for sort in from.sort_ids_from(first) {
            let made = match from.sort_kind(sort) {
                SortKind::Array(index, element) => {
                    into.array_sort(self.sort(*index), self.sort(*element))
                }
                SortKind::Datatype(id) => {
                    let decl = from.datatype(*id);
                    let args: Vec<Sort> = decl.args.iter().map(|&arg| self.sort(arg)).collect();
                    into.datatype(into.declare_datatype(self.symbol(decl.name), &args))
                        .sort
                }
                SortKind::Uninterpreted(name, args) => {
                    let args = args.iter().map(|&arg| self.sort(arg)).collect();
                    into.sort(SortKind::Uninterpreted(self.symbol(*name), args))
                }
                simple => into.sort(simple.clone()),
            };
            self.sorts.push(made);
        }
        self.define_datatypes();
    }

    /// Gives the datatypes that were declared the constructors of their originals, where those are
    /// defined.
    fn define_datatypes(&mut self) {
        let (from, into) = (self.from, self.into);
        for id in from.datatype_ids().skip(self.shared.datatypes) {
            let decl = from.datatype(id);
            let sort = self.sort(decl.sort);
            let made = into.datatype_of(sort).expect("a datatype's sort");
            if !into.datatype(made).ctors().is_empty() {
                continue;
            }
            let specs = decl.ctors().iter().map(|&ctor| {
                let ctor = from.ctor(ctor);
                let fields = ctor.fields.iter().map(|&field| from.selector(field));
                let fields = fields.map(|field| (self.symbol(field.name), self.sort(field.sort)));
                let fields = fields.collect();
                (self.symbol(ctor.name), fields)
            });
            let specs: Vec<_> = specs.collect();
            if specs.is_empty() {
                continue;
            }
            into.define_datatype(made, &specs);
            for (&old, &new) in decl.ctors().iter().zip(into.datatype(made).ctors()) {
                self.ctors.insert(old, new);
                let fields = from.ctor(old).fields.iter().copied();
                self.selectors
                    .extend(fields.zip(into.ctor(new).fields.iter().copied()));
            }
        }
    }
}
