//! SPACER: proof-based abstraction and counterexample-guided refinement over under-approximations
//! \[KGCC13\].
//!
//! This is the loop of the paper's Fig. 5. It keeps invariants `I` of the system; an abstraction
//! `A` of it, with a subset Σ̂ of the conjuncts Σ of its constraints; and an under-approximation
//! `U` of `A`, the derivations of bounded height or with bounded loops. SOLVE is property-directed
//! reachability on `U` restricted to `I`.
//!
//! - `U` is safe: the part of the proof that is inductive for the system joins `I` (EXTRACTINVS).
//!   Either `I` is safe itself, or the proof says which conjuncts to keep (ABSTRACT), and the bound
//!   rises (NEXTU).
//! - `U` is unsafe: the counterexample is a derivation of the system, or the conjuncts that exclude
//!   it join Σ̂ (REFINE).
//! - The search of `U` costs too much: all conjuncts join Σ̂ (`patience`).
//!
//! Where to read: `Spacer::run` is Fig. 5, `conditions` Fig. 6 and 7, `abstraction` Σ and Σ̂,
//! `refine` REFINE, `patience` when an abstraction is given up, `under` what `U` is, `counters`
//! Section 5's τ_B.
//!
//! DIVERGENCE: the paper bounds the iterations of each loop by counters that it adds to the
//! program, which is an option here. By default the height of derivations is bounded. Then lemmas
//! need no counters, and their levels make the proof of an unrolling.
//!
//! DIVERGENCE: invariants that are new on the board join `I` before each iteration, and `I` is
//! published after EXTRACTINVS; the paper's `I` has what the engine finds by itself.
//!
//! DIVERGENCE: the paper makes a new Horn-SMT problem for each SOLVE. Here the contexts of SOLVE
//! live as long as the engine (`pdr::BoundedSearch`), and literals choose Σ̂. After REFINE all
//! lemmas stay. After ABSTRACT the lemmas of the proof stay up to the bound: the core that ABSTRACT
//! finds shows that they follow from what is kept.
//!
//! DIVERGENCE: reach facts that are derivable in the system itself are kept, whatever the height of
//! their derivations. A counterexample may therefore be higher than the bound, and the same
//! counterexample may occur again at a later bound. By the paper's Theorem 2 no counterexample
//! occurs twice.
//!
//! HORN: predicates are locations and rules are transitions. A rule may have several premises:
//! paths become derivations, and the bound is on their height, which is the number of iterations
//! where there is one loop.
//!
//! Invariant: `I` is inductive for the system (Lemma 1).
//!
//! Invariant: no counterexample occurs twice at one bound on heights, and none at all where loops
//! are counted (Theorem 2): τ_B is not abstracted, so a derivation has the same numbers of
//! iterations in all abstractions, and an abstraction that is safe up to a bound excludes it for
//! good.

mod abstraction;
mod conditions;
mod counters;
mod iteration;
pub mod options;
mod patience;
mod progress;
mod refine;
mod under;
mod validity;

use super::blackboard::Cursor;
use super::pdr::{Bounded, BoundedProof, BoundedSearch, ProofLemma};
use super::rules::RuleSystem;
use super::{Context, Progress};
use crate::chc::{Answer, Model, PredId, Refutation, Skeleton, System, Unknown, UnknownReason};
use crate::term::{Term, Terms};
pub use abstraction::Granularity;
use abstraction::{Abstraction, Sigma};
use conditions::Conditions;
use counters::Counted;
pub use iteration::{Iteration, IterationOutcome};
pub use options::Options;
use patience::Patience;
use progress::Counterexamples;
pub use refine::Refinement;
use refine::{Refined, refine};
use under::Under;
pub use under::{Bounding, Raise};

/// The name of the engine.
const NAME: &str = "spacer";

/// Decides a system.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    solve_observed(system, options, context, &mut |_| {})
}

/// As [`solve`]; the observer is called for each iteration of the loop.
pub fn solve_observed(
    system: &System,
    options: &Options,
    context: &Context<'_>,
    observer: &mut dyn FnMut(&Iteration<'_>),
) -> Answer {
    let counted = match options.bounding {
        Bounding::Heights => None,
        Bounding::Counters => Some(Counted::new(context.terms, system)),
    };
    let rules = RuleSystem::new(
        context.terms,
        counted.as_ref().map_or(system, |c| &c.system),
    );
    let mut spacer = Spacer::new(&rules, counted.as_ref(), options, context);
    let result = spacer.run(observer).and_then(|answer| match &counted {
        Some(counted) => counted.take_back(context, answer),
        None => Ok(answer),
    });
    spacer.report();
    spacer.conclude();
    result.unwrap_or_else(|reason| {
        context.offer(NAME, || spacer.plain_model());
        context.offer(NAME, || spacer.partial_model(counted.as_ref()));
        Answer::Unknown(Unknown {
            safe_depth: spacer.safe_depth,
            ..Unknown::new(reason)
        })
    })
}

/// The routines of Fig. 5.
#[derive(Clone, Copy)]
enum Routine {
    Solve,
    ExtractInvs,
    Abstract,
    Refine,
}

/// The state at the beginning of an iteration.
struct Begin {
    bound: u32,
    conjuncts: usize,
}

/// A run of the engine.
struct Spacer<'a, 't> {
    t: &'t Terms,
    rules: &'a RuleSystem,
    options: &'a Options,
    context: Context<'t>,
    sigma: Sigma,
    /// The abstraction Σ̂ of `A`.
    abstraction: Abstraction,
    /// The invariants `I`.
    invariants: Vec<(PredId, Term)>,
    conditions: Conditions<'a, 't>,
    /// The bound of `U`.
    under: Under<'a>,
    /// SOLVE, whose contexts, lemmas and reach facts live from one iteration to the next.
    search: BoundedSearch<'a, 't>,
    safe_depth: Option<u32>,
    /// The size of the largest abstraction since the first (`a_m` of Table 1).
    largest: usize,
    /// The ticks of this iteration by routine.
    ticks: [u64; 4],
    patience: Patience,
    /// The counterexamples at this bound.
    progress: Counterexamples,
    /// What has been read of the board.
    seen: Cursor,
}

impl<'a, 't> Spacer<'a, 't> {
    /// INITU: the system itself, with the bound 0.
    fn new(
        rules: &'a RuleSystem,
        counted: Option<&'a Counted>,
        options: &'a Options,
        context: &Context<'t>,
    ) -> Self {
        let sigma = Sigma::new(context.terms, rules, counted, options.granularity);
        let under = Under::new(counted);
        // SOLVE takes invariants by its rules, and its lemmas are of an abstraction.
        let quiet = Context {
            board: None,
            progress: &|_| {},
            ..context.clone()
        };
        let mut search = BoundedSearch::new(rules, sigma.selection(), &options.pdr, &quiet);
        search.strengthen(&sigma.literals(&sigma.concrete()));
        if let Some(limits) = under.restrictions(context.terms, rules) {
            search.limit(limits);
        }
        Spacer {
            t: context.terms,
            rules,
            options,
            context: context.clone(),
            abstraction: sigma.concrete(),
            invariants: Vec::new(),
            conditions: Conditions::new(context, rules, &sigma),
            sigma,
            under,
            search,
            safe_depth: None,
            largest: 0,
            ticks: [0; 4],
            patience: Patience::new(&context.limit, options.patience),
            progress: Counterexamples::default(),
            seen: Cursor::default(),
        }
    }

    /// The invariants that are new on the board join `I`.
    fn take_invariants(&mut self) {
        let Some(news) = self.context.news(&mut self.seen) else {
            return;
        };
        for (pred, conjunct) in self.rules.conjuncts(self.t, &news) {
            self.add_invariant(pred, conjunct);
        }
        // So that the rules of SOLVE have them.
        self.select_more();
        debug_assert!(self.invariants_are_valid(), "what others have published");
    }

    fn add_invariant(&mut self, pred: PredId, formula: Term) {
        if !self.invariants.contains(&(pred, formula)) {
            self.conditions.add_invariant(pred, formula);
            self.search.add_invariant(pred, formula);
            self.invariants.push((pred, formula));
        }
    }

    /// The part of `I` that does not speak of counters of loops; `None` if it is empty. Unlike
    /// [`Self::partial_model`] it takes no projections.
    fn plain_model(&self) -> Option<Model> {
        let counted = self.under.counted();
        let arity = |p: PredId| counted.map_or(usize::MAX, |c| c.arity(p));
        let is_plain = |&&(pred, formula): &&(PredId, Term)| {
            let mut counters = self.rules.params[pred.index()].iter().skip(arity(pred));
            counters.all(|&c| !self.t.any_subterm(formula, |x| x == c))
        };
        let plain = self.invariants.iter().filter(is_plain);
        let plain: Vec<(PredId, Term)> = plain.copied().collect();
        let mut model = self.rules.model(|p| {
            let own = plain.iter().filter(|(pred, _)| *pred == p);
            self.t.and(own.map(|&(_, formula)| formula))
        });
        let interpretations = (0..).map(PredId).zip(&mut model.interpretations);
        interpretations.for_each(|(p, said)| said.params.truncate(arity(p)));
        (!plain.is_empty()).then_some(model)
    }

    /// `I`, unless it is empty.
    fn partial_model(&self, counted: Option<&Counted>) -> Option<Model> {
        if self.invariants.is_empty() {
            return None;
        }
        let model = self.rules.model(|p| self.invariant_of(p));
        match counted {
            Some(counted) => counted.model(&self.context, model).ok(),
            None => Some(model),
        }
    }

    /// SPACER of Fig. 5.
    fn run(&mut self, observer: &mut dyn FnMut(&Iteration<'_>)) -> Result<Answer, UnknownReason> {
        while self.under.bound() <= self.options.max_bound {
            self.report();
            self.take_invariants();
            self.ticks = [0; 4];
            let begin = Begin {
                bound: self.under.bound(),
                conjuncts: self.abstraction.size(),
            };
            match self.solve()? {
                Bounded::Safe(proof) => {
                    self.safe_depth = Some(self.under.safe_depth());
                    let inductive = self.extract_invariants(&proof)?;
                    let safe = self.invariants.contains(&(self.rules.goal, Term::FALSE));
                    let lemmas = proof.lemmas.len();
                    if !safe {
                        self.context.publish(NAME, || self.plain_model());
                        self.abstract_by(&proof)?;
                        self.next_under_approximation(&proof);
                    }
                    self.tell(
                        observer,
                        begin,
                        IterationOutcome::Safe { lemmas, inductive },
                    );
                    if safe {
                        return Ok(Answer::Sat(self.rules.model(|p| self.invariant_of(p))));
                    }
                }
                Bounded::OutOfBudget => {
                    self.abstraction = self.sigma.concrete();
                    self.take_larger_abstraction();
                    self.tell(observer, begin, IterationOutcome::GivenUp);
                }
                Bounded::Unsafe(counterexample) => {
                    let steps = counterexample.facts.len();
                    let refutation = self.refine(&counterexample)?;
                    let outcome = match refutation {
                        Some(_) => IterationOutcome::Feasible { steps },
                        None => IterationOutcome::Spurious { steps },
                    };
                    self.tell(observer, begin, outcome);
                    if let Some(refutation) = refutation {
                        return Ok(Answer::Unsat(refutation));
                    }
                }
            }
        }
        let why = "the largest bound (option max-bound) is reached".to_owned();
        Err(UnknownReason::Incomplete(why))
    }

    fn tell(
        &self,
        observer: &mut dyn FnMut(&Iteration<'_>),
        begin: Begin,
        outcome: IterationOutcome,
    ) {
        let iteration = Iteration {
            bound: begin.bound,
            outcome,
            before: begin.conjuncts,
            after: self.abstraction.size(),
            all: self.sigma.len(),
            invariants: &self.invariants,
            ticks: self.ticks,
        };
        log::info!("spacer: {iteration}");
        observer(&iteration);
    }

    /// SOLVE: is `U`, restricted to `I`, safe?
    fn solve(&mut self) -> Result<Bounded, UnknownReason> {
        let start = self.context.limit.ticks();
        let leaves_out = self.abstraction.size() < self.sigma.len();
        let budget = (self.patience.budget()).filter(|_| leaves_out);
        let mut result = self.search.search(self.under.height(), budget);
        if let Ok(Bounded::OutOfBudget) = result {
            self.patience.lose(self.context.limit.ticks() - start);
        }
        log::debug!("spacer: {} reach facts", self.search.facts());
        if let Ok(Bounded::Safe(proof)) = &mut result {
            self.under.keep_proof(&mut proof.lemmas);
        }
        self.enter(Routine::Solve, start);
        result
    }

    /// EXTRACTINVS: the lemmas of the proof that are inductive for the system join `I`. Answers
    /// their number.
    fn extract_invariants(&mut self, proof: &BoundedProof) -> Result<usize, UnknownReason> {
        let start = self.context.limit.ticks();
        let concrete = self.sigma.literals(&self.sigma.concrete());
        let inductive = self
            .conditions
            .maximal_inductive_subset(&concrete, &proof.lemmas)?;
        let size = inductive.len();
        for (pred, formula) in inductive {
            self.add_invariant(pred, formula);
        }
        self.enter(Routine::ExtractInvs, start);
        debug_assert!(self.invariants_are_valid(), "Lemma 1");
        Ok(size)
    }

    /// ABSTRACT: `A` becomes the conjuncts that the proof needs.
    fn abstract_by(&mut self, proof: &BoundedProof) -> Result<(), UnknownReason> {
        let start = self.context.limit.ticks();
        let needed = self.conditions.sufficient(
            &self.sigma,
            &proof.lemmas,
            &self.under.limits(self.t, self.rules),
            self.options.mus_attempts,
        )?;
        self.abstraction = self.sigma.abstraction(&needed);
        self.largest = self.largest.max(self.abstraction.size());
        self.enter(Routine::Abstract, start);
        Ok(())
    }

    /// NEXTU: raises the bound by one step.
    fn next_under_approximation(&mut self, proof: &BoundedProof) {
        let fails = |lemma: &&ProofLemma| !self.invariants.contains(&(lemma.pred, lemma.formula));
        let failing: Vec<PredId> = proof.lemmas.iter().filter(fails).map(|l| l.pred).collect();
        // ABSTRACT has shown that what is selected suffices for the proof up to this bound.
        let literals = self.sigma.literals(&self.abstraction);
        self.search.replace(&literals, self.under.height());
        self.under.raise(self.options.raise, &failing);
        match self.under.restrictions(self.t, self.rules) {
            Some(limits) => self.search.limit(limits),
            None => self.progress.forget(),
        }
    }

    /// REFINE: a refutation of the system, or an abstraction without this counterexample.
    fn refine(&mut self, counterexample: &Refutation) -> Result<Option<Refutation>, UnknownReason> {
        let start = self.context.limit.ticks();
        let counterexample = Skeleton::of(counterexample);
        debug_assert!(self.progress.is_new(&counterexample), "Theorem 2");
        self.progress.remember(&counterexample);
        let attempts = self.options.mus_attempts;
        let refined = refine(
            &self.context,
            self.rules,
            &self.sigma,
            &counterexample,
            attempts,
        )?;
        self.enter(Routine::Refine, start);
        match refined {
            Refined::Feasible(refutation) => return Ok(Some(refutation)),
            Refined::Spurious(_) if self.options.refine == Refinement::Proofs => {
                self.abstraction = self.sigma.concrete()
            }
            Refined::Spurious(missing) => self.abstraction.join(&missing),
        }
        self.take_larger_abstraction();
        Ok(None)
    }

    /// `A` has grown: SOLVE takes it from now on.
    fn take_larger_abstraction(&mut self) {
        self.largest = self.largest.max(self.abstraction.size());
        self.select_more();
    }

    /// Selects the conjuncts of `A` for the next SOLVE. `A` has not shrunk since the last
    /// selection.
    fn select_more(&mut self) {
        let literals = self.sigma.literals(&self.abstraction);
        self.search.strengthen(&literals);
    }

    /// The conjunction of the known invariants of a predicate.
    fn invariant_of(&self, pred: PredId) -> Term {
        let known = self.invariants.iter().filter(|(p, _)| *p == pred);
        self.t.and(known.map(|&(_, formula)| formula))
    }

    /// Notes what a routine has cost, which began when the meter read `start`.
    fn enter(&mut self, routine: Routine, start: u64) {
        self.ticks[routine as usize] += self.context.limit.ticks() - start;
    }

    fn report(&self) {
        (self.context.progress)(&Progress {
            engine: NAME,
            safe_depth: self.safe_depth,
            depth: self.under.bound() + 1,
            lemmas: self.invariants.len(),
            obligations: 0,
            queries: self.context.backend.queries(),
            ..Progress::default()
        });
    }

    /// Logs the measures of Table 1 and the partial results.
    fn conclude(&self) {
        let percent = |size: usize| 100 * size / self.sigma.len().max(1);
        log::info!(
            "spacer: B {}, a_f {} %, a_m {} %, {} invariants",
            self.under.bound(),
            percent(self.abstraction.size()),
            percent(self.largest),
            self.invariants.len()
        );
        for &(pred, formula) in &self.invariants {
            log::debug!(
                "spacer: invariant of predicate {}: {}",
                pred.0,
                self.t.display(formula)
            );
        }
    }
}
