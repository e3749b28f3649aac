//! What the clauses compare: constraints that a widening keeps, and conditions of partitions.

use super::space::Condition;
use crate::chc::{Atom, PredId, System};
use crate::logic::{LinearLiteral, Relation};
use crate::number::Rational;
use crate::term::{LinearSum, Op, Sort, Term, TermMap, Terms};

/// The first 24 comparisons of a predicate's arguments become guards. The value was not tuned.
const MOST_COMPARISONS: usize = 24;

/// The comparisons of a predicate's arguments in the clauses that it occurs in, as sums over the
/// parameters that may be at most 0: a comparison, its negation, and each of them relaxed by one
/// step of a loop.
pub fn guards(t: &Terms, system: &System, pred: PredId, params: &[Term]) -> Vec<LinearSum> {
    let mut comparisons: Vec<LinearSum> = Vec::new();
    for clause in &system.clauses {
        for atom in clause.atoms().filter(|atom| atom.pred == pred) {
            let names = names(t, atom, params);
            for x in t.post_order([clause.constraint]) {
                if comparisons.len() < MOST_COMPARISONS
                    && let Some(sum) = comparison(t, x, &names)
                    && !comparisons.contains(&sum)
                {
                    comparisons.push(sum);
                }
            }
        }
    }
    let one = Rational::one();
    let variants = |sum: LinearSum| {
        let mut negation = sum.clone();
        negation.scale(&Rational::from(-1));
        [sum, negation].into_iter().flat_map(|sum| {
            let mut relaxed = sum.clone();
            relaxed.constant -= &one;
            [sum, relaxed]
        })
    };
    comparisons.into_iter().flat_map(variants).collect()
}

/// The parameter that each variable among the arguments stands for.
fn names(t: &Terms, atom: &Atom, params: &[Term]) -> TermMap<Term> {
    let pairs = atom.args.iter().copied().zip(params.iter().copied());
    pairs.filter(|&(arg, _)| t.is_var(arg)).collect()
}

/// At most 6 conditions tell the parts of a predicate's states apart. The value was not tuned.
const MOST_CONDITIONS: usize = 6;

/// The conditions of clauses on a predicate's arguments that occur in the most clauses. An equation
/// counts as two.
pub fn conditions(t: &Terms, system: &System, pred: PredId, params: &[Term]) -> Vec<Condition> {
    // In how many clauses each occurs.
    let mut counts: Vec<(Condition, usize)> = Vec::new();
    for clause in &system.clauses {
        let mut seen: Vec<Condition> = Vec::new();
        for atom in clause.atoms().filter(|atom| atom.pred == pred) {
            let names = names(t, atom, params);
            let parts = t.post_order([clause.constraint]);
            let conditions = parts.into_iter().flat_map(|x| conditions_of(t, x, &names));
            for condition in conditions {
                if !seen.contains(&condition) {
                    seen.push(condition);
                }
            }
        }
        for condition in seen {
            let known = counts.iter().position(|(known, _)| *known == condition);
            match known {
                Some(place) => counts[place].1 += 1,
                None if counts.len() < MOST_COMPARISONS => counts.push((condition, 1)),
                None => {}
            }
        }
    }
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let most = counts.into_iter().take(MOST_CONDITIONS);
    most.map(|(condition, _)| condition).collect()
}

/// The conditions that a part of a constraint is made of.
fn conditions_of(t: &Terms, x: Term, names: &TermMap<Term>) -> Vec<Condition> {
    if t.sort_of(x) == Sort::BOOL
        && let Some(&param) = names.get(&x)
    {
        let column = t.ite(param, t.int(1), t.int(0));
        let mut sum = LinearSum::constant(Rational::one());
        sum.add_scaled(&Rational::from(-1), &t.linear_sum(column));
        return vec![Condition { sum, term: param }];
    }
    let Some(sum) = comparison(t, x, names) else {
        return Vec::new();
    };
    let relations: &[(i64, Relation)] = match t.op(x) {
        Op::Eq => &[(1, Relation::Le), (-1, Relation::Le)],
        Op::Lt => &[(1, Relation::Lt)],
        _ => &[(1, Relation::Le)],
    };
    let of = |(sign, relation): &(i64, Relation)| condition(t, &sum, *sign, relation.clone());
    relations.iter().filter_map(of).collect()
}

/// The condition that a sum times a sign is in relation to 0, or its negation: the same condition
/// for both. `None` if it is strict and about reals.
fn condition(t: &Terms, sum: &LinearSum, sign: i64, relation: Relation) -> Option<Condition> {
    let is_integral = sum.terms.iter().all(|&(x, _)| t.sort_of(x) == Sort::INT);
    let sort = if is_integral { Sort::INT } else { Sort::REAL };
    let mut sum = sum.clone();
    sum.scale(&Rational::from(sign));
    let term = LinearLiteral {
        sum,
        relation,
        sort,
    }
    .to_term(t);
    let term = t.as_not(term).unwrap_or(term);
    let mut literal = LinearLiteral::of_term(t, term)?;
    if is_integral && literal.sum.terms.first()?.1.is_negative() {
        // `sum ≤ 0` is the negation of `1 - sum ≤ 0`.
        literal.sum.scale(&Rational::from(-1));
        literal.sum.constant += &Rational::one();
    }
    let term = literal.to_term(t);
    let is_condition = literal.relation == Relation::Le && !t.is_distinct_constant(term);
    let sum = literal.sum;
    is_condition.then_some(Condition { sum, term })
}

/// What an atom compares with 0, if that is a sum of variables with names.
fn comparison(t: &Terms, atom: Term, names: &TermMap<Term>) -> Option<LinearSum> {
    if !matches!(t.op(atom), Op::Le | Op::Lt | Op::Eq) {
        return None;
    }
    let literal = LinearLiteral::of_term(t, atom)?;
    let mut renamed = LinearSum::constant(literal.sum.constant.clone());
    for (x, c) in &literal.sum.terms {
        renamed.add_scaled(c, &t.linear_sum(*names.get(x)?));
    }
    (!renamed.is_constant()).then_some(renamed)
}
