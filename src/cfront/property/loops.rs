//! Termination, by safety: programs in which a loop that is not measured well is an error, and
//! programs in which the end is an error once a state has been reached.
//!
//! ```text
//! with_ranks:    at the head of a loop, coming from outside: old := measures
//!                coming from inside: the measures must be below `old`, by one of these in a
//!                lexicographic order; old := measures
//!                where a recursive function begins: old := measures of its parameters
//!                where it calls itself: the measures of the arguments must be below `old`
//! with_state:    at the head of a loop, in this state: forever := 1
//!                where the program ends: forever must be 0
//! ```
//!
//! The first is the lexicographic form of \[CSZ13\]: a component may not become larger before the
//! one that becomes smaller, which is at least 0 before that (\[BMS05\]). If no error can be
//! reached, all loops end. The second is that of \[CCFNO14\]: if no error can be reached and the
//! state can, the run to the state does not end. What has no meaning in C counts as an end.

use super::cycle::{Cycle, Loop, LoopState, TOLD};
use super::heap::ghost;
use super::measure::{address_of, call_measures, evaluate, measures, variables};
use super::nest::components;
use super::ranks::{Ranks, Row};
use super::recurrence::Recurrence;
use super::recursion::{recursions, shared_parameters};
use super::text::expr_text;
use super::weave::weave;
use crate::cfront::CProgram;
use crate::cfront::event::Event;
use crate::cfront::ir::{Expr, ExprKind, FuncId, Lvalue};
use crate::cfront::memory::Memory;
use crate::cfront::program::Program;
use crate::cfront::run::{ErrorRun, RunEnd};
use crate::cfront::source::Place;
use crate::cfront::types::CType;

/// The loops of a program.
#[derive(Clone, Debug)]
pub struct Loops {
    list: Vec<Loop>,
}

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
    /// The loops of a program, and its recursive functions.
    ///
    /// # Errors
    /// What calls itself is not known: the name of a function.
    pub(crate) fn of(program: &Program, memory: &Memory) -> Result<Loops, String> {
        let mut list = Vec::new();
        for (at, function) in program.functions.iter().enumerate() {
            let Some(cfa) = &function.cfa else { continue };
            for nested in components(cfa) {
                let variables = variables(program, cfa, &nested);
                let measures = measures(program, memory, cfa, &nested, &variables);
                list.push(Loop {
                    func: FuncId(at),
                    place: cfa.nodes[nested.head.0].place.clone(),
                    addresses: addresses(program, memory, &measures),
                    measures,
                    cycle: Cycle::Points(nested),
                    variables,
                    is_per_call: memory.recursive[at],
                });
            }
        }
        for members in recursions(program, memory)? {
            let func = members[0];
            let variables = shared_parameters(program, &members);
            let cfa = program.function(func).cfa.as_ref();
            let cfa = cfa.expect("what calls itself has a body");
            let measures = call_measures(program, memory, func, &variables);
            list.push(Loop {
                func,
                place: cfa.nodes[cfa.entry].place.clone(),
                addresses: addresses(program, memory, &measures),
                measures,
                cycle: Cycle::Calls(members),
                variables,
                is_per_call: true,
            });
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

    /// The name of the function that calls itself, if the loop is one of calls.
    pub fn recursion(&self, program: &CProgram, number: usize) -> Option<String> {
        let of = &self.list[number];
        match of.cycle {
            Cycle::Points(_) => None,
            Cycle::Calls(_) => Some(program.program.function(of.func).name.to_string()),
        }
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

    /// The round that a run ends with, of the program by `with_ranks` that tells states; `None` too
    /// if steps are left out, since they may be of the round.
    pub fn round(&self, run: &ErrorRun) -> Option<Round> {
        let RunEnd::Error(_, what) = &run.end else {
            return None;
        };
        if !run.is_whole() {
            return None;
        }
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
        let rows = self.list.iter().zip(ranks).enumerate();
        let rows = rows.map(|(number, (of, rank))| Row::of(&mut ranked, number, of, rank, tells));
        let ranks = Ranks {
            rows: rows.collect(),
            program,
            loops: &self.list,
            ranks,
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
