//! Verifies several properties, one after the other, and writes one verdict about all of them.
//!
//! `FALSE` names the property that a run violates. `UNKNOWN` names the one that is open. A run that
//! violates a property is executed under the sanitizers of the C compiler before it is printed. If
//! these do not see the violation, there is no verdict.

use crate::args::{Args, TraceFormat};
use crate::assume;
use crate::confirm::{Confirmation, confirm};
use crate::run::{self, C2HornRun};
use crate::trace::{write_invariants, write_run};
use crate::{Failure, Input, backend};
use horn::cfront::{
    CProgram, DataModel, ErrorRun, Invariant, Property, WitnessTask, correctness_witness,
    violation_witness,
};
use horn::cverify::{LoopBound, Termination, Verdict, Verifier};
use horn::os::status::{DONE, FAULT};
use horn::portfolio::Control;
use std::io::{self, BufWriter, Write};

/// Properties that one encoding answers for.
const GROUPS: [&[Property]; 6] = [
    &[Property::UnreachCall],
    &[
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
    ],
    &[Property::NoOverflow],
    &[Property::NoDivisionByZero],
    &[Property::ValidMemcleanup],
    &[Property::Termination],
];

/// What is known of some properties.
enum Finding {
    /// They hold, with these invariants and reasons; and what that assumes.
    Holds(Vec<Invariant>, Vec<LoopBound>, Option<String>),
    /// This one is violated.
    Violated(Property, Box<(CProgram, ErrorRun)>, Option<String>),
    /// For this reason they are open.
    Open(String),
    /// All of them hold but the last, which is open for this reason.
    LastOpen(Vec<Invariant>, String),
    /// The verifier or an engine has a fault.
    Fault(String),
}

/// Verifies these properties.
pub(crate) fn check(
    args: &Args,
    run: &C2HornRun,
    input: &Input,
    properties: &[Property],
) -> Result<u8, Failure> {
    let groups: Vec<Vec<Property>> = (GROUPS.iter())
        .map(|group| {
            let asked = group
                .iter()
                .filter(|property| properties.contains(property));
            asked.copied().collect::<Vec<Property>>()
        })
        .filter(|group| !group.is_empty())
        .collect();
    let mut findings: Vec<(String, Finding)> = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        let parts = u32::try_from(groups.len() - at).unwrap_or(1);
        let finding = find(args, run, input, group, parts)?;
        let names: Vec<&str> = group.iter().map(|property| property.name()).collect();
        let ends = matches!(finding, Finding::Violated(..) | Finding::Fault(_));
        match (finding, names.split_last()) {
            (Finding::LastOpen(invariants, reason), Some((last, others))) => {
                if !others.is_empty() {
                    let holds = Finding::Holds(invariants, Vec::new(), None);
                    findings.push((others.join(", "), holds));
                }
                findings.push(((*last).to_owned(), Finding::Open(reason)));
            }
            (finding, _) => findings.push((names.join(", "), finding)),
        }
        if ends {
            break;
        }
    }
    let proved = findings
        .iter()
        .all(|(_, f)| matches!(f, Finding::Holds(..)));
    let assumed = match proved {
        true => assume::note(args, run, input, &backend(args)?, properties, 0),
        false => None,
    };
    if !run.claim() {
        // The main thread has given the last word.
        return Ok(DONE);
    }
    if let Some(note) = assumed {
        eprintln!("{note}");
    }
    let is_fault = findings.iter().any(|(_, f)| matches!(f, Finding::Fault(_)));
    // Whoever has seen enough of standard output wants the witness all the same.
    let printed = write_findings(args, &findings);
    write_witness(args, input, properties, &findings)?;
    printed?;
    Ok(if is_fault { FAULT } else { DONE })
}

/// What is known of the properties of a group, in a part of the time.
fn find(
    args: &Args,
    run: &C2HornRun,
    input: &Input,
    group: &[Property],
    parts: u32,
) -> Result<Finding, Failure> {
    let model = args.model().unwrap_or_default();
    let file = input.file(args)?;
    let program = match group {
        [Property::UnreachCall] => CProgram::read_file(file, input.calls().as_deref())?,
        [Property::Termination] => CProgram::read_for(file, &[])?,
        group => CProgram::read_for(file, group)?,
    };
    let backend = backend(args)?;
    let options = args.options();
    let verifier = Verifier {
        program: &program,
        backend: &backend,
        options: &options,
        control: Control {
            deadline: run.part(parts),
            ..Control::new(&run.stop)
        },
        // Where signed operations are checked, those of the proof do not overflow.
        asks_machine: args.asks_machine() && group != [Property::NoOverflow],
    };
    if group == [Property::Termination] {
        let found = verifier.terminates(args.encoding()).termination;
        return Ok(end(args, run, program, found, model));
    }
    let verified = verifier.verify(args.encoding());
    Ok(match verified.verdict {
        Verdict::True {
            invariants,
            overflow,
        } => {
            if group.contains(&Property::ValidMemtrack)
                && let Some(reason) = tracked_to_the_end(args, run, input, &verifier)?
            {
                return Ok(Finding::LastOpen(invariants, reason));
            }
            let note = overflow.note().filter(|_| group != [Property::NoOverflow]);
            Finding::Holds(invariants, Vec::new(), note)
        }
        Verdict::False(found) => judge(args, run, program, found, model),
        Verdict::Unknown(reason) => Finding::Open(reason),
        Verdict::Fault(reason) => Finding::Fault(reason),
    })
}

/// Memory that is lost is seen at the program's end. Why it might not be: `None` if nothing is
/// allocated, or if every run ends.
fn tracked_to_the_end(
    args: &Args,
    run: &C2HornRun,
    input: &Input,
    verifier: &Verifier<'_>,
) -> Result<Option<String>, Failure> {
    if !verifier.program.allocates() {
        return Ok(None);
    }
    let program = CProgram::read_for(input.file(args)?, &[])?;
    let verifier = Verifier {
        program: &program,
        control: Control {
            deadline: run.part(2),
            ..verifier.control
        },
        ..*verifier
    };
    Ok(match verifier.terminates(args.encoding()).termination {
        Termination::Ends { .. } => None,
        Termination::Forever(..) => Some("a run has no end: its memory may be lost".to_owned()),
        Termination::Unknown(why) | Termination::Fault(why) => Some(format!(
            "memory that a run without end loses is not seen: {why}"
        )),
    })
}

/// What is known of the ends of runs, once a run without an end was executed.
fn end(
    args: &Args,
    run: &C2HornRun,
    program: CProgram,
    found: Termination,
    model: DataModel,
) -> Finding {
    match found {
        Termination::Ends {
            bounds,
            invariants,
            overflow,
        } => Finding::Holds(invariants, bounds, overflow.note()),
        Termination::Forever(found, input) => {
            // Where a run has no more inputs, its execution has zeros.
            let is_executable = input.is_none_or(|input| input == 0);
            if is_executable {
                return judge(args, run, program, *found, model);
            }
            let note = "it needs inputs other than 0 without end".to_owned();
            Finding::Violated(
                Property::Termination,
                Box::new((program, *found)),
                Some(note),
            )
        }
        Termination::Unknown(reason) => Finding::Open(reason),
        Termination::Fault(reason) => Finding::Fault(reason),
    }
}

/// What a run that violates a property says once it was executed.
fn judge(
    args: &Args,
    run: &C2HornRun,
    program: CProgram,
    found: ErrorRun,
    model: DataModel,
) -> Finding {
    let property = found.end.property().unwrap_or(Property::UnreachCall);
    let mut note = None;
    if !args.no_confirm {
        match confirm(&program, &found, model, property, run) {
            Confirmation::Confirmed => {}
            Confirmation::Contradicted(_) if found.end.is_folded() => {}
            Confirmation::Contradicted(why) => {
                let place = found.end.place();
                return Finding::Open(match property {
                    Property::UnreachCall => format!("{place}: a run to the error, but {why}"),
                    _ => format!("{place}: a violation of {property}: {why}"),
                });
            }
            Confirmation::Open(why) => note = Some(why),
        }
    }
    Finding::Violated(property, Box::new((program, found)), note)
}

/// Writes the witness that belongs to the verdict about all properties, if there is one.
fn write_witness(
    args: &Args,
    input: &Input,
    properties: &[Property],
    findings: &[(String, Finding)],
) -> io::Result<()> {
    let Some(path) = &args.witness else {
        return Ok(());
    };
    let violated = findings.iter().find_map(|(_, finding)| match finding {
        Finding::Violated(property, found, _) => Some((*property, &found.1)),
        _ => None,
    });
    let lines = |asked: &[Property]| -> Vec<String> {
        asked.iter().map(|property| property.check_line()).collect()
    };
    let specification = match &violated {
        Some((property, _)) => lines(&[*property]),
        None => lines(properties),
    };
    let task = WitnessTask {
        file: &input.name,
        bytes: &input.bytes,
        specification: &specification.join("\n"),
        model: args.model().unwrap_or_default(),
        time: run::date(),
    };
    let text = match violated {
        Some((Property::Termination, _)) => {
            eprintln!("note: no witness is written: there is none of runs without end");
            return Ok(());
        }
        Some((_, found)) => violation_witness(&task, found),
        None => {
            let mut all = Vec::new();
            for (_, finding) in findings {
                match finding {
                    Finding::Holds(invariants, ..) => all.extend(invariants.iter().cloned()),
                    _ => return Ok(()),
                }
            }
            if properties.contains(&Property::Termination) {
                eprintln!("note: the witness does not say why runs end");
            }
            correctness_witness(&task, &all)
        }
    };
    std::fs::write(path, text)
}

/// Writes the verdict about all properties, with what belongs to it.
fn write_findings(args: &Args, findings: &[(String, Finding)]) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for (names, finding) in findings {
        match finding {
            Finding::Holds(_, _, Some(note)) => eprintln!("{note} ({names})"),
            Finding::Violated(_, _, Some(note)) => {
                eprintln!("note: the run to the error is not confirmed: {note}");
            }
            _ => {}
        }
        if findings.len() > 1 {
            match finding {
                Finding::Holds(..) => eprintln!("{names}: TRUE"),
                Finding::Violated(property, ..) => eprintln!("{names}: FALSE({property})"),
                Finding::Open(reason) | Finding::LastOpen(_, reason) | Finding::Fault(reason) => {
                    eprintln!("{names}: UNKNOWN({reason})");
                }
            }
        }
    }
    let violated = findings.iter().find_map(|(_, finding)| match finding {
        Finding::Violated(property, found, _) => Some((property, found)),
        _ => None,
    });
    let open = findings.iter().find_map(|(names, finding)| match finding {
        Finding::Open(reason) | Finding::Fault(reason) => Some((names, reason)),
        _ => None,
    });
    match (violated, open) {
        (Some((property, found)), _) => {
            writeln!(out, "FALSE({property})")?;
            // JSON has the verdict of reachability only.
            if args.trace == TraceFormat::Json {
                eprintln!("note: --trace json is for the error that the program speaks of");
            }
            write_run(&mut out, &found.0, &found.1, args.trace)?;
            if let Some(path) = &args.harness {
                std::fs::write(path, found.0.harness(&found.1))?;
            }
        }
        (None, Some((names, reason))) => writeln!(out, "UNKNOWN({names}: {reason})")?,
        (None, None) => {
            writeln!(out, "TRUE")?;
            for (_, finding) in findings {
                if let Finding::Holds(invariants, bounds, _) = finding {
                    write_bounds(&mut out, bounds)?;
                    write_invariants(&mut out, invariants)?;
                }
            }
        }
    }
    out.flush()
}

/// Writes why loops and recursions end.
fn write_bounds(out: &mut dyn Write, bounds: &[LoopBound]) -> io::Result<()> {
    for bound in bounds {
        let place = &bound.place;
        let what = match &bound.recursion {
            Some(name) => format!("the recursion of {name}"),
            None => "this loop".to_owned(),
        };
        match &bound.measures[..] {
            [] => writeln!(out, "{place}: {what} is never repeated")?,
            measures => writeln!(
                out,
                "{place}: {what} ends: {} decreases",
                measures.join(", then ")
            )?,
        }
    }
    Ok(())
}
