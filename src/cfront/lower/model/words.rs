//! The words of models ([`crate::cfront::library`]), and what is kept for them: the sizes of
//! memory, and `errno`.

use super::super::call::Named;
use super::super::expr::convert;
use super::super::literal::string_bytes;
use super::super::{Entity, Lowered, Lowerer};
use crate::cfront::ir::{Expr, ExprKind, Instr, Lvalue, Mark, ObjectKind, Unknown};
use crate::cfront::library::ELEMENT;
use crate::cfront::lower::value::ExprValue;
use crate::cfront::types::{CType, IntType, Length};
use lang_c::ast::Expression;
use lang_c::span::Node;
use std::rc::Rc;

impl Lowerer<'_> {
    /// A call within a model: of one of its words, or of another model.
    pub(in crate::cfront::lower) fn library_named_call(
        &mut self,
        call: &Named<'_>,
    ) -> Lowered<ExprValue> {
        if let Some(value) = self.word(call)? {
            return Ok(value);
        }
        let Some(f) = self.library().function(call.name) else {
            return self.fail(format!("the models have no `{}`", call.name));
        };
        let mut values = Vec::new();
        for argument in call.arguments {
            values.push(self.value(argument)?);
        }
        let element = match self.library().is_generic(f) {
            true => match self.lookup(ELEMENT) {
                Some(Entity::Typedef(ty)) => Some(ty.clone()),
                _ => None,
            },
            false => None,
        };
        if self.probing {
            let result = self.model_result(f, element.as_ref())?;
            return self.placeholder(&result);
        }
        let id = self.instance(f, element.as_ref())?;
        self.instance_call(id, values)
    }

    /// A word of the models; `None` for other names.
    pub(in crate::cfront::lower) fn word(
        &mut self,
        call: &Named<'_>,
    ) -> Lowered<Option<ExprValue>> {
        let text = |e: &Node<Expression>| match &e.node {
            Expression::StringLiteral(s) => {
                String::from_utf8_lossy(&string_bytes(&s.node)).into_owned()
            }
            _ => String::new(),
        };
        let why = match (call.name, call.arguments) {
            ("horn_input", _) => Unknown::Input(self.models.called.clone()),
            ("horn_unspecified", _) => Unknown::Uninitialised,
            ("horn_any", [_, what]) => Unknown::Approximated(text(what).into()),
            ("horn_assume", [condition]) => {
                let (holds, fails) = (self.node(), self.node());
                self.branch(condition, holds, fails)?;
                self.frame.at = holds;
                return Ok(Some(ExprValue::Void));
            }
            ("horn_unsupported", [what]) => {
                self.end_path(Some(Instr::Unsupported(text(what).into())));
                return Ok(Some(ExprValue::Void));
            }
            ("horn_zero", [place]) => {
                let place = self.place_of(place)?;
                self.zero(&place);
                return Ok(Some(ExprValue::Void));
            }
            ("horn_allocate", [bytes]) => {
                let (bytes, _) = self.integer(bytes)?;
                return self.allocate(bytes, false, call.span).map(Some);
            }
            ("horn_free", [pointer]) => {
                let (pointer, _) = self.integer(pointer)?;
                self.step(Instr::Mark(Mark::Free(pointer)));
                return Ok(Some(ExprValue::Void));
            }
            ("horn_size_of", [pointer]) => {
                let (pointer, _) = self.integer(pointer)?;
                let place = self.size_at(pointer);
                return self.load(&place).map(Some);
            }
            _ => return Ok(None),
        };
        let place = self.place_of(&call.arguments[0])?;
        self.step(Instr::Havoc(place, why));
        Ok(Some(ExprValue::Void))
    }

    /// The place that holds the size of the memory at an address.
    pub(in crate::cfront::lower) fn size_at(&mut self, address: Expr) -> Lvalue {
        let ty = IntType::new(self.model.long_bits(), false);
        let object = match self.sizes {
            Some(object) => object,
            None => {
                let sizes = CType::Array(Rc::new(CType::Int(ty)), Length::Unknown);
                let object = self.new_object("sizes".into(), ObjectKind::Static, sizes);
                self.objects[object.0].hidden = true;
                *self.sizes.insert(object)
            }
        };
        let whole = Lvalue::of(
            object,
            CType::Array(Rc::new(CType::Int(ty)), Length::Unknown),
        );
        whole.index(address, CType::Int(ty))
    }

    /// The size of new memory is kept where the program may ask for it.
    pub(in crate::cfront::lower) fn note_size(&mut self, pointer: &Lvalue, size: Expr) {
        if !self.models.needs_sizes {
            return;
        }
        let ty = IntType::new(self.model.long_bits(), false);
        let address = Expr {
            kind: ExprKind::Load(Box::new(pointer.clone())),
            ty,
        };
        let place = self.size_at(address);
        self.step(Instr::Assign(place, convert(size, ty)));
    }

    /// A function that is not known in detail may change `errno`.
    pub(in crate::cfront::lower) fn any_error_number(&mut self) -> Lowered<()> {
        if !self.models.needs_error_number || self.probing || self.is_start() {
            return Ok(());
        }
        if let Some(f) = self.library().function("horn_any_error_number") {
            let id = self.instance(f, None)?;
            self.instance_call(id, Vec::new())?;
        }
        Ok(())
    }
}
