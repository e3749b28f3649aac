//! Who decides a system: engines of ours with their settings, and Z3's own Horn solver.

use super::finding::{Finding, Verdict, height};
use crate::random::Random;
use crate::solvers::solver_found;
use horn::chc::{Answer, UnknownReason};
use horn::portfolio::{Choice, Control, Jobs, Options, Stop, solve};
use horn::smt::native::NativeOptions;
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, find_solver};
use horn::smtlib::{Source, read_system};
use horn::term::Terms;
use horn::transform::{self, Pass};
use proptest::test_runner::TestCaseError;
use std::fmt;
use std::io::Write;
use std::process::{Command, Stdio};

/// Unrollings beyond this height tell little about small systems.
const BMC_DEPTH: u32 = 6;
/// Settings of `spacer` under which under-approximations bound the iterations of loops, as in a
/// turn of `auto`. By default they bound the height of derivations.
const BY_COUNTERS: &[&str] = &["spacer.bounding=counters", "spacer.granularity=conjuncts"];
/// Settings of `bmc` under which it unrolls linear systems from their facts on.
const FORWARD: &[&str] = &["bmc.direction=forward"];
/// Settings of `bmc` under which the bound counts loops.
const BY_LOOPS: &[&str] = &["bmc.bound=loop"];
/// The greatest unrolling of trees; small systems have few predicates.
const MOST_NODES: u32 = 2_000;
/// Why an engine that finds models may give up on a small system: `bmc` and k-induction end at
/// their bounds, or find no model, not every system has a loop that counts or an equation of degree
/// 2, and what holds of cells or folds is not all that holds of an array.
const EXCUSES: [&str; 24] = [
    "the limit on the length of paths (option max-k) is reached",
    "the limit on the depth (option max-depth) is reached",
    "the limit on edges (option max-edges) is reached",
    "the unrolling is too large",
    "false has no derivation, but no model was made",
    "a model by k-induction would have ",
    "no loop was accelerated",
    "no polynomial equation was found",
    "what is known cell by cell does not suffice",
    "what is known of folds does not suffice",
    "no set of folds decides the system in its part of the time",
    "an invariant speaks of counters in too many ways",
    // Interpolants along derivations, with arrays or with too many cases or copies of steps.
    "the proof compares terms of the two sides",
    "an interpolant without quantifiers would be too large",
    "a derivation as a tree has more than",
    "the bad states are too many to be written without inputs",
    // Structural induction.
    "no predicate has an argument of a datatype",
    "no predicate is the graph of a function",
    "a query fails for functions that the predicates are graphs of",
    "no lemmas were found ",
    // Powers and transitive relations.
    "the limit on the length of paths (option max-power) is reached",
    "the ends of paths have too many cubes for a model",
    "the reachable states have too many cubes",
    "the limit on learned relations (option max-relations) is reached",
];

/// Why `polynomials` alone may give up: its equations have products, which the systems have not.
const PRODUCTS: &str = "the limit on values of products is reached";

/// One of our engines, and how it works.
#[derive(Clone)]
pub(super) struct Party {
    engine: Choice,
    jobs: usize,
    /// Settings that differ from the default.
    settings: &'static [&'static str],
    preprocess: transform::Options,
}

impl Party {
    /// `auto` with one thread, as a user gets it.
    pub(super) fn auto() -> Party {
        Party {
            engine: Choice::Auto,
            jobs: 1,
            settings: &[],
            preprocess: transform::Options::default(),
        }
    }

    /// All parties: each engine alone, `auto` by two threads, SPACER with counters, and bounded
    /// model checking forwards and by loops.
    ///
    /// `auto` and the first engine preprocess, and the others do not, so that preprocessing is
    /// compared with its absence.
    pub(super) fn all() -> Vec<Party> {
        let alone = |(at, engine)| Party {
            engine,
            preprocess: match at {
                0 | 1 => transform::Options::default(),
                _ => transform::Options::none(),
            },
            ..Party::auto()
        };
        let mut parties: Vec<Party> = Choice::all().enumerate().map(alone).collect();
        parties.push(Party {
            jobs: 2,
            ..Party::auto()
        });
        let others = [("spacer", BY_COUNTERS), ("bmc", FORWARD), ("bmc", BY_LOOPS)];
        for (engine, settings) in others {
            parties.push(Party {
                engine: Choice::from_name(engine).expect("it is registered"),
                settings,
                preprocess: transform::Options::none(),
                ..Party::auto()
            });
        }
        parties
    }

    /// One of all parties, with all passes, none, one, or all but one.
    pub(super) fn any(random: &mut Random) -> Party {
        let mut parties = Party::all();
        let mut party = parties.swap_remove(random.below(parties.len()));
        let pass = random.pick(&Pass::ALL);
        party.preprocess = match random.below(4) {
            0 => transform::Options::default(),
            1 => transform::Options::none(),
            2 => transform::Options::none().with(pass),
            _ => transform::Options::default().without(pass),
        };
        party
    }

    /// What this party says of a system; `None` if the engine is not made for it, an error where it
    /// says what it must not.
    pub(super) fn decide(
        &self,
        text: &str,
        backend: &Backend,
        budget: u64,
    ) -> Result<Option<Finding>, TestCaseError> {
        let t = Terms::new();
        let system = read_system(&t, &Source::from_text("random", text))
            .map_err(|e| TestCaseError::fail(format!("not read: {e}")))?;
        if let Choice::One(engine) = self.engine
            && !engine.suits(&t, &system)
        {
            return Ok(None);
        }
        let who = self.to_string();
        let mut options = Options {
            engine: self.engine,
            jobs: Jobs::new(self.jobs),
            budget: Some(budget),
            preprocess: self.preprocess.clone(),
            ..Options::default()
        };
        options.settings.bmc.max_depth = BMC_DEPTH;
        options.settings.kind.max_k = BMC_DEPTH;
        options.settings.bmc.max_nodes = MOST_NODES;
        options.settings.kind.max_nodes = MOST_NODES;
        for setting in self.settings {
            let set = options.settings.assign(setting);
            set.map_err(|e| TestCaseError::fail(format!("{setting}: {e}")))?;
        }
        let stop = Stop::new();
        let answer = solve(&t, &system, backend, &options, Control::new(&stop)).answer;
        let (verdict, safe_depth) = match answer {
            Answer::Sat(_) => (Verdict::Sat, 0),
            Answer::Unsat(refutation) => (Verdict::Unsat(Some(height(&refutation))), 0),
            Answer::Unknown(unknown) => {
                if !is_excused(self.engine, &unknown.reason) {
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
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.engine)?;
        if self.jobs > 1 {
            write!(f, " with {} jobs", self.jobs)?;
        }
        self.settings
            .iter()
            .try_for_each(|set| write!(f, " {set}"))?;
        if self.preprocess != transform::Options::default() {
            let passes = self.preprocess.passes.iter().map(|pass| pass.name());
            write!(f, " (passes: {})", passes.collect::<Vec<_>>().join(", "))?;
        }
        Ok(())
    }
}

/// May an engine give up for this reason? The budget may be used up; `auto` gives up where the last
/// of its engines does; an engine that finds no models ends at its bound; and [`EXCUSES`] has what
/// other engines may say. Whatever else an engine says of these systems would be
/// the symptom of a mistake, for instance that the solver's model is none, or that steps of a loop
/// cannot be written out.
fn is_excused(engine: Choice, reason: &UnknownReason) -> bool {
    match reason {
        UnknownReason::Timeout | UnknownReason::Work | UnknownReason::CertificateNotChecked => true,
        UnknownReason::Incomplete(why) => match engine {
            Choice::Auto => true,
            Choice::One(engine) => {
                let of_products = engine.name == "polynomials" && why.starts_with(PRODUCTS);
                let excused = EXCUSES.iter().any(|excuse| why.starts_with(excuse));
                !engine.finds.models() || excused || of_products
            }
        },
        _ => false,
    }
}

/// The solvers behind the engines, and Z3's own Horn solver.
pub(super) struct Backends {
    /// The core of our own, which is what the engines use by default.
    pub(super) native: Backend,
    /// An external solver, where there is one.
    pub(super) external: Option<Backend>,
    /// Z3's program, where it is installed.
    z3: Option<String>,
}

impl Backends {
    /// Without external solvers, where that is excused, only the embedded core.
    pub(super) fn find() -> Self {
        let installed = |name| solver_found(name).then(|| find_solver(name).expect("it was found"));
        let (external, z3) = (installed(None), installed(Some("z3")));
        Backends {
            native: Backend::native(NativeOptions::for_engines()),
            external: external.map(|choice| {
                Backend::process(&choice, ProcessOptions::default()).expect("a back end")
            }),
            z3: z3.map(|choice| choice.command[0].clone()),
        }
    }

    /// What Z3's Horn solver says.
    pub(super) fn z3(&self, text: &str) -> Option<Finding> {
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
}
