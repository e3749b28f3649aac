//! Combination of theories by a model \[MB08\].
//!
//! When all clauses are satisfied and every theory is content, the classes of the e-graph get
//! values. Numbers have the values of the simplex. Other classes have different values. The values
//! are a model unless one of these holds, and then the search gets a clause or a case to decide:
//!
//! - two numbers of one class have different values: the equation follows;
//! - a function would have two results on equal arguments: it is decided whether arguments that
//!   happen to have the same value are equal. The same holds for terms that are to be different;
//! - arrays and datatypes ask for something ([`arrays`](super::arrays),
//!   [`datatypes`](super::datatypes)).
//!
//! So only those equations between numbers are decided on which a model depends.

mod candidate;
mod fresh;

use super::arrays;
use super::datatypes;
use super::demand::{Demand, Lemma};
use super::egraph::Node;
use super::interpretation::Interpretation;
use super::literal::Lit;
use super::search::Search;
use super::theory::Final;
use crate::smt::Failure;
use crate::term::Sort;
use candidate::Candidate;

impl Search<'_> {
    /// Looks for a model of all theories together.
    ///
    /// # Errors
    /// A theory does not decide the case.
    pub(super) fn combine(&mut self) -> Result<Final, Failure> {
        let graph = &self.equality.graph;
        if graph.active().is_empty() && graph.separations().is_empty() {
            self.model = Some(Interpretation::default());
            return Ok(Final::Satisfied);
        }
        if let Some(literal) = self.open_argument() {
            self.branch(literal);
            return Ok(Final::Continue);
        }
        if arrays::add_differences(self) || datatypes::split(self) {
            return Ok(Final::Continue);
        }
        match Candidate::new(self).complete() {
            Ok(model) => {
                self.model = Some(model);
                Ok(Final::Satisfied)
            }
            Err(demand) => {
                self.meet(demand)?;
                Ok(Final::Continue)
            }
        }
    }

    /// A formula, or a bit, that is an argument of an active application and has no value.
    fn open_argument(&self) -> Option<Lit> {
        let graph = &self.equality.graph;
        let applications = graph.active().iter();
        let nodes =
            applications.flat_map(|&x| [x].into_iter().chain(graph.args(x).iter().copied()));
        let words = nodes.filter_map(|x| self.encoder.bits(graph.term(x)));
        let mut bits = words.flat_map(|word| word.iter().copied());
        if let Some(bit) = bits.find(|&l| self.sat.value(l).is_none()) {
            return Some(bit);
        }
        let args = graph.active().iter().flat_map(|&x| graph.args(x));
        let formulas = args
            .map(|&x| graph.term(x))
            .filter(|&x| self.t.sort_of(x) == Sort::BOOL);
        let mut literals = formulas.filter_map(|f| self.encoder.formula(f));
        literals.find(|&l| self.sat.value(l).is_none())
    }

    fn meet(&mut self, demand: Demand) -> Result<(), Failure> {
        match demand {
            Demand::GiveUp(why) => return Err(Failure::Incomplete(why.to_owned())),
            Demand::Decide(a, b) => {
                let [x, y] = [a, b].map(|n| self.equality.graph.term(n));
                let equal = self.encoding().equal(x, y);
                self.encoding().finish();
                self.branch(equal);
            }
            Demand::Distinguish(node) => datatypes::distinguish(self, node),
            Demand::Lemma(lemma) => self.add_theory_lemma(&lemma),
        }
        Ok(())
    }

    /// Adds the clauses of a lemma. If more than one of their literals are open, one of them is
    /// decided to be false, so that the lemma is not found again.
    fn add_theory_lemma(&mut self, lemma: &Lemma) {
        let graph = &self.equality.graph;
        let mut clause: Vec<Lit> = graph
            .explain_all(&lemma.premises)
            .into_iter()
            .map(|l| !l)
            .collect();
        let terms = |pair: &(Node, Node)| (graph.term(pair.0), graph.term(pair.1));
        let unequal: Vec<_> = lemma.unequal.iter().map(terms).collect();
        let conclusion = lemma.conclusion.as_ref().map(terms);
        for (x, y) in unequal {
            let equal = self.encoding().equal(x, y);
            clause.push(equal);
        }
        let ends = match conclusion {
            Some((x, y)) => self.encoding().clauses_of_equal(x, y),
            None => vec![Vec::new()],
        };
        self.encoding().finish();
        let mut open = None;
        for end in ends {
            let mut whole: Vec<Lit> = clause.iter().copied().chain(end).collect();
            whole.sort_unstable();
            whole.dedup();
            open = open.or(whole.iter().copied().find(|&l| self.sat.value(l).is_none()));
            let step = self.sat.log.input(&whole, lemma.rule);
            self.sat.add_lemma(whole, step);
        }
        if let Some(literal) = open {
            self.branch(!literal);
        }
    }

    /// Decides a literal, unless it has a value or there is something to propagate first.
    pub(super) fn branch(&mut self, literal: Lit) {
        if self.sat.value(literal).is_none() && self.is_settled() {
            self.open_level();
            self.sat.enqueue(literal, super::sat::Reason::Decision);
        }
    }
}
