//! The laws of abstract domains, with random elements of each domain.

use horn::absint::{
    Beside, Bounds, ClausePost, Congruences, Domain, Equalities, Growth, Intervals,
    InvariantDomain, Octagons, Partition, Polyhedra, Precision, Product, Rounds, Space, Thresholds,
    conditions, guards,
};
use horn::smt::native::NativeOptions;
use horn::smt::{Backend, Limit};
use horn::smtlib::{Source, read_system};
use horn::term::{Evaluator, Sort, Term, Terms, Unspecified, Value};
use proptest::collection::vec;
use proptest::prelude::*;
use std::sync::Arc;

type Both = Product<Equalities, Bounds>;
type All = Product<Product<Product<Intervals<3>, Octagons>, Polyhedra>, Congruences>;
/// Values of x, y and b; `None` is a value that is not known.
type Coordinates = (i64, Option<i64>, bool);

/// A clause whose constants are thresholds.
const CLAUSE: &str = "(declare-fun p (Int Int Bool) Bool)
    (assert (forall ((x Int) (y Int) (b Bool)) (=> (and (p x y b) (< x 3) (< y 7)
      (or b (< x y))) false)))";

/// A store, and the space of a predicate of an integer x, an integer y and a truth value b.
fn space() -> (Terms, Space) {
    let t = Terms::new();
    let system = read_system(&t, &Source::from_text("test", CLAUSE)).expect("it is right");
    let thresholds = Arc::new(Thresholds::of(&t, &system));
    let params = [("x", Sort::INT), ("y", Sort::INT), ("b", Sort::BOOL)];
    let params = params.map(|(name, sort)| t.var(name, sort)).to_vec();
    let pred = horn::chc::PredId(0);
    let guards = guards(&t, &system, pred, &params);
    let conditions = conditions(&t, &system, pred, &params);
    let space = Space::new(&t, params, Precision::Bounds, &thresholds);
    (t, space.with_guards(guards).with_conditions(conditions))
}

fn values((x, y, b): Coordinates) -> [Option<Value>; 3] {
    let number = |n: i64| Value::Number(n.into());
    [Some(number(x)), y.map(number), Some(Value::Bool(b))]
}

fn contains(t: &Terms, space: &Space, formula: Term, (x, y, b): (i64, i64, bool)) -> bool {
    let values = values((x, Some(y), b)).into_iter().flatten();
    let pairs = space.params().iter().copied().zip(values);
    Evaluator::with(t, Unspecified::Refuse, pairs).holds(formula)
}

/// The states near the origin.
fn states() -> impl Iterator<Item = (i64, i64, bool)> {
    let pairs = (-6..=6).flat_map(|x| (-6..=6).map(move |y| (x, y)));
    pairs.flat_map(|(x, y)| [(x, y, false), (x, y, true)])
}

/// The element that the points make, the later ones by widening; without any it has no states.
fn element<D: Domain>(space: &Space, joined: &[Coordinates], widened: &[Coordinates]) -> D {
    let mut element = D::bottom(space);
    for &point in joined {
        element.join(&D::of_point(space, &space.point(&values(point))), space);
    }
    for &point in widened {
        element.widen(&D::of_point(space, &space.point(&values(point))), space);
    }
    element
}

/// The laws of three elements.
fn laws<D: Domain>(space: &Space, t: &Terms, elements: &[D; 3]) -> Result<(), TestCaseError> {
    let [a, b, c] = elements;
    let le = |a: &D, b: &D| a.le(b, space);
    let (bottom, top) = (D::bottom(space), D::top(space));
    prop_assert!(bottom.is_bottom() && !top.is_bottom());
    prop_assert!(le(a, a) && le(&bottom, a) && le(a, &top));
    prop_assert!(!le(b, c) || !le(a, b) || le(a, c), "transitive");
    let join = |a: &D, b: &D| {
        let mut joined = a.clone();
        joined.join(b, space);
        joined
    };
    let ab = join(a, b);
    prop_assert!(
        le(a, &ab) && le(b, &ab),
        "{:?} is no upper bound of {:?}, {:?}",
        ab,
        a,
        b
    );
    prop_assert!(le(a, &join(&ab, c)), "transitive through joins");
    prop_assert!(le(&join(a, &bottom), a) && le(&top, &join(a, &top)));
    let mut widened = a.clone();
    widened.widen(b, space);
    prop_assert!(
        le(a, &widened) && le(b, &widened),
        "{:?} of {:?}, {:?}",
        widened,
        a,
        b
    );
    let mut forgotten = a.clone();
    forgotten.forget(space, 1);
    prop_assert!(le(a, &forgotten));
    // What the order says is so of the states near the origin.
    let formulas = [a, b, &ab].map(|e| e.to_term(t, space));
    for (x, y) in [(a, b), (b, a)] {
        if le(x, y) {
            let [x, y] = [x, y].map(|e| e.to_term(t, space));
            for state in states().filter(|&s| contains(t, space, x, s)) {
                prop_assert!(contains(t, space, y, state), "{:?}", state);
            }
        }
    }
    for state in states() {
        let [in_a, in_b, in_ab] = formulas.map(|f| contains(t, space, f, state));
        prop_assert!(in_ab || !in_a && !in_b, "{:?}", state);
    }
    Ok(())
}

fn points() -> impl Strategy<Value = Vec<Coordinates>> {
    let y = prop_oneof![8 => (-4_i64..=4).prop_map(Some), 1 => Just(None)];
    vec((-4_i64..=4, y, any::<bool>()), 0..5)
}

fn check_laws<D: Domain>(
    all: &[(Vec<Coordinates>, Vec<Coordinates>); 3],
) -> Result<(), TestCaseError> {
    let (t, space) = space();
    let elements = all
        .each_ref()
        .map(|(joined, widened)| element::<D>(&space, joined, widened));
    laws(&space, &t, &elements)?;
    for ((joined, widened), element) in all.iter().zip(&elements) {
        let formula = element.to_term(&t, &space);
        for &(x, y, b) in joined.iter().chain(widened) {
            if let Some(y) = y {
                prop_assert!(contains(&t, &space, formula, (x, y, b)), "{:?}", (x, y, b));
            }
        }
    }
    Ok(())
}

/// Ever greater points change an element so often at most.
#[track_caller]
fn check_widening<D: Domain>(at_most: usize) {
    let (_, space) = space();
    let mut element = D::bottom(&space);
    let mut changes = 0;
    for n in 0..1_000 {
        let before = element.clone();
        let point = space.point(&values((n, Some(-n * n), n % 2 == 0)));
        element.widen(&D::of_point(&space, &point), &space);
        changes += usize::from(!element.le(&before, &space));
    }
    assert!(changes <= at_most, "{changes} changes");
    assert!(!element.is_bottom());
}

#[test]
fn widening_stabilises() {
    // Three equations go; two numbers move each of their two bounds at most eight times, two sums
    // at most four times; the first point is no move.
    let moves = 2 * 2 * (8 + 4);
    check_widening::<Equalities>(1 + 3);
    check_widening::<Bounds>(1 + moves);
    check_widening::<Both>(1 + 3 + moves);
    // Two equations of numbers become at most four inequalities, and eight widenings exchange some.
    check_widening::<Polyhedra>(1 + 8 + 4);
    // Three moves of each number, and then one that gives up both bounds and all gaps.
    check_widening::<Intervals<1>>(1 + 2 * (3 + 2));
    check_widening::<Intervals<3>>(1 + 2 * (3 + 2));
    // The moduli of three forms go down to 1.
    check_widening::<Congruences>(1 + 4 * 4);
    // Three moves, and then eight bounds go.
    check_widening::<Octagons>(1 + 3 + 8);
}

/// An integer as SMT-LIB writes it.
fn number(n: i64) -> String {
    match n < 0 {
        true => format!("(- {})", -n),
        false => n.to_string(),
    }
}

/// The clause `p(x, y, b) ∧ a·x ≤ c ⇒ p(x + d·y, e·y + f, b)`.
fn clause(coefficients: [i64; 5]) -> String {
    let [a, c, d, e, f] = coefficients.map(number);
    format!(
        "(declare-fun p (Int Int Bool) Bool)
         (assert (forall ((x Int) (y Int) (b Bool)) (=> (and (p x y b) (<= (* {a} x) {c}))
           (p (+ x (* {d} y)) (+ (* {e} y) {f}) b))))"
    )
}

/// Each state that the clause derives from the premise's element is in the result.
fn check_post<D: Domain>(
    coefficients: [i64; 5],
    premise: &[Coordinates],
    into: &[Coordinates],
    growth: Growth,
) -> Result<(), TestCaseError> {
    let (t, space) = space();
    let text = clause(coefficients);
    let system = read_system(&t, &Source::from_text("test", &text)).expect("it is right");
    let backend = Backend::native(NativeOptions::for_engines());
    if system.clauses.is_empty() {
        // The constraint is never true.
        return Ok(());
    }
    let mut post =
        ClausePost::new(&t, &system.clauses[0], &backend, &Limit::none()).expect("a head");
    let premise: D = element(&space, premise, &[]);
    let before: D = element(&space, into, &[]);
    let mut result = before.clone();
    let premises = [(&premise, &space)];
    let grew = result
        .post(&space, &mut post, &premises, growth)
        .expect("no limit");
    prop_assert!(before.le(&result, &space));
    prop_assert_eq!(grew, !result.le(&before, &space));
    let [a, c, d, e, f] = coefficients;
    let from = premise.to_term(&t, &space);
    let to = result.to_term(&t, &space);
    for (x, y, b) in states().filter(|&s| contains(&t, &space, from, s)) {
        if a * x <= c {
            let state = (x + d * y, e * y + f, b);
            prop_assert!(
                contains(&t, &space, to, state),
                "{:?} of {:?}",
                state,
                (x, y, b)
            );
        }
    }
    // The solver has nothing left of the question: closed is closed.
    let again = result.clone().post(&space, &mut post, &premises, growth);
    prop_assert_eq!(again, Ok(false));
    Ok(())
}

/// Does what the rounds find hold of the states that two clauses derive from a first state?
fn check_rounds(start: (i64, i64), clauses: [[i64; 5]; 2]) -> Result<(), TestCaseError> {
    let t = Terms::new();
    let [one, other] = clauses.map(clause);
    let other = other.lines().skip(1).collect::<String>();
    let (x, y) = (number(start.0), number(start.1));
    let text = format!("{one}{other}(assert (p {x} {y} true))(assert (=> (p 77 77 false) false))");
    let system = read_system(&t, &Source::from_text("test", &text)).expect("it is right");
    let params = [("x", Sort::INT), ("y", Sort::INT), ("b", Sort::BOOL)];
    let params = params.map(|(name, sort)| t.fresh_var(name, sort)).to_vec();
    let backend = Backend::native(NativeOptions::for_engines());
    let domain = InvariantDomain::Polynomials;
    let mut rounds = Rounds::new(&t, &system, vec![params.clone()], domain, &backend);
    let mut known = Vec::new();
    while let Some(found) = rounds.next(&Limit::none()).expect("no limit") {
        known.extend(found);
    }
    let (mut states, mut next) = (vec![start], 0);
    while next < states.len() && states.len() < 60 {
        let (x, y) = states[next];
        for [a, c, d, e, f] in clauses {
            let state = (x + d * y, e * y + f);
            if a * x <= c && !states.contains(&state) && state.0.abs().max(state.1.abs()) < 1 << 40
            {
                states.push(state);
            }
        }
        next += 1;
    }
    for (x, y) in states {
        let values = values((x, Some(y), true)).into_iter().flatten();
        let mut evaluator =
            Evaluator::with(&t, Unspecified::Refuse, params.iter().copied().zip(values));
        for &formula in &known {
            prop_assert!(
                evaluator.holds(formula),
                "{:?}: {}",
                (x, y),
                t.display(formula)
            );
        }
    }
    Ok(())
}

fn growth() -> impl Strategy<Value = Growth> {
    prop_oneof![Just(Growth::Join), Just(Growth::Widen)]
}

proptest! {
    #![proptest_config(crate::harness::cases(64))]
    #[test]
    fn laws_hold(all in [(points(), points()), (points(), points()), (points(), points())]) {
        check_laws::<Equalities>(&all)?;
        check_laws::<Bounds>(&all)?;
        check_laws::<Both>(&all)?;
        check_laws::<Intervals<1>>(&all)?;
        check_laws::<Intervals<3>>(&all)?;
        check_laws::<Congruences>(&all)?;
        check_laws::<Octagons>(&all)?;
        check_laws::<Polyhedra>(&all)?;
        check_laws::<Partition<Polyhedra>>(&all)?;
        check_laws::<Partition<Intervals<2>>>(&all)?;
        check_laws::<All>(&all)?;
    }
}

proptest! {
    #![proptest_config(crate::harness::cases(64))]
    #[test]
    fn post_is_sound(
        coefficients in [-2_i64..=2, -3_i64..=3, -2_i64..=2, -2_i64..=2, -3_i64..=3],
        premise in points(),
        into in points(),
        growth in growth(),
    ) {
        check_post::<Equalities>(coefficients, &premise, &into, growth)?;
        check_post::<Bounds>(coefficients, &premise, &into, growth)?;
        check_post::<Both>(coefficients, &premise, &into, growth)?;
        check_post::<Intervals<1>>(coefficients, &premise, &into, growth)?;
        check_post::<Intervals<3>>(coefficients, &premise, &into, growth)?;
        check_post::<Congruences>(coefficients, &premise, &into, growth)?;
        check_post::<Octagons>(coefficients, &premise, &into, growth)?;
        check_post::<Polyhedra>(coefficients, &premise, &into, growth)?;
        check_post::<Partition<Polyhedra>>(coefficients, &premise, &into, growth)?;
        check_post::<Partition<Intervals<2>>>(coefficients, &premise, &into, growth)?;
        check_post::<All>(coefficients, &premise, &into, growth)?;
    }
}

/// What a product leaves out of the bounds is implied by the equations and the other bounds.
#[test]
fn a_product_says_what_its_parts_say() {
    let (t, space) = space();
    let element: Both = element(&space, &[(0, Some(1), true), (3, Some(4), true)], &[]);
    let beside = element.1.literals_beside(&t, &space, &element.0);
    let alone = element.1.literals(&t, &space);
    assert!(
        beside.len() < alone.len(),
        "y - x is 1, which the equation says"
    );
    let both = element.to_term(&t, &space);
    let parts = [element.0.to_term(&t, &space), element.1.to_term(&t, &space)];
    for state in states() {
        let [a, b] = parts.map(|f| contains(&t, &space, f, state));
        assert_eq!(contains(&t, &space, both, state), a && b, "{state:?}");
    }
}

/// Affine hulls of points over x, y, z: not only upper bounds, but the least.
#[test]
fn hulls_of_points() {
    let t = Terms::new();
    let params = ["x", "y", "z"].map(|name| t.var(name, Sort::INT)).to_vec();
    let system = horn::chc::System::default();
    let thresholds = Arc::new(Thresholds::of(&t, &system));
    let space = Space::new(&t, params, Precision::Equations, &thresholds);
    let hull = |points: &[[i64; 3]]| {
        let mut hull = Equalities::bottom(&space);
        for point in points {
            let values = point.map(|n| Some(Value::Number(n.into())));
            hull.join(&Equalities::of_point(&space, &space.point(&values)), &space);
        }
        hull.literals(&t, &space).len()
    };
    assert_eq!(hull(&[[1, 2, 3]]), 3);
    assert_eq!(hull(&[[1, 2, 3], [1, 2, 3]]), 3);
    // A line: two equations; a plane: one; the space: none.
    assert_eq!(hull(&[[0, 0, 0], [1, 2, 3]]), 2);
    assert_eq!(hull(&[[0, 0, 0], [1, 2, 3], [2, 4, 6]]), 2);
    assert_eq!(hull(&[[0, 0, 5], [1, 0, 5], [0, 1, 5]]), 1);
    assert_eq!(hull(&[[0, 0, 0], [1, 1, 0], [0, 1, 1], [1, 0, 0]]), 0);
}

/// Bounds move along thresholds. Those of sums are given up at the fourth move.
#[test]
fn bounds_move_along_thresholds() {
    let (t, space) = space();
    let x = space.params()[0];
    let sum = t.add([x, space.params()[1]]);
    let mut bounds = Bounds::bottom(&space);
    let mut seen = Vec::new();
    for value in [0, 3, 4, 5, 7, 100] {
        let point = space.point(&values((value, Some(0), false)));
        bounds.widen(&Bounds::of_point(&space, &point), &space);
        let literals = bounds.literals(&t, &space);
        let upper = |of| (0..=9).find(|&n| literals.contains(&t.le(of, t.int(n))));
        seen.push((upper(x), upper(sum)));
    }
    // The constants 3 and 7 with their neighbours.
    let numbers = [Some(0), Some(3), Some(4), Some(6), Some(7), None];
    let sums = [Some(0), Some(3), Some(4), Some(6), None, None];
    assert_eq!(seen, numbers.into_iter().zip(sums).collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(crate::harness::cases(32))]
    #[test]
    fn rounds_hold_of_what_is_derivable(
        start in (-3_i64..=3, -3_i64..=3),
        one in [-2_i64..=2, -9_i64..=9, -2_i64..=2, -1_i64..=2, -3_i64..=3],
        other in [-2_i64..=2, -9_i64..=9, -2_i64..=2, -1_i64..=2, -3_i64..=3],
    ) {
        check_rounds(start, [one, other])?;
    }
}
