//! The native part of the Python package `horn`: [`horn::problem`] as classes of Python. What
//! Python writes better, such as operators and iteration, is in `python/horn/__init__.py`.

mod outcome;
mod problem;
mod value;

use pyo3::prelude::*;

/// The module `horn._horn`.
#[pymodule]
fn _horn(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<problem::Problem>()?;
    module.add_class::<outcome::Outcome>()?;
    module.add_class::<value::Value>()?;
    let error = module.py().get_type::<problem::HornError>();
    module.add("HornError", error)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
