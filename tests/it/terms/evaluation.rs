//! Evaluation of terms: every operator by tables of SMT-LIB text, and depth.

use super::text::{Text, Vocabulary};
use super::values::assert_term_of_value;
use horn::number::Rational;
use horn::term::{BvOp, Evaluator, Sort, Term, Terms, Undefined, Unspecified, Value};

pub(crate) const DEPTH: usize = 100_000;

/// The value of a text as text, or `! reason: subterm`. The text is an expression, before it
/// perhaps assignments `name := expression;`.
fn evaluate(vocabulary: &mut Vocabulary, input: &str, unspecified: Unspecified) -> String {
    let mut parts: Vec<&str> = input.split(';').collect();
    let body = parts.pop().expect("a split gives a part");
    let mut assignment: Vec<(Term, Value)> = Vec::new();
    for part in parts {
        let (name, value) = part.split_once(":=").expect("an assignment");
        let value = vocabulary.term(&Text::parse(value));
        let known = assignment.iter().chain(vocabulary.hidden()).cloned();
        let value = Evaluator::with(&vocabulary.terms, unspecified, known)
            .eval(value)
            .expect("an assigned value");
        assignment.push((vocabulary.var(name.trim()), value));
    }
    let term = vocabulary.term(&Text::parse(body));
    let t = &vocabulary.terms;
    assignment.extend(vocabulary.hidden().iter().cloned());
    let result = Evaluator::with(t, unspecified, assignment).eval(term);
    match result {
        Ok(value) => {
            assert!(value.is_of(t, t.sort_of(term)), "{input}");
            assert_term_of_value(t, &value, t.sort_of(term));
            t.display(t.value_term(&value, t.sort_of(term))).to_string()
        }
        Err(Undefined { term, reason }) => format!("! {reason}: {}", t.display(term)),
    }
}

/// The value, where what SMT-LIB leaves open is refused: once as the builders make the term, and
/// once with literals hidden from them, so that evaluation has all the work to do.
fn check(input: &str, expected: &str) {
    let mut plain = Vocabulary::new();
    assert_eq!(
        evaluate(&mut plain, input, Unspecified::Refuse),
        expected,
        "{input}"
    );
    let mut hiding = Vocabulary::new();
    hiding.hide_literals();
    let value = evaluate(&mut hiding, input, Unspecified::Refuse);
    match expected.rsplit_once(':') {
        Some((reason, _)) if expected.starts_with('!') => {
            assert!(value.starts_with(reason), "{value}")
        }
        _ => assert_eq!(value, expected, "{input} with variables for its literals"),
    }
}

/// The value, where what SMT-LIB leaves open has a default.
fn check_default(input: &str, expected: &str) {
    assert_eq!(
        evaluate(&mut Vocabulary::new(), input, Unspecified::Default),
        expected,
        "{input}"
    );
}

#[test]
fn booleans() {
    for (input, expected) in [
        ("(not true)", "false"),
        ("(and true false true)", "false"),
        ("(and true true)", "true"),
        ("(or false true)", "true"),
        ("(or false false)", "false"),
        ("(=> false false)", "true"),
        ("(=> true false)", "false"),
        ("(xor true false)", "true"),
        ("(= true true false)", "false"),
        ("(distinct 1 2 3)", "true"),
        ("(distinct 1 2 1)", "false"),
        ("(ite (< 1 2) 3 4)", "3"),
        ("(ite (< 2 1) 3 4)", "4"),
        ("p := true; q := false; (= p (not q))", "true"),
    ] {
        check(input, expected);
    }
}

#[test]
fn integers() {
    for (input, expected) in [
        ("(+ 1 2 3)", "6"),
        ("(- 5)", "(- 5)"),
        ("(- 3 5)", "(- 2)"),
        ("(* 2 3 4)", "24"),
        (
            "(* 9223372036854775807 9223372036854775807)",
            "85070591730234615847396907784232501249",
        ),
        ("(- (- 9223372036854775808))", "9223372036854775808"),
        ("(div 7 2)", "3"),
        ("(mod 7 2)", "1"),
        ("(div (- 7) 2)", "(- 4)"),
        ("(mod (- 7) 2)", "1"),
        ("(div 7 (- 2))", "(- 3)"),
        ("(mod 7 (- 2))", "1"),
        ("(div (- 7) (- 2))", "4"),
        ("(mod (- 7) (- 2))", "1"),
        ("(div 6 (- 3))", "(- 2)"),
        ("(mod (- 6) 3)", "0"),
        ("(div 0 5)", "0"),
        ("(div (- 1) 1000000000000000000000)", "(- 1)"),
        (
            "(mod (- 1) 1000000000000000000000)",
            "999999999999999999999",
        ),
        ("((_ divisible 3) (- 9))", "true"),
        ("((_ divisible 3) 10)", "false"),
        ("(abs (- 5))", "5"),
        ("(abs 5)", "5"),
        ("(<= 2 2)", "true"),
        ("(< 2 2)", "false"),
        ("(>= 1 2)", "false"),
        ("(> 3 2 1)", "true"),
        ("(< 1 3 2)", "false"),
        ("(to_real 5)", "5.0"),
    ] {
        check(input, expected);
    }
}

#[test]
fn reals() {
    for (input, expected) in [
        ("(+ 0.5 0.25)", "(/ 3.0 4.0)"),
        ("(/ 1.0 (- 3.0))", "(- (/ 1.0 3.0))"),
        ("(* 0.5 4.0)", "2.0"),
        ("(to_int 2.5)", "2"),
        ("(to_int (- 2.5))", "(- 3)"),
        ("(to_int (- 3.0))", "(- 3)"),
        ("(is_int 2.5)", "false"),
        ("(is_int 2.0)", "true"),
        ("(< (/ 1.0 3.0) 0.334)", "true"),
        ("(= (to_real 2) 2.0)", "true"),
        ("(- 0.0)", "0.0"),
    ] {
        check(input, expected);
    }
}

#[test]
fn unspecified_results() {
    for (input, refused, default) in [
        ("x := 7; (div x 0)", "! division by zero: (div x 0)", "0"),
        ("x := 7; (mod x 0)", "! division by zero: (mod x 0)", "7"),
        (
            "r := 0.5; (/ r 0.0)",
            "! division by zero: (/ r 0.0)",
            "0.0",
        ),
        (
            "(head nil)",
            "! selector of another constructor: (head nil)",
            "0",
        ),
        (
            "(tail nil)",
            "! selector of another constructor: (tail nil)",
            "nil",
        ),
        (
            "(kids (leaf 1))",
            "! selector of another constructor: (kids (leaf 1))",
            "((as const (Array Int Tree)) (leaf 0))",
        ),
    ] {
        check(input, refused);
        check_default(input, default);
    }
}

#[test]
fn undefined_subterms_that_do_not_matter() {
    let open = "(< (div x 0) 1)";
    for (input, expected) in [
        ("(and OPEN (= x 1))", "false"),
        ("(and (= x 1) OPEN)", "false"),
        ("(and OPEN (= x 0))", "! division by zero: (div x 0)"),
        ("(or OPEN (= x 0))", "true"),
        ("(or OPEN (= x 1))", "! division by zero: (div x 0)"),
        ("(=> OPEN (= x 0))", "true"),
        ("(=> (= x 1) OPEN)", "true"),
        ("(not OPEN)", "! division by zero: (div x 0)"),
        ("(ite (= x 0) 5 (div x 0))", "5"),
        ("(ite (= x 1) (div x 0) 5)", "5"),
        ("(ite OPEN (+ x 1) 1)", "1"),
        ("(ite OPEN x 1)", "! division by zero: (div x 0)"),
        (
            "(= (head nil) (div x 0))",
            "! selector of another constructor: (head nil)",
        ),
        ("(select (store a 1 (div x 0)) 2)", "! no value assigned: a"),
        ("(and (< y 0) (< x 0))", "false"),
        ("(and (< y 0) (<= x 0))", "! no value assigned: y"),
        ("(or (forall ((y Int)) (< y x)) (<= x 0))", "true"),
        (
            "(forall ((y Int)) (< y x))",
            "! quantifier: (forall ((y Int)) (< y x))",
        ),
    ] {
        let mut vocabulary = Vocabulary::new();
        let input = format!("x := 0; {}", input.replace("OPEN", open));
        assert_eq!(
            evaluate(&mut vocabulary, &input, Unspecified::Refuse),
            expected,
            "{input}"
        );
    }
}

#[test]
fn arrays() {
    let zero = "a := ((as const (Array Int Int)) 0);";
    for (input, expected) in [
        ("(select a 5)", "0"),
        ("(select (store a 5 7) 5)", "7"),
        ("(select (store a 5 7) 6)", "0"),
        ("(select (store (store a 5 7) 5 8) 5)", "8"),
        (
            "(store (store a 5 7) 1 8)",
            "(store (store ((as const (Array Int Int)) 0) 1 8) 5 7)",
        ),
        (
            "(store (store a 5 7) 5 0)",
            "((as const (Array Int Int)) 0)",
        ),
        (
            "(= (store (store a 1 2) 3 4) (store (store a 3 4) 1 2))",
            "true",
        ),
        ("(= (store a 1 2) a)", "false"),
        ("(= (store a 1 0) a)", "true"),
        ("(= a ((as const (Array Int Int)) 1))", "false"),
        (
            "b := (store a 2 (+ (select a 2) 1)); (select (store b 3 4) 2)",
            "1",
        ),
    ] {
        check(&format!("{zero} {input}"), expected);
    }
}

#[test]
fn arrays_over_finite_index_sorts_are_equal_as_functions() {
    // Pairs of texts for the same function.
    for (one, other) in [
        (
            "(store (store ((as const (Array Bool Int)) 7) true 1) false 2)",
            "(store ((as const (Array Bool Int)) 1) false 2)",
        ),
        (
            "(store (store ((as const (Array Bool Int)) 7) true 1) false 1)",
            "((as const (Array Bool Int)) 1)",
        ),
        (
            "(store (store (store ((as const (Array Color Int)) 7) red 1) green 1) blue 2)",
            "(store ((as const (Array Color Int)) 1) blue 2)",
        ),
        (
            "(store (store ((as const (Array (_ BitVec 2) Bool)) true) #b00 false) #b01 false)",
            "(store (store ((as const (Array (_ BitVec 2) Bool)) false) #b10 true) #b11 true)",
        ),
        (
            "(store (store ((as const (Array (Array Bool Bool) Int)) 0)
                (store ((as const (Array Bool Bool)) true) false false) 5)
                (store ((as const (Array Bool Bool)) false) true true) 6)",
            "(store ((as const (Array (Array Bool Bool) Int)) 0)
                (store ((as const (Array Bool Bool)) false) true true) 6)",
        ),
        (
            "(store (store (store (store (store (store ((as const (Array Box Int)) 9) (box red true) 0)
                (box red false) 1) (box green true) 2) (box green false) 3) (box blue true) 4) (box blue false) 0)",
            "(store (store (store (store ((as const (Array Box Int)) 0)
                (box red false) 1) (box green true) 2) (box green false) 3) (box blue true) 4)",
        ),
    ] {
        check(&format!("(= {one} {other})"), "true");
        let mut vocabulary = Vocabulary::new();
        let print = |v: &mut Vocabulary, text| evaluate(v, text, Unspecified::Refuse);
        assert_eq!(print(&mut vocabulary, one), print(&mut vocabulary, other));
    }
    check(
        "(= (store ((as const (Array Bool Int)) 7) true 1) ((as const (Array Bool Int)) 7))",
        "false",
    );
    check(
        "(= (store ((as const (Array U Int)) 7) U!val!0 7) ((as const (Array U Int)) 7))",
        "true",
    );
}

#[test]
fn datatypes() {
    for (input, expected) in [
        ("(head (cons 1 nil))", "1"),
        ("(tail (cons 1 (cons 2 nil)))", "(cons 2 nil)"),
        ("((_ is cons) (cons 1 nil))", "true"),
        ("((_ is nil) (cons 1 nil))", "false"),
        ("(= (cons 1 nil) (cons 1 nil))", "true"),
        ("(= (cons 1 nil) (cons 2 nil))", "false"),
        ("(= (cons 1 nil) nil)", "false"),
        ("l := (cons 1 nil); k := (cons 2 l); (head (tail k))", "1"),
        ("c := blue; (= c green)", "false"),
        ("(left (box green true))", "green"),
        (
            "(tag (select (kids (node (store ((as const (Array Int Tree)) (leaf 0)) 3 (leaf 4)))) 3))",
            "4",
        ),
    ] {
        check(input, expected);
    }
}

#[test]
fn uninterpreted_sorts() {
    for (input, expected) in [
        ("e := U!val!1; f := U!val!1; (= e f)", "true"),
        ("e := U!val!1; f := U!val!2; (= e f)", "false"),
        ("e := U!val!1; e", "U!val!1"),
        ("e", "! no value assigned: e"),
        ("U!val!01", "! no value assigned: U!val!01"),
    ] {
        check(input, expected);
    }
}

#[test]
fn bit_vectors() {
    for (input, expected) in [
        ("(bvnot #b0101)", "#b1010"),
        ("(bvand #b0101 #b0110 #b1100)", "#b0100"),
        ("(bvor #b0101 #b0110)", "#b0111"),
        ("(bvxor #b0101 #b0110)", "#b0011"),
        ("(bvneg #b0001)", "#b1111"),
        ("(bvneg #b1000)", "#b1000"),
        ("(bvneg #b0000)", "#b0000"),
        ("(bvadd #xff #x02)", "#x01"),
        ("(bvmul #x10 #x11)", "#x10"),
        ("(bvmul #xff #xff #xff)", "#xff"),
        ("(bvudiv #x07 #x02)", "#x03"),
        ("(bvudiv #x07 #x00)", "#xff"),
        ("(bvurem #x07 #x02)", "#x01"),
        ("(bvurem #x07 #x00)", "#x07"),
        ("(bvsdiv #x07 #xfe)", "#xfd"),
        ("(bvsdiv #xf9 #x02)", "#xfd"),
        ("(bvsdiv #xf9 #xfe)", "#x03"),
        ("(bvsdiv #x80 #xff)", "#x80"),
        ("(bvsdiv #x07 #x00)", "#xff"),
        ("(bvsdiv #xf9 #x00)", "#x01"),
        ("(bvsrem #x07 #xfe)", "#x01"),
        ("(bvsrem #xf9 #x02)", "#xff"),
        ("(bvsrem #xf9 #xfe)", "#xff"),
        ("(bvsrem #xf9 #x00)", "#xf9"),
        ("(bvsrem #x80 #xff)", "#x00"),
        ("(bvsmod #x07 #xfd)", "#xfe"),
        ("(bvsmod #xf9 #x03)", "#x02"),
        ("(bvsmod #xf9 #xfd)", "#xff"),
        ("(bvsmod #x07 #x03)", "#x01"),
        ("(bvsmod #x06 #xfd)", "#x00"),
        ("(bvsmod #xf9 #x00)", "#xf9"),
        ("(bvsmod #x07 #x00)", "#x07"),
        ("(bvshl #x81 #x01)", "#x02"),
        ("(bvshl #x81 #x08)", "#x00"),
        ("(bvshl #x81 #xff)", "#x00"),
        ("(bvlshr #x81 #x01)", "#x40"),
        ("(bvlshr #x81 #x08)", "#x00"),
        ("(bvashr #x81 #x01)", "#xc0"),
        ("(bvashr #x81 #x08)", "#xff"),
        ("(bvashr #x81 #xff)", "#xff"),
        ("(bvashr #x41 #x09)", "#x00"),
        ("(concat #xa #x5b)", "#xa5b"),
        ("((_ extract 5 2) #b10110100)", "#b1101"),
        ("((_ extract 7 7) #x80)", "#b1"),
        ("((_ zero_extend 4) #xa)", "#x0a"),
        ("((_ sign_extend 4) #xa)", "#xfa"),
        ("((_ sign_extend 4) #x5)", "#x05"),
        ("((_ zero_extend 0) #x5)", "#x5"),
        ("((_ rotate_left 1) #b1000)", "#b0001"),
        ("((_ rotate_left 5) #b1000)", "#b0001"),
        ("((_ rotate_left 0) #b1000)", "#b1000"),
        ("((_ rotate_right 1) #b0001)", "#b1000"),
        ("((_ rotate_right 6) #b0001)", "#b0100"),
        ("((_ rotate_right 4) #b0011)", "#b0011"),
        ("((_ repeat 3) #b01)", "#b010101"),
        ("((_ repeat 1) #b01)", "#b01"),
        ("(bvult #x7f #x80)", "true"),
        ("(bvule #x80 #x80)", "true"),
        ("(bvult #x80 #x80)", "false"),
        ("(bvslt #x7f #x80)", "false"),
        ("(bvslt #x80 #x7f)", "true"),
        ("(bvsle #xff #x00)", "true"),
        ("(bvsle #x00 #xff)", "false"),
        ("(bvcomp #x12 #x12)", "#b1"),
        ("(bvcomp #x12 #x13)", "#b0"),
        ("(bv2nat #xff)", "255"),
        ("((_ int2bv 8) 257)", "#x01"),
        ("((_ int2bv 8) (- 1))", "#xff"),
        ("(= #x0a (_ bv10 8))", "true"),
        (
            "(bvadd (_ bv340282366920938463463374607431768211455 128) (_ bv2 128))",
            "#x00000000000000000000000000000001",
        ),
    ] {
        check(&format!("(= {input} {expected})"), "true");
    }
}

#[test]
fn bit_vectors_print() {
    check("(bvadd #x01 #x02)", "#x03");
    check(
        "(select (store ((as const (Array (_ BitVec 4) Bool)) false) #xf true) #xf)",
        "true",
    );
}

/// Division laws of SMT-LIB for all pairs of four bits, against machine arithmetic.
#[test]
fn signed_division_of_four_bits() {
    let t = Terms::new();
    let sort = t.bitvec_sort(4);
    let (x, y) = (t.var("x", sort), t.var("y", sort));
    let signed = |n: i64| if n < 8 { n } else { n - 16 };
    for (i, j) in (0..16_i64).flat_map(|i| (0..16_i64).map(move |j| (i, j))) {
        let constant = |n: i64| t.ground_value(t.bitvec(&n.into(), 4)).expect("a constant");
        let mut evaluator = Evaluator::with(
            &t,
            Unspecified::Refuse,
            [(x, constant(i)), (y, constant(j))],
        );
        let mut value = |op| {
            let value = evaluator.eval(t.bv(op, &[x, y])).expect("total");
            value
                .as_bitvec()
                .expect("a bit-vector")
                .signed()
                .to_string()
        };
        let (a, b) = (signed(i), signed(j));
        let expected = match b {
            0 => [if a < 0 { 1 } else { -1 }, a, a],
            // The remainder of a floor division has the sign of the divisor.
            _ => [a / b, a % b, a - b * (a as f64 / b as f64).floor() as i64],
        };
        let wrapped = expected.map(|n| signed(n.rem_euclid(16)).to_string());
        assert_eq!(
            [BvOp::Sdiv, BvOp::Srem, BvOp::Smod].map(&mut value),
            wrapped,
            "{a} {b}"
        );
    }
}

#[test]
fn deep_terms() {
    let t = Terms::new();
    let (x, p) = (t.var("x", Sort::INT), t.var("p", Sort::BOOL));
    let ints = t.array_sort(Sort::INT, Sort::INT);
    let a = t.var("a", ints);
    let deep = |start: Term, wrap: &dyn Fn(usize, Term) -> Term| {
        (0..DEPTH).fold(start, |term, i| wrap(i, term))
    };
    let array = t
        .ground_value(t.const_array(ints, t.int(0)))
        .expect("an array");
    let assignment = [(x, 1_i64.into()), (p, true.into()), (a, array)];
    let mut evaluator = Evaluator::with(&t, Unspecified::Refuse, assignment);
    let number = |i: usize| t.int(i64::try_from(i).expect("small"));
    let sums = deep(x, &|_, y| t.abs(t.neg(y)));
    assert_eq!(evaluator.eval_number(sums), Ok(Rational::one()));
    let doubling = deep(x, &|_, y| t.modulo(t.add([y, y]), t.int(7)));
    assert_eq!(evaluator.eval_number(doubling), Ok(Rational::from(2)));
    let nested = deep(p, &|i, f| {
        if i % 2 == 0 {
            t.or([f, t.not(p)])
        } else {
            t.and([f, p])
        }
    });
    assert_eq!(evaluator.eval_bool(nested), Ok(true));
    let choices = deep(x, &|i, y| t.ite(t.le(x, number(i)), y, t.neg(y)));
    assert_eq!(evaluator.eval_number(choices), Ok(Rational::from(-1)));
    let stores = deep(a, &|i, b| t.store(b, t.add([x, number(i)]), number(i)));
    assert_eq!(
        evaluator.eval_number(t.select(stores, x)),
        Ok(Rational::zero())
    );
    assert_eq!(
        evaluator.eval_number(t.select(stores, t.int(500))),
        Ok(Rational::from(499))
    );
    let reads = deep(x, &|_, i| t.select(a, i));
    assert_eq!(evaluator.eval_number(reads), Ok(Rational::zero()));
}

#[test]
fn wide_connectives_take_linear_time() {
    let t = Terms::new();
    let vars: Vec<Term> = (0..DEPTH)
        .map(|i| t.var(&format!("p{i}"), Sort::BOOL))
        .collect();
    // Each argument has to be evaluated first, one after the other.
    let parts = vars.windows(2).map(|w| t.eq(w[0], w[1]));
    let all = t.and(parts);
    let values = vars.iter().map(|&v| (v, Value::Bool(true)));
    assert!(Evaluator::with(&t, Unspecified::Refuse, values).holds(all));
}

#[test]
fn numbers_that_no_memory_holds() {
    let t = Terms::new();
    let x = t.var("x", Sort::INT);
    let tower = (0..60).fold(x, |y, i| {
        t.mul([t.add([y, t.int(i)]), t.add([y, t.int(i + 1)])])
    });
    let value = Evaluator::with(&t, Unspecified::Default, [(x, 2_i64.into())]).eval(tower);
    assert_eq!(
        value.expect_err("too large").reason.to_string(),
        "value too large"
    );
}

#[test]
fn applications_have_the_values_they_are_assigned() {
    let t = Terms::new();
    let f = t.declare(t.symbol("f"), &[Sort::INT], Sort::INT);
    let (x, one) = (t.var("x", Sort::INT), t.int(1));
    let sum = t.add([t.apply(f, &[one]), t.apply(f, &[x])]);
    let mut evaluator = Evaluator::new(&t, Unspecified::Default);
    evaluator.assign(t.apply(f, &[one]), 5_i64.into());
    let undefined = evaluator.eval(sum).expect_err("no value of (f x)");
    assert_eq!(undefined.term, t.apply(f, &[x]));
    evaluator.assign(t.apply(f, &[x]), 6_i64.into());
    assert_eq!(evaluator.eval_number(sum), Ok(Rational::from(11)));
}
