//! Copies of models, and the names that models share.

use super::super::watch::Watch;
use super::super::{Entity, Frame, Lowered, Lowerer};
use crate::cfront::ir::{Callee, FuncId, Instr, Lvalue};
use crate::cfront::library::{ELEMENT, Library};
use crate::cfront::lower::types::declared_name;
use crate::cfront::lower::value::ExprValue;
use crate::cfront::source::CText;
use crate::cfront::types::CType;
use lang_c::ast::{ExternalDeclaration, FunctionDefinition};
use lang_c::span::Node;

/// What is set aside while a model is lowered.
struct Aside<'a> {
    source: &'a CText,
    watch: Watch,
    frame: Frame,
}

impl<'a> Lowerer<'a> {
    /// A copy of a model, for elements of a type.
    pub(in crate::cfront::lower) fn instance(
        &mut self,
        f: &'a Node<FunctionDefinition>,
        element: Option<&CType>,
    ) -> Lowered<FuncId> {
        let mut id = Ok(FuncId(0));
        self.in_library(element, |lowerer| {
            id = lowerer.model_signature(f).and_then(|(name, result)| {
                let id = lowerer.new_function(name.as_str().into(), result);
                lowerer.model_body(id, f).map(|()| id)
            });
        })?;
        id
    }

    /// The name of a model and the type of its result.
    pub(in crate::cfront::lower) fn model_signature(
        &mut self,
        f: &'a Node<FunctionDefinition>,
    ) -> Lowered<(String, CType)> {
        let (_, base) = self.specifiers(&f.node.specifiers)?;
        let ty = self.declarator(base, &f.node.declarator.node)?;
        match (declared_name(&f.node.declarator.node), ty) {
            (Some(name), CType::Function(f)) => Ok((name.to_owned(), f.result.clone())),
            _ => self.fail("a model is a function"),
        }
    }

    pub(in crate::cfront::lower) fn model_body(
        &mut self,
        id: FuncId,
        f: &'a Node<FunctionDefinition>,
    ) -> Lowered<()> {
        self.functions[id.0].library = true;
        self.frame = Frame::new(id, self.place.clone());
        self.enter();
        let done = self.function_body(id, f);
        self.leave();
        let frame = std::mem::replace(&mut self.frame, Frame::new(id, self.place.clone()));
        self.functions[id.0].cfa = Some(frame.cfa);
        done
    }

    /// The call of a copy.
    pub(in crate::cfront::lower) fn instance_call(
        &mut self,
        id: FuncId,
        values: Vec<ExprValue>,
    ) -> Lowered<ExprValue> {
        let params = self.functions[id.0].params.clone();
        let mut arguments = Vec::new();
        for (param, value) in params.into_iter().zip(values) {
            let ty = self.objects[param.0].ty.clone();
            let value = self.cast(value, &ty)?;
            arguments.push(self.argument(value)?);
        }
        self.step(Instr::Call(Callee::Function(id), arguments, None));
        match self.functions[id.0].result {
            None => Ok(ExprValue::Void),
            Some(result) => {
                let ty = self.functions[id.0].result_ty.clone();
                self.load(&Lvalue::of(result, ty))
            }
        }
    }

    /// Does something among the names and in the text of the models, with this type of elements.
    pub(in crate::cfront::lower) fn in_library(
        &mut self,
        element: Option<&CType>,
        action: impl FnOnce(&mut Self),
    ) -> Lowered<()> {
        let library = self.library();
        let aside = Aside {
            source: std::mem::replace(&mut self.source, &library.source),
            watch: std::mem::take(&mut self.watch),
            frame: std::mem::replace(&mut self.frame, Frame::new(FuncId(0), self.place.clone())),
        };
        let outermost = self.models.depth == 0;
        if outermost {
            self.swap_names();
        }
        self.models.depth += 1;
        let ready = self.share_names();
        // A copy sees the names of all models, not those of the copy that calls it.
        let (scopes, tags) = (self.scopes.split_off(1), self.tags.split_off(1));
        self.enter();
        if let Some(element) = element {
            self.define(ELEMENT, Entity::Typedef(element.clone()));
        }
        action(self);
        self.scopes.truncate(1);
        self.tags.truncate(1);
        self.scopes.extend(scopes);
        self.tags.extend(tags);
        self.models.depth -= 1;
        if outermost {
            self.swap_names();
        }
        self.source = aside.source;
        self.frame = aside.frame;
        let gave_up = self.watch.gave_up;
        self.watch = aside.watch;
        self.watch.gave_up |= gave_up;
        ready
    }

    /// The names of the models in place of the program's, or the other way round.
    pub(in crate::cfront::lower) fn swap_names(&mut self) {
        std::mem::swap(&mut self.scopes, &mut self.models.names.scopes);
        std::mem::swap(&mut self.tags, &mut self.models.names.tags);
        std::mem::swap(&mut self.bodies, &mut self.models.names.bodies);
    }

    /// Declares what models share, at the first call of one.
    pub(in crate::cfront::lower) fn share_names(&mut self) -> Lowered<()> {
        if !self.scopes.is_empty() {
            return Ok(());
        }
        self.enter();
        for item in &self.library().unit.0 {
            if let ExternalDeclaration::Declaration(d) = &item.node {
                self.declaration(d, true)?;
            }
        }
        Ok(())
    }

    /// Gives each library function whose address is taken the body of its model.
    pub(in crate::cfront::lower) fn define_taken(&mut self) -> Lowered<()> {
        for at in 0..self.functions.len() {
            let function = &self.functions[at];
            if !function.address_taken || function.cfa.is_some() || function.library {
                continue;
            }
            let name = function.name.to_string();
            if self.bodies.contains(&name) || !Library::mentions(&name) {
                continue;
            }
            let Some(f) = self.library().function(&name) else {
                continue;
            };
            if self.library().is_generic(f) {
                continue;
            }
            self.models.called = name.as_str().into();
            let frame = Frame::new(FuncId(0), self.place.clone());
            self.start = std::mem::replace(&mut self.frame, frame);
            let mut done = Ok(());
            let ready = self.in_library(None, |lowerer| {
                done = lowerer.model_body(FuncId(at), f);
            });
            let start = Frame::new(FuncId(0), self.place.clone());
            self.frame = std::mem::replace(&mut self.start, start);
            ready.and(done)?;
        }
        Ok(())
    }

    /// The type of a model's result.
    pub(in crate::cfront::lower) fn model_result(
        &mut self,
        f: &'a Node<FunctionDefinition>,
        element: Option<&CType>,
    ) -> Lowered<CType> {
        let mut result = Ok(CType::Void);
        self.in_library(element, |lowerer| {
            result = lowerer.model_signature(f).map(|(_, result)| result);
        })?;
        result
    }
}
