//! `#[derive(Blend)]` for [evenstep](https://docs.rs/evenstep): states that can be drawn between two of their values.
//!
//! Use it through evenstep's feature `derive`.
#![forbid(unsafe_code)]

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

mod expand;
mod field;

/// Implements `evenstep::Blend` field by field.
///
/// A field is blended by its own `Blend`, unless it is marked:
///
/// | mark | what is drawn |
/// |---|---|
/// | `#[blend(step)]` | the newer value, for what has no in-between; it must be `Clone` |
/// | `#[blend(skip)]` | its default, for what drawing does not need and copying would cost; it must be `Default` |
/// | `#[blend(with = path)]` | what `path(&older, &newer, t)` answers |
///
/// Structs of every kind and enums can derive it. Of an enum, two values of the same variant are blended; of different
/// ones the newer is drawn, for which the enum must be `Clone`. A generic type blends wherever its fields do, and an enum of
/// several variants wherever it is `Clone`, too.
///
/// At `t ≤ 0` and `t ≥ 1` each field is its own end, so a state comes back to the bit but for marked fields.
///
/// ```
/// use evenstep::{Angle, Blend};
///
/// #[derive(Blend, Clone)]
/// struct Ship {
///     position: [f32; 2],
///     heading: Angle,
///     #[blend(step)]
///     frame_of_animation: u8,
///     #[blend(skip)]
///     path_ahead: Vec<[f32; 2]>,
///     #[blend(with = logarithmic)]
///     brightness: f64,
/// }
///
/// fn logarithmic(older: &f64, newer: &f64, t: f64) -> f64 {
///     older.ln().blend(&newer.ln(), t).exp()
/// }
///
/// let older = Ship {
///     position: [0.0, 0.0],
///     heading: Angle::degrees(350.0),
///     frame_of_animation: 1,
///     path_ahead: vec![[1.0, 1.0]],
///     brightness: 1.0,
/// };
/// let newer = Ship { position: [4.0, 0.0], frame_of_animation: 2, brightness: 100.0, ..older.clone() };
/// let drawn = older.blend(&newer, 0.5);
/// assert_eq!((drawn.position, drawn.frame_of_animation), ([2.0, 0.0], 2));
/// assert!((drawn.brightness - 10.0).abs() < 1e-12 && drawn.path_ahead.is_empty());
/// ```
///
/// A mark that is not known is an error that names those that are:
///
/// ```compile_fail
/// #[derive(evenstep::Blend)]
/// struct Ship {
///     #[blend(discrete)]
///     frame: u8,
/// }
/// ```
///
/// So is a union:
///
/// ```compile_fail
/// #[derive(evenstep::Blend)]
/// union Bits {
///     float: f32,
///     integer: u32,
/// }
/// ```
#[proc_macro_derive(Blend, attributes(blend))]
pub fn derive_blend(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::blend(&input)
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}
