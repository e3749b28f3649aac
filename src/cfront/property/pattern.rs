//! Which checks stand before and after which steps.
//!
//! The operands of an operation are checked before the operation itself, so that a condition is
//! evaluated only where its parts have values. What C evaluates under a condition is checked under
//! it.

use super::access::{Accesses, Violation, error};
use super::arith;
use super::build::{all, not, truth};
use super::heap::owner;
use super::weave::{Pattern, Woven};
use super::{Property, Set};
use crate::cfront::ir::{
    Argument, Base, Callee, Edge, Expr, ExprKind, FuncId, Instr, Lvalue, Mark, ObjectId, Step,
};
use crate::cfront::types::IntType;

/// What a signed operation does that leaves its type.
const OUTSIDE: &str = "the result of a signed operation is not in its type";

/// The same of an operation on constants.
pub(super) const FOLDED: &str = "the result of a signed operation on constants is not in its type";

/// Functions of the library that compute what the program asks for: where an operation in them has
/// no defined result, neither has the call.
const COMPUTES: [&str; 7] = ["abs", "labs", "llabs", "imaxabs", "div", "ldiv", "lldiv"];

/// The checks of a set of properties.
pub(super) struct Checks<'a> {
    pub(super) set: Set,
    pub(super) accesses: Accesses<'a>,
}

impl Pattern for Checks<'_> {
    fn around(&self, func: FuncId, edge: &Edge) -> (Vec<Woven>, Vec<Woven>) {
        let mut found = Vec::new();
        let function = self.accesses.program.function(func);
        let is_model = function.library && !COMPUTES.contains(&&*function.name);
        let mut look = Look {
            checks: self,
            func,
            is_model,
            found: &mut found,
        };
        look.instr(&edge.instr);
        let (mut before, mut after) = (woven(found), Vec::new());
        if self.set.follows_memory() {
            self.follow(&edge.instr, &mut before, &mut after);
        }
        (before, after)
    }

    fn first(&self, func: FuncId) -> Vec<Woven> {
        if func == self.accesses.program.start && self.set.follows_memory() {
            let mut steps = self.accesses.heap.start();
            let mut active: Vec<_> = self.accesses.active.iter().collect();
            active.sort_unstable();
            let off = active
                .into_iter()
                .map(|(_, object)| self.switch(*object, false));
            steps.extend(off);
            return steps;
        }
        let active = self.accesses.active.get(&func).into_iter();
        let active = active.map(|object| self.switch(*object, true));
        let own = |object: &ObjectId| owner(self.accesses.program.object(*object)) == Some(func);
        let mut inner: Vec<_> = self.accesses.alive.iter().filter(|(o, _)| own(o)).collect();
        inner.sort_unstable();
        let inner = inner.into_iter();
        let inner = inner.map(|(_, switch)| self.switch(*switch, false));
        active.chain(inner).collect()
    }

    fn last(&self, func: FuncId) -> Vec<Woven> {
        let active = self.accesses.active.get(&func);
        let mut steps: Vec<Woven> = (active.into_iter())
            .map(|object| self.switch(*object, false))
            .collect();
        if func == self.accesses.program.start {
            steps.extend(self.end(true));
        }
        steps
    }
}

impl Checks<'_> {
    fn switch(&self, object: ObjectId, on: bool) -> Woven {
        let place = Lvalue::of(object, crate::cfront::types::CType::INT);
        let value = Expr::constant(i128::from(on), IntType::INT);
        Woven::Do(Instr::Assign(place, value))
    }

    /// What is known of memory after steps that allocate and free it.
    fn follow(&self, instr: &Instr, before: &mut Vec<Woven>, after: &mut Vec<Woven>) {
        match instr {
            Instr::Allocate(place, object, size) => {
                let Accesses { program, heap, .. } = &self.accesses;
                let (doubts, steps) = heap.allocated(program, place, *object, size);
                before.extend(doubts);
                after.extend(steps);
            }
            Instr::Mark(Mark::Ends(name)) if &**name != "abort" => before.extend(self.end(false)),
            Instr::Mark(Mark::Enter(object)) => {
                let switch = self.accesses.alive.get(object);
                after.extend(switch.map(|switch| self.switch(*switch, true)));
            }
            Instr::Mark(Mark::Leave(objects)) => {
                let switches = objects.iter().filter_map(|o| self.accesses.alive.get(o));
                after.extend(switches.map(|switch| self.switch(*switch, false)));
            }
            Instr::Mark(mark) => {
                if let Some((violation, steps)) = self.accesses.free(mark) {
                    if self.set.has(Property::ValidFree) {
                        before.extend(woven(vec![violation]));
                    }
                    after.extend(steps);
                }
            }
            Instr::Assign(_, e) if self.set.has(Property::ValidDeref) => {
                before.extend(woven(self.accesses.departure(e).into_iter().collect()));
            }
            _ => {}
        }
    }

    /// The checks at the program's end, after `main` has returned or in the middle of calls.
    fn end(&self, returned: bool) -> Vec<Woven> {
        let mut steps = Vec::new();
        let Accesses { program, heap, .. } = &self.accesses;
        if self.set.has(Property::ValidMemtrack) {
            steps.extend(super::track::lost(&self.accesses, returned));
        }
        if self.set.has(Property::ValidMemcleanup)
            && let Some(left) = heap.left(program)
        {
            let what = "memory is not freed at the end of the program";
            steps.push(Woven::Fail(left, error(Property::ValidMemcleanup, what)));
        }
        steps
    }
}

/// Checks that can fail, as steps.
fn woven(found: Vec<Violation>) -> Vec<Woven> {
    let possible = found.into_iter().filter(|(e, _)| e.as_const() != Some(0));
    possible.map(|(e, end)| Woven::Fail(e, end)).collect()
}

/// Looks for what a step may violate.
struct Look<'l, 'a> {
    checks: &'l Checks<'a>,
    func: FuncId,
    is_model: bool,
    found: &'l mut Vec<Violation>,
}

impl Look<'_, '_> {
    fn instr(&mut self, instr: &Instr) {
        let always = truth(true);
        match instr {
            Instr::Assume(e, _) | Instr::Mark(Mark::Free(e) | Mark::Unused(e)) => {
                self.expr(e, &always);
            }
            Instr::Mark(Mark::Overflow) if self.checks.set.has(Property::NoOverflow) => {
                self.found
                    .push((always, error(Property::NoOverflow, FOLDED)));
            }
            Instr::Mark(Mark::Unjudged(name)) if self.checks.set.has(Property::ValidDeref) => {
                let what = format!("what memory `{name}`, which has no model, reads and writes");
                self.found.push((always, Instr::Unsupported(what.into())));
            }
            Instr::Assign(place, e) | Instr::Fill(place, e) | Instr::Allocate(place, _, e) => {
                self.expr(e, &always);
                self.place(place, &always);
                self.access(place, &always, true);
            }
            Instr::Havoc(place, _) => {
                self.place(place, &always);
                // What a function without a body does to memory is not judged.
                if place.ty.is_scalar() {
                    self.access(place, &always, true);
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
            | Instr::Unsupported(_)
            | Instr::Mark(_) => {}
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
            ExprKind::Address(place) => self.place(place, under),
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
        self.operation(e, under);
    }

    fn operation(&mut self, e: &Expr, under: &Expr) {
        let set = self.checks.set;
        if self.is_model {
            return;
        }
        let mut add = |violation: Option<Expr>, property: Property, what: &str| {
            if let Some(condition) = violation {
                let condition = all([under.clone(), condition]);
                self.found.push((condition, error(property, what)));
            }
        };
        if set.has(Property::NoDivisionByZero) {
            let what = "a division by zero";
            add(arith::division(e), Property::NoDivisionByZero, what);
        }
        if set.has(Property::NoOverflow) {
            add(arith::overflow(e), Property::NoOverflow, OUTSIDE);
            let what = "a shift has no defined result";
            add(arith::shift(e), Property::NoOverflow, what);
        }
    }

    fn access(&mut self, place: &Lvalue, under: &Expr, writes: bool) {
        if !self.checks.set.has(Property::ValidDeref) {
            return;
        }
        for (condition, end) in self.checks.accesses.violations(self.func, place, writes) {
            self.found.push((all([under.clone(), condition]), end));
        }
    }
}
