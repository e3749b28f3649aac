//! Programs of one to two pages, as students, embedded developers and authors of libraries write
//! them, each in a right and in a wrong version. `scripts/c-programs` verifies them all.
//!
//! The second line of a program says what the wrong version has: `wrong: OLD ==> NEW`.

use crate::tools::tool_found;
use horn::cfront::{CProgram, DataModel, EncodeOptions};
use horn::cverify::{Verdict, Verifier};
use horn::portfolio::{Control, Options, Stop};
use horn::smt::Backend;
use horn::smt::native::NativeOptions;
use horn::work::milliseconds;
use std::path::PathBuf;
use std::process::Command;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/cfront/own")
}

/// The right and the wrong version of a program.
pub(crate) fn versions(name: &str) -> [String; 2] {
    let path = folder().join(name);
    let right = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let (head, body) = right.split_once(" */").expect("a comment at the beginning");
    let (_, mark) = head.split_once("wrong: ").expect("what is wrong");
    let (old, new) = mark.split_once(" ==> ").expect("an arrow");
    assert_eq!(body.matches(old).count(), 1, "{name}: {old}");
    let wrong = format!("{head} */{}", body.replace(old, new));
    [right, wrong]
}

fn names() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("the folder is there");
    let names = entries.map(|entry| entry.expect("it can be read").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn all_versions_are_programs() {
    let names = names();
    assert!(names.len() >= 30, "{names:?}");
    if !tool_found("cc", &["--version"]) {
        return;
    }
    let directory = tempfile::tempdir().expect("a scratch directory");
    for name in names {
        for text in versions(&name) {
            let path = directory.path().join(&name);
            std::fs::write(&path, &text).expect("the directory can be written");
            let compiled = Command::new("cc")
                .args(["-std=gnu11", "-Wall", "-fsyntax-only"])
                .arg(&path)
                .output()
                .expect("the compiler was found");
            let message = String::from_utf8_lossy(&compiled.stderr).into_owned();
            assert!(compiled.status.success(), "{name}: {message}");
            let path = path.to_string_lossy().into_owned();
            let read = CProgram::read(&path, text.as_bytes(), None, DataModel::Lp64);
            read.unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

/// Programs that are decided at once. The script has all.
#[test]
fn quick_programs_have_their_verdicts() {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    for name in [
        "allocator.c",
        "bank.c",
        "date.c",
        "debounce.c",
        "fixed_point.c",
        "retry.c",
        "ring_buffer.c",
        "thermostat.c",
    ] {
        for (text, expected) in versions(name).iter().zip(["true", "false"]) {
            let program = CProgram::read(name, text.as_bytes(), None, DataModel::Lp64);
            let program = program.unwrap_or_else(|error| panic!("{name}: {error}"));
            let (stop, options) = (
                Stop::new(),
                Options {
                    budget: Some(milliseconds(60_000)),
                    ..Options::default()
                },
            );
            let verifier = Verifier {
                program: &program,
                backend: &Backend::native(NativeOptions::for_engines()),
                options: &options,
                control: Control::new(&stop),
                asks_machine: true,
            };
            let found = match verifier.verify(EncodeOptions::default()).verdict {
                Verdict::True { .. } => "true".to_owned(),
                Verdict::False(_) => "false".to_owned(),
                Verdict::Unknown(why) | Verdict::Fault(why) => why,
            };
            assert_eq!(found, expected, "{name}");
        }
    }
}
