//! Equations of bit-vectors, and gates.

use super::*;

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
