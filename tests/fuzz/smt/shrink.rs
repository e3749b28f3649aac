//! Makes a failing script smaller: fewer commands, fewer assumptions, smaller formulas.
//!
//! Systems are shrunk by proptest, as they are made by its strategies. Scripts are made by a
//! generator that keeps track of the stack, the declarations and the last answer. So they are
//! shrunk as what they are, lists of commands over terms, until a deadline: commands are left out,
//! and a formula is replaced by a subterm of its sort or by a constant.

use super::script::Command;
use horn::number::Rational;
use horn::term::{Op, Sort, Term, TermMap, TermSet, Terms};
use std::time::Instant;

/// The smallest script found, until `deadline`, on which `fails` still holds, as it must on
/// `commands`.
pub(crate) fn shrink(
    t: &Terms,
    commands: Vec<Command>,
    deadline: Instant,
    fails: impl FnMut(&[Command]) -> bool,
) -> Vec<Command> {
    let mut shrinking = Shrinking {
        t,
        may_be_constant: has_constant(&commands),
        best: commands,
        deadline,
        fails,
    };
    // Each way of making it smaller may open the others again.
    loop {
        let progress = shrinking.fewer_commands()
            | shrinking.fewer_assumptions()
            | shrinking.fewer_conjuncts()
            | shrinking.smaller_terms();
        if !progress || shrinking.is_over() {
            return shrinking.best;
        }
    }
}

struct Shrinking<'t, F> {
    t: &'t Terms,
    /// May formulas become `true` or `false`? Solvers treat these by themselves, so that another
    /// fault than the one that was met would come out of it.
    may_be_constant: bool,
    best: Vec<Command>,
    deadline: Instant,
    fails: F,
}

impl<F: FnMut(&[Command]) -> bool> Shrinking<'_, F> {
    fn is_over(&self) -> bool {
        Instant::now() > self.deadline
    }

    /// Takes a script if it fails, too.
    fn take(&mut self, candidate: Vec<Command>) -> bool {
        let taken = !self.is_over()
            && candidate != self.best
            && (self.may_be_constant || !has_constant(&candidate))
            && (self.fails)(&candidate);
        if taken {
            self.best = candidate;
        }
        taken
    }

    /// Delta debugging: leaves out ever smaller runs of commands.
    fn fewer_commands(&mut self) -> bool {
        let mut progress = false;
        let mut size = self.best.len();
        while size > 0 {
            let mut from = 0;
            while from < self.best.len() && !self.is_over() {
                let mut candidate = self.best.clone();
                candidate.drain(from..candidate.len().min(from + size));
                if self.take(candidate) {
                    progress = true;
                } else {
                    from += size;
                }
            }
            size /= 2;
        }
        progress
    }

    /// Leaves out assumptions, one by one.
    fn fewer_assumptions(&mut self) -> bool {
        let mut progress = false;
        for at in 0..self.best.len() {
            let mut from = 0;
            while let Command::Check(assumptions) = &self.best[at]
                && from < assumptions.len()
            {
                let mut fewer = assumptions.clone();
                fewer.remove(from);
                let mut candidate = self.best.clone();
                candidate[at] = Command::Check(fewer);
                if self.take(candidate) {
                    progress = true;
                } else {
                    from += 1;
                }
            }
        }
        progress
    }

    /// Asserts the parts of conjunctions one by one, so that they can be left out.
    fn fewer_conjuncts(&mut self) -> bool {
        let t = self.t;
        let split = |command: &Command| match command {
            Command::Assert(formula) if t.op(*formula) == Op::And => {
                let parts = t.args(*formula).iter();
                parts.map(|&part| Command::Assert(part)).collect()
            }
            other => vec![other.clone()],
        };
        let candidate = self.best.iter().flat_map(split).collect();
        self.take(candidate)
    }

    /// Replaces subterms by parts of theirs and by constants, the large ones first, everywhere at
    /// once.
    fn smaller_terms(&mut self) -> bool {
        let t = self.t;
        let mut progress = false;
        let mut tried = TermSet::default();
        loop {
            let roots = self.best.iter().flat_map(|c| c.formulas().iter().copied());
            let mut all: Vec<Term> = t.post_order(roots).collect();
            all.reverse();
            let Some(term) = all.into_iter().find(|&term| tried.insert(term)) else {
                return progress;
            };
            for smaller in smaller_than(t, term) {
                let candidate = self.best.iter();
                let candidate = candidate.map(|c| c.map(|f| replace(t, f, term, smaller)));
                if self.take(candidate.collect()) {
                    progress = true;
                    break;
                }
            }
            if self.is_over() {
                return progress;
            }
        }
    }
}

/// Is `true` or `false` asserted or assumed?
fn has_constant(commands: &[Command]) -> bool {
    let mut formulas = commands.iter().flat_map(Command::formulas);
    formulas.any(|f| matches!(*f, Term::TRUE | Term::FALSE))
}

/// What a term may be replaced by: smaller terms of its sort, the smallest first.
fn smaller_than(t: &Terms, term: Term) -> Vec<Term> {
    let sort = t.sort_of(term);
    let mut smaller = match sort {
        // `false` is the smallest, also in fields and elements: no replacement leads back.
        Sort::BOOL => match term {
            Term::FALSE => Vec::new(),
            Term::TRUE => vec![Term::FALSE],
            _ => vec![Term::TRUE, Term::FALSE],
        },
        Sort::INT | Sort::REAL => {
            let half = |value: &Rational| (value / &Rational::from(2)).floor();
            let mut numbers = vec![Rational::zero(), Rational::one()];
            numbers.extend(t.as_number(term).map(half));
            let simpler = |n: &Rational| t.as_number(term).is_none_or(|v| n.abs() < v.abs());
            numbers.retain(simpler);
            numbers.into_iter().map(|n| t.number(n, sort)).collect()
        }
        _ => {
            let is_structure = t.array_parts(sort).is_some() || t.datatype_of(sort).is_some();
            let value = is_structure.then(|| t.default_value(sort)).flatten();
            Vec::from_iter(value.map(|value| t.value_term(&value, sort)))
        }
    };
    let same_sort = |&&arg: &&Term| t.sort_of(arg) == sort;
    smaller.extend(t.args(term).iter().filter(same_sort));
    // One of the arguments left out.
    if matches!(t.op(term), Op::And | Op::Or | Op::Add) && t.args(term).len() > 2 {
        for at in 0..t.args(term).len() {
            let mut fewer = t.args(term).to_vec();
            fewer.remove(at);
            smaller.push(t.rebuild(term, &fewer));
        }
    }
    smaller.retain(|&other| other != term);
    smaller
}

/// A formula with one subterm replaced. Constant divisors stay as they are: nothing is to be
/// divided by zero.
fn replace(t: &Terms, root: Term, old: Term, new: Term) -> Term {
    let mut done: TermMap<Term> = TermMap::default();
    for term in t.post_order([root]) {
        let changed = if term == old {
            new
        } else {
            let mut args: Vec<Term> = t.args(term).iter().map(|arg| done[arg]).collect();
            if let (Op::IDiv | Op::Mod, &[_, divisor]) = (t.op(term), t.args(term)) {
                args[1] = divisor;
            }
            t.rebuild(term, &args)
        };
        done.insert(term, changed);
    }
    done[&root]
}
