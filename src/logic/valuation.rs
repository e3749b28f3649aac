//! Values of variables and terms in a model, for projection and implicants.

use crate::number::Rational;
use crate::term::{Evaluator, Term, Terms, Unspecified, Value};

/// Values for variables, and so for every term over them.
///
/// If SMT-LIB leaves a result unspecified, a fixed default is used; a term without a value has the
/// default of its sort. A conclusion from a valuation must not depend on the solver having made the
/// same choices. Each sound step tests that its formula holds under the valuation.
pub struct Valuation<'t> {
    terms: &'t Terms,
    evaluator: Evaluator<'t>,
}

impl<'t> Valuation<'t> {
    /// The valuation with these values of variables.
    pub fn new(terms: &'t Terms, values: impl IntoIterator<Item = (Term, Value)>) -> Self {
        Valuation {
            terms,
            evaluator: Evaluator::with(terms, Unspecified::Default, values),
        }
    }

    /// Gives a value to a variable.
    pub fn define(&mut self, var: Term, value: Value) {
        self.evaluator.assign(var, value);
    }

    /// The value of a term.
    pub fn value(&mut self, term: Term) -> Value {
        self.evaluator.eval(term).unwrap_or_else(|_| {
            let default = self.terms.default_value(self.terms.sort_of(term));
            default.expect("every sort of the reader has a value")
        })
    }

    /// Is a formula true?
    pub fn holds(&mut self, formula: Term) -> bool {
        self.evaluator.holds(formula)
    }

    /// The value of an arithmetic term.
    pub fn number(&mut self, term: Term) -> Rational {
        match self.value(term) {
            Value::Number(value) => value,
            other => unreachable!("an arithmetic term has a number, not {other:?}"),
        }
    }

    /// The value of a term as a term without variables.
    pub fn constant(&mut self, term: Term) -> Term {
        let value = self.value(term);
        self.terms.value_term(&value, self.terms.sort_of(term))
    }
}
