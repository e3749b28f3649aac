//! Arrays, datatypes and bit-vectors, all of them over small finite sorts, but for lists.

use horn::logic::{Valuation, project};
use horn::term::{BvOp, CtorId, SelectorId, Sort, Term, Terms, Value};
use num_bigint::BigInt;
use proptest::prelude::*;

/// No list in a model is longer; lists of witnesses may be.
const LENGTH: usize = 3;
const WITNESS_LENGTH: usize = 6;

/// The sorts, and what makes their terms.
struct Signature<'t> {
    t: &'t Terms,
    index: Sort,
    bits: Sort,
    array: Sort,
    matrix: Sort,
    pair: (Sort, CtorId, [SelectorId; 2]),
    option: (Sort, [CtorId; 2], SelectorId),
    list: (Sort, [CtorId; 2], [SelectorId; 2]),
}

impl<'t> Signature<'t> {
    fn new(t: &'t Terms) -> Self {
        let (index, bits) = (t.bitvec_sort(1), t.bitvec_sort(2));
        let array = t.array_sort(index, bits);
        let matrix = t.array_sort(index, array);
        let symbol = |name| t.symbol(name);
        let [pair, option, list] =
            ["pair", "option", "list"].map(|name| t.declare_datatype(symbol(name), &[]));
        let fields = vec![(symbol("first"), bits), (symbol("second"), array)];
        t.define_datatype(pair, &[(symbol("both"), fields)]);
        let some = vec![(symbol("value"), bits)];
        t.define_datatype(option, &[(symbol("none"), vec![]), (symbol("some"), some)]);
        let list_sort = t.datatype(list).sort;
        let cons = vec![(symbol("head"), index), (symbol("tail"), list_sort)];
        t.define_datatype(list, &[(symbol("nil"), vec![]), (symbol("cons"), cons)]);
        let ctors = |id| t.datatype(id).ctors();
        let selectors = |ctor| &t.ctor(ctor).fields;
        let (both, some, cons) = (ctors(pair)[0], ctors(option)[1], ctors(list)[1]);
        Signature {
            t,
            index,
            bits,
            array,
            matrix,
            pair: (
                t.datatype(pair).sort,
                both,
                [selectors(both)[0], selectors(both)[1]],
            ),
            option: (
                t.datatype(option).sort,
                [ctors(option)[0], some],
                selectors(some)[0],
            ),
            list: (
                list_sort,
                [ctors(list)[0], cons],
                [selectors(cons)[0], selectors(cons)[1]],
            ),
        }
    }

    fn sorts(&self) -> [Sort; 7] {
        [
            self.index,
            self.bits,
            self.array,
            self.matrix,
            self.pair.0,
            self.option.0,
            self.list.0,
        ]
    }

    /// All values of a sort that a variable may need so that literals hold.
    fn witnesses(&self, sort: Sort) -> Vec<Value> {
        if sort == self.matrix {
            let rows = self.arrays(self.array, &self.constants(2));
            return self.ground(self.arrays(sort, &rows));
        }
        self.values(sort, WITNESS_LENGTH)
    }

    /// The values of the terms, which are ground.
    fn ground(&self, terms: Vec<Term>) -> Vec<Value> {
        let value = |term: Term| self.t.ground_value(term).expect("it is ground");
        terms.into_iter().map(value).collect()
    }

    /// The bit-vectors of a width.
    fn constants(&self, width: u32) -> Vec<Term> {
        let numbers = 0..1_i64 << width;
        numbers
            .map(|n| self.t.bitvec(&BigInt::from(n), width))
            .collect()
    }

    /// The arrays of a sort that have these elements.
    fn arrays(&self, sort: Sort, elements: &[Term]) -> Vec<Term> {
        let t = self.t;
        let [zero, one] = self.constants(1)[..] else {
            panic!("two indices")
        };
        let pairs = (elements.iter()).flat_map(|&x| elements.iter().map(move |&y| (x, y)));
        pairs
            .map(|(x, y)| t.store(t.store(t.const_array(sort, x), zero, x), one, y))
            .collect()
    }

    /// The values of a sort: of lists those of at most that length, of matrices a few, and of other
    /// sorts all.
    fn values(&self, sort: Sort, length: usize) -> Vec<Value> {
        let t = self.t;
        let terms = match sort {
            s if s == self.index => self.constants(1),
            s if s == self.bits => self.constants(2),
            s if s == self.array => self.arrays(s, &self.constants(2)),
            s if s == self.matrix => {
                let rows = self.arrays(self.array, &self.constants(2));
                self.arrays(s, &[rows[0], rows[1], rows[6], rows[11]])
            }
            s if s == self.pair.0 => {
                let (first, second) = (
                    self.constants(2),
                    self.arrays(self.array, &self.constants(2)),
                );
                let pairs = first
                    .iter()
                    .flat_map(|&x| second.iter().map(move |&y| [x, y]));
                pairs
                    .map(|fields| t.construct(self.pair.1, &fields))
                    .collect()
            }
            s if s == self.option.0 => {
                let [none, some] = self.option.1;
                let full = self
                    .constants(2)
                    .into_iter()
                    .map(|x| t.construct(some, &[x]));
                [t.construct(none, &[])].into_iter().chain(full).collect()
            }
            _ => {
                let [nil, cons] = self.list.1;
                let mut lists = vec![t.construct(nil, &[])];
                let mut from = 0;
                for _ in 0..length {
                    let tails = lists[from..].to_vec();
                    from = lists.len();
                    for head in self.constants(1) {
                        lists.extend(tails.iter().map(|&tail| t.construct(cons, &[head, tail])));
                    }
                }
                lists
            }
        };
        self.ground(terms)
    }
}

/// Terms by a sequence of choices.
struct Generator<'a, 't> {
    s: &'a Signature<'t>,
    vars: &'a [Term],
    choices: std::slice::Iter<'a, u8>,
}

impl Generator<'_, '_> {
    fn choose(&mut self, of: usize) -> usize {
        usize::from(*self.choices.next().unwrap_or(&0)) % of
    }

    fn leaf(&mut self, sort: Sort) -> Term {
        let t = self.s.t;
        let vars = self.vars.iter().copied();
        let vars: Vec<Term> = vars.filter(|&v| t.sort_of(v) == sort).collect();
        if vars.is_empty() || self.choose(5) == 0 {
            let values = self.s.values(sort, 1);
            let value = &values[self.choose(values.len())];
            return t.value_term(value, sort);
        }
        vars[self.choose(vars.len())]
    }

    fn term(&mut self, sort: Sort, depth: usize) -> Term {
        let (s, t) = (self.s, self.s.t);
        let kind = self.choose(7);
        if depth == 0 || kind < 2 {
            return self.leaf(sort);
        }
        let d = depth - 1;
        match (sort, kind) {
            (x, 2) if x == s.bits => t.select(self.term(s.array, d), self.term(s.index, d)),
            (x, 3) if x == s.bits => t.field(s.pair.2[0], self.term(s.pair.0, d)),
            (x, 4) if x == s.bits => t.field(s.option.2, self.term(s.option.0, d)),
            (x, 5) if x == s.bits => t.bv(BvOp::Add, &[self.leaf(x), self.term(x, d)]),
            (x, 6) if x == s.bits => t.bv(BvOp::Not, &[self.term(x, d)]),
            (x, 2) if x == s.index => t.field(s.list.2[0], self.term(s.list.0, d)),
            (x, 2..=4) if x == s.array => {
                t.store(self.term(x, d), self.term(s.index, d), self.term(s.bits, d))
            }
            (x, 5) if x == s.array => t.field(s.pair.2[1], self.term(s.pair.0, d)),
            (x, 6) if x == s.array => t.select(self.term(s.matrix, d), self.term(s.index, d)),
            (x, 2..=5) if x == s.matrix => t.store(
                self.term(x, d),
                self.term(s.index, d),
                self.term(s.array, d),
            ),
            (x, 6) if x == s.matrix => t.const_array(x, self.term(s.array, d)),
            (x, 2..=4) if x == s.pair.0 => {
                t.construct(s.pair.1, &[self.term(s.bits, d), self.term(s.array, d)])
            }
            (x, 2..=4) if x == s.option.0 => t.construct(s.option.1[1], &[self.term(s.bits, d)]),
            (x, 2..=3) if x == s.list.0 => {
                t.construct(s.list.1[1], &[self.term(s.index, d), self.term(x, d)])
            }
            (x, 4) if x == s.list.0 => t.field(s.list.2[1], self.term(x, d)),
            _ => self.leaf(sort),
        }
    }

    fn atom(&mut self) -> Term {
        let (s, t) = (self.s, self.s.t);
        match self.choose(10) {
            0 => t.bv(BvOp::Ult, &[self.term(s.bits, 2), self.term(s.bits, 2)]),
            1 => t.bv(BvOp::Sle, &[self.term(s.bits, 2), self.term(s.bits, 2)]),
            2 => t.is(s.option.1[1], self.term(s.option.0, 1)),
            3 => t.is(s.list.1[1], self.term(s.list.0, 2)),
            4 => t.or([self.atom(), self.atom()]),
            n => {
                // Sorts of variables mostly.
                let sort = match n {
                    5 => s.sorts()[self.choose(7)],
                    _ => {
                        let var = self.vars[self.choose(self.vars.len())];
                        t.sort_of(var)
                    }
                };
                t.eq(self.term(sort, 2), self.term(sort, 2))
            }
        }
    }
}

/// Eliminates two variables of the chosen sorts from literals over them and two others.
fn check(sorts: [usize; 4], point: [usize; 4], choices: &[u8], count: usize) {
    let t = Terms::new();
    let s = Signature::new(&t);
    let sorts = sorts.map(|i| s.sorts()[i]);
    let names = ["p", "q", "x", "y"];
    let vars: Vec<Term> = std::iter::zip(names, sorts)
        .map(|(n, sort)| t.var(n, sort))
        .collect();
    let values = sorts.map(|sort| s.values(sort, LENGTH));
    let point: Vec<&Value> = std::iter::zip(&values, point)
        .map(|(v, i)| &v[i % v.len()])
        .collect();
    let valuation = |values: &[&Value]| {
        let values = values.iter().map(|&v| v.clone());
        Valuation::new(&t, vars.iter().copied().zip(values))
    };
    let mut model = valuation(&point);
    let mut generator = Generator {
        s: &s,
        vars: &vars,
        choices: choices.iter(),
    };
    let literals: Vec<Term> = (0..count)
        .map(|_| {
            let atom = generator.atom();
            if model.holds(atom) { atom } else { t.not(atom) }
        })
        .collect();
    let gone = [vars[2], vars[3]];
    let result = t.and(project(&t, &mut model, gone, literals.clone()));
    let text = || {
        format!(
            "{} from {}",
            t.display(result),
            t.display(t.and(literals.clone()))
        )
    };
    assert!(model.holds(result), "not true in the model: {}", text());
    let only_kept = t.vars([result]).iter().all(|v| vars[..2].contains(v));
    assert!(only_kept, "other variables are left: {}", text());
    // The points around the model.
    let witnesses = [2, 3].map(|i| s.witnesses(sorts[i]));
    let changed = (0..2).flat_map(|i| values[i].iter().map(move |v| (i, v)));
    for (i, value) in changed {
        let mut around = point.clone();
        around[i] = value;
        if !valuation(&around).holds(result) {
            continue;
        }
        let pairs = witnesses[0]
            .iter()
            .flat_map(|x| witnesses[1].iter().map(move |y| (x, y)));
        let found = pairs.into_iter().any(|(x, y)| {
            let mut there = valuation(&[around[0], around[1], x, y]);
            literals.iter().all(|&l| there.holds(l))
        });
        assert!(found, "no witness at {around:?}: {}", text());
    }
}

proptest! {
    #![proptest_config(crate::harness::cases(300))]

    #[test]
    fn arrays_datatypes_and_bit_vectors(
        sorts in [0usize..7, 0usize..7, 0usize..7, 0usize..7],
        point in [0usize..999, 0usize..999, 0usize..999, 0usize..999],
        choices in prop::collection::vec(any::<u8>(), 10..80),
        count in 1usize..5,
    ) {
        // A matrix is eliminated with something small only.
        prop_assume!(!(sorts[2] >= 2 && sorts[3] >= 2 && sorts[2..].contains(&3)));
        check(sorts, point, &choices, count);
    }
}

/// The only witness is a matrix with a row that no variable of the model has.
#[test]
fn every_matrix_may_be_a_witness() {
    let choices = [
        254, 35, 25, 173, 0, 0, 0, 30, 6, 104, 0, 0, 94, 0, 0, 152, 86, 0, 0, 86, 13, 0, 0, 0, 0,
        0, 0, 4, 144, 116, 12, 191, 37, 0, 6, 0, 0, 61, 0, 0, 0, 0, 6, 0, 107, 0, 11, 0, 0, 0, 0,
        6, 51, 0, 21, 0, 0, 1, 0, 0, 0, 0, 107, 0, 80,
    ];
    check([2, 0, 0, 3], [464, 86, 0, 264], &choices, 4);
}
