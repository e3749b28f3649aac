//! Sorts and algebraic datatypes.
//!
//! Parametric datatypes are monomorphic here: the elaboration of the text makes each instance
//! (`(List Int)`, `(List Bool)`) a separate datatype.

use super::{Symbol, Term, Terms};
use std::cell::OnceCell;

/// A sort, an id of the store that made it. Equal ids are equal sorts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Sort(pub(crate) u32);

impl Sort {
    /// The sort of truth values; formulas are terms of this sort.
    pub const BOOL: Sort = Sort(0);
    /// The mathematical integers.
    pub const INT: Sort = Sort(1);
    /// The real numbers; only rational values can be written.
    pub const REAL: Sort = Sort(2);

    /// Is this `Int` or `Real`?
    pub fn is_arith(self) -> bool {
        self == Sort::INT || self == Sort::REAL
    }
}

/// What a [`Sort`] is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SortKind {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// Reals.
    Real,
    /// Bit-vectors of a positive width.
    BitVec(u32),
    /// Arrays from an index sort to an element sort.
    Array(Sort, Sort),
    /// A (monomorphic) algebraic datatype.
    Datatype(DatatypeId),
    /// A declared sort, applied to its arguments (none for arity 0).
    Uninterpreted(Symbol, Box<[Sort]>),
}

/// A datatype of a store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DatatypeId(pub(crate) u32);

/// A constructor of a store, of whatever datatype.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CtorId(pub(crate) u32);

/// A selector of a store: one field of one constructor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SelectorId(pub(crate) u32);

/// A datatype: its name as declared, the sorts it is instantiated with, and its constructors.
#[derive(Clone, Debug)]
pub struct Datatype {
    /// The declared name, without parameters.
    pub name: Symbol,
    /// The sorts that stand for the parameters of a parametric declaration; empty otherwise.
    pub args: Box<[Sort]>,
    /// The sort of its values.
    pub sort: Sort,
    ctors: OnceCell<Box<[CtorId]>>,
}

impl Datatype {
    /// The constructors in the order of declaration; empty while the datatype is declared but not
    /// yet defined.
    pub fn ctors(&self) -> &[CtorId] {
        self.ctors.get().map_or(&[], |c| c)
    }
}

/// A constructor.
#[derive(Clone, Debug)]
pub struct Ctor {
    /// Its name.
    pub name: Symbol,
    /// The datatype it builds.
    pub datatype: DatatypeId,
    /// Its position among the datatype's constructors.
    pub index: u32,
    /// Its fields in order.
    pub fields: Box<[SelectorId]>,
}

/// A selector.
#[derive(Clone, Debug)]
pub struct Selector {
    /// Its name.
    pub name: Symbol,
    /// The constructor whose field it reads.
    pub ctor: CtorId,
    /// The position of that field.
    pub index: u32,
    /// The sort of the field.
    pub sort: Sort,
}

/// A constructor to be: its name, and name and sort of each field.
pub type CtorSpec = (Symbol, Vec<(Symbol, Sort)>);

impl Terms {
    /// The sort of that kind.
    pub fn sort(&self, kind: SortKind) -> Sort {
        debug_assert!(
            self.is_sort_kind(&kind),
            "a bit-vector has at least one bit"
        );
        if let Some(&sort) = self.sort_ids.borrow().get(&kind) {
            return sort;
        }
        if matches!(kind, SortKind::Uninterpreted(..)) {
            self.has_uninterpreted.set(true);
        }
        let sort = Sort(self.sorts.push(kind.clone()));
        self.sort_ids.borrow_mut().insert(kind, sort);
        sort
    }

    /// `(Array index element)`.
    pub fn array_sort(&self, index: Sort, element: Sort) -> Sort {
        self.sort(SortKind::Array(index, element))
    }

    /// `(_ BitVec width)`, `width > 0`.
    pub fn bitvec_sort(&self, width: u32) -> Sort {
        assert!(width > 0, "a bit-vector has at least one bit");
        self.sort(SortKind::BitVec(width))
    }

    /// What `sort` is.
    pub fn sort_kind(&self, sort: Sort) -> &SortKind {
        self.sorts.get(sort.0)
    }

    /// The width of a bit-vector sort, `None` for any other sort.
    pub fn bitvec_width(&self, sort: Sort) -> Option<u32> {
        match self.sort_kind(sort) {
            SortKind::BitVec(width) => Some(*width),
            _ => None,
        }
    }

    /// Index and element sort of an array sort, `None` for any other sort.
    pub fn array_parts(&self, sort: Sort) -> Option<(Sort, Sort)> {
        match self.sort_kind(sort) {
            SortKind::Array(index, element) => Some((*index, *element)),
            _ => None,
        }
    }

    /// The datatype of a datatype sort, `None` for any other sort.
    pub fn datatype_of(&self, sort: Sort) -> Option<DatatypeId> {
        match self.sort_kind(sort) {
            SortKind::Datatype(id) => Some(*id),
            _ => None,
        }
    }

    /// Declares a datatype whose constructors follow by [`Terms::define_datatype`], so that
    /// datatypes may refer to each other. Each call makes a new one, also under a name used before.
    pub fn declare_datatype(&self, name: Symbol, args: &[Sort]) -> DatatypeId {
        let id = DatatypeId(u32::try_from(self.datatypes.len()).expect("few datatypes"));
        let sort = self.sort(SortKind::Datatype(id));
        self.datatypes.push(Datatype {
            name,
            args: args.into(),
            sort,
            ctors: OnceCell::new(),
        });
        id
    }

    /// Gives a declared datatype its constructors, at least one; only once.
    pub fn define_datatype(&self, datatype: DatatypeId, ctors: &[CtorSpec]) {
        assert!(!ctors.is_empty(), "a datatype has a constructor");
        let ids = (0u32..).zip(ctors).map(|(index, (name, fields))| {
            // Selectors name their constructor, which gets the next id once its fields are known.
            let ctor = CtorId(u32::try_from(self.ctors.len()).expect("few constructors"));
            let fields = (0u32..)
                .zip(fields)
                .map(|(index, &(name, sort))| {
                    SelectorId(self.selectors.push(Selector {
                        name,
                        ctor,
                        index,
                        sort,
                    }))
                })
                .collect();
            self.ctors.push(Ctor {
                name: *name,
                datatype,
                index,
                fields,
            });
            ctor
        });
        let ids = ids.collect();
        assert!(
            self.datatype(datatype).ctors.set(ids).is_ok(),
            "a datatype is defined once"
        );
    }

    /// The sort and those of all its parts: of indices, elements and fields.
    fn sorts_within(&self, sort: Sort) -> Vec<Sort> {
        let (mut found, mut next) = (vec![sort], 0);
        while let Some(&sort) = found.get(next) {
            next += 1;
            let parts: Vec<Sort> = match self.sort_kind(sort) {
                SortKind::Array(index, element) => vec![*index, *element],
                _ => self.field_sorts(sort).collect(),
            };
            for part in parts {
                if !found.contains(&part) {
                    found.push(part);
                }
            }
        }
        found
    }

    /// Has a sort values with elements of uninterpreted sorts inside, or is it one?
    pub fn has_elements(&self, sort: Sort) -> bool {
        let is_uninterpreted = |sort| matches!(self.sort_kind(sort), SortKind::Uninterpreted(..));
        self.has_uninterpreted.get() && self.sorts_within(sort).into_iter().any(is_uninterpreted)
    }

    /// May values of a sort be equal that are written in other ways? So are arrays whose indices
    /// have elements of uninterpreted sorts inside: of how many indices they are, nothing is known.
    pub fn has_open_equality(&self, sort: Sort) -> bool {
        let is_open = |sort| {
            let parts = self.array_parts(sort);
            parts.is_some_and(|(index, _)| self.has_elements(index))
        };
        self.has_uninterpreted.get() && self.sorts_within(sort).into_iter().any(is_open)
    }

    /// Was any datatype declared?
    pub fn has_datatypes(&self) -> bool {
        self.datatypes.len() > 0
    }

    /// All datatypes, in the order of their declarations.
    pub(super) fn datatype_ids(&self) -> impl Iterator<Item = DatatypeId> + use<> {
        (0..u32::try_from(self.datatypes.len()).expect("few datatypes")).map(DatatypeId)
    }

    /// The sorts from an index on, in the order of their making.
    pub(super) fn sort_ids_from(&self, index: usize) -> impl Iterator<Item = Sort> + use<> {
        let number = |index| u32::try_from(index).expect("ids have 32 bits");
        (number(index)..number(self.sorts.len())).map(Sort)
    }

    /// A datatype by id.
    pub fn datatype(&self, id: DatatypeId) -> &Datatype {
        self.datatypes.get(id.0)
    }

    /// A constructor by id.
    pub fn ctor(&self, id: CtorId) -> &Ctor {
        self.ctors.get(id.0)
    }

    /// The sort that a constructor builds.
    pub fn ctor_sort(&self, id: CtorId) -> Sort {
        self.datatype(self.ctor(id).datatype).sort
    }

    /// The sorts of all fields of a datatype sort; none of any other sort.
    pub fn field_sorts(&self, sort: Sort) -> impl Iterator<Item = Sort> + '_ {
        let ctors = self
            .datatype_of(sort)
            .map_or(&[][..], |id| self.datatype(id).ctors());
        ctors.iter().flat_map(|&ctor| self.sorts_of_fields(ctor))
    }

    /// The sorts of a constructor's fields, in order.
    pub fn sorts_of_fields(&self, ctor: CtorId) -> impl DoubleEndedIterator<Item = Sort> + '_ {
        let fields = self.ctor(ctor).fields.iter();
        fields.map(|&field| self.selector(field).sort)
    }

    /// Fresh variables for a constructor's fields, with their names.
    pub fn fresh_fields(&self, ctor: CtorId) -> Vec<Term> {
        let fields = self.ctor(ctor).fields.iter().map(|&field| {
            let field = self.selector(field);
            self.fresh_var(self.name(field.name), field.sort)
        });
        fields.collect()
    }

    /// A selector by id.
    pub fn selector(&self, id: SelectorId) -> &Selector {
        self.selectors.get(id.0)
    }
}
