//! From a refutation back to a run of the program: the steps that it takes, inputs, and variables
//! that change.
//!
//! A ground fact of the refutation says which values the variables had at a cutpoint and which
//! inputs were taken on the way to the next. The block is encoded again, step by step; the steps
//! taken are those whose condition is true of these values.

use super::contents::{Contents, number_text, value_text};
use super::encode::{Block, ClauseInfo, End, Input, Passed, PredInfo};
use super::event::Event;
use super::ir::{Base, Cfa, Claimed, Edge, FuncId, Instr, Lvalue, Mark, ObjectId, Step, Unknown};
use super::memory::{Access, path_offset};
use super::source::Place;
use super::story::{Story, Words};
use super::types::{CType, IntType};
use super::{CProgram, Encoded};
use crate::chc::{Abridged, AbridgedLoop, Fact, FactId, Refutation};
use crate::number::Rational;
use crate::term::{Evaluator, Term, Unspecified, Value};
use num_bigint::BigInt;
use std::collections::VecDeque;

/// What the address of an object outside of the program begins with; its number follows.
pub(super) const OUTSIDE: &str = "&outside.";
/// At least this number of steps are kept from the beginning of a run. The value was not tuned.
const FIRST_STEPS: usize = 50_000;
/// This number of steps are kept from the end of a run. Between these and the first ones, steps
/// without an input are left out. The value was not tuned.
const LAST_STEPS: usize = 50_000;

/// A run has all iterations of a loop of at most this number. The value was not tuned.
const WHOLE_LOOP: u32 = 100_000;
/// A run has this number of iterations of a longer loop, from its beginning and from its end each.
/// The value was not tuned.
const ITERATIONS: u32 = 1_000;

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
    /// The function whose text this is.
    pub function: String,
    /// The number of calls around it, that of `main` not counted.
    pub depth: usize,
    /// What happens there; there is at least one event.
    pub events: Vec<Event>,
    /// The number of steps directly before this one that are left out, since the run is long. No
    /// input is taken in them. It is an estimate where iterations of a loop are left out: as many
    /// steps for each as its first iterations have on average.
    pub left_out: usize,
}

impl RunStep {
    /// Does something outside of the program decide what happens here? The harness needs it.
    fn takes_input(&self) -> bool {
        let is_input =
            |event: &Event| matches!(event, Event::Input { .. } | Event::Uninitialised { .. });
        self.events.iter().any(is_input)
    }
}

/// A run of the program to an error.
#[derive(Clone, Debug)]
pub struct ErrorRun {
    /// The steps, from the beginning. In the middle of a run of more than 100 000 steps, only those
    /// are here that take an input.
    pub steps: Vec<RunStep>,
    /// How it ends.
    pub end: RunEnd,
    /// The places at which the run takes a value that the encoding over-approximates. The
    /// run may not exist then.
    pub approximated: Vec<Approximation>,
    /// The places at which an operation leaves its type, which [`super::IntMode::Unbounded`]
    /// ignores. The run may not exist then.
    pub overflows: Vec<Place>,
    /// What uninitialised scalar variables are, in the order of the run.
    pub(crate) uninitialised: Vec<(ObjectId, String)>,
    /// The contents of other memory that was never written, in the order in which it was made; of
    /// memory outside of the program, from the beginning.
    pub(crate) contents: Vec<(ObjectId, Contents)>,
    /// Objects outside of the program and their types.
    pub(crate) outside: Vec<(ObjectId, CType)>,
    /// What the run has done so far, in the words of the source.
    story: Box<Story>,
    late: Box<Late>,
}

/// What follows the steps that are kept, while a run is being told.
#[derive(Clone, Debug, Default)]
struct Late {
    /// The last steps so far.
    steps: VecDeque<RunStep>,
    /// The number of steps that were left out since the last one that is kept.
    left_out: usize,
    /// The number of steps that were added, and of those among them that take an input.
    added: usize,
    inputs: usize,
}

impl ErrorRun {
    /// Does the machine take this run, too, as far as the encoding can tell?
    pub fn is_exact(&self) -> bool {
        self.approximated.is_empty() && self.overflows.is_empty()
    }

    /// Are all steps here?
    pub fn is_whole(&self) -> bool {
        self.steps.iter().all(|step| step.left_out == 0)
    }

    /// Adds a step at the end.
    fn add(&mut self, mut step: RunStep) {
        self.late.added += 1;
        self.late.inputs += usize::from(step.takes_input());
        if self.steps.len() < FIRST_STEPS {
            step.left_out = std::mem::take(&mut self.late.left_out);
            return self.steps.push(step);
        }
        self.late.steps.push_back(step);
        if self.late.steps.len() > LAST_STEPS
            && let Some(early) = self.late.steps.pop_front()
        {
            match early.takes_input() {
                true => self.keep(early),
                false => self.late.left_out += 1,
            }
        }
    }

    fn keep(&mut self, mut step: RunStep) {
        step.left_out = std::mem::take(&mut self.late.left_out);
        self.steps.push(step);
    }

    /// Leaves out steps, all without an input.
    fn leave_out(&mut self, count: usize) {
        self.finish();
        self.late.left_out = self.late.left_out.saturating_add(count);
    }

    /// The last step has been added.
    fn finish(&mut self) {
        for step in std::mem::take(&mut self.late.steps) {
            self.keep(step);
        }
    }
}

/// The loops of a refutation that are not written out, while its run is made.
struct Loops<'a> {
    loops: &'a [AbridgedLoop],
    /// For each loop, the number of steps of the run at its beginning.
    added: Vec<usize>,
    /// Is something decided outside of the program, or not known of memory, in an iteration of a
    /// loop of which others are left out?
    is_open: bool,
}

/// What is known of memory and of the run's inputs: how much there is of each.
type Known = (usize, usize, usize);

impl<'a> Loops<'a> {
    fn of(abridged: &'a Abridged) -> Self {
        Loops {
            loops: &abridged.loops,
            added: vec![0; abridged.loops.len()],
            is_open: false,
        }
    }

    /// A fact comes next in the run. Answers what is known so far, if it is in a loop.
    fn enter(&mut self, run: &mut ErrorRun, fact: FactId) -> Option<Known> {
        let at = self.loops.partition_point(|known| known.end <= fact);
        let around = self.loops.get(at).filter(|known| known.begin <= fact)?;
        if fact == around.begin {
            self.added[at] = run.late.added;
        }
        if fact == around.resumed {
            let told = run.late.added - self.added[at];
            let steps = Rational::new(told as i64, i64::from(around.before));
            let left_out = (&steps * &around.left_out).floor().to_i64();
            let left_out = left_out.and_then(|count| usize::try_from(count).ok());
            run.leave_out(left_out.unwrap_or(usize::MAX));
        }
        (!around.left_out.is_zero()).then(|| Self::known(run))
    }

    /// A fact has been told; `before` is what was known before.
    fn leave(&mut self, run: &ErrorRun, before: Option<Known>) {
        self.is_open |= before.is_some_and(|before| before != Self::known(run));
    }

    fn known(run: &ErrorRun) -> Known {
        (run.contents.len(), run.uninitialised.len(), run.late.inputs)
    }
}

impl Encoded<'_> {
    /// The run that a refutation of the system stands for. Of a loop that is not written out, the
    /// run has the first and the last iterations; `None` if it takes inputs there, since all of
    /// them have to be known.
    pub fn run(&self, refutation: &Refutation) -> Option<ErrorRun> {
        let abridged = refutation.abridged(self.t, WHOLE_LOOP, ITERATIONS);
        let refutation = &abridged.facts;
        let mut run = ErrorRun {
            steps: Vec::new(),
            end: RunEnd::Error(self.first_place(), "an error".to_owned()),
            approximated: Vec::new(),
            overflows: Vec::new(),
            uninitialised: Vec::new(),
            contents: Vec::new(),
            outside: self.outside_types(),
            story: Box::default(),
            late: Box::default(),
        };
        let Some(last) = refutation.facts.len().checked_sub(1) else {
            return Some(run);
        };
        let mut loops = Loops::of(&abridged);
        let last = FactId(u32::try_from(last).expect("few facts"));
        // Facts to be shown, the next on top; where the callers of its function have been shown,
        // with the fact of the return; and a flag whether its premises have been shown.
        let mut open: Vec<(FactId, Option<FactId>, bool)> = vec![(last, None, false)];
        while let Some((id, inside, ready)) = open.pop() {
            let fact = &refutation.facts[id.index()];
            let info = &self.encoding.clauses[fact.clause.index()];
            if ready {
                let before = loops.enter(&mut run, id);
                match info {
                    ClauseInfo::Block { root, from, end } => {
                        self.tell(&mut run, *root, *from, end, fact.clause, &fact.values);
                    }
                    ClauseInfo::Enter => self.tell_entry(&mut run, fact, fact),
                    ClauseInfo::Return => self.tell_exit(&mut run, refutation, fact),
                }
                loops.leave(&run, before);
                continue;
            }
            // Within a call, what led to it has been told by the caller.
            if let (Some(back), ClauseInfo::Enter) = (inside, info) {
                self.tell_entry(&mut run, fact, &refutation.facts[back.index()]);
                continue;
            }
            open.push((id, inside, true));
            match (info, &fact.premises[..]) {
                (ClauseInfo::Return, [before, callee]) => {
                    open.push((*callee, Some(id), false));
                    open.push((*before, inside, false));
                }
                (_, premises) => open.extend(premises.iter().map(|&p| (p, inside, false))),
            }
        }
        run.finish();
        (!loops.is_open).then_some(run)
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
                        let memory = p.memory.iter().map(|m| m.1);
                        let notes = p.notes.iter().map(|note| note.exact_if);
                        let changes = changes.chain(memory).chain(notes).chain([p.guard]);
                        changes.chain(p.overflows.iter().copied())
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
            let events = self.events(run, cfa, edge, passed, block, evaluator);
            let notes = passed.notes.iter();
            let notes: Vec<_> = notes
                .filter(|note| !evaluator.holds(note.exact_if))
                .collect();
            let notes = notes.into_iter().map(|note| Approximation {
                place: edge.place.clone(),
                what: note.what.to_string(),
                exact_over_bits: note.bits,
            });
            run.approximated.extend(notes);
            if passed.overflows.iter().any(|&o| evaluator.holds(o)) {
                run.overflows.push(edge.place.clone());
            }
            if !events.is_empty() && Some(passed.edge) != last {
                self.push(run, &edge.place, cfa.nodes[edge.from.0].func, events);
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
        cfa: &Cfa,
        edge: &Edge,
        passed: &Passed,
        block: &Block<'_>,
        evaluator: &mut Evaluator<'_>,
    ) -> Vec<Event> {
        let taken = (block.inputs.iter()).filter(|input| input.edge == passed.edge);
        let values = taken.filter_map(|input| Some((input, evaluator.eval(input.var).ok()?)));
        let values: Vec<(&Input, Value)> = values.collect();
        run.contents
            .extend(self.contents(&edge.instr, passed, evaluator));
        let mut events = self.given(run, &edge.instr, &values);
        match &edge.instr {
            // Any value does where none matters.
            Instr::Havoc(place, Unknown::Input(function)) if events.is_empty() => {
                let is_float = matches!(place.ty, CType::Float(_));
                events.push(Event::Input {
                    function: function.to_string(),
                    value: if is_float { "0.0" } else { "0" }.to_owned(),
                });
            }
            // Was told.
            Instr::Havoc(_, Unknown::Uninitialised) if !events.is_empty() => return events,
            _ => {}
        }
        let (words, node) = (self.words(), &cfa.nodes[edge.from.0]);
        let program = &self.program.program;
        let in_model = program.function(node.func).library;
        match &edge.instr {
            Instr::Enter(f) => events.extend(run.story.enter(words, *f, Vec::new())),
            Instr::Leave(f) => events.extend(run.story.leave(words, *f, None)),
            // Before `main`, what the standard says of its arguments is no test of the program.
            Instr::Assume(e, wanted)
                if node.claim.is_none() && !in_model && node.func != program.start =>
            {
                events.extend(run.story.test(words, e, *wanted));
            }
            Instr::Mark(Mark::Free(pointer)) => events.extend(run.story.free(words, pointer)),
            Instr::Allocate(place, heap, _) => {
                if let Some(address) = self.new_address(place, *heap, passed, evaluator) {
                    events.extend(run.story.allocate(words, *heap, address));
                }
            }
            _ => {}
        }
        // A pointer that loses its value in a check is not changed by the program, whose names have
        // no dot.
        let loses = match &edge.instr {
            Instr::Assign(place, _) => matches!(place.base, Base::Object(object)
                if !program.object(object).name.contains('.')),
            _ => false,
        };
        let changes = match node.claim {
            Some(Claimed::Check) if loses => &[][..],
            _ => &passed.changes[..],
        };
        for &(part, term) in changes {
            let mut chosen = passed.chosen.iter().filter(|(other, _)| *other == part);
            if chosen.all(|(_, condition)| evaluator.holds(*condition)) {
                let change = (part, term);
                events.extend(run.story.change(words, edge, node.func, change, evaluator));
            }
        }
        events
    }

    fn words(&self) -> Words<'_> {
        Words {
            t: self.t,
            program: &self.program.program,
            memory: &self.program.memory,
        }
    }

    /// One more step.
    fn push(&self, run: &mut ErrorRun, place: &Place, func: FuncId, events: Vec<Event>) {
        let begins = matches!(events[..], [Event::Call { .. }]);
        let depth = run.story.depth(self.words());
        run.add(RunStep {
            place: place.clone(),
            function: self.program.program.function(func).name.to_string(),
            // The call itself stands in the caller.
            depth: depth.saturating_sub(usize::from(begins)),
            events,
            left_out: 0,
        });
    }

    /// The address that a step allocates memory at.
    fn new_address(
        &self,
        place: &Lvalue,
        heap: ObjectId,
        passed: &Passed,
        evaluator: &mut Evaluator<'_>,
    ) -> Option<i128> {
        let CProgram {
            program, memory, ..
        } = self.program;
        if memory.once.contains(&heap) {
            return memory.address(program, heap).ok();
        }
        let Ok(Access::Scalar(pointer, None)) = memory.access(program, place) else {
            return None;
        };
        let (_, term) = passed.changes.iter().find(|(part, _)| *part == pointer)?;
        number_text(&evaluator.eval(*term).ok()?, false)
            .parse()
            .ok()
    }

    /// A call of a function with an automaton begins. `call` is the fact of the call's clause or of
    /// its return.
    fn tell_entry(&self, run: &mut ErrorRun, fact: &Fact, call: &Fact) {
        let Some((root, values)) = self.head_values(fact) else {
            return;
        };
        let words = self.words();
        let given = self.encoding.given_to(root).iter().zip(values);
        let arguments = given.filter_map(|(&part, value)| {
            let (object, name, ty, int) = words.scalar(part)?;
            let value = run.story.value(words, &ty, int, &value?);
            Some((object, name.to_owned(), value))
        });
        let (func, arguments) = (self.encoding.flow.roots[root].func, arguments.collect());
        if let Some((place, caller)) = self.caller_of(call)
            && let Some(event) = run.story.enter(words, func, arguments)
        {
            self.push(run, &place, caller, vec![event]);
        }
    }

    /// A call of a function with an automaton ends.
    fn tell_exit(&self, run: &mut ErrorRun, refutation: &Refutation, fact: &Fact) {
        let [_, callee] = fact.premises[..] else {
            return;
        };
        let Some((root, values)) = self.head_values(&refutation.facts[callee.index()]) else {
            return;
        };
        let (words, func) = (self.words(), self.encoding.flow.roots[root].func);
        let left = values.iter().skip(self.encoding.given_to(root).len());
        let mut results = self.encoding.left_by(root).iter().zip(left);
        let result = results.find_map(|(&part, value)| {
            let (object, _, ty, int) = words.scalar(part)?;
            let is_result = self.program.program.function(func).result == Some(object);
            let value = value.as_ref().filter(|_| is_result)?;
            Some(run.story.value(words, &ty, int, value))
        });
        if let Some((place, caller)) = self.caller_of(fact)
            && let Some(event) = run.story.leave(words, func, result)
        {
            self.push(run, &place, caller, vec![event]);
        }
    }

    /// The function that the head of a fact's clause is about, and the values there.
    fn head_values(&self, fact: &Fact) -> Option<(usize, Vec<Option<Value>>)> {
        let clause = self.encoding.system.clause(fact.clause);
        let head = clause.head.as_ref()?;
        let root = match &self.encoding.preds[head.pred.index()] {
            PredInfo::Entry { root } | PredInfo::Exit { root } => *root,
            PredInfo::Point { .. } => return None,
        };
        let known = clause.vars.iter().copied().zip(fact.values.iter().cloned());
        let mut evaluator = Evaluator::with(self.t, Unspecified::Refuse, known);
        let values = head.args.iter().map(|&arg| evaluator.eval(arg).ok());
        Some((root, values.collect()))
    }

    /// Where a call stands, and in which function.
    fn caller_of(&self, fact: &Fact) -> Option<(Place, FuncId)> {
        let clause = self.encoding.system.clause(fact.clause);
        let atom = clause.body.first()?;
        match &self.encoding.preds[atom.pred.index()] {
            PredInfo::Point { root, node, .. } => {
                let cfa = &self.encoding.flow.roots[*root].cfa;
                let mut calls = cfa.edges.iter().filter(|edge| edge.from.0 == *node);
                let place = calls
                    .next()
                    .map_or(&cfa.nodes[*node].place, |call| &call.place);
                Some((place.clone(), cfa.nodes[*node].func))
            }
            _ => None,
        }
    }

    /// What a step is given from outside.
    fn given(&self, run: &mut ErrorRun, instr: &Instr, values: &[(&Input, Value)]) -> Vec<Event> {
        let mut events = Vec::new();
        for (input, value) in values {
            let signed = input.ty.signed;
            match (&input.why, instr) {
                (Unknown::Input(function), instr) => events.push(Event::Input {
                    function: function.to_string(),
                    value: match instr {
                        Instr::Havoc(place, _) => self.text(place, value, signed),
                        _ => value_text(value, input.ty),
                    },
                }),
                (Unknown::Uninitialised, Instr::Havoc(place, _)) => {
                    self.tell_content(run, place, value);
                    let Some(object) = self.variable_of(place) else {
                        continue;
                    };
                    let value = self.text(place, value, signed);
                    events.push(Event::Uninitialised {
                        variable: self.program.program.object(object).name.to_string(),
                        value: value.clone(),
                    });
                    run.uninitialised.push((object, value));
                }
                _ => {}
            }
        }
        events
    }

    /// The scalar variable of the program's that a place is.
    fn variable_of(&self, place: &Lvalue) -> Option<ObjectId> {
        let Base::Object(object) = place.base else {
            return None;
        };
        let named = !self.program.program.object(object).hidden;
        (place.path.is_empty() && place.ty.is_scalar() && named).then_some(object)
    }

    /// The value of a scalar place. Where it is known which objects are outside, a pointer from
    /// there is one to them, or null.
    fn text(&self, place: &Lvalue, value: &Value, signed: bool) -> String {
        let CProgram {
            program, memory, ..
        } = self.program;
        let number = match &place.ty {
            CType::Float(bits) => value_text(value, IntType::float(*bits)),
            _ => number_text(value, signed),
        };
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

    /// Tells what is in memory that was allocated, or that is outside.
    fn tell_content(&self, run: &mut ErrorRun, place: &Lvalue, value: &Value) {
        let program = &self.program.program;
        let (Base::Object(object), Some(outside)) = (&place.base, &program.outside) else {
            return;
        };
        let allocated = program.object(*object).allocation.is_some();
        let constant = (place.path.iter()).all(|step| matches!(step, Step::Field(..)));
        if !constant || !(allocated || outside.contains(object)) {
            return;
        }
        let content = (path_offset(program, place), self.text(place, value, true));
        match run.contents.iter_mut().rev().find(|(of, _)| of == object) {
            Some((_, contents)) => contents.at.push(content),
            None => {
                let contents = Contents {
                    at: vec![content],
                    ..Contents::default()
                };
                run.contents.push((*object, contents));
            }
        }
    }

    /// The objects outside, with their types.
    fn outside_types(&self) -> Vec<(ObjectId, CType)> {
        let program = &self.program.program;
        let objects = program.outside.iter().flatten();
        let ty = |&object: &ObjectId| (object, program.object(object).ty.clone());
        objects.map(ty).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32) -> Place {
        Place {
            file: "program.c".into(),
            line,
            column: 1,
        }
    }

    fn step(number: u32, events: Vec<Event>) -> RunStep {
        RunStep {
            place: place(number),
            function: "main".to_owned(),
            depth: 0,
            events,
            left_out: 0,
        }
    }

    #[test]
    fn long_runs_keep_their_ends_and_their_inputs() {
        let mut run = ErrorRun {
            steps: Vec::new(),
            end: RunEnd::Error(place(0), "an error".to_owned()),
            approximated: Vec::new(),
            overflows: Vec::new(),
            uninitialised: Vec::new(),
            contents: Vec::new(),
            outside: Vec::new(),
            story: Box::default(),
            late: Box::default(),
        };
        let input = Event::Input {
            function: "__VERIFIER_nondet_int".to_owned(),
            value: "7".to_owned(),
        };
        for number in 0..100_010 {
            let events = match number == 50_003 {
                true => vec![input.clone()],
                false => Vec::new(),
            };
            run.add(step(number, events));
        }
        run.finish();
        assert!(!run.is_whole());
        let left_out: Vec<(u32, usize)> = (run.steps.iter())
            .filter(|step| step.left_out > 0)
            .map(|step| (step.place.line, step.left_out))
            .collect();
        assert_eq!(left_out, [(50_003, 3), (50_010, 6)]);
        assert_eq!(run.steps.len(), 100_001);
        assert_eq!(run.steps.last().map(|step| step.place.line), Some(100_009));
    }
}
