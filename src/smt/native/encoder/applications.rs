//! Applications that the e-graph knows: of functions, of arrays and of datatypes; and equations
//! that theories share.
//!
//! An application has a guard, like an arithmetic operator: the application takes part in the
//! e-graph where the guard is true. An application of sort `Bool` takes part where its variable has
//! a value. The guards of its arguments follow from either.

use super::{AtomCode, Encoding, Meaning, Task, is_bitvec};
use crate::number::Rational;
use crate::smt::native::literal::Lit;
use crate::smt::native::proof::Justification;
use crate::term::{Op, Sort, Term};
use smallvec::SmallVec;

impl Encoding<'_, '_> {
    /// An equation of terms that are neither formulas nor numbers.
    pub(super) fn equation_code(&mut self, equation: Term) -> AtomCode {
        if let Some(code) = self.encoder.atoms.get(&equation) {
            return code.clone();
        }
        let (x, y) = (
            self.encoder.t.args(equation)[0],
            self.encoder.t.args(equation)[1],
        );
        let mut code = AtomCode::default();
        code.bounds.push(self.equal(x, y));
        self.guard_of(x, &mut code.guards);
        self.guard_of(y, &mut code.guards);
        self.encoder.atoms.insert(equation, code.clone());
        code
    }

    /// The literal such that an application takes part where it is true.
    pub(in super::super) fn application_guard(&mut self, application: Term) -> Lit {
        self.operator_guard(application)
    }

    /// Where one of these literals is true, the arguments of an application have values that the
    /// e-graph knows, and take part themselves.
    pub(super) fn define_arguments(&mut self, application: Term, when: &[Lit]) {
        let t = self.encoder.t;
        let rule = Justification::Operator(application);
        for &arg in t.args(application) {
            let mut guards = SmallVec::new();
            match t.sort_of(arg) {
                Sort::BOOL => self.define_formula(arg),
                sort if sort.is_arith() => {
                    let sum = self.sum_of([(arg, Rational::one())]);
                    guards.clone_from(&sum.guards);
                    self.encoder.shared.insert(arg, sum);
                }
                sort if is_bitvec(t, sort) => {
                    self.bits(arg);
                }
                _ => self.guard_of(arg, &mut guards),
            }
            for &literal in when {
                for &guard in &guards {
                    self.sat
                        .add_clause(&[!literal, guard], Some(!literal), rule);
                }
            }
        }
    }

    /// A formula is an argument of an application: it has a literal that says what it says.
    fn define_formula(&mut self, formula: Term) {
        if !self.encoder.formulas.insert(formula) {
            return;
        }
        self.literal(formula, false);
        let literal = self.literal(formula, true);
        self.equality.add_formula(self.sat, formula, literal);
    }

    /// The literal that two terms, which are no formulas, are equal.
    pub(in super::super) fn equal(&mut self, x: Term, y: Term) -> Lit {
        let t = self.encoder.t;
        // That a choice of other numbers is not equal to a number, its bounds say. A theory's lemma
        // must have the equation, since congruence closure knows nothing of choices.
        let has_choice = [x, y].iter().any(|&side| t.op(side) == Op::Ite);
        match t.eq(x, y) {
            Term::TRUE => return self.truth(),
            Term::FALSE if !has_choice => return !self.truth(),
            _ => {}
        }
        let key = (x.min(y), x.max(y));
        if let Some(&var) = self.encoder.equalities.get(&key) {
            return var.positive();
        }
        let var = self.new_var(Meaning::Equal(key.0, key.1));
        self.encoder.equalities.insert(key, var);
        self.equality.add_equation(self.sat, key.0, key.1, var);
        match t.sort_of(x) {
            sort if sort.is_arith() => self.define_equal_numbers(key, var.positive()),
            sort if is_bitvec(t, sort) => self.encoder.tasks.push(Task::Equation(key.0, key.1)),
            _ => {}
        }
        var.positive()
    }

    /// Connects an equation of numbers that theories share with the bounds that it is.
    fn define_equal_numbers(&mut self, (x, y): (Term, Term), equal: Lit) {
        let rule = Justification::Shared(x, y);
        let difference = self.sum_of([(x, Rational::one()), (y, Rational::from(-1))]);
        let sides = [&difference, &difference.negated()].map(|s| self.at_most_zero(s, false));
        for side in sides {
            self.sat.add_clause(&[!equal, side], Some(!equal), rule);
        }
        self.sat
            .add_clause(&[equal, !sides[0], !sides[1]], Some(equal), rule);
    }

    /// Clauses that say together that two terms of any sort are equal.
    pub(in super::super) fn clauses_of_equal(&mut self, x: Term, y: Term) -> Vec<Vec<Lit>> {
        if self.encoder.t.sort_of(x) != Sort::BOOL {
            return vec![vec![self.equal(x, y)]];
        }
        let [x, y] = [x, y].map(|f| {
            self.literal(f, false);
            self.literal(f, true)
        });
        vec![vec![!x, y], vec![x, !y]]
    }
}
