//! The form that interpretations must have before anything is asked about them.

use super::model_error::{Flaw, ModelError};
use super::recursion::is_well_founded;
use crate::chc::{Interpretation, Model, PredId, System};
use crate::term::{FuncId, Op, Sort, TermSet, Terms};
use rustc_hash::FxHashSet;

/// Each interpretation is a formula over its parameters, as `Interpretation` demands.
pub(super) fn well_formed(t: &Terms, system: &System, model: &Model) -> Result<(), ModelError> {
    let (expected, found) = (system.preds.len(), model.interpretations.len());
    if expected != found {
        return Err(ModelError::Count { expected, found });
    }
    // Functions that have a meaning: found once for all that apply them.
    let mut meaningful = FxHashSet::default();
    for pred in system.pred_ids() {
        flawless(t, system, pred, model.get(pred), &mut meaningful).map_err(|flaw| {
            ModelError::Malformed {
                pred: system.pred_name(t, pred).to_owned(),
                flaw,
            }
        })?;
    }
    Ok(())
}

fn flawless(
    t: &Terms,
    system: &System,
    pred: PredId,
    i: &Interpretation,
    meaningful: &mut FxHashSet<FuncId>,
) -> Result<(), Flaw> {
    let sorts = &t.func(system.pred(pred).func).params;
    if sorts.len() != i.params.len() {
        return Err(Flaw::ParamCount {
            expected: sorts.len(),
            found: i.params.len(),
        });
    }
    let text = |term| t.display(term).to_string();
    let sort_text = |sort| t.display_sort(sort).to_string();
    let mut params = TermSet::default();
    for (&param, &sort) in i.params.iter().zip(sorts) {
        if !t.is_var(param) {
            return Err(Flaw::ParamNotVariable(text(param)));
        }
        if t.sort_of(param) != sort {
            return Err(Flaw::ParamSort {
                param: text(param),
                expected: sort_text(sort),
                found: sort_text(t.sort_of(param)),
            });
        }
        if !params.insert(param) {
            return Err(Flaw::ParamTwice(text(param)));
        }
    }
    if t.sort_of(i.body) != Sort::BOOL {
        return Err(Flaw::BodySort(sort_text(t.sort_of(i.body))));
    }
    for conjunct in t.conjuncts(i.body) {
        let (bound, matrix) = t.split_forall(conjunct);
        if t.has_quantifier(matrix) || bound.iter().any(|var| params.contains(var)) {
            return Err(Flaw::Quantifier);
        }
        for part in t.post_order([matrix]) {
            match t.op(part) {
                Op::Apply(func) if !meaningful.contains(&func) => {
                    if !is_well_founded(t, func) {
                        return Err(Flaw::Declared(t.name(t.func(func).name).to_owned()));
                    }
                    meaningful.insert(func);
                }
                Op::Var(_) if !params.contains(&part) && !bound.contains(&part) => {
                    return Err(Flaw::FreeVariable(text(part)));
                }
                _ => {}
            }
        }
    }
    Ok(())
}
