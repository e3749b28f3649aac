//! What operators mean: axioms of arithmetic, of datatypes and of arrays, by rules of our own.
//!
//! | rule | clause |
//! |---|---|
//! | `ite_then`, `ite_else` | `(cl (not c) (= (ite c x y) x))`, `(cl c (= (ite c x y) y))` |
//! | `div_bounds` | `(cl (<= (* k (div x k)) x))`, `(cl (<= x (+ (* k (div x k)) \|k\|-1)))` |
//! | `abs_bounds` | `(cl (<= x (abs x)))`, `(cl (<= (- x) (abs x)))`, `(cl (<= (abs x) x) (<= (abs x) (- x)))` |
//! | `floor_bounds` | `(cl (<= (to_real (to_int x)) x))`, `(cl (< x (+ (to_real (to_int x)) 1.0)))` |
//! | `dt_exhaustive` | `(cl ((_ is C) x) …)`, one literal for each constructor |
//! | `dt_expand` | `(cl (not ((_ is C) x)) (= x (C (s x) …)))`; without the tester if `C` is the only constructor |
//! | `array_ext` | `(cl (= a b) (not (= (select a d) (select b d))))`, where `d` is an index at which they differ if they do |

use super::Unsupported;
use super::clausal::Goal;
use super::derivation::{Derivation, Stated, divisor, equation, formula, sum};
use crate::number::Rational;
use crate::smt::native::proof::difference;
use crate::term::{CtorId, LinearSum, Op, Term};

impl Goal<'_, '_> {
    /// How the clause follows from what an operator means.
    ///
    /// # Errors
    /// There is no rule for the operator, or the clause does not follow in a way that is known.
    pub(super) fn operator(&self, term: Term) -> Result<Derivation, Unsupported> {
        let t = self.t;
        let found = match t.op(term) {
            Op::Ite => [true, false]
                .into_iter()
                .find_map(|value| self.branch(term, value)),
            Op::IDiv if divisor(t, term).is_some() => self.quotient(term),
            Op::Abs => self.absolute(term),
            Op::ToInt => self.floor(term),
            Op::Bv(op) => self.conversion(op, term),
            _ => return Err(Unsupported::Rule("quotients by variables")),
        };
        found.ok_or(Unsupported::Clause)
    }

    /// By what an `ite` is if its condition has this value.
    fn branch(&self, term: Term, value: bool) -> Option<Derivation> {
        let t = self.t;
        let (condition, result) = (t.args(term)[0], t.args(term)[if value { 1 } else { 2 }]);
        let rule = if value { "ite_then" } else { "ite_else" };
        let condition_fails = Stated::Formula(condition, !value);
        let equal = equation(t, term, result, true);
        let axiom = Derivation::axiom(rule, vec![condition_fails, equal]);
        let rest = self.entails(condition, !value, 0)?;
        let says = match t.sort_of(term).is_arith() {
            true => self.equation(term, result)?,
            // The clause has the equation, or the step is not what is wanted.
            false => Derivation::Same,
        };
        Some(Derivation::Resolution(vec![axiom, rest, says]))
    }

    /// That one of these holds by a rule, each of which implies a bound of the clause: texts with
    /// the sums that are at most zero, or less where the flag is set.
    pub(super) fn bounds(
        &self,
        rule: &'static str,
        sides: Vec<(String, LinearSum, bool)>,
    ) -> Option<Derivation> {
        let stated = |(text, ..): &(String, LinearSum, bool)| Stated::Text(text.clone(), true);
        let axiom = Derivation::axiom(rule, sides.iter().map(stated).collect());
        let mut parts = vec![axiom];
        for (text, sum, strict) in sides {
            parts.push(self.bound(Stated::Text(text, false), &sum, strict, 1)?);
        }
        Some(Derivation::Resolution(parts))
    }

    fn quotient(&self, term: Term) -> Option<Derivation> {
        let t = self.t;
        let args = t.args(term);
        let divisor = divisor(t, term)?;
        let rest = Rational::one() - divisor.abs();
        let [x, k, own] = [args[0], args[1], term].map(|part| formula(t, part));
        let mut over = itself(term);
        over.scale(divisor);
        over.add_scaled(&Rational::from(-1), &sum(t, args[0]));
        let mut under = over.clone();
        under.scale(&Rational::from(-1));
        under.constant += &rest;
        let multiple = format!("(* {k} {own})");
        let lower = (format!("(<= {multiple} {x})"), over, false);
        let upper = (format!("(<= {x} (+ {multiple} {}))", -rest), under, false);
        [lower, upper]
            .into_iter()
            .find_map(|side| self.bounds("div_bounds", vec![side]))
    }

    fn absolute(&self, term: Term) -> Option<Derivation> {
        let t = self.t;
        let argument = sum(t, t.args(term)[0]);
        let [x, own] = [t.args(term)[0], term].map(|part| formula(t, part));
        let (plus, minus) = (Rational::one(), Rational::from(-1));
        // `factor·own + other·argument ≤ 0`
        let at_most_zero = |factor: &Rational, other: &Rational| {
            let mut sum = itself(term);
            sum.scale(factor);
            sum.add_scaled(other, &argument);
            sum
        };
        let clauses = [
            vec![(
                format!("(<= {x} {own})"),
                at_most_zero(&minus, &plus),
                false,
            )],
            vec![(
                format!("(<= (- {x}) {own})"),
                at_most_zero(&minus, &minus),
                false,
            )],
            vec![
                (
                    format!("(<= {own} {x})"),
                    at_most_zero(&plus, &minus),
                    false,
                ),
                (
                    format!("(<= {own} (- {x}))"),
                    at_most_zero(&plus, &plus),
                    false,
                ),
            ],
        ];
        clauses
            .into_iter()
            .find_map(|sides| self.bounds("abs_bounds", sides))
    }

    fn floor(&self, term: Term) -> Option<Derivation> {
        let t = self.t;
        let [x, own] = [t.args(term)[0], term].map(|part| formula(t, part));
        let mut over = itself(term);
        over.add_scaled(&Rational::from(-1), &sum(t, t.args(term)[0]));
        let mut under = over.clone();
        under.scale(&Rational::from(-1));
        under.constant += &Rational::from(-1);
        let lower = (format!("(<= (to_real {own}) {x})"), over, false);
        let upper = (format!("(< {x} (+ (to_real {own}) 1.0))"), under, true);
        [lower, upper]
            .into_iter()
            .find_map(|side| self.bounds("floor_bounds", vec![side]))
    }

    /// How the clause follows since one of its constructors builds a term.
    pub(super) fn exhaustive(&self, x: Term) -> Option<Derivation> {
        let t = self.t;
        let datatype = t.datatype_of(t.sort_of(x))?;
        let testers = t.datatype(datatype).ctors().iter().map(|&c| t.is(c, x));
        let testers: Vec<Term> = testers.collect();
        let stated = testers.iter().map(|&f| Stated::Formula(f, true));
        let mut parts = vec![Derivation::axiom("dt_exhaustive", stated.collect())];
        for &tester in &testers {
            parts.push(self.entails(tester, true, 0)?);
        }
        Some(Derivation::Resolution(parts))
    }

    /// How the clause follows since a term that a constructor builds is built of its fields.
    pub(super) fn expand(&self, x: Term, ctor: CtorId) -> Option<Derivation> {
        let t = self.t;
        let fields = t.ctor(ctor).fields.iter();
        let fields: Vec<Term> = fields.map(|&field| t.field(field, x)).collect();
        let built = t.construct(ctor, &fields);
        if t.op(built) != Op::Construct(ctor) {
            return None;
        }
        let tester = t.is(ctor, x);
        let equal = equation(t, x, built, true);
        let is_only = tester == Term::TRUE;
        let (mut clause, mut parts) = (Vec::new(), Vec::new());
        if !is_only {
            clause.push(Stated::Formula(tester, false));
            parts.push(self.entails(tester, false, 0)?);
        }
        clause.push(equal);
        parts.insert(0, Derivation::axiom("dt_expand", clause));
        Some(Derivation::Resolution(parts))
    }

    /// How the clause follows since two arrays are equal or differ at their difference.
    pub(super) fn extensionality(&self, x: Term, y: Term) -> Option<Derivation> {
        let t = self.t;
        let index = difference(t, x, y);
        let reads = [t.select(x, index), t.select(y, index)];
        let same = t.eq(reads[0], reads[1]);
        let rest = self.entails(same, false, 0)?;
        let equal = equation(t, x, y, true);
        let own = Stated::Formula(same, false);
        if reads.iter().all(|&read| t.op(read) == Op::Select) {
            let axiom = Derivation::axiom("array_ext", vec![equal, own]);
            return Some(Derivation::Resolution(vec![axiom, rest]));
        }
        if t.op(same) != Op::Eq {
            return None;
        }
        // A reading of a constant array is its element in the store, and is written out here.
        let texts =
            [x, y].map(|array| format!("(select {} {})", formula(t, array), formula(t, index)));
        let written = |sign| Stated::Text(format!("(= {} {})", texts[0], texts[1]), sign);
        let axiom = Derivation::axiom("array_ext", vec![equal, written(false)]);
        let (mut chain, mut elements) = (vec![own], Vec::new());
        for (text, read) in std::iter::zip(&texts, reads) {
            if t.op(read) != Op::Select {
                let element = |sign| Stated::Text(format!("(= {text} {})", formula(t, read)), sign);
                chain.push(element(false));
                elements.push(Derivation::axiom("array_const", vec![element(true)]));
            }
        }
        chain.push(written(true));
        let chain = Derivation::axiom("eq_transitive", chain);
        Some(Derivation::Resolution(
            [vec![axiom, chain], elements, vec![rest]].concat(),
        ))
    }
}

/// The sum that is a term alone.
fn itself(term: Term) -> LinearSum {
    LinearSum {
        terms: vec![(term, Rational::one())],
        constant: Rational::zero(),
    }
}
