//! Folds: functions from values of a datatype, defined by one equation for each constructor.

use crate::number::Rational;
use crate::term::{Case, FuncId, Op, Sort, SortKind, Term, TermMap, Terms};

/// The values of a fold that are known beforehand: `lower ≤ f(x)`, and `f(x) ≤ upper`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Range {
    pub(super) lower: Option<i64>,
    pub(super) upper: Option<i64>,
}

impl Range {
    /// The numbers from 0 on.
    pub(super) const NATURAL: Range = Range {
        lower: Some(0),
        upper: None,
    };

    /// That a term has one of the values.
    pub(super) fn contains(self, t: &Terms, term: Term) -> Term {
        let lower = self.lower.map(|bound| t.le(t.int(bound), term));
        let upper = self.upper.map(|bound| t.le(term, t.int(bound)));
        t.and(lower.into_iter().chain(upper))
    }

    /// The term, or a bound where it is beyond the bound.
    fn clamp(self, t: &Terms, term: Term) -> Term {
        let at_least = self.lower.map_or(term, |bound| {
            t.ite(t.le(t.int(bound), term), term, t.int(bound))
        });
        self.upper.map_or(at_least, |bound| {
            t.ite(t.le(term, t.int(bound)), at_least, t.int(bound))
        })
    }
}

/// What folds of one kind have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape<'a> {
    /// The beginning of their names.
    pub(super) name: &'a str,
    /// The sort of their values.
    pub(super) result: Sort,
    /// The values that they have.
    pub(super) range: Range,
    /// Do they depend on an integer beside the value? It is the same for all parts of the value.
    pub(super) has_parameter: bool,
}

impl<'a> Shape<'a> {
    /// Folds with any value of a sort.
    pub(super) fn of(name: &'a str, result: Sort) -> Self {
        Shape {
            name,
            result,
            range: Range::default(),
            has_parameter: false,
        }
    }

    /// Folds that count.
    pub(super) fn natural(name: &'a str) -> Self {
        Shape {
            range: Range::NATURAL,
            ..Shape::of(name, Sort::INT)
        }
    }
}

/// A fold of a datatype.
#[derive(Clone, Debug)]
pub(super) struct Fold {
    /// The function of the store.
    pub(super) func: FuncId,
    /// The datatype's sort.
    pub(super) sort: Sort,
    /// The values that the function has.
    pub(super) range: Range,
    /// Does the function depend on an integer beside the value?
    pub(super) has_parameter: bool,
    /// The equations, which apply folds to fields. Here the fields' folds are in their ranges.
    pub(super) cases: Vec<Case>,
}

/// Declares folds that refer to each other, then defines them.
pub(super) struct Builder<'t> {
    t: &'t Terms,
    /// The folds, the cases of which may be missing.
    pub(super) folds: Vec<Fold>,
}

impl<'t> Builder<'t> {
    pub(super) fn new(t: &'t Terms) -> Self {
        Builder {
            t,
            folds: Vec::new(),
        }
    }

    /// A fold without equations.
    pub(super) fn declare(&mut self, shape: Shape<'_>, sort: Sort) -> FuncId {
        let t = self.t;
        let datatype = t.datatype(t.datatype_of(sort).expect("a fold is of a datatype"));
        let name = format!("{}-{}", shape.name, t.name(datatype.name));
        let name = match t.has_symbol(&name) {
            true => t.fresh_symbol(&name),
            false => t.symbol(&name),
        };
        let params: &[Sort] = match shape.has_parameter {
            true => &[sort, Sort::INT],
            false => &[sort],
        };
        let func = t.declare(name, params, shape.result);
        self.folds.push(Fold {
            func,
            sort,
            range: shape.range,
            has_parameter: shape.has_parameter,
            cases: Vec::new(),
        });
        func
    }

    /// Gives a fold its equations. What it is at values of a constructor comes from `body`, which
    /// has the constructor's number, and variables for its fields and the parameter.
    pub(super) fn define(&mut self, func: FuncId, body: impl Fn(usize, &[Term]) -> Term) {
        let cases = self.cases(func, body);
        self.set(func, cases);
    }

    /// Gives a fold these equations.
    pub(super) fn set(&mut self, func: FuncId, cases: Vec<Case>) {
        let fold = self.folds.iter_mut().find(|fold| fold.func == func);
        fold.expect("it was declared").cases = cases;
    }

    /// Equations of a fold, as for [`Builder::define`].
    pub(super) fn cases(&self, func: FuncId, body: impl Fn(usize, &[Term]) -> Term) -> Vec<Case> {
        let t = self.t;
        let sorts = &t.func(func).params;
        let datatype = t.datatype_of(sorts[0]).expect("a fold is of a datatype");
        let case = |(index, &ctor): (usize, &_)| {
            let sorts = t.sorts_of_fields(ctor).chain(sorts[1..].iter().copied());
            let params: Box<[Term]> = sorts.map(|sort| t.fresh_var("field", sort)).collect();
            let body = body(index, &params);
            Case { ctor, params, body }
        };
        (t.datatype(datatype).ctors().iter().enumerate())
            .map(case)
            .collect()
    }

    /// The folds, which the store now has the definitions of.
    ///
    /// In the store, folds of fields are clamped to their ranges. That changes nothing, since they
    /// are in their ranges by induction. It has the effect that one unfolding of a definition shows
    /// the range without any induction.
    pub(super) fn finish(self) -> Vec<Fold> {
        let t = self.t;
        let range = |func: FuncId| {
            let fold = self.folds.iter().find(|fold| fold.func == func);
            fold.map_or(Range::default(), |fold| fold.range)
        };
        for fold in &self.folds {
            let clamped = fold.cases.iter().map(|case| Case {
                body: t.rewrite(case.body, |term| match t.op(term) {
                    Op::Apply(func) => range(func).clamp(t, term),
                    _ => term,
                }),
                ..case.clone()
            });
            t.define_by_cases(fold.func, clamped.collect());
        }
        self.folds
    }
}

/// A set of folds, in a fixed order.
#[derive(Clone, Debug, Default)]
pub(super) struct Folds {
    /// All of them.
    pub(super) all: Vec<Fold>,
    /// The folds that say which integer a value stands for, by the sort of the value.
    pub(super) integers: Vec<(Sort, FuncId)>,
}

impl Folds {
    /// The folds of a sort, with their positions.
    pub(super) fn of(&self, sort: Sort) -> impl Iterator<Item = (usize, &Fold)> {
        let folds = self.all.iter().enumerate();
        folds.filter(move |(_, fold)| fold.sort == sort)
    }

    /// Has a sort folds with a parameter?
    pub(super) fn have_parameter(&self, sort: Sort) -> bool {
        self.of(sort).any(|(_, fold)| fold.has_parameter)
    }

    /// The position of the fold that is this function.
    pub(super) fn position(&self, func: FuncId) -> usize {
        let place = self.all.iter().position(|fold| fold.func == func);
        place.expect("folds refer to folds of the same set")
    }

    /// A fold at a value of one of its constructors. `args` are the constructor's fields and the
    /// parameter. What the folds of a field are comes from `known`, by their positions.
    pub(super) fn at(
        &self,
        t: &Terms,
        case: &Case,
        args: &[Term],
        known: impl Fn(Term, usize) -> Term,
    ) -> Term {
        let places: TermMap<Term> = (case.params.iter().copied())
            .zip(args.iter().copied())
            .collect();
        let mut done: TermMap<Term> = TermMap::default();
        for term in t.post_order([case.body]) {
            let value = match t.op(term) {
                Op::Apply(func) => known(places[&t.args(term)[0]], self.position(func)),
                // Choices of a template stay.
                Op::Var(_) => *places.get(&term).unwrap_or(&term),
                _ => {
                    let args: Vec<Term> = t.args(term).iter().map(|arg| done[arg]).collect();
                    t.rebuild(term, &args)
                }
            };
            done.insert(term, value);
        }
        done[&case.body]
    }
}

/// The sum of terms with these factors and a constant.
pub(super) fn linear(t: &Terms, constant: i64, parts: &[(i64, Term)]) -> Term {
    let scaled = parts
        .iter()
        .map(|&(factor, term)| t.scale(Rational::from(factor), term));
    t.add(scaled.chain([t.int(constant)]))
}

/// Is it a sort with datatypes inside, of whose values nothing is said?
pub(super) fn is_opaque(t: &Terms, sort: Sort) -> bool {
    let mut open = vec![sort];
    while let Some(sort) = open.pop() {
        match t.sort_kind(sort) {
            SortKind::Datatype(_) => return true,
            SortKind::Array(index, element) => open.extend([*index, *element]),
            _ => {}
        }
    }
    false
}
