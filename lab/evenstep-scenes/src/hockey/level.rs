//! The levels of Electric Field Hockey, and the charges that a player places.
//!
//! Lengths are in m from the lower left corner of the field, charges in µC.

use std::fmt::Write as _;

/// Width and height of the field. Its border is a wall.
pub const FIELD: [f64; 2] = [60.0, 40.0];

/// The goal's distance from the left border. The puck's centre must cross it from the left.
pub const GOAL: f64 = 57.0;

/// The puck's radius.
pub const RADIUS: f64 = 1.0;

/// The largest charge.
const MAX_CHARGE: f64 = 1000.0;

/// The levels, from easy to hard.
pub static LEVELS: [Level; 5] = [
    Level {
        name: "Straight",
        puck: [8.0, 20.0],
        velocity: [0.0; 2],
        goal: [15.0, 25.0],
        placeable: 2,
        walls: &[],
        charges: &[],
        solution: &[charge(4.0, 20.0, 200.0)],
    },
    Level {
        name: "Around",
        puck: [8.0, 20.0],
        velocity: [0.0; 2],
        goal: [16.0, 24.0],
        placeable: 3,
        walls: &[wall([28.0, 10.0], [31.0, 30.0])],
        charges: &[],
        solution: &[
            charge(20.0, 17.0, -25.0),
            charge(48.0, 24.0, -150.0),
            charge(8.0, 30.0, 50.0),
        ],
    },
    Level {
        name: "Gate",
        puck: [6.0, 8.0],
        velocity: [0.0; 2],
        goal: [28.0, 36.0],
        placeable: 4,
        walls: &[wall([29.0, 0.0], [31.0, 15.0]), wall([29.0, 25.0], [31.0, 40.0])],
        charges: &[charge(20.0, 20.0, -150.0), charge(40.0, 20.0, -150.0)],
        solution: &[
            charge(31.0, 11.0, 50.0),
            charge(57.0, 38.0, -200.0),
            charge(56.0, 14.0, 25.0),
            charge(51.0, 12.0, 125.0),
        ],
    },
    Level {
        name: "Slalom",
        puck: [6.0, 20.0],
        velocity: [0.0; 2],
        goal: [16.0, 24.0],
        placeable: 5,
        walls: &[wall([20.0, 14.0], [22.0, 40.0]), wall([38.0, 0.0], [40.0, 26.0])],
        charges: &[],
        solution: &[
            charge(41.0, 3.0, 75.0),
            charge(38.0, 9.0, -200.0),
            charge(20.0, 11.0, -200.0),
            charge(35.0, 29.0, -25.0),
            charge(5.0, 29.0, 100.0),
        ],
    },
    Level {
        name: "Orbit",
        puck: [20.0, 12.0],
        velocity: [7.0, 0.0],
        goal: [4.0, 10.0],
        placeable: 3,
        walls: &[wall([34.0, 8.0], [36.0, 32.0])],
        charges: &[charge(20.0, 20.0, -480.0)],
        solution: &[
            charge(32.0, 28.0, 200.0),
            charge(2.0, 22.0, 200.0),
            charge(32.0, 1.0, 25.0),
        ],
    },
];

/// A level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The name.
    pub name: &'static str,
    /// The position of the puck before the shot.
    pub puck: [f64; 2],
    /// The velocity in m/s with which it is shot.
    pub velocity: [f64; 2],
    /// The lower and the upper end of the goal.
    pub goal: [f64; 2],
    /// The number of charges that the player may place.
    pub placeable: usize,
    /// The walls.
    pub walls: &'static [Wall],
    /// Charges that are there from the start.
    pub charges: &'static [Charge],
    /// Charges that win the level at 60 steps a second.
    pub solution: &'static [Charge],
}

/// A wall: a rectangle between two corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// The lower left corner.
    pub min: [f64; 2],
    /// The upper right corner.
    pub max: [f64; 2],
}

/// A fixed charge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Charge {
    /// The position.
    pub position: [f64; 2],
    /// The charge; it repels the puck if both have the same sign.
    pub charge: f64,
}

const fn wall(min: [f64; 2], max: [f64; 2]) -> Wall {
    Wall { min, max }
}

const fn charge(x: f64, y: f64, charge: f64) -> Charge {
    Charge {
        position: [x, y],
        charge,
    }
}

/// The charges of a player are invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("charges: {0}")]
pub struct ChargesError(String);

impl Level {
    /// The level of a number, counted from 1, and the charges in the format of links: `x,y,µC;…`, `none` or `solution`.
    ///
    /// # Errors
    ///
    /// The reason, if no level has the number, or the text has another format.
    pub fn read(number: usize, charges: &str) -> Result<(&'static Self, Vec<Charge>), String> {
        let level = LEVELS.get(number.wrapping_sub(1));
        let level = level.ok_or_else(|| format!("there is no level {number}"))?;
        let charges = match charges {
            "none" => Vec::new(),
            "solution" => level.solution.to_vec(),
            text => Charge::parse_list(text).map_err(|error| error.to_string())?,
        };
        Ok((level, charges))
    }

    /// Fails if there are more charges than the level allows, or one of them is outside the field, too large, or on the puck.
    pub(super) fn check(&self, placed: &[Charge]) -> Result<(), ChargesError> {
        let (count, allowed) = (placed.len(), self.placeable);
        if count > allowed {
            return Err(ChargesError(format!(
                "{count} placed, but this level allows {allowed}; remove some"
            )));
        }
        for (index, charge) in placed.iter().enumerate() {
            self.check_charge(charge)
                .map_err(|reason| ChargesError(format!("charge[{index}]: {reason}")))?;
        }
        Ok(())
    }

    fn check_charge(&self, Charge { position, charge }: &Charge) -> Result<(), String> {
        let ([x, y], [width, height]) = (*position, FIELD);
        if !(0.0..=width).contains(&x) || !(0.0..=height).contains(&y) {
            return Err(format!(
                "position {x}, {y} is outside the field of {width} × {height} m"
            ));
        }
        if !(-MAX_CHARGE..=MAX_CHARGE).contains(charge) {
            return Err(format!("charge {charge} must be from -{MAX_CHARGE} to {MAX_CHARGE} µC"));
        }
        let (dx, dy) = (x - self.puck[0], y - self.puck[1]);
        if dx * dx + dy * dy <= RADIUS * RADIUS {
            return Err(format!(
                "position {x}, {y} is on top of the puck; move it at least {RADIUS} m away"
            ));
        }
        Ok(())
    }

    /// Whether a puck at `position` touches a wall or the border.
    pub(super) fn blocks(&self, position: [f64; 2]) -> bool {
        let inside = |axis: usize| (RADIUS..=FIELD[axis] - RADIUS).contains(&position[axis]);
        !(inside(0) && inside(1)) || self.walls.iter().any(|wall| wall.touches(position))
    }

    /// Whether a movement from `from` to `to` crosses the goal from the left.
    pub(super) fn is_won(&self, from: [f64; 2], to: [f64; 2]) -> bool {
        if !(from[0] < GOAL && to[0] >= GOAL) {
            return false;
        }
        let share = (GOAL - from[0]) / (to[0] - from[0]);
        let y = from[1] + (to[1] - from[1]) * share;
        (self.goal[0]..=self.goal[1]).contains(&y)
    }
}

impl Wall {
    fn touches(&self, centre: [f64; 2]) -> bool {
        let gap = |axis: usize| {
            let nearest = centre[axis].max(self.min[axis]).min(self.max[axis]);
            centre[axis] - nearest
        };
        let (dx, dy) = (gap(0), gap(1));
        dx * dx + dy * dy < RADIUS * RADIUS
    }
}

impl Charge {
    /// Reads charges written as `x,y,µC` and separated by semicolons, as in a link to a solution.
    ///
    /// # Errors
    ///
    /// If the text has another format.
    ///
    /// ```
    /// use evenstep_scenes::hockey::Charge;
    ///
    /// let charges = Charge::parse_list("10,20.5,-40;30,5,25")?;
    /// assert_eq!(charges[0].position, [10.0, 20.5]);
    /// assert_eq!(Charge::format_list(&charges), "10,20.5,-40;30,5,25");
    /// # Ok::<(), evenstep_scenes::hockey::ChargesError>(())
    /// ```
    pub fn parse_list(text: &str) -> Result<Vec<Self>, ChargesError> {
        let parts = text.split(';').filter(|part| !part.trim().is_empty());
        parts.map(Self::parse).collect()
    }

    fn parse(text: &str) -> Result<Self, ChargesError> {
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|number| number.trim().parse()).collect();
        match numbers.as_deref() {
            Ok([x, y, charge]) => Ok(self::charge(*x, *y, *charge)),
            _ => Err(ChargesError(format!(
                "{text:?} is not x,y,µC: three numbers, such as 10,20.5,-40"
            ))),
        }
    }

    /// Writes charges so that [`parse_list`](Self::parse_list) reads them back bit-identically.
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
