//! The search: propositional search with theories, CDCL(T), which the literature also calls DPLL(T)
//! \[NOT06\].
//!
//! One round propagates clauses, then bounds, then asks the simplex; a conflict is learned from,
//! and without one the next assumption is made or a variable decided. When nothing is left to
//! decide, integers may ask for a division into cases and equality for a clause; if neither does,
//! there is a model.

use super::arithmetic::Arithmetic;
use super::encoder::{Argument, Encoder, Encoding};
use super::equality::{Classes, Violation};
use super::integers;
use super::literal::{Lit, Var};
use super::log::{Logging, StepId};
use super::proof::Justification;
use super::sat::{Conflict, Reason, Sat};
use super::simplex::{ArithVar, Checked};
use crate::number::{DeltaRational, Rational};
use crate::smt::{Budget, Failure, Limit};
use crate::term::{Sort, Term, Terms};

/// The limit is polled every 64 rounds. The value was not tuned.
const ROUNDS_BETWEEN_LOOKS: u64 = 64;
/// Search restarts after 50 integer splits. A chain of splits may go on for ever where other
/// propositional decisions lead to integral values. Tried: on two recorded queries of a task of
/// CHC-COMP 2025, restarts together with an order of cases that begins near zero need 0.4 s and 0.7
/// s instead of 19.7 s and 7.7 s. The value was not tuned.
const SPLITS_BETWEEN_RESTARTS: u64 = 50;

/// What a search found.
#[derive(Debug)]
pub(super) enum Verdict {
    /// A model, which lasts until something changes.
    Sat,
    /// These assumptions are contradictory with the clauses, which this step derives.
    Unsat { core: Vec<Lit>, step: StepId },
}

/// Clauses, bounds and how they came from terms.
pub(super) struct Search<'t> {
    pub(super) t: &'t Terms,
    pub(super) sat: Sat,
    pub(super) arith: Arithmetic,
    pub(super) encoder: Encoder<'t>,
    pub(super) budget: Budget,
    /// The assumptions of the levels that are open.
    assumptions: Vec<Lit>,
    /// Classes of elements in the model.
    pub(super) classes: Classes,
    pub(super) splits: u64,
}

/// What a check has used up.
struct Spent {
    rounds: u64,
    splits: u64,
}

impl<'t> Search<'t> {
    pub(super) fn new(t: &'t Terms, logging: Logging, budget: Budget) -> Self {
        Search {
            t,
            sat: Sat::new(logging),
            arith: Arithmetic::default(),
            encoder: Encoder::new(t),
            budget,
            assumptions: Vec::new(),
            classes: Classes::default(),
            splits: 0,
        }
    }

    /// The encoder, at work on this search.
    pub(super) fn encoding(&mut self) -> Encoding<'_, 't> {
        Encoding {
            encoder: &mut self.encoder,
            sat: &mut self.sat,
            arith: &mut self.arith,
        }
    }

    /// Can the clauses and the assumptions be true together?
    pub(super) fn solve(&mut self, assumptions: &[Lit], limit: &Limit) -> Result<Verdict, Failure> {
        self.sat.log.start_check();
        self.reuse_trail(assumptions);
        self.arith.follow(&mut self.sat);
        self.arith.simplex.drop_idle_forms();
        let mut spent = Spent {
            rounds: 0,
            splits: 0,
        };
        loop {
            self.look_at_limits(&mut spent, limit)?;
            match self.propagate(limit)? {
                Some(conflict) => self.resolve(conflict),
                None => {
                    if let Some(verdict) = self.advance(&mut spent)? {
                        return Ok(verdict);
                    }
                }
            }
            if let Some(step) = self.sat.contradiction() {
                let core = Vec::new();
                return Ok(Verdict::Unsat { core, step });
            }
        }
    }

    /// Keeps the levels of assumptions that are made again, in the same order.
    fn reuse_trail(&mut self, assumptions: &[Lit]) {
        let same = std::iter::zip(&self.assumptions, assumptions);
        let same = same.take_while(|(old, new)| old == new).count();
        let level = u32::try_from(same).expect("fewer than 2^32 assumptions");
        // Levels beyond the old assumptions are decisions; a level that both have stays.
        self.sat.backtrack(level.min(self.sat.level()));
        self.assumptions.clear();
        self.assumptions.extend_from_slice(assumptions);
        if self.sat.log.is_per_check() {
            self.sat.assumed.clear();
            self.sat.assumed.extend(assumptions);
            self.sat.irregular.clear();
            for (index, &made) in assumptions
                .iter()
                .take(self.sat.level() as usize)
                .enumerate()
            {
                // A literal that is decided for a new level has that level.
                let (level, reason) = (
                    self.sat.level_of(made.var()),
                    self.sat.reason_of(made.var()),
                );
                if level as usize != index + 1 || reason != Reason::Decision {
                    self.sat.irregular.insert(made);
                }
            }
        }
        self.sat.assumed_levels =
            u32::try_from(assumptions.len()).expect("fewer than 2^32 assumptions");
    }

    fn look_at_limits(&self, spent: &mut Spent, limit: &Limit) -> Result<(), Failure> {
        spent.rounds += 1;
        if spent.rounds.is_multiple_of(ROUNDS_BETWEEN_LOOKS) || spent.rounds == 1 {
            limit.check()?;
        }
        if spent.splits >= self.budget.splits {
            let why = "the limit on integer splits is reached";
            return Err(Failure::Incomplete(why.to_owned()));
        }
        Ok(())
    }

    /// Makes true what follows, until nothing does or there is a contradiction.
    fn propagate(&mut self, limit: &Limit) -> Result<Option<Conflict>, Failure> {
        if self.sat.contradiction().is_some() {
            return Ok(None);
        }
        loop {
            if let Some(conflict) = self.sat.propagate() {
                return Ok(Some(conflict));
            }
            debug_assert!(self.sat.trail_is_valid());
            self.arith.follow(&mut self.sat);
            if let Err(infeasible) = self.arith.tell(&mut self.sat) {
                return Ok(Some(self.arith.conflict(&mut self.sat, infeasible)));
            }
            if self.sat.is_propagated() {
                break;
            }
        }
        Ok(match self.arith.check(limit)? {
            Checked::Feasible => None,
            Checked::Infeasible(infeasible) => Some(self.arith.conflict(&mut self.sat, infeasible)),
        })
    }

    /// Learns from a contradiction and goes back.
    fn resolve(&mut self, conflict: Conflict) {
        let levels = conflict.clause.iter().map(|l| self.sat.level_of(l.var()));
        let highest = levels.clone().max().unwrap_or(0);
        let there = levels.filter(|&l| l == highest).count();
        if highest == 0 || there == 1 {
            // It says nothing new where it is found, but lower down it implies its last literal.
            self.sat.counts.conflicts += 1;
            self.sat.add_lemma(conflict.clause, conflict.step);
            return;
        }
        self.sat.backtrack(highest);
        let learned = self.sat.analyze(conflict);
        self.sat.learn(learned);
    }

    /// Nothing more follows: goes on with an assumption or a decision, or ends.
    fn advance(&mut self, spent: &mut Spent) -> Result<Option<Verdict>, Failure> {
        if self.sat.contradiction().is_some() {
            return Ok(None);
        }
        if self.sat.should_restart() {
            self.restart();
            if self.sat.should_reduce() {
                self.sat.reduce();
            }
        }
        while let Some(&assumption) = self.assumptions.get(self.sat.level() as usize) {
            match self.sat.value(assumption) {
                Some(true) => {
                    if self.sat.log.is_per_check() {
                        self.sat.irregular.insert(assumption);
                    }
                    self.open_level();
                }
                Some(false) => {
                    let (core, step) = self.sat.analyze_final(assumption);
                    return Ok(Some(Verdict::Unsat { core, step }));
                }
                None => {
                    self.open_level();
                    self.sat.enqueue(assumption, Reason::Decision);
                    return Ok(None);
                }
            }
        }
        match self.sat.pick() {
            Some(lit) => self.decide_near(lit),
            None => return self.final_check(spent),
        }
        Ok(None)
    }

    /// Takes back all decisions; what was learned stays.
    fn restart(&mut self) {
        self.sat.restart();
        self.arith.follow(&mut self.sat);
    }

    fn open_level(&mut self) {
        self.arith.new_level(&self.sat);
        self.sat.new_level();
    }

    /// Decides a variable; a bound so that it agrees with the values that the simplex has.
    fn decide_near(&mut self, lit: Lit) {
        let lit = match self.arith.holds_now(lit.var()) {
            Some(value) => lit.var().literal(value),
            None => lit,
        };
        self.arith.new_level(&self.sat);
        self.sat.decide(lit);
    }

    /// All clauses and bounds are satisfied: what do integers and equality say?
    fn final_check(&mut self, spent: &mut Spent) -> Result<Option<Verdict>, Failure> {
        debug_assert!(self.sat.is_satisfied());
        if let Some(split) = integers::split(&mut self.arith.simplex, self.encoder.width()) {
            spent.splits += 1;
            self.splits += 1;
            if spent.splits.is_multiple_of(SPLITS_BETWEEN_RESTARTS) {
                self.restart();
                return Ok(None);
            }
            let mut encoding = self.encoding();
            let var = encoding.form_variable(split.form);
            let lit = encoding.bound_literal(var, DeltaRational::from(split.floor));
            debug_assert!(self.sat.value(lit).is_none());
            self.arith.new_level(&self.sat);
            self.sat.decide(if split.below { lit } else { !lit });
            return Ok(None);
        }
        self.classes = Classes::new(&self.sat, &self.encoder);
        let violations = self
            .classes
            .violations(self.t, &self.sat, &self.arith, &self.encoder);
        if violations.is_empty() {
            debug_assert!(self.sat.watches_are_valid());
            return Ok(Some(Verdict::Sat));
        }
        // Adding a clause may take back the values that the premises of the next one are read from.
        let premises: Vec<Vec<Lit>> = violations.iter().map(|v| self.formulas_of(v)).collect();
        for (violation, premises) in std::iter::zip(violations, premises) {
            self.forbid(violation, premises);
        }
        Ok(None)
    }

    /// The formulas among the arguments of two applications that are found to be equal, as literals
    /// that are true.
    fn formulas_of(&self, violation: &Violation) -> Vec<Lit> {
        let Violation::Congruence(a, b) = violation else {
            return Vec::new();
        };
        let arguments = [a, b].map(|&x| self.encoder.arguments(x));
        let of_formula = |argument: &Argument| match argument {
            Argument::Formula(lit) if self.sat.value(*lit) == Some(true) => Some(*lit),
            Argument::Formula(lit) => Some(!*lit),
            Argument::Sum(_) | Argument::Element(_) => None,
        };
        let mut premises: Vec<Lit> = arguments
            .into_iter()
            .flatten()
            .filter_map(of_formula)
            .collect();
        premises.sort_unstable();
        premises.dedup();
        premises
    }

    /// Adds the clauses that exclude a violation of equality, for formulas as arguments under these
    /// premises.
    ///
    /// Under full logging they consist of literals that say what they say by themselves: a
    /// definition made here would belong to the wrong part of an interpolation problem.
    fn forbid(&mut self, violation: Violation, premises: Vec<Lit>) {
        match violation {
            Violation::Chain(chain, end) => {
                let lits = chain.iter().map(|v| v.literal(false));
                let clause: Vec<Lit> = lits.chain([end.positive()]).collect();
                self.sat.add_clause(&clause, None, Justification::Equality);
            }
            Violation::Congruence(a, b) => {
                let t = self.t;
                let rule = Justification::Congruence(a, b);
                let mut unless: Vec<Lit> = premises.into_iter().map(|lit| !lit).collect();
                for (&x, &y) in std::iter::zip(t.args(a), t.args(b)) {
                    if x != y && t.sort_of(x) != Sort::BOOL {
                        let equal = self.encoding().terms_equal(x, y);
                        unless.extend(equal.into_iter().map(|lit| !lit));
                    }
                }
                for lits in self.encoding().results_equal(a, b) {
                    let clause: Vec<Lit> = unless.iter().copied().chain(lits).collect();
                    self.sat.add_clause(&clause, None, rule);
                }
            }
        }
        self.encoding().finish();
    }

    /// Gives up scopes for good; answers the variables that can be used again.
    pub(super) fn retire(&mut self, guards: &[Lit], limit: &Limit) -> Result<Vec<Var>, Failure> {
        self.sat.backtrack(0);
        for &guard in guards {
            self.sat
                .add_clause(&[!guard], None, Justification::Definition(Term::TRUE));
        }
        self.assumptions.clear();
        if let Some(conflict) = self.propagate(limit)? {
            self.resolve(conflict);
        }
        if self.sat.contradiction().is_some() || self.sat.log.is_full() {
            return Ok(Vec::new());
        }
        // Bounds on level 0 have been told, so literals that are none may leave the trail.
        self.sat.simplify();
        let vars: Vec<Var> = guards.iter().map(|g| g.var()).collect();
        let unused = self.sat.recycle(&vars);
        self.arith.forget_others(&self.sat);
        Ok(unused)
    }

    /// Simplifies the clauses if it is time to.
    pub(super) fn simplify_if_due(&mut self, limit: &Limit) -> Result<(), Failure> {
        if self.sat.should_simplify() && !self.sat.log.is_full() {
            self.sat.backtrack(0);
            match self.propagate(limit)? {
                Some(conflict) => self.resolve(conflict),
                None if self.sat.contradiction().is_none() => self.sat.simplify(),
                None => {}
            }
        }
        Ok(())
    }

    /// The linear form that an arithmetic variable is, over terms.
    pub(super) fn form_over_terms(&self, var: ArithVar) -> Box<[(Term, Rational)]> {
        let single = [(var, Rational::one())];
        let form = self.arith.simplex.form(var).unwrap_or(&single);
        let term = |x| {
            self.encoder
                .arith_term(x)
                .expect("problem variables are terms")
        };
        form.iter().map(|(x, a)| (term(*x), a.clone())).collect()
    }
}
