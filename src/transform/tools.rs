//! The tools of passes and lifts.

use crate::smt::{Backend, Limit};
use crate::term::Terms;

/// The tools of passes and lifts.
#[derive(Clone)]
pub struct Tools<'t> {
    /// The store that holds the systems' terms.
    pub terms: &'t Terms,
    /// Makes solvers that compute values and formulas.
    pub backend: &'t Backend,
    /// The limit of the work.
    pub limit: Limit,
}

impl<'t> Tools<'t> {
    /// These tools.
    pub fn new(terms: &'t Terms, backend: &'t Backend, limit: Limit) -> Self {
        Tools {
            terms,
            backend,
            limit,
        }
    }
}
