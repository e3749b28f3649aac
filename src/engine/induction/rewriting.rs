//! Normal forms of terms: applications to constructors are unfolded, and equations of lemmas are
//! followed from their larger side to the smaller one.

use crate::number::Rational;
use crate::term::{Op, Sort, Term, TermMap, Terms};
use crate::work;

/// A term is rewritten at most 30 times at all of its places. The value was not tuned.
const PASSES: usize = 30;
/// Terms with more nodes are left as they are. The value was not tuned.
const LARGEST: usize = 400;

/// An equation that is followed from the left to the right.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    bound: Vec<Term>,
    left: Term,
    right: Term,
}

impl Rule {
    /// The rule from one term to another one. The variables that are bound stand for any terms.
    /// `None` if the left side does not determine them, or is a variable.
    pub(super) fn new(t: &Terms, bound: &[Term], left: Term, right: Term) -> Option<Rule> {
        let known = t.vars([left]);
        let is_known = |var: &Term| !bound.contains(var) || known.contains(var);
        let is_rule = !t.is_var(left) && t.vars([right]).iter().all(is_known);
        is_rule.then(|| Rule {
            bound: bound.to_vec(),
            left,
            right,
        })
    }

    /// The rule that a lemma is: an equation that makes terms smaller, or an atom with its truth
    /// value.
    pub(super) fn of_lemma(t: &Terms, lemma: Term) -> Option<Rule> {
        let (bound, matrix) = t.split_forall(lemma);
        match (t.op(matrix), t.args(matrix)) {
            (Op::Eq, &[x, y]) => {
                let mut rules = directions(t, x, y).into_iter();
                let rule = rules.find(|&(left, right)| t.size([left]) > t.size([right]));
                rule.and_then(|(left, right)| Rule::new(t, bound, left, right))
            }
            (Op::Apply(_), _) => Rule::new(t, bound, matrix, Term::TRUE),
            (Op::Not, &[atom]) => Rule::new(t, bound, atom, Term::FALSE),
            _ => None,
        }
    }

    /// What the rule makes of a term; `None` if it does not match.
    pub(super) fn apply(&self, t: &Terms, term: Term) -> Option<Term> {
        work::spend(2);
        let found = matched(t, &self.bound, &[(self.left, term)])?;
        Some(t.substitute(self.right, found))
    }
}

/// The directions in which an equation can be followed. One of integers is solved for each
/// application of a function, if its factor is 1 or -1.
pub(super) fn directions(t: &Terms, x: Term, y: Term) -> Vec<(Term, Term)> {
    if t.sort_of(x) != Sort::INT {
        return vec![(x, y), (y, x)];
    }
    let sum = t.linear_sum(t.sub(x, y));
    let is_solvable = |(term, factor): &&(Term, Rational)| {
        matches!(t.op(*term), Op::Apply(_)) && factor.abs() == Rational::one()
    };
    let solved = sum.terms.iter().filter(is_solvable).map(|(term, factor)| {
        let mut rest = sum.clone();
        rest.remove(*term);
        let rest = t.sum_term(&rest, Sort::INT);
        (*term, t.scale(factor.clone(), t.neg(rest)))
    });
    solved.collect()
}

/// The values of the bound variables for which each pattern is its term, if there are some.
pub(super) fn matched(t: &Terms, bound: &[Term], pairs: &[(Term, Term)]) -> Option<TermMap<Term>> {
    let mut open = pairs.to_vec();
    let mut chosen: TermMap<Term> = TermMap::default();
    while let Some((pattern, term)) = open.pop() {
        if bound.contains(&pattern) {
            if *chosen.entry(pattern).or_insert(term) != term {
                return None;
            }
        } else if pattern != term {
            let (args, others) = (t.args(pattern), t.args(term));
            if t.op(pattern) != t.op(term) || args.len() != others.len() || args.is_empty() {
                return None;
            }
            open.extend(args.iter().copied().zip(others.iter().copied()));
        }
    }
    Some(chosen)
}

/// The normal form of a term, as far as it is reached.
pub(super) fn normal(t: &Terms, term: Term, rules: &[Rule]) -> Term {
    let mut term = term;
    for _ in 0..PASSES {
        let size = t.size([term]);
        work::spend(size as u64);
        if size > LARGEST {
            break;
        }
        let next = t.rewrite(term, |part| step(t, part, rules));
        if next == term {
            break;
        }
        term = next;
    }
    term
}

/// A term with its head unfolded, or rewritten by the first rule that matches.
fn step(t: &Terms, term: Term, rules: &[Rule]) -> Term {
    let Op::Apply(func) = t.op(term) else {
        return term;
    };
    let args = t.args(term);
    if let Some(&first) = args.first()
        && let Op::Construct(built) = t.op(first)
        && let Some(body) = t.definition_case(func, built, args)
    {
        return body;
    }
    let mut found = rules.iter().filter_map(|rule| rule.apply(t, term));
    found.next().unwrap_or(term)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::examples::Naturals;

    #[test]
    fn normal_forms_follow_definitions_and_lemmas() {
        let t = Terms::new();
        let naturals = Naturals::new(&t);
        let [m, n] = ["m", "n"].map(|name| t.var(name, naturals.sort));
        let plus = |x: Term, y: Term| t.apply(naturals.plus, &[x, y]);
        let succ = |x: Term| t.construct(naturals.succ, &[x]);
        let lemma = t.forall(&[n], t.eq(plus(n, naturals.zero), n));
        let rule = Rule::of_lemma(&t, lemma).expect("it makes terms smaller");
        let sum = plus(succ(m), naturals.zero);
        assert_eq!(normal(&t, sum, &[]), succ(plus(m, naturals.zero)));
        assert_eq!(normal(&t, sum, &[rule]), succ(m));
    }

    #[test]
    fn rules_go_to_smaller_terms_whose_variables_are_known() {
        let t = Terms::new();
        let naturals = Naturals::new(&t);
        let [m, n] = ["m", "n"].map(|name| t.var(name, naturals.sort));
        let plus = |x: Term, y: Term| t.apply(naturals.plus, &[x, y]);
        let commuted = t.forall(&[m, n], t.eq(plus(m, n), plus(n, m)));
        assert!(Rule::of_lemma(&t, commuted).is_none());
        assert!(Rule::new(&t, &[m, n], plus(m, naturals.zero), n).is_none());
        assert!(Rule::new(&t, &[m], m, naturals.zero).is_none());
    }
}
