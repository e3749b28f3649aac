//! What is left of proofs by induction that are stuck \[BM79\].
//!
//! ```text
//! for each variable that functions are applied to, and each constructor:
//!   unfold the case, and distinguish conditions and constructors that stop the unfolding
//!   rewrite it by the hypothesis, from left to right and from right to left
//!   what is not true then is left
//! ```
//!
//! A formula that is left, or a more general one, may be a lemma that the proof needs. It follows
//! from nothing here, so it is a conjecture.

use super::prover::{induction_variables, literals};
use super::rewriting::{Rule, directions, matched, normal};
use crate::term::{CtorId, FuncId, Op, Term, Terms};

/// Inductions on at most 3 variables are begun. The value was not tuned.
const VARIABLES: usize = 3;
/// A case is split 4 times at most, by a condition or by constructors. The value was not tuned.
const SPLITS: usize = 4;
/// A proof has 400 cases at most. The value was not tuned.
const CASES: usize = 400;
/// At most 40 formulas are left. The value was not tuned.
const MOST: usize = 40;

/// What the proofs of a formula by induction are left with, from these lemmas. Predicates are
/// graphs of the functions.
pub(super) fn left_over(
    t: &Terms,
    formula: Term,
    functions: &[FuncId],
    lemmas: &[Term],
) -> Vec<Term> {
    let (bound, matrix) = t.split_forall(formula);
    let mut stuck = Stuck {
        t,
        functions,
        rules: (lemmas.iter())
            .filter_map(|&lemma| Rule::of_lemma(t, lemma))
            .collect(),
        cases: CASES,
        found: Vec::new(),
    };
    let vars = induction_variables(t, bound, matrix).into_iter();
    for var in vars.take(VARIABLES) {
        let others = bound.iter().copied().filter(|&other| other != var);
        let others: Vec<Term> = others.collect();
        let datatype = t.datatype_of(t.sort_of(var)).expect("it is a datatype's");
        for &ctor in t.datatype(datatype).ctors() {
            stuck.constructor(var, ctor, &others, matrix);
        }
    }
    stuck.found
}

/// The search for what is left.
struct Stuck<'a> {
    t: &'a Terms,
    functions: &'a [FuncId],
    rules: Vec<Rule>,
    /// The number of cases that may be looked at.
    cases: usize,
    found: Vec<Term>,
}

/// What the induction assumes of a field, for all values of the others.
#[derive(Clone)]
struct Hypothesis<'a> {
    others: &'a [Term],
    formula: Term,
}

impl Stuck<'_> {
    /// The case of a constructor. The fields have other names than all variables.
    fn constructor(&mut self, var: Term, ctor: CtorId, others: &[Term], matrix: Term) {
        let t = self.t;
        let fields = t.fresh_fields(ctor);
        let said_of = |of: Term| t.substitute(matrix, [(var, of)]);
        let smaller = fields.iter().copied();
        let smaller = smaller.filter(|&field| t.sort_of(field) == t.sort_of(var));
        let hypotheses = smaller.map(|field| Hypothesis {
            others,
            formula: said_of(field),
        });
        let hypotheses: Vec<Hypothesis> = hypotheses.collect();
        // The hypotheses bind the other variables, so the case has new ones.
        let renamed = others.iter().map(|&x| (x, t.fresh_like(x, t.sort_of(x))));
        let goal = t.substitute(said_of(t.construct(ctor, &fields)), renamed);
        self.case(goal, &hypotheses, SPLITS);
    }

    /// A case under the hypotheses.
    fn case(&mut self, goal: Term, hypotheses: &[Hypothesis<'_>], splits: usize) {
        let t = self.t;
        let Some(cases) = self.cases.checked_sub(1) else {
            return;
        };
        self.cases = cases;
        let goal = normal(t, goal, &self.rules);
        if goal == Term::TRUE || self.found.len() >= MOST {
            return;
        }
        let (premises, conclusion) = literals(t, goal);
        if let Some(parts) = parts(t, conclusion) {
            for part in parts {
                self.case(
                    t.implies(t.and(premises.iter().copied()), part),
                    hypotheses,
                    splits,
                );
            }
            return;
        }
        let Some(splits) = splits.checked_sub(1) else {
            self.leave(goal, hypotheses);
            return;
        };
        if let Some(condition) = condition(t, goal) {
            for value in [true, false] {
                self.case(assuming(t, goal, condition, value), hypotheses, splits);
            }
        } else if let Some(value) = self.obstacle(goal) {
            let datatype = t.datatype_of(t.sort_of(value)).expect("it is taken apart");
            for &ctor in t.datatype(datatype).ctors() {
                let built = t.construct(ctor, &t.fresh_fields(ctor));
                let replaced = |of: Term| t.rewrite(of, |x| if x == value { built } else { x });
                let hypotheses = hypotheses.iter().map(|hypothesis| Hypothesis {
                    formula: replaced(hypothesis.formula),
                    ..hypothesis.clone()
                });
                let hypotheses: Vec<Hypothesis> = hypotheses.collect();
                let premise = match t.is_var(value) {
                    true => Term::TRUE,
                    false => t.eq(value, built),
                };
                self.case(t.implies(premise, replaced(goal)), &hypotheses, splits);
            }
        } else {
            self.leave(goal, hypotheses);
        }
    }

    /// A variable that stops the unfolding of a function that no predicate is a graph of, or an
    /// application whose values are constants. Such functions distinguish constructors for others.
    fn obstacle(&self, goal: Term) -> Option<Term> {
        let t = self.t;
        let parts = t.post_order([goal]);
        let mut stops = parts.filter_map(|part| {
            let Op::Apply(func) = t.op(part) else {
                return None;
            };
            let &value = t.args(part).first()?;
            let is_stopped = !self.functions.contains(&func) && !t.func(func).cases().is_empty();
            let can_be_split = t.is_var(value) || is_of_constants(t, value);
            (is_stopped && can_be_split).then_some(value)
        });
        stops.next()
    }

    /// Leaves a case that is not split further, after the hypotheses were used.
    fn leave(&mut self, goal: Term, hypotheses: &[Hypothesis<'_>]) {
        let t = self.t;
        let mut left: Vec<Term> = Vec::new();
        for hypothesis in hypotheses {
            let formula = normal(t, hypothesis.formula, &self.rules);
            let (premises, conclusion) = literals(t, formula);
            for (from, to) in uses(t, conclusion) {
                let Some(rule) = Rule::new(t, hypothesis.others, from, to) else {
                    continue;
                };
                let used = t.rewrite(goal, |part| rule.apply(t, part).unwrap_or(part));
                let used = normal(t, used, &self.rules);
                if used == goal {
                    continue;
                }
                left.extend(self.needed(goal, hypothesis, from, &premises));
                if used == Term::TRUE {
                    self.found.extend(left);
                    return;
                }
                left.push(used);
            }
        }
        if left.is_empty() {
            let given = t.and(hypotheses.iter().map(|hypothesis| hypothesis.formula));
            left.push(t.implies(given, goal));
        }
        left.push(goal);
        for formula in left {
            if !self.found.contains(&formula) {
                self.found.push(formula);
            }
        }
    }

    /// What has to hold in a case so that a conditional hypothesis applies.
    fn needed(
        &self,
        goal: Term,
        hypothesis: &Hypothesis<'_>,
        from: Term,
        premises: &[Term],
    ) -> Vec<Term> {
        let t = self.t;
        let (given, _) = literals(t, goal);
        let found = t.post_order([goal]);
        let mut found = found.filter_map(|part| matched(t, hypothesis.others, &[(from, part)]));
        let Some(found) = found.next() else {
            return Vec::new();
        };
        let given = t.and(given);
        let needed = premises.iter().map(|&premise| {
            let premise = t.substitute(premise, found.iter().map(|(&x, &y)| (x, y)));
            normal(t, t.implies(given, premise), &self.rules)
        });
        needed.filter(|&premise| premise != Term::TRUE).collect()
    }
}

/// The directions in which a conclusion can be used; an atom is replaced by its truth value.
fn uses(t: &Terms, conclusion: Term) -> Vec<(Term, Term)> {
    match (t.op(conclusion), t.args(conclusion)) {
        (Op::Eq, &[x, y]) => directions(t, x, y),
        (Op::Not, &[atom]) => vec![(atom, Term::FALSE)],
        _ => vec![(conclusion, Term::TRUE)],
    }
}

/// The equations of the fields, for an equation of values of the same constructor.
fn parts(t: &Terms, conclusion: Term) -> Option<Vec<Term>> {
    let (Op::Eq, &[x, y]) = (t.op(conclusion), t.args(conclusion)) else {
        return None;
    };
    let is_same = matches!(t.op(x), Op::Construct(_)) && t.op(x) == t.op(y);
    let pairs = t.args(x).iter().zip(t.args(y));
    is_same.then(|| pairs.map(|(&x, &y)| t.eq(x, y)).collect())
}

/// An atom of a condition that a choice depends on.
fn condition(t: &Terms, goal: Term) -> Option<Term> {
    let mut choices = t.post_order([goal]).filter(|&part| t.op(part) == Op::Ite);
    let mut condition = t.args(choices.next()?)[0];
    while matches!(t.op(condition), Op::Not | Op::And | Op::Or) {
        condition = t.args(condition)[0];
    }
    Some(condition)
}

/// The case of a goal in which a condition is true, or false.
fn assuming(t: &Terms, goal: Term, condition: Term, value: bool) -> Term {
    let truth = t.bool(value);
    let literal = if value { condition } else { t.not(condition) };
    let equation = match (t.op(condition), t.args(condition)) {
        (Op::Eq, &[x, y]) => Some((x, y)),
        _ => None,
    };
    let known = equation.and_then(|(x, y)| match value {
        true => Some((x, y)),
        false => other_constant(t, y).map(|other| (x, other)),
    });
    let replace = |part: Term| match known {
        _ if part == condition => truth,
        Some((x, by)) if part == x && (t.is_var(x) || is_of_constants(t, x)) => by,
        _ => part,
    };
    let replaced = t.rewrite(goal, replace);
    match known {
        // The variable does not occur any more.
        Some((x, _)) if value && t.is_var(x) => replaced,
        _ => t.implies(literal, replaced),
    }
}

/// The other constant of a datatype that has two.
fn other_constant(t: &Terms, value: Term) -> Option<Term> {
    let Op::Construct(ctor) = t.op(value) else {
        return None;
    };
    let datatype = t.datatype_of(t.sort_of(value))?;
    match t.datatype(datatype).ctors() {
        &[one, other] if is_of_constants(t, value) => {
            Some(t.construct(if one == ctor { other } else { one }, &[]))
        }
        _ => None,
    }
}

/// Is a term of a datatype whose constructors have no fields?
fn is_of_constants(t: &Terms, value: Term) -> bool {
    t.datatype_of(t.sort_of(value)).is_some_and(|datatype| {
        let mut ctors = t.datatype(datatype).ctors().iter();
        ctors.all(|&ctor| t.ctor(ctor).fields.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::examples::Naturals;

    #[test]
    fn the_cases_of_an_induction_are_left() {
        let t = Terms::new();
        let naturals = Naturals::new(&t);
        let [x, y] = ["x", "y"].map(|name| t.var(name, naturals.sort));
        let plus = |x: Term, y: Term| t.apply(naturals.plus, &[x, y]);
        let formula = t.forall(&[x, y], t.eq(plus(x, y), plus(y, x)));
        let left = left_over(&t, formula, &[naturals.plus], &[]);
        let is_about_zero = |&formula: &Term| {
            let vars = t.vars([formula]);
            let &[var] = &vars[..] else { return false };
            formula == t.eq(var, plus(var, naturals.zero))
        };
        assert!(left.iter().any(is_about_zero));
        // With that as a lemma, only the case of a successor is left.
        let lemma = t.forall(&[x], t.eq(plus(x, naturals.zero), x));
        let left = left_over(&t, formula, &[naturals.plus], &[lemma]);
        assert!(!left.is_empty() && !left.iter().any(is_about_zero));
    }

    #[test]
    fn nothing_is_left_of_what_holds_by_the_hypothesis() {
        let t = Terms::new();
        let naturals = Naturals::new(&t);
        let x = t.var("x", naturals.sort);
        let sum = t.apply(naturals.plus, &[x, naturals.zero]);
        let formula = t.forall(&[x], t.eq(sum, x));
        assert_eq!(left_over(&t, formula, &[naturals.plus], &[]), []);
    }
}
