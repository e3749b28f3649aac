//! What rsmt2 does where `smt::process` has other code instead. A test that fails here says that
//! rsmt2 has changed: look whether our own code is still needed.

use rsmt2::parse::SmtParser;
use rsmt2::{SmtConf, Solver};

/// A solver that is a shell script.
fn script(text: &str) -> Solver<()> {
    let mut configuration = SmtConf::yices_2("/bin/sh");
    configuration.option("-c").option(text);
    Solver::new(configuration, ()).expect("a shell")
}

/// The answer to a later question is the answer to an earlier one.
#[test]
fn an_error_puts_answers_out_of_step() {
    let says = "printf '(error \"unknown constant\")\\nsat\\nunsat\\n'; cat > /dev/null";
    let mut solver = script(says);
    solver.assert("(> 1 unknown)").expect("it is sent");
    assert!(solver.check_sat().is_err(), "the answer was `sat`");
    solver.assert("false").expect("it is sent");
    assert_eq!(solver.check_sat().ok(), Some(true), "it was `unsat`");
}

#[test]
fn text_that_is_not_ascii_ends_the_parser() {
    let read = || {
        SmtParser::of_str("(error \"größe\")\n")
            .check_sat()
            .is_err()
    };
    assert!(std::panic::catch_unwind(read).is_err());
}

#[test]
fn not_every_number_is_read_as_it_is() {
    for (text, expected) in [
        ("(/ 1 3))", Some("1/3")),
        ("(- (/ 1 3)))", Some("-1/3")),
        ("(/ (- 1) 3))", None),
        ("1.0?)", Some("1/1")),
    ] {
        let mut parser = SmtParser::of_str(text);
        let read = parser.try_rat(|numerator, denominator, is_positive| {
            let sign = if is_positive { "" } else { "-" };
            Ok::<String, String>(format!("{sign}{numerator}/{denominator}"))
        });
        assert_eq!(read.ok().flatten().as_deref(), expected, "{text}");
    }
}

#[test]
fn a_full_disk_stops_the_conversation() {
    let Ok(full) = std::fs::File::options().write(true).open("/dev/full") else {
        return;
    };
    let mut solver = script("read -r command; echo sat; cat > /dev/null");
    solver.tee(full).expect("nothing is written yet");
    assert!(solver.check_sat().is_err());
}
