//! The commands of `console` blocks, run as a user would.

use super::page::{Block, Page, pages, root};
use crate::solvers::solver_found;
use std::path::Path;
use std::process::{Command, Output};

/// A command with the output that the page shows.
struct Shown {
    command: String,
    output: String,
}

/// The commands of a block: each begins with `$ `, and its output follows.
fn commands(block: &Block) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    for line in block.text.lines() {
        match (line.strip_prefix("$ "), found.last_mut()) {
            (Some(command), _) => found.push(Shown {
                command: command.to_owned(),
                output: String::new(),
            }),
            (None, Some(last)) => {
                last.output.push_str(line);
                last.output.push('\n');
            }
            (None, None) => panic!("a block begins with output: {line}"),
        }
    }
    found
}

/// Is it this text, where `…` in the pattern stands for any text?
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('…');
    let first = parts.next().expect("there is one part at least");
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// A folder in which the repository's files have the paths that the pages use, and files can be
/// written.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("there is space");
    for name in ["docs", "horn-benchmarks", "scripts"] {
        let (from, to) = (root().join(name), folder.path().join(name));
        std::os::unix::fs::symlink(from, to).expect("the folder is empty");
    }
    folder
}

/// Runs a command in that folder with the programs under test on its path.
fn run(command: &str, folder: &Path) -> Output {
    let programs = Path::new(env!("CARGO_BIN_EXE_horn-solve")).parent();
    let programs = programs.expect("a program is in a folder").display();
    let path = std::env::var("PATH").expect("there is a path");
    let output = Command::new("sh")
        .args(["-c", command])
        .env(
            "PATH",
            format!("{programs}:{}:{path}", root().join(".tools/bin").display()),
        )
        .env_remove("HORN_SOLVER")
        .current_dir(folder)
        .output();
    output.expect("there is a shell")
}

/// What is wrong with a command, and the output that it has.
fn judge(shown: &Shown, varies: bool, folder: &Path) -> (Option<String>, String) {
    let output = run(&shown.command, folder);
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr);
    let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    // The status 1 is an error in the input, which pages may show.
    let ended = matches!(output.status.code(), Some(0 | 1));
    let same = if varies {
        first(&shown.output) == first(&stdout) && stdout.lines().count() > 1
    } else {
        matches(&shown.output, &stdout)
    };
    let problem = (!ended || !same).then(|| {
        let (command, status) = (&shown.command, output.status);
        format!("$ {command}\n{stdout}\n{status}, standard error:\n{stderr}\n")
    });
    (problem, stdout)
}

/// The page with the outputs that the commands have now, and what was wrong.
fn check_page(page: &Page) -> (String, Vec<String>) {
    let (mut text, mut problems) = (page.text.clone(), Vec::new());
    for block in page.blocks().iter().filter(|block| block.has("console")) {
        if block.has("z3") && !solver_found(Some("z3")) {
            continue;
        }
        let folder = folder();
        let mut renewed = String::new();
        for shown in commands(block) {
            let (problem, stdout) = judge(&shown, block.has("varies"), folder.path());
            let output = if problem.is_some() {
                stdout
            } else {
                shown.output
            };
            renewed.push_str(&format!("$ {}\n{output}", shown.command));
            problems.extend(problem.map(|p| format!("{}:{}: {p}", page.path, block.line)));
        }
        text = text.replace(&block.text, &renewed);
    }
    (text, problems)
}

#[test]
fn commands_print_what_the_pages_show() {
    let update = std::env::var("UPDATE_BOOK").is_ok_and(|value| value == "1");
    let (mut count, mut problems) = (0, Vec::new());
    for page in pages() {
        let blocks = page.blocks();
        count += blocks.iter().filter(|block| block.has("console")).count();
        let (text, found) = check_page(&page);
        if update && text != page.text {
            std::fs::write(root().join(&page.path), text).expect("the page can be written");
        }
        problems.extend(found);
    }
    assert!(count > 10, "{count} blocks of commands");
    assert!(
        update || problems.is_empty(),
        "{}\nUPDATE_BOOK=1 writes the outputs anew",
        problems.join("\n")
    );
}

#[test]
fn patterns() {
    let table = [
        ("sat\n", "sat\n", true),
        ("sat\n", "unsat\n", false),
        ("sat\n", "sat\n(\n", false),
        ("sat\n…\n", "sat\n(\n", true),
        ("a … c\n", "a b c\n", true),
        ("a … c\n", "a b d\n", false),
        ("… b … b\n", "a b c b\n", true),
        ("… b … b\n", "a b c\n", false),
    ];
    for (pattern, text, expected) in table {
        assert_eq!(matches(pattern, text), expected, "{pattern:?} {text:?}");
    }
}
