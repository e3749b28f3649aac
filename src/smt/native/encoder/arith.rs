//! Arithmetic atoms as bounds on linear forms.

use super::{AtomCode, Encoding, Meaning, Task, divisor, is_application, is_bitvec};
use crate::number::{DeltaRational, Rational};
use crate::smt::native::literal::Lit;
use crate::smt::native::simplex::ArithVar;
use crate::term::{BvOp, Op, Sort, Term};
use crate::work;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// `Σ coefficient·variable + constant`, and the guards of the operators that are variables in it.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Sum {
    pub(in super::super) terms: BTreeMap<ArithVar, Rational>,
    pub(in super::super) constant: Rational,
    pub(super) guards: SmallVec<[Lit; 2]>,
}

impl Sum {
    /// Adds `factor · other`.
    pub(super) fn add_scaled(&mut self, factor: &Rational, other: &Sum) {
        self.constant.add_mul(factor, &other.constant);
        for (&x, a) in &other.terms {
            self.add_term(x, &(factor * a));
        }
        for &guard in &other.guards {
            if !self.guards.contains(&guard) {
                self.guards.push(guard);
            }
        }
    }

    /// The sum times -1.
    pub(super) fn negated(&self) -> Sum {
        let mut negated = Sum::default();
        negated.add_scaled(&Rational::from(-1), self);
        negated
    }

    /// Adds `factor · x`.
    pub(super) fn add_term(&mut self, x: ArithVar, factor: &Rational) {
        let coefficient = self.terms.entry(x).or_default();
        *coefficient += factor;
        if coefficient.is_zero() {
            self.terms.remove(&x);
        }
    }

    /// Adds a constant.
    pub(in super::super) fn add_constant(&mut self, constant: &Rational) {
        self.constant += constant;
    }
}

impl Encoding<'_, '_> {
    /// What an atom is as literals: an arithmetic atom as bounds, another equation as a variable;
    /// `None` for other formulas, and for atoms whose choices are moved out.
    pub(super) fn atom_code(&mut self, atom: Term) -> Option<AtomCode> {
        if let Some(code) = self.encoder.atoms.get(&atom) {
            return Some(code.clone());
        }
        work::spend(30);
        let t = self.encoder.t;
        let args = t.args(atom);
        if t.op(atom) == Op::Eq
            && !matches!(t.sort_of(args[0]), Sort::BOOL | Sort::INT | Sort::REAL)
        {
            return Some(self.equation_code(atom));
        }
        if self.encoder.cases(atom).is_some() {
            return None;
        }
        let (sum, is_equation, strict) = match t.op(atom) {
            Op::Le => (self.difference(args[0], args[1]), false, false),
            Op::Lt => (self.difference(args[0], args[1]), false, true),
            Op::Eq if t.sort_of(args[0]).is_arith() => {
                (self.difference(args[0], args[1]), true, false)
            }
            Op::IsInt => (
                self.difference(args[0], t.to_real(t.to_int(args[0]))),
                true,
                false,
            ),
            _ => return None,
        };
        let mut code = AtomCode {
            bounds: SmallVec::from_slice(&[self.at_most_zero(&sum, strict)]),
            guards: sum.guards.clone(),
        };
        if is_equation {
            let other = self.at_most_zero(&sum.negated(), false);
            code.bounds.push(other);
        }
        self.encoder.atoms.insert(atom, code.clone());
        Some(code)
    }

    /// `x - y` as a sum.
    fn difference(&mut self, x: Term, y: Term) -> Sum {
        self.sum_of([(x, Rational::one()), (y, Rational::from(-1))])
    }

    /// A linear combination of terms as a sum of variables.
    ///
    /// Terms are taken in descending order, so that each, also one that occurs many times, is
    /// looked into once.
    pub(in super::super) fn sum_of(
        &mut self,
        parts: impl IntoIterator<Item = (Term, Rational)>,
    ) -> Sum {
        let t = self.encoder.t;
        let mut sum = Sum::default();
        let mut todo: BTreeMap<Term, Rational> = BTreeMap::new();
        let add = |todo: &mut BTreeMap<Term, Rational>, x: Term, factor: Rational| {
            *todo.entry(x).or_default() += factor;
        };
        for (x, factor) in parts {
            add(&mut todo, x, factor);
        }
        while let Some((x, factor)) = todo.pop_last() {
            if factor.is_zero() {
                continue;
            }
            match (t.op(x), t.args(x)) {
                (Op::Number(id), _) => sum.constant.add_mul(&factor, t.number_value(id)),
                (Op::Add, args) => args.iter().for_each(|&a| add(&mut todo, a, factor.clone())),
                (Op::Mul, &[c, y]) if t.as_number(c).is_some() => {
                    let c = t.as_number(c).expect("just tested");
                    add(&mut todo, y, &factor * c);
                }
                (Op::ToReal, &[y]) => add(&mut todo, y, factor),
                (Op::Mul, _) if t.is_product(x) => match t.multiplied_out(x) {
                    Some(product) => {
                        // Monomials may be new terms, of higher numbers.
                        sum.constant.add_mul(&factor, &product.constant);
                        for (monomial, by) in &product.terms {
                            add(&mut todo, *monomial, &factor * by);
                        }
                    }
                    None => self.add_leaf(&mut sum, x, &factor),
                },
                (Op::Mod, &[y, k]) if divisor(t, x).is_some() => {
                    // y mod k = y - k·(y div k). The quotient may be a new term, too.
                    let divisor = divisor(t, x).expect("just tested");
                    let quotient = t.idiv(y, k);
                    let by = -(&factor * divisor);
                    add(&mut todo, y, factor);
                    add(&mut todo, quotient, by);
                }
                _ => self.add_leaf(&mut sum, x, &factor),
            }
        }
        sum
    }

    /// Adds a term that is not looked into to a sum.
    fn add_leaf(&mut self, sum: &mut Sum, term: Term, factor: &Rational) {
        let var = self.term_variable(term);
        sum.add_term(var, factor);
        self.guard_of(term, &mut sum.guards);
    }

    /// The variable of a term that is not looked into.
    pub(super) fn term_variable(&mut self, term: Term) -> ArithVar {
        if let Some(&var) = self.encoder.terms.get(&term) {
            return var;
        }
        let t = self.encoder.t;
        let var = self.arith.new_var(t.sort_of(term) == Sort::INT);
        self.encoder.terms.insert(term, var);
        self.encoder.term_of.insert(var, term);
        var
    }

    /// The literal `sum ≤ 0`, or `sum < 0` if strict.
    pub(in super::super) fn at_most_zero(&mut self, sum: &Sum, strict: bool) -> Lit {
        let Some((_, first)) = sum.terms.first_key_value() else {
            let holds = if strict {
                sum.constant.is_negative()
            } else {
                !sum.constant.is_positive()
            };
            let truth = self.truth();
            return if holds { truth } else { !truth };
        };
        // Divided by this the coefficients are coprime integers, the first of them positive.
        let mut divisor = content(sum.terms.values());
        let flipped = first.is_negative();
        if flipped {
            divisor = -divisor;
        }
        let form: Box<[(ArithVar, Rational)]> =
            sum.terms.iter().map(|(&x, a)| (x, a / &divisor)).collect();
        let bound = -(&sum.constant / &divisor);
        let coefficients = form.iter().map(|(_, a)| a);
        let widths = coefficients.chain([&bound]).map(Rational::bit_length);
        self.encoder.width = widths.fold(self.encoder.width, u64::max);
        let var = self.form_variable(form);
        // form ≤ bound, or form ≥ bound, which is ¬(form ≤ the bound before).
        let is_int = self.arith.simplex.is_int(var);
        let bound = match (is_int, flipped) {
            (true, false) if strict => bound.ceil() - Rational::one(),
            (true, false) => bound.floor(),
            (true, true) if strict => bound.floor(),
            (true, true) => bound.ceil() - Rational::one(),
            (false, _) => bound,
        };
        let bound = if !is_int && strict != flipped {
            DeltaRational::just_below(bound)
        } else {
            DeltaRational::from(bound)
        };
        let lit = self.bound_literal(var, bound);
        if flipped { !lit } else { lit }
    }

    /// The literal `var ≤ bound`.
    pub(in super::super) fn bound_literal(&mut self, var: ArithVar, bound: DeltaRational) -> Lit {
        let (lit, is_new) = self.arith.at_most(self.sat, var, bound);
        if is_new {
            self.note_meaning(lit.var(), Meaning::Bound);
        }
        lit
    }

    /// The variable of a linear form with coprime integer coefficients, the first of them positive.
    pub(in super::super) fn form_variable(
        &mut self,
        form: Box<[(ArithVar, Rational)]>,
    ) -> ArithVar {
        if let [(x, one)] = &*form {
            debug_assert!(one.is_one());
            return *x;
        }
        if let Some(&var) = self.encoder.forms.get(&form) {
            return var;
        }
        let var = self.arith.new_form(form.clone());
        if let [(x, one), (y, minus_one)] = &*form
            && one.is_one()
            && *minus_one == Rational::from(-1)
        {
            self.encoder.differences.push((var, [*x, *y]));
        }
        self.encoder.forms.insert(form, var);
        var
    }

    /// Adds the guard of a term that is an operator.
    pub(super) fn guard_of(&mut self, term: Term, guards: &mut SmallVec<[Lit; 2]>) {
        let t = self.encoder.t;
        if is_bitvec(t, t.sort_of(term)) {
            // Its bits say where it takes part.
            return;
        }
        let is_operator = matches!(
            t.op(term),
            Op::Ite | Op::IDiv | Op::Abs | Op::ToInt | Op::Bv(BvOp::ToNat)
        );
        if !is_operator && !is_application(t, term) {
            return;
        }
        let guard = self.operator_guard(term);
        if !guards.contains(&guard) {
            guards.push(guard);
        }
    }

    /// The guard of an operator, whose clauses will come.
    pub(super) fn operator_guard(&mut self, term: Term) -> Lit {
        if let Some(&var) = self.encoder.operators.get(&term) {
            return var.positive();
        }
        let var = self.new_var(Meaning::Operator(term));
        self.encoder.operators.insert(term, var);
        if is_application(self.encoder.t, term) {
            self.equality.add_guard(self.sat, term, var);
        }
        self.encoder.tasks.push(Task::Operator(term));
        var.positive()
    }
}

/// The greatest number of which all coefficients are integral multiples.
fn content<'r>(coefficients: impl Iterator<Item = &'r Rational>) -> Rational {
    coefficients.fold(Rational::zero(), |gcd, c| gcd.gcd(c))
}
