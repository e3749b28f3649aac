//! Values: equality, depth, sharing, and what values a sort has.

use super::evaluation::DEPTH;
use super::text::{Text, VARS, Vocabulary};
use horn::number::Rational;
use horn::term::{Evaluator, Op, Sort, SortKind, Terms, Unspecified, Value};
use proptest::prelude::*;
use std::hash::{BuildHasher, RandomState};

/// A value is the value of the term that denotes it.
pub(crate) fn assert_term_of_value(t: &Terms, value: &Value, sort: Sort) {
    let again = t
        .ground_value(t.value_term(value, sort))
        .expect("a ground term");
    assert!(again == *value, "{again:?} is not {value:?}");
    let hasher = RandomState::new();
    assert_eq!(hasher.hash_one(&again), hasher.hash_one(value));
}

/// The variables of the vocabulary cover every kind of sort; each has a default value, and it is of
/// the sort.
#[test]
fn default_values() {
    let vocabulary = Vocabulary::new();
    let t = &vocabulary.terms;
    for (sort, expected) in [
        ("Bool", "false"),
        ("Int", "0"),
        ("Real", "0.0"),
        ("(_ BitVec 8)", "#x00"),
        ("(Array Int Bool)", "((as const (Array Int Bool)) false)"),
        ("List", "nil"),
        ("Color", "red"),
        ("Box", "(box red false)"),
        ("Tree", "(leaf 0)"),
        ("U", "U!val!0"),
    ] {
        let sort = vocabulary.sort(&Text::parse(sort));
        let value = t.default_value(sort).expect("a value");
        assert!(value.is_of(t, sort));
        assert_eq!(t.display(t.value_term(&value, sort)).to_string(), expected);
    }
    for (var, _) in VARS {
        let sort = t.sort_of(vocabulary.var(var));
        let value = t.default_value(sort).expect("a value");
        assert_term_of_value(t, &value, sort);
    }
}

#[test]
fn datatypes_without_a_value_have_no_default() {
    let t = Terms::new();
    let [endless, mutual, other] =
        ["E", "M", "O"].map(|name| t.declare_datatype(t.symbol(name), &[]));
    let sort = |id| t.datatype(id).sort;
    let field = |name: &str, id| vec![(t.symbol(name), sort(id))];
    t.define_datatype(endless, &[(t.symbol("more"), field("next", endless))]);
    t.define_datatype(mutual, &[(t.symbol("m"), field("of_m", other))]);
    t.define_datatype(
        other,
        &[
            (t.symbol("o"), field("of_o", mutual)),
            (t.symbol("end"), vec![]),
        ],
    );
    assert!(t.default_value(sort(endless)).is_none());
    assert!(
        t.default_value(t.array_sort(Sort::INT, sort(endless)))
            .is_none()
    );
    let value = t.default_value(sort(mutual)).expect("m of end");
    assert_eq!(
        t.display(t.value_term(&value, sort(mutual))).to_string(),
        "(m end)"
    );
}

#[test]
fn cardinalities() {
    let vocabulary = Vocabulary::new();
    for (sort, expected) in [
        ("Bool", Some(2)),
        ("Int", None),
        ("U", None),
        ("(_ BitVec 8)", Some(256)),
        ("(_ BitVec 63)", Some(1 << 63)),
        ("(_ BitVec 64)", None),
        ("Color", Some(3)),
        ("Box", Some(6)),
        ("List", None),
        ("Tree", None),
        ("(Array Bool Color)", Some(9)),
        ("(Array Box Bool)", Some(64)),
        ("(Array Int Bool)", None),
        ("(Array (Array Box Bool) Bool)", None),
    ] {
        let sort = vocabulary.sort(&Text::parse(sort));
        assert_eq!(vocabulary.terms.cardinality(sort), expected);
    }
    let t = Terms::new();
    let unit = t.declare_datatype(t.symbol("Unit"), &[]);
    t.define_datatype(unit, &[(t.symbol("unit"), vec![])]);
    let unit = t.datatype(unit).sort;
    assert_eq!(t.cardinality(t.array_sort(Sort::INT, unit)), Some(1));
    let by_unit = t.array_sort(t.array_sort(Sort::INT, unit), Sort::INT);
    assert_eq!(t.cardinality(by_unit), None);
    // The only index is stored to, so the default does not matter.
    let array = |n: i64| Value::const_array(&t, by_unit, n.into());
    let index = t
        .default_value(t.array_sort(Sort::INT, unit))
        .expect("a value");
    let stored = array(1)
        .as_array()
        .expect("an array")
        .clone()
        .store(&t, [(index, 2_i64.into())]);
    assert!(Value::Array(stored) == array(2));
}

/// A list of that many numbers, built without recursion.
fn long_list(vocabulary: &mut Vocabulary, length: usize) -> Value {
    let cons = vocabulary.term(&Text::parse("(cons 0 nil)"));
    let t = &vocabulary.terms;
    let Op::Construct(cons) = t.op(cons) else {
        panic!("a constructor term")
    };
    let nil = t.default_value(t.ctor_sort(cons)).expect("nil");
    (0..length).fold(nil, |tail, _| {
        Value::datatype(t, cons, vec![1_i64.into(), tail])
    })
}

#[test]
fn deep_values() {
    let mut vocabulary = Vocabulary::new();
    let (one, other) = (
        long_list(&mut vocabulary, DEPTH),
        long_list(&mut vocabulary, DEPTH),
    );
    let longer = long_list(&mut vocabulary, DEPTH + 1);
    assert!(one == other && one != longer && one.clone() <= other && one.cmp(&longer).is_ne());
    assert!(format!("{one:?}").len() < 20_000);
    let t = &vocabulary.terms;
    let sort = vocabulary.sort(&Text::atom("List"));
    assert_term_of_value(t, &one, sort);
    // Arrays in between: a tree with one branch.
    let tree = vocabulary.sort(&Text::atom("Tree"));
    let kids = t.array_sort(Sort::INT, tree);
    let datatype = t.datatype(t.datatype_of(tree).expect("a datatype"));
    let deep_tree = || {
        let leaf = t.default_value(tree).expect("a leaf");
        (0..DEPTH).fold(leaf.clone(), |kid, _| {
            let array = Value::const_array(t, kids, leaf.clone());
            let array = array.as_array().expect("an array").clone();
            let array = array.store(t, [(1_i64.into(), kid)]);
            Value::datatype(t, datatype.ctors()[0], vec![Value::Array(array)])
        })
    };
    assert!(deep_tree() == deep_tree());
}

/// Values that share their parts cost what their graph has: here 2^100 leaves.
#[test]
fn values_with_shared_parts() {
    let t = Terms::new();
    let pair = t.declare_datatype(t.symbol("Pair"), &[]);
    let sort = t.datatype(pair).sort;
    let both = vec![(t.symbol("left"), sort), (t.symbol("right"), sort)];
    t.define_datatype(
        pair,
        &[(t.symbol("none"), vec![]), (t.symbol("pair"), both)],
    );
    let [none, pair] = *t.datatype(pair).ctors() else {
        panic!("two constructors")
    };
    let build = || {
        let none = Value::datatype(&t, none, vec![]);
        (0..100).fold(none, |x, _| Value::datatype(&t, pair, vec![x.clone(), x]))
    };
    let (one, other) = (build(), build());
    assert!(one == other);
    assert!(format!("{one:?}").ends_with('…'));
    assert_term_of_value(&t, &one, sort);
}

#[test]
fn ill_sorted_values_are_refused() {
    let t = Terms::new();
    let (x, e) = (
        t.var("x", Sort::INT),
        t.sort(SortKind::Uninterpreted(t.symbol("U"), [].into())),
    );
    let half = || Value::Number(Rational::new(1, 2));
    assert!(half().is_of(&t, Sort::REAL) && !half().is_of(&t, Sort::INT));
    assert!(!Value::Element { sort: e, index: 0 }.is_of(&t, Sort::INT));
    let assign = std::panic::AssertUnwindSafe(|| {
        Evaluator::new(&t, Unspecified::Refuse).assign(x, half());
    });
    assert!(std::panic::catch_unwind(assign).is_err());
}

proptest! {
    #![proptest_config(crate::harness::cases(500))]

    /// Arrays over a finite sort are equal exactly if they are equal everywhere, and a store
    /// changes one place.
    #[test]
    fn finite_arrays_are_functions(
        bits in 1..4_u32,
        changes in prop::collection::vec((0..2_usize, 0..8_i64, 0..3_i64), 0..40),
    ) {
        let t = Terms::new();
        let size = 1_i64 << bits;
        let sort = t.array_sort(t.bitvec_sort(bits), Sort::INT);
        let index = |i: i64| t.ground_value(t.bitvec(&i.into(), bits)).expect("a constant");
        let constant = |n: i64| Value::const_array(&t, sort, n.into()).as_array().expect("an array").clone();
        let mut arrays = [constant(0), constant(1)];
        let mut tables = [vec![0; 8], vec![1; 8]];
        for (which, i, element) in changes {
            let i = i % size;
            arrays[which] = arrays[which].clone().store(&t, [(index(i), element.into())]);
            tables[which][usize::try_from(i).expect("small")] = element;
            let agree = tables[0][..1 << bits] == tables[1][..1 << bits];
            let [a, b] = arrays.clone().map(Value::Array);
            prop_assert_eq!(a == b, agree);
            let hasher = RandomState::new();
            prop_assert!(!agree || hasher.hash_one(&a) == hasher.hash_one(&b));
        }
        for (array, table) in arrays.iter().zip(&tables) {
            for i in 0..size {
                let expected = Value::from(table[usize::try_from(i).expect("small")]);
                prop_assert_eq!(array.select(&index(i)), &expected);
            }
        }
    }
}
