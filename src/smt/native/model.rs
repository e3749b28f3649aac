//! Values of terms in the model that a search has found.

use super::search::Search;
use crate::number::Rational;
use crate::smt::Failure;
use crate::term::{Evaluator, Op, Sort, SortKind, Term, Unspecified, Value};

impl Search<'_> {
    /// The values of terms. The last search must have found a model, and nothing have changed
    /// since.
    ///
    /// # Errors
    /// The core has no values for terms that it does not support.
    pub(super) fn values(&self, terms: &[Term]) -> Result<Vec<Value>, Failure> {
        let t = self.t;
        let epsilon = self.arith.simplex.epsilon();
        let mut evaluator = Evaluator::new(t, Unspecified::Default);
        for subterm in t.post_order(terms.iter().copied()) {
            if matches!(t.op(subterm), Op::Var(_) | Op::Apply(_)) {
                let value = self.value_of(subterm, &epsilon);
                evaluator.assign(subterm, value.ok_or_else(|| self.no_value(subterm))?);
            }
        }
        let value = |&x: &Term| evaluator.eval(x).map_err(|_| self.no_value(x));
        terms.iter().map(value).collect()
    }

    fn no_value(&self, term: Term) -> Failure {
        Failure::Unsupported(format!(
            "the value of {:.100}",
            self.t.display(term).to_string()
        ))
    }

    /// The value of a variable, or of the application of a function. Of sorts that the core does
    /// not know it has decided nothing, so that any value will do, if there is one.
    fn value_of(&self, term: Term, epsilon: &Rational) -> Option<Value> {
        Some(match self.t.sort_of(term) {
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
            sort if matches!(self.t.sort_kind(sort), SortKind::Uninterpreted(..)) => {
                let class = self.classes.class(term);
                let index = class.unwrap_or(self.classes.len() + term.index());
                let index = u64::try_from(index).expect("indices have 64 bits");
                Value::Element { sort, index }
            }
            sort => return self.t.default_value(sort),
        })
    }
}
