//! Programs in which a round of a loop, or a call of a function by itself, is an error that the
//! measures do not allow (\[CSZ13\]).

use super::build::{all, any, binary, convert, load, not, variable};
use super::cycle::{Cycle, Loop, TOLD};
use super::heap::ghost;
use super::measure::{substituted, type_of, value_of};
use super::weave::{Pattern, Woven};
use crate::cfront::ir::{
    Argument, Binary, Callee, Edge, Expr, FuncId, Instr, Lvalue, ObjectId, ObjectKind,
};
use crate::cfront::program::Program;
use crate::cfront::types::{CType, IntType};

/// The variables of the checks of a loop. Those of recursive functions belong to each call.
pub(super) struct Row {
    /// For each function: the measures as they were. Of a loop there is one.
    old: Vec<(FuncId, Vec<ObjectId>)>,
    /// For each function: the state as it was, where runs tell states of calls.
    entered: Vec<(FuncId, Vec<ObjectId>)>,
    /// What tells states.
    told: Vec<ObjectId>,
}

impl Row {
    /// New variables of a program for the checks of a loop.
    pub(super) fn of(
        program: &mut Program,
        number: usize,
        of: &Loop,
        rank: &[usize],
        tells: bool,
    ) -> Row {
        let functions = match &of.cycle {
            Cycle::Points(_) => vec![of.func],
            Cycle::Calls(members) => members.clone(),
        };
        let own = |program: &mut Program, func: FuncId, name: String, ty| {
            let object = ghost(program, name, ty);
            if of.is_per_call {
                program.objects[object.0].kind = ObjectKind::Local(func);
            }
            object
        };
        let (mut old, mut entered) = (Vec::new(), Vec::new());
        for func in functions {
            let measures = rank.iter().map(|&measure| {
                let name = format!("old!{number}.{measure}");
                own(program, func, name, type_of(&of.measures[measure]))
            });
            old.push((func, measures.collect()));
            if tells && matches!(of.cycle, Cycle::Calls(_)) {
                let state = of.variables.iter().enumerate().map(|(at, place)| {
                    let ty = place.ty.int(program.model).unwrap_or(IntType::INT);
                    own(
                        program,
                        func,
                        format!("entered!{number}.{at}"),
                        CType::Int(ty),
                    )
                });
                entered.push((func, state.collect()));
            }
        }
        let told = of.variables.iter().enumerate().filter(|_| tells);
        let told = told.map(|(at, place)| {
            let ty = place.ty.int(program.model).unwrap_or(IntType::INT);
            let object = ghost(program, format!("{TOLD}{number}.{at}"), CType::Int(ty));
            program.objects[object.0].hidden = false;
            object
        });
        let told = told.collect();
        Row { old, entered, told }
    }
}

/// Measures at the heads of loops, and where functions call themselves.
pub(super) struct Ranks<'a> {
    pub(super) program: &'a Program,
    pub(super) loops: &'a [Loop],
    pub(super) ranks: &'a [Vec<usize>],
    pub(super) rows: Vec<Row>,
}

impl Pattern for Ranks<'_> {
    fn around(&self, func: FuncId, edge: &Edge) -> (Vec<Woven>, Vec<Woven>) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (number, of) in self.loops.iter().enumerate() {
            match &of.cycle {
                Cycle::Points(nested) if of.has_head(func, edge.to) => {
                    let state = self.state(number);
                    self.tell(number, &state, &mut after);
                    if nested.members.contains(&edge.from.0) {
                        // Runs tell a state before the measures are compared.
                        after.push(self.fail(number, func, &state, "rounds of loop"));
                    }
                    self.keep(number, func, &state, &mut after);
                }
                Cycle::Calls(members) if members.contains(&func) => {
                    if let Instr::Call(Callee::Function(callee), arguments, _) = &edge.instr
                        && members.contains(callee)
                    {
                        self.call(number, [func, *callee], arguments, &mut before);
                    }
                }
                Cycle::Points(_) | Cycle::Calls(_) => {}
            }
        }
        (before, after)
    }

    fn first(&self, func: FuncId) -> Vec<Woven> {
        let mut steps = Vec::new();
        for (number, of) in self.loops.iter().enumerate() {
            if matches!(&of.cycle, Cycle::Calls(members) if members.contains(&func)) {
                let state = self.parameters(number, func);
                self.keep(number, func, &state, &mut steps);
                for (&object, value) in self.entered(number, func).iter().zip(state) {
                    let place = Lvalue::of(object, CType::Int(value.ty));
                    steps.push(Woven::Do(Instr::Assign(place, value)));
                }
            }
        }
        steps
    }

    fn last(&self, _: FuncId) -> Vec<Woven> {
        Vec::new()
    }
}

impl Ranks<'_> {
    /// The values of the variables of a loop.
    fn state(&self, number: usize) -> Vec<Expr> {
        let variables = self.loops[number].variables.iter();
        variables.map(|v| value_of(self.program, v)).collect()
    }

    /// The parameters of a function, as the state of its calls.
    fn parameters(&self, number: usize, func: FuncId) -> Vec<Expr> {
        let of = &self.loops[number];
        let params = self.program.function(func).params.iter();
        let values = params.zip(&of.variables).map(|(&param, variable)| {
            let own = Lvalue::of(param, self.program.object(param).ty.clone());
            self.as_variable(value_of(self.program, &own), variable)
        });
        values.collect()
    }

    /// A value in the type of a variable of the state.
    fn as_variable(&self, value: Expr, variable: &Lvalue) -> Expr {
        let ty = variable.ty.int(self.program.model);
        convert(value, ty.unwrap_or(IntType::INT))
    }

    fn measure(&self, number: usize, at: usize, state: &[Expr]) -> Expr {
        let of = &self.loops[number];
        substituted(&of.measures[self.ranks[number][at]], &of.variables, state)
    }

    fn old(&self, number: usize, func: FuncId) -> &[ObjectId] {
        let of = self.rows[number].old.iter().find(|(of, _)| *of == func);
        of.map_or(&[], |(_, objects)| objects)
    }

    fn entered(&self, number: usize, func: FuncId) -> &[ObjectId] {
        let mut rows = self.rows[number].entered.iter();
        let of = rows.find(|(of, _)| *of == func);
        of.map_or(&[], |(_, objects)| objects)
    }

    /// An argument as the parameter that it becomes. Where a function is defined further down, its
    /// arguments are not converted yet.
    fn passed(&self, argument: &Argument, param: ObjectId) -> Option<Expr> {
        let ty = self.program.object(param).ty.int(self.program.model)?;
        match argument {
            Argument::Scalar(e) => Some(convert(e.clone(), ty)),
            Argument::Struct(_) => None,
        }
    }

    /// A function calls itself or another of its cycle: the measures of the arguments are compared.
    fn call(
        &self,
        number: usize,
        [func, callee]: [FuncId; 2],
        arguments: &[Argument],
        steps: &mut Vec<Woven>,
    ) {
        let of = &self.loops[number];
        let params = self.program.function(callee).params.iter();
        let given = arguments.iter().zip(params).zip(&of.variables);
        let state = given.map_while(|((argument, &param), variable)| {
            let passed = self.passed(argument, param)?;
            Some(self.as_variable(passed, variable))
        });
        let state: Vec<Expr> = state.collect();
        if state.len() < of.variables.len() {
            let what = "a call of a recursive function with too few arguments";
            let always = Expr::constant(1, IntType::INT);
            steps.push(Woven::Fail(always, Instr::Unsupported(what.into())));
            return;
        }
        let entered = self.entered(number, func).iter();
        let entered: Vec<Expr> = entered
            .zip(&of.variables)
            .map(|(&object, place)| {
                let ty = place.ty.int(self.program.model);
                variable(object, ty.unwrap_or(IntType::INT))
            })
            .collect();
        self.tell(number, &entered, steps);
        self.tell(number, &state, steps);
        steps.push(self.fail(number, func, &state, "calls of loop"));
    }

    /// The error where the measures of a state are not below what they were.
    fn fail(&self, number: usize, func: FuncId, state: &[Expr], what: &str) -> Woven {
        let lower = self.is_lower(number, func, state);
        let what = format!("termination: {what} {number}");
        Woven::Fail(not(lower), Instr::Error(what.into()))
    }

    /// Is one of the measures below what it was before, and at least 0 then, and none of those
    /// before it above?
    fn is_lower(&self, number: usize, func: FuncId, state: &[Expr]) -> Expr {
        let measures = self.old(number, func).iter().enumerate().map(|(at, &old)| {
            let now = self.measure(number, at, state);
            let old = variable(old, now.ty);
            (now, old)
        });
        let measures: Vec<(Expr, Expr)> = measures.collect();
        let components = measures.iter().enumerate().map(|(at, (now, old))| {
            let kept = measures[..at]
                .iter()
                .map(|(now, old)| binary(Binary::Le, now.clone(), old.clone()));
            let bounded = binary(Binary::Le, Expr::constant(0, old.ty), old.clone());
            let less = binary(Binary::Lt, now.clone(), old.clone());
            all(kept.chain([less, bounded]))
        });
        any(components)
    }

    fn keep(&self, number: usize, func: FuncId, state: &[Expr], steps: &mut Vec<Woven>) {
        for (at, &object) in self.old(number, func).iter().enumerate() {
            let measure = self.measure(number, at, state);
            let place = Lvalue::of(object, CType::Int(measure.ty));
            steps.push(Woven::Do(Instr::Assign(place, measure)));
        }
    }

    fn tell(&self, number: usize, state: &[Expr], steps: &mut Vec<Woven>) {
        for (&object, value) in self.rows[number].told.iter().zip(state) {
            let ty = value.ty;
            let own = Lvalue::of(object, CType::Int(ty));
            steps.push(Woven::Do(Instr::Assign(own.clone(), value.clone())));
            // What no test depends on is not part of the encoding.
            let same = binary(Binary::Le, load(own.clone(), ty), load(own, ty));
            steps.push(Woven::Do(Instr::Assume(same, true)));
        }
    }
}
