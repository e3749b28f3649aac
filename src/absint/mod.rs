//! Abstract interpretation \[CC77\]: over-approximations of what a system derives, predicate by
//! predicate, in numeric domains.
//!
//! A state of a predicate is an element of an abstract domain over its arguments. The least states
//! are approached from below. An SMT solver computes the effect of a clause, whatever the structure
//! of its constraint \[RSY04\]: a model of
//!
//! > the body in its present states, the constraint, and a head outside of its state
//!
//! is a point that is added to the head's state, or lies on a path whose image is added
//! \[MG11\]. If there is no model, the clause is closed.
//!
//! The domains, in the order of what they can say:
//!
//! | module | elements | grows by |
//! |---|---|---|
//! | `equalities` | linear equations \[Kar76\], of products as well \[MOS04\] | points |
//! | `word_equations` | linear equations of bit-vectors \[MOS07\] | paths |
//! | `bounds` | bounds on arguments, and on few sums and differences \[SSM05\] | points |
//! | `congruences` | remainders \[Gra89\] | points |
//! | `intervals` | a few disjoint intervals for each number \[CC77\] | paths |
//! | `octagons` | bounds on all sums and differences \[Min06\] | paths |
//! | `polyhedra` | linear inequalities \[CH78\] | paths |
//! | `product` | elements of two domains \[CC79\] | as its parts |
//! | `partition` | an element for each part of the states \[Jea03\] | as the domain of the parts |
//!
//! `houdini` has as elements the conjunctions of given candidates \[FL01\].
//!
//! Passes use `known`: the product of equations and bounds, equations of products, and equations of
//! bit-vectors. The pass `quotients` uses congruences alone. [`Rounds`] is the generator of ever
//! more precise invariants for engines.
//!
//! DIVERGENCE: \[SSM05\] computes bounds by linear programming and \[RSY04\] the best state at each
//! step; here a widening along thresholds ends the growth of bounds early.
//!
//! Nothing here is trusted: every user of a result has the answer checked.
//!
//! Where to read: `domain` is what a [`Domain`] is, and the post of a clause; `image` the image of
//! a path, by `elimination`; `fixpoint` the iteration over any domain, upwards and then downwards;
//! `polyhedron` the double description; `guards` what the clauses compare.

mod affine;
mod bounds;
mod congruences;
mod domain;
mod elimination;
mod equalities;
mod fixpoint;
mod guards;
mod houdini;
mod image;
mod intervals;
mod known;
mod octagons;
mod partition;
mod polyhedra;
mod polyhedron;
mod product;
mod rounds;
mod space;
mod thresholds;
mod word_equations;

pub use bounds::Bounds;
pub use congruences::Congruences;
pub use domain::{ClausePost, Domain, Growth};
pub use equalities::{Definition, Equalities};
pub use fixpoint::{Fixpoint, Frontier, fixpoint};
pub use guards::{conditions, guards};
pub use houdini::inductive_part;
pub use image::Image;
pub use intervals::Intervals;
pub use known::{PredState, add_polynomials, analyze, word_equations};
pub use octagons::Octagons;
pub use partition::Partition;
pub use polyhedra::Polyhedra;
pub use product::{Beside, Product};
pub use rounds::{InvariantDomain, Rounds};
pub use space::{Condition, Point, Precision, Space};
pub use thresholds::Thresholds;
pub use word_equations::WordEquations;
