//! The manual tells the truth: its commands print what it shows, its options exist, its links lead
//! somewhere.
//!
//! The pages are those of `docs/src` and the Markdown files at the root of the repository. What is
//! checked depends on how a page marks a block of text:
//!
//! | block | check |
//! |---|---|
//! | ` ```console ` | each `$ command` runs and prints the lines that follow; `…` stands for any text |
//! | ` ```console varies ` | the same, but only the first line of the output has to agree: certificates are not unique |
//! | ` ```console z3 ` | the same as `console`, where Z3 can be used |
//! | ` ```smt2 PATH `, ` ```c PATH ` | the file has this text |
//! | indented by four blanks | programs, scripts, tests and their options exist; nothing is run |
//!
//! `UPDATE_BOOK=1 cargo test --test it book::` writes the outputs anew.

mod commands;
mod invariants;
mod links;
mod options;
mod page;

use page::{Page, pages};
use std::collections::BTreeSet;

/// The README is for a first look: three screens.
const README_LINES: usize = 125;

#[test]
fn the_readme_is_short() {
    let readme = Page::read("README.md");
    let lines = readme.text.lines().count();
    assert!(lines <= README_LINES, "README.md has {lines} lines");
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = Page::read("docs/src/SUMMARY.md");
    let listed: BTreeSet<String> = (links::links(&summary.text).into_iter())
        .map(|link| format!("docs/src/{}", link.target))
        .collect();
    let there: BTreeSet<String> = pages()
        .into_iter()
        .map(|page| page.path)
        .filter(|path| path.starts_with("docs/") && *path != summary.path)
        .collect();
    assert!(there.len() > 5, "{there:?}");
    assert_eq!(listed, there);
}

#[test]
fn shown_files_are_the_files() {
    let mut shown = 0;
    for page in pages() {
        for block in page.blocks() {
            let Some(path) = block.words().find(|word| word.contains('/')) else {
                continue;
            };
            let file = page::root().join(path);
            let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{path}: {e}"));
            let place = format!("{}:{}", page.path, block.line);
            assert!(text.contains(&block.text), "{place} differs from {path}");
            shown += 1;
        }
    }
    assert!(shown > 2, "{shown} files are shown");
}
