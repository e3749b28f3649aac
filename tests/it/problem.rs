//! Systems that front ends build: terms, clauses and scopes without text, checks and what they
//! leave.

use horn::chc::{Answer, UnknownReason};
use horn::portfolio::{Stop, TurnProgress};
use horn::problem::{Outcome, Problem, ProblemError, Settings};
use horn::report::ProofFormat;
use horn::term::Sort;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

fn settings(pairs: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::default();
    for (name, value) in [("solver", "native"), ("timeout", "50")]
        .iter()
        .chain(pairs)
    {
        settings.set(name, value).expect("there is this option");
    }
    settings
}

fn check(problem: &mut Problem) -> Outcome {
    let outcome = problem.check(&settings(&[]), &Stop::new(), &|_| {});
    outcome.expect("the core is there")
}

const COUNTER: &str = "(declare-fun count (Int) Bool)
(assert (count 0))
(assert (! (forall ((x Int)) (=> (count x) (count (+ x 2)))) :named step))\n";

#[test]
fn problems_move_between_threads() {
    fn moves<T: Send>() {}
    moves::<Problem>();
}

#[test]
fn systems_are_read_changed_and_asked_again() {
    let mut problem = Problem::new();
    problem.read("counter", COUNTER).expect("it is Horn");
    problem.push().expect("there is room");
    let odd = "(assert (forall ((x Int)) (=> (and (count x) (= x 7)) false))) (check-sat)";
    problem.read("odd", odd).expect("it is Horn");
    let safe = check(&mut problem);
    assert_eq!(safe.verdict(), "sat");
    assert!(problem.lemmas().contains("count"), "{}", problem.lemmas());
    let model = safe.model_text(&problem).expect("it has a model");
    assert!(
        model.starts_with("(define-fun count ((x Int)) Bool"),
        "{model}"
    );
    // A rerun begins with what was proved.
    let again = check(&mut problem);
    assert!(
        again.stats().contains("\"engine\":\"\""),
        "{}",
        again.stats()
    );
    problem.pop().expect("a scope is open");
    assert!(problem.pop().is_err());

    problem
        .read("six", "\n(assert (not (count 6)))")
        .expect("it is Horn");
    let unsafe_ = check(&mut problem);
    assert_eq!(unsafe_.verdict(), "unsat");
    // The first outcome still speaks of the system that it is about.
    let constraint = |outcome: &Outcome| {
        let last = outcome.system().clauses.last().expect("it has clauses");
        problem.terms().display(last.constraint).to_string()
    };
    assert_eq!(
        (constraint(&safe), constraint(&unsafe_)),
        ("(= x 7)".into(), "true".into())
    );
    assert!(matches!(safe.answer(), Answer::Sat(_)));
    assert_eq!(safe.model_text(&problem).expect("it has a model"), model);
    let nodes = unsafe_.nodes(&problem).expect("it has a refutation");
    let labels: Vec<_> = nodes
        .iter()
        .map(|node| (node.label.as_str(), node.line))
        .collect();
    let step = ("step", Some(3));
    assert_eq!(
        labels,
        [
            ("clause 0", Some(2)),
            step,
            step,
            step,
            ("clause 2", Some(5))
        ]
    );
    assert_eq!(nodes[4].premises, [3]);
    assert_eq!(nodes[4].pred, None);
    assert_eq!(format!("{:?}", nodes[3].args[0].0), "6");
    let text = unsafe_
        .refutation_text(&problem, ProofFormat::Text)
        .expect("it has one");
    assert!(text.contains("(count 6)"), "{text}");
    assert!(unsafe_.model_text(&problem).is_err());
}

#[test]
fn terms_of_all_theories_are_built() {
    let mut p = Problem::new();
    let list = "(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))";
    p.read("list", list).expect("it is a datatype");
    let array = p
        .variable("a", "(Array Int (_ BitVec 8))")
        .expect("it is a sort");
    let (index, list) = (p.variable("i", "Int"), p.variable("l", "List"));
    let (index, list) = (index.expect("a sort"), list.expect("a sort"));
    let cell = p.apply("select", &[array, index]).expect("it fits");
    let built = [
        p.apply("(_ extract 3 0)", &[cell]),
        p.apply("cons", &[index, list]),
        p.apply("(_ is cons)", &[list]),
        p.apply("nil", &[]),
        p.apply("(as const (Array Int (_ BitVec 8)))", &[cell]),
        p.apply("=>", &[p.terms().bool(true), p.terms().bool(false)]),
    ];
    let texts = built.map(|term| p.terms().display(term.expect("it fits")).to_string());
    let constant = "((as const (Array Int (_ BitVec 8))) (select a i))";
    let expected = [
        "((_ extract 3 0) (select a i))",
        "(cons i l)",
        "((_ is cons) l)",
        "nil",
        constant,
        "false",
    ];
    assert_eq!(texts, expected);
    // A quantifier of the text does not capture what is bound.
    let free = p.apply("(forall ((i Int)) (= i ", &[index]);
    assert!(free.is_err());
}

#[test]
fn variables_are_not_captured() {
    let mut p = Problem::new();
    p.push().expect("there is room");
    let x = p.variable("x", "Int").expect("a sort");
    p.pop().expect("a scope is open");
    p.read(
        "f",
        "(define-fun f ((y Int)) Bool (forall ((x Int)) (= x y)))",
    )
    .expect("it is defined");
    let term = p.apply("f", &[x]).expect("it fits");
    let text = p.terms().display(term).to_string();
    assert!(!text.contains("(= x x)") && text != "true", "{text}");
}

#[test]
fn quantifiers_capture_no_variable_that_was_not_declared() {
    // A variable of no declaration, and one whose declaration is forgotten.
    for is_declared in [false, true] {
        let mut p = Problem::new();
        let y = match is_declared {
            true => p.variable("y", "Int").expect("a sort"),
            false => p.terms().var("y", Sort::INT),
        };
        let begin = "(reset) (declare-fun p (Int) Bool) (declare-fun q (Int) Bool)";
        p.read("beginning", begin).expect("it is Horn");
        // `(∃y. q(y)) → p(y)`, where the second `y` is universal: all of `p` follows from one `q`.
        let head = p.apply("p", &[y]).expect("it fits");
        let some = p.term("(exists ((y Int)) (q y))").expect("a formula");
        p.add_clause(Some(head), &[some], None).expect("it is Horn");
        p.read("rest", "(assert (q 1)) (assert (not (p 2)))")
            .expect("it is Horn");
        assert_eq!(check(&mut p).verdict(), "unsat", "{is_declared}");
    }
}

#[test]
fn predicates_of_closed_scopes_are_refused() {
    let mut p = Problem::new();
    p.push().expect("there is room");
    p.declare_predicate("q", &["Int"]).expect("a name");
    let one = p.term("1").expect("a number");
    let old = p.apply("q", &[one]).expect("it fits");
    p.pop().expect("a scope is open");
    let errors = [p.add(old, None), p.add_clause(None, &[old], None)];
    for error in errors {
        let error = error.expect_err("it is forgotten").to_string();
        assert_eq!(error, "`q` is not declared here");
    }
    assert_eq!(p.system().clauses.len(), 0);
}

#[test]
fn scopes_have_a_limit() {
    let mut p = Problem::new();
    p.read("deep", "(push 1000000)").expect("there is room");
    let error = p.push().expect_err("there is none").to_string();
    assert!(error.contains("more than 1000000 scopes"), "{error}");
    p.pop().expect("a scope is open");
    p.push().expect("there is room");
}

#[test]
fn what_a_format_cannot_say_is_an_error() {
    let mut p = Problem::new();
    let text = "(declare-fun p (Int) Bool) (assert (p 7))
        (assert (forall ((x Int)) (=> (and (p x) (= (mod x 4) 3)) false)))";
    p.read("remainder", text).expect("it is Horn");
    let outcome = check(&mut p);
    let error = outcome
        .refutation_text(&p, ProofFormat::Alethe)
        .expect_err("it has `mod`");
    let why = "the format Alethe has no rules here for `(mod x 4)`";
    assert_eq!(error.to_string(), why);
    for format in [
        ProofFormat::Text,
        ProofFormat::Json,
        ProofFormat::Smtlib,
        ProofFormat::Dot,
    ] {
        assert!(outcome.refutation_text(&p, format).is_ok());
    }
    assert_eq!(
        ProofFormat::ALL.map(|format| ProofFormat::from_name(format.name())),
        ProofFormat::ALL.map(Some)
    );
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "an outcome is asked about another problem")]
fn outcomes_belong_to_their_problems() {
    let mut p = Problem::new();
    p.read("counter", COUNTER).expect("it is Horn");
    let outcome = check(&mut p);
    let _ = outcome.model_text(&Problem::new());
}

#[test]
fn a_limit_of_one_check_does_not_end_the_next() {
    let mut p = Problem::new();
    p.read("counter", COUNTER).expect("it is Horn");
    p.read("query", "(assert (not (count 6)))")
        .expect("it is Horn");
    let stop = Stop::new();
    let limited = settings(&[("memory", "1")]);
    p.check(&limited, &stop, &|_| {
        std::thread::sleep(Duration::from_millis(300))
    })
    .expect("the core is there");
    assert!(!stop.token().is_cancelled());
    let outcome = p
        .check(&settings(&[]), &stop, &|_| {})
        .expect("the core is there");
    assert_eq!(outcome.verdict(), "unsat");
}

#[test]
fn errors_have_places_where_there_is_text() {
    let mut p = Problem::new();
    let place = |error: ProblemError| error.position().map(|at| (at.line, at.column));
    let error = p
        .read("file", "(declare-fun p (Int) Bool)\n (assert (p true))")
        .expect_err("no Int");
    assert_eq!(
        error.to_string().split(": error: ").next(),
        Some("file:2:13")
    );
    assert_eq!(place(error), Some((2, 13)));
    // The declaration before the error is in force.
    let error = p.term("(p\n  true)").expect_err("no Int");
    assert_eq!(place(error), Some((2, 3)));
    for (text, expected) in [("(p 1", (1, 1)), ("", (1, 1)), ("(p 1) (p 2)", (1, 1))] {
        let error = p.term(text).expect_err("no term");
        assert_eq!(place(error), Some(expected), "{text}");
    }
    assert_eq!(place(p.term("1))(exit)").expect_err("two")), Some((1, 1)));
    assert_eq!(
        place(p.sort("(Array Int Foo)").expect_err("no sort")),
        Some((1, 12))
    );
    let one = p.term("1").expect("a number");
    let say = |result: Result<_, ProblemError>| result.expect_err("it is wrong").to_string();
    let errors = [
        say(p.apply("p", &[]).map(|_| ())),
        say(p.add(one, None)),
        say(p.add_clause(None, &[one], None)),
        say(p.variable("a|b", "Int").map(|_| ())),
        say(p.declare_predicate("p", &["Int"]).map(|_| ())),
        say(settings(&[]).set("timeout", "-1")),
        say(settings(&[]).set("timeout", "soon")),
        say(settings(&[]).set("engine", "warp")),
        say(settings(&[]).set("spacer.warp", "9")),
    ];
    let expected = [
        "`p` takes 1 argument, found 0",
        "a formula is of sort Bool, and this term is of sort Int",
        "a formula is of sort Bool, and this term is of sort Int",
        "a name cannot contain `|`, `\\` or U+0000, as `a|b` does",
        "`p` is already declared",
        "the value of `timeout` is a number of seconds, not `-1`",
        "the value of `timeout` is a number, not `soon`",
        "there is no engine `warp`",
    ];
    assert_eq!(errors[..8], expected);
    assert!(
        errors[8].starts_with("there is no option `warp`"),
        "{}",
        errors[8]
    );
    let p1 = p.apply("p", &[one]).expect("it fits");
    let either = p.terms().or([p1, p.terms().ge(one, one)]);
    assert_eq!(p.terms().display(either).to_string(), "true");
    let two = p.term("(or (p 1) (p 2))").expect("a formula");
    assert!(say(p.add(two, None)).contains("second head"));
    assert_eq!(p.system().clauses.len(), 0);
}

#[test]
fn names_need_not_be_symbols() {
    let mut p = Problem::new();
    p.declare_predicate("my inv", &["Int", "Real"])
        .expect("a name");
    let x = p.variable("an x", "Int").expect("a sort");
    let fact = p
        .apply("my inv", &[x, x])
        .expect("an integer is a real number");
    p.add_clause(Some(fact), &[], Some("the start"))
        .expect("it is Horn");
    let outcome = check(&mut p);
    let args = [p.term("1"), p.term("1")].map(|term| term.expect("a number"));
    assert!(outcome.holds(&p, "my inv", &args).expect("it has a value"));
    let args = [p.term("1.5"), p.term("1.0")].map(|term| term.expect("a number"));
    assert!(outcome.holds(&p, "my inv", &args).is_err());
    assert!(outcome.holds(&p, "my inv", &args[..1]).is_err());
    assert!(outcome.holds(&p, "inv", &args).is_err());
}

#[test]
fn queries_of_rules_are_clauses() {
    let mut p = Problem::new();
    let text = "(declare-rel p (Int)) (declare-var x Int) (rule (p 0))
        (rule (=> (p x) (p (+ x 1)))) (query p)";
    p.read("rules", text).expect("it is Horn");
    assert_eq!(p.system().clauses.len(), 3);
    assert_eq!(check(&mut p).verdict(), "unsat");
}

#[test]
fn another_thread_ends_a_check() {
    // `p` needs an exact square root of a large number: no engine is done soon.
    let hard = "(declare-fun p (Int Int) Bool)
        (assert (forall ((x Int)) (p x 0)))
        (assert (forall ((x Int) (y Int)) (=> (p x y) (p (* x x) (+ y 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (= (+ (* x x x) 1) (* y y y y y))
            (> y 3)) false)))";
    let mut problem = Problem::new();
    problem.read("hard", hard).expect("it is Horn");
    let (stop, calls) = (Stop::new(), AtomicUsize::new(0));
    let progress = |_: &TurnProgress| {
        calls.fetch_add(1, Ordering::SeqCst);
    };
    let began = Instant::now();
    let outcome = std::thread::scope(|scope| {
        let stop = stop.clone();
        scope.spawn({
            let stop = stop.clone();
            move || {
                std::thread::sleep(Duration::from_millis(300));
                stop.stop(UnknownReason::Interrupted);
            }
        });
        problem.check(&settings(&[]), &stop, &progress)
    });
    let outcome = outcome.expect("the core is there");
    assert_eq!(outcome.verdict(), "unknown");
    assert_eq!(outcome.reason().as_deref(), Some("interrupted"));
    assert!(
        began.elapsed() < Duration::from_secs(20),
        "{:?}",
        began.elapsed()
    );
    assert!(calls.load(Ordering::SeqCst) > 0);
    // The problem can be asked again.
    let limited = settings(&[("timeout", "0.1")]);
    let outcome = problem
        .check(&limited, &Stop::new(), &|_| {})
        .expect("the core is there");
    assert_eq!(outcome.reason().as_deref(), Some("timeout"));
}

#[test]
fn lemmas_go_from_problem_to_problem() {
    let mut first = Problem::new();
    first.read("counter", COUNTER).expect("it is Horn");
    let query = "(assert (forall ((x Int)) (=> (count x) (>= x 0))))";
    first.read("query", query).expect("it is Horn");
    assert_eq!(check(&mut first).verdict(), "sat");
    let mut second = Problem::new();
    second.read("counter", COUNTER).expect("it is Horn");
    second.read("query", query).expect("it is Horn");
    second
        .use_lemmas(&first.lemmas())
        .expect("these are lemmas");
    let outcome = check(&mut second);
    assert_eq!(outcome.verdict(), "sat");
    assert!(
        outcome.stats().contains("\"engine\":\"\""),
        "{}",
        outcome.stats()
    );
    // False lemmas change nothing.
    let wrong = "(declare-fun count (Int) Bool)
        (assert (forall ((x Int)) (=> (count x) (< x 3))))";
    second.use_lemmas(wrong).expect("a system");
    assert_eq!(check(&mut second).verdict(), "sat");
    assert!(second.use_lemmas("(").is_err());
}
