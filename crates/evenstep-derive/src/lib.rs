//! `#[derive(Blend)]` and `#[derive(Inspect)]` for [evenstep](https://docs.rs/evenstep): interpolate a state field by field, and
//! hash and compare it.
//!
//! Use the macros through evenstep's feature `derive`.
#![forbid(unsafe_code)]

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

mod bounds;
mod expand;
mod field;
mod inspect;

/// Implements `evenstep::Blend` field by field.
///
/// A field is blended by its own `Blend` implementation, unless it has an attribute:
///
/// | attribute | result |
/// |---|---|
/// | `#[blend(step)]` | the newer value, for discrete values; the type must be `Clone` |
/// | `#[blend(skip)]` | the default value, for data that drawing does not need and that is costly to copy; the type must be `Default` |
/// | `#[blend(with = path)]` | the result of `path(&older, &newer, t)` |
///
/// Structs of every kind and enums can derive it. Two values of the same enum variant are blended; for different variants the
/// result is the newer value, for which the enum must be `Clone`. A generic type implements `Blend` if its fields do, and may contain itself; an enum with
/// several variants must also be `Clone`.
///
/// At `t ≤ 0` and `t ≥ 1` the result is bit-identical to the older and the newer state, except for fields with an attribute.
#[proc_macro_derive(Blend, attributes(blend))]
pub fn derive_blend(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::blend(&input)
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// Implements `evenstep::Inspect`: visits every field under its name, or under its index in a tuple.
///
/// Structs of every kind and enums can derive it. A generic type implements `Inspect` if its fields do, and may contain
/// itself. `#[inspect(skip)]` leaves
/// out a field that no step reads, such as a cache or data that is only drawn.
#[proc_macro_derive(Inspect, attributes(inspect))]
pub fn derive_inspect(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    inspect::inspect(&input)
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}
