//! Circuits and bounds against the arithmetic of the machine.

use super::*;
use crate::term::{BitVec, Evaluator, Terms, Unspecified, Value};
use num_bigint::BigInt;

/// Inputs of each operation. `FLOAT_ROUNDS` is another number; 100 000 were tried.
fn rounds() -> usize {
    let given = std::env::var("FLOAT_ROUNDS").ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(2_000)
}

const F32: IntType = IntType::float(32);
const F64: IntType = IntType::float(64);
const ONE: [FloatOp; 6] = [
    FloatOp::Root,
    FloatOp::Round(Rounding::Down),
    FloatOp::Round(Rounding::Up),
    FloatOp::Round(Rounding::ToZero),
    FloatOp::Round(Rounding::Nearest),
    FloatOp::Round(Rounding::ToEven),
];
const TWO: [FloatOp; 3] = [FloatOp::Add, FloatOp::Multiply, FloatOp::Divide];

/// Random patterns, the same in every run.
struct Random(fastrand::Rng);

impl Random {
    fn new(seed: u64) -> Self {
        Random(fastrand::Rng::with_seed(seed))
    }

    fn next(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// A pattern: special, near a special one, near a small integer, or any.
    fn pattern(&mut self, format: Format) -> u64 {
        let all = u64::MAX >> (64 - format.bits);
        let (precision, infinity) = (format.precision(), format.infinity() as u64);
        let sign = (self.next() & 1) << (format.bits - 1);
        let magnitude = match self.next() % 8 {
            0 => {
                let normal = 1 << (precision - 1);
                let special = [
                    0,
                    1,
                    normal,
                    infinity,
                    infinity - 1,
                    infinity + 1,
                    normal >> 1,
                ];
                let chosen = special[self.next() as usize % special.len()];
                chosen.wrapping_add(self.next() % 5).wrapping_sub(2)
            }
            1 | 2 => {
                let integer = i128::from(self.next() % 4096);
                let half = format.pattern(format.of_integer(integer));
                let by = (self.next() % 4) << (precision - 1);
                half.wrapping_sub(by).wrapping_add(self.next() % 3)
            }
            // Exponents near that of 1, so that sums cancel and halfway cases are frequent.
            3 | 4 => {
                let exponent = format.bias() as u64 + self.next() % 70 - 35;
                let ones = 1 << (self.next() % u64::from(precision - 1));
                (exponent << (precision - 1)) | (self.next() & (ones - 1)) | ones >> 1
            }
            5 => self.next() >> (65 - u64::from(precision)).max(1) >> (self.next() % 20),
            _ => self.next(),
        };
        (magnitude & (all >> 1)) | sign
    }
}

fn bit_vector(value: i128, width: u32) -> Value {
    Value::BitVec(BitVec::from_int(&BigInt::from(value), width))
}

/// A circuit over variables, which is evaluated on many inputs.
struct Bench<'t> {
    evaluated: crate::term::Term,
    operands: Vec<(crate::term::Term, IntType)>,
    t: &'t Terms,
    ty: IntType,
}

impl<'t> Bench<'t> {
    fn new(t: &'t Terms, op: FloatOp, from: &[IntType], ty: IntType) -> Self {
        let variable = |(at, &own): (usize, &IntType)| {
            let name = format!("{op:?}{at}.{}.{}", own.bits, own.signed);
            (t.var(&name, t.bitvec_sort(own.bits)), own)
        };
        let operands: Vec<_> = from.iter().enumerate().map(variable).collect();
        let format = Format::of(if op == FloatOp::ToInt { from[0] } else { ty });
        let circuit = Circuit::new(t, format);
        let patterns: Vec<_> = operands.iter().map(|(var, _)| *var).collect();
        let result = circuit
            .result(op, &patterns, from[0], ty)
            .expect("a circuit");
        let evaluated = match ty.float {
            true => circuit.flipped(result),
            false => result,
        };
        Bench {
            evaluated,
            operands,
            t,
            ty,
        }
    }

    /// The key, or the integer, for operands as patterns or integers.
    fn value(&self, given: &[i128]) -> i128 {
        let known = self.operands.iter().zip(given);
        let known = known.map(|(&(var, ty), &value)| (var, bit_vector(value, ty.bits)));
        let mut evaluator = Evaluator::with(self.t, Unspecified::Refuse, known);
        let Ok(Value::BitVec(found)) = evaluator.eval(self.evaluated) else {
            panic!("a circuit has a value")
        };
        let found = if self.ty.signed {
            found.signed()
        } else {
            BigInt::from(found.unsigned().clone())
        };
        i128::try_from(&found).expect("64 bits")
    }
}

/// As [`fold`], with the operands as patterns or integers.
fn expected(op: FloatOp, ty: IntType, given: &[(i128, IntType)]) -> Option<i128> {
    let keys = given.iter().map(|&(value, own)| match own.float {
        true => (Format::of(own).key(value as u64), own),
        false => (value, own),
    });
    fold(op, ty, &keys.collect::<Vec<_>>())
}

fn agree(random: &mut Random, op: FloatOp, from: &[IntType], ty: IntType, rounds: usize) {
    let terms = Terms::new();
    let bench = Bench::new(&terms, op, from, ty);
    for _ in 0..rounds {
        let given = from.iter().map(|&own| match own.float {
            true => i128::from(random.pattern(Format::of(own))),
            false => {
                let by = random.next() % u64::from(own.bits);
                own.wrap(i128::from(random.next() >> by))
            }
        });
        let given: Vec<i128> = given.collect();
        let typed: Vec<_> = given.iter().copied().zip(from.iter().copied()).collect();
        if let Some(expected) = expected(op, ty, &typed) {
            assert_eq!(bench.value(&given), expected, "{op:?} {ty:?} {typed:x?}");
        }
    }
}

#[test]
fn circuits_of_two_numbers_are_the_machine() {
    let mut random = Random::new(1);
    for op in TWO {
        agree(&mut random, op, &[F32, F32], F32, rounds());
        agree(&mut random, op, &[F64, F64], F64, rounds());
    }
}

#[test]
fn circuits_of_one_number_are_the_machine() {
    let mut random = Random::new(2);
    for op in ONE {
        agree(&mut random, op, &[F32], F32, rounds());
        agree(&mut random, op, &[F64], F64, rounds());
    }
}

#[test]
fn conversions_are_the_machine() {
    let mut random = Random::new(3);
    agree(&mut random, FloatOp::Resize, &[F32], F64, rounds());
    agree(&mut random, FloatOp::Resize, &[F64], F32, rounds());
    for float in [F32, F64] {
        for bits in [8, 16, 32, 64] {
            for signed in [false, true] {
                let int = IntType::new(bits, signed);
                agree(&mut random, FloatOp::FromInt, &[int], float, rounds());
                agree(&mut random, FloatOp::ToInt, &[float], int, rounds());
            }
        }
    }
}

#[test]
fn keys_are_in_order() {
    let mut random = Random::new(4);
    for format in [Format { bits: 32 }, Format { bits: 64 }] {
        for _ in 0..rounds() {
            let (a, b) = (random.pattern(format), random.pattern(format));
            let (x, y) = (format.key(a), format.key(b));
            assert_eq!([format.pattern(x), format.pattern(y)], [a, b]);
            let (p, q) = (format.number(x), format.number(y));
            assert_eq!(p.total_cmp(&q), x.cmp(&y), "{a:x} {b:x}");
            assert_eq!(format.is_nan(x), p.is_nan());
            let text = format.text(x);
            let (read, pattern) = pattern_of_text(&text).expect("a number");
            assert_eq!(read, format, "{text}");
            assert!(p.is_nan() || pattern == a, "{text}");
        }
    }
}

#[test]
fn results_are_in_bounds() {
    let mut random = Random::new(5);
    for round in 0..rounds() {
        let ty = if round % 2 == 0 { F32 } else { F64 };
        let format = Format::of(ty);
        let range = |random: &mut Random| {
            let ends = [random.pattern(format), random.pattern(format)];
            let mut ends = ends.map(|end| format.key(end));
            ends.sort_unstable();
            (ends[0], ends[1])
        };
        let within = |random: &mut Random, (low, high): (i128, i128)| {
            let inner = format.key(random.pattern(format)).clamp(low, high);
            [low, high, inner][random.next() as usize % 3]
        };
        let (a, b) = (range(&mut random), range(&mut random));
        let (x, y) = (within(&mut random, a), within(&mut random, b));
        for op in TWO
            .into_iter()
            .chain(ONE)
            .chain([FloatOp::Absolute, FloatOp::Negate])
        {
            let count = if TWO.contains(&op) { 2 } else { 1 };
            let given = [(x, ty), (y, ty)];
            let ranges = [(a, ty), (b, ty)];
            let result = fold(op, ty, &given[..count]).expect("a result");
            let (low, high) = bounds(op, ty, &ranges[..count]);
            assert!(
                (low..=high).contains(&result),
                "{op:?} of {given:x?} in {ranges:x?}: {result:x}"
            );
        }
        let int = IntType::new([8, 16, 32, 64][round / 2 % 4], round % 3 == 0);
        if let Some(result) = fold(FloatOp::ToInt, int, &[(x, ty)]) {
            let (low, high) = bounds(FloatOp::ToInt, int, &[(a, ty)]);
            assert!((low..=high).contains(&result), "{x:x} in {a:x?}: {result}");
        }
    }
}

#[test]
fn constants_of_long_double_are_rounded_twice() {
    let double = Format { bits: 64 };
    for (text, expected) in [
        ("2.22044604925031308084726333618164062e-16", f64::EPSILON),
        ("1.79769313486231570814527423731704357e+308", f64::MAX),
        (
            "2.22507385850720138309023271733240406e-308",
            f64::MIN_POSITIVE,
        ),
        ("4.94065645841246544176568792868221372e-324", 5e-324),
        ("0.0", 0.0),
        ("1e4000", f64::INFINITY),
        ("1e-4000", 0.0),
        ("0.1", 0.1),
        // Rounded at once, it would be the next number: half a unit, and a little more.
        ("1.000000000000000111022302462515654240", 1.0),
    ] {
        let expected = double.key(expected.to_bits());
        assert_eq!(extended(text, false, double), Some(expected), "{text}");
    }
    let single = Format { bits: 32 };
    let largest = single.key(u64::from(f32::MAX.to_bits()));
    assert_eq!(extended("1.fffffep127", true, single), Some(largest));
}

#[test]
fn hexadecimal_constants_are_rounded() {
    let double = Format { bits: 64 };
    for (text, expected) in [
        ("1p0", 1.0),
        ("1.8p1", 3.0),
        (".1p-4", 0.003_906_25),
        ("1.fffffffffffff8p0", 2.0),
        ("1.fffffffffffff7p0", 1.999_999_999_999_999_8),
        ("1.00000000000008p0", 1.0),
        (
            "1.000000000000080000000000000000000000001p0",
            1.000_000_000_000_000_2,
        ),
        ("1p-1074", 5e-324),
        ("1p-1075", 0.0),
        ("1.8p-1075", 5e-324),
        ("1p1024", f64::INFINITY),
        ("1.fffffffffffff8p1023", f64::INFINITY),
        ("0p5", 0.0),
    ] {
        let expected = double.key(expected.to_bits());
        assert_eq!(hexadecimal(text, double), Some(expected), "{text}");
    }
    let single = Format { bits: 32 };
    for (text, expected) in [("1.fffffep127", f32::MAX), ("1p-149", f32::from_bits(1))] {
        let expected = single.key(u64::from(expected.to_bits()));
        assert_eq!(hexadecimal(text, single), Some(expected), "{text}");
    }
}
