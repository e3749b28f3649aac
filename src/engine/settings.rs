//! The options of all engines together, set by `ENGINE.OPTION=VALUE`.

use super::option::OptionSet;
use super::registry::{ENGINES, EngineSettings};
use super::setting_error::SettingError;

impl EngineSettings {
    /// Sets an option of an engine, also where other engines run that engine inside.
    ///
    /// # Errors
    /// There is no such engine, it has no such option, or the option does not take that value.
    pub fn set(&mut self, engine: &str, name: &str, value: &str) -> Result<(), SettingError> {
        if !ENGINES.iter().any(|spec| spec.name == engine) {
            return Err(SettingError::Engine {
                name: engine.to_owned(),
                known: ENGINES.iter().map(|spec| spec.name).collect(),
            });
        }
        for (own, options) in self.all_mut() {
            set_in(own, options, engine, name, value)?;
        }
        Ok(())
    }

    /// As [`EngineSettings::set`], by a text of the form `ENGINE.OPTION=VALUE`.
    ///
    /// # Errors
    /// As [`EngineSettings::set`]; or the text has another form.
    pub fn assign(&mut self, text: &str) -> Result<(), SettingError> {
        let (place, value) = text.split_once('=').ok_or(SettingError::Form)?;
        let (engine, name) = place.split_once('.').ok_or(SettingError::Form)?;
        self.set(engine, name, value)
    }

    /// A setting of a command line: the text, if [`EngineSettings::assign`] takes it.
    ///
    /// # Errors
    /// As [`EngineSettings::assign`].
    pub fn checked(text: &str) -> Result<String, SettingError> {
        EngineSettings::default().assign(text)?;
        Ok(text.to_owned())
    }

    /// Sets the options of a command line.
    ///
    /// # Panics
    /// One of the texts is none that [`EngineSettings::checked`] has let through.
    pub fn assign_checked(&mut self, settings: &[String]) {
        for setting in settings {
            let set = self.assign(setting);
            set.expect("it was tried when the command line was read");
        }
    }

    /// The value of an option of `engine` where that runs inside `outer` (or is `outer`); `None`
    /// where there is no such option.
    pub fn value_within(&self, outer: &str, engine: &str, name: &str) -> Option<String> {
        let (own, options) = self.all().into_iter().find(|(own, _)| *own == outer)?;
        value_in(own, options, engine, name)
    }
}

/// Sets the option wherever the engine is within these options, which are those of the engine
/// `own`.
fn set_in(
    own: &str,
    options: &mut dyn OptionSet,
    engine: &str,
    name: &str,
    value: &str,
) -> Result<(), SettingError> {
    if own == engine {
        options.set(name, value)?;
    }
    for (inner, options) in options.inner_mut() {
        set_in(inner, options, engine, name, value)?;
    }
    Ok(())
}

fn value_in(own: &str, options: &dyn OptionSet, engine: &str, name: &str) -> Option<String> {
    if own == engine {
        return options.value(name);
    }
    let mut inner = options.inner().into_iter();
    inner.find_map(|(inner, options)| value_in(inner, options, engine, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_holds_wherever_its_engine_runs() {
        let mut settings = EngineSettings::default();
        let guidance = |settings: &EngineSettings| {
            ["pdr", "spacer", "cells", "acceleration", "kind"]
                .map(|outer| settings.value_within(outer, "pdr", "guidance"))
        };
        let [on, off] = ["on", "off"].map(|word| Some(word.to_owned()));
        let before = [&on, &off, &on, &off, &None].map(Clone::clone);
        assert_eq!(guidance(&settings), before);
        assert_eq!(settings.assign("pdr.guidance=on"), Ok(()));
        let after = [&on, &on, &on, &on, &None].map(Clone::clone);
        assert_eq!(guidance(&settings), after);
        assert_eq!(settings.assign("bmc.max-depth=3"), Ok(()));
        assert_eq!(settings.bmc.max_depth, 3);
    }

    #[test]
    fn wrong_settings_are_answered_with_right_ones() {
        for (text, expected) in [
            ("pdr.ctg", "a setting has the form ENGINE.OPTION=VALUE"),
            ("ctg=1", "a setting has the form ENGINE.OPTION=VALUE"),
            (
                "auto.ctg=1",
                "there is no engine `auto`; there are pdr, bmc,",
            ),
            (
                "kind.ctg=1",
                "there is no option `ctg`; there are max-k, max-base",
            ),
            ("acceleration.x=1", "there is no option `x`; there are "),
            ("pdr.ctg=on", "`ctg` takes a number from 0"),
        ] {
            let error = EngineSettings::default()
                .assign(text)
                .expect_err(text)
                .to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn every_default_is_a_value_that_can_be_set() {
        for spec in ENGINES {
            for row in spec.options {
                let mut settings = EngineSettings::default();
                let value = settings.value_within(spec.name, spec.name, &row.name());
                let value = value.expect("the row is the engine's");
                let name = format!("{}.{}", spec.name, row.name());
                assert_eq!(settings.assign(&format!("{name}={value}")), Ok(()));
                assert!(settings.assign(&format!("{name}=much")).is_err(), "{name}");
            }
        }
    }
}
