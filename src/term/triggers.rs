//! Universally quantified premises, and the terms at which they are instantiated, which match a
//! trigger modulo equations \[DNS05\].
//!
//! A trigger is a list of patterns, terms with bound variables of the premise, which have all of
//! the variables together.

use super::closure::Closure;
use super::{Op, Term, TermSet, Terms};
use crate::work;

/// A universally quantified premise.
pub(super) struct Premise {
    pub(super) bound: Vec<Term>,
    pub(super) matrix: Term,
    /// The subterms that have bound variables.
    pub(super) open: TermSet,
    /// Lists of patterns: where all of a list match, the premise is instantiated.
    pub(super) triggers: Vec<Vec<Term>>,
}

impl Premise {
    pub(super) fn new(t: &Terms, premise: Term) -> Self {
        let (bound, matrix) = t.split_forall(premise);
        let mut open: TermSet = bound.iter().copied().collect();
        for part in t.post_order([matrix]) {
            if t.args(part).iter().any(|arg| open.contains(arg)) {
                open.insert(part);
            }
        }
        let mut made = Premise {
            bound: bound.to_vec(),
            matrix,
            open,
            triggers: Vec::new(),
        };
        made.triggers = made.find_triggers(t);
        made
    }

    /// Applications of functions that have all bound variables: sides of an equation, or else those
    /// inside; or else some that have them together.
    fn find_triggers(&self, t: &Terms) -> Vec<Vec<Term>> {
        let is_applied = |&part: &Term| matches!(t.op(part), Op::Apply(_));
        let is_open = |part: &Term| self.open.contains(part);
        let vars = |part: Term| {
            let vars = t.vars([part]).into_iter();
            let vars: Vec<Term> = vars.filter(|var| self.bound.contains(var)).collect();
            vars
        };
        let has_all = |&part: &Term| vars(part).len() == self.bound.len();
        if t.op(self.matrix) == Op::Eq {
            let sides = t.args(self.matrix).iter().copied();
            let sides = sides.filter(is_applied).filter(has_all);
            let sides: Vec<Vec<Term>> = sides.map(|side| vec![side]).collect();
            if !sides.is_empty() {
                return sides;
            }
        }
        let applied = t.post_order([self.matrix]).filter(is_applied);
        let applied: Vec<Term> = applied.filter(is_open).collect();
        let whole = applied.iter().copied().filter(has_all).take(2);
        let whole: Vec<Vec<Term>> = whole.map(|part| vec![part]).collect();
        if !whole.is_empty() {
            return whole;
        }
        let mut missing = self.bound.clone();
        let mut together = Vec::new();
        for &part in applied.iter().rev() {
            let count = missing.len();
            let found = vars(part);
            missing.retain(|var| !found.contains(var));
            if missing.len() < count {
                together.push(part);
            }
        }
        match missing.is_empty() && !self.bound.is_empty() {
            true => vec![together],
            false => Vec::new(),
        }
    }
}

/// The terms for the bound variables of a premise at which all patterns of a trigger are terms of a
/// closure.
pub(super) fn matches(
    t: &Terms,
    closure: &Closure<'_>,
    premise: &Premise,
    trigger: &[Term],
) -> Vec<Vec<(Term, Term)>> {
    let Some((&first, others)) = trigger.split_first() else {
        return Vec::new();
    };
    let mut found: Vec<Vec<(Term, Term)>> = Vec::new();
    let same = |pattern: Term| {
        let terms = closure.terms().iter().copied();
        terms.filter(move |&term| t.op(term) == t.op(pattern))
    };
    // Pairs of a pattern and a term that it is to match, patterns of which no term is chosen yet,
    // and the terms for variables so far.
    let arguments = |pattern: Term, term: Term| {
        let pairs = t.args(pattern).iter().zip(t.args(term));
        pairs.map(|(&x, &y)| (x, y)).collect::<Vec<_>>()
    };
    let start = same(first).map(|term| (arguments(first, term), others, Vec::new()));
    let mut open: Vec<_> = start.collect();
    while let Some((mut pairs, rest, mut chosen)) = open.pop() {
        work::spend(4);
        let Some((pattern, term)) = pairs.pop() else {
            match rest.split_first() {
                None => found.push(chosen),
                Some((&next, rest)) => open
                    .extend(same(next).map(|term| (arguments(next, term), rest, chosen.clone()))),
            }
            continue;
        };
        if premise.bound.contains(&pattern) {
            match chosen.iter().find(|(var, _)| *var == pattern) {
                Some(&(_, known)) if closure.name(known) != closure.name(term) => continue,
                Some(_) => {}
                None => chosen.push((pattern, term)),
            }
            open.push((pairs, rest, chosen));
        } else if !premise.open.contains(&pattern) {
            if closure.name(pattern) == closure.name(term) {
                open.push((pairs, rest, chosen));
            }
        } else {
            for &member in closure.members(term) {
                if t.op(member) == t.op(pattern) && t.args(member).len() == t.args(pattern).len() {
                    let more = arguments(pattern, member).into_iter();
                    let pairs = pairs.iter().copied().chain(more).collect();
                    open.push((pairs, rest, chosen.clone()));
                }
            }
        }
    }
    found
}
