//! The functions of the theories under the names that solvers print, applied to arguments.
//!
//! The builders of terms check sorts by debug assertions only. So each function here checks the
//! number of its arguments and their sorts, and has no result where they do not fit. An integer
//! where a real is needed becomes one: some solvers print integral coefficients of reals without a
//! point.

use crate::number::Rational;
use crate::term::{BvOp, Sort, Term, Terms};

/// `distinct` of more arguments than this is not read: it stands for a quadratic formula.
const MOST_DISTINCT: usize = 100;
/// Bit-vectors of more bits than this are not read.
pub(super) const MOST_BITS: u32 = 1 << 16;

/// A function without indices, applied to arguments; `None` if there is no such function, or if the
/// arguments do not fit.
pub(super) fn apply(t: &Terms, name: &str, args: &[Term]) -> Option<Term> {
    if let Some(op) = bit_function(name) {
        return bits(t, op, args);
    }
    match name {
        "true" | "false" | "not" | "and" | "or" | "xor" | "=>" => boolean(t, name, args),
        "=" | "distinct" | "ite" => any_sort(t, name, args),
        "select" | "store" => array(t, name, args),
        _ => arithmetic(t, name, args),
    }
}

fn boolean(t: &Terms, name: &str, args: &[Term]) -> Option<Term> {
    if args.iter().any(|&f| t.sort_of(f) != Sort::BOOL) {
        return None;
    }
    Some(match (name, args) {
        ("true", []) => Term::TRUE,
        ("false", []) => Term::FALSE,
        ("not", &[f]) => t.not(f),
        ("and", [_, ..]) => t.and(args.iter().copied()),
        ("or", [_, ..]) => t.or(args.iter().copied()),
        ("xor", [first, _, ..]) => args[1..].iter().fold(*first, |f, &g| t.xor(f, g)),
        ("=>", [before @ .., last]) if !before.is_empty() => {
            let premises = before.iter().rev();
            premises.fold(*last, |conclusion, &f| t.implies(f, conclusion))
        }
        _ => return None,
    })
}

fn any_sort(t: &Terms, name: &str, args: &[Term]) -> Option<Term> {
    match (name, args) {
        ("ite", &[condition, x, y]) if t.sort_of(condition) == Sort::BOOL => {
            let same = of_one_sort(t, &[x, y])?;
            Some(t.ite(condition, same[0], same[1]))
        }
        ("=", [_, _, ..]) => Some(chain(t, &of_one_sort(t, args)?, |x, y| t.eq(x, y))),
        ("distinct", [_, _, ..]) if args.len() <= MOST_DISTINCT => {
            Some(t.distinct(&of_one_sort(t, args)?))
        }
        _ => None,
    }
}

/// The arguments, if they are of one sort, or integers and reals together; then all as reals.
fn of_one_sort(t: &Terms, args: &[Term]) -> Option<Vec<Term>> {
    let sorts = || args.iter().map(|&x| t.sort_of(x));
    let first = sorts().next()?;
    if sorts().all(|sort| sort == first) {
        return Some(args.to_vec());
    }
    as_reals(t, args)
}

/// The arguments as reals, if they are numbers.
fn as_reals(t: &Terms, args: &[Term]) -> Option<Vec<Term>> {
    let real = |&x: &Term| t.sort_of(x).is_arith().then(|| t.to_real(x));
    args.iter().map(real).collect()
}

/// A term as one of this sort.
pub(super) fn as_sort(t: &Terms, term: Term, sort: Sort) -> Option<Term> {
    match t.sort_of(term) {
        own if own == sort => Some(term),
        Sort::INT if sort == Sort::REAL => Some(t.to_real(term)),
        _ => None,
    }
}

/// Does the relation hold between each argument and the next?
fn chain(t: &Terms, args: &[Term], relation: impl Fn(Term, Term) -> Term) -> Term {
    t.and(args.windows(2).map(|pair| relation(pair[0], pair[1])))
}

fn array(t: &Terms, name: &str, args: &[Term]) -> Option<Term> {
    let (index, element) = t.array_parts(t.sort_of(*args.first()?))?;
    match (name, args) {
        ("select", &[array, at]) => Some(t.select(array, as_sort(t, at, index)?)),
        ("store", &[array, at, value]) => {
            let at = as_sort(t, at, index)?;
            Some(t.store(array, at, as_sort(t, value, element)?))
        }
        _ => None,
    }
}

fn arithmetic(t: &Terms, name: &str, args: &[Term]) -> Option<Term> {
    let args = of_one_sort(t, args)?;
    let sort = t.sort_of(args[0]);
    let is_int = sort == Sort::INT;
    if !sort.is_arith() {
        return None;
    }
    Some(match (name, &args[..]) {
        ("+", _) => t.add(args.iter().copied()),
        ("*", _) => t.mul(args.iter().copied()),
        ("-", &[x]) => t.neg(x),
        ("-", [first, rest @ ..]) => t.sub(*first, t.add(rest.iter().copied())),
        ("/", [_, _, ..]) => {
            let reals = as_reals(t, &args)?;
            let dividend = reals[0];
            reals[1..].iter().fold(dividend, |x, &y| t.div(x, y))
        }
        ("div", &[x, y]) if is_int => t.idiv(x, y),
        ("mod", &[x, y]) if is_int => t.modulo(x, y),
        ("abs", &[x]) if is_int => t.abs(x),
        ("<=", [_, _, ..]) => chain(t, &args, |x, y| t.le(x, y)),
        ("<", [_, _, ..]) => chain(t, &args, |x, y| t.lt(x, y)),
        (">=", [_, _, ..]) => chain(t, &args, |x, y| t.ge(x, y)),
        (">", [_, _, ..]) => chain(t, &args, |x, y| t.gt(x, y)),
        ("to_real", &[x]) => t.to_real(x),
        ("to_int", &[x]) if !is_int => t.to_int(x),
        ("is_int", &[x]) if !is_int => t.is_int(x),
        _ => return None,
    })
}

/// How a function on bit-vectors is made of operators.
#[derive(Clone, Copy)]
enum BitFunction {
    /// Of one argument.
    Unary(BvOp),
    /// Of two arguments of one width.
    Binary(BvOp),
    /// Of two arguments in the other order.
    Turned(BvOp),
    /// Of any number of arguments of one width, at least one.
    Many(BvOp),
    /// The complement of a function of two arguments of one width.
    Complement(BvOp),
    Difference,
    Concatenation,
}

fn bit_function(name: &str) -> Option<BitFunction> {
    use BitFunction::{Binary, Complement, Concatenation, Difference, Many, Turned, Unary};
    Some(match name {
        "bvnot" => Unary(BvOp::Not),
        "bvneg" => Unary(BvOp::Neg),
        "bv2nat" | "ubv_to_int" => Unary(BvOp::ToNat),
        "bvand" => Many(BvOp::And),
        "bvor" => Many(BvOp::Or),
        "bvxor" => Many(BvOp::Xor),
        "bvadd" => Many(BvOp::Add),
        "bvmul" => Many(BvOp::Mul),
        "bvsub" => Difference,
        "bvudiv" => Binary(BvOp::Udiv),
        "bvurem" => Binary(BvOp::Urem),
        "bvsdiv" => Binary(BvOp::Sdiv),
        "bvsrem" => Binary(BvOp::Srem),
        "bvsmod" => Binary(BvOp::Smod),
        "bvshl" => Binary(BvOp::Shl),
        "bvlshr" => Binary(BvOp::Lshr),
        "bvashr" => Binary(BvOp::Ashr),
        "bvcomp" => Binary(BvOp::Comp),
        "bvult" => Binary(BvOp::Ult),
        "bvule" => Binary(BvOp::Ule),
        "bvslt" => Binary(BvOp::Slt),
        "bvsle" => Binary(BvOp::Sle),
        "bvugt" => Turned(BvOp::Ult),
        "bvuge" => Turned(BvOp::Ule),
        "bvsgt" => Turned(BvOp::Slt),
        "bvsge" => Turned(BvOp::Sle),
        "bvnand" => Complement(BvOp::And),
        "bvnor" => Complement(BvOp::Or),
        "bvxnor" => Complement(BvOp::Xor),
        "concat" => Concatenation,
        _ => return None,
    })
}

fn bits(t: &Terms, function: BitFunction, args: &[Term]) -> Option<Term> {
    let widths: Vec<u32> = (args.iter())
        .map(|&x| t.bitvec_width(t.sort_of(x)))
        .collect::<Option<_>>()?;
    let is_one_width = widths.windows(2).all(|pair| pair[0] == pair[1]);
    Some(match (function, args) {
        (BitFunction::Concatenation, &[first, ref rest @ ..]) => {
            let total: u64 = widths.iter().map(|&width| u64::from(width)).sum();
            if total > MOST_BITS.into() {
                return None;
            }
            rest.iter()
                .fold(first, |high, &low| t.bv(BvOp::Concat, &[high, low]))
        }
        _ if !is_one_width => return None,
        (BitFunction::Unary(op), [_]) | (BitFunction::Binary(op), [_, _]) => t.bv(op, args),
        (BitFunction::Many(_), &[x]) => x,
        (BitFunction::Many(op), [_, _, ..]) => t.bv(op, args),
        (BitFunction::Turned(op), &[x, y]) => t.bv(op, &[y, x]),
        (BitFunction::Complement(op), [_, _]) => t.bv(BvOp::Not, &[t.bv(op, args)]),
        (BitFunction::Difference, &[x, y]) => t.bv(BvOp::Add, &[x, t.bv(BvOp::Neg, &[y])]),
        _ => return None,
    })
}

/// A function with indices, `(_ name …)`, applied to arguments; `None` as for [`apply`].
pub(super) fn apply_indexed(t: &Terms, name: &str, indices: &[u32], args: &[Term]) -> Option<Term> {
    let &[x] = args else {
        return None;
    };
    if t.sort_of(x) == Sort::INT {
        return match (name, indices) {
            ("divisible", &[n]) if n > 0 => Some(t.divisible(Rational::from(i64::from(n)), x)),
            ("int2bv" | "int_to_bv" | "nat2bv", &[n]) if (1..=MOST_BITS).contains(&n) => {
                Some(t.bv(BvOp::FromInt(n), args))
            }
            _ => None,
        };
    }
    let width = t.bitvec_width(t.sort_of(x))?;
    let fits = |bits: u64| bits <= MOST_BITS.into();
    let wider = |more: u32| fits(u64::from(width) + u64::from(more));
    let op = match (name, indices) {
        ("extract", &[hi, lo]) if lo <= hi && hi < width => BvOp::Extract { hi, lo },
        ("zero_extend", &[n]) if wider(n) => BvOp::ZeroExtend(n),
        ("sign_extend", &[n]) if wider(n) => BvOp::SignExtend(n),
        ("repeat", &[n]) if n > 0 && fits(u64::from(width) * u64::from(n)) => BvOp::Repeat(n),
        ("rotate_left", &[n]) => BvOp::RotateLeft(n % width),
        ("rotate_right", &[n]) => BvOp::RotateRight(n % width),
        // Z3's name for one bit as a Boolean.
        ("bit2bool", &[n]) if n < width => {
            let bit = t.bv(BvOp::Extract { hi: n, lo: n }, args);
            return Some(t.eq(bit, t.bitvec(&1.into(), 1)));
        }
        _ => return None,
    };
    Some(t.bv(op, args))
}
