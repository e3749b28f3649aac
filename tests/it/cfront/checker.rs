//! Several properties of a program, as the library checks them.

use crate::tools::tool_found;
use horn::cfront::{CFile, DataModel, EncodeOptions, Property};
use horn::cverify::{Checker, Fate, Finding};
use horn::portfolio::{Control, Options, Stop};
use horn::smt::Backend;
use horn::smt::native::NativeOptions;
use horn::work::milliseconds;

/// What is found of these properties of a program, in the core's own theories.
fn findings(text: &str, properties: &[Property], executes: bool) -> Vec<Finding> {
    let file = CFile::new("test.c", text.as_bytes(), DataModel::Lp64, &[]);
    let file = file.unwrap_or_else(|error| panic!("{error}"));
    let stop = Stop::new();
    let checker = Checker {
        file: &file,
        error: None,
        backend: &Backend::native(NativeOptions::for_engines()),
        options: &Options {
            budget: Some(milliseconds(60_000)),
            ..Options::default()
        },
        control: Control::new(&stop),
        encoding: EncodeOptions::default(),
        asks_machine: true,
        executes,
    };
    let found = checker.check(properties);
    found.unwrap_or_else(|error| panic!("{error}"))
}

/// In a few words.
fn words(findings: &[Finding]) -> Vec<String> {
    let word = |finding: &Finding| {
        let fate = match &finding.fate {
            Fate::Holds { bounds, .. } => format!("holds, {} bounds", bounds.len()),
            Fate::Violated(found) => format!("{} at {}", found.property, found.run.end.place()),
            Fate::Open(_) => "open".to_owned(),
            Fate::Fault(reason) => panic!("{reason}"),
        };
        format!("{}: {fate}", finding.names())
    };
    findings.iter().map(word).collect()
}

/// The groups come in their order, and end with the first violation.
#[test]
fn groups_are_checked_up_to_a_violation() {
    let text = "int main(void) {\n int a[5];\n for (int i = 0; i < 5; i++)\n  a[i] = 1;\n \
                return 0;\n}\n";
    let asked = [
        Property::Termination,
        Property::ValidMemtrack,
        Property::NoOverflow,
        Property::ValidDeref,
    ];
    assert_eq!(
        words(&findings(text, &asked, false)),
        [
            "valid-deref, valid-memtrack: holds, 0 bounds",
            "no-overflow: holds, 0 bounds",
            "termination: holds, 1 bounds",
        ]
    );
    let wrong = text.replace("i < 5", "i <= 5");
    assert_eq!(
        words(&findings(&wrong, &asked, false)),
        ["valid-deref, valid-memtrack: valid-deref at test.c:4"]
    );
}

/// A violation that was executed and seen says so; one that no sanitizer sees is open.
#[test]
fn violations_are_executed() {
    let text = "int main(void) { int a[5]; int i = 5; a[i] = 1; return 0; }";
    let found = findings(text, &[Property::ValidDeref], true);
    let [finding] = &found[..] else {
        panic!("{:?}", words(&found))
    };
    let Fate::Violated(violation) = &finding.fate else {
        panic!("{:?}", words(&found))
    };
    let has_compiler = tool_found("cc", &["--version"]);
    assert_eq!(violation.unconfirmed.is_none(), has_compiler);
    if has_compiler {
        let unseen = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n\
                      int main(void) { return abs(__VERIFIER_nondet_int()) == 0; }";
        let word = words(&findings(unseen, &[Property::NoOverflow], true));
        assert_eq!(word, ["no-overflow: open"]);
        let word = words(&findings(unseen, &[Property::NoOverflow], false));
        assert_eq!(word, ["no-overflow: no-overflow at test.c:3"]);
    }
}
