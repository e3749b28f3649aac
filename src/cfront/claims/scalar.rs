//! Scalars of YAML as texts: `true`, `"true"` and `'true'` are the same.

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use std::fmt;

/// A scalar as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Scalar(pub(super) String);

struct ScalarVisitor;

impl Visitor<'_> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a number or a truth value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Scalar, E> {
        // The version `2.0` is a number to YAML.
        Ok(Scalar(format!("{value:?}")))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Scalar, E> {
        Ok(Scalar(value.to_owned()))
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scalar, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}
