//! Random C programs of what functions, blocks and lists are made of: structures by value, `goto`,
//! `switch` with fall-through, unsigned and mixed widths, lists on the heap, loops over strings.

use super::generate::Program;
use crate::random::Random;

const BEFORE: &str = "typedef unsigned long size_t;
void *malloc(size_t);
struct V { int x; unsigned char y; short z[2]; };
struct N { int v; struct N *next; };
struct V make(int a, unsigned b) {
  struct V v = {a, b, {a + b, b >> 3}};
  return v;
}
struct V mix(struct V v, struct V w) {
  v.x -= w.z[0];
  v.y += w.y;
  w.z[1] = v.z[0];
  v.z[1] = w.z[1] ^ 5;
  return v;
}
struct N *push(struct N *list, int v) {
  struct N *n = malloc(sizeof *n);
  n->v = v;
  n->next = list;
  return n;
}
int sum(struct N *list) {
  int s = 0;
  for (; list; list = list->next) s = s * 3 + list->v;
  return s;
}
unsigned fold(const char *s) {
  unsigned h = 5381;
  while (*s) h = h * 33 + *s++;
  return h;
}
";

const WIDTHS: [&str; 8] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
];

const PLACES: [&str; 14] = [
    "b", "ub", "h", "uh", "i", "u", "l", "ul", "v.x", "v.y", "v.z[0]", "v.z[1]", "w.x", "w.y",
];

struct Mixed<'r> {
    random: &'r mut Random,
    text: String,
    labels: usize,
    depth: usize,
}

/// A program.
pub(crate) fn program(random: &mut Random) -> Program {
    let mut mixed = Mixed {
        random,
        text: String::new(),
        labels: 0,
        depth: 0,
    };
    let mut start = String::new();
    for (ty, name) in WIDTHS.iter().zip(PLACES) {
        let value = mixed
            .random
            .pick(&["0", "1", "7", "100", "-1", "-100", "200", "70000"]);
        start.push_str(&format!("{ty} {name} = {value};\n"));
    }
    start.push_str("struct V v = {1, 2, {3, 4}}, w = make(5, 600);\nstruct N *list = 0;\n");
    let count = 4 + mixed.random.below(5);
    for _ in 0..count {
        mixed.statement();
    }
    Program {
        before: BEFORE.to_owned(),
        body: start + &mixed.text,
        variables: PLACES.map(str::to_owned).to_vec(),
    }
}

impl Mixed<'_> {
    fn statement(&mut self) {
        self.depth += 1;
        match self.random.below(if self.depth > 2 { 6 } else { 12 }) {
            0..=2 => self.assignment(),
            3 => self.structure(),
            4 => self.list(),
            5 => {
                let text = self
                    .random
                    .pick(&["\"\"", "\"a\"", "\"zz7\"", "\"\\377b\""]);
                let place = self.place();
                self.text.push_str(&format!("{place} = fold({text});\n"));
            }
            6 | 7 => self.jump_forward(),
            8 => self.jump_back(),
            9 | 10 => self.fall_through(),
            _ => {
                let test = self.expression(2);
                self.text.push_str(&format!("if ({test}) {{\n"));
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
        let op = self.random.pick(&["=", "=", "+=", "-=", "*="]);
        self.text.push_str(&format!("{place} {op} {e};\n"));
    }

    fn structure(&mut self) {
        let (x, y) = (self.expression(1), self.expression(1));
        let text = match self.random.below(5) {
            0 => format!("v = make({x}, {y});\n"),
            1 => "w = mix(v, w);\n".to_owned(),
            2 => format!("v = mix(make({x}, {y}), v);\n"),
            3 => "{ struct V t = v; v = w; w = t; }\n".to_owned(),
            _ => format!("i = mix(w, make({x}, {y})).z[1];\n"),
        };
        self.text.push_str(&text);
    }

    fn list(&mut self) {
        let e = self.expression(1);
        let text = match self.random.below(4) {
            0 | 1 => format!("list = push(list, {e});\n"),
            2 => "if (list) { i += list->v; list = list->next; }\n".to_owned(),
            _ => "u = sum(list);\n".to_owned(),
        };
        self.text.push_str(&text);
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("L{}", self.labels)
    }

    fn jump_forward(&mut self) {
        let (label, test) = (self.label(), self.expression(2));
        self.text.push_str(&format!("if ({test}) goto {label};\n"));
        self.statement();
        self.text.push_str(&format!("{label}: ;\n"));
    }

    fn jump_back(&mut self) {
        let (label, test) = (self.label(), self.expression(1));
        let bound = 1 + self.random.below(3);
        self.text
            .push_str(&format!("{{ int n{label} = 0;\n{label}: n{label}++;\n"));
        self.statement();
        self.text.push_str(&format!(
            "if (n{label} < {bound} && ({test})) goto {label}; }}\n"
        ));
    }

    fn fall_through(&mut self) {
        let (subject, last) = (self.expression(2), self.random.below(4));
        self.text
            .push_str(&format!("switch (({subject}) & 3) {{\n"));
        for case in 0..3 {
            let case = if case == last {
                "default".to_owned()
            } else {
                format!("case {case}")
            };
            self.text.push_str(&format!("{case}: ;\n"));
            self.assignment();
            if self.random.below(2) == 0 {
                self.text.push_str("break;\n");
            }
        }
        self.text.push_str("}\n");
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(4) == 0 {
            let numbers = [
                "0",
                "1",
                "-3",
                "17u",
                "255",
                "65535",
                "2147483647",
                "0x80000000",
            ];
            return match self.random.below(3) {
                0 => self.random.pick(&numbers).to_owned(),
                _ => self.place().to_owned(),
            };
        }
        let (x, y) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.random.below(12) {
            0 | 1 => format!("({x} + {y})"),
            2 | 3 => format!("({x} - {y})"),
            4 => format!("({x} * {})", self.random.pick(&["3", "-2", "5u", "7L"])),
            5 => format!("({x} / (({y} & 3) + 1))"),
            6 => format!("({x} % (({y} & 3) + 2))"),
            7 => format!("(({})({x}))", self.random.pick(&WIDTHS)),
            8 | 9 => format!("({x} {} {y})", self.random.pick(&["<", ">=", "==", "!="])),
            10 => format!(
                "({x} & {})",
                self.random.pick(&["15", "0xf0", "-8", "127u"])
            ),
            _ => format!("({x} >> {})", self.random.below(5)),
        }
    }
}
