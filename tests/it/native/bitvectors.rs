//! Bit-vectors: every operator against exact evaluation, for all vectors of small widths and for
//! random ones of large widths, with models evaluated and proofs checked.

use super::session::{check_verdict, formulas_with, proving, ways};
use fastrand::Rng;
use horn::smt::native::check::check;
use horn::smt::native::{NativeOptions, NativeSolver};
use horn::smt::{SatResult, Solver};
use horn::term::{BvOp, Evaluator, Sort, Term, Terms, Unspecified, Value};
use num_bigint::BigInt;

/// Operators on two vectors of one width.
const BINARY: [BvOp; 19] = [
    BvOp::And,
    BvOp::Or,
    BvOp::Xor,
    BvOp::Add,
    BvOp::Mul,
    BvOp::Udiv,
    BvOp::Urem,
    BvOp::Sdiv,
    BvOp::Srem,
    BvOp::Smod,
    BvOp::Shl,
    BvOp::Lshr,
    BvOp::Ashr,
    BvOp::Concat,
    BvOp::Comp,
    BvOp::Ult,
    BvOp::Ule,
    BvOp::Slt,
    BvOp::Sle,
];

/// Operators on one vector.
const UNARY: [BvOp; 12] = [
    BvOp::Not,
    BvOp::Neg,
    BvOp::ZeroExtend(0),
    BvOp::ZeroExtend(3),
    BvOp::SignExtend(1),
    BvOp::SignExtend(4),
    BvOp::RotateLeft(1),
    BvOp::RotateLeft(7),
    BvOp::RotateRight(1),
    BvOp::RotateRight(6),
    BvOp::Repeat(3),
    BvOp::ToNat,
];

/// A context whose answers are judged.
struct Judged<'t> {
    t: &'t Terms,
    solver: NativeSolver<'t>,
    asserted: Vec<Term>,
}

impl<'t> Judged<'t> {
    fn new(t: &'t Terms) -> Self {
        Judged {
            t,
            solver: NativeSolver::new(t, &proving()),
            asserted: Vec::new(),
        }
    }

    /// The variables have these values from here on.
    fn fix(&mut self, given: &[(Term, Term)]) {
        for &(x, value) in given {
            let equation = self.t.eq(x, value);
            self.solver.assert(equation);
            self.asserted.push(equation);
        }
    }

    /// The formulas contradict each other, by a proof that is accepted.
    #[track_caller]
    fn contradict(&mut self, formulas: &[Term]) {
        let text = || -> Vec<String> {
            let texts = formulas.iter().map(|&f| self.t.display(f).to_string());
            texts.collect()
        };
        let outcome = self.solver.check(format_args!("a contradiction"), formulas);
        assert_eq!(outcome, SatResult::Unsat, "{:?}", text());
        let proof = self.solver.proof().expect("proofs are kept");
        let checked = check(self.t, &self.asserted, formulas, &proof);
        assert_eq!(checked, Ok(()), "{:?}\n{}", text(), proof.text(self.t));
    }

    /// The formulas are true in a model.
    #[track_caller]
    fn agree(&mut self, formulas: &[Term]) {
        let outcome = self.solver.check(format_args!("a model"), formulas);
        assert_eq!(outcome, SatResult::Sat);
        let vars = self.t.vars(formulas.iter().copied());
        let values = self.solver.values(&vars).expect("values");
        let assignment = vars.into_iter().zip(values);
        let mut evaluator = Evaluator::with(self.t, Unspecified::Refuse, assignment);
        for &formula in formulas {
            assert!(evaluator.holds(formula), "{}", self.t.display(formula));
        }
    }

    /// Where the variables have these values, a term has the value that evaluation gives it, and no
    /// other one.
    #[track_caller]
    fn judge(&mut self, term: Term, given: &[(Term, Term)]) {
        let t = self.t;
        let value = |&(x, value): &(Term, Term)| (x, t.ground_value(value).expect("a literal"));
        let mut evaluator = Evaluator::with(t, Unspecified::Refuse, given.iter().map(value));
        let expected = evaluator.eval(term).expect("it has a value");
        let equal = match &expected {
            Value::Bool(true) => term,
            Value::Bool(false) => t.not(term),
            _ => t.eq(term, t.value_term(&expected, t.sort_of(term))),
        };
        let equations = given.iter().map(|&(x, value)| t.eq(x, value));
        let mut formulas: Vec<Term> = equations.filter(|f| !self.asserted.contains(f)).collect();
        formulas.push(t.not(equal));
        self.contradict(&formulas);
        formulas.pop();
        formulas.push(equal);
        self.agree(&formulas);
    }
}

#[test]
fn operators_agree_with_evaluation() {
    for width in 1..=4 {
        let t = Terms::new();
        let sort = t.bitvec_sort(width);
        let (x, y) = (t.var("x", sort), t.var("y", sort));
        let constants: Vec<Term> = (0..1 << width)
            .map(|i: u32| t.bitvec(&i.into(), width))
            .collect();
        let extracts = (0..width).map(|lo| BvOp::Extract { hi: width - 1, lo });
        for op in UNARY.into_iter().chain(extracts) {
            let mut judged = Judged::new(&t);
            for &a in &constants {
                judged.judge(t.bv(op, &[x]), &[(x, a)]);
            }
        }
        for op in BINARY {
            let mut judged = Judged::new(&t);
            for &a in &constants {
                for &b in &constants {
                    judged.judge(t.bv(op, &[x, y]), &[(x, a), (y, b)]);
                    // A constant as one argument has a circuit that is smaller.
                    if width < 4 {
                        judged.judge(t.bv(op, &[a, y]), &[(y, b)]);
                        judged.judge(t.bv(op, &[x, b]), &[(x, a)]);
                    }
                }
            }
        }
    }
}

#[test]
fn integers_and_vectors() {
    for width in 1..=3 {
        let t = Terms::new();
        let (x, i) = (t.var("x", t.bitvec_sort(width)), t.var("i", Sort::INT));
        let mut judged = Judged::new(&t);
        for value in -9..=9 {
            let of_integer = t.bv(BvOp::FromInt(width), &[i]);
            judged.judge(of_integer, &[(i, t.int(value))]);
            let of_vector = t.add([t.bv(BvOp::ToNat, &[x]), t.scale(2.into(), i)]);
            let vector = t.bitvec(&value.into(), width);
            judged.judge(of_vector, &[(i, t.int(value)), (x, vector)]);
        }
        // The integers that a vector denotes are those below the power of two.
        let number = t.bv(BvOp::ToNat, &[x]);
        judged.contradict(&[t.lt(number, t.int(0))]);
        judged.contradict(&[t.ge(number, t.int(1 << width))]);
        judged.agree(&[t.eq(number, t.int((1 << width) - 1))]);
        let back = t.bv(BvOp::FromInt(width), &[number]);
        judged.contradict(&[t.not(t.eq(back, x))]);
        let remainder = t.modulo(i, t.int(1 << width));
        let there = t.bv(BvOp::ToNat, &[t.bv(BvOp::FromInt(width), &[i])]);
        judged.contradict(&[t.not(t.eq(there, remainder))]);
    }
}

/// A vector of random bits, most of them equal to their neighbours.
fn random_vector(t: &Terms, random: &mut Rng, width: u32) -> Term {
    let mut value = BigInt::ZERO;
    let mut bit = random.bool();
    let change = random.u32(1..8);
    for _ in 0..width {
        bit ^= random.u32(0..change) == 0;
        value = value * 2 + u32::from(bit);
    }
    t.bitvec(&value, width)
}

#[test]
fn wide_vectors_agree_with_evaluation() {
    let mut random = Rng::with_seed(1);
    let quadratic = |op| {
        matches!(
            op,
            BvOp::Mul | BvOp::Udiv | BvOp::Urem | BvOp::Sdiv | BvOp::Srem | BvOp::Smod
        )
    };
    for (width, quadratics) in [(12, true), (64, false), (257, false), (1024, false)] {
        for op in BINARY.into_iter().chain(UNARY) {
            if quadratic(op) && !quadratics && (op, width) != (BvOp::Mul, 64) {
                continue;
            }
            let t = Terms::new();
            let sort = t.bitvec_sort(width);
            let (x, y) = (t.var("x", sort), t.var("y", sort));
            let (a, b) = (
                random_vector(&t, &mut random, width),
                random_vector(&t, &mut random, width),
            );
            let few = t.bitvec(&random.u32(0..40).into(), width);
            for second in [b, few] {
                let given = [(x, a), (y, second)];
                let mut judged = Judged::new(&t);
                judged.fix(&given);
                if BINARY.contains(&op) {
                    judged.judge(t.bv(op, &[x, y]), &given);
                } else if op != BvOp::ToNat || width <= 64 {
                    judged.judge(t.bv(op, &[x]), &given);
                }
            }
        }
    }
}

/// Formulas over bit-vectors `x`, `y`, `z` of a width have this verdict, in all ways of working.
#[track_caller]
fn check_width(width: u32, text: &str, expected: SatResult) {
    let t = Terms::new();
    let declarations = format!(
        "(define-sort W () (_ BitVec {width}))(declare-const x W)(declare-const y W)\
         (declare-const z W)(declare-const p Bool)(declare-fun f (W) W)(declare-fun g (W Bool) Int)"
    );
    let all = formulas_with(&t, &declarations, text);
    for options in ways() {
        let mut solver = NativeSolver::new(&t, &options);
        all.iter().for_each(|&f| solver.assert(f));
        let outcome = solver.check(format_args!("a table's question"), &[]);
        assert_eq!(outcome, expected, "{width}: {text}");
        if expected == SatResult::Sat {
            let values = solver.values(&all).expect("values");
            assert!(values.iter().all(|v| *v == Value::Bool(true)), "{text}");
        } else if let Some(proof) = solver.proof() {
            assert_eq!(check(&t, &all, &[], &proof), Ok(()), "{}", proof.text(&t));
        }
    }
}

/// Laws for all widths `W`, for which both sides have the same circuits.
const STRUCTURAL: [&str; 7] = [
    "(= (bvadd x y) (bvadd y x))",
    "(= (bvnot (bvand x y)) (bvor (bvnot x) (bvnot y)))",
    "(= (bvneg x) (bvadd (bvnot x) (_ bv1 W)))",
    "(= (bvshl x (_ bv1 W)) (bvadd x x))",
    "(xor (bvult x y) (bvule y x))",
    "(xor (bvslt x y) (bvsle y x))",
    "(= (ite p x y) (ite (not p) y x))",
];

#[test]
fn laws_of_wide_vectors() {
    let check = |width: u32, law: &str| {
        let law = law.replace('W', &width.to_string());
        check_width(width, &format!("(not {law})"), SatResult::Unsat);
    };
    for width in [1, 7, 64, 257, 1024] {
        STRUCTURAL.iter().for_each(|law| check(width, law));
    }
    for width in [64, 1024] {
        check(width, "(= (bvmul x (_ bv3 W)) (bvadd x x x))");
        check(width, "(= (bvmul x (_ bv16 W)) (bvshl x (_ bv4 W)))");
    }
    check(24, "(= (bvudiv x (_ bv0 W)) (bvnot (_ bv0 W)))");
    for width in [1, 12] {
        check(width, "(=> (= x y) (= (bvshl x z) (bvshl y z)))");
        check(width, "(= (bvsub x x) (_ bv0 W))");
        check(width, "(= (bvxor x y x) y)");
        check(width, "(=> (= x y) (= (f x) (f y)))");
        check(width, "(=> (and (= x y) p) (= (g x p) (g y true)))");
    }
    for width in [8, 24] {
        for text in [
            "(not (= (bvadd x y) (bvor x y))) (bvult x y)",
            "(distinct (f x) (f y))",
            "(= (bvmul x x) x) (bvugt x y)",
        ] {
            check_width(width, text, SatResult::Sat);
        }
    }
}

#[test]
fn laws_of_division() {
    for width in 1..=5 {
        for law in [
            "(= (bvadd (bvmul (bvudiv x y) y) (bvurem x y)) x)",
            "(= (bvadd (bvmul (bvsdiv x y) y) (bvsrem x y)) x)",
            "(or (= y (bvsub y y)) (bvult (bvurem x y) y))",
        ] {
            check_width(width, &format!("(not {law})"), SatResult::Unsat);
            check_width(width, law, SatResult::Sat);
        }
        // The product of a quotient with the divisor is never too large.
        let claim = "(= (bvudiv x y) z) (bvult x (bvmul y z)) (not (= y (bvsub y y)))";
        check_width(width, claim, SatResult::Unsat);
    }
}

/// Terms are deep and share parts: nothing recurses over them, and each is encoded once.
#[test]
fn deep_terms() {
    let t = Terms::new();
    let sort = t.bitvec_sort(3);
    let (x, p) = (t.var("x", sort), t.var("p", Sort::BOOL));
    let mut deep = x;
    for i in 0..3000 {
        let (sum, one) = (t.bv(BvOp::Xor, &[deep, x]), t.bitvec(&i.into(), 3));
        let condition = t.eq(t.bv(BvOp::Add, &[deep, x]), one);
        deep = t.ite(condition, t.bv(BvOp::Neg, &[sum]), t.ite(p, deep, one));
    }
    let mut solver = NativeSolver::new(&t, &NativeOptions::default());
    solver.assert(t.eq(deep, x));
    let outcome = solver.check(format_args!("a deep term"), &[]);
    assert_ne!(outcome, SatResult::Unsat);
}

#[test]
fn functions_of_vectors_are_functions() {
    for (text, expected) in [
        ("(= x y) (not (= (f x) (f y)))", SatResult::Unsat),
        (
            "(= (f x) y) (= (f y) x) (= x y) (not (= (f (f x)) x))",
            SatResult::Unsat,
        ),
        (
            "(= (f (bvadd x y)) x) (not (= (f (bvadd y x)) x))",
            SatResult::Unsat,
        ),
        ("(= (f x) (bvnot (f y)))", SatResult::Sat),
        (
            "(= (g x p) 1) (= (g y true) 2) p (= (bvsub x y) (bvsub y x))",
            SatResult::Sat,
        ),
        ("(= (g x p) 1) (= (g y true) 2) p (= x y)", SatResult::Unsat),
        (
            "(= (f (f (f x))) x) (= (f (f (f (f (f x))))) x) (not (= (f x) x))",
            SatResult::Unsat,
        ),
    ] {
        check_width(4, text, expected);
    }
}

/// A bit of one vector is the negation of that bit of the other, and neither is decided.
#[test]
fn vectors_that_always_differ() {
    let low = "((_ zero_extend 2) ((_ extract 1 0) (bvadd x #b0010)))";
    check_width(4, &format!("(not (= x {low}))"), SatResult::Sat);
    check_width(4, &format!("(= x {low})"), SatResult::Unsat);
    check_width(4, "(not (= x (bvnot x)))", SatResult::Sat);
}

#[test]
fn vectors_and_integers_together() {
    check_verdict("(= (bv2nat ((_ int2bv 8) x)) 200) (< 0 x 200)", "unsat");
    check_verdict("(= (bv2nat ((_ int2bv 8) x)) 200) (< (- 100) x 0)", "sat");
    check_verdict(
        "(= ((_ int2bv 4) x) ((_ int2bv 4) y)) (< x y (+ x 16))",
        "unsat",
    );
    check_verdict(
        "(= ((_ int2bv 4) x) ((_ int2bv 4) y)) (< x y (+ x 17))",
        "sat",
    );
    check_verdict("(= ((_ int2bv 4) (f x)) #x3) (= (f x) 18)", "unsat");
}

/// Conversions of equal numbers are equal, which is hard to find bit by bit.
#[test]
fn conversions_of_equal_numbers() {
    for width in [8, 32] {
        let t = Terms::new();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| t.var(name, Sort::INT));
        let bits = |x| t.bv(BvOp::FromInt(width), &[x]);
        let number = |x, y| t.bv(BvOp::ToNat, &[t.bv(BvOp::Shl, &[bits(x), bits(y)])]);
        let mut judged = Judged::new(&t);
        let same = t.eq(number(a, c), number(b, d));
        judged.contradict(&[t.eq(a, b), t.eq(c, d), t.not(same)]);
        // By bounds, and over a third number.
        let bounded = |x| [t.ge(x, t.int(5)), t.ge(t.int(5), x)];
        let fixed = [bounded(a), bounded(b), bounded(c), bounded(d)].concat();
        judged.contradict(&[&fixed[..], &[t.not(same)]].concat());
        let e = t.var("e", Sort::INT);
        judged.contradict(&[t.eq(a, e), t.eq(e, b), t.eq(c, d), t.not(same)]);
        judged.agree(&[t.eq(a, b), t.not(same)]);
        judged.agree(&[
            t.eq(a, t.int(3)),
            t.eq(c, t.int(2)),
            t.eq(number(a, c), t.int(12)),
        ]);
    }
}

/// Products with constants have an addition or a subtraction for each signed digit.
#[test]
fn products_with_constants() {
    for width in [1, 2, 3, 8, 33] {
        let t = Terms::new();
        let x = t.var("x", t.bitvec_sort(width));
        for factor in [-128, -7, -3, -2, -1, 0, 1, 3, 7, 11, 85, 127] {
            let mut judged = Judged::new(&t);
            // The product with a variable is another circuit.
            let y = t.var("y", t.bitvec_sort(width));
            let constant = t.bitvec(&factor.into(), width);
            let products = [constant, y].map(|by| t.bv(BvOp::Mul, &[x, by]));
            let values = (0..8).map(|i| t.bitvec(&(i * 37 - 90).into(), width));
            for value in values {
                let given = [t.eq(x, value), t.eq(y, constant)];
                let differ = t.not(t.eq(products[0], products[1]));
                judged.contradict(&[&given[..], &[differ]].concat());
                judged.judge(products[0], &[(x, value)]);
            }
        }
    }
}
