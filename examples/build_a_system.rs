//! Builds a system without text, solves it, and prints the model.
//!
//!     cargo run --example build_a_system
//!
//! The system is what a front end makes of this program:
//!
//! ```c
//! int i = 0, sum = 0;
//! while (i < n) { i = i + 1; sum = sum + 3; }
//! assert(sum == 3 * n);    // for n >= 0
//! ```

use horn::portfolio::Stop;
use horn::problem::{Problem, ProblemError, Settings};

fn main() -> Result<(), ProblemError> {
    let mut p = Problem::new();
    p.declare_predicate("loop", &["Int", "Int", "Int"])?;
    let n = p.variable("n", "Int")?;
    let i = p.variable("i", "Int")?;
    let sum = p.variable("sum", "Int")?;

    // Terms come from functions, from the builders of the store, or from text.
    let zero = p.terms().int(0);
    let start = p.apply("loop", &[n, zero, zero])?;
    let here = p.apply("loop", &[n, i, sum])?;
    let next = p.term("(loop n (+ i 1) (+ sum 3))")?;
    let (goes_on, ends) = (p.terms().lt(i, n), p.terms().ge(i, n));
    let wrong = p.term("(distinct sum (* 3 n))")?;

    let is_size = p.terms().ge(n, zero);
    p.add_clause(Some(start), &[is_size], Some("enter"))?;
    p.add_clause(Some(next), &[here, goes_on], Some("step"))?;
    p.add_clause(None, &[here, ends, wrong], Some("assertion"))?;

    let outcome = p.check(&Settings::default(), &Stop::new(), &|_| {})?;
    assert_eq!(outcome.verdict(), "sat");
    print!("{}", outcome.model_text(&p)?);

    // The model can be asked about single states.
    let [two, six, seven] = [2, 6, 7].map(|number| p.terms().int(number));
    assert!(outcome.holds(&p, "loop", &[two, two, six])?);
    assert!(!outcome.holds(&p, "loop", &[two, two, seven])?);
    Ok(())
}

#[test]
fn it_runs() -> Result<(), ProblemError> {
    main()
}
