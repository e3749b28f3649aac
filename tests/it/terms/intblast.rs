//! Int-blasting against evaluation: random terms of small widths, for all values of their
//! variables.

use fastrand::Rng;
use horn::number::Rational;
use horn::term::intblast::{Integers, Signedness, Words};
use horn::term::{BitVec, BvOp, Evaluator, Op, Sort, Term, Terms, Unspecified, Value};
use num_bigint::BigInt;

const BOTH: [Signedness; 2] = [Signedness::Signed, Signedness::Unsigned];

/// The integer that a vector is read as where this is the usual reading.
fn read(vector: &BitVec, usual: Signedness) -> Value {
    Value::from(match usual.of_width(vector.width()) {
        Signedness::Signed => Rational::from(vector.signed()),
        Signedness::Unsigned => vector.to_nat(),
    })
}

/// Two variables of small widths and random terms over them.
struct Examples<'t> {
    t: &'t Terms,
    random: Rng,
    vars: [Term; 2],
    widths: [u32; 2],
}

impl<'t> Examples<'t> {
    fn new(t: &'t Terms, seed: u64) -> Self {
        let mut random = Rng::with_seed(seed);
        let widths = [random.u32(1..=4), random.u32(1..=4)];
        let var = |name: &str, width| t.var(&format!("{name}{width}"), t.bitvec_sort(width));
        Examples {
            t,
            random,
            vars: [var("x", widths[0]), var("y", widths[1])],
            widths,
        }
    }

    /// All values of the two variables.
    fn values(&self) -> impl Iterator<Item = [BitVec; 2]> + use<> {
        let [m, n] = self.widths;
        let all = |width: u32| (0..1 << width).map(move |i: u32| BitVec::new(i.into(), width));
        all(m).flat_map(move |x| all(n).map(move |y| [x.clone(), y]))
    }

    fn literal(&mut self, width: u32) -> Term {
        let value = BigInt::from(self.random.u32(0..1 << width.min(16)));
        self.t.bitvec(&value, width)
    }

    /// A word of that width, whose operators are translated.
    fn word(&mut self, width: u32, depth: u32) -> Term {
        let t = self.t;
        if depth == 0 || self.random.u32(0..6) == 0 {
            let at = self.random.usize(0..2);
            let own = self.widths[at];
            return match self.random.bool() {
                true if own == width => self.vars[at],
                true if own > width => t.bv(
                    BvOp::Extract {
                        hi: width - 1,
                        lo: 0,
                    },
                    &[self.vars[at]],
                ),
                true => t.bv(BvOp::SignExtend(width - own), &[self.vars[at]]),
                false => self.literal(width),
            };
        }
        let depth = depth - 1;
        match self.random.u32(0..17) {
            0 | 1 => {
                let args = [self.word(width, depth), self.word(width, depth)];
                t.bv(BvOp::Add, &args)
            }
            2 => t.bv(BvOp::Neg, &[self.word(width, depth)]),
            3 => t.bv(BvOp::Not, &[self.word(width, depth)]),
            4..=6 => {
                let ops = [
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
                let op = ops[self.random.usize(0..ops.len())];
                let args = [self.word(width, depth), self.literal(width)];
                t.bv(op, &args)
            }
            7 => {
                let op = [BvOp::And, BvOp::Or, BvOp::Xor][self.random.usize(0..3)];
                let other = match width {
                    1 => self.word(1, depth),
                    _ => self.literal(width),
                };
                let args = [self.word(width, depth), other];
                t.bv(op, &args)
            }
            8 if width > 1 => {
                let low = self.random.u32(1..width);
                let args = [self.word(width - low, depth), self.word(low, depth)];
                t.bv(BvOp::Concat, &args)
            }
            9 => {
                let (lo, more) = (self.random.u32(0..3), self.random.u32(0..2));
                let whole = self.word(width + lo + more, depth);
                let hi = lo + width - 1;
                t.bv(BvOp::Extract { hi, lo }, &[whole])
            }
            10 if width > 1 => {
                let more = self.random.u32(1..width);
                let part = self.word(width - more, depth);
                match self.random.bool() {
                    true => t.bv(BvOp::ZeroExtend(more), &[part]),
                    false => t.bv(BvOp::SignExtend(more), &[part]),
                }
            }
            11 => {
                let places = self.random.u32(0..6);
                let word = self.word(width, depth);
                match self.random.bool() {
                    true => t.bv(BvOp::RotateLeft(places), &[word]),
                    false => t.bv(BvOp::RotateRight(places), &[word]),
                }
            }
            12 if width.is_multiple_of(2) => {
                let half = self.word(width / 2, depth);
                t.bv(BvOp::Repeat(2), &[half])
            }
            13 if width == 1 => {
                let args = [self.word(3, depth), self.word(3, depth)];
                t.bv(BvOp::Comp, &args)
            }
            14 => {
                let number = t.bv(BvOp::ToNat, &[self.word(3, depth)]);
                let shifted = t.sub(number, t.int(self.random.i64(0..20)));
                t.bv(BvOp::FromInt(width), &[shifted])
            }
            _ => {
                let cond = self.formula(depth);
                t.ite(cond, self.word(width, depth), self.word(width, depth))
            }
        }
    }

    /// A formula over words.
    fn formula(&mut self, depth: u32) -> Term {
        let t = self.t;
        let width = self.random.u32(1..6);
        let args = [self.word(width, depth), self.word(width, depth)];
        match self.random.u32(0..6) {
            0 => t.eq(args[0], args[1]),
            1 => t.bv(BvOp::Ult, &args),
            2 => t.bv(BvOp::Ule, &args),
            3 => t.bv(BvOp::Slt, &args),
            4 => t.bv(BvOp::Sle, &args),
            _ => t.lt(t.bv(BvOp::ToNat, &[args[0]]), t.bv(BvOp::ToNat, &[args[1]])),
        }
    }

    /// An integer computed from two integers by operators that are translated.
    fn integer(&mut self, vars: [Term; 2], depth: u32) -> Term {
        let t = self.t;
        if depth == 0 {
            return match self.random.u32(0..3) {
                0 => t.int(self.random.i64(-20..20)),
                _ => vars[self.random.usize(0..2)],
            };
        }
        let (x, y) = (self.integer(vars, depth - 1), self.integer(vars, depth - 1));
        let divisor = t.int([-5, -2, -1, 1, 3, 4][self.random.usize(0..6)]);
        match self.random.u32(0..7) {
            0 => t.add([x, y]),
            1 => t.sub(x, y),
            2 => t.mul([x, divisor]),
            3 => t.idiv(x, divisor),
            4 => t.modulo(x, divisor),
            5 => t.abs(x),
            _ => t.ite(t.lt(x, y), x, y),
        }
    }
}

/// The value of a term for these values of variables.
#[track_caller]
fn value(t: &Terms, values: &[(Term, Value)], term: Term) -> Value {
    let mut evaluator = Evaluator::new(t, Unspecified::Refuse);
    for (var, value) in values {
        evaluator.assign(*var, value.clone());
    }
    let value = evaluator.eval(term);
    value.unwrap_or_else(|why| panic!("{}: {why}", t.display(term)))
}

#[test]
fn bit_vectors_keep_their_values_as_integers() {
    let mut operators = std::collections::HashSet::new();
    for seed in 0..600 {
        let t = Terms::new();
        let mut examples = Examples::new(&t, seed);
        let width = examples.random.u32(1..6);
        let terms = [examples.word(width, 3), examples.formula(3)];
        operators.extend(t.post_order(terms).filter_map(|term| match t.op(term) {
            Op::Bv(op) => Some(std::mem::discriminant(&op)),
            _ => None,
        }));
        for signedness in BOTH {
            let mut integers = Integers::new(&t, signedness);
            let translated = terms.map(|term| {
                let translation = integers.translate(term);
                translation.unwrap_or_else(|| panic!("{} is not translated", t.display(term)))
            });
            let vars = examples.vars;
            let places = vars.map(|var| integers.variable(var));
            let ranges = vars.map(|var| integers.in_range(var));
            for words in examples.values() {
                let numbers = words.each_ref().map(|word| read(word, signedness));
                let before: Vec<(Term, Value)> =
                    std::iter::zip(vars, words.map(Value::from)).collect();
                let after: Vec<(Term, Value)> = std::iter::zip(places, numbers).collect();
                let expected = value(&t, &before, terms[0]);
                let expected = expected.as_bitvec().expect("it is a word");
                let about = || format!("{before:?}: {}", t.display(terms[0]));
                let found = value(&t, &after, translated[0]);
                assert_eq!(found, read(expected, signedness), "{}", about());
                let expected = value(&t, &before, terms[1]);
                let about = || format!("{before:?}: {}", t.display(terms[1]));
                assert_eq!(value(&t, &after, translated[1]), expected, "{}", about());
                for range in ranges {
                    assert_eq!(value(&t, &after, range), Value::from(true));
                }
            }
        }
    }
    // No operator that is translated is forgotten.
    assert_eq!(operators.len(), 29);
}

#[test]
fn integers_keep_their_values_as_bit_vectors() {
    for seed in 0..600 {
        let t = Terms::new();
        let mut examples = Examples::new(&t, seed);
        let vars = [t.var("i", Sort::INT), t.var("j", Sort::INT)];
        let (x, y) = (examples.integer(vars, 3), examples.integer(vars, 3));
        let formula = match seed % 3 {
            0 => t.le(x, y),
            1 => t.lt(x, y),
            _ => t.eq(x, y),
        };
        for signedness in BOTH {
            let mut words = Words::new(&t);
            for (at, var) in vars.into_iter().enumerate() {
                let reading = signedness.of_width(examples.widths[at]);
                words.define(var, examples.vars[at], reading);
            }
            let Some(translated) = words.translate(formula) else {
                panic!("{} is not translated", t.display(formula))
            };
            assert!(
                t.post_order([translated])
                    .all(|term| t.sort_of(term) != Sort::INT)
            );
            for values in examples.values() {
                let numbers = values.each_ref().map(|word| read(word, signedness));
                let before: Vec<(Term, Value)> = std::iter::zip(vars, numbers).collect();
                let after: Vec<(Term, Value)> =
                    std::iter::zip(examples.vars, values.map(Value::from)).collect();
                let expected = value(&t, &before, formula);
                let about = || format!("{before:?}: {}", t.display(formula));
                assert_eq!(value(&t, &after, translated), expected, "{}", about());
            }
        }
    }
}

#[test]
fn what_works_bit_by_bit_is_not_translated() {
    let t = Terms::new();
    let byte = t.bitvec_sort(8);
    let (x, y) = (t.var("x", byte), t.var("y", byte));
    for op in [BvOp::And, BvOp::Xor, BvOp::Mul, BvOp::Udiv, BvOp::Shl] {
        let mut integers = Integers::new(&t, Signedness::Unsigned);
        assert_eq!(integers.translate(t.bv(op, &[x, y])), None, "{op:?}");
    }
    let array = t.var("a", t.array_sort(byte, Sort::BOOL));
    let mut integers = Integers::new(&t, Signedness::Unsigned);
    assert_eq!(integers.translate(t.select(array, x)), None);
}
