//! The conditions under which a generic type implements a trait: its fields do.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{DeriveInput, Path, Type, WherePredicate, parse_quote};

/// Adds the condition that a field implements a trait. Without type parameters the compiler checks the field directly.
///
/// A condition on a field that contains the type itself would have no end: there it is on the parameters that the field has besides.
pub(crate) fn require(ty: &Type, bound: &Path, of: &DeriveInput, bounds: &mut Vec<WherePredicate>) {
    if of.generics.type_params().next().is_none() {
        return;
    }
    let (_, own, _) = of.generics.split_for_impl();
    let mut inner = Inner {
        of,
        own: words(own.to_token_stream()),
        contains_itself: false,
        parameters: Vec::new(),
    };
    inner.read(ty.to_token_stream());
    if inner.contains_itself {
        bounds.extend(inner.parameters.iter().map(|ty| parse_quote!(#ty: #bound)));
    } else {
        bounds.push(parse_quote!(#ty: #bound));
    }
}

/// The implementation of a trait under conditions.
pub(crate) fn implement(
    of_trait: &TokenStream,
    of: &DeriveInput,
    bounds: Vec<WherePredicate>,
    items: &TokenStream,
) -> TokenStream {
    let mut generics = of.generics.clone();
    if !bounds.is_empty() {
        generics.make_where_clause().predicates.extend(bounds);
    }
    let (implemented, ty, condition) = generics.split_for_impl();
    let name = &of.ident;
    quote! {
        #[automatically_derived]
        impl #implemented #of_trait for #name #ty #condition {
            #[inline]
            #items
        }
    }
}

/// Tokens without spaces and commas, to compare lists of arguments.
fn words(tokens: impl IntoIterator<Item = TokenTree>) -> Vec<String> {
    let words = tokens.into_iter().map(|token| token.to_string());
    words.filter(|word| word != ",").collect()
}

/// The contents of the type of a field.
struct Inner<'a> {
    of: &'a DeriveInput,
    /// The arguments of the type within its own definition.
    own: Vec<String>,
    contains_itself: bool,
    /// Type parameters and their associated types, apart from those of the type itself.
    parameters: Vec<TokenStream>,
}

impl Inner<'_> {
    fn read(&mut self, tokens: TokenStream) {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            match token {
                TokenTree::Group(group) => self.read(group.stream()),
                TokenTree::Ident(ident) if *ident == self.of.ident || ident == "Self" => {
                    self.contains_itself = true;
                    let end = at + arguments(&tokens[at..]);
                    // With other arguments it is another type.
                    if words(tokens[at..end].iter().cloned()) == self.own {
                        at = end;
                    }
                }
                TokenTree::Ident(ident) if self.of.generics.type_params().any(|param| param.ident == *ident) => {
                    let associated = match &tokens[at..] {
                        [TokenTree::Punct(one), TokenTree::Punct(two), TokenTree::Ident(name), ..]
                            if one.as_char() == ':' && two.as_char() == ':' =>
                        {
                            at += 3;
                            quote!(::#name)
                        }
                        _ => TokenStream::new(),
                    };
                    self.parameters.push(quote!(#ident #associated));
                }
                _ => {}
            }
        }
    }
}

/// The number of tokens of the `<…>` at the start; zero if there is none.
fn arguments(tokens: &[TokenTree]) -> usize {
    let mut depth = 0_i32;
    for (at, token) in tokens.iter().enumerate() {
        depth += match token {
            TokenTree::Punct(punct) if punct.as_char() == '<' => 1,
            TokenTree::Punct(punct) if punct.as_char() == '>' => -1,
            _ => 0,
        };
        if depth <= 0 {
            return if at == 0 { 0 } else { at + 1 };
        }
    }
    0
}
