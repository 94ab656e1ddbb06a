//! The outputs of a run.

pub(crate) mod csv;
pub(crate) mod map;
pub(crate) mod report;
pub(crate) mod summary;
pub(crate) mod text;
