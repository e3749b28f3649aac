//! Assertions and definitions: what follows from the connectives of a formula.

use super::*;

/// Clauses that follow from an assertion, and clauses that do not.
fn check_assertions(tables: &[Table]) {
    let rule = |_: &Terms, asserted| (vec![asserted], Justification::Assertion(asserted, true));
    check_table(rule, tables);
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
    check_assertions(&tables);
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
    check_assertions(&tables);
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

/// A conjunction of more parts than are read from left to right has a list of what they say.
#[test]
fn parts_of_long_conjunctions() {
    let rest = "(of-i 1) (of-i 2) (of-i 3) (of-i 4) (of-i 5) (of-i 6)";
    let long = |parts: &str| format!("(and {rest} {parts})");
    let of_literals = long("p (not q) (= u v) (not (= u o)) (<= x y) (not (= x z)) (= y z)");
    let of_formulas = long("(or p q) (not (= p q)) (and (or q (of-i x)) (< r s))");
    let disjunction = format!("(not (or {rest} p (not q) (< x y) (= u v)))");
    let tables: [Table; 3] = [
        (
            &of_literals,
            &[
                &[("f", "p")],
                &[("-f", "q")],
                &[("e", "(both-u v u)")],
                &[("-e", "(both-u o u)")],
                &[("b", "(<= x y)")],
                &[("b", "(<= y z)")],
                &[("b", "(<= z y)")],
                &[("b", "(< x z)"), ("b", "(< z x)")],
                &[("f", "(of-i 6)"), ("-f", "p")],
            ],
            &[
                &[("-f", "p")],
                &[("f", "q")],
                &[("-e", "(both-u v u)")],
                &[("e", "(both-u o u)")],
                &[("e", "(both-u o v)")],
                &[("b", "(<= y x)")],
                &[("b", "(< x y)")],
                &[("b", "(< x z)")],
                &[("b", "(< z x)")],
                &[("-f", "(of-i 6)")],
                &[],
            ],
        ),
        (
            &of_formulas,
            &[
                &[("f", "p"), ("f", "q")],
                &[("-f", "p"), ("-f", "q")],
                &[("f", "q"), ("f", "(of-i x)")],
                &[("b", "(< r s)")],
            ],
            &[
                &[("f", "p")],
                &[("-f", "q"), ("f", "p")],
                &[("f", "(of-i x)")],
                &[("b", "(< s r)")],
            ],
        ),
        (
            &disjunction,
            &[
                &[("-f", "p")],
                &[("f", "q")],
                &[("b", "(<= y x)")],
                &[("-e", "(both-u u v)")],
            ],
            &[
                &[("f", "p")],
                &[("-f", "q")],
                &[("b", "(< x y)")],
                &[("e", "(both-u u v)")],
            ],
        ),
    ];
    check_assertions(&tables);
}

/// What was read off terms for one proof proves nothing in the next by itself.
#[test]
fn each_proof_is_judged_anew() {
    let t = Terms::new();
    let about = "(and p q (of-i 1) (of-i 2) (of-i 3) (of-i 4) (of-i 5) (<= x y))";
    let (formula, atoms, _) = read(&t, about, &[("f", "p"), ("b", "(<= x y)")]);
    let mut readings = Readings::default();
    let mut flaw = |atom, positive, assertions: &[Term]| {
        let rule = Justification::Assertion(formula, true);
        let why = Why::Input { rule, part: 0 };
        let clause = [Literal { atom, positive }].into();
        let (atoms, steps) = (atoms.clone(), vec![ProofStep { clause, why }]);
        let result = readings.check(&t, assertions, &[], &Proof { atoms, steps });
        result.expect_err("nothing contradicts the clause").flaw
    };
    for atom in [0, 1] {
        assert_eq!(flaw(atom, true, &[formula]), Flaw::Open);
        assert_eq!(flaw(atom, false, &[formula]), Flaw::Justification);
        assert_eq!(flaw(atom, true, &[]), Flaw::NotAsserted);
        assert_eq!(flaw(atom, true, &[formula]), Flaw::Open);
    }
}
