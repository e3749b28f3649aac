//! The system's C preprocessor.
//!
//! The headers of the system have other types and limits for each data model. A compiler may lack
//! the headers of another model than the machine's; for 32 bits on a machine with 64, those of the
//! GNU library serve both models, except for one file without contents.

use super::source::decoded;
use super::types::DataModel;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The header that the GNU library has in each data model's package: which functions it lacks.
const STUBS: &str = "gnu/stubs-32.h";

/// The C compiler of the system: `$CC`, which may have arguments after blanks, or `cc`.
pub fn compiler() -> Command {
    let words = std::env::var_os("CC").map(|words| words.to_string_lossy().into_owned());
    let mut words = words.as_deref().unwrap_or("").split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cc"));
    command.args(words);
    command
}

/// The C preprocessor of the system.
struct Preprocessor<'a> {
    /// Its arguments, but for those of the data model.
    arguments: &'a [OsString],
    /// The program's text, and where it lies.
    text: &'a str,
    folder: &'a Path,
}

/// The text of a program of this name after the C preprocessor of the system; or why there is none.
pub(super) fn preprocess(
    name: &str,
    text: &str,
    folder: &Path,
    model: DataModel,
    arguments: &[OsString],
) -> Result<String, String> {
    let preprocessor = Preprocessor {
        arguments,
        text,
        folder,
    };
    let width = match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    };
    let output = preprocessor.run(&[width.into()])?;
    if output.status.success() {
        return Ok(text_of(&output.stdout));
    }
    if model == DataModel::Ilp32
        && let Some(output) = preprocessor.run_with_shared_headers(width)?
    {
        return Ok(text_of(&output.stdout));
    }
    // A compiler may have one data model only. Its messages are those of the program's mistakes.
    let output = preprocessor.run(&[])?;
    if output.status.success() {
        return Ok(text_of(&output.stdout));
    }
    let message = text_of(&output.stderr).replace("<stdin>", name);
    Err(match message.trim_end() {
        "" => "the C preprocessor failed without a message".to_owned(),
        all => format!("the C preprocessor failed:\n{all}"),
    })
}

fn text_of(bytes: &[u8]) -> String {
    decoded(bytes).into_owned()
}

impl Preprocessor<'_> {
    /// With the machine's own headers for another data model; `None` if they do not serve.
    fn run_with_shared_headers(&self, width: &str) -> Result<Option<Output>, String> {
        let asked = compiler()
            .arg("-print-multiarch")
            .stderr(Stdio::null())
            .output();
        let machine = match asked {
            Ok(asked) if asked.status.success() => text_of(&asked.stdout),
            _ => return Ok(None),
        };
        let Ok(stubs) = Stubs::new() else {
            return Ok(None);
        };
        let headers = Path::new("/usr/include").join(machine.trim());
        let output = self.run(&[
            width.into(),
            "-idirafter".into(),
            headers.into(),
            "-idirafter".into(),
            stubs.0.clone().into(),
        ])?;
        Ok(output.status.success().then_some(output))
    }

    /// With these options.
    fn run(&self, options: &[OsString]) -> Result<Output, String> {
        let folder = if self.folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            self.folder
        };
        let mut command = compiler();
        let mut child = command
            // A file of the program's own folder does not stand for a header of the system.
            .args(["-E", "-x", "c", "-iquote"])
            .arg(folder)
            .args(self.arguments)
            .args(options)
            .arg("-")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| {
                format!(
                    "the file has directives, and the C preprocessor `{}` cannot be run: {e}",
                    command.get_program().display()
                )
            })?;
        let mut input = child.stdin.take().expect("a pipe was asked for");
        let owned = self.text.to_owned();
        // A separate thread writes: both pipes may fill up.
        let writer = std::thread::spawn(move || input.write_all(owned.as_bytes()));
        let output = child.wait_with_output().map_err(|e| e.to_string())?;
        // A preprocessor that ends early closes its input; its messages are reported.
        drop(writer.join());
        Ok(output)
    }
}

/// A folder with an empty [`STUBS`], which is removed at the end.
struct Stubs(PathBuf);

impl Stubs {
    fn new() -> std::io::Result<Stubs> {
        let folder = std::env::temp_dir();
        let mut attempt = 0;
        let stubs = loop {
            let path = folder.join(format!("c2horn-headers-{}-{attempt}", std::process::id()));
            match std::fs::create_dir(&path) {
                Ok(()) => break Stubs(path),
                Err(error) if attempt >= 100 => return Err(error),
                Err(_) => attempt += 1,
            }
        };
        let file = stubs.0.join(STUBS);
        if let Some(parent) = file.parent() {
            std::fs::create_dir(parent)?;
        }
        std::fs::write(file, "")?;
        Ok(stubs)
    }
}

impl Drop for Stubs {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
