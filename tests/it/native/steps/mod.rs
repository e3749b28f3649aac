//! Single steps of proofs, by tables: clauses that hold by a rule, and clauses that do not.
//!
//! The clauses that do not hold are what a checker that looks less closely would accept.

mod bits;
mod equality;
mod formulas;
mod operators;
mod sums;

use super::session::formulas_with;
use horn::number::{DeltaRational, Rational};
use horn::smt::native::check::{Flaw, Readings, check};
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
