//! Generates the implementation of `Blend` for a struct or an enum.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DataEnum, DeriveInput, Error, Fields, Result, WherePredicate, parse_quote};

use crate::bounds::{implement, require};
use crate::field::FieldBlend;

/// The implementation of `Blend` for a type.
pub(crate) fn blend(input: &DeriveInput) -> Result<TokenStream> {
    let mut bounds = Vec::new();
    let body = match &input.data {
        Data::Struct(data) => {
            let arm = arm(&quote!(Self), &data.fields, input, &mut bounds)?;
            quote!(match (self, newer) { #arm })
        }
        Data::Enum(data) => variants(data, input, &mut bounds)?,
        Data::Union(_) => {
            return Err(Error::new_spanned(
                &input.ident,
                "a union cannot be blended: use a struct or an enum",
            ));
        }
    };
    let blend = quote! {
        fn blend(&self, newer: &Self, t: f64) -> Self {
            let _ = t;
            #body
        }
    };
    Ok(implement(&quote!(::evenstep::Blend), input, bounds, &blend))
}

/// Generates the arm of a `match` that blends two values of a struct or of one variant, field by field.
fn arm(name: &TokenStream, fields: &Fields, of: &DeriveInput, bounds: &mut Vec<WherePredicate>) -> Result<TokenStream> {
    let (mut older, mut newer, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (member, field)) in fields.members().zip(fields).enumerate() {
        let blend = FieldBlend::read(field)?;
        if let Some(bound) = blend.bound() {
            require(&field.ty, &bound, of, bounds);
        }
        let (older_value, newer_value) = (format_ident!("older_{index}"), format_ident!("newer_{index}"));
        let value = blend.expression(&field.ty, &quote!(#older_value), &quote!(#newer_value));
        older.push(quote!(#member: #older_value));
        newer.push(quote!(#member: #newer_value));
        values.push(quote!(#member: #value));
    }
    Ok(quote! {
        #[allow(unused_variables)]
        (#name { #(#older),* }, #name { #(#newer),* }) => #name { #(#values),* },
    })
}

/// Generates the `match` for an enum: two values of the same variant are blended; for different variants the result is the newer
/// value.
fn variants(data: &DataEnum, of: &DeriveInput, bounds: &mut Vec<WherePredicate>) -> Result<TokenStream> {
    let mut arms = Vec::new();
    for variant in &data.variants {
        let name = &variant.ident;
        arms.push(arm(&quote!(Self::#name), &variant.fields, of, bounds)?);
    }
    if data.variants.len() > 1 {
        if of.generics.type_params().next().is_some() {
            bounds.push(parse_quote!(Self: ::core::clone::Clone));
        }
        arms.push(quote!(_ if t <= 0.0 => ::core::clone::Clone::clone(self),));
        arms.push(quote!(_ => ::core::clone::Clone::clone(newer),));
    }
    match data.variants.is_empty() {
        true => Ok(quote!(match *self {})),
        false => Ok(quote!(match (self, newer) { #(#arms)* })),
    }
}
