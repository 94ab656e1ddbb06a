//! Many bodies: states are read once a step, and drawn poses written once a frame, in arrays of numpy and other packages.

use evenstep::poses::{self, Pose2, Pose3, Quat, Rot2};
use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::arguments::Whole;
use crate::arrays::{numbers, writable};
use crate::errors::{Code, refused};

/// Bodies in the plane (Poses2) or in space (Poses3), one body a row.
#[pyclass(module = "evenstep", subclass)]
#[derive(Debug)]
pub(crate) struct Poses {
    bodies: Bodies,
    /// The rows whose next state is a teleport, and the state before it of those that are spawned moving.
    teleports: Vec<(usize, Option<Vec<f32>>)>,
}

/// Bodies in the plane that are drawn between their last two states, one body a row. A row is x, y, and cosine and sine of the angle.
///
///     poses.commit(states)           # after each step: an array of float32, 4 a row
///     poses.draw(frame.alpha, out)   # in each frame
///
/// The first commit with a row adds it, at rest.
#[pyclass(module = "evenstep", extends = Poses)]
#[derive(Debug)]
pub(crate) struct Poses2;

/// Bodies in space that are drawn between their last two states, one body a row. A row is x, y, z, and a quaternion x, y, z, w.
///
/// The first commit with a row adds it, at rest.
#[pyclass(module = "evenstep", extends = Poses)]
#[derive(Debug)]
pub(crate) struct Poses3;

#[derive(Debug)]
enum Bodies {
    Plane(poses::Poses2),
    Space(poses::Poses3),
}

/// Evaluates an expression with the bodies of either kind.
macro_rules! either {
    ($all:expr, $bodies:ident => $run:expr) => {
        match $all {
            Bodies::Plane($bodies) => $run,
            Bodies::Space($bodies) => $run,
        }
    };
}

/// A state as floats.
trait Row<const N: usize>: Copy {
    fn from_floats(floats: &[f32; N]) -> Self;

    fn floats(&self) -> [f32; N];
}

impl Row<4> for Pose2 {
    fn from_floats(&[x, y, cos, sin]: &[f32; 4]) -> Self {
        Self::new([x, y], Rot2 { cos, sin })
    }

    fn floats(&self) -> [f32; 4] {
        let ([x, y], Rot2 { cos, sin }) = (self.position, self.rotation);
        [x, y, cos, sin]
    }
}

impl Row<7> for Pose3 {
    fn from_floats(&[x, y, z, a, b, c, w]: &[f32; 7]) -> Self {
        Self::new([x, y, z], Quat::new(a, b, c, w))
    }

    fn floats(&self) -> [f32; 7] {
        let ([x, y, z], turn) = (self.position, self.rotation);
        [x, y, z, turn.x, turn.y, turn.z, turn.w]
    }
}

#[pymethods]
impl Poses2 {
    #[new]
    fn new() -> PyClassInitializer<Self> {
        PyClassInitializer::from(Poses::new(Bodies::Plane(poses::Poses2::new()))).add_subclass(Self)
    }
}

#[pymethods]
impl Poses3 {
    #[new]
    fn new() -> PyClassInitializer<Self> {
        PyClassInitializer::from(Poses::new(Bodies::Space(poses::Poses3::new()))).add_subclass(Self)
    }
}

#[pymethods]
impl Poses {
    /// Takes the states of all rows after a step, from an array of float32 or float64. Rows beyond the last are added, at rest.
    fn commit(&mut self, states: &Bound<'_, PyAny>) -> PyResult<()> {
        let floats = self.read(states)?;
        either!(&mut self.bodies, bodies => {
            let states: Vec<_> = floats.as_chunks().0.iter().map(Row::from_floats).collect();
            let (known, added) = states.split_at(bodies.len());
            bodies.begin_step();
            bodies.set_range(0, known);
            for (row, previous) in self.teleports.drain(..) {
                bodies.teleport(row, known[row]);
                if let Some(previous) = previous.iter().flat_map(|floats| floats.as_chunks().0).next() {
                    bodies.set_previous(row, Row::from_floats(previous));
                }
            }
            for state in added {
                bodies.push(*state);
            }
        });
        Ok(())
    }

    /// Marks the next state of a row as a teleport: it is drawn at its new pose, not between.
    fn teleport(&mut self, row: Whole<usize>) -> PyResult<()> {
        self.find(row.0, "Poses.teleport")?;
        self.teleports.push((row.0, None));
        Ok(())
    }

    /// Sets the state that a row had a step ago, after the commit of its present one, or before it after teleport(row): something that is
    /// spawned moving is here now and was there a step ago.
    fn set_previous(&mut self, row: Whole<usize>, state: Vec<f32>) -> PyResult<()> {
        const CALL: &str = "Poses.set_previous";
        self.find(row.0, CALL)?;
        let floats = self.bodies.floats();
        if state.len() != floats {
            let why = format!("a row has {floats} numbers, not {}", state.len());
            return Err(refused(Code::Size, CALL, why));
        }
        all_finite(&state, CALL)?;
        if let Some((_, previous)) = self.teleports.iter_mut().rfind(|(teleport, _)| *teleport == row.0) {
            *previous = Some(state);
            return Ok(());
        }
        either!(&mut self.bodies, bodies => {
            if let Some(previous) = state.as_chunks().0.first() {
                bodies.set_previous(row.0, Row::from_floats(previous));
            }
        });
        Ok(())
    }

    /// Removes a row; the last one takes its number. Do the same with your array: states[row] = states[-1].
    fn remove(&mut self, row: Whole<usize>) -> PyResult<()> {
        self.find(row.0, "Poses.remove")?;
        let last = self.bodies.len() - 1;
        self.teleports.retain(|(teleport, _)| *teleport != row.0);
        for (teleport, _) in &mut self.teleports {
            *teleport = if *teleport == last { row.0 } else { *teleport };
        }
        either!(&mut self.bodies, bodies => _ = bodies.swap_remove(row.0));
        Ok(())
    }

    /// Moves both states of all rows by an offset, x and y or x, y and z, when the origin of the world moves. This is not motion.
    fn shift(&mut self, by: Vec<f32>) -> PyResult<()> {
        const CALL: &str = "Poses.shift";
        let (axes, names) = match self.bodies {
            Bodies::Plane(_) => (2, "x and y"),
            Bodies::Space(_) => (3, "x, y and z"),
        };
        if by.len() != axes {
            let why = format!("the offset is {names}, not {} numbers", by.len());
            return Err(refused(Code::Size, CALL, why));
        }
        all_finite(&by, CALL)?;
        for floats in self.teleports.iter_mut().filter_map(|(_, previous)| previous.as_mut()) {
            floats.iter_mut().zip(&by).for_each(|(axis, by)| *axis += by);
        }
        either!(&mut self.bodies, bodies => {
            for row in 0..bodies.len() {
                bodies.shift(row, |pose| pose.position.iter_mut().zip(&by).for_each(|(axis, by)| *axis += by));
            }
        });
        Ok(())
    }

    /// Writes the drawn poses of all rows to an array of float32.
    fn draw(&self, alpha: f64, out: &Bound<'_, PyAny>) -> PyResult<()> {
        const CALL: &str = "Poses.draw";
        if alpha.is_nan() {
            return Err(refused(Code::NotFinite, CALL, "alpha is NaN"));
        }
        let buffer = writable::<f32>(out, "Poses.draw: out")?;
        let rows = self.bodies.len();
        must_fit(CALL, &buffer, self.bodies.floats(), |given| given == rows, rows)?;
        let floats: Vec<f32> = either!(&self.bodies, bodies => {
            let mut drawn = vec![Default::default(); rows];
            bodies.blend_range(0, alpha, &mut drawn);
            drawn.iter().flat_map(Row::floats).collect()
        });
        buffer.copy_from_slice(out.py(), &floats)
    }

    fn __len__(&self) -> usize {
        self.bodies.len()
    }
}

impl Bodies {
    const fn len(&self) -> usize {
        either!(self, bodies => bodies.len())
    }

    /// The floats of a row.
    const fn floats(&self) -> usize {
        match self {
            Self::Plane(_) => 4,
            Self::Space(_) => 7,
        }
    }
}

impl Poses {
    const fn new(bodies: Bodies) -> Self {
        let teleports = Vec::new();
        Self { bodies, teleports }
    }

    fn find(&self, row: usize, call: &str) -> PyResult<()> {
        let rows = self.bodies.len();
        let why = || format!("there is no row {row}; there are {rows}");
        (row < rows)
            .then_some(())
            .ok_or_else(|| refused(Code::Missing, call, why()))
    }

    /// Copies an array of states.
    fn read(&self, array: &Bound<'_, PyAny>) -> PyResult<Vec<f32>> {
        const CALL: &str = "Poses.commit";
        let (floats, rows) = (self.bodies.floats(), self.bodies.len());
        let is_enough = |given| given >= rows;
        let states = if let Ok(buffer) = numbers::<f32>(array, CALL) {
            must_fit(CALL, &buffer, floats, is_enough, rows)?;
            buffer.to_vec(array.py())?
        } else if let Ok(buffer) = numbers::<f64>(array, CALL) {
            must_fit(CALL, &buffer, floats, is_enough, rows)?;
            let states = buffer.to_vec(array.py())?;
            states.into_iter().map(|float| float as f32).collect()
        } else {
            let wanted = "Poses.commit: states are an array of float32 or float64 in this machine's byte order";
            return Err(PyTypeError::new_err(wanted));
        };
        all_finite(&states, CALL)?;
        Ok(states)
    }
}

/// Checks that an array has this number of floats for each row, in one or two dimensions.
fn must_fit<T: Element>(
    call: &str,
    buffer: &PyBuffer<T>,
    floats: usize,
    is_right: impl Fn(usize) -> bool,
    rows: usize,
) -> PyResult<()> {
    let (shape, count) = (buffer.shape(), buffer.item_count());
    let given = if shape.len() > 1 { shape[0] } else { count / floats };
    if shape.is_empty() || given * floats != count || !is_right(given) {
        let why = format!(
            "the array's shape is {shape:?}; {rows} rows need [{rows}, {floats}] or [{}]",
            rows * floats
        );
        return Err(refused(Code::Size, call, why));
    }
    Ok(())
}

fn all_finite(floats: &[f32], call: &str) -> PyResult<()> {
    // Without a branch in the loop the compiler can vectorise it.
    let all_finite = floats.iter().fold(true, |all, float| all & float.is_finite());
    let why = || refused(Code::NotFinite, call, "a number is NaN or infinite");
    all_finite.then_some(()).ok_or_else(why)
}
