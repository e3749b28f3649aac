//! The sources of the library and the programs as a graph: which module uses which, by the paths in
//! their code.
//!
//! A path is followed through imports: `super::Name` stands for where the parent imports `Name`
//! from. Comments, literals and unit tests do not count.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The names from the root to a module; a program's begin with `bin` and its folder.
pub(crate) type Module = Vec<String>;

/// A source file.
pub(crate) struct SourceFile {
    /// Relative to `src/`.
    pub(crate) path: PathBuf,
    pub(crate) module: Module,
    /// Without comments, literals and unit tests.
    pub(crate) code: String,
}

/// All files below `src/`, in order of their paths.
pub(crate) fn source_files() -> Vec<SourceFile> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    rust_files(&src, &mut paths);
    paths.sort();
    assert!(paths.len() > 10, "the sources were not found");
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("sources are text");
        let path = path.strip_prefix(&src).expect("below src").to_owned();
        SourceFile {
            module: module_of(&path),
            code: code_only(without_tests(&text)),
            path,
        }
    };
    paths.into_iter().map(read).collect()
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

/// The module that a file of `src/` holds.
fn module_of(path: &Path) -> Module {
    let names = path.with_extension("");
    let names = names.iter().map(|n| n.to_str().expect("plain names"));
    let mut module: Module = names.map(str::to_owned).collect();
    if let Some("mod" | "lib" | "main") = module.last().map(String::as_str) {
        module.pop();
    }
    module
}

/// The text before the unit tests, which stand at the end of a file.
fn without_tests(text: &str) -> &str {
    let start = text.find("#[cfg(test)]\nmod tests {");
    &text[..start.unwrap_or(text.len())]
}

/// Who uses whom, as pairs of modules without repetition, in order.
pub(crate) fn uses(files: &[SourceFile]) -> Vec<(Module, Module)> {
    let tree = Tree::new(files);
    let mut found = Vec::new();
    for file in files {
        for (path, _) in paths_in(&file.code) {
            if let Some(path) = tree.absolute(&file.module, &path) {
                found.push((file.module.clone(), tree.resolve(path)));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The modules, and for each what its names are imported from.
struct Tree {
    imports: HashMap<Module, HashMap<String, Module>>,
}

impl Tree {
    fn new(files: &[SourceFile]) -> Tree {
        let modules = files.iter().map(|f| (f.module.clone(), HashMap::new()));
        let mut tree = Tree {
            imports: modules.collect(),
        };
        for file in files {
            let imported = paths_in(&file.code).into_iter().filter_map(|(path, name)| {
                let path = tree.absolute(&file.module, &path)?;
                Some((name?, path))
            });
            let imported = imported.collect();
            tree.imports.insert(file.module.clone(), imported);
        }
        tree
    }

    /// A path from the root, if this one leads into this package.
    fn absolute(&self, module: &Module, path: &[String]) -> Option<Module> {
        let program = module.first().is_some_and(|first| first == "bin");
        let mut rest = path;
        let mut base = match path[0].as_str() {
            "crate" if program => module[..2].to_vec(),
            "crate" => Vec::new(),
            "horn" if program => Vec::new(),
            "self" | "super" => module.clone(),
            name => {
                let mut child = module.clone();
                child.push(name.to_owned());
                self.imports.contains_key(&child).then_some(())?;
                return Some([module, path].concat());
            }
        };
        while let Some((first, after)) = rest.split_first() {
            match first.as_str() {
                "crate" | "horn" | "self" => {}
                "super" => drop(base.pop()),
                _ => break,
            }
            rest = after;
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    /// The module that defines what the path names.
    fn resolve(&self, mut path: Module) -> Module {
        // Imports of imports end somewhere.
        for _ in 0..16 {
            let mut known = path.len();
            while known > 0 && !self.imports.contains_key(&path[..known]) {
                known -= 1;
            }
            let Some(name) = path.get(known) else { break };
            let imported = self.imports.get(&path[..known]).and_then(|i| i.get(name));
            match imported {
                Some(target) if target[..] != path[..=known] => {
                    path = [target, &path[known + 1..]].concat();
                }
                _ => {
                    path.truncate(known);
                    break;
                }
            }
        }
        path
    }
}

/// The paths of a text, each with the name that it imports where it stands in a `use`.
fn paths_in(code: &str) -> Vec<(Vec<String>, Option<String>)> {
    let tokens = tokens(code);
    let (mut found, mut at, mut import) = (Vec::new(), 0, false);
    while let Some(&token) = tokens.get(at) {
        match token {
            "use" => import = true,
            ";" => import = false,
            _ if token.starts_with(is_word) && !after_path(&tokens, at) => {
                let mut paths = Vec::new();
                at = path_tree(&tokens, at, &[], &mut paths);
                let long = paths.into_iter().filter(|(path, _)| path.len() > 1);
                found.extend(long.map(|(path, name)| (path, name.filter(|_| import))));
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn after_path(tokens: &[&str], at: usize) -> bool {
    at > 0 && tokens[at - 1] == "::"
}

/// Reads `a::b::{c, d as e}` behind `prefix`; the place after it.
fn path_tree(
    tokens: &[&str],
    mut at: usize,
    prefix: &[String],
    found: &mut Vec<(Vec<String>, Option<String>)>,
) -> usize {
    let mut path = prefix.to_vec();
    loop {
        match tokens.get(at) {
            Some(&"{") => {
                at += 1;
                while tokens.get(at).is_some_and(|&t| t != "}") {
                    at = path_tree(tokens, at, &path, found);
                    at += usize::from(tokens.get(at) == Some(&","));
                }
                return at + 1;
            }
            Some(word) if word.starts_with(is_word) => {
                // `a::{self}` is `a`.
                if *word != "self" || path.is_empty() {
                    path.push((*word).to_owned());
                }
                at += 1;
            }
            // A star, or something that is no path.
            _ => return at + 1,
        }
        if tokens.get(at) != Some(&"::") {
            break;
        }
        at += 1;
        if !tokens
            .get(at)
            .is_some_and(|t| t.starts_with(is_word) || *t == "{")
        {
            // `::<` and `::*` end it.
            break;
        }
    }
    let mut name = path.last().cloned();
    if let [Some(&"as"), Some(alias)] = [tokens.get(at), tokens.get(at + 1)] {
        name = Some((*alias).to_owned());
        at += 2;
    } else if tokens.get(at) == Some(&"*") {
        at += 1;
    }
    found.push((path, name));
    at
}

/// Words, `::`, and single characters.
fn tokens(code: &str) -> Vec<&str> {
    let (mut found, mut rest) = (Vec::new(), code.trim_start());
    while let Some(first) = rest.chars().next() {
        let length = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        found.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    found
}

/// The text with comments and the contents of string and character literals blanked out.
pub(crate) fn code_only(text: &str) -> String {
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
            // A word as a whole, so that the `r` of a raw string is found at the beginning of a
            // word only.
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

pub(crate) fn is_word(c: char) -> bool {
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

/// The length of a raw string literal (`r"…"`, `br#"…"#`) at the beginning of `text`, if there is
/// one.
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

#[test]
fn paths_are_found() {
    let check = |code: &str, expected: &[&str]| {
        let paths = paths_in(code).into_iter();
        let text = paths.map(|(path, name)| match name {
            Some(name) => format!("{} as {name}", path.join("::")),
            None => path.join("::"),
        });
        assert_eq!(text.collect::<Vec<_>>(), expected, "{code}");
    };
    check("use a::b;", &["a::b as b"]);
    check("use a::b as c; d::e()", &["a::b as c", "d::e"]);
    check(
        "pub(super) use a::{b::{self, c}, d as e};",
        &["a::b as b", "a::b::c as c", "a::d as e"],
    );
    check("use super::super::a::*;", &["super::super::a as a"]);
    check("x.collect::<Vec<_>>(); Vec::<a::b>::new()", &["a::b"]);
    check("struct S { a: b::C, d: e }", &["b::C"]);
}

#[test]
fn imports_are_followed() {
    let file = |path: &str, code: &str| SourceFile {
        path: path.into(),
        module: module_of(Path::new(path)),
        code: code.to_owned(),
    };
    let files = [
        file("lib.rs", "mod m; mod n;"),
        file("m/mod.rs", "mod a; mod b; use b::B; pub use crate::n::N;"),
        file("m/a.rs", "use super::B; use super::N; use crate::m::b::f;"),
        file("m/b.rs", "use super::Own;"),
        file("n.rs", ""),
        file("bin/p/main.rs", "mod q; use horn::m::B;"),
        file("bin/p/q.rs", "use crate::main_function;"),
    ];
    let text: Vec<String> = uses(&files)
        .iter()
        .map(|(user, used)| format!("{} > {}", user.join("::"), used.join("::")))
        .collect();
    assert_eq!(
        text,
        [
            "bin::p > m::b",
            "bin::p::q > bin::p",
            "m > m::b",
            "m > n",
            "m::a > m::b",
            "m::a > n",
            "m::b > m",
        ]
    );
}
