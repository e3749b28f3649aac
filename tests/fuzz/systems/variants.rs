//! Systems written in another way, which must not change a verdict: other names, another order,
//! arguments at other places, predicates split and folded, redundant clauses, scaled arguments.
//!
//! Random systems and those of `horn-benchmarks` are written anew by a few of these changes. A
//! variant is decided by `auto`, and its verdict is compared with that of the system. Where one of
//! the two stays open it is counted.

use super::checksum;
use super::finding::{Finding, Verdict, agree};
use super::party::{Backends, Party};
use crate::random::Random;
use crate::{files, harness, system};
use horn::chc::{Atom, Clause, Origin, PredId, Predicate, Span, System};
use horn::number::Rational;
use horn::smtlib::{Source, read_system, system_text};
use horn::term::{BvOp, Sort, SortKind, Substitution, Term, Terms};
use horn::work::milliseconds;
use proptest::test_runner::TestCaseError;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;

const CASES: u32 = 100;
/// The budget of `auto` for a random system and for a file, in milliseconds' worth of ticks.
const BUDGET: u64 = 1000;
/// At most that percentage of the variants of decided files may stay open.
const LOST_CEILING: usize = 10;

/// A way to write a system anew.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Change {
    /// Predicates and variables have other names.
    Names,
    /// Predicates, clauses and premises are in another order.
    Order,
    /// The arguments of each predicate are at other places.
    Places,
    /// Some clauses conclude another predicate, which implies the first.
    Split,
    /// The body of a clause is what a new predicate says.
    Fold,
    /// Clauses that follow from others.
    Redundant,
    /// An argument of a predicate is doubled, with one added, or complemented.
    Scale,
    /// A predicate has one argument more, which may be anything.
    Unused,
}

const CHANGES: [Change; 8] = [
    Change::Names,
    Change::Order,
    Change::Places,
    Change::Split,
    Change::Fold,
    Change::Redundant,
    Change::Scale,
    Change::Unused,
];

/// A system that is being written anew.
struct Rewriter<'t> {
    t: &'t Terms,
    system: System,
    random: Random,
}

impl Rewriter<'_> {
    fn apply(&mut self, change: Change) {
        match change {
            Change::Names => self.rename(),
            Change::Order => self.reorder(),
            Change::Places => self.move_places(),
            Change::Split => self.split(),
            Change::Fold => self.fold(),
            Change::Redundant => self.add_redundant(),
            Change::Scale => self.scale(),
            Change::Unused => self.add_unused(),
        }
    }

    /// Any order of the first numbers.
    fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            order.swap(last, self.random.below(last + 1));
        }
        order
    }

    fn params(&self, pred: PredId) -> Vec<Sort> {
        self.t.func(self.system.pred(pred).func).params.to_vec()
    }

    fn any_pred(&mut self) -> Option<PredId> {
        let preds: Vec<PredId> = self.system.pred_ids().collect();
        (!preds.is_empty()).then(|| self.random.pick(&preds))
    }

    /// Adds a predicate.
    fn declare(&mut self, base: &str, params: &[Sort]) -> PredId {
        let id = PredId(u32::try_from(self.system.preds.len()).expect("systems are small"));
        let name = self.t.fresh_symbol(base);
        let func = self.t.declare(name, params, Sort::BOOL);
        let span = Span::default();
        self.system.preds.push(Predicate { func, span });
        id
    }

    fn fresh_vars(&self, sorts: &[Sort]) -> Vec<Term> {
        let var = |&sort| self.t.fresh_var("v", sort);
        sorts.iter().map(var).collect()
    }

    fn add_clause(&mut self, vars: Vec<Term>, body: Vec<Atom>, constraint: Term, head: Atom) {
        self.system.clauses.push(Clause {
            vars,
            body,
            constraint,
            head: Some(head),
            origin: Origin::default(),
        });
    }

    /// Changes the atoms of all clauses.
    fn for_atoms(&mut self, mut change: impl FnMut(&mut Atom)) {
        for clause in &mut self.system.clauses {
            clause
                .body
                .iter_mut()
                .chain(&mut clause.head)
                .for_each(&mut change);
        }
    }

    fn rename(&mut self) {
        for at in self.order(self.system.preds.len()) {
            let params = self.params(PredId(u32::try_from(at).expect("systems are small")));
            let name = self.t.fresh_symbol("state at");
            self.system.preds[at].func = self.t.declare(name, &params, Sort::BOOL);
        }
        let t = self.t;
        for clause in &mut self.system.clauses {
            let renamed: Vec<(Term, Term)> = (clause.vars.iter().rev())
                .map(|&x| (x, t.fresh_var("a value", t.sort_of(x))))
                .collect();
            let mut to = Substitution::new(t, renamed.iter().copied());
            for atom in clause.body.iter_mut().chain(&mut clause.head) {
                for arg in &mut atom.args {
                    *arg = to.apply(*arg);
                }
            }
            clause.constraint = to.apply(clause.constraint);
            clause.vars = renamed.into_iter().map(|(_, x)| x).collect();
        }
    }

    fn reorder(&mut self) {
        let order = self.order(self.system.preds.len());
        let old = std::mem::take(&mut self.system.preds);
        let mut place = vec![PredId(0); old.len()];
        for (new, &at) in (0..).zip(&order) {
            place[at] = PredId(new);
            self.system.preds.push(old[at].clone());
        }
        self.for_atoms(|atom| atom.pred = place[atom.pred.index()]);
        let order = self.order(self.system.clauses.len());
        let old = std::mem::take(&mut self.system.clauses);
        for at in order {
            let mut clause = old[at].clone();
            let premises = self.order(clause.body.len());
            clause.body = premises.iter().map(|&at| clause.body[at].clone()).collect();
            self.system.clauses.push(clause);
        }
    }

    fn move_places(&mut self) {
        for pred in self.system.pred_ids().collect::<Vec<_>>() {
            let params = self.params(pred);
            let order = self.order(params.len());
            let moved: Vec<Sort> = order.iter().map(|&at| params[at]).collect();
            let name = self.t.fresh_symbol("moved");
            self.system.preds[pred.index()].func = self.t.declare(name, &moved, Sort::BOOL);
            self.for_atoms(|atom| {
                if atom.pred == pred {
                    atom.args = order.iter().map(|&at| atom.args[at]).collect();
                }
            });
        }
    }

    fn split(&mut self) {
        let Some(pred) = self.any_pred() else { return };
        let params = self.params(pred);
        let part = self.declare("part", &params);
        for clause in &mut self.system.clauses {
            if let Some(head) = &mut clause.head
                && head.pred == pred
                && self.random.percent(50)
            {
                head.pred = part;
            }
        }
        let args = self.fresh_vars(&params);
        let atom = |pred| Atom {
            pred,
            args: args.clone(),
        };
        let (body, head) = (vec![atom(part)], atom(pred));
        self.add_clause(args.clone(), body, Term::TRUE, head);
    }

    fn fold(&mut self) {
        if self.system.clauses.is_empty() {
            return;
        }
        let at = self.random.below(self.system.clauses.len());
        let Clause {
            vars,
            body,
            constraint,
            ..
        } = self.system.clauses[at].clone();
        let sorts: Vec<Sort> = vars.iter().map(|&x| self.t.sort_of(x)).collect();
        let pred = self.declare("folded", &sorts);
        let whole = Atom {
            pred,
            args: vars.clone(),
        };
        let clause = &mut self.system.clauses[at];
        clause.body = vec![whole.clone()];
        clause.constraint = Term::TRUE;
        self.add_clause(vars, body, constraint, whole);
    }

    fn add_redundant(&mut self) {
        let t = self.t;
        if let Some(pred) = self.any_pred() {
            let args = self.fresh_vars(&self.params(pred));
            let atom = Atom {
                pred,
                args: args.clone(),
            };
            self.add_clause(args, vec![atom.clone()], Term::TRUE, atom);
        }
        // An instance, and a clause with a condition more.
        for _ in 0..self.system.clauses.len().min(2) {
            let at = self.random.below(self.system.clauses.len());
            let mut clause = self.system.clauses[at].clone();
            let numbers = clause.vars.iter().filter(|&&x| t.sort_of(x) == Sort::INT);
            let numbers: Vec<Term> = numbers.copied().collect();
            if let Some((&x, &y)) = numbers.first().zip(numbers.last()) {
                clause.constraint = t.and([clause.constraint, t.le(x, y)]);
            }
            self.system.clauses.push(clause);
        }
    }

    fn scale(&mut self) {
        let t = self.t;
        let Some(pred) = self.any_pred() else { return };
        for at in 0..self.params(pred).len() {
            let scaled = |x: Term| {
                let sort = t.sort_of(x);
                match *t.sort_kind(sort) {
                    SortKind::Bool => t.not(x),
                    SortKind::Int | SortKind::Real => {
                        t.add([x, x, t.number(Rational::one(), sort)])
                    }
                    SortKind::BitVec(_) => t.bv(BvOp::Not, &[x]),
                    _ => x,
                }
            };
            self.for_atoms(|atom| {
                if atom.pred == pred {
                    atom.args[at] = scaled(atom.args[at]);
                }
            });
        }
    }

    fn add_unused(&mut self) {
        let Some(pred) = self.any_pred() else { return };
        let sort = self.random.pick(&[Sort::INT, Sort::BOOL]);
        let params = [self.params(pred), vec![sort]].concat();
        let name = self.t.fresh_symbol("wider");
        self.system.preds[pred.index()].func = self.t.declare(name, &params, Sort::BOOL);
        let t = self.t;
        for clause in &mut self.system.clauses {
            for atom in clause.body.iter_mut().chain(&mut clause.head) {
                if atom.pred == pred {
                    let any = t.fresh_var("any", sort);
                    atom.args.push(any);
                    clause.vars.push(any);
                }
            }
        }
    }
}

/// What became of the variants.
#[derive(Default, Debug)]
struct Tally {
    same: usize,
    /// The verdict of the system, or of the variant, is unknown.
    lost: usize,
    gained: usize,
    /// How often each change was made where a variant was lost.
    lost_by: BTreeMap<Change, usize>,
}

/// Decides a system and a variant of it, which are compared.
fn compare(backends: &Backends, text: &str, tally: &mut Tally) -> Result<(), TestCaseError> {
    let budget = milliseconds(BUDGET);
    let t = Terms::new();
    let system = read_system(&t, &Source::from_text("system", text))
        .map_err(|e| TestCaseError::fail(format!("not read: {e}")))?;
    let mut random = Random::of(3, checksum(text));
    let changes: Vec<Change> = (0..1 + random.below(3))
        .map(|_| random.pick(&CHANGES))
        .collect();
    let mut rewriter = Rewriter {
        t: &t,
        system,
        random,
    };
    for &change in &changes {
        rewriter.apply(change);
    }
    let variant = system_text(&t, &rewriter.system).to_string();
    let decide = |text: &str, who: &str| -> Result<Finding, TestCaseError> {
        let found = Party::auto().decide(text, &backends.native, budget)?;
        let found = found.expect("`auto` suits every system");
        Ok(Finding {
            who: who.to_owned(),
            ..found
        })
    };
    let findings = [
        decide(text, "the system")?,
        decide(&variant, "the variant")?,
    ];
    agree(&findings).map_err(|what| {
        TestCaseError::fail(format!("{what}; changed by {changes:?} to\n{variant}"))
    })?;
    let open = findings.map(|found| matches!(found.verdict, Verdict::Unknown));
    match open {
        [false, true] => {
            tally.lost += 1;
            for change in changes {
                *tally.lost_by.entry(change).or_default() += 1;
            }
        }
        [true, false] => tally.gained += 1,
        _ => tally.same += 1,
    }
    Ok(())
}

#[test]
fn variants_have_the_same_verdict() {
    let backends = Backends::find();
    let cases = harness::environment("HORN_FUZZ_CASES", CASES);
    let seed = harness::environment("HORN_FUZZ_SEED", super::SEED);
    let tally = RefCell::new(Tally::default());
    let outcome = harness::runner(cases, seed).run(&system::system(), |system| {
        compare(&backends, &system.to_string(), &mut tally.borrow_mut())
    });
    println!("seed {seed}: {:?}", tally.borrow());
    if let Err(error) = outcome {
        panic!("seed {seed}: {error}");
    }
}

/// As random systems, but systems as people write them, and few may be lost.
#[test]
fn files_have_the_verdict_of_their_variants() {
    const FILES: usize = 40;
    const LARGEST: u64 = 3_000;
    let backends = Backends::find();
    let is_small = |path: &PathBuf| std::fs::metadata(path).is_ok_and(|of| of.len() < LARGEST);
    let mut small = files::files("horn-benchmarks");
    let is_read = |path: &PathBuf| !path.starts_with("horn-benchmarks/rejected");
    small.retain(|path| is_small(path) && is_read(path));
    let count = harness::environment("HORN_FUZZ_FILES", FILES);
    let step = (small.len() / count).max(1);
    let mut tally = Tally::default();
    for path in small.iter().step_by(step) {
        let text = std::fs::read_to_string(path).expect("the file can be read");
        if let Err(error) = compare(&backends, &text, &mut tally) {
            panic!("{}: {error}", path.display());
        }
    }
    println!("{tally:?}");
    let decided = tally.same + tally.lost;
    assert!(
        decided >= FILES / 2 && tally.lost * 100 <= decided * LOST_CEILING,
        "too many verdicts depend on how a system is written: {tally:?}"
    );
}
