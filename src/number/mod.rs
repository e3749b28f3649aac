//! Exact rational numbers.
