//! Cubes around a model.

use crate::logic::{Valuation, project, without_weaker_bounds};
use crate::smt::Failure;
use crate::term::{Term, Terms};

/// Model-based projection of formulas, without bounds that other bounds imply.
///
/// # Errors
/// A formula is not true in the model: SMT-LIB leaves open what some of its terms are, and the
/// solver and the model disagree about them.
pub(in crate::engine) fn cube(
    t: &Terms,
    model: &mut Valuation<'_>,
    vars: impl IntoIterator<Item = Term>,
    formulas: &[Term],
) -> Result<Vec<Term>, Failure> {
    if let Some(&wrong) = formulas.iter().find(|&&formula| !model.holds(formula)) {
        log::debug!("not true in the model: {}", t.display(wrong));
        let why = "a solver's model does not satisfy a formula";
        return Err(Failure::Incomplete(why.to_owned()));
    }
    let found = project(t, model, vars, formulas.iter().copied());
    Ok(without_weaker_bounds(t, &found))
}
