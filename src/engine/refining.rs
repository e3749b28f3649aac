//! The options of engines that learn from derivations without values: sources of assertions
//! \[DHMNP17\] and choices of prefixes \[BLW15\] as words.

use super::option::{OptionRange, OptionValue, word_option};
use crate::refinement::{AssertionSource, Options, Prefixes, Sources};
use crate::smt::{InterpolationOptions, InterpolationSource, Strength};

word_option!(
    Prefixes: "whole" => Whole, "first" => First, "last" => Last, "domain-types" => DomainTypes,
    "depth" => Depth, "score" => Score, "all" => All
);

/// One or more names of sources, separated by commas.
impl OptionValue for Sources {
    fn take(&mut self, text: &str, _: OptionRange) -> bool {
        text.parse().map(|sources| *self = sources).is_ok()
    }

    fn text(&self) -> String {
        self.to_string()
    }

    fn expected(_: OptionRange) -> String {
        "`craig`, or `values`, or `newton-sp` or `newton-wp` followed by nothing, `-core`, `-live` or `-core-live`; \
         or several of these, separated by commas"
            .to_owned()
    }
}

/// Which interpolants of a proof are taken, and who finds them.
#[derive(Clone, Copy)]
pub(super) struct Interpolants {
    pub(super) strength: Strength,
    pub(super) source: InterpolationSource,
    pub(super) decompose: bool,
}

/// The name of a source, or `none`.
impl OptionValue for Option<AssertionSource> {
    fn take(&mut self, text: &str, _: OptionRange) -> bool {
        if text == "none" {
            *self = None;
            return true;
        }
        text.parse().map(|source| *self = Some(source)).is_ok()
    }

    fn text(&self) -> String {
        self.map_or_else(|| "none".to_owned(), |source| source.to_string())
    }

    fn expected(_: OptionRange) -> String {
        "`none`, or one of these sources".to_owned()
    }
}

/// The options of refinement that an engine's options say.
pub(super) fn refinement(
    sources: &Sources,
    alternate: Option<AssertionSource>,
    prefixes: Prefixes,
    core_queries: u32,
    interpolants: Interpolants,
    judge: bool,
) -> Options {
    Options {
        sources: sources.clone(),
        alternate,
        prefixes,
        core_queries,
        judge,
        interpolation: InterpolationOptions {
            source: interpolants.source,
            strength: interpolants.strength,
            decompose: interpolants.decompose,
            ..InterpolationOptions::default()
        },
    }
}
