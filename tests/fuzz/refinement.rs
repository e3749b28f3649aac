//! Assertions along random derivations of random systems: whatever the source, they must be
//! inductive, and the sources must agree on which derivations have values.
//!
//! Z3 checks each step, where it is installed, and the embedded core elsewhere. A failure is shrunk
//! to a small system, which is printed.
//!
//! - `HORN_FUZZ_CASES`: how many systems (default: 60);
//! - `HORN_FUZZ_SEED`: any number; the same gives the same systems (default: 1).

use crate::random::Random;
use crate::solvers::solver_found;
use crate::{harness, system};
use horn::chc::{ClauseId, FactId, Interpretation, PredGraph, Skeleton, Step, System};
use horn::engine::{Context, inductive_assertions};
use horn::refinement::{Options, Prefixes, Sources};
use horn::smt::native::NativeOptions;
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, Limit, SatResult, Solver, find_solver};
use horn::smtlib::{Source, read_system};
use horn::term::{Term, Terms};
use horn::transform::Tools;
use horn::work::milliseconds;
use proptest::test_runner::TestCaseError;
use std::cell::RefCell;

const CASES: u32 = 60;
/// Derivations of each system.
const DERIVATIONS: usize = 4;
/// Steps of a derivation from here on are facts where there are some.
const LONG: usize = 5;
/// Derivations with more steps than this are left out.
const MOST_STEPS: usize = 12;
/// The budget of each source for each derivation, in milliseconds' worth of ticks.
const BUDGET: u64 = 500;

/// All sources, each with one of the choices of prefixes.
const CHOICES: [(&str, Prefixes); 14] = [
    ("craig", Prefixes::Whole),
    ("newton-sp", Prefixes::Whole),
    ("newton-sp-core", Prefixes::All),
    ("newton-sp-live", Prefixes::Whole),
    ("newton-sp-core-live", Prefixes::Whole),
    ("newton-wp", Prefixes::Whole),
    ("newton-wp-core", Prefixes::Last),
    ("newton-wp-live", Prefixes::First),
    ("newton-wp-core-live", Prefixes::Whole),
    ("craig", Prefixes::DomainTypes),
    ("craig,newton-sp-core", Prefixes::Depth),
    ("newton-wp-core,craig", Prefixes::Score),
    ("values", Prefixes::Whole),
    ("values,newton-wp-core", Prefixes::First),
];

#[derive(Default, Debug)]
struct Tally {
    feasible: u32,
    infeasible: u32,
    sequences: u32,
    undecided: u32,
}

/// A random derivation of `false`; `None` if it gets too long.
fn derivation(random: &mut Random, system: &System) -> Option<Vec<Step>> {
    let graph = PredGraph::new(system);
    let usable = |&clause: &ClauseId| graph.is_usable(clause);
    let queries: Vec<ClauseId> = graph.queries().iter().copied().filter(usable).collect();
    if queries.is_empty() {
        return None;
    }
    // The root first; each with the step and the place where it is a premise.
    let mut steps = vec![(random.pick(&queries), Vec::new())];
    let mut next = 0;
    while next < steps.len() {
        let atoms = system.clause(steps[next].0).body.iter();
        for pred in atoms.map(|atom| atom.pred).collect::<Vec<_>>() {
            let all = graph.definitions(pred).iter().copied().filter(usable);
            let all: Vec<ClauseId> = all.collect();
            let facts = all.iter().copied().filter(|&c| system.clause(c).is_fact());
            let facts: Vec<ClauseId> = facts.collect();
            let clause = match steps.len() >= LONG && !facts.is_empty() {
                true => random.pick(&facts),
                false => random.pick(&all),
            };
            let number = steps.len();
            steps[next].1.push(number);
            steps.push((clause, Vec::new()));
        }
        if steps.len() > MOST_STEPS {
            return None;
        }
        next += 1;
    }
    let last = steps.len() - 1;
    let fact = |number: usize| FactId(u32::try_from(last - number).expect("few steps"));
    let step = |(clause, premises): (ClauseId, Vec<usize>)| Step {
        clause,
        premises: premises.into_iter().map(fact).collect(),
    };
    Some(steps.into_iter().rev().map(step).collect())
}

/// The first step that an assertion does not follow from, if there is one.
fn wrong_step(
    t: &Terms,
    judge: &mut dyn Solver,
    system: &System,
    skeleton: &Skeleton,
    found: &[Interpretation],
) -> Option<usize> {
    if found.last().map(|root| root.body) != Some(Term::FALSE) {
        return Some(found.len());
    }
    let said = |of: usize, args: &[Term]| {
        let Interpretation { params, body } = &found[of];
        t.substitute(*body, params.iter().copied().zip(args.iter().copied()))
    };
    let mut violates = |&(number, step): &(usize, &Step)| {
        let clause = system.clause(step.clause);
        judge.set_limit(Limit::none().part(milliseconds(2_000)));
        judge.push();
        judge.assert(clause.constraint);
        for (premise, atom) in step.premises.iter().zip(&clause.body) {
            judge.assert(said(premise.index(), &atom.args));
        }
        let args = clause.head.as_ref().map_or(&[][..], |head| &head.args);
        judge.assert(t.not(said(number, args)));
        let outcome = judge.check(format_args!("step {number} is inductive"), &[]);
        judge.pop();
        outcome == SatResult::Sat
    };
    let steps = skeleton.steps().iter().enumerate();
    steps
        .map(|step| (step.0, violates(&step)))
        .find(|step| step.1)
        .map(|step| step.0)
}

/// All sources for some derivations of a system.
fn check(text: &str, seed: u64, judge: &Backend, tally: &mut Tally) -> Result<(), String> {
    let t = Terms::new();
    let Ok(system) = read_system(&t, &Source::from_text("random", text)) else {
        return Ok(());
    };
    let backend = Backend::native(NativeOptions::for_engines());
    // One for all steps, since a process takes longer to start than to answer.
    let mut judge = judge.solver(&t, "inductive");
    let mut random = Random::of(seed, text.len() as u64);
    for _ in 0..DERIVATIONS {
        let Some(steps) = derivation(&mut random, &system) else {
            continue;
        };
        let skeleton = Skeleton::new(&system, steps).map_err(|error| error.to_string())?;
        let mut has_values = None;
        let choices = CHOICES.into_iter().map(|choice| (choice, false));
        for ((sources, prefixes), clausal) in choices.chain([(("craig", Prefixes::Whole), true)]) {
            let options = Options {
                sources: sources.parse::<Sources>().expect("they are sources"),
                prefixes,
                clausal,
                ..Options::default()
            };
            let limit = Limit::none().part(milliseconds(BUDGET));
            let context = Context::new(Tools::new(&t, &backend, limit));
            let Ok(found) = inductive_assertions(&context, &system, &skeleton, &options) else {
                tally.undecided += 1;
                continue;
            };
            let who = format!("{sources}, {prefixes:?}, {skeleton:?}");
            if *has_values.get_or_insert(found.is_none()) != found.is_none() {
                return Err(format!("sources do not agree on values: {who}"));
            }
            let Some(found) = found else { continue };
            tally.sequences += 1;
            if let Some(step) = wrong_step(&t, judge.as_mut(), &system, &skeleton, &found) {
                return Err(format!("step {step} is not inductive: {who}"));
            }
        }
        tally.feasible += u32::from(has_values == Some(true));
        tally.infeasible += u32::from(has_values == Some(false));
    }
    Ok(())
}

#[test]
fn assertions_of_all_sources_are_inductive() {
    let judge = match solver_found(Some("z3")) {
        true => {
            let z3 = find_solver(Some("z3")).expect("it was found");
            Backend::process(&z3, ProcessOptions::default()).expect("a back end")
        }
        false => Backend::native(NativeOptions::for_engines()),
    };
    let cases = harness::environment("HORN_FUZZ_CASES", CASES);
    let seed = harness::environment("HORN_FUZZ_SEED", 1);
    let tally = RefCell::new(Tally::default());
    let outcome = harness::runner(cases, seed).run(&system::system(), |system| {
        let text = system.to_string();
        check(&text, seed, &judge, &mut tally.borrow_mut()).map_err(TestCaseError::fail)
    });
    let tally = tally.into_inner();
    println!("seed {seed}: {tally:?}");
    if let Err(error) = outcome {
        panic!("seed {seed}: {error}");
    }
    assert!(
        tally.sequences >= 5 * tally.infeasible && tally.infeasible >= cases / 2,
        "too few derivations have assertions: {tally:?}"
    );
}
