//! Families of folds with unknown tables and coefficients \[KKSS25\], \[KMF21\].

use super::fold::{Folds, Shape, linear};
use super::library::Library;
use crate::term::{FuncId, Sort, SortKind, Term, Terms};
use std::cell::RefCell;

/// A family of folds, with a fold of each recursive datatype or several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Template {
    /// The states of a tree automaton, as this number of truth values.
    States(usize),
    /// Numbers of constructors, each constructor with a weight.
    Counts(Factors),
    /// Sums of weights and of the integers inside.
    Sums(Factors),
}

/// The numbers among which coefficients are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Factors {
    /// Zero and one.
    Small,
    /// Up to two, and for sums minus one.
    Large,
}

/// Tables have at most 64 entries for a constructor: they are over those of its fields that come
/// first. The value was not tuned.
const MOST_ENTRIES: usize = 64;

/// Choices between two possibilities, in the order in which a template makes them.
pub(super) struct Choices<'t> {
    t: &'t Terms,
    /// What was chosen; `None` if the choices are unknown.
    chosen: Option<Vec<bool>>,
    /// The choices so far: variables or constants.
    made: RefCell<Vec<Term>>,
}

impl<'t> Choices<'t> {
    /// Unknown choices, each a variable.
    pub(super) fn unknown(t: &'t Terms) -> Self {
        Choices {
            t,
            chosen: None,
            made: RefCell::default(),
        }
    }

    /// These choices.
    pub(super) fn fixed(t: &'t Terms, chosen: Vec<bool>) -> Self {
        Choices {
            chosen: Some(chosen),
            ..Choices::unknown(t)
        }
    }

    /// The variables of unknown choices.
    pub(super) fn into_variables(self) -> Vec<Term> {
        self.made.into_inner()
    }

    fn next(&self) -> Term {
        let mut made = self.made.borrow_mut();
        let choice = match &self.chosen {
            Some(chosen) => self.t.bool(chosen[made.len()]),
            None => self.t.fresh_var("choice", Sort::BOOL),
        };
        made.push(choice);
        choice
    }

    /// A multiple of a term by one of these factors.
    fn multiple(&self, factors: &[i64], term: Term) -> Term {
        let t = self.t;
        let mut multiples = factors
            .iter()
            .map(|&factor| linear(t, 0, &[(factor, term)]));
        let first = multiples.next().unwrap_or(t.int(0));
        multiples.fold(first, |other, multiple| t.ite(self.next(), multiple, other))
    }

    /// An entry of a table, which is chosen for each combination of values of its columns.
    fn entry(&self, columns: &[Column]) -> Term {
        let t = self.t;
        let Some((column, rest)) = columns.split_first() else {
            return self.next();
        };
        match *column {
            Column::Bit(bit) => {
                let (no, yes) = (self.entry(rest), self.entry(rest));
                t.ite(bit, yes, no)
            }
            Column::Number(number, count) => {
                let last = self.entry(rest);
                (0..count - 1).fold(last, |other, value| {
                    t.ite(t.eq(number, t.int(value)), self.entry(rest), other)
                })
            }
        }
    }
}

/// What a table looks at.
#[derive(Clone, Copy)]
enum Column {
    Bit(Term),
    /// A number that is one of the first ones, as many as the second part says.
    Number(Term, i64),
}

impl Column {
    fn values(self) -> usize {
        match self {
            Column::Bit(_) => 2,
            Column::Number(_, count) => usize::try_from(count).unwrap_or(usize::MAX),
        }
    }
}

/// The folds of some templates.
pub(super) fn template_folds(
    t: &Terms,
    datatypes: &[Sort],
    templates: &[Template],
    choices: &Choices<'_>,
) -> Folds {
    let mut library = Library::new(t, datatypes);
    for &template in templates {
        library.add_template(template, choices);
    }
    match choices.chosen {
        Some(_) => library.finish(),
        None => library.finish_undefined(),
    }
}

impl Library<'_> {
    fn add_template(&mut self, template: Template, choices: &Choices<'_>) {
        match template {
            Template::States(bits) => self.add_automaton(bits, choices),
            Template::Counts(factors) => {
                let all: &[i64] = match factors {
                    Factors::Small => &[0, 1],
                    Factors::Large => &[0, 1, 2],
                };
                self.add_weights(Shape::natural("weight"), choices, [all, all, &[]]);
            }
            Template::Sums(factors) => {
                let all: [&[i64]; 3] = match factors {
                    Factors::Small => [&[0, 1], &[1, 0], &[1, 0]],
                    Factors::Large => [&[0, 1, -1, 2], &[1, 0, -1, 2], &[1, 0, -1, 2]],
                };
                self.add_weights(Shape::of("weight", Sort::INT), choices, all);
            }
        }
    }

    /// The states of a tree automaton, which looks at the states of fields, at truth values, and at
    /// constructors of values that are not recursive.
    fn add_automaton(&mut self, bits: usize, choices: &Choices<'_>) {
        let t = self.t;
        let shape = Shape::of("state", Sort::BOOL);
        let mut states: Vec<(Sort, FuncId)> = Vec::new();
        for sort in self.recursive() {
            states.extend((0..bits).map(|_| (sort, self.builder.declare(shape, sort))));
        }
        for &(_, func) in &states {
            self.define(func, |library, fields| {
                let mut entries = 1;
                let columns = fields.iter().flat_map(|&field| {
                    let sort = t.sort_of(field);
                    let of_field = states.iter().filter(move |(of, _)| *of == sort);
                    let of_field =
                        of_field.map(move |&(_, state)| Column::Bit(t.apply(state, &[field])));
                    of_field.chain(library.column(field))
                });
                let columns = columns.take_while(|column| {
                    entries *= column.values();
                    entries <= MOST_ENTRIES
                });
                let columns: Vec<Column> = columns.collect();
                choices.entry(&columns)
            });
        }
    }

    /// A field of finitely many values.
    fn column(&self, field: Term) -> Option<Column> {
        let t = self.t;
        let sort = t.sort_of(field);
        match t.sort_kind(sort) {
            SortKind::Bool => Some(Column::Bit(field)),
            SortKind::Datatype(_) if !self.recursive().contains(&sort) => {
                let root = self.size(field)?;
                let count = i64::try_from(self.ctors(sort).len()).ok()?;
                Some(Column::Number(root, count))
            }
            _ => None,
        }
    }

    /// A sum of a constant, of the folds of fields, and of the fields that are integers, each with
    /// one of these factors.
    fn add_weights(&mut self, shape: Shape<'_>, choices: &Choices<'_>, factors: [&[i64]; 3]) {
        let t = self.t;
        let [own, of_folds, of_integers] = factors;
        let sorts = self.recursive().into_iter();
        let declare = |sort: Sort| (sort, self.builder.declare(shape, sort));
        let weights: Vec<(Sort, FuncId)> = sorts.map(declare).collect();
        for &(_, func) in &weights {
            self.define(func, |library, fields| {
                let parts = fields.iter().filter_map(|&field| {
                    let sort = t.sort_of(field);
                    let weight = weights.iter().find(|(of, _)| *of == sort);
                    match weight {
                        Some(&(_, weight)) => {
                            Some(choices.multiple(of_folds, t.apply(weight, &[field])))
                        }
                        None if of_integers.is_empty() => None,
                        None => Some(choices.multiple(of_integers, library.integer(field)?)),
                    }
                });
                let own = choices.multiple(own, t.int(1));
                t.add([own].into_iter().chain(parts))
            });
        }
    }
}
