//! A transitive relation from a loop: recurrence analysis \[FG25\].
//!
//! Let `φ(x, x')` be a cube, the steps of a loop on a trace. Its projection to the differences
//! `d = x' - x` says what each iteration adds. A bound on what one iteration adds is a bound on
//! what `n` iterations add:
//!
//! ```text
//! LEARN(φ, M):
//!   n ≥ 1
//!   Σ aᵢ·(x'ᵢ - xᵢ) = n·c           for literals Σ aᵢ·dᵢ = c of MBP(x, x', φ ∧ d = x' - x)
//!   Σ aᵢ·(x'ᵢ - xᵢ) ≤ n·c           for literals Σ aᵢ·dᵢ ≤ c of it, also strict ones
//!   x'ᵢ = xᵢ                        where φ says so, for variables that are no numbers
//!   MBP(x', φ), MBP(x, φ)           the guards of the first and of the last iteration
//! ```
//!
//! Each conjunct holds of any number of iterations, and of two such paths in a row. So the result
//! is transitive, and contains all iterations of the loop. `n` is an input of it.
//!
//! DIVERGENCE: integers and rationals have counters that are independent of each other.
//! Divisibility of differences by constants is dropped.

use crate::engine::transition;
use crate::logic::{LinearLiteral, Relation, Valuation};
use crate::number::Rational;
use crate::smt::Failure;
use crate::term::{LinearSum, Sort, Term, TermMap, TermSet, Terms, Value};
use crate::transform::TransitionSystem;
use std::iter::zip;

/// A transitive relation that contains all iterations of a loop: a formula over state, next state
/// and counters. The loop is a cube over state and next state.
///
/// # Errors
/// The cube is not true in the model.
pub(super) fn transitive(
    t: &Terms,
    system: &TransitionSystem,
    cube: &[Term],
    model: &mut Valuation<'_>,
) -> Result<Term, Failure> {
    let (state, next) = (&system.state, &system.next);
    // A projection may change the values of what it eliminates.
    let values = [&state[..], next].concat();
    let values: Vec<(Term, Value)> = values.into_iter().map(|x| (x, model.value(x))).collect();
    let mut said = Vec::new();
    let mut differences = Vec::new();
    let mut equations = cube.to_vec();
    for (&x, &z) in zip(state, next) {
        let sort = t.sort_of(x);
        if sort.is_arith() {
            let difference = t.fresh_var("difference", sort);
            let value = &model.number(z) - &model.number(x);
            model.define(difference, Value::Number(value));
            equations.push(t.eq(difference, t.sub(z, x)));
            differences.push((difference, (x, z)));
        } else if cube.contains(&t.eq(x, z)) {
            said.push(t.eq(x, z));
        }
    }
    let others = t.vars(equations.iter().copied()).into_iter();
    let kept: TermSet = differences.iter().map(|&(d, _)| d).collect();
    let others: Vec<Term> = others.filter(|x| !kept.contains(x)).collect();
    let ends = differences.into_iter().collect();
    let mut recurrences = Recurrences {
        t,
        ends,
        counters: TermMap::default(),
    };
    for literal in transition::cube(t, model, others, &equations)? {
        said.extend(recurrences.of(literal));
    }
    for &counter in recurrences.counters.values() {
        said.push(t.le(t.number(Rational::one(), t.sort_of(counter)), counter));
    }
    for side in [next, state] {
        let mut model = Valuation::new(t, values.iter().cloned());
        said.extend(transition::cube(t, &mut model, side.iter().copied(), cube)?);
    }
    Ok(t.and(said))
}

/// What is said of many iterations.
struct Recurrences<'t> {
    t: &'t Terms,
    /// Differences, and the variables before and after.
    ends: TermMap<(Term, Term)>,
    /// The number of iterations, for sums of each sort.
    counters: TermMap<Term>,
}

impl Recurrences<'_> {
    /// What a literal about the differences of one iteration says of many.
    fn of(&mut self, literal: Term) -> Option<Term> {
        let t = self.t;
        let mut linear = LinearLiteral::of_term(t, literal)?;
        if !matches!(linear.relation, Relation::Eq | Relation::Le | Relation::Lt) {
            return None;
        }
        let sort = match linear
            .sum
            .terms
            .iter()
            .any(|&(d, _)| t.sort_of(d) == Sort::REAL)
        {
            true => Sort::REAL,
            false => Sort::INT,
        };
        let zero = LinearSum::constant(Rational::zero());
        let sum = std::mem::replace(&mut linear.sum, zero);
        for (difference, factor) in &sum.terms {
            let (x, z) = self.ends.get(difference)?;
            linear.sum.add_scaled(factor, &t.linear_sum(*z));
            linear.sum.add_scaled(&-factor, &t.linear_sum(*x));
        }
        if !sum.constant.is_zero() {
            let zero = t.number(Rational::zero(), sort);
            let counter = self.counters.entry(zero);
            let counter = *counter.or_insert_with(|| t.fresh_var("iterations", sort));
            linear.sum.add_scaled(&sum.constant, &t.linear_sum(counter));
        }
        Some(linear.to_term(t))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smt::native::NativeOptions;
    use crate::smt::{Backend, SatResult};

    #[test]
    fn learned_relations_are_transitive() {
        let t = Terms::new();
        let vars =
            |name: &str| [Sort::INT, Sort::INT, Sort::REAL].map(|sort| t.fresh_var(name, sort));
        let (state, middle, next) = (vars("x"), vars("y"), vars("z"));
        let ([x, y, r], [x1, y1, r1]) = (state, next);
        let system = TransitionSystem {
            state: state.to_vec(),
            next: next.to_vec(),
            inputs: Vec::new(),
            init: Term::TRUE,
            trans: Term::TRUE,
            bad: Term::FALSE,
        };
        let cube = [
            t.lt(x, t.int(10)),
            t.eq(x1, t.add([x, t.int(2)])),
            t.le(y1, t.add([y, t.int(3)])),
            t.lt(t.add([r, t.real(Rational::one())]), r1),
        ];
        let values = [(x, 4), (y, 0), (r, 0), (x1, 6), (y1, 3), (r1, 2)];
        let value = |(x, n): (Term, i64)| (x, Value::Number(n.into()));
        let mut model = Valuation::new(&t, values.map(value));
        let relation = transitive(&t, &system, &cube, &mut model).expect("the cube is true");
        let is_state = |x: &Term| state.contains(x) || next.contains(x);
        let mut counters = t.vars([relation]);
        counters.retain(|x| !is_state(x));
        assert_eq!(counters.len(), 2, "{}", t.display(relation));

        let backend = Backend::native(NativeOptions::for_engines());
        let holds = |premises: &[Term], conclusion: Term| {
            let mut solver = backend.solver(&t, "test");
            premises.iter().for_each(|&premise| solver.assert(premise));
            let outcome = solver.check(format_args!("a pair of states"), &[t.not(conclusion)]);
            outcome == SatResult::Unsat
        };
        // It contains the loop, as one iteration.
        let once = counters
            .iter()
            .map(|&n| (n, t.number(Rational::one(), t.sort_of(n))));
        assert!(holds(&cube, t.substitute(relation, once)));
        // Two paths in a row are one with the sum of the iterations.
        let copies = |name: &str| -> Vec<Term> {
            let copy = |&n: &Term| t.fresh_var(name, t.sort_of(n));
            counters.iter().map(copy).collect()
        };
        let (first, second) = (copies("first"), copies("second"));
        let to = zip(next, middle).chain(zip(counters.iter().copied(), first.iter().copied()));
        let from = zip(state, middle).chain(zip(counters.iter().copied(), second.iter().copied()));
        let both = [t.substitute(relation, to), t.substitute(relation, from)];
        let sums = zip(first, second).map(|(n, m)| t.add([n, m]));
        let sums = zip(counters.iter().copied(), sums);
        assert!(holds(&both, t.substitute(relation, sums)));
        // Each iteration adds 2 to x, and at most 3 to y.
        let five = t.eq(x1, t.add([x, t.int(10)]));
        assert!(holds(&[relation, five], t.le(y1, t.add([y, t.int(15)]))));
        assert!(holds(&[relation], t.lt(x1, t.int(12))));
        assert!(!holds(&[relation], t.lt(x1, t.int(11))));
    }
}
