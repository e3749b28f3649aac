//! What a model says of terms that are no numbers: the values of classes of the e-graph, and of
//! functions.

use super::egraph::Node;
use crate::term::{FuncId, SelectorId, Value};
use rustc_hash::FxHashMap;

/// The results of functions, by function and arguments.
pub(super) type Functions = FxHashMap<(FuncId, Vec<Value>), Value>;
/// The results of selectors on values of other constructors.
pub(super) type Fields = FxHashMap<(SelectorId, Value), Value>;

/// The part of a model that the combination of theories finds.
#[derive(Clone, Debug, Default)]
pub(super) struct Interpretation {
    /// The value of a class, by its root.
    pub(super) values: FxHashMap<Node, Value>,
    pub(super) functions: Functions,
    pub(super) fields: Fields,
}
