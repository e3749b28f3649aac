//! The options of engines that learn from derivations without values: sources of assertions
//! \[DHMNP17\] and choices of prefixes \[BLW15\] as words.

use super::option::{OptionRange, OptionValue, word_option};
use crate::refinement::{AssertionSource, Prefixes, Sources};

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
        "`none`, or one source as for `refinement`".to_owned()
    }
}

/// The options of refinement that the options of an engine say, which have the same names in each.
macro_rules! refinement_options {
    ($options:expr) => {
        $crate::refinement::Options {
            sources: $options.refinement.clone(),
            alternate: $options.alternate,
            prefixes: $options.prefixes,
            core_queries: $options.core_queries,
            clausal: $options.clausal,
            judge: $options.judge,
            interpolation: $crate::smt::InterpolationOptions {
                source: $options.interpolation_source,
                strength: $options.interpolants,
                decompose: $options.decompose,
                ..$crate::smt::InterpolationOptions::default()
            },
        }
    };
}
pub(super) use refinement_options;
