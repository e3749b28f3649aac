//! The functions of the theories, by name.

use super::overflow::Overflow;
use crate::term::BvOp;

/// A theory function without indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    True,
    False,
    Not,
    And,
    Or,
    Xor,
    Implies,
    Equal,
    Distinct,
    Ite,
    Add,
    Sub,
    Mul,
    Divide,
    IntDiv,
    Mod,
    /// Z3's `rem`: the sign of `mod` turned round for a negative divisor.
    Rem,
    Abs,
    Compare(Comparison),
    ToReal,
    ToInt,
    IsInt,
    Select,
    Store,
    /// Operators on one vector.
    BvUnary(BvOp),
    /// Operators on two vectors of one width.
    BvBinary(BvOp),
    /// Operators on two or more vectors of one width, associative.
    BvNary(BvOp),
    /// The complement of a binary operator.
    BvNegated(BvOp),
    /// Comparison of two vectors, perhaps with the arguments turned round.
    BvCompare(BvOp, bool),
    BvSub,
    /// Overflow predicates, and whether it is the complement.
    BvOverflow(Overflow, bool),
    /// Conjunction or disjunction of all bits, as one bit.
    BvReduce(BvOp),
    Concat,
    /// `bv2nat` and its newer names.
    BvToNat,
    /// `sbv_to_int`.
    BvToInt,
}

/// Comparison of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Le,
    Lt,
    Ge,
    Gt,
}

impl Builtin {
    /// May a script declare a function of this name? Those of the core theory it may not; of the
    /// other names, which are many and of which a script may not know, it may, and its own function
    /// is meant where the sorts of arguments fit.
    pub(super) fn may_be_redeclared(self) -> bool {
        !matches!(
            self,
            Builtin::True
                | Builtin::False
                | Builtin::Not
                | Builtin::And
                | Builtin::Or
                | Builtin::Xor
                | Builtin::Implies
                | Builtin::Equal
                | Builtin::Distinct
                | Builtin::Ite
        )
    }
}

/// The names.
pub(super) const TABLE: &[(&str, Builtin)] = &[
    ("true", Builtin::True),
    ("false", Builtin::False),
    ("not", Builtin::Not),
    ("and", Builtin::And),
    ("or", Builtin::Or),
    ("xor", Builtin::Xor),
    ("=>", Builtin::Implies),
    ("implies", Builtin::Implies),
    ("=", Builtin::Equal),
    ("iff", Builtin::Equal),
    ("distinct", Builtin::Distinct),
    ("ite", Builtin::Ite),
    ("if", Builtin::Ite),
    ("+", Builtin::Add),
    ("-", Builtin::Sub),
    ("*", Builtin::Mul),
    ("/", Builtin::Divide),
    ("div", Builtin::IntDiv),
    ("mod", Builtin::Mod),
    ("rem", Builtin::Rem),
    ("abs", Builtin::Abs),
    ("<=", Builtin::Compare(Comparison::Le)),
    ("<", Builtin::Compare(Comparison::Lt)),
    (">=", Builtin::Compare(Comparison::Ge)),
    (">", Builtin::Compare(Comparison::Gt)),
    ("to_real", Builtin::ToReal),
    ("to_int", Builtin::ToInt),
    ("is_int", Builtin::IsInt),
    ("select", Builtin::Select),
    ("store", Builtin::Store),
    ("bvnot", Builtin::BvUnary(BvOp::Not)),
    ("bvneg", Builtin::BvUnary(BvOp::Neg)),
    ("bvand", Builtin::BvNary(BvOp::And)),
    ("bvor", Builtin::BvNary(BvOp::Or)),
    ("bvxor", Builtin::BvNary(BvOp::Xor)),
    ("bvadd", Builtin::BvNary(BvOp::Add)),
    ("bvmul", Builtin::BvNary(BvOp::Mul)),
    ("bvsub", Builtin::BvSub),
    ("bvnand", Builtin::BvNegated(BvOp::And)),
    ("bvnor", Builtin::BvNegated(BvOp::Or)),
    ("bvxnor", Builtin::BvNegated(BvOp::Xor)),
    ("bvudiv", Builtin::BvBinary(BvOp::Udiv)),
    ("bvurem", Builtin::BvBinary(BvOp::Urem)),
    ("bvsdiv", Builtin::BvBinary(BvOp::Sdiv)),
    ("bvsrem", Builtin::BvBinary(BvOp::Srem)),
    ("bvsmod", Builtin::BvBinary(BvOp::Smod)),
    ("bvshl", Builtin::BvBinary(BvOp::Shl)),
    ("bvlshr", Builtin::BvBinary(BvOp::Lshr)),
    ("bvashr", Builtin::BvBinary(BvOp::Ashr)),
    ("bvcomp", Builtin::BvBinary(BvOp::Comp)),
    ("bvult", Builtin::BvCompare(BvOp::Ult, false)),
    ("bvule", Builtin::BvCompare(BvOp::Ule, false)),
    ("bvugt", Builtin::BvCompare(BvOp::Ult, true)),
    ("bvuge", Builtin::BvCompare(BvOp::Ule, true)),
    ("bvslt", Builtin::BvCompare(BvOp::Slt, false)),
    ("bvsle", Builtin::BvCompare(BvOp::Sle, false)),
    ("bvsgt", Builtin::BvCompare(BvOp::Slt, true)),
    ("bvsge", Builtin::BvCompare(BvOp::Sle, true)),
    ("bvnego", Builtin::BvOverflow(Overflow::Neg, false)),
    ("bvuaddo", Builtin::BvOverflow(Overflow::UnsignedAdd, false)),
    ("bvsaddo", Builtin::BvOverflow(Overflow::SignedAdd, false)),
    ("bvusubo", Builtin::BvOverflow(Overflow::UnsignedSub, false)),
    ("bvssubo", Builtin::BvOverflow(Overflow::SignedSub, false)),
    ("bvumulo", Builtin::BvOverflow(Overflow::UnsignedMul, false)),
    ("bvsmulo", Builtin::BvOverflow(Overflow::SignedMul, false)),
    ("bvsdivo", Builtin::BvOverflow(Overflow::SignedDiv, false)),
    // Names of Z3's.
    (
        "bvumul_noovfl",
        Builtin::BvOverflow(Overflow::UnsignedMul, true),
    ),
    (
        "bvsmul_noovfl",
        Builtin::BvOverflow(Overflow::SignedMulAbove, true),
    ),
    (
        "bvsmul_noudfl",
        Builtin::BvOverflow(Overflow::SignedMulBelow, true),
    ),
    ("bvredor", Builtin::BvReduce(BvOp::Or)),
    ("bvredand", Builtin::BvReduce(BvOp::And)),
    ("concat", Builtin::Concat),
    ("bv2nat", Builtin::BvToNat),
    ("bv2int", Builtin::BvToNat),
    ("ubv_to_int", Builtin::BvToNat),
    ("sbv_to_int", Builtin::BvToInt),
];
