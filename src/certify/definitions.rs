//! Premises that define a variable, and premises that are literals: the variable's value takes its
//! place everywhere, and the premise goes.
//!
//! A clause of a transition system has an equation for each next-state value. Without them a query
//! has half of the variables.

use crate::number::Rational;
use crate::term::{Op, Sort, Substitution, Term, TermSet, Terms};

/// Substitutions after one another, at most. The value was not tuned.
const ROUNDS: usize = 16;

/// Formulas without defined variables.
pub(super) struct Solved<'t> {
    pub(super) premises: Vec<Term>,
    rounds: Vec<Substitution<'t>>,
}

impl<'t> Solved<'t> {
    /// The premises without the variables that they define. They contradict [`Solved::apply`] of a
    /// formula if and only if the old ones contradict the formula.
    pub(super) fn new(t: &'t Terms, mut premises: Vec<Term>) -> Self {
        let mut rounds = Vec::new();
        for _ in 0..ROUNDS {
            let found = independent(t, &premises);
            if found.is_empty() {
                break;
            }
            let mut substitution = Substitution::new(t, found);
            let replaced = premises.into_iter().map(|f| substitution.apply(f));
            let mut seen = TermSet::default();
            premises = replaced.flat_map(|f| t.conjuncts(f)).collect();
            premises.retain(|&f| f != Term::TRUE && seen.insert(f));
            rounds.push(substitution);
        }
        Solved { premises, rounds }
    }

    /// The premises as they are.
    pub(super) fn unchanged(premises: Vec<Term>) -> Self {
        Solved {
            premises,
            rounds: Vec::new(),
        }
    }

    /// Was there nothing to solve?
    pub(super) fn is_unchanged(&self) -> bool {
        self.rounds.is_empty()
    }

    /// Another formula without the variables.
    pub(super) fn apply(&mut self, formula: Term) -> Term {
        let rounds = self.rounds.iter_mut();
        rounds.fold(formula, |f, substitution| substitution.apply(f))
    }
}

/// Definitions of variables by some of the premises, none of which has a variable that another one
/// defines.
fn independent(t: &Terms, premises: &[Term]) -> Vec<(Term, Term)> {
    let mut found = Vec::new();
    let all: TermSet = premises.iter().copied().collect();
    // Variables that are defined, and variables of definitions.
    let (mut defined, mut used) = (TermSet::default(), TermSet::default());
    for &premise in premises {
        for (var, value) in definitions(t, premise, &all) {
            let vars = t.vars([value]);
            let is_new = !defined.contains(&var) && !used.contains(&var);
            if is_new && !vars.iter().any(|v| *v == var || defined.contains(v)) {
                defined.insert(var);
                used.extend(vars);
                found.push((var, value));
                break;
            }
        }
    }
    found
}

/// Variables with the values that a premise gives them, each by itself, or together with another
/// premise: an upper bound that is a lower bound, too.
fn definitions(t: &Terms, premise: Term, all: &TermSet) -> Vec<(Term, Term)> {
    match t.op(premise) {
        Op::Le => {
            let (x, bound) = (t.args(premise)[0], t.args(premise)[1]);
            let is_bound = t.is_var(x) && t.as_number(bound).is_some();
            match is_bound && all.contains(&t.le(bound, x)) {
                true => vec![(x, bound)],
                false => Vec::new(),
            }
        }
        Op::Var(_) => vec![(premise, Term::TRUE)],
        Op::Not if t.is_var(t.args(premise)[0]) => vec![(t.args(premise)[0], Term::FALSE)],
        Op::Eq => {
            let (x, y) = (t.args(premise)[0], t.args(premise)[1]);
            let pairs = [(x, y), (y, x)].into_iter();
            let mut found: Vec<(Term, Term)> = pairs.filter(|(v, _)| t.is_var(*v)).collect();
            if found.is_empty() && t.sort_of(x).is_arith() {
                found = of_sum(t, x, y);
            }
            found
        }
        _ => Vec::new(),
    }
}

/// What the equation of two sums says of the variables with coefficients 1 and -1, or over reals of
/// all.
fn of_sum(t: &Terms, x: Term, y: Term) -> Vec<(Term, Term)> {
    let sort = t.sort_of(x);
    let mut sum = t.linear_sum(x);
    sum.add_scaled(&Rational::from(-1), &t.linear_sum(y));
    let of = |&(var, ref factor): &(Term, Rational)| {
        let is_unit = factor.abs().is_one();
        if !t.is_var(var) || t.sort_of(var) != sort || (sort == Sort::INT && !is_unit) {
            return None;
        }
        let mut rest = sum.clone();
        rest.remove(var);
        rest.scale(&-factor.recip());
        let integral = rest.terms.iter().all(|(_, c)| c.is_integer()) && rest.constant.is_integer();
        (sort != Sort::INT || integral).then(|| (var, t.sum_term(&rest, sort)))
    };
    sum.terms.iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defined_variables_go() {
        let t = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| t.var(name, Sort::INT));
        let p = t.var("p", Sort::BOOL);
        let premises = vec![
            t.eq(y, t.add([x, t.int(1)])),
            t.or([t.not(p), t.eq(z, y)]),
            p,
            t.le(t.int(3), x),
        ];
        let mut solved = Solved::new(&t, premises);
        assert_eq!(solved.premises, [t.le(t.int(3), x)]);
        let conclusion = solved.apply(t.le(t.int(4), z));
        assert_eq!(t.vars([conclusion]), [x]);
        assert!(!solved.is_unchanged());
    }

    #[test]
    fn definitions_of_definitions_are_put_in() {
        let t = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| t.var(name, Sort::INT));
        let (of_y, of_z) = (t.eq(x, t.abs(y)), t.eq(y, t.abs(z)));
        for premises in [vec![of_y, of_z], vec![of_z, of_y]] {
            let mut solved = Solved::new(&t, premises);
            assert_eq!(solved.premises, []);
            assert_eq!(solved.apply(x), t.abs(t.abs(z)));
        }
        // Of two definitions of a variable one is a premise about the other.
        let mut solved = Solved::new(&t, vec![of_y, t.eq(x, t.modulo(z, t.int(3)))]);
        assert_eq!(solved.premises.len(), 1);
        assert_eq!(t.vars([solved.apply(x)]), [y]);
    }

    #[test]
    fn bounds_that_meet_define_a_variable() {
        let t = Terms::new();
        let [x, y] = ["x", "y"].map(|name| t.var(name, Sort::INT));
        let (one, two) = (t.int(1), t.int(2));
        let either = t.or([t.eq(x, one), t.le(y, two)]);
        let mut solved = Solved::new(&t, vec![t.le(one, x), t.le(x, two), t.le(two, x), either]);
        assert_eq!(solved.premises, [t.le(y, two)]);
        assert_eq!(solved.apply(t.le(x, y)), t.le(two, y));
        for premises in [
            vec![t.le(one, x), t.le(x, two)],
            vec![t.le(x, y), t.le(y, x)],
        ] {
            assert!(Solved::new(&t, premises).is_unchanged());
        }
    }

    #[test]
    fn no_variable_is_defined_by_itself() {
        let t = Terms::new();
        let [x, y] = ["x", "y"].map(|name| t.var(name, Sort::INT));
        let twice = |v| t.scale(Rational::from(2), v);
        for premises in [
            vec![t.eq(x, t.abs(x))],
            vec![t.eq(twice(x), t.add([twice(y), t.int(1)]))],
            vec![t.le(x, y)],
        ] {
            let solved = Solved::new(&t, premises.clone());
            assert!(solved.is_unchanged());
            assert_eq!(solved.premises, premises);
        }
        // Two definitions in a circle: one is put into the other.
        let premises = vec![t.eq(x, t.abs(y)), t.eq(y, t.abs(x))];
        let solved = Solved::new(&t, premises);
        assert_eq!(solved.premises.len(), 1);
    }

    #[test]
    fn sums_define_their_variables() {
        let t = Terms::new();
        let [x, y] = ["x", "y"].map(|name| t.var(name, Sort::INT));
        let [r, s] = ["r", "s"].map(|name| t.var(name, Sort::REAL));
        let times = |factor: i64, of: Term| t.scale(Rational::from(factor), of);
        let [one, half] = [Rational::one(), &Rational::one() / &Rational::from(2)];
        let real = |number: &Rational| t.real(number.clone());
        let table = [
            // An integer with the coefficient 1 or -1, and a real with any.
            (t.eq(t.add([x, times(2, y)]), t.int(3)), vec![x]),
            (t.eq(t.add([times(2, x), t.int(3)]), y), vec![y]),
            (t.eq(times(2, x), times(3, y)), vec![]),
            (
                t.eq(times(2, r), t.add([times(3, s), real(&one)])),
                vec![r, s],
            ),
            // Integers of a sum of reals have no values of reals.
            (
                t.eq(t.to_real(x), t.add([t.to_real(y), real(&half)])),
                vec![],
            ),
            (
                t.eq(t.add([times(2, r), t.to_real(x)]), real(&one)),
                vec![r],
            ),
        ];
        for (premise, expected) in table {
            let found = definitions(&t, premise, &TermSet::default());
            let mut vars: Vec<Term> = found.iter().map(|&(var, _)| var).collect();
            vars.sort_unstable();
            assert_eq!(vars, expected, "{}", t.display(premise));
            for (var, value) in found {
                let mut difference = t.linear_sum(t.args(premise)[0]);
                let other = t.linear_sum(t.args(premise)[1]);
                difference.add_scaled(&Rational::from(-1), &other);
                let factor = difference.remove(var);
                difference.add_scaled(&factor, &t.linear_sum(value));
                assert!(difference.is_constant() && difference.constant.is_zero());
            }
        }
    }
}
