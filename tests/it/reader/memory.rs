//! How much memory texts take from the file to its clauses: at most 15 times their size, also where
//! they are one single command.
//!
//! Each text is read in a separate process, whose peak of resident memory the kernel tells in
//! `/proc`. Where there is no such thing, nothing is measured and the test passes.

use horn::smtlib::{Source, read_system};
use horn::term::Terms;
use std::fmt::Write as _;
use std::process::Command;

/// Texts are about that long, so that what every reading takes does not count.
const BYTES: usize = 3_000_000;
/// At most this multiple of the text's size.
const MOST: f64 = 15.0;
/// Tells the other process which file to read.
const PATH: &str = "HORN_TEST_FILE";

const HEAD: &str = "(declare-fun p (Int) Bool)\n";
const VARIABLES: &str = "((x Int) (y Int) (z Int))";

/// A text by the name of its shape.
fn text(shape: &str) -> String {
    match shape {
        "conjunction of inequalities" => clause(VARIABLES, "(and", ")", |i| {
            let (a, b, c) = (i + 2, i % 97 + 2, 3 * i);
            (format!("(<= (+ (* {a} x) (* {b} y)) {c})"), 0)
        }),
        "nested conjunctions and disjunctions" => clause(VARIABLES, "", " true", |i| {
            let part = format!("(and (<= (+ x (* {i} y)) z) (or (< z {i}) ");
            (part, 2)
        }),
        "nested lets" => clause(VARIABLES, "(let ((a x))", " (< 0 a))", |i| {
            (format!("(let ((a (+ (* {i} a) y)))"), 1)
        }),
        "lets of many names" => clause(VARIABLES, "(let ((a x))", " (< 0 a!1))", |i| {
            let (this, before) = (i + 1, i.max(1));
            let value = if i == 0 { "x" } else { "y" };
            (format!("(let ((a!{this} (+ {value} (* {before} z))))"), 1)
        }),
        "long numerals" => clause(VARIABLES, "(and", ")", |i| {
            (format!("(< x {i}{})", "9".repeat(60)), 0)
        }),
        "disjunction over many variables" => {
            let mut variables = "((x Int)".to_owned();
            (0..5000).for_each(|i| variables += &format!(" (x{i} Int) (b{i} Bool)"));
            clause(&(variables + ")"), "(or", ")", |i| {
                let (a, b, c) = (i % 5000, i * 7 % 5000, i * 11 % 5000);
                let part = format!("(and (<= x{a} x{b}) b{c} (not b{a}) (> x{c} {i}))");
                (part, 0)
            })
        }
        _ => {
            let mut text = HEAD.to_owned();
            for i in 0.. {
                let _ = writeln!(
                    text,
                    "(assert (forall {VARIABLES} (=> (and (p x) (< y {i})) (p (+ x y {i})))))"
                );
                if text.len() > BYTES {
                    break;
                }
            }
            text
        }
    }
}

/// One clause whose constraint begins and ends as given; a part by its number opens
/// parentheses that are closed at the end; it says how many.
fn clause(
    variables: &str,
    begin: &str,
    end: &str,
    part: impl Fn(usize) -> (String, usize),
) -> String {
    let mut text = format!("{HEAD}(assert (forall {variables} (=> {begin}");
    let mut open = 0;
    for number in 0.. {
        let (part, opened) = part(number);
        open += opened;
        text = text + "\n" + &part;
        if text.len() + open > BYTES {
            break;
        }
    }
    text + &closed(end, open) + " (p x))))\n"
}

/// The end, with the parentheses that parts have opened behind its innermost term.
fn closed(end: &str, open: usize) -> String {
    let inner = end.trim_end_matches(')');
    inner.to_owned() + &")".repeat(end.len() - inner.len() + open)
}

#[test]
fn texts_take_at_most_fifteen_times_their_size() {
    for shape in [
        "conjunction of inequalities",
        "nested conjunctions and disjunctions",
        "nested lets",
        "lets of many names",
        "long numerals",
        "disjunction over many variables",
        "many commands",
    ] {
        let ratio = measured(shape);
        assert!(ratio <= MOST, "{shape}: {ratio:.1} times the text");
    }
}

/// Memory over size of a text, from another process; 0 where it cannot be measured.
fn measured(shape: &str) -> f64 {
    let path = tempfile::NamedTempFile::new()
        .expect("a file")
        .into_temp_path();
    std::fs::write(&path, text(shape)).expect("the file can be written");
    let us = std::env::current_exe().expect("this program");
    let path_of_test = concat!(module_path!(), "::one_text");
    let (_, test) = path_of_test.split_once("::").expect("it is in a program");
    let output = Command::new(us)
        .args([test, "--exact", "--ignored", "--nocapture"])
        .env(PATH, &path)
        .output()
        .expect("the program can be run");
    let printed = String::from_utf8_lossy(&output.stdout);
    let ratio = printed.split("memory/text: ").nth(1);
    let ratio = ratio.and_then(|rest| rest.split_whitespace().next());
    match ratio.map(str::parse) {
        Some(Ok(ratio)) => ratio,
        _ => panic!("{shape}: {printed}"),
    }
}

/// What the other process does.
#[test]
#[ignore = "run by the test above, in a process of its own"]
fn one_text() {
    let Ok(path) = std::env::var(PATH) else {
        return;
    };
    let before = status("RssAnon:");
    let source = Source::open(&path).expect("the file can be read");
    let t = Terms::new();
    let system = read_system(&t, &source).expect("the text is right");
    assert!(!system.clauses.is_empty());
    // Pages of the program itself are not meant.
    let memory = status("VmHWM:").saturating_sub(status("RssFile:") + before);
    println!(
        "memory/text: {:.2} ",
        memory as f64 / source.text().len() as f64
    );
}

/// A size in bytes that the kernel tells of this process; 0 where it does not.
fn status(key: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
