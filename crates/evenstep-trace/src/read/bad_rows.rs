/// What happens with rows that cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BadRows {
    /// The first one is an error.
    #[default]
    Fail,
    /// They are skipped, and listed in [`Trace::skipped`](crate::Trace::skipped).
    Skip,
}
