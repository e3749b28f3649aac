//! Systems of constrained Horn clauses, and answers about them \[BGMR15\].
//!
//! ```text
//! clause:   head ← body₁ ∧ … ∧ bodyₖ ∧ φ
//!           head: an atom or false; bodyᵢ: atoms; φ: quantifier-free
//! ```
//!
//! A [`System`] is satisfiable if its predicates can be interpreted such that every clause holds
//! for all values of its variables: the certificate is a [`Model`]. Otherwise `false` can be
//! derived: the certificate is a [`Refutation`], a ground derivation.
//!
//! This module does not know how answers are found.

mod answer;
mod classify;
mod fingerprint;
pub mod horn;
mod integers;
mod lemmas;
mod marks;
mod pred_graph;
mod refutation;
mod skeleton;
mod system;
mod weak_order;

pub use answer::{Answer, Interpretation, Model, Unknown, UnknownReason, is_lemma};
pub use classify::{Classification, Theories};
pub use integers::{Bounded, OverIntegers};
pub use lemmas::{lemmas_as_queries, queries_as_lemmas};
pub use pred_graph::PredGraph;
pub use refutation::{
    Abridged, AbridgedLoop, Change, Fact, FactId, Iteration, IterationPremise, IterationStep,
    Refutation,
};
pub use skeleton::{Skeleton, SkeletonError, Step};
pub use system::{Atom, Clause, ClauseId, Origin, PredId, Predicate, Span, System};
pub use weak_order::{Loop, WeakOrder};
