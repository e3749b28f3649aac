//! Random C programs without inputs, whose every operation has a meaning under `-fwrapv`: loops
//! with constant bounds, functions, arrays, also of arrays and structures and in structures, with
//! variable indices and with pointers into them, all integer operators, conversions.

use crate::random::Random;

const TYPES: [&str; 10] = [
    "char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "_Bool",
    "int",
];

/// A program, as the parts that its uses have in common.
pub(crate) struct Program {
    /// Everything before `main`.
    pub(crate) before: String,
    /// The body of `main`.
    pub(crate) body: String,
    /// The variables whose values count at the end.
    pub(crate) variables: Vec<String>,
}

struct Generator<'r> {
    random: &'r mut Random,
    variables: Vec<String>,
    /// Elements of arrays, with `#n` for an index below `n`.
    elements: Vec<&'static str>,
    /// Calls by which pointers into arrays change them, in the same way.
    calls: Vec<&'static str>,
    text: String,
    depth: usize,
    loops: usize,
    in_function: bool,
}

/// A program.
pub(crate) fn program(random: &mut Random) -> Program {
    let mut before = String::new();
    let global_type = random.pick(&TYPES);
    before.push_str(&format!("{global_type} g = {};\n", random.below(50)));
    before.push_str("struct S { int m; unsigned char c; short h; };\nstruct S s;\n");
    let array_type = random.pick(&TYPES);
    before.push_str(&format!(
        "{array_type} a[4] = {{1, {}}};\n",
        random.below(300)
    ));
    function(random, &mut before);
    before.push_str("void swap(int *x, int *y) { int t = *x; *x = *y; *y = t; }\n");
    before.push_str("void bump(short *x, int k) { x[k] += 3; }\n");
    let mut variables: Vec<String> = ["g", "s.m", "s.c", "a[1]", "a[3]"]
        .map(str::to_owned)
        .to_vec();
    let mut body = String::new();
    for at in 0..3 {
        let ty = random.pick(&TYPES);
        body.push_str(&format!("{ty} v{at} = {};\n", random.below(400)));
        variables.push(format!("v{at}"));
    }
    body.push_str("int w = 7;\n");
    variables.push("w".to_owned());
    let mut elements = vec!["a[#4]"];
    let mut calls = vec!["swap(&w, &s.m)"];
    for _ in 0..2 {
        let nested = nested(random, &mut body, &mut variables);
        elements.extend(nested.map(|n| n.element));
        // Without pointers into them, they are taken apart.
        let pointed = nested.filter(|_| random.below(2) == 0);
        calls.extend(pointed.map(|n| n.call));
    }
    let mut main = Generator {
        random,
        variables: variables.clone(),
        elements,
        calls,
        text: body,
        depth: 0,
        loops: 0,
        in_function: false,
    };
    let count = 3 + main.random.below(4);
    for _ in 0..count {
        main.statement();
    }
    Program {
        before,
        body: main.text,
        variables,
    }
}

/// A function of two parameters.
fn function(random: &mut Random, before: &mut String) {
    let types = [
        random.pick(&TYPES),
        random.pick(&TYPES),
        random.pick(&TYPES),
    ];
    before.push_str(&format!(
        "{} f({} p, {} q) {{\n",
        types[0], types[1], types[2]
    ));
    let mut function = Generator {
        random,
        variables: ["p", "q", "g"].map(str::to_owned).to_vec(),
        elements: Vec::new(),
        calls: Vec::new(),
        text: String::new(),
        depth: 0,
        loops: 0,
        in_function: true,
    };
    function.statement();
    let result = function.expression(2);
    before.push_str(&function.text);
    before.push_str(&format!("return {result};\n}}\n"));
}

/// An aggregate with arrays: an element of it, and a call that changes one by a pointer, as in
/// [`Generator`].
#[derive(Clone, Copy)]
struct Nested {
    element: &'static str,
    call: &'static str,
}

/// In some programs, an aggregate of aggregates with some of its initial values.
fn nested(random: &mut Random, body: &mut String, variables: &mut Vec<String>) -> Option<Nested> {
    let (x, y) = (random.below(90), random.below(90));
    let (declaration, parts, element, call) = match random.below(6) {
        0 => (
            format!("short m[2][3] = {{{{{x}, {y}}}, {{5}}}};\n"),
            ["m[0][1]", "m[1][0]", "m[1][2]"],
            "m[#2][#3]",
            "bump(m[#2], #3)",
        ),
        1 => (
            format!("struct S t[2] = {{{{{x}, 2, 3}}, {{.c = {y}}}}};\n"),
            ["t[0].m", "t[1].c", "t[1].h"],
            "t[#2].h",
            "swap(&w, &t[#2].m)",
        ),
        2 => (
            format!("struct {{ int k; char c[3]; short d[2]; }} n = {{{x}, {{{y}}}}};\n"),
            ["n.k", "n.c[0]", "n.d[1]"],
            "n.c[#3]",
            "bump(n.d, #2)",
        ),
        3 => (
            format!(
                "struct {{ unsigned char b[2]; struct {{ short e[3]; }} in; }} r[2] = {{{{{{{x}}}}}, {{.b = {{1, {y}}}}}}};\n"
            ),
            ["r[0].b[0]", "r[1].b[1]", "r[1].in.e[2]"],
            "r[#2].in.e[#3]",
            "bump(r[#2].in.e, #3)",
        ),
        _ => return None,
    };
    // One of each.
    if body.contains(&declaration[..12]) {
        return None;
    }
    body.push_str(&declaration);
    variables.extend(parts.map(str::to_owned));
    Some(Nested { element, call })
}

impl Generator<'_> {
    fn variable(&mut self) -> String {
        self.variables[self.random.below(self.variables.len())].clone()
    }

    fn place(&mut self) -> String {
        if !self.elements.is_empty() && self.random.below(4) == 0 {
            let element = self.random.pick(&self.elements);
            return self.indexed(element);
        }
        self.variable()
    }

    /// A text with indices in place of `#n`.
    fn indexed(&mut self, text: &str) -> String {
        let mut parts = text.split('#');
        let mut whole = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (bound, rest) = part.split_at(1);
            let index = self.expression(1);
            whole.push_str(&format!("(({index}) & 7) % {bound}{rest}"));
        }
        whole
    }

    fn statement(&mut self) {
        self.depth += 1;
        let kind = self.random.below(if self.depth > 3 { 4 } else { 11 });
        match kind {
            0..=2 => self.assignment(),
            3 => self.step(),
            4 | 5 => {
                let test = self.expression(2);
                self.text.push_str(&format!("if ({test}) {{\n"));
                self.statement();
                self.text.push_str("} else {\n");
                self.statement();
                self.text.push_str("}\n");
            }
            6 | 7 if self.loops < 2 && !self.in_function => self.bounded_loop(),
            8 => self.switch(),
            9 if !self.calls.is_empty() => {
                let call = self.random.pick(&self.calls);
                let call = self.indexed(call);
                self.text.push_str(&format!("{call};\n"));
            }
            _ if !self.in_function => {
                let (place, x, y) = (self.variable(), self.expression(2), self.expression(2));
                self.text.push_str(&format!("{place} = f({x}, {y});\n"));
            }
            _ => {}
        }
        self.depth -= 1;
    }

    fn assignment(&mut self) {
        let place = self.place();
        if self.random.below(4) == 0 {
            // Bit operations on two variables are exact for small ones only.
            let op = self
                .random
                .pick(&["&= 60", "|= 9", "^= -7", "<<= 2", ">>= 1", "%= 11"]);
            return self.text.push_str(&format!("{place} {op};\n"));
        }
        let e = self.expression(3);
        let op = self.random.pick(&["=", "=", "=", "+=", "-="]);
        self.text.push_str(&format!("{place} {op} {e};\n"));
    }

    fn step(&mut self) {
        let place = self.variable();
        let step = self.random.pick(&["++", "--"]);
        let form = self.random.below(2) == 0;
        let step = if form {
            format!("{place}{step}")
        } else {
            format!("{step}{place}")
        };
        let into = self.variable();
        if into == place {
            self.text.push_str(&format!("{step};\n"));
        } else {
            self.text.push_str(&format!("{into} = {step};\n"));
        }
    }

    fn bounded_loop(&mut self) {
        self.loops += 1;
        let (name, bound) = (format!("i{}", self.text.len()), 1 + self.random.below(3));
        self.text.push_str(&format!(
            "for (int {name} = 0; {name} < {bound}; {name}++) {{\n"
        ));
        self.statement();
        if self.random.below(3) == 0 {
            let test = self.expression(1);
            let jump = self.random.pick(&["break", "continue"]);
            self.text.push_str(&format!("if ({test}) {jump};\n"));
        }
        self.statement();
        self.text.push_str("}\n");
    }

    fn switch(&mut self) {
        let subject = self.expression(2);
        self.text
            .push_str(&format!("switch (({subject}) & 3) {{\ncase 0: ;\n"));
        self.statement();
        self.text.push_str("break;\ncase 1: ;\n");
        self.statement();
        self.text.push_str("default: ;\n");
        self.statement();
        self.text.push_str("}\n");
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(5) == 0 {
            return match self.random.below(4) {
                0 => format!("{}", self.random.below(12)),
                1 => self
                    .random
                    .pick(&[
                        "-1",
                        "255",
                        "1000",
                        "-129",
                        "65537",
                        "3000000000u",
                        "07",
                        "0x7fffffff",
                        "'z'",
                    ])
                    .to_owned(),
                2 if !self.elements.is_empty() && self.depth < 3 && depth > 0 => self.place(),
                _ => self.variable(),
            };
        }
        let (x, y) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.random.below(20) {
            0..=2 => format!("({x} + {y})"),
            3 | 4 => format!("({x} - {y})"),
            5 => format!("({x} * {})", self.random.below(9)),
            6 => format!("({x} / (({y} & 7) + 1))"),
            7 => format!("({x} % (({y} & 7) + 1))"),
            8 => format!("({x} << {})", self.random.below(6)),
            9 => format!("({x} >> {})", self.random.below(6)),
            10 => format!(
                "({x} & {})",
                self.random
                    .pick(&["1", "7", "12", "255", "0xf0f0", "-2", "~15"])
            ),
            11 => format!("({x} | {})", self.random.pick(&["1", "8", "0x81", "-4"])),
            12 => format!("({x} ^ {})", self.random.pick(&["1", "5", "0xff", "-1"])),
            13 => format!("(({})({x}))", self.random.pick(&TYPES)),
            14 => format!(
                "({x} {} {y})",
                self.random.pick(&["<", "<=", ">", ">=", "==", "!="])
            ),
            15 => format!("({x} {} {y})", self.random.pick(&["&&", "||"])),
            16 => format!("({x} ? {y} : {})", self.variable()),
            17 => format!("(- {x})"),
            18 => format!("(~{x})"),
            _ => format!("(!{x})"),
        }
    }
}
