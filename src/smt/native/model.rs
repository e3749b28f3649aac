//! Values of terms in the model that a search has found.

use super::search::Search;
use crate::number::Rational;
use crate::term::{Evaluator, Op, Sort, SortKind, Term, Unspecified, Value};

impl Search<'_> {
    /// The values of terms. The last search must have found a model, and nothing have changed since.
    pub(super) fn values(&self, terms: &[Term]) -> Vec<Value> {
        let t = self.t;
        let epsilon = self.arith.simplex.epsilon();
        let mut evaluator = Evaluator::new(t, Unspecified::Default);
        for subterm in t.post_order(terms.iter().copied()) {
            if matches!(t.op(subterm), Op::Var(_) | Op::Apply(_)) {
                evaluator.assign(subterm, self.value_of(subterm, &epsilon));
            }
        }
        let value = |&x: &Term| {
            evaluator
                .eval(x)
                .expect("everything is assigned, and total")
        };
        terms.iter().map(value).collect()
    }

    /// The value of a variable, or of the application of a function.
    fn value_of(&self, term: Term, epsilon: &Rational) -> Value {
        match self.t.sort_of(term) {
            Sort::BOOL => {
                let var = self.encoder.variable(term);
                let value = var.and_then(|v| self.sat.value(v.positive()));
                // What is open does not matter, but functions are functions.
                let value = value.or_else(|| self.classes.implied(term));
                Value::Bool(value.unwrap_or(false))
            }
            sort if sort.is_arith() => {
                let var = self.encoder.arith_var(term);
                let value = var.map(|v| self.arith.simplex.value(v).at(epsilon));
                Value::Number(value.unwrap_or_default())
            }
            sort if !matches!(self.t.sort_kind(sort), SortKind::Uninterpreted(..)) => {
                // No assertion says anything of such terms.
                let default = self.t.default_value(sort);
                default.expect("every sort of the reader has a value")
            }
            sort => {
                let class = self.classes.class(term);
                let index = class.unwrap_or(self.classes.len() + term.index());
                let index = u64::try_from(index).expect("indices have 64 bits");
                Value::Element { sort, index }
            }
        }
    }
}
