//! Calls of library functions that have a model in C ([`crate::cfront::library`]).
//!
//! Each call gets a separate copy of its model, so that the memory of one call is not confused
//! with that of another. The steps of the copy stand at the place of the call, and its variables
//! are hidden.

use super::call::Named;
use super::expr::convert;
use super::library::strip_casts;
use super::value::ExprValue;
use super::watch::Watch;
use super::{Entity, Frame, Lowered, Lowerer, unsupported};
use crate::cfront::ir::{Callee, Expr, ExprKind, FuncId, Instr, Lvalue, ObjectKind, Unknown};
use crate::cfront::library::{ELEMENT, Library, parameters};
use crate::cfront::source::CText;
use crate::cfront::types::{CType, IntType};
use lang_c::ast::{
    BinaryOperatorExpression, Expression, ExternalDeclaration, FunctionDefinition, UnaryOperator,
};
use lang_c::span::Node;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Names and tags of one text.
#[derive(Default)]
pub(super) struct Names {
    pub(super) scopes: Vec<FxHashMap<String, Entity>>,
    pub(super) tags: Vec<FxHashMap<String, CType>>,
    pub(super) bodies: FxHashSet<String>,
}

/// What is set aside while a model is lowered.
struct Aside<'a> {
    source: &'a CText,
    watch: Watch,
    frame: Frame,
}

/// The models while a program is lowered.
#[derive(Default)]
pub(super) struct Models {
    /// The names that models share.
    names: Names,
    /// How many models are under way, one within another.
    depth: usize,
    /// The function that the program has called.
    called: Rc<str>,
    /// Does the program ask for the sizes of its memory, by `realloc`, or for `errno`?
    needs_sizes: bool,
    needs_error_number: bool,
}

/// The function that gives a table, in `(*f())[index]`.
fn table_name(array: &Expression) -> Option<&str> {
    let Expression::UnaryOperator(op) = array else {
        return None;
    };
    if op.node.operator.node != UnaryOperator::Indirection {
        return None;
    }
    match &op.node.operand.node {
        Expression::Call(call) if call.node.arguments.is_empty() => match &call.node.callee.node {
            Expression::Identifier(name) => Some(&name.node.name),
            _ => None,
        },
        _ => None,
    }
}

impl Models {
    /// The models for a program.
    pub(super) fn of(program: &CText) -> Models {
        Models {
            needs_sizes: program.text.contains("realloc"),
            needs_error_number: program.text.contains("__errno_location"),
            ..Models::default()
        }
    }

    /// Is a model under way?
    pub(super) fn inside(&self) -> bool {
        self.depth > 0
    }
}

impl<'a> Lowerer<'a> {
    /// The models, as a syntax tree.
    pub(super) fn library(&self) -> &'a Library {
        self.library.get_or_init(Library::new)
    }

    /// A call of a function that has a model; `None` for other functions.
    pub(super) fn model_call(&mut self, call: &Named<'_>) -> Lowered<Option<ExprValue>> {
        let name = call.name.strip_prefix("__builtin_").unwrap_or(call.name);
        if !Library::mentions(name) || self.is_start() {
            return Ok(None);
        }
        let Some(f) = self.model_of(name) else {
            return Ok(None);
        };
        if parameters(&f.node) != call.arguments.len() {
            return Ok(None);
        }
        let declared = self.declared_result(call, f)?;
        if self.probing {
            return Ok(Some(self.placeholder(&declared)?));
        }
        let generic = self.library().is_generic(f);
        let mut values = Vec::new();
        for argument in call.arguments {
            let argument = if generic {
                strip_casts(argument)
            } else {
                argument
            };
            values.push(self.value(argument)?);
        }
        let (f, element) = match generic {
            true => {
                let element = self.element_of(name, &values)?;
                (self.model_for(name, &element)?, Some(element))
            }
            false => (f, None),
        };
        self.place = call.place.clone();
        self.before_call(call.span)?;
        self.models.called = name.into();
        let id = self.instance(f, element.as_ref())?;
        let value = self.instance_call(id, values)?;
        self.as_declared(value, &declared).map(Some)
    }

    /// A model of a function: the first of its forms.
    fn model_of(&self, name: &str) -> Option<&'a Node<FunctionDefinition>> {
        let library = self.library();
        let forms = ["", "_numbers", "_bytes"].iter();
        let mut found = forms.filter_map(|form| library.function(&format!("{name}{form}")));
        found.next()
    }

    /// The model of a function for elements of a type.
    fn model_for(&self, name: &str, element: &CType) -> Lowered<&'a Node<FunctionDefinition>> {
        let library = self.library();
        let forms: &[&str] = match element {
            CType::Int(int) if int.bits == 8 => &["", "_bytes", "_numbers"],
            CType::Int(_) => &["", "_numbers"],
            _ => &["", "_others"],
        };
        let mut found = forms
            .iter()
            .filter_map(|form| library.function(&format!("{name}{form}")));
        match found.next() {
            Some(f) => Ok(f),
            None => unsupported(format!("`{name}` of elements of this type")),
        }
    }

    /// The type of the elements that the pointers of a call point to.
    fn element_of(&self, name: &str, values: &[ExprValue]) -> Lowered<CType> {
        // The key of a search may have another type than the elements.
        let values = if name == "bsearch" {
            &values[1..]
        } else {
            values
        };
        let mut found: Option<CType> = None;
        for value in values {
            let ExprValue::Scalar(_, CType::Pointer(pointee)) = value else {
                continue;
            };
            let mut element = &**pointee;
            while let CType::Array(inner, _) = element {
                element = inner;
            }
            match (&found, element) {
                (_, CType::Void | CType::Function(_)) => {}
                (None, element) => found = Some(element.clone()),
                (Some(known), element)
                    if known.int(self.model).map(|int| int.bits)
                        == element.int(self.model).map(|int| int.bits)
                        && (known == element || known.int(self.model).is_some()) => {}
                _ => return unsupported(format!("`{name}` between objects of different types")),
            }
        }
        Ok(found.unwrap_or(CType::Int(IntType::CHAR)))
    }

    /// The type of a call's result as the program declares it; of an implicit declaration, as the
    /// model does.
    fn declared_result(
        &mut self,
        call: &Named<'_>,
        f: &'a Node<FunctionDefinition>,
    ) -> Lowered<CType> {
        let declared = self.functions[call.id.0].result_ty.clone();
        if !self.implicit.contains(call.name) && !call.name.starts_with("__builtin_") {
            return Ok(declared);
        }
        self.model_result(f, None)
    }

    /// The type of a model's result.
    fn model_result(
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

    /// A value of a type, in an expression that is not evaluated.
    pub(super) fn placeholder(&mut self, ty: &CType) -> Lowered<ExprValue> {
        if *ty == CType::Void {
            return Ok(ExprValue::Void);
        }
        let place = self.temporary(ty.clone());
        self.load(&place)
    }

    /// The program's form of a model's result.
    fn as_declared(&mut self, value: ExprValue, declared: &CType) -> Lowered<ExprValue> {
        match (value, declared) {
            (ExprValue::Void, _) | (_, CType::Void) => Ok(ExprValue::Void),
            (ExprValue::Struct(from), CType::Struct(id)) if from.ty != *declared => {
                let CType::Struct(own) = from.ty else {
                    return unsupported("a structure of the library");
                };
                let result = self.temporary(declared.clone());
                let count = self.structs.fields(own).len();
                if count != self.structs.fields(*id).len() {
                    return unsupported("a structure of the library with other members");
                }
                for at in 0..count {
                    let ty = self.structs.fields(own)[at].ty.clone();
                    let wanted = self.structs.fields(*id)[at].ty.clone();
                    let value = self.load(&from.field(own, at, ty))?;
                    self.assign(&result.field(*id, at, wanted), value)?;
                }
                self.load(&result)
            }
            (value @ ExprValue::Struct(_), _) => Ok(value),
            (value, ty) => self.cast(value, ty),
        }
    }

    /// A call within a model: of one of its words, or of another model.
    pub(super) fn library_named_call(&mut self, call: &Named<'_>) -> Lowered<ExprValue> {
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
    fn word(&mut self, call: &Named<'_>) -> Lowered<Option<ExprValue>> {
        let text = |e: &Node<Expression>| match &e.node {
            Expression::StringLiteral(s) => {
                String::from_utf8_lossy(&super::literal::string_bytes(&s.node)).into_owned()
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

    /// A copy of a model, for elements of a type.
    fn instance(
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
    fn model_signature(&mut self, f: &'a Node<FunctionDefinition>) -> Lowered<(String, CType)> {
        let (_, base) = self.specifiers(&f.node.specifiers)?;
        let ty = self.declarator(base, &f.node.declarator.node)?;
        match (super::types::declared_name(&f.node.declarator.node), ty) {
            (Some(name), CType::Function(f)) => Ok((name.to_owned(), f.result.clone())),
            _ => self.fail("a model is a function"),
        }
    }

    fn model_body(&mut self, id: FuncId, f: &'a Node<FunctionDefinition>) -> Lowered<()> {
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
    fn instance_call(&mut self, id: FuncId, values: Vec<ExprValue>) -> Lowered<ExprValue> {
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
    fn in_library(
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
    fn swap_names(&mut self) {
        std::mem::swap(&mut self.scopes, &mut self.models.names.scopes);
        std::mem::swap(&mut self.tags, &mut self.models.names.tags);
        std::mem::swap(&mut self.bodies, &mut self.models.names.bodies);
    }

    /// Declares what models share, at the first call of one.
    fn share_names(&mut self) -> Lowered<()> {
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
    pub(super) fn define_taken(&mut self) -> Lowered<()> {
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

    /// Is this the start of the program, where nothing is called?
    fn is_start(&self) -> bool {
        self.frame.func == FuncId(0) && !self.models.inside()
    }

    /// The place that holds the size of the memory at an address.
    pub(super) fn size_at(&mut self, address: Expr) -> Lvalue {
        let ty = IntType::new(self.model.long_bits(), false);
        let object = match self.sizes {
            Some(object) => object,
            None => {
                let sizes = CType::Array(Rc::new(CType::Int(ty)), None);
                let object = self.new_object("sizes".into(), ObjectKind::Static, sizes);
                self.objects[object.0].hidden = true;
                *self.sizes.insert(object)
            }
        };
        let whole = Lvalue::of(object, CType::Array(Rc::new(CType::Int(ty)), None));
        whole.index(address, CType::Int(ty))
    }

    /// An entry of a table that the macros of the GNU library's <ctype.h> read, as the call of the
    /// model that computes it; `None` for other elements.
    pub(super) fn table_call(
        &mut self,
        op: &BinaryOperatorExpression,
    ) -> Lowered<Option<ExprValue>> {
        let name = match table_name(&op.lhs.node) {
            Some("__ctype_b_loc") => "horn_ctype_bits",
            Some("__ctype_tolower_loc") => "tolower",
            Some("__ctype_toupper_loc") => "toupper",
            _ => return Ok(None),
        };
        let Some(f) = self.library().function(name) else {
            return Ok(None);
        };
        if self.is_start() {
            return Ok(None);
        }
        let index = self.value(&op.rhs)?;
        if self.probing {
            let result = self.model_result(f, None)?;
            return self.placeholder(&result).map(Some);
        }
        let id = self.instance(f, None)?;
        self.instance_call(id, vec![index]).map(Some)
    }

    /// The size of new memory is kept where the program may ask for it.
    pub(super) fn note_size(&mut self, pointer: &Lvalue, size: Expr) {
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
    pub(super) fn any_error_number(&mut self) -> Lowered<()> {
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
