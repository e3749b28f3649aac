//! Single steps of proofs, by tables: clauses that hold by a rule, and clauses that do not.
//!
//! The clauses that do not hold are what a checker that looks less closely would accept.

use super::session::formulas_with;
use horn::number::{DeltaRational, Rational};
use horn::smt::native::check::{Flaw, check};
use horn::smt::native::proof::{Gate, Justification, Literal, Proof, ProofAtom, ProofStep, Why};
use horn::term::{Op, Sort, Term, Terms};

/// The constants of the tables. A relation `both-S` between two terms of a sort, or `of-S` of one,
/// makes a formula that names them as they are.
const DECLARATIONS: &str = "(declare-const x Int)(declare-const y Int)(declare-const z Int)\
    (declare-const r Real)(declare-const s Real)(declare-const p Bool)(declare-const q Bool)\
    (declare-sort U 0)(declare-const u U)(declare-const v U)(declare-const o U)\
    (declare-fun g (U) U)(declare-fun f (Int) Int)(declare-fun of-u (U) Bool)\
    (declare-const a4 (_ BitVec 4))(declare-const b4 (_ BitVec 4))(declare-const a1 (_ BitVec 1))(declare-fun of-bit ((_ BitVec 1)) Bool)\
    (declare-const m1 (Array Int Int))(declare-const m2 (Array Int Int))(declare-const m3 (Array Int Int))\
    (declare-const n1 (Array Bool Int))(declare-const n2 (Array Bool Int))\
    (declare-const k1 (Array U Int))(declare-const k2 (Array U Int))\
    (declare-datatypes ((Chain 0)) (((empty) (link (hd Int) (tl Chain)) (knot (hk Int)))))\
    (declare-const w1 Chain)(declare-const w2 Chain)(declare-const c1 (Array Chain Int))\
    (declare-const c2 (Array Chain Int))\
    (declare-fun of-i (Int) Bool)(declare-fun of-r (Real) Bool)(declare-fun of-b ((_ BitVec 4)) Bool)\
    (declare-fun both-i (Int Int) Bool)(declare-fun both-r (Real Real) Bool)\
    (declare-fun both-b ((_ BitVec 4) (_ BitVec 4)) Bool)(declare-fun both-u (U U) Bool)\
    (declare-fun both-m ((Array Int Int) (Array Int Int)) Bool)\
    (declare-fun both-n ((Array Bool Int) (Array Bool Int)) Bool)\
    (declare-fun both-k ((Array U Int) (Array U Int)) Bool)\
    (declare-fun both-c ((Array Chain Int) (Array Chain Int)) Bool)\
    (declare-fun both-w (Chain Chain) Bool)(declare-fun both-p (Bool Bool) Bool)\
    (declare-fun mixed (Int Real) Bool)(declare-fun both-iw (Int Chain) Bool)";

/// The arguments of a formula, two of which may be one.
fn pair(t: &Terms, f: Term) -> (Term, Term) {
    let args = t.args(f);
    (args[0], args[args.len() - 1])
}

/// An inequality as the search writes it: with coprime coefficients.
fn bound(t: &Terms, f: Term) -> ProofAtom {
    let (x, y) = pair(t, f);
    let mut sum = t.linear_sum(x);
    sum.add_scaled(&Rational::from(-1), &t.linear_sum(y));
    let scale = sum.normalizer();
    sum.scale(&scale);
    let delta = Rational::from(if t.op(f) == Op::Lt { -1 } else { 0 });
    ProofAtom::Bound {
        form: sum.terms.into(),
        bound: DeltaRational::new(-&sum.constant, delta),
        is_int: t.sort_of(x) == Sort::INT,
    }
}

/// A literal: `f` a formula, `e` an equation of the arguments, `b` a bound, `t` the lowest bit of
/// the argument; negated after a `-`.
type Row = (&'static str, &'static str);

fn atom(t: &Terms, kind: &str, f: Term) -> ProofAtom {
    match kind.trim_start_matches('-') {
        "f" => ProofAtom::Formula(f),
        "b" => bound(t, f),
        "t" => ProofAtom::Bit(pair(t, f).0, 0),
        "e" => {
            let (x, y) = pair(t, f);
            ProofAtom::Equal(x, y)
        }
        other => panic!("no literal is written {other}"),
    }
}

/// A formula, the atoms of literals, and the clause of these. One text declares what is in all of
/// them.
fn read(t: &Terms, about: &str, literals: &[Row]) -> (Term, Vec<ProofAtom>, Box<[Literal]>) {
    let texts = literals.iter().map(|(_, text)| *text);
    let texts: Vec<&str> = [about].into_iter().chain(texts).collect();
    let formulas = formulas_with(t, DECLARATIONS, &texts.join(" "));
    let kinds = literals.iter().map(|(kind, _)| kind);
    let atoms = kinds.clone().zip(&formulas[1..]);
    let literal = |(atom, kind): (u32, &&str)| Literal {
        atom,
        positive: !kind.starts_with('-'),
    };
    (
        formulas[0],
        atoms.map(|(kind, &f)| atom(t, kind, f)).collect(),
        (0..).zip(kinds).map(literal).collect(),
    )
}

/// A formula that names what a rule is about, with clauses that hold by it, and clauses that do
/// not.
type Table<'a> = (&'a str, &'a [&'a [Row]], &'a [&'a [Row]]);

/// The assertions and the rule, which are made of the first formula.
fn check_table(rule: impl Fn(&Terms, Term) -> (Vec<Term>, Justification), tables: &[Table]) {
    let mut wrong = Vec::new();
    for (about, holding, others) in tables {
        let judged = holding.iter().map(|clause| (clause, true));
        for (literals, expected) in judged.chain(others.iter().map(|clause| (clause, false))) {
            let t = Terms::new();
            let (formula, atoms, clause) = read(&t, about, literals);
            let (assertions, rule) = rule(&t, formula);
            let why = Why::Input { rule, part: 0 };
            let steps = vec![ProofStep { clause, why }];
            let found = match check(&t, &assertions, &[], &Proof { atoms, steps }) {
                Ok(()) => true,
                Err(error) if error.flaw == Flaw::Open => true,
                Err(error) => {
                    assert_eq!(error.flaw, Flaw::Justification, "{about}: {literals:?}");
                    false
                }
            };
            if found != expected {
                wrong.push(format!("{about}: {literals:?} holds: {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn conjuncts_of_assertions() {
    let tables: [Table; 17] = [
        (
            "(and p q)",
            &[&[("f", "p")], &[("f", "q")]],
            &[&[("-f", "p")], &[]],
        ),
        (
            "(or p q)",
            &[&[("f", "p"), ("f", "q")]],
            &[&[("f", "p")], &[("f", "q")]],
        ),
        (
            "(not (and p q))",
            &[&[("-f", "p"), ("-f", "q")]],
            &[&[("-f", "p")], &[("-f", "q")], &[("f", "p"), ("f", "q")]],
        ),
        (
            "(or (and p q) (and (not p) (of-i x)))",
            &[&[("f", "p"), ("f", "(of-i x)")], &[("f", "q"), ("-f", "p")]],
            &[
                &[("f", "p")],
                &[("f", "q")],
                &[("-f", "q"), ("f", "(of-i x)")],
            ],
        ),
        (
            "(ite p q (of-i x))",
            &[
                &[("-f", "p"), ("f", "q")],
                &[("f", "p"), ("f", "(of-i x)")],
                &[("f", "q"), ("f", "(of-i x)")],
            ],
            &[
                &[("f", "q")],
                &[("f", "(of-i x)")],
                &[("-f", "p")],
                &[("f", "p")],
                &[("f", "p"), ("f", "q")],
                &[("-f", "p"), ("f", "(of-i x)")],
            ],
        ),
        (
            "(= p q)",
            &[&[("-f", "p"), ("f", "q")], &[("f", "p"), ("-f", "q")]],
            &[
                &[("f", "p"), ("f", "q")],
                &[("-f", "p"), ("-f", "q")],
                &[("f", "p")],
                &[("-f", "q")],
            ],
        ),
        (
            "(not (= p q))",
            &[&[("f", "p"), ("f", "q")], &[("-f", "p"), ("-f", "q")]],
            &[
                &[("-f", "p"), ("f", "q")],
                &[("f", "p"), ("-f", "q")],
                &[("f", "q")],
            ],
        ),
        (
            "(= u v)",
            &[&[("e", "(both-u u v)")], &[("e", "(both-u v u)")]],
            &[
                &[("-e", "(both-u u v)")],
                &[("e", "(both-u u o)")],
                &[("e", "(both-u o v)")],
            ],
        ),
        (
            "(not (= u v))",
            &[&[("-e", "(both-u u v)")]],
            &[&[("e", "(both-u u v)")], &[("-e", "(both-u u o)")]],
        ),
        (
            "(= x y)",
            &[&[("b", "(<= x y)")], &[("b", "(<= y x)")]],
            &[
                &[("-b", "(<= x y)")],
                &[("b", "(<= (+ x 1) y)")],
                &[("b", "(<= z y)")],
                &[],
            ],
        ),
        (
            "(not (= x y))",
            &[&[("b", "(< x y)"), ("b", "(< y x)")]],
            &[
                &[("b", "(< x y)")],
                &[("b", "(< y x)")],
                &[("b", "(< x y)"), ("b", "(<= x y)")],
            ],
        ),
        (
            "(< r s)",
            &[&[("b", "(< r s)")], &[("-b", "(<= s r)")]],
            &[&[("b", "(< s r)")], &[("b", "(< r (- s 1.0))")]],
        ),
        ("(<= r s)", &[&[("b", "(<= r s)")]], &[&[("b", "(< r s)")]]),
        (
            "(not (<= (* 2.0 r) s))",
            &[&[("-b", "(<= (* 2.0 r) s)")], &[("b", "(> r (* 0.5 s))")]],
            &[&[("b", "(<= (* 2.0 r) s)")], &[("b", "(> r s)")]],
        ),
        (
            "(not (< r s))",
            &[&[("b", "(<= s r)")]],
            &[&[("b", "(< s r)")], &[("b", "(<= r s)")]],
        ),
        (
            "(<= (+ (* 2 (ite p x y)) z) 3)",
            &[
                &[("-f", "p"), ("b", "(<= (+ (* 2 x) z) 3)")],
                &[("f", "p"), ("b", "(<= (+ (* 2 y) z) 3)")],
            ],
            &[
                &[("f", "p"), ("b", "(<= (+ (* 2 x) z) 3)")],
                &[("-f", "p"), ("b", "(<= (+ (* 2 y) z) 3)")],
                &[("b", "(<= (+ (* 2 x) z) 3)")],
                &[("-f", "p")],
                &[("-f", "p"), ("b", "(<= (+ x z) 3)")],
            ],
        ),
        (
            "(< (ite p r s) 1.0)",
            &[
                &[("-f", "p"), ("b", "(< r 1.0)")],
                &[("b", "(< r 1.0)"), ("b", "(< s 1.0)")],
            ],
            &[&[("b", "(< r 1.0)")], &[("f", "p"), ("b", "(< r 1.0)")]],
        ),
    ];
    let rule = |_: &Terms, asserted| (vec![asserted], Justification::Assertion(asserted, true));
    check_table(rule, &tables);
}

/// A part that implies the clause is found as often as it occurs. A part that is a literal of the
/// clause is not taken apart.
#[test]
fn disjunctions_are_looked_into() {
    let tables: [Table; 3] = [
        (
            "(or (and (or p q) (of-i x)) (and (or p q) (of-i y)))",
            &[
                &[("f", "p"), ("f", "q")],
                &[("f", "(of-i x)"), ("f", "(of-i y)")],
            ],
            &[
                &[("f", "p")],
                &[("f", "(of-i x)")],
                &[("f", "p"), ("f", "(of-i x)")],
            ],
        ),
        (
            "(or (not (and p q)) (of-i x))",
            &[
                &[("-f", "(and p q)"), ("f", "(of-i x)")],
                &[("-f", "p"), ("-f", "q"), ("f", "(of-i x)")],
            ],
            &[
                &[("f", "(and p q)"), ("f", "(of-i x)")],
                &[("-f", "p"), ("f", "(of-i x)")],
                &[("-f", "(and p q)")],
            ],
        ),
        (
            "(or (and p q) (and p (of-i x)) (and q (of-i x)))",
            &[
                &[("f", "p"), ("f", "q")],
                &[("f", "p"), ("f", "(of-i x)")],
                &[("f", "q"), ("f", "(of-i x)")],
            ],
            &[&[("f", "p")], &[("f", "q")], &[("f", "(of-i x)")]],
        ),
    ];
    let rule = |_: &Terms, asserted| (vec![asserted], Justification::Assertion(asserted, true));
    check_table(rule, &tables);
    // However deep they are nested: p0 ∨ ¬(q0 ∧ ¬(p1 ∨ ¬(q1 ∧ …))).
    let t = Terms::new();
    let var = |name: &str, level: usize| t.var(&format!("{name}{level}"), Sort::BOOL);
    let (mut asserted, mut atoms) = (Term::FALSE, Vec::new());
    for level in 0..100 {
        let [p, q] = ["p", "q"].map(|name| var(name, level));
        asserted = t.or([p, t.not(t.and([q, t.not(asserted)]))]);
        atoms.extend([p, q].map(ProofAtom::Formula));
    }
    let literals = (0..).zip(&atoms).map(|(atom, _)| Literal {
        atom,
        positive: atom % 2 == 0,
    });
    let all: Vec<Literal> = literals.collect();
    for (clause, expected) in [(&all[..], Flaw::Open), (&all[1..], Flaw::Justification)] {
        let why = Why::Input {
            rule: Justification::Assertion(asserted, true),
            part: 0,
        };
        let clause = clause.into();
        let proof = Proof {
            atoms: atoms.clone(),
            steps: vec![ProofStep { clause, why }],
        };
        let error = check(&t, &[asserted], &[], &proof).expect_err("it has a model");
        assert_eq!(error.flaw, expected);
    }
}

/// A definition is about the literal of its formula, which is in the clause.
#[test]
fn definitions_of_formulas() {
    let tables: [Table; 3] = [
        (
            "(and p q)",
            &[
                &[("-f", "(and p q)"), ("f", "p")],
                &[("f", "(and p q)"), ("-f", "p"), ("-f", "q")],
            ],
            &[
                &[("f", "(and p q)"), ("-f", "p")],
                &[("-f", "(and p q)"), ("-f", "p")],
                &[("f", "(and p q)"), ("f", "p")],
                &[("-f", "(and p q)")],
                &[("f", "p")],
            ],
        ),
        (
            "(< r s)",
            &[
                &[("-f", "(< r s)"), ("b", "(< r s)")],
                &[("f", "(< r s)"), ("b", "(<= s r)")],
            ],
            &[
                &[("f", "(< r s)"), ("b", "(< s r)")],
                &[("-f", "(< r s)"), ("b", "(<= s r)")],
                &[("b", "(< r s)")],
            ],
        ),
        (
            "(is_int r)",
            &[&[("-f", "(is_int r)"), ("b", "(<= r (to_real (to_int r)))")]],
            &[
                &[("f", "(is_int r)"), ("b", "(<= r (to_real (to_int r)))")],
                &[("-f", "(is_int r)"), ("b", "(<= r 0.0)")],
            ],
        ),
    ];
    let rule = |_: &Terms, f| (vec![], Justification::Definition(f));
    check_table(rule, &tables);
}

#[test]
fn operators_mean_what_they_mean() {
    let tables: [Table; 11] = [
        (
            "(of-i (ite p x y))",
            &[
                &[("-f", "p"), ("b", "(<= (ite p x y) x)")],
                &[("-f", "p"), ("b", "(>= (ite p x y) x)")],
                &[("f", "p"), ("b", "(<= (ite p x y) y)")],
            ],
            &[
                &[("f", "p"), ("b", "(<= (ite p x y) x)")],
                &[("-f", "p"), ("b", "(<= (ite p x y) y)")],
                &[("b", "(<= (ite p x y) x)")],
                &[("-f", "p")],
                &[("-f", "p"), ("b", "(< (ite p x y) x)")],
            ],
        ),
        (
            "(of-u (ite p u v))",
            &[
                &[("-f", "p"), ("e", "(both-u (ite p u v) u)")],
                &[("f", "p"), ("e", "(both-u v (ite p u v))")],
            ],
            &[
                &[("f", "p"), ("e", "(both-u (ite p u v) u)")],
                &[("-f", "p"), ("e", "(both-u (ite p u v) v)")],
                &[("-f", "p"), ("-e", "(both-u (ite p u v) u)")],
                &[("e", "(both-u (ite p u v) u)")],
            ],
        ),
        (
            "(of-i (div x 3))",
            &[
                &[("b", "(<= (* 3 (div x 3)) x)")],
                &[("b", "(<= x (+ 2 (* 3 (div x 3))))")],
            ],
            &[
                &[("b", "(<= x (+ 1 (* 3 (div x 3))))")],
                &[("b", "(<= (+ 1 (* 3 (div x 3))) x)")],
                &[("b", "(<= x (* 3 (div x 3)))")],
            ],
        ),
        (
            "(of-i (div x (- 3)))",
            &[
                &[("b", "(<= (* (- 3) (div x (- 3))) x)")],
                &[("b", "(<= x (+ 2 (* (- 3) (div x (- 3)))))")],
            ],
            &[
                &[("b", "(<= x (- (* (- 3) (div x (- 3))) 4))")],
                &[("b", "(<= x (+ 1 (* (- 3) (div x (- 3)))))")],
            ],
        ),
        (
            "(of-i (abs x))",
            &[
                &[("b", "(<= x (abs x))")],
                &[("b", "(<= (- x) (abs x))")],
                &[("b", "(<= (abs x) x)"), ("b", "(<= (abs x) (- x))")],
            ],
            &[
                &[("b", "(<= (abs x) x)")],
                &[("b", "(<= (abs x) (- x))")],
                &[("b", "(< x (abs x))")],
                &[],
            ],
        ),
        (
            "(of-i (to_int r))",
            &[
                &[("b", "(<= (to_real (to_int r)) r)")],
                &[("b", "(< r (+ 1.0 (to_real (to_int r))))")],
            ],
            &[
                &[("b", "(< (to_real (to_int r)) r)")],
                &[("b", "(< r (to_real (to_int r)))")],
                &[("b", "(<= r (to_real (to_int r)))")],
                &[("b", "(< r (- (to_real (to_int r)) 1.0))")],
            ],
        ),
        (
            "(of-i (div x y))",
            &[
                &[("b", "(<= y 0)"), ("b", "(<= (* y (div x y)) x)")],
                &[
                    ("b", "(<= y 0)"),
                    ("b", "(<= x (+ (* y (div x y)) (- y 1)))"),
                ],
                &[("b", "(>= y 0)"), ("b", "(<= (* y (div x y)) x)")],
                &[
                    ("b", "(>= y 0)"),
                    ("b", "(<= x (+ (* y (div x y)) (- (- y) 1)))"),
                ],
            ],
            &[
                &[("b", "(<= (* y (div x y)) x)")],
                &[("b", "(<= y 0)")],
                &[("b", "(>= y 0)")],
                &[
                    ("b", "(<= y 0)"),
                    ("b", "(<= x (+ (* y (div x y)) (- y 2)))"),
                ],
                &[
                    ("b", "(>= y 0)"),
                    ("b", "(<= x (+ (* y (div x y)) (- y 1)))"),
                ],
                &[("b", "(<= y 0)"), ("b", "(<= x (* y (div x y)))")],
                &[("b", "(<= y 0)"), ("b", "(<= (+ 1 (* y (div x y))) x)")],
            ],
        ),
        (
            "(of-i (mod x y))",
            &[
                &[
                    ("b", "(<= y 0)"),
                    ("b", "(<= x (+ (* y (div x y)) (mod x y)))"),
                ],
                &[
                    ("b", "(>= y 0)"),
                    ("b", "(>= x (+ (* y (div x y)) (mod x y)))"),
                ],
            ],
            &[
                &[("b", "(<= x (+ (* y (div x y)) (mod x y)))")],
                &[("b", "(<= y 0)"), ("b", "(<= x (* y (div x y)))")],
                &[("b", "(<= y 0)"), ("b", "(>= x (* y (div x y)))")],
                &[("b", "(<= y 0)")],
            ],
        ),
        (
            "(of-r (/ r s))",
            &[
                &[("b", "(<= s 0.0)"), ("b", "(<= r (* s (/ r s)))")],
                &[("b", "(>= s 0.0)"), ("b", "(>= r (* s (/ r s)))")],
            ],
            &[
                &[("b", "(<= r (* s (/ r s)))")],
                &[("b", "(<= s 0.0)")],
                &[("b", "(<= s 0.0)"), ("b", "(< r (* s (/ r s)))")],
            ],
        ),
        (
            "(of-i (bv2nat a4))",
            &[
                &[("b", "(>= (bv2nat a4) 0)")],
                &[("b", "(<= (bv2nat a4) 15)")],
            ],
            &[
                &[("b", "(>= (bv2nat a4) 1)")],
                &[("b", "(<= (bv2nat a4) 14)")],
                &[("b", "(<= (bv2nat a4) 0)")],
                &[],
            ],
        ),
        (
            "(of-i (bv2nat a1))",
            &[
                &[("b", "(>= (bv2nat a1) 1)"), ("-t", "(of-bit a1)")],
                &[("b", "(<= (bv2nat a1) 0)"), ("t", "(of-bit a1)")],
                &[("b", "(<= (bv2nat a1) 1)")],
            ],
            &[
                &[("b", "(>= (bv2nat a1) 1)"), ("t", "(of-bit a1)")],
                &[("b", "(<= (bv2nat a1) 0)"), ("-t", "(of-bit a1)")],
                &[("b", "(>= (bv2nat a1) 1)")],
                &[("b", "(<= (bv2nat a1) 0)")],
                &[("t", "(of-bit a1)")],
                &[("-t", "(of-bit a1)")],
            ],
        ),
    ];
    let rule = |t: &Terms, f| (vec![], Justification::Operator(pair(t, f).0));
    check_table(rule, &tables);
}

/// What congruence, constants and constructors say, without arrays.
#[test]
fn closures_of_equations() {
    let right: &[&[Row]] = &[
        &[("e", "(both-u u u)")],
        &[
            ("-e", "(both-u u v)"),
            ("-e", "(both-u v o)"),
            ("e", "(both-u u o)"),
        ],
        &[("-e", "(both-u u v)"), ("e", "(both-u (g u) (g v))")],
        &[
            ("-e", "(both-u u v)"),
            ("f", "(of-u u)"),
            ("-f", "(of-u v)"),
        ],
        &[("-e", "(both-i x 1)"), ("-e", "(both-i x 2)")],
        &[
            ("-e", "(both-w w1 empty)"),
            ("-e", "(both-w w1 (link x w2))"),
        ],
        &[
            ("-e", "(both-w w1 (link x w2))"),
            ("-e", "(both-w w2 (link y w1))"),
        ],
        &[
            ("-e", "(both-w w1 (link x w2))"),
            ("-e", "(both-w w1 (link y w2))"),
            ("e", "(both-i x y)"),
        ],
        &[
            ("-e", "(both-w w1 (link x w2))"),
            ("e", "(both-i (hd w1) x)"),
        ],
        &[
            ("-e", "(both-w w1 (link x w2))"),
            ("e", "(both-w (tl w1) w2)"),
        ],
        &[("-e", "(both-w w1 (link x w2))"), ("f", "((_ is link) w1)")],
        &[
            ("-e", "(both-w w1 (link x w2))"),
            ("-f", "((_ is empty) w1)"),
        ],
    ];
    let wrong: &[&[Row]] = &[
        &[],
        &[("e", "(both-u u v)")],
        &[("-e", "(both-u u u)")],
        &[("-e", "(both-u u v)"), ("e", "(both-u u o)")],
        &[
            ("-e", "(both-u u v)"),
            ("-e", "(both-u v o)"),
            ("-e", "(both-u u o)"),
        ],
        &[("e", "(both-u (g u) (g v))")],
        &[("-e", "(both-u (g u) (g v))"), ("e", "(both-u u v)")],
        &[("-e", "(both-u u v)"), ("f", "(of-u u)"), ("f", "(of-u v)")],
        &[("f", "(of-u u)"), ("-f", "(of-u v)")],
        &[("-e", "(both-i x 1)"), ("-e", "(both-i y 2)")],
        &[("-e", "(both-i x 1)"), ("-e", "(both-i x y)")],
        &[("-e", "(both-w w1 empty)")],
        &[("-e", "(both-w w1 (link x w2))")],
        &[
            ("-e", "(both-w w1 (link x w2))"),
            ("e", "(both-i (hd w1) y)"),
        ],
        &[
            ("-e", "(both-w w1 (link x w2))"),
            ("e", "(both-i (hk w1) x)"),
        ],
        &[
            ("-e", "(both-w w1 (link x w2))"),
            ("-f", "((_ is link) w1)"),
        ],
        &[
            ("-e", "(both-w w1 (link x w2))"),
            ("f", "((_ is empty) w1)"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x y))"),
            ("e", "(both-i (select m2 x) y)"),
        ],
    ];
    let rule = |_: &Terms, _| (vec![], Justification::Closure);
    check_table(rule, &[("true", right, wrong)]);
}

/// What is read from arrays: an index is passed over by a store to another one that differs.
#[test]
fn closures_with_arrays() {
    let right: &[&[Row]] = &[
        &[
            ("-e", "(both-m m2 (store m1 x y))"),
            ("e", "(both-i (select m2 x) y)"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x y))"),
            ("e", "(both-i x z)"),
            ("e", "(both-i (select m2 z) (select m1 z))"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x y))"),
            ("e", "(both-i z x)"),
            ("e", "(both-i (select m1 z) (select m2 z))"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 1 y))"),
            ("e", "(both-i (select m2 2) (select m1 2))"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x 5))"),
            ("-e", "(both-i x 1)"),
            ("-e", "(both-i y 2)"),
            ("e", "(both-i (select m2 y) (select m1 y))"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x y))"),
            ("-e", "(both-m m3 (store m1 z y))"),
            ("e", "(both-i x 7)"),
            ("e", "(both-i z 7)"),
            ("e", "(both-i (select m2 7) (select m3 7))"),
        ],
        &[
            ("-e", "(both-n n2 (store n1 p y))"),
            ("e", "(both-i (select n2 (not p)) (select n1 (not p)))"),
        ],
        &[
            ("-e", "(both-n n2 (store n1 (not p) y))"),
            ("e", "(both-i (select n2 p) (select n1 p))"),
        ],
        &[
            ("-e", "(both-c c2 (store c1 (link x w1) y))"),
            ("e", "(both-i (select c2 empty) (select c1 empty))"),
        ],
        &[
            ("-e", "(both-n n2 (store n1 p y))"),
            ("-e", "(both-p q (not p))"),
            ("e", "(both-i (select n2 q) (select n1 q))"),
        ],
        &[
            ("-e", "(both-c c2 (store c1 w1 y))"),
            ("-e", "(both-w w1 (link x w2))"),
            ("e", "(both-i (select c2 empty) (select c1 empty))"),
        ],
    ];
    let wrong: &[&[Row]] = &[
        &[
            ("-e", "(both-n n2 (store n1 p y))"),
            ("f", "(both-p (not p) q)"),
            ("e", "(both-i (select n2 q) (select n1 q))"),
        ],
        &[
            ("-e", "(both-n n2 (store n1 q y))"),
            ("e", "(both-i (select n2 (not p)) (select n1 (not p)))"),
        ],
        &[
            ("-e", "(both-c c2 (store c1 w1 y))"),
            ("-e", "(both-w w2 (link x empty))"),
            ("e", "(both-i (select c2 empty) (select c1 empty))"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x y))"),
            ("e", "(both-i (select m2 z) y)"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x y))"),
            ("e", "(both-i (select m1 x) y)"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x y))"),
            ("e", "(both-i (select m2 z) (select m1 z))"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x y))"),
            ("-e", "(both-i x z)"),
            ("e", "(both-i (select m2 z) (select m1 z))"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 1 y))"),
            ("e", "(both-i (select m2 1) (select m1 1))"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x 5))"),
            ("-e", "(both-i x 1)"),
            ("e", "(both-i (select m2 y) (select m1 y))"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x 5))"),
            ("-e", "(both-i x 1)"),
            ("-e", "(both-i y 1)"),
            ("e", "(both-i (select m2 y) (select m1 y))"),
        ],
        &[
            ("-e", "(both-m m2 (store m1 x y))"),
            ("-e", "(both-m m3 (store m1 z y))"),
            ("e", "(both-i x 7)"),
            ("e", "(both-i (select m2 7) (select m3 7))"),
        ],
        &[
            ("-e", "(both-n n2 (store n1 p y))"),
            ("e", "(both-i (select n2 q) (select n1 q))"),
        ],
        &[
            ("-e", "(both-k k2 (store k1 u y))"),
            ("e", "(both-u u o)"),
            ("e", "(both-i (select k2 v) (select k1 v))"),
        ],
        &[
            ("-e", "(both-c c2 (store c1 (link x w1) y))"),
            (
                "e",
                "(both-i (select c2 (link z w1)) (select c1 (link z w1)))",
            ),
        ],
        &[
            ("-e", "(both-c c2 (store c1 w2 y))"),
            ("e", "(both-i (select c2 empty) (select c1 empty))"),
        ],
    ];
    let rule = |_: &Terms, _| (vec![], Justification::Arrays);
    check_table(rule, &[("true", right, wrong)]);
}

/// An equation of numbers is two bounds, and its negation is one of two strict ones.
#[test]
fn equations_are_shared_as_bounds() {
    let right: &[&[Row]] = &[
        &[("-e", "(both-i x y)"), ("b", "(<= x y)")],
        &[("-e", "(both-i y x)"), ("b", "(<= y x)")],
        &[("e", "(both-i x y)"), ("b", "(< x y)"), ("b", "(< y x)")],
    ];
    let wrong: &[&[Row]] = &[
        &[("e", "(both-i x y)"), ("b", "(< x y)")],
        &[("e", "(both-i x y)"), ("b", "(<= x y)")],
        &[("-e", "(both-i x y)"), ("b", "(< x y)")],
        &[("-e", "(both-i x y)"), ("b", "(< x y)"), ("b", "(< y x)")],
        &[("-e", "(both-i x z)"), ("b", "(<= x y)")],
        &[("-e", "(both-i z y)"), ("b", "(<= x y)")],
        &[("b", "(<= x y)")],
        &[("b", "(< x y)"), ("b", "(< y x)")],
        &[("-e", "(both-i x y)")],
        &[("e", "(both-i x y)")],
    ];
    let rule = |t: &Terms, f| {
        let (x, y) = pair(t, f);
        (vec![], Justification::Shared(x, y))
    };
    check_table(rule, &[("(both-i x y)", right, wrong)]);
    // Numerals: of an equation that is true only its negation implies something.
    check_table(
        rule,
        &[
            (
                "(both-i 1 1)",
                &[&[("e", "(both-i 1 1)")]],
                &[&[("-e", "(both-i 1 1)")]],
            ),
            (
                "(both-i 1 2)",
                &[&[("-e", "(both-i 1 2)")]],
                &[&[("e", "(both-i 1 2)")]],
            ),
        ],
    );
    // Numbers of different sorts, and what is no number.
    check_table(
        rule,
        &[(
            "(mixed x r)",
            &[],
            &[&[("-e", "(mixed x r)"), ("b", "(<= (to_real x) r)")]],
        )],
    );
    check_table(rule, &[("(both-u u v)", &[], &[&[("-e", "(both-u u v)")]])]);
}

/// Every value of a datatype is built by one of its constructors.
#[test]
fn constructors_are_exhaustive() {
    let all: &[Row] = &[
        ("f", "((_ is empty) w1)"),
        ("f", "((_ is link) w1)"),
        ("f", "((_ is knot) w1)"),
    ];
    let negated: &[Row] = &[("-f", "((_ is empty) w1)"), all[1], all[2]];
    let others: &[Row] = &[all[0], all[1], ("f", "((_ is knot) w2)")];
    let tables: [Table; 2] = [
        (
            "(both-w w1 w2)",
            &[all],
            &[&all[..2], &all[1..], &[all[0], all[2]], negated, others],
        ),
        ("(both-i x y)", &[], &[all]),
    ];
    let rule = |t: &Terms, f| (vec![], Justification::Exhaustive(pair(t, f).0));
    check_table(rule, &tables);
}

/// A term that a constructor builds is what that builds of the term's fields.
#[test]
fn constructor_terms_are_expanded() {
    let rebuilt: Row = ("e", "(both-w w1 (link (hd w1) (tl w1)))");
    let is_no_link: Row = ("-f", "((_ is link) w1)");
    let tables: [Table; 3] = [
        (
            "(both-w w1 (link x w2))",
            &[&[rebuilt, is_no_link]],
            &[
                &[rebuilt],
                &[is_no_link],
                &[rebuilt, ("f", is_no_link.1)],
                &[("-e", rebuilt.1), is_no_link],
                &[rebuilt, ("-f", "((_ is empty) w1)")],
            ],
        ),
        // Of a constructor term nothing is implied.
        ("(both-w (link x w1) (link x w1))", &[], &[&[]]),
        ("(both-iw x (link x w2))", &[], &[&[rebuilt, is_no_link]]),
    ];
    let rule = |t: &Terms, f| {
        let (x, built) = pair(t, f);
        let Op::Construct(ctor) = t.op(built) else {
            panic!("it is a constructor term");
        };
        (vec![], Justification::Expand(x, ctor))
    };
    check_table(rule, &tables);
}

/// Products of inequalities, and of equations with a factor.
#[test]
fn products_are_what_they_are() {
    let tables: [Table; 4] = [
        (
            "(of-i (* x y))",
            &[
                &[
                    ("b", "(<= x 0)"),
                    ("b", "(<= y 0)"),
                    ("b", "(>= (* x y) 1)"),
                ],
                &[("b", "(< x 0)"), ("b", "(< y 0)"), ("b", "(>= (* x y) 0)")],
                &[("b", "(> x 0)"), ("b", "(> y 0)"), ("b", "(>= (* x y) 0)")],
                &[("b", "(< x 0)"), ("b", "(> y 0)"), ("b", "(<= (* x y) 0)")],
                &[("b", "(< x 0)"), ("b", "(> x 0)"), ("b", "(>= (* x y) 0)")],
                &[
                    ("b", "(< x 2)"),
                    ("b", "(> x 2)"),
                    ("b", "(<= (* x y) (* 2 y))"),
                ],
            ],
            &[
                &[
                    ("b", "(<= x 0)"),
                    ("b", "(<= y 0)"),
                    ("b", "(>= (* x y) 2)"),
                ],
                &[
                    ("b", "(<= x 0)"),
                    ("b", "(<= y 0)"),
                    ("b", "(<= (* x y) 1)"),
                ],
                &[("b", "(< x 0)"), ("b", "(< y 0)"), ("b", "(>= (* x y) 1)")],
                &[("b", "(< x 0)"), ("b", "(> y 0)"), ("b", "(>= (* x y) 0)")],
                &[("b", "(< x 0)"), ("b", "(>= (* x y) 0)")],
                &[("b", "(>= (* x y) 0)")],
                &[("b", "(< x 0)"), ("b", "(> x 1)"), ("b", "(>= (* x y) 0)")],
                &[("b", "(< x 2)"), ("b", "(> x 2)"), ("b", "(<= (* x y) y)")],
                &[("b", "(< x 0)"), ("b", "(< y 0)"), ("f", "p")],
                &[("b", "(< x 0)"), ("b", "(< z 0)"), ("b", "(>= (* x y) 0)")],
            ],
        ),
        (
            "(of-r (* r s))",
            &[
                &[
                    ("b", "(<= r 0.0)"),
                    ("b", "(<= s 0.0)"),
                    ("b", "(> (* r s) 0.0)"),
                ],
                &[
                    ("b", "(< r 0.0)"),
                    ("b", "(< s 0.0)"),
                    ("b", "(>= (* r s) 0.0)"),
                ],
                &[
                    ("b", "(< r 2.0)"),
                    ("b", "(< s 3.0)"),
                    ("b", "(>= (+ (* r s) 6.0) (+ (* 3.0 r) (* 2.0 s)))"),
                ],
            ],
            &[
                &[
                    ("b", "(<= r 0.0)"),
                    ("b", "(< s 0.0)"),
                    ("b", "(> (* r s) 0.0)"),
                ],
                &[
                    ("b", "(< r 0.0)"),
                    ("b", "(<= s 0.0)"),
                    ("b", "(> (* r s) 0.0)"),
                ],
                &[
                    ("b", "(< r 0.0)"),
                    ("b", "(< s 0.0)"),
                    ("b", "(> (* r s) 0.0)"),
                ],
                &[
                    ("b", "(< r 0.0)"),
                    ("b", "(< s 0.0)"),
                    ("b", "(<= (* r s) 0.0)"),
                ],
                &[
                    ("b", "(<= r 0.0)"),
                    ("b", "(> r 0.0)"),
                    ("b", "(>= (* r s) 0.0)"),
                ],
                &[
                    ("b", "(<= r 0.0)"),
                    ("b", "(>= r 0.0)"),
                    ("b", "(>= (* r s) 0.0)"),
                ],
            ],
        ),
        (
            "(of-i (+ x y))",
            &[],
            &[&[
                ("b", "(<= x 0)"),
                ("b", "(<= y 0)"),
                ("b", "(>= (* x y) 1)"),
            ]],
        ),
        (
            "(of-i (* x (mod y 5)))",
            &[&[
                ("b", "(< x 0)"),
                ("b", "(< (mod y 5) 0)"),
                ("b", "(>= (* x (mod y 5)) 0)"),
            ]],
            &[&[
                ("b", "(< x 0)"),
                ("b", "(< (mod y 5) 0)"),
                ("b", "(>= (* x (mod y 5)) 1)"),
            ]],
        ),
    ];
    let rule = |t: &Terms, f| (vec![], Justification::Product(pair(t, f).0));
    check_table(rule, &tables);
}

/// An equation of bit-vectors is one of all bits.
#[test]
fn equations_of_bits() {
    let right: &[&[Row]] = &[
        &[
            ("-e", "(both-b a4 b4)"),
            ("t", "(of-b a4)"),
            ("-t", "(of-b b4)"),
        ],
        &[
            ("-e", "(both-b a4 b4)"),
            ("-t", "(of-b a4)"),
            ("t", "(of-b b4)"),
        ],
        &[("-e", "(both-b a4 #x4)"), ("-t", "(of-b a4)")],
        &[("-e", "(both-b a4 #x5)"), ("t", "(of-b a4)")],
    ];
    let wrong: &[&[Row]] = &[
        &[
            ("e", "(both-b a4 b4)"),
            ("t", "(of-b a4)"),
            ("-t", "(of-b b4)"),
        ],
        &[
            ("-e", "(both-b a4 b4)"),
            ("t", "(of-b a4)"),
            ("t", "(of-b b4)"),
        ],
        &[
            ("-e", "(both-b a4 b4)"),
            ("-t", "(of-b a4)"),
            ("-t", "(of-b b4)"),
        ],
        &[("-e", "(both-b a4 b4)"), ("t", "(of-b a4)")],
        &[("-e", "(both-b a4 b4)")],
        &[("t", "(of-b a4)"), ("-t", "(of-b b4)")],
        &[("-e", "(both-b a4 #x4)"), ("t", "(of-b a4)")],
        &[("-e", "(both-b a4 #x5)"), ("-t", "(of-b a4)")],
        &[("-e", "(both-u u v)")],
    ];
    let rule = |_: &Terms, _| (vec![], Justification::Equation);
    check_table(rule, &[("true", right, wrong)]);
}

/// The output of a gate by the values of its inputs.
type Function = fn([bool; 3]) -> bool;

/// A clause of a gate holds if all values of the gate's inputs make it true.
#[test]
fn clauses_of_gates() {
    let t = Terms::new();
    let literal = |number: i64| Literal {
        atom: u32::try_from(number.abs() - 1).expect("atoms count from 1"),
        positive: number > 0,
    };
    let [a, b, c] = [1, 2, 3].map(literal);
    let functions: [(Gate<Literal>, Function); 6] = [
        (Gate::And([a, b]), |[a, b, _]| a && b),
        (Gate::And([!a, b]), |[a, b, _]| !a && b),
        (Gate::Xor([a, b]), |[a, b, _]| a != b),
        (Gate::Xor([a, !a]), |_| true),
        (Gate::Mux([a, b, c]), |[a, b, c]| if a { b } else { c }),
        (Gate::Majority([a, b, c]), |inputs| {
            inputs.iter().filter(|&&input| input).count() >= 2
        }),
    ];
    for (gate, function) in functions {
        let inputs = (1..=3).map(|n| {
            let name = format!("input{n}");
            ProofAtom::Formula(t.var(&name, Sort::BOOL))
        });
        let atoms: Vec<ProofAtom> = inputs.chain([ProofAtom::Gate(gate)]).collect();
        // Each of the four atoms is absent, positive or negated.
        for clause in 1..81 {
            let signs = [1, 3, 9, 27].map(|place| clause / place % 3);
            let literals = (1..).zip(signs).filter(|&(_, sign)| sign > 0);
            let clause: Box<[Literal]> = literals
                .map(|(number, sign)| literal(if sign == 1 { number } else { -number }))
                .collect();
            let is_true = |values: [bool; 3]| {
                let output = function(values);
                clause.iter().any(|l| match l.atom {
                    3 => l.positive == output,
                    input => l.positive == values[input as usize],
                })
            };
            let mut all = (0..8).map(|values| [0, 1, 2].map(|place| values >> place & 1 == 1));
            let expected = clause.iter().any(|l| l.atom == 3) && all.all(is_true);
            let why = Why::Input {
                rule: Justification::Gate,
                part: 0,
            };
            let steps = vec![ProofStep {
                clause: clause.clone(),
                why,
            }];
            let proof = Proof {
                atoms: atoms.clone(),
                steps,
            };
            let error = check(&t, &[], &[], &proof).expect_err("nothing is contradictory");
            assert_eq!(error.flaw == Flaw::Open, expected, "{gate:?}: {clause:?}");
        }
    }
    // An output that is its own input says nothing.
    let atoms = vec![ProofAtom::Gate(Gate::Xor([a, a]))];
    let why = Why::Input {
        rule: Justification::Gate,
        part: 0,
    };
    let clause = Box::from([!a]);
    let steps = vec![ProofStep { clause, why }];
    let error = check(&t, &[], &[], &Proof { atoms, steps }).expect_err("it is circular");
    assert_eq!(error.flaw, Flaw::Justification);
}

/// Two arrays are equal or differ at their difference. An array differs from itself nowhere.
#[test]
fn arrays_differ_somewhere() {
    let t = Terms::new();
    let formulas = formulas_with(&t, DECLARATIONS, "(both-m m1 m2) (both-u u v)");
    let (x, y) = pair(&t, formulas[0]);
    // As a search names it.
    let (first, last) = (x.min(y), x.max(y));
    let name = format!("difference\\{},{}", first.index(), last.index());
    let index = t.var(&name, Sort::INT);
    let flaw = |rule: Justification, literals: &[(ProofAtom, bool)]| {
        let atoms = literals.iter().map(|(atom, _)| atom.clone()).collect();
        let literals = (0..).zip(literals);
        let clause = literals.map(|(atom, &(_, positive))| Literal { atom, positive });
        let clause: Box<[Literal]> = clause.collect();
        let why = Why::Input { rule, part: 0 };
        let steps = vec![ProofStep { clause, why }];
        check(&t, &[], &[], &Proof { atoms, steps })
            .expect_err("nothing is contradictory")
            .flaw
    };
    let rule = Justification::Extensionality(x, y);
    let equal = ProofAtom::Equal(x, y);
    let same = |i: Term| ProofAtom::Formula(t.eq(t.select(x, i), t.select(y, i)));
    let right = [(equal.clone(), true), (same(index), false)];
    assert_eq!(flaw(rule, &right), Flaw::Open);
    for wrong in [
        &right[..1],
        &right[1..],
        &[(equal.clone(), false), (same(index), false)],
        &[(equal.clone(), true), (same(index), true)],
        &[(equal, true), (same(t.int(0)), false)],
    ] {
        assert_eq!(flaw(rule, wrong), Flaw::Justification, "{wrong:?}");
    }
    assert_eq!(
        flaw(Justification::Extensionality(x, x), &[]),
        Flaw::Justification
    );
    // What is no array has no elements.
    let (u, v) = pair(&t, formulas[1]);
    let equal = [(ProofAtom::Equal(u, v), true)];
    assert_eq!(
        flaw(Justification::Extensionality(u, v), &equal),
        Flaw::Justification
    );
}

/// Steps that resolve earlier ones, and sums.
#[test]
fn resolutions_and_sums() {
    let t = Terms::new();
    let formulas = formulas_with(&t, DECLARATIONS, "p q (and (or p q) (or p (not q)))");
    let atoms = [formulas[0], formulas[1]].map(ProofAtom::Formula).to_vec();
    let literal = |number: i64| Literal {
        atom: u32::try_from(number.abs() - 1).expect("atoms count from 1"),
        positive: number > 0,
    };
    let step = |clause: &[i64], why: Why| ProofStep {
        clause: clause.iter().map(|&n| literal(n)).collect(),
        why,
    };
    let asserted = formulas[2];
    let assertions: Vec<Term> = t.conjuncts(asserted);
    let given = |number: usize| Why::Input {
        rule: Justification::Assertion(assertions[number], true),
        part: 0,
    };
    let chain = |steps: &[u32]| Why::Chain(steps.into());
    let first = [step(&[1, 2], given(0)), step(&[1, -2], given(1))];
    let flaw = |last: &[ProofStep]| {
        let steps = [&first[..], last].concat();
        let atoms = atoms.clone();
        check(&t, &[asserted], &[], &Proof { atoms, steps })
            .expect_err("it has a model")
            .flaw
    };
    assert_eq!(flaw(&[step(&[1], chain(&[0, 1]))]), Flaw::Open);
    assert_eq!(flaw(&[step(&[1, -2], chain(&[0, 1]))]), Flaw::Open);
    assert_eq!(flaw(&[step(&[2, -2], chain(&[]))]), Flaw::Open);
    assert_eq!(flaw(&[step(&[2], chain(&[]))]), Flaw::Resolution);
    assert_eq!(flaw(&[step(&[], chain(&[]))]), Flaw::Resolution);
    assert_eq!(flaw(&[step(&[], chain(&[0, 1]))]), Flaw::Resolution);
    assert_eq!(flaw(&[step(&[2], chain(&[0, 1]))]), Flaw::Resolution);
    assert_eq!(flaw(&[step(&[1], chain(&[0]))]), Flaw::Resolution);
    assert_eq!(flaw(&[step(&[1], chain(&[0, 0]))]), Flaw::Resolution);
    // A step that refers to itself would prove anything.
    assert_eq!(flaw(&[step(&[], chain(&[2]))]), Flaw::Reference);
    assert_eq!(flaw(&[step(&[], chain(&[3]))]), Flaw::Reference);
    assert_eq!(flaw(&[step(&[1], chain(&[0, 2]))]), Flaw::Reference);
    // The least number that no atom has.
    assert_eq!(flaw(&[step(&[3, -3], chain(&[]))]), Flaw::Reference);
    let two_pivots = [
        step(&[-1, -2, 1], chain(&[])),
        step(&[1, -1], chain(&[0, 2])),
    ];
    assert_eq!(flaw(&two_pivots), Flaw::Resolution);
    assert_eq!(flaw(&[step(&[1], Why::Farkas([].into()))]), Flaw::Sum);
    assert_eq!(flaw(&[step(&[], Why::Farkas([].into()))]), Flaw::Sum);
}

/// The negations of the literals, times the factors, add up to falsity.
#[test]
fn sums_of_inequalities() {
    let cases: [(&[Row], &[i64], bool); 9] = [
        (&[("-b", "(<= x y)"), ("-b", "(< y x)")], &[1, 1], true),
        (&[("-b", "(<= x y)"), ("-b", "(<= y x)")], &[1, 1], false),
        (&[("-b", "(<= r s)"), ("-b", "(< s r)")], &[1, 1], true),
        (&[("-b", "(<= r s)"), ("-b", "(<= s r)")], &[1, 1], false),
        (
            &[("-b", "(<= (* 2 x) y)"), ("-b", "(< y (* 2 x))")],
            &[1, 1],
            true,
        ),
        (
            &[("-b", "(<= x 0)"), ("-b", "(<= (- 3) (* (- 2) x))")],
            &[2, 1],
            false,
        ),
        (&[("b", "(<= x y)"), ("b", "(<= y x)")], &[1, 1], true),
        (&[("b", "(< r s)"), ("b", "(< s r)")], &[1, 1], false),
        (&[("-b", "(<= x y)"), ("f", "p")], &[1, 1], false),
    ];
    for (literals, factors, expected) in cases {
        let t = Terms::new();
        let (_, atoms, clause) = read(&t, "true", literals);
        let why = Why::Farkas(factors.iter().map(|&n| Rational::from(n)).collect());
        let steps = vec![ProofStep { clause, why }];
        let error = check(&t, &[], &[], &Proof { atoms, steps }).expect_err("it is not empty");
        assert_eq!(error.flaw == Flaw::Open, expected, "{literals:?}");
    }
}
