//! Termination, by safety: programs in which a loop that is not measured well is an error, and
//! programs in which the end is an error once a state has been reached.
//!
//! ```text
//! with_ranks:    at the head of a loop, coming from outside: old := measures
//!                coming from inside: the measures must be below `old`, by one of these in a
//!                lexicographic order; old := measures
//! with_state:    at the head of a loop, in this state: forever := 1
//!                where the program ends: forever must be 0
//! ```
//!
//! The first is the lexicographic form of \[CSZ13\]: a component may not become larger before the
//! one that becomes smaller, which is at least 0 before that (\[BMS05\]). If no error can be
//! reached, all loops end. The second is that of \[CCFNO14\]: if no error can be reached and the
//! state can, the run to the state does not end. What has no meaning in C counts as an end.

use super::build::{all, any, binary, load, not, variable};
use super::heap::ghost;
use super::measure::{address_of, evaluate, measures, type_of, value_of, variables};
use super::nest::{Nested, components};
use super::text::expr_text;
use super::weave::{Pattern, Woven, weave};
use crate::cfront::CProgram;
use crate::cfront::event::Event;
use crate::cfront::ir::{
    Binary, Edge, Expr, ExprKind, FuncId, Instr, Lvalue, Mark, ObjectId, Unknown,
};
use crate::cfront::memory::Memory;
use crate::cfront::program::Program;
use crate::cfront::run::{ErrorRun, RunEnd};
use crate::cfront::source::Place;
use crate::cfront::types::{CType, IntType};

/// What is said of a state that a run does not end from.
const FOREVER: &str = "termination: from this state on, the program does not end";
/// Names of variables that tell states at heads of loops begin with this.
const TOLD: &str = "loop!";

/// The loops of a program.
#[derive(Clone, Debug)]
pub struct Loops {
    list: Vec<Loop>,
}

#[derive(Clone, Debug)]
struct Loop {
    func: FuncId,
    nested: Nested,
    place: Place,
    variables: Vec<Lvalue>,
    measures: Vec<Expr>,
    /// The addresses that the measures take.
    addresses: Vec<(Lvalue, i128)>,
}

/// The values of a loop's variables at its head.
pub type LoopState = Vec<i128>;

/// A round of a loop that its measures do not allow: which loop, and its states before and after.
#[derive(Clone, Debug)]
pub struct Round {
    /// The number of the loop.
    pub number: usize,
    /// The state at the head before the round.
    pub before: LoopState,
    /// The state at the head after it.
    pub after: LoopState,
}

impl Loops {
    /// The loops of a program.
    ///
    /// # Errors
    /// The program has a recursive function: what it is called.
    pub(crate) fn of(program: &Program, memory: &Memory) -> Result<Loops, String> {
        let mut list = Vec::new();
        for (at, function) in program.functions.iter().enumerate() {
            let Some(cfa) = &function.cfa else { continue };
            if memory.recursive[at] {
                return Err(function.name.to_string());
            }
            for nested in components(cfa) {
                let variables = variables(program, cfa, &nested);
                let measures = measures(program, memory, cfa, &nested, &variables);
                list.push(Loop {
                    func: FuncId(at),
                    place: cfa.nodes[nested.head.0].place.clone(),
                    addresses: addresses(program, memory, &measures),
                    measures,
                    nested,
                    variables,
                });
            }
        }
        Ok(Loops { list })
    }

    /// The number of loops.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// Where a loop begins.
    pub fn place(&self, number: usize) -> &Place {
        &self.list[number].place
    }

    /// A measure of a loop as an expression of C.
    pub fn measure_text(&self, program: &CProgram, number: usize, measure: usize) -> String {
        expr_text(&program.program, &self.list[number].measures[measure])
    }

    /// The number of a loop's measures.
    pub fn measures(&self, number: usize) -> usize {
        self.list[number].measures.len()
    }

    /// The value of a measure of a loop in a state.
    pub fn measure(&self, number: usize, measure: usize, state: &LoopState) -> Option<i128> {
        let Loop {
            variables,
            measures,
            addresses,
            ..
        } = &self.list[number];
        let value = |place: &Lvalue| {
            let at = variables.iter().position(|known| known == place)?;
            state.get(at).copied()
        };
        let address = |place: &Lvalue| {
            let known = addresses.iter().find(|(known, _)| known == place);
            known.map(|(_, address)| *address)
        };
        evaluate(measures.get(measure)?, &value, &address)
    }

    /// The round that a run ends with, of the program by `with_ranks` that tells states.
    pub fn round(&self, run: &ErrorRun) -> Option<Round> {
        let RunEnd::Error(_, what) = &run.end else {
            return None;
        };
        let number: usize = what.rsplit(' ').next()?.parse().ok()?;
        let count = self.list.get(number)?.variables.len();
        let (mut before, mut after) = (vec![0; count], vec![0; count]);
        for event in run.steps.iter().flat_map(|step| &step.events) {
            let Event::Change { variable, value } = event else {
                continue;
            };
            let Some((of, at)) = told(variable).filter(|(of, _)| *of == number) else {
                continue;
            };
            debug_assert_eq!(of, number, "filtered");
            let value = value.parse().ok()?;
            let place = after.get_mut(at)?;
            before[at] = std::mem::replace(place, value);
        }
        Some(Round {
            number,
            before,
            after,
        })
    }

    /// A run without what tells states.
    pub fn without_states(&self, run: &mut ErrorRun) {
        for step in &mut run.steps {
            step.events.retain(|event| match event {
                Event::Change { variable, .. } => told(variable).is_none(),
                _ => true,
            });
        }
        run.steps.retain(|step| !step.events.is_empty());
    }

    /// The program in which a round is an error that the measures with these numbers do not allow;
    /// there is one list for each loop. With `tells`, runs have the states at heads of loops.
    pub(crate) fn with_ranks(
        &self,
        program: &Program,
        ranks: &[Vec<usize>],
        tells: bool,
    ) -> Program {
        let mut ranked = program.clone();
        let mut rows = Vec::new();
        for (number, (of, rank)) in self.list.iter().zip(ranks).enumerate() {
            let old = rank.iter().map(|&measure| {
                let name = format!("old!{number}.{measure}");
                ghost(&mut ranked, name, type_of(&of.measures[measure]))
            });
            let old: Vec<ObjectId> = old.collect();
            let told = of.variables.iter().enumerate().filter(|_| tells);
            let told = told.map(|(at, place)| {
                let ty = place.ty.int(program.model).unwrap_or(IntType::INT);
                let object = ghost(&mut ranked, format!("{TOLD}{number}.{at}"), CType::Int(ty));
                ranked.objects[object.0].hidden = false;
                object
            });
            let told: Vec<ObjectId> = told.collect();
            rows.push(Row { old, told });
        }
        let ranks = Ranks {
            program,
            loops: self,
            ranks,
            rows,
        };
        weave(&mut ranked, &ranks);
        ranked
    }

    /// The program in which the end is an error once this state has been reached at the head of a
    /// loop. From then on, each input is `input`, if there is one. With `is_goal`, it is an error
    /// that the state is reached.
    pub(crate) fn with_state(
        &self,
        program: &Program,
        number: usize,
        state: &LoopState,
        input: Option<i128>,
        is_goal: bool,
    ) -> Program {
        let mut stated = program.clone();
        let forever = ghost(&mut stated, "forever".to_owned(), CType::INT);
        let pattern = Recurrence {
            program,
            of: &self.list[number],
            state,
            forever,
            input,
            is_goal,
        };
        weave(&mut stated, &pattern);
        stated
    }
}

/// The addresses of objects that measures take.
fn addresses(program: &Program, memory: &Memory, measures: &[Expr]) -> Vec<(Lvalue, i128)> {
    let mut found = Vec::new();
    for measure in measures {
        measure.walk(&mut |part| {
            if let ExprKind::Address(place) = &part.kind
                && let Some(address) = address_of(program, memory, place)
            {
                found.push(((**place).clone(), address));
            }
        });
    }
    found
}

/// The loop and the variable that a variable tells of.
fn told(variable: &str) -> Option<(usize, usize)> {
    let rest = variable.strip_prefix(TOLD)?;
    // What follows the number tells copies of a function apart.
    let (number, rest) = rest.split_once('.')?;
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    Some((number.parse().ok()?, rest[..digits].parse().ok()?))
}

/// The variables of the checks of a loop.
struct Row {
    old: Vec<ObjectId>,
    told: Vec<ObjectId>,
}

/// Measures at the heads of loops.
struct Ranks<'a> {
    program: &'a Program,
    loops: &'a Loops,
    ranks: &'a [Vec<usize>],
    rows: Vec<Row>,
}

impl Pattern for Ranks<'_> {
    fn around(&self, func: FuncId, edge: &Edge) -> (Vec<Woven>, Vec<Woven>) {
        let mut after = Vec::new();
        for (number, of) in self.loops.list.iter().enumerate() {
            if of.func != func || of.nested.head != edge.to {
                continue;
            }
            if of.nested.members.contains(&edge.from.0) {
                let lower = self.is_lower(number);
                // Runs tell a state before the measures are compared.
                self.tell(number, &mut after);
                let what = format!("termination: rounds of loop {number}");
                after.push(Woven::Fail(not(lower), Instr::Error(what.into())));
            } else {
                self.tell(number, &mut after);
            }
            self.keep(number, &mut after);
        }
        (Vec::new(), after)
    }

    fn first(&self, _: FuncId) -> Vec<Woven> {
        // Measures are kept before they are compared.
        Vec::new()
    }

    fn last(&self, _: FuncId) -> Vec<Woven> {
        Vec::new()
    }
}

impl Ranks<'_> {
    fn measure(&self, number: usize, at: usize) -> &Expr {
        &self.loops.list[number].measures[self.ranks[number][at]]
    }

    fn old(&self, number: usize, at: usize) -> Expr {
        let ty = self.measure(number, at).ty;
        variable(self.rows[number].old[at], ty)
    }

    /// Is one of the measures below what it was before, and at least 0 then, and none of those
    /// before it above?
    fn is_lower(&self, number: usize) -> Expr {
        let count = self.ranks[number].len();
        let components = (0..count).map(|at| {
            let kept = (0..at).map(|before| {
                let now = self.measure(number, before).clone();
                binary(Binary::Le, now, self.old(number, before))
            });
            let (now, old) = (self.measure(number, at).clone(), self.old(number, at));
            let bounded = binary(Binary::Le, Expr::constant(0, old.ty), old.clone());
            all(kept.chain([binary(Binary::Lt, now, old), bounded]))
        });
        any(components)
    }

    fn keep(&self, number: usize, steps: &mut Vec<Woven>) {
        for (at, &object) in self.rows[number].old.iter().enumerate() {
            let measure = self.measure(number, at).clone();
            let place = Lvalue::of(object, CType::Int(measure.ty));
            steps.push(Woven::Do(Instr::Assign(place, measure)));
        }
    }

    fn tell(&self, number: usize, steps: &mut Vec<Woven>) {
        let variables = &self.loops.list[number].variables;
        for (&object, place) in self.rows[number].told.iter().zip(variables) {
            let value = value_of(self.program, place);
            let ty = value.ty;
            let own = Lvalue::of(object, CType::Int(ty));
            steps.push(Woven::Do(Instr::Assign(own.clone(), value)));
            // What no test depends on is not part of the encoding.
            let same = binary(Binary::Le, load(own.clone(), ty), load(own, ty));
            steps.push(Woven::Do(Instr::Assume(same, true)));
        }
    }
}

/// A state at the head of a loop, after which the program must not end.
struct Recurrence<'a> {
    program: &'a Program,
    of: &'a Loop,
    state: &'a LoopState,
    forever: ObjectId,
    input: Option<i128>,
    is_goal: bool,
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
        if self.of.func == func && self.of.nested.head == edge.to {
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
