//! Property-directed k-induction \[JD16\].
//!
//! An *induction frame* `F` is a set of pairs of a lemma and a counterexample. The *counterexample*
//! is a set of states from which bad states are reachable, and the *lemma* excludes it. `F` also
//! stands for the conjunction of the lemmas, which hold in all states that are reachable in at most
//! `n` steps. `PUSH` tries to show that each lemma is `F`-k-inductive: it holds after every `k`
//! steps through states of `F`.
//!
//! ```text
//! PD-KIND:
//!   F := {(¬C, C) | C is a cube of Bad}, n := 0
//!   loop:
//!     G := PUSH(F, n, k) for some k ≤ n + 1
//!     if a bad state was found:  return Unsafe
//!     if G = F:                  return Safe
//!     F := G, n := n + 1
//!
//! PUSH(F, n, k):
//!   Q := F, G := ∅
//!   while Q has a pair (L, C):
//!     if T[F]^k ∧ ¬L' is unsatisfiable:  G := G ∪ {(L, C)}, drop the pair from Q
//!     else if T[F]^k ∧ C' is satisfiable:
//!       C₂ := GENERALIZE(model, T^k ∧ C')
//!       if C₂ is reachable in n steps:   a bad state was found
//!       F, Q := F, Q ∪ {(lemma of REACH, C₂)}
//!     else:
//!       I := GENERALIZE(model of ¬L', T^k ∧ ¬L')       -- a counterexample to induction
//!       if I is reachable in n steps:    L fails later
//!         F, G := F, G ∪ {(¬C, C)}, drop the pair from Q
//!       else F, Q := F, Q ∪ {(lemma of REACH, C)}
//!   return G
//! ```
//!
//! `reach` has REACH, `induction` the queries about `T[F]^k`, and `certificate` makes an inductive
//! invariant of a k-inductive one.
//!
//! DIVERGENCE: the paper strengthens `L` to `L ∧ lemma of REACH`, one pair. Here these are two
//! pairs, and each is pushed by itself, so a lemma that fails later does not take the other one
//! with it. A lemma that fails stays in `F` until the end of `PUSH`, as it holds up to `n`. The
//! paper goes on with a greater `n` where no lemma fails sooner; here `G` holds up to `n + 1`.
//!
//! DIVERGENCE: the paper begins with one pair, `(¬Bad, Bad)`. Here *Bad* is divided into cubes, so
//! that no query has to distinguish their cases, and inputs of *Bad* are eliminated by the way.
//!
//! DIVERGENCE: lemmas of REACH are not interpolants from proofs over the whole frame, but the
//! negation of weaker cubes \[BG15\], from which literals are dropped as in IC3 \[Bra11\]. Their
//! levels are raised as in property-directed reachability \[HB12\].

mod certificate;
mod induction;
mod reach;

use super::option::{UNLIMITED, declare_options};
use super::transition::{Steps, Verdict, decide, report};
use super::{Context, Progress, transition};
use crate::chc::{Answer, System, UnknownReason};
use crate::smt::Failure;
use crate::term::{Op, Term, Terms};
use crate::work;
use induction::{Induction, LemmaId};
use reach::{Reach, Reached};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::rc::Rc;

declare_options! {
    /// Options of property-directed k-induction.
    pub struct Options {
        /// The greatest number of steps of an induction.
        max_k: u32 = 1, in 1..=UNLIMITED, from "JD16";
        /// Give up beyond frames of this number of steps from the initial states. A path that is
        /// found may be longer.
        max_depth: u32 = UNLIMITED;
        /// Take weaker cubes from the proofs that a cube is not reachable.
        weaken: bool = true, from "BG15";
        /// Drop literals of cubes that are not reachable.
        drop_literals: bool = true, from "Bra11";
        /// Raise the levels of new lemmas as far as they hold.
        raise: bool = true, from "HB12";
    }
}

/// Is the system linear?
pub fn suits(t: &Terms, system: &System) -> bool {
    transition::suits(t, system)
}

/// Decides a linear system by property-directed k-induction.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    decide(system, context, |system, context| {
        let bad = transition::bad_states(system, context)?;
        let steps = Steps::new(context.terms, system);
        let search = Search {
            context,
            steps: &steps,
            options,
            reach: Reach::new(context, &steps, options),
            induction: Induction::new(context, &steps),
            frame: Vec::new(),
            in_frame: FxHashSet::default(),
        };
        search.run(bad)
    })
}

/// States from which bad states are reachable.
struct Counterexample {
    /// The states: all of these formulas hold.
    cube: Vec<Term>,
    /// A bad state is reachable in this number of steps.
    steps: u32,
}

/// A pair of the induction frame.
#[derive(Clone)]
struct Pair {
    lemma: LemmaId,
    counterexample: Rc<Counterexample>,
}

/// The result of PUSH.
enum Pushed {
    /// A bad state is reachable in at most this number of steps.
    Invalid(u32),
    /// The frame for `n + 1`, and whether all lemmas are in it.
    Frame(Vec<Pair>, bool),
}

/// The answer to whether a lemma is `F`-k-inductive.
enum Failing<'t> {
    /// It is.
    Holds,
    /// It is not: this path leads to a state where the lemma fails.
    By(induction::Path<'t>),
    /// The budget is used up.
    NotKnown,
}

/// The budget of a query about a lemma that the frame can do without, in ticks. The value is that
/// of optional queries of `pdr`.
const PATIENCE: u64 = work::milliseconds(2_000);

/// A run of the engine.
struct Search<'a, 't> {
    context: &'a Context<'t>,
    steps: &'a Steps<'a, 't>,
    options: &'a Options,
    reach: Reach<'a, 't>,
    induction: Induction<'a, 't>,
    /// The induction frame.
    frame: Vec<Pair>,
    /// Its lemmas.
    in_frame: FxHashSet<LemmaId>,
}

impl<'t> Search<'_, 't> {
    /// PD-KIND.
    fn run(mut self, bad: Vec<Vec<Term>>) -> Result<Verdict, UnknownReason> {
        let t = self.context.terms;
        for cube in bad {
            if let Reached::In(steps) = self.reach.reach(0, &cube)? {
                return Ok(Verdict::Unsafe(steps));
            }
            let bad = Rc::new(Counterexample { cube, steps: 0 });
            self.pair(not_all(t, &bad.cube), bad);
        }
        for n in 0..self.options.max_depth {
            let k = (n + 1).min(self.options.max_k);
            self.induction.set_length(k);
            match self.push(n, k)? {
                Pushed::Invalid(steps) => return Ok(Verdict::Unsafe(steps)),
                Pushed::Frame(_, true) => return self.invariant(k),
                Pushed::Frame(frame, false) => self.set_frame(frame, n + 1),
            }
        }
        let why = "the limit on the number of steps (option max-depth) is reached";
        Err(UnknownReason::Incomplete(why.to_owned()))
    }

    /// PUSH.
    fn push(&mut self, n: u32, k: u32) -> Result<Pushed, Failure> {
        let t = self.context.terms;
        let mut queue: VecDeque<Pair> = self.frame.iter().cloned().collect();
        let (mut next, mut complete) = (Vec::new(), true);
        while let Some(pair) = queue.pop_front() {
            self.context.limit.check()?;
            self.report(n, queue.len());
            let counterexample = Rc::clone(&pair.counterexample);
            let weakest = not_all(t, &counterexample.cube);
            let is_weakest = self.induction.formula(pair.lemma) == weakest;
            let failure = match self.failure(&pair, is_weakest)? {
                Failing::Holds => {
                    next.push(pair);
                    continue;
                }
                Failing::By(path) => Some(path),
                Failing::NotKnown => None,
            };
            // T[F]^k ∧ C'
            let (path, failure) = match is_weakest {
                true => (failure, None),
                false => (
                    (self.induction).path(&counterexample.cube, "counterexample")?,
                    failure,
                ),
            };
            let new = if let Some(path) = path {
                let (cube, found) = self.reach_first(n, path)?;
                let steps = counterexample.steps + k;
                match found {
                    Reached::In(more) => return Ok(Pushed::Invalid(steps + more)),
                    Reached::Not(lemma) => (lemma, Rc::new(Counterexample { cube, steps })),
                }
            } else if let Some(path) = failure
                && let (_, Reached::Not(lemma)) = self.reach_first(n, path)?
            {
                (lemma, counterexample)
            } else {
                complete = false;
                next.push(self.pair(weakest, counterexample));
                continue;
            };
            queue.push_front(pair);
            queue.push_front(self.pair(new.0, new.1));
        }
        Ok(Pushed::Frame(next, complete))
    }

    /// Is the lemma of a pair `F`-k-inductive? The query has a budget where the frame can do
    /// without the lemma.
    fn failure(&mut self, pair: &Pair, is_weakest: bool) -> Result<Failing<'t>, Failure> {
        let limit = self.context.limit.clone();
        if !is_weakest {
            self.induction.set_limit(limit.part(PATIENCE));
        }
        let lemma = self.induction.formula(pair.lemma);
        // T[F]^k ∧ ¬L'
        let target = negation(self.context.terms, lemma);
        let found = self.induction.path(&target, "push");
        self.induction.set_limit(limit.clone());
        match found {
            Ok(Some(path)) => Ok(Failing::By(path)),
            Ok(None) => Ok(Failing::Holds),
            Err(Failure::Incomplete(_)) if !is_weakest => Ok(Failing::NotKnown),
            Err(Failure::Timeout) if !is_weakest && limit.check().is_ok() => Ok(Failing::NotKnown),
            Err(failure) => Err(failure),
        }
    }

    /// A cube of first states of paths like this one, and whether it is reachable in at most `n`
    /// steps.
    fn reach_first(
        &mut self,
        n: u32,
        mut path: induction::Path<'t>,
    ) -> Result<(Vec<Term>, Reached), Failure> {
        let cube = self.induction.first_states(&mut path)?;
        let found = self.reach.reach(n, &cube)?;
        Ok((cube, found))
    }

    /// A new pair of the frame.
    fn pair(&mut self, lemma: Term, counterexample: Rc<Counterexample>) -> Pair {
        let lemma = self.induction.add(lemma);
        let pair = Pair {
            lemma,
            counterexample,
        };
        self.insert(pair.clone());
        pair
    }

    fn insert(&mut self, pair: Pair) {
        if self.in_frame.insert(pair.lemma) {
            self.induction.extend_frame(pair.lemma);
            self.frame.push(pair);
        }
    }

    /// `F := G`, which holds up to `n`.
    fn set_frame(&mut self, frame: Vec<Pair>, n: u32) {
        self.frame.clear();
        self.in_frame.clear();
        self.induction.begin_frame();
        for pair in frame {
            if !self.in_frame.contains(&pair.lemma) {
                self.reach.add(n, self.induction.formula(pair.lemma));
            }
            self.insert(pair);
        }
    }

    /// The frame, all of whose lemmas are `F`-k-inductive, as an inductive invariant.
    fn invariant(&self, k: u32) -> Result<Verdict, UnknownReason> {
        let lemmas = self.frame.iter().map(|p| self.induction.formula(p.lemma));
        let frame: Vec<Term> = lemmas.collect();
        let invariant = certificate::invariant(self.context, self.steps, &frame, k)?;
        Ok(Verdict::Safe(invariant))
    }

    fn report(&self, n: u32, open: usize) {
        let progress = Progress {
            depth: n,
            lemmas: self.reach.lemmas,
            obligations: open,
            ..Progress::default()
        };
        report(self.context, "pdkind", n + 1, progress);
    }
}

/// That not all of the formulas hold.
fn not_all(t: &Terms, cube: &[Term]) -> Term {
    t.not(t.and(cube.iter().copied()))
}

/// Formulas that together are the negation.
fn negation(t: &Terms, formula: Term) -> Vec<Term> {
    transition::parts(t, Op::And, t.not(formula))
}
