//! What each pass makes of a system, as text.

use horn::chc::System;
use horn::smt::native::NativeOptions;
use horn::smt::{Backend, Limit};
use horn::smtlib::{Source, read_system, system_text};
use horn::term::Terms;
use horn::transform::{Options, Pass, Preprocessed, Tools, preprocess};

/// The system preprocessed, with the embedded core for what passes ask.
fn prepare(t: &Terms, system: &System, options: &Options) -> Preprocessed {
    let backend = Backend::native(NativeOptions::for_engines());
    let tools = Tools::new(t, &backend, Limit::none());
    preprocess(&tools, system, options)
}

/// The declarations and assertions of what one application of a pass makes of a system; `unchanged`
/// where that is nothing.
#[track_caller]
fn check(pass: Pass, input: &str, expected: &str) {
    let t = Terms::new();
    let system = read_system(&t, &Source::from_text("table", input)).expect("the input is right");
    let options = Options {
        passes: vec![pass],
        rounds: 1,
    };
    let prepared = prepare(&t, &system, &options);
    let text = match prepared.stages.last() {
        Some(stage) => with_numbered_quotients(&system_text(&t, &stage.system).to_string()),
        None => "unchanged".to_owned(),
    };
    let trimmed = |text: &str| -> Vec<String> {
        let lines = text.lines().map(str::trim).map(str::to_owned);
        lines
            .filter(|line| {
                !line.is_empty() && !line.starts_with("(set-logic") && line != "(check-sat)"
            })
            .collect()
    };
    assert_eq!(trimmed(&text), trimmed(expected), "\n{text}");
}

/// The text with quotients numbered by first occurrence. Their names depend on how many variables
/// the analysis needed.
fn with_numbered_quotients(text: &str) -> String {
    let mut seen: Vec<&str> = Vec::new();
    let mut parts = text.split("quotient!");
    let mut new = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_digit());
        let (number, rest) = part.split_at(end.unwrap_or(part.len()));
        let known = seen.iter().position(|&other| other == number);
        let place = known.unwrap_or_else(|| {
            seen.push(number);
            seen.len() - 1
        });
        new += &format!("quotient!{place}{rest}");
    }
    new
}

const P: &str = "(declare-fun p (Int Int) Bool)\n";

/// One clause over `p` of two integers, and what simplification makes of it.
#[track_caller]
fn simplified(clause: &str, expected: &str) {
    let expected = match expected {
        "unchanged" => expected.to_owned(),
        _ => format!("{P}{expected}"),
    };
    check(Pass::Simplify, &format!("{P}(assert {clause})"), &expected);
}

#[test]
fn equations_are_solved() {
    simplified(
        "(forall ((x Int) (y Int)) (=> (and (= x 0) (= y (+ x 1))) (p x y)))",
        "(assert (p 0 1))",
    );
    // The new value is computed from the old one, not the other way round.
    simplified(
        "(forall ((x Int) (y Int) (z Int)) (=> (and (p x y) (= z (+ x 1))) (p z y)))",
        "(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) y))))",
    );
    // A unit coefficient is enough, two are not.
    simplified(
        "(forall ((x Int) (y Int)) (=> (= (+ x (* 2 y)) 7) (p y y)))",
        "(assert (forall ((y Int)) (p y y)))",
    );
    simplified(
        "(forall ((x Int) (y Int)) (=> (= (+ (* 3 x) (* 2 y)) 7) (p x y)))",
        "unchanged",
    );
    // A chain, in whatever order.
    simplified(
        "(forall ((a Int) (b Int) (c Int) (d Int)) (=> (and (p a a) (= d (+ c 1)) (= c (+ b 1)) (= b (+ a 1))) (p a d)))",
        "(assert (forall ((a Int)) (=> (p a a) (p a (+ a 3)))))",
    );
    // Truth values, and what is equivalent to a formula.
    simplified(
        "(forall ((b Bool) (c Bool) (x Int)) (=> (and b (= c (< x 3)) (or (not b) c)) (p x x)))",
        "(assert (forall ((x Int)) (=> (<= x 2) (p x x))))",
    );
    // No variable is its own solution.
    simplified(
        "(forall ((x Int) (y Int)) (=> (= x (ite (> x y) y 1)) (p x y)))",
        "(assert (forall ((x Int) (y Int)) (=> (= (+ x (* (- 1) (ite (< y x) y 1))) 0) (p x y))))",
    );
}

#[test]
fn conjunctions_are_simplified_by_themselves() {
    let vars = |formula: &str| format!("(forall ((x Int) (y Int)) (=> {formula} (p x y)))");
    let table = [
        ("(and (< x 5) (<= x 7))", "(<= x 4)"),
        ("(and (>= x 3) (<= x 3))", "true"),
        ("(and (< x 3) (> x 3))", "gone"),
        ("(and (= (* 2 x) 7) (> y 3))", "gone"),
        ("(<= (* 2 x) (+ 1 (* 4 y)))", "(<= (+ x (* (- 2) y)) 0)"),
        ("(and (< x 5) (or (< x 6) (> y 1)))", "(<= x 4)"),
        (
            "(and (< x 5) (or (> x 6) (> y 1)))",
            "(and (<= x 4) (<= 2 y))",
        ),
        ("(and (distinct x 9) (< x 5))", "(<= x 4)"),
        ("(and (= (div x y) 4) (distinct (- (div x y) 1) 3))", "gone"),
    ];
    for (formula, expected) in table {
        let expected = match expected {
            "gone" => String::new(),
            "true" => "(assert (forall ((y Int)) (p 3 y)))".to_owned(),
            formula => format!("(assert {})", vars(formula)),
        };
        simplified(&vars(formula), &expected);
    }
}

/// What a sum of bit-vectors becomes over integers has choices. Bounds decide them.
#[test]
fn conditions_of_choices_are_decided_by_bounds() {
    let vars = |said: &str| format!("(forall ((x Int) (y Int)) (=> {said}))");
    let wrapped = |sum: &str| format!("(ite (<= 128 {sum}) (+ {sum} (- 256)) {sum})");
    let x_and_y = |said: &str, arg: &str| vars(&format!("(and (p x y) {said}) (p {arg} y)"));
    let decided = |said: &str, sum: &str, arg: &str| {
        let simple = x_and_y(said, arg);
        simplified(&x_and_y(said, &wrapped(sum)), &format!("(assert {simple})"));
    };
    // By a bound of the sum's variable, by bounds of its terms, and by bounds of other sums.
    decided("(<= x 20)", "(+ x 1)", "(+ x 1)");
    decided("(and (<= x 20) (<= y 50))", "(+ x y)", "(+ x y)");
    decided(
        "(and (<= y 50) (<= (+ x (* (- 1) y)) 0))",
        "(+ x 1)",
        "(+ x 1)",
    );
    decided("(<= 127 x)", "(+ x 1)", "(+ x (- 255))");
    // A bound that is too weak.
    simplified(&x_and_y("(<= x 127)", &wrapped("(+ x 1)")), "unchanged");
    // In constraints: by other conjuncts, and in a disjunct by its own.
    let choice = |sum: &str| format!("(<= 3 {})", wrapped(sum));
    simplified(
        &x_and_y(&format!("(and (<= x 20) {})", choice("(+ x y)")), "1"),
        "unchanged",
    );
    simplified(
        &x_and_y(
            &format!("(and (<= x 20) (<= y 9) {})", choice("(+ x y)")),
            "1",
        ),
        &format!(
            "(assert {})",
            x_and_y("(and (<= x 20) (<= y 9) (<= 3 (+ x y)))", "1")
        ),
    );
    let disjuncts = format!("(or (and (<= x 20) {}) (<= 100 y))", choice("(+ x 1)"));
    simplified(
        &x_and_y(&disjuncts, "1"),
        &format!(
            "(assert {})",
            x_and_y("(or (and (<= x 20) (<= 2 x)) (<= 100 y))", "1")
        ),
    );
    let contradiction = format!(
        "(or (and (<= x 2) (<= 3 x) {}) (<= 100 y))",
        choice("(+ x 1)")
    );
    simplified(
        &x_and_y(&contradiction, "1"),
        &format!("(assert {})", x_and_y("(<= 100 y)", "1")),
    );
}

#[test]
fn clauses_that_hold_anyway_go() {
    simplified(
        "(forall ((x Int) (y Int)) (=> (and (p x y) (= x 3)) (p 3 y)))",
        "",
    );
    simplified(
        "(forall ((x Int) (y Int)) (=> (and (p x y) (= x y) (p y x)) false))",
        "(assert (forall ((y Int)) (=> (p y y) false)))",
    );
}

#[test]
fn choices_leave_atoms() {
    let clause =
        |formula: &str| format!("{P}(assert (forall ((x Int) (y Int)) (=> {formula} (p x y))))");
    check(
        Pass::Choices,
        &clause("(<= (ite (< x 3) x 5) y)"),
        &clause("(ite (< x 3) (<= (+ x (* (- 1) y)) 0) (<= 5 y))"),
    );
    check(Pass::Choices, &clause("(<= x y)"), "unchanged");
}

#[test]
fn the_cone_of_influence_stays() {
    let system = "
        (declare-fun start (Int) Bool) (declare-fun never (Int) Bool)
        (declare-fun step (Int) Bool) (declare-fun idle (Int) Bool)
        (assert (start 0))
        (assert (forall ((x Int)) (=> (start x) (step x))))
        (assert (forall ((x Int)) (=> (and (step x) (never x)) (step (+ x 1)))))
        (assert (forall ((x Int)) (=> (never x) (never (+ x 1)))))
        (assert (forall ((x Int)) (=> (step x) (idle x))))
        (assert (forall ((x Int)) (=> (and (idle x) (never x)) false)))
        (assert (forall ((x Int)) (=> (and (step x) (> x 3)) false)))";
    let rest = "
        (declare-fun start (Int) Bool)
        (declare-fun step (Int) Bool)
        (assert (start 0))
        (assert (forall ((x Int)) (=> (start x) (step x))))
        (assert (forall ((x Int)) (=> (and (step x) (<= 4 x)) false)))";
    let rest = rest.replace("(<= 4 x)", "(< 3 x)");
    check(Pass::Cone, system, &rest);
    check(Pass::Cone, &rest, "unchanged");
    // Without queries nothing is needed, without facts nothing is derived.
    check(Pass::Cone, "(declare-fun p (Int) Bool) (assert (p 0))", "");
    check(
        Pass::Cone,
        "(declare-fun p (Int) Bool) (assert (forall ((x Int)) (=> (p x) false)))",
        "",
    );
}

#[test]
fn unused_arguments_go() {
    // The second is passed round, the third only ever computed; the query reads the
    // first and the last.
    let system = "
        (declare-fun p (Int Int Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (p 0 x y y)))
        (assert (forall ((x Int) (y Int) (z Int) (u Int)) (=> (p x y z u) (p (+ x 1) y (+ y z) u))))
        (assert (forall ((x Int) (y Int) (z Int) (u Int)) (=> (and (p x y z u) (> x 5) (< u 0)) false)))";
    let expected = "
        (declare-fun p (Int Int) Bool)
        (assert (forall ((y Int)) (p 0 y)))
        (assert (forall ((x Int) (u Int)) (=> (p x u) (p (+ x 1) u))))
        (assert (forall ((x Int) (u Int)) (=> (and (p x u) (and (< 5 x) (< u 0))) false)))";
    check(Pass::Unused, system, expected);
    // An equation between two arguments, or a term in a body, is a constraint.
    check(
        Pass::Unused,
        "(declare-fun q (Int Int) Bool) (declare-fun r (Int) Bool)
         (assert (forall ((x Int) (y Int)) (q x y)))
         (assert (forall ((x Int)) (r x)))
         (assert (forall ((x Int)) (=> (q x x) false)))
         (assert (=> (r 1) false))",
        "unchanged",
    );
}

#[test]
fn implied_conditions_go_with_the_arguments_that_they_are_about() {
    // The last two arguments are signals: the sum of the first two, and whether it is small. The
    // transition says so of the signals before it. It reads the second one, as the query does.
    let clauses = |transition: &str| {
        format!(
            "(assert (forall ((x Int) (s Int) (b Bool))
                (=> (and (= s (+ x x)) (= b (< s 9))) (p x x s b))))
             (assert (forall ((x Int) (y Int) (s Int) (b Bool) (u Int) (c Bool))
                (=> (and (p x y s b) {transition} (or b (< x y)) (= u (+ x y 1)) (= c (< u 9)))
                    (p (+ x 1) y u c))))
             (assert (forall ((x Int) (y Int) (s Int) (b Bool))
                (=> (and (p x y s b) (not b) (< y 0)) false)))"
        )
    };
    let signals = "(declare-fun p (Int Int Int Bool) Bool)";
    let system = |transition: &str| format!("{signals}{}", clauses(transition));
    let expected = "
        (declare-fun p (Int Int Bool) Bool)
        (assert (forall ((x Int) (s Int) (b Bool)) (=> (and (= s (+ x x)) (= b (< s 9))) (p x x b))))
        (assert (forall ((x Int) (y Int) (b Bool) (u Int) (c Bool)) (=> (and (p x y b) (and (or b (< x y)) (= u (+ x y 1)) (= c (< u 9)))) (p (+ x 1) y c))))
        (assert (forall ((x Int) (y Int) (b Bool)) (=> (and (p x y b) (and (not b) (< y 0))) false)))";
    check(
        Pass::Implied,
        &system("(= s (+ x y)) (= b (< s 9))"),
        expected,
    );
    // One is not implied: the transition needs it, and with it the argument. What is left of the
    // conditions is no longer the only use of an argument, and stays.
    check(
        Pass::Implied,
        &system("(= s (+ x y)) (= b (< s 8))"),
        "unchanged",
    );
    // It holds of facts, but the transition does not preserve it.
    check(
        Pass::Implied,
        &system("(= s (+ y y)) (= b (< s 9))"),
        "unchanged",
    );
    // Nothing is about the sum but what all clauses establish: the argument is not used, so the
    // condition about the other one stays.
    check(Pass::Implied, &system("(or b (< 8 (+ x y)))"), "unchanged");
}

#[test]
fn conditions_are_implied_together() {
    // That x is not negative needs that y is not, and the other way round; nothing else is about
    // them. Of three conditions the last one fails, and with it what needs it.
    let system = |condition: &str| {
        format!(
            "(declare-fun p (Int Int Int) Bool)
             (assert (p 0 0 0))
             (assert (forall ((x Int) (y Int) (z Int))
                (=> (and (p x y z) {condition}) (p (+ x y) (+ x y) (+ z 1)))))
             (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (< z 0)) false)))"
        )
    };
    let expected = "
        (declare-fun p (Int) Bool)
        (assert (p 0))
        (assert (forall ((z Int)) (=> (p z) (p (+ z 1)))))
        (assert (forall ((z Int)) (=> (and (p z) (< z 0)) false)))";
    check(Pass::Implied, &system("(<= 0 x) (<= 0 y)"), expected);
    check(
        Pass::Implied,
        &system("(<= 0 x) (<= 0 y) (<= x 5)"),
        "unchanged",
    );
}

#[test]
fn constant_and_equal_arguments_go() {
    // 1 is constant; 2 equals 0 throughout; 3 equals 0 at first only.
    let system = "
        (declare-fun p (Int Int Int Int) Bool)
        (assert (forall ((x Int)) (=> (< 0 x) (p x 7 x x))))
        (assert (forall ((x Int) (y Int) (z Int) (u Int)) (=> (p x y z u) (p (+ z 1) y (+ x 1) u))))
        (assert (forall ((x Int) (y Int) (z Int) (u Int)) (=> (and (p x y z u) (< x y)) false)))";
    let expected = "
        (declare-fun p (Int Int) Bool)
        (assert (forall ((x Int)) (=> (< 0 x) (p x x))))
        (assert (forall ((x Int) (y Int) (z Int) (u Int)) (=> (and (p x u) (and (= y 7) (= x z))) (p (+ z 1) u))))
        (assert (forall ((x Int) (y Int) (z Int) (u Int)) (=> (and (p x u) (and (= y 7) (= x z) (< x y))) false)))";
    check(Pass::Constants, system, expected);
    // Equal arguments of a premise are the same in the conclusion; a clause that is never
    // applicable does not count.
    check(
        Pass::Constants,
        "(declare-fun q (Int Int) Bool)
         (assert (forall ((x Int)) (q x x)))
         (assert (forall ((x Int) (y Int)) (=> (and (q x y) (< x 5)) (q (+ x 1) (+ y 1)))))",
        "(declare-fun q (Int) Bool)
         (assert (forall ((x Int)) (q x)))
         (assert (forall ((x Int) (y Int)) (=> (and (q x) (and (= x y) (< x 5))) (q (+ x 1)))))",
    );
    check(
        Pass::Constants,
        "(declare-fun q (Int Int) Bool)
         (assert (q 1 2))
         (assert (forall ((x Int) (y Int)) (=> (and (q x y) (= x 3)) (q 5 y))))
         (assert (forall ((x Int) (y Int)) (=> (and (q x y) (< y 0)) false)))",
        "(declare-fun q () Bool)
         (assert q)
         (assert (forall ((x Int) (y Int)) (=> (and q (and (= x 1) (= y 2) (= x 3))) q)))
         (assert (forall ((x Int) (y Int)) (=> (and q (and (= x 1) (= y 2) (< y 0))) false)))",
    );
}

#[test]
fn parallel_clauses_are_merged() {
    check(
        Pass::Merge,
        "(declare-fun p (Int Int) Bool)
         (assert (p 0 0))
         (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 9)) (p (+ x 1) y))))
         (assert (forall ((a Int) (b Int)) (=> (and (p a b) (< b 9)) (p a (+ b 1)))))
         (assert (forall ((x Int)) (=> (p x x) false)))",
        "(declare-fun p (Int Int) Bool)
         (assert (p 0 0))
         (assert (forall ((x!0 Int) (y!1 Int) (i!2 Int) (y!3 Int)) (=> (and (p x!0 y!1) \
          (or (and (= i!2 (+ x!0 1)) (= y!1 y!3) (< x!0 9)) (and (= x!0 i!2) (= y!3 (+ y!1 1)) (< y!1 9)))) \
          (p i!2 y!3))))
         (assert (forall ((x Int)) (=> (p x x) false)))",
    );
    // Other predicates in the body, or another number of them, are another shape; their order is
    // not.
    check(
        Pass::Merge,
        "(declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
         (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
         (assert (forall ((x Int)) (=> (q x) (p x))))
         (assert (forall ((x Int)) (=> (and (p x) (p x)) (p x))))
         (assert (forall ((x Int)) (=> (p x) (q x))))",
        "unchanged",
    );
}

/// The predicates that elimination leaves, and how many clauses.
#[track_caller]
fn eliminated(input: &str, expected: &str) {
    let t = Terms::new();
    let system = read_system(&t, &Source::from_text("table", input)).expect("the input is right");
    let options = Options {
        passes: vec![Pass::Inline],
        rounds: 1,
    };
    let prepared = prepare(&t, &system, &options);
    let left = prepared.system(&system);
    let preds: Vec<&str> = left.pred_ids().map(|p| left.pred_name(&t, p)).collect();
    assert_eq!(
        format!("{}; {}", preds.join(" "), left.clauses.len()),
        expected
    );
}

#[test]
fn predicates_are_eliminated() {
    let declare =
        "(declare-fun p (Int) Bool) (declare-fun q (Int) Bool) (declare-fun r (Int) Bool)";
    let rule =
        |body: &str, head: &str| format!("(assert (forall ((x Int) (y Int)) (=> {body} {head})))");
    let system = |rules: &[(&str, &str)]| {
        let rules: Vec<String> = rules.iter().map(|(body, head)| rule(body, head)).collect();
        format!("{declare}{}", rules.concat())
    };
    let chain = [
        ("(= x 0)", "(p x)"),
        ("(and (p x) (< x 9))", "(q (+ x 1))"),
        ("(q x)", "(r (* 2 x))"),
        ("(and (r x) (> x 20))", "false"),
    ];
    eliminated(&system(&chain), "; 1");
    // Loops stay, what is in between goes; a loop over two predicates becomes one over one.
    let own_loop = [
        ("(= x 0)", "(p x)"),
        ("(q x)", "(p (+ x 1))"),
        ("(p x)", "(q x)"),
        ("(p x)", "(r x)"),
        ("(r 7)", "false"),
    ];
    eliminated(&system(&own_loop), "q; 4");
    // Two definitions, three uses: clauses would multiply.
    let many = [
        ("(= x 0)", "(p x)"),
        ("(= x 1)", "(p x)"),
        ("(and (p x) (< x 9))", "(q x)"),
        ("(and (p x) (< x 8))", "(q (+ x 1))"),
        ("(and (p x) (> x 4))", "false"),
        ("(q x)", "(q (+ x 2))"),
        ("(and (q x) (q y) (= (+ x y) 3))", "false"),
    ];
    eliminated(&system(&many), "p q r; 7");
    // One definition may be used twice in a clause; a body does not get wider than those it comes
    // from.
    let twice = [
        ("(= x 0)", "(p x)"),
        ("(and (p x) (p y))", "(q (+ x y))"),
        ("(q 1)", "false"),
    ];
    eliminated(&system(&twice), "r; 1");
    let wider = [
        ("(and (p x) (p y))", "(q (+ x y))"),
        ("(and (q x) (q y))", "(p (+ x y))"),
        ("(= x 0)", "(p x)"),
        ("(= x 1)", "(q x)"),
        ("(p 7)", "false"),
    ];
    eliminated(&system(&wider), "p q r; 5");
}

const PAIR: &str = "(declare-datatypes ((Pair 0)) (((pair (first Int) (second Bool)))))";

/// One clause over `p` of a pair and a number, and the same without pairs.
#[track_caller]
fn flattened(clause: &str, expected: &str) {
    let input = format!("{PAIR} (declare-fun p (Pair Int) Bool) (assert {clause})");
    let expected = format!("(declare-fun p (Int Bool Int) Bool)\n(assert {expected})");
    check(Pass::Tuples, &input, &expected);
}

#[test]
fn tuples_become_their_fields() {
    flattened(
        "(forall ((u Pair) (n Int)) (=> (and (p u n) (= n (first u))) (p (pair n (second u)) n)))",
        "(forall ((u!0 Int) (u!1 Bool) (n Int)) (=> (and (p u!0 u!1 n) (= n u!0)) (p n u!1 n)))",
    );
    // Equations and conditional tuples.
    flattened(
        "(forall ((u Pair) (v Pair) (b Bool)) (=> (and (p u 0) (= v (ite b u (pair 1 b)))) (p v 0)))",
        "(forall ((u!0 Int) (u!1 Bool) (v!2 Int) (v!3 Bool) (b Bool)) \
         (=> (and (p u!0 u!1 0) (and (= v!2 (ite b u!0 1)) (= v!3 (ite b u!1 b)))) (p v!2 v!3 0)))",
    );
    // Inside of arrays they stay.
    let clause = "(assert (forall ((a (Array Int Pair)) (n Int)) (p (select a n) n)))";
    let flat = "(assert (forall ((a (Array Int Pair)) (n Int)) \
                (p (first (select a n)) (second (select a n)) n)))";
    check(
        Pass::Tuples,
        &format!("{PAIR} (declare-fun p (Pair Int) Bool) {clause}"),
        &format!("{PAIR}\n(declare-fun p (Int Bool Int) Bool)\n{flat}"),
    );
}

#[test]
fn other_datatypes_are_no_tuples() {
    let datatype = "(declare-datatypes ((Option 0)) (((nothing) (just (first Int)))))";
    let system = "(declare-fun p (Option) Bool) (assert (forall ((u Option)) (p u)))";
    check(Pass::Tuples, &format!("{datatype} {system}"), "unchanged");
}

#[test]
fn determined_arguments_go_and_bounds_are_told() {
    // The second is twice the first, the last truth value the opposite of the other; the first is
    // not negative.
    check(
        Pass::Invariants,
        "(declare-fun p (Int Int Bool Bool) Bool)
         (assert (p 0 0 true false))
         (assert (forall ((x Int) (y Int) (b Bool) (c Bool)) (=> (p x y b c) (p (+ x 1) (+ y 2) (not b) (not c)))))
         (assert (forall ((x Int) (y Int) (b Bool) (c Bool)) (=> (and (p x y b c) (< y x)) false)))",
        "(declare-fun p (Int Bool) Bool)
         (assert (p 0 true))
         (assert (forall ((x Int) (y Int) (b Bool) (c Bool)) (=> (and (p x b) (and (= (+ (* (- 2) x) y) 0) (= b (not c)) \
          (<= 0 x) (<= 0 y))) (p (+ x 1) (not b)))))
         (assert (forall ((x Int) (y Int) (b Bool) (c Bool)) (=> (and (p x b) (and (= (+ (* (- 2) x) y) 0) (= b (not c)) \
          (<= 0 x) (<= 0 y) (< y x))) false)))",
    );
    // What nothing derives goes, however the constraints say so.
    check(
        Pass::Invariants,
        "(declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
         (assert (forall ((x Int)) (=> (or (= x 1) (= x 3)) (p x))))
         (assert (forall ((x Int)) (=> (and (p x) (< 5 x)) (q x))))
         (assert (forall ((x Int)) (=> (q x) false)))",
        "(declare-fun p (Int) Bool)
         (assert (forall ((x Int)) (=> (or (= x 1) (= x 3)) (p x))))",
    );
    // A fixpoint without anything to say.
    check(
        Pass::Invariants,
        "(declare-fun p (Int) Bool)
         (assert (forall ((x Int)) (p x)))
         (assert (forall ((x Int)) (=> (and (p x) (< 5 x)) false)))",
        "unchanged",
    );
}

/// A counter that goes by twos, and a pointer that goes by fours from where it begins, become how
/// often they went. What goes by ones, or has no remainder that is known, stays.
#[test]
fn integers_become_quotients() {
    check(
        Pass::Quotients,
        "(declare-fun p (Int Int Int) Bool)
         (assert (forall ((b Int)) (p 6 (+ b 1) b)))
         (assert (forall ((i Int) (a Int) (b Int)) (=> (and (p i a b) (< i 9)) (p (+ i 2) (+ a 4) b))))
         (assert (forall ((i Int) (a Int) (b Int)) (=> (and (p i a b) (= (- a b) i)) false)))",
        "(declare-fun p (Int Int Int) Bool)
         (assert (forall ((b Int)) (p 3 0 b)))
         (assert (forall ((quotient!0 Int) (quotient!1 Int) (b Int)) (=> (and (p quotient!0 quotient!1 b) (< (* 2 quotient!0) 9)) \
          (p (+ quotient!0 1) (+ quotient!1 1) b))))
         (assert (forall ((quotient!2 Int) (quotient!3 Int) (b Int)) (=> (and (p quotient!2 quotient!3 b) \
          (= (* 2 quotient!2) (+ (* 4 quotient!3) b (* (- 1) b) 1))) false)))",
    );
    for step in ["(+ i 1)", "(- i 1)", "(* 3 i)"] {
        let text = format!(
            "(declare-fun p (Int) Bool)
             (assert (p 0))
             (assert (forall ((i Int)) (=> (p i) (p {step}))))
             (assert (forall ((i Int)) (=> (and (p i) (= i 7)) false)))"
        );
        check(Pass::Quotients, &text, "unchanged");
    }
    // Two steps that have no common divisor.
    check(
        Pass::Quotients,
        "(declare-fun p (Int) Bool)
         (assert (p 0))
         (assert (forall ((i Int)) (=> (p i) (p (+ i 2)))))
         (assert (forall ((i Int)) (=> (p i) (p (+ i 5)))))
         (assert (forall ((i Int)) (=> (and (p i) (= i 1)) false)))",
        "unchanged",
    );
}

#[test]
fn truth_values_become_locations() {
    // A loop between two locations, and one after it.
    let input = "(declare-fun p (Bool Int Bool) Bool)
         (assert (p false 0 false))
         (assert (forall ((a Bool) (b Bool) (c Bool) (d Bool) (x Int) (y Int)) (=> (and (p a x b)
            (or (and (not a) (not b) c (not d) (< x 9) (= y (+ x 1)))
                (and a (not b) (not c) (not d) (= y (* 2 x)))
                (and (not a) (not b) c d (<= 9 x) (= x y)))) (p c y d))))
         (assert (forall ((a Bool) (b Bool) (x Int)) (=> (and (p a x b) b (< x 9)) false)))";
    check(
        Pass::Locations,
        input,
        "(declare-fun p@00!0 (Int) Bool)
         (declare-fun p@10!1 (Int) Bool)
         (declare-fun p@11!2 (Int) Bool)
         (assert (p@00!0 0))
         (assert (forall ((x Int) (y Int)) (=> (and (p@00!0 x) (and (< x 9) (= y (+ x 1)))) (p@10!1 y))))
         (assert (forall ((x Int) (y Int)) (=> (and (p@00!0 x) (and (<= 9 x) (= x y))) (p@11!2 y))))
         (assert (forall ((x Int) (y Int)) (=> (and (p@10!1 x) (= y (* 2 x))) (p@00!0 y))))
         (assert (forall ((x Int)) (=> (and (p@11!2 x) (< x 9)) false)))",
    );
    // Two premises: each combination that can be.
    check(
        Pass::Locations,
        "(declare-fun p (Bool Int) Bool)
         (assert (forall ((x Int)) (=> (< x 0) (p false x))))
         (assert (forall ((x Int)) (=> (< 7 x) (p true x))))
         (assert (forall ((a Bool) (b Bool) (x Int)) (=> (and (p a x) (p b x) (not (= a b))) false)))",
        "(declare-fun p@0!0 (Int) Bool)
         (declare-fun p@1!1 (Int) Bool)
         (assert (forall ((x Int)) (=> (< x 0) (p@0!0 x))))
         (assert (forall ((x Int)) (=> (< 7 x) (p@1!1 x))))
         (assert (forall ((x Int)) (=> (and (p@0!0 x) (p@1!1 x)) false)))
         (assert (forall ((x Int)) (=> (and (p@1!1 x) (p@0!0 x)) false)))",
    );
    // Truth values that are data: as many clauses, as large as before.
    check(
        Pass::Locations,
        "(declare-fun p (Bool Bool Int) Bool)
         (assert (forall ((a Bool) (b Bool) (x Int)) (=> (and (<= 0 x) (< x 9)) (p a b x))))
         (assert (forall ((a Bool) (b Bool) (c Bool) (x Int) (y Int)) (=> (and (p a b x) (< x y) (< (* 3 y) (+ x 77))) (p b c y))))",
        "unchanged",
    );
    // Enumerations are locations, too.
    check(
        Pass::Locations,
        "(declare-datatype place ((home) (away)))
         (declare-fun p (place Int) Bool)
         (assert (p home 0))
         (assert (forall ((x Int)) (=> (and (p home x) (< 5 x)) (p away x))))
         (assert (forall ((x Int)) (=> (and (p away x) (< x 3)) false)))",
        "(declare-fun p@.home!0 (Int) Bool)
         (declare-fun p@.away!1 (Int) Bool)
         (assert (p@.home!0 0))
         (assert (forall ((x Int)) (=> (and (p@.home!0 x) (< 5 x)) (p@.away!1 x))))
         (assert (forall ((x Int)) (=> (and (p@.away!1 x) (< x 3)) false)))",
    );
    // Numbers are no locations.
    check(
        Pass::Locations,
        "(declare-fun p (Int) Bool) (assert (p 0)) (assert (p 1))",
        "unchanged",
    );
}

#[test]
fn impossible_and_implied_parts_go() {
    let clause = |constraint: &str| {
        let vars = "(x Int) (y Int) (z Int)";
        format!("{P}(assert (forall ({vars}) (=> {constraint} (p x (+ y z)))))")
    };
    let table = [
        // No two literals contradict each other, or imply a third.
        ("(and (< x y) (< y z) (< z x))", ""),
        ("(and (< x y) (< y z) (< x z))", "(and (< x y) (< y z))"),
        (
            "(and (< x y) (< y z) (or (< z x) (< 7 z)))",
            "(and (< x y) (< y z) (< 7 z))",
        ),
        (
            "(and (< x y) (or (and (< y z) (or (< z x) (= z 9))) (< z 3)))",
            "(and (< x y) (or (and (< y z) (= z 9)) (< z 3)))",
        ),
        ("(and (< x y) (or (< y z) (< z 3)))", "unchanged"),
    ];
    for (constraint, expected) in table {
        let expected = match expected {
            "" => P.to_owned(),
            "unchanged" => expected.to_owned(),
            _ => clause(expected),
        };
        check(Pass::Prune, &clause(constraint), &expected);
    }
}

#[test]
fn equations_of_bit_vectors_hold_where_sums_overflow() {
    // The second is three times the first and 5, modulo 256. The third is even.
    check(
        Pass::Words,
        "(declare-fun p ((_ BitVec 8) (_ BitVec 8) (_ BitVec 8)) Bool)
         (assert (p #x00 #x05 #x00))
         (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8)) (u (_ BitVec 8)))
           (=> (and (p x y z) (or (= u (bvadd z #x02)) (= u (bvmul z #x06)))) (p (bvadd x #x01) (bvadd y #x03) u))))
         (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8)))
           (=> (and (p x y z) (bvult y z)) false)))",
        "(declare-fun p ((_ BitVec 8) (_ BitVec 8)) Bool)
         (assert (p #x00 #x00))
         (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8)) (u (_ BitVec 8))) (=> (and (p x z) \
          (and (= (bvmul z #x80) #x00) (= y (bvadd (bvmul x #x03) #x05)) \
          (or (= u (bvadd z #x02)) (= u (bvmul z #x06))))) (p (bvadd x #x01) u))))
         (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8))) (=> (and (p x z) \
          (and (= (bvmul z #x80) #x00) (= y (bvadd (bvmul x #x03) #x05)) (bvult y z))) false)))",
    );
    // What has no bit-vectors.
    check(
        Pass::Words,
        "(declare-fun p (Int) Bool)
         (assert (p 1))
         (assert (forall ((x Int)) (=> (and (p x) (< x 1)) false)))",
        "unchanged",
    );
}

#[test]
fn bit_vectors_become_integers() {
    let p = "(declare-fun p ((_ BitVec 8) Bool) Bool)\n";
    let integers = |clause: &str, expected: &str| {
        let expected = match expected {
            "unchanged" => expected.to_owned(),
            _ => format!("(declare-fun p (Int Bool) Bool)\n{expected}"),
        };
        check(Pass::Integers, &format!("{p}(assert {clause})"), &expected);
    };
    // What a clause computes with is bounded, and a sum is brought into its range.
    integers(
        "(forall ((x (_ BitVec 8)) (b Bool)) (=> (and (p x b) (bvslt x #x10)) (p (bvadd x #x01) b)))",
        "(assert (forall ((x!0 Int) (b Bool)) (=> (and (p x!0 b) (and (<= (- 128) x!0) (<= x!0 127) (< x!0 16))) (p (ite (<= 128 (+ x!0 1)) (+ x!0 (- 255)) (+ x!0 1)) b))))",
    );
    // What is only passed on is free.
    integers(
        "(forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (b Bool)) (=> (and (p x b) (bvult y #x10)) (p x (= y #x00))))",
        "(assert (forall ((x!0 Int) (y!1 Int) (b Bool)) (=> (and (p x!0 b) (and (<= 0 y!1) (<= y!1 255) (< y!1 16))) (p x!0 (= y!1 0)))))",
    );
    // The sign bit is a comparison; other bits are better left to bit-vectors.
    integers(
        "(forall ((x (_ BitVec 8)) (b Bool)) (=> (and (p x b) (= ((_ extract 7 7) x) #b1)) false))",
        "(assert (forall ((x!0 Int) (b Bool)) (=> (and (p x!0 b) (and (<= (- 128) x!0) (<= x!0 127) (< x!0 0))) false)))",
    );
    for bits in [
        "(= ((_ extract 4 4) x) #b1)",
        "(= (bvand x #x0f) #x00)",
        "(= (bvmul x x) #x00)",
    ] {
        let clause =
            format!("(forall ((x (_ BitVec 8)) (b Bool)) (=> (and (p x b) {bits}) false))");
        integers(&clause, "unchanged");
    }
    // One such operator among many is read as a remainder.
    let many = "(= (bvand x #x0f) (bvadd (bvneg x) #x01)) (bvult x #x10) (bvult #x01 x) (not (bvslt x #x03)) (bvsle x #x09)";
    integers(
        &format!("(forall ((x (_ BitVec 8)) (b Bool)) (=> (and (p x b) {many}) false))"),
        "(assert (forall ((x!0 Int) (b Bool)) (=> (and (p x!0 b) (let ((?0 (ite (<= 0 x!0) x!0 (+ x!0 256)))) (and (<= (- 128) x!0) (<= x!0 127) (= (mod x!0 16) (ite (<= 128 (+ (* (- 1) x!0) 1)) (+ (* (- 1) x!0) (- 255)) (+ (* (- 1) x!0) 1))) (< ?0 16) (< 1 ?0) (<= 3 x!0) (<= x!0 9)))) false)))",
    );
}

/// Bounds of bit-vectors are found where operators on bits are not translated.
#[test]
fn bounds_of_bit_vectors_are_told() {
    check(
        Pass::Ranges,
        "(declare-fun p ((_ BitVec 8) (_ BitVec 8) (_ BitVec 8) Bool) Bool)
         (assert (forall ((z (_ BitVec 8))) (=> (bvslt z #x30) (p #x0a #x02 z true))))
         (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8)) (u (_ BitVec 8)))
           (=> (and (p x y z true) (bvslt y z)) (p x (bvadd y #x01) z (= (bvmul x u) (bvand u z))))))
         (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8)))
           (=> (and (p x y z false) (bvult x y)) false)))",
        "(declare-fun p ((_ BitVec 8) (_ BitVec 8) (_ BitVec 8) Bool) Bool)
         (assert (forall ((z (_ BitVec 8))) (=> (bvslt z #x30) (p #x0a #x02 z true))))
         (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8)) (u (_ BitVec 8))) (=> (and (p x y z true) \
          (and (= x #x0a) (bvsle #x02 y) (bvsle y #x2f) (bvsle z #x2f) (bvslt y z))) \
          (p x (bvadd y #x01) z (= (bvmul x u) (bvand u z))))))
         (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8))) (=> (and (p x y z false) \
          (and (= x #x0a) (bvsle #x02 y) (bvsle y #x2f) (bvsle z #x2f) (bvult x y))) false)))",
    );
    // Without bit-vectors, and without bounds.
    check(
        Pass::Ranges,
        "(declare-fun p (Int) Bool)
         (assert (p 1))
         (assert (forall ((x Int)) (=> (and (p x) (< x 1)) false)))",
        "unchanged",
    );
    check(
        Pass::Ranges,
        "(declare-fun p ((_ BitVec 8)) Bool)
         (assert (forall ((x (_ BitVec 8))) (p x)))
         (assert (forall ((x (_ BitVec 8))) (=> (and (p x) (= (bvmul x x) #x02)) false)))",
        "unchanged",
    );
}
