//! Terms and values of every sort go to the solver and come back.

use super::{backends, check};
use horn::smt::SatResult;
use horn::smt::process::ProcessOptions;
use horn::term::{ArrayValue, BitVec, BvOp, Evaluator, Sort, SortKind, Terms, Unspecified, Value};
use num_bigint::BigUint;

/// Lists of integers that hold trees, and trees that hold lists: mutually recursive.
fn lists(t: &Terms) -> [Sort; 2] {
    let [list, tree] = ["a list", "tree"].map(|n| t.declare_datatype(t.symbol(n), &[]));
    let (list_sort, tree_sort) = (t.datatype(list).sort, t.datatype(tree).sort);
    let head = (t.symbol("head"), tree_sort);
    let tail = (t.symbol("tail"), list_sort);
    let cons = (t.symbol("insert"), vec![head, tail]);
    t.define_datatype(list, &[(t.symbol("nil"), vec![]), cons]);
    let size = (t.symbol("size"), Sort::INT);
    let below = (t.symbol("below"), list_sort);
    t.define_datatype(tree, &[(t.symbol("node"), vec![size, below])]);
    [list_sort, tree_sort]
}

/// Some values of a sort, none nested deeply.
fn examples(t: &Terms, sort: Sort) -> Vec<Value> {
    match t.sort_kind(sort) {
        SortKind::BitVec(width) => [0_u32, 5, 255]
            .map(|n| Value::from(BitVec::new(BigUint::from(n), *width)))
            .to_vec(),
        SortKind::Array(index, element) => {
            let (index, elements) = (examples(t, *index), examples(t, *element));
            let constant = ArrayValue::constant(t, sort, elements[0].clone());
            let ends = index.into_iter().zip(elements.into_iter().rev());
            vec![
                Value::Array(constant.clone()),
                Value::Array(constant.store(t, ends)),
            ]
        }
        SortKind::Datatype(id) => {
            let [nil, cons] = t.datatype(*id).ctors() else {
                let node = t.datatype(*id).ctors()[0];
                let nil = t.default_value(t.selector(t.ctor(node).fields[1]).sort);
                return vec![Value::datatype(
                    t,
                    node,
                    vec![Value::from(-7), nil.expect("it has values")],
                )];
            };
            let nil = Value::datatype(t, *nil, vec![]);
            let tree = t.selector(t.ctor(*cons).fields[0]).sort;
            let tree = examples(t, tree)[0].clone();
            let one = Value::datatype(t, *cons, vec![tree.clone(), nil.clone()]);
            let two = Value::datatype(t, *cons, vec![tree, one.clone()]);
            vec![nil, one, two]
        }
        SortKind::Bool => vec![Value::from(false), Value::from(true)],
        _ => vec![Value::from(0), Value::from(-1), Value::from(i64::MAX)],
    }
}

#[test]
fn values_of_every_sort_come_back() {
    for (name, backend) in backends(&ProcessOptions::default()) {
        let t = Terms::new();
        let [list, tree] = lists(&t);
        let bits = t.bitvec_sort(8);
        let row = t.array_sort(Sort::INT, Sort::REAL);
        let matrix = t.array_sort(bits, t.array_sort(Sort::INT, Sort::BOOL));
        let of_lists = t.array_sort(Sort::INT, list);
        let mut s = backend.solver(&t, "values");
        for sort in [
            Sort::BOOL,
            Sort::INT,
            Sort::REAL,
            bits,
            row,
            matrix,
            list,
            tree,
            of_lists,
        ] {
            let x = t.var("x", sort);
            for value in examples(&t, sort) {
                let is_value = t.eq(x, t.value_term(&value, sort));
                assert_eq!(check(&mut *s, &[is_value]), SatResult::Sat, "{name}");
                assert_eq!(s.values(&[x]), Ok(vec![value]), "{name}");
            }
        }
        assert_eq!(backend.statistics().processes.starts, 1, "{name}");
    }
}

/// A datatype may have arrays over another one: Z3 takes that only where the two are declared one
/// after the other.
#[test]
fn a_datatype_as_the_index_of_an_array_in_another_one() {
    for (name, backend) in backends(&ProcessOptions::default()) {
        let t = Terms::new();
        let [input, table] = ["input", "table"].map(|name| t.declare_datatype(t.symbol(name), &[]));
        let (input_sort, table_sort) = (t.datatype(input).sort, t.datatype(table).sort);
        let outputs = t.array_sort(input_sort, Sort::INT);
        let words = t.array_sort(Sort::INT, Sort::INT);
        // The user's order is the wrong one.
        t.define_datatype(
            table,
            &[(t.symbol("table"), vec![(t.symbol("outputs"), outputs)])],
        );
        t.define_datatype(
            input,
            &[(t.symbol("input"), vec![(t.symbol("words"), words)])],
        );
        let [x, y] = ["x", "y"].map(|n| t.var(n, input_sort));
        let h = t.var("h", table_sort);
        let field = t.ctor(t.datatype(table).ctors()[0]).fields[0];
        let hash = |of| t.select(t.field(field, h), of);
        let mut s = backend.solver(&t, "hash");
        s.assert(t.lt(hash(x), hash(y)));
        assert_eq!(check(&mut *s, &[]), SatResult::Sat, "{name}");
        assert_eq!(check(&mut *s, &[t.eq(x, y)]), SatResult::Unsat, "{name}");
    }
}

#[test]
fn elements_of_uninterpreted_sorts() {
    for (name, backend) in backends(&ProcessOptions::default()) {
        let t = Terms::new();
        let sort = t.sort(SortKind::Uninterpreted(t.symbol("a set"), [].into()));
        let f = t.declare(t.symbol("f"), &[sort, Sort::INT], sort);
        let [x, y, z] = ["x", "y", "z"].map(|name| t.var(name, sort));
        let mut s = backend.solver(&t, "elements");
        s.assert(t.distinct(&[x, y]));
        s.assert(t.eq(t.apply(f, &[x, t.int(3)]), z));
        s.assert(t.eq(z, y));
        assert_eq!(check(&mut *s, &[]), SatResult::Sat, "{name}");
        let values = s.values(&[x, y, z]).expect("values");
        assert!(
            values[0] != values[1] && values[1] == values[2],
            "{name}: {values:?}"
        );
    }
}

#[test]
fn what_cannot_be_represented_is_refused_and_the_session_goes_on() {
    for (name, backend) in backends(&ProcessOptions::default()) {
        if name != "z3" {
            continue; // cvc5 1.0 does not decide this
        }
        let t = Terms::new();
        let r = t.var("r", Sort::REAL);
        let mut s = backend.solver(&t, "irrational");
        s.assert(t.eq(t.mul([r, r]), t.real(2.into())));
        assert_eq!(check(&mut *s, &[]), SatResult::Sat, "{name}");
        assert!(s.values(&[r]).is_err(), "{name}");
        assert_eq!(
            check(&mut *s, &[t.lt(t.real(3.into()), r)]),
            SatResult::Unsat
        );
        assert_eq!(backend.statistics().processes.starts, 1, "{name}");
    }
}

/// Every operator means the same to the solver as to the evaluator.
#[test]
fn operators_mean_what_the_evaluator_says() {
    for (name, backend) in backends(&ProcessOptions::default()) {
        let t = Terms::new();
        let [list, _] = lists(&t);
        let bits = t.bitvec_sort(8);
        let row = t.array_sort(Sort::INT, Sort::INT);
        let [x, y] = ["x", "y"].map(|n| t.var(n, Sort::INT));
        let (r, p) = (t.var("r", Sort::REAL), t.var("p", Sort::BOOL));
        let [v, w] = ["v", "w"].map(|n| t.var(n, bits));
        let (a, l) = (t.var("a", row), t.var("l", list));
        let [_, cons] = *t.datatype(t.datatype_of(list).expect("a list")).ctors() else {
            panic!("two constructors")
        };
        let head = t.ctor(cons).fields[0];
        let mut roots = vec![
            t.idiv(x, t.int(-3)),
            t.modulo(x, t.int(-3)),
            t.abs(x),
            t.add([x, t.mul([x, y]), t.int(-4)]),
            t.div(r, t.real(3.into())),
            t.to_int(r),
            t.is_int(r),
            t.add([t.to_real(x), r]),
            t.ite(p, x, y),
            t.select(t.store(a, x, y), t.int(2)),
            t.store(a, x, t.int(9)),
            t.is(cons, l),
            t.construct(cons, &[t.field(head, l), l]),
            t.eq(v, w),
            t.xor(p, t.lt(x, y)),
        ];
        if name == "z3" {
            roots.push(t.const_array(row, x)); // cvc5 wants a value there
        }
        use BvOp::*;
        let binary = [
            And, Or, Xor, Add, Mul, Udiv, Urem, Sdiv, Srem, Smod, Shl, Lshr, Ashr, Concat, Ult,
            Ule, Slt, Sle, Comp,
        ];
        roots.extend(binary.map(|op| t.bv(op, &[v, w])));
        let unary = [
            Not,
            Neg,
            Extract { hi: 5, lo: 2 },
            ZeroExtend(3),
            SignExtend(3),
            RotateLeft(3),
            RotateRight(3),
            Repeat(2),
            ToNat,
        ];
        roots.extend(unary.map(|op| t.bv(op, &[v])));
        roots.push(t.bv(FromInt(5), &[x]));
        let vars = t.vars(roots.iter().copied());
        let mut s = backend.solver(&t, "operators");
        s.assert(t.is(cons, l));
        for (i, n) in [(7, 2), (-8, 3), (0, -1)] {
            let chosen = [
                t.eq(x, t.int(i)),
                t.eq(y, t.int(n)),
                t.eq(r, t.div(t.to_real(t.int(i)), t.real(2.into()))),
                t.eq(v, t.bitvec(&(i * 31).into(), 8)),
                t.eq(w, t.bitvec(&n.into(), 8)),
                if n > 2 { p } else { t.not(p) },
            ];
            assert_eq!(check(&mut *s, &chosen), SatResult::Sat, "{name}");
            let values = s.values(&vars).expect("values");
            let assignment = std::iter::zip(vars.iter().copied(), values);
            let mut evaluator = Evaluator::with(&t, Unspecified::Refuse, assignment);
            let said = s.values(&roots).expect("values");
            for (&root, said) in std::iter::zip(&roots, said) {
                let ours = evaluator.eval(root);
                assert_eq!(ours, Ok(said), "{name}: {} with {i}, {n}", t.display(root));
            }
        }
    }
}
