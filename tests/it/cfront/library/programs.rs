//! Programs that call the functions of the library, each right and wrong: the right one is safe,
//! and the wrong one comes to the error, on the machine as well.

use super::super::support::{Found, confirmed, read, solve_text};
use horn::cfront::IntMode;

const PRELUDE: &str = "typedef unsigned long size_t;
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
size_t strlen(const char *); size_t strnlen(const char *, size_t);
int strcmp(const char *, const char *); int strncmp(const char *, const char *, size_t);
int strcoll(const char *, const char *); int strcasecmp(const char *, const char *);
int strncasecmp(const char *, const char *, size_t);
char *strcpy(char *, const char *); char *strncpy(char *, const char *, size_t);
char *stpcpy(char *, const char *); char *strcat(char *, const char *);
char *strncat(char *, const char *, size_t); char *strchr(const char *, int);
char *strrchr(const char *, int); char *strstr(const char *, const char *);
size_t strspn(const char *, const char *); size_t strcspn(const char *, const char *);
char *strpbrk(const char *, const char *); char *strdup(const char *);
char *strndup(const char *, size_t); char *strtok(char *, const char *);
void *memcpy(void *, const void *, size_t); void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t); int memcmp(const void *, const void *, size_t);
void *memchr(const void *, int, size_t);
int isdigit(int); int isalpha(int); int isspace(int); int isupper(int); int ispunct(int);
int toupper(int); int tolower(int); const unsigned short **__ctype_b_loc(void);
int abs(int); long labs(long); int atoi(const char *); long atol(const char *);
long strtol(const char *, char **, int); unsigned long strtoul(const char *, char **, int);
typedef struct { int quot; int rem; } div_t; div_t div(int, int);
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t);
void free(void *); int rand(void); void exit(int); int *__errno_location(void);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
typedef struct FILE FILE; extern FILE *stdin, *stderr;
int printf(const char *, ...); int fprintf(FILE *, const char *, ...); int puts(const char *);
int sprintf(char *, const char *, ...); char *getenv(const char *); double atof(const char *);
int scanf(const char *, ...); int fscanf(FILE *, const char *, ...);
int getchar(void); char *fgets(char *, int, FILE *); int atexit(void (*)(void));
void (*signal(int, void (*)(int)))(int); long read(int, void *, size_t);
";

pub(super) fn program(before: &str, body: &str, condition: &str) -> String {
    format!(
        "{PRELUDE}{before}\nint main(void) {{\n{body}\nif (!({condition})) reach_error();\nreturn 0;\n}}\n"
    )
}

/// After `body`, `right` always holds, and `wrong` does not, as a run of the machine shows.
fn check(before: &str, body: &str, right: &str, wrong: &str) {
    check_by(&solve_text, before, body, right, wrong);
}

/// As [`check`], with a way to solve.
pub(in crate::cfront) fn check_by(
    solve: &dyn Fn(&str, IntMode) -> Found,
    before: &str,
    body: &str,
    right: &str,
    wrong: &str,
) {
    for (condition, expected) in [(right, "safe"), (wrong, "unsafe")] {
        let text = program(before, body, condition);
        let found = solve(&text, IntMode::Wrap);
        if found.lacks_solver() {
            continue;
        }
        assert_eq!(found.word(), expected, "{text}\n{found:?}");
        if let Some(run) = found.run() {
            let program = read(&text).expect("it was read before");
            assert_ne!(confirmed(&program, run), Some(false), "{text}\n{run:?}");
        }
    }
}

#[test]
fn lengths_and_comparisons_of_strings() {
    for (body, right, wrong) in [
        ("", "strlen(\"abc\") == 3", "strlen(\"abc\") == 4"),
        ("char s[6] = \"four\";", "strlen(s) == 4", "strlen(s) == 5"),
        (
            "char s[6] = \"four\";",
            "strnlen(s, 3) == 3 && strnlen(s, 9) == 4",
            "strnlen(s, 9) == 9",
        ),
        (
            "",
            "strcmp(\"abc\", \"abd\") < 0",
            "strcmp(\"abc\", \"ab\") <= 0",
        ),
        (
            "char s[4] = \"abc\";",
            "strcmp(s, \"abc\") == 0",
            "strcmp(s, \"abd\") == 0",
        ),
        (
            "char s[4] = \"abc\";",
            "strcmp(\"ab\", s) < 0",
            "strcmp(\"b\", s) < 0",
        ),
        (
            "char s[4] = \"abc\";",
            "strncmp(s, \"abx\", 2) == 0",
            "strncmp(s, \"abx\", 3) == 0",
        ),
        (
            "char s[3] = \"\\xe4\";",
            "strcoll(s, \"z\") > 0",
            "strcmp(s, \"z\") < 0",
        ),
        (
            "char s[3] = \"aB\";",
            "strcasecmp(s, \"Ab\") == 0",
            "strcasecmp(s, \"AC\") == 0",
        ),
        (
            "char s[3] = \"aB\";",
            "strncasecmp(s, \"AX\", 1) == 0",
            "strncasecmp(s, \"AX\", 2) == 0",
        ),
    ] {
        check("", body, right, wrong);
    }
}

#[test]
fn searches_in_strings() {
    for (right, wrong) in [
        (
            "strchr(s, 'l') == s + 2 && strchr(s, 'x') == 0",
            "strchr(s, 'l') == s + 3",
        ),
        ("strchr(s, 0) == s + 5", "strchr(s, 0) == 0"),
        ("strrchr(s, 'l') == s + 3", "strrchr(s, 'l') == s + 2"),
        ("strstr(s, \"lo\") == s + 3", "strstr(s, \"ol\") != 0"),
        ("strspn(s, \"leh\") == 4", "strspn(s, \"leh\") == 3"),
        ("strcspn(s, \"lo\") == 2", "strcspn(s, \"o\") == 3"),
        ("strpbrk(s, \"ol\") == s + 2", "strpbrk(s, \"xyz\") != 0"),
        (
            "memchr(s, 'l', 3) == s + 2 && memchr(s, 'o', 3) == 0",
            "memchr(s, 'o', 5) == 0",
        ),
    ] {
        check("", "char s[6] = \"hello\";", right, wrong);
    }
}

#[test]
fn copies_of_strings() {
    for (body, right, wrong) in [
        ("strcpy(s, t);", "s[0] == 'h' && s[5] == 0", "s[5] == 'o'"),
        (
            "strcpy(s, \"ab\");",
            "s[1] == 'b' && s[2] == 0",
            "s[2] == 'b'",
        ),
        (
            "strncpy(s, t, 3);",
            "s[2] == 'l' && s[3] == 0",
            "s[3] == 'l'",
        ),
        ("strncpy(s, \"a\", 3);", "s[2] == 0", "s[1] == 'a'"),
        ("char *end = stpcpy(s, t);", "end == s + 5", "end == s"),
        (
            "strcpy(s, t); strcat(s, \"!\");",
            "s[5] == '!' && strlen(s) == 6",
            "s[6] == '!'",
        ),
        (
            "s[0] = 'x'; strncat(s, t, 2);",
            "strcmp(s, \"xhe\") == 0",
            "strcmp(s, \"xhel\") == 0",
        ),
        (
            "char *p = strdup(t);",
            "p[4] == 'o' && p[5] == 0",
            "p[4] == 0",
        ),
        (
            "char *p = strndup(t, 2);",
            "p[1] == 'e' && p[2] == 0",
            "p[2] == 'l'",
        ),
        (
            "strcpy(s, \"a b\"); char *p = strtok(s, \" \"), *q = strtok(0, \" \");",
            "p == s && *q == 'b' && strtok(0, \" \") == 0",
            "*q == ' '",
        ),
    ] {
        check(
            "",
            &format!("char s[8] = {{0}}, t[6] = \"hello\"; {body}"),
            right,
            wrong,
        );
    }
}

#[test]
fn memory_of_any_type() {
    let before = "struct S { int m; char c[2]; };";
    for (body, right, wrong) in [
        (
            "int a[4] = {1, 2, 3, 4}, b[4] = {0}; memcpy(b, a + 1, 2 * sizeof(int));",
            "b[0] == 2 && b[1] == 3 && b[2] == 0",
            "b[2] == 4",
        ),
        (
            "int a[4] = {1, 2, 3, 4}; memmove(a + 1, a, 12);",
            "a[0] == 1 && a[1] == 1 && a[3] == 3",
            "a[2] == 1",
        ),
        (
            "int a[4] = {1, 2, 3, 4}; memmove(a, a + 1, 12);",
            "a[0] == 2 && a[2] == 4 && a[3] == 4",
            "a[3] == 3",
        ),
        (
            "struct S s[3] = {{1, {2, 3}}}, t[3]; memcpy(t, s, 2 * sizeof(struct S));",
            "t[0].m == 1 && t[0].c[1] == 3 && t[1].m == 0",
            "t[1].m == 1",
        ),
        (
            "int a[4] = {1, 2, 3, 4}; memset(a + 1, 255, 8);",
            "a[0] == 1 && a[1] == -1 && a[2] == -1 && a[3] == 4",
            "a[1] == 255",
        ),
        (
            "short a[4]; memset(a, 1, sizeof a);",
            "a[3] == 257",
            "a[3] == 1",
        ),
        (
            "struct S s[2]; s[1].m = 7; memset(s, 0, sizeof(struct S));",
            "s[0].m == 0 && s[1].m == 7",
            "s[1].m == 0",
        ),
        (
            "int a[2] = {1, 256}, b[2] = {1, 255};",
            "memcmp(a, b, 8) < 0 && memcmp(a, b, 4) == 0",
            "memcmp(a, b, 8) > 0",
        ),
        (
            "char a[3] = \"a\\xff\", b[3] = \"ab\";",
            "memcmp(a, b, 2) > 0 && memcmp(a, b, 1) == 0",
            "memcmp(a, b, 2) < 0",
        ),
    ] {
        check(before, body, right, wrong);
    }
}

#[test]
fn characters_have_their_classes() {
    for (body, right, wrong) in [
        (
            "int c = __VERIFIER_nondet_int(); if (c < '0' || c > '9') return 0;",
            "isdigit(c) && !isalpha(c) && !isspace(c)",
            "isupper(c)",
        ),
        (
            "int c = 'q';",
            "toupper(c) == 'Q' && tolower('Q') == c",
            "toupper(c) == c",
        ),
        ("int c = '!';", "ispunct(c) && !isdigit(c)", "isalpha(c)"),
        // As the macros of the GNU library.
        (
            "int c = 'x';",
            "((*__ctype_b_loc())[(int)c] & (unsigned short)1024) != 0",
            "((*__ctype_b_loc())[(int)c] & 2048) != 0",
        ),
    ] {
        check("", body, right, wrong);
    }
}

#[test]
fn numbers_from_strings() {
    for (body, right, wrong) in [
        ("", "atoi(\"42\") == 42", "atoi(\"42\") == 24"),
        ("", "atol(\" -7x\") == -7", "atol(\"7\") == -7"),
        (
            "char *end, *s = \"0x1fz\"; long v = strtol(s, &end, 0);",
            "v == 31 && *end == 'z'",
            "end == s",
        ),
        (
            "char *end, *s = \"z\"; long v = strtol(s, &end, 10);",
            "v == 0 && end == s",
            "end == s + 1",
        ),
        (
            "unsigned long v = strtoul(\"-1\", 0, 10);",
            "v == ~0ul",
            "v == 1",
        ),
        (
            "int x = __VERIFIER_nondet_int(); if (x < -5 || x > 5) return 0;",
            "abs(x) >= 0 && abs(x) <= 5",
            "abs(x) == x",
        ),
        (
            "div_t d = div(-17, 5);",
            "d.quot == -3 && d.rem == -2",
            "d.rem == 3",
        ),
    ] {
        check("", body, right, wrong);
    }
}

#[test]
fn memory_is_allocated() {
    for (body, right, wrong) in [
        (
            "int *p = malloc(8); p[0] = 7; p[1] = 8; p = realloc(p, 16); p[3] = 1;",
            "p[0] == 7 && p[1] == 8",
            "p[1] == 1",
        ),
        (
            "int *p = realloc(0, 8); p[1] = 3;",
            "p[1] == 3",
            "p[1] == 0",
        ),
        (
            "int *p = calloc(4, sizeof(int)); p[1] = 3; free(p + 0);",
            "p[1] == 3",
            "p[1] == 0",
        ),
        ("int x = rand();", "x >= 0", "x < 77"),
        (
            "if (rand() > 5) exit(1); int x = rand();",
            "x >= 0",
            "x == 3",
        ),
    ] {
        check("", body, right, wrong);
    }
}

#[test]
fn functions_are_called_by_the_library() {
    let before = "int order(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return x < y ? -1 : x > y; }";
    let array = "int a[3] = {3, 1, 2};";
    check(
        before,
        &format!("{array} qsort(a, 3, sizeof(int), order);"),
        "a[0] == 1 && a[1] == 2 && a[2] == 3",
        "a[0] == 3",
    );
    check(
        before,
        &format!("{array} int key = 1; int *p = bsearch(&key, a, 3, sizeof(int), order);"),
        "p == a + 1",
        "p == 0",
    );
    // By a pointer, too.
    check(
        "",
        "size_t (*length)(const char *) = strlen; char s[3] = \"ab\";",
        "length(s) == 2",
        "length(s) == 3",
    );
}

#[test]
fn what_comes_in_is_an_input() {
    check("", "int c = getchar();", "c >= -1 && c < 256", "c != 'x'");
    check(
        "",
        "char s[4]; if (!fgets(s, 4, stdin)) return 0;",
        "s[3] == 0 || s[0] != 0 || s[0] == 0",
        "s[0] != 'q'",
    );
    check(
        "",
        "int a = 0; char c = 0; long l = 0; if (scanf(\"%d%*d %c,%3ld\", &a, &c, &l) != 3) return 0;",
        "a <= 2147483647 && c < 128",
        "a != 5 || c != 'x' || l != -7",
    );
    check(
        "",
        "int a = 1, b = 2; int n = fscanf(stdin, \"%d %d\", &a, &b);",
        "n == 2 || b == 2",
        "n == 2 || a == 1",
    );
    check(
        "",
        "int x = 4; printf(\"%d\\n\", x); fprintf(stderr, \"%s\", \"e\"); puts(\"p\");",
        "x == 4",
        "x == 5",
    );
}

#[test]
fn what_has_no_model_is_never_false() {
    for (body, condition, expected) in [
        ("int n = printf(\"a\");", "n == 1", "doubtful"),
        ("char *p = getenv(\"HOME\");", "p == 0", "doubtful"),
        (
            "char s[9] = \"abc\"; sprintf(s, \"%p\", (void *)0);",
            "s[0] == 'a'",
            "doubtful",
        ),
        (
            "char s[4] = \"abc\"; char t[4]; sprintf(t, \"%s\", s);",
            "s[0] == 'a'",
            "safe",
        ),
        ("int x = 0; printf(\"ab%n\", &x);", "x == 0", "doubtful"),
        ("double d = atof(\"1\");", "d == 1", "doubtful"),
        ("atexit(reach_error);", "1 == 1", "unsupported"),
        ("signal(2, 0);", "1 == 1", "safe"),
        (
            "char s[4] = \"abc\"; read(0, s, 2);",
            "s[0] == 'a'",
            "doubtful",
        ),
        (
            "struct { int a, b; } s; char *p = (char *)&s; memset(p, 0, 3);",
            "s.b == 0",
            "unsupported",
        ),
        (
            "*__errno_location() = 0; printf(\"x\");",
            "*__errno_location() == 0",
            "doubtful",
        ),
        (
            "*__errno_location() = 0; strtol(\"1\", 0, 10);",
            "*__errno_location() == 0",
            "safe",
        ),
    ] {
        let text = program("", body, condition);
        let found = solve_text(&text, IntMode::Wrap);
        if found.lacks_solver() {
            continue;
        }
        assert_eq!(found.word(), expected, "{text}\n{found:?}");
    }
}

const LISTS: &str = "typedef __builtin_va_list va_list;
int vprintf(const char *, va_list); int vsscanf(const char *, const char *, va_list);
int vsnprintf(char *, size_t, const char *, va_list); char *dirname(char *);
static char text[8];
static void print(const char *f, ...) {
  va_list l; __builtin_va_start(l, f); vprintf(f, l); __builtin_va_end(l);
}
static void put(const char *f, ...) {
  va_list l; __builtin_va_start(l, f); vsnprintf(text, 8, f, l); __builtin_va_end(l);
}
static void scan(const char *s, const char *f, ...) {
  va_list l; __builtin_va_start(l, f); vsscanf(s, f, l); __builtin_va_end(l);
}
";

#[test]
fn formats_that_write_by_arguments_are_seen() {
    for (body, condition, expected) in [
        ("long x = 0; printf(\"abc%ln\", &x);", "x == 0", "doubtful"),
        ("int x = 7; printf(\"ab%5n\", &x);", "x == 7", "doubtful"),
        ("int x = 7; printf(\"ab%%n\", &x);", "x == 7", "safe"),
        (
            "int x = 7; printf(\"ab%\" \"n\", &x);",
            "x == 7",
            "doubtful",
        ),
        (
            "int x = 7; fprintf(stderr, \"ab%5n\", &x);",
            "x == 7",
            "doubtful",
        ),
        (
            "char f[3]; f[0] = '%'; f[1] = 'n'; f[2] = 0; int x = 7; printf(f, &x);",
            "x == 7",
            "doubtful",
        ),
        (
            "int x = __VERIFIER_nondet_int(), y = x; printf(x ? \"%p\" : \"a\", &x);",
            "x == y",
            "safe",
        ),
        (
            "char s[9]; int x = 7; sprintf(s, \"ab%n\", &x);",
            "x == 7",
            "doubtful",
        ),
        ("int x = 7; print(\"%n\", &x);", "x == 7", "unsupported"),
        ("int x = 7; put(\"%n\", &x);", "x == 7", "unsupported"),
        ("int x = 7; print(\"%d %s\", x, \"a\");", "x == 7", "safe"),
        ("int x = 7; put(\"%d\", x);", "text[0] == 0", "doubtful"),
        ("int x = 7; put(\"%d\", x);", "x == 7", "safe"),
        (
            "int x = 0; scan(\"5\", \"%d\", &x);",
            "x == 0",
            "unsupported",
        ),
        (
            "char s[4] = \"a/b\"; dirname(s);",
            "s[1] == '/'",
            "unsupported",
        ),
    ] {
        let text = program(LISTS, body, condition);
        let found = solve_text(&text, IntMode::Wrap);
        if found.lacks_solver() {
            continue;
        }
        assert_eq!(found.word(), expected, "{text}\n{found:?}");
    }
}

#[test]
fn a_program_has_functions_of_these_names() {
    for (text, expected) in [
        // With a body, or with another number of parameters.
        (
            "int strlen(char *s) { return 7; } int main(void) { if (strlen(\"a\") != 7) reach_error(); return 0; }",
            "safe",
        ),
        (
            "int read(void); int main(void) { if (read() == 3) reach_error(); return 0; }",
            "unsafe",
        ),
        (
            "int main(void) { if (strlen(\"ab\") != 2) reach_error(); return 0; }",
            "safe",
        ),
        (
            "int main(void) { char s[3] = \"ab\"; if (__builtin_strlen(s) != 2) reach_error(); return 0; }",
            "safe",
        ),
    ] {
        let text = format!("extern void reach_error(void);\n{text}\n");
        let found = solve_text(&text, IntMode::Wrap);
        if found.lacks_solver() {
            continue;
        }
        assert_eq!(found.word(), expected, "{text}\n{found:?}");
        if let Some(run) = found.run() {
            let program = read(&text).expect("it was read before");
            assert_ne!(confirmed(&program, run), Some(false), "{text}");
        }
    }
}

#[test]
fn pointers_are_not_moved_by_distances_of_another_type() {
    for (body, condition, expected) in [
        (
            "int a[3] = {1, 2, 3}; int *p = (int *)((char *)a + 4);",
            "*p == 2",
            "safe",
        ),
        (
            "int a[3] = {1, 2, 3}; int *p = (int *)((char *)a + 2);",
            "*p == 3",
            "unsupported",
        ),
        (
            "int a[3] = {1, 2, 3};",
            "(char *)(a + 2) - (char *)a == 2",
            "unsupported",
        ),
        (
            "int a[4] = {1, 2, 3, 4}, *p = a + 3, i = -1;",
            "*(int *)((char *)p + i * sizeof(int)) == 3",
            "safe",
        ),
        (
            "int a[4] = {1, 2, 3, 4}, *p = a + 3;",
            "*(int *)((char *)p + -sizeof(int)) == 3",
            "safe",
        ),
        // The product is 8.
        (
            "struct s { int a, b, c; } t[2] = {{1, 2, 3}, {4, 5, 6}}, *p = t; unsigned i = 357913942u;",
            "((struct s *)((char *)p + i * 12u))->a == 1",
            "unsupported",
        ),
        (
            "struct s { int a, b, c; } t[2] = {{1, 2, 3}, {4, 5, 6}}, *p = t; unsigned i = 1;",
            "((struct s *)((char *)p + i * 12u))->a == 4",
            "safe",
        ),
        (
            "struct s { int a, b, c; } t[2] = {{1, 2, 3}, {4, 5, 6}}, *p = t + 1; int i = -1;",
            "((struct s *)((char *)p + i * sizeof *p))->a == 1",
            "safe",
        ),
        ("int a[3] = {1, 2, 3};", "(a + 2) - a == 2", "safe"),
        (
            "int a[3] = {1, 2, 3}; unsigned long n = (unsigned long)a; int *p = (int *)(n + 4);",
            "*p == 3",
            "unsupported",
        ),
        ("int x;", "(unsigned long)&x % 4 == 0", "unsupported"),
        (
            "int x = 3; unsigned long n = (unsigned long)&x;",
            "n != 0 && *(int *)n == 3",
            "safe",
        ),
        (
            "char s[3] = \"ab\"; long n = strchr(s, 'b') - s;",
            "n + 1 == 2 && n * 2 == 2",
            "safe",
        ),
        (
            "char a[3] = {1, 2, 3}; unsigned char *p = (unsigned char *)a + 1;",
            "*p == 2",
            "safe",
        ),
    ] {
        let text = program("", body, condition);
        let found = solve_text(&text, IntMode::Wrap);
        if found.lacks_solver() {
            continue;
        }
        assert_eq!(found.word(), expected, "{text}\n{found:?}");
    }
}
