//! Carries out commands.

use super::questions::WORK_LIMIT;
use super::refusal::Refusal;
use super::response::Response;
use super::session::{Assertion, Interpreter, Last};
use super::settings::InterpreterSettings;
use crate::chc::Span;
use crate::smt::{Failure, SatResult};
use crate::smtlib::elab::ElabErrorKind;
use crate::smtlib::{Issue, ReadError, SmtOption, SmtStep};
use crate::term::{Op, Term};

/// Why a check is not answered by `sat`.
const INCOMPLETE: &str = "a command before was not understood";
const INFINITE_SORTS: &str = "constant arrays over a sort of which it is not known how large it is";

impl<'s> Interpreter<'_, 's> {
    /// Carries out the next command; `None` at the end of the source. An `exit` ends the script.
    ///
    /// # Errors
    /// The text is wrong at this place. The script has ended then, unless it is answered as Z3
    /// does.
    pub fn next_response(&mut self) -> Result<Option<Response<'s>>, ReadError> {
        if self.ended {
            return Ok(None);
        }
        let next = self.reader.next_step();
        self.ended = matches!(next, Err(_) | Ok(Some((SmtStep::Exit, _))));
        let (step, span) = match next {
            Ok(None) => return Ok(None),
            Ok(Some(step)) => step,
            Err(error) => return self.pass_over(error).map(Some),
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

    /// Goes on behind a command with an error, where Z3 does.
    fn pass_over(&mut self, error: ReadError) -> Result<Response<'s>, ReadError> {
        if !self.z3 || !self.reader.recover(&error) {
            return Err(error);
        }
        self.ended = false;
        Ok(match error.issue().is_unknown_command() {
            true => Response::Unsupported(None),
            false => Response::Refused(error),
        })
    }

    fn step(&mut self, step: SmtStep) -> Result<Response<'s>, Refusal> {
        match step {
            SmtStep::Check(assumptions) => return Ok(self.check(&assumptions)),
            SmtStep::GetModel => return self.get_model(),
            SmtStep::GetValue(terms) => return self.get_value(&terms),
            SmtStep::Eval(term) => return self.eval(term),
            SmtStep::Simplify(term) => return Ok(Response::Simplified(term)),
            SmtStep::GetUnsatCore => return self.get_unsat_core(),
            SmtStep::GetUnsatAssumptions => return self.get_unsat_assumptions(),
            SmtStep::GetProof => return self.get_proof(),
            SmtStep::GetInterpolants(parts) => return self.get_interpolants(&parts),
            SmtStep::GetInfo(keyword) => return self.get_info(keyword),
            SmtStep::GetAssertions => {
                let texts = self.assertions().map(|assertion| assertion.text);
                return Ok(Response::Assertions(texts.collect()));
            }
            SmtStep::Echo(text) if self.z3 => return Ok(Response::Line(text)),
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

    /// May the assertions and these assumptions be unsatisfiable only because the embedded core
    /// takes uninterpreted sorts to be infinite? Constant arrays with different elements differ,
    /// whatever is stored to them, unless the sort of their indices is small.
    fn needs_infinite_sorts(&self, assumptions: &[Term]) -> bool {
        let t = self.t;
        let is_open = |term| t.op(term) == Op::ConstArray && t.has_open_equality(t.sort_of(term));
        let asserted = self.assertions().map(|assertion| assertion.formula);
        let roots = asserted.chain(assumptions.iter().copied());
        self.backend.is_native() && t.post_order(roots).any(is_open)
    }

    /// Can the assertions and these assumptions be true together?
    fn check(&mut self, assumptions: &[(Term, Span)]) -> Response<'s> {
        let mut all: Vec<Term> = self.tracked().collect();
        all.extend(assumptions.iter().map(|&(formula, _)| formula));
        let limit = self.limit();
        self.solver.set_limit(limit.clone());
        let solver = &mut self.solver;
        let outcome = self
            .tally
            .time(|| solver.check(format_args!("the script's question"), &all));
        let outcome = match outcome {
            SatResult::Sat if self.reader.is_incomplete() => {
                SatResult::Unknown(Failure::Incomplete(INCOMPLETE.to_owned()))
            }
            SatResult::Unsat if self.needs_infinite_sorts(&all) => {
                SatResult::Unknown(Failure::Incomplete(INFINITE_SORTS.to_owned()))
            }
            SatResult::Unknown(Failure::Timeout) if limit.ticks_left() == Some(0) => {
                SatResult::Unknown(Failure::Incomplete(WORK_LIMIT.to_owned()))
            }
            outcome => outcome,
        };
        self.tally.count(&outcome);
        let (response, last) = match outcome {
            SatResult::Sat => (Response::Sat, Last::Sat),
            SatResult::Unsat => {
                let source = self.source;
                let text = |&(formula, span): &(Term, Span)| (formula, source.slice(span));
                let assumptions = assumptions.iter().map(text).collect();
                (Response::Unsat, Last::Unsat(assumptions))
            }
            SatResult::Unknown(why) => (Response::Unknown(why.clone()), Last::Unknown(why)),
        };
        self.last = last;
        response
    }
}
