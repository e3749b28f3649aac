//! Progressions against evaluation, on random terms.

use super::*;
use crate::term::CtorId;
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

/// Two datatypes: pairs of integers or nothing, and boxes of an integer or of a real number.
struct Data {
    option: Sort,
    pair: CtorId,
    none: CtorId,
    of_int: CtorId,
    of_real: CtorId,
}

impl Data {
    fn new(t: &Terms) -> Self {
        let [option, boxes] = ["option", "box"].map(|name| t.declare_datatype(t.symbol(name), &[]));
        let ctor = |name: &str, sorts: &[Sort]| {
            let field = |(at, &sort): (usize, &Sort)| (t.symbol(&format!("{name}-{at}")), sort);
            (
                t.symbol(name),
                sorts.iter().enumerate().map(field).collect(),
            )
        };
        let ctors = [ctor("pair", &[Sort::INT, Sort::INT]), ctor("none", &[])];
        t.define_datatype(option, &ctors);
        let ctors = [ctor("of-int", &[Sort::INT]), ctor("of-real", &[Sort::REAL])];
        t.define_datatype(boxes, &ctors);
        let of = |datatype| t.datatype(datatype).ctors();
        Data {
            option: t.datatype(option).sort,
            pair: of(option)[0],
            none: of(option)[1],
            of_int: of(boxes)[0],
            of_real: of(boxes)[1],
        }
    }
}

fn line(start: i64, by: i64) -> Progression {
    Progression::Linear(Line {
        start: Rational::from(start),
        by: Rational::from(by),
    })
}

fn same(value: i64) -> Progression {
    Progression::Same(Value::from(value))
}

/// Variables with progressions in ten iterations.
struct Sample<'t> {
    all: Progressions<'t>,
    /// 3, 5, …, 21, and -5, -6, …, -14, and always 4.
    x: Term,
    y: Term,
    k: Term,
    /// 1/2, 1, …, 5.
    r: Term,
    /// Pairs of 1, 3, …, 19 and 4.
    o: Term,
}

impl<'t> Sample<'t> {
    fn new(t: &'t Terms, data: &Data) -> Self {
        let [x, y, k] = ["x", "y", "k"].map(|name| t.var(name, Sort::INT));
        let (r, o) = (t.var("r", Sort::REAL), t.var("o", data.option));
        let pair = Value::datatype(t, data.pair, vec![Value::from(1), Value::from(4)]);
        let by = Change::Fields(vec![Change::By(Rational::from(2)), Change::None]);
        let half = Line {
            start: Rational::new(1, 2),
            by: Rational::new(1, 2),
        };
        let vars = [
            (x, line(3, 2)),
            (y, line(-5, -1)),
            (k, same(4)),
            (r, Progression::Linear(half)),
            (o, Progression::of(&pair, &by).expect("it fits")),
        ];
        let all = Progressions::new(t, Rational::from(9), vars.into_iter().collect());
        Sample { all, x, y, k, r, o }
    }

    #[track_caller]
    fn check(&mut self, t: &Terms, rows: &[(Term, Option<Progression>)]) {
        for (term, expected) in rows {
            assert_eq!(self.all.of(*term), *expected, "{}", t.display(*term));
        }
    }
}

fn truth(value: bool) -> Option<Progression> {
    Some(Progression::Same(Value::Bool(value)))
}

/// What has to be found, beside what is right: a check that refuses too much is of no use.
#[test]
fn progressions_of_numbers_are_found() {
    let t = Terms::new();
    let mut sample = Sample::new(&t, &Data::new(&t));
    let Sample { x, y, k, r, .. } = sample;
    let n = |value: i64| t.int(value);
    let rows = [
        (t.mul([k, x]), Some(line(12, 8))),
        (t.mul([x, y]), None),
        (t.idiv(x, n(2)), Some(line(1, 1))),
        (t.idiv(x, n(-2)), Some(line(-1, -1))),
        (t.modulo(x, n(2)), Some(same(1))),
        (t.modulo(x, k), None),
        (t.idiv(x, n(100)), Some(same(0))),
        (t.idiv(k, x), None),
        (t.abs(y), Some(line(5, 1))),
        (t.abs(x), Some(line(3, 2))),
        (t.abs(t.sub(x, n(7))), None),
        // Real numbers that are integers always, sometimes or never.
        (t.to_int(r), None),
        (t.is_int(r), None),
        (t.to_int(t.add([r, r])), Some(line(1, 1))),
        (t.is_int(t.add([r, r])), truth(true)),
        (t.to_int(t.to_real(x)), Some(line(3, 2))),
        (t.is_int(t.add([r, t.real(Rational::new(1, 2))])), None),
    ];
    sample.check(&t, &rows);
}

/// Undecided parts do not matter where others decide.
#[test]
fn truth_values_in_all_iterations_are_found() {
    let t = Terms::new();
    let data = Data::new(&t);
    let mut sample = Sample::new(&t, &data);
    let Sample { x, y, k, o, .. } = sample;
    let n = |value: i64| t.int(value);
    let fields = t.ctor(data.pair).fields.clone();
    let [left, right] = [0, 1].map(|at| t.field(fields[at], o));
    let pair = |left, right| t.construct(data.pair, &[left, right]);
    let unknown = t.le(x, n(7));
    let rows = [
        (unknown, None),
        (t.and([unknown, t.lt(x, y)]), truth(false)),
        (t.or([unknown, t.lt(y, x)]), truth(true)),
        (t.and([unknown, t.lt(y, x)]), None),
        (t.not(t.lt(x, y)), truth(true)),
        (t.ite(t.lt(y, x), x, y), Some(line(3, 2))),
        (t.ite(t.lt(x, y), x, y), Some(line(-5, -1))),
        (t.ite(unknown, x, y), None),
        // Values of datatypes.
        (t.is(data.pair, o), truth(true)),
        (t.is(data.none, o), truth(false)),
        (left, Some(line(1, 2))),
        (right, Some(same(4))),
        (t.eq(o, pair(left, k)), truth(true)),
        (t.eq(o, pair(left, x)), None),
        (t.eq(o, pair(x, k)), truth(false)),
        (t.eq(o, pair(n(1), k)), None),
        (t.eq(o, pair(n(-1), k)), truth(false)),
        (t.eq(o, t.construct(data.none, &[])), truth(false)),
        (t.eq(x, y), truth(false)),
        (t.eq(y, x), truth(false)),
        (t.eq(y, n(-5)), None),
    ];
    sample.check(&t, &rows);
}

#[test]
fn progressions_are_of_sorts() {
    let t = Terms::new();
    let data = Data::new(&t);
    let boxes = t.datatype(t.ctor(data.of_int).datatype).sort;
    let is_of = |ctor, fields: &[Progression], sort| {
        Progression::Fields(ctor, fields.to_vec()).is_of(&t, sort)
    };
    let two = [line(0, 1), same(1)];
    assert!(is_of(data.pair, &two, data.option));
    assert!(!is_of(data.pair, &two, boxes));
    assert!(!is_of(data.pair, &two[..1], data.option));
    assert!(!is_of(data.none, &two[..1], data.option));
    assert!(!is_of(data.pair, &two, Sort::INT));
    let half = Progression::Linear(Line {
        start: Rational::from(0),
        by: Rational::new(1, 2),
    });
    assert!(is_of(data.of_real, std::slice::from_ref(&half), boxes));
    assert!(!is_of(data.of_int, std::slice::from_ref(&half), boxes));
    assert!(half.is_of(&t, Sort::REAL) && !half.is_of(&t, Sort::INT));
    assert!(!line(0, 1).is_of(&t, Sort::BOOL));
}

#[test]
fn progressions_are_the_same() {
    let t = Terms::new();
    let data = Data::new(&t);
    let fields = |ctor, field: &Progression| Progression::Fields(ctor, vec![field.clone()]);
    let boxes = t.datatype(t.ctor(data.of_int).datatype).sort;
    let byte = t.bitvec_sort(8);
    let rows = [
        (Sort::INT, same(1), same(1), true),
        (Sort::INT, same(1), same(2), false),
        (Sort::INT, line(1, 2), line(1, 2), true),
        (Sort::INT, line(1, 2), line(1, 3), false),
        (Sort::INT, line(1, 2), line(2, 2), false),
        (Sort::INT, line(1, 0), same(1), true),
        (byte, line(1, 2), line(257, -254), true),
        (byte, line(1, 2), line(1, 128), false),
    ];
    for (sort, x, y, expected) in rows {
        assert_eq!(x.is_same(&t, sort, &y), expected, "{x:?} {y:?}");
        if sort == Sort::INT {
            let [x, y] = [&x, &y].map(|x| fields(data.of_int, x));
            assert_eq!(x.is_same(&t, boxes, &y), expected, "{x:?} {y:?}");
        }
    }
    let [x, y] = [data.of_int, data.of_real].map(|ctor| fields(ctor, &line(1, 2)));
    assert!(!x.is_same(&t, boxes, &y));
    let changes = Change::Fields(vec![Change::None; 3]);
    let pair = Value::datatype(&t, data.pair, vec![Value::from(1), Value::from(4)]);
    assert_eq!(Progression::of(&pair, &changes), None);
}
