//! Settings of scenes, written KEY=VALUE.

use std::fmt;

/// A setting of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// The key.
    pub key: &'static str,
    /// A short description.
    pub help: &'static str,
    /// The kind of its values.
    pub kind: SettingKind,
}

impl Setting {
    /// A number within a range.
    pub(crate) const fn number(
        key: &'static str,
        help: &'static str,
        default: f64,
        (min, max): (f64, f64),
        unit: &'static str,
    ) -> Self {
        let kind = SettingKind::Number {
            default,
            min,
            max,
            unit,
            is_whole: false,
        };
        Self { key, help, kind }
    }

    /// A whole number within a range.
    pub(crate) const fn whole(key: &'static str, help: &'static str, default: u32, (min, max): (u32, u32)) -> Self {
        let kind = SettingKind::Number {
            default: default as f64,
            min: min as f64,
            max: max as f64,
            unit: "",
            is_whole: true,
        };
        Self { key, help, kind }
    }
}

/// The kind of a setting's values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingKind {
    /// A number within a range.
    Number {
        /// The default value.
        default: f64,
        /// The minimum.
        min: f64,
        /// The maximum.
        max: f64,
        /// The unit.
        unit: &'static str,
        /// Whether fractions are refused.
        is_whole: bool,
    },
    /// One of a list of words; the first is the default.
    Choice(&'static [&'static str]),
    /// Free text.
    Text {
        /// The default value.
        default: &'static str,
        /// A description of the text.
        what: &'static str,
    },
}

/// The settings of a scene with their current values.
///
/// ```
/// use evenstep_scenes::SceneInfo;
///
/// let mut settings = SceneInfo::by_name("spring").expect("it is in the list").settings();
/// settings.set("integrator=rk4")?;
/// assert_eq!(settings.choice("integrator"), "rk4");
/// assert_eq!(
///     settings.set("b=-1").unwrap_err().to_string(),
///     "setting b=-1: must be from 0 to 1000000 N·s/m"
/// );
/// # Ok::<(), evenstep_scenes::SettingError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    known: &'static [Setting],
    values: Vec<Value>,
}

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Number(f64),
    Choice(&'static str),
    Text(String),
}

impl Settings {
    /// All settings with their default values.
    pub(crate) fn new(known: &'static [Setting]) -> Self {
        let default = |setting: &Setting| match setting.kind {
            SettingKind::Number { default, .. } => Value::Number(default),
            SettingKind::Choice(choices) => Value::Choice(choices[0]),
            SettingKind::Text { default, .. } => Value::Text(default.to_owned()),
        };
        Self {
            known,
            values: known.iter().map(default).collect(),
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
        let value = self.known[index].kind.parse(text);
        self.values[index] = value.map_err(|reason| SettingError::new(assignment, reason))?;
        Ok(())
    }

    /// The value of a number setting.
    ///
    /// # Panics
    ///
    /// If the scene has no such number setting, which is a bug in the scene.
    #[must_use]
    pub fn number(&self, key: &str) -> f64 {
        match self.value(key) {
            Some(Value::Number(number)) => *number,
            _ => panic!("{key} is no number of this scene"),
        }
    }

    /// The value of a choice setting.
    ///
    /// # Panics
    ///
    /// If the scene has no such choice setting, which is a bug in the scene.
    #[must_use]
    pub fn choice(&self, key: &str) -> &'static str {
        match self.value(key) {
            Some(Value::Choice(choice)) => choice,
            _ => panic!("{key} is no choice of this scene"),
        }
    }

    /// The value of a text setting.
    ///
    /// # Panics
    ///
    /// If the scene has no such text setting, which is a bug in the scene.
    #[must_use]
    pub fn text(&self, key: &str) -> &str {
        match self.value(key) {
            Some(Value::Text(text)) => text,
            _ => panic!("{key} is no text of this scene"),
        }
    }

    /// All settings as key and value.
    pub fn pairs(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.known.iter().zip(&self.values).map(|(setting, value)| {
            let text = match value {
                Value::Number(number) => number.to_string(),
                Value::Choice(choice) => (*choice).to_owned(),
                Value::Text(text) => text.clone(),
            };
            (setting.key, text)
        })
    }

    fn value(&self, key: &str) -> Option<&Value> {
        let index = self.known.iter().position(|setting| setting.key == key)?;
        self.values.get(index)
    }
}

impl fmt::Display for Settings {
    /// All settings as `key=value`, separated by spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (key, value)) in self.pairs().enumerate() {
            let gap = if index == 0 { "" } else { " " };
            write!(f, "{gap}{key}={value}")?;
        }
        Ok(())
    }
}

impl SettingKind {
    fn parse(&self, text: &str) -> Result<Value, String> {
        match *self {
            Self::Number {
                min,
                max,
                unit,
                is_whole,
                ..
            } => match text.parse::<f64>() {
                Ok(number) if is_whole && number.fract() != 0.0 => {
                    Err(format!("must be a whole number from {min} to {max}"))
                }
                Ok(number) if (min..=max).contains(&number) => Ok(Value::Number(number)),
                Ok(_) => Err(format!("must be from {min} to {max} {unit}").trim_end().to_owned()),
                Err(_) => Err(format!("is not a number; give one from {min} to {max} {unit}")
                    .trim_end()
                    .to_owned()),
            },
            Self::Choice(choices) => match choices.iter().find(|choice| **choice == text) {
                Some(choice) => Ok(Value::Choice(choice)),
                None => Err(format!("must be one of {}", choices.join(", "))),
            },
            Self::Text { .. } => Ok(Value::Text(text.to_owned())),
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
