//! Random SMT scripts: a solver under test, judged by evaluation and by Z3 or cvc5.
//!
//! Scripts are incremental, and come from several profiles, which say what they are made of; see
//! `generate`. A verdict must be right, a model must satisfy what was asserted, by exact
//! evaluation, a core must be contradictory, and where the solver has them, proofs must be accepted
//! by their checker and interpolants be such. A script that shows a fault is shrunk and kept as
//! SMT-LIB text, which `horn-smt` runs; it belongs into `tests/fuzz/smt/found/`, named after the
//! fault's cause.
//!
//! Environment variables for longer runs:
//!
//! - `HORN_SMT_FUZZ_CASES`: how many scripts (default: 30 for each profile);
//! - `HORN_SMT_FUZZ_FROM`: begin with the batch of this script (default: 0), as a fault names it;
//! - `HORN_SMT_FUZZ_SECONDS`: no new scripts after that time (default: no limit);
//! - `HORN_SMT_FUZZ_SEED`: any number; the same gives the same scripts (default: 1);
//! - `HORN_SMT_FUZZ_PROFILES`: names of profiles, divided by commas (default: all);
//! - `HORN_SMT_FUZZ_SOLVER`: an external solver to be tested (default: the embedded core);
//! - `HORN_SMT_FUZZ_MILLISECONDS`: the limit of each check (default: 1000);
//! - `HORN_SMT_FUZZ_IGNORE`: kinds of faults that are not reported, divided by commas, such as
//!   `Proof,Weakening`: what is known does not hide what is not;
//! - `HORN_SMT_FUZZ_FAULTS`: the run ends after this number of faults (default: 5);
//! - `HORN_SMT_FUZZ_TEXTS`: of this number of proofs, one is written in the Alethe format and given
//!   to `scripts/check-alethe` (default: 8);
//! - `HORN_SMT_FUZZ_DIR`: where shrunk scripts are kept (default: they are printed only);
//! - `HORN_SMT_FUZZ_FILE`: run the script of this file instead, and shrink it if it shows a fault.
//!
//! For example `HORN_SMT_FUZZ_CASES=20000 HORN_SMT_FUZZ_SEED=7 cargo test --release --test fuzz
//! solvers_agree -- --nocapture`.

mod distort;
mod faulty;
mod formulas;
mod generate;
mod judge;
mod native;
mod pdr;
mod script;
mod selectors;
mod shrink;
mod structured;
mod subject;
mod tally;
mod universe;
mod vectors;

use crate::random::Random;
use crate::solvers::solver_found;
use faulty::{Faulty, Mistake};
use generate::{Profile, profiles};
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, find_solver};
use horn::smtlib::Source;
use horn::term::Terms;
use judge::{Fault, FaultKind, Judge};
use native::Native;
use script::Command;
use std::fmt::Write as _;
use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, Instant};
use subject::{Plain, Subject};
use tally::Tally;
use universe::Universe;

const SEED: u64 = 1;
const MILLISECONDS: u64 = 1000;
/// The number of scripts that are made in one store, and judged by one process of the oracle.
const BATCH: u64 = 16;
/// Of this number of batches, one has cvc5 as its oracle, where it is installed.
const SECOND_ORACLE: u64 = 7;
/// Of this number of scripts, one asks for interpolants.
const INTERPOLATE: u64 = 4;
/// Shrinking ends after that.
const SHRINK_TIME: Duration = Duration::from_secs(20);
/// A run ends after this number of faults.
const MAX_FAULTS: usize = 5;
/// At least this part of the checks is to be decided, in percent, where all are supported.
const DECIDED_FLOOR: u64 = 80;

fn environment<T: FromStr>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    match text.parse() {
        Ok(value) => Some(value),
        Err(_) => panic!("{name}: {text} is none"),
    }
}

/// The back end of a solver that is installed.
fn backend(wanted: Option<&str>) -> Option<Backend> {
    let choice = find_solver(wanted).ok()?;
    Some(Backend::process(&choice, ProcessOptions::default()).expect("a back end"))
}

/// The oracle: Z3. Without it nothing is tested, which is a failure unless it is excused.
fn oracle() -> Option<Backend> {
    let name = Some("z3");
    solver_found(name).then(|| backend(name).expect("it was found"))
}

/// What is tested, by turns: the embedded core in all its ways of working, unless an external
/// solver is wanted.
fn subjects() -> Vec<Box<dyn Subject>> {
    match environment::<String>("HORN_SMT_FUZZ_SOLVER") {
        None => Native::ways(),
        Some(wanted) => {
            let backend = backend(Some(&wanted)).expect("the solver wanted is installed");
            vec![Box::new(Plain(backend))]
        }
    }
}

/// A run over many scripts.
struct Campaign<'a> {
    /// Tested by turns, script by script.
    subjects: &'a [Box<dyn Subject>],
    oracle: &'a Backend,
    second_oracle: Option<Backend>,
    profiles: Vec<&'static Profile>,
    cases: u64,
    /// Scripts of batches before that of this one are left out.
    from: u64,
    seed: u64,
    /// No script is begun after that.
    end: Option<Instant>,
    limit: Duration,
    /// Of this number of scripts, one asks for interpolants.
    interpolate: u64,
    /// Kinds of faults that are not reported.
    ignored: Vec<String>,
    max_faults: usize,
}

/// A fault, and the shrunk script that shows it.
struct Found {
    profile: &'static str,
    index: u64,
    fault: Fault,
    commands: usize,
    text: String,
}

impl<'a> Campaign<'a> {
    fn new(subjects: &'a [Box<dyn Subject>], oracle: &'a Backend) -> Self {
        let milliseconds = environment("HORN_SMT_FUZZ_MILLISECONDS").unwrap_or(MILLISECONDS);
        Campaign {
            subjects,
            oracle,
            second_oracle: None,
            profiles: profiles().collect(),
            cases: BATCH * profiles().count() as u64,
            from: environment("HORN_SMT_FUZZ_FROM").unwrap_or(0),
            seed: SEED,
            end: None,
            limit: Duration::from_millis(milliseconds),
            interpolate: INTERPOLATE,
            ignored: Vec::new(),
            max_faults: MAX_FAULTS,
        }
    }

    /// Runs all scripts; answers the counts of each profile, and the faults found.
    fn run(&self) -> (Vec<Tally>, Vec<Found>) {
        let mut tallies = vec![Tally::default(); self.profiles.len()];
        let mut found = Vec::new();
        let is_over = || self.end.is_some_and(|end| Instant::now() > end);
        for batch in self.from / BATCH..self.cases.div_ceil(BATCH) {
            let at = (batch % self.profiles.len() as u64) as usize;
            let profile = self.profiles[at];
            let t = Terms::new();
            let universe = Universe::declare(&t, profile.declarations);
            let oracle = match &self.second_oracle {
                Some(second) if batch % SECOND_ORACLE == SECOND_ORACLE - 1 => second,
                _ => self.oracle,
            };
            let mut judge = Judge::new(&t, &*self.subjects[0], oracle, self.oracle, self.limit);
            for index in batch * BATCH..self.cases.min((batch + 1) * BATCH) {
                if found.len() >= self.max_faults || is_over() {
                    return (tallies, found);
                }
                let mut random = Random::of(self.seed, index);
                let commands = generate::script(&t, profile, &universe, &mut random);
                tallies[at].scripts += 1;
                judge.subject = &*self.subjects[index as usize % self.subjects.len()];
                judge.interpolate = index % self.interpolate == 0;
                if let Err(fault) = judge.judge(&commands, &mut tallies[at])
                    && !self.ignored.contains(&format!("{:?}", fault.kind))
                {
                    let name = (profile.name, index);
                    found.push(self.shrink(&t, &mut judge, commands, fault, name));
                }
            }
        }
        (tallies, found)
    }

    /// Shrinks a script that shows a fault to one that shows a fault of the same kind.
    fn shrink(
        &self,
        t: &Terms,
        judge: &mut Judge<'_, '_>,
        commands: Vec<Command>,
        mut fault: Fault,
        (profile, index): (&'static str, u64),
    ) -> Found {
        let kind = fault.kind;
        let commands =
            shrink::shrink(
                t,
                commands,
                Instant::now() + SHRINK_TIME,
                |candidate| match judge.judge(candidate, &mut Tally::default()) {
                    Err(smaller) if smaller.kind == kind => {
                        fault = smaller;
                        true
                    }
                    _ => false,
                },
            );
        let message = fault.to_string().replace('\n', " ");
        let mut text = format!(
            "; {message}\n; seed {}, script {index}, profile {profile}\n",
            self.seed
        );
        text.push_str(&script::text(t, &commands));
        Found {
            profile,
            index,
            fault,
            commands: commands.len(),
            text,
        }
    }
}

/// Shows what was found, and keeps it where there is a place for it.
fn report(found: &[Found], seed: u64) {
    let directory: Option<String> = environment("HORN_SMT_FUZZ_DIR");
    for Found {
        profile,
        index,
        text,
        ..
    } in found
    {
        println!("{text}");
        if let Some(directory) = &directory {
            std::fs::create_dir_all(directory).expect("a directory for what was found");
            let file = Path::new(directory).join(format!("{profile}-{seed}-{index}.smt2"));
            std::fs::write(&file, text).expect("a file for what was found");
            println!("; kept as {}\n", file.display());
        }
    }
}

#[test]
fn solvers_agree() {
    let (Some(oracle), subjects) = (oracle(), subjects()) else {
        return;
    };
    if let Some(file) = environment::<String>("HORN_SMT_FUZZ_FILE") {
        let source = Source::open(&file).expect("a file");
        return check_file(&subjects, &oracle, &source);
    }
    let mut campaign = Campaign::new(&subjects, &oracle);
    campaign.second_oracle = backend(Some("cvc5"));
    campaign.cases = environment("HORN_SMT_FUZZ_CASES").unwrap_or(campaign.cases);
    campaign.seed = environment("HORN_SMT_FUZZ_SEED").unwrap_or(SEED);
    campaign.max_faults = environment("HORN_SMT_FUZZ_FAULTS").unwrap_or(MAX_FAULTS);
    let ignored: String = environment("HORN_SMT_FUZZ_IGNORE").unwrap_or_default();
    campaign.ignored = ignored.split(',').map(str::to_owned).collect();
    let seconds = environment("HORN_SMT_FUZZ_SECONDS").map(Duration::from_secs);
    campaign.end = seconds.map(|seconds| Instant::now() + seconds);
    if let Some(names) = environment::<String>("HORN_SMT_FUZZ_PROFILES") {
        let wanted: Vec<&str> = names.split(',').collect();
        campaign.profiles.retain(|p| wanted.contains(&p.name));
        assert!(!campaign.profiles.is_empty(), "no profile of {names}");
    }
    let begun = Instant::now();
    let (tallies, found) = campaign.run();
    let mut all = Tally::default();
    let mut lines = String::new();
    for (profile, tally) in campaign.profiles.iter().zip(&tallies) {
        if tally.scripts > 0 {
            // Writing into a string does not fail.
            let _ = writeln!(lines, "{:>16}: {tally}", profile.name);
        }
        all.add(tally);
    }
    let seconds = begun.elapsed().as_secs_f64();
    let rate = all.scripts as f64 * 60.0 / seconds;
    println!("{lines}{:>16}: {all}", "all");
    println!(
        "seed {}: {rate:.0} scripts a minute, {seconds:.1} s",
        campaign.seed
    );
    report(&found, campaign.seed);
    assert!(found.is_empty(), "{} scripts show faults", found.len());
    let decided = all.checks() - all.unknown();
    assert!(
        decided * 100 >= all.checks() * DECIDED_FLOOR,
        "too few checks are decided: {all}"
    );
}

/// A script that shows no fault, or a report of it.
fn check_file(subjects: &[Box<dyn Subject>], oracle: &Backend, source: &Source) {
    let t = Terms::new();
    let commands = script::parse(&t, source).unwrap_or_else(|error| panic!("{error}"));
    let campaign = Campaign::new(subjects, oracle);
    let mut tally = Tally::default();
    for subject in subjects {
        let mut judge = Judge::new(&t, &**subject, oracle, oracle, campaign.limit);
        if let Err(fault) = judge.judge(&commands, &mut tally) {
            let found = campaign.shrink(&t, &mut judge, commands, fault, ("file", 0));
            report(&[found], 0);
            panic!("{} shows a fault", source.name());
        }
    }
    println!("{}: {tally}", source.name());
}

/// What has shown faults once does not show them again.
#[test]
fn what_was_found_is_mended() {
    let (Some(oracle), subjects) = (oracle(), subjects()) else {
        return;
    };
    native::check_all_texts();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/smt/found");
    let mut count = 0;
    for file in std::fs::read_dir(directory).expect("a directory") {
        let path = file.expect("a file").path();
        let source = Source::open(path.to_str().expect("text")).expect("a file");
        check_file(&subjects, &oracle, &source);
        count += 1;
    }
    assert!(count > 0, "there is nothing to check");
}

#[test]
fn scripts_are_read_back() {
    for (index, profile) in (0..).zip(profiles()) {
        let t = Terms::new();
        let universe = Universe::declare(&t, profile.declarations);
        for script in 0..20 {
            let mut random = Random::of(index, script);
            let commands = generate::script(&t, profile, &universe, &mut random);
            let text = script::text(&t, &commands);
            let source = Source::from_text(profile.name, text.clone());
            let again = script::parse(&t, &source).unwrap_or_else(|e| panic!("{e}\n{text}"));
            assert_eq!(again.len(), commands.len(), "{text}");
            // Functions and datatypes are declared anew.
            if profile.elements == 0 && profile.declarations.is_empty() {
                assert_eq!(again, commands, "{text}");
            }
        }
    }
}

/// A mistake is found within some hundred scripts of these profiles, as a fault of one of these
/// kinds, and a few commands are enough to show it.
#[track_caller]
fn check_mistake(mistake: Mistake, profiles: &[&str], kinds: &[FaultKind], commands: usize) {
    let Some(oracle) = oracle() else { return };
    let backend = oracle.clone();
    let subjects: [Box<dyn Subject>; 1] = [Box::new(Faulty { backend, mistake })];
    let mut campaign = Campaign::new(&subjects, &oracle);
    campaign.profiles.retain(|p| profiles.contains(&p.name));
    campaign.max_faults = 1;
    let (_, found) = campaign.run();
    let Some(found) = found.first() else {
        panic!("{mistake:?} is not found");
    };
    println!("{mistake:?}:\n{}", found.text);
    let expected = kinds.contains(&found.fault.kind);
    assert!(expected, "{mistake:?}:\n{}", found.text);
    assert!(
        found.commands <= commands && found.text.len() < 1000,
        "{mistake:?} is not shrunk:\n{}",
        found.text
    );
}

#[test]
fn wrong_verdicts_are_found() {
    // Three assertions, of which the third is needed, and the check. The three contradict each
    // other or not.
    let kinds = [FaultKind::Model, FaultKind::Verdict];
    check_mistake(Mistake::ForgetsAnAssertion, &["lra"], &kinds, 4);
    check_mistake(
        Mistake::KeepsAfterPop,
        &["bool", "lia"],
        &[FaultKind::Verdict],
        4,
    );
    check_mistake(Mistake::SaysUnsat, &["pdr-lia"], &[FaultKind::Verdict], 1);
    check_mistake(Mistake::SaysSat, &["pdr-lra"], &[FaultKind::Verdict], 3);
    check_mistake(Mistake::ForgetsCarries, &["bv", "bv-wide"], &kinds, 3);
    check_mistake(Mistake::ForgetsCongruence, &["uf"], &kinds, 3);
    check_mistake(Mistake::ForgetsProducts, &["nia-bounded", "nra"], &kinds, 3);
    check_mistake(Mistake::ForgetsConditions, &["lia", "lra"], &kinds, 3);
    check_mistake(Mistake::Panics, &["uf"], &[FaultKind::Broken], 2);
}

#[test]
fn wrong_verdicts_about_structures_are_found() {
    let kinds = [FaultKind::Model, FaultKind::Verdict, FaultKind::Core];
    let arrays = ["arrays", "arrays-finite"];
    check_mistake(Mistake::ForgetsOtherElements, &arrays, &kinds, 3);
    check_mistake(Mistake::ReadsWhatWasStored, &arrays, &kinds, 3);
    check_mistake(Mistake::ForgetsExtensionality, &arrays, &kinds, 3);
    check_mistake(Mistake::ForgetsConstructors, &["datatypes"], &kinds, 3);
    check_mistake(Mistake::ForgetsTesters, &["datatypes"], &kinds, 3);
    check_mistake(Mistake::ForgetsSelectors, &["datatypes"], &kinds, 3);
}

#[test]
fn wrong_models_and_cores_are_found() {
    check_mistake(
        Mistake::WrongValue,
        &["lia-bounded"],
        &[FaultKind::Model],
        2,
    );
    check_mistake(
        Mistake::WrongElement,
        &["pdr-arrays"],
        &[FaultKind::Model],
        2,
    );
    check_mistake(Mistake::TooSmallCore, &["pdr-lia"], &[FaultKind::Core], 3);
    check_mistake(Mistake::StrangeCore, &["lira"], &[FaultKind::Core], 3);
}

#[test]
fn wrong_interpolants_and_proofs_are_found() {
    let kinds = [FaultKind::Interpolant];
    check_mistake(Mistake::WeakInterpolant, &["lra"], &kinds, 3);
    check_mistake(Mistake::StrangeInterpolant, &["lia"], &kinds, 4);
    check_mistake(Mistake::WrongProof, &["bool"], &[FaultKind::Proof], 3);
}
