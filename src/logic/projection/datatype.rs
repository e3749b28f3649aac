//! Elimination of values of datatypes: by the constructor that the model has. Not from a paper.

use super::Projection;
use crate::term::{CtorId, Op, Term, Terms, Value};

impl Projection<'_, '_> {
    /// The equations between fields that an equation implies, if one side is a constructor's.
    pub(super) fn datatype_equation(&self, x: Term, y: Term) -> Option<Vec<Term>> {
        let t = self.t;
        let (ctor, args, other) = constructed(t, x, y)?;
        let equations = fields(t, ctor, other).into_iter().zip(args);
        let equations = equations.map(|(field, &arg)| t.eq(field, arg));
        Some([t.is(ctor, other)].into_iter().chain(equations).collect())
    }

    /// The reason why two values differ, if one side is a constructor's: the constructor, or a
    /// field.
    pub(super) fn datatype_difference(&mut self, x: Term, y: Term) -> Option<Vec<Term>> {
        let t = self.t;
        let (ctor, args, other) = constructed(t, x, y)?;
        if self.constructor(other) != Some(ctor) {
            return Some(vec![t.not(t.is(ctor, other))]);
        }
        let fields = fields(t, ctor, other).into_iter().zip(args);
        let mut unequal = fields.map(|(field, &arg)| t.not(t.eq(field, arg)));
        let unequal = unequal.find(|&unequal| self.valuation.holds(unequal))?;
        Some(vec![t.is(ctor, other), unequal])
    }

    /// The constructor of a term in the model.
    fn constructor(&mut self, term: Term) -> Option<CtorId> {
        match self.valuation.value(term) {
            Value::Datatype(value) => Some(value.ctor()),
            _ => None,
        }
    }

    /// Replaces a variable by the constructor that the model has, applied to new variables, if the
    /// variable's fields, constructor or an equation with it occur.
    pub(super) fn expand_datatype(&mut self) -> bool {
        let t = self.t;
        let mut subterms = t.post_order(self.other.iter().copied());
        let found = subterms.find_map(|s| {
            let looks_into = matches!(t.op(s), Op::Field(_) | Op::Is(_) | Op::Eq);
            let mut args = t.args(s).iter().copied();
            let is_ours =
                |v: &Term| self.vars.contains(v) && t.datatype_of(t.sort_of(*v)).is_some();
            looks_into.then(|| args.find(is_ours)).flatten()
        });
        let Some(var) = found else { return false };
        let Value::Datatype(value) = self.valuation.value(var) else {
            return false;
        };
        let selectors = &t.ctor(value.ctor()).fields;
        let fields: Vec<Term> = selectors
            .iter()
            .zip(value.fields())
            .map(|(&selector, field)| {
                let selector = t.selector(selector);
                self.fresh(t.name(selector.name), selector.sort, field.clone())
            })
            .collect();
        self.replace(&[(var, t.construct(value.ctor(), &fields))]);
        true
    }
}

/// Constructor and fields of one of two terms, and the other term.
fn constructed(t: &Terms, x: Term, y: Term) -> Option<(CtorId, &[Term], Term)> {
    let sides = [(x, y), (y, x)].into_iter();
    let mut sides = sides.filter_map(|(x, y)| match t.op(x) {
        Op::Construct(ctor) => Some((ctor, t.args(x), y)),
        _ => None,
    });
    sides.next()
}

/// The fields that a constructor gives to a value.
fn fields(t: &Terms, ctor: CtorId, value: Term) -> Vec<Term> {
    let selectors = t.ctor(ctor).fields.iter();
    selectors.map(|&s| t.field(s, value)).collect()
}
