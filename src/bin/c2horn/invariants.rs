//! What abstract interpretation alone knows of a program's loop heads.
//!
//! Integers are mathematical at first. If the invariants leave open whether an unsigned operation
//! wraps around, they are sought again with integers that do. Signed operations are taken not to
//! overflow, as in C; a note says so unless the invariants exclude it.

use crate::args::{Args, DomainArg};
use crate::run::C2HornRun;
use crate::trace::write_invariants;
use crate::{Failure, backend, print_size, print_time};
use horn::absint::{InvariantDomain, Rounds};
use horn::certify::{ModelError, check_model};
use horn::cfront::{CProgram, CheckedProperty, EncodeOptions, Encoded, IntMode, Place};
use horn::chc::{Model, System};
use horn::os::status::{DONE, FAULT};
use horn::smt::{self, Backend, Limit};
use horn::term::{Term, Terms};
use std::io::{self, BufWriter, Write};

/// Why there are no invariants.
#[derive(Debug, thiserror::Error)]
enum Gap {
    /// The analysis did not end.
    #[error(transparent)]
    Analysis(#[from] smt::Failure),
    /// What it has found is not known to hold of what the clauses derive.
    #[error("the invariants are not confirmed: {0}")]
    Unconfirmed(ModelError),
}

/// What is needed to interpret a program.
struct Interpreter<'a> {
    terms: &'a Terms,
    program: &'a CProgram,
    domain: DomainArg,
    backend: &'a Backend,
    limit: Limit,
}

/// Invariants, as a model of an encoding that need not answer its queries.
struct Known<'a> {
    encoded: Encoded<'a>,
    model: Model,
    /// What the user must know.
    note: Option<String>,
}

/// Prints the invariants that hold in this domain.
pub(crate) fn print(
    args: &Args,
    run: &C2HornRun,
    program: &CProgram,
    domain: DomainArg,
) -> Result<u8, Failure> {
    let (terms, backend, before) = (Terms::new(), backend(args)?, run.time());
    let interpreter = Interpreter {
        terms: &terms,
        program,
        domain,
        backend: &backend,
        limit: Limit::new(run.deadline, run.stop.token().clone()),
    };
    let known = interpreter.known(args.encoding(), args.asks_machine());
    if !run.claim() {
        // The main thread has given the last word.
        return Ok(DONE);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    match &known {
        Ok(known) => {
            if let Some(note) = &known.note {
                eprintln!("{note}");
            }
            write_invariants(&mut out, &known.encoded.invariants(&known.model))?;
        }
        Err(gap) => writeln!(out, "UNKNOWN({gap})")?,
    }
    out.flush()?;
    if args.stats {
        print_time("to interpret", run.time() - before);
        if let Ok(known) = &known {
            print_size(&known.encoded);
        }
    }
    Ok(match &known {
        Err(Gap::Unconfirmed(error)) if error.is_refusal() => FAULT,
        _ => DONE,
    })
}

impl<'a> Interpreter<'a> {
    /// The invariants. Integers that wrap around are used as needed if `may_wrap`.
    fn known(&self, encoding: EncodeOptions, may_wrap: bool) -> Result<Known<'a>, Gap> {
        let question = CheckedProperty::ErrorsAndWraps;
        let encoded = self.program.encode(
            self.terms,
            EncodeOptions {
                question,
                ..encoding
            },
        );
        let model = interpret(
            self.terms,
            encoded.system(),
            self.domain,
            self.backend,
            &self.limit,
        )?;
        let mut known = Known {
            encoded,
            model,
            note: None,
        };
        if encoding.ints != IntMode::Unbounded {
            return Ok(known);
        }
        let wraps = self.is_open(
            &known.encoded,
            known.encoded.questions_of_wraps(),
            &known.model,
        );
        if may_wrap && wraps.is_some() {
            let ints = IntMode::Wrap;
            return self.known(EncodeOptions { ints, ..encoding }, may_wrap);
        }
        let question = CheckedProperty::Overflows;
        let asked = self.program.encode(
            self.terms,
            EncodeOptions {
                question,
                ..encoding
            },
        );
        // Under the model that has everything derivable, all clauses hold but queries.
        let system = asked.system_within(&known.encoded, &known.model);
        let trivial = Model::trivial(self.terms, &system);
        let overflow = self.is_open(&asked, system, &trivial);
        known.note = overflow.map(|place| {
            let place = place.map_or(String::new(), |place| format!("{place}: "));
            format!("{place}note: the invariants assume that operations do not overflow, and this one may")
        });
        Ok(known)
    }

    /// The place that the first clause leads to of which the model is not known to be one; `None`
    /// if there is none.
    fn is_open(
        &self,
        encoded: &Encoded<'_>,
        system: System,
        model: &Model,
    ) -> Option<Option<Place>> {
        let mut solvers = || self.backend.solver(self.terms, "overflow");
        match check_model(self.terms, &system, model, &mut solvers, &self.limit) {
            Ok(()) => None,
            Err(ModelError::Refused { clause, .. } | ModelError::NotDecided { clause, .. }) => {
                Some(encoded.clause_place(clause))
            }
            Err(_) => Some(None),
        }
    }
}

/// What holds of everything that the system derives, in this domain. The checker of certificates
/// has confirmed it.
fn interpret(
    terms: &Terms,
    system: &System,
    domain: DomainArg,
    backend: &Backend,
    limit: &Limit,
) -> Result<Model, Gap> {
    let mut model = Model::trivial(terms, system);
    let params = model.interpretations.iter();
    let params: Vec<Vec<Term>> = params.map(|known| known.params.clone()).collect();
    let bodies = formulas(terms, system, &params, domain, backend, limit)?;
    for (interpretation, body) in model.interpretations.iter_mut().zip(bodies) {
        interpretation.body = body;
    }
    let clauses = system.clauses.iter();
    let derivations = System {
        clauses: clauses.filter(|c| c.head.is_some()).cloned().collect(),
        ..system.clone()
    };
    let mut solvers = || backend.solver(terms, "invariants");
    check_model(terms, &derivations, &model, &mut solvers, limit).map_err(Gap::Unconfirmed)?;
    Ok(model)
}

/// The same as a formula for each predicate, over these parameters: what all rounds up to the
/// domain find.
fn formulas(
    terms: &Terms,
    system: &System,
    params: &[Vec<Term>],
    domain: DomainArg,
    backend: &Backend,
    limit: &Limit,
) -> Result<Vec<Term>, Gap> {
    let domain = match domain {
        DomainArg::Intervals => InvariantDomain::Intervals,
        DomainArg::Octagons => InvariantDomain::Octagons,
        DomainArg::Polyhedra => InvariantDomain::Polyhedra,
    };
    let mut rounds = Rounds::new(terms, system, params.to_vec(), domain, backend);
    let mut known = vec![Term::TRUE; params.len()];
    while let Some(found) = rounds.next(limit)? {
        for (known, found) in known.iter_mut().zip(found) {
            *known = terms.and([*known, found]);
        }
    }
    Ok(known)
}
