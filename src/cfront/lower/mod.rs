//! From the syntax tree to programs without side effects in expressions.
//!
//! Expressions are evaluated from left to right, what has side effects into steps of the automaton,
//! the rest as trees that are evaluated where they are used. Where C leaves an order open (operands
//! of `+`, arguments), programs that depend on it have no meaning.
//!
//! An unsupported construct is a step that ends the path, so that it matters only if it can be
//! reached.

mod builtin;
mod bytes;
mod call;
mod condition;
mod constant;
mod decl;
mod directive;
mod expr;
mod float;
mod format;
mod init;
mod jump;
mod known;
mod lengths;
mod library;
mod literal;
mod members;
mod model;
mod modify;
mod operator;
mod print;
mod scan;
mod specification;
mod spelled;
mod sscan;
mod stmt;
mod typed;
mod types;
mod value;
mod variadic;
mod watch;

use super::claims::Witness;
use super::ir::{
    Base, Binary, Callee, Cfa, Edge, Expr, ExprKind, FuncId, Function, Instr, Lvalue, Mark, NodeId,
    Object, ObjectId, ObjectKind, Scope, Step, Unknown,
};
use super::library::{Library, is_variable};
use super::program::{External, Program};
use super::source::{CError, CText, Place};
use super::types::{CType, DataModel, IntType, StructId, Structs};
use super::unions::{UsedMembers, share};
use format::Formats;
use lang_c::ast::{ExternalDeclaration, TranslationUnit};
use lang_c::span::Span;
use model::Models;
use rustc_hash::{FxHashMap, FxHashSet};
use spelled::Spellings;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use variadic::Variadic;
use watch::Watch;

pub(crate) use specification::Specification;
pub(super) use types::declared_name;
pub use watch::Reading;

/// The scopes of a function's parameters and of its body are the second and third.
const FUNCTION: usize = 3;

/// Why lowering of an expression or declaration ended.
#[derive(Debug)]
pub(super) enum NotLowered {
    /// By something that is not supported: the rest of the statement is not reached.
    Unsupported(Rc<str>),
    /// The program makes no sense.
    Error(CError),
}

type Lowered<T> = Result<T, NotLowered>;

/// What a name means.
#[derive(Clone, Debug)]
enum Entity {
    Object(ObjectId),
    Function(FuncId),
    Typedef(CType),
    /// A type that is not supported.
    Unsupported(Rc<str>),
    Constant(i128, IntType),
}

/// A `switch` under way.
#[derive(Default)]
struct Cases {
    cases: Vec<(i128, i128, NodeId)>,
    default: Option<NodeId>,
}

/// The function under way.
struct Frame {
    func: FuncId,
    cfa: Cfa,
    /// Where the next step begins.
    at: NodeId,
    labels: FxHashMap<String, NodeId>,
    /// Where it jumps to what is the address of a label.
    jumps: Vec<(NodeId, Expr)>,
    defined: FxHashSet<String>,
    /// Where `break` and `continue` lead to, and the number of scopes there.
    breaks: Vec<(NodeId, usize)>,
    continues: Vec<(NodeId, usize)>,
    switches: Vec<Cases>,
}

/// Translates one program.
struct Lowerer<'a> {
    source: &'a CText,
    spec: &'a Specification,
    model: DataModel,
    structs: Structs,
    objects: Vec<Object>,
    functions: Vec<Function>,
    scopes: Vec<FxHashMap<String, Entity>>,
    tags: Vec<FxHashMap<String, CType>>,
    /// Names of types that have, or may have, another alignment than what they stand for.
    aligned: FxHashSet<String>,
    /// Types with what [`CType`] does not tell apart.
    spellings: Spellings,
    frame: Frame,
    /// The frame of the program's start while another is under way.
    start: Frame,
    place: Place,
    /// Temporaries that hold a pointer to new memory: the object, and the size in bytes where it is
    /// constant.
    allocated: FxHashMap<ObjectId, (ObjectId, Option<u64>)>,
    /// Allocations that are filled with zeros.
    zeroed: FxHashSet<ObjectId>,
    /// Statics that have an initialiser, or are defined elsewhere.
    initialised: FxHashSet<ObjectId>,
    externs: FxHashSet<ObjectId>,
    /// The objects of compound literals.
    literals: FxHashSet<ObjectId>,
    /// Names of functions that are called and have no body in this program.
    bodies: FxHashSet<String>,
    /// Structures whose definition is not supported, and why.
    without_members: FxHashMap<StructId, Rc<str>>,
    /// Members of unions that the program uses.
    union_members: UsedMembers,
    /// What is used and not defined, where the error begins, and where `main` does: see
    /// [`Program`].
    externals: BTreeMap<Rc<str>, External>,
    errors: Vec<usize>,
    main_body: Option<usize>,
    /// What a witness claims of the program.
    watch: Watch,
    /// The models of library functions, which are parsed when the first is called.
    library: &'a OnceCell<Library>,
    models: Models,
    /// Is only the type of an expression sought, or its constant value?
    probing: bool,
    /// Is a whole union written, member by member?
    whole_union: bool,
    /// Is this a declarator in a function whose lengths are evaluated?
    declares: bool,
    /// Functions that are called without having been declared.
    implicit: FxHashSet<String>,
    /// The sizes of allocated memory by addresses, where a program needs them.
    sizes: Option<ObjectId>,
    /// Functions with a variable number of arguments.
    variadic: Variadic,
    formats: Formats,
    /// The addresses of labels.
    label_values: FxHashMap<(FuncId, String), FuncId>,
    /// The names of functions that are called before `main`, by their priorities, which say in
    /// which order. That of functions of one priority is not specified.
    constructors: BTreeMap<i128, Vec<String>>,
}

/// The whole program, with what a witness claims of it.
pub(crate) fn lower(
    source: &CText,
    unit: &TranslationUnit,
    spec: &Specification,
    model: DataModel,
    witness: Option<(&Witness, Reading)>,
) -> Result<Program, CError> {
    let library = OnceCell::new();
    let watch = witness.map(|(witness, reading)| Watch::of(witness, reading));
    let place = source.place(0);
    let mut lowerer = Lowerer {
        source,
        spec,
        model,
        structs: Structs::default(),
        objects: Vec::new(),
        functions: Vec::new(),
        scopes: vec![FxHashMap::default()],
        tags: vec![FxHashMap::default()],
        aligned: FxHashSet::default(),
        spellings: Spellings::of(&source.text),
        frame: Frame::new(FuncId(0), place.clone()),
        start: Frame::new(FuncId(0), place.clone()),
        place,
        allocated: FxHashMap::default(),
        zeroed: FxHashSet::default(),
        initialised: FxHashSet::default(),
        externs: FxHashSet::default(),
        literals: FxHashSet::default(),
        bodies: FxHashSet::default(),
        without_members: FxHashMap::default(),
        union_members: FxHashMap::default(),
        externals: BTreeMap::new(),
        errors: Vec::new(),
        main_body: None,
        watch: watch.transpose()?.unwrap_or_default().about(spec),
        library: &library,
        models: Models::of(source),
        probing: false,
        whole_union: false,
        declares: false,
        implicit: FxHashSet::default(),
        sizes: None,
        variadic: Variadic::default(),
        formats: Formats::default(),
        label_values: FxHashMap::default(),
        constructors: BTreeMap::new(),
    };
    lowerer.program(unit)
}

impl Frame {
    fn new(func: FuncId, place: Place) -> Self {
        let mut cfa = Cfa::default();
        let entry = cfa.add_node(place.clone(), func);
        let exit = cfa.add_node(place, func);
        cfa.entry = entry.0;
        cfa.exit = exit.0;
        Frame {
            func,
            cfa,
            at: entry,
            labels: FxHashMap::default(),
            jumps: Vec::new(),
            defined: FxHashSet::default(),
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
        }
    }
}

impl Lowerer<'_> {
    fn program(&mut self, unit: &TranslationUnit) -> Result<Program, CError> {
        let start = self.new_function("<start>".into(), CType::Void);
        self.frame = Frame::new(start, self.place.clone());
        self.start_watch();
        for item in &unit.0 {
            if let ExternalDeclaration::FunctionDefinition(f) = &item.node
                && let Some(name) = types::declared_name(&f.node.declarator.node)
            {
                self.bodies.insert(name.to_owned());
            }
        }
        for item in &unit.0 {
            self.see(item.span);
            self.recover(|lowerer| match &item.node {
                ExternalDeclaration::Declaration(d) => lowerer.declaration(d, true),
                ExternalDeclaration::StaticAssert(a) => lowerer.static_assertion(a),
                ExternalDeclaration::FunctionDefinition(f) => lowerer.function(f),
            })?;
        }
        self.finish(start)
    }

    /// The start of the program: zeros, initial values, and the call of `main`.
    fn finish(&mut self, start: FuncId) -> Result<Program, CError> {
        let Some(Entity::Function(main)) = self.lookup("main").cloned() else {
            return Err(self.error("there is no function `main`"));
        };
        if self.functions[main.0].cfa.is_none() {
            return Err(self.error("`main` has no body"));
        }
        self.recover(Self::define_taken)?;
        // Zeros come before initial values, which are in the frame already.
        let fresh = Frame::new(start, self.source.place(0));
        let initial = std::mem::replace(&mut self.frame, fresh);
        self.zeros();
        self.append(initial);
        self.place = self.functions[main.0].cfa.as_ref().map_or_else(
            || self.place.clone(),
            |cfa| cfa.nodes[cfa.entry].place.clone(),
        );
        self.recover(Self::call_constructors)?;
        let arguments = self.main_arguments(main);
        self.step(Instr::Call(Callee::Function(main), Vec::new(), None));
        let exit = NodeId(self.frame.cfa.exit);
        self.connect(self.frame.at, exit, Instr::Skip);
        self.watch.check_found()?;
        self.functions[start.0].cfa = Some(std::mem::take(&mut self.frame.cfa));
        self.settle_counts();
        let punned = |(_, used): &(&StructId, &FxHashSet<usize>)| used.len() > 1;
        let punned = self.union_members.iter().filter(punned);
        let globals = self.scopes[0].values().filter_map(|entity| match entity {
            Entity::Object(object) => Some(*object),
            _ => None,
        });
        let mut program = Program {
            globals: globals.collect(),
            punned: punned.map(|(&id, _)| id).collect(),
            zeroed: std::mem::take(&mut self.zeroed),
            structs: std::mem::take(&mut self.structs),
            objects: std::mem::take(&mut self.objects),
            functions: std::mem::take(&mut self.functions),
            externals: std::mem::take(&mut self.externals),
            errors: std::mem::take(&mut self.errors),
            main: self.main_body.map(|at| (at, arguments)),
            outside: None,
            target: self.watch.target(),
            start,
            model: self.model,
        };
        share(&mut program, &self.union_members);
        Ok(program)
    }

    /// What statics are before their initial values: zero, or, where another program defines them,
    /// anything.
    fn zeros(&mut self) {
        for at in 0..self.objects.len() {
            let (object, ty) = (ObjectId(at), self.objects[at].ty.clone());
            if self.objects[at].kind != ObjectKind::Static {
                continue;
            }
            let whole = Lvalue::of(object, ty);
            if self.externs.contains(&object) && !self.initialised.contains(&object) {
                let name = self.objects[at].name.clone();
                if is_variable(&name) {
                    let what = Unknown::Approximated(format!("`{name}` of the library").into());
                    self.step(Instr::Havoc(whole, what));
                    continue;
                }
                let what = Unknown::Input(format!("extern {name}").into());
                self.externals.insert(name, External::Variable);
                self.step(Instr::Havoc(whole, what));
            } else {
                self.zero(&whole);
            }
        }
    }

    /// Goes on with the steps of another frame of the same function.
    fn append(&mut self, mut other: Frame) {
        let offset = self.frame.cfa.nodes.len();
        let (entry, last) = (other.cfa.entry + offset, other.at.0 + offset);
        self.frame.cfa.nodes.append(&mut other.cfa.nodes);
        for mut edge in other.cfa.edges {
            edge.from.0 += offset;
            edge.to.0 += offset;
            self.frame.cfa.edges.push(edge);
        }
        self.connect(self.frame.at, NodeId(entry), Instr::Skip);
        self.frame.at = NodeId(last);
    }

    /// What follows belongs to this text.
    fn see(&mut self, span: Span) {
        // An expression of a witness is evaluated where it is quoted.
        // The steps of a model stand at the place of its call.
        if !span.is_none() && !self.watch.quoting && !self.models.inside() {
            self.place = self.source.place(span.start);
        }
    }

    fn error(&self, message: impl Into<String>) -> CError {
        CError::Meaning {
            place: self.place.clone(),
            message: message.into(),
        }
    }

    fn fail<T>(&self, message: impl Into<String>) -> Lowered<T> {
        Err(NotLowered::Error(self.error(message)))
    }

    fn lookup(&self, name: &str) -> Option<&Entity> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// What names mean here.
    fn scope(&self) -> Scope {
        let mut inner = BTreeMap::new();
        for (name, entity) in self.scopes.iter().skip(1).flatten() {
            let object = match entity {
                Entity::Object(object) => Some(*object),
                _ => None,
            };
            // Of several scopes, the last is the innermost.
            inner.insert(name.as_str().into(), object);
        }
        Scope {
            inner,
            declared: self.objects.len(),
        }
    }

    fn define(&mut self, name: &str, entity: Entity) {
        let scope = self.scopes.last_mut().expect("there is a scope");
        scope.insert(name.to_owned(), entity);
    }

    fn enter(&mut self) {
        self.scopes.push(FxHashMap::default());
        self.tags.push(FxHashMap::default());
    }

    fn leave(&mut self) {
        self.leave_scopes(self.scopes.len() - 1);
        self.scopes.pop();
        self.tags.pop();
    }

    /// Variables of the scopes beyond this number cease to exist, of blocks within a function.
    fn leave_scopes(&mut self, number: usize) {
        let within = self.scopes.iter().skip(number.max(FUNCTION));
        let objects = within.flat_map(|scope| scope.values());
        let locals = objects.filter_map(|entity| match entity {
            Entity::Object(object) => Some(*object),
            _ => None,
        });
        let named = |object: &ObjectId| {
            let info = &self.objects[object.0];
            let is_seen = !info.hidden || self.literals.contains(object);
            matches!(info.kind, ObjectKind::Local(_)) && is_seen
        };
        let mut locals: Vec<ObjectId> = locals.filter(named).collect();
        locals.sort_unstable();
        if !locals.is_empty() && !self.probing {
            self.step(Instr::Mark(Mark::Leave(locals)));
        }
    }

    /// Calls the functions that are executed before `main`.
    fn call_constructors(&mut self) -> Lowered<()> {
        for names in std::mem::take(&mut self.constructors).into_values() {
            let [name] = &names[..] else {
                return unsupported("constructors without an order");
            };
            let id = match self.lookup(name) {
                Some(Entity::Function(id)) if self.functions[id.0].cfa.is_some() => *id,
                _ => return unsupported(format!("the constructor `{name}`")),
            };
            if !self.functions[id.0].params.is_empty() {
                return unsupported(format!("the constructor `{name}` with parameters"));
            }
            self.step(Instr::Call(Callee::Function(id), Vec::new(), None));
        }
        Ok(())
    }

    /// The parameters of `main`, with any values that the standard allows: the first is the number
    /// of the program's arguments, and the second points to them (C11, 5.1.2.2.1).
    fn main_arguments(&mut self, main: FuncId) -> Vec<ObjectId> {
        let arguments = self.functions[main.0].params.clone();
        for &object in &arguments {
            let ty = self.objects[object.0].ty.clone();
            let place = Lvalue::of(object, ty.clone());
            self.step(Instr::Havoc(place.clone(), Unknown::Input("main".into())));
            let Ok(value::ExprValue::Scalar(value, _)) = self.load(&place) else {
                continue;
            };
            let allowed = match ty {
                CType::Int(int) if int.signed => {
                    self.arithmetic(Binary::Le, Expr::constant(0, int), value)
                }
                CType::Pointer(_) => value,
                _ => continue,
            };
            let there = self.node();
            self.connect(self.frame.at, there, Instr::Assume(allowed, true));
            self.frame.at = there;
        }
        arguments
    }

    /// A value that is not used: only its evaluation matters. Of a structure, that of its first
    /// scalar stands for all.
    fn drop_value(&mut self, value: &value::ExprValue) {
        let e = match value {
            value::ExprValue::Scalar(e, _) => Some(e.clone()),
            value::ExprValue::Struct(place) => self.first_scalar(place),
            value::ExprValue::Void => None,
        };
        if let Some(e) = &e
            && !self.probing
            && !matches!(e.kind, ExprKind::Const(_))
            && !(e.is_total() && matches!(&e.kind, ExprKind::Load(place) if !place.has_index()))
        {
            self.step(Instr::Mark(Mark::Unused(e.clone())));
        }
    }

    fn new_function(&mut self, name: Rc<str>, result_ty: CType) -> FuncId {
        let id = FuncId(self.functions.len());
        self.functions.push(Function {
            name: name.clone(),
            params: Vec::new(),
            result: None,
            result_ty: result_ty.clone(),
            cfa: None,
            address_taken: false,
            library: false,
            call: None,
        });
        if result_ty != CType::Void {
            let result = self.new_object(
                format!("{name}.result").into(),
                ObjectKind::Local(id),
                result_ty,
            );
            self.objects[result.0].hidden = true;
            self.functions[id.0].result = Some(result);
        }
        id
    }

    fn new_object(&mut self, name: Rc<str>, kind: ObjectKind, ty: CType) -> ObjectId {
        self.objects.push(Object {
            name,
            kind,
            ty,
            hidden: self.models.inside(),
            many: false,
            initialiser: None,
            allocation: None,
            automatic: false,
        });
        ObjectId(self.objects.len() - 1)
    }

    /// A variable of the front end's.
    fn temporary(&mut self, ty: CType) -> Lvalue {
        let name = format!("tmp.{}", self.objects.len());
        let object = self.new_object(name.into(), ObjectKind::Local(self.frame.func), ty.clone());
        self.objects[object.0].hidden = true;
        Lvalue::of(object, ty)
    }

    /// A point of the function under way.
    fn node(&mut self) -> NodeId {
        let (place, func) = (self.place.clone(), self.frame.func);
        let node = self.frame.cfa.add_node(place, func);
        self.frame.cfa.nodes[node.0].claim = self.watch.claim;
        self.frame.cfa.nodes[node.0].writes_whole = self.whole_union;
        node
    }

    fn connect(&mut self, from: NodeId, to: NodeId, instr: Instr) {
        let place = self.place.clone();
        self.frame.cfa.edges.push(Edge {
            from,
            to,
            instr,
            place,
        });
    }

    /// A step from here to a new point, where the next begins.
    fn step(&mut self, instr: Instr) {
        let to = self.node();
        self.connect(self.frame.at, to, instr);
        self.frame.at = to;
    }

    /// The path goes on elsewhere; what follows is reached by labels only.
    fn jump(&mut self, to: NodeId) {
        self.connect(self.frame.at, to, Instr::Skip);
        self.frame.at = self.node();
    }

    /// The path ends here.
    fn end_path(&mut self, instr: Option<Instr>) {
        if let Some(instr) = instr {
            self.step(instr);
        }
        self.frame.at = self.node();
    }

    /// Does something that writes to all of a place. If that is a union, all its members are
    /// written; within another one, whose other members share bytes with it, it is a write as any.
    fn write_whole(
        &mut self,
        place: &Lvalue,
        action: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let is_union = |of: StructId| self.structs.def(of).union;
        let mut steps = place.path.iter();
        let is_inner = steps.any(|step| matches!(step, Step::Field(of, _) if is_union(*of)));
        let is_whole = matches!(place.ty, CType::Struct(id) if is_union(id)) && !is_inner;
        if !is_whole || self.whole_union {
            return action(self);
        }
        self.whole_union = true;
        self.step(Instr::Skip);
        let done = action(self);
        self.whole_union = false;
        self.step(Instr::Skip);
        done
    }

    /// Does something; where something is not supported, all paths that are under way end.
    fn recover(&mut self, action: impl FnOnce(&mut Self) -> Lowered<()>) -> Result<(), CError> {
        match self.attempt(action) {
            Ok(()) => Ok(()),
            Err(NotLowered::Unsupported(what)) => {
                self.watch.gave_up = true;
                self.end_path(Some(Instr::Unsupported(what)));
                Ok(())
            }
            Err(NotLowered::Error(error)) => Err(error),
        }
    }

    /// Does something. If something is not supported, all paths that began there and do not end
    /// lead to the point where the next step begins: none is lost.
    fn attempt<T>(&mut self, action: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let cfa = &self.frame.cfa;
        let (nodes, edges) = (cfa.nodes.len(), cfa.edges.len());
        let done = action(self);
        if matches!(done, Err(NotLowered::Unsupported(_))) && self.frame.cfa.nodes.len() > nodes {
            let open = self.open_ends(nodes, edges);
            let join = self.node();
            for end in open {
                self.connect(end, join, Instr::Skip);
            }
            self.frame.at = join;
            debug_assert!(
                self.is_only_end(nodes, edges),
                "no path is lost where something is not supported"
            );
        }
        done
    }

    /// Is the point where the next step begins the only end that is open?
    fn is_only_end(&self, nodes: usize, edges: usize) -> bool {
        self.open_ends(nodes, edges) == [self.frame.at]
    }

    /// The point where the next step begins, and those from `nodes` on that are reached by an edge
    /// from `edges` on and have no step. Labels and computed jumps get theirs later.
    fn open_ends(&self, nodes: usize, edges: usize) -> Vec<NodeId> {
        let frame = &self.frame;
        let later = frame.labels.values();
        let later = later.chain(frame.jumps.iter().map(|(node, _)| node));
        let mut closed: FxHashSet<NodeId> = later.copied().collect();
        closed.insert(NodeId(frame.cfa.exit));
        let new = &frame.cfa.edges[edges..];
        for edge in new {
            closed.insert(edge.from);
            if edge.instr.is_last() {
                closed.insert(edge.to);
            }
        }
        let mut open = vec![frame.at];
        for edge in new {
            if edge.to.0 >= nodes && !closed.contains(&edge.to) && !open.contains(&edge.to) {
                open.push(edge.to);
            }
        }
        open
    }

    /// Remembers which member of a union is used.
    fn note_member(&mut self, of: StructId, at: usize) {
        if self.structs.def(of).union {
            self.union_members.entry(of).or_default().insert(at);
        }
    }
}

/// A result that ends a path.
fn unsupported<T>(what: impl Into<Rc<str>>) -> Lowered<T> {
    Err(NotLowered::Unsupported(what.into()))
}

/// What a pointer points to.
fn deref(pointer: Expr, pointee: CType) -> Lvalue {
    // `*&x` is `x`.
    if let super::ir::ExprKind::Address(place) = &pointer.kind
        && place.ty == pointee
    {
        return (**place).clone();
    }
    Lvalue {
        base: Base::Deref(Box::new(pointer), pointee.clone()),
        path: Vec::new(),
        ty: pointee,
    }
}
