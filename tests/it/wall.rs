//! The order of the modules, enforced: reads the sources and compares every path through the crate's root with the table
//! of who may use whom (ARCHITECTURE.md has it in words).
//!
//! Comments and string literals do not count: documentation may link anywhere.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules from the bottom to the top: by default each may use those before it.
const ORDER: [&str; 16] = [
    "work",
    "number",
    "term",
    "chc",
    "smtlib",
    "smt",
    "os",
    "certify",
    "logic",
    "absint",
    "transform",
    "engine",
    "gate",
    "portfolio",
    "report",
    "cfront",
];

/// What a module may not use although it stands below it, and why.
const FORBIDDEN: [(&str, &[&str]); 9] = [
    // An SMT solver knows nothing of Horn clauses, nor of files.
    ("smt", &["chc", "smtlib"]),
    // The checker of certificates knows terms, clauses and the contract of solvers: nothing that takes part in finding
    // answers, so that no fault there can be repeated here.
    ("certify", &["smtlib"]),
    // What works on systems takes them from wherever, and does not judge its own results.
    ("logic", &["smtlib", "certify"]),
    ("absint", &["smtlib", "certify"]),
    ("transform", &["smtlib", "certify"]),
    // An engine decides by its own units of work; the machine that it runs on is the portfolio's business.
    ("engine", &["smtlib", "certify", "os"]),
    // The operating system knows why a run ends, and nothing of how answers are found.
    ("os", &["smtlib", "term"]),
    // The gate judges answers, whoever found them.
    ("gate", &["engine", "smtlib", "os"]),
    // The C front end makes systems and reads answers; how they are found is not its business.
    ("cfront", &["engine", "logic", "transform", "absint"]),
];

fn may_use(user: &str, used: &str) -> bool {
    let place = |name: &str| ORDER.iter().position(|&m| m == name);
    let forbidden = FORBIDDEN
        .iter()
        .any(|(m, list)| *m == user && list.contains(&used));
    // What stands in no order (the binaries, the crate's root) may use everything.
    user == used || (!forbidden && place(user).is_none_or(|user| Some(user) > place(used)))
}

/// The text with comments and the contents of string and character literals blanked out.
fn code_only(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first == '"' {
            string_length(rest)
        } else if let Some(length) = raw_string_length(rest) {
            length
        } else if first == '\'' {
            char_length(rest)
        } else {
            // A word as a whole, so that the `r` of a raw string is found at the beginning of a word only.
            let word = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            let length = word.max(first.len_utf8());
            out.push_str(&rest[..length]);
            rest = &rest[length..];
            continue;
        };
        out.push(' ');
        rest = &rest[length..];
    }
    out
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of a string literal at the beginning of `text`, with its quotes.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a raw string literal (`r"…"`, `br#"…"#`) at the beginning of `text`, if there is one.
fn raw_string_length(text: &str) -> Option<usize> {
    let after = text.strip_prefix("br").or(text.strip_prefix('r'))?;
    let body = after.trim_start_matches('#');
    let hashes = after.len() - body.len();
    let close = format!("\"{}", "#".repeat(hashes));
    let inner = body.strip_prefix('"')?;
    let end = inner
        .find(&close)
        .map_or(inner.len(), |at| at + close.len());
    Some(text.len() - inner.len() + end)
}

/// The length of a character literal at the beginning of `text`; 1 for the quote of a lifetime.
fn char_length(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), Some((at, c))) => {
            let from = at + c.len_utf8();
            text[from..].find('\'').map_or(1, |end| from + end + 1)
        }
        (Some((_, c)), Some((at, '\''))) if c != '\'' => at + 1,
        _ => 1,
    }
}

/// The first identifiers of what follows a path's `::`: one, or those of a group in braces.
fn heads(text: &str) -> Vec<&str> {
    let text = text.trim_start();
    let word = |s: &'_ str| s.find(|c: char| !is_word(c)).unwrap_or(s.len());
    let Some(group) = text.strip_prefix('{') else {
        return vec![&text[..word(text)]];
    };
    let (mut found, mut depth, mut start) = (Vec::new(), 0, true);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => start = true,
            c if start && is_word(c) => {
                found.push(&group[at..at + word(&group[at..])]);
                start = false;
            }
            _ => {}
        }
    }
    found
}

/// The top-level modules that a source file uses through the library's `root`: `crate`, or `horn` in a binary. `depth` is
/// the nesting of its module: 1 for `src/chc/mod.rs`.
fn used_modules(code: &str, root: &str, depth: usize) -> Result<Vec<String>, String> {
    let mut used = Vec::new();
    for (at, _) in code.match_indices(root) {
        let (before, after) = (&code[..at], &code[at + root.len()..]);
        let whole = !before.ends_with(is_word) && !after.starts_with(is_word);
        // `pub(crate)` has no path, and a path may go through an inner module of that name.
        if let Some(path) = after.trim_start().strip_prefix("::")
            && whole
            && !before.trim_end().ends_with("::")
        {
            for head in heads(path) {
                if !ORDER.contains(&head) {
                    return Err(format!("`{root}::{head}` is not a path to a known module"));
                }
                used.push(head.to_owned());
            }
        }
    }
    // `super::super::…` reaches the root where it is long enough; inner modules only make a chain reach less far.
    for (at, _) in code.match_indices("super") {
        let (mut rest, mut levels) = (&code[at..], 0);
        if code[..at].trim_end().ends_with("::") || code[..at].ends_with(is_word) {
            continue;
        }
        while let Some(next) = rest.trim_start().strip_prefix("super") {
            let Some(next) = next.trim_start().strip_prefix("::") else {
                break;
            };
            (rest, levels) = (next, levels + 1);
        }
        if levels >= depth {
            used.extend(
                heads(rest)
                    .iter()
                    .filter(|h| ORDER.contains(h))
                    .map(|&h| h.to_owned()),
            );
        }
    }
    if code.contains("crate as ") || code.contains("extern crate") {
        return Err("another name for the crate hides what is used".to_owned());
    }
    Ok(used)
}

/// The violations in a file of `src/`, whose path is given relative to it.
fn violations(path: &Path, text: &str) -> Vec<String> {
    let parts: Vec<&str> = path
        .iter()
        .map(|part| part.to_str().expect("sources have plain names"))
        .collect();
    let user = parts[0].trim_end_matches(".rs");
    if !ORDER.contains(&user) && !["bin", "lib"].contains(&user) {
        return vec![format!(
            "{}: module `{user}` stands in no order",
            path.display()
        )];
    }
    let depth = parts.len() - usize::from(parts.ends_with(&["mod.rs"]));
    let root = if user == "bin" { "horn" } else { "crate" };
    match used_modules(&code_only(text), root, depth) {
        Err(why) => vec![format!("{}: {why}", path.display())],
        Ok(used) => used
            .iter()
            .filter(|used| !may_use(user, used))
            .map(|used| format!("{}: `{user}` must not use `{used}`", path.display()))
            .collect(),
    }
}

fn rust_files(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("src is a directory") {
        let path = entry.expect("src can be listed").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn modules_use_only_what_they_may() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    assert!(files.len() > 10, "the sources were not found");
    let wrong: Vec<String> = files
        .iter()
        .flat_map(|file| {
            let text = fs::read_to_string(file).expect("sources are text");
            violations(file.strip_prefix(&src).expect("below src"), &text)
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[track_caller]
fn check(path: &str, text: &str, expected: &[&str]) {
    assert_eq!(violations(Path::new(path), text), expected);
}

#[test]
fn the_test_sees_what_is_forbidden() {
    let no_engine = "certify/model.rs: `certify` must not use `engine`";
    check("certify/model.rs", "use crate::chc::System;", &[]);
    check("certify/model.rs", "use crate::smt::Solver;", &[]);
    check("certify/model.rs", "use crate::engine::pdr;", &[no_engine]);
    check(
        "certify/model.rs",
        "use crate::{chc::System, engine};",
        &[no_engine],
    );
    check(
        "certify/model.rs",
        "use crate::{chc::{A, B}, engine::{C}};",
        &[no_engine],
    );
    check(
        "certify/model.rs",
        "let x = crate :: engine::go();",
        &[no_engine],
    );
    check(
        "certify/model.rs",
        "use super::super::engine::go;",
        &[no_engine],
    );
    check(
        "certify/mod.rs",
        "use super::engine::go;",
        &["certify/mod.rs: `certify` must not use `engine`"],
    );
    check("certify/model.rs", "use super::engine;", &[]);
    check(
        "certify/model.rs",
        "// see crate::engine\nlet s = \"crate::engine\";",
        &[],
    );
    check(
        "certify/model.rs",
        "let (q, s) = ('\"', r#\"\"crate::engine\"#); /* crate::engine */",
        &[],
    );
    check(
        "certify/model.rs",
        "fn f<'a>(x: &'a str) { crate::engine::go(x) }",
        &[no_engine],
    );
    check(
        "smt/mod.rs",
        "use crate::chc::System;",
        &["smt/mod.rs: `smt` must not use `chc`"],
    );
    check(
        "term/mod.rs",
        "use crate::smtlib;",
        &["term/mod.rs: `term` must not use `smtlib`"],
    );
    check("smtlib/mod.rs", "use crate::chc::System;", &[]);
    check(
        "bin/horn_solve.rs",
        "use horn::engine; use crate::args;",
        &[],
    );
    check("smtlib/script.rs", "use crate::chc::horn::HornError;", &[]);
    check(
        "new/mod.rs",
        "",
        &["new/mod.rs: module `new` stands in no order"],
    );
    check(
        "smt/mod.rs",
        "use crate::Thing;",
        &["smt/mod.rs: `crate::Thing` is not a path to a known module"],
    );
}
