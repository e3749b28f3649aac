//! The statistics of a script as one line.

use horn::interpreter::Tally;
use horn::report::StatsFormat;
use serde_json::json;

/// The figures of a script, which ran on this solver. Times are seconds.
pub(crate) fn line(tally: &Tally, format: StatsFormat, file: &str, solver: &str) -> String {
    let (checks, sat, unsat, unknown) = (tally.checks(), tally.sat, tally.unsat, tally.unknown);
    let solving = tally.solving.as_secs_f64();
    let total = tally.total().as_secs_f64();
    let rate = checks as f64 / solving.max(1e-9);
    match format {
        StatsFormat::Json => json!({
            "checks": checks,
            "sat": sat,
            "unsat": unsat,
            "unknown": unknown,
            "solver_time": solving,
            "total_time": total,
            "checks_per_second": rate,
            "unknown_reasons": tally.reasons,
            "file": file,
            "solver": solver,
        })
        .to_string(),
        StatsFormat::Text => {
            let reasons = tally.reasons.iter().map(|(why, n)| format!("{why}: {n}"));
            let reasons: Vec<String> = reasons.collect();
            let reasons = match &reasons[..] {
                [] => String::new(),
                some => format!(" ({})", some.join("; ")),
            };
            format!(
                "; {file}: {checks} checks in {solving:.3} s of {solver} ({rate:.1}/s), {total:.3} s in all: \
                 {sat} sat, {unsat} unsat, {unknown} unknown{reasons}"
            )
        }
    }
}
