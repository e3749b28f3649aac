//! A run to the error, executed: the harness is compiled and run before `FALSE` is printed.
//!
//! The harness is the user's program with the inputs of the run. It runs in an empty folder,
//! without input and output, for at most [`PATIENCE`] and in at most [`MEMORY`] kilobytes. A
//! violation of a property other than the program's error is what the sanitizers of the C compiler
//! report.

mod sanitize;

use super::verifier::Verifier;
use crate::cfront::{CProgram, DataModel, ErrorRun, Property, REACHED, compiler};
use crate::smt::Limit;
use sanitize::Sanitizer;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

/// A harness ends after 10 s. The value was not tuned.
const PATIENCE: Duration = Duration::from_secs(10);
/// A harness that must not end runs for 2 s. The value was not tuned.
const ENDLESS: Duration = Duration::from_secs(2);
/// A harness has 4 GB of address space.
const MEMORY: u64 = 4_000_000;
/// The time between two looks at a process.
const PERIOD: Duration = Duration::from_millis(5);
/// The options that a harness is compiled with.
const OPTIONS: [&str; 3] = ["-w", "-fwrapv", "-fgnu89-inline"];

/// What a program of 32 bits needs of the C library.
const FREESTANDING: &str = include_str!("freestanding.c");
/// A program without the C library: what it defines itself comes before what stands for that.
const FREESTANDING_OPTIONS: [&str; 9] = [
    "library.c",
    "-ffreestanding",
    "-fno-builtin",
    "-fno-stack-protector",
    "-fno-pie",
    "-no-pie",
    "-nostdlib",
    "-static",
    "-Wl,--allow-multiple-definition",
];

/// The file with the report of a sanitizer, beside the harness.
const REPORT: &str = "report.txt";
/// Standard output allocates no memory: that would be reported.
const UNBUFFERED: &str = "#include <stdio.h>
__attribute__((constructor)) static void horn_unbuffered(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
}
";

/// What the execution of a run says of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Confirmation {
    /// The machine takes the run to its end.
    Confirmed,
    /// The run was not executed to its end, for this reason.
    Open(String),
    /// The run was executed and does something else: the run's place, and what was seen.
    Contradicted(String),
}

impl Verifier<'_> {
    /// Compiles the harness of a run of the verifier's program and executes it, within the control
    /// of the verifier.
    ///
    /// The run violates the property that its end names. `FALSE` may be printed unless the run is
    /// [contradicted](Confirmation::Contradicted): then there may be a mistake. An operation on
    /// constants that has no defined result is carried out by the compiler itself, so that no
    /// execution contradicts it.
    ///
    /// The compiler may have no libraries for the program's data model. Then models stand for what
    /// the program needs of them; if that does not suffice, the harness is that of the machine's
    /// model.
    pub fn confirm(&self, run: &ErrorRun) -> Confirmation {
        let property = run.end.property().unwrap_or(Property::UnreachCall);
        match self.execute(run, property) {
            Confirmation::Contradicted(_) if run.end.is_folded() => Confirmation::Confirmed,
            Confirmation::Contradicted(why) => {
                let place = run.end.place();
                Confirmation::Contradicted(match property {
                    Property::UnreachCall => format!("{place}: a run to the error, but {why}"),
                    _ => format!("{place}: a violation of {property}: {why}"),
                })
            }
            confirmation => confirmation,
        }
    }

    fn execute(&self, run: &ErrorRun, property: Property) -> Confirmation {
        let folder = match Scratch::new() {
            Ok(folder) => folder,
            Err(error) => {
                return Confirmation::Open(format!("there is no folder for it: {error}"));
            }
        };
        let model = self.program.model();
        let width: &[&str] = match model {
            // The 8087 computes with more precision than floating-point types have.
            DataModel::Ilp32 if cfg!(any(target_arch = "x86", target_arch = "x86_64")) => {
                &["-m32", "-msse2", "-mfpmath=sse"]
            }
            DataModel::Ilp32 => &["-m32"],
            DataModel::Lp64 => &["-m64"],
        };
        let own = match usize::BITS {
            64 => DataModel::Lp64,
            _ => DataModel::Ilp32,
        };
        let sanitizer = Sanitizer::of(property);
        let laboratory = Laboratory {
            folder: &folder.0,
            sanitizer: sanitizer.as_ref(),
            // A run without end is watched for a while.
            patience: match property {
                Property::Termination => ENDLESS,
                _ => PATIENCE,
            },
            limit: Limit::new(self.control.deadline, self.control.stop.token().clone()),
        };
        let mut result = laboratory.execute(&self.program.harness(run), width, &[]);
        if matches!(result, Ok(Execution::NotCompiled)) && model == DataModel::Ilp32 {
            result = laboratory.execute_freestanding(&self.program.harness(run), width);
        }
        if matches!(result, Ok(Execution::NotCompiled)) {
            result = laboratory.execute(&self.program.harness_on(run, own), &[], &[]);
        }
        match result {
            Ok(Execution::Ended(status)) => laboratory.seen(status),
            Ok(Execution::TooLong) if property == Property::Termination => Confirmation::Confirmed,
            Ok(Execution::NotCompiled) => {
                Confirmation::Open("the program with the run's inputs does not compile".to_owned())
            }
            Ok(Execution::TooLong) => Confirmation::Open("its execution takes too long".to_owned()),
            Err(reason) => Confirmation::Open(reason),
        }
    }
}

/// How an execution ends.
enum Execution {
    NotCompiled,
    TooLong,
    Ended(ExitStatus),
}

/// Where and how harnesses are executed.
struct Laboratory<'a> {
    folder: &'a Path,
    sanitizer: Option<&'a Sanitizer>,
    /// The time after which an execution is ended.
    patience: Duration,
    /// Ends the work.
    limit: Limit,
}

impl Laboratory<'_> {
    /// What an execution shows that has ended.
    fn seen(&self, status: ExitStatus) -> Confirmation {
        let report = std::fs::read(self.folder.join(REPORT)).unwrap_or_default();
        let is_seen = match self.sanitizer {
            Some(sanitizer) => sanitizer.reports(&String::from_utf8_lossy(&report)),
            None => status.code() == Some(i32::from(REACHED)),
        };
        match (is_seen, self.sanitizer) {
            (true, _) => Confirmation::Confirmed,
            (false, None) => Confirmation::Contradicted(format!("executed, it ends with {status}")),
            (false, Some(_)) => {
                Confirmation::Contradicted("executed, no sanitizer reports it".to_owned())
            }
        }
    }

    /// Compiles a harness together with what it needs of the C library, for 32 bits on x86, and
    /// runs it. A sanitizer needs the library as it is.
    fn execute_freestanding(&self, harness: &str, width: &[&str]) -> Result<Execution, String> {
        if self.sanitizer.is_some() || !cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
            return Ok(Execution::NotCompiled);
        }
        let library = [FREESTANDING, &CProgram::freestanding_library()].concat();
        std::fs::write(self.folder.join("library.c"), library).map_err(|e| e.to_string())?;
        let executed = self.execute(harness, width, &FREESTANDING_OPTIONS)?;
        Ok(match executed {
            // The shell says so of what the system does not execute.
            Execution::Ended(status) if matches!(status.code(), Some(126 | 127)) => {
                Execution::NotCompiled
            }
            executed => executed,
        })
    }

    /// Compiles a harness with these options more, and runs it.
    fn execute(&self, harness: &str, width: &[&str], more: &[&str]) -> Result<Execution, String> {
        let Laboratory {
            folder, sanitizer, ..
        } = self;
        std::fs::write(folder.join("harness.c"), harness).map_err(|e| e.to_string())?;
        let mut command = compiler();
        command.args(OPTIONS).args(width);
        if let Some(sanitizer) = sanitizer {
            std::fs::write(folder.join("unbuffered.c"), UNBUFFERED).map_err(|e| e.to_string())?;
            command.args(sanitizer.options);
            command.args(["-fno-sanitize-recover=all", "unbuffered.c"]);
        }
        command
            .args(["-o", "harness", "harness.c"])
            .args(if more.is_empty() { &["-lm"] } else { more })
            .current_dir(folder);
        let child = silent(&mut command).spawn().map_err(|e| {
            let compiler = command.get_program().display();
            format!("the C compiler `{compiler}` cannot be run: {e}")
        })?;
        match self.wait(child, PATIENCE).map_err(|e| e.to_string())? {
            Some(status) if status.success() => {}
            Some(_) => return Ok(Execution::NotCompiled),
            None => return Err("the C compiler takes too long".to_owned()),
        }
        let mut command = Command::new("sh");
        let limit = match sanitizer {
            Some(sanitizer) if sanitizer.reserves => String::new(),
            _ => format!("ulimit -v {MEMORY}; "),
        };
        let script = format!("{limit}ulimit -c 0; exec ./harness 2>{REPORT}");
        command.args(["-c", &script]).current_dir(folder);
        if let Some(sanitizer) = sanitizer {
            command.envs(sanitizer.environment.iter().copied());
        }
        let child = silent(&mut command).spawn().map_err(|e| e.to_string())?;
        let ended = self.wait(child, self.patience).map_err(|e| e.to_string())?;
        Ok(ended.map_or(Execution::TooLong, Execution::Ended))
    }

    /// Waits for a process, which is ended when its time is over or the work must end.
    fn wait(&self, mut child: Child, patience: Duration) -> io::Result<Option<ExitStatus>> {
        let limit = self.limit.within(patience);
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            if limit.check().is_err() {
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
            std::thread::sleep(PERIOD);
        }
    }
}

fn silent(command: &mut Command) -> &mut Command {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
}

/// A new folder, which is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> io::Result<Scratch> {
        let mut attempt = 0;
        loop {
            let name = format!("c2horn-{}-{attempt}", std::process::id());
            let path = std::env::temp_dir().join(name);
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(Scratch(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => {
                    attempt += 1;
                }
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
