//! The prose of the sources: comments fit into 100 columns, doc comments are whole sentences, and
//! phrases that say less than they seem to are not used.
//!
//! `scripts/wrap-comments` mends the first; the second and third need thought.

use std::fs;
use std::path::{Path, PathBuf};

/// The width of a comment, with its indentation.
const COLUMNS: usize = 100;

/// Phrases that were found to puzzle readers. A number with its unit, the noun that is meant, or
/// the term of the field takes their place.
const PHRASES: [&str; 25] = [
    "so many",
    "so much",
    "so deep",
    "as many as are",
    "of its own",
    "of their own",
    "those that",
    "such a",
    "hand on",
    "hands on",
    "handed on",
    "is told",
    "are told",
    "told of",
    "be told",
    "done without",
    "is had",
    "are had",
    "be had",
    "nobody",
    "is asked for",
    "are asked for",
    "is looked at",
    "are looked at",
    "is no more",
];

/// One comment: its lines without their markers, and the number of the first.
struct Comment<'a> {
    first: usize,
    is_doc: bool,
    lines: Vec<&'a str>,
}

/// The comments of a source. Lines with code before the comment are left out.
fn comments(text: &str) -> Vec<Comment<'_>> {
    let mut found: Vec<(&str, Comment<'_>)> = Vec::new();
    let mut follows = false;
    for (number, line) in (1..).zip(text.lines()) {
        let trimmed = line.trim_start();
        let marker = ["///", "//!", "//"]
            .into_iter()
            .find(|m| trimmed.starts_with(m));
        let Some(marker) = marker.filter(|_| !trimmed.starts_with("////")) else {
            follows = false;
            continue;
        };
        let body = &trimmed[marker.len()..];
        match found.last_mut() {
            Some((last, comment)) if follows && *last == marker => comment.lines.push(body),
            _ => found.push((
                marker,
                Comment {
                    first: number,
                    is_doc: marker != "//",
                    lines: vec![body],
                },
            )),
        }
        follows = true;
    }
    found.into_iter().map(|(_, comment)| comment).collect()
}

/// The lines of a comment that are prose: no fences of code, tables, headings or indented code.
fn prose<'a>(comment: &Comment<'a>) -> Vec<(usize, &'a str)> {
    let mut fenced = false;
    let mut found = Vec::new();
    for (number, line) in (comment.first..).zip(&comment.lines) {
        let trimmed = line.trim();
        if trimmed.starts_with("```") {
            fenced = !fenced;
        } else if !fenced && !trimmed.starts_with(['|', '#']) && !line.starts_with("     ") {
            found.push((number, trimmed));
        }
    }
    found
}

/// Is the line a comment, and no row of a table, which cannot be wrapped?
fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("//") && !line.trim_start_matches(['/', '!']).starts_with(" |")
}

/// What is wrong with the comments of a source, with the line.
fn faults(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let width = line.chars().count();
        if is_comment(line) && width > COLUMNS {
            found.push((number, format!("{width} columns")));
        }
    }
    for comment in comments(text) {
        let lines = prose(&comment);
        // Phrases may run over the end of a line.
        let whole: Vec<&str> = lines.iter().map(|(_, line)| *line).collect();
        let whole = format!(" {} ", whole.join(" ").to_lowercase());
        for phrase in PHRASES {
            let is_word = |c: char| c.is_alphanumeric();
            let used = whole.match_indices(phrase).any(|(at, _)| {
                !whole[..at].ends_with(is_word) && !whole[at + phrase.len()..].starts_with(is_word)
            });
            if used {
                found.push((comment.first, format!("“{phrase}”")));
            }
        }
        if comment.is_doc {
            found.extend(sentence_faults(&comment, &lines));
        }
    }
    found
}

/// A doc comment begins with a capital letter, or with code or a sign, and ends with a full stop,
/// or with what stands for one.
fn sentence_faults(comment: &Comment<'_>, lines: &[(usize, &str)]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let texts: Vec<_> = lines.iter().filter(|(_, line)| !line.is_empty()).collect();
    if let Some((number, first)) = texts.first()
        && first.starts_with(|c: char| c.is_ascii_lowercase())
    {
        found.push((*number, "begins in the middle of a sentence".to_owned()));
    }
    let ends_in_prose = (comment.lines.last())
        .is_some_and(|last| texts.last().is_some_and(|(_, text)| *text == last.trim()));
    if let Some((number, last)) = texts.last()
        && ends_in_prose
        && !last.ends_with(['.', '?', '!', ':', '…', ')', '`'])
    {
        found.push((*number, "ends in the middle of a sentence".to_owned()));
    }
    found
}

/// The Rust files below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn faults_are_found() {
    let check = |text: &str, expected: &[&str]| {
        let found: Vec<String> = faults(text).into_iter().map(|(_, what)| what).collect();
        assert_eq!(found, expected, "{text}");
    };
    check("/// A whole sentence.\nfn f() {} // told of its own", &[]);
    check("/// `f` is one, too.", &[]);
    check("//! ```text\n//! so many\n//! ```", &[]);
    check("/// At most so\n/// many steps.", &["“so many”"]);
    check("// those that stay", &["“those that”"]);
    check("/// Sucha thing.", &[]);
    check(
        "/// from states of these",
        &[
            "begins in the middle of a sentence",
            "ends in the middle of a sentence",
        ],
    );
    check(
        "/// The rule that derives it,",
        &["ends in the middle of a sentence"],
    );
    let long = format!("    // {}", "x".repeat(94));
    check(&long, &["101 columns"]);
    check(&long[..100], &[]);
    let row = format!("//! | a | {} |", "x".repeat(100));
    check(&row, &[]);
}

#[test]
fn comments_are_prose() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "tests", "benches", "examples", "bindings"] {
        sources(&root.join(folder), &mut files);
    }
    files.sort();
    let mut report = Vec::new();
    for path in &files {
        let name = path.strip_prefix(root).expect("below the root");
        let text = fs::read_to_string(path).expect("text");
        let found = faults(&text);
        report.extend(
            (found.into_iter()).map(|(line, what)| format!("{}:{line}: {what}", name.display())),
        );
    }
    assert!(report.is_empty(), "\n{}", report.join("\n"));
}
