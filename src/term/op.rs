//! Operators: what stands at the head of a term.
//!
//! The set is small on purpose. What SMT-LIB writes with other words is built from these by the
//! builders: `>=` and `>` are `Le` and `Lt` turned round, `-` is `Add` of a multiple, `=>` is `Or`,
//! `xor` a negated `Eq`, `distinct` a conjunction of negated equations, `bvnand`, `bvuge`, … their
//! definitions in the standard.

use super::{CtorId, SelectorId, Symbol};

/// A numeral of the store; see [`super::Terms::number`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NumberId(pub(crate) u32);

/// A declared function of the store: a predicate of a Horn system where the result is `Bool`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FuncId(pub(crate) u32);

/// The head of a term. Arities: see each variant; `n-ary` means two or more arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A variable, free or bound. Its identity is its name together with its sort.
    Var(Symbol),
    /// A declared function applied to arguments, none for a constant.
    Apply(FuncId),

    /// Truth.
    True,
    /// Falsity.
    False,
    /// Negation. Never on a negation, a constant, or an inequality.
    Not,
    /// Conjunction, n-ary. No argument is a constant or a small conjunction, and none occurs twice.
    And,
    /// Disjunction, n-ary. No argument is a constant or a small disjunction, and none occurs twice.
    Or,
    /// Equality of two terms of one sort; on `Bool` equivalence. A constant stands second, else the
    /// smaller id first.
    Eq,
    /// If-then-else: condition, and two terms of one sort.
    Ite,
    /// Universal quantification: the bound variables, then the body.
    Forall,
    /// Existential quantification: the bound variables, then the body.
    Exists,

    /// A constant of sort `Int` (then integral) or `Real`.
    Number(NumberId),
    /// Sum of terms of one sort, n-ary; no argument is a small sum, at most the last is a constant,
    /// and it is not zero.
    Add,
    /// Product of terms of one sort, n-ary; no argument is a small product, unless multiplying out
    /// stopped at its limits; only the first is a constant, neither 0 nor 1, unless constants are
    /// too large to be multiplied.
    Mul,
    /// Division of reals.
    Div,
    /// Integer division as in SMT-LIB: `x = y * (div x y) + (mod x y)` with `0 <= (mod x y) < |y|`.
    IDiv,
    /// The remainder of [`Op::IDiv`].
    Mod,
    /// Absolute value of an integer.
    Abs,
    /// `<=` on integers or reals.
    Le,
    /// `<` on integers or reals.
    Lt,
    /// An integer as a real.
    ToReal,
    /// The floor of a real.
    ToInt,
    /// Is a real an integer?
    IsInt,

    /// Array, index: the element there.
    Select,
    /// Array, index, element: the array changed there.
    Store,
    /// The array that has its argument everywhere; its index sort is in the term's sort.
    ConstArray,

    /// A constructor applied to its fields.
    Construct(CtorId),
    /// The field of a value built by the selector's constructor; unspecified on other values.
    Field(SelectorId),
    /// Is a value built by that constructor?
    Is(CtorId),

    /// A constant of sort `(_ BitVec n)`, with `0 <= value < 2^n`.
    BitVec(NumberId),
    /// An operator on bit-vectors.
    Bv(BvOp),
}

/// Operators on bit-vectors; semantics as in SMT-LIB's `FixedSizeBitVectors`, total everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BvOp {
    /// Bitwise complement.
    Not,
    /// Bitwise and, n-ary.
    And,
    /// Bitwise or, n-ary.
    Or,
    /// Bitwise exclusive or, n-ary.
    Xor,
    /// Two's complement. Never on a literal or a small sum: see `Add`.
    Neg,
    /// Sum, n-ary, of distinct terms in ascending order, each by itself, negated or times a
    /// literal, and at the end a literal that is not 0. No argument is a small sum.
    Add,
    /// Product, n-ary. At most the last argument is a literal, which is neither 0, 1 nor -1.
    Mul,
    /// Unsigned quotient; all ones where the divisor is 0.
    Udiv,
    /// Unsigned remainder; the dividend where the divisor is 0.
    Urem,
    /// Signed quotient, truncated.
    Sdiv,
    /// Signed remainder, sign of the dividend.
    Srem,
    /// Signed remainder, sign of the divisor.
    Smod,
    /// Shift left.
    Shl,
    /// Logical shift right.
    Lshr,
    /// Arithmetic shift right.
    Ashr,
    /// Concatenation of two, the first being the more significant.
    Concat,
    /// Bits `hi` down to `lo`, both included.
    Extract {
        /// The most significant bit taken.
        hi: u32,
        /// The least significant bit taken.
        lo: u32,
    },
    /// Extension by that many zero bits.
    ZeroExtend(u32),
    /// Extension by that many copies of the sign bit.
    SignExtend(u32),
    /// Rotation to the left.
    RotateLeft(u32),
    /// Rotation to the right.
    RotateRight(u32),
    /// That many copies, one after the other.
    Repeat(u32),
    /// Unsigned `<`.
    Ult,
    /// Unsigned `<=`.
    Ule,
    /// Signed `<`.
    Slt,
    /// Signed `<=`.
    Sle,
    /// One bit: are two vectors equal?
    Comp,
    /// The natural number that a vector denotes (`bv2nat`, `ubv_to_int`).
    ToNat,
    /// An integer modulo `2^width` (`int2bv`, `nat2bv`).
    FromInt(u32),
}
