//! The benchmark programs, where they are at hand: all of Table 1 are encoded, fast.

use horn::cfront::{CProgram, DataModel, EncodeOptions};
use horn::term::Terms;
use std::path::{Path, PathBuf};

/// Where the programs may be: what the variable says, or beside the work tree.
fn directory() -> Option<PathBuf> {
    let told = std::env::var_os("C_BENCHMARKS").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/benchmarks/sv-comp-c");
    told.into_iter()
        .chain([beside])
        .map(|d| d.join("table1"))
        .find(|d| d.is_dir())
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
