//! What a step may violate, in the order of its evaluation.
//!
//! The operands of an operation are judged before the operation itself, so that a condition is
//! evaluated only where its parts have values. What C evaluates under a condition is judged under
//! it.

use super::access::Violation;
use super::build::{all, not, truth};
use super::weave::Woven;
use crate::cfront::ir::{Argument, Base, Callee, Expr, ExprKind, Instr, Lvalue, Mark, Step};

/// What a step may violate.
pub(super) trait Judge {
    /// By a mark.
    fn mark(&self, _: &Mark) -> Vec<Violation> {
        Vec::new()
    }

    /// By an operation, whose operands are judged apart.
    fn operation(&self, _: &Expr) -> Vec<Violation> {
        Vec::new()
    }

    /// By a place that is not accessed: its address is taken, or a function without a body may
    /// write there.
    fn mention(&self, _: &Lvalue) -> Vec<Violation> {
        Vec::new()
    }

    /// By an access, which may be one that writes.
    fn access(&self, place: &Lvalue, writes: bool) -> Vec<Violation>;
}

/// The checks before a step.
pub(super) fn judged(judge: &dyn Judge, instr: &Instr) -> Vec<Woven> {
    let found = Vec::new();
    let mut look = Look { judge, found };
    look.instr(instr);
    woven(look.found)
}

/// Checks that can fail, as steps.
pub(super) fn woven(found: Vec<Violation>) -> Vec<Woven> {
    let possible = found.into_iter().filter(|(e, _)| e.as_const() != Some(0));
    possible.map(|(e, end)| Woven::Fail(e, end)).collect()
}

/// Looks for what a step may violate.
struct Look<'l> {
    judge: &'l dyn Judge,
    found: Vec<Violation>,
}

impl Look<'_> {
    fn instr(&mut self, instr: &Instr) {
        let always = truth(true);
        match instr {
            Instr::Assume(e, _) | Instr::Mark(Mark::Free(e) | Mark::Unused(e)) => {
                self.expr(e, &always);
            }
            Instr::Mark(mark) => self.found.extend(self.judge.mark(mark)),
            Instr::Assign(place, e) | Instr::Fill(place, e) | Instr::Allocate(place, _, e) => {
                self.expr(e, &always);
                self.place(place, &always);
                self.access(place, &always, true);
            }
            Instr::Havoc(place, _) => {
                self.place(place, &always);
                // What a function without a body does to memory is not judged.
                match place.ty.is_scalar() {
                    true => self.access(place, &always, true),
                    false => self.mention(place, &always),
                }
            }
            Instr::Call(callee, arguments, result) => {
                if let Callee::Pointer(e) = callee {
                    self.expr(e, &always);
                }
                for argument in arguments {
                    match argument {
                        Argument::Scalar(e) => self.expr(e, &always),
                        Argument::Struct(place) => {
                            self.place(place, &always);
                            self.access(place, &always, false);
                        }
                    }
                }
                if let Some(place) = result {
                    self.place(place, &always);
                    self.access(place, &always, true);
                }
            }
            // Silent steps and ends of runs compute nothing.
            Instr::Skip
            | Instr::Enter(_)
            | Instr::Leave(_)
            | Instr::Error(_)
            | Instr::Unsupported(_) => {}
        }
    }

    /// The parts of a place, which are evaluated under a condition.
    fn place(&mut self, place: &Lvalue, under: &Expr) {
        if let Base::Deref(pointer, _) = &place.base {
            self.expr(pointer, under);
        }
        for step in &place.path {
            if let Step::Index(index) = step {
                self.expr(index, under);
            }
        }
    }

    fn expr(&mut self, e: &Expr, under: &Expr) {
        match &e.kind {
            ExprKind::Const(_) | ExprKind::Function(_) => {}
            ExprKind::Load(place) => {
                self.place(place, under);
                self.access(place, under, false);
            }
            ExprKind::Address(place) => {
                self.place(place, under);
                self.mention(place, under);
            }
            ExprKind::Neg(a) | ExprKind::BitNot(a) | ExprKind::Not(a) | ExprKind::Convert(a) => {
                self.expr(a, under);
            }
            ExprKind::Binary(_, a, b) | ExprKind::Move(a, b, _) => {
                self.expr(a, under);
                self.expr(b, under);
            }
            ExprKind::Float(_, operands) => {
                for operand in operands {
                    self.expr(operand, under);
                }
            }
            ExprKind::Both(a, b) => {
                self.expr(a, under);
                self.expr(b, &all([under.clone(), (**a).clone()]));
            }
            ExprKind::Either(a, b) => {
                self.expr(a, under);
                self.expr(b, &all([under.clone(), not((**a).clone())]));
            }
            ExprKind::Choose(c, a, b) => {
                self.expr(c, under);
                self.expr(a, &all([under.clone(), (**c).clone()]));
                self.expr(b, &all([under.clone(), not((**c).clone())]));
            }
        }
        for (condition, end) in self.judge.operation(e) {
            self.found.push((all([under.clone(), condition]), end));
        }
    }

    fn mention(&mut self, place: &Lvalue, under: &Expr) {
        for (condition, end) in self.judge.mention(place) {
            self.found.push((all([under.clone(), condition]), end));
        }
    }

    fn access(&mut self, place: &Lvalue, under: &Expr, writes: bool) {
        for (condition, end) in self.judge.access(place, writes) {
            self.found.push((all([under.clone(), condition]), end));
        }
    }
}
