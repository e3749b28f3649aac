//! The verifier of C programs: from a program to `TRUE` with invariants, or `FALSE` with a run.
//!
//! ```text
//! CProgram ──encode──► System ──portfolio──► Model ──► invariants; can an operation overflow?
//!    ▲                                  └──► Refutation ──► a run, or another encoding
//!    └───────────────── another encoding ─────────────────────────┘
//! ```
//!
//! A [`Verifier`] encodes a program, has the system solved, and reads the certificate as words
//! about the program. If an encoding was too coarse, it encodes anew: with integers that wrap
//! around, over bit-vectors, with separate objects behind pointers from outside, or without the
//! constructs that are not supported. `search` says when.
//!
//! ```
//! use horn::cfront::{CProgram, DataModel, EncodeOptions};
//! use horn::cverify::{Verdict, Verifier};
//! use horn::portfolio::{Control, Options, Stop};
//! use horn::smt::Backend;
//! use horn::smt::native::NativeOptions;
//!
//! # fn main() -> Result<(), horn::cfront::CError> {
//! let text = "int main(void) { int x = 0; while (x < 10) x++; \
//!     if (x != 10) { ERROR: return 1; } return 0; }";
//! let program = CProgram::read("ten.c", text.as_bytes(), None, DataModel::Lp64)?;
//! let stop = Stop::new();
//! let verifier = Verifier {
//!     program: &program,
//!     backend: &Backend::native(NativeOptions::for_engines()),
//!     options: &Options::default(),
//!     control: Control::new(&stop),
//!     asks_machine: true,
//! };
//! let verified = verifier.verify(EncodeOptions::default());
//! let Verdict::True { invariants, .. } = verified.verdict else { panic!("it is safe") };
//! assert_eq!(invariants.len(), 1, "one for the loop");
//! # Ok(())
//! # }
//! ```
//!
//! Every verdict rests on a certificate that [`crate::portfolio`] has had checked. Budgets are in
//! ticks ([`crate::work`]): with one job and no limit a program has the same verdict, with the same
//! invariants or the same run, on every machine.
//!
//! Where to read: `search` is the loop, `plan` is what is asked next and for how long, `overflow`
//! is the question after a proof, `verifier` asks the portfolio. `validate` judges witnesses.
//! `termination` and `rank` are about programs that end, or do not. `checker` asks about several
//! properties, and `assumption` about what a proof leaves out. `confirm` executes a run, and
//! `interpret` has the invariants of abstract interpretation alone.

mod assumption;
mod checker;
mod confirm;
mod interpret;
mod minimise;
mod overflow;
mod plan;
mod rank;
mod search;
mod termination;
mod validate;
mod verdict;
mod verifier;

pub use assumption::{Assumption, Behaviour};
pub use checker::{Checker, Fate, Finding, Violation};
pub use confirm::Confirmation;
pub use interpret::{InterpretationError, Interpreted};
pub use overflow::Overflow;
pub use termination::{LoopBound, Terminated, Termination};
pub use validate::{Validated, Validity};
pub use verdict::{Verdict, Verified};
pub use verifier::Verifier;
