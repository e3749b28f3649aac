//! Proofs: every rule occurs, and what is changed in a proof is found.

use super::session::{formulas, proving};
use horn::number::Rational;
use horn::smt::native::NativeSolver;
use horn::smt::native::check::{Flaw, check};
use horn::smt::native::proof::{Gate, Justification, Literal, Proof, ProofAtom, ProofStep, Why};
use horn::smt::{SatResult, Solver};
use horn::term::{Sort, Term, Terms};
use std::collections::BTreeSet;

/// Contradictory assertions of which none can be spared, and a rule that their proof needs.
const CONTRADICTIONS: [(&str, &str); 33] = [
    ("(< x y) (< y z) (< z x)", ":farkas"),
    ("(<= (+ r s) 1.0) (> r 0.5) (>= s 0.5)", ":farkas"),
    (
        "(or p q) (or p (not q)) (or (not p) q) (or (not p) (not q))",
        ":resolution",
    ),
    ("p (=> p (> x 3)) (< x 2)", ":input assertion"),
    (
        "(or (and p (> x 3)) (and q (> x 5))) (< x 2)",
        ":input definition",
    ),
    (
        "(not (= p (and q (< x y)))) p q (< x y)",
        ":input definition",
    ),
    ("(= x (ite p 1 2)) (> x 2)", ":input definition"),
    (
        "(> (+ (ite p x y) (ite q z y)) 10) (< x 5) (< y 5) (< z 5)",
        ":input operator",
    ),
    ("(= x (mod y 3)) (> x 2)", ":input operator"),
    ("(> (abs x) 3) (< (- 3) x 3)", ":input operator"),
    ("(= (to_int r) 3) (< r 3.0)", ":input operator"),
    ("(= u v) (= v o) (not (= u o))", ":input closure"),
    ("(= u v) (h u r) (not (h v r))", ":input closure"),
    ("(= x y) (< (f x) (f y))", ":input shared"),
    (
        "(= m1 (store m2 x y)) (not (= (select m1 x) y))",
        ":input arrays",
    ),
    (
        "(= m1 (store m2 x y)) (< z x) (not (= (select m1 z) (select m2 z)))",
        ":input arrays",
    ),
    (
        "(not (= m1 m2)) (= (store m1 x 0) (store m2 x 0)) (= (select m1 x) (select m2 x))",
        ":input extensionality",
    ),
    ("(= w1 (link x w2)) (= w2 (link y w1))", ":input closure"),
    (
        "((_ is link) w1) (= (hd w1) 1) (= (tl w1) w2) (not (= w1 (link 1 w2)))",
        ":input expand",
    ),
    (
        "(not ((_ is link) w1)) (not (= w1 empty))",
        ":input exhaustive",
    ),
    ("(> x 0) (> y 0) (< (* x y) 1)", ":input product"),
    (
        "(<= 0 r 5.0) (<= 0 s 5.0) (> (* r s) 25.0)",
        ":input product",
    ),
    ("(>= x 0) (<= y z) (> (* x y) (* z x))", ":input product"),
    ("(> y 0) (>= (mod x y) y)", ":input operator"),
    ("(= (- (* 3 x) (* 3 y)) 1)", ":resolution"),
    ("(= a4 b4) (bvult a4 b4)", ":input equation"),
    ("(bvult a4 b4) (bvslt b4 a4) (bvult b4 #x8)", ":input gate"),
    (
        "(= (bvadd a4 b4) (bvor a4 b4)) (= (bvand a4 b4) #x5)",
        ":input gate",
    ),
    (
        "(= (bvudiv a4 b4) #x3) (= (bvmul b4 #x3) #xf) (bvult a4 #xe)",
        ":input gate",
    ),
    (
        "(= (ite p a4 b4) c4) (= a4 b4) (not (= c4 a4))",
        ":input equation",
    ),
    ("(= a4 b4) (not (= (m4 a4) (m4 b4)))", ":input closure"),
    ("(> (bv2nat a4) 15)", ":input operator"),
    ("(= ((_ int2bv 4) x) #x5) (< 5 x 21)", ":input operator"),
];

/// The proof that formulas contradict each other, which is accepted.
fn prove(t: &Terms, assertions: &[Term], assumptions: &[Term]) -> Proof {
    let mut solver = NativeSolver::new(t, &proving());
    assertions.iter().for_each(|&f| solver.assert(f));
    assert_eq!(
        solver.check(format_args!("a contradiction"), assumptions),
        SatResult::Unsat
    );
    let proof = solver.proof().expect("proofs are kept");
    assert_eq!(
        check(t, assertions, assumptions, &proof),
        Ok(()),
        "{}",
        proof.text(t)
    );
    proof
}

#[test]
fn every_rule_occurs() {
    let mut found = BTreeSet::new();
    for (text, rule) in CONTRADICTIONS {
        let t = Terms::new();
        let proof = prove(&t, &formulas(&t, text), &[]).text(&t);
        assert!(proof.contains(rule), "no {rule} for {text}:\n{proof}");
        for line in proof.lines().filter(|line| !line.starts_with("(gate ")) {
            let why = line.rsplit_once(" :").expect("a reason").1;
            let kind = why.trim_end_matches(')').split(" (").next();
            found.insert(kind.expect("a kind").to_owned());
        }
    }
    let all = [
        "farkas",
        "input arrays",
        "input assertion",
        "input closure",
        "input definition",
        "input equation",
        "input exhaustive",
        "input expand",
        "input extensionality",
        "input gate",
        "input operator",
        "input product",
        "input shared",
        "resolution",
    ];
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), all);
}

/// A proof is about these assertions and assumptions: where one that it needs is left out, it is
/// refused.
#[test]
fn proofs_of_other_assertions_are_refused() {
    for (text, _) in CONTRADICTIONS {
        let t = Terms::new();
        let all = formulas(&t, text);
        for assumed in 0..=all.len() {
            let (assumptions, assertions) = all.split_at(assumed);
            let proof = prove(&t, assertions, assumptions);
            for (number, &spared) in all.iter().enumerate() {
                let without = |part: &[Term]| -> Vec<Term> {
                    part.iter().copied().filter(|&f| f != spared).collect()
                };
                let checked = check(&t, &without(assertions), &without(assumptions), &proof);
                let error = checked.expect_err("it needs all of them");
                let flaw = if number < assumed {
                    Flaw::Open
                } else {
                    Flaw::NotAsserted
                };
                assert_eq!(
                    error.flaw,
                    flaw,
                    "{text}, {assumed} assumed, without {number}\n{}",
                    proof.text(&t)
                );
                assert!(
                    error
                        .to_string()
                        .starts_with(&format!("step {}: ", error.step))
                );
            }
        }
    }
}

/// Changes a proof somewhere: by a number, which place. `None` where there is no such place any
/// more.
type Change = fn(&mut Proof, usize) -> Option<()>;

/// The steps of one kind.
fn steps_of<'p>(
    proof: &'p mut Proof,
    kind: &'p dyn Fn(&Why) -> bool,
) -> impl Iterator<Item = &'p mut horn::smt::native::proof::ProofStep> {
    proof.steps.iter_mut().filter(move |s| kind(&s.why))
}

fn is_farkas(why: &Why) -> bool {
    matches!(why, Why::Farkas(_))
}

/// A factor of a sum becomes another one.
fn change_factor(
    proof: &mut Proof,
    place: usize,
    change: impl Fn(&Rational) -> Rational,
) -> Option<()> {
    let mut factors = steps_of(proof, &is_farkas).flat_map(|step| match &mut step.why {
        Why::Farkas(factors) => factors.iter_mut(),
        _ => unreachable!("only sums were taken"),
    });
    let factor = factors.nth(place)?;
    *factor = change(factor);
    Some(())
}

/// A literal of a sum goes, with its factor.
fn spare_summand(proof: &mut Proof, place: usize) -> Option<()> {
    let mut before = 0;
    for step in steps_of(proof, &is_farkas) {
        let at = place - before;
        if at < step.clause.len() {
            let Why::Farkas(factors) = &mut step.why else {
                unreachable!("only sums were taken");
            };
            step.clause = without(&step.clause, at);
            *factors = without(factors, at);
            return Some(());
        }
        before += step.clause.len();
    }
    None
}

fn without<T: Clone>(list: &[T], place: usize) -> Box<[T]> {
    let others = list.iter().enumerate().filter(|&(i, _)| i != place);
    others.map(|(_, x)| x.clone()).collect()
}

/// The literal at a place is replaced by others.
fn change_literal(
    proof: &mut Proof,
    place: usize,
    others: impl Fn(Literal) -> Vec<Literal>,
) -> Option<()> {
    let mut before = 0;
    for step in &mut proof.steps {
        let at = place - before;
        if at < step.clause.len() {
            let mut clause = step.clause.to_vec();
            let changed = others(clause[at]);
            clause.splice(at..=at, changed);
            step.clause = clause.into();
            return Some(());
        }
        before += step.clause.len();
    }
    None
}

/// A literal goes, other than one that is false by itself.
fn drop_literal(proof: &mut Proof, place: usize) -> Option<()> {
    let atoms = &proof.atoms;
    // That an operator has its meaning is true: a clause without its negation says the same.
    let is_false =
        |l: Literal| !l.positive && matches!(atoms[l.atom as usize], ProofAtom::Operator(_));
    let literals = proof.steps.iter().flat_map(|step| &*step.clause);
    let mut places = literals
        .enumerate()
        .filter(|(_, literal)| !is_false(**literal));
    let (place, _) = places.nth(place)?;
    change_literal(proof, place, |_| vec![])
}

/// A reference of a resolution becomes another one.
fn change_reference(
    proof: &mut Proof,
    place: usize,
    change: impl Fn(u32, usize) -> u32,
) -> Option<()> {
    let mut references = proof
        .steps
        .iter_mut()
        .enumerate()
        .flat_map(|(number, step)| {
            let steps = match &mut step.why {
                Why::Chain(steps) => steps.iter_mut(),
                _ => [].iter_mut(),
            };
            steps.map(move |s| (number, s))
        });
    let (number, reference) = references.nth(place)?;
    *reference = change(*reference, number);
    Some(())
}

/// The bound of an atom moves, so that less is said where it is an upper one.
fn move_bound(proof: &mut Proof, place: usize, by: i64) -> Option<()> {
    let mut bounds = proof.atoms.iter_mut().filter_map(|atom| match atom {
        ProofAtom::Bound { bound, .. } => Some(bound),
        _ => None,
    });
    let bound = bounds.nth(place)?;
    bound.real = &bound.real + &Rational::from(by);
    Some(())
}

/// An input of a gate is negated.
fn negate_input(proof: &mut Proof, place: usize) -> Option<()> {
    let mut gates = proof.atoms.iter_mut().filter_map(|atom| match atom {
        ProofAtom::Gate(gate) => Some(gate),
        _ => None,
    });
    let gate = gates.nth(place / 3)?;
    let mut inputs = 0..;
    *gate = gate.map(|input| match inputs.next() {
        Some(number) if number == place % gate.inputs().len() => !input,
        _ => input,
    });
    Some(())
}

/// A gate becomes one of another kind, or one that has itself for an input.
fn change_gate(proof: &mut Proof, place: usize) -> Option<()> {
    let numbered = (0..).zip(&mut proof.atoms);
    let mut gates = numbered.filter_map(|(number, atom)| match atom {
        ProofAtom::Gate(gate) => Some((number, gate)),
        _ => None,
    });
    let (atom, gate) = gates.nth(place / 2)?;
    let itself = Literal {
        atom,
        positive: true,
    };
    let is_circular = place.is_multiple_of(2);
    *gate = match *gate {
        Gate::And([_, b]) if is_circular => Gate::And([itself, b]),
        Gate::Xor([a, _]) if is_circular => Gate::Xor([a, itself]),
        Gate::Mux([c, _, b]) if is_circular => Gate::Mux([c, itself, b]),
        Gate::Majority([_, b, c]) if is_circular => Gate::Majority([itself, b, c]),
        Gate::And(inputs) => Gate::Xor(inputs),
        Gate::Xor(inputs) => Gate::And(inputs),
        Gate::Mux(inputs) => Gate::Majority(inputs),
        Gate::Majority(inputs) => Gate::Mux(inputs),
    };
    Some(())
}

/// A bit of a vector becomes the next one, of which there may be none.
fn change_bit(proof: &mut Proof, place: usize) -> Option<()> {
    let mut bits = proof.atoms.iter_mut().filter_map(|atom| match atom {
        ProofAtom::Bit(_, index) => Some(index),
        _ => None,
    });
    *bits.nth(place)? += 1;
    Some(())
}

/// Changes after which no proof holds, wherever they are made.
const ALWAYS_WRONG: [(&str, Change); 17] = [
    ("a factor doubled", |p, at| change_factor(p, at, |f| f + f)),
    ("a factor too many", |p, at| {
        let step = steps_of(p, &is_farkas).nth(at)?;
        let Why::Farkas(factors) = &mut step.why else {
            unreachable!("only sums were taken");
        };
        let more = [&**factors, &[Rational::one()]].concat();
        *factors = more.into();
        Some(())
    }),
    ("a factor of zero", |p, at| {
        change_factor(p, at, |_| Rational::zero())
    }),
    ("a negative factor", |p, at| change_factor(p, at, |f| -f)),
    ("a summand missing", spare_summand),
    ("a literal missing", drop_literal),
    ("a literal negated", |p, at| {
        change_literal(p, at, |l| vec![!l])
    }),
    ("a literal of no atom", |p, at| {
        change_literal(p, at, |l| vec![Literal { atom: 1 << 20, ..l }])
    }),
    ("a reference to the step itself", |p, at| {
        change_reference(p, at, |_, own| own as u32)
    }),
    ("a reference to no step", |p, at| {
        change_reference(p, at, |_, _| u32::MAX)
    }),
    ("the last step missing", |p, at| {
        (at == 0).then(|| drop(p.steps.pop()))
    }),
    ("no step at all", |p, at| (at == 0).then(|| p.steps.clear())),
    ("steps in another order", |p, at| {
        (at == 0 && p.steps.len() > 1).then(|| p.steps.rotate_right(1))
    }),
    ("a bound moved", |p, at| {
        move_bound(p, at / 2, if at % 2 == 0 { 1 } else { -1 })
    }),
    ("an input negated", negate_input),
    ("another gate", change_gate),
    ("another bit", change_bit),
];

#[test]
fn changed_proofs_are_refused() {
    let mut made = vec![0; ALWAYS_WRONG.len()];
    for (text, _) in CONTRADICTIONS {
        let t = Terms::new();
        let assertions = formulas(&t, text);
        let proof = prove(&t, &assertions, &[]);
        for ((name, change), made) in ALWAYS_WRONG.iter().zip(&mut made) {
            for place in 0.. {
                let mut changed = proof.clone();
                if change(&mut changed, place).is_none() {
                    break;
                }
                *made += 1;
                let checked = check(&t, &assertions, &[], &changed);
                assert!(
                    checked.is_err(),
                    "{name}, place {place}, of the proof for {text}:\n{}\nbefore:\n{}",
                    changed.text(&t),
                    proof.text(&t)
                );
            }
        }
    }
    assert!(made.iter().all(|&n| n > 0), "{made:?}");
}

/// Two constant arrays by truth values, with stores between them, have one element if there is an
/// index that is not stored to: not if both are, twice or once.
#[test]
fn stores_to_every_index_say_nothing_of_constants() {
    let t = Terms::new();
    let sort = t.array_sort(Sort::BOOL, Sort::INT);
    let [x, y] = ["x", "y"].map(|name| t.var(name, Sort::INT));
    let b = t.var("b", Sort::BOOL);
    let [ones, others] = [t.int(1), x].map(|element| t.const_array(sort, element));
    let flaw = |stores: &[Term], known: &[ProofAtom]| {
        let chain = |array, &index: &Term| t.store(array, index, y);
        let changed = stores.iter().fold(ones, chain);
        let ends = ProofAtom::Equal(changed, t.store(others, stores[0], y));
        let equal = ProofAtom::Equal(t.int(1), x);
        let atoms = [&[ends, equal], known].concat();
        let positive = |atom: usize| Literal {
            atom: u32::try_from(atom).expect("they are few"),
            positive: atom == 1,
        };
        let clause: Box<[Literal]> = (0..atoms.len()).map(positive).collect();
        let why = Why::Input {
            rule: Justification::Arrays,
            part: 0,
        };
        let steps = vec![ProofStep { clause, why }];
        let proof = Proof { atoms, steps };
        check(&t, &[], &[], &proof)
            .expect_err("nothing is contradictory")
            .flaw
    };
    let (yes, no) = (Term::TRUE, Term::FALSE);
    // The step is right where it is the end that is none.
    assert_eq!(flaw(&[yes], &[]), Flaw::Open);
    assert_eq!(flaw(&[yes, yes], &[]), Flaw::Open);
    assert_eq!(flaw(&[yes, no], &[]), Flaw::Justification);
    assert_eq!(flaw(&[yes, no, yes], &[]), Flaw::Justification);
    assert_eq!(flaw(&[yes, b], &[]), Flaw::Justification);
    assert_eq!(flaw(&[yes, b], &[ProofAtom::Formula(b)]), Flaw::Open);
}
