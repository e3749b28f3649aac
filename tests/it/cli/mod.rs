//! The command line, as a user meets it: arguments and input, then standard output, standard error
//! and exit status.
//!
//! Most of it needs an SMT solver, which `scripts/setup` installs.

mod alethe;
mod answers;
mod certificates;
mod clause_proofs;
mod ending;
mod hostile;
mod lemmas;
mod page;
mod personalities;
mod session;
mod solidity;
mod usage;
mod z3;

use crate::program::Program;

const HORN_SOLVE: Program = Program::new(env!("CARGO_BIN_EXE_horn-solve"));

/// `inv` counts up to `n`; the query is whether it can pass.
const SAFE: &str = "(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (n Int)) (=> (and (= x 0) (>= n 0)) (inv x n))))
(assert (! (forall ((x Int) (n Int)) (=> (and (inv x n) (< x n)) (inv (+ x 1) n))) :named step))
(assert (forall ((x Int) (n Int)) (=> (and (inv x n) (> x n)) false)))
(check-sat)
";

/// `inv` counts to 3, which is not allowed.
const UNSAFE: &str = "(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (inv x))))
(assert (! (forall ((x Int)) (=> (and (inv x) (< x 5)) (inv (+ x 1)))) :named step))
(assert (forall ((x Int)) (=> (and (inv x) (= x 3)) false)))
(check-sat)
";
