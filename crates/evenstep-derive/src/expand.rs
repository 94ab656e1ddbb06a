use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DataEnum, DeriveInput, Error, Fields, Generics, Index, Member, Result, WherePredicate, parse_quote};

use crate::field::Drawn;

/// The implementation of `Blend` for a type.
pub(crate) fn blend(input: &DeriveInput) -> Result<TokenStream> {
    let mut bounds = Vec::new();
    let body = match &input.data {
        Data::Struct(data) => {
            let fields = drawn_fields(&data.fields, &input.generics, &mut bounds)?;
            let values = fields.iter().map(|(member, ty, drawn)| {
                let value = drawn.expression(ty, &quote!(&self.#member), &quote!(&newer.#member));
                quote!(#member: #value)
            });
            quote!(Self { #(#values),* })
        }
        Data::Enum(data) => variants(data, &input.generics, &mut bounds)?,
        Data::Union(_) => {
            return Err(Error::new_spanned(
                &input.ident,
                "a union cannot be blended: use a struct or an enum",
            ));
        }
    };
    let mut generics = input.generics.clone();
    if !bounds.is_empty() {
        generics.make_where_clause().predicates.extend(bounds);
    }
    let (implemented, ty, condition) = generics.split_for_impl();
    let name = &input.ident;
    Ok(quote! {
        #[automatically_derived]
        impl #implemented ::evenstep::Blend for #name #ty #condition {
            #[inline]
            fn blend(&self, newer: &Self, t: f64) -> Self {
                let _ = t;
                #body
            }
        }
    })
}

type DrawnField<'a> = (Member, &'a syn::Type, Drawn);

fn drawn_fields<'a>(
    fields: &'a Fields,
    generics: &Generics,
    bounds: &mut Vec<WherePredicate>,
) -> Result<Vec<DrawnField<'a>>> {
    let drawn = fields.iter().enumerate().map(|(index, field)| {
        let drawn = Drawn::of(field)?;
        if let (Some(bound), true) = (drawn.bound(), is_generic(generics)) {
            let ty = &field.ty;
            bounds.push(parse_quote!(#ty: #bound));
        }
        let member = field
            .ident
            .clone()
            .map_or_else(|| Member::Unnamed(Index::from(index)), Member::Named);
        Ok((member, &field.ty, drawn))
    });
    drawn.collect()
}

/// Whether what fields can do may depend on a parameter. What depends on none, the compiler sees where it is used.
fn is_generic(generics: &Generics) -> bool {
    generics.type_params().next().is_some()
}

/// Two values of the same variant are blended, of different ones the newer is drawn.
fn variants(data: &DataEnum, generics: &Generics, bounds: &mut Vec<WherePredicate>) -> Result<TokenStream> {
    let mut arms = Vec::new();
    for variant in &data.variants {
        let fields = drawn_fields(&variant.fields, generics, bounds)?;
        let (mut older, mut newer, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for (index, (member, ty, drawn)) in fields.iter().enumerate() {
            let (one, other) = (format_ident!("older_{index}"), format_ident!("newer_{index}"));
            let value = drawn.expression(ty, &quote!(#one), &quote!(#other));
            older.push(quote!(#member: #one));
            newer.push(quote!(#member: #other));
            values.push(quote!(#member: #value));
        }
        let name = &variant.ident;
        arms.push(quote! {
            #[allow(unused_variables)]
            (Self::#name { #(#older),* }, Self::#name { #(#newer),* }) => Self::#name { #(#values),* },
        });
    }
    if data.variants.len() > 1 {
        if is_generic(generics) {
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
