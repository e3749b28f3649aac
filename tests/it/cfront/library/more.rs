//! More functions of the library in programs: those of the printing family that write to memory,
//! numbers of other widths, classes of characters, streams.

use super::super::support::solve_unrolled;
use super::programs::check_by;

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
