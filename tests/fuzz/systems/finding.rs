//! What the parties say of a system, and whether it fits together.

use horn::chc::Refutation;
use std::fmt;

/// What one of the parties says.
#[derive(Debug)]
pub(super) enum Verdict {
    Sat,
    /// With the height of the refutation, where there is one.
    Unsat(Option<u32>),
    Unknown,
}

/// What one of the parties knows of a system.
pub(super) struct Finding {
    pub(super) who: String,
    pub(super) verdict: Verdict,
    /// `false` is said to have no derivation of this height.
    pub(super) safe_depth: u32,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (who, verdict, safe) = (&self.who, &self.verdict, self.safe_depth);
        write!(f, "{who}: {verdict:?}, safe up to height {safe}")
    }
}

/// The number of rule applications above one another.
pub(super) fn height(refutation: &Refutation) -> u32 {
    let mut heights: Vec<u32> = Vec::with_capacity(refutation.facts.len());
    for fact in &refutation.facts {
        let premises = fact.premises.iter().map(|p| heights[p.index()]);
        heights.push(1 + premises.max().unwrap_or(0));
    }
    heights.last().copied().unwrap_or(0)
}

/// How many say sat, how many unsat.
pub(super) fn count(findings: &[Finding]) -> (usize, usize) {
    let count = |is: fn(&Verdict) -> bool| findings.iter().filter(|f| is(&f.verdict)).count();
    (
        count(|v| matches!(v, Verdict::Sat)),
        count(|v| matches!(v, Verdict::Unsat(_))),
    )
}

/// Are these findings free of contradictions?
///
/// # Errors
/// What everybody says, if some do: on the verdict, or on the height of a refutation.
pub(super) fn agree(findings: &[Finding]) -> Result<(), String> {
    let (sat, unsat) = count(findings);
    let safe = findings.iter().map(|f| f.safe_depth).max().unwrap_or(0);
    let too_low = |f: &Finding| matches!(f.verdict, Verdict::Unsat(Some(h)) if h <= safe);
    if sat > 0 && unsat > 0 || findings.iter().any(too_low) {
        let all: Vec<String> = findings.iter().map(Finding::to_string).collect();
        return Err(all.join("; "));
    }
    Ok(())
}
