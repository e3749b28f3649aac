//! Which checks stand before and after which steps.

use super::access::{Accesses, Violation, error};
use super::arith;
use super::build::truth;
use super::dangling::Dangling;
use super::heap::owner;
use super::look::{Judge, judged, woven};
use super::members::Members;
use super::weave::{Pattern, Woven, switch};
use super::{Property, Set};
use crate::cfront::ir::{Edge, Expr, ExprKind, FuncId, Instr, Lvalue, Mark, ObjectId};

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
    pub(super) dangling: &'a Dangling,
}

impl Pattern for Checks<'_> {
    fn around(&self, func: FuncId, edge: &Edge) -> (Vec<Woven>, Vec<Woven>) {
        let function = self.accesses.program.function(func);
        let judge = InFunction {
            checks: self,
            func,
            is_model: function.library && !COMPUTES.contains(&&*function.name),
        };
        let (mut before, mut after) = (judged(&judge, &edge.instr), Vec::new());
        if self.set.follows_memory() {
            self.follow(&edge.instr, &mut before, &mut after);
        }
        (before, after)
    }

    fn first(&self, func: FuncId) -> Vec<Woven> {
        if func == self.accesses.program.start && self.set.follows_memory() {
            let mut steps = self.accesses.heap.start();
            steps.extend(self.dangling.start());
            let mut active: Vec<_> = self.accesses.active.iter().collect();
            active.sort_unstable();
            let off = active.into_iter().map(|(_, object)| switch(*object, false));
            steps.extend(off);
            return steps;
        }
        let active = self.accesses.active.get(&func).into_iter();
        let active = active.map(|object| switch(*object, true));
        let own = |object: &ObjectId| owner(self.accesses.program.object(*object)) == Some(func);
        let mut inner: Vec<_> = self.accesses.alive.iter().filter(|(o, _)| own(o)).collect();
        inner.sort_unstable();
        let inner = inner.into_iter();
        let inner = inner.map(|(_, alive)| switch(*alive, false));
        let begin = self.dangling.call(&self.accesses, func);
        begin.into_iter().chain(active).chain(inner).collect()
    }

    fn last(&self, func: FuncId) -> Vec<Woven> {
        let active = self.accesses.active.get(&func);
        let mut steps: Vec<Woven> = (active.into_iter())
            .map(|object| switch(*object, false))
            .collect();
        if func == self.accesses.program.start {
            steps.extend(self.end(true));
        }
        steps
    }
}

impl Checks<'_> {
    /// What is known of memory after steps that allocate and free it.
    fn follow(&self, instr: &Instr, before: &mut Vec<Woven>, after: &mut Vec<Woven>) {
        match instr {
            Instr::Allocate(place, object, size) => {
                let Accesses { program, heap, .. } = &self.accesses;
                let (doubts, steps) = heap.allocated(program, place, *object, size);
                before.extend(doubts);
                after.extend(steps);
            }
            // A failing assertion ends the program by `abort`.
            Instr::Mark(Mark::Ends(name)) if !is_abort(name) => before.extend(self.end(false)),
            Instr::Mark(Mark::Enter(object)) => {
                before.extend(self.dangling.begin(&self.accesses, *object));
                let alive = self.accesses.alive.get(object);
                after.extend(alive.map(|alive| switch(*alive, true)));
            }
            Instr::Mark(Mark::Leave(objects)) => {
                let switches = objects.iter().filter_map(|o| self.accesses.alive.get(o));
                after.extend(switches.map(|alive| switch(*alive, false)));
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

/// Checks in a function.
struct InFunction<'l, 'a> {
    checks: &'l Checks<'a>,
    func: FuncId,
    is_model: bool,
}

impl Judge for InFunction<'_, '_> {
    fn mark(&self, mark: &Mark) -> Vec<Violation> {
        let set = self.checks.set;
        let end = match mark {
            Mark::Overflow if set.has(Property::NoOverflow) => error(Property::NoOverflow, FOLDED),
            Mark::Unjudged(name) if set.has(Property::ValidDeref) => {
                let what = format!("what memory `{name}`, which has no model, reads and writes");
                Instr::Unsupported(what.into())
            }
            _ => return Vec::new(),
        };
        vec![(truth(true), end)]
    }

    fn operation(&self, e: &Expr) -> Vec<Violation> {
        let set = self.checks.set;
        if self.is_model {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut add = |violation: Option<Expr>, property: Property, what: &str| {
            found.extend(violation.map(|condition| (condition, error(property, what))));
        };
        if set.has(Property::NoDivisionByZero) {
            let what = "a division by zero";
            add(arith::division(e), Property::NoDivisionByZero, what);
        }
        if set.has(Property::NoUndefinedResult) {
            let what = match e.kind {
                ExprKind::Float(..) => "a number is converted to a type that has no value for it",
                _ => "a shift by an impossible amount",
            };
            add(arith::no_result(e), Property::NoUndefinedResult, what);
        }
        if set.has(Property::NoOverflow) {
            add(arith::overflow(e), Property::NoOverflow, OUTSIDE);
            let what = "a shift has no defined result";
            add(arith::shift(e), Property::NoOverflow, what);
        }
        found
    }

    fn access(&self, place: &Lvalue, writes: bool) -> Vec<Violation> {
        if !self.checks.set.has(Property::ValidDeref) {
            return Vec::new();
        }
        let accesses = &self.checks.accesses;
        let mut found = accesses.violations(self.func, place, writes);
        let members = Members {
            program: accesses.program,
            memory: accesses.memory,
            all: true,
        };
        found.extend(members.access(place, writes));
        found
    }
}

/// Does this function end the program as `abort` does? A failing assertion does.
fn is_abort(name: &str) -> bool {
    matches!(name, "abort" | "__builtin_abort" | "__builtin_trap") || name.starts_with("__assert")
}
