//! Meanings without recursion that are tried for each predicate: equality, its negation, and
//! operations and comparisons of integers.

use super::meaning::{Meaning, Said};
use crate::term::{Sort, Term, Terms};

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
            formula(&|args| t.lt(args[0], args[1]));
            formula(&|args| t.lt(args[1], args[0]));
            formula(&|args| t.le(args[0], args[1]));
            formula(&|args| t.le(args[1], args[0]));
            formula(&|args| t.not(t.eq(args[0], args[1])));
        }
        _ => {}
    }
    found.extend(verdicts(t, sorts, defined.is_some()));
    if defined.is_none() && sorts == [Sort::INT; 3] {
        found.extend([0, 2, 1].iter().flat_map(|&place| operations(t, place)));
    }
    found
}

/// Comparisons of two arguments whose truth value is a third one.
fn verdicts(t: &Terms, sorts: &[Sort], is_defined: bool) -> Vec<Meaning> {
    let mut found: Vec<Meaning> = Vec::new();
    for output in [sorts.len().wrapping_sub(1), 0] {
        let inputs: Vec<usize> = (0..sorts.len()).filter(|&place| place != output).collect();
        let &[a, b] = &inputs[..] else {
            continue;
        };
        if sorts[output] != Sort::BOOL || sorts[a] != sorts[b] {
            continue;
        }
        let mut add = |said: &dyn Fn(Term, Term) -> Term| {
            let of = |params: &[Term]| Said::Value(output, said(params[a], params[b]));
            found.push(Meaning::of(t, sorts, of));
        };
        add(&|x, y| t.eq(x, y));
        add(&|x, y| t.not(t.eq(x, y)));
        if sorts[a] == Sort::INT && !is_defined {
            add(&|x, y| t.le(x, y));
            add(&|x, y| t.lt(x, y));
            add(&|x, y| t.le(y, x));
            add(&|x, y| t.lt(y, x));
        }
    }
    found
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
    // The difference of natural numbers, where what is less than 0 is 0.
    add(&|x, y| t.ite(t.le(x, y), zero, t.sub(x, y)));
    add(&|x, y| t.ite(t.or([t.le(x, y), t.le(x, zero)]), zero, t.sub(x, y)));
    add(&|x, y| t.ite(t.le(x, y), y, x));
    add(&|x, y| t.ite(t.le(x, y), x, y));
    add(&|x, y| t.mul([x, y]));
    found
}
