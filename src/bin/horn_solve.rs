//! The command line of the Horn solver.

fn main() {}
