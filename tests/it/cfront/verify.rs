//! The verifier through its public functions: verdicts, what they assume, and budgets.

use super::support::{confirmed, read};
use horn::cfront::EncodeOptions;
use horn::cverify::{Overflow, Verdict, Verified, Verifier};
use horn::portfolio::{Control, Options, Stop};
use horn::smt::Backend;
use horn::smt::native::NativeOptions;

const INPUTS: &str = "extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);
";

/// How a program is verified.
struct Way {
    asks_machine: bool,
    budget: Option<u64>,
    stop: Stop,
}

impl Default for Way {
    fn default() -> Self {
        Way {
            asks_machine: true,
            budget: None,
            stop: Stop::new(),
        }
    }
}

/// Verifies by the embedded core alone, which decides all that is asked here. A run to the error is
/// a run of the compiled program.
fn verify(main: &str, way: &Way) -> Verified {
    let text = format!("{INPUTS}int main(void) {{ {main} return 0; }}\n");
    let program = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let options = Options {
        budget: way.budget,
        ..Options::default()
    };
    let verifier = Verifier {
        program: &program,
        backend: &Backend::native(NativeOptions::for_engines()),
        options: &options,
        control: Control::new(&way.stop),
        asks_machine: way.asks_machine,
    };
    let verified = verifier.verify(EncodeOptions::default());
    if let Verdict::False(run) = &verified.verdict {
        assert_ne!(confirmed(&program, run), Some(false), "{text}\n{run:?}");
    }
    verified
}

/// The verdict in words, and the number of questions.
#[track_caller]
fn check(main: &str, way: &Way, expected: &str) {
    let Verified {
        verdict, questions, ..
    } = verify(main, way);
    let words = match &verdict {
        Verdict::True { overflow, .. } => match overflow {
            Overflow::Excluded => "true".to_owned(),
            Overflow::Reached(place) => format!("true unless {place} overflows"),
            Overflow::Open(_) => "true if nothing overflows".to_owned(),
        },
        Verdict::False(_) => "false".to_owned(),
        Verdict::Unknown(why) => format!("unknown: {why}"),
        Verdict::Fault(why) => format!("fault: {why}"),
    };
    assert_eq!(format!("{words}; {questions}"), expected, "{main}");
}

#[test]
fn each_question_follows_from_an_answer() {
    let way = Way::default();
    let loops = "int i = 0; while (i < 10) i++; if (i != 10) reach_error();";
    // The proof, and whether an operation overflows.
    check(loops, &way, "true; 2");
    check(
        "if (__VERIFIER_nondet_int() == 7) reach_error();",
        &way,
        "false; 1",
    );
    // An unsigned sum may wrap around, so the program is encoded anew.
    let wraps = "unsigned x = __VERIFIER_nondet_uint(); if (x + 1 < x) reach_error();";
    check(wraps, &way, "false; 2");
    // What is not supported is reached, and then left out.
    let after = "long double d = 1.0L; d = d * 2; if (d > 1) reach_error();";
    let verified = verify(after, &way);
    let Verdict::Unknown(told) = &verified.verdict else {
        panic!("{verified:?}");
    };
    let what = "test.c:4:34: not supported: `long double`";
    assert!(told.starts_with(what), "{told}");
    let before = format!("if (__VERIFIER_nondet_int() == 7) reach_error(); {after}");
    assert!(matches!(verify(&before, &way).verdict, Verdict::False(_)));
}

#[test]
fn the_machine_is_asked_where_it_counts() {
    let overflow = "int x = __VERIFIER_nondet_int(); int y = x + 1; if (y <= x) reach_error();";
    let why = "unknown: test.c:4: the error is reached only where signed operations overflow: \
               FALSE with --int=wrap, TRUE with --int=unbounded; 3";
    check(overflow, &Way::default(), why);
    let way = Way {
        asks_machine: false,
        ..Way::default()
    };
    check(overflow, &way, "true unless test.c:4 overflows; 2");
}

#[test]
fn a_budget_ends_all_questions_together() {
    let loops = "int i = 0, n = __VERIFIER_nondet_int(); while (i < n) i++; \
                 if (n > 0 && i != n) reach_error();";
    let way = |budget| Way {
        budget: Some(budget),
        ..Way::default()
    };
    check(loops, &way(0), "unknown: work limit; 1");
    let whole = verify(loops, &Way::default());
    let again = verify(loops, &Way::default());
    assert!(matches!(whole.verdict, Verdict::True { .. }), "{whole:?}");
    assert_eq!(
        (whole.ticks, whole.questions),
        (again.ticks, again.questions)
    );
    // A budget is respected, up to the last step.
    let some = verify(loops, &way(whole.ticks / 2));
    assert!(some.ticks < whole.ticks, "{} {}", some.ticks, whole.ticks);
}

#[test]
fn a_stop_ends_it() {
    let way = Way::default();
    way.stop.stop(horn::chc::UnknownReason::Interrupted);
    check(
        "int i = 0; while (i < 10) i++;",
        &way,
        "unknown: interrupted; 1",
    );
}
