//! Random C programs that call the C library: strings, memory, the heap, sorting, numbers in
//! strings. Strings end within their arrays, and every access is within its object.

use super::generate::Program;
use crate::random::Random;

const BEFORE: &str = "typedef unsigned long size_t;
size_t strlen(const char *); int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t); char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t); char *strcat(char *, const char *);
char *strncat(char *, const char *, size_t); char *strchr(const char *, int);
char *strrchr(const char *, int); char *strstr(const char *, const char *);
size_t strspn(const char *, const char *); size_t strcspn(const char *, const char *);
char *strdup(const char *); void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t); void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t); void *memchr(const void *, int, size_t);
int isdigit(int); int isalpha(int); int isspace(int); int ispunct(int); int toupper(int);
int snprintf(char *, size_t, const char *, ...); int sprintf(char *, const char *, ...);
int abs(int); int atoi(const char *); long strtol(const char *, char **, int);
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t);
void free(void *);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
static int order(const void *x, const void *y) {
  int a = *(const int *)x, b = *(const int *)y;
  return a < b ? -1 : a > b;
}
struct P { short k; char c[3]; };
";

/// The characters of strings: letters, digits, what numbers begin with.
const CHARACTERS: [&str; 8] = ["a", "b", "Z", "7", "0", "-", " ", "x"];
/// The strings and arrays have this number of elements.
const STRING: usize = 8;
const ARRAY: usize = 3;

struct Calls<'r> {
    random: &'r mut Random,
    text: String,
    /// The number of pointers to memory of the heap.
    heaps: usize,
}

/// A program.
pub(crate) fn program(random: &mut Random) -> Program {
    let mut calls = Calls {
        random,
        text: String::new(),
        heaps: 0,
    };
    let (s, t) = (calls.literal(), calls.literal());
    let start = format!(
        "char s[{STRING}] = {s}, t[{STRING}] = {t};\nint a[{ARRAY}] = {{{}, 2}}, b[{ARRAY}] = {{5, {}, 1}};\n\
         struct P p = {{3, {{1, 2}}}}, q[2] = {{{{4}}}};\nint v = 1, w = 2;\n",
        calls.random.below(9),
        calls.random.below(9)
    );
    let count = 2 + calls.random.below(3);
    for _ in 0..count {
        calls.statement();
    }
    let variables = [
        "v",
        "w",
        "s[0]",
        "s[1]",
        "s[2]",
        "t[0]",
        "t[3]",
        "a[0]",
        "a[1]",
        "b[2]",
        "p.k",
        "q[1].k",
        "q[0].c[1]",
    ];
    Program {
        before: BEFORE.to_owned(),
        body: start + &calls.text,
        variables: variables.map(str::to_owned).to_vec(),
    }
}

impl Calls<'_> {
    fn literal(&mut self) -> String {
        let length = self.random.below(4);
        let letters = (0..length).map(|_| self.random.pick(&CHARACTERS));
        format!("\"{}\"", letters.collect::<String>())
    }

    /// Two strings, the first of which is an array.
    fn strings(&mut self) -> (&'static str, String) {
        let to = self.random.pick(&["s", "t"]);
        let from = match self.random.below(3) {
            0 => self.literal(),
            _ if to == "s" => "t".to_owned(),
            _ => "s".to_owned(),
        };
        (to, from)
    }

    fn statement(&mut self) {
        match self.random.below(14) {
            12 | 13 => self.print(),
            0..=2 => self.change_string(),
            3 | 4 => self.change_memory(),
            5 | 6 => self.heap(),
            7 => {
                let test = self.number();
                self.text.push_str(&format!("if ({test} > 1) {{\n"));
                self.change_string();
                self.text.push_str("} else {\n");
                self.change_memory();
                self.text.push_str("}\n");
            }
            8 => {
                let (array, count) = (self.random.pick(&["a", "b"]), self.random.below(4));
                self.text
                    .push_str(&format!("qsort({array}, {count}, sizeof(int), order);\n"));
            }
            _ => {
                let (place, value) = (self.random.pick(&["v", "w", "a[1]"]), self.number());
                self.text.push_str(&format!("{place} = {value};\n"));
            }
        }
    }

    fn change_string(&mut self) {
        let (to, from) = self.strings();
        let n = self.random.below(4);
        let last = STRING - 1;
        let text = match self.random.below(6) {
            0 => format!("strcpy({to}, {from});\n"),
            1 => format!("strncpy({to}, {from}, {n});\n"),
            2 => format!("if (strlen({to}) + strlen({from}) < {STRING}) strcat({to}, {from});\n"),
            3 => format!("if (strlen({to}) < 4) strncat({to}, {from}, {n});\n"),
            4 => format!("memset({to} + {n}, 'b', {});\n", self.random.below(4)),
            _ => {
                let at = self.random.below(4);
                format!(
                    "memmove({to} + {n}, {to} + {at}, {});\n",
                    self.random.below(4)
                )
            }
        };
        self.text.push_str(&text);
        self.text.push_str(&format!("{to}[{last}] = 0;\n"));
    }

    fn print(&mut self) {
        let (to, from) = self.strings();
        let (value, n) = (self.number(), self.random.below(STRING + 1));
        let number = self
            .random
            .pick(&["%d", "%u", "%x", "%+d", "%03d", "%-4d|", "%hhd", "%o"]);
        let text = match self.random.below(4) {
            0 => format!("v = snprintf({to}, {n}, \"{number}\", {value});\n"),
            1 => format!("v = snprintf({to}, {n}, \"<%s%%\", {from});\n"),
            2 => format!("w = snprintf({to}, {n}, \"%.2s%c\", {from}, 'q');\n"),
            _ => format!(
                "{{ char z[40]; w = sprintf(z, \"%4s{number}\", {from}, {value}); v = z[{}]; }}\n",
                n % 4
            ),
        };
        self.text.push_str(&text);
        self.text.push_str(&format!("{to}[{}] = 0;\n", STRING - 1));
    }

    fn change_memory(&mut self) {
        let text = match self.random.below(6) {
            0 => format!("memcpy(a, b, {} * sizeof(int));\n", self.random.below(4)),
            1 => "memmove(a + 1, a, 2 * sizeof(int));\n".to_owned(),
            2 => format!(
                "memset(b + 1, {}, 2 * sizeof(int));\n",
                self.random.below(300)
            ),
            3 => format!(
                "memset(&q[{}], 0, sizeof(struct P));\n",
                self.random.below(2)
            ),
            4 => format!("memcpy(&q[{}], &p, sizeof(p));\n", self.random.below(2)),
            _ => "memcpy(s, t, 3);\n".to_owned(),
        };
        self.text.push_str(&text);
    }

    fn heap(&mut self) {
        let name = format!("h{}", self.heaps);
        self.heaps += 1;
        let (value, at) = (self.number(), self.random.below(3));
        let text = match self.random.below(4) {
            0 => format!(
                "int *{name} = malloc(3 * sizeof(int)); {name}[{at}] = {value}; v = {name}[{at}]; free({name});\n"
            ),
            1 => format!(
                "int *{name} = calloc(3, sizeof(int)); {name}[1] = {value}; w = {name}[{at}] + {name}[1];\n"
            ),
            2 => format!(
                "char *{name} = strdup(s); {name}[0] = 'h'; w = {name}[0] + (int)strlen(s);\n"
            ),
            _ => format!(
                "int *{name} = malloc(2 * sizeof(int)); {name}[0] = {value}; {name}[1] = 4; {name} = realloc({name}, 3 * sizeof(int)); {name}[2] = 6; v = {name}[{at}];\n"
            ),
        };
        self.text.push_str(&text);
    }

    /// A number that a call gives. Of what the standard leaves open, only the sign counts.
    fn number(&mut self) -> String {
        let (x, y) = self.strings();
        let (c, n) = (self.random.pick(&CHARACTERS), self.random.below(4));
        match self.random.below(16) {
            0 | 1 => format!("(int)strlen({y})"),
            2 => format!("(strcmp({x}, {y}) < 0)"),
            3 => format!("(strncmp({x}, {y}, {n}) > 0)"),
            4 => format!("(strchr({x}, '{c}') ? (int)(strchr({x}, '{c}') - {x}) : -1)"),
            5 => format!("(strrchr({x}, '{c}') != 0)"),
            6 => format!("(strstr({x}, {y}) == {x})"),
            7 => format!("(int)strspn({x}, {y})"),
            8 => format!("(int)strcspn({x}, {y})"),
            9 => format!("(memcmp({x}, t, {n}) < 0)"),
            10 => format!("(memcmp(a, b, {n} * sizeof(int)) > 0)"),
            11 => format!(
                "!!{}({x}[{n}])",
                self.random
                    .pick(&["isdigit", "isalpha", "isspace", "ispunct"])
            ),
            12 => format!("toupper({x}[{n}])"),
            13 => format!("atoi({y})"),
            14 => format!(
                "(int)strtol({y}, 0, {})",
                self.random.pick(&["0", "10", "16", "36"])
            ),
            _ => format!(
                "abs(a[{}] - b[{}])",
                self.random.below(3),
                self.random.below(3)
            ),
        }
    }
}
