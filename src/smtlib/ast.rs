//! The syntax of one command, flat.
//!
//! A term is stored as *postfix code*: the arguments of an application come before it, and binders
//! are bracketed by [`Op::LetEnter`]/[`Op::LetExit`] and the like, in the order in which an
//! elaborator wants to see them. So elaboration is one loop over the code with a stack of values:
//! nothing recurses, however deep the nesting, and nothing is dropped recursively. The parser
//! writes code at the end of [`Ast::code`] while it reduces; tables are reused from command to
//! command. What an assertion is made of is given back piece by piece while it is elaborated (see
//! [`Code`]).
//!
//! ```text
//! (let ((x (f 1))) (g x 2))   ⇒   1  f/1  LetEnter[x]  x  2  g/2  LetExit
//! (match t ((nil a) ((cons h _) b)))
//!     ⇒   t  MatchEnter  CaseEnter(nil) a CaseExit  CaseEnter(cons h _) b CaseExit  MatchExit/2
//! ```
//!
//! Sorts are trees in a separate table, children before parents.

use super::code::Code;
pub use super::instruction::{Op, Quantifier, Range};
use crate::chc::Span;
use crate::term::{Symbol, Terms};

/// A symbol at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// The symbol.
    pub symbol: Symbol,
    /// Where it stands.
    pub span: Span,
}

/// An index of an indexed identifier `(_ f index…)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// A numeral; the digits are the text of the span.
    Numeral(Span),
    /// A symbol, as in `(_ is cons)`.
    Symbol(Name),
}

/// An identifier that is more than a symbol: `(_ f 1 2)`, `(as f S)` or `(as (_ f 1) S)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identifier {
    /// The symbol that is indexed or qualified.
    pub name: Name,
    /// A range of [`Ast::indices`].
    pub indices: Range,
    /// The sort after `as`.
    pub sort: Option<SortId>,
}

/// A sort of the command: an index into [`Ast::sorts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortId(pub u32);

/// A sort expression: a symbol with indices or arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortNode {
    /// The symbol at its head.
    pub name: Symbol,
    /// A range of [`Ast::indices`], for `(_ BitVec 8)`.
    pub indices: Range,
    /// A range of [`Ast::sort_arguments`].
    pub arguments: Range,
    /// Where it stands.
    pub span: Span,
}

/// A variable with its sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortedName {
    /// The variable.
    pub name: Name,
    /// Its sort.
    pub sort: SortId,
}

/// The pattern of a `match` case: a constructor with variables, or a lone symbol (a constructor
/// without fields, or a variable).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The constructor, or the lone symbol.
    pub head: Name,
    /// A range of [`Ast::names`]: the variables after a constructor.
    pub variables: Range,
    /// Whether the pattern is a lone symbol.
    pub lone: bool,
}

/// An attribute of `(! t :named x)` or of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The keyword, its colon included.
    pub keyword: Span,
    /// The value, if there is one.
    pub value: Option<AttributeValue>,
}

/// The value of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttributeValue {
    /// The symbol, where the value is a lone symbol.
    pub symbol: Option<Symbol>,
    /// The text of the value.
    pub span: Span,
}

/// A function's name, parameters and result, of `define-fun` and its relatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The name.
    pub name: Name,
    /// A range of [`Ast::variables`].
    pub parameters: Range,
    /// The sort of the result.
    pub result: SortId,
}

/// A constructor of a datatype declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstructorSyntax {
    /// Its name.
    pub name: Name,
    /// A range of [`Ast::variables`]: selectors with their sorts.
    pub selectors: Range,
}

/// The body of a datatype declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatatypeSyntax {
    /// A range of [`Ast::names`]: the parameters of `par`.
    pub parameters: Range,
    /// A range of [`Ast::constructors`].
    pub constructors: Range,
}

/// A command. What a command has several of lies in the tables of its [`Ast`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(
    missing_docs,
    reason = "named as in the SMT-LIB standard, or as in Z3's rule dialect"
)]
pub enum Command {
    Assert {
        term: Range,
    },
    CheckSat,
    /// The assumptions are [`Ast::bodies`].
    CheckSatAssuming,
    DeclareConst {
        name: Name,
        sort: SortId,
    },
    DeclareDatatypes {
        older_form: bool,
    },
    DeclareFun {
        name: Name,
        arguments: Range,
        result: SortId,
    },
    DeclareRel {
        name: Name,
        arguments: Range,
    },
    DeclareSort {
        name: Name,
        arity: Option<Span>,
    },
    DeclareVar {
        name: Name,
        sort: SortId,
    },
    DefineFun {
        signature: Signature,
        body: Range,
    },
    DefineFunsRec,
    DefineSort {
        name: Name,
        body: SortId,
    },
    Echo {
        text: Span,
    },
    Exit,
    GetInfo {
        keyword: Span,
    },
    GetModel,
    GetOption {
        keyword: Span,
        name: Span,
    },
    GetProof,
    Pop {
        levels: Option<Span>,
    },
    Push {
        levels: Option<Span>,
    },
    Query {
        goal: Range,
    },
    Reset,
    ResetAssertions,
    Rule {
        term: Range,
        name: Option<Name>,
    },
    SetInfo {
        attribute: Attribute,
    },
    SetLogic {
        name: Name,
    },
    SetOption {
        attribute: Attribute,
    },
    /// A command that only scripts for SMT solvers have. Its terms, if any, are [`Ast::bodies`].
    Smt {
        command: SmtCommand,
        name: Span,
    },
    Unsupported {
        name: Span,
    },
}

/// Commands that ask about assertions other than clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(
    missing_docs,
    reason = "named as in the SMT-LIB standard, or as in SMTInterpol or Z3"
)]
pub enum SmtCommand {
    CheckSatUsing,
    Eval,
    GetAssertions,
    GetInterpolants,
    GetUnsatAssumptions,
    GetUnsatCore,
    GetValue,
    Simplify,
}

/// An element of `get-interpolants`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The name of an assertion, or the `and` of several.
    Name(Name),
    /// `(`
    Open(Span),
    /// `)`
    Close(Span),
}

impl Part {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Part::Name(name) => name.span,
            Part::Open(span) | Part::Close(span) => *span,
        }
    }
}

/// A command that was read.
#[derive(Clone, Copy, Debug)]
struct ReadCommand {
    command: Command,
    span: Span,
    /// Where its sorts end in [`Ast::sorts`].
    sorts: u32,
    /// Where its code ends.
    code: u32,
}

/// The tables of one command, or of several that are read together (see
/// [`Commands`](super::stream::Commands)): then only tables with ranges in the commands are used.
#[derive(Debug)]
pub struct Ast {
    /// `_`, the pattern that binds nothing.
    pub wildcard: Symbol,
    /// Code of terms, each instruction with its place.
    pub code: Code,
    /// Identifiers that are more than symbols.
    pub identifiers: Vec<Identifier>,
    /// Indices of identifiers.
    pub indices: Vec<Index>,
    /// Sorts, children before parents.
    pub sorts: Vec<SortNode>,
    /// Arguments of sorts.
    pub sort_arguments: Vec<SortId>,
    /// Names bound by `let` and patterns.
    pub names: Vec<Name>,
    /// Variables with sorts.
    pub variables: Vec<SortedName>,
    /// Patterns of `match`.
    pub patterns: Vec<Pattern>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// The datatypes that a command declares, with the numbers of parameters that it says they
    /// have.
    pub sort_declarations: Vec<(Name, Option<Span>)>,
    /// The datatypes' bodies, in the same order.
    pub datatypes: Vec<DatatypeSyntax>,
    /// Constructors of datatypes.
    pub constructors: Vec<ConstructorSyntax>,
    /// The functions that `define-funs-rec` defines.
    pub signatures: Vec<Signature>,
    /// The code of their bodies, or of the terms of a command that takes several.
    pub bodies: Vec<Range>,
    /// The elements of `get-interpolants`; parentheses are balanced.
    pub parts: Vec<Part>,
    /// The parameters of `define-sort`, a range of [`Ast::names`].
    pub parameters: Range,
    /// The command that is being read, when its end is all that is missing.
    command: Option<Command>,
    /// The commands that were read, and how many of them were taken.
    commands: Vec<ReadCommand>,
    taken: usize,
    /// Elements of lists that are still being read; a list is moved to its table when it is
    /// complete, so that it lies there in one piece.
    open_names: Vec<Name>,
    open_sorts: Vec<SortId>,
    open_attributes: Vec<Attribute>,
}

impl Ast {
    /// No command yet.
    pub fn new(t: &Terms) -> Self {
        Ast {
            wildcard: t.symbol("_"),
            code: Code::default(),
            identifiers: Vec::new(),
            indices: Vec::new(),
            sorts: Vec::new(),
            sort_arguments: Vec::new(),
            names: Vec::new(),
            variables: Vec::new(),
            patterns: Vec::new(),
            attributes: Vec::new(),
            sort_declarations: Vec::new(),
            datatypes: Vec::new(),
            constructors: Vec::new(),
            signatures: Vec::new(),
            bodies: Vec::new(),
            parts: Vec::new(),
            parameters: Range::default(),
            command: None,
            commands: Vec::new(),
            taken: 0,
            open_names: Vec::new(),
            open_sorts: Vec::new(),
            open_attributes: Vec::new(),
        }
    }

    /// Forgets the command and keeps the memory.
    pub fn clear(&mut self) {
        self.code.clear();
        self.identifiers.clear();
        self.indices.clear();
        self.sorts.clear();
        self.sort_arguments.clear();
        self.names.clear();
        self.variables.clear();
        self.patterns.clear();
        self.attributes.clear();
        self.sort_declarations.clear();
        self.datatypes.clear();
        self.constructors.clear();
        self.signatures.clear();
        self.bodies.clear();
        self.parts.clear();
        self.parameters = Range::default();
        self.command = None;
        self.commands.clear();
        self.taken = 0;
        self.open_names.clear();
        self.open_sorts.clear();
        self.open_attributes.clear();
    }

    /// Appends an instruction.
    pub(super) fn emit(&mut self, op: Op, start: u32, end: u32) {
        self.code.push(op, Span::new(start, end));
    }

    /// Where the next instruction will stand.
    pub(super) fn here(&self) -> u32 {
        self.code.len() as u32
    }

    /// The code from `start` to here.
    pub(super) fn since(&self, start: u32) -> Range {
        Range {
            start,
            end: self.here(),
        }
    }

    /// The code of the command that is being read, so far.
    pub(super) fn code_at_hand(&self) -> Range {
        self.since(self.commands.last().map_or(0, |read| read.code))
    }

    /// Appends an identifier.
    pub(super) fn identifier(&mut self, identifier: Identifier) -> u32 {
        self.identifiers.push(identifier);
        self.identifiers.len() as u32 - 1
    }

    /// The range that holds the last index alone.
    pub(super) fn last_index(&self) -> Range {
        let end = self.indices.len() as u32;
        Range {
            start: end - 1,
            end,
        }
    }

    /// A range with the element behind it, which was appended to the same table.
    pub(super) fn longer(&self, range: Range) -> Range {
        Range {
            end: range.end + 1,
            ..range
        }
    }

    /// Appends a sort whose last `count` open sorts are its arguments.
    pub(super) fn sort(&mut self, name: Symbol, indices: Range, count: u32, span: Span) -> SortId {
        let arguments = move_tail(&mut self.open_sorts, &mut self.sort_arguments, count);
        self.sorts.push(SortNode {
            name,
            indices,
            arguments,
            span,
        });
        SortId(self.sorts.len() as u32 - 1)
    }

    /// Keeps a sort until the list it is in is complete.
    pub(super) fn open_sort(&mut self, sort: SortId) {
        self.open_sorts.push(sort);
    }

    /// The last `count` open sorts, in one piece.
    pub(super) fn close_sorts(&mut self, count: u32) -> Range {
        move_tail(&mut self.open_sorts, &mut self.sort_arguments, count)
    }

    /// Names a datatype that the command declares.
    pub(super) fn declare_sort(&mut self, name: Name, arity: Option<Span>) {
        self.sort_declarations.push((name, arity));
    }

    /// An empty list of constructors, which may grow until another list begins.
    pub(super) fn no_constructors(&self) -> Range {
        let end = self.constructors.len() as u32;
        Range { start: end, end }
    }

    /// Appends a constructor whose selectors are the last `count` variables.
    pub(super) fn constructor(&mut self, name: Name, count: u32) {
        let selectors = self.last_variables(count);
        self.constructors
            .push(ConstructorSyntax { name, selectors });
    }

    /// Takes note of the command, when nothing but its end is missing.
    pub(super) fn command(&mut self, command: Command) {
        self.command = Some(command);
    }

    /// Takes note of the end of a command.
    pub(super) fn end_command(&mut self, start: u32, end: u32) {
        let command = self.command.take().expect("every command is taken note of");
        self.commands.push(ReadCommand {
            command,
            span: Span::new(start, end),
            sorts: self.sorts.len() as u32,
            code: self.here(),
        });
    }

    /// The next of the commands that were read, and its place: the command at hand from now on.
    pub(super) fn next_command(&mut self) -> Option<(Command, Span)> {
        let next = self.commands.get(self.taken)?;
        self.taken += 1;
        Some((next.command, next.span))
    }

    /// The sorts of the command at hand: a range of [`Ast::sorts`].
    pub(super) fn sorts_at_hand(&self) -> Range {
        let end = |count: usize| self.commands[..count].last().map_or(0, |read| read.sorts);
        Range {
            start: end(self.taken.saturating_sub(1)),
            end: end(self.taken),
        }
    }

    /// The signature that was read last; there must be one.
    pub(super) fn last_signature(&self) -> Signature {
        *self.signatures.last().expect("a signature was read")
    }

    /// Keeps the name of a `let` binding until all bindings are read.
    pub(super) fn open_name(&mut self, name: Name) {
        self.open_names.push(name);
    }

    /// The last `count` open names, in one piece.
    pub(super) fn close_names(&mut self, count: u32) -> Range {
        move_tail(&mut self.open_names, &mut self.names, count)
    }

    /// Keeps an attribute until all are read.
    pub(super) fn open_attribute(&mut self, attribute: Attribute) {
        self.open_attributes.push(attribute);
    }

    /// The attribute that was read last; there must be one.
    pub(super) fn last_attribute(&self) -> Attribute {
        *self.open_attributes.last().expect("an attribute was read")
    }

    /// The last `count` open attributes, in one piece.
    pub(super) fn close_attributes(&mut self, count: u32) -> Range {
        move_tail(&mut self.open_attributes, &mut self.attributes, count)
    }

    /// Appends a variable; variables of one list follow each other, as sorts contain none.
    pub(super) fn variable(&mut self, name: Name, sort: SortId) {
        let sort = self.repeated_sort(sort);
        self.variables.push(SortedName { name, sort });
    }

    /// The sort of the last variable of the command where `sort`, the last one appended, is the
    /// same name alone: then it is forgotten.
    fn repeated_sort(&mut self, sort: SortId) -> SortId {
        let first = self.commands.last().map_or(0, |read| read.sorts);
        let node = |id: SortId| &self.sorts[id.0 as usize];
        let is_name = |id: SortId| node(id).indices.is_empty() && node(id).arguments.is_empty();
        match self.variables.last() {
            Some(last)
                if last.sort.0 >= first
                    && is_name(sort)
                    && is_name(last.sort)
                    && node(last.sort).name == node(sort).name =>
            {
                let sort = last.sort;
                self.sorts.pop();
                sort
            }
            _ => sort,
        }
    }

    /// The last `count` variables.
    pub(super) fn last_variables(&self, count: u32) -> Range {
        let end = self.variables.len() as u32;
        Range {
            start: end - count,
            end,
        }
    }

    /// Appends a pattern.
    pub(super) fn pattern(&mut self, pattern: Pattern) -> u32 {
        self.patterns.push(pattern);
        self.patterns.len() as u32 - 1
    }
}

/// Moves the last `count` elements from one table to the end of another.
fn move_tail<T: Copy>(from: &mut Vec<T>, to: &mut Vec<T>, count: u32) -> Range {
    let tail = from.len() - count as usize;
    let start = to.len() as u32;
    to.extend_from_slice(&from[tail..]);
    from.truncate(tail);
    Range {
        start,
        end: start + count,
    }
}
