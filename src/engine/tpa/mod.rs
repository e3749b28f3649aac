//! Transition power abstractions \[BFHS22\]: reachability in up to 2ⁿ steps, for growing n.
//!
//! ```text
//! TPA:
//!   for n = 0, 1, 2, …:
//!     while Init(x) ∧ ATr≤n(x, z) ∧ Bad(z) has a model:
//!       from, to := cubes of Init and Bad around the model
//!       if REACH(n, from, to) = s: return unsafe, by a path of the segment s
//!     if lemmas hold of paths of any length, and suffice: return safe
//! ```
//!
//! `ATr≤n` contains all paths of at most 2ⁿ steps: it is a conjunction of lemmas over the states at
//! both ends (`power`). The recursion finds out whether a path exists, or learns a lemma that says
//! that it does not (`reach`, `lemma`). Lemmas may hold of all paths (`fixpoint`).
//!
//! *Split* powers \[BFHSb22\] are relations for exactly 2ⁿ and for fewer than 2ⁿ steps. Lemmas of
//! the first may hold of all multiples of 2ⁿ steps (`cycle`).
//!
//! A path of a segment is written out step by step (`write`).

mod certificate;
mod cycle;
mod fixpoint;
mod lemma;
mod power;
mod reach;
mod segment;
mod write;

use super::option::declare_options;
use super::transition::{self, Verdict, cube, report};
use super::{Context, Progress};
use crate::chc::{Answer, System, UnknownReason};
use crate::logic::Valuation;
use crate::smt::{Failure, SatResult};
use crate::term::{Term, TermSet, Terms};
use crate::transform::TransitionSystem;
use crate::work;
pub use lemma::Lemmas;
use power::{PowerId, Powers};
use reach::Reachability;
use segment::{Segment, Segments, Way};

/// The search for invariants costs at most a half of the ticks. The value was not tuned.
const SHARE: u64 = 2;
/// This number of ticks it may cost in any case. The value was not tuned.
const LEAST: u64 = work::milliseconds(500);

declare_options! {
    /// Options of transition power abstraction.
    pub struct Options {
        /// Which interpolants become lemmas of a power: `strong` ones are near to what the powers
        /// below say, `weak` ones near to the negation of the cubes that they say are not
        /// connected; with `both`, strong ones are made as long as they cost little.
        lemmas: Lemmas = Lemmas::Both, from "BFHS22";
        /// The most queries that make the cubes of a lemma smaller.
        core_queries: u32 = 20;
        /// Give up beyond paths of 2 to the power of this number of steps.
        max_power: u32 = 60, in 0..=60;
    }
}

/// Is the system linear, so that it is a transition system?
pub fn suits(t: &Terms, system: &System) -> bool {
    transition::suits(t, system)
}

/// Which powers there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Family {
    AtMost,
    Split,
}

/// Decides a linear system by powers for at most 2ⁿ steps.
pub fn solve(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    transition::decide(system, context, |system, context| {
        Search::new(system, options, Family::AtMost, context).run()
    })
}

/// Decides a linear system by powers for exactly 2ⁿ and for fewer steps.
pub fn solve_split(system: &System, options: &Options, context: &Context<'_>) -> Answer {
    transition::decide(system, context, |system, context| {
        Search::new(system, options, Family::Split, context).run()
    })
}

/// A cube over state, and one over next state.
type CubePair = (Vec<Term>, Vec<Term>);

/// A run of the engine.
struct Search<'a, 't> {
    context: &'a Context<'t>,
    reachability: Reachability<'a, 't>,
    family: Family,
    /// The last power for paths up to a length.
    top: PowerId,
    /// Of split powers, the one for paths of that length exactly.
    exact: PowerId,
    /// The ticks of the search for invariants.
    fixpoint_ticks: u64,
}

impl<'a, 't> Search<'a, 't> {
    fn new(
        system: &'a TransitionSystem,
        options: &'a Options,
        family: Family,
        context: &'a Context<'t>,
    ) -> Self {
        let t = context.terms;
        let mut powers = Powers::new(system, context);
        let mut segments = Segments::default();
        let identity = powers.identity();
        let (top, exact) = match family {
            Family::AtMost => {
                let power = powers.add_exact(t.or([identity, system.trans]));
                (power, power)
            }
            Family::Split => {
                let less = powers.add_exact(identity);
                (less, powers.add_exact(system.trans))
            }
        };
        let stay = Segment {
            literals: t.conjuncts(identity),
            steps: 0,
            way: Way::Stay,
        };
        powers.find(top, segments.add(identity, stay));
        Search {
            context,
            reachability: Reachability {
                powers,
                segments,
                options,
                begun: context.limit.ticks(),
                strong_ticks: 0,
            },
            family,
            top,
            exact,
            fixpoint_ticks: 0,
        }
    }

    fn run(&mut self) -> Result<Verdict, UnknownReason> {
        let max_power = self.reachability.options.max_power;
        for n in 0..=max_power {
            while let Some((from, to)) = self.bad_path()? {
                self.report(n);
                if let Some(found) = self.reachability.reach(self.top, (&from, &to))? {
                    return Ok(Verdict::Reached(self.reachability.path(found)?));
                }
            }
            self.report(n + 1);
            if let Some(invariant) = self.invariant(n)? {
                return Ok(Verdict::Safe(invariant));
            }
            self.double();
        }
        let why = "the limit on the length of paths (option max-power) is reached";
        Err(UnknownReason::Incomplete(why.to_owned()))
    }

    /// An invariant from lemmas that hold of all paths; or of split powers, from lemmas that hold
    /// of all multiples of 2ⁿ steps. None is looked for if that has cost more than its share.
    fn invariant(&mut self, n: u32) -> Result<Option<Term>, Failure> {
        let before = self.context.limit.ticks();
        let all = before - self.reachability.begun;
        if self.fixpoint_ticks > LEAST + all / SHARE {
            return Ok(None);
        }
        let found = match (self.reachability.fixpoint()?, self.family) {
            (None, Family::Split) => self.reachability.cycle(n, self.top, self.exact)?,
            (found, _) => found,
        };
        self.fixpoint_ticks += self.context.limit.ticks() - before;
        Ok(found)
    }

    /// The next power.
    fn double(&mut self) {
        let powers = &mut self.reachability.powers;
        match self.family {
            Family::AtMost => self.top = powers.add_composed(self.top, self.top, None),
            Family::Split => {
                self.top = powers.add_composed(self.exact, self.top, Some(self.top));
                self.exact = powers.add_composed(self.exact, self.exact, None);
            }
        }
    }

    /// Cubes of *Init* and *Bad* that lemmas of the last power allow a path between.
    fn bad_path(&self) -> Result<Option<CubePair>, Failure> {
        let (t, powers) = (self.context.terms, &self.reachability.powers);
        let (init, bad) = (powers.system.init, self.reachability.bad());
        let said = [&[init, bad], powers.lemmas(self.top)].concat();
        let mut solver = self.reachability.solver();
        said.iter().for_each(|&formula| solver.assert(formula));
        // Init(x) ∧ ATr(x, z) ∧ Bad(z)
        match solver.check(format_args!("a bad path that lemmas allow"), &[]) {
            SatResult::Unsat => return Ok(None),
            SatResult::Unknown(failure) => return Err(failure),
            SatResult::Sat => {}
        }
        let vars = t.vars(said);
        let values = solver.values(&vars)?;
        let mut model = Valuation::new(t, vars.iter().copied().zip(values));
        let system = powers.system;
        let states: TermSet = system.state.iter().chain(&system.next).copied().collect();
        let mut end = |formula: Term| {
            let inputs = vars.iter().copied().filter(|x| !states.contains(x));
            cube(t, &mut model, inputs, &[formula])
        };
        Ok(Some((end(init)?, end(bad)?)))
    }

    /// Reports that no path of less than 2ⁿ⁻¹ steps is bad.
    fn report(&self, n: u32) {
        let powers = &self.reachability.powers;
        let name = match self.family {
            Family::AtMost => "tpa",
            Family::Split => "split-tpa",
        };
        let safe = 1_u32.checked_shl(n).unwrap_or(u32::MAX) / 2;
        let progress = Progress {
            depth: n,
            lemmas: powers.size(),
            ..Progress::default()
        };
        report(self.context, name, safe, progress);
    }
}
