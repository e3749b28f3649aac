//! The embedded core, and an external solver for what the core does not decide.
//!
//! The core is asked first, with constants in place of terms that it does not support. If the query
//! is unsatisfiable even so, no other solver is needed. Otherwise, or if the core gives up, an
//! external solver gets all assertions and the query. If there is none the answer is `Unknown`.
//!
//! Where certificates are checked, an `Unsat` of the core counts only with a proof that the checker
//! of proofs accepts.

use super::follow::Frame;
use super::interpolation::outcome;
use super::native::check::Readings;
use super::native::{NativeOptions, NativeSolver, Opaque, Partitions};
use super::process::{ProcessFactory, ProcessSolver};
use super::record::Recorder;
use super::{
    Failure, Interpolant, InterpolationOptions, Interpolator, Limit, NoInterpolants, PartId,
    PartTree, ProcessCounts, SatResult, Solver,
};
use crate::term::{Term, Terms, Value};
use std::fmt::Arguments;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Makes contexts of the embedded core.
#[derive(Clone)]
pub(super) struct Router {
    options: NativeOptions,
    /// Is `Unsat` only answered when its proof was accepted?
    check_proofs: bool,
    shared: Arc<Shared>,
}

struct Shared {
    external: Option<ProcessFactory>,
    /// The directory in which each context writes its queries to a separate file.
    dump: Option<PathBuf>,
    next_context: AtomicU64,
}

/// Where there is an external solver, the core gives up a check over bit-vectors after 10,000
/// conflicts. The value was not tuned.
const CIRCUIT_CONFLICTS: u64 = 10_000;
/// A context in which the core gave up this number of checks asks the external solver first. The
/// value was not tuned.
const MOST_GIVEN_UP: u32 = 3;

impl Router {
    /// The core, with these options, and an external solver for the rest. What is asked of contexts
    /// goes to files in the directory `dump`, which exists.
    pub(super) fn new(
        options: NativeOptions,
        external: Option<ProcessFactory>,
        dump: Option<PathBuf>,
    ) -> Self {
        let mut options = options;
        if external.is_some() {
            options.budget.circuit_conflicts = CIRCUIT_CONFLICTS;
        }
        Router {
            options,
            check_proofs: false,
            shared: Arc::new(Shared {
                external,
                dump,
                next_context: AtomicU64::new(0),
            }),
        }
    }

    /// The same, where the core keeps proofs, and answers `Unsat` only if the checker accepts them.
    pub(super) fn proving(&self) -> Self {
        let mut proving = self.clone();
        proving.options.proofs = true;
        proving.check_proofs = true;
        proving
    }

    /// The external solver, if there is one.
    pub(super) fn external(&self) -> Option<&ProcessFactory> {
        self.shared.external.as_ref()
    }

    /// A new context without assertions.
    pub(super) fn solver<'t>(&self, terms: &'t Terms, name: &str) -> RoutedSolver<'t> {
        RoutedSolver {
            t: terms,
            shared: Arc::clone(&self.shared),
            check_proofs: self.check_proofs,
            name: name.to_owned(),
            native: NativeSolver::new(terms, &self.options),
            readings: Readings::default(),
            abstraction: Opaque::new(terms),
            asked: Vec::new(),
            external: None,
            frames: vec![Frame::default()],
            frames_made: 0,
            recorder: self.recorder(terms, name),
            limit: Limit::default(),
            answers: Answers::Native,
            given_up: 0,
        }
    }

    /// A new context for interpolation problems, by the embedded core alone.
    pub(super) fn interpolator<'t>(
        &self,
        terms: &'t Terms,
        name: &str,
        options: &InterpolationOptions,
    ) -> RoutedInterpolator<'t> {
        RoutedInterpolator {
            partitions: Partitions::new(terms, options),
            parts: Vec::new(),
            problems: 0,
            recorder: self.recorder(terms, name),
            limit: Limit::default(),
        }
    }

    /// A new file for what a context is asked, where such files are wanted.
    fn recorder<'t>(&self, terms: &'t Terms, name: &str) -> Option<Recorder<'t>> {
        let directory = self.shared.dump.as_deref()?;
        let number = self.shared.next_context.fetch_add(1, Ordering::Relaxed);
        Some(Recorder::create(terms, directory, number, name))
    }

    /// What happened to the processes of the external solver so far.
    pub(super) fn process_counts(&self) -> ProcessCounts {
        let external = self.shared.external.as_ref();
        external.map_or_else(ProcessCounts::default, ProcessFactory::counts)
    }
}

/// Who answered the last question.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answers {
    Native,
    External,
}

/// A context of the core that changes to an external solver when it must.
pub(super) struct RoutedSolver<'t> {
    t: &'t Terms,
    shared: Arc<Shared>,
    check_proofs: bool,
    name: String,
    native: NativeSolver<'t>,
    /// What the checks of earlier proofs have found of terms.
    readings: Readings,
    /// The replacements of formulas that the core does not support.
    abstraction: Opaque<'t>,
    /// What the core was asked in place of the assumptions of the last question, and these.
    asked: Vec<(Term, Term)>,
    /// From when the core left a question open.
    external: Option<ProcessSolver<'t>>,
    /// All assertions, by scope.
    frames: Vec<Frame>,
    frames_made: u64,
    recorder: Option<Recorder<'t>>,
    limit: Limit,
    answers: Answers,
    /// Checks over bit-vectors that the core left to the external solver.
    given_up: u32,
}

impl<'t> RoutedSolver<'t> {
    /// The external solver, told everything; `None` if there is none.
    fn external(&mut self) -> Option<&mut ProcessSolver<'t>> {
        if self.external.is_none() {
            let factory = self.shared.external.as_ref()?;
            let mut solver = factory.solver(self.t, &self.name);
            solver.set_limit(self.limit.clone());
            for (i, frame) in self.frames.iter().enumerate() {
                if i > 0 {
                    solver.push();
                }
                frame.formulas.iter().for_each(|&f| solver.assert(f));
            }
            self.external = Some(solver);
        }
        self.external.as_mut()
    }

    /// Are the assertions and the assumptions true in the core's model? Also what SMT-LIB leaves
    /// open decides nothing here.
    fn model_holds(&mut self, assumptions: &[Term]) -> bool {
        let asserted = self.frames.iter().flat_map(|frame| &frame.formulas);
        let formulas: Vec<Term> = asserted.chain(assumptions).copied().collect();
        let values = self.native.values(&formulas);
        values.is_ok_and(|values| values.iter().all(|v| *v == Value::Bool(true)))
    }

    /// `Unsat`, if the core's proof of it is accepted, and is one about these assumptions and what
    /// was asserted: with constants for terms at most.
    fn checked(&mut self) -> SatResult {
        let Some(proof) = self.native.proof() else {
            return SatResult::Unknown(Failure::Broken("there is no proof".to_owned()));
        };
        let mut told = |&f: &Term| {
            let abstracted = self.abstraction.of(f);
            (abstracted == f || self.abstraction.concrete(abstracted) == f).then_some(abstracted)
        };
        let asserted = self.frames.iter().flat_map(|frame| &frame.formulas);
        let assertions: Option<Vec<Term>> = asserted.map(&mut told).collect();
        let assumptions: Option<Vec<Term>> = self.asked.iter().map(|(_, f)| told(f)).collect();
        let (Some(assertions), Some(assumptions)) = (assertions, assumptions) else {
            let why = "constants do not stand for the terms that they replaced";
            return SatResult::Unknown(Failure::Incomplete(why.to_owned()));
        };
        match (self.readings).check(self.t, &assertions, &assumptions, &proof) {
            Ok(()) => SatResult::Unsat,
            Err(error) => {
                SatResult::Unknown(Failure::Broken(format!("its proof is refused: {error}")))
            }
        }
    }

    /// What the core answers, where it needs nothing of what it does not decide.
    fn ask_core(&mut self, about: Arguments<'_>, assumptions: &[Term]) -> SatResult {
        let pairs = assumptions.iter().map(|&f| (self.abstraction.of(f), f));
        self.asked = pairs.collect();
        let asked: Vec<Term> = self.asked.iter().map(|&(asked, _)| asked).collect();
        let outcome = self.native.check(about, &asked);
        if outcome == SatResult::Unsat && self.check_proofs {
            return self.checked();
        }
        if outcome == SatResult::Sat && !self.abstraction.is_exact() {
            let asserted = self.frames.iter().flat_map(|frame| &frame.formulas);
            let failure = self.abstraction.failure(asserted.chain(assumptions));
            if let Some(failure) = failure {
                return SatResult::Unknown(failure.clone());
            }
        }
        if cfg!(debug_assertions) && outcome == SatResult::Sat {
            assert!(self.model_holds(assumptions), "the model is wrong");
        }
        outcome
    }

    fn record_answer(&mut self, outcome: &SatResult) {
        if let Some(recorder) = &mut self.recorder {
            recorder.answer(outcome);
        }
    }

    fn current(&mut self) -> &mut dyn Solver {
        match (self.answers, &mut self.external) {
            (Answers::External, Some(external)) => external,
            _ => &mut self.native,
        }
    }
}

impl Solver for RoutedSolver<'_> {
    fn push(&mut self) {
        self.frames_made += 1;
        self.frames.push(Frame {
            id: self.frames_made,
            formulas: Vec::new(),
        });
        self.native.push();
        if let Some(external) = &mut self.external {
            external.push();
        }
    }

    fn pop(&mut self) {
        assert!(self.frames.len() > 1, "pop without push");
        self.frames.pop();
        self.native.pop();
        if let Some(external) = &mut self.external {
            external.pop();
        }
    }

    fn assert(&mut self, formula: Term) {
        let frame = self.frames.last_mut().expect("the outermost scope stays");
        frame.formulas.push(formula);
        self.native.assert(self.abstraction.of(formula));
        if let Some(external) = &mut self.external {
            external.assert(formula);
        }
    }

    fn check(&mut self, about: Arguments<'_>, assumptions: &[Term]) -> SatResult {
        if let Some(recorder) = &mut self.recorder {
            recorder.question(&self.frames, assumptions, about);
        }
        self.answers = Answers::Native;
        let outcome = match self.given_up < MOST_GIVEN_UP {
            true => self.ask_core(about, assumptions),
            false => SatResult::Unknown(Failure::Incomplete("the core gave up before".to_owned())),
        };
        let gave_up = matches!(outcome, SatResult::Unknown(Failure::Incomplete(_)));
        let is_hard = self.native.has_circuits() && self.shared.external.is_some();
        self.given_up += u32::from(gave_up && is_hard);
        self.record_answer(&outcome);
        if let SatResult::Unknown(Failure::Unsupported(_) | Failure::Incomplete(_)) = outcome
            && let Some(external) = self.external()
        {
            let outcome = external.check(about, assumptions);
            self.record_answer(&outcome);
            self.answers = Answers::External;
            return outcome;
        }
        outcome
    }

    fn values(&mut self, terms: &[Term]) -> Result<Vec<Value>, Failure> {
        if let Some(recorder) = &mut self.recorder {
            recorder.values(terms);
        }
        let values = self.current().values(terms);
        debug_assert!(
            values
                .as_ref()
                .map_or(true, |values| values.len() == terms.len()),
            "each term has its value"
        );
        values
    }

    fn core(&mut self) -> Result<Vec<Term>, Failure> {
        if let Some(recorder) = &mut self.recorder {
            recorder.core();
        }
        if self.answers == Answers::External || self.abstraction.is_exact() {
            return self.current().core();
        }
        let core = self.native.core()?;
        let pairs = self.asked.iter().filter(|(asked, _)| core.contains(asked));
        Ok(pairs.map(|&(_, assumption)| assumption).collect())
    }

    fn weaken(&mut self, cube: &[Term]) -> Option<Vec<Term>> {
        if self.answers == Answers::External || self.abstraction.is_exact() {
            return self.current().weaken(cube);
        }
        let cube: Vec<Term> = cube.iter().map(|&f| self.abstraction.of(f)).collect();
        let weaker = self.native.weaken(&cube)?.into_iter();
        Some(weaker.map(|f| self.abstraction.concrete(f)).collect())
    }

    fn set_limit(&mut self, limit: Limit) {
        self.native.set_limit(limit.clone());
        if let Some(external) = &mut self.external {
            external.set_limit(limit.clone());
        }
        self.limit = limit;
    }
}

/// A context of the core for interpolation problems.
pub(super) struct RoutedInterpolator<'t> {
    partitions: Partitions<'t>,
    /// The formulas of each part.
    parts: Vec<Vec<Term>>,
    problems: u64,
    recorder: Option<Recorder<'t>>,
    limit: Limit,
}

impl RoutedInterpolator<'_> {
    /// The problem as a question about a stack with a scope for each node.
    fn record(&mut self, about: Arguments<'_>, nodes: &[Vec<PartId>]) {
        let Some(recorder) = &mut self.recorder else {
            return;
        };
        let scope = |(number, parts): (u64, &Vec<PartId>)| {
            let of = |part: &PartId| self.parts[part.index()].iter().copied();
            Frame {
                id: (self.problems << u32::BITS) + number,
                formulas: parts.iter().flat_map(of).collect(),
            }
        };
        let scopes = (1..).zip(nodes).map(scope);
        let frames: Vec<Frame> = [Frame::default()].into_iter().chain(scopes).collect();
        recorder.question(&frames, &[], about);
    }
}

impl Interpolator for RoutedInterpolator<'_> {
    fn add(&mut self, formulas: &[Term]) -> Result<PartId, Failure> {
        let part = self.partitions.add(formulas)?;
        self.parts.push(formulas.to_vec());
        Ok(part)
    }

    fn add_for_good(&mut self, formulas: &[Term]) -> Result<PartId, Failure> {
        let part = self.partitions.add_for_good(formulas)?;
        self.parts.push(formulas.to_vec());
        Ok(part)
    }

    fn interpolants(
        &mut self,
        about: Arguments<'_>,
        tree: &PartTree,
        nodes: &[Vec<PartId>],
    ) -> Result<Vec<Interpolant>, NoInterpolants> {
        self.problems += 1;
        self.record(about, nodes);
        let found = self.partitions.interpolants(tree, nodes, &self.limit);
        if let Some(recorder) = &mut self.recorder {
            recorder.answer(&outcome(&found));
        }
        found
    }

    fn set_limit(&mut self, limit: Limit) {
        self.limit = limit;
    }
}
