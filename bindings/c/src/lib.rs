//! The C interface of the solver: `libhorn`, with the header `include/horn.h`.
//!
//! The functions are thin: [`solver::problem`] does everything. What is here is the border to C. A
//! call from C arrives in `boundary`, where pointers become references, a panic becomes an error,
//! and errors are kept for [`horn_error`].
//!
//! Invariant: no panic leaves a function of this crate. Enforced by `nothing_unwinds_into_c`.

mod boundary;
mod node;
mod outcome;
mod problem;
mod stop;
#[cfg(test)]
mod tests;

pub use boundary::HornProblem;
pub use node::*;
pub use outcome::*;
pub use problem::*;
pub use stop::*;

/// C may use the objects from any thread.
const _: () = {
    const fn any_thread<T: Send + Sync>() {}
    any_thread::<HornProblem>();
    any_thread::<HornOutcome>();
    any_thread::<HornStop>();
};
