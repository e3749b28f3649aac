//! Engines: each decides systems of Horn clauses its own way.
//!
//! An engine is a function from a system, its options and a [`Context`] to an
//! [`Answer`](crate::chc::Answer) about that system. It may stop at any time with `unknown`; a
//! verdict carries its certificate, which whoever asked will check.

pub mod acceleration;
mod arg;
pub mod blackboard;
pub mod bmc;
mod cases;
pub mod cells;
pub mod dar;
pub mod folds;
mod graph;
pub mod imc;
pub mod impact;
pub mod induction;
pub mod kind;
pub mod option;
pub mod pdkind;
pub mod pdr;
pub mod polynomials;
pub mod predicates;
mod reduction;
mod refining;
pub mod registry;
mod rules;
mod setting_error;
mod settings;
pub mod spacer;
mod spec;
pub mod split_tpa;
pub mod splitting;
pub mod tpa;
pub mod trace;
mod transition;
pub mod trl;
mod unroll;

use crate::chc::{Model, UnknownReason};
use crate::refinement::Tally;
use crate::smt::{Backend, Failure, Limit, NoInterpolants};
use crate::transform::{LiftError, LiftFailure, Tools};
pub use arg::schools;
use blackboard::{Blackboard, Cursor};
pub use graph::{AbstractEdge, AbstractGraph, AbstractState};
pub use option::{OptionRow, OptionSet};
pub use reduction::{through, through_pass};
pub use registry::{ENGINES, EngineSettings, EngineSpec, engine_named};
pub use setting_error::SettingError;
pub use spec::{Finds, Suits};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
pub use unroll::inductive_assertions;

/// What an engine works with, beside the system and its options: the tools of passes, and more.
#[derive(Clone)]
pub struct Context<'t> {
    /// The store, the solvers, and when to stop with `unknown`.
    pub tools: Tools<'t>,
    /// Where engines publish invariants of the system and read those of others, if anywhere.
    pub board: Option<&'t Blackboard<'t>>,
    /// Called now and then, at most some hundred times a second, at every new depth, and at the
    /// end.
    pub progress: &'t dyn Fn(&Progress),
    /// Does somebody want the graph that the engine builds, if it builds one?
    pub wants_graph: bool,
    /// When to stop making the certificate of a verdict that is found; `None` if this is when
    /// everything stops.
    pub certificate_limit: Option<Limit>,
    /// When to stop writing a derivation of `false` that is known to exist; `None` as above.
    pub derivation_limit: Option<Limit>,
}

impl<'t> Context<'t> {
    /// A context without a board, whose progress is dropped.
    pub fn new(tools: Tools<'t>) -> Self {
        Context {
            tools,
            board: None,
            progress: &|_| {},
            wants_graph: false,
            certificate_limit: None,
            derivation_limit: None,
        }
    }

    /// The invariants on the board that are new since the cursor's reader looked last; `None` if
    /// there are none.
    pub fn news(&self, cursor: &mut Cursor) -> Option<Model> {
        self.board?.poll(cursor)
    }

    /// As [`Context::news`], up to the last finding of an engine other than this one.
    pub fn news_of_others(&self, engine: &str, cursor: &mut Cursor) -> Option<Model> {
        self.board?.poll_others(cursor, engine)
    }

    /// Publishes what an engine has found, while it runs, see [`Blackboard::publish`].
    pub fn publish(&self, engine: &'static str, found: impl FnOnce() -> Option<Model>) {
        if let Some(board) = self.board {
            board.publish(self, engine, found);
        }
    }

    /// Leaves what an engine has found on the board at the end of its turn, see
    /// [`Blackboard::offer`].
    pub fn offer(&self, engine: &'static str, found: impl FnOnce() -> Option<Model>) {
        if let Some(board) = self.board
            && let Some(found) = found()
        {
            board.offer(engine, &found);
        }
    }

    /// The same context with another limit.
    pub fn within(&self, limit: Limit) -> Self {
        Context {
            tools: Tools::new(self.terms, self.backend, limit),
            ..self.clone()
        }
    }

    /// The same context for making the certificate of a verdict that is found: a turn's end would
    /// lose both.
    #[must_use]
    pub fn for_certificate(&self) -> Self {
        match &self.certificate_limit {
            Some(limit) => self.within(limit.clone()),
            None => self.clone(),
        }
    }

    /// The same context for writing a derivation of `false` that is known to exist. Unlike a model,
    /// it is found for certain if there is time.
    #[must_use]
    pub fn for_derivation(&self) -> Self {
        match &self.derivation_limit {
            Some(limit) => self.within(limit.clone()),
            None => self.clone(),
        }
    }

    /// The same context with another back end.
    pub fn with_backend<'s>(&'s self, backend: &'s Backend) -> Context<'s> {
        Context {
            tools: Tools::new(self.terms, backend, self.limit.clone()),
            ..self.clone()
        }
    }
}

impl<'t> Deref for Context<'t> {
    type Target = Tools<'t>;

    fn deref(&self) -> &Tools<'t> {
        &self.tools
    }
}

/// How far an engine is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// The engine.
    pub engine: &'static str,
    /// No derivation of `false` of this height or less exists; `None` before anything is known.
    pub safe_depth: Option<u32>,
    /// The height under examination.
    pub depth: u32,
    /// Lemmas held.
    pub lemmas: usize,
    /// Proof obligations (or unrollings) open.
    pub obligations: usize,
    /// Queries asked of solvers so far; [`Statistics`](crate::smt::Statistics) has them by purpose.
    pub queries: u64,
    /// At the end: the graph that the engine has built, where it is wanted.
    pub graph: Option<Arc<AbstractGraph>>,
    /// What decided, once `bmc` or `kind` has an answer or is about to make a model.
    pub decision: Option<Decision>,
    /// Derivations without values that were refined, where an engine counts them.
    pub refined: Option<Tally>,
}

/// Which question decided a system, and at which bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The question.
    pub case: Case,
    /// The bound: `k` of k-induction, or the bound of bounded model checking.
    pub at: u32,
}

/// A question of k-induction or of bounded model checking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Case {
    /// Has `false` a derivation within the bound? It has one.
    Base,
    /// Does a derivation go beyond the bound? None does, and `false` has none within it.
    Forward,
    /// Does `false` follow after as many good facts as the bound says? It does not.
    Step,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Case::Base => "base case",
            Case::Forward => "forward condition",
            Case::Step => "step case",
        })
    }
}

impl From<LiftFailure> for UnknownReason {
    fn from(failure: LiftFailure) -> UnknownReason {
        match failure.why {
            LiftError::Limit(failure) => failure.into(),
            _ => UnknownReason::Incomplete(failure.to_string()),
        }
    }
}

impl From<LiftError> for UnknownReason {
    fn from(error: LiftError) -> UnknownReason {
        match error {
            LiftError::Limit(failure) => failure.into(),
            _ => UnknownReason::Incomplete(error.to_string()),
        }
    }
}

impl From<Failure> for UnknownReason {
    fn from(failure: Failure) -> UnknownReason {
        match failure {
            Failure::Timeout => UnknownReason::Timeout,
            Failure::Cancelled => UnknownReason::Interrupted,
            Failure::Incomplete(why) => UnknownReason::Incomplete(why),
            Failure::Unsupported(what) => UnknownReason::Unsupported(what),
            Failure::Broken(_) => UnknownReason::Solver(failure.to_string()),
        }
    }
}

impl From<NoInterpolants> for UnknownReason {
    fn from(error: NoInterpolants) -> UnknownReason {
        match error {
            NoInterpolants::Unknown(failure) => failure.into(),
            NoInterpolants::Mixed | NoInterpolants::Satisfiable => {
                UnknownReason::Incomplete(error.to_string())
            }
        }
    }
}
