//! Abstract interpretation \[CC77\]: over-approximations of what a system derives, predicate by
//! predicate, in numeric domains.
//!
//! A state of a predicate is an element of the product of two domains over its arguments: affine
//! hulls, that is, linear equations \[Kar76\], and bounds on templates \[SSM05\]. The templates are
//! the arguments and, where there are few arguments, their differences and sums. The least states
//! are approached from below. An SMT solver computes the effect of a clause, whatever the structure
//! of its constraint \[RSY04\]: a model of
//!
//! > the body in its present states, the constraint, and a head outside of its state
//!
//! is a point that is added to the head's state. If there is no model, the clause is closed. Affine
//! hulls grow a bounded number of times. Bounds grow along thresholds a few times, and are then
//! given up.
//!
//! DIVERGENCE: \[SSM05\] computes bounds by linear programming and \[RSY04\] the best state at each
//! step; here a widening along thresholds ends the growth of bounds early.
//!
//! Nothing here is trusted: every user of a result has the answer checked.
//!
//! Where to read: `domain` is what a [`Domain`] is, `post` the best transformer, `fixpoint` the
//! iteration over any domain; `equalities` and `bounds` are domains, and `product` combines two.
//!

mod affine;
mod bounds;
mod domain;
mod equalities;
mod fixpoint;
mod known;
mod product;
mod space;
mod thresholds;

pub use bounds::Bounds;
pub use domain::{ClausePost, Domain, Growth};
pub use equalities::{Definition, Equalities};
pub use fixpoint::fixpoint;
pub use known::{PredState, analyze};
pub use product::{Beside, Product};
pub use space::{Point, Precision, Space};
pub use thresholds::Thresholds;
