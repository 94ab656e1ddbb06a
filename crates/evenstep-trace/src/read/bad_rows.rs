/// What happens to rows that cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rows {
    /// The first one is an error.
    #[default]
    All,
    /// They are skipped, and listed in [`Trace::skipped`](crate::Trace::skipped).
    Readable,
}
