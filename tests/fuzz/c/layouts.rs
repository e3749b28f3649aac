//! Random structures with bit-fields, attributes and `#pragma pack`: their sizes, alignments and
//! offsets are those of the compiler.

use super::number;
use crate::random::Random;
use crate::tools::tool_found;
use horn::cfront::{CProgram, DataModel};
use std::process::Command;

/// What stands before the structures.
const HEAD: &str = "enum small { A, B } __attribute__((packed)); enum large { C = 0x100000000 };\n\
                    typedef int wide __attribute__((mode(word)));\n\
                    typedef long low __attribute__((aligned(1)));\n";
/// The structures of one text.
const STRUCTURES: usize = 20;
const TYPES: [&str; 14] = [
    "char",
    "short",
    "int",
    "long",
    "unsigned long long",
    "_Bool",
    "char *",
    "float",
    "double",
    "long double",
    "enum small",
    "enum large",
    "wide",
    "low",
];
/// Types of bit-fields, with the most bits that these may have.
const FIELDS: [(&str, i64); 6] = [
    ("char", 8),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned long", 64),
    ("long long", 64),
    ("_Bool", 1),
];

/// An attribute, or nothing, in which case most calls end.
fn attribute(random: &mut Random, percent: usize) -> String {
    match (random.percent(percent), random.percent(50)) {
        (false, _) => String::new(),
        (true, true) => " __attribute__((packed)) ".to_owned(),
        (true, false) => {
            let align = random.pick(&["1", "2", "4", "8", "16", "0x20", "2u"]);
            format!(" __attribute__((aligned({align}))) ")
        }
    }
}

/// The members of a structure, and the names of which offsets can be asked.
fn members(random: &mut Random, prefix: &str, names: &mut Vec<String>) -> String {
    let mut text = String::new();
    for at in 0..random.between(1, 5) {
        let name = format!("{prefix}{at}");
        let before = attribute(random, 8);
        match random.weighted(&[3, 1, 2, 6]) {
            0 => {
                let (ty, most) = random.pick(&FIELDS);
                let width = random.between(1, most);
                let after = attribute(random, 15);
                text.push_str(&match random.below(8) {
                    0 if most > 1 => format!("{ty} : 0; "),
                    1 => format!("{ty} : {width}; "),
                    _ => format!("{before}{ty} {name} : {width}{after}; "),
                });
                continue;
            }
            1 if prefix.len() < 3 => {
                let kind = random.pick(&["struct", "union"]);
                let inner = members(random, &format!("{name}_"), &mut Vec::new());
                let (own, after) = (attribute(random, 15), attribute(random, 15));
                text.push_str(&format!("{kind}{own} {{ {inner}}}{after} {name}; "));
            }
            2 => {
                let (ty, count) = (random.pick(&TYPES), random.between(1, 4));
                text.push_str(&format!("{before}{ty} {name}[{count}]; "));
            }
            _ => {
                let (ty, after) = (random.pick(&TYPES), attribute(random, 20));
                text.push_str(&format!("{before}{ty} {name}{after}; "));
            }
        }
        names.push(name);
    }
    text
}

/// Lines about the layout of what follows.
fn pragma(random: &mut Random) -> String {
    let arguments = match random.below(10) {
        0..=2 => random.pick(&["1", "2", "4", "8", "16", "0", "", "3"]),
        3 => random.pick(&["push", "push, 1", "push, a, 2", "push, b", "push, 0"]),
        4 => random.pick(&["pop", "pop, a", "pop, b"]),
        _ => return String::new(),
    };
    format!("#pragma pack({arguments})\n")
}

/// Structures, and expressions about each of them.
fn structures(random: &mut Random) -> (String, Vec<String>) {
    let (mut text, mut expressions) = (HEAD.to_owned(), Vec::new());
    for at in 0..STRUCTURES {
        let mut names = Vec::new();
        let kind = random.pick(&["struct", "struct", "struct", "union"]);
        let (before, after) = (attribute(random, 20), attribute(random, 20));
        let members = members(random, "m", &mut names);
        let pragma = pragma(random);
        text.push_str(&format!(
            "{pragma}{kind}{before} s{at} {{ {members}}}{after};\n"
        ));
        expressions.push(format!("sizeof({kind} s{at})"));
        expressions.push(format!("_Alignof({kind} s{at})"));
        for name in names {
            expressions.push(format!("__builtin_offsetof({kind} s{at}, {name})"));
        }
    }
    (text, expressions)
}

/// The values of expressions that the compiler has.
fn compiled(text: &str, expressions: &[String]) -> Vec<u64> {
    let prints: String = (expressions.iter())
        .map(|e| format!("printf(\"%zu\\n\", {e});\n"))
        .collect();
    let directory = tempfile::tempdir().expect("a scratch directory");
    let path = |name: &str| directory.path().join(name);
    let whole = format!("#include <stdio.h>\n{text}int main(void) {{\n{prints}return 0;\n}}\n");
    std::fs::write(path("p.c"), whole).expect("the directory can be written");
    let compiled = Command::new("cc")
        .args(["-w", "-o"])
        .args([path("p"), path("p.c")])
        .output()
        .expect("the compiler was found");
    let message = String::from_utf8_lossy(&compiled.stderr).into_owned();
    assert!(compiled.status.success(), "{message}\n{text}");
    let output = Command::new(path("p")).output().expect("it was compiled");
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    lines
        .lines()
        .map(|l| l.parse().expect("a number"))
        .collect()
}

/// Is a program read in which these are static assertions?
fn holds(text: &str, assertions: &[String]) -> Result<(), String> {
    let asserted: String = (assertions.iter())
        .map(|e| format!("_Static_assert({e}, \"{e}\");\n"))
        .collect();
    let whole = format!("{text}{asserted}int main(void) {{ return 0; }}\n");
    let read = CProgram::read("layout.c", whole.as_bytes(), None, DataModel::Lp64);
    read.map(|_| ()).map_err(|error| error.to_string())
}

#[test]
fn random_structures_lie_as_the_compiler_has_them() {
    if !tool_found("cc", &["--version"]) || usize::BITS != 64 {
        return;
    }
    let (first, count) = (number("C_FUZZ_SEED", 1), number("C_FUZZ_PROGRAMS", 12));
    let (mut asked, mut known) = (0, 0);
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let (text, expressions) = structures(&mut random);
        let values = compiled(&text, &expressions);
        let equal = expressions.iter().zip(&values);
        let equal: Vec<String> = equal.map(|(e, value)| format!("{e} == {value}")).collect();
        let all = holds(&text, &equal);
        assert!(all.is_ok(), "seed {seed}: {all:?}\n{text}");
        // Where nothing is known, both are read.
        let (e, value) = (&expressions[0], values[0]);
        asked += 1;
        known += usize::from(holds(&text, &[format!("{e} != {value}")]).is_err());
    }
    assert!(known * 2 > asked, "only {known} of {asked} are known");
}
