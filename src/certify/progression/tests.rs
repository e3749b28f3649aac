//! Progressions against evaluation, on random terms.

use super::*;
use fastrand::Rng;

/// Random terms over variables: truth values, integers, bit-vectors of 3 and of 6 bits.
struct Random<'a> {
    t: &'a Terms,
    vars: &'a [Term],
    rng: &'a mut Rng,
}

impl Random<'_> {
    fn term(&mut self, sort: Sort, depth: u32) -> Term {
        if depth == 0 || self.rng.u8(..5) == 0 {
            return self.leaf(sort);
        }
        if self.rng.u8(..8) == 0 {
            let condition = self.term(Sort::BOOL, depth - 1);
            let [x, y] = self.two(sort, depth);
            return self.t.ite(condition, x, y);
        }
        match self.t.bitvec_width(sort) {
            Some(width) => self.bits(width, depth),
            None if sort == Sort::BOOL => self.formula(depth),
            None => self.number(depth),
        }
    }

    fn two(&mut self, sort: Sort, depth: u32) -> [Term; 2] {
        [self.term(sort, depth - 1), self.term(sort, depth - 1)]
    }

    fn leaf(&mut self, sort: Sort) -> Term {
        let (t, vars) = (self.t, self.vars.iter().copied());
        let own: Vec<Term> = vars.filter(|&x| t.sort_of(x) == sort).collect();
        if !own.is_empty() && self.rng.u8(..3) > 0 {
            return own[self.rng.usize(..own.len())];
        }
        let value = self.rng.i64(-9..9);
        match t.bitvec_width(sort) {
            Some(width) => t.bitvec(&value.into(), width),
            None if sort == Sort::BOOL => t.bool(value > 0),
            None => t.int(value),
        }
    }

    fn formula(&mut self, depth: u32) -> Term {
        let t = self.t;
        let sorts = [Sort::INT, t.bitvec_sort(3), t.bitvec_sort(6), Sort::BOOL];
        let sort = sorts[self.rng.usize(..4)];
        let [x, y] = self.two(sort, depth);
        match (self.rng.u8(..5), t.bitvec_width(sort)) {
            (0, _) => t.eq(x, y),
            (1, _) if sort == Sort::BOOL => t.and([x, y]),
            (2, _) if sort == Sort::BOOL => t.or([x, y]),
            (_, None) if sort == Sort::BOOL => t.not(x),
            (1 | 2, None) => t.le(x, y),
            (_, None) => t.lt(x, y),
            (1, _) => t.bv(BvOp::Ult, &[x, y]),
            (2, _) => t.bv(BvOp::Ule, &[x, y]),
            (3, _) => t.bv(BvOp::Slt, &[x, y]),
            (_, _) => t.bv(BvOp::Sle, &[x, y]),
        }
    }

    fn number(&mut self, depth: u32) -> Term {
        let t = self.t;
        let [x, y] = self.two(Sort::INT, depth);
        match self.rng.u8(..8) {
            0 | 1 => t.add([x, y]),
            2 => t.sub(x, y),
            3 => t.mul([x, y]),
            4 => t.idiv(x, y),
            5 => t.modulo(x, y),
            6 => t.abs(x),
            _ => t.bv(BvOp::ToNat, &[self.term(t.bitvec_sort(6), depth - 1)]),
        }
    }

    fn bits(&mut self, width: u32, depth: u32) -> Term {
        const BINARY: [BvOp; 7] = [
            BvOp::Add,
            BvOp::Mul,
            BvOp::Shl,
            BvOp::Lshr,
            BvOp::Ashr,
            BvOp::Udiv,
            BvOp::Urem,
        ];
        let t = self.t;
        let [x, y] = self.two(t.bitvec_sort(width), depth);
        let [high, low] = self.two(t.bitvec_sort(3), depth);
        match (self.rng.usize(..12), width) {
            (0, _) => t.bv(BvOp::Not, &[x]),
            (1, _) => t.bv(BvOp::Neg, &[x]),
            (2, _) => t.bv(BvOp::FromInt(width), &[self.term(Sort::INT, depth - 1)]),
            (3, 6) => t.bv(BvOp::ZeroExtend(3), &[low]),
            (4, 6) => t.bv(BvOp::SignExtend(3), &[low]),
            (5, 6) => t.bv(BvOp::Concat, &[high, low]),
            (3..=5, _) => {
                let lo = self.rng.u32(..4);
                let long = self.term(t.bitvec_sort(6), depth - 1);
                t.bv(BvOp::Extract { hi: lo + 2, lo }, &[long])
            }
            (op, _) => t.bv(BINARY[op % BINARY.len()], &[x, y]),
        }
    }
}

/// What is said of a term is so in each iteration.
#[test]
fn progressions_are_those_of_evaluation() {
    let t = Terms::new();
    let sorts = [Sort::INT, t.bitvec_sort(6), t.bitvec_sort(3)];
    let vars: Vec<Term> = (0..6)
        .map(|i| t.var(&format!("x{i}"), sorts[i % 3]))
        .collect();
    let mut rng = Rng::with_seed(17);
    let (mut linear, mut decided) = (0, 0);
    for _ in 0..6000 {
        let last = rng.i64(0..7);
        let progressions = vars.iter().map(|&x| {
            let value = number(&t, t.sort_of(x), Rational::from(rng.i64(-20..20)));
            let change = match rng.u8(..3) {
                0 => Change::None,
                _ => Change::By(Rational::from(rng.i64(-3..4))),
            };
            (x, Progression::of(&value, &change).expect("it fits"))
        });
        let of_vars: TermMap<Progression> = progressions.collect();
        let sort = [Sort::BOOL, Sort::INT, sorts[1]][rng.usize(..3)];
        let term = Random {
            t: &t,
            vars: &vars,
            rng: &mut rng,
        }
        .term(sort, 4);
        let mut all = Progressions::new(&t, Rational::from(last), of_vars.clone());
        let Some(found) = all.of(term) else {
            continue;
        };
        match found {
            Progression::Linear(_) => linear += 1,
            _ => decided += usize::from(sort == Sort::BOOL),
        }
        for i in 0..=last {
            let i = Rational::from(i);
            let values = of_vars.iter().map(|(&x, progression)| {
                (x, progression.value(&t, t.sort_of(x), &i).expect("it fits"))
            });
            let values: Vec<(Term, Value)> = values.collect();
            let said = found.value(&t, sort, &i);
            let value = Evaluator::with(&t, Unspecified::Refuse, values.clone()).eval(term);
            // A division by 0 in a branch that is not taken has no progression, but no harm.
            assert_eq!(said, value.ok(), "{} in {i}: {values:?}", t.display(term));
        }
    }
    assert!(linear > 500 && decided > 500, "{linear} {decided}");
}

#[test]
fn a_value_of_a_datatype_changes_in_its_fields() {
    let change = Change::Fields(vec![Change::None]);
    assert_eq!(Progression::of(&Value::from(1), &change), None);
    let (fields, by) = (Change::Fields(Vec::new()), Change::By(Rational::one()));
    assert_eq!(Progression::of(&Value::Bool(true), &fields), None);
    assert_eq!(Progression::of(&Value::Bool(true), &by), None);
}
