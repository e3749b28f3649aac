//! Random small Horn systems, decided by every engine and by Z3's own Horn solver: no two may
//! contradict each other, no certificate may be refused, nothing may panic, and no engine may find
//! its solver's model wrong.
//!
//! The systems go through the reader as text, the answers through the gate of certificates. A
//! failure is shrunk to a small system, which is printed, and belongs into `horn-benchmarks/`,
//! named after its cause.
//!
//! Environment variables for longer runs:
//!
//! - `HORN_FUZZ_CASES`: how many systems (default: 150);
//! - `HORN_FUZZ_SEED`: any number; the same gives the same systems (default: 1).
//!
//! For example `HORN_FUZZ_CASES=5000 HORN_FUZZ_SEED=7 cargo test --test fuzz systems:: --
//! --nocapture`.

use crate::solvers::solver_found;
use crate::{harness, system};
use horn::chc::{Answer, Refutation, UnknownReason};
use horn::portfolio::{Choice, Control, Jobs, Options, Stop, solve};
use horn::smt::native::NativeOptions;
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, find_solver};
use horn::smtlib::{Source, read_system};
use horn::term::Terms;
use horn::transform;
use horn::work::milliseconds;
use proptest::test_runner::{TestCaseError, TestCaseResult};
use std::cell::RefCell;
use std::fmt;
use std::io::Write;
use std::process::{Command, Stdio};

const CASES: u32 = 150;
const SEED: u64 = 1;
/// The budget of each engine for each system, in ticks. So what is found depends on the seed alone.
const BUDGET: u64 = milliseconds(500);
/// Unrollings beyond this height tell little about small systems.
const BMC_DEPTH: u32 = 6;
/// Settings of `spacer` under which under-approximations bound the iterations of loops, as in a
/// turn of `auto`. By default they bound the height of derivations.
const BY_COUNTERS: &[&str] = &["spacer.bounding=counters", "spacer.granularity=conjuncts"];
/// Settings of `bmc` under which it unrolls linear systems from their facts on.
const FORWARD: &[&str] = &["bmc.direction=forward"];
/// Why an engine that finds models may give up on a small system: k-induction ends at its bound, or
/// finds no model, and not every system has a loop that counts.
const EXCUSES: [&str; 4] = [
    "the limit on the length of paths (option max-k) is reached",
    "k-induction holds, but no model was made",
    "a model by k-induction would have ",
    "no loop was accelerated",
];
/// At least this part of the systems is to be decided by our engines, in percent.
const DECIDED_FLOOR: u32 = 90;

/// What one of the parties says.
#[derive(Debug)]
enum Verdict {
    Sat,
    /// With the height of the refutation, where there is one.
    Unsat(Option<u32>),
    Unknown,
}

/// What one of the parties knows of a system.
struct Finding {
    who: String,
    verdict: Verdict,
    /// `false` is said to have no derivation of this height.
    safe_depth: u32,
}

/// How many systems got which verdict.
#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    cases: u32,
    sat: u32,
    unsat: u32,
    /// Those by a refutation higher than a fact and a query.
    deep: u32,
    /// By Z3's Horn solver, of the systems that our engines left open.
    only_z3: u32,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (who, verdict, safe) = (&self.who, &self.verdict, self.safe_depth);
        write!(f, "{who}: {verdict:?}, safe up to height {safe}")
    }
}

/// One of our engines, and how it works.
#[derive(Clone, Copy)]
struct Party {
    engine: Choice,
    jobs: usize,
    /// Settings that differ from the default.
    settings: &'static [&'static str],
    preprocess: bool,
}

impl Party {
    /// All parties: each engine alone, `auto` by two threads, SPACER with counters, and bounded
    /// model checking forwards.
    ///
    /// `auto` and the first engine preprocess, and the others do not, so that preprocessing is
    /// compared with its absence.
    fn all() -> Vec<Party> {
        let alone = |(at, engine)| Party {
            engine,
            jobs: 1,
            settings: &[],
            preprocess: at < 2,
        };
        let mut parties: Vec<Party> = Choice::all().enumerate().map(alone).collect();
        parties.push(Party {
            jobs: 2,
            ..parties[0]
        });
        for (engine, settings) in [("spacer", BY_COUNTERS), ("bmc", FORWARD)] {
            parties.push(Party {
                engine: Choice::from_name(engine).expect("it is registered"),
                jobs: 1,
                settings,
                preprocess: false,
            });
        }
        parties
    }
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.engine)?;
        if self.jobs > 1 {
            write!(f, " with {} jobs", self.jobs)?;
        }
        self.settings.iter().try_for_each(|set| write!(f, " {set}"))
    }
}

struct Parties {
    /// Our engines with the core.
    engines: Vec<Party>,
    /// The core of our own, which is what the engines use by default.
    native: Backend,
    /// An external solver, where there is one.
    external: Option<Backend>,
    /// Z3's program, where it is installed.
    z3: Option<String>,
}

/// The number of rule applications above one another.
fn height(refutation: &Refutation) -> u32 {
    let mut heights: Vec<u32> = Vec::with_capacity(refutation.facts.len());
    for fact in &refutation.facts {
        let premises = fact.premises.iter().map(|p| heights[p.index()]);
        heights.push(1 + premises.max().unwrap_or(0));
    }
    heights.last().copied().unwrap_or(0)
}

impl Parties {
    /// What an engine of ours says; an error where it says what it must not.
    fn engine(
        &self,
        text: &str,
        party: &Party,
        backend: &Backend,
    ) -> Result<Option<Finding>, TestCaseError> {
        let t = Terms::new();
        let system = read_system(&t, &Source::from_text("random", text))
            .map_err(|e| TestCaseError::fail(format!("not read: {e}")))?;
        if let Choice::One(engine) = party.engine
            && !engine.suits(&t, &system)
        {
            return Ok(None);
        }
        let who = party.to_string();
        let mut options = Options {
            engine: party.engine,
            jobs: Jobs::new(party.jobs),
            budget: Some(BUDGET),
            ..Options::default()
        };
        options.settings.bmc.max_depth = BMC_DEPTH;
        options.settings.kind.max_k = BMC_DEPTH;
        for setting in party.settings {
            let set = options.settings.assign(setting);
            set.map_err(|e| TestCaseError::fail(format!("{setting}: {e}")))?;
        }
        if !party.preprocess {
            options.preprocess = transform::Options::none();
        }
        let stop = Stop::new();
        let answer = solve(&t, &system, backend, &options, Control::new(&stop)).answer;
        let (verdict, safe_depth) = match answer {
            Answer::Sat(_) => (Verdict::Sat, 0),
            Answer::Unsat(refutation) => (Verdict::Unsat(Some(height(&refutation))), 0),
            Answer::Unknown(unknown) => {
                if !is_excused(party.engine, &unknown.reason) {
                    let reason = unknown.reason;
                    return Err(TestCaseError::fail(format!("{who}: {reason}")));
                }
                (Verdict::Unknown, unknown.safe_depth.unwrap_or(0))
            }
        };
        Ok(Some(Finding {
            who,
            verdict,
            safe_depth,
        }))
    }

    /// What Z3's Horn solver says.
    fn z3(&self, text: &str) -> Option<Finding> {
        let mut z3 = Command::new(self.z3.as_ref()?)
            .args(["-in", "-T:2"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let sent = z3.stdin.take()?.write_all(text.as_bytes());
        let output = z3.wait_with_output().ok()?;
        sent.ok()?;
        let verdict = match String::from_utf8_lossy(&output.stdout).lines().next()? {
            "sat" => Verdict::Sat,
            "unsat" => Verdict::Unsat(None),
            _ => Verdict::Unknown,
        };
        Some(Finding {
            who: "Z3's Horn solver".to_owned(),
            verdict,
            safe_depth: 0,
        })
    }

    /// Lets everybody decide the system, and compares.
    fn check(&self, text: &str, tally: &mut Tally) -> TestCaseResult {
        let mut findings = Vec::new();
        for party in &self.engines {
            findings.extend(self.engine(text, party, &self.native)?);
        }
        if let Some(external) = &self.external {
            // The first engine of the registry.
            let found = self.engine(text, &self.engines[1], external)?;
            findings.extend(found.map(|found| Finding {
                who: format!("{}, externally", found.who),
                ..found
            }));
        }
        let ours = count(&findings);
        findings.extend(self.z3(text));
        let all = count(&findings);
        let contradiction = all.0 > 0 && all.1 > 0;
        let safe = findings.iter().map(|f| f.safe_depth).max().unwrap_or(0);
        let too_low = |f: &Finding| matches!(f.verdict, Verdict::Unsat(Some(h)) if h <= safe);
        if contradiction || findings.iter().any(too_low) {
            let all: Vec<String> = findings.iter().map(Finding::to_string).collect();
            return Err(TestCaseError::fail(all.join("; ")));
        }
        tally.cases += 1;
        tally.sat += u32::from(ours.0 > 0);
        tally.unsat += u32::from(ours.1 > 0);
        let deep = |f: &Finding| matches!(f.verdict, Verdict::Unsat(Some(h)) if h > 2);
        tally.deep += u32::from(findings.iter().any(deep));
        if ours == (0, 0) && all != (0, 0) {
            println!("only Z3's Horn solver decides this:\n{text}");
            tally.only_z3 += 1;
        }
        Ok(())
    }
}

/// How many say sat, how many unsat.
fn count(findings: &[Finding]) -> (usize, usize) {
    let count = |is: fn(&Verdict) -> bool| findings.iter().filter(|f| is(&f.verdict)).count();
    (
        count(|v| matches!(v, Verdict::Sat)),
        count(|v| matches!(v, Verdict::Unsat(_))),
    )
}

/// May an engine give up for this reason? The budget may be used up; `auto` gives up where the last
/// of its engines does; an engine that finds no models ends at its bound; and [`EXCUSES`] has what
/// other engines may say. Whatever else an engine says of these systems would be
/// the symptom of a mistake, for instance that the solver's model is none, or that steps of a loop
/// cannot be written out.
fn is_excused(engine: Choice, reason: &UnknownReason) -> bool {
    match reason {
        UnknownReason::Timeout | UnknownReason::CertificateNotChecked => true,
        UnknownReason::Incomplete(why) => match engine {
            Choice::Auto => true,
            Choice::One(engine) => {
                !engine.finds.models() || EXCUSES.iter().any(|excuse| why.starts_with(excuse))
            }
        },
        _ => false,
    }
}

#[test]
fn engines_and_z3_agree() {
    // Without external solvers, where that is excused, only the embedded core is tested.
    let installed = |name| solver_found(name).then(|| find_solver(name).expect("it was found"));
    let (external, z3) = (installed(None), installed(Some("z3")));
    let parties = Parties {
        engines: Party::all(),
        native: Backend::native(NativeOptions::for_engines()),
        external: external.map(|choice| {
            Backend::process(&choice, ProcessOptions::default()).expect("a back end")
        }),
        z3: z3.map(|choice| choice.command[0].clone()),
    };
    let cases = harness::environment("HORN_FUZZ_CASES", CASES);
    let seed = harness::environment("HORN_FUZZ_SEED", SEED);
    let tally = RefCell::new(Tally::default());
    let outcome = harness::runner(cases, seed).run(&system::system(), |system| {
        parties.check(&system.to_string(), &mut tally.borrow_mut())
    });
    let tally = tally.into_inner();
    println!("seed {seed}: {tally:?}");
    if let Err(error) = outcome {
        panic!("seed {seed}: {error}");
    }
    let decided = tally.sat + tally.unsat;
    assert!(
        tally.cases >= cases && decided * 100 >= tally.cases * DECIDED_FLOOR,
        "too few are decided: {tally:?}"
    );
}
