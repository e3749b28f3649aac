//! Linear equations of words of three bits: every state of three words is tried.

use horn::absint::{
    ClausePost, Domain, Growth, Precision, Space, Thresholds, WordEquations, word_equations,
};
use horn::smt::native::NativeOptions;
use horn::smt::{Backend, Limit};
use horn::smtlib::{Source, read_system};
use horn::term::{BitVec, Evaluator, Term, Terms, Unspecified, Value};
use num_bigint::BigInt;
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

type State = [i64; 3];

/// The space of three words.
fn space(t: &Terms) -> Space {
    let params = ["x", "y", "z"].map(|name| t.var(name, t.bitvec_sort(3)));
    let thresholds = Arc::new(Thresholds::default());
    Space::new(t, params.to_vec(), Precision::Equations, &thresholds).with_words(t)
}

fn word(value: i64) -> Value {
    Value::BitVec(BitVec::from_int(&BigInt::from(value), 3))
}

fn states() -> impl Iterator<Item = State> {
    (0..512).map(|n| [n / 64, n / 8 % 8, n % 8])
}

/// The states of a formula over the parameters of the space.
fn states_of(t: &Terms, space: &Space, formula: Term) -> BTreeSet<State> {
    let holds = |state: &State| {
        let values = state.map(word);
        let pairs = space.params().iter().copied().zip(values);
        Evaluator::with(t, Unspecified::Refuse, pairs).holds(formula)
    };
    states().filter(holds).collect()
}

fn element(space: &Space, points: &[State]) -> WordEquations {
    let mut element = WordEquations::bottom(space);
    for point in points {
        let point = space.point(&point.map(|x| Some(word(x))));
        element.join(&WordEquations::of_point(space, &point), space);
    }
    element
}

/// The least set that has these states, and with x, y and z also x + y - z: the states of all
/// equations that hold of the given ones.
fn affine_hull(points: &[State]) -> BTreeSet<State> {
    let mut hull: BTreeSet<State> = points.iter().copied().collect();
    let Some(&origin) = points.first() else {
        return hull;
    };
    let mut todo: Vec<State> = points.to_vec();
    while let Some(x) = todo.pop() {
        for point in points {
            let sum: State = std::array::from_fn(|i| (x[i] + point[i] - origin[i]).rem_euclid(8));
            if hull.insert(sum) {
                todo.push(sum);
            }
        }
    }
    hull
}

fn points() -> impl Strategy<Value = Vec<State>> {
    vec([0_i64..8, 0_i64..8, 0_i64..8], 0..4)
}

proptest! {
    #![proptest_config(crate::harness::cases(200))]
    #[test]
    fn joins_are_affine_hulls(one in points(), other in points()) {
        let t = Terms::new();
        let space = space(&t);
        let mut joined = element(&space, &one);
        joined.join(&element(&space, &other), &space);
        let all = [one.clone(), other.clone()].concat();
        prop_assert_eq!(states_of(&t, &space, joined.to_term(&t, &space)), affine_hull(&all));
        prop_assert_eq!(&joined, &element(&space, &all), "each set of states has one form");
        // The order is the inclusion of states.
        let [a, b] = [&one, &other].map(|points| element(&space, points));
        prop_assert_eq!(a.le(&b, &space), affine_hull(&one).is_subset(&affine_hull(&other)));
        let mut forgotten = a.clone();
        forgotten.forget(&space, 1);
        let any_y = |&[x, _, z]: &State| (0..8).map(move |y| [x, y, z]);
        let expected: BTreeSet<State> = affine_hull(&one).iter().flat_map(any_y).collect();
        let found = states_of(&t, &space, forgotten.to_term(&t, &space));
        prop_assert_eq!(found, expected);
    }
}

/// A clause with two branches: if x is at most a, x grows by b, and y and z become sums, else z
/// becomes a product.
fn clause([a, b, c, d]: [i64; 4]) -> String {
    let [a, b, c, d] = [a, b, c, d].map(|n| format!("#b{n:03b}"));
    format!(
        "(declare-fun p ((_ BitVec 3) (_ BitVec 3) (_ BitVec 3)) Bool)
        (assert (forall ((x (_ BitVec 3)) (y (_ BitVec 3)) (z (_ BitVec 3))
            (u (_ BitVec 3)) (v (_ BitVec 3)))
          (=> (and (p x y z) (or
              (and (bvule x {a}) (= u (bvadd x (bvmul {c} y) z)) (= (bvmul {d} v) (bvadd y z)))
              (and (bvugt x {a}) (= (bvadd u {b}) y) (= v (bvmul x y)))))
            (p (ite (bvule x {a}) (bvadd x {b}) z) u v))))"
    )
}

/// The states that the clause derives from one.
fn derived([a, b, c, d]: [i64; 4], [x, y, z]: State) -> Vec<State> {
    match x <= a {
        true => (0..8)
            .filter(|v| (d * v - y - z).rem_euclid(8) == 0)
            .map(|v| [(x + b).rem_euclid(8), (x + c * y + z).rem_euclid(8), v])
            .collect(),
        false => vec![[z, (y - b).rem_euclid(8), (x * y).rem_euclid(8)]],
    }
}

proptest! {
    #![proptest_config(crate::harness::cases(100))]
    #[test]
    fn posts_have_what_is_derived_and_are_closed(
        numbers in [0_i64..8, 0_i64..8, 0_i64..8, 0_i64..8],
        premise in points(),
        into in points(),
    ) {
        let t = Terms::new();
        let space = space(&t);
        let system = read_system(&t, &Source::from_text("test", clause(numbers)));
        let system = system.expect("it is right");
        let backend = Backend::native(NativeOptions::for_engines());
        let mut post = ClausePost::new(&t, &system.clauses[0], &backend, &Limit::none())
            .expect("it has a head");
        let from = element(&space, &premise);
        let before = element(&space, &into);
        let mut result = before.clone();
        let grew = result.post(&space, &mut post, &[(&from, &space)], Growth::Join);
        prop_assert_eq!(grew, Ok(!result.le(&before, &space)));
        let found = states_of(&t, &space, result.to_term(&t, &space));
        prop_assert!(affine_hull(&into).is_subset(&found));
        for state in affine_hull(&premise) {
            for next in derived(numbers, state) {
                prop_assert!(found.contains(&next), "{:?} of {:?}", next, state);
            }
        }
        let again = result.clone().post(&space, &mut post, &[(&from, &space)], Growth::Join);
        prop_assert_eq!(again, Ok(false));
    }

    /// The fixpoint of the clause, from a first state.
    #[test]
    fn equations_hold_of_what_is_derivable(
        numbers in [0_i64..8, 0_i64..8, 0_i64..8, 0_i64..8],
        first in [0_i64..8, 0_i64..8, 0_i64..8],
    ) {
        let t = Terms::new();
        let [x, y, z] = first.map(|n| format!("#b{n:03b}"));
        let text = format!("{}(assert (p {x} {y} {z}))", clause(numbers));
        let system = read_system(&t, &Source::from_text("test", &text)).expect("it is right");
        let backend = Backend::native(NativeOptions::for_engines());
        let params = space(&t).params().to_vec();
        let known = word_equations(&t, &system, |_| params.clone(), &backend, &Limit::none());
        let known = known.expect("no limit").expect("there are words");
        let found = states_of(&t, &space(&t), t.and(known[0].literals(&t)));
        let (mut all, mut todo) = (BTreeSet::from([first]), vec![first]);
        while let Some(state) = todo.pop() {
            todo.extend(derived(numbers, state).into_iter().filter(|&next| all.insert(next)));
        }
        prop_assert!(all.is_subset(&found));
    }
}
