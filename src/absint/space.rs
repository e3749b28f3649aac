//! What the elements of one predicate's domain are about: its numeric parameters, and points over
//! them.

use super::thresholds::Thresholds;
use crate::number::Rational;
use crate::term::{LinearSum, Sort, Term, TermMap, Terms, Value};
use std::sync::Arc;

/// Differences and sums are templates for predicates with at most 6 numeric arguments. The number
/// of templates grows with the square of the number of arguments. The value was not tuned.
const OCTAGON_ARGS: usize = 6;

/// How much is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// Equations.
    Equations,
    /// Bounds as well, each with the help of the other: several times the questions.
    Bounds,
}

/// The parameters of a predicate as *columns*: parameters that are numbers, and truth values as 0
/// and 1.
#[derive(Clone, Debug)]
pub struct Space {
    params: Vec<Term>,
    /// The column of each position; `None` for sorts that are no numbers.
    columns: Vec<Option<Term>>,
    /// Is the column of each position a real number?
    is_real: Vec<bool>,
    forms: Vec<LinearSum>,
    thresholds: Arc<Thresholds>,
}

/// A point: the coordinate of each column; a column without one may have any.
#[derive(Clone, Debug)]
pub struct Point {
    coordinates: TermMap<Rational>,
}

impl Point {
    /// The coordinate of a column.
    pub fn coordinate(&self, column: Term) -> Option<&Rational> {
        self.coordinates.get(&column)
    }
}

impl Space {
    /// The space of a predicate with these parameters, which are variables. Bounds are widened
    /// along the thresholds.
    pub fn new(
        t: &Terms,
        params: Vec<Term>,
        precision: Precision,
        thresholds: &Arc<Thresholds>,
    ) -> Self {
        let column = |&param: &Term| match t.sort_of(param) {
            Sort::BOOL => Some(t.ite(param, t.int(1), t.int(0))),
            sort if sort.is_arith() => Some(param),
            _ => None,
        };
        let numbers: Vec<Term> = (params.iter().copied())
            .filter(|&p| t.sort_of(p).is_arith())
            .collect();
        Space {
            columns: params.iter().map(column).collect(),
            is_real: params.iter().map(|&p| t.sort_of(p) == Sort::REAL).collect(),
            forms: match precision {
                Precision::Equations => Vec::new(),
                Precision::Bounds => forms(t, &numbers),
            },
            params,
            thresholds: Arc::clone(thresholds),
        }
    }

    /// The parameters, by position.
    pub fn params(&self) -> &[Term] {
        &self.params
    }

    /// The column of a parameter; `None` for sorts that are no numbers.
    pub fn column(&self, position: usize) -> Option<Term> {
        self.columns[position]
    }

    /// The columns that are real numbers, or the columns that are integers or truth values.
    pub(super) fn columns(&self, real: bool) -> impl Iterator<Item = Term> {
        let columns = self.columns.iter().zip(&self.is_real);
        columns.filter_map(move |(column, is_real)| column.filter(|_| *is_real == real))
    }

    /// The linear forms that have bounds, without constants.
    pub(super) fn forms(&self) -> &[LinearSum] {
        &self.forms
    }

    /// The numbers along which bounds are widened.
    pub(super) fn thresholds(&self) -> &Thresholds {
        &self.thresholds
    }

    /// The point with these values of the parameters; `None` is a value that is not known.
    pub fn point(&self, values: &[Option<Value>]) -> Point {
        let coordinate = |(column, value): (&Option<Term>, &Option<Value>)| {
            let coordinate = match value.as_ref()? {
                Value::Number(number) => number.clone(),
                Value::Bool(value) => Rational::from(i64::from(*value)),
                _ => return None,
            };
            Some(((*column)?, coordinate))
        };
        Point {
            coordinates: (self.columns.iter().zip(values))
                .filter_map(coordinate)
                .collect(),
        }
    }
}

/// The forms that have bounds: the numbers, and where these are few their differences and sums.
fn forms(t: &Terms, numbers: &[Term]) -> Vec<LinearSum> {
    let mut forms: Vec<LinearSum> = numbers.iter().map(|&x| t.linear_sum(x)).collect();
    if numbers.len() > OCTAGON_ARGS {
        return forms;
    }
    for (i, &x) in numbers.iter().enumerate() {
        for &y in &numbers[..i] {
            if t.sort_of(x) != t.sort_of(y) {
                continue;
            }
            for sign in [1, -1] {
                let mut form = t.linear_sum(x);
                form.add_scaled(&Rational::from(sign), &t.linear_sum(y));
                forms.push(form);
            }
        }
    }
    forms
}
