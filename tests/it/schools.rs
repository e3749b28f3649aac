//! Predicate abstraction, Impact, UFO, symbolic execution and state splitting: the framework of
//! `engine::arg`; and trace abstraction.

use crate::certified::{certified, context, native, read};
use horn::chc::Answer;
use horn::engine::{
    AbstractGraph, Context, EngineSettings, EngineSpec, Progress, engine_named, schools,
};
use horn::report::write_model;
use horn::term::Terms;
use std::cell::RefCell;
use std::sync::Arc;

/// The engines with a limit on edges, with settings of each.
const SCHOOLS: [&str; 12] = [
    "predicates",
    "predicates abstraction=boolean",
    "predicates precision=component",
    "predicates abstraction=boolean precision=global blocks=loops",
    "predicates abstraction=values-cartesian refinement=values,craig",
    "impact",
    "impact abstraction=cartesian blocks=loops",
    "splitting",
    "splitting blocks=loops",
    "trace",
    "trace minimise=off",
    "trace blocks=loops",
];

/// The engine of a school, and its settings.
fn school(school: &str) -> (&'static EngineSpec, EngineSettings) {
    let (name, options) = school.split_once(' ').unwrap_or((school, ""));
    let mut settings = EngineSettings::default();
    for option in options.split_whitespace() {
        let (option, value) = option.split_once('=').expect("an option with its value");
        settings.set(name, option, value).expect("an option of it");
    }
    (engine_named(name).expect("it is registered"), settings)
}

/// The verdict without preprocessing; its certificate is checked.
fn verdict(name: &str, text: &str) -> String {
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, text);
    let (engine, settings) = school(name);
    let answer = certified(&system, &context(&t, &backend), |system, context| {
        engine.solve(system, &settings, context)
    });
    match answer {
        Answer::Sat(_) => "sat".to_owned(),
        Answer::Unsat(refutation) => format!("unsat by {} facts", refutation.facts.len()),
        Answer::Unknown(unknown) => unknown.reason.to_string(),
    }
}

/// The model of a system that has one, without preprocessing, as SMT-LIB.
fn model(name: &str, text: &str) -> String {
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, text);
    let (engine, settings) = school(name);
    let answer = certified(&system, &context(&t, &backend), |system, context| {
        engine.solve(system, &settings, context)
    });
    let Answer::Sat(model) = answer else {
        panic!("{name}: {answer:?}");
    };
    let mut text = Vec::new();
    write_model(&mut text, &t, &system, &model).expect("memory takes it");
    String::from_utf8(text).expect("SMT-LIB is text")
}

#[test]
fn models_say_what_is_needed() {
    // Interpolants bring that x and y are not negative. The state behind the loop's first step
    // needs it of x alone.
    let text = "(set-logic HORN) (declare-fun p (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (p x y))))
        (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (+ y 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (distinct x y)) false)))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 0)) false)))";
    let said = model("predicates", text);
    assert!(said.contains("(>= x 0)"), "{said}");
    let of_y = ["(>= y 0)", "(= y 0)"].map(|part| said.matches(part).count());
    assert!(
        of_y.iter().sum::<usize>() <= 1,
        "only the first state needs it: {said}"
    );
}

/// A loop that adds 2 to `x` and 1 to `y` up to `bound`; the query is about its end.
fn loop_of_two(query: &str) -> String {
    format!(
        "(set-logic HORN)
        (declare-fun start (Int Int) Bool) (declare-fun head (Int Int) Bool) (declare-fun end (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (start x y))))
        (assert (forall ((x Int) (y Int)) (=> (start x y) (head x y))))
        (assert (forall ((x Int) (y Int)) (=> (and (head x y) (< y 3)) (head (+ x 2) (+ y 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (head x y) (>= y 3)) (end x y))))
        (assert (forall ((x Int) (y Int)) (=> (and (end x y) {query}) false)))"
    )
}

#[test]
fn loops_are_proved_and_refuted() {
    for name in SCHOOLS {
        assert_eq!(verdict(name, &loop_of_two("(distinct x (* 2 y))")), "sat");
        assert_eq!(verdict(name, &loop_of_two("(= x 6)")), "unsat by 7 facts");
        assert_eq!(verdict(name, &loop_of_two("(> y 3)")), "sat");
    }
}

/// The function of McCarthy: 91 up to 101, else the argument minus 10.
fn mccarthy(query: &str) -> String {
    format!(
        "(set-logic HORN)
        (declare-fun f (Int Int) Bool)
        (assert (forall ((n Int)) (=> (> n 100) (f n (- n 10)))))
        (assert (forall ((n Int) (m Int) (r Int)) (=> (and (<= n 100) (f (+ n 11) m) (f m r)) (f n r))))
        (assert (forall ((n Int) (r Int)) (=> (and (f n r) {query}) false)))"
    )
}

#[test]
fn recursion_with_two_premises_is_decided() {
    for name in SCHOOLS {
        assert_eq!(verdict(name, &mccarthy("(< r 91)")), "sat");
        assert_eq!(
            verdict(name, &mccarthy("(and (<= n 101) (distinct r 91))")),
            "sat"
        );
        assert_eq!(
            verdict(name, &mccarthy("(and (= n 99) (= r 91))")),
            "unsat by 6 facts"
        );
    }
}

#[test]
fn what_nothing_derives_needs_no_state() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
        (assert (forall ((x Int)) (=> (and (p x) (> x 0)) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (< x 3) (> x 3)) (q x))))
        (assert (forall ((x Int)) (=> (p x) false)))
        (assert (forall ((x Int)) (=> (q x) false)))";
    for name in SCHOOLS {
        assert_eq!(verdict(name, text), "sat");
    }
}

#[test]
fn edges_have_a_limit() {
    let text = loop_of_two("(distinct x (* 2 y))");
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, text);
    for name in SCHOOLS {
        let (engine, mut settings) = school(name);
        let set = settings.set(engine.name, "max-edges", "3");
        set.expect("an option of each school");
        let answer = engine.solve(&system, &settings, &context(&t, &backend));
        let Answer::Unknown(unknown) = answer else {
            panic!("it has more edges: {answer:?}")
        };
        let reason = unknown.reason.to_string();
        assert!(reason.contains("option max-edges"), "{reason}");
    }
}

/// What follows is not given up because of a model whose selectors give other values than the
/// default where SMT-LIB leaves them open.
#[test]
fn predicates_with_selectors_follow() {
    let text = include_str!("../../horn-benchmarks/sat/adt/half-of-appended-lengths.smt2");
    for name in [
        "predicates max-edges=3000",
        "predicates abstraction=boolean max-edges=3000",
    ] {
        let reason = verdict(name, text);
        assert!(reason.contains("option max-edges"), "{name}: {reason}");
    }
}

/// The verdict of a school, and the graph that it ends with.
fn graph_of(name: &str, text: &str) -> (Answer, Arc<AbstractGraph>) {
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, text);
    let (engine, settings) = school(name);
    let last = RefCell::new(None);
    let note = |progress: &Progress| *last.borrow_mut() = progress.graph.clone();
    let context = Context {
        progress: &note,
        wants_graph: true,
        ..context(&t, &backend)
    };
    let answer = engine.solve(&system, &settings, &context);
    let graph = last.borrow().clone().expect("the last report has it");
    (answer, graph)
}

/// The number of states of a predicate, and how many of them are covered.
fn count(graph: &AbstractGraph, pred: &str) -> (usize, usize) {
    let states = graph.states.iter().filter(|state| state.pred == pred);
    let covered = states.clone().filter(|state| state.covered_by.is_some());
    (states.count(), covered.count())
}

/// A loop that adds 1 to both of two numbers, which are equal at its head: the kind of program that
/// the graphs of [BDW18] are about.
const TWO_COUNTERS: &str = "(set-logic HORN)
    (declare-fun start (Int Int) Bool) (declare-fun head (Int Int) Bool) (declare-fun body (Int Int) Bool)
    (assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (start x y))))
    (assert (forall ((x Int) (y Int)) (=> (start x y) (head x y))))
    (assert (forall ((x Int) (y Int)) (=> (and (head x y) (< x 1000000)) (body x y))))
    (assert (forall ((x Int) (y Int)) (=> (body x y) (head (+ x 1) (+ y 1)))))
    (assert (forall ((x Int) (y Int)) (=> (and (head x y) (distinct x y)) false)))";

#[test]
fn abstraction_closes_the_loop_and_covers_its_end() {
    for name in ["predicates", "predicates abstraction=boolean", "impact"] {
        let (answer, graph) = graph_of(name, TWO_COUNTERS);
        assert!(matches!(answer, Answer::Sat(_)), "{name}: {answer:?}");
        // The loop is passed once. The state at its end says what the one at its beginning says.
        assert_eq!(count(&graph, "head"), (2, 1), "{name}: {graph:?}");
        assert_eq!(count(&graph, "body"), (1, 0), "{name}: {graph:?}");
        for state in &graph.states {
            let by = state.covered_by.map(|by| &graph.states[by]);
            assert!(by.is_none_or(|by| by.pred == state.pred && by.covered_by.is_none()));
        }
        // A tree: each state is derived by one edge.
        let mut derived: Vec<usize> = graph.edges.iter().map(|e| e.conclusion).collect();
        derived.sort_unstable();
        assert!(derived.into_iter().eq(0..graph.states.len()), "{graph:?}");
    }
}

/// Two counters that go up together while the first is below 2, with a check in the loop: an
/// example of the kind of Fig. 2 of [BDW18], with its locations as predicates.
const FIGURE_2: &str = "(set-logic HORN)
    (declare-fun head (Int Int) Bool) (declare-fun check (Int Int) Bool) (declare-fun end (Int Int) Bool)
    (assert (head 0 0))
    (assert (forall ((x Int) (y Int)) (=> (and (head x y) (< x 2)) (check (+ x 1) (+ y 1)))))
    (assert (forall ((x Int) (y Int)) (=> (and (check x y) (= x y)) (head x y))))
    (assert (forall ((x Int) (y Int)) (=> (and (head x y) (>= x 2)) (end x y))))
    (assert (forall ((x Int) (y Int)) (=> (and (check x y) (distinct x y)) false)))";

/// The schools on one program, as Fig. 5 to 8 of [BDW18] have it: what decides, and how many states
/// of each location there are, with the covered ones.
#[test]
fn the_schools_on_one_program() {
    // Unrolling it is enough: the loop is left after two rounds (Fig. 5).
    assert_eq!(verdict("bmc bound=loop", FIGURE_2), "sat");
    let (_, graph) = graph_of("bmc merge=separate", FIGURE_2);
    assert_eq!(count(&graph, "head"), (3, 0), "{graph:?}");
    assert_eq!(count(&graph, "check"), (2, 0), "{graph:?}");
    assert_eq!(count(&graph, "end"), (1, 0), "{graph:?}");
    // That both are equal at the check before is inductive over a round of the loop (Fig. 6).
    assert_eq!(verdict("kind invariants=none max-k=3", FIGURE_2), "sat");
    // With that predicate the loop is closed by the one state that is covered (Fig. 7 and 8).
    for name in ["predicates", "predicates abstraction=boolean", "impact"] {
        let (answer, graph) = graph_of(name, FIGURE_2);
        assert!(matches!(answer, Answer::Sat(_)), "{name}: {answer:?}");
        let (heads, covered_heads) = count(&graph, "head");
        let (checks, covered_checks) = count(&graph, "check");
        assert!(heads <= 2 && checks <= 2, "{name}: {graph:?}");
        assert_eq!(covered_heads + covered_checks, 1, "{name}: {graph:?}");
        assert_eq!(count(&graph, "end"), (1, 0), "{name}: {graph:?}");
    }
}

#[test]
fn splitting_divides_the_states_of_each_predicate() {
    let (answer, graph) = graph_of("splitting", TWO_COUNTERS);
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
    let (parts, covered) = count(&graph, "head");
    assert!(parts >= 2 && covered == 0, "{graph:?}");
    assert_eq!(count(&graph, "false"), (1, 0), "{graph:?}");
}

#[test]
fn trace_abstraction_ends_with_no_derivation() {
    let (answer, graph) = graph_of("trace", TWO_COUNTERS);
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
    assert!(
        graph.states.is_empty() && graph.edges.is_empty(),
        "{graph:?}"
    );
    let (answer, graph) = graph_of("trace", &loop_of_two("(= x 6)"));
    assert!(matches!(answer, Answer::Unsat(_)), "{answer:?}");
    // What is left has the derivation with values: start, and the loop's head four times.
    assert!(count(&graph, "head").0 >= 4, "{graph:?}");
    assert_eq!(count(&graph, "false"), (1, 0), "{graph:?}");
}

#[test]
fn symbolic_execution_follows_each_path() {
    let name = "bmc merge=separate";
    assert_eq!(verdict(name, &loop_of_two("(= x 6)")), "unsat by 7 facts");
    // All paths end, so that their interpolants are a model.
    assert_eq!(verdict(name, &loop_of_two("(> y 3)")), "sat");
    let (answer, graph) = graph_of(name, &loop_of_two("(> y 3)"));
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
    assert_eq!(count(&graph, "head"), (4, 0), "{graph:?}");
    assert_eq!(count(&graph, "end"), (1, 0), "{graph:?}");
}

#[test]
fn loops_have_a_bound() {
    for (name, bound) in [
        ("predicates loop-bound=3", true),
        ("impact loop-bound=3 forced-coverings=0", true),
        ("predicates loop-bound=30", false),
        ("bmc merge=separate max-depth=3", true),
    ] {
        let answer = verdict(name, &loop_of_two("(= x 6)"));
        match bound {
            true => {
                let option = if name.starts_with("bmc") {
                    "max-depth"
                } else {
                    "loop-bound"
                };
                assert!(
                    answer.contains(&format!("option {option}")),
                    "{name}: {answer}"
                );
            }
            false => assert_eq!(answer, "unsat by 7 facts", "{name}"),
        }
    }
}

#[test]
fn boolean_abstraction_joins_cases() {
    // The invariant is a disjunction: x is 0 and y is 1, or x is 1 and y is 0.
    let text = "(set-logic HORN) (declare-fun p (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 1)) (p x y))))
        (assert (forall ((x Int) (y Int)) (=> (p x y) (p y x))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x y)) false)))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x 1)) false)))";
    for name in SCHOOLS {
        assert_eq!(verdict(name, text), "sat", "{name}");
    }
}

#[test]
fn the_table_of_schools_has_the_commands_that_there_are() {
    let table = schools();
    assert_eq!(table.lines().count(), 2 + 10, "{table}");
    for row in table.lines().skip(2) {
        let command = row.split('`').nth(1).expect("each row has a command");
        let mut words = command.split_whitespace();
        assert_eq!(words.next(), Some("--engine"), "{row}");
        let name = words.next().expect("an engine");
        assert!(engine_named(name).is_some(), "{row}");
        if let ["--set", setting] = words.collect::<Vec<&str>>()[..] {
            let (option, value) = setting.split_once('=').expect("a value");
            let option = option.split_once('.').expect("an engine's option").1;
            let set = EngineSettings::default().set(name, option, value);
            set.expect("an option that there is");
        }
    }
}
