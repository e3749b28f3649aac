//! A context: the stack of assertions, which is the truth, and the way to a process that follows
//! it.

use super::child::Fault;
use super::link::Link;
use super::session::CheckRequest;
use crate::smt::follow::{Assume, Frame};
use crate::smt::{Failure, Limit, SatResult, Solver};
use crate::term::{Sort, Substitution, Term, Terms, Value};
use crate::work;
use std::fmt::Arguments;

/// An incremental solver that is a separate process; see the module's documentation.
pub struct ProcessSolver<'t> {
    link: Link<'t>,
    frames: Vec<Frame>,
    frames_made: u64,
    last: Last,
    /// Was anything asserted that has arrays?
    has_arrays: bool,
    /// Was the last question decided anew?
    anew: bool,
    /// The ticks that the process may spend on an incremental query before it restarts the query
    /// from scratch.
    patience: u64,
}

/// The ticks of a first attempt at the beginning. They are halved each time that they were not
/// enough. Tried: queries about arrays of arrays with dozens of disjuncts took Z3's incremental
/// solver minutes, and 50 ms where it solved equations first. The value was not tuned.
const PATIENCE: u64 = work::milliseconds(500);
/// The ticks of a first attempt are never fewer. The value was not tuned.
const LEAST_PATIENCE: u64 = work::milliseconds(60);
/// Each attempt at a question may cost 4 times what the one before might. The value was not tuned.
const GROWTH: u64 = 4;

/// What the last check answered, as long as the stack is unchanged.
enum Last {
    /// Neither a model nor a core can be asked for.
    Nothing,
    /// There is a model. The values that were told are kept, so that where the process is lost
    /// another one finds a model that agrees with them.
    Sat {
        assumptions: Vec<Term>,
        /// `None` when they were elements of uninterpreted sorts, which cannot be written.
        told: Option<Vec<Term>>,
    },
    /// There is none.
    Unsat {
        assumptions: Vec<Term>,
        core: Option<Vec<Term>>,
    },
}

impl<'t> ProcessSolver<'t> {
    /// A context without assertions.
    pub(super) fn new(link: Link<'t>) -> Self {
        ProcessSolver {
            link,
            frames: vec![Frame::default()],
            frames_made: 0,
            last: Last::Nothing,
            has_arrays: false,
            anew: false,
            patience: PATIENCE,
        }
    }

    /// How these assumptions are made.
    fn assume(&self, assumptions: &[Term]) -> Assume {
        let way = match self.anew {
            true => Assume::Named,
            false => self.link.shared.assume,
        };
        way.these(self.link.terms, assumptions)
    }

    /// Asks a question in a dialogue, and anew where that takes long, in turns that take longer and
    /// longer.
    fn ask(&mut self, about: Arguments<'_>, assumptions: &[Term]) -> SatResult {
        self.anew = false;
        // Without arrays the dialogue was never seen to lose.
        let can_ask_anew = self.has_arrays && self.link.shared.settings.anew.is_some();
        let whole = self.link.limit.clone();
        let mut ticks = self.patience;
        loop {
            if can_ask_anew {
                self.link.limit = whole.part(ticks);
            }
            let outcome = self.ask_once(about, assumptions);
            self.link.limit = whole.clone();
            let again = match outcome {
                SatResult::Unknown(Failure::Timeout) => true,
                SatResult::Unknown(Failure::Incomplete(_)) => !self.anew,
                _ => false,
            };
            if !again || !can_ask_anew || whole.check().is_err() {
                return outcome;
            }
            if !self.anew {
                self.patience = (self.patience / 2).max(LEAST_PATIENCE);
            }
            self.anew = !self.anew;
            ticks = ticks.saturating_mul(GROWTH);
        }
    }

    fn ask_once(&mut self, about: Arguments<'_>, assumptions: &[Term]) -> SatResult {
        let question = CheckRequest {
            frames: &self.frames,
            assumptions,
            declare: &[],
            assume: self.assume(assumptions),
            anew: self.anew,
            about,
        };
        let asked = self
            .link
            .work(|session, talk| session.check(talk, &question));
        asked.unwrap_or_else(SatResult::Unknown)
    }

    fn read_values(&mut self, terms: &[Term]) -> Result<Vec<Value>, Failure> {
        let Last::Sat { assumptions, told } = &self.last else {
            return Err(Failure::Broken("values without a model".to_owned()));
        };
        let t = self.link.terms;
        let again: Option<Vec<Term>> = told.as_ref().map(|told| {
            let told = told.iter().copied();
            assumptions.iter().copied().chain(told).collect()
        });
        let question = again.as_ref().map(|again| CheckRequest {
            frames: &self.frames,
            assumptions: again,
            declare: terms,
            assume: Assume::Named,
            anew: self.anew,
            about: format_args!("the same model again"),
        });
        self.link.work(|session, talk| {
            let unknown = session.undeclared(t, terms);
            let defaults: Option<Vec<Term>> = unknown.iter().map(|&v| default(t, v)).collect();
            // A variable that no assertion mentions may have any value: where that can be written,
            // it is not asked for.
            let asked = match (defaults, &question) {
                (Some(defaults), _) if session.answered > 0 => {
                    let pairs = std::iter::zip(unknown, defaults);
                    let mut with_defaults = Substitution::new(t, pairs);
                    terms.iter().map(|&x| with_defaults.apply(x)).collect()
                }
                (_, Some(question)) => {
                    session.check_again(talk, question, &SatResult::Sat)?;
                    terms.to_vec()
                }
                (_, None) => {
                    let lost = Failure::Broken("the model was lost".to_owned());
                    return Err(Fault::Failed(lost));
                }
            };
            // What has become ground is not asked for either: its symbols may never have been
            // declared.
            let ground: Vec<Option<Value>> =
                asked.iter().map(|&x| t.ground_value(x).ok()).collect();
            let open = std::iter::zip(&asked, &ground).filter(|(_, value)| value.is_none());
            let open: Vec<Term> = open.map(|(&x, _)| x).collect();
            let answers = if open.is_empty() {
                Ok(Vec::new())
            } else {
                session.values(talk, &open)?
            };
            Ok(answers.map(|answers| {
                let mut answers = answers.into_iter();
                let value = |ground: Option<Value>| ground.or_else(|| answers.next());
                ground.into_iter().filter_map(value).collect()
            }))
        })?
    }

    fn read_core(&mut self) -> Result<Vec<Term>, Failure> {
        let assumptions = match &self.last {
            Last::Unsat {
                core: Some(core), ..
            } => return Ok(core.clone()),
            Last::Unsat { assumptions, .. } => assumptions,
            _ => return Err(Failure::Broken("a core without a contradiction".to_owned())),
        };
        let question = CheckRequest {
            frames: &self.frames,
            assumptions,
            declare: &[],
            assume: self.assume(assumptions),
            anew: self.anew,
            about: format_args!("the same contradiction again, for its core"),
        };
        self.link.work(|session, talk| {
            if session.answered == 0 {
                session.check_again(talk, &question, &SatResult::Unsat)?;
            }
            if let Some(core) = session.core(talk, &question)? {
                return Ok(core);
            }
            // It was said in words that are not ours: names are unmistakable.
            let question = CheckRequest {
                assume: Assume::Named,
                ..question
            };
            session.check_again(talk, &question, &SatResult::Unsat)?;
            let core = session.core(talk, &question)?;
            core.ok_or_else(|| Fault::Protocol("a core of unknown names".to_owned()))
        })
    }
}

/// A value for a variable, `None` where the sort has none that can be written.
fn default(t: &Terms, var: Term) -> Option<Term> {
    let sort = t.sort_of(var);
    let value = t.value_term(&t.default_value(sort)?, sort);
    t.vars([value]).is_empty().then_some(value)
}

impl Solver for ProcessSolver<'_> {
    fn push(&mut self) {
        self.last = Last::Nothing;
        self.frames_made += 1;
        self.frames.push(Frame {
            id: self.frames_made,
            formulas: Vec::new(),
        });
    }

    fn pop(&mut self) {
        assert!(self.frames.len() > 1, "pop without push");
        self.last = Last::Nothing;
        self.frames.pop();
    }

    fn assert(&mut self, formula: Term) {
        debug_assert_eq!(self.link.terms.sort_of(formula), Sort::BOOL);
        self.last = Last::Nothing;
        let t = self.link.terms;
        let is_array = |x| t.array_parts(t.sort_of(x)).is_some();
        self.has_arrays = self.has_arrays || t.any_subterm(formula, is_array);
        let frame = self.frames.last_mut().expect("the outermost scope stays");
        frame.formulas.push(formula);
    }

    fn check(&mut self, about: Arguments<'_>, assumptions: &[Term]) -> SatResult {
        self.last = Last::Nothing;
        let outcome = self.ask(about, assumptions);
        self.last = match outcome {
            SatResult::Sat => Last::Sat {
                assumptions: assumptions.to_vec(),
                told: Some(Vec::new()),
            },
            SatResult::Unsat => Last::Unsat {
                assumptions: assumptions.to_vec(),
                core: assumptions.is_empty().then(Vec::new),
            },
            SatResult::Unknown(_) => Last::Nothing,
        };
        outcome
    }

    fn values(&mut self, terms: &[Term]) -> Result<Vec<Value>, Failure> {
        if terms.is_empty() {
            // SMT-LIB has no `get-value` without terms.
            return Ok(Vec::new());
        }
        let values = self.read_values(terms)?;
        if let Last::Sat { told, .. } = &mut self.last {
            let t = self.link.terms;
            for (&term, value) in std::iter::zip(terms, &values) {
                let value = t.value_term(value, t.sort_of(term));
                if t.vars([value]).is_empty() {
                    told.iter_mut()
                        .for_each(|told| told.push(t.eq(term, value)));
                } else {
                    *told = None;
                }
            }
        }
        Ok(values)
    }

    fn core(&mut self) -> Result<Vec<Term>, Failure> {
        let found = self.read_core()?;
        if let Last::Unsat { core, .. } = &mut self.last {
            *core = Some(found.clone());
        }
        Ok(found)
    }

    fn set_limit(&mut self, limit: Limit) {
        self.link.limit = limit;
    }
}
