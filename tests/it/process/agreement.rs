//! The same random incremental session, with all solvers: they agree, cores are contradictory,
//! values are models.

use super::{backends, check};
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, SatResult};
use horn::term::{Evaluator, Sort, Term, Terms, Unspecified};
use proptest::prelude::*;

/// What is done in a session; numbers choose formulas and are taken modulo how many there are.
#[derive(Clone, Debug)]
enum Step {
    Push,
    Pop,
    Assert(usize),
    Check(Vec<usize>),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => Just(Step::Push),
        2 => Just(Step::Pop),
        3 => any::<usize>().prop_map(Step::Assert),
        4 => prop::collection::vec(any::<usize>(), 0..6).prop_map(Step::Check),
    ]
}

/// Formulas over a few variables, of which many pairs contradict each other.
fn formulas(t: &Terms) -> Vec<Term> {
    let ints: Vec<Term> = (0..4).map(|i| t.var(&format!("i{i}"), Sort::INT)).collect();
    let reals: Vec<Term> = (0..2)
        .map(|i| t.var(&format!("r{i}"), Sort::REAL))
        .collect();
    let p = t.var("p", Sort::BOOL);
    let mut all = vec![p, t.not(p)];
    for (i, &x) in ints.iter().enumerate() {
        let y = ints[(i + 1) % ints.len()];
        all.extend([
            t.le(x, y),
            t.lt(t.add([x, t.int(2)]), y),
            t.eq(x, t.int(i as i64)),
            t.eq(t.modulo(x, t.int(3)), t.int(1)),
            t.or([t.lt(x, t.int(0)), t.and([p, t.lt(y, x)])]),
            t.not(t.eq(x, y)),
        ]);
    }
    let (r, q) = (reals[0], reals[1]);
    all.extend([
        t.lt(r, q),
        t.lt(q, t.mul([r, t.real(2.into())])),
        t.eq(t.add([r, q]), t.to_real(ints[0])),
        t.ite(p, t.le(r, t.real(0.into())), t.le(t.real(1.into()), r)),
    ]);
    all
}

/// Runs the steps; answers the outcomes, after checking what was given with them.
fn run(t: &Terms, backend: &Backend, steps: &[Step]) -> Vec<SatResult> {
    let formulas = formulas(t);
    let vars = t.vars(formulas.iter().copied());
    let mut s = backend.solver(t, "random session");
    let mut stack: Vec<Vec<Term>> = vec![vec![]];
    let mut outcomes = Vec::new();
    for step in steps {
        match step {
            Step::Push => {
                s.push();
                stack.push(vec![]);
            }
            Step::Pop if stack.len() > 1 => {
                s.pop();
                stack.pop();
            }
            Step::Pop => {}
            Step::Assert(n) => {
                let formula = formulas[n % formulas.len()];
                s.assert(formula);
                stack.last_mut().expect("a scope").push(formula);
            }
            Step::Check(numbers) => {
                let assumptions: Vec<Term> = numbers
                    .iter()
                    .map(|n| formulas[n % formulas.len()])
                    .collect();
                let asserted: Vec<Term> = stack.concat();
                let outcome = check(&mut *s, &assumptions);
                match &outcome {
                    SatResult::Sat => {
                        let values = s.values(&vars).expect("values");
                        let values = std::iter::zip(vars.iter().copied(), values);
                        let mut model = Evaluator::with(t, Unspecified::Refuse, values);
                        for &f in asserted.iter().chain(&assumptions) {
                            assert!(model.holds(f), "{} is false in the model", t.display(f));
                        }
                    }
                    SatResult::Unsat => {
                        let core = s.core().expect("a core");
                        assert!(core.iter().all(|f| assumptions.contains(f)));
                        let mut other = backend.solver(t, "core");
                        asserted.iter().for_each(|&f| other.assert(f));
                        assert_eq!(check(&mut *other, &core), SatResult::Unsat);
                    }
                    SatResult::Unknown(why) => panic!("{why}"),
                }
                outcomes.push(outcome);
            }
        }
    }
    outcomes
}

proptest! {
    #![proptest_config(crate::harness::cases(24))]
    #[test]
    fn solvers_agree(steps in prop::collection::vec(step(), 0..60)) {
        let t = Terms::new();
        let all = backends(&ProcessOptions::default());
        let outcomes: Vec<_> = all.iter().map(|(_, backend)| run(&t, backend, &steps)).collect();
        for other in outcomes.iter().skip(1) {
            prop_assert_eq!(other, &outcomes[0]);
        }
    }
}
