//! C programs as Horn clauses.
use horn::cfront::{CProgram, DataModel, EncodeOptions};
use horn::smtlib::system_text;
use horn::term::Terms;
fn main() {
    std::thread::Builder::new().stack_size(1 << 28).spawn(run).unwrap().join().unwrap();
}
fn run() {
    let name = std::env::args().nth(1).unwrap();
    let bytes = std::fs::read(&name).unwrap();
    match CProgram::read(&name, &bytes, None, DataModel::Ilp32) {
        Ok(program) => {
            let t = Terms::new();
            let encoded = program.encode(&t, EncodeOptions::default());
            print!("{}", system_text(&t, encoded.system()));
        }
        Err(e) => {
            eprintln!("{e}");
            std::process::exit(1);
        }
    }
}
