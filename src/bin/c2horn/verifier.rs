//! What the verification of a program works with.

use horn::cfront::CProgram;
use horn::portfolio::{Control, Options};
use horn::smt::Backend;

/// A program to verify, and how.
pub(crate) struct Verifier<'a> {
    pub(crate) program: &'a CProgram,
    pub(crate) backend: &'a Backend,
    pub(crate) options: &'a Options,
    pub(crate) control: Control<'a>,
    /// Is there no `TRUE` where the machine comes to the error, though by signed operations that
    /// overflow?
    pub(crate) asks_machine: bool,
}
