//! The bibliography and the citations: every key that the sources or the documents cite is in
//! `src/bibliography.md`, and every entry there is cited.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const BIBLIOGRAPHY: &str = "src/bibliography.md";

/// The files below a folder with one of these extensions.
fn files(folder: &Path, extensions: &[&str], found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, extensions, found);
        } else if path
            .extension()
            .is_some_and(|e| extensions.iter().any(|x| e == *x))
        {
            found.push(path);
        }
    }
}

/// Is this a citation key: an initial, letters, and a year of two digits? `DepthK` is the only key
/// without a year.
fn is_key(text: &str) -> bool {
    let letters = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let name = letters.len() >= 2 && letters.chars().all(|c| c.is_ascii_alphabetic());
    let capital = letters.starts_with(|c: char| c.is_ascii_uppercase());
    // Sizes of bit-vectors and the like have no second letter that a name would have.
    text == "DepthK" || (name && capital && text.len() == letters.len() + 2)
}

/// The citation keys of a text: `[KEY]` or, as rustdoc needs it, `\[KEY\]`; also `[KEY, KEY]`.
fn keys(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut rest = text;
    while let Some(start) = rest.find('[') {
        rest = &rest[start + 1..];
        let Some(end) = rest.find([']', '[', '\n']) else {
            break;
        };
        let inside = rest[..end].trim_end_matches('\\');
        let parts = inside.split([',', ';']).map(str::trim);
        if parts.clone().all(is_key) {
            found.extend(parts.map(str::to_owned));
        }
    }
    found
}

/// The keys that the bibliography defines, each once.
fn entries(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("- **") {
            let key = keys(rest)
                .pop_first()
                .expect("an entry begins with its key");
            assert!(found.insert(key.clone()), "{key} is defined twice");
        }
    }
    found
}

/// The places that the entries of the bibliography name, with the keys of the entries: everything
/// between backticks that is not the name of an option.
fn places(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in text.split("\n- **").skip(1) {
        let entry = entry.split("\n## ").next().expect("an entry");
        let key = keys(entry)
            .pop_first()
            .expect("an entry begins with its key");
        let parts: Vec<&str> = entry.split('`').collect();
        for pair in parts.chunks_exact(2) {
            if !pair[0].to_lowercase().ends_with("option ") {
                found.push((key.clone(), pair[1].to_owned()));
            }
        }
    }
    found
}

#[test]
fn keys_are_found() {
    let expect = |text: &str, expected: &[&str]| {
        let found: Vec<String> = keys(text).into_iter().collect();
        assert_eq!(found, expected, "{text}");
    };
    expect(
        r"lemmas \[KGC14\] and [McM05], [DepthK]",
        &["DepthK", "KGC14", "McM05"],
    );
    expect("[BIL06, FG23]", &["BIL06", "FG23"]);
    expect(
        "a[10], [u8; 16], #[cfg(test)], [`Level`], [text](link)",
        &[],
    );
    expect("[Unclosed", &[]);
}

#[test]
fn entries_name_places_that_cite_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join(BIBLIOGRAPHY)).expect("text");
    let places = places(&text);
    assert!(places.len() > 40, "{}", places.len());
    let mut wrong = Vec::new();
    for (key, place) in places {
        let path = root.join("src").join(place.replace("::", "/"));
        let mut sources = Vec::from_iter(Some(path.with_extension("rs")).filter(|p| p.exists()));
        if path.is_dir() {
            files(&path, &["rs"], &mut sources);
        }
        let read = |path: &PathBuf| fs::read_to_string(path).expect("text");
        if !sources.iter().any(|path| keys(&read(path)).contains(&key)) {
            wrong.push(format!("[{key}] names `{place}`, which does not cite it"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_citation_resolves() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &Path| fs::read_to_string(path).expect("text");
    let defined = entries(&read(&root.join(BIBLIOGRAPHY)));
    assert!(defined.len() > 30, "{}", defined.len());
    let mut texts = Vec::new();
    for folder in ["src", "docs", "benches"] {
        files(&root.join(folder), &["rs", "md", "lalrpop"], &mut texts);
    }
    for document in [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ] {
        texts.extend(Some(root.join(document)).filter(|path| path.exists()));
    }
    let mut cited: BTreeMap<String, PathBuf> = BTreeMap::new();
    for path in texts.iter().filter(|path| !path.ends_with(BIBLIOGRAPHY)) {
        let found = keys(&read(path)).into_iter();
        cited.extend(found.map(|key| (key, path.clone())));
    }
    for (key, path) in &cited {
        assert!(
            defined.contains(key),
            "{}: [{key}] is not in {BIBLIOGRAPHY}",
            path.display()
        );
    }
    for key in &defined {
        assert!(cited.contains_key(key), "[{key}] is cited nowhere");
    }
}
