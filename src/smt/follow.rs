//! Commands that follow an assertion stack lazily: what changed is written only with the next
//! question, all in one piece. So a scope that is closed before anything was asked in it costs
//! nothing.
//!
//! The commands go to an external solver (`process`), or into a file (`record`).

use super::commands::Commands;
use super::script::{Declarations, Item, Script};
use crate::term::{Op, Sort, SortKind, Term, Terms};

/// The first commands of a script that asks for models and cores. The logic `ALL` is the standard's
/// name for all that a solver knows.
pub(super) fn prologue(logic: Option<&str>) -> Commands {
    let mut commands = Commands::default();
    commands.set_option(":produce-models", true);
    commands.set_option(":produce-unsat-cores", true);
    if let Some(logic) = logic {
        commands.set_custom_logic(logic);
    }
    commands
}

/// How the assumptions of a check are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assume {
    /// In a scope, as named assertions.
    Named,
    /// As arguments of `check-sat-assuming`, where they are atoms or negated atoms; else as
    /// [`Assume::Named`]. The standard wants names there, but some solvers take any literal, and
    /// answer with it in the core.
    Direct,
}

impl Assume {
    /// How these assumptions are made, if it is to be in this way.
    pub(super) fn these(self, t: &Terms, assumptions: &[Term]) -> Assume {
        let is_literal = |&f: &Term| t.is_atom(t.as_not(f).unwrap_or(f));
        match self {
            Assume::Direct if assumptions.iter().all(is_literal) => Assume::Direct,
            _ => Assume::Named,
        }
    }
}

/// One scope of an assertion stack.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    /// No other frame of the context ever had this number; the outermost has 0.
    pub(super) id: u64,
    /// The assertions in order.
    pub(super) formulas: Vec<Term>,
}

/// A scope that was told.
struct SentScope {
    /// The frame for which it stands; `None` for a scope of assumptions.
    frame: Option<u64>,
    /// How many of the frame's assertions it holds.
    formulas: usize,
}

/// The state of a solver that follows an assertion stack: what was written to it.
///
/// Invariant: the commands written have opened exactly the scopes `sent`, with the declarations in
/// `declared`. The scopes of the context's frames come first, in order. One scope for assumptions
/// may follow.
pub(super) struct Follower {
    declared: Declarations,
    sent: Vec<SentScope>,
}

impl Follower {
    /// Nothing was told yet, and the outermost scope is open.
    pub(super) fn new() -> Self {
        let base = SentScope {
            frame: Some(0),
            formulas: 0,
        };
        Follower {
            declared: Declarations::default(),
            sent: vec![base],
        }
    }

    /// Writes what brings the reader to these scopes and assertions, and makes the symbols of other
    /// terms known to it; to the legend, if there is one, what our names mean.
    pub(super) fn follow(
        &mut self,
        t: &Terms,
        frames: &[Frame],
        others: impl IntoIterator<Item = Term>,
        out: &mut Commands,
        legend: Option<&mut String>,
    ) {
        let kept = std::iter::zip(&self.sent, frames)
            .take_while(|(scope, frame)| scope.frame == Some(frame.id))
            .count();
        let mut script = Script {
            terms: t,
            out,
            declared: &mut self.declared,
            legend,
        };
        script.pop(self.sent.len() - kept);
        self.sent.truncate(kept);
        // Everything is declared in the outermost scope that is open all the same, so that it is
        // rarely forgotten.
        for (i, frame) in frames.iter().enumerate() {
            let sent = self.sent.get(i).map_or(0, |scope| scope.formulas);
            for &formula in &frame.formulas[sent..] {
                script.declare(formula);
            }
        }
        others.into_iter().for_each(|term| script.declare(term));
        for (i, frame) in frames.iter().enumerate() {
            if i >= self.sent.len() {
                script.push();
                self.sent.push(SentScope {
                    frame: Some(frame.id),
                    formulas: 0,
                });
            }
            for &formula in &frame.formulas[self.sent[i].formulas..] {
                script.assert(formula);
            }
            self.sent[i].formulas = frame.formulas.len();
        }
    }

    /// Writes the command that asks with these assumptions, whose symbols are known, and before it,
    /// if need be, commands that make them.
    pub(super) fn ask(
        &mut self,
        t: &Terms,
        assumptions: &[Term],
        assume: Assume,
        commands: &mut Commands,
        ask: &mut Commands,
    ) {
        if assumptions.is_empty() {
            ask.check_sat();
        } else if assume == Assume::Direct {
            ask.check_sat_assuming_with(assumptions, t);
        } else {
            let mut script = Script {
                terms: t,
                out: commands,
                declared: &mut self.declared,
                legend: None,
            };
            script.push();
            self.sent.push(SentScope {
                frame: None,
                formulas: 0,
            });
            for (i, &formula) in assumptions.iter().enumerate() {
                script.assert_named(i, formula);
            }
            ask.check_sat();
        }
    }

    /// The variables of terms that the reader does not know.
    pub(super) fn undeclared(&self, t: &Terms, terms: &[Term]) -> Vec<Term> {
        let mut vars = t.vars(terms.iter().copied());
        vars.retain(|&v| !self.declared.contains(Item::Var(v)));
        vars
    }

    /// Does the reader know all variables, functions and sorts of a term?
    pub(super) fn knows(&self, t: &Terms, term: Term) -> bool {
        !t.any_subterm(term, |x| {
            !self.knows_sort(t, t.sort_of(x))
                || match t.op(x) {
                    Op::Var(_) => !self.declared.contains(Item::Var(x)),
                    Op::Apply(func) => !self.declared.contains(Item::Func(func)),
                    _ => false,
                }
        })
    }

    fn knows_sort(&self, t: &Terms, sort: Sort) -> bool {
        match *t.sort_kind(sort) {
            SortKind::Bool | SortKind::Int | SortKind::Real | SortKind::BitVec(_) => true,
            SortKind::Array(index, element) => {
                self.knows_sort(t, index) && self.knows_sort(t, element)
            }
            // With a datatype its constructors and selectors are known.
            SortKind::Datatype(_) | SortKind::Uninterpreted(..) => {
                self.declared.contains(Item::Sort(sort))
            }
        }
    }
}
