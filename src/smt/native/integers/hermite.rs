//! Cuts from proofs: bounds that hold with equality, as equations over the integers.
//!
//! Unimodular column operations bring the matrix `C` of the equations `C·x = d` into a triangular
//! form `H = C·U`. With `y = U⁻¹·x` the equations are `H·y = d`, solved from the top; `x` is
//! integral if and only if `y` is. If the value of some `yₚ` is not integral, the combination `r`
//! of equations that says `yₚ = r·d` has integer coefficients on `x`: `r·C` is a row of `U⁻¹`. That
//! is the form to divide at.
//!
//! DIVERGENCE: \[DDA09\] takes all tight bounds; here they are those in the equation of a variable
//! at first, and all after some splits. Then equations with a unit coefficient are solved before.
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
/// As [`MAX_EQUATIONS`], before equations are solved for variables. Tried: 200 suffice for paths of
/// 10 steps with a remainder each.
const MAX_TIGHT: usize = 200;
/// A form is not used for a split if its coefficients have more than 64 bits beyond the widest
/// number of the query. In the tableau such forms would multiply from split to split, until single
/// pivots take minutes. Tried: with 64 bits in all, 0.9 % of random queries with large numbers stay
/// undecided; with this limit, 0.1 %.
const MORE_BITS: u64 = 64;

/// Which of the bounds that hold with equality become equations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reach {
    /// Those in the equation of a variable.
    Row,
    /// All that are connected with a variable, as in \[DDA09\].
    All,
}

/// A division by a form on which the bounds that hold with equality, and have to do with `var`,
/// disagree with integers. The numbers of the question have at most `width` bits.
pub(super) fn cut(simplex: &Simplex, var: ArithVar, reach: Reach, width: u64) -> Option<Split> {
    let real = |equation: &Equation| {
        let mut vars = equation.form.keys().copied();
        vars.find(|&x| !simplex.is_int(x))
    };
    let mut equations = eliminate(tight_equations(simplex, var, reach), real);
    if reach == Reach::All {
        // Bounds of single variables stay: they are left out where the others suffice.
        let unit = |equation: &Equation| equation.unit().filter(|_| !equation.is_single);
        equations = eliminate(equations, unit);
        equations.sort_by_key(|equation| equation.is_single);
        equations.truncate(MAX_EQUATIONS);
    }
    let forms = equations.iter().map(|equation| &equation.form);
    let variables: BTreeSet<ArithVar> = forms.flat_map(|form| form.keys().copied()).collect();
    if variables.len() > MAX_VARIABLES {
        return None;
    }
    let mut combination = unsolvable(&equations, &variables)?;
    for at in (0..equations.len()).rev() {
        if reach == Reach::All && equations[at].is_single && !combination[at].is_zero() {
            let mut fewer = equations.clone();
            fewer.remove(at);
            if let Some(found) = unsolvable(&fewer, &variables) {
                (equations, combination) = (fewer, found);
            }
        }
    }
    let mut sum = Equation::default();
    for (factor, equation) in combination.iter().zip(&equations) {
        sum.add(factor, equation);
    }
    let Equation { form, value, .. } = sum;
    let split = divide(form, value)?;
    let max_bits = width + MORE_BITS;
    let is_small = split.form.iter().all(|(_, a)| a.bit_length() <= max_bits);
    is_small.then_some(split)
}

/// A linear form and its value.
#[derive(Clone, Default, Debug)]
struct Equation {
    /// Without zeros.
    form: BTreeMap<ArithVar, Rational>,
    /// It has an infinitesimal part where a strict bound of a real variable is reached.
    value: DeltaRational,
    /// Is it a bound of a single variable?
    is_single: bool,
}

impl Equation {
    /// Adds another equation times a factor.
    fn add(&mut self, factor: &Rational, other: &Equation) {
        self.value.add_mul(factor, &other.value);
        for (&x, a) in &other.form {
            self.form.entry(x).or_default().add_mul(factor, a);
        }
        self.form.retain(|_, a| !a.is_zero());
    }

    /// A variable for which the equation is solved over the integers: its coefficient is 1 or -1,
    /// and all numbers are integers.
    fn unit(&self) -> Option<ArithVar> {
        let mut numbers = self.form.values();
        if !self.value.is_integer() || !numbers.all(Rational::is_integer) {
            return None;
        }
        let mut entries = self.form.iter();
        let unit = entries.find(|(_, a)| a.is_one() || a.is_minus_one());
        unit.map(|(&x, _)| x)
    }
}

/// Equations that hold for the present values and are connected with `var`. First come the
/// equations that always hold and share variables with `var`, directly or not, since a
/// contradiction among them needs no bounds; then the bounds that are tight in the equation of
/// `var`; then, to reach all, others that are tight and share variables with these.
fn tight_equations(simplex: &Simplex, var: ArithVar, reach: Reach) -> Vec<Equation> {
    let expanded = |x: ArithVar| {
        let mut form = BTreeMap::new();
        simplex.add_expanded(&mut form, x, &Rational::one());
        Equation {
            form,
            value: simplex.value(x),
            is_single: simplex.form(x).is_none(),
        }
    };
    let is_fixed = |x: &ArithVar| simplex.fixed_value(*x).is_some();
    let is_tight = |x: &ArithVar| simplex.is_at_bound(*x) && !is_fixed(x);
    // Bounds of single variables may be from divisions before, and say less.
    let forms_first = |tight: Vec<ArithVar>| {
        let is_form = |x: &ArithVar| simplex.form(*x).is_some();
        let (forms, single): (Vec<_>, Vec<_>) = tight.into_iter().partition(is_form);
        forms.into_iter().chain(single)
    };
    let near = simplex.row_neighbours(var).chain([var]);
    let mut connected = Connected {
        variables: near.flat_map(|x| expanded(x).form.into_keys()).collect(),
        equations: Vec::new(),
        most: match reach {
            Reach::Row => MAX_EQUATIONS,
            Reach::All => MAX_TIGHT,
        },
    };
    connected.add(simplex.vars().filter(is_fixed).map(expanded).collect());
    let row: Vec<ArithVar> = simplex.row_neighbours(var).filter(is_tight).collect();
    let others = match reach {
        Reach::Row => Vec::new(),
        Reach::All => {
            let is_other = |x: &ArithVar| is_tight(x) && !row.contains(x);
            simplex.vars().filter(is_other).collect()
        }
    };
    connected.add(forms_first(row).map(expanded).collect());
    connected.add(forms_first(others).map(expanded).collect());
    connected.equations
}

/// Equations that share variables, directly or not.
struct Connected {
    variables: BTreeSet<ArithVar>,
    equations: Vec<Equation>,
    /// The largest number of equations.
    most: usize,
}

impl Connected {
    /// Adds those of more equations that are connected, the nearest ones first.
    fn add(&mut self, mut more: Vec<Equation>) {
        loop {
            let before = self.equations.len();
            more.retain_mut(|equation| {
                let connected = equation.form.keys().any(|x| self.variables.contains(x));
                if connected && self.equations.len() < self.most {
                    self.variables.extend(equation.form.keys());
                    self.equations.push(std::mem::take(equation));
                }
                !connected
            });
            if self.equations.len() == before {
                break;
            }
        }
    }
}

/// What the equations say of the other variables: each one that has a variable to be solved for is
/// put into the others, and goes.
fn eliminate(
    equations: Vec<Equation>,
    variable: impl Fn(&Equation) -> Option<ArithVar>,
) -> Vec<Equation> {
    let mut todo = VecDeque::from(equations);
    let mut left: Vec<Equation> = Vec::new();
    while let Some(equation) = todo.pop_front() {
        if equation.form.is_empty() && equation.value.is_zero() {
            continue;
        }
        let Some(solved) = variable(&equation) else {
            left.push(equation);
            continue;
        };
        let a = &equation.form[&solved];
        work::spend_on(todo.len() + left.len());
        for other in todo.iter_mut().chain(&mut left) {
            if let Some(b) = other.form.get(&solved) {
                let factor = -(b / a);
                other.add(&factor, &equation);
            }
        }
    }
    left
}

/// Factors under which the equations add up to one with integer coefficients and a constant that is
/// no integer.
fn unsolvable(equations: &[Equation], variables: &BTreeSet<ArithVar>) -> Option<Vec<Rational>> {
    let mut matrix: Vec<Vec<Rational>> = equations
        .iter()
        .map(|Equation { form, .. }| {
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
        let mut rest = equations[row].value.clone();
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
                Equation {
                    form: form.filter(|(_, a)| !a.is_zero()).collect(),
                    value: DeltaRational::from(Rational::from(*d)),
                    is_single: false,
                }
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
                .map(|(f, e)| f * &e.form.get(x).cloned().unwrap_or_default())
                .sum();
            assert!(sum.is_integer(), "{rows:?}: {factors:?}");
        }
        let constant: Rational = factors
            .iter()
            .zip(&equations)
            .map(|(f, e)| f * &e.value.real)
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
