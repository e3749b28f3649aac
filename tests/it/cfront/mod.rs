//! The C front end: tables of programs with their verdicts, what is not supported, invariants and
//! runs as words about C, witnesses, and the benchmark programs where they are at hand.

mod arrays;
mod benchmarks;
mod checker;
mod cli;
mod confirm;
mod constants;
mod dialect;
mod errors;
mod evaluation;
mod explain;
mod extents;
mod floats;
mod layouts;
mod lengths;
mod library;
mod outside;
mod own;
mod papers;
mod pointers;
mod properties;
mod ranges;
mod support;
mod traces;
mod unions;
mod validate;
mod verdicts;
mod verify;
mod witness;
