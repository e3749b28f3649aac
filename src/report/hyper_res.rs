//! Refutations in the shape of Z3's Spacer: one s-expression, which clients of Z3 walk.
//!
//! ```text
//! ((set-logic HORN)
//! (declare-fun query!0 () Bool)
//! (proof
//! (let (($f0 (inv 0)))
//! (let ((@f0 ((_ hyper-res 0 0) (asserted (forall ((x Int)) (=> (= x 0) (inv x)))) $f0)))
//! …
//! (mp ((_ hyper-res 0 0 0 1) (asserted (=> … query!0)) @f0 query!0)
//!   (asserted (=> query!0 false)) false))))
//! ```
//!
//! A node `hyper-res` has the clause, a node for each premise, and the fact that it derives. Facts
//! and values that are long and occur more than once are bound by `let`, so that the text is linear
//! in the refutation. The query derives a new proposition, from which `false` follows, as there.

use super::Proof;
use crate::chc::Fact;
use crate::smtlib::ClausePrinter;
use crate::term::quote_symbol;
use rustc_hash::{FxHashMap, FxHashSet};
use std::io::{self, Write};

/// A value whose text is shorter than this is not bound to a name. The value was not tuned.
const SHORT: usize = 24;

/// The names that the text binds or declares. None of them begins a name of the system.
struct Names {
    query: String,
    /// What the names of values, facts and nodes begin with.
    value: String,
    fact: String,
    node: String,
}

impl Names {
    fn new(taken: &FxHashSet<String>) -> Self {
        let free = |base: &str| {
            let mut name = base.to_owned();
            while taken.iter().any(|taken| taken.starts_with(&name)) {
                name.push('!');
            }
            name
        };
        Names {
            query: free("query!0"),
            value: free("?v"),
            fact: free("$f"),
            node: free("@f"),
        }
    }
}

impl Proof<'_> {
    /// Writes the one s-expression.
    pub(super) fn write_hyper_res(&self, out: &mut dyn Write) -> io::Result<()> {
        let clauses = ClausePrinter::new(self.terms, self.system);
        let names = Names::new(&self.symbols(&clauses));
        let query = quote_symbol(&names.query);
        writeln!(
            out,
            "((set-logic HORN)\n(declare-fun {query} () Bool)\n(proof"
        )?;
        let repeated = self.repeated();
        let mut bound: FxHashMap<String, usize> = FxHashMap::default();
        let mut open = 0;
        for (number, fact, clause, conclusion) in self.facts() {
            let mut arguments = self.arguments(clause, conclusion);
            for argument in arguments.iter_mut().filter(|text| repeated.contains(*text)) {
                let next = bound.len();
                let place = *bound.entry(argument.clone()).or_insert(next);
                if place == next {
                    writeln!(out, "(let (({}{place} {argument}))", names.value)?;
                    open += 1;
                }
                *argument = format!("{}{place}", names.value);
            }
            let clause_text = clauses.clause(clause, &query);
            match &clause.head {
                Some(head) => {
                    let pred = quote_symbol(self.system.pred_name(self.terms, head.pred));
                    let atom = match arguments[..] {
                        [] => pred.into_owned(),
                        _ => format!("({pred} {})", arguments.join(" ")),
                    };
                    writeln!(out, "(let (({}{number} {atom}))", names.fact)?;
                    write!(out, "(let (({}{number} ", names.node)?;
                    let derived = format!("{}{number}", names.fact);
                    self.write_node(out, fact, &clause_text, (&names, &derived))?;
                    writeln!(out, "))")?;
                    open += 2;
                }
                None => {
                    write!(out, "(mp ")?;
                    self.write_node(out, fact, &clause_text, (&names, &query))?;
                    write!(out, " (asserted (=> {query} false)) false)")?;
                }
            }
        }
        for _ in 0..open {
            write!(out, ")")?;
        }
        writeln!(out, "))")
    }

    /// `((_ hyper-res 0 0 0 1 …) (asserted clause) premises… derived)`
    fn write_node(
        &self,
        out: &mut dyn Write,
        fact: &Fact,
        clause: &dyn std::fmt::Display,
        (names, derived): (&Names, &str),
    ) -> io::Result<()> {
        write!(out, "((_ hyper-res 0 0")?;
        for place in 1..=fact.premises.len() {
            write!(out, " 0 {place}")?;
        }
        write!(out, ") (asserted {clause})")?;
        for premise in &fact.premises {
            write!(out, " {}{}", names.node, premise.0)?;
        }
        write!(out, " {derived})")
    }

    /// The long values that are arguments of more than one fact, as texts.
    fn repeated(&self) -> FxHashSet<String> {
        let mut seen = FxHashSet::default();
        let mut repeated = FxHashSet::default();
        for (_, _, clause, conclusion) in self.facts() {
            for argument in self.arguments(clause, conclusion) {
                if argument.len() >= SHORT && !seen.insert(argument.clone()) {
                    repeated.insert(argument);
                }
            }
        }
        repeated
    }

    /// The names of predicates, of other functions, and of variables of clauses.
    fn symbols(&self, clauses: &ClausePrinter<'_>) -> FxHashSet<String> {
        let t = self.terms;
        let preds = self.system.pred_ids();
        let preds = preds.map(|pred| self.system.pred_name(t, pred).to_owned());
        let functions = clauses.function_names().map(|name| t.name(name).to_owned());
        let vars = self.system.clauses.iter().flat_map(|clause| &clause.vars);
        let vars = vars.filter_map(|&var| Some(t.name(t.as_var(var)?).to_owned()));
        preds.chain(functions).chain(vars).collect()
    }
}
