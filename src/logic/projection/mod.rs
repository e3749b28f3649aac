//! Model-based projection \[KGC14\]: eliminates variables from a conjunction of literals, around
//! one model.
//!
//! Let `result` be the projection. Then `model ⊨ result`, `result ⇒ ∃ vars. ⋀ literals`, and the
//! variables do not occur in `result`. For linear arithmetic there are finitely many results over
//! all models of the same literals: virtual substitution \[LW93\] eliminates rationals, Cooper's
//! method \[Coo72\] with divisibility eliminates integers.
//!
//! Variables of other sorts are eliminated first, step by step (`others`). Equations are solved.
//! Arrays are eliminated as in \[KBGM15\], by partial equations, reads over writes, and Ackermann's
//! reduction of the remaining reads (`array`). A value of a datatype becomes the constructor that
//! the model has, applied to new variables (`datatype`). Bit-vectors are eliminated by invertible
//! equations and by bounds (`bits`). A variable that remains is replaced by a term with the same
//! value in the model, or by the value itself. This is sound, but it may give infinitely many
//! results.

mod array;
mod bits;
mod datatype;
mod integer;
mod literals;
mod others;
mod rational;

use super::Valuation;
use super::guard::guards;
use super::implicant::implicant;
use super::literal::{LinearLiteral, Relation};
use crate::number::Rational;
use crate::term::{LinearSum, Sort, Term, TermMap, TermSet, Terms, Value};
use literals::LinearLiterals;
use std::collections::BTreeSet;

/// Literals over the variables other than `vars`, true under `valuation`, whose conjunction implies
/// `∃ vars. ⋀ formulas`.
///
/// The formulas must be true under the valuation. They are reduced to an implicant first.
///
/// ```
/// use horn::logic::{Valuation, project};
/// use horn::term::{Sort, Terms, Value};
///
/// let t = Terms::new();
/// let (x, y) = (t.var("x", Sort::INT), t.var("y", Sort::INT));
/// let number = |n: i64| Value::Number(n.into());
/// // exists x. y < x and x < 10, around the model x = 5, y = 3
/// let mut model = Valuation::new(&t, [(x, number(5)), (y, number(3))]);
/// let formulas = [t.lt(y, x), t.lt(x, t.int(10))];
/// let result = t.and(project(&t, &mut model, [x], formulas));
/// assert_eq!(t.vars([result]), [y]);
/// assert!(model.holds(result));
/// ```
pub fn project(
    t: &Terms,
    valuation: &mut Valuation<'_>,
    vars: impl IntoIterator<Item = Term>,
    formulas: impl IntoIterator<Item = Term>,
) -> Vec<Term> {
    let mut projection = Projection {
        t,
        valuation,
        vars: vars.into_iter().collect(),
        linear: LinearLiterals::default(),
        other: Vec::new(),
    };
    projection.assume(formulas);
    let wanted = cfg!(debug_assertions).then(|| projection.vars.clone());
    projection.run();
    let result = projection.finish();
    debug_assert!(
        wanted.is_none_or(|vars| !t
            .vars(result.iter().copied())
            .iter()
            .any(|x| vars.contains(x))),
        "a projection has no variable that was to be eliminated"
    );
    result
}

/// The costs of elimination, in classes in ascending order: equations with a unit coefficient,
/// other equations, bounds. The distance between classes only has to exceed any number of literals
/// or terms.
const SCALED_EQUATION: u64 = 1 << 16;
const BOUNDS: u64 = 1 << 32;

/// What it costs to eliminate each variable.
#[derive(Default)]
struct Costs {
    of: TermMap<u64>,
    ascending: BTreeSet<(u64, Term)>,
}

impl Costs {
    /// The cost of a variable is this one from now on; `None` if there is nothing to eliminate.
    fn set(&mut self, var: Term, cost: Option<u64>) {
        let before = match cost {
            Some(cost) => self.of.insert(var, cost),
            None => self.of.remove(&var),
        };
        if let Some(before) = before {
            self.ascending.remove(&(before, var));
        }
        if let Some(cost) = cost {
            self.ascending.insert((cost, var));
        }
    }

    fn least(&self) -> Option<(u64, Term)> {
        self.ascending.first().copied()
    }
}

/// The literals during projection.
///
/// Invariant: all literals are true under the valuation. A variable of `vars` in a linear sum is
/// one of the sum's terms, and does not occur inside them; otherwise the literal is among `other`.
struct Projection<'a, 't> {
    t: &'a Terms,
    valuation: &'a mut Valuation<'t>,
    /// The variables still to be eliminated.
    vars: TermSet,
    linear: LinearLiterals,
    other: Vec<Term>,
}

impl Projection<'_, '_> {
    /// Adds formulas that are true under the valuation, as literals that imply them.
    fn assume(&mut self, formulas: impl IntoIterator<Item = Term>) {
        let implicant = implicant(self.t, self.valuation, formulas);
        self.vars.extend(implicant.auxiliaries);
        implicant.literals.into_iter().for_each(|l| self.add(l));
    }

    /// A new variable to be eliminated, with this value.
    fn fresh(&mut self, base: &str, sort: Sort, value: Value) -> Term {
        let var = self.t.fresh_var(base, sort);
        self.valuation.define(var, value);
        self.vars.insert(var);
        var
    }

    fn add(&mut self, literal: Term) {
        debug_assert!(self.valuation.holds(literal), "{}", self.t.display(literal));
        if literal == Term::TRUE {
            return;
        }
        match LinearLiteral::of_term(self.t, literal) {
            Some(linear) if linear.sum.terms.iter().all(|&(x, _)| self.is_plain(x)) => {
                self.add_linear(linear);
            }
            _ => self.other.push(literal),
        }
    }

    /// Is a term of a sum a variable, or free of the variables to be eliminated?
    fn is_plain(&self, x: Term) -> bool {
        self.t.is_var(x) || !self.mentions(x)
    }

    /// Does a term contain a variable to be eliminated?
    fn mentions(&self, x: Term) -> bool {
        self.t.any_subterm(x, |s| self.vars.contains(&s))
    }

    /// Adds an arithmetic literal. The model decides `≠` and `∤` on a variable to be eliminated.
    fn add_linear(&mut self, literal: LinearLiteral) {
        debug_assert!(literal.sum.is_valid(), "terms ascend and have coefficients");
        if let Some(literal) = self.decided(literal) {
            self.linear.push(literal);
        }
    }

    /// The literal after the model has decided `≠` and `∤` on a variable to be eliminated; `None`
    /// for a constant.
    fn decided(&mut self, mut literal: LinearLiteral) -> Option<LinearLiteral> {
        if literal.sum.is_constant() {
            return None;
        }
        let is_decided = !matches!(literal.relation, Relation::Ne | Relation::NotDivides(_));
        if is_decided || !literal.sum.terms.iter().any(|(x, _)| self.vars.contains(x)) {
            return Some(literal);
        }
        let value = self.sum_value(&literal.sum);
        match &literal.relation {
            Relation::Ne => {
                literal.relation = Relation::Lt;
                if value.is_positive() {
                    literal.sum.scale(&Rational::from(-1));
                }
            }
            Relation::NotDivides(modulus) => {
                let residue = value.mod_euclid(modulus);
                literal.relation = Relation::Divides(modulus.clone());
                literal.sum.constant = &literal.sum.constant - &residue;
            }
            _ => {}
        }
        Some(literal)
    }

    fn sum_value(&mut self, sum: &LinearSum) -> Rational {
        let mut value = sum.constant.clone();
        for (x, c) in &sum.terms {
            value.add_mul(c, &self.valuation.number(*x));
        }
        value
    }

    fn run(&mut self) {
        self.eliminate_others();
        let mut costs = Costs::default();
        while let Some((var, use_equation)) = self.next_variable(&mut costs) {
            self.vars.remove(&var);
            if use_equation {
                self.solve_equation(var);
            } else if self.t.sort_of(var) == Sort::INT {
                self.eliminate_integer(var);
            } else {
                self.eliminate_rational(var);
            }
        }
    }

    /// The variable to eliminate next, cheap ones first; and whether an equation determines it.
    fn next_variable(&mut self, costs: &mut Costs) -> Option<(Term, bool)> {
        for x in self.linear.changed() {
            let cost = self.vars.contains(&x).then(|| self.cost(x));
            costs.set(x, cost.flatten());
        }
        let (cost, var) = costs.least()?;
        Some((var, cost < BOUNDS))
    }

    /// What it costs to eliminate a variable; `None` if no literal has it. Literals behind an
    /// equation count as well: among equations of one length, the first one is the cheapest where
    /// few others follow.
    fn cost(&self, var: Term) -> Option<u64> {
        let mut cost = None;
        for literal in self.linear.with(var) {
            let so_far = cost.unwrap_or(BOUNDS) + 1;
            let by_equation = (literal.relation == Relation::Eq && self.can_solve(literal, var))
                .then(|| {
                    let is_unit = literal.sum.coefficient(var).abs().is_one();
                    let is_simple = is_unit || self.t.sort_of(var) == Sort::REAL;
                    let class = if is_simple { 0 } else { SCALED_EQUATION };
                    class + literal.sum.terms.len() as u64
                });
            cost = Some(by_equation.map_or(so_far, |cost| cost.min(so_far)));
        }
        cost
    }

    /// An equation of mixed sorts does not determine an integer variable: the rest of the sum need
    /// not be an integer.
    fn can_solve(&self, literal: &LinearLiteral, x: Term) -> bool {
        self.t.sort_of(x) == Sort::REAL || literal.is_integral(self.t)
    }

    /// Eliminates `var` by an equation `c·var + rest = 0`, the one with the least `|c|`.
    fn solve_equation(&mut self, var: Term) {
        let mut literals = self.linear.take_with([var]);
        let equations = literals.iter().enumerate().filter(|(_, (_, literal))| {
            literal.relation == Relation::Eq && self.can_solve(literal, var)
        });
        let (position, _) = equations
            .min_by_key(|(_, (_, literal))| {
                let factor = literal.sum.normalizer();
                let coefficient = &literal.sum.coefficient(var) * &factor;
                (coefficient.abs(), literal.sum.terms.len())
            })
            .expect("an equation was seen by the caller");
        let (free, equation) = literals.remove(position);
        let mut equation = equation.sum;
        let integer = self.t.sort_of(var) == Sort::INT;
        if integer {
            let factor = equation.normalizer();
            equation.scale(&factor);
        }
        let c = equation.remove(var);
        debug_assert!(!c.is_zero(), "the equation has the variable");
        debug_assert!(
            !integer || c.is_integer(),
            "a normalised equation has integer coefficients"
        );
        let rest = equation;
        for (place, mut literal) in literals {
            // a·var + s ⋈ 0, times |c|, with c·var = -rest.
            let a = literal.sum.remove(var);
            if integer {
                literal.sum.scale(&c.abs());
                if let Relation::Divides(m) = &literal.relation {
                    literal.relation = Relation::Divides(m * &c.abs());
                }
                let factor = -(&a * &Rational::from(i64::from(c.signum())));
                literal.sum.add_scaled(&factor, &rest);
            } else {
                literal.sum.add_scaled(&-(&a * &c.recip()), &rest);
            }
            if let Some(literal) = self.decided(literal) {
                self.linear.put(place, literal);
            }
        }
        // The order of literals becomes that of cubes, which decides what is dropped first. Tried:
        // without this move, `trl` loses a refutation of a loop with two parities.
        self.linear.fill(free);
        if integer && !c.abs().is_one() {
            self.add_linear(LinearLiteral {
                sum: rest,
                relation: Relation::Divides(c.abs()),
                sort: Sort::INT,
            });
        }
    }

    /// Takes the linear literals that contain `var` out.
    fn take_linear(&mut self, var: Term) -> Vec<LinearLiteral> {
        let taken = self.linear.take_with([var]);
        taken.into_iter().map(|(_, literal)| literal).collect()
    }

    /// Replaces the variable by its value in the model.
    fn substitute_value(&mut self, var: Term, literals: Vec<LinearLiteral>) {
        let value = self.valuation.number(var);
        for mut literal in literals {
            let a = literal.sum.remove(var);
            literal.sum.constant.add_mul(&a, &value);
            self.add_linear(literal);
        }
    }

    /// The literals, with the guards of the selectors in them.
    fn finish(mut self) -> Vec<Term> {
        let t = self.t;
        let sums = self.linear.iter().flat_map(|l| &l.sum.terms);
        let terms: Vec<Term> = sums
            .map(|&(x, _)| x)
            .chain(self.other.iter().copied())
            .collect();
        let guards = guards(t, &terms)
            .into_iter()
            .filter(|&g| self.valuation.holds(g));
        let guards: Vec<Term> = guards.collect();
        self.other.extend(guards);
        let mut result = Vec::new();
        let mut seen = TermSet::default();
        let linear = self.linear.iter().map(|l| l.to_term(t));
        for literal in linear.chain(self.other.iter().copied()) {
            if literal != Term::TRUE && seen.insert(literal) {
                result.push(literal);
            }
        }
        result
    }
}
