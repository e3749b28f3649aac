//! Validation of witnesses: all that are written are confirmed, wrong ones are refuted, and each
//! kind of claim means what the format says.

use super::support::{confirmed, read};
use horn::cfront::{
    CError, CFile, CProgram, DataModel, EncodeOptions, Reading, RunEnd, Witness, WitnessKind,
    WitnessTask, correctness_witness, violation_witness,
};
use horn::cverify::{Validity, Verdict, Verifier};
use horn::portfolio::{Control, Options, Stop};
use horn::smt::Backend;
use horn::smt::native::NativeOptions;
use std::time::UNIX_EPOCH;

const FILE: &str = "test.c";
const PROPERTY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";

/// Asks the embedded core about a program.
fn with_verifier<R>(program: &CProgram, ask: impl FnOnce(&Verifier<'_>) -> R) -> R {
    let (stop, options) = (Stop::new(), Options::default());
    let verifier = Verifier {
        program,
        backend: &Backend::native(NativeOptions::for_engines()),
        options: &options,
        control: Control::new(&stop),
        asks_machine: true,
    };
    ask(&verifier)
}

/// What a witness is, in words: of a refuted proof, what its run comes to.
fn validate(text: &str, yaml: &str) -> Result<String, CError> {
    let witness = Witness::read("w.yml", yaml)?;
    let program = |reading| {
        let file = CFile::new(FILE, text.as_bytes(), DataModel::Lp64, &[])?;
        CProgram::read_with_witness(&file, witness.specification(), &witness, reading)
    };
    let (full, strict) = (program(Reading::Full)?, program(Reading::Strict)?);
    let validated = with_verifier(&full, |verifier| {
        verifier.validate(witness.kind(), Some(&strict), EncodeOptions::default())
    });
    let verdict = &validated.verified.verdict;
    if let (WitnessKind::Violation, Verdict::False(run)) = (witness.kind(), verdict) {
        let program = read(text).expect("it was read before");
        assert_ne!(confirmed(&program, run), Some(false), "{text}\n{run:?}");
    }
    Ok(match (validated.validity, verdict) {
        (Validity::Confirmed, _) => "confirmed".to_owned(),
        (Validity::Refuted, Verdict::False(run)) => match &run.end {
            RunEnd::Invariant(place, number) => {
                let claim = witness.invariant(*number).expect("there is such a claim");
                format!("refuted: {}: {claim}", place.line)
            }
            end => format!("refuted: {}: error", end.place().line),
        },
        (Validity::Refuted, _) => "refuted: no run".to_owned(),
        (Validity::Unknown(why) | Validity::Fault(why), _) => format!("unknown: {why}"),
    })
}

#[track_caller]
fn check(text: &str, yaml: &str, expected: &str) {
    let found = validate(text, yaml).unwrap_or_else(|error| panic!("{error}\n{yaml}"));
    assert_eq!(found, expected, "{text}\n{yaml}");
}

/// The line and column of the bar in a part of the text.
fn place(text: &str, needle: &str) -> (usize, usize) {
    let bar = needle.find('|').expect("the place is marked");
    let needle = needle.replace('|', "");
    let at = text.find(&needle).unwrap_or_else(|| panic!("no {needle}")) + bar;
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    (line, at - before.rfind('\n').map_or(0, |end| end + 1) + 1)
}

fn header(entry: &str) -> String {
    format!(
        "- entry_type: {entry}\n  metadata:\n    format_version: 2.0\n    uuid:\n    producer:\n      \
         name: by hand\n    task:\n      input_files: [{FILE}]\n      specification: {PROPERTY}\n      \
         data_model: LP64\n      language: C\n  content:\n"
    )
}

/// A witness with invariants: kinds, places and expressions.
fn proof(text: &str, claims: &[(&str, &str, &str)]) -> String {
    let claims = claims.iter().map(|(kind, needle, value)| {
        let (line, column) = place(text, needle);
        format!(
            "  - invariant:\n      type: {kind}\n      location: {{file_name: {FILE}, line: {line}, column: {column}}}\n      \
             value: {value}\n      format: c_expression\n"
        )
    });
    header("invariant_set") + &claims.collect::<String>()
}

/// An action, a kind, a place, and a constraint or nothing.
type Step<'a> = (&'a str, &'a str, &'a str, &'a str);

/// A witness with segments.
fn violation(text: &str, segments: &[&[Step<'_>]]) -> String {
    let mut yaml = header("violation_sequence");
    for segment in segments {
        yaml.push_str("  - segment:\n");
        for (action, kind, needle, constraint) in *segment {
            let (line, column) = place(text, needle);
            yaml.push_str(&format!(
                "    - waypoint:\n        type: {kind}\n        action: {action}\n        \
                 location: {{file_name: {FILE}, line: {line}, column: {column}}}\n"
            ));
            if !constraint.is_empty() {
                yaml.push_str(&format!("        constraint: {{value: {constraint}}}\n"));
            }
        }
    }
    yaml
}

const INPUTS: &str = "extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
";

/// Programs without and with a run to the error.
const BODIES: [&str; 14] = [
    // Invariants name what is in scope at their place.
    "void g(void);\nint f(void) {\n  int i = 0;\n  while (i < 3) { i++; g(); }\n  return i;\n}\nint late = 0;\nvoid g(void) { static int own; own = 1; if (late < 9) late += own; }\nint main(void) {\n  if (f() < 3 || late > 9) reach_error();\n}",
    "int x = 5;\nint main(void) {\n  x = 6;\n  { int x = 0; while (x < 4) { x++; } if (x < 4) reach_error(); }\n  if (x < 6) reach_error();\n}",
    "int main(void) {\n  int x = 0;\n  while (__VERIFIER_nondet_int()) {\n    if (x < 10) x++;\n  }\n  if (x > 10) reach_error();\n}",
    "int main(void) {\n  int x = 0;\n  for (int i = 0;\n       i < 5; i++) x += 2;\n  if (x % 2 != 0) reach_error();\n}",
    "int main(void) {\n  int x = 9;\n  do {\n    x--;\n  } while (x > 0);\n  if (x < 0) reach_error();\n}",
    "int f(int n) { int s = 0; while (n > 0) { s++; n--; } return s; }\nint main(void) {\n  if (f(3) < 0 || f(4) < 0) reach_error();\n}",
    "int main(void) {\n  unsigned x = 0;\n  while (__VERIFIER_nondet_bool()) {\n    if (x < 100) x += 2;\n  }\n  if (x % 2) reach_error();\n}",
    "int main(void) {\n  if (__VERIFIER_nondet_int() == 7) reach_error();\n}",
    "int main(void) {\n  int x = 0;\n  for (int i = 0; i < 4; i++) {\n    if (__VERIFIER_nondet_bool()) x++;\n  }\n  if (x == 3) reach_error();\n}",
    "int f(int n) { if (n <= 0) return 0; return __VERIFIER_nondet_int() + f(n - 1); }\nint main(void) {\n  if (f(2) == 17) reach_error();\n}",
    "int main(void) {\n  unsigned x = __VERIFIER_nondet_uint();\n  if (x + 3 < x) reach_error();\n}",
    "int main(void) {\n  int a[3];\n  a[1] = __VERIFIER_nondet_int();\n  int i = __VERIFIER_nondet_int();\n  if (i >= 0 && i < 3 && a[i] == 5 && i == 1) reach_error();\n}",
    "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  switch (x) { case 4: if (__VERIFIER_nondet_bool()) reach_error(); default: ; }\n}",
    "int add(int a, int b) { return a + b; }\nint main(void) {\n  if (add(__VERIFIER_nondet_int() % 8, __VERIFIER_nondet_int() % 8) == 12) reach_error();\n}",
];

#[test]
fn what_is_written_is_confirmed() {
    for body in BODIES {
        let text = format!("{INPUTS}{body}\n");
        let program = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let task = WitnessTask {
            file: FILE,
            bytes: text.as_bytes(),
            specification: PROPERTY,
            model: DataModel::Lp64,
            time: UNIX_EPOCH,
        };
        let verified = with_verifier(&program, |v| v.verify(EncodeOptions::default()));
        let witness = match &verified.verdict {
            Verdict::True { invariants, .. } => correctness_witness(&task, invariants),
            Verdict::False(run) => violation_witness(&task, run),
            other => panic!("{other:?}\n{text}"),
        };
        check(&text, &witness, "confirmed");
        let read = Witness::read("w.yml", &witness).expect("it is a witness");
        let named = read.check_program("elsewhere/test.c", text.as_bytes());
        assert_eq!(named.expect("it is about this program"), None);
        // The same witness about a program that is not so, or that is not so any more.
        for (from, to) in [
            ("!= 0", "== 0"),
            ("== 7", "== 8"),
            ("== 17", "== 18"),
            ("> 10)", "> 9)"),
        ] {
            if text.contains(from) {
                let other = text.replace(from, to);
                let found = validate(&other, &witness).expect("places are the same");
                assert!(found.starts_with("refuted"), "{found}\n{other}\n{witness}");
            }
        }
    }
}

const LOOP: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
typedef int number;
int main(void) {
  number x = 0, d = 1;
  int a[4];
  while (x < 10) {
    x += 2;
    again: d = 3;
  }
  if (x != 10) reach_error();
  return 0;
}
";

#[test]
fn invariants_hold_at_their_places() {
    let at_loop = |value| proof(LOOP, &[("loop_invariant", "|while", value)]);
    for (value, expected) in [
        ("x <= 10 && x % 2 == 0", "confirmed"),
        ("'(number)x >= (long long)0 ? x < 12 : 0'", "confirmed"),
        ("'x < 10'", "refuted: 7: x < 10"),
        ("\"x == 0 || d == 3\"", "confirmed"),
        ("d == 1", "refuted: 7: d == 1"),
        // What has no meaning does not hold; what is not evaluated does no harm.
        ("10 / x >= 0", "refuted: 7: 10 / x >= 0"),
        ("x == 0 || 10 / x >= 0", "confirmed"),
        ("a[x] == a[x]", "refuted: 7: a[x] == a[x]"),
        ("1 << (x - 1) > 0", "refuted: 7: 1 << (x - 1) > 0"),
        ("1", "confirmed"),
        ("0", "refuted: 7: 0"),
    ] {
        check(LOOP, &at_loop(value), expected);
    }
    let before = |needle, value| proof(LOOP, &[("location_invariant", needle, value)]);
    check(LOOP, &before("|x += 2", "x < 10"), "confirmed");
    check(LOOP, &before("|x += 2", "x > 0"), "refuted: 8: x > 0");
    check(LOOP, &before("|again", "x > 0"), "confirmed");
    check(
        LOOP,
        &before("again: |d = 3", "x > 0 && d == 1"),
        "refuted: 9: x > 0 && d == 1",
    );
    check(LOOP, &before("|if (x !=", "x == 10"), "confirmed");
    check(LOOP, &before("|return 0", "x == 9"), "refuted: 12: x == 9");
    check(LOOP, &before("|while", "x == 0"), "confirmed");
    check(LOOP, &before("|int a[4]", "x + d == 1"), "confirmed");
    // Without a column, the first loop of the line is meant.
    let (line, column) = place(LOOP, "|while");
    let yaml = at_loop("x <= 10").replace(&format!(", column: {column}"), "");
    assert!(yaml.contains(&format!("line: {line}}}")), "{yaml}");
    check(LOOP, &yaml, "confirmed");
    // The property counts as well, and so do several claims.
    let broken = LOOP.replace("x != 10", "x == 10");
    check(&broken, &at_loop("x <= 10"), "refuted: 11: error");
    let claims = [
        ("loop_invariant", "|while", "x <= 10"),
        ("location_invariant", "|x += 2", "x == 4"),
    ];
    check(LOOP, &proof(LOOP, &claims), "refuted: 8: x == 4");
}

#[test]
fn what_is_not_supported_is_not_judged() {
    let text = format!(
        "{INPUTS}int main(void) {{\n  int x = 0;\n  long double d = 1.0L;\n  for (d = d * 2; x < 3; x++) ;\n  \
         if (x > 3) reach_error();\n  return 0;\n}}\n"
    );
    let at_loop = proof(&text, &[("loop_invariant", "|for", "x < 4")]);
    let found = validate(&text, &at_loop).expect("it is well formed");
    assert!(
        found.starts_with("unknown: test.c:7:19: not supported"),
        "{found}"
    );
    let yaml = proof(LOOP, &[("loop_invariant", "|while", "x * 1.5L < 20")]);
    let found = validate(LOOP, &yaml).expect("it is well formed");
    assert!(
        found.contains("`x * 1.5L < 20` at w.yml:16:14: `long double`"),
        "{found}"
    );
}

#[test]
fn invariants_of_functions_hold_in_every_call() {
    let text = format!(
        "{INPUTS}int f(int n) {{\n  int r = 0;\n  while (r < n) r++;\n  return r;\n}}\n\
         int g(int n) {{ if (n > 0) {{\n  n = g(n - 1); }}\n  return n; }}\n\
         int main(void) {{ if (f(3) + f(5) != 8 || g(4) > 0) reach_error(); return 0; }}\n"
    );
    let at = |needle, value| proof(&text, &[("location_invariant", needle, value)]);
    check(&text, &at("|return r", "r == 3 || r == 5"), "confirmed");
    check(&text, &at("|return r", "r == 3"), "refuted: 8: r == 3");
    check(&text, &at("|return n", "n <= 0"), "confirmed");
    check(&text, &at("|return n", "n < 0"), "refuted: 12: n < 0");
}

const WAYS: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int twice(int n) {
  return n + n;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 0;
  if (x > 10 && x < 100) {
    y = twice(x);
  } else {
    y = x < 0 ? 1 : 2;
  }
  switch (y) {
    case 1: y = 7; break;
    case 2: y = 6; break;
    case 30 ... 40: y = 5; break;
    default: y = 8;
  }
  int z = y;
  while (y < 10) {
    y++;
  }
  do { x = __VERIFIER_nondet_int(); } while (x > 100);
  if (x == y) {
    reach_error();
  }
  return 0;
}
";
const TARGET: &[Step<'static>] = &[("follow", "target", "    |reach_error", "")];

#[track_caller]
fn leads(segments: &[&[Step<'_>]], expected: &str) {
    let all: Vec<&[Step<'_>]> = segments.iter().copied().chain([TARGET]).collect();
    check(WAYS, &violation(WAYS, &all), expected);
}

#[test]
fn each_kind_of_waypoint_restricts_runs() {
    let (yes, no) = ("confirmed", "refuted: no run");
    leads(&[], yes);
    // Assumptions.
    leads(&[&[("follow", "assumption", "|switch", "y == 22")]], yes);
    leads(&[&[("follow", "assumption", "|switch", "y == 21")]], no);
    leads(
        &[&[("follow", "assumption", "|int z", "y == 5 && x == 15")]],
        yes,
    );
    leads(
        &[&[("follow", "assumption", "|int z", "y == 5 && x == 14")]],
        no,
    );
    // Branchings, by their keywords.
    let at_if = |value| ("follow", "branching", "|if (x > 10", value);
    let z = |value| ("follow", "assumption", "|while (y", value);
    leads(&[&[at_if("true")], &[z("z == 8")]], yes);
    leads(&[&[at_if("\"true\"")], &[z("z == 7")]], no);
    leads(&[&[at_if("false")], &[z("z == 6")]], yes);
    leads(&[&[at_if("false")], &[z("z == 5")]], no);
    let at_mark = |value| ("follow", "branching", "x < 0 |?", value);
    leads(&[&[at_mark("true")], &[z("z == 7")]], yes);
    leads(&[&[at_mark("false")], &[z("z == 7")]], no);
    let at_switch = |value| ("follow", "branching", "|switch", value);
    leads(&[&[at_switch("2")], &[z("z == 6")]], yes);
    leads(&[&[at_switch("1")], &[z("z == 6")]], no);
    leads(&[&[at_switch("34")], &[z("z == 5")]], yes);
    leads(&[&[at_switch("35")], &[z("z == 5")]], no);
    leads(&[&[at_switch("default")], &[z("z == 8")]], yes);
    leads(&[&[at_switch("default")], &[z("z == 5")]], no);
    let at_while = |value| ("follow", "branching", "|while (y", value);
    let in_loop = [at_while("true"); 4];
    let times: Vec<&[Step<'_>]> = in_loop.iter().map(std::slice::from_ref).collect();
    leads(&times, yes);
    leads(&[&times[..], &[&[at_while("false")]]].concat(), yes);
    // Each waypoint is another visit: the loop is passed at most five times.
    let more = [at_while("true"); 6];
    let times: Vec<&[Step<'_>]> = more.iter().map(std::slice::from_ref).collect();
    leads(&times, no);
    let again = ("follow", "branching", "} |while (x", "true");
    let same = ("follow", "branching", "|do {", "true");
    leads(&[&[again], &[same], &[again]], yes);
    // Calls, by the bracket that closes them.
    let enter = ("follow", "function_enter", "twice(x|)", "");
    leads(&[&[enter], &[z("z == 5")]], yes);
    leads(&[&[enter], &[z("z == 6")]], no);
    let back = |value| ("follow", "function_return", "twice(x|)", value);
    leads(&[&[enter], &[back("\\result == 24")]], yes);
    leads(&[&[back("\\result == 25")]], no);
    leads(&[&[back("")], &[enter]], no);
    let first = |value| {
        (
            "follow",
            "function_return",
            "int x = __VERIFIER_nondet_int(|)",
            value,
        )
    };
    leads(&[&[first("\\result == -3")], &[z("z == 7")]], yes);
    leads(&[&[first("\\result == 3")], &[z("z == 7")]], no);
}

#[test]
fn waypoints_are_avoided() {
    let (yes, no) = ("confirmed", "refuted: no run");
    let z = |value| ("follow", "assumption", "|while (y", value);
    let without = |kind, needle, value| ("avoid", kind, needle, value);
    let enter = without("function_enter", "twice(x|)", "");
    leads(&[&[enter, z("z == 6")]], yes);
    leads(&[&[enter, z("z == 8")]], no);
    let odd = without("assumption", "|switch", "y == 2");
    leads(&[&[odd, z("z == 6")]], no);
    leads(&[&[odd, z("z == 7")]], yes);
    let back = without("function_return", "twice(x|)", "\\result > 50");
    leads(&[&[back, z("z == 8")]], yes);
    let branch = without("branching", "|if (x > 10", "true");
    leads(&[&[branch, z("z == 5")]], no);
    // What is avoided in one segment may be passed in another.
    let switch = ("follow", "branching", "|switch", "default");
    leads(&[&[switch], &[enter, z("z == 8")]], yes);
    // The waypoint may be passed later than at first: here in the last visit.
    let visit = ("follow", "branching", "|while (y", "true");
    let no_more = ("avoid", "branching", "|while (y", "true");
    let end = ("follow", "branching", "|while (y", "false");
    leads(&[&[visit], &[no_more, end]], yes);
    leads(&[&[visit], &[visit], &[no_more, end]], yes);
    leads(&[&[no_more, end]], no);
    // Also in the segment of the target.
    let last: &[Step<'_>] = &[visit_avoided(), TARGET[0]];
    let all: &[&[Step<'_>]] = &[last];
    check(WAYS, &violation(WAYS, all), no);
    // An expression without a meaning is not true.
    let divided = |value| ("follow", "assumption", "|y++", value);
    leads(&[&[divided("10 / (y - 7) == 10")]], yes);
    leads(&[&[divided("y / (y - y) == 0")]], no);
    let may_fail = ("avoid", "assumption", "|y++", "10 / (y - 7) == 9");
    let found = validate(WAYS, &violation(WAYS, &[&[may_fail, TARGET[0]]]));
    let found = found.expect("it is well formed");
    assert!(
        found.contains("not supported") && found.contains("may be undefined"),
        "{found}"
    );
}

fn visit_avoided() -> Step<'static> {
    ("avoid", "branching", "|while (y", "true")
}

#[test]
fn the_target_is_the_error_that_is_meant() {
    let text = format!(
        "{INPUTS}int main(void) {{\n  int x = __VERIFIER_nondet_int();\n  if (x == 1) reach_error();\n  \
         if (x == 2 && x == 3) {{ (void)x, reach_error(); }}\n  return 0;\n}}\n"
    );
    let target = |needle| violation(&text, &[&[("follow", "target", needle, "")]]);
    check(&text, &target("(x == 1) |reach"), "confirmed");
    check(&text, &target("|(void)x"), "refuted: no run");
    check(&text, &target("(void)x, |reach"), "refuted: no run");
    let labels =
        "int main(void) { int x = 3;\n  if (x) goto ERROR;\n  return 0;\n  ERROR: return 1; }\n";
    let yaml = violation(labels, &[&[("follow", "target", "|ERROR: r", "")]]);
    let yaml = yaml.replace(PROPERTY, "'CHECK( init(main()), LTL(G ! label(ERROR)) )'");
    check(labels, &yaml, "confirmed");
}

/// The message, after the place in the witness.
#[track_caller]
fn refuses(text: &str, yaml: &str, expected: &str) {
    let found = validate(text, yaml)
        .expect_err("it has an error")
        .to_string();
    assert_eq!(found, expected, "{yaml}");
}

#[test]
fn errors_say_where_they_are() {
    let good = proof(LOOP, &[("loop_invariant", "|while", "x <= 10")]);
    let (line, _) = place(&good, "|value: ");
    for (from, to, message) in [
        (
            "value: x <= 10",
            "value: y <= 10",
            format!("{line}:14: error: `y` is not declared"),
        ),
        (
            "value: x <= 10",
            "value: x <= (10",
            format!("{line}:22: error: the expression is not complete"),
        ),
        (
            "value: x <= 10",
            "value: '10 <= x 3'",
            format!("{line}:23: error: unexpected `3`"),
        ),
        (
            "value: x <= 10",
            "value: x = 10",
            format!("{line}:14: error: the expression calls a function or has another effect"),
        ),
        (
            "value: x <= 10",
            "value: __VERIFIER_nondet_int()",
            format!("{line}:14: error: the expression calls a function or has another effect"),
        ),
        (
            "value: x <= 10",
            "value: '1); } int f(void) { return (1'",
            format!("{line}:15: error: this is more than an expression"),
        ),
        (
            "value: x <= 10",
            "value: ''",
            format!("{line}:15: error: the expression is not complete"),
        ),
        (
            "value: x <= 10",
            "worth: x <= 10",
            format!(
                "{line}:7: error: unknown field `worth`, expected one of type, location, value, format, labels"
            ),
        ),
        (
            "type: loop_invariant",
            "type: loop_variant",
            "14:13: error: invariants of type `loop_variant` are not supported".to_owned(),
        ),
        (
            "column: 3",
            "column: 4",
            "15:43: error: there is no loop at test.c:7:4; in that line there is one at column 3"
                .to_owned(),
        ),
        (
            "line: 7",
            "line: 8",
            "15:43: error: there is no loop at test.c:8:3".to_owned(),
        ),
        (
            "line: 7",
            "line: 0",
            "15:43: error: lines are counted from 1".to_owned(),
        ),
        (
            "c_expression",
            "acsl_expression",
            "17:15: error: the format `acsl_expression` is not supported here: `c_expression` is"
                .to_owned(),
        ),
        (
            "2.0",
            "1.0",
            "3:21: error: the format version `1.0` is not supported: 2.0 and 2.1 are".to_owned(),
        ),
        (
            "LP64",
            "LP128",
            "10:19: error: there is no data model `LP128`".to_owned(),
        ),
        (
            "invariant_set",
            "ghost_instrumentation",
            "1:15: error: entries of type `ghost_instrumentation` are not supported".to_owned(),
        ),
    ] {
        assert!(good.contains(from), "{from}\n{good}");
        refuses(LOOP, &good.replace(from, to), &format!("w.yml:{message}"));
    }
    let way = |segments: &[&[Step<'_>]]| violation(WAYS, segments);
    let target = TARGET[0];
    let step = ("follow", "assumption", "|switch", "y == 1");
    for (yaml, message) in [
        (
            way(&[&[step]]),
            "13:5: error: a violation has one `target`, which is its last waypoint",
        ),
        (
            way(&[TARGET, &[step]]),
            "13:5: error: a violation has one `target`, which is its last waypoint",
        ),
        (
            way(&[&[step, target]]),
            "13:5: error: a segment has one waypoint to `follow`, which is its last",
        ),
        (
            way(&[&[("follow", "assumption", "|switch", "")], TARGET]),
            "15:15: error: a waypoint `assumption` has a constraint",
        ),
        (
            way(&[&[("follow", "branching", "|switch", "maybe")], TARGET]),
            "18:29: error: the constraint of a branching is `true`, `false`, an integer or `default`, not `maybe`",
        ),
        (
            way(&[&[("follow", "branching", "|y++", "true")], TARGET]),
            "17:45: error: there is no branching at test.c:22:5",
        ),
        (
            way(&[&[("follow", "function_enter", "twice(|x)", "")], TARGET]),
            "17:45: error: there is no list of arguments that ends at test.c:10:15; in that line there is one at column 16",
        ),
        (
            way(&[&[("follow", "target", "|y++", "")]]),
            "17:45: error: there is no error at test.c:22:5",
        ),
        (
            way(&[&[("shun", "branching", "|switch", "1")], TARGET]),
            "16:17: error: there is no action `shun`",
        ),
        (
            way(&[
                &[("follow", "function_return", "twice(x|)", "\\result == q")],
                TARGET,
            ]),
            "18:29: error: `q` is not declared",
        ),
        (
            way(&[&[("follow", "function_exit", "twice(x|)", "")], TARGET]),
            "15:15: error: waypoints of type `function_exit` are not supported",
        ),
    ] {
        refuses(WAYS, &yaml, &format!("w.yml:{message}"));
    }
    refuses(LOOP, "[]", "w.yml:1:1: error: there is no entry");
    let broken = validate(LOOP, "- entry_type: [\n")
        .expect_err("no YAML")
        .to_string();
    assert!(broken.starts_with("w.yml:"), "{broken}");
}

/// Witnesses as other tools write them: with other fields, other quotes, and the version 2.1.
#[test]
fn witnesses_of_other_tools_are_read() {
    let proof = "- entry_type: \"invariant_set\"
  metadata:
    format_version: \"2.1\"
    uuid: \"0e4a3b8a-9e1c-4d5b-8f55-5f0c5ad0c6f0\"
    creation_time: \"2024-11-02T10:14:05+01:00\"
    producer:
      name: \"SomeAnalyzer\"
      version: \"7.3\"
      configuration: \"svcomp25\"
      command_line: \"./analyze --witness w.yml test.c\"
    task:
      input_files:
      - \"../../c/loops/test.c\"
      input_file_hashes:
        \"../../c/loops/test.c\": 0000
      specification: |+
        CHECK( init(main()), LTL(G ! call(reach_error())) )

      data_model: \"ILP32\"
      language: \"C\"
  content:
  - invariant:
      type: \"loop_invariant\"
      location:
        file_name: \"../../c/loops/test.c\"
        line: 7
        column: 3
        function: \"main\"
      value: >-
        0 <= x && x <= 10
        && x % 2 == 0
      format: \"c_expression\"
  - invariant:
      type: location_invariant
      location: {line: 11}
      value: 'x == 10'
      format: ext_c_expression
      labels: [inductive]
";
    check(LOOP, proof, "confirmed");
    check(
        LOOP,
        &proof.replace("x == 10", "x == 8"),
        "refuted: 11: x == 8",
    );
    let lead = "- entry_type: violation_sequence
  metadata:
    format_version: '2.0'
    producer: {name: SomeChecker, version: '2'}
    task:
      input_files: ['./test.c']
      input_file_hashes: {./test.c: 0000}
      specification: 'G ! call(reach_error())'
      data_model: LP64
      language: C
  content:
  - segment:
    - waypoint:
        action: follow
        type: branching
        constraint: {value: 'false'}
        location: {file_name: ./test.c, line: 9, column: 3, function: main}
  - segment:
    - waypoint:
        action: follow
        type: assumption
        constraint:
          format: c_expression
          value: ( y == 2 )
        location: {file_name: ./test.c, line: 14}
  - segment:
    - waypoint:
        action: follow
        type: target
        location: {file_name: ./test.c, line: 26}
";
    check(WAYS, lead, "confirmed");
    check(WAYS, &lead.replace("y == 2", "y == 3"), "refuted: no run");
}

#[test]
fn a_witness_is_about_its_task() {
    let yaml = "- entry_type: invariant_set
  metadata:
    format_version: '2.0'
    task:
      input_files: [a.c]
      input_file_hashes: {a.c: HASH}
      specification: CHECK( init(main()), LTL(G ! call(reach_error())) )
      data_model: LP64
  content: []
";
    // The hash of the empty file.
    let hash = "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855";
    let witness = Witness::read("w.yml", &yaml.replace("HASH", hash)).expect("well formed");
    assert_eq!(
        witness.check_program("d/a.c", b"").expect("its program"),
        None
    );
    let warning = witness.check_program("b.c", b"").expect("its program");
    let warning = warning.expect("it has another name");
    assert!(
        warning.ends_with("warning: the witness does not name the program b.c"),
        "{warning}"
    );
    let error = witness
        .check_program("a.c", b"x")
        .expect_err("another program");
    assert!(
        error
            .to_string()
            .starts_with("w.yml:3:5: error: the witness is about another program"),
        "{error}"
    );
    witness
        .check_specification("CHECK(init(main()),\nLTL(G!call(reach_error())))")
        .expect("the same");
    witness
        .check_specification(
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G ! call(reach_error())) )",
        )
        .expect("one of several");
    witness
        .check_specification("CHECK( init(main()), LTL(G ! call(f())) )")
        .expect_err("another");
    witness.check_model(DataModel::Lp64).expect("the same");
    let error = witness.check_model(DataModel::Ilp32).expect_err("another");
    assert!(
        error
            .to_string()
            .ends_with("the data model LP64, not ILP32"),
        "{error}"
    );
    let nothing = yaml.replace("      input_file_hashes: {a.c: HASH}\n", "");
    let witness = Witness::read("w.yml", &nothing).expect("well formed");
    let warning = witness
        .check_program("a.c", b"x")
        .expect("nothing is known");
    assert!(warning.is_some_and(|text| text.contains("no hash")));
}

/// Whatever a witness is, it is read or rejected.
#[test]
fn damaged_witnesses_are_read_or_rejected() {
    let step = ("avoid", "function_return", "twice(x|)", "\\result == 24");
    let texts = [
        proof(LOOP, &[("loop_invariant", "|while", "'x <= 10'")]),
        violation(WAYS, &[&[step, TARGET[0]]]),
    ];
    const PUT_IN: [&str; 9] = ["", "\"", "'", "{", "]", ": ", "\n", "- ", "\u{e9}"];
    for text in texts {
        for (at, c) in text.char_indices() {
            let (before, rest) = (&text[..at], &text[at + c.len_utf8()..]);
            let put_in = PUT_IN[at % PUT_IN.len()];
            for damaged in [before.to_owned(), format!("{before}{put_in}{rest}")] {
                if let Err(error) = Witness::read("w.yml", &damaged) {
                    assert!(error.to_string().starts_with("w.yml:"), "{error}");
                }
            }
        }
    }
    for value in [
        "\"",
        "a[",
        "((((",
        "x ? :",
        "sizeof(struct {int a;}) > 0",
        "({ x; }) > 0",
        "\\result > 0",
        "x\\",
        "/* x */ 1",
        "x // y",
        "#define x",
        "x;",
        "\u{e9}",
        "(number",
        "(number)",
        "&x != 0",
        "*x",
        "main",
        "\"text\"[0] == 't'",
        "(int[2]){1, 2}[0] == 1",
        "x.y",
        "x->y",
        "1 ? (void)0 : 1",
        "x, 1",
        "'a' < x",
        "reach_error()",
        "__VERIFIER_nondet_int() > 0",
        "sizeof x == 4",
        "1.5 > x",
        "a == a",
        "!a",
        "a",
        "1u - x > 0",
        "0x1p3 > x",
        "99999999999999999999999999 > x",
        "assert(x)",
        "x += 1",
        "goto again",
        "int x = 3",
        "}",
        "x) || (x",
        "x); return (1",
        "_Generic(x, int: 1)",
        "&&again != 0",
    ] {
        for site in [
            ("loop_invariant", "|while"),
            ("location_invariant", "|again"),
        ] {
            let yaml = proof(LOOP, &[(site.0, site.1, "VALUE")]);
            let quoted = format!("'{}'", value.replace('\'', "''"));
            let witness = Witness::read("w.yml", &yaml.replace("VALUE", &quoted));
            let witness = witness.unwrap_or_else(|error| panic!("{error}\n{value}"));
            let file = CFile::new(FILE, LOOP.as_bytes(), DataModel::Lp64, &[]).expect("a file");
            let read = CProgram::read_with_witness(&file, None, &witness, Reading::Full);
            match read {
                Ok(program) => {
                    let terms = horn::term::Terms::new();
                    let encoded = program.encode(&terms, EncodeOptions::default());
                    assert!(encoded.size().clauses > 0, "{value}");
                }
                Err(error) => assert!(
                    error.to_string().starts_with("w.yml:16:"),
                    "{value}: {error}"
                ),
            }
        }
    }
}
