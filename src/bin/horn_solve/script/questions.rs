//! Questions about the last check, and about options: models, proofs, reasons, values.

use super::{Checked, Script, ScriptError};
use horn::chc::{Answer, Model, System, Unknown, UnknownReason};
use horn::interpreter::value_text;
use horn::report::Proof;
use horn::smtlib::{Position, Question};
use horn::term::{Evaluator, Op, Term, Terms, Unspecified};
use std::io::Write;

/// What Z3 answers to `get-option` where the script has set nothing.
const DEFAULTS: [(&str, &str); 16] = [
    (":diagnostic-output-channel", "stderr"),
    (":error-behavior", "continued-execution"),
    (":global-declarations", "false"),
    (":interactive-mode", "false"),
    (":print-success", "false"),
    (":produce-assertions", "false"),
    (":produce-assignments", "false"),
    (":produce-models", "true"),
    (":produce-proofs", "false"),
    (":produce-unsat-assumptions", "false"),
    (":produce-unsat-cores", "false"),
    (":random-seed", "0"),
    (":regular-output-channel", "stdout"),
    (":rlimit", "0"),
    (":timeout", "4294967295"),
    (":verbosity", "0"),
];

impl Script<'_> {
    pub(super) fn get_model(&mut self) -> Result<(), ScriptError> {
        if !self.settings.produce_models {
            return self.refuse("models are switched off by :produce-models");
        }
        match &self.last {
            Some(Checked {
                printed: true,
                answer: Answer::Sat(_),
                ..
            }) => Ok(()),
            Some(Checked {
                system,
                answer: Answer::Sat(model),
                ..
            }) => self.print_model(system, model),
            _ => self.no_model(),
        }
    }

    fn no_model(&mut self) -> Result<(), ScriptError> {
        match self.manner.z3 {
            true => self.refuse("model is not available"),
            false => self.refuse("there is no model: the last check, if any, did not find one"),
        }
    }

    pub(super) fn get_proof(&mut self) -> Result<(), ScriptError> {
        if !self.settings.produce_proofs {
            return self.refuse("proofs are switched off by :produce-proofs");
        }
        let written = match &self.last {
            Some(Checked {
                printed: true,
                answer: Answer::Unsat(_),
                ..
            }) => return Ok(()),
            Some(Checked {
                system,
                answer: Answer::Unsat(refutation),
                ..
            }) => match Proof::new(self.t, system, refutation, &self.lines) {
                Ok(proof) => {
                    let written = self.print(|out| proof.write(out, self.args.get_proof()))?;
                    written.map_err(|obstacle| obstacle.to_string())
                }
                Err(error) => Err(error.to_string()),
            },
            _ => Err("there is no proof: the last check, if any, did not find one".to_owned()),
        };
        match written {
            Ok(()) => Ok(()),
            Err(why) => self.refuse(&why),
        }
    }

    pub(super) fn get_info(&mut self, keyword: &str) -> Result<(), ScriptError> {
        let value = match keyword {
            ":reason-unknown" => match &self.last {
                Some(Checked {
                    answer: Answer::Unknown(Unknown { reason, .. }),
                    ..
                }) if self.manner.z3 => z3_reason(reason),
                Some(Checked {
                    answer: Answer::Unknown(Unknown { reason, .. }),
                    ..
                }) => reason.to_string(),
                Some(_) if self.manner.z3 => String::new(),
                None if self.manner.z3 => {
                    "state of the most recent check-sat command is not known".to_owned()
                }
                _ => return self.refuse("the last check, if any, did not answer unknown"),
            },
            ":error-behavior" if self.manner.z3 => {
                return self.print(|out| writeln!(out, "({keyword} continued-execution)"));
            }
            ":name" => env!("CARGO_PKG_NAME").to_owned(),
            ":version" => env!("CARGO_PKG_VERSION").to_owned(),
            _ => return self.unsupported(),
        };
        let value = value.replace('"', "\"\"");
        self.print(|out| writeln!(out, "({keyword} \"{value}\")"))
    }

    /// Answers what Z3 answers.
    pub(super) fn answer(&mut self, question: Question) -> Result<(), ScriptError> {
        match question {
            Question::Values(terms) => self.values(&terms),
            Question::Eval(term) => match self.value(term) {
                Some(value) => self.print(|out| writeln!(out, "{value}")),
                None => self.no_model(),
            },
            Question::Simplify(term) => {
                let t = self.t;
                self.print(|out| writeln!(out, "{}", t.display(term)))
            }
            Question::Option(keyword, value) => {
                let default = DEFAULTS.iter().find(|(known, _)| *known == keyword);
                match value.or(default.map(|(_, value)| (*value).to_owned())) {
                    Some(value) => self.print(|out| writeln!(out, "{value}")),
                    None => self.unsupported(),
                }
            }
            // Z3 does not decide Horn systems with assumptions either.
            Question::Assuming => {
                self.last = None;
                self.print(|out| writeln!(out, "unknown"))
            }
            Question::Other(name) if name == "labels" => match &self.last {
                Some(Checked {
                    answer: Answer::Sat(_) | Answer::Unknown(_),
                    ..
                }) => self.print(|out| writeln!(out, "(labels)")),
                _ => self.refuse("labels are not available"),
            },
            Question::Other(_) => self.unsupported(),
        }
    }

    /// The values of terms, each beside its text.
    fn values(&mut self, terms: &[(Term, String)]) -> Result<(), ScriptError> {
        let pair = |(term, text): &(Term, String)| {
            let value = self.value(*term)?;
            Some(format!("({text} {value})"))
        };
        let pairs: Option<Vec<String>> = terms.iter().map(pair).collect();
        match pairs {
            Some(pairs) => self.print(|out| writeln!(out, "({})", pairs.join("\n "))),
            None => self.no_model(),
        }
    }

    /// The text of a term's value in the last model, or, where it has no value, of the term as it
    /// is in the model; `None` without a model.
    fn value(&self, term: Term) -> Option<String> {
        match &self.last {
            Some(Checked {
                system,
                answer: Answer::Sat(model),
                ..
            }) if self.settings.produce_models => {
                let term = in_model(self.t, system, model, term);
                let value = Evaluator::new(self.t, Unspecified::Default).eval(term);
                Some(match value {
                    Ok(value) => value_text(self.t, &value, self.t.sort_of(term)),
                    Err(_) => self.t.display(term).to_string(),
                })
            }
            _ => None,
        }
    }

    fn unsupported(&self) -> Result<(), ScriptError> {
        self.print(|out| writeln!(out, "unsupported"))
    }

    /// A command that cannot be carried out: the script goes on.
    pub(super) fn refuse(&mut self, why: &str) -> Result<(), ScriptError> {
        self.refused = true;
        let place = match self.part.filter(|_| self.manner.z3) {
            Some(part) => {
                let Position { line, column } = part.position(self.place.start);
                format!("line {line} column {column}: ")
            }
            None => String::new(),
        };
        let why = why.replace('"', "\"\"");
        self.print(|out| writeln!(out, "(error \"{place}{why}\")"))
    }
}

/// A term with the meanings of predicates in the place of their applications. Under quantifiers
/// nothing is replaced.
fn in_model(t: &Terms, system: &System, model: &Model, term: Term) -> Term {
    let is_quantifier = |part| matches!(t.op(part), Op::Forall | Op::Exists);
    if t.any_subterm(term, is_quantifier) {
        return term;
    }
    t.rewrite(term, |part| {
        let Op::Apply(func) = t.op(part) else {
            return part;
        };
        let mut preds = system.pred_ids();
        // A predicate that was declared after the check has no meaning in its model.
        let Some(pred) = preds.find(|&pred| system.pred(pred).func == func) else {
            return part;
        };
        model.get(pred).at(t, t.args(part))
    })
}

/// The reason in the words of Z3, where clients look for them.
fn z3_reason(reason: &UnknownReason) -> String {
    match reason {
        UnknownReason::Timeout => "timeout".to_owned(),
        UnknownReason::Work => "max. resource limit exceeded".to_owned(),
        UnknownReason::Interrupted => "canceled".to_owned(),
        other => other.to_string(),
    }
}
