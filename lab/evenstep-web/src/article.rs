//! The figures without an engine: the page's first module.

pub mod accumulator;
pub mod display;
pub mod hockey;
pub mod loops;
pub mod rates;
pub mod scroll;
pub mod spiral;
