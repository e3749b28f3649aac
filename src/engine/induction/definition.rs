//! Definitions by pattern matching as functions that are defined by recursion, each over its first
//! argument \[Aug85\].
//!
//! ```text
//! take(n, l):  the constructors of n are distinguished, then those of l
//!
//! take(zero, l)    = nil                    take'(nil, n)        = nil
//! take(succ(n), l) = take'(l, n)            take'(cons(h, t), n) = cons(h, take(n, t))
//! ```

use super::meaning::Meaning;
use super::rows::{Row, variables};
use crate::term::{Case, FuncId, Op, Sort, Substitution, Term, Terms};

/// A definition under way.
pub(super) struct Definition<'a> {
    pub(super) t: &'a Terms,
    /// The name of the predicate.
    pub(super) name: &'a str,
    /// What predicates mean, also the one that is being defined; `None` where it is not known yet.
    pub(super) meanings: &'a [Option<Meaning>],
    /// The sort of the values.
    pub(super) result: Sort,
    /// Is it a relation, which does not hold where no row applies?
    pub(super) is_relation: bool,
    /// The functions made.
    pub(super) made: Vec<FuncId>,
    /// Cases in which no row applies, or a row only under a guard.
    pub(super) gaps: usize,
    /// The number of cases that may still be distinguished.
    pub(super) room: usize,
}

/// A definition distinguishes at most this number of cases, which grow exponentially with the
/// arguments that rows match. The value was not tuned.
pub(super) const MOST_CASES: usize = 4096;

/// The place at which a function that is to be defined by these rows distinguishes constructors
/// first: one where all rows do so, or else where most do.
pub(super) fn first_column(t: &Terms, rows: &[Row]) -> Option<usize> {
    let count = rows.first()?.patterns.len();
    let built = |place: usize| {
        let patterns = rows.iter().filter_map(|row| row.patterns[place]);
        patterns
            .filter(|&p| matches!(t.op(p), Op::Construct(_)))
            .count()
    };
    let best = (0..count).max_by_key(|&place| (built(place), count - place))?;
    (built(best) > 0).then_some(best)
}

impl Definition<'_> {
    /// Defines a function that was declared. Its first argument is the column at `first`, and the
    /// others follow in order. False if a row does not determine its value.
    pub(super) fn define(
        &mut self,
        func: FuncId,
        columns: &[Term],
        rows: &[Row],
        first: usize,
    ) -> bool {
        let Some(cases) = self.cases(columns, rows, first) else {
            return false;
        };
        let others = others(columns, first);
        let cases = cases.into_iter().map(|case| Case {
            params: case.params.iter().chain(&others).copied().collect(),
            ..case
        });
        self.t.define_by_cases(func, cases.collect());
        self.made.push(func);
        true
    }

    /// The value by these rows over the columns, which are variables.
    pub(super) fn value(&mut self, columns: &[Term], mut rows: Vec<Row>) -> Option<Term> {
        let t = self.t;
        for row in &mut rows {
            row.take_plain_patterns(t, columns);
        }
        match first_column(t, &rows) {
            None => self.choice(&rows),
            Some(first) => {
                let cases = self.cases(columns, &rows, first)?;
                self.auxiliary(columns, first, cases)
            }
        }
    }

    /// The cases over the fields of the column at `first`; the parameters are the fields alone.
    fn cases(&mut self, columns: &[Term], rows: &[Row], first: usize) -> Option<Vec<Case>> {
        let t = self.t;
        let datatype = t.datatype_of(t.sort_of(columns[first]))?;
        let mut cases = Vec::new();
        for &ctor in t.datatype(datatype).ctors() {
            self.room = self.room.checked_sub(1)?;
            let fields = t.fresh_fields(ctor);
            let whole = t.construct(ctor, &fields);
            let inner: Vec<Term> = fields
                .iter()
                .copied()
                .chain(others(columns, first))
                .collect();
            let fitting = rows
                .iter()
                .filter_map(|row| specialised(t, row, first, columns[first], whole));
            let body = self.value(&inner, fitting.collect())?;
            cases.push(Case {
                ctor,
                params: fields.into(),
                body,
            });
        }
        Some(cases)
    }

    /// A new function with these cases, applied to the column at `first` and to the others that the
    /// cases use.
    fn auxiliary(&mut self, columns: &[Term], first: usize, cases: Vec<Case>) -> Option<Term> {
        let t = self.t;
        let bodies: Vec<Term> = cases.iter().map(|case| case.body).collect();
        let used = variables(t, &bodies);
        let mut others = others(columns, first);
        others.retain(|column| used.contains(column));
        let args: Vec<Term> = [columns[first]].into_iter().chain(others).collect();
        let sorts: Vec<Sort> = args.iter().map(|&arg| t.sort_of(arg)).collect();
        let func = t.declare(t.fresh_symbol(self.name), &sorts, self.result);
        let cases = cases.into_iter().map(|case| Case {
            params: case.params.iter().chain(&args[1..]).copied().collect(),
            ..case
        });
        t.define_by_cases(func, cases.collect());
        self.made.push(func);
        Some(t.apply(func, &args))
    }

    /// The value of the first row whose guards hold.
    fn choice(&mut self, rows: &[Row]) -> Option<Term> {
        let t = self.t;
        let computed: Option<Vec<_>> = rows
            .iter()
            .map(|row| row.computed(t, self.meanings))
            .collect();
        let mut computed = computed?;
        if self.is_relation {
            return Some(t.or(computed.iter().map(|row| row.value)));
        }
        // What a function is where no row applies does not matter.
        let Some(last) = computed.pop() else {
            self.gaps += 1;
            return some_value(t, self.result);
        };
        self.gaps += usize::from(computed.is_empty() && !last.guards.is_empty());
        let choice = computed.iter().rev().fold(last.value, |rest, row| {
            t.ite(t.and(row.guards.iter().copied()), row.value, rest)
        });
        Some(choice)
    }
}

/// All columns but one.
fn others(columns: &[Term], first: usize) -> Vec<Term> {
    let columns = columns.iter().enumerate();
    columns
        .filter(|(place, _)| *place != first)
        .map(|(_, &column)| column)
        .collect()
}

/// A row for values of a constructor at a place, whose fields become columns in front of the
/// others; `None` if it does not apply to these. Plain patterns were taken.
fn specialised(t: &Terms, row: &Row, place: usize, column: Term, whole: Term) -> Option<Row> {
    let mut row = row.clone();
    // What the row has bound to the column is built by this constructor.
    let mut known = Substitution::new(t, [(column, whole)]);
    let equations = row.equations.iter_mut().map(|(bound, _)| bound);
    for bound in row.bound.values_mut().chain(equations) {
        *bound = known.apply(*bound);
    }
    let fields: Vec<Option<Term>> = match row.patterns.remove(place) {
        Some(pattern) if t.op(pattern) != t.op(whole) => return None,
        Some(pattern) => t.args(pattern).iter().map(|&field| Some(field)).collect(),
        None => vec![None; t.args(whole).len()],
    };
    row.patterns.splice(0..0, fields);
    Some(row)
}

/// A value of a sort, built by few constructors; `None` if none is found.
pub(super) fn some_value(t: &Terms, sort: Sort) -> Option<Term> {
    small_value(t, sort, DEPTH)
}

/// Values for cases that do not matter are nested to this depth at most. The value was not tuned.
const DEPTH: usize = 6;

fn small_value(t: &Terms, sort: Sort, depth: usize) -> Option<Term> {
    if sort == Sort::INT {
        return Some(t.int(0));
    }
    if sort == Sort::BOOL {
        return Some(Term::FALSE);
    }
    let depth = depth.checked_sub(1)?;
    let datatype = t.datatype_of(sort)?;
    let mut ctors = t.datatype(datatype).ctors().to_vec();
    ctors.sort_by_key(|&ctor| t.ctor(ctor).fields.len());
    ctors.into_iter().find_map(|ctor| {
        let sorts = t.sorts_of_fields(ctor);
        let fields: Option<Vec<Term>> = sorts.map(|field| small_value(t, field, depth)).collect();
        Some(t.construct(ctor, &fields?))
    })
}
