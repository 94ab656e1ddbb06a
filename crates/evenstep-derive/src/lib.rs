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

/// The macro behind [`evenstep::Blend`](https://docs.rs/evenstep/latest/evenstep/derive.Blend.html).
#[proc_macro_derive(Blend, attributes(blend))]
pub fn derive_blend(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::blend(&input)
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// The macro behind [`evenstep::Inspect`](https://docs.rs/evenstep/latest/evenstep/derive.Inspect.html).
#[proc_macro_derive(Inspect, attributes(inspect))]
pub fn derive_inspect(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    inspect::inspect(&input)
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}
