//! The blackboard: what is admitted, who reads it when, and what engines make of it.

use crate::certified::{certified, context, native, read};
use horn::absint::InvariantDomain;
use horn::chc::{Answer, Interpretation, Model, System};
use horn::engine::blackboard::{Blackboard, Cursor};
use horn::engine::{Context, Progress, kind, pdr, spacer};
use horn::gate::admit;
use horn::smt::Limit;
use horn::term::{Sort, Term, Terms};
use horn::transform::Tools;
use horn::work;
use std::sync::mpsc::channel;

/// `x` grows by `y`, and `y` by 1.
const SUMS: &str = "(declare-fun p (Int Int) Bool)
    (assert (p 0 0))
    (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x y) (+ y 1)))))
    (assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x (- 7))) false)))";

/// `x` stays even, which engines do not find soon, and `y` at least 0.
const EVEN: &str = "(declare-fun p (Int Int) Bool)
    (assert (p 0 0))
    (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 2) (ite (< x 9) (+ y 1) y)))))
    (assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 7)) false)))
    (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< y 0)) false)))";

/// A formula about two integers.
type Formula = fn(&Terms, Term, Term) -> Term;

const X_IS_EVEN: Formula = |t, x, _| t.eq(t.modulo(x, t.int(2)), t.int(0));
const X_FROM_0: Formula = |t, x, _| t.le(t.int(0), x);
const Y_FROM_0: Formula = |t, _, y| t.le(t.int(0), y);
const X_TO_5: Formula = |t, x, _| t.le(x, t.int(5));

/// The conjunction of the formulas, as a model of the only predicate.
fn model(t: &Terms, formulas: &[Formula]) -> Model {
    let [x, y] = ["x", "y"].map(|name| t.var(name, Sort::INT));
    let body = t.and(formulas.iter().map(|formula| formula(t, x, y)));
    let params = vec![x, y];
    Model {
        interpretations: vec![Interpretation { params, body }],
    }
}

/// The conjuncts that a model says of the only predicate, over `x` and `y`, in alphabetical order.
fn text(t: &Terms, model: &Model) -> String {
    let said = &model.interpretations[0];
    let names = ["x", "y"].map(|name| t.var(name, Sort::INT));
    let body = t.substitute(said.body, said.params.iter().copied().zip(names));
    let conjuncts = t.conjuncts(body).into_iter();
    let mut texts: Vec<String> = conjuncts.map(|c| t.display(c).to_string()).collect();
    texts.sort_unstable();
    texts.join(" and ")
}

/// Offers the formulas and has them checked; answers what a reader finds.
fn publish(
    board: &Blackboard<'_>,
    context: &Context<'_>,
    seen: &mut Cursor,
    formulas: &[Formula],
) -> Option<String> {
    board.offer("test", &model(context.terms, formulas));
    board.admit(context);
    assert!(board.contents_are_inductive(context.backend));
    board.poll(seen).map(|new| text(context.terms, &new))
}

/// Publishes formulas one group after the other on one board.
#[track_caller]
fn check(system: &str, groups: &[(&[Formula], Option<&str>)]) {
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, system);
    let board = Blackboard::new(&t, &system, admit);
    let mut seen = Cursor::default();
    for (number, (formulas, expected)) in groups.iter().enumerate() {
        let found = publish(&board, &context(&t, &backend), &mut seen, formulas);
        assert_eq!(found.as_deref(), *expected, "group {number}");
        assert!(board.poll(&mut seen).is_none(), "it was read");
    }
}

#[test]
fn only_what_is_inductive_is_believed() {
    check(EVEN, &[(&[X_TO_5], None), (&[], None)]);
    check(EVEN, &[(&[X_FROM_0, X_TO_5], Some("(<= 0 x)"))]);
    check(EVEN, &[(&[X_IS_EVEN], Some("(= (mod x 2) 0)"))]);
    check(EVEN, &[(&[|t, _, _| t.bool(false)], None)]);
}

#[test]
fn the_board_is_the_context_of_what_comes_later() {
    check(SUMS, &[(&[X_FROM_0], None)]);
    check(
        SUMS,
        &[(&[X_FROM_0, Y_FROM_0], Some("(<= 0 x) and (<= 0 y)"))],
    );
    check(
        SUMS,
        &[
            (&[X_FROM_0], None),
            (&[Y_FROM_0, X_TO_5], Some("(<= 0 y)")),
            (&[X_FROM_0], Some("(<= 0 x)")),
            // It is known.
            (&[X_FROM_0, Y_FROM_0], None),
        ],
    );
}

/// An engine that does not read its own findings gets the ones that others rely on.
#[test]
fn what_others_found_comes_with_what_it_relies_on() {
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, SUMS);
    let board = Blackboard::new(&t, &system, admit);
    let mut seen = Cursor::default();
    let mut publish = |engine, formulas: &[Formula]| {
        board.offer(engine, &model(&t, formulas));
        board.admit(&context(&t, &backend));
        let new = board.poll_others(&mut seen, "one");
        new.map_or(String::new(), |new| text(&t, &new))
    };
    assert_eq!(publish("one", &[Y_FROM_0]), "");
    assert_eq!(publish("other", &[X_FROM_0]), "(<= 0 x) and (<= 0 y)");
    assert_eq!(publish("one", &[|t, x, _| t.le(t.int(-1), x)]), "");
    assert_eq!(publish("other", &[]), "");
}

/// Each of two threads knows what the other needs.
#[test]
fn threads_exchange_what_they_find() {
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, SUMS);
    let exchange = Blackboard::new(&t, &system, admit).exchange();
    let (to_second, first_said) = channel();
    let (to_first, second_said) = channel();
    std::thread::scope(|scope| {
        let terms = t.clone();
        let (exchange, backend, system) = (&exchange, &backend, &system);
        scope.spawn(move || {
            // Terms that the other store does not have.
            terms.var("another", Sort::REAL);
            let board = exchange.board(&terms, system);
            let (context, mut seen) = (context(&terms, backend), Cursor::default());
            let found = publish(&board, &context, &mut seen, &[Y_FROM_0]);
            assert_eq!(found.as_deref(), Some("(<= 0 y)"));
            to_second.send(()).expect("it listens");
            let () = second_said.recv().expect("it speaks");
            let new = board.poll(&mut seen).map(|new| text(&terms, &new));
            assert_eq!(new.as_deref(), Some("(<= 0 x)"));
            assert!(board.contents_are_inductive(backend));
        });
        let terms = t.clone();
        scope.spawn(move || {
            let board = exchange.board(&terms, system);
            let (context, mut seen) = (context(&terms, backend), Cursor::default());
            let () = first_said.recv().expect("it speaks");
            let found = publish(&board, &context, &mut seen, &[X_FROM_0]);
            assert_eq!(found.as_deref(), Some("(<= 0 x) and (<= 0 y)"));
            to_first.send(()).expect("it listens");
        });
    });
    let board = exchange.board(&t, &system);
    let all = board.contents().map(|all| text(&t, &all));
    assert_eq!(all.as_deref(), Some("(<= 0 x) and (<= 0 y)"));
}

#[test]
fn publishing_is_free_where_nobody_reads() {
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, EVEN);
    let tools = Tools::new(&t, &backend, Limit::none());
    let alone = Blackboard::new(&t, &system, admit);
    let shared = alone.exchange().board(&t, &system);
    shared.publish(&tools, "test", || panic!("nothing was searched yet"));
    work::spend(work::milliseconds(10_000));
    alone.publish(&tools, "test", || panic!("nobody reads"));
    shared.publish(&tools, "test", || Some(model(&t, &[Y_FROM_0])));
    assert!(alone.contents().is_none() && shared.contents().is_some());
    shared.publish(&tools, "test", || panic!("it was admitted just now"));
}

/// The answer of an engine while at this depth, if there is one, somebody publishes that `x` is
/// even.
#[track_caller]
fn with_news(depth: Option<u32>, solve: &dyn Fn(&System, &Context<'_>) -> Answer) -> &'static str {
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, EVEN);
    let board = Blackboard::new(&t, &system, admit);
    let tools = context(&t, &backend).tools;
    let progress = |progress: &Progress| {
        if Some(progress.depth) == depth {
            board.offer("test", &model(&t, &[X_IS_EVEN]));
            board.admit(&tools);
        }
    };
    let context = Context {
        board: Some(&board),
        progress: &progress,
        ..context(&t, &backend)
    };
    certified(&system, &context, solve).verdict()
}

/// An engine that gives up at some depth decides the system if it hears that `x` is even before.
#[test]
fn what_arrives_during_the_search_is_used() {
    type Solve<'a> = &'a dyn Fn(&System, &Context<'_>) -> Answer;
    let engines: [(u32, Solve<'_>); 3] = [
        (3, &|system, context| {
            let options = kind::Options {
                max_k: 6,
                invariants: InvariantDomain::None,
                ..kind::Options::default()
            };
            kind::solve(system, &options, context)
        }),
        (1, &|system, context| {
            let options = pdr::Options {
                max_depth: 3,
                ..pdr::Options::default()
            };
            pdr::solve(system, &options, context)
        }),
        (1, &|system, context| {
            let options = spacer::Options {
                max_bound: 3,
                ..spacer::Options::default()
            };
            spacer::solve(system, &options, context)
        }),
    ];
    for (number, (depth, solve)) in engines.into_iter().enumerate() {
        assert_eq!(with_news(None, solve), "unknown", "engine {number}");
        assert_eq!(with_news(Some(depth), solve), "sat", "engine {number}");
    }
}

/// What `pdr` leaves, with the ticks that it and the admission took.
fn left_by_pdr() -> (Option<String>, u64) {
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, EVEN);
    let board = Blackboard::new(&t, &system, admit);
    let context = Context {
        board: Some(&board),
        ..Context::new(Tools::new(&t, &backend, Limit::none()))
    };
    let options = pdr::Options {
        max_depth: 3,
        ..pdr::Options::default()
    };
    let answer = pdr::solve(&system, &options, &context);
    assert_eq!(answer.verdict(), "unknown");
    assert!(board.contents().is_none(), "nothing was checked");
    board.admit(&context);
    let left = board.contents().map(|left| text(&t, &left));
    (left, context.limit.ticks())
}

#[test]
fn engines_leave_what_they_have_found_and_runs_are_the_same() {
    let (left, ticks) = left_by_pdr();
    assert!(left.is_some(), "some lemmas are inductive");
    assert_eq!(left_by_pdr(), (left, ticks));
}
