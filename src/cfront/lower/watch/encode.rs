//! The claims of a witness in the automata: checks of invariants, and waypoints.
//!
//! An invariant becomes a test at its place, with the error behind it where it does not hold. The
//! run goes on only where it holds, so that a proof may use it.
//!
//! For a violation, a variable counts the segments that are complete. At the place of a waypoint to
//! be followed that is due, the run may pass the waypoint, which completes its segment, or go on
//! without that. A run in the segment of a waypoint to be avoided ends where it passes that one.
//! The error is one where all segments but the last are complete, and at the place of the target.
//!
//! Passing a waypoint is a free choice where that matters: the next segment avoids something, or
//! the constraint may have no meaning. Elsewhere it is best to pass it at once: what can be done
//! later in the earlier segment can be done in the later one.

use super::{Claim, Mark, Outcome, Passage, Passes, RESULT, Site, is_always_defined};
use crate::cfront::claims::{Action, Quotation};
use crate::cfront::ir::{
    Base, Binary, Claimed, Expr, ExprKind, Instr, Lvalue, NodeId, ObjectKind, Unknown,
};
use crate::cfront::lower::value::ExprValue;
use crate::cfront::lower::{Entity, Lowered, Lowerer, NotLowered, unsupported};
use crate::cfront::parse::parse_expression;
use crate::cfront::source::{CError, Place};
use crate::cfront::types::{CType, IntType};
use lang_c::ast::Expression;
use lang_c::span::{Node, Span};
use rustc_hash::FxHashSet;
use std::rc::Rc;

impl Lowerer<'_> {
    /// The variable that counts segments, where a violation is watched for.
    pub(in crate::cfront::lower) fn start_watch(&mut self) {
        if self.watch.leads() {
            let name = "witness.segments".into();
            let object = self.new_object(name, ObjectKind::Static, CType::INT);
            self.objects[object.0].hidden = true;
            self.watch.counter = Some(object);
        }
    }

    fn marks(&mut self, site: Site, offset: usize) -> Vec<Rc<Mark>> {
        if self.watch.quoting || self.watch.marks.is_empty() {
            return Vec::new();
        }
        let place = self.source.place(offset);
        self.watch.at(site, offset, &place)
    }

    /// A statement or declaration of a block begins here.
    pub(in crate::cfront::lower) fn before_statement(&mut self, offset: usize) -> Lowered<()> {
        if !self.watch.quoting {
            self.watch.statement = offset;
        }
        let marks = self.marks(Site::Statement, offset);
        self.visit(&marks, None)
    }

    /// This is the head of the loop that begins there.
    pub(in crate::cfront::lower) fn at_loop_head(&mut self, offset: usize) -> Lowered<()> {
        let marks = self.marks(Site::Loop, offset);
        self.visit(&marks, None)
    }

    /// The function of this call is entered here.
    pub(in crate::cfront::lower) fn before_call(&mut self, call: Span) -> Lowered<()> {
        let marks = self.marks(Site::Enter, call.end.saturating_sub(1));
        self.visit(&marks, None)
    }

    /// The call has come back with this value.
    pub(in crate::cfront::lower) fn after_call(
        &mut self,
        call: Span,
        value: ExprValue,
    ) -> Lowered<ExprValue> {
        let marks = self.marks(Site::Return, call.end.saturating_sub(1));
        if marks.is_empty() {
            return Ok(value);
        }
        self.enter();
        let value = self.kept(value);
        let done = value.and_then(|value| {
            if let ExprValue::Scalar(e, ty) = &value {
                let result = self.temporary(ty.clone());
                self.step(Instr::Assign(result.clone(), e.clone()));
                if let Base::Object(object) = result.base {
                    self.define(RESULT, Entity::Object(object));
                }
            }
            self.visit(&marks, None)?;
            Ok(value)
        });
        self.leave();
        done
    }

    /// The points where the ways of a branching begin that has its keyword at one of these places.
    pub(in crate::cfront::lower) fn branches(
        &mut self,
        keywords: &[usize],
        yes: NodeId,
        no: NodeId,
    ) -> Lowered<(NodeId, NodeId)> {
        Ok((
            self.way(keywords, Outcome::Truth(true), yes)?,
            self.way(keywords, Outcome::Truth(false), no)?,
        ))
    }

    /// The point where a way of a branching begins that goes on there.
    pub(in crate::cfront::lower) fn way(
        &mut self,
        keywords: &[usize],
        outcome: Outcome,
        to: NodeId,
    ) -> Lowered<NodeId> {
        let marks: Vec<Rc<Mark>> = (keywords.iter())
            .flat_map(|&at| self.marks(Site::Branching, at))
            .collect();
        if marks.is_empty() {
            return Ok(to);
        }
        let first = self.node();
        let before = std::mem::replace(&mut self.frame.at, first);
        self.visit(&marks, Some(outcome))?;
        self.connect(self.frame.at, to, Instr::Skip);
        self.frame.at = before;
        Ok(first)
    }

    /// The cases between these that waypoints speak of.
    pub(in crate::cfront::lower) fn cases_within(
        &mut self,
        keyword: usize,
        low: i128,
        high: i128,
    ) -> Vec<i128> {
        let marks = self.marks(Site::Branching, keyword).into_iter();
        let values = marks.filter_map(|mark| match &mark.claim {
            Claim::Passage(Passage {
                outcome: Some(Outcome::Case(value)),
                ..
            }) => Some(*value),
            _ => None,
        });
        values
            .filter(|value| low < high && (low..=high).contains(value))
            .collect()
    }

    /// The error that begins at one of these places; where a violation is watched for, only the
    /// target is one.
    pub(in crate::cfront::lower) fn error_here(
        &mut self,
        what: &str,
        starts: &[usize],
    ) -> Lowered<()> {
        let error = Instr::Error(what.into());
        let last = match self.watch.segments.checked_sub(1) {
            Some(last) if !self.watch.quoting => last,
            _ => {
                self.end_path(Some(error));
                return Ok(());
            }
        };
        let statement = self.watch.statement;
        let mut all = std::iter::once(statement).chain(starts.iter().copied());
        let is_target = all.any(|at| !self.marks(Site::Target, at).is_empty());
        if is_target {
            let (due, other) = (self.node(), self.node());
            let claim = Some(Claimed::Waypoint);
            let before = std::mem::replace(&mut self.watch.claim, claim);
            self.step(Instr::Skip);
            self.watch.claim = before;
            self.test_counter(last, due, other);
            self.frame.at = due;
            self.end_path(Some(error));
        } else {
            self.end_path(None);
        }
        Ok(())
    }

    /// What claims about a place mean for the run that comes there.
    fn visit(&mut self, marks: &[Rc<Mark>], taken: Option<Outcome>) -> Lowered<()> {
        let mut passages = Vec::new();
        for mark in marks {
            match &mark.claim {
                Claim::Invariant(number, value) => self.check(*number, value)?,
                Claim::Passage(passage) => passages.push(passage),
            }
        }
        if passages.is_empty() {
            return Ok(());
        }
        let done = self.node();
        let (follow, avoid): (Vec<&Passage>, Vec<&Passage>) =
            (passages.into_iter()).partition(|passage| passage.waypoint.action == Action::Follow);
        self.watch.claim = Some(Claimed::Waypoint);
        self.step(Instr::Skip);
        for passage in follow {
            self.follow(passage, passes(passage, taken), done)?;
        }
        for passage in avoid {
            self.avoid(passage, passes(passage, taken))?;
        }
        self.watch.claim = None;
        self.connect(self.frame.at, done, Instr::Skip);
        self.frame.at = done;
        Ok(())
    }

    /// The check of an invariant; the run goes on where it holds.
    fn check(&mut self, number: usize, value: &Quotation) -> Lowered<()> {
        let (holds, fails) = (self.node(), self.node());
        let claim = Some(Claimed::Invariant(number));
        self.frame.cfa.nodes[fails.0].claim = claim;
        self.watch.claim = claim;
        self.step(Instr::Skip);
        self.recover_quotation(value, |lowerer| {
            let done = lowerer.quoted(value, |lowerer, e| lowerer.branch(e, holds, fails));
            lowerer.watch.claim = None;
            done
        })?;
        self.frame.at = fails;
        self.end_path(Some(Instr::Error("an invariant of the witness".into())));
        self.frame.at = holds;
        Ok(())
    }

    /// A waypoint to be followed: where it is due and passed, the run goes on at `done` in the next
    /// segment.
    fn follow(&mut self, passage: &Passage, passes: Passes, done: NodeId) -> Lowered<()> {
        let (due, other) = (self.node(), self.node());
        self.test_counter(passage.segment, due, other);
        self.frame.at = due;
        let strict = self.watch.strict;
        let next_avoids = self.watch.avoiding.contains(&(passage.segment + 1));
        let is_free = match &passes {
            Passes::Never => false,
            Passes::Always => next_avoids,
            Passes::If(constraint) => next_avoids || !is_always_defined(constraint),
        };
        if is_free && !strict {
            self.choose(other);
        }
        match &passes {
            Passes::Never if !strict => self.connect(self.frame.at, other, Instr::Skip),
            Passes::Never => {}
            Passes::Always => self.complete(passage.segment, done),
            Passes::If(constraint) => {
                let (holds, fails) = (self.node(), self.node());
                self.recover_quotation(constraint, |lowerer| {
                    lowerer.quoted(constraint, |l, e| l.branch(e, holds, fails))
                })?;
                if !strict {
                    self.connect(fails, other, Instr::Skip);
                }
                self.frame.at = holds;
                self.complete(passage.segment, done);
            }
        }
        self.frame.at = other;
        Ok(())
    }

    /// The next segment begins.
    fn complete(&mut self, segment: usize, done: NodeId) {
        if let Some(counter) = self.watch.counter {
            let next = i128::try_from(segment + 1).unwrap_or(i128::MAX);
            let value = Expr::constant(next, IntType::INT);
            self.step(Instr::Assign(Lvalue::of(counter, CType::INT), value));
        }
        self.connect(self.frame.at, done, Instr::Skip);
    }

    /// A waypoint to be avoided: the run ends where it passes it in its segment.
    fn avoid(&mut self, passage: &Passage, passes: Passes) -> Lowered<()> {
        let (within, other) = (self.node(), self.node());
        self.test_counter(passage.segment, within, other);
        self.frame.at = within;
        match &passes {
            Passes::Never => self.connect(within, other, Instr::Skip),
            Passes::Always => {}
            Passes::If(constraint) => {
                let ends = self.node();
                self.recover_quotation(constraint, |lowerer| {
                    if !is_always_defined(constraint) {
                        // A run in which the constraint has no meaning does not pass the waypoint.
                        return unsupported("its evaluation may be undefined");
                    }
                    lowerer.quoted(constraint, |l, e| l.branch(e, ends, other))
                })?;
            }
        }
        self.frame.at = other;
        Ok(())
    }

    /// Goes on at `due` where that many segments are complete.
    fn test_counter(&mut self, segments: usize, due: NodeId, other: NodeId) {
        let Some(counter) = self.watch.counter else {
            return;
        };
        let count = Expr {
            kind: ExprKind::Load(Box::new(Lvalue::of(counter, CType::INT))),
            ty: IntType::INT,
        };
        let expected = i128::try_from(segments).unwrap_or(i128::MAX);
        let test = self.arithmetic(Binary::Eq, count, Expr::constant(expected, IntType::INT));
        self.connect(self.frame.at, due, Instr::Assume(test.clone(), true));
        self.connect(self.frame.at, other, Instr::Assume(test, false));
    }

    /// The run goes on here or there.
    fn choose(&mut self, there: NodeId) {
        let ty = CType::Int(IntType::BOOL);
        let choice = self.temporary(ty);
        self.step(Instr::Havoc(choice.clone(), Unknown::Uninitialised));
        let choice = Expr {
            kind: ExprKind::Load(Box::new(choice)),
            ty: IntType::BOOL,
        };
        self.connect(self.frame.at, there, Instr::Assume(choice.clone(), false));
        self.step(Instr::Assume(choice, true));
    }

    /// Does something with an expression of the witness. If it is not supported, the path ends.
    fn recover_quotation(
        &mut self,
        quotation: &Quotation,
        action: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let done = self.recover(|lowerer| {
            action(lowerer).map_err(|error| match error {
                NotLowered::Unsupported(what) => {
                    let what = format!("`{}` at {:?}: {what}", quotation.text, quotation.place);
                    NotLowered::Unsupported(what.into())
                }
                error => error,
            })
        });
        done.map_err(NotLowered::Error)
    }

    /// Does something with an expression of the witness, in the scope that there is.
    fn quoted<T>(
        &mut self,
        quotation: &Quotation,
        act: impl FnOnce(&mut Self, &Node<Expression>) -> Lowered<T>,
    ) -> Lowered<T> {
        let text = quotation.text.replace("\\result", RESULT);
        let meaning = |place: Place, message: String| {
            Err(NotLowered::Error(CError::Meaning { place, message }))
        };
        let e = match parse_expression(&text, &self.type_names()) {
            Ok(e) => e,
            Err((at, message)) => {
                // With the result's other name, bytes have other places.
                let at = if text == quotation.text { at } else { 0 };
                let place = quotation.place_of(at);
                return Err(NotLowered::Error(CError::Syntax { place, message }));
            }
        };
        let (objects, edges) = (self.objects.len(), self.frame.cfa.edges.len());
        self.watch.quoting = true;
        let done = act(self, &e);
        self.watch.quoting = false;
        if let Err(NotLowered::Error(error)) = done {
            let message = match error {
                CError::Meaning { message, .. } | CError::Syntax { message, .. } => message,
                error => error.to_string(),
            };
            let message = message.replace(RESULT, "\\result");
            return meaning(quotation.place.clone(), message);
        }
        let is_pure = |instr: &Instr| match instr {
            Instr::Skip | Instr::Assume(..) | Instr::Unsupported(_) | Instr::Mark(_) => true,
            Instr::Assign(place, _) => {
                matches!(place.base, Base::Object(object) if object.0 >= objects)
            }
            _ => false,
        };
        let steps = self.frame.cfa.edges.get(edges..).unwrap_or_default();
        if !steps.iter().all(|edge| is_pure(&edge.instr)) {
            let message = "the expression calls a function or has another effect".to_owned();
            return meaning(quotation.place.clone(), message);
        }
        done
    }

    /// The names that are types here.
    pub(in crate::cfront::lower) fn type_names(&self) -> Vec<String> {
        let mut known: FxHashSet<&str> = FxHashSet::default();
        let mut names = Vec::new();
        for (name, entity) in self.scopes.iter().rev().flatten() {
            let is_type = matches!(entity, Entity::Typedef(_) | Entity::Unsupported(_));
            if known.insert(name) && is_type {
                names.push(name.clone());
            }
        }
        names.sort_unstable();
        names
    }
}

/// Does the visit pass the waypoint?
fn passes(passage: &Passage, taken: Option<Outcome>) -> Passes {
    match (&passage.outcome, &passage.waypoint.constraint) {
        (Some(outcome), _) if Some(*outcome) == taken => Passes::Always,
        (Some(_), _) => Passes::Never,
        (None, None) => Passes::Always,
        (None, Some(constraint)) => Passes::If(constraint.clone()),
    }
}
