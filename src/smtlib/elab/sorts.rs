//! Sort expressions, and sorts with parameters.

use super::Elaborator;
use super::apply::arguments;
use super::env::SortDef;
use super::error::{ElabError, ElabErrorKind};
use crate::chc::Span;
use crate::smtlib::ast::{Ast, Index, Name, SortId, SortNode};
use crate::smtlib::source::Source;
use crate::term::{Sort, SortKind, Symbol};

/// Bit-vectors of more than 2^20 bits are refused: a constant has as many binary digits.
pub(super) const MAX_WIDTH: u32 = 1 << 20;

/// Sorts nested deeper than this are refused: printing them recurses.
const MAX_SORT_DEPTH: u32 = 200;

/// Sorts with more parts than this are refused: written out, a sort can be exponentially larger
/// than its definition.
const MAX_SORT_SIZE: usize = 10_000;

/// How large a sort is when it is written out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    depth: u32,
    size: usize,
}

impl Extent {
    /// Of a sort without arguments.
    const LEAF: Extent = Extent { depth: 0, size: 1 };
}

/// A piece of a sort with parameters, in postfix order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TemplateOp {
    /// A parameter.
    Parameter(u32),
    /// A sort without parameters.
    Ground(Sort),
    /// `Array` of the two before.
    Array,
    /// A declared sort, applied to this number of the sorts before.
    Declared(Symbol, u32),
    /// A datatype, applied to this number of the sorts before.
    Family(u32, u32),
}

/// A sort over parameters: of a field of a parametric datatype, or the body of a `define-sort`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Template(pub(super) Vec<TemplateOp>);

/// A `define-sort`.
#[derive(Debug)]
pub(super) struct Alias {
    pub(super) arity: u32,
    pub(super) body: Template,
}

/// What stands at the head of a sort expression.
#[derive(Clone, Copy, Debug)]
enum Head {
    Ground(Sort),
    Array,
    Declared(Symbol),
    Family(u32),
    Alias(u32),
    Parameter(u32),
}

impl Elaborator<'_> {
    /// Evaluates the sorts of a command, all of them: a sort's parts stand before it. A command
    /// with sort parameters has templates instead, see [`Elaborator::template`].
    pub(super) fn evaluate_sorts(&mut self, ast: &Ast, source: &Source) -> Result<(), ElabError> {
        // Sorts are found by their places in the table, where those of other commands stand before.
        let at_hand = ast.sorts_at_hand();
        self.sorts.resize(at_hand.start as usize, Sort::BOOL);
        for node in &ast.sorts[at_hand.indices()] {
            let sort = self.evaluate_sort(ast, source, node)?;
            self.sorts.push(sort);
        }
        Ok(())
    }

    fn evaluate_sort(
        &mut self,
        ast: &Ast,
        source: &Source,
        node: &SortNode,
    ) -> Result<Sort, ElabError> {
        // The common case first.
        if node.arguments.is_empty()
            && node.indices.is_empty()
            && let Some(SortDef::Ground(sort)) = self.known.env.meaning(node.name).sort
        {
            return Ok(sort);
        }
        let head = self.sort_head(ast, source, node)?;
        let arguments: Vec<Sort> = ast.sort_arguments[node.arguments.indices()]
            .iter()
            .map(|&SortId(at)| self.sorts[at as usize])
            .collect();
        self.apply_sort(head, &arguments, node.span)
    }

    /// The value of a sort of the command at hand.
    pub fn sort(&self, id: SortId) -> Sort {
        self.sorts[id.0 as usize]
    }

    /// A sort expression with parameters, of which those bound in the environment stand for
    /// positions.
    pub(super) fn template(
        &mut self,
        ast: &Ast,
        source: &Source,
        root: SortId,
    ) -> Result<Template, ElabError> {
        let mut template = Vec::new();
        for node in &ast.sorts[subtree(ast, root)] {
            let arity = node.arguments.len() as u32;
            match self.sort_head(ast, source, node)? {
                Head::Ground(sort) => template.push(TemplateOp::Ground(sort)),
                Head::Array => template.push(TemplateOp::Array),
                Head::Declared(symbol) => template.push(TemplateOp::Declared(symbol, arity)),
                Head::Family(family) => {
                    let expected = self.known.families[family as usize].arity;
                    // Without arguments, in the older form of declarations, it has those of the
                    // declaration.
                    template.extend((arity..expected).map(TemplateOp::Parameter));
                    template.push(TemplateOp::Family(family, expected));
                }
                Head::Parameter(index) => template.push(TemplateOp::Parameter(index)),
                Head::Alias(alias) => self.expand_alias(&mut template, alias, arity),
            }
            if template.len() > MAX_SORT_SIZE {
                return Err(too_large(node.span));
            }
        }
        Ok(Template(template))
    }

    /// Replaces the last `arity` sorts of a template by the alias applied to them.
    fn expand_alias(&self, template: &mut Vec<TemplateOp>, alias: u32, arity: u32) {
        let mut starts = Vec::with_capacity(arity as usize);
        let mut end = template.len();
        for _ in 0..arity {
            let start = template_start(template, end);
            starts.push(start..end);
            end = start;
        }
        starts.reverse();
        let mut expanded = Vec::new();
        for &op in &self.known.aliases[alias as usize].body.0 {
            match op {
                TemplateOp::Parameter(index) => {
                    expanded.extend_from_slice(&template[starts[index as usize].clone()])
                }
                other => expanded.push(other),
            }
        }
        template.truncate(end);
        template.extend(expanded);
    }

    /// The sort that a template gives for these parameters.
    pub(super) fn instantiate(
        &mut self,
        template: &Template,
        parameters: &[Sort],
        span: Span,
    ) -> Result<Sort, ElabError> {
        let mut stack: Vec<Sort> = Vec::new();
        for &op in &template.0 {
            let (head, arity) = match op {
                TemplateOp::Parameter(index) => (Head::Ground(parameters[index as usize]), 0),
                TemplateOp::Ground(sort) => (Head::Ground(sort), 0),
                TemplateOp::Array => (Head::Array, 2),
                TemplateOp::Declared(symbol, arity) => (Head::Declared(symbol), arity),
                TemplateOp::Family(family, arity) => (Head::Family(family), arity),
            };
            let from = stack.len() - arity as usize;
            let sort = self.apply_sort(head, &stack[from..], span)?;
            stack.truncate(from);
            stack.push(sort);
        }
        Ok(stack.pop().expect("a template has a root"))
    }

    /// What a sort expression has at its head; its number of arguments is right.
    fn sort_head(&self, ast: &Ast, source: &Source, node: &SortNode) -> Result<Head, ElabError> {
        let name = self.t.name(node.name);
        if !node.indices.is_empty() {
            return match (name, &ast.indices[node.indices.indices()]) {
                ("BitVec", [Index::Numeral(width)]) => {
                    let width = self.written_width(source, *width)?;
                    Ok(Head::Ground(self.t.bitvec_sort(width)))
                }
                _ => Err(ElabErrorKind::UnknownSort {
                    name: source.slice(node.span).to_owned(),
                }
                .at(node.span)),
            };
        }
        let unknown = || {
            ElabErrorKind::UnknownSort {
                name: name.to_owned(),
            }
            .at(node.span)
        };
        let (head, expected) = match self.known.env.meaning(node.name).sort.ok_or_else(unknown)? {
            SortDef::Ground(sort) => (Head::Ground(sort), 0),
            SortDef::Array => (Head::Array, 2),
            SortDef::Declared(arity) => (Head::Declared(node.name), arity),
            SortDef::Family(family) => (
                Head::Family(family),
                self.known.families[family as usize].arity,
            ),
            SortDef::Alias(alias) => (Head::Alias(alias), self.known.aliases[alias as usize].arity),
            SortDef::Parameter(index) => (Head::Parameter(index), 0),
        };
        let found = node.arguments.len();
        let unapplied = match head {
            Head::Family(family) => {
                found == 0 && self.unapplied.is_some_and(|first| family >= first)
            }
            _ => false,
        };
        if found != expected as usize && !unapplied {
            let (name, expected) = (name.to_owned(), arguments(expected as usize));
            return Err(ElabErrorKind::SortArity {
                name,
                expected,
                found,
            }
            .at(node.span));
        }
        Ok(head)
    }

    fn apply_sort(
        &mut self,
        head: Head,
        arguments: &[Sort],
        span: Span,
    ) -> Result<Sort, ElabError> {
        let sort = match head {
            Head::Ground(sort) => return Ok(sort),
            Head::Array => self.t.array_sort(arguments[0], arguments[1]),
            Head::Declared(symbol) => self
                .t
                .sort(SortKind::Uninterpreted(symbol, arguments.into())),
            Head::Family(family) => self.instance(family, arguments, span)?,
            Head::Alias(alias) => {
                let body = self.known.aliases[alias as usize].body.clone();
                return self.instantiate(&body, arguments, span);
            }
            Head::Parameter(_) => unreachable!("expressions with parameters become templates"),
        };
        self.check_extent(sort, arguments, span)?;
        Ok(sort)
    }

    /// Refuses sorts that are nested too deep or are too large.
    fn check_extent(
        &mut self,
        sort: Sort,
        arguments: &[Sort],
        span: Span,
    ) -> Result<(), ElabError> {
        let mut extent = Extent::LEAF;
        for argument in arguments {
            let below = self.known.extents.get(argument).unwrap_or(&Extent::LEAF);
            extent.depth = extent.depth.max(below.depth);
            extent.size += below.size;
        }
        extent.depth += 1;
        if extent.depth > MAX_SORT_DEPTH {
            let message = format!("sorts nested deeper than {MAX_SORT_DEPTH}");
            return Err(ElabErrorKind::NotSupported(message).at(span));
        }
        if extent.size > MAX_SORT_SIZE {
            return Err(too_large(span));
        }
        self.known.extents.insert(sort, extent);
        Ok(())
    }

    /// `declare-sort`.
    ///
    /// # Errors
    /// The name is declared already.
    pub fn declare_sort(
        &mut self,
        source: &Source,
        name: Name,
        arity: Option<Span>,
    ) -> Result<(), ElabError> {
        let arity = match arity {
            None => 0,
            Some(span) => arity_of(source, span)?,
        };
        self.known
            .env
            .declare_sort(self.t, name.symbol, SortDef::Declared(arity), name.span)
    }

    /// `define-sort`.
    ///
    /// # Errors
    /// The name is declared already, or the body mentions unknown sorts.
    pub fn define_sort(
        &mut self,
        ast: &Ast,
        source: &Source,
        name: Name,
        body: SortId,
    ) -> Result<(), ElabError> {
        let parameters = &ast.names[ast.parameters.indices()];
        let mark = self.known.env.mark();
        self.known
            .env
            .bind_parameters(parameters.iter().map(|parameter| parameter.symbol));
        let template = self.template(ast, source, body);
        self.known.env.rollback(mark);
        self.known.aliases.push(Alias {
            arity: parameters.len() as u32,
            body: template?,
        });
        let alias = SortDef::Alias(self.known.aliases.len() as u32 - 1);
        self.known
            .env
            .declare_sort(self.t, name.symbol, alias, name.span)
    }
}

fn too_large(span: Span) -> ElabError {
    ElabErrorKind::NotSupported(format!("sorts of more than {MAX_SORT_SIZE} parts")).at(span)
}

/// The number of parameters that a declaration gives.
pub(super) fn arity_of(source: &Source, span: Span) -> Result<u32, ElabError> {
    const MAX_ARITY: u32 = 1000;
    match source.slice(span).parse::<u32>() {
        Ok(arity) if arity <= MAX_ARITY => Ok(arity),
        _ => Err(ElabErrorKind::NotSupported(format!(
            "sorts with more than {MAX_ARITY} parameters"
        ))
        .at(span)),
    }
}

/// The expressions that make up a sort: those from its first leaf to itself.
fn subtree(ast: &Ast, root: SortId) -> std::ops::RangeInclusive<usize> {
    let end = root.0 as usize;
    let mut start = end;
    while let Some(first) = ast.sort_arguments[ast.sorts[start].arguments.indices()].first() {
        start = first.0 as usize;
    }
    start..=end
}

/// Where the sort that ends before `end` begins.
fn template_start(template: &[TemplateOp], end: usize) -> usize {
    let mut missing = 1;
    let mut at = end;
    while missing > 0 {
        at -= 1;
        missing += match template[at] {
            TemplateOp::Parameter(_) | TemplateOp::Ground(_) => 0,
            TemplateOp::Array => 2,
            TemplateOp::Declared(_, arity) | TemplateOp::Family(_, arity) => arity as usize,
        };
        missing -= 1;
    }
    at
}
