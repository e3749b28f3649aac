//! Sizes and offsets of structures are those of the compiler.

use crate::tools::tool_found;
use horn::cfront::{CProgram, DataModel};
use std::process::Command;

/// Definitions of a type `struct s` with a last member `z`.
const STRUCTURES: [&str; 55] = [
    "struct s { char a; int z; };",
    "struct s { char a; int z; } __attribute__((packed));",
    "struct __attribute__((packed)) s { char a; long z; };",
    "struct __attribute__((__packed__, aligned(4))) s { char a; short z; };",
    "#pragma pack(push, 1)\nstruct s { char a; int b; short z; };\n#pragma pack(pop)",
    "#pragma pack(2)\nstruct s { char a; long b; char z; };\n#pragma pack()",
    "#pragma pack(push, 4)\nstruct t { long a; };\n#pragma pack(pop)\nstruct s { char a; struct t z; };",
    "struct s { char z; } __attribute__((aligned(16)));",
    "struct s { char a; char z __attribute__((aligned(8))); };",
    "struct s { char a; int z __attribute__((packed)); };",
    "struct s { unsigned a : 3, b : 5; unsigned char z; };",
    "struct s { unsigned a : 30, b : 5; unsigned char z; };",
    "struct s { unsigned long long a : 40; unsigned b : 4; char z; };",
    "struct s { char a; unsigned b : 20; char z; };",
    "struct s { char a; unsigned short b : 9; _Bool c : 1; char z; };",
    "struct s { char a; int : 0; char z; };",
    "struct s { char a; int : 5; char z; };",
    "struct s { char a : 4; long : 0; char z; };",
    "struct s { unsigned a : 7, b : 30; char z; } __attribute__((packed));",
    "struct s { unsigned char a : 1; struct { int b : 3; } c; short z; };",
    "struct s { union { char a; int b : 9; } c; char z; };",
    "enum e { A, B = 200 } __attribute__((packed)); struct s { char a; enum e b; short c; enum e z; };",
    "struct t { char a; int b; } __attribute__((packed)); struct s { struct t a[3]; int z; };",
    "struct s { long double *p; char a[3]; short z; };",
    "struct s { char z; } __attribute__((aligned(0x8)));",
    "struct s { char z; } __attribute__((aligned(8u)));",
    "struct s { char z; } __attribute__((aligned(010)));",
    "struct s { char z; } __attribute__((__aligned__((1 << (6)))));",
    "typedef long word; struct s { char z; } __attribute__((aligned(2 * sizeof(word))));",
    "struct s { char z; } __attribute__((aligned));",
    "struct s { char z; } __attribute__((deprecated(\"not, packed\")));",
    "#pragma pack(push, 1)\nenum e { A, B };\nstruct s { char a; enum e z; };\n#pragma pack(pop)",
    "enum e { A = 0x100000000 }; struct s { char a; enum e z; };",
    "enum e { A = -1, B = 0x80000000 }; struct s { char a; enum e z; };",
    "enum e { A = 0x100000000 } __attribute__((packed)); struct s { char a; enum e z; };",
    "#pragma pack(2)\nstruct s { char a; int z __attribute__((aligned(8))); };\n#pragma pack()",
    "#pragma pack(2)\nstruct s { char a; int b : 20, c : 20; char z; };\n#pragma pack()",
    "#pragma pack(2)\nstruct s { char a; int b : 20; char z; } __attribute__((packed));\n#pragma pack()",
    "#pragma pack(8)\nstruct s { char a; int b : 20, c : 20; char z; };\n#pragma pack()",
    "#pragma pack(1)\n#pragma pack(0)\nstruct s { char a; int z; };",
    "#pragma pack(push, a, 1)\n#pragma pack(push, 2)\n#pragma pack(pop, a)\nstruct s { char a; int z; };",
    "#pragma pack(push, 1)\n#pragma pack(push, 2)\n#pragma pack(pop, a)\nstruct s { char a; int z; };\n#pragma pack(pop)",
    "#pragma pack(1)\n#pragma pack(pop)\nstruct s { char a; int z; };\n#pragma pack()",
    "#pragma pack(3)\nstruct s { char a; int z; };",
    "#pragma pack(0x2) junk\nstruct s { char a; int z; };\n#pragma pack()",
    "struct s { char a; int z;\n#pragma pack(1)\n};\n#pragma pack()",
    "struct s { char z; int : 0; };",
    "union s { char z; int : 0; };",
    "struct s { char a; __attribute__((aligned(8))) int z; };",
    "struct s { char a; __attribute__((packed)) int b; short z; };",
    "struct s { char a; int b __attribute__((mode(HI))); char z; };",
    "typedef int wide __attribute__((mode(DI))); struct s { char a; wide z; };",
    "struct s { int a; char b : 7; __attribute__((aligned(2))) long long c : 44; char z; };",
    "struct s { char a; long double z; };",
    "struct s { char a; float _Complex b; char c; double _Complex z; };",
];

/// Structures with attributes that are not understood, and expressions about them.
const UNKNOWN: [(&str, &str); 6] = [
    (
        "int n; struct s { char z; } __attribute__((aligned(n)));",
        "sizeof(struct s)",
    ),
    (
        "typedef int wide __attribute__((aligned(16))); struct s { char a; wide z; };",
        "sizeof(struct s)",
    ),
    (
        "typedef int wide __attribute__((aligned(16))); typedef wide other; struct s { other z[4]; };",
        "__builtin_offsetof(struct s, z)",
    ),
    (
        "typedef int wide __attribute__((aligned(16)));",
        "_Alignof(wide)",
    ),
    (
        "struct s { char z; } __attribute__((aligned(4), aligned(2)));",
        "sizeof(struct s)",
    ),
    (
        "typedef float many __attribute__((vector_size(16)));",
        "sizeof(many)",
    ),
];

#[test]
fn what_attributes_say_beyond_that_is_not_guessed() {
    for (text, expression) in UNKNOWN {
        // Both are read where the value is not known.
        for operator in ["==", "!="] {
            let whole = format!(
                "{text}\n_Static_assert({expression} {operator} 4, \"\");\n\
                 int main(void) {{ return {expression}; }}\n"
            );
            let read = CProgram::read("p.c", whole.as_bytes(), None, DataModel::Lp64);
            assert!(read.is_ok(), "{whole}");
        }
    }
}

fn kind(text: &str) -> &'static str {
    if text.contains("union s ") {
        "union"
    } else {
        "struct"
    }
}

/// The size and the offset that the compiler has.
fn compiled(text: &str) -> Option<(u64, u64)> {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let path = |name: &str| directory.path().join(name);
    let kind = kind(text);
    let main = format!(
        "#include <stdio.h>\nint main(void) {{ printf(\"%zu %zu\", sizeof({kind} s), \
         __builtin_offsetof({kind} s, z)); return 0; }}\n"
    );
    std::fs::write(path("p.c"), format!("{text}\n{main}")).expect("it can be written");
    let compiled = Command::new("cc")
        .args(["-w", "-o"])
        .args([path("p"), path("p.c")])
        .status()
        .expect("the compiler was found");
    assert!(compiled.success(), "{text}");
    let output = Command::new(path("p")).output().expect("it was compiled");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let (size, offset) = said.split_once(' ')?;
    Some((size.parse().ok()?, offset.parse().ok()?))
}

#[test]
fn structures_lie_as_the_compiler_has_them() {
    if !tool_found("cc", &["--version"]) || usize::BITS != 64 {
        return;
    }
    for text in STRUCTURES {
        let (size, offset) = compiled(text).expect("two numbers");
        for (wrong, errors) in [(0, 0), (1, 1)] {
            let whole = format!(
                "{text}\n_Static_assert(sizeof({0} s) == {1}, \"size\");\n\
                 _Static_assert(__builtin_offsetof({0} s, z) == {offset}, \"offset\");\n\
                 int main(void) {{ return 0; }}\n",
                kind(text),
                size + wrong
            );
            let read = CProgram::read("p.c", whole.as_bytes(), None, DataModel::Lp64);
            assert_eq!(
                usize::from(read.is_err()),
                errors,
                "{whole}{:?}",
                read.err().map(|e| e.to_string())
            );
        }
    }
}
