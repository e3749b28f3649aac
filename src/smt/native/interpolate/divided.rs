//! Variables and properties for mixed equations, see `mixed`.

use crate::term::{FuncId, Op, Sort, Term, TermMap, Terms};
use crate::work;
use rustc_hash::FxHashMap;

/// The mixed equations that were divided, by atom.
#[derive(Default)]
pub(super) struct Divided {
    /// The variable for the value.
    values: FxHashMap<u32, Term>,
    /// The property that one term has and the other has not.
    properties: FxHashMap<u32, FuncId>,
}

impl Divided {
    /// The variable for the value of the terms of an equation, which have this sort.
    pub(super) fn value(&mut self, t: &Terms, atom: u32, sort: Sort) -> Term {
        let value = self.values.entry(atom);
        *value.or_insert_with(|| t.fresh_var("value", sort))
    }

    /// The formula that a term has the property of an equation.
    pub(super) fn property(&mut self, t: &Terms, atom: u32, term: Term) -> Term {
        let property = self.properties.entry(atom).or_insert_with(|| {
            let name = t.fresh_symbol("property");
            t.declare(name, &[t.sort_of(term)], Sort::BOOL)
        });
        t.apply(*property, &[term])
    }

    /// The variable for the value, if something was said of it.
    pub(super) fn known_value(&self, atom: u32) -> Option<Term> {
        self.values.get(&atom).copied()
    }

    /// A formula with what it means that a term has the property of an equation.
    pub(super) fn define_property(
        &self,
        t: &Terms,
        atom: u32,
        formula: Term,
        mut means: impl FnMut(Term) -> Term,
    ) -> Term {
        let Some(&property) = self.properties.get(&atom) else {
            return formula;
        };
        let mut done: TermMap<Term> = TermMap::default();
        for term in t.post_order([formula]) {
            work::spend(1);
            let args: Vec<Term> = t.args(term).iter().map(|x| done[x]).collect();
            let new = match t.op(term) {
                // Terms that have a property do not contain one.
                Op::Apply(func) if func == property => means(args[0]),
                _ if args == t.args(term) => term,
                _ => t.rebuild(term, &args),
            };
            done.insert(term, new);
        }
        done[&formula]
    }
}
