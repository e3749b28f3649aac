//! Terms: values, evaluation, and the builders against a reference.

mod builders;
mod evaluation;
mod import;
mod reference;
mod text;
mod values;
