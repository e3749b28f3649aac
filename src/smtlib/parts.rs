//! The parts of `get-interpolants`, and the tree that they make.
//!
//! The notation is SMTInterpol's. A part is the name of an assertion, or `(and NAME …)` for several
//! assertions. Parts in a row are a path: each is the child of the next. Parentheses around a row
//! make it one more subtree below the next part after them. So `A (B) C` are two leaves `A` and `B`
//! with the root `C`, and the parts always come before their parents.
//!
//! Parentheses are unambiguous because they hold names only: `(and` begins a part, since no
//! assertion can be named `and`, and all other parentheses are subtrees. They are not terms, where
//! `(B C)` would apply `B`.

use super::ast::{Name, Part};
use crate::chc::Span;
use crate::term::Terms;

/// The parts of an interpolation problem, in the order in which the command lists them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SmtParts {
    /// For each part, the names of its assertions, at least one.
    pub names: Vec<Vec<Name>>,
    /// The parent of each part but the last, which is the root. A parent comes after its children.
    pub parents: Vec<usize>,
}

/// What is wrong with parts, and where.
pub(super) type Wrong = (&'static str, Span);

/// A row of parts that is being read.
#[derive(Default)]
struct Row {
    /// The parts that wait for their parent.
    children: Vec<usize>,
    /// Is the last element a part, which can be the root of the row?
    has_root: bool,
}

/// Arranges the elements of a command.
pub(super) fn arrange(t: &Terms, elements: &[Part]) -> Result<SmtParts, Wrong> {
    let mut parts = SmtParts::default();
    let mut rows = vec![Row::default()];
    let mut rest = elements.iter();
    while let Some(element) = rest.next() {
        let row = rows.last_mut().expect("the outermost row stays");
        match element {
            Part::Name(name) => parts.add(vec![*name], row),
            Part::Open(open) => match rest.clone().next() {
                Some(Part::Name(head)) if t.name(head.symbol) == "and" => {
                    rest.next();
                    parts.add(conjunction(&mut rest, *open)?, row);
                }
                _ => rows.push(Row::default()),
            },
            Part::Close(close) => {
                let closed = rows.pop().expect("parentheses are balanced");
                let outer = rows.last_mut().expect("parentheses are balanced");
                closed.check(*close)?;
                outer.children.extend(closed.children);
                outer.has_root = false;
            }
        }
    }
    let end = elements.last().map_or(Span::default(), Part::span);
    rows.pop().expect("the outermost row stays").check(end)?;
    // The root has no parent.
    parts.parents.pop();
    Ok(parts)
}

/// The names after `(and`, up to the parenthesis that closes it.
fn conjunction<'p>(
    rest: &mut impl Iterator<Item = &'p Part>,
    open: Span,
) -> Result<Vec<Name>, Wrong> {
    let mut names = Vec::new();
    for element in rest {
        match element {
            Part::Name(name) => names.push(*name),
            Part::Open(span) => return Err(("a part is NAME or (and NAME …)", *span)),
            Part::Close(_) => break,
        }
    }
    match names.is_empty() {
        true => Err(("a part is NAME or (and NAME …)", open)),
        false => Ok(names),
    }
}

impl SmtParts {
    /// Adds a part to a row: what waits there for a parent has one now.
    fn add(&mut self, names: Vec<Name>, row: &mut Row) {
        let part = self.names.len();
        self.names.push(names);
        self.parents.push(part);
        for child in row.children.drain(..) {
            self.parents[child] = part;
        }
        row.children.push(part);
        row.has_root = true;
    }
}

impl Row {
    /// Does the row end with its root? An error is at its end.
    fn check(&self, end: Span) -> Result<(), Wrong> {
        match self.has_root {
            true => Ok(()),
            false => Err(("after a subtree comes the part that it is below", end)),
        }
    }
}
