//! Algebraic datatypes: declarations, instances of parametric ones, constructors and selectors.
//!
//! A declared datatype is a *family*: its constructors with field sorts over its parameters. The
//! store of terms knows monomorphic datatypes only, so each instance, `(List Int)`, is made when it
//! is first mentioned, and with it whatever its fields mention. A datatype without parameters is a
//! family with one instance.

use super::Elaborator;
use super::env::{Global, SortDef};
use super::error::{ElabError, ElabErrorKind};
use super::sorts::{Template, TemplateOp, arity_of};
use crate::chc::Span;
use crate::smtlib::ast::{Ast, DatatypeSyntax, Name};
use crate::smtlib::source::Source;
use crate::term::{CtorId, CtorSpec, DatatypeId, SelectorId, Sort, SortKind, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// More instances of parametric datatypes than this are refused: fields may ask for ever larger
/// ones without end.
const MAX_INSTANCES: usize = 10_000;

/// More constructors and fields of such instances are refused.
const MAX_INSTANCE_PARTS: usize = 1_000_000;

/// A declared datatype.
#[derive(Debug)]
pub(super) struct Family {
    pub(super) name: Symbol,
    pub(super) arity: u32,
    pub(super) constructors: Vec<Constructor>,
    pub(super) instances: FxHashMap<Box<[Sort]>, DatatypeId>,
    /// The only instance of a family without parameters, or of one that was used with one list of
    /// sorts only.
    only: Option<DatatypeId>,
    /// Has it values if its parameters have, and even if they have not?
    inhabited: [bool; 2],
}

/// A constructor of a family.
#[derive(Debug)]
pub(super) struct Constructor {
    pub(super) name: Symbol,
    pub(super) fields: Vec<(Symbol, Template)>,
}

impl Elaborator<'_> {
    /// `declare-datatypes` and its relatives.
    ///
    /// In the `older_form` families mention each other without arguments.
    ///
    /// # Errors
    /// Names are declared already or twice, sorts are unknown, or a datatype has no values.
    pub fn declare_datatypes(
        &mut self,
        ast: &Ast,
        source: &Source,
        older_form: bool,
    ) -> Result<(), ElabError> {
        let (sorts, bodies) = (&ast.sort_declarations[..], &ast.datatypes[..]);
        if sorts.len() != bodies.len() {
            let message = format!(
                "{} datatypes are named, {} are described",
                sorts.len(),
                bodies.len()
            );
            return Err(ElabErrorKind::Datatype(message).at(sorts[0].0.span));
        }
        let first = self.known.families.len();
        for ((name, arity), body) in sorts.iter().zip(bodies) {
            let found = body.parameters.len() as u32;
            if let Some(span) = arity
                && arity_of(source, *span)? != found
            {
                let message = format!(
                    "the number of parameters is declared otherwise than the {found} described"
                );
                return Err(ElabErrorKind::Datatype(message).at(*span));
            }
            let family = SortDef::Family(self.known.families.len() as u32);
            self.known
                .env
                .declare_sort(self.t, name.symbol, family, name.span)?;
            self.known.families.push(Family {
                name: name.symbol,
                arity: found,
                constructors: Vec::new(),
                instances: FxHashMap::default(),
                only: None,
                inhabited: [false; 2],
            });
        }
        self.unapplied = older_form.then_some(first as u32);
        for ((at, body), (name, _)) in (first..).zip(bodies).zip(sorts) {
            self.describe_family(ast, source, at, body, name.span)?;
        }
        self.unapplied = None;
        self.check_inhabited(first, sorts)?;
        for at in first..self.known.families.len() {
            if self.known.families[at].arity == 0 {
                self.instance(at as u32, &[], sorts[at - first].0.span)?;
            }
        }
        Ok(())
    }

    /// Constructors and selectors of a family.
    fn describe_family(
        &mut self,
        ast: &Ast,
        source: &Source,
        at: usize,
        body: &DatatypeSyntax,
        span: Span,
    ) -> Result<(), ElabError> {
        if body.constructors.is_empty() {
            let message = format!(
                "the datatype `{}` has no constructor",
                self.t.name(self.known.families[at].name)
            );
            return Err(ElabErrorKind::Datatype(message).at(span));
        }
        let mark = self.known.env.mark();
        let parameters = &ast.names[body.parameters.indices()];
        self.known
            .env
            .bind_parameters(parameters.iter().map(|parameter| parameter.symbol));
        let described = &ast.constructors[body.constructors.indices()];
        let mut constructors = Vec::with_capacity(described.len());
        for constructor in described {
            let mut fields = Vec::new();
            for selector in &ast.variables[constructor.selectors.indices()] {
                let template = self.template(ast, source, selector.sort);
                if template.is_err() {
                    self.known.env.rollback(mark);
                }
                fields.push((selector.name.symbol, template?));
            }
            constructors.push(Constructor {
                name: constructor.name.symbol,
                fields,
            });
        }
        self.known.env.rollback(mark);
        let family = at as u32;
        for (index, constructor) in (0u32..).zip(described) {
            let name = constructor.name;
            self.known.env.declare(
                self.t,
                name.symbol,
                Global::Constructor(family, index),
                name.span,
            )?;
            for (field, selector) in (0u32..).zip(&ast.variables[constructor.selectors.indices()]) {
                let global = Global::Selector(family, index, field);
                self.known
                    .env
                    .declare(self.t, selector.name.symbol, global, selector.name.span)?;
            }
        }
        self.known.families[at].constructors = constructors;
        Ok(())
    }

    /// Computes which families from `first` on have values, as a least fixpoint; all must.
    fn check_inhabited(
        &mut self,
        first: usize,
        sorts: &[(Name, Option<Span>)],
    ) -> Result<(), ElabError> {
        for assumption in 0..2 {
            let mut changed = true;
            while changed {
                changed = false;
                for at in first..self.known.families.len() {
                    let is = |field: &(Symbol, Template)| self.is_inhabited(&field.1, assumption);
                    let family = &self.known.families[at];
                    if !family.inhabited[assumption]
                        && family
                            .constructors
                            .iter()
                            .any(|constructor| constructor.fields.iter().all(is))
                    {
                        self.known.families[at].inhabited[assumption] = true;
                        changed = true;
                    }
                }
            }
        }
        match (first..self.known.families.len()).find(|&at| !self.known.families[at].inhabited[0]) {
            None => Ok(()),
            Some(at) => {
                let name = sorts[at - first].0;
                let message = format!(
                    "the datatype `{}` has no values: it is not well-founded",
                    self.t.name(name.symbol)
                );
                Err(ElabErrorKind::Datatype(message).at(name.span))
            }
        }
    }

    /// Has a sort values? With `assumption` 0 parameters have, with 1 they have not.
    fn is_inhabited(&self, template: &Template, assumption: usize) -> bool {
        let mut stack: Vec<bool> = Vec::new();
        for &op in &template.0 {
            let value = match op {
                TemplateOp::Parameter(_) => assumption == 0,
                TemplateOp::Ground(_) => true,
                TemplateOp::Array => {
                    let element = stack.pop().expect("an element sort");
                    stack.pop();
                    element
                }
                TemplateOp::Declared(_, arity) => {
                    stack.truncate(stack.len() - arity as usize);
                    true
                }
                TemplateOp::Family(family, arity) => {
                    let arguments = stack
                        .split_off(stack.len() - arity as usize)
                        .into_iter()
                        .all(|value| value);
                    let [with, without] = self.known.families[family as usize].inhabited;
                    without || (with && arguments)
                }
            };
            stack.push(value);
        }
        stack.pop().expect("a template has a root")
    }

    /// The sort of an instance of a family, made if it is new.
    pub(super) fn instance(
        &mut self,
        family: u32,
        arguments: &[Sort],
        span: Span,
    ) -> Result<Sort, ElabError> {
        if let Some(&datatype) = self.known.families[family as usize]
            .instances
            .get(arguments)
        {
            return Ok(self.t.datatype(datatype).sort);
        }
        if !arguments.is_empty() {
            self.count_instance(family, span)?;
        }
        let datatype = self
            .t
            .declare_datatype(self.known.families[family as usize].name, arguments);
        let entry = &mut self.known.families[family as usize];
        entry.only = entry.instances.is_empty().then_some(datatype);
        entry.instances.insert(arguments.into(), datatype);
        self.known.family_of.insert(datatype, family);
        // Fields may ask for further instances: they queue up behind this one instead of nesting.
        self.undefined.push((family, datatype));
        if self.undefined.len() == 1 {
            while let Some(&(family, datatype)) = self.undefined.last() {
                let at = self.undefined.len() - 1;
                self.define_instance(family, datatype, span)?;
                self.undefined.remove(at);
            }
        }
        Ok(self.t.datatype(datatype).sort)
    }

    /// Accounts for an instance of a parametric family; those of others are as many as the text
    /// has.
    fn count_instance(&mut self, family: u32, span: Span) -> Result<(), ElabError> {
        let constructors = &self.known.families[family as usize].constructors;
        let fields: usize = constructors.iter().map(|c| c.fields.len()).sum();
        self.known.instances += 1;
        self.known.instance_parts += constructors.len() + fields;
        let message = if self.known.instances > MAX_INSTANCES {
            format!("more than {MAX_INSTANCES} instances of datatypes")
        } else if self.known.instance_parts > MAX_INSTANCE_PARTS {
            format!(
                "instances of datatypes with more than {MAX_INSTANCE_PARTS} constructors and fields"
            )
        } else {
            return Ok(());
        };
        Err(ElabErrorKind::NotSupported(message).at(span))
    }

    /// Gives an instance its constructors.
    fn define_instance(
        &mut self,
        family: u32,
        datatype: DatatypeId,
        span: Span,
    ) -> Result<(), ElabError> {
        let arguments = self.t.datatype(datatype).args.clone();
        let mut specs: Vec<CtorSpec> = Vec::new();
        for index in 0..self.known.families[family as usize].constructors.len() {
            let constructor = &self.known.families[family as usize].constructors[index];
            let (name, fields) = (constructor.name, constructor.fields.clone());
            let mut sorts = Vec::with_capacity(fields.len());
            for (selector, template) in &fields {
                sorts.push((*selector, self.instantiate(template, &arguments, span)?));
            }
            specs.push((name, sorts));
        }
        self.t.define_datatype(datatype, &specs);
        Ok(())
    }

    /// The instance that a sort is of a family.
    pub(super) fn as_instance(&self, sort: Sort, family: u32) -> Option<DatatypeId> {
        let datatype = self.t.datatype_of(sort)?;
        (self.known.family_of.get(&datatype) == Some(&family)).then_some(datatype)
    }

    /// The only instance of a family so far.
    pub(super) fn only_instance(&self, family: u32) -> Option<DatatypeId> {
        self.known.families[family as usize].only
    }

    /// A constructor of an instance.
    pub(super) fn constructor_of(&self, datatype: DatatypeId, index: u32) -> CtorId {
        self.t.datatype(datatype).ctors()[index as usize]
    }

    /// A selector of an instance.
    pub(super) fn selector_of(
        &self,
        datatype: DatatypeId,
        constructor: u32,
        field: u32,
    ) -> SelectorId {
        self.t
            .ctor(self.constructor_of(datatype, constructor))
            .fields[field as usize]
    }

    /// Finds the parameters of a family from the sorts of a constructor's arguments, `None` where
    /// they are not known; an answer that does not fit is found out when the arguments are checked.
    pub(super) fn infer(
        &self,
        family: u32,
        constructor: u32,
        arguments: &[Option<Sort>],
    ) -> Option<Vec<Sort>> {
        let family = &self.known.families[family as usize];
        let mut parameters: Vec<Option<Sort>> = vec![None; family.arity as usize];
        let fields = &family.constructors[constructor as usize].fields;
        for ((_, template), sort) in fields.iter().zip(arguments) {
            if let &Some(sort) = sort {
                self.unify(template, sort, &mut parameters);
            }
        }
        parameters.into_iter().collect()
    }

    /// Reads parameters off a sort that should be an instance of a template: backwards, from the
    /// root.
    fn unify(&self, template: &Template, sort: Sort, parameters: &mut [Option<Sort>]) {
        // Where a part does not fit, its own parts are skipped: `None`.
        let mut stack = vec![Some(sort)];
        for &op in template.0.iter().rev() {
            let sort = stack.pop().expect("a template has one root");
            match op {
                TemplateOp::Ground(_) => {}
                TemplateOp::Parameter(index) => {
                    let known = &mut parameters[index as usize];
                    // An integer among reals is meant as a real.
                    if sort.is_some()
                        && (known.is_none()
                            || (*known == Some(Sort::INT) && sort == Some(Sort::REAL)))
                    {
                        *known = sort;
                    }
                }
                TemplateOp::Array => match sort.and_then(|sort| self.t.array_parts(sort)) {
                    Some((index, element)) => stack.extend([Some(index), Some(element)]),
                    None => stack.extend([None, None]),
                },
                TemplateOp::Declared(symbol, arity) => {
                    match sort.map(|sort| self.t.sort_kind(sort)) {
                        Some(SortKind::Uninterpreted(name, arguments)) if *name == symbol => {
                            stack.extend(arguments.iter().map(|&argument| Some(argument)));
                        }
                        _ => stack.extend((0..arity).map(|_| None)),
                    }
                }
                TemplateOp::Family(family, arity) => {
                    match sort.and_then(|sort| self.as_instance(sort, family)) {
                        Some(datatype) => {
                            let arguments = &self.t.datatype(datatype).args;
                            stack.extend(arguments.iter().map(|&argument| Some(argument)));
                        }
                        None => stack.extend((0..arity).map(|_| None)),
                    }
                }
            }
        }
    }

    /// The constructors of a datatype that none of the given ones is.
    pub(super) fn missing_constructors(
        &self,
        datatype: DatatypeId,
        covered: &FxHashSet<CtorId>,
    ) -> Vec<Symbol> {
        let all = self.t.datatype(datatype).ctors().iter();
        all.filter(|ctor| !covered.contains(*ctor))
            .map(|&ctor| self.t.ctor(ctor).name)
            .collect()
    }
}
