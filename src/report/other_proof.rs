//! Refutations in the forms of Eldarica and Golem, for programs that read what these print.
//!
//! Eldarica prints an empty line and its derivation with the root first; premises are numbers.
//! Golem prints the premises first. Its form `legacy` begins with the fact `true`, which stands for
//! no premise, and its form `intermediate` shows how each fact is made of a clause.
//!
//! ```text
//! 0: FALSE -> 1          0: false -> 1          0:      true
//! 1: inv(1) -> 2         1: (inv 1) -> 2        1:      (inv 0) ->  0
//! 2: inv(0)              2: (inv 0)             …
//! ```

use super::Proof;
use crate::chc::{Clause, Fact};
use crate::smtlib::ClausePrinter;
use std::io::{self, Write};

/// The form in which another program prints a refutation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OtherProof {
    /// Eldarica's `-cex`: facts as `inv(1)`.
    Eldarica,
    /// Eldarica's `-scex`: facts in SMT-LIB.
    EldaricaSmt,
    /// Golem's `--proof-format legacy`.
    GolemLegacy,
    /// Golem's `--proof-format intermediate`.
    GolemIntermediate,
}

impl Proof<'_> {
    /// Writes it as another program does.
    ///
    /// # Errors
    /// The errors of the writer.
    pub fn write_as(&self, out: &mut dyn Write, form: OtherProof) -> io::Result<()> {
        match form {
            OtherProof::Eldarica | OtherProof::EldaricaSmt => self.write_root_first(out, form),
            OtherProof::GolemLegacy => self.write_legacy(out),
            OtherProof::GolemIntermediate => self.write_intermediate(out),
        }
    }

    /// The facts that `false` depends on, each behind the facts that depend on it.
    fn write_root_first(&self, out: &mut dyn Write, form: OtherProof) -> io::Result<()> {
        let facts: Vec<_> = self.facts().collect();
        let mut is_used = vec![false; facts.len()];
        if let Some(root) = is_used.last_mut() {
            *root = true;
        }
        let mut numbers = vec![0; facts.len()];
        let mut count = 0_usize;
        for &(place, fact, ..) in facts.iter().rev() {
            if is_used[place] {
                numbers[place] = count;
                count += 1;
                fact.premises
                    .iter()
                    .for_each(|premise| is_used[premise.index()] = true);
            }
        }
        writeln!(out)?;
        for &(place, fact, clause, conclusion) in facts.iter().rev() {
            if !is_used[place] {
                continue;
            }
            let arguments = self.arguments(clause, conclusion);
            let derived = match form {
                OtherProof::Eldarica => self.called(clause, &arguments),
                _ => self.derived(clause, conclusion),
            };
            write!(out, "{}: {derived}", numbers[place])?;
            for (at, premise) in fact.premises.iter().enumerate() {
                let before = if at == 0 { " -> " } else { ", " };
                write!(out, "{before}{}", numbers[premise.index()])?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// A fact as Eldarica writes terms: `inv(-1, 2)`.
    fn called(&self, clause: &Clause, arguments: &[String]) -> String {
        let Some(head) = &clause.head else {
            return "FALSE".to_owned();
        };
        let name = self.system.pred_name(self.terms, head.pred);
        let arguments: Vec<String> = arguments.iter().map(|argument| signed(argument)).collect();
        match arguments[..] {
            [] => name.to_owned(),
            _ => format!("{name}({})", arguments.join(", ")),
        }
    }

    /// Each fact after its premises; a fact without premises follows from `true`, which is 0.
    fn write_legacy(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "0:\ttrue")?;
        for (place, fact, clause, conclusion) in self.facts() {
            let number = place + 1;
            write!(out, "{number}:\t{} -> ", self.derived(clause, conclusion))?;
            if fact.premises.is_empty() {
                write!(out, " 0")?;
            }
            for premise in &fact.premises {
                write!(out, " {}", premise.index() + 1)?;
            }
            writeln!(out, "\n")?;
        }
        writeln!(out)
    }

    /// For each fact the clause with the values of its variables, its instance, what that says of
    /// facts, and the fact itself, which follows from its premises. There is no instance for a fact
    /// that iterations derive.
    fn write_intermediate(&self, out: &mut dyn Write) -> io::Result<()> {
        let clauses = ClausePrinter::new(self.terms, self.system);
        // The step that each fact is, and the fact as text.
        let mut facts: Vec<(usize, String)> = Vec::new();
        let mut step = 0;
        for (_, fact, clause, conclusion) in self.facts() {
            let derived = self.derived(clause, conclusion);
            if !clause.vars.is_empty() && fact.iteration.is_none() {
                let (text, values) = (clauses.clause(clause, "false"), self.values(fact, clause));
                writeln!(out, "{step}\t {text}  :args ({})", values.join(" "))?;
                step += 1;
            }
            if fact.iteration.is_none() {
                let instance = clauses.instance(clause, &fact.values, "false");
                writeln!(out, "{step}\t {instance} ")?;
            }
            let premises = fact.premises.iter().map(|premise| &facts[premise.index()]);
            let premises: Vec<&(usize, String)> = premises.collect();
            let names: Vec<&str> = premises.iter().map(|(_, text)| text.as_str()).collect();
            let body = match names[..] {
                [] => "true".to_owned(),
                _ => names.join(" "),
            };
            writeln!(out, "{}\t (=> {body} {derived}) ", step + 1)?;
            write!(out, "{}\t {derived} ", step + 2)?;
            if !premises.is_empty() {
                write!(out, " :premises ")?;
            }
            for (number, _) in &premises {
                write!(out, "{number} ")?;
            }
            writeln!(out)?;
            facts.push((step + 2, derived));
            step += 3;
        }
        Ok(())
    }

    /// The values of the clause's variables, as SMT-LIB text.
    fn values(&self, fact: &Fact, clause: &Clause) -> Vec<String> {
        let values = clause.vars.iter().zip(&fact.values);
        values
            .map(|(&var, value)| self.text(value, self.terms.sort_of(var)))
            .collect()
    }
}

/// A negative number with its sign before it, any other value as it is.
fn signed(value: &str) -> String {
    let inner = value
        .strip_prefix("(- ")
        .and_then(|rest| rest.strip_suffix(')'));
    match inner.filter(|inner| inner.bytes().all(|byte| byte.is_ascii_digit())) {
        Some(digits) => format!("-{digits}"),
        None => value.to_owned(),
    }
}
