//! The registry against everything that is written about it: the tables of the documentation,
//! `--help`, and the lists of solved files.
//!
//! A table stands in a Markdown file between two lines, `<!-- begin table NAME -->` and
//! `<!-- end table NAME -->`. Where the registry has changed, `HORN_UPDATE_DOCS=1 cargo test --test
//! it registry` writes the tables again.

use horn::engine::{ENGINES, EngineSettings};
use horn::report::tables::Table;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const BEGIN: &str = "<!-- begin table ";

/// The text with every table as the registry has it, and the names of the tables that it has.
fn with_tables(text: &str) -> (String, Vec<&str>) {
    let (mut out, mut names, mut rest) = (String::new(), Vec::new(), text);
    while let Some(start) = rest.find(BEGIN) {
        let (before, block) = rest.split_at(start);
        let name = block[BEGIN.len()..].split(' ').next().expect("a name");
        let table = Table::from_name(name).unwrap_or_else(|| panic!("there is no table `{name}`"));
        let end = format!("<!-- end table {name} -->");
        let after = block.split_once(&end).expect("a table has an end").1;
        let table = table.markdown();
        out += &format!("{before}{BEGIN}{name} -->\n\n{table}\n{end}");
        names.push(name);
        rest = after;
    }
    (out + rest, names)
}

fn markdown_files(dir: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("the directory can be listed").path();
        if path.is_dir() {
            markdown_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "md") {
            found.push(path);
        }
    }
}

#[test]
fn registry_tables_of_the_documentation_are_right() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![root.join("README.md"), root.join("ARCHITECTURE.md")];
    markdown_files(&root.join("docs"), &mut files);
    let mut seen = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("documentation is text");
        let (right, names) = with_tables(&text);
        seen.extend(names.into_iter().map(str::to_owned));
        if right != text {
            assert!(
                std::env::var_os("HORN_UPDATE_DOCS").is_some(),
                "{} has a table that is not the registry's: run HORN_UPDATE_DOCS=1 cargo test --test it registry",
                file.display()
            );
            fs::write(&file, right).expect("documentation can be written");
        }
    }
    for table in Table::ALL {
        let name = table.name();
        assert!(
            seen.iter().any(|seen| seen == name),
            "no file has the table `{name}`"
        );
    }
}

#[test]
fn registry_markers_are_replaced() {
    let (begin, end) = ("<!-- begin table engines -->", "<!-- end table engines -->");
    let right = format!("a\n{begin}\n\n{}\n{end}\nb\n", Table::Engines.markdown());
    let wrong = format!("a\n{begin}\nold\n{end}\nb\n");
    for text in [&wrong, &right] {
        assert_eq!(with_tables(text), (right.clone(), vec!["engines"]));
    }
    assert_eq!(with_tables("none"), ("none".to_owned(), Vec::new()));
}

#[test]
fn engines_have_lists_of_the_corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("horn-benchmarks/solved");
    for spec in ENGINES {
        let path = folder.join(format!("{spec}.txt"));
        let list = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            list.lines().any(|line| !line.starts_with('#')),
            "{} names no file: CONTRIBUTING.md says how an engine gets its list",
            path.display()
        );
    }
}

fn horn_solve(args: &[&str]) -> String {
    let program = env!("CARGO_BIN_EXE_horn-solve");
    let output = Command::new(program)
        .args(args)
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{args:?}");
    String::from_utf8(output.stdout).expect("help is text")
}

#[test]
fn registry_is_what_help_says() {
    let help = horn_solve(&["--help"]);
    let help: String = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for spec in ENGINES {
        assert!(
            help.contains(&format!("- {}: {}", spec.name, spec.about)),
            "{spec}"
        );
        for row in spec.options {
            let name = format!("{}.{}", spec.name, row.name());
            let settings = EngineSettings::default();
            let default = settings.value_within(spec.name, spec.name, &row.name());
            let default = default.expect("the row is the engine's");
            assert!(
                help.contains(&format!("{name} (default: {default}")),
                "{name}"
            );
            let meaning: Vec<&str> = row.meaning.split_whitespace().collect();
            assert!(help.contains(&meaning.join(" ")), "{name}");
        }
    }
    for table in Table::ALL {
        assert_eq!(
            horn_solve(&["--print-table", table.name()]),
            table.markdown()
        );
    }
}
