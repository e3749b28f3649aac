//! Does every run of a program end?
//!
//! ```text
//! rounds := {}                                  known rounds of loops, with their states
//! loop:
//!     ranks := an order of measures for each loop that allows all rounds
//!     if there is none for a loop: can it be left from the state of its last round?
//!         no:  FALSE, by a run to this state
//!         yes: UNKNOWN
//!     is a round possible that the ranks do not allow?
//!         no:  TRUE
//!         yes: rounds := rounds + this round
//! ```
//!
//! Every question is one of safety about a program with checks at the heads of its loops and before
//! recursive calls ([`CProgram::with_ranks`], [`CProgram::with_state`]), so both verdicts rest on
//! certificates: a proof has invariants by which all rounds are allowed (\[CSZ13\]), and a run that
//! does not end is a run to a state, with a closed set of states around it (\[CCFNO14\]).
//!
//! Recursive calls are not part of \[CSZ13\]. A run without end in which each loop ends has an
//! infinite chain of calls, each made by the one before it, and from some point on, all of them are
//! within one cycle of functions that call each other. The measures of each call in that chain are
//! below those of its caller, which are bounded, so there is none.
//!
//! DIVERGENCE from \[CSZ13\]: measures are not synthesised by linear programming but chosen among
//! what the tests of the loop suggest.

use super::overflow::Overflow;
use super::rank::choose;
use super::verdict::Verdict;
use super::verifier::{Done, Session, Verifier};
use crate::cfront::{CProgram, EncodeOptions, ErrorRun, Invariant, Loops, Place, Round};
use crate::work::milliseconds;

/// Each question has a third of what is left. The value was not tuned.
const PART: u64 = 3;
/// Without a limit, each question has these ticks, about 30 s. The value was not tuned.
const QUESTION: u64 = milliseconds(30_000);
/// A search has at most 40 rounds. The value was not tuned.
const ROUNDS: usize = 40;
/// After a state, inputs are any, or all of them are one of these.
const INPUTS: [Option<i128>; 3] = [None, Some(0), Some(1)];

/// Why a loop, or a recursion, ends.
#[derive(Clone, Debug)]
pub struct LoopBound {
    /// Where the loop or the function begins.
    pub place: Place,
    /// The function that calls itself, where this is no loop.
    pub recursion: Option<String>,
    /// In each round, one of these becomes smaller, from a value that is at least 0, and none
    /// before it becomes larger.
    pub measures: Vec<String>,
}

/// What is known of the ends of runs.
#[derive(Clone, Debug)]
pub enum Termination {
    /// Every run ends.
    Ends {
        /// For each loop, why.
        bounds: Vec<LoopBound>,
        /// What holds at loop heads, and shows it.
        invariants: Vec<Invariant>,
        /// Whether signed operations can overflow, which the proof assumes not to happen.
        overflow: Overflow,
    },
    /// A run does not end: the run to a state from which no run does, or none with these inputs
    /// from then on, if there are any.
    Forever(Box<ErrorRun>, Option<i128>),
    /// Neither was shown, for this reason.
    Unknown(String),
    /// The verifier or an engine has a fault.
    Fault(String),
}

/// What is known of the ends of a program's runs, and what it has cost.
#[derive(Clone, Debug)]
pub struct Terminated {
    /// What is known.
    pub termination: Termination,
    /// The work, in ticks ([`crate::work`]).
    pub ticks: u64,
    /// The number of systems that were solved, or given up.
    pub questions: u32,
}

/// A search under way.
struct Search<'a> {
    verifier: &'a Verifier<'a>,
    encoding: EncodeOptions,
    loops: &'a Loops,
    session: Session<'a>,
    questions: u32,
}

impl Verifier<'_> {
    /// Does every run of the verifier's program end? Its error must be none: see
    /// [`CProgram::read_for`].
    pub fn terminates(&self, encoding: EncodeOptions) -> Terminated {
        let done = Done::default();
        let session = Session::new(self, &done);
        let loops = match self.program.loops() {
            Ok(loops) => loops,
            Err(name) => {
                let what =
                    format!("`{name}` calls itself by a pointer, whose end is not looked for");
                return Terminated {
                    termination: Termination::Unknown(what),
                    ticks: 0,
                    questions: 0,
                };
            }
        };
        let mut search = Search {
            verifier: self,
            encoding,
            loops: &loops,
            session,
            questions: 0,
        };
        let termination = search.run();
        Terminated {
            termination,
            ticks: search.session.limit.ticks(),
            questions: search.questions,
        }
    }
}

impl Search<'_> {
    fn run(&mut self) -> Termination {
        let mut rounds: Vec<Round> = Vec::new();
        let mut ranks: Vec<Vec<usize>> = (0..self.loops.count())
            .map(|number| {
                (self.loops.measures(number) > 0)
                    .then_some(0)
                    .into_iter()
                    .collect()
            })
            .collect();
        loop {
            let program = self.verifier.program.with_ranks(self.loops, &ranks, false);
            match self.ask(&program, self.verifier.asks_machine) {
                Verdict::True {
                    invariants,
                    overflow,
                } => {
                    return Termination::Ends {
                        bounds: self.bounds(&ranks),
                        invariants,
                        overflow,
                    };
                }
                Verdict::False(_) => {}
                Verdict::Unknown(reason) => return Termination::Unknown(reason),
                Verdict::Fault(reason) => return Termination::Fault(reason),
            }
            let round = match self.round(&ranks) {
                Ok(round) => round,
                Err(ended) => return ended,
            };
            log::info!(
                "{}: a round {:?} to {:?}",
                self.loops.place(round.number),
                round.before,
                round.after
            );
            let number = round.number;
            let repeats = round.before == round.after;
            rounds.push(round);
            let next = choose(self.loops, number, &rounds);
            let is_stuck = next.is_none() || rounds.len() >= ROUNDS;
            if let Some(rank) = next {
                ranks[number] = rank;
            }
            if is_stuck && self.recursion(number).is_some() {
                // A recursion without end comes to the end of the stack.
                return self.open(number);
            }
            if (is_stuck || repeats) && self.recursion(number).is_none() {
                let last = rounds.last().expect("one was pushed");
                match self.forever(last) {
                    Some(found) => return found,
                    None if is_stuck => return self.open(number),
                    None => {}
                }
            }
        }
    }

    fn open(&self, number: usize) -> Termination {
        let place = self.loops.place(number);
        let what = match self.recursion(number) {
            Some(name) => format!("the recursion of `{name}` ends"),
            None => "this loop ends".to_owned(),
        };
        Termination::Unknown(format!("{place}: it is not known whether {what}"))
    }

    fn recursion(&self, number: usize) -> Option<String> {
        self.loops.recursion(self.verifier.program, number)
    }

    fn bounds(&self, ranks: &[Vec<usize>]) -> Vec<LoopBound> {
        let bounds = ranks.iter().enumerate().map(|(number, rank)| LoopBound {
            place: self.loops.place(number).clone(),
            recursion: self.recursion(number),
            measures: (rank.iter())
                .map(|&at| self.loops.measure_text(self.verifier.program, number, at))
                .collect(),
        });
        bounds.collect()
    }

    /// A round that the ranks do not allow, with its states.
    fn round(&mut self, ranks: &[Vec<usize>]) -> Result<Round, Termination> {
        let program = self.verifier.program.with_ranks(self.loops, ranks, true);
        match self.ask(&program, false) {
            Verdict::False(run) => self.loops.round(&run).ok_or_else(|| {
                Termination::Unknown("the states of a round are not known".to_owned())
            }),
            Verdict::True { .. } => Err(Termination::Fault(
                "a round is possible, and is not".to_owned(),
            )),
            Verdict::Unknown(reason) => Err(Termination::Unknown(reason)),
            Verdict::Fault(reason) => Err(Termination::Fault(reason)),
        }
    }

    /// A run that does not end, through one of the states of a round.
    fn forever(&mut self, round: &Round) -> Option<Termination> {
        let mut states = vec![&round.after, &round.before];
        states.dedup();
        for state in states {
            for input in INPUTS {
                let [end, goal] =
                    (self.verifier.program).with_state(self.loops, round.number, state, input);
                match self.ask(&end, false) {
                    Verdict::True { .. } => {}
                    Verdict::Fault(reason) => return Some(Termination::Fault(reason)),
                    Verdict::False(_) | Verdict::Unknown(_) => continue,
                }
                // Only a run without a violation may come to the state.
                if let Verdict::False(run) = self.ask(&goal, false) {
                    return Some(Termination::Forever(Box::new(run), input));
                }
            }
        }
        None
    }

    /// Asks about a program, in a part of what is left.
    fn ask(&mut self, program: &CProgram, asks_machine: bool) -> Verdict {
        let left = self.session.limit.expected_left();
        let options = crate::portfolio::Options {
            budget: Some(left.map_or(QUESTION, |left| left / PART)),
            ..self.verifier.options.clone()
        };
        let verifier = Verifier {
            program,
            options: &options,
            asks_machine,
            ..*self.verifier
        };
        let verified = verifier.verify(self.encoding);
        self.session.limit.work().add(verified.ticks);
        self.questions += verified.questions;
        verified.verdict
    }
}
