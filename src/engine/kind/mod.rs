//! K-induction \[SSS00\]: a property holds in all states if it holds in the first `k`
//! states of every path, and after every `k` consecutive good states.
//!
//! In a system whose clauses have at most one premise, a derivation is a *path*: a chain of facts
//! about predicates, each derived from the one before. The *distance* of a fact is the number of
//! steps from it to `false`. A fact is *good* if no single step leads from it to `false`.
//!
//! ```text
//! k-induction:
//!   for k = 0, 1, 2, …:
//!     base case   has false a path of k steps from an initial clause?                 yes → unsat
//!     step case   has false a path of k + 1 steps, good at every distance from 2 on?  no  → sat
//! ```
//!
//! The loop is Algorithm 3 of \[BDW18\] (`arg::k_induction`), a row of the table of schools. One
//! solver answers both questions; in it the path grows backwards from `false` (`unrolling`).
//! Where the step case is unsatisfiable, interpolants between the steps make a model
//! (`certificate`). They are rewritten as clauses where that takes little time.
//!
//! In other systems a derivation is a tree, and the cases are about trees of height `k + 1` and
//! `k + 2` (`trees`). They double with each step where clauses have two premises.
//!
//! The *forward condition* of k-induction in \[BDW18\] says that no path is longer. As paths grow
//! backwards here, it says so of paths to `false`: the step case is unsatisfiable even if no fact
//! is good. The core of the step case tells, and [`Decision`] says what decided.
//!
//! Invariants are continuously refined \[BDW18\]: between two values of `k` a generator of
//! invariants by abstract interpretation has a turn (`invariants`). What it finds is assumed of all
//! states at once, and the step case is asked again with the same `k`. Before each `k` the
//! invariants that are new on the board are assumed as well. What the generator has found is
//! offered to the board.
//!
//! DIVERGENCE: the paper also demands that no state occurs twice on a path, which decides finite
//! systems. A model would need quantifiers to say that, and every `sat` here has a model. Bounded
//! unrolling and invariants make up for it in part.

mod cases;
mod certificate;
mod invariants;
mod trees;
mod unrolling;

use super::arg::{self, K_INDUCTION, Unrolled};
use super::option::{UNLIMITED, declare_options, word_option};
use super::{Case, Context, Decision, Progress, blackboard::Cursor, rules::RuleSystem};
use crate::absint::InvariantDomain;
use crate::chc::{Answer, Clause, Model, Refutation, System, Unknown, UnknownReason};
use crate::logic::interpolate::Support;
use crate::smt::{Failure, InterpolationOptions, InterpolationSource, SatResult, Strength};
use crate::term::{Term, Terms};
use cases::Cases;
use invariants::Refinement;
use std::fmt::Arguments;
use trees::Trees;
use unrolling::Unrolling;

word_option!(Strength: "strong" => Strong, "weak" => Weak);
word_option!(
    InterpolationSource: "core" => Core, "external" => External, "both" => Both
);
word_option!(
    InvariantDomain: "none" => None, "intervals" => Intervals, "octagons" => Octagons,
    "polyhedra" => Polyhedra, "partitions" => Partitions, "polynomials" => Polynomials
);

declare_options! {
    /// Options of k-induction.
    pub struct Options {
        /// Give up beyond this length of paths.
        max_k: u32 = UNLIMITED, from "SSS00";
        /// Give up if the model would need more than this many disjuncts for the base case. (A loop
        /// over the bits of a word of 32 bits needs 33.)
        max_base: u32 = 40, in 0..=1000000;
        /// Give up when the unrolling of a system that is not linear has more than this many nodes.
        max_nodes: u32 = 200000;
        /// Up to which domain invariants are looked for while k-induction runs.
        invariants: InvariantDomain = InvariantDomain::Polynomials, from "BDW18";
        /// Which of a proof's interpolants models are made of.
        interpolants: Strength = Strength::Strong, from "McM05";
        /// Who finds interpolants: the embedded core, the external solver, or both, the core first.
        interpolation_source: InterpolationSource = InterpolationSource::Both;
        /// Decompose interpolants that are sums of inequalities. (Those of the core only.)
        decompose: bool = false, from "BHKS19";
    }
}

impl Options {
    /// How models are made.
    fn interpolation(&self) -> InterpolationOptions {
        InterpolationOptions {
            source: self.interpolation_source,
            strength: self.interpolants,
            decompose: self.decompose,
            ..InterpolationOptions::default()
        }
    }
}

/// Is k-induction for this system? Its theories have the interpolants that models are made of.
pub fn suits(t: &Terms, system: &System) -> bool {
    let support = Support::default();
    let is_supported = |clause: &Clause| {
        let args = clause.atoms().flat_map(|atom| &atom.args);
        let mut terms = args.chain([&clause.constraint]);
        terms.all(|&term| support.check(t, term).is_ok())
    };
    system.clauses.iter().all(is_supported)
}

/// Decides a system by k-induction.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    let rules = RuleSystem::new(context.terms, system);
    let mut search = Search {
        context,
        options,
        rules: &rules,
        k: 0,
        unrolling: match system.is_linear() {
            true => Box::new(Unrolling::new(&rules, context)),
            false => Box::new(Trees::new(&rules, options, context)),
        },
        seen: Cursor::default(),
        refinement: Refinement::new(system, &rules, options.invariants, context),
        safe_depth: None,
        decision: None,
    };
    let found = arg::k_induction(&K_INDUCTION, &mut search);
    search.report();
    found.unwrap_or_else(|reason| {
        Answer::Unknown(Unknown {
            safe_depth: search.safe_depth,
            ..Unknown::new(reason)
        })
    })
}

/// A run of the engine.
struct Search<'a, 't> {
    context: &'a Context<'t>,
    options: &'a Options,
    rules: &'a RuleSystem,
    unrolling: Box<dyn Cases<'t> + 'a>,
    /// The length of the paths of the base case.
    k: u32,
    /// What has been read of the board.
    seen: Cursor,
    /// The generator of invariants.
    refinement: Refinement<'a>,
    safe_depth: Option<u32>,
    decision: Option<Decision>,
}

impl Search<'_, '_> {
    fn ask(
        &mut self,
        purpose: &'static str,
        about: Arguments<'_>,
        assumption: Term,
    ) -> Result<bool, Failure> {
        let known = self.unrolling.known();
        let solver = self.unrolling.solver();
        solver.set_purpose(purpose);
        // on_{0,false} ∧ ⋀ Step(d) ∧ ⋀ Known(d) ∧ assumption
        match solver.check(about, &[assumption, known]) {
            SatResult::Sat => Ok(true),
            SatResult::Unsat => Ok(false),
            SatResult::Unknown(failure) => Err(failure),
        }
    }

    fn report(&self) {
        (self.context.progress)(&Progress {
            engine: "kind",
            safe_depth: self.safe_depth,
            depth: self.unrolling.length() + 1,
            queries: self.context.backend.queries(),
            decision: self.decision,
            ..Progress::default()
        });
    }
}

impl Unrolled for Search<'_, '_> {
    fn begin(&mut self) -> Result<(), UnknownReason> {
        self.k = self.unrolling.length();
        if self.k > self.options.max_k {
            let why = "the limit on the length of paths (option max-k) is reached";
            return Err(UnknownReason::Incomplete(why.to_owned()));
        }
        self.context.limit.check()?;
        self.report();
        if let Some(news) = self.context.news(&mut self.seen) {
            self.unrolling.assume(&news);
        }
        Ok(())
    }

    /// Has `false` a path of `k` steps from an initial clause, or a tree that is no higher?
    fn base_case(&mut self) -> Result<bool, Failure> {
        let (k, start) = (self.k, self.unrolling.base());
        // Of paths: on_{0,false} ∧ Step(0) ∧ … ∧ Step(k - 1) ∧ Start(k) ∧ ⋀ Known(d)
        let about = format_args!("has false a path of {k} steps from a fact");
        let found = self.ask("base case", about, start)?;
        if !found {
            // The initial clause is one step of a derivation, too.
            self.safe_depth = Some(k + 1);
        }
        Ok(found)
    }

    /// The core of the step case tells.
    fn forward_condition(&mut self) -> Result<bool, Failure> {
        Ok(false)
    }

    fn expand(&mut self) -> Result<(), UnknownReason> {
        Ok(self.unrolling.expand(&self.context.limit)?)
    }

    /// Has `false` a path of `k + 1` steps, or a tree with one, that is good at every distance from
    /// 2 on?
    fn step_case(&mut self) -> Result<Option<Case>, Failure> {
        let (length, good) = (self.unrolling.length(), self.unrolling.good());
        // Of paths: on_{0,false} ∧ Step(0) ∧ … ∧ Step(k) ∧ Good(2) ∧ … ∧ Good(k + 1) ∧ ⋀ Known(d)
        let about = format_args!("has false a path of {length} steps from good states");
        if self.ask("step case", about, good)? {
            return Ok(None);
        }
        let is_forward = self.unrolling.solver().core()?.is_empty();
        Ok(Some(if is_forward {
            Case::Forward
        } else {
            Case::Step
        }))
    }

    fn strengthen(&mut self) -> Result<bool, Failure> {
        let Some(found) = self.refinement.turn(self.rules, self.context)? else {
            return Ok(false);
        };
        self.unrolling.assume(&found);
        self.context.offer("kind", || Some(found));
        Ok(true)
    }

    fn decide(&mut self, case: Case) {
        self.decision = Some(Decision { case, at: self.k });
        self.report();
    }

    fn refutation(&mut self) -> Result<Refutation, UnknownReason> {
        Ok(self.unrolling.refutation()?)
    }

    fn model(&mut self) -> Result<Model, UnknownReason> {
        let context = self.context.for_certificate();
        self.unrolling.model(self.options, &context)
    }
}
