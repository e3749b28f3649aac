//! What is in memory that the program has not written, in a run: local variables without an
//! initialiser, and what was allocated.
//!
//! A run has the contents at the step that makes the memory, scalar by scalar, in units from the
//! beginning of the object. So the harness can put them at the bytes of any data model.

use super::Encoded;
use super::encode::Passed;
use super::float::Format;
use super::ir::{Base, Instr, ObjectId, ObjectKind, Unknown};
use super::memory::{Access, PartId};
use super::types::{CType, DataModel, IntType, Length, Structs};
use crate::term::{Evaluator, Term, Value};

/// Where the elements of an array have no short form, its first 4096 units have contents. The value
/// was not tuned.
const TOLD: u64 = 4096;

/// The contents of memory when it was made.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Contents {
    /// What all elements of an array have at a scalar in them, by its leaf, if that is known.
    pub(crate) every: Vec<(usize, String)>,
    /// What is at a unit.
    pub(crate) at: Vec<(u64, String)>,
}

/// A scalar of a type: where it begins, and what it is.
pub(crate) struct ScalarPlace {
    /// The bytes before it.
    pub(crate) offset: u64,
    pub(crate) ty: CType,
    /// Its number among the scalars of the type, elements of arrays counted once.
    pub(crate) leaf: usize,
}

/// The scalar of a type that is at a unit; `None` where the layout is not known.
pub(crate) fn scalar_at(
    structs: &Structs,
    ty: &CType,
    unit: u64,
    model: DataModel,
) -> Option<ScalarPlace> {
    if !structs.is_laid_out(ty) {
        return None;
    }
    let (mut ty, mut unit) = (ty.clone(), unit);
    let (mut offset, mut leaf) = (0_u64, 0);
    loop {
        match &ty {
            CType::Array(element, count) => {
                let element = element.constant_part();
                let units = structs.span(element);
                let at = unit / units;
                if count.constant().is_some_and(|count| at >= count) {
                    return None;
                }
                let size = structs.layout(element, model).0;
                offset = offset.checked_add(at.checked_mul(size)?)?;
                unit %= units;
                ty = element.clone();
            }
            CType::Struct(id) => {
                let mut inner = None;
                for (at, field) in structs.fields(*id).iter().enumerate() {
                    // Bit-fields share bytes.
                    if field.bits.is_some() {
                        return None;
                    }
                    let units = structs.span(&field.ty);
                    if unit < units {
                        offset += structs.member_offset(*id, at, model);
                        inner = Some(field.ty.clone());
                        break;
                    }
                    unit -= units;
                    leaf += super::memory::leaf_count(structs, &field.ty);
                }
                ty = inner?;
            }
            CType::Int(_) | CType::Pointer(_) | CType::Float(32 | 64) if unit == 0 => {
                return Some(ScalarPlace { offset, ty, leaf });
            }
            _ => return None,
        }
    }
}

/// The type of the memory of an object: of what is allocated, an array of unknown length.
pub(crate) fn memory_type(kind: ObjectKind, ty: &CType) -> CType {
    match kind {
        ObjectKind::Heap(_) => CType::Array(ty.clone().into(), Length::Unknown),
        _ => ty.clone(),
    }
}

impl Encoded<'_> {
    /// The object that a step makes, if the program's text says where.
    pub(super) fn made_by(&self, instr: &Instr) -> Option<ObjectId> {
        let program = &self.program.program;
        match instr {
            Instr::Allocate(_, heap, _) if program.object(*heap).allocation.is_some() => {
                Some(*heap)
            }
            Instr::Havoc(place, Unknown::Uninitialised) => match place.base {
                Base::Object(object)
                    if place.path.is_empty()
                        && !place.ty.is_scalar()
                        && program.object(object).initialiser.is_some() =>
                {
                    Some(object)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The contents of the object that a step makes.
    pub(super) fn contents(
        &self,
        instr: &Instr,
        passed: &Passed,
        evaluator: &mut Evaluator<'_>,
    ) -> Option<(ObjectId, Contents)> {
        let object = self.made_by(instr)?;
        let (first, size) = match instr {
            Instr::Allocate(place, ..) => self.region(object, place, passed, evaluator)?,
            _ => (self.first(object)?, None),
        };
        let mut contents = Contents::default();
        for &(part, term) in &passed.memory {
            let Ok(value) = evaluator.eval(term) else {
                continue;
            };
            self.tell_part(object, part, &value, first, size, &mut contents);
        }
        Some((object, contents))
    }

    /// The address of an object.
    fn first(&self, object: ObjectId) -> Option<i128> {
        let memory = &self.program.memory;
        memory.address(&self.program.program, object).ok()
    }

    /// The address and the size of memory that a step allocates.
    fn region(
        &self,
        heap: ObjectId,
        place: &super::ir::Lvalue,
        passed: &Passed,
        evaluator: &mut Evaluator<'_>,
    ) -> Option<(i128, Option<i128>)> {
        let (program, memory) = (&self.program.program, &self.program.memory);
        if memory.once.contains(&heap) {
            return Some((self.first(heap)?, None));
        }
        let mut after = |wanted: PartId| {
            let term: Term = passed.changes.iter().find(|(part, _)| *part == wanted)?.1;
            number_text(&evaluator.eval(term).ok()?, false).parse().ok()
        };
        let Ok(Access::Scalar(pointer, None)) = memory.access(program, place) else {
            return None;
        };
        let (first, next): (i128, i128) = (after(pointer)?, after(memory.next)?);
        Some((first, Some(next - first)))
    }

    /// What a variable of the encoding says of an object's memory.
    fn tell_part(
        &self,
        object: ObjectId,
        part: PartId,
        value: &Value,
        first: i128,
        size: Option<i128>,
        contents: &mut Contents,
    ) {
        let (program, memory) = (&self.program.program, &self.program.memory);
        let info = &memory.parts[part.0];
        let whole = program.object(object);
        let ty = memory_type(whole.kind, &whole.ty);
        for cell in info.cells.iter().filter(|cell| cell.object == object) {
            let leaf = &memory.points_to.leaves[object.0][cell.leaf];
            // An address of the encoding's is none of the machine's.
            let text = |value: &Value| {
                let text = value_text(value, info.ty);
                (!leaf.ty.is_pointer() || text == "0").then_some(text)
            };
            let Value::Array(array) = value else {
                contents
                    .at
                    .extend(text(value).map(|text| (leaf.offset, text)));
                continue;
            };
            let first = if info.relative { 0 } else { first };
            let is_here = |unit: u64| {
                let fits = size.is_none_or(|size| i128::from(unit) < size);
                let place = scalar_at(&program.structs, &ty, unit, program.model);
                fits && place.is_some_and(|place| place.leaf == cell.leaf)
            };
            if let Some(text) = text(array.default_element()) {
                match ty {
                    CType::Array(ref element, _) if !inner_array(&program.structs, element) => {
                        contents.every.push((cell.leaf, text));
                    }
                    _ => {
                        let units = program.structs.units(&ty).min(TOLD);
                        let here = (0..units).filter(|&unit| is_here(unit));
                        contents.at.extend(here.map(|unit| (unit, text.clone())));
                    }
                }
            }
            for (index, element) in array.entries() {
                let unit = number_text(index, false).parse::<i128>().ok();
                let unit = unit.and_then(|index| u64::try_from(index - first).ok());
                if let (Some(unit), Some(text)) =
                    (unit.filter(|&unit| is_here(unit)), text(element))
                {
                    contents.at.push((unit, text));
                }
            }
        }
    }
}

/// Is there an array in a type?
fn inner_array(structs: &Structs, ty: &CType) -> bool {
    match ty {
        CType::Array(..) => true,
        CType::Struct(id) => {
            let mut fields = structs.fields(*id).iter();
            fields.any(|field| inner_array(structs, &field.ty))
        }
        _ => false,
    }
}

/// A number of a type as C writes it; a floating-point number as [`Format::text`] does.
pub(crate) fn value_text(value: &Value, ty: IntType) -> String {
    let text = number_text(value, ty.signed);
    match text.parse() {
        Ok(key) if ty.float => Format::of(ty).text(key),
        _ => text,
    }
}

/// An integer as C writes it.
pub(crate) fn number_text(value: &Value, signed: bool) -> String {
    match value {
        Value::Number(number) => number.numer().to_string(),
        Value::BitVec(bits) if signed => bits.signed().to_string(),
        Value::BitVec(bits) => bits.unsigned().to_string(),
        _ => "?".to_owned(),
    }
}
