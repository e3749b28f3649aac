//! Random bit-vectors, and formulas about them.

use super::formulas::Formulas;
use super::generate::Profile;
use horn::term::{BvOp, FuncId, Sort, Term, Terms};

/// Operators on vectors that keep the width and have circuits of linear size, but shifts.
const LINEAR: [BvOp; 7] = [
    BvOp::And,
    BvOp::Or,
    BvOp::Xor,
    BvOp::Add,
    BvOp::Shl,
    BvOp::Lshr,
    BvOp::Ashr,
];
/// Operators with circuits of quadratic size.
const QUADRATIC: [BvOp; 6] = [
    BvOp::Mul,
    BvOp::Udiv,
    BvOp::Urem,
    BvOp::Sdiv,
    BvOp::Srem,
    BvOp::Smod,
];
const ORDERS: [BvOp; 4] = [BvOp::Ult, BvOp::Ule, BvOp::Slt, BvOp::Sle];

/// The bit-vectors of a profile.
pub(crate) struct Vectors {
    pub(crate) variables: Vec<Term>,
    widths: &'static [u32],
    products: bool,
    /// Functions between vectors, each from a width to the next.
    funcs: Vec<(FuncId, u32, u32)>,
}

impl Vectors {
    pub(crate) fn new(t: &Terms, profile: &Profile, suffix: &str) -> Vectors {
        let widths = profile.widths;
        let named = |width: u32, i: usize| {
            let name = format!("v{width}_{i}{suffix}");
            t.var(&name, t.bitvec_sort(width))
        };
        let of_width = |&width: &u32| (0..profile.vectors).map(move |i| named(width, i));
        let function = |pair: &[u32]| {
            let name = t.symbol(&format!("s{}", pair[0]));
            let (from, to) = (t.bitvec_sort(pair[0]), t.bitvec_sort(pair[1]));
            (t.declare(name, &[from], to), pair[0], pair[1])
        };
        let funcs = match profile.elements {
            0 => Vec::new(),
            _ => widths.windows(2).map(function).collect(),
        };
        Vectors {
            variables: widths.iter().flat_map(of_width).collect(),
            widths,
            products: profile.products,
            funcs,
        }
    }
}

impl Formulas<'_, '_> {
    /// An order or an equation, often with a constant.
    pub(super) fn about_vectors(&mut self) -> Term {
        let t = self.t;
        let width = self.random.pick(self.vectors.widths);
        let depth = self.random.below(3);
        let x = self.vector(width, depth);
        let y = if self.random.percent(50) {
            self.vector_constant(width)
        } else {
            let depth = self.random.below(2);
            self.vector(width, depth)
        };
        match self.random.weighted(&[40, 60]) {
            0 => t.eq(x, y),
            _ => t.bv(self.random.pick(&ORDERS), &[x, y]),
        }
    }

    /// The number of a vector that is not too wide.
    pub(super) fn number_of_vector(&mut self, depth: usize) -> Term {
        let width = self.random.pick(self.vectors.widths).min(8);
        let vector = self.vector(width, depth);
        self.t.bv(BvOp::ToNat, &[vector])
    }

    fn vector_constant(&mut self, width: u32) -> Term {
        let value = match self.random.weighted(&[60, 20, 20]) {
            0 => self.random.between(-3, 9),
            1 => self.random.between(-200, 200),
            _ => 1i64 << self.random.between(0, 62).min(i64::from(width) - 1),
        };
        self.t.bitvec(&value.into(), width)
    }

    /// A vector of a width, nested at most to this depth.
    pub(super) fn vector(&mut self, width: u32, depth: usize) -> Term {
        let t = self.t;
        if depth == 0 || self.random.percent(15) {
            return self.vector_leaf(width);
        }
        let depth = depth - 1;
        let products = if self.vectors.products { 20 } else { 0 };
        let narrow = !self.ints.is_empty() && width <= 8;
        let ints = if narrow { 12 } else { 0 };
        let applied = if self.vectors.funcs.is_empty() { 0 } else { 30 };
        let weights = [40, products, 14, 30, 12, ints, applied, 6];
        match self.random.weighted(&weights) {
            0 => {
                let op = self.random.pick(&LINEAR);
                t.bv(op, &[self.vector(width, depth), self.vector(width, depth)])
            }
            1 => {
                let op = self.random.pick(&QUADRATIC);
                t.bv(op, &[self.vector(width, depth), self.vector(width, depth)])
            }
            2 => {
                // The reader leaves out rotations by multiples of the width.
                if width == 1 {
                    return t.bv(BvOp::Not, &[self.vector(width, depth)]);
                }
                let places = self.random.between(1, i64::from(width) - 1) as u32;
                let ops = [
                    BvOp::Not,
                    BvOp::Neg,
                    BvOp::RotateLeft(places),
                    BvOp::RotateRight(places),
                ];
                t.bv(self.random.pick(&ops), &[self.vector(width, depth)])
            }
            3 => self.rewired(width, depth),
            4 => {
                let condition = self.literal_of_depth(depth);
                let (x, y) = (self.vector(width, depth), self.vector(width, depth));
                t.ite(condition, x, y)
            }
            5 => {
                let integer = self.term(Sort::INT, depth);
                t.bv(BvOp::FromInt(width), &[integer])
            }
            6 => {
                let (func, from, to) = self.random.pick(&self.vectors.funcs);
                let argument = self.vector(from, depth);
                self.resized(t.apply(func, &[argument]), to, width)
            }
            _ => {
                let factor = self.vector_constant(width);
                t.bv(BvOp::Mul, &[self.vector(width, depth), factor])
            }
        }
    }

    /// A vector that is put together from bits of others.
    fn rewired(&mut self, width: u32, depth: usize) -> Term {
        let t = self.t;
        let several = if width > 1 { 30 } else { 0 };
        let copies = if width.is_multiple_of(2) { 10 } else { 0 };
        let single = if width == 1 { 30 } else { 0 };
        match self.random.weighted(&[30, 30, several, copies, single]) {
            0 => {
                let more = self.random.below(4) as u32;
                let lo = self.random.below(more as usize + 1) as u32;
                let hi = lo + width - 1;
                t.bv(
                    BvOp::Extract { hi, lo },
                    &[self.vector(width + more, depth)],
                )
            }
            1 => {
                let more = self.random.below(width as usize) as u32;
                let ops = [BvOp::ZeroExtend(more), BvOp::SignExtend(more)];
                t.bv(self.random.pick(&ops), &[self.vector(width - more, depth)])
            }
            2 => {
                let high = self.random.between(1, i64::from(width) - 1) as u32;
                let parts = [self.vector(high, depth), self.vector(width - high, depth)];
                t.bv(BvOp::Concat, &parts)
            }
            3 => t.bv(BvOp::Repeat(2), &[self.vector(width / 2, depth)]),
            _ => {
                let inner = self.random.pick(self.vectors.widths);
                let pair = [self.vector(inner, depth), self.vector(inner, depth)];
                t.bv(BvOp::Comp, &pair)
            }
        }
    }

    /// A condition: atoms about vectors only where the depth allows it, so that making formulas
    /// ends.
    fn literal_of_depth(&mut self, depth: usize) -> Term {
        if depth > 0 && self.random.percent(40) {
            return self.literal();
        }
        let width = self.random.pick(self.vectors.widths);
        let (x, y) = (self.vector_leaf(width), self.vector_leaf(width));
        self.t.bv(self.random.pick(&ORDERS), &[x, y])
    }

    /// A variable, cut or extended if it has another width, or a constant.
    fn vector_leaf(&mut self, width: u32) -> Term {
        let t = self.t;
        let fits = |x: &Term| t.bitvec_width(t.sort_of(*x)) == Some(width);
        let same: Vec<Term> = (self.vectors.variables.iter().copied())
            .filter(fits)
            .collect();
        if self.random.percent(20) {
            return self.vector_constant(width);
        }
        if !same.is_empty() && self.random.percent(90) {
            return self.random.pick(&same);
        }
        let other = self.random.pick(&self.vectors.variables);
        let from = t.bitvec_width(t.sort_of(other)).expect("a vector");
        self.resized(other, from, width)
    }

    /// The low bits of a vector, or it with zeros or copies of its sign in front.
    fn resized(&mut self, vector: Term, from: u32, to: u32) -> Term {
        let t = self.t;
        if from >= to {
            let (hi, lo) = (to - 1, 0);
            return t.bv(BvOp::Extract { hi, lo }, &[vector]);
        }
        let more = to - from;
        let ops = [BvOp::ZeroExtend(more), BvOp::SignExtend(more)];
        t.bv(self.random.pick(&ops), &[vector])
    }
}
