//! Linear equations of bit-vectors \[MOS07\]: sums that are 0 modulo `2^width`. They hold where
//! additions overflow, and say which low bits are fixed as well: `2^31·x = 0` says that a word of
//! 32 bits is even.
//!
//! The equations of a path are solved for the head's arguments, so the state of a clause whose
//! constraint is a conjunction of linear equations is found without a question about equations:
//! such questions are hard for solvers that compute with bits.
//!
//! DIVERGENCE: \[MOS07\] follows a program's assignments. Here the paths through a clause's
//! constraint are those of models, as for polyhedra \[MG11\].

use super::domain::{ClausePost, Domain, Growth};
use super::equalities::Definition;
use super::space::{Point, Space, Words};
use crate::number::Rational;
use crate::number::howell::{Howell, Row};
use crate::smt::Failure;
use crate::term::{Term, TermMap, Terms};
use num_bigint::BigInt;

/// Equations with more than 8 terms are dropped, as those of numbers are. The value was not tuned.
const MOST_TERMS: usize = 8;

/// For the bit-vectors of each width, the equations between them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordEquations {
    /// In the order of [`Space::words`]; the columns are the parameters in the order there. `None`
    /// is the element without states.
    forms: Option<Vec<Howell>>,
}

/// The images of paths are joined exactly, so elements are neither widened nor made smaller
/// afterwards.
impl Domain for WordEquations {
    const TOP_IF_UNDECIDED: bool = true;

    fn bottom(_: &Space) -> Self {
        WordEquations { forms: None }
    }

    fn top(space: &Space) -> Self {
        let form = |words: &Words| Howell::new(words.width, []);
        WordEquations {
            forms: Some(space.words().iter().map(form).collect()),
        }
    }

    fn is_bottom(&self) -> bool {
        self.forms.is_none()
    }

    fn of_point(space: &Space, point: &Point) -> Self {
        let form = |words: &Words| {
            let columns = words.params.iter().enumerate();
            let equations = columns.filter_map(|(i, &param)| {
                let value = point.coordinate(param)?;
                Some(vec![(i, Rational::one()), (words.params.len(), -value)])
            });
            Howell::new(words.width, equations)
        };
        WordEquations {
            forms: Some(space.words().iter().map(form).collect()),
        }
    }

    fn le(&self, other: &Self, _: &Space) -> bool {
        match (&self.forms, &other.forms) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(these), Some(those)) => these.iter().zip(those).all(|(a, b)| a.implies_all(b)),
        }
    }

    fn join(&mut self, other: &Self, space: &Space) {
        match (&mut self.forms, &other.forms) {
            (_, None) => {}
            (forms @ None, those) => forms.clone_from(those),
            (Some(these), Some(those)) => {
                for ((this, that), words) in these.iter_mut().zip(those).zip(space.words()) {
                    *this = this.intersection(that, words.params.len() + 1);
                }
            }
        }
        for (form, words) in self.forms.iter_mut().flatten().zip(space.words()) {
            form.retain(|row| terms(row, words.params.len()) <= MOST_TERMS);
        }
    }

    /// A join that changes an element takes at least half of the equations that follow from it.
    fn widen(&mut self, other: &Self, space: &Space) {
        self.join(other, space);
    }

    fn forget(&mut self, space: &Space, position: usize) {
        let param = space.params()[position];
        let forms = self.forms.iter_mut().flatten();
        for (form, words) in forms.zip(space.words()) {
            if let Some(column) = words.params.iter().position(|&x| x == param) {
                *form = form.forgotten(column);
            }
        }
    }

    fn literals(&self, t: &Terms, space: &Space) -> Vec<Term> {
        let Some(forms) = &self.forms else {
            return vec![Term::FALSE];
        };
        let of_form = |(form, words)| {
            let rows = Howell::generators(form).into_iter();
            rows.map(move |row| literal(t, words, row))
        };
        forms.iter().zip(space.words()).flat_map(of_form).collect()
    }

    fn post(
        &mut self,
        space: &Space,
        clause: &mut ClausePost<'_>,
        premises: &[(&Self, &Space)],
        _: Growth,
    ) -> Result<bool, Failure> {
        clause.grow(self, space, premises, |clause, into, body| {
            into.add_paths(space, clause, body)
        })
    }
}

impl WordEquations {
    /// Adds what the paths through a clause derive until nothing else is derived. The solver has
    /// these formulas.
    fn add_paths(
        &mut self,
        space: &Space,
        clause: &mut ClausePost<'_>,
        body: &[Term],
    ) -> Result<bool, Failure> {
        let (t, named) = (clause.terms(), clause.named_words());
        let equations = named.iter().map(|&(name, arg)| t.eq(name, arg));
        let all: Vec<Term> = body.iter().copied().chain(equations).collect();
        // An element that contains it is closed, and nothing is asked.
        let of_all_paths = image(t, space, &named, &all);
        let mut grew = false;
        while self.is_bottom() || !of_all_paths.le(self, space) {
            let outside = clause.outside(self, space, |clause| clause.path(body, &named))?;
            let Some((point, path)) = outside else { break };
            if let Some(mut literals) = path {
                literals.extend(&all);
                self.join(&image(t, space, &named, &literals), space);
            }
            self.join(&WordEquations::of_point(space, &point), space);
            grew = true;
        }
        Ok(grew)
    }

    /// The parameters that at most this number of others determine.
    pub(super) fn definitions(&self, t: &Terms, space: &Space, others: usize) -> Vec<Definition> {
        let forms = self.forms.iter().flatten().zip(space.words());
        let definition = |words: &Words, row: &Row| {
            let is_solved = row[0].1.is_one() && terms(row, words.params.len()) <= others + 1;
            let param = *words.params.get(row[0].0)?;
            is_solved.then(|| Definition {
                position: (space.params().iter().position(|&x| x == param)).expect("it is one"),
                by: rest(t, words, row),
            })
        };
        let of_form = |(form, words): (&Howell, _)| {
            let rows = form.rows().iter();
            rows.filter_map(|row| definition(words, row)).collect()
        };
        forms.flat_map::<Vec<_>, _>(of_form).collect()
    }
}

/// The number of terms of a row beside its constant.
fn terms(row: &Row, constant: usize) -> usize {
    row.iter().filter(|(column, _)| *column != constant).count()
}

/// The equation that a row says. On the left is a term without a factor, or with its factor the
/// first one.
fn literal(t: &Terms, words: &Words, mut row: Row) -> Term {
    let terms = terms(&row, words.params.len());
    if terms == 0 {
        return Term::FALSE;
    }
    let is_unit = |(_, c): &(usize, Rational)| c.abs().is_one();
    let left = row[..terms].iter().position(is_unit).unwrap_or(0);
    if row[left].1.is_negative() {
        row.iter_mut().for_each(|(_, c)| *c = -&*c);
    }
    row.swap(0, left);
    let first = words.params[row[0].0];
    let left = t.sum_of_words(t.sort_of(first), [(first, row[0].1.numer())]);
    t.eq(left, rest(t, words, &row))
}

/// Minus the sum of all terms of a row but the first one.
fn rest(t: &Terms, words: &Words, row: &Row) -> Term {
    let one = t.bitvec(&BigInt::from(1), words.width);
    let summands = row[1..].iter().map(|(column, c)| {
        let term = words.params.get(*column).copied().unwrap_or(one);
        (term, -c.numer())
    });
    t.sum_of_words(t.bitvec_sort(words.width), summands)
}

/// The equations between a head's bit-vectors that follow from the equations among some literals;
/// the head's arguments have these names.
fn image(t: &Terms, space: &Space, named: &[(Term, Term)], literals: &[Term]) -> WordEquations {
    let params = space.params().iter().copied();
    let words = params.filter(|&x| t.bitvec_width(t.sort_of(x)).is_some());
    let names: TermMap<Term> = words.zip(named.iter().map(|&(name, _)| name)).collect();
    let form = |words: &Words| {
        let names = words.params.iter().map(|param| names[param]);
        solved_for(t, words.width, &names.collect::<Vec<_>>(), literals)
    };
    WordEquations {
        forms: Some(space.words().iter().map(form).collect()),
    }
}

/// The equations between these bit-vectors that follow from the equations among some literals.
fn solved_for(t: &Terms, width: u32, wanted: &[Term], literals: &[Term]) -> Howell {
    let equations: Vec<_> = (literals.iter())
        .filter_map(|&literal| t.word_equation(literal))
        .filter(|equation| equation.width == width)
        .collect();
    // What is eliminated comes first.
    let mut columns: TermMap<usize> = TermMap::default();
    for (x, _) in equations.iter().flat_map(|equation| &equation.terms) {
        if !wanted.contains(x) {
            let next = columns.len();
            columns.entry(*x).or_insert(next);
        }
    }
    let eliminated = columns.len();
    columns.extend(wanted.iter().enumerate().map(|(i, &x)| (x, eliminated + i)));
    let constant = eliminated + wanted.len();
    let rows = equations.into_iter().map(|equation| {
        let mut row: Row = (equation.terms.into_iter())
            .map(|(x, c)| (columns[&x], Rational::from(c)))
            .chain([(constant, Rational::from(equation.constant))])
            .collect();
        row.sort_unstable_by_key(|(column, _)| *column);
        row
    });
    Howell::new(width, rows).without(eliminated)
}
