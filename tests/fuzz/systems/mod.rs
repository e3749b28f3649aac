//! Random small Horn systems, decided by every engine and by Z3's own Horn solver: no two may
//! contradict each other, no certificate may be refused, nothing may panic, and no engine may find
//! its solver's model wrong.
//!
//! The systems go through the reader as text, the answers through the gate of certificates. A
//! failure is shrunk to a small system, which is printed, and belongs into `horn-benchmarks/`,
//! named after its cause.
//!
//! `variants` writes systems in other ways, which must not change a verdict.
//!
//! Environment variables for longer runs:
//!
//! - `HORN_FUZZ_CASES`: how many systems (default: 100);
//! - `HORN_FUZZ_SEED`: any number; the same gives the same systems (default: 1);
//! - `HORN_FUZZ_PARTIES`: how many engines decide each system, drawn at random with the passes of
//!   preprocessing that they use (default: all of them, with fixed passes);
//! - `HORN_FUZZ_BUDGET`: the budget of each, in milliseconds' worth of ticks (default: 500);
//! - `HORN_FUZZ_Z3`: the percentage of systems that are given to Z3 (default: 100).
//!
//! For example `HORN_FUZZ_CASES=5000 HORN_FUZZ_SEED=7 cargo test --test fuzz systems:: --
//! --nocapture`. `scripts/campaign` makes such runs and keeps their figures.

mod finding;
mod party;
mod variants;

use crate::random::Random;
use crate::{harness, system};
use finding::{Finding, Verdict, agree, count};
use horn::work::milliseconds;
use party::{Backends, Party};
use proptest::test_runner::{TestCaseError, TestCaseResult};
use std::cell::RefCell;

const CASES: u32 = 100;
const SEED: u64 = 1;
/// The budget of each engine for each system, in milliseconds' worth of ticks. So what is found
/// depends on the seed alone.
const BUDGET: u64 = 500;
/// At least this part of the systems is to be decided by our engines, in percent.
const DECIDED_FLOOR: u32 = 90;

/// How many systems got which verdict.
#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    cases: u32,
    sat: u32,
    unsat: u32,
    /// Those by a refutation higher than a fact and a query.
    deep: u32,
    /// Answers of our engines with a certificate.
    answers: u32,
    /// Answers of Z3's Horn solver.
    by_z3: u32,
    /// By Z3's Horn solver, of the systems that our engines left open.
    only_z3: u32,
}

/// What is asked of each system.
struct Comparison {
    backends: Backends,
    /// The engines, or how many of them are drawn for each system.
    parties: Result<Vec<Party>, usize>,
    budget: u64,
    z3_percent: usize,
}

impl Comparison {
    /// As the environment says.
    fn from_environment() -> Self {
        let drawn = harness::environment("HORN_FUZZ_PARTIES", 0);
        Comparison {
            backends: Backends::find(),
            parties: match drawn {
                0 => Ok(Party::all()),
                _ => Err(drawn),
            },
            budget: milliseconds(harness::environment("HORN_FUZZ_BUDGET", BUDGET)),
            z3_percent: harness::environment("HORN_FUZZ_Z3", 100),
        }
    }

    /// Lets everybody decide the system, and compares.
    fn check(&self, text: &str, tally: &mut Tally) -> TestCaseResult {
        let findings = self.ours(text)?;
        let ours = count(&findings);
        let asks_z3 = Random::of(1, checksum(text)).percent(self.z3_percent);
        let z3 = asks_z3.then(|| self.backends.z3(text)).flatten();
        let by_z3 = z3
            .as_ref()
            .map(|z3| !matches!(z3.verdict, Verdict::Unknown));
        let findings: Vec<Finding> = findings.into_iter().chain(z3).collect();
        agree(&findings).map_err(TestCaseError::fail)?;
        tally.cases += 1;
        tally.sat += u32::from(ours.0 > 0);
        tally.unsat += u32::from(ours.1 > 0);
        let deep = |f: &Finding| matches!(f.verdict, Verdict::Unsat(Some(h)) if h > 2);
        tally.deep += u32::from(findings.iter().any(deep));
        tally.answers += u32::try_from(ours.0 + ours.1).expect("parties are few");
        tally.by_z3 += u32::from(by_z3 == Some(true));
        if ours == (0, 0) && by_z3 == Some(true) {
            if self.parties.is_ok() {
                println!("only Z3's Horn solver decides this:\n{text}");
            }
            tally.only_z3 += 1;
        }
        Ok(())
    }

    /// What our engines say.
    fn ours(&self, text: &str) -> Result<Vec<Finding>, TestCaseError> {
        let native = &self.backends.native;
        let mut findings = Vec::new();
        match &self.parties {
            Ok(parties) => {
                for party in parties {
                    findings.extend(party.decide(text, native, self.budget)?);
                }
                if let Some(external) = &self.backends.external {
                    // The first engine of the registry.
                    let found = parties[1].decide(text, external, self.budget)?;
                    findings.extend(found.map(|found| Finding {
                        who: format!("{}, externally", found.who),
                        ..found
                    }));
                }
            }
            &Err(number) => {
                let mut random = Random::of(0, checksum(text));
                for _ in 0..number {
                    let party = Party::any(&mut random);
                    findings.extend(party.decide(text, native, self.budget)?);
                }
            }
        }
        Ok(findings)
    }
}

/// A number that a text determines (FNV-1a).
fn checksum(text: &str) -> u64 {
    let step = |sum: u64, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

#[test]
fn engines_and_z3_agree() {
    let comparison = Comparison::from_environment();
    let cases = harness::environment("HORN_FUZZ_CASES", CASES);
    let seed = harness::environment("HORN_FUZZ_SEED", SEED);
    let tally = RefCell::new(Tally::default());
    let outcome = harness::runner(cases, seed).run(&system::system(), |system| {
        comparison.check(&system.to_string(), &mut tally.borrow_mut())
    });
    let tally = tally.into_inner();
    println!("seed {seed}: {tally:?}");
    if let Err(error) = outcome {
        panic!("seed {seed}: {error}");
    }
    let decided = tally.sat + tally.unsat;
    assert!(
        tally.cases >= cases
            && (comparison.parties.is_err() || decided * 100 >= tally.cases * DECIDED_FLOOR),
        "too few are decided: {tally:?}"
    );
}
