//! Witnesses of any tool: are they right?
//!
//! A proof's invariants are errors of the program where they do not hold, so that the verifier's
//! verdict is about them and the property together. A violation restricts the runs to the error.
//! Runs are first sought where each waypoint is passed as soon as it can be
//! ([`Reading::Strict`](crate::cfront::Reading)), which leaves few runs, and then among all runs
//! that agree with the witness.

use super::verdict::{Verdict, Verified};
use super::verifier::{Done, Session, Verifier};
use crate::cfront::{CProgram, EncodeOptions, RunEnd, WitnessKind};
use crate::work::milliseconds;

/// The strict reading of a violation has these ticks, about 10 s, and at most half of what is left.
/// The value was not tuned.
const STRICT: u64 = milliseconds(10_000);

/// What is known of a witness.
#[derive(Clone, Debug)]
pub enum Validity {
    /// A proof: the invariants hold, and no run reaches the error. A violation: a run to the error
    /// agrees with it.
    Confirmed,
    /// A proof: the run of the verdict violates an invariant, or reaches the error. A violation: no
    /// run agrees with it.
    Refuted,
    /// Neither was shown, for this reason.
    Unknown(String),
    /// The verifier or an engine has a fault.
    Fault(String),
}

/// What is known of a witness, by which verdict about the program with its claims.
#[derive(Clone, Debug)]
pub struct Validated {
    /// Is the witness right?
    pub validity: Validity,
    /// The verdict, and what it has cost.
    pub verified: Verified,
}

impl Verifier<'_> {
    /// Validates a witness. The verifier's program is the one with the witness's claims, in the
    /// full reading; `strict` is the one in the strict reading, where that is another.
    pub fn validate(
        &self,
        kind: WitnessKind,
        strict: Option<&CProgram>,
        encoding: EncodeOptions,
    ) -> Validated {
        let (mut ticks, mut questions) = (0, 0);
        if let (WitnessKind::Violation, Some(program)) = (kind, strict) {
            let verified = self.first(program, encoding);
            if matches!(verified.verdict, Verdict::False(_) | Verdict::Fault(_)) {
                return judged(kind, verified);
            }
            (ticks, questions) = (verified.ticks, verified.questions);
        }
        let rest = self
            .options
            .budget
            .map(|budget| budget.saturating_sub(ticks));
        let options = crate::portfolio::Options {
            budget: rest,
            ..self.options.clone()
        };
        let verifier = Verifier {
            options: &options,
            ..*self
        };
        let mut verified = verifier.verify(encoding);
        verified.ticks += ticks;
        verified.questions += questions;
        judged(kind, verified)
    }

    /// The verdict about the strict reading, as far as it is found in its part of the limits.
    fn first(&self, program: &CProgram, encoding: EncodeOptions) -> Verified {
        let done = Done::default();
        let left = Session::new(self, &done).limit.expected_left();
        let options = crate::portfolio::Options {
            budget: Some(left.map_or(STRICT, |left| STRICT.min(left / 2))),
            ..self.options.clone()
        };
        let verifier = Verifier {
            program,
            options: &options,
            ..*self
        };
        verifier.verify(encoding)
    }
}

/// What a verdict means for a witness.
fn judged(kind: WitnessKind, verified: Verified) -> Validated {
    let validity = match (&verified.verdict, kind) {
        (Verdict::True { .. }, WitnessKind::Correctness)
        | (Verdict::False(_), WitnessKind::Violation) => Validity::Confirmed,
        (Verdict::True { .. }, WitnessKind::Violation)
        | (Verdict::False(_), WitnessKind::Correctness) => Validity::Refuted,
        (Verdict::Unknown(reason), _) => Validity::Unknown(reason.clone()),
        (Verdict::Fault(reason), _) => Validity::Fault(reason.clone()),
    };
    debug_assert!(
        kind == WitnessKind::Correctness
            || !matches!(&verified.verdict, Verdict::False(run) if matches!(run.end, RunEnd::Invariant(..))),
        "a violation has no invariants"
    );
    Validated { validity, verified }
}
