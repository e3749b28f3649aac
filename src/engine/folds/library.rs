//! What folds are made with: the shapes of datatypes, families of folds of datatypes that refer to
//! each other, and folds of datatypes that are not recursive.

use super::fold::{Builder, Folds, Range, Shape};
use crate::chc::{Predicate, System};
use crate::term::{Case, CtorId, Datatype, FuncId, Sort, SortKind, Term, Terms};

/// The datatypes of a system's arguments, and what is inside of them, inner ones first where they
/// are not recursive.
pub(super) fn datatypes(t: &Terms, system: &System) -> Vec<Sort> {
    let sorts = |pred: &Predicate| t.func(pred.func).params.to_vec();
    let mut sorts: Vec<Sort> = system.preds.iter().flat_map(sorts).collect();
    let terms = system.clauses.iter().flat_map(|clause| clause.vars.iter());
    sorts.extend(terms.map(|&var| t.sort_of(var)));
    let mut found: Vec<Sort> = Vec::new();
    // A sort is put after those of its fields: it stays below them until they are there.
    let mut open: Vec<(Sort, bool)> = sorts.into_iter().rev().map(|sort| (sort, false)).collect();
    let mut begun: Vec<Sort> = Vec::new();
    while let Some((sort, is_done)) = open.pop() {
        match t.sort_kind(sort) {
            SortKind::Datatype(_) if is_done => found.push(sort),
            SortKind::Datatype(_) if !begun.contains(&sort) => {
                begun.push(sort);
                open.push((sort, true));
                open.extend(t.field_sorts(sort).map(|field| (field, false)));
            }
            SortKind::Array(index, element) => open.extend([(*index, false), (*element, false)]),
            _ => {}
        }
    }
    found
}

/// Folds under construction.
pub(super) struct Library<'t> {
    pub(super) t: &'t Terms,
    pub(super) datatypes: &'t [Sort],
    pub(super) builder: Builder<'t>,
    /// The sizes, or numbers of constructors, of datatypes.
    pub(super) sizes: Vec<(Sort, FuncId)>,
    /// The integers at the roots of datatypes.
    pub(super) firsts: Vec<(Sort, FuncId)>,
}

/// The fields of a constructor, for the equation of a fold.
pub(super) struct Fields<'a> {
    /// The sort of the values.
    pub(super) sort: Sort,
    /// The number of the constructor.
    pub(super) at: usize,
    /// The folds of the family, of the fields that have them.
    pub(super) folded: &'a [Term],
    /// The fields that have folds of the family.
    pub(super) inner: &'a [Term],
    /// The other fields.
    pub(super) outer: &'a [Term],
    /// The parameter of the fold.
    pub(super) extra: Option<Term>,
}

impl<'t> Library<'t> {
    /// No folds but the numbers of constructors.
    pub(super) fn new(t: &'t Terms, datatypes: &'t [Sort]) -> Self {
        let mut library = Library {
            t,
            datatypes,
            builder: Builder::new(t),
            sizes: Vec::new(),
            firsts: Vec::new(),
        };
        for &sort in datatypes {
            library.roots(sort);
        }
        library
    }

    /// The folds, also of datatypes that are not recursive.
    pub(super) fn finish(mut self) -> Folds {
        self.lift_all();
        Folds {
            integers: self.integers(),
            all: self.builder.finish(),
        }
    }

    /// As [`Library::finish`]; but the store has no definitions of the functions.
    pub(super) fn finish_undefined(mut self) -> Folds {
        self.lift_all();
        Folds {
            integers: self.integers(),
            all: self.builder.folds,
        }
    }

    /// Gives a fold its equations. What it is at values of a constructor comes from `body`, which
    /// has variables for the fields and the parameter.
    pub(super) fn define(&mut self, func: FuncId, body: impl Fn(&Self, &[Term]) -> Term) {
        let cases = self.builder.cases(func, |_, params| body(self, params));
        self.builder.set(func, cases);
    }

    fn lift_all(&mut self) {
        for &sort in self.datatypes {
            self.lift(sort);
        }
    }

    fn datatype(&self, sort: Sort) -> &Datatype {
        let id = self.t.datatype_of(sort).expect("a datatype's sort");
        self.t.datatype(id)
    }

    pub(super) fn ctors(&self, sort: Sort) -> Vec<CtorId> {
        self.datatype(sort).ctors().to_vec()
    }

    /// Does a value of the second sort have values of the first inside?
    fn is_inside(&self, inner: Sort, outer: Sort) -> bool {
        let (mut seen, mut open) = (vec![outer], vec![outer]);
        while let Some(sort) = open.pop() {
            for field in self.t.field_sorts(sort) {
                if field == inner {
                    return true;
                }
                if !seen.contains(&field) {
                    seen.push(field);
                    open.push(field);
                }
            }
        }
        false
    }

    fn is_recursive(&self, sort: Sort) -> bool {
        self.is_inside(sort, sort)
    }

    /// Are the sorts of one family of datatypes that refer to each other?
    pub(super) fn are_related(&self, a: Sort, b: Sort) -> bool {
        a == b && self.is_recursive(a) || self.is_inside(a, b) && self.is_inside(b, a)
    }

    /// Is a value a number: zero, or the successor of one?
    fn is_peano(&self, sort: Sort) -> bool {
        let ctors = self.ctors(sort);
        let ctors = ctors.into_iter();
        let mut fields: Vec<Vec<Sort>> = ctors
            .map(|ctor| self.t.sorts_of_fields(ctor).collect())
            .collect();
        fields.sort_by_key(Vec::len);
        matches!(&fields[..], [zero, one] if zero.is_empty() && one[..] == [sort])
    }

    /// A datatype that is not recursive, of several constructors: the number of the constructor.
    fn roots(&mut self, sort: Sort) {
        let count = self.ctors(sort).len();
        if self.is_recursive(sort) || count < 2 {
            return;
        }
        let func = self.root(sort, count);
        self.sizes.push((sort, func));
    }

    pub(super) fn root(&mut self, sort: Sort, count: usize) -> FuncId {
        let t = self.t;
        let number = |index: usize| i64::try_from(index).expect("few constructors");
        let range = Range {
            lower: Some(0),
            upper: Some(number(count - 1)),
        };
        let shape = Shape {
            range,
            ..Shape::of("constructor", Sort::INT)
        };
        let func = self.builder.declare(shape, sort);
        (self.builder).define(func, |index, _| t.int(number(index)));
        func
    }

    /// A field as an integer, if it can be seen as one.
    pub(super) fn integer(&self, field: Term) -> Option<Term> {
        let t = self.t;
        let sort = t.sort_of(field);
        match t.sort_kind(sort) {
            SortKind::Int => Some(field),
            SortKind::Bool => Some(t.ite(field, t.int(1), t.int(0))),
            SortKind::Datatype(_) if self.is_peano(sort) || !self.is_recursive(sort) => {
                let (_, size) = self.sizes.iter().find(|(of, _)| *of == sort)?;
                Some(t.apply(*size, &[field]))
            }
            _ => None,
        }
    }

    /// The recursive datatypes, without numbers.
    pub(super) fn containers(&self) -> Vec<Sort> {
        let sorts = self.datatypes.iter().copied();
        sorts
            .filter(|&sort| self.is_recursive(sort) && !self.is_peano(sort))
            .collect()
    }

    /// Do the values of a datatype have integers beside values of the same family?
    fn has_integers(&self, sort: Sort) -> bool {
        let fields = self.t.field_sorts(sort);
        let related = self
            .datatypes
            .iter()
            .filter(|&&other| self.are_related(other, sort));
        let all = fields.chain(related.flat_map(|&other| self.t.field_sorts(other)));
        all.filter(|&field| !self.are_related(field, sort))
            .any(|field| {
                let probe = self.t.var("probe", field);
                self.integer(probe).is_some()
            })
    }

    /// Declares a fold of each of these sorts, and defines each by what a constructor's fields are.
    pub(super) fn family(
        &mut self,
        shape: Shape<'_>,
        sorts: &[Sort],
        body: impl Fn(&Self, &Fields<'_>) -> Term,
    ) -> Vec<(Sort, FuncId)> {
        let declare = |&sort: &Sort| (sort, self.builder.declare(shape, sort));
        let funcs: Vec<(Sort, FuncId)> = sorts.iter().map(declare).collect();
        let define = |&(sort, func): &(Sort, FuncId)| {
            let case = |at: usize, params: &[Term]| self.case(&funcs, sort, at, params, &body);
            (func, self.builder.cases(func, case))
        };
        let defined: Vec<(FuncId, Vec<Case>)> = funcs.iter().map(define).collect();
        for (func, cases) in defined {
            self.builder.set(func, cases);
        }
        funcs
    }

    /// What a fold of a family is at values of one constructor.
    fn case(
        &self,
        family: &[(Sort, FuncId)],
        sort: Sort,
        at: usize,
        params: &[Term],
        body: impl Fn(&Self, &Fields<'_>) -> Term,
    ) -> Term {
        let t = self.t;
        let ctor = self.ctors(sort)[at];
        let (fields, extra) = params.split_at(t.ctor(ctor).fields.len());
        let func = |field: Term| {
            let of = t.sort_of(field);
            let (_, func) = family.iter().find(|(other, _)| *other == of)?;
            self.are_related(of, sort).then_some(*func)
        };
        let (inner, outer): (Vec<Term>, Vec<Term>) =
            (fields.iter().copied()).partition(|&field| func(field).is_some());
        let folded = inner.iter().filter_map(|&field| {
            let args = [&[field], extra].concat();
            func(field).map(|func| t.apply(func, &args))
        });
        let folded: Vec<Term> = folded.collect();
        let fields = Fields {
            sort,
            at,
            folded: &folded,
            inner: &inner,
            outer: &outer,
            extra: extra.first().copied(),
        };
        body(self, &fields)
    }

    pub(super) fn recursive(&self) -> Vec<Sort> {
        let sorts = self.datatypes.iter().copied();
        sorts.filter(|&sort| self.is_recursive(sort)).collect()
    }

    /// The size of a value, where there is one.
    pub(super) fn size(&self, value: Term) -> Option<Term> {
        let sort = self.t.sort_of(value);
        let (_, func) = self.sizes.iter().find(|(of, _)| *of == sort)?;
        Some(self.t.apply(*func, &[value]))
    }

    /// The containers with integers inside.
    pub(super) fn containers_of_integers(&self) -> Vec<Sort> {
        let sorts = self.containers().into_iter();
        sorts.filter(|&sort| self.has_integers(sort)).collect()
    }

    /// The sizes of values that stand for integers.
    fn integers(&self) -> Vec<(Sort, FuncId)> {
        let sizes = self.sizes.iter().copied();
        let stands = |sort: Sort| self.is_peano(sort) || !self.is_recursive(sort);
        sizes.filter(|&(sort, _)| stands(sort)).collect()
    }

    /// The folds of fields and the integers among them, as folds of datatypes that are not
    /// recursive.
    fn lift(&mut self, sort: Sort) {
        let t = self.t;
        if self.is_recursive(sort) {
            return;
        }
        for (at, ctor) in self.ctors(sort).into_iter().enumerate() {
            let fields = t.ctor(ctor).fields.clone();
            for (place, &field) in fields.iter().enumerate() {
                let of = t.selector(field).sort;
                match t.sort_kind(of) {
                    SortKind::Datatype(_) => {
                        let folds: Vec<(FuncId, Range)> = (self.builder.folds.iter())
                            .filter(|fold| fold.sort == of && !fold.has_parameter)
                            .map(|fold| (fold.func, fold.range))
                            .collect();
                        for (func, range) in folds {
                            self.lift_field(
                                sort,
                                at,
                                place,
                                |field| t.apply(func, &[field]),
                                range,
                            );
                        }
                    }
                    SortKind::Int | SortKind::Bool | SortKind::Real => {
                        self.lift_field(sort, at, place, |field| field, Range::default());
                    }
                    _ => {}
                }
            }
        }
    }

    fn lift_field(
        &mut self,
        sort: Sort,
        at: usize,
        place: usize,
        view: impl Fn(Term) -> Term,
        range: Range,
    ) {
        let t = self.t;
        let ctor = self.ctors(sort)[at];
        let field = t.ctor(ctor).fields[place];
        let seen = view(t.var("probe", t.selector(field).sort));
        let result = t.sort_of(seen);
        // Values of other constructors have a value in the range.
        let default = match t.sort_kind(result) {
            SortKind::Bool => Term::FALSE,
            SortKind::Int => t.int(range.lower.unwrap_or(0)),
            _ => t.number(crate::number::Rational::from(0), result),
        };
        let shape = Shape {
            range,
            ..Shape::of("field", result)
        };
        let func = self.builder.declare(shape, sort);
        self.builder
            .define(func, |index, fields| match index == at {
                true => view(fields[place]),
                false => default,
            });
    }
}

/// Is a datatype among the arguments of predicates?
pub(super) fn has_datatypes(t: &Terms, system: &System) -> bool {
    let sorts = |pred: &Predicate| t.func(pred.func).params.to_vec();
    let mut sorts = system.preds.iter().flat_map(sorts);
    sorts.any(|sort| t.datatype_of(sort).is_some())
}
