//! The image of a path: what one way through a clause derives, as a polyhedron \[MG11\].
//!
//! A model of a clause's premises and constraint decides each disjunction. The literals that are
//! true in it and imply the formulas are the path. All states that the path derives come at once,
//! in place of the model's single state: the variables that are no arguments of the head are
//! eliminated.

use super::elimination::Conjunction;
use super::polyhedron::{Polyhedron, Row, Rows};
use super::space::Space;
use crate::logic::{LinearLiteral, Valuation, implicant};
use crate::number::Rational;
use crate::term::{LinearSum, Substitution, Term, TermMap, Terms};
use std::borrow::Cow;

/// A superset of the states that a path derives.
#[derive(Debug)]
pub struct Image {
    /// Over the first columns of the space, see [`Space::related`].
    polyhedron: Polyhedron,
    /// For each column of the polyhedron.
    columns: Vec<Term>,
    /// The bounds of each column that are known beside the polyhedron's.
    bounds: ColumnBounds,
}

/// The lower and the upper bound of each column that has one.
pub(super) type ColumnBounds = TermMap<[Option<Rational>; 2]>;

/// What images of one clause are made of.
pub(super) struct Heads {
    /// A variable for each number among the head's arguments, with its column and the argument.
    heads: Vec<(Term, Term, Term)>,
    /// The conditions of partitions, of the head's arguments.
    conditions: Vec<Term>,
}

impl Heads {
    /// For the arguments, by position, that `is_asked` lets pass.
    pub(super) fn new(
        t: &Terms,
        space: &Space,
        args: &[Term],
        is_asked: impl Fn(usize) -> bool,
    ) -> Self {
        let pairs = space.params().iter().copied().zip(args.iter().copied());
        let mut substitution = Substitution::new(t, pairs);
        let mentions = |f: Term, i: usize| t.vars([f]).contains(&space.params()[i]);
        let conditions = space.conditions().iter().map(|condition| condition.term);
        let asked = conditions.filter(|&f| (0..args.len()).all(|i| is_asked(i) || !mentions(f, i)));
        let conditions = asked.map(|f| substitution.apply(f)).collect();
        let numbers = args.iter().enumerate().filter_map(|(i, &arg)| {
            let column = space.number(i)?;
            let head = t.fresh_var("head", t.sort_of(column));
            is_asked(i).then_some((head, column, arg))
        });
        Heads {
            heads: numbers.collect(),
            conditions,
        }
    }

    /// What the valuation must have values for, beside the formulas.
    pub(super) fn terms(&self) -> impl Iterator<Item = Term> {
        let args = self.heads.iter().map(|&(.., arg)| arg);
        args.chain(self.conditions.iter().copied())
    }

    /// The image of the path that the valuation takes through the formulas, all of which it must
    /// satisfy; `None` if it does not, or if there is nothing to say.
    pub(super) fn image(
        &self,
        t: &Terms,
        space: &Space,
        valuation: &mut Valuation<'_>,
        formulas: &[Term],
    ) -> Option<Image> {
        let columns = self.columns();
        let conjunction = self.conjunction(t, &columns, valuation, formulas)?;
        Some(Image::new(space, &columns, &conjunction))
    }

    /// The bounds of single columns that the path's image is known to have. They cost much less
    /// than the image.
    pub(super) fn bounds(
        &self,
        t: &Terms,
        valuation: &mut Valuation<'_>,
        formulas: &[Term],
    ) -> Option<ColumnBounds> {
        let columns = self.columns();
        let conjunction = self.conjunction(t, &columns, valuation, formulas)?;
        Some(bounds_of_columns(&columns, &conjunction))
    }

    /// The column of each variable.
    fn columns(&self) -> TermMap<Term> {
        let heads = self.heads.iter();
        heads.map(|&(head, column, _)| (head, column)).collect()
    }

    /// The constraints over the variables that the path says.
    fn conjunction(
        &self,
        t: &Terms,
        columns: &TermMap<Term>,
        valuation: &mut Valuation<'_>,
        formulas: &[Term],
    ) -> Option<Conjunction> {
        let mut all = formulas.to_vec();
        // The path ends in one part of a partition.
        for &condition in &self.conditions {
            let holds = valuation.holds(condition);
            all.push(if holds { condition } else { t.not(condition) });
        }
        let named = self.heads.iter().map(|&(head, _, arg)| (head, arg));
        let mut conjunction = Conjunction::default();
        for literal in path(t, valuation, all, named)? {
            let Some(literal) = LinearLiteral::of_term(t, literal) else {
                continue;
            };
            let sum = t.sum_term(&literal.sum, literal.sort);
            conjunction.add(t, literal, &valuation.number(sum));
        }
        conjunction.keep(t, |x| columns.contains_key(&x));
        Some(conjunction)
    }
}

/// The literals of the path that the valuation takes through the formulas, with an equation of each
/// name and its argument; `None` if the valuation does not satisfy the formulas. The names, which
/// are variables, get values.
pub(super) fn path(
    t: &Terms,
    valuation: &mut Valuation<'_>,
    mut formulas: Vec<Term>,
    named: impl IntoIterator<Item = (Term, Term)>,
) -> Option<Vec<Term>> {
    if !formulas.iter().all(|&f| valuation.holds(f)) {
        return None;
    }
    for (name, arg) in named {
        let value = valuation.value(arg);
        valuation.define(name, value);
        formulas.push(t.eq(name, arg));
    }
    Some(implicant(t, valuation, formulas).literals)
}

impl Image {
    /// Of constraints over variables that stand for columns.
    fn new(space: &Space, names: &TermMap<Term>, from: &Conjunction) -> Self {
        let renamed = |sum: &LinearSum| {
            let mut renamed = LinearSum::constant(sum.constant.clone());
            for (x, c) in &sum.terms {
                let terms = vec![(names[x], Rational::one())];
                let constant = Rational::zero();
                renamed.add_scaled(c, &LinearSum { terms, constant });
            }
            renamed
        };
        let equations: Vec<LinearSum> = from.equations.iter().map(renamed).collect();
        let inequalities: Vec<LinearSum> = from.inequalities().map(|s| renamed(&s)).collect();
        let columns = space.related().to_vec();
        let mut rows = Rows::default();
        rows.lines
            .extend(equations.iter().filter_map(|sum| row(&columns, sum, 1)));
        rows.rays
            .extend(inequalities.iter().filter_map(|sum| row(&columns, sum, -1)));
        let mut polyhedron = Polyhedron::satisfying_most(columns.len(), rows);
        polyhedron.tighten(space.are_integers());
        Image {
            polyhedron,
            columns,
            bounds: bounds_of_columns(names, from),
        }
    }

    /// The image as a polyhedron over [`Space::related`].
    pub(super) fn polyhedron(&self) -> &Polyhedron {
        &self.polyhedron
    }

    /// An upper bound of a form over columns, if one is known.
    pub(super) fn upper(&self, form: &LinearSum) -> Option<Rational> {
        let by_row = row(&self.columns, form, 1).and_then(|row| self.polyhedron.upper(&row));
        let mut by_bounds = Some(form.constant.clone());
        for (x, c) in &form.terms {
            let side = usize::from(c.is_positive());
            let bound = self.bounds.get(x).and_then(|b| b[side].as_ref());
            by_bounds = by_bounds.zip(bound).map(|(mut sum, bound)| {
                sum.add_mul(c, bound);
                sum
            });
        }
        [by_row, by_bounds].into_iter().flatten().min()
    }

    /// A lower bound of a form over columns, if one is known.
    pub(super) fn lower(&self, form: &LinearSum) -> Option<Rational> {
        let mut negation = form.clone();
        negation.scale(&Rational::from(-1));
        self.upper(&negation).map(|upper| -upper)
    }
}

/// The bounds of columns that single constraints say. The variables stand for columns.
fn bounds_of_columns(names: &TermMap<Term>, from: &Conjunction) -> ColumnBounds {
    let mut bounds = ColumnBounds::default();
    let equations = from.equations.iter().map(|sum| (Cow::Borrowed(sum), true));
    let inequalities = from.inequalities().map(|sum| (Cow::Owned(sum), false));
    for (sum, is_equation) in equations.chain(inequalities) {
        let [(x, c)] = &sum.terms[..] else { continue };
        let bound = &-&sum.constant * &c.recip();
        let [lower, upper] = bounds.entry(names[x]).or_default();
        if is_equation || c.is_positive() {
            *upper = Some(upper.take().map_or(bound.clone(), |b| b.min(bound.clone())));
        }
        if is_equation || c.is_negative() {
            *lower = Some(lower.take().map_or(bound.clone(), |b| b.max(bound.clone())));
        }
    }
    bounds
}

/// A sum over columns, times the sign, as a row; `None` if it has other terms.
pub(super) fn row(columns: &[Term], sum: &LinearSum, sign: i64) -> Option<Row> {
    let sign = Rational::from(sign);
    let mut row = vec![Rational::zero(); columns.len() + 1];
    row[0] = &sum.constant * &sign;
    for (x, c) in &sum.terms {
        let place = columns.iter().position(|column| column == x)?;
        row[place + 1] = c * &sign;
    }
    Some(row)
}
