//! From terms to commands, and what their reader knows of them: an external solver, or a file for
//! one.
//!
//! Terms, sorts and symbols implement the printing traits of rsmt2, with the store as what they are
//! printed with. All names in the text are made from the ids of the store: `x12` for the variable
//! whose term has index 12, `c3` for a constructor. So no name that a user wrote can confuse a
//! solver's reader.

use super::commands::Commands;
use crate::term::{CtorId, Declared, FuncId, Op, Printer, SelectorId, Sort, SortKind, Term, Terms};
use rsmt2::SmtRes;
use rsmt2::print::{Expr2Smt, NamedExpr, Sort2Smt, Sym2Smt};
use rustc_hash::FxHashSet;
use std::fmt::{self, Display, Write};
use std::io;

/// Something that must be declared before it can be used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Item {
    /// A variable.
    Var(Term),
    /// A datatype or uninterpreted sort.
    Sort(Sort),
    /// A function.
    Func(FuncId),
}

/// What the reader knows, by scope: what it was told in a scope it forgets with the scope.
#[derive(Default)]
pub(super) struct Declarations {
    items: FxHashSet<Item>,
    scopes: Vec<Vec<Item>>,
}

impl Declarations {
    fn push(&mut self) {
        self.scopes.push(Vec::new());
    }

    fn pop(&mut self) {
        for item in self.scopes.pop().into_iter().flatten() {
            self.items.remove(&item);
        }
    }

    pub(super) fn contains(&self, item: Item) -> bool {
        self.items.contains(&item)
    }

    /// From now on, up to the end of the innermost scope, this is known; answers whether it is new.
    fn insert(&mut self, item: Item) -> bool {
        let new = self.items.insert(item);
        if new && let Some(scope) = self.scopes.last_mut() {
            scope.push(item);
        }
        new
    }
}

/// A name of our own making.
#[derive(Clone, Copy, Debug)]
pub(super) enum Name {
    /// Of a variable.
    Var(Term),
    /// Of what is declared besides variables.
    Declared(Declared),
    /// Of the assumption with this index.
    Assumption(usize),
}

impl Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Name::Var(var) => write!(f, "x{}", var.index()),
            Name::Declared(Declared::Sort(sort)) => write!(f, "S{}", sort.0),
            Name::Declared(Declared::Func(func)) => write!(f, "f{}", func.0),
            Name::Declared(Declared::Ctor(ctor)) => write!(f, "c{}", ctor.0),
            Name::Declared(Declared::Selector(selector)) => write!(f, "s{}", selector.0),
            Name::Assumption(index) => write!(f, "a{index}"),
        }
    }
}

impl<Info> Sym2Smt<Info> for Name {
    fn sym_to_smt2<W: io::Write>(&self, out: &mut W, _: Info) -> SmtRes<()> {
        write!(out, "{self}").map_err(Into::into)
    }
}

/// A term as it is written, in names of our own making.
pub(super) struct Spelled<'t>(pub(super) &'t Terms, pub(super) Term);

impl Display for Spelled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let var = |v: Term| Some(Name::Var(v).to_string());
        let declared = |what: Declared| Some(Name::Declared(what).to_string());
        let printer = Printer::new(self.0).with_vars(&var);
        printer.with_declared(&declared).write(f, self.1)
    }
}

impl Expr2Smt<&Terms> for Term {
    fn expr_to_smt2<W: io::Write>(&self, out: &mut W, t: &Terms) -> SmtRes<()> {
        write!(out, "{}", Spelled(t, *self)).map_err(Into::into)
    }
}

/// A sort with its store, since rsmt2 prints sorts without further information.
#[derive(Clone, Copy)]
pub(super) struct SortIn<'t>(&'t Terms, Sort);

impl Sort2Smt for SortIn<'_> {
    fn sort_to_smt2<W: io::Write>(&self, out: &mut W) -> SmtRes<()> {
        let SortIn(t, sort) = *self;
        let declared = |what: Declared| Some(Name::Declared(what).to_string());
        let text = Printer::new(t).with_declared(&declared).sort(sort);
        write!(out, "{text}").map_err(Into::into)
    }
}

/// A constructor with its selectors, as rsmt2 has it.
type Variant<'t> = (Name, Vec<(Name, SortIn<'t>)>);
/// A datatype without parameters, as rsmt2 has it.
type Datatype<'t> = (Name, [Name; 0], Vec<Variant<'t>>);

/// Writes commands, and notes what they make known.
pub(super) struct Script<'a> {
    pub(super) terms: &'a Terms,
    pub(super) out: &'a mut Commands,
    pub(super) declared: &'a mut Declarations,
    /// For people who read a dump: what our names mean.
    pub(super) legend: Option<&'a mut String>,
}

impl<'a> Script<'a> {
    /// Declares what `root` contains and is not known yet.
    pub(super) fn declare(&mut self, root: Term) {
        let t = self.terms;
        for term in t.post_order([root]) {
            let sort = t.sort_of(term);
            self.declare_sorts(sort);
            match t.op(term) {
                Op::Var(name) if self.declared.insert(Item::Var(term)) => {
                    let ours = self.explain(Name::Var(term), t.name(name));
                    self.out.declare_const(ours, SortIn(t, sort));
                }
                Op::Apply(func) if !self.declared.contains(Item::Func(func)) => {
                    self.declare_func(func);
                }
                _ => {}
            }
        }
    }

    fn declare_func(&mut self, func: FuncId) {
        let t = self.terms;
        let decl = t.func(func);
        for &sort in &decl.params {
            self.declare_sorts(sort);
        }
        self.declared.insert(Item::Func(func));
        let ours = self.explain(Name::Declared(Declared::Func(func)), t.name(decl.name));
        let params = decl.params.iter().map(|&sort| SortIn(t, sort));
        self.out.declare_fun(ours, params, SortIn(t, decl.result));
    }

    /// Declares the sorts that `root` is made of. Datatypes are declared together if they refer to
    /// each other, and only then. Z3 refuses a datatype that is the index of an array in the same
    /// declaration. It takes datatypes that have arrays of each other for recursive, which costs it
    /// much time.
    fn declare_sorts(&mut self, root: Sort) {
        let t = self.terms;
        match t.sort_kind(root) {
            SortKind::Bool | SortKind::Int | SortKind::Real | SortKind::BitVec(_) => return,
            SortKind::Datatype(_) | SortKind::Uninterpreted(..) => {
                if self.declared.contains(Item::Sort(root)) {
                    return;
                }
            }
            // Its parts may be known or not.
            SortKind::Array(..) => {}
        }
        for group in t.sort_groups(root) {
            self.declare_group(&group);
        }
    }

    /// Declares the sorts of a group that are new.
    fn declare_group(&mut self, group: &[Sort]) {
        let t = self.terms;
        let mut datatypes: Vec<Datatype<'a>> = Vec::new();
        for &sort in group {
            match t.sort_kind(sort) {
                SortKind::Datatype(id) if self.declared.insert(Item::Sort(sort)) => {
                    let ours = self.explain_sort(sort);
                    let ctors = t.datatype(*id).ctors();
                    let variants = ctors.iter().map(|&ctor| self.variant(ctor)).collect();
                    datatypes.push((ours, [], variants));
                }
                SortKind::Uninterpreted(..) if self.declared.insert(Item::Sort(sort)) => {
                    self.explain_sort(sort);
                    self.out.declare_sort(SortIn(t, sort), 0);
                }
                _ => {}
            }
        }
        if !datatypes.is_empty() {
            self.out.declare_datatypes(&datatypes);
        }
    }

    fn variant(&mut self, ctor: CtorId) -> Variant<'a> {
        let t = self.terms;
        let decl = t.ctor(ctor);
        let ours = self.explain(Name::Declared(Declared::Ctor(ctor)), t.name(decl.name));
        let field = |&field: &SelectorId| {
            let decl = t.selector(field);
            let ours = Name::Declared(Declared::Selector(field));
            (self.explain(ours, t.name(decl.name)), SortIn(t, decl.sort))
        };
        (ours, decl.fields.iter().map(field).collect())
    }

    fn explain_sort(&mut self, sort: Sort) -> Name {
        let ours = Name::Declared(Declared::Sort(sort));
        self.explain(ours, &self.terms.display_sort(sort).to_string())
    }

    /// Notes what a name of ours means; answers the name.
    fn explain(&mut self, ours: Name, theirs: &str) -> Name {
        if let Some(legend) = &mut self.legend {
            let _ = writeln!(legend, "{ours} is {theirs}");
        }
        ours
    }

    /// Opens a scope.
    pub(super) fn push(&mut self) {
        self.declared.push();
        self.out.push();
    }

    /// Closes scopes.
    pub(super) fn pop(&mut self, scopes: usize) {
        (0..scopes).for_each(|_| self.declared.pop());
        self.out.pop(scopes);
    }

    /// Asserts a formula whose parts are declared.
    pub(super) fn assert(&mut self, formula: Term) {
        self.out.assert_with(formula, self.terms);
    }

    /// Asserts a formula under the name of the assumption with this index.
    pub(super) fn assert_named(&mut self, index: usize, formula: Term) {
        let named = NamedExpr::new(Name::Assumption(index), formula);
        self.out.assert_with(named, self.terms);
    }
}

/// The name under which the reader knows a variable.
pub(super) fn var_name(var: Term) -> String {
    Name::Var(var).to_string()
}

/// The name under which the reader knows a declared sort.
pub(super) fn sort_name(sort: Sort) -> String {
    Name::Declared(Declared::Sort(sort)).to_string()
}

/// The name under which the reader knows a function.
pub(super) fn func_name(func: FuncId) -> String {
    Name::Declared(Declared::Func(func)).to_string()
}

/// The name under which the reader knows a constructor.
pub(super) fn ctor_name(ctor: CtorId) -> String {
    Name::Declared(Declared::Ctor(ctor)).to_string()
}

/// The name under which the reader knows a field of a constructor.
pub(super) fn selector_name(selector: SelectorId) -> String {
    Name::Declared(Declared::Selector(selector)).to_string()
}
