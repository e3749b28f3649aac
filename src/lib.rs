//! Constrained Horn clauses (CHCs), solved with certificates.
//!
//! A system of clauses is either satisfiable, and then it has a [model](chc::Model): an
//! interpretation of each predicate under which every clause holds; or it is not, and then it has a
//! [refutation](chc::Refutation): a derivation of `false` from ground facts. [`portfolio::solve`]
//! looks for one of the two and hands out nothing that the independent checker in [`certify`] has
//! not accepted.
//!
//! ```
//! use horn::chc::Answer;
//! use horn::portfolio::{Control, Options, Stop, solve};
//! use horn::smt::Backend;
//! use horn::smt::native::NativeOptions;
//! use horn::smtlib::{Source, read_system};
//! use horn::term::Terms;
//! use std::time::Duration;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A counter that starts at 0 and goes up by twos: is it ever 6?
//! let text = "
//!     (declare-fun counter (Int) Bool)
//!     (assert (counter 0))
//!     (assert (! (forall ((x Int)) (=> (and (counter x) (< x 10)) (counter (+ x 2)))) :named up))
//!     (assert (forall ((x Int)) (=> (and (counter x) (= x 6)) false)))";
//! let t = Terms::new();
//! let system = read_system(&t, &Source::from_text("counter", text))?;
//!
//! // The embedded SMT core, which needs no other program.
//! let backend = Backend::native(NativeOptions::for_engines());
//! let options = Options { timeout: Some(Duration::from_secs(20)), ..Options::default() };
//! let stop = Stop::new(); // a clone of it ends the run from another thread
//! let solved = solve(&t, &system, &backend, &options, Control::new(&stop));
//! let Answer::Unsat(refutation) = solved.answer else { panic!("6 is reached") };
//! // It is reached by way of 0, 2 and 4.
//! let applied = refutation.facts.iter().map(|fact| system.clause_label(&t, fact.clause));
//! assert_eq!(applied.collect::<Vec<_>>(), ["clause 0", "up", "up", "up", "clause 2"]);
//! # Ok(())
//! # }
//! ```
//!
//! The feature `cli` has what the programs need, `c` has the modules `cfront` and `cverify`. Both
//! are on by default; without them the library has few dependencies.
//!
//! Citation keys such as \[KGC14\] are resolved in [`bibliography`].
//!
//! [`report`] writes certificates as text. Other front ends than SMT-LIB make a [`chc::System`]
//! themselves; other engines than those in [`engine`] are run behind the same gate by
//! [`portfolio::solve_by`].

pub mod absint;
#[doc = include_str!("bibliography.md")]
pub mod bibliography {}
pub mod certify;
#[cfg(feature = "c")]
pub mod cfront;
pub mod chc;
#[cfg(feature = "c")]
pub mod cverify;
pub mod engine;
pub mod gate;
pub mod interpreter;
pub mod logic;
pub mod number;
pub mod os;
pub mod portfolio;
pub mod problem;
pub mod refinement;
pub mod report;
pub mod smt;
pub mod smtlib;
pub mod term;
pub mod transform;
pub mod work;

/// The manual's chapter on the library, whose programs are tested like the examples here.
#[cfg(all(doctest, feature = "c"))]
#[doc = include_str!("../docs/src/library.md")]
struct Manual;
