//! Skeletons: what is a derivation of a system's clauses, and its shape.

use horn::chc::{
    Answer, ClauseId, FactId, Interpretation, Refutation, Skeleton, SkeletonError, Step, System,
    UnknownReason,
};
use horn::engine::{Context, bmc, inductive_assertions};
use horn::refinement::{Options, Prefixes};
use horn::smt::native::NativeOptions;
use horn::smt::{Backend, Limit, SatResult, Strength};
use horn::smtlib::{Source, read_system};
use horn::term::{Term, Terms};
use horn::transform::Tools;

/// Clauses 0: a fact of p; 1: a step of p; 2: q from two of p; 3: a query of q; 4: a query of p.
const TEXT: &str = "(declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
    (assert (p 0))
    (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
    (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (q (+ x y)))))
    (assert (forall ((x Int)) (=> (and (q x) (= x 4)) false)))
    (assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))";

/// Clauses with their premises.
type Steps = &'static [(u32, &'static [u32])];

fn system(t: &Terms) -> System {
    read_system(t, &Source::from_text("test", TEXT)).expect("it is right")
}

fn steps(steps: &[(u32, &[u32])]) -> Vec<Step> {
    let step = |(clause, premises): &(u32, &[u32])| Step {
        clause: ClauseId(*clause),
        premises: premises.iter().map(|&p| FactId(p)).collect(),
    };
    steps.iter().map(step).collect()
}

#[test]
fn what_is_a_derivation() {
    let t = Terms::new();
    let system = system(&t);
    let table: &[(Steps, Option<SkeletonError>)] = &[
        (&[(0, &[])], None),
        (&[(0, &[]), (1, &[0]), (4, &[1])], None),
        (&[(0, &[]), (2, &[0, 0]), (3, &[1])], None),
        (&[], Some(SkeletonError::Empty)),
        (&[(9, &[])], Some(SkeletonError::NoClause(0))),
        (&[(0, &[]), (1, &[])], Some(SkeletonError::Count(1))),
        (&[(0, &[]), (2, &[0])], Some(SkeletonError::Count(1))),
        (&[(0, &[]), (1, &[1])], Some(SkeletonError::Order(1))),
        (&[(0, &[]), (1, &[7])], Some(SkeletonError::Order(1))),
        (&[(0, &[]), (3, &[0])], Some(SkeletonError::Predicate(1))),
        // Nothing follows from `false`.
        (
            &[(0, &[]), (4, &[0]), (1, &[1])],
            Some(SkeletonError::Predicate(2)),
        ),
    ];
    for (given, expected) in table {
        let found = Skeleton::new(&system, steps(given));
        assert_eq!(found.err(), *expected, "{given:?}");
    }
}

#[test]
fn shapes() {
    let t = Terms::new();
    let system = system(&t);
    // Whether it is a path, a tree, a refutation; its height.
    let table: &[(Steps, [bool; 3], usize)] = &[
        (&[(0, &[])], [true, true, false], 1),
        (&[(0, &[]), (1, &[0]), (4, &[1])], [true, true, true], 3),
        (&[(0, &[]), (0, &[]), (2, &[0, 1])], [false, true, false], 2),
        (
            &[(0, &[]), (1, &[0]), (2, &[0, 1]), (3, &[2])],
            [false, false, true],
            4,
        ),
        (&[(0, &[]), (2, &[0, 0])], [false, false, false], 2),
    ];
    for (given, [path, tree, refutation], height) in table {
        let skeleton = Skeleton::new(&system, steps(given)).expect("a derivation");
        assert_eq!(skeleton.is_path(), *path, "{given:?}");
        assert_eq!(skeleton.is_tree(), *tree, "{given:?}");
        assert_eq!(skeleton.is_refutation(&system), *refutation, "{given:?}");
        assert_eq!(skeleton.height(), *height, "{given:?}");
    }
}

/// The skeleton of a refutation is a derivation, and with the values it is the refutation again.
#[test]
fn of_a_refutation() {
    let t = Terms::new();
    let system = system(&t);
    let backend = Backend::native(NativeOptions::for_engines());
    let context = Context::new(Tools::new(&t, &backend, Limit::none()));
    let answer = bmc::solve(&system, &bmc::Options::default(), &context);
    let Answer::Unsat(refutation) = answer else {
        panic!("4 is 2 + 2: {}", answer.verdict());
    };
    let skeleton = Skeleton::of(&refutation);
    assert_eq!(skeleton.validate(&system), Ok(()));
    assert!(skeleton.is_refutation(&system));
    let values = refutation.facts.iter().map(|fact| fact.values.clone());
    let again = skeleton.with_values(values.collect());
    assert_eq!(Skeleton::of(&again), skeleton);
    horn::certify::check_refutation(&t, &system, &again).expect("a refutation");
    assert_ne!(Skeleton::of(&Refutation::default()), skeleton);
}

/// Derivations without values have inductive assertions: strong interpolants and weak ones, and
/// those of every other source.
#[test]
fn assertions_are_inductive() {
    let t = Terms::new();
    let system = system(&t);
    let backend = Backend::native(NativeOptions::for_engines());
    let context = Context::new(Tools::new(&t, &backend, Limit::none()));
    // A path, a tree, and steps that are used more than once; whether there are values.
    let table: [(Steps, bool); 6] = [
        (&[(0, &[]), (1, &[0]), (4, &[1])], false),
        (&[(0, &[]), (0, &[]), (2, &[0, 1]), (3, &[2])], false),
        (&[(0, &[]), (2, &[0, 0]), (3, &[1])], false),
        (&[(0, &[]), (1, &[0]), (2, &[0, 1]), (3, &[2])], false),
        (
            &[(0, &[]), (0, &[]), (1, &[0]), (2, &[2, 0]), (3, &[3])],
            false,
        ),
        (
            &[(0, &[]), (1, &[0]), (1, &[1]), (2, &[2, 2]), (3, &[3])],
            true,
        ),
    ];
    let sources = |sources: &str, prefixes| Options {
        sources: sources.parse().expect("they are sources"),
        prefixes,
        ..Options::default()
    };
    let mut choices = vec![
        sources("craig", Prefixes::Whole),
        sources("craig,newton-sp-core", Prefixes::DomainTypes),
        sources("newton-wp-core", Prefixes::First),
        sources("newton-sp-core-live", Prefixes::Last),
        sources("craig", Prefixes::All),
        sources("craig", Prefixes::Depth),
        sources("craig", Prefixes::Score),
        sources("values", Prefixes::Whole),
    ];
    for transformer in ["sp", "wp"] {
        for variant in ["", "-core", "-live", "-core-live"] {
            let name = format!("newton-{transformer}{variant}");
            choices.push(sources(&name, Prefixes::Whole));
        }
    }
    let mut weak = Options::default();
    weak.interpolation.strength = Strength::Weak;
    choices.push(weak);
    choices.push(Options {
        clausal: true,
        ..Options::default()
    });
    for options in choices {
        for (given, has_values) in table {
            let skeleton = Skeleton::new(&system, steps(given)).expect("a derivation");
            let found = inductive_assertions(&context, &system, &skeleton, &options);
            let found = found.expect("an answer");
            assert_eq!(found.is_none(), has_values, "{given:?}");
            if let Some(found) = found {
                check_inductive(&context, &system, &skeleton, &found);
            }
        }
    }
}

/// Each step's constraint and its premises' assertions imply the step's assertion, and the root's
/// is `false`.
#[track_caller]
fn check_inductive(
    context: &Context<'_>,
    system: &System,
    skeleton: &Skeleton,
    found: &[Interpretation],
) {
    let t = context.terms;
    assert_eq!(found.last().map(|root| root.body), Some(Term::FALSE));
    let said = |of: usize, args: &[Term]| {
        let Interpretation { params, body } = &found[of];
        t.substitute(*body, params.iter().copied().zip(args.iter().copied()))
    };
    for (number, step) in skeleton.steps().iter().enumerate() {
        let clause = system.clause(step.clause);
        let mut solver = context.backend.solver(t, "inductive");
        solver.assert(clause.constraint);
        for (premise, atom) in step.premises.iter().zip(&clause.body) {
            solver.assert(said(premise.index(), &atom.args));
        }
        let args = clause.head.as_ref().map_or(&[][..], |head| &head.args);
        solver.assert(t.not(said(number, args)));
        let outcome = solver.check(format_args!("step {number} is inductive"), &[]);
        assert_eq!(outcome, SatResult::Unsat, "step {number} of {skeleton:?}");
    }
}

/// Shared steps are copied up to a bound.
#[test]
fn exponential_trees_are_given_up() {
    let t = Terms::new();
    let text = "(declare-fun p (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (p (+ x y)))))
        (assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))";
    let system = read_system(&t, &Source::from_text("test", text)).expect("it is right");
    let backend = Backend::native(NativeOptions::for_engines());
    let context = Context::new(Tools::new(&t, &backend, Limit::none()));
    let mut given: Vec<Step> = steps(&[(0, &[])]);
    given.extend((0..40).flat_map(|i| steps(&[(1, &[i, i])])));
    given.extend(steps(&[(2, &[40])]));
    let skeleton = Skeleton::new(&system, given).expect("a derivation");
    let found = inductive_assertions(&context, &system, &skeleton, &Options::default());
    assert!(matches!(found, Err(UnknownReason::Incomplete(_))));
}
