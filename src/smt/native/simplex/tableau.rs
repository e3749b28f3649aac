//! The tableau: equations between variables, each solved for one of them, its basic variable.
//!
//! A row is `Σ a·x = 0` with integer coefficients without a common divisor, so that pivoting
//! multiplies and adds integers instead of normalising fractions. Rows and columns are lists that
//! know each other's places; removal swaps the last entry in.
//!
//! Invariant: a basic variable occurs in its own row only.

use super::ArithVar;
use crate::number::Rational;
use crate::work;
use std::ops::Neg;

/// An equation's place; places of dropped ones are used again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RowId(u32);

/// A variable with its coefficient in a row.
#[derive(Clone, Debug)]
pub(in super::super) struct Entry {
    pub(in super::super) var: ArithVar,
    /// Its place in the variable's column.
    place: u32,
    pub(in super::super) coefficient: Rational,
}

/// A row that has a variable.
#[derive(Clone, Copy, Debug)]
struct ColumnEntry {
    row: RowId,
    /// The place in the row.
    place: u32,
}

#[derive(Clone, Debug, Default)]
struct Row {
    entries: Vec<Entry>,
    basic: Option<ArithVar>,
    /// The place of the basic variable's entry.
    basic_place: u32,
}

/// All rows.
#[derive(Debug, Default)]
pub(super) struct Tableau {
    rows: Vec<Row>,
    free: Vec<RowId>,
    columns: Vec<Vec<ColumnEntry>>,
    /// The row that each variable is basic in.
    basic_in: Vec<Option<RowId>>,
    /// The place of each variable in the row that is added to others, `ABSENT` for the variables
    /// that are not there. All are `ABSENT` between operations.
    places: Vec<u32>,
    scratch: Scratch,
}

/// Vectors of an elimination, which are kept for the next one.
#[derive(Debug, Default)]
struct Scratch {
    /// For each place of the row that is added: has the other row its variable?
    met: Vec<bool>,
    /// The places of coefficients that have become 0, ascending.
    zeros: Vec<usize>,
}

const ABSENT: u32 = u32::MAX;

fn index(place: usize) -> u32 {
    u32::try_from(place).expect("rows and columns have fewer than 2^32 entries")
}

impl Tableau {
    /// Makes room for one more variable, which occurs nowhere.
    pub(super) fn grow(&mut self) {
        self.columns.push(Vec::new());
        self.basic_in.push(None);
        self.places.push(ABSENT);
    }

    /// The row that a variable is basic in.
    #[inline]
    pub(super) fn row_of(&self, var: ArithVar) -> Option<RowId> {
        self.basic_in[var.index()]
    }

    /// The basic variable of a row.
    pub(super) fn basic(&self, row: RowId) -> ArithVar {
        self.rows[row.0 as usize].basic.expect("the row is in use")
    }

    /// The entries of a row, that of the basic variable among them.
    #[inline]
    pub(super) fn entries(&self, row: RowId) -> &[Entry] {
        &self.rows[row.0 as usize].entries
    }

    /// The coefficient of the basic variable of a row.
    #[inline]
    pub(super) fn basic_coefficient(&self, row: RowId) -> &Rational {
        let row = &self.rows[row.0 as usize];
        &row.entries[row.basic_place as usize].coefficient
    }

    /// Number of rows with a variable.
    #[inline]
    pub(super) fn column_len(&self, var: ArithVar) -> usize {
        self.columns[var.index()].len()
    }

    /// The rows with a variable, and its coefficient there.
    #[inline]
    pub(super) fn column(&self, var: ArithVar) -> impl Iterator<Item = (RowId, &Rational)> {
        self.columns[var.index()].iter().map(|c| {
            let entry = &self.rows[c.row.0 as usize].entries[c.place as usize];
            (c.row, &entry.coefficient)
        })
    }

    /// The rows in use.
    pub(super) fn rows(&self) -> impl Iterator<Item = RowId> + '_ {
        let used = self
            .rows
            .iter()
            .enumerate()
            .filter(|(_, r)| r.basic.is_some());
        used.map(|(i, _)| RowId(index(i)))
    }

    /// Number of rows in use.
    pub(super) fn len(&self) -> usize {
        self.rows.len() - self.free.len()
    }

    /// Adds the equation `basic = Σ form`, where `basic` occurs nowhere and the coefficients are
    /// integers.
    pub(super) fn add_row(&mut self, basic: ArithVar, form: &[(ArithVar, Rational)]) {
        debug_assert!(self.columns[basic.index()].is_empty() && self.row_of(basic).is_none());
        let row = self.free.pop().unwrap_or_else(|| {
            self.rows.push(Row::default());
            RowId(index(self.rows.len() - 1))
        });
        self.push_entry(row, basic, Rational::from(-1));
        for (x, a) in form {
            self.push_entry(row, *x, a.clone());
        }
        self.rows[row.0 as usize].basic = Some(basic);
        self.rows[row.0 as usize].basic_place = 0;
        self.basic_in[basic.index()] = Some(row);
        for (x, _) in form {
            let Some(source) = self.row_of(*x) else {
                continue;
            };
            self.spread(source);
            let entry = self.columns[x.index()].iter().find(|c| c.row == row);
            let place = entry.expect("the form has the variable").place;
            self.eliminate(row, place, source);
            self.gather(source);
        }
        debug_assert!(
            self.entries(row)
                .iter()
                .all(|e| e.var == basic || self.row_of(e.var).is_none()),
            "a basic variable occurs in its own row only"
        );
    }

    /// Drops the row of a basic variable, which then occurs nowhere.
    pub(super) fn drop_row(&mut self, basic: ArithVar) {
        let row = self.basic_in[basic.index()]
            .take()
            .expect("the variable is basic");
        while !self.rows[row.0 as usize].entries.is_empty() {
            let last = self.rows[row.0 as usize].entries.len() - 1;
            self.remove_entry(row, last);
        }
        self.rows[row.0 as usize].basic = None;
        debug_assert_eq!(self.column_len(basic), 0, "it occurred in its own row only");
        debug_assert!(!self.free.contains(&row), "a place is free once");
        self.free.push(row);
    }

    /// Solves a row for another of its variables.
    pub(super) fn pivot(&mut self, row: RowId, entering: ArithVar) {
        let leaving = self.basic(row);
        self.basic_in[leaving.index()] = None;
        self.basic_in[entering.index()] = Some(row);
        let place = self.columns[entering.index()].iter().find(|c| c.row == row);
        let place = place.expect("the entering variable is in the row").place;
        self.rows[row.0 as usize].basic = Some(entering);
        self.rows[row.0 as usize].basic_place = place;
        self.spread(row);
        // From the end, as removals swap entries in from there.
        let mut i = self.columns[entering.index()].len();
        while i > 0 {
            i -= 1;
            let other = self.columns[entering.index()][i];
            if other.row != row {
                self.eliminate(other.row, other.place, row);
            }
        }
        self.gather(row);
        debug_assert_eq!(self.column_len(entering), 1);
    }

    /// Prepares a row for being added to others.
    fn spread(&mut self, row: RowId) {
        for (i, entry) in self.rows[row.0 as usize].entries.iter().enumerate() {
            self.places[entry.var.index()] = index(i);
        }
    }

    /// Ends what [`Tableau::spread`] began.
    fn gather(&mut self, row: RowId) {
        for entry in &self.rows[row.0 as usize].entries {
            self.places[entry.var.index()] = ABSENT;
        }
    }

    /// Eliminates the variable at a place of `row` by adding a multiple of `source`, in which it is
    /// basic, and which is spread.
    fn eliminate(&mut self, row: RowId, at: u32, source: RowId) {
        let basic_place = self.rows[source.0 as usize].basic_place as usize;
        let added = std::mem::take(&mut self.rows[source.0 as usize].entries);
        let entries = &mut self.rows[row.0 as usize].entries;
        debug_assert_eq!(entries[at as usize].var, added[basic_place].var);
        let a = &entries[at as usize].coefficient;
        let (keep, add) = multipliers(a, &added[basic_place].coefficient);
        work::spend_on(entries.len() + added.len());
        let Scratch { met, zeros } = &mut self.scratch;
        met.clear();
        met.resize(added.len(), false);
        zeros.clear();
        let is_scaled = !keep.is_one();
        for (i, entry) in entries.iter_mut().enumerate() {
            if is_scaled {
                entry.coefficient *= &keep;
            }
            let place = self.places[entry.var.index()];
            if place != ABSENT {
                met[place as usize] = true;
                let other = &added[place as usize].coefficient;
                entry.coefficient.add_mul(other, &add);
                if entry.coefficient.is_zero() {
                    zeros.push(i);
                }
            }
        }
        for (place, entry) in added.iter().enumerate() {
            if !self.scratch.met[place] {
                self.push_entry(row, entry.var, &entry.coefficient * &add);
            }
        }
        self.rows[source.0 as usize].entries = added;
        while let Some(zero) = self.scratch.zeros.pop() {
            self.remove_entry(row, zero);
        }
        if is_scaled {
            self.divide_by_gcd(row);
        }
        debug_assert!(
            self.row_is_valid(row),
            "a row has integers and agrees with its columns"
        );
    }

    /// Divides a row by the greatest common divisor of its coefficients.
    fn divide_by_gcd(&mut self, row: RowId) {
        let entries = &mut self.rows[row.0 as usize].entries;
        let mut gcd = Rational::zero();
        for entry in entries.iter() {
            gcd = gcd.gcd(&entry.coefficient);
            if gcd.is_one() {
                return;
            }
        }
        for entry in entries {
            entry.coefficient /= &gcd;
        }
    }

    fn push_entry(&mut self, row: RowId, var: ArithVar, coefficient: Rational) {
        let column = &mut self.columns[var.index()];
        let entries = &mut self.rows[row.0 as usize].entries;
        column.push(ColumnEntry {
            row,
            place: index(entries.len()),
        });
        entries.push(Entry {
            var,
            place: index(column.len() - 1),
            coefficient,
        });
    }

    fn remove_entry(&mut self, row: RowId, at: usize) {
        let in_use = &mut self.rows[row.0 as usize];
        let removed = in_use.entries.swap_remove(at);
        if let Some(moved) = in_use.entries.get(at) {
            self.columns[moved.var.index()][moved.place as usize].place = index(at);
            if Some(moved.var) == in_use.basic {
                in_use.basic_place = index(at);
            }
        }
        let column = &mut self.columns[removed.var.index()];
        column.swap_remove(removed.place as usize);
        if let Some(&moved) = column.get(removed.place as usize) {
            self.rows[moved.row.0 as usize].entries[moved.place as usize].place = removed.place;
        }
    }

    /// Are the coefficients of a row integers that are not 0, and do the columns and the place of
    /// the basic variable agree with it?
    fn row_is_valid(&self, id: RowId) -> bool {
        let row = &self.rows[id.0 as usize];
        let placed = row.entries.iter().enumerate().all(|(i, entry)| {
            let c = self.columns[entry.var.index()][entry.place as usize];
            let a = &entry.coefficient;
            c.row == id && c.place as usize == i && a.is_integer() && !a.is_zero()
        });
        let solved = row.entries.get(row.basic_place as usize);
        placed && solved.is_some_and(|entry| Some(entry.var) == row.basic)
    }

    /// Do rows and columns agree, and does each basic variable occur in its row only?
    pub(super) fn is_valid(&self) -> bool {
        let rows_agree = self.rows().all(|id| {
            let basic = self.basic(id);
            self.row_is_valid(id) && self.column_len(basic) == 1 && self.row_of(basic) == Some(id)
        });
        let entries: usize = self.rows.iter().map(|r| r.entries.len()).sum();
        let places: usize = self.columns.iter().map(Vec::len).sum();
        rows_agree && entries == places && self.places.iter().all(|&p| p == ABSENT)
    }
}

/// The least factors, the first positive, for which `keep·a + add·b = 0`.
fn multipliers(a: &Rational, b: &Rational) -> (Rational, Rational) {
    if b.is_one() {
        return (Rational::one(), a.neg());
    }
    if b.is_minus_one() {
        return (Rational::one(), a.clone());
    }
    let gcd = a.gcd(b);
    let (keep, add) = (b / &gcd, (a / &gcd).neg());
    if keep.is_negative() {
        (keep.neg(), add.neg())
    } else {
        (keep, add)
    }
}
