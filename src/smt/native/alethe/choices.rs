//! Atoms of arithmetic whose choices are moved out of them.

use super::clausal::{Goal, MAX_DEPTH};
use super::derivation::{Derivation, Stated, equation, factor, formula};
use crate::number::Rational;
use crate::smt::native::proof::{Cases, cases, compared};
use crate::term::{LinearSum, Op, Sort, Term};

/// A number of the rule `la_generic`: a literal of its clause, and the factor of its negation.
type Summand = (Stated, Rational);

/// An atom in one case of its choice.
struct Case<'a> {
    cases: &'a Cases,
    /// The atom with the choice.
    f: Term,
    /// What the choice is in this case.
    result: Term,
    /// What the atom is in this case: another atom, a condition or a truth value.
    case: Term,
    /// Does the atom imply its case? Else the case implies the atom.
    positive: bool,
}

impl Case<'_> {
    /// Is the atom true or false in this case?
    fn is_decided(&self) -> bool {
        self.case == Term::TRUE || self.case == Term::FALSE
    }
}

impl Goal<'_, '_> {
    /// How the clause follows from an atom with a choice as a summand, or its negation if not
    /// `positive`, by the cases of the choice.
    pub(super) fn moved_out(&self, f: Term, positive: bool, depth: usize) -> Option<Derivation> {
        let t = self.t;
        let cases = cases(t, f)?;
        let condition = t.args(cases.choice)[0];
        let [yes, no] = cases.atoms;
        let then = self.case(f, &cases, positive, true);
        let or_else = self.case(f, &cases, positive, false);
        // The clause of a case has the atom of the case.
        let depth = depth.max(MAX_DEPTH - 2);
        self.by_cases(
            condition,
            (then, (yes, positive)),
            (or_else, (no, positive)),
            depth,
        )
    }

    /// That the atom is what it is in a case, in one direction: a clause with the negations of the
    /// condition, or the condition itself, and of the atom, and with the case. All are negated
    /// where the atom is, but the condition.
    fn case(&self, f: Term, cases: &Cases, positive: bool, value: bool) -> Option<Derivation> {
        let t = self.t;
        let args = t.args(cases.choice);
        let (condition, result) = (args[0], args[if value { 1 } else { 2 }]);
        let case = cases.atoms[if value { 0 } else { 1 }];
        let rule = if value { "ite_then" } else { "ite_else" };
        let equal = equation(t, cases.choice, result, true);
        let is_itself = equal == Stated::Formula(f, true);
        let choice = Derivation::axiom(rule, vec![Stated::Formula(condition, !value), equal]);
        if is_itself {
            return Some(choice);
        }
        let own = Case {
            cases,
            f,
            result,
            case,
            positive,
        };
        let implied = match t.op(f) {
            Op::Eq => self.equal_after(&own)?,
            _ => self.compared_after(&own)?,
        };
        Some(Derivation::Resolution(vec![choice, implied]))
    }

    /// The equation of the choice and its result, which adds this multiple of their difference.
    fn chosen(&self, cases: &Cases, result: Term, factor: &Rational) -> Summand {
        self.equal_numbers(cases.choice, result, factor)
    }

    /// The equation of two numbers, which adds this multiple of their difference.
    fn equal_numbers(&self, x: Term, y: Term, factor: &Rational) -> Summand {
        let sign = if self.is_in_order(x, y) { 1 } else { -1 };
        (
            equation(self.t, x, y, false),
            factor * &Rational::from(sign),
        )
    }

    /// What the atom compares with 0, with the result in place of the choice.
    fn replaced(&self, own: &Case<'_>) -> Option<LinearSum> {
        let mut sum = compared(self.t, own.f)?;
        sum.remove(own.cases.choice);
        sum.add_scaled(&own.cases.factor, &self.t.linear_sum(own.result));
        Some(sum)
    }

    /// The ratio of what another atom compares to what this one compares with the result in place
    /// of the choice; 1 for numbers. `None` if the atom compares something else.
    fn ratio(&self, own: &Case<'_>, atom: Term) -> Option<Rational> {
        let mut sum = self.replaced(own)?;
        let Some((x, a)) = sum.terms.first() else {
            return Some(Rational::one());
        };
        let compares = compared(self.t, atom)?;
        let ratio = &compares.coefficient(*x) / a;
        sum.scale(&ratio);
        (sum.terms == compares.terms).then_some(ratio)
    }

    /// That an inequality, or its negation, implies its case.
    fn compared_after(&self, own: &Case<'_>) -> Option<Derivation> {
        let &Case {
            cases,
            f,
            result,
            case,
            positive,
        } = own;
        let scale = self.ratio(own, case)?;
        let by = &cases.factor * &scale;
        let by = if positive { by } else { -&by };
        let chosen = self.chosen(cases, result, &by);
        let atom = (Stated::Formula(f, !positive), scale);
        let mut summands = vec![chosen, atom];
        if !own.is_decided() {
            summands.push((Stated::Formula(case, positive), Rational::one()));
        }
        Some(la_generic(summands))
    }

    /// That an equation implies its case if `positive`, else that the case implies the equation.
    fn equal_after(&self, own: &Case<'_>) -> Option<Derivation> {
        let &Case {
            cases,
            f,
            result,
            case,
            positive,
        } = own;
        let Some(ratio) = self.ratio(own, case) else {
            return self.value_after(own);
        };
        // What the atom compares, less what its case compares, is a multiple of the difference of
        // the choice and its result.
        let chosen = |factor: &Rational| self.chosen(cases, result, factor);
        let negated = |f, factor: Rational| (Stated::Formula(f, false), factor);
        match (positive, own.is_decided()) {
            (true, false) => {
                let premises = vec![chosen(&(&cases.factor * &ratio)), negated(f, -&ratio)];
                Some(self.equation_from(premises, case))
            }
            // The two equations are contradictory: the sum is a number other than 0.
            (true, true) => (case == Term::FALSE)
                .then(|| la_generic(vec![chosen(&cases.factor), negated(f, Rational::from(-1))])),
            (false, false) => {
                let premises = vec![chosen(&-&cases.factor), negated(case, -&ratio.recip())];
                Some(self.equation_from(premises, f))
            }
            (false, true) => Some(self.equation_from(vec![chosen(&-&cases.factor)], f)),
        }
    }

    /// As [`Goal::equal_after`] where the case is an equation of another choice, of two numbers,
    /// and a number, which is a condition, its negation, or false.
    fn value_after(&self, own: &Case<'_>) -> Option<Derivation> {
        let &Case {
            cases,
            f,
            result,
            case,
            positive,
        } = own;
        let t = self.t;
        let sum = self.replaced(own)?;
        let is_number = |x: &Term| t.as_number(*x).is_some();
        let choice = match &*sum.terms {
            [(x, factor)] if t.op(*x) == Op::Ite && t.args(*x)[1..].iter().all(is_number) => {
                Some((x, factor, t.args(*x)))
            }
            _ => None,
        };
        let Some((inner, factor, &[condition, yes, no])) = choice else {
            return match positive && case == Term::FALSE {
                true => self.unequal_integers(own, sum),
                false => None,
            };
        };
        let mut found = Vec::new();
        for (value, number) in [(true, yes), (false, no)] {
            let holds = (&(factor * t.as_number(number)?) + &sum.constant).is_zero();
            if holds == positive {
                continue;
            }
            let equal = equation(t, *inner, number, true);
            let rule = if value { "ite_then" } else { "ite_else" };
            let choice = Derivation::axiom(rule, vec![Stated::Formula(condition, !value), equal]);
            let sign = if positive { 1 } else { -1 };
            let signed = |factor: &Rational| factor * &Rational::from(sign);
            let mut premises = vec![
                self.chosen(cases, result, &signed(&cases.factor)),
                self.equal_numbers(*inner, number, &signed(factor)),
            ];
            let implied = if positive {
                premises.push((Stated::Formula(f, false), Rational::from(-1)));
                la_generic(premises)
            } else {
                self.equation_from(premises, f)
            };
            found.push(Derivation::Resolution(vec![choice, implied]));
        }
        // An equation that is false has no value that it allows, and is implied by none.
        let wanted = if positive && case == Term::FALSE {
            2
        } else {
            1
        };
        (found.len() == wanted).then_some(Derivation::Resolution(found))
    }

    /// That an equation of integers is impossible, since they would be equal to no integer: the sum
    /// is what the atom compares with 0.
    fn unequal_integers(&self, own: &Case<'_>, sum: LinearSum) -> Option<Derivation> {
        let (t, cases) = (self.t, own.cases);
        let mut parts = Vec::new();
        let mut clause = Vec::new();
        let mut other = sum.clone();
        other.scale(&Rational::from(-1));
        for sum in [sum, other] {
            let bound = t.sum_at_most_zero(&sum, false, Sort::INT);
            let ratio = self.ratio(own, bound)?;
            clause.push((Stated::Formula(bound, false), Rational::one()));
            parts.push(la_generic(vec![
                self.chosen(cases, own.result, &(&cases.factor * &ratio)),
                (Stated::Formula(own.f, false), -&ratio),
                (Stated::Formula(bound, true), Rational::one()),
            ]));
        }
        parts.insert(0, la_generic(clause));
        Some(Derivation::Resolution(parts))
    }

    /// That these premises, with these factors, imply an equation.
    fn equation_from(&self, premises: Vec<Summand>, conclusion: Term) -> Derivation {
        let (x, y) = (self.t.args(conclusion)[0], self.t.args(conclusion)[1]);
        let [below, above] = [x, y].map(|side| formula(self.t, side));
        let at_most = |x: &str, y: &str, sign: i64| {
            let signed = |(f, factor): &Summand| (f.clone(), factor * &Rational::from(sign));
            let mut summands: Vec<Summand> = premises.iter().map(signed).collect();
            let bound = Stated::Text(format!("(<= {x} {y})"), true);
            summands.push((bound, Rational::one()));
            la_generic(summands)
        };
        Derivation::Resolution(vec![
            Derivation::Disequality(x, y),
            at_most(&below, &above, 1),
            at_most(&above, &below, -1),
        ])
    }
}

/// An instance of `la_generic`.
fn la_generic(summands: Vec<Summand>) -> Derivation {
    let (clause, factors): (Vec<Stated>, Vec<Rational>) = summands.into_iter().unzip();
    Derivation::Axiom {
        rule: "la_generic",
        clause,
        args: factors.iter().map(factor).collect(),
    }
}
