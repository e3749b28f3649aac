//! Who answers interpolation problems: the embedded core, an external solver, or the one after the
//! other.

use super::process::ProcessInterpolator;
use super::router::RoutedInterpolator;
use super::{
    Failure, Interpolant, InterpolationSource, Interpolator, Limit, NoInterpolants, PartId,
    PartTree,
};
use crate::term::Term;
use std::fmt::Arguments;

/// The source that is wanted. `external` is a context of the external solver, if there is one that
/// has interpolants.
pub(super) fn choose<'t>(
    source: InterpolationSource,
    core: impl FnOnce() -> RoutedInterpolator<'t>,
    external: impl FnOnce() -> Option<ProcessInterpolator<'t>>,
) -> Box<dyn Interpolator + 't> {
    match source {
        InterpolationSource::Core => Box::new(core()),
        InterpolationSource::External => match external() {
            Some(external) => Box::new(external),
            None => Box::new(Nobody),
        },
        InterpolationSource::Both => match external() {
            Some(external) => Box::new(Both {
                core: core(),
                external,
                of_core: Vec::new(),
            }),
            None => Box::new(core()),
        },
    }
}

/// The core, and the external solver for what the core does not answer.
struct Both<'t> {
    core: RoutedInterpolator<'t>,
    external: ProcessInterpolator<'t>,
    /// For each part of the external solver, that of the core; `None` where it does not decide the
    /// formulas.
    of_core: Vec<Option<PartId>>,
}

impl Both<'_> {
    /// Adds a part to the external solver, and to the core if that decides its formulas.
    fn add_to_both(
        &mut self,
        of_core: Result<PartId, Failure>,
        of_external: impl FnOnce(&mut Self) -> Result<PartId, Failure>,
    ) -> Result<PartId, Failure> {
        let of_core = match of_core {
            Ok(part) => Some(part),
            Err(Failure::Unsupported(_)) => None,
            Err(failure) => return Err(failure),
        };
        let part = of_external(self)?;
        debug_assert_eq!(part.index(), self.of_core.len());
        self.of_core.push(of_core);
        Ok(part)
    }

    /// The core's interpolants, `None` if another solver may have some.
    fn ask_core(
        &mut self,
        about: Arguments<'_>,
        tree: &PartTree,
        nodes: &[Vec<PartId>],
    ) -> Option<Result<Vec<Interpolant>, NoInterpolants>> {
        let of_core = |parts: &Vec<PartId>| {
            let parts = parts.iter().map(|part| self.of_core[part.index()]);
            parts.collect::<Option<Vec<_>>>()
        };
        let nodes: Vec<Vec<PartId>> = nodes.iter().map(of_core).collect::<Option<_>>()?;
        let found = self.core.interpolants(about, tree, &nodes);
        let is_open = matches!(
            found,
            Err(NoInterpolants::Mixed
                | NoInterpolants::Unknown(Failure::Unsupported(_) | Failure::Incomplete(_)))
        );
        (!is_open).then_some(found)
    }
}

impl Interpolator for Both<'_> {
    fn add(&mut self, formulas: &[Term]) -> Result<PartId, Failure> {
        let of_core = self.core.add(formulas);
        self.add_to_both(of_core, |both| both.external.add(formulas))
    }

    fn add_for_good(&mut self, formulas: &[Term]) -> Result<PartId, Failure> {
        let of_core = self.core.add_for_good(formulas);
        self.add_to_both(of_core, |both| both.external.add_for_good(formulas))
    }

    fn interpolants(
        &mut self,
        about: Arguments<'_>,
        tree: &PartTree,
        nodes: &[Vec<PartId>],
    ) -> Result<Vec<Interpolant>, NoInterpolants> {
        match self.ask_core(about, tree, nodes) {
            Some(found) => found,
            None => self.external.interpolants(about, tree, nodes),
        }
    }

    fn set_limit(&mut self, limit: Limit) {
        self.core.set_limit(limit.clone());
        self.external.set_limit(limit);
    }
}

/// No external solver, or one that has no interpolants.
struct Nobody;

impl Nobody {
    fn failure() -> Failure {
        Failure::Unsupported("interpolants: no external solver has them".to_owned())
    }
}

impl Interpolator for Nobody {
    fn add(&mut self, _: &[Term]) -> Result<PartId, Failure> {
        Err(Nobody::failure())
    }

    fn add_for_good(&mut self, _: &[Term]) -> Result<PartId, Failure> {
        Err(Nobody::failure())
    }

    fn interpolants(
        &mut self,
        _: Arguments<'_>,
        _: &PartTree,
        _: &[Vec<PartId>],
    ) -> Result<Vec<Interpolant>, NoInterpolants> {
        Err(Nobody::failure().into())
    }

    fn set_limit(&mut self, _: Limit) {}
}
