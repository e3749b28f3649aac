//! The models of the C library: each against the library of the machine, on random inputs; and
//! programs that call them, right and wrong.

mod arguments;
mod more;
pub(in crate::cfront) mod programs;

use crate::tools::tool_found;
use std::process::Command;

/// The models, in their order.
const MODELS: [&str; 6] = [
    include_str!("../../../../src/cfront/library/stdio.c"),
    include_str!("../../../../src/cfront/library/string.c"),
    include_str!("../../../../src/cfront/library/wchar.c"),
    include_str!("../../../../src/cfront/library/ctype.c"),
    include_str!("../../../../src/cfront/library/stdlib.c"),
    include_str!("../../../../src/cfront/library/memory.c"),
];

/// The words of the models, in C.
const WORDS: &str = "
#define horn_unspecified(x) ((x) = (int)below(9) - 4)
#define horn_any(x, what) ((x) = 1)
#define horn_input(x) ((x) = 0)
#define horn_assume(condition) ((void)0)
#define horn_unsupported(what) abort()
#define horn_zero(place) memset(&(place), 0, sizeof(place))
#define horn_allocate(bytes) malloc(bytes)
#define horn_size_of(pointer) 0
#define horn_free(pointer) ((void)0)
static unsigned below(unsigned bound);
";

/// The names of the functions that models define, in their texts.
fn names() -> Vec<String> {
    let mut names = Vec::new();
    for line in MODELS.iter().flat_map(|text| text.lines()) {
        let begins = line.starts_with(|c: char| c.is_ascii_alphabetic());
        let Some((head, _)) = line.split_once('(').filter(|_| begins) else {
            continue;
        };
        let name = head.rsplit([' ', '*']).next().unwrap_or(head);
        if !name.is_empty() && !name.starts_with("horn_") {
            names.push(name.to_owned());
        }
    }
    names
}

/// The text of a program that compares the models with the library, for elements of a type.
fn comparison(element: &str) -> String {
    let mut text = String::from("#define _GNU_SOURCE\n");
    for header in [
        "ctype", "errno", "inttypes", "stdio", "stdlib", "string", "strings", "time", "unistd",
        "wchar",
    ] {
        text.push_str(&format!("#include <{header}.h>\n"));
    }
    text.push_str(&format!("typedef {element} horn_element;\n{WORDS}"));
    let names = names();
    for name in &names {
        text.push_str(&format!("#undef {name}\n#define {name} model_{name}\n"));
    }
    for name in [
        "memset_numbers",
        "memset_others",
        "memcmp_numbers",
        "memcmp_bytes",
    ] {
        assert!(names.iter().any(|known| known == name), "{name}");
    }
    for model in MODELS {
        text.push_str(model);
    }
    for name in &names {
        text.push_str(&format!("#undef {name}\n"));
        if let Some((_, "numbers" | "others" | "bytes")) = name.rsplit_once('_') {
            text.push_str(&format!("#define {name} model_{name}\n"));
        }
    }
    text + include_str!("driver.c")
}

#[test]
fn models_do_what_the_library_does() {
    if !tool_found("cc", &["--version"]) {
        eprintln!("without a C compiler, the models are compared with nothing");
        return;
    }
    let directory = tempfile::tempdir().expect("a scratch directory");
    for element in ["char", "unsigned char", "short", "int", "unsigned long"] {
        let path = |name: &str| directory.path().join(name);
        std::fs::write(path("c.c"), comparison(element)).expect("the directory can be written");
        let compiled = Command::new("cc")
            .args(["-w", "-fno-builtin", "-o"])
            .args([path("c"), path("c.c")])
            .output()
            .expect("the compiler was found");
        let message = String::from_utf8_lossy(&compiled.stderr).into_owned();
        assert!(compiled.status.success(), "{message}");
        let output = Command::new(path("c")).output().expect("it was compiled");
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(said.trim_end(), "the same", "elements of type {element}");
    }
}
