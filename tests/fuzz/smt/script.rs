//! Scripts: what is done with a solver, and their text.

use super::universe::made_of;
use horn::smtlib::{SmtReader, SmtStep, Source};
use horn::term::{Op, Sort, SortKind, Term, Terms};
use std::fmt::Write as _;

/// One step of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Command {
    Push,
    /// Nothing happens where no scope is open: so any part of a script is a script.
    Pop,
    Assert(Term),
    /// A check with these assumptions.
    Check(Vec<Term>),
}

impl Command {
    /// The formulas it speaks of.
    pub(crate) fn formulas(&self) -> &[Term] {
        match self {
            Command::Push | Command::Pop => &[],
            Command::Assert(formula) => std::slice::from_ref(formula),
            Command::Check(assumptions) => assumptions,
        }
    }

    /// The command with other formulas.
    pub(crate) fn map(&self, mut f: impl FnMut(Term) -> Term) -> Command {
        match self {
            Command::Push => Command::Push,
            Command::Pop => Command::Pop,
            Command::Assert(formula) => Command::Assert(f(*formula)),
            Command::Check(assumptions) => {
                Command::Check(assumptions.iter().map(|&a| f(a)).collect())
            }
        }
    }
}

/// The script as SMT-LIB. Assumptions that are no literals are more than the standard allows.
pub(crate) fn text(t: &Terms, commands: &[Command]) -> String {
    let mut out = "(set-logic ALL)\n".to_owned();
    declare(t, commands, &mut out);
    let mut depth = 0;
    for command in commands {
        // Writing into a string does not fail.
        let _ = match command {
            Command::Push => {
                depth += 1;
                writeln!(out, "(push 1)")
            }
            Command::Pop if depth == 0 => Ok(()),
            Command::Pop => {
                depth -= 1;
                writeln!(out, "(pop 1)")
            }
            Command::Assert(formula) => writeln!(out, "(assert {})", t.display(*formula)),
            Command::Check(assumptions) if assumptions.is_empty() => writeln!(out, "(check-sat)"),
            Command::Check(assumptions) => {
                let all = assumptions.iter().map(|&a| t.display(a).to_string());
                let all: Vec<String> = all.collect();
                writeln!(out, "(check-sat-assuming ({}))", all.join(" "))
            }
        };
    }
    out
}

/// Declares what the commands speak of.
pub(crate) fn declare(t: &Terms, commands: &[Command], out: &mut String) {
    let (mut sorts, mut lines, mut funcs) = (Vec::<Sort>::new(), Vec::new(), Vec::new());
    let roots = commands.iter().flat_map(|c| c.formulas().iter().copied());
    for term in t.post_order(roots) {
        let sort = t.sort_of(term);
        if !sorts.contains(&sort) {
            sorts.push(sort);
        }
        let sort = t.display_sort(sort);
        match t.op(term) {
            Op::Var(name) => {
                let name = t.display_symbol(name);
                lines.push(format!("(declare-const {name} {sort})"));
            }
            Op::Apply(func) if !funcs.contains(&func) => {
                funcs.push(func);
                let decl = t.func(func);
                let params = decl.params.iter().map(|&p| t.display_sort(p).to_string());
                let params: Vec<String> = params.collect();
                let name = t.display_symbol(decl.name);
                lines.push(format!(
                    "(declare-fun {name} ({}) {sort})",
                    params.join(" ")
                ));
            }
            _ => {}
        }
    }
    let sorts = made_of(t, sorts);
    for &sort in &sorts {
        if matches!(t.sort_kind(sort), SortKind::Uninterpreted(..)) {
            let _ = writeln!(out, "(declare-sort {} 0)", t.display_sort(sort));
        }
    }
    declare_datatypes(t, &sorts, out);
    lines.iter().for_each(|line| {
        let _ = writeln!(out, "{line}");
    });
}

/// Declares the datatypes among some sorts, the parts before what is made of them, and in one
/// command what is made of each other.
fn declare_datatypes(t: &Terms, sorts: &[Sort], out: &mut String) {
    let datatypes = sorts.iter().filter(|&&s| t.datatype_of(s).is_some());
    let mut left: Vec<(Sort, Vec<Sort>)> = datatypes.map(|&s| (s, made_of(t, [s]))).collect();
    // A part has fewer parts, unless it is made of the whole, too.
    left.sort_by_key(|(_, parts)| parts.len());
    while let Some((first, parts)) = left.first().cloned() {
        let is_mutual =
            |(other, others): &(Sort, Vec<Sort>)| parts.contains(other) && others.contains(&first);
        let (group, rest): (Vec<_>, Vec<_>) = left.into_iter().partition(is_mutual);
        let names = group
            .iter()
            .map(|(s, _)| format!("({} 0)", t.display_sort(*s)));
        let names: Vec<String> = names.collect();
        let bodies: Vec<String> = group.iter().map(|(s, _)| constructors(t, *s)).collect();
        let (names, bodies) = (names.join(" "), bodies.join(" "));
        let _ = writeln!(out, "(declare-datatypes ({names}) ({bodies}))");
        left = rest;
    }
}

/// The constructors of a datatype with their fields.
fn constructors(t: &Terms, sort: Sort) -> String {
    let id = t.datatype_of(sort).expect("a datatype");
    let ctors = t.datatype(id).ctors().iter().map(|&ctor| {
        let ctor = t.ctor(ctor);
        let mut text = format!("({}", t.display_symbol(ctor.name));
        for &field in &ctor.fields {
            let field = t.selector(field);
            let (name, sort) = (t.display_symbol(field.name), t.display_sort(field.sort));
            let _ = write!(text, " ({name} {sort})");
        }
        text + ")"
    });
    format!("({})", ctors.collect::<Vec<_>>().join(" "))
}

/// The script of a text; commands that are none of [`Command`] are left out.
pub(crate) fn parse(t: &Terms, source: &Source) -> Result<Vec<Command>, String> {
    let mut reader = SmtReader::new(t, source);
    let mut commands = Vec::new();
    while let Some((step, _)) = reader.next_step().map_err(|e| e.to_string())? {
        match step {
            SmtStep::Push(levels) => commands.extend((0..levels).map(|_| Command::Push)),
            SmtStep::Pop(levels) => commands.extend((0..levels).map(|_| Command::Pop)),
            SmtStep::Assert { formula, .. } => commands.push(Command::Assert(formula)),
            SmtStep::Check(assumptions) => {
                let assumptions = assumptions.into_iter().map(|(formula, _)| formula);
                commands.push(Command::Check(assumptions.collect()));
            }
            _ => {}
        }
    }
    Ok(commands)
}
