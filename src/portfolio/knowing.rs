//! Solving with invariants that held of a similar system.
//!
//! The greatest inductive part of them is assumed of all premises. What is found then is a model
//! with this part conjoined, or a refutation as it is. Either is judged against the system.

use super::run::SearchRun;
use super::{Control, Options, Solved, solve};
use crate::chc::{Answer, Interpretation, Model, System};
use crate::gate::{Check, admit, strengthened};
use crate::smt::Backend;
use crate::term::{Term, Terms};
use crate::transform::Tools;

/// As [`solve`], with candidates for invariants, of which nothing need be true.
pub fn solve_knowing(
    t: &Terms,
    system: &System,
    backend: &Backend,
    options: &Options,
    control: Control<'_>,
    candidates: &Model,
) -> Solved {
    let run = SearchRun::new(t, system, backend, options, control);
    let trivial = Model::trivial(t, system);
    let tools = Tools::new(t, backend, run.limit.clone());
    let Some(known) = admit(&tools, system, &trivial, candidates.clone()) else {
        return solve(t, system, backend, options, control);
    };
    let conjuncts = |said: &Interpretation| t.conjuncts(said.body).len();
    let kept: usize = known.interpretations.iter().map(conjuncts).sum();
    log::info!("invariants that are known hold: {kept} conjuncts");
    let judged = run.judge(Answer::Sat(known.clone()), &run.limit.share(4, u64::MAX));
    if matches!(judged.check, Check::Accepted) {
        return run.finish(judged);
    }
    let stronger = strengthened(t, system, &known);
    let rest = Options {
        timeout: run.limit.remaining(),
        budget: run.limit.budget_left(),
        ..options.clone()
    };
    let solved = solve(t, &stronger, backend, &rest, control);
    let answer = match solved.answer {
        Answer::Sat(model) => Answer::Sat(both(t, &known, model)),
        Answer::Unsat(refutation) => Answer::Unsat(refutation),
        Answer::Unknown(mut unknown) => {
            let found = unknown.invariants.take();
            let all = found.map_or(known.clone(), |found| both(t, &known, found));
            unknown.invariants = options.invariants.then_some(all);
            return Solved {
                answer: Answer::Unknown(unknown),
                ..solved
            };
        }
    };
    let judged = run.judge(answer, &run.limit);
    Solved {
        answer: judged.answer,
        check: judged.check,
        cross_checks: judged.cross_checks,
        stats: solved.stats,
    }
}

/// The conjunction of two models, over the parameters of the second.
fn both(t: &Terms, known: &Model, mut model: Model) -> Model {
    for (said, known) in model.interpretations.iter_mut().zip(&known.interpretations) {
        let pairs = known
            .params
            .iter()
            .copied()
            .zip(said.params.iter().copied());
        let known: Term = t.substitute(known.body, pairs);
        said.body = t.and([known, said.body]);
    }
    model
}
