//! Folds that refute counterexamples \[KKSS25\]: tables and coefficients are found by
//! counterexample-guided inductive synthesis.

use super::counterexample::Counterexample;
use super::fold::Folds;
use super::template::{Choices, Template, template_folds};
use super::view::View;
use crate::chc::UnknownReason;
use crate::engine::Context;
use crate::smt::{SatResult, Solver};
use crate::term::{Sort, Substitution, Term, TermSet, Terms};

/// What folds say of a counterexample; unsatisfiable if they refute it.
fn condition(t: &Terms, folds: &Folds, counterexample: &Counterexample) -> Term {
    let Counterexample {
        conjuncts,
        equations,
    } = counterexample;
    let mut view = View::new(t, folds);
    let sides = equations.iter().flat_map(|&(x, y)| [x, y]);
    view.take(conjuncts.iter().copied().chain(sides));
    view.compare();
    let alike = equations.iter().map(|&(x, y)| view.are_alike(x, y));
    let conjuncts = conjuncts.iter().map(|conjunct| view.terms[conjunct]);
    t.and(alike.chain(conjuncts).chain(view.facts.iter().copied()))
}

/// Finds folds of the templates that refute all counterexamples; `None` if there are none.
///
/// One solver chooses tables and coefficients. Another looks for values of the datatypes' folds
/// with which a counterexample is none for this choice, but satisfies its condition. These values
/// must contradict every later choice.
///
/// # Errors
/// A solver does not answer, or the limit is reached.
pub(super) fn synthesise(
    datatypes: &[Sort],
    templates: &[Template],
    counterexamples: &[Counterexample],
    context: &Context<'_>,
) -> Result<Option<Folds>, UnknownReason> {
    let t = context.terms;
    let choices = Choices::unknown(t);
    let folds = template_folds(t, datatypes, templates, &choices);
    let conditions = counterexamples.iter().map(|c| condition(t, &folds, c));
    let conditions: Vec<Term> = conditions.collect();
    let choices = choices.into_variables();
    let unknown: TermSet = choices.iter().copied().collect();
    let mut chooser = context.backend.solver(t, "folds");
    chooser.set_limit(context.limit.clone());
    let mut verifier = context.backend.solver(t, "folds");
    verifier.set_limit(context.limit.clone());
    loop {
        context.limit.check()?;
        // ⋀ ¬condition(choices, values), for the values so far
        match chooser.check(
            format_args!("folds refute the values of counterexamples"),
            &[],
        ) {
            SatResult::Sat => {}
            SatResult::Unsat => return Ok(None),
            SatResult::Unknown(failure) => return Err(failure.into()),
        }
        let chosen = chooser.values(&choices)?;
        let chosen: Vec<bool> = chosen
            .iter()
            .map(|value| value.as_bool() == Some(true))
            .collect();
        let pairs = choices
            .iter()
            .zip(&chosen)
            .map(|(&x, &value)| (x, t.bool(value)));
        let mut choice = Substitution::new(t, pairs);
        let mut refuted = true;
        for &condition in &conditions {
            let of_choice = choice.apply(condition);
            if let Some(values) = values(t, &mut *verifier, condition, of_choice, &unknown)? {
                chooser.assert(t.not(t.substitute(condition, values)));
                refuted = false;
                break;
            }
        }
        if refuted {
            let choices = Choices::fixed(t, chosen);
            return Ok(Some(template_folds(t, datatypes, templates, &choices)));
        }
    }
}

/// Values that satisfy a condition for a choice; `None` if there are none.
fn values(
    t: &Terms,
    verifier: &mut dyn Solver,
    condition: Term,
    of_choice: Term,
    unknown: &TermSet,
) -> Result<Option<Vec<(Term, Term)>>, UnknownReason> {
    let mut vars = t.vars([condition]);
    vars.retain(|x| !unknown.contains(x));
    verifier.push();
    verifier.assert(of_choice);
    // condition(choice, x)
    let found = match verifier.check(format_args!("folds do not refute a counterexample"), &[]) {
        SatResult::Sat => {
            let values = verifier.values(&vars)?;
            let term = |(&x, value)| (x, t.value_term(value, t.sort_of(x)));
            Some(vars.iter().zip(&values).map(term).collect())
        }
        SatResult::Unsat => None,
        SatResult::Unknown(failure) => return Err(failure.into()),
    };
    verifier.pop();
    Ok(found)
}
