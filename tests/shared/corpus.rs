//! The project's own systems.

/// The text of a file of `horn-benchmarks/`.
///
/// # Panics
/// There is no such file.
pub(crate) fn corpus(file: &str) -> String {
    let path = format!("{}/horn-benchmarks/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}
