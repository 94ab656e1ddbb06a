use crate::arena::BodyKey;

/// What is drawn of a body.
#[derive(Debug)]
pub struct Drawn<'a, P, U> {
    /// The body.
    pub key: BodyKey,
    /// What the program keeps with it.
    pub data: &'a U,
    /// Where to draw it.
    pub pose: P,
}
