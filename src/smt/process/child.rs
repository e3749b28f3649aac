//! A solver process and the conversation with it: requests of any number of commands, answered in
//! step.
//!
//! Every request ends with an `echo` of a token that was never used before, and what the process
//! says up to that token belongs to the request, nothing else. So an error of an earlier command is
//! seen before the answer of a later one is believed, without a `success` for each command, and a
//! solver that answers twice or too late is found out at once.

use super::process_id::ProcessId;
use super::sexpr::Scanner;
use super::watchdog::Watchdog;
use crate::smt::commands::Commands;
use crate::smt::dump::Dump;
use crate::smt::{Failure, Limit};
use crate::work;
use rsmt2::{SmtConf, Solver};
use std::io::{Read, Write};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// An answer of more bytes than this is nonsense.
const LONGEST_ANSWER: usize = 1 << 28;
/// Bytes read at once.
const CHUNK: usize = 1 << 16;
/// No token is longer, with quotes and line ends.
const TAIL: usize = 64;
/// A process has this multiple of the time that its ticks stand for, and [`LEAST_TIME`]. The value
/// was not tuned.
const OVERTIME: u32 = 10;
/// No process with a budget of ticks is ended before. Starting takes up to a second on a busy
/// machine.
const LEAST_TIME: Duration = Duration::from_secs(3);
/// How much of what a solver said goes into an error.
const QUOTED: usize = 300;

/// How to start a solver.
#[derive(Clone, Debug)]
pub(super) struct Launch {
    /// The program and its arguments.
    pub(super) command: Vec<String>,
    /// Found out when the first process is started: to try programs takes longer than to solve a
    /// small system without a solver.
    control: Arc<OnceLock<Control>>,
}

/// The means by which this system lets us keep a process under control.
#[derive(Debug)]
struct Control {
    /// Programs that are put before the command.
    prefix: Vec<String>,
    leads_group: bool,
}

impl Control {
    /// Tries which means there are.
    ///
    /// `setsid` makes a process the leader of a new process group. A solver that is a script dies
    /// together with the processes that it started, and an interrupt typed at the terminal reaches
    /// only us. `setpriv --pdeathsig` makes the kernel end it when we are killed; without it, it
    /// ends when it next reads its standard input.
    fn of_this_system() -> Control {
        let works = |words: &[&str]| {
            let mut test = std::process::Command::new(words[0]);
            test.args(&words[1..]).arg("true");
            test.stdin(std::process::Stdio::null());
            test.output().is_ok_and(|out| out.status.success())
        };
        let mut prefix = Vec::new();
        let mut take = |words: &[&str]| {
            let there = works(words);
            if there {
                prefix.extend(words.iter().map(|&w| w.to_owned()));
            }
            there
        };
        let leads_group = take(&["setsid"]);
        take(&["setpriv", "--pdeathsig", "KILL"]);
        Control {
            prefix,
            leads_group,
        }
    }
}

impl Launch {
    /// By that command.
    pub(super) fn new(command: Vec<String>) -> Launch {
        Launch {
            command,
            control: Arc::default(),
        }
    }

    fn control(&self) -> &Control {
        self.control.get_or_init(Control::of_this_system)
    }

    /// The configuration with which rsmt2 starts the process: a shell that prints its id, sends the
    /// solver's standard error to a file that never blocks, and then becomes the solver. The
    /// module's documentation says why rsmt2 does not start the solver itself.
    fn configuration(&self) -> SmtConf {
        // The only preset of rsmt2 that puts no arguments before those of the shell. The arguments
        // of the solver's own preset are in the command already.
        let mut conf = SmtConf::yices_2("/bin/sh");
        conf.option("-c")
            .option("echo \"$$\"; exec \"$@\" 2>/dev/null")
            .option("sh");
        for word in self.control().prefix.iter().chain(&self.command) {
            conf.option(word.as_str());
        }
        conf
    }
}

/// Why a request failed. The process is of no more use, whatever it is.
#[derive(Debug)]
pub(super) enum Fault {
    /// It ended by itself or was killed by somebody else.
    Died(String),
    /// It said what it should not have said.
    Protocol(String),
    /// For a reason of ours: the limit was reached and we killed it, or a formula cannot be sent.
    Failed(Failure),
}

/// A living solver process, ended and reaped when dropped.
pub(super) struct Child {
    solver: Solver<()>,
    process: ProcessId,
    /// Output of the process that was not parsed yet.
    heard: Vec<u8>,
    /// Where bytes arrive.
    chunk: Box<[u8]>,
    scanner: Scanner,
    requests: u64,
    /// Commands for the next request.
    pending: Commands,
    /// Keeps all commands sent to the process.
    pub(super) dump: Dump,
}

/// The limit of a request, and a deadline where there is a budget of ticks.
///
/// Solvers with a measure of work know their part of the ticks, and end by themselves. Some do not
/// keep to that, and others have no measure. What takes much longer than the ticks stand for on a
/// slow machine is ended by the clock, so that a run with a budget has an end.
fn with_overtime(limit: &Limit) -> Limit {
    match limit.ticks_left() {
        Some(left) => limit.within(work::to_duration(left) * OVERTIME + LEAST_TIME),
        None => limit.clone(),
    }
}

impl Child {
    /// Starts a process.
    pub(super) fn start(launch: &Launch, mut dump: Dump) -> Result<Child, Fault> {
        dump.comment(format_args!("{}", launch.command.join(" ")));
        let broken = |e: rsmt2::errors::Error| Fault::Died(format!("cannot start it: {e}"));
        let mut solver = Solver::new(launch.configuration(), ()).map_err(broken)?;
        let process = Self::read_id(&mut solver)
            .and_then(|number| ProcessId::new(number, launch.control().leads_group))
            .ok_or_else(|| Fault::Died("the shell that starts it does not run".to_owned()))?;
        Ok(Child {
            solver,
            process,
            heard: Vec::new(),
            chunk: vec![0; CHUNK].into(),
            scanner: Scanner::default(),
            requests: 0,
            pending: Commands::default(),
            dump,
        })
    }

    /// The line that the starting shell writes, and not one byte more.
    fn read_id(solver: &mut Solver<()>) -> Option<i32> {
        let mut line = String::new();
        let mut byte = [0];
        while solver.read(&mut byte).ok()? == 1 && byte != *b"\n" {
            line.push(byte[0].into());
            if line.len() > 20 {
                return None;
            }
        }
        line.parse().ok()
    }

    /// The process's number.
    pub(super) fn id(&self) -> i32 {
        self.process.number()
    }

    /// Puts commands before those of the next request. So nothing is sent, which may block, but in
    /// requests.
    pub(super) fn tell(&mut self, commands: &Commands) {
        self.dump.commands(commands);
        self.pending.append(commands);
    }

    /// Sends commands and answers what the process said to them, once it has dealt with all of
    /// them.
    pub(super) fn request(
        &mut self,
        commands: &Commands,
        limit: &Limit,
        watchdog: &Watchdog,
    ) -> Result<String, Fault> {
        let watch = watchdog.watch(self.process, &with_overtime(limit));
        let answer = self.converse(commands);
        let answer = match watch.finish() {
            Some(failure) => {
                if limit.check().is_ok() {
                    // The solver did not keep its part of the ticks, so they are spent.
                    work::spend(limit.ticks_left().unwrap_or(0));
                }
                Err(Fault::Failed(failure))
            }
            None => answer,
        };
        if let Err(fault) = &answer {
            self.dump.comment(format_args!("{fault:?}"));
        }
        answer
    }

    fn converse(&mut self, commands: &Commands) -> Result<String, Fault> {
        self.requests += 1;
        let token = format!("k{}", self.requests);
        self.tell(commands);
        let mut end = Commands::default();
        end.echo(&token);
        self.tell(&end);
        let commands = std::mem::take(&mut self.pending);
        let sent = self
            .solver
            .write_all(commands.as_bytes())
            .and_then(|()| self.solver.flush());
        // An error means that the process closed the pipe; its reason may have been printed before.
        match (sent, self.listen(&token)) {
            (_, Err(fault)) => Err(fault),
            (Err(error), Ok(_)) => Err(Fault::Died(error.to_string())),
            (Ok(()), Ok(answer)) => Ok(answer),
        }
    }

    /// Reads up to the token.
    fn listen(&mut self, token: &str) -> Result<String, Fault> {
        loop {
            while let Some(found) = self.scanner.next(&self.heard) {
                if unquoted(&self.heard[found.clone()]) == token.as_bytes() {
                    return self.take_answer(found.start, found.end);
                }
            }
            // The token is alone on a line, and yet inside something: parentheses or quotes do not
            // match.
            let tail = &self.heard[self.heard.len().saturating_sub(TAIL)..];
            let last_line = tail.trim_ascii_end().rsplit(|&b| b == b'\n').next();
            if last_line.map(unquoted) == Some(token.as_bytes()) && self.heard.ends_with(b"\n") {
                return Err(self.protocol_fault("words that do not fit together"));
            }
            if self.heard.len() > LONGEST_ANSWER {
                return Err(self.protocol_fault("an endless answer"));
            }
            match self.solver.read(&mut self.chunk) {
                Ok(0) => {
                    let said = quoted(&self.heard);
                    return Err(if said.contains("(error") {
                        Fault::Protocol(said)
                    } else {
                        Fault::Died(format!("it ended{}", after(&said)))
                    });
                }
                Ok(n) => self.heard.extend_from_slice(&self.chunk[..n]),
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(e) => return Err(Fault::Died(e.to_string())),
            }
        }
    }

    /// Splits off the answer before the token; nothing but white space may follow the token.
    fn take_answer(&mut self, token_start: usize, token_end: usize) -> Result<String, Fault> {
        let rest = &self.heard[token_end..];
        if !rest.iter().all(u8::is_ascii_whitespace) {
            return Err(self.protocol_fault("words nobody asked for"));
        }
        self.heard.truncate(token_start);
        self.scanner.reset();
        String::from_utf8(std::mem::take(&mut self.heard))
            .map_err(|e| Fault::Protocol(format!("not text: {}", quoted(e.as_bytes()))))
    }

    fn protocol_fault(&self, what: &str) -> Fault {
        Fault::Protocol(format!("{what}: {}", quoted(&self.heard)))
    }
}

impl Drop for Child {
    /// Ends the process. rsmt2 reaps it when its handle is dropped next, and need not wait since it
    /// has ended by then.
    fn drop(&mut self) {
        self.process.kill();
        self.process.wait_for_end();
    }
}

/// A word without the quotation marks around it: some solvers print them, others do not.
fn unquoted(word: &[u8]) -> &[u8] {
    let inner = word.strip_prefix(b"\"");
    inner.and_then(|w| w.strip_suffix(b"\"")).unwrap_or(word)
}

/// The beginning of what a solver said, on one line.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let start = &bytes[..bytes.len().min(QUOTED)];
    let text = String::from_utf8_lossy(start);
    let words: Vec<&str> = text.split_whitespace().collect();
    let dots = if bytes.len() > QUOTED { " …" } else { "" };
    words.join(" ") + dots
}

fn after(said: &str) -> String {
    if said.is_empty() {
        String::new()
    } else {
        format!(" after it said: {said}")
    }
}
