//! The variables that occur in a clause, found with one table of marks for all clauses.

use crate::term::{Op, Term, Terms};

/// Marks on terms, which can all be removed at once.
#[derive(Debug, Default)]
pub(super) struct Marks {
    marks: Vec<u32>,
    epoch: u32,
    stack: Vec<Term>,
    /// Variables that were found, and those of them that are listed.
    found: Vec<Term>,
    vars: Vec<Term>,
}

impl Marks {
    /// The variables that occur in `roots`: first the variables of `order` in that order, then
    /// others in the order of their occurrence.
    pub(super) fn occurring(
        &mut self,
        t: &Terms,
        roots: impl Iterator<Item = Term>,
        order: &[Term],
    ) -> Vec<Term> {
        self.marks.resize(t.len(), 0);
        if self.epoch >= u32::MAX - 2 {
            self.marks.fill(0);
            self.epoch = 0;
        }
        let (seen, listed) = (self.epoch + 1, self.epoch + 2);
        self.epoch = listed;
        self.found.clear();
        self.stack.extend(roots);
        self.stack.reverse();
        while let Some(term) = self.stack.pop() {
            let mark = &mut self.marks[term.index()];
            if *mark != seen {
                *mark = seen;
                let (op, args) = t.op_and_args(term);
                if matches!(op, Op::Var(_)) {
                    self.found.push(term);
                }
                self.stack.extend(args.iter().rev());
            }
        }
        self.vars.clear();
        for &var in order.iter().chain(&self.found) {
            let mark = &mut self.marks[var.index()];
            if *mark == seen {
                *mark = listed;
                self.vars.push(var);
            }
        }
        self.vars.clone()
    }
}
