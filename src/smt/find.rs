//! Finding the external solver.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The environment variable that names the solver.
const SOLVER_VARIABLE: &str = "HORN_SOLVER";
/// The folder of a project where `scripts/setup` puts solvers.
const TOOLS: &str = ".tools/bin";
/// What is looked for where nothing is said, in this order.
const NAMES: [&str; 2] = ["z3", "cvc5"];

/// An external solver, and why it was chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverChoice {
    /// The file name of the program, by which its settings are chosen.
    pub name: String,
    /// The program, and its arguments if they were given. Without arguments, those of its settings are used.
    pub command: Vec<String>,
    /// Where it was found, for people.
    pub found: String,
}

/// No solver was found.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct SolverNotFound(String);

/// Finds the solver: what is `wanted` (a known name, a path, or a command line), else what the environment variable
/// `HORN_SOLVER` wants, else a known one in a folder `.tools/bin` beside the current directory, the program, or what they are
/// in, else a known one on the search path.
pub fn find_solver(wanted: Option<&str>) -> Result<SolverChoice, SolverNotFound> {
    if let Some(wanted) = wanted {
        return choose(wanted, "as asked");
    }
    if let Ok(wanted) = std::env::var(SOLVER_VARIABLE)
        && !wanted.trim().is_empty()
    {
        return choose(&wanted, "as $HORN_SOLVER says");
    }
    let found = NAMES.into_iter().find_map(look_for);
    found.ok_or_else(|| {
        let names = NAMES.join(" or ");
        SolverNotFound(format!(
            "no SMT solver found: {names} is neither in {TOOLS} nor on the search path"
        ))
    })
}

fn choose(wanted: &str, why: &str) -> Result<SolverChoice, SolverNotFound> {
    let missing = || SolverNotFound(format!("the SMT solver {wanted} ({why}) does not exist"));
    // A path may contain blanks, a command line does.
    if wanted.contains('/') && Path::new(wanted).is_file() {
        return Ok(choice(vec![wanted.to_owned()], why.to_owned()));
    }
    let mut words: Vec<String> = wanted.split_whitespace().map(str::to_owned).collect();
    let program = words.first_mut().ok_or_else(missing)?;
    let mut why = why.to_owned();
    if program.contains('/') {
        if !Path::new(program).is_file() {
            return Err(missing());
        }
    } else {
        let found = look_for(program).ok_or_else(missing)?;
        why = format!("{why}, {}", found.found);
        program.clone_from(&found.command[0]);
    }
    Ok(choice(words, why))
}

/// Looks for a program by name.
fn look_for(name: &str) -> Option<SolverChoice> {
    let exe = std::env::current_exe().ok();
    let here = std::env::current_dir().ok();
    let tools = [here, exe].into_iter().flatten().flat_map(|start| {
        let above: Vec<PathBuf> = start.ancestors().map(|dir| dir.join(TOOLS)).collect();
        above
    });
    let search_path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&search_path).filter(|dir| !dir.as_os_str().is_empty());
    let places = tools.map(|dir| (dir, TOOLS));
    let mut places = places.chain(on_path.map(|dir| (dir, "the search path")));
    places.find_map(|(dir, place)| {
        let file = dir.join(name);
        let path = file.to_str().filter(|_| is_program(&file))?;
        Some(choice(vec![path.to_owned()], format!("found in {place}")))
    })
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
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

impl SolverChoice {
    /// The first line that the program prints when asked for its version, `None` if it does not run or says nothing.
    pub fn version(&self) -> Option<String> {
        let mut command = Command::new(&self.command[0]);
        let output = command
            .arg("--version")
            .stdin(Stdio::null())
            .output()
            .ok()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let line = text.lines().find(|line| !line.trim().is_empty())?;
        Some(line.trim().to_owned())
    }
}
