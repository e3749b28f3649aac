//! Quantifiers in front: formulas as conjunctions of universally quantified formulas.

use crate::term::{Op, Term, Terms};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

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
}
