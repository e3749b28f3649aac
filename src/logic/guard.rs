//! Selectors and the constructors that they are for.
//!
//! What a selector gives for a value of another constructor is left open, and a solver's model may choose otherwise than our
//! evaluation. So what is said of a field is said together with the constructor.

use crate::term::{Op, Term, Terms};

/// The formulas `is(c, e)` for the fields `f(e)` of constructors `c` in these terms, where the datatype has other constructors.
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

/// Part of a cube, with those guards of its fields that the cube has.
pub fn with_guards(t: &Terms, mut part: Vec<Term>, cube: &[Term]) -> Vec<Term> {
    for guard in guards(t, &part) {
        if cube.contains(&guard) && !part.contains(&guard) {
            part.push(guard);
        }
    }
    part
}
