//! Terms: values, evaluation, and the builders against a reference.

mod builders;
mod evaluation;
mod import;
mod intblast;
mod reference;
mod text;
mod values;
