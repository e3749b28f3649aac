//! From a refutation back to a run of the program: the steps that it takes, inputs, and variables
//! that change.
//!
//! A ground fact of the refutation says which values the variables had at a cutpoint and which
//! inputs were taken on the way to the next. The block is encoded again, step by step; the steps
//! taken are those whose condition is true of these values.

use super::encode::{Block, ClauseInfo, End, Input, Passed};
use super::ir::{Base, Claimed, Edge, Instr, Lvalue, ObjectId, Step, Unknown};
use super::memory::{Cell, PartId};
use super::source::Place;
use super::types::CType;
use super::{CProgram, Encoded};
use crate::chc::{FactId, Refutation};
use crate::number::Rational;
use crate::term::{Evaluator, Term, Unspecified, Value};
use num_bigint::BigInt;

/// What the address of an object outside of the program begins with; its number follows.
pub(super) const OUTSIDE: &str = "&outside.";
/// A run shows at most 100 000 steps; later steps are cut off.
const STEPS: usize = 100_000;

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// At the error.
    Error(Place, String),
    /// At something that is not supported: what.
    Unsupported(Place, String),
    /// At an operation that leaves its type, where that is a question.
    Wraps(Place),
    /// Where an invariant of a witness does not hold: its number there.
    Invariant(Place, usize),
}

impl RunEnd {
    /// Where the run ends.
    pub fn place(&self) -> &Place {
        match self {
            RunEnd::Error(place, _)
            | RunEnd::Unsupported(place, _)
            | RunEnd::Wraps(place)
            | RunEnd::Invariant(place, _) => place,
        }
    }
}

/// Something that happens in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A function gives an input.
    Input {
        /// The function, as in `__VERIFIER_nondet_int`.
        function: String,
        /// The value.
        value: String,
    },
    /// A variable without an initialiser has a value.
    Uninitialised {
        /// Its name.
        variable: String,
        /// The value.
        value: String,
    },
    /// A variable gets a value.
    Change {
        /// Its name.
        variable: String,
        /// The value.
        value: String,
    },
}

/// A value that the encoding only over-approximates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Approximation {
    /// Where it is taken.
    pub place: Place,
    /// What it is.
    pub what: String,
    /// Is it exact with [`super::IntMode::BitVector`]?
    pub exact_over_bits: bool,
}

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunStep {
    /// Where.
    pub place: Place,
    /// What happens there; a step without events is a test.
    pub events: Vec<Event>,
}

/// A run of the program to an error.
#[derive(Clone, Debug)]
pub struct ErrorRun {
    /// The steps, from the beginning.
    pub steps: Vec<RunStep>,
    /// How it ends.
    pub end: RunEnd,
    /// The places at which the run takes a value that the encoding over-approximates. The
    /// run may not exist then.
    pub approximated: Vec<Approximation>,
    /// The places at which an operation leaves its type, which [`super::IntMode::Unbounded`]
    /// ignores. The run may not exist then.
    pub overflows: Vec<Place>,
    /// Was the list of steps cut off?
    pub cut: bool,
    /// What uninitialised variables are, in the order of the run.
    pub(crate) uninitialised: Vec<(ObjectId, Initial)>,
    /// The contents of memory that was never written: of allocations, and outside of the program.
    pub(crate) contents: Vec<Content>,
    /// Objects outside of the program and their types.
    pub(crate) outside: Vec<(ObjectId, CType)>,
}

/// A number in memory.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Content {
    /// What was allocated, or is outside.
    pub(crate) object: ObjectId,
    /// Where in it, and of which type.
    pub(crate) path: Vec<Step>,
    pub(crate) ty: CType,
    pub(crate) value: String,
}

/// What an uninitialised variable is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Initial {
    Scalar(String),
    /// What most elements of an array of integers are, and the others.
    Array(String, Vec<(u64, String)>),
}

impl Initial {
    /// Can it be given to a pointer: is it null, or the address of an object outside of the
    /// program?
    pub(crate) fn is_told(&self) -> bool {
        matches!(self, Initial::Scalar(value) if value == "0" || value.starts_with(OUTSIDE))
    }
}

impl ErrorRun {
    /// Does the machine take this run, too, as far as the encoding can tell?
    pub fn is_exact(&self) -> bool {
        self.approximated.is_empty() && self.overflows.is_empty() && !self.cut
    }
}

impl Encoded<'_> {
    /// The run that a refutation of the system stands for.
    pub fn run(&self, refutation: &Refutation) -> ErrorRun {
        let mut run = ErrorRun {
            steps: Vec::new(),
            end: RunEnd::Error(self.first_place(), "an error".to_owned()),
            approximated: Vec::new(),
            overflows: Vec::new(),
            cut: false,
            uninitialised: Vec::new(),
            contents: Vec::new(),
            outside: self.outside_types(),
        };
        let Some(last) = refutation.facts.len().checked_sub(1) else {
            return run;
        };
        let last = FactId(u32::try_from(last).expect("few facts"));
        // Facts to be shown, the next on top; with a flag whether the callers of its function have
        // been shown.
        let mut open = vec![(last, false, false)];
        while let Some((id, inside, ready)) = open.pop() {
            if run.steps.len() > STEPS || open.len() > STEPS {
                run.cut = true;
                break;
            }
            let fact = &refutation.facts[id.index()];
            let info = &self.encoding.clauses[fact.clause.index()];
            if ready {
                if let ClauseInfo::Block { root, from, end } = info {
                    self.tell(&mut run, *root, *from, end, fact.clause, &fact.values);
                }
                continue;
            }
            // Within a call, what led to it has been told by the caller.
            if inside && matches!(info, ClauseInfo::Enter) {
                continue;
            }
            open.push((id, inside, true));
            match (info, &fact.premises[..]) {
                (ClauseInfo::Return, [before, callee]) => {
                    open.push((*callee, true, false));
                    open.push((*before, inside, false));
                }
                (_, premises) => open.extend(premises.iter().map(|&p| (p, inside, false))),
            }
        }
        run
    }

    fn first_place(&self) -> Place {
        self.encoding.flow.roots[0].cfa.nodes[0].place.clone()
    }

    /// The steps of one block.
    fn tell(
        &self,
        run: &mut ErrorRun,
        root: usize,
        from: usize,
        end: &End,
        clause: crate::chc::ClauseId,
        values: &[Value],
    ) {
        let CProgram {
            program, memory, ..
        } = self.program;
        let arith = self.encoding.arith(self.t);
        let vars = &self.encoding.system.clause(clause).vars;
        let known = vars.iter().copied().zip(values.iter().cloned());
        let mut evaluator = Evaluator::with(self.t, Unspecified::Refuse, known);
        self.encoding
            .trace(program, memory, &arith, root, from, |block| {
                let roots: Vec<Term> = (block.passed.iter())
                    .flat_map(|p| {
                        let changes = p.changes.iter().chain(&p.chosen).map(|c| c.1);
                        changes.chain([p.guard]).chain(p.overflows.iter().copied())
                    })
                    .collect();
                // What the clause does not speak of may have any value.
                for var in self.t.vars(roots) {
                    if !vars.contains(&var)
                        && let Some(value) = self.any_value(var)
                    {
                        evaluator.assign(var, value);
                    }
                }
                self.tell_block(run, root, end, block, &mut evaluator);
            });
    }

    fn any_value(&self, var: Term) -> Option<Value> {
        let sort = self.t.sort_of(var);
        let zero = Value::Number(Rational::from(0));
        if sort == crate::term::Sort::INT {
            return Some(zero);
        }
        if let Some(width) = self.t.bitvec_width(sort) {
            let zero = crate::term::BitVec::from_int(&BigInt::from(0), width);
            return Some(Value::BitVec(zero));
        }
        let (_, element) = self.t.array_parts(sort)?;
        let element = match self.t.bitvec_width(element) {
            Some(width) => Value::BitVec(crate::term::BitVec::from_int(&BigInt::from(0), width)),
            None => zero,
        };
        Some(Value::const_array(self.t, sort, element))
    }

    fn tell_block(
        &self,
        run: &mut ErrorRun,
        root: usize,
        end: &End,
        block: &Block<'_>,
        evaluator: &mut Evaluator<'_>,
    ) {
        let program = &self.program.program;
        let cfa = &self.encoding.flow.roots[root].cfa;
        let last = match end {
            End::Cut(_) => None,
            End::Error(edge) | End::Unsupported(edge, _) | End::Wraps(edge) => Some(*edge),
        };
        for passed in &block.passed {
            if !evaluator.holds(passed.guard) {
                continue;
            }
            let edge = &cfa.edges[passed.edge];
            let events = self.events(run, root, edge, passed, block, evaluator);
            let notes = passed.notes.iter().map(|note| Approximation {
                place: edge.place.clone(),
                what: note.what.to_string(),
                exact_over_bits: note.bits,
            });
            run.approximated.extend(notes);
            if passed.overflows.iter().any(|&o| evaluator.holds(o)) {
                run.overflows.push(edge.place.clone());
            }
            let is_claimed = cfa.nodes[edge.from.0].claim.is_some();
            let in_model = program.function(cfa.nodes[edge.from.0].func).library;
            let is_test = matches!(edge.instr, Instr::Assume(..)) && !is_claimed && !in_model;
            let told = !events.is_empty() || is_test;
            if told && Some(passed.edge) != last {
                run.steps.push(RunStep {
                    place: edge.place.clone(),
                    events,
                });
            }
        }
        if let Some(edge) = last {
            let edge = &cfa.edges[edge];
            run.end = run_end(end, edge, cfa.nodes[edge.from.0].claim);
        }
    }

    /// What happens in a step.
    fn events(
        &self,
        run: &mut ErrorRun,
        root: usize,
        edge: &Edge,
        passed: &Passed,
        block: &Block<'_>,
        evaluator: &mut Evaluator<'_>,
    ) -> Vec<Event> {
        let taken = (block.inputs.iter()).filter(|input| input.edge == passed.edge);
        let values = taken.filter_map(|input| Some((input, evaluator.eval(input.var).ok()?)));
        let values: Vec<(&Input, Value)> = values.collect();
        let mut events = self.given(run, &edge.instr, &values);
        match &edge.instr {
            // Any value does where none matters.
            Instr::Havoc(_, Unknown::Input(function)) if events.is_empty() => {
                events.push(Event::Input {
                    function: function.to_string(),
                    value: "0".to_owned(),
                });
            }
            // Was told.
            Instr::Havoc(_, Unknown::Uninitialised) if !events.is_empty() => return events,
            _ => {}
        }
        for &(part, term) in &passed.changes {
            let mut chosen = passed.chosen.iter().filter(|(other, _)| *other == part);
            if chosen.all(|(_, condition)| evaluator.holds(*condition)) {
                events.extend(self.change(root, part, term, evaluator));
            }
        }
        events
    }

    /// What a step is given from outside.
    fn given(&self, run: &mut ErrorRun, instr: &Instr, values: &[(&Input, Value)]) -> Vec<Event> {
        let (mut events, mut elements) = (Vec::new(), Vec::new());
        for (input, value) in values {
            let signed = input.ty.signed;
            match (&input.why, instr) {
                (Unknown::Input(function), instr) => events.push(Event::Input {
                    function: function.to_string(),
                    value: match instr {
                        Instr::Havoc(place, _) => self.text(place, value, signed),
                        _ => number_text(value, signed),
                    },
                }),
                (Unknown::Uninitialised, Instr::Havoc(place, _))
                    if self.is_list(place) && !matches!(value, Value::Array(_)) =>
                {
                    let text = number_text(value, signed);
                    elements.extend(input.part.and_then(|part| self.element(part, text)));
                }
                (Unknown::Uninitialised, Instr::Havoc(place, _)) => {
                    run.contents.extend(self.content(place, value));
                    let Some((object, initial)) = self.initial(place, value, signed) else {
                        continue;
                    };
                    if let Initial::Scalar(value) = &initial {
                        events.push(Event::Uninitialised {
                            variable: self.program.program.object(object).name.to_string(),
                            value: value.clone(),
                        });
                    }
                    run.uninitialised.push((object, initial));
                }
                _ => {}
            }
        }
        if let (Instr::Havoc(place, _), false) = (instr, elements.is_empty())
            && let Base::Object(object) = place.base
        {
            let elements = Initial::Array("0".to_owned(), elements);
            run.uninitialised.push((object, elements));
        }
        events
    }

    /// The variable of the program's that a place is all of, and what it is, where it is a scalar
    /// or an array of integers.
    fn initial(&self, place: &Lvalue, value: &Value, signed: bool) -> Option<(ObjectId, Initial)> {
        let CProgram {
            program, memory, ..
        } = self.program;
        let Base::Object(object) = place.base else {
            return None;
        };
        if !place.path.is_empty() || program.object(object).hidden {
            return None;
        }
        let initial = match (&place.ty, value) {
            (ty, value) if ty.is_scalar() => Initial::Scalar(self.text(place, value, signed)),
            (CType::Array(element, Some(count)), Value::Array(array))
                if matches!(**element, CType::Int(_)) =>
            {
                let part = memory.part_of(Cell { object, leaf: 0 })?;
                let first = if memory.parts[part.0].relative {
                    0
                } else {
                    memory.address(program, object).ok()?
                };
                let entries = array.entries().filter_map(|(index, element)| {
                    let index: i128 = number_text(index, false).parse().ok()?;
                    let at = u64::try_from(index - first).ok()?;
                    (at < *count).then(|| (at, number_text(element, signed)))
                });
                let most = number_text(array.default_element(), signed);
                Initial::Array(most, entries.collect())
            }
            _ => return None,
        };
        Some((object, initial))
    }

    /// Is this all of an array of integers of the program's?
    fn is_list(&self, place: &Lvalue) -> bool {
        let is_array = |ty: &CType| matches!(ty, CType::Array(element, Some(_)) if matches!(**element, CType::Int(_)));
        let named = |object: ObjectId| !self.program.program.object(object).hidden;
        let whole = place.path.is_empty() && is_array(&place.ty);
        whole && matches!(place.base, Base::Object(object) if named(object))
    }

    /// The position of an element that is a separate variable, with its value.
    fn element(&self, part: PartId, value: String) -> Option<(u64, String)> {
        let cell = self.program.memory.parts[part.0].cells.first()?;
        Some((u64::try_from(cell.leaf).ok()?, value))
    }

    /// The value of a scalar place. Where it is known which objects are outside, a pointer from
    /// there is one to them, or null.
    fn text(&self, place: &Lvalue, value: &Value, signed: bool) -> String {
        let CProgram {
            program, memory, ..
        } = self.program;
        let number = number_text(value, signed);
        let Some(outside) = program.outside.as_ref().filter(|_| place.ty.is_pointer()) else {
            return number;
        };
        let is_there = |object: &&ObjectId| {
            (memory.address(program, **object)).is_ok_and(|address| address.to_string() == number)
        };
        match outside.iter().find(is_there) {
            Some(object) => format!("{OUTSIDE}{}", object.0),
            None => "0".to_owned(),
        }
    }

    /// What is in memory that was allocated, or that is outside.
    fn content(&self, place: &Lvalue, value: &Value) -> Option<Content> {
        let program = &self.program.program;
        let Base::Object(object) = place.base else {
            return None;
        };
        let outside = program.outside.as_ref()?.contains(&object);
        if !outside && program.object(object).allocation.is_none() {
            return None;
        }
        Some(Content {
            object,
            path: place.path.clone(),
            ty: place.ty.clone(),
            value: self.text(place, value, true),
        })
    }

    /// The objects outside, with their types.
    fn outside_types(&self) -> Vec<(ObjectId, CType)> {
        let program = &self.program.program;
        let objects = program.outside.iter().flatten();
        let ty = |&object: &ObjectId| (object, program.object(object).ty.clone());
        objects.map(ty).collect()
    }

    /// A change of a variable of the program's.
    fn change(
        &self,
        root: usize,
        part: PartId,
        term: Term,
        evaluator: &mut Evaluator<'_>,
    ) -> Option<Event> {
        let info = &self.program.memory.parts[part.0];
        let value = evaluator.eval(term).ok()?;
        if info.array || !info.visible {
            return None;
        }
        Some(Event::Change {
            variable: self.encoding.name(root, part).to_owned(),
            value: number_text(&value, info.ty.signed),
        })
    }
}

/// What a run comes to in the last step of its last block.
fn run_end(end: &End, edge: &Edge, claim: Option<Claimed>) -> RunEnd {
    let place = edge.place.clone();
    if let (End::Error(_), Some(Claimed::Invariant(number))) = (end, claim) {
        return RunEnd::Invariant(place, number);
    }
    match (end, &edge.instr) {
        (End::Error(_), Instr::Error(what)) => RunEnd::Error(place, what.to_string()),
        (End::Unsupported(_, what), _) => RunEnd::Unsupported(place, what.to_string()),
        (End::Wraps(_), _) => RunEnd::Wraps(place),
        _ => RunEnd::Error(place, "an error".to_owned()),
    }
}

/// A number as C writes it.
fn number_text(value: &Value, signed: bool) -> String {
    match value {
        Value::Number(number) => number.numer().to_string(),
        Value::BitVec(bits) if signed => bits.signed().to_string(),
        Value::BitVec(bits) => bits.unsigned().to_string(),
        _ => "?".to_owned(),
    }
}
