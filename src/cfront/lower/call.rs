//! Calls: of the program's functions, of functions of the specification, of library functions, and
//! of unknown ones.

use super::condition::is_plain;
use super::specification::ErrorKind;
use super::types::strip_casts;
use super::types::{UNKNOWN_FORMAT, as_parameter};
use super::value::ExprValue;
use super::variadic::is_variadic;
use super::{Entity, Lowered, Lowerer, deref, unsupported};
use crate::cfront::ir::{Argument, Callee, ExprKind, FuncId, Instr, Lvalue, Mark, Unknown};
use crate::cfront::library::is_function;
use crate::cfront::program::External;
use crate::cfront::source::Place;
use crate::cfront::types::{CType, IntType, Length};
use lang_c::ast::{CallExpression, Expression};
use lang_c::span::{Node, Span};

/// A call of a function by its name.
pub(super) struct Named<'c> {
    pub(super) name: &'c str,
    pub(super) id: FuncId,
    pub(super) arguments: &'c [Node<Expression>],
    /// Where the call stands.
    pub(super) place: Place,
    /// And its text.
    pub(super) span: Span,
}

impl<'c> Named<'c> {
    fn new(name: &'c str, id: FuncId, call: &'c Node<CallExpression>, place: Place) -> Self {
        Named {
            name,
            id,
            arguments: &call.node.arguments,
            place,
            span: call.span,
        }
    }
}

impl Lowerer<'_> {
    pub(super) fn call(&mut self, call: &Node<CallExpression>) -> Lowered<ExprValue> {
        let place = self.place.clone();
        if let Expression::Identifier(name) = &call.node.callee.node {
            let name = name.node.name.clone();
            let id = match self.lookup(&name) {
                Some(Entity::Function(id)) => Some(*id),
                Some(_) => None,
                None => Some(self.implicit_function(&name)),
            };
            if let Some(id) = id {
                return self.call_by_name(&Named::new(&name, id, call, place));
            }
        }
        let ExprValue::Scalar(target, ty) = self.value(&call.node.callee)? else {
            return self.fail("this is no function");
        };
        if let ExprKind::Function(id) = target.kind {
            let name = self.functions[id.0].name.clone();
            let here = self.place.clone();
            return self.call_by_name(&Named::new(&name, id, call, here));
        }
        let Some(CType::Function(signature)) = ty.pointee().cloned() else {
            return self.fail("this is no function");
        };
        let params = &signature.params;
        let fixed = is_variadic(&signature).then_some(params.len());
        let arguments = self.all_arguments(&call.node.arguments, params, fixed)?;
        self.place = place;
        self.before_call(call.span)?;
        let result = match &signature.result {
            CType::Void => None,
            ty => Some(self.temporary(ty.clone())),
        };
        self.step(Instr::Call(
            Callee::Pointer(target),
            arguments,
            result.clone(),
        ));
        let value = result.map_or(Ok(ExprValue::Void), |place| self.load(&place))?;
        self.after_call(call.span, value)
    }

    fn call_by_name(&mut self, call: &Named<'_>) -> Lowered<ExprValue> {
        let value = self.named_call(call)?;
        self.after_call(call.span, value)
    }

    fn named_call(&mut self, call: &Named<'_>) -> Lowered<ExprValue> {
        if self.models.inside() {
            return self.library_named_call(call);
        }
        let has_body = self.bodies.contains(call.name);
        if let Some(kind) = self.spec.call(call.name, has_body) {
            if !has_body {
                self.external(call.name, kind);
            }
            return self.specified_call(call, kind);
        }
        if !has_body {
            return self.external_call(call);
        }
        let id = call.id;
        let params = self.functions[id.0].params.clone();
        let types: Vec<CType> = (params.iter())
            .map(|p| self.objects[p.0].ty.clone())
            .collect();
        let arguments = self.all_arguments(call.arguments, &types, self.fixed_parameters(id))?;
        self.place = call.place.clone();
        self.before_call(call.span)?;
        self.step(Instr::Call(Callee::Function(id), arguments, None));
        match self.functions[id.0].result {
            None => Ok(ExprValue::Void),
            Some(result) => {
                // The next call of the function has the same result object.
                let ty = self.functions[id.0].result_ty.clone();
                let kept = self.temporary(ty.clone());
                let value = self.load(&Lvalue::of(result, ty))?;
                self.assign(&kept, value)?;
                self.load(&kept)
            }
        }
    }

    /// Values of all arguments: if there may be more than a number of `fixed` ones, the last is
    /// where the others are.
    fn all_arguments(
        &mut self,
        arguments: &[Node<Expression>],
        types: &[CType],
        fixed: Option<usize>,
    ) -> Lowered<Vec<Argument>> {
        let Some(fixed) = fixed.filter(|&fixed| fixed <= arguments.len()) else {
            return self.arguments(arguments, types);
        };
        let (before, further) = arguments.split_at(fixed);
        let mut values = self.arguments(before, &types[..types.len().min(fixed)])?;
        values.push(self.further_arguments(further)?);
        Ok(values)
    }

    /// Values of arguments, converted to the types of the parameters that are known.
    fn arguments(
        &mut self,
        arguments: &[Node<Expression>],
        types: &[CType],
    ) -> Lowered<Vec<Argument>> {
        let mut values = Vec::new();
        for (at, argument) in arguments.iter().enumerate() {
            let value = self.value(argument)?;
            let value = match types.get(at) {
                Some(ty) => self.cast(value, &as_parameter(ty.clone()))?,
                None => self.promoted(value)?,
            };
            values.push(self.argument(value)?);
        }
        Ok(values)
    }

    /// An argument for which no parameter is known: `float` becomes `double`.
    fn promoted(&mut self, value: ExprValue) -> Lowered<ExprValue> {
        match value.ty() {
            CType::Float(32) => self.cast(value, &CType::Float(64)),
            _ => Ok(value),
        }
    }

    /// Values of arguments that no step of the call reads: their evaluation may fail.
    pub(super) fn unused_arguments(&mut self, call: &Named<'_>) -> Lowered<Vec<ExprValue>> {
        let mut values = Vec::new();
        for argument in call.arguments {
            let value = self.value(argument)?;
            self.drop_value(&value);
            values.push(value);
        }
        Ok(values)
    }

    /// Evaluates the arguments of a call that does not return, but for those whose form says that
    /// nothing can happen.
    fn evaluated_arguments(&mut self, call: &Named<'_>) -> Lowered<()> {
        for argument in call.arguments {
            let argument = strip_casts(argument);
            let is_literal = matches!(argument.node, Expression::StringLiteral(_));
            if !is_literal && !is_plain(&argument.node, &mut |_| true) {
                let value = self.value(argument)?;
                self.drop_value(&value);
            }
        }
        self.place = call.place.clone();
        Ok(())
    }

    /// A value as an argument. A separate step computes it: calls only pass values on.
    pub(super) fn argument(&mut self, value: ExprValue) -> Lowered<Argument> {
        let plain = match &value {
            ExprValue::Scalar(e, _) => e.is_total() && matches!(e.kind, ExprKind::Load(_)),
            _ => true,
        };
        let value = if plain { value } else { self.kept(value)? };
        match value {
            ExprValue::Scalar(e, _) => Ok(Argument::Scalar(e)),
            ExprValue::Struct(place) => Ok(Argument::Struct(place)),
            ExprValue::Void => self.fail("an argument without a value"),
        }
    }

    /// Takes down a function that the specification speaks of and the program does not define.
    fn external(&mut self, name: &str, kind: ErrorKind) {
        let external = match kind {
            _ if name.starts_with("__builtin_") => return,
            ErrorKind::Always => External::Error,
            ErrorKind::Assertion => External::Assertion,
            ErrorKind::Assumption => External::Assumption,
            ErrorKind::Ends => return,
        };
        self.externals.insert(name.into(), external);
    }

    fn specified_call(&mut self, call: &Named<'_>, kind: ErrorKind) -> Lowered<ExprValue> {
        let name = call.name;
        match (kind, call.arguments) {
            (ErrorKind::Always, _) => {
                self.evaluated_arguments(call)?;
                self.before_call(call.span)?;
                self.error_here(&format!("call of {name}"), &[call.span.start])?;
                return self.no_result(call);
            }
            (ErrorKind::Ends, _) => {
                self.evaluated_arguments(call)?;
                self.before_call(call.span)?;
                self.end_path(Some(Instr::Mark(Mark::Ends(name.into()))));
                return self.no_result(call);
            }
            (_, [condition]) => {
                let (holds, fails) = (self.node(), self.node());
                self.branch(condition, holds, fails)?;
                self.place = call.place.clone();
                self.frame.at = fails;
                if kind == ErrorKind::Assertion {
                    self.before_call(call.span)?;
                    self.error_here(&format!("call of {name}"), &[call.span.start])?;
                }
                self.frame.at = holds;
                self.before_call(call.span)?;
            }
            _ => return self.fail(format!("`{name}` takes one argument")),
        }
        Ok(ExprValue::Void)
    }

    /// What stands for the result of a call after which no run goes on.
    fn no_result(&mut self, call: &Named<'_>) -> Lowered<ExprValue> {
        let ty = self.functions[call.id.0].result_ty.clone();
        self.placeholder(&ty)
    }

    /// A call of a function without a body.
    fn external_call(&mut self, call: &Named<'_>) -> Lowered<ExprValue> {
        if let Some(value) = self.builtin_call(call)? {
            return Ok(value);
        }
        self.check_rounding(call)?;
        if let Some(value) = self.float_call(call)? {
            return Ok(value);
        }
        if let Some(value) = self.library_call(call)? {
            return Ok(value);
        }
        if let Some(value) = self.model_call(call)? {
            return Ok(value);
        }
        if let Some(value) = self.print_call(call)? {
            return Ok(value);
        }
        if let Some(value) = self.text_scan_call(call)? {
            return Ok(value);
        }
        if let Some(value) = self.scan_call(call)? {
            return Ok(value);
        }
        if is_function(call.name, call.arguments.len()) {
            return self.call_without_model(call);
        }
        let name = call.name;
        let values = self.unused_arguments(call)?;
        self.place = call.place.clone();
        self.before_call(call.span)?;
        // What the compiler provides is no input of the program.
        let prefixes = ["__builtin_", "__sync_", "__atomic_"];
        let is_provided = prefixes.iter().any(|prefix| name.starts_with(prefix));
        if !is_provided {
            self.externals.insert(name.into(), External::Input);
        }
        for value in values {
            self.outside_effect(name, &value)?;
        }
        let what = match is_provided {
            true => {
                Unknown::Approximated(format!("the result of `{name}`, which has no model").into())
            }
            false => Unknown::Input(name.into()),
        };
        self.any_result(name, call.id, what)
    }

    /// What a function without a body may do to what an argument points to.
    pub(super) fn outside_effect(&mut self, name: &str, value: &ExprValue) -> Lowered<()> {
        let ExprValue::Scalar(pointer, CType::Pointer(inner)) = value else {
            return Ok(());
        };
        let constant = match &pointer.kind {
            ExprKind::Address(place) => match place.base {
                super::Base::Object(object) => self.objects[object.0].hidden,
                super::Base::Deref(..) => false,
            },
            ExprKind::Const(_) | ExprKind::Function(_) => true,
            _ => false,
        };
        let ty = match &**inner {
            _ if constant => return Ok(()),
            CType::Void | CType::Function(_) => {
                return unsupported(format!(
                    "the effect of `{name}`, which has no body, on memory"
                ));
            }
            CType::Int(_) | CType::Float(_) => CType::Array(inner.clone(), Length::Unknown),
            _ => {
                return unsupported(format!(
                    "the effect of `{name}`, which has no body, on memory"
                ));
            }
        };
        let all = deref(pointer.clone(), ty);
        let what = format!("what `{name}`, which has no body, writes");
        self.step(Instr::Havoc(all, Unknown::Approximated(what.into())));
        Ok(())
    }

    /// The result of a function without a body: any value of its type.
    pub(super) fn any_result(
        &mut self,
        name: &str,
        id: FuncId,
        what: Unknown,
    ) -> Lowered<ExprValue> {
        let ty = match (name, self.functions[id.0].result_ty.clone()) {
            ("__VERIFIER_nondet_bool", _) => CType::Int(IntType::BOOL),
            (_, CType::Void) => return Ok(ExprValue::Void),
            (_, CType::Float(bits)) if !matches!(bits, 32 | 64) => {
                return unsupported(UNKNOWN_FORMAT);
            }
            (_, ty) => ty,
        };
        let declared = self.functions[id.0].result_ty.clone();
        let result = self.temporary(ty);
        self.step(Instr::Havoc(result.clone(), what));
        let value = self.load(&result)?;
        match declared {
            CType::Int(_) => self.cast(value, &declared),
            _ => Ok(value),
        }
    }
}
