//! What abstract interpretation alone knows of a program's loop heads.
//!
//! Integers are mathematical at first. If the invariants leave open whether an unsigned operation
//! wraps around, they are sought again with integers that do. Signed operations are taken not to
//! overflow, as in C; a note says so unless the invariants exclude it.

use super::verifier::{Done, Session, Verifier};
use crate::absint::{InvariantDomain, Rounds};
use crate::certify::{ModelError, check_model};
use crate::cfront::{CheckedProperty, EncodeOptions, Encoded, IntMode, Invariant, Place, Size};
use crate::chc::{Model, System};
use crate::smt;
use crate::term::{Term, Terms};

/// What holds of everything that a program's clauses derive.
#[derive(Clone, Debug)]
pub struct Interpreted {
    /// What holds at the program's loop heads and other cutpoints.
    pub invariants: Vec<Invariant>,
    /// What the user must know.
    pub note: Option<String>,
    /// The size of the system that was interpreted.
    pub size: Size,
}

/// Why there are no invariants.
#[derive(Debug, thiserror::Error)]
pub enum InterpretationError {
    /// The analysis did not end.
    #[error(transparent)]
    Analysis(#[from] smt::Failure),
    /// The checker of certificates has not accepted what was found.
    #[error("the invariants are not confirmed: {0}")]
    Unconfirmed(ModelError),
}

impl InterpretationError {
    /// Was an invariant refuted? Then the analysis has a fault.
    pub fn is_fault(&self) -> bool {
        matches!(self, InterpretationError::Unconfirmed(error) if error.is_refusal())
    }
}

/// An encoding that need not answer its queries, and invariants as a model of its other clauses.
struct Known<'a> {
    encoded: Encoded<'a>,
    model: Model,
    note: Option<String>,
}

/// An analysis under way.
struct Interpretation<'a> {
    terms: &'a Terms,
    domain: InvariantDomain,
    session: Session<'a>,
}

impl Verifier<'_> {
    /// The invariants of the verifier's program that this domain finds, with all that come before
    /// it. The checker of certificates has accepted them.
    ///
    /// # Errors
    ///
    /// A limit is reached, or the checker does not accept what was found.
    pub fn interpret(
        &self,
        domain: InvariantDomain,
        encoding: EncodeOptions,
    ) -> Result<Interpreted, InterpretationError> {
        let (terms, done) = (Terms::new(), Done::default());
        let interpretation = Interpretation {
            terms: &terms,
            domain,
            session: Session::new(self, &done),
        };
        let known = interpretation.known(encoding)?;
        Ok(Interpreted {
            invariants: known.encoded.invariants(&known.model),
            note: known.note,
            size: known.encoded.size(),
        })
    }
}

impl<'a> Interpretation<'a> {
    /// The invariants. Integers wrap around as needed if the machine is asked.
    fn known(&self, encoding: EncodeOptions) -> Result<Known<'a>, InterpretationError> {
        let verifier = self.session.verifier;
        let encode = |question| {
            let options = EncodeOptions {
                question,
                ..encoding
            };
            verifier.program.encode(self.terms, options)
        };
        let encoded = encode(CheckedProperty::ErrorsAndWraps);
        let model = self.model(encoded.system())?;
        let mut known = Known {
            encoded,
            model,
            note: None,
        };
        if encoding.ints != IntMode::Unbounded {
            return Ok(known);
        }
        let wraps = self.first_open(
            &known.encoded,
            &known.encoded.questions_of_wraps(),
            &known.model,
        );
        if verifier.asks_machine && wraps.is_some() {
            let ints = IntMode::Wrap;
            return self.known(EncodeOptions { ints, ..encoding });
        }
        let asked = encode(CheckedProperty::Overflows);
        // Under the model that has everything derivable, all clauses hold but queries.
        let system = asked.system_within(&known.encoded, &known.model);
        let trivial = Model::trivial(self.terms, &system);
        known.note = self.first_open(&asked, &system, &trivial).map(|place| {
            let place = place.map_or(String::new(), |place| format!("{place}: "));
            format!("{place}note: the invariants assume that operations do not overflow, and this one may")
        });
        Ok(known)
    }

    /// The place that the first clause leads to of which the model is not known to be one; `None`
    /// if there is none.
    fn first_open(
        &self,
        encoded: &Encoded<'_>,
        system: &System,
        model: &Model,
    ) -> Option<Option<Place>> {
        let mut solvers = || (self.session.verifier.backend).solver(self.terms, "overflow");
        match check_model(self.terms, system, model, &mut solvers, &self.session.limit) {
            Ok(()) => None,
            Err(ModelError::Refused { clause, .. } | ModelError::NotDecided { clause, .. }) => {
                Some(encoded.clause_place(clause))
            }
            Err(_) => Some(None),
        }
    }

    /// What holds of everything that the system derives, in this domain and those before it.
    fn model(&self, system: &System) -> Result<Model, InterpretationError> {
        let (terms, limit) = (self.terms, &self.session.limit);
        let backend = self.session.verifier.backend;
        let mut model = Model::trivial(terms, system);
        let params = model.interpretations.iter();
        let params: Vec<Vec<Term>> = params.map(|known| known.params.clone()).collect();
        let mut rounds = Rounds::new(terms, system, params, self.domain, backend);
        while let Some(found) = rounds.next(limit)? {
            for (known, found) in model.interpretations.iter_mut().zip(found) {
                known.body = terms.and([known.body, found]);
            }
        }
        let clauses = system.clauses.iter();
        let derivations = System {
            clauses: clauses.filter(|c| c.head.is_some()).cloned().collect(),
            ..system.clone()
        };
        let mut solvers = || backend.solver(terms, "invariants");
        check_model(terms, &derivations, &model, &mut solvers, limit)
            .map_err(InterpretationError::Unconfirmed)?;
        Ok(model)
    }
}
