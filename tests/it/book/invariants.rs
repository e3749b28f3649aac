//! The invariants of ARCHITECTURE.md name what enforces them, and it exists.

use super::page::{Page, root};
use std::path::{Path, PathBuf};

/// The names in backticks of a text.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The Rust files below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Is that a file, a function, a type, or a module with assertions?
fn exists(name: &str, sources: &str) -> bool {
    let last = name
        .rsplit("::")
        .next()
        .expect("there is one part at least");
    let is_file = name.contains('/') && root().join(name).exists();
    let items = ["fn ", "struct ", "enum ", "trait ", "mod "];
    is_file
        || items.iter().any(|item| {
            let item = format!("{item}{last}");
            sources.match_indices(&item).any(|(at, _)| {
                let after = sources[at + item.len()..].chars().next();
                after.is_some_and(|c| !c.is_alphanumeric() && c != '_')
            })
        })
}

/// The invariants of a page: paragraphs that begin with the word.
fn invariants(page: &Page) -> Vec<String> {
    let prose = page.prose();
    let paragraphs = prose
        .split("\n\n")
        .map(|paragraph| paragraph.replace('\n', " "));
    paragraphs
        .filter(|paragraph| paragraph.trim_start_matches('*').starts_with("Invariant"))
        .collect()
}

/// What is wrong with an invariant.
fn flaw(invariant: &str, sources: &str) -> Option<String> {
    let Some((_, enforced)) = invariant.split_once("Enforced by ") else {
        return Some("nothing enforces it".to_owned());
    };
    if names(enforced).next().is_none() {
        return Some("what enforces it has no name".to_owned());
    }
    let missing = names(enforced).find(|name| !exists(name, sources))?;
    Some(format!("`{missing}` does not exist"))
}

#[test]
fn invariants_are_enforced() {
    let mut files = Vec::new();
    for folder in ["src", "tests", "bindings"] {
        sources(&root().join(folder), &mut files);
    }
    let texts = files
        .iter()
        .map(|file| std::fs::read_to_string(file).expect("it is text"));
    let sources = texts.collect::<Vec<_>>().join("\n");
    let invariants = invariants(&Page::read("ARCHITECTURE.md"));
    assert!(invariants.len() > 20, "{} invariants", invariants.len());
    let flaws: Vec<String> = (invariants.iter())
        .filter_map(|invariant| Some(format!("{invariant}\n  {}", flaw(invariant, &sources)?)))
        .collect();
    assert!(flaws.is_empty(), "{}", flaws.join("\n"));
}

#[test]
fn invariants_without_enforcement_are_found() {
    let sources = "fn frames_are_valid(&self) -> bool { true }";
    let table = [
        ("**Invariant**: a. Enforced by `frames_are_valid`.", true),
        ("**Invariant**: a. Enforced by `tests/it/wall.rs`.", true),
        ("**Invariant**: a. Enforced by `frames_are`.", false),
        (
            "**Invariant**: a. Enforced by `tests/it/no_wall.rs`.",
            false,
        ),
        ("**Invariant**: a. Enforced by care.", false),
        ("**Invariant**: a.", false),
    ];
    for (invariant, expected) in table {
        assert_eq!(flaw(invariant, sources).is_none(), expected, "{invariant}");
    }
}
