//! The embedded SMT core: an incremental solver in the same address space, with models, cores,
//! proofs and interpolants.
//!
//! It decides quantifier-free formulas over Booleans, linear arithmetic of integers and rationals
//! with `ite`, `div`, `mod`, `abs`, `to_real`, `to_int` and `is_int`, bit-vectors, uninterpreted
//! sorts and functions, arrays and datatypes ([`supports`]). Of products and quotients of terms it
//! decides what a budget suffices for. It is written for the many small queries of
//! property-directed reachability. Everything that was encoded, learned or pivoted is kept, and the
//! cost of a query is proportional to what is new in it.
//!
//! Where to read: `search` is the loop, CDCL(T); `sat` the propositional part \[ES03\]; `simplex`
//! linear arithmetic \[DdM06\], which `arithmetic` connects with it; `integers` splits; `egraph`
//! congruence closure \[NO07\], which `equality` connects with it; `arrays` \[CH15\] and
//! `datatypes` \[BST07\] what these add to it; `products` what is known of products of terms
//! \[CGIRS18\]; `combination` the search for a model of all theories \[MB08\]; `encoder` the
//! translation of terms to clauses and bounds; `bitvector` the circuits of bit-vectors \[KS16\].
//!
//! A scope is an activation literal. An assertion in a scope is guarded by that literal, which is
//! assumed while the scope is open and false for ever afterwards. Clauses that were learned without
//! the literal stay.
//!
//! Missing: quantifiers; interpolants of what the e-graph finds across the parts of a problem.

pub mod alethe;
mod arithmetic;
mod arrays;
mod bitvector;
pub mod check;
mod combination;
mod datatypes;
mod demand;
mod egraph;
mod encoder;
mod equality;
mod extract;
mod inequality;
mod integers;
mod interpolate;
mod interpretation;
mod literal;
mod log;
mod model;
mod opaque;
mod products;
pub mod proof;
mod reduce;
mod sat;
mod search;
mod simplex;
mod support;
mod theory;
mod weaken;

use super::{Failure, Limit, SatResult, Solver};
use crate::term::{Term, TermSet, Terms, Value};
use encoder::Meaning;
use extract::extract;
use literal::{Lit, Var};
use log::{Logging, StepId};
use proof::Proof;
use rustc_hash::FxHashMap;
use search::{Search, Verdict};
use std::fmt::Arguments;

pub use super::Budget;
pub use interpolate::{Partitions, interpolants};
pub(super) use opaque::Opaque;
pub use support::{Support, supports};

/// How the core works.
#[derive(Clone, Debug, Default)]
pub struct NativeOptions {
    /// Keep what proofs need.
    pub proofs: bool,
    /// Keep what [`Solver::weaken`] needs. Implied by `proofs`.
    pub weaken: bool,
    /// When a check gives up.
    pub budget: Budget,
}

impl NativeOptions {
    /// What engines need: cubes can be weakened.
    pub fn for_engines() -> Self {
        NativeOptions {
            weaken: true,
            ..NativeOptions::default()
        }
    }
}

/// Closed scopes are removed from the clauses in batches of 32. The value was not tuned.
const RETIRED_SCOPES: usize = 32;

/// What a context did, and how large it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NativeStatistics {
    /// Variables decided.
    pub decisions: u64,
    /// Literals propagated.
    pub propagations: u64,
    /// Conflicts learned from.
    pub conflicts: u64,
    /// Restarts.
    pub restarts: u64,
    /// Literals of learned clauses.
    pub learned_literals: u64,
    /// Bounds that followed from other bounds of the same form.
    pub implied_bounds: u64,
    /// Pivots of the simplex.
    pub pivots: u64,
    /// Divisions of integers into cases.
    pub splits: u64,
    /// Equations in the tableau now.
    pub rows: usize,
    /// Equations that have left the tableau.
    pub rows_dropped: u64,
    /// Bytes of clauses and their watches.
    pub clause_bytes: usize,
}

/// A context of the embedded core.
pub struct NativeSolver<'t> {
    t: &'t Terms,
    search: Search<'t>,
    support: Support,
    /// Open scopes, with what was asserted in them that is not supported. The first is never
    /// closed.
    scopes: Vec<Scope>,
    /// Guards of scopes that were closed.
    retired: Vec<Lit>,
    /// Variables of guards that can be used again.
    free_guards: Vec<Var>,
    limit: Limit,
    last: Last,
}

#[derive(Debug, Default)]
struct Scope {
    guard: Option<Lit>,
    unsupported: Option<Failure>,
}

/// What the last check answered, as long as nothing changed.
enum Last {
    Nothing,
    Sat,
    Unsat {
        core: Vec<Term>,
        /// The literals of assumptions that are needed.
        literals: Vec<Lit>,
        /// What the literals of the assumptions come from.
        meant: FxHashMap<Lit, Term>,
        step: StepId,
    },
}

impl<'t> NativeSolver<'t> {
    /// A context without assertions.
    pub fn new(t: &'t Terms, options: &NativeOptions) -> Self {
        let logging = match (options.proofs, options.weaken) {
            (true, _) => Logging::Full,
            (false, true) => Logging::Check,
            (false, false) => Logging::Off,
        };
        NativeSolver {
            t,
            search: Search::new(t, logging, options.budget),
            support: Support::default(),
            scopes: vec![Scope::default()],
            retired: Vec::new(),
            free_guards: Vec::new(),
            limit: Limit::default(),
            last: Last::Nothing,
        }
    }

    /// What the context did so far, and how large it is.
    pub fn statistics(&self) -> NativeStatistics {
        let (sat, simplex) = (&self.search.sat.counts, &self.search.arith.simplex);
        NativeStatistics {
            decisions: sat.decisions,
            propagations: sat.propagations,
            conflicts: sat.conflicts,
            restarts: sat.restarts,
            learned_literals: sat.learned_literals,
            implied_bounds: self.search.arith.implied,
            pivots: simplex.counts.pivots,
            splits: self.search.splits,
            rows: simplex.rows(),
            rows_dropped: simplex.counts.rows_dropped,
            clause_bytes: self.search.sat.bytes(),
        }
    }

    /// Has the context circuits of bit-vectors?
    pub fn has_circuits(&self) -> bool {
        self.search.sat.has_circuits
    }

    /// After the last check answered `Unsat`, and where proofs are kept: a proof that the core of
    /// the assumptions contradicts the assertions.
    pub fn proof(&self) -> Option<Proof> {
        match self.last {
            Last::Unsat { step, .. } if self.search.sat.log.is_full() => {
                Some(extract(&self.search, step))
            }
            _ => None,
        }
    }

    /// The guard of the innermost scope, none for the outermost.
    fn guard(&mut self) -> Option<Lit> {
        if self.scopes.len() == 1 {
            return None;
        }
        let scope = self.scopes.last_mut().expect("the outermost scope stays");
        if scope.guard.is_none() {
            let var = self.free_guards.pop();
            let var = var.unwrap_or_else(|| self.search.encoding().new_var(Meaning::Scope));
            scope.guard = Some(var.positive());
        }
        scope.guard
    }

    fn try_check(&mut self, assumptions: &[Term]) -> Result<Last, Failure> {
        self.limit.check()?;
        if let Some(failure) = self.scopes.iter().find_map(|s| s.unsupported.clone()) {
            return Err(failure);
        }
        if self.retired.len() >= RETIRED_SCOPES {
            let unused = self.search.retire(&self.retired, &self.limit)?;
            self.retired.clear();
            self.free_guards.extend(unused);
        }
        self.search.simplify_if_due(&self.limit)?;
        let mut literals: Vec<Lit> = self.scopes.iter().filter_map(|s| s.guard).collect();
        let mut meant: FxHashMap<Lit, Term> = FxHashMap::default();
        for &assumption in assumptions {
            self.support.check(self.t, assumption)?;
            for lit in self.search.encoding().assumption(assumption) {
                literals.push(lit);
                meant.entry(lit).or_insert(assumption);
            }
        }
        Ok(match self.search.solve(&literals, &self.limit)? {
            Verdict::Sat => Last::Sat,
            Verdict::Unsat { core, step } => {
                debug_assert!(
                    core.iter().all(|l| literals.contains(l)),
                    "a core was assumed"
                );
                let used = core.iter().filter_map(|l| meant.get(l));
                let mut used: TermSet = used.copied().collect();
                // In the order of the assumptions, each once.
                let given = assumptions.iter().copied();
                Last::Unsat {
                    core: given.filter(|a| used.remove(a)).collect(),
                    literals: core,
                    meant,
                    step,
                }
            }
        })
    }
}

impl Solver for NativeSolver<'_> {
    fn push(&mut self) {
        self.last = Last::Nothing;
        self.scopes.push(Scope::default());
    }

    fn pop(&mut self) {
        assert!(self.scopes.len() > 1, "pop without push");
        self.last = Last::Nothing;
        let scope = self.scopes.pop().expect("just counted");
        self.retired.extend(scope.guard);
    }

    fn assert(&mut self, formula: Term) {
        self.last = Last::Nothing;
        match self.support.check(self.t, formula) {
            Ok(()) => {
                let guard = self.guard();
                self.search.encoding().assert(formula, guard);
            }
            Err(failure) => {
                let scope = self.scopes.last_mut().expect("the outermost scope stays");
                scope.unsupported.get_or_insert(failure);
            }
        }
    }

    fn check(&mut self, _about: Arguments<'_>, assumptions: &[Term]) -> SatResult {
        self.last = Last::Nothing;
        match self.try_check(assumptions) {
            Ok(last) => {
                self.last = last;
                match self.last {
                    Last::Sat => SatResult::Sat,
                    _ => SatResult::Unsat,
                }
            }
            Err(failure) => SatResult::Unknown(failure),
        }
    }

    fn values(&mut self, terms: &[Term]) -> Result<Vec<Value>, Failure> {
        match self.last {
            Last::Sat => self.search.values(terms),
            _ => Err(Failure::Broken("values without a model".to_owned())),
        }
    }

    fn core(&mut self) -> Result<Vec<Term>, Failure> {
        match &self.last {
            Last::Unsat { core, .. } => Ok(core.clone()),
            _ => Err(Failure::Broken("a core without a contradiction".to_owned())),
        }
    }

    fn weaken(&mut self, cube: &[Term]) -> Option<Vec<Term>> {
        let Last::Unsat {
            literals,
            meant,
            step,
            ..
        } = &self.last
        else {
            return None;
        };
        if !self.search.sat.log.is_per_check() {
            return None;
        }
        let mut of_cube = meant.clone();
        of_cube.retain(|_, term| cube.contains(term));
        self.search.weaken(*step, &of_cube, literals)
    }

    fn set_limit(&mut self, limit: Limit) {
        self.limit = limit;
    }
}
