//! More functions of the library in programs: those of the printing family that write to memory,
//! numbers of other widths, classes of characters, streams.

use super::super::support::solve_unrolled;
use super::programs::{check_by, program};
use horn::cfront::IntMode;

const BEFORE: &str = "int snprintf(char *, size_t, const char *, ...);
long long strtoll(const char *, char **, int); unsigned long long strtoull(const char *, char **, int);
long strtoimax(const char *, char **, int); unsigned long strtoumax(const char *, char **, int);
int isalnum(int); int isascii(int); int isblank(int); int iscntrl(int); int isgraph(int);
int islower(int); int isprint(int); int isxdigit(int); int fgetc(FILE *); int getc(FILE *);
int putchar(int); int putc(int, FILE *); int fputc(int, FILE *); int fputs(const char *, FILE *);
int fflush(FILE *); void perror(const char *); long random(void); void srand(unsigned);
unsigned sleep(unsigned); int usleep(unsigned); char *strtok_r(char *, const char *, char **);
void *mempcpy(void *, const void *, size_t); void *memrchr(const void *, int, size_t);
void bcopy(const void *, void *, size_t); void bzero(void *, size_t); char *index(const char *, int);
char *rindex(const char *, int); int ffs(int); long long llabs(long long);
";

/// After `body`, `right` always holds, and `wrong` does not.
fn check(before: &str, body: &str, right: &str, wrong: &str) {
    check_by(&solve_unrolled, before, body, right, wrong);
}

#[test]
fn what_is_printed_to_memory() {
    for (body, right, wrong) in [
        (
            "char s[16]; int n = sprintf(s, \"%d-%s\", 42, \"ab\");",
            "n == 5 && strcmp(s, \"42-ab\") == 0",
            "strcmp(s, \"42ab\") == 0",
        ),
        (
            "char s[4]; int n = snprintf(s, sizeof s, \"%s\", \"abcdef\");",
            "n == 6 && s[2] == 'c' && s[3] == 0",
            "n == 3",
        ),
        (
            "char s[16]; sprintf(s, \"%03d|%-4d|%4x\", 7, -5, 255);",
            "strcmp(s, \"007|-5  |  ff\") == 0",
            "s[0] == ' '",
        ),
        (
            "char s[16]; sprintf(s, \"%c%%%u\", 'x', 3000000000u);",
            "strcmp(s, \"x%3000000000\") == 0",
            "s[2] == '%'",
        ),
        (
            "char s[24]; sprintf(s, \"%ld%+d\", -9000000000L, 1);",
            "strcmp(s, \"-9000000000+1\") == 0",
            "s[0] == '9'",
        ),
        (
            "char s[8]; sprintf(s, \"%.2s%5s\", \"abc\", \"d\");",
            "strcmp(s, \"ab    d\") == 0",
            "s[2] == 'c'",
        ),
        ("int n = snprintf(0, 0, \"%d\", 1234);", "n == 4", "n == 5"),
        (
            "char s[24]; sprintf(s, \"%.3d|%#x|%#o|%*d|%-*c|\", 7, 255, 8, 3, 5, 2, 'x');",
            "strcmp(s, \"007|0xff|010|  5|x |\") == 0",
            "s[0] == '7'",
        ),
        (
            "char s[8]; int n = sprintf(s, \"%.0d%.*s\", 0, 1, \"ab\");",
            "n == 1 && s[0] == 'a'",
            "n == 2",
        ),
    ] {
        check(BEFORE, body, right, wrong);
    }
}

#[test]
fn numbers_of_other_widths() {
    for (body, right, wrong) in [
        (
            "char *end; long long n = strtoll(\" -77x\", &end, 10);",
            "n == -77 && *end == 'x'",
            "n == 77",
        ),
        (
            "unsigned long long n = strtoull(\"0x1f\", 0, 0);",
            "n == 31",
            "n == 0",
        ),
        ("long n = strtoimax(\"12\", 0, 8);", "n == 10", "n == 12"),
        (
            "unsigned long n = strtoumax(\"101\", 0, 2);",
            "n == 5",
            "n == 101",
        ),
        ("", "llabs(-3) == 3 && ffs(8) == 4", "ffs(0) == 1"),
    ] {
        check(BEFORE, body, right, wrong);
    }
}

#[test]
fn classes_of_characters() {
    for (right, wrong) in [
        (
            "isalnum('a') && isalnum('0') && !isalnum('-')",
            "isalnum(' ')",
        ),
        ("isascii(127) && !isascii(128)", "isascii(200)"),
        ("isblank('\\t') && !isblank('\\n')", "isblank('x')"),
        ("iscntrl(7) && !iscntrl(' ')", "iscntrl('a')"),
        ("isgraph('!') && !isgraph(' ')", "isgraph(' ')"),
        ("islower('q') && !islower('Q')", "islower('Q')"),
        ("isprint(' ') && !isprint('\\n')", "isprint(7)"),
        ("isxdigit('F') && !isxdigit('g')", "isxdigit('x')"),
    ] {
        check(BEFORE, "", right, wrong);
    }
}

#[test]
fn parts_of_strings_and_memory() {
    for (body, right, wrong) in [
        (
            "char s[8] = \"a,,b\", *at; char *x = strtok_r(s, \",\", &at), *y = strtok_r(0, \",\", &at);",
            "*x == 'a' && *y == 'b' && strtok_r(0, \",\", &at) == 0",
            "*y == ','",
        ),
        (
            "char a[4] = \"xyz\", b[4] = {0}; char *end = mempcpy(b, a, 2);",
            "end == b + 2 && b[1] == 'y' && b[2] == 0",
            "b[2] == 'z'",
        ),
        (
            "char s[4] = \"aba\"; char *p = memrchr(s, 'a', 3);",
            "p == s + 2",
            "p == s",
        ),
        (
            "int a[2] = {1, 2}, b[2]; bcopy(a, b, sizeof a); bzero(a, sizeof a);",
            "b[1] == 2 && a[1] == 0",
            "a[1] == 2",
        ),
        (
            "char s[4] = \"aba\";",
            "index(s, 'b') == s + 1 && rindex(s, 'a') == s + 2",
            "rindex(s, 'a') == s",
        ),
    ] {
        check(BEFORE, body, right, wrong);
    }
}

#[test]
fn streams_and_time() {
    for (body, right, wrong) in [
        (
            "int c = fgetc(stdin), d = getc(stdin);",
            "c >= -1 && c <= 255 && d >= -1 && d <= 255",
            "c != 'k'",
        ),
        (
            "srand(7); long r = random(); unsigned left = sleep(0);",
            "r >= 0 && left == 0",
            "r != 5",
        ),
    ] {
        check(BEFORE, body, right, wrong);
    }
    // Whether output succeeds is not known, but nothing else follows from it.
    let body = "int x = 3; fputs(\"a\", stderr); fflush(stderr); perror(\"b\"); usleep(1); \
        int c = putchar('c'), d = putc('d', stderr), e = fputc('e', stderr);";
    let right = "x == 3 && (c == 'c' || c == -1) && (d == 'd' || d == -1) && (e == 'e' || e == -1)";
    check(BEFORE, body, right, "x == 4");
}

#[test]
fn what_is_read_from_memory() {
    let before = format!("{BEFORE}int sscanf(const char *, const char *, ...);");
    for (body, right, wrong) in [
        (
            "int a = 0, b = 0; int n = sscanf(\"42 -7\", \"%d%d\", &a, &b);",
            "n == 2 && a == 42 && b == -7",
            "b == 7",
        ),
        (
            "long long a; unsigned long long b; \
             int n = sscanf(\"-9223372036854775808 18446744073709551615\", \"%lld%llu\", &a, &b);",
            "n == 2 && a == -9223372036854775807 - 1 && b == ~0ull",
            "b == 0",
        ),
        (
            "int a = 1; int n = sscanf(\"x\", \"%d\", &a);",
            "n == 0 && a == 1",
            "n == -1",
        ),
        (
            "int a; int n = sscanf(\"  \", \"%d\", &a);",
            "n == -1",
            "n == 0",
        ),
        (
            "char w[8]; short h; int at; int n = sscanf(\"ab:0x1f,\", \"%2[a-z]:%hi%n\", w, &h, &at);",
            "n == 2 && strcmp(w, \"ab\") == 0 && h == 31 && at == 7",
            "at == 8",
        ),
        (
            "char c[2], w[4]; int n = sscanf(\"one two\", \"%*s%2c%3s\", c, w);",
            "n == 2 && c[0] == ' ' && c[1] == 't' && strcmp(w, \"wo\") == 0",
            "c[0] == 't'",
        ),
    ] {
        check(&before, body, right, wrong);
    }
}

/// Standard input stays at its end; what the program writes, it may read again.
#[test]
fn ends_of_streams() {
    let before = format!("{BEFORE}FILE *fopen(const char *, const char *); void clearerr(FILE *);");
    let before = &before[..];
    check(
        before,
        "if (getchar() != -1) return 0; int c = getchar();",
        "c == -1",
        "c == 5",
    );
    check(
        before,
        "char s[4]; if (scanf(\"%3[ab]\", s) != 1) return 0;",
        "s[0] == 'a' || s[0] == 'b'",
        "s[1] == 'b'",
    );
    for body in [
        "if (getchar() != -1) return 0; clearerr(stdin); if (getchar() == 'a') reach_error();",
        "FILE *f = fopen(\"x\", \"w+\"); if (fgetc(f) == 'a') reach_error();",
        "if (fgetc(stdin) != -1) return 0; if (fgetc(stdin) == 'a') reach_error();",
    ] {
        let text = program(before, body, "1");
        let found = solve_unrolled(&text, IntMode::Wrap);
        assert!(
            found.lacks_solver() || found.word() == "doubtful",
            "{text}\n{found:?}"
        );
    }
}
