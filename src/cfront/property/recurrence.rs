//! Programs in which the end is an error once a state has been reached at the head of a loop
//! (\[CCFNO14\]).

use super::build::{all, any, binary, load, not, variable};
use super::cycle::{Loop, LoopState};
use super::measure::value_of;
use super::weave::{Pattern, Woven};
use crate::cfront::ir::{
    Binary, Edge, Expr, ExprKind, FuncId, Instr, Lvalue, Mark, ObjectId, Unknown,
};
use crate::cfront::program::Program;
use crate::cfront::types::{CType, IntType};

/// What is said of a state that a run does not end from.
const FOREVER: &str = "termination: from this state on, the program does not end";

/// A state at the head of a loop, after which the program must not end.
pub(super) struct Recurrence<'a> {
    pub(super) program: &'a Program,
    pub(super) of: &'a Loop,
    pub(super) state: &'a LoopState,
    pub(super) forever: ObjectId,
    pub(super) input: Option<i128>,
    pub(super) is_goal: bool,
}

impl Recurrence<'_> {
    fn is_on(&self) -> Expr {
        let zero = Expr::constant(0, IntType::INT);
        binary(Binary::Ne, variable(self.forever, IntType::INT), zero)
    }

    fn end(&self) -> Woven {
        Woven::Fail(
            self.is_on(),
            Instr::Error("termination: the program ends".into()),
        )
    }

    /// The step that notes the state.
    fn note(&self) -> Woven {
        let values = self.of.variables.iter().zip(self.state);
        let same = values.map(|(place, &value)| {
            let own = value_of(self.program, place);
            let ty = own.ty;
            binary(Binary::Eq, own, Expr::constant(value, ty))
        });
        let (is_there, ty) = (all(same), IntType::INT);
        if self.is_goal {
            return Woven::Fail(is_there, Instr::Error(FOREVER.into()));
        }
        let forever = Lvalue::of(self.forever, CType::INT);
        let kept = variable(self.forever, ty);
        let chosen = ExprKind::Choose(
            Box::new(is_there),
            Box::new(Expr::constant(1, ty)),
            Box::new(kept),
        );
        Woven::Do(Instr::Assign(forever, Expr { kind: chosen, ty }))
    }
}

impl Pattern for Recurrence<'_> {
    fn around(&self, func: FuncId, edge: &Edge) -> (Vec<Woven>, Vec<Woven>) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let cfa = self.program.function(func).cfa.as_ref();
        let is_last = cfa.is_some_and(|cfa| {
            edge.to.0 != cfa.exit && !cfa.edges.iter().any(|other| other.from == edge.to)
        });
        match &edge.instr {
            Instr::Mark(Mark::Ends(_)) => before.push(self.end()),
            Instr::Unsupported(_) => {}
            // A test that leads nowhere is an assumption that does not hold.
            _ if is_last => after.push(self.end()),
            Instr::Havoc(place, Unknown::Input(_)) => {
                if let (Some(input), Some(ty)) = (self.input, place.ty.int(self.program.model)) {
                    let is_input = binary(
                        Binary::Eq,
                        load(place.clone(), ty),
                        Expr::constant(input, ty),
                    );
                    let free = any([not(self.is_on()), is_input]);
                    after.push(Woven::Do(Instr::Assume(free, true)));
                }
            }
            _ => {}
        }
        if self.of.has_head(func, edge.to) {
            after.push(self.note());
        }
        (before, after)
    }

    fn first(&self, func: FuncId) -> Vec<Woven> {
        if func != self.program.start {
            return Vec::new();
        }
        let place = Lvalue::of(self.forever, CType::INT);
        let zero = Expr::constant(0, IntType::INT);
        vec![Woven::Do(Instr::Assign(place, zero))]
    }

    fn last(&self, func: FuncId) -> Vec<Woven> {
        match func == self.program.start {
            true => vec![self.end()],
            false => Vec::new(),
        }
    }
}
