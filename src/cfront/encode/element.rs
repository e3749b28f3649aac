//! Elements of small arrays that are separate scalars, at indices that are variables: one case for
//! each element.

use super::arith::Num;
use super::translate::Scope;
use crate::cfront::ir::{Base, Binary, Lvalue, Step};
use crate::cfront::memory::{Mismatch, PartId};
use crate::cfront::types::{CType, IntType, Length};
use crate::term::Term;

impl Scope<'_, '_> {
    /// The elements that a place may be, each with the condition that it is this one. That the
    /// indices are in bounds is a condition of the step: exactly one of the elements is chosen
    /// then.
    pub(super) fn cases(&mut self, place: &Lvalue) -> Result<Vec<(Term, PartId)>, Mismatch> {
        let elements = self.memory.elements(self.program, place);
        if elements.is_empty() {
            // An index out of bounds has no meaning.
            self.conditions.push(Term::FALSE);
        }
        let indices = self.variable_indices(place)?;
        let cases = elements.into_iter().map(|(values, part)| {
            let chosen = indices.iter().zip(values).map(|(&(index, ty), value)| {
                let value = self.arith.constant(value, ty);
                self.arith.compare(Binary::Eq, index, value, ty)
            });
            (self.arith.t.and(chosen), part)
        });
        Ok(cases.collect())
    }

    /// The indices of a place that are no constants, which are in bounds.
    fn variable_indices(&mut self, place: &Lvalue) -> Result<Vec<(Num, IntType)>, Mismatch> {
        let Base::Object(object) = place.base else {
            return Ok(Vec::new());
        };
        let mut ty = &self.program.object(object).ty;
        let mut indices = Vec::new();
        for step in &place.path {
            match (step, ty) {
                (Step::Field(of, at), _) => ty = &self.program.structs.fields(*of)[*at].ty,
                (Step::Index(index), CType::Array(element, Length::Constant(count))) => {
                    if index.as_const().is_none() {
                        self.check_number(index)?;
                        let value = self.value(index)?;
                        self.within(value, index.ty, *count);
                        indices.push((value, index.ty));
                    }
                    ty = element;
                }
                (Step::Index(_), _) => {
                    return Err("an index into an object that is not an array".into());
                }
            }
        }
        Ok(indices)
    }

    /// The value of an element.
    pub(super) fn load_element(&mut self, place: &Lvalue, ty: IntType) -> Result<Num, Mismatch> {
        let mut result = None;
        for (chosen, part) in self.cases(place)?.into_iter().rev() {
            let own = self.memory.parts[part.0].ty;
            own.check_kind(ty)?;
            let value = self.arith.convert(self.variable(part), own, ty);
            result = Some(match result {
                None => value,
                Some(others) => self.arith.choose(chosen, value, others),
            });
        }
        Ok(result.unwrap_or_else(|| self.arith.constant(0, ty)))
    }
}
