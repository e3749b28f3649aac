//! Abstract interpretation: what holds of everything that a system derives, predicate by predicate, in numeric domains.
//!
//! A state of a predicate is an element of the product of two domains over its arguments: affine hulls, that is, linear
//! equations (\[Kar76\]: Karr, Affine Relationships Among Variables of a Program, 1976), and bounds on templates (\[SSM05\]:
//! Sankaranarayanan, Sipma, Manna, Scalable Analysis of Linear Systems Using Mathematical Programming, 2005), here the
//! arguments and, where these are few, their differences and sums. The least states are approached from below. What a
//! clause derives is computed exactly, whatever the structure of its constraint, by questions to an SMT solver (\[RSY04\]:
//! Reps, Sagiv, Yorsh, Symbolic Implementation of the Best Transformer, 2004): a model of
//!
//! > the body in its present states, the constraint, and a head outside of its state
//!
//! is a point to be added to the head's state; where there is none, the clause is closed. Affine hulls grow a bounded
//! number of times; bounds grow along thresholds, a few times, and are given up.
//!
//! Where to read: `domain` is what a [`Domain`] is, `post` the best transformer, `fixpoint` the iteration over any domain;
//! `equalities` and `bounds` are domains, and `product` combines two.
//!
//! Nothing here is trusted: whoever uses what is found has the answer checked.

mod affine;
mod bounds;
mod domain;
mod equalities;
mod fixpoint;
mod known;
mod post;
mod product;
mod space;

pub use bounds::{Bounds, Thresholds};
pub use domain::{Domain, Growth};
pub use equalities::{Definition, Equalities};
pub use fixpoint::fixpoint;
pub use known::{Known, analyze};
pub use post::ClausePost;
pub use product::{Beside, Product};
pub use space::{Point, Precision, Space};
