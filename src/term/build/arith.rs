//! Builders of integer and real arithmetic.

use crate::number::Rational;
use crate::term::{Op, Sort, Term, Terms};
use crate::work;
use smallvec::SmallVec;

/// Products of constants are computed up to this size: repeated squaring must not fill the memory.
const PRODUCT_BITS: u64 = 1 << 16;

impl Terms {
    /// The numeral of sort `Int` (then `value` must be integral) or `Real`.
    pub fn number(&self, value: Rational, sort: Sort) -> Term {
        debug_assert!(sort.is_arith() && (sort == Sort::REAL || value.is_integer()));
        self.make(Op::Number(self.number_id(value)), sort, &[])
    }

    /// An integer numeral.
    pub fn int(&self, value: i64) -> Term {
        self.number(Rational::from(value), Sort::INT)
    }

    /// A real numeral.
    pub fn real(&self, value: Rational) -> Term {
        self.number(value, Sort::REAL)
    }

    /// Sum of at least one term, all `Int` or all `Real`.
    pub fn add(&self, terms: impl IntoIterator<Item = Term>) -> Term {
        let mut args: SmallVec<[Term; 8]> = SmallVec::new();
        let mut constant = Folded::Nothing;
        let mut sort = None;
        for x in terms {
            debug_assert!(sort.is_none_or(|s| s == self.sort_of(x)));
            sort = Some(self.sort_of(x));
            let parts = self.parts(Op::Add, &x);
            for &part in parts {
                match self.as_number(part) {
                    Some(value) => constant.fold(self, part, |sum| sum + value),
                    None => args.push(part),
                }
            }
        }
        let sort = sort.expect("a sum has a term");
        let zero = |folded: &Folded| folded.value(self).is_none_or(Rational::is_zero);
        if !zero(&constant) || args.is_empty() {
            args.push(constant.term(self, sort));
        }
        match *args {
            [x] => x,
            _ => self.make(Op::Add, sort, &args),
        }
    }

    /// Product of at least one term, all `Int` or all `Real`.
    pub fn mul(&self, terms: impl IntoIterator<Item = Term>) -> Term {
        let mut args: SmallVec<[Term; 4]> = SmallVec::new();
        let mut constant = Folded::Nothing;
        let mut sort = None;
        for x in terms {
            debug_assert!(sort.is_none_or(|s| s == self.sort_of(x)));
            sort = Some(self.sort_of(x));
            let parts = self.parts(Op::Mul, &x);
            for &part in parts {
                let bits = constant.value(self).map_or(2, Rational::bit_length);
                match self.as_number(part) {
                    Some(value) if bits + value.bit_length() <= PRODUCT_BITS => {
                        constant.fold(self, part, |product| product * value);
                    }
                    _ => args.push(part),
                }
            }
        }
        let sort = sort.expect("a product has a factor");
        let factor = constant.value(self);
        if factor.is_some_and(Rational::is_zero) || args.is_empty() {
            return constant.term(self, sort);
        }
        if factor.is_some_and(|factor| !factor.is_one()) {
            args.insert(0, constant.term(self, sort));
        }
        match *args {
            [x] => x,
            _ => self.make(Op::Mul, sort, &args),
        }
    }

    /// `factor * x`; for an integer `x` the factor must be integral.
    pub fn scale(&self, factor: Rational, x: Term) -> Term {
        self.mul([self.number(factor, self.sort_of(x)), x])
    }

    /// `-x`.
    pub fn neg(&self, x: Term) -> Term {
        self.scale(Rational::from(-1), x)
    }

    /// `x - y`.
    pub fn sub(&self, x: Term, y: Term) -> Term {
        self.add([x, self.neg(y)])
    }

    /// Real division. By a constant other than 0 it is a multiplication.
    pub fn div(&self, x: Term, y: Term) -> Term {
        match self.as_number(y) {
            Some(value) if !value.is_zero() => self.scale(value.recip(), x),
            _ => self.make(Op::Div, Sort::REAL, &[x, y]),
        }
    }

    /// Integer division, see [`Op::IDiv`].
    pub fn idiv(&self, x: Term, y: Term) -> Term {
        match (self.as_number(x), self.as_number(y)) {
            (_, Some(b)) if b.is_one() => x,
            (Some(a), Some(b)) if !b.is_zero() => self.number(a.div_euclid(b), Sort::INT),
            _ => self.make(Op::IDiv, Sort::INT, &[x, y]),
        }
    }

    /// Remainder of integer division, see [`Op::Mod`].
    pub fn modulo(&self, x: Term, y: Term) -> Term {
        match (self.as_number(x), self.as_number(y)) {
            (_, Some(b)) if b.abs().is_one() => self.int(0),
            (Some(a), Some(b)) if !b.is_zero() => self.number(a.mod_euclid(b), Sort::INT),
            (None, Some(b)) if b.is_positive() => match self.same_remainder(x, b) {
                Some(same) => self.modulo(same, y),
                None => self.make(Op::Mod, Sort::INT, &[x, y]),
            },
            _ => self.make(Op::Mod, Sort::INT, &[x, y]),
        }
    }

    /// Absolute value of an integer.
    pub fn abs(&self, x: Term) -> Term {
        match self.as_number(x) {
            Some(value) => self.number(value.abs(), Sort::INT),
            None => self.make(Op::Abs, Sort::INT, &[x]),
        }
    }

    /// `divisor` (positive) divides `x`.
    pub fn divisible(&self, divisor: Rational, x: Term) -> Term {
        let divisor = self.number(divisor, Sort::INT);
        self.eq(self.modulo(x, divisor), self.int(0))
    }

    /// `x <= y`.
    pub fn le(&self, x: Term, y: Term) -> Term {
        self.compare(Op::Le, x, y, |a, b| a <= b)
    }

    /// `x < y`.
    pub fn lt(&self, x: Term, y: Term) -> Term {
        self.compare(Op::Lt, x, y, |a, b| a < b)
    }

    /// `x >= y`, that is, `y <= x`.
    pub fn ge(&self, x: Term, y: Term) -> Term {
        self.le(y, x)
    }

    /// `x > y`, that is, `y < x`.
    pub fn gt(&self, x: Term, y: Term) -> Term {
        self.lt(y, x)
    }

    fn compare(&self, op: Op, x: Term, y: Term, holds: fn(&Rational, &Rational) -> bool) -> Term {
        debug_assert_eq!(self.sort_of(x), self.sort_of(y));
        if x == y {
            return self.bool(op == Op::Le);
        }
        match (self.as_number(x), self.as_number(y)) {
            (Some(a), Some(b)) => self.bool(holds(a, b)),
            _ => self.make(op, Sort::BOOL, &[x, y]),
        }
    }

    /// An integer as a real; a real stays as it is.
    pub fn to_real(&self, x: Term) -> Term {
        match self.as_number(x) {
            _ if self.sort_of(x) == Sort::REAL => x,
            Some(value) => self.real(value.clone()),
            None => self.make(Op::ToReal, Sort::REAL, &[x]),
        }
    }

    /// The floor of a real.
    pub fn to_int(&self, x: Term) -> Term {
        match (self.op(x), self.args(x)) {
            (Op::ToReal, &[y]) => y,
            (Op::Number(id), _) => self.number(self.number_value(id).floor(), Sort::INT),
            _ => self.make(Op::ToInt, Sort::INT, &[x]),
        }
    }

    /// Is a real an integer?
    pub fn is_int(&self, x: Term) -> Term {
        match self.op(x) {
            Op::ToReal => Term::TRUE,
            Op::Number(id) => self.bool(self.number_value(id).is_integer()),
            _ => self.make(Op::IsInt, Sort::BOOL, &[x]),
        }
    }
}

/// The constants among arguments, folded to one. Most sums and products have one alone, which is a
/// term already.
enum Folded {
    Nothing,
    One(Term),
    Value(Rational),
}

impl Folded {
    /// Takes in a constant: `join` adds or multiplies it to what was there before.
    fn fold(&mut self, t: &Terms, constant: Term, join: impl FnOnce(&Rational) -> Rational) {
        *self = match self.value(t) {
            None => Folded::One(constant),
            Some(before) => Folded::Value(join(before)),
        };
    }

    /// The value, if there was a constant.
    fn value<'a>(&'a self, t: &'a Terms) -> Option<&'a Rational> {
        match self {
            Folded::Nothing => None,
            Folded::One(constant) => t.as_number(*constant),
            Folded::Value(value) => Some(value),
        }
    }

    /// The value as a term of that sort; there was a constant.
    fn term(self, t: &Terms, sort: Sort) -> Term {
        match self {
            Folded::Nothing => unreachable!("arguments that are no constants are kept"),
            Folded::One(constant) => {
                // What looking the constant up would cost: so budgets end where they did before.
                work::spend(2);
                constant
            }
            Folded::Value(value) => t.number(value, sort),
        }
    }
}
