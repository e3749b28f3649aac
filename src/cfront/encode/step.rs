//! What a step does to the variables: values as terms, memory by its parts.

use super::arith::Num;
use super::block::{Builder, sort_of};
use super::translate::{Input, Note, Scope};
use crate::cfront::ir::{
    Base, Binary, Edge, Expr, Instr, Lvalue, ObjectId, ObjectKind, Step, Unknown,
};
use crate::cfront::memory::{Access, Cell, Mismatch, PartId};
use crate::cfront::types::IntType;
use crate::term::{Sort, Term};

/// Arrays that share a part with others are filled element by element, up to 256 units. The value
/// was not tuned.
const FILLED: u64 = 256;

impl Builder<'_, '_> {
    /// What a step changes; its conditions go to the scope.
    pub(super) fn step(
        &self,
        scope: &mut Scope<'_, '_>,
        edge: &Edge,
    ) -> Result<Vec<(PartId, Term)>, Mismatch> {
        let t = self.arith.t;
        match &edge.instr {
            Instr::Assume(e, wanted) => {
                let truth = scope.truth(e)?;
                scope.also.push(if *wanted { truth } else { t.not(truth) });
                Ok(Vec::new())
            }
            Instr::Assign(place, e) => {
                if !self.matters(place)? {
                    scope.check_crashes(&edge.instr)?;
                    return Ok(Vec::new());
                }
                let value = scope.value(e)?;
                self.write(scope, place, value, e.ty)
            }
            Instr::Havoc(place, why) => self.havoc(scope, place, why),
            Instr::Fill(place, e) => {
                let value = scope.value(e)?;
                self.fill(scope, edge, place, value)
            }
            Instr::Allocate(place, heap, size) => self.allocate(scope, place, *heap, size),
            // Calls of functions with automata stand between cutpoints.
            _ => Ok(Vec::new()),
        }
    }

    /// Does a place matter, so that a write to it must be encoded?
    fn matters(&self, place: &Lvalue) -> Result<bool, Mismatch> {
        Ok(match self.memory.access(self.program, place)? {
            Access::Scalar(part, _) | Access::Array(part) => (self.relevant)(part),
            Access::Element => {
                let elements = self.memory.elements(self.program, place);
                elements.is_empty() || elements.iter().any(|(_, part)| (self.relevant)(*part))
            }
            Access::Nowhere => true,
        })
    }

    fn write(
        &self,
        scope: &mut Scope<'_, '_>,
        place: &Lvalue,
        value: Num,
        ty: IntType,
    ) -> Result<Vec<(PartId, Term)>, Mismatch> {
        match self.memory.access(self.program, place)? {
            Access::Nowhere => {
                scope.effects(place)?;
                let note = Note::of_memory("a write through a pointer to unknown memory");
                scope.notes.push(note);
                Ok(Vec::new())
            }
            Access::Scalar(part, address) => {
                scope.check_address(place, address)?;
                let own = self.memory.parts[part.0].ty;
                own.check_kind(ty)?;
                Ok(vec![(part, self.arith.convert(value, ty, own).term)])
            }
            Access::Element => {
                let elements = scope.cases(place)?.into_iter();
                let mut changes = Vec::new();
                for (chosen, part) in elements.filter(|(_, part)| (self.relevant)(*part)) {
                    let own = self.memory.parts[part.0].ty;
                    own.check_kind(ty)?;
                    let value = self.arith.convert(value, ty, own).term;
                    let after = self.arith.t.ite(chosen, value, scope.env.get(part));
                    scope.chosen.push((part, chosen));
                    changes.push((part, after));
                }
                Ok(changes)
            }
            Access::Array(part) => {
                let own = self.memory.parts[part.0].ty;
                own.check_kind(ty)?;
                let index = scope.index(place, part)?;
                let value = self.arith.convert(value, ty, own).term;
                let array = self.arith.t.store(scope.env.get(part), index, value);
                Ok(vec![(part, array)])
            }
        }
    }

    fn havoc(
        &self,
        scope: &mut Scope<'_, '_>,
        place: &Lvalue,
        why: &Unknown,
    ) -> Result<Vec<(PartId, Term)>, Mismatch> {
        if let Unknown::Approximated(what) = why {
            scope.notes.push(Note::of_memory(what.clone()));
        }
        if let Some(ty) = place
            .ty
            .scalar(self.program.model)
            .filter(|_| place.ty.is_scalar())
        {
            let own = match self.memory.access(self.program, place)? {
                Access::Scalar(part, _) | Access::Array(part) => {
                    self.memory.parts[part.0].name.to_string()
                }
                Access::Element => "element".to_owned(),
                Access::Nowhere => return Ok(Vec::new()),
            };
            if !self.matters(place)? {
                return Ok(Vec::new());
            }
            let name = match why {
                Unknown::Input(name) => name.trim_start_matches("__VERIFIER_").to_owned(),
                _ => own,
            };
            let value = scope.input(&name, ty, why.clone());
            return self.write(scope, place, value, ty);
        }
        let mut changes = Vec::new();
        for cell in self.memory.all_cells(self.program, place)? {
            changes.extend(self.havoc_cell(scope, place, cell, why)?);
        }
        Ok(changes)
    }

    /// All scalars of a cell get any value.
    fn havoc_cell(
        &self,
        scope: &mut Scope<'_, '_>,
        place: &Lvalue,
        cell: Cell,
        why: &Unknown,
    ) -> Result<Option<(PartId, Term)>, Mismatch> {
        let Some(part) = self
            .memory
            .part_of(cell)
            .filter(|&part| (self.relevant)(part))
        else {
            return Ok(None);
        };
        let info = &self.memory.parts[part.0];
        if !info.array {
            let value = scope.input(&info.name, info.ty, why.clone());
            if let Some(input) = scope.inputs.last_mut() {
                input.part = Some(part);
            }
            return Ok(Some((part, value.term)));
        }
        let alone = info.cells.len() == 1 && (place.path.is_empty() || info.relative);
        let outside = matches!(place.base, Base::Deref(..));
        if alone || outside {
            let name = format!("{}!{}", info.name, scope.inputs.len());
            let var = self.arith.t.var(&name, self.sort_of(part));
            scope.inputs.push(Input {
                var,
                ty: info.ty,
                edge: scope.edge,
                why: why.clone(),
                part: Some(part),
            });
            return Ok(Some((part, var)));
        }
        // The old content is as good as any other unknown value.
        match why {
            Unknown::Uninitialised => Ok(None),
            _ => Err("an array of inputs that pointers reach".into()),
        }
    }

    /// The sort of a variable.
    fn sort_of(&self, part: PartId) -> Sort {
        sort_of(self.program, self.memory, self.arith, part)
    }

    fn fill(
        &self,
        scope: &mut Scope<'_, '_>,
        edge: &Edge,
        place: &Lvalue,
        value: Num,
    ) -> Result<Vec<(PartId, Term)>, Mismatch> {
        let t = self.arith.t;
        let object = match place.base {
            Base::Object(object) => self.program.object(object),
            Base::Deref(..) => return Err("filling memory through a pointer".into()),
        };
        let within = place.path.iter().any(|step| matches!(step, Step::Index(_)));
        let at_start = self.cfa.nodes[edge.from.0].func == self.program.start
            && object.kind == ObjectKind::Static;
        let mut changes = Vec::new();
        for cell in self.memory.all_cells(self.program, place)? {
            let Some(part) = self
                .memory
                .part_of(cell)
                .filter(|&part| (self.relevant)(part))
            else {
                continue;
            };
            let info = &self.memory.parts[part.0];
            let zero = self.arith.constant(value.lo, info.ty).term;
            if !info.array {
                changes.push((part, zero));
            } else if within {
                // This variable holds the elements of all indices.
                return Err("filling an array within an array".into());
            } else if info.cells.len() == 1 || at_start {
                changes.push((part, t.const_array(self.sort_of(part), zero)));
            } else {
                let units = self.program.structs.units(&object.ty);
                if units > FILLED {
                    return Err("filling a long array that pointers reach".into());
                }
                let base = self.memory.address(self.program, cell.object)?;
                let pointer = scope.pointer_type();
                let mut array = scope.env.get(part);
                for at in 0..units {
                    let index = self.arith.constant(base + i128::from(at), pointer);
                    array = t.store(array, index.term, zero);
                }
                changes.push((part, array));
            }
        }
        Ok(changes)
    }

    /// New memory: at its one address where the step is taken once, else at the next that is free.
    fn allocate(
        &self,
        scope: &mut Scope<'_, '_>,
        place: &Lvalue,
        heap: ObjectId,
        size: &Expr,
    ) -> Result<Vec<(PartId, Term)>, Mismatch> {
        let pointer = scope.pointer_type();
        let whole = Lvalue::of(heap, self.program.object(heap).ty.clone());
        let (address, mut changes) = if self.memory.once.contains(&heap) {
            let mut changes = Vec::new();
            for cell in self.memory.all_cells(self.program, &whole)? {
                changes.extend(self.fresh_cell(scope, heap, &whole, cell)?);
            }
            let address = self.memory.address(self.program, heap)?;
            (self.arith.constant(address, pointer), changes)
        } else {
            self.check_zeroed(heap, &whole)?;
            let next = self.arith.of(scope.env.get(self.memory.next), pointer);
            let after = self.next_free(scope, next, heap, size)?;
            let matters = (self.relevant)(self.memory.next);
            let change = matters.then_some((self.memory.next, after));
            (next, change.into_iter().collect())
        };
        if self.matters(place)? {
            changes.extend(self.write(scope, place, address, pointer)?);
        }
        Ok(changes)
    }

    /// A cell of new memory: zero where all of it is, else any value.
    fn fresh_cell(
        &self,
        scope: &mut Scope<'_, '_>,
        heap: ObjectId,
        whole: &Lvalue,
        cell: Cell,
    ) -> Result<Option<(PartId, Term)>, Mismatch> {
        let part = match self.memory.part_of(cell) {
            Some(part) if self.program.zeroed.contains(&heap) && (self.relevant)(part) => part,
            _ => return self.havoc_cell(scope, whole, cell, &Unknown::Uninitialised),
        };
        let info = &self.memory.parts[part.0];
        let zero = self.arith.constant(0, info.ty).term;
        match (info.array, info.cells.len()) {
            (false, _) => Ok(Some((part, zero))),
            (true, 1) => {
                let zeros = self.arith.t.const_array(self.sort_of(part), zero);
                Ok(Some((part, zeros)))
            }
            _ => Err("`calloc` of memory that is shared".into()),
        }
    }

    /// Memory that is allocated again and again is zero from the beginning where all of its part
    /// is.
    fn check_zeroed(&self, heap: ObjectId, whole: &Lvalue) -> Result<(), Mismatch> {
        if !self.program.zeroed.contains(&heap) {
            return Ok(());
        }
        for cell in self.memory.all_cells(self.program, whole)? {
            let part = self.memory.part_of(cell);
            if part.is_some_and(|part| !self.memory.parts[part.0].zeroed) {
                return Err("`calloc` of memory that is shared".into());
            }
        }
        Ok(())
    }

    /// The address after new memory, which has one unit at least. It has a unit for each byte, and
    /// more where values have more units than bytes, as unions and bit-fields can.
    fn next_free(
        &self,
        scope: &mut Scope<'_, '_>,
        next: Num,
        heap: ObjectId,
        size: &Expr,
    ) -> Result<Term, Mismatch> {
        let pointer = scope.pointer_type();
        let wanted = scope.value(size)?;
        let wanted = self.arith.convert(wanted, size.ty, pointer);
        let one = self.arith.constant(1, pointer);
        let positive = self.arith.compare(Binary::Le, one, wanted, pointer);
        let step = self.arith.choose(positive, wanted, one);
        let (structs, ty) = (&self.program.structs, &self.program.object(heap).ty);
        let bytes = structs.layout(ty, self.program.model).0.max(1);
        let units = i128::from(structs.units(ty).div_ceil(bytes).max(1));
        if !self.arith.bits() {
            let t = self.arith.t;
            return Ok(t.add([next.term, t.mul([self.arith.int(units), step.term])]));
        }
        let units = self.arith.constant(units, pointer);
        let step = self.arith.binary(Binary::Mul, step, units, pointer);
        let step = step.expect("products are exact");
        let sum = self.arith.binary(Binary::Add, next, step, pointer);
        let after = sum.expect("sums are exact");
        let up = self.arith.compare(Binary::Lt, next, after, pointer);
        scope.conditions.push(up);
        Ok(after.term)
    }
}
