//! Combination of theories by a model \[MB08\].
//!
//! When all clauses are satisfied and every theory is content, the classes of the e-graph get
//! values. Numbers have the values of the simplex. Other classes have different values. The values
//! are a model unless one of these holds, and then the search gets a clause or a case to decide:
//!
//! - two numbers of one class have different values: the equation follows;
//! - a function would have two results on equal arguments: it is decided whether arguments that
//!   happen to have the same value are equal. The same holds for terms that are to be different;
//! - a product has another value than its factors give it: lemmas about it follow
//!   ([`products`](super::products));
//! - arrays and datatypes ask for something ([`arrays`](super::arrays),
//!   [`datatypes`](super::datatypes)).
//!
//! So only those equations between numbers are decided on which a model depends. A candidate shows
//! all that stands in its way at once, since making one costs much.
//!
//! Theories exchange what follows from the assumptions alone before the first decision, see
//! `share_values`.

mod candidate;
mod fresh;
mod values;

use super::arrays::{self, ArrayGraph};
use super::datatypes;
use super::demand::{Demand, Lemma};
use super::egraph::Node;
use super::interpretation::Interpretation;
use super::literal::Lit;
use super::search::Search;
use super::theory::Final;
use crate::smt::Failure;
use crate::term::Term;
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
        let open = self.open_arguments();
        if !open.is_empty() {
            open.into_iter().for_each(|literal| self.branch(literal));
            return Ok(Final::Continue);
        }
        if arrays::add_differences(self) || datatypes::split(self) {
            return Ok(Final::Continue);
        }
        let arrays = ArrayGraph::new(self.t, &self.equality.graph);
        // A candidate would show these, too, but one step of a chain of reads after the other.
        let entailed = arrays.entailed(&self.equality.graph);
        if !entailed.is_empty() {
            for lemma in &entailed {
                self.add_theory_lemma(lemma);
            }
            return Ok(Final::Continue);
        }
        match Candidate::new(self, arrays).complete() {
            Ok(model) => {
                self.model = Some(model);
                Ok(Final::Satisfied)
            }
            Err(mut demands) => {
                // What is hopeless may be gone after the rest is met.
                let is_open = |demand: &Demand| !matches!(demand, Demand::GiveUp(_));
                if demands.iter().any(is_open) {
                    demands.retain(is_open);
                }
                demands
                    .into_iter()
                    .try_for_each(|demand| self.meet(demand))?;
                Ok(Final::Continue)
            }
        }
    }

    /// Formulas and bits that are arguments of active applications and have no value, as they are
    /// to be decided: the bits of a conversion so that they agree with its number.
    fn open_arguments(&self) -> Vec<Lit> {
        let graph = &self.equality.graph;
        let mut open = Vec::new();
        for &node in graph.active() {
            open.extend(graph.args(node).iter().filter_map(|&x| graph.literal(x)));
            let wanted = values::bits_of_conversion(self, node);
            open.extend(wanted.into_iter().flatten());
        }
        for &node in graph.active() {
            for part in [node].iter().chain(graph.args(node)) {
                let bits = self.encoder.bits(graph.term(*part));
                open.extend(bits.iter().flat_map(|word| word.iter().map(|&bit| !bit)));
            }
        }
        open.retain(|&literal| self.sat.value(literal).is_none());
        // The first is decided first.
        open.reverse();
        open
    }

    /// Tells theories of equations that others know: the theories of numbers and of bit-vectors
    /// that terms of one class are equal, where their values differ or are open; the e-graph that
    /// numbers are equal. Was there anything new?
    ///
    /// This is for what follows from the assumptions alone. Else a contradiction between theories
    /// is found only when all clauses are satisfied, which may be late.
    pub(super) fn share_values(&mut self) -> bool {
        if self.equality.graph.active().is_empty() {
            return false;
        }
        let level = self.sat.level();
        let equal = values::equal_numbers(self);
        let lemmas = values::to_share(self);
        for lemma in &lemmas {
            self.add_theory_lemma(lemma);
            if self.sat.level() < level {
                return true;
            }
        }
        for &(x, y) in &equal {
            // The clauses of the equation say that it follows; where propagation does not find
            // this, its negation would be refuted.
            let literal = self.encoding().equal(x, y);
            self.encoding().finish();
            self.branch(literal);
        }
        !lemmas.is_empty() || !equal.is_empty()
    }

    fn meet(&mut self, demand: Demand) -> Result<(), Failure> {
        match demand {
            Demand::GiveUp(why) => return Err(Failure::Incomplete(why.to_owned())),
            Demand::Decide(a, b) => {
                let [x, y] = [a, b].map(|n| self.equality.graph.term(n));
                self.compare(x, y);
            }
            Demand::Compare(x, y) => self.compare(x, y),
            Demand::Convert(node) => {
                let conversion = self.equality.graph.term(node);
                self.encoding().convert(conversion);
                self.encoding().finish();
            }
            Demand::Linearize(wrong, right) => self.linearize(&wrong, &right)?,
            Demand::Quotient(quotient, expected) => self.divide(quotient, expected)?,
            Demand::Distinguish(node) => datatypes::distinguish(self, node),
            Demand::Lemma(lemma) => self.add_theory_lemma(&lemma),
        }
        Ok(())
    }

    /// Decides whether two terms are equal.
    fn compare(&mut self, x: Term, y: Term) {
        let equal = self.encoding().equal(x, y);
        self.encoding().finish();
        self.branch(equal);
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

    /// A literal is to be decided before others, unless it gets a value or there is a conflict.
    pub(super) fn branch(&mut self, literal: Lit) {
        self.wanted.push(literal);
    }
}
