use proc_macro2::TokenStream;
use quote::quote;
use syn::{Field, Path, Result, Type, parse_quote};

/// How one field is drawn.
pub(crate) enum Drawn {
    Blended,
    Step,
    Skipped,
    With(Path),
}

impl Drawn {
    /// Reads the marks of a field.
    pub(crate) fn of(field: &Field) -> Result<Self> {
        let mut drawn = None;
        for attribute in field
            .attrs
            .iter()
            .filter(|attribute| attribute.path().is_ident("blend"))
        {
            attribute.parse_nested_meta(|mark| {
                let this = if mark.path.is_ident("step") {
                    Self::Step
                } else if mark.path.is_ident("skip") {
                    Self::Skipped
                } else if mark.path.is_ident("with") {
                    Self::With(mark.value()?.parse()?)
                } else {
                    return Err(mark.error("not a way to blend; use `step`, `skip` or `with = path`"));
                };
                match drawn.replace(this) {
                    Some(_) => Err(mark.error("a field can be marked in one way only")),
                    None => Ok(()),
                }
            })?;
        }
        Ok(drawn.unwrap_or(Self::Blended))
    }

    /// The drawn value, of references to the older and the newer one.
    pub(crate) fn expression(&self, ty: &Type, older: &TokenStream, newer: &TokenStream) -> TokenStream {
        match self {
            Self::Blended => quote!(<#ty as ::evenstep::Blend>::blend(#older, #newer, t)),
            Self::Step => quote!(<#ty as ::core::clone::Clone>::clone(#newer)),
            Self::Skipped => quote!(<#ty as ::core::default::Default>::default()),
            Self::With(path) => quote!(#path(#older, #newer, t)),
        }
    }

    /// What a generic field's type must be able to do.
    pub(crate) fn bound(&self) -> Option<Path> {
        match self {
            Self::Blended => Some(parse_quote!(::evenstep::Blend)),
            Self::Step => Some(parse_quote!(::core::clone::Clone)),
            Self::Skipped => Some(parse_quote!(::core::default::Default)),
            Self::With(_) => None,
        }
    }
}
