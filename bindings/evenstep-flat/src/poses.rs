//! Many bodies as rows of floats: their states are read once a step, and their drawn poses written once a frame.

use alloc::vec::Vec;

use evenstep::poses::{Pose2, Pose3, Poses2, Poses3, Quat, Rot2};

use crate::error::Error;

/// The number of dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimensions {
    /// A row is x, y, and cosine and sine of the angle; its matrix has 3 columns of 2.
    Two,
    /// A row is x, y, z, and the rotation as a quaternion x, y, z, w; its matrix has 4 columns of 4.
    Three,
}

impl Dimensions {
    /// The number of floats in a row.
    #[must_use]
    pub const fn floats(self) -> usize {
        match self {
            Self::Two => 4,
            Self::Three => 7,
        }
    }

    /// The number of floats in a row's position.
    #[must_use]
    pub const fn axes(self) -> usize {
        match self {
            Self::Two => 2,
            Self::Three => 3,
        }
    }

    /// The number of floats in a row's matrix.
    #[must_use]
    pub const fn matrix(self) -> usize {
        match self {
            Self::Two => 6,
            Self::Three => 16,
        }
    }
}

/// Bodies that are drawn between their last two states, one body a row.
#[derive(Clone, Debug)]
pub struct Rows {
    tables: Tables,
    /// Whether the next state of each row is a teleport.
    teleports: Vec<bool>,
    any_teleports: bool,
    /// Whether `drawn` holds the poses of the last call of `draw`, so that only rows that have moved since must be blended again.
    is_drawn: bool,
}

#[derive(Clone, Debug)]
enum Tables {
    Two(Table<Poses2, Pose2>),
    Three(Table<Poses3, Pose3>),
}

#[derive(Clone, Debug)]
struct Table<P, S> {
    poses: P,
    states: Vec<S>,
    drawn: Vec<S>,
}

/// Evaluates an expression with the table of either dimension.
macro_rules! either {
    ($tables:expr, $table:ident => $run:expr) => {
        match $tables {
            Tables::Two($table) => $run,
            Tables::Three($table) => $run,
        }
    };
}

impl Rows {
    /// Poses without rows.
    #[must_use]
    pub fn new(dimensions: Dimensions) -> Self {
        let tables = match dimensions {
            Dimensions::Two => Tables::Two(Table::new(Poses2::new())),
            Dimensions::Three => Tables::Three(Table::new(Poses3::new())),
        };
        Self {
            tables,
            teleports: Vec::new(),
            any_teleports: false,
            is_drawn: false,
        }
    }

    /// The number of dimensions.
    #[must_use]
    pub const fn dimensions(&self) -> Dimensions {
        match self.tables {
            Tables::Two(_) => Dimensions::Two,
            Tables::Three(_) => Dimensions::Three,
        }
    }

    /// The number of rows.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.teleports.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.teleports.is_empty()
    }

    /// Adds a row for a body at rest. Returns its number.
    ///
    /// # Errors
    ///
    /// [`Error::Size`] and [`Error::NotFinite`].
    pub fn push(&mut self, state: &[f32]) -> Result<usize, Error> {
        let state = checked(state, self.dimensions().floats())?;
        let row = either!(&mut self.tables, table => table.push(state));
        self.teleports.push(false);
        self.is_drawn = false;
        Ok(row)
    }

    /// Removes a row; the last one takes its number.
    ///
    /// # Errors
    ///
    /// [`Error::Missing`].
    pub fn remove(&mut self, row: usize) -> Result<(), Error> {
        self.find(row)?;
        either!(&mut self.tables, table => table.remove(row));
        self.teleports.swap_remove(row);
        self.is_drawn = false;
        Ok(())
    }

    /// Takes the states of all rows after a step, one after the other. It includes [`begin_step`](Self::begin_step).
    ///
    /// # Errors
    ///
    /// [`Error::Size`] and [`Error::NotFinite`].
    pub fn commit(&mut self, states: &[f32]) -> Result<(), Error> {
        let states = checked(states, self.len() * self.dimensions().floats())?;
        either!(&mut self.tables, table => table.commit(states));
        if core::mem::take(&mut self.any_teleports) {
            for row in (0..self.teleports.len()).filter(|row| self.teleports[*row]) {
                either!(&mut self.tables, table => table.poses.teleport(row, table.states[row]));
            }
            self.teleports.fill(false);
        }
        Ok(())
    }

    /// Begins a step in which only rows that move are [set](Self::set).
    pub fn begin_step(&mut self) {
        either!(&mut self.tables, table => table.poses.begin_step());
    }

    /// Sets the state of one row after the step.
    ///
    /// # Errors
    ///
    /// [`Error::Missing`], [`Error::Size`] and [`Error::NotFinite`].
    pub fn set(&mut self, row: usize, state: &[f32]) -> Result<(), Error> {
        self.find(row)?;
        let state = checked(state, self.dimensions().floats())?;
        let teleports = core::mem::take(&mut self.teleports[row]);
        either!(&mut self.tables, table => table.set(row, state, teleports));
        Ok(())
    }

    /// Marks the next state of a row as a teleport: the body is drawn at its new pose only, not between.
    ///
    /// # Errors
    ///
    /// [`Error::Missing`].
    pub fn teleport(&mut self, row: usize) -> Result<(), Error> {
        self.find(row)?;
        (self.teleports[row], self.any_teleports) = (true, true);
        Ok(())
    }

    /// Moves the position of both states of a row by an offset and keeps the motion between them, for when the origin of the world
    /// moves.
    ///
    /// # Errors
    ///
    /// [`Error::Missing`], [`Error::Size`] and [`Error::NotFinite`].
    pub fn shift(&mut self, row: usize, by: &[f32]) -> Result<(), Error> {
        self.find(row)?;
        let by = checked(by, self.dimensions().axes())?;
        match &mut self.tables {
            Tables::Two(table) => table.poses.shift(row, |pose| add(&mut pose.position, by)),
            Tables::Three(table) => table.poses.shift(row, |pose| add(&mut pose.position, by)),
        };
        Ok(())
    }

    /// Writes the drawn poses of all rows at `alpha`, which is clamped to 0 and 1.
    ///
    /// # Errors
    ///
    /// [`Error::Size`], and [`Error::NotFinite`] if alpha is NaN.
    pub fn draw(&mut self, alpha: f64, drawn: &mut [f32]) -> Result<(), Error> {
        if alpha.is_nan() {
            return Err(Error::NotFinite);
        }
        let drawn = drawn.get_mut(..self.len() * self.dimensions().floats());
        let (drawn, only_moved) = (drawn.ok_or(Error::Size)?, self.is_drawn);
        either!(&mut self.tables, table => table.draw(alpha, only_moved, drawn));
        self.is_drawn = true;
        Ok(())
    }

    /// Like [`draw`](Self::draw), but writes matrices, column by column.
    ///
    /// # Errors
    ///
    /// [`Error::Size`], and [`Error::NotFinite`] if alpha is NaN.
    pub fn draw_matrices(&mut self, alpha: f64, drawn: &mut [f32]) -> Result<(), Error> {
        if alpha.is_nan() {
            return Err(Error::NotFinite);
        }
        let drawn = drawn.get_mut(..self.len() * self.dimensions().matrix());
        let drawn = drawn.ok_or(Error::Size)?;
        match &mut self.tables {
            Tables::Two(table) => {
                let columns = drawn.as_chunks_mut::<2>().0;
                table.poses.blend_all_matrices(alpha, columns.as_chunks_mut::<3>().0);
            }
            Tables::Three(table) => {
                let columns = drawn.as_chunks_mut::<4>().0;
                table.poses.blend_all_matrices(alpha, columns.as_chunks_mut::<4>().0);
            }
        }
        self.is_drawn = false;
        Ok(())
    }

    fn find(&self, row: usize) -> Result<(), Error> {
        if row < self.len() { Ok(()) } else { Err(Error::Missing) }
    }
}

/// A state as floats.
trait Row<const N: usize>: Copy {
    fn from_floats(floats: [f32; N]) -> Self;

    fn floats(self) -> [f32; N];
}

impl Row<4> for Pose2 {
    #[inline]
    fn from_floats([x, y, cos, sin]: [f32; 4]) -> Self {
        Self::new([x, y], Rot2 { cos, sin })
    }

    #[inline]
    fn floats(self) -> [f32; 4] {
        let ([x, y], Rot2 { cos, sin }) = (self.position, self.rotation);
        [x, y, cos, sin]
    }
}

impl Row<7> for Pose3 {
    #[inline]
    fn from_floats([x, y, z, a, b, c, w]: [f32; 7]) -> Self {
        Self::new([x, y, z], Quat::new(a, b, c, w))
    }

    #[inline]
    fn floats(self) -> [f32; 7] {
        let ([x, y, z], turn) = (self.position, self.rotation);
        [x, y, z, turn.x, turn.y, turn.z, turn.w]
    }
}

impl<P, S> Table<P, S> {
    fn new(poses: P) -> Self {
        Self {
            poses,
            states: Vec::new(),
            drawn: Vec::new(),
        }
    }
}

macro_rules! table {
    ($poses:ty, $state:ty, $floats:literal) => {
        impl Table<$poses, $state> {
            fn push(&mut self, state: &[f32]) -> usize {
                let states = state.as_chunks::<$floats>().0.first().copied();
                let state = states.map_or(<$state>::IDENTITY, <$state>::from_floats);
                self.states.push(state);
                self.drawn.push(state);
                self.poses.push(state)
            }

            fn remove(&mut self, row: usize) {
                self.poses.swap_remove(row);
                self.states.swap_remove(row);
                self.drawn.swap_remove(row);
            }

            fn commit(&mut self, states: &[f32]) {
                for (state, floats) in self.states.iter_mut().zip(states.as_chunks::<$floats>().0) {
                    *state = <$state>::from_floats(*floats);
                }
                self.poses.begin_step();
                self.poses.set_all(&self.states);
            }

            fn set(&mut self, row: usize, state: &[f32], teleports: bool) {
                if let Some(floats) = state.as_chunks::<$floats>().0.first() {
                    let state = <$state>::from_floats(*floats);
                    if teleports {
                        self.poses.teleport(row, state);
                    } else {
                        self.poses.set(row, state);
                    }
                }
            }

            fn draw(&mut self, alpha: f64, only_moved: bool, out: &mut [f32]) {
                if only_moved {
                    self.poses.blend(alpha, &mut self.drawn);
                } else {
                    self.poses.blend_all(alpha, &mut self.drawn);
                }
                for (floats, pose) in out.as_chunks_mut::<$floats>().0.iter_mut().zip(&self.drawn) {
                    *floats = pose.floats();
                }
            }
        }
    };
}

table!(Poses2, Pose2, 4);
table!(Poses3, Pose3, 7);

/// The first `count` floats, or an error if there are fewer or one is not finite.
fn checked(floats: &[f32], count: usize) -> Result<&[f32], Error> {
    let floats = floats.get(..count).ok_or(Error::Size)?;
    // Without a branch in the loop the compiler can vectorise it.
    let all_finite = floats.iter().fold(true, |all, float| all & float.is_finite());
    if all_finite { Ok(floats) } else { Err(Error::NotFinite) }
}

fn add(position: &mut [f32], by: &[f32]) {
    for (axis, by) in position.iter_mut().zip(by) {
        *axis += by;
    }
}
