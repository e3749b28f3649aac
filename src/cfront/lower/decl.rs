//! Declarations and definitions.

use super::literal::Text;
use super::modify::effect;
use super::specification::ErrorKind;
use super::types::{Storage, as_parameter, declared_name, is_typedef};
use super::{Entity, FUNCTION, Frame, Lowered, Lowerer, NotLowered, unsupported};
use crate::cfront::ir::{FuncId, Instr, Lvalue, Mark, NodeId, ObjectId, ObjectKind, Unknown};
use crate::cfront::types::{CType, FunctionType, Length};
use lang_c::ast::{
    BlockItem, Declaration, Declarator, DeclaratorKind, DerivedDeclarator, Expression,
    FunctionDefinition, InitDeclarator, Initializer, Statement,
};
use lang_c::span::Node;
use std::rc::Rc;

impl Lowerer<'_> {
    pub(super) fn declaration(&mut self, d: &Node<Declaration>, global: bool) -> Lowered<()> {
        self.see(d.span);
        let specifiers = &d.node.specifiers;
        let found = self.attempt(|lowerer| lowerer.specifiers(specifiers));
        if is_typedef(specifiers) {
            return self.typedef(d, found.map(|(_, base)| base));
        }
        let (storage, base) = match found {
            Err(NotLowered::Unsupported(what)) => return self.unsupported_names(d, what, global),
            found => found?,
        };
        for declarator in &d.node.declarators {
            self.see(declarator.span);
            let of = &declarator.node.declarator.node;
            match (effect(specifiers, of), declared_name(of)) {
                // That matters where it is called.
                (Some((attribute @ ("alias" | "ifunc" | "weakref"), _)), Some(name)) => {
                    let what = format!("the attribute `{attribute}` of `{name}`");
                    self.define(name, Entity::Unsupported(what.into()));
                    continue;
                }
                (Some(("constructor", priority)), Some(name)) => {
                    self.declare_constructor(name, priority)?;
                }
                (Some((attribute, _)), _) => {
                    let what = format!("the attribute `{attribute}`");
                    return self.unsupported_names(d, what.into(), false);
                }
                (None, _) => {}
            }
            self.init_declarator(declarator, storage, &base, global)?;
            self.note_spelling(specifiers, of);
        }
        Ok(())
    }

    /// Names of a type that is not supported. Outside of functions that matters where they are
    /// used.
    fn unsupported_names(
        &mut self,
        d: &Node<Declaration>,
        what: Rc<str>,
        global: bool,
    ) -> Lowered<()> {
        for declarator in &d.node.declarators {
            if let Some(name) = declared_name(&declarator.node.declarator.node) {
                self.define(name, Entity::Unsupported(what.clone()));
            }
        }
        if global { Ok(()) } else { unsupported(what) }
    }

    /// Names of types. What is unsupported of a type matters where its name is used.
    fn typedef(&mut self, d: &Node<Declaration>, base: Lowered<CType>) -> Lowered<()> {
        for declarator in &d.node.declarators {
            self.see(declarator.span);
            let of = &declarator.node.declarator.node;
            let Some(name) = declared_name(of).map(str::to_owned) else {
                continue;
            };
            let found = match &base {
                Ok(base) => {
                    let ty = self.attempt(|lowerer| lowerer.declared_type(base, of));
                    ty.map(|ty| (base, ty))
                }
                Err(NotLowered::Unsupported(what)) => unsupported(what.clone()),
                // No name is defined.
                Err(NotLowered::Error(_)) => break,
            };
            match found {
                Ok(types) => {
                    self.define_type(&name, types, &d.node.specifiers, of)?;
                    self.note_spelling(&d.node.specifiers, of);
                }
                Err(NotLowered::Unsupported(what)) => {
                    self.define(&name, Entity::Unsupported(what));
                }
                Err(error) => return Err(error),
            }
        }
        match base {
            Err(NotLowered::Error(error)) => Err(NotLowered::Error(error)),
            _ => Ok(()),
        }
    }

    /// The type that a declaration gives a name. In a function, lengths of arrays are evaluated.
    fn declared_type(&mut self, base: &CType, declarator: &Declarator) -> Lowered<CType> {
        let is_local = self.scopes.len() >= FUNCTION;
        self.declarator_evaluated(base, declarator, is_local)
    }

    fn init_declarator(
        &mut self,
        declarator: &Node<InitDeclarator>,
        storage: Storage,
        base: &CType,
        global: bool,
    ) -> Lowered<()> {
        let d = &declarator.node;
        let Some(name) = declared_name(&d.declarator.node).map(str::to_owned) else {
            return Ok(());
        };
        let mut ty = self.declared_type(base, &d.declarator.node)?;
        if let CType::Function(f) = &ty {
            self.declare_function(&name, f);
            return Ok(());
        }
        if let (CType::Array(element, Length::Unknown), Some(init)) = (&ty, &d.initializer) {
            let length = self.initial_length(element, &init.node)?;
            let length = length.map_or(Length::Unknown, Length::Constant);
            ty = CType::Array(element.clone(), length);
        }
        let (object, lives) = self.declared_variable(&name, storage, ty.clone(), global);
        match storage {
            Storage::Extern if d.initializer.is_none() => {
                self.externs.insert(object);
                return Ok(());
            }
            _ if global => drop(self.externs.remove(&object)),
            _ => {}
        }
        let is_inner = self.scopes.len() > FUNCTION && !self.models.inside();
        if is_inner && lives != ObjectKind::Static {
            self.step(Instr::Mark(Mark::Enter(object)));
        }
        let place = Lvalue::of(object, ty);
        match (&d.initializer, lives) {
            (Some(init), ObjectKind::Static) => self.static_initializer(object, &place, &init.node),
            (Some(init), _) => self.initializer(&place, &init.node),
            (None, ObjectKind::Static) => Ok(()),
            (None, _) => {
                // The text of a model is none of the program's.
                if self.is_argument_list(&place.ty) {
                    self.objects[object.0].hidden = true;
                } else if !self.models.inside() {
                    self.objects[object.0].initialiser = Some(declarator.span.end);
                }
                self.step(Instr::Havoc(place, Unknown::Uninitialised));
                Ok(())
            }
        }
    }

    /// The object of a variable that is declared, and how long it lives.
    fn declared_variable(
        &mut self,
        name: &str,
        storage: Storage,
        ty: CType,
        global: bool,
    ) -> (ObjectId, ObjectKind) {
        let lives = if global || storage != Storage::Auto {
            ObjectKind::Static
        } else {
            ObjectKind::Local(self.frame.func)
        };
        let shared = global || storage == Storage::Extern;
        (self.variable(name, lives, ty, shared), lives)
    }

    /// The object of a variable: a global that was declared before stays the same.
    fn variable(&mut self, name: &str, kind: ObjectKind, ty: CType, shared: bool) -> ObjectId {
        if shared && let Some(Entity::Object(known)) = self.scopes[0].get(name) {
            let known = *known;
            // A later declaration may complete the type.
            let complete = match &self.objects[known.0].ty {
                CType::Array(_, Length::Unknown) => true,
                old => *old == ty,
            };
            if complete {
                self.objects[known.0].ty = ty;
            }
            self.define(name, Entity::Object(known));
            return known;
        }
        let object = self.new_object(name.into(), kind, ty);
        if shared {
            self.scopes[0].insert(name.to_owned(), Entity::Object(object));
        }
        self.define(name, Entity::Object(object));
        object
    }

    /// Initial values of statics are part of the program's start, wherever the declaration stands.
    fn static_initializer(
        &mut self,
        object: ObjectId,
        place: &Lvalue,
        init: &Initializer,
    ) -> Lowered<()> {
        self.initialised.insert(object);
        let inside = self.frame.func != FuncId(0);
        if !inside {
            return self.initializer(place, init);
        }
        std::mem::swap(&mut self.frame, &mut self.start);
        let done = self.attempt(|lowerer| lowerer.initializer(place, init));
        std::mem::swap(&mut self.frame, &mut self.start);
        done
    }

    /// The function of that name and type.
    pub(super) fn declare_function(&mut self, name: &str, f: &FunctionType) -> FuncId {
        if let Some(Entity::Function(known)) = self.scopes[0].get(name) {
            let known = *known;
            self.define(name, Entity::Function(known));
            self.note_variadic(known, f);
            return known;
        }
        let id = self.new_function(name.into(), f.result.clone());
        self.note_variadic(id, f);
        self.scopes[0].insert(name.to_owned(), Entity::Function(id));
        self.define(name, Entity::Function(id));
        id
    }

    pub(super) fn function(&mut self, f: &Node<FunctionDefinition>) -> Lowered<()> {
        let name = declared_name(&f.node.declarator.node);
        let ty = match (self.definition_type(f), name) {
            // That matters where it is called.
            (Err(NotLowered::Unsupported(what)), Some(name)) => {
                self.define(name, Entity::Unsupported(what));
                return Ok(());
            }
            (ty, _) => ty?,
        };
        let (Some(name), CType::Function(signature)) = (name, &ty) else {
            return unsupported("a function definition of this form");
        };
        let id = self.declare_function(name, signature);
        if self.functions[id.0].cfa.is_some() {
            return self.fail(format!("`{name}` is defined twice"));
        }
        self.note_spelling(&f.node.specifiers, &f.node.declarator.node);
        // A declaration without a type may have come before.
        self.retype_result(id, &signature.result);
        if self.spec.call(name, true) == Some(ErrorKind::Always) {
            self.errors.push(f.node.statement.span.start + 1);
        }
        match effect(&f.node.specifiers, &f.node.declarator.node) {
            Some(("constructor", priority)) => self.declare_constructor(name, priority)?,
            Some((attribute, _)) => return unsupported(format!("the attribute `{attribute}`")),
            None => {}
        }
        if name == "main" {
            self.main_body = Some(f.node.statement.span.start + 1);
        }
        let frame = Frame::new(id, self.place.clone());
        self.start = std::mem::replace(&mut self.frame, frame);
        self.enter();
        let done = self.function_body(id, f);
        self.leave();
        let start = Frame::new(FuncId(0), self.place.clone());
        let own = std::mem::replace(&mut self.frame, std::mem::replace(&mut self.start, start));
        done?;
        self.functions[id.0].cfa = Some(own.cfa);
        Ok(())
    }

    /// Notes that a function is called before `main`: without a priority, after those with one.
    fn declare_constructor(
        &mut self,
        name: &str,
        priority: Option<&Node<Expression>>,
    ) -> Lowered<()> {
        let priority = match priority {
            None => i128::MAX,
            Some(priority) => match self.constant(priority)? {
                Some(priority) => priority,
                None => return unsupported("the priority of a constructor"),
            },
        };
        let names = self.constructors.entry(priority).or_default();
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
        Ok(())
    }

    /// The type of a function that is defined.
    fn definition_type(&mut self, f: &Node<FunctionDefinition>) -> Lowered<CType> {
        let (_, base) = self.specifiers(&f.node.specifiers)?;
        self.declarator(base, &f.node.declarator.node)
    }

    /// Gives a function that was called before its definition the right type of result.
    fn retype_result(&mut self, id: FuncId, result: &CType) {
        if self.functions[id.0].result_ty == *result {
            return;
        }
        self.functions[id.0].result_ty = result.clone();
        match (self.functions[id.0].result, result) {
            (_, CType::Void) => self.functions[id.0].result = None,
            (Some(object), _) => self.objects[object.0].ty = result.clone(),
            (None, _) => {
                let name = format!("{}.result", self.functions[id.0].name);
                let object = self.new_object(name.into(), ObjectKind::Local(id), result.clone());
                self.objects[object.0].hidden = true;
                self.functions[id.0].result = Some(object);
            }
        }
    }

    pub(super) fn function_body(
        &mut self,
        id: FuncId,
        f: &Node<FunctionDefinition>,
    ) -> Lowered<()> {
        let old_style = self.old_style_parameters(&f.node.declarations)?;
        let mut names = Vec::new();
        for (name, ty) in self.parameter_list(&f.node.declarator.node, &old_style)? {
            let object = self.new_object(name.as_str().into(), ObjectKind::Local(id), ty);
            self.functions[id.0].params.push(object);
            let is_list = self.is_argument_list(&self.objects[object.0].ty);
            self.objects[object.0].hidden |= is_list;
            self.define(&name, Entity::Object(object));
            names.push((name, object));
        }
        self.note_parameters(&f.node.declarator.node);
        self.evaluate_parameters(f, &names)?;
        self.slots_parameter(id);
        if let Some(result) = self.functions[id.0].result {
            let place = Lvalue::of(result, self.functions[id.0].result_ty.clone());
            self.step(Instr::Havoc(place, Unknown::Uninitialised));
        }
        let done = match &f.node.statement.node {
            Statement::Compound(items) => self.block(items),
            _ => self.statement(&f.node.statement),
        };
        done?;
        self.settle_jumps();
        let exit = NodeId(self.frame.cfa.exit);
        self.connect(self.frame.at, exit, Instr::Skip);
        for (label, _) in self.frame.labels.clone() {
            if !self.frame.defined.contains(&label) {
                return self.fail(format!("the label `{label}` is not defined"));
            }
        }
        Ok(())
    }

    /// Names and types of parameters that are declared after the list of names.
    fn old_style_parameters(
        &mut self,
        declarations: &[Node<Declaration>],
    ) -> Lowered<Vec<(String, CType)>> {
        let mut known = Vec::new();
        for d in declarations {
            let (_, base) = self.specifiers(&d.node.specifiers)?;
            for declarator in &d.node.declarators {
                let ty = self.declarator(base.clone(), &declarator.node.declarator.node)?;
                if let Some(name) = declared_name(&declarator.node.declarator.node) {
                    known.push((name.to_owned(), as_parameter(ty)));
                }
            }
        }
        Ok(known)
    }

    /// Names and types of the parameters of a definition.
    fn parameter_list(
        &mut self,
        declarator: &Declarator,
        old_style: &[(String, CType)],
    ) -> Lowered<Vec<(String, CType)>> {
        // The parameters are those of the innermost declarator: in `int (*f(int x))(void)`, of
        // `f(int x)`.
        if let DeclaratorKind::Declarator(inner) = &declarator.kind.node
            && has_function(&inner.node)
        {
            return self.parameter_list(&inner.node, old_style);
        }
        let mut list = Vec::new();
        for derived in &declarator.derived {
            match &derived.node {
                DerivedDeclarator::Function(f) => {
                    let types = self.parameters(&f.node.parameters)?;
                    let names = f.node.parameters.iter().map(|param| {
                        let declarator = param.node.declarator.as_ref();
                        declarator
                            .and_then(|d| declared_name(&d.node))
                            .unwrap_or("")
                    });
                    list.extend(names.map(str::to_owned).zip(types));
                    break;
                }
                DerivedDeclarator::KRFunction(names) => {
                    for name in names {
                        let name = &name.node.name;
                        let ty = old_style.iter().find(|(n, _)| n == name);
                        let ty = ty.map_or(CType::INT, |(_, ty)| ty.clone());
                        list.push((name.clone(), ty));
                    }
                    break;
                }
                _ => {}
            }
        }
        Ok(list)
    }

    /// The statements and declarations of a block, in a new scope.
    pub(super) fn block(&mut self, items: &[Node<BlockItem>]) -> Lowered<()> {
        self.enter();
        let mut done = Ok(());
        for item in items {
            self.see(item.span);
            let lowered = self.recover(|lowerer| match &item.node {
                BlockItem::Declaration(d) => lowerer
                    .before_statement(item.span.start)
                    .and_then(|()| lowerer.declaration(d, false)),
                BlockItem::StaticAssert(a) => lowerer.static_assertion(a),
                BlockItem::Statement(s) => lowerer.statement(s),
            });
            if let Err(error) = lowered {
                done = Err(NotLowered::Error(error));
                break;
            }
        }
        self.leave();
        done
    }

    /// The function of a name that is called without having been declared.
    pub(super) fn implicit_function(&mut self, name: &str) -> FuncId {
        if !self.models.inside() {
            self.implicit.insert(name.to_owned());
        }
        self.declare_function(
            name,
            &FunctionType {
                result: CType::INT,
                params: Vec::new(),
                open: true,
            },
        )
    }

    /// A string literal as an object.
    pub(super) fn string_literal(&mut self, parts: &[String]) -> Lowered<Lvalue> {
        self.string_object(&Text::of(parts))
    }

    /// A string as an object.
    pub(super) fn string_object(&mut self, text: &Text) -> Lowered<Lvalue> {
        let ty = CType::Array(
            Rc::new(CType::Int(text.element)),
            Length::Constant(text.length()),
        );
        let name = format!("string.{}", self.objects.len());
        let object = self.new_object(name.into(), ObjectKind::Static, ty.clone());
        self.objects[object.0].hidden = true;
        let place = Lvalue::of(object, ty);
        let inside = self.frame.func != FuncId(0);
        if inside {
            std::mem::swap(&mut self.frame, &mut self.start);
        }
        self.initialised.insert(object);
        self.assign_text(&place, text);
        if inside {
            std::mem::swap(&mut self.frame, &mut self.start);
        }
        Ok(place)
    }
}

fn has_function(declarator: &Declarator) -> bool {
    let own = declarator.derived.iter().any(|d| {
        matches!(
            d.node,
            DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_)
        )
    });
    own || matches!(&declarator.kind.node, DeclaratorKind::Declarator(inner) if has_function(&inner.node))
}
