//! Sizes and offsets of structures are those of the compiler.

use crate::tools::tool_found;
use horn::cfront::{CProgram, DataModel};
use std::process::Command;

/// Definitions of a type `struct s` with a last member `z`.
const STRUCTURES: [&str; 24] = [
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
];

/// The size and the offset that the compiler has.
fn compiled(text: &str) -> Option<(u64, u64)> {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let path = |name: &str| directory.path().join(name);
    let main = "#include <stdio.h>\nint main(void) { printf(\"%zu %zu\", sizeof(struct s), \
                __builtin_offsetof(struct s, z)); return 0; }\n";
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
                "{text}\n_Static_assert(sizeof(struct s) == {}, \"size\");\n\
                 _Static_assert(__builtin_offsetof(struct s, z) == {offset}, \"offset\");\n\
                 int main(void) {{ return 0; }}\n",
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
