//! Random C programs that compute with floating-point numbers of both formats and integers.

use super::generate::Program;
use crate::random::Random;

const BEFORE: &str = "double later(float x, int n);
static long long told(double x) {
  if (x != x) return -1;
  if (x > -1e12 && x < 1e12) return (long long)(x * 1024.0);
  return x > 0 ? -2 : -3;
}
static int bits(double x, double y) {
  return (x < y) + 2 * (x <= y) + 4 * (x == y) + 8 * (x != y) + 16 * !x + 32 * (1 / x < 0);
}
double later(float x, int n) { return n < 2 ? x / 3 : x + n; }
struct S { double x; float y[2]; };
";

const VARIABLES: [&str; 6] = ["a", "b", "f", "g", "s.x", "s.y[1]"];

const CONSTANTS: [&str; 16] = [
    "0.1",
    "1.5",
    "-2.75",
    "1e10",
    "3",
    "-0.0",
    "1e-310",
    "0x1p-1074",
    "1e308",
    "0.5f",
    "16777217",
    "0.1f",
    "1e-40f",
    "-7",
    "1e300 * 1e10",
    "0x1.fffffep127f",
];

/// A program.
pub(crate) fn program(random: &mut Random) -> Program {
    let constant = |random: &mut Random| random.pick(&CONSTANTS);
    let mut body = "struct S s = {1.25, {0.1f, -3}};\nint i = 0, k = 5;\n".to_owned();
    for (ty, name) in [
        ("double", "a"),
        ("double", "b"),
        ("float", "f"),
        ("float", "g"),
    ] {
        body.push_str(&format!("{ty} {name} = {};\n", constant(random)));
    }
    for _ in 0..4 + random.below(6) {
        let x = random.pick(&VARIABLES);
        let (y, z) = (random.pick(&VARIABLES), random.pick(&VARIABLES));
        let c = constant(random);
        let sign = random.pick(&["+", "-", "*", "/"]);
        let test = random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let function = random.pick(&["fabs", "floor", "ceil", "trunc", "round", "rint", "sqrt"]);
        body.push_str(&match random.below(10) {
            0 | 1 => format!("{x} = {y} {sign} {z};\n"),
            2 => format!("{x} {sign}= {c};\n"),
            3 => format!("{x} = {y} {sign} {c};\n"),
            4 => format!("if ({y} {test} {z}) {x} = -{y}; else {x} += {c};\n"),
            5 => format!("if ({y} > -1e6 && {y} < 1e6) {{ i = {y}; k += (int)({y} * 3); }}\n"),
            6 => format!("{x} = i * 0.5 + k;\n"),
            7 => format!("{x} = __builtin_{function}({y});\n"),
            8 => format!("{x} = {y} {test} {c} ? later({z}, k) : (float){y};\n"),
            _ => format!("for (int j = 0; j < 3; j++) {x} = {x} {sign} {y};\n"),
        });
    }
    let mut variables: Vec<String> = VARIABLES.iter().map(|v| format!("told({v})")).collect();
    variables.extend(["bits(a, b)", "bits(f, s.x)", "i", "k"].map(str::to_owned));
    Program {
        before: BEFORE.to_owned(),
        body,
        variables,
    }
}
