//! Evaluation of a transition relation under an assignment, as model-based projection does after
//! every query.

use divan::Bencher;
use horn::term::{Evaluator, Sort, Term, Terms, Unspecified, Value};

const STEPS: i64 = 200;

fn main() {
    divan::main();
}

/// Variables, and the conjunction over them of `(ite (<= xᵢ c) (= xᵢ₊₁ (+ xᵢ (* 2 xᵢ₋₁))) (< xᵢ
/// (mod xᵢ₊₁ 7)))`, about eight subterms a conjunct.
fn relation(t: &Terms) -> (Vec<Term>, Term) {
    let vars: Vec<Term> = (0..STEPS)
        .map(|i| t.var(&format!("x{i}"), Sort::INT))
        .collect();
    let parts = (0_i64..).zip(vars.windows(3)).map(|(i, x)| {
        let next = t.eq(x[2], t.add([x[1], t.scale(2.into(), x[0])]));
        let other = t.lt(x[1], t.modulo(x[2], t.int(7)));
        t.ite(t.le(x[1], t.int(i)), t.or([next, other]), t.not(other))
    });
    let all = t.or([t.and(parts), t.eq(vars[0], t.int(-1))]);
    (vars, all)
}

#[divan::bench]
fn transition_relation(bencher: Bencher) {
    let t = Terms::new();
    let (vars, relation) = relation(&t);
    let values: Vec<(Term, Value)> = vars.iter().map(|&v| (v, Value::from(0))).collect();
    bencher.bench_local(|| {
        Evaluator::with(&t, Unspecified::Refuse, values.iter().cloned()).eval_bool(relation)
    });
}

#[divan::bench]
fn chain_of_stores(bencher: Bencher) {
    let t = Terms::new();
    let sort = t.array_sort(Sort::INT, Sort::INT);
    let (array, x) = (t.var("a", sort), t.var("x", Sort::INT));
    let index = |i: i64| t.add([x, t.int(i)]);
    let stored = (0..STEPS).fold(array, |a, i| t.store(a, index(i), t.int(i)));
    let read = t.select(stored, index(STEPS / 2));
    let zero = Value::const_array(&t, sort, Value::from(0));
    bencher.bench_local(|| {
        Evaluator::with(
            &t,
            Unspecified::Refuse,
            [(array, zero.clone()), (x, Value::from(1))],
        )
        .eval_number(read)
    });
}
