//! Terms: values, evaluation, and the builders against a reference.

mod builders;
mod evaluation;
mod reference;
mod text;
mod values;
