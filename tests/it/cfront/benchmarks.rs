//! The benchmark programs, where they are at hand: all of Table 1 are encoded, fast.

use horn::cfront::{CProgram, DataModel, EncodeOptions};
use horn::term::Terms;
use std::path::{Path, PathBuf};

/// Where the programs are: where `C_BENCHMARKS` says, or else in the folder beside the work tree,
/// which is optional.
fn directory() -> Option<PathBuf> {
    if let Some(given) = std::env::var_os("C_BENCHMARKS") {
        let directory = PathBuf::from(given).join("table1");
        assert!(directory.is_dir(), "C_BENCHMARKS has no folder `table1`");
        return Some(directory);
    }
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/benchmarks/sv-comp-c");
    Some(beside.join("table1")).filter(|directory| directory.is_dir())
}

#[test]
fn table_1_is_encoded() {
    let Some(directory) = directory() else {
        eprintln!("skipped: the programs of Table 1 are not here");
        return;
    };
    let mut count = 0;
    for family in std::fs::read_dir(&directory).expect("a directory") {
        for file in std::fs::read_dir(family.expect("an entry").path()).expect("a directory") {
            let path = file.expect("an entry").path();
            let bytes = std::fs::read(&path).expect("a file");
            let name = path.display().to_string();
            let program = CProgram::read(&name, &bytes, None, DataModel::Ilp32);
            let program = program.unwrap_or_else(|error| panic!("{error}"));
            let terms = Terms::new();
            let encoded = program.encode(&terms, EncodeOptions::default());
            assert!(encoded.size().clauses > 1, "{name}");
            count += 1;
        }
    }
    assert_eq!(count, 42);
}
