//! Arguments of variable number, words that `scanf` reads, wide characters, and pointers that are
//! moved by bytes: programs, each right and wrong.

use super::super::support::solve_unrolled;
use super::programs::check_by;

/// After `body`, `right` always holds, and `wrong` does not, as a run of the machine shows.
fn check(before: &str, body: &str, right: &str, wrong: &str) {
    check_by(&solve_unrolled, before, body, right, wrong);
}

const VARIADIC: &str = "typedef __builtin_va_list va_list;
int vprintf(const char *, va_list);
int vsnprintf(char *, size_t, const char *, va_list);
static int log_calls;
static void log_line(const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  vprintf(format, list);
  __builtin_va_end(list);
  log_calls++;
}
static int sum(int count, ...) {
  va_list list;
  int total = 0;
  __builtin_va_start(list, count);
  while (count-- > 0) total += __builtin_va_arg(list, int);
  __builtin_va_end(list);
  return total;
}
static long listed(int count, va_list list) {
  long total = 0;
  while (count-- > 0) total = 10 * total + __builtin_va_arg(list, long);
  return total;
}
static long wide_sum(int count, ...) {
  va_list list, again;
  __builtin_va_start(list, count);
  __builtin_va_copy(again, list);
  long total = listed(count, list) + listed(count, again);
  __builtin_va_end(list);
  __builtin_va_end(again);
  return total;
}
static int lengths(const char *first, ...) {
  va_list list;
  int total = 0;
  __builtin_va_start(list, first);
  for (const char *s = first; s; s = __builtin_va_arg(list, const char *)) total += strlen(s);
  __builtin_va_end(list);
  return total;
}
static int mixed(const char *kinds, ...) {
  va_list list;
  int total = 0;
  __builtin_va_start(list, kinds);
  for (; *kinds; kinds++) {
    if (*kinds == 'i') total += __builtin_va_arg(list, int);
    else if (*kinds == 'p') total += *__builtin_va_arg(list, int *);
    else { int *to = __builtin_va_arg(list, int *); *to = total; }
  }
  __builtin_va_end(list);
  return total;
}
static int late(int, ...);
";

#[test]
fn further_arguments() {
    for (body, right, wrong) in [
        ("", "sum(3, 1, 2, 3) == 6", "sum(2, 1, 2, 3) == 6"),
        ("", "sum(0) == 0", "sum(1, 4) == 5"),
        (
            "unsigned char c = 255; short h = -3;",
            "sum(2, c, h) == 252",
            "sum(2, c, h) == -4",
        ),
        (
            "int x = __VERIFIER_nondet_int();",
            "sum(2, x, 1 - x) == 1",
            "sum(2, x, x) != 14",
        ),
        (
            "",
            "sum(2, sum(2, 1, 2), sum(1, 3)) == 6",
            "sum(2, sum(2, 1, 2), sum(1, 3)) == 4",
        ),
        (
            "",
            "wide_sum(3, 1L, 2L, 3L) == 246",
            "wide_sum(3, 1L, 2L, 3L) == 123",
        ),
        (
            "",
            "lengths(\"ab\", \"\", \"c\", (char *)0) == 3",
            "lengths(\"ab\", (char *)0) == 3",
        ),
        (
            "int p = 5, kept = 0;",
            "mixed(\"ipo\", 2, &p, &kept) == 7 && kept == 7",
            "mixed(\"oi\", &kept, 3) == 3 && kept == 3",
        ),
        (
            "int (*f)(int, ...) = sum;",
            "f(2, 20, 30) == 50 && (*f)(1, 7) == 7",
            "f(1, 20, 30) == 50",
        ),
        (
            "log_line(\"%d %s\\n\", 1, \"a\"); log_line(\"\");",
            "log_calls == 2",
            "log_calls == 1",
        ),
        ("", "late(2, 5, 6) == 11", "late(1, 5, 6) == 11"),
        (
            "float f = 2.5f;",
            "pick(3, 3, f) == 2.5 && pick(1, 2, 7.0) == 0",
            "pick(3, 3, 1.5) == 2.5",
        ),
    ] {
        let before = format!(
            "{VARIADIC}static int late(int n, ...) {{
              va_list l; int s = 0; __builtin_va_start(l, n);
              do s += __builtin_va_arg(l, int); while (--n); return s; }}
              static double pick(int n, ...) {{
              __builtin_va_list l; __builtin_va_start(l, n); int i = __builtin_va_arg(l, int);
              double d = __builtin_va_arg(l, double); return i == n ? d : 0; }}"
        );
        check(&before, body, right, wrong);
    }
}

#[test]
fn words_that_scanf_reads() {
    for (body, right, wrong) in [
        (
            "char s[9] = \"?\"; int n = scanf(\"%7s\", s);",
            "strlen(s) <= 7 && (n == 1 || s[0] == '?')",
            "strcmp(s, \"yes\") != 0",
        ),
        (
            "char s[3]; int x = 0; if (scanf(\"%d %2s\", &x, s) != 2) return 0;",
            "s[0] != 0 && s[0] != ' ' && s[1] != '\\n'",
            "!(x == 77 && s[0] == 'o' && s[1] == 'k')",
        ),
        (
            "char s[5], t[5]; if (fscanf(stdin, \"%4s%4s\", s, t) != 2) return 0;",
            "s[4] == 0 || strlen(s) < 4",
            "!(s[0] == t[0] && s[1] != t[1] && t[2] == 'q')",
        ),
        (
            "char s[4]; if (scanf(\"%s\", s) != 1 || strlen(s) > 3) return 0;",
            "s[0] != 0 && s[3] == 0 || strlen(s) < 3",
            "strcmp(s, \"abc\") != 0",
        ),
    ] {
        check("", body, right, wrong);
    }
}

/// Widths of numbers, and white space before characters.
#[test]
fn numbers_and_characters_that_scanf_reads() {
    for (body, right, wrong) in [
        (
            "int b; if (scanf(\"%2d\", &b) != 1) return 0;",
            "-9 <= b && b <= 99",
            "b <= 98",
        ),
        (
            "long b; if (scanf(\"%1ld\", &b) != 1) return 0;",
            "0 <= b && b <= 9",
            "b != 9",
        ),
        (
            "char c; if (scanf(\" %c\", &c) != 1) return 0;",
            "c != ' ' && c != '\\n'",
            "c != 'x'",
        ),
        (
            "int a; char c; if (scanf(\"%d%c\", &a, &c) != 2) return 0;",
            "a <= 2147483647",
            "c != ' '",
        ),
    ] {
        check("", body, right, wrong);
    }
}

const WIDE: &str = "typedef int wchar_t;
size_t wcslen(const wchar_t *); int wcscmp(const wchar_t *, const wchar_t *);
wchar_t *wcscpy(wchar_t *, const wchar_t *); wchar_t *wcscat(wchar_t *, const wchar_t *);
wchar_t *wcschr(const wchar_t *, wchar_t); wchar_t *wmemset(wchar_t *, wchar_t, size_t);
";

#[test]
fn wide_characters() {
    for (body, right, wrong) in [
        (
            "wchar_t s[] = L\"a\\xe9\" L\"z\";",
            "sizeof s == 16 && s[1] == L'\\xe9' && s[1] == 233 && s[3] == 0",
            "s[1] == 'e'",
        ),
        (
            "const wchar_t *s = L\"ab\" L\"c\"; wchar_t t[8]; wcscpy(t, s); wcscat(t, L\"de\");",
            "wcslen(t) == 5 && wcscmp(t, L\"abcde\") == 0 && wcscmp(s, t) < 0",
            "wcslen(t) == 4",
        ),
        (
            "unsigned short s[4] = u\"\\xd83d\\xde00\"; unsigned int t[] = U\"x\";",
            "s[0] == 0xd83d && s[1] == 0xde00 && s[2] == 0 && sizeof t == 8",
            "s[1] == 0",
        ),
        (
            "wchar_t s[4]; wmemset(s, L'-', 3); s[3] = 0;",
            "wcschr(s, L'-') == s && wcschr(s, L'x') == 0",
            "wcschr(s, 0) == s",
        ),
        (
            "const char *names[] = { \"one\" }; char s[] = { \"one\" };",
            "sizeof names / sizeof names[0] == 1 && sizeof s == 4",
            "sizeof names / sizeof names[0] == 4",
        ),
        (
            "int m[][2] = {1, 2, 3, 4, 5}; struct { char n[3]; int k; } t[] = {\"ab\", 1, \"c\", 2};",
            "sizeof m == 6 * sizeof(int) && m[2][0] == 5 && sizeof t / sizeof t[0] == 2 && t[1].k == 2",
            "sizeof m == 5 * sizeof(int)",
        ),
    ] {
        check(WIDE, body, right, wrong);
    }
}

const CONTAINERS: &str = "struct link { struct link *next, *prev; };
struct item { int key; struct link at; short tag[3]; };
#define offset_of(type, member) ((size_t)&((type *)0)->member)
#define container_of(p, type, member) ((type *)((char *)(p) - offset_of(type, member)))
static void add(struct link *entry, struct link *head) {
  entry->next = head->next; entry->prev = head;
  head->next->prev = entry; head->next = entry;
}
static int sum(struct link *head) {
  int total = 0;
  for (struct item *i = container_of(head->next, struct item, at); &i->at != head;
       i = container_of(i->at.next, struct item, at))
    total = 10 * total + i->key;
  return total;
}
";

#[test]
fn pointers_that_are_moved_by_bytes() {
    for (body, right, wrong) in [
        (
            "struct item i = {4}; struct link *l = &i.at;",
            "container_of(l, struct item, at)->key == 4",
            "container_of(l, struct item, at)->key == 5",
        ),
        (
            "struct link head = {&head, &head}; struct item a = {1}, b = {2};
             add(&a.at, &head); add(&b.at, &head);",
            "sum(&head) == 21",
            "sum(&head) == 12",
        ),
        (
            "struct link head = {&head, &head};
             for (int k = 1; k < 4; k++) {
               struct item *i = malloc(sizeof *i); i->key = k; add(&i->at, &head); }",
            "sum(&head) == 321",
            "sum(&head) == 123",
        ),
        (
            "struct item i = {7}; i.tag[2] = 9; struct item *p = &i;",
            "*(short *)((char *)p + offset_of(struct item, tag[2])) == 9 && *(int *)((char *)p + 0) == 7",
            "*(short *)((char *)p + offset_of(struct item, tag) + 4) == 7",
        ),
        (
            "int a[4] = {1, 2, 3, 4}; int *p = a; int at = __VERIFIER_nondet_int();
             if (at < 0 || at > 3) return 0;",
            "*(int *)((char *)p + at * sizeof(int)) == at + 1 && *(int *)((char *)(p + 3) - 4) == 3",
            "*(int *)((char *)p + at * sizeof(int)) != 3",
        ),
        (
            "struct item t[2] = {{1}, {2}}; struct item *p = t;",
            "((struct item *)((char *)p + sizeof *p))->key == 2",
            "((struct item *)((char *)p + sizeof *p))->key == 1",
        ),
    ] {
        check(CONTAINERS, body, right, wrong);
    }
}
