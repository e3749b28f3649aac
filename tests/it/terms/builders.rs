//! The simplifying builders against the reference: whatever they make of a text must mean what the
//! text means.
//!
//! Texts are grown from a sequence of random bytes, each a choice; where the sequence ends the
//! smallest choice is taken. So shrinking the sequence shrinks the text.

use super::reference::{Reference, means};
use super::text::{Text, VARS, Vocabulary};
use horn::number::Rational;
use horn::term::{BvOp, Evaluator, LinearSum, Op, Sort, Term, Terms, Unspecified, Value};
use proptest::prelude::*;
use std::collections::HashMap;

/// The sorts for which texts are grown, and their leaves.
const SORTS: [(&str, &[&str]); 9] = [
    ("Bool", &["p", "q", "true", "false"]),
    (
        "Int",
        &[
            "0",
            "1",
            "x",
            "y",
            "z",
            "2",
            "3",
            "7",
            "9223372036854775807",
            "100000000000000000000",
        ],
    ),
    (
        "Real",
        &[
            "0.0",
            "1.0",
            "r",
            "s",
            "0.5",
            "3.25",
            "100000000000000000000.125",
        ],
    ),
    (
        "(_ BitVec 8)",
        &[
            "#x00", "v", "w", "#x01", "#x7f", "#x80", "#xff", "#x05", "#x0b",
        ],
    ),
    (
        "(Array Int Int)",
        &["a", "b", "((as const (Array Int Int)) 0)"],
    ),
    (
        "(Array Bool Int)",
        &["m", "((as const (Array Bool Int)) 1)"],
    ),
    ("List", &["nil", "l", "k"]),
    ("Color", &["red", "c", "green", "blue"]),
    ("U", &["e", "f", "U!val!1"]),
];

/// For each of the [`SORTS`] operators with the sorts of their arguments: `B`ool, `I`nt, `R`eal,
/// bit-`V`ector, `A`rray by `Int`, array by `Bool` (`M`), `L`ist, `C`olor, `U`; `*` is any sort,
/// the same for all.
const OPERATORS: [&[(&str, &str)]; 9] = [
    &[
        ("not", "B"),
        ("and", "BB"),
        ("or", "BB"),
        ("=", "**"),
        ("ite", "BBB"),
        ("<=", "II"),
        ("<", "II"),
        ("and", "BBB"),
        ("or", "BBBB"),
        ("and", "B"),
        ("or", "B"),
        ("=>", "BB"),
        ("xor", "BB"),
        ("=", "***"),
        ("distinct", "**"),
        ("distinct", "***"),
        (">=", "II"),
        (">", "III"),
        ("<=", "RR"),
        ("<", "RRR"),
        (">=", "RR"),
        (">", "RR"),
        ("is_int", "R"),
        ("(_ is cons)", "L"),
        ("(_ is nil)", "L"),
        ("(_ is red)", "C"),
        ("bvult", "VV"),
        ("bvule", "VV"),
        ("bvslt", "VV"),
        ("bvsle", "VV"),
        ("(_ divisible 3)", "I"),
    ],
    &[
        ("+", "II"),
        ("-", "I"),
        ("-", "II"),
        ("*", "II"),
        ("ite", "BII"),
        ("div", "II"),
        ("mod", "II"),
        ("abs", "I"),
        ("+", "III"),
        ("*", "III"),
        ("to_int", "R"),
        ("select", "AI"),
        ("select", "MB"),
        ("head", "L"),
        ("bv2nat", "V"),
    ],
    &[
        ("+", "RR"),
        ("-", "R"),
        ("-", "RR"),
        ("*", "RR"),
        ("ite", "BRR"),
        ("/", "RR"),
        ("to_real", "I"),
        ("+", "RRR"),
    ],
    &[
        ("bvnot", "V"),
        ("bvneg", "V"),
        ("bvand", "VV"),
        ("bvor", "VVV"),
        ("bvxor", "VV"),
        ("bvadd", "VV"),
        ("bvadd", "VVV"),
        ("bvmul", "VV"),
        ("bvudiv", "VV"),
        ("bvurem", "VV"),
        ("bvsdiv", "VV"),
        ("bvsrem", "VV"),
        ("bvsmod", "VV"),
        ("bvshl", "VV"),
        ("bvlshr", "VV"),
        ("bvashr", "VV"),
        ("ite", "BVV"),
        ("(_ rotate_left 3)", "V"),
        ("(_ rotate_right 11)", "V"),
        ("(_ int2bv 8)", "I"),
        ("(_ extract 7 0)", "V"),
        ("low to high", "VV"),
        ("cut high", "VV"),
        ("cut low", "VV"),
        ("cut extended", "V"),
        ("extended", "V"),
        ("repeated", "V"),
        ("compared", "VV"),
    ],
    &[
        ("store", "AII"),
        ("store", "AII"),
        ("ite", "BAA"),
        ("(as const (Array Int Int))", "I"),
    ],
    &[
        ("store", "MBI"),
        ("store", "MBI"),
        ("ite", "BMM"),
        ("(as const (Array Bool Int))", "I"),
    ],
    &[("cons", "IL"), ("tail", "L"), ("ite", "BLL")],
    &[("ite", "BCC")],
    &[("ite", "BUU")],
];

/// Operators on bit-vectors of 8 bits that are composed of those whose results have other widths.
fn composed(name: &str, args: &[Text]) -> Option<Text> {
    let (x, y) = (&args[0], &args[args.len() - 1]);
    Some(Text::parse(&match name {
        "low to high" => format!("(concat ((_ extract 2 0) {x}) ((_ extract 7 3) {y}))"),
        "extended" => format!("((_ extract 9 2) ((_ sign_extend 3) ((_ zero_extend 0) {x})))"),
        "cut high" => format!(
            "(concat ((_ extract 7 5) {x}) ((_ extract 4 0) (concat ((_ extract 1 0) {y}) ((_ extract 7 2) {x}))))"
        ),
        "cut low" => format!(
            "(concat ((_ extract 4 0) {y}) ((_ extract 8 6) (concat ((_ extract 3 1) {x}) ((_ extract 6 1) {y}))))"
        ),
        "cut extended" => {
            format!("((_ sign_extend 3) ((_ extract 6 2) ((_ sign_extend 4) {x})))")
        }
        "repeated" => format!("((_ repeat 4) ((_ extract 5 4) {x}))"),
        "compared" => format!("((_ zero_extend 7) (bvcomp {x} {y}))"),
        _ => return None,
    }))
}

/// Random choices; 0 when they are used up.
struct Choices(std::vec::IntoIter<u8>);

impl Choices {
    fn below(&mut self, bound: usize) -> usize {
        usize::from(self.0.next().unwrap_or(0)) % bound
    }

    /// A text of the sort of that position in [`SORTS`].
    fn text(&mut self, sort: usize, depth: u32) -> Text {
        let (_, leaves) = SORTS[sort];
        // A third of the inner nodes are leaves, and all are when the choices are used up.
        if depth == 0 || self.below(3) == 0 {
            return Text::parse(leaves[self.below(leaves.len())]);
        }
        let (name, letters) = OPERATORS[sort][self.below(OPERATORS[sort].len())];
        let any = self.below(SORTS.len());
        let letter_sort = |letter| "BIRVAMLCU".find(letter).unwrap_or(any);
        let args: Vec<Text> = letters
            .chars()
            .map(|letter| self.text(letter_sort(letter), depth - 1))
            .collect();
        composed(name, &args).unwrap_or_else(|| {
            let head = std::iter::once(Text::parse(name));
            Text::List(head.chain(args).collect())
        })
    }
}

/// A text and values for the variables, from random bytes.
fn example() -> impl Strategy<Value = (usize, Text, Vec<Text>)> {
    let bytes = prop::collection::vec(any::<u8>(), 0..200);
    let values = prop::collection::vec(any::<u8>(), 0..100);
    (0..SORTS.len(), bytes, values).prop_map(|(sort, bytes, values)| {
        let text = Choices(bytes.into_iter()).text(sort, 6);
        let mut choices = Choices(values.into_iter());
        let values = VARS
            .iter()
            .map(|(_, sort)| ground(&mut choices, sort))
            .collect();
        (sort, text, values)
    })
}

/// A text without variables for a value of that sort.
fn ground(choices: &mut Choices, sort: &str) -> Text {
    let pick = |choices: &mut Choices, from: &[&str]| Text::parse(from[choices.below(from.len())]);
    let number = |choices: &mut Choices| {
        pick(
            choices,
            &[
                "0",
                "1",
                "(- 1)",
                "2",
                "3",
                "(- 7)",
                "9223372036854775807",
                "(- 9223372036854775808)",
            ],
        )
    };
    let text = match sort {
        "Bool" => return pick(choices, &["true", "false"]),
        "Int" => return number(choices),
        "Real" => return pick(choices, &["0.0", "1.0", "(- 0.5)", "2.75", "(/ 1.0 3.0)"]),
        "(_ BitVec 8)" => {
            return pick(
                choices,
                &["#x00", "#x01", "#xff", "#x80", "#x7f", "#x05", "#xfb"],
            );
        }
        "Color" => return pick(choices, &["red", "green", "blue"]),
        "U" => return pick(choices, &["U!val!0", "U!val!1"]),
        "List" => {
            let elements: Vec<Text> = (0..choices.below(3)).map(|_| number(choices)).collect();
            elements.iter().fold("nil".to_owned(), |tail, head| {
                format!("(cons {head} {tail})")
            })
        }
        _ => {
            let mut array = format!("((as const {sort}) {})", number(choices));
            for _ in 0..choices.below(4) {
                let index = if sort.contains("Bool") {
                    ground(choices, "Bool")
                } else {
                    number(choices)
                };
                array = format!("(store {array} {index} {})", number(choices));
            }
            array
        }
    };
    Text::parse(&text)
}

/// A sum within a sum, and the like, is small with at most this number of arguments.
const SMALL: usize = 8;

/// The form that [`Op`] promises of every term.
fn assert_normal(t: &Terms, root: Term) {
    for term in t.post_order([root]) {
        let args = t.args(term);
        let nests = |op: Op| {
            let small = |&&arg: &&Term| t.op(arg) == op && t.args(arg).len() <= SMALL;
            args.iter().find(small).is_some()
        };
        let ops: Vec<Op> = args.iter().map(|&arg| t.op(arg)).collect();
        let shown = t.display(term);
        assert!(
            args.iter().all(|arg| *arg < term),
            "{shown} is older than its arguments"
        );
        match t.op(term) {
            Op::Not => assert!(
                !matches!(ops[0], Op::Not | Op::True | Op::False | Op::Le | Op::Lt),
                "{shown}"
            ),
            op @ (Op::And | Op::Or) => {
                assert!(
                    !nests(op) && !ops.contains(&Op::True) && !ops.contains(&Op::False),
                    "{shown}"
                );
                let mut distinct = args.to_vec();
                distinct.sort();
                distinct.dedup();
                assert!(distinct.len() == args.len() && args.len() >= 2, "{shown}");
            }
            Op::Eq => {
                let constant = |arg| t.is_distinct_constant(arg);
                assert!(
                    !constant(args[0]) && (constant(args[1]) || args[0] < args[1]),
                    "{shown}"
                );
            }
            op @ (Op::Add | Op::Mul) => {
                let constants = args
                    .iter()
                    .filter(|&&arg| t.as_number(arg).is_some())
                    .count();
                let place = if op == Op::Add { args.len() - 1 } else { 0 };
                let unit =
                    |c: &horn::number::Rational| c.is_zero() || (op == Op::Mul && c.is_one());
                assert!(!nests(op) && args.len() >= 2, "{shown}");
                assert!(
                    constants <= 1 && (constants == 0) == t.as_number(args[place]).is_none(),
                    "{shown}"
                );
                assert!(!t.as_number(args[place]).is_some_and(unit), "{shown}");
            }
            Op::Bv(BvOp::Neg) => assert!(
                t.as_bitvec(args[0]).is_none() && !nests(Op::Bv(BvOp::Neg)),
                "{shown}"
            ),
            Op::Bv(op @ (BvOp::Add | BvOp::Mul)) => {
                let (last, others) = args.split_last().expect("a sum has arguments");
                assert!(!nests(Op::Bv(op)) && !others.is_empty(), "{shown}");
                let is_literal = |arg: &Term| t.as_bitvec(*arg).is_some();
                assert!(!others.iter().any(is_literal), "{shown}");
                let unit = t
                    .as_bitvec(*last)
                    .is_some_and(|c| c.is_zero() || (op == BvOp::Mul && c.is_one()));
                assert!(!unit, "{shown}");
            }
            _ => {}
        }
    }
}

/// Everything that must hold of one text under one assignment.
fn check(sort: usize, text: &Text, values: &[Text]) {
    let mut vocabulary = Vocabulary::new();
    let mut reference = Reference {
        assignment: HashMap::new(),
        refuse: false,
    };
    let mut assignment: Vec<(Term, Value)> = Vec::new();
    for ((name, _), value) in VARS.iter().zip(values) {
        let meaning = reference.eval(value).expect("a ground value");
        let term = vocabulary.term(value);
        let ground = vocabulary.terms.ground_value(term).expect("a ground value");
        assert!(
            means(&vocabulary.terms, &ground, &meaning),
            "{value} is {meaning:?}"
        );
        assignment.push((vocabulary.var(name), ground));
        reference.assignment.insert((*name).to_owned(), meaning);
    }
    let total = reference
        .eval(text)
        .expect("every text has a meaning with defaults");
    reference.refuse = true;
    let certain = reference.eval(text);

    let term = vocabulary.term(text);
    let t = &vocabulary.terms;
    assert_eq!(
        t.sort_of(term),
        vocabulary.sort(&Text::parse(SORTS[sort].0))
    );
    assert_normal(t, term);
    let mut refusing = Evaluator::with(t, Unspecified::Refuse, assignment.clone());
    let mut evaluator = Evaluator::with(t, Unspecified::Default, assignment.clone());
    let agrees = |value: &Value, what: &str| {
        assert!(
            means(t, value, &total),
            "{what}: {value:?} for {total:?}: {}",
            t.display(term)
        );
    };
    agrees(&evaluator.eval(term).expect("all is assigned"), "built");
    // Simplification may make a term independent of what is open, never the other way round.
    match refusing.eval(term) {
        Ok(value) => agrees(&value, "without defaults"),
        Err(undefined) => {
            assert!(
                certain.is_none(),
                "{undefined} for {certain:?}: {}",
                t.display(term)
            );
        }
    }
    // Values in the place of variables: the builders fold constants.
    let constants: Vec<(Term, Term)> = assignment
        .iter()
        .map(|(var, value)| (*var, t.value_term(value, t.sort_of(*var))))
        .collect();
    let folded = t.substitute(term, constants);
    assert_normal(t, folded);
    agrees(
        &Evaluator::new(t, Unspecified::Default)
            .eval(folded)
            .expect("ground"),
        "substituted",
    );
    if t.sort_of(term) == Sort::BOOL {
        let negated = evaluator.eval(t.not(term)).expect("all is assigned");
        agrees(
            &Value::Bool(!negated.as_bool().expect("a truth value")),
            "negated twice",
        );
    }
    if t.sort_of(term).is_arith() {
        let sum = t.sum_term(&t.linear_sum(term), t.sort_of(term));
        agrees(
            &evaluator.eval(sum).expect("all is assigned"),
            "as a linear sum",
        );
    }
}

proptest! {
    #![proptest_config(crate::harness::cases(5000))]

    #[test]
    fn builders_keep_the_meaning((sort, text, values) in example()) {
        check(sort, &text, &values);
    }
}

/// An integer as a text.
fn integer(value: i64) -> String {
    match value < 0 {
        true => format!("(- {})", -value),
        false => value.to_string(),
    }
}

proptest! {
    #![proptest_config(crate::harness::cases(2000))]

    /// Choices between values that may differ by multiples of the divisor, or by less.
    #[test]
    fn remainders_of_choices_keep_the_meaning(
        values in [-9_i64..=9, -9_i64..=9, -9_i64..=9],
        bounds in [-9_i64..=9, -9_i64..=9],
        steps in [-2_i64..=2, -2_i64..=2],
        step in prop::sample::select(vec![1_i64, 2, 4, 6, 8]),
        factor in -4_i64..=4,
        divisor in prop::sample::select(vec![1_i64, 2, 3, 4, 6, 8, 16, -8]),
    ) {
        let [low, high] = bounds.map(integer);
        let [below, above] = steps.map(|n| integer(n * step));
        let text = format!(
            "(mod (+ 5 z (* {} (ite (<= {high} (+ x y)) (+ x y {above})
                (ite (< (+ x y) {low}) (+ {below} y x) (+ x y))))) {})",
            integer(factor),
            integer(divisor),
        );
        let booleans = ["true", "false"].map(str::to_owned).into_iter();
        let values = booleans.chain(values.map(integer));
        let values: Vec<Text> = values.map(|value| Text::parse(&value)).collect();
        check(1, &Text::parse(&text), &values);
    }
}

/// A product of which a factor is a negated product is one product.
#[test]
fn negated_products_are_flat() {
    let t = Terms::new();
    let v = t.var("v", t.bitvec_sort(8));
    let square = t.bv(BvOp::Mul, &[v, v]);
    let negated = t.bv(BvOp::Neg, &[square]);
    for (product, places) in [([negated, v], 3), ([negated, negated], 4)] {
        let term = t.bv(BvOp::Mul, &product);
        let product = match t.op(term) {
            Op::Bv(BvOp::Neg) => t.args(term)[0],
            _ => term,
        };
        assert_eq!(t.args(product), vec![v; places], "{}", t.display(term));
    }
}

/// Sums, products, conjunctions and disjunctions of more than a few arguments stay as they are
/// within others.
#[test]
fn large_applications_stay_nested() {
    let zeros: Vec<Text> = VARS
        .iter()
        .map(|(_, sort)| ground(&mut Choices(Vec::new().into_iter()), sort))
        .collect();
    let reals = "r s (* 2.0 r) (* 3.0 r) (* 4.0 r) (* 5.0 r) (* 6.0 r) (* 7.0 r) (* 8.0 r)";
    let tests = "p q (< r s) (< s r) (< x y) (< y x) (< x z) (< z x) (= x y)";
    for (sort, text) in [
        (2, format!("(+ (+ {reals}) 1.0)")),
        (
            2,
            "(* (* r s (ite p r s) (ite q r s) (/ r s) (/ s r) (/ r 2.0) (/ s 3.0) (ite p s r)) 2.0)".to_owned(),
        ),
        (0, format!("(and (and {tests}) (= z y))")),
        (0, format!("(or (or {tests}) (= z y))")),
    ] {
        check(sort, &Text::parse(&text), &zeros);
    }
}

/// Terms that share their parts cost what their graph has: here sums with 2^200 leaves.
#[test]
fn linear_sums_of_shared_terms() {
    let t = Terms::new();
    let x = t.var("x", Sort::INT);
    let y = t.var("y", Sort::INT);
    let three = t.int(3);
    let first = t.add([x, t.scale(Rational::from(2), y), three]);
    let doubled = |term, _| t.add([term, t.ite(t.eq(x, y), term, x), term]);
    let plain = (0..200).fold(first, |term, _| t.add([term, term]));
    let sum = t.linear_sum(plain);
    let factor = (0..200).fold(Rational::one(), |f, _| &f + &f);
    let terms = vec![(x, factor.clone()), (y, &factor * &Rational::from(2))];
    assert_eq!(sum.terms, terms);
    assert_eq!(sum.constant, &factor * &Rational::from(3));
    // Each of these nestings adds one more `ite`, the innermost counted twice as often as the one
    // around it.
    let nested = (0..200).fold(first, doubled);
    assert_eq!(t.linear_sum(nested).coefficient(x), factor);
    // What cancels out is not there, however often it occurs.
    let nothing = t.linear_sum(t.sub(plain, plain));
    assert_eq!(nothing, LinearSum::default());
}

#[test]
fn sums_of_bit_vectors_have_a_normal_form() {
    // Pairs of texts that are one term.
    for (x, y) in [
        ("(bvadd v w)", "(bvadd w v)"),
        ("(bvmul #xff v)", "(bvneg v)"),
        ("(bvneg (bvneg v))", "v"),
        ("(bvadd v (bvneg v))", "#x00"),
        ("(bvadd (bvnot v) #x01)", "(bvneg v)"),
        ("(bvadd v (bvneg (bvadd v w #x01)) #x01)", "(bvneg w)"),
        ("(bvadd v v v)", "(bvmul v #x03)"),
        ("(bvadd (bvshl v #x01) w)", "(bvadd w (bvmul #x02 v))"),
        ("(bvadd (bvshl v #x09) w)", "w"),
        (
            "(bvadd (concat ((_ extract 6 0) v) #b0) w)",
            "(bvadd w v v)",
        ),
        ("(bvmul (bvneg v) (bvneg w))", "(bvmul w v)"),
        ("(bvmul v w #x20 #x08)", "#x00"),
        ("(= (bvadd v #x01) #x03)", "(= v #x02)"),
        ("(= (bvadd v #x01) (bvadd w #x03))", "(= v (bvadd w #x02))"),
        ("(= (bvadd v w) (bvadd w #x03))", "(= v #x03)"),
        ("(= (bvneg v) #x01)", "(= v #xff)"),
        ("(= (bvadd v w) v)", "(= w #x00)"),
    ] {
        let mut vocabulary = Vocabulary::new();
        let terms = [x, y].map(|text| vocabulary.term(&Text::parse(text)));
        assert_eq!(terms[0], terms[1], "{x} and {y}");
    }
}

/// Remainders do not depend on whether a summand was brought into a range before.
#[test]
fn remainders_of_wrapped_sums() {
    let sum = "(+ x y)";
    let wrapped =
        format!("(ite (<= 128 {sum}) (- {sum} 256) (ite (<= (- 128) {sum}) {sum} (+ {sum} 256)))");
    for (x, y) in [
        ("(mod S 256)", "(mod (+ x y) 256)"),
        ("(mod S 16)", "(mod (+ x y) 16)"),
        ("(mod (* 4 S) 1024)", "(mod (+ (* 4 x) (* 4 y)) 1024)"),
        (
            "(mod (+ z (* (- 3) S) 1) 64)",
            "(mod (+ z (* (- 3) x) (* (- 3) y) 1) 64)",
        ),
        ("(mod (+ S (ite p 3 (- 5))) 8)", "(mod (+ x y 3) 8)"),
    ] {
        let mut vocabulary = Vocabulary::new();
        let x = x.replace('S', &wrapped);
        let terms = [&x, y].map(|text| vocabulary.term(&Text::parse(text)));
        assert_eq!(terms[0], terms[1], "{x} and {y}");
    }
    // Here it matters.
    for (x, y) in [
        ("(mod S 512)", "(mod (+ x y) 512)"),
        ("(mod (* 2 S) 1024)", "(mod (+ (* 2 x) (* 2 y)) 1024)"),
        ("(mod (ite p 1 2) 2)", "0"),
    ] {
        let mut vocabulary = Vocabulary::new();
        let x = x.replace('S', &wrapped);
        let terms = [&x, y].map(|text| vocabulary.term(&Text::parse(text)));
        assert_ne!(terms[0], terms[1], "{x} and {y}");
    }
}

#[test]
fn odd_vectors_have_inverses() {
    let t = Terms::new();
    for width in [1, 4, 64] {
        for value in 0..16 {
            let literal = t.bitvec(&value.into(), width);
            let one = t.bitvec(&1.into(), width);
            let inverse = t.odd_inverse(literal);
            assert_eq!(inverse.is_some(), value % 2 == 1, "{value}");
            if let Some(inverse) = inverse {
                assert_eq!(t.bv(BvOp::Mul, &[literal, inverse]), one);
            }
        }
    }
}
