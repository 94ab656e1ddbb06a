//! Positions of a MuJoCo model, blended between two states.

use evenstep::Blend as _;
use evenstep::poses::Quat;
use pyo3::prelude::*;

use crate::arrays::{numbers, writable};
use crate::errors::{Code, refused};

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
    let py = out.py();
    let types = numbers::<i32>(&model.getattr("jnt_type")?, "blend_qpos: model.jnt_type")?.to_vec(py)?;
    let addresses = numbers::<i32>(&model.getattr("jnt_qposadr")?, "blend_qpos: model.jnt_qposadr")?.to_vec(py)?;
    let previous = numbers::<f64>(previous, "blend_qpos: previous")?.to_vec(py)?;
    let current = numbers::<f64>(current, "blend_qpos: current")?.to_vec(py)?;
    let buffer = writable::<f64>(out, "blend_qpos: out")?;
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
    buffer.copy_from_slice(py, &drawn)
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
