//! A program that takes a run: the program's own text, its inputs being those of the run.
//!
//! The text is what was parsed, after the preprocessor. Scalar variables without an initialiser get
//! one. Arrays and structures are filled where they are declared, and new memory where it is
//! allocated, each time with what the run says. The error ends the program. What the program does
//! not define is defined below its text: by names for the linker, so that no declaration in the
//! text stands against it. A function of the C library is the library's, unless it gives an input,
//! as `getchar` does. Objects outside of the program are bytes with the contents that the run says.
//!
//! Missing: pointers among the arguments of `main`, bit-fields of uninitialised structures, and
//! addresses of the program's objects as inputs.

use super::CProgram;
use super::contents::{Contents, memory_type, scalar_at};
use super::event::Event;
use super::float::{Format, pattern_of_text};
use super::ir::ObjectId;
use super::library::Library;
use super::program::External;
use super::run::{ErrorRun, OUTSIDE};
use super::types::{CType, DataModel};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
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
static void horn_put(void *memory, unsigned long size, unsigned long at, unsigned long bytes,
                     unsigned long long value) {
  if (at <= size && bytes <= size - at) __builtin_memcpy((char *)memory + at, &value, bytes);
}
static void horn_every(void *memory, unsigned long size, unsigned long at, unsigned long step,
                       unsigned long bytes, unsigned long long value) {
  for (; at <= size && bytes <= size - at; at += step) horn_put(memory, size, at, bytes, value);
}
extern unsigned long malloc_usable_size(void *) __attribute__((weak));
static unsigned long horn_usable(void *memory) {
  return malloc_usable_size ? malloc_usable_size(memory) : 0;
}
";

/// The functions of the library that know the size of memory that they gave.
const SIZED: [&str; 4] = ["malloc", "calloc", "realloc", "aligned_alloc"];

/// A variable that the program does not define has 2^16 bytes.
const EXTERN_BYTES: usize = 1 << 16;

/// What is put into the text at a place, before or after what else is put there.
enum Inserted {
    Before(String),
    After(String),
}

impl CProgram {
    /// The program with the inputs of a run that [`super::Encoded::run`] found in it: GNU C that
    /// ends with the status [`REACHED`] at the error, and with [`EXCLUDED`] where the run would
    /// violate an assumption.
    pub fn harness(&self, run: &ErrorRun) -> String {
        self.harness_on(run, self.program.model)
    }

    /// Functions on strings, characters and numbers that a harness may need, as C text for a
    /// machine without the C library.
    pub fn freestanding_library() -> String {
        Library::freestanding()
    }

    /// The harness for a machine of another data model. The run need not be one there.
    pub fn harness_on(&self, run: &ErrorRun, model: DataModel) -> String {
        let mut edits: BTreeMap<usize, String> = BTreeMap::new();
        for &at in &self.program.errors {
            edits.entry(at).or_default().push_str("{ horn_error(); } ");
        }
        if let Some((at, assignments)) = self.arguments(run) {
            edits.entry(at).or_default().push_str(&assignments);
        }
        let mut text = HEAD.replace("@REACHED@", &REACHED.to_string());
        self.define_outside(&mut text, run, model);
        for at in 0..self.program.objects.len() {
            for (place, inserted) in self.edits(ObjectId(at), run, model, &mut text) {
                let edit = edits.entry(place).or_default();
                match inserted {
                    Inserted::Before(inserted) => edit.push_str(&inserted),
                    Inserted::After(inserted) => edit.insert_str(0, &inserted),
                }
            }
        }
        let mut from = 0;
        for (at, inserted) in edits {
            text.push_str(&self.original(from..at));
            text.push_str(&inserted);
            from = at;
        }
        text.push_str(&self.original(from..self.text.0.len()));
        text.push('\n');
        self.define_externals(&mut text, run);
        text
    }

    /// A part of the program's text, as it was before it was changed for the parser.
    fn original(&self, part: Range<usize>) -> String {
        let (text, edits) = &self.text;
        edits.original(text, part)
    }

    /// The numbers that `main` is called with, as assignments where its statements begin.
    fn arguments(&self, run: &ErrorRun) -> Option<(usize, String)> {
        let (at, params) = self.program.main.as_ref()?;
        let given = run_inputs(run).filter(|(function, _)| *function == "main");
        let assignments = given.zip(params).filter_map(|((_, value), param)| {
            let param = self.program.object(*param);
            let is_number = matches!(param.ty, CType::Int(_)) && !param.name.is_empty();
            is_number.then(|| format!(" {} = {};", param.name, number(value)))
        });
        Some((*at, assignments.collect()))
    }

    /// What is put into the text for an object that begins without a value, and what that needs
    /// before the text.
    fn edits(
        &self,
        id: ObjectId,
        run: &ErrorRun,
        model: DataModel,
        before: &mut String,
    ) -> Vec<(usize, Inserted)> {
        let (object, at) = (self.program.object(id), id.0);
        let told = run.uninitialised.iter().filter(|(told, _)| *told == id);
        let values: Vec<&str> = told.map(|(_, value)| value.as_str()).collect();
        let contents = run.contents.iter().filter(|(told, _)| *told == id);
        let contents: Vec<&Contents> = contents.map(|(_, contents)| contents).collect();
        if let Some(offset) = object.initialiser
            && let Some(value) = initialiser(at, &object.ty, &values, before)
        {
            return vec![(offset, Inserted::Before(format!(" = {value}")))];
        }
        if contents.iter().all(|told| **told == Contents::default()) {
            return Vec::new();
        }
        if let Some((begin, end)) = object.allocation {
            let call = &self.text.0[begin..end];
            let is_of_library = SIZED.iter().any(|name| call.starts_with(name));
            let size = match is_of_library {
                true => "horn_usable(horn_new)",
                false => "~0ul",
            };
            let mut contents: Vec<Contents> = contents.into_iter().cloned().collect();
            if !is_of_library {
                // How much memory there is to fill is not known.
                contents.iter_mut().for_each(|told| told.every.clear());
            }
            self.define_fill(id, &contents.iter().collect::<Vec<_>>(), model, before);
            let head = "({ void *horn_new = (void *)".to_owned();
            let tail = format!("; horn_fill_{at}(horn_new, {size}); }})");
            return vec![
                (begin, Inserted::Before(head)),
                (end, Inserted::After(tail)),
            ];
        }
        let Some(offset) = object.initialiser else {
            return Vec::new();
        };
        self.define_fill(id, &contents, model, before);
        let name = &object.name;
        let declarator =
            format!(", *horn_at_{at} = (void *)horn_fill_{at}((void *)&{name}, sizeof({name}))");
        vec![(offset, Inserted::Before(declarator))]
    }

    /// A function that fills the memory of an object, each time with what the run says.
    fn define_fill(
        &self,
        id: ObjectId,
        contents: &[&Contents],
        model: DataModel,
        text: &mut String,
    ) {
        let object = self.program.object(id);
        let ty = memory_type(object.kind, &object.ty);
        let _ = writeln!(
            text,
            "static void *horn_fill_{}(void *memory, unsigned long size) {{\n  static unsigned at;\n  \
             if (!memory) return memory;\n  switch (at++) {{",
            id.0
        );
        for (at, contents) in contents.iter().enumerate() {
            let _ = writeln!(text, "  case {at}:");
            self.put(text, "memory", "size", &ty, contents, model);
            text.push_str("  break;\n");
        }
        text.push_str("  }\n  return memory;\n}\n");
    }

    /// Puts contents into memory of a type.
    fn put(
        &self,
        text: &mut String,
        memory: &str,
        size: &str,
        ty: &CType,
        contents: &Contents,
        model: DataModel,
    ) {
        let structs = &self.program.structs;
        let place = |unit: u64| {
            let scalar = scalar_at(structs, ty, unit, model)?;
            Some((scalar.offset, structs.layout(&scalar.ty, model).0, scalar))
        };
        if let CType::Array(element, _) = ty {
            let step = structs.layout(element, model).0;
            for (leaf, value) in &contents.every {
                // The scalars of one element, which has no arrays in it.
                let mut scalars = (0..structs.units(element)).filter_map(place);
                let first = scalars.find(|(.., scalar)| scalar.leaf == *leaf);
                if let Some((offset, bytes, _)) = first {
                    let value = number(value);
                    let _ = writeln!(
                        text,
                        "  horn_every({memory}, {size}, {offset}, {step}, {bytes}, {value});"
                    );
                }
            }
        }
        for (unit, value) in &contents.at {
            if let Some((offset, bytes, _)) = place(*unit) {
                let value = number(value);
                let _ = writeln!(
                    text,
                    "  horn_put({memory}, {size}, {offset}, {bytes}, {value});"
                );
            }
        }
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
        for (object, contents) in &run.contents {
            if let Some((_, ty)) = run.outside.iter().find(|(outside, _)| outside == object) {
                let memory = format!("horn_outside_{}", object.0);
                let size = format!("sizeof({memory})");
                self.put(text, &memory, &size, ty, contents, model);
            }
        }
        text.push_str("}\n");
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
                    let values = values(name);
                    let ty = type_of_values(&values);
                    let _ = writeln!(text, "{ty} {own}(void) __asm__(\"{name}\");");
                    text.push_str(&values_function(ty, &own, "", &values));
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

/// What models use beside their inputs. No run goes on after an input that the model only
/// over-approximates.
const MODEL_PARTS: &str = "\
#define horn_assume(condition) ((void)0)
#define horn_any(place, what) ((void)0)
static int horn_pushed, horn_ended, horn_written, horn_random;
";

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
                text.push_str(MODEL_PARTS);
            }
            defined.push(*name);
            let next = format!("{own}_next");
            text.push_str(&values_function("long long", &next, "static", values));
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
        text.push_str(&values_function(
            "long long",
            "horn_scan_next",
            "static",
            &values,
        ));
        text.push_str(&Library::scan_functions());
        defined.extend(names);
    }
    defined
}

/// The initialiser of a scalar variable that begins with these values, one after the other; what it
/// needs is put before the program.
fn initialiser(at: usize, ty: &CType, values: &[&str], before: &mut String) -> Option<String> {
    // An address of the encoding's is none of the machine's.
    let is_told = |value: &&str| *value == "0" || value.starts_with(OUTSIDE);
    if values.is_empty() || (ty.is_pointer() && !values.iter().all(is_told)) {
        return None;
    }
    let name = format!("horn_start_{at}");
    before.push_str(&values_function(
        type_of_values(values),
        &name,
        "static",
        values,
    ));
    Some(if ty.is_pointer() {
        format!("(void *)(long){name}()")
    } else {
        format!("{name}()")
    })
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

/// The type of the function that gives these values.
fn type_of_values(values: &[&str]) -> &'static str {
    match values.iter().find_map(|value| pattern_of_text(value)) {
        None => "long long",
        Some((Format { bits: 32 }, _)) => "float",
        Some(_) => "double",
    }
}

/// A function that gives these values one after the other.
fn values_function(ty: &str, name: &str, storage: &str, values: &[&str]) -> String {
    let list: String = values.iter().map(|v| format!("{}, ", number(v))).collect();
    // Addresses are constants for the linker only.
    let kept = if values.iter().any(|v| v.starts_with(OUTSIDE)) {
        ""
    } else {
        "static "
    };
    let result = match ty {
        "long long" => format!("return horn_next(values, {}, &at);", values.len()),
        ty => format!(
            "{ty} value;\n  long long bits = horn_next(values, {}, &at);\n  \
             __builtin_memcpy(&value, &bits, sizeof value);\n  return value;",
            values.len()
        ),
    };
    format!(
        "{storage} {ty} {name}(void) {{\n  \
         {kept}const unsigned long long values[] = {{ {list}0 }};\n  \
         static unsigned at;\n  {result}\n}}\n",
    )
}

/// A number as 64 bits, those of a floating-point number as it is in memory, or the address of an
/// object outside of the program.
fn number(text: &str) -> String {
    if let Some(object) = text.strip_prefix(OUTSIDE) {
        return format!("(unsigned long long)(unsigned long)horn_outside_{object}");
    }
    if let Some((_, pattern)) = pattern_of_text(text) {
        return format!("{pattern:#x}ull");
    }
    let value: i128 = text.parse().unwrap_or(0);
    format!("{:#x}ull", value & i128::from(u64::MAX))
}
