//! Settings that are refused.

/// An option that does not exist, or a value that it does not take.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SettingError {
    /// The text is no setting.
    #[error("a setting has the form ENGINE.OPTION=VALUE")]
    Form,
    /// There is no such engine.
    #[error("there is no engine `{name}`; there are {}", .known.join(", "))]
    Engine {
        /// What was asked for.
        name: String,
        /// The engines that there are.
        known: Vec<&'static str>,
    },
    /// The engine has no such option.
    #[error("there is no option `{name}`; there are {}", .known.join(", "))]
    Name {
        /// What was asked for.
        name: String,
        /// The options that there are.
        known: Vec<String>,
    },
    /// The option does not take this value.
    #[error("`{name}` takes {expected}, not `{value}`")]
    Value {
        /// The option.
        name: String,
        /// What it takes.
        expected: String,
        /// What it was given.
        value: String,
    },
}
