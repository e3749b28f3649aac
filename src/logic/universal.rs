//! Quantifiers in front: formulas as conjunctions of universally quantified formulas, and the cells
//! of arrays that these read.

use super::equations::normal_term;
use super::literal::LinearLiteral;
use crate::number::Rational;
use crate::term::{LinearSum, Op, Sort, Term, Terms};

/// A conjunct has at most 4 copies that read different cells at the bound variable. The value was
/// not tuned.
const COPIES: usize = 4;

/// The formula as a conjunction of formulas without quantifiers, each universally quantified over
/// some variables. `None` if moving quantifiers cannot give that: if one is negated, or stands in a
/// condition.
///
/// `φ ∨ ∀x ψ` is `∀x (φ ∨ ψ)` if `x` does not occur in `φ`. Each quantifier that moves gets fresh
/// variables.
pub fn universal(t: &Terms, formula: Term) -> Option<Term> {
    if !t.has_quantifier(formula) {
        return Some(formula);
    }
    let conjuncts = t.conjuncts(formula).into_iter().map(|conjunct| {
        let mut bound = Vec::new();
        let matrix = without_quantifiers(t, conjunct, &mut bound)?;
        Some(t.forall(&bound, matrix))
    });
    Some(t.and(conjuncts.collect::<Option<Vec<Term>>>()?))
}

/// The formula without its quantifiers; their variables, which are fresh, are added to `bound`.
fn without_quantifiers(t: &Terms, formula: Term, bound: &mut Vec<Term>) -> Option<Term> {
    match (t.op(formula), t.args(formula)) {
        (Op::Forall, [vars @ .., matrix]) => {
            let fresh = vars.iter().map(|&var| {
                let name = t.name(t.as_var(var).expect("what is bound is a variable"));
                (var, t.fresh_var(name, t.sort_of(var)))
            });
            let fresh: Vec<(Term, Term)> = fresh.collect();
            let matrix = t.substitute(*matrix, fresh.iter().copied());
            bound.extend(fresh.into_iter().map(|(_, new)| new));
            without_quantifiers(t, matrix, bound)
        }
        (Op::And | Op::Or, args) => {
            let parts = args.iter().map(|&arg| without_quantifiers(t, arg, bound));
            let parts = parts.collect::<Option<Vec<Term>>>()?;
            Some(t.rebuild(formula, &parts))
        }
        _ => (!t.has_quantifier(formula)).then_some(formula),
    }
}

/// An equivalent formula in which arrays are read at quantified integers as such. A conjunct
/// `∀k. φ` that reads at `k + e` becomes `∀k. φ[k - e]`, one copy for each `e` at which it reads;
/// `e` has no quantified variable. Conjuncts in other forms stay as they are.
///
/// Solvers instantiate a premise where its patterns match terms of the query \[DNS05\]. Each read
/// matches `(select a k)`, and few match `(select a (+ k e))`.
pub fn read_at_variables(t: &Terms, formula: Term) -> Term {
    if !t.has_quantifier(formula) {
        return formula;
    }
    let conjuncts = t.conjuncts(formula).into_iter();
    t.and(conjuncts.map(|conjunct| read_at_variable(t, conjunct)))
}

/// [`read_at_variables`] of a conjunct.
fn read_at_variable(t: &Terms, conjunct: Term) -> Term {
    let (bound, matrix) = t.split_forall(conjunct);
    let &[var] = bound else {
        return conjunct;
    };
    if t.sort_of(var) != Sort::INT {
        return conjunct;
    }
    let mut distances: Vec<LinearSum> = Vec::new();
    for part in t.post_order([matrix]) {
        if let (Op::Select, &[_, index]) = (t.op(part), t.args(part))
            && let Some(distance) = distance_from(t, var, index)
            && !distances.contains(&distance)
            && distances.len() < COPIES
        {
            distances.push(distance);
        }
    }
    if distances.is_empty() {
        return conjunct;
    }
    t.and(distances.into_iter().map(|mut shift| {
        let one = Rational::one();
        if shift.is_constant() && shift.constant.is_zero() {
            return conjunct;
        }
        shift.scale(&-&one);
        shift.add_scaled(&one, &t.linear_sum(var));
        let shifted = t.substitute(matrix, [(var, t.sum_term(&shift, Sort::INT))]);
        t.forall(&[var], t.rewrite(shifted, |part| flat(t, part)))
    }))
}

/// The sum `e` such that an integer is `var + e`, if `var` does not occur in `e`.
fn distance_from(t: &Terms, var: Term, index: Term) -> Option<LinearSum> {
    if t.sort_of(index) != Sort::INT {
        return None;
    }
    let mut sum = t.linear_sum(index);
    if !sum.remove(var).is_one() {
        return None;
    }
    let has_var = |term: Term| t.any_subterm(term, |part| part == var);
    (!sum.terms.iter().any(|&(term, _)| has_var(term))).then_some(sum)
}

/// A sum, or a comparison of sums, in which each term occurs once.
fn flat(t: &Terms, part: Term) -> Term {
    match LinearLiteral::of_term(t, part) {
        Some(literal) => literal.to_term(t),
        None => normal_term(t, part),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of quantified variables in front of each conjunct after the move; `None` if they
    /// cannot be moved.
    fn quantifiers(t: &Terms, formula: Term) -> Option<Vec<usize>> {
        let moved = universal(t, formula)?;
        let count = |conjunct: &Term| {
            let (bound, matrix) = t.split_forall(*conjunct);
            assert!(!t.has_quantifier(matrix));
            bound.len()
        };
        Some(t.conjuncts(moved).iter().map(count).collect())
    }

    #[track_caller]
    fn check(t: &Terms, formula: Term, expected: Option<&[usize]>) {
        assert_eq!(quantifiers(t, formula).as_deref(), expected);
    }

    #[test]
    fn quantifiers_move_to_the_front_of_conjuncts() {
        let t = Terms::new();
        let [x, y] = ["x", "y"].map(|name| t.var(name, Sort::INT));
        let p = t.var("p", Sort::BOOL);
        let all = t.forall(&[x], t.le(x, y));
        let other = t.forall(&[x], t.le(y, x));
        check(&t, t.le(x, y), Some(&[0]));
        check(&t, t.and([p, all]), Some(&[0, 1]));
        check(&t, t.or([p, all]), Some(&[1]));
        check(&t, t.or([other, all]), Some(&[2]));
        let deep = t.or([p, t.and([p, t.or([other, all])])]);
        check(&t, deep, Some(&[2]));
        check(&t, t.forall(&[y], t.or([p, all])), Some(&[2]));
        check(&t, t.or([p, t.not(all)]), None);
        check(&t, t.ite(p, all, other), None);
    }

    #[test]
    fn arrays_are_read_at_quantified_variables() {
        let t = &Terms::new();
        let [k, m, n] = ["k", "m", "n"].map(|name| t.var(name, Sort::INT));
        let [a, b] = ["a", "b"].map(|name| t.var(name, t.array_sort(Sort::INT, Sort::INT)));
        let next = t.add([k, n]);
        let check = |formula: Term, expected: &[Term]| {
            let made = read_at_variables(t, formula);
            assert_eq!(
                t.display(made).to_string(),
                t.display(t.and(expected.to_vec())).to_string()
            );
        };
        // Nothing is read, or at the variable itself.
        check(t.forall(&[k], t.le(k, n)), &[t.forall(&[k], t.le(k, n))]);
        let plain = t.forall(&[k], t.le(t.select(a, k), n));
        check(plain, &[plain]);
        // One distance: the bound moves, too.
        let shifted = t.or([t.lt(k, m), t.le(t.select(b, next), n)]);
        let expected = t.or([t.lt(k, t.add([m, n])), t.le(t.select(b, k), n)]);
        let expected = t.rewrite(expected, |part| flat(t, part));
        check(t.forall(&[k], shifted), &[t.forall(&[k], expected)]);
        // Two distances: each of the reads is at the variable in one of the copies.
        let both = t.forall(&[k], t.le(t.select(a, k), t.select(b, next)));
        let made = read_at_variables(t, both);
        let copies = t.conjuncts(made);
        assert_eq!(copies.len(), 2);
        for array in [a, b] {
            let reads = |copy: &&Term| t.any_subterm(**copy, |part| part == t.select(array, k));
            assert_eq!(copies.iter().filter(reads).count(), 1);
        }
        // Two variables, and an index in which the variable occurs twice: as they are.
        let two = t.forall(&[k, m], t.le(t.select(a, next), m));
        check(two, &[two]);
        let twice = t.scale(Rational::from(2), k);
        let twice = t.forall(&[k], t.le(t.select(a, twice), m));
        check(twice, &[twice]);
        let inside = t.add([k, t.select(b, k)]);
        let inside = t.forall(&[k], t.le(t.select(a, inside), m));
        assert_eq!(t.conjuncts(read_at_variables(t, inside)).len(), 1);
    }
}
