//! Cuts from proofs: bounds that hold with equality, as equations over the integers.
//!
//! Unimodular column operations bring the matrix `C` of the equations `C·x = d` into a triangular
//! form `H = C·U`. With `y = U⁻¹·x` the equations are `H·y = d`, solved from the top; `x` is
//! integral if and only if `y` is. If the value of some `yₚ` is not integral, the combination `r`
//! of equations that says `yₚ = r·d` has integer coefficients on `x`: `r·C` is a row of `U⁻¹`. That
//! is the form to divide at.
//!
//! Where real variables occur, they are eliminated first; a strict bound of one that is reached
//! makes a value that is no integer, too.

use super::division::{Split, divide};
use crate::number::{DeltaRational, Rational};
use crate::smt::native::simplex::{ArithVar, Simplex};
use crate::work;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Larger systems are not tried: the numbers grow too much. The value was not tuned.
const MAX_EQUATIONS: usize = 40;
/// As [`MAX_EQUATIONS`], for the variables of a system.
const MAX_VARIABLES: usize = 80;
/// A form is not used for a split if its coefficients have more than 64 bits beyond the widest
/// number of the query. In the tableau such forms would multiply from split to split, until single
/// pivots take minutes. Tried: with 64 bits in all, 0.9 % of random queries with large numbers stay
/// undecided; with this limit, 0.1 %.
const MORE_BITS: u64 = 64;

/// A division by a form on which the bounds that hold with equality, and have to do with `var`,
/// disagree with integers. The numbers of the question have at most `width` bits.
pub(super) fn cut(simplex: &Simplex, var: ArithVar, width: u64) -> Option<Split> {
    let is_int = |x: ArithVar| simplex.is_int(x);
    let equations = eliminate_reals(tight_equations(simplex, var), is_int);
    let variables: BTreeSet<ArithVar> = equations
        .iter()
        .flat_map(|(form, _)| form.keys().copied())
        .collect();
    if variables.len() > MAX_VARIABLES {
        return None;
    }
    let combination = unsolvable(&equations, &variables)?;
    let mut form = BTreeMap::new();
    let mut value = DeltaRational::zero();
    for (factor, (equation, constant)) in combination.iter().zip(&equations) {
        value.add_mul(factor, constant);
        for (&x, a) in equation {
            form.entry(x)
                .or_insert_with(Rational::zero)
                .add_mul(factor, a);
        }
    }
    let split = divide(form, value)?;
    let max_bits = width + MORE_BITS;
    let is_small = split.form.iter().all(|(_, a)| a.bit_length() <= max_bits);
    is_small.then_some(split)
}

/// A linear form and its value, which has an infinitesimal part where a strict bound of a real
/// variable is reached.
type Equation = (BTreeMap<ArithVar, Rational>, DeltaRational);

/// Equations that hold for the present values and are connected with `var`. First come the
/// equations that always hold and share variables with `var`, directly or not, since a
/// contradiction among them needs no bounds; then the bounds that are tight in the equation of
/// `var`.
fn tight_equations(simplex: &Simplex, var: ArithVar) -> Vec<Equation> {
    let expanded = |x: ArithVar| {
        let mut form = BTreeMap::new();
        simplex.add_expanded(&mut form, x, &Rational::one());
        (form, simplex.value(x))
    };
    let mut equations: Vec<Equation> = Vec::new();
    let near = simplex.row_neighbours(var).chain([var]);
    let mut variables: BTreeSet<ArithVar> = near.flat_map(|x| expanded(x).0.into_keys()).collect();
    let mut fixed: Vec<Equation> = simplex
        .vars()
        .filter(|&x| simplex.fixed_value(x).is_some())
        .map(expanded)
        .collect();
    loop {
        let before = equations.len();
        fixed.retain_mut(|equation| {
            let connected = equation.0.keys().any(|x| variables.contains(x));
            if connected && equations.len() < MAX_EQUATIONS {
                variables.extend(equation.0.keys());
                equations.push(std::mem::take(equation));
            }
            !connected
        });
        if equations.len() == before {
            break;
        }
    }
    let (forms, single): (Vec<ArithVar>, Vec<ArithVar>) = simplex
        .row_neighbours(var)
        .filter(|&x| simplex.is_at_bound(x) && simplex.fixed_value(x).is_none())
        .partition(|&x| simplex.form(x).is_some());
    // Bounds of single variables may be from divisions before, and say less.
    let tight = forms.into_iter().chain(single).map(expanded);
    equations.extend(tight.take(MAX_EQUATIONS - equations.len()));
    equations
}

/// What the equations say of integers alone: a real variable is solved for in the first equation
/// that has it, and put into those behind.
fn eliminate_reals(equations: Vec<Equation>, is_int: impl Fn(ArithVar) -> bool) -> Vec<Equation> {
    let mut todo = VecDeque::from(equations);
    let mut integral = Vec::new();
    while let Some((form, value)) = todo.pop_front() {
        let Some((real, a)) = form.iter().find(|&(&x, _)| !is_int(x)) else {
            if !form.is_empty() {
                integral.push((form, value));
            }
            continue;
        };
        work::spend_on(todo.len());
        for (other, other_value) in &mut todo {
            let Some(b) = other.get(real) else { continue };
            let factor = -(b / a);
            other_value.add_mul(&factor, &value);
            for (&x, a) in &form {
                other.entry(x).or_default().add_mul(&factor, a);
            }
            other.retain(|_, a| !a.is_zero());
        }
    }
    integral
}

/// Factors under which the equations add up to one with integer coefficients and a constant that is
/// no integer.
fn unsolvable(equations: &[Equation], variables: &BTreeSet<ArithVar>) -> Option<Vec<Rational>> {
    let mut matrix: Vec<Vec<Rational>> = equations
        .iter()
        .map(|(form, _)| {
            variables
                .iter()
                .map(|x| form.get(x).cloned().unwrap_or_default())
                .collect()
        })
        .collect();
    // The equations with a pivot, in order; the pivot of the p-th is in column p.
    let mut pivots: Vec<usize> = Vec::new();
    let mut solution: Vec<DeltaRational> = Vec::new();
    for row in 0..matrix.len() {
        let p = pivots.len();
        if !clear_row(&mut matrix, row, p) {
            continue;
        }
        let mut rest = equations[row].1.clone();
        for (q, y) in solution.iter().enumerate() {
            rest.add_mul(&-&matrix[row][q], y);
        }
        let y = &rest / &matrix[row][p];
        pivots.push(row);
        if !y.is_integer() {
            return Some(combination(&matrix, &pivots));
        }
        solution.push(y);
    }
    None
}

/// Makes all entries of a row from column `p` on zero but that in column `p`, by operations on
/// these columns. Fails if all are zero.
fn clear_row(matrix: &mut [Vec<Rational>], row: usize, p: usize) -> bool {
    loop {
        let columns = p..matrix[row].len();
        let others = columns.filter(|&c| !matrix[row][c].is_zero());
        let Some(least) = others.min_by_key(|&c| matrix[row][c].abs()) else {
            return false;
        };
        matrix.iter_mut().for_each(|r| r.swap(p, least));
        let mut done = true;
        for c in p + 1..matrix[row].len() {
            if matrix[row][c].is_zero() {
                continue;
            }
            let quotient = (&matrix[row][c] / &matrix[row][p]).floor();
            work::spend_on(matrix.len());
            for r in matrix.iter_mut() {
                let subtrahend = r[p].clone();
                r[c].sub_mul(&quotient, &subtrahend);
            }
            done &= matrix[row][c].is_zero();
        }
        if done {
            return true;
        }
    }
}

/// The factors of the equations whose sum says what the last pivot's unknown is.
fn combination(matrix: &[Vec<Rational>], pivots: &[usize]) -> Vec<Rational> {
    let mut factors = vec![Rational::zero(); matrix.len()];
    let last = pivots.len() - 1;
    for q in (0..pivots.len()).rev() {
        let mut rest = if q == last {
            Rational::one()
        } else {
            Rational::zero()
        };
        for &row in &pivots[q + 1..] {
            rest.sub_mul(&factors[row], &matrix[row][q]);
        }
        factors[pivots[q]] = &rest / &matrix[pivots[q]][q];
    }
    factors
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Is there a combination, and does it show what it should?
    fn check(rows: &[(&[i64], i64)], solvable: bool) {
        let vars: Vec<ArithVar> = {
            let mut simplex = Simplex::default();
            (0..rows[0].0.len())
                .map(|_| simplex.new_var(true))
                .collect()
        };
        let equations: Vec<Equation> = rows
            .iter()
            .map(|(row, d)| {
                let form = vars
                    .iter()
                    .copied()
                    .zip(row.iter().map(|&a| Rational::from(a)));
                (
                    form.filter(|(_, a)| !a.is_zero()).collect(),
                    DeltaRational::from(Rational::from(*d)),
                )
            })
            .collect();
        let variables = vars.iter().copied().collect();
        let Some(factors) = unsolvable(&equations, &variables) else {
            assert!(solvable, "{rows:?} has no integer solution");
            return;
        };
        assert!(!solvable, "{rows:?} has an integer solution");
        for x in &vars {
            let sum: Rational = factors
                .iter()
                .zip(&equations)
                .map(|(f, (form, _))| f * &form.get(x).cloned().unwrap_or_default())
                .sum();
            assert!(sum.is_integer(), "{rows:?}: {factors:?}");
        }
        let constant: Rational = factors
            .iter()
            .zip(&equations)
            .map(|(f, (_, d))| f * &d.real)
            .sum();
        assert!(!constant.is_integer(), "{rows:?}: {factors:?}");
    }

    #[test]
    fn equations_over_the_integers() {
        check(&[(&[2], 4)], true);
        check(&[(&[2], 3)], false);
        check(&[(&[2, 4], 3)], false);
        check(&[(&[6, 10, 15], 1)], true);
        check(&[(&[1, 1], 1), (&[1, -1], 0)], false);
        check(&[(&[1, 1], 2), (&[1, -1], 0)], true);
        check(&[(&[3, 1, 0], 1), (&[0, 1, 3], 1), (&[1, 1, 1], 0)], true);
        check(&[(&[2, 1, 0], 1), (&[0, 1, 2], 2)], false);
        check(&[(&[1, 1], 2), (&[2, 2], 4), (&[1, -1], 1)], false);
    }
}
