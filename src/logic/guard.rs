//! Guards of selectors: tests for the constructor that a selector belongs to.
//!
//! The theory leaves open what a selector gives for a value of another constructor, and a solver's
//! model may choose another value than our evaluation. So each literal about a field is kept
//! together with the test for its constructor.

use crate::term::{Op, Term, Terms};

/// The formulas `is(c, e)` for the fields `f(e)` of constructors `c` in these terms, if the
/// datatype has other constructors.
pub(crate) fn guards(t: &Terms, terms: &[Term]) -> Vec<Term> {
    if !t.has_datatypes() {
        return Vec::new();
    }
    let fields = t.post_order(terms.iter().copied());
    let guards = fields.filter_map(|s| match t.op(s) {
        Op::Field(selector) => Some(t.is(t.selector(selector).ctor, t.args(s)[0])),
        _ => None,
    });
    guards.filter(|&g| g != Term::TRUE).collect()
}

/// A part of a cube, with the guards of its fields that are in the cube.
pub fn with_guards(t: &Terms, mut part: Vec<Term>, cube: &[Term]) -> Vec<Term> {
    for guard in guards(t, &part) {
        if cube.contains(&guard) && !part.contains(&guard) {
            part.push(guard);
        }
    }
    part
}
