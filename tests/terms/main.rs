//! Terms: their values, and the builders against them.

mod evaluation;
mod text;
