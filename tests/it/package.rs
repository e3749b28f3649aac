//! What the package contains that `cargo package` makes: all that a build reads, and nothing else.

use super::sources::source_files;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files of the package, as cargo lists them.
fn packaged() -> BTreeSet<PathBuf> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["package", "--list", "--allow-dirty", "--offline", "--quiet"]);
    let output = cargo.current_dir(root()).output().expect("cargo is there");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let list = String::from_utf8(output.stdout).expect("names are UTF-8");
    list.lines().map(PathBuf::from).collect()
}

/// A path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut found = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                found.pop();
            }
            other => found.push(other),
        }
    }
    found
}

#[test]
fn the_package_has_what_a_build_reads() {
    let files = packaged();
    let needed = [
        "Cargo.toml",
        "Cargo.lock",
        "build.rs",
        "README.md",
        "LICENSE-MIT",
    ];
    for file in needed {
        assert!(files.contains(Path::new(file)), "{file} is missing");
    }
    // Files that sources include.
    let mut included = 0;
    for source in source_files() {
        let path = Path::new("src").join(&source.path);
        assert!(files.contains(&path), "{} is missing", path.display());
        let text = std::fs::read_to_string(root().join(&path)).expect("it is text");
        for macro_name in ["include_str!(\"", "include_bytes!(\""] {
            for (_, rest) in text
                .match_indices(macro_name)
                .map(|(at, name)| text.split_at(at + name.len()))
            {
                let name = rest.split('"').next().expect("the name ends");
                let file = plain(&path.parent().expect("it is in src").join(name));
                if root().join(&file).exists() {
                    included += 1;
                    assert!(files.contains(&file), "{} is missing", file.display());
                }
            }
        }
    }
    assert!(included > 3, "{included} files are included");
}

#[test]
fn the_package_is_small() {
    let files = packaged();
    let allowed = ["src", "grammar", "examples"];
    let pages = [
        ".cargo_vcs_info.json",
        "CHANGELOG.md",
        "Cargo.lock",
        "Cargo.toml",
        "Cargo.toml.orig",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "README.md",
        "build.rs",
        "docs/src/library.md",
    ];
    let mut bytes = 0;
    for file in &files {
        let is_expected = allowed.iter().any(|folder| file.starts_with(folder))
            || pages.iter().any(|page| file == Path::new(page));
        assert!(is_expected, "{} is in the package", file.display());
        bytes += std::fs::metadata(root().join(file)).map_or(0, |data| data.len());
    }
    // A registry takes 10 MB, compressed.
    assert!(bytes < 8_000_000, "{bytes} bytes");
}

/// Does a line have an arm of a `match` with a guard that is a pattern?
fn has_pattern_guard(line: &str) -> bool {
    let Some((before, after)) = line.split_once(" if let ") else {
        return false;
    };
    let ends = ["else", "=", "{", "(", "=>", "|", "&&"];
    let before = before.trim();
    let is_pattern = !before.is_empty() && !before.starts_with("//");
    is_pattern && !ends.iter().any(|end| before.ends_with(end)) && after.contains("=>")
}

/// The oldest Rust that Cargo.toml promises to suffice has no guards that are patterns; the
/// compiler at hand may be newer, and says nothing.
#[test]
fn the_oldest_rust_knows_the_guards() {
    assert!(has_pattern_guard(
        "            Some(x) if let Some(y) = x => {"
    ));
    assert!(!has_pattern_guard(
        "            let x = if let Some(y) = z { y } else { return };"
    ));
    assert!(!has_pattern_guard(
        "        } else if let Some(y) = z.map(|x| match x { _ => 1 }) {"
    ));
    for source in source_files() {
        let path = root().join("src").join(&source.path);
        let text = std::fs::read_to_string(&path).expect("it is text");
        for (at, line) in text.lines().enumerate() {
            assert!(
                !has_pattern_guard(line),
                "{}:{}: {line}",
                path.display(),
                at + 1
            );
        }
    }
}
