//! From terms to commands, and what their reader knows of them: an external solver, or a file for
//! one.
//!
//! All names in the text are made from the ids of the store: `x12` for the variable whose term has
//! index 12, `c3` for a constructor. So no name that a user wrote can confuse a solver's reader.

use crate::term::{CtorId, Declared, FuncId, Op, Printer, SelectorId, Sort, SortKind, Term, Terms};
use rustc_hash::FxHashSet;
use std::fmt::Write;

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
pub(super) struct Known {
    items: FxHashSet<Item>,
    scopes: Vec<Vec<Item>>,
}

impl Known {
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

/// Writes commands, and notes what they make known.
pub(super) struct Script<'a> {
    pub(super) terms: &'a Terms,
    pub(super) out: &'a mut String,
    pub(super) known: &'a mut Known,
    /// For people who read a dump: what our names mean.
    pub(super) legend: Option<&'a mut String>,
}

impl Script<'_> {
    /// Declares what `root` contains and is not known yet.
    pub(super) fn declare(&mut self, root: Term) {
        let t = self.terms;
        for term in t.post_order([root]) {
            let sort = t.sort_of(term);
            self.declare_sorts(sort);
            match t.op(term) {
                Op::Var(name) if self.known.insert(Item::Var(term)) => {
                    let text = var_name(term);
                    self.explain(&text, t.name(name));
                    self.write(format_args!("(declare-const {text} {})\n", self.sort(sort)));
                }
                Op::Apply(func) if !self.known.contains(Item::Func(func)) => {
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
        self.known.insert(Item::Func(func));
        let text = func_name(func);
        self.explain(&text, t.name(decl.name));
        let _ = write!(self.out, "(declare-fun {text} (");
        for &sort in &decl.params {
            self.write(format_args!("{} ", self.sort(sort)));
        }
        self.write(format_args!(") {})\n", self.sort(decl.result)));
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
                if self.known.contains(Item::Sort(root)) {
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
        let mut datatypes = Vec::new();
        for &sort in group {
            match t.sort_kind(sort) {
                SortKind::Datatype(id) if self.known.insert(Item::Sort(sort)) => {
                    self.explain(&sort_name(sort), &t.display_sort(sort).to_string());
                    datatypes.push((sort, t.datatype(*id).ctors()));
                }
                SortKind::Uninterpreted(..) if self.known.insert(Item::Sort(sort)) => {
                    self.explain(&sort_name(sort), &t.display_sort(sort).to_string());
                    let _ = writeln!(self.out, "(declare-sort {} 0)", sort_name(sort));
                }
                _ => {}
            }
        }
        if datatypes.is_empty() {
            return;
        }
        self.out.push_str("(declare-datatypes (");
        for (sort, _) in &datatypes {
            let _ = write!(self.out, "({} 0)", sort_name(*sort));
        }
        self.out.push_str(") (");
        for (_, ctors) in &datatypes {
            self.out.push('(');
            ctors.iter().for_each(|&ctor| self.declare_ctor(ctor));
            self.out.push(')');
        }
        self.out.push_str("))\n");
    }

    fn declare_ctor(&mut self, ctor: CtorId) {
        let t = self.terms;
        let text = ctor_name(ctor);
        self.explain(&text, t.name(t.ctor(ctor).name));
        let _ = write!(self.out, "({text}");
        for &field in &t.ctor(ctor).fields {
            let text = selector_name(field);
            let decl = t.selector(field);
            self.explain(&text, t.name(decl.name));
            self.write(format_args!(" ({text} {})", self.sort(decl.sort)));
        }
        self.out.push(')');
    }

    fn explain(&mut self, ours: &str, theirs: &str) {
        if let Some(legend) = &mut self.legend {
            let _ = writeln!(legend, "{ours} is {theirs}");
        }
    }

    /// Opens a scope.
    pub(super) fn push(&mut self) {
        self.known.push();
        self.out.push_str("(push 1)\n");
    }

    /// Closes scopes.
    pub(super) fn pop(&mut self, scopes: usize) {
        (0..scopes).for_each(|_| self.known.pop());
        if scopes > 0 {
            let _ = writeln!(self.out, "(pop {scopes})");
        }
    }

    /// Asserts a formula whose parts are declared.
    pub(super) fn assert(&mut self, formula: Term) {
        self.out.push_str("(assert ");
        self.term(formula);
        self.out.push_str(")\n");
    }

    /// Asserts a formula under the name `a<index>`.
    pub(super) fn assert_named(&mut self, index: usize, formula: Term) {
        self.out.push_str("(assert (! ");
        self.term(formula);
        let _ = writeln!(self.out, " :named a{index}))");
    }

    fn term(&mut self, term: Term) {
        write_term(self.terms, self.out, term);
    }

    fn sort(&self, sort: Sort) -> String {
        Printer::new(self.terms)
            .with_declared(&|what| Some(declared_name(what)))
            .sort(sort)
            .to_string()
    }

    fn write(&mut self, text: std::fmt::Arguments<'_>) {
        let _ = self.out.write_fmt(text);
    }
}

/// Writes terms in the names of our own making, each followed by a blank.
pub(super) fn write_terms(t: &Terms, out: &mut String, terms: &[Term]) {
    for &term in terms {
        write_term(t, out, term);
        out.push(' ');
    }
}

/// Writes a term in the names of our own making.
pub(super) fn write_term(t: &Terms, out: &mut String, term: Term) {
    let var = |v: Term| Some(var_name(v));
    let declared = |what: Declared| Some(declared_name(what));
    let printer = Printer::new(t).with_vars(&var).with_declared(&declared);
    let _ = printer.write(out, term); // writing into a string does not fail
}

/// The name under which the reader knows a variable.
pub(super) fn var_name(var: Term) -> String {
    format!("x{}", var.index())
}

/// The name under which the reader knows a declared sort.
pub(super) fn sort_name(sort: Sort) -> String {
    format!("S{}", sort.0)
}

/// The name under which the reader knows a function.
pub(super) fn func_name(func: FuncId) -> String {
    format!("f{}", func.0)
}

/// The name under which the reader knows a constructor.
pub(super) fn ctor_name(ctor: CtorId) -> String {
    format!("c{}", ctor.0)
}

/// The name under which the reader knows a field of a constructor.
pub(super) fn selector_name(selector: SelectorId) -> String {
    format!("s{}", selector.0)
}

fn declared_name(what: Declared) -> String {
    match what {
        Declared::Sort(sort) => sort_name(sort),
        Declared::Func(func) => func_name(func),
        Declared::Ctor(ctor) => ctor_name(ctor),
        Declared::Selector(selector) => selector_name(selector),
    }
}
