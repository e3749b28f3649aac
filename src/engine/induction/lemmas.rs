//! The search for lemmas from which the queries follow.

use super::super::cases::{Opened, cases};
use super::conjectures::{
    Conjectures, canonical, is_built, kept_properties, not_negative, passes_tests,
};
use super::implications::implications;
use super::meaning::{Meaning, Said, question};
use super::prover::{LONG, Prover, SHORT, closed};
use super::rewriting::matched;
use crate::chc::System;
use crate::term::{Effort, FuncId, Op, Term, TermSet, Terms};

/// Goals are tried again when there are more lemmas by one in 8: with many lemmas an attempt takes
/// longer than the proof of a lemma. The value was not tuned.
const PATIENCE: usize = 8;
/// The numbers of terms that are compared, in one attempt after the other. The values were not
/// tuned.
const TERMS: [usize; 3] = [3_000, 10_000, 30_000];
/// Implications are conjectured when terms of up to this size are known. The value was not tuned.
const PROPERTIES: u32 = 2;

/// The search for lemmas.
pub(super) struct Lemmas<'a, 't> {
    pub(super) t: &'t Terms,
    meanings: &'a [Meaning],
    pub(super) prover: &'a mut Prover<'t>,
    /// The cases of queries. All other clauses hold by the definitions.
    pub(super) goals: Vec<Goal>,
    /// Formulas that hold, in the order in which they were proved.
    pub(super) lemmas: Vec<Term>,
    /// Conjectures that were not proved yet.
    pub(super) open: Vec<Term>,
    pub(super) seen: TermSet,
}

/// A case of a clause that is to hold.
pub(super) struct Goal {
    case: Opened,
    /// What it says of all values.
    pub(super) formula: Term,
    pub(super) is_proved: bool,
}

impl<'a, 't> Lemmas<'a, 't> {
    /// The search for lemmas about the functions that these meanings speak of.
    pub(super) fn new(
        t: &'t Terms,
        system: &System,
        meanings: &'a [Meaning],
        prover: &'a mut Prover<'t>,
    ) -> Self {
        let queries = system.clauses.iter().filter(|clause| clause.is_query());
        let goal = |case: Opened| Goal {
            formula: stated(t, &case, meanings),
            case,
            is_proved: false,
        };
        Lemmas {
            t,
            meanings,
            prover,
            goals: queries
                .flat_map(|query| cases(t, query))
                .map(goal)
                .collect(),
            lemmas: Vec::new(),
            open: Vec::new(),
            seen: TermSet::default(),
        }
    }

    /// Proves all goals, with lemmas about terms of at most this size.
    ///
    /// # Errors
    /// Why it was given up.
    pub(super) fn search(&mut self, size: u32) -> Result<(), &'static str> {
        let t = self.t;
        for goal in &self.goals {
            if passes_tests(t, goal.formula) == Some(false) {
                log::debug!("fails in a test: {}", t.display(goal.formula));
                return Err("a query fails for functions that the predicates are graphs of");
            }
        }
        if self.prove_goals() {
            return Ok(());
        }
        let funcs = self.functions();
        let bounds = not_negative(t, &funcs);
        if self.consider(bounds, SHORT) || self.consider(kept_properties(t, &funcs), SHORT) {
            return Ok(());
        }
        for most in TERMS {
            let limit = self.prover.limit().clone();
            let mut conjectures = Conjectures::new(t, &funcs, most, limit);
            if self.explore(&mut conjectures, size) {
                return Ok(());
            }
            if self.prover.is_over() {
                return Err("the limit was reached");
            }
            if self.speculate() {
                return Ok(());
            }
            // At first, more terms are better than longer proofs.
            if most == TERMS[0] && conjectures.is_cut {
                continue;
            }
            if self.consider(Vec::new(), LONG) {
                return Ok(());
            }
            if !conjectures.is_cut {
                break;
            }
        }
        for &conjecture in &self.open {
            log::debug!("not proved: {}", t.display(conjecture));
        }
        Err("no lemmas were found that suffice")
    }

    /// Considers conjectures about terms of up to a size. Are all goals proved then?
    fn explore(&mut self, conjectures: &mut Conjectures<'_>, size: u32) -> bool {
        for at in 1..=size {
            let found = conjectures.larger(at == size);
            if self.consider(found, SHORT) {
                return true;
            }
            if at == PROPERTIES && self.consider(implications(conjectures), SHORT) {
                return true;
            }
            if self.prover.is_over() {
                return false;
            }
        }
        false
    }

    /// The functions that predicates are graphs of.
    pub(super) fn functions(&self) -> Vec<FuncId> {
        let t = self.t;
        let mut funcs: Vec<FuncId> = Vec::new();
        for meaning in self.meanings {
            let (Said::Value(_, body) | Said::Formula(body)) = meaning.said;
            if let Op::Apply(func) = t.op(body)
                && !funcs.contains(&func)
            {
                funcs.push(func);
            }
        }
        funcs
    }

    /// Proves what can be proved of new and of open conjectures. Are all goals
    /// proved then?
    fn consider(&mut self, new: Vec<Term>, effort: Effort) -> bool {
        let t = self.t;
        for equation in new {
            let equation = canonical(t, equation);
            let sides = t.args(equation).iter();
            let is_trivial = t.op(equation) == Op::Eq && sides.copied().all(|s| is_built(t, s));
            let known = self.lemmas.iter().chain(&self.open);
            let is_instance = known.copied().any(|of| is_instance(t, equation, of));
            if !is_trivial && !is_instance && self.seen.insert(equation) {
                self.open.push(closed(t, equation));
            }
        }
        loop {
            let before = self.lemmas.len();
            let mut open = Vec::new();
            let mut tried = before;
            for conjecture in std::mem::take(&mut self.open) {
                if self.prover.is_over() {
                    return false;
                }
                if self.prover.is_obvious(conjecture, &self.lemmas) {
                    continue;
                }
                match self.prover.by_induction(conjecture, &self.lemmas, effort) {
                    None => open.push(conjecture),
                    Some(proved) => {
                        for &lemma in &proved {
                            log::debug!("lemma: {}", t.display(lemma));
                        }
                        self.lemmas.extend(proved);
                        if self.lemmas.len() >= tried + tried / PATIENCE {
                            tried = self.lemmas.len();
                            if self.prove_goals() {
                                return true;
                            }
                        }
                    }
                }
            }
            self.open = open;
            if self.lemmas.len() == before {
                return false;
            }
            if self.lemmas.len() > tried && self.prove_goals() {
                return true;
            }
        }
    }

    /// Proves goals; are all of them proved?
    pub(super) fn prove_goals(&mut self) -> bool {
        for at in 0..self.goals.len() {
            if self.goals[at].is_proved {
                continue;
            }
            let lemmas = self.lemmas.clone();
            if !self.holds(at, &lemmas) {
                let formula = self.goals[at].formula;
                let Some(proved) = self.prover.by_induction(formula, &lemmas, LONG) else {
                    return false;
                };
                self.lemmas.extend(&proved);
                if !self.holds(at, &proved) {
                    return false;
                }
            }
            self.goals[at].is_proved = true;
        }
        true
    }

    /// Does a goal hold by the lemmas?
    fn holds(&mut self, at: usize, lemmas: &[Term]) -> bool {
        let (premises, conclusion) = question(self.t, &self.goals[at].case, self.meanings);
        self.prover.follows(&premises, lemmas, conclusion, LONG)
    }

    /// Lemmas that suffice for the goals and for their own proofs, few of them if the limit is not
    /// reached.
    pub(super) fn needed(&mut self) -> Vec<Term> {
        let all = self.lemmas.clone();
        let mut needed = vec![false; all.len()];
        for goal in 0..self.goals.len() {
            let found = few(&(0..all.len()).collect::<Vec<_>>(), |tried| {
                self.holds(goal, &chosen(&all, tried))
            });
            found.into_iter().for_each(|at| needed[at] = true);
        }
        // A proof uses lemmas that were proved before.
        for at in (0..all.len()).rev() {
            if !needed[at] {
                continue;
            }
            let before: Vec<usize> = (0..at).collect();
            let found = few(&before, |tried| {
                let lemmas = chosen(&all, tried);
                self.prover.by_induction_as_stated(all[at], &lemmas, LONG)
            });
            found.into_iter().for_each(|at| needed[at] = true);
        }
        let kept = all.iter().zip(&needed).filter(|(_, needed)| **needed);
        kept.map(|(&lemma, _)| lemma).collect()
    }
}

/// The lemmas at these places.
fn chosen(all: &[Term], places: &[usize]) -> Vec<Term> {
    places.iter().map(|&at| all[at]).collect()
}

/// A small part of the places that still suffices, as all of them do \[ZH02\].
fn few(all: &[usize], mut suffice: impl FnMut(&[usize]) -> bool) -> Vec<usize> {
    if suffice(&[]) {
        return Vec::new();
    }
    let mut kept = all.to_vec();
    let mut size = kept.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < kept.len() {
            let end = (at + size).min(kept.len());
            let fewer = [&kept[..at], &kept[end..]].concat();
            match !fewer.is_empty() && suffice(&fewer) {
                true => kept = fewer,
                false => at = end,
            }
        }
        size /= 2;
    }
    kept
}

/// Is an equation an instance of another one, whose variables are bound?
pub(super) fn is_instance(t: &Terms, equation: Term, of: Term) -> bool {
    let (bound, matrix) = t.split_forall(of);
    if t.op(matrix) != Op::Eq || t.op(equation) != Op::Eq {
        return false;
    }
    let (x, y) = (t.args(equation)[0], t.args(equation)[1]);
    let (l, r) = (t.args(matrix)[0], t.args(matrix)[1]);
    let fits = |pairs: &[(Term, Term)]| matched(t, bound, pairs).is_some();
    fits(&[(l, x), (r, y)]) || fits(&[(l, y), (r, x)])
}

/// What a case says of all values. The outputs of its premises are replaced by the values of
/// functions, as far as they are variables.
fn stated(t: &Terms, case: &Opened, meanings: &[Meaning]) -> Term {
    let (premises, conclusion) = question(t, case, meanings);
    let mut formula = t.implies(t.and(premises), conclusion);
    let mut changed = true;
    while changed {
        changed = false;
        let denied = t.conjuncts(t.not(formula));
        for conjunct in denied {
            let Some((var, value)) = solved(t, conjunct) else {
                continue;
            };
            formula = t.substitute(formula, [(var, value)]);
            changed = true;
            break;
        }
    }
    closed(t, formula)
}

/// The variable that an equation defines by a term without it.
fn solved(t: &Terms, conjunct: Term) -> Option<(Term, Term)> {
    let (Op::Eq, &[x, y]) = (t.op(conjunct), t.args(conjunct)) else {
        return None;
    };
    let defines = |var: Term, by: Term| t.is_var(var) && !t.any_subterm(by, |part| part == var);
    match (defines(x, y), defines(y, x)) {
        (true, _) => Some((x, y)),
        (_, true) => Some((y, x)),
        _ => None,
    }
}
