//! Expressions and places as terms, in a state of the variables.

use super::arith::{Arith, IntMode, Num};
use super::crash::{Crash, for_each_crash};
use super::env::Env;
use super::interval::Interval;
use super::range::Ranges;
use crate::cfront::ir::{Base, Binary, Expr, ExprKind, Instr, Lvalue, ObjectId, Step, Stride};
use crate::cfront::memory::{Access, Cell, Memory, Mismatch, PartId, Target, path_offset};
use crate::cfront::program::Program;
use crate::cfront::types::{CType, IntType, Length};
use crate::term::{Term, Terms};
use std::rc::Rc;

/// A value that a step takes from outside: a new variable of the clause.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) var: Term,
    pub(crate) ty: IntType,
    /// The step that takes it.
    pub(crate) edge: usize,
    pub(crate) why: crate::cfront::ir::Unknown,
    /// Where the step gives values to all of an object: the variable that gets this one.
    pub(crate) part: Option<PartId>,
}

/// What is over-approximated in a step.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    pub(crate) what: Rc<str>,
    /// Is it exact over bit-vectors?
    pub(crate) bits: bool,
    /// A condition under which it is exact.
    pub(crate) exact_if: Term,
}

impl Note {
    /// Of memory that is not known, in any mode.
    pub(crate) fn of_memory(what: impl Into<Rc<str>>) -> Self {
        Note {
            what: what.into(),
            bits: false,
            exact_if: Term::FALSE,
        }
    }
}

/// What the translation of a step needs and gathers.
pub(crate) struct Scope<'a, 't> {
    pub(crate) program: &'a Program,
    pub(crate) memory: &'a Memory,
    pub(crate) arith: &'a Arith<'t>,
    pub(crate) env: &'a Env<'a>,
    /// What is known of variables, at the point where the step begins.
    pub(crate) ranges: Option<(&'a Ranges, usize)>,
    /// The step.
    pub(crate) edge: usize,
    /// Is the step one of a model of the C library?
    pub(crate) in_model: bool,
    /// Is it one of the check of a property? Checks calculate with addresses as the encoding has
    /// them.
    pub(crate) in_check: bool,
    /// What must hold for the step to have a meaning.
    pub(crate) conditions: Vec<Term>,
    /// What else holds if the step is taken: of a test, and of what is in memory.
    pub(crate) also: Vec<Term>,
    /// What holds of new variables, whatever path is taken.
    pub(crate) facts: Vec<(Term, Term)>,
    pub(crate) inputs: &'a mut Vec<Input>,
    /// What is over-approximated.
    pub(crate) notes: Vec<Note>,
    /// Elements that the step may change, and under which condition it changes which.
    pub(crate) chosen: Vec<(PartId, Term)>,
}

impl<'t> Scope<'_, 't> {
    fn t(&self) -> &'t Terms {
        self.arith.t
    }

    /// The type of addresses.
    pub(crate) fn pointer_type(&self) -> IntType {
        IntType::new(self.program.model.long_bits(), false)
    }

    /// A new variable, any value of a type.
    pub(crate) fn input(
        &mut self,
        name: &str,
        ty: IntType,
        why: crate::cfront::ir::Unknown,
    ) -> Num {
        let name = format!("{name}!{}", self.inputs.len());
        self.named_input(&name, ty, why)
    }

    /// The variable of a name of the clause's, any value of a type.
    pub(super) fn named_input(
        &mut self,
        name: &str,
        ty: IntType,
        why: crate::cfront::ir::Unknown,
    ) -> Num {
        let var = self.t().var(name, self.arith.sort(ty));
        if self.inputs.iter().any(|input| input.var == var) {
            return self.arith.of(var, ty);
        }
        let range = self.arith.in_range(var, ty);
        self.facts.push((var, range));
        self.inputs.push(Input {
            var,
            ty,
            edge: self.edge,
            why,
            part: None,
        });
        self.arith.of(var, ty)
    }

    /// An unknown value, noted as an over-approximation.
    fn approximated(&mut self, note: Note, ty: IntType) -> Num {
        let why = crate::cfront::ir::Unknown::Approximated(note.what.clone());
        self.notes.push(note);
        self.input("approximated", ty, why)
    }

    /// An unknown truth value, noted as an over-approximation, that is the same for the same two
    /// numbers.
    pub(super) fn approximated_relation(&mut self, note: Note, [a, b]: [Num; 2]) -> Term {
        let why = crate::cfront::ir::Unknown::Approximated(note.what.clone());
        let name = format!("{}!{:?}!{:?}", note.what.replace(' ', "."), a.term, b.term);
        self.notes.push(note);
        let any = self.named_input(&name, IntType::INT, why);
        self.arith.truth(any, IntType::INT)
    }

    /// The value of an expression.
    pub(crate) fn value(&mut self, e: &Expr) -> Result<Num, Mismatch> {
        let ty = e.ty;
        Ok(match &e.kind {
            ExprKind::Const(value) => self.arith.constant(*value, ty),
            ExprKind::Load(place) => self.load(place, ty)?,
            ExprKind::Address(place) => self.address(place)?,
            ExprKind::Function(f) => self.arith.constant(Memory::function_address(*f), ty),
            ExprKind::Neg(a) => {
                self.check_number(a)?;
                let a = self.value(a)?;
                self.arith.negate(a, ty)
            }
            ExprKind::BitNot(a) => {
                self.check_number(a)?;
                let a = self.value(a)?;
                self.arith.complement(a, ty)
            }
            ExprKind::Not(_) | ExprKind::Both(..) | ExprKind::Either(..) => {
                let truth = self.truth(e)?;
                self.arith.number_of(truth, ty)
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                let truth = self.comparison(*op, a, b)?;
                self.arith.number_of(truth, ty)
            }
            ExprKind::Binary(op, a, b) => {
                if e.is_distance() {
                    self.check_distance(a, b)?;
                } else {
                    self.check_number(a)?;
                    self.check_number(b)?;
                }
                self.binary(*op, a, b, ty)?
            }
            ExprKind::Convert(a) if self.is_cut_address(a, ty) => {
                self.value(a)?;
                self.approximated(Note::of_memory("a part of an address"), ty)
            }
            ExprKind::Convert(a) => {
                let from = a.ty;
                let a = self.value(a)?;
                self.arith.convert(a, from, ty)
            }
            ExprKind::Move(pointer, by, stride) => self.moved(pointer, by, stride)?,
            ExprKind::Float(op, operands) if op.is_test() => {
                let truth = self.float_truth(*op, operands)?;
                self.arith.number_of(truth, ty)
            }
            ExprKind::Float(op, operands) => self.float_value(*op, operands, ty)?,
            ExprKind::Choose(c, a, b) => {
                let (arith, c) = (self.arith, self.truth(c)?);
                let a = arith.only_if(c, || self.value(a))?;
                let b = arith.only_if(self.t().not(c), || self.value(b))?;
                self.arith.choose(c, a, b)
            }
        })
    }

    /// A pointer that is moved by a number of elements.
    fn moved(&mut self, pointer: &Expr, by: &Expr, stride: &Stride) -> Result<Num, Mismatch> {
        self.memory.check_stride(self.program, pointer, stride)?;
        self.check_number(by)?;
        let value = self.value(pointer)?;
        if self.is_number(pointer, stride) {
            return Ok(self.number_as_pointer());
        }
        let by = self.scaled(by, stride.units)?;
        let by = self.times_lengths(by, &stride.of)?;
        Ok(self.sum(value, by))
    }

    /// Is a pointer that is moved a number, and no address of an object? Numbers count bytes, where
    /// addresses count units.
    fn is_number(&self, pointer: &Expr, stride: &Stride) -> bool {
        let program = self.program;
        let size = program.structs.layout(&stride.of, program.model).0;
        size != stride.units && self.memory.points_to.targets(program, pointer).is_empty()
    }

    /// A pointer that is computed from a number.
    fn number_as_pointer(&mut self) -> Num {
        let note = Note::of_memory("arithmetic on a number as a pointer");
        self.approximated(note, self.pointer_type())
    }

    /// The distance of two pointers is that of elements of one array: between members, units are
    /// no bytes.
    fn check_distance(&self, a: &Expr, b: &Expr) -> Result<(), Mismatch> {
        let cells = |e: &Expr| {
            let targets = self.memory.points_to.targets(self.program, e).into_iter();
            targets.filter_map(|target| match target {
                Target::Cell(cell) => Some(cell),
                Target::Function(_) => None,
            })
        };
        let points_to = &self.memory.points_to;
        let is_whole = |cell: &Cell| !points_to.is_apart(cell.object);
        for one in cells(a).filter(is_whole) {
            let is_apart = |other: Cell| {
                let differs = other.object == one.object && other.leaf != one.leaf;
                differs && !points_to.are_alike(self.program, one, other)
            };
            if cells(b).any(is_apart) {
                return Err("the distance of pointers to different members".into());
            }
        }
        Ok(())
    }

    fn binary(&mut self, op: Binary, a: &Expr, b: &Expr, ty: IntType) -> Result<Num, Mismatch> {
        let (x, y) = (self.value(a)?, self.value(b)?);
        match op {
            Binary::Div | Binary::Rem => {
                // Division by zero has no meaning.
                let zero = self.arith.constant(0, ty).term;
                let other = self.t().not(self.t().eq(y.term, zero));
                self.conditions.push(other);
            }
            Binary::Shl | Binary::Shr => {
                let width = self.arith.constant(i128::from(ty.bits), b.ty);
                let zero = self.arith.constant(0, b.ty);
                let above = self.arith.compare(Binary::Le, zero, y, b.ty);
                let below = self.arith.compare(Binary::Lt, y, width, b.ty);
                self.conditions.extend([above, below]);
                let y = if self.arith.bits() {
                    self.arith
                        .convert(y, b.ty, IntType::new(ty.bits, b.ty.signed))
                } else {
                    y
                };
                return Ok(self.operation(op, x, y, ty));
            }
            _ => {}
        }
        Ok(self.operation(op, x, y, ty))
    }

    fn operation(&mut self, op: Binary, x: Num, y: Num, ty: IntType) -> Num {
        match self.arith.binary(op, x, y, ty) {
            Some(result) => result,
            None => {
                let what = match op {
                    Binary::And => "`&` of two variables",
                    Binary::Or => "`|` of two variables",
                    Binary::Xor => "`^` of two variables",
                    _ => "a shift by an unknown amount",
                };
                let note = Note {
                    what: what.into(),
                    bits: true,
                    exact_if: Term::FALSE,
                };
                self.approximated(note, ty)
            }
        }
    }

    /// Is an expression other than 0?
    pub(crate) fn truth(&mut self, e: &Expr) -> Result<Term, Mismatch> {
        let t = self.t();
        Ok(match &e.kind {
            ExprKind::Not(a) => t.not(self.truth(a)?),
            ExprKind::Both(a, b) => {
                let (arith, a) = (self.arith, self.truth(a)?);
                let b = arith.only_if(a, || self.truth(b))?;
                t.and([a, b])
            }
            ExprKind::Either(a, b) => {
                let (arith, a) = (self.arith, self.truth(a)?);
                let b = arith.only_if(t.not(a), || self.truth(b))?;
                t.or([a, b])
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() => self.comparison(*op, a, b)?,
            ExprKind::Float(op, operands) if op.is_test() => self.float_truth(*op, operands)?,
            // Truth is not lost where the type becomes wider.
            ExprKind::Convert(a) if e.ty.bits >= a.ty.bits || e.ty.boolean => self.truth(a)?,
            _ => {
                let value = self.value(e)?;
                self.arith.truth(value, e.ty)
            }
        })
    }

    fn load(&mut self, place: &Lvalue, ty: IntType) -> Result<Num, Mismatch> {
        match self.memory.access(self.program, place)? {
            Access::Nowhere => {
                self.effects(place)?;
                let note = Note::of_memory("a read through a pointer to unknown memory");
                Ok(self.approximated(note, ty))
            }
            Access::Scalar(part, address) => {
                self.check_address(place, address)?;
                let own = self.memory.parts[part.0].ty;
                own.check_kind(ty)?;
                let value = self.variable(part);
                Ok(self.arith.convert(value, own, ty))
            }
            Access::Element => self.load_element(place, ty),
            Access::Array(part) => {
                let index = self.index(place, part)?;
                let own = self.memory.parts[part.0].ty;
                own.check_kind(ty)?;
                let element = self.t().select(self.env.get(part), index);
                let wide = own.signed && own.bits >= 32 && !own.float;
                if !wide || self.arith.ranged {
                    // Memory holds values of its type.
                    let range = self.arith.in_range(element, own);
                    self.also.push(range);
                }
                let value = self.arith.of(element, own);
                Ok(self.arith.convert(value, own, ty))
            }
        }
    }

    /// The value of a scalar variable.
    pub(super) fn variable(&self, part: PartId) -> Num {
        let value = self
            .arith
            .of(self.env.get(part), self.memory.parts[part.0].ty);
        // Over mathematical integers, the numbers of a type are not all that there are.
        let is_float = self.memory.parts[part.0].ty.float;
        let is_known = self.arith.mode != IntMode::Unbounded || is_float;
        match self.ranges.filter(|_| is_known) {
            // Where a loop is unrolled, more is known than at its head.
            Some((ranges, node)) if !is_float || value.lo != value.hi => {
                let Interval { lo, hi } = ranges.at(self.memory, node, part);
                Num { lo, hi, ..value }
            }
            _ => value,
        }
    }

    /// The pointer that a scalar is reached by has its address: nothing else has a meaning.
    pub(crate) fn check_address(
        &mut self,
        place: &Lvalue,
        address: Option<i128>,
    ) -> Result<(), Mismatch> {
        if let (Base::Deref(pointer, _), Some(address)) = (&place.base, address) {
            let ty = pointer.ty;
            let value = self.value(pointer)?;
            let expected = self.arith.constant(address, ty);
            let is = self.t().eq(value.term, expected.term);
            self.conditions.push(is);
        }
        Ok(())
    }

    /// What may end a run in a step whose result does not matter: its pointers point to something,
    /// and its divisors are not 0.
    pub(crate) fn check_crashes(&mut self, instr: &Instr) -> Result<(), Mismatch> {
        let mut uses = Vec::new();
        for_each_crash(instr, &mut |use_of| uses.push(use_of));
        for use_of in uses {
            match use_of {
                Crash::Divisor(e) => {
                    let value = self.value(e)?;
                    let other = self.arith.truth(value, e.ty);
                    self.conditions.push(other);
                }
                Crash::Pointer(place, pointer) => match self.memory.access(self.program, place)? {
                    // Elements that are scalars have no address.
                    Access::Nowhere | Access::Element => {}
                    Access::Scalar(_, address) => self.check_address(place, address)?,
                    Access::Array(_) => {
                        let value = self.value(pointer)?;
                        let valid = self.arith.truth(value, pointer.ty);
                        self.conditions.push(valid);
                    }
                },
            }
        }
        Ok(())
    }

    /// What a place needs to be evaluated, where its value is not asked for.
    pub(crate) fn effects(&mut self, place: &Lvalue) -> Result<(), Mismatch> {
        if let Base::Deref(pointer, _) = &place.base {
            self.value(pointer)?;
        }
        Ok(())
    }

    /// The sum of two addresses or offsets.
    fn sum(&self, a: Num, b: Num) -> Num {
        let ty = self.pointer_type();
        if self.arith.bits() {
            return self
                .arith
                .binary(Binary::Add, a, b, ty)
                .expect("sums are exact");
        }
        // No object is so large that the sum wraps around.
        self.arith.of(self.t().add([a.term, b.term]), ty)
    }

    /// A number of elements, in units of memory.
    fn scaled(&mut self, count: &Expr, units: u64) -> Result<Num, Mismatch> {
        let value = self.value(count)?;
        let pointer = self.pointer_type();
        let units = i128::from(units);
        if self.arith.bits() {
            let wide = self.arith.convert(value, count.ty, pointer);
            let units = self.arith.constant(units, pointer);
            let product = self.arith.binary(Binary::Mul, wide, units, pointer);
            return Ok(product.expect("products are exact"));
        }
        let signed = IntType::new(pointer.bits, true);
        let value = self.arith.convert(value, count.ty, signed);
        let scaled = self.t().mul([self.arith.int(units), value.term]);
        Ok(self.arith.of(scaled, signed))
    }

    /// The units from the beginning of a place's base to the place.
    fn offset(&mut self, place: &Lvalue, checked: bool) -> Result<Num, Mismatch> {
        let pointer = self.pointer_type();
        let fixed = i128::from(path_offset(self.program, place));
        let mut sum = self.arith.constant(fixed, pointer);
        let mut ty = match &place.base {
            Base::Object(object) => self.program.object(*object).ty.clone(),
            Base::Deref(_, ty) => ty.clone(),
        };
        let structs = &self.program.structs;
        // Old programs write an array without a length as one of one element, at the end of a
        // structure.
        let mut is_end = matches!(place.base, Base::Deref(..));
        for step in &place.path {
            match step {
                Step::Field(of, at) => {
                    is_end &= structs.is_last(*of, *at);
                    ty = structs.fields(*of)[*at].ty.clone();
                }
                Step::Index(index) => {
                    // The front end has tables by addresses.
                    let is_table = matches!(&place.base, Base::Object(object)
                        if self.program.object(*object).hidden);
                    if !is_table {
                        self.check_number(index)?;
                    }
                    let (element, length) = match &ty {
                        CType::Array(element, length) => ((**element).clone(), *length),
                        // Memory of one element that is used as an array.
                        other => (other.clone(), Length::Unknown),
                    };
                    let by = self.scaled(index, self.program.structs.units(&element))?;
                    let by = self.times_lengths(by, &element)?;
                    let is_open = is_end && length == Length::Constant(1);
                    if checked && !is_open {
                        self.in_bounds(index, length)?;
                    }
                    is_end = false;
                    sum = self.sum(sum, by);
                    ty = element;
                }
            }
        }
        Ok(sum)
    }

    /// An index is in the bounds of its array: nothing else has a meaning.
    fn in_bounds(&mut self, index: &Expr, length: Length) -> Result<(), Mismatch> {
        let value = match (length, index.as_const()) {
            (Length::Unknown, _) => return Ok(()),
            (Length::Constant(count), Some(at)) if (0..i128::from(count)).contains(&at) => {
                return Ok(());
            }
            _ => self.value(index)?,
        };
        match length {
            Length::Constant(count) => self.within(value, index.ty, count),
            Length::Variable(variable) => self.below_variable(value, index.ty, variable)?,
            Length::Unknown => {}
        }
        Ok(())
    }

    /// A length that was evaluated, and the type of the variable that keeps it.
    fn length(&mut self, variable: ObjectId) -> Result<(Num, IntType), Mismatch> {
        let ty = self.program.object(variable).ty.clone();
        let own = ty
            .int(self.program.model)
            .ok_or("a length that is no number")?;
        let length = self.load(&Lvalue::of(variable, ty), own)?;
        Ok((length, own))
    }

    /// A number of elements times the lengths that were evaluated of such an element.
    fn times_lengths(&mut self, count: Num, element: &CType) -> Result<Num, Mismatch> {
        let pointer = self.pointer_type();
        let mut units = count;
        for variable in element.lengths() {
            let (length, own) = self.length(variable)?;
            units = if self.arith.bits() {
                let length = self.arith.convert(length, own, pointer);
                let product = self.arith.binary(Binary::Mul, units, length, pointer);
                product.expect("products are exact")
            } else {
                // No object is so large that the product wraps around.
                let product = self.t().mul([units.term, length.term]);
                self.arith.of(product, IntType::new(pointer.bits, true))
            };
        }
        Ok(units)
    }

    /// Adds the condition that an index is at least 0 and less than a length that was evaluated.
    fn below_variable(
        &mut self,
        value: Num,
        ty: IntType,
        variable: ObjectId,
    ) -> Result<(), Mismatch> {
        let (length, own) = self.length(variable)?;
        // All values of both types are in this one.
        let wide = IntType::new(ty.bits.max(own.bits) + 1, true);
        let (value, length) = (
            self.arith.convert(value, ty, wide),
            self.arith.convert(length, own, wide),
        );
        let zero = self.arith.constant(0, wide);
        let above = self.arith.compare(Binary::Le, zero, value, wide);
        let below = self.arith.compare(Binary::Lt, value, length, wide);
        self.conditions.extend([above, below]);
        Ok(())
    }

    /// Adds the condition that an index is at least 0 and less than `count`.
    pub(super) fn within(&mut self, value: Num, ty: IntType, count: u64) {
        let count = i128::from(count);
        if ty.min() >= 0 && ty.max() < count {
            return;
        }
        let zero = self.arith.constant(0, ty);
        let above = self.arith.compare(Binary::Le, zero, value, ty);
        self.conditions.push(above);
        // A type may have no number that large.
        if ty.max() >= count {
            let count = self.arith.constant(count, ty);
            let below = self.arith.compare(Binary::Lt, value, count, ty);
            self.conditions.push(below);
        }
    }

    /// The address of a place.
    pub(crate) fn address(&mut self, place: &Lvalue) -> Result<Num, Mismatch> {
        let base = match &place.base {
            Base::Object(object) => {
                let address = self.memory.address(self.program, *object)?;
                self.arith.constant(address, self.pointer_type())
            }
            Base::Deref(pointer, _) => {
                // A part of something of another type is nothing that is known.
                let cells = self.memory.points_to.cells(self.program, place)?;
                let value = self.value(pointer)?;
                if cells.is_empty() && !place.path.is_empty() {
                    return Ok(self.number_as_pointer());
                }
                value
            }
        };
        let offset = self.offset(place, false)?;
        Ok(self.sum(base, offset))
    }

    /// The index of a place in the array of its part.
    pub(crate) fn index(&mut self, place: &Lvalue, part: PartId) -> Result<Term, Mismatch> {
        let info = &self.memory.parts[part.0];
        let offset = self.offset(place, true)?;
        match &place.base {
            Base::Object(_) if info.relative => Ok(offset.term),
            Base::Object(object) => {
                let address = self.memory.address(self.program, *object)?;
                let base = self.arith.constant(address, self.pointer_type());
                Ok(self.sum(base, offset).term)
            }
            Base::Deref(pointer, _) => {
                let pointer = self.value(pointer)?;
                let at = self.sum(pointer, offset);
                if !info.relative {
                    let null = self.arith.constant(0, self.pointer_type());
                    let valid = self.t().not(self.t().eq(pointer.term, null.term));
                    self.conditions.push(valid);
                    return Ok(at.term);
                }
                let object = info.cells[0].object;
                let address = self.memory.address(self.program, object)?;
                let units = self.program.structs.units(&self.program.object(object).ty);
                let ty = self.pointer_type();
                let (first, end) = (
                    self.arith.constant(address, ty),
                    self.arith.constant(address + i128::from(units), ty),
                );
                let known = self.program.object(object).ty.is_constant();
                let above = self.arith.compare(Binary::Le, first, at, ty);
                self.conditions.push(above);
                if known {
                    let below = self.arith.compare(Binary::Lt, at, end, ty);
                    self.conditions.push(below);
                }
                let back = self.arith.constant(-address, ty);
                Ok(if self.arith.bits() {
                    let back = self.arith.negate(first, ty);
                    self.sum(at, back).term
                } else {
                    self.t().add([at.term, back.term])
                })
            }
        }
    }
}
