//! What was declared: all that an elaborator remembers from one command to the next.

use super::Dialect;
use super::datatypes::Family;
use super::env::{Env, Global};
use super::functions::Macro;
use super::sorts::{Alias, Extent};
use crate::term::{DatatypeId, FuncId, Sort, Symbol, Terms};
use rustc_hash::FxHashMap;

/// The declarations in force, in the store that they were made in.
#[derive(Debug)]
pub struct Declarations {
    pub(super) dialect: Dialect,
    pub(super) env: Env,
    pub(super) families: Vec<Family>,
    pub(super) family_of: FxHashMap<DatatypeId, u32>,
    /// Instances of parametric families, and their constructors and fields.
    pub(super) instances: usize,
    pub(super) instance_parts: usize,
    pub(super) aliases: Vec<Alias>,
    /// How large a sort with arguments is.
    pub(super) extents: FxHashMap<Sort, Extent>,
    pub(super) macros: Vec<Macro>,
    /// How many terms were made beyond what the text has.
    pub(super) expansion: usize,
    /// A number for the term at hand, to tell which names were bound in it.
    pub(super) epoch: u32,
}

impl Declarations {
    /// The theories, nothing declared.
    pub(super) fn new(t: &Terms, dialect: Dialect) -> Self {
        Declarations {
            dialect,
            env: Env::new(t),
            families: Vec::new(),
            family_of: FxHashMap::default(),
            instances: 0,
            instance_parts: 0,
            aliases: Vec::new(),
            extents: FxHashMap::default(),
            macros: Vec::new(),
            expansion: 0,
            epoch: 0,
        }
    }

    /// The predicate of that name.
    pub fn predicate(&self, symbol: Symbol) -> Option<FuncId> {
        match self.env.meaning(symbol).global {
            Some(Global::Predicate(func)) => Some(func),
            _ => None,
        }
    }
}
