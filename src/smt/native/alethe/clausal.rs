//! How a clause follows from a formula, by the tautologies of its connectives and by arithmetic.
//!
//! The checker of proofs decides by the same connectives that it follows (`check`). It is not used,
//! since it does not say how, and must not depend on what writes proofs. Its circuits are used
//! (`bits`).

use super::derivation::{Derivation, Stated, equation, factor, formula, sum};
use crate::number::{DeltaRational, Rational};
use crate::smt::native::check::Circuits;
use crate::smt::native::proof::{Literal, Proof, ProofAtom};
use crate::term::{LinearSum, Op, Sort, Term, Terms};
use crate::work;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Formulas are looked into to this depth.
pub(super) const MAX_DEPTH: usize = 64;

/// A clause that is to be derived.
#[derive(Clone, Copy)]
pub(super) struct Goal<'a, 't> {
    pub(super) t: &'t Terms,
    proof: &'a Proof,
    pub(super) circuits: &'a RefCell<Circuits<'t>>,
    pub(super) clause: &'a [Literal],
    failed: &'a RefCell<Failed>,
}

/// Formulas with signs that do not imply a clause when they are looked into from this depth on,
/// nor from a greater one. Without them, the time can be exponential in the alternations of
/// connectives.
pub(super) type Failed = FxHashMap<(Term, bool), usize>;

impl<'a, 't> Goal<'a, 't> {
    /// The clause with these literals of a proof, whose gates are those of the circuits. `failed`
    /// is emptied.
    pub(super) fn new(
        t: &'t Terms,
        proof: &'a Proof,
        circuits: &'a RefCell<Circuits<'t>>,
        failed: &'a RefCell<Failed>,
        clause: &'a [Literal],
    ) -> Self {
        failed.take();
        Goal {
            t,
            proof,
            circuits,
            clause,
            failed,
        }
    }

    fn atom(&self, literal: Literal) -> &'a ProofAtom {
        &self.proof.atoms[literal.atom as usize]
    }

    /// The atoms of the clause, each with the sign of its literal.
    pub(super) fn atoms(self) -> impl Iterator<Item = (&'a ProofAtom, bool)> {
        (self.clause.iter()).map(move |&literal| (self.atom(literal), literal.positive))
    }

    /// How the clause follows from a formula, or its negation if not `positive`: the derivation of
    /// that implication.
    pub(super) fn entailed(&self, f: Term, positive: bool) -> Option<Derivation> {
        self.entails(f, positive, 0)
    }

    /// How the clause, which has a literal of the formula, follows from what the formula's
    /// connective means.
    pub(super) fn defined(&self, f: Term) -> Option<Derivation> {
        [true, false].into_iter().find_map(|positive| {
            self.says(f, !positive)
                .then(|| self.by_head(f, positive, 0))
                .flatten()
        })
    }

    fn says(&self, f: Term, positive: bool) -> bool {
        let says = |&l: &Literal| l.positive == positive && *self.atom(l) == ProofAtom::Formula(f);
        self.clause.iter().any(says)
    }

    /// Has the clause, as an atom of equality, the equation of two terms that are no numbers?
    fn has_equal(&self, f: Term, positive: bool) -> bool {
        let (t, args) = (self.t, self.t.args(f));
        let pairs = [(args[0], args[1]), (args[1], args[0])];
        let says = |&l: &Literal| {
            let atom = self.atom(l);
            l.positive == positive && pairs.iter().any(|&(x, y)| *atom == ProofAtom::Equal(x, y))
        };
        !t.sort_of(args[0]).is_arith() && self.clause.iter().any(says)
    }

    pub(super) fn entails(&self, f: Term, positive: bool, depth: usize) -> Option<Derivation> {
        if self.says(f, positive) {
            return Some(Derivation::Same);
        }
        work::spend(1);
        let failed = self.failed.borrow().get(&(f, positive)).copied();
        if depth >= failed.unwrap_or(MAX_DEPTH) {
            return None;
        }
        let found = self.by_head(f, positive, depth + 1);
        if found.is_none() {
            self.failed.borrow_mut().insert((f, positive), depth);
        }
        found
    }

    fn by_head(&self, f: Term, positive: bool, depth: usize) -> Option<Derivation> {
        let t = self.t;
        let args = t.args(f);
        let own = Stated::Formula(f, !positive);
        match t.op(f) {
            Op::True if !positive => Some(Derivation::axiom("true", vec![own])),
            Op::False if positive => Some(Derivation::axiom("false", vec![own])),
            Op::Not => self.entails(args[0], !positive, depth),
            Op::And if positive => self.one_part(f, true, depth),
            Op::Or if !positive => self.one_part(f, false, depth),
            Op::And => self.all_parts("and_neg", f, false, depth),
            Op::Or => self.all_parts("or_pos", f, true, depth),
            Op::Ite => self.choice(f, positive, depth),
            Op::Eq if t.sort_of(args[0]) == Sort::BOOL => self.equivalence(f, positive, depth),
            Op::Eq if t.sort_of(args[0]).is_arith() => match positive {
                true => self.equation(args[0], args[1]),
                false => self.disequality(args[0], args[1]),
            }
            .or_else(|| self.moved_out(f, positive, depth)),
            Op::Eq if self.has_equal(f, positive) => Some(Derivation::Same),
            Op::Eq => self.equal_bits(own, (args[0], args[1]), positive),
            Op::Bv(_) => self.ordered_bits(f, positive),
            Op::Le | Op::Lt => {
                let comparison = self.comparison(f, positive);
                comparison.or_else(|| self.moved_out(f, positive, depth))
            }
            _ => None,
        }
    }

    fn one_part(&self, f: Term, positive: bool, depth: usize) -> Option<Derivation> {
        let parts = self.t.args(f).iter().enumerate();
        parts.into_iter().find_map(|(index, &part)| {
            let rest = self.entails(part, positive, depth)?;
            let first = Derivation::part(self.t, f, positive, index);
            Some(Derivation::Resolution(vec![first, rest]))
        })
    }

    fn all_parts(
        &self,
        rule: &'static str,
        f: Term,
        positive: bool,
        depth: usize,
    ) -> Option<Derivation> {
        let mut clause = vec![Stated::Formula(f, !positive)];
        let mut rest = Vec::new();
        for &part in self.t.args(f) {
            clause.push(Stated::Formula(part, positive));
            rest.push(self.entails(part, positive, depth)?);
        }
        let first = Derivation::axiom(rule, clause);
        Some(Derivation::Resolution([vec![first], rest].concat()))
    }

    /// Of a clause for each value of a condition: both, resolved on the condition.
    ///
    /// `then` is a clause that has the negated condition and the literal of the formula `yes`, and
    /// `or_else` has the condition and the literal of `no`. A formula that is a truth value is no
    /// literal of the clause. Without a clause, the condition must imply what is wanted.
    pub(super) fn by_cases(
        &self,
        condition: Term,
        (then, yes): (Option<Derivation>, (Term, bool)),
        (or_else, no): (Option<Derivation>, (Term, bool)),
        depth: usize,
    ) -> Option<Derivation> {
        let case = |value: bool, clause: Option<Derivation>, (f, sign): (Term, bool)| {
            // The condition itself may imply the clause.
            let by_condition = self.entails(condition, value, depth);
            if by_condition == Some(Derivation::Same) {
                return by_condition;
            }
            match (clause, self.entails(f, sign, depth)) {
                (Some(clause), Some(_)) if matches!(self.t.op(f), Op::True | Op::False) => {
                    Some(clause)
                }
                (Some(clause), Some(rest)) => Some(Derivation::Resolution(vec![clause, rest])),
                _ => by_condition,
            }
        };
        let yes = case(true, then, yes)?;
        let no = case(false, or_else, no)?;
        Some(match (&yes, &no) {
            // The clause has the condition or its negation.
            (Derivation::Same, _) => no,
            (_, Derivation::Same) => yes,
            _ => Derivation::Resolution(vec![yes, no]),
        })
    }

    fn choice(&self, f: Term, positive: bool, depth: usize) -> Option<Derivation> {
        let &[condition, yes, no] = self.t.args(f) else {
            return None;
        };
        let (then, or_else) = match positive {
            true => ("ite_pos2", "ite_pos1"),
            false => ("ite_neg2", "ite_neg1"),
        };
        let axiom = |rule, value: bool, branch| {
            let own = Stated::Formula(f, !positive);
            let condition = Stated::Formula(condition, !value);
            let branch = Stated::Formula(branch, positive);
            Derivation::axiom(rule, vec![own, condition, branch])
        };
        self.by_cases(
            condition,
            (Some(axiom(then, true, yes)), (yes, positive)),
            (Some(axiom(or_else, false, no)), (no, positive)),
            depth,
        )
    }

    fn equivalence(&self, f: Term, positive: bool, depth: usize) -> Option<Derivation> {
        let &[x, y] = self.t.args(f) else {
            return None;
        };
        let (then, or_else) = match positive {
            true => ("equiv_pos2", "equiv_pos1"),
            false => ("equiv_neg1", "equiv_neg2"),
        };
        let axiom = |rule, value: bool| {
            let own = Stated::Formula(f, !positive);
            let other = Stated::Formula(y, positive == value);
            Derivation::axiom(rule, vec![own, Stated::Formula(x, !value), other])
        };
        self.by_cases(
            x,
            (Some(axiom(then, true)), (y, positive)),
            (Some(axiom(or_else, false)), (y, !positive)),
            depth,
        )
    }

    fn comparison(&self, f: Term, positive: bool) -> Option<Derivation> {
        let (x, y) = (self.t.args(f)[0], self.t.args(f)[1]);
        let (mut sum, mut strict) = (self.minus(x, y), self.t.op(f) == Op::Lt);
        if !positive {
            // ¬(s ≤ 0) is -s < 0
            sum.scale(&Rational::from(-1));
            strict = !strict;
        }
        self.bound(Stated::Formula(f, !positive), &sum, strict, 1)
    }

    /// That the equation of two numbers implies a bound of the clause, or is impossible.
    pub(super) fn equation(&self, x: Term, y: Term) -> Option<Derivation> {
        let difference = self.minus(x, y);
        let mut other = difference.clone();
        other.scale(&Rational::from(-1));
        let own = || equation(self.t, x, y, false);
        // An equation is `sum = 0` for the rule, and the negated bound is `sum > 0`.
        let sign = if self.is_in_order(x, y) { 1 } else { -1 };
        let first = self.bound(own(), &difference, false, -sign);
        first.or_else(|| self.bound(own(), &other, false, sign))
    }

    /// That two numbers are equal, or that a bound of the clause holds for one of them being less.
    pub(super) fn disequality(&self, x: Term, y: Term) -> Option<Derivation> {
        let (x, y) = if self.is_in_order(x, y) {
            (x, y)
        } else {
            (y, x)
        };
        let difference = self.minus(x, y);
        let mut other = difference.clone();
        other.scale(&Rational::from(-1));
        let [below, above] = [x, y].map(|side| formula(self.t, side));
        let at_most = |x: &str, y: &str| Stated::Text(format!("(<= {x} {y})"), true);
        // ¬(x ≤ y) is y - x < 0
        let less = self.bound(at_most(&below, &above), &other, true, 1)?;
        let more = self.bound(at_most(&above, &below), &difference, true, 1)?;
        let first = Derivation::Disequality(x, y);
        Some(Derivation::Resolution(vec![first, less, more]))
    }

    /// Does the text of the equation have the two terms in this order?
    pub(super) fn is_in_order(&self, x: Term, y: Term) -> bool {
        let built = self.t.eq(x, y);
        match (self.t.op(built), self.t.args(built)) {
            (Op::Eq, &[first, second]) if (first, second) == (x, y) => true,
            (Op::Eq, &[first, second]) if (first, second) == (y, x) => false,
            _ => x <= y,
        }
    }

    fn minus(&self, x: Term, y: Term) -> LinearSum {
        let mut difference = sum(self.t, x);
        difference.add_scaled(&Rational::from(-1), &sum(self.t, y));
        difference
    }

    /// That the negation of `own`, which says `sum ≤ 0` (`sum < 0` if strict), implies a bound of
    /// the clause, or is impossible. The factor of `own` has this sign.
    pub(super) fn bound(
        &self,
        own: Stated,
        sum: &LinearSum,
        strict: bool,
        sign: i64,
    ) -> Option<Derivation> {
        let signed = |number: Rational| &number * &Rational::from(sign);
        if sum.is_constant() {
            let value = sum.constant.signum();
            let holds = value < 0 || value == 0 && !strict;
            let args = vec![factor(&signed(Rational::one()))];
            return (!holds).then(|| Derivation::Axiom {
                rule: "la_generic",
                clause: vec![own],
                args,
            });
        }
        let scale = sum.normalizer();
        let literal = self
            .clause
            .iter()
            .find(|&&l| self.is_bound(l, sum, strict, &scale))?;
        let atom = Literal {
            positive: true,
            ..*literal
        };
        let bound = Stated::Formula(self.proof.formula(self.t, atom), literal.positive);
        Some(Derivation::Axiom {
            rule: "la_generic",
            clause: vec![own, bound],
            args: vec![factor(&signed(scale)), factor(&Rational::one())],
        })
    }

    /// Does a literal say `sum ≤ 0` (`sum < 0` if strict), times a scale?
    fn is_bound(&self, literal: Literal, sum: &LinearSum, strict: bool, scale: &Rational) -> bool {
        let ProofAtom::Bound {
            form,
            bound,
            is_int,
        } = self.atom(literal)
        else {
            return false;
        };
        let sign = Rational::from(if literal.positive { 1 } else { -1 });
        let mut terms: Vec<(Term, Rational)> = form.iter().map(|(x, a)| (*x, a * &sign)).collect();
        terms.sort_by_key(|&(x, _)| x);
        let scaled = sum.terms.iter().map(|(x, a)| (*x, a * scale));
        if !scaled.eq(terms) {
            return false;
        }
        // form ≤ bound, or form ≥ the next bound, that is, -form ≤ -next.
        let floor = |bound: &DeltaRational| match is_int {
            true => DeltaRational::from(bound.floor()),
            false => bound.clone(),
        };
        let bound = floor(bound);
        let found = match (literal.positive, is_int) {
            (true, _) => bound,
            (false, true) => -&DeltaRational::from(&bound.real + &Rational::one()),
            (false, false) => {
                -&DeltaRational::new(bound.real.clone(), &bound.delta + &Rational::one())
            }
        };
        let delta = Rational::from(if strict { -1 } else { 0 });
        found == floor(&DeltaRational::new(-(&sum.constant * scale), delta))
    }
}
