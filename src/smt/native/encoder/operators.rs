//! What arithmetic operators mean, and what functions are applied to.

use super::arith::Sum;
use super::{Encoding, Meaning};
use crate::number::Rational;
use crate::smt::native::literal::Lit;
use crate::smt::native::proof::Justification;
use crate::term::{Op, Sort, Term};

/// An argument of a function, in the form in which its value is found.
#[derive(Clone, Debug)]
pub(in super::super) enum Argument {
    /// A formula.
    Formula(Lit),
    /// A sum of arithmetic variables.
    Sum(Sum),
    /// An element of an uninterpreted sort.
    Element(Term),
}

impl Encoding<'_, '_> {
    /// Adds the clauses that give an operator its meaning, where its guard holds.
    pub(super) fn define_operator(&mut self, term: Term) {
        let t = self.encoder.t;
        let unless = !self.operator_guard(term);
        let args = t.args(term);
        let rule = Justification::Operator(term);
        match t.op(term) {
            Op::Ite => {
                let condition = self.literal(args[0], false);
                self.define_equal(&[unless, !condition], term, args[1], rule);
                let condition = self.literal(args[0], true);
                self.define_equal(&[unless, condition], term, args[2], rule);
            }
            Op::IDiv => {
                // 0 ≤ x - k·q ≤ |k| - 1
                let k = t.as_number(args[1]).expect("division is by constants");
                let rest = self.sum_of([(args[0], Rational::one()), (term, -k)]);
                self.define_at_most_zero(&[unless], &negated(&rest), rule);
                let mut most = rest;
                most.add_constant(&(Rational::one() - k.abs()));
                self.define_at_most_zero(&[unless], &most, rule);
            }
            Op::Abs => {
                // |x| ≥ x, |x| ≥ -x, and one of the converses
                let one = Rational::one;
                let minus = || Rational::from(-1);
                let over = self.sum_of([(term, one()), (args[0], minus())]);
                let under = self.sum_of([(term, one()), (args[0], one())]);
                self.define_at_most_zero(&[unless], &negated(&over), rule);
                self.define_at_most_zero(&[unless], &negated(&under), rule);
                let cases = [&over, &under].map(|sum| self.at_most_zero(sum, false));
                let clause = [unless, cases[0], cases[1]];
                self.sat.add_clause(&clause, Some(unless), rule);
            }
            Op::ToInt => {
                // 0 ≤ r - n < 1
                let rest = self.sum_of([(args[0], Rational::one()), (term, Rational::from(-1))]);
                self.define_at_most_zero(&[unless], &negated(&rest), rule);
                let mut less = rest;
                less.add_constant(&Rational::from(-1));
                let lit = self.at_most_zero(&less, true);
                self.add_with_guards(&[unless], lit, &less, rule);
            }
            op => unreachable!("{op:?} is no operator"),
        }
    }

    /// Adds `prefix ∨ x = y`.
    fn define_equal(&mut self, prefix: &[Lit], x: Term, y: Term, rule: Justification) {
        let t = self.encoder.t;
        if !t.sort_of(x).is_arith() {
            let lit = self.equal(x, y);
            let clause: Vec<Lit> = prefix.iter().copied().chain([lit]).collect();
            self.sat.add_clause(&clause, prefix.first().copied(), rule);
            return;
        }
        let minus = || Rational::from(-1);
        let mut difference = self.sum_of([(y, minus())]);
        let var = self.term_variable(x);
        difference.add_term(var, &Rational::one());
        self.define_at_most_zero(prefix, &difference, rule);
        self.define_at_most_zero(prefix, &negated(&difference), rule);
    }

    /// Adds `prefix ∨ sum ≤ 0`.
    fn define_at_most_zero(&mut self, prefix: &[Lit], sum: &Sum, rule: Justification) {
        let lit = self.at_most_zero(sum, false);
        self.add_with_guards(prefix, lit, sum, rule);
    }

    /// Adds `prefix ∨ lit` and `prefix ∨ guard` for each guard of the sum but those in the prefix.
    fn add_with_guards(&mut self, prefix: &[Lit], lit: Lit, sum: &Sum, rule: Justification) {
        for &part in [lit].iter().chain(&sum.guards) {
            if !prefix.contains(&!part) {
                let clause: Vec<Lit> = prefix.iter().copied().chain([part]).collect();
                self.sat.add_clause(&clause, prefix.first().copied(), rule);
            }
        }
    }

    /// The literal that two elements of an uninterpreted sort are equal; different operators in
    /// them are defined for good.
    pub(super) fn equal(&mut self, x: Term, y: Term) -> Lit {
        if x == y {
            return self.truth();
        }
        let key = (x.min(y), x.max(y));
        if let Some(&var) = self.encoder.equalities.get(&key) {
            return var.positive();
        }
        let var = self.new_var(Meaning::Equal(key.0, key.1));
        self.encoder.equalities.insert(key, var);
        self.register_element(x);
        self.register_element(y);
        var.positive()
    }

    /// Literals that say together that two terms are equal, which are no formulas.
    pub(in super::super) fn terms_equal(&mut self, x: Term, y: Term) -> Vec<Lit> {
        let t = self.encoder.t;
        if !t.sort_of(x).is_arith() {
            return vec![self.equal(x, y)];
        }
        let difference = self.sum_of([(x, Rational::one()), (y, Rational::from(-1))]);
        [&difference, &negated(&difference)]
            .map(|sum| self.at_most_zero(sum, false))
            .to_vec()
    }

    /// Clauses that say that two applications with equal arguments have equal results.
    pub(in super::super) fn results_equal(&mut self, a: Term, b: Term) -> Vec<Vec<Lit>> {
        let t = self.encoder.t;
        match t.sort_of(a) {
            Sort::BOOL => {
                let (a, b) = (self.literal(a, true), self.literal(b, true));
                vec![vec![!a, b], vec![a, !b]]
            }
            _ => (self.terms_equal(a, b).into_iter())
                .map(|lit| vec![lit])
                .collect(),
        }
    }

    /// Takes note of an element of an uninterpreted sort.
    fn register_element(&mut self, x: Term) {
        let t = self.encoder.t;
        if !self.encoder.elements.insert(x) {
            return;
        }
        match t.op(x) {
            Op::Ite => self.require_guard(x),
            Op::Apply(_) => self.register_application(x),
            _ => {}
        }
    }

    /// What an operator means is to hold always: its value matters where no atom says so.
    fn require_guard(&mut self, operator: Term) {
        let guard = self.operator_guard(operator);
        self.sat
            .add_clause(&[guard], None, Justification::Operator(operator));
    }

    /// Takes note of an application of a function, whose result will be compared with others.
    pub(super) fn register_application(&mut self, application: Term) {
        if self.encoder.applications.contains_key(&application) {
            return;
        }
        let t = self.encoder.t;
        let mut arguments = Vec::new();
        for &arg in t.args(application) {
            arguments.push(match t.sort_of(arg) {
                Sort::BOOL => {
                    self.literal(arg, false);
                    let lit = self.literal(arg, true);
                    self.sat.require(lit.var());
                    Argument::Formula(lit)
                }
                sort if sort.is_arith() => {
                    let sum = self.sum_of([(arg, Rational::one())]);
                    for &guard in &sum.guards {
                        let Meaning::Operator(operator) = self.encoder.meaning(guard.var()) else {
                            unreachable!("guards are of operators");
                        };
                        self.require_guard(operator);
                    }
                    Argument::Sum(sum)
                }
                _ => {
                    self.register_element(arg);
                    Argument::Element(arg)
                }
            });
        }
        self.encoder.applications.insert(application, arguments);
    }
}

fn negated(sum: &Sum) -> Sum {
    let mut negated = Sum::default();
    negated.add_scaled(&Rational::from(-1), sum);
    negated
}
