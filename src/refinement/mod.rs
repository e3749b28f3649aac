//! Refinement: from a derivation without values to inductive assertions for its steps.
//!
//! The assertion of a step says something about the arguments of what it derives. The step's
//! constraint and the assertions of its premises imply it, and the root's assertion is `false`. All
//! engines that learn from spurious counterexamples get their assertions here.
//!
//! - [`Trace`] is the derivation as formulas.
//! - An [`AssertionSource`] makes the assertions: interpolants (`craig`), or postconditions or
//!   preconditions of an infeasible core (`newton`, with `infeasible`, `eliminate` and `bounds`)
//!   \[DHMNP17\], or values of arguments (`values`) \[BLW15\].
//! - Several sources are tried in turn, and the first *perfect* assertions are taken: they are
//!   inductive for all derivations by the same clauses (`perfect`).
//! - Where one source diverges, another may not: some late refinements can take an alternate one.
//! - Assertions of a part suffice: a derivation may have several infeasible sliced prefixes, each
//!   for another reason (`prefixes`) \[BLW15\]. One is chosen by what its assertions are about
//!   (`selection`, `domain_types`).
//!
//! A [`Refiner`] puts these together.

mod bounds;
mod domain_types;
mod eliminate;
mod infeasible;
mod newton;
mod perfect;
mod prefixes;
mod problems;
mod selection;
mod source;
mod trace;
mod values;

pub use domain_types::{DomainType, DomainTypes};
pub use source::{AssertionSource, Newton, NoSource, Prefixes, Sources, Transformer};
pub use trace::{Premise, Trace, TraceNode};
pub(crate) use values::has_values;

use crate::chc::{System, UnknownReason};
use crate::smt::{InterpolationOptions, NoInterpolants};
use crate::term::{Term, TermSet};
use crate::transform::Tools;
use infeasible::infeasible_core;
use prefixes::sliced_prefixes;
use problems::Problems;
use std::cell::{Cell, OnceCell, RefCell};
use trace::Part;

/// The number of refinements before the first one by the alternate source. Tried with one turn in
/// 4: with 16 in place of 8, `predicates` loses one of 58 tasks of LIA-Lin (6 s).
const EARLY: u32 = 8;
/// The alternate source has one turn in 16. Tried: with 4 in place of 16, two of the 58 are lost,
/// as preconditions add more predicates.
const PERIOD: u32 = 16;

/// Where assertions come from, and which ones.
#[derive(Clone, Debug)]
pub struct Options {
    /// The sources, in the order in which they are tried.
    pub sources: Sources,
    /// The source of some late refinements in place of these, if there is one.
    pub alternate: Option<AssertionSource>,
    /// Which prefixes of the derivation assertions are made for.
    pub prefixes: Prefixes,
    /// The most queries that make an infeasible core smaller.
    pub core_queries: u32,
    /// Which interpolants are taken.
    pub interpolation: InterpolationOptions,
    /// Are interpolants rewritten as conjunctions of clauses where that takes little time?
    pub clausal: bool,
    /// Are assertions judged, whether they are perfect, where nothing depends on it?
    pub judge: bool,
}

impl Default for Options {
    /// Interpolants of the whole derivation.
    fn default() -> Self {
        Options {
            sources: AssertionSource::Craig.into(),
            alternate: None,
            prefixes: Prefixes::Whole,
            core_queries: 0,
            interpolation: InterpolationOptions::default(),
            clausal: false,
            judge: false,
        }
    }
}

/// What has been refined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Derivations of `false` without values.
    pub refinements: u32,
    /// Those of them for which it was asked whether their assertions are perfect.
    pub judged: u32,
    /// Those of the judged ones whose assertions are perfect.
    pub perfect: u32,
    /// Sources that found no assertions.
    pub failures: u32,
}

/// What becomes of a derivation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refined {
    /// An assertion for each node, over its arguments. They are inductive, and that of the root is
    /// `false`.
    Assertions(Vec<Term>),
    /// The derivation has values.
    Feasible,
}

/// Finds assertions for derivations from a system.
pub struct Refiner<'a, 't> {
    system: &'a System,
    options: Options,
    types: OnceCell<DomainTypes>,
    tally: Cell<Tally>,
    /// Where interpolants are looked for.
    problems: RefCell<Option<Problems<'t>>>,
}

impl<'a, 't> Refiner<'a, 't> {
    /// A refiner that has done nothing so far.
    pub fn new(system: &'a System, options: Options) -> Self {
        Refiner {
            system,
            options,
            types: OnceCell::new(),
            tally: Cell::default(),
            problems: RefCell::default(),
        }
    }

    /// What has been refined so far.
    pub fn tally(&self) -> Tally {
        self.tally.get()
    }

    /// Assertions for the nodes of a trace. Interpolants assume what is known of the nodes, which
    /// is a part of the assertions then. Other sources begin with an infeasible core or with all
    /// conjuncts, and would repeat what is known in place of why it holds.
    ///
    /// # Errors
    /// A solver does not decide whether the trace is feasible, or no source has assertions, or the
    /// limit is reached.
    pub fn refine(&self, tools: &Tools<'t>, trace: &Trace) -> Result<Refined, UnknownReason> {
        let alone;
        let trace = match self.turn().sources == [AssertionSource::Craig] {
            true => trace,
            false => {
                alone = trace.without_known();
                &alone
            }
        };
        let told = trace.told(tools.terms);
        let found = match self.options.prefixes {
            Prefixes::Whole => self.of_whole(tools, trace, &told)?,
            _ => self.of_prefixes(tools, trace, &told)?,
        };
        let Some(Judged {
            assertions,
            perfect,
        }) = found
        else {
            return Ok(Refined::Feasible);
        };
        let assertions = trace.with_known(tools.terms, &assertions);
        debug_assert!(
            perfect::is_inductive(tools, trace, &assertions),
            "assertions are inductive"
        );
        if is_refutation(trace) {
            let perfect = match perfect {
                None if self.options.judge => Some(perfect::is_perfect(tools, trace, &assertions)?),
                known => known,
            };
            let mut tally = self.tally.get();
            tally.refinements += 1;
            tally.judged += u32::from(perfect.is_some());
            tally.perfect += u32::from(perfect == Some(true));
            self.tally.set(tally);
        }
        Ok(Refined::Assertions(assertions))
    }

    /// Assertions for the whole trace, which was told what is known; `None` if it is feasible.
    fn of_whole(
        &self,
        tools: &Tools<'t>,
        trace: &Trace,
        told: &Trace,
    ) -> Result<Option<Judged>, UnknownReason> {
        let Turn { sources, .. } = self.turn();
        if sources == [AssertionSource::Craig] {
            let found = self.craig(tools, told)?;
            return Ok(found.map(|assertions| Judged {
                assertions,
                perfect: None,
            }));
        }
        let core = OnceCell::new();
        if sources.first().is_some_and(|first| first.has_core()) {
            let Some(found) = infeasible_core(tools, told, self.options.core_queries)? else {
                return Ok(None);
            };
            core.get_or_init(|| found);
        } else if infeasible_core(tools, told, 0)?.is_none() {
            return Ok(None);
        }
        let whole = Part::whole(told);
        self.of_sources(tools, trace, &whole, &core).map(Some)
    }

    /// Algorithm 4 of \[BLW15\]: assertions for chosen prefixes; `None` if the trace is feasible.
    fn of_prefixes(
        &self,
        tools: &Tools<'t>,
        trace: &Trace,
        told: &Trace,
    ) -> Result<Option<Judged>, UnknownReason> {
        let most = match self.options.prefixes {
            Prefixes::First => 1,
            _ => usize::MAX,
        };
        let mut prefixes = sliced_prefixes(tools, told, most)?;
        if self.options.prefixes == Prefixes::Last {
            prefixes.drain(..prefixes.len().saturating_sub(1));
        }
        let mut found = Vec::with_capacity(prefixes.len());
        for prefix in &prefixes {
            found.push(self.of_sources(tools, trace, prefix, &OnceCell::new())?);
        }
        match self.options.prefixes {
            Prefixes::All if found.len() > 1 => {
                let t = tools.terms;
                let of_node = |node: usize| t.and(found.iter().map(|f| f.assertions[node]));
                let assertions = (0..trace.nodes.len()).map(of_node).collect();
                Ok(Some(Judged {
                    assertions,
                    perfect: None,
                }))
            }
            _ => Ok(self.choose(tools, trace, found)),
        }
    }

    /// ChooseSlicedPrefix: the assertions with the least score, of several the first.
    fn choose(&self, tools: &Tools<'t>, trace: &Trace, found: Vec<Judged>) -> Option<Judged> {
        let t = tools.terms;
        let score = |found: &Judged| {
            let assertions = &found.assertions;
            match self.options.prefixes {
                Prefixes::DomainTypes => {
                    let types = self.types.get_or_init(|| DomainTypes::of(t, self.system));
                    selection::domain_type_score(t, trace, assertions, types)
                }
                Prefixes::Depth => [selection::redone(trace, assertions), 0, 0, 0, 0],
                Prefixes::Score => [selection::size(t, assertions), 0, 0, 0, 0],
                _ => [0; 5],
            }
        };
        found.into_iter().min_by_key(score)
    }

    /// The first perfect assertions for a part of a trace that the sources of this refinement find,
    /// or the first ones. If they find none, spare sources are tried. `core` is an infeasible core
    /// of the part, once one is needed.
    fn of_sources(
        &self,
        tools: &Tools<'t>,
        whole: &Trace,
        part: &Part,
        core: &OnceCell<TermSet>,
    ) -> Result<Judged, UnknownReason> {
        let (mut first, mut why) = (None, None);
        let Turn { sources, spare } = self.turn();
        let is_one = sources.len() == 1;
        for (number, &source) in sources.iter().chain(&spare).enumerate() {
            if number >= sources.len() && first.is_some() {
                break;
            }
            let found = match self.of_source(tools, part, core, source) {
                Err(reason @ UnknownReason::Incomplete(_)) => {
                    why = Some(reason);
                    None
                }
                found => found?,
            };
            let Some(found) = found else {
                let mut tally = self.tally.get();
                tally.failures += 1;
                self.tally.set(tally);
                continue;
            };
            let assertions = part.spread(whole, &found);
            let perfect = match is_one {
                true => None,
                false => {
                    let assertions = whole.with_known(tools.terms, &assertions);
                    Some(perfect::is_perfect(tools, whole, &assertions)?)
                }
            };
            let judged = Judged {
                assertions,
                perfect,
            };
            if judged.perfect == Some(true) {
                return Ok(judged);
            }
            first.get_or_insert(judged);
        }
        let unknown = || {
            let unknown = "no source has assertions along an infeasible derivation";
            why.unwrap_or_else(|| UnknownReason::Incomplete(unknown.to_owned()))
        };
        first.ok_or_else(unknown)
    }

    /// Assertions for a part that a source finds, if it finds any.
    fn of_source(
        &self,
        tools: &Tools<'t>,
        part: &Part,
        core: &OnceCell<TermSet>,
        source: AssertionSource,
    ) -> Result<Option<Vec<Term>>, UnknownReason> {
        let trace = &part.trace;
        match source {
            AssertionSource::Craig => self.craig(tools, trace),
            AssertionSource::Newton(variant) if variant.core => {
                let core = self.core(tools, part, core)?;
                let is_needed = |node: usize, at| core.contains(&trace.nodes[node].conjuncts[at]);
                let kept = trace.part(trace.root(), is_needed);
                Ok(newton::assertions(tools, &kept.trace, variant)?)
            }
            AssertionSource::Newton(variant) => Ok(newton::assertions(tools, trace, variant)?),
            AssertionSource::Values => Ok(values::assertions(tools, trace)?),
        }
    }

    /// The sources of the present refinement.
    fn turn(&self) -> Turn {
        let own = self.options.sources.list();
        let late = self.tally.get().refinements.checked_sub(EARLY);
        let is_late_turn = late.is_some_and(|late| late.is_multiple_of(PERIOD));
        let alternate = self.options.alternate.filter(|_| is_late_turn);
        let sources = alternate.map_or_else(|| own.to_vec(), |alternate| vec![alternate]);
        let spare = own.iter().copied().chain([AssertionSource::Craig]);
        Turn {
            spare: spare.filter(|source| !sources.contains(source)).collect(),
            sources,
        }
    }

    /// An infeasible core of a part that is infeasible.
    fn core<'c>(
        &self,
        tools: &Tools<'t>,
        part: &Part,
        known: &'c OnceCell<TermSet>,
    ) -> Result<&'c TermSet, UnknownReason> {
        if let Some(core) = known.get() {
            return Ok(core);
        }
        let found = infeasible_core(tools, &part.trace, self.options.core_queries)?;
        let found = found.ok_or_else(|| {
            let why = "a derivation has values by one solver and none by another";
            UnknownReason::Incomplete(why.to_owned())
        })?;
        Ok(known.get_or_init(|| found))
    }

    /// Tree interpolants; `None` if the trace is feasible.
    fn craig(&self, tools: &Tools<'t>, trace: &Trace) -> Result<Option<Vec<Term>>, UnknownReason> {
        let mut problems = self.problems.borrow_mut();
        let problems = problems.get_or_insert_with(|| Problems::new(tools, &self.options));
        match problems.interpolants(tools, trace) {
            Ok(mut found) => {
                found.push(Term::FALSE);
                Ok(Some(found))
            }
            Err(NoInterpolants::Satisfiable) => Ok(None),
            Err(why) => Err(why.into()),
        }
    }
}

/// Does a derivation derive `false`? Engines also ask about other conclusions, which are no
/// counterexamples.
fn is_refutation(trace: &Trace) -> bool {
    trace.nodes[trace.root()].pred.is_none()
}

/// The sources of one refinement.
struct Turn {
    /// The ones that are tried.
    sources: Vec<AssertionSource>,
    /// The ones for where these find no assertions.
    spare: Vec<AssertionSource>,
}

/// Assertions, and whether they are perfect, if that is known.
struct Judged {
    assertions: Vec<Term>,
    perfect: Option<bool>,
}
