//! The kinds of folds, each with its equations, and the sets of kinds that are tried.

use super::fold::{Folds, Range, Shape, linear};
use super::library::{Fields, Library};
use crate::term::{CtorId, Sort, Term, Terms};

/// What folds say of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The number of constructors with fields, of this datatype.
    Size,
    /// The sum of the integers inside.
    Sum,
    /// The integers at the root.
    First,
    /// The integer that comes last.
    Last,
    /// The longest path.
    Height,
    /// The greatest integer inside.
    Max,
    /// The least integer inside.
    Min,
    /// Are the integers in ascending order?
    Sorted,
    /// The constructor at the root, and the number of each constructor.
    Constructors,
    /// Is the size odd?
    Parity,
    /// How often does an integer occur?
    Occurrences,
    /// The number that a numeral in base 2 stands for.
    Binary,
}

/// The sets of folds that are tried, one after the other. The order is by cost; it was chosen on
/// development tasks of CHC-COMP 2025.
const SETS: &[&[Kind]] = &[
    &[Kind::Size],
    &[Kind::Size, Kind::Sum],
    &[Kind::Size, Kind::First],
    &[Kind::Size, Kind::Last],
    &[Kind::Size, Kind::Parity],
    &[Kind::Size, Kind::Height],
    &[Kind::Size, Kind::Constructors],
    &[Kind::Size, Kind::Binary],
    &[Kind::Size, Kind::Occurrences],
    &[Kind::Size, Kind::Max],
    &[Kind::Size, Kind::Min],
    &[Kind::Size, Kind::First, Kind::Sorted],
    &[Kind::Size, Kind::Sum, Kind::First, Kind::Height],
];

/// The sets, in the order in which they are tried.
pub(super) fn sets() -> &'static [&'static [Kind]] {
    SETS
}

/// Makes the folds of a set.
pub(super) fn folds(t: &Terms, datatypes: &[Sort], kinds: &[Kind]) -> Folds {
    let mut library = Library::new(t, datatypes);
    kinds.iter().for_each(|&kind| library.add(kind));
    library.finish()
}

/// Greatest and least values are chosen among at most 4 fields, and sorts with more fields of a
/// related sort have no height: the text of the equations grows exponentially. The value was not
/// tuned.
const BRANCHES: usize = 4;

impl Library<'_> {
    /// Adds the folds of a kind. Sizes come first: other kinds refer to them.
    pub(super) fn add(&mut self, kind: Kind) {
        match kind {
            Kind::Size => self.add_sizes(),
            Kind::Sum => self.add_sums(),
            Kind::First => self.add_first(),
            Kind::Last => self.add_last(),
            Kind::Height => self.add_heights(),
            Kind::Max => self.add_extremes("max", |t, x, y| t.ite(t.le(x, y), y, x)),
            Kind::Min => self.add_extremes("min", |t, x, y| t.ite(t.le(x, y), x, y)),
            Kind::Sorted => self.add_sorted(),
            Kind::Constructors => self.add_constructors(),
            Kind::Parity => self.add_parities(),
            Kind::Occurrences => self.add_occurrences(),
            Kind::Binary => self.add_binary(),
        }
    }

    fn add_sizes(&mut self) {
        let (t, sorts) = (self.t, self.recursive());
        let sizes = self.family(Shape::natural("size"), &sorts, |_, fields| {
            let parts: Vec<(i64, Term)> = fields.folded.iter().map(|&size| (1, size)).collect();
            linear(t, i64::from(fields.are_some()), &parts)
        });
        self.sizes.extend(sizes);
    }

    fn add_sums(&mut self) {
        let (t, sorts) = (self.t, self.containers_of_integers());
        self.family(Shape::of("sum", Sort::INT), &sorts, |library, fields| {
            let own = fields.outer.iter().filter_map(|&f| library.integer(f));
            let parts = fields.folded.iter().copied().chain(own);
            let parts: Vec<(i64, Term)> = parts.map(|part| (1, part)).collect();
            linear(t, 0, &parts)
        });
    }

    fn add_first(&mut self) {
        let t = self.t;
        for sort in self.containers() {
            let ctors = self.ctors(sort).into_iter();
            let most = ctors.map(|ctor| t.ctor(ctor).fields.len()).max();
            for place in 0..most.unwrap_or(0) {
                self.add_field(sort, place);
            }
        }
    }

    /// The integer at a place of the root, or 0.
    fn add_field(&mut self, sort: Sort, place: usize) {
        let t = self.t;
        let view = |ctor: CtorId| {
            let field = *t.ctor(ctor).fields.get(place)?;
            let var = t.fresh_var("field", t.selector(field).sort);
            Some((var, self.integer(var)?))
        };
        let views: Vec<Option<(Term, Term)>> = self.ctors(sort).into_iter().map(view).collect();
        if views.iter().all(Option::is_none) {
            return;
        }
        let func = self.builder.declare(Shape::of("first", Sort::INT), sort);
        self.firsts.push((sort, func));
        self.builder
            .define(func, |index, fields| match views[index] {
                Some((var, seen)) => t.substitute(seen, [(var, fields[place])]),
                None => t.int(0),
            });
    }

    /// The integer of the last value that has one; 0 where there is none.
    fn add_last(&mut self) {
        let (t, sorts) = (self.t, self.containers_of_integers());
        self.family(Shape::of("last", Sort::INT), &sorts, |library, fields| {
            let own = fields.outer.iter().find_map(|&f| library.integer(f));
            let Some((&fold, &inner)) = fields.folded.iter().zip(fields.inner).next_back() else {
                return own.unwrap_or(t.int(0));
            };
            match (own, library.size(inner)) {
                (Some(own), Some(size)) => t.ite(t.le(size, t.int(0)), own, fold),
                _ => fold,
            }
        });
    }

    fn add_heights(&mut self) {
        let t = self.t;
        let branches = |&sort: &Sort| {
            let ctors = self.ctors(sort).into_iter();
            let count = |ctor: CtorId| {
                let fields = t.sorts_of_fields(ctor);
                fields.filter(|&f| self.are_related(f, sort)).count()
            };
            (2..=BRANCHES).contains(&ctors.map(count).max().unwrap_or(0))
        };
        let sorts: Vec<Sort> = self.recursive().into_iter().filter(branches).collect();
        self.family(Shape::natural("height"), &sorts, |_, fields| {
            let own = t.int(i64::from(fields.are_some()));
            let folded = fields.folded.iter().copied();
            let longest = folded.reduce(|x, y| t.ite(t.le(x, y), y, x));
            t.add(longest.into_iter().chain([own]))
        });
    }

    /// The extreme integer inside a value; 0 where there is none.
    fn add_extremes(&mut self, name: &str, choose: impl Fn(&Terms, Term, Term) -> Term) {
        let (t, sorts) = (self.t, self.containers_of_integers());
        self.family(Shape::of(name, Sort::INT), &sorts, |library, fields| {
            let own = fields.outer.iter().filter_map(|&f| library.integer(f));
            let mut extreme = own.reduce(|x, y| choose(t, x, y));
            for (&fold, &field) in fields.folded.iter().zip(fields.inner).take(BRANCHES) {
                extreme = Some(match (extreme, library.size(field)) {
                    (Some(known), Some(size)) => {
                        let is_empty = t.le(size, t.int(0));
                        t.ite(is_empty, known, choose(t, known, fold))
                    }
                    (Some(known), None) => choose(t, known, fold),
                    (None, _) => fold,
                });
            }
            extreme.unwrap_or(t.int(0))
        });
    }

    /// Lists whose elements ascend: each is at most the one that follows it.
    fn add_sorted(&mut self) {
        let (t, sorts) = (self.t, self.containers_of_integers());
        self.family(
            Shape::of("sorted", Sort::BOOL),
            &sorts,
            |library, fields| {
                let own = fields.outer.iter().find_map(|&f| library.integer(f));
                let mut conjuncts = fields.folded.to_vec();
                for &field in fields.inner {
                    let mut firsts = library.firsts.iter();
                    let first = firsts.find(|(of, _)| *of == t.sort_of(field));
                    if let (Some(own), Some((_, first)), Some(size)) =
                        (own, first, library.size(field))
                    {
                        let is_empty = t.le(size, t.int(0));
                        conjuncts.push(t.or([is_empty, t.le(own, t.apply(*first, &[field]))]));
                    }
                }
                t.and(conjuncts)
            },
        );
    }

    /// The constructor at the root and the number of each constructor, where the size does not say
    /// this.
    fn add_constructors(&mut self) {
        let t = self.t;
        for sort in self.recursive() {
            let count = self.ctors(sort).len();
            if count < 3 {
                continue;
            }
            self.root(sort, count);
            let related = |other: &Sort| self.are_related(*other, sort);
            let sorts: Vec<Sort> = self.datatypes.iter().copied().filter(related).collect();
            for at in 0..count {
                self.family(Shape::natural("count"), &sorts, |_, fields| {
                    let parts: Vec<(i64, Term)> = fields.folded.iter().map(|&n| (1, n)).collect();
                    linear(t, i64::from(fields.sort == sort && fields.at == at), &parts)
                });
            }
        }
    }

    fn add_parities(&mut self) {
        let (t, sorts) = (self.t, self.recursive());
        self.family(Shape::of("odd", Sort::BOOL), &sorts, |_, fields| {
            let own = t.bool(fields.are_some());
            fields
                .folded
                .iter()
                .fold(own, |odd, &part| t.xor(odd, part))
        });
    }

    fn add_occurrences(&mut self) {
        let (t, sorts) = (self.t, self.containers_of_integers());
        let shape = Shape {
            has_parameter: true,
            ..Shape::natural("occurrences")
        };
        self.family(shape, &sorts, |library, fields| {
            let wanted = fields.extra.expect("the fold has a parameter");
            let own = fields.outer.iter().filter_map(|&f| library.integer(f));
            let own = own.map(|own| t.ite(t.eq(own, wanted), t.int(1), t.int(0)));
            t.add(fields.folded.iter().copied().chain(own).chain([t.int(0)]))
        });
    }

    /// Numerals: the constructors with one field of the same sort are digits, the first of which is
    /// 0 and the second 1; what has no such field is 0 or 1 likewise, or 1 if it is alone.
    fn add_binary(&mut self) {
        let t = self.t;
        for sort in self.recursive() {
            let ctors = self.ctors(sort);
            let digits = |&ctor: &CtorId| t.ctor(ctor).fields.len() == 1;
            let ends = ctors
                .iter()
                .filter(|c| t.ctor(**c).fields.is_empty())
                .count();
            if ctors.iter().filter(|c| digits(c)).count() != 2 || ends == 0 || ctors.len() > 4 {
                continue;
            }
            for end in [0, 1] {
                let shape = Shape {
                    range: Range::NATURAL,
                    ..Shape::of("binary", Sort::INT)
                };
                self.family(shape, &[sort], |_, fields| {
                    let earlier = ctors[..fields.at].iter();
                    let is_end = |ctor: &CtorId| t.ctor(*ctor).fields.is_empty();
                    let alike = earlier
                        .filter(|c| is_end(c) == fields.folded.is_empty())
                        .count();
                    let digit = i64::try_from(alike).expect("few constructors");
                    match fields.folded {
                        [rest] => linear(t, digit, &[(2, *rest)]),
                        _ => t.int(digit + end),
                    }
                });
            }
        }
    }
}

impl Fields<'_> {
    /// Has the constructor a field?
    fn are_some(&self) -> bool {
        !self.inner.is_empty() || !self.outer.is_empty()
    }
}
