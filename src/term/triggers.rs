//! Universally quantified premises, and the terms at which they are instantiated, which match a
//! trigger modulo equations \[DNS05\].
//!
//! A trigger is a list of patterns, terms with bound variables of the premise, which have all of
//! the variables together.

use super::closure::Closure;
use super::{Op, Term, TermMap, TermSet, Terms};
use crate::work;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

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
    /// A premise; `reduces` as in [`Effort`](super::Effort).
    pub(super) fn new(t: &Terms, premise: Term, reduces: bool) -> Self {
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
        made.triggers = made.find_triggers(t, reduces);
        made
    }

    /// Applications of functions that have all bound variables: sides of an equation, of these the
    /// larger ones if it `reduces`, or else those inside; or else some that have them together.
    fn find_triggers(&self, t: &Terms, reduces: bool) -> Vec<Vec<Term>> {
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
            let largest = sides.clone().map(|side| t.size([side])).max();
            let is_large = |side: &Term| !reduces || Some(t.size([*side])) == largest;
            let sides = sides.filter(is_applied).filter(has_all).filter(is_large);
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

/// The terms of a closure at which triggers can match: of terms with the same head over equal
/// arguments only one.
pub(super) struct Index {
    by_head: FxHashMap<Op, Vec<Term>>,
    /// The terms of each class, by its name.
    classes: TermMap<Vec<Term>>,
}

impl Index {
    pub(super) fn new(t: &Terms, closure: &Closure<'_>) -> Index {
        let mut seen: FxHashSet<(Op, SmallVec<[Term; 4]>)> = FxHashSet::default();
        let mut made = Index {
            by_head: FxHashMap::default(),
            classes: TermMap::default(),
        };
        for &term in closure.terms() {
            let op = t.op(term);
            let args: SmallVec<[Term; 4]> = t.args(term).iter().map(|&x| closure.name(x)).collect();
            if !args.is_empty() && seen.insert((op, args)) {
                made.by_head.entry(op).or_default().push(term);
                let name = closure.name(term);
                made.classes.entry(name).or_default().push(term);
            }
        }
        work::spend(4 * closure.terms().len() as u64);
        made
    }
}

/// Pairs of a pattern and a term.
type Pairs = SmallVec<[(Term, Term); 6]>;

/// A match under way.
struct Match<'p> {
    /// Patterns with terms that they are to match.
    open: Pairs,
    /// Patterns of the trigger for which no term is chosen yet.
    rest: &'p [Term],
    /// The terms for variables.
    chosen: Pairs,
}

/// The terms for the bound variables of a premise at which all patterns of a trigger are terms of a
/// closure.
pub(super) fn matches(
    t: &Terms,
    closure: &Closure<'_>,
    index: &Index,
    premise: &Premise,
    trigger: &[Term],
) -> Vec<Pairs> {
    let arguments = |pattern: Term, term: Term| {
        let pairs = t.args(pattern).iter().zip(t.args(term));
        pairs.map(|(&x, &y)| (x, y))
    };
    let mut found: Vec<Pairs> = Vec::new();
    let mut open: Vec<Match> = vec![Match {
        open: Pairs::new(),
        rest: trigger,
        chosen: Pairs::new(),
    }];
    while let Some(mut at) = open.pop() {
        work::spend(2);
        let Some((pattern, term)) = at.open.pop() else {
            let Some((&next, rest)) = at.rest.split_first() else {
                found.push(at.chosen);
                continue;
            };
            let same = index.by_head.get(&t.op(next));
            open.extend(same.into_iter().flatten().map(|&term| Match {
                open: arguments(next, term).collect(),
                rest,
                chosen: at.chosen.clone(),
            }));
            continue;
        };
        if premise.bound.contains(&pattern) {
            match at.chosen.iter().find(|(var, _)| *var == pattern) {
                Some(&(_, known)) if closure.name(known) != closure.name(term) => continue,
                Some(_) => {}
                None => at.chosen.push((pattern, term)),
            }
            open.push(at);
        } else if !premise.open.contains(&pattern) {
            if closure.name(pattern) == closure.name(term) {
                open.push(at);
            }
        } else {
            let members = index.classes.get(&closure.name(term));
            for &member in members.into_iter().flatten() {
                if t.op(member) == t.op(pattern) && t.args(member).len() == t.args(pattern).len() {
                    let more = arguments(pattern, member);
                    open.push(Match {
                        open: at.open.iter().copied().chain(more).collect(),
                        rest: at.rest,
                        chosen: at.chosen.clone(),
                    });
                }
            }
        }
    }
    found
}
