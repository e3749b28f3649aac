//! Calls of library functions that have a model in C ([`crate::cfront::library`]).
//!
//! Each call gets a separate copy of its model, so that the memory of one call is not confused
//! with that of another. The steps of the copy stand at the place of the call, and its variables
//! are hidden.

mod copy;
mod words;

use super::call::Named;
use super::types::strip_casts;
use super::value::ExprValue;
use super::{Entity, Lowered, Lowerer, unsupported};
use crate::cfront::ir::FuncId;
use crate::cfront::library::{Library, parameters};
use crate::cfront::source::CText;
use crate::cfront::types::{CType, IntType};
use lang_c::ast::{BinaryOperatorExpression, Expression, FunctionDefinition, UnaryOperator};
use lang_c::span::{Node, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Runs have the text of a call if that has up to 60 bytes. The value was not tuned.
const SHORT: usize = 60;

/// Names and tags of one text.
#[derive(Default)]
pub(in crate::cfront::lower) struct Names {
    pub(in crate::cfront::lower) scopes: Vec<FxHashMap<String, Entity>>,
    pub(in crate::cfront::lower) tags: Vec<FxHashMap<String, CType>>,
    pub(in crate::cfront::lower) bodies: FxHashSet<String>,
}

/// The models while a program is lowered.
#[derive(Default)]
pub(in crate::cfront::lower) struct Models {
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
    pub(in crate::cfront::lower) fn of(program: &CText) -> Models {
        Models {
            needs_sizes: program.text.contains("realloc"),
            needs_error_number: program.text.contains("__errno_location"),
            ..Models::default()
        }
    }

    /// Inputs that models take from now on are those of this function.
    pub(in crate::cfront::lower) fn call(&mut self, name: &str) {
        self.called = name.into();
    }

    /// Is a model under way?
    pub(in crate::cfront::lower) fn inside(&self) -> bool {
        self.depth > 0
    }
}

impl<'a> Lowerer<'a> {
    /// The models, as a syntax tree.
    pub(in crate::cfront::lower) fn library(&self) -> &'a Library {
        self.library.get_or_init(Library::new)
    }

    /// A call of a function that has a model; `None` for other functions.
    pub(in crate::cfront::lower) fn model_call(
        &mut self,
        call: &Named<'_>,
    ) -> Lowered<Option<ExprValue>> {
        // The compiler's own functions have models of their names.
        let is_own = Library::mentions(call.name);
        let name = match call.name.strip_prefix("__builtin_") {
            Some(name) if !is_own => name,
            _ => call.name,
        };
        if !Library::mentions(name) || self.is_start() {
            return Ok(None);
        }
        let Some(f) = self.model_of(name) else {
            return Ok(None);
        };
        if parameters(&f.node) != call.arguments.len() {
            return Ok(None);
        }
        let generic = self.library().is_generic(f);
        if self.probing && !generic {
            let declared = self.declared_result(call, f, None)?;
            return Ok(Some(self.placeholder(&declared)?));
        }
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
        let declared = self.declared_result(call, f, element.as_ref())?;
        if self.probing {
            return Ok(Some(self.placeholder(&declared)?));
        }
        self.place = call.place.clone();
        self.before_call(call.span)?;
        self.models.called = name.into();
        let id = self.instance(f, element.as_ref())?;
        self.functions[id.0].call = self.call_text(call.span);
        let value = self.instance_call(id, values)?;
        self.as_declared(value, &declared).map(Some)
    }

    /// The text of a call, on one line, if it is short.
    fn call_text(&self, span: Span) -> Option<Rc<str>> {
        let text = self.source.original(span.start..span.end);
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        // Between the lines there may be directives.
        (text.len() <= SHORT && !text.contains('#')).then(|| text.into())
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
        let is_atomic = name.starts_with("__sync_") || name.starts_with("__atomic_");
        let values = match values {
            // The key of a search may have another type than the elements.
            [_, others @ ..] if name == "bsearch" => others,
            // The object is the first argument; the others may be pointers as values.
            [object, ..] if is_atomic => std::slice::from_ref(object),
            _ => values,
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
                (Some(known), element) if known == element || self.are_alike(known, element) => {}
                _ => return unsupported(format!("`{name}` between objects of different types")),
            }
        }
        Ok(found.unwrap_or(CType::Int(IntType::CHAR)))
    }

    /// Are these two integers of one size?
    fn are_alike(&self, one: &CType, other: &CType) -> bool {
        let bits = |ty: &CType| ty.int(self.model).map(|int| int.bits);
        bits(one).is_some() && bits(one) == bits(other)
    }

    /// The type of a call's result as the program declares it; of an implicit declaration, as the
    /// model does.
    fn declared_result(
        &mut self,
        call: &Named<'_>,
        f: &'a Node<FunctionDefinition>,
        element: Option<&CType>,
    ) -> Lowered<CType> {
        let declared = self.functions[call.id.0].result_ty.clone();
        if !self.implicit.contains(call.name) && !call.name.starts_with("__builtin_") {
            return Ok(declared);
        }
        self.model_result(f, element)
    }

    /// A value of a type, in an expression that is not evaluated.
    pub(in crate::cfront::lower) fn placeholder(&mut self, ty: &CType) -> Lowered<ExprValue> {
        if *ty == CType::Void {
            return Ok(ExprValue::Void);
        }
        let place = self.temporary(ty.clone());
        self.load(&place)
    }

    /// A part of what a function of the printing or the scanning family does, as a call of its
    /// model.
    pub(in crate::cfront::lower) fn library_part(
        &mut self,
        name: &str,
        arguments: Vec<ExprValue>,
    ) -> Lowered<ExprValue> {
        let Some(f) = self.library().function(name) else {
            return unsupported(format!("`{name}`"));
        };
        let id = self.instance(f, None)?;
        self.instance_call(id, arguments)
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

    /// Is this the start of the program, where nothing is called?
    fn is_start(&self) -> bool {
        self.frame.func == FuncId(0) && !self.models.inside()
    }

    /// An entry of a table that the macros of the GNU library's <ctype.h> read, as the call of the
    /// model that computes it; `None` for other elements.
    pub(in crate::cfront::lower) fn table_call(
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
}
