//! The interpreter of SMT-LIB scripts as a library: responses as data, by the embedded core alone.

use horn::interpreter::{Interpreter, Meaning, Response};
use horn::logic::interpolate;
use horn::smt::native::NativeOptions;
use horn::smt::{Backend, Limit, PartTree};
use horn::smtlib::{SmtReader, SmtStep, Source};
use horn::term::{Term, Terms, Value};
use std::collections::BTreeMap;
use std::time::Duration;

/// Carries out a script, and shows each response to `look`.
fn run(t: &Terms, script: &str, mut look: impl FnMut(&Response<'_>)) {
    let backend = Backend::native(NativeOptions::default());
    let source = Source::from_text("script", script);
    let mut interpreter = Interpreter::new(t, &backend, &source, None);
    loop {
        match interpreter.next_response() {
            Ok(None) => break,
            Ok(Some(response)) => look(&response),
            Err(error) => panic!("{error}"),
        }
    }
}

/// The text of all responses to a script.
#[track_caller]
fn check(script: &str, expected: &str) {
    let t = Terms::new();
    let mut text = String::new();
    run(&t, script, |response| text += &response.text(&t));
    assert_eq!(text, expected, "{script}");
}

#[test]
fn responses_are_data() {
    let t = Terms::new();
    let script = "(set-option :produce-unsat-cores true)(declare-const x Int)(declare-fun f (Int) Int)\
        (assert (! (= (f x) 7) :named seven))(assert (! (= x 2) :named two))(check-sat)(get-model)\
        (get-value ((+ x 1)))(push)(assert (! (< x 0) :named low))(check-sat-assuming ((< x 5) (> x 9)))\
        (get-unsat-core)(get-unsat-assumptions)(pop)(get-info :assertion-stack-levels)(get-model)";
    let mut seen = Vec::new();
    run(&t, script, |response| match response {
        Response::Silent => {}
        Response::Model(model) => {
            let [Meaning::Constant(x, two), Meaning::Function(f, entries)] = &model.meanings[..]
            else {
                panic!("{model:?}");
            };
            assert_eq!(t.display(*x).to_string(), "x");
            assert_eq!(t.name(t.func(*f).name), "f");
            let entries: Vec<(&[Value], &Value)> = entries
                .iter()
                .map(|(args, value)| (&args[..], value))
                .collect();
            let [(args, _)] = entries[..] else {
                panic!("{model:?}");
            };
            assert_eq!(args, std::slice::from_ref(two));
            seen.push("model".to_owned());
        }
        Response::Values(values) => {
            let texts: Vec<&str> = values.iter().map(|&(text, ..)| text).collect();
            seen.push(texts.join(" "));
        }
        Response::UnsatCore(names) => {
            assert!(!names.is_empty());
            seen.push("core".to_owned());
        }
        Response::UnsatAssumptions(texts) => {
            // One of the core and of these is in conflict with the other assertions.
            assert!(
                texts
                    .iter()
                    .all(|text| ["(< x 5)", "(> x 9)"].contains(text))
            );
            seen.push("assumptions".to_owned());
        }
        Response::Refused(error) => seen.push(error.issue().to_string()),
        other => seen.push(other.text(&t).trim_end().to_owned()),
    });
    let none = "there is no model: the last check, if any, did not find one";
    let expected = [
        "sat",
        "model",
        "(+ x 1)",
        "unsat",
        "core",
        "assumptions",
        "(:assertion-stack-levels 0)",
        none,
    ];
    assert_eq!(seen, expected);
}

#[test]
fn the_state_of_a_script_is_its_own() {
    check(
        "(set-option :print-success true)(declare-const p Bool)(push 2)(assert p)(check-sat-assuming ((not p)))\
         (pop 2)(check-sat-assuming ((not p)))(reset)(check-sat)",
        "success\nsuccess\nsuccess\nsuccess\nunsat\nsuccess\nsat\nsat\n",
    );
    check(
        "(set-option :produce-models false)(check-sat)(reset)(check-sat)(get-model)(echo \"a\")",
        "sat\nsat\n(\n)\n\"a\"\n",
    );
    check(
        "(declare-const x Int)(assert (< x 3))(assert  (> x 3))(get-assertions)(check-sat)(reset-assertions)(check-sat)",
        "((< x 3)\n (> x 3))\nunsat\nsat\n",
    );
}

#[test]
fn a_script_comes_in_parts_until_it_ends() {
    let t = Terms::new();
    let backend = Backend::native(NativeOptions::default());
    let sources = [
        "(declare-const x Int)(assert (> x 0))",
        "(check-sat)",
        "(assert (< x 0))(check-sat)(exit)(check-sat)",
        "(check-sat)",
    ];
    let sources = sources.map(|text| Source::from_text("part", text));
    let mut interpreter = Interpreter::new(&t, &backend, &sources[0], None);
    let mut ends = Vec::new();
    for source in &sources {
        interpreter.continue_with(source);
        while interpreter.next_response().expect("it is right").is_some() {}
        ends.push(interpreter.has_ended());
    }
    assert_eq!(ends, [false, false, true, true]);
    let tally = interpreter.tally();
    assert_eq!((tally.sat, tally.unsat, tally.checks()), (1, 1, 2));
    // An error in the text ends the script, too.
    let wrong = Source::from_text("wrong", "(assert (> 1 true))(check-sat)");
    let mut interpreter = Interpreter::new(&t, &backend, &wrong, None);
    assert!(interpreter.next_response().is_err() && interpreter.has_ended());
    assert!(matches!(interpreter.next_response(), Ok(None)));
}

#[test]
fn limits_are_those_of_the_caller_and_of_the_script() {
    let t = Terms::new();
    let backend = Backend::native(NativeOptions::default());
    let pigeons: String = (0..11)
        .flat_map(|p| (0..10).map(move |h| format!("(declare-const p{p}h{h} Bool)")))
        .collect();
    let homes: String = (0..11)
        .map(|p| {
            let homes: Vec<String> = (0..10).map(|h| format!("p{p}h{h}")).collect();
            format!("(assert (or {}))", homes.join(" "))
        })
        .collect();
    let alone: String = (0..10)
        .flat_map(|h| (0..11).flat_map(move |p| (0..p).map(move |q| (h, p, q))))
        .map(|(h, p, q)| format!("(assert (not (and p{p}h{h} p{q}h{h})))"))
        .collect();
    let problem = format!("{pigeons}{homes}{alone}(check-sat)(get-info :reason-unknown)");
    for (option, timeout) in [
        ("", Some(Duration::from_millis(20))),
        ("(set-option :timeout 20)", None),
        ("(set-option :timeout 20)", Some(Duration::from_secs(3600))),
    ] {
        let source = Source::from_text("script", format!("{option}{problem}"));
        let mut interpreter = Interpreter::new(&t, &backend, &source, timeout);
        let mut text = String::new();
        while let Some(response) = interpreter.next_response().expect("it is right") {
            text += &response.text(&t);
        }
        assert_eq!(text, "unknown\n(:reason-unknown timeout)\n");
        assert_eq!(interpreter.tally().unknown, 1);
    }
}

/// The assertions of the problems below, by name.
const PARTS: &str = "(declare-const x Int)(declare-const y Int)(declare-const z Int)(declare-const w Int)\
    (assert (! (< 3 x z) :named a))(assert (! (< 4 y) :named b))(assert (! (= w (+ x y)) :named c))\
    (assert (! (< w 9) :named d))(check-sat)";

/// Interpolants of the parts are as many as expected, and right: a solver has checked them.
#[track_caller]
fn interpolants(parts: &str, parents: &[usize], names: &[&str]) {
    let t = Terms::new();
    let mut found: Option<Vec<Term>> = None;
    let script = format!("{PARTS}(get-interpolants {parts})");
    run(&t, &script, |response| {
        if let Response::Interpolants(interpolants) = response {
            found = Some(interpolants.clone());
        }
    });
    let found = found.unwrap_or_else(|| panic!("no interpolants for {parts}"));
    assert_eq!(found.len(), parents.len(), "{parts}");
    let source = Source::from_text("parts", PARTS);
    let mut reader = SmtReader::new(&t, &source);
    let mut named = BTreeMap::new();
    while let Some((step, _)) = reader.next_step().expect("it is right") {
        if let SmtStep::Assert {
            formula,
            name: Some(name),
            ..
        } = step
        {
            named.insert(t.name(name).to_owned(), formula);
        }
    }
    let formula = |name: char| named[&name.to_string()];
    let nodes: Vec<Vec<Term>> = names
        .iter()
        .map(|n| n.chars().map(formula).collect())
        .collect();
    let tree = PartTree::new(parents.to_vec()).expect("a tree");
    let backend = Backend::native(NativeOptions::default());
    let right = interpolate::check(&t, &backend, &Limit::none(), &tree, &nodes, &found);
    assert_eq!(right, Ok(true), "{parts}");
}

#[test]
fn interpolants_of_sequences_and_trees() {
    interpolants("a b c d", &[1, 2, 3], &["a", "b", "c", "d"]);
    interpolants("(and a b) (and c d)", &[1], &["ab", "cd"]);
    interpolants("a (b) c d", &[2, 2, 3], &["a", "b", "c", "d"]);
    interpolants("a (b) (and c d)", &[2, 2], &["a", "b", "cd"]);
    interpolants(
        "d (a (b) c) (and a b)",
        &[4, 3, 3, 4],
        &["d", "a", "b", "c", "ab"],
    );
    interpolants(
        "(d) ((a) (b) c) b",
        &[4, 3, 3, 4],
        &["d", "a", "b", "c", "b"],
    );
}

/// A constant array differs from one of other elements, whatever is stored to it, if there are more
/// indices: of a declared sort that is not known.
#[test]
fn sorts_of_unknown_size_are_not_taken_to_be_infinite() {
    let script = |index: &str| {
        format!(
            "(declare-sort U 0)(declare-const i {index})
             (define-sort A () (Array {index} Int))
             (assert (= (store ((as const A) 0) i 1) ((as const A) 1)))(check-sat)"
        )
    };
    check(&script("U"), "unknown\n");
    check(&script("(Array Int U)"), "unknown\n");
    check(&script("Int"), "unsat\n");
}
