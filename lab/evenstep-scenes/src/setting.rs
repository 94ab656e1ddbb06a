//! Settings of scenes, written KEY=VALUE.

/// A setting of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// The key.
    pub key: &'static str,
    /// The default value.
    pub default: &'static str,
    /// The kind of its values.
    pub kind: SettingKind,
}

impl Setting {
    /// A number within a range.
    pub(crate) const fn number(key: &'static str, default: &'static str, min: f64, max: f64) -> Self {
        let is_whole = false;
        Self {
            key,
            default,
            kind: SettingKind::Number { min, max, is_whole },
        }
    }

    /// A whole number from 1 to a largest one.
    pub(crate) const fn whole(key: &'static str, default: &'static str, max: u32) -> Self {
        Self {
            key,
            default,
            kind: SettingKind::Number {
                min: 1.0,
                max: max as f64,
                is_whole: true,
            },
        }
    }

    /// One of a list of words; the first is the default.
    pub(crate) const fn choice(key: &'static str, choices: &'static [&'static str]) -> Self {
        Self {
            key,
            default: choices[0],
            kind: SettingKind::Choice(choices),
        }
    }
}

/// The kind of a setting's values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingKind {
    /// A number within a range.
    Number {
        /// The minimum.
        min: f64,
        /// The maximum.
        max: f64,
        /// Whether fractions are refused.
        is_whole: bool,
    },
    /// One of a list of words.
    Choice(&'static [&'static str]),
    /// Free text.
    Text,
}

/// The settings of a scene with their current values.
///
/// ```
/// use evenstep_scenes::SceneInfo;
///
/// let mut settings = SceneInfo::by_name("spring").expect("it is in the list").settings();
/// settings.set("integrator=rk4")?;
/// assert_eq!(settings.text("integrator"), "rk4");
/// assert_eq!(settings.set("b=-1").unwrap_err().to_string(), "setting b=-1: must be from 0 to 1000000");
/// # Ok::<(), evenstep_scenes::SettingError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    known: &'static [Setting],
    /// Their values as text, each of its setting's kind.
    values: Vec<String>,
}

impl Settings {
    /// All settings with their default values.
    pub(crate) fn new(known: &'static [Setting]) -> Self {
        Self {
            known,
            values: known.iter().map(|setting| setting.default.to_owned()).collect(),
        }
    }

    /// Sets a value, written `KEY=VALUE`.
    ///
    /// # Errors
    ///
    /// If the key is unknown or the value is invalid.
    pub fn set(&mut self, assignment: &str) -> Result<(), SettingError> {
        let (key, text) = assignment
            .split_once('=')
            .ok_or_else(|| SettingError::new(assignment, "must be written KEY=VALUE".to_owned()))?;
        let index = self
            .known
            .iter()
            .position(|setting| setting.key == key)
            .ok_or_else(|| {
                let keys: Vec<&str> = self.known.iter().map(|setting| setting.key).collect();
                SettingError::new(assignment, format!("no such setting; there are {}", keys.join(", ")))
            })?;
        let checked = self.known[index].kind.check(text);
        checked.map_err(|reason| SettingError::new(assignment, reason))?;
        text.clone_into(&mut self.values[index]);
        Ok(())
    }

    /// The value of a number setting.
    ///
    /// # Panics
    ///
    /// If the scene has no such number setting, which is a bug in the scene.
    #[must_use]
    pub fn number(&self, key: &str) -> f64 {
        let number = self.text(key).parse();
        number.unwrap_or_else(|_| panic!("{key} is no number of this scene"))
    }

    /// The value of a setting as text.
    ///
    /// # Panics
    ///
    /// If the scene has no such setting, which is a bug in the scene.
    #[must_use]
    pub fn text(&self, key: &str) -> &str {
        let index = self.known.iter().position(|setting| setting.key == key);
        &self.values[index.unwrap_or_else(|| panic!("{key} is no setting of this scene"))]
    }
}

impl SettingKind {
    /// Whether a text is one of its values; if it is not, why.
    fn check(&self, text: &str) -> Result<(), String> {
        match *self {
            Self::Number { min, max, is_whole } => match text.parse::<f64>() {
                Ok(number) if is_whole && number.fract() != 0.0 => {
                    Err(format!("must be a whole number from {min} to {max}"))
                }
                Ok(number) if (min..=max).contains(&number) => Ok(()),
                Ok(_) => Err(format!("must be from {min} to {max}")),
                Err(_) => Err(format!("is not a number; give one from {min} to {max}")),
            },
            Self::Choice(choices) if !choices.contains(&text) => Err(format!("must be one of {}", choices.join(", "))),
            Self::Choice(_) | Self::Text => Ok(()),
        }
    }
}

/// An unknown setting or an invalid value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("setting {assignment}: {reason}")]
pub struct SettingError {
    assignment: String,
    reason: String,
}

impl SettingError {
    fn new(assignment: &str, reason: String) -> Self {
        Self {
            assignment: assignment.to_owned(),
            reason,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{SCENES, SceneInfo};

    #[test]
    fn a_fraction_of_a_level_or_of_a_box_is_refused() {
        for scene in SCENES {
            for setting in scene
                .settings
                .iter()
                .filter(|setting| ["level", "count"].contains(&setting.key))
            {
                let mut settings = scene.settings();
                let error = settings.set(&format!("{}=2.7", setting.key)).unwrap_err().to_string();
                assert!(error.contains("must be a whole number from 1 to "), "{error}");
                settings.set(&format!("{}=2", setting.key)).unwrap();
            }
        }
        let error = SceneInfo::by_name("hockey")
            .unwrap()
            .settings()
            .set("level=2.7")
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "setting level=2.7: must be a whole number from 1 to 5"
        );
    }

    #[test]
    fn invalid_settings_are_rejected_with_a_reason() {
        let mut settings = SceneInfo::by_name("spring").unwrap().settings();
        for (assignment, reason) in [
            ("k", "must be written KEY=VALUE"),
            ("stiffness=3", "no such setting; there are k, b, m, x0, v0, integrator"),
            ("k=soft", "is not a number"),
            ("k=NaN", "must be from"),
            ("k=inf", "must be from"),
            ("m=0", "must be from"),
            ("integrator=magic", "must be one of"),
        ] {
            let before = settings.clone();
            let error = settings.set(assignment).unwrap_err().to_string();
            assert!(error.starts_with(&format!("setting {assignment}: {reason}")), "{error}");
            assert_eq!(settings, before);
        }
    }
}
