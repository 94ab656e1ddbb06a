use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use toml::de::{DeTable, DeValue};

/// The levels that come with the game, from easy to hard: their files' names and texts.
pub const LEVELS: &[(&str, &str)] = &[
    ("1-straight.toml", include_str!("../../levels/1-straight.toml")),
    ("2-around.toml", include_str!("../../levels/2-around.toml")),
    ("3-gate.toml", include_str!("../../levels/3-gate.toml")),
    ("4-slalom.toml", include_str!("../../levels/4-slalom.toml")),
    ("5-orbit.toml", include_str!("../../levels/5-orbit.toml")),
];

/// The most charge that one place can have, in µC.
const MAX_CHARGE: f64 = 1000.0;

/// A level, as its file describes it. All lengths in m, from the lower left corner of the field.
///
/// `levels/README.md` describes the file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// What it is called.
    pub name: String,
    /// Width and height of the field.
    pub size: [f64; 2],
    /// Time limit in s.
    pub seconds: f64,
    /// How many charges the player may place.
    pub placeable: usize,
    /// The puck before the shot.
    pub puck: Puck,
    /// Where the puck must go.
    pub goal: Goal,
    /// What stands in its way.
    #[serde(default)]
    pub walls: Vec<Wall>,
    /// Charges that are there from the start.
    #[serde(default)]
    pub charges: Vec<Charge>,
    /// Charges that the player could place to win.
    #[serde(default)]
    pub solution: Vec<Charge>,
}

/// The puck.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Puck {
    /// Where its centre is.
    pub position: [f64; 2],
    /// Its velocity in m/s when it is shot.
    #[serde(default)]
    pub velocity: [f64; 2],
    /// Its charge in µC.
    pub charge: f64,
    /// Its mass in kg.
    pub mass: f64,
    /// Its radius.
    pub radius: f64,
}

/// The goal: a vertical line that the puck's centre must cross from the left.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Goal {
    /// Where the line is.
    pub x: f64,
    /// Its lower and upper end.
    pub y: [f64; 2],
}

/// A wall: a rectangle between two corners.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wall {
    /// The lower left corner.
    pub min: [f64; 2],
    /// The upper right corner.
    pub max: [f64; 2],
}

/// A charge that stays where it is.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Charge {
    /// Where it is.
    pub position: [f64; 2],
    /// In µC; of the same sign as the puck's it repels.
    pub charge: f64,
}

/// Why a level cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LevelError {
    /// There is no such level.
    #[error("level {name}: cannot be read ({reason}); give a number from 1 to {count}, or the path of a level file", count = LEVELS.len())]
    NotFound {
        /// What was asked for.
        name: String,
        /// What the operating system said.
        reason: String,
    },
    /// The file is not as the schema says.
    #[error("{file}:{line}: {reason}; write it as the levels that come with evenstep are written")]
    Malformed {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// The file can be read, but the level cannot be played.
    #[error("{file}:{line}: {field}: {reason}")]
    Unplayable {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// The field that is wrong.
        field: String,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// The charges that the player placed cannot be.
    #[error("charges: {0}")]
    Placed(String),
}

fn built_in(name: &str) -> Option<&'static (&'static str, &'static str)> {
    LEVELS.get(name.parse::<usize>().ok()?.checked_sub(1)?)
}

/// Reads a level's file, which is no longer than a level can be: it may be a device without an end.
fn read(name: &str) -> io::Result<String> {
    const LONGEST: u64 = 1 << 20;
    let mut text = String::new();
    File::open(name)?.take(LONGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(text)
}

type Check = Result<(), (String, String)>;

impl Level {
    /// The level of a number, counted from 1, or from the file of a path.
    ///
    /// # Errors
    ///
    /// If there is none, or it is wrong.
    pub fn find(name: &str) -> Result<Self, LevelError> {
        if let Some((file, text)) = built_in(name) {
            return Self::parse(text, file);
        }
        let text = read(name).map_err(|error| LevelError::NotFound {
            name: name.to_owned(),
            reason: error.to_string(),
        })?;
        Self::parse(&text, name)
    }

    /// The file that [`find`](Self::find) reads for a name; none if the level is built in.
    #[must_use]
    pub fn file(name: &str) -> Option<&Path> {
        built_in(name).is_none().then(|| Path::new(name))
    }

    /// Reads a level from the text of a file.
    ///
    /// # Errors
    ///
    /// If the text is not as the schema says, or the level cannot be played.
    pub fn parse(text: &str, file: &str) -> Result<Self, LevelError> {
        let level: Self = toml::from_str(text).map_err(|error| LevelError::Malformed {
            file: file.to_owned(),
            line: line_of(text, error.span()),
            reason: error.message().replace('\n', " "),
        })?;
        level.check().map_err(|(field, reason)| LevelError::Unplayable {
            file: file.to_owned(),
            line: line_of_field(text, &field),
            field,
            reason,
        })?;
        Ok(level)
    }

    fn check(&self) -> Check {
        let field = |name: &str, fine: bool, reason: &str| {
            if fine {
                Ok(())
            } else {
                Err((name.to_owned(), reason.to_owned()))
            }
        };
        let positive = |value: f64| value.is_finite() && value > 0.0;
        field(
            "size",
            self.size.iter().all(|side| positive(*side)),
            "both sides must be above zero",
        )?;
        field("seconds", positive(self.seconds), "must be above zero")?;
        field("puck.mass", positive(self.puck.mass), "must be above zero")?;
        field("puck.radius", positive(self.puck.radius), "must be above zero")?;
        field(
            "puck.charge",
            self.puck.charge.abs() <= MAX_CHARGE,
            "must be from -1000 to 1000 µC",
        )?;
        field(
            "puck.velocity",
            self.puck.velocity.iter().all(|part| part.is_finite()),
            "must be finite",
        )?;
        let [low, high] = self.goal.y;
        let in_field = |x: f64, y: f64| (0.0..=self.size[0]).contains(&x) && (0.0..=self.size[1]).contains(&y);
        let goal_fits = in_field(self.goal.x, low) && in_field(self.goal.x, high);
        field("goal", goal_fits, "must be within the field")?;
        field("goal.y", low < high, "its lower end must be below its upper end")?;
        for (index, wall) in self.walls.iter().enumerate() {
            let ordered = wall.min[0] < wall.max[0] && wall.min[1] < wall.max[1];
            field(
                &format!("walls[{index}]"),
                ordered,
                "min must be to the lower left of max",
            )?;
        }
        let starts_free = !self.blocks(self.puck.position);
        field(
            "puck.position",
            starts_free,
            "the puck must be within the field and clear of walls",
        )?;
        self.check_charges("charges", &self.charges)?;
        self.check_charges("solution", &self.solution)?;
        let enough = self.solution.len() <= self.placeable;
        field("solution", enough, "has more charges than placeable allows")
    }

    fn check_charges(&self, field: &str, charges: &[Charge]) -> Check {
        for (index, charge) in charges.iter().enumerate() {
            self.check_charge(charge)
                .map_err(|reason| (format!("{field}[{index}]"), reason))?;
        }
        Ok(())
    }

    fn check_charge(&self, charge: &Charge) -> Result<(), String> {
        let [x, y] = charge.position;
        let [width, height] = self.size;
        if !(0.0..=width).contains(&x) || !(0.0..=height).contains(&y) {
            return Err(format!(
                "position {x}, {y} is outside the field of {width} × {height} m"
            ));
        }
        if charge.charge.is_nan() || charge.charge.abs() > MAX_CHARGE {
            return Err(format!(
                "charge {} must be from -{MAX_CHARGE} to {MAX_CHARGE} µC",
                charge.charge
            ));
        }
        let (dx, dy) = (x - self.puck.position[0], y - self.puck.position[1]);
        if dx * dx + dy * dy <= self.puck.radius * self.puck.radius {
            return Err(format!(
                "position {x}, {y} is on top of the puck; move it at least {} m away",
                self.puck.radius
            ));
        }
        Ok(())
    }

    pub(super) fn check_placed(&self, placed: &[Charge]) -> Result<(), LevelError> {
        if placed.len() > self.placeable {
            let (count, allowed) = (placed.len(), self.placeable);
            return Err(LevelError::Placed(format!(
                "{count} placed, but this level allows {allowed}; remove some"
            )));
        }
        self.check_charges("charge", placed)
            .map_err(|(field, reason)| LevelError::Placed(format!("{field}: {reason}")))
    }

    /// Whether a puck at `position` touches a wall or the border.
    pub(super) fn blocks(&self, position: [f64; 2]) -> bool {
        let radius = self.puck.radius;
        let inside = |axis: usize| (radius..=self.size[axis] - radius).contains(&position[axis]);
        !(inside(0) && inside(1)) || self.walls.iter().any(|wall| wall.touches(position, radius))
    }
}

impl Goal {
    /// Whether a way from `from` to `to` crosses the goal from the left.
    pub(super) fn is_entered(&self, from: [f64; 2], to: [f64; 2]) -> bool {
        if !(from[0] < self.x && to[0] >= self.x) {
            return false;
        }
        let share = (self.x - from[0]) / (to[0] - from[0]);
        let y = from[1] + (to[1] - from[1]) * share;
        (self.y[0]..=self.y[1]).contains(&y)
    }
}

impl Wall {
    fn touches(&self, centre: [f64; 2], radius: f64) -> bool {
        let gap = |axis: usize| {
            let nearest = centre[axis].max(self.min[axis]).min(self.max[axis]);
            centre[axis] - nearest
        };
        let (dx, dy) = (gap(0), gap(1));
        dx * dx + dy * dy < radius * radius
    }
}

impl Charge {
    /// Reads charges written as `x,y,µC` and separated by semicolons, as in a link to a solution.
    ///
    /// # Errors
    ///
    /// If the text is not so.
    ///
    /// ```
    /// use evenstep_scenes::hockey::Charge;
    ///
    /// let charges = Charge::parse_list("10,20.5,-40;30,5,25")?;
    /// assert_eq!(charges[0].position, [10.0, 20.5]);
    /// assert_eq!(Charge::format_list(&charges), "10,20.5,-40;30,5,25");
    /// # Ok::<(), evenstep_scenes::hockey::LevelError>(())
    /// ```
    pub fn parse_list(text: &str) -> Result<Vec<Self>, LevelError> {
        let parts = text.split(';').filter(|part| !part.trim().is_empty());
        parts.map(Self::parse).collect()
    }

    fn parse(text: &str) -> Result<Self, LevelError> {
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|number| number.trim().parse::<f64>()).collect();
        match numbers.as_deref() {
            Ok([x, y, charge]) if numbers.iter().flatten().all(|number| number.is_finite()) => Ok(Self {
                position: [*x, *y],
                charge: *charge,
            }),
            _ => Err(LevelError::Placed(format!(
                "{text:?} is not x,y,µC: three numbers, such as 10,20.5,-40"
            ))),
        }
    }

    /// Writes charges so that [`parse_list`](Self::parse_list) reads them back to the bit.
    #[must_use]
    pub fn format_list(charges: &[Self]) -> String {
        let mut text = String::new();
        for charge in charges {
            let gap = if text.is_empty() { "" } else { ";" };
            let [x, y] = charge.position;
            let _ = write!(text, "{gap}{x},{y},{}", charge.charge);
        }
        text
    }
}

fn line_of(text: &str, span: Option<Range<usize>>) -> usize {
    let end = span.map_or(0, |span| span.start);
    text.bytes().take(end).filter(|byte| *byte == b'\n').count() + 1
}

/// The line on which a field such as `charges[1]` or `puck.mass` begins, or else what it is part of.
fn line_of_field(text: &str, field: &str) -> usize {
    let Ok(table) = DeTable::parse(text) else { return 1 };
    let mut parts = field.split(['.', '[', ']']).filter(|part| !part.is_empty());
    let Some(mut value) = parts.next().and_then(|part| table.get_ref().get(part)) else {
        return 1;
    };
    for part in parts {
        let inner = match value.get_ref() {
            DeValue::Table(table) => table.get(part),
            DeValue::Array(array) => part.parse().ok().and_then(|index: usize| array.get(index)),
            _ => None,
        };
        value = inner.unwrap_or(value);
    }
    line_of(text, Some(value.span()))
}
