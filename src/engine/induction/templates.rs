//! Meanings without recursion that are tried for each predicate: equality, its negation, and
//! operations and comparisons of integers, also with a datatype of two constants for truth values.

use super::meaning::{Meaning, Said};
use crate::term::{Sort, Term, Terms};

/// Comparisons of integers, the strongest first. Where a function is defined by recursion over
/// natural numbers that are integers, its clause for 0 may hold of all integers: `0 ≤ y` for all
/// `y`. So each comparison has a second form for 0.
const COMPARISONS: [fn(&Terms, Term, Term) -> Term; 8] = [
    |t, x, y| t.not(at_most(t, y, x)),
    |t, x, y| t.lt(x, y),
    |t, x, y| t.not(at_most(t, x, y)),
    |t, x, y| t.lt(y, x),
    |t, x, y| t.le(x, y),
    at_most,
    |t, x, y| t.le(y, x),
    |t, x, y| at_most(t, y, x),
];

/// `x ≤ y` of natural numbers, and true if `x` is 0 or negative.
fn at_most(t: &Terms, x: Term, y: Term) -> Term {
    t.or([t.le(x, y), t.le(x, t.int(0))])
}

/// Meanings for a predicate with arguments of these sorts, the strongest first. What is
/// `defined` by recursion is better than comparisons of integers.
pub(super) fn templates(t: &Terms, sorts: &[Sort], defined: Option<&Meaning>) -> Vec<Meaning> {
    let mut found: Vec<Meaning> = Vec::new();
    let mut formula = |said: &dyn Fn(&[Term]) -> Term| {
        found.push(Meaning::of(t, sorts, |params| Said::Formula(said(params))));
    };
    match *sorts {
        [x, y] if x == y && t.datatype_of(x).is_some() => {
            formula(&|args| t.eq(args[0], args[1]));
            formula(&|args| t.not(t.eq(args[0], args[1])));
        }
        [Sort::INT, Sort::INT] if defined.is_none() => {
            formula(&|args| t.eq(args[0], args[1]));
            found.extend([0, 1].iter().flat_map(|&place| multiples(t, place)));
            let comparisons = COMPARISONS.iter();
            found.extend(comparisons.map(|compare| {
                Meaning::of(t, sorts, |params| {
                    Said::Formula(compare(t, params[0], params[1]))
                })
            }));
            found.push(Meaning::of(t, sorts, |params| {
                Said::Formula(t.not(t.eq(params[0], params[1])))
            }));
        }
        _ => {}
    }
    found.extend(verdicts(t, sorts, defined.is_some()));
    if defined.is_none() && sorts == [Sort::INT; 3] {
        found.extend([0, 2, 1].iter().flat_map(|&place| operations(t, place)));
    }
    found
}

/// Comparisons of two arguments whose truth value is a third one, and whether an integer is even.
fn verdicts(t: &Terms, sorts: &[Sort], is_defined: bool) -> Vec<Meaning> {
    let mut found: Vec<Meaning> = Vec::new();
    // The last one first, where functions mostly have their result.
    for output in (0..sorts.len()).rev() {
        let inputs: Vec<usize> = (0..sorts.len()).filter(|&place| place != output).collect();
        for (yes, no) in truths(t, sorts[output]) {
            let mut add = |said: &dyn Fn(&[Term]) -> Term| {
                let of = |params: &[Term]| {
                    let args: Vec<Term> = inputs.iter().map(|&place| params[place]).collect();
                    Said::Value(output, t.ite(said(&args), yes, no))
                };
                found.push(Meaning::of(t, sorts, of));
            };
            match inputs[..] {
                [a, b] if sorts[a] == sorts[b] => {
                    add(&|args| t.eq(args[0], args[1]));
                    add(&|args| t.not(t.eq(args[0], args[1])));
                    if sorts[a] == Sort::INT && !is_defined {
                        for compare in COMPARISONS {
                            add(&|args| compare(t, args[0], args[1]));
                        }
                    }
                }
                [a] if sorts[a] == Sort::INT && !is_defined => {
                    add(&|args| t.eq(t.modulo(args[0], t.int(2)), t.int(0)));
                }
                _ => {}
            }
        }
    }
    found
}

/// Pairs of values that can stand for true and false: those of `Bool`, and the constants of a
/// datatype that has two.
pub(super) fn truths(t: &Terms, sort: Sort) -> Vec<(Term, Term)> {
    if sort == Sort::BOOL {
        return vec![(Term::TRUE, Term::FALSE)];
    }
    let ctors = t
        .datatype_of(sort)
        .map(|datatype| t.datatype(datatype).ctors());
    match ctors {
        Some(&[one, other]) if [one, other].iter().all(|&c| t.ctor(c).fields.is_empty()) => {
            let (one, other) = (t.construct(one, &[]), t.construct(other, &[]));
            vec![(one, other), (other, one)]
        }
        _ => Vec::new(),
    }
}

/// Half and twice an integer, where the result is the argument at a place.
fn multiples(t: &Terms, output: usize) -> [Meaning; 2] {
    let two = t.int(2);
    let made = |said: &dyn Fn(Term) -> Term| {
        let of = |params: &[Term]| Said::Value(output, said(params[1 - output]));
        Meaning::of(t, &[Sort::INT; 2], of)
    };
    [made(&|x| t.idiv(x, two)), made(&|x| t.add([x, x]))]
}

/// Operations on two integers whose result is the argument at a place.
fn operations(t: &Terms, output: usize) -> Vec<Meaning> {
    let mut found: Vec<Meaning> = Vec::new();
    let inputs: Vec<usize> = (0..3).filter(|&place| place != output).collect();
    let (a, b) = (inputs[0], inputs[1]);
    let zero = t.int(0);
    let mut add = |said: &dyn Fn(Term, Term) -> Term| {
        let of = |params: &[Term]| Said::Value(output, said(params[a], params[b]));
        found.push(Meaning::of(t, &[Sort::INT; 3], of));
    };
    add(&|x, y| t.add([x, y]));
    add(&|x, y| t.sub(x, y));
    add(&|x, y| t.sub(y, x));
    // The difference of natural numbers, where what is less than 0 is 0.
    let cut = |x: Term, y: Term| t.ite(t.le(x, y), zero, t.sub(x, y));
    let natural = |x: Term, y: Term| t.ite(t.or([t.le(x, y), t.le(x, zero)]), zero, t.sub(x, y));
    add(&|x, y| cut(x, y));
    add(&|x, y| cut(y, x));
    add(&|x, y| natural(x, y));
    add(&|x, y| natural(y, x));
    add(&|x, y| t.ite(t.le(x, y), y, x));
    add(&|x, y| t.ite(t.le(x, y), x, y));
    add(&|x, y| t.ite(at_most(t, x, y), y, x));
    add(&|x, y| t.ite(at_most(t, x, y), x, y));
    add(&|x, y| t.mul([x, y]));
    found
}
