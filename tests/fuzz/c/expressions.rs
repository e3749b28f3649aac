//! Terms written as C expressions against a compiler: they must have the value that the term has.

use crate::random::Random;
use crate::tools::tool_found;
use horn::cfront::Expressions;
use horn::term::{BvOp, Evaluator, Term, Terms, Unspecified, Value};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::fmt::Write as _;
use std::process::Command;

/// Variables of C: type, name, bits.
const VARIABLES: [(&str, &str, u32); 8] = [
    ("signed char", "c", 8),
    ("unsigned char", "b", 8),
    ("short", "h", 16),
    ("unsigned short", "s", 16),
    ("int", "i", 32),
    ("unsigned", "u", 32),
    ("long long", "l", 64),
    ("unsigned long long", "v", 64),
];

/// Widths other than those of variables.
const WIDTHS: [u32; 10] = [1, 3, 7, 8, 16, 31, 32, 33, 63, 64];

const SAME_WIDTH: [BvOp; 13] = [
    BvOp::And,
    BvOp::Or,
    BvOp::Xor,
    BvOp::Add,
    BvOp::Mul,
    BvOp::Udiv,
    BvOp::Urem,
    BvOp::Sdiv,
    BvOp::Srem,
    BvOp::Smod,
    BvOp::Shl,
    BvOp::Lshr,
    BvOp::Ashr,
];

/// The seed of the terms.
const SEED: u64 = 7;

struct Generator<'a> {
    t: &'a Terms,
    random: Random,
}

impl Generator<'_> {
    fn below(&mut self, bound: u32) -> u32 {
        self.random.below(bound as usize) as u32
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        self.random.pick(list)
    }

    /// A number of at most `width` bits, often one at a border.
    fn number(&mut self, width: u32) -> BigInt {
        let value = match self.below(4) {
            0 => self.random.bits(),
            1 => self.random.below(70) as u64,
            2 => u64::MAX,
            _ => 1 << (width - 1),
        };
        BigInt::from(value & (u64::MAX >> (64 - width)))
    }

    fn word(&mut self, width: u32, depth: u32) -> Term {
        let t = self.t;
        if depth == 0 {
            let fitting: Vec<_> = VARIABLES.iter().filter(|v| v.2 == width).collect();
            if !fitting.is_empty() && self.below(3) > 0 {
                return t.var(self.pick(&fitting).1, t.bitvec_sort(width));
            }
            return t.bitvec(&self.number(width), width);
        }
        let depth = depth - 1;
        match self.below(20) {
            0 => t.bv(BvOp::Not, &[self.word(width, depth)]),
            1 => t.bv(BvOp::Neg, &[self.word(width, depth)]),
            2 => {
                let by = self.below(width + 1);
                t.bv(BvOp::RotateLeft(by), &[self.word(width, depth)])
            }
            3 => {
                let by = self.below(width + 1);
                t.bv(BvOp::RotateRight(by), &[self.word(width, depth)])
            }
            4 | 5 => {
                let from = self.pick(&WIDTHS).max(width);
                let lo = self.below(from - width + 1);
                let hi = lo + width - 1;
                t.bv(BvOp::Extract { hi, lo }, &[self.word(from, depth)])
            }
            6 if width > 1 => {
                let low = 1 + self.below(width - 1);
                let parts = [self.word(width - low, depth), self.word(low, depth)];
                t.bv(BvOp::Concat, &parts)
            }
            7 if width > 1 => {
                let by = 1 + self.below(width - 1);
                t.bv(BvOp::ZeroExtend(by), &[self.word(width - by, depth)])
            }
            8 if width > 1 => {
                let by = 1 + self.below(width - 1);
                t.bv(BvOp::SignExtend(by), &[self.word(width - by, depth)])
            }
            9 if width.is_multiple_of(3) => t.bv(BvOp::Repeat(3), &[self.word(width / 3, depth)]),
            10 => t.ite(
                self.formula(depth),
                self.word(width, depth),
                self.word(width, depth),
            ),
            11 if width < 33 => {
                let number = t.bv(BvOp::ToNat, &[self.word(width, depth)]);
                let number = t.sub(number, t.int(i64::from(self.below(1000))));
                t.bv(BvOp::FromInt(width), &[number])
            }
            12 if width == 1 => {
                let of = self.pick(&WIDTHS);
                t.bv(BvOp::Comp, &[self.word(of, depth), self.word(of, depth)])
            }
            _ => {
                let op = self.pick(&SAME_WIDTH);
                t.bv(op, &[self.word(width, depth), self.word(width, depth)])
            }
        }
    }

    fn formula(&mut self, depth: u32) -> Term {
        let t = self.t;
        let width = self.pick(&WIDTHS);
        let (a, b) = (self.word(width, depth), self.word(width, depth));
        let op = match self.below(6) {
            0 => BvOp::Ult,
            1 => BvOp::Ule,
            2 => BvOp::Slt,
            3 => BvOp::Sle,
            4 if width < 33 => {
                let by = t.int(i64::from(1 + self.below(9)));
                let [a, b] = [a, b].map(|x| t.sub(t.bv(BvOp::ToNat, &[x]), t.int(100)));
                return t.le(t.modulo(a, by), t.idiv(b, by));
            }
            _ => return t.eq(a, b),
        };
        t.bv(op, &[a, b])
    }
}

/// What a C program prints.
fn output_of(text: &str) -> Vec<u8> {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let (source, binary) = (directory.path().join("e.c"), directory.path().join("e"));
    std::fs::write(&source, text).expect("the directory can be written");
    let compiled = Command::new("cc")
        .args(["-w", "-o"])
        .args([&binary, &source])
        .output()
        .expect("the compiler was found");
    let message = String::from_utf8_lossy(&compiled.stderr).into_owned();
    assert!(compiled.status.success(), "no C: {message}");
    let output = Command::new(&binary).output().expect("it was compiled");
    output.stdout
}

#[test]
fn expressions_have_the_values_of_terms() {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    let t = Terms::new();
    let mut generator = Generator {
        t: &t,
        random: Random::new(SEED),
    };
    let mut evaluator = Evaluator::new(&t, Unspecified::Default);
    let (mut names, mut declared) = (FxHashMap::default(), String::new());
    for (kind, name, width) in VARIABLES {
        let value = generator.number(width);
        let var = t.var(name, t.bitvec_sort(width));
        evaluator.assign(
            var,
            t.ground_value(t.bitvec(&value, width)).expect("a constant"),
        );
        names.insert(var, name.to_owned());
        writeln!(declared, "{kind} {name} = ({kind}){value}ULL;").expect("memory suffices");
    }
    let (mut prints, mut expected, mut texts) = (String::new(), Vec::new(), Vec::new());
    let mut expressions = Expressions::new(&t, &names);
    for _ in 0..2_000 {
        let depth = 1 + generator.below(3);
        let formula = generator.formula(depth);
        let Some(text) = expressions.write(formula) else {
            panic!("C can say {}", t.display(formula));
        };
        writeln!(prints, "putchar('0' + ({text}));").expect("memory suffices");
        expected.push(match evaluator.eval(formula) {
            Ok(Value::Bool(value)) => value,
            other => panic!("{} is {other:?}", t.display(formula)),
        });
        texts.push(format!("{}\n{text}", t.display(formula)));
    }
    let text = format!("int putchar(int);\n{declared}int main(void) {{\n{prints}return 0;\n}}\n");
    let output = output_of(&text);
    assert_eq!(output.len(), expected.len());
    for ((found, expected), text) in output.iter().zip(&expected).zip(&texts) {
        assert_eq!(*found == b'1', *expected, "seed {SEED}: {declared}{text}");
    }
    let constants = expected.iter().filter(|value| **value).count();
    assert!(
        (200..1800).contains(&constants),
        "the values vary: {constants}"
    );
}
