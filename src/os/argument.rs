//! Limits as text on a command line.

use super::Jobs;
use std::time::Duration;

/// A time limit on a command line: a positive number of seconds, possibly with a fraction. A limit
/// that no clock reaches is no limit.
///
/// # Errors
/// A message of a few words about the fault of the text.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "not a number of seconds".to_owned())?;
    if seconds > 0.0 {
        Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    } else {
        Err("a time limit must be positive".to_owned())
    }
}

/// A number of threads; 0 means one for each processor.
///
/// # Errors
/// A message of a few words about the fault of the text.
pub fn jobs(text: &str) -> Result<Jobs, String> {
    let count = text.parse().map_err(|_| "not a number of threads")?;
    Ok(Jobs::new(count))
}
