//! Solving with invariants that held of a similar system.
//!
//! The greatest inductive part of them is assumed of all premises. What is found then is a model
//! with this part conjoined, or a refutation as it is. Either is judged against the system.
//!
//! What the invariants leave open is solved first (`open_part`), which is quick where an edit
//! concerns few predicates.

use super::open_part::{OpenPart, both};
use super::run::SearchRun;
use super::{Control, Options, Solved, solve};
use crate::chc::{Answer, Interpretation, Model, System};
use crate::gate::{Check, Judgement, admit, strengthened};
use crate::smt::Backend;
use crate::term::Terms;
use crate::transform::Tools;
use crate::work;

/// The number of parts of a system that are tried before the whole. The value was not tuned.
const PARTS: u32 = 3;
/// The budget of each of them in ticks. The value was not tuned.
const PART_TICKS: u64 = work::milliseconds(2_000);
/// One of this number of equal parts of what is left may go into a part of the system, or into the
/// judgement of what is known. The value was not tuned.
const PART: u64 = 4;

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
        return solve(t, system, backend, &rest(&run, None), control);
    };
    let conjuncts = |said: &Interpretation| t.conjuncts(said.body).len();
    let kept: usize = known.interpretations.iter().map(conjuncts).sum();
    log::info!("invariants that are known hold: {kept} conjuncts");
    let judged = run.judge(Answer::Sat(known.clone()), &run.limit.share(PART, u64::MAX));
    if matches!(judged.check, Check::Accepted) {
        return run.finish(judged);
    }
    let stronger = strengthened(t, system, &known);
    let mut part = OpenPart::new(&tools, stronger, &known, candidates);
    if let Some(judged) = solve_parts(&run, control, &mut part) {
        return run.finish(judged);
    }
    let solved = solve(
        t,
        &part.into_stronger(),
        backend,
        &rest(&run, None),
        control,
    );
    run.add(solved.stats);
    let answer = match solved.answer {
        Answer::Sat(model) => Answer::Sat(both(t, &known, model)),
        Answer::Unsat(refutation) => Answer::Unsat(refutation),
        Answer::Unknown(mut unknown) => {
            let found = unknown.invariants.take();
            let all = found.map_or(known.clone(), |found| both(t, &known, found));
            unknown.invariants = options.invariants.then_some(all);
            let judged = Judgement {
                answer: Answer::Unknown(unknown),
                check: solved.check,
                cross_checks: solved.cross_checks,
            };
            return run.finish(judged);
        }
    };
    let judged = run.judge(answer, &run.limit);
    run.finish(judged)
}

/// Solves growing parts of a system that known invariants leave open. A model that was accepted is
/// the answer about the system.
fn solve_parts(
    run: &SearchRun<'_>,
    control: Control<'_>,
    part: &mut OpenPart,
) -> Option<Judgement> {
    // The model of a part is judged again, about the system.
    let control = Control {
        cross_checkers: &[],
        ..control
    };
    for _ in 0..PARTS {
        if part.is_whole() {
            return None;
        }
        let system = part.system();
        log::info!("invariants leave {} clauses open", system.clauses.len());
        let own = Options {
            invariants: false,
            ..rest(run, Some(PART_TICKS))
        };
        let solved = solve(run.t, &system, run.backend, &own, control);
        run.add(solved.stats);
        match solved.answer {
            Answer::Sat(model) => {
                let limit = run.limit.share(PART, u64::MAX);
                let judged = run.judge(Answer::Sat(part.model(model)), &limit);
                return matches!(judged.check, Check::Accepted).then_some(judged);
            }
            Answer::Unsat(_) if part.grow() => {}
            Answer::Unsat(_) => return None,
            Answer::Unknown(unknown) => {
                if unknown.reason.is_fault() {
                    log::warn!("{}", unknown.reason);
                }
                return None;
            }
        }
    }
    None
}

/// The options for what is left of a run; for a part of it, with at most one of [`PART`] parts of
/// what is left and this number of ticks.
fn rest(run: &SearchRun<'_>, part: Option<u64>) -> Options {
    let left = run.limit.budget_left();
    let budget = match part {
        Some(most) => Some(left.map_or(most, |left| most.min(left / PART))),
        // Where the limit is a time, what is left of it is a time.
        None => left.filter(|_| run.options.budget.is_some()),
    };
    Options {
        timeout: run.limit.remaining(),
        budget,
        ..run.options.clone()
    }
}
