//! Terms: their values, and the builders against them.

mod builders;
mod evaluation;
mod reference;
mod text;
