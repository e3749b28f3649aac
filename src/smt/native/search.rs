//! The search: propositional search with theories, CDCL(T), which the literature also calls DPLL(T)
//! \[NOT06\].
//!
//! One round propagates clauses, then bounds, then asks the simplex; a conflict is learned from,
//! and without one the next assumption is made or a variable decided. When nothing is left to
//! decide, integers may ask for a division into cases and equality for a clause; if neither does,
//! there is a model.

use super::arithmetic::Arithmetic;
use super::encoder::{Encoder, Encoding};
use super::equality::Equality;
use super::integers;
use super::interpretation::Interpretation;
use super::literal::{Lit, Var};
use super::log::{Logging, StepId};
use super::proof::Justification;
use super::sat::{Conflict, Reason, Sat};
use super::simplex::ArithVar;
use super::theory::{Final, Theory};
use crate::number::{DeltaRational, Rational};
use crate::smt::{Budget, Failure, Limit};
use crate::term::{Term, Terms};
use rustc_hash::FxHashSet;

/// A check ends when combining the theories has changed nothing for this number of times: it would
/// go on for ever, as it did when it was asked for a term that it had decided to leave aside. The
/// value was not tuned.
const MAX_UNCHANGED: u64 = 10_000;

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
    pub(super) equality: Equality<'t>,
    /// Arrays whose difference is defined.
    pub(super) differences: FxHashSet<(Term, Term)>,
    /// The values of classes, after a model was found.
    pub(super) model: Option<Interpretation>,
    pub(super) splits: u64,
    /// Candidates of the check with wrong products.
    pub(super) linearized: u64,
    /// Literals that theories want to be decided before others, the next one last.
    pub(super) wanted: Vec<Lit>,
}

/// What a check has used up.
struct Spent {
    rounds: u64,
    splits: u64,
    /// Have the assumptions been looked at by [`Search::share_values`]?
    shared: bool,
    /// The times, one after the other, that combining the theories left all as it was.
    unchanged: u64,
    /// Conflicts of the context before the check.
    conflicts_before: u64,
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
            equality: Equality::new(t),
            differences: FxHashSet::default(),
            model: None,
            splits: 0,
            linearized: 0,
            wanted: Vec::new(),
        }
    }

    /// The encoder, at work on this search.
    pub(super) fn encoding(&mut self) -> Encoding<'_, 't> {
        Encoding {
            encoder: &mut self.encoder,
            sat: &mut self.sat,
            arith: &mut self.arith,
            equality: &mut self.equality,
        }
    }

    /// Can the clauses and the assumptions be true together?
    pub(super) fn solve(&mut self, assumptions: &[Lit], limit: &Limit) -> Result<Verdict, Failure> {
        self.sat.log.start_check();
        self.sat.begin_check();
        self.reuse_trail(assumptions);
        self.model = None;
        self.wanted.clear();
        self.linearized = 0;
        self.follow();
        self.arith.simplex.drop_idle_forms();
        let mut spent = Spent {
            rounds: 0,
            splits: 0,
            shared: false,
            unchanged: 0,
            conflicts_before: self.sat.counts.conflicts,
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
        self.sat.set_assumptions(assumptions);
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
        let conflicts = self.sat.counts.conflicts - spent.conflicts_before;
        if conflicts >= self.budget.circuit_conflicts && self.sat.has_circuits {
            let why = "the limit on conflicts over bit-vectors is reached";
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
            self.follow();
            let theories: [&mut dyn Theory; 2] = [&mut self.arith, &mut self.equality];
            for theory in theories {
                if let Some(conflict) = theory.propagate(&mut self.sat) {
                    return Ok(Some(conflict));
                }
            }
            if self.sat.is_propagated() {
                break;
            }
        }
        let theories: [&mut dyn Theory; 2] = [&mut self.arith, &mut self.equality];
        for theory in theories {
            if let Some(conflict) = theory.check(&mut self.sat, limit)? {
                return Ok(Some(conflict));
            }
        }
        Ok(None)
    }

    /// Lets the theories go back as far as propositional search did.
    fn follow(&mut self) {
        let lowest = self.sat.take_lowest();
        self.arith.backtrack(lowest);
        self.equality.backtrack(lowest);
    }

    /// Learns from a contradiction and goes back.
    fn resolve(&mut self, conflict: Conflict) {
        self.wanted.clear();
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
        if !spent.shared {
            if self.share_values() {
                return Ok(None);
            }
            spent.shared = true;
        }
        while let Some(lit) = self.wanted.pop() {
            if self.sat.value(lit).is_none() {
                self.decide(lit);
                return Ok(None);
            }
        }
        match self.sat.pick() {
            Some(lit) => self.decide_near(lit),
            None => return self.final_check(spent),
        }
        Ok(None)
    }

    /// Takes back all decisions; what was learned stays.
    pub(super) fn restart(&mut self) {
        self.wanted.clear();
        debug_assert!(self.sat.trail_is_valid());
        self.sat.restart();
        self.follow();
    }

    pub(super) fn open_level(&mut self) {
        self.arith.new_level(&self.sat);
        self.equality.new_level(&self.sat);
        self.sat.new_level();
        debug_assert!(
            self.levels_agree(),
            "the theories have a mark for each level"
        );
    }

    /// Has each theory as many marks as the search has levels?
    fn levels_agree(&self) -> bool {
        let level = self.sat.level() as usize;
        self.arith.levels() == level && self.equality.levels() == level
    }

    /// Decides a variable; a bound so that it agrees with the values that the simplex has.
    fn decide_near(&mut self, lit: Lit) {
        let lit = match self.arith.holds_now(lit.var()) {
            Some(value) => lit.var().literal(value),
            None => lit,
        };
        self.decide(lit);
    }

    /// Makes a literal without a value true on a new level.
    pub(super) fn decide(&mut self, lit: Lit) {
        self.sat.counts.decisions += 1;
        self.open_level();
        self.sat.enqueue(lit, Reason::Decision);
    }

    /// All clauses and bounds are satisfied: what do integers and the combined theories say?
    fn final_check(&mut self, spent: &mut Spent) -> Result<Option<Verdict>, Failure> {
        if let Some(split) =
            integers::split(&mut self.arith.simplex, spent.splits, self.encoder.width())
        {
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
            self.decide(if split.below { lit } else { !lit });
            return Ok(None);
        }
        let before = self.sat.state();
        Ok(match self.combine()? {
            Final::Satisfied => {
                debug_assert!(self.sat.is_satisfied());
                debug_assert!(self.sat.watches_are_valid());
                debug_assert!(self.sat.trail_is_valid());
                Some(Verdict::Sat)
            }
            Final::Continue => {
                spent.unchanged = match self.sat.state() == before {
                    true => spent.unchanged + 1,
                    false => 0,
                };
                if spent.unchanged == MAX_UNCHANGED {
                    let why = "the theories ask for what is decided";
                    return Err(Failure::Incomplete(why.to_owned()));
                }
                None
            }
        })
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
        self.equality.forget_others(&self.sat);
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
