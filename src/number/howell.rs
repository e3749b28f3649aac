//! Linear equations modulo a power of two, in Howell form \[How86\].
//!
//! An equation is a row: the coefficients of the columns, and the constant as the coefficient of a
//! last column. The equations that hold of a set of points are a module over the integers modulo
//! `2^width`. Even numbers have no inverse there: a row times a power of two, in which the first
//! coefficient has become 0, may say something that the rows of an echelon form do not say. Howell
//! form has these multiples as well, so what follows from its rows can be found by elimination, and
//! the equations of a join and of a projection can be read off \[ELSAR14\].

use super::Rational;
use crate::work;
use std::cmp::Ordering;

/// A linear equation, `Σ coefficient·column = 0`: columns in ascending order, with coefficients
/// from 1 to `2^width - 1`. The last column of a form stands for the number 1.
pub type Row = Vec<(usize, Rational)>;

/// A module of equations modulo `2^width`.
///
/// Invariants:
/// - no two rows have the same first column, and the first coefficients are powers of two;
/// - coefficients of other rows in the first column of a row are between minus half of its first
///   coefficient (exclusive) and half of it (inclusive), modulo `2^width`;
/// - for each `n`, the equations that follow and have none of the first `n` columns follow from the
///   rows that have none of them.
///
/// So each module has one form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Howell {
    modulus: Rational,
    /// In ascending order of their first columns.
    rows: Vec<Row>,
}

impl Howell {
    /// All consequences of some equations, whose coefficients may be any integers.
    pub fn new(width: u32, equations: impl IntoIterator<Item = Row>) -> Self {
        let modulus = Rational::from(2).pow(width);
        let reduced = equations.into_iter().map(|row| reduced(row, &modulus));
        Howell::of(&modulus, reduced)
    }

    /// The rows, from which all equations follow.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Rows from which all equations follow, each times the number with an inverse that makes its
    /// coefficients small, modulo `2^width` and nearest to 0. A row of the form that follows from
    /// earlier ones is left out: `2·x = 0xcccccccd·y` and `2^31·y = 0` are `10·x = y`.
    pub fn generators(&self) -> Vec<Row> {
        let mut before = Howell {
            modulus: self.modulus.clone(),
            rows: Vec::new(),
        };
        let mut generators = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            if !before.implies(row) {
                before.insert(row.clone());
                generators.push(self.with_small_coefficients(row));
            }
        }
        generators
    }

    /// Does an equation follow?
    pub fn implies(&self, row: &Row) -> bool {
        let mut rest = row.clone();
        while let Some((column, c)) = rest.first() {
            let Some(pivot) = self.pivot(*column) else {
                return false;
            };
            let quotient = c.div_euclid(&pivot[0].1);
            let difference = self.sum(&rest, &-quotient, pivot);
            if difference.first().is_some_and(|(first, _)| first == column) {
                return false;
            }
            rest = difference;
        }
        true
    }

    /// Does everything that the other says follow?
    pub fn implies_all(&self, other: &Howell) -> bool {
        other.rows.iter().all(|row| self.implies(row))
    }

    /// The equations that follow from this form and from the other, which has as many columns;
    /// `columns` is their number with the constant. Each equation stands beside a copy of itself,
    /// or beside nothing; where the first halves cancel out, the second ones say the same.
    pub fn intersection(&self, other: &Howell, columns: usize) -> Howell {
        let twice = |row: &Row| {
            let moved = row.iter().map(|(i, c)| (i + columns, c.clone()));
            row.iter().cloned().chain(moved).collect()
        };
        let all = self.rows.iter().map(twice).chain(other.rows.clone());
        Howell::of(&self.modulus, all).without(columns)
    }

    /// The equations that follow without the first columns, which are left out.
    pub fn without(mut self, columns: usize) -> Howell {
        let kept = self.rows.partition_point(|row| row[0].0 < columns);
        self.rows.drain(..kept);
        let entries = self.rows.iter_mut().flatten();
        entries.for_each(|(column, _)| *column -= columns);
        debug_assert!(self.is_valid(), "what is left is a form");
        self
    }

    /// The equations that follow without a column.
    pub fn forgotten(&self, forgotten: usize) -> Howell {
        // The column comes first, and its place is left empty afterwards.
        let first = |row: &Row| -> Row {
            let to = |column| match column == forgotten {
                true => 0,
                false => column + 1,
            };
            let mut row: Row = row.iter().map(|(i, c)| (to(*i), c.clone())).collect();
            row.sort_unstable_by_key(|(column, _)| *column);
            row
        };
        Howell::of(&self.modulus, self.rows.iter().map(first)).without(1)
    }

    /// Keeps the rows of which this is true.
    pub fn retain(&mut self, is_kept: impl Fn(&Row) -> bool) {
        if !self.rows.iter().all(&is_kept) {
            let rows = std::mem::take(&mut self.rows);
            *self = Howell::of(&self.modulus, rows.into_iter().filter(is_kept));
        }
    }

    /// All consequences of rows.
    fn of(modulus: &Rational, rows: impl IntoIterator<Item = Row>) -> Self {
        let mut form = Howell {
            modulus: modulus.clone(),
            rows: Vec::new(),
        };
        rows.into_iter().for_each(|row| form.insert(row));
        form.reduce();
        debug_assert!(form.is_valid(), "the form is that of Howell");
        form
    }

    /// Do the invariants of the type hold? Of the last one that is, for each row, whether the least
    /// multiple without its first column follows from the later rows.
    fn is_valid(&self) -> bool {
        let is_power = |c: &Rational| self.modulus.is_divisible_by(c) && c.is_positive();
        let in_range = |row: &Row| {
            let mut entries = row.iter();
            entries.all(|(_, c)| c.is_positive() && *c < self.modulus)
                && row.is_sorted_by(|a, b| a.0 < b.0)
        };
        let is_reduced = |row: &Row| {
            row[1..].iter().all(|(column, c)| {
                let pivot = self.pivot(*column);
                pivot
                    .is_none_or(|pivot| nearest(c, &pivot[0].1).is_zero() || self.is_near(c, pivot))
            })
        };
        let rows = self.rows.iter();
        self.rows.is_sorted_by(|a, b| a[0].0 < b[0].0)
            && rows
                .clone()
                .all(|row| in_range(row) && is_power(&row[0].1) && is_reduced(row))
            && work::uncounted(|| rows.clone().all(|row| self.implies(&self.annihilated(row))))
    }

    /// Is a coefficient, modulo `2^width`, within half of the pivot's first one around 0?
    fn is_near(&self, c: &Rational, pivot: &Row) -> bool {
        let negative = c - &self.modulus;
        &negative + &negative > -&pivot[0].1
    }

    fn place(&self, column: usize) -> Result<usize, usize> {
        self.rows.binary_search_by_key(&column, |row| row[0].0)
    }

    fn pivot(&self, column: usize) -> Option<&Row> {
        self.place(column).ok().map(|place| &self.rows[place])
    }

    /// Adds an equation and what follows of it with the others.
    fn insert(&mut self, row: Row) {
        let mut todo = vec![row];
        while let Some(mut row) = todo.pop() {
            while let Some((column, _)) = row.first() {
                let column = *column;
                row = self.with_power(&row);
                let place = match self.place(column) {
                    Err(place) => {
                        todo.push(self.annihilated(&row));
                        self.rows.insert(place, row);
                        break;
                    }
                    Ok(place) => place,
                };
                let pivot = &mut self.rows[place];
                if row[0].1 < pivot[0].1 {
                    std::mem::swap(&mut row, pivot);
                    todo.push(self.annihilated(&self.rows[place]));
                }
                let pivot = &self.rows[place];
                let quotient = row[0].1.div_euclid(&pivot[0].1);
                row = self.sum(&row, &-quotient, pivot);
            }
        }
    }

    /// The row times the least power of two for which the first coefficient is 0.
    fn annihilated(&self, row: &Row) -> Row {
        let factor = self.modulus.div_euclid(&row[0].1);
        self.scaled(row, &factor)
    }

    /// The row times a number with an inverse, such that the first coefficient is a power of two.
    fn with_power(&self, row: &Row) -> Row {
        let first = &row[0].1;
        let power = first.gcd(&self.modulus);
        let odd = first.div_euclid(&power);
        match odd.is_one() {
            true => row.clone(),
            false => self.scaled(row, &inverse(&odd, &self.modulus)),
        }
    }

    /// The row times a number with an inverse, such that some coefficient is a power of two, for
    /// which the sum of all coefficients' distances from 0 is least.
    fn with_small_coefficients(&self, row: &Row) -> Row {
        let around_zero = |(column, c): &(usize, Rational)| {
            let quotient = nearest(c, &self.modulus);
            (*column, c - &(&quotient * &self.modulus))
        };
        let scaled = row.iter().map(|(_, c)| {
            let odd = c.div_euclid(&c.gcd(&self.modulus));
            let scaled = self.scaled(row, &inverse(&odd, &self.modulus));
            scaled.iter().map(around_zero).collect::<Row>()
        });
        let size = |row: &Row| {
            row.iter()
                .fold(Rational::zero(), |sum, (_, c)| &sum + &c.abs())
        };
        scaled.min_by_key(size).unwrap_or_default()
    }

    /// Brings the coefficients in the columns of pivots nearest to 0.
    fn reduce(&mut self) {
        for place in 0..self.rows.len() {
            // Later pivots change nothing in the columns of earlier ones.
            for later in place + 1..self.rows.len() {
                let (column, power) = &self.rows[later][0];
                let entry = (self.rows[place].iter()).find(|(other, _)| other == column);
                let quotient = entry.map(|(_, c)| nearest(c, power));
                if let Some(quotient) = quotient.filter(|q| !q.is_zero()) {
                    self.rows[place] = self.sum(&self.rows[place], &-quotient, &self.rows[later]);
                }
            }
        }
    }

    fn scaled(&self, row: &Row, factor: &Rational) -> Row {
        work::spend_on(row.len());
        reduced(
            row.iter().map(|(i, c)| (*i, c * factor)).collect(),
            &self.modulus,
        )
    }

    /// `row + factor · other`.
    fn sum(&self, row: &Row, factor: &Rational, other: &Row) -> Row {
        work::spend_on(row.len() + other.len());
        let mut sum = Row::with_capacity(row.len() + other.len());
        let (mut these, mut those) = (row.iter().peekable(), other.iter().peekable());
        loop {
            let order = match (these.peek(), those.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((i, _)), Some((j, _))) => i.cmp(j),
            };
            let this = these.next_if(|_| order.is_le());
            let that = those.next_if(|_| order.is_ge());
            let column = this.or(that).expect("one of the two goes on").0;
            let mut c = this.map_or_else(Rational::zero, |(_, c)| c.clone());
            if let Some((_, d)) = that {
                c.add_mul(factor, d);
            }
            sum.push((column, c.mod_euclid(&self.modulus)));
        }
        sum.retain(|(_, c)| !c.is_zero());
        sum
    }
}

/// The row with coefficients modulo a number.
fn reduced(mut row: Row, modulus: &Rational) -> Row {
    for (_, c) in &mut row {
        *c = c.mod_euclid(modulus);
    }
    row.retain(|(_, c)| !c.is_zero());
    row
}

/// The quotient by a power of two, rounded such that the remainder is nearest to 0; if there are
/// two, it is positive.
fn nearest(number: &Rational, power: &Rational) -> Rational {
    let remainder = number.mod_euclid(power);
    let down = number.div_euclid(power);
    match &remainder + &remainder > *power {
        true => &down + &Rational::one(),
        false => down,
    }
}

/// The inverse of an odd number modulo a power of two, by Newton's iteration: each step doubles the
/// number of right bits.
fn inverse(odd: &Rational, modulus: &Rational) -> Rational {
    let mut inverse = Rational::one();
    loop {
        let error = &Rational::one() - &(odd * &inverse);
        let error = error.mod_euclid(modulus);
        if error.is_zero() {
            return inverse;
        }
        inverse = (&inverse + &(&inverse * &error)).mod_euclid(modulus);
    }
}
