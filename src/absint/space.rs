//! What the elements of one predicate's domain are about: its parameters that are numbers, or
//! bit-vectors, and points over them.

use super::thresholds::Thresholds;
use crate::number::Rational;
use crate::term::{LinearSum, Sort, Term, TermMap, Terms, Value};
use std::sync::Arc;

/// Differences and sums are templates for predicates with at most 6 numeric arguments. The number
/// of templates grows with the square of the number of arguments. The value was not tuned.
const OCTAGON_ARGS: usize = 6;

/// Octagons and polyhedra relate the first 20 numbers of a predicate. The value was not tuned.
const MOST_RELATED: usize = 20;

/// Products of two numbers are columns for predicates with at most 7 numbers. Their number grows
/// with the square of that. The value was not tuned.
const MOST_MULTIPLIED: usize = 7;

/// How much is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// Equations.
    Equations,
    /// Bounds as well, each with the help of the other: several times the questions.
    Bounds,
}

/// The parameters of a predicate as *columns*: parameters that are numbers, and truth values as 0
/// and 1. Products of numbers may be columns as well.
#[derive(Clone, Debug)]
pub struct Space {
    params: Vec<Term>,
    /// The column of each position; `None` for sorts that are no numbers.
    columns: Vec<Option<Term>>,
    /// Is the column of each position a real number?
    is_real: Vec<bool>,
    /// The columns of integers and reals, without truth values.
    numbers: Vec<Term>,
    /// Is the number an integer? By its index in `numbers`.
    are_integers: Vec<bool>,
    products: Vec<Product>,
    words: Vec<Words>,
    /// Does the parameter at each position have a coordinate?
    has_coordinate: Vec<bool>,
    forms: Vec<LinearSum>,
    guards: Vec<LinearSum>,
    conditions: Vec<Condition>,
    thresholds: Arc<Thresholds>,
}

/// A column that is the product of two columns, which may be the same.
#[derive(Clone, Debug)]
struct Product {
    column: Term,
    factors: [Term; 2],
    is_real: bool,
}

/// The parameters that are bit-vectors of one width.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Words {
    pub(super) width: u32,
    /// In descending order of positions.
    pub(super) params: Vec<Term>,
}

/// A condition on states, by which a partition tells them apart: is a sum over columns at most 0?
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    pub(super) sum: LinearSum,
    /// The condition as a formula over the parameters.
    pub(super) term: Term,
}

impl Condition {
    /// Is it true of a point? `None` if a coordinate is not known.
    pub(super) fn holds(&self, point: &Point) -> Option<bool> {
        let mut value = self.sum.constant.clone();
        for (x, c) in &self.sum.terms {
            value.add_mul(c, point.coordinate(*x)?);
        }
        Some(!value.is_positive())
    }
}

/// A point: the coordinate of each column, and of each bit-vector of the space; what has none may
/// have any.
#[derive(Clone, Debug)]
pub struct Point {
    coordinates: TermMap<Rational>,
}

impl Point {
    /// The coordinate of a column, or of a parameter that is a bit-vector.
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
        let columns: Vec<Option<Term>> = params.iter().map(column).collect();
        Space {
            has_coordinate: columns.iter().map(Option::is_some).collect(),
            columns,
            is_real: params.iter().map(|&p| t.sort_of(p) == Sort::REAL).collect(),
            forms: match precision {
                Precision::Equations => Vec::new(),
                Precision::Bounds => forms(t, &numbers),
            },
            products: Vec::new(),
            words: Vec::new(),
            guards: Vec::new(),
            conditions: Vec::new(),
            are_integers: numbers.iter().map(|&x| t.sort_of(x) == Sort::INT).collect(),
            numbers,
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
        let columns = columns.filter(move |(_, is_real)| **is_real == real);
        let products = self.products.iter().filter(move |p| p.is_real == real);
        columns
            .filter_map(|(column, _)| *column)
            .chain(products.map(|p| p.column))
    }

    /// The columns that the value of a parameter determines with other values or alone.
    pub(super) fn columns_of(&self, position: usize) -> impl Iterator<Item = Term> {
        let own = self.columns[position];
        let has_own = move |p: &&Product| own.is_some_and(|own| p.factors.contains(&own));
        let products = self.products.iter().filter(has_own);
        own.into_iter().chain(products.map(|p| p.column))
    }

    /// The space with the products of numbers as columns, if they are few.
    pub(super) fn with_products(mut self, t: &Terms) -> Self {
        let numbers = &self.numbers;
        if numbers.len() > MOST_MULTIPLIED {
            return self;
        }
        for (i, &x) in numbers.iter().enumerate() {
            let same_sort = |y: &&Term| t.sort_of(**y) == t.sort_of(x);
            let products = numbers[..=i].iter().filter(same_sort).map(|&y| Product {
                column: t.mul([x, y]),
                factors: [x, y],
                is_real: !self.are_integers[i],
            });
            self.products.extend(products);
        }
        self
    }

    /// Are products columns?
    pub(super) fn has_products(&self) -> bool {
        !self.products.is_empty()
    }

    /// The space in which bit-vectors have coordinates, too.
    pub fn with_words(mut self, t: &Terms) -> Self {
        for (position, &param) in self.params.iter().enumerate().rev() {
            let Some(width) = t.bitvec_width(t.sort_of(param)) else {
                continue;
            };
            self.has_coordinate[position] = true;
            match self.words.iter_mut().find(|words| words.width == width) {
                Some(words) => words.params.push(param),
                None => self.words.push(Words {
                    width,
                    params: vec![param],
                }),
            }
        }
        self
    }

    /// The bit-vectors that have coordinates, by width.
    pub(super) fn words(&self) -> &[Words] {
        &self.words
    }

    /// Has the parameter at this position a coordinate?
    pub(super) fn has_coordinate(&self, position: usize) -> bool {
        self.has_coordinate[position]
    }

    /// The column of a parameter that is a number; `None` for others.
    pub(super) fn number(&self, position: usize) -> Option<Term> {
        self.columns[position].filter(|_| self.is_number(position))
    }

    fn is_number(&self, position: usize) -> bool {
        self.numbers.contains(&self.params[position])
    }

    /// The columns of numbers, in order.
    pub(super) fn numbers(&self) -> &[Term] {
        &self.numbers
    }

    /// The columns of numbers that polyhedra and octagons relate: the first ones.
    pub(super) fn related(&self) -> &[Term] {
        &self.numbers[..self.numbers.len().min(MOST_RELATED)]
    }

    /// The forms over integers alone.
    pub(super) fn integer_forms(&self) -> impl Iterator<Item = &LinearSum> {
        let is_integer = |x: &Term| {
            let place = self.numbers.iter().position(|y| y == x);
            place.is_some_and(|i| self.are_integers[i])
        };
        let forms = self.forms.iter();
        forms.filter(move |form| form.terms.iter().all(|(x, _)| is_integer(x)))
    }

    /// Is each column of [`Space::numbers`] an integer?
    pub(super) fn are_numbers_integers(&self) -> &[bool] {
        &self.are_integers
    }

    /// Is each related column an integer?
    pub(super) fn are_integers(&self) -> &[bool] {
        &self.are_integers[..self.related().len()]
    }

    /// The space with these guards: sums over columns that a widening keeps if it can, as at most
    /// 0.
    pub fn with_guards(self, guards: Vec<LinearSum>) -> Self {
        Space { guards, ..self }
    }

    /// The space with conditions for partitions.
    pub fn with_conditions(self, conditions: Vec<Condition>) -> Self {
        Space { conditions, ..self }
    }

    /// The conditions of partitions.
    pub(super) fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// Sums over columns that a widening keeps if it can, as at most 0.
    pub(super) fn guards(&self) -> &[LinearSum] {
        &self.guards
    }

    /// The linear forms that have bounds, without constants.
    pub(super) fn forms(&self) -> &[LinearSum] {
        &self.forms
    }

    /// The numbers along which bounds are widened.
    pub(super) fn thresholds(&self) -> &Thresholds {
        &self.thresholds
    }

    /// The point with these values of the parameters; `None` is a value that is not known. The
    /// coordinate of a bit-vector is its unsigned value.
    pub fn point(&self, values: &[Option<Value>]) -> Point {
        let coordinate = |(position, value): (usize, &Option<Value>)| {
            let coordinate = match value.as_ref()? {
                Value::Number(number) => number.clone(),
                Value::Bool(value) => Rational::from(i64::from(*value)),
                Value::BitVec(word) if self.has_coordinate(position) => {
                    return Some((self.params[position], word.to_nat()));
                }
                _ => return None,
            };
            Some((self.columns[position]?, coordinate))
        };
        let mut coordinates: TermMap<Rational> =
            values.iter().enumerate().filter_map(coordinate).collect();
        for product in &self.products {
            let [x, y] = product.factors.map(|x| coordinates.get(&x));
            if let (Some(x), Some(y)) = (x, y) {
                coordinates.insert(product.column, x * y);
            }
        }
        Point { coordinates }
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
