//! Random C programs of the idioms of libraries and embedded code: tables of functions, static
//! locals, bit-fields, recursion, pointers to pointers and into structures, trees and queues on the
//! heap, jumps out of nested loops, tables of structures, compound literals, further arguments,
//! wide characters, structures around their members, arrays of variable length, unions.

use super::generate::Program;
use crate::random::Random;

const BEFORE: &str = "typedef unsigned long size_t;
typedef unsigned char u8; typedef unsigned short u16; typedef int i32;
void *malloc(size_t); void *calloc(size_t, size_t); void free(void *);
enum mode { OFF, SLOW = 3, FAST, LAST = 9 };
struct flags { unsigned lo : 3; unsigned hi : 5; int sign : 4; u8 rest; };
struct point { short x, y; };
struct box { struct point a, b; u8 tag[3]; };
union word { unsigned w; u16 h[2]; u8 b[4]; int s; struct { u8 low; short high; } p; };
struct tagged { int kind; union { int number; union word word; struct point point; } of; };
struct tree { int key; struct tree *left, *right; };
struct queue { int slots[4]; unsigned head, count; };
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int pick(int a, int b) { return a > b ? a : b; }
static int (*const table[3])(int, int) = { add, sub, pick };
static const struct { u8 code; i32 weight; } weights[4] = { {1, 10}, {2, -20}, {7, 300}, {250, 4} };
static int weight(u8 code) {
  for (int i = 0; i < 4; i++)
    if (weights[i].code == code) return weights[i].weight;
  return -1;
}
static int count(int by) {
  static int calls, total = 5;
  calls++;
  total += by;
  return total * 2 + calls;
}
static unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }
static void insert(struct tree **at, int key) {
  while (*at) {
    if (key == (*at)->key) return;
    at = key < (*at)->key ? &(*at)->left : &(*at)->right;
  }
  *at = calloc(1, sizeof **at);
  (*at)->key = key;
}
static int smallest(const struct tree *t) {
  if (!t) return -1;
  while (t->left) t = t->left;
  return t->key;
}
static int put(struct queue *q, int v) {
  if (q->count == 4) return 0;
  q->slots[(q->head + q->count++) % 4] = v;
  return 1;
}
static int get(struct queue *q, int *v) {
  if (!q->count) return 0;
  *v = q->slots[q->head];
  q->head = (q->head + 1) % 4;
  q->count--;
  return 1;
}
static u8 crc(const u8 *bytes, size_t n) {
  u8 c = 0xff;
  while (n--) {
    c ^= *bytes++;
    for (int k = 0; k < 8; k++) c = c & 0x80 ? (u8)(c << 1 ^ 0x31) : (u8)(c << 1);
  }
  return c;
}
static void turn(struct point *p) { short t = p->x; p->x = -p->y; p->y = t; }
static int sum_of(int n, ...) {
  __builtin_va_list l;
  int s = 0;
  __builtin_va_start(l, n);
  while (n-- > 0) s = 3 * s + __builtin_va_arg(l, int);
  __builtin_va_end(l);
  return s;
}
static struct point moved(struct point p, int by) { p.x += by; p.y -= by; return p; }
static int value(struct tagged t) {
  return t.kind == 0 ? t.of.number : t.kind == 1 ? t.of.word.h[0] : t.of.point.x - t.of.point.y;
}
static int total(int n, const int v[n]) {
  int s = 0;
  for (int i = 0; i < n; i++) s += (i + 1) * v[i];
  return s;
}
static int cell(int n, int k, short g[n][k], unsigned at) { return g[at % n][at / n % k]; }
static void scale(int k, short (*row)[k], int by) {
  for (int i = 0; i < k; i++) (*row)[i] *= by;
}
";

const PLACES: [&str; 14] = [
    "i",
    "u",
    "h",
    "c",
    "f.lo",
    "f.hi",
    "f.sign",
    "f.rest",
    "x.a.x",
    "x.b.y",
    "x.tag[1]",
    "m[1][2]",
    "q.count",
    "q.slots[2]",
];

struct Idioms<'r> {
    random: &'r mut Random,
    text: String,
    depth: usize,
    names: usize,
}

/// A program.
pub(crate) fn program(random: &mut Random) -> Program {
    let start = format!(
        "int i = {}; unsigned u = {}u; short h = {}; u8 c = {};\n\
         struct flags f = {{ {}, 17, -{}, 200 }};\n\
         struct box x = {{ .a = {{ 1, {} }}, .tag = {{ 9, {} }} }}, y = x;\n\
         int m[2][3] = {{ {{ 1, 2 }}, {{ 3, {}, 5 }} }};\n\
         struct queue q = {{ {{ 0 }}, {}, 0 }};\nstruct tree *t = 0;\nenum mode mode = SLOW;\n\
         (void)y; (void)mode;\n",
        random.below(100),
        random.below(1000),
        random.below(100),
        random.below(256),
        random.below(8),
        1 + random.below(8),
        random.below(50),
        random.below(256),
        random.below(9),
        random.below(4),
    );
    let mut idioms = Idioms {
        random,
        text: String::new(),
        depth: 0,
        names: 0,
    };
    let count = 4 + idioms.random.below(5);
    for _ in 0..count {
        idioms.statement();
    }
    Program {
        before: BEFORE.to_owned(),
        body: start + &idioms.text,
        variables: PLACES.map(str::to_owned).to_vec(),
    }
}

impl Idioms<'_> {
    fn statement(&mut self) {
        self.depth += 1;
        match self.random.below(if self.depth > 2 { 8 } else { 15 }) {
            0..=2 => self.assignment(),
            3 => self.structure(),
            4 => self.heap(),
            5 => self.queue(),
            6 | 7 => self.call(),
            8 => self.nested_loops(),
            9 => self.do_loop(),
            10 => self.modes(),
            11 => self.pointers(),
            12 => self.lengths(),
            13 => self.unions(),
            _ => {
                let test = self.expression(2);
                self.text.push_str(&format!("if ({test}) {{\n"));
                self.statement();
                self.text.push_str("} else {\n");
                self.statement();
                self.text.push_str("}\n");
            }
        }
        self.depth -= 1;
    }

    fn place(&mut self) -> &'static str {
        self.random.pick(&PLACES)
    }

    fn assignment(&mut self) {
        let (place, e) = (self.place(), self.expression(3));
        // What the queue and the array need stays as it is.
        let place = match place {
            "q.count" => "i",
            other => other,
        };
        let op = self.random.pick(&["=", "=", "+=", "-=", "=", "="]);
        self.text.push_str(&format!("{place} {op} {e};\n"));
    }

    fn structure(&mut self) {
        let e = self.expression(1);
        let text = match self.random.below(6) {
            0 => "turn(&x.a);\n".to_owned(),
            1 => format!("x.b = moved(x.a, {e});\n"),
            2 => "{ struct box z = x; x = y; y = z; }\n".to_owned(),
            3 => format!("x.a = (struct point){{ .y = {e} }};\n"),
            4 => format!("y.tag[({e}) & 1] = x.tag[2] + 1; x.tag[1] ^= y.tag[0];\n"),
            _ => format!("{{ struct point *p = ({e}) & 1 ? &x.a : &x.b; p->y += 2; turn(p); }}\n"),
        };
        self.text.push_str(&text);
    }

    fn heap(&mut self) {
        let e = self.expression(1);
        let text = match self.random.below(3) {
            0 | 1 => format!("insert(&t, ({e}) % 20);\n"),
            _ => "i = smallest(t);\n".to_owned(),
        };
        self.text.push_str(&text);
    }

    fn queue(&mut self) {
        let e = self.expression(1);
        let text = match self.random.below(3) {
            0 | 1 => format!("u += put(&q, {e});\n"),
            _ => "if (get(&q, &i)) h++;\n".to_owned(),
        };
        self.text.push_str(&text);
    }

    fn call(&mut self) {
        let (x, y) = (self.expression(1), self.expression(1));
        let text = match self.random.below(7) {
            6 => format!("i = sum_of(3, (int)({x}), (int)({y}), c);\n"),
            0 => format!("i = table[(unsigned)({x}) % 3]({y}, c);\n"),
            1 => format!("i = count({x});\n"),
            2 => format!("u = fib(({x}) & 3);\n"),
            3 => format!("h = gcd(({x}) & 63, ({y}) & 31);\n"),
            4 => format!("i += weight({x});\n"),
            _ => "c = crc(x.tag, 2);\n".to_owned(),
        };
        self.text.push_str(&text);
    }

    fn name(&mut self) -> usize {
        self.names += 1;
        self.names
    }

    fn nested_loops(&mut self) {
        let (name, test) = (self.name(), self.expression(1));
        self.text.push_str(&format!(
            "for (int r{name} = 0; r{name} < 2; r{name}++)\n  for (int k{name} = 2; k{name} >= 0; k{name}--) {{\n    \
             m[r{name}][k{name}] += k{name} - r{name};\n    if (m[r{name}][k{name}] == ({test})) goto out{name};\n  }}\n"
        ));
        self.statement();
        self.text.push_str(&format!("out{name}: ;\n"));
    }

    fn do_loop(&mut self) {
        let (name, bound, test) = (self.name(), 1 + self.random.below(3), self.expression(1));
        self.text
            .push_str(&format!("{{ int n{name} = {bound};\ndo {{\n"));
        self.statement();
        let jump = self.random.pick(&["break", "continue"]);
        self.text.push_str(&format!(
            "if ({test}) {jump};\nu++;\n}} while (--n{name} > 0); }}\n"
        ));
    }

    fn modes(&mut self) {
        let subject = self.expression(2);
        self.text.push_str(&format!(
            "switch ((enum mode)(({subject}) & 7)) {{\ncase OFF: c++;\ncase SLOW:\n"
        ));
        self.assignment();
        self.text.push_str("break;\ncase FAST: {\n");
        self.assignment();
        self.text.push_str("}\ndefault: f.hi++;\ncase LAST: ;\n}\n");
    }

    fn pointers(&mut self) {
        let e = self.expression(1);
        let text = match self.random.below(6) {
            4 => format!(
                "{{ struct point *p = &x.b; struct box *o = (struct box *)((char *)p - __builtin_offsetof(struct box, b)); o->tag[0] = {e}; i += o->a.y; }}\n"
            ),
            5 => format!("{{ int s[] = L\"a\\xe9\" L\"z\"; s[2] -= {e}; i = s[({e}) & 3]; }}\n"),
            0 => {
                format!("{{ int *p = m[1], *end = p + 3; while (p != end) *p++ += ({e}) & 3; }}\n")
            }
            1 => format!("{{ int *p = &i, **pp = &p; if ({e}) *pp = &m[0][1]; **pp += 3; }}\n"),
            2 => format!("{{ u8 *p = x.tag + (({e}) & 1); p[1]--; *p = ~*p; }}\n"),
            _ => format!(
                "{{ struct point *p = malloc(2 * sizeof *p); p[0] = x.a; p[1].x = {e}; p[1].y = 3; x.b = p[p[0].x & 1]; free(p); }}\n"
            ),
        };
        self.text.push_str(&text);
    }

    /// Arrays whose lengths are evaluated where they are declared.
    fn lengths(&mut self) {
        let (x, y) = (self.expression(1), self.expression(1));
        let text = match self.random.below(4) {
            0 => format!(
                "{{ int n = 2 + (({x}) & 1); int v[n]; for (int j = 0; j < n; j++) v[j] = c - j; \
                 v[({y}) & 1] = 5; i = total(n, v); n = 9; u += sizeof v / sizeof *v; }}\n"
            ),
            1 => format!(
                "{{ int n = 2 + (({x}) & 1), k = 5 - n; short g[n][k]; \
                 for (int j = 0; j < n; j++) for (int l = 0; l < k; l++) g[j][l] = 4 * j - l; \
                 scale(k, &g[n - 1], ({y}) & 7); h = g[n - 1][1]; i += cell(n, k, g, u & 63); \
                 k = 7; u ^= sizeof g + sizeof g[0]; }}\n"
            ),
            2 => format!(
                "{{ int k = 2 + (({x}) & 1); typedef u8 row[k]; k = 100; row b[2]; \
                 for (unsigned j = 0; j < sizeof(row); j++) b[0][j] = b[1][j] = j + 1; \
                 row *p = b; p++; (*p)[1] = {y}; c += b[1][1] + p[-1][0]; }}\n"
            ),
            _ => format!(
                "{{ int k = 2 + (({x}) & 1); int (*p)[k] = malloc(2 * sizeof *p); \
                 p[1][1] = {y}; p[1][0] = 3; p[0][k - 1] = 8; k = 1; i = p[1][({x}) & 1]; free(p); }}\n"
            ),
        };
        self.text.push_str(&text);
    }

    /// The bytes of numbers, values with the number of their kind, and structures that are used as
    /// arrays.
    fn unions(&mut self) {
        let (x, y) = (self.expression(1), self.expression(1));
        let text = match self.random.below(7) {
            0 => format!(
                "{{ union word z = {{ {x} }}, o; z.b[1] = {y}; o = z; o.h[1] ^= 3; i = o.s; u += z.b[0] + o.h[0]; }}\n"
            ),
            1 => format!(
                "{{ union word z; z.h[0] = {x}; z.h[1] = {y}; z.p.high -= 5; c = z.b[3]; i = z.w; h = z.p.high; }}\n"
            ),
            2 => format!(
                "{{ struct tagged z = {{ ({x}) & 1, {{ .number = {y} }} }}, o = z; i = value(o); o.of.word.b[2]++; u ^= o.of.number; }}\n"
            ),
            3 => format!(
                "{{ union word z = {{ {x} }}; struct tagged t = {{ 1, {{ .number = 3 }} }}; t.of.word = z; \
                 u ^= t.of.number; t.of.point.y = {y}; i = t.of.word.h[1] + value(t); }}\n"
            ),
            4 => format!(
                "{{ struct {{ int a, b, c[2]; }} z = {{ {x}, {y}, {{ 1, 2 }} }}; int *p = (int *)&z; \
                 p[({y}) & 3] += 5; i = z.a - z.c[1] + p[1]; u ^= z.c[0] + (p + 2 - &z.b); }}\n"
            ),
            5 => format!(
                "{{ struct {{ u8 tag, text[3]; }} z[2] = {{ {{ {x} }} }}; u8 *p = (u8 *)z; \
                 for (int k = 1; k < 8; k++) p[k] = p[k - 1] + 3; c ^= z[1].text[({y}) & 1] + z[0].tag; }}\n"
            ),
            _ => format!(
                "{{ struct tagged *p = malloc(sizeof *p); p->kind = 2; p->of.point = x.a; p->of.point.y = {y}; \
                 i = value(*p); c = p->of.word.b[0]; p->of.number = {x}; h = p->of.point.x; free(p); }}\n"
            ),
        };
        self.text.push_str(&text);
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(4) == 0 {
            let numbers = ["0", "1", "-2", "19u", "254", "LAST", "0x7fff", "'a'"];
            return match self.random.below(3) {
                0 => self.random.pick(&numbers).to_owned(),
                _ => self.place().to_owned(),
            };
        }
        let (x, y) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.random.below(13) {
            0 | 1 => format!("({x} + {y})"),
            2 | 3 => format!("({x} - {y})"),
            4 => format!("({x} * {})", self.random.pick(&["3", "-1", "6u"])),
            5 => format!("({x} / (({y} & 3) + 1))"),
            6 => format!("({x} % (({y} & 3) + 2))"),
            7 => format!(
                "(({})({x}))",
                self.random
                    .pick(&["u8", "u16", "i32", "signed char", "long"])
            ),
            8 | 9 => format!("({x} {} {y})", self.random.pick(&["<", ">=", "==", "!="])),
            10 => format!("({x} {} {y})", self.random.pick(&["&&", "||"])),
            11 => format!("({x} & {})", self.random.pick(&["15", "0x81", "-4"])),
            _ => format!("({x} {} 1)", self.random.pick(&["<<", ">>", "^"])),
        }
    }
}
