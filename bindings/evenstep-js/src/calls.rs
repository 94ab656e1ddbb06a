//! The numbers of the calls of each kind of object. `js/calls.ts` has the same.

/// Numbers the calls of a kind of object, from 0 on.
macro_rules! calls {
    ($($kind:ident: $($call:ident)*;)*) => {
        $(
            pub(crate) mod $kind {
                #[allow(dead_code, non_camel_case_types, clippy::upper_case_acronyms, reason = "they become constants")]
                enum Number { $($call),* }
                $(
                    #[allow(dead_code, reason = "the last call of a kind may be the default arm of a match")]
                    pub(crate) const $call: u32 = Number::$call as u32;
                )*
            }
        )*

        /// The text of `js/calls.ts` with all numbers.
        #[cfg(test)]
        fn script() -> String {
            let mut text = String::new();
            $(
                $(text += &format!("export const {}_{} = {};\n", stringify!($kind).to_uppercase(), stringify!($call), $kind::$call);)*
                text.push('\n');
            )*
            text
        }
    };
}

calls! {
    objects: POSES FREE;
    poses: STATES DRAWN MATRICES ADD REMOVE COMMIT BEGIN_STEP COMMIT_ROW TELEPORT SHIFT DRAW DRAW_MATRICES;
}

#[cfg(test)]
mod tests {
    #[test]
    fn javascript_has_the_same_numbers() {
        assert_eq!(
            super::script(),
            include_str!("../js/calls.ts").split_once("\n\n").unwrap().1
        );
    }
}
