//! The interface as C sees it: the header is that of the sources, and a C program can use it.

#[path = "../../../tests/shared/tools.rs"]
mod tools;

use std::path::{Path, PathBuf};
use std::process::Command;
use tools::tool_found;

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_header_is_up_to_date() {
    let config = cbindgen::Config::from_file(package().join("cbindgen.toml")).expect("it is there");
    let bindings = cbindgen::Builder::new()
        .with_crate(package())
        .with_config(config)
        .generate();
    let mut text = Vec::new();
    bindings.expect("the sources can be read").write(&mut text);
    let text = without_contracts(&String::from_utf8(text).expect("the sources are UTF-8"));
    let path = package().join("include/horn.h");
    if std::env::var_os("HORN_UPDATE_HEADER").is_some() {
        std::fs::write(&path, &text).expect("the header can be written");
    }
    let header = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        header == text,
        "HORN_UPDATE_HEADER=1 cargo test -p horn-c writes the header anew"
    );
    let is_declared = |line: &&str| !line.starts_with("//") && line.contains("horn_");
    let functions = text.lines().filter(is_declared).count();
    assert!(functions > 35, "the header has {functions} functions");
}

/// A header without the sections on safety: its head says for all functions what pointers may be.
fn without_contracts(header: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut is_contract = false;
    for line in header.lines() {
        is_contract &= line.starts_with("//");
        if line == "// # Safety" {
            is_contract = true;
            // The empty line before the section.
            kept.pop();
        }
        if !is_contract {
            kept.push(line);
        }
    }
    kept.join("\n") + "\n"
}

/// The directory in which cargo has put the libraries.
fn libraries() -> PathBuf {
    let test = std::env::current_exe().expect("the test has a path");
    let deps = test.parent().expect("it is in a directory");
    // Beside it may be a library that another command has made from older sources.
    let library = deps.join("libhorn.a");
    assert!(library.exists(), "cargo has made no {}", library.display());
    deps.to_owned()
}

fn run(command: &mut Command) {
    let output = command.output().expect("the program can be started");
    let (said, why) = (&output.stdout, &output.stderr);
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(said),
        String::from_utf8_lossy(why)
    );
    assert!(
        output.status.success(),
        "{command:?}: {}\n{text}",
        output.status
    );
}

#[test]
fn a_program_in_c_uses_it() {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory can be made");
    let (libraries, header) = (libraries(), package().join("include"));
    // The program of the manual is one, too.
    let manual = package().join("../../docs/src/library.md");
    let manual = std::fs::read_to_string(manual).expect("the manual is there");
    let (_, shown) = manual.split_once("```c\n").expect("it has a program");
    let (shown, _) = shown.split_once("```").expect("the block ends");
    let source = directory.path().join("shown.c");
    std::fs::write(&source, shown).expect("the directory can be written");
    let compile = |source: &Path, name: &str| {
        let mut command = Command::new("cc");
        command.args([
            "-std=c11",
            "-D_DEFAULT_SOURCE",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-pthread",
        ]);
        command.arg("-I").arg(&header).arg(source);
        command.arg("-o").arg(directory.path().join(name));
        command
    };
    let common = |name| compile(&package().join("tests/counter.c"), name);
    // Both kinds of library have everything that the header promises.
    run(common("static")
        .arg(libraries.join("libhorn.a"))
        .args(["-ldl", "-lm"]));
    run(&mut Command::new(directory.path().join("static")));
    run(common("shared").arg("-L").arg(&libraries).arg("-lhorn"));
    run(Command::new(directory.path().join("shared")).env("LD_LIBRARY_PATH", &libraries));
    run(compile(&source, "shown")
        .arg(libraries.join("libhorn.a"))
        .args(["-ldl", "-lm"]));
    run(&mut Command::new(directory.path().join("shown")));
}
