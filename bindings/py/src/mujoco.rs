//! Positions of a MuJoCo model, blended between two states.

use evenstep::Blend as _;
use evenstep::poses::Quat;
use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::{Code, refused};
use crate::poses::is_of_this_machine;

const CALL: &str = "blend_qpos";

/// Writes the positions (qpos) of a MuJoCo model, blended between two states, to an array of float64: numbers linearly, and the
/// quaternions of free and ball joints on the shorter arc (slerp, in single precision), normalised as MuJoCo does. The model's joints say
/// which numbers are quaternions.
///
///     evenstep.blend_qpos(model, previous, data.qpos, frame.alpha, drawn.qpos)
///     mujoco.mj_kinematics(model, drawn)     # or mj_forward, then render
#[pyfunction]
pub(crate) fn blend_qpos(
    model: &Bound<'_, PyAny>,
    previous: &Bound<'_, PyAny>,
    current: &Bound<'_, PyAny>,
    alpha: f64,
    out: &Bound<'_, PyAny>,
) -> PyResult<()> {
    if !(0.0..=1.0).contains(&alpha) {
        return Err(refused(Code::Range, CALL, format!("alpha is from 0 to 1, not {alpha}")));
    }
    let types: Vec<i32> = numbers(&model.getattr("jnt_type")?, "model.jnt_type")?;
    let addresses: Vec<i32> = numbers(&model.getattr("jnt_qposadr")?, "model.jnt_qposadr")?;
    let previous: Vec<f64> = numbers(previous, "previous")?;
    let current: Vec<f64> = numbers(current, "current")?;
    let buffer = buffer::<f64>(out, "out")?;
    if buffer.readonly() || !buffer.is_c_contiguous() {
        let wanted = "out is an array of float64 in one piece that can be written";
        return Err(PyTypeError::new_err(format!("{CALL}: {wanted}")));
    }
    let count = current.len();
    if previous.len() != count || buffer.item_count() != count {
        let why = format!(
            "previous has {} numbers, current {count} and out {}; each needs model.nq",
            previous.len(),
            buffer.item_count()
        );
        return Err(refused(Code::Size, CALL, why));
    }
    let mut drawn: Vec<f64> = previous
        .iter()
        .zip(&current)
        .map(|(older, newer)| older.blend(newer, alpha))
        .collect();
    for (joint, (kind, address)) in types.into_iter().zip(addresses).enumerate() {
        // mjtJoint: free, ball; slides and hinges have no quaternion.
        let at = match kind {
            0 => i64::from(address) + 3,
            1 => i64::from(address),
            _ => continue,
        };
        let place = usize::try_from(at).map(|at| at..at + 4).ok();
        let place = place.filter(|place| place.end <= count);
        let why = || format!("joint {joint} is outside of the {count} positions: they belong to another model");
        let place = place.ok_or_else(|| refused(Code::Size, CALL, why()))?;
        between(
            &previous[place.clone()],
            &current[place.clone()],
            alpha,
            &mut drawn[place],
        );
    }
    buffer.copy_from_slice(out.py(), &drawn)
}

/// Blends two quaternions w, x, y, z. Equal ones keep their bits.
fn between(older: &[f64], newer: &[f64], alpha: f64, out: &mut [f64]) {
    if older == newer {
        return out.copy_from_slice(newer);
    }
    let Quat { x, y, z, w } = rotation(older).blend(&rotation(newer), alpha);
    out.copy_from_slice(&[w, x, y, z].map(f64::from));
}

/// The rotation of a quaternion w, x, y, z of any length; none if it is zero.
fn rotation(parts: &[f64]) -> Quat {
    let length = parts.iter().map(|part| part * part).sum::<f64>().sqrt();
    // As `mju_normalize4`.
    if length < 1e-15 {
        return Quat::IDENTITY;
    }
    let part = |at: usize| (parts[at] / length) as f32;
    Quat::new(part(1), part(2), part(3), part(0))
}

fn numbers<T: Element + Copy>(array: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<T>> {
    buffer(array, name)?.to_vec(array.py())
}

fn buffer<T: Element>(array: &Bound<'_, PyAny>, name: &str) -> PyResult<PyBuffer<T>> {
    let wanted = || {
        let kind = std::any::type_name::<T>().replace('f', "float").replace('i', "int");
        PyTypeError::new_err(format!(
            "{CALL}: {name} is an array of {kind} in this machine's byte order"
        ))
    };
    let buffer = PyBuffer::get(array).ok();
    buffer
        .filter(|buffer| is_of_this_machine(buffer.format()))
        .ok_or_else(wanted)
}
