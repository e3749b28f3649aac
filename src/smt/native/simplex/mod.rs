//! Linear arithmetic over the rationals: the simplex of Dutertre and de Moura \[DdM06\].
//!
//! Variables have lower and upper bounds, each with the literal that states it. A bounded linear
//! form has a variable and, while it is bounded, an equation in the tableau. `check` finds values
//! within all bounds, or explains by Farkas factors why there are none. Strict bounds are bounds
//! with an infinitesimal part.
//!
//! DIVERGENCE: forms enter the tableau when they are first bounded, not when they are made, and
//! leave it some time after their last bound is gone. So a context keeps a small tableau over
//! thousands of different queries.
//!
//! DIVERGENCE: bounds that follow from an equation and the bounds of its other variables are not
//! looked for. Tried, after each check that found values, on recorded queries of `pdr` and `pdkind`
//! on five tasks of LRA-Lin: 12 to 35 % fewer conflicts, in 1.1 to 1.6 times the time. With
//! short equations alone it is no better.
//!
//! Invariant: a variable that is not basic has a value within its bounds.
//!
//! Invariant: the values satisfy the equations of the tableau.

mod check;
mod model;
mod round;
mod tableau;

use super::literal::Lit;
use crate::number::{DeltaRational, Rational};
use crate::work;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use tableau::Tableau;

pub(super) use check::Checked;
pub(super) use tableau::Entry;

/// An arithmetic variable: one of the problem, or a linear form of those.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct ArithVar(u32);

impl ArithVar {
    /// A dense index.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Which bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// `x ≥ bound`
    Lower,
    /// `x ≤ bound`
    Upper,
}

impl Side {
    /// The other one.
    pub(super) fn opposite(self) -> Side {
        match self {
            Side::Lower => Side::Upper,
            Side::Upper => Side::Lower,
        }
    }
}

/// A bound and the literal that says so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Bound {
    pub(super) value: DeltaRational,
    pub(super) reason: Lit,
}

/// Literals that are true and contradictory: as inequalities, times these positive factors, they
/// add up to falsity.
#[derive(Debug)]
pub(super) struct Infeasible {
    pub(super) bounds: Vec<(Lit, Rational)>,
}

/// A linear form over variables that are no forms, with integer coefficients.
pub(super) type Form = Box<[(ArithVar, Rational)]>;

/// Is a bound on that side weaker than another one, or missing?
fn is_weaker(side: Side, weak: Option<&Bound>, strong: Option<&Bound>) -> bool {
    match (weak, strong) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(weak), Some(strong)) => match side {
            Side::Lower => weak.value < strong.value,
            Side::Upper => weak.value > strong.value,
        },
    }
}

#[derive(Debug)]
struct Variable {
    /// Lower and upper bound.
    bounds: [Option<Bound>; 2],
    value: DeltaRational,
    /// What it stands for, if it is a form.
    form: Option<Form>,
    /// Is it no form, or a form with an equation in the tableau?
    active: bool,
    is_int: bool,
    /// Is it in the queue of variables to be looked at?
    queued: bool,
}

impl Variable {
    /// Is the value within the bounds?
    fn is_within(&self) -> bool {
        let [lower, upper] = &self.bounds;
        lower.as_ref().is_none_or(|b| self.value >= b.value)
            && upper.as_ref().is_none_or(|b| self.value <= b.value)
    }
}

/// Counters, for statistics only.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) pivots: u64,
    pub(super) rows_dropped: u64,
}

/// The state of linear arithmetic.
#[derive(Debug, Default)]
pub(super) struct Simplex {
    variables: Vec<Variable>,
    tableau: Tableau,
    /// Basic variables that may violate a bound, least first.
    queue: BinaryHeap<Reverse<ArithVar>>,
    /// Bounds that were replaced, to be restored.
    trail: Vec<(ArithVar, Side, Option<Bound>)>,
    /// Forms that have lost their last bound and may be in the tableau still.
    idle: Vec<ArithVar>,
    pub(super) counts: Counts,
}

/// Forms without bounds leave the tableau when there are 16 of them and they are a third of its
/// rows. The value was not tuned.
const IDLE_FORMS: usize = 16;

impl Simplex {
    /// A new variable without bounds.
    pub(super) fn new_var(&mut self, is_int: bool) -> ArithVar {
        self.add(is_int, None)
    }

    /// A new variable that stands for a form of at least one variable.
    pub(super) fn new_form(&mut self, form: Form) -> ArithVar {
        debug_assert!(
            self.is_form(&form),
            "a form has integer factors of problem variables"
        );
        let is_int = form.iter().all(|(x, a)| self.is_int(*x) && a.is_integer());
        self.add(is_int, Some(form))
    }

    fn add(&mut self, is_int: bool, form: Option<Form>) -> ArithVar {
        let index = u32::try_from(self.variables.len()).expect("fewer than 2^32 variables");
        self.variables.push(Variable {
            bounds: [None, None],
            value: DeltaRational::zero(),
            active: form.is_none(),
            form,
            is_int,
            queued: false,
        });
        self.tableau.grow();
        ArithVar(index)
    }

    /// Is it a linear form over different variables that are no forms, with integer coefficients
    /// that are not 0?
    fn is_form(&self, form: &[(ArithVar, Rational)]) -> bool {
        let mut vars: Vec<ArithVar> = form.iter().map(|&(x, _)| x).collect();
        vars.sort_unstable();
        !form.is_empty()
            && vars.windows(2).all(|pair| pair[0] != pair[1])
            && form
                .iter()
                .all(|(x, a)| self.form(*x).is_none() && a.is_integer() && !a.is_zero())
    }

    /// Must the variable be an integer?
    pub(super) fn is_int(&self, var: ArithVar) -> bool {
        self.variables[var.index()].is_int
    }

    /// What a variable stands for; `None` for a variable of the problem.
    pub(super) fn form(&self, var: ArithVar) -> Option<&[(ArithVar, Rational)]> {
        self.variables[var.index()].form.as_deref()
    }

    /// All variables.
    pub(super) fn vars(&self) -> impl Iterator<Item = ArithVar> + use<> {
        (0..u32::try_from(self.variables.len()).expect("counted by 32 bits")).map(ArithVar)
    }

    /// A bound of a variable, if it has one.
    #[inline]
    pub(super) fn bound(&self, var: ArithVar, side: Side) -> Option<&Bound> {
        self.variables[var.index()].bounds[side as usize].as_ref()
    }

    /// The variables that are no forms.
    pub(super) fn problem_vars(&self) -> impl Iterator<Item = ArithVar> + '_ {
        self.vars().filter(|&x| self.form(x).is_none())
    }

    /// The equations of the tableau, each the entries of `Σ coefficient·var = 0`.
    pub(super) fn equations(&self) -> impl Iterator<Item = &[Entry]> {
        self.tableau.rows().map(|row| self.tableau.entries(row))
    }

    /// Is the variable one that an equation is solved for?
    pub(super) fn is_basic(&self, var: ArithVar) -> bool {
        self.tableau.row_of(var).is_some()
    }

    /// The other variables in the equation of a basic variable.
    pub(super) fn row_neighbours(&self, basic: ArithVar) -> impl Iterator<Item = ArithVar> + '_ {
        let row = self.tableau.row_of(basic).expect("the variable is basic");
        let vars = self.tableau.entries(row).iter().map(|e| e.var);
        vars.filter(move |&x| x != basic)
    }

    /// The value of a variable whose bounds leave it no other.
    pub(super) fn fixed_value(&self, var: ArithVar) -> Option<&DeltaRational> {
        match &self.variables[var.index()].bounds {
            [Some(lower), Some(upper)] if lower.value == upper.value => Some(&lower.value),
            _ => None,
        }
    }

    /// Is the value one of the bounds?
    pub(super) fn is_at_bound(&self, var: ArithVar) -> bool {
        let variable = &self.variables[var.index()];
        let mut bounds = variable.bounds.iter().flatten();
        bounds.any(|b| b.value == variable.value)
    }

    /// Adds a variable times a factor to a form; what is a form itself as what it stands for.
    pub(super) fn add_expanded(
        &self,
        form: &mut BTreeMap<ArithVar, Rational>,
        var: ArithVar,
        factor: &Rational,
    ) {
        let single = [(var, Rational::one())];
        for (x, a) in self.form(var).unwrap_or(&single) {
            form.entry(*x).or_default().add_mul(factor, a);
        }
    }

    /// The current value of a variable.
    pub(super) fn value(&self, var: ArithVar) -> DeltaRational {
        let variable = &self.variables[var.index()];
        match &variable.form {
            Some(form) if !variable.active => self.value_of_form(form),
            _ => variable.value.clone(),
        }
    }

    fn value_of_form(&self, form: &[(ArithVar, Rational)]) -> DeltaRational {
        let mut sum = DeltaRational::zero();
        for (x, a) in form {
            sum.add_mul(a, &self.variables[x.index()].value);
        }
        sum
    }

    /// Number of equations in the tableau.
    pub(super) fn rows(&self) -> usize {
        self.tableau.len()
    }

    /// How many bounds have been replaced; to go back to.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Restores the bounds of a mark. Values stay: they are within the wider bounds.
    pub(super) fn backtrack(&mut self, mark: usize) {
        for (var, side, old) in self.trail.drain(mark..).rev() {
            let is_basic = self.tableau.row_of(var).is_some();
            let variable = &mut self.variables[var.index()];
            debug_assert!(
                is_weaker(side, old.as_ref(), variable.bounds[side as usize].as_ref()),
                "the bound that is restored is the wider one"
            );
            variable.bounds[side as usize] = old;
            debug_assert!(
                is_basic || !variable.active || variable.is_within(),
                "values stay within the wider bounds"
            );
            if variable.form.is_some() && variable.bounds.iter().all(Option::is_none) {
                self.idle.push(var);
            }
        }
    }

    /// Are the bounds of a variable in order, and is its value within them if it is not basic?
    fn bounds_are_valid(&self, var: ArithVar) -> bool {
        let variable = &self.variables[var.index()];
        let ordered = match &variable.bounds {
            [Some(lower), Some(upper)] => lower.value <= upper.value,
            _ => true,
        };
        let is_free = self.tableau.row_of(var).is_some() || !variable.active;
        ordered && (is_free || variable.is_within())
    }

    /// Is `candidate` a stronger bound on that side than what there is?
    fn improves(&self, var: ArithVar, side: Side, candidate: &DeltaRational) -> bool {
        match (self.bound(var, side), side) {
            (None, _) => true,
            (Some(bound), Side::Lower) => *candidate > bound.value,
            (Some(bound), Side::Upper) => *candidate < bound.value,
        }
    }

    /// Adds a bound that is stronger than the one on that side. Fails with the contradiction if it
    /// and the opposite bound are one.
    pub(super) fn assert(
        &mut self,
        var: ArithVar,
        side: Side,
        value: DeltaRational,
        reason: Lit,
    ) -> Result<(), Infeasible> {
        debug_assert!(self.improves(var, side, &value));
        if let Some(other) = self.bound(var, side.opposite()) {
            let crossed = match side {
                Side::Lower => value > other.value,
                Side::Upper => value < other.value,
            };
            if crossed {
                let bounds = vec![(reason, Rational::one()), (other.reason, Rational::one())];
                return Err(Infeasible { bounds });
            }
        }
        if !self.variables[var.index()].active {
            self.activate(var);
        }
        let bound = Bound { value, reason };
        let place = &mut self.variables[var.index()].bounds[side as usize];
        let old = place.replace(bound);
        self.trail.push((var, side, old));
        if self.tableau.row_of(var).is_some() {
            self.enqueue(var);
        } else if let Some(violated) = self.violation(var) {
            let target = self.bound_value(var, violated);
            self.move_to(var, target);
        }
        debug_assert!(
            self.bounds_are_valid(var),
            "a value that is not basic is within bounds"
        );
        Ok(())
    }

    /// The value of a bound that is there.
    fn bound_value(&self, var: ArithVar, side: Side) -> DeltaRational {
        let bound = self.bound(var, side).expect("the bound is there");
        bound.value.clone()
    }

    /// The bound that a value violates.
    #[inline]
    fn violation(&self, var: ArithVar) -> Option<Side> {
        let variable = &self.variables[var.index()];
        match &variable.bounds {
            [Some(lower), _] if variable.value < lower.value => Some(Side::Lower),
            [_, Some(upper)] if variable.value > upper.value => Some(Side::Upper),
            _ => None,
        }
    }

    /// Is a value within the bounds of a variable?
    fn is_within(&self, var: ArithVar, value: &DeltaRational) -> bool {
        let [lower, upper] = &self.variables[var.index()].bounds;
        lower.as_ref().is_none_or(|b| *value >= b.value)
            && upper.as_ref().is_none_or(|b| *value <= b.value)
    }

    /// Is the variable none that stands for a form, or has its form an equation in the tableau?
    fn is_active(&self, var: ArithVar) -> bool {
        self.variables[var.index()].active
    }

    fn enqueue(&mut self, var: ArithVar) {
        let variable = &mut self.variables[var.index()];
        if !variable.queued {
            variable.queued = true;
            self.queue.push(Reverse(var));
        }
    }

    /// Gives a variable that is not basic another value, and updates the basic variables.
    fn move_to(&mut self, var: ArithVar, target: DeltaRational) {
        debug_assert!(self.tableau.row_of(var).is_none());
        debug_assert!(self.is_active(var), "a form that is moved has an equation");
        let step = &target - &self.variables[var.index()].value;
        self.variables[var.index()].value = target;
        if step.is_zero() {
            return;
        }
        work::spend_on(1 + self.tableau.column_len(var));
        for (row, a) in self.tableau.column(var) {
            let basic = self.tableau.basic(row);
            let b = self.tableau.basic_coefficient(row);
            let factor = if b.is_minus_one() {
                a.clone()
            } else if b.is_one() {
                -a
            } else {
                -(a / b)
            };
            let variable = &mut self.variables[basic.index()];
            variable.value.add_mul(&factor, &step);
            if !variable.queued {
                variable.queued = true;
                self.queue.push(Reverse(basic));
            }
        }
    }

    /// Gives a form an equation in the tableau.
    fn activate(&mut self, var: ArithVar) {
        let variable = &mut self.variables[var.index()];
        let form = variable.form.take().expect("only forms are inactive");
        variable.active = true;
        self.variables[var.index()].value = self.value_of_form(&form);
        self.tableau.add_row(var, &form);
        self.variables[var.index()].form = Some(form);
        debug_assert!(
            self.is_basic(var),
            "a form enters the tableau as a basic variable"
        );
    }

    /// Takes forms without bounds out of the tableau, if there are many.
    pub(super) fn drop_idle_forms(&mut self) {
        if self.idle.len() < IDLE_FORMS || self.idle.len() * 3 < self.tableau.len() {
            return;
        }
        for var in std::mem::take(&mut self.idle) {
            let variable = &self.variables[var.index()];
            let is_idle = variable.active && variable.bounds.iter().all(Option::is_none);
            if is_idle && !self.deactivate(var) {
                self.idle.push(var);
            }
        }
        debug_assert!(self.is_valid());
    }

    /// Takes a form without bounds out of the tableau; fails if that would make a variable that
    /// violates a bound one that is not basic.
    fn deactivate(&mut self, var: ArithVar) -> bool {
        debug_assert!(
            self.variables[var.index()]
                .bounds
                .iter()
                .all(Option::is_none)
        );
        if self.tableau.row_of(var).is_none() {
            let rows = self.tableau.column(var).map(|(row, _)| row);
            let fit = rows.filter(|&r| self.violation(self.tableau.basic(r)).is_none());
            let Some(row) = fit.min_by_key(|&r| self.tableau.entries(r).len()) else {
                // A variable that occurs nowhere needs no equation.
                let free = self.tableau.column_len(var) == 0;
                self.variables[var.index()].active &= !free;
                return free;
            };
            self.tableau.pivot(row, var);
        }
        self.tableau.drop_row(var);
        self.variables[var.index()].active = false;
        self.counts.rows_dropped += 1;
        true
    }

    /// The invariants of this module.
    pub(super) fn is_valid(&self) -> bool {
        let within = self.vars().all(|x| {
            let free = self.tableau.row_of(x).is_some() || !self.variables[x.index()].active;
            free || self.violation(x).is_none()
        });
        let queued = self.vars().all(|x| {
            let variable = &self.variables[x.index()];
            self.tableau.row_of(x).is_none() || variable.queued || self.violation(x).is_none()
        });
        let equal = self.tableau.rows().all(|row| {
            let mut sum = DeltaRational::zero();
            for entry in self.tableau.entries(row) {
                sum.add_mul(&entry.coefficient, &self.variables[entry.var.index()].value);
            }
            sum.is_zero()
        });
        within && queued && equal && self.tableau.is_valid()
    }
}
