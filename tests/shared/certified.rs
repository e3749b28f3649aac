//! Solving with every certificate checked: the one way in which tests take an answer.

use horn::certify::{check_model, check_refutation};
use horn::chc::{Answer, System};
use horn::engine::Context;
use horn::portfolio::{self, Check, Control, Options, Solved, Stop};
use horn::smt::native::NativeOptions;
use horn::smt::{Backend, Limit};
use horn::smtlib::{Source, read_system};
use horn::term::Terms;
use horn::transform::Tools;
use std::time::Duration;

/// More time than any tested engine needs, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(600);

/// The system of a text that is right.
#[track_caller]
pub(crate) fn read(t: &Terms, text: impl Into<Vec<u8>>) -> System {
    let source = Source::new("test", text.into());
    read_system(t, &source).unwrap_or_else(|error| panic!("{error}"))
}

/// The embedded core, as engines use it.
pub(crate) fn native() -> Backend {
    Backend::native(NativeOptions::for_engines())
}

/// What an engine is given in a test: these terms, this back end, and enough time.
pub(crate) fn context<'t>(t: &'t Terms, backend: &'t Backend) -> Context<'t> {
    Context::new(Tools::new(t, backend, Limit::none().within(PATIENCE)))
}

/// Is there a certificate, and is it right for the system? `false` where the answer is `unknown` or
/// the checker's solver does not decide the model within the limit.
///
/// # Errors
/// The certificate is wrong: why.
pub(crate) fn is_certified(
    t: &Terms,
    system: &System,
    answer: &Answer,
    backend: &Backend,
    limit: &Limit,
) -> Result<bool, String> {
    match answer {
        Answer::Unknown(_) => Ok(false),
        Answer::Unsat(refutation) => match check_refutation(t, system, refutation) {
            Ok(()) => Ok(true),
            Err(error) => Err(error.to_string()),
        },
        Answer::Sat(model) => {
            let mut solver = || backend.proving().solver(t, "check");
            match check_model(t, system, model, &mut solver, limit) {
                Ok(()) => Ok(true),
                Err(error) if error.is_refusal() => Err(error.to_string()),
                Err(_) => Ok(false),
            }
        }
    }
}

/// What an engine answers, after its certificate has been checked against the system.
///
/// # Panics
/// The certificate is wrong, or a model was not decided within the context's limit.
#[track_caller]
pub(crate) fn certified(
    system: &System,
    context: &Context<'_>,
    solve: impl FnOnce(&System, &Context<'_>) -> Answer,
) -> Answer {
    let answer = solve(system, context);
    let (t, backend) = (context.terms, context.backend);
    match is_certified(t, system, &answer, backend, &context.limit) {
        Ok(right) => assert!(
            right || matches!(answer, Answer::Unknown(_)),
            "a model is not decided"
        ),
        Err(why) => panic!("{}: {why}", answer.verdict()),
    }
    answer
}

/// As [`certified`], by the whole portfolio, whose own gate must have accepted the certificate as
/// well.
///
/// # Panics
/// As [`certified`]; or the gate accepted none.
#[track_caller]
pub(crate) fn solve_certified(
    t: &Terms,
    system: &System,
    backend: &Backend,
    options: &Options,
) -> Solved {
    let stop = Stop::new();
    let solved = portfolio::solve(t, system, backend, options, Control::new(&stop));
    let accepted = matches!(solved.check, Check::Accepted);
    let answer = &solved.answer;
    let unknown = matches!(answer, Answer::Unknown(_));
    assert!(accepted || unknown, "{}: not accepted", answer.verdict());
    assert_right(t, system, answer, backend);
    solved
}

/// As [`solve_certified`], by an engine that may lie: what comes of its answers, some of which the
/// gate does not accept.
///
/// # Panics
/// The gate accepted a certificate that is wrong, or that is not decided.
#[track_caller]
pub(crate) fn solve_by_certified(
    t: &Terms,
    system: &System,
    backend: &Backend,
    options: &Options,
    control: Control<'_>,
    engine: &dyn Fn(&Context<'_>) -> Answer,
) -> Solved {
    let solved = portfolio::solve_by(t, system, backend, options, control, engine);
    if matches!(solved.check, Check::Accepted) {
        assert_right(t, system, &solved.answer, backend);
    }
    solved
}

/// Has every answer but `unknown` a certificate that is right?
#[track_caller]
fn assert_right(t: &Terms, system: &System, answer: &Answer, backend: &Backend) {
    let limit = Limit::none().within(PATIENCE);
    let unknown = matches!(answer, Answer::Unknown(_));
    match is_certified(t, system, answer, backend, &limit) {
        Ok(right) => assert!(right || unknown, "{}: not decided", answer.verdict()),
        Err(why) => panic!("{}: {why}", answer.verdict()),
    }
}

/// What an engine says of a text: the verdict, whose certificate is checked, with the number of
/// facts of a refutation; or why there is none.
#[track_caller]
pub(crate) fn said(text: &str, solve: impl FnOnce(&System, &Context<'_>) -> Answer) -> String {
    let (t, backend) = (Terms::new(), native());
    match certified(&read(&t, text), &context(&t, &backend), solve) {
        Answer::Sat(_) => "sat".to_owned(),
        Answer::Unsat(refutation) => format!("unsat by {} facts", refutation.facts.len()),
        Answer::Unknown(unknown) => unknown.reason.to_string(),
    }
}
