//! The queries of property-directed reachability, and the solver contexts that answer them.
//!
//! Each predicate that is the head of a rule has one context, with these assertions for each rule
//! `r` with that head:
//!
//! ```text
//! act_r ⇒ kept parts of constraint_r     at least one act_r
//! act_r ∧ σ ⇒ part                       for each choice σ of r
//! sel ⇒ σ                                for each choice σ that is selected
//! act_r ∧ lev_k ⇒ lemma[argsᵢ]           for each lemma of level k of the atom bodyᵢ's predicate
//! act_r ∧ use_{r,i} ⇒ ⋁ U(bodyᵢ)         reach facts over the atom's arguments
//! lev_k ⇒ lev_{k+1}
//! init ⇒ ¬act_r                          for each rule with a body
//! ```
//!
//! Assumptions choose between over- and under-approximation, level by level. New lemmas and reach
//! facts are asserted in a context just before its next query.

use super::super::rules::{RuleAtom, RuleId, RuleSystem};
use super::frames::Frames;
use super::lemma_context::LemmaContext;
use super::level::Level;
use super::level_literals::LevelLiterals;
use super::purpose::Purpose;
use super::reach::ReachFacts;
use super::selection::Selection;
use crate::chc::PredId;
use crate::engine::Context;
use crate::logic::Valuation;
use crate::logic::divides_anew;
use crate::smt::{Failure, Limit, SatResult, Solver};
use crate::term::{Sort, Term, TermSet, Terms, Value};
use crate::work;
use rustc_hash::FxHashMap;

/// The budget of an optional query is 30 times the mean work of the queries before, within two
/// limits.
///
/// Tried: without a budget, one query about dropping a literal or pushing a lemma could use the
/// whole time of a run, over arrays of arrays.
const PATIENCE_FACTOR: u64 = 30;
/// The least budget of an optional query, in ticks.
///
/// Tried: with 300 ms, the proof of BV dillig__12 was not found in 20 s, since literals were kept
/// whose queries take Z3 250 ms; with 2 s it takes 3 s.
const LEAST_PATIENCE: u64 = work::milliseconds(2_000);
/// The largest budget of an optional query, in ticks. The value was not tuned.
const MOST_PATIENCE: u64 = work::milliseconds(3_000);

/// A question about the states of one predicate.
pub(super) struct CubeQuery<'q> {
    /// What the query decides.
    pub(super) purpose: Purpose,
    /// The predicate.
    pub(super) head: PredId,
    /// The states to derive: literals over the predicate's parameters.
    pub(super) cube: &'q [Term],
    /// The approximations of the body atoms.
    pub(super) from: Bodies<'q>,
    /// Is `¬cube` assumed for body atoms of the same predicate? Then `unsat` means that `¬cube` is
    /// inductive relative to the approximations.
    pub(super) inductive: bool,
    /// Is a step wanted where there is one?
    pub(super) wants_step: bool,
    /// Is a weaker cube wanted where there is none?
    pub(super) wants_weaker: bool,
}

/// The approximations of the atoms of a body.
#[derive(Clone, Copy)]
pub(super) enum Bodies<'q> {
    /// All by `F_n`; `None` is `F_{-1}`, which is `false`, so that only initial clauses are left.
    May(Option<Level>),
    /// All by `U`.
    Must,
    /// One rule only: the atoms at these positions by `U ∧ F_n`, the others by `F_n`.
    Mixed(RuleId, &'q [usize], Level),
    /// One rule only: the atoms at these positions by `U`, the others by `F_n`. A reach fact may
    /// have derivations that are too high for `F_n`, which then excludes its states.
    Split(RuleId, &'q [usize], Level),
}

/// The answer to a [`CubeQuery`].
pub(super) enum Reply<'t> {
    /// There is no such step. The formulas suffice for this: literals of the cube, or formulas that
    /// the cube implies, where a weaker cube was wanted and found.
    Blocked(Vec<Term>),
    /// There is a step; it is given where it was wanted.
    Step(Option<Step<'t>>),
}

/// One application of a rule that ends in the cube.
pub(super) struct Step<'t> {
    /// The rule.
    pub(super) rule: RuleId,
    /// The values of its variables.
    pub(super) valuation: Valuation<'t>,
}

/// All solver contexts of a run.
pub(super) struct Queries<'t> {
    context: Context<'t>,
    /// The parts of the rules' constraints, and what is selected of them.
    pub(super) selection: Selection,
    heads: FxHashMap<PredId, HeadContext<'t>>,
    lemmas: FxHashMap<PredId, LemmaContext<'t>>,
    /// A context without assertions, for questions about cubes alone.
    free: Option<Box<dyn Solver + 't>>,
    /// What queries have cost, for the budgets of those to come.
    effort: Effort,
}

/// What queries have cost so far. This is the base of a budget and no statistic: the ledger counts
/// queries for reports, and no algorithm reads it.
#[derive(Clone, Copy, Default)]
struct Effort {
    queries: u64,
    ticks: u64,
}

impl Effort {
    /// Adds a query that was asked when the meter of the limit read `start`, and answered now.
    fn add(&mut self, limit: &Limit, start: u64) {
        self.queries += 1;
        self.ticks += limit.ticks() - start;
    }

    /// The mean ticks of a query, 0 before the first one.
    fn mean(self) -> u64 {
        self.ticks / self.queries.max(1)
    }
}

impl<'t> Queries<'t> {
    pub(super) fn new(context: Context<'t>, selection: Selection) -> Self {
        Queries {
            context,
            selection,
            heads: FxHashMap::default(),
            lemmas: FxHashMap::default(),
            free: None,
            effort: Effort::default(),
        }
    }

    /// From now on queries have this limit.
    pub(super) fn set_limit(&mut self, limit: Limit) {
        self.context = self.context.within(limit);
    }

    /// Can the cube be derived in one step from the approximations of the bodies?
    pub(super) fn ask(
        &mut self,
        question: &CubeQuery<'_>,
        rules: &RuleSystem,
        frames: &Frames,
        facts: &ReachFacts,
    ) -> Result<Reply<'t>, Failure> {
        let (t, ticks) = (self.context.terms, self.context.limit.ticks());
        let (limit, own_limit) = (self.context.limit.clone(), self.limit(question.purpose));
        let (context, selection) = (&self.context, &self.selection);
        let head = (self.heads.entry(question.head))
            .or_insert_with(|| HeadContext::new(context, rules, selection, question.head));
        head.assert_selection(t, selection);
        if !matches!(question.from, Bodies::Must) {
            head.assert_lemmas(t, rules, frames);
        }
        if !matches!(question.from, Bodies::May(_)) {
            head.assert_facts(t, rules, facts);
        }
        // Before a scope is opened: the chain of activation literals must outlive it.
        let mut assumptions = head.approximation(t, question.from);
        assumptions.extend(head.selected);
        let scope = head.open_scope(t, rules, frames, question);
        assumptions.extend_from_slice(question.cube);
        let about = format_args!("{} predicate {}", question.purpose.name(), question.head.0);
        head.solver.set_purpose(question.purpose.name());
        head.solver.set_limit(own_limit);
        // φ' ∧ (⋁ τ or τ_r) ∧ ⋀ (F_n or U)(bodyᵢ), and ⋀ ¬φ[bodyᵢ] if `inductive`
        let outcome = head.solver.check(about, &assumptions);
        head.solver.set_limit(limit.clone());
        let reply = match outcome {
            // The query's own time is over, not that of the run.
            SatResult::Unknown(Failure::Timeout)
                if question.purpose.is_optional() && limit.check().is_ok() =>
            {
                Err(Failure::Incomplete(
                    "the query's budget is used up".to_owned(),
                ))
            }
            SatResult::Unknown(failure) => Err(failure),
            SatResult::Unsat => {
                let weaker = match question.wants_weaker {
                    true => head.solver.weaken(question.cube),
                    false => None,
                };
                // Interpolants over cuts have divisions that the cube does not have; such lemmas
                // are weak and expensive.
                let weaker = weaker.filter(|weaker| !divides_anew(t, weaker, question.cube));
                match weaker {
                    Some(weaker) => Ok(Reply::Blocked(weaker)),
                    None => head.solver.core().map(|core| {
                        let used = question.cube.iter().filter(|l| core.contains(l));
                        Reply::Blocked(used.copied().collect())
                    }),
                }
            }
            SatResult::Sat if question.wants_step => {
                let rule = match question.from {
                    Bodies::Mixed(rule, ..) | Bodies::Split(rule, ..) => Ok(rule),
                    Bodies::May(_) | Bodies::Must => head.active_rule(),
                };
                let step = rule.and_then(|rule| head.step(t, rules, rule));
                step.map(|step| Reply::Step(Some(step)))
            }
            SatResult::Sat => Ok(Reply::Step(None)),
        };
        if scope {
            head.solver.pop();
        }
        self.effort.add(&limit, ticks);
        reply
    }

    /// Does `F_level(pred) ⇒ ¬cube` hold? `false` where the solver does not decide it.
    pub(super) fn lemmas_block(
        &mut self,
        pred: PredId,
        cube: &[Term],
        level: Level,
        frames: &Frames,
    ) -> Result<bool, Failure> {
        let limit = self.limit(Purpose::Subsumed);
        let ticks = limit.ticks();
        let context = &self.context;
        let lemmas = (self.lemmas.entry(pred)).or_insert_with(|| LemmaContext::new(context, pred));
        let blocked = lemmas.block(context.terms, frames, pred, cube, level, limit);
        self.effort.add(&context.limit, ticks);
        match blocked {
            Err(Failure::Incomplete(_)) => Ok(false),
            Err(Failure::Timeout) if context.limit.check().is_ok() => Ok(false),
            decided => decided,
        }
    }

    /// Is the conjunction of the formulas satisfiable?
    pub(super) fn consistent(&mut self, formulas: &[Term]) -> Result<bool, Failure> {
        let context = &self.context;
        let ticks = context.limit.ticks();
        let solver = self.free.get_or_insert_with(|| {
            let mut solver = context.backend.solver(context.terms, "free");
            solver.set_purpose(Purpose::Meet.name());
            solver
        });
        solver.set_limit(context.limit.clone());
        // ⋀ formulas
        let outcome = solver.check(format_args!("{}", Purpose::Meet.name()), formulas);
        self.effort.add(&context.limit, ticks);
        match outcome {
            SatResult::Sat => Ok(true),
            SatResult::Unsat => Ok(false),
            SatResult::Unknown(failure) => Err(failure),
        }
    }

    /// The limit of a query: the run's, and for an optional query a budget, which is larger where
    /// queries cost more.
    fn limit(&self, purpose: Purpose) -> Limit {
        let all = &self.context.limit;
        if purpose.is_optional() {
            let budget = self.effort.mean().saturating_mul(PATIENCE_FACTOR);
            all.part(budget.clamp(LEAST_PATIENCE, MOST_PATIENCE))
        } else {
            all.clone()
        }
    }

    /// From now on no lemma asserted before is active: the frames are new ones.
    pub(super) fn forget_lemmas(&mut self) {
        self.lemmas.clear();
        for head in self.heads.values_mut() {
            head.levels = LevelLiterals::default();
            head.premises.iter_mut().for_each(|p| p.lemmas_asserted = 0);
        }
    }

    /// From now on only the first `kept` reach facts of each predicate, of those asserted before,
    /// are active.
    pub(super) fn forget_facts(&mut self, rules: &RuleSystem, kept: &[usize]) {
        for premise in self.heads.values_mut().flat_map(|head| &mut head.premises) {
            let kept = kept[premise.atom(rules).pred.index()];
            // Invariant: the first entry, of no facts, stays.
            premise.using.retain(|&(facts, _)| facts <= kept);
        }
    }
}

/// The solver context of the rules with one head.
struct HeadContext<'t> {
    solver: Box<dyn Solver + 't>,
    /// The activation literals `act_r` of the rules.
    rules: Vec<(RuleId, Term)>,
    /// `sel`, where a rule has a choice or a limit.
    selected: Option<Term>,
    /// The literals of the choices that `selected` implies.
    implied: TermSet,
    /// The version of the limits that `selected` implies.
    limits: u64,
    /// The number of kept conjuncts that are asserted, for each rule in the order of `rules`.
    kept_asserted: Vec<usize>,
    levels: LevelLiterals,
    /// Assumed where only initial clauses are to be used.
    init: Term,
    premises: Vec<Premise>,
}

/// What a context holds for one body atom of one rule.
struct Premise {
    rule: RuleId,
    position: usize,
    active: Term,
    lemmas_asserted: usize,
    /// Activation literals `use_{r,i}`, each of a number of the predicate's first reach facts,
    /// ascending; the first is of none.
    using: Vec<(usize, Term)>,
}

impl Premise {
    fn atom<'r>(&self, rules: &'r RuleSystem) -> &'r RuleAtom {
        &rules.rule(self.rule).body[self.position]
    }

    /// How many reach facts are asserted, and the activation literal of them all.
    fn facts(&self) -> (usize, Term) {
        *self.using.last().expect("there is an entry of no facts")
    }
}

impl<'t> HeadContext<'t> {
    fn new(context: &Context<'t>, rules: &RuleSystem, selection: &Selection, pred: PredId) -> Self {
        let t = context.terms;
        let mut solver = context.backend.solver(t, &format!("head{}", pred.0));
        solver.set_limit(context.limit.clone());
        let literal = |name: &str| t.fresh_var(name, Sort::BOOL);
        let init = literal("init");
        let mut active = Vec::new();
        let mut premises = Vec::new();
        let mut kept_asserted = Vec::new();
        for &id in &rules.by_head[pred.index()] {
            let act = literal("act");
            active.push((id, act));
            let rule = rules.rule(id);
            // The constraint comes first, since a solver's order of variables follows that of the
            // assertions. Tried: mvs_with_timeouts3_000 of the track LRA-Lin is refuted in 1.6 s;
            // with the constraint behind the clauses about premises, not in 20 s.
            let kept = selection.kept(id);
            for &formula in kept {
                solver.assert(t.implies(act, formula));
            }
            kept_asserted.push(kept.len());
            for choice in selection.choices(id) {
                let excluded = [t.not(act), t.not(choice.literal)];
                solver.assert(t.or(excluded.into_iter().chain([choice.formula])));
            }
            if !rule.is_fact() {
                solver.assert(t.or([t.not(init), t.not(act)]));
            }
            for position in 0..rule.body.len() {
                // There are no reach facts yet: assuming this literal excludes the rule.
                let using = literal("use");
                solver.assert(t.or([t.not(using), t.not(act)]));
                premises.push(Premise {
                    rule: id,
                    position,
                    active: act,
                    lemmas_asserted: 0,
                    using: vec![(0, using)],
                });
            }
        }
        solver.assert(t.or(active.iter().map(|&(_, act)| act)));
        HeadContext {
            solver,
            selected: None,
            implied: TermSet::default(),
            limits: 0,
            kept_asserted,
            rules: active,
            levels: LevelLiterals::default(),
            init,
            premises,
        }
    }

    /// Brings the context up to date with what is selected. A selection that only grows keeps its
    /// literal.
    fn assert_selection(&mut self, t: &'t Terms, selection: &Selection) {
        let mut wanted = Vec::new();
        for (&(id, act), asserted) in self.rules.iter().zip(&mut self.kept_asserted) {
            let kept = selection.kept(id);
            for &formula in &kept[*asserted..] {
                self.solver.assert(t.implies(act, formula));
            }
            *asserted = kept.len();
            let choices = selection.choices(id).iter().map(|choice| choice.literal);
            wanted.extend(choices.filter(|&literal| selection.is_selected(literal)));
        }
        let limits = selection.limits_version();
        let shrinks = self.implied.len() > wanted.len()
            || (self.implied.iter()).any(|&literal| !selection.is_selected(literal));
        if shrinks || self.limits != limits {
            self.selected = None;
            self.implied.clear();
        }
        if self.limits != limits {
            self.limits = limits;
            let selected = self.selection_literal(t);
            for &(id, act) in &self.rules {
                let excluded = [t.not(selected), t.not(act)];
                let limit = selection.limit_of(id).unwrap_or(Term::TRUE);
                self.solver
                    .assert(t.or(excluded.into_iter().chain([limit])));
            }
        }
        for literal in wanted {
            if self.implied.insert(literal) {
                let selected = self.selection_literal(t);
                self.solver.assert(t.implies(selected, literal));
            }
        }
    }

    /// `sel`, which may be new.
    fn selection_literal(&mut self, t: &'t Terms) -> Term {
        *(self.selected).get_or_insert_with(|| t.fresh_var("sel", Sort::BOOL))
    }

    fn assert_lemmas(&mut self, t: &'t Terms, rules: &RuleSystem, frames: &Frames) {
        for i in 0..self.premises.len() {
            let premise = &self.premises[i];
            let (atom, active) = (premise.atom(rules), premise.active);
            let log = frames.log(atom.pred);
            for &(level, lemma) in &log[premise.lemmas_asserted..] {
                let instance = rules.instance(t, lemma, atom);
                let at_level = self.levels.literal(t, &mut *self.solver, level);
                let guard = at_level.map(|literal| t.not(literal));
                let parts = guard.into_iter().chain([t.not(active), instance]);
                self.solver.assert(t.or(parts));
            }
            self.premises[i].lemmas_asserted = log.len();
        }
    }

    fn assert_facts(&mut self, t: &'t Terms, rules: &RuleSystem, facts: &ReachFacts) {
        for premise in &mut self.premises {
            let atom = premise.atom(rules);
            let known = facts.of(atom.pred);
            let (asserted, older) = premise.facts();
            if known.len() == asserted {
                continue;
            }
            // use' ∧ act ⇒ new facts ∨ use: the older literal stands for the older facts.
            let using = t.fresh_var("use", Sort::BOOL);
            let new = known[asserted..].iter();
            let new = new.map(|&id| rules.instance(t, facts.get(id).formula, atom));
            let excluded = [t.not(using), t.not(premise.active)];
            let parts = excluded.into_iter().chain(new).chain([older]);
            self.solver.assert(t.or(parts));
            premise.using.push((known.len(), using));
        }
    }

    /// The assumptions that choose these approximations of the bodies.
    fn approximation(&mut self, t: &'t Terms, from: Bodies<'_>) -> Vec<Term> {
        match from {
            Bodies::May(None) => vec![self.init],
            Bodies::May(Some(level)) => {
                let literal = self.levels.literal(t, &mut *self.solver, level);
                literal.into_iter().collect()
            }
            Bodies::Must => self.premises.iter().map(|p| p.facts().1).collect(),
            Bodies::Mixed(rule, used, level) => {
                let mut assumptions = self.approximation(t, Bodies::Split(rule, used, level));
                assumptions.extend(self.approximation(t, Bodies::May(Some(level))));
                assumptions
            }
            // The frames are in a scope.
            Bodies::Split(rule, used, _) => {
                let used = (self.premises.iter())
                    .filter(|p| p.rule == rule && used.contains(&p.position))
                    .map(|p| p.facts().1);
                let active = self.rules.iter().filter(|(id, _)| *id == rule);
                used.chain(active.map(|&(_, a)| a)).collect()
            }
        }
    }

    /// Opens a scope for what is asserted for this question alone; `false` if that is nothing.
    fn open_scope(
        &mut self,
        t: &'t Terms,
        rules: &RuleSystem,
        frames: &Frames,
        question: &CubeQuery<'_>,
    ) -> bool {
        match question.from {
            Bodies::Split(rule, used, level) => {
                self.assert_frames(t, rules, (rule, used), level, frames);
                true
            }
            _ => question.inductive && self.assert_negation(t, rules, question),
        }
    }

    /// Opens a scope and asserts `F_level` there for the body atoms of a rule that are not at the
    /// positions `used`.
    fn assert_frames(
        &mut self,
        t: &'t Terms,
        rules: &RuleSystem,
        (rule, used): (RuleId, &[usize]),
        level: Level,
        frames: &Frames,
    ) {
        self.solver.push();
        for (position, atom) in rules.rule(rule).body.iter().enumerate() {
            if !used.contains(&position) {
                let lemmas = frames.formula(t, atom.pred, level);
                self.solver.assert(rules.instance(t, lemmas, atom));
            }
        }
    }

    /// Opens a scope and asserts `¬cube` there for all body atoms with the predicate of the
    /// question. Answers `false`, and opens no scope, where there is no such atom.
    fn assert_negation(
        &mut self,
        t: &'t Terms,
        rules: &RuleSystem,
        question: &CubeQuery<'_>,
    ) -> bool {
        let negation = t.or(question.cube.iter().map(|&l| t.not(l)));
        let instances: Vec<Term> = (self.premises.iter())
            .filter(|p| p.atom(rules).pred == question.head)
            .map(|p| t.implies(p.active, rules.instance(t, negation, p.atom(rules))))
            .collect();
        if instances.is_empty() {
            return false;
        }
        self.solver.push();
        instances.into_iter().for_each(|f| self.solver.assert(f));
        true
    }

    /// A rule that is active in the solver's model.
    fn active_rule(&mut self) -> Result<RuleId, Failure> {
        if let [(rule, _)] = *self.rules {
            return Ok(rule);
        }
        let flags: Vec<Term> = self.rules.iter().map(|&(_, act)| act).collect();
        let flags = self.solver.values(&flags)?;
        let position = flags.iter().position(|v| *v == Value::Bool(true));
        let none = || Failure::Broken("a model in which no rule is active".to_owned());
        Ok(self.rules[position.ok_or_else(none)?].0)
    }

    /// The step of an active rule in the solver's model: the values of the rule's variables.
    fn step(
        &mut self,
        t: &'t Terms,
        rules: &RuleSystem,
        rule: RuleId,
    ) -> Result<Step<'t>, Failure> {
        let vars = &rules.rule(rule).vars;
        let values = self.solver.values(vars)?;
        Ok(Step {
            rule,
            valuation: Valuation::new(t, vars.iter().copied().zip(values)),
        })
    }
}
