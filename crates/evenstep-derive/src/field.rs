//! How one field is blended: reads its `#[blend(…)]` attribute and generates its expression.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Field, Path, Result, Type, parse_quote};

/// How one field is blended.
pub(crate) enum FieldBlend {
    /// By its own `Blend` implementation.
    Blended,
    /// `step`: the newer value.
    Step,
    /// `skip`: the default value.
    Skipped,
    /// `with = path`: by a function.
    With(Path),
}

impl FieldBlend {
    /// Reads the `#[blend(…)]` attribute of a field.
    pub(crate) fn read(field: &Field) -> Result<Self> {
        let mut blend = None;
        for attribute in field
            .attrs
            .iter()
            .filter(|attribute| attribute.path().is_ident("blend"))
        {
            attribute.parse_nested_meta(|option| {
                let this = if option.path.is_ident("step") {
                    Self::Step
                } else if option.path.is_ident("skip") {
                    Self::Skipped
                } else if option.path.is_ident("with") {
                    Self::With(option.value()?.parse()?)
                } else {
                    return Err(option.error("unknown option of `blend`; use `step`, `skip` or `with = path`"));
                };
                match blend.replace(this) {
                    Some(_) => Err(option.error("a field takes only one option of `blend`")),
                    None => Ok(()),
                }
            })?;
        }
        Ok(blend.unwrap_or(Self::Blended))
    }

    /// The expression of the blended value, from references to the older and the newer value.
    pub(crate) fn expression(&self, ty: &Type, older: &TokenStream, newer: &TokenStream) -> TokenStream {
        match self {
            Self::Blended => quote!(<#ty as ::evenstep::Blend>::blend(#older, #newer, t)),
            Self::Step => quote!(<#ty as ::core::clone::Clone>::clone(#newer)),
            Self::Skipped => quote!(<#ty as ::core::default::Default>::default()),
            Self::With(path) => quote!(#path(#older, #newer, t)),
        }
    }

    /// The trait that the type of a generic field must implement.
    pub(crate) fn bound(&self) -> Option<Path> {
        match self {
            Self::Blended => Some(parse_quote!(::evenstep::Blend)),
            Self::Step => Some(parse_quote!(::core::clone::Clone)),
            Self::Skipped => Some(parse_quote!(::core::default::Default)),
            Self::With(_) => None,
        }
    }
}
