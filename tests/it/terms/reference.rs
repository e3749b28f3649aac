//! The meaning of texts by a direct evaluation of the tree, as plainly as it can be written: what
//! builders and evaluator are tested against. It shares no code with them.

use super::text::Text;
use horn::term::{Terms, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Euclid, Signed, ToPrimitive, Zero};
use std::collections::{BTreeMap, HashMap};

/// A value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Meaning {
    Bool(bool),
    Number(BigRational),
    /// Width and bits.
    Bits(u32, u64),
    /// Default and entries, which may repeat the default.
    Array(Box<Meaning>, BTreeMap<Meaning, Meaning>),
    Data(String, Vec<Meaning>),
    Element(u64),
}

use Meaning::{Array, Bits, Bool, Data, Element, Number};

/// Evaluation under an assignment of the variables.
pub(crate) struct Reference {
    pub(crate) assignment: HashMap<String, Meaning>,
    /// Have unspecified results no meaning, rather than the default one?
    pub(crate) refuse: bool,
}

fn int(value: impl Into<BigInt>) -> Meaning {
    Number(BigRational::from_integer(value.into()))
}

fn truth(meaning: &Meaning) -> bool {
    matches!(meaning, Bool(true))
}

fn num(meaning: &Meaning) -> BigRational {
    match meaning {
        Number(value) => value.clone(),
        _ => panic!("{meaning:?} is no number"),
    }
}

fn mask(width: u32, bits: u64) -> Meaning {
    Bits(width, bits & ((1 << width) - 1))
}

fn wrap(width: u32, value: i64) -> Meaning {
    mask(width, value.rem_euclid(1 << width).unsigned_abs())
}

impl Reference {
    /// The meaning of a text; `None` where it depends on what SMT-LIB leaves open and that is
    /// refused.
    pub(crate) fn eval(&self, text: &Text) -> Option<Meaning> {
        match text.list() {
            [] => Some(self.leaf(text.name())),
            [head, args @ ..] if head.name() == "and" => self.junction(args, false),
            [head, args @ ..] if head.name() == "or" => self.junction(args, true),
            [head, x, y] if head.name() == "=>" => {
                let premise = self.eval(x).map(|f| Bool(!truth(&f)));
                decide([premise, self.eval(y)], true)
            }
            [head, c, x, y] if head.name() == "ite" => match self.eval(c) {
                Some(c) => self.eval(if truth(&c) { x } else { y }),
                None => {
                    let (x, y) = (self.eval(x)?, self.eval(y)?);
                    (x == y).then_some(x)
                }
            },
            [head, args @ ..] => {
                let args: Vec<Meaning> = args
                    .iter()
                    .map(|arg| self.eval(arg))
                    .collect::<Option<_>>()?;
                match head.list() {
                    [] => self.apply(head.name(), &args),
                    head => Some(apply_indexed(head, &args)),
                }
            }
        }
    }

    fn junction(&self, args: &[Text], decisive: bool) -> Option<Meaning> {
        decide(args.iter().map(|arg| self.eval(arg)), decisive)
    }

    fn leaf(&self, name: &str) -> Meaning {
        if let Some(value) = self.assignment.get(name) {
            return value.clone();
        }
        match name.as_bytes() {
            b"true" => Bool(true),
            b"false" => Bool(false),
            [b'#', b'x', digits @ ..] => {
                let digits = std::str::from_utf8(digits).expect("ASCII");
                let width = 4 * u32::try_from(digits.len()).expect("short");
                Bits(width, u64::from_str_radix(digits, 16).expect("digits"))
            }
            [b'0'..=b'9', ..] => match name.split_once('.') {
                None => int(name.parse::<BigInt>().expect("digits")),
                Some((whole, places)) => {
                    let digits: BigInt = format!("{whole}{places}").parse().expect("digits");
                    let power = u32::try_from(places.len()).expect("short");
                    Number(BigRational::new(digits, BigInt::from(10).pow(power)))
                }
            },
            _ => match name.strip_prefix("U!val!") {
                Some(index) => Element(index.parse().expect("a number")),
                None => Data(name.to_owned(), vec![]),
            },
        }
    }

    fn apply(&self, name: &str, args: &[Meaning]) -> Option<Meaning> {
        if let [Bits(width, x), rest @ ..] = args
            && (name.starts_with("bv") || name == "concat")
        {
            let rest: Vec<u64> = rest
                .iter()
                .map(|y| if let Bits(_, y) = y { *y } else { 0 })
                .collect();
            return Some(apply_bits(name, *width, *x, &rest, args));
        }
        let pairs = |test: &dyn Fn(&Meaning, &Meaning) -> bool| {
            Some(Bool(args.windows(2).all(|pair| test(&pair[0], &pair[1]))))
        };
        let open = |default: Meaning| (!self.refuse).then_some(default);
        Some(match (name, args) {
            ("not", [x]) => Bool(!truth(x)),
            ("xor", [x, y]) => Bool(x != y),
            ("=", _) => return pairs(&|x, y| same(x, y)),
            ("distinct", _) => {
                let equal = (0..args.len()).any(|i| (0..i).any(|j| same(&args[i], &args[j])));
                Bool(!equal)
            }
            ("<=", _) => return pairs(&|x, y| num(x) <= num(y)),
            ("<", _) => return pairs(&|x, y| num(x) < num(y)),
            (">=", _) => return pairs(&|x, y| num(x) >= num(y)),
            (">", _) => return pairs(&|x, y| num(x) > num(y)),
            ("+", _) => Number(args.iter().map(num).sum()),
            ("-", [x]) => Number(-num(x)),
            ("-", [x, y]) => Number(num(x) - num(y)),
            ("*", _) => Number(args.iter().map(num).product()),
            ("/" | "div", [_, y]) if num(y).is_zero() => return open(int(0)),
            ("mod", [x, y]) if num(y).is_zero() => return open(x.clone()),
            ("/", [x, y]) => Number(num(x) / num(y)),
            ("div", [x, y]) => int(num(x).to_integer().div_euclid(&num(y).to_integer())),
            ("mod", [x, y]) => int(num(x).to_integer().rem_euclid(&num(y).to_integer())),
            ("abs", [x]) => Number(num(x).abs()),
            ("to_real", [x]) => x.clone(),
            ("to_int", [x]) => Number(num(x).floor()),
            ("is_int", [x]) => Bool(num(x).is_integer()),
            ("select", [Array(default, entries), i]) => entries.get(i).unwrap_or(default).clone(),
            ("store", [Array(default, entries), i, x]) => {
                let mut entries = entries.clone();
                entries.insert(i.clone(), x.clone());
                Array(default.clone(), entries)
            }
            ("head" | "tail", [Data(ctor, _)]) if ctor == "nil" => {
                return open(if name == "head" {
                    int(0)
                } else {
                    Data("nil".to_owned(), vec![])
                });
            }
            ("head", [Data(_, fields)]) => fields[0].clone(),
            ("tail", [Data(_, fields)]) => fields[1].clone(),
            ("cons", _) => Data(name.to_owned(), args.to_vec()),
            _ => panic!("no meaning of ({name} {args:?})"),
        })
    }
}

/// The connective of which `decisive` is the deciding truth value, in three-valued logic.
fn decide(args: impl IntoIterator<Item = Option<Meaning>>, decisive: bool) -> Option<Meaning> {
    let args: Vec<Option<Meaning>> = args.into_iter().collect();
    if args.contains(&Some(Bool(decisive))) {
        return Some(Bool(decisive));
    }
    args.iter().all(Option::is_some).then_some(Bool(!decisive))
}

/// Equality; of arrays, whose index sorts are `Int` and `Bool` here, at every index.
fn same(x: &Meaning, y: &Meaning) -> bool {
    match (x, y) {
        (Array(d, e), Array(d2, e2)) => {
            let mut indices: Vec<&Meaning> = e.keys().chain(e2.keys()).collect();
            let (no, yes) = (Bool(false), Bool(true));
            let finite = indices.iter().any(|i| matches!(i, Bool(_)));
            if finite {
                indices.extend([&no, &yes]);
            }
            // Without entries only the defaults are left, whatever the index sort is.
            (finite || same(d, d2))
                && indices
                    .iter()
                    .all(|i| same(e.get(i).unwrap_or(d), e2.get(i).unwrap_or(d2)))
        }
        (Data(c, fields), Data(c2, fields2)) => {
            c == c2 && fields.iter().zip(fields2).all(|(x, y)| same(x, y))
        }
        _ => x == y,
    }
}

fn apply_bits(name: &str, width: u32, x: u64, rest: &[u64], args: &[Meaning]) -> Meaning {
    let signed = |bits: u64| {
        let bits = bits.to_i64().expect("few bits");
        if bits >> (width - 1) == 1 {
            bits - (1 << width)
        } else {
            bits
        }
    };
    let y = rest.last().copied().unwrap_or(0);
    let (sx, sy) = (signed(x), signed(y));
    let shift = y.min(u64::from(width));
    let fold = |f: fn(u64, u64) -> u64| mask(width, rest.iter().fold(x, |a, &b| f(a, b)));
    match name {
        "bvnot" => mask(width, !x),
        "bvand" => fold(|a, b| a & b),
        "bvor" => fold(|a, b| a | b),
        "bvxor" => fold(|a, b| a ^ b),
        "bvneg" => wrap(width, -sx),
        "bvadd" => fold(u64::wrapping_add),
        "bvmul" => fold(u64::wrapping_mul),
        "bvudiv" => mask(width, x.checked_div(y).unwrap_or(u64::MAX)),
        "bvurem" => mask(width, x.checked_rem(y).unwrap_or(x)),
        "bvsdiv" if y == 0 => wrap(width, if sx < 0 { 1 } else { -1 }),
        "bvsdiv" => wrap(width, sx / sy),
        "bvsrem" => wrap(width, sx.checked_rem(sy).unwrap_or(sx)),
        "bvsmod" if y == 0 => mask(width, x),
        "bvsmod" => wrap(width, sx.mod_floor(&sy)),
        "bvshl" => mask(width, x << shift),
        "bvlshr" => mask(width, x >> shift),
        "bvashr" => wrap(width, sx >> shift),
        "bvult" => Bool(x < y),
        "bvule" => Bool(x <= y),
        "bvslt" => Bool(sx < sy),
        "bvsle" => Bool(sx <= sy),
        "bvcomp" => Bits(1, u64::from(x == y)),
        "bv2nat" => int(x),
        "concat" => match args[1] {
            Bits(low, y) => Bits(width + low, (x << low) | y),
            _ => panic!("concat joins vectors"),
        },
        _ => panic!("no meaning of {name}"),
    }
}

/// `((_ name …) x)`, `((as const sort) x)`.
fn apply_indexed(head: &[Text], args: &[Meaning]) -> Meaning {
    let n = |i: usize| -> u32 { head[i].name().parse().expect("a number") };
    let name = head[1].name();
    match &args[0] {
        value if name == "const" => Array(Box::new(value.clone()), BTreeMap::new()),
        Data(ctor, _) => Bool(ctor == head[2].name()),
        Number(x) if name == "int2bv" => {
            let residue = x.to_integer().mod_floor(&(BigInt::from(1) << n(2)));
            Bits(n(2), residue.to_u64().expect("few bits"))
        }
        Number(x) => Bool((x / BigRational::from_integer(n(2).into())).is_integer()),
        &Bits(width, x) => match name {
            "extract" => mask(n(2) - n(3) + 1, x >> n(3)),
            "zero_extend" => Bits(width + n(2), x),
            "sign_extend" if x >> (width - 1) == 1 => mask(width + n(2), x | (u64::MAX << width)),
            "sign_extend" => Bits(width + n(2), x),
            "rotate_left" => (0..n(2)).fold(Bits(width, x), |bits, _| match bits {
                Bits(width, x) => mask(width, (x << 1) | (x >> (width - 1))),
                _ => bits,
            }),
            "rotate_right" => (0..n(2)).fold(Bits(width, x), |bits, _| match bits {
                Bits(width, x) => mask(width, (x >> 1) | (x << (width - 1))),
                _ => bits,
            }),
            "repeat" => (1..n(2)).fold(Bits(width, x), |bits, _| match bits {
                Bits(more, high) => Bits(more + width, (high << width) | x),
                _ => bits,
            }),
            _ => panic!("no meaning of {name}"),
        },
        other => panic!("no meaning of {head:?} {other:?}"),
    }
}

/// Is this what the value means?
pub(crate) fn means(t: &Terms, value: &Value, meaning: &Meaning) -> bool {
    match (value, meaning) {
        (Value::Bool(x), Bool(y)) => x == y,
        (Value::Number(x), Number(y)) => BigRational::from(x) == *y,
        (Value::BitVec(x), Bits(width, y)) => x.width() == *width && *x.unsigned() == (*y).into(),
        (Value::Element { index, .. }, Element(i)) => index == i,
        (Value::Datatype(x), Data(ctor, fields)) => {
            t.name(t.ctor(x.ctor()).name) == ctor
                && x.fields().len() == fields.len()
                && x.fields().iter().zip(fields).all(|(x, y)| means(t, x, y))
        }
        (Value::Array(_), Array(..)) => same(&array_meaning(value), meaning),
        _ => false,
    }
}

/// The meaning of an array of numbers.
fn array_meaning(value: &Value) -> Meaning {
    match value {
        Value::Bool(x) => Bool(*x),
        Value::Number(x) => Number(BigRational::from(x)),
        Value::Array(array) => {
            let entries = array
                .entries()
                .map(|(i, x)| (array_meaning(i), array_meaning(x)));
            Array(
                Box::new(array_meaning(array.default_element())),
                entries.collect(),
            )
        }
        _ => panic!("{value:?} is no array of numbers"),
    }
}
