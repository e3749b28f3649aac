//! What a run says of the program's variables, in the words of the source: names instead of
//! variables of the encoding, and what pointers point to instead of addresses.

use super::contents::{number_text, value_text};
use super::event::{Event, EventArgument};
use super::ir::{Edge, Expr, ExprKind, FuncId, Instr, ObjectId, ObjectKind, Unknown};
use super::memory::{Memory, PartId};
use super::program::Program;
use super::quote::{Quoter, path_at};
use super::types::{CType, IntType, Length};
use crate::term::{Evaluator, Op, Term, Terms, Value};
use rustc_hash::FxHashMap;

/// A function that runs.
#[derive(Clone, Debug)]
struct Frame {
    func: FuncId,
    result: Option<String>,
}

/// What a run has done up to a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Story {
    calls: Vec<Frame>,
    /// Arguments of the next call: the parameter, its name or that of its member, and the value.
    arguments: Vec<(ObjectId, String, String)>,
    /// What the front end's temporaries hold.
    temporaries: FxHashMap<ObjectId, String>,
    /// Lengths of arrays that were evaluated.
    lengths: FxHashMap<ObjectId, u64>,
    /// Memory that was allocated, each time with its address.
    blocks: Vec<(i128, ObjectId)>,
}

/// Where the names come from.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a> {
    pub(crate) t: &'a Terms,
    pub(crate) program: &'a Program,
    pub(crate) memory: &'a Memory,
}

impl Story {
    /// The number of calls around a step, that of `main` not counted.
    pub(crate) fn depth(&self, words: Words<'_>) -> usize {
        let is_told = |frame: &&Frame| words.is_told(frame.func);
        self.calls.iter().filter(is_told).count().saturating_sub(1)
    }

    /// A call begins, with the arguments that were told or these.
    pub(crate) fn enter(
        &mut self,
        words: Words<'_>,
        func: FuncId,
        given: Vec<(ObjectId, String, String)>,
    ) -> Option<Event> {
        let mut known = std::mem::take(&mut self.arguments);
        known.extend(given);
        let function = words.program.function(func);
        let inside_model = self.is_in_model(words);
        self.calls.push(Frame { func, result: None });
        let named = known
            .into_iter()
            .filter(|(object, ..)| function.params.contains(object))
            .filter(|(object, ..)| !words.program.object(*object).hidden);
        let arguments: Vec<EventArgument> = named
            .map(|(_, name, value)| EventArgument { name, value })
            .collect();
        let is_begin = &*function.name == "main" && arguments.is_empty();
        let is_told = words.is_told(func) && !inside_model && !is_begin;
        is_told.then(|| Event::Call {
            function: function.name.to_string(),
            arguments,
        })
    }

    /// A call ends, with the result that was told or this one.
    pub(crate) fn leave(
        &mut self,
        words: Words<'_>,
        func: FuncId,
        result: Option<String>,
    ) -> Option<Event> {
        let at = self.calls.iter().rposition(|frame| frame.func == func)?;
        let frame = self.calls.drain(at..).next()?;
        let function = words.program.function(func);
        let call = match &function.call {
            Some(call) => call.to_string(),
            None => format!("{}()", function.name),
        };
        if let Some(object) = function.result {
            self.temporaries.insert(object, call);
        }
        let value = result.or(frame.result);
        let is_told = match function.library {
            // Of a function of the library, only the result matters.
            true => value.is_some(),
            false => words.is_told(func),
        };
        let told = is_told && !self.is_in_model(words) && &*function.name != "main";
        // Models have forms for elements of several types.
        let mut name = &*function.name;
        for form in ["_numbers", "_bytes", "_others"] {
            if function.library {
                name = name.strip_suffix(form).unwrap_or(name);
            }
        }
        told.then(|| Event::Return {
            function: name.to_owned(),
            call: function.call.as_deref().map(str::to_owned),
            value,
        })
    }

    fn is_in_model(&self, words: Words<'_>) -> bool {
        let mut calls = self.calls.iter();
        calls.any(|frame| words.program.function(frame.func).library)
    }

    /// A test, as the source has it; `None` where it only looks at a value without a name.
    pub(crate) fn test(&self, words: Words<'_>, e: &Expr, holds: bool) -> Option<Event> {
        let (mut e, mut holds) = (e, holds);
        loop {
            match &e.kind {
                ExprKind::Not(inner) => (e, holds) = (inner, !holds),
                ExprKind::Convert(inner) => e = inner,
                _ => break,
            }
        }
        let condition = self.quote(words, e)?;
        let has_names = condition.contains(|c: char| c.is_alphabetic());
        has_names.then_some(Event::Test { condition, holds })
    }

    fn quote(&self, words: Words<'_>, e: &Expr) -> Option<String> {
        let quoter = Quoter {
            program: words.program,
            temporary: &|object| self.temporaries.get(&object).cloned(),
        };
        quoter.expression(e)
    }

    /// What a step that changed a variable tells, or notes for later ones.
    pub(crate) fn change(
        &mut self,
        words: Words<'_>,
        edge: &Edge,
        caller: FuncId,
        (part, term): (PartId, Term),
        evaluator: &mut Evaluator<'_>,
    ) -> Option<Event> {
        let info = &words.memory.parts[part.0];
        if matches!(edge.instr, Instr::Fill(..)) {
            return None;
        }
        if info.array {
            return self.element(words, part, term, evaluator);
        }
        let cell = *info.cells.first()?;
        let object = words.program.object(cell.object);
        let ty = &words.memory.points_to.leaves[cell.object.0][cell.leaf].ty;
        let value = self.value(words, ty, info.ty, &evaluator.eval(term).ok()?);
        if let ObjectKind::Local(func) = object.kind
            && words.program.function(func).params.contains(&cell.object)
            && (func != caller || matches!(edge.instr, Instr::Enter(_)))
        {
            let name = info.name.to_string();
            self.arguments.push((cell.object, name, value));
            return None;
        }
        if let Some(frame) = self.calls.last_mut()
            && words.program.function(frame.func).result == Some(cell.object)
        {
            frame.result = Some(value);
            return None;
        }
        if object.hidden {
            self.note_temporary(words, edge, cell.object, value);
            return None;
        }
        Some(Event::Change {
            variable: info.name.to_string(),
            value,
        })
    }

    /// What a temporary holds: the result of a call, or a value.
    fn note_temporary(&mut self, words: Words<'_>, edge: &Edge, object: ObjectId, value: String) {
        if let Ok(length) = value.parse() {
            self.lengths.insert(object, length);
        }
        let text = match &edge.instr {
            Instr::Havoc(_, Unknown::Input(function)) => format!("{function}()"),
            Instr::Assign(_, e) => match self.quote(words, e) {
                Some(text) if text.contains('(') => text,
                _ => value,
            },
            _ => value,
        };
        self.temporaries.insert(object, text);
    }

    /// An element of an array that a step writes, or a scalar that a pointer points to.
    fn element(
        &self,
        words: Words<'_>,
        part: PartId,
        term: Term,
        evaluator: &mut Evaluator<'_>,
    ) -> Option<Event> {
        let [_, index, value] = *words.t.args(term) else {
            return None;
        };
        if words.t.op(term) != Op::Store {
            return None;
        }
        let info = &words.memory.parts[part.0];
        let index = number_text(&evaluator.eval(index).ok()?, false);
        let index: i128 = index.parse().ok()?;
        let (base, ty, first) = match info.relative {
            true => {
                let object = words.program.object(info.cells.first()?.object);
                let named = (!object.hidden).then(|| object.name.to_string());
                (named?, words.whole(info.cells[0].object), 0)
            }
            false => self.object_at(words, index)?,
        };
        let ty = self.settled(&ty);
        let unit = u64::try_from(index - first).ok()?;
        let cells = &words.memory.points_to.leaves;
        let leaf = info.cells.first()?;
        let leaf_ty = &cells[leaf.object.0][leaf.leaf].ty;
        let value = evaluator.eval(value).ok()?;
        Some(Event::Change {
            variable: match path_at(words.program, &ty, unit, None).strip_prefix("[0].") {
                Some(member) if base.starts_with("block") => format!("{base}->{member}"),
                _ => format!("{base}{}", path_at(words.program, &ty, unit, None)),
            },
            value: self.value(words, leaf_ty, info.ty, &value),
        })
    }

    /// Memory is allocated.
    pub(crate) fn allocate(
        &mut self,
        words: Words<'_>,
        heap: ObjectId,
        address: i128,
    ) -> Option<Event> {
        self.blocks.push((address, heap));
        let memory = format!("block{}", self.blocks.len());
        (!self.is_in_model(words)).then_some(Event::Allocation { memory })
    }

    /// Memory is given back, of which this is the pointer.
    pub(crate) fn free(&self, words: Words<'_>, pointer: &Expr) -> Option<Event> {
        let pointer = self.quote(words, pointer)?;
        (!self.is_in_model(words)).then_some(Event::Free { pointer })
    }

    /// The object at an address, its type, and its own address.
    fn object_at(&self, words: Words<'_>, address: i128) -> Option<(String, CType, i128)> {
        let is_before = |&(_, (at, _)): &(usize, &(i128, ObjectId))| *at <= address;
        let blocks = self.blocks.iter().enumerate().filter(is_before);
        let block = blocks.max_by_key(|(_, (at, _))| *at);
        if let Some((number, &(at, heap))) = block
            && (at >= words.memory.heap_start
                || words
                    .memory
                    .range(words.program, heap)
                    .is_some_and(|(_, end)| address < end))
        {
            return Some((format!("block{}", number + 1), words.whole(heap), at));
        }
        let objects = (0..words.program.objects.len()).map(ObjectId);
        for id in objects {
            let object = words.program.object(id);
            let Some((first, end)) = words.memory.range(words.program, id) else {
                continue;
            };
            if (first..end).contains(&address) && !object.hidden {
                return Some((object.name.to_string(), object.ty.clone(), first));
            }
        }
        None
    }

    /// A value of a scalar.
    pub(crate) fn value(
        &self,
        words: Words<'_>,
        ty: &CType,
        int: IntType,
        value: &Value,
    ) -> String {
        let text = value_text(value, int);
        if ty.is_pointer() {
            return self.pointer(words, ty.pointee(), &text);
        }
        match text.parse::<u8>() {
            Ok(byte) if int.bits == 8 && (byte.is_ascii_graphic() || byte == b' ') => {
                format!("{text} ('{}')", char::from(byte))
            }
            _ => text,
        }
    }

    /// A type with the lengths that were evaluated as constants.
    fn settled(&self, ty: &CType) -> CType {
        let CType::Array(element, length) = ty else {
            return ty.clone();
        };
        let length = match length {
            Length::Variable(variable) => {
                let known = self.lengths.get(variable);
                known.map_or(*length, |&count| Length::Constant(count))
            }
            _ => *length,
        };
        CType::Array(self.settled(element).into(), length)
    }

    /// What a pointer points to.
    fn pointer(&self, words: Words<'_>, pointee: Option<&CType>, number: &str) -> String {
        let Ok(address) = number.parse::<i128>() else {
            return "an address".to_owned();
        };
        if address == 0 {
            return "NULL".to_owned();
        }
        if let Some(function) = words.function_at(address) {
            return function;
        }
        if words.is_in_string(address) {
            return "a string literal".to_owned();
        }
        if let Some((name, ty, first)) = self.object_at(words, address) {
            let unit = u64::try_from(address - first).unwrap_or(0);
            if unit == 0 && matches!(ty, CType::Array(..)) {
                return name;
            }
            let (ty, pointee) = (self.settled(&ty), pointee.map(|of| self.settled(of)));
            let path = path_at(words.program, &ty, unit, pointee.as_ref());
            return format!("&{name}{path}");
        }
        "an address".to_owned()
    }
}

impl<'a> Words<'a> {
    /// Is a function one of the program's?
    fn is_told(self, func: FuncId) -> bool {
        func != self.program.start && !self.program.function(func).library
    }

    /// The type of an object's memory.
    fn whole(self, id: ObjectId) -> CType {
        let object = self.program.object(id);
        match object.kind {
            ObjectKind::Heap(_) => CType::Array(object.ty.clone().into(), Length::Unknown),
            _ => object.ty.clone(),
        }
    }

    fn is_in_string(self, address: i128) -> bool {
        let mut objects = (0..self.program.objects.len()).map(ObjectId);
        objects.any(|id| {
            let range = self.memory.range(self.program, id);
            self.program.is_string(id) && range.is_some_and(|(a, b)| (a..b).contains(&address))
        })
    }

    fn function_at(self, address: i128) -> Option<String> {
        let functions = self.program.functions.iter().enumerate();
        let mut at = functions.map(|(at, function)| (FuncId(at), function));
        let found = at.find(|(id, _)| Memory::function_address(*id) == address);
        found.map(|(_, function)| function.name.to_string())
    }

    /// The scalar that an argument or a result is: its object, name and type.
    pub(crate) fn scalar(self, part: PartId) -> Option<(ObjectId, &'a str, CType, IntType)> {
        let info = &self.memory.parts[part.0];
        let cell = info.cells.first().filter(|_| !info.array)?;
        let ty = self.memory.points_to.leaves[cell.object.0][cell.leaf]
            .ty
            .clone();
        Some((cell.object, &info.name, ty, info.ty))
    }
}
