//! Witnesses: they are YAML, of the fields and types of the SV-COMP format 2.0, about the file that they name; and the invariants that they
//! tell hold where they say.

use super::papers::program;
use super::support::{Found, solve_text};
use horn::cfront::{
    DataModel, IntMode, Invariant, WitnessTask, correctness_witness, violation_witness,
};
use sha2::{Digest, Sha256};
use std::time::{Duration, UNIX_EPOCH};

const FILE: &str = "test.c";
const PROPERTY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";

/// The part of YAML that witnesses are written in.
#[derive(Clone, PartialEq, Debug)]
enum Yaml {
    Text(String),
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>),
}

impl Yaml {
    fn parse(text: &str) -> Yaml {
        let lines = text.lines().map(|line| {
            let bare = line.trim_start_matches(' ');
            (line.len() - bare.len(), bare.to_owned())
        });
        let mut lines: Vec<(usize, String)> = lines.rev().collect();
        let yaml = Yaml::block(&mut lines);
        assert!(lines.is_empty(), "{lines:?}");
        yaml
    }

    /// What begins with the next line, which is the last of `lines`.
    fn block(lines: &mut Vec<(usize, String)>) -> Yaml {
        let (indent, first) = lines.last().expect("a block has lines").clone();
        if !first.starts_with("- ") {
            return Yaml::map(lines, indent);
        }
        let mut items = Vec::new();
        while let Some((at, line)) = lines.last_mut() {
            let Some(rest) = line.strip_prefix("- ").filter(|_| *at == indent) else {
                break;
            };
            let rest = rest.to_owned();
            if key_of(&rest).is_some() {
                (*at, *line) = (indent + 2, rest);
                items.push(Yaml::block(lines));
            } else {
                lines.pop();
                items.push(Yaml::scalar(&rest));
            }
        }
        Yaml::List(items)
    }

    fn map(lines: &mut Vec<(usize, String)>, indent: usize) -> Yaml {
        let mut fields = Vec::new();
        while let Some((at, line)) = lines.last() {
            if *at != indent || line.starts_with("- ") {
                break;
            }
            let (key, rest) = key_of(line).unwrap_or_else(|| panic!("no key: {line}"));
            let (key, rest) = (key.to_owned(), rest.to_owned());
            lines.pop();
            let value = if rest.is_empty() {
                Yaml::block(lines)
            } else {
                Yaml::scalar(&rest)
            };
            assert!(fields.iter().all(|(k, _)| *k != key), "{key} stands twice");
            fields.push((key, value));
        }
        Yaml::Map(fields)
    }

    fn scalar(text: &str) -> Yaml {
        if text == "[]" {
            return Yaml::List(Vec::new());
        }
        let Some(quoted) = text.strip_prefix('"') else {
            return Yaml::Text(text.to_owned());
        };
        let quoted = quoted.strip_suffix('"').expect("quotes are closed");
        let (mut out, mut escaped) = (String::new(), false);
        for c in quoted.chars() {
            match (std::mem::take(&mut escaped), c) {
                (false, '\\') => escaped = true,
                (true, 'n') => out.push('\n'),
                (false, '"') => panic!("a quote within quotes: {text}"),
                _ => out.push(c),
            }
        }
        Yaml::Text(out)
    }

    fn at(&self, key: &str) -> &Yaml {
        let Yaml::Map(fields) = self else {
            panic!("no map with {key}: {self:?}");
        };
        let field = fields.iter().find(|(k, _)| k == key);
        &field.unwrap_or_else(|| panic!("no {key}: {self:?}")).1
    }

    fn text(&self, key: &str) -> &str {
        match self.at(key) {
            Yaml::Text(text) => text,
            other => panic!("{key} is no text: {other:?}"),
        }
    }

    fn list(&self) -> &[Yaml] {
        match self {
            Yaml::List(items) => items,
            other => panic!("no list: {other:?}"),
        }
    }

    fn keys(&self) -> Vec<&str> {
        match self {
            Yaml::Map(fields) => fields.iter().map(|(key, _)| key.as_str()).collect(),
            other => panic!("no map: {other:?}"),
        }
    }
}

/// The key that a line begins with, and what follows it.
fn key_of(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = match line.strip_prefix('"') {
        Some(quoted) => {
            let (key, rest) = quoted.split_once('"')?;
            (key, rest.strip_prefix(':')?)
        }
        None => line.split_once(':')?,
    };
    let plain = key
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b"_.".contains(&b));
    let separate = rest.is_empty() || rest.starts_with(' ');
    (plain && separate).then(|| (key, rest.trim_start()))
}

fn task(text: &str) -> WitnessTask<'_> {
    WitnessTask {
        file: FILE,
        bytes: text.as_bytes(),
        specification: PROPERTY,
        model: DataModel::Lp64,
        time: UNIX_EPOCH + Duration::from_secs(1_700_000_000),
    }
}

/// Everything before the content; answers the content.
fn check_header<'y>(witness: &'y Yaml, kind: &str, text: &str) -> &'y [Yaml] {
    let [entry] = witness.list() else {
        panic!("one entry: {witness:?}");
    };
    assert_eq!(entry.keys(), ["entry_type", "metadata", "content"]);
    assert_eq!(entry.text("entry_type"), kind);
    let metadata = entry.at("metadata");
    assert_eq!(metadata.text("format_version"), "2.0");
    assert_eq!(metadata.text("creation_time"), "2023-11-14T22:13:20Z");
    let uuid: Vec<usize> = metadata.text("uuid").split('-').map(str::len).collect();
    assert_eq!(uuid, [8, 4, 4, 4, 12]);
    assert_eq!(metadata.at("producer").keys(), ["name", "version"]);
    let task = metadata.at("task");
    assert_eq!(task.at("input_files").list(), [Yaml::Text(FILE.to_owned())]);
    let hash = Sha256::digest(text.as_bytes());
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(task.at("input_file_hashes").text(FILE), hash);
    assert_eq!(task.text("specification"), PROPERTY);
    assert_eq!(task.text("data_model"), "LP64");
    assert_eq!(task.text("language"), "C");
    entry.at("content").list()
}

/// The byte of the text that a location speaks of.
fn offset(location: &Yaml, text: &str) -> usize {
    assert_eq!(location.text("file_name"), FILE);
    let number = |key: &str| -> usize { location.text(key).parse().expect("a number") };
    let (line, column) = (number("line"), number("column"));
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let here = lines.get(line - 1).expect("the line is in the file");
    assert!((1..=here.len()).contains(&column), "{location:?}");
    lines[..line - 1].iter().map(|l| l.len()).sum::<usize>() + column - 1
}

/// The program with an assertion at the head of the loop that begins there, where it is one with its test at the head.
fn with_assertion(text: &str, at: usize, invariant: &str) -> String {
    let check = format!("({{ if (!({invariant})) reach_error(); 1; }})");
    let rest = &text[at..];
    let open = rest.find('(').expect("a loop with a test");
    if rest.starts_with("while") {
        let at = at + open + 1;
        return format!("{}{check} && {}", &text[..at], &text[at..]);
    }
    assert!(rest.starts_with("for"), "no loop: {rest}");
    let first = at + rest.find(';').expect("three parts") + 1;
    let second = first + text[first..].find(';').expect("three parts");
    let test = match text[first..second].trim() {
        "" => "1",
        test => test,
    };
    format!("{}{check} && ({test}){}", &text[..first], &text[second..])
}

/// The witness of a safe program is well formed, and its invariants hold.
fn check_invariants(name: &str, text: &str, ints: IntMode) {
    let found = solve_text(text, ints);
    if found.needs_solver() {
        return;
    }
    let Found::Safe(invariants) = found else {
        panic!("{name} is safe: {found:?}");
    };
    let told = |i: &&Invariant| i.at_loop && i.formula != "1";
    assert!(
        invariants.iter().any(|i| told(&i)),
        "{name}: {invariants:?}"
    );
    let witness = Yaml::parse(&correctness_witness(&task(text), &invariants));
    let content = check_header(&witness, "invariant_set", text);
    assert_eq!(content.len(), invariants.iter().filter(told).count());
    for item in content {
        let invariant = item.at("invariant");
        assert_eq!(invariant.text("type"), "loop_invariant");
        assert_eq!(invariant.text("format"), "c_expression");
        let location = invariant.at("location");
        assert_eq!(location.text("function"), "main");
        let value = invariant.text("value");
        let asserted = with_assertion(text, offset(location, text), value);
        let found = solve_text(&asserted, ints);
        assert_eq!(found.word(), "safe", "{name}: {value}\n{found:?}");
    }
}

#[test]
fn invariants_hold_where_witnesses_say() {
    check_invariants(
        "a counter",
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  int x = 0;\n  \
         while (__VERIFIER_nondet_int()) {\n    if (x < 10) x++;\n  }\n  if (x > 10) reach_error();\n  return 0;\n}\n",
        IntMode::Unbounded,
    );
    check_invariants(
        "a remainder",
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  int x = 0;\n  \
         for (; __VERIFIER_nondet_int();) x += 2;\n  if (x % 2 != 0) reach_error();\n  return 0;\n}\n",
        IntMode::Unbounded,
    );
    check_invariants(
        "a bit of a number that wraps",
        "extern void reach_error(void);\nint main(void) {\n  unsigned int x = 10;\n  while (x >= 10) {\n    x += 2;\n  }\n  \
         if (x % 2 != 0) reach_error();\n  return 0;\n}\n",
        IntMode::BitVector,
    );
    for name in ["spacer_fig1.c", "newton_fig3.c", "unifying_view.c"] {
        check_invariants(name, &program(name), IntMode::Unbounded);
    }
}

#[test]
fn violations_are_told_as_waypoints() {
    let text = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  \
                if (x == 5)\n    reach_error();\n  return 0;\n}\n";
    let Found::Unsafe(run) = solve_text(text, IntMode::Unbounded) else {
        panic!("the error can be reached");
    };
    let witness = Yaml::parse(&violation_witness(&task(text), &run));
    let content = check_header(&witness, "violation_sequence", text);
    let waypoints: Vec<&Yaml> = (content.iter())
        .map(|item| match item.at("segment").list() {
            [one] => one.at("waypoint"),
            other => panic!("one waypoint: {other:?}"),
        })
        .collect();
    let [input, target] = waypoints[..] else {
        panic!("an input and the target: {waypoints:?}");
    };
    for (waypoint, kind, begins) in [
        (input, "function_return", ");\n  if (x == 5)"),
        (target, "target", "reach_error()"),
    ] {
        assert_eq!(waypoint.text("type"), kind);
        assert_eq!(waypoint.text("action"), "follow");
        let at = offset(waypoint.at("location"), text);
        assert!(text[at..].starts_with(begins), "{}", &text[at..]);
    }
    let constraint = input.at("constraint");
    assert_eq!(constraint.text("value"), "\\result == 5");
    assert_eq!(constraint.text("format"), "acsl_expression");
}
