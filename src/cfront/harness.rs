//! A program that takes a run: the program's own text, its inputs being those of the run.
//!
//! The text is what was parsed, after the preprocessor. Variables without an initialiser get one,
//! the error ends the program, and what the program does not define is defined below its text: by
//! names for the linker, so that no declaration in the text stands against it. A function of the C
//! library is the library's, unless it gives an input, as `getchar` does. Objects outside of
//! the program are bytes with the contents that the run says, and so is new memory, from a function
//! around its allocation.
//!
//! Missing: uninitialised structures, arrays of other than integers, arguments of `main`, and
//! addresses of the program's objects as inputs.

use super::CProgram;
use super::ir::Step;
use super::library::Library;
use super::program::External;
use super::run::{Content, ErrorRun, Event, Initial, OUTSIDE};
use super::types::{CType, DataModel};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;

/// The exit status of a harness that comes to the error.
pub const REACHED: u8 = 42;
/// The exit status of a harness in which an assumption fails.
pub const EXCLUDED: u8 = 43;

/// Before the program: the error, and values one after the other; zeros where a run has no more.
const HEAD: &str = "extern void _Exit(int);
static void horn_error(void) { _Exit(@REACHED@); }
static long long horn_next(const unsigned long long *values, unsigned count, unsigned *at) {
  return *at < count ? (long long)values[(*at)++] : 0;
}
static void horn_put(void *memory, unsigned long at, unsigned long bytes, unsigned long long value) {
  __builtin_memcpy((char *)memory + at, &value, bytes);
}
";

/// A variable that the program does not define has 2^16 bytes.
const EXTERN_BYTES: usize = 1 << 16;

impl CProgram {
    /// The program with the inputs of a run that [`super::Encoded::run`] found in it: GNU C that
    /// ends with the status [`REACHED`] at the error, and with [`EXCLUDED`] where the run would
    /// violate an assumption.
    pub fn harness(&self, run: &ErrorRun) -> String {
        self.harness_on(run, self.program.model)
    }

    /// The harness for a machine of another data model. The run need not be one there.
    pub fn harness_on(&self, run: &ErrorRun, model: DataModel) -> String {
        let mut edits: BTreeMap<usize, String> = BTreeMap::new();
        for &at in &self.program.errors {
            edits.entry(at).or_default().push_str("{ horn_error(); } ");
        }
        let mut text = HEAD.replace("@REACHED@", &REACHED.to_string());
        self.define_outside(&mut text, run, model);
        for (at, object) in self.program.objects.iter().enumerate() {
            let told = (run.uninitialised.iter()).filter(|(id, _)| id.0 == at);
            let values: Vec<&Initial> = told.map(|(_, initial)| initial).collect();
            if let Some((begin, end)) = object.allocation
                && self.fill_allocation(at, run, model, &mut text)
            {
                let before = format!("horn_fill_{at}(");
                edits.entry(begin).or_default().push_str(&before);
                edits.entry(end).or_default().insert(0, ')');
            }
            if let Some(offset) = object.initialiser
                && let Some(value) = initialiser(at, &object.ty, &values, &mut text)
            {
                edits
                    .entry(offset)
                    .or_default()
                    .push_str(&format!(" = {value}"));
            }
        }
        let mut from = 0;
        for (at, inserted) in edits {
            text.push_str(&self.text[from..at]);
            text.push_str(&inserted);
            from = at;
        }
        text.push_str(&self.text[from..]);
        text.push('\n');
        self.define_externals(&mut text, run);
        text
    }

    /// The objects outside of the program, and what is in them before the program begins.
    fn define_outside(&self, text: &mut String, run: &ErrorRun, model: DataModel) {
        for (object, ty) in &run.outside {
            let size = self.program.structs.layout(ty, model).0;
            let words = size.div_ceil(8).max(1);
            let _ = writeln!(
                text,
                "static unsigned long long horn_outside_{}[{words}];",
                object.0
            );
        }
        text.push_str("__attribute__((constructor)) static void horn_begin(void) {\n");
        for content in &run.contents {
            let object = content.object;
            if run.outside.iter().any(|(outside, _)| *outside == object) {
                self.put(text, &format!("horn_outside_{}", object.0), content, model);
            }
        }
        text.push_str("}\n");
    }

    /// Puts a number into memory, where its place is constant.
    fn put(&self, text: &mut String, memory: &str, content: &Content, model: DataModel) {
        let structs = &self.program.structs;
        let offsets = content.path.iter().map(|step| match step {
            Step::Field(of, at) => Some(structs.member_offset(*of, *at, model)),
            Step::Index(_) => None,
        });
        let Some(offset) = offsets.sum::<Option<u64>>() else {
            return;
        };
        let (bytes, value) = (structs.layout(&content.ty, model).0, number(&content.value));
        let _ = writeln!(text, "  horn_put({memory}, {offset}, {bytes}, {value});");
    }

    /// A function that fills what was allocated at a place of the text, where the run says with
    /// what.
    fn fill_allocation(
        &self,
        at: usize,
        run: &ErrorRun,
        model: DataModel,
        text: &mut String,
    ) -> bool {
        let contents = run.contents.iter().filter(|c| c.object.0 == at);
        let mut lines = String::new();
        contents.for_each(|content| self.put(&mut lines, "memory", content, model));
        if lines.is_empty() {
            return false;
        }
        let _ = writeln!(
            text,
            "static void *horn_fill_{at}(void *memory) {{\n  if (!memory) return memory;\n{lines}  return memory;\n}}"
        );
        true
    }

    /// What the program uses and does not define.
    fn define_externals(&self, text: &mut String, run: &ErrorRun) {
        let inputs = inputs(run);
        let mut externals = self.program.externals.clone();
        for &name in inputs.keys() {
            // The arguments of `main` are none that can be given.
            let is_word = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            if is_word && name != "main" && !name.starts_with("__builtin_") {
                externals.entry(name.into()).or_insert(External::Input);
            }
        }
        for name in define_library(text, run, &inputs) {
            externals.remove(name);
        }
        let externals: Vec<(Rc<str>, External)> = externals.into_iter().collect();
        for (at, (name, external)) in externals.iter().enumerate() {
            let own = format!("horn_external_{at}");
            let values = |name: &str| inputs.get(name).cloned().unwrap_or_default();
            match external {
                External::Variable => {
                    let value = values(&format!("extern {name}"));
                    let first = value.first().map_or("0", |value| value);
                    let count = EXTERN_BYTES / 8;
                    let _ = writeln!(
                        text,
                        "unsigned long long {own}[{count}] __asm__(\"{name}\") = {{ {} }};",
                        number(first)
                    );
                    continue;
                }
                External::Input => {
                    let _ = writeln!(text, "long long {own}(void) __asm__(\"{name}\");");
                    text.push_str(&values_function(&own, "", &values(name)));
                }
                External::Error => {
                    let _ = writeln!(
                        text,
                        "void {own}(void) __asm__(\"{name}\");\nvoid {own}(void) {{ horn_error(); }}"
                    );
                }
                External::Assertion => {
                    let _ = writeln!(
                        text,
                        "void {own}(int) __asm__(\"{name}\");\nvoid {own}(int holds) {{ if (!holds) horn_error(); }}"
                    );
                }
                External::Assumption => {
                    let _ = writeln!(
                        text,
                        "void {own}(int) __asm__(\"{name}\");\nvoid {own}(int holds) {{ if (!holds) _Exit({EXCLUDED}); }}"
                    );
                }
            }
        }
    }
}

/// The library functions that give the run's inputs, as their models say. Answers which they are.
fn define_library<'r>(
    text: &mut String,
    run: &'r ErrorRun,
    inputs: &BTreeMap<&'r str, Vec<&'r str>>,
) -> Vec<&'r str> {
    let (library, mut defined) = (Library::new(), Vec::new());
    for (at, (name, values)) in inputs.iter().enumerate() {
        let own = format!("horn_library_{at}");
        if let Some(model) = library.input_function(name, &own) {
            if defined.is_empty() {
                text.push_str("#define horn_assume(condition) ((void)0)\n");
            }
            defined.push(*name);
            text.push_str(&values_function(&format!("{own}_next"), "static", values));
            let _ = writeln!(
                text,
                "#undef horn_input\n#define horn_input(place) ((place) = {own}_next())\n{model}"
            );
        }
    }
    // Items are read in the order of the run, whichever of the two functions reads them.
    let is_scan = |name: &str| ["scanf", "fscanf"].contains(&name);
    let scanned = run_inputs(run).filter(|(name, _)| is_scan(name));
    let (names, values): (Vec<&str>, Vec<&str>) = scanned.unzip();
    if !names.is_empty() {
        text.push_str(&values_function("horn_scan_next", "static", &values));
        text.push_str(&Library::scan_functions());
        defined.extend(names);
    }
    defined
}

/// The initialiser of a variable that begins with these values, one after the other; what it needs
/// is put before the program. An array begins with the first of them each time.
fn initialiser(at: usize, ty: &CType, values: &[&Initial], before: &mut String) -> Option<String> {
    match values.first()? {
        // An address of the encoding's is none of the machine's.
        Initial::Scalar(_) if ty.is_pointer() && !values.iter().all(|v| v.is_told()) => None,
        Initial::Scalar(_) => {
            let numbers = values.iter().filter_map(|value| match value {
                Initial::Scalar(value) => Some(value.as_str()),
                Initial::Array(..) => None,
            });
            let name = format!("horn_start_{at}");
            let numbers: Vec<&str> = numbers.collect();
            before.push_str(&values_function(&name, "static", &numbers));
            Some(if ty.is_pointer() {
                format!("(void *)(long){name}()")
            } else {
                format!("{name}()")
            })
        }
        Initial::Array(most, others) => {
            let CType::Array(_, Some(count @ 1..)) = ty else {
                return None;
            };
            let others = others
                .iter()
                .map(|(at, value)| format!(", [{at}] = {}", number(value)));
            let others: String = others.collect();
            let (last, most) = (count - 1, number(most));
            Some(format!("{{ [0 ... {last}] = {most}{others} }}"))
        }
    }
}

/// The values that each function gives, in their order.
fn inputs(run: &ErrorRun) -> BTreeMap<&str, Vec<&str>> {
    let mut inputs: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (function, value) in run_inputs(run) {
        inputs.entry(function).or_default().push(value);
    }
    inputs
}

/// The inputs of a run, each with the function that gives it.
fn run_inputs(run: &ErrorRun) -> impl Iterator<Item = (&str, &str)> {
    let events = run.steps.iter().flat_map(|step| &step.events);
    events.filter_map(|event| match event {
        Event::Input { function, value } => Some((function.as_str(), value.as_str())),
        _ => None,
    })
}

/// A function that gives these values one after the other.
fn values_function(name: &str, storage: &str, values: &[&str]) -> String {
    let list: String = values.iter().map(|v| format!("{}, ", number(v))).collect();
    // Addresses are constants for the linker only.
    let kept = if values.iter().any(|v| v.starts_with(OUTSIDE)) {
        ""
    } else {
        "static "
    };
    format!(
        "{storage} long long {name}(void) {{\n  {kept}const unsigned long long values[] = {{ {list}0 }};\n  \
         static unsigned at;\n  return horn_next(values, {}, &at);\n}}\n",
        values.len()
    )
}

/// A number as 64 bits, or the address of an object outside of the program.
fn number(text: &str) -> String {
    if let Some(object) = text.strip_prefix(OUTSIDE) {
        return format!("(unsigned long long)(unsigned long)horn_outside_{object}");
    }
    let value: i128 = text.parse().unwrap_or(0);
    format!("{:#x}ull", value & i128::from(u64::MAX))
}
