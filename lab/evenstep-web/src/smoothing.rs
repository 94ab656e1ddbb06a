//! The names of the ways of smoothing in the page's menus.

use std::time::Duration;

use evenstep::Smoothing;

/// The way of smoothing of a name, as the page's menus have them.
pub(crate) fn named(name: &str) -> Smoothing {
    match name {
        "none" => Smoothing::None,
        "extrapolate" => Smoothing::Extrapolate {
            horizon: Duration::from_millis(250),
        },
        "hermite" => Smoothing::Hermite,
        _ => Smoothing::Interpolate,
    }
}
