//! Finding the external solver.

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The environment variable that says which solver is wanted.
const VARIABLE: &str = "HORN_SOLVER";
/// The folder of a project where `scripts/setup` puts solvers.
const TOOLS: &str = ".tools/bin";
/// What is looked for where nothing is said, in this order.
const NAMES: [&str; 2] = ["z3", "cvc5"];
/// The name by which the embedded core is wanted.
pub(super) const NATIVE: &str = "native";
/// What the version texts of this program have, under whatever name it answers.
const OWN_VERSION: &str = "(horn-solve ";
/// How long a program may take to tell its version.
const VERSION_TIME: Duration = Duration::from_secs(3);

/// An external solver, and why it was chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverChoice {
    /// The file name of the program, by which its settings are chosen: those of Z3 or cvc5 where it
    /// contains that name.
    pub name: String,
    /// The program, and its arguments if they were given. Without arguments, those of its settings
    /// are used.
    pub command: Vec<String>,
    /// Where it was found, for people.
    pub found: String,
}

/// No solver was found; the message says where it was looked for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct SolverNotFound(String);

/// Finds the solver: what is `wanted`, else what the environment variable `HORN_SOLVER` wants, else
/// Z3 or cvc5 in a folder `.tools/bin` of the directories around the current one and around this
/// program, else on the search path.
///
/// What is wanted is the name of a program that is looked for in these folders and on the search
/// path, or a path, or either of them with arguments, all divided by blanks, which make it read
/// SMT-LIB from its standard input.
///
/// This program itself is no solver for it, under whatever name it is found: files are compared,
/// not names. A copy of it is known by its version, which is asked of a program that is wanted. Of
/// a program that is found because nothing is wanted, [`Backend::choose`](super::Backend::choose)
/// has the version asked before the program is first used.
pub fn find_solver(wanted: Option<&str>) -> Result<SolverChoice, SolverNotFound> {
    Places::of_this_process().find(wanted)
}

/// What the environment variable says, if it says something.
pub(super) fn wanted_by_environment() -> Option<String> {
    let wanted = std::env::var(VARIABLE).ok()?;
    (!wanted.trim().is_empty()).then(|| wanted.trim().to_owned())
}

/// Where solvers are looked for.
#[derive(Default)]
struct Places {
    /// What the environment variable says.
    variable: Option<String>,
    /// The directories that may have a folder for tools, with those around them.
    starts: Vec<PathBuf>,
    search_path: OsString,
    /// The file of this program.
    this: Option<FileId>,
}

/// What tells files apart: the device, and the number there.
type FileId = (u64, u64);

fn file_id(path: &Path) -> Option<FileId> {
    let data = path.metadata().ok()?;
    Some((data.dev(), data.ino()))
}

impl Places {
    fn of_this_process() -> Places {
        let this = std::env::current_exe();
        Places {
            this: this.as_ref().ok().and_then(|this| file_id(this)),
            variable: std::env::var(VARIABLE).ok(),
            starts: [std::env::current_dir(), this]
                .into_iter()
                .flatten()
                .collect(),
            search_path: std::env::var_os("PATH").unwrap_or_default(),
        }
    }

    fn find(&self, wanted: Option<&str>) -> Result<SolverChoice, SolverNotFound> {
        let asked = wanted.map(|wanted| (wanted, "as asked".to_owned()));
        let variable = self.variable.as_deref().filter(|w| !w.trim().is_empty());
        let variable = variable.map(|wanted| (wanted, format!("as ${VARIABLE} says")));
        if let Some((wanted, why)) = asked.or(variable) {
            let choice = self.choose(wanted, &why)?;
            return match choice.is_this_program() {
                true => Err(this_program(&choice.command[0], &why)),
                false => Ok(choice),
            };
        }
        let found = NAMES.into_iter().find_map(|name| self.look_for(name));
        found.ok_or_else(|| {
            let names = NAMES.join(" or ");
            SolverNotFound(format!(
                "no SMT solver found: {names} is neither in {TOOLS} nor on the search path"
            ))
        })
    }

    fn choose(&self, wanted: &str, why: &str) -> Result<SolverChoice, SolverNotFound> {
        // The path of a program may contain blanks, as a command line does.
        if wanted.contains('/') && is_program(Path::new(wanted)) {
            if self.is_this(Path::new(wanted)) {
                return Err(this_program(wanted, why));
            }
            return Ok(choice(vec![wanted.to_owned()], why.to_owned()));
        }
        let mut words: Vec<String> = wanted.split_whitespace().map(str::to_owned).collect();
        let Some(program) = words.first_mut() else {
            return Err(SolverNotFound(format!("no SMT solver is named ({why})")));
        };
        let mut found = why.to_owned();
        if !program.contains('/') {
            let Some(there) = self.look_for(program) else {
                return Err(match self.link_to_this(program) {
                    Some(link) => this_program(&link.display().to_string(), why),
                    None => SolverNotFound(format!(
                        "the SMT solver {program} ({why}) is neither in {TOOLS} nor on the search path"
                    )),
                });
            };
            found = format!("{why}, {}", there.found);
            program.clone_from(&there.command[0]);
        } else if !is_program(Path::new(program)) {
            return Err(SolverNotFound(format!(
                "the SMT solver {program} ({why}) is no program"
            )));
        } else if self.is_this(Path::new(program)) {
            return Err(this_program(program, why));
        }
        Ok(choice(words, found))
    }

    /// Looks for a program by name.
    fn look_for(&self, name: &str) -> Option<SolverChoice> {
        let mut programs = self.programs(name).filter(|(file, _)| !self.is_this(file));
        programs.find_map(|(file, place)| {
            let command = vec![file.to_str()?.to_owned()];
            Some(choice(command, format!("found in {place}")))
        })
    }

    /// This program under another name.
    fn link_to_this(&self, name: &str) -> Option<PathBuf> {
        let mut programs = self.programs(name);
        let found = programs.find(|(file, _)| self.is_this(file));
        found.map(|(file, _)| file)
    }

    /// The programs of a name, each with the place where it is.
    fn programs(&self, name: &str) -> impl Iterator<Item = (PathBuf, &'static str)> {
        let around = self.starts.iter().flat_map(|start| start.ancestors());
        let tools = around.map(|dir| (dir.join(TOOLS), TOOLS));
        let on_path = std::env::split_paths(&self.search_path);
        let on_path = on_path.map(|dir| (dir, "the search path"));
        tools.chain(on_path).filter_map(move |(dir, place)| {
            // What is found relative to the current directory stays found when that changes.
            let file = std::path::absolute(dir.join(name)).ok()?;
            is_program(&file).then_some((file, place))
        })
    }

    /// Is this the file of this program?
    fn is_this(&self, path: &Path) -> bool {
        self.this.is_some() && file_id(path) == self.this
    }
}

fn this_program(named: &str, why: &str) -> SolverNotFound {
    SolverNotFound(format!(
        "the SMT solver {named} ({why}) is this program itself"
    ))
}

fn choice(command: Vec<String>, found: String) -> SolverChoice {
    let program = Path::new(&command[0]);
    let name = program.file_name().unwrap_or(program.as_os_str());
    SolverChoice {
        name: name.to_string_lossy().into_owned(),
        command,
        found,
    }
}

fn is_program(file: &Path) -> bool {
    file.metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

impl SolverChoice {
    /// Is this a copy of this program, by its version?
    pub(super) fn is_this_program(&self) -> bool {
        self.version()
            .is_some_and(|version| version.contains(OWN_VERSION))
    }

    /// The first line that the program prints when asked for its version. `None` if it does not
    /// run, says nothing or too much, or takes longer than some seconds.
    pub fn version(&self) -> Option<String> {
        let mut command = Command::new(&self.command[0]);
        command.arg("--version");
        command.stdin(Stdio::null()).stderr(Stdio::null());
        let mut child = command.stdout(Stdio::piped()).spawn().ok()?;
        let begun = Instant::now();
        while let Ok(None) = child.try_wait()
            && begun.elapsed() < VERSION_TIME
        {
            std::thread::sleep(Duration::from_millis(2));
        }
        // It has ended, or it is ended now: then whatever it said so far does not count.
        let ended = matches!(child.try_wait(), Ok(Some(_)));
        let _ = child.kill();
        let _ = child.wait();
        if !ended {
            return None;
        }
        let mut said = Vec::new();
        let mut output = child.stdout.take()?.take(1 << 16);
        output.read_to_end(&mut said).ok()?;
        let said = String::from_utf8_lossy(&said);
        let line = said.lines().find(|line| !line.trim().is_empty())?;
        Some(line.trim().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory with these programs in it; `-` stands before a file that is no program.
    fn directory(files: &[&str]) -> tempfile::TempDir {
        let directory = tempfile::tempdir().expect("a directory");
        for file in files {
            let (name, mode) = file
                .strip_prefix('-')
                .map_or((*file, "755"), |f| (f, "644"));
            let path = directory.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            // A child writes: what this process wrote could not be run while a child that another
            // test starts at this moment has inherited the open file.
            let text = format!("#!/bin/sh\\necho\\necho '{name} 1.2'\\n");
            let status = Command::new("/bin/sh")
                .args(["-c", "printf \"$1\" > \"$0\" && chmod \"$2\" \"$0\""])
                .args([path.as_os_str(), text.as_ref(), mode.as_ref()])
                .status();
            assert!(status.expect("a shell").success());
        }
        directory
    }

    fn in_directory(top: &tempfile::TempDir, path: &str) -> String {
        top.path().join(path).to_str().expect("text").to_owned()
    }

    /// The solver found for a value of the environment variable and a wanted solver: its name, its
    /// command with bars between the words and `~` for the directory, and the reason; or the error.
    #[track_caller]
    fn check(
        top: &tempfile::TempDir,
        variable: Option<&str>,
        wanted: Option<&str>,
        expected: Result<(&str, &str, &str), &str>,
    ) {
        let at = |path: &str| in_directory(top, path);
        let places = Places {
            variable: variable.map(str::to_owned),
            starts: vec![at("here/deep").into(), at("exe/program").into()],
            search_path: at("path").into(),
            this: None,
        };
        let found = places.find(wanted);
        let found = found.map(|c| (c.name, c.command.join("|"), c.found));
        let expected = expected.map(|(name, command, why)| {
            let command = command.replace('~', top.path().to_str().expect("text"));
            (name.to_owned(), command, why.to_owned())
        });
        assert_eq!(
            found.map_err(|e| e.to_string()),
            expected.map_err(str::to_owned)
        );
    }

    #[test]
    fn places_in_their_order() {
        let top = directory(&[
            ".tools/bin/z3",
            "here/.tools/bin/-z3",
            "exe/.tools/bin/cvc5-nightly",
            "exe/.tools/bin/other",
            "path/cvc5",
            "path/z3",
            "path/my-cvc5-build",
            "a b/yices",
        ]);
        std::fs::create_dir_all(top.path().join("here/deep")).expect("a folder");
        let at = |path: &str| in_directory(&top, path);
        let check = |variable, wanted, expected| check(&top, variable, wanted, expected);
        let tools = |name, command, why| Ok((name, command, why));
        check(
            None,
            None,
            tools("z3", "~/.tools/bin/z3", "found in .tools/bin"),
        );
        check(
            Some("cvc5-nightly"),
            None,
            tools(
                "cvc5-nightly",
                "~/exe/.tools/bin/cvc5-nightly",
                "as $HORN_SOLVER says, found in .tools/bin",
            ),
        );
        check(
            Some("cvc5-nightly"),
            Some("my-cvc5-build -x  -y"),
            tools(
                "my-cvc5-build",
                "~/path/my-cvc5-build|-x|-y",
                "as asked, found in the search path",
            ),
        );
        check(
            Some(" "),
            None,
            tools("z3", "~/.tools/bin/z3", "found in .tools/bin"),
        );
        let blanks = at("a b/yices");
        check(
            None,
            Some(&blanks),
            tools("yices", "~/a b/yices", "as asked"),
        );
        let arguments = at("path/z3") + " -in";
        check(
            None,
            Some(&arguments),
            tools("z3", "~/path/z3|-in", "as asked"),
        );
    }

    #[test]
    fn what_is_not_found() {
        let top = directory(&["path/z3"]);
        let check = |variable, wanted, expected| check(&top, variable, wanted, expected);
        check(None, Some(""), Err("no SMT solver is named (as asked)"));
        check(
            Some("boolector"),
            None,
            Err(
                "the SMT solver boolector (as $HORN_SOLVER says) is neither in .tools/bin nor on the search path",
            ),
        );
        check(
            None,
            Some("./no/such -in"),
            Err("the SMT solver ./no/such (as asked) is no program"),
        );
        let nothing = Places::default().find(None).map_err(|e| e.to_string());
        let message =
            "no SMT solver found: z3 or cvc5 is neither in .tools/bin nor on the search path";
        assert_eq!(nothing, Err(message.to_owned()));
    }

    #[test]
    fn this_program_is_no_solver_for_itself() {
        let top = directory(&["program", "path/cvc5"]);
        let at = |path: &str| in_directory(&top, path);
        std::os::unix::fs::symlink(at("program"), at("path/z3")).expect("a link");
        let places = |this: Option<&str>| Places {
            search_path: at("path").into(),
            this: this.and_then(|path| file_id(at(path).as_ref())),
            ..Places::default()
        };
        let name = |this| places(this).find(None).map(|choice| choice.name);
        assert_eq!(name(None), Ok("z3".to_owned()));
        assert_eq!(name(Some("program")), Ok("cvc5".to_owned()));
        let wanted = at("path/z3");
        let message = format!("the SMT solver {wanted} (as asked) is this program itself");
        let found = places(Some("program")).find(Some(&wanted));
        assert_eq!(found.map_err(|e| e.to_string()), Err(message));
        let message = format!("the SMT solver {wanted} (as asked) is this program itself");
        let found = places(Some("program")).find(Some("z3"));
        assert_eq!(found.map_err(|e| e.to_string()), Err(message));
    }

    #[test]
    fn a_copy_of_this_program_is_known_by_its_version() {
        let top = directory(&["path/z3 (horn-solve "]);
        let wanted = in_directory(&top, "path/z3 (horn-solve ");
        let found = Places::default().find(Some(&wanted));
        let message = format!("the SMT solver {wanted} (as asked) is this program itself");
        assert_eq!(found.map_err(|e| e.to_string()), Err(message));
    }

    #[test]
    fn versions() {
        let top = directory(&["z3", "-text"]);
        let version = |name: &str| {
            let path = top.path().join(name);
            let choice = choice(vec![path.to_str().expect("text").to_owned()], String::new());
            choice.version()
        };
        assert_eq!(version("z3").as_deref(), Some("z3 1.2"));
        assert_eq!(version("text"), None);
        assert_eq!(version("missing"), None);
        let mute = choice(vec!["/bin/true".to_owned()], String::new());
        assert_ne!(mute.version().as_deref(), Some(""));
    }
}
