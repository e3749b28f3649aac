//! Preprocessing: what passes make of systems, and that certificates of what they make come back as
//! certificates of what they were given, which the checker accepts.

mod corpus;
mod lift;
mod linearise;
mod passes;
mod random;
