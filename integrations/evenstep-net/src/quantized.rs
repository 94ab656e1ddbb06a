//! Rounded fields: with fewer digits, a state takes fewer bytes.

use std::f64::consts::FRAC_1_SQRT_2;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Rounds a field of a state to a multiple of `1 / STEPS`: `#[serde(with = "Quantized::<512>")]`.
///
/// After each step the server and the client restore the rounded state, so that both continue from the same bits. A field is a number or an
/// array of numbers, `f32` or `f64`. Not a number becomes 0, and what is beyond ±2⁶² / `STEPS` the nearest number within.
///
/// ```
/// use evenstep_net::{Quantized, QuantizedRotation};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Cube {
///     #[serde(with = "Quantized::<512>")] // about 2 mm
///     position: [f32; 3],
///     #[serde(with = "QuantizedRotation::<9>")] // about 0.2°
///     rotation: [f32; 4],
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Quantized<const STEPS: u32>;

/// Rounds a field that is a unit quaternion of four `f32` to `BITS` bits for each of its three smallest numbers, of at most 20:
/// `#[serde(with = "QuantizedRotation::<9>")]`.
///
/// The largest number follows from the other three (G. Fiedler, *Snapshot Compression*). A quaternion whose squares do not add up to a
/// finite number above 0 becomes the one without a rotation, `[0, 0, 0, 1]`.
#[derive(Clone, Copy, Debug)]
pub struct QuantizedRotation<const BITS: u32>;

/// The numbers of a field in steps. The name tells [`Tree`](crate::delta::Tree) that they were rounded.
#[derive(Serialize, Deserialize)]
#[serde(rename = "evenstep_net::Quantized")]
struct Steps<T>(T);

/// A field that can be rounded: `f32`, `f64`, and arrays of two, three or four.
pub trait Quantizable: sealed::Sealed {}

mod sealed {
    /// The field in steps, and back.
    pub trait Sealed: Copy {
        type Steps: serde::Serialize + serde::de::DeserializeOwned;
        fn to_steps(self, steps: u32) -> Self::Steps;
        fn from_steps(rounded: &Self::Steps, steps: u32) -> Self;
    }
}

/// The farthest number of steps: not beyond it after one more rounding.
const MOST: f64 = (1_u64 << 62) as f64;

macro_rules! quantizable {
    ($($float:ty: $($count:literal)*;)*) => {$(
        impl Quantizable for $float {}

        impl sealed::Sealed for $float {
            type Steps = i64;

            fn to_steps(self, steps: u32) -> i64 {
                let rounded = |value: Self| (f64::from(value) * f64::from(steps)).round_ties_even().clamp(-MOST, MOST) as i64;
                // The float that stands for a large number of steps is that of the nearest ones too: these count.
                rounded(Self::from_steps(&rounded(self), steps))
            }

            fn from_steps(rounded: &i64, steps: u32) -> Self {
                (*rounded as f64 / f64::from(steps.max(1))) as Self
            }
        }

        $(
            impl Quantizable for [$float; $count] {}

            impl sealed::Sealed for [$float; $count] {
                type Steps = [i64; $count];

                fn to_steps(self, steps: u32) -> [i64; $count] {
                    self.map(|value| value.to_steps(steps))
                }

                fn from_steps(rounded: &[i64; $count], steps: u32) -> Self {
                    rounded.map(|value| sealed::Sealed::from_steps(&value, steps))
                }
            }
        )*
    )*};
}

quantizable! {
    f32: 2 3 4;
    f64: 2 3 4;
}

impl<const STEPS: u32> Quantized<STEPS> {
    /// For `#[serde(with = …)]`.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    pub fn serialize<T: Quantizable, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        Steps(value.to_steps(STEPS)).serialize(serializer)
    }

    /// For `#[serde(with = …)]`.
    ///
    /// # Errors
    ///
    /// Those of the deserializer.
    pub fn deserialize<'de, T: Quantizable, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        let Steps(rounded) = read(deserializer)?;
        Ok(T::from_steps(&rounded, STEPS))
    }
}

fn read<'de, T: DeserializeOwned, D: Deserializer<'de>>(deserializer: D) -> Result<Steps<T>, D::Error> {
    Steps::deserialize(deserializer)
}

/// A quaternion in steps: which of its numbers is left out, and the others.
type Rotation = (u8, [i32; 3]);

impl<const BITS: u32> QuantizedRotation<BITS> {
    /// The steps from 0 to the square root of ½, which no number but the largest can exceed.
    const STEPS: f64 = {
        assert!(BITS >= 2 && BITS <= 20, "QuantizedRotation takes from 2 to 20 bits");
        ((1 << (BITS - 1)) - 1) as f64
    };

    /// For `#[serde(with = …)]`.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(value: &[f32; 4], serializer: S) -> Result<S::Ok, S::Error> {
        Steps(Self::to_steps(*value)).serialize(serializer)
    }

    /// For `#[serde(with = …)]`.
    ///
    /// # Errors
    ///
    /// Those of the deserializer.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[f32; 4], D::Error> {
        let Steps(rounded) = read(deserializer)?;
        Ok(Self::from_steps(&rounded))
    }

    /// The steps whose quaternion has the same steps again. Where two numbers are nearly the largest, each may be left out: of these two
    /// ways the first counts.
    fn to_steps(value: [f32; 4]) -> Rotation {
        let mut rounded = Self::nearest_steps(value);
        for _ in 0..4 {
            let again = Self::nearest_steps(Self::from_steps(&rounded));
            if again == rounded {
                return rounded;
            }
            if Self::nearest_steps(Self::from_steps(&again)) == rounded {
                return rounded.min(again);
            }
            rounded = again;
        }
        rounded
    }

    fn nearest_steps(value: [f32; 4]) -> Rotation {
        let value = value.map(f64::from);
        let length = value.iter().map(|number| number * number).sum::<f64>().sqrt();
        let value = if length > 0.0 && length.is_finite() {
            value.map(|number| number / length)
        } else {
            [0.0, 0.0, 0.0, 1.0]
        };
        let mut largest = 0;
        for index in 1..4 {
            if value[index].abs() > value[largest].abs() {
                largest = index;
            }
        }
        // A quaternion and its negative are the same rotation.
        let sign = if value[largest] < 0.0 { -1.0 } else { 1.0 };
        let rounded = |number: f64| (sign * number / FRAC_1_SQRT_2 * Self::STEPS).round_ties_even() as i32;
        let others = (0..3).map(|index| rounded(value[if index < largest { index } else { index + 1 }]));
        let mut steps = [0; 3];
        steps.iter_mut().zip(others).for_each(|(step, other)| *step = other);
        (largest as u8, steps)
    }

    fn from_steps((largest, steps): &Rotation) -> [f32; 4] {
        let others = steps.map(|step| f64::from(step) / Self::STEPS * FRAC_1_SQRT_2);
        let squares: f64 = others.iter().map(|other| other * other).sum();
        let mut value = [0.0; 4];
        let largest = usize::from(*largest).min(3);
        value[largest] = (1.0 - squares).max(0.0).sqrt();
        for (index, other) in others.into_iter().enumerate() {
            value[if index < largest { index } else { index + 1 }] = other;
        }
        value.map(|number| number as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::sealed::Sealed;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_rounded_number_is_rounded_to_itself(bits in any::<u64>(), value in -1e6_f64..1e6) {
            for value in [f64::from_bits(bits), value] {
                let steps = value.to_steps(1000);
                prop_assert_eq!(f64::from_steps(&steps, 1000).to_steps(1000), steps);
                let steps = (value as f32).to_steps(512);
                prop_assert_eq!(f32::from_steps(&steps, 512).to_steps(512), steps);
            }
            let rounded = f64::from_steps(&value.to_steps(1000), 1000);
            prop_assert!((rounded - value).abs() <= 0.000_500_1, "{} is not {}", rounded, value);
        }

        #[test]
        fn a_rounded_rotation_is_rounded_to_itself_and_is_close(value in prop::array::uniform4(-1.0_f32..1.0), nearly in any::<bool>()) {
            // Numbers that are nearly equal are the hard case.
            let value = if nearly { value.map(|number| 0.5 + number * 0.002) } else { value };
            let steps = QuantizedRotation::<9>::to_steps(value);
            let rounded = QuantizedRotation::<9>::from_steps(&steps);
            prop_assert_eq!(QuantizedRotation::<9>::to_steps(rounded), steps);
            let length = value.iter().map(|number| number * number).sum::<f32>().sqrt();
            prop_assume!(length > 0.01);
            let dot: f32 = value.iter().zip(rounded).map(|(one, other)| one * other).sum::<f32>() / length;
            prop_assert!(dot.abs() > 0.9999, "{:?} is not {:?}", value, rounded);
        }
    }
}
