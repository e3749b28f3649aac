//! The exit statuses of the programs.

/// There is a verdict, `unknown` included, or another result that the options wanted.
pub const DONE: u8 = 0;
/// The input has an error.
pub const INPUT_ERROR: u8 = 1;
/// The command line is wrong. (The parser of command lines ends programs with the same status.)
pub const USAGE_ERROR: u8 = 2;
/// The program has a fault: a panic, or a certificate that was refused.
pub const FAULT: u8 = 3;
