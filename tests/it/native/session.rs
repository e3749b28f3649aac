//! Scripts run on the embedded core, with everything that it answers judged.

use horn::smt::native::{NativeOptions, NativeSolver, check};
use horn::smt::{SatResult, Solver};
use horn::smtlib::{SmtReader, SmtStep, Source};
use horn::term::{Evaluator, Op, Term, Terms, Unspecified, Value};

/// The constants and functions that formulas of tables may use without declaring them.
const DECLARATIONS: &str = "(declare-const x Int)(declare-const y Int)(declare-const z Int)(declare-const w Int)\
    (declare-const r Real)(declare-const s Real)(declare-const p Bool)(declare-const q Bool)(declare-sort U 0)\
    (declare-const u U)(declare-const v U)(declare-const o U)(declare-fun f (Int) Int)(declare-fun g (U) U)\
    (declare-fun h (U Real) Bool)(declare-fun k (Bool) Int)(declare-const a4 (_ BitVec 4))\
    (declare-const b4 (_ BitVec 4))(declare-const c4 (_ BitVec 4))(declare-fun m4 ((_ BitVec 4)) (_ BitVec 4))\
    (declare-const m1 (Array Int Int))(declare-const m2 (Array Int Int))\
    (declare-datatypes ((Chain 0)) (((empty) (link (hd Int) (tl Chain)))))\
    (declare-const w1 Chain)(declare-const w2 Chain)";

/// The ways of working: what is kept for proofs changes what is done.
pub(crate) fn ways() -> [NativeOptions; 3] {
    [(false, false), (false, true), (true, false)].map(|(proofs, weaken)| NativeOptions {
        proofs,
        weaken,
        ..NativeOptions::default()
    })
}

/// Proofs are kept.
pub(crate) fn proving() -> NativeOptions {
    NativeOptions {
        proofs: true,
        ..NativeOptions::default()
    }
}

/// The formulas that a text lists, over the constants of [`DECLARATIONS`].
pub(crate) fn formulas(t: &Terms, text: &str) -> Vec<Term> {
    formulas_with(t, DECLARATIONS, text)
}

/// The formulas that a text lists, over these constants.
pub(crate) fn formulas_with(t: &Terms, declarations: &str, text: &str) -> Vec<Term> {
    let script = format!("{declarations}(check-sat-assuming ({text}))");
    match steps(t, &script).pop() {
        Some((SmtStep::Check(formulas), _)) => formulas.into_iter().map(|(f, _)| f).collect(),
        other => panic!("{text}: {other:?}"),
    }
}

/// The commands of a script, each assumption with its text.
fn steps(t: &Terms, script: &str) -> Vec<(SmtStep, Vec<String>)> {
    let source = Source::from_text("table", script);
    let mut reader = SmtReader::new(t, &source);
    let mut steps = Vec::new();
    loop {
        match reader.next_step() {
            Ok(Some((step, _))) => {
                let texts = match &step {
                    SmtStep::Check(terms) | SmtStep::GetValue(terms) => terms.as_slice(),
                    _ => &[],
                };
                let texts = texts.iter().map(|&(_, span)| source.slice(span).to_owned());
                let texts = texts.collect();
                steps.push((step, texts));
            }
            Ok(None) => return steps,
            Err(error) => panic!("{}", error.report()),
        }
    }
}

/// A script under way.
struct Session<'t> {
    t: &'t Terms,
    solver: NativeSolver<'t>,
    scopes: Vec<Vec<Term>>,
}

/// What the core answers to a script over the constants of [`DECLARATIONS`]: for each check `sat`,
/// `unknown: REASON`, or `unsat` with the texts of the core's assumptions; for each `get-value` the
/// values.
pub(crate) fn answers(options: &NativeOptions, script: &str) -> Vec<String> {
    let t = Terms::new();
    let mut session = Session {
        t: &t,
        solver: NativeSolver::new(&t, options),
        scopes: vec![Vec::new()],
    };
    let mut answers = Vec::new();
    for (step, texts) in steps(&t, &format!("{DECLARATIONS}{script}")) {
        match step {
            SmtStep::Push(levels) => (0..levels).for_each(|_| session.push()),
            SmtStep::Pop(levels) => (0..levels).for_each(|_| session.pop()),
            SmtStep::Assert { formula, .. } => session.assert(formula),
            SmtStep::Check(assumptions) => {
                let assumptions: Vec<Term> = assumptions.into_iter().map(|(f, _)| f).collect();
                answers.push(session.check(&assumptions, &texts));
            }
            SmtStep::GetValue(terms) => {
                let terms: Vec<Term> = terms.into_iter().map(|(f, _)| f).collect();
                answers.push(session.values(&terms));
            }
            _ => {}
        }
    }
    answers
}

/// A script is answered like this, in all ways of working.
#[track_caller]
pub(crate) fn check_script(script: &str, expected: &[&str]) {
    for options in ways() {
        assert_eq!(answers(&options, script), expected, "{options:?}: {script}");
    }
}

/// Formulas, asserted together, have this verdict, in all ways of working.
#[track_caller]
pub(crate) fn check_verdict(formulas: &str, expected: &str) {
    check_script(
        &format!("(assert (and true {formulas}))(check-sat)"),
        &[expected],
    );
}

impl Session<'_> {
    fn push(&mut self) {
        self.scopes.push(Vec::new());
        self.solver.push();
    }

    fn pop(&mut self) {
        self.scopes.pop();
        self.solver.pop();
    }

    fn assert(&mut self, formula: Term) {
        self.scopes.last_mut().expect("a scope").push(formula);
        self.solver.assert(formula);
    }

    fn assertions(&self) -> Vec<Term> {
        self.scopes.concat()
    }

    fn check(&mut self, assumptions: &[Term], texts: &[String]) -> String {
        match self
            .solver
            .check(format_args!("a table's question"), assumptions)
        {
            SatResult::Sat => {
                self.judge_model(assumptions);
                "sat".to_owned()
            }
            SatResult::Unsat => {
                let core = self.solver.core().expect("a core");
                self.judge_core(assumptions, &core);
                let text = |f: &Term| {
                    let place = assumptions.iter().position(|a| a == f);
                    texts[place.expect("a core is a part of the assumptions")].clone()
                };
                let words: Vec<String> = core.iter().map(text).collect();
                ["unsat".to_owned()]
                    .into_iter()
                    .chain(words)
                    .collect::<Vec<_>>()
                    .join(" ")
            }
            SatResult::Unknown(why) => format!("unknown: {why}"),
        }
    }

    fn values(&mut self, terms: &[Term]) -> String {
        let values = self.solver.values(terms).expect("a model");
        let text = |(&term, value): (&Term, &Value)| {
            let value = self.t.value_term(value, self.t.sort_of(term));
            self.t.display(value).to_string()
        };
        let texts: Vec<String> = terms.iter().zip(&values).map(text).collect();
        texts.join(" ")
    }

    /// The values of constants and applications make everything true, and functions are functions.
    fn judge_model(&mut self, assumptions: &[Term]) {
        let t = self.t;
        let mut formulas = self.assertions();
        formulas.extend_from_slice(assumptions);
        let assigned: Vec<Term> = t
            .post_order(formulas.iter().copied())
            .filter(|&x| matches!(t.op(x), Op::Var(_) | Op::Apply(_) | Op::Field(_)))
            .collect();
        let values = self.solver.values(&assigned).expect("a model");
        let pairs = assigned.iter().copied().zip(values.iter().cloned());
        let mut evaluator = Evaluator::with(t, Unspecified::Refuse, pairs);
        for &formula in &formulas {
            assert!(
                evaluator.holds(formula),
                "{} is false in the model",
                t.display(formula)
            );
        }
        let mut known: Vec<(Op, Vec<Value>, &Value)> = Vec::new();
        for (&term, value) in assigned.iter().zip(&values) {
            let args = t
                .args(term)
                .iter()
                .map(|&a| evaluator.eval(a).expect("it has a value"));
            let (op, args) = (t.op(term), args.collect::<Vec<_>>());
            let other = known
                .iter()
                .find(|(o, a, _)| *o == op && *a == args && !t.is_var(term));
            assert!(
                other.is_none_or(|(_, _, v)| *v == value),
                "{} has two values",
                t.display(term)
            );
            known.push((op, args, value));
        }
    }

    /// The core is a part of the assumptions, and there is an accepted proof that it contradicts
    /// the assertions.
    fn judge_core(&mut self, assumptions: &[Term], core: &[Term]) {
        assert!(core.iter().all(|f| assumptions.contains(f)));
        let assertions = self.assertions();
        if let Some(proof) = self.solver.proof() {
            let checked = check::check(self.t, &assertions, core, &proof);
            assert_eq!(checked, Ok(()), "{}", proof.text(self.t));
        }
        let mut again = NativeSolver::new(self.t, &proving());
        assertions.iter().for_each(|&f| again.assert(f));
        assert_eq!(
            again.check(format_args!("is it a core?"), core),
            SatResult::Unsat
        );
        let proof = again.proof().expect("proofs are kept");
        assert_eq!(check::check(self.t, &assertions, core, &proof), Ok(()));
    }
}
