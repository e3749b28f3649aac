//! A model of a formula, as projection and implicants ask it.

use crate::number::Rational;
use crate::term::{Evaluator, Term, Terms, Unspecified, Value};

/// Values for variables, and so for every term over them.
///
/// Where SMT-LIB leaves a result unspecified a fixed default is taken, and terms that have no value all the same have the
/// default of their sort. What is concluded from a valuation must not depend on these choices being the solver's: whoever
/// uses one for a sound step tests that the formula holds under it.
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
