//! Carries out commands.

use super::refusal::Refusal;
use super::response::Response;
use super::session::{Assertion, Interpreter, Last};
use super::settings::InterpreterSettings;
use crate::chc::Span;
use crate::smt::Outcome;
use crate::smtlib::elab::ElabErrorKind;
use crate::smtlib::{Issue, ReadError, SmtOption, SmtStep};
use crate::term::Term;

impl<'s> Interpreter<'_, 's> {
    /// Carries out the next command; `None` at the end of the source. An `exit` ends the script.
    ///
    /// # Errors
    /// The text is wrong at this place. The script has ended then.
    pub fn next_response(&mut self) -> Result<Option<Response<'s>>, ReadError> {
        if self.ended {
            return Ok(None);
        }
        let next = self.reader.next_step();
        self.ended = matches!(next, Err(_) | Ok(Some((SmtStep::Exit, _))));
        let Some((step, span)) = next? else {
            return Ok(None);
        };
        Ok(Some(match self.step(step) {
            Ok(Response::Silent) if self.settings.print_success => Response::Success,
            Ok(response) => response,
            Err(Refusal::Unsupported(why)) => Response::Unsupported(Some(why)),
            Err(Refusal::Error(why)) => {
                let issue = Issue::Meaning(ElabErrorKind::Command(why));
                Response::Refused(ReadError::new(self.source, issue, span))
            }
        }))
    }

    fn step(&mut self, step: SmtStep) -> Result<Response<'s>, Refusal> {
        match step {
            SmtStep::Check(assumptions) => return Ok(self.check(&assumptions)),
            SmtStep::GetModel => return self.get_model(),
            SmtStep::GetValue(terms) => return self.get_value(&terms),
            SmtStep::GetUnsatCore => return self.get_unsat_core(),
            SmtStep::GetUnsatAssumptions => return self.get_unsat_assumptions(),
            SmtStep::GetProof => return self.get_proof(),
            SmtStep::GetInterpolants(parts) => return self.get_interpolants(&parts),
            SmtStep::GetInfo(keyword) => return self.get_info(keyword),
            SmtStep::GetAssertions => {
                let texts = self.assertions().map(|assertion| assertion.text);
                return Ok(Response::Assertions(texts.collect()));
            }
            SmtStep::Echo(text) => return Ok(Response::Echo(text)),
            SmtStep::Unsupported(_) => return Ok(Response::Unsupported(None)),
            SmtStep::Assert {
                formula,
                name,
                text,
            } => {
                let text = self.source.slice(text);
                self.assert(Assertion {
                    formula,
                    name,
                    text,
                });
            }
            SmtStep::Push(levels) => self.push(levels),
            SmtStep::Pop(levels) => self.pop(levels),
            SmtStep::SetOption(option) => {
                self.settings.set(option);
                if let SmtOption::ProduceUnsatCores(_) = option {
                    self.rebuild();
                }
            }
            SmtStep::Reset => {
                self.settings = InterpreterSettings::default();
                self.clear();
            }
            SmtStep::ResetAssertions => self.clear(),
            SmtStep::Declared | SmtStep::SetLogic(_) | SmtStep::SetInfo | SmtStep::Exit => {}
        }
        Ok(Response::Silent)
    }

    /// Can the assertions and these assumptions be true together?
    fn check(&mut self, assumptions: &[(Term, Span)]) -> Response<'s> {
        let mut all: Vec<Term> = self.tracked().collect();
        all.extend(assumptions.iter().map(|&(formula, _)| formula));
        self.solver.set_limit(self.limit());
        let solver = &mut self.solver;
        let outcome = self
            .tally
            .time(|| solver.check(format_args!("the script's question"), &all));
        self.tally.count(&outcome);
        let (response, last) = match outcome {
            Outcome::Sat => (Response::Sat, Last::Sat),
            Outcome::Unsat => {
                let source = self.source;
                let text = |&(formula, span): &(Term, Span)| (formula, source.slice(span));
                let assumptions = assumptions.iter().map(text).collect();
                (Response::Unsat, Last::Unsat(assumptions))
            }
            Outcome::Unknown(why) => (Response::Unknown(why.clone()), Last::Unknown(why)),
        };
        self.last = last;
        response
    }
}
