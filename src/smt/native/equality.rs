//! Equality with uninterpreted functions, as a theory of the search: what literals say to the
//! [`EGraph`], and what follows from it.
//!
//! A literal can say that two terms are equal or different, that a formula which is an argument
//! holds, or that an application takes part. Arrays and datatypes, whose terms are nodes of the
//! same graph, add their rules in [`arrays`](super::arrays) and [`datatypes`](super::datatypes).

use super::egraph::{Clash, EGraph, Node};
use super::literal::{Lit, Var};
use super::proof::Justification;
use super::sat::{Conflict, Lowest, Sat};
use super::theory::Theory;
use crate::smt::{Failure, Limit};
use crate::term::{Term, Terms};
use crate::work;

/// What a value of a variable says to the graph.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// These nodes are equal; or different, where it is false.
    Equation(Node, Node),
    /// This node has the value of the literal.
    Formula(Node, Lit),
    /// This application takes part, whatever the value is.
    Atom(Node),
    /// This application takes part where the variable is true.
    Guard(Node),
}

/// The theory of equality.
pub(super) struct Equality<'t> {
    pub(super) graph: EGraph<'t>,
    /// The events of each variable: a range of `events`, which are in the order of variables.
    events: Vec<Vec<Event>>,
    /// The index into `events` of each variable, from 1; 0 for variables without events.
    of_var: Vec<u32>,
    /// Variables that had a value at level 0 before they got an event.
    late: Vec<(Var, usize)>,
    /// The graph knows this many literals of the trail.
    told: usize,
    /// For each decision level above 0, the mark of the graph before it.
    marks: Vec<usize>,
}

impl<'t> Equality<'t> {
    /// No equations.
    pub(super) fn new(t: &'t Terms) -> Self {
        Equality {
            graph: EGraph::new(t),
            events: Vec::new(),
            of_var: Vec::new(),
            late: Vec::new(),
            told: 0,
            marks: Vec::new(),
        }
    }

    /// A variable says that two terms are equal.
    pub(super) fn add_equation(&mut self, sat: &mut Sat, x: Term, y: Term, var: Var) {
        let (a, b) = (self.graph.node(x), self.graph.node(y));
        self.graph.add_equation(a, b, var);
        self.add_event(sat, var, Event::Equation(a, b));
    }

    /// The literal of a formula that is an argument of an application.
    pub(super) fn add_formula(&mut self, sat: &mut Sat, formula: Term, literal: Lit) {
        let node = self.graph.node(formula);
        if matches!(node, Node::TRUE | Node::FALSE) {
            return;
        }
        self.graph.set_literal(node, literal);
        self.add_event(sat, literal.var(), Event::Formula(node, literal));
    }

    /// A variable for an application of sort `Bool`, which takes part where the variable has a
    /// value.
    pub(super) fn add_atom(&mut self, sat: &mut Sat, application: Term, var: Var) {
        let node = self.graph.node(application);
        self.graph.set_literal(node, var.positive());
        self.add_event(sat, var, Event::Formula(node, var.positive()));
        self.add_event(sat, var, Event::Atom(node));
    }

    /// A variable such that an application takes part where it is true.
    pub(super) fn add_guard(&mut self, sat: &mut Sat, application: Term, var: Var) {
        let node = self.graph.node(application);
        self.add_event(sat, var, Event::Guard(node));
    }

    /// Adds an event to a variable. If it has a value, the decisions since then are taken back, so
    /// that the graph learns of events in the order of the trail.
    fn add_event(&mut self, sat: &mut Sat, var: Var, event: Event) {
        if self.of_var.len() <= var.index() {
            self.of_var.resize(var.index() + 1, 0);
        }
        if self.of_var[var.index()] == 0 {
            self.events.push(Vec::new());
            let last = u32::try_from(self.events.len()).expect("as many as variables");
            self.of_var[var.index()] = last;
        }
        let events = &mut self.events[self.of_var[var.index()] as usize - 1];
        events.push(event);
        if sat.value(var.positive()).is_some() {
            match sat.level_of(var) {
                0 => {
                    sat.backtrack(0);
                    self.late.push((var, events.len() - 1));
                }
                level => sat.backtrack(level - 1),
            }
        }
    }

    fn events(&self, var: Var) -> &[Event] {
        match self.of_var.get(var.index()) {
            None | Some(0) => &[],
            Some(&index) => &self.events[index as usize - 1],
        }
    }

    /// Tells the graph of a literal that is true.
    fn tell(&mut self, lit: Lit) -> Result<(), Clash> {
        for i in 0..self.events(lit.var()).len() {
            self.happen(lit, self.events(lit.var())[i])?;
        }
        Ok(())
    }

    /// Tells the graph of what an event means where a literal is true.
    fn happen(&mut self, lit: Lit, event: Event) -> Result<(), Clash> {
        work::spend(4);
        match event {
            Event::Equation(a, b) if lit.is_positive() => self.graph.merge(a, b, lit),
            Event::Equation(a, b) => self.graph.separate(a, b, lit)?,
            Event::Formula(node, literal) => {
                let value = if lit == literal {
                    Node::TRUE
                } else {
                    Node::FALSE
                };
                self.graph.merge(node, value, lit);
            }
            Event::Atom(node) => self.graph.activate(node),
            Event::Guard(node) if lit.is_positive() => self.graph.activate(node),
            Event::Guard(_) => {}
        }
        Ok(())
    }

    /// Tells the graph of events of literals that were true at level 0 before.
    fn tell_late(&mut self, sat: &Sat) -> Result<(), Clash> {
        debug_assert!(self.late.is_empty() || sat.level() == 0);
        for (var, index) in std::mem::take(&mut self.late) {
            let lit = var.literal(sat.value(var.positive()) == Some(true));
            self.happen(lit, self.events(var)[index])?;
        }
        Ok(())
    }

    /// The clause that two nodes of one class cannot be equal for their reasons.
    fn conflict(&self, sat: &mut Sat, clash: Clash) -> Conflict {
        let (a, b) = clash.nodes;
        let reasons = self.graph.explain(a, b).into_iter().chain(clash.unless);
        let mut clause: Vec<Lit> = reasons.map(|l| !l).collect();
        clause.sort_unstable();
        clause.dedup();
        debug_assert!(
            clause.iter().all(|&l| sat.value(l) == Some(false)),
            "an explanation has true literals only"
        );
        let step = sat.log.input(&clause, Justification::Closure);
        Conflict { clause, step }
    }

    /// The number of decision levels that it has a mark of.
    pub(super) fn levels(&self) -> usize {
        self.marks.len()
    }

    /// Makes true what follows from the graph; ends early if that takes the search back.
    fn imply(&mut self, sat: &mut Sat) {
        let level = sat.level();
        for implied in self.graph.take_implied() {
            if sat.value(implied.literal).is_some() {
                continue;
            }
            let (a, b) = implied.nodes;
            let mut clause = vec![implied.literal];
            clause.extend(self.graph.explain(a, b).into_iter().map(|l| !l));
            debug_assert!(
                clause[1..].iter().all(|&l| sat.value(l) == Some(false)),
                "an explanation has true literals only"
            );
            let step = sat.log.input(&clause, Justification::Closure);
            sat.add_lemma(clause, step);
            if sat.level() < level {
                return;
            }
        }
    }
}

impl Theory for Equality<'_> {
    fn new_level(&mut self, sat: &Sat) {
        debug_assert_eq!(self.told, sat.trail().len());
        self.marks.push(self.graph.mark());
    }

    fn backtrack(&mut self, lowest: Lowest) {
        if let Some(&mark) = self.marks.get(lowest.level) {
            self.graph.backtrack(mark);
            self.marks.truncate(lowest.level);
        }
        self.told = self.told.min(lowest.trail);
    }

    fn forget_others(&mut self, sat: &Sat) {
        self.told = sat.trail().len();
    }

    fn propagate(&mut self, sat: &mut Sat) -> Option<Conflict> {
        if let Err(clash) = self.tell_late(sat) {
            return Some(self.conflict(sat, clash));
        }
        while let Some(&lit) = sat.trail().get(self.told) {
            self.told += 1;
            if let Err(clash) = self.tell(lit) {
                return Some(self.conflict(sat, clash));
            }
        }
        if let Err(clash) = self.graph.close() {
            return Some(self.conflict(sat, clash));
        }
        debug_assert!(self.graph.is_closed());
        self.imply(sat);
        None
    }

    fn check(&mut self, _sat: &mut Sat, _limit: &Limit) -> Result<Option<Conflict>, Failure> {
        Ok(None)
    }
}
