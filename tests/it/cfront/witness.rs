//! Witnesses: they are YAML, of the fields and types of the SV-COMP format 2.1, about the file that
//! they name; and the invariants that they tell hold where they say.

use super::papers::program;
use super::support::{Found, solve_text};
use horn::cfront::{
    DataModel, IntMode, Invariant, WitnessTask, correctness_witness, violation_witness,
};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::time::{Duration, UNIX_EPOCH};

const FILE: &str = "test.c";
const PROPERTY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";

/// What a witness says, after it was read as YAML.
fn parse(text: &str) -> Json {
    serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The text in a field.
fn text_at<'y>(yaml: &'y Json, key: &str) -> &'y str {
    let field = yaml[key].as_str();
    field.unwrap_or_else(|| panic!("no text {key} in {yaml}"))
}

fn keys(yaml: &Json) -> BTreeSet<&str> {
    let object = yaml.as_object().unwrap_or_else(|| panic!("no map: {yaml}"));
    object.keys().map(String::as_str).collect()
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
fn check_header<'y>(witness: &'y Json, kind: &str, text: &str) -> &'y [Json] {
    let Some([entry]) = witness.as_array().map(Vec::as_slice) else {
        panic!("one entry: {witness}");
    };
    assert_eq!(
        keys(entry),
        BTreeSet::from(["entry_type", "metadata", "content"])
    );
    assert_eq!(text_at(entry, "entry_type"), kind);
    let metadata = &entry["metadata"];
    assert_eq!(text_at(metadata, "format_version"), "2.1");
    assert_eq!(text_at(metadata, "creation_time"), "2023-11-14T22:13:20Z");
    let uuid: Vec<usize> = text_at(metadata, "uuid").split('-').map(str::len).collect();
    assert_eq!(uuid, [8, 4, 4, 4, 12]);
    assert_eq!(
        keys(&metadata["producer"]),
        BTreeSet::from(["name", "version"])
    );
    let task = &metadata["task"];
    assert_eq!(task["input_files"], Json::from(vec![FILE]));
    let hash = Sha256::digest(text.as_bytes());
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(text_at(&task["input_file_hashes"], FILE), hash);
    assert_eq!(text_at(task, "specification"), PROPERTY);
    assert_eq!(text_at(task, "data_model"), "LP64");
    assert_eq!(text_at(task, "language"), "C");
    entry["content"].as_array().expect("a list")
}

/// The byte of the text that a location speaks of.
fn offset(location: &Json, text: &str) -> usize {
    assert_eq!(text_at(location, "file_name"), FILE);
    let number = |key: &str| -> usize {
        usize::try_from(location[key].as_u64().expect("a number")).expect("small")
    };
    let (line, column) = (number("line"), number("column"));
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let here = lines.get(line - 1).expect("the line is in the file");
    assert!((1..=here.len()).contains(&column), "{location:?}");
    lines[..line - 1].iter().map(|l| l.len()).sum::<usize>() + column - 1
}

/// The program with an assertion at the head of the loop that begins there, where it is one with
/// its test at the head.
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
    if found.lacks_solver() {
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
    let witness = parse(&correctness_witness(&task(text), &invariants));
    let content = check_header(&witness, "invariant_set", text);
    assert_eq!(content.len(), invariants.iter().filter(told).count());
    for item in content {
        let invariant = &item["invariant"];
        assert_eq!(text_at(invariant, "type"), "loop_invariant");
        assert_eq!(text_at(invariant, "format"), "c_expression");
        let location = &invariant["location"];
        assert_eq!(text_at(location, "function"), "main");
        let value = text_at(invariant, "value");
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
    let witness = parse(&violation_witness(&task(text), &run));
    let content = check_header(&witness, "violation_sequence", text);
    let waypoints: Vec<&Json> = (content.iter())
        .map(|item| match item["segment"].as_array().map(Vec::as_slice) {
            Some([one]) => &one["waypoint"],
            _ => panic!("one waypoint: {item}"),
        })
        .collect();
    let [input, target] = waypoints[..] else {
        panic!("an input and the target: {waypoints:?}");
    };
    for (waypoint, kind, begins) in [
        (input, "function_return", ");\n  if (x == 5)"),
        (target, "target", "reach_error()"),
    ] {
        assert_eq!(text_at(waypoint, "type"), kind);
        assert_eq!(text_at(waypoint, "action"), "follow");
        let at = offset(&waypoint["location"], text);
        assert!(text[at..].starts_with(begins), "{}", &text[at..]);
    }
    let constraint = &input["constraint"];
    assert_eq!(text_at(constraint, "value"), "\\result == 5");
    assert_eq!(text_at(constraint, "format"), "ext_c_expression");
}
