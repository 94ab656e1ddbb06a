//! Generates the implementation of `Inspect` for a struct or an enum.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Error, Field, Fields, Result, WherePredicate, parse_quote};

use crate::bounds::{implement, require};

/// The implementation of `Inspect` for a type.
pub(crate) fn inspect(input: &DeriveInput) -> Result<TokenStream> {
    let mut bounds = Vec::new();
    let body = match &input.data {
        Data::Struct(data) => {
            let (pattern, visits) = fields(&data.fields, input, &mut bounds)?;
            // A struct without visited fields is visited as a unit, so that it can be an entry of a map.
            let unit = visits
                .is_empty()
                .then(|| quote!(visitor.leaf(::evenstep::inspect::Leaf::Unit);));
            quote! {
                let Self { #pattern } = self;
                #unit
                #(#visits)*
            }
        }
        Data::Enum(data) => {
            let mut arms = Vec::new();
            for (index, variant) in data.variants.iter().enumerate() {
                let (pattern, visits) = fields(&variant.fields, input, &mut bounds)?;
                let (ident, name, index) = (&variant.ident, variant.ident.unraw().to_string(), index as u32);
                arms.push(quote! {
                    Self::#ident { #pattern } => {
                        visitor.leaf(::evenstep::inspect::Leaf::Variant { index: #index, name: #name });
                        #(#visits)*
                    }
                });
            }
            match arms.is_empty() {
                true => quote!(match *self {}),
                false => quote!(match self { #(#arms)* }),
            }
        }
        Data::Union(_) => {
            return Err(Error::new_spanned(
                &input.ident,
                "the active field of a union is unknown: use a struct or an enum",
            ));
        }
    };
    let visit = quote! {
        fn visit(&self, visitor: &mut impl ::evenstep::inspect::Visitor) {
            let _ = &visitor;
            #body
        }
    };
    Ok(implement(&quote!(::evenstep::inspect::Inspect), input, bounds, &visit))
}

/// The pattern that binds the fields, and a statement for each field that is not skipped.
fn fields(
    fields: &Fields,
    of: &DeriveInput,
    bounds: &mut Vec<WherePredicate>,
) -> Result<(TokenStream, Vec<TokenStream>)> {
    let (mut bindings, mut visits) = (Vec::new(), Vec::new());
    for (index, (member, field)) in fields.members().zip(fields).enumerate() {
        if is_skipped(field)? {
            continue;
        }
        require(&field.ty, &parse_quote!(::evenstep::inspect::Inspect), of, bounds);
        let binding = format_ident!("field_{index}");
        let name = field
            .ident
            .as_ref()
            .map_or(index.to_string(), |ident| ident.unraw().to_string());
        bindings.push(quote!(#member: #binding,));
        visits.push(quote!(visitor.field(#name, #binding);));
    }
    Ok((quote!(#(#bindings)* ..), visits))
}

/// Whether a field has the attribute `#[inspect(skip)]`.
fn is_skipped(field: &Field) -> Result<bool> {
    let mut is_skipped = false;
    for attribute in field
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("inspect"))
    {
        attribute.parse_nested_meta(|option| {
            if option.path.is_ident("skip") {
                is_skipped = true;
                return Ok(());
            }
            Err(option.error("unknown option of `inspect`; use `skip`"))
        })?;
    }
    Ok(is_skipped)
}
