//! Equations of numbers as bounds, resolutions, and sums of inequalities.

use super::*;

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
